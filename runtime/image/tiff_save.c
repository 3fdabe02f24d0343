/* Writing of TIFF, by hand: without compression all places are known beforehand, so nothing seeks
 * and a pipe will do, while libtiff goes back to what it wrote. Each page is a directory, the
 * values that it has no room for, and one strip of samples.
 * Source: TIFF 6.0; BigTIFF as libtiff documents it (bigtiff.html), for files beyond 4 GiB. */
#include "image/numbers.h"
#include "image/parts.h"
#include "image/stack_save.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ASCII = 2, SHORT = 3, LONG = 4, RATIONAL = 5, UNDEFINED = 7, LONG8 = 16 };
enum { MOST_ENTRIES = 20, MOST_CHANNELS = 65535 };

/* The image as pages of rows of pixels. */
struct layout {
    const struct flt_image *image;
    struct stack_form form;
    bool is_ome;
    size_t pages, rows, columns, channels;
    struct flt_image page; /* the first one, as a view */
    int axis[STACK_AXES];  /* of the image, along which there are pages, slowest first */
    char *description;     /* or NULL */
};

static bool has_axis(const struct flt_image *image, int axis, const char *name)
{
    return strcmp(image->axis[axis], name) == 0;
}

/* Whether what follows x is channels, also the parts of complex samples. An image whose last axis
 * is neither x nor c has them by its rank and extents. */
static bool has_channels(const struct flt_image *image)
{
    const int rank = image->rank;
    if (flt_image_is_complex(image) || (rank > 2 && has_axis(image, rank - 1, "c")))
        return true;
    if (rank < 3 || has_axis(image, rank - 1, "x"))
        return false;
    return rank > 3 || (!has_axis(image, 0, "z") && image->extent[2] <= 4);
}

/* Pages in the order of ImageJ. */
static void sort_pages(struct layout *layout)
{
    static const char order[] = "tzc";
    struct stack *const stack = &layout->form.stack;
    for (int i = 1; i < stack->rank; i++)
        for (int k = i; k > 0; k--) {
            const struct stack_axis axis = stack->axis[k];
            const int number = layout->axis[k];
            if (strchr(order, axis.name) > strchr(order, stack->axis[k - 1].name))
                break;
            stack->axis[k] = stack->axis[k - 1];
            stack->axis[k - 1] = axis;
            layout->axis[k] = layout->axis[k - 1];
            layout->axis[k - 1] = number;
        }
}

/* The axes before y. A single one may have any name, which then is not stored. */
static bool understand_pages(const struct flt_image *image, int count, struct layout *layout)
{
    struct stack *const stack = &layout->form.stack;
    bool named = true;
    if (count > STACK_AXES)
        return false;
    for (int i = 0; i < count; i++) {
        const char *const name = image->axis[i];
        bool good = strcmp(name, "t") == 0 || strcmp(name, "z") == 0 || strcmp(name, "c") == 0;
        for (int k = 0; k < i; k++)
            good = good && strcmp(name, image->axis[k]) != 0;
        named = named && good;
        layout->axis[i] = i;
        layout->pages *= (size_t)image->extent[i];
        stack->axis[i] = (struct stack_axis){name[0], image->extent[i]};
    }
    stack->rank = named ? count : 0;
    if (!layout->is_ome)
        sort_pages(layout);
    return named || (count == 1 && !layout->is_ome);
}

static struct spacing spacing_of(const struct flt_image *image, int axis)
{
    struct spacing spacing = {.distance = image->spacing[axis]};
    if (!(spacing.distance > 0) || spacing.distance > 1e300)
        spacing.distance = 0;
    memcpy(spacing.unit, image->unit[axis], FLT_UNIT_NAME);
    spacing.unit[FLT_UNIT_NAME - 1] = '\0';
    return spacing;
}

