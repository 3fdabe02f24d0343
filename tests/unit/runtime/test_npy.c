/* Reading NPY: every type in both byte orders, both orders of axes, ranks and names, damage; and
 * round trips of everything through files. */
#include "expect_image.h"
#include "temporary_folder.h"

#include "image/codec.h" /* flt_swap_bytes */

struct npy {
    unsigned char at[1024];
    size_t length;
};

/* A file of that version with the dictionary and length bytes of samples. */
static struct npy make_npy(int version, const char *dictionary, const void *samples, size_t length)
{
    const size_t text = strlen(dictionary);
    const size_t prefix = version == 1 ? 10 : 12;
    struct npy npy = {.at = {0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0,
                             (unsigned char)text, (unsigned char)(text >> 8)},
                      .length = prefix + text + length};
    assert_true(npy.length <= sizeof npy.at);
    memcpy(npy.at + prefix, dictionary, text);
    if (length > 0)
        memcpy(npy.at + prefix + text, samples, length);
    return npy;
}

static void expect_npy(const char *dictionary, const void *bytes, size_t length,
                       enum flt_element element, const char *axes, const int32_t extent[],
                       const void *samples)
{
    const struct npy npy = make_npy(1, dictionary, bytes, length);
    expect_loads(npy.at, npy.length, element, axes, extent, samples);
}

static void expect_bad_npy(const char *dictionary, size_t length, enum flt_status status,
                           const char *sentence)
{
    const unsigned char zeroes[256] = {0};
    const struct npy npy = make_npy(1, dictionary, zeroes, length);
    expect_refused(npy.at, npy.length, status, sentence);
}

static void all_types_in_both_byte_orders(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        enum flt_element element;
        size_t size;
    } types[] = {{"b1", FLT_BOOL, 1}, {"u1", FLT_U8, 1},  {"i1", FLT_I8, 1},  {"u2", FLT_U16, 2},
                 {"i2", FLT_I16, 2},  {"u4", FLT_U32, 4}, {"i4", FLT_I32, 4}, {"i8", FLT_I64, 8},
                 {"f2", FLT_F16, 2},  {"f4", FLT_F32, 4}, {"f8", FLT_F64, 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        for (const char *order = "<>=|"; *order; order++) {
            unsigned char host[24], file[24];
            for (size_t at = 0; at < sizeof host; at++)
                host[at] = types[i].element == FLT_BOOL ? at % 2 : (unsigned char)(at * 11 + 1);
            memcpy(file, host, sizeof file);
            const bool little = *order == '>' ? false : *order == '<' || flt_host_is_little();
            if (little != flt_host_is_little())
                flt_swap_bytes(file, 3, types[i].size);
            char dictionary[100];
            snprintf(dictionary, sizeof dictionary,
                     "{'descr': '%c%s', 'fortran_order': False, 'shape': (3,), }\n", *order,
                     types[i].descr);
            expect_npy(dictionary, file, 3 * types[i].size, types[i].element, "x",
                       (const int32_t[]){3}, host);
        }
}

static void big_endian_by_hand(void **state)
{
    (void)state;
    expect_npy("{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }",
               "\0\0\1\2\xff\xff\xff\xfe", 8, FLT_I32, "x", (const int32_t[]){2},
               (const int32_t[]){258, -2});
    expect_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0\0\0\xf8\xbf",
               8, FLT_F64, "x", (const int32_t[]){1}, (const double[]){-1.5});
}

static void any_byte_but_0_is_true(void **state)
{
    (void)state;
    expect_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", "\0\1\2\xff", 4,
               FLT_BOOL, "x", (const int32_t[]){4}, "\0\1\1\1");
}

static void fortran_order_is_transposed(void **state)
{
    (void)state;
    expect_npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "adbecf", 6, FLT_U8,
               "yx", (const int32_t[]){2, 3}, "abcdef");
    expect_npy("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 2), }", "\0\1\0\3\0\2\0\4", 8,
               FLT_U16, "yx", (const int32_t[]){2, 2}, (const uint16_t[]){1, 2, 3, 4});
    expect_npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2, 5), }",
               "akfpblgqcmhrdniseojt", 20, FLT_I8, "zyx", (const int32_t[]){2, 2, 5},
               "abcdefghijklmnopqrst");
}

static void fortran_order_of_one_axis_or_none_is_plain(void **state)
{
    (void)state;
    expect_npy("{'descr': '|u1', 'fortran_order': True, 'shape': (3,), }", "abc", 3, FLT_U8, "x",
               (const int32_t[]){3}, "abc");
    expect_npy("{'descr': '|u1', 'fortran_order': True, 'shape': (), }", "a", 1, FLT_U8, "", NULL,
               "a");
}

