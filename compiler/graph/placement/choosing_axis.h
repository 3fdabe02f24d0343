/* Axes along which a stage chooses between images: transpose(stack([low, high], k), [k, x]) is
 * select(k == 0, low, high). The choice for each of the few coordinates is known at compile time,
 * so loops over such an axis are unrolled. */
#ifndef FLTC_GRAPH_PLACEMENT_CHOOSING_AXIS_H
#define FLTC_GRAPH_PLACEMENT_CHOOSING_AXIS_H

#include "graph/graph.h"

/* The first such axis of the stage; its rank if there is none. The stage must have three axes or
 * more, since a loop for threads must be outside the unrolled loop, and the axis is not the
 * fastest, since a loop for vectors must be inside. */
unsigned choosing_axis(struct arena *scratch, const struct stage *stage);

/* The value of the stage at coordinate `place` of the axis. */
const struct expr *value_at_place(struct expr_pool *pool, struct arena *scratch,
                                  const struct stage *stage, unsigned axis, int64_t place);

#endif
