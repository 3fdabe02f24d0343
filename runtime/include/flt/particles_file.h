/* Files of adaptive images, .apr: HDF5 with Blosc and Zstandard, as LibAPR and pyapr write and read
 * them. In libfltparticlesfile, which needs libfltparticles, libfltimage and Blosc, but not HDF5's
 * library: the form of HDF5 that LibAPR writes is read and written here.
 * Nothing that a file says is believed: what contradicts itself, tells no structure, or stands for
 * more than Blosc can have made so small is refused.
 * Blosc takes a few MB for each chunk by malloc. Where malloc has not so much, FLT_NO_MEMORY tells
 * so before; Blosc 1.21.3 crashes if another thread takes it in between.
 * Every function may be called from several threads at once; see flt_image_unfinished for the one
 * thing that threads share. */
#ifndef FLT_PARTICLES_FILE_H
#define FLT_PARTICLES_FILE_H

#include "flt/image.h"
#include "flt/particles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the name of a channel or of values, with its 0; the greatest extent of a file. */
enum { FLT_APR_NAME = 128, FLT_APR_FILE_EXTENT = 65535 };

/* What of a file is loaded. A zeroed one: what is there first. */
struct flt_apr_choice {
    const char *channel; /* NULL: the first in the order of names; where time > 0, "t" */
    int time;            /* 0 or more: the point of time of that channel */
    /* NULL: "particle_intensities", or else "particles", or else the only values that are there */
    const char *values;
};

/* What was in a file; flt_apr_file_destroy frees it. */
struct flt_apr_file {
    struct flt_apr *apr;
    /* Of its particles one each, in their order: u8, i8, u16, i16, u32, i32, i64 (u64, too, if all
     * fit in), f32, f64. */
    enum flt_element element;
    void *value;
    /* How it was constructed, spacing included; what the file lacks is flt_apr_usual_settings. */
    struct flt_apr_settings settings;
    char channel[FLT_APR_NAME]; /* the group: "t", and "t1" at time 1 */
    char values[FLT_APR_NAME];
    struct flt_allocator allocator;
    void *blocks; /* of value */
};

/* Loads one channel at one time of the file at path into a new *file. Axes are ours: LibAPR's x is
 * y here, and its y, along which particles lie side by side, is x. Both layouts are read, rows of
 * particles (y_vec) and, older, maps of runs (map_y_begin); values in the order of older files are
 * put into ours.
 * choice: may be NULL. allocator: NULL stands for malloc; for all but what Blosc takes for itself.
 * threads: 0, as many as there are processors.
 * FLT_BAD_ARGUMENT, FLT_CANNOT_OPEN, FLT_CANNOT_READ; FLT_UNKNOWN_FORMAT: it is no HDF5 file;
 * FLT_CORRUPT; FLT_UNSUPPORTED: newer forms of HDF5, values that are compressed with loss, say, and
 * detail tells the cure; FLT_TOO_LARGE: for flt_apr_create, or memory beyond 64 MB and 32,768 times
 * the file's length would be needed; FLT_NO_MEMORY. detail may be NULL. On failure *file is zeroed.
 */
enum flt_status flt_apr_load(const char *path, const struct flt_apr_choice *choice,
                             const struct flt_allocator *allocator, int threads,
                             struct flt_apr_file *file, struct flt_detail *detail);
/* The same from a file's length bytes in memory; name is used in detail only. */
enum flt_status flt_apr_load_bytes(const char *name, const void *bytes, size_t length,
                                   const struct flt_apr_choice *choice,
                                   const struct flt_allocator *allocator, int threads,
                                   struct flt_apr_file *file, struct flt_detail *detail);
/* Frees what is in *file, and zeroes it; it may be NULL or zeroed already. */
void flt_apr_file_destroy(struct flt_apr_file *file);

/* Values to be saved: of each particle one, in their order. */
struct flt_apr_values {
    const char *name; /* NULL: "particles", which pyapr reads by itself */
    enum flt_element element;
    const void *value;
};
struct flt_apr_channel {
    const char *name; /* NULL: "t"; "t1" at time 1 */
    const struct flt_apr *apr;
    const struct flt_apr_settings *settings; /* NULL: the usual ones */
    const struct flt_apr_values *values;
    int arrays; /* of values */
};

/* Writes 1 to 1000 channels, each of any structure and with up to 1000 arrays of values, into one
 * file, in rows of particles, so that LibAPR 2 reads it. (pyapr takes values of u8, u16 and f32.)
 * Blosc's Zstandard compresses, at level 4, shuffled. The same contents are the same bytes. As
 * flt_image_save does, the file appears whole or not at all.
 * FLT_UNSUPPORTED: an extent above FLT_APR_FILE_EXTENT, or values of bool or f16, and detail tells
 * the cure. FLT_BAD_ARGUMENT: names that are empty, too long, with '/', "." or twice the same,
 * values named as what LibAPR keeps of structures; counts. FLT_NO_MEMORY, FLT_CANNOT_WRITE. */
enum flt_status flt_apr_save(const char *path, const struct flt_apr_channel channel[], int channels,
                             const struct flt_allocator *allocator, struct flt_detail *detail);

#ifdef __cplusplus
}
#endif

#endif
