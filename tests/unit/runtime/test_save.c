/* Saving: which format takes what, how samples are converted, any strides; and that a file is there
 * whole or not at all, with no temporary left. What is written is read back by the loader, which
 * the other tests compare with files made by hand. */
#include "expect_image.h"
#include "temporary_folder.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* An image over samples, packed. */
static struct flt_image image_over(enum flt_element element, int rank, const int32_t extent[],
                                   const void *samples)
{
    static const char *const axis[] = {"y", "x", "c"};
    struct flt_image image = {.element = element, .rank = rank, .data = (void *)samples};
    ptrdiff_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        strcpy(image.axis[i], axis[i % 3]);
        image.extent[i] = extent[i];
        image.stride[i] = stride;
        stride *= extent[i];
    }
    return image;
}

/* Saves and expects that the file, when read, is an image of that kind, and that nothing else is in
 * the folder. */
static void expect_saved(void **state, const char *name, const struct flt_image *image,
                         enum flt_element element, const char *axes, const void *samples)
{
    const char *const path = in_folder(state, name);
    struct flt_detail detail = {"untouched"};
    const enum flt_status status = flt_image_save(path, image, &detail);
    assert_string_equal(detail.text, "");
    assert_int_equal(status, FLT_OK);
    assert_null(flt_image_unfinished);
    assert_int_equal(files_in(state), 1);
    struct flt_image loaded;
    assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
    expect_image(&loaded, element, axes, image->extent, samples);
    flt_image_destroy(&loaded);
    assert_int_equal(remove(path), 0);
}

/* Expects that saving fails so, and leaves nothing. */
static void expect_not_saved(void **state, const char *name, const struct flt_image *image,
                             enum flt_status status, const char *part_of_sentence)
{
    struct flt_detail detail = {""};
    const int before = files_in(state);
    assert_string_equal(flt_status_text(flt_image_save(in_folder(state, name), image, &detail)),
                        flt_status_text(status));
    if (!strstr(detail.text, part_of_sentence))
        assert_string_equal(detail.text, part_of_sentence);
    assert_null(flt_image_unfinished);
    assert_int_equal(files_in(state), before);
    assert_int_equal(flt_image_save(in_folder(state, name), image, NULL), status);
}

static const int32_t two_by_three[] = {2, 3, 1};

static void u8_in_each_format(void **state)
{
    const struct flt_image grey = image_over(FLT_U8, 2, two_by_three, "abcdef");
    expect_saved(state, "it.png", &grey, FLT_U8, "yx", "abcdef");
    expect_saved(state, "it.pgm", &grey, FLT_U8, "yx", "abcdef");
    expect_saved(state, "it.pnm", &grey, FLT_U8, "yx", "abcdef");
    expect_saved(state, "it.npy", &grey, FLT_U8, "yx", "abcdef");
    const struct flt_image color = image_over(FLT_U8, 3, (const int32_t[]){1, 2, 3}, "abcdef");
    expect_saved(state, "it.png", &color, FLT_U8, "yxc", "abcdef");
    expect_saved(state, "it.ppm", &color, FLT_U8, "yxc", "abcdef");
    expect_saved(state, "it.pnm", &color, FLT_U8, "yxc", "abcdef");
    expect_saved(state, "it.npy", &color, FLT_U8, "yxc", "abcdef");
}

static void u16_in_each_format(void **state)
{
    const uint16_t samples[] = {0, 1, 256, 0x1234, 65534, 65535};
    const struct flt_image grey = image_over(FLT_U16, 2, two_by_three, samples);
    expect_saved(state, "it.png", &grey, FLT_U16, "yx", samples);
    expect_saved(state, "it.pgm", &grey, FLT_U16, "yx", samples);
    const struct flt_image color = image_over(FLT_U16, 3, (const int32_t[]){1, 2, 3}, samples);
    expect_saved(state, "it.png", &color, FLT_U16, "yxc", samples);
    expect_saved(state, "it.ppm", &color, FLT_U16, "yxc", samples);
}

static void png_takes_1_to_4_channels(void **state)
{
    const char samples[] = "abcdefghijklmnopqrstuvwx";
    for (int32_t channels = 1; channels <= 4; channels++) {
        const int32_t extent[] = {2, 3, channels};
        const struct flt_image image = image_over(FLT_U8, 3, extent, samples);
        expect_saved(state, "it.png", &image, FLT_U8, channels == 1 ? "yx" : "yxc", samples);
    }
}

