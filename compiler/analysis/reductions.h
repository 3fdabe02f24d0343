/* The ends of a reduction's loops. A counted range has as many values as its count says. A range
 * that parameters bound is written in full, with the terms outside excluded by the condition: sum[d
 * in -1000 .. 1000 where -r <= d && d < r + 1](...). A long one runs from -r to r alone; a short
 * one is unrolled with its condition. */
#ifndef FLTC_ANALYSIS_REDUCTIONS_H
#define FLTC_ANALYSIS_REDUCTIONS_H

#include "analysis/regions.h"

enum { MOST_UNROLLED_TERMS = 64 };

/* The reduction's variable k as its terms name it. */
const struct expr *reduction_variable(struct expr_pool *pool, struct arena *scratch,
                                      const struct expr *reduce, unsigned k);

/* The values of the reduction's variable k that its loop takes; end is not before first. */
struct span_bound reduction_bounds(struct expr_pool *pool, const struct expr *reduce, unsigned k,
                                   const struct expr *variable);

/* The same, as far as counts and parameters tell: the ends are known before the first kernel. */
struct span_bound reduction_bounds_by_parameters(struct expr_pool *pool, const struct expr *reduce,
                                                 unsigned k, const struct expr *variable);

/* What is left of the condition inside those loops; NULL: nothing. */
const struct expr *reduction_condition(struct expr_pool *pool, const struct expr *reduce);

/* Of counted ranges: the rows of terms, which all ranges but the last one make, and the runs of
 * REDUCTION_RUN terms, of which there is one at least. */
const struct expr *reduction_rows(struct expr_pool *pool, const struct expr *reduce);
const struct expr *reduction_runs(struct expr_pool *pool, const struct expr *reduce);

#endif
