/* What commands say of adaptive images. */
#ifndef FLTC_COMMAND_PARTICLES_H
#define FLTC_COMMAND_PARTICLES_H

#include "command/command.h"
#include "command/profile.h"
#include "emit/emit.h"

/* Tells the profile how many particles there were, by the counts of kernels, and corrects the bytes
 * of stages of the graph that have a sample of each particle alone. scheduled: the graph as it was
 * compiled. */
void particles_profile(struct profile *profile, const struct graph *graph,
                       const struct graph *scheduled, const struct emitted *emitted,
                       const double counts[], double bytes[]);

#endif
