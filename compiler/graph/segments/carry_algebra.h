/* Arithmetic on states: sums of products, either in f64 or of integers modulo 2^32. Narrower
 * integers that wrap are stored in 32 bits. */
#ifndef FLTC_GRAPH_SEGMENTS_CARRY_ALGEBRA_H
#define FLTC_GRAPH_SEGMENTS_CARRY_ALGEBRA_H

#include "expr/expr.h"

struct carry_algebra {
    enum scalar element; /* of a state */
    bool wraps;
};
extern const struct carry_algebra carry_reals, carry_integers;

/* The additive and multiplicative identities. scalar: any type of the algebra. */
const struct expr *carry_zero(struct expr_pool *pool, enum scalar scalar);
const struct expr *carry_one(struct expr_pool *pool, const struct carry_algebra *algebra);
/* factor × sample + rest, as an element. rest: NULL for 0. */
const struct expr *carry_step(struct expr_pool *pool, const struct carry_algebra *algebra,
                              const struct expr *factor, const struct expr *sample,
                              const struct expr *rest);
/* Converts an element to a sample of the type, or a sample to an element. */
const struct expr *carry_convert(struct expr_pool *pool, const struct carry_algebra *algebra,
                                 enum scalar scalar, const struct expr *value);

#endif
