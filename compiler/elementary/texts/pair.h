/* Sums of two doubles, hi + lo with |lo| at most half a unit of the last place of hi: about 106 bits,
 * made without fused operations, so that every machine has them. Dekker 1971, Knuth's sum. */
#ifndef FLTC_ELEMENTARY_TEXTS_PAIR_H
#define FLTC_ELEMENTARY_TEXTS_PAIR_H

#include "elementary/texts/bits.h"

struct flt_pair {
    double hi, lo;
};

/* a + b, where |a| >= |b| or a is 0. */
FLT_INLINE struct flt_pair flt_ordered_sum(double a, double b)
{
    struct flt_pair r;
    r.hi = a + b;
    r.lo = b - (r.hi - a);
    return r;
}

/* a + b, exactly. */
FLT_INLINE struct flt_pair flt_sum(double a, double b)
{
    struct flt_pair r;
    r.hi = a + b;
    const double of_b = r.hi - a;
    r.lo = (a - (r.hi - of_b)) + (b - of_b);
    return r;
}

/* a b, for |a|, |b| and |a b| within 2^-900 .. 2^900, or 0. */
FLT_INLINE struct flt_pair flt_product(double a, double b)
{
    const double a1 = flt_from_bits(flt_bits(a) & UINT64_C(0xfffffffff8000000)), a2 = a - a1;
    const double b1 = flt_from_bits(flt_bits(b) & UINT64_C(0xfffffffff8000000)), b2 = b - b1;
    struct flt_pair r;
    r.hi = a * b;
    r.lo = ((a1 * b1 - r.hi) + a1 * b2 + a2 * b1) + a2 * b2;
    return r;
}

FLT_INLINE struct flt_pair flt_pair_add(struct flt_pair a, struct flt_pair b)
{
    const struct flt_pair s = flt_sum(a.hi, b.hi);
    return flt_ordered_sum(s.hi, s.lo + (a.lo + b.lo));
}

FLT_INLINE struct flt_pair flt_pair_negate(struct flt_pair a)
{
    a.hi = -a.hi;
    a.lo = -a.lo;
    return a;
}

FLT_INLINE struct flt_pair flt_pair_multiply(struct flt_pair a, struct flt_pair b)
{
    const struct flt_pair p = flt_product(a.hi, b.hi);
    return flt_ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

FLT_INLINE struct flt_pair flt_pair_divide(struct flt_pair a, struct flt_pair b)
{
    const double q = a.hi / b.hi;
    const struct flt_pair p = flt_product(q, b.hi);
    return flt_ordered_sum(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

FLT_INLINE struct flt_pair flt_pair_choose(int condition, struct flt_pair a, struct flt_pair b)
{
    struct flt_pair r;
    r.hi = condition ? a.hi : b.hi;
    r.lo = condition ? a.lo : b.lo;
    return r;
}

#endif
