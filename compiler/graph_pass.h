/* Passes over graphs, and what every pass gets besides its input. A pass returns its output, never
 * edits its input, never prints, never calls another pass. */
#ifndef FLTC_GRAPH_PASS_H
#define FLTC_GRAPH_PASS_H

#include "graph/graph.h"
#include "session.h"
#include "target/target.h"

struct choices;
struct pass_context {
    struct session *session;
    struct arena *output;  /* the result lives here */
    struct arena *scratch; /* released after the pass */
    struct expr_pool *pool;
    const struct target *target;
    uint64_t random_schedule;      /* 0: the cheapest; else any that is legal, by this seed */
    const struct choices *choices; /* that are pinned, of graph/placement/choose.h; NULL: none */
};

#define PASS_GRAPH_GRAPH(name)                                                                     \
    const struct graph *name(const struct graph *in, struct pass_context *context);
#include "passes.def"

#endif
