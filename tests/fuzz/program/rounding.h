/* Results of a realisation that rounds in another way than the oracle. */
#ifndef FLTC_FUZZ_ROUNDING_H
#define FLTC_FUZZ_ROUNDING_H

#include "program/check.h"

/* How result i is too far from the oracle's; NULL: it is near, or the graph holds operations that
 * make much of a little. */
const char *rounding_difference(struct session *session, const struct graph *graph,
                                const struct trial *trial, unsigned i,
                                const struct samples *result);

#endif
