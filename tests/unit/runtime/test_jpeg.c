/* Reading and writing JPEG. It loses a little, so pictures are smooth, and compared with a
 * tolerance. */
#include "expect_image.h"
#include "make_jpeg.h"
#include "temporary_folder.h"

enum { ROWS = 24, COLUMNS = 40, TOLERANCE = 5 };

/* Slow slopes, other ones in each channel. */
static unsigned char level(unsigned y, unsigned x, unsigned c)
{
    return (unsigned char)(c == 0 ? 40 + 4 * x : c == 1 ? 40 + 6 * y : 220 - 2 * x - 2 * y);
}

static void paint(unsigned char *pixels, unsigned channels)
{
    for (unsigned y = 0; y < ROWS; y++)
        for (unsigned x = 0; x < COLUMNS; x++)
            for (unsigned c = 0; c < channels; c++)
                *pixels++ = level(y, x, c);
}

static struct flt_image load_but(const struct bytes *file, const char *remark)
{
    struct flt_image image;
    struct flt_detail detail = {""};
    flt_image_load_bytes("it", file->at, file->length, &image, &detail);
    assert_string_equal(detail.text, remark);
    return image;
}

static struct flt_image load(const struct bytes *file)
{
    return load_but(file, "");
}

static void expect_near(int actual, int expected)
{
    assert_in_range(actual + 256 - expected, 256 - TOLERANCE, 256 + TOLERANCE);
}

static void expect_painted(const struct flt_image *image, int channels)
{
    assert_int_equal(image->element, FLT_U8);
    assert_int_equal(image->rank, channels == 1 ? 2 : 3);
    assert_int_equal(image->extent[0], ROWS);
    assert_int_equal(image->extent[1], COLUMNS);
    assert_string_equal(image->axis[0], "y");
    assert_string_equal(image->axis[1], "x");
    assert_false(image->has_alpha);
    const unsigned char *sample = image->data;
    for (unsigned y = 0; y < ROWS; y++)
        for (unsigned x = 0; x < COLUMNS; x++)
            for (unsigned c = 0; c < (unsigned)channels; c++)
                expect_near(*sample++, level(y, x, c));
}

static void grey_and_color_baseline_and_progressive(void **state)
{
    (void)state;
    unsigned char pixels[ROWS * COLUMNS * 3];
    for (int turn = 0; turn < 4; turn++) {
        const struct jpeg_form form = {ROWS, COLUMNS, turn & 1 ? JCS_RGB : JCS_GRAYSCALE, turn & 2,
                                       0};
        paint(pixels, turn & 1 ? 3 : 1);
        const struct bytes file = make_jpeg(&form, pixels);
        struct flt_image image = load(&file);
        expect_painted(&image, turn & 1 ? 3 : 1);
        flt_image_destroy(&image);
    }
}

/* libjpeg marks CMYK as Adobe's, which is inverted. */
static void inks_become_rgb(void **state)
{
    (void)state;
    unsigned char inks[8 * 8 * 4];
    for (size_t i = 0; i < sizeof inks; i++)
        inks[i] = (const unsigned char[]){255, 128, 0, 128}[i % 4];
    const struct jpeg_form form = {8, 8, JCS_CMYK, false, 0};
    const struct bytes file = make_jpeg(&form, inks);
    struct flt_image image = load(&file);
    assert_int_equal(image.extent[2], 3);
    for (int c = 0; c < 3; c++)
        expect_near(((unsigned char *)image.data)[c], (const int[]){128, 64, 0}[c]);
    flt_image_destroy(&image);
}

/* Four blocks: white, light / dark, black. Where they are stored, by orientation: the picture's
 * blocks in the order of the file. */
