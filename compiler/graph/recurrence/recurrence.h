/* Stages that read themselves: how far back, along which axis, and whether linearly. */
#ifndef FLTC_GRAPH_RECURRENCE_RECURRENCE_H
#define FLTC_GRAPH_RECURRENCE_RECURRENCE_H

#include "graph/graph.h"

/* The values that index - variable can take; all of 64 bits where it is not a sum of such. */
struct interval recurrence_offset(const struct expr *index, const struct expr *variable);

/* The recurrence that a stage is, or gives at the same coordinates, perhaps rounded; NULL: none. */
const struct stage *recurrence_of(const struct graph *graph, const struct stage *stage);

/* A sum of coefficient × load, and what is left, all in f64 (or what is wider). */
struct linear_term {
    const struct expr *load;
    /* the load as it stands in the value: in a sum, with its variable */
    const struct expr *written;
    const struct expr *coefficient;
    double lost; /* by rounding it, where it is computed from constants */
};
struct linear_form {
    VECTOR(struct linear_term) terms; /* of distinct loads, in order of appearance */
    const struct expr *rest;          /* NULL: nothing */
};

/* Takes a float value apart in the loads for which is_term holds; false where it is not linear in
 * them. Coefficients and rest hold none of these loads. Sums over at most 64 terms are written out;
 * elements of the graph's constant arrays are then their values. */
bool linear_form_of(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                    const struct expr *value,
                    bool (*is_term)(const struct expr *load, void *context), void *context,
                    struct linear_form *form);
/* The same of what the value would be without roundings to narrower floats. */
bool linear_form_unrounded(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                           const struct expr *value,
                           bool (*is_term)(const struct expr *load, void *context), void *context,
                           struct linear_form *form);
/* The value in f64, if it is narrower. */
const struct expr *linear_widen(struct expr_pool *pool, const struct expr *value);

#endif
