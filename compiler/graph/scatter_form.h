/* Scatters whose steps may run in any order: sums of integers, minima and maxima. */
#ifndef FLTC_GRAPH_SCATTER_FORM_H
#define FLTC_GRAPH_SCATTER_FORM_H

#include "graph/graph.h"

/* The value of a step is `store` of kind(sample at the target, term). */
struct scatter_form {
    const struct expr *store; /* the conversion to the element type, or the joined value itself */
    enum expr_kind kind;      /* ADD, ORDERED_MINIMUM or ORDERED_MAXIMUM */
    const struct expr *term;
};

/* Whether the result of a scatter of integers does not depend on the order of its steps (except
 * where a sum saturates) and each step reads only its target. */
bool scatter_form_of(struct arena *scratch, const struct stage *scatter, struct scatter_form *form);
/* Where the samples lie that a scatter of the graph starts from. */
struct interval scatter_start(const struct graph *graph, const struct stage *scatter);
/* The condition under which a sum from such a start, with as many steps as the product of these
 * extents, does not saturate. NULL: no condition is needed (the sum wraps, or it is not a sum), or
 * the terms are too large. */
const struct expr *scatter_stays_below(struct expr_pool *pool, const struct scatter_form *form,
                                       enum scalar element, struct interval start, unsigned count,
                                       const struct expr *const extent[]);
/* Whether sums wrap modulo a power of two. */
bool scatter_wraps(const struct scatter_form *form);
/* Whether the sum can saturate. */
bool scatter_saturates(const struct scatter_form *form);

#endif