static void axes_are_named_by_rank(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *axes;
        int32_t extent[FLT_MAX_RANK];
    } rows[] = {
        {"()", "", {0}},
        {"(2,)", "x", {2}},
        {"(2, 3)", "yx", {2, 3}},
        {"(2, 3, 1)", "yxc", {2, 3, 1}},
        {"(2, 3, 4)", "yxc", {2, 3, 4}},
        {"(2, 3, 5)", "zyx", {2, 3, 5}},
        {"(1, 2, 3, 5)", "tzyx", {1, 2, 3, 5}},
        {"(2, 3, 2, 4)", "zyxc", {2, 3, 2, 4}},
        {"(1, 1, 2, 3, 5)", "utzyx", {1, 1, 2, 3, 5}},
        {"(1, 1, 2, 3, 3)", "tzyxc", {1, 1, 2, 3, 3}},
        {"(2, 1, 1, 2, 3, 1, 1, 2)", "wvutzyxc", {2, 1, 1, 2, 3, 1, 1, 2}},
        {"(2, 1, 1, 2, 1, 1, 1, 5)", "swvutzyx", {2, 1, 1, 2, 1, 1, 1, 5}},
    };
    unsigned char samples[64];
    for (size_t i = 0; i < sizeof samples; i++)
        samples[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char dictionary[120];
        snprintf(dictionary, sizeof dictionary,
                 "{'descr': '|u1', 'fortran_order': False, 'shape': %s, }", rows[i].shape);
        size_t length = 1;
        for (size_t k = 0; k < strlen(rows[i].axes); k++)
            length *= (size_t)rows[i].extent[k];
        expect_npy(dictionary, samples, length, FLT_U8, rows[i].axes, rows[i].extent, samples);
    }
}

static void headers_may_be_written_otherwise(void **state)
{
    (void)state;
    const int32_t extent[] = {1, 2};
    static const char *const dictionaries[] = {
        "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"|u1\"}",
        "  { 'shape' : ( 1 , 2 , ) , 'descr' : 'u1' , 'fortran_order' : False , }  \n",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1L, 2L), }",
    };
    for (size_t i = 0; i < sizeof dictionaries / sizeof dictionaries[0]; i++)
        expect_npy(dictionaries[i], "ab", 2, FLT_U8, "yx", extent, "ab");
}

static void versions_1_to_3(void **state)
{
    (void)state;
    const char *const dictionary = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n";
    for (int version = 1; version <= 3; version++) {
        const struct npy npy = make_npy(version, dictionary, "ab", 2);
        expect_loads(npy.at, npy.length, FLT_U8, "x", (const int32_t[]){2}, "ab");
        expect_prefixes_refused(npy.at, npy.length);
    }
    const struct npy fourth = make_npy(4, dictionary, "ab", 2);
    expect_refused(fourth.at, fourth.length, FLT_UNSUPPORTED,
                   "it is of version 4 of NPY; 1 to 3 can be read");
    const struct npy zeroth = make_npy(0, dictionary, "ab", 2);
    expect_refused(zeroth.at, zeroth.length, FLT_UNSUPPORTED, NULL);
}

static void expect_complex(const char *dictionary, const void *bytes, size_t length,
                           enum flt_element element, int rank)
{
    const struct npy npy = make_npy(1, dictionary, bytes, length);
    struct flt_image image;
    assert_int_equal(flt_image_load_bytes("it", npy.at, npy.length, &image, NULL), FLT_OK);
    assert_int_equal(image.element, element);
    assert_int_equal(image.rank, rank);
    assert_true(flt_image_is_complex(&image));
    assert_memory_equal(image.data, bytes, length);
    flt_image_destroy(&image);
}

static void complex_numbers_are_pairs(void **state)
{
    (void)state;
    static const float samples[] = {1, -2, 3, 4, 5, 6};
    static const double wide[] = {0.5, -0.25};
    expect_complex("{'descr': '=c8', 'fortran_order': False, 'shape': (1, 3), }", samples,
                   sizeof samples, FLT_F32, 3);
    expect_complex("{'descr': '=c16', 'fortran_order': True, 'shape': (1,), }", wide, sizeof wide,
                   FLT_F64, 2);
    expect_complex("{'descr': '=c16', 'fortran_order': False, 'shape': (), }", wide, sizeof wide,
                   FLT_F64, 1);
    expect_bad_npy("{'descr': '<c8', 'fortran_order': True, 'shape': (1, 3), }", sizeof samples,
                   FLT_UNSUPPORTED,
                   "it holds complex samples of 8 axes, or in Fortran order: save it in C order");
}

