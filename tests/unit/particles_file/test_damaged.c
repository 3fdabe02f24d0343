/* Files that HDF5 finds right, and that contradict themselves, are refused, each with the reason. A
 * volume of 9 x 10 x 11, levels 1 to 4; its numbers are those of a file without Blosc. */
#include "edited.h"

/* ---- Attributes ---- */

static void no_extent(struct edited *e)
{
    H5Adelete_by_name(e->file, EDIT_CHANNEL, "y_num", H5P_DEFAULT);
}
static void extent_0(struct edited *e)
{
    attribute_is(e, "z_num", 0);
}
static void extent_huge(struct edited *e)
{
    attribute_is(e, "x_num", 0x80000000);
}
static void extent_other(struct edited *e)
{
    attribute_is(e, "x_num", 12);
}
static void extents_many(struct edited *e)
{
    attribute_is(e, "x_num", 1 << 20);
    attribute_is(e, "y_num", 1 << 20);
    attribute_is(e, "z_num", 1 << 20);
}
static void extent_real(struct edited *e)
{
    edit_attribute(e->file, "x_num", H5T_NATIVE_DOUBLE, 1, &(double){10});
}
static void extent_two(struct edited *e)
{
    edit_attribute(e->file, "x_num", H5T_NATIVE_UINT64, 2, &(uint64_t[2]){10, 10});
}
static void level_other(struct edited *e)
{
    attribute_is(e, "level_max", 5);
}
static void level_none(struct edited *e)
{
    attribute_is(e, "level_min", 0);
}
static void level_behind(struct edited *e)
{
    attribute_is(e, "level_min", 5);
}
static void particles_0(struct edited *e)
{
    attribute_is(e, "total_number_particles", 0);
}
static void particles_many(struct edited *e)
{
    attribute_is(e, "total_number_particles", 991);
}
static void particles_others(struct edited *e)
{
    attribute_is(e, "total_number_particles", e->particles - 1);
}
static void compressed(struct edited *e)
{
    attribute_is(e, "compress_type", 2);
}
static void spacing_0(struct edited *e)
{
    edit_attribute(e->file, "dx", H5T_NATIVE_FLOAT, 1, &(float){0});
}
static void spacing_nan(struct edited *e)
{
    edit_attribute(e->file, "dz", H5T_NATIVE_FLOAT, 1, &(float){NAN});
}
static void lambda_whole(struct edited *e)
{
    attribute_is(e, "lambda", 3);
}

/* ---- Rows of particles ---- */

static void no_ends(struct edited *e)
{
    edit_remove(e->file, "xz_end_vec");
}
static void no_places(struct edited *e)
{
    edit_remove(e->file, "y_vec");
}
static void no_first_0(struct edited *e)
{
    e->l.end[0] = 1;
    put_rows(e);
}
static void ends_short(struct edited *e)
{
    edit_data(e->file, "xz_end_vec", H5T_STD_U64LE, e->rows, e->l.end);
}
static void ends_u32(struct edited *e)
{
    edit_data(e->file, "xz_end_vec", H5T_STD_U32LE, e->rows + 1, e->l.end);
}
static void ends_f64(struct edited *e)
{
    edit_data(e->file, "xz_end_vec", H5T_IEEE_F64LE, e->rows + 1, e->l.end);
}
static void ends_descend(struct edited *e)
{
    e->l.end[e->rows / 2] = 0;
    put_rows(e);
}
static void places_short(struct edited *e)
{
    edit_data(e->file, "y_vec", H5T_STD_U16LE, e->particles - 1, e->l.x);
}
static void places_outside(struct edited *e)
{
    e->l.x[e->particles - 1] = 11;
    put_rows(e);
}
static void places_twice(struct edited *e)
{
    e->l.x[e->particles - 1] = e->l.x[e->particles - 2];
    put_rows(e);
}
static void places_of_rank_2(struct edited *e)
{
    edit_data_as(e->file, "y_vec", H5T_STD_U16LE, 2, (hsize_t[2]){1, e->particles}, H5P_DEFAULT,
                 e->l.x);
}
static void places_of_u8(struct edited *e)
{
    edit_data(e->file, "y_vec", H5T_STD_U8LE, e->particles, e->l.x);
}
static void places_not_written(struct edited *e)
{
    edit_data(e->file, "y_vec", H5T_STD_U16LE, e->particles, NULL);
}
static void hole(struct edited *e)
{
    edit_data(e->file, "y_vec", H5T_STD_U16LE, e->particles - 1, e->l.x);
    e->l.end[e->rows]--;
    edit_data(e->file, "xz_end_vec", H5T_STD_U64LE, e->rows + 1, e->l.end);
    edit_data(e->file, "particles", H5T_STD_U16LE, e->particles - 1, e->value);
    attribute_is(e, "total_number_particles", e->particles - 1);
}

