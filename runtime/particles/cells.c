/* What the cells of all levels are, from pixels. */
#include "particles/internal.h"

/* needed: the level at each place of half the resolution. Everything but that is given back. */
static bool find_needed(struct pool *pool, const struct grid *pixels, const float *pixel,
                        const struct flt_apr_settings *settings, const struct guides *guides,
                        int levels, float *coefficients, uint8_t *needed, int threads)
{
    const struct grid half = grid_half(pixels);
    void *mark = pool_mark(pool);
    float *gradient = POOL_ARRAY(pool, float, grid_cells(&half));
    float *mean = POOL_ARRAY(pool, float, grid_cells(&half));
    bool good = !pool->failed;
    if (good) {
        if (coefficients != pixel)
            memcpy(coefficients, pixel, grid_cells(pixels) * sizeof *pixel);
        good =
            spline_smooth(pool, pixels, settings->lambda, coefficients, threads) &&
            gradient_halves(pool, pixels, settings->spacing, coefficients, gradient, mean, threads);
    }
    /* the scale takes the place of the coefficients, which are no longer needed */
    good = good && local_scale(pool, pixels, &half, settings, mean, coefficients, threads);
    if (good && guides)
        take_guides(pixels, &half, guides, gradient, coefficients, threads);
    if (good)
        needed_levels(&half, settings, levels, gradient, mean, coefficients, needed, threads);
    pool_release(pool, mark);
    return good;
}

bool find_cells(struct pool *pool, const struct grid level[], int levels, const float *pixel,
                const struct flt_apr_settings *settings, const struct guides *guides,
                float *coefficients, uint8_t *cell[], int threads)
{
    const struct grid half = grid_half(&level[levels]);
    uint8_t *needed = POOL_ARRAY(pool, uint8_t, grid_cells(&half));
    return needed &&
           find_needed(pool, &level[levels], pixel, settings, guides, levels, coefficients, needed,
                       threads) &&
           pull_cells(pool, level, levels, needed, cell, threads);
}

struct cell_kinds cell_kinds_of(const struct grid level[], uint8_t *const cell[], int levels,
                                bool splits_boundary)
{
    return (struct cell_kinds){level, cell, levels, splits_boundary};
}

/* Cells of a kind that is two at most. */
static inline void mark_kinds(const uint8_t *cell, int64_t n, enum cell kind, enum cell other,
                              uint8_t *restrict mark)
{
    for (int64_t x = 0; x < n; x++)
        mark[x] = (uint8_t)((cell[x] == kind) | (cell[x] == other));
}

void mark_particles(const void *kinds, int l, int64_t z, int64_t y, uint8_t *mark)
{
    const struct cell_kinds *c = kinds;
    const enum cell second = c->splits_boundary ? BESIDE : SEED,
                    whole = c->splits_boundary ? FILLER : BESIDE;
    const bool finest = l == c->levels;
    if (c->levels <= 2) { /* too small for cells */
        const struct grid half = grid_half(&c->level[l]);
        memset(mark, finest, (size_t)(finest ? &half : &c->level[l])->extent[AXIS_X]);
        return;
    }
    const struct grid *g = &c->level[l], *above = &c->level[l - 1];
    const int64_t n = g->extent[AXIS_X];
    if (finest) {
        mark_kinds(c->cell[l - 1] + grid_row(above, z, y), above->extent[AXIS_X], SEED, second,
                   mark);
        return;
    }
    mark_kinds(c->cell[l] + grid_row(g, z, y), n, FILLER, whole, mark);
    if (l > 1) {
        const uint8_t *split = c->cell[l - 1] + grid_row(above, z / 2, y / 2);
        for (int64_t x = 0; x < n; x++)
            mark[x] |= (uint8_t)((split[x / 2] == SEED) | (split[x / 2] == second));
    }
}
