/* Reading of a TIFF by place: the strips or tiles that have something of a part. Of strips that are
 * not compressed, which may be all of a picture, only the rows that are wanted. */
#include "image/parts.h"
#include "image/tiff_load.h"

#include <stdlib.h>
#include <string.h>

struct tiff_parts {
    struct file_bytes file;
    struct tiff_source source;
    TIFF *tiff;
    struct tiff_page page; /* the first one */
    uint64_t *directory;   /* by page of the image: its place in the file; 0: there is none */
    uint64_t current;      /* the place of that which tiff is at */
};

/* ---- Opening ---- */

static void close_tiff(struct flt_parts_in *in)
{
    struct tiff_parts *const own = in->own;
    if (own->tiff)
        TIFFClose(own->tiff);
    free(own->directory);
    free(own);
}

/* Colors that are converted go through all of a page, and so does turning. */
static bool has_places(const struct tiff_page *page)
{
    return page->treatment != TREAT_CONVERT && page->colors == COLORS_PLAIN &&
           page->orientation <= 1;
}

/* Where the directories of the pages are. */
static enum flt_status find_directories(struct tiff_parts *own, const struct stack *stack,
                                        struct flt_detail *detail)
{
    const uint64_t pages = tiff_stack_pages(stack);
    int32_t directory = -1, next = 0;
    enum flt_status status = FLT_OK;
    own->directory = calloc(pages, sizeof *own->directory);
    if (!own->directory)
        return FLT_NO_MEMORY;
    own->tiff = tiff_open(&own->source);
    if (!own->tiff)
        return tiff_damaged(&own->source, detail);
    do {
        directory++;
        if (!tiff_is_picture(own->tiff))
            continue;
        const int32_t place = stack->place ? stack->place[directory] : next;
        next++;
        if (place >= 0 && (uint64_t)place < pages)
            own->directory[place] = TIFFCurrentDirOffset(own->tiff);
    } while (directory + 1 < own->source.directories &&
             tiff_next_page(own->tiff, &own->source, &status, detail));
    own->current = TIFFCurrentDirOffset(own->tiff);
    return status;
}

static enum flt_status check_u64(const struct flt_parts_in *in, void *samples, size_t count,
                                 struct flt_detail *detail)
{
    return flt_check_u64(in->name, samples, count, detail);
}

/* All samples follow those of the first page. */
static enum flt_status place_headless(struct flt_parts_in *in, struct tiff_parts *own,
                                      struct flt_detail *detail)
{
    own->tiff = tiff_open(&own->source);
    if (!own->tiff)
        return tiff_damaged(&own->source, detail);
    if (own->page.inverted || own->page.premultiplied)
        return FLT_UNSUPPORTED;
    in->placement = flt_packed_placement(&in->image, flt_element_bytes(in->image.element),
                                         tiff_samples_at(own->tiff, &own->page));
    in->swaps = (own->source.start[0] == 'I') != flt_host_is_little();
    in->finish = own->page.is_u64 ? check_u64 : NULL;
    return FLT_OK;
}

/* ---- Reading ---- */

static size_t length_of(const int32_t first[], const int32_t end[], int axis)
{
    return (size_t)(end[axis] - first[axis]);
}

static enum flt_status go_to_page(struct tiff_parts *own, uint64_t page, struct tiff_page *about,
                                  struct flt_detail *detail)
{
    tiff_forget(&own->source);
    if (own->current != own->directory[page] &&
        !TIFFSetSubDirectory(own->tiff, own->directory[page]))
        return tiff_damaged(&own->source, detail);
    own->current = own->directory[page];
    return tiff_understand_page(own->tiff, &own->source, about, detail);
}

/* Whether rows stand in the strips as in memory, but for the order of bytes. */
static bool is_plain(TIFF *tiff, const struct tiff_page *page)
{
    uint16_t order = FILLORDER_MSB2LSB;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_FILLORDER, &order);
    return page->compression == COMPRESSION_NONE && !page->tiled && page->treatment == TREAT_COPY &&
           order == FILLORDER_MSB2LSB &&
           (page->samples == 1 || page->planar == PLANARCONFIG_CONTIG);
}

/* Rows of strips as they are in the file; all that are in a strip at once, if all columns are
 * wanted. */
