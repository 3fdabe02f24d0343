/* Small matrices of floats as stages of a graph, for the start states of recurrences on a whole line. */
#ifndef FLTC_GRAPH_LINE_ALGEBRA_H
#define FLTC_GRAPH_LINE_ALGEBRA_H

#include "graph/graph.h"
#include "support/symbol.h"

/* Where the stages go. */
struct line_algebra {
    struct arena *arena;
    struct expr_pool *pool;
    struct symbol_table *symbols;
    struct graph *graph;
    const struct symbol *name; /* of the recurrence: stages are named after it */
    struct span span;
    enum scalar element; /* of the entries */
};

/* rows × columns entries, row by row; NULL stands for 0. They hold constants, parameters, extents, and
 * loads of stages of the graph. */
struct line_matrix {
    unsigned rows, columns;
    const struct expr **entry;
};
struct line_matrix line_matrix(const struct line_algebra *a, unsigned rows, unsigned columns);
static inline const struct expr **line_entry(const struct line_matrix *m, unsigned i, unsigned j)
{
    return &m->entry[i * m->columns + j];
}
/* row × matrix, in expressions. */
struct line_matrix line_product(const struct line_algebra *a, const struct line_matrix *row,
                                const struct line_matrix *matrix);
const struct expr *line_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b);
const struct expr *line_times(struct expr_pool *pool, const struct expr *a, const struct expr *b);

/* The first row of X, the solution of X = A X M + C where only the first row of C is not 0: a stage
 * of one axis. The spectral radii of A and M multiply to less than 1. */
stage_id line_solve(const struct line_algebra *a, const struct line_matrix *A,
                    const struct line_matrix *M, const struct line_matrix *first_row);
/* (1 - A^period)^-1, a stage of two axes. The spectral radius of A is less than 1. */
stage_id line_periodic(const struct line_algebra *a, const struct line_matrix *A,
                       const struct expr *period);

#endif
