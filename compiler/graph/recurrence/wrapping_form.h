/* The linear form of integers that wrap: a sum of products modulo 2^bits. */
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
    bool has_rest;                      /* something else is added */
};

/* Finds this form of a value of the given type over the loads for which is_term holds, without the
 * rest; false if there is none. Loads with fewer bits than the type are not terms: their sum does
 * not wrap where they do. */
bool wrapping_form_of(struct arena *arena, const struct expr *value, enum scalar scalar,
                      bool (*is_term)(const struct expr *load, void *context), void *context,
                      struct wrapping_form *form);

#endif
