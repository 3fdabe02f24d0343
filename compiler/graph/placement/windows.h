/* Windows: reductions over two ranges that can be taken along one of them first, then along the
 * other. */
#ifndef FLTC_GRAPH_PLACEMENT_WINDOWS_H
#define FLTC_GRAPH_PLACEMENT_WINDOWS_H

#include "graph/graph.h"

/* Of its two ranges the first is the outer one. Its term is a read, maybe converted, maybe
 * multiplied by one of a constant kernel, which is then the product of a column and a row. */
struct window {
    const struct expr *reduce, *load;
    unsigned outer, inner;     /* axes of the source that the two ranges run along */
    const struct expr *weight; /* the read of the kernel; NULL: none */
    /* Column and row, one of each range, in its order; of integers their product is exactly the
     * kernel. */
    const double *factor[2];
    const struct expr *place[2]; /* the variables of the ranges */
};

/* Whether the node is a window of the stage, and which. Floats are added in another order, and
 * kernels of floats rounded anew, where the node is fast. */
bool window_find(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                 const struct expr *node, struct window *window);
/* The two factors of a sum's terms, conversions that change no value left out; false: it is no
 * product. */
bool window_factors(const struct expr *reduce, const struct expr *factor[2]);
/* Whether the condition leaves out terms of weight 0, and no others. */
bool window_leaves_out_zeros(const struct expr *condition, const struct expr *weight);
/* The axis of the stage whose coordinate the index has. */
unsigned window_axis_of_index(const struct stage *stage, const struct expr *index);

#endif
