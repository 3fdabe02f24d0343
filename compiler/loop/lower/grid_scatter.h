/* Scatters whose steps threads of blocks take at the same time. */
#ifndef FLTC_LOOP_LOWER_GRID_SCATTER_H
#define FLTC_LOOP_LOWER_GRID_SCATTER_H

#include "loop/lower/lowering.h"

/* The loops of the steps. body: NULL if threads cannot share them. */
struct grid_scatter {
    const struct statement *body;
    const struct expr *below; /* the condition under which they are right; NULL: always */
    bool in_memory;           /* they store to the target, which has what the scatter starts from */
};

/* For steps in any order. Into a target that fits shared memory: one block of threads for each
 * coordinate of the mapped axes. Else: as many threads as there are steps, in memory. */
struct grid_scatter grid_scatter(struct lowering *l, const struct stage *stage);

#endif
