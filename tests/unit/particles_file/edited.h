/* A file of a volume of 9 x 10 x 11, without Blosc, that a test changes by HDF5 and loads. */
#ifndef FLTC_TEST_PARTICLES_EDITED_H
#define FLTC_TEST_PARTICLES_EDITED_H

#include "files.h"

#include "edit.h"

/* What a test changes in a file. */
struct edited {
    hid_t file;
    struct flt_apr *apr;
    struct listed l; /* its ends begin with the 0 */
    uint64_t rows, particles;
    uint16_t *value;
};

static inline void attribute_is(struct edited *e, const char *name, uint64_t value)
{
    edit_whole(e->file, name, value);
}

static inline void put_rows(struct edited *e)
{
    edit_data(e->file, "xz_end_vec", H5T_STD_U64LE, e->rows + 1, e->l.end);
    edit_data(e->file, "y_vec", H5T_STD_U16LE, e->particles, e->l.x);
    edit_data(e->file, "particles", H5T_STD_U16LE, e->particles, e->value);
}

static inline void begin(struct edited *e, const unsigned char *bytes, size_t length,
                         struct flt_apr *apr)
{
    *e = (struct edited){.file = edit_open(bytes, length), .apr = apr};
    e->l = listed_of(apr, 1, 2);
    e->rows = e->l.rows.rows;
    e->particles = e->l.rows.particles;
    memmove(e->l.end + 1, e->l.end, e->rows * sizeof *e->l.end);
    e->l.end[0] = 0;
    e->value = values_for(apr, FLT_U16);
    put_rows(e);
}

static inline void put_chunked(struct edited *e, bool deflated, bool written)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &(hsize_t){100});
    if (deflated)
        H5Pset_deflate(list, 4);
    edit_data_as(e->file, "particles", H5T_STD_U16LE, 1, &(hsize_t){e->particles}, list,
                 written ? e->value : NULL);
    H5Pclose(list);
}
/* The volume, its file, and values. */
struct valid {
    struct flt_apr *apr;
    unsigned char *bytes;
    size_t length;
};

static inline struct valid make_valid(void *const *folder)
{
    struct volume v = volume_of_balls(9, 10, 11, 2);
    struct valid made = {.apr = apr_of(&v)};
    void *value = values_for(made.apr, FLT_U16);
    const char *path = in_folder(folder, "a.apr");
    assert_int_equal(save_one(path, made.apr, FLT_U16, value, NULL), FLT_OK);
    made.bytes = bytes_of(path, &made.length);
    free(value);
    free(v.pixel);
    return made;
}

static inline void free_valid(struct valid *made)
{
    flt_apr_destroy(made->apr);
    free(made->bytes);
}

/* Loads what is edited; the file is closed. */
static inline enum flt_status load_edited(struct edited *e, struct flt_apr_file *file,
                                          struct flt_detail *detail)
{
    size_t length;
    unsigned char *bytes = edit_close(e->file, &length);
    const enum flt_status status =
        flt_apr_load_bytes("it", bytes, length, NULL, NULL, 1, file, detail);
    free(bytes);
    free_listed(&e->l);
    return status;
}

#endif