static void complex_numbers_make_a_round_trip(void **state)
{
    static const char *const axes[] = {"y", "x", FLT_COMPLEX_AXIS};
    static const int32_t extent[] = {2, 3, 2};
    struct flt_image image, loaded;
    assert_int_equal(flt_image_create(&image, FLT_F32, 3, axes, extent), FLT_OK);
    for (int i = 0; i < 12; i++)
        ((float *)image.data)[i] = (float)i - 3.5f;
    const char *const path = in_folder(state, "it.npy");
    assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
    assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
    assert_true(flt_image_is_complex(&loaded));
    assert_int_equal(loaded.extent[1], 3);
    assert_memory_equal(loaded.data, image.data, 12 * sizeof(float));
    char header[200] = {0};
    read_file(path, header, sizeof header - 1);
    assert_non_null(strstr(header + 10, "c8', 'fortran_order': False, 'shape': (2, 3)"));
    struct flt_detail detail;
    assert_int_equal(flt_image_save(in_folder(state, "it.png"), &image, &detail), FLT_UNSUPPORTED);
    flt_image_destroy(&loaded);
    flt_image_destroy(&image);
}

static void integers_of_64_bits_are_kept(void **state)
{
    const int64_t samples[] = {0, 1, (1LL << 53) + 1, INT64_MAX};
    const int64_t with_sign[] = {-1, INT64_MIN, (1LL << 62) + 1, INT64_MAX};
    const int32_t extent[] = {4};
    const char *const both[] = {"{'descr': '<u8', 'fortran_order': False, 'shape': (4,), }",
                                "{'descr': '<i8', 'fortran_order': False, 'shape': (4,), }"};
    expect_npy(both[0], samples, sizeof samples, FLT_I64, "x", extent, samples);
    expect_npy(both[1], with_sign, sizeof with_sign, FLT_I64, "x", extent, with_sign);
    const struct npy beyond = make_npy(1, both[0], with_sign, sizeof with_sign);
    expect_refused(beyond.at, beyond.length, FLT_UNSUPPORTED,
                   "it holds 18446744073709551615, a sample of 64 bits without sign; those below "
                   "2^63 can be read, as i64");
    const struct npy file = make_npy(1, both[1], with_sign, sizeof with_sign);
    struct flt_image image, loaded;
    const char *const path = in_folder(state, "it.npy");
    char header[200] = {0};
    assert_int_equal(flt_image_load_bytes("it", file.at, file.length, &image, NULL), FLT_OK);
    assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
    assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
    assert_memory_equal(loaded.data, with_sign, sizeof with_sign);
    read_file(path, header, sizeof header - 1);
    assert_non_null(strstr(header + 10, "i8', 'fortran_order': False, 'shape': (4,)"));
    flt_image_destroy(&loaded);
    flt_image_destroy(&image);
}

static void other_types_are_unsupported(void **state)
{
    (void)state;
    expect_bad_npy("{'descr': '<u2x', 'fortran_order': False, 'shape': (2,), }", 16,
                   FLT_UNSUPPORTED,
                   "it holds samples of NumPy type '<u2x'; bool, integers up to 64 bits, "
                   "float16, float32 and float64, complex64 and complex128 can be read");
    static const char *const descrs[] = {"<c4", "<c32", "|S1", "|O", "<U4", "<M8[ns]",
                                         "<f",  "f16",  "<",   "b2", "i3"};
    for (size_t i = 0; i < sizeof descrs / sizeof descrs[0]; i++) {
        char dictionary[100];
        snprintf(dictionary, sizeof dictionary,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }", descrs[i]);
        expect_bad_npy(dictionary, 64, FLT_UNSUPPORTED, NULL);
    }
    expect_bad_npy("{'descr': [('r', '|u1'), ('g', '|u1')], 'fortran_order': False, 'shape': (2,)}",
                   4, FLT_UNSUPPORTED, "it holds structures, not numbers");
}

static void damaged_headers_are_corrupt(void **state)
{
    (void)state;
    static const char *const dictionaries[] = {
        "",
        "{",
        "{}",
        "{'descr': '|u1', 'fortran_order': False, }",
        "{'descr': '|u1', 'shape': (1,), }",
        "{'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '|u1' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': 1}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '|u1, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'color': 'red'}",
        "{'a key much longer than any of ours': 1, 'descr': '|u1', 'shape': (1,)}",
    };
    for (size_t i = 0; i < sizeof dictionaries / sizeof dictionaries[0]; i++)
        expect_bad_npy(dictionaries[i], 8, FLT_CORRUPT, "it has a damaged header");
}

