/* Non-temporal stores: stores of whole rows of an image that is not read soon. */
#ifndef FLTC_LOOP_CACHE_BYPASS_H
#define FLTC_LOOP_CACHE_BYPASS_H

#include "loop/loop.h"

/* The store of an innermost or `turned` loop that contains only this store to rows of an image and
 * lets; NULL: it is not such a loop. */
const struct statement *bypass_store_of(const struct program *program,
                                        const struct statement *loop);

#endif
