/* Reading TIFF of another writer's making, in every layout; writing it, read back by libtiff. */
#include "expect_image.h"
#include "make_tiff.h"
#include "temporary_folder.h"

/* 5 rows of 18 columns: neither is a multiple of a strip or a tile. */
enum { ROWS = 5, COLUMNS = 18, MOST_BYTES = ROWS * COLUMNS * 4 * 8 };

static const struct tiff_form grey_u8 = {.rows = ROWS,
                                         .columns = COLUMNS,
                                         .samples = 1,
                                         .bits = 8,
                                         .format = SAMPLEFORMAT_UINT,
                                         .photometric = PHOTOMETRIC_MINISBLACK,
                                         .compression = COMPRESSION_NONE,
                                         .planar = PLANARCONFIG_CONTIG};

/* Bytes without an order in them, but finite as floats. */
static void fill(unsigned char *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pixels[i] = (unsigned char)(i * 37 % 101 + i % 7);
}

static void expect_tiff(const struct bytes *file, enum flt_element element, const char *axes,
                        const int32_t extent[], const void *samples)
{
    expect_loads(file->at, file->length, element, axes, extent, samples);
}

static void each_element_in_each_layout(void **state)
{
    (void)state;
    static const struct {
        uint16_t format, bits;
        enum flt_element element;
    } types[] = {
        {SAMPLEFORMAT_UINT, 8, FLT_U8},     {SAMPLEFORMAT_INT, 8, FLT_I8},
        {SAMPLEFORMAT_UINT, 16, FLT_U16},   {SAMPLEFORMAT_INT, 16, FLT_I16},
        {SAMPLEFORMAT_UINT, 32, FLT_U32},   {SAMPLEFORMAT_INT, 32, FLT_I32},
        {SAMPLEFORMAT_INT, 64, FLT_I64},    {SAMPLEFORMAT_IEEEFP, 32, FLT_F32},
        {SAMPLEFORMAT_IEEEFP, 64, FLT_F64}, {SAMPLEFORMAT_IEEEFP, 16, FLT_F16},
    };
    static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
    unsigned char pixels[MOST_BYTES];
    fill(pixels, sizeof pixels);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (unsigned layout = 0; layout < 2 * 2 * 2 * 4; layout++) {
            struct tiff_form form = grey_u8;
            form.format = types[t].format;
            form.bits = types[t].bits;
            form.samples = layout & 1 ? 3 : 1;
            form.photometric = layout & 1 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
            form.planar = layout & 2 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
            form.tile = layout & 4 ? 16 : 0;
            form.rows = form.tile ? 3 : ROWS; /* all within the 4096 bytes of a struct bytes */
            form.columns = form.bits == 64 ? 5 : COLUMNS;
            if (form.tile && form.bits >= 32)
                form.tile = 0;
            const struct bytes file = make_tiff(modes[layout / 8], &form, pixels);
            expect_tiff(&file, types[t].element, layout & 1 ? "yxc" : "yx",
                        (const int32_t[]){(int32_t)form.rows, (int32_t)form.columns, 3}, pixels);
        }
}

static void each_lossless_compression(void **state)
{
    (void)state;
    static const uint16_t compressions[] = {COMPRESSION_LZW,     COMPRESSION_PACKBITS,
                                            COMPRESSION_DEFLATE, COMPRESSION_ADOBE_DEFLATE,
                                            COMPRESSION_LZMA,    COMPRESSION_ZSTD};
    unsigned char pixels[MOST_BYTES];
    int tried = 0;
    fill(pixels, sizeof pixels);
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++) {
        if (!TIFFIsCODECConfigured(compressions[i]))
            continue;
        struct tiff_form form = grey_u8;
        form.compression = compressions[i];
        struct bytes file = make_tiff("wl", &form, pixels);
        expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){ROWS, COLUMNS}, pixels);
        form.tile = 16;
        form.samples = 4;
        form.photometric = PHOTOMETRIC_RGB;
        file = make_tiff("wb", &form, pixels);
        expect_tiff(&file, FLT_U8, "yxc", (const int32_t[]){ROWS, COLUMNS, 4}, pixels);
        tried++;
    }
    assert_true(tried >= 3);
}

