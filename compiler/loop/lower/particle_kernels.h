/* Stages to_particles as kernels. */
#ifndef FLTC_LOOP_PARTICLE_KERNELS_H
#define FLTC_LOOP_PARTICLE_KERNELS_H

#include "loop/lower/lowering.h"

/* One that stores the settings, one with the pixels, and one that makes of these what their
 * particles have. */
const struct statement *particle_kernels(struct lowering *l, const struct stage *stage);

#endif
