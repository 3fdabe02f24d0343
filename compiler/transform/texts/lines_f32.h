/* Transforms of lines side by side in f32; the same in f64 is made of this text. A complex place is
 * the real parts of all lanes, then the imaginary ones. Steps after Stockham: each reads one buffer
 * and writes the other, so that samples are in order at the end. Lines with a large prime factor
 * after Bluestein 1970; cosines after Makhoul 1980, with a real line in each part of the samples.
 * No fused operations, sums in one order: the bits are the same everywhere. */
#ifndef FLTC_TRANSFORM_TEXTS_LINES_F32_H
#define FLTC_TRANSFORM_TEXTS_LINES_F32_H

#include "transform/texts/roots.h"

/* A step of two places: x0 + x1, (x0 - x1) w. */
FLT_INLINE void flt_step2_f32(int lanes, const float *FLT_RESTRICT x0, const float *FLT_RESTRICT x1,
                              float *FLT_RESTRICT y0, float *FLT_RESTRICT y1, const float w[])
{
    FLT_SIMD
    for (int l = 0; l < lanes; l++) {
        const float r = x0[l] - x1[l], i = x0[lanes + l] - x1[lanes + l];
        y0[l] = x0[l] + x1[l];
        y0[lanes + l] = x0[lanes + l] + x1[lanes + l];
        y1[l] = r * w[0] - i * w[1];
        y1[lanes + l] = r * w[1] + i * w[0];
    }
}

/* Three places; w: the factors of the second and the third. place: from one of the result to the
 * next. */
FLT_INLINE void flt_step3_f32(int lanes, const float *FLT_RESTRICT x0, const float *FLT_RESTRICT x1,
                              const float *FLT_RESTRICT x2, float *FLT_RESTRICT y, ptrdiff_t place,
                              const float w[])
{
    const float half_root = (float)0.86602540378443864676;
    FLT_SIMD
    for (int l = 0; l < lanes; l++) {
        const float sr = x1[l] + x2[l], si = x1[lanes + l] + x2[lanes + l];
        const float dr = half_root * (x1[l] - x2[l]);
        const float di = half_root * (x1[lanes + l] - x2[lanes + l]);
        const float mr = x0[l] - 0.5f * sr, mi = x0[lanes + l] - 0.5f * si;
        const float ar = mr + di, ai = mi - dr, br = mr - di, bi = mi + dr;
        y[l] = x0[l] + sr;
        y[lanes + l] = x0[lanes + l] + si;
        y[place + l] = ar * w[0] - ai * w[1];
        y[place + lanes + l] = ar * w[1] + ai * w[0];
        y[2 * place + l] = br * w[2] - bi * w[3];
        y[2 * place + lanes + l] = br * w[3] + bi * w[2];
    }
}

/* Four places, the same. */
FLT_INLINE void flt_step4_f32(int lanes, const float *FLT_RESTRICT x0, const float *FLT_RESTRICT x1,
                              const float *FLT_RESTRICT x2, const float *FLT_RESTRICT x3,
                              float *FLT_RESTRICT y, ptrdiff_t place, const float w[])
{
    FLT_SIMD
    for (int l = 0; l < lanes; l++) {
        const float ar = x0[l] + x2[l], ai = x0[lanes + l] + x2[lanes + l];
        const float br = x0[l] - x2[l], bi = x0[lanes + l] - x2[lanes + l];
        const float cr = x1[l] + x3[l], ci = x1[lanes + l] + x3[lanes + l];
        const float dr = x1[l] - x3[l], di = x1[lanes + l] - x3[lanes + l];
        const float pr = br + di, pi = bi - dr, qr = ar - cr, qi = ai - ci;
        const float sr = br - di, si = bi + dr;
        y[l] = ar + cr;
        y[lanes + l] = ai + ci;
        y[place + l] = pr * w[0] - pi * w[1];
        y[place + lanes + l] = pr * w[1] + pi * w[0];
        y[2 * place + l] = qr * w[2] - qi * w[3];
        y[2 * place + lanes + l] = qr * w[3] + qi * w[2];
        y[3 * place + l] = sr * w[4] - si * w[5];
        y[3 * place + lanes + l] = sr * w[5] + si * w[4];
    }
}

/* Any number of places: the sum of all, times the roots of unity of that number, for place u of the
 * result. from: from one place of the line to the next that is read. */
FLT_INLINE void flt_step_any_f32(int lanes, int step, int u, const float *FLT_RESTRICT x,
                                 ptrdiff_t from, const float *root, int64_t apart,
                                 float *FLT_RESTRICT y, const float w[])
{
    float re[32], im[32];
    for (int l = 0; l < lanes; l++) {
        re[l] = x[l];
        im[l] = x[lanes + l];
    }
    for (int r = 1; r < step; r++) {
        const float *FLT_RESTRICT const v = x + r * from;
        const float c = root[2 * (r * u % step * apart)], s = root[2 * (r * u % step * apart) + 1];
        FLT_SIMD
        for (int l = 0; l < lanes; l++) {
            re[l] = re[l] + (v[l] * c - v[lanes + l] * s);
            im[l] = im[l] + (v[l] * s + v[lanes + l] * c);
        }
    }
    FLT_SIMD
    for (int l = 0; l < lanes; l++) {
        y[l] = re[l] * w[0] - im[l] * w[1];
        y[lanes + l] = re[l] * w[1] + im[l] * w[0];
    }
}

/* One step of all places: a part of n / step of the line at a time, `done` of which stand side by
 * side. */