static void fax_compression_of_one_bit(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.bits = 1;
    form.rows = 2;
    form.columns = 16;
    form.compression = COMPRESSION_CCITTFAX4;
    form.photometric = PHOTOMETRIC_MINISWHITE;
    const struct bytes file = make_tiff("wl", &form, "\xf0\x0f\x00\xff");
    unsigned char expected[32];
    for (int i = 0; i < 32; i++)
        expected[i] = (i < 4 || (i >= 12 && i < 16) || i >= 24) ? 0 : 255;
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){2, 16}, expected);
}

static void few_bits_are_stretched(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = 1;
    form.bits = 1;
    form.columns = 8;
    struct bytes file = make_tiff("wl", &form, "\xa1");
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){1, 8}, "\xff\0\xff\0\0\0\0\xff");
    form.bits = 2;
    form.columns = 4;
    file = make_tiff("wl", &form, "\x1b");
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){1, 4}, "\0\x55\xaa\xff");
    form.bits = 4;
    form.columns = 2;
    file = make_tiff("wl", &form, "\x1f");
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){1, 2}, "\x11\xff");
}

/* Rows of 12 bits are rows of bytes to put_tiff_page. */
static void twelve_bits_are_stretched_to_16(void **state)
{
    (void)state;
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    struct tiff_form form = grey_u8;
    form.rows = 1;
    form.columns = 2;
    form.bits = 12;
    set_tiff_form(tiff, &form);
    assert_int_equal(TIFFWriteEncodedStrip(tiff, 0, (void *)"\x00\x1f\xff", 3), 3);
    TIFFClose(tiff);
    expect_tiff(&file, FLT_U16, "yx", (const int32_t[]){1, 2}, (const uint16_t[]){16, 65535});
}

static void zero_may_be_white(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = 1;
    form.columns = 3;
    form.photometric = PHOTOMETRIC_MINISWHITE;
    struct bytes file = make_tiff("wl", &form, "\0\1\xff");
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){1, 3}, "\xff\xfe\0");
    form.bits = 16;
    file = make_tiff("wl", &form, (const uint16_t[]){0, 1, 65535});
    expect_tiff(&file, FLT_U16, "yx", (const int32_t[]){1, 3}, (const uint16_t[]){65535, 65534, 0});
}

static void palettes_are_looked_up(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = 1;
    form.columns = 3;
    form.photometric = PHOTOMETRIC_PALETTE;
    uint16_t wide[3][256] = {{0, 65535, 257}, {0, 0, 514}, {0, 65535, 771}};
    uint16_t narrow[3][256] = {{0, 255, 1}, {0, 0, 2}, {0, 255, 3}};
    for (int turn = 0; turn < 2; turn++) {
        uint16_t(*const colors)[256] = turn ? narrow : wide;
        struct bytes file;
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_COLORMAP, colors[0], colors[1], colors[2]);
        put_tiff_page(tiff, &form, "\1\2\0");
        TIFFClose(tiff);
        expect_tiff(&file, FLT_U8, "yxc", (const int32_t[]){1, 3, 3}, "\xff\0\xff\1\2\3\0\0\0");
    }
}

static struct bytes make_with_extra(const struct tiff_form *form, uint16_t kind, const void *pixels)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    set_tiff_form(tiff, form);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    put_tiff_page(tiff, form, pixels);
    TIFFClose(tiff);
    return file;
}

static bool loads_with_alpha(const struct bytes *file, const void *samples)
{
    struct flt_image image;
    assert_int_equal(flt_image_load_bytes("it", file->at, file->length, &image, NULL), FLT_OK);
    assert_memory_equal(image.data, samples,
                        sample_count(&image) * flt_element_bytes(image.element));
    const bool has_alpha = image.has_alpha;
    flt_image_destroy(&image);
    return has_alpha;
}

