/* What transforms of f32 and f64 share: places of a panel, numbers of a table, norms. A panel holds
 * the lines, then the places that they are transformed in. */
#ifndef FLTC_TRANSFORM_TEXTS_SIZES_H
#define FLTC_TRANSFORM_TEXTS_SIZES_H

#include "transform/texts/roots.h"

/* With lines of n that are transformed as `over` samples. */
static inline int64_t flt_panel_places(int64_t n, int64_t over)
{
    return n + flt_work_places(over);
}

/* Of the table of a transform of so many samples: those of the complex one, then the factors
 * e^(-pi i k / 2 n) of k <= n / 2 that cosines and sines take. */
static inline int64_t flt_table_numbers(int64_t n)
{
    return flt_dft_numbers(n) + 2 * (n / 2 + 1);
}

/* The factor of a norm; whole: what the inverse of the kind multiplies a line by. */
static inline double flt_norm_factor(int norm, double whole)
{
    return norm == 1 ? 1 / sqrt(whole) : norm == 2 ? 1 / whole : 1;
}

/* Where sample k of a line of n stands. */
static inline int64_t flt_cosine_place(int64_t k, int64_t n)
{
    return k % 2 ? n - 1 - k / 2 : k / 2;
}

/* Which sample stands at place k. */
static inline int64_t flt_cosine_sample(int64_t k, int64_t n)
{
    return k < (n + 1) / 2 ? 2 * k : 2 * (n - k) - 1;
}

#endif
