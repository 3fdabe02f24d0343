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

#endif