/* Complex samples cannot have channels of their own. */
static bool understand(const struct flt_image *image, struct layout *layout)
{
    const int beyond = has_channels(image), pages = image->rank - 2 - beyond;
    if (pages < 0 || image->rank < 2)
        return false;
    layout->image = image;
    layout->page = *image;
    layout->pages = layout->channels = 1;
    if (!understand_pages(image, pages, layout))
        return false;
    for (int i = 0; i < pages && beyond; i++)
        if (has_axis(image, i, "c"))
            return false;
    if (flt_image_is_complex(image) && has_axis(image, image->rank - 2, "c"))
        return false;
    layout->page.rank = 2 + beyond;
    for (int i = 0; i < layout->page.rank; i++) {
        layout->page.extent[i] = image->extent[pages + i];
        layout->page.stride[i] = image->stride[pages + i];
    }
    layout->rows = (size_t)layout->page.extent[0];
    layout->columns = (size_t)layout->page.extent[1];
    if (beyond)
        layout->channels = (size_t)layout->page.extent[2];
    struct stack *const stack = &layout->form.stack;
    for (int i = 0; i < pages; i++)
        if (has_axis(image, i, "t") || has_axis(image, i, "z"))
            *(has_axis(image, i, "t") ? &stack->t : &stack->z) = spacing_of(image, i);
    stack->y = spacing_of(image, pages);
    stack->x = spacing_of(image, pages + 1);
    layout->form.element = image->element;
    layout->form.rows = layout->rows;
    layout->form.columns = layout->columns;
    layout->form.channels = layout->channels;
    return layout->channels <= MOST_CHANNELS;
}

/* FLT_NO_MEMORY */
static enum flt_status describe(struct layout *layout)
{
    if (!layout->is_ome && !flt_needs_imagej(&layout->form))
        return FLT_OK;
    layout->description =
        layout->is_ome ? flt_ome_text(&layout->form) : flt_imagej_text(&layout->form);
    return layout->description ? FLT_OK : FLT_NO_MEMORY;
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
    bool is_first;
};

/* One whose text, longer than a value, is elsewhere in the file. */
static void add_text(struct directory *d, unsigned tag, unsigned type, uint64_t length, uint64_t at)
{
    const size_t room = d->entries.big ? 8 : 4;
    put(&d->entries, tag, 2);
    put(&d->entries, type, 2);
    put(&d->entries, length, room);
    put(&d->entries, at, room);
    d->count++;
}

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

/* One that is a fraction: samples in a unit. */
static void add_resolution(struct directory *d, unsigned tag, const struct spacing *spacing)
{
    uint32_t numerator, denominator;
    if (!(spacing->distance > 0) || !flt_fraction_of(spacing->distance, &denominator, &numerator))
        return;
    const uint64_t both = flt_host_is_little() ? (uint64_t)denominator << 32 | numerator
                                               : (uint64_t)numerator << 32 | denominator;
    add_entry(d, tag, RATIONAL, 1, both);
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
    uint64_t header, description, profile, directory, beyond, samples, page;
};

static struct sizes sizes_of(const struct layout *layout)
{
    struct sizes s = {.samples = (uint64_t)layout->rows * layout->columns * layout->channels *
                                 flt_element_bytes(layout->image->element)};
    s.description = layout->description ? strlen(layout->description) + 1 : 0;
    s.profile = layout->image->profile ? layout->image->profile_bytes : 0;
    if (s.profile <= 8) /* which would stand in its entry */
        s.profile = 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        s.header = (s.big ? 16 : 8) + rounded_up(s.description) + rounded_up(s.profile);
        s.directory = s.big ? 8 + 20 * MOST_ENTRIES + 8 : 2 + 12 * MOST_ENTRIES + 4;
        /* Bits, extra samples, formats; resolutions. */
        s.beyond = 3 * 2 * layout->channels + 8 + 2 * 8;
        s.page = rounded_up(rounded_up(s.directory + s.beyond) + s.samples);
        if (s.header + s.page * layout->pages <= UINT32_MAX)
            break;
        s.big = true;
    }
    return s;
}

/* Where x and y have units of their own, the description tells them. */
static unsigned resolution_unit(const struct stack *stack)
{
    const unsigned x = flt_resolution_unit(&stack->x), y = flt_resolution_unit(&stack->y);
    return !(stack->y.distance > 0) ? x : !(stack->x.distance > 0) ? y : x == y ? x : 1;
}

