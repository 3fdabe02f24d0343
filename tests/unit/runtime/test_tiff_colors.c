/* What samples of TIFF stand for: palettes, alpha, white for black, colors that are not RGB. Each
 * combination gives the right picture or is refused with the cure. */
#include "expect_image.h"
#include "make_tiff.h"

static const struct tiff_form pixel_u8 = {.rows = 1,
                                          .columns = 1,
                                          .samples = 1,
                                          .bits = 8,
                                          .format = SAMPLEFORMAT_UINT,
                                          .photometric = PHOTOMETRIC_MINISBLACK,
                                          .compression = COMPRESSION_NONE,
                                          .planar = PLANARCONFIG_CONTIG};

/* kinds: of what stands behind the colors. */
static struct bytes make_page(const struct tiff_form *form, uint16_t extra, const uint16_t kinds[],
                              const void *pixels)
{
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    set_tiff_form(tiff, form);
    if (extra > 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, extra, kinds);
    put_tiff_page(tiff, form, pixels);
    TIFFClose(tiff);
    return file;
}

static void expect_row(const struct bytes *file, enum flt_element element, int32_t columns,
                       int32_t channels, const void *samples)
{
    expect_loads(file->at, file->length, element, channels == 1 ? "yx" : "yxc",
                 (const int32_t[]){1, columns, channels}, samples);
}

static void expect_unsupported(const struct bytes *file, const char *sentence)
{
    expect_refused(file->at, file->length, FLT_UNSUPPORTED, sentence);
}

/* ---- Palettes ---- */

/* A ramp of the given step through all colors of so many bits. */
static struct bytes make_palette(uint16_t bits, unsigned step, const void *indices,
                                 uint32_t columns)
{
    static uint16_t colors[1 << 9];
    struct tiff_form form = pixel_u8;
    form.columns = columns;
    form.bits = bits;
    form.photometric = PHOTOMETRIC_PALETTE;
    for (unsigned i = 0; i < 1U << bits; i++)
        colors[i] = (uint16_t)(i * step);
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wb");
    set_tiff_form(tiff, &form);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, colors, colors, colors);
    TIFFWriteEncodedStrip(tiff, 0, (void *)(uintptr_t)indices, (columns * bits + 7) / 8);
    TIFFWriteDirectory(tiff);
    TIFFClose(tiff);
    return file;
}

/* Maps of u8 brought to 16 bits: by 256, as many programs do, by 257, as the format means it, or
 * not at all. */
static void white_of_a_palette_is_white(void **state)
{
    (void)state;
    static const unsigned steps[] = {256, 257, 1};
    for (size_t i = 0; i < 3; i++) {
        const struct bytes file = make_palette(8, steps[i], "\0\1\x80\xfe\xff", 5);
        expect_row(&file, FLT_U8, 5, 3, "\0\0\0\1\1\1\x80\x80\x80\xfe\xfe\xfe\xff\xff\xff");
    }
}

static void palettes_of_all_bits(void **state)
{
    (void)state;
    struct bytes file = make_palette(1, 65535, "\x40", 2);
    expect_row(&file, FLT_U8, 2, 3, "\0\0\0\xff\xff\xff");
    file = make_palette(2, 0x5500, "\x1b", 4);
    expect_row(&file, FLT_U8, 4, 3, "\0\0\0\x55\x55\x55\xaa\xaa\xaa\xff\xff\xff");
    file = make_palette(4, 0x1111, "\x0f", 2);
    expect_row(&file, FLT_U8, 2, 3, "\0\0\0\xff\xff\xff");
    file = make_palette(9, 128, "\xff\x80\x20\0", 3); /* 511, 0, 256 */
    expect_row(&file, FLT_U8, 3, 3, "\xff\xff\xff\0\0\0\x80\x80\x80");
}

