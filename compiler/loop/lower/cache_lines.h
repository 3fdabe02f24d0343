/* Where to cut loops over rows in the caller's memory, so that each part except the first and last
 * consists of whole cache lines. Memory from malloc may begin anywhere in a cache line. */
#ifndef FLTC_LOOP_LOWER_CACHE_LINES_H
#define FLTC_LOOP_LOWER_CACHE_LINES_H

#include "loop/loop.h"
#include "loop_pass.h"

/* The distance in samples along the fastest axis from the start of a cache line to that place of
 * the buffer; 0 if it is unknown or does not matter. */
const struct expr *cache_lag(struct pass_context *context, struct program *program,
                             const struct buffer *buffer, const struct expr *place);

#endif
