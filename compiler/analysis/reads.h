/* The reads of a stage's value, each with the bounds of the reduction variables around it. */
#ifndef FLTC_ANALYSIS_READS_H
#define FLTC_ANALYSIS_READS_H

#include "analysis/regions.h"

/* Calls visit for each distinct load below root. bound: the given ones, then those of all reduction
 * variables below root. */
void reads_visit(struct expr_pool *pool, struct arena *scratch, const struct expr *root,
                 unsigned count, const struct span_bound bound[],
                 void (*visit)(const struct expr *load, unsigned count,
                               const struct span_bound bound[], void *context),
                 void *context);

#endif
