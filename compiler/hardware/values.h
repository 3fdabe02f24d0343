/* Expressions in the few operations that a pipe has. */
#ifndef FLTC_HARDWARE_VALUES_H
#define FLTC_HARDWARE_VALUES_H

#include "hardware/shape.h"

struct values {
    struct arena *arena, *scratch;
    struct expr_pool *pool;
    struct refusal *refusal;
    const struct stage *stage; /* whose expressions these are */
};

/* Reductions written out, medians as networks; no conversion but CONVERT_WRAP and that of bool;
 * quotients and remainders by constants alone, none but of powers of two; shifts by constants as
 * products and quotients. A refusal where it cannot be; the result is valid all the same. */
const struct expr *value_expanded(struct values *v, const struct expr *value);
/* The sum of the terms, of which there is one at least, in pairs, and expanded. */
const struct expr *value_total(struct values *v, size_t count, const struct expr *const term[]);
/* The value with axis variables and the like replaced, all at once. */
const struct expr *value_substituted(struct values *v, const struct expr *value, size_t count,
                                     const struct expr_substitution by[]);
/* choice[index - first], of `count`; the index is one of them. */
const struct expr *value_picked(struct values *v, const struct expr *index, int64_t first,
                                size_t count, const struct expr *const choice[]);
/* What a border rule makes of an index along an axis first … first + extent - 1; NULL where it
 * needs more than a minimum and a maximum. Of NONE: the index. */
const struct expr *value_clamped(struct values *v, const struct expr *index, enum border_rule rule,
                                 int64_t first, int64_t extent);

#endif
