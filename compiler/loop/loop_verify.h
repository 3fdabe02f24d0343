/* What every loop program keeps to, between any two passes. */
#ifndef FLTC_LOOP_LOOP_VERIFY_H
#define FLTC_LOOP_LOOP_VERIFY_H

#include "loop/loop.h"

/* What passes have made into loops and arithmetic already; each after those before it. */
enum lowered { LOWERED_STAGES, LOWERED_BORDERS, LOWERED_REDUCTIONS };

/* NULL, or one sentence in the arena: "the loop over 'x' is a vector loop, but has a loop inside".
 * shared_bytes: what SHARED buffers of one kernel may take together; 0: the target has none.
 * lowered: what is no more there. */
const char *program_verify(const struct program *program, unsigned shared_bytes,
                           enum lowered lowered, struct arena *arena);

#endif