static void lying_headers_are_refused(void **state)
{
    (void)state;
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (60000, 60000), }", 120,
                   FLT_CORRUPT,
                   "it is cut off: it says 60000 by 60000 samples, but holds 120 bytes");
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 7, FLT_CORRUPT,
                   "it is cut off: it says 1 samples, but holds 7 bytes");
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }", 120, FLT_CORRUPT,
                   "it has no samples: it says 3 by 0");
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2147483648,), }", 120,
                   FLT_TOO_LARGE, NULL);
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, "
                   "'shape': (99999999999999999999999999999999,), }",
                   120, FLT_TOO_LARGE, NULL);
    expect_bad_npy("{'descr': '<f8', 'fortran_order': False, "
                   "'shape': (2147483647, 2147483647, 2147483647, 2147483647), }",
                   120, FLT_TOO_LARGE, NULL);
    expect_bad_npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1), }", 1,
                   FLT_UNSUPPORTED, "it has more than the 8 axes of an image");
    struct npy npy =
        make_npy(2, "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }", "a", 1);
    npy.at[11] = 0xff; /* a header of 4 GB */
    expect_refused(npy.at, npy.length, FLT_CORRUPT, "it is cut off in its header");
}

/* Every element at every rank, through a file. */
static void round_trips(void **state)
{
    static const char *const axes[] = {"",      "x",      "yx",      "zyx",     "tzyx",
                                       "utzyx", "vutzyx", "wvutzyx", "swvutzyx"};
    static const int32_t extents[] = {1, 2, 1, 2, 1, 2, 3, 5};
    for (int element = FLT_BOOL; element <= FLT_F16; element++)
        for (int rank = 0; rank <= FLT_MAX_RANK; rank++) {
            const char *names[FLT_MAX_RANK];
            char letters[FLT_MAX_RANK][2];
            for (int i = 0; i < rank; i++) {
                snprintf(letters[i], 2, "%c", axes[rank][i]);
                names[i] = letters[i];
            }
            const int32_t *const extent = extents + FLT_MAX_RANK - rank;
            struct flt_image image;
            assert_int_equal(
                flt_image_create(&image, (enum flt_element)element, rank, names, extent), FLT_OK);
            const size_t length =
                sample_count(&image) * flt_element_bytes((enum flt_element)element);
            for (size_t i = 0; i < length; i++)
                ((unsigned char *)image.data)[i] =
                    element == FLT_BOOL ? i % 3 == 0 : (unsigned char)(i * 41 + 7);
            const char *const path = in_folder(state, "it.npy");
            assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
            struct flt_image loaded;
            assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
            expect_image(&loaded, (enum flt_element)element, axes[rank], extent, image.data);
            flt_image_destroy(&loaded);
            flt_image_destroy(&image);
        }
}

/* NumPy 2.4 writes exactly this for numpy.array([[1, 2, 3], [4, 5, -1]], 'i2'). */
static void files_are_as_numpy_writes_them(void **state)
{
    const int16_t samples[] = {1, 2, 3, 4, 5, -1};
    const struct flt_image image = {.element = FLT_I16,
                                    .rank = 2,
                                    .axis = {"y", "x"},
                                    .extent = {2, 3},
                                    .stride = {3, 1},
                                    .data = (void *)samples};
    const char *const path = in_folder(state, "it.npy");
    assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
    char expected[128 + 12 + 1];
    memcpy(expected, "\x93NUMPY\1\0v\0", 10);
    snprintf(expected + 10, sizeof expected - 10, "%-117s\n",
             "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }");
    memcpy(expected + 128, "\1\0\2\0\3\0\4\0\5\0\xff\xff", 12);
    if (!flt_host_is_little()) {
        expected[21] = '>';
        flt_swap_bytes(expected + 128, 6, 2);
    }
    char written[200];
    assert_int_equal(read_file(path, written, sizeof written), 128 + 12);
    assert_memory_equal(written, expected, 128 + 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types_in_both_byte_orders),
        cmocka_unit_test(big_endian_by_hand),
        cmocka_unit_test(any_byte_but_0_is_true),
        cmocka_unit_test(fortran_order_is_transposed),
        cmocka_unit_test(fortran_order_of_one_axis_or_none_is_plain),
        cmocka_unit_test(axes_are_named_by_rank),
        cmocka_unit_test(headers_may_be_written_otherwise),
        cmocka_unit_test(versions_1_to_3),
        cmocka_unit_test(complex_numbers_are_pairs),
        cmocka_unit_test_setup_teardown(complex_numbers_make_a_round_trip, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(integers_of_64_bits_are_kept, make_folder, remove_folder),
        cmocka_unit_test(other_types_are_unsupported),
        cmocka_unit_test(damaged_headers_are_corrupt),
        cmocka_unit_test(lying_headers_are_refused),
        cmocka_unit_test_setup_teardown(round_trips, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_are_as_numpy_writes_them, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
