/* Whether the passes did what the program's schedule asks for. */
#ifndef FLTC_GRAPH_PLACEMENT_SCHEDULE_CHECK_H
#define FLTC_GRAPH_PLACEMENT_SCHEDULE_CHECK_H

#include "graph/graph.h"
#include "target/target.h"

/* Called for each directive that is not so. span: of the directive; where: what was asked for, "in
 * tiles of 'out'"; reason: "it is a result". */
typedef void schedule_refusal(const struct stage *stage, struct span span, const char *where,
                              const char *reason, void *context);

/* asked: the graph as the program has it; done: after the passes on graphs. What the schedule says
 * of where stages are computed; for the rest, details_check in loop/lower/loop_details.h. */
void schedule_check(struct expr_pool *pool, struct arena *scratch, const struct target *target,
                    const struct graph *asked, const struct graph *done, schedule_refusal *report,
                    void *context);

/* "in bands of 'out'": with what a stage is to be computed; bands: with lines of its own. */
const char *schedule_place_text(struct arena *arena, bool bands, const struct stage *sink);

/* Why a stage in memory is not in the tiles of what reads it: "it is a result". done: after the
 * passes. */
const char *schedule_reason(struct expr_pool *pool, struct arena *scratch, const struct graph *done,
                            const struct stage *stage);

#endif
