/* Objects of HDF5 files in the classic form: superblock 0 or 1, groups by tables of symbols,
 * headers of version 1. In: a file that may be anybody's. Each step reads within the file, and
 * what could lead round in circles is counted. Source: HDF5 File Format Specification, version
 * 3. */
#include "particles_file/internal.h"

enum { MESSAGE_BYTES = 65536, MOST_BLOCKS = 256, MOST_MEMBERS = 10000, MOST_HEIGHT = 16 };

static bool is_newer(struct apr_reader *r)
{
    return apr_reader_fail(r, FLT_UNSUPPORTED,
                           "%s is in a newer form of HDF5 than LibAPR writes: " APR_REPACK,
                           r->name);
}

/* ---- The file ---- */

bool apr_open_file(struct apr_reader *r, apr_object *root)
{
    static const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char block[100];
    if (r->length < sizeof signature || !apr_bytes(r, 0, sizeof signature, block) ||
        memcmp(block, signature, sizeof signature) != 0)
        return apr_reader_fail(r, FLT_UNKNOWN_FORMAT, "%s is no HDF5 file", r->name);
    if (!apr_bytes(r, 0, sizeof block, block))
        return false;
    const int version = block[8];
    if (version > 1)
        return is_newer(r);
    /* sizes of offsets and lengths, then where addresses count from */
    const unsigned char *addresses = block + (version == 0 ? 24 : 28);
    if (block[13] != 8 || block[14] != 8 || apr_little(addresses, 8) != 0)
        return apr_reader_fail(r, FLT_UNSUPPORTED,
                               "%s has addresses of another size than 8 bytes, or a user block",
                               r->name);
    if (apr_little(addresses + 16, 8) > r->length)
        return apr_reader_fail(r, FLT_CORRUPT, "%s is cut off: it has %llu bytes of %llu", r->name,
                               (unsigned long long)r->length,
                               (unsigned long long)apr_little(addresses + 16, 8));
    *root = apr_little(addresses + 40, 8);
    r->message = apr_reader_take(r, &r->pool, MESSAGE_BYTES, 1);
    return r->message != NULL;
}

/* ---- Messages ---- */

struct block {
    uint64_t at, bytes;
};

/* Reads the message at `at`, of a block that ends at `end`. */
static bool read_message(struct apr_reader *r, uint64_t at, uint64_t end, struct apr_message *m)
{
    unsigned char start[8];
    if (!apr_bytes(r, at, sizeof start, start))
        return false;
    *m = (struct apr_message){.kind = (int)apr_little(start, 2),
                              .is_shared = (start[4] & 2) != 0,
                              .at = at + sizeof start,
                              .data = r->message,
                              .size = (size_t)apr_little(start + 2, 2)};
    if (m->size > end - m->at)
        return apr_damaged(r, "a message of an object is longer than its place");
    return apr_bytes(r, m->at, m->size, r->message);
}

static bool add_block(struct apr_reader *r, const struct apr_message *m, struct block block[],
                      int *blocks)
{
    if (m->size < 16 || *blocks == MOST_BLOCKS)
        return apr_damaged(r, "an object has no end");
    const struct block next = {apr_little(m->data, 8), apr_little(m->data + 8, 8)};
    if (next.at > r->length || next.bytes > r->length - next.at)
        return apr_damaged(r, "an object goes on behind its end");
    block[(*blocks)++] = next;
    return true;
}

bool apr_each_message(struct apr_reader *r, apr_object object, apr_visit_message *visit, void *user)
{
    unsigned char start[16];
    struct block block[MOST_BLOCKS];
    int blocks = 1;
    if (!apr_bytes(r, object, sizeof start, start))
        return false;
    if (memcmp(start, "OHDR", 4) == 0)
        return is_newer(r);
    if (start[0] != 1)
        return apr_damaged(r, "where an object should be there is none");
    uint64_t left = apr_little(start + 2, 2), bytes = r->length;
    block[0] = (struct block){object + sizeof start, apr_little(start + 8, 4)};
    if (block[0].bytes > r->length - block[0].at)
        return apr_damaged(r, "an object goes on behind its end");
    for (int b = 0; b < blocks; b++)
        for (uint64_t at = block[b].at, end = at + block[b].bytes; left > 0 && end - at >= 8;
             left--) {
            struct apr_message m;
            if (!read_message(r, at, end, &m))
                return false;
            if (m.size + 8 > bytes) /* messages do not overlap */
                return apr_damaged(r, "an object has no end");
            bytes -= m.size + 8;
            at += m.size + 8;
            if (m.kind == APR_CONTINUED ? !add_block(r, &m, block, &blocks) : !visit(r, &m, user))
                return r->status == FLT_OK;
        }
    return r->status == FLT_OK;
}

