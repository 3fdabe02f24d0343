/* How callers of emitted functions may lay out images in memory. */
#ifndef FLTC_TESTS_LAYOUTS_H
#define FLTC_TESTS_LAYOUTS_H

#include "interpret/interpret.h"

enum layout { PACKED, PADDED, SPREAD, BACKWARD, LAYOUTS };

/* The next place in index order; false: that was the last one. */
static inline bool next_index(const struct samples *s, int64_t index[])
{
    for (unsigned k = s->rank; k-- > 0;) {
        if (++index[k] < s->extent[k])
            return true;
        index[k] = 0;
    }
    return false;
}

/* Bytes from the sample at 0, 0 … to that of an index. */
static inline ptrdiff_t bytes_to(const struct samples *s, const ptrdiff_t stride[],
                                 const int64_t index[])
{
    ptrdiff_t at = 0;
    for (unsigned k = 0; k < s->rank; k++)
        at += stride[k] * (ptrdiff_t)index[k];
    return at * (ptrdiff_t)scalar_info[s->scalar].bytes;
}

/* Strides, in samples, and the bytes of all; *before: those in front of the sample at 0, 0 … */
static inline size_t lay_out(const struct samples *s, enum layout layout, ptrdiff_t stride[],
                             ptrdiff_t *before)
{
    ptrdiff_t next = layout == SPREAD ? 2 : 1, lowest = 0, highest = 0;
    for (unsigned k = s->rank; k-- > 0;) {
        stride[k] = layout == BACKWARD ? -next : next;
        next *= (ptrdiff_t)s->extent[k];
        next += layout == PADDED && k + 1 == s->rank ? 3 : 0;
        const ptrdiff_t reach = stride[k] * (ptrdiff_t)(s->extent[k] - 1);
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    *before = -lowest * (ptrdiff_t)scalar_info[s->scalar].bytes;
    return (size_t)(highest - lowest + 1) * scalar_info[s->scalar].bytes;
}

#endif
