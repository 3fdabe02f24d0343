/* Splitting a loop so that some iterations have their own code. */
#ifndef FLTC_LOOP_LOOP_SPLIT_H
#define FLTC_LOOP_LOOP_SPLIT_H

#include "loop/loop.h"
#include "loop_pass.h"

/* Replaces an independent loop: `inside` does the iterations low .. high - 1, and another loop does
 * the others.
 *   inside  loop x.rest from 0 { let x = x.rest < low - first ? first + x.rest : high + x.rest - (low - first)  … }
 * Requires first <= low <= high <= end. rest: the second part of the other loop's name. */
const struct statement *loop_with_rest(struct pass_context *context, const struct statement *loop,
                                       const struct expr *low, const struct expr *high,
                                       const struct statement *inside, const char *rest);

/* The coordinate of a loop over samples: the loop's variable, or that of a first `let` which alone
 * uses the loop's variable, as of the other loop above. */
const struct expr *loop_coordinate(struct arena *scratch, const struct statement *loop);

#endif