static enum flt_status read_rows(const struct flt_parts_in *in, struct tiff_parts *own,
                                 const struct tiff_page *page, const struct tiff_window *window,
                                 char *out, struct flt_detail *detail)
{
    const size_t pixel = page->channels * flt_element_bytes(page->element);
    const uint64_t row_bytes = page->columns * pixel;
    const size_t taken = (window->end_column - window->first_column) * pixel;
    uint32_t rows = page->rows;
    TIFFGetFieldDefaulted(own->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    if (rows == 0)
        return tiff_damaged(&own->source, detail);
    for (uint32_t row = window->first_row, count; row < window->end_row; row += count) {
        const uint32_t strip = row / rows, within = row % rows, left = window->end_row - row;
        count = taken < row_bytes ? 1 : left < rows - within ? left : rows - within;
        const uint64_t at = TIFFGetStrileOffset(own->tiff, strip);
        if (at < 8 ||
            TIFFGetStrileByteCount(own->tiff, strip) < ((uint64_t)within + count) * row_bytes)
            return tiff_damaged(&own->source, detail);
        const enum flt_status status = flt_read_at(
            in, at + within * row_bytes + window->first_column * pixel, out, count * taken, detail);
        if (status != FLT_OK)
            return status;
        out += count * taken;
    }
    return FLT_OK;
}

static enum flt_status read_window(const struct flt_parts_in *in, const struct tiff_page *page,
                                   const struct tiff_window *window, char *out,
                                   struct flt_detail *detail)
{
    struct tiff_parts *const own = in->own;
    const size_t pixels =
        (size_t)(window->end_row - window->first_row) * (window->end_column - window->first_column);
    const bool plain = is_plain(own->tiff, page);
    const enum flt_status status =
        plain ? read_rows(in, own, page, window, out, detail)
              : tiff_read_window(own->tiff, &own->source, page, window, out, detail);
    if (status != FLT_OK)
        return status;
    if (plain && (own->source.start[0] == 'I') != flt_host_is_little())
        flt_swap_bytes(out, pixels * page->channels, flt_element_bytes(page->element));
    return tiff_finish_samples(&own->source, page, pixels, out, detail);
}

/* The part's rows, columns and channels of a page. */
static enum flt_status read_page(const struct flt_parts_in *in, uint64_t number,
                                 const int32_t first[], const int32_t end[], char *out,
                                 struct flt_detail *detail)
{
    struct tiff_parts *const own = in->own;
    const size_t channels = own->page.channels, size = flt_element_bytes(in->image.element);
    const int y = in->image.rank - (channels > 1 ? 3 : 2);
    const struct tiff_window window = {(uint32_t)first[y], (uint32_t)end[y], (uint32_t)first[y + 1],
                                       (uint32_t)end[y + 1]};
    struct tiff_page page;
    if (own->directory[number] == 0)
        return FLT_OK; /* no page has that place: its samples are 0 */
    enum flt_status status = go_to_page(own, number, &page, detail);
    if (status != FLT_OK)
        return status;
    const size_t taken = channels > 1 ? length_of(first, end, y + 2) : 1;
    if (taken == channels)
        return read_window(in, &page, &window, out, detail);
    const size_t pixels = length_of(first, end, y) * length_of(first, end, y + 1);
    char *const all = malloc(pixels * channels * size);
    if (!all)
        return FLT_NO_MEMORY;
    status = read_window(in, &page, &window, all, detail);
    for (size_t i = 0; i < pixels && status == FLT_OK; i++)
        memcpy(out + i * taken * size, all + (i * channels + (size_t)first[y + 2]) * size,
               taken * size);
    free(all);
    return status;
}

static enum flt_status read_pages(struct flt_parts_in *in, const int32_t first[],
                                  const int32_t end[], const struct flt_image *part,
                                  struct flt_detail *detail)
{
    const struct tiff_parts *const own = in->own;
    const int axes = in->image.rank - (own->page.channels > 1 ? 3 : 2);
    uint64_t pages = 1, page_bytes = flt_element_bytes(part->element);
    for (int i = 0; i < part->rank; i++)
        *(i < axes ? &pages : &page_bytes) *= (uint64_t)part->extent[i];
    enum flt_status status = FLT_OK;
    for (uint64_t page = 0; page < pages && status == FLT_OK; page++) {
        uint64_t rest = page, number = 0, weight = 1;
        for (int i = axes - 1; i >= 0; i--) {
            const uint64_t length = length_of(first, end, i);
            number += ((uint64_t)first[i] + rest % length) * weight;
            weight *= (uint64_t)in->image.extent[i];
            rest /= length;
        }
        status = read_page(in, number, first, end, (char *)part->data + page * page_bytes, detail);
    }
    if (status == FLT_NO_MEMORY)
        flt_fail(status, detail, "there is not enough memory for %s", flt_short_name(in->name));
    return status;
}

enum flt_status flt_parts_of_tiff(struct flt_parts_in *in, const struct file_bytes *file,
                                  struct flt_detail *detail)
{
    struct stack stack = {.rank = 0};
    struct tiff_parts *const own = malloc(sizeof *own);
    (void)file;
    if (!own)
        return FLT_NO_MEMORY;
    *own = (struct tiff_parts){
        .file = {.name = in->name, .length = (size_t)in->length, .descriptor = in->file}};
    own->source.file = &own->file;
    in->own = own;
    in->close = close_tiff;
    in->end = in->length;
    enum flt_status status = tiff_survey_file(&own->source, &own->page, &stack, detail);
    if (status == FLT_OK && !has_places(&own->page))
        status = FLT_UNSUPPORTED;
    if (status == FLT_OK)
        status = tiff_form_image(&own->page, &stack, &in->image);
    if (status == FLT_OK)
        status = stack.is_headless ? place_headless(in, own, detail)
                                   : find_directories(own, &stack, detail);
    if (status == FLT_OK) {
        in->read = stack.is_headless ? NULL : read_pages;
        if (!is_plain(own->tiff, &own->page))
            in->memory = (size_t)tiff_chunk_bytes(own->tiff, &own->page);
        tiff_remark(&own->source, &own->page, &stack, &in->image, detail);
    }
    tiff_free_stack(&stack);
    return status;
}
