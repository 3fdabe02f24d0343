/* Reading of TIFF, through libtiff: strips or tiles, one plane or several, in any compression that
 * libtiff was built with. */
#include "image/tiff_load.h"

#include <stdlib.h>
#include <string.h>

/* Its parts may be anywhere. */
bool flt_measure_tiff(const struct file_bytes *file, bool is_all, size_t *length)
{
    *length = file->length;
    return is_all;
}

bool flt_is_tiff(const struct file_bytes *file)
{
    static const char *const starts[] = {"II*", "MM\0*", "II+", "MM\0+"};
    for (int i = 0; file->length >= 8 && i < 4; i++)
        if (memcmp(file->bytes, starts[i], i % 2 ? 4 : 3) == 0 && (i % 2 || !file->bytes[3]))
            return true;
    return false;
}

/* ---- Samples of a page ---- */

/* Sample number at of a row of bits. */
static unsigned bits_at(const unsigned char *row, size_t at, unsigned bits)
{
    unsigned value = 0;
    for (size_t bit = at * bits; bit < (at + 1) * bits; bit++)
        value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* libtiff turns 16 bits to the host's order, others are as in the file. */
static unsigned index_at(const unsigned char *row, size_t at, unsigned bits)
{
    uint16_t wide;
    if (bits != 16)
        return bits_at(row, at, bits);
    memcpy(&wide, row + 2 * at, sizeof wide);
    return wide;
}

struct palette {
    const uint16_t *color[3];
    bool narrow; /* all below 256: written by a program that took them for u8 */
    bool raised; /* all multiples of 256: u8 written as v << 8, whose white is 65280 */
};

/* Where samples go: to a row of the image, one by one. */
struct target {
    char *to;
    size_t step; /* in bytes */
};

static void put_stretched(const struct tiff_page *page, unsigned value, char *to)
{
    const unsigned most = (1U << page->bits) - 1, greatest = page->bits < 8 ? 255 : 65535;
    const unsigned stretched = (value * greatest + most / 2) / most;
    if (page->element == FLT_U8)
        *(uint8_t *)to = (uint8_t)stretched;
    else
        memcpy(to, &(uint16_t){(uint16_t)stretched}, sizeof(uint16_t));
}

static void put_color(const struct palette *palette, unsigned value, char *to)
{
    for (int i = 0; i < 3; i++) {
        const unsigned color = palette->color[i][value];
        to[i] = (char)(uint8_t)(palette->narrow   ? color
                                : palette->raised ? color >> 8
                                                  : (color * 255 + 32767) / 65535);
    }
}

/* Samples of a row from `first` on. */
static void put_row(const struct tiff_page *page, const struct palette *palette,
                    const unsigned char *row, size_t first, size_t count, struct target target)
{
    const size_t size = flt_element_bytes(page->element);
    if (page->treatment == TREAT_COPY && target.step == size) {
        memcpy(target.to, row + first * size, count * size);
        return;
    }
    for (size_t i = first; i < first + count; i++, target.to += target.step) {
        if (page->treatment == TREAT_COPY) {
            memcpy(target.to, row + i * size, size);
        } else if (page->treatment == TREAT_STRETCH) {
            put_stretched(page, bits_at(row, i, page->bits), target.to);
        } else {
            put_color(palette, index_at(row, i, page->bits), target.to);
        }
    }
}

/* A strip or a tile: its place, and its part within the picture. */
struct chunk {
    uint32_t plane, row, column, rows, columns;
};

struct reading {
    TIFF *tiff;
    struct tiff_source *source;
    const struct tiff_page *page;
    struct tiff_window window;
    struct palette palette;
    unsigned char *memory; /* one chunk */
    size_t memory_bytes, row_bytes;
    char *out; /* the window in the image */
};

/* libtiff puts 0 for what a list of places lacks, and takes the file's first bytes for samples. */
static bool has_place(TIFF *tiff, struct tiff_source *source, uint32_t number)
{
    const uint64_t header = 8;
    if (TIFFGetStrileOffset(tiff, number) >= header)
        return true;
    snprintf(source->message, sizeof source->message,
             "it does not say where its strip or tile %u is", number);
    return false;
}

/* Decodes the strip or tile into memory. */
static bool decode_chunk(struct reading *r, const struct chunk *chunk)
{
    const uint32_t number =
        r->page->tiled
            ? TIFFComputeTile(r->tiff, chunk->column, chunk->row, 0, (uint16_t)chunk->plane)
            : TIFFComputeStrip(r->tiff, chunk->row, (uint16_t)chunk->plane);
    if (!has_place(r->tiff, r->source, number))
        return false;
    const tmsize_t room = (tmsize_t)r->memory_bytes;
    const tmsize_t got = r->page->tiled ? TIFFReadEncodedTile(r->tiff, number, r->memory, room)
                                        : TIFFReadEncodedStrip(r->tiff, number, r->memory, room);
    return got >= 0 && (uint64_t)got >= (uint64_t)chunk->rows * r->row_bytes && !r->source->cut_off;
}

static bool is_filled(const unsigned char *row, size_t length, unsigned char value)
{
    size_t i = 0;
    while (i < length && row[i] == value)
        i++;
    return i == length;
}

/* The same, for sure: libtiff leaves the rows of a fax behind the end of its data as they were in
 * memory. A last row that keeps two fillings was not there. */
static bool decode_whole_chunk(struct reading *r, const struct chunk *chunk)
{
    if ((uint64_t)chunk->rows * r->row_bytes > r->memory_bytes)
        return false;
    unsigned char *const last = r->memory + (chunk->rows - 1) * r->row_bytes;
    for (unsigned char filling = 0x55; filling != 0xff; filling = filling == 0x55 ? 0xaa : 0xff) {
        memset(last, filling, r->row_bytes);
        if (!decode_chunk(r, chunk))
            return false;
        if (!is_filled(last, r->row_bytes, filling))
            return true;
    }
    return false;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greatest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* What the window has of the chunk. */
static bool read_chunk(struct reading *r, const struct chunk *chunk)
{
    const struct tiff_page *const page = r->page;
    const struct tiff_window *const window = &r->window;
    if (!decode_whole_chunk(r, chunk))
        return false;
    const bool interleaved = page->planar != PLANARCONFIG_SEPARATE;
    const size_t size = flt_element_bytes(page->element), pixel = page->channels * size;
    const size_t samples = interleaved ? page->samples : 1;
    const size_t step = page->treatment == TREAT_PALETTE ? 3 : interleaved ? size : pixel;
    const uint32_t first_row = greatest(chunk->row, window->first_row),
                   end_row = least(chunk->row + chunk->rows, window->end_row),
                   first = greatest(chunk->column, window->first_column),
                   end = least(chunk->column + chunk->columns, window->end_column);
    const size_t columns = window->end_column - window->first_column;
    for (uint32_t row = first_row; row < end_row; row++) {
        const size_t place =
            (size_t)(row - window->first_row) * columns + (first - window->first_column);
        put_row(page, &r->palette, r->memory + (row - chunk->row) * r->row_bytes,
                (first - chunk->column) * samples, (end - first) * samples,
                (struct target){r->out + place * pixel + chunk->plane * size, step});
    }
    return true;
}

/* Those that have something of the window. */
static bool read_chunks(struct reading *r)
{
    const struct tiff_page *const page = r->page;
    uint32_t rows = page->rows, columns = page->columns;
    if (page->tiled) {
        TIFFGetField(r->tiff, TIFFTAG_TILELENGTH, &rows);
        TIFFGetField(r->tiff, TIFFTAG_TILEWIDTH, &columns);
    } else {
        TIFFGetFieldDefaulted(r->tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    }
    if (rows == 0 || columns == 0)
        return false;
    const uint32_t planes = page->planar == PLANARCONFIG_SEPARATE ? page->samples : 1;
    const struct tiff_window *const window = &r->window;
    const uint64_t first_row = window->first_row / rows * rows,
                   first_column = window->first_column / columns * columns;
    for (uint32_t plane = 0; plane < planes; plane++)
        for (uint64_t row = first_row; row < window->end_row; row += rows)
            for (uint64_t column = first_column; column < window->end_column; column += columns) {
                const struct chunk chunk = {plane, (uint32_t)row, (uint32_t)column,
                                            least(rows, page->rows - (uint32_t)row),
                                            least(columns, page->columns - (uint32_t)column)};
                if (!read_chunk(r, &chunk))
                    return false;
            }
    return true;
}

static void find_palette(TIFF *tiff, unsigned bits, struct palette *palette)
{
    uint16_t *color[3] = {NULL};
    TIFFGetField(tiff, TIFFTAG_COLORMAP, &color[0], &color[1], &color[2]);
    palette->narrow = palette->raised = true;
    for (int i = 0; i < 3; i++) {
        palette->color[i] = color[i];
        for (unsigned k = 0; k < 1U << bits; k++) {
            palette->narrow = palette->narrow && color[i][k] < 256;
            palette->raised = palette->raised && color[i][k] % 256 == 0;
        }
    }
}

/* One sample more than the rows take: bits_at() of the last sample may look beyond it. */
enum flt_status tiff_read_window(TIFF *tiff, struct tiff_source *source,
                                 const struct tiff_page *page, const struct tiff_window *window,
                                 char *out, struct flt_detail *detail)
{
    struct reading r = {
        .tiff = tiff, .source = source, .page = page, .window = *window, .out = out};
    r.memory_bytes = tiff_chunk_bytes(tiff, page);
    r.row_bytes = (size_t)(page->tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff));
    const size_t samples = page->planar == PLANARCONFIG_SEPARATE ? 1 : page->samples;
    uint32_t columns = page->columns;
    if (page->tiled)
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &columns);
    if (r.memory_bytes == 0 || r.row_bytes < (columns * samples * page->bits + 7) / 8)
        return tiff_damaged(source, detail);
    if (page->treatment == TREAT_PALETTE)
        find_palette(tiff, page->bits, &r.palette);
    r.memory = malloc(r.memory_bytes);
    if (!r.memory)
        return FLT_NO_MEMORY;
    const bool complete = read_chunks(&r);
    free(r.memory);
    return complete ? FLT_OK : tiff_damaged(source, detail);
}

static enum flt_status read_samples(TIFF *tiff, struct tiff_source *source,
                                    const struct tiff_page *page, char *out,
                                    struct flt_detail *detail)
{
    const struct tiff_window all = {.end_row = page->rows, .end_column = page->columns};
    return tiff_read_window(tiff, source, page, &all, out, detail);
}

/* libtiff's own conversion, into pixels a, b, g, r of 8 bits in one number. */
static enum flt_status convert_page(TIFF *tiff, struct tiff_source *source,
                                    const struct tiff_page *page, char *out,
                                    struct flt_detail *detail)
{
    const size_t pixels = (size_t)page->rows * page->columns;
    const uint32_t chunks = page->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    for (uint32_t number = 0; number < chunks; number++)
        if (!has_place(tiff, source, number))
            return tiff_damaged(source, detail);
    uint32_t *const raster = malloc(pixels * sizeof *raster);
    if (!raster)
        return FLT_NO_MEMORY;
    const int as_stored = page->orientation;
    const bool complete =
        TIFFReadRGBAImageOriented(tiff, page->columns, page->rows, raster, as_stored, 1);
    for (size_t i = 0; complete && i < pixels; i++, out += 3) {
        out[0] = (char)TIFFGetR(raster[i]);
        out[1] = (char)TIFFGetG(raster[i]);
        out[2] = (char)TIFFGetB(raster[i]);
    }
    free(raster);
    return complete && !source->cut_off ? FLT_OK : tiff_damaged(source, detail);
}

/* ---- Pages ---- */

/* Colors that are not the image's are read beside it, then converted. */
static enum flt_status read_colors(TIFF *tiff, struct tiff_source *source,
                                   const struct tiff_page *page, char *out,
                                   struct flt_detail *detail)
{
    const size_t pixels = (size_t)page->rows * page->columns;
    struct tiff_page stored = *page;
    stored.element = page->stored;
    stored.channels = page->samples;
    char *const samples = malloc(pixels * page->samples * flt_element_bytes(page->stored));
    if (!samples)
        return FLT_NO_MEMORY;
    const enum flt_status status = read_samples(tiff, source, &stored, samples, detail);
    if (status == FLT_OK)
        tiff_convert_colors(page, samples, pixels, out);
    free(samples);
    return status;
}

enum flt_status tiff_finish_samples(const struct tiff_source *source, const struct tiff_page *page,
                                    size_t pixels, void *samples, struct flt_detail *detail)
{
    if (page->inverted)
        tiff_invert(page, samples, pixels);
    if (page->premultiplied)
        tiff_divide_by_alpha(page, samples, pixels);
    return page->is_u64
               ? flt_check_u64(source->file->name, samples, pixels * page->channels, detail)
               : FLT_OK;
}

static enum flt_status read_page(TIFF *tiff, struct tiff_source *source,
                                 const struct tiff_page *page, char *out, struct flt_detail *detail)
{
    tiff_forget(source);
    if (page->treatment == TREAT_CONVERT)
        return convert_page(tiff, source, page, out, detail);
    if (page->colors != COLORS_PLAIN)
        return read_colors(tiff, source, page, out, detail);
    const enum flt_status status = read_samples(tiff, source, page, out, detail);
    if (status != FLT_OK)
        return status;
    return tiff_finish_samples(source, page, (size_t)page->rows * page->columns, out, detail);
}

bool tiff_is_picture(TIFF *tiff)
{
    uint32_t kind = 0;
    TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &kind);
    return (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
}

static enum flt_status check_alike(const struct tiff_source *source, const struct tiff_page *first,
                                   const struct tiff_page *page, int number,
                                   struct flt_detail *detail)
{
    const char *const name = flt_short_name(source->file->name);
    if (page->rows != first->rows || page->columns != first->columns)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s has pages that differ: page %d has %u by %u pixels, the first %u by %u",
                        name, number, page->rows, page->columns, first->rows, first->columns);
    if (page->element != first->element || page->is_u64 != first->is_u64 ||
        page->channels != first->channels || page->has_alpha != first->has_alpha ||
        page->orientation != first->orientation)
        return flt_fail(FLT_UNSUPPORTED, detail,
                        "%s has pages that differ: page %d has other samples than the first", name,
                        number);
    return FLT_OK;
}

