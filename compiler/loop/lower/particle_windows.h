/* Stages stencil_cells: kernels over windows. */
#ifndef FLTC_LOOP_LOWER_PARTICLE_WINDOWS_H
#define FLTC_LOOP_LOWER_PARTICLE_WINDOWS_H

#include "loop/lower/lowering.h"

/* What the call of such a kernel is given: the structure, what particles have, where the results
 * go, room. */
struct window_arrays {
    buffer_id structure, values, results, room;
};
/* The kernel that computes the stage from its window. */
const struct statement *particle_window_kernel(struct lowering *l, const struct stage *stage,
                                               const struct window_arrays *arrays);
/* A read of the window's source, in the stage at hand. */
const struct expr *particle_window_load(struct lowering *l, const struct expr *load);

#endif
