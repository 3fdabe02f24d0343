/* Convolutions: sums over windows of products of an image and a kernel. Transforms can compute them
 * in a time that hardly depends on the window size. */
#ifndef FLTC_GRAPH_PLACEMENT_CONVOLUTIONS_H
#define FLTC_GRAPH_PLACEMENT_CONVOLUTIONS_H

#include "graph/graph.h"

/* sum over all v of kernel[.. v ..] * image[.. coordinate + shift + sign v ..] */
struct convolution {
    const struct expr *reduce, *image, *kernel; /* image, kernel: the loads */
    unsigned count;                             /* of ranges */
    struct convolution_axis {                   /* in the order of the image's axes */
        unsigned in_image, in_stage;            /* which axis of the image, whose coordinate */
        struct expr_range range;
        int sign; /* 1 or -1 */
        int64_t shift;
    } along[GRAPH_MAX_RANK];
    int64_t taps;      /* that are not known to be 0 */
    double worth_taps; /* the number of taps for which transforms take as long as the sum */
};

/* Whether the node is a convolution of floats in the stage, with known ranges and without a
 * directive on how to compute it; describes it in *convolution. An image with unknown extents is
 * assumed to have 512 samples along each axis. */
bool convolution_find(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                      const struct expr *node, struct convolution *convolution);
/* Whether transforms are faster. */
static inline bool convolution_is_large(const struct convolution *convolution)
{
    return (double)convolution->taps > convolution->worth_taps;
}

#endif
