/* What border rules make of coordinates. */
#ifndef FLTC_EXPR_BORDERS_H
#define FLTC_EXPR_BORDERS_H

#include "expr/expr.h"

/* The coordinate that a border rule reads instead of the index, or *outside for zero and constant.
 * NONE must be inside. */
int64_t border_coordinate(enum border_rule rule, int64_t index, int64_t first, int64_t extent,
                          bool *outside);

#endif
