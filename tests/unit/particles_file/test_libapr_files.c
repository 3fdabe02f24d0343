/* Files that LibAPR has written, in ../shared/data/apr, or in the folder APR_FILES of the
 * environment; where they are not, these tests are skipped, and say so. */
#include "files.h"

#include <tiffio.h>

static const struct libapr_file {
    const char *name;
    int32_t extent[FLT_APR_AXES];
    uint64_t particles;
    const char *pixels; /* what it was made from */
} libapr_files[] = {
    {"cr_3.apr", {64, 64, 64}, 83476, NULL},
    {"cr_20.apr", {128, 128, 128}, 100843, NULL},
    {"cr_54.apr", {256, 256, 256}, 308561, NULL},
    {"sphere_1D_sphere_1D.apr", {1, 1, 63}, 51, NULL},
    {"sphere_2D_sphere_2D.apr", {1, 63, 63}, 1606, "sphere_2D_original.tif"},
    {"sphere_diff_dims_sphere.apr", {65, 61, 63}, 78161, "sphere_diff_dims_sphere_original.tif"}};
enum { LIBAPR_FILES = sizeof libapr_files / sizeof libapr_files[0] };

/* NULL: it is not there. The next call overwrites it. */
static const char *path_of(const char *name)
{
    static char path[4096];
    const char *folder = getenv("APR_FILES");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "../shared/data/apr", name);
    return access(path, R_OK) == 0 ? path : NULL;
}

static void skip_unless_there(void)
{
    if (path_of(libapr_files[0].name))
        return;
    print_message("SKIPPED: no files of LibAPR in ../shared/data/apr or in $APR_FILES\n");
    skip();
}

static float *values_of(const struct flt_apr_file *file)
{
    float *value = malloc(file->apr->particles.count * sizeof *value);
    assert_int_equal(file->element, FLT_U16);
    for (uint64_t i = 0; i < file->apr->particles.count; i++)
        value[i] = ((const uint16_t *)file->value)[i];
    return value;
}

static void all_are_read_and_written_again(void **state)
{
    skip_unless_there();
    for (int i = 0; i < LIBAPR_FILES; i++) {
        struct flt_apr_file file, again;
        assert_loads(path_of(libapr_files[i].name), NULL, &file);
        assert_memory_equal(file.apr->extent[file.apr->levels], libapr_files[i].extent,
                            sizeof libapr_files[i].extent);
        assert_int_equal(file.apr->particles.count, libapr_files[i].particles);
        assert_string_equal(file.channel, "t");
        assert_string_equal(file.values, "particle_intensities");
        assert_true(file.settings.error == 0.1f && file.settings.spacing[2] == 1);
        free(levels_of_pixels(file.apr));
        const char *path = in_folder(state, "again.apr");
        assert_int_equal(save_one(path, file.apr, file.element, file.value, NULL), FLT_OK);
        assert_loads(path, NULL, &again);
        assert_same_structure(file.apr, again.apr);
        assert_same_values(&again, file.element, file.value);
        flt_apr_file_destroy(&again);
        flt_apr_file_destroy(&file);
    }
}

/* A page of u16 or u8 after the other; free it. */
static float *pixels_of(const char *name, const int32_t extent[])
{
    TIFF *const tiff = TIFFOpen(path_of(name), "r");
    assert_non_null(tiff);
    const size_t row = (size_t)extent[2];
    float *pixel = malloc((size_t)extent[0] * (size_t)extent[1] * row * sizeof *pixel), *at = pixel;
    uint16_t *line = malloc((size_t)TIFFScanlineSize(tiff));
    for (int32_t z = 0; z < extent[0]; z++) {
        uint32_t width = 0, height = 0;
        uint16_t bits = 0;
        assert_true(TIFFSetDirectory(tiff, (tdir_t)z));
        TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
        TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
        assert_int_equal(width, extent[2]);
        assert_int_equal(height, extent[1]);
        assert_int_equal(bits, 16);
        for (uint32_t y = 0; y < height; y++, at += row) {
            assert_int_equal(TIFFReadScanline(tiff, line, y, 0), 1);
            for (size_t x = 0; x < row; x++)
                at[x] = line[x];
        }
    }
    free(line);
    TIFFClose(tiff);
    return pixel;
}

/* LibAPR takes means in u16, and so rounds towards 0 at each level: a value is less than 1 below
 * the mean for each level that its particle is coarser than pixels. */
static void assert_means(const struct flt_apr *apr, const float *value, const float *mean)
{
    for (int l = 1; l <= apr->levels; l++)
        for (uint64_t i = apr->particles.row[l][0];
             i < apr->particles.row[l][rows_of_level(apr, l)]; i++) {
            const struct flt_apr_run *run = &apr->particles.run[i];
            for (uint64_t k = run->at; k < run->at + run->count; k++) {
                assert_true(value[k] <= mean[k] + 0.001f);
                assert_true(mean[k] - value[k] <= (float)(apr->levels - l));
            }
        }
}

static void values_are_means_of_pixels(void **state)
{
    (void)state;
    skip_unless_there();
    for (int i = 0; i < LIBAPR_FILES; i++) {
        if (!libapr_files[i].pixels)
            continue;
        struct flt_apr_file file;
        assert_loads(path_of(libapr_files[i].name), NULL, &file);
        float *pixel = pixels_of(libapr_files[i].pixels, libapr_files[i].extent);
        float *value = values_of(&file);
        float *mean = malloc(file.apr->particles.count * sizeof *mean);
        assert_int_equal(flt_apr_sample(file.apr, pixel, mean, 2), FLT_OK);
        assert_means(file.apr, value, mean);
        free(mean);
        free(value);
        free(pixel);
        flt_apr_file_destroy(&file);
    }
}

/* The values of maps have an order of their own; put right, neighbours of the finest level differ
 * by little: more than a tenth of what they do where rows are mixed up shows. */
static void maps_are_in_order(void **state)
{
    (void)state;
    skip_unless_there();
    for (int i = 0; i < 3; i++) {
        struct flt_apr_file file;
        assert_loads(path_of(libapr_files[i].name), NULL, &file);
        float *value = values_of(&file);
        const int32_t *n = file.apr->extent[file.apr->levels];
        const size_t samples = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
        float *pixel = malloc(samples * sizeof *pixel);
        flt_apr_to_pixels(file.apr, value, NULL, 0, pixel, 2);
        double along = 0, across = 0;
        for (size_t k = (size_t)n[2]; k < samples; k++) {
            along += fabs((double)pixel[k] - pixel[k - 1]);
            across += fabs((double)pixel[k] - pixel[k - (size_t)n[2]]);
        }
        assert_true(across < 1.2 * along && along < 1.2 * across);
        free(pixel);
        free(value);
        flt_apr_file_destroy(&file);
    }
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(all_are_read_and_written_again),
        cmocka_unit_test(values_are_means_of_pixels),
        cmocka_unit_test(maps_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
