/* Adaptive images: particles, many where an image changes and few where it does not (the adaptive
 * particle representation of Cheeseman and others, Nature Communications 9:5160, 2018).
 *
 * A structure is where particles are. Its levels are grids over the image, axes z, y, x: level
 * `levels` has the extents of the image, each one before it half of them, rounded up. Each pixel
 * lies in the cell of exactly one particle, and cells that touch, at corners too, are of the same
 * level or of neighbouring ones. Values of particles are arrays beside it, in the order of levels,
 * z, y, x. Interior nodes are the cells above particles: those of levels 0 to levels - 1 that
 * consist of smaller ones.
 *
 * Every function may be called from several threads at once; results do not depend on the number of
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

/* Where samples of an image are fine. The local error is `error` times the local scale of
 * intensity. */
struct flt_apr_settings {
    float error;                 /* above 0: of the local scale; 0.1 */
    float lambda;                /* 0 or more: smoothing of the gradient; 3 */
    float sigma_min;             /* the least local scale that counts; 0 */
    float sigma_ignored;         /* below this, and below sigma_min, there is no signal; 0 */
    float gradient_min;          /* smaller gradients are none; 0 */
    float intensity_min;         /* darker places have no gradient; 0 */
    float psf;                   /* width of the point spread function along y, as spacing; 2 */
    float spacing[FLT_APR_AXES]; /* of pixels, z, y, x; 1, 1, 1 */
    bool splits_boundary;        /* cells beside fine ones are fine, too; false */
};
extern const struct flt_apr_settings flt_apr_usual_settings;

/* Particles, or nodes, of one row that touch each other: x from `first` on; `at`: the first one's
 * place among the values. */
struct flt_apr_run {
    uint32_t first, count;
    uint64_t at;
};

/* Rows of cells at some levels. Row y of plane z of level l has the runs row[l][z * extent y + y]
 * up to the next one. NULL: the level has no rows. */
struct flt_apr_cells {
    int least, greatest; /* levels */
    uint64_t count;      /* of cells */
    const struct flt_apr_run *run;
    const uint64_t *row[FLT_APR_LEVELS + 1];
};

/* Belongs to who made it; never changes. */
struct flt_apr {
    int levels;                                       /* the greatest */
    int32_t extent[FLT_APR_LEVELS + 1][FLT_APR_AXES]; /* by level: z, y, x */
    struct flt_apr_cells particles, nodes;
    const struct flt_apr_tile *tile[3]; /* rows together, for functions of all particles */
    uint64_t tiles[3];
    bool balanced; /* cells that touch are of the same level or of neighbouring ones */
    struct flt_allocator allocator;
    void *blocks; /* what it has taken */
};

/* The structure for an image of samples pixel[(z * extent[1] + y) * extent[2] + x]; extents of axes
 * that it does not have are 1.
 * allocator: NULL stands for malloc. threads: 0, as many as there are processors.
 * Samples that are no finite numbers make all of their line, plane and column fine.
 * FLT_BAD_ARGUMENT: extents below 1, settings out of their range. FLT_TOO_LARGE: more than 2^31 - 1
 * along an axis, or 2^40 samples. FLT_NO_MEMORY. On failure *apr is NULL. */
enum flt_status flt_apr_create(struct flt_apr **apr, const float *pixel,
                               const int64_t extent[FLT_APR_AXES],
                               const struct flt_apr_settings *settings,
                               const struct flt_allocator *allocator, int threads);
/* Where particles are, as files have it: the x of each, in the order of levels, z, y, x, and where
 * rows end. Row y of plane z of level l is the one of number
 * (rows of levels `least` to l - 1) + z * (extent y of level l) + y. */
