/* The loops of a stage that transforms lines. */
#ifndef FLTC_LOOP_LOWER_TRANSFORM_NEST_H
#define FLTC_LOOP_LOWER_TRANSFORM_NEST_H

#include "loop/lower/lowering.h"

/* The kernel that transforms the lines. A kernel that fills the table is added to l->preparing,
 * unless an earlier stage has the same table. alone: one thread runs it. */
const struct statement *transform_kernel(struct lowering *l, const struct stage *stage, bool alone);

#endif
