/* Numbers of HDF5 files: attributes of one, data sets of many. Chunks that Blosc has compressed are
 * taken as they are and decompressed here, so that no filter of HDF5's runs on what a file says. */
#include "particles_file/internal.h"

#include <blosc.h>

bool apr_reader_allows(struct apr_reader *r, uint64_t count, size_t bytes)
{
    if (r->status != FLT_OK)
        return false;
    if (count > r->allowance / bytes)
        return apr_reader_fail(
            r, FLT_TOO_LARGE, "%s has %llu bytes, but says what would take more than %llu MB",
            r->name, (unsigned long long)r->length, (unsigned long long)(r->allowance >> 20));
    r->allowance -= count * bytes;
    return true;
}

void *apr_reader_take(struct apr_reader *r, struct pool *pool, uint64_t count, size_t bytes)
{
    if (!apr_reader_allows(r, count, bytes))
        return NULL;
    void *memory = pool_take(pool, count, bytes);
    if (!memory)
        apr_reader_fail(r, FLT_NO_MEMORY, "%s: there is not enough memory", r->name);
    return memory;
}

/* ---- Attributes ---- */

/* Opens an attribute of one number; out: as `memory` says. */
static bool read_attribute(hid_t object, const char *name, bool real, hid_t memory, void *out)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    struct apr_type known;
    const bool good = type >= 0 && space >= 0 && apr_type_of(type, &known) &&
                      known.is_real == real && H5Sget_simple_extent_type(space) != H5S_NULL &&
                      H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Aread(attribute, memory, out) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

bool apr_whole(struct apr_reader *r, hid_t object, const char *name, bool low, uint64_t *value,
               bool *missing)
{
    *missing = H5Aexists(object, name) == 0;
    if (*missing)
        return true;
    if (!read_attribute(object, name, false, H5T_NATIVE_UINT64, value))
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is no whole number", r->name,
                               name);
    *value &= low ? UINT32_MAX : UINT64_MAX;
    return true;
}

bool apr_real(struct apr_reader *r, hid_t object, const char *name, double *value, bool *missing)
{
    *missing = H5Aexists(object, name) == 0;
    if (*missing)
        return true;
    if (!read_attribute(object, name, true, H5T_NATIVE_DOUBLE, value))
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is no number of f32 or f64",
                               r->name, name);
    return true;
}

/* ---- Objects ---- */

