/* The meaning of the tags of a page of a TIFF. */
#include "image/tiff_page.h"

#include <string.h>

/* ---- What a page says ---- */

static uint16_t short_tag(TIFF *tiff, uint32_t tag)
{
    uint16_t value = 0;
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

static const char *format_name(uint16_t format)
{
    static const char *const names[] = {[SAMPLEFORMAT_UINT] = "unsigned",
                                        [SAMPLEFORMAT_INT] = "signed",
                                        [SAMPLEFORMAT_IEEEFP] = "float",
                                        [SAMPLEFORMAT_VOID] = "untyped",
                                        [SAMPLEFORMAT_COMPLEXINT] = "complex integer",
                                        [SAMPLEFORMAT_COMPLEXIEEEFP] = "complex"};
    const bool known = format >= SAMPLEFORMAT_UINT && format <= SAMPLEFORMAT_COMPLEXIEEEFP;
    return names[known ? format : SAMPLEFORMAT_VOID];
}

static enum flt_status refuse_samples(const struct tiff_source *source,
                                      const struct tiff_page *page, uint16_t format,
                                      struct flt_detail *detail)
{
    const bool is_complex =
        format == SAMPLEFORMAT_COMPLEXINT || format == SAMPLEFORMAT_COMPLEXIEEEFP;
    return tiff_unsupported(
        source, detail,
        is_complex ? "save real and imaginary parts as two channels of floats of 32 or 64 bits"
                   : "save it as integers of 8, 16, 32 or 64 bits, or as floats of 16, 32 or 64",
        "%s samples of %u bits", format_name(format), page->bits);
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
        {SAMPLEFORMAT_INT, 64, FLT_I64},    {SAMPLEFORMAT_UINT, 64, FLT_I64},
        {SAMPLEFORMAT_IEEEFP, 32, FLT_F32}, {SAMPLEFORMAT_IEEEFP, 64, FLT_F64},
        {SAMPLEFORMAT_IEEEFP, 16, FLT_F16},
    };
    page->treatment = TREAT_COPY;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (kept[i].format == format && kept[i].bits == page->bits) {
            page->element = page->stored = kept[i].element;
            page->is_u64 = format == SAMPLEFORMAT_UINT && page->bits == 64;
            return true;
        }
    page->treatment = TREAT_STRETCH;
    page->element = page->stored = page->bits < 8 ? FLT_U8 : FLT_U16;
    return format == SAMPLEFORMAT_UINT && page->bits >= 1 && page->bits < 16;
}

/* The fewest samples that colors of the kind take; Lab may be L* alone. */
static unsigned least_colors(uint16_t photometric, unsigned samples)
{
    if (photometric == PHOTOMETRIC_SEPARATED)
        return 4;
    const bool lab = photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB ||
                     photometric == PHOTOMETRIC_ITULAB;
    const bool three = photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_YCBCR ||
                       photometric == PHOTOMETRIC_LOGLUV;
    return three || (lab && samples >= 3) ? 3 : 1;
}

/* What stands behind the colors: alpha, if the file says so, and others. A file that calls colors
 * so is not believed. */
static void find_extra(TIFF *tiff, uint16_t photometric, struct tiff_page *page)
{
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    if (!kinds || count + least_colors(photometric, page->samples) > page->samples)
        count = 0;
    page->color_samples = (uint16_t)(page->samples - count);
    for (uint16_t i = 0; i < count; i++)
        if (kinds[i] == EXTRASAMPLE_ASSOCALPHA) {
            page->premultiplied = true;
            page->alpha_sample = (uint16_t)(page->color_samples + i);
        }
    page->has_alpha = count == 1 && kinds[0] != EXTRASAMPLE_UNSPECIFIED;
}

static bool is_unsigned(enum flt_element element)
{
    return element == FLT_U8 || element == FLT_U16 || element == FLT_U32;
}

static bool is_float(enum flt_element element)
{
    return element == FLT_F16 || element == FLT_F32 || element == FLT_F64;
}

