/* Memory traffic: the bytes that the kernel of a stage moves between memory and caches. */
#ifndef FLTC_GRAPH_PLACEMENT_TRAFFIC_H
#define FLTC_GRAPH_PLACEMENT_TRAFFIC_H

#include "graph/readers.h"

/* In bytes per sample of the stage, averaged over whole tiles. Samples held by tiles or lines are
 * in cache and not counted. Rows that plain loops read several times are counted once. */
struct traffic {
    double read, written;
    /* false: what is read does not follow from coordinates; each sample is counted once */
    bool known;
};

/* The stage must compute samples and not be in tiles of another one. readers: of the graph. */
struct traffic traffic_of(const struct graph *graph, const struct stage_readers *readers,
                          struct expr_pool *pool, struct arena *scratch, const struct stage *stage);

/* The kernel of a stage. */
struct kernel_traffic {
    bool counts;             /* false: it has none, or another stage tells of it */
    struct traffic a_sample; /* where it counts */
    double samples;          /* of a stage that computes, or a result; below 0: not known */
};

/* Extents as estimated by the program; others are TRAFFIC_EXTENT, or for a signal the number of
 * samples of such an image. */
enum { TRAFFIC_EXTENT = 4096 };
struct expected_extents {
    const struct graph *graph;
    struct expr_pool *pool;
    int64_t usual;
};
struct expected_extents expected_extents(const struct graph *graph, struct expr_pool *pool);
/* A rule for these: an extent or parameter becomes a number, where one is expected. */
const struct expr *extent_expected(const struct expr *node, void *extents);

/* Of the stage, for these; below 0: not known. */
double expected_samples(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                        const struct stage *stage);

/* By stage, of expected extents. */
const struct kernel_traffic *traffic_of_kernels(const struct graph *graph,
                                                const struct stage_readers *readers,
                                                struct expr_pool *pool, struct arena *scratch);
/* The traffic of all kernels per sample of the result. *told: whether the extents determine the
 * number of samples. */
struct traffic traffic_of_all(const struct graph *graph, const struct kernel_traffic kernel[],
                              const struct stage *result, bool *told);

#endif
