/* Integers that wrap, taken apart in what they are computed from: a sum of products modulo
 * 2^bits. */
#ifndef FLTC_GRAPH_RECURRENCE_WRAPPING_FORM_H
#define FLTC_GRAPH_RECURRENCE_WRAPPING_FORM_H

#include "expr/expr.h"
#include "support/vector.h"

struct wrapping_term {
    const struct expr *load;
    int32_t coefficient; /* modulo 2^32 */
};
struct wrapping_form {
    VECTOR(struct wrapping_term) terms; /* of distinct loads */
};

/* The value, of that type, as such a sum over the loads for which is_term holds, without what it
 * holds besides; false where it is none. Loads of fewer bits than the type's are no terms: a sum of
 * these does not wrap where they do. */
bool wrapping_form_of(struct arena *arena, const struct expr *value, enum scalar scalar,
                      bool (*is_term)(const struct expr *load, void *context), void *context,
                      struct wrapping_form *form);

#endif
