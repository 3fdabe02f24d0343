#include "graph/segments/carry_algebra.h"

const struct carry_algebra carry_reals = {.element = SCALAR_F64, .wraps = false};
/* With a sign, so that products stay within 64 bits. */
const struct carry_algebra carry_integers = {.element = SCALAR_I32, .wraps = true};

const struct expr *carry_zero(struct expr_pool *pool, enum scalar scalar)
{
    return scalar_is_float(scalar) ? expr_real(pool, scalar, 0) : expr_integer(pool, 0);
}

const struct expr *carry_one(struct expr_pool *pool, const struct carry_algebra *algebra)
{
    return algebra->wraps ? expr_integer(pool, 1) : expr_real(pool, algebra->element, 1);
}

const struct expr *carry_step(struct expr_pool *pool, const struct carry_algebra *algebra,
                              const struct expr *factor, const struct expr *sample,
                              const struct expr *rest)
{
    const struct expr *const fused[3] = {factor, sample, rest};
    if (!algebra->wraps)
        return rest ? expr_operation(pool, EXPR_FUSED, 3, fused)
                    : expr_binary(pool, EXPR_MULTIPLY, factor, sample);
    const struct expr *sum = expr_binary(pool, EXPR_MULTIPLY, factor, sample);
    sum = rest ? expr_binary(pool, EXPR_ADD, sum, rest) : sum;
    return expr_convert(pool, CONVERT_WRAP, algebra->element, sum);
}

const struct expr *carry_convert(struct expr_pool *pool, const struct carry_algebra *algebra,
                                 enum scalar scalar, const struct expr *value)
{
    const bool whole = scalar_is_float(value->scalar) && !scalar_is_float(scalar);
    return value->scalar == scalar ? value
                                   : expr_convert(pool,
                                                  algebra->wraps ? CONVERT_WRAP
                                                  : whole        ? CONVERT_ROUND
                                                                 : CONVERT_EXACT,
                                                  scalar, value);
}
