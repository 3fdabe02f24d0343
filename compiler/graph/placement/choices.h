/* Axes along which a stage chooses: transpose(stack([low, high], k), [k, x]) is select(k == 0, low,
 * high). What each of the few coordinates chooses is known when the program is compiled, so that
 * loops over such an axis are written out. */
#ifndef FLTC_GRAPH_PLACEMENT_CHOICES_H
#define FLTC_GRAPH_PLACEMENT_CHOICES_H

#include "graph/graph.h"

/* The first such axis of the stage; its rank: there is none. Of three axes or more, as a loop for
 * threads is to be around those that are written out, and not the fastest, as a loop for vectors is
 * to be inside. */
unsigned choosing_axis(struct arena *scratch, const struct stage *stage);

/* The value of the stage where the coordinate of the axis is `place`. */
const struct expr *value_at_place(struct expr_pool *pool, struct arena *scratch,
                                  const struct stage *stage, unsigned axis, int64_t place);

#endif