/* What the current page holds, which must be like the first's of those before it, if any. */
static enum flt_status survey_page(TIFF *tiff, struct tiff_source *source, int32_t before,
                                   struct tiff_page *first, struct flt_detail *detail)
{
    struct tiff_page page;
    enum flt_status status = tiff_understand_page(tiff, source, &page, detail);
    if (status == FLT_OK)
        status = tiff_check_claim(tiff, source, &page, detail);
    if (status == FLT_OK && before > 0)
        status = check_alike(source, first, &page, before + 1, detail);
    if (status == FLT_OK && before == 0)
        *first = page;
    return status;
}

/* Damage behind good pages ends them. */
static enum flt_status end_pages(enum flt_status status, int32_t good, struct tiff_source *source)
{
    if (status != FLT_CORRUPT || good == 0)
        return status;
    snprintf(source->damage, sizeof source->damage, "%s",
             source->message[0] ? source->message : "a page cannot be read");
    return FLT_OK;
}

/* What the pages hold and how many they are. */
static enum flt_status survey(TIFF *tiff, struct tiff_source *source, struct tiff_page *first,
                              struct stack_pages *pages, struct flt_detail *detail)
{
    uint64_t total = 0;
    enum flt_status status;
    do {
        pages->directories++;
        if (!tiff_is_picture(tiff))
            continue;
        status = survey_page(tiff, source, pages->count, first, detail);
        if (status != FLT_OK) {
            pages->directories--;
            break;
        }
        total += (uint64_t)first->rows * first->columns * first->channels *
                 flt_element_bytes(first->element);
        if (total > tiff_most_bytes)
            return flt_fail(FLT_TOO_LARGE, detail, "%s would take more than 64 GiB when decoded",
                            flt_short_name(source->file->name));
        pages->count++;
    } while (tiff_next_page(tiff, source, &status, detail));
    status = end_pages(status, pages->count, source);
    source->directories = pages->directories;
    if (status == FLT_OK && pages->count == 0)
        return tiff_unsupported(source, detail, "save the picture itself",
                                "smaller copies or masks alone");
    pages->has_own_colors = first->colors == COLORS_PLAIN && first->treatment != TREAT_CONVERT;
    pages->samples = first->samples;
    pages->channels = first->channels;
    pages->rows = first->rows;
    pages->columns = first->columns;
    return status;
}

