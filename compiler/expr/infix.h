/* Expressions of integers as people write them. */
#ifndef FLTC_EXPR_INFIX_H
#define FLTC_EXPR_INFIX_H

#include "expr/expr.h"
#include "support/text.h"

/* "(in.x + 31) / 32", "3 <= in.x and 3 <= in.y"; … for what has no such form. */
void infix_print(const struct expr *e, struct text *out);

#endif
