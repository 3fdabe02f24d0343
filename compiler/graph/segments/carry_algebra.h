/* What the states of chains are made of, and how one follows from another: sums of products in f64,
 * or of integers modulo 2^32, which those of fewer bits are held in, too. */
#ifndef FLTC_GRAPH_SEGMENTS_CARRY_ALGEBRA_H
#define FLTC_GRAPH_SEGMENTS_CARRY_ALGEBRA_H

#include "expr/expr.h"

struct carry_algebra {
    enum scalar element; /* of a state */
    bool wraps;
};
extern const struct carry_algebra carry_reals, carry_integers;

/* 0, or what else is neither less nor more, of any type of the algebra; and 1 as an element. */
const struct expr *carry_zero(struct expr_pool *pool, enum scalar scalar);
const struct expr *carry_one(struct expr_pool *pool, const struct carry_algebra *algebra);
/* factor × sample + rest, an element; rest may be NULL. */
const struct expr *carry_step(struct expr_pool *pool, const struct carry_algebra *algebra,
                              const struct expr *factor, const struct expr *sample,
                              const struct expr *rest);
/* An element as a sample of that type, or the other way round. */
const struct expr *carry_convert(struct expr_pool *pool, const struct carry_algebra *algebra,
                                 enum scalar scalar, const struct expr *value);

#endif
