/* Windows: reductions over two ranges that can be computed along one range first, then along the
 * other. */
#ifndef FLTC_GRAPH_PLACEMENT_WINDOWS_H
#define FLTC_GRAPH_PLACEMENT_WINDOWS_H

#include "graph/graph.h"

/* The first of the two ranges is the outer one. The term is a read, possibly converted, possibly
 * multiplied by a read of a constant kernel that is the product of a column and a row. */
struct window {
    const struct expr *reduce, *load;
    unsigned outer, inner;     /* axes of the source that the two ranges run along */
    const struct expr *weight; /* the read of the kernel; NULL: none */
    /* Column and row, one for each range, in the order of the ranges. For integers their product is
     * exactly the kernel. */
    const double *factor[2];
    const struct expr *place[2]; /* the variables of the ranges */
};

/* NULL if the node is a window of the stage; describes it in *window. Otherwise why it is not, or
 * why it stays whole. Windows of floats change the order of sums and the rounding of the kernel, so
 * they are found only where the node is fast. */
const char *window_problem(struct arena *scratch, const struct graph *graph,
                           const struct stage *stage, const struct expr *node,
                           struct window *window);
/* The two factors of a sum's terms, without conversions that change no value; false: the term is
 * not a product. */
bool window_factors(const struct expr *reduce, const struct expr *factor[2]);
/* Whether the condition excludes exactly the terms of weight 0. */
bool window_leaves_out_zeros(const struct expr *condition, const struct expr *weight);
/* The axis of the stage whose coordinate the index contains. */
unsigned window_axis_of_index(const struct stage *stage, const struct expr *index);

#endif
