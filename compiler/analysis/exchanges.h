/* The network that sorts: Knuth's merge exchange (The Art of Computer Programming 3, Algorithm M),
 * which is right for any number of places. */
#ifndef FLTC_ANALYSIS_EXCHANGES_H
#define FLTC_ANALYSIS_EXCHANGES_H

#include <stdbool.h>
#include <stdint.h>

/* One pass of the network: places i and i + distance are put in order where (i & bit) == rest.
 * Begins with all 0. */
struct exchange {
    int64_t bit, rest, distance;
};

/* The greatest power of 2 below the count; 0 of one. */
int64_t exchange_top(int64_t count);
/* The next pass over places whose top that is; false: there is none. *last is kept from call to
 * call. */
bool exchange_next(struct exchange *e, int64_t *last, int64_t top);

#endif
