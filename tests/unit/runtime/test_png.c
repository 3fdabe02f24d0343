/* Reading PNG: every kind of pixel, interlacing, damage. The files are made by hand (make_png.h).
 * Writing is in test_save.c. */
#include "expect_image.h"
#include "make_png.h"
#include "temporary_folder.h"

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

static void expect_png(const struct bytes *png, enum flt_element element, const char *axes,
                       const int32_t extent[], const void *samples)
{
    expect_loads(png->at, png->length, element, axes, extent, samples);
}

static void grey_of_1_bit_is_stretched(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 2, 1, GREY, 0);
    end_png(&png, "\0\xa0\0\x40", 4);
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){2, 3}, "\xff\0\xff\0\xff\0");
}

static void grey_of_2_and_4_bits_is_stretched(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 4, 1, 2, GREY, 0);
    end_png(&png, "\0\x1b", 2);
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){1, 4}, "\0\x55\xaa\xff");
    begin_png(&png, 2, 1, 4, GREY, 0);
    end_png(&png, "\0\x1f", 2);
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){1, 2}, "\x11\xff");
}

static void grey_of_8_bits(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 2, 8, GREY, 0);
    end_png(&png, "\0abc\0def", 8);
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){2, 3}, "abcdef");
}

static void grey_of_16_bits_is_in_host_order(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 1, 16, GREY, 0);
    end_png(&png, "\0\x12\x34\xff\xfe", 5);
    expect_png(&png, FLT_U16, "yx", (const int32_t[]){1, 2}, (const uint16_t[]){0x1234, 0xfffe});
}

static void filtered_rows_are_undone(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 2, 8, GREY, 0);
    end_png(&png, "\1\x0a\1\1\2\1\1\1", 8); /* Sub, then Up */
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){2, 3}, "\x0a\x0b\x0c\x0b\x0c\x0d");
}

static void channels_are_the_last_axis(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 1, 8, GREY_ALPHA, 0);
    end_png(&png, "\0gaGA", 5);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 2, 2}, "gaGA");
    begin_png(&png, 2, 1, 8, RGB, 0);
    end_png(&png, "\0rgbRGB", 7);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 2, 3}, "rgbRGB");
    begin_png(&png, 1, 2, 8, RGBA, 0);
    end_png(&png, "\0rgba\0RGBA", 10);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){2, 1, 4}, "rgbaRGBA");
}

/* The picture abc / def, stored as its columns from the right one on. */
static void exif_orientation_is_undone(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 3, 8, GREY, 0);
    put_chunk(&png, "eXIf", "II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0", 26);
    end_png(&png, "\0cf\0be\0ad", 9);
    expect_png(&png, FLT_U8, "yx", (const int32_t[]){2, 3}, "abcdef");
}

static void alpha_is_told(void **state)
{
    (void)state;
    static const int types[] = {GREY, GREY_ALPHA, RGB, RGBA};
    for (int i = 0; i < 4; i++) {
        struct bytes png;
        struct flt_image image;
        begin_png(&png, 1, 1, 8, types[i], 0);
        end_png(&png, "\0abcd", (size_t)i + 2);
        assert_int_equal(flt_image_load_bytes("it", png.at, png.length, &image, NULL), FLT_OK);
        assert_int_equal(image.has_alpha, i % 2);
        flt_image_destroy(&image);
    }
}

static void rgb_and_rgba_of_16_bits(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 1, 1, 16, RGB, 0);
    end_png(&png, "\0\1\2\3\4\5\6", 7);
    expect_png(&png, FLT_U16, "yxc", (const int32_t[]){1, 1, 3},
               (const uint16_t[]){0x0102, 0x0304, 0x0506});
    begin_png(&png, 1, 1, 16, RGBA, 0);
    end_png(&png, "\0\1\2\3\4\5\6\7\x8", 9);
    expect_png(&png, FLT_U16, "yxc", (const int32_t[]){1, 1, 4},
               (const uint16_t[]){0x0102, 0x0304, 0x0506, 0x0708});
}

