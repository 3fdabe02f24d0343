/* Transforms of 16 lines side by side in f32; the same in f64 is made of this text. A complex place
 * is the real parts of all lines, then the imaginary ones. Samples come in the order of turned
 * digits (roots.h), so that steps leave their results in order where they found what they joined.
 * Lines with a large prime factor after Bluestein 1970. No fused operations, sums in one order: the
 * bits are the same everywhere. */
#ifndef FLTC_TRANSFORM_TEXTS_LINES_F32_H
#define FLTC_TRANSFORM_TEXTS_LINES_F32_H

#include "transform/texts/roots.h"

struct flt_complex_f32 {
    float re, im;
};

FLT_INLINE struct flt_complex_f32 flt_pair_f32(float re, float im)
{
    struct flt_complex_f32 pair;
    pair.re = re;
    pair.im = im;
    return pair;
}

FLT_INLINE struct flt_complex_f32 flt_sum_f32(struct flt_complex_f32 a, struct flt_complex_f32 b)
{
    return flt_pair_f32(a.re + b.re, a.im + b.im);
}

FLT_INLINE struct flt_complex_f32 flt_difference_f32(struct flt_complex_f32 a,
                                                     struct flt_complex_f32 b)
{
    return flt_pair_f32(a.re - b.re, a.im - b.im);
}

/* Times -i. */
FLT_INLINE struct flt_complex_f32 flt_turned_f32(struct flt_complex_f32 a)
{
    return flt_pair_f32(a.im, -a.re);
}

FLT_INLINE struct flt_complex_f32 flt_product_f32(struct flt_complex_f32 a, float c, float s)
{
    return flt_pair_f32(a.re * c - a.im * s, a.re * s + a.im * c);
}

FLT_INLINE struct flt_complex_f32 flt_scaled_f32(struct flt_complex_f32 a, float by)
{
    return flt_pair_f32(a.re * by, a.im * by);
}

/* A place of line l, times the factor at hand where there are some. */
FLT_INLINE struct flt_complex_f32 flt_get_f32(const float *x, int l, const float w[],
                                              int has_factors)
{
    const struct flt_complex_f32 pair = flt_pair_f32(x[l], x[16 + l]);
    return has_factors ? flt_product_f32(pair, w[0], w[1]) : pair;
}

FLT_INLINE void flt_put_f32(float *x, int l, struct flt_complex_f32 pair)
{
    x[l] = pair.re;
    x[16 + l] = pair.im;
}

/* ---- Steps: places x, x + next, … become their transform. w: factors of the second and on ---- */

FLT_INLINE void flt_step2_f32(float *x, ptrdiff_t next, const float w[], int has_factors)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 a = flt_get_f32(x, l, w, 0);
        const struct flt_complex_f32 b = flt_get_f32(x + next, l, w, has_factors);
        flt_put_f32(x, l, flt_sum_f32(a, b));
        flt_put_f32(x + next, l, flt_difference_f32(a, b));
    }
}

FLT_INLINE void flt_step3_f32(float *x, ptrdiff_t next, const float w[], int has_factors)
{
    const float half_root = (float)0.86602540378443864676;
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 a = flt_get_f32(x, l, w, 0);
        const struct flt_complex_f32 b = flt_get_f32(x + next, l, w, has_factors);
        const struct flt_complex_f32 c = flt_get_f32(x + 2 * next, l, w + 2, has_factors);
        const struct flt_complex_f32 both = flt_sum_f32(b, c);
        const struct flt_complex_f32 mean = flt_difference_f32(a, flt_scaled_f32(both, 0.5f));
        const struct flt_complex_f32 turn =
            flt_scaled_f32(flt_turned_f32(flt_difference_f32(b, c)), half_root);
        flt_put_f32(x, l, flt_sum_f32(a, both));
        flt_put_f32(x + next, l, flt_sum_f32(mean, turn));
        flt_put_f32(x + 2 * next, l, flt_difference_f32(mean, turn));
    }
}

