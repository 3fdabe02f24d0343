/* Each transform as the complex one of its lines: what stands before that, and what behind it.
 * Lines 0 .. 15 of a panel are the real parts of 16 complex lines, lines 16 .. 31 the imaginary
 * parts: what is done to both parts alike is done to 32 lines. norm: 0 none, 1 ortho, 2 inverse. */
#ifndef FLTC_TRANSFORM_TEXTS_TRANSFORMS_F32_H
#define FLTC_TRANSFORM_TEXTS_TRANSFORMS_F32_H

#include "transform/texts/lines_f32.h"
#include "transform/texts/sizes.h"

/* to = from times a number, of 32 lines. */
FLT_INLINE void flt_place_f32(const float *from, float *to, float by)
{
    FLT_SIMD
    for (int l = 0; l < 32; l++)
        to[l] = from[l] * by;
}

FLT_INLINE void flt_clear_f32(float *to)
{
    for (int l = 0; l < 32; l++)
        to[l] = 0;
}

FLT_INLINE void flt_negate_place_f32(float *to)
{
    FLT_SIMD
    for (int l = 0; l < 32; l++)
        to[l] = -to[l];
}

/* to = from times a number with the parts exchanged: i times the conjugate. The transform of what
 * is exchanged is the inverse one, exchanged. */
FLT_INLINE void flt_exchange_f32(const float *FLT_RESTRICT from, float *FLT_RESTRICT to, float by)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        to[l] = from[16 + l] * by;
        to[16 + l] = from[l] * by;
    }
}

/* The roots of unity alone, of n samples. */
static inline void flt_roots_table_f32(int norm, int64_t n, float *table)
{
    (void)norm;
    flt_dft_table_f32(n, table);
}

/* Behind the roots of unity the factors e^(-pi i k / 2 n), times a number; `first` stands for it at
 * k = 0. */
static inline void flt_factors_table_f32(int64_t n, double by, double first, float *table)
{
    float *const factor = table + flt_dft_numbers(n);
    flt_dft_table_f32(n, table);
    for (int64_t k = 0; k <= n / 2; k++) {
        const struct flt_root r = flt_root_of(k, 4 * n);
        const double own = k == 0 ? first : by;
        factor[2 * k] = (float)(r.re * own);
        factor[2 * k + 1] = (float)(r.im * own);
    }
}

/* Forward; the way back of complex samples is the way forward of exchanged ones. */
FLT_INLINE void flt_fourier_f32(int norm, int64_t n, int is_back, const float *table, float *panel)
{
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(n);
    const float by = (float)flt_norm_factor(norm, (double)n);
    for (int64_t u = 0; u < n / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const float *const from = panel + 32 * flt_sample(&s, first, i);
            if (is_back)
                flt_exchange_f32(from, a + 32 * (u * s.unit + i), 1);
            else
                flt_place_f32(from, a + 32 * (u * s.unit + i), 1);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k < n; k++)
        if (is_back)
            flt_exchange_f32(a + 32 * k, panel + 32 * k, by);
        else
            flt_place_f32(a + 32 * k, panel + 32 * k, by);
}

FLT_INLINE void flt_fft_f32(int norm, int64_t n, const float *table, float *panel)
{
    flt_fourier_f32(norm, n, 0, table, panel);
}

FLT_INLINE void flt_ifft_f32(int norm, int64_t n, const float *table, float *panel)
{
    flt_fourier_f32(norm, n, 1, table, panel);
}

/* ---- Types 1: a line and its mirror image ---- */

FLT_INLINE void flt_dct1_f32(int norm, int64_t n, const float *table, float *panel)
{
    const int64_t whole = 2 * n - 2;
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(whole);
    const float by = (float)flt_norm_factor(norm, (double)whole);
    const float root = norm == 1 ? (float)1.41421356237309504880 : 1;
    for (int64_t u = 0; u < whole / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_sample(&s, first, i), own = k < n ? k : whole - k;
            flt_place_f32(panel + 32 * own, a + 32 * (u * s.unit + i),
                          own == 0 || own == n - 1 ? root : 1);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k < n; k++)
        flt_place_f32(a + 32 * k, panel + 32 * k, k == 0 || k == n - 1 ? by / root : by);
}