enum flt_status tiff_survey_file(struct tiff_source *source, struct tiff_page *first,
                                 struct stack *stack, struct flt_detail *detail)
{
    struct stack_pages pages = {.name = source->file->name};
    TIFF *const tiff = tiff_open(source);
    if (!tiff)
        return tiff_damaged(source, detail);
    enum flt_status status = survey(tiff, source, first, &pages, detail);
    if (status == FLT_OK)
        status = tiff_understand_stack(source->file, &pages, stack, detail);
    /* What a file says of pages that are lost, or that might follow one that is damaged. */
    if (source->damage[0] && (status == FLT_CORRUPT || (status == FLT_OK && stack->is_headless))) {
        tiff_plain_stack(&pages, stack);
        status = FLT_OK;
    }
    if (status == FLT_OK && stack->is_headless)
        status = tiff_check_headless(tiff, source, first, stack, detail);
    TIFFClose(tiff);
    return status;
}

/* Leaves the first pages alone, of those along the first axis; one has no axis. */
static void cut_pages(struct flt_image *image, int32_t count)
{
    image->extent[0] = count;
    if (count > 1)
        return;
    image->rank--;
    image->has_plain_pages = false;
    for (int i = 0; i < image->rank; i++) {
        memcpy(image->axis[i], image->axis[i + 1], FLT_AXIS_NAME);
        memcpy(image->unit[i], image->unit[i + 1], FLT_UNIT_NAME);
        image->extent[i] = image->extent[i + 1];
        image->stride[i] = image->stride[i + 1];
        image->spacing[i] = image->spacing[i + 1];
    }
}

