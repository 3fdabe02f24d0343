/* What transforms of f32 and f64 share: places of the panel of each, numbers of its table, norms. A
 * panel holds the lines, then two buffers for the complex transform of all. */
#ifndef FLTC_TRANSFORM_TEXTS_SIZES_H
#define FLTC_TRANSFORM_TEXTS_SIZES_H

#include "transform/texts/roots.h"

/* With lines of n, of which `over` samples are transformed. */
static inline int64_t flt_panel_places(int64_t n, int64_t over)
{
    return n + 2 * flt_steps_length(over);
}

static inline int64_t flt_fft_places(int64_t n)
{
    return flt_panel_places(n, n);
}

static inline int64_t flt_fft_numbers(int64_t n)
{
    return flt_dft_numbers(n);
}

static inline int64_t flt_ifft_places(int64_t n)
{
    return flt_panel_places(n, n);
}

static inline int64_t flt_ifft_numbers(int64_t n)
{
    return flt_dft_numbers(n);
}

static inline int64_t flt_dct1_places(int64_t n)
{
    return flt_panel_places(n, 2 * n - 2);
}

static inline int64_t flt_dct1_numbers(int64_t n)
{
    return flt_dft_numbers(2 * n - 2);
}

static inline int64_t flt_dct2_places(int64_t n)
{
    return flt_panel_places(n, n);
}

/* Behind the others, half a turn's quarter: e^(-pi i k / 2 n), k <= n / 2. */
static inline int64_t flt_dct2_numbers(int64_t n)
{
    return flt_dft_numbers(n) + 2 * (n / 2 + 1);
}

static inline int64_t flt_dct3_places(int64_t n)
{
    return flt_panel_places(n, n);
}

static inline int64_t flt_dct3_numbers(int64_t n)
{
    return flt_dct2_numbers(n);
}

static inline int64_t flt_dct4_places(int64_t n)
{
    return flt_panel_places(n, 2 * n);
}

static inline int64_t flt_dct4_numbers(int64_t n)
{
    return flt_dct2_numbers(2 * n);
}

static inline int64_t flt_dst1_places(int64_t n)
{
    return flt_panel_places(n, 2 * n + 2);
}

static inline int64_t flt_dst1_numbers(int64_t n)
{
    return flt_dft_numbers(2 * n + 2);
}

static inline int64_t flt_dst2_places(int64_t n)
{
    return flt_dct2_places(n);
}

static inline int64_t flt_dst2_numbers(int64_t n)
{
    return flt_dct2_numbers(n);
}

static inline int64_t flt_dst3_places(int64_t n)
{
    return flt_dct3_places(n);
}

static inline int64_t flt_dst3_numbers(int64_t n)
{
    return flt_dct3_numbers(n);
}

static inline int64_t flt_dst4_places(int64_t n)
{
    return flt_dct4_places(n);
}

static inline int64_t flt_dst4_numbers(int64_t n)
{
    return flt_dct4_numbers(n);
}

static inline int64_t flt_idxst_places(int64_t n)
{
    return flt_dct3_places(n);
}

static inline int64_t flt_idxst_numbers(int64_t n)
{
    return flt_dct3_numbers(n);
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

#endif
