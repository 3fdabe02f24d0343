/* Writing of TIFF, by hand: without compression all places are known beforehand, so nothing seeks
 * and a pipe will do, while libtiff goes back to what it wrote. Each page is a directory, the
 * values that it has no room for, and one strip of samples.
 * Source: TIFF 6.0; BigTIFF as libtiff documents it (bigtiff.html), for files beyond 4 GiB. */
#include "image/codec.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 3, LONG = 4, LONG8 = 16, MOST_ENTRIES = 16, MOST_CHANNELS = 65535 };

/* The image as pages of rows of pixels. */
struct layout {
    const struct flt_image *image;
    size_t pages, rows, columns, channels;
    struct flt_image page; /* the first one, as a view */
    ptrdiff_t page_stride; /* in elements */
};

static bool has_axis(const struct flt_image *image, int axis, const char *name)
{
    return strcmp(image->axis[axis], name) == 0;
}

/* z before y and x is pages; what follows x is channels, also the parts of complex samples, which
 * cannot have channels of their own. */
static bool understand(const struct flt_image *image, struct layout *layout)
{
    const int rank = image->rank;
    const bool is_complex = flt_image_is_complex(image);
    const bool pages = rank == 4 || (rank == 3 && !has_axis(image, 2, "c") && !is_complex &&
                                     (has_axis(image, 0, "z") || image->extent[2] > 4));
    if (rank < 2 + is_complex || rank > 4 || (is_complex && has_axis(image, rank - 2, "c")))
        return false;
    *layout = (struct layout){.image = image, .pages = 1, .channels = 1, .page = *image};
    if (pages) {
        layout->pages = (size_t)image->extent[0];
        layout->page_stride = image->stride[0];
        layout->page.rank = rank - 1;
        for (int i = 0; i < rank - 1; i++) {
            layout->page.extent[i] = image->extent[i + 1];
            layout->page.stride[i] = image->stride[i + 1];
        }
    }
    layout->rows = (size_t)layout->page.extent[0];
    layout->columns = (size_t)layout->page.extent[1];
    if (layout->page.rank == 3)
        layout->channels = (size_t)layout->page.extent[2];
    return layout->channels <= MOST_CHANNELS;
}

/* What stands before the samples of a page, or of the file. */
struct text {
    unsigned char *bytes;
    size_t length;
    bool big; /* BigTIFF */
};

static void put(struct text *text, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text->bytes[text->length++] =
            (unsigned char)(number >> 8 * (flt_host_is_little() ? i : size - 1 - i));
}

/* One entry of a directory. Its values, all equal but where there is one, are put at *beyond where
 * it has no room for them. */
struct directory {
    struct text entries, beyond;
    uint64_t beyond_at; /* place of the first byte beyond in the file */
    unsigned count;
};

static void add_entry(struct directory *d, unsigned tag, unsigned type, size_t count,
                      uint64_t value)
{
    const size_t size = type == SHORT ? 2 : type == LONG ? 4 : 8;
    const size_t room = d->entries.big ? 8 : 4;
    put(&d->entries, tag, 2);
    put(&d->entries, type, 2);
    put(&d->entries, count, room);
    struct text *const target = count * size > room ? &d->beyond : &d->entries;
    if (target == &d->beyond)
        put(&d->entries, d->beyond_at + d->beyond.length, room);
    for (size_t i = 0; i < count; i++)
        put(target, value, size);
    for (size_t used = count * size; target == &d->entries && used < room; used++)
        put(target, 0, 1);
    d->count++;
}

static unsigned sample_format(enum flt_element element)
{
    switch (element) {
    case FLT_BOOL:
    case FLT_U8:
    case FLT_U16:
    case FLT_U32:
        return 1;
    case FLT_I8:
    case FLT_I16:
    case FLT_I32:
    case FLT_I64:
        return 2;
    case FLT_F32:
    case FLT_F64:
    case FLT_F16:
        return 3;
    }
    return 1;
}

static uint64_t rounded_up(uint64_t value)
{
    return (value + 7) / 8 * 8;
}

/* Sizes that all pages have. */
struct sizes {
    bool big;
    uint64_t header, directory, beyond, samples, page;
};

static struct sizes sizes_of(const struct layout *layout)
{
    struct sizes s = {.samples = (uint64_t)layout->rows * layout->columns * layout->channels *
                                 flt_element_bytes(layout->image->element)};
    for (int attempt = 0; attempt < 2; attempt++) {
        s.header = s.big ? 16 : 8;
        s.directory = s.big ? 8 + 20 * MOST_ENTRIES + 8 : 2 + 12 * MOST_ENTRIES + 4;
        s.beyond = 3 * 2 * layout->channels + 8; /* bits, extra samples, formats */
        s.page = rounded_up(rounded_up(s.directory + s.beyond) + s.samples);
        if (s.header + s.page * layout->pages <= UINT32_MAX)
            break;
        s.big = true;
    }
    return s;
}