static void add_entries(const struct layout *layout, const struct sizes *s, uint64_t samples_at,
                        struct directory *d)
{
    const struct stack *const stack = &layout->form.stack;
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
    if (d->is_first && s->description > 0)
        add_text(d, 270, ASCII, s->description, s->big ? 16 : 8);
    add_entry(d, 273, whole, 1, samples_at);
    add_entry(d, 277, SHORT, 1, channels);
    add_entry(d, 278, LONG, 1, layout->rows);
    add_entry(d, 279, whole, 1, s->samples);
    add_resolution(d, 282, &stack->x);
    add_resolution(d, 283, &stack->y);
    add_entry(d, 284, SHORT, 1, 1);
    if (stack->x.distance > 0 || stack->y.distance > 0)
        add_entry(d, 296, SHORT, 1, resolution_unit(stack));
    if (channels > (rgb ? 3 : 1)) /* 2: alpha by which colors are not multiplied; 0: not given */
        add_entry(d, 338, SHORT, channels - (rgb ? 3 : 1), image->has_alpha ? 2 : 0);
    add_entry(d, 339, SHORT, channels, sample_format(image->element));
    if (d->is_first && s->profile > 0)
        add_text(d, 34675, UNDEFINED, s->profile, (s->big ? 16 : 8) + rounded_up(s->description));
}

static bool write_text(const struct text *text, FILE *out)
{
    return fwrite(text->bytes, 1, text->length, out) == text->length;
}

static bool write_zeros(size_t count, FILE *out)
{
    static const unsigned char filling[8] = {0};
    return fwrite(filling, 1, count, out) == count;
}

/* Magic, the place of the first directory, and the description, which that follows. */
static bool write_header(const struct layout *layout, const struct sizes *s, FILE *out)
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
    return write_text(&text, out) &&
           (s->description == 0 ||
            fwrite(layout->description, 1, s->description, out) == s->description) &&
           write_zeros((size_t)(rounded_up(s->description) - s->description), out) &&
           (s->profile == 0 || fwrite(layout->image->profile, 1, s->profile, out) == s->profile) &&
           write_zeros((size_t)(rounded_up(s->profile) - s->profile), out);
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
                          .beyond_at = at + s->directory,
                          .is_first = page == 0};
    add_entries(layout, s, samples_at, &d);
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

/* In elements, from the first sample of the image. */
static ptrdiff_t page_offset(const struct layout *layout, size_t page)
{
    ptrdiff_t offset = 0;
    for (int i = layout->image->rank - layout->page.rank; i-- > 0;) {
        const size_t extent = (size_t)layout->image->extent[layout->axis[i]];
        offset += (ptrdiff_t)(page % extent) * layout->image->stride[layout->axis[i]];
        page /= extent;
    }
    return offset;
}

static enum flt_status write_page(const struct layout *layout, const struct sizes *s, size_t page,
                                  unsigned char *memory, FILE *out)
{
    if (!write_directory(layout, s, page, memory, out))
        return FLT_CANNOT_WRITE;
    struct flt_image view = layout->page;
    view.data =
        (char *)view.data + page_offset(layout, page) * (ptrdiff_t)flt_element_bytes(view.element);
    const enum flt_status status =
        view.element == FLT_BOOL ? write_bools(&view, out) : flt_write_samples(&view, out);
    if (status != FLT_OK)
        return status;
    return write_zeros((size_t)(rounded_up(s->samples) - s->samples), out) ? FLT_OK
                                                                           : FLT_CANNOT_WRITE;
}

static bool is_ome_name(const char *name)
{
    static const char *const endings[] = {".ome.tif", ".ome.tiff"};
    const size_t length = strlen(name);
    for (int i = 0; i < 2; i++) {
        const size_t count = strlen(endings[i]);
        if (length > count && strcasecmp(name + length - count, endings[i]) == 0)
            return true;
    }
    return false;
}

