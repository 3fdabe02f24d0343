/* What every loop program keeps to, between any two passes. */
#ifndef FLTC_LOOP_LOOP_VERIFY_H
#define FLTC_LOOP_LOOP_VERIFY_H

#include "loop/loop.h"

/* NULL, or one sentence in the arena: "the loop over 'x' is a vector loop, but has a loop inside".
 * shared_bytes: what SHARED buffers of one kernel may take together; 0: the target has none.
 * borders_applied: no load carries a border any more. */
const char *program_verify(const struct program *program, unsigned shared_bytes,
                           bool borders_applied, struct arena *arena);

#endif
