/* Particles that somebody else has made: levels and values of pixels, checked before they are used.
 * */
#include "particles/internal.h"

/* ---- Levels ---- */

struct given {
    struct grid pixels;
    const uint8_t *level;
    int levels;
};

static int64_t first_of(int64_t place, int shift)
{
    return place >> shift << shift;
}

/* Whether all pixels of the cell that begins here are of its level. */
static bool is_one_cell(const struct given *g, int64_t z, int64_t y, int64_t x, int shift)
{
    const int64_t *n = g->pixels.extent, side = (int64_t)1 << shift;
    const int64_t end_z = least_of(z + side, n[AXIS_Z]), end_y = least_of(y + side, n[AXIS_Y]),
                  end_x = least_of(x + side, n[AXIS_X]);
    const int own = g->levels - shift;
    unsigned other = 0;
    for (int64_t k = z; k < end_z; k++)
        for (int64_t j = y; j < end_y; j++) {
            const uint8_t *row = g->level + grid_row(&g->pixels, k, j);
            for (int64_t i = x; i < end_x; i++)
                other |= (unsigned)(row[i] ^ own);
        }
    return other == 0;
}

/* Whether the pixel differs by more than a level from one of those around it that come before it.
 * */
static bool is_beside_other(const struct given *g, int64_t z, int64_t y, int64_t x)
{
    const int64_t *n = g->pixels.extent;
    const int own = g->level[grid_row(&g->pixels, z, y) + (size_t)x];
    for (int64_t k = greatest_of(z - 1, 0); k <= z; k++)
        for (int64_t j = greatest_of(y - 1, 0); j <= (k < z ? least_of(y + 1, n[AXIS_Y] - 1) : y);
             j++) {
            const uint8_t *row = g->level + grid_row(&g->pixels, k, j);
            const int64_t end = k < z || j < y ? least_of(x + 1, n[AXIS_X] - 1) : x;
            for (int64_t i = greatest_of(x - 1, 0); i <= end; i++)
                if (row[i] - own > 1 || own - row[i] > 1)
                    return true;
        }
    return false;
}

/* Whether it is the level of a cell that holds the pixel. */
static bool is_right(const struct given *g, int64_t z, int64_t y, int64_t x)
{
    const int own = g->level[grid_row(&g->pixels, z, y) + (size_t)x];
    const int shift = g->levels - own;
    if (own < 1 || shift < 0)
        return false;
    const int64_t first[FLT_APR_AXES] = {first_of(z, shift), first_of(y, shift),
                                         first_of(x, shift)};
    if (g->level[grid_row(&g->pixels, first[0], first[1]) + (size_t)first[2]] != own)
        return false;
    if (first[0] == z && first[1] == y && first[2] == x && !is_one_cell(g, z, y, x, shift))
        return false;
    return !is_beside_other(g, z, y, x);
}

bool given_levels_are_right(const struct grid *pixels, const uint8_t *level, int threads)
{
    struct grid all[FLT_APR_LEVELS + 1];
    const struct given g = {*pixels, level, grids_of(pixels, all)};
    const int64_t rows = (int64_t)grid_rows(pixels);
    int wrong = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) reduction(| : wrong)
    for (int64_t r = 0; r < rows; r++) {
        const int64_t z = r / pixels->extent[AXIS_Y], y = r % pixels->extent[AXIS_Y];
        for (int64_t x = 0; x < pixels->extent[AXIS_X] && !wrong; x++)
            wrong |= !is_right(&g, z, y, x);
    }
    return !wrong;
}

void flt_apr_given_levels(const int64_t extent[FLT_APR_AXES], uint8_t *level, void *room,
                          size_t bytes, int threads)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid all[FLT_APR_LEVELS + 1];
    (void)room;
    (void)bytes;
    if (!given_levels_are_right(&pixels, level, dense_threads(threads)))
        memset(level, grids_of(&pixels, all), grid_cells(&pixels));
}

/* ---- Values ---- */

/* One row: of each cell the sample where it begins, which lies in the row `from`. */
static void take_first(char *row, const char *from, const uint8_t *level, int levels, int64_t n,
                       size_t each)
{
    for (int64_t x = 0; x < n; x++) {
        const int64_t first = first_of(x, levels - level[x]);
        memmove(row + (size_t)x * each, from + (size_t)first * each, each);
    }
}

void flt_apr_given_values(const int64_t extent[FLT_APR_AXES], void *pixel, size_t each,
                          const uint8_t *level, void *room, size_t bytes, int threads)
{
    const struct grid pixels = {{extent[0], extent[1], extent[2]}};
    struct grid all[FLT_APR_LEVELS + 1];
    const int levels = grids_of(&pixels, all);
    const int64_t n = pixels.extent[AXIS_X], rows = pixels.extent[AXIS_Y];
    (void)room;
    (void)bytes;
    (void)threads;
    /* In order: what a row takes from is its own, or before it and done. */
    for (int64_t r = 0; r < (int64_t)grid_rows(&pixels); r++) {
        const int64_t z = r / rows, y = r % rows;
        const uint8_t *own = level + r * n;
        char *row = (char *)pixel + (size_t)(r * n) * each;
        for (int64_t x = 0, end; x < n; x = end) {
            const int shift = levels - own[x];
            end = x + 1;
            while (end < n && own[end] == own[x])
                end++;
            const char *from = (const char *)pixel +
                               grid_row(&pixels, first_of(z, shift), first_of(y, shift)) * each;
            if (shift > 0)
                take_first(row + (size_t)x * each, from + (size_t)x * each, own + x, levels,
                           end - x, each);
        }
    }
}
