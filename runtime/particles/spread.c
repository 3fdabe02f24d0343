/* An image as its particles have it, in place: each pixel becomes the mean of its particle's cell.
 * All memory is the caller's, so that nothing fails. */
#include "particles/internal.h"

/* ---- Memory that is given ---- */

struct given {
    char *at, *end;
};

static void *take_given(void *user, size_t bytes)
{
    struct given *given = user;
    const size_t whole = (bytes + 63) / 64 * 64;
    if (whole > (size_t)(given->end - given->at))
        return NULL;
    given->at += whole;
    return given->at - whole;
}

/* The last one first. */
static void give_back_given(void *user, void *memory)
{
    struct given *given = user;
    given->at = memory;
}

/* ---- Means ---- */

/* Pixels of cells of level `l`, whose means they get. */
static void spread_level(const struct grid level[], int levels, int l, const float *mean,
                         const struct cell_kinds *kinds, uint8_t *room, float *pixel, int threads)
{
    const struct grid *g = &level[l], *pixels = &level[levels];
    const int64_t n = g->extent[AXIS_X], all = pixels->extent[AXIS_X];
    const int shift = levels - l;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (int64_t r = (int64_t)grid_rows(pixels) * t / threads;
             r < (int64_t)grid_rows(pixels) * (t + 1) / threads; r++) {
            const int64_t z = r / pixels->extent[AXIS_Y] >> shift,
                          y = r % pixels->extent[AXIS_Y] >> shift;
            const float *from = mean + grid_row(g, z, y);
            uint8_t *mark = room + n * t;
            mark_particles(kinds, l, z, y, mark);
            for (int64_t x = 0; x < n; x++)
                for (int64_t i = x << shift; mark[x] && i < least_of((x + 1) << shift, all); i++)
                    pixel[r * all + i] = from[x];
        }
}

void flt_apr_spread(float *pixel, const int64_t extent[FLT_APR_AXES], const float setting[],
                    float *coefficients, void *halves, size_t bytes, int threads)
{
    const struct flt_apr_settings settings = {.error = setting[0],
                                              .lambda = setting[1],
                                              .sigma_min = setting[2],
                                              .sigma_ignored = setting[3],
                                              .gradient_min = setting[4],
                                              .intensity_min = setting[5],
                                              .psf = setting[6],
                                              .spacing = {setting[7], setting[8], setting[9]}};
    struct given given = {halves, (char *)halves + bytes};
    const struct flt_allocator allocator = {take_given, give_back_given, &given};
    struct pool pool = pool_open(&allocator);
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    uint8_t *cell[FLT_APR_LEVELS + 1] = {NULL};
    const int levels = grids_of(&pixels, level);
    const int many = (int)least_of(apr_threads(threads), FLT_APR_SPREAD_THREADS);
    if (levels <= 2 ||
        !find_cells(&pool, level, levels, pixel, &settings, coefficients, cell, many))
        return;
    const struct cell_kinds kinds = cell_kinds_of(level, cell, levels, false);
    float *mean = POOL_ARRAY(&pool, float, grid_cells(&level[levels - 1]) * 2);
    uint8_t *room = POOL_ARRAY(&pool, uint8_t, (uint64_t)(level[levels].extent[AXIS_X] * many));
    if (pool.failed)
        return;
    /* coarse cells last: the pixels of finer ones are no longer needed for means then */
    const float *from = pixel;
    for (int l = levels - 1; l >= 1; l--) {
        halve(&level[l + 1], &level[l], from, mean, many);
        spread_level(level, levels, l, mean, &kinds, room, pixel, many);
        from = mean;
        mean += grid_cells(&level[l]);
    }
}
