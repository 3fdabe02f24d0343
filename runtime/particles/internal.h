/* What the files of runtime/particles share. Arrays are of planes, rows and samples: z, y, x. */
#ifndef FLT_PARTICLES_INTERNAL_H
#define FLT_PARTICLES_INTERNAL_H

#include "flt/particles.h"

#include <math.h>
#include <string.h>

enum axis { AXIS_Z, AXIS_Y, AXIS_X };

static inline int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t greatest_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The processors, where 0 threads are asked for. */
int apr_threads(int threads);
/* One, where there are too few cells for several; else all, since teams of other sizes cost
 * time. */
static inline int worthwhile_threads(int threads, uint64_t cells)
{
    return cells < 16384 ? 1 : threads;
}
/* Of these as many as the room of functions of pixels suffices for. */
int room_threads(int threads);

/* Kinds of processors for which some functions are compiled by themselves. */
enum processor { PROCESSOR_ANY, PROCESSOR_AVX2, PROCESSOR_AVX512 };
enum processor processor_kind(void);

/* ---- Memory ---- */

/* What is taken together and given back together. */
struct pool {
    struct flt_allocator allocator;
    void *blocks;
    bool failed; /* something could not be taken */
};
struct pool pool_open(const struct flt_allocator *allocator);
/* Of memory that the caller has, on a boundary of 64 bytes. */
struct room {
    char *at, *end;
};
struct pool pool_in_room(struct room *room);
/* count elements of so many bytes each, not cleared; NULL: there is no memory. */
void *pool_take(struct pool *pool, uint64_t count, size_t bytes);
#define POOL_ARRAY(pool, type, count) ((type *)pool_take(pool, count, sizeof(type)))
/* Gives back the block that was taken last, or several: all behind `mark`. */
void *pool_mark(const struct pool *pool);
void pool_release(struct pool *pool, void *mark);

/* ---- Grids ---- */

/* A grid of samples, and its halves. */
struct grid {
    int64_t extent[FLT_APR_AXES];
};
static inline uint64_t grid_cells(const struct grid *g)
{
    return (uint64_t)g->extent[0] * (uint64_t)g->extent[1] * (uint64_t)g->extent[2];
}
static inline uint64_t grid_rows(const struct grid *g)
{
    return (uint64_t)g->extent[0] * (uint64_t)g->extent[1];
}
/* Of row y of plane z, the place of its first sample. */
static inline size_t grid_row(const struct grid *g, int64_t z, int64_t y)
{
    return (size_t)(z * g->extent[1] + y) * (size_t)g->extent[2];
}
static inline struct grid grid_half(const struct grid *g)
{
    return (struct grid){{(g->extent[0] + 1) / 2, (g->extent[1] + 1) / 2, (g->extent[2] + 1) / 2}};
}
/* The grids of all levels. Returns the greatest level. */
int grids_of(const struct grid *pixels, struct grid level[FLT_APR_LEVELS + 1]);

/* ---- Construction, in this order ---- */

/* spline.c: coefficients of the smoothing spline in place of samples. */
bool spline_smooth(struct pool *pool, const struct grid *g, float lambda, float *sample,
                   int threads);
/* gradient.c: of coefficients the greatest gradient and the mean, of each 2 x 2 x 2 of them. */
bool gradient_halves(struct pool *pool, const struct grid *g, const float spacing[],
                     const float *coefficient, float *gradient, float *mean, int threads);
/* scale.c: the local scale of intensity, from the mean coefficients, which become values of the
 * spline. pixels: the grid that `half` is half of. */
bool local_scale(struct pool *pool, const struct grid *pixels, const struct grid *half,
                 const struct flt_apr_settings *settings, float *mean, float *scale, int threads);
/* fineness.c: the level that each place needs, at half resolution. */
void needed_levels(const struct grid *half, const struct flt_apr_settings *settings, int levels,
                   const float *gradient, const float *mean, const float *scale, uint8_t *needed,
                   int threads);

/* pulling.c: what a cell of levels 1 … levels - 1 is. Particles are SEED (its eight parts), BESIDE
 * and FILLER. */
enum cell { EMPTY, SEED, BESIDE, FILLER, ABOVE, ABOVE_BESIDE, SPREAD };
/* cell: by level. */
bool pull_cells(struct pool *pool, const struct grid level[], int levels, uint8_t *needed,
                uint8_t *cell[], int threads);