static void bool_is_0_and_255_but_in_pbm_and_npy(void **state)
{
    const struct flt_image image = image_over(FLT_BOOL, 2, two_by_three, "\0\1\1\1\0\0");
    expect_saved(state, "it.png", &image, FLT_U8, "yx", "\0\xff\xff\xff\0\0");
    expect_saved(state, "it.pgm", &image, FLT_U8, "yx", "\0\xff\xff\xff\0\0");
    expect_saved(state, "it.pbm", &image, FLT_BOOL, "yx", "\0\1\1\1\0\0");
    expect_saved(state, "it.npy", &image, FLT_BOOL, "yx", "\0\1\1\1\0\0");
}

static void pbm_of_every_width_to_17(void **state)
{
    unsigned char samples[2 * 17];
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = i * i % 7 < 3;
    for (int32_t columns = 1; columns <= 17; columns++) {
        const struct flt_image image =
            image_over(FLT_BOOL, 2, (const int32_t[]){2, columns}, samples);
        expect_saved(state, "it.pbm", &image, FLT_BOOL, "yx", samples);
    }
}

static void floats_become_u8_to_nearest_even(void **state)
{
    /* 0.5 / 255 as f64 is just what times 255 gives 0.5 again, and so on: ties are reached. */
    const double reals[] = {0.0,       1.0,      0.5 / 255, 1.5 / 255,    2.5 / 255, 254.5 / 255,
                            1.4 / 255, -1e300,   1.001,     1e300,        -0.0,      1e-300,
                            NAN,       INFINITY, -INFINITY, 200.51 / 255, 0.5,       253.49 / 255};
    const unsigned char expected[] = {0,   255, 0, 2, 2,   254, 1,   0,   255,
                                      255, 0,   0, 0, 255, 0,   201, 128, 253};
    for (size_t i = 2; i <= 5; i++)
        assert_true(reals[i] * 255 * 2 == floor(reals[i] * 255 * 2));
    enum { COUNT = sizeof expected };
    const int32_t extent[] = {1, COUNT};
    const struct flt_image doubles = image_over(FLT_F64, 2, extent, reals);
    expect_saved(state, "it.png", &doubles, FLT_U8, "yx", expected);
    expect_saved(state, "it.pgm", &doubles, FLT_U8, "yx", expected);

    const float singles[] = {0.0F, 1.0F, 0.5F, 0.25F, NAN, 3e38F, -3e38F, 0x1p-149F};
    const struct flt_image floats = image_over(FLT_F32, 2, (const int32_t[]){2, 4}, singles);
    expect_saved(state, "it.png", &floats, FLT_U8, "yx", "\0\xff\x80\x40\0\xff\0\0");
    expect_saved(state, "it.pnm", &floats, FLT_U8, "yx", "\0\xff\x80\x40\0\xff\0\0");
}

/* Saves with samples of so many bits and expects those in the file. */
static void expect_saved_deep(void **state, const char *name, const struct flt_image *image,
                              int depth, const char *axes, const void *samples)
{
    const char *const path = in_folder(state, name);
    const struct flt_save_options options = {.depth = depth};
    struct flt_image loaded;
    assert_true(flt_image_takes_depth(path, &options));
    assert_int_equal(flt_image_save_as(path, image, &options, NULL), FLT_OK);
    assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
    expect_image(&loaded, depth == 8 ? FLT_U8 : FLT_U16, axes, image->extent, samples);
    flt_image_destroy(&loaded);
    assert_int_equal(remove(path), 0);
}

static void depth_is_of_the_file(void **state)
{
    static const char *const names[] = {"it.png", "it.tif", "it.pgm", "it.pnm"};
    const float floats[] = {0, 1, 0.5F, -3, 7, NAN, 1.0F / 65535, 65534.0F / 65535};
    const double doubles[] = {0.5 / 65535, 1.5 / 65535, 2.5 / 65535, INFINITY,
                              -INFINITY,   1e-300,      1e300,       0.25};
    const uint16_t deep[] = {0, 65535, 32768, 0, 65535, 0, 1, 65534};
    const uint16_t ties[] = {0, 2, 2, 65535, 0, 0, 65535, 16384};
    const uint16_t halves[] = {0, 0x3c00, 0x3800, 0xbc00, 0x7c00, 0x7e00, 0x0001, 0x3400};
    const uint16_t of_halves[] = {0, 65535, 32768, 0, 65535, 0, 0, 16384};
    const uint16_t wide[] = {0, 128, 129, 385, 386, 65535, 65406, 65407};
    const uint16_t stretched[] = {0, 257, 514, 65535, 32896, 0, 0, 65278};
    const int32_t extent[] = {2, 4};
    const struct flt_image f32 = image_over(FLT_F32, 2, extent, floats);
    const struct flt_image f64 = image_over(FLT_F64, 2, extent, doubles);
    const struct flt_image f16 = image_over(FLT_F16, 2, extent, halves);
    const struct flt_image u16 = image_over(FLT_U16, 2, extent, wide);
    const struct flt_image u8 = image_over(FLT_U8, 2, extent, "\0\1\2\xff\x80\0\0\xfe");
    const struct flt_image bools = image_over(FLT_BOOL, 2, extent, "\0\1\1\0\0\0\0\1");
    const uint16_t of_bools[] = {0, 65535, 65535, 0, 0, 0, 0, 65535};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        expect_saved_deep(state, names[i], &f32, 16, "yx", deep);
        expect_saved_deep(state, names[i], &f32, 8, "yx", "\0\xff\x80\0\xff\0\0\xff");
        expect_saved_deep(state, names[i], &f64, 16, "yx", ties);
        expect_saved_deep(state, names[i], &f16, 16, "yx", of_halves);
        expect_saved_deep(state, names[i], &u16, 16, "yx", wide);
        expect_saved_deep(state, names[i], &u16, 8, "yx", "\0\0\1\1\2\xff\xfe\xff");
        expect_saved_deep(state, names[i], &u8, 16, "yx", stretched);
        expect_saved_deep(state, names[i], &u8, 8, "yx", u8.data);
        expect_saved_deep(state, names[i], &bools, 16, "yx", of_bools);
    }
    struct flt_image turned = image_over(FLT_F32, 2, (const int32_t[]){4, 2}, floats);
    turned.stride[0] = 1;
    turned.stride[1] = 4;
    const uint16_t of_turned[] = {0, 65535, 65535, 0, 32768, 1, 0, 65534};
    expect_saved_deep(state, "it.png", &turned, 16, "yx", of_turned);
}

