/* Each allocation fails once, also those in libpng and libjpeg: loading and saving then say so,
 * or do without it, and give back what they took. */
#include "expect_image.h"
#include "make_jpeg.h"
#include "make_tiff.h"
#include "temporary_folder.h"

#include "flt/image_parts.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
enum { CAN_FAIL = 1 };

/* In place of the C library's, for all libraries of this process. */
static long until_failure = -1; /* allocations that still succeed; below 0: all do */
static long outstanding;        /* blocks taken and not given back since it was set */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);

/* libtiff 4.5.0 reads from NULL where it is refused memory for its tables, and does not tell what
 * its codecs lacked: it and zlib are left out. */
static bool is_of_libtiff(const void *caller)
{
    Dl_info about;
    return dladdr(caller, &about) && about.dli_fname &&
           (strstr(about.dli_fname, "libtiff") || strstr(about.dli_fname, "libz"));
}

static bool fails(const void *caller)
{
    if (until_failure < 0 || is_of_libtiff(caller))
        return false;
    if (until_failure == 0) {
        errno = ENOMEM;
        until_failure = -1; /* the next ones succeed: messages and cleaning up may need them */
        return true;
    }
    until_failure--;
    return false;
}

void *malloc(size_t size)
{
    void *const block = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    outstanding += block != NULL;
    return block;
}

void *calloc(size_t count, size_t size)
{
    void *const block = fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
    outstanding += block != NULL;
    return block;
}

void *realloc(void *old, size_t size)
{
    void *const block = fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
    outstanding += block && !old;
    return block;
}

void free(void *block)
{
    outstanding -= block != NULL;
    __libc_free(block);
}

#else
enum { CAN_FAIL = 0 };
static long until_failure = -1, outstanding;
#endif

static unsigned char pixels[40 * 40 * 4];

static struct bytes png_file(void)
{
    static const unsigned char rows[8 * 9] = {0};
    struct bytes file;
    begin_png(&file, 8, 8, 8, 0, 0);
    end_png(&file, rows, sizeof rows);
    return file;
}

static struct bytes interlaced_file(void)
{
    static const unsigned char rows[1024] = {0};
    struct bytes file;
    begin_png(&file, 9, 7, 8, 6, 1);
    end_png(&file, rows, 14 + 4 * 63);
    return file;
}

static struct bytes jpeg_file(void)
{
    return make_jpeg(&(struct jpeg_form){24, 20, JCS_RGB, false, 6}, pixels);
}

static struct bytes progressive_file(void)
{
    return make_jpeg(&(struct jpeg_form){24, 20, JCS_CMYK, true, 0}, pixels);
}

static struct bytes strips_file(void)
{
    const struct tiff_form form = {9, 7, 3, 16, 1, PHOTOMETRIC_RGB, COMPRESSION_NONE, 2, 0};
    return make_tiff("wb", &form, pixels);
}

static struct bytes tiles_file(void)
{
    const struct tiff_form form = {9, 20, 4, 8, 1, PHOTOMETRIC_RGB, COMPRESSION_LZW, 1, 16};
    return make_tiff("wl", &form, pixels);
}

static struct bytes deflated_file(void)
{
    const struct tiff_form form = {
        9, 20, 1, 32, 3, PHOTOMETRIC_MINISBLACK, COMPRESSION_ADOBE_DEFLATE, 1, 0};
    return make_tiff("wl", &form, pixels);
}

static struct bytes inks_file(void)
{
    const struct tiff_form form = {9, 7, 4, 8, 1, PHOTOMETRIC_SEPARATED, COMPRESSION_NONE, 1, 0};
    return make_tiff("wl", &form, pixels);
}

/* With OME-XML of two planes, which two elements place. */
static struct bytes ome_file(void)
{
    const struct tiff_form form = {2, 3, 1, 8, 1, PHOTOMETRIC_MINISBLACK, COMPRESSION_NONE, 1, 0};
    struct bytes file;
    TIFF *const tiff = begin_tiff(&file, "wl");
    for (int i = 0; i < 2; i++) {
        set_tiff_form(tiff, &form);
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                     "<OME><Image><Pixels DimensionOrder=\"XYZCT\" SizeX=\"3\" SizeY=\"2\" "
                     "SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\"><TiffData "
                     "IFD=\"1\"/><TiffData IFD=\"0\" FirstZ=\"1\"/></Pixels></Image></OME>");
        put_tiff_page(tiff, &form, pixels);
    }
    TIFFClose(tiff);
    return file;
}

static struct bytes pgm_file(void)
{
    struct bytes file = {.length = 0};
    put_text(&file, "P5 4 4 255\n0123456789abcdef");
    return file;
}

