/* What follows from the region of an input: its bounds within the image, and how it moves with the
 * boxes of the results. */
#ifndef FLTC_LOOP_INPUT_REGION_H
#define FLTC_LOOP_INPUT_REGION_H

#include "loop/loop.h"

/* The bounds of an axis, cut to the image. */
void input_region_cut(struct expr_pool *pool, const struct program *program,
                      const struct input_region *region, unsigned axis, const struct expr **first,
                      const struct expr **end);

enum input_reads {
    INPUT_NOTHING,
    INPUT_WHOLE,
    INPUT_FIXED, /* the same samples, whatever the boxes */
    INPUT_BOX,   /* that goes on by as many samples at both ends */
    INPUT_IRREGULAR
};
struct input_motion {
    enum input_reads reads;
    const struct expr
        *follows;              /* "out.y.first": the axis of a result that it moves with, or NULL */
    int64_t samples, for_each; /* of a box: of the input, for so many of the result */
    /* Where these are the same: samples before the result's box and after it; else NULL. */
    const struct expr *before, *after;
};
struct input_motion input_region_motion(struct expr_pool *pool, struct arena *scratch,
                                        const struct program *program,
                                        const struct input_region *region, unsigned axis);

#endif
