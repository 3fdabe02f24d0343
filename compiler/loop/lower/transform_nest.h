/* The loops of a stage that transforms lines. */
#ifndef FLTC_LOOP_LOWER_TRANSFORM_NEST_H
#define FLTC_LOOP_LOWER_TRANSFORM_NEST_H

#include "loop/lower/lowering.h"

/* Its kernels: one that fills the table of the transform, one that transforms the lines. alone: by
 * one thread. */
const struct statement *transform_kernels(struct lowering *l, const struct stage *stage,
                                          bool alone);

#endif
