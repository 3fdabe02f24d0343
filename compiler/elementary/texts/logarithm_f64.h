/* Logarithms of f64 and what is made of them: v = 2^e m with m in sqrt(1/2) .. sqrt(2), s =
 * (m - 1) / (m + 1), ln m = 2 artanh s as a pair, whose error is below 2^-64 of it. */
#ifndef FLTC_ELEMENTARY_TEXTS_LOGARITHM_F64_H
#define FLTC_ELEMENTARY_TEXTS_LOGARITHM_F64_H

#include "elementary/texts/exponential_f64.h"
#include "elementary/texts/logarithm.h"

/* e as the result, and ln m; v is positive and finite. */
FLT_INLINE double flt_log_pair(double v, struct flt_pair *log_m)
{
    const uint64_t sqrt_half = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(1023) << 52;
    const double offset = v < 0x1p-1022 ? 0x1p52 + 1023 + 54 : 0x1p52 + 1023;
    const double normal = v < 0x1p-1022 ? v * 0x1p54 : v;
    const uint64_t above = flt_bits(normal) - sqrt_half + one;
    const double m = flt_from_bits(flt_bits(normal) - (above & UINT64_C(0xfff0000000000000)) + one);
    struct flt_pair above_one = {m - 1, 0};
    const struct flt_pair s = flt_pair_divide(above_one, flt_sum(m, 1));
    const struct flt_pair z = flt_pair_multiply(s, s);
    double p = 0x1.da841491a7b9ap-4;
    p = p * z.hi + 0x1.e01cc783f929ep-4;
    p = p * z.hi + 0x1.111540545fdccp-3;
    p = p * z.hi + 0x1.3b13aa1eb5f1ep-3;
    p = p * z.hi + 0x1.745d173c1370fp-3;
    p = p * z.hi + 0x1.c71c71c74d6acp-3;
    p = p * z.hi + 0x1.24924924922fbp-2;
    p = p * z.hi + 0x1.999999999999ap-2;
    struct flt_pair third = flt_ordered_sum(0x1.5555555555555p-1, p * z.hi);
    third.lo += 0x1.5555555555555p-55;
    const struct flt_pair cubic = flt_pair_multiply(z, third);
    struct flt_pair two = flt_ordered_sum(2, cubic.hi);
    two.lo += cubic.lo;
    *log_m = flt_pair_multiply(s, two);
    return flt_from_bits(above >> 52 | UINT64_C(0x4330000000000000)) - offset;
}

/* e times a constant, in parts whose first has 42 bits, plus a pair. */
FLT_INLINE struct flt_pair flt_log_join(double e, double high, double low, struct flt_pair log_m)
{
    const struct flt_pair s = flt_sum(e * high, log_m.hi);
    return flt_ordered_sum(s.hi, s.lo + (log_m.lo + e * low));
}

FLT_INLINE double flt_log_f64(double x)
{
    struct flt_pair log_m;
    const double e = flt_log_pair(x, &log_m);
    return flt_log_special(x, flt_log_join(e, 0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45, log_m).hi);
}

/* log2 v, for v positive and finite. */
FLT_INLINE struct flt_pair flt_log2_pair(double v)
{
    struct flt_pair log_m, log2_of_e;
    log2_of_e.hi = 0x1.71547652b82fep0;
    log2_of_e.lo = 0x1.777d0ffda0d24p-56;
    const double e = flt_log_pair(v, &log_m);
    return flt_log_join(e, 1, 0, flt_pair_multiply(log_m, log2_of_e));
}

FLT_INLINE double flt_log2_f64(double x)
{
    return flt_log_special(x, flt_log2_pair(x).hi);
}

FLT_INLINE double flt_log10_f64(double x)
{
    struct flt_pair log_m, log10_of_e;
    log10_of_e.hi = 0x1.bcb7b1526e50ep-2;
    log10_of_e.lo = 0x1.95355baaafad3p-57;
    const double e = flt_log_pair(x, &log_m);
    log_m = flt_pair_multiply(log_m, log10_of_e);
    return flt_log_special(x, flt_log_join(e, 0x1.34413509f78p-2, 0x1.fef311f12b358p-46, log_m).hi);
}

FLT_INLINE double flt_pow_f64(double x, double y)
{
    const double a = fabs(x);
    const struct flt_pair log2_a = flt_log2_pair(a);
    const double product = y * flt_log_special(a, log2_a.hi);
    const struct flt_pair p = flt_product(y, log2_a.hi);
    const int small = fabs(product) < 1100;
    const double limited = product < -1100 ? -1100 : product > 1100 ? 1100 : product;
    const double power = flt_exp2_pair(small ? p.hi : limited, small ? p.lo + y * log2_a.lo : 0);
    return flt_power_special(x, y, power);
}

/* One step of Newton's method from an approximation of 36 bits, its residual computed as a pair. */
FLT_INLINE double flt_cbrt_f64(double x)
{
    const double a = fabs(x);
    if (!(a > 0 && a < (double)INFINITY))
        return x;
    const double v = a < 0x1p-600 ? a * 0x1p600 : a > 0x1p600 ? a * 0x1p-600 : a;
    const double back = a < 0x1p-600 ? 0x1p-200 : a > 0x1p600 ? 0x1p200 : 1;
    struct flt_pair log_m;
    const double e = flt_log_pair(v, &log_m); /* before log_m is read */
    const double log2_v = e + log_m.hi * 0x1.71547652b82fep0;
    const double y = flt_exp2_pair(log2_v * 0x1.5555555555555p-2, 0);
    struct flt_pair root = {y, 0};
    const struct flt_pair cube = flt_pair_multiply(flt_product(y, y), root);
    return copysign((y - ((cube.hi - v) + cube.lo) / (3 * y * y)) * back, x);
}

#endif