/* Each picture to its place. */
static enum flt_status read_pages(TIFF *tiff, struct tiff_source *source, const struct stack *stack,
                                  struct flt_image *image, struct flt_detail *detail)
{
    int32_t directory = -1, next = 0;
    enum flt_status status;
    do {
        struct tiff_page page;
        directory++;
        if (!tiff_is_picture(tiff))
            continue;
        const int32_t place = stack->place ? stack->place[directory] : next;
        next++;
        if (place < 0)
            continue;
        status = tiff_understand_page(tiff, source, &page, detail);
        const size_t bytes =
            (size_t)page.rows * page.columns * page.channels * flt_element_bytes(page.element);
        if (status == FLT_OK)
            status =
                read_page(tiff, source, &page, (char *)image->data + (size_t)place * bytes, detail);
        if (status == FLT_CORRUPT && stack->rank == 1 && !stack->place && place > 0) {
            cut_pages(image, place);
            return end_pages(status, place, source);
        }
        if (status != FLT_OK)
            return status;
    } while (directory + 1 < source->directories && tiff_next_page(tiff, source, &status, detail));
    return status;
}

void tiff_remark(const struct tiff_source *source, const struct tiff_page *page,
                 const struct stack *stack, const struct flt_image *image,
                 struct flt_detail *detail)
{
    const char *const name = flt_short_name(source->file->name);
    const bool is_stack = stack->rank > 0 && strcmp(image->axis[0], "y") != 0;
    if (detail) /* of damage that was passed over */
        detail->text[0] = '\0';
    if (source->damage[0])
        flt_remark(detail, "%s is damaged behind page %d, up to which it is read: %s", name,
                   is_stack ? image->extent[0] : 1, source->damage);
    if (page->guessed)
        flt_remark(detail, "%s does not say which colors its samples are: they are taken for %s",
                   name, page->color_samples < 3 ? "grey, 0 for black" : "red, green and blue");
}

