/* Kernels of stages on particles: calls of runtime/particles, and maps over particles. */
#ifndef FLTC_LOOP_PARTICLE_KERNELS_H
#define FLTC_LOOP_PARTICLE_KERNELS_H

#include "loop/lower/lowering.h"

/* Gives the stage memory for one sample per particle, or, if it is a structure, for that. */
void particle_memory(struct lowering *l, const struct stage *stage);
/* The kernels that compute the stage, and its pixels if other stages read them. */
const struct statement *particle_kernels(struct lowering *l, const struct stage *stage);
/* The pixels of a stage that a repeat carries, after its last step; nothing if they exist already
 * or are not read. */
const struct statement *particle_carried_pixels(struct lowering *l, const struct stage *stage);

#endif
