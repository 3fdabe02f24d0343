/* Sine, cosine and tangent of f64. Up to 2^20 a multiple of pi/2 is subtracted in three parts; beyond,
 * the argument is multiplied by as many bits of 2/pi as its exponent asks for (Payne, Hanek 1983). */
#ifndef FLTC_ELEMENTARY_TEXTS_TRIGONOMETRIC_F64_H
#define FLTC_ELEMENTARY_TEXTS_TRIGONOMETRIC_F64_H

#include "elementary/texts/pair.h"

/* v 2/pi modulo 4 in units of 2^-190, as six words, the lowest first; 2^20 <= v < infinity. */
static void flt_large_quarter_turns(double v, uint32_t turns[6])
{
    /* 64 bits 0, then those of 2/pi behind the point. */
    static const uint32_t two_over_pi[40] = {
        0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
        0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
        0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
        0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
        0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
        0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
    const uint64_t bits = flt_bits(v);
    const uint64_t digits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    const int place = (int)(bits >> 52) - 1075 + 62; /* of the first bit that matters */
    const uint32_t part[2] = {(uint32_t)digits, (uint32_t)(digits >> 32)};
    uint32_t window[6];
    for (int i = 0; i < 6; i++) {
        const int word = place / 32 + 5 - i;
        const uint64_t two = (uint64_t)two_over_pi[word] << 32 | two_over_pi[word + 1];
        window[i] = (uint32_t)(two >> (32 - place % 32));
        turns[i] = 0;
    }
    for (int h = 0; h < 2; h++) {
        uint64_t carry = 0;
        for (int i = h; i < 6; i++) {
            carry += (uint64_t)part[h] * window[i - h] + turns[i];
            turns[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* v = k pi/2 + r with |r| <= pi/4. Returns k modulo 4. */
static int flt_reduce_large(double v, struct flt_pair *r)
{
    uint32_t t[6];
    flt_large_quarter_turns(v, t);
    const int up = (int)(t[5] >> 29 & 1), k = (int)(t[5] >> 30) + up;
    /* The fraction, less 1 where it is above 1/2: its bits turned, but for one unit. */
    const uint32_t turn = up ? 0xffffffff : 0;
    const uint64_t first = (uint64_t)((t[5] ^ turn) & 0x3fffffff) << 23 | (t[4] ^ turn) >> 9;
    const uint64_t second = (uint64_t)((t[4] ^ turn) & 0x1ff) << 44 |
                            (uint64_t)(t[3] ^ turn) << 12 | (t[2] ^ turn) >> 20;
    const uint64_t third = (uint64_t)((t[2] ^ turn) & 0xfffff) << 32 | (t[1] ^ turn);
    const struct flt_pair sum = flt_ordered_sum((double)first * 0x1p-53, (double)second * 0x1p-106);
    struct flt_pair fraction = flt_ordered_sum(sum.hi, sum.lo + (double)third * 0x1p-158);
    struct flt_pair half_pi = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
    *r = flt_pair_multiply(up ? flt_pair_negate(fraction) : fraction, half_pi);
    return k & 3;
}

/* The same for |v| < 2^20. */
FLT_INLINE int flt_reduce_small(double v, struct flt_pair *r)
{
    const double shifted = v * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = shifted - 0x1.8p52;
    const struct flt_pair first = flt_sum(v, -(k * 0x1.921fb544p0));
    const struct flt_pair second = flt_sum(first.hi, -(k * 0x1.0b4611a6p-34));
    *r = flt_sum(second.hi, (first.lo + second.lo) - k * 0x1.3198a2e037073p-69);
    return (int)(flt_bits(shifted) & 3);
}

FLT_INLINE int flt_reduce(double v, struct flt_pair *r)
{
    if (fabs(v) < 0x1p20)
        return flt_reduce_small(v, r);
    const int k = flt_reduce_large(fabs(v), r);
    if (v > 0)
        return k;
    *r = flt_pair_negate(*r);
    return -k & 3;
}

/* sin r and cos r, for |r| <= pi/4. */
FLT_INLINE struct flt_pair flt_sin_kernel(struct flt_pair r)
{
    const double z = r.hi * r.hi;
    double p = -0x1.8dc64a67232a4p-41;
    p = p * z + 0x1.60e69e6281394p-33;
    p = p * z - 0x1.ae63f919e7f3ap-26;
    p = p * z + 0x1.71de3a10e39bcp-19;
    p = p * z - 0x1.a01a019fe8e22p-13;
    p = p * z + 0x1.111111111101fp-7;
    p = p * z - 0x1.5555555555555p-3;
    return flt_ordered_sum(r.hi, r.hi * z * p + (r.lo - 0.5 * z * r.lo));
}

FLT_INLINE struct flt_pair flt_cos_kernel(struct flt_pair r)
{
    const struct flt_pair square = flt_product(r.hi, r.hi);
    const double z = square.hi;
    double p = -0x1.90732aa61f99fp-37;
    p = p * z + 0x1.1eeb57599cfe8p-29;
    p = p * z - 0x1.27e4fa0275783p-22;
    p = p * z + 0x1.a01a019f37ebfp-16;
    p = p * z - 0x1.6c16c16c168c9p-10;
    p = p * z + 0x1.5555555555555p-5;
    const struct flt_pair parabola = flt_ordered_sum(1, -0.5 * z);
    return flt_ordered_sum(parabola.hi,
                           parabola.lo + (z * z * p - (0.5 * square.lo + r.hi * r.lo)));
}

/* The sine of r + k pi/2. */
FLT_INLINE double flt_sine_of(struct flt_pair r, int k)
{
    const double v = k & 1 ? flt_cos_kernel(r).hi : flt_sin_kernel(r).hi;
    return k & 2 ? -v : v;
}

FLT_INLINE double flt_sin_f64(double x)
{
    struct flt_pair r;
    if (!(fabs(x) < (double)INFINITY))
        return (double)NAN;
    const int k = flt_reduce(x, &r);
    return x == 0 ? x : flt_sine_of(r, k);
}

FLT_INLINE double flt_cos_f64(double x)
{
    struct flt_pair r;
    if (!(fabs(x) < (double)INFINITY))
        return (double)NAN;
    const int k = flt_reduce(x, &r);
    return flt_sine_of(r, k + 1);
}

FLT_INLINE double flt_tan_f64(double x)
{
    struct flt_pair r;
    if (!(fabs(x) < (double)INFINITY))
        return (double)NAN;
    if (fabs(x) < 0x1p-30)
        return x;
    const int k = flt_reduce(x, &r);
    const struct flt_pair sine = flt_sin_kernel(r), cosine = flt_cos_kernel(r);
    return k & 1 ? flt_pair_divide(flt_pair_negate(cosine), sine).hi
                 : flt_pair_divide(sine, cosine).hi;
}

#endif