/* What the loader makes of u16, divided by 65535, comes back. */
static void all_65536_levels_survive_as_floats(void **state)
{
    static float floats[65536];
    static uint16_t levels[65536];
    for (unsigned i = 0; i < 65536; i++) {
        levels[i] = (uint16_t)i;
        floats[i] = (float)(i / 65535.0);
    }
    const struct flt_image image = image_over(FLT_F32, 2, (const int32_t[]){256, 256}, floats);
    expect_saved_deep(state, "it.png", &image, 16, "yx", levels);
    expect_saved_deep(state, "it.tif", &image, 16, "yx", levels);
}

static void depths_that_there_are_not_are_refused(void **state)
{
    static const struct {
        const char *name;
        int depth;
        enum flt_status status;
    } wrong[] = {{"it.png", 12, FLT_BAD_ARGUMENT}, {"it.png", -1, FLT_BAD_ARGUMENT},
                 {"it.jpg", 16, FLT_UNSUPPORTED},  {"it.npy", 16, FLT_UNSUPPORTED},
                 {"it.pfm", 8, FLT_UNSUPPORTED},   {"it.raw", 8, FLT_UNSUPPORTED},
                 {"it.pbm", 8, FLT_UNSUPPORTED},   {"it.any", 8, FLT_UNKNOWN_FORMAT}};
    const float floats[6] = {0};
    const struct flt_image f32 = image_over(FLT_F32, 2, two_by_three, floats);
    const struct flt_image i32 = image_over(FLT_I32, 2, two_by_three, floats);
    struct flt_detail detail;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct flt_save_options options = {.depth = wrong[i].depth};
        assert_int_equal(flt_image_save_as(in_folder(state, wrong[i].name), &f32, &options, NULL),
                         wrong[i].status);
    }
    assert_int_equal(flt_image_save_as(in_folder(state, "it.png"), &i32,
                                       &(struct flt_save_options){.depth = 16}, &detail),
                     FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "is to hold samples of 16 bits, which i32 cannot become"));
    assert_int_equal(files_in(state), 0);
}

/* What the loader makes of u8, divided by 255, comes back. */
static void all_256_levels_survive_as_floats(void **state)
{
    float floats[256];
    double doubles[256];
    unsigned char levels[256];
    for (int i = 0; i < 256; i++) {
        levels[i] = (unsigned char)i;
        floats[i] = (float)i / 255;
        doubles[i] = i / 255.0;
    }
    const struct flt_image single = image_over(FLT_F32, 2, (const int32_t[]){16, 16}, floats);
    expect_saved(state, "it.pgm", &single, FLT_U8, "yx", levels);
    const struct flt_image twice = image_over(FLT_F64, 2, (const int32_t[]){16, 16}, doubles);
    expect_saved(state, "it.pgm", &twice, FLT_U8, "yx", levels);
}

static void pfm_takes_floats(void **state)
{
    const float singles[] = {1.0F, -2.5F, INFINITY, 1e-40F, 0.0F, 3.0F};
    const double doubles[] = {1.0, -2.5, 1e300, (double)1e-40F, 0.0, 3.0};
    const struct flt_image grey = image_over(FLT_F32, 2, two_by_three, singles);
    expect_saved(state, "it.pfm", &grey, FLT_F32, "yx", singles);
    const struct flt_image color = image_over(FLT_F32, 3, (const int32_t[]){2, 1, 3}, singles);
    expect_saved(state, "it.pfm", &color, FLT_F32, "yxc", singles);
    const struct flt_image rounded = image_over(FLT_F64, 2, two_by_three, doubles);
    expect_saved(state, "it.pfm", &rounded, FLT_F32, "yx", singles);
}

