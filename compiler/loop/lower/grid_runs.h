/* Runs of long sums, computed by the threads of a block. */
#ifndef FLTC_LOOP_LOWER_GRID_RUNS_H
#define FLTC_LOOP_LOWER_GRID_RUNS_H

#include "loop/lower/lowering.h"

/* The loops of a stage whose samples along its first axis are the runs of a reduction: 16 threads
 * per run, one for each accumulator. NULL: it is not such a stage. */
const struct statement *grid_runs(struct lowering *l, const struct stage *stage);

#endif