FLT_INLINE void flt_step5_f32(float *x, ptrdiff_t next, const float w[], int has_factors)
{
    const float c1 = (float)0.30901699437494742410, s1 = (float)0.95105651629515357212;
    const float c2 = (float)-0.80901699437494742410, s2 = (float)0.58778525229247312917;
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 a = flt_get_f32(x, l, w, 0);
        const struct flt_complex_f32 b = flt_get_f32(x + next, l, w, has_factors);
        const struct flt_complex_f32 c = flt_get_f32(x + 2 * next, l, w + 2, has_factors);
        const struct flt_complex_f32 d = flt_get_f32(x + 3 * next, l, w + 4, has_factors);
        const struct flt_complex_f32 e = flt_get_f32(x + 4 * next, l, w + 6, has_factors);
        const struct flt_complex_f32 p = flt_sum_f32(b, e), q = flt_sum_f32(c, d);
        const struct flt_complex_f32 r = flt_turned_f32(flt_difference_f32(b, e));
        const struct flt_complex_f32 s = flt_turned_f32(flt_difference_f32(c, d));
        const struct flt_complex_f32 near =
            flt_sum_f32(a, flt_sum_f32(flt_scaled_f32(p, c1), flt_scaled_f32(q, c2)));
        const struct flt_complex_f32 far =
            flt_sum_f32(a, flt_sum_f32(flt_scaled_f32(p, c2), flt_scaled_f32(q, c1)));
        const struct flt_complex_f32 near_turn =
            flt_sum_f32(flt_scaled_f32(r, s1), flt_scaled_f32(s, s2));
        const struct flt_complex_f32 far_turn =
            flt_difference_f32(flt_scaled_f32(r, s2), flt_scaled_f32(s, s1));
        flt_put_f32(x, l, flt_sum_f32(a, flt_sum_f32(p, q)));
        flt_put_f32(x + next, l, flt_sum_f32(near, near_turn));
        flt_put_f32(x + 2 * next, l, flt_sum_f32(far, far_turn));
        flt_put_f32(x + 3 * next, l, flt_difference_f32(far, far_turn));
        flt_put_f32(x + 4 * next, l, flt_difference_f32(near, near_turn));
    }
}

FLT_INLINE void flt_step4_f32(float *x, ptrdiff_t next, const float w[], int has_factors)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 a = flt_get_f32(x, l, w, 0);
        const struct flt_complex_f32 b = flt_get_f32(x + next, l, w, has_factors);
        const struct flt_complex_f32 c = flt_get_f32(x + 2 * next, l, w + 2, has_factors);
        const struct flt_complex_f32 d = flt_get_f32(x + 3 * next, l, w + 4, has_factors);
        const struct flt_complex_f32 p = flt_sum_f32(a, c), q = flt_difference_f32(a, c);
        const struct flt_complex_f32 r = flt_sum_f32(b, d);
        const struct flt_complex_f32 s = flt_turned_f32(flt_difference_f32(b, d));
        flt_put_f32(x, l, flt_sum_f32(p, r));
        flt_put_f32(x + next, l, flt_sum_f32(q, s));
        flt_put_f32(x + 2 * next, l, flt_difference_f32(p, r));
        flt_put_f32(x + 3 * next, l, flt_difference_f32(q, s));
    }
}

