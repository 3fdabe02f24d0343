/* Random choices of the program generator: SplitMix64 behind a few words. */
#ifndef FLTC_FUZZ_RANDOM_H
#define FLTC_FUZZ_RANDOM_H

#include "command/trial_images.h"

#include <stdbool.h>
#include <stdint.h>

/* 0 .. count - 1 */
static inline unsigned below(uint64_t *random, unsigned count)
{
    return (unsigned)((random_next(random) >> 33) % count);
}

/* least .. greatest */
static inline int64_t between(uint64_t *random, int64_t least, int64_t greatest)
{
    return least + (int64_t)below(random, (unsigned)(greatest - least + 1));
}

static inline bool chance(uint64_t *random, unsigned percent)
{
    return below(random, 100) < percent;
}

#endif