/* The spectrum of an odd line is imaginary, so that parts come out exchanged, one negated. */
FLT_INLINE void flt_dst1_f32(int norm, int64_t n, const float *table, float *panel)
{
    const int64_t whole = 2 * n + 2;
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(whole);
    const float by = (float)flt_norm_factor(norm, (double)whole);
    for (int64_t u = 0; u < whole / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_sample(&s, first, i), own = k <= n ? k : whole - k;
            float *const to = a + 32 * (u * s.unit + i);
            if (own == 0 || own == n + 1)
                flt_clear_f32(to);
            else
                flt_place_f32(panel + 32 * (own - 1), to, k <= n ? 1 : -1);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k < n; k++) {
        flt_exchange_f32(a + 32 * (k + 1), panel + 32 * k, by);
        for (int l = 0; l < 16; l++)
            panel[32 * k + l] = -panel[32 * k + l];
    }
}

/* ---- Types 2: samples of even place, then those of odd place backwards ---- */

/* y_k = w z_k + w* z_n-k and y_n-k = i (w z_k - w* z_n-k), where w* is the conjugate. */
FLT_INLINE void flt_join_f32(const float *FLT_RESTRICT z0, const float *FLT_RESTRICT z1, float c,
                             float s, float *FLT_RESTRICT y0, float *FLT_RESTRICT y1)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const float ar = z0[l] * c - z0[16 + l] * s, ai = z0[l] * s + z0[16 + l] * c;
        const float br = z1[l] * c + z1[16 + l] * s, bi = z1[16 + l] * c - z1[l] * s;
        y0[l] = ar + br;
        y0[16 + l] = ai + bi;
        y1[l] = bi - ai;
        y1[16 + l] = ar - br;
    }
}

/* y_k alone, where the other one is the same or is none. */
FLT_INLINE void flt_join_alone_f32(const float *FLT_RESTRICT z0, const float *FLT_RESTRICT z1,
                                   float c, float s, float *FLT_RESTRICT y0)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const float ar = z0[l] * c - z0[16 + l] * s, ai = z0[l] * s + z0[16 + l] * c;
        const float br = z1[l] * c + z1[16 + l] * s, bi = z1[16 + l] * c - z1[l] * s;
        y0[l] = ar + br;
        y0[16 + l] = ai + bi;
    }
}

static inline void flt_type2_table_f32(int norm, int64_t n, float *table)
{
    const double by = flt_norm_factor(norm, 2 * (double)n);
    flt_factors_table_f32(n, by, norm == 1 ? by / sqrt(2.0) : by, table);
}

/* The sines of a line are the cosines, backwards, of one whose every other sample is negated. */
FLT_INLINE void flt_type2_f32(int64_t n, int is_sine, const float *table, float *panel)
{
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(n);
    const float *const factor = table + flt_dft_numbers(n);
    for (int64_t u = 0; u < n / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_cosine_sample(flt_sample(&s, first, i), n);
            flt_place_f32(panel + 32 * k, a + 32 * (u * s.unit + i), is_sine && k % 2 ? -1 : 1);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k <= n / 2; k++) {
        const int64_t other = n - k, to = is_sine ? n - 1 - k : k;
        const int64_t to_other = is_sine ? n - 1 - other : other;
        const float *const z0 = a + 32 * k, *const z1 = a + 32 * (k ? other : 0);
        if (k == 0 || other == k)
            flt_join_alone_f32(z0, z1, factor[2 * k], factor[2 * k + 1], panel + 32 * to);
        else
            flt_join_f32(z0, z1, factor[2 * k], factor[2 * k + 1], panel + 32 * to,
                         panel + 32 * to_other);
    }
}

FLT_INLINE void flt_dct2_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type2_f32(n, 0, table, panel);
}

FLT_INLINE void flt_dst2_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type2_f32(n, 1, table, panel);
}

/* ---- Types 3: the way back ---- */

static inline void flt_type3_table_f32(int norm, int64_t n, float *table)
{
    const double by = flt_norm_factor(norm, 2 * (double)n);
    flt_factors_table_f32(n, by, norm == 1 ? by * sqrt(2.0) : by, table);
}

