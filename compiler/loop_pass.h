/* Passes that make loops of a graph, and passes over loops; graph_pass.h tells what they get. */
#ifndef FLTC_LOOP_PASS_H
#define FLTC_LOOP_PASS_H

#include "graph_pass.h"
#include "loop/loop.h"

#define PASS_GRAPH_GRAPH(name)
#define PASS_GRAPH_LOOP(name)                                                                      \
    const struct program *name(const struct graph *in, struct pass_context *context);
#define PASS_LOOP_LOOP(name)                                                                       \
    const struct program *name(const struct program *in, struct pass_context *context);
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
