/* The loops of a stage that transforms lines. */
#ifndef FLTC_LOOP_LOWER_TRANSFORM_NEST_H
#define FLTC_LOOP_LOWER_TRANSFORM_NEST_H

#include "loop/lower/lowering.h"

/* Its kernel, which transforms the lines. One that fills the table is added to l->preparing, unless
 * a stage before has the same table. alone: by one thread. */
const struct statement *transform_kernel(struct lowering *l, const struct stage *stage, bool alone);

#endif
