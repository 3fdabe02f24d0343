/* An image to the structure of its particles. */
#include "particles/internal.h"

const struct flt_apr_settings flt_apr_usual_settings = {
    .error = 0.1f, .lambda = 3, .psf = 2, .spacing = {1, 1, 1}};

static bool settings_are_right(const struct flt_apr_settings *s)
{
    bool right = s->error > 0 && s->lambda >= 0 && s->psf > 0 && !isinf(s->error);
    for (int a = 0; a < FLT_APR_AXES; a++)
        right = right && s->spacing[a] > 0 && !isinf(s->spacing[a]);
    return right;
}

static enum flt_status check(const int64_t extent[], const struct flt_apr_settings *settings)
{
    double samples = 1;
    for (int a = 0; a < FLT_APR_AXES; a++) {
        if (extent[a] < 1)
            return FLT_BAD_ARGUMENT;
        if (extent[a] > INT32_MAX)
            return FLT_TOO_LARGE;
        samples *= (double)extent[a];
    }
    if (samples > 1099511627776.0)
        return FLT_TOO_LARGE;
    return settings_are_right(settings) ? FLT_OK : FLT_BAD_ARGUMENT;
}

/* needed: the level at each place of half the resolution. Everything but that is given back. */
static bool find_needed(struct pool *pool, const struct grid *pixels, const float *pixel,
                        const struct flt_apr_settings *settings, int levels, uint8_t *needed,
                        int threads)
{
    const struct grid half = grid_half(pixels);
    void *mark = pool_mark(pool);
    float *coefficient = POOL_ARRAY(pool, float, grid_cells(pixels));
    float *gradient = POOL_ARRAY(pool, float, grid_cells(&half));
    float *mean = POOL_ARRAY(pool, float, grid_cells(&half));
    bool good = !pool->failed;
    if (good) {
        memcpy(coefficient, pixel, grid_cells(pixels) * sizeof *pixel);
        good =
            spline_smooth(pool, pixels, settings->lambda, coefficient, threads) &&
            gradient_halves(pool, pixels, settings->spacing, coefficient, gradient, mean, threads);
    }
    /* the scale takes the place of the coefficients, which are no longer needed */
    good = good && local_scale(pool, pixels, &half, settings, mean, coefficient, threads);
    if (good)
        needed_levels(&half, settings, levels, gradient, mean, coefficient, needed, threads);
    pool_release(pool, mark);
    return good;
}

static bool construct(struct flt_apr *apr, struct pool *pool, const float *pixel,
                      const struct flt_apr_settings *settings, const struct grid level[],
                      int threads)
{
    uint8_t *cell[FLT_APR_LEVELS + 1] = {NULL};
    if (apr->levels > 2) {
        const struct grid half = grid_half(&level[apr->levels]);
        uint8_t *needed = POOL_ARRAY(pool, uint8_t, grid_cells(&half));
        if (!needed ||
            !find_needed(pool, &level[apr->levels], pixel, settings, apr->levels, needed,
                         threads) ||
            !pull_cells(pool, level, apr->levels, needed, cell, threads))
            return false;
    }
    return particles_of_cells(apr, pool, level, cell, settings->splits_boundary, threads);
}

enum flt_status flt_apr_create(struct flt_apr **out, const float *pixel,
                               const int64_t extent[FLT_APR_AXES],
                               const struct flt_apr_settings *settings,
                               const struct flt_allocator *allocator, int threads)
{
    if (!out || !pixel || !extent)
        return FLT_BAD_ARGUMENT;
    *out = NULL;
    const struct flt_apr_settings *s = settings ? settings : &flt_apr_usual_settings;
    const enum flt_status status = check(extent, s);
    if (status != FLT_OK)
        return status;
    struct pool pool = pool_open(allocator), kept = pool_open(allocator);
    struct flt_apr *apr = POOL_ARRAY(&kept, struct flt_apr, 1);
    if (!apr)
        return FLT_NO_MEMORY;
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid level[FLT_APR_LEVELS + 1];
    *apr = (struct flt_apr){
        .levels = grids_of(&pixels, level), .allocator = kept.allocator, .blocks = kept.blocks};
    for (int l = 0; l <= apr->levels; l++)
        for (int a = 0; a < FLT_APR_AXES; a++)
            apr->extent[l][a] = (int32_t)level[l].extent[a];
    const bool good = construct(apr, &pool, pixel, s, level, apr_threads(threads));
    pool_release(&pool, NULL);
    if (!good) {
        flt_apr_destroy(apr);
        return FLT_NO_MEMORY;
    }
    *out = apr;
    return FLT_OK;
}

void flt_apr_destroy(struct flt_apr *apr)
{
    if (!apr)
        return;
    struct pool kept = {.allocator = apr->allocator, .blocks = apr->blocks};
    pool_release(&kept, NULL); /* apr is in the block that was taken first */
}