/* Grey and RGB. What has no greatest sample has no opposite and no whole alpha. */
static enum flt_status understand_plain(const struct tiff_source *source, uint16_t photometric,
                                        uint16_t format, struct tiff_page *page,
                                        struct flt_detail *detail)
{
    if (photometric == PHOTOMETRIC_RGB && page->samples < 3)
        return tiff_unsupported(source, detail, "save it as grey or with three samples",
                                "RGB of %u samples a pixel", page->samples);
    if (!understand_samples(page, format))
        return refuse_samples(source, page, format, detail);
    page->inverted = photometric == PHOTOMETRIC_MINISWHITE;
    if (page->inverted && !is_unsigned(page->element))
        return tiff_unsupported(source, detail, "save it with 0 as black",
                                "samples of %s of which 0 is white",
                                flt_element_name(page->element));
    if (page->inverted && page->premultiplied)
        return tiff_unsupported(source, detail, "save it with 0 as black",
                                "grey multiplied by alpha of which 0 is white");
    if (page->premultiplied && !is_unsigned(page->element) && !is_float(page->element))
        return tiff_unsupported(source, detail, "save it with unassociated alpha",
                                "colors of %s multiplied by alpha",
                                flt_element_name(page->element));
    return FLT_OK;
}

static enum flt_status refuse_map(const struct tiff_source *source, const struct tiff_page *page,
                                  struct flt_detail *detail)
{
    const char *const name = flt_short_name(source->file->name);
    if (source->map_entries == 0)
        return flt_fail(FLT_CORRUPT, detail,
                        "%s is not a valid TIFF: it has a palette without a color map", name);
    return flt_fail(FLT_CORRUPT, detail,
                    "%s is not a valid TIFF: its color map has %llu entries, but samples of %u "
                    "bits take %u",
                    name, (unsigned long long)source->map_entries, page->bits, 3U << page->bits);
}

static enum flt_status understand_palette(TIFF *tiff, const struct tiff_source *source,
                                          uint16_t format, struct tiff_page *page,
                                          struct flt_detail *detail)
{
    uint16_t *colors;
    if (page->samples != 1)
        return tiff_unsupported(source, detail, "save it as RGB",
                                "a palette with %u samples a pixel", page->samples);
    if (format > SAMPLEFORMAT_INT || page->bits < 1 || page->bits > 16)
        return refuse_samples(source, page, format, detail);
    if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &colors, &colors, &colors))
        return refuse_map(source, page, detail);
    page->treatment = TREAT_PALETTE;
    page->element = page->stored = FLT_U8;
    page->channels = 3;
    return FLT_OK;
}

/* Colors of 8 or 16 bits that are converted to RGB. Of a float or a sample more than colors and
 * alpha nobody could tell what it means. */
static enum flt_status understand_converted(const struct tiff_source *source, uint16_t format,
                                            const char *name, struct tiff_page *page,
                                            struct flt_detail *detail)
{
    const bool lab = page->colors != COLORS_INKS && page->colors != COLORS_YCBCR;
    const bool whole = format == SAMPLEFORMAT_UINT || (format == SAMPLEFORMAT_INT && lab);
    if ((page->bits != 8 && page->bits != 16) || !whole)
        return tiff_unsupported(source, detail, "save it as RGB, or as integers of 8 or 16 bits",
                                "%s colors in %s samples of %u bits", name, format_name(format),
                                page->bits);
    if (page->samples > page->color_samples + page->has_alpha || page->premultiplied)
        return tiff_unsupported(source, detail, "save it as RGB",
                                "%s colors with samples beyond them", name);
    page->treatment = TREAT_COPY;
    page->stored = page->bits == 8 ? FLT_U8 : FLT_U16;
    page->element = FLT_U8;
    page->channels = 3 + page->has_alpha;
    return FLT_OK;
}

static enum flt_status understand_lab(const struct tiff_source *source, uint16_t photometric,
                                      uint16_t format, struct tiff_page *page,
                                      struct flt_detail *detail)
{
    page->colors = photometric == PHOTOMETRIC_CIELAB   ? COLORS_CIELAB
                   : photometric == PHOTOMETRIC_ICCLAB ? COLORS_ICCLAB
                                                       : COLORS_ITULAB;
    if (page->color_samples != 1 && page->color_samples != 3)
        return tiff_unsupported(source, detail, "save it as RGB",
                                "CIE Lab colors of %u samples a pixel", page->samples);
    return understand_converted(source, format, "CIE Lab", page, detail);
}

static enum flt_status understand_inks(TIFF *tiff, const struct tiff_source *source,
                                       uint16_t format, struct tiff_page *page,
                                       struct flt_detail *detail)
{
    page->colors = COLORS_INKS;
    if (short_tag(tiff, TIFFTAG_INKSET) != INKSET_CMYK || page->color_samples != 4)
        return tiff_unsupported(source, detail, "save it as CMYK or RGB",
                                "inks other than cyan, magenta, yellow and black");
    return understand_converted(source, format, "CMYK", page, detail);
}

