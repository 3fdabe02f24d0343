/* Sums of coefficient × atom + constant over integer expressions. An atom is whatever is not a sum,
 * a difference or a multiple: a variable, an extent, a quotient, a minimum, a gather. */
#ifndef FLTC_EXPR_AFFINE_H
#define FLTC_EXPR_AFFINE_H

#include "expr/expr.h"

enum { AFFINE_TERMS = 12 };

struct affine {
    bool exact; /* false: too many terms, or coefficients beyond 2^40; nothing else is valid then */
    int64_t constant;
    unsigned count;
    struct {
        const struct expr *atom;
        int64_t coefficient; /* not 0 */
    } term[AFFINE_TERMS];    /* in the order of their atoms: what changes in outer loops first */
};

struct affine affine_from(const struct expr *node);
struct affine affine_sum(struct affine a, struct affine b, int64_t factor_of_b);
int64_t affine_coefficient(const struct affine *form, const struct expr *atom);
/* Whether it is made of variables alone. */
bool affine_of_variables(const struct affine *form);
/* The form without the atom. */
struct affine affine_without(struct affine form, const struct expr *atom);
const struct expr *affine_build(struct expr_pool *pool, const struct affine *form);
/* The expression in normal form: (n - 1) + 1 becomes n. Only for coordinates and extents, whose
 * regrouped parts stay within 64 bits. */
const struct expr *affine_normal(struct expr_pool *pool, const struct expr *node);

struct affine_bound { /* least <= variable <= greatest */
    const struct expr *variable, *least, *greatest;
};

/* Whether the form is at least 0 for all values of its atoms, those of bounded variables being
 * within their bounds. "false" means: not proved. Quotients, minima and maxima are bounded by their
 * operands. */
bool affine_is_nonnegative(struct affine form, unsigned count, const struct affine_bound bound[]);
/* The same where the facts, each of which is at least 0, are known besides. */
bool affine_follows(struct affine form, unsigned count, const struct affine_bound bound[],
                    size_t fact_count, const struct affine fact[]);
/* The greatest common divisor of two numbers of 0 or more. */
int64_t greatest_divisor(int64_t a, int64_t b);
/* a <= b, proved. */
bool affine_at_most(const struct expr *a, const struct expr *b);

/* An index as floor(numerator / denominator), denominator ≥ 1:  x/2 + 1  is  (x + 2) / 2. */
struct scaled_index {
    struct affine numerator;
    int64_t denominator;
};
struct scaled_index affine_index(const struct expr *index);

#endif
