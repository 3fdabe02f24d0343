/* Whether the passes did what the program's schedule asks for. */
#ifndef FLTC_GRAPH_SCHEDULE_CHECK_H
#define FLTC_GRAPH_SCHEDULE_CHECK_H

#include "graph/graph.h"

/* asked: the graph as the program has it; done: after the passes on graphs. Calls report for each stage of `asked` that
 * is not computed as it says; where: what was asked for, "in tiles of 'out'"; reason: "it is a result". */
void schedule_check(struct expr_pool *pool, struct arena *scratch, const struct graph *asked,
                    const struct graph *done,
                    void (*report)(const struct stage *stage, const char *where, const char *reason,
                                   void *context),
                    void *context);

/* Why a stage in memory is not in the tiles of what reads it: "it is a result". done: after the passes. */
const char *schedule_reason(struct expr_pool *pool, struct arena *scratch, const struct graph *done,
                            const struct stage *stage);

#endif
