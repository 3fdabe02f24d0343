/* Extents that are one number wherever a filter runs, for it checks that on entry: those of two
 * images that it reads side by side, or one that must be 3. */
#ifndef FLTC_GRAPH_EQUAL_EXTENTS_H
#define FLTC_GRAPH_EQUAL_EXTENTS_H

#include "graph/graph.h"

/* Expressions of extents → the same with one of those that are equal. Good for proofs: an input has
 * the extents that it is given with. */
struct expr_rewriter equal_extents(const struct graph *graph, struct expr_pool *pool,
                                   struct arena *scratch);

#endif
