/* The boxes that stages must compute: their own, plus what readers with the rule `extend` need
 * beyond it. */
#ifndef FLTC_GRAPH_EXTENDED_H
#define FLTC_GRAPH_EXTENDED_H

#include "graph/graph.h"

/* The graph's stages in order, each with computed_first and computed_extent. If the computed box is
 * larger than the stage's own, the interval of the coordinate is widened to contain it. */
const struct stage *extended_stages(struct expr_pool *pool, struct arena *output,
                                    struct arena *scratch, const struct graph *graph);
/* Whether the computed box is larger than the stage's own along the axis. */
bool axis_is_extended(const struct stage_axis *axis);

#endif
