/* How stages read along a line: which of them run along it, and how far their reads reach. */
#ifndef FLTC_GRAPH_RECURRENCE_LINE_REACH_H
#define FLTC_GRAPH_RECURRENCE_LINE_REACH_H

#include "analysis/regions.h"
#include "graph/graph.h"

/* How a stage reads another one along lines. */
struct line_reach {
    bool any;
    bool beside; /* on the same line: the other indices are the reader's coordinates, without a
                  * rule */
    /* along the line at distances `least` to `greatest`, without a rule that leads elsewhere */
    bool near;
    bool within; /* the same, or clamped to the ends of the line */
    int64_t least, greatest;
};

struct line_reach line_reach_of(struct arena *scratch, const struct stage *reader,
                                const struct stage *source, unsigned along);

/* Widens the range *first … *end - 1 (NULL: empty) by the places of the source that the reader
 * reads along `axis`, for its places in `own`; false: they are not known. */
bool line_widen_read(struct expr_pool *pool, struct arena *scratch, const struct stage *reader,
                     struct span_bound own, const struct stage *source, unsigned axis,
                     const struct expr **first, const struct expr **end);

/* Whether the stage is a recurrence along the axis, or a map, which can be computed in any
 * order. */
bool line_runs_along(const struct stage *stage, unsigned along);
/* The axis whose places are the lanes of lines along `along`: the fastest other axis, unless the
 * schedule names another. */
unsigned line_lanes(const struct stage *stage, unsigned along);

#endif
