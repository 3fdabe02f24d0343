/* What files tell beside their samples: spacing, EXIF data, profiles; there and back, and on the
 * way from image to image. */
#include "expect_image.h"
#include "make_png.h"
#include "temporary_folder.h"

#include "image/codec.h"

#include <math.h>

enum { EXIF_BYTES = 8 + 2 + 3 * 12 + 4 + 2 + 2 * 12 + 4, INNER = 8 + 2 + 3 * 12 + 4 };
enum { PROFILE_BYTES = 252 };

static void put_number(unsigned char *at, bool little, uint32_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[little ? i : size - 1 - i] = (unsigned char)(number >> 8 * i);
}

static void put_entry(unsigned char *at, bool little, unsigned tag, unsigned type, uint32_t value)
{
    memset(at, 0, 12);
    put_number(at, little, tag, 2);
    put_number(at + 2, little, type, 2);
    put_number(at + 4, little, 1, 4);
    put_number(at + 8, little, value, type == 3 ? 2 : 4);
}

/* Orientation, a tag of no interest, and the inner directory with columns and rows; and the place
 * of a thumbnail. */
static void make_exif(unsigned char exif[EXIF_BYTES], bool little, unsigned orientation,
                      uint32_t columns, uint32_t rows, uint32_t thumbnail)
{
    memcpy(exif, little ? "II*\0" : "MM\0*", 4);
    put_number(exif + 4, little, 8, 4);
    put_number(exif + 8, little, 3, 2);
    put_entry(exif + 10, little, 0x112, 3, orientation);
    put_entry(exif + 22, little, 0x128, 3, 7);
    put_entry(exif + 34, little, 0x8769, 4, INNER);
    put_number(exif + 46, little, thumbnail, 4);
    put_number(exif + INNER, little, 2, 2);
    put_entry(exif + INNER + 2, little, 0xa002, 4, columns);
    put_entry(exif + INNER + 14, little, 0xa003, 3, rows);
    put_number(exif + INNER + 26, little, 0, 4);
}

/* The least that libpng takes for a profile of RGB. */
static void make_profile(unsigned char profile[PROFILE_BYTES])
{
    static const unsigned char d50[] = {0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d};
    memset(profile, 0, PROFILE_BYTES);
    profile[3] = PROFILE_BYTES;
    profile[8] = 2;
    memcpy(profile + 12, "mntrRGB XYZ ", 12);
    memcpy(profile + 36, "acsp", 4);
    memcpy(profile + 68, d50, sizeof d50);
    memcpy(profile + 128, "\0\0\0\1desc\0\0\0\x90\0\0\0\x6ctext", 20);
    for (int i = 148; i < PROFILE_BYTES; i++) /* libpng takes none that is packed to a few bytes */
        profile[i] = (unsigned char)(i * i * 37 % 251);
}

static struct flt_image color_image(void)
{
    static const char *const axis[] = {"y", "x", "c"};
    struct flt_image image;
    assert_int_equal(flt_image_create(&image, FLT_U8, 3, axis, (const int32_t[]){8, 16, 3}),
                     FLT_OK);
    return image;
}

static const char *const names[] = {"it.png", "it.jpg", "it.tif"};

static void notes_come_back(void **state)
{
    unsigned char exif[EXIF_BYTES], settled[EXIF_BYTES], profile[PROFILE_BYTES];
    make_profile(profile);
    for (int n = 0; n < 3; n++)
        for (int little = 0; little < 2; little++) {
            struct flt_image image = color_image(), loaded;
            make_exif(exif, little, 6, 1, 2, 99);
            make_exif(settled, little, 1, 16, 8, 0);
            assert_true(flt_set_block(&image.exif, &image.exif_bytes, exif, EXIF_BYTES));
            assert_true(
                flt_set_block(&image.profile, &image.profile_bytes, profile, PROFILE_BYTES));
            for (int i = 0; i < 2; i++) {
                image.spacing[i] = i ? 0.01 : 0.02;
                strcpy(image.unit[i], "cm");
            }
            const char *const path = in_folder(state, names[n]);
            assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
            assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
            assert_memory_equal(image.exif, exif, EXIF_BYTES);
            assert_int_equal(loaded.profile_bytes, PROFILE_BYTES);
            assert_memory_equal(loaded.profile, profile, PROFILE_BYTES);
            assert_int_equal(loaded.exif_bytes, n == 2 ? 0 : EXIF_BYTES);
            if (n < 2)
                assert_memory_equal(loaded.exif, settled, EXIF_BYTES);
            assert_int_equal(loaded.extent[0], 8);
            for (int i = 0; i < 3; i++) {
                assert_true(loaded.spacing[i] == image.spacing[i]);
                assert_string_equal(loaded.unit[i], image.unit[i]);
            }
            flt_image_destroy(&loaded);
            flt_image_destroy(&image);
            remove(path);
        }
}