static void palette_is_looked_up(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 1, 2, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGBxyz", 9);
    end_png(&png, "\0\x90", 2); /* 2, 1, 0 */
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 3, 3}, "xyzRGBrgb");
}

static void transparent_palette_makes_rgba(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 1, 8, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGB", 6);
    put_chunk(&png, "tRNS", "\x40", 1); /* of the first; the second is opaque */
    end_png(&png, "\0\1\0", 3);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 2, 4}, "RGB\xffrgb\x40");
}

/* libpng takes such colors for black. */
static void colors_that_the_palette_lacks_are_refused(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 2, 2, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGBxyz", 9);
    end_png(&png, "\0\x90\0\x0c", 4); /* 2, 1, 0; 0, 0, 3 */
    expect_refused(png.at, png.length, FLT_CORRUPT,
                   "it is not a valid PNG: row 2 has color 3, but its palette has 3");
    begin_png(&png, 2, 1, 8, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGB", 6);
    put_chunk(&png, "tRNS", "\x40", 1);
    end_png(&png, "\0\1\2", 3);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
}

static void transparent_color_becomes_alpha(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 1, 8, GREY, 0);
    put_chunk(&png, "tRNS", "\0\x07", 2);
    end_png(&png, "\0\x07\x08", 3);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 2, 2}, "\x07\0\x08\xff");
    begin_png(&png, 2, 1, 8, RGB, 0);
    put_chunk(&png, "tRNS", "\0r\0g\0b", 6);
    end_png(&png, "\0rgbrga", 7);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 2, 4}, "rgb\0rga\xff");
}

/* Adam7: of each pass the first row, first column and their steps. */
static const size_t adam7[7][4] = {{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4},
                                   {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}};

static size_t interlace(const unsigned char *samples, size_t rows, size_t columns,
                        unsigned char *raw)
{
    size_t length = 0;
    for (int pass = 0; pass < 7; pass++) {
        const size_t *const of = adam7[pass];
        for (size_t y = of[0]; y < rows && of[1] < columns; y += of[2]) {
            raw[length++] = 0;
            for (size_t x = of[1]; x < columns; x += of[3])
                raw[length++] = samples[y * columns + x];
        }
    }
    return length;
}

static void make_interlaced(struct bytes *png, const unsigned char *samples, size_t rows,
                            size_t columns)
{
    unsigned char raw[1024];
    begin_png(png, (uint32_t)columns, (uint32_t)rows, 8, GREY, 1);
    end_png(png, raw, interlace(samples, rows, columns, raw));
}

static void interlaced_files_of_every_small_size(void **state)
{
    (void)state;
    unsigned char samples[100];
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (unsigned char)(i * 37 + 1);
    for (size_t rows = 1; rows <= 10; rows++)
        for (size_t columns = 1; columns <= 10; columns++) {
            struct bytes png;
            make_interlaced(&png, samples, rows, columns);
            expect_png(&png, FLT_U8, "yx", (const int32_t[]){(int32_t)rows, (int32_t)columns},
                       samples);
        }
}

static void cut_off_anywhere_is_corrupt(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 4, 8, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGB", 6);
    end_png(&png, "\0\0\1\0\0\1\1\1\0\0\0\0\0\1\0\1", 16);
    expect_prefixes_refused(png.at, png.length);
    make_interlaced(&png, (const unsigned char *)"abcdefghijklmnopqrstuvwxy", 5, 5);
    expect_prefixes_refused(png.at, png.length);
}

static void the_missing_row_is_named(void **state)
{
    (void)state;
    /* One byte to a chunk, else libpng sees no row before the whole chunk is there. */
    struct bytes whole;
    begin_png(&whole, 1, 3, 8, GREY, 0);
    const size_t header = whole.length;
    end_png(&whole, "\0a\0b\0c", 6);
    struct bytes png = {.length = 0};
    put(&png, whole.at, header);
    for (size_t i = 0; i < 2 + 5 + 2; i++) /* zlib's header, the block's, one row */
        put_chunk(&png, "IDAT", whole.at + header + 8 + i, 1);
    expect_refused(png.at, png.length, FLT_CORRUPT, "it is cut off: row 2 of 3 is missing");
    expect_refused(whole.at, 20, FLT_CORRUPT, "it is cut off in its header");
    expect_refused(whole.at, whole.length - 1, FLT_CORRUPT, "it is cut off after its last row");
}

