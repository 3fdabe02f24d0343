/* Reductions in lanes: terms go to 16 accumulators in turn, which are joined in pairs at the
 * end. */
#ifndef FLTC_LOOP_LOWER_RUNS_H
#define FLTC_LOOP_LOWER_RUNS_H

#include "loop_pass.h"

struct run_lowering {
    struct pass_context *context;
    struct program *out;
    const struct expr *reduce;
    const struct symbol *name; /* of the result, and of what is made for it */
    struct span span;
    const struct expr *const *variable; /* of each range */
    const struct expr *condition;       /* of a term, or NULL */
    bool in_vectors; /* the last range runs along rows of memory: 16 terms at once */
};

/* The statements that compute it, in *before, of which terms may hold other reductions; returns a
 * read of the result. Of ORDER_TREE, RUN and PAIRS; and of ORDER_INDEX where the order does not
 * matter and the ranges are counted. */
const struct expr *lower_runs(const struct run_lowering *l, struct statement_items *before);

/* Whether neighbouring terms are neighbours in memory, and neighbouring samples of the loop's
 * variable (NULL: there is no loop) are not: then terms are lanes of vectors, else samples are. */
bool reduction_is_along_rows(struct arena *scratch, const struct expr *reduce,
                             const struct expr *last, const struct expr *loop);

/* Accumulators in one: in pairs, level by level. part: is overwritten. */
const struct expr *reduction_join_lanes(struct expr_pool *pool, const struct expr *reduce,
                                        const struct expr *part[REDUCTION_LANES]);

/* The accumulator after one more term, or as it was where the condition (NULL: none) excludes the
 * term. */
const struct expr *reduction_step(struct expr_pool *pool, const struct expr *reduce,
                                  const struct expr *condition, const struct expr *accumulator);

#endif
