/* Files of adaptive images, changed by HDF5 in memory, for tests: other layouts, and wrong ones. */
#ifndef FLTC_TEST_PARTICLES_EDIT_H
#define FLTC_TEST_PARTICLES_EDIT_H

#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flt/particles.h"

#define EDIT_CHANNEL "ParticleRepr/t"

/* Opens a copy of the bytes. */
static inline hid_t edit_open(const void *bytes, size_t length)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_fapl_core(access, 65536, false);
    H5Pset_file_image(access, (void *)(uintptr_t)bytes, length);
    const hid_t file = H5Fopen("edit", H5F_ACC_RDWR, access);
    H5Pclose(access);
    return file;
}

/* Closes; the bytes are the caller's. */
static inline unsigned char *edit_close(hid_t file, size_t *length)
{
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file, NULL, 0);
    unsigned char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    *length = bytes ? (size_t)H5Fget_file_image(file, bytes, (size_t)size) : 0;
    H5Fclose(file);
    return bytes;
}

/* The attribute becomes `count` of such numbers. */
static inline void edit_attribute(hid_t file, const char *name, hid_t type, uint64_t count,
                                  const void *value)
{
    const hsize_t extent = count;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    H5Adelete_by_name(file, EDIT_CHANNEL, name, H5P_DEFAULT);
    const hid_t attribute = H5Acreate_by_name(file, EDIT_CHANNEL, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static inline void edit_whole(hid_t file, const char *name, uint64_t value)
{
    edit_attribute(file, name, H5T_NATIVE_UINT64, 1, &value);
}

static inline void edit_remove(hid_t file, const char *name)
{
    const hid_t channel = H5Gopen2(file, EDIT_CHANNEL, H5P_DEFAULT);
    H5Ldelete(channel, name, H5P_DEFAULT);
    H5Gclose(channel);
}

/* The data set becomes another one; list: how it is created. Not written where data is NULL. */
static inline void edit_data_as(hid_t file, const char *name, hid_t type, int rank,
                                const hsize_t extent[], hid_t list, const void *data)
{
    const hid_t channel = H5Gopen2(file, EDIT_CHANNEL, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, extent, NULL);
    if (H5Lexists(channel, name, H5P_DEFAULT) > 0)
        H5Ldelete(channel, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(channel, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (data)
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
    H5Gclose(channel);
}

/* In one piece, not compressed. */
static inline void edit_data(hid_t file, const char *name, hid_t type, uint64_t count,
                             const void *data)
{
    edit_data_as(file, name, type, 1, &(hsize_t){count}, H5P_DEFAULT, data);
}

/* ---- Maps ---- */

/* Of an entry for each row with particles; of the greatest level one for up to four rows. */
struct edit_maps {
    uint64_t entries, runs;
    uint8_t *level;
    uint16_t *z, *x, *count, *first, *last;
};

static inline void edit_map_row(struct edit_maps *m, const struct flt_apr *apr, int l, int64_t z,
                                int64_t y, int64_t row)
{
    const uint64_t first = apr->particles.row[l][row], end = apr->particles.row[l][row + 1];
    if (first == end)
        return;
    m->level[m->entries] = (uint8_t)l;
    m->z[m->entries] = (uint16_t)z;
    m->x[m->entries] = (uint16_t)y;
    m->count[m->entries++] = (uint16_t)(end - first);
    for (uint64_t i = first; i < end; i++) {
        const struct flt_apr_run *run = &apr->particles.run[i];
        m->first[m->runs] = (uint16_t)run->first;
        m->last[m->runs++] = (uint16_t)(run->first + run->count - 1);
    }
}

static inline struct edit_maps edit_maps_of(const struct flt_apr *apr)
{
    uint64_t rows = 0;
    for (int l = 1; l <= apr->levels; l++)
        rows += (uint64_t)apr->extent[l][0] * (uint64_t)apr->extent[l][1];
    const size_t most = rows + apr->particles.count;
    struct edit_maps m = {.level = malloc(most),
                          .z = malloc(most * 2),
                          .x = malloc(most * 2),
                          .count = malloc(most * 2),
                          .first = malloc(most * 2),
                          .last = malloc(most * 2)};
    for (int l = 1; l <= apr->levels; l++) {
        const int step = l == apr->levels ? 2 : 1;
        for (int64_t z = 0; z < apr->extent[l][0]; z += step)
            for (int64_t y = 0; y < apr->extent[l][1]; y += step)
                edit_map_row(&m, apr, l, z / step, y / step, z * apr->extent[l][1] + y);
    }
    return m;
}

static inline void edit_free_maps(struct edit_maps *m)
{
    free(m->level);
    free(m->z);
    free(m->x);
    free(m->count);
    free(m->first);
    free(m->last);
}

static inline void edit_put_maps(hid_t file, const struct edit_maps *m)
{
    edit_data(file, "map_level", H5T_STD_U8LE, m->entries, m->level);
    edit_data(file, "map_z", H5T_STD_I16LE, m->entries, m->z);
    edit_data(file, "map_x", H5T_STD_I16LE, m->entries, m->x);
    edit_data(file, "map_number_gaps", H5T_STD_I16LE, m->entries, m->count);
    edit_data(file, "map_y_begin", H5T_STD_I16LE, m->runs, m->first);
    edit_data(file, "map_y_end", H5T_STD_I16LE, m->runs, m->last);
}

/* From rows of particles to maps. */
static inline void edit_to_maps(hid_t file, const struct flt_apr *apr)
{
    struct edit_maps m = edit_maps_of(apr);
    edit_remove(file, "y_vec");
    edit_remove(file, "xz_end_vec");
    edit_put_maps(file, &m);
    edit_free_maps(&m);
}

#endif
