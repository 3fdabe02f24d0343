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

/* One level: the runs of each row are counted, or written. */
struct filling {
    const struct grid *grid;
    int level;
    row_marks *marks;
    const void *context;
    uint8_t *room; /* of each thread a row */
    int threads;
    bool by_pairs; /* marks are of the level above, and of pairs of rows */
};

/* The grid that marks are of. */
static struct grid grid_of_marks(const struct filling *f)
{
    return f->by_pairs ? grid_half(f->grid) : *f->grid;
}

/* Rows of the grid that row r of marks tells of. */
static int rows_of_marks(const struct filling *f, const struct grid *marks, int64_t r,
                         int64_t to[4])
{
    const int64_t z = r / marks->extent[AXIS_Y], y = r % marks->extent[AXIS_Y];
    int count = 0;
    if (!f->by_pairs) {
        to[0] = r;
        return 1;
    }
    for (int part = 0; part < 4; part++) {
        const int64_t k = 2 * z + part / 2, j = 2 * y + part % 2;
        if (k < f->grid->extent[AXIS_Z] && j < f->grid->extent[AXIS_Y])
            to[count++] = k * f->grid->extent[AXIS_Y] + j;
    }
    return count;
}

static void count_rows(const struct filling *f, uint64_t *runs, uint64_t *cells)
{
    const struct grid marks = grid_of_marks(f);
    const int64_t rows = (int64_t)grid_rows(&marks), n = marks.extent[AXIS_X];
    const bool cut = f->by_pairs && f->grid->extent[AXIS_X] % 2; /* the last pair */
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int t = 0; t < f->threads; t++)
        for (int64_t r = rows * t / f->threads; r < rows * (t + 1) / f->threads; r++) {
            uint8_t *mark = f->room + n * t;
            uint64_t own = 0;
            int64_t to[4];
            f->marks(f->context, f->level, r / marks.extent[AXIS_Y], r % marks.extent[AXIS_Y],
                     mark);
            const uint64_t count = take_runs(mark, n, NULL, &own);
            if (f->by_pairs)
                own = 2 * own - (cut && mark[n - 1]);
            for (int i = rows_of_marks(f, &marks, r, to); i-- > 0;) {
                runs[to[i]] = count;
                cells[to[i]] = own;
            }
        }
}

/* Runs of pairs of cells. */
static void double_runs(const struct flt_apr_run *from, uint64_t count, uint64_t cells, int64_t n,
                        struct flt_apr_run *to)
{
    for (uint64_t i = 0; i < count; i++) {
        const int64_t first = 2 * (int64_t)from[i].first,
                      end = least_of(first + 2 * (int64_t)from[i].count, n);
        to[i] = (struct flt_apr_run){(uint32_t)first, (uint32_t)(end - first), cells};
        cells += (uint64_t)(end - first);
    }
}

/* at: by row the place of its first cell. */
static void fill_rows(const struct filling *f, const uint64_t *first, const uint64_t *at,
                      struct flt_apr_run *run)
{
    const struct grid marks = grid_of_marks(f);
    const int64_t rows = (int64_t)grid_rows(&marks), n = marks.extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(f->threads)
    for (int t = 0; t < f->threads; t++)
        for (int64_t r = rows * t / f->threads; r < rows * (t + 1) / f->threads; r++) {
            int64_t to[4];
            const int count = rows_of_marks(f, &marks, r, to);
            uint64_t cells = at[to[0]];
            if (first[to[0]] == first[to[0] + 1])
                continue;
            f->marks(f->context, f->level, r / marks.extent[AXIS_Y], r % marks.extent[AXIS_Y],
                     f->room + n * t);
            struct flt_apr_run *own = run + first[to[0]];
            const uint64_t runs = take_runs(f->room + n * t, n, own, &cells);
            for (int i = count; f->by_pairs && i-- > 0;) /* the first row last: it is read */
                double_runs(own, runs, at[to[i]], f->grid->extent[AXIS_X], run + first[to[i]]);
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

/* All levels from least to greatest. has_pairs: the cells of the greatest are pairs. kept: where
 * rows and runs stay. */
static bool cells_create(struct pool *kept, struct pool *pool, const struct grid level[],
                         row_marks *marks, bool has_pairs, const void *context, int threads,
                         struct flt_apr_cells *out)
{
    uint64_t runs = 0, cells = 0;
    uint64_t *row[FLT_APR_LEVELS + 1] = {NULL}, *at[FLT_APR_LEVELS + 1] = {NULL};
    struct flt_apr_run *run = NULL;
    uint8_t *room =
        POOL_ARRAY(pool, uint8_t, (uint64_t)(level[out->greatest].extent[AXIS_X] * threads));
    for (int l = out->least; l <= out->greatest && room; l++) {
        const struct filling f = {&level[l],
                                  l,
                                  marks,
                                  context,
                                  room,
                                  worthwhile_threads(threads, grid_cells(&level[l])),
                                  has_pairs && l == out->greatest};
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
        const struct filling f = {&level[l],
                                  l,
                                  marks,
                                  context,
                                  room,
                                  worthwhile_threads(threads, grid_cells(&level[l])),
                                  has_pairs && l == out->greatest};
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
    const int many = worthwhile_threads(threads, grid_cells(above));
#pragma omp parallel for schedule(static) num_threads(many)
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
    bool good = cells_create(&kept, pool, level, marks, true, context, threads, &apr->particles);
    for (int l = apr->levels; l > 0 && good; l--) {
        node[l - 1] = POOL_ARRAY(pool, uint8_t, grid_cells(&level[l - 1]));
        good = node[l - 1] != NULL;
        if (good)
            mark_nodes_above(&particles, l, l < apr->levels, threads);
    }
    good = good &&
           cells_create(&kept, pool, level, copy_marks, false, &particles, threads, &apr->nodes);
    good = good && tiles_of_particles(apr, &kept, pool, threads);
    apr->blocks = kept.blocks;
    return good;
}

bool particles_of_cells(struct flt_apr *apr, struct pool *pool, const struct grid level[],
                        const struct cell_kinds *kinds, int threads)
{
    return particles_of_marks(apr, pool, level, mark_particles, kinds, threads);
}
