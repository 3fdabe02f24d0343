/* Particles that somebody else has made: levels of pixels, checked before they are used, and values
 * of pixels. */
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

static bool is_all(const uint8_t *row, int64_t count, int level)
{
    unsigned other = 0;
    for (int64_t i = 0; i < count; i++)
        other |= (unsigned)(row[i] ^ level);
    return other == 0;
}

/* Whether pixels from x to end of a row, all of one level, are those of whole cells along x, of
 * which all rows have this level: the row where cells begin looks at all of theirs, others at that
 * one. */
static bool are_cells(const struct given *g, int64_t z, int64_t y, int64_t x, int64_t end)
{
    const int64_t *n = g->pixels.extent;
    const int own = g->level[grid_row(&g->pixels, z, y) + (size_t)x];
    const int shift = g->levels - own;
    if (own < 1 || shift < 0 || first_of(x, shift) != x ||
        (first_of(end, shift) != end && end != n[AXIS_X]))
        return false;
    const int64_t from_z = first_of(z, shift), from_y = first_of(y, shift);
    if (from_z != z || from_y != y)
        return is_all(g->level + grid_row(&g->pixels, from_z, from_y) + x, end - x, own);
    const int64_t side = (int64_t)1 << shift;
    for (int64_t k = z; k < least_of(z + side, n[AXIS_Z]); k++)
        for (int64_t j = y; j < least_of(y + side, n[AXIS_Y]); j++)
            if (!is_all(g->level + grid_row(&g->pixels, k, j) + x, end - x, own))
                return false;
    return true;
}

static bool has_cells(const struct given *g, int64_t z, int64_t y)
{
    const uint8_t *row = g->level + grid_row(&g->pixels, z, y);
    const int64_t n = g->pixels.extent[AXIS_X];
    for (int64_t x = 0, end; x < n; x = end) {
        end = x + 1;
        while (end < n && row[end] == row[x])
            end++;
        if (!are_cells(g, z, y, x, end))
            return false;
    }
    return true;
}

/* Whether levels that are side by side differ by one at most. */
static bool are_close(const uint8_t *a, const uint8_t *b, int64_t count)
{
    unsigned far = 0;
    for (int64_t i = 0; i < count; i++)
        far |= (uint8_t)(a[i] - b[i] + 1) > 2;
    return far == 0;
}

/* The same of a row and those around it that come before it, and along it. */
static bool is_balanced(const struct given *g, int64_t z, int64_t y)
{
    static const int before[5][2] = {{0, 0}, {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}};
    const int64_t *n = g->pixels.extent, all = n[AXIS_X];
    const uint8_t *row = g->level + grid_row(&g->pixels, z, y);
    for (int i = 0; i < 5; i++) {
        const int64_t k = z + before[i][0], j = y + before[i][1];
        if (k < 0 || j < 0 || j >= n[AXIS_Y])
            continue;
        const uint8_t *other = g->level + grid_row(&g->pixels, k, j);
        if (!are_close(row, other, all) || !are_close(row + 1, other, all - 1) ||
            !are_close(row, other + 1, all - 1))
            return false;
    }
    return true;
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
        wrong |= wrong || !has_cells(&g, z, y) || !is_balanced(&g, z, y);
    }
    return !wrong;
}

/* The particles of a row are where the levels of pixels, at which cells begin, say so; the finest
 * ones come eight at a time. */
static void mark_given(const void *context, int l, int64_t z, int64_t y, uint8_t *mark)
{
    const struct given *g = context;
    const int shift = l == g->levels ? 1 : g->levels - l;
    const uint8_t *row = g->level + grid_row(&g->pixels, z << shift, y << shift);
    const int64_t n = ((g->pixels.extent[AXIS_X] - 1) >> shift) + 1;
    for (int64_t x = 0; x < n; x++)
        mark[x] = row[x << shift] == l;
}

void flt_apr_place_given(const int64_t extent[FLT_APR_AXES], uint8_t *level, struct flt_apr *apr,
                         size_t apr_bytes, void *room, size_t bytes, int threads)
{
    struct room given = {room, (char *)room + bytes}, of_apr;
    struct pool pool = pool_in_room(&given);
    struct grid grid[FLT_APR_LEVELS + 1];
    const int many = room_threads(threads);
    if (!structure_in_room(apr, apr_bytes, extent, grid, &of_apr))
        return;
    if (!given_levels_are_right(&grid[apr->levels], level, many))
        memset(level, apr->levels, grid_cells(&grid[apr->levels]));
    const struct given g = {grid[apr->levels], level, apr->levels};
    apr->allocator = pool_in_room(&of_apr).allocator;
    if (!particles_of_marks(apr, &pool, grid, mark_given, &g, many))
        structure_empty(apr);
    apr->allocator = (struct flt_allocator){0};
    apr->blocks = NULL;
}

/* ---- Particles ---- */

void flt_apr_cell_count(const struct flt_apr *apr, int64_t count[1])
{
    count[0] = (int64_t)apr->particles.count;
}

void flt_apr_cell_gather(const struct flt_apr *apr, const void *pixel, size_t each, void *value,
                         int threads)
{
    const struct grid pixels = apr_grid(apr, apr->levels);
    const int many = apr_threads(threads);
    for (int l = apr->particles.least; l <= apr->levels; l++) {
        const int shift = apr->levels - l;
        const int64_t rows = apr->extent[l][AXIS_Y], all = apr->extent[l][AXIS_Z] * rows;
        const uint64_t *row = apr->particles.row[l];
#pragma omp parallel for schedule(static) num_threads(many)
        for (int64_t r = 0; r < all; r++)
            for (uint64_t i = row[r]; i < row[r + 1]; i++) {
                const struct flt_apr_run *run = &apr->particles.run[i];
                const char *from =
                    (const char *)pixel + (grid_row(&pixels, r / rows << shift, r % rows << shift) +
                                           ((size_t)run->first << shift)) *
                                              each;
                char *to = (char *)value + run->at * each;
                for (uint32_t k = 0; k < run->count; k++)
                    memcpy(to + k * each, from + ((size_t)k << shift) * each, each);
            }
    }
}
