/* HDF5 files in the classic form, that of superblock 0, which all versions of HDF5 read. HDF5's own
 * library is not called, for reasons that internal.h tells; memory that is missing is a status. The
 * same contents are the same bytes. Objects are put behind one another, what an object tells of
 * before it. Source: HDF5 File Format Specification, version 3. */
#include "particles_file/internal.h"

#include <stdlib.h>

/* ---- Bytes ---- */

static bool make_room(struct apr_out *out, size_t count)
{
    if (out->failed || count > SIZE_MAX / 4 - out->length) {
        out->failed = true;
        return false;
    }
    if (count <= out->room - out->length)
        return true;
    const size_t room = out->length + out->length / 2 + count + 4096;
    unsigned char *bytes = out->allocator.take(out->allocator.user, room);
    out->failed = !bytes;
    if (!bytes)
        return false;
    if (out->bytes) {
        memcpy(bytes, out->bytes, out->length);
        out->allocator.give_back(out->allocator.user, out->bytes);
    }
    out->bytes = bytes;
    out->room = room;
    return true;
}

void apr_put(struct apr_out *out, const void *bytes, size_t count)
{
    if (count == 0 || !make_room(out, count))
        return;
    memcpy(out->bytes + out->length, bytes, count);
    out->length += count;
}

static void set_little(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

void apr_put_little(struct apr_out *out, uint64_t value, int bytes)
{
    unsigned char little[8];
    set_little(little, value, bytes);
    apr_put(out, little, (size_t)bytes);
}

void apr_put_zeros(struct apr_out *out, size_t count)
{
    if (count == 0 || !make_room(out, count))
        return;
    memset(out->bytes + out->length, 0, count);
    out->length += count;
}

void apr_put_gap(struct apr_out *out)
{
    apr_put_zeros(out, (8 - out->length % 8) % 8);
}

void apr_out_free(struct apr_out *out)
{
    if (out->bytes)
        out->allocator.give_back(out->allocator.user, out->bytes);
    out->bytes = NULL;
    out->length = out->room = 0;
}

/* No address. */
static void put_none(struct apr_out *out)
{
    apr_put_little(out, UINT64_MAX, 8);
}

/* ---- Messages ---- */

static size_t begin_message(struct apr_header *h, int kind)
{
    apr_put_little(&h->out, (uint64_t)kind, 2);
    apr_put_zeros(&h->out, 6); /* its length, later; flags */
    h->messages++;
    return h->out.length;
}

static void end_message(struct apr_header *h, size_t start)
{
    apr_put_gap(&h->out);
    if (!h->out.failed)
        set_little(h->out.bytes + start - 6, h->out.length - start, 2);
}

enum { WHOLE_TYPE_BYTES = 12, REAL_TYPE_BYTES = 20, TEXT_TYPE_BYTES = 8, ROW_BYTES = 16 };

static int put_type(struct apr_out *out, enum apr_kind kind, int bytes)
{
    const bool is_real = kind == APR_REAL;
    apr_put_little(out, is_real ? 0x11 : 0x10, 1); /* version 1, and the class */
    apr_put_little(out, is_real ? 0x20 : kind == APR_SIGNED ? 8 : 0, 1);
    apr_put_little(out, is_real ? (uint64_t)(8 * bytes - 1) : 0, 2); /* the place of the sign */
    apr_put_little(out, (uint64_t)bytes, 4);
    apr_put_little(out, 0, 2);
    apr_put_little(out, (uint64_t)(8 * bytes), 2);
    if (!is_real)
        return WHOLE_TYPE_BYTES;
    const int mantissa = bytes == 4 ? 23 : 52, exponent = bytes == 4 ? 8 : 11;
    apr_put_little(out, (uint64_t)mantissa, 1);
    apr_put_little(out, (uint64_t)exponent, 1);
    apr_put_little(out, 0, 1);
    apr_put_little(out, (uint64_t)mantissa, 1);
    apr_put_little(out, (1u << (exponent - 1)) - 1, 4);
    return REAL_TYPE_BYTES;
}

static void put_row(struct apr_out *out, uint64_t count)
{
    apr_put_little(out, 1, 1); /* version */
    apr_put_little(out, 1, 1); /* rank */
    apr_put_zeros(out, 6);
    apr_put_little(out, count, 8);
}

static size_t begin_attribute(struct apr_header *h, const char *name, int type_bytes,
                              int space_bytes)
{
    const size_t start = begin_message(h, APR_ATTRIBUTE), length = strlen(name) + 1;
    apr_put_little(&h->out, 1, 2); /* version */
    apr_put_little(&h->out, length, 2);
    apr_put_little(&h->out, (uint64_t)type_bytes, 2);
    apr_put_little(&h->out, (uint64_t)space_bytes, 2);
    apr_put(&h->out, name, length);
    apr_put_gap(&h->out);
    return start;
}

void apr_put_attribute(struct apr_header *h, const char *name, enum apr_kind kind, int bytes,
                       uint64_t value)
{
    const size_t start =
        begin_attribute(h, name, kind == APR_REAL ? REAL_TYPE_BYTES : WHOLE_TYPE_BYTES, ROW_BYTES);
    put_type(&h->out, kind, bytes);
    apr_put_gap(&h->out);
    put_row(&h->out, 1);
    apr_put_little(&h->out, value, bytes);
    end_message(h, start);
}

void apr_put_text(struct apr_header *h, const char *name, const char *text)
{
    const size_t start = begin_attribute(h, name, TEXT_TYPE_BYTES, 8);
    apr_put_little(&h->out, 0x13, 4); /* version 1, and the class; ended by a 0 */
    apr_put_little(&h->out, strlen(text) + 1, 4);
    apr_put_little(&h->out, 1, 8); /* a version, no rank */
    apr_put(&h->out, text, strlen(text) + 1);
    end_message(h, start);
}

/* The header itself; frees it. */
static apr_object put_header(struct apr_out *out, struct apr_header *h)
{
    apr_put_gap(out);
    const apr_object at = out->length;
    out->failed = out->failed || h->out.failed || h->messages > UINT16_MAX;
    apr_put_little(out, 1, 2); /* version */
    apr_put_little(out, (uint64_t)h->messages, 2);
    apr_put_little(out, 1, 4); /* links to it */
    apr_put_little(out, h->out.length, 8);
    apr_put(out, h->out.bytes, h->out.length);
    apr_out_free(&h->out);
    return at;
}

/* ---- The file ---- */

enum { SUPERBLOCK = 96, TREE_HALF = 16, CHUNK_TREE_HALF = 32 };

void apr_begin_file(struct apr_out *out)
{
    apr_put_zeros(out, SUPERBLOCK);
}

void apr_end_file(struct apr_out *out, apr_object root, int leaf)
{
    static const unsigned char start[16] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n',
                                            0,    0,   0,   0,   0,    8,    8,    0};
    apr_put_gap(out);
    if (out->failed)
        return;
    unsigned char *block = out->bytes;
    memcpy(block, start, sizeof start);
    set_little(block + 16, (uint64_t)leaf, 2);
    set_little(block + 18, TREE_HALF, 2);
    set_little(block + 32, UINT64_MAX, 8); /* free space */
    set_little(block + 40, out->length, 8);
    set_little(block + 48, UINT64_MAX, 8); /* driver */
    set_little(block + 64, root, 8);
}