bool apr_read_type(const unsigned char *data, size_t size, struct apr_type *type)
{
    enum { WHOLE, REAL, OFFSET = 8, PRECISION = 10 };
    if (size < 12)
        return false;
    const int kind = data[0] & 15;
    const size_t bytes = (size_t)apr_little(data + 4, 4);
    *type = (struct apr_type){.bytes = bytes, .big_endian = data[1] & 1, .is_real = kind == REAL};
    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) ||
        apr_little(data + OFFSET, 2) != 0 || apr_little(data + PRECISION, 2) != 8 * bytes)
        return false;
    if (kind == WHOLE) {
        type->is_signed = (data[1] & 8) != 0;
        return true;
    }
    /* IEEE 754: places and sizes of exponent and mantissa, bias; the mantissa's first bit is left
     * out; the sign is first */
    static const unsigned char f32[] = {23, 8, 0, 23, 127, 0, 0, 0},
                               f64[] = {52, 11, 0, 52, 255, 3, 0, 0};
    type->is_signed = true;
    return kind == REAL && size >= 20 && (bytes == 4 || bytes == 8) && (data[1] & 0x70) == 0x20 &&
           data[2] == 8 * bytes - 1 && memcmp(data + 12, bytes == 4 ? f32 : f64, 8) == 0;
}

bool apr_read_space(const unsigned char *data, size_t size, int *rank, uint64_t *count)
{
    if (size < 4 || data[0] < 1 || data[0] > 2 || (data[0] == 2 && data[3] > 1))
        return false;
    const size_t start = data[0] == 1 ? 8 : 4;
    *rank = data[1];
    *count = 1;
    if (size < start + 8 * (size_t)*rank)
        return false;
    for (int i = 0; i < *rank; i++) {
        const uint64_t extent = apr_little(data + start + 8 * (size_t)i, 8);
        if (extent > 0 && *count > UINT64_MAX / extent)
            return false;
        *count *= extent;
    }
    return true;
}

/* ---- Members of groups ---- */

/* Where a group's names and members are. */
struct table {
    bool is_group;
    uint64_t tree, heap, names, names_bytes;
    uint64_t left; /* members that may still come */
    apr_visit_member *visit;
    void *user;
    bool ended;
};

static bool find_table(struct apr_reader *r, const struct apr_message *m, void *user)
{
    struct table *t = user;
    if (m->kind == APR_LINKS)
        return is_newer(r);
    if (m->kind != APR_MEMBERS || m->is_shared || m->size < 16)
        return true;
    t->is_group = true;
    t->tree = apr_little(m->data, 8);
    t->heap = apr_little(m->data + 8, 8);
    return false;
}

static bool find_names(struct apr_reader *r, struct table *t)
{
    unsigned char start[32];
    if (!apr_bytes(r, t->heap, sizeof start, start))
        return false;
    t->names_bytes = apr_little(start + 8, 8);
    t->names = apr_little(start + 24, 8);
    if (memcmp(start, "HEAP", 4) != 0 || t->names > r->length ||
        t->names_bytes > r->length - t->names)
        return apr_damaged(r, "the names of a group are missing");
    return true;
}

/* One symbol of a node; those of links, and names that are too long to be ours, are left out. */
static bool visit_symbol(struct apr_reader *r, struct table *t, const unsigned char *symbol)
{
    enum { LINK = 2 };
    char name[FLT_APR_NAME];
    const uint64_t at = apr_little(symbol, 8);
    if (t->left-- == 0 || at >= t->names_bytes)
        return apr_damaged(r, "a group has wrong members");
    const uint64_t rest = t->names_bytes - at;
    const size_t most = rest < sizeof name ? (size_t)rest : sizeof name;
    if (!apr_bytes(r, t->names + at, most, name))
        return false;
    if (!memchr(name, 0, most) || apr_little(symbol + 16, 4) == LINK || !apr_name_is_right(name))
        return true;
    t->ended = !t->visit(r, name, apr_little(symbol + 8, 8), t->user);
    return !t->ended && r->status == FLT_OK;
}

static bool visit_symbols(struct apr_reader *r, struct table *t, uint64_t node)
{
    unsigned char start[8], symbol[40];
    if (!apr_bytes(r, node, sizeof start, start))
        return false;
    const uint64_t symbols = apr_little(start + 6, 2);
    if (memcmp(start, "SNOD", 4) != 0 || symbols < 1)
        return apr_damaged(r, "a group has wrong members");
    for (uint64_t i = 0; i < symbols; i++)
        if (!apr_bytes(r, node + sizeof start + i * sizeof symbol, sizeof symbol, symbol) ||
            !visit_symbol(r, t, symbol))
            return false;
    return true;
}

/* height: of the node above; the tree is less high in each node, so that it ends. */
static bool visit_tree(struct apr_reader *r, struct table *t, uint64_t node, int height)
{
    unsigned char start[24], child[8];
    if (!apr_bytes(r, node, sizeof start, start))
        return false;
    const uint64_t children = apr_little(start + 6, 2);
    if (memcmp(start, "TREE", 4) != 0 || start[4] != 0 || start[5] >= height ||
        (children == 0 && height != MOST_HEIGHT))
        return apr_damaged(r, "a group has wrong members");
    for (uint64_t i = 0; i < children; i++) {
        if (!apr_bytes(r, node + sizeof start + 8 + 16 * i, sizeof child, child))
            return false;
        const uint64_t at = apr_little(child, 8);
        if (!(start[5] == 0 ? visit_symbols(r, t, at) : visit_tree(r, t, at, start[5])))
            return false;
    }
    return true;
}

