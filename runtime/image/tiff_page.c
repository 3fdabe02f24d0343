/* A TIFF in memory for libtiff, and the meaning of a page's tags. */
#include "image/tiff_page.h"

#include <string.h>

/* ---- libtiff's way to the file ---- */

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t count)
{
    struct tiff_source *const source = handle;
    const uint64_t left = source->at < source->file->length ? source->file->length - source->at : 0;
    const uint64_t taken = (uint64_t)count < left ? (uint64_t)count : left;
    memcpy(to, source->file->bytes + source->at, taken);
    source->at += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_nothing(thandle_t handle, void *from, tmsize_t count)
{
    (void)handle;
    (void)from;
    (void)count;
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int from)
{
    struct tiff_source *const source = handle;
    const uint64_t base = from == SEEK_CUR   ? source->at
                          : from == SEEK_END ? source->file->length
                                             : 0;
    source->at = base + offset;
    return source->at;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t size_of(thandle_t handle)
{
    return ((struct tiff_source *)handle)->file->length;
}

static int keep_error(TIFF *tiff, void *user, const char *module, const char *format,
                      va_list arguments)
{
    struct tiff_source *const source = user;
    (void)tiff;
    (void)module;
    if (source->message[0])
        return 1;
    vsnprintf(source->message, sizeof source->message, format, arguments);
    /* It has no codes for what went wrong, only words. */
    source->out_of_memory =
        strstr(format, "memory") || strstr(format, "alloc") || strstr(format, "No space");
    return 1;
}

static int ignore_warning(TIFF *tiff, void *user, const char *module, const char *format,
                          va_list arguments)
{
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

/* At the first page. NULL: the source's message tells why. */
TIFF *tiff_open(struct tiff_source *source)
{
    TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
    source->at = 0;
    source->out_of_memory = !options;
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, source);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, source);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)tiff_most_bytes);
    TIFF *const tiff =
        TIFFClientOpenExt(flt_short_name(source->file->name), "rm", source, read_bytes,
                          write_nothing, seek, close_nothing, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

enum flt_status tiff_damaged(const struct tiff_source *source, struct flt_detail *detail)
{
    if (source->out_of_memory)
        return FLT_NO_MEMORY;
    return flt_fail(FLT_CORRUPT, detail, "%s is not a valid TIFF: %s",
                    flt_short_name(source->file->name),
                    source->message[0] ? source->message : "its data end early");
}

/* ---- What a page says ---- */

static uint16_t short_tag(TIFF *tiff, uint32_t tag)
{
    uint16_t value = 0;
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

/* Color models that libtiff itself converts. */
static bool is_foreign(uint16_t photometric)
{
    return photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_YCBCR ||
           photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB ||
           photometric == PHOTOMETRIC_ITULAB || photometric == PHOTOMETRIC_LOGL ||
           photometric == PHOTOMETRIC_LOGLUV;
}

/* Element and treatment of samples of so many bits; false: there is none. */
static bool understand_samples(struct tiff_page *page, uint16_t format)
{
    static const struct {
        uint16_t format, bits;
        enum flt_element element;
    } kept[] = {
        {SAMPLEFORMAT_UINT, 8, FLT_U8},     {SAMPLEFORMAT_UINT, 16, FLT_U16},
        {SAMPLEFORMAT_UINT, 32, FLT_U32},   {SAMPLEFORMAT_INT, 8, FLT_I8},
        {SAMPLEFORMAT_INT, 16, FLT_I16},    {SAMPLEFORMAT_INT, 32, FLT_I32},
        {SAMPLEFORMAT_INT, 64, FLT_I64},    {SAMPLEFORMAT_IEEEFP, 32, FLT_F32},
        {SAMPLEFORMAT_IEEEFP, 64, FLT_F64}, {SAMPLEFORMAT_IEEEFP, 16, FLT_F16},
    };
    if (format == SAMPLEFORMAT_VOID)
        format = SAMPLEFORMAT_UINT;
    page->treatment = TREAT_COPY;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (kept[i].format == format && kept[i].bits == page->bits) {
            page->element = kept[i].element;
            return true;
        }
    page->treatment = TREAT_STRETCH;
    page->element = page->bits < 8 ? FLT_U8 : FLT_U16;
    return format == SAMPLEFORMAT_UINT && page->bits >= 1 && page->bits < 16;
}

/* Alpha is the one sample beyond the colors, if the file says that it is. */
static void find_alpha(TIFF *tiff, uint16_t colors, struct tiff_page *page)
{
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    const bool one = count == 1 && kinds && page->samples == colors + 1;
    page->premultiplied = one && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    page->has_alpha = page->premultiplied || (one && kinds[0] == EXTRASAMPLE_UNASSALPHA);
}

enum flt_status tiff_unsupported(const struct tiff_source *source, const char *what,
                                 struct flt_detail *detail)
{
    return flt_fail(FLT_UNSUPPORTED, detail, "%s holds %s, which cannot be read",
                    flt_short_name(source->file->name), what);
}

static enum flt_status understand_colors(TIFF *tiff, const struct tiff_source *source,
                                         uint16_t photometric, struct tiff_page *page,
                                         struct flt_detail *detail)
{
    const uint16_t colors = photometric == PHOTOMETRIC_RGB ? 3 : 1;
    if (photometric == PHOTOMETRIC_PALETTE) {
        if (page->samples != 1 || page->bits > 8)
            return tiff_unsupported(source, "a palette of an odd kind", detail);
        page->treatment = TREAT_PALETTE;
        page->element = FLT_U8;
        page->channels = 3;
        return FLT_OK;
    }
    if (photometric > PHOTOMETRIC_RGB)
        return tiff_unsupported(source, "colors of an unknown kind", detail);
    if (!understand_samples(page, short_tag(tiff, TIFFTAG_SAMPLEFORMAT)))
        return tiff_unsupported(source, "samples of an odd number of bits", detail);
    page->inverted = photometric == PHOTOMETRIC_MINISWHITE &&
                     (page->element == FLT_U8 || page->element == FLT_U16);
    find_alpha(tiff, colors, page);
    return FLT_OK;
}

enum flt_status tiff_understand_page(TIFF *tiff, const struct tiff_source *source,
                                     struct tiff_page *page, struct flt_detail *detail)
{
    *page = (struct tiff_page){.rows = 0};
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->rows);
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->columns);
    page->samples = short_tag(tiff, TIFFTAG_SAMPLESPERPIXEL);
    page->bits = short_tag(tiff, TIFFTAG_BITSPERSAMPLE);
    page->planar = short_tag(tiff, TIFFTAG_PLANARCONFIG);
    page->compression = short_tag(tiff, TIFFTAG_COMPRESSION);
    page->orientation = short_tag(tiff, TIFFTAG_ORIENTATION);
    page->tiled = TIFFIsTiled(tiff);
    page->channels = page->samples;
    uint16_t photometric;
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric))
        photometric = page->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (page->compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR &&
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB))
        photometric = PHOTOMETRIC_RGB;
    if (!is_foreign(photometric))
        return understand_colors(tiff, source, photometric, page, detail);
    char why[1024];
    if (!TIFFRGBAImageOK(tiff, why))
        return tiff_unsupported(source, "colors of an unknown kind", detail);
    page->treatment = TREAT_CONVERT;
    page->element = FLT_U8;
    page->channels = 3;
    return FLT_OK;
}

