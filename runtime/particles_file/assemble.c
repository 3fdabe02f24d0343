/* The bytes of a file, built by HDF5 in memory. Chunks are compressed here and handed to it as they
 * are: Blosc need not be among its filters. */
#include "particles_file/internal.h"

#include <blosc.h>
#include <hdf5.h>
#include <stdio.h>

/* LibAPR's: elements of a chunk, level. */
enum { CHUNK = 100000, BLOSC_LEVEL = 4, BLOSC_ZSTD_NUMBER = 5 };

/* HDF5's own messages are turned off between the two. The program may have set them in the way of
 * HDF5 1.6, which is asked for, and put back, by other functions. */
struct quiet {
    unsigned is_newer;
    H5E_auto2_t print;
#ifndef H5_NO_DEPRECATED_SYMBOLS
    H5E_auto1_t print_older;
#endif
    void *data;
};

static struct quiet be_quiet(void)
{
    struct quiet quiet = {.is_newer = 1};
    H5Eauto_is_v2(H5E_DEFAULT, &quiet.is_newer);
    if (quiet.is_newer)
        H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
#ifndef H5_NO_DEPRECATED_SYMBOLS
    else
        H5Eget_auto1(&quiet.print_older, &quiet.data);
#endif
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

static void be_as_before(struct quiet quiet)
{
    H5Eclear2(H5E_DEFAULT);
    if (quiet.is_newer)
        H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
#ifndef H5_NO_DEPRECATED_SYMBOLS
    else
        H5Eset_auto1(quiet.print_older, quiet.data);
#endif
}

/* HDF5 writes a filter's name where it has the filter, of a plugin say. Where it has none of Blosc,
 * one of that name is there meanwhile, which nothing calls: so the same contents are the same
 * bytes. */
static size_t filter_nothing(unsigned flags, size_t numbers, const unsigned number[], size_t bytes,
                             size_t *room, void **buffer)
{
    (void)flags, (void)numbers, (void)number, (void)bytes, (void)room, (void)buffer;
    return 0;
}

/* Returns whether end_blosc is to follow. */
static bool begin_blosc(void)
{
    const H5Z_class2_t blosc = {.version = H5Z_CLASS_T_VERS,
                                .id = APR_BLOSC,
                                .encoder_present = 1,
                                .decoder_present = 1,
                                .name = "blosc",
                                .filter = filter_nothing};
    return H5Zfilter_avail(APR_BLOSC) <= 0 && H5Zregister(&blosc) >= 0;
}

static void end_blosc(void)
{
    H5Zunregister(APR_BLOSC);
}

struct writer {
    hid_t root, group, group_list;
    struct pool *pool; /* for what is not kept */
    struct flt_detail *detail;
    enum flt_status status;
};

static bool writer_fail(struct writer *w, enum flt_status status, const char *why)
{
    if (w->status == FLT_OK)
        w->status = apr_file_fail(status, w->detail, "%s", why);
    return false;
}

static bool no_memory(struct writer *w)
{
    return writer_fail(w, FLT_NO_MEMORY, "there is not enough memory for the file");
}

/* ---- Attributes ---- */

static bool put(struct writer *w, const char *name, hid_t stored, hid_t memory, const void *value)
{
    const hsize_t one = 1;
    const hid_t space = H5Screate_simple(1, &one, NULL);
    const hid_t attribute =
        space < 0 ? H5I_INVALID_HID
                  : H5Acreate2(w->group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool written = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    const bool closed = H5Aclose(attribute) >= 0;
    H5Sclose(space);
    return (written && closed) || no_memory(w);
}

static bool put_u64(struct writer *w, const char *name, uint64_t value)
{
    return put(w, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

static bool put_i32(struct writer *w, const char *name, int32_t value)
{
    return put(w, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value);
}

static bool put_f32(struct writer *w, const char *name, float value)
{
    return put(w, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, &value);
}

static bool put_text(struct writer *w, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    const bool sized = type >= 0 && H5Tset_size(type, strlen(text)) >= 0;
    const hid_t attribute =
        sized ? H5Acreate2(w->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
    const bool written = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    const bool closed = H5Aclose(attribute) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    return (written && closed) || no_memory(w);
}

static bool put_extents(struct writer *w, const struct flt_apr *apr)
{
    static const char *const names[] = {"z_num", "x_num", "y_num"};
    for (int a = 0; a < FLT_APR_AXES; a++) {
        if (!put_u64(w, names[a], (uint64_t)apr->extent[apr->levels][a]))
            return false;
        for (int l = 1; l < apr->levels; l++) {
            char name[16];
            snprintf(name, sizeof name, "%s_%d", names[a], l);
            if (!put_i32(w, name, apr->extent[l][a]))
                return false;
        }
    }
    return put_u64(w, "level_min", 1) && put_u64(w, "level_max", (uint64_t)apr->levels) &&
           put_u64(w, "total_number_particles", apr->particles.count);
}

static bool put_settings(struct writer *w, const struct flt_apr_settings *s)
{
    return put_f32(w, "rel_error", s->error) && put_f32(w, "lambda", s->lambda) &&
           put_f32(w, "sigma_th", s->sigma_min) && put_f32(w, "sigma_th_max", s->sigma_ignored) &&
           put_f32(w, "grad_th", s->gradient_min) && put_f32(w, "I_th", s->intensity_min) &&
           put_f32(w, "psfx", s->psf) && put_f32(w, "psfy", s->psf) && put_f32(w, "psfz", s->psf) &&
           put_f32(w, "dz", s->spacing[AXIS_Z]) && put_f32(w, "dx", s->spacing[AXIS_Y]) &&
           put_f32(w, "dy", s->spacing[AXIS_X]) && put_f32(w, "noise_sd_estimate", 0) &&
           put_f32(w, "background_intensity_estimate", 0);
}

/* What LibAPR asks of values: that they are in the order of rows, not compressed with loss. */
static bool put_rest(struct writer *w)
{
    return put_text(w, "name", "no_name") && put_u64(w, "time_steps", 0) &&
           put_i32(w, "lzxy_order", 1) && put_i32(w, "compress_type", 0) &&
           put_f32(w, "quantization_factor", 0.5f) && put_f32(w, "compress_background", 1);
}

/* ---- Data sets ---- */

/* Little endian. */
static hid_t stored_type(enum flt_element element)
{
    switch (element) {
    case FLT_U8:
        return H5T_STD_U8LE;
    case FLT_I8:
        return H5T_STD_I8LE;
    case FLT_U16:
        return H5T_STD_U16LE;
    case FLT_I16:
        return H5T_STD_I16LE;
    case FLT_U32:
        return H5T_STD_U32LE;
    case FLT_I32:
        return H5T_STD_I32LE;
    case FLT_I64:
        return H5T_STD_I64LE;
    case FLT_F32:
        return H5T_IEEE_F32LE;
    case FLT_F64:
        return H5T_IEEE_F64LE;
    case FLT_BOOL:
    case FLT_F16:
        break;
    }
    return H5I_INVALID_HID;
}

static hid_t create_data(const struct writer *w, const char *name, hid_t type, size_t bytes,
                         uint64_t count, uint64_t chunk)
{
    const unsigned numbers[APR_BLOSC_NUMBERS] = {
        2,           BLOSC_VERSION_FORMAT, (unsigned)bytes,  (unsigned)(chunk * bytes),
        BLOSC_LEVEL, BLOSC_SHUFFLE,        BLOSC_ZSTD_NUMBER};
    const hsize_t extent = count, part = chunk;
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, NULL);
    hid_t data = H5I_INVALID_HID;
    /* optional: else HDF5 would want to have the filter */
    if (list >= 0 && space >= 0 && H5Pset_chunk(list, 1, &part) >= 0 &&
        H5Pset_filter(list, APR_BLOSC, H5Z_FLAG_OPTIONAL, APR_BLOSC_NUMBERS, numbers) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0)
        data = H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(list);
    return data;
}

/* room: of two chunks and what Blosc adds; the rest of the last chunk is 0. */
static bool put_chunks(struct writer *w, hid_t data, const char *from, size_t bytes, uint64_t count,
                       uint64_t chunk, char *room)
{
    const size_t whole = (size_t)chunk * bytes;
    for (uint64_t first = 0; first < count; first += chunk) {
        const uint64_t own = count - first < chunk ? count - first : chunk;
        const char *source = from + first * bytes;
        hsize_t at = first;
        if (own < chunk) {
            memset(room, 0, whole);
            memcpy(room, source, (size_t)own * bytes);
            source = room;
        }
        const int packed =
            blosc_compress_ctx(BLOSC_LEVEL, BLOSC_SHUFFLE, bytes, whole, source, room + whole,
                               whole + BLOSC_MAX_OVERHEAD, BLOSC_ZSTD_COMPNAME, 0, 1);
        if (packed <= 0)
            return writer_fail(w, FLT_UNSUPPORTED,
                               "the Blosc of this system cannot compress by Zstandard");
        if (H5Dwrite_chunk(data, H5P_DEFAULT, 0, &at, (size_t)packed, room + whole) < 0)
            return no_memory(w);
    }
    return true;
}

static bool put_data(struct writer *w, const char *name, hid_t type, size_t bytes, uint64_t count,
                     const void *from)
{
    const uint64_t chunk = count < CHUNK ? count : CHUNK;
    void *mark = pool_mark(w->pool);
    char *room = pool_take(w->pool, 2 * chunk * bytes + BLOSC_MAX_OVERHEAD, 1);
    const hid_t data = room ? create_data(w, name, type, bytes, count, chunk) : H5I_INVALID_HID;
    const bool good =
        data >= 0 ? put_chunks(w, data, from, bytes, count, chunk, room) : no_memory(w);
    const bool closed = H5Dclose(data) >= 0;
    pool_release(w->pool, mark);
    return good && (closed || no_memory(w));
}

/* ---- Rows ---- */

static bool put_ends(struct writer *w, const struct flt_apr *apr)
{
    uint64_t rows = 0, r = 0;
    for (int l = 1; l <= apr->levels; l++) {
        const struct grid g = apr_grid(apr, l);
        rows += grid_rows(&g);
    }
    void *mark = pool_mark(w->pool);
    uint64_t *end = POOL_ARRAY(w->pool, uint64_t, rows + 1);
    if (!end)
        return no_memory(w);
    end[0] = 0;
    for (int l = 1; l <= apr->levels; l++) {
        const struct grid g = apr_grid(apr, l);
        for (uint64_t i = 0; i < grid_rows(&g); i++, r++) {
            const uint64_t first = apr->particles.row[l][i], next = apr->particles.row[l][i + 1];
            const struct flt_apr_run *last = apr->particles.run + next - 1;
            end[r + 1] = first == next ? end[r] : last->at + last->count;
        }
    }
    const bool good = put_data(w, "xz_end_vec", H5T_STD_U64LE, sizeof *end, rows + 1, end);
    pool_release(w->pool, mark);
    return good;
}

static bool put_places(struct writer *w, const struct flt_apr *apr)
{
    const struct grid g = apr_grid(apr, apr->levels);
    const uint64_t runs = apr->particles.row[apr->levels][grid_rows(&g)];
    void *mark = pool_mark(w->pool);
    uint16_t *x = POOL_ARRAY(w->pool, uint16_t, apr->particles.count);
    if (!x)
        return no_memory(w);
    for (uint64_t i = 0; i < runs; i++) {
        const struct flt_apr_run *run = &apr->particles.run[i];
        for (uint32_t k = 0; k < run->count; k++)
            x[run->at + k] = (uint16_t)(run->first + k);
    }
    const bool good = put_data(w, "y_vec", H5T_STD_U16LE, sizeof *x, apr->particles.count, x);
    pool_release(w->pool, mark);
    return good;
}

/* ---- Channels ---- */

static bool put_channel(struct writer *w, const struct flt_apr_channel *c)
{
    const struct flt_apr_settings *settings = c->settings ? c->settings : &flt_apr_usual_settings;
    bool good = put_rest(w) && put_extents(w, c->apr) && put_settings(w, settings) &&
                put_ends(w, c->apr) && put_places(w, c->apr);
    for (int i = 0; i < c->arrays && good; i++) {
        const struct flt_apr_values *v = &c->values[i];
        good = put_data(w, v->name ? v->name : "particles", stored_type(v->element),
                        apr_element_bytes(v->element), c->apr->particles.count, v->value);
    }
    return good;
}

static bool put_channels(struct writer *w, const struct flt_apr_channel channel[], int channels)
{
    for (int i = 0; i < channels; i++) {
        const char *name = channel[i].name ? channel[i].name : "t";
        w->group = H5Gcreate2(w->root, name, H5P_DEFAULT, w->group_list, H5P_DEFAULT);
        const bool good = w->group >= 0 ? put_channel(w, &channel[i]) : no_memory(w);
        const bool closed = H5Gclose(w->group) >= 0;
        if (!good || !closed)
            return no_memory(w);
    }
    return true;
}

static bool take_image(struct writer *w, hid_t file, struct pool *pool, void **bytes,
                       size_t *length)
{
    const ssize_t size =
        H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : -1;
    *bytes = size > 0 ? pool_take(pool, (uint64_t)size, 1) : NULL;
    if (!*bytes || H5Fget_file_image(file, *bytes, (size_t)size) != size)
        return no_memory(w);
    *length = (size_t)size;
    return true;
}

/* A file in memory. Its name is of no file, which HDF5 would look into first, and of no other in
 * memory, which it would take for this one. Of all versions of HDF5 the classic form, which is the
 * one that is read. */
static hid_t create_file(const struct writer *w)
{
    char name[64];
    snprintf(name, sizeof name, "/dev/null/%p.apr", (const void *)w);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && list >= 0 && H5Pset_fapl_core(access, 1 << 20, false) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, list, access);
    H5Pclose(list);
    H5Pclose(access);
    return file;
}

/* Groups have no times: the same contents are the same bytes. */
static hid_t create_group_list(void)
{
    const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        return list;
    H5Pclose(list);
    return H5I_INVALID_HID;
}

enum flt_status apr_file_image(const struct flt_apr_channel channel[], int channels,
                               struct pool *pool, void **bytes, size_t *length,
                               struct flt_detail *detail)
{
    struct pool own = pool_open(&pool->allocator);
    struct writer w = {.pool = &own, .detail = detail, .status = FLT_OK};
    const struct quiet quiet = be_quiet();
    const bool has_begun = begin_blosc();
    const hid_t file = create_file(&w);
    w.group_list = create_group_list();
    w.root = file < 0 || w.group_list < 0
                 ? H5I_INVALID_HID
                 : H5Gcreate2(file, APR_ROOT, H5P_DEFAULT, w.group_list, H5P_DEFAULT);
    if (w.root < 0)
        no_memory(&w);
    else if (put_channels(&w, channel, channels))
        take_image(&w, file, pool, bytes, length);
    H5Gclose(w.root);
    H5Pclose(w.group_list);
    H5Fclose(file);
    if (has_begun)
        end_blosc();
    be_as_before(quiet);
    pool_release(&own, NULL);
    return w.status;
}