/* 65536 colors, for which a struct bytes is too small. */
static void a_palette_of_16_bits(void **state)
{
    (void)state;
    const uint32_t most = 65536;
    const size_t start = 8, map = start + 4, directory = map + 6 * most, tags = 9;
    unsigned char *const file = test_calloc(directory + 2 + 12 * tags + 4, 1);
    const uint32_t entries[][4] = {
        {256, 3, 1, 2}, {257, 3, 1, 1}, {258, 3, 1, 16},
        {259, 3, 1, 1}, {262, 3, 1, 3}, {273, 4, 1, (uint32_t)start},
        {278, 3, 1, 1}, {279, 4, 1, 4}, {320, 3, 3 * most, (uint32_t)map}};
    memcpy(file, "II*\0", 4);
    memcpy(file + 4, &(uint32_t){(uint32_t)directory}, 4);
    memcpy(file + start, "\xff\xff\0\x80", 4);
    for (uint32_t i = 0; i < 3 * most; i++)
        memcpy(file + map + 2 * i, &(uint16_t){(uint16_t)i}, 2);
    file[directory] = (unsigned char)tags;
    for (size_t i = 0; i < tags; i++) {
        memcpy(file + directory + 2 + 12 * i, &(uint16_t){(uint16_t)entries[i][0]}, 2);
        memcpy(file + directory + 4 + 12 * i, &(uint16_t){(uint16_t)entries[i][1]}, 2);
        memcpy(file + directory + 6 + 12 * i, &entries[i][2], 8);
    }
    if (memcmp(&(uint16_t){1}, "\1", 1) == 0)
        expect_loads(file, directory + 2 + 12 * tags + 4, FLT_U8, "yxc", (const int32_t[]){1, 2, 3},
                     "\xff\xff\xff\x80\x80\x80");
    test_free(file);
}

static void a_palette_with_more_is_refused(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    static uint16_t colors[256];
    struct bytes file;
    form.samples = 2;
    form.photometric = PHOTOMETRIC_PALETTE;
    TIFF *const tiff = begin_tiff(&file, "wl");
    set_tiff_form(tiff, &form);
    TIFFSetField(tiff, TIFFTAG_COLORMAP, colors, colors, colors);
    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &(uint16_t){EXTRASAMPLE_UNASSALPHA});
    put_tiff_page(tiff, &form, "ab");
    TIFFClose(tiff);
    expect_unsupported(&file, "it holds a palette with 2 samples a pixel, which cannot be read: "
                              "save it as RGB");
}

/* ---- Alpha ---- */

static void colors_of_each_type_are_divided_by_alpha(void **state)
{
    (void)state;
    static const struct {
        uint16_t bits, format;
        enum flt_element element;
        unsigned char stored[32], divided[32]; /* little endian */
    } cases[] = {
        {8, SAMPLEFORMAT_UINT, FLT_U8, "\x40\0\x80\x80", "\x80\0\xff\x80"},
        {16, SAMPLEFORMAT_UINT, FLT_U16, "\0\x40\0\0\0\x80\0\x80", "\0\x80\0\0\xff\xff\0\x80"},
        {32, SAMPLEFORMAT_UINT, FLT_U32, "\0\0\0\x40\0\0\0\0\0\0\0\x80\0\0\0\x80",
         "\0\0\0\x80\0\0\0\0\xff\xff\xff\xff\0\0\0\x80"},
        /* 0.25, 0, 0.5, 0.5 */
        {16, SAMPLEFORMAT_IEEEFP, FLT_F16, "\0\x34\0\0\0\x38\0\x38", "\0\x38\0\0\0\x3c\0\x38"},
        {32, SAMPLEFORMAT_IEEEFP, FLT_F32, "\0\0\x80\x3e\0\0\0\0\0\0\0\x3f\0\0\0\x3f",
         "\0\0\0\x3f\0\0\0\0\0\0\x80\x3f\0\0\0\x3f"},
        {64, SAMPLEFORMAT_IEEEFP, FLT_F64,
         "\0\0\0\0\0\0\xd0\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\xe0\x3f",
         "\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xe0\x3f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++) {
            struct tiff_form form = pixel_u8;
            form.samples = 4;
            form.bits = cases[i].bits;
            form.format = cases[i].format;
            form.photometric = PHOTOMETRIC_RGB;
            form.planar = (uint16_t)planar;
            const uint16_t kind = EXTRASAMPLE_ASSOCALPHA;
            const struct bytes file = make_page(&form, 1, &kind, cases[i].stored);
            expect_row(&file, cases[i].element, 1, 4, cases[i].divided);
        }
}

static uint16_t half_divided(uint16_t color, uint16_t alpha)
{
    struct tiff_form form = pixel_u8;
    form.samples = 2;
    form.bits = 16;
    form.format = SAMPLEFORMAT_IEEEFP;
    const struct bytes file =
        make_page(&form, 1, &(uint16_t){EXTRASAMPLE_ASSOCALPHA}, (const uint16_t[]){color, alpha});
    struct flt_image image;
    assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, NULL), FLT_OK);
    const uint16_t divided = *(const uint16_t *)image.data;
    flt_image_destroy(&image);
    return divided;
}

