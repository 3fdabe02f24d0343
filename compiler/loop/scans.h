/* Running sums as `scanned` loops, which add several samples at once. */
#ifndef FLTC_LOOP_SCANS_H
#define FLTC_LOOP_SCANS_H

#include "loop/loop.h"

/* store to[…, x] = to[…, x - 1] + from[…, x], of integers that wrap modulo 2^32. */
struct scan {
    buffer_id to;
    const struct expr *const *to_index;
    const struct expr *from; /* the load */
};

/* Whether sums of that type can be scanned. */
bool scan_takes(enum scalar scalar);
/* Takes a loop apart; false: it is not a running sum along the fastest axis of both buffers. */
bool scan_of(const struct program *program, struct arena *scratch, const struct statement *loop,
             struct scan *scan);

#endif
