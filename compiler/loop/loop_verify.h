/* The rules that every loop program obeys between passes. */
#ifndef FLTC_LOOP_LOOP_VERIFY_H
#define FLTC_LOOP_LOOP_VERIFY_H

#include "loop/loop.h"

/* What passes have lowered so far; each value includes the ones before it. */
enum lowered { LOWERED_STAGES, LOWERED_BORDERS, LOWERED_REDUCTIONS };

/* NULL, or one sentence in the arena: "the loop over 'x' is a vector loop, but has a loop inside".
 * shared_bytes: the limit for all SHARED buffers of one kernel; 0: the target has none. lowered:
 * what must not be left. */
const char *program_verify(const struct program *program, unsigned shared_bytes,
                           enum lowered lowered, struct arena *arena);

#endif