/* Quotients of f16 are rounded to nearest, ties to even; expected values by exact fractions. */
static void quotients_of_halves_are_rounded(void **state)
{
    (void)state;
    assert_int_equal(half_divided(0x3c00, 0x4200), 0x3555); /* 1 / 3 */
    assert_int_equal(half_divided(0x4000, 0x4200), 0x3955); /* 2 / 3 */
    assert_int_equal(half_divided(0xbc00, 0x4200), 0xb555); /* -1 / 3 */
    assert_int_equal(half_divided(0x0001, 0x4000), 0x0000); /* half of the least */
    assert_int_equal(half_divided(0x0003, 0x4000), 0x0002); /* 1.5 of it */
    assert_int_equal(half_divided(0x0801, 0x4000), 0x0401); /* 1025 of it */
    assert_int_equal(half_divided(0x07ff, 0x4000), 0x0400); /* 1023.5 of it, to a normal one */
    assert_int_equal(half_divided(0x7bff, 0x3800), 0x7c00); /* 65504 / 0.5 */
    assert_int_equal(half_divided(0x3c00, 0x0000), 0x0000);
    assert_int_equal(half_divided(0x3c00, 0xbc00), 0x0000);
    assert_int_equal(half_divided(0x7c00, 0x3c00), 0x7c00);
    assert_int_equal(half_divided(0x7e00, 0x3c00), 0x7e00);
}

/* Alpha need not be the last of several samples. */
static void alpha_before_other_samples_is_divided_out(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.samples = 5;
    form.photometric = PHOTOMETRIC_RGB;
    const uint16_t kinds[] = {EXTRASAMPLE_ASSOCALPHA, EXTRASAMPLE_UNSPECIFIED};
    const struct bytes file = make_page(&form, 2, kinds, "\x40\0\x80\x80\7");
    expect_row(&file, FLT_U8, 1, 5, "\x80\0\xff\x80\7");
}

static void alpha_of_signed_samples_is_refused(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.samples = 4;
    form.bits = 16;
    form.format = SAMPLEFORMAT_INT;
    form.photometric = PHOTOMETRIC_RGB;
    const uint16_t kind = EXTRASAMPLE_ASSOCALPHA;
    const struct bytes file = make_page(&form, 1, &kind, "abcdefgh");
    expect_unsupported(&file, "it holds colors of i16 multiplied by alpha, which cannot be read: "
                              "save it with unassociated alpha");
}

/* ---- White for black ---- */

static void white_of_each_unsigned_type_is_inverted(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.photometric = PHOTOMETRIC_MINISWHITE;
    form.columns = 4;
    form.bits = 2;
    struct bytes file = make_page(&form, 0, NULL, "\x1b");
    expect_row(&file, FLT_U8, 4, 1, "\xff\xaa\x55\0");
    form.columns = 2;
    form.bits = 4;
    file = make_page(&form, 0, NULL, "\x0e");
    expect_row(&file, FLT_U8, 2, 1, "\xff\x11");
    form.bits = 32;
    file = make_page(&form, 0, NULL, (const uint32_t[]){0, 0xfffffffe});
    expect_row(&file, FLT_U32, 2, 1, (const uint32_t[]){0xffffffff, 1});
}

