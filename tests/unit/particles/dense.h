/* Adaptive images as arrays of pixels, in the plainest way: of each pixel the level of its
 * particle, the mean over that particle's cell, and the convolution at it. Arrays of particles are
 * held against these. room: of FLT_APR_ROOM_BYTES for each place, as functions of particles take
 * it. */
#ifndef FLTC_TESTS_DENSE_H
#define FLTC_TESTS_DENSE_H

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

static void dense_levels(const int64_t extent[FLT_APR_AXES], float *pixel, const float setting[],
                         uint8_t *level, void *room, size_t bytes, int threads)
{
    const struct flt_apr_settings settings = settings_of(setting);
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    uint8_t *cell[FLT_APR_LEVELS + 1] = {NULL};
    const int levels = grids_of(&pixels, grid), many = room_threads(threads);
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

static void dense_means(const int64_t extent[FLT_APR_AXES], float *pixel, const uint8_t *level,
                        void *room, size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    float *mean[FLT_APR_LEVELS + 1] = {NULL};
    const int levels = grids_of(&pixels, grid), many = room_threads(threads);
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

/* ---- Convolution ---- */

struct convolution {
    struct grid grid, pixels;
    struct kernel kernel;
    const float *sample; /* of the level's grid */
    const uint8_t *level;
    float *value;          /* of pixels */
    const int32_t *border; /* by axis */
    int l, shift;
};

/* The samples that row (i, j) of the kernel meets; NULL: zeros. */
static const float *row_met(const struct convolution *c, int64_t z, int64_t y, int64_t i, int64_t j)
{
    const int64_t *n = c->grid.extent, *first = c->kernel.first;
    const int64_t at_z = place_at(z + first[AXIS_Z] + i, n[AXIS_Z], c->border[AXIS_Z]),
                  at_y = place_at(y + first[AXIS_Y] + j, n[AXIS_Y], c->border[AXIS_Y]);
    return at_z < 0 || at_y < 0 ? NULL : c->sample + grid_row(&c->grid, at_z, at_y);
}

/* At one cell, wherever it is. */
static float sum_at(const struct convolution *c, int64_t z, int64_t y, int64_t x)
{
    const struct kernel *k = &c->kernel;
    const float *weight = k->weight;
    float sum = 0;
    for (int64_t i = 0; i < k->extent[0]; i++)
        for (int64_t j = 0; j < k->extent[1]; j++, weight += k->extent[2]) {
            const float *row = row_met(c, z, y, i, j);
            for (int64_t m = 0; row && m < k->extent[2]; m++) {
                const int64_t at =
                    place_at(x + k->first[2] + m, c->grid.extent[AXIS_X], c->border[AXIS_X]);
                if (at >= 0)
                    sum += weight[m] * row[at];
            }
        }
    return sum;
}

enum { MOST_TOGETHER = 32 };

/* Of `count` cells from x on, whose kernels stay inside along the row; each sum in the same order.
 * */
static void sums_inside(const struct convolution *c, int64_t z, int64_t y, int64_t x, int64_t count,
                        float sum[MOST_TOGETHER])
{
    const struct kernel *k = &c->kernel;
    const float *weight = k->weight;
    for (int64_t q = 0; q < count; q++)
        sum[q] = 0;
    for (int64_t i = 0; i < k->extent[0]; i++)
        for (int64_t j = 0; j < k->extent[1]; j++, weight += k->extent[2]) {
            const float *row = row_met(c, z, y, i, j);
            for (int64_t m = 0; row && m < k->extent[2]; m++)
                for (int64_t q = 0; q < count; q++)
                    sum[q] += weight[m] * row[x + k->first[2] + m + q];
        }
}

/* Pixels of cells from x on become their sums. */
static void put_cells(const struct convolution *c, int64_t z, int64_t y, int64_t x, int64_t count,
                      const float sum[])
{
    const int64_t *all = c->pixels.extent;
    const int64_t end_z = least_of((z + 1) << c->shift, all[AXIS_Z]),
                  end_y = least_of((y + 1) << c->shift, all[AXIS_Y]),
                  end_x = least_of((x + count) << c->shift, all[AXIS_X]);
    for (int64_t k = z << c->shift; k < end_z; k++)
        for (int64_t j = y << c->shift; j < end_y; j++) {
            float *row = c->value + grid_row(&c->pixels, k, j);
            for (int64_t i = x << c->shift; i < end_x; i++)
                row[i] = sum[(i >> c->shift) - x];
        }
}

/* The particles of one row of cells. */
static void convolve_row(const struct convolution *c, int64_t z, int64_t y)
{
    const uint8_t *level = c->level + grid_row(&c->pixels, z << c->shift, y << c->shift);
    const int64_t n = c->grid.extent[AXIS_X], first = -c->kernel.first[2],
                  end = n - c->kernel.extent[2] + 1 + first; /* inside */
    float sum[MOST_TOGETHER];
    for (int64_t x = 0, count; x < n; x += count) {
        count = 1;
        if (level[x << c->shift] != c->l)
            continue;
        if (x < first || x >= end) {
            sum[0] = sum_at(c, z, y, x);
        } else {
            while (count < MOST_TOGETHER && x + count < end &&
                   level[(x + count) << c->shift] == c->l)
                count++;
            sums_inside(c, z, y, x, count, sum);
        }
        put_cells(c, z, y, x, count, sum);
    }
}

/* Of cells in coarser particles their value, which means of equal numbers may miss. */
static void keep_coarser(const struct convolution *c, float *sample, int threads)
{
    const int64_t rows = c->grid.extent[AXIS_Y];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(&c->grid); r++) {
        const size_t from = grid_row(&c->pixels, r / rows << c->shift, r % rows << c->shift);
        for (int64_t x = 0; x < c->grid.extent[AXIS_X]; x++)
            if (c->level[from + (size_t)(x << c->shift)] <= c->l)
                sample[r * c->grid.extent[AXIS_X] + x] = c->value[from + (size_t)(x << c->shift)];
    }
}

static void dense_convolve(const int64_t extent[FLT_APR_AXES], float *value, const uint8_t *level,
                           const float kernel[], const int32_t form[], void *room, size_t bytes,
                           int threads)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid grid[FLT_APR_LEVELS + 1];
    float *sample[FLT_APR_LEVELS + 1];
    const int levels = grids_of(&pixels, grid), many = room_threads(threads);
    struct room given = {room, (char *)room + bytes};
    struct pool pool = pool_in_room(&given);
    float *weight = POOL_ARRAY(&pool, float, FLT_APR_WEIGHTS);
    struct convolution c = {.pixels = pixels, .level = level, .value = value, .border = form + 3};
    for (int l = levels; l >= 1; l--) {
        sample[l] = POOL_ARRAY(&pool, float, grid_cells(&grid[l]));
        if (pool.failed)
            return;
        c.grid = grid[l];
        c.l = l;
        c.shift = levels - l;
        if (l == levels) {
            memcpy(sample[l], value, grid_cells(&pixels) * sizeof *value);
            continue;
        }
        halve(&grid[l + 1], &grid[l], sample[l + 1], sample[l], many);
        keep_coarser(&c, sample[l], many);
    }
    for (int l = levels; l >= 1; l--) {
        c.grid = grid[l];
        c.l = l;
        c.shift = levels - l;
        c.sample = sample[l];
        c.kernel = kernel_of_level(kernel, form, c.shift, weight);
#pragma omp parallel for schedule(dynamic, 4) num_threads(many)
        for (int64_t r = 0; r < (int64_t)grid_rows(&c.grid); r++)
            convolve_row(&c, r / c.grid.extent[AXIS_Y], r % c.grid.extent[AXIS_Y]);
    }
}

#endif
