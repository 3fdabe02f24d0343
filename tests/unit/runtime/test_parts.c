/* Parts of images: those of a file are those of the whole image, a file that is written part by
 * part has the bytes of one that is saved, and what cannot be read or written so says so. */
#include "expect_image.h"
#include "make_tiff.h"
#include "temporary_folder.h"

#include "flt/image_parts.h"

#include <sys/stat.h>

enum { MOST_BYTES = 1 << 18 };

static unsigned random_below(unsigned n)
{
    static uint32_t state = 1;
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % n;
}

/* An image of samples that are all different, as far as their type goes; floats from 0 to 1. */
static struct flt_image make_image(enum flt_element element, const char *axes,
                                   const int32_t extent[])
{
    struct flt_image image;
    const char *axis[FLT_MAX_RANK];
    char name[FLT_MAX_RANK][2] = {""};
    const int rank = (int)strlen(axes);
    for (int i = 0; i < rank; i++) {
        name[i][0] = axes[i];
        axis[i] = name[i];
    }
    assert_int_equal(flt_image_create(&image, element, rank, axis, extent), FLT_OK);
    const size_t count = sample_count(&image), bytes = flt_element_bytes(element);
    for (size_t i = 0; i < count; i++)
        if (element == FLT_F32)
            ((float *)image.data)[i] = (float)random_below(1000) / 999;
        else if (element == FLT_F64)
            ((double *)image.data)[i] = random_below(1000) / 999.0;
        else
            for (size_t k = 0; k < bytes; k++)
                ((unsigned char *)image.data)[i * bytes + k] =
                    (unsigned char)random_below(element == FLT_BOOL ? 2 : 256);
    return image;
}

static void random_box(const struct flt_image *image, int32_t first[], int32_t end[])
{
    for (int k = 0; k < image->rank; k++) {
        const unsigned extent = (unsigned)image->extent[k];
        first[k] = random_below(2) ? 0 : (int32_t)random_below(extent);
        end[k] = random_below(2)
                     ? (int32_t)extent
                     : first[k] + 1 + (int32_t)random_below(extent - (unsigned)first[k]);
    }
}

/* The part of an image in memory. */
static struct flt_image view_of(const struct flt_image *image, const int32_t first[],
                                const int32_t end[])
{
    struct flt_image view = *image;
    for (int k = 0; k < view.rank; k++) {
        view.data = (char *)view.data +
                    first[k] * view.stride[k] * (ptrdiff_t)flt_element_bytes(view.element);
        view.extent[k] = end[k] - first[k];
    }
    return view;
}

static void expect_same_samples(const struct flt_image *packed, const struct flt_image *view)
{
    const size_t count = sample_count(packed), bytes = flt_element_bytes(packed->element);
    for (size_t i = 0; i < count; i++) {
        size_t rest = i;
        ptrdiff_t offset = 0;
        for (int k = view->rank - 1; k >= 0; k--) {
            offset += (ptrdiff_t)(rest % (size_t)view->extent[k]) * view->stride[k];
            rest /= (size_t)view->extent[k];
        }
        assert_memory_equal((char *)packed->data + i * bytes,
                            (char *)view->data + offset * (ptrdiff_t)bytes, bytes);
    }
}

/* Reads random parts of the file. */
static void expect_parts(const char *path, const struct flt_raw *raw)
{
    struct flt_image whole, form;
    struct flt_detail detail = {""};
    struct flt_parts_in *in;
    assert_int_equal(raw ? flt_image_load_raw(path, raw, &whole, &detail)
                         : flt_image_load(path, &whole, &detail),
                     FLT_OK);
    const enum flt_status status = flt_parts_open(path, raw, &in, &detail);
    assert_string_equal(detail.text, "");
    assert_int_equal(status, FLT_OK);
    assert_int_equal(flt_parts_image(in, &form), FLT_OK);
    assert_null(form.data);
    assert_int_equal(form.has_alpha, whole.has_alpha);
    assert_int_equal(form.has_plain_axes, whole.has_plain_axes);
    assert_int_equal(form.has_plain_pages, whole.has_plain_pages);
    for (int turn = 0; turn < 60; turn++) {
        int32_t first[FLT_MAX_RANK], end[FLT_MAX_RANK];
        struct flt_image part;
        random_box(&form, first, end);
        assert_int_equal(flt_parts_read(in, first, end, &part, &detail), FLT_OK);
        const struct flt_image view = view_of(&whole, first, end);
        assert_int_equal(part.element, whole.element);
        assert_int_equal(part.rank, whole.rank);
        for (int k = 0; k < part.rank; k++) {
            assert_int_equal(part.extent[k], view.extent[k]);
            assert_string_equal(part.axis[k], whole.axis[k]);
            assert_true(part.spacing[k] >= whole.spacing[k] && part.spacing[k] <= whole.spacing[k]);
        }
        expect_same_samples(&part, &view);
        flt_image_destroy(&part);
    }
    flt_parts_close(in);
    flt_image_destroy(&form);
    flt_image_destroy(&whole);
}

