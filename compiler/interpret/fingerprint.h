/* Fingerprints of terms, modulo the prime 2^61 - 1. Terms that a rule below makes equal have the
 * same one; terms that differ have the same one by chance alone, with a probability below 2^-40 for
 * each two that are compared.
 *
 * Integers are exact, so their sums and products are those of numbers modulo the prime, in which
 * samples stand for random numbers (Schwartz, Zippel): any order of terms, and any distribution,
 * gives the same fingerprint. A truth is 0 or 1, select(c, a, b) is b + c (a - b). The least and
 * the greatest of several are told by the set of these. Of floats, which round, a + b is b + a,
 * a - b is a + -b, and the sign of a factor is that of the product. All else is a function of the
 * fingerprints of its operands, by a random function for each operation.
 *
 * Each term has a second one, in which choices stand outside: f(select(c, a, b), select(c, d, e))
 * is select(c, f(a, d), f(b, e)), for chains of guards, too. Two terms are equal that have the same
 * first or the same second one. */
#ifndef FLTC_INTERPRET_FINGERPRINT_H
#define FLTC_INTERPRET_FINGERPRINT_H

#include "expr/expr.h"

struct fingerprints {
    struct expr_pool *pool; /* of the terms */
    struct arena *arena;
    struct readings *of; /* by id of the expression */
    size_t capacity;
};

/* Of the term and all that it is made of. */
void fingerprint_make(struct fingerprints *prints, const struct expr *term);
/* Of an integer modulo 2^bits: sums that wrap around have one in any order. */
uint64_t fingerprint_modulo(struct fingerprints *prints, unsigned bits, const struct expr *term);
/* Whether the two are equal by either reading of what they choose. */
bool fingerprints_equal(struct fingerprints *prints, const struct expr *a, const struct expr *b);

#endif
