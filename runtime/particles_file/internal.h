/* What the files of runtime/particles_file share. Axes are z, y, x; names in files are LibAPR's,
 * whose y is our x. */
#ifndef FLT_PARTICLES_FILE_INTERNAL_H
#define FLT_PARTICLES_FILE_INTERNAL_H

#include <hdf5.h>

#include "flt/particles_file.h"
#include "particles/internal.h"

/* Where all is, in a file. */
#define APR_ROOT "ParticleRepr"
/* Blosc's number among the filters of HDF5, and its 7 numbers: version of the filter, of the format,
 * bytes of an element, of a chunk, level, shuffle, compressor. */
enum { APR_BLOSC = 32001, APR_BLOSC_NUMBERS = 7 };

/* Sets detail, unless it is NULL, to the sentence; control characters become '?'. Returns status. */
__attribute__((format(printf, 3, 4))) enum flt_status
apr_file_fail(enum flt_status status, struct flt_detail *detail, const char *format, ...);

/* HDF5's own messages, turned off between the two. */
struct apr_quiet {
    H5E_auto2_t print;
    void *data;
};
struct apr_quiet apr_be_quiet(void);
void apr_be_as_before(struct apr_quiet quiet);

/* Whether HDF5 has this name for a channel or for values: not empty, without '/', not ".". */
bool apr_name_is_right(const char *name);
/* Whether it is one of the arrays of a structure. */
bool apr_name_is_taken(const char *name);

/* ---- Types of elements ---- */

/* Of HDF5's standard types, in either order of bytes. */
struct apr_type {
    size_t bytes;
    bool is_signed, is_real;
    bool big_endian;
};
bool apr_type_of(hid_t type, struct apr_type *out);
/* The element with that type; false for u64, which none has. */
bool apr_element_of(const struct apr_type *type, enum flt_element *element);
/* Little endian; H5I_INVALID_HID for those that files do not have. */
hid_t apr_stored_type(enum flt_element element);
/* 0 for those that files do not have. */
size_t apr_element_bytes(enum flt_element element);

/* ---- Reading ---- */

struct apr_reader {
    const char *name;           /* of the file */
    uint64_t length, allowance; /* bytes: of the file, and that may still be taken for it */
    int threads;
    struct pool pool; /* for what is not kept */
    struct flt_detail *detail;
    enum flt_status status; /* FLT_OK, or of the first failure */
};
/* Both return false, having set status and detail. */
__attribute__((format(printf, 3, 4))) bool
apr_reader_fail(struct apr_reader *r, enum flt_status status, const char *format, ...);
/* That memory for count elements of so many bytes is about to be taken. */
bool apr_reader_allows(struct apr_reader *r, uint64_t count, size_t bytes);
/* Takes it from `pool`; NULL as apr_reader_allows, or where there is none. */
void *apr_reader_take(struct apr_reader *r, struct pool *pool, uint64_t count, size_t bytes);

/* Attributes of one number; `missing` where the object has none of that name. For others `missing`
 * is false, and what is no single number is false. low: of a whole number the lower 32 bits: in
 * those that LibAPR keeps in 32 bits and writes as 64 the others mean nothing. */
bool apr_whole(struct apr_reader *r, hid_t object, const char *name, bool low, uint64_t *value,
               bool *missing);
bool apr_real(struct apr_reader *r, hid_t object, const char *name, double *value, bool *missing);

/* Opens the group or data set that stands in `parent` itself: links that lead elsewhere, to other
 * files, say, are not followed. H5I_INVALID_HID: there is none. */
hid_t apr_open_group(hid_t parent, const char *name);

/* data_sets.c: arrays of numbers. */
struct apr_data {
    hid_t id;
    const char *name;
    uint64_t count;
    struct apr_type type;
    bool is_chunked, is_blosc;
    uint64_t chunk; /* elements of one */
};
/* False, and not a failure, where `parent` has none of that name. */
bool apr_data_exists(hid_t parent, const char *name);
bool apr_data_open(struct apr_reader *r, hid_t parent, const char *name, struct apr_data *data);
/* All elements, in the machine's order of bytes. */
bool apr_data_read(struct apr_reader *r, const struct apr_data *data, void *out);
void apr_data_close(struct apr_data *data);
/* Opens, takes memory of r->pool, reads and closes. bytes: of an element; count: of elements that
 * are expected, or ANY_COUNT, and then how many there are. NULL: failed. */
#define ANY_COUNT UINT64_MAX
void *apr_data_take(struct apr_reader *r, hid_t parent, const char *name, size_t bytes,
                    uint64_t *count);

/* rows.c: where particles are, of either layout, in r->pool. channel: its group. particles: as many
 * as the file says. */
bool apr_read_rows(struct apr_reader *r, hid_t channel, const struct grid level[], int levels,
                   int least, uint64_t particles, struct flt_apr_rows *rows);
/* Older files have values of the greatest level by groups of four rows, two of two planes. */
void apr_order_values(const struct flt_apr_rows *rows, const struct grid level[], int levels,
                      size_t bytes, const void *value, void *out);

/* ---- Writing ---- */

/* assemble.c: the file's bytes, in `pool`. */
enum flt_status apr_file_image(const struct flt_apr_channel channel[], int channels,
                               struct pool *pool, void **bytes, size_t *length,
                               struct flt_detail *detail);

#endif
