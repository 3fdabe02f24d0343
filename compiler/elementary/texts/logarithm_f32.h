/* Logarithms of f32, by way of f64: v = 2^e m with m in sqrt(1/2) .. sqrt(2), s = (m - 1) / (m + 1),
 * ln m = 2 artanh s. What is made of logarithms: powers and cube roots. */
#ifndef FLTC_ELEMENTARY_TEXTS_LOGARITHM_F32_H
#define FLTC_ELEMENTARY_TEXTS_LOGARITHM_F32_H

#include "elementary/texts/exponential_f32.h"
#include "elementary/texts/logarithm.h"

/* e as the result, and ln m within 2^-43 of itself; v is positive and normal. */
FLT_INLINE double flt_log_split(double v, double log_m[1])
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(1023) << 52;
    const uint64_t above = flt_bits(v) - sqrt_half + one; /* its exponent field is e + 1023 */
    const double m = flt_from_bits(flt_bits(v) - (above & UINT64_C(0xfff0000000000000)) + one);
    const double s = (m - 1) / (m + 1), z = s * s;
    double p = 0x1.8c8eccead8822p-3;
    p = p * z + 0x1.c67ab133fe30cp-3;
    p = p * z + 0x1.24932444109ap-2;
    p = p * z + 0x1.999998ca6dd94p-2;
    p = p * z + 0x1.5555555564f9fp-1;
    log_m[0] = s * (2 + z * p);
    return flt_from_bits(above >> 52 | UINT64_C(0x4330000000000000)) - (0x1p52 + 1023);
}

FLT_INLINE float flt_log_f32(float x)
{
    double log_m[1];
    const double e = flt_log_split((double)x, log_m);
    return (float)flt_log_special((double)x, e * 0x1.62e42fefa39efp-1 + log_m[0]);
}

/* log2 v for any v of f32. */
FLT_INLINE double flt_log2_part(double v)
{
    double log_m[1];
    const double e = flt_log_split(v, log_m);
    return flt_log_special(v, e + log_m[0] * 0x1.71547652b82fep0);
}

FLT_INLINE float flt_log2_f32(float x)
{
    return (float)flt_log2_part((double)x);
}

FLT_INLINE float flt_log10_f32(float x)
{
    double log_m[1];
    const double e = flt_log_split((double)x, log_m);
    return (float)flt_log_special((double)x,
                                  e * 0x1.34413509f79ffp-2 + log_m[0] * 0x1.bcb7b1526e50ep-2);
}

FLT_INLINE float flt_pow_f32(float x, float y)
{
    const double v = (double)x, w = (double)y;
    return (float)flt_power_special(v, w, flt_exp2_part(w * flt_log2_part(fabs(v))));
}

FLT_INLINE float flt_cbrt_f32(float x)
{
    const double v = (double)x;
    return (float)copysign(flt_exp2_part(flt_log2_part(fabs(v)) * 0x1.5555555555555p-2), v);
}

#endif
