/* What every pass gets besides its input. A pass returns its output, never edits its input, never
 * prints, never calls another pass. */
#ifndef FLTC_PASS_H
#define FLTC_PASS_H

#include "graph/graph.h"
#include "loop/loop.h"
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
#define PASS_GRAPH_LOOP(name)                                                                      \
    const struct program *name(const struct graph *in, struct pass_context *context);
#define PASS_LOOP_LOOP(name)                                                                       \
    const struct program *name(const struct program *in, struct pass_context *context);
#define PASS(name, from, to, flags, needs, description) PASS_##from##_##to(name)
#include "passes.def"
#undef PASS

#endif