static void strides_may_be_negative_zero_or_swapped(void **state)
{
    const char *const samples = "abcdef"; /* 2 by 3 */
    struct flt_image upside_down = image_over(FLT_U8, 2, two_by_three, samples + 3);
    upside_down.stride[0] = -3;
    struct flt_image mirrored = image_over(FLT_U8, 2, two_by_three, samples + 2);
    mirrored.stride[1] = -1;
    struct flt_image repeated = image_over(FLT_U8, 2, two_by_three, samples);
    repeated.stride[0] = 0;
    struct flt_image transposed = image_over(FLT_U8, 2, (const int32_t[]){3, 2}, samples);
    transposed.stride[0] = 1;
    transposed.stride[1] = 3;
    static const char *const names[] = {"it.png", "it.pgm", "it.npy"};
    for (size_t i = 0; i < 3; i++) {
        expect_saved(state, names[i], &upside_down, FLT_U8, "yx", "defabc");
        expect_saved(state, names[i], &mirrored, FLT_U8, "yx", "cbafed");
        expect_saved(state, names[i], &repeated, FLT_U8, "yx", "abcabc");
        expect_saved(state, names[i], &transposed, FLT_U8, "yx", "adbecf");
    }
}

static void strides_of_other_formats_and_ranks(void **state)
{
    const float samples[] = {1, 2, 3, 4, 5, 6};
    struct flt_image upside_down = image_over(FLT_F32, 2, two_by_three, samples + 3);
    upside_down.stride[0] = -3;
    expect_saved(state, "it.pfm", &upside_down, FLT_F32, "yx", (const float[]){4, 5, 6, 1, 2, 3});
    struct flt_image planar =
        image_over(FLT_U8, 3, (const int32_t[]){1, 2, 3}, "rRgGbB"); /* c, y, x in memory */
    planar.stride[1] = 1;
    planar.stride[2] = 2;
    expect_saved(state, "it.png", &planar, FLT_U8, "yxc", "rgbRGB");
    expect_saved(state, "it.ppm", &planar, FLT_U8, "yxc", "rgbRGB");
    expect_saved(state, "it.npy", &planar, FLT_U8, "yxc", "rgbRGB");
    struct flt_image backwards =
        image_over(FLT_I16, 1, (const int32_t[]){3}, (const int16_t[]){1, 2, 3} + 2);
    backwards.stride[0] = -1;
    expect_saved(state, "it.npy", &backwards, FLT_I16, "x", (const int16_t[]){3, 2, 1});
}

static void strides_of_an_axis_of_extent_1_do_not_matter(void **state)
{
    struct flt_image image = image_over(FLT_U8, 2, (const int32_t[]){1, 3}, "abc");
    image.stride[0] = 1000000;
    expect_saved(state, "it.npy", &image, FLT_U8, "yx", "abc");
    expect_saved(state, "it.png", &image, FLT_U8, "yx", "abc");
}

static void endings_are_told_without_case(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    expect_saved(state, "IT.PNG", &image, FLT_U8, "yx", "abcdef");
    expect_saved(state, "it.tar.Pgm", &image, FLT_U8, "yx", "abcdef");
    static const char *const known[] = {"a.png", "a.PBM",  "x/a.pgm", ".ppm",  "a.pnm", "a.pfm",
                                        "a.npy", "a.JPEG", "a.tif",   "a.raw", "-"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(flt_image_format_known(known[i], NULL));
    static const char *const unknown[] = {"",      "a",    "png",    "a.png/b",
                                          "a.gif", "a.pn", "a.pngx", "a."};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_false(flt_image_format_known(unknown[i], NULL));
    assert_false(flt_image_format_known(NULL, NULL));
    expect_not_saved(
        state, "it.gif", &image, FLT_UNKNOWN_FORMAT,
        "it.gif is none of .png .jpg .jpeg .tif .tiff .pgm .ppm .pnm .pbm .pfm .npy .csv .raw");
}

static void other_integers_name_the_cure(void **state)
{
    static const enum flt_element others[] = {FLT_I8, FLT_I16, FLT_U32, FLT_I32, FLT_I64};
    const int64_t samples[6] = {0};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct flt_image image = image_over(others[i], 2, two_by_three, samples);
        char cure[100];
        snprintf(cure, sizeof cure,
                 "cannot hold samples of %s: convert them to u8 or u16 in the filter, or save as "
                 ".npy",
                 flt_element_name(others[i]));
        expect_not_saved(state, "it.png", &image, FLT_UNSUPPORTED, cure);
        expect_not_saved(state, "it.pgm", &image, FLT_UNSUPPORTED, cure);
        expect_not_saved(state, "it.pfm", &image, FLT_UNSUPPORTED, "or save as .npy");
    }
}

