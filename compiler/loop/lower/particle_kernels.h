/* What runtime/particles computes, as kernels. */
#ifndef FLTC_LOOP_PARTICLE_KERNELS_H
#define FLTC_LOOP_PARTICLE_KERNELS_H

#include "loop/lower/lowering.h"

/* One that stores the pixels, after one with the settings, if there are such, and one that calls
 * the function. */
const struct statement *particle_kernels(struct lowering *l, const struct stage *stage);

#endif
