/* Border rules that fold coordinates, on a device: where no index is further outside than the box
 * is wide, they need no division.
 *   before: kernel out { … in[y, x - 2 reflect101] … }
 *   after:  if (3 <= in.x) { kernel out { … in[y, x - 2 reflect101_once] … } }
 *           else { kernel out.small small { … in[y, x - 2 reflect101] … } } */
#ifndef FLTC_LOOP_LOWER_FOLD_ONCE_H
#define FLTC_LOOP_LOWER_FOLD_ONCE_H

#include "loop/lower/lowering.h"

/* Before a kernel; allowed: whether reads stay as near as the expressions of stages say. */
void fold_once_begin(struct lowering *l, bool allowed);
/* Before a sample of the stage: how far outside its reads are. */
void fold_once_sample(struct lowering *l, const struct stage *stage);
/* Before a step of a scatter, whose coordinates may be others: no read is known to be near. */
void fold_once_step(struct lowering *l);
/* The rule of a read of the stage along an axis, whose border has its box already. */
enum border_rule fold_once_rule(struct lowering *l, const struct expr *read, unsigned axis,
                                const struct border *border);
/* The kernels, and those for boxes that are too small for their rules. */
const struct statement *fold_once_kernels(struct lowering *l, const struct statement *kernels);

#endif
