/* Border rules as arithmetic on indices. */
#ifndef FLTC_ANALYSIS_BORDER_INDEX_H
#define FLTC_ANALYSIS_BORDER_INDEX_H

#include "expr/expr.h"

/* The place that is read under the rule, always inside the border's box; the index where there is
 * no rule. ZERO and CONSTANT: as CLAMP, but the value counts only where the next is true. */
const struct expr *border_index(struct expr_pool *pool, const struct expr *index,
                                const struct border *border);
const struct expr *border_is_inside(struct expr_pool *pool, const struct expr *index,
                                    const struct border *border);

#endif
