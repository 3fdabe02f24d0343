/* Adaptive images and what targets can do with them. */
#ifndef FLTC_COMMAND_PARTICLES_H
#define FLTC_COMMAND_PARTICLES_H

#include "command/command.h"

/* Whether the target can run the filter's adaptive images; after a message if not. */
bool particles_suit(struct command_context *c, const struct graph *graph,
                    const struct target *target);

#endif
