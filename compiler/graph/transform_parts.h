/* Shared by passes that rewrite or insert transforms: complex numbers as two expressions, roots of
 * unity, stages and axes made for another stage. */
#ifndef FLTC_GRAPH_TRANSFORM_PARTS_H
#define FLTC_GRAPH_TRANSFORM_PARTS_H

#include "graph_pass.h"

/* ---- Complex numbers ---- */

struct complex_parts {
    const struct expr *re, *im;
};
struct complex_parts complex_sum(struct expr_pool *pool, struct complex_parts a,
                                 struct complex_parts b);
struct complex_parts complex_product(struct expr_pool *pool, struct complex_parts a,
                                     struct complex_parts b);
struct complex_parts complex_conjugate(struct expr_pool *pool, struct complex_parts a);
/* Both parts of a sample of a stage of complex samples; rank: its own. index: of its other axes. */
struct complex_parts complex_load(struct expr_pool *pool, uint32_t source, enum scalar element,
                                  unsigned rank, const struct expr *const index[]);

/* ---- What is made for a stage ---- */

/* Adds a stage and names it after the other one: "smooth.line" for "smooth". Returns its id. */
uint32_t add_made_stage(struct pass_context *context, struct graph *out, const struct stage *whom,
                        const char *part, struct stage made);
/* An axis from 0 with a new variable, "smooth.line.x", which is at most `most`. */
struct stage_axis made_axis(struct pass_context *context, const struct stage *whom,
                            const char *part, const struct symbol *name, const struct expr *extent,
                            int64_t most);
/* The last axis of complex samples. */
struct stage_axis axis_of_parts(struct pass_context *context);
/* A value of the stage at other coordinates; index: one for each of its axes. */
const struct expr *value_moved(struct pass_context *context, const struct stage *stage,
                               const struct expr *value, const struct expr *const index[]);
/* The place, clamped to a line of that extent. */
const struct expr *place_within(struct expr_pool *pool, const struct expr *place,
                                const struct expr *extent);

/* ---- Roots of unity ---- */

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

/* Whether a single line of that extent is split: it is long or of unknown length. */
static inline bool line_is_split(const struct expr *extent)
{
    enum { SHORT = 1024 };
    return extent->kind != EXPR_INTEGER || extent->as.integer > SHORT;
}

#endif
