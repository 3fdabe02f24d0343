/* Exponentials of f64: v = k ln 2 + r, e^v = 2^k e^r, |r| <= ln 2 / 2, with r in a pair. */
#ifndef FLTC_ELEMENTARY_TEXTS_EXPONENTIAL_F64_H
#define FLTC_ELEMENTARY_TEXTS_EXPONENTIAL_F64_H

#include "elementary/texts/pair.h"

/* e^r - 1. */
FLT_INLINE struct flt_pair flt_expm1_kernel(struct flt_pair r)
{
    double p = 0x1.1f99227fe3046p-29;
    p = p * r.hi + 0x1.af6ae93bd591fp-26;
    p = p * r.hi + 0x1.27e4c32ab0ad7p-22;
    p = p * r.hi + 0x1.71ddf0d4c646cp-19;
    p = p * r.hi + 0x1.a01a01b1ca80bp-16;
    p = p * r.hi + 0x1.a01a01b322a04p-13;
    p = p * r.hi + 0x1.6c16c16c141fdp-10;
    p = p * r.hi + 0x1.111111110ed98p-7;
    p = p * r.hi + 0x1.555555555555ap-5;
    p = p * r.hi + 0x1.555555555555bp-3;
    const struct flt_pair square = flt_product(r.hi, r.hi);
    const struct flt_pair sum = flt_ordered_sum(r.hi, 0.5 * square.hi);
    return flt_ordered_sum(
        sum.hi, sum.lo + (square.hi * r.hi * p + (0.5 * square.lo + (r.lo + r.lo * r.hi))));
}

/* The k of v, for |v| < 2^20; *r is the rest. */
FLT_INLINE double flt_exp_reduce(double v, struct flt_pair *r)
{
    const double k = (v * 0x1.71547652b82fep0 + 0x1.8p52) - 0x1.8p52;
    *r = flt_sum(v - k * 0x1.62e42fefa38p-1, -(k * 0x1.ef35793c7673p-45));
    return k;
}

/* v 2^k, for |k| < 2000. */
FLT_INLINE double flt_scale(double v, double k)
{
    const double lower = (0.5 * k + 0x1.8p52) - 0x1.8p52;
    return v * flt_power_of_two(lower + 0x1.8p52) * flt_power_of_two((k - lower) + 0x1.8p52);
}

FLT_INLINE double flt_exp_f64(double x)
{
    struct flt_pair r;
    const double k = flt_exp_reduce(x < -750 ? -750 : x > 720 ? 720 : x, &r);
    const struct flt_pair q = flt_expm1_kernel(r), s = flt_ordered_sum(1, q.hi);
    return flt_scale(s.hi + (s.lo + q.lo), k);
}

/* 2^(v + low), with |low| much less than 1, for |v| < 2^20. */
FLT_INLINE double flt_exp2_pair(double v, double low)
{
    struct flt_pair ln2, rest;
    ln2.hi = 0x1.62e42fefa39efp-1;
    ln2.lo = 0x1.abc9e3b39803fp-56;
    const double k = (v + 0x1.8p52) - 0x1.8p52;
    rest = flt_sum(v - k, low);
    const struct flt_pair q = flt_expm1_kernel(flt_pair_multiply(rest, ln2));
    const struct flt_pair s = flt_ordered_sum(1, q.hi);
    return flt_scale(s.hi + (s.lo + q.lo), k);
}

FLT_INLINE double flt_exp2_f64(double x)
{
    return flt_exp2_pair(x < -1100 ? -1100 : x > 1100 ? 1100 : x, 0);
}

/* e^v - 1, for 0 <= v <= 100. */
FLT_INLINE struct flt_pair flt_expm1_pair(double v)
{
    struct flt_pair r;
    const double scale = flt_power_of_two(flt_exp_reduce(v, &r) + 0x1.8p52);
    struct flt_pair q = flt_expm1_kernel(r);
    q.hi *= scale;
    q.lo *= scale;
    const struct flt_pair s = flt_sum(scale - 1, q.hi);
    return flt_ordered_sum(s.hi, s.lo + q.lo);
}

/* e^v / 2, for 36 < v. */
FLT_INLINE double flt_half_exp(double v)
{
    struct flt_pair r;
    const double k = flt_exp_reduce(v > 720 ? 720 : v, &r);
    const struct flt_pair q = flt_expm1_kernel(r), s = flt_ordered_sum(1, q.hi);
    return flt_scale(s.hi + (s.lo + q.lo), k - 1);
}

FLT_INLINE double flt_sinh_f64(double x)
{
    const double v = fabs(x);
    if (v > 36)
        return copysign(flt_half_exp(v), x);
    struct flt_pair one = {1, 0};
    const struct flt_pair e = flt_expm1_pair(v);
    const struct flt_pair twice = flt_pair_add(e, flt_pair_divide(e, flt_pair_add(e, one)));
    return copysign(0.5 * twice.hi, x);
}

FLT_INLINE double flt_cosh_f64(double x)
{
    const double v = fabs(x);
    if (v > 36)
        return flt_half_exp(v);
    struct flt_pair one = {1, 0};
    const struct flt_pair e = flt_pair_add(flt_expm1_pair(v), one);
    return 0.5 * flt_pair_add(e, flt_pair_divide(one, e)).hi;
}

FLT_INLINE double flt_tanh_f64(double x)
{
    struct flt_pair two = {2, 0};
    const struct flt_pair e = flt_expm1_pair(fabs(x) > 22 ? 44 : 2 * fabs(x));
    return copysign(flt_pair_divide(e, flt_pair_add(e, two)).hi, x);
}

#endif
