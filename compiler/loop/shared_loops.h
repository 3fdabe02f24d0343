/* Loops whose iterations threads share. */
#ifndef FLTC_LOOP_SHARED_LOOPS_H
#define FLTC_LOOP_SHARED_LOOPS_H

#include "loop/loop.h"

/* Whether threads share the loop, as independent parts or as a wavefront. */
bool threads_share(const struct statement *statement);
/* The outermost such loop in the statement; NULL: there is none. */
const struct statement *threads_loop_in(const struct statement *statement);
/* The kernel that is the whole body of a loop around kernels and whose parts go through the loop's
 * iterations; NULL: there is none. */
const struct statement *wavefront_in(const struct statement *loop);

#endif
