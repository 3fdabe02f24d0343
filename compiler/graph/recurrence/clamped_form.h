/* Values that follow another one up to limits: clamp(factor × s + offset, least, greatest). One
 * after another they make such a value again, whatever the limits are:
 *     s[x] = max(in[x], s[x - 1])    s[x] : i32 = min(in[x], s[x - 1] + 1)    s[x] : u8 = s[x - 1] + in[x] */
#ifndef FLTC_GRAPH_RECURRENCE_CLAMPED_FORM_H
#define FLTC_GRAPH_RECURRENCE_CLAMPED_FORM_H

#include "expr/expr.h"

struct clamped_form {
    const struct expr *load;   /* s */
    const struct expr *factor; /* in f64, above 0, up to 1; NULL: 1 */
    const struct expr *offset; /* in f64, of samples, too; NULL: 0 */
    bool has_least,
        has_greatest; /* there are limits: what the value makes of less, or more, than all */
};

/* The value in this form over the one load for which is_term holds; false where it has none, or
 * where its steps together would be other bits than one by one. Floats that are not declared fast
 * do not round, so they are extrema alone, either greatest or least, and of s second, max(r, s): s
 * stays where r is no number, or 0 of the other sign. */
bool clamped_form_of(struct expr_pool *pool, struct arena *arena, const struct expr *value,
                     bool (*is_term)(const struct expr *load, void *context), void *context,
                     struct clamped_form *form);

#endif
