/* Scatters into small targets, by the threads of a block. */
#ifndef FLTC_LOOP_LOWER_GRID_SCATTER_H
#define FLTC_LOOP_LOWER_GRID_SCATTER_H

#include "loop/lower/lowering.h"

/* The loops of the steps; body: NULL where they cannot be shared by threads. */
struct grid_scatter {
    const struct statement *body;
    const struct expr *below; /* where these are right; NULL: everywhere */
};

/* Steps whose order does not matter, into a target that fits shared memory: a block of threads for
 * each coordinate of the axes that the scatter is mapped over. */
struct grid_scatter grid_scatter(struct lowering *l, const struct stage *stage);

#endif