static void alpha_is_not_inverted(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.samples = 2;
    form.photometric = PHOTOMETRIC_MINISWHITE;
    uint16_t kind = EXTRASAMPLE_UNASSALPHA;
    struct bytes file = make_page(&form, 1, &kind, "\1\2");
    expect_row(&file, FLT_U8, 1, 2, "\xfe\2");
    kind = EXTRASAMPLE_ASSOCALPHA;
    file = make_page(&form, 1, &kind, "\1\2");
    expect_unsupported(&file, "it holds grey multiplied by alpha of which 0 is white, which cannot "
                              "be read: save it with 0 as black");
}

static void white_without_a_greatest_sample_is_refused(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.photometric = PHOTOMETRIC_MINISWHITE;
    form.bits = 32;
    form.format = SAMPLEFORMAT_IEEEFP;
    struct bytes file = make_page(&form, 0, NULL, "abcd");
    expect_unsupported(&file, "it holds samples of f32 of which 0 is white, which cannot be read: "
                              "save it with 0 as black");
    form.bits = 8;
    form.format = SAMPLEFORMAT_INT;
    file = make_page(&form, 0, NULL, "a");
    expect_unsupported(&file, NULL);
}

/* ---- Colors ---- */

static void expect_pixel(const struct tiff_form *form, const void *pixel, int r, int g, int b)
{
    const struct bytes file = make_page(form, 0, NULL, pixel);
    struct flt_image image;
    struct flt_detail detail = {""};
    flt_image_load_bytes("it", file.at, file.length, &image, &detail);
    assert_string_equal(detail.text, "");
    const unsigned char *const rgb = image.data;
    if (rgb[0] != r || rgb[1] != g || rgb[2] != b)
        print_message("%d %d %d, not %d %d %d\n", rgb[0], rgb[1], rgb[2], r, g, b);
    assert_true(rgb[0] == r && rgb[1] == g && rgb[2] == b);
    flt_image_destroy(&image);
}

/* Lightness 100 / 3, in each coding of Lab; 78 is the sRGB of the light ((100 / 3 + 16) / 116) ^
 * 3. */
