/* Exponentials of f32, but for e^x by way of f64: v = k ln 2 + r, e^v = 2^k e^r, |r| <= ln 2 / 2. */
#ifndef FLTC_ELEMENTARY_TEXTS_EXPONENTIAL_F32_H
#define FLTC_ELEMENTARY_TEXTS_EXPONENTIAL_F32_H

#include "elementary/texts/bits.h"

/* (e^r - 1) / r within 2^-37, for |r| <= ln 2 / 2. */
FLT_INLINE double flt_exp_part(double r)
{
    double p = 0x1.9fb165d5c5c3ap-16;
    p = p * r + 0x1.a1709d4cae9dfp-13;
    p = p * r + 0x1.6c17b2e18980cp-10;
    p = p * r + 0x1.1110b13e38667p-7;
    p = p * r + 0x1.555554c8eb4f1p-5;
    p = p * r + 0x1.55555573ea51cp-3;
    p = p * r + 0x1.000000002497fp-1;
    return p * r + 1;
}

/* e^v - 1 in parts, for |v| <= 700: r q + 1 is e^r, and the result is 2^k. */
FLT_INLINE double flt_exp_split(double v, double rq[1])
{
    const double shifted = v * 0x1.71547652b82fep0 + 0x1.8p52, k = shifted - 0x1.8p52;
    const double r = (v - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    rq[0] = r * flt_exp_part(r);
    return flt_power_of_two(shifted);
}

/* e^x, in f32 alone: 1 + r rounded, what that leaves, and the rest of the series; 2^k in two factors, for
 * results beyond the normal ones. */
FLT_INLINE float flt_exp_f32(float x)
{
    const float v = x < -104 ? -104 : x > 89 ? 89 : x;
    const float shifted = fmaf(v, 0x1.715476p0f, 0x1.8p23f), k = shifted - 0x1.8p23f;
    const float r = fmaf(k, -0x1.7f7d1cp-20f, fmaf(k, -0x1.62e4p-1f, v));
    float p = 0x1.6a23cep-10f;
    p = fmaf(p, r, 0x1.123a2p-7f);
    p = fmaf(p, r, 0x1.5558f2p-5f);
    p = fmaf(p, r, 0x1.555492p-3f);
    p = fmaf(p, r, 0x1.fffffcp-2f);
    const float sum = 1 + r, rest = fmaf(r * r, p, r - (sum - 1));
    const uint32_t above = flt_bits_f32(shifted) - UINT32_C(0x4b400000) + 256, lower = above >> 1;
    const uint32_t other = above - lower;
    return (sum + rest) * flt_from_bits_f32((lower - 1) << 23) * flt_from_bits_f32((other - 1) << 23);
}

/* 2^v within 2^-36, for any v; least and greatest results are 2^-200 and 2^200. */
FLT_INLINE double flt_exp2_part(double v)
{
    const double limited = v < -200 ? -200 : v > 200 ? 200 : v;
    const double shifted = limited + 0x1.8p52;
    const double r = (limited - (shifted - 0x1.8p52)) * 0x1.62e42fefa39efp-1;
    return flt_power_of_two(shifted) * (1 + r * flt_exp_part(r));
}

FLT_INLINE float flt_exp2_f32(float x)
{
    return (float)flt_exp2_part((double)x);
}

/* e^v - 1, for 0 <= v <= 100. */
FLT_INLINE double flt_expm1_part(double v)
{
    double rq[1];
    const double scale = flt_exp_split(v, rq);
    return scale * rq[0] + (scale - 1);
}

FLT_INLINE float flt_sinh_f32(float x)
{
    const double v = fabs((double)x), e = flt_expm1_part(v > 100 ? 100 : v);
    return (float)copysign(0.5 * (e + e / (e + 1)), (double)x);
}

FLT_INLINE float flt_cosh_f32(float x)
{
    const double v = fabs((double)x), e = 1 + flt_expm1_part(v > 100 ? 100 : v);
    return (float)(0.5 * (e + 1 / e));
}

FLT_INLINE float flt_tanh_f32(float x)
{
    const double v = fabs((double)x), e = flt_expm1_part(v > 20 ? 40 : 2 * v);
    return (float)copysign(e / (e + 2), (double)x);
}

#endif