/* guides.c: images of pixels that stand for what is computed; NULL: they are not given. */
struct guides {
    const float *gradient, *scale, *mask;
};
void take_guides(const struct grid *pixels, const struct grid *half, const struct guides *guides,
                 float *gradient, float *scale, int threads);

/* cells.c: all of these. guides: NULL: there are none. cell: by level; coefficients: room for as
 * many as there are pixels, or these themselves. */
bool find_cells(struct pool *pool, const struct grid level[], int levels, const float *pixel,
                const struct flt_apr_settings *settings, const struct guides *guides,
                float *coefficients, uint8_t *cell[], int threads);
/* Cells, and whether those beside fine ones are fine, too. */
struct cell_kinds {
    const struct grid *level;
    uint8_t *const *cell;
    int levels;
    bool splits_boundary;
};
struct cell_kinds cell_kinds_of(const struct grid level[], uint8_t *const cell[], int levels,
                                bool splits_boundary);
/* Marks the particles of a row; of the finest level, whose particles are those of cells above,
 * these cells of a row of the level above. kinds: struct cell_kinds. */
void mark_particles(const void *kinds, int level, int64_t z, int64_t y, uint8_t *mark);

/* given.c: whether these are the levels of cells, of pixels one after the other. */
bool given_levels_are_right(const struct grid *pixels, const uint8_t *level, int threads);

/* Which cells of a row are particles; marks: of the extent of the level along x. Of the finest
 * level, whose particles are those of cells above, these cells, of a row of the level above. */
typedef void row_marks(const void *context, int level, int64_t z, int64_t y, uint8_t *marks);

/* structure.c: the rows of particles, and those of the nodes above them, in the pool of apr. */
bool particles_of_cells(struct flt_apr *apr, struct pool *pool, const struct grid level[],
                        const struct cell_kinds *kinds, int threads);
bool particles_of_marks(struct flt_apr *apr, struct pool *pool, const struct grid level[],
                        row_marks *marks, const void *context, int threads);
/* create.c: a structure in memory of the caller's, without particles; *kept: the rest of it. */
bool structure_in_room(struct flt_apr *apr, size_t bytes, const int64_t extent[FLT_APR_AXES],
                       struct grid level[FLT_APR_LEVELS + 1], struct room *kept);
/* Of memory that was too small: no particles. */
void structure_empty(struct flt_apr *apr);

/* tiles.c: the tiles of all levels that have particles, in the pool of apr. */
enum { TILE_SQUARE, TILE_ALONG_Z, TILE_ALONG_Y, TILE_SHAPES };
extern const int rows_of_shape[TILE_SHAPES][2]; /* planes, rows of each */
struct flt_apr_tile {
    int32_t level, z, y; /* the first row */
    int32_t first, end;  /* along x, of all particles in it */
};
bool tiles_of_particles(struct flt_apr *apr, struct pool *kept, struct pool *pool, int threads);

/* convolve.c: the kernel of a level that is `shift` below the greatest. room: its weights, as many
 * as the whole kernel has at most. */
struct kernel {
    int64_t extent[FLT_APR_AXES], first[FLT_APR_AXES]; /* places of taps: from `first` on */
    const float *weight;
};
struct kernel kernel_of_level(const float weight[], const int32_t form[], int shift, float *room);
/* The sample of a line of n that stands at place i; -1: zero. */
int64_t place_at(int64_t i, int64_t n, int border);

/* values.c: the means of pairs of samples of four rows: `count`, of which the first `whole` have
 * all pairs, and the last one may have samples that stand for the missing ones. Sums are of rows
 * one after the other. */
void halve_rows(const float *const row[4], int64_t whole, int64_t count, float *out);
/* A level of the pyramid of means from the one below. */
void halve(const struct grid *g, const struct grid *half, const float *from, float *to,
           int threads);

/* As flt_apr_place takes them. */
static inline struct flt_apr_settings settings_of(const float setting[])
{
    return (struct flt_apr_settings){.error = setting[0],
                                     .lambda = setting[1],
                                     .sigma_min = setting[2],
                                     .sigma_ignored = setting[3],
                                     .gradient_min = setting[4],
                                     .intensity_min = setting[5],
                                     .psf = setting[6],
                                     .spacing = {setting[7], setting[8], setting[9]}};
}

static inline struct grid apr_grid(const struct flt_apr *apr, int level)
{
    const int32_t *extent = apr->extent[level];
    return (struct grid){{extent[0], extent[1], extent[2]}};
}

#endif
