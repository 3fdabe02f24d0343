/* Runs of long sums, by the threads of a block. */
#ifndef FLTC_LOOP_LOWER_GRID_RUNS_H
#define FLTC_LOOP_LOWER_GRID_RUNS_H

#include "loop/lower/lowering.h"

/* The loops of a stage that computes the runs of a reduction, one a sample, along its first axis:
 * 16 threads a run, each with one of its accumulators. NULL: it is no such stage. */
const struct statement *grid_runs(struct lowering *l, const struct stage *stage);

#endif
