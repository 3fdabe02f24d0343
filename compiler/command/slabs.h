/* fltc run --memory: a filter on images that need not be in memory, slab by slab (slab_plan.h).
 * Files that can be are read and written by place. */
#ifndef FLTC_COMMAND_SLABS_H
#define FLTC_COMMAND_SLABS_H

#include "command/execute.h"

/* Whether --memory goes together with the other options. False after a message. */
bool slabs_suit(const struct execution *x);
/* Makes the results of one run and writes those that are written by place; the others are left to
 * results_save. False after a message; then nothing is written. */
bool slabs_run(struct execution *x);

#endif