/* ---- Values ---- */

static void no_values(struct edited *e)
{
    edit_remove(e->file, "particles");
}
static void values_short(struct edited *e)
{
    edit_data(e->file, "particles", H5T_STD_U16LE, e->particles - 1, e->value);
}
static void values_long(struct edited *e)
{
    uint16_t *more = calloc(e->particles + 1, sizeof *more);
    edit_data(e->file, "particles", H5T_STD_U16LE, e->particles + 1, more);
    free(more);
}
static void values_of_text(struct edited *e)
{
    edit_data(e->file, "particles", H5T_C_S1, e->particles, e->value);
}
static void values_large(struct edited *e)
{
    uint64_t *value = calloc(e->particles, sizeof *value);
    value[3] = (uint64_t)1 << 63;
    edit_data(e->file, "particles", H5T_STD_U64LE, e->particles, value);
    free(value);
}
static void values_of_12_bits(struct edited *e)
{
    const hid_t type = H5Tcopy(H5T_STD_U16LE);
    H5Tset_precision(type, 12);
    edit_data(e->file, "particles", type, e->particles, e->value);
    H5Tclose(type);
}
static void values_deflated(struct edited *e)
{
    put_chunked(e, true, true);
}
static void chunks_missing(struct edited *e)
{
    put_chunked(e, false, false);
}
static void values_in_other_file(struct edited *e)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, "/etc/passwd", 0, 2 * e->particles);
    edit_data_as(e->file, "particles", H5T_STD_U16LE, 1, &(hsize_t){e->particles}, list, NULL);
    H5Pclose(list);
}
static void values_of_kept_type(struct edited *e)
{
    const hid_t type = H5Tcopy(H5T_STD_U16LE);
    H5Tcommit2(e->file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    edit_data(e->file, "particles", type, e->particles, e->value);
    H5Tclose(type);
}
/* A chunk that is no Blosc, or one of other bytes. */
static void put_blosc(struct edited *e, const void *chunk, size_t bytes)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(1, &(hsize_t){e->particles}, NULL);
    const hid_t channel = H5Gopen2(e->file, EDIT_CHANNEL, H5P_DEFAULT);
    H5Pset_chunk(list, 1, &(hsize_t){e->particles});
    H5Pset_filter(list, 32001, H5Z_FLAG_OPTIONAL, 0, NULL);
    H5Ldelete(channel, "particles", H5P_DEFAULT);
    const hid_t set =
        H5Dcreate2(channel, "particles", H5T_STD_U16LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Dwrite_chunk(set, H5P_DEFAULT, 0, &(hsize_t){0}, bytes, chunk);
    H5Dclose(set);
    H5Gclose(channel);
    H5Sclose(space);
    H5Pclose(list);
}
static void chunk_no_blosc(struct edited *e)
{
    put_blosc(e, "no chunk of Blosc's, but 40 other bytes.", 40);
}
/* 16 bytes that say they stand for 2 GB */
static void chunk_claims_much(struct edited *e)
{
    put_blosc(e, "\2\1\62\2\377\377\377\177\0\0\4\0\20\0\0\0", 16);
}
static void chunk_empty(struct edited *e)
{
    put_blosc(e, "\2", 1);
}

/* ---- Groups ---- */

static void no_root(struct edited *e)
{
    H5Lmove(e->file, "ParticleRepr", e->file, "Others", H5P_DEFAULT, H5P_DEFAULT);
}
static void no_channel(struct edited *e)
{
    H5Ldelete(e->file, EDIT_CHANNEL, H5P_DEFAULT);
}
static void linked_values(struct edited *e)
{
    edit_remove(e->file, "particles");
    H5Lcreate_external("/tmp/other.apr", "/ParticleRepr/t/particles", e->file,
                       EDIT_CHANNEL "/particles", H5P_DEFAULT, H5P_DEFAULT);
}
static void softly_linked_values(struct edited *e)
{
    edit_remove(e->file, "particles");
    H5Lcreate_soft("/ParticleRepr/t/y_vec", e->file, EDIT_CHANNEL "/particles", H5P_DEFAULT,
                   H5P_DEFAULT);
}
static void channel_is_data(struct edited *e)
{
    H5Ldelete(e->file, EDIT_CHANNEL, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    H5Dclose(H5Dcreate2(e->file, EDIT_CHANNEL, H5T_STD_U16LE, space, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(space);
}

/* ---- Maps ---- */

static void put_maps(struct edited *e, void (*damage)(struct edit_maps *))
{
    struct edit_maps m = edit_maps_of(e->apr);
    edit_remove(e->file, "y_vec");
    edit_remove(e->file, "xz_end_vec");
    damage(&m);
    edit_put_maps(e->file, &m);
    edit_free_maps(&m);
}
static void level_of_first_0(struct edit_maps *m)
{
    m->level[0] = 0;
}
static void level_of_last_5(struct edit_maps *m)
{
    m->level[m->entries - 1] = 5;
}
static void plane_outside(struct edit_maps *m)
{
    m->z[m->entries - 1] = 5;
}
static void row_outside(struct edit_maps *m)
{
    m->x[0] = UINT16_MAX;
}
static void entry_twice(struct edit_maps *m)
{
    m->x[m->entries - 1] = m->x[m->entries - 2];
    m->z[m->entries - 1] = m->z[m->entries - 2];
}
static void runs_missing(struct edit_maps *m)
{
    m->count[m->entries - 1]++;
}
static void runs_too_many(struct edit_maps *m)
{
    m->count[m->entries - 1]--;
}
static void run_ends_first(struct edit_maps *m)
{
    m->first[0] = (uint16_t)(m->last[0] + 1);
}
static void run_longer(struct edit_maps *m)
{
    m->last[m->runs - 1]++;
}
static void entries_fewer(struct edit_maps *m)
{
    m->entries--;
    m->runs -= m->count[m->entries];
}
static void map_level_0(struct edited *e)
{
    put_maps(e, level_of_first_0);
}
static void map_level_5(struct edited *e)
{
    put_maps(e, level_of_last_5);
}
static void map_plane(struct edited *e)
{
    put_maps(e, plane_outside);
}
static void map_row(struct edited *e)
{
    put_maps(e, row_outside);
}
static void map_twice(struct edited *e)
{
    put_maps(e, entry_twice);
}
static void map_runs_missing(struct edited *e)
{
    put_maps(e, runs_missing);
}
static void map_runs_too_many(struct edited *e)
{
    put_maps(e, runs_too_many);
}
static void map_run_ends_first(struct edited *e)
{
    put_maps(e, run_ends_first);
}
static void map_run_longer(struct edited *e)
{
    put_maps(e, run_longer);
}
static void map_fewer(struct edited *e)
{
    put_maps(e, entries_fewer);
}
static void map_missing(struct edited *e)
{
    edit_to_maps(e->file, e->apr);
    edit_remove(e->file, "map_z");
}
static void map_shorter(struct edited *e)
{
    edit_to_maps(e->file, e->apr);
    edit_data(e->file, "map_z", H5T_STD_I16LE, 3, e->l.x);
}

static const struct refusal {
    void (*damage)(struct edited *);
    enum flt_status status;
    const char *says;
} refusals[] = {
    {no_extent, FLT_CORRUPT, "has no attribute y_num"},
    {extent_0, FLT_CORRUPT, "its attribute z_num is no extent"},
    {extent_huge, FLT_CORRUPT, "its attribute x_num is no extent"},
    {extent_other, FLT_CORRUPT, "xz_end_vec has"},
    {extents_many, FLT_TOO_LARGE, "more than 2^40 pixels"},
    {extent_real, FLT_CORRUPT, "its attribute x_num is no whole number"},
    {extent_two, FLT_CORRUPT, "its attribute x_num is no whole number"},
    {level_other, FLT_CORRUPT, "levels 1 to 5, but its extents make 4 the greatest"},
    {level_none, FLT_CORRUPT, "says levels 0 to 4"},
    {level_behind, FLT_CORRUPT, "says levels 5 to 4"},
    {particles_0, FLT_CORRUPT, "says 0 particles for 990 pixels"},
    {particles_many, FLT_CORRUPT, "says 991 particles for 990 pixels"},
    {particles_others, FLT_CORRUPT, "values particles of"},
    {compressed, FLT_UNSUPPORTED, "compressed with loss (compress_type 2): write it again"},
    {spacing_0, FLT_CORRUPT, "its attribute dx is 0"},
    {spacing_nan, FLT_CORRUPT, "its attribute dz is nan"},
    {lambda_whole, FLT_CORRUPT, "its attribute lambda is no number of f32 or f64"},
    {no_ends, FLT_CORRUPT, "has no xz_end_vec"},
    {no_places, FLT_CORRUPT, "tells of no particles"},
    {no_first_0, FLT_CORRUPT, "its xz_end_vec begins with 1, not 0"},
    {ends_short, FLT_CORRUPT, "xz_end_vec has"},
    {ends_u32, FLT_CORRUPT, "xz_end_vec has not whole numbers of 8 bytes"},
    {ends_f64, FLT_CORRUPT, "xz_end_vec has not whole numbers of 8 bytes"},
    {ends_descend, FLT_CORRUPT, "is no adaptive image: row"},
    {places_short, FLT_CORRUPT, "y_vec has"},
    {places_outside, FLT_CORRUPT, "outside of the image"},
    {places_twice, FLT_CORRUPT, "not in ascending order"},
    {places_of_rank_2, FLT_CORRUPT, "y_vec is no row of numbers"},
    {places_of_u8, FLT_CORRUPT, "y_vec has not whole numbers of 2 bytes"},
    {places_not_written, FLT_CORRUPT, "is damaged: it tells of bytes behind its end"},
    {hole, FLT_CORRUPT, "some of the image lies in none"},
    {no_values, FLT_CORRUPT, "has no values of particles in channel t"},
    {values_short, FLT_CORRUPT, "values particles of"},
    {values_long, FLT_CORRUPT, "values particles of"},
    {values_of_text, FLT_CORRUPT, "particles is no row of numbers"},
    {values_large, FLT_UNSUPPORTED, "values particles are 2^63 or more"},
    {values_of_12_bits, FLT_CORRUPT, "particles is no row of numbers"},
    {values_deflated, FLT_UNSUPPORTED, "compressed by filter 1 of HDF5, not by Blosc alone"},
    {chunks_missing, FLT_CORRUPT, "is damaged"},
    {values_in_other_file, FLT_CORRUPT, "bytes behind its end"},
    {values_of_kept_type, FLT_UNSUPPORTED, "a form of HDF5 that LibAPR does not write"},
    {chunk_no_blosc, FLT_CORRUPT, "a part of particles is missing or damaged"},
    {chunk_claims_much, FLT_CORRUPT, "a part of particles is missing or damaged"},
    {chunk_empty, FLT_CORRUPT, "a part of particles is missing or damaged"},
    {no_root, FLT_UNSUPPORTED, "it has no group ParticleRepr"},
    {no_channel, FLT_CORRUPT, "has no channel below ParticleRepr"},
    {linked_values, FLT_UNSUPPORTED, "in a newer form of HDF5"},
    {softly_linked_values, FLT_CORRUPT, "no values of particles"},
    {channel_is_data, FLT_CORRUPT, "has no channel below ParticleRepr"},
    {map_level_0, FLT_CORRUPT, "entry 0 of its maps is no row of the image"},
    {map_level_5, FLT_CORRUPT, "of its maps is no row of the image"},
    {map_plane, FLT_CORRUPT, "of its maps is no row of the image"},
    {map_row, FLT_CORRUPT, "entry 0 of its maps is no row of the image"},
    {map_twice, FLT_CORRUPT, "of its maps is no row of the image"},
    {map_runs_missing, FLT_CORRUPT, "of its maps is no row of the image"},
    {map_runs_too_many, FLT_CORRUPT, "its maps have"},
    {map_run_ends_first, FLT_CORRUPT, "entry 0 of its maps is no row of the image"},
    {map_run_longer, FLT_CORRUPT, "particles, but its maps have"},
    {map_fewer, FLT_CORRUPT, "particles, but its maps have"},
    {map_missing, FLT_CORRUPT, "has no map_z"},
    {map_shorter, FLT_CORRUPT, "map_z has 3 elements, not"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

/* ---- Tests ---- */

static void each_contradiction_is_refused(void **state)
{
    struct valid made = make_valid(state);
    for (size_t i = 0; i < REFUSALS; i++) {
        struct edited e;
        struct flt_apr_file file;
        struct flt_detail detail = {""};
        begin(&e, made.bytes, made.length, made.apr);
        refusals[i].damage(&e);
        const enum flt_status status = load_edited(&e, &file, &detail);
        if (status != refusals[i].status || !strstr(detail.text, refusals[i].says))
            print_error("%zu, '%s': %s: %s\n", i, refusals[i].says, flt_status_text(status),
                        detail.text);
        assert_int_equal(status, refusals[i].status);
        assert_non_null(strstr(detail.text, refusals[i].says));
        assert_null(file.apr);
        assert_null(file.value);
        free(e.value);
    }
    free_valid(&made);
}

static void files_cut_off_are_refused(void **state)
{
    struct valid made = make_valid(state);
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    for (size_t length = 0; length < made.length; length += length < 200 ? 1 : 97) {
        unsigned char *exact = malloc(length + 1);
        memcpy(exact, made.bytes, length);
        const enum flt_status status =
            flt_apr_load_bytes("it", exact, length, NULL, NULL, 1, &file, &detail);
        assert_int_equal(status, length < 8 ? FLT_UNKNOWN_FORMAT : FLT_CORRUPT);
        free(exact);
    }
    assert_non_null(strstr(detail.text, "it is cut off: it has"));
    free_valid(&made);
}

/* 1 kB or so must not stand for gigabytes: 65,535 x 65,535 rows of 8 bytes. */
static void small_files_take_little_memory(void **state)
{
    struct valid made = make_valid(state);
    struct edited e;
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    begin(&e, made.bytes, made.length, made.apr);
    edit_to_maps(e.file, e.apr);
    attribute_is(&e, "z_num", 65535);
    attribute_is(&e, "x_num", 65535);
    attribute_is(&e, "y_num", 200);
    attribute_is(&e, "level_max", 16);
    assert_int_equal(load_edited(&e, &file, &detail), FLT_TOO_LARGE);
    assert_non_null(strstr(detail.text, "says what would take more than"));
    free(e.value);
    free_valid(&made);
}

/* One group with many attributes under many names, none of which is of values. */
static void tangled_files_take_little_time(void **state)
{
    struct valid made = make_valid(state);
    struct edited e;
    struct flt_apr_file file;
    struct flt_detail detail = {""};
    begin(&e, made.bytes, made.length, made.apr);
    edit_remove(e.file, "particles");
    const hid_t space = H5Screate(H5S_SCALAR),
                channel = H5Gopen2(e.file, EDIT_CHANNEL, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(channel, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    char name[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        H5Aclose(H5Acreate2(group, name, H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Gclose(group);
    for (int i = 0; i < 9000; i++) {
        snprintf(name, sizeof name, "l%d", i);
        H5Lcreate_hard(channel, "g", channel, name, H5P_DEFAULT, H5P_DEFAULT);
    }
    H5Gclose(channel);
    H5Sclose(space);
    assert_int_equal(load_edited(&e, &file, &detail), FLT_CORRUPT);
    assert_non_null(strstr(detail.text, "it tells of the same again and again"));
    free(e.value);
    free_valid(&made);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(each_contradiction_is_refused),
        IN_FOLDER(files_cut_off_are_refused),
        IN_FOLDER(small_files_take_little_memory),
        IN_FOLDER(tangled_files_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
