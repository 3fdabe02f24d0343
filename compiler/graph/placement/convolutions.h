/* Convolutions: sums over windows of the products of an image and a kernel, which transforms can
 * take, too, in a time that hardly grows with the window. */
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
    double worth_taps; /* transforms take as long as a sum over so many */
};

/* Whether the node is a convolution of the stage, with ranges that are known, of real numbers, and
 * nothing is said of how it is computed; and which. An image whose extents are not known is taken
 * to have 512 samples along each axis. */
bool convolution_find(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                      const struct expr *node, struct convolution *convolution);
/* Whether transforms are faster. */
static inline bool convolution_is_large(const struct convolution *convolution)
{
    return (double)convolution->taps > convolution->worth_taps;
}

#endif