static void each_orientation_is_undone(void **state)
{
    (void)state;
    static const int stored[9][4] = {
        [1] = {0, 1, 2, 3}, [2] = {1, 0, 3, 2}, [3] = {3, 2, 1, 0}, [4] = {2, 3, 0, 1},
        [5] = {0, 2, 1, 3}, [6] = {1, 3, 0, 2}, [7] = {3, 1, 2, 0}, [8] = {2, 0, 3, 1}};
    static const unsigned char grey[4] = {250, 170, 90, 10};
    for (int orientation = 1; orientation <= 8; orientation++) {
        unsigned char pixels[16 * 16];
        for (int i = 0; i < 256; i++)
            pixels[i] = grey[stored[orientation][i / 128 * 2 + i % 16 / 8]];
        const struct jpeg_form form = {16, 16, JCS_GRAYSCALE, false, orientation};
        const struct bytes file = make_jpeg(&form, pixels);
        struct flt_image image = load(&file);
        for (int i = 0; i < 256; i++)
            expect_near(((unsigned char *)image.data)[i], grey[i / 128 * 2 + i % 16 / 8]);
        flt_image_destroy(&image);
    }
}

static void extents_are_swapped_where_it_is_turned(void **state)
{
    (void)state;
    unsigned char pixels[ROWS * COLUMNS];
    paint(pixels, 1);
    const struct jpeg_form form = {ROWS, COLUMNS, JCS_GRAYSCALE, false, 6};
    const struct bytes file = make_jpeg(&form, pixels);
    struct flt_image image = load(&file);
    assert_int_equal(image.extent[0], COLUMNS);
    assert_int_equal(image.extent[1], ROWS);
    assert_int_equal(image.stride[0], ROWS);
    expect_near(((unsigned char *)image.data)[ROWS - 1],
                level(0, 0, 0)); /* top left, to the right */
    expect_near(((unsigned char *)image.data)[(COLUMNS - 1) * ROWS], level(0, COLUMNS - 1, 0));
    flt_image_destroy(&image);
}

static void what_is_cut_off_is_refused(void **state)
{
    (void)state;
    unsigned char pixels[ROWS * COLUMNS * 3];
    paint(pixels, 3);
    for (int progressive = 0; progressive < 2; progressive++) {
        const struct jpeg_form form = {ROWS, COLUMNS, JCS_RGB, progressive, 1};
        const struct bytes file = make_jpeg(&form, pixels);
        expect_prefixes_refused(file.at, file.length);
    }
    const struct jpeg_form form = {ROWS, COLUMNS, JCS_GRAYSCALE, false, 0};
    const struct bytes file = make_jpeg(&form, pixels);
    expect_refused(file.at, 20, FLT_CORRUPT, "it is cut off in its header");
    expect_refused(file.at, file.length - 2, FLT_CORRUPT, "it is cut off: row 17 of 24 is missing");
}

/* What libjpeg only warns of, and would fill with grey. */
static void damaged_rows_are_refused(void **state)
{
    (void)state;
    unsigned char pixels[ROWS * COLUMNS];
    paint(pixels, 1);
    const struct jpeg_form form = {ROWS, COLUMNS, JCS_GRAYSCALE, false, 0};
    struct bytes file = make_jpeg(&form, pixels);
    memcpy(file.at + file.length - 40, "\xff\xd9", 2);
    expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
}

static void a_promise_of_much_is_refused(void **state)
{
    (void)state;
    unsigned char pixels[64] = {0};
    const struct jpeg_form form = {8, 8, JCS_GRAYSCALE, false, 0};
    struct bytes file = make_jpeg(&form, pixels);
    for (size_t i = 0; i + 9 < file.length; i++)
        if (file.at[i] == 0xff && file.at[i + 1] == 0xc0)
            memcpy(file.at + i + 5, "\xff\xff\xff\xff", 4);
    expect_refused(file.at, file.length, FLT_CORRUPT, NULL);
}

