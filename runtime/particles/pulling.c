/* From the level that each place needs to cells that tile the image, where neighbours differ by at
 * most one level: the pulling scheme, from fine levels to coarse ones. Each rule looks at the cells
 * around, so that the order within a level does not matter. */
#include "particles/internal.h"

/* Cells that have such a neighbour, at corners too, or are one: from marks, in place. */
static void spread(const struct grid *g, uint8_t *mark, uint8_t *room, int threads)
{
    const int64_t planes = g->extent[AXIS_Z], rows = g->extent[AXIS_Y], n = g->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < planes * rows; r++) {
        const uint8_t *from = mark + r * n;
        uint8_t *to = room + r * n;
        to[0] = from[0] | (n > 1 ? from[1] : 0);
        for (int64_t x = 1; x < n - 1; x++)
            to[x] = from[x - 1] | from[x] | from[x + 1];
        if (n > 1)
            to[n - 1] = from[n - 2] | from[n - 1];
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < planes * rows; r++) {
        const int64_t z = r / rows, y = r % rows;
        uint8_t *to = mark + r * n;
        memset(to, 0, (size_t)n);
        for (int64_t k = greatest_of(z - 1, 0); k <= least_of(z + 1, planes - 1); k++)
            for (int64_t j = greatest_of(y - 1, 0); j <= least_of(y + 1, rows - 1); j++) {
                const uint8_t *from = room + grid_row(g, k, j);
                for (int64_t x = 0; x < n; x++)
                    to[x] |= from[x];
            }
    }
}

/* marks: cells of one of the kinds, a bit set; then those around them. */
static void mark_around(const struct grid *g, const uint8_t *cell, unsigned kinds, uint8_t *mark,
                        uint8_t *room, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < (int64_t)grid_cells(g); i++)
        mark[i] = kinds >> cell[i] & 1;
    spread(g, mark, room, threads);
}

/* What is marked becomes another kind, by what it is; by[]: of EMPTY and SEED. */
static void turn_marked(const struct grid *g, const uint8_t *mark, uint8_t of_empty,
                        uint8_t of_seed, uint8_t *cell, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < (int64_t)grid_cells(g); i++)
        if (mark[i])
            cell[i] = cell[i] == EMPTY ? of_empty : cell[i] == SEED ? of_seed : cell[i];
}

/* Empty cells below those of the kinds are fillers. */
static void fill_below(const struct grid *above, const struct grid *g, const uint8_t *of_above,
                       unsigned kinds, uint8_t *cell, int threads)
{
    const int64_t n = g->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(g); r++) {
        const uint8_t *from =
            of_above + grid_row(above, r / g->extent[AXIS_Y] / 2, r % g->extent[AXIS_Y] / 2);
        uint8_t *to = cell + r * n;
        for (int64_t x = 0; x < n; x++)
            if (to[x] == EMPTY && kinds >> from[x / 2] & 1)
                to[x] = FILLER;
    }
}

/* Cells above those of the kinds have smaller ones; seeds stay. */
static void mark_above(const struct grid *above, const struct grid *g, const uint8_t *cell,
                       unsigned kinds, uint8_t *of_above, int threads)
{
    const int64_t rows = above->extent[AXIS_Y], n = above->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(above); r++)
        for (int part = 0; part < 4; part++) {
            const int64_t z = least_of(2 * (r / rows) + part / 2, g->extent[AXIS_Z] - 1),
                          y = least_of(2 * (r % rows) + part % 2, g->extent[AXIS_Y] - 1);
            const uint8_t *from = cell + grid_row(g, z, y);
            uint8_t *to = of_above + r * n;
            for (int64_t x = 0; x < n; x++) {
                const int64_t next = least_of(2 * x + 1, g->extent[AXIS_X] - 1);
                if ((kinds >> from[2 * x] | kinds >> from[next]) & 1 && to[x] != SEED)
                    to[x] = ABOVE;
            }
        }
}

/* The greatest of each 2 x 2 x 2. */
static void pool_levels(const struct grid *g, const struct grid *half, const uint8_t *from,
                        uint8_t *to, int threads)
{
    const int64_t rows = half->extent[AXIS_Y], n = half->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(half); r++) {
        uint8_t *out = to + r * n;
        memset(out, 0, (size_t)n);
        for (int part = 0; part < 4; part++) {
            const int64_t z = least_of(2 * (r / rows) + part / 2, g->extent[AXIS_Z] - 1),
                          y = least_of(2 * (r % rows) + part % 2, g->extent[AXIS_Y] - 1);
            const uint8_t *in = from + grid_row(g, z, y);
            for (int64_t x = 0; x < n; x++) {
                const uint8_t a = in[2 * x], b = in[least_of(2 * x + 1, g->extent[AXIS_X] - 1)];
                const uint8_t most = a > b ? a : b;
                out[x] = out[x] > most ? out[x] : most;
            }
        }
    }
}

/* Seeds: at the finest of these levels where that one is needed or a finer one; at others where
 * their own is the greatest that is needed; at level 1 also where none is. */
static void place_seeds(const struct grid level[], int top, uint8_t *needed, uint8_t *room,
                        uint8_t *cell[], int threads)
{
    for (int l = top; l >= 1; l--) {
        const int64_t count = (int64_t)grid_cells(&level[l]);
        const int many = worthwhile_threads(threads, (uint64_t)count);
#pragma omp parallel for schedule(static) num_threads(many)
        for (int64_t i = 0; i < count; i++)
            cell[l][i] = l == top ? needed[i] >= l : needed[i] == l || (l == 1 && needed[i] == 0);
        if (l > 1) {
            pool_levels(&level[l], &level[l - 1], needed, room, many);
            memcpy(needed, room, grid_cells(&level[l - 1]));
        }
    }
}

bool pull_cells(struct pool *pool, const struct grid level[], int levels, uint8_t *needed,
                uint8_t *cell[], int threads)
{
    const int top = levels - 1;
    uint8_t *mark = NULL, *room = NULL;
    for (int l = 1; l <= top; l++)
        cell[l] = POOL_ARRAY(pool, uint8_t, grid_cells(&level[l]));
    mark = POOL_ARRAY(pool, uint8_t, grid_cells(&level[top]));
    room = POOL_ARRAY(pool, uint8_t, grid_cells(&level[top]));
    if (pool->failed)
        return false;
    place_seeds(level, top, needed, room, cell, threads);
    for (int l = top; l >= 1; l--) {
        const struct grid *g = &level[l];
        const int many = worthwhile_threads(threads, grid_cells(g));
        if (l < top) {
            mark_around(g, cell[l], 1u << ABOVE, mark, room, many);
            turn_marked(g, mark, ABOVE_BESIDE, SPREAD, cell[l], many);
            fill_below(g, &level[l + 1], cell[l], 1u << ABOVE_BESIDE | 1u << SPREAD, cell[l + 1],
                       threads);
        }
        mark_around(g, cell[l], 1u << SEED | 1u << SPREAD, mark, room, many);
        turn_marked(g, mark, BESIDE, SEED, cell[l], many);
        if (l > 1)
            mark_above(&level[l - 1], g, cell[l], 1u << SEED | 1u << SPREAD | 1u << ABOVE,
                       cell[l - 1], many);
    }
    return true;
}