static void alpha_is_told_and_divided_out(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = 1;
    form.columns = 3;
    form.samples = 2;
    struct bytes file = make_with_extra(&form, EXTRASAMPLE_UNASSALPHA, "\100\200\1\377\3\0");
    assert_true(loads_with_alpha(&file, "\100\200\1\377\3\0"));
    file = make_with_extra(&form, EXTRASAMPLE_UNSPECIFIED, "\100\200\1\377\3\0");
    assert_false(loads_with_alpha(&file, "\100\200\1\377\3\0"));
    /* 64 / 128 of 255, 1 / 255, 0 / 0, as it were */
    file = make_with_extra(&form, EXTRASAMPLE_ASSOCALPHA, "\100\200\1\377\0\0");
    assert_true(loads_with_alpha(&file, "\200\200\1\377\0\0"));
    form.columns = 1;
    form.bits = 32;
    form.format = SAMPLEFORMAT_IEEEFP;
    file = make_with_extra(&form, EXTRASAMPLE_ASSOCALPHA, (const float[]){0.25F, 0.5F});
    assert_true(loads_with_alpha(&file, (const float[]){0.5F, 0.5F}));
}

/* The picture is abc / def, whatever its orientation. */
static void each_orientation_is_undone(void **state)
{
    (void)state;
    static const char *const stored[] = {"",       "abcdef", "cbafed", "fedcba", "defabc",
                                         "adbecf", "cfbead", "fcebda", "daebfc"};
    for (uint16_t orientation = 1; orientation <= 8; orientation++) {
        struct tiff_form form = grey_u8;
        form.rows = orientation < 5 ? 2 : 3;
        form.columns = orientation < 5 ? 3 : 2;
        struct bytes file;
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
        put_tiff_page(tiff, &form, stored[orientation]);
        TIFFClose(tiff);
        expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){2, 3}, "abcdef");
    }
}

/* kinds: the page's SubfileType; the second page may be wider. */
static struct bytes make_pages(int pages, const uint32_t kinds[], uint32_t second_columns)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    for (int i = 0; i < pages; i++) {
        struct tiff_form form = grey_u8;
        form.rows = 2;
        form.columns = i == 1 ? second_columns : 3;
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, kinds[i]);
        put_tiff_page(tiff, &form, "abcdefghijklmnopqr" + 6 * i);
    }
    TIFFClose(tiff);
    return file;
}

static void pages_are_an_axis(void **state)
{
    (void)state;
    struct bytes file = make_pages(3, (const uint32_t[]){0, 0, 0}, 3);
    expect_tiff(&file, FLT_U8, "zyx", (const int32_t[]){3, 2, 3}, "abcdefghijklmnopqr");
    file = make_pages(3, (const uint32_t[]){0, FILETYPE_REDUCEDIMAGE, FILETYPE_PAGE}, 1);
    expect_tiff(&file, FLT_U8, "zyx", (const int32_t[]){2, 2, 3}, "abcdefmnopqr");
    file = make_pages(2, (const uint32_t[]){0, FILETYPE_MASK}, 3);
    expect_tiff(&file, FLT_U8, "yx", (const int32_t[]){2, 3}, "abcdef");
    file = make_pages(2, (const uint32_t[]){0, 0}, 2);
    expect_refused(file.at, file.length, FLT_UNSUPPORTED,
                   "it has pages that differ: page 2 has 2 by 2 pixels, the first 2 by 3");
}

/* Colors that are converted are near, not exact. */
static void expect_near(const struct bytes *file, const unsigned char rgb[3], int tolerance)
{
    struct flt_image image;
    struct flt_detail detail = {""};
    flt_image_load_bytes("it", file->at, file->length, &image, &detail);
    assert_string_equal(detail.text, "");
    assert_int_equal(image.rank, 3);
    assert_int_equal(image.extent[2], 3);
    for (size_t i = 0; i < sample_count(&image); i++)
        assert_in_range((uintmax_t)(((unsigned char *)image.data)[i] + 256 - rgb[i % 3]),
                        (uintmax_t)(256 - tolerance), (uintmax_t)(256 + tolerance));
    flt_image_destroy(&image);
}

static void other_colors_become_rgb(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = form.columns = 2;
    form.samples = 4;
    form.photometric = PHOTOMETRIC_SEPARATED;
    struct bytes file = make_tiff("wl", &form, "\0\x80\xff\0\0\x80\xff\0\0\x80\xff\0\0\x80\xff\0");
    expect_near(&file, (const unsigned char[]){255, 127, 0}, 1);
    form.rows = form.columns = 16;
    form.samples = 3;
    form.photometric = PHOTOMETRIC_YCBCR;
    form.compression = COMPRESSION_JPEG;
    form.tile = 16;
    unsigned char rgb[16 * 16 * 3];
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (const unsigned char[]){200, 100, 50}[i % 3];
    TIFF *const tiff = begin_tiff(&file, "wl");
    set_tiff_form(tiff, &form);
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    put_tiff_page(tiff, &form, rgb);
    TIFFClose(tiff);
    expect_near(&file, rgb, 4);
}

