/* Values of nodes from those of the cells below, level by level. */
#include "particles/internal.h"

enum { CHUNK = 128 }; /* nodes together */

/* The four rows below one of nodes: particles and nodes there; ends stand for what is missing. */
struct rows_below {
    const struct flt_apr *apr;
    const float *value, *node;
    int level;         /* of the rows below */
    uint64_t first[4]; /* rows */
    uint64_t at[2][4]; /* the next runs of particles, and of nodes */
};

static struct rows_below rows_below_of(const struct flt_apr *apr, const float *value,
                                       const float *node, int level, int64_t r)
{
    const struct grid g = apr_grid(apr, level), below = apr_grid(apr, level + 1);
    struct rows_below b = {.apr = apr, .value = value, .node = node, .level = level + 1};
    const int64_t z = 2 * (r / g.extent[AXIS_Y]), y = 2 * (r % g.extent[AXIS_Y]);
    for (int part = 0; part < 4; part++) {
        const int64_t k = least_of(z + part / 2, below.extent[AXIS_Z] - 1),
                      j = least_of(y + part % 2, below.extent[AXIS_Y] - 1);
        b.first[part] = (uint64_t)(k * below.extent[AXIS_Y] + j);
        b.at[0][part] = apr->particles.row[level + 1][b.first[part]];
        b.at[1][part] = level + 1 < apr->levels ? apr->nodes.row[level + 1][b.first[part]] : 0;
    }
    return b;
}

/* Cells from x to end of one row, as far as they are in these runs; *at: moves on. */
static void take_cells(const struct flt_apr_cells *cells, const float *value, uint64_t *at,
                       uint64_t last, int64_t x, int64_t end, float *out)
{
    while (*at < last && cells->run[*at].first + (int64_t)cells->run[*at].count <= x)
        (*at)++;
    for (uint64_t i = *at; i < last && cells->run[i].first < end; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        const int64_t from = greatest_of(run->first, x),
                      to = least_of((int64_t)run->first + run->count, end);
        const float *own = value + run->at + (from - run->first);
        for (int64_t k = 0; k < to - from; k++)
            out[from - x + k] = own[k];
    }
}

/* The least or the greatest. */
static inline float reduce(enum flt_apr_node kind, const float v[8])
{
    float r = v[0];
    for (int k = 1; k < 8; k++)
        r = kind == FLT_APR_LEAST ? (v[k] < r ? v[k] : r) : (v[k] > r ? v[k] : r);
    return r;
}

/* `count` nodes of pairs of samples of four rows; the first `whole` of them have all pairs. */
static inline void reduce_rows(enum flt_apr_node kind, const float *const row[4], int64_t whole,
                               int64_t count, float *out)
{
    const float *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    for (int64_t x = 0; x < whole; x++) {
        const int64_t i = 2 * x, k = i + 1;
        const float v[8] = {a[i], a[k], b[i], b[k], c[i], c[k], d[i], d[k]};
        out[x] = reduce(kind, v);
    }
    if (whole < count) {
        const int64_t i = 2 * whole;
        const float v[8] = {a[i], a[i], b[i], b[i], c[i], c[i], d[i], d[i]};
        out[whole] = reduce(kind, v);
    }
}

static void reduce_kind(enum flt_apr_node kind, const float *const row[4], int64_t whole,
                        int64_t count, float *out)
{
    if (kind == FLT_APR_MEAN)
        halve_rows(row, whole, count, out);
    else if (kind == FLT_APR_LEAST)
        reduce_rows(FLT_APR_LEAST, row, whole, count, out);
    else
        reduce_rows(FLT_APR_GREATEST, row, whole, count, out);
}

/* Nodes of the runs from *run on that are between x and x + CHUNK, by way of rows of all that is
 * below. *run: the first one that is not done. */
static void reduce_chunk(struct rows_below *b, enum flt_apr_node kind, int64_t x,
                         const struct flt_apr_run **run, const struct flt_apr_run *end, float *out)
{
    float room[4][2 * CHUNK];
    const struct flt_apr_cells *all[] = {&b->apr->particles, &b->apr->nodes};
    const int64_t n = b->apr->extent[b->level][AXIS_X], last = least_of(2 * (x + CHUNK), n);
    for (int part = 0; part < 4; part++)
        for (int k = 0; k < (b->level < b->apr->levels ? 2 : 1); k++)
            take_cells(all[k], k ? b->node : b->value, &b->at[k][part],
                       all[k]->row[b->level][b->first[part] + 1], 2 * x, last, room[part]);
    for (; *run < end && (*run)->first < x + CHUNK; (*run)++) {
        const int64_t first = greatest_of((*run)->first, x),
                      stop = least_of((int64_t)(*run)->first + (*run)->count, x + CHUNK);
        const float *const row[] = {room[0] + 2 * (first - x), room[1] + 2 * (first - x),
                                    room[2] + 2 * (first - x), room[3] + 2 * (first - x)};
        reduce_kind(kind, row, (least_of(2 * stop, n) - 2 * first) / 2, stop - first,
                    out + (*run)->at + (first - (*run)->first));
        if (stop < (int64_t)(*run)->first + (*run)->count)
            return;
    }
}

/* Below the level before the finest, particles alone, of the same runs. */
static void reduce_finest(const struct rows_below *b, enum flt_apr_node kind,
                          const struct flt_apr_run *run, uint64_t which, float *out)
{
    const struct flt_apr_cells *p = &b->apr->particles;
    const float *row[4];
    for (int part = 0; part < 4; part++)
        row[part] = b->value + p->run[b->at[0][part] + which].at;
    reduce_kind(kind, row, p->run[b->at[0][0] + which].count / 2, run->count, out + run->at);
}

static void reduce_row(const struct flt_apr *apr, const float *value, enum flt_apr_node kind, int l,
                       int64_t r, float *node)
{
    const uint64_t first = apr->nodes.row[l][r], end = apr->nodes.row[l][r + 1];
    if (first == end)
        return;
    struct rows_below b = rows_below_of(apr, value, node, l, r);
    if (l + 1 == apr->levels) {
        for (uint64_t i = first; i < end; i++)
            reduce_finest(&b, kind, &apr->nodes.run[i], i - first, node);
        return;
    }
    const struct flt_apr_run *run = apr->nodes.run + first, *last = apr->nodes.run + end;
    for (int64_t x = run->first; run < last; x = greatest_of(x + CHUNK, run->first)) {
        reduce_chunk(&b, kind, x, &run, last, node);
        if (run == last)
            break;
    }
}

void flt_apr_cell_nodes(const struct flt_apr *apr, const float *value, enum flt_apr_node kind,
                        float *node, int threads)
{
    const int many = apr_threads(threads);
    for (int l = apr->levels - 1; l >= 0; l--) {
        const int64_t rows = (int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y];
#pragma omp parallel for schedule(dynamic, 64) num_threads(many) if (rows > 256)
        for (int64_t r = 0; r < rows; r++)
            reduce_row(apr, value, kind, l, r, node);
    }
}

enum flt_status flt_apr_node_means(const struct flt_apr *apr, const float *value, float *node,
                                   int threads)
{
    flt_apr_cell_nodes(apr, value, FLT_APR_MEAN, node, threads);
    return FLT_OK;
}