/* ---- Groups ---- */

int apr_leaf_of(int members)
{
    return members <= 8 ? 4 : (members + 1) / 2;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct apr_member *)a)->name, ((const struct apr_member *)b)->name);
}

/* The names, behind an empty one; returns where they are. last: where among them the last one
 * is. */
static uint64_t put_names(struct apr_out *out, const struct apr_member member[], int members,
                          uint64_t *last)
{
    apr_put_gap(out);
    const uint64_t at = out->length;
    uint64_t bytes = 8;
    for (int i = 0; i < members; i++) {
        *last = bytes;
        bytes += strlen(member[i].name) / 8 * 8 + 8;
    }
    apr_put(out, "HEAP", 4);
    apr_put_zeros(out, 4);
    apr_put_little(out, bytes, 8);
    apr_put_little(out, 1, 8); /* nothing is free */
    apr_put_little(out, at + 32, 8);
    apr_put_zeros(out, 8);
    for (int i = 0; i < members; i++) {
        apr_put(out, member[i].name, strlen(member[i].name) + 1);
        apr_put_gap(out);
    }
    return at;
}

static uint64_t put_symbols(struct apr_out *out, const struct apr_member member[], int members,
                            int leaf)
{
    const uint64_t at = out->length;
    uint64_t name = 8;
    apr_put(out, "SNOD", 4);
    apr_put_little(out, 1, 2);
    apr_put_little(out, (uint64_t)members, 2);
    for (int i = 0; i < members; i++) {
        apr_put_little(out, name, 8);
        apr_put_little(out, member[i].object, 8);
        apr_put_zeros(out, 24);
        name += strlen(member[i].name) / 8 * 8 + 8;
    }
    apr_put_zeros(out, (size_t)(2 * leaf - members) * 40);
    return at;
}

apr_object apr_put_group(struct apr_out *out, struct apr_header *header, struct apr_member member[],
                         int members, int leaf)
{
    uint64_t last = 0;
    qsort(member, (size_t)members, sizeof *member, by_name);
    const uint64_t names = put_names(out, member, members, &last);
    const uint64_t symbols = put_symbols(out, member, members, leaf);
    const uint64_t tree = out->length;
    apr_put(out, "TREE", 4);
    apr_put_little(out, 0, 2); /* of a group, the lowest level */
    apr_put_little(out, 1, 2);
    put_none(out);
    put_none(out);
    apr_put_little(out, 0, 8);
    apr_put_little(out, symbols, 8);
    apr_put_little(out, last, 8);
    apr_put_zeros(out, (2 * TREE_HALF - 1) * 16);
    const size_t start = begin_message(header, APR_MEMBERS);
    apr_put_little(&header->out, tree, 8);
    apr_put_little(&header->out, names, 8);
    end_message(header, start);
    return put_header(out, header);
}

/* ---- Data sets ---- */

