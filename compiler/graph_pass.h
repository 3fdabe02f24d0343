/* Passes over graphs, and what every pass gets besides its input. A pass returns its output, never
 * edits its input, never prints, never calls another pass. */
#ifndef FLTC_GRAPH_PASS_H
#define FLTC_GRAPH_PASS_H

#include "graph/graph.h"
#include "session.h"
#include "target/target.h"

struct pass_context {
    struct session *session;
    struct arena *output;  /* the result lives here */
    struct arena *scratch; /* released after the pass */
    struct expr_pool *pool;
    const struct target *target;
    uint64_t random_schedule; /* 0: the cheapest; else any that is legal, by this seed */
};

#define PASS_GRAPH_GRAPH(name)                                                                     \
    const struct graph *name(const struct graph *in, struct pass_context *context);
#define PASS_GRAPH_LOOP(name)
#define PASS_LOOP_LOOP(name)
#define PASS_GRAPH_CIRCUIT(name)
#define PASS_CIRCUIT_CIRCUIT(name)
#define PASS(name, from, to, flags, needs, description) PASS_##from##_##to(name)
#include "passes.def"
#undef PASS
#undef PASS_CIRCUIT_CIRCUIT
#undef PASS_GRAPH_CIRCUIT
#undef PASS_LOOP_LOOP
#undef PASS_GRAPH_LOOP
#undef PASS_GRAPH_GRAPH

#endif
