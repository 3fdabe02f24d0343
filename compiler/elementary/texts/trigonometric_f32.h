/* Sine, cosine and tangent of f32, by way of f64, without a branch for large arguments: the argument
 * is multiplied by 2/pi in three parts. 24 bits of the argument times 29 of a part are exact, and what
 * is a multiple of four quarter turns is taken out of each product. Where the argument is so large
 * that the first bits of 2/pi give multiples of 4 only, the parts begin further down. */
#ifndef FLTC_ELEMENTARY_TEXTS_TRIGONOMETRIC_F32_H
#define FLTC_ELEMENTARY_TEXTS_TRIGONOMETRIC_F32_H

#include "elementary/texts/bits.h"

/* v less a multiple of 4, in -2 .. 2; |v| < 2^53. */
FLT_INLINE double flt_modulo_4(double v)
{
    return v - ((v + 0x1.8p54) - 0x1.8p54);
}

/* x in quarter turns: x 2/pi = t + k modulo 4 with |t| <= 1/2. The result is k + 0x1.8p52. */
FLT_INLINE double flt_quarter_turns(float x, double t[1])
{
    const double v = (double)x, a = fabs(v);
    double c1 = 0x1.45f306dp-1, c2 = 0x1.9391054p-30, c3 = 0x1.4fe13abe8fa9ap-59;
    c1 = a < 0x1p47 ? c1 : 0x1.b72722p-23;
    c2 = a < 0x1p47 ? c2 : 0x1.529fc27p-52;
    c3 = a < 0x1p47 ? c3 : 0x1.5f47d4d377037p-82;
    c1 = a < 0x1p74 ? c1 : 0x1.529fc24p-52;
    c2 = a < 0x1p74 ? c2 : 0x1.abe8fa9p-79;
    c3 = a < 0x1p74 ? c3 : 0x1.4ddc0db629599p-108;
    c1 = a < 0x1p101 ? c1 : 0x1.d5f47d4p-78;
    c2 = a < 0x1p101 ? c2 : 0x1.a6ee06cp-107;
    c3 = a < 0x1p101 ? c3 : 0x1.b14acc9e21c82p-135;
    const double first = flt_modulo_4(v * c1), second = flt_modulo_4(v * c2);
    const double shifted = (first + second) + 0x1.8p52;
    t[0] = ((first - (shifted - 0x1.8p52)) + second) + v * c3;
    return shifted;
}

/* sin(pi/2 t) and cos(pi/2 t) for |t| <= 1/2, within 2^-33. */
FLT_INLINE double flt_sin_part(double t)
{
    const double z = t * t;
    double p = 0x1.4bc1da22664cep-13;
    p = p * z - 0x1.32ca8399c7019p-8;
    p = p * z + 0x1.466bba884eb51p-4;
    p = p * z - 0x1.4abbce5647dfap-1;
    return (p * z + 0x1.921fb5443af1ep0) * t;
}

FLT_INLINE double flt_cos_part(double t)
{
    const double z = t * t;
    double p = 0x1.d9cdf9fe60929p-11;
    p = p * z - 0x1.55c5c10d9d0e1p-6;
    p = p * z + 0x1.03c1dd47db2a9p-2;
    p = p * z - 0x1.3bd3cc7a919d1p0;
    return p * z + 1;
}

/* The sine or, one quarter turn on, the cosine. */
FLT_INLINE double flt_sine_at(double t, uint64_t quarter)
{
    const uint64_t odd = flt_bits(flt_cos_part(t)), even = flt_bits(flt_sin_part(t));
    const uint64_t mask = 0 - (quarter & 1);
    return flt_from_bits(((odd & mask) | (even & ~mask)) ^ (quarter & 2) << 62);
}

FLT_INLINE float flt_sin_f32(float x)
{
    double t[1];
    const uint64_t quarter = flt_bits(flt_quarter_turns(x, t));
    return (float)flt_sine_at(t[0], quarter);
}

FLT_INLINE float flt_cos_f32(float x)
{
    double t[1];
    const uint64_t quarter = flt_bits(flt_quarter_turns(x, t));
    return (float)flt_sine_at(t[0], quarter + 1);
}

FLT_INLINE float flt_tan_f32(float x)
{
    double t[1];
    const uint64_t quarter = flt_bits(flt_quarter_turns(x, t));
    return (float)(flt_sine_at(t[0], quarter & 1) / flt_sine_at(t[0], (quarter & 1) + 1));
}

#endif