static enum flt_status read_stack(struct tiff_source *source, const struct tiff_page *page,
                                  const struct stack *stack, struct flt_image *image,
                                  struct flt_detail *detail)
{
    TIFF *const tiff = tiff_open(source);
    if (!tiff)
        return tiff_damaged(source, detail);
    enum flt_status status = FLT_OK;
    if (stack->is_headless) {
        tiff_read_headless(tiff, source, page, stack, image->data);
        status =
            tiff_finish_samples(source, page, tiff_stack_pages(stack) * page->rows * page->columns,
                                image->data, detail);
    } else {
        status = read_pages(tiff, source, stack, image, detail);
    }
    TIFFClose(tiff);
    return status;
}

enum flt_status flt_load_tiff(const struct file_bytes *file, struct flt_image *image,
                              struct flt_detail *detail)
{
    struct tiff_source source = {.file = file};
    struct tiff_page page = {.rows = 0};
    struct stack stack = {.rank = 0};
    enum flt_status status = tiff_survey_file(&source, &page, &stack, detail);
    if (status == FLT_OK)
        status = tiff_form_image(&page, &stack, image);
    if (status == FLT_OK) {
        status = flt_image_allocate(image);
        if (status == FLT_OK)
            status = read_stack(&source, &page, &stack, image, detail);
        if (status == FLT_OK)
            tiff_remark(&source, &page, &stack, image, detail);
        if (status == FLT_OK)
            status = flt_orient(image, page.orientation);
        if (status != FLT_OK)
            flt_image_destroy(image);
    }
    tiff_free_stack(&stack);
    return status;
}
