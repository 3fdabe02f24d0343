/* Where loops over rows in the caller's memory are cut, so that each part but the first one and the
 * last is of whole lines of cache. Memory that malloc gives begins anywhere within one. */
#ifndef FLTC_LOOP_LOWER_CACHE_LINES_H
#define FLTC_LOOP_LOWER_CACHE_LINES_H

#include "loop/loop.h"
#include "loop_pass.h"

/* Samples along the fastest axis from the begin of a line to that place of the buffer; 0 where
 * nothing is known, or it does not matter. */
const struct expr *cache_lag(struct pass_context *context, struct program *program,
                             const struct buffer *buffer, const struct expr *place);

#endif
