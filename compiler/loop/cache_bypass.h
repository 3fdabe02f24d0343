/* Stores that go past the caches: those of whole rows of an image, which is not read soon. */
#ifndef FLTC_LOOP_CACHE_BYPASS_H
#define FLTC_LOOP_CACHE_BYPASS_H

#include "loop/loop.h"

/* The store to rows of an image that an innermost loop, or one that is turned, consists of, besides
 * names for parts of the value; NULL: it is no such loop. */
const struct statement *bypass_store_of(const struct program *program,
                                        const struct statement *loop);

#endif
