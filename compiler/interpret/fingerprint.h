/* Fingerprints of terms, modulo the prime 2^61 - 1. Terms that a rule below makes equal have the
 * same one; terms that differ have the same one by chance alone, with a probability below 2^-40 for
 * each two that are compared.
 *
 * Integers are exact, so their sums and products are those of numbers modulo the prime, in which
 * samples stand for random numbers (Schwartz, Zippel): any order of terms, and any distribution,
 * gives the same fingerprint. A truth is 0 or 1, select(c, a, b) is b + c (a - b). The least and
 * the greatest of several are told by the set of these. Of floats, which round, a + b is b + a,
 * a - b is a + -b, and the sign of a factor is that of the product. All else is a function of the
 * fingerprints of its operands, by a random function for each operation. */
#ifndef FLTC_INTERPRET_FINGERPRINT_H
#define FLTC_INTERPRET_FINGERPRINT_H

#include "expr/expr.h"

struct fingerprints {
    struct arena *arena;
    struct fingerprint *of; /* by id of the expression */
    size_t capacity;
};

uint64_t fingerprint_of(struct fingerprints *prints, const struct expr *term);

#endif
