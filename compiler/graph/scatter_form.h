/* Scatters whose steps may be taken in any order: sums of integers, least and greatest values. */
#ifndef FLTC_GRAPH_SCATTER_FORM_H
#define FLTC_GRAPH_SCATTER_FORM_H

#include "graph/graph.h"

/* A step's value is `store` of kind(the sample at the target, term). */
struct scatter_form {
    const struct expr *store; /* the conversion to the element type, or the joined value itself */
    enum expr_kind kind;      /* ADD, ORDERED_MINIMUM or ORDERED_MAXIMUM */
    const struct expr *term;
};

/* Whether the order of the steps of a scatter of integers does not matter, nor where a sum
 * saturates, and each step reads its target alone. */
bool scatter_form_of(struct arena *scratch, const struct stage *scatter, struct scatter_form *form);
/* Whether a sum, of so many steps as the product of these extents, stays below where it saturates.
 * NULL: nobody asks, as the sum wraps or is none; or the terms are too large. */
const struct expr *scatter_stays_below(struct expr_pool *pool, const struct scatter_form *form,
                                       enum scalar element, unsigned count,
                                       const struct expr *const extent[]);
/* Whether steps are taken modulo a power of two. */
bool scatter_wraps(const struct scatter_form *form);
/* Whether the sum saturates somewhere. */
bool scatter_saturates(const struct scatter_form *form);

#endif