static void what_is_cut_off_is_refused(void **state)
{
    (void)state;
    unsigned char pixels[MOST_BYTES];
    fill(pixels, sizeof pixels);
    for (int turn = 0; turn < 3; turn++) {
        struct tiff_form form = grey_u8;
        form.columns = 16;
        form.compression = turn == 1 ? COMPRESSION_LZW : COMPRESSION_NONE;
        form.tile = turn == 2 ? 16 : 0;
        const struct bytes file = make_tiff("wl", &form, pixels);
        /* The last bytes may be those that say that there is no further page. */
        expect_prefixes_refused(file.at, file.length - 4);
    }
}

static void what_cannot_be_held_is_unsupported(void **state)
{
    (void)state;
    struct tiff_form form = grey_u8;
    form.rows = form.columns = 1;
    form.bits = 64;
    const int64_t good = INT64_MAX, bad = INT64_MIN; /* 2^63, without a sign */
    struct bytes file = make_tiff("wl", &form, &good);
    expect_loads(file.at, file.length, FLT_I64, "yx", (const int32_t[]){1, 1}, &good);
    file = make_tiff("wb", &form, &bad);
    expect_refused(file.at, file.length, FLT_UNSUPPORTED,
                   "it holds 9223372036854775808, a sample of 64 bits without sign; those below "
                   "2^63 can be read, as i64");
    form.bits = 32;
    form.format = SAMPLEFORMAT_COMPLEXINT;
    file = make_tiff("wl", &form, "abcdefgh");
    expect_refused(file.at, file.length, FLT_UNSUPPORTED,
                   "it holds complex integer samples of 32 bits, which cannot be read: save real "
                   "and imaginary parts as two channels of floats of 32 or 64 bits");
}

static void a_promise_of_much_is_refused(void **state)
{
    (void)state;
    static const uint16_t compressions[] = {COMPRESSION_NONE,     COMPRESSION_LZW,
                                            COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE,
                                            COMPRESSION_LZMA,     COMPRESSION_ZSTD};
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++) {
        struct tiff_form form = grey_u8;
        struct bytes file;
        if (!TIFFIsCODECConfigured(compressions[i]))
            continue;
        form.rows = form.columns = 1 << 15;
        form.compression = compressions[i];
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, form.rows);
        TIFFWriteDirectory(tiff);
        TIFFClose(tiff);
        expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
    }
}

/* Of rows that libtiff leaves out, or makes grey, without an error. */
static void strips_that_end_early_are_refused(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        struct tiff_form form = grey_u8;
        form.rows = form.columns = 64;
        form.bits = turn ? 8 : 1;
        form.compression = turn ? COMPRESSION_JPEG : COMPRESSION_CCITTFAX4;
        const size_t length = (size_t)form.rows * form.columns * form.bits / 8;
        unsigned char pixels[64 * 64];
        fill(pixels, sizeof pixels);
        for (int cut = 0; cut < 2; cut++) {
            struct bytes file;
            TIFF *tiff = begin_tiff(&file, "wl");
            set_tiff_form(tiff, &form);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, form.rows);
            assert_int_equal(TIFFWriteEncodedStrip(tiff, 0, pixels, (tmsize_t)length), length);
            TIFFWriteDirectory(tiff);
            TIFFClose(tiff);
            for (size_t at = 8; cut && at + 12 < file.length; at++)
                if (memcmp(file.at + at, "\x17\x01\x04\0\1\0\0", 7) == 0) { /* byte counts */
                    const unsigned count = file.at[at + 8] | file.at[at + 9] << 8;
                    file.at[at + 8] = (unsigned char)(count / 2);
                    file.at[at + 9] = (unsigned char)(count / 2 >> 8);
                }
            struct flt_image image;
            const enum flt_status status =
                flt_image_load_bytes("it", file.at, file.length, &image, NULL);
            assert_int_equal(status, cut ? FLT_CORRUPT : FLT_OK);
            flt_image_destroy(&image);
        }
    }
}

