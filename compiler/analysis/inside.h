/* What coordinates are in a block of threads far inside of large images, where neither border is
 * near: which operand a minimum takes there, at what multiples rows of its tiles begin. */
#ifndef FLTC_ANALYSIS_INSIDE_H
#define FLTC_ANALYSIS_INSIDE_H

#include "expr/expr.h"

struct inside_value {
    bool known;
    int64_t value;
};
struct inside_value inside_value_of(struct arena *scratch, const struct expr *node);

#endif