bool apr_each_member(struct apr_reader *r, apr_object group, apr_visit_member *visit, void *user)
{
    struct table t = {.left = MOST_MEMBERS, .visit = visit, .user = user};
    if (!apr_each_message(r, group, find_table, &t) || !t.is_group)
        return r->status == FLT_OK;
    return (find_names(r, &t) && visit_tree(r, &t, t.tree, MOST_HEIGHT)) || r->status == FLT_OK;
}

struct wanted {
    const char *name;
    apr_object object;
    bool found;
};

static bool compare_name(struct apr_reader *r, const char *name, apr_object object, void *user)
{
    struct wanted *w = user;
    (void)r;
    w->found = strcmp(name, w->name) == 0;
    w->object = object;
    return !w->found;
}

bool apr_find(struct apr_reader *r, apr_object group, const char *name, apr_object *object)
{
    struct wanted w = {.name = name};
    if (!apr_each_member(r, group, compare_name, &w))
        return false;
    *object = w.object;
    return w.found;
}

bool apr_is_group(struct apr_reader *r, apr_object object)
{
    struct table t = {.is_group = false};
    return apr_each_message(r, object, find_table, &t) && t.is_group;
}

static bool find_layout(struct apr_reader *r, const struct apr_message *m, void *user)
{
    (void)r;
    *(bool *)user = m->kind == APR_LAYOUT;
    return m->kind != APR_LAYOUT;
}

bool apr_is_data(struct apr_reader *r, apr_object object)
{
    bool is_data = false;
    return apr_each_message(r, object, find_layout, &is_data) && is_data;
}

/* ---- Attributes ---- */

struct number {
    const char *name;
    bool found, is_number;
    struct apr_type type;
    unsigned char bytes[8]; /* little endian */
};

/* In versions above 1 parts follow one another without gaps. */
static size_t part_bytes(const struct apr_message *m, size_t bytes)
{
    return m->data[0] == 1 ? (bytes + 7) / 8 * 8 : bytes;
}

static void read_number(const struct apr_message *m, size_t at, size_t type_bytes,
                        size_t space_bytes, struct number *n)
{
    const size_t space = at + part_bytes(m, type_bytes), value = space + part_bytes(m, space_bytes);
    int rank;
    uint64_t count;
    n->is_number = value <= m->size && (m->data[0] == 1 || (m->data[1] & 3) == 0) &&
                   apr_read_type(m->data + at, type_bytes, &n->type) &&
                   apr_read_space(m->data + space, space_bytes, &rank, &count) && count == 1 &&
                   n->type.bytes <= m->size - value;
    for (size_t i = 0; n->is_number && i < n->type.bytes; i++)
        n->bytes[i] = m->data[value + (n->type.big_endian ? n->type.bytes - 1 - i : i)];
}

static bool find_attribute(struct apr_reader *r, const struct apr_message *m, void *user)
{
    struct number *n = user;
    if (m->kind == APR_ATTRIBUTES)
        return is_newer(r);
    if (m->kind != APR_ATTRIBUTE || m->is_shared || m->size < 9)
        return true;
    const size_t start = m->data[0] == 3 ? 9 : 8, name = (size_t)apr_little(m->data + 2, 2);
    if (m->data[0] < 1 || m->data[0] > 3 || part_bytes(m, name) > m->size - start)
        return apr_damaged(r, "an attribute is longer than its place");
    if (name != strlen(n->name) + 1 || memcmp(m->data + start, n->name, name) != 0)
        return true;
    n->found = true;
    read_number(m, start + part_bytes(m, name), (size_t)apr_little(m->data + 4, 2),
                (size_t)apr_little(m->data + 6, 2), n);
    return false;
}

bool apr_whole(struct apr_reader *r, apr_object object, const char *name, bool low, uint64_t *value,
               bool *missing)
{
    struct number n = {.name = name};
    if (!apr_each_message(r, object, find_attribute, &n))
        return false;
    *missing = !n.found;
    if (n.found && (!n.is_number || n.type.is_real))
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is no whole number", r->name,
                               name);
    *value = apr_little(n.bytes, low ? 4 : 8);
    return true;
}

bool apr_real(struct apr_reader *r, apr_object object, const char *name, double *value,
              bool *missing)
{
    struct number n = {.name = name};
    if (!apr_each_message(r, object, find_attribute, &n))
        return false;
    *missing = !n.found;
    if (n.found && (!n.is_number || !n.type.is_real))
        return apr_reader_fail(r, FLT_CORRUPT, "%s: its attribute %s is no number of f32 or f64",
                               r->name, name);
    const uint64_t bits = apr_little(n.bytes, 8);
    const uint32_t half = (uint32_t)bits;
    float f;
    memcpy(&f, &half, sizeof f);
    memcpy(value, &bits, sizeof bits);
    *value = n.type.bytes == 4 ? (double)f : *value;
    return true;
}
