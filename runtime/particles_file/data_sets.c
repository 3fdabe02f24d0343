/* Data sets of HDF5 files, in the classic form: rows of numbers in one piece, or in chunks that
 * Blosc has compressed. Source: HDF5 File Format Specification, version 3. */
#include "particles_file/internal.h"

#include "particles_file/blosc_here.h"

/* ---- What a data set is ---- */

struct found {
    struct apr_data *data;
    bool has_type, has_space, has_layout;
};

static bool has_other_numbers(struct apr_reader *r, const struct apr_data *data)
{
    return apr_reader_fail(r, FLT_CORRUPT, "%s: %s is no row of numbers", r->name, data->name);
}

static bool lies_elsewhere(struct apr_reader *r, const struct apr_data *data)
{
    return apr_reader_fail(
        r, FLT_UNSUPPORTED,
        "%s: %s is stored in a form of HDF5 that LibAPR does not write: " APR_REPACK, r->name,
        data->name);
}

static bool is_cut_off(struct apr_reader *r, const struct apr_data *data)
{
    return apr_reader_fail(r, FLT_CORRUPT, "%s: a part of %s is missing or damaged", r->name,
                           data->name);
}

static bool read_layout(struct apr_reader *r, const struct apr_message *m, struct apr_data *data)
{
    enum { COMPACT, CONTIGUOUS, CHUNKED, VERSION = 3 };
    if (m->size < 4 || m->data[0] != VERSION || m->data[1] > CHUNKED)
        return lies_elsewhere(r, data);
    if (m->data[1] == COMPACT) {
        data->at = m->at + 4;
        data->bytes = apr_little(m->data + 2, 2);
        return data->bytes <= m->size - 4 || is_cut_off(r, data);
    }
    if (m->size < 18)
        return is_cut_off(r, data);
    data->at = apr_little(m->data + 2, 8);
    data->bytes = apr_little(m->data + 10, 8);
    if (m->data[1] == CONTIGUOUS)
        return true;
    /* of a row the rank is 2: bytes of an element are the other extent of a chunk */
    data->is_chunked = true;
    if (m->data[2] != 2)
        return has_other_numbers(r, data);
    if (m->size < 19)
        return is_cut_off(r, data);
    data->at = apr_little(m->data + 3, 8);
    data->bytes = 0;
    data->chunk = apr_little(m->data + 11, 4);
    return data->chunk > 0 || is_cut_off(r, data);
}

/* None, or Blosc alone. */
static bool read_filters(struct apr_reader *r, const struct apr_message *m, struct apr_data *data)
{
    if (m->size < 2 || m->data[0] < 1 || m->data[0] > 2)
        return lies_elsewhere(r, data);
    const size_t start = m->data[0] == 1 ? 8 : 2;
    if (m->data[1] == 0)
        return true;
    if (m->size < start + 2)
        return is_cut_off(r, data);
    const int filter = (int)apr_little(m->data + start, 2);
    data->is_blosc = m->data[1] == 1 && filter == APR_BLOSC;
    return data->is_blosc ||
           apr_reader_fail(
               r, FLT_UNSUPPORTED,
               "%s: %s is compressed by filter %d of HDF5, not by Blosc alone: " APR_REPACK,
               r->name, data->name, filter);
}

static bool visit_message(struct apr_reader *r, const struct apr_message *m, void *user)
{
    struct found *f = user;
    int rank = 0;
    if (m->kind != APR_TYPE && m->kind != APR_SPACE && m->kind != APR_LAYOUT &&
        m->kind != APR_FILTERS)
        return true;
    if (m->is_shared)
        return lies_elsewhere(r, f->data);
    if (m->kind == APR_FILTERS)
        return read_filters(r, m, f->data);
    if (m->kind == APR_LAYOUT) {
        f->has_layout = true;
        return read_layout(r, m, f->data);
    }
    if (m->kind == APR_TYPE) {
        f->has_type = true;
        return apr_read_type(m->data, m->size, &f->data->type) || has_other_numbers(r, f->data);
    }
    f->has_space = true;
    return (apr_read_space(m->data, m->size, &rank, &f->data->count) && rank == 1) ||
           has_other_numbers(r, f->data);
}

bool apr_data_open(struct apr_reader *r, apr_object group, const char *name, struct apr_data *data)
{
    apr_object object;
    *data = (struct apr_data){.name = name};
    struct found found = {.data = data};
    if (!apr_find(r, group, name, &object))
        return apr_reader_fail(r, FLT_CORRUPT, "%s has no %s", r->name, name);
    if (!apr_each_message(r, object, visit_message, &found))
        return false;
    if (!found.has_type || !found.has_space || !found.has_layout)
        return has_other_numbers(r, data);
    return !data->is_blosc || data->is_chunked || is_cut_off(r, data);
}

/* ---- Chunks ---- */

/* All chunks in their order, to one place. */
struct chunks {
    const struct apr_data *data;
    size_t whole; /* bytes of one */
    char *out, *packed;
    uint64_t next; /* the first element that is still missing */
};

/* Whether the file has the whole chunk, and the chunk unpacks to the size of all others. Its packed
 * bytes are then in c->packed. No memory is taken before, whatever a damaged file claims. */