/* In a TIFF of several pages the profile stands behind a description, here of eight lengths. */
static void profiles_of_stacks_come_back(void **state)
{
    static const char *const axis[] = {"z", "y", "x", "c"};
    unsigned char profile[PROFILE_BYTES];
    make_profile(profile);
    for (int digits = 1; digits <= 8; digits++)
        for (int ome = 0; ome < 2; ome++) {
            struct flt_image image, loaded;
            assert_int_equal(
                flt_image_create(&image, FLT_U8, 4, axis, (const int32_t[]){2, 3, 5, 3}), FLT_OK);
            image.spacing[0] = 1 + ldexp(1, -digits);
            strcpy(image.unit[0], "mm");
            assert_true(
                flt_set_block(&image.profile, &image.profile_bytes, profile, PROFILE_BYTES));
            const char *const path = in_folder(state, ome ? "it.ome.tif" : "it.tif");
            assert_int_equal(flt_image_save(path, &image, NULL), FLT_OK);
            assert_int_equal(flt_image_load(path, &loaded, NULL), FLT_OK);
            assert_true(loaded.spacing[0] == image.spacing[0]);
            assert_int_equal(loaded.profile_bytes, PROFILE_BYTES);
            assert_memory_equal(loaded.profile, profile, PROFILE_BYTES);
            flt_image_destroy(&loaded);
            flt_image_destroy(&image);
            remove(path);
        }
}

/* Each byte that may be a place or a count, each end. */
static void damaged_exif_is_written_as_it_can(void **state)
{
    static const unsigned char telling[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < EXIF_BYTES; at++)
        for (size_t k = 0; k <= sizeof telling; k++) {
            const size_t length = k == sizeof telling ? at : EXIF_BYTES;
            unsigned char exif[EXIF_BYTES];
            make_exif(exif, at % 2, 3, 5, 6, 7);
            if (k < sizeof telling)
                exif[at] = telling[k];
            unsigned char *const exact = test_malloc(length + 1);
            memcpy(exact, exif, length);
            flt_exif_settle(exact, length, 70000, 3);
            const int orientation = flt_exif_orientation(exact, length);
            assert_true(orientation >= 0 && orientation <= 65535);
            test_free(exact);
        }
    struct flt_image image = color_image();
    assert_true(flt_set_block(&image.exif, &image.exif_bytes, "II*", 3));
    assert_true(flt_set_block(&image.profile, &image.profile_bytes, "no profile", 10));
    for (int n = 0; n < 3; n++)
        assert_int_equal(flt_image_save(in_folder(state, names[n]), &image, NULL), FLT_OK);
    flt_image_destroy(&image);
}

static void notes_are_kept_where_they_fit(void **state)
{
    (void)state;
    static const char *const axis[] = {"z", "y", "x", "c"};
    struct flt_image source = color_image(), image;
    source.spacing[0] = 3;
    source.spacing[1] = 2;
    strcpy(source.unit[0], "mm");
    assert_true(flt_set_block(&source.exif, &source.exif_bytes, "II*\0abcdefgh", 12));
    assert_true(flt_set_block(&source.profile, &source.profile_bytes, "profile", 7));
    static const struct {
        int32_t extent[4];
        double y, x;
        bool exif, profile;
    } shapes[] = {{{2, 8, 16, 3}, 3, 2, true, true},
                  {{2, 8, 15, 3}, 3, 0, false, true},
                  {{2, 8, 16, 1}, 3, 2, true, false},
                  {{2, 16, 8, 3}, 0, 0, false, true}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(flt_image_create(&image, FLT_F32, 4, axis, shapes[i].extent), FLT_OK);
        assert_int_equal(flt_image_keep(&image, &source), FLT_OK);
        assert_true(image.spacing[0] == 0 && image.spacing[3] == 0);
        assert_true(image.spacing[1] == shapes[i].y && image.spacing[2] == shapes[i].x);
        assert_string_equal(image.unit[1], shapes[i].y > 0 ? "mm" : "");
        assert_int_equal(image.exif != NULL, shapes[i].exif);
        assert_int_equal(image.profile != NULL, shapes[i].profile);
        image.spacing[1] = 7;
        assert_int_equal(flt_image_keep(&image, &source), FLT_OK);
        assert_true(image.spacing[1] == 7);
        flt_image_destroy(&image);
    }
    flt_image_destroy(&source);
}

