/* Forms of files that LibAPR or HDF5 may write: all are read, but HDF5's newer one. */
#include "edited.h"

static void nothing(struct edited *e)
{
    (void)e;
}
static void to_maps(struct edited *e)
{
    edit_to_maps(e->file, e->apr);
}
static void big_endian(struct edited *e)
{
    const hid_t channel = H5Gopen2(e->file, EDIT_CHANNEL, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &(hsize_t){e->particles}, NULL);
    H5Ldelete(channel, "particles", H5P_DEFAULT);
    const hid_t set = H5Dcreate2(channel, "particles", H5T_STD_U16BE, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, e->value);
    H5Dclose(set);
    H5Sclose(space);
    H5Gclose(channel);
}
static void in_chunks(struct edited *e)
{
    put_chunked(e, false, true);
}
static void compact(struct edited *e)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(list, H5D_COMPACT);
    edit_data_as(e->file, "particles", H5T_STD_U16LE, 1, &(hsize_t){e->particles}, list, e->value);
    H5Pclose(list);
}
/* Rows of the levels that have particles alone. */
static void begins_later(struct edited *e)
{
    const uint64_t first = rows_of_level(e->apr, 1);
    assert_int_equal(e->l.end[first], 0);
    attribute_is(e, "level_min", 2);
    edit_data(e->file, "xz_end_vec", H5T_STD_U64LE, e->rows + 1 - first, e->l.end + first);
}
/* The upper half of what LibAPR keeps in 32 bits is whatever lay beside it. */
static void half_numbers(struct edited *e)
{
    static const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {{"z_num", 9}, {"x_num", 10}, {"y_num", 11}, {"level_min", 1}, {"level_max", 4}};
    for (int i = 0; i < 5; i++)
        attribute_is(e, numbers[i].name, numbers[i].value | 0xdeadbeef00000000);
}
static void unsaid(struct edited *e)
{
    static const char *const names[] = {"dx", "lambda", "grad_th", "compress_type", "name"};
    for (int i = 0; i < 5; i++)
        H5Adelete_by_name(e->file, EDIT_CHANNEL, names[i], H5P_DEFAULT);
}
/* As files of long ago: what is said of the image stands a group higher. */
static void said_above(struct edited *e)
{
    static const char *const names[] = {"z_num",     "x_num",     "y_num",
                                        "level_min", "level_max", "total_number_particles"};
    for (int i = 0; i < 6; i++) {
        uint64_t value = 0;
        const hid_t from =
            H5Aopen_by_name(e->file, EDIT_CHANNEL, names[i], H5P_DEFAULT, H5P_DEFAULT);
        const hid_t space = H5Screate(H5S_SCALAR);
        H5Aread(from, H5T_NATIVE_UINT64, &value);
        H5Aclose(from);
        H5Adelete_by_name(e->file, EDIT_CHANNEL, names[i], H5P_DEFAULT);
        const hid_t to = H5Acreate_by_name(e->file, "ParticleRepr", names[i], H5T_STD_U64LE, space,
                                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(to, H5T_NATIVE_UINT64, &value);
        H5Aclose(to);
        H5Sclose(space);
    }
}

static void other_forms_are_read(void **state)
{
    static void (*const forms[])(struct edited *) = {begins_later, nothing,   to_maps,
                                                     big_endian,   in_chunks, compact,
                                                     half_numbers, unsaid,    said_above};
    struct valid made = make_valid(state);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct edited e;
        struct flt_apr_file file;
        struct flt_detail detail = {""};
        begin(&e, made.bytes, made.length, made.apr);
        forms[i](&e);
        const enum flt_status status = load_edited(&e, &file, &detail);
        if (status != FLT_OK)
            print_error("%zu: %s\n", i, detail.text);
        assert_int_equal(status, FLT_OK);
        assert_same_structure(made.apr, file.apr);
        assert_same_values(&file, FLT_U16, e.value);
        flt_apr_file_destroy(&file);
        free(e.value);
    }
    free_valid(&made);
}

/* Without lzxy_order, values of the finest level are by groups of two rows of two planes. */
static void older_values_are_put_in_order(void **state)
{
    struct valid made = make_valid(state);
    const struct flt_apr *apr = made.apr;
    const int32_t *n = apr->extent[apr->levels], *half = apr->extent[apr->levels - 1];
    struct edited e;
    begin(&e, made.bytes, made.length, made.apr);
    uint16_t *old = malloc(e.particles * sizeof *old);
    uint64_t at = e.l.end[e.rows - rows_of_level(apr, apr->levels)];
    memcpy(old, e.value, at * sizeof *old);
    assert_true(at < e.particles);
    for (int64_t z = 0; z < half[0]; z++)
        for (int64_t y = 0; y < half[1]; y++)
            for (int64_t k = 2 * z; k < 2 * z + 2 && k < n[0]; k++)
                for (int64_t j = 2 * y; j < 2 * y + 2 && j < n[1]; j++) {
                    const uint64_t *row = apr->particles.row[apr->levels] + k * n[1] + j;
                    for (uint64_t i = row[0]; i < row[1]; i++) {
                        const struct flt_apr_run *run = &apr->particles.run[i];
                        memcpy(old + at, e.value + run->at, run->count * sizeof *old);
                        at += run->count;
                    }
                }
    assert_int_equal(at, e.particles);
    edit_data(e.file, "particles", H5T_STD_U16LE, e.particles, old);
    H5Adelete_by_name(e.file, EDIT_CHANNEL, "lzxy_order", H5P_DEFAULT);
    struct flt_apr_file file;
    assert_int_equal(load_edited(&e, &file, NULL), FLT_OK);
    assert_same_values(&file, FLT_U16, e.value);
    flt_apr_file_destroy(&file);
    free(e.value);
    free(old);
    free_valid(&made);
}

/* The newer form of HDF5 is refused with the cure. */
static void newer_form_is_told(void **state)
{
    (void)state;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 65536, false);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t id = H5Fcreate("new", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    size_t length;
    unsigned char *bytes = edit_close(id, &length);
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    assert_int_equal(flt_apr_load_bytes("it", bytes, length, NULL, NULL, 1, &file, &detail),
                     FLT_UNSUPPORTED);
    assert_non_null(strstr(detail.text, "in a newer form of HDF5 than LibAPR writes: `h5repack"));
    free(bytes);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(other_forms_are_read),
        IN_FOLDER(older_values_are_put_in_order),
        IN_FOLDER(newer_form_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
