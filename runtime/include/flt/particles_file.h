/* Files of adaptive images (.apr): HDF5 compressed by Blosc with Zstandard, as LibAPR and pyapr
 * write and read them. The library is libfltparticlesfile. It needs libfltparticles, libfltimage
 * and Blosc, but not the HDF5 library: it reads and writes the form of HDF5 that LibAPR writes.
 * Files need not be trusted. A file is refused if it contradicts itself, describes no structure, or
 * claims more data than Blosc can have compressed to its size. Blosc allocates a few MB per chunk
 * with malloc. Calls test this first and return FLT_NO_MEMORY. If another thread takes the memory
 * in between, Blosc 1.21.3 crashes. Several threads may call every function at once. They share one
 * thing: the names of unfinished files, of flt/image.h. */
#ifndef FLT_PARTICLES_FILE_H
#define FLT_PARTICLES_FILE_H

#include "flt/image.h"
#include "flt/particles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FLT_APR_NAME: bytes of the name of a channel or of values, including the final 0.
 * FLT_APR_FILE_EXTENT: the greatest extent that a file can have. */
enum { FLT_APR_NAME = 128, FLT_APR_FILE_EXTENT = 65535 };

/* Which part of a file to load. If all fields are zero: the first channel and values. */
struct flt_apr_choice {
    const char *channel; /* NULL: the first by name, or "t" if time > 0 */
    int time;            /* the time point of that channel, >= 0 */
    /* NULL: "particle_intensities" if present, else "particles", else the only values there are */
    const char *values;
};

/* A loaded channel. Free it with flt_apr_file_destroy. */
struct flt_apr_file {
    struct flt_apr *apr;
    /* The type of the values: u8, i8, u16, i16, u32, i32, i64, f32 or f64. u64 values are loaded as
     * i64 if all of them fit. */
    enum flt_element element;
    void *value; /* one per particle, in the order of the structure */
    /* How the structure was made, including the spacing. What the file does not say is taken from
     * flt_apr_usual_settings. */
    struct flt_apr_settings settings;
    char channel[FLT_APR_NAME]; /* the group: "t", or "t1" at time 1 */
    char values[FLT_APR_NAME];
    struct flt_allocator allocator;
    void *blocks; /* memory of value */
};

/* Loads one channel at one time point of a file into a new *file. Axes are renamed: LibAPR's x is y
 * here, and its y, along which particles are contiguous, is x here. Both layouts can be read: rows
 * of particles (y_vec) and the older maps of runs (map_y_begin). Values of older files are
 * reordered. choice: may be NULL. allocator: NULL for malloc; Blosc always uses malloc for its own
 * memory. threads: 0 for one per processor. detail may be NULL. Returns FLT_BAD_ARGUMENT,
 * FLT_CANNOT_OPEN, FLT_CANNOT_READ, FLT_CORRUPT or FLT_NO_MEMORY; FLT_UNKNOWN_FORMAT if it is not
 * an HDF5 file; FLT_UNSUPPORTED for, say, newer forms of HDF5 or lossy compression, and detail
 * tells the cure; FLT_TOO_LARGE if flt_apr_create would return that, or if more memory would be
 * needed than 64 MB plus 32,768 times the length of the file. On failure *file is zeroed. */
enum flt_status flt_apr_load(const char *path, const struct flt_apr_choice *choice,
                             const struct flt_allocator *allocator, int threads,
                             struct flt_apr_file *file, struct flt_detail *detail);
/* The same from a file in memory of length bytes. name is used only in detail. */
enum flt_status flt_apr_load_bytes(const char *name, const void *bytes, size_t length,
                                   const struct flt_apr_choice *choice,
                                   const struct flt_allocator *allocator, int threads,
                                   struct flt_apr_file *file, struct flt_detail *detail);
/* Frees the content of *file and zeroes it. file may be NULL or already zeroed. */
void flt_apr_file_destroy(struct flt_apr_file *file);

/* Values to save: one per particle, in the order of the structure. */
struct flt_apr_values {
    const char *name; /* NULL: "particles", the name that pyapr reads by default */
    enum flt_element element;
    const void *value;
};
struct flt_apr_channel {
    const char *name; /* NULL: "t"; "t1" at time 1 */
    const struct flt_apr *apr;
    const struct flt_apr_settings *settings; /* NULL: the usual ones */
    const struct flt_apr_values *values;
    int arrays; /* number of values[] */
};

/* Writes 1 to 1000 channels into one file, as rows of particles, which LibAPR 2 reads. Each channel
 * has its own structure and up to 1000 arrays of values. (pyapr reads values of u8, u16 and f32.)
 * Data is compressed by Blosc with Zstandard at level 4, with byte shuffling. Equal contents give
 * equal bytes. As with flt_image_save, the file appears complete or not at all. Returns
 * FLT_UNSUPPORTED for an extent above FLT_APR_FILE_EXTENT or values of bool or f16, and detail
 * tells the cure; FLT_BAD_ARGUMENT for a count out of range, or a name that is empty, too long,
 * ".", used twice, contains '/', or is one that LibAPR uses for structures; FLT_NO_MEMORY;
 * FLT_CANNOT_WRITE. */
enum flt_status flt_apr_save(const char *path, const struct flt_apr_channel channel[], int channels,
                             const struct flt_allocator *allocator, struct flt_detail *detail);

#ifdef __cplusplus
}
#endif

#endif
