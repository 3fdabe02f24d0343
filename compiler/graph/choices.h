/* Axes along which a stage chooses: stack([r, g, b], c) is select(c == 0, r, select(c == 1, g, b)). What each of the few
 * coordinates chooses is known when the program is compiled, so that loops over such an axis are written out. */
#ifndef FLTC_GRAPH_CHOICES_H
#define FLTC_GRAPH_CHOICES_H

#include "graph/graph.h"

/* The first such axis of the stage; its rank: there is none. The fastest axis is not taken: without a loop over it
 * nothing would be left for vectors but samples that lie apart (measured: 9.2 ms for 7.2). */
unsigned choosing_axis(struct arena *scratch, const struct stage *stage);

/* The value of the stage where the coordinate of the axis is `place`. */
const struct expr *value_at_place(struct expr_pool *pool, struct arena *scratch,
                                  const struct stage *stage, unsigned axis, int64_t place);

#endif