static size_t read_all(const char *path, unsigned char *bytes)
{
    const size_t length = read_file(path, bytes, MOST_BYTES);
    assert_true(length > 0 && length < MOST_BYTES);
    return length;
}

/* Writes the image part by part, in any order, and compares with the file that is saved. */
static void expect_written(void *const *state, const char *name, const struct flt_image *image,
                           int depth)
{
    static unsigned char saved[MOST_BYTES], written[MOST_BYTES];
    const struct flt_save_options options = {.depth = depth};
    struct flt_parts_out *out;
    struct flt_detail detail;
    char path[4096];
    snprintf(path, sizeof path, "%s", in_folder(state, name));
    assert_int_equal(flt_image_save_as(path, image, &options, &detail), FLT_OK);
    const size_t length = read_all(path, saved);
    remove(path);
    assert_true(flt_parts_can_create(path, &options));
    const enum flt_status status = flt_parts_create(path, image, &options, &out, &detail);
    assert_string_equal(detail.text, "");
    assert_int_equal(status, FLT_OK);
    for (int turn = 0; turn < 20; turn++) {
        int32_t first[FLT_MAX_RANK], end[FLT_MAX_RANK];
        random_box(image, first, end);
        const struct flt_image view = view_of(image, first, end);
        assert_int_equal(flt_parts_write(out, first, &view, &detail), FLT_OK);
    }
    for (int32_t i = image->rank > 0 ? image->extent[0] : 1; i-- > 0;) { /* the last row first */
        int32_t first[FLT_MAX_RANK] = {i}, end[FLT_MAX_RANK];
        for (int k = 0; k < image->rank; k++)
            end[k] = k == 0 ? i + 1 : image->extent[k];
        const struct flt_image view = view_of(image, first, end);
        assert_int_equal(flt_parts_write(out, first, &view, &detail), FLT_OK);
    }
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(flt_parts_finish(out, &detail), FLT_OK);
    assert_int_equal(read_all(path, written), length);
    assert_memory_equal(written, saved, length);
}

static void parts_are_those_of_the_whole(void **state)
{
    static const struct {
        const char *name, *axes;
        enum flt_element element;
        int32_t extent[FLT_MAX_RANK];
        int depth;
    } files[] = {
        {"it.npy", "yx", FLT_U8, {7, 9}, 0},          {"it.npy", "zyx", FLT_U16, {3, 7, 2050}, 0},
        {"it.npy", "yxc", FLT_F32, {7, 9, 3}, 0},     {"it.npy", "zyx", FLT_BOOL, {2, 7, 9}, 0},
        {"it.npy", "x", FLT_F64, {1000}, 0},          {"it.npy", "", FLT_I64, {0}, 0},
        {"it.raw", "yx", FLT_F64, {7, 9}, 0},         {"it.raw", "zyx", FLT_BOOL, {2, 7, 9}, 0},
        {"it.pgm", "yx", FLT_U8, {7, 9}, 0},          {"it.pgm", "yx", FLT_U16, {7, 9}, 0},
        {"it.pgm", "yx", FLT_F32, {7, 9}, 0},         {"it.pgm", "yx", FLT_BOOL, {7, 9}, 0},
        {"it.pgm", "yx", FLT_F32, {7, 9}, 16},        {"it.pgm", "yx", FLT_U16, {7, 9}, 8},
        {"it.ppm", "yxc", FLT_U8, {7, 9, 3}, 0},      {"it.ppm", "cyx", FLT_U16, {3, 7, 9}, 0},
        {"it.pnm", "yxc", FLT_F64, {7, 9, 3}, 0},     {"it.pfm", "yx", FLT_F32, {7, 9}, 0},
        {"it.pfm", "yxc", FLT_F64, {7, 9, 3}, 0},     {"it.pfm", "cyx", FLT_F32, {3, 7, 9}, 0},
        {"it.tif", "yx", FLT_U16, {7, 9}, 0},         {"it.tif", "yxc", FLT_U8, {7, 9, 3}, 0},
        {"it.tif", "yx", FLT_BOOL, {7, 9}, 0},        {"it.tif", "tzyx", FLT_F32, {2, 3, 5, 4}, 0},
        {"it.tif", "ztyx", FLT_U8, {2, 3, 5, 4}, 0},  {"it.tif", "cyx", FLT_I16, {5, 7, 9}, 0},
        {"it.tif", "zyxc", FLT_U16, {2, 3, 5, 4}, 0}, {"it.ome.tif", "zyx", FLT_U16, {2, 5, 4}, 0},
        {"it.tiff", "yx", FLT_F64, {7, 9}, 16},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct flt_image image = make_image(files[i].element, files[i].axes, files[i].extent);
        expect_written(state, files[i].name, &image, files[i].depth);
        struct flt_raw raw = {.element = image.element, .rank = image.rank};
        memcpy(raw.axis, image.axis, sizeof raw.axis);
        memcpy(raw.extent, image.extent, sizeof raw.extent);
        expect_parts(in_folder(state, files[i].name),
                     strcmp(files[i].name, "it.raw") == 0 ? &raw : NULL);
        flt_image_destroy(&image);
    }
}