/* Segments, behind the first two bytes, and bytes behind the last, that are no samples. */
static void other_segments_do_not_keep_a_file_from_being_read(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
    } odd[] = {
        {"\xff\xe1\0\2", 4}, /* APP1 of nothing */
        {"\xff\xe1\0\xa"
         "Exif\0\0II",
         12}, /* EXIF that ends early */
        {"\xff\xe1\0\x10"
         "Exif\0\0II*\0\377\377\377\377",
         18},
        {"\xff\xe2\0\x10ICC_PROFILE\0\7\3", 18},               /* the seventh part of three */
        {"\xff\xe0\0\x10JFIF\0\x9\x9\x9\0\0\0\0\xff\xff", 18}, /* a version of JFIF to come */
        {"\xff\xe0\0\4xx", 6},
        {"\xff\xed\0\5xxx", 7},
        {"\xff\xef\0\2", 4},
        {"\xff\xfe\0\3\xff", 5},         /* a comment */
        {"\xff\xff\xff\xff\xe5\0\2", 7}, /* filled up */
        {"\xff\xef\0\2garbage", 11},
    };
    unsigned char pixels[ROWS * COLUMNS * 3];
    paint(pixels, 3);
    const struct jpeg_form form = {ROWS, COLUMNS, JCS_RGB, false, 0};
    const struct bytes plain = make_jpeg(&form, pixels);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        struct bytes file = {.length = 0};
        put(&file, plain.at, 2);
        put(&file, odd[i].bytes, odd[i].length);
        put(&file, plain.at + 2, plain.length - 2);
        put(&file, "\0\0\0\0", 4); /* filled up */
        struct flt_image image = load(&file);
        expect_painted(&image, 3);
        flt_image_destroy(&image);
        put_text(&file, "trailing \xff\xd8\xff bytes");
        image = load_but(&file, "it holds 22 bytes behind its picture, which are not read");
        expect_painted(&image, 3);
        flt_image_destroy(&image);
    }
}

/* A block takes a bit at least. */
static void a_claim_is_measured_by_blocks(void **state)
{
    (void)state;
    unsigned char pixels[64] = {0};
    const struct jpeg_form form = {8, 8, JCS_GRAYSCALE, false, 0};
    struct bytes file = make_jpeg(&form, pixels);
    for (size_t i = 0; i + 9 < file.length; i++)
        if (file.at[i] == 0xff && file.at[i + 1] == 0xc0)
            memcpy(file.at + i + 5, "\x10\0\x10\0", 4); /* 4096 by 4096: 262144 blocks */
    char expected[100];
    snprintf(expected, sizeof expected,
             "it is cut off: it says 4096 by 4096 samples, but holds %zu bytes", file.length);
    expect_refused(file.at, file.length, FLT_CORRUPT, expected);
}

/* A black picture whose channels are each subsampled another way takes the fewest blocks: 9 for
 * 1024 pixels, of one bit each in a progressive file. */
static void the_fewest_blocks_are_enough(void **state)
{
    (void)state;
    enum { SIDE = 1024 };
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    unsigned char *memory = NULL, row[3 * SIDE] = {0};
    unsigned long length = 0;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    jpeg_mem_dest(&encoder, &memory, &length);
    encoder.image_height = encoder.image_width = SIDE;
    encoder.in_color_space = JCS_RGB;
    encoder.input_components = 3;
    jpeg_set_defaults(&encoder);
    encoder.comp_info[0].h_samp_factor = encoder.comp_info[1].v_samp_factor = 4;
    encoder.comp_info[0].v_samp_factor = encoder.comp_info[1].h_samp_factor = 1;
    static const jpeg_scan_info scans[] = {{3, {0, 1, 2}, 0, 0, 0, 0},
                                           {1, {0}, 1, 63, 0, 0},
                                           {1, {1}, 1, 63, 0, 0},
                                           {1, {2}, 1, 63, 0, 0}};
    encoder.scan_info = scans;
    encoder.num_scans = 4;
    jpeg_start_compress(&encoder, TRUE);
    while (encoder.next_scanline < SIDE)
        jpeg_write_scanlines(&encoder, &(JSAMPROW){row}, 1);
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    struct flt_image image;
    struct flt_detail detail = {""};
    flt_image_load_bytes("it", memory, length, &image, &detail);
    free(memory);
    assert_string_equal(detail.text, "");
    flt_image_destroy(&image);
}

/* ---- Writing ---- */

static struct flt_image painted_image(unsigned char *pixels, int channels)
{
    paint(pixels, (unsigned)channels);
    return (struct flt_image){.element = FLT_U8,
                              .rank = 3,
                              .axis = {"y", "x", "c"},
                              .extent = {ROWS, COLUMNS, channels},
                              .stride = {COLUMNS * channels, channels, 1},
                              .data = pixels};
}

