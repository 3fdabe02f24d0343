/* In place of definitions of texts/ of the same names, in filters whose lines are transformed by a
 * library that the caller gives: a table begins with the library and its plan, and no length needs
 * more samples than it has. Emitted alone: the compiler computes with texts/. */
#ifndef FLTC_TRANSFORM_GIVEN_GIVEN_H
#define FLTC_TRANSFORM_GIVEN_GIVEN_H

#include <stdint.h>

#include "flt/fft.h"

/* What a table begins with: a library, and its plan for lines of that length. */
struct flt_given {
    const struct flt_fft *fft;
    const void *plan;
};

/* The samples that a line of n is transformed over. */
static inline int64_t flt_steps_length(int64_t n)
{
    return n;
}

/* The places of a line, and as many for its own samples and the library. */
static inline int64_t flt_work_places(int64_t n)
{
    return 2 * n;
}

static inline struct flt_steps flt_steps_of(int64_t n)
{
    struct flt_steps s = {n, n, 1, 0, 0, 1, {0}, {0}};
    return s;
}

/* Numbers of the table of a complex transform: as many as struct flt_given takes. */
static inline int64_t flt_dft_numbers(int64_t n)
{
    (void)n;
    return 16;
}

#endif
