/* Adaptive images. They store particles: many where an image changes, few where it does not (the
 * adaptive particle representation of Cheeseman and others, Nature Communications 9:5160, 2018).
 *
 * A structure tells where the particles are. It has levels, which are grids over the image with
 * axes z, y, x. The finest level, number `levels`, has the extents of the image; each coarser level
 * has half the extents of the next finer one, rounded up. Every pixel lies in the cell of exactly
 * one particle. Cells that touch, also at corners, differ by at most one level. The values of
 * particles are separate arrays, ordered by level, then z, y, x. A node is a cell of a level below
 * `levels` that consists of smaller cells with particles.
 *
 * Several threads may call every function at once. Results do not depend on the number of
 * threads. */
#ifndef FLT_PARTICLES_H
#define FLT_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flt/memory.h"
#include "flt/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FLT_APR_LEVELS = 32, FLT_APR_AXES = 3 };

/* How many particles an image gets. The permitted error at a pixel is `error` times the local scale
 * of intensity there. The last number of each comment is the usual value. */
struct flt_apr_settings {
    float error;                 /* > 0: relative to the local scale; 0.1 */
    float lambda;                /* >= 0: smoothing of the gradient; 3 */
    float sigma_min;             /* smaller local scales count as this; 0 */
    float sigma_ignored;         /* where the local scale is below this and below sigma_min,
                                  * there is no signal; 0 */
    float gradient_min;          /* smaller gradients count as 0; 0 */
    float intensity_min;         /* darker pixels have no gradient; 0 */
    float psf;                   /* width of the point spread function along y, in the unit of
                                  * spacing; 2 */
    float spacing[FLT_APR_AXES]; /* distance between pixels along z, y, x; 1, 1, 1 */
    bool splits_boundary;        /* neighbours of fine cells are fine, too; false */
};
extern const struct flt_apr_settings flt_apr_usual_settings;

/* Adjacent particles (or nodes) of one row: cells x = first .. first + count - 1. at: the index of
 * the first one in arrays of values. */
struct flt_apr_run {
    uint32_t first, count;
    uint64_t at;
};

/* Rows of cells at some levels. With r = z * extent[l][1] + y, row y of plane z of level l has the
 * runs run[row[l][r]] .. run[row[l][r + 1] - 1]. row[l] is NULL if the level has no rows. */
struct flt_apr_cells {
    int least, greatest; /* levels that have rows */
    uint64_t count;      /* of cells */
    const struct flt_apr_run *run;
    const uint64_t *row[FLT_APR_LEVELS + 1];
};

/* A structure. It never changes. Whoever made it destroys it. */
struct flt_apr {
    int levels;                                       /* the number of the finest level */
    int32_t extent[FLT_APR_LEVELS + 1][FLT_APR_AXES]; /* by level: z, y, x */
    struct flt_apr_cells particles, nodes;
    const struct flt_apr_tile *tile[3]; /* groups of rows, for functions over all particles */
    uint64_t tiles[3];
    bool balanced; /* cells that touch differ by at most one level */
    struct flt_allocator allocator;
    void *blocks; /* memory taken from the allocator */
};

/* Makes the structure for an image; destroy it with flt_apr_destroy.
 * pixel: sample (z, y, x) is pixel[(z * extent[1] + y) * extent[2] + x]. extent: z, y, x; 1 for an
 * axis that the image does not have. allocator: NULL for malloc. threads: 0 for one per processor.
 * A sample that is infinite or NaN makes its whole row, column and line of planes fine.
 * Returns FLT_BAD_ARGUMENT for an extent below 1 or a setting out of range; FLT_TOO_LARGE for an
 * extent above 2^31 - 1 or more than 2^40 samples; FLT_NO_MEMORY. On failure *apr is NULL. */
enum flt_status flt_apr_create(struct flt_apr **apr, const float *pixel,
                               const int64_t extent[FLT_APR_AXES],
                               const struct flt_apr_settings *settings,
                               const struct flt_allocator *allocator, int threads);
/* Positions of particles as files list them: the x of every particle, ordered by level, z, y, x,
 * and where each row ends. With n the number of rows of all levels from `least` to l - 1, row y of
 * plane z of level l has the number n + z * (extent y of level l) + y. */
struct flt_apr_rows {
    int least;           /* the level of the first row, >= 1. The last row belongs to the finest
                          * level: the least L >= 1 with 2^L >= all extents */
    uint64_t rows;       /* number of rows of these levels, empty rows included */
    const uint64_t *end; /* by row: number of particles in it and in all rows before it */
    uint64_t particles;
    int bytes;     /* size of each x: 2 (uint16_t) or 4 (uint32_t) */
    const void *x; /* by particle: its cell along x, on the grid of its level */
};
/* Makes a structure from listed rows, which need not be trusted: everything that must hold for a
 * structure is checked, including the levels of touching cells. Memory use is limited to some tens
 * of bytes per listed row and particle. allocator, threads: as for flt_apr_create.
 * Returns FLT_BAD_ARGUMENT and sets detail (unless NULL) to what is wrong with the rows;
 * FLT_TOO_LARGE as flt_apr_create; FLT_NO_MEMORY. On failure *apr is NULL. */
