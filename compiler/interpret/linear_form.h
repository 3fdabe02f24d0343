/* Integers modulo a power of two: what wraps around may be summed in any order, and before or after
 * it wraps. */
#ifndef FLTC_INTERPRET_LINEAR_FORM_H
#define FLTC_INTERPRET_LINEAR_FORM_H

#include "interpret/fingerprint.h"

/* A fingerprint of the integer modulo 2^bits, as a sum of multiples of terms that are not taken
 * apart, whose own fingerprints are known. Of sums of too many the fingerprint is that of the term
 * itself. */
uint64_t linear_print(struct fingerprints *prints, unsigned bits, const struct expr *term);

#endif
