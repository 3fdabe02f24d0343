/* What the files of runtime/particles_file share. Axes are z, y, x; names in files are LibAPR's,
 * whose y is our x.
 *
 * Why HDF5's library is not called, with what was measured of 1.10.8, Debian's: reading, it writes
 * and reads outside of memory in about one of 600 files that are damaged at random. Saving, it
 * makes 278 allocations of its own; if one of them fails, it ends the process for 267 of them, and
 * crashes for 3. Its state is the whole program's, so saves of several threads can disturb one
 * another, and each program that links it loads some 36 shared objects more. */
#ifndef FLT_PARTICLES_FILE_INTERNAL_H
#define FLT_PARTICLES_FILE_INTERNAL_H

#include "flt/particles_file.h"
#include "particles/internal.h"

/* The cure for forms of HDF5 that are not read here. */
#define APR_REPACK "`h5repack -l CONTI -f NONE FILE OTHER.apr` writes one that is read"
/* Where all is, in a file. */
#define APR_ROOT "ParticleRepr"
/* Blosc's number among the filters of HDF5, and its 7 numbers: version of the filter, of the
 * format, bytes of an element, of a chunk, level, shuffle, compressor. */
enum { APR_BLOSC = 32001, APR_BLOSC_NUMBERS = 7 };

/* Sets detail, unless it is NULL, to the sentence; control characters become '?'. Returns
 * status. */
__attribute__((format(printf, 3, 4))) enum flt_status
apr_file_fail(enum flt_status status, struct flt_detail *detail, const char *format, ...);

/* Whether HDF5 has this name for a channel or for values: not empty, without '/', not ".". */
bool apr_name_is_right(const char *name);
/* Whether it is one of the arrays of a structure. */
bool apr_name_is_taken(const char *name);

/* Whether malloc has so many bytes just now. Blosc takes memory for itself; where it gets none,
 * 1.21.3 crashes, leaves what it is to compress as it is, or finds damage. So it is called only
 * where there is enough; another thread may still take that away. */
bool apr_malloc_has(size_t bytes);

/* ---- Types of elements ---- */

struct apr_type {
    size_t bytes;
    bool is_signed, is_real;
    bool big_endian;
};
/* The element with that type; false for u64, which none has. */
bool apr_element_of(const struct apr_type *type, enum flt_element *element);
/* 0 for those that files do not have. */
size_t apr_element_bytes(enum flt_element element);

/* ---- Reading ---- */

struct apr_reader {
    const char *name;           /* of the file */
    const unsigned char *bytes; /* of the file; NULL: `handle` is read */
    int handle;
    uint64_t length, allowance; /* bytes: of the file, and that may still be taken for it */
    uint64_t work;              /* bytes that may still be read, some at each time; see apr_bytes */
    int threads;
    struct pool pool;       /* for what is not kept */
    unsigned char *message; /* room for one */
    struct flt_detail *detail;
    enum flt_status status; /* FLT_OK, or of the first failure */
};
/* These return false, having set status and detail where no failure came before. */
__attribute__((format(printf, 3, 4))) bool
apr_reader_fail(struct apr_reader *r, enum flt_status status, const char *format, ...);
bool apr_damaged(struct apr_reader *r, const char *what);
/* That memory for count elements of so many bytes is about to be taken. */
bool apr_reader_allows(struct apr_reader *r, uint64_t count, size_t bytes);
/* Takes it from `pool`; NULL as apr_reader_allows, or where there is none. */
void *apr_reader_take(struct apr_reader *r, struct pool *pool, uint64_t count, size_t bytes);
/* Bytes of the file; those behind its end are damage. So is a file of which far more is read
 * than it has: objects that stand for many would take hours. */
bool apr_bytes(struct apr_reader *r, uint64_t at, size_t count, void *out);

/* hdf5_objects.c: HDF5's classic form, that of all versions up to 1.14 unless another is asked
 * for. An object is the place of its header in the file. */
typedef uint64_t apr_object;
static inline uint64_t apr_little(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | from[i];
    return value;
}

/* The group that holds all. */
bool apr_open_file(struct apr_reader *r, apr_object *root);

/* A message of an object's header; each describes one property. */
enum apr_message_kind {
    APR_SPACE = 0x01,
    APR_LINKS = 0x02, /* of the newer form */
    APR_TYPE = 0x03,
    APR_LAYOUT = 0x08,
    APR_FILTERS = 0x0b,
    APR_ATTRIBUTE = 0x0c,
    APR_CONTINUED = 0x10,
    APR_MEMBERS = 0x11,
    APR_ATTRIBUTES = 0x15, /* of the newer form */
};
struct apr_message {
    int kind;
    bool is_shared;            /* it stands elsewhere */
    uint64_t at;               /* of its data, in the file */
    const unsigned char *data; /* until the next one is read */
    size_t size;
};
/* Calls visit for each; it returns false to end this. */
typedef bool apr_visit_message(struct apr_reader *r, const struct apr_message *m, void *user);
bool apr_each_message(struct apr_reader *r, apr_object object, apr_visit_message *visit,
                      void *user);