/* The even places and the odd ones as steps of four, then both together. */
FLT_INLINE void flt_step8_f32(float *x, ptrdiff_t next, const float w[], int has_factors)
{
    const float root = (float)0.70710678118654752440;
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 a = flt_get_f32(x, l, w, 0);
        const struct flt_complex_f32 b = flt_get_f32(x + 2 * next, l, w + 2, has_factors);
        const struct flt_complex_f32 c = flt_get_f32(x + 4 * next, l, w + 6, has_factors);
        const struct flt_complex_f32 d = flt_get_f32(x + 6 * next, l, w + 10, has_factors);
        const struct flt_complex_f32 e = flt_get_f32(x + next, l, w, has_factors);
        const struct flt_complex_f32 f = flt_get_f32(x + 3 * next, l, w + 4, has_factors);
        const struct flt_complex_f32 g = flt_get_f32(x + 5 * next, l, w + 8, has_factors);
        const struct flt_complex_f32 h = flt_get_f32(x + 7 * next, l, w + 12, has_factors);
        const struct flt_complex_f32 even_p = flt_sum_f32(a, c), even_q = flt_difference_f32(a, c);
        const struct flt_complex_f32 even_r = flt_sum_f32(b, d);
        const struct flt_complex_f32 even_s = flt_turned_f32(flt_difference_f32(b, d));
        const struct flt_complex_f32 y0 = flt_sum_f32(even_p, even_r),
                                     y1 = flt_sum_f32(even_q, even_s);
        const struct flt_complex_f32 y2 = flt_difference_f32(even_p, even_r),
                                     y3 = flt_difference_f32(even_q, even_s);
        const struct flt_complex_f32 odd_p = flt_sum_f32(e, g), odd_q = flt_difference_f32(e, g);
        const struct flt_complex_f32 odd_r = flt_sum_f32(f, h);
        const struct flt_complex_f32 odd_s = flt_turned_f32(flt_difference_f32(f, h));
        const struct flt_complex_f32 z0 = flt_sum_f32(odd_p, odd_r), v1 = flt_sum_f32(odd_q, odd_s);
        const struct flt_complex_f32 v2 = flt_difference_f32(odd_p, odd_r),
                                     v3 = flt_difference_f32(odd_q, odd_s);
        const struct flt_complex_f32 z1 = flt_scaled_f32(flt_sum_f32(v1, flt_turned_f32(v1)), root);
        const struct flt_complex_f32 z2 = flt_turned_f32(v2);
        const struct flt_complex_f32 z3 =
            flt_scaled_f32(flt_difference_f32(flt_turned_f32(v3), v3), root);
        flt_put_f32(x, l, flt_sum_f32(y0, z0));
        flt_put_f32(x + next, l, flt_sum_f32(y1, z1));
        flt_put_f32(x + 2 * next, l, flt_sum_f32(y2, z2));
        flt_put_f32(x + 3 * next, l, flt_sum_f32(y3, z3));
        flt_put_f32(x + 4 * next, l, flt_difference_f32(y0, z0));
        flt_put_f32(x + 5 * next, l, flt_difference_f32(y1, z1));
        flt_put_f32(x + 6 * next, l, flt_difference_f32(y2, z2));
        flt_put_f32(x + 7 * next, l, flt_difference_f32(y3, z3));
    }
}

/* An odd number of places, two that lie as far from both ends at a time. root: of unity, of that
 * number, `apart` pairs from one to the next. */
FLT_INLINE void flt_step_odd_f32(int step, float *x, ptrdiff_t next, const float w[],
                                 const float *root, int64_t apart)
{
    float first[32], both[6][32], turn[6][32], mean[32], side[32];
    const int pairs = step / 2;
    for (int l = 0; l < 32; l++)
        first[l] = mean[l] = x[l];
    for (int r = 0; r < pairs; r++) {
        const float *const near = x + (r + 1) * next, *const far = x + (step - 1 - r) * next;
        FLT_SIMD
        for (int l = 0; l < 16; l++) {
            const struct flt_complex_f32 a = flt_get_f32(near, l, w + 2 * r, 1);
            const struct flt_complex_f32 b = flt_get_f32(far, l, w + 2 * (step - 2 - r), 1);
            const struct flt_complex_f32 sum = flt_sum_f32(a, b);
            const struct flt_complex_f32 turned = flt_turned_f32(flt_difference_f32(a, b));
            both[r][l] = sum.re;
            both[r][16 + l] = sum.im;
            turn[r][l] = turned.re;
            turn[r][16 + l] = turned.im;
        }
        FLT_SIMD
        for (int l = 0; l < 32; l++)
            mean[l] = mean[l] + both[r][l];
    }
    for (int l = 0; l < 32; l++)
        x[l] = mean[l];
    for (int u = 1; u <= pairs; u++) {
        for (int l = 0; l < 32; l++) {
            mean[l] = first[l];
            side[l] = 0;
        }
        for (int r = 0; r < pairs; r++) {
            const int64_t at = 2 * ((r + 1) * u % step * apart);
            const float c = root[at], s = -root[at + 1];
            FLT_SIMD
            for (int l = 0; l < 32; l++) {
                mean[l] = mean[l] + both[r][l] * c;
                side[l] = side[l] + turn[r][l] * s;
            }
        }
        float *const near = x + u * next, *const far = x + (step - u) * next;
        FLT_SIMD
        for (int l = 0; l < 32; l++) {
            near[l] = mean[l] + side[l];
            far[l] = mean[l] - side[l];
        }
    }
}

/* ---- All steps ---- */

/* `step` parts of m places each become one. apart: pairs of roots from one of the whole to the
 * next. */
