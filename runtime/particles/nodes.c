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

#define BODY "particles/nodes_body.h"
#include "particles/for_processors.h"

/* Computes the nodes of row r of a level. */
typedef void do_row(const struct flt_apr *apr, const float *value, enum flt_apr_node kind, int l,
                    int64_t r, float *node);

void flt_apr_cell_nodes(const struct flt_apr *apr, const float *value, enum flt_apr_node kind,
                        float *node, int threads)
{
    const int many = apr_threads(threads);
    do_row *act = FOR_THIS_PROCESSOR(reduce_row);
    for (int l = apr->levels - 1; l >= 0; l--) {
        const int64_t rows = (int64_t)apr->extent[l][AXIS_Z] * apr->extent[l][AXIS_Y];
        const struct flt_apr_run *run = apr->nodes.run;
        const uint64_t nodes = run[apr->nodes.row[l][rows]].at - run[apr->nodes.row[l][0]].at;
        const int team = worthwhile_threads(many, 4 * nodes);
#pragma omp parallel for schedule(dynamic, 64) num_threads(team)
        for (int64_t r = 0; r < rows; r++)
            act(apr, value, kind, l, r, node);
    }
}

enum flt_status flt_apr_node_means(const struct flt_apr *apr, const float *value, float *node,
                                   int threads)
{
    flt_apr_cell_nodes(apr, value, FLT_APR_MEAN, node, threads);
    return FLT_OK;
}
