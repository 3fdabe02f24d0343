/* Reading PBM, PGM, PPM and PFM: each kind, text and binary, stretching, damage. Writing is in
 * test_save.c. */
#include "expect_image.h"

#include "image/codec.h"

static void pbm_is_bool_and_true_is_white(void **state)
{
    (void)state;
    const int32_t extent[] = {2, 3};
    expect_loads("P1\n3 2\n0 1 0\n1 1 0\n", 19, FLT_BOOL, "yx", extent, "\1\0\1\0\0\1");
    expect_loads("P1 3 2 010110", 13, FLT_BOOL, "yx", extent, "\1\0\1\0\0\1");
    expect_loads("P4\n3 2\n\x5f\xc0", 9, FLT_BOOL, "yx", extent, "\1\0\1\0\0\1");
}

static void pbm_rows_begin_at_a_byte(void **state)
{
    (void)state;
    expect_loads("P4 9 2 \xff\x80\0\0", 11, FLT_BOOL, "yx", (const int32_t[]){2, 9},
                 "\0\0\0\0\0\0\0\0\0\1\1\1\1\1\1\1\1\1");
}

static void pgm_and_ppm_of_8_bits(void **state)
{
    (void)state;
    expect_loads("P5\n3 2\n255\nabcdef", 17, FLT_U8, "yx", (const int32_t[]){2, 3}, "abcdef");
    expect_loads("P6\n1 2\n255\nrgbRGB", 17, FLT_U8, "yxc", (const int32_t[]){2, 1, 3}, "rgbRGB");
    expect_loads("P2 2 1 255 65\n66", 16, FLT_U8, "yx", (const int32_t[]){1, 2}, "AB");
    expect_loads("P3 1 1 255 0 127 255 ", 21, FLT_U8, "yxc", (const int32_t[]){1, 1, 3},
                 "\0\x7f\xff");
}

static void pgm_and_ppm_of_16_bits_are_in_host_order(void **state)
{
    (void)state;
    expect_loads("P5 2 1 65535\n\x12\x34\xff\xfe", 17, FLT_U16, "yx", (const int32_t[]){1, 2},
                 (const uint16_t[]){0x1234, 0xfffe});
    expect_loads("P6 1 1 65535\n\0\1\0\2\0\3", 19, FLT_U16, "yxc", (const int32_t[]){1, 1, 3},
                 (const uint16_t[]){1, 2, 3});
    expect_loads("P2 2 1 65535 65535 256", 22, FLT_U16, "yx", (const int32_t[]){1, 2},
                 (const uint16_t[]){65535, 256});
}

static void a_binary_sample_may_look_like_space(void **state)
{
    (void)state;
    expect_loads("P5 2 1 255\n\n#", 13, FLT_U8, "yx", (const int32_t[]){1, 2}, "\n#");
}

static void comments_are_skipped(void **state)
{
    (void)state;
    const char text[] = "P5#first\n# 9 9\n2#columns\n 1 # rows\n255\nab";
    expect_loads(text, sizeof text - 1, FLT_U8, "yx", (const int32_t[]){1, 2}, "ab");
}

static void other_maxima_are_stretched_to_nearest(void **state)
{
    (void)state;
    expect_loads("P5 4 1 3 \0\1\2\3", 13, FLT_U8, "yx", (const int32_t[]){1, 4}, "\0\x55\xaa\xff");
    /* 50 / 100 * 255 = 127.5, 1 / 100 * 255 = 2.55 */
    expect_loads("P2 4 1 100 0 50 1 100", 21, FLT_U8, "yx", (const int32_t[]){1, 4},
                 "\0\x80\3\xff");
    /* 1023 is common in cameras: 1 becomes 64.06. */
    expect_loads("P5 3 1 1023 \0\1\3\xff\2\0", 18, FLT_U16, "yx", (const int32_t[]){1, 3},
                 (const uint16_t[]){64, 65535, 32800});
}

static void a_sample_beyond_the_maximum_is_corrupt(void **state)
{
    (void)state;
    expect_refused("P2 1 2 9 9 10", 13, FLT_CORRUPT,
                   "it has a sample of 10 in row 2, but says that 9 is the largest");
    expect_refused("P5 1 1 9 \xff", 10, FLT_CORRUPT, NULL);
    expect_refused("P2 1 1 9 99999999999999999999999", 32, FLT_CORRUPT, NULL);
}

