/* Recurrences with limits: values clamp(factor × s + offset, least, greatest). Composing such
 * values gives a value of the same form, for any limits:
 *     s[x] = max(in[x], s[x - 1])    s[x] : i32 = min(in[x], s[x - 1] + 1)    s[x] : u8 = s[x - 1] + in[x] */
#ifndef FLTC_GRAPH_RECURRENCE_CLAMPED_FORM_H
#define FLTC_GRAPH_RECURRENCE_CLAMPED_FORM_H

#include "expr/expr.h"

struct clamped_form {
    const struct expr *load;      /* s */
    const struct expr *factor;    /* in f64, above 0, up to 1; NULL: 1 */
    const struct expr *offset;    /* in f64, of samples, too; NULL: 0 */
    bool has_least, has_greatest; /* limits exist: the value for s below, or above, all samples */
};

/* Finds this form of the value over the one load for which is_term holds; false if there is none,
 * or if composing steps would change bits. Floats that are not declared fast must not be rounded,
 * so only extrema are possible for them: all greatest or all least, with s as the second operand,
 * max(r, s), so that s stays if r is NaN or a zero of the other sign. */
bool clamped_form_of(struct expr_pool *pool, struct arena *arena, const struct expr *value,
                     bool (*is_term)(const struct expr *load, void *context), void *context,
                     struct clamped_form *form);

#endif