uint64_t tiff_chunk_bytes(TIFF *tiff, const struct tiff_page *page)
{
    const tmsize_t size = page->tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    return size > 0 ? (uint64_t)size : 0;
}

/* Checks what a page says, for which memory is about to be taken. No compression is known to make
 * more than 65536 bytes from one in pictures that people have; without one, all must be there. */
enum flt_status tiff_check_claim(TIFF *tiff, const struct tiff_source *source,
                                 const struct tiff_page *page, struct flt_detail *detail)
{
    const uint64_t most_expanded = page->compression == COMPRESSION_NONE ? 1 : 65536;
    const uint64_t extent[3] = {page->rows, page->columns, page->channels};
    enum flt_status status = flt_check_extents(source->file->name, 3, extent, detail);
    if (status != FLT_OK)
        return status;
    const uint64_t pixels = extent[0] * extent[1], bits = (uint64_t)page->bits * page->samples;
    uint64_t needed = pixels / 8 * bits;
    if (page->treatment == TREAT_CONVERT) /* subsampled, perhaps */
        needed = pixels / 8;
    else if (page->compression != COMPRESSION_NONE && tiff_chunk_bytes(tiff, page) > needed)
        needed = tiff_chunk_bytes(tiff, page);
    status = flt_check_held(source->file->name, 2, extent, needed / most_expanded,
                            source->file->length, detail);
    if (status == FLT_OK &&
        (pixels * page->channels > tiff_most_bytes / 8 || needed > tiff_most_bytes))
        status = flt_fail(FLT_TOO_LARGE, detail, "%s would take more than 64 GiB when decoded",
                          flt_short_name(source->file->name));
    return status;
}
