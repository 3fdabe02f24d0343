/* Files of samples alone: the layout as it is written, reading, writing. */
#include "expect_image.h"
#include "temporary_folder.h"

static struct flt_raw parse(const char *text)
{
    struct flt_raw raw;
    struct flt_detail detail = {""};
    flt_raw_parse(text, &raw, &detail);
    assert_string_equal(detail.text, "");
    return raw;
}

static void expect_axes(const struct flt_raw *raw, const char *axes, const int32_t extent[])
{
    assert_int_equal(raw->rank, strlen(axes));
    for (int i = 0; i < raw->rank; i++) {
        assert_string_equal(raw->axis[i], ((char[]){axes[i], '\0'}));
        assert_int_equal(raw->extent[i], extent[i]);
    }
}

static void layouts_are_understood(void **state)
{
    (void)state;
    struct flt_raw raw = parse("640x480:u16");
    expect_axes(&raw, "yx", (const int32_t[]){480, 640});
    assert_int_equal(raw.element, FLT_U16);
    assert_false(raw.big_endian);
    assert_int_equal(raw.skip, 0);
    raw = parse("512x256x100:f32be:352");
    expect_axes(&raw, "zyx", (const int32_t[]){100, 256, 512});
    assert_int_equal(raw.element, FLT_F32);
    assert_true(raw.big_endian);
    assert_int_equal(raw.skip, 352);
    raw = parse("y=480,x=640,c=3:i64le");
    expect_axes(&raw, "yxc", (const int32_t[]){480, 640, 3});
    assert_int_equal(raw.element, FLT_I64);
    assert_false(raw.big_endian);
    raw = parse("44100:i16");
    expect_axes(&raw, "x", (const int32_t[]){44100});
}

static void other_layouts_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "640",
                                        "640:",
                                        "640x:u8",
                                        "x640:u8",
                                        "0x5:u8",
                                        "5x5:u9",
                                        "5x5:u8xe",
                                        "5x5:u8:",
                                        "5x5:u8:-1",
                                        "5x5:u8:1:2",
                                        "5x5x5x5:u8",
                                        "4294967296:u8",
                                        "99999999999999999999999:u8",
                                        "y=5,x:u8",
                                        "y=5,,x=5:u8",
                                        "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1:u8",
                                        "aaaaaaaaaaaaaaaaa=1:u8"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct flt_raw raw;
        struct flt_detail detail = {""};
        assert_int_equal(flt_raw_parse(wrong[i], &raw, &detail), FLT_BAD_ARGUMENT);
        assert_true(strlen(detail.text) > 0);
    }
}

static void expect_loaded(void **state, const char *layout, const void *bytes, size_t length,
                          enum flt_element element, const char *axes, const int32_t extent[],
                          const void *samples)
{
    const struct flt_raw raw = parse(layout);
    struct flt_image image;
    write_file(in_folder(state, "it.raw"), bytes, length);
    assert_int_equal(flt_image_load_raw(in_folder(state, "it.raw"), &raw, &image, NULL), FLT_OK);
    expect_image(&image, element, axes, extent, samples);
    flt_image_destroy(&image);
}

static void both_byte_orders_are_read(void **state)
{
    expect_loaded(state, "3x1:u16be:2", "\xff\xff\x12\x34\0\1\1\0", 8, FLT_U16, "yx",
                  (const int32_t[]){1, 3}, (const uint16_t[]){0x1234, 1, 256});
    expect_loaded(state, "3x1:u16le", "\x34\x12\1\0\0\1", 6, FLT_U16, "yx", (const int32_t[]){1, 3},
                  (const uint16_t[]){0x1234, 1, 256});
    expect_loaded(state, "y=1,x=2,c=3:u8", "abcdef", 6, FLT_U8, "yxc", (const int32_t[]){1, 2, 3},
                  "abcdef");
    expect_loaded(state, "4:bool", "\0\1\2\xff", 4, FLT_BOOL, "x", (const int32_t[]){4},
                  "\0\1\1\1");
}

static void a_file_of_another_length_is_refused(void **state)
{
    const struct flt_raw raw = parse("4x3:f32");
    struct flt_image image;
    struct flt_detail detail;
    write_file(in_folder(state, "it.raw"), "abcdefgh", 8);
    assert_int_equal(flt_image_load_raw(in_folder(state, "it.raw"), &raw, &image, &detail),
                     FLT_CORRUPT);
    assert_non_null(
        strstr(detail.text, "has 8 bytes, but with its extents and type it would have 48"));
    assert_null(image.data);
    const struct flt_raw large = parse("2147483647x2147483647x2147483647:f64");
    assert_int_equal(flt_image_load_raw(in_folder(state, "it.raw"), &large, &image, NULL),
                     FLT_TOO_LARGE);
    assert_int_equal(flt_image_load_raw(in_folder(state, "none.raw"), &raw, &image, NULL),
                     FLT_CANNOT_OPEN);
}

static void samples_alone_are_written(void **state)
{
    uint16_t samples[6] = {1, 2, 3, 4, 5, 65535};
    unsigned char bytes[16];
    struct flt_image image = {.element = FLT_U16,
                              .rank = 2,
                              .axis = {"y", "x"},
                              .extent = {3, 2},
                              .stride = {1, 3}, /* seen with its axes swapped */
                              .data = samples};
    assert_int_equal(flt_image_save(in_folder(state, "it.raw"), &image, NULL), FLT_OK);
    assert_int_equal(read_file(in_folder(state, "it.raw"), bytes, sizeof bytes), 12);
    assert_memory_equal(bytes, "\1\0\4\0\2\0\5\0\3\0\xff\xff", 12);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_understood), cmocka_unit_test(other_layouts_are_refused),
        IN_FOLDER(both_byte_orders_are_read),     IN_FOLDER(a_file_of_another_length_is_refused),
        IN_FOLDER(samples_alone_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
