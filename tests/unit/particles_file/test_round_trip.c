/* What is saved is loaded again; what cannot be saved is refused, and nothing is half written. */
#include "files.h"

#include <hdf5.h>
#include <sys/stat.h>

static void saved_and_loaded(void *const *folder, const int64_t n[], enum flt_element element)
{
    const char *path = in_folder(folder, "a.apr");
    struct volume v = volume_of_balls(n[0], n[1], n[2], (uint64_t)n[1]);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, element);
    struct flt_apr_file file;
    assert_int_equal(save_one(path, apr, element, value, NULL), FLT_OK);
    assert_loads(path, NULL, &file);
    assert_same_structure(apr, file.apr);
    assert_same_values(&file, element, value);
    assert_string_equal(file.channel, "t");
    assert_string_equal(file.values, "particles");
    flt_apr_file_destroy(&file);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* Lines, pictures, volumes, thin ones; all elements. */
static void all_shapes(void **state)
{
    for (int s = 0; s < VOLUME_SHAPES; s++)
        saved_and_loaded(state, volume_shapes[s], file_elements[s % FILE_ELEMENTS]);
}

static void all_elements(void **state)
{
    for (int e = 0; e < FILE_ELEMENTS; e++)
        saved_and_loaded(state, volume_shapes[0], file_elements[e]);
}

/* More than a chunk, and a longest row. */
static void large_ones(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(1, 3, FLT_APR_FILE_EXTENT, 1);
    uint64_t random = 5;
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] += (float)(volume_random(&random) % 4 * 3000);
    struct flt_apr *apr = apr_of(&v);
    assert_true(apr->particles.count > 100000);
    void *value = values_for(apr, FLT_F32);
    struct flt_apr_file file;
    assert_int_equal(save_one(path, apr, FLT_F32, value, NULL), FLT_OK);
    assert_loads(path, NULL, &file);
    assert_same_structure(apr, file.apr);
    assert_same_values(&file, FLT_F32, value);
    flt_apr_file_destroy(&file);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

static void settings_come_back(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(9, 10, 11, 2);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, FLT_U16);
    const struct flt_apr_settings settings = {.error = 0.05f,
                                              .lambda = 1,
                                              .sigma_min = 2,
                                              .sigma_ignored = 3,
                                              .gradient_min = 4,
                                              .intensity_min = 5,
                                              .psf = 6,
                                              .spacing = {7, 8, 9}};
    const struct flt_apr_values values = {"light", FLT_U16, value};
    const struct flt_apr_channel channel = {NULL, apr, &settings, &values, 1};
    struct flt_apr_file file;
    assert_int_equal(flt_apr_save(path, &channel, 1, NULL, NULL), FLT_OK);
    assert_loads(path, NULL, &file);
    assert_memory_equal(file.settings.spacing, settings.spacing, sizeof settings.spacing);
    assert_true(file.settings.error == settings.error && file.settings.lambda == 1 &&
                file.settings.sigma_min == 2 && file.settings.sigma_ignored == 3 &&
                file.settings.gradient_min == 4 && file.settings.intensity_min == 5 &&
                file.settings.psf == 6);
    assert_string_equal(file.values, "light");
    flt_apr_file_destroy(&file);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* ---- Several channels, points of time and arrays ---- */

