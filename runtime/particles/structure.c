/* Rows of runs: those of particles from what cells are, those of nodes from the particles below. */
#include "particles/internal.h"

/* Runs and cells of a row; written where run is given. */
static uint64_t take_runs(const uint8_t *mark, int64_t n, struct flt_apr_run *run, uint64_t *cells)
{
    uint64_t runs = 0;
    for (int64_t x = 0; x < n;) {
        const int64_t first = x;
        while (x < n && mark[x])
            x++;
        if (x > first) {
            if (run)
                run[runs] = (struct flt_apr_run){(uint32_t)first, (uint32_t)(x - first), *cells};
            runs++;
            *cells += (uint64_t)(x - first);
        }
        while (x < n && !mark[x])
            x++;
    }
    return runs;
}

/* One level: counts[r], the runs of each row, or the runs themselves. */
struct filling {
    const struct grid *grid;
    int level;
    row_marks *marks;
    const void *context;
    uint8_t *room; /* of each thread a row */
    int threads;
};

static void count_rows(const struct filling *f, uint64_t *runs, uint64_t *cells)
{
    const int64_t rows = (int64_t)grid_rows(f->grid), n = f->grid->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int t = 0; t < f->threads; t++)
        for (int64_t r = rows * t / f->threads; r < rows * (t + 1) / f->threads; r++) {
            uint8_t *mark = f->room + n * t;
            cells[r] = 0;
            f->marks(f->context, f->level, r / f->grid->extent[AXIS_Y], r % f->grid->extent[AXIS_Y],
                     mark);
            runs[r] = take_runs(mark, n, NULL, &cells[r]);
        }
}

/* at: by row the place of its first cell. */
static void fill_rows(const struct filling *f, const uint64_t *first, const uint64_t *at,
                      struct flt_apr_run *run)
{
    const int64_t rows = (int64_t)grid_rows(f->grid), n = f->grid->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int t = 0; t < f->threads; t++)
        for (int64_t r = rows * t / f->threads; r < rows * (t + 1) / f->threads; r++) {
            uint64_t cells = at[r];
            if (first[r] == first[r + 1])
                continue;
            f->marks(f->context, f->level, r / f->grid->extent[AXIS_Y], r % f->grid->extent[AXIS_Y],
                     f->room + n * t);
            take_runs(f->room + n * t, n, run + first[r], &cells);
        }
}

/* From counts to the places of the first ones, from *sum on; count + 1 of them. */
static void add_up(uint64_t *value, uint64_t count, uint64_t *sum)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t own = value[i];
        value[i] = *sum;
        *sum += own;
    }
}

/* All levels from least to greatest. kept: where rows and runs stay. */
static bool cells_create(struct pool *kept, struct pool *pool, const struct grid level[],
                         row_marks *marks, const void *context, int threads,
                         struct flt_apr_cells *out)
{
    uint64_t runs = 0, cells = 0;
    uint64_t *row[FLT_APR_LEVELS + 1] = {NULL}, *at[FLT_APR_LEVELS + 1] = {NULL};
    struct flt_apr_run *run = NULL;
    uint8_t *room =
        POOL_ARRAY(pool, uint8_t, (uint64_t)(level[out->greatest].extent[AXIS_X] * threads));
    for (int l = out->least; l <= out->greatest && room; l++) {
        const struct filling f = {&level[l], l, marks, context, room, threads};
        const uint64_t rows = grid_rows(&level[l]);
        row[l] = POOL_ARRAY(kept, uint64_t, rows + 1);
        at[l] = POOL_ARRAY(pool, uint64_t, rows + 1);
        if (!row[l] || !at[l])
            return false;
        count_rows(&f, row[l], at[l]);
        add_up(row[l], rows, &runs);
        add_up(at[l], rows, &cells);
        row[l][rows] = runs;
        out->row[l] = row[l];
    }
    run = POOL_ARRAY(kept, struct flt_apr_run, runs + 1);
    if (!room || !run)
        return false;
    for (int l = out->least; l <= out->greatest; l++) {
        const struct filling f = {&level[l], l, marks, context, room, threads};
        fill_rows(&f, row[l], at[l], run);
    }
    run[runs] = (struct flt_apr_run){.at = cells}; /* behind the last one */
    out->run = run;
    out->count = cells;
    return true;
}

/* ---- Nodes ---- */

struct of_particles {
    const struct grid *level;
    const struct flt_apr_cells *particles;
    uint8_t **node; /* by level */
};

static void mark_run(const struct flt_apr_run *run, uint8_t *mark)
{
    memset(mark + run->first / 2, 1, (run->first + run->count - 1) / 2 - run->first / 2 + 1);
}

/* Those of level l - 1 above what is at level l. */
static void mark_nodes_above(const struct of_particles *p, int l, bool has_nodes, int threads)
{
    const struct grid *g = &p->level[l], *above = &p->level[l - 1];
    const int64_t rows = above->extent[AXIS_Y];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(above); r++) {
        uint8_t *mark = p->node[l - 1] + r * above->extent[AXIS_X];
        memset(mark, 0, (size_t)above->extent[AXIS_X]);
        for (int part = 0; part < 4; part++) {
            const int64_t z = 2 * (r / rows) + part / 2, y = 2 * (r % rows) + part % 2;
            if (z >= g->extent[AXIS_Z] || y >= g->extent[AXIS_Y])
                continue;
            const uint64_t *row = p->particles->row[l] + z * g->extent[AXIS_Y] + y;
            for (uint64_t i = row[0]; i < row[1]; i++)
                mark_run(&p->particles->run[i], mark);
            const uint8_t *node = p->node[l];
            for (int64_t x = 0; has_nodes && x < g->extent[AXIS_X]; x++)
                mark[x / 2] |= node[(size_t)grid_row(g, z, y) + (size_t)x];
        }
    }
}

static void copy_marks(const void *context, int l, int64_t z, int64_t y, uint8_t *mark)
{
    const struct of_particles *p = context;
    memcpy(mark, p->node[l] + grid_row(&p->level[l], z, y), (size_t)p->level[l].extent[AXIS_X]);
}

bool particles_of_marks(struct flt_apr *apr, struct pool *pool, const struct grid level[],
                        row_marks *marks, const void *context, int threads)
{
    struct pool kept = {.allocator = apr->allocator, .blocks = apr->blocks};
    uint8_t *node[FLT_APR_LEVELS + 1] = {NULL};
    const struct of_particles particles = {level, &apr->particles, node};
    apr->particles = (struct flt_apr_cells){.least = 1, .greatest = apr->levels};
    apr->nodes = (struct flt_apr_cells){.least = 0, .greatest = apr->levels - 1};
    bool good = cells_create(&kept, pool, level, marks, context, threads, &apr->particles);
    for (int l = apr->levels; l > 0 && good; l--) {
        node[l - 1] = POOL_ARRAY(pool, uint8_t, grid_cells(&level[l - 1]));
        good = node[l - 1] != NULL;
        if (good)
            mark_nodes_above(&particles, l, l < apr->levels, threads);
    }
    good = good && cells_create(&kept, pool, level, copy_marks, &particles, threads, &apr->nodes);
    good = good && tiles_of_particles(apr, &kept, pool, threads);
    apr->blocks = kept.blocks;
    return good;
}

bool particles_of_cells(struct flt_apr *apr, struct pool *pool, const struct grid level[],
                        const struct cell_kinds *kinds, int threads)
{
    return particles_of_marks(apr, pool, level, mark_particles, kinds, threads);
}