/* Channels may come first, where the axes are called so; frames are none, however narrow. */
static void planes_of_channels_are_a_picture(void **state)
{
    struct flt_image planes = image_over(FLT_U8, 3, (const int32_t[]){3, 1, 2}, "abcdef");
    struct flt_image loaded;
    static const char *const axes[] = {"c", "y", "x"};
    for (int i = 0; i < 3; i++)
        strcpy(planes.axis[i], axes[i]);
    assert_int_equal(flt_image_save(in_folder(state, "it.png"), &planes, NULL), FLT_OK);
    assert_int_equal(flt_image_load(in_folder(state, "it.png"), &loaded, NULL), FLT_OK);
    expect_image(&loaded, FLT_U8, "yxc", (const int32_t[]){1, 2, 3}, "acebdf");
    flt_image_destroy(&loaded);
    assert_int_equal(remove(in_folder(state, "it.png")), 0);
    strcpy(planes.axis[0], "t");
    expect_not_saved(state, "it.png", &planes, FLT_UNSUPPORTED, "its axes must be y, x or y, x, c");
    expect_not_saved(state, "it.ppm", &planes, FLT_UNSUPPORTED, "its axes must be y, x or y, x, c");
}

static void what_a_format_cannot_hold_is_unsupported(void **state)
{
    const unsigned char samples[64] = {0};
    const struct flt_image row = image_over(FLT_U8, 1, (const int32_t[]){3}, samples);
    const struct flt_image one = image_over(FLT_U8, 0, NULL, samples);
    const struct flt_image volume = image_over(FLT_U8, 3, (const int32_t[]){2, 2, 5}, samples);
    const struct flt_image four = image_over(FLT_U8, 4, (const int32_t[]){1, 2, 2, 3}, samples);
    static const char *const pictures[] = {"it.png", "it.pbm", "it.pgm",
                                           "it.ppm", "it.pnm", "it.pfm"};
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        const char *const cure = "its axes must be y, x or y, x, c with 1 to 4 channels; save it "
                                 "as .tif or .npy";
        const char *const table = "with 1 to 4 channels; save it as .csv or .npy";
        expect_not_saved(state, pictures[i], &row, FLT_UNSUPPORTED, table);
        expect_not_saved(state, pictures[i], &one, FLT_UNSUPPORTED, table);
        expect_not_saved(state, pictures[i], &volume, FLT_UNSUPPORTED, cure);
        expect_not_saved(state, pictures[i], &four, FLT_UNSUPPORTED, cure);
    }
    const struct flt_image grey = image_over(FLT_U8, 2, two_by_three, samples);
    const struct flt_image rgb = image_over(FLT_U8, 3, (const int32_t[]){1, 2, 3}, samples);
    const struct flt_image rgba = image_over(FLT_F32, 3, (const int32_t[]){1, 2, 4}, samples);
    expect_not_saved(state, "it.pgm", &rgb, FLT_UNSUPPORTED, "cannot hold 3 channels: save as");
    expect_not_saved(state, "it.ppm", &grey, FLT_UNSUPPORTED, "cannot hold 1 channels: save as");
    expect_not_saved(state, "it.pnm", &rgba, FLT_UNSUPPORTED, "cannot hold 4 channels: save as");
    expect_not_saved(state, "it.pfm", &rgba, FLT_UNSUPPORTED, "only 1 or 3: save as .npy");
    expect_not_saved(state, "it.pfm", &grey, FLT_UNSUPPORTED, "convert them to f32 in the filter");
    expect_not_saved(state, "it.pbm", &grey, FLT_UNSUPPORTED, "bool of one channel only");
}