FLT_INLINE void flt_pass_f32(int lanes, int step, int64_t n, int64_t done, const float *root,
                             const float *FLT_RESTRICT from, float *FLT_RESTRICT to)
{
    const int64_t length = n / done, m = length / step, place = 2 * lanes;
    for (int64_t a = 0; a < m; a++) {
        float w[2 * 13];
        for (int u = 1; u < step; u++) {
            w[2 * u - 2] = root[2 * (a * u * done)];
            w[2 * u - 1] = root[2 * (a * u * done) + 1];
        }
        for (int64_t q = 0; q < done; q++) {
            const float *const x = from + (q + done * a) * place;
            float *const y = to + (q + done * step * a) * place;
            const ptrdiff_t next = (ptrdiff_t)(done * m * place),
                            behind = (ptrdiff_t)(done * place);
            const float one[2] = {1, 0};
            if (step == 4)
                flt_step4_f32(lanes, x, x + next, x + 2 * next, x + 3 * next, y, behind, w);
            else if (step == 3)
                flt_step3_f32(lanes, x, x + next, x + 2 * next, y, behind, w);
            else if (step == 2)
                flt_step2_f32(lanes, x, x + next, y, y + behind, w);
            else
                for (int u = 0; u < step; u++)
                    flt_step_any_f32(lanes, step, u, x, next, root, n / step, y + u * behind,
                                     u ? w + 2 * u - 2 : one);
        }
    }
}

/* The complex transform of a line whose length has steps: a's, into a or b; where it is. Lines of
 * blocks have straight code. */
FLT_INLINE float *flt_steps_f32(int lanes, int64_t n, const float *root, float *a, float *b)
{
    if (n == 8) {
        flt_pass_f32(lanes, 4, 8, 1, root, a, b);
        flt_pass_f32(lanes, 2, 8, 4, root, b, a);
        return a;
    }
    if (n == 16) {
        flt_pass_f32(lanes, 4, 16, 1, root, a, b);
        flt_pass_f32(lanes, 4, 16, 4, root, b, a);
        return a;
    }
    int64_t done = 1;
    while (done < n) {
        const int step = flt_step(n / done);
        float *const written = b;
        if (step == 4)
            flt_pass_f32(lanes, 4, n, done, root, a, b);
        else if (step == 3)
            flt_pass_f32(lanes, 3, n, done, root, a, b);
        else if (step == 2)
            flt_pass_f32(lanes, 2, n, done, root, a, b);
        else
            flt_pass_f32(lanes, step, n, done, root, a, b);
        b = a;
        a = written;
        done *= step;
    }
    return a;
}

/* The same of 16 lines: compiled once for each level of processor, for all that call it. */
static inline float *flt_lines_base_f32(int64_t n, const float *root, float *a, float *b)
{
    return flt_steps_f32(16, n, root, a, b);
}
#ifdef FLT_V3
FLT_V3 static float *flt_lines_v3_f32(int64_t n, const float *root, float *a, float *b)
{
    return flt_steps_f32(16, n, root, a, b);
}
#endif
#ifdef FLT_V4
FLT_V4 static float *flt_lines_v4_f32(int64_t n, const float *root, float *a, float *b)
{
    return flt_steps_f32(16, n, root, a, b);
}
#endif

static inline float *flt_lines_f32(int64_t n, const float *root, float *a, float *b)
{
#ifdef FLT_V4
    if (FLT_CPU >= 4)
        return flt_lines_v4_f32(n, root, a, b);
#endif
#ifdef FLT_V3
    if (FLT_CPU >= 3)
        return flt_lines_v3_f32(n, root, a, b);
#endif
    return flt_lines_base_f32(n, root, a, b);
}

/* to = from times c + i s. */
FLT_INLINE void flt_times_f32(int lanes, const float *from, float *to, float c, float s)
{
    FLT_SIMD
    for (int l = 0; l < lanes; l++) {
        const float re = from[l], im = from[lanes + l];
        to[l] = re * c - im * s;
        to[lanes + l] = re * s + im * c;
    }
}

/* The same of any line: sum over n of x_n c_n times c_(k-n)^-1, a convolution over m samples. */
static inline float *flt_dft_f32(int64_t n, const float *table, float *a, float *b)
{
    const int64_t m = flt_steps_length(n), place = 32;
    if (m == n)
        return flt_lines_f32(n, table, a, b);
    const float *const chirp = table + 2 * m, *const filter = chirp + 2 * n;
    for (int64_t k = 0; k < n; k++)
        flt_times_f32(16, a + k * place, a + k * place, chirp[2 * k], chirp[2 * k + 1]);
    for (int64_t i = n * place; i < m * place; i++)
        a[i] = 0;
    float *const z = flt_lines_f32(m, table, a, b);
    float *const other = z == a ? b : a;
    for (int64_t k = 0; k < m; k++) { /* conjugated, for the way back */
        flt_times_f32(16, z + k * place, z + k * place, filter[2 * k], filter[2 * k + 1]);
        for (int l = 0; l < 16; l++)
            z[k * place + 16 + l] = -z[k * place + 16 + l];
    }
    float *const y = flt_lines_f32(m, table, z, other);
    for (int64_t k = 0; k < n; k++) {
        for (int l = 0; l < 16; l++)
            y[k * place + 16 + l] = -y[k * place + 16 + l];
        flt_times_f32(16, y + k * place, y + k * place, chirp[2 * k], chirp[2 * k + 1]);
    }
    return y;
}

/* Roots, and what lines without steps need; the last in the table's own memory, as one line. */
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
    const float *const made = flt_steps_f32(1, m, table, filter, work);
    for (int64_t i = 0; i < 2 * m; i++)
        filter[i] = made[i];
}

#endif