/* A white row takes one bit by the fax code, and a black picture a thousandth by Deflate: neither
 * is more than a file can hold. */
static void little_may_stand_for_much(void **state)
{
    (void)state;
    static const struct {
        uint16_t compression, bits;
        uint32_t side;
    } cases[] = {{COMPRESSION_CCITTFAX4, 1, 8192},
                 {COMPRESSION_ADOBE_DEFLATE, 8, 1700},
                 {COMPRESSION_LZW, 8, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tiff_form form = grey_u8;
        form.rows = form.columns = cases[i].side;
        form.bits = cases[i].bits;
        form.compression = cases[i].compression;
        const size_t length = (size_t)form.rows * form.columns * form.bits / 8;
        unsigned char *const black = test_calloc(length, 1);
        struct bytes file;
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, form.rows);
        assert_int_equal(TIFFWriteEncodedStrip(tiff, 0, black, (tmsize_t)length), length);
        TIFFClose(tiff);
        test_free(black);
        struct flt_image image;
        struct flt_detail detail = {""};
        flt_image_load_bytes("it", file.at, file.length, &image, &detail);
        assert_string_equal(detail.text, "");
        flt_image_destroy(&image);
    }
}

/* ---- Writing ---- */

static struct flt_image image_over(enum flt_element element, const char *axes,
                                   const int32_t extent[], const void *samples)
{
    struct flt_image image = {
        .element = element, .rank = (int)strlen(axes), .data = (void *)(uintptr_t)samples};
    ptrdiff_t stride = 1;
    for (int i = image.rank - 1; i >= 0; i--) {
        image.axis[i][0] = axes[i];
        image.extent[i] = extent[i];
        image.stride[i] = stride;
        stride *= extent[i];
    }
    return image;
}

static void expect_saved(void **state, const struct flt_image *image, const char *axes,
                         const int32_t extent[], const void *samples)
{
    struct flt_detail detail = {""};
    struct flt_image loaded;
    flt_image_save(in_folder(state, "it.tif"), image, &detail);
    assert_string_equal(detail.text, "");
    flt_image_load(in_folder(state, "it.tif"), &loaded, &detail);
    assert_string_equal(detail.text, "");
    expect_image(&loaded, image->element == FLT_BOOL ? FLT_U8 : image->element, axes, extent,
                 samples);
    assert_int_equal(loaded.has_alpha, image->has_alpha);
    flt_image_destroy(&loaded);
}

static void each_element_and_shape_is_written(void **state)
{
    static const struct {
        const char *axes;
        int32_t extent[4];
    } shapes[] = {{"yx", {3, 5}},         {"yxc", {3, 5, 2}}, {"yxc", {3, 5, 3}},
                  {"yxc", {2, 3, 7}},     {"zyx", {4, 3, 2}}, {"zyx", {2, 9, 11}},
                  {"zyxc", {2, 3, 5, 3}}, {"yx", {1, 1}}};
    unsigned char pixels[MOST_BYTES];
    fill(pixels, sizeof pixels);
    for (int e = FLT_U8; e <= FLT_F16; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            const struct flt_image image =
                image_over((enum flt_element)e, shapes[s].axes, shapes[s].extent, pixels);
            expect_saved(state, &image, shapes[s].axes, shapes[s].extent, pixels);
        }
    const struct flt_image truths =
        image_over(FLT_BOOL, "yxc", (const int32_t[]){1, 2, 2}, "\0\1\1\0");
    expect_saved(state, &truths, "yxc", (const int32_t[]){1, 2, 2}, "\0\xff\xff\0");
}

static struct flt_image complex_over(enum flt_element element, const char *axes,
                                     const int32_t extent[], const void *samples)
{
    struct flt_image image = image_over(element, axes, extent, samples);
    strcpy(image.axis[image.rank - 1], FLT_COMPLEX_AXIS);
    return image;
}