static void complex_samples_are_kept_shown_or_refused(void **state)
{
    static const struct {
        const char *name;
        enum flt_complex_form form;
    } files[] = {{"it.png", FLT_COMPLEX_SHOWN},   {"it.jpg", FLT_COMPLEX_SHOWN},
                 {"it.pgm", FLT_COMPLEX_SHOWN},   {"it.PPM", FLT_COMPLEX_SHOWN},
                 {"it.pbm", FLT_COMPLEX_REFUSED}, {"it.pfm", FLT_COMPLEX_REFUSED},
                 {"it.tif", FLT_COMPLEX_KEPT},    {"it.TIFF", FLT_COMPLEX_KEPT},
                 {"it.npy", FLT_COMPLEX_KEPT},    {"it.raw", FLT_COMPLEX_KEPT}};
    const float samples[4] = {1, 2, 3, 4};
    struct flt_image image = image_over(FLT_F32, 3, (const int32_t[]){1, 2, 2}, samples);
    strcpy(image.axis[2], FLT_COMPLEX_AXIS);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_int_equal(flt_image_complex_form(files[i].name, NULL), files[i].form);
        if (files[i].form != FLT_COMPLEX_KEPT) {
            expect_not_saved(state, files[i].name, &image, FLT_UNSUPPORTED,
                             "cannot hold complex numbers: save as .tif or .npy");
            continue;
        }
        assert_int_equal(flt_image_save(in_folder(state, files[i].name), &image, NULL), FLT_OK);
    }
    struct flt_raw layout;
    struct flt_image loaded;
    assert_int_equal(flt_raw_parse("y=1,x=2,c=2:f32", &layout, NULL), FLT_OK);
    assert_int_equal(flt_image_load_raw(in_folder(state, "it.raw"), &layout, &loaded, NULL),
                     FLT_OK);
    expect_image(&loaded, FLT_F32, "yxc", image.extent, samples);
    flt_image_destroy(&loaded);
    const struct flt_save_options as_png = {.format = "png"};
    assert_int_equal(flt_image_complex_form("-", NULL), FLT_COMPLEX_KEPT);
    assert_int_equal(flt_image_complex_form("-", &as_png), FLT_COMPLEX_SHOWN);
    assert_int_equal(flt_image_complex_form("it.gif", NULL), FLT_COMPLEX_REFUSED);
    assert_int_equal(flt_image_complex_form(NULL, NULL), FLT_COMPLEX_REFUSED);
}

static void bad_arguments(void **state)
{
    const struct flt_image good = image_over(FLT_U8, 2, two_by_three, "abcdef");
    assert_int_equal(flt_image_save(NULL, &good, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_image_save("it.png", NULL, NULL), FLT_BAD_ARGUMENT);
    struct flt_image bad = good;
    bad.data = NULL;
    expect_not_saved(state, "it.png", &bad, FLT_BAD_ARGUMENT, "no valid image");
    bad = good;
    bad.rank = 9;
    expect_not_saved(state, "it.npy", &bad, FLT_BAD_ARGUMENT, "no valid image");
    bad.rank = -1;
    expect_not_saved(state, "it.npy", &bad, FLT_BAD_ARGUMENT, "no valid image");
    bad = good;
    bad.extent[1] = 0;
    expect_not_saved(state, "it.npy", &bad, FLT_BAD_ARGUMENT, "no valid image");
    bad = good;
    bad.element = (enum flt_element)77;
    expect_not_saved(state, "it.npy", &bad, FLT_BAD_ARGUMENT, "no valid image");
}

static void a_folder_that_cannot_be_written(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    expect_not_saved(state, "missing/it.png", &image, FLT_CANNOT_WRITE,
                     "No such file or directory");
    write_file(in_folder(state, "plain"), "", 0);
    expect_not_saved(state, "plain/it.png", &image, FLT_CANNOT_WRITE, "Not a directory");
    assert_int_equal(mkdir(in_folder(state, "folder.png"), 0777), 0);
    expect_not_saved(state, "folder.png", &image, FLT_CANNOT_WRITE, "Is a directory");
    if (geteuid() != 0) { /* root may write everywhere */
        assert_int_equal(chmod(*state, 0555), 0);
        expect_not_saved(state, "it.png", &image, FLT_CANNOT_WRITE, "Permission denied");
        assert_int_equal(chmod(*state, 0777), 0);
    }
}

/* As the file is renamed over, its own protection would otherwise not be asked. */
static void a_protected_file_is_left_alone(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    if (geteuid() == 0)
        skip();
    const char *const path = in_folder(state, "it.pgm");
    write_file(path, "old", 3);
    assert_int_equal(chmod(path, 0444), 0);
    expect_not_saved(state, "it.pgm", &image, FLT_CANNOT_WRITE, "Permission denied");
    char text[4];
    assert_int_equal(read_file(path, text, 4), 3);
}

static void a_name_of_the_longest_kind_is_saved(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    char name[256];
    memset(name, 'n', 255);
    strcpy(name + 251, ".pgm");
    expect_saved(state, name, &image, FLT_U8, "yx", "abcdef");
}

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    return about.st_mode;
}

static void modes_are_as_for_any_file(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    const char *const path = in_folder(state, "it.pgm");
    const mode_t kept = umask(027);
    assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
    umask(kept);
    assert_int_equal(mode_of(path) & 0777, 0640);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
    assert_int_equal(mode_of(path) & 0777, 0600);
}

