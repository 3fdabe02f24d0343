/* What every graph keeps to, between any two passes. */
#ifndef FLTC_GRAPH_GRAPH_VERIFY_H
#define FLTC_GRAPH_GRAPH_VERIFY_H

#include "graph/graph.h"

/* NULL, or one sentence in the arena: "stage 'blur' reads stage 7, which is not before it". exact:
 * intervals of integers fit 64 bits, as the front end has them (expr_check_operation). */
const char *graph_verify(const struct graph *graph, struct arena *arena, bool exact);

/* What loop programs have in common with graphs: the constants of a box, packed. extent: of its
 * axes. name: "stage 'k'". */
const char *graph_verify_constants(struct arena *arena, const char *name, enum scalar scalar,
                                   struct interval interval, unsigned rank,
                                   const struct expr *const extent[],
                                   const struct expr *const value[], size_t count);
/* Each parameter by itself, and their names. */
const char *graph_verify_parameters(struct arena *arena, const struct parameter parameter[],
                                    size_t count);

#endif