static void a_damaged_byte_is_found(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 3, 2, 8, GREY, 0);
    end_png(&png, "\0abc\0def", 8);
    const size_t in_header = 20, in_data = 8 + 25 + 8 + 10;
    png.at[in_header] ^= 1;
    expect_refused(png.at, png.length, FLT_CORRUPT, "it is not a valid PNG: IHDR: CRC error");
    png.at[in_header] ^= 1;
    png.at[in_data] ^= 1;
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
}

static void impossible_headers_are_corrupt(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 0, 2, 8, GREY, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 1, 1, 3, GREY, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 1, 1, 8, 5, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 0xffffffff, 1, 8, GREY, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 1, 1, 8, PALETTE, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
}

static void no_data_is_corrupt(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 2, 2, 8, GREY, 0);
    put_chunk(&png, "IEND", NULL, 0);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 2, 2, 8, GREY, 0);
    end_png(&png, "\0ab", 3); /* one row of two */
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
}

static void a_claim_beyond_what_deflate_can_hold_is_corrupt(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 60000, 60000, 8, RGB, 0);
    end_png(&png, "\0\0", 2);
    assert_in_range(png.length, 70, 100);
    char expected[100];
    snprintf(expected, sizeof expected,
             "it is cut off: it says 60000 by 60000 samples, but holds %d bytes", 13);
    expect_refused(png.at, png.length, FLT_CORRUPT, expected);
    begin_png(&png, INT32_MAX, 1, 1, GREY, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, INT32_MAX, INT32_MAX, 16, RGBA, 0);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_TOO_LARGE, NULL);
}

/* Nor may bytes that are no samples stand for them. */
static void a_claim_is_measured_by_the_samples_alone(void **state)
{
    (void)state;
    static const char text[3000];
    struct bytes png;
    begin_png(&png, 1000, 1000, 8, GREY, 0);
    put_chunk(&png, "tEXt", text, sizeof text);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT,
                   "it is cut off: it says 1000 by 1000 samples, but holds 13 bytes");
}

/* The length of a chunk of any type is believed as far as the file goes. */
static void a_chunk_longer_than_the_file_is_refused_at_once(void **state)
{
    (void)state;
    static const char types[][5] = {"tEXt", "zTXt", "iTXt", "iCCP", "eXIf", "sPLT", "hIST",
                                    "PLTE", "tRNS", "tIME", "vpAg", "XXXX", "IEND"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (int behind = 0; behind < 2; behind++) {
            struct bytes png;
            begin_png(&png, 1, 1, 8, GREY, 0);
            if (behind)
                end_png(&png, "\0a", 2);
            png.length -= behind ? 12 : 0; /* IEND */
            put_u32(&png, 0x7fffffff);
            put_text(&png, types[i]);
            put_text(&png, "abc");
            expect_refused(png.at, png.length, FLT_CORRUPT,
                           "it is cut off: a chunk of it says 2147483647 bytes, but 3 are left");
        }
}

/* Bits of a palette become 4 bytes: 3 MB of file may well claim more than 64 GiB. */
static void more_than_64_gib_is_too_large(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 1 << 18, 1 << 16 | 1, 1, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGB", 6);
    put_chunk(&png, "tRNS", "\x40", 1);
    put(&png, "\0\x20\0\0IDAT", 8);
    const size_t length = 3 << 20;
    unsigned char *const file = test_calloc(length, 1);
    memcpy(file, png.at, png.length);
    expect_refused(file, length, FLT_TOO_LARGE, "it would take more than 64 GiB when decoded");
    test_free(file);
}

static void frames_of_an_animation_are_told(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 1, 1, 8, GREY, 0);
    put_chunk(&png, "acTL", "\0\0\0\3\0\0\0\0", 8);
    end_png(&png, "\0a", 2);
    expect_loads_but(png.at, png.length, FLT_U8, "yx", (const int32_t[]){1, 1}, "a",
                     "it is an animation of 3 frames, of which one is read");
}

