/* A loop program for inputs of known extents. */
#ifndef FLTC_LOOP_KNOWN_EXTENTS_H
#define FLTC_LOOP_KNOWN_EXTENTS_H

#include "loop/loop.h"

/* The program with extents of inputs replaced by those that are numbers in the graph, which has the
 * same inputs. Checks that then hold are dropped. */
const struct program *program_with_extents(struct arena *arena, struct arena *scratch,
                                           struct expr_pool *pool, const struct program *program,
                                           const struct graph *known);

#endif