/* Whether there is an object of that kind in `parent` itself. */
static bool stands_in(hid_t parent, const char *name, H5O_type_t kind)
{
    H5L_info_t link;
    H5O_info_t object;
    return apr_name_is_right(name) && H5Lexists(parent, name, H5P_DEFAULT) > 0 &&
           H5Lget_info(parent, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD &&
           H5Oget_info_by_name2(parent, name, &object, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
           object.type == kind;
}

hid_t apr_open_group(hid_t parent, const char *name)
{
    return stands_in(parent, name, H5O_TYPE_GROUP) ? H5Gopen2(parent, name, H5P_DEFAULT)
                                                   : H5I_INVALID_HID;
}

bool apr_data_exists(hid_t parent, const char *name)
{
    return stands_in(parent, name, H5O_TYPE_DATASET);
}

/* ---- Data sets ---- */

static bool read_shape(struct apr_data *data)
{
    const hid_t space = H5Dget_space(data->id);
    hsize_t extent = 0;
    const bool good = space >= 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                      H5Sget_simple_extent_ndims(space) == 1 &&
                      H5Sget_simple_extent_dims(space, &extent, NULL) == 1;
    H5Sclose(space);
    data->count = extent;
    return good;
}

static bool read_type(struct apr_data *data)
{
    const hid_t type = H5Dget_type(data->id);
    const bool good = type >= 0 && apr_type_of(type, &data->type);
    H5Tclose(type);
    return good;
}

/* The filter of a chunked data set: none, or Blosc alone. */
static bool read_filter(struct apr_reader *r, hid_t list, struct apr_data *data)
{
    const int filters = H5Pget_nfilters(list);
    if (filters == 0)
        return true;
    unsigned flags = 0;
    size_t numbers = 0;
    const H5Z_filter_t filter =
        filters > 0 ? H5Pget_filter2(list, 0, &flags, &numbers, NULL, 0, NULL, NULL) : -1;
    if (filters == 1 && filter == APR_BLOSC) {
        data->is_blosc = true;
        return true;
    }
    return apr_reader_fail(r, FLT_UNSUPPORTED,
                           "%s: %s is compressed by filter %d, not by Blosc; h5repack -f NONE "
                           "writes a file without",
                           r->name, data->name, (int)filter);
}

static bool read_layout(struct apr_reader *r, hid_t list, struct apr_data *data)
{
    hsize_t chunk = 0;
    switch (H5Pget_layout(list)) {
    case H5D_COMPACT:
        return true;
    case H5D_CONTIGUOUS:
        if (H5Pget_external_count(list) == 0)
            return true;
        break;
    case H5D_CHUNKED:
        if (H5Pget_chunk(list, 1, &chunk) != 1 || chunk < 1)
            break;
        data->is_chunked = true;
        data->chunk = chunk;
        return read_filter(r, list, data);
    case H5D_VIRTUAL:
    case H5D_LAYOUT_ERROR:
    case H5D_NLAYOUTS:
        break;
    }
    return apr_reader_fail(r, FLT_UNSUPPORTED, "%s: the elements of %s are not in the file itself",
                           r->name, data->name);
}

bool apr_data_open(struct apr_reader *r, hid_t parent, const char *name, struct apr_data *data)
{
    *data = (struct apr_data){.id = H5I_INVALID_HID, .name = name};
    if (!stands_in(parent, name, H5O_TYPE_DATASET))
        return apr_reader_fail(r, FLT_CORRUPT, "%s has no %s", r->name, name);
    data->id = H5Dopen2(parent, name, H5P_DEFAULT);
    if (data->id < 0)
        return apr_reader_fail(r, FLT_CORRUPT, "%s: %s cannot be opened", r->name, name);
    const hid_t list = H5Dget_create_plist(data->id);
    bool good = list >= 0;
    if (!good || !read_shape(data) || !read_type(data))
        good = apr_reader_fail(r, FLT_CORRUPT, "%s: %s is no row of numbers", r->name, name);
    good = good && read_layout(r, list, data);
    H5Pclose(list);
    if (!good)
        apr_data_close(data);
    return good;
}

void apr_data_close(struct apr_data *data)
{
    if (data->id >= 0)
        H5Dclose(data->id);
    data->id = H5I_INVALID_HID;
}

static bool is_cut_off(struct apr_reader *r, const struct apr_data *data)
{
    return apr_reader_fail(r, FLT_CORRUPT, "%s: a part of %s is missing or damaged", r->name,
                           data->name);
}

/* One chunk: `whole` is its bytes in the file's order, at out. packed: room for what is stored. */
static bool read_chunk(struct apr_reader *r, const struct apr_data *data, uint64_t first,
                       size_t whole, void *packed, void *out)
{
    hsize_t stored = 0, at = first;
    uint32_t skipped = 0;
    size_t unpacked = 0;
    if (H5Dget_chunk_storage_size(data->id, &at, &stored) < 0 || stored < 1 ||
        stored > whole + BLOSC_MAX_OVERHEAD || stored > r->length ||
        H5Dread_chunk(data->id, H5P_DEFAULT, &at, &skipped, packed) < 0)
        return is_cut_off(r, data);
    if (!data->is_blosc || skipped != 0) {
        if (stored != whole)
            return is_cut_off(r, data);
        memcpy(out, packed, whole);
        return true;
    }
    if (blosc_cbuffer_validate(packed, (size_t)stored, &unpacked) != 0 || unpacked != whole ||
        blosc_decompress_ctx(packed, out, whole, 1) != (int)whole)
        return is_cut_off(r, data);
    return true;
}

static bool read_chunks(struct apr_reader *r, const struct apr_data *data, char *out)
{
    const uint64_t chunks = (data->count - 1) / data->chunk + 1;
    const size_t bytes = data->type.bytes;
    /* each is told of in the file, by its place and length at the least */
    if (chunks > r->length / 16 + 1 || data->chunk > BLOSC_MAX_BUFFERSIZE / bytes)
        return is_cut_off(r, data);
    const size_t whole = (size_t)data->chunk * bytes;
    void *mark = pool_mark(&r->pool);
    char *packed = apr_reader_take(r, &r->pool, whole + BLOSC_MAX_OVERHEAD, 1);
    char *unpacked = apr_reader_take(r, &r->pool, whole, 1);
    bool good = packed && unpacked;
    for (uint64_t c = 0; c < chunks && good; c++) {
        const uint64_t first = c * data->chunk;
        const uint64_t count =
            data->count - first < data->chunk ? data->count - first : data->chunk;
        char *to = count == data->chunk ? out + first * bytes : unpacked;
        good = read_chunk(r, data, first, whole, packed, to);
        if (good && to == unpacked)
            memcpy(out + first * bytes, unpacked, (size_t)count * bytes);
    }
    pool_release(&r->pool, mark);
    return good;
}

static bool read_together(struct apr_reader *r, const struct apr_data *data, void *out)
{
    if (data->count > r->length / data->type.bytes)
        return is_cut_off(r, data);
    const hid_t type = H5Dget_type(data->id);
    const bool good = type >= 0 && H5Dread(data->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Tclose(type);
    return good || is_cut_off(r, data);
}

static void turn_bytes(char *out, uint64_t count, size_t bytes)
{
    for (uint64_t i = 0; i < count; i++)
        for (size_t k = 0; k < bytes / 2; k++) {
            char *a = out + i * bytes + k, *b = out + i * bytes + bytes - 1 - k;
            const char c = *a;
            *a = *b;
            *b = c;
        }
}

bool apr_data_read(struct apr_reader *r, const struct apr_data *data, void *out)
{
    const bool own_order_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (data->count == 0)
        return true;
    if (data->is_chunked && !data->is_blosc && data->count > r->length / data->type.bytes)
        return is_cut_off(r, data);
    if (!(data->is_chunked ? read_chunks(r, data, out) : read_together(r, data, out)))
        return false;
    if (data->type.big_endian != own_order_is_big)
        turn_bytes(out, data->count, data->type.bytes);
    return true;
}

void *apr_data_take(struct apr_reader *r, hid_t parent, const char *name, size_t bytes,
                    uint64_t *count)
{
    struct apr_data data;
    void *out = NULL;
    if (!apr_data_open(r, parent, name, &data))
        return NULL;
    if (data.type.bytes != bytes || data.type.is_real)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s has not whole numbers of %zu bytes", r->name, name,
                        bytes);
    else if (data.count < 1)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s is empty", r->name, name);
    else if (*count != ANY_COUNT && *count != data.count)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s has %llu elements, not %llu", r->name, name,
                        (unsigned long long)data.count, (unsigned long long)*count);
    else
        out = apr_reader_take(r, &r->pool, data.count, bytes);
    *count = data.count;
    if (out && !apr_data_read(r, &data, out))
        out = NULL;
    apr_data_close(&data);
    return out;
}