static void grey_of_lab_is_grey(void **state)
{
    (void)state;
    static const struct {
        uint16_t photometric, bits;
        uint8_t pixel[6];
    } cases[] = {
        {PHOTOMETRIC_CIELAB, 8, {85, 0, 0}},
        {PHOTOMETRIC_ICCLAB, 8, {85, 128, 128}},
        {PHOTOMETRIC_CIELAB, 16, {0x55, 0x55, 0, 0, 0, 0}},
        {PHOTOMETRIC_ICCLAB, 16, {0x00, 0x55, 0, 0x80, 0, 0x80}},
        {PHOTOMETRIC_ITULAB, 8, {85, 128, 96}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++) {
            struct tiff_form form = pixel_u8;
            form.samples = 3;
            form.bits = cases[i].bits;
            form.photometric = cases[i].photometric;
            form.planar = (uint16_t)planar;
            expect_pixel(&form, cases[i].pixel, 78, 78, 78);
        }
    struct tiff_form form = pixel_u8;
    form.photometric = PHOTOMETRIC_CIELAB;
    expect_pixel(&form, "\x55", 78, 78, 78);
}

/* Lab of the primaries of sRGB under D50: red 54.29, 80.81, 69.89; green 87.82, -79.29, 80.99; blue
 * 29.57, 68.30, -112.03. */
static void colors_of_lab(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.samples = 3;
    form.photometric = PHOTOMETRIC_CIELAB;
    expect_pixel(&form, "\xff\0\0", 255, 255, 255);
    expect_pixel(&form, "\0\0\0", 0, 0, 0);
    form.bits = 16;
    const int16_t red[] = {(int16_t)35579, 20687, 17892}, green[] = {(int16_t)57553, -20298, 20733},
                  blue[] = {19379, 17485, -28680};
    expect_pixel(&form, red, 255, 0, 0);
    expect_pixel(&form, green, 0, 255, 0);
    expect_pixel(&form, blue, 0, 0, 255);
}

static void inks_of_8_and_16_bits(void **state)
{
    (void)state;
    for (int planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++) {
        struct tiff_form form = pixel_u8;
        form.samples = 4;
        form.photometric = PHOTOMETRIC_SEPARATED;
        form.planar = (uint16_t)planar;
        expect_pixel(&form, "\0\xff\x80\0", 255, 0, 127);
        expect_pixel(&form, "\0\x33\0\x80", 127, 102, 127);
        form.bits = 16;
        expect_pixel(&form, (const uint16_t[]){0, 65535, 32768, 0}, 255, 0, 127);
    }
}

static void alpha_behind_inks_is_kept(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.samples = 5;
    form.photometric = PHOTOMETRIC_SEPARATED;
    uint16_t kind = EXTRASAMPLE_UNASSALPHA;
    struct bytes file = make_page(&form, 1, &kind, "\0\xff\x80\0\x21");
    expect_row(&file, FLT_U8, 1, 4, "\xff\0\x7f\x21");
    form.samples = 4; /* of which none can be alpha */
    file = make_page(&form, 1, &kind, "\0\xff\x80\0");
    expect_row(&file, FLT_U8, 1, 3, "\xff\0\x7f");
    form.samples = 5;
    kind = EXTRASAMPLE_UNSPECIFIED; /* an ink of its own, perhaps */
    file = make_page(&form, 1, &kind, "\0\xff\x80\0\x21");
    expect_unsupported(&file, "it holds CMYK colors with samples beyond them, which cannot be "
                              "read: save it as RGB");
}

static void other_inks_are_refused(void **state)
{
    (void)state;
    struct bytes file;
    struct tiff_form form = pixel_u8;
    form.samples = 4;
    form.photometric = PHOTOMETRIC_SEPARATED;
    TIFF *const tiff = begin_tiff(&file, "wl");
    set_tiff_form(tiff, &form);
    TIFFSetField(tiff, TIFFTAG_INKSET, INKSET_MULTIINK);
    put_tiff_page(tiff, &form, "abcd");
    TIFFClose(tiff);
    expect_unsupported(&file, "it holds inks other than cyan, magenta, yellow and black, which "
                              "cannot be read: save it as CMYK or RGB");
}

/* In planes of their own libjpeg converts nothing. */
static void ycbcr_in_separate_planes_is_converted(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.rows = form.columns = 16;
    form.tile = 16;
    form.samples = 3;
    form.photometric = PHOTOMETRIC_YCBCR;
    form.planar = PLANARCONFIG_SEPARATE;
    for (int turn = 0; turn < 2; turn++) {
        form.compression = turn ? COMPRESSION_JPEG : COMPRESSION_NONE;
        unsigned char pixels[16 * 16 * 3];
        for (size_t i = 0; i < sizeof pixels; i++)
            pixels[i] = (const unsigned char[]){76, 85, 255}[i % 3]; /* red */
        struct bytes file;
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 1, 1);
        put_tiff_page(tiff, &form, pixels);
        TIFFClose(tiff);
        struct flt_image image;
        struct flt_detail detail = {""};
        flt_image_load_bytes("it", file.at, file.length, &image, &detail);
        assert_string_equal(detail.text, "");
        const unsigned char *const rgb = image.data;
        assert_true(rgb[0] >= 250 && rgb[1] <= 5 && rgb[2] <= 5);
        flt_image_destroy(&image);
    }
}