struct flt_apr_rows {
    int least;           /* the level of the first row; 1 or more. The last one is of the greatest
                          * level, the least L for which 2^L reaches all extents, 1 or more */
    uint64_t rows;       /* of all those levels, empty ones too */
    const uint64_t *end; /* by row: its particles and all before it */
    uint64_t particles;
    int bytes;     /* of each x: 2, uint16_t, or 4, uint32_t */
    const void *x; /* by particle: its cell, at its level */
};
/* The structure that these rows tell, which may be anybody's: all that holds of a structure is
 * checked, cells of neighbouring levels, too, and memory taken is within some tens of bytes for
 * each row and particle that is listed.
 * FLT_BAD_ARGUMENT, and detail, which may be NULL, says what is wrong with the rows; FLT_TOO_LARGE
 * as flt_apr_create; FLT_NO_MEMORY. On failure *apr is NULL. */
enum flt_status flt_apr_restore(struct flt_apr **apr, const int64_t extent[FLT_APR_AXES],
                                const struct flt_apr_rows *rows,
                                const struct flt_allocator *allocator, int threads,
                                struct flt_detail *detail);
/* NULL is nothing. */
void flt_apr_destroy(struct flt_apr *apr);

/* Values of particles from pixels of the same extents: the mean of a particle's cell, in which the
 * last pixels of odd extents stand for those that are missing. FLT_NO_MEMORY. */
enum flt_status flt_apr_sample(const struct flt_apr *apr, const float *pixel, float *value,
                               int threads);

/* Pixels of the values of particles, each cell of one value; `coarser` levels below the greatest:
 * extents of that level, where finer particles are their nodes' values (NULL where coarser is 0).
 */
void flt_apr_to_pixels(const struct flt_apr *apr, const float *value, const float *node,
                       int coarser, float *pixel, int threads);

/* Values of nodes: the mean of the eight cells below, in which the last cells of odd extents count
 * twice. FLT_OK. */
enum flt_status flt_apr_node_means(const struct flt_apr *apr, const float *value, float *node,
                                   int threads);

/* ---- Adaptive images as arrays of particles ----
 *
 * Nothing is allocated, nothing fails. Arrays of values have one for each particle, in the order of
 * the structure, and nodes' arrays one for each node. room: memory of the caller's, on a boundary
 * of 64 bytes: FLT_APR_ROOM_BYTES for each of the places of a grid of half the extents, each 13
 * larger; what is in it does not matter before or after. At most FLT_APR_MOST_THREADS work where
 * there is a room.
 *
 * flt_apr_place: the structure of an image where flt_apr_create places particles. setting: error,
 * lambda, sigma_min, sigma_ignored, gradient_min, intensity_min, psf, spacing of z, y, x. What is
 * in `pixel` is lost. apr: memory on a boundary of 64 bytes, FLT_APR_STRUCTURE_BYTES for each of
 * the places of a grid of half the extents, each 13 larger; no structure needs more, most touch a
 * small part of it. The structure points into this memory: it must stay there. It is not destroyed.
 *
 * flt_apr_place_guided: the same where some of FLT_APR_GUIDES images of f32 are given, one behind
 * the other, each of the pixels: the length of the gradient, a pixel; the local scale of intensity;
 * a mask, where no pixel above 0 means that there is no gradient. Of each 2 x 2 x 2 pixels the
 * greatest gradient counts, the mean scale, and any pixel of the mask. given: 0: it is computed.
 *
 * flt_apr_place_given: the structure of levels that somebody else has found, of pixels one after
 * the other. Where they are not those of cells as above, all pixels are particles, and `level` says
 * so.
 *
 * flt_apr_cell_count: how many particles there are.
 *
 * flt_apr_cell_gather: of each particle the sample, of `each` bytes, of the pixel where its cell
 * begins.
 *
 * flt_apr_cell_means: what flt_apr_sample computes.
 *
 * flt_apr_cell_nodes: of the eight cells below each node the mean, the least or the greatest; the
 * last cells of odd extents stand for those that are missing.
 *
 * flt_apr_cell_convolve: at each particle the kernel goes over the grid of its level, where finer
 * particles have the mean of theirs, and coarser ones cover several cells. kernel: weights, z, y,
 * x; weight v meets the sample extent / 2 - v further on. form: the extents of the kernel, z, y, x,
 * at most FLT_APR_WEIGHTS weights in all; enum flt_apr_border of each axis; enum flt_apr_coarser.
 * Sums are in the order of weights. Weights that are no finite numbers meet zeros outside, too.
 * out: not value.
 *
 * flt_apr_cell_levels: of each particle its level. flt_apr_cell_places: its cell in the grid of
 * that level; NULL is not wanted. */
