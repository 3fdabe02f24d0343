/* Bytes that the kernel of a stage moves between memory and the caches that its schedule keeps
 * samples in. */
#ifndef FLTC_GRAPH_PLACEMENT_TRAFFIC_H
#define FLTC_GRAPH_PLACEMENT_TRAFFIC_H

#include "graph/readers.h"

/* For each sample of the stage, averaged over tiles that no edge cuts. What tiles or lines hold
 * themselves is in caches, and not counted; rows that plain loops read several times are, once. */
struct traffic {
    double read, written;
    /* false: coordinates alone do not tell what is read, counted as if each sample once */
    bool known;
};

/* The stage computes, and is not in tiles of another one. readers: of the graph. */
struct traffic traffic_of(const struct graph *graph, const struct stage_readers *readers,
                          struct expr_pool *pool, struct arena *scratch, const struct stage *stage);

/* Of all kernels, for each sample of the result, where extents are as estimated, or those of an
 * image, TRAFFIC_EXTENT, or of a signal of as many samples. *told: whether that says how many
 * samples there are. */
enum { TRAFFIC_EXTENT = 4096 };
struct traffic traffic_of_all(const struct graph *graph, const struct stage_readers *readers,
                              struct expr_pool *pool, struct arena *scratch,
                              const struct stage *result, bool *told);

#endif