static struct bytes png_with(const char *const chunks[][2], const size_t lengths[], size_t count)
{
    struct bytes png;
    begin_png(&png, 1, 1, 8, 0, 0);
    for (size_t i = 0; i < count; i++)
        put_chunk(&png, chunks[i][0], chunks[i][1], lengths[i]);
    end_png(&png, "\0a", 2);
    return png;
}

/* Through a file of the ending; the remark on what is lost. */
static void expect_remark_of(void **state, const struct flt_image *image, const char *name,
                             const char *remark)
{
    struct flt_detail detail = {"untouched"};
    assert_int_equal(flt_image_save(in_folder(state, name), image, &detail), FLT_OK);
    if (*remark)
        assert_non_null(strstr(detail.text, remark));
    else
        assert_string_equal(detail.text, "");
}

static void colors_of_a_png_are_kept(void **state)
{
    static const char cicp[] = {9, 16, 0, 1}, light[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const char *const chunks[][2] = {{"gAMA", "\0\1\x86\xa0"},
                                            {"cICP", cicp},
                                            {"cLLI", light},
                                            {"cHRM", "short"},
                                            {"gAMA", "twos"}};
    const struct bytes png = png_with(chunks, (const size_t[]){4, 4, 8, 5, 4}, 5);
    struct flt_image image, copy, loaded;
    assert_int_equal(flt_image_load_bytes("it", png.at, png.length, &image, NULL), FLT_OK);
    assert_int_equal(image.chunks_bytes, 3 * 8 + 16);
    assert_memory_equal(image.chunks, "\0\0\0\4gAMA\0\1\x86\xa0\0\0\0\4cICP\x09\x10\0\1", 24);
    assert_int_equal(flt_image_create(&copy, FLT_U8, 2, (const char *const[]){"y", "x"},
                                      (const int32_t[]){2, 3}),
                     FLT_OK);
    assert_int_equal(flt_image_keep(&copy, &image), FLT_OK);
    expect_remark_of(state, &copy, "it.png", "");
    assert_int_equal(flt_image_load(in_folder(state, "it.png"), &loaded, NULL), FLT_OK);
    assert_int_equal(loaded.chunks_bytes, image.chunks_bytes);
    assert_memory_equal(loaded.chunks, image.chunks, image.chunks_bytes);
    expect_remark_of(state, &copy, "it.jpg",
                     "it.jpg cannot hold what the PNG says of its colors: gAMA, cICP, cLLI");
    expect_remark_of(state, &copy, "it.tif", "it.tif cannot hold");
    expect_remark_of(state, &copy, "it.pgm", "it.pgm cannot hold");
    flt_image_destroy(&loaded);
    flt_image_destroy(&copy);
    flt_image_destroy(&image);
}

/* Viewers take any picture for sRGB: nothing is lost. */
static void colors_of_srgb_need_no_place(void **state)
{
    static const char primaries[] = "\0\0\x7a\x26\0\0\x80\x84\0\0\xfa\0\0\0\x80\xe8"
                                    "\0\0\x75\x30\0\0\xea\x60\0\0\x3a\x98\0\0\x17\x70";
    static const char *const written[][2] = {{"gAMA", "\0\0\xb1\x8f"}, {"cHRM", primaries}};
    static const char *const named[][2] = {{"gAMA", "\0\0\xb1\x90"}, {"sRGB", ""}};
    const struct bytes files[] = {png_with(written, (const size_t[]){4, 32}, 2),
                                  png_with(named, (const size_t[]){4, 1}, 2)};
    for (int i = 0; i < 2; i++) {
        struct flt_image image;
        assert_int_equal(flt_image_load_bytes("it", files[i].at, files[i].length, &image, NULL),
                         FLT_OK);
        assert_non_null(image.chunks);
        expect_remark_of(state, &image, "it.jpg", "");
        flt_image_destroy(&image);
    }
}

static void lengths_have_units(void **state)
{
    (void)state;
    assert_true(flt_metres(2, "cm") == 0.02);
    assert_true(flt_metres(1, "inch") == 0.0254);
    assert_true(flt_metres(5, "\u00b5m") == 5 * 1e-6);
    assert_true(flt_metres(5, "s") == 0);
    assert_true(flt_metres(5, "") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(notes_come_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(profiles_of_stacks_come_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_exif_is_written_as_it_can, make_folder,
                                        remove_folder),
        cmocka_unit_test(notes_are_kept_where_they_fit),
        cmocka_unit_test_setup_teardown(colors_of_a_png_are_kept, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(colors_of_srgb_need_no_place, make_folder, remove_folder),
        cmocka_unit_test(lengths_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