static void loading_tells(void **state)
{
    (void)state;
    static struct bytes (*const makes[])(void) = {
        png_file,   interlaced_file, jpeg_file, progressive_file, strips_file,
        tiles_file, deflated_file,   inks_file, pgm_file,         ome_file};
    if (!CAN_FAIL)
        skip();
    for (size_t i = 0; i < sizeof makes / sizeof makes[0]; i++) {
        const struct bytes file = makes[i]();
        int refused = 0;
        for (long n = 0;; n++) {
            struct flt_image image;
            struct flt_detail detail = {""};
            const long before = outstanding;
            until_failure = n;
            const enum flt_status status =
                flt_image_load_bytes("it", file.at, file.length, &image, &detail);
            const bool failed = until_failure < 0;
            until_failure = -1;
            if (status != FLT_OK && status != FLT_NO_MEMORY)
                print_message("file %zu, allocation %ld: %s\n", i, n, detail.text);
            assert_true(status == FLT_OK || status == FLT_NO_MEMORY);
            assert_true(status == FLT_OK || strlen(detail.text) > 0);
            refused += status == FLT_NO_MEMORY;
            flt_image_destroy(&image);
            assert_int_equal(outstanding, before);
            if (!failed)
                break;
        }
        assert_true(refused > 0);
    }
}

static struct flt_image spread_image(void)
{
    return (struct flt_image){.element = FLT_U8,
                              .rank = 3,
                              .axis = {"y", "x", "c"},
                              .extent = {9, 7, 3},
                              .stride = {30, 4, 1}, /* rows have to be packed */
                              .data = pixels,
                              .spacing = {0.5, 0.5}, /* which a TIFF describes in a text */
                              .unit = {"mm", "mm"}};
}

static void saving_tells_and_leaves_nothing(void **state)
{
    static const char *const names[] = {"it.png", "it.jpg", "it.tif",    "it.ppm",
                                        "it.npy", "it.raw", "it.ome.tif"};
    const struct flt_image image = spread_image();
    if (!CAN_FAIL)
        skip();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (long n = 0;; n++) {
            struct flt_detail detail = {""};
            const char *const path = in_folder(state, names[i]);
            const long before = outstanding;
            until_failure = n;
            const enum flt_status status = flt_image_save(path, &image, &detail);
            const bool failed = until_failure < 0;
            until_failure = -1;
            if (status != FLT_OK && status != FLT_NO_MEMORY)
                print_message("%s, allocation %ld: %s\n", names[i], n, detail.text);
            assert_true(status == FLT_OK || status == FLT_NO_MEMORY);
            assert_int_equal(outstanding, before);
            assert_null(flt_image_unfinished);
            assert_int_equal(files_in(state), status == FLT_OK);
            remove(path);
            if (!failed)
                break;
        }
}

/* A file part by part, there and back. */
static enum flt_status write_and_read(const char *path, const struct flt_image *image,
                                      struct flt_detail *detail)
{
    const int32_t none[3] = {0};
    struct flt_parts_out *out;
    struct flt_parts_in *in;
    struct flt_image part;
    enum flt_status status =
        flt_parts_create(path, image, &(struct flt_save_options){.depth = 0}, &out, detail);
    if (status == FLT_OK) {
        status = flt_parts_write(out, none, image, detail);
        if (status == FLT_OK)
            status = flt_parts_finish(out, detail);
        else
            flt_parts_discard(out);
    }
    if (status == FLT_OK)
        status = flt_parts_open(path, NULL, &in, detail);
    if (status != FLT_OK)
        return status;
    status = flt_parts_read(in, none, (const int32_t[]){3, 5, 2}, &part, detail);
    flt_image_destroy(&part);
    flt_parts_close(in);
    return status;
}

static void parts_tell_and_leave_nothing(void **state)
{
    static const char *const names[] = {"it.npy", "it.pnm", "it.tif"};
    const struct flt_image image = spread_image();
    if (!CAN_FAIL)
        skip();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (long n = 0;; n++) {
            struct flt_detail detail = {""};
            const char *const path = in_folder(state, names[i]);
            const long before = outstanding;
            until_failure = n;
            const enum flt_status status = write_and_read(path, &image, &detail);
            const bool failed = until_failure < 0;
            until_failure = -1;
            assert_true(status == FLT_OK || (status == FLT_NO_MEMORY && strlen(detail.text) > 0));
            assert_int_equal(outstanding, before);
            remove(path);
            assert_int_equal(files_in(state), 0);
            if (!failed)
                break;
        }
}

/* Whether a format holds samples of so many bits is tried on a picture in memory. */
static void asking_leaves_nothing(void **state)
{
    static const char *const names[] = {"it.png", "it.tif", "it.ppm"};
    static const int depths[] = {0, 8, 16};
    (void)state;
    if (!CAN_FAIL)
        skip();
    for (size_t i = 0; i < 9; i++)
        for (long n = 0;; n++) {
            struct flt_detail detail = {""};
            const struct flt_save_options options = {.depth = depths[i / 3]};
            const long before = outstanding;
            until_failure = n;
            const enum flt_status status =
                flt_image_can_save(names[i % 3], FLT_F32, &options, &detail);
            const bool failed = until_failure < 0;
            until_failure = -1;
            assert_int_equal(outstanding, before);
            assert_true(status == FLT_OK || (failed && status == FLT_NO_MEMORY));
            if (!failed)
                break;
        }
}

int main(void)
{
    TIFFSetErrorHandler(NULL); /* of make_tiff.h */
    TIFFSetWarningHandler(NULL);
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * i / 97 % 120);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_tells),
        cmocka_unit_test(asking_leaves_nothing),
        cmocka_unit_test_setup_teardown(parts_tell_and_leave_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(saving_tells_and_leaves_nothing, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