/* q_k = w* (y_k - i y_n-k), with its parts exchanged. */
FLT_INLINE void flt_part_f32(const float *FLT_RESTRICT y0, const float *FLT_RESTRICT y1, float c,
                             float s, float *FLT_RESTRICT q)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const float re = y0[l] + y1[16 + l], im = y0[16 + l] - y1[l];
        q[16 + l] = re * c + im * s;
        q[l] = im * c - re * s;
    }
}

/* The same where y_n-k is none. */
FLT_INLINE void flt_part_alone_f32(const float *FLT_RESTRICT y0, float c, float s,
                                   float *FLT_RESTRICT q)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        q[16 + l] = y0[l] * c + y0[16 + l] * s;
        q[l] = y0[16 + l] * c - y0[l] * s;
    }
}

/* mode: 0 cosines; 1 sines, of the line backwards; 2 sines of which sample 0 does not count. */
FLT_INLINE void flt_type3_f32(int64_t n, int mode, float by, const float *table, float *panel)
{
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(n);
    const float *const factor = table + flt_dft_numbers(n);
    for (int64_t u = 0; u < n / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_sample(&s, first, i), other = n - k;
            const float *const w = factor + 2 * (k <= other ? k : other);
            const int is_near = k <= other; /* beyond, the factor is -i times the conjugate */
            const float c = is_near ? w[0] : -w[1], sine = is_near ? w[1] : -w[0];
            const int64_t own = mode == 0 ? k : mode == 1 ? n - 1 - k : other;
            const int64_t opposite = mode == 0 ? other : mode == 1 ? n - 1 - other : k;
            float *const to = a + 32 * (u * s.unit + i);
            if (k == 0 && mode == 2)
                flt_clear_f32(to);
            else if (k == 0)
                flt_part_alone_f32(panel + 32 * own, c, sine, to);
            else
                flt_part_f32(panel + 32 * own, panel + 32 * opposite, c, sine, to);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k < n; k++)
        flt_exchange_f32(a + 32 * flt_cosine_place(k, n), panel + 32 * k, mode && k % 2 ? -by : by);
}

FLT_INLINE void flt_dct3_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type3_f32(n, 0, 1, table, panel);
}

FLT_INLINE void flt_dst3_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type3_f32(n, 1, 1, table, panel);
}

FLT_INLINE void flt_idxst_f32(int norm, int64_t n, const float *table, float *panel)
{
    flt_type3_f32(n, 2, norm == 0 ? 0.5f : 1, table, panel);
}

/* ---- Types 4: every other cosine of a line that goes on with as many zeros ---- */

/* n: twice the samples of a line. */
static inline void flt_type4_table_f32(int norm, int64_t n, float *table)
{
    const double by = flt_norm_factor(norm, (double)n);
    flt_factors_table_f32(n, by, by, table);
}

/* Sines are the cosines of the line backwards, every other one negated. */
FLT_INLINE void flt_type4_f32(int64_t n, int is_sine, const float *table, float *panel)
{
    float *const a = panel + 32 * n;
    const struct flt_steps s = flt_steps_of(2 * n);
    const float *const factor = table + flt_dft_numbers(2 * n);
    for (int64_t u = 0; u < 2 * n / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_cosine_sample(flt_sample(&s, first, i), 2 * n);
            float *const to = a + 32 * (u * s.unit + i);
            if (k < n)
                flt_place_f32(panel + 32 * (is_sine ? n - 1 - k : k), to, 1);
            else
                flt_clear_f32(to);
        }
        flt_take_f32(&s, u, table, a);
    }
    for (int64_t k = 1; k <= n; k += 2) { /* y_k, y_2n-k */
        const float *const z0 = a + 32 * k, *const z1 = a + 32 * (2 * n - k);
        float *const to = panel + 32 * (k / 2), *const to_other = panel + 32 * ((2 * n - k) / 2);
        if (k == n)
            flt_join_alone_f32(z0, z1, factor[2 * k], factor[2 * k + 1], to);
        else
            flt_join_f32(z0, z1, factor[2 * k], factor[2 * k + 1], to, to_other);
    }
    for (int64_t k = 1; is_sine && k < n; k += 2)
        flt_negate_place_f32(panel + 32 * k);
}

FLT_INLINE void flt_dct4_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type4_f32(n, 0, table, panel);
}

FLT_INLINE void flt_dst4_f32(int norm, int64_t n, const float *table, float *panel)
{
    (void)norm;
    flt_type4_f32(n, 1, table, panel);
}

#endif
