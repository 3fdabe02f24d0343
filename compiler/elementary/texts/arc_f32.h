/* Inverse trigonometric functions of f32, by way of f64: all are the angle of a point. */
#ifndef FLTC_ELEMENTARY_TEXTS_ARC_F32_H
#define FLTC_ELEMENTARY_TEXTS_ARC_F32_H

#include "elementary/texts/bits.h"

/* The angle of (x, y), whose signs are given apart: 0 <= a <= b, both below 2^500, b not 0, are the
 * lesser and the greater of their absolute values. */
FLT_INLINE double flt_angle_part(double a, double b, int steep, double sign_of_y, double sign_of_x)
{
    const double least = 0x1.a827999fcef32p-2 * b; /* tan(pi/8) */
    const double t = (a > least ? a - b : a) / (a > least ? a + b : b), z = t * t;
    double p = 0x1.8440816cf8252p-5;
    p = p * z - 0x1.5b16438bbf9ep-4;
    p = p * z + 0x1.c45ecdc66b52p-4;
    p = p * z - 0x1.247e9cabeb802p-3;
    p = p * z + 0x1.99991608dc87bp-3;
    p = p * z - 0x1.555554c12b21dp-2;
    double angle = (p * z + 1) * t;
    angle = a > least ? 0x1.921fb54442d18p-1 + angle : angle;
    angle = steep ? 0x1.921fb54442d18p0 - angle : angle;
    angle = copysign(1.0, sign_of_x) < 0 ? 0x1.921fb54442d18p1 - angle : angle;
    return copysign(angle, sign_of_y);
}

FLT_INLINE float flt_asin_f32(float x)
{
    const double v = (double)x, a = fabs(v), b = sqrt((1 - a) * (1 + a));
    return (float)flt_angle_part(a < b ? a : b, a < b ? b : a, a >= b, v, 1);
}

FLT_INLINE float flt_acos_f32(float x)
{
    const double v = (double)x, a = fabs(v), b = sqrt((1 - a) * (1 + a));
    return (float)flt_angle_part(a < b ? a : b, a < b ? b : a, a < b, 1, v);
}

FLT_INLINE float flt_atan_f32(float x)
{
    const double v = (double)x, a = fabs(v) > 0x1p200 ? 0x1p200 : fabs(v);
    return (float)flt_angle_part(a > 1 ? 1 : a, a > 1 ? a : 1, a > 1, v, 1);
}

FLT_INLINE float flt_atan2_f32(float y, float x)
{
    const double v = (double)y, w = (double)x, ay = fabs(v), ax = fabs(w);
    double a = ay < ax ? ay : ax, b = ay < ax ? ax : ay;
    a = b > 0x1p1023 ? (a > 0x1p1023 ? 1 : 0) : a;
    b = b > 0x1p1023 || b == 0 ? 1 : b;
    const double angle = flt_angle_part(a, b, ay > ax, v, w);
    return (float)(v == v && w == w ? angle : (double)NAN);
}

#endif