static void files_of_others_are_read(void **state)
{
    static const struct {
        const char *mode;
        struct tiff_form form;
    } tiffs[] = {
        {"wl", {15, 13, 1, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 1, 0}},
        {"wb", {15, 13, 3, 16, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, COMPRESSION_NONE, 1, 0}},
        {"wb8",
         {15, 13, 1, 32, SAMPLEFORMAT_IEEEFP, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 1, 0}},
        {"wl", {15, 13, 1, 16, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISWHITE, COMPRESSION_NONE, 1, 0}},
        {"wl", {15, 13, 3, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, COMPRESSION_LZW, 1, 0}},
        {"wb", {20, 18, 1, 16, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZW, 1, 16}},
        {"wl", {20, 18, 3, 8, SAMPLEFORMAT_UINT, PHOTOMETRIC_RGB, COMPRESSION_NONE, 2, 16}},
        {"wl", {15, 13, 1, 1, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 1, 0}},
        {"wl", {15, 13, 1, 4, SAMPLEFORMAT_UINT, PHOTOMETRIC_MINISBLACK, COMPRESSION_LZW, 1, 0}},
    };
    static const char *const pnm[] = {"P5 3 2 100\n\1\2\3\4\5\144", "P5 1 3 1000\n\3\1\3\2\0\7",
                                      "P6\n1 2\n255\n\n\0\n\0\0"};
    static const size_t length[] = {17, 18, 17};
    unsigned char pixels[20 * 18 * 6];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)random_below(200);
    for (size_t i = 0; i < sizeof tiffs / sizeof tiffs[0]; i++) {
        const struct bytes file = make_tiff(tiffs[i].mode, &tiffs[i].form, pixels);
        write_file(in_folder(state, "it.tif"), file.at, file.length);
        expect_parts(in_folder(state, "it.tif"), NULL);
    }
    for (size_t i = 0; i < sizeof pnm / sizeof pnm[0]; i++) {
        write_file(in_folder(state, "it.pnm"), pnm[i], length[i]);
        expect_parts(in_folder(state, "it.pnm"), NULL);
    }
}

static void expect_not_by_place(const char *path)
{
    struct flt_detail detail = {"untouched"};
    struct flt_parts_in *in;
    assert_int_equal(flt_parts_open(path, NULL, &in, &detail), FLT_UNSUPPORTED);
    assert_string_equal(detail.text, "");
    assert_null(in);
}

