/* Stages on particles, as kernels: what runtime/particles computes, and maps of particles. */
#ifndef FLTC_LOOP_PARTICLE_KERNELS_H
#define FLTC_LOOP_PARTICLE_KERNELS_H

#include "loop/lower/lowering.h"

/* Gives the stage memory for a sample of each particle; a structure memory of its own. */
void particle_memory(struct lowering *l, const struct stage *stage);
/* The kernels that compute it, and its pixels where others read these. */
const struct statement *particle_kernels(struct lowering *l, const struct stage *stage);
/* The pixels of a stage that a repeat has carried, after its last step; nothing, where they are
 * there or not read. */
const struct statement *particle_carried_pixels(struct lowering *l, const struct stage *stage);

#endif