static void a_link_is_followed(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    write_file(in_folder(state, "target"), "old", 3);
    assert_int_equal(symlink("target", in_folder(state, "it.pgm")), 0);
    assert_int_equal(flt_image_save(in_folder(state, "it.pgm"), &image, NULL), FLT_OK);
    assert_true(S_ISLNK(mode_of(in_folder(state, "it.pgm"))));
    struct flt_image loaded;
    assert_int_equal(flt_image_load(in_folder(state, "target"), &loaded, NULL), FLT_OK);
    expect_image(&loaded, FLT_U8, "yx", two_by_three, "abcdef");
    flt_image_destroy(&loaded);
    assert_int_equal(files_in(state), 2);
}

static void a_device_is_written_in_place(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    assert_int_equal(symlink("/dev/null", in_folder(state, "null.png")), 0);
    assert_int_equal(flt_image_save(in_folder(state, "null.png"), &image, NULL), FLT_OK);
    assert_true(S_ISCHR(mode_of("/dev/null")));
    static const char *const full[] = {"full.png", "full.pgm", "full.npy",
                                       "full.jpg", "full.tif", "full.raw"};
    for (size_t i = 0; i < sizeof full / sizeof full[0]; i++) {
        assert_int_equal(symlink("/dev/full", in_folder(state, full[i])), 0);
        expect_not_saved(state, full[i], &image, FLT_CANNOT_WRITE, "No space left on device");
    }
}

static void others_temporaries_are_not_taken(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    char name[64];
    snprintf(name, sizeof name, ".flt-%ld-0", (long)getpid());
    write_file(in_folder(state, name), "other", 5);
    assert_int_equal(flt_image_save(in_folder(state, "it.pgm"), &image, NULL), FLT_OK);
    char text[6];
    assert_int_equal(read_file(in_folder(state, name), text, sizeof text), 5);
    assert_int_equal(files_in(state), 2);
}

/* Noise: PNG cannot make it small. */
static struct flt_image noise(unsigned char samples[256 * 256])
{
    uint32_t random = 1;
    for (size_t i = 0; i < 256 * 256; i++) {
        random = random * 1664525 + 1013904223;
        samples[i] = (unsigned char)(random >> 24);
    }
    return image_over(FLT_U8, 2, (const int32_t[]){256, 256}, samples);
}

/* Sets how long files may get. SIGXFSZ says that one would get longer. */
static void limit_files(rlim_t bytes, void (*on_signal)(int))
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, on_signal);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
    static unsigned char samples[256 * 256];
    struct flt_image image = noise(samples);
    struct flt_image strided = image;
    strided.stride[0] = -256;
    strided.data = samples + 255 * 256;
    struct flt_image floats = image_over(FLT_F32, 2, (const int32_t[]){64, 256}, samples);
    struct flt_image bools = image_over(FLT_BOOL, 2, (const int32_t[]){256, 256}, samples);
    static const char *const names[] = {"it.png", "it.pgm", "it.npy", "it.jpg", "it.tif", "it.raw"};
    const size_t count = sizeof names / sizeof names[0];
    for (size_t i = 0; i < count; i++)
        write_file(in_folder(state, names[i]), "old", 3);
    limit_files(4097, SIG_IGN);
    for (size_t i = 0; i < count; i++) {
        expect_not_saved(state, names[i], &image, FLT_CANNOT_WRITE, "File too large");
        expect_not_saved(state, names[i], &strided, FLT_CANNOT_WRITE, "File too large");
    }
    expect_not_saved(state, "new.pfm", &floats, FLT_CANNOT_WRITE, "File too large");
    expect_not_saved(state, "new.pbm", &bools, FLT_CANNOT_WRITE, "File too large");
    limit_files(RLIM_INFINITY, SIG_DFL);
    for (size_t i = 0; i < count; i++) {
        char text[4] = "";
        assert_int_equal(read_file(in_folder(state, names[i]), text, sizeof text), 3);
        assert_string_equal(text, "old");
    }
}

/* Less than a buffer: the failure shows only when the file is closed. */
static void a_failing_close_is_noticed(void **state)
{
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    limit_files(10, SIG_IGN);
    expect_not_saved(state, "it.pgm", &image, FLT_CANNOT_WRITE, "File too large");
    expect_not_saved(state, "it.png", &image, FLT_CANNOT_WRITE, "File too large");
    expect_not_saved(state, "it.jpg", &image, FLT_CANNOT_WRITE, "File too large");
    expect_not_saved(state, "it.tif", &image, FLT_CANNOT_WRITE, "File too large");
    limit_files(RLIM_INFINITY, SIG_DFL);
}

static void remove_unfinished_and_exit(int signal_number)
{
    (void)signal_number;
    const char *const name = flt_image_unfinished;
    _exit(name && unlink(name) == 0 ? 7 : 8);
}