static void some_files_are_not_read_by_place(void **state)
{
    static const char *const texts[] = {"P2 2 1 9 3 4 ", "P4 8 1 x", "P5 1 1 255 xP5 1 1 255 y",
                                        "1,2\n3,4\n", "nothing known"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file(in_folder(state, "it"), texts[i], strlen(texts[i]));
        expect_not_by_place(in_folder(state, "it"));
    }
    const char *const pipe = in_folder(state, "pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    expect_not_by_place(pipe);
    expect_not_by_place("-");
    assert_false(flt_parts_can_create(pipe, NULL));
    assert_false(flt_parts_can_create("-", NULL));
    assert_false(flt_parts_can_create("/dev/null", NULL));
    assert_false(flt_parts_can_create(in_folder(state, "it.png"), NULL));
    assert_false(flt_parts_can_create(in_folder(state, "it.xyz"), NULL));
    assert_true(flt_parts_can_create(in_folder(state, "it.tif"), NULL));
    assert_true(flt_parts_can_create(in_folder(state, "it.xyz"),
                                     &(struct flt_save_options){.format = "npy"}));
}

static void damaged_files_are_refused(void **state)
{
    struct flt_detail detail;
    struct flt_parts_in *in;
    char path[4096], text[sizeof path + 100];
    snprintf(path, sizeof path, "%s", in_folder(state, "it.pgm"));
    write_file(path, "P5 3 2 255\n12345", 16);
    assert_int_equal(flt_parts_open(path, NULL, &in, &detail), FLT_CORRUPT);
    snprintf(text, sizeof text, "%s is cut off: it says 2 by 3 samples, but holds 5 bytes", path);
    assert_string_equal(detail.text, text);
    assert_int_equal(flt_parts_open("/nowhere/it.pgm", NULL, &in, &detail), FLT_CANNOT_OPEN);
    assert_string_equal(detail.text, "cannot open /nowhere/it.pgm: No such file or directory");
    /* What becomes damaged, or shows only in the samples. */
    const int32_t none[2] = {0, 0}, all[2] = {2, 3};
    struct flt_image part;
    write_file(path, "P5 3 2 50\n12345\n", 16);
    assert_int_equal(flt_parts_open(path, NULL, &in, &detail), FLT_OK);
    assert_int_equal(flt_parts_read(in, none, all, &part, &detail), FLT_CORRUPT);
    snprintf(text, sizeof text, "%s has a sample of 51, but says that 50 is the largest", path);
    assert_string_equal(detail.text, text);
    assert_null(part.data);
    assert_int_equal(truncate(path, 12), 0);
    assert_int_equal(flt_parts_read(in, none, all, &part, &detail), FLT_CORRUPT);
    snprintf(text, sizeof text, "%s is cut off: it has become shorter", path);
    assert_string_equal(detail.text, text);
    /* What is no part. */
    assert_int_equal(flt_parts_read(in, none, (const int32_t[]){2, 4}, &part, &detail),
                     FLT_BAD_ARGUMENT);
    assert_int_equal(flt_parts_read(in, all, all, &part, NULL), FLT_BAD_ARGUMENT);
    flt_parts_close(in);
    flt_parts_close(NULL);
}

static void what_is_not_finished_is_not_there(void **state)
{
    struct flt_detail detail;
    struct flt_parts_out *out;
    const int32_t none[3] = {0};
    struct flt_image image = make_image(FLT_U8, "yx", (const int32_t[]){4, 5}),
                     other = make_image(FLT_U16, "yx", (const int32_t[]){4, 5});
    const char *const path = in_folder(state, "it.pgm");
    write_file(path, "old", 3);
    assert_int_equal(flt_parts_create(path, &image, NULL, &out, &detail), FLT_OK);
    assert_int_equal(flt_parts_write(out, none, &image, &detail), FLT_OK);
    assert_int_equal(flt_parts_write(out, none, &other, &detail), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_parts_write(out, (const int32_t[]){1, 0}, &image, &detail),
                     FLT_BAD_ARGUMENT);
    assert_int_equal(files_in(state), 2);
    flt_parts_discard(out);
    flt_parts_discard(NULL);
    assert_int_equal(files_in(state), 1);
    char text[4] = "";
    assert_int_equal(read_file(path, text, sizeof text), 3);
    assert_string_equal(text, "old");
    /* A format that does not hold the image says so at once. */
    assert_int_equal(flt_parts_create(in_folder(state, "it.ppm"), &image, NULL, &out, &detail),
                     FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "cannot hold 1 channels"));
    assert_int_equal(flt_parts_create("/nowhere/it.pgm", &image, NULL, &out, &detail),
                     FLT_CANNOT_WRITE);
    /* Several files that a signal interrupts. */
    struct flt_parts_out *another;
    assert_int_equal(flt_parts_create(in_folder(state, "a.npy"), &image, NULL, &out, NULL), FLT_OK);
    assert_int_equal(flt_parts_create(in_folder(state, "b.npy"), &image, NULL, &another, NULL),
                     FLT_OK);
    assert_int_equal(files_in(state), 3);
    flt_image_remove_unfinished();
    assert_int_equal(files_in(state), 1);
    flt_parts_discard(out);
    flt_parts_discard(another);
    flt_image_destroy(&image);
    flt_image_destroy(&other);
}

int main(void)
{
    TIFFSetErrorHandler(NULL); /* of make_tiff.h */
    TIFFSetWarningHandler(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_are_those_of_the_whole, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_of_others_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(some_files_are_not_read_by_place, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_not_finished_is_not_there, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