static void trailing_bytes_are_told(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 1, 1, 8, GREY, 0);
    end_png(&png, "\0a", 2);
    struct bytes two = png;
    put_text(&png, "more");
    expect_loads_but(png.at, png.length, FLT_U8, "yx", (const int32_t[]){1, 1}, "a",
                     "it goes on behind its picture with bytes that are none");
    put(&two, png.at, two.length);
    expect_refused(two.at, two.length, FLT_UNSUPPORTED,
                   "it holds 2 pictures, one behind the other, where one is expected");
}

/* What is no sample and no orientation may say anything. */
static void other_chunks_do_not_keep_a_file_from_being_read(void **state)
{
    (void)state;
    static const struct {
        char type[5];
        const char *data;
        size_t length;
    } odd[] = {
        {"gAMA", "\0\0\0\0", 4},
        {"gAMA", "", 0},
        {"cHRM", "\0", 1},
        {"sRGB", "\377", 1},
        {"sRGB", "", 0},
        {"iCCP", "x", 1},
        {"iCCP", "x\0\0zzzz", 7},
        {"sBIT", "\0", 1},
        {"sBIT", "\1\2\3\4\5", 5},
        {"tIME", "\1\2", 2},
        {"tIME", "\0\0\77\77\77\77\77", 7},
        {"pHYs", "", 0},
        {"bKGD", "", 0},
        {"hIST", "", 0},
        {"sPLT", "x", 1},
        {"oFFs", "x", 1},
        {"pCAL", "x\0", 2},
        {"sCAL", "x", 1},
        {"tEXt", "", 0},
        {"zTXt", "x", 1},
        {"zTXt", "x\0\0zzzz", 7},
        {"iTXt", "x", 1},
        {"eXIf", "", 0},
        {"eXIf", "XX*\0", 4},
        {"eXIf", "II*\0\377\377\377\377", 8},
        {"caBX", "x", 1},
        {"vpAg", "x", 1},
        {"acTL", "x", 1},
        {"fcTL", "", 0},
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        for (int turn = 0; turn < 8; turn++) { /* wrong checksum, twice, behind the samples */
            struct bytes png;
            begin_png(&png, 1, 1, 8, GREY, 0);
            if (turn & 4) {
                end_png(&png, "\0a", 2);
                png.length -= 12;
            }
            for (int copies = 0; copies <= (turn & 2); copies++) {
                put_chunk(&png, odd[i].type, odd[i].data, odd[i].length);
                png.at[png.length - 1] ^= turn & 1;
            }
            if (turn & 4)
                put_chunk(&png, "IEND", NULL, 0);
            else
                end_png(&png, "\0a", 2);
            expect_png(&png, FLT_U8, "yx", (const int32_t[]){1, 1}, "a");
        }
}

/* A text of 9 MB, which is more than libpng by itself takes memory for. */
static void a_long_text_is_skipped(void **state)
{
    (void)state;
    const size_t length = 9 << 20;
    struct bytes start, end = {.length = 0};
    begin_png(&start, 1, 1, 8, GREY, 0);
    put_u32(&start, (uint32_t)length);
    const size_t text = start.length;
    put_text(&start, "tEXt");
    unsigned char *const file = test_calloc(length + sizeof start.at, 1);
    memcpy(file, start.at, start.length);
    struct bytes rest;
    begin_png(&rest, 1, 1, 8, GREY, 0);
    const size_t header = rest.length;
    put_u32(&end, crc_of(file + text, 4 + length));
    end_png(&rest, "\0a", 2);
    put(&end, rest.at + header, rest.length - header);
    memcpy(file + text + 4 + length, end.at, end.length);
    expect_loads(file, text + 4 + length + end.length, FLT_U8, "yx", (const int32_t[]){1, 1}, "a");
    test_free(file);
}

/* Without it the samples would be others. */
static void damaged_transparency_is_refused(void **state)
{
    (void)state;
    struct bytes png;
    begin_png(&png, 1, 1, 8, PALETTE, 0);
    put_chunk(&png, "PLTE", "rgbRGB", 6);
    put_chunk(&png, "tRNS", "\x40", 1);
    png.at[png.length - 1] ^= 1;
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT,
                   "it is not a valid PNG: its transparency, tRNS, is damaged");
    begin_png(&png, 1, 1, 8, GREY, 0);
    put_chunk(&png, "tRNS", "a", 1);
    end_png(&png, "\0\0", 2);
    expect_refused(png.at, png.length, FLT_CORRUPT, NULL);
    begin_png(&png, 1, 1, 8, GREY_ALPHA, 0); /* which has its own */
    put_chunk(&png, "tRNS", "a", 1);
    end_png(&png, "\0ab", 3);
    expect_png(&png, FLT_U8, "yxc", (const int32_t[]){1, 1, 2}, "ab");
}

