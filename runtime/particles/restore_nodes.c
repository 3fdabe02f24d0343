/* Nodes from particles, row by row: those of a level are the halves of what is at the next one,
 * particles and nodes, so that no array of cells is needed. Cells tile the image where the
 * children of every node are each a particle or a node, once. */
#include "particles/restore.h"

struct span {
    const struct flt_apr_run *at, *end;
};

static struct span row_of(const struct flt_apr_cells *cells, int l, int64_t r)
{
    if (l < cells->least || l > cells->greatest)
        return (struct span){NULL, NULL};
    return (struct span){cells->run + cells->row[l][r], cells->run + cells->row[l][r + 1]};
}

/* Nodes of one level, before all levels are one array: rows and places count from 0. */
struct node_level {
    uint64_t *row;
    struct flt_apr_run *run;
    uint64_t runs, cells;
};

static struct span own_row(const struct node_level *nodes, int64_t r)
{
    if (!nodes->row)
        return (struct span){NULL, NULL};
    return (struct span){nodes->run + nodes->row[r], nodes->run + nodes->row[r + 1]};
}

/* ---- Nodes of a level ---- */

enum { SOURCES = 8 };

/* What lies below row r of level l: rows of particles and of nodes. */
static int rows_below(const struct flt_apr *apr, const struct node_level node[], int l, int64_t r,
                      struct span source[SOURCES])
{
    const int32_t *own = apr->extent[l], *below = apr->extent[l + 1];
    int many = 0;
    for (int part = 0; part < 4; part++) {
        const int64_t z = 2 * (r / own[AXIS_Y]) + part / 2, y = 2 * (r % own[AXIS_Y]) + part % 2;
        if (z >= below[AXIS_Z] || y >= below[AXIS_Y])
            continue;
        source[many++] = row_of(&apr->particles, l + 1, z * below[AXIS_Y] + y);
        source[many++] = own_row(&node[l + 1], z * below[AXIS_Y] + y);
    }
    return many;
}

/* Of the sources the run that begins first, taken off; NULL: all are empty. */
static const struct flt_apr_run *take_first(struct span source[], int many)
{
    struct span *first = NULL;
    for (int i = 0; i < many; i++)
        if (source[i].at != source[i].end && (!first || source[i].at->first < first->at->first))
            first = &source[i];
    return first ? first->at++ : NULL;
}

/* The union of the halves of all runs. Returns how many runs it has; written where run is given. */
static uint64_t halve_runs(struct span source[], int many, struct flt_apr_run *run, uint64_t *cells)
{
    uint64_t runs = 0;
    uint32_t first = 0, end = 0;
    for (const struct flt_apr_run *next; (next = take_first(source, many));) {
        const uint32_t from = next->first / 2, to = (next->first + next->count - 1) / 2 + 1;
        if (runs == 0 || from > end) {
            *cells += end - first;
            first = end = from;
            runs++;
        }
        end = to > end ? to : end;
        if (run)
            run[runs - 1] = (struct flt_apr_run){first, end - first, *cells};
    }
    *cells += end - first;
    return runs;
}

/* To the places of the first ones. Returns the sum. */
static uint64_t add_up(uint64_t *value, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t own = value[i];
        value[i] = sum;
        sum += own;
    }
    return sum;
}

/* node[l], from what is at level l + 1. */
static bool take_nodes(const struct flt_apr *apr, struct pool *kept, struct pool *pool, int l,
                       struct node_level node[], int threads)
{
    const struct grid g = apr_grid(apr, l);
    const uint64_t rows = grid_rows(&g);
    struct node_level *own = &node[l];
    own->row = POOL_ARRAY(kept, uint64_t, rows + 1);
    uint64_t *at = POOL_ARRAY(pool, uint64_t, rows + 1);
    if (!own->row || !at)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)rows; r++) {
        struct span source[SOURCES];
        const int many = rows_below(apr, node, l, r, source);
        at[r] = 0;
        own->row[r] = halve_runs(source, many, NULL, &at[r]);
    }
    own->runs = own->row[rows] = add_up(own->row, rows);
    own->cells = at[rows] = add_up(at, rows);
    own->run = POOL_ARRAY(pool, struct flt_apr_run, own->runs + 1);
    if (!own->run)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t r = 0; r < (int64_t)rows; r++) {
        struct span source[SOURCES];
        const int many = rows_below(apr, node, l, r, source);
        uint64_t cells = at[r];
        halve_runs(source, many, own->run + own->row[r], &cells);
    }
    return true;
}

/* ---- What holds of structures ---- */

/* Whether particles and nodes of a row are, each once, what the nodes above consist of, n at
 * most. */