/* LogL and LogLuv, which libtiff decodes to floats. */
static enum flt_status understand_light(TIFF *tiff, const struct tiff_source *source,
                                        uint16_t photometric, struct tiff_page *page,
                                        struct flt_detail *detail)
{
    const uint16_t samples = photometric == PHOTOMETRIC_LOGL ? 1 : 3;
    if (page->samples != samples || !TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT))
        return tiff_unsupported(source, detail, "save it as floats of 32 bits",
                                "LogLuv in an unknown form");
    page->bits = 32;
    page->colors = photometric == PHOTOMETRIC_LOGL ? COLORS_PLAIN : COLORS_XYZ;
    page->treatment = TREAT_COPY;
    page->element = page->stored = FLT_F32;
    return FLT_OK;
}

/* What the file says of Y, Cb and Cr; false: it is not to be computed with. */
static bool find_ycbcr(TIFF *tiff, struct tiff_page *page)
{
    float *luma = NULL, *reference = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRCOEFFICIENTS, &luma);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_REFERENCEBLACKWHITE, &reference);
    if (!luma || !reference)
        return false;
    memcpy(page->luma, luma, sizeof page->luma);
    memcpy(page->reference, reference, sizeof page->reference);
    bool usable = true;
    for (int i = 0; i < 3; i++) {
        const float span = reference[2 * i + 1] - reference[2 * i];
        usable &= luma[i] > 0 && luma[i] < 1 && span > 0 && span <= UINT16_MAX;
    }
    return usable;
}

/* Each pixel has all its samples. */
static bool is_whole_ycbcr(TIFF *tiff, const struct tiff_page *page)
{
    uint16_t across = 0, down = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
    return across == 1 && down == 1 && page->samples == 3 && page->bits == 8 &&
           page->compression != COMPRESSION_OJPEG;
}

static enum flt_status understand_by_libtiff(TIFF *tiff, struct tiff_source *source,
                                             struct tiff_page *page, struct flt_detail *detail)
{
    char why[1024];
    TIFFRGBAImage converter;
    if (!TIFFRGBAImageBegin(&converter, tiff, 1, why))
        return tiff_unsupported(source, detail, "save it as RGB",
                                "YCbCr of %u samples of %u bits a pixel, in %s planes",
                                page->samples, page->bits,
                                page->planar == PLANARCONFIG_SEPARATE ? "separate" : "common");
    TIFFRGBAImageEnd(&converter);
    page->treatment = TREAT_CONVERT;
    page->element = page->stored = FLT_U8;
    page->channels = 3;
    return FLT_OK;
}

/* libtiff 4.5.0 misreads tiles of separate planes, so where nothing is subsampled it is not
 * asked. */
static enum flt_status understand_ycbcr(TIFF *tiff, struct tiff_source *source, uint16_t format,
                                        struct tiff_page *page, struct flt_detail *detail)
{
    if (!is_whole_ycbcr(tiff, page) && format == SAMPLEFORMAT_UINT)
        return understand_by_libtiff(tiff, source, page, detail);
    if (!find_ycbcr(tiff, page))
        return tiff_unsupported(source, detail, "save it as RGB",
                                "YCbCr with odd coefficients or reference black and white");
    page->colors = COLORS_YCBCR;
    return understand_converted(source, format, "YCbCr", page, detail);
}

static enum flt_status understand_colors(TIFF *tiff, struct tiff_source *source,
                                         uint16_t photometric, struct tiff_page *page,
                                         struct flt_detail *detail)
{
    uint16_t format = short_tag(tiff, TIFFTAG_SAMPLEFORMAT);
    if (format == SAMPLEFORMAT_VOID)
        format = SAMPLEFORMAT_UINT;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_RGB:
        return understand_plain(source, photometric, format, page, detail);
    case PHOTOMETRIC_PALETTE:
        return understand_palette(tiff, source, format, page, detail);
    case PHOTOMETRIC_SEPARATED:
        return understand_inks(tiff, source, format, page, detail);
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
    case PHOTOMETRIC_ITULAB:
        return understand_lab(source, photometric, format, page, detail);
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV:
        return understand_light(tiff, source, photometric, page, detail);
    case PHOTOMETRIC_YCBCR:
        return understand_ycbcr(tiff, source, format, page, detail);
    case PHOTOMETRIC_CFA:
        return tiff_unsupported(source, detail, "develop it to RGB", "the mosaic of a camera");
    }
    return tiff_unsupported(source, detail, "save it as grey or RGB",
                            "colors of an unknown kind, %u", photometric);
}