FLT_INLINE void flt_parts_f32(int step, int64_t m, const float *root, int64_t apart, float *x)
{
    const ptrdiff_t next = (ptrdiff_t)m * 32;
    for (int64_t j = 0; j < m; j++) {
        float w[2 * 12];
        for (int r = 1; r < step; r++) {
            w[2 * r - 2] = root[2 * (j * r * apart)];
            w[2 * r - 1] = root[2 * (j * r * apart) + 1];
        }
        float *const at = x + j * 32;
        if (step == 4)
            flt_step4_f32(at, next, w, 1);
        else if (step == 8)
            flt_step8_f32(at, next, w, 1);
        else if (step == 2)
            flt_step2_f32(at, next, w, 1);
        else if (step == 3)
            flt_step3_f32(at, next, w, 1);
        else if (step == 5)
            flt_step5_f32(at, next, w, 1);
        else
            flt_step_odd_f32(step, at, next, w, root, m * apart);
    }
}

FLT_INLINE void flt_take_step_f32(int step, int64_t m, const float *root, int64_t apart, float *x)
{
    const float none[14] = {0};
    if (step == 4 && m == 1)
        flt_step4_f32(x, 32, none, 0);
    else if (step == 8 && m == 1)
        flt_step8_f32(x, 32, none, 0);
    else if (step == 4)
        flt_parts_f32(4, m, root, apart, x);
    else if (step == 8)
        flt_parts_f32(8, m, root, apart, x);
    else if (step == 2)
        flt_parts_f32(2, m, root, apart, x);
    else if (step == 3)
        flt_parts_f32(3, m, root, apart, x);
    else if (step == 5)
        flt_parts_f32(5, m, root, apart, x);
    else
        flt_parts_f32(step, m, root, apart, x);
}

/* The steps within a unit whose samples are there, and all that it completes. */
FLT_INLINE void flt_unit_f32(const struct flt_steps *s, int64_t unit, const float *root, float *a)
{
    float *const own = a + unit * s->unit * 32;
    int64_t m = 1, complete = unit + 1;
    int k = 0;
    for (; k < s->of_unit; m *= s->step[k++])
        for (int64_t at = 0; at < s->unit; at += m * s->step[k])
            flt_take_step_f32(s->step[k], m, root, s->n / (m * s->step[k]), own + at * 32);
    for (; k < s->count && complete % s->step[k] == 0; m *= s->step[k++]) {
        complete /= s->step[k];
        flt_take_step_f32(s->step[k], m, root, s->n / (m * s->step[k]),
                          a + (complete - 1) * m * s->step[k] * 32);
    }
}

/* Compiled once for each level of processor, for all that call it. */
static inline void flt_unit_base_f32(const struct flt_steps *s, int64_t unit, const float *root,
                                     float *a)
{
    flt_unit_f32(s, unit, root, a);
}
#ifdef FLT_V3
FLT_V3 static void flt_unit_v3_f32(const struct flt_steps *s, int64_t unit, const float *root,
                                   float *a)
{
    flt_unit_f32(s, unit, root, a);
}
#endif
#ifdef FLT_V4
FLT_V4 static void flt_unit_v4_f32(const struct flt_steps *s, int64_t unit, const float *root,
                                   float *a)
{
    flt_unit_f32(s, unit, root, a);
}
#endif

static inline void flt_steps_f32(const struct flt_steps *s, int64_t unit, const float *root,
                                 float *a)
{
#ifdef FLT_V4
    if (FLT_CPU >= 4) {
        flt_unit_v4_f32(s, unit, root, a);
        return;
    }
#endif
#ifdef FLT_V3
    if (FLT_CPU >= 3) {
        flt_unit_v3_f32(s, unit, root, a);
        return;
    }
#endif
    flt_unit_base_f32(s, unit, root, a);
}

/* to = from times c + i s. */
FLT_INLINE void flt_times_f32(const float *from, float *to, float c, float s)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++)
        flt_put_f32(to, l, flt_product_f32(flt_pair_f32(from[l], from[16 + l]), c, s));
}

/* The conjugate of that. */
FLT_INLINE void flt_times_back_f32(const float *from, float *to, float c, float s)
{
    FLT_SIMD
    for (int l = 0; l < 16; l++) {
        const struct flt_complex_f32 p =
            flt_product_f32(flt_pair_f32(from[l], from[16 + l]), c, s);
        flt_put_f32(to, l, flt_pair_f32(p.re, -p.im));
    }
}