/* LogLuv holds light, far beyond 1; its white is that of equal energy. */
static void light_is_kept_as_floats(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.bits = 32;
    form.format = SAMPLEFORMAT_IEEEFP;
    form.compression = COMPRESSION_SGILOG;
    if (!TIFFIsCODECConfigured(form.compression))
        skip();
    for (uint16_t samples = 1; samples <= 3; samples += 2) {
        form.samples = samples;
        form.photometric = samples == 1 ? PHOTOMETRIC_LOGL : PHOTOMETRIC_LOGLUV;
        struct bytes file;
        TIFF *const tiff = begin_tiff(&file, "wl");
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
        put_tiff_page(tiff, &form, (const float[]){40, 40, 40});
        TIFFClose(tiff);
        struct flt_image image;
        struct flt_detail detail = {""};
        flt_image_load_bytes("it", file.at, file.length, &image, &detail);
        assert_string_equal(detail.text, "");
        assert_int_equal(image.element, FLT_F32);
        assert_int_equal(image.rank, samples == 1 ? 2 : 3);
        for (int c = 0; c < samples; c++)
            assert_true(((const float *)image.data)[c] > 39 && ((const float *)image.data)[c] < 41);
        flt_image_destroy(&image);
    }
}

static void samples_of_other_widths_are_refused(void **state)
{
    (void)state;
    struct tiff_form form = pixel_u8;
    form.format = SAMPLEFORMAT_IEEEFP;
    form.bits = 24;
    struct bytes file = make_page(&form, 0, NULL, "abc");
    expect_unsupported(&file, "it holds float samples of 24 bits, which cannot be read: save it as "
                              "integers of 8, 16, 32 or 64 bits, or as floats of 16, 32 or 64");
    form.format = SAMPLEFORMAT_INT;
    file = make_page(&form, 0, NULL, "abc");
    expect_unsupported(&file, NULL);
    form.samples = 3;
    form.bits = 32;
    form.format = SAMPLEFORMAT_IEEEFP;
    form.photometric = PHOTOMETRIC_CIELAB;
    file = make_page(&form, 0, NULL, "abcdefghijkl");
    expect_unsupported(&file,
                       "it holds CIE Lab colors in float samples of 32 bits, which cannot be read: "
                       "save it as RGB, or as integers of 8 or 16 bits");
    form.samples = 4; /* signed inks */
    form.bits = 8;
    form.format = SAMPLEFORMAT_INT;
    form.photometric = PHOTOMETRIC_SEPARATED;
    file = make_page(&form, 0, NULL, "abcd");
    expect_unsupported(&file, NULL);
    form.samples = 3;
    form.photometric = PHOTOMETRIC_YCBCR;
    file = make_page(&form, 0, NULL, "abcabc");
    expect_unsupported(&file, NULL);
}

int main(void)
{
    TIFFSetErrorHandler(NULL); /* of make_tiff.h: the reader has its own */
    TIFFSetWarningHandler(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_of_a_palette_is_white),
        cmocka_unit_test(palettes_of_all_bits),
        cmocka_unit_test(a_palette_of_16_bits),
        cmocka_unit_test(a_palette_with_more_is_refused),
        cmocka_unit_test(colors_of_each_type_are_divided_by_alpha),
        cmocka_unit_test(quotients_of_halves_are_rounded),
        cmocka_unit_test(alpha_before_other_samples_is_divided_out),
        cmocka_unit_test(alpha_of_signed_samples_is_refused),
        cmocka_unit_test(white_of_each_unsigned_type_is_inverted),
        cmocka_unit_test(alpha_is_not_inverted),
        cmocka_unit_test(white_without_a_greatest_sample_is_refused),
        cmocka_unit_test(grey_of_lab_is_grey),
        cmocka_unit_test(colors_of_lab),
        cmocka_unit_test(inks_of_8_and_16_bits),
        cmocka_unit_test(alpha_behind_inks_is_kept),
        cmocka_unit_test(other_inks_are_refused),
        cmocka_unit_test(ycbcr_in_separate_planes_is_converted),
        cmocka_unit_test(light_is_kept_as_floats),
        cmocka_unit_test(samples_of_other_widths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