static bool is_sound(struct apr_reader *r, const struct chunks *c, uint64_t stored, bool is_packed,
                     uint64_t at)
{
    size_t unpacked = 0;
    if (stored < 1 || stored > r->length || stored > c->whole + BLOSC_MAX_OVERHEAD ||
        (!is_packed && stored != c->whole))
        return is_cut_off(r, c->data);
    if (!is_packed)
        return true;
    if (!apr_bytes(r, at, (size_t)stored, c->packed))
        return false;
    return (blosc_cbuffer_validate(c->packed, (size_t)stored, &unpacked) == 0 &&
            unpacked == c->whole) ||
           is_cut_off(r, c->data);
}

static bool unpack(struct apr_reader *r, const struct chunks *c, bool is_packed, uint64_t at,
                   char *to)
{
    if (!is_packed)
        return apr_bytes(r, at, c->whole, to);
    /* Blosc takes two blocks and less, and 100 kB for Zstandard */
    if (!apr_malloc_has(3 * c->whole + (1 << 18)))
        return apr_reader_fail(r, FLT_NO_MEMORY, "%s: there is not enough memory", r->name);
    return blosc_decompress_ctx(c->packed, to, c->whole, 1) == (int)c->whole ||
           is_cut_off(r, c->data);
}

/* key: bytes as stored, which filters were left out, the place of the first element. */
static bool read_chunk(struct apr_reader *r, struct chunks *c, const unsigned char *key,
                       uint64_t at)
{
    const uint64_t left = c->data->count - c->next;
    const size_t bytes = c->data->type.bytes;
    if (left == 0 || apr_little(key + 8, 8) != c->next)
        return is_cut_off(r, c->data);
    const bool is_packed = c->data->is_blosc && (key[4] & 1) == 0, is_part = left < c->data->chunk;
    if (!is_sound(r, c, apr_little(key, 4), is_packed, at))
        return false;
    char *to = is_part ? apr_reader_take(r, &r->pool, c->whole, 1) : c->out + c->next * bytes;
    if (!to || !unpack(r, c, is_packed, at, to))
        return false;
    if (is_part)
        memcpy(c->out + c->next * bytes, to, (size_t)left * bytes);
    c->next += is_part ? left : c->data->chunk;
    return true;
}

/* Of each node all chunks come in order, and there is one at least: so this ends. */
static bool read_tree(struct apr_reader *r, struct chunks *c, uint64_t node, int height)
{
    enum { KEY = 24 };
    unsigned char start[24], entry[KEY + 8];
    if (!apr_bytes(r, node, sizeof start, start))
        return false;
    const uint64_t children = apr_little(start + 6, 2);
    if (memcmp(start, "TREE", 4) != 0 || start[4] != 1 || start[5] >= height || children < 1)
        return is_cut_off(r, c->data);
    for (uint64_t i = 0; i < children; i++) {
        if (!apr_bytes(r, node + sizeof start + i * sizeof entry, sizeof entry, entry))
            return false;
        const uint64_t at = apr_little(entry + KEY, 8);
        if (!(start[5] == 0 ? read_chunk(r, c, entry, at) : read_tree(r, c, at, start[5])))
            return false;
    }
    return true;
}

static bool read_chunks(struct apr_reader *r, const struct apr_data *data, char *out)
{
    enum { HEIGHT = 16, ENTRY = 32 };
    const uint64_t chunks = (data->count - 1) / data->chunk + 1;
    if (chunks > r->length / ENTRY || data->chunk > BLOSC_MAX_BUFFERSIZE / data->type.bytes)
        return is_cut_off(r, data);
    void *mark = pool_mark(&r->pool);
    struct chunks c = {.data = data, .out = out, .whole = (size_t)data->chunk * data->type.bytes};
    const size_t most = c.whole + BLOSC_MAX_OVERHEAD;
    c.packed = apr_reader_take(r, &r->pool, most < r->length ? most : r->length, 1);
    const bool good = c.packed && read_tree(r, &c, data->at, HEIGHT) &&
                      (c.next == data->count || is_cut_off(r, data));
    pool_release(&r->pool, mark);
    return good;
}

/* ---- Elements ---- */

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
    const size_t bytes = data->type.bytes;
    if (data->count == 0)
        return true;
    if (data->is_chunked) {
        if (!read_chunks(r, data, out))
            return false;
    } else if (data->bytes / bytes < data->count) {
        return is_cut_off(r, data);
    } else if (!apr_bytes(r, data->at, (size_t)data->count * bytes, out)) {
        return false;
    }
    if (data->type.big_endian != own_order_is_big)
        turn_bytes(out, data->count, bytes);
    return true;
}

void *apr_data_take(struct apr_reader *r, apr_object group, const char *name, size_t bytes,
                    uint64_t *count)
{
    struct apr_data data;
    if (!apr_data_open(r, group, name, &data))
        return NULL;
    if (data.type.bytes != bytes || data.type.is_real)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s has not whole numbers of %zu bytes", r->name, name,
                        bytes);
    else if (data.count < 1)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s is empty", r->name, name);
    else if (*count != APR_ANY && *count != data.count)
        apr_reader_fail(r, FLT_CORRUPT, "%s: %s has %llu elements, not %llu", r->name, name,
                        (unsigned long long)data.count, (unsigned long long)*count);
    *count = data.count;
    void *out = r->status == FLT_OK ? apr_reader_take(r, &r->pool, data.count, bytes) : NULL;
    return out && apr_data_read(r, &data, out) ? out : NULL;
}
