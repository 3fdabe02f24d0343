/* Images in memory; telling formats; reading files and standard input. */
#include "expect_image.h"
#include "temporary_folder.h"

#include <fcntl.h>

static void elements_have_names_and_sizes(void **state)
{
    (void)state;
    static const struct {
        enum flt_element element;
        const char *name;
        size_t bytes;
    } rows[] = {{FLT_BOOL, "bool", 1}, {FLT_U8, "u8", 1},   {FLT_I8, "i8", 1},
                {FLT_U16, "u16", 2},   {FLT_I16, "i16", 2}, {FLT_U32, "u32", 4},
                {FLT_I32, "i32", 4},   {FLT_I64, "i64", 8}, {FLT_F32, "f32", 4},
                {FLT_F64, "f64", 8},   {FLT_F16, "f16", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(flt_element_name(rows[i].element), rows[i].name);
        assert_int_equal(flt_element_bytes(rows[i].element), rows[i].bytes);
    }
    assert_int_equal(flt_element_bytes((enum flt_element)(FLT_F16 + 1)), 0);
    assert_string_equal(flt_element_name((enum flt_element)99), "?");
}

static void statuses_have_distinct_texts(void **state)
{
    (void)state;
    for (int a = FLT_OK; a <= FLT_TOO_LARGE; a++)
        for (int b = FLT_OK; b < a; b++)
            assert_string_not_equal(flt_status_text((enum flt_status)a),
                                    flt_status_text((enum flt_status)b));
    assert_string_equal(flt_status_text(FLT_OK), "no error");
    assert_string_equal(flt_status_text((enum flt_status)(FLT_TOO_LARGE + 1)), "unknown status");
}

static void create_packs_zeroes_and_aligns(void **state)
{
    (void)state;
    const unsigned char zeroes[2 * 3 * 5 * 8] = {0};
    for (int element = FLT_BOOL; element <= FLT_F16; element++) {
        struct flt_image image;
        assert_int_equal(flt_image_create(&image, (enum flt_element)element, 3,
                                          (const char *const[]){"z", "y", "x"},
                                          (const int32_t[]){2, 3, 5}),
                         FLT_OK);
        expect_image(&image, (enum flt_element)element, "zyx", (const int32_t[]){2, 3, 5}, zeroes);
        flt_image_destroy(&image);
        assert_null(image.data);
        assert_int_equal(image.rank, 0);
    }
}

static void create_takes_ranks_from_0_to_8(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    static const int32_t extent[] = {1, 2, 1, 3, 1, 2, 1, 2};
    const char zeroes[24 * 2] = {0};
    for (int rank = 0; rank <= FLT_MAX_RANK; rank++) {
        struct flt_image image;
        assert_int_equal(
            flt_image_create(&image, FLT_I16, rank, rank ? names : NULL, rank ? extent : NULL),
            FLT_OK);
        char axes[FLT_MAX_RANK + 1] = "abcdefgh";
        axes[rank] = '\0';
        expect_image(&image, FLT_I16, axes, extent, zeroes);
        flt_image_destroy(&image);
    }
}

static void expect_not_created(enum flt_status status, int element, int rank,
                               const char *const axis[], const int32_t extent[])
{
    struct flt_image image;
    memset(&image, 0xaa, sizeof image);
    assert_int_equal(flt_image_create(&image, (enum flt_element)element, rank, axis, extent),
                     status);
    assert_null(image.data);
    assert_int_equal(image.rank, 0);
    flt_image_destroy(&image);
}

static void create_refuses_bad_arguments(void **state)
{
    (void)state;
    const char *const axis[] = {"y", "x", "c", "d", "e", "f", "g", "h", "i"};
    const int32_t extent[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    expect_not_created(FLT_BAD_ARGUMENT, FLT_F16 + 1, 2, axis, extent);
    expect_not_created(FLT_BAD_ARGUMENT, -1, 2, axis, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, -1, axis, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 9, axis, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 2, NULL, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 2, axis, NULL);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 2, axis, (const int32_t[]){3, 0});
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 2, axis, (const int32_t[]){-3, 1});
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 1, (const char *const[]){""}, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 1, (const char *const[]){NULL}, extent);
    expect_not_created(FLT_BAD_ARGUMENT, FLT_U8, 1, (const char *const[]){"sixteen_letters_"},
                       extent);
    assert_int_equal(flt_image_create(NULL, FLT_U8, 0, NULL, NULL), FLT_BAD_ARGUMENT);
}