/* What libtiff has no code for. */
static enum flt_status check_form(TIFF *tiff, const struct tiff_source *source,
                                  const struct tiff_page *page, struct flt_detail *detail)
{
    uint32_t depth = 1;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_IMAGEDEPTH, &depth);
    if (depth > 1)
        return tiff_unsupported(source, detail, "save each slice as a page",
                                "a volume of %u slices in one page", depth);
    if (!TIFFIsCODECConfigured(page->compression))
        return tiff_unsupported(source, detail, "save it with LZW or Deflate",
                                "samples compressed in way %u", page->compression);
    return FLT_OK;
}

enum flt_status tiff_understand_page(TIFF *tiff, struct tiff_source *source, struct tiff_page *page,
                                     struct flt_detail *detail)
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
    const enum flt_status status = check_form(tiff, source, page, detail);
    if (status != FLT_OK)
        return status;
    uint16_t photometric;
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) {
        photometric = page->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
        page->guessed = !source->has_palette;
    }
    if (page->compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR &&
        page->planar == PLANARCONFIG_CONTIG && page->samples == 3 &&
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB))
        photometric = PHOTOMETRIC_RGB;
    if (source->has_palette)
        photometric = PHOTOMETRIC_PALETTE;
    find_extra(tiff, photometric, page);
    return understand_colors(tiff, source, photometric, page, detail);
}

uint64_t tiff_chunk_bytes(TIFF *tiff, const struct tiff_page *page)
{
    const tmsize_t size = page->tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    return size > 0 ? (uint64_t)size : 0;
}

/* The most bytes that a byte of the file becomes. Deflate: 258 from 2 bits (zlib_tech.html). LZW: a
 * string of at most 3,838 bytes from 9 bits. PackBits: 128 from 2. JPEG: 1024 samples of 3 channels
 * from 9 bits, where each channel is subsampled another way. Zstandard: a block of 128 KiB from 4
 * bytes. LZMA: 273 from a fraction of a bit. The others have no limit that is of use: a tile of one
 * color may take a few bytes. Memory that is not written to then costs nothing. */
static uint64_t most_expanded(uint16_t compression)
{
    static const struct {
        uint16_t compression;
        uint32_t most;
    } limits[] = {{COMPRESSION_NONE, 1},       {COMPRESSION_PACKBITS, 64},
                  {COMPRESSION_LZW, 3412},     {COMPRESSION_ADOBE_DEFLATE, 1032},
                  {COMPRESSION_DEFLATE, 1032}, {COMPRESSION_JPEG, 2731},
                  {COMPRESSION_ZSTD, 1 << 15}, {COMPRESSION_LZMA, 1 << 16}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].compression == compression)
            return limits[i].most;
    return 1 << 24;
}

static bool is_fax(uint16_t compression)
{
    return compression == COMPRESSION_CCITTRLE || compression == COMPRESSION_CCITTRLEW ||
           compression == COMPRESSION_CCITTFAX3 || compression == COMPRESSION_CCITTFAX4;
}

/* The fewest bytes from which the page can come. Fax: a white row takes one bit, however long; but
 * libtiff takes 8 bytes of memory for each pixel of a row, so there are as many pixels as a file of
 * a page on paper has. */
static uint64_t bytes_needed(TIFF *tiff, const struct tiff_page *page)
{
    const uint64_t columns_a_byte = 1 << 13;
    if (is_fax(page->compression)) {
        const uint64_t for_rows = page->rows / 8, for_row = page->columns / columns_a_byte;
        return for_rows > for_row ? for_rows : for_row;
    }
    const uint64_t pixels = (uint64_t)page->rows * page->columns;
    const uint64_t bits = (uint64_t)page->bits * page->samples,
                   chunk = tiff_chunk_bytes(tiff, page);
    const uint64_t picture = page->treatment == TREAT_CONVERT ? pixels : pixels / 8 * bits;
    return (picture > chunk ? picture : chunk) / most_expanded(page->compression);
}

/* Checks what a page says, for which memory is about to be taken. */
enum flt_status tiff_check_claim(TIFF *tiff, const struct tiff_source *source,
                                 const struct tiff_page *page, struct flt_detail *detail)
{
    const uint64_t extent[3] = {page->rows, page->columns, page->channels};
    enum flt_status status = flt_check_extents(source->file->name, 3, extent, detail);
    if (status == FLT_OK)
        status = flt_check_held(source->file->name, 2, extent, bytes_needed(tiff, page),
                                source->file->length, detail);
    if (status == FLT_OK && (extent[0] * extent[1] * extent[2] > tiff_most_bytes / 8 ||
                             tiff_chunk_bytes(tiff, page) > tiff_most_bytes))
        status = flt_fail(FLT_TOO_LARGE, detail, "%s would take more than 64 GiB when decoded",
                          flt_short_name(source->file->name));
    return status;
}
