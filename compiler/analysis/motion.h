/* How a coordinate moves with a variable: by so many samples for each so many steps of that. */
#ifndef FLTC_ANALYSIS_MOTION_H
#define FLTC_ANALYSIS_MOTION_H

#include "expr/expr.h"

struct motion {
    bool known;               /* false: it moves in another way */
    int64_t period, distance; /* value(v + period) = value(v) + distance; period is at least 1 */
};

struct motion motion_of(struct arena *scratch, const struct expr *value,
                        const struct expr *variable);
/* Of two that add up, where the second counts `sign` times. */
struct motion motion_sum(struct motion a, struct motion b, int64_t sign);

#endif
