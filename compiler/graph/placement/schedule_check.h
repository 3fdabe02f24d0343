/* Checks that the passes did what the program's schedule asks for. */
#ifndef FLTC_GRAPH_PLACEMENT_SCHEDULE_CHECK_H
#define FLTC_GRAPH_PLACEMENT_SCHEDULE_CHECK_H

#include "graph/remarks.h"

/* Called for each directive that was not obeyed. span: of the directive; where: what was asked for,
 * "in tiles of 'out'"; reason: that a pass gave, "it is a result"; NULL: none did, a fault of
 * ours. */
typedef void schedule_refusal(const struct stage *stage, struct span span, const char *where,
                              const char *reason, void *context);

/* Checks where stages are computed; details_check in loop/lower/loop_details.h checks the rest.
 * asked: the graph of the program; done: the graph after the graph passes; remarks: theirs. */
void schedule_check(struct arena *scratch, const struct graph *asked, const struct graph *done,
                    const struct remarks *remarks, schedule_refusal *report, void *context);

#endif