enum flt_status flt_apr_restore(struct flt_apr **apr, const int64_t extent[FLT_APR_AXES],
                                const struct flt_apr_rows *rows,
                                const struct flt_allocator *allocator, int threads,
                                struct flt_detail *detail);
/* Frees a structure that flt_apr_create or flt_apr_restore made. apr may be NULL. */
void flt_apr_destroy(struct flt_apr *apr);

/* Computes the value of each particle: the mean of the pixels in its cell. Where a cell extends
 * beyond an odd extent, the last pixel stands for the missing ones. pixel: as for flt_apr_create.
 * value: one float per particle, in the order of the structure. Returns FLT_OK or FLT_NO_MEMORY. */
enum flt_status flt_apr_sample(const struct flt_apr *apr, const float *pixel, float *value,
                               int threads);

/* Fills an image: each pixel gets the value of the particle in whose cell it lies.
 * coarser: how many levels below the finest one the image is; it has the extents of that level. If
 * coarser > 0, cells with finer particles get the value of their node. node: one float per node;
 * may be NULL if coarser is 0. */
void flt_apr_to_pixels(const struct flt_apr *apr, const float *value, const float *node,
                       int coarser, float *pixel, int threads);

/* Computes the value of each node: the mean of the eight cells that it consists of. Along an odd
 * extent the last cell counts twice. node: one float per node. Returns FLT_OK. */
enum flt_status flt_apr_node_means(const struct flt_apr *apr, const float *value, float *node,
                                   int threads);

/* ---- Adaptive images as arrays of particles ----
 *
 * These functions allocate nothing and cannot fail. Arrays of values hold one element per particle
 * in the order of the structure; arrays of nodes hold one element per node.
 * room: scratch memory of the caller, aligned to 64 bytes, of FLT_APR_ROOM_BYTES times
 * (extent[0] / 2 + 13) * (extent[1] / 2 + 13) * (extent[2] / 2 + 13), with integer division.
 * Its content does not matter before or after. Functions with a room use at most
 * FLT_APR_MOST_THREADS threads.
 *
 * flt_apr_place: makes the structure that flt_apr_create makes. setting: error, lambda, sigma_min,
 * sigma_ignored, gradient_min, intensity_min, psf, then spacing along z, y, x. Overwrites pixel.
 * apr: memory aligned to 64 bytes, of FLT_APR_STRUCTURE_BYTES times the same product. No structure
 * needs more; most touch a small part of it. The structure points into this memory, so it must not
 * be moved. It need not be destroyed.
 *
 * flt_apr_place_guided: the same with up to FLT_APR_GUIDES images of f32 that replace computed
 * ones. guide holds them one after another, each with the extents of the image: the length of the
 * gradient per pixel; the local scale of intensity; a mask, which is > 0 where there may be a
 * gradient. For 2 x 2 x 2 pixels each, the greatest gradient and the mean scale count, and the mask
 * if any of its pixels is > 0. given: by guide, 0 if it is to be computed.
 *
 * flt_apr_place_given: makes the structure of given levels, one per pixel. If they are not the
 * levels of cells as described above, every pixel becomes a particle and level is set accordingly.
 *
 * flt_apr_cell_count: stores the number of particles.
 *
 * flt_apr_cell_gather: copies, for each particle, the pixel where its cell begins. each: bytes of a
 * sample.
 *
 * flt_apr_cell_means: as flt_apr_sample.
 *
 * flt_apr_cell_nodes: computes for each node the mean, least or greatest value of the eight cells
 * that it consists of. Along an odd extent the last cell stands for the missing ones.
 *
 * flt_apr_cell_convolve: applies the kernel at each particle on the grid of its level. There, finer
 * particles appear as the mean over the cell, and a coarser particle covers several cells. kernel:
 * weights in the order z, y, x; weight v multiplies the sample at offset extent / 2 - v. form: the
 * extents of the kernel along z, y, x, with at most FLT_APR_WEIGHTS weights; an enum flt_apr_border
 * for each axis; an enum flt_apr_coarser. Products are added in the order of the weights. Infinite
 * or NaN weights also multiply the zeros outside. out must not be value.
 *
 * flt_apr_cell_levels: stores the level of each particle. flt_apr_cell_places: stores the cell of
 * each particle on the grid of its level; z, y and x may each be NULL. */
enum {
    FLT_APR_ROOM_BYTES = 64,
    FLT_APR_STRUCTURE_BYTES = 64,
    FLT_APR_MOST_THREADS = 8,
    FLT_APR_WEIGHTS = 4096,
    FLT_APR_GUIDES = 3
};
/* What is outside the grid of a level. */
enum flt_apr_border { FLT_APR_REFLECT101, FLT_APR_CLAMP, FLT_APR_ZERO };
/* The kernel at a level that is d coarser than the finest one: the kernel for pixels averaged over
 * the cells; its weights divided by 2^d, as for derivatives; its weights unchanged. */