/* Two channels, which no file calls more than that. */
static void complex_samples_are_two_channels(void **state)
{
    static const struct {
        const char *axes;
        int32_t extent[4];
    } shapes[] = {{"yxc", {3, 5, 2}}, {"yxc", {1, 1, 2}}, {"zyxc", {4, 3, 2, 2}}};
    unsigned char pixels[MOST_BYTES];
    fill(pixels, sizeof pixels);
    for (int e = 0; e < 2; e++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
            const struct flt_image image =
                complex_over(e ? FLT_F64 : FLT_F32, shapes[s].axes, shapes[s].extent, pixels);
            expect_saved(state, &image, shapes[s].axes, shapes[s].extent, pixels);
        }
    /* Columns as rows, imaginary parts behind all real ones. */
    static const float planes[] = {1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6};
    static const float pairs[] = {1, -1, 4, -4, 2, -2, 5, -5, 3, -3, 6, -6};
    struct flt_image turned = complex_over(FLT_F32, "yxc", (const int32_t[]){3, 2, 2}, planes);
    turned.stride[0] = 1;
    turned.stride[1] = 3;
    turned.stride[2] = 6;
    expect_saved(state, &turned, "yxc", turned.extent, pairs);
}

/* What would be taken for other axes. */
static void complex_samples_of_other_axes_are_refused(void **state)
{
    static const float samples[24] = {0};
    static const struct {
        const char *axes;
        int32_t extent[5];
    } shapes[] = {{"i", {2}}, {"xi", {3, 2}}, {"yxci", {2, 2, 3, 2}}, {"zyxci", {1, 2, 2, 3, 2}}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const struct flt_image image =
            complex_over(FLT_F32, shapes[s].axes, shapes[s].extent, samples);
        struct flt_detail detail;
        assert_int_equal(flt_image_save(in_folder(state, "it.tif"), &image, &detail),
                         FLT_UNSUPPORTED);
        assert_non_null(strstr(detail.text, "its axes must be y, x, with t and z before them, as "
                                            "its samples are complex; save it as .npy"));
        assert_int_equal(files_in(state), 0);
    }
}

static void strides_and_alpha_are_written(void **state)
{
    /* abcdef / ghijkl seen as 3 by 2 by 2 */
    struct flt_image image = image_over(FLT_U8, "yxc", (const int32_t[]){3, 2, 2}, "abcdefghijkl");
    image.stride[0] = 2;
    image.stride[1] = 6;
    image.has_alpha = true;
    expect_saved(state, &image, "yxc", image.extent, "abghcdijefkl");
    struct flt_image volume = image_over(FLT_U8, "zyx", (const int32_t[]){2, 1, 3}, "abcdef");
    volume.data = (char *)volume.data + 5;
    for (int i = 0; i < 3; i++)
        volume.stride[i] = -volume.stride[i];
    expect_saved(state, &volume, "zyx", volume.extent, "fedcba");
}

static void a_shape_without_pages_is_refused(void **state)
{
    const struct flt_image line = image_over(FLT_U8, "x", (const int32_t[]){3}, "abc");
    struct flt_detail detail;
    assert_int_equal(flt_image_save(in_folder(state, "it.tif"), &line, &detail), FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, ".npy"));
    assert_int_equal(files_in(state), 0);
}

int main(void)
{
    TIFFSetErrorHandler(NULL); /* of make_tiff.h: the reader has its own */
    TIFFSetWarningHandler(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_in_each_layout),
        cmocka_unit_test(each_lossless_compression),
        cmocka_unit_test(fax_compression_of_one_bit),
        cmocka_unit_test(few_bits_are_stretched),
        cmocka_unit_test(twelve_bits_are_stretched_to_16),
        cmocka_unit_test(zero_may_be_white),
        cmocka_unit_test(palettes_are_looked_up),
        cmocka_unit_test(alpha_is_told_and_divided_out),
        cmocka_unit_test(each_orientation_is_undone),
        cmocka_unit_test(pages_are_an_axis),
        cmocka_unit_test(other_colors_become_rgb),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(what_cannot_be_held_is_unsupported),
        cmocka_unit_test(a_promise_of_much_is_refused),
        cmocka_unit_test(strips_that_end_early_are_refused),
        cmocka_unit_test(little_may_stand_for_much),
        cmocka_unit_test_setup_teardown(each_element_and_shape_is_written, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(complex_samples_are_two_channels, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(complex_samples_of_other_axes_are_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(strides_and_alpha_are_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_shape_without_pages_is_refused, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