static enum flt_status write_file(const struct layout *layout, FILE *out)
{
    const struct sizes s = sizes_of(layout);
    unsigned char *const memory = malloc(rounded_up(s.directory + s.beyond));
    if (!memory)
        return FLT_NO_MEMORY;
    enum flt_status status = write_header(layout, &s, out) ? FLT_OK : FLT_CANNOT_WRITE;
    for (size_t page = 0; page < layout->pages && status == FLT_OK; page++)
        status = write_page(layout, &s, page, memory, out);
    free(memory);
    return status;
}

/* The image as pages, and their description, which the caller frees in any case. */
static enum flt_status make_layout(const struct flt_image *image, const char *name,
                                   struct layout *layout, struct flt_detail *detail)
{
    *layout = (struct layout){.is_ome = is_ome_name(name)};
    if (!understand(image, layout))
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold this image: its axes must be %s; save it as %s.npy",
                        flt_short_name(name),
                        flt_image_is_complex(image)
                            ? "y, x, with t and z before them, as its samples are complex"
                            : "y, x, with t, z and c before them, or c behind them",
                        image->rank <= 2 && !flt_image_is_complex(image) ? ".csv or " : "");
    if (layout->is_ome && !flt_ome_has_element(image->element))
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s cannot hold samples of %s, which OME lacks: save it as .tif or .npy",
                        flt_short_name(name), flt_element_name(image->element));
    return describe(layout);
}

enum flt_status flt_save_tiff(const struct flt_image *image, const struct file_out *out,
                              struct flt_detail *detail)
{
    struct layout layout;
    enum flt_status status = make_layout(image, out->name, &layout, detail);
    if (status == FLT_OK)
        status = write_file(&layout, out->stream);
    if (status == FLT_OK)
        flt_remark_chunks(image, out->name, detail);
    free(layout.description);
    return status;
}

/* ---- By place ---- */

/* All that is not samples. */
static enum flt_status write_directories(const struct layout *layout, const struct sizes *s,
                                         FILE *out)
{
    unsigned char *const memory = malloc(rounded_up(s->directory + s->beyond));
    if (!memory)
        return FLT_NO_MEMORY;
    bool written = write_header(layout, s, out);
    for (size_t page = 0; page < layout->pages && written; page++)
        written = fseeko(out, (off_t)(s->header + page * s->page), SEEK_SET) == 0 &&
                  write_directory(layout, s, page, memory, out);
    free(memory);
    return written ? FLT_OK : FLT_CANNOT_WRITE;
}

static void encode_bools(const struct flt_parts_out *out, const void *samples, size_t count,
                         void *to)
{
    const unsigned char *const from = samples;
    (void)out;
    for (size_t i = 0; i < count; i++)
        ((unsigned char *)to)[i] = from[i] ? 255 : 0;
}

/* Axes of pages first, in their order in the file. */
static void set_placement(const struct layout *layout, const struct sizes *s,
                          struct flt_parts_out *out)
{
    const int pages = out->image.rank - layout->page.rank;
    struct flt_image ordered = out->image;
    for (int i = 0; i < pages; i++)
        out->order[i] = layout->axis[i];
    for (int i = 0; i < ordered.rank; i++)
        ordered.extent[i] = out->image.extent[out->order[i]];
    out->bytes = flt_element_bytes(out->image.element);
    out->placement = flt_packed_placement(&ordered, out->bytes,
                                          s->header + rounded_up(s->directory + s->beyond));
    out->placement.packed = pages;
    int64_t step = (int64_t)s->page;
    for (int i = pages - 1; i >= 0; i--) {
        out->placement.step[i] = step;
        step *= ordered.extent[i];
    }
    out->length = s->header + layout->pages * s->page;
    out->encode = out->image.element == FLT_BOOL ? encode_bools : NULL;
}

enum flt_status flt_place_tiff(struct flt_parts_out *out, struct flt_detail *detail)
{
    struct layout layout;
    enum flt_status status = make_layout(&out->image, out->name, &layout, detail);
    if (status == FLT_OK) {
        const struct sizes s = sizes_of(&layout);
        set_placement(&layout, &s, out);
        status = write_directories(&layout, &s, out->replacement.stream);
    }
    if (status == FLT_OK)
        flt_remark_chunks(&out->image, out->name, detail);
    free(layout.description);
    return status;
}