static void add_entries(const struct layout *layout, uint64_t samples_at, uint64_t sample_bytes,
                        struct directory *d)
{
    const struct flt_image *const image = layout->image;
    const size_t channels = layout->channels;
    const bool rgb = channels == 3 || channels == 4;
    const unsigned whole = d->entries.big ? LONG8 : LONG;
    if (layout->pages > 1)
        add_entry(d, 254, LONG, 1, 2); /* one page of several */
    add_entry(d, 256, LONG, 1, layout->columns);
    add_entry(d, 257, LONG, 1, layout->rows);
    add_entry(d, 258, SHORT, channels, 8 * flt_element_bytes(image->element));
    add_entry(d, 259, SHORT, 1, 1);
    add_entry(d, 262, SHORT, 1, rgb ? 2 : 1);
    add_entry(d, 273, whole, 1, samples_at);
    add_entry(d, 277, SHORT, 1, channels);
    add_entry(d, 278, LONG, 1, layout->rows);
    add_entry(d, 279, whole, 1, sample_bytes);
    add_entry(d, 284, SHORT, 1, 1);
    if (channels > (rgb ? 3 : 1)) /* 2: alpha by which colors are not multiplied; 0: not told */
        add_entry(d, 338, SHORT, channels - (rgb ? 3 : 1), image->has_alpha ? 2 : 0);
    add_entry(d, 339, SHORT, channels, sample_format(image->element));
}

static bool write_text(const struct text *text, FILE *out)
{
    return fwrite(text->bytes, 1, text->length, out) == text->length;
}

/* Magic and the place of the first directory, which follows. */
static bool write_header(const struct sizes *s, FILE *out)
{
    unsigned char bytes[16];
    struct text text = {.bytes = bytes};
    const unsigned char order = flt_host_is_little() ? 'I' : 'M';
    put(&text, order, 1);
    put(&text, order, 1);
    put(&text, s->big ? 43 : 42, 2);
    if (s->big)
        put(&text, 8, 4); /* bytes of an offset; 0 */
    put(&text, s->header, s->big ? 8 : 4);
    return write_text(&text, out);
}

/* From the page's place to its samples. memory: room for that. */
static bool write_directory(const struct layout *layout, const struct sizes *s, size_t page,
                            unsigned char *memory, FILE *out)
{
    const uint64_t at = s->header + page * s->page;
    const uint64_t samples_at = at + rounded_up(s->directory + s->beyond);
    memset(memory, 0, samples_at - at);
    struct directory d = {.entries = {.bytes = memory + (s->big ? 8 : 2), .big = s->big},
                          .beyond = {.bytes = memory + s->directory},
                          .beyond_at = at + s->directory};
    add_entries(layout, samples_at, s->samples, &d);
    put(&d.entries, page + 1 < layout->pages ? at + s->page : 0, s->big ? 8 : 4);
    struct text whole = {.bytes = memory};
    put(&whole, d.count, s->big ? 8 : 2);
    whole.length = samples_at - at;
    return write_text(&whole, out);
}

/* 0 and 255 for false and true. */
static enum flt_status write_bools(const struct flt_image *page, FILE *out)
{
    const size_t length = (size_t)page->extent[page->rank - 1];
    const uint64_t rows = flt_row_count(page);
    unsigned char *const row = malloc(length);
    if (!row)
        return FLT_NO_MEMORY;
    bool written = true;
    for (uint64_t y = 0; y < rows && written; y++) {
        flt_pack_row(page, y, row);
        for (size_t i = 0; i < length; i++)
            row[i] = row[i] ? 255 : 0;
        written = fwrite(row, 1, length, out) == length;
    }
    free(row);
    return written ? FLT_OK : FLT_CANNOT_WRITE;
}

static enum flt_status write_page(const struct layout *layout, const struct sizes *s, size_t page,
                                  unsigned char *memory, FILE *out)
{
    if (!write_directory(layout, s, page, memory, out))
        return FLT_CANNOT_WRITE;
    struct flt_image view = layout->page;
    view.data = (char *)view.data +
                (ptrdiff_t)page * layout->page_stride * (ptrdiff_t)flt_element_bytes(view.element);
    const enum flt_status status =
        view.element == FLT_BOOL ? write_bools(&view, out) : flt_write_samples(&view, out);
    if (status != FLT_OK)
        return status;
    static const unsigned char filling[8] = {0};
    const size_t left = (size_t)(rounded_up(s->samples) - s->samples);
    return fwrite(filling, 1, left, out) == left ? FLT_OK : FLT_CANNOT_WRITE;
}

enum flt_status flt_save_tiff(const struct flt_image *image, const struct file_out *out,
                              struct flt_detail *detail)
{
    struct layout layout;
    if (!understand(image, &layout))
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold this image: its axes must be %s; save it as .npy",
                        flt_short_name(out->name),
                        flt_image_is_complex(image)
                            ? "y, x, or z, y, x, as its samples are complex"
                            : "y, x or y, x, c, or either with z before them");
    const struct sizes s = sizes_of(&layout);
    unsigned char *const memory = malloc(rounded_up(s.directory + s.beyond));
    if (!memory)
        return FLT_NO_MEMORY;
    enum flt_status status = write_header(&s, out->stream) ? FLT_OK : FLT_CANNOT_WRITE;
    for (size_t page = 0; page < layout.pages && status == FLT_OK; page++)
        status = write_page(&layout, &s, page, memory, out->stream);
    free(memory);
    return status;
}
