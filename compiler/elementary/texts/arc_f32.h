/* Inverse trigonometric functions of f32, by way of f64: all are the angle of a point. */
#ifndef FLTC_ELEMENTARY_TEXTS_ARC_F32_H
#define FLTC_ELEMENTARY_TEXTS_ARC_F32_H

#include "elementary/texts/bits.h"

/* The angle of (x, y), whose coordinates are 0, infinite, or within 2^-300 .. 2^300; NaN where one is. */
FLT_INLINE double flt_angle_part(double y, double x)
{
    const double ay = fabs(y), ax = fabs(x);
    double a = ay < ax ? ay : ax, b = ay < ax ? ax : ay;
    a = b > 0x1p1023 ? (a > 0x1p1023 ? 1 : 0) : a;
    b = b > 0x1p1023 || b == 0 ? 1 : b;
    const int turned = a > 0x1.a827999fcef32p-2 * b; /* tan(pi/8) */
    const double t = (turned ? a - b : a) / (turned ? a + b : b), z = t * t;
    double p = 0x1.8440816cf8252p-5;
    p = p * z - 0x1.5b16438bbf9ep-4;
    p = p * z + 0x1.c45ecdc66b52p-4;
    p = p * z - 0x1.247e9cabeb802p-3;
    p = p * z + 0x1.99991608dc87bp-3;
    p = p * z - 0x1.555554c12b21dp-2;
    double angle = (p * z + 1) * t;
    angle = turned ? 0x1.921fb54442d18p-1 + angle : angle;
    angle = ay > ax ? 0x1.921fb54442d18p0 - angle : angle;
    angle = flt_bits(x) >> 63 ? 0x1.921fb54442d18p1 - angle : angle;
    return y == y && x == x ? copysign(angle, y) : (double)NAN;
}

FLT_INLINE float flt_asin_f32(float x)
{
    const double v = (double)x;
    return (float)flt_angle_part(v, sqrt((1 - v) * (1 + v)));
}

FLT_INLINE float flt_acos_f32(float x)
{
    const double v = (double)x;
    return (float)flt_angle_part(sqrt((1 - v) * (1 + v)), v);
}

FLT_INLINE float flt_atan_f32(float x)
{
    return (float)flt_angle_part((double)x, 1);
}

FLT_INLINE float flt_atan2_f32(float y, float x)
{
    return (float)flt_angle_part((double)y, (double)x);
}

#endif