enum {
    FLT_APR_ROOM_BYTES = 64,
    FLT_APR_STRUCTURE_BYTES = 64,
    FLT_APR_MOST_THREADS = 8,
    FLT_APR_WEIGHTS = 4096,
    FLT_APR_GUIDES = 3
};
/* What is outside of the grid of a level. */
enum flt_apr_border { FLT_APR_REFLECT101, FLT_APR_CLAMP, FLT_APR_ZERO };
/* The kernel d levels above the finest: what it is for pixels, as the mean over a cell; its weights
 * over 2^d, as those of derivatives are; its weights. */
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

/* Pixels of the values of particles, which are of `each` bytes: 1, 2, 4 or 8.
 *
 * flt_apr_spread_box: those of a part of the image alone, which begins at `first`; `coarser` levels
 * below the greatest: places, extents and samples of that level, where finer particles are their
 * nodes' values (NULL where coarser is 0). The part must be inside. */
void flt_apr_spread(const struct flt_apr *apr, const void *value, size_t each, void *pixel,
                    int threads);
/* The box of the finest level alone, where nodes are not needed. */
void flt_apr_spread_part(const int64_t first[FLT_APR_AXES], const int64_t extent[FLT_APR_AXES],
                         void *pixel, const struct flt_apr *apr, const void *value, size_t each,
                         int threads);
void flt_apr_spread_box(const struct flt_apr *apr, const void *value, const void *node, size_t each,
                        int coarser, const int64_t first[FLT_APR_AXES],
                        const int64_t extent[FLT_APR_AXES], void *pixel, int threads);

/* Any function of the samples around each particle, on the grid of its level: what finer particles
 * have there is the value of a node, and coarser ones cover several cells.
 *
 * The function is called for some cells of one row, or of two rows one behind the other, of a
 * level; by several threads. It computes `count` results for each of them, a multiple of
 * FLT_APR_LANES, from cell x on, into out[line * out_pitch + 0 .. count - 1], on a boundary of
 * 64 bytes. It may compute more than there are cells: what it computes of cells that are no
 * particles of this level is dropped, and samples around these are any numbers. */
enum { FLT_APR_LANES = 16 };
struct flt_apr_window {
    /* The sample (i, j, m) of the window of cell q of line k is
     * row[i * pitch + j + k][x + first[2] + m + q]. Rows are on no boundary. */
    const float *const *row;
    int64_t pitch;
    int64_t z, y, x;                                   /* the first cell */
    int lines;                                         /* 1 or 2 */
    int64_t out_pitch;                                 /* from line to line */
    int level, shift;                                  /* the level is `shift` below the greatest */
    int32_t first[FLT_APR_AXES], extent[FLT_APR_AXES]; /* of the window: its reach */
};
typedef void flt_apr_line(const void *context, const struct flt_apr_window *window, int64_t count,
                          float *out);
/* A window is of `extent` samples of each axis, 1 or more, from `first` on, counted from the
 * cell; of all axes together of no more than FLT_APR_WEIGHTS. */
struct flt_apr_reach {
    int32_t first[FLT_APR_AXES], extent[FLT_APR_AXES];
};
struct flt_apr_windows {
    const struct flt_apr_reach *reach; /* by shift; the last one for all that follow */
    int reaches;                       /* 1 or more */
    int32_t border[FLT_APR_AXES];      /* enum flt_apr_border */
    const float *node;                 /* values of nodes; NULL: means */
};
/* out: not value. */
void flt_apr_cells_each(const struct flt_apr *apr, const float *value, float *out,
                        const struct flt_apr_windows *windows, flt_apr_line *line,
                        const void *context, void *room, size_t bytes, int threads);

#ifdef __cplusplus
}
#endif

#endif