/* A text chunk with a wrong checksum, which libpng warns of. */
static void warnings_are_not_printed(void **state)
{
    struct bytes png;
    begin_png(&png, 1, 1, 8, GREY, 0);
    put_chunk(&png, "tEXt", "Title\0sky", 9);
    png.at[png.length - 1] ^= 1;
    put_chunk(&png, "gAMA", "\0\0\0\0", 4);
    end_png(&png, "\0a", 2);
    fflush(stderr);
    const int kept = dup(2);
    const char *const path = in_folder(state, "stderr");
    assert_non_null(freopen(path, "wb", stderr));
    struct flt_image image;
    const enum flt_status status = flt_image_load_bytes("it", png.at, png.length, &image, NULL);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    assert_int_equal(status, FLT_OK);
    flt_image_destroy(&image);
    char printed[1];
    assert_int_equal(read_file(path, printed, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grey_of_1_bit_is_stretched),
        cmocka_unit_test(grey_of_2_and_4_bits_is_stretched),
        cmocka_unit_test(grey_of_8_bits),
        cmocka_unit_test(grey_of_16_bits_is_in_host_order),
        cmocka_unit_test(filtered_rows_are_undone),
        cmocka_unit_test(channels_are_the_last_axis),
        cmocka_unit_test(exif_orientation_is_undone),
        cmocka_unit_test(alpha_is_told),
        cmocka_unit_test(rgb_and_rgba_of_16_bits),
        cmocka_unit_test(palette_is_looked_up),
        cmocka_unit_test(transparent_palette_makes_rgba),
        cmocka_unit_test(colors_that_the_palette_lacks_are_refused),
        cmocka_unit_test(transparent_color_becomes_alpha),
        cmocka_unit_test(interlaced_files_of_every_small_size),
        cmocka_unit_test(cut_off_anywhere_is_corrupt),
        cmocka_unit_test(the_missing_row_is_named),
        cmocka_unit_test(a_damaged_byte_is_found),
        cmocka_unit_test(impossible_headers_are_corrupt),
        cmocka_unit_test(no_data_is_corrupt),
        cmocka_unit_test(a_claim_beyond_what_deflate_can_hold_is_corrupt),
        cmocka_unit_test(a_claim_is_measured_by_the_samples_alone),
        cmocka_unit_test(a_chunk_longer_than_the_file_is_refused_at_once),
        cmocka_unit_test(other_chunks_do_not_keep_a_file_from_being_read),
        cmocka_unit_test(a_long_text_is_skipped),
        cmocka_unit_test(damaged_transparency_is_refused),
        cmocka_unit_test(more_than_64_gib_is_too_large),
        cmocka_unit_test(frames_of_an_animation_are_told),
        cmocka_unit_test(trailing_bytes_are_told),
        cmocka_unit_test_setup_teardown(warnings_are_not_printed, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
