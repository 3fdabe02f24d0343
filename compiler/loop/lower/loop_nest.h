/* The loops over the box of a stage. */
#ifndef FLTC_LOOP_LOWER_LOOP_NEST_H
#define FLTC_LOOP_LOWER_LOOP_NEST_H

#include "loop_pass.h"

/* The body once for each sample of the buffer's box, in an order that a recurrence allows; for
 * targets with blocks of threads, spread over a grid. The coordinates are the stage's axis
 * variables. */
const struct statement *loop_nest(struct pass_context *context, struct program *program,
                                  const struct stage *stage, const struct buffer *buffer,
                                  const struct statement *body);

/* A loop around kernels. */
struct loop_around {
    const struct expr *variable, *first, *extent;
    bool reversed;
};
/* A recurrence that reads itself along other axes too, on a grid: the body for all samples at one
 * coordinate of its own axis, which do not wait for each other; *around: the loop over these. NULL:
 * it is no such stage, or has few samples there. */
const struct statement *loop_nest_of_rows(struct pass_context *context, struct program *program,
                                          const struct stage *stage, const struct buffer *buffer,
                                          const struct statement *body,
                                          struct loop_around *around);

#endif
