/* What values cost, in operations of one vector lane; a guide for schedules, not a promise. */
#ifndef FLTC_ANALYSIS_COST_H
#define FLTC_ANALYSIS_COST_H

#include "expr/expr.h"

enum { COST_LIMIT = 1 << 20 }; /* costs of a sample above it count as it */

/* One sample of the value: a shared part is computed once, a reduction's term for each term. */
int64_t cost_of_value(struct arena *scratch, const struct expr *value);
/* The same, where a load takes as long as so many operations. */
int64_t cost_with_loads(struct arena *scratch, const struct expr *value, int64_t load);

#endif
