/* What IEEE 754 says of logarithms and powers where the logarithm is no number. */
#ifndef FLTC_ELEMENTARY_TEXTS_LOGARITHM_H
#define FLTC_ELEMENTARY_TEXTS_LOGARITHM_H

#include "elementary/texts/bits.h"

/* The logarithm where v is positive and finite is given; elsewhere it is that of IEEE 754. */
FLT_INLINE double flt_log_special(double v, double finite)
{
    const double r = v > 0 ? finite : v == 0 ? -(double)INFINITY : (double)NAN;
    return v == (double)INFINITY ? v : r;
}

/* x^y, where |x|^y is power: a negative x has no power where y is not whole, and a negative one where y
 * is odd. 1 to any power is 1, and so is anything to the power of 0. */
FLT_INLINE double flt_power_special(double x, double y, double power)
{
    const double a = fabs(x), whole = fabs(y) < 0x1p52 ? fabs(y) : 0x1p52;
    const double halved = 0.5 * (fabs(y) < 0x1p53 ? fabs(y) : 0x1p53);
    const double of_odd = (halved + 0x1p52) - 0x1p52 == halved ? power : -power;
    const double broken = a > 0 && a < (double)INFINITY ? (double)NAN : power;
    const double of_negative = (whole + 0x1p52) - 0x1p52 == whole ? of_odd : broken;
    double r = copysign(1.0, x) < 0 ? of_negative : power;
    r = a == 1 && fabs(y) == (double)INFINITY ? 1 : r;
    return x == 1 || y == 0 ? 1 : r;
}

#endif
