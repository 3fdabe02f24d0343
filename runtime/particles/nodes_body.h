/* Nodes of a row. Included once for each kind of processor: NAME, TARGET. */
#include "particles/copy_body.h"
#include "particles/halve_body.h"

/* Cells from x to end of one row, as far as they are in these runs; *at: moves on. */
TARGET static void NAME(take_cells)(const struct flt_apr_cells *cells, const float *value,
                                    uint64_t *at, uint64_t last, int64_t x, int64_t end, float *out)
{
    while (*at < last && cells->run[*at].first + (int64_t)cells->run[*at].count <= x)
        (*at)++;
    for (uint64_t i = *at; i < last && cells->run[i].first < end; i++) {
        const struct flt_apr_run *run = &cells->run[i];
        const int64_t from = greatest_of(run->first, x),
                      to = least_of((int64_t)run->first + run->count, end);
        NAME(copy_run)(out + (from - x), value + run->at + (from - run->first), to - from);
    }
}

/* The least or the greatest. */
TARGET static inline float NAME(reduce)(enum flt_apr_node kind, const float v[8])
{
    float r = v[0];
    for (int k = 1; k < 8; k++)
        r = kind == FLT_APR_LEAST ? (v[k] < r ? v[k] : r) : (v[k] > r ? v[k] : r);
    return r;
}

/* `count` nodes of pairs of samples of four rows; the first `whole` of them have all pairs. */
TARGET static inline void NAME(reduce_rows)(enum flt_apr_node kind, const float *const row[4],
                                            int64_t whole, int64_t count, float *out)
{
    const float *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    for (int64_t x = 0; x < whole; x++) {
        const int64_t i = 2 * x, k = i + 1;
        const float v[8] = {a[i], a[k], b[i], b[k], c[i], c[k], d[i], d[k]};
        out[x] = NAME(reduce)(kind, v);
    }
    if (whole < count) {
        const int64_t i = 2 * whole;
        const float v[8] = {a[i], a[i], b[i], b[i], c[i], c[i], d[i], d[i]};
        out[whole] = NAME(reduce)(kind, v);
    }
}

TARGET static void NAME(reduce_kind)(enum flt_apr_node kind, const float *const row[4],
                                     int64_t whole, int64_t count, float *out)
{
    if (kind == FLT_APR_MEAN)
        NAME(halve_rows)(row, whole, count, out);
    else if (kind == FLT_APR_LEAST)
        NAME(reduce_rows)(FLT_APR_LEAST, row, whole, count, out);
    else
        NAME(reduce_rows)(FLT_APR_GREATEST, row, whole, count, out);
}

/* Nodes of the runs from *run on that are between x and x + CHUNK, by way of rows of all that is
 * below. *run: the first one that is not done. */
TARGET static void NAME(reduce_chunk)(struct rows_below *b, enum flt_apr_node kind, int64_t x,
                                      const struct flt_apr_run **run, const struct flt_apr_run *end,
                                      float *out)
{
    float room[4][2 * CHUNK];
    const struct flt_apr_cells *all[] = {&b->apr->particles, &b->apr->nodes};
    const int64_t n = b->apr->extent[b->level][AXIS_X], last = least_of(2 * (x + CHUNK), n);
    for (int part = 0; part < 4; part++)
        for (int k = 0; k < (b->level < b->apr->levels ? 2 : 1); k++)
            NAME(take_cells)
    (all[k], k ? b->node : b->value, &b->at[k][part], all[k]->row[b->level][b->first[part] + 1],
     2 * x, last, room[part]);
    for (; *run < end && (*run)->first < x + CHUNK; (*run)++) {
        const int64_t first = greatest_of((*run)->first, x),
                      stop = least_of((int64_t)(*run)->first + (*run)->count, x + CHUNK);
        const float *const row[] = {room[0] + 2 * (first - x), room[1] + 2 * (first - x),
                                    room[2] + 2 * (first - x), room[3] + 2 * (first - x)};
        NAME(reduce_kind)
        (kind, row, (least_of(2 * stop, n) - 2 * first) / 2, stop - first,
         out + (*run)->at + (first - (*run)->first));
        if (stop < (int64_t)(*run)->first + (*run)->count)
            return;
    }
}

/* Below the level before the finest, particles alone, of the same runs. */
TARGET static void NAME(reduce_finest)(const struct rows_below *b, enum flt_apr_node kind,
                                       const struct flt_apr_run *run, uint64_t which, float *out)
{
    const struct flt_apr_cells *p = &b->apr->particles;
    const float *row[4];
    for (int part = 0; part < 4; part++)
        row[part] = b->value + p->run[b->at[0][part] + which].at;
    NAME(reduce_kind)(kind, row, p->run[b->at[0][0] + which].count / 2, run->count, out + run->at);
}

TARGET static void NAME(reduce_row)(const struct flt_apr *apr, const float *value,
                                    enum flt_apr_node kind, int l, int64_t r, float *node)
{
    const uint64_t first = apr->nodes.row[l][r], end = apr->nodes.row[l][r + 1];
    if (first == end)
        return;
    struct rows_below b = rows_below_of(apr, value, node, l, r);
    if (l + 1 == apr->levels) {
        for (uint64_t i = first; i < end; i++)
            NAME(reduce_finest)(&b, kind, &apr->nodes.run[i], i - first, node);
        return;
    }
    const struct flt_apr_run *run = apr->nodes.run + first, *last = apr->nodes.run + end;
    for (int64_t x = run->first; run < last; x = greatest_of(x + CHUNK, run->first)) {
        NAME(reduce_chunk)(&b, kind, x, &run, last, node);
        if (run == last)
            break;
    }
}
