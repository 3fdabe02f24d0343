/* Complex numbers as two expressions, and tables of roots of unity, for passes that take transforms
 * apart. */
#ifndef FLTC_GRAPH_COMPLEX_PARTS_H
#define FLTC_GRAPH_COMPLEX_PARTS_H

#include "graph_pass.h"

struct complex_parts {
    const struct expr *re, *im;
};
struct complex_parts complex_sum(struct expr_pool *pool, struct complex_parts a,
                                 struct complex_parts b);
struct complex_parts complex_product(struct expr_pool *pool, struct complex_parts a,
                                     struct complex_parts b);
struct complex_parts complex_conjugate(struct expr_pool *pool, struct complex_parts a);

/* Whether a single line of so many samples is taken apart: it may be a long one. */
static inline bool line_is_split(const struct expr *extent)
{
    enum { SHORT = 1024 };
    return extent->kind != EXPR_INTEGER || extent->as.integer > SHORT;
}

/* e^(i angle k / n) for k = 0 .. n as products of the entries of two short tables, which are
 * stages. */
struct root_tables {
    struct expr_pool *pool;
    enum scalar element;
    const struct expr *n;
    uint32_t fine[2], coarse[2]; /* stages: of the parts */
};
/* Appends the tables to the graph, made for the stage: "smooth.roots.fine.re". */
struct root_tables root_tables_add(struct pass_context *context, struct graph *out,
                                   const struct stage *stage, const char *part, double angle,
                                   const struct expr *n);
struct complex_parts root_at(const struct root_tables *tables, const struct expr *k);

/* A stage that the pass makes for another one: "smooth.line". Returns its number. */
uint32_t add_made_stage(struct pass_context *context, struct graph *out, const struct stage *whom,
                        const char *part, struct stage made);

#endif
