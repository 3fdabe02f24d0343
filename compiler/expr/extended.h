/* What SCALAR_EXTENDED is computed in: long double; 128 bits where FLTC_QUAD is defined, for tests
 * whose reference has to be better than what they look for. */
#ifndef FLTC_EXPR_EXTENDED_H
#define FLTC_EXPR_EXTENDED_H

#ifdef FLTC_QUAD
#include <quadmath.h>
__extension__ typedef __float128 extended_real;
#define EXTENDED(function) function##q
#else
#include <math.h>
typedef long double extended_real;
#define EXTENDED(function) function##l
#endif

#endif
