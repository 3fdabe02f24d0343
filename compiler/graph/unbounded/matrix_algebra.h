/* Small matrices of floats, computed by stages of a graph, for the start states of unbounded
 * recurrences. */
#ifndef FLTC_GRAPH_UNBOUNDED_MATRIX_ALGEBRA_H
#define FLTC_GRAPH_UNBOUNDED_MATRIX_ALGEBRA_H

#include "graph/recurrence/feedback.h"
#include "support/symbol.h"

/* Where stages are added. */
struct matrix_algebra {
    struct arena *arena;
    struct expr_pool *pool;
    struct symbol_table *symbols;
    struct graph *graph;
    const struct symbol *name; /* of the recurrence: stages are named after it */
    struct span span;
    enum scalar element; /* of the entries */
};

/* rows × columns entries, row by row; NULL stands for 0. An entry is made of constants, parameters,
 * extents, and loads of stages of the graph. */
struct matrix {
    unsigned rows, columns;
    const struct expr **entry;
};
struct matrix matrix_of_zeros(const struct matrix_algebra *a, unsigned rows, unsigned columns);
static inline const struct expr **matrix_entry(const struct matrix *m, unsigned i, unsigned j)
{
    return &m->entry[i * m->columns + j];
}
const struct expr *entry_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b);
const struct expr *entry_times(struct expr_pool *pool, const struct expr *a, const struct expr *b);

/* The feedback of s = force + a1 s(1) + a2 s(2) + …: factors by lag, NULL for 0. lost: their
 * rounding errors in f64. */
struct symbolic_feedback {
    int64_t order;
    const struct expr *factor[FEEDBACK_MOST_ORDER + 1];
    double lost[FEEDBACK_MOST_ORDER + 1];
};

/* The row p of p = force + a1 p M + a2 p M^2 + …, a stage of one axis. */
stage_id matrix_solve(const struct matrix_algebra *a, const struct symbolic_feedback *feedback,
                      const struct matrix *M, const struct matrix *force);
/* (1 - A^period)^-1, a stage of two axes. A advances the last samples, the nearest first, by one
 * sample. */
stage_id matrix_periodic(const struct matrix_algebra *a, const struct symbolic_feedback *feedback,
                         const struct expr *period);

#endif