/* A line without steps: sum over n of x_n c_n times c_(k-n)^-1, a convolution over m samples. From
 * a, by b, to a. */
static inline void flt_any_line_f32(int64_t n, const float *table, float *a, float *b)
{
    const int64_t m = flt_steps_length(n);
    const struct flt_steps s = flt_steps_of(m);
    const float *const chirp = table + 2 * m, *const filter = chirp + 2 * n;
    for (int64_t u = 0; u < m / s.unit; u++) {
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_sample(&s, first, i);
            float *const to = b + (u * s.unit + i) * 32;
            for (int l = 0; l < 32 && k >= n; l++)
                to[l] = 0;
            if (k < n)
                flt_times_f32(a + k * 32, to, chirp[2 * k], chirp[2 * k + 1]);
        }
        flt_steps_f32(&s, u, table, b);
    }
    for (int64_t u = 0; u < m / s.unit; u++) { /* conjugated, for the way back */
        const int64_t first = flt_first_sample(&s, u);
        for (int64_t i = 0; i < s.unit; i++) {
            const int64_t k = flt_sample(&s, first, i);
            flt_times_back_f32(b + k * 32, a + (u * s.unit + i) * 32, filter[2 * k],
                               filter[2 * k + 1]);
        }
        flt_steps_f32(&s, u, table, a);
    }
    for (int64_t k = 0; k < n; k++)
        flt_times_back_f32(a + k * 32, a + k * 32, chirp[2 * k], -chirp[2 * k + 1]);
}

/* A unit of lines whose samples are there; with the last one they are transformed. Behind places
 * that are enough for the steps lie as many again, of lines without. */
static inline void flt_take_f32(const struct flt_steps *s, int64_t unit, const float *table,
                                float *a)
{
    if (s->is_whole)
        flt_any_line_f32(s->n, table, a, a + flt_steps_length(s->n) * 32);
    else
        flt_steps_f32(s, unit, table, a);
}

/* ---- The table: roots, and what lines without steps need ---- */

/* One line, in the table's own memory, as its definition in steps says. */
static inline float *flt_alone_f32(int64_t n, const float *root, float *a, float *b)
{
    for (int64_t done = 1, step; done < n; done *= step) {
        step = flt_step(n / done);
        const int64_t m = n / done / step;
        for (int64_t j = 0; j < m; j++)
            for (int64_t q = 0; q < done; q++)
                for (int64_t u = 0; u < step; u++) {
                    float re = 0, im = 0;
                    for (int64_t r = 0; r < step; r++) {
                        const int64_t from = 2 * (q + done * (j + r * m));
                        const int64_t at = 2 * (r * u % step * (n / step));
                        re += a[from] * root[at] - a[from + 1] * root[at + 1];
                        im += a[from] * root[at + 1] + a[from + 1] * root[at];
                    }
                    const float *const w = root + 2 * (j * u * done);
                    float *const to = b + 2 * (q + done * (step * j + u));
                    to[0] = re * w[0] - im * w[1];
                    to[1] = re * w[1] + im * w[0];
                }
        float *const other = a;
        a = b;
        b = other;
    }
    return a;
}

static inline void flt_dft_table_f32(int64_t n, float *table)
{
    const int64_t m = flt_steps_length(n);
    for (int64_t k = 0; k < m; k++) {
        const struct flt_root r = flt_root_of(k, m);
        table[2 * k] = (float)r.re;
        table[2 * k + 1] = (float)r.im;
    }
    if (m == n)
        return;
    float *const chirp = table + 2 * m, *const filter = chirp + 2 * n, *const work = filter + 2 * m;
    for (int64_t i = 0; i < 2 * m; i++)
        filter[i] = 0;
    for (int64_t k = 0; k < n; k++) {
        const struct flt_root r = flt_root_of(k * k % (2 * n), 2 * n);
        const int64_t back = k ? m - k : 0;
        chirp[2 * k] = (float)r.re;
        chirp[2 * k + 1] = (float)r.im;
        filter[2 * k] = filter[2 * back] = (float)(r.re / (double)m);
        filter[2 * k + 1] = filter[2 * back + 1] = (float)(-r.im / (double)m);
    }
    const float *const made = flt_alone_f32(m, table, filter, work);
    for (int64_t i = 0; i < 2 * m; i++)
        filter[i] = made[i];
}

#endif
