/* Values of particles: from pixels and to them, and those of nodes. */
#include "particles/internal.h"

void halve(const struct grid *g, const struct grid *half, const float *from, float *to, int threads)
{
    const int64_t rows = half->extent[AXIS_Y], n = g->extent[AXIS_X];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(half); r++) {
        const int64_t z = 2 * (r / rows), y = 2 * (r % rows);
        const int64_t next_z = least_of(z + 1, g->extent[AXIS_Z] - 1),
                      next_y = least_of(y + 1, g->extent[AXIS_Y] - 1);
        const float *a = from + grid_row(g, z, y), *b = from + grid_row(g, z, next_y),
                    *c = from + grid_row(g, next_z, y), *d = from + grid_row(g, next_z, next_y);
        float *out = to + r * half->extent[AXIS_X];
        for (int64_t x = 0; x < half->extent[AXIS_X]; x++) {
            const int64_t i = 2 * x, k = least_of(i + 1, n - 1);
            out[x] = 0.125f * (a[i] + a[k] + b[i] + b[k] + c[i] + c[k] + d[i] + d[k]);
        }
    }
}

static void take_level(const struct flt_apr *apr, int level, const float *sample, float *value,
                       int threads)
{
    const struct grid g = apr_grid(apr, level);
    const uint64_t *row = apr->particles.row[level];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)grid_rows(&g); r++)
        for (uint64_t i = row[r]; i < row[r + 1]; i++) {
            const struct flt_apr_run *run = &apr->particles.run[i];
            memcpy(value + run->at, sample + r * g.extent[AXIS_X] + run->first,
                   run->count * sizeof *value);
        }
}

enum flt_status flt_apr_sample(const struct flt_apr *apr, const float *pixel, float *value,
                               int threads)
{
    struct pool pool = pool_open(&apr->allocator);
    const int many = apr_threads(threads);
    const float *at = pixel;
    for (int l = apr->levels; l >= apr->particles.least; l--) {
        const struct grid g = apr_grid(apr, l), half = grid_half(&g);
        float *next = NULL;
        take_level(apr, l, at, value, many);
        if (l == apr->particles.least)
            break;
        next = POOL_ARRAY(&pool, float, grid_cells(&half));
        if (!next) {
            pool_release(&pool, NULL);
            return FLT_NO_MEMORY;
        }
        halve(&g, &half, at, next, many);
        at = next;
    }
    pool_release(&pool, NULL);
    return FLT_OK;
}

/* ---- Pixels ---- */

/* The runs of one row of cells, `by` samples of `row` wide each. */
static void put_runs(const struct flt_apr_cells *cells, int level, int64_t r, const float *value,
                     int shift, int64_t n, float *row)
{
    for (uint64_t i = cells->row[level][r]; i < cells->row[level][r + 1]; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        const float *from = value + run->at;
        if (shift == 0) {
            memcpy(row + run->first, from, run->count * sizeof *row);
            continue;
        }
        for (uint32_t k = 0; k < run->count; k++) {
            const int64_t first = (int64_t)(run->first + k) << shift;
            const int64_t end = least_of(first + ((int64_t)1 << shift), n);
            for (int64_t x = first; x < end; x++)
                row[x] = from[k];
        }
    }
}

void flt_apr_to_pixels(const struct flt_apr *apr, const float *value, const float *node,
                       int coarser, float *pixel, int threads)
{
    const int top = apr->levels - coarser;
    const struct grid g = apr_grid(apr, top);
    const int many = apr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(many)
    for (int64_t r = 0; r < (int64_t)grid_rows(&g); r++) {
        const int64_t z = r / g.extent[AXIS_Y], y = r % g.extent[AXIS_Y], n = g.extent[AXIS_X];
        float *row = pixel + r * n;
        for (int l = apr->particles.least; l <= top; l++) {
            const int shift = top - l;
            put_runs(&apr->particles, l, (z >> shift) * apr->extent[l][AXIS_Y] + (y >> shift),
                     value, shift, n, row);
        }
        if (coarser > 0)
            put_runs(&apr->nodes, top, r, node, 0, n, row);
    }
}

/* ---- Nodes ---- */

/* Adds the cells of one row of level l to the nodes of the row above, weighted; odd: the last one
 * counts twice. */
static void add_row(const struct flt_apr_cells *cells, int level, int64_t r, const float *value,
                    float weight, bool odd, int64_t last, float *sum)
{
    if (level < cells->least || level > cells->greatest)
        return;
    for (uint64_t i = cells->row[level][r]; i < cells->row[level][r + 1]; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        for (uint32_t k = 0; k < run->count; k++) {
            const int64_t x = (int64_t)run->first + k;
            sum[x / 2] += (odd && x == last ? 2 * weight : weight) * value[run->at + k];
        }
    }
}

/* The nodes of one row, by way of a dense row. */
static void fill_node_row(const struct flt_apr *apr, int level, int64_t r, const float *value,
                          float *node, float *room)
{
    const struct flt_apr_cells *nodes = &apr->nodes;
    const struct grid g = apr_grid(apr, level), below = apr_grid(apr, level + 1);
    const uint64_t *row = nodes->row[level] + r;
    const int64_t z = 2 * (r / g.extent[AXIS_Y]), y = 2 * (r % g.extent[AXIS_Y]);
    if (row[0] == row[1])
        return;
    memset(room, 0, (size_t)g.extent[AXIS_X] * sizeof *room);
    for (int part = 0; part < 4; part++) {
        const int64_t k = z + part / 2, j = y + part % 2, last = below.extent[AXIS_X] - 1;
        if (k >= below.extent[AXIS_Z] || j >= below.extent[AXIS_Y])
            continue;
        const float weight = 0.125f * (z + 1 >= below.extent[AXIS_Z] ? 2 : 1) *
                             (y + 1 >= below.extent[AXIS_Y] ? 2 : 1);
        const int64_t at = k * below.extent[AXIS_Y] + j;
        const bool odd = below.extent[AXIS_X] % 2 == 1;
        add_row(&apr->particles, level + 1, at, value, weight, odd, last, room);
        add_row(nodes, level + 1, at, node, weight, odd, last, room);
    }
    for (uint64_t i = row[0]; i < row[1]; i++)
        memcpy(node + nodes->run[i].at, room + nodes->run[i].first,
               nodes->run[i].count * sizeof *node);
}

enum flt_status flt_apr_node_means(const struct flt_apr *apr, const float *value, float *node,
                                   int threads)
{
    struct pool pool = pool_open(&apr->allocator);
    const int many = apr_threads(threads);
    const int64_t own = apr->extent[apr->levels][AXIS_X];
    float *room = POOL_ARRAY(&pool, float, (uint64_t)(own * many));
    for (int l = apr->nodes.greatest; l >= 0 && room; l--) {
        const struct grid g = apr_grid(apr, l);
        const int64_t rows = (int64_t)grid_rows(&g);
#pragma omp parallel for schedule(static) num_threads(many)
        for (int t = 0; t < many; t++)
            for (int64_t r = rows * t / many; r < rows * (t + 1) / many; r++)
                fill_node_row(apr, l, r, value, node, room + own * t);
    }
    pool_release(&pool, NULL);
    return room ? FLT_OK : FLT_NO_MEMORY;
}