/* What they tell; false: none that is known here. count: the product of extents. */
bool apr_read_type(const unsigned char *data, size_t size, struct apr_type *type);
bool apr_read_space(const unsigned char *data, size_t size, int *rank, uint64_t *count);

/* Members that stand in the group itself: links to other places or files are left out. visit
 * returns false to end this. */
typedef bool apr_visit_member(struct apr_reader *r, const char *name, apr_object object,
                              void *user);
bool apr_each_member(struct apr_reader *r, apr_object group, apr_visit_member *visit, void *user);
/* False, and no failure, where there is none of that name. */
bool apr_find(struct apr_reader *r, apr_object group, const char *name, apr_object *object);
bool apr_is_group(struct apr_reader *r, apr_object object);
bool apr_is_data(struct apr_reader *r, apr_object object);

/* Attributes of one number; `missing` where the object has none of that name. False: it is no
 * single number of that kind. low: of a whole number the lower 32 bits: in those that LibAPR keeps
 * in 32 bits and writes as 64 the others mean nothing. */
bool apr_whole(struct apr_reader *r, apr_object object, const char *name, bool low, uint64_t *value,
               bool *missing);
bool apr_real(struct apr_reader *r, apr_object object, const char *name, double *value,
              bool *missing);

/* data_sets.c: arrays of numbers. */
struct apr_data {
    const char *name;
    uint64_t count;
    struct apr_type type;
    bool is_chunked, is_blosc;
    uint64_t at, bytes; /* of all elements, where it is not chunked; of the tree of chunks, and 0 */
    uint64_t chunk;     /* elements of one */
};
bool apr_data_open(struct apr_reader *r, apr_object group, const char *name, struct apr_data *data);
/* All elements, in the machine's order of bytes. */
bool apr_data_read(struct apr_reader *r, const struct apr_data *data, void *out);
/* Opens, takes memory of r->pool, and reads. bytes: of an element, a whole number; count: of
 * elements that are expected, or APR_ANY, and then how many there are. NULL: failed. */
#define APR_ANY UINT64_MAX
void *apr_data_take(struct apr_reader *r, apr_object group, const char *name, size_t bytes,
                    uint64_t *count);

/* rows.c: where particles are, of either layout, in r->pool. channel: its group. particles: as
 * many as the file says. */
bool apr_read_rows(struct apr_reader *r, apr_object channel, const struct grid level[], int levels,
                   int least, uint64_t particles, struct flt_apr_rows *rows);
/* Older files have values of the greatest level by groups of four rows, two of two planes. */
void apr_order_values(const struct flt_apr_rows *rows, const struct grid level[], int levels,
                      size_t bytes, const void *value, void *out);

/* ---- Writing ---- */

/* Bytes that grow. What is put after memory was missing is lost, and `failed` is true. */
struct apr_out {
    struct flt_allocator allocator;
    unsigned char *bytes;
    size_t length, room;
    bool failed;
};
void apr_put(struct apr_out *out, const void *bytes, size_t count);
/* Little endian; at most 8 bytes. */
void apr_put_little(struct apr_out *out, uint64_t value, int bytes);
void apr_put_zeros(struct apr_out *out, size_t count);
/* Zeros up to a multiple of 8. */
void apr_put_gap(struct apr_out *out);
void apr_out_free(struct apr_out *out);

/* hdf5_write.c: the classic form. Headers of objects grow by message. */
struct apr_header {
    struct apr_out out;
    int messages;
};
enum apr_kind { APR_WHOLE, APR_SIGNED, APR_REAL };
/* An attribute of one number. value: little endian. */
void apr_put_attribute(struct apr_header *h, const char *name, enum apr_kind kind, int bytes,
                       uint64_t value);
void apr_put_text(struct apr_header *h, const char *name, const char *text);

/* Members of a group. */
struct apr_member {
    const char *name;
    apr_object object;
};
/* Half the members that a group may have, 4 at the least. */
int apr_leaf_of(int members);
/* Puts the header, then the superblock in front, once all is there. */
void apr_begin_file(struct apr_out *out);
void apr_end_file(struct apr_out *out, apr_object root, int leaf);
/* Sorts members. header: its attributes; it is freed. */
apr_object apr_put_group(struct apr_out *out, struct apr_header *header, struct apr_member member[],
                         int members, int leaf);

/* A row of elements in chunks, each of which is compressed. */
struct apr_chunk {
    uint64_t at;
    uint32_t bytes;
};
apr_object apr_put_data(struct apr_out *out, enum apr_kind kind, int bytes, uint64_t count,
                        uint64_t chunk, const unsigned filter[APR_BLOSC_NUMBERS],
                        const struct apr_chunk stored[]);

/* assemble.c: the file's bytes; apr_out_free frees them. */
enum flt_status apr_file_image(const struct flt_apr_channel channel[], int channels,
                               struct apr_out *out, struct flt_detail *detail);

#endif