static void damaged_text_is_corrupt(void **state)
{
    (void)state;
    expect_refused("P2 2 2 9 1 2 3 x", 16, FLT_CORRUPT, "it is damaged in row 2 of 2");
    expect_refused("P2 2 2 9 1  2  3", 16, FLT_CORRUPT, "it is cut off in row 2 of 2");
    expect_refused("P2 2 1 9 1 -2", 13, FLT_CORRUPT, "it is damaged in row 1 of 1");
    expect_refused("P1 2 2 0102", 11, FLT_CORRUPT, "it is damaged in row 2 of 2");
}

static void damaged_headers_are_corrupt(void **state)
{
    (void)state;
    const char *const sentence = "it has a damaged header";
    static const char *const headers[] = {
        "P5 ",         "P5 3",        "P5 3 ",        "P5 3 2",    "P5 3 2 ",
        "P5 3 2 255",  "P5 x 2 255 ", "P5 -3 2 255 ", "P5 3 2 0 ", "P5 3 2 65536 ",
        "P5 3 2 255x", "P4 3 2x",     "P5 3 2 25e1 ", "P6#",       "P5 99999999999 1 255 ",
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        expect_refused(headers[i], strlen(headers[i]), FLT_CORRUPT, sentence);
}

static void lying_headers_are_refused(void **state)
{
    (void)state;
    expect_refused("P5 60000 60000 255 abcd", 23, FLT_CORRUPT,
                   "it is cut off: it says 60000 by 60000 samples, but holds 4 bytes");
    expect_refused("P2 60000 60000 255 1 2", 22, FLT_CORRUPT, NULL);
    expect_refused("P1 60000 60000 0101010", 22, FLT_CORRUPT, NULL);
    expect_refused("P4 60000 60000 0101010", 22, FLT_CORRUPT, NULL);
    expect_refused("P6 0 3 255 ", 11, FLT_CORRUPT, "it has no samples: it says 3 by 0");
    expect_refused("P5 2147483648 1 255 ", 20, FLT_TOO_LARGE,
                   "it says 1 by 2147483648 samples, but an extent is at most 2147483647");
    expect_refused("P6 2147483647 2147483647 65535 ", 31, FLT_TOO_LARGE,
                   "it says 2147483647 by 2147483647 samples, but an image has at most 2^40");
}

static void cut_off_anywhere_is_corrupt(void **state)
{
    (void)state;
    expect_prefixes_refused("P6\n2 3\n255\nabcdefghijklmnopqr", 29);
    expect_prefixes_refused("P5 2 2 1000 \0\1\0\2\0\3\0\4", 20);
    expect_prefixes_refused("P4 9 2 abcd", 11);
    expect_prefixes_refused("P1 3 2 010110", 13);
    /* Of decimals the last digit alone cannot be missed. */
    expect_prefixes_refused("P3 1 2 99 1 2 3 4 5 6", 21);
}

static void what_follows_the_picture_is_told(void **state)
{
    (void)state;
    expect_refused("P5 1 1 255 aP5 1 1 255 b", 24, FLT_UNSUPPORTED,
                   "it holds 2 pictures, one behind the other, where one is expected");
    expect_refused("P2 1 1 255 97\nPf 1 1 -1 aaaa P4 1 1 aP1 1 1 0", 44, FLT_UNSUPPORTED,
                   "it holds 4 pictures, one behind the other, where one is expected");
    expect_loads_but("P5 1 1 255 abc", 14, FLT_U8, "yx", (const int32_t[]){1, 1}, "a",
                     "it goes on behind its picture with bytes that are none");
    expect_loads_but("P2 1 1 255 97 98", 16, FLT_U8, "yx", (const int32_t[]){1, 1}, "a",
                     "it goes on behind its picture with bytes that are none");
    expect_loads("P5 1 1 255 a \r\n", 15, FLT_U8, "yx", (const int32_t[]){1, 1}, "a");
}

static void pfm_of_both_byte_orders_bottom_row_first(void **state)
{
    (void)state;
    const float samples[] = {1.0F, -2.0F, 0.5F, 0.0F};
    const int32_t extent[] = {2, 2};
    expect_loads("Pf\n2 2\n-1.0\n\0\0\0\x3f\0\0\0\0\0\0\x80\x3f\0\0\0\xc0", 28, FLT_F32, "yx",
                 extent, samples);
    expect_loads("Pf\n2 2\n1.0\n\x3f\0\0\0\0\0\0\0\x3f\x80\0\0\xc0\0\0\0", 27, FLT_F32, "yx",
                 extent, samples);
}

static void pfm_of_three_channels(void **state)
{
    (void)state;
    const float samples[] = {1.0F, -2.0F, 0.5F};
    const int32_t extent[] = {1, 1, 3};
    expect_loads("PF 1 1 +2e-3\n\x3f\x80\0\0\xc0\0\0\0\x3f\0\0\0", 25, FLT_F32, "yxc", extent,
                 samples);
}

static void damaged_pfm_is_corrupt(void **state)
{
    (void)state;
    const char *const sentence = "it has a damaged header";
    static const char *const headers[] = {"Pf ",       "Pf 1 ",        "Pf 1 1 ",     "Pf 1 1 -1",
                                          "Pf 1 1 0 ", "Pf 1 1 -0.0 ", "Pf 1 1 nan ", "Pf 1 1 -"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        expect_refused(headers[i], strlen(headers[i]), FLT_CORRUPT, sentence);
    expect_prefixes_refused("PF 1 2 -1 abcdefghijklmnopqrstuvwx", 34);
    expect_refused("PF 60000 50000 -1 abcd", 22, FLT_CORRUPT,
                   "it is cut off: it says 50000 by 60000 samples, but holds 4 bytes");
    expect_refused("Pf 2147483647 2147483647 -1 ", 28, FLT_TOO_LARGE, NULL);
    expect_refused("Pf 0 1 -1 ", 10, FLT_CORRUPT, "it has no samples: it says 1 by 0");
}

/* Whether the end of the first picture is known of the first `given` bytes, and its place. */
static void expect_end(const char *bytes, size_t given, bool is_all, bool known, size_t end)
{
    const struct file_bytes file = {
        .name = "it.pgm", .bytes = (const unsigned char *)bytes, .length = given};
    size_t length = 0;
    assert_int_equal(flt_picture_length(&file, is_all, &length), known);
    if (known)
        assert_int_equal(length, end);
}

static void the_first_of_several_pictures_ends_where_it_does(void **state)
{
    (void)state;
    static const char binary[] = "P5 2 3 255\nabcdefP5 1 1 255\nx";
    expect_end(binary, sizeof binary - 1, true, true, 17);
    expect_end(binary, sizeof binary - 1, false, true, 17);
    expect_end(binary, 12, false, true, 17); /* of which not all is there */
    expect_end(binary, 6, false, false, 0);
    static const char text[] = "P2 2 3 255 1 2 3 4 5 6 P2 1 1 255 7";
    expect_end(text, sizeof text - 1, true, true, 22);
    expect_end(text, sizeof text - 1, false, false, 0); /* 6 may go on */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pbm_is_bool_and_true_is_white),
        cmocka_unit_test(pbm_rows_begin_at_a_byte),
        cmocka_unit_test(pgm_and_ppm_of_8_bits),
        cmocka_unit_test(pgm_and_ppm_of_16_bits_are_in_host_order),
        cmocka_unit_test(a_binary_sample_may_look_like_space),
        cmocka_unit_test(comments_are_skipped),
        cmocka_unit_test(other_maxima_are_stretched_to_nearest),
        cmocka_unit_test(a_sample_beyond_the_maximum_is_corrupt),
        cmocka_unit_test(damaged_text_is_corrupt),
        cmocka_unit_test(damaged_headers_are_corrupt),
        cmocka_unit_test(lying_headers_are_refused),
        cmocka_unit_test(cut_off_anywhere_is_corrupt),
        cmocka_unit_test(what_follows_the_picture_is_told),
        cmocka_unit_test(the_first_of_several_pictures_ends_where_it_does),
        cmocka_unit_test(pfm_of_both_byte_orders_bottom_row_first),
        cmocka_unit_test(pfm_of_three_channels),
        cmocka_unit_test(damaged_pfm_is_corrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