static void a_signal_handler_can_remove_the_unfinished_file(void **state)
{
    static unsigned char samples[256 * 256];
    const struct flt_image image = noise(samples);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        limit_files(30000, remove_unfinished_and_exit);
        flt_image_save(in_folder(state, "it.png"), &image, NULL);
        _exit(9);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(files_in(state), 0);
}

/* Saves to standard output, turned into the file at path. */
static enum flt_status save_to_output(const char *path, const struct flt_image *image,
                                      struct flt_detail *detail)
{
    fflush(stdout);
    const int kept = dup(1);
    FILE *const file = fopen(path, "wb");
    dup2(fileno(file), 1);
    fclose(file);
    const enum flt_status status = flt_image_save("-", image, detail);
    dup2(kept, 1);
    close(kept);
    clearerr(stdout);
    return status;
}

static void standard_output_is_pnm_pfm_or_npy(void **state)
{
    const unsigned char samples[64] = {1, 2, 3};
    static const struct {
        enum flt_element element;
        int rank;
        int32_t extent[4];
        const char *magic;
    } rows[] = {
        {FLT_U8, 2, {2, 2}, "P5"},       {FLT_U16, 3, {2, 1, 3}, "P6"},
        {FLT_BOOL, 2, {2, 2}, "P5"},     {FLT_F32, 2, {2, 2}, "Pf"},
        {FLT_F32, 3, {2, 1, 3}, "PF"},   {FLT_F64, 2, {2, 2}, "\x93N"},
        {FLT_U8, 3, {2, 1, 4}, "\x93N"}, {FLT_I32, 2, {2, 2}, "\x93N"},
        {FLT_U8, 1, {2}, "\x93N"},       {FLT_U8, 0, {0}, "\x93N"},
        {FLT_U8, 3, {2, 1, 1}, "P5"},    {FLT_U8, 4, {1, 2, 1, 3}, "\x93N"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct flt_image image =
            image_over(rows[i].element, rows[i].rank, rows[i].extent, samples);
        const char *const path = in_folder(state, "out");
        assert_int_equal(save_to_output(path, &image, NULL), FLT_OK);
        char magic[3] = "";
        read_file(path, magic, 2);
        assert_string_equal(magic, rows[i].magic);
        struct flt_image loaded;
        assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
        assert_int_equal(sample_count(&loaded), sample_count(&image));
        flt_image_destroy(&loaded);
    }
}

static void a_full_standard_output_is_noticed(void **state)
{
    (void)state;
    const struct flt_image image = image_over(FLT_U8, 2, two_by_three, "abcdef");
    struct flt_detail detail;
    assert_int_equal(save_to_output("/dev/full", &image, &detail), FLT_CANNOT_WRITE);
    assert_string_equal(detail.text, "cannot write standard output: No space left on device");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(u8_in_each_format),
        IN_FOLDER(u16_in_each_format),
        IN_FOLDER(png_takes_1_to_4_channels),
        IN_FOLDER(bool_is_0_and_255_but_in_pbm_and_npy),
        IN_FOLDER(pbm_of_every_width_to_17),
        IN_FOLDER(floats_become_u8_to_nearest_even),
        IN_FOLDER(all_256_levels_survive_as_floats),
        IN_FOLDER(depth_is_of_the_file),
        IN_FOLDER(all_65536_levels_survive_as_floats),
        IN_FOLDER(depths_that_there_are_not_are_refused),
        IN_FOLDER(pfm_takes_floats),
        IN_FOLDER(strides_may_be_negative_zero_or_swapped),
        IN_FOLDER(strides_of_other_formats_and_ranks),
        IN_FOLDER(strides_of_an_axis_of_extent_1_do_not_matter),
        IN_FOLDER(endings_are_told_without_case),
        IN_FOLDER(other_integers_name_the_cure),
        IN_FOLDER(planes_of_channels_are_a_picture),
        IN_FOLDER(what_a_format_cannot_hold_is_unsupported),
        IN_FOLDER(complex_samples_are_kept_shown_or_refused),
        IN_FOLDER(bad_arguments),
        IN_FOLDER(a_folder_that_cannot_be_written),
        IN_FOLDER(a_protected_file_is_left_alone),
        IN_FOLDER(a_name_of_the_longest_kind_is_saved),
        IN_FOLDER(modes_are_as_for_any_file),
        IN_FOLDER(a_link_is_followed),
        IN_FOLDER(a_device_is_written_in_place),
        IN_FOLDER(others_temporaries_are_not_taken),
        IN_FOLDER(a_full_disk_leaves_the_old_file),
        IN_FOLDER(a_failing_close_is_noticed),
        IN_FOLDER(a_signal_handler_can_remove_the_unfinished_file),
        IN_FOLDER(standard_output_is_pnm_pfm_or_npy),
        cmocka_unit_test(a_full_standard_output_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
