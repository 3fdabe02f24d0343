/* Expressions in the few operations that pipes support. */
#ifndef FLTC_HARDWARE_VALUES_H
#define FLTC_HARDWARE_VALUES_H

#include "hardware/shape.h"

struct values {
    struct arena *arena, *scratch;
    struct expr_pool *pool;
    struct refusal *refusal;
    const struct stage *stage; /* whose expressions these are */
};

/* Expands a value: reductions are unrolled, medians become networks; only CONVERT_WRAP and
 * conversions of bool remain; quotients and remainders are only by constant powers of two; constant
 * shifts become products and quotients. Notes a refusal if that is impossible; the result is valid
 * in any case. */
const struct expr *value_expanded(struct values *v, const struct expr *value);
/* The expanded sum of the terms, added in pairs. count >= 1. */
const struct expr *value_total(struct values *v, size_t count, const struct expr *const term[]);
/* The value with variables replaced, all at once. */
const struct expr *value_substituted(struct values *v, const struct expr *value, size_t count,
                                     const struct expr_substitution by[]);
/* choice[index - first], of `count`; the index is one of them. */
const struct expr *value_picked(struct values *v, const struct expr *index, int64_t first,
                                size_t count, const struct expr *const choice[]);
/* The index after a border rule along an axis first … first + extent - 1; NULL if that needs more
 * than a minimum and a maximum. For NONE: the index itself. */
const struct expr *value_clamped(struct values *v, const struct expr *index, enum border_rule rule,
                                 int64_t first, int64_t extent);

#endif