static void grey_and_color_are_written(void **state)
{
    unsigned char pixels[ROWS * COLUMNS * 3];
    for (int channels = 1; channels <= 3; channels += 2)
        for (int quality = 90; quality <= 100; quality += 10) {
            const struct flt_image image = painted_image(pixels, channels);
            const struct flt_save_options options = {.quality = quality};
            struct flt_image loaded;
            assert_int_equal(flt_image_save_as(in_folder(state, "it.jpg"), &image, &options, NULL),
                             FLT_OK);
            assert_int_equal(flt_image_load(in_folder(state, "it.jpg"), &loaded, NULL), FLT_OK);
            expect_painted(&loaded, channels);
            flt_image_destroy(&loaded);
        }
}

static void more_quality_takes_more_bytes(void **state)
{
    unsigned char pixels[ROWS * COLUMNS * 3], file[1 << 14];
    const struct flt_image image = painted_image(pixels, 3);
    size_t before = 0;
    for (int quality = 1; quality <= 100; quality += 33) {
        const struct flt_save_options options = {.quality = quality, .format = "jpeg"};
        assert_int_equal(flt_image_save_as(in_folder(state, "it"), &image, &options, NULL), FLT_OK);
        const size_t length = read_file(in_folder(state, "it"), file, sizeof file);
        assert_true(length > before);
        before = length;
    }
    const struct flt_save_options wrong = {.quality = 101};
    assert_int_equal(flt_image_save_as(in_folder(state, "it.jpg"), &image, &wrong, NULL),
                     FLT_BAD_ARGUMENT);
}

static void floats_and_bools_are_written_as_u8(void **state)
{
    float floats[64];
    struct flt_image loaded;
    for (int i = 0; i < 64; i++)
        floats[i] = 0.5F;
    const struct flt_image image = {.element = FLT_F32,
                                    .rank = 2,
                                    .axis = {"y", "x"},
                                    .extent = {8, 8},
                                    .stride = {8, 1},
                                    .data = floats};
    assert_int_equal(flt_image_save(in_folder(state, "it.jpeg"), &image, NULL), FLT_OK);
    assert_int_equal(flt_image_load(in_folder(state, "it.jpeg"), &loaded, NULL), FLT_OK);
    expect_near(*(unsigned char *)loaded.data, 128);
    flt_image_destroy(&loaded);
}

static void what_it_cannot_hold_is_unsupported(void **state)
{
    unsigned char pixels[ROWS * COLUMNS * 4] = {0};
    struct flt_image image = painted_image(pixels, 3);
    struct flt_detail detail;
    image.extent[1] = COLUMNS / 2;
    image.extent[2] = 4;
    assert_int_equal(flt_image_save(in_folder(state, "it.jpg"), &image, &detail), FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "4 channels"));
    image.extent[2] = 1;
    image.element = FLT_U16;
    assert_int_equal(flt_image_save(in_folder(state, "it.jpg"), &image, &detail), FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, ".png"));
    image.element = FLT_U8;
    image.extent[0] = 70000; /* a JPEG has at most 65500 rows */
    image.extent[1] = 1;
    image.stride[0] = 0;
    assert_int_equal(flt_image_save(in_folder(state, "it.jpg"), &image, &detail), FLT_UNSUPPORTED);
    assert_int_equal(files_in(state), 0);
    assert_true(flt_image_takes_alpha("a.png", NULL));
    assert_false(flt_image_takes_alpha("a.jpg", NULL));
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grey_and_color_baseline_and_progressive),
        cmocka_unit_test(inks_become_rgb),
        cmocka_unit_test(each_orientation_is_undone),
        cmocka_unit_test(extents_are_swapped_where_it_is_turned),
        cmocka_unit_test(what_is_cut_off_is_refused),
        cmocka_unit_test(damaged_rows_are_refused),
        cmocka_unit_test(a_promise_of_much_is_refused),
        cmocka_unit_test(a_claim_is_measured_by_blocks),
        cmocka_unit_test(the_fewest_blocks_are_enough),
        cmocka_unit_test(other_segments_do_not_keep_a_file_from_being_read),
        IN_FOLDER(grey_and_color_are_written),
        IN_FOLDER(more_quality_takes_more_bytes),
        IN_FOLDER(floats_and_bools_are_written_as_u8),
        IN_FOLDER(what_it_cannot_hold_is_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
