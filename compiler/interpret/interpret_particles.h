/* Particles, by definition. */
#ifndef FLTC_INTERPRET_PARTICLES_H
#define FLTC_INTERPRET_PARTICLES_H

#include "interpret/interpret.h"
#include "interpret/tape.h"

/* Samples of a stage that runtime/particles computes. NULL, or what went wrong. source: of a stage
 * stencil_cells, the samples that it reads, with others in their place while it runs; of a
 * convolution, those of a kernel of unknown extents, or NULL. */
const char *interpret_particles(struct evaluator *evaluator, const struct stage *stage,
                                struct samples *samples, struct samples *source);

#endif
