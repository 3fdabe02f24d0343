/* Loops of which some iterations have code of their own. */
#ifndef FLTC_LOOP_LOOP_SPLIT_H
#define FLTC_LOOP_LOOP_SPLIT_H

#include "loop/loop.h"
#include "loop_pass.h"

/* What stands for an independent loop whose iterations low .. high - 1 `inside` does: that, and a
 * loop over the others.
 *   inside  loop x.rest from 0 { let x = x.rest < low - first ? first + x.rest : high + x.rest - (low - first)  … }
 * first <= low <= high <= end holds; rest: the second part of that loop's name. */
const struct statement *loop_with_rest(struct pass_context *context, const struct statement *loop,
                                       const struct expr *low, const struct expr *high,
                                       const struct statement *inside, const char *rest);

#endif
