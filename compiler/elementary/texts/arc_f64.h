/* Inverse trigonometric functions of f64: all are the angle of a point, given in pairs. */
#ifndef FLTC_ELEMENTARY_TEXTS_ARC_F64_H
#define FLTC_ELEMENTARY_TEXTS_ARC_F64_H

#include "elementary/texts/pair.h"

/* arctan of a pair of at most tan(pi/8). */
FLT_INLINE struct flt_pair flt_atan_kernel(struct flt_pair t)
{
    const double z = t.hi * t.hi;
    double p = 0x1.fbeadea5ed9p-7;
    p = p * z - 0x1.14d65dcac43ffp-5;
    p = p * z + 0x1.7220cbb840cccp-5;
    p = p * z - 0x1.abce98831f0efp-5;
    p = p * z + 0x1.e17f9358a2068p-5;
    p = p * z - 0x1.110d33170c964p-4;
    p = p * z + 0x1.3b137c60730f8p-4;
    p = p * z - 0x1.745d156a3fcc1p-4;
    p = p * z + 0x1.c71c71bcb501ap-4;
    p = p * z - 0x1.2492492481dc6p-3;
    p = p * z + 0x1.9999999999816p-3;
    p = p * z - 0x1.5555555555555p-2;
    return flt_ordered_sum(t.hi, t.hi * z * p + t.lo * (1 - z));
}

/* The angle of (x, y), where 0 <= y <= x and x is not 0. */
FLT_INLINE struct flt_pair flt_angle_kernel(struct flt_pair y, struct flt_pair x)
{
    struct flt_pair quarter_pi = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}, none = {0, 0};
    struct flt_pair quotient = {y.hi / x.hi, 0};
    const double scale = x.hi < 0x1p-500 ? 0x1p500 : x.hi > 0x1p500 ? 0x1p-500 : 1;
    const int tiny = quotient.hi < 0x1p-60;
    x.hi *= scale;
    x.lo *= scale;
    y.hi *= scale;
    y.lo *= scale;
    const int turned = y.hi > 0x1.a827999fcef32p-2 * x.hi; /* tan(pi/8) */
    const struct flt_pair above = flt_pair_choose(turned, flt_pair_add(y, flt_pair_negate(x)), y);
    const struct flt_pair below = flt_pair_choose(turned, flt_pair_add(y, x), x);
    const struct flt_pair angle = flt_pair_add(flt_pair_choose(turned, quarter_pi, none),
                                               flt_atan_kernel(flt_pair_divide(above, below)));
    return flt_pair_choose(tiny, quotient, angle);
}

/* The angle of (x, y), whose signs are given apart; infinite ones too. */
FLT_INLINE double flt_angle(struct flt_pair y, struct flt_pair x, double sign_of_y,
                            double sign_of_x)
{
    struct flt_pair pi = {0x1.921fb54442d18p1, 0x1.1a62633145c07p-53};
    struct flt_pair half_pi = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54};
    struct flt_pair one = {1, 0}, none = {0, 0};
    const int steep = y.hi > x.hi || (y.hi == x.hi && y.lo > x.lo);
    struct flt_pair a = flt_pair_choose(steep, x, y), b = flt_pair_choose(steep, y, x);
    a = flt_pair_choose(b.hi == (double)INFINITY,
                        flt_pair_choose(a.hi == (double)INFINITY, one, none), a);
    b = flt_pair_choose(b.hi == (double)INFINITY || b.hi == 0, one, b);
    struct flt_pair angle = flt_angle_kernel(a, b);
    angle = flt_pair_choose(steep, flt_pair_add(half_pi, flt_pair_negate(angle)), angle);
    angle = flt_pair_choose(copysign(1.0, sign_of_x) < 0, flt_pair_add(pi, flt_pair_negate(angle)),
                            angle);
    return copysign(angle.hi, sign_of_y);
}

FLT_INLINE double flt_atan2_f64(double y, double x)
{
    struct flt_pair height = {fabs(y), 0}, width = {fabs(x), 0};
    return y == y && x == x ? flt_angle(height, width, y, x) : (double)NAN;
}

FLT_INLINE double flt_atan_f64(double x)
{
    return flt_atan2_f64(x, 1);
}

/* sqrt(1 - v^2), for |v| <= 1. */
FLT_INLINE struct flt_pair flt_other_side(double v)
{
    const struct flt_pair square = flt_product(v, v);
    const struct flt_pair rest = flt_ordered_sum(1, -square.hi);
    struct flt_pair root = {sqrt(rest.hi + (rest.lo - square.lo)), 0};
    const struct flt_pair back = flt_product(root.hi, root.hi);
    const double residual = (rest.hi - back.hi) + ((rest.lo - square.lo) - back.lo);
    root.lo = root.hi == 0 ? 0 : residual / (2 * root.hi);
    return root;
}

FLT_INLINE double flt_asin_f64(double x)
{
    struct flt_pair v = {fabs(x), 0};
    return fabs(x) <= 1 ? flt_angle(v, flt_other_side(x), x, 1) : (double)NAN;
}

FLT_INLINE double flt_acos_f64(double x)
{
    struct flt_pair v = {fabs(x), 0};
    return fabs(x) <= 1 ? flt_angle(flt_other_side(x), v, 1, x) : (double)NAN;
}

#endif