static void channels_and_values(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(9, 10, 11, 2), w = volume_of_balls(1, 20, 30, 3);
    struct flt_apr *one = apr_of(&v), *two = apr_of(&w);
    void *light = values_for(one, FLT_U16), *label = values_for(one, FLT_I64),
         *other = values_for(two, FLT_F32);
    const struct flt_apr_values of_one[] = {{"light", FLT_U16, light}, {"label", FLT_I64, label}},
                                of_two[] = {{"particle_intensities", FLT_F32, other},
                                            {"twice", FLT_F32, other}};
    const struct flt_apr_channel channels[] = {
        {"t", one, NULL, of_one, 2}, {"t12", two, NULL, of_two, 2}, {"red", two, NULL, of_two, 1}};
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    assert_int_equal(flt_apr_save(path, channels, 3, NULL, NULL), FLT_OK);
    assert_loads(path, NULL, &file);
    assert_string_equal(file.channel, "red");
    assert_same_structure(two, file.apr);
    flt_apr_file_destroy(&file);
    assert_loads(path, &(struct flt_apr_choice){"t", 0, "label"}, &file);
    assert_same_structure(one, file.apr);
    assert_same_values(&file, FLT_I64, label);
    flt_apr_file_destroy(&file);
    assert_loads(path, &(struct flt_apr_choice){NULL, 12, NULL}, &file);
    assert_string_equal(file.channel, "t12");
    assert_string_equal(file.values, "particle_intensities");
    assert_same_structure(two, file.apr);
    flt_apr_file_destroy(&file);
    const struct {
        struct flt_apr_choice choice;
        enum flt_status status;
        const char *says;
    } wrong[] = {
        {{"t", 0, NULL}, FLT_BAD_ARGUMENT, "has several values, 'label' and 'light' say: name one"},
        {{"t", 0, "dark"}, FLT_CORRUPT, "has no values dark"},
        {{"t", 0, "y_vec"}, FLT_CORRUPT, "has no values y_vec"},
        {{"blue", 0, NULL}, FLT_CORRUPT, "has no channel blue"},
        {{"t", 3, NULL}, FLT_CORRUPT, "has no channel t3"},
        {{"../t", 0, NULL}, FLT_BAD_ARGUMENT, "no channel can have the name ../t"},
        {{"", 0, NULL}, FLT_BAD_ARGUMENT, "no channel can have the name"},
        {{"t", -1, NULL}, FLT_BAD_ARGUMENT, "a time below 0"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(flt_apr_load(path, &wrong[i].choice, NULL, 1, &file, &detail),
                         wrong[i].status);
        assert_non_null(strstr(detail.text, wrong[i].says));
        assert_null(file.apr);
    }
    free(light);
    free(label);
    free(other);
    flt_apr_destroy(one);
    flt_apr_destroy(two);
    free(v.pixel);
    free(w.pixel);
}

static void same_contents_are_the_same_bytes(void **state)
{
    struct volume v = volume_of_balls(9, 10, 11, 2);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, FLT_U16);
    unsigned char *bytes[2];
    size_t length[2];
    for (int i = 0; i < 2; i++) {
        const char *path = in_folder(state, i ? "a.apr" : "b.apr");
        assert_int_equal(save_one(path, apr, FLT_U16, value, NULL), FLT_OK);
        bytes[i] = bytes_of(path, &length[i]);
        sleep((unsigned)(1 - i));
    }
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    struct flt_apr_file file;
    assert_int_equal(flt_apr_load_bytes("it", bytes[0], length[0], NULL, NULL, 1, &file, NULL),
                     FLT_OK);
    assert_same_values(&file, FLT_U16, value);
    flt_apr_file_destroy(&file);
    free(bytes[0]);
    free(bytes[1]);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* ---- What cannot be saved ---- */

static void refusals_of_save(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(9, 10, 11, 2), w = volume_of_balls(1, 1, 65536, 2);
    struct flt_apr *apr = apr_of(&v), *wide = apr_of(&w);
    void *value = values_for(wide, FLT_F64);
    char name[FLT_APR_NAME + 1];
    memset(name, 'a', FLT_APR_NAME);
    name[FLT_APR_NAME] = 0;
    const struct flt_apr_values good = {NULL, FLT_F64, value}, null = {NULL, FLT_F64, NULL},
                                twice[] = {good, {"particles", FLT_U8, value}},
                                bools = {NULL, FLT_BOOL, value}, halves = {NULL, FLT_F16, value},
                                taken = {"y_vec", FLT_F64, value}, slash = {"a/b", FLT_F64, value},
                                dot = {".", FLT_F64, value}, none = {"", FLT_F64, value},
                                endless = {name, FLT_F64, value};
    const struct {
        struct flt_apr_channel channel[2];
        int channels;
        enum flt_status status;
        const char *says;
    } wrong[] = {
        {{{NULL, apr, NULL, &good, 1}}, 0, FLT_BAD_ARGUMENT, "no channel"},
        {{{NULL, NULL, NULL, &good, 1}}, 1, FLT_BAD_ARGUMENT, "no structure"},
        {{{NULL, apr, NULL, NULL, 1}}, 1, FLT_BAD_ARGUMENT, "no values"},
        {{{NULL, apr, NULL, &good, 1}}, 1001, FLT_BAD_ARGUMENT, "more than 1000 channels"},
        {{{NULL, apr, NULL, &good, 1001}}, 1, FLT_BAD_ARGUMENT, "more than 1000 values"},
        {{{NULL, apr, NULL, &good, -1}}, 1, FLT_BAD_ARGUMENT, "no values"},
        {{{NULL, apr, NULL, &null, 1}}, 1, FLT_BAD_ARGUMENT, "values are NULL"},
        {{{NULL, apr, NULL, twice, 2}}, 1, FLT_BAD_ARGUMENT, "two values have the name"},
        {{{NULL, apr, NULL, &bools, 1}}, 1, FLT_UNSUPPORTED, "no values of bool or f16: convert"},
        {{{NULL, apr, NULL, &halves, 1}}, 1, FLT_UNSUPPORTED, "no values of bool or f16: convert"},
        {{{NULL, apr, NULL, &taken, 1}}, 1, FLT_BAD_ARGUMENT, "cannot have the name 'y_vec'"},
        {{{NULL, apr, NULL, &slash, 1}}, 1, FLT_BAD_ARGUMENT, "cannot have the name 'a/b'"},
        {{{NULL, apr, NULL, &dot, 1}}, 1, FLT_BAD_ARGUMENT, "cannot have the name '.'"},
        {{{NULL, apr, NULL, &none, 1}}, 1, FLT_BAD_ARGUMENT, "cannot have the name ''"},
        {{{NULL, apr, NULL, &endless, 1}}, 1, FLT_BAD_ARGUMENT, "cannot have the name 'aaa"},
        {{{"a/b", apr, NULL, &good, 1}}, 1, FLT_BAD_ARGUMENT, "channel cannot have the name 'a/b'"},
        {{{"t", apr, NULL, &good, 1}, {NULL, apr, NULL, &good, 1}},
         2,
         FLT_BAD_ARGUMENT,
         "two channels have the name 't'"},
        {{{NULL, wide, NULL, &good, 1}},
         1,
         FLT_UNSUPPORTED,
         "65536 samples along x, an .apr file at most 65535: save parts of it"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct flt_detail detail = {""};
        assert_int_equal(flt_apr_save(path, wrong[i].channel, wrong[i].channels, NULL, &detail),
                         wrong[i].status);
        if (!strstr(detail.text, wrong[i].says))
            print_error("%zu: %s\n", i, detail.text);
        assert_non_null(strstr(detail.text, wrong[i].says));
    }
    assert_int_equal(save_one(NULL, apr, FLT_F64, value, NULL), FLT_BAD_ARGUMENT);
    assert_int_equal(files_in(state), 0);
    free(value);
    flt_apr_destroy(apr);
    flt_apr_destroy(wide);
    free(v.pixel);
    free(w.pixel);
}

/* An old file stays as it is, and nothing lies beside it. */
static void nothing_is_half_written(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(9, 10, 11, 2);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, FLT_U16);
    const struct flt_apr_values values = {NULL, FLT_U16, value};
    const struct flt_apr_channel channel = {NULL, apr, NULL, &values, 1};
    struct flt_detail detail = {""};
    assert_int_equal(save_one(path, apr, FLT_U16, value, NULL), FLT_OK);
    size_t length, later;
    unsigned char *bytes = bytes_of(path, &length);
    for (long fails_at = 0;; fails_at++) {
        struct counted c = {.until_failure = fails_at};
        const struct flt_allocator allocator = {take_counted, give_back_counted, &c};
        const enum flt_status status = flt_apr_save(path, &channel, 1, &allocator, NULL);
        assert_int_equal(c.outstanding, 0);
        assert_int_equal(files_in(state), 1);
        if (status == FLT_OK) {
            assert_true(fails_at >= 6);
            break;
        }
        assert_int_equal(status, FLT_NO_MEMORY);
        unsigned char *still = bytes_of(path, &later);
        assert_int_equal(length, later);
        assert_memory_equal(bytes, still, length);
        free(still);
    }
    free(bytes);
    assert_int_equal(save_one("/dev/full", apr, FLT_U16, value, &detail), FLT_CANNOT_WRITE);
    assert_non_null(strstr(detail.text, "cannot write /dev/full"));
    assert_int_equal(save_one(in_folder(state, "none/a.apr"), apr, FLT_U16, value, &detail),
                     FLT_CANNOT_WRITE);
    assert_int_equal(save_one(in_folder(state, "."), apr, FLT_U16, value, &detail),
                     FLT_CANNOT_WRITE);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* ---- Loading ---- */

static void memory_may_fail_in_load(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(9, 10, 11, 2);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, FLT_U16);
    assert_int_equal(save_one(path, apr, FLT_U16, value, NULL), FLT_OK);
    for (long fails_at = 0;; fails_at++) {
        struct counted c = {.until_failure = fails_at};
        const struct flt_allocator allocator = {take_counted, give_back_counted, &c};
        struct flt_apr_file file;
        const enum flt_status status = flt_apr_load(path, NULL, &allocator, 1, &file, NULL);
        if (status == FLT_OK) {
            assert_true(fails_at > 20);
            assert_same_structure(apr, file.apr);
            flt_apr_file_destroy(&file);
            assert_int_equal(c.outstanding, 0);
            break;
        }
        assert_int_equal(status, FLT_NO_MEMORY);
        assert_null(file.apr);
        assert_null(file.value);
        assert_int_equal(c.outstanding, 0);
    }
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

static void files_that_are_none(void **state)
{
    struct flt_apr_file file = {.element = FLT_F16};
    struct flt_detail detail = {""};
    const char *path = in_folder(state, "a.apr");
    assert_int_equal(flt_apr_load(path, NULL, NULL, 1, &file, &detail), FLT_CANNOT_OPEN);
    assert_non_null(strstr(detail.text, "a.apr: No such file or directory"));
    assert_int_equal(flt_apr_load(in_folder(state, ""), NULL, NULL, 1, &file, &detail),
                     FLT_CANNOT_READ);
    assert_int_equal(flt_apr_load("/dev/zero", NULL, NULL, 1, &file, &detail), FLT_CANNOT_READ);
    FILE *stream = fopen(path, "wb");
    fputs("P5 1 1 255 ", stream);
    fclose(stream);
    assert_int_equal(flt_apr_load(path, NULL, NULL, 1, &file, &detail), FLT_UNKNOWN_FORMAT);
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(flt_apr_load(path, NULL, NULL, 1, &file, &detail), FLT_UNKNOWN_FORMAT);
    assert_non_null(strstr(detail.text, "is no HDF5 file"));
    assert_int_equal(flt_apr_load_bytes("it", "", 0, NULL, NULL, 1, &file, &detail),
                     FLT_UNKNOWN_FORMAT);
    assert_int_equal(flt_apr_load_bytes("it", NULL, 0, NULL, NULL, 1, &file, &detail),
                     FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_load(NULL, NULL, NULL, 1, &file, &detail), FLT_BAD_ARGUMENT);
    assert_int_equal(flt_apr_load(path, NULL, NULL, 1, NULL, &detail), FLT_BAD_ARGUMENT);
    assert_null(file.apr);
    flt_apr_file_destroy(NULL);
    flt_apr_file_destroy(&file);
}

/* More members than one node of HDF5's usual size has, and names that come in another order. */
static void many_channels(void **state)
{
    enum { MANY = 30 };
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(1, 5, 6, 2);
    struct flt_apr *apr = apr_of(&v);
    void *value = values_for(apr, FLT_U8);
    char name[MANY][16], value_name[MANY][64];
    struct flt_apr_values values[MANY];
    struct flt_apr_channel channel[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "%c%d", 'a' + (7 * i + 3) % 26, i);
        snprintf(value_name[i], sizeof value_name[i], "%.*s%d", i, "a name of any length, as it is",
                 i);
        values[i] = (struct flt_apr_values){value_name[i], FLT_U8, value};
        channel[i] = (struct flt_apr_channel){name[i], apr, NULL, values, MANY - i};
    }
    assert_int_equal(flt_apr_save(path, channel, MANY, NULL, NULL), FLT_OK);
    for (int i = 0; i < MANY; i++) {
        struct flt_apr_file file;
        assert_loads(path, &(struct flt_apr_choice){name[i], 0, value_name[MANY - i - 1]}, &file);
        assert_same_structure(apr, file.apr);
        assert_same_values(&file, FLT_U8, value);
        flt_apr_file_destroy(&file);
    }
    /* HDF5's own library finds them, too, and all is where it says */
    const hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(id >= 0);
    for (int i = 0; i < MANY; i++) {
        char place[1024];
        uint16_t x[30];
        snprintf(place, sizeof place, "ParticleRepr/%s/%s", name[i], value_name[0]);
        const hid_t data = H5Dopen2(id, place, H5P_DEFAULT);
        assert_true(data >= 0);
        assert_true(H5Dget_storage_size(data) > 0);
        hsize_t stored = 0;
        assert_true(H5Dget_chunk_storage_size(data, &(hsize_t){0}, &stored) >= 0);
        assert_true(stored > 0 && stored <= sizeof x + 16);
        H5Dclose(data);
    }
    H5Fclose(id);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

/* Chunks in several nodes of their tree; HDF5's library finds each. */
static void many_chunks(void **state)
{
    const char *path = in_folder(state, "a.apr");
    struct volume v = volume_of_balls(200, 200, 200, 1);
    uint64_t random = 5;
    for (size_t i = 0; i < volume_samples(&v); i++)
        v.pixel[i] += (float)(volume_random(&random) % 4 * 3000);
    struct flt_apr *apr = apr_of(&v);
    assert_true(apr->particles.count > 64 * 100000);
    void *value = values_for(apr, FLT_U8);
    struct flt_apr_file file;
    assert_int_equal(save_one(path, apr, FLT_U8, value, NULL), FLT_OK);
    assert_loads(path, NULL, &file);
    assert_same_structure(apr, file.apr);
    assert_same_values(&file, FLT_U8, value);
    flt_apr_file_destroy(&file);
    const hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(id, "ParticleRepr/t/y_vec", H5P_DEFAULT);
    for (hsize_t at = 0; at < apr->particles.count; at += 100000) {
        hsize_t stored = 0;
        assert_true(H5Dget_chunk_storage_size(data, &at, &stored) >= 0);
        assert_true(stored > 16);
    }
    H5Dclose(data);
    H5Fclose(id);
    free(value);
    flt_apr_destroy(apr);
    free(v.pixel);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(all_shapes),
        IN_FOLDER(all_elements),
        IN_FOLDER(large_ones),
        IN_FOLDER(settings_come_back),
        IN_FOLDER(channels_and_values),
        IN_FOLDER(same_contents_are_the_same_bytes),
        IN_FOLDER(refusals_of_save),
        IN_FOLDER(nothing_is_half_written),
        IN_FOLDER(memory_may_fail_in_load),
        IN_FOLDER(files_that_are_none),
        IN_FOLDER(many_channels),
        IN_FOLDER(many_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