static bool row_tiles(struct span particles, struct span nodes, struct span above, int64_t n)
{
    struct span source[2] = {particles, nodes};
    int64_t left = 0, end = 0;
    for (; above.at != above.end; above.at++)
        left += least_of(2 * ((int64_t)above.at->first + above.at->count), n) -
                2 * (int64_t)above.at->first;
    for (const struct flt_apr_run *next; (next = take_first(source, 2));) {
        if (next->first < end)
            return false;
        end = (int64_t)next->first + next->count;
        left -= next->count;
    }
    return left == 0;
}

/* Whether a run of `particles`, at a level, touches or overlaps one of `nodes`, at the next one. */
static bool comes_near(struct span particles, struct span nodes)
{
    while (particles.at != particles.end && nodes.at != nodes.end) {
        const int64_t first = 2 * (int64_t)particles.at->first - 1,
                      end = 2 * ((int64_t)particles.at->first + particles.at->count) + 1;
        if ((int64_t)nodes.at->first + nodes.at->count <= first)
            nodes.at++;
        else if (nodes.at->first >= end)
            particles.at++;
        else
            return true;
    }
    return false;
}

/* Whether a particle of row r of level l touches cells two levels finer: those below nodes of
 * level l + 1. */
static bool row_is_steep(const struct flt_apr *apr, const struct node_level node[], int l,
                         int64_t r)
{
    const struct span own = row_of(&apr->particles, l, r);
    if (l + 1 >= apr->levels || own.at == own.end)
        return false;
    const int32_t *below = apr->extent[l + 1];
    const int64_t z = 2 * (r / apr->extent[l][AXIS_Y]), y = 2 * (r % apr->extent[l][AXIS_Y]);
    for (int64_t k = greatest_of(z - 1, 0); k < least_of(z + 3, below[AXIS_Z]); k++)
        for (int64_t j = greatest_of(y - 1, 0); j < least_of(y + 3, below[AXIS_Y]); j++)
            if (comes_near(own, own_row(&node[l + 1], k * below[AXIS_Y] + j)))
                return true;
    return false;
}

static enum flt_status check_level(const struct flt_apr *apr, const struct node_level node[], int l,
                                   int threads, struct flt_detail *detail)
{
    const struct grid g = apr_grid(apr, l), above = apr_grid(apr, l - 1);
    const int64_t rows = g.extent[AXIS_Y];
    int64_t hole = INT64_MAX, steep = INT64_MAX;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(min : hole, steep)
    for (int64_t r = 0; r < (int64_t)grid_rows(&g); r++) {
        const struct span up =
            own_row(&node[l - 1], r / rows / 2 * above.extent[AXIS_Y] + r % rows / 2);
        if (!row_tiles(row_of(&apr->particles, l, r), own_row(&node[l], r), up, g.extent[AXIS_X]))
            hole = least_of(hole, r);
        if (row_is_steep(apr, node, l, r))
            steep = least_of(steep, r);
    }
    const int64_t r = least_of(hole, steep);
    if (r == INT64_MAX)
        return FLT_OK;
    return restore_fail(detail, "in row %lld of plane %lld of level %d %s", (long long)(r % rows),
                        (long long)(r / rows), l,
                        r == hole ? "cells overlap, or some of the image lies in none"
                                  : "a particle touches ones that are finer by more than a level");
}

/* ---- All levels ---- */

static bool join_levels(struct flt_apr *apr, struct pool *kept, const struct node_level node[])
{
    uint64_t runs = 0, cells = 0;
    for (int l = 0; l < apr->levels; l++)
        runs += node[l].runs;
    struct flt_apr_run *run = POOL_ARRAY(kept, struct flt_apr_run, runs + 1);
    if (!run)
        return false;
    runs = 0;
    apr->nodes = (struct flt_apr_cells){.least = 0, .greatest = apr->levels - 1, .run = run};
    for (int l = 0; l < apr->levels; l++) {
        const struct grid g = apr_grid(apr, l);
        for (uint64_t r = 0; r <= grid_rows(&g); r++)
            node[l].row[r] += runs;
        for (uint64_t i = 0; i < node[l].runs; i++) {
            run[runs + i] = node[l].run[i];
            run[runs + i].at += cells;
        }
        runs += node[l].runs;
        cells += node[l].cells;
        apr->nodes.row[l] = node[l].row;
    }
    run[runs] = (struct flt_apr_run){.at = cells};
    apr->nodes.count = cells;
    return true;
}

enum flt_status restore_nodes(struct flt_apr *apr, struct pool *kept, struct pool *pool,
                              int threads, struct flt_detail *detail)
{
    struct node_level node[FLT_APR_LEVELS + 1] = {{NULL}};
    for (int l = apr->levels - 1; l >= 0; l--)
        if (!take_nodes(apr, kept, pool, l, node, threads))
            return FLT_NO_MEMORY;
    for (int l = 1; l <= apr->levels; l++) {
        const enum flt_status status = check_level(apr, node, l, threads, detail);
        if (status != FLT_OK)
            return status;
    }
    return join_levels(apr, kept, node) ? FLT_OK : FLT_NO_MEMORY;
}