static void create_takes_a_name_of_15_bytes(void **state)
{
    (void)state;
    struct flt_image image;
    assert_int_equal(flt_image_create(&image, FLT_U8, 1, (const char *const[]){"fifteen_letters"},
                                      (const int32_t[]){4}),
                     FLT_OK);
    assert_string_equal(image.axis[0], "fifteen_letters");
    flt_image_destroy(&image);
}

static void create_refuses_more_than_2_to_the_40(void **state)
{
    (void)state;
    const char *const axis[] = {"t", "z", "y", "x", "c"};
    expect_not_created(FLT_TOO_LARGE, FLT_U8, 3, axis, (const int32_t[]){1 << 20, 1 << 20, 2});
    expect_not_created(FLT_TOO_LARGE, FLT_U8, 2, axis, (const int32_t[]){INT32_MAX, INT32_MAX});
    expect_not_created(FLT_TOO_LARGE, FLT_F64, 5, axis,
                       (const int32_t[]){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

static void destroy_takes_null_and_zeroed(void **state)
{
    (void)state;
    flt_image_destroy(NULL);
    struct flt_image image = {.element = FLT_BOOL};
    flt_image_destroy(&image);
    flt_image_destroy(&image);
    assert_null(image.data);
}

static void load_tells_formats_by_first_bytes(void **state)
{
    (void)state;
    expect_refused("", 0, FLT_UNKNOWN_FORMAT, "it is empty");
    const char *const nonsense = "it is none of PNG, JPEG, TIFF, PNM, PFM, NPY, CSV";
    expect_refused("hello", 5, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("P", 1, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("P7\n", 3, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("P5", 2, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("P5\0", 3, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("PK\3\4", 4, FLT_UNKNOWN_FORMAT, nonsense);
    expect_refused("\xff\xd8\xfe\xe0", 4, FLT_UNKNOWN_FORMAT, nonsense);
}

static void load_refuses_null(void **state)
{
    (void)state;
    struct flt_image image;
    struct flt_detail detail = {""};
    assert_int_equal(flt_image_load_bytes("it", NULL, 3, &image, &detail), FLT_BAD_ARGUMENT);
    assert_true(strlen(detail.text) > 0);
    assert_int_equal(flt_image_load_bytes(NULL, "P5", 2, &image, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_image_load_bytes("it", "P5", 2, NULL, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_image_load(NULL, &image, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_image_load("it", NULL, NULL), FLT_BAD_ARGUMENT);
}

static void details_are_one_line_with_a_short_name(void **state)
{
    (void)state;
    struct flt_image image;
    struct flt_detail detail;
    flt_image_load_bytes("a\nb\x7f.pgm", "?", 1, &image, &detail);
    assert_string_equal(detail.text, "a?b?.pgm is none of PNG, JPEG, TIFF, PNM, PFM, NPY, CSV");
    char deep[3000];
    memset(deep, 'd', sizeof deep);
    strcpy(deep + sizeof deep - 9, "/sky.pgm");
    flt_image_load_bytes(deep, "?", 1, &image, &detail);
    assert_string_equal(detail.text, "sky.pgm is none of PNG, JPEG, TIFF, PNM, PFM, NPY, CSV");
    memset(deep, 'd', sizeof deep - 1);
    flt_image_load_bytes(deep, "?", 1, &image, &detail);
    assert_int_equal(strlen(detail.text), sizeof detail.text - 1);
}

static void load_reads_a_file_whatever_its_name(void **state)
{
    write_file(in_folder(state, "sky.png"), "P5 2 1 255 ab", 13);
    struct flt_image image;
    assert_int_equal(flt_image_load(in_folder(state, "sky.png"), &image, NULL), FLT_OK);
    expect_image(&image, FLT_U8, "yx", (const int32_t[]){1, 2}, "ab");
    flt_image_destroy(&image);
}

static void load_names_the_file_it_cannot_open(void **state)
{
    struct flt_image image;
    struct flt_detail detail;
    const char *const path = in_folder(state, "none.pgm");
    assert_int_equal(flt_image_load(path, &image, &detail), FLT_CANNOT_OPEN);
    char expected[8300];
    snprintf(expected, sizeof expected, "cannot open %s: No such file or directory", path);
    assert_string_equal(detail.text, expected);
    assert_null(image.data);
    assert_int_equal(flt_image_load(*state, &image, &detail), FLT_CANNOT_READ);
    assert_non_null(strstr(detail.text, "Is a directory"));
    assert_null(image.data);
}

/* Larger than one read, so that the buffer grows, and of unknown length when it is a pipe. */
static void load_reads_standard_input(void **state)
{
    enum { ROWS = 700, COLUMNS = 901 };
    const char *const path = in_folder(state, "it");
    FILE *const file = fopen(path, "wb");
    fprintf(file, "P5 %d %d 255\n", COLUMNS, ROWS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        putc(i * 7 % 251, file);
    fclose(file);
    char command[8300];
    snprintf(command, sizeof command, "cat %s", path);
    FILE *const pipe = popen(command, "r");
    const int kept = dup(0);
    assert_true(dup2(fileno(pipe), 0) == 0);
    struct flt_image image;
    const enum flt_status status = flt_image_load("-", &image, NULL);
    dup2(kept, 0);
    close(kept);
    pclose(pipe);
    assert_int_equal(status, FLT_OK);
    assert_int_equal(image.extent[0], ROWS);
    assert_int_equal(image.extent[1], COLUMNS);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        assert_int_equal(((unsigned char *)image.data)[i], i * 7 % 251);
    flt_image_destroy(&image);
}

static void load_does_not_read_an_endless_file(void **state)
{
    (void)state;
    struct flt_image image;
    struct flt_detail detail;
    assert_int_equal(flt_image_load("/dev/zero", &image, &detail), FLT_UNKNOWN_FORMAT);
    assert_string_equal(detail.text, "/dev/zero is none of PNG, JPEG, TIFF, PNM, PFM, NPY, CSV");
    assert_int_equal(flt_image_load("/dev/null", &image, &detail), FLT_UNKNOWN_FORMAT);
    assert_string_equal(detail.text, "/dev/null is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_have_names_and_sizes),
        cmocka_unit_test(statuses_have_distinct_texts),
        cmocka_unit_test(create_packs_zeroes_and_aligns),
        cmocka_unit_test(create_takes_ranks_from_0_to_8),
        cmocka_unit_test(create_refuses_bad_arguments),
        cmocka_unit_test(create_takes_a_name_of_15_bytes),
        cmocka_unit_test(create_refuses_more_than_2_to_the_40),
        cmocka_unit_test(destroy_takes_null_and_zeroed),
        cmocka_unit_test(load_tells_formats_by_first_bytes),
        cmocka_unit_test(load_refuses_null),
        cmocka_unit_test(details_are_one_line_with_a_short_name),
        cmocka_unit_test_setup_teardown(load_reads_a_file_whatever_its_name, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(load_names_the_file_it_cannot_open, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(load_reads_standard_input, make_folder, remove_folder),
        cmocka_unit_test(load_does_not_read_an_endless_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
