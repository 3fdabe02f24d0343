/* Stages that read themselves: how far back, along which axis, and whether linearly. */
#ifndef FLTC_GRAPH_RECURRENCE_RECURRENCE_H
#define FLTC_GRAPH_RECURRENCE_RECURRENCE_H

#include "graph/graph.h"

/* The possible values of index - variable; all of 64 bits if index is not variable plus
 * something. */
struct interval recurrence_offset(const struct expr *index, const struct expr *variable);

/* The stage itself if it is a recurrence, or the recurrence that it copies at the same coordinates,
 * possibly rounded; NULL: neither. */
const struct stage *recurrence_of(const struct graph *graph, const struct stage *stage);

/* A sum of coefficient × load plus a rest, all in f64 or wider. */
struct linear_term {
    const struct expr *load;
    /* the load as written: inside a reduction, with its variable */
    const struct expr *written;
    const struct expr *coefficient;
    double lost; /* by rounding, if it is computed from constants */
};
struct linear_form {
    VECTOR(struct linear_term) terms; /* of distinct loads, in order of appearance */
    const struct expr *rest;          /* NULL: nothing */
};

/* Finds the linear form of a float value in the loads for which is_term holds; false if it is not
 * linear in them. Coefficients and rest contain none of these loads. Reductions of at most 64 terms
 * are expanded, with elements of constant arrays replaced by their values. */
bool linear_form_of(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                    const struct expr *value,
                    bool (*is_term)(const struct expr *load, void *context), void *context,
                    struct linear_form *form);
/* The same for the value without roundings, but those to floats narrower than the value itself,
 * which a program asks for. */
bool linear_form_unrounded(const struct graph *graph, struct expr_pool *pool, struct arena *arena,
                           const struct expr *value,
                           bool (*is_term)(const struct expr *load, void *context), void *context,
                           struct linear_form *form);

#endif
