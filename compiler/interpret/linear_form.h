/* Integers modulo a power of two: what wraps around may be summed in any order, and before or after
 * it wraps. */
#ifndef FLTC_INTERPRET_LINEAR_FORM_H
#define FLTC_INTERPRET_LINEAR_FORM_H

#include "expr/expr.h"

/* A fingerprint of the integer modulo 2^bits, as a sum of multiples of terms that are not taken
 * apart. print_of gives the fingerprint of each of these; of a sum of too many it is the result. */
uint64_t linear_print(struct arena *scratch, unsigned bits, const struct expr *term,
                      uint64_t (*print_of)(const struct expr *term, void *context), void *context);

#endif