/* A row of nodes of the tree of chunks, of which all but the last are full. */
struct level {
    uint64_t first;    /* where its first node is; they lie behind one another */
    uint64_t children; /* of all its nodes */
    uint64_t each;     /* chunks below a child */
    int height;
};
enum { KEY_BYTES = 24, NODE_CHILDREN = 2 * CHUNK_TREE_HALF };
enum { NODE_BYTES = 24 + NODE_CHILDREN * (KEY_BYTES + 8) + KEY_BYTES };

static void put_key(struct apr_out *out, uint32_t stored, uint64_t first)
{
    apr_put_little(out, stored, 4);
    apr_put_little(out, 0, 4); /* no filter was left out */
    apr_put_little(out, first, 8);
    apr_put_little(out, 0, 8);
}

/* below: where the nodes of the level below are. */
static void put_node(struct apr_out *out, const struct level *l, uint64_t n, uint64_t below,
                     uint64_t chunk, uint64_t chunks, const struct apr_chunk stored[])
{
    const uint64_t first = n * NODE_CHILDREN, rest = l->children - first;
    const uint64_t children = rest < NODE_CHILDREN ? rest : NODE_CHILDREN;
    const size_t start = out->length;
    apr_put(out, "TREE", 4);
    apr_put_little(out, 1, 1); /* of chunks */
    apr_put_little(out, (uint64_t)l->height, 1);
    apr_put_little(out, children, 2);
    apr_put_little(out, n > 0 ? start - NODE_BYTES : UINT64_MAX, 8);
    apr_put_little(out, rest > NODE_CHILDREN ? start + NODE_BYTES : UINT64_MAX, 8);
    for (uint64_t i = first; i < first + children; i++) {
        put_key(out, stored[i * l->each].bytes, i * l->each * chunk);
        apr_put_little(out, l->height == 0 ? stored[i].at : below + i * NODE_BYTES, 8);
    }
    const uint64_t end = (first + children) * l->each;
    put_key(out, 0, (end < chunks ? end : chunks) * chunk);
    apr_put_zeros(out, start + NODE_BYTES - out->length);
}

/* Returns where its root is. */
static uint64_t put_tree(struct apr_out *out, uint64_t chunk, uint64_t chunks,
                         const struct apr_chunk stored[])
{
    struct level l = {.children = chunks, .each = 1};
    uint64_t below = 0;
    apr_put_gap(out);
    for (;;) {
        const uint64_t nodes = (l.children - 1) / NODE_CHILDREN + 1;
        l.first = out->length;
        for (uint64_t n = 0; n < nodes && !out->failed; n++)
            put_node(out, &l, n, below, chunk, chunks, stored);
        if (nodes == 1 || out->failed)
            return l.first;
        below = l.first;
        l = (struct level){
            .children = nodes, .each = l.each * NODE_CHILDREN, .height = l.height + 1};
    }
}

static void put_filter(struct apr_header *h, const unsigned filter[APR_BLOSC_NUMBERS])
{
    const size_t start = begin_message(h, APR_FILTERS);
    apr_put_little(&h->out, 1, 1); /* version */
    apr_put_little(&h->out, 1, 7); /* of one filter */
    apr_put_little(&h->out, APR_BLOSC, 2);
    apr_put_little(&h->out, 8, 2); /* bytes of its name */
    apr_put_little(&h->out, 1, 2); /* a chunk may be left as it is */
    apr_put_little(&h->out, APR_BLOSC_NUMBERS, 2);
    apr_put(&h->out, "blosc\0\0", 8);
    for (int i = 0; i < APR_BLOSC_NUMBERS; i++)
        apr_put_little(&h->out, filter[i], 4);
    end_message(h, start);
}

apr_object apr_put_data(struct apr_out *out, enum apr_kind kind, int bytes, uint64_t count,
                        uint64_t chunk, const unsigned filter[APR_BLOSC_NUMBERS],
                        const struct apr_chunk stored[])
{
    /* version 2; a place for each chunk when it comes, what is missing is 0 */
    static const unsigned char fill[] = {2, 3, 2, 1, 0, 0, 0, 0};
    enum { APR_FILL = 5 };
    struct apr_header h = {.out = {.allocator = out->allocator}};
    const uint64_t tree = put_tree(out, chunk, (count - 1) / chunk + 1, stored);
    size_t start = begin_message(&h, APR_SPACE);
    put_row(&h.out, count);
    end_message(&h, start);
    start = begin_message(&h, APR_TYPE);
    put_type(&h.out, kind, bytes);
    end_message(&h, start);
    start = begin_message(&h, APR_FILL);
    apr_put(&h.out, fill, sizeof fill);
    end_message(&h, start);
    start = begin_message(&h, APR_LAYOUT);
    apr_put_little(&h.out, 0x020203, 3); /* version 3, in chunks, of rank 2: elements have bytes */
    apr_put_little(&h.out, tree, 8);
    apr_put_little(&h.out, chunk, 4);
    apr_put_little(&h.out, (uint64_t)bytes, 4);
    end_message(&h, start);
    put_filter(&h, filter);
    return put_header(out, &h);
}
