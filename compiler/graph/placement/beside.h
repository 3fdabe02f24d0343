/* Samples beside each other that a thread of a grid computes, so that it loads and stores several
 * in one access (loop/passes/widen_accesses.c). */
#ifndef FLTC_GRAPH_PLACEMENT_BESIDE_H
#define FLTC_GRAPH_PLACEMENT_BESIDE_H

#include "graph/graph.h"
#include "graph_pass.h"

/* 1: one; of a stage that reads rows otherwise than sample by sample, accesses would be apart. */
int64_t samples_beside(const struct pass_context *context, const struct stage *stage);

/* Operations of one of `beside` samples beside each other. Their thread reads each place of a row
 * once for all of them, as words; a load of a word costs `load`. */
double cost_of_sample_beside(const struct pass_context *context, const struct stage *stage,
                             int64_t beside, int64_t load);

/* How many samples beside each other along an axis that is not the fastest a thread computes, with
 * `beside` of a row at each place: several, where they read much of the same, and registers hold
 * that. */
int64_t samples_together(const struct pass_context *context, const struct stage *stage,
                         unsigned axis, int64_t beside);

/* The same in a tile of `extent` places along the axis, which `threads` share: as many as take its
 * threads the least time. */
int64_t samples_together_in_tile(const struct pass_context *context, const struct stage *stage,
                                 unsigned axis, int64_t beside, int64_t extent, int64_t threads);

#endif