enum flt_apr_coarser { FLT_APR_RESTRICTED, FLT_APR_RESCALED, FLT_APR_SAME };
enum flt_apr_node { FLT_APR_MEAN, FLT_APR_LEAST, FLT_APR_GREATEST };
void flt_apr_place(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                   struct flt_apr *apr, size_t apr_bytes, void *room, size_t bytes, int threads);
void flt_apr_place_guided(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                          const float *guide, const int32_t given[FLT_APR_GUIDES],
                          struct flt_apr *apr, size_t apr_bytes, void *room, size_t bytes,
                          int threads);
void flt_apr_place_given(const int64_t extent[FLT_APR_AXES], uint8_t *level, struct flt_apr *apr,
                         size_t apr_bytes, void *room, size_t bytes, int threads);
void flt_apr_cell_count(const struct flt_apr *apr, int64_t count[1]);
void flt_apr_cell_gather(const struct flt_apr *apr, const void *pixel, size_t each, void *value,
                         int threads);
void flt_apr_cell_means(const struct flt_apr *apr, const float *pixel, float *value, void *room,
                        size_t bytes, int threads);
void flt_apr_cell_nodes(const struct flt_apr *apr, const float *value, enum flt_apr_node kind,
                        float *node, int threads);
void flt_apr_cell_convolve(const struct flt_apr *apr, const float *value, float *out,
                           const float kernel[], const int32_t form[], void *room, size_t bytes,
                           int threads);
void flt_apr_cell_levels(const struct flt_apr *apr, uint8_t *level, int threads);
void flt_apr_cell_places(const struct flt_apr *apr, int32_t *z, int32_t *y, int32_t *x,
                         int threads);

/* Fill an image with the values of particles. each: bytes per value: 1, 2, 4 or 8.
 *
 * flt_apr_spread fills the whole image. flt_apr_spread_box fills a box of the image, which begins
 * at `first`, on the level that is `coarser` below the finest one; first and extent count on the
 * grid of that level. Cells with finer particles get the value of their node; node may be NULL if
 * coarser is 0. The box must lie inside the image. */
void flt_apr_spread(const struct flt_apr *apr, const void *value, size_t each, void *pixel,
                    int threads);
/* A box of the finest level, which needs no nodes. */
void flt_apr_spread_part(const int64_t first[FLT_APR_AXES], const int64_t extent[FLT_APR_AXES],
                         void *pixel, const struct flt_apr *apr, const void *value, size_t each,
                         int threads);
void flt_apr_spread_box(const struct flt_apr *apr, const void *value, const void *node, size_t each,
                        int coarser, const int64_t first[FLT_APR_AXES],
                        const int64_t extent[FLT_APR_AXES], void *pixel, int threads);

/* Computes a function of the samples around each particle, on the grid of its level. There, finer
 * particles appear as the value of their node, and a coarser particle covers several cells.
 *
 * Several threads call the function for some cells of one row, or of two adjacent rows, of a level.
 * For each row (`line`) it stores `count` results, for the cells from x on, to out[line * out_pitch
 * + 0 .. count - 1]. count is a multiple of FLT_APR_LANES; out is aligned to 64 bytes. Some of
 * these cells may not be particles of this level: samples around them are arbitrary and their
 * results are dropped. */
enum { FLT_APR_LANES = 16 };
#ifndef FLT_APR_WINDOWS /* emitted files declare the same */
#define FLT_APR_WINDOWS
struct flt_apr_window {
    /* The sample (i, j, m) of the window of cell q of line k is
     * row[i * pitch + j + k][x + first[2] + m + q]. Rows have no alignment. */
    const float *const *row;
    int64_t pitch;
    int64_t z, y, x;                                   /* the first cell */
    int lines;                                         /* 1 or 2 */
    int64_t out_pitch;                                 /* from line to line, in samples */
    int level, shift;                                  /* the level is `shift` below the finest */
    int32_t first[FLT_APR_AXES], extent[FLT_APR_AXES]; /* of the window, see flt_apr_reach */
};
typedef void flt_apr_line(const void *context, const struct flt_apr_window *window, int64_t count,
                          float *out);
/* The window of a cell: extent >= 1 samples along each axis, beginning `first` samples from the
 * cell (often negative). The product of the extents is at most FLT_APR_WEIGHTS. */
struct flt_apr_reach {
    int32_t first[FLT_APR_AXES], extent[FLT_APR_AXES];
};
struct flt_apr_windows {
    const struct flt_apr_reach *reach; /* by shift; the last one also for all greater shifts */
    int reaches;                       /* number of reaches, >= 1 */
    int32_t border[FLT_APR_AXES];      /* enum flt_apr_border */
    const float *node;                 /* values of nodes; NULL: their means */
};
/* out must not be value. */
void flt_apr_cells_each(const struct flt_apr *apr, const float *value, float *out,
                        const struct flt_apr_windows *windows, flt_apr_line *line,
                        const void *context, void *room, size_t bytes, int threads);
#endif

#ifdef __cplusplus
}
#endif

#endif
