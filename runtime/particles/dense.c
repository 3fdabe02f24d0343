/* Adaptive images as arrays of pixels: of each the level of its particle, and the mean over that
 * particle's cell. All memory is the caller's, so that nothing fails. */
#include "particles/internal.h"

/* ---- Levels ---- */

/* Pixels in the cells of particles of level `l`. */
static void mark_level(const struct cell_kinds *kinds, int l, uint8_t *room, uint8_t *level,
                       int threads)
{
    const struct grid *pixels = &kinds->level[kinds->levels];
    const int64_t n = kinds->level[l].extent[AXIS_X], all = pixels->extent[AXIS_X];
    const int shift = kinds->levels - l;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t r = (int64_t)grid_rows(pixels) * t / threads;
             r < (int64_t)grid_rows(pixels) * (t + 1) / threads; r++) {
            const int64_t z = r / pixels->extent[AXIS_Y] >> shift,
                          y = r % pixels->extent[AXIS_Y] >> shift;
            uint8_t *mark = room + all * t;
            mark_particles(kinds, l, z, y, mark);
            for (int64_t x = 0; x < n; x++)
                for (int64_t i = x << shift; mark[x] && i < least_of((x + 1) << shift, all); i++)
                    level[r * all + i] = (uint8_t)l;
        }
}

void flt_apr_levels(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                    uint8_t *level, void *room, size_t bytes, int threads)
{
    const struct flt_apr_settings settings = settings_of(setting);
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    uint8_t *cell[FLT_APR_LEVELS + 1] = {NULL};
    const int levels = grids_of(&pixels, grid), many = dense_threads(threads);
    memset(level, levels, grid_cells(&pixels));
    if (levels <= 2 || !find_cells(&pool, grid, levels, pixel, &settings, NULL, pixel, cell, many))
        return;
    const struct cell_kinds kinds = cell_kinds_of(grid, cell, levels, false);
    uint8_t *marks = POOL_ARRAY(&pool, uint8_t, (uint64_t)(extent[AXIS_X] * many));
    for (int l = 1; l < levels && marks; l++)
        mark_level(&kinds, l, marks, level, many);
}

/* ---- Means ---- */

/* The pyramid of means below the pixels; mean: by level. */
static bool means_of(struct pool *pool, const struct grid grid[], int levels, const float *pixel,
                     float *mean[], int threads)
{
    const float *from = pixel;
    for (int l = levels - 1; l >= 1; l--) {
        mean[l] = POOL_ARRAY(pool, float, grid_cells(&grid[l]));
        if (!mean[l])
            return false;
        halve(&grid[l + 1], &grid[l], from, mean[l], threads);
        from = mean[l];
    }
    return true;
}

void flt_apr_means(const int64_t extent[FLT_APR_AXES], float *pixel, const uint8_t *level,
                   void *room, size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    float *mean[FLT_APR_LEVELS + 1] = {NULL};
    const int levels = grids_of(&pixels, grid), many = dense_threads(threads);
    if (!means_of(&pool, grid, levels, pixel, mean, many))
        return;
#pragma omp parallel for schedule(static) num_threads(many)
    for (int64_t r = 0; r < (int64_t)grid_rows(&pixels); r++)
        for (int64_t x = 0, next; x < extent[AXIS_X]; x = next) {
            const int64_t i = r * extent[AXIS_X] + x;
            const int l = level[i], shift = levels - l;
            next = least_of((int64_t)((x >> shift) + 1) << shift, extent[AXIS_X]);
            if (shift == 0)
                continue;
            const float value = mean[l][grid_row(&grid[l], r / extent[AXIS_Y] >> shift,
                                                 r % extent[AXIS_Y] >> shift) +
                                        (size_t)(x >> shift)];
            for (int64_t k = x; k < next; k++)
                pixel[r * extent[AXIS_X] + k] = value;
        }
}
