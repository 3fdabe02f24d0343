/* Passes that make circuits of a graph, and passes over circuits; graph_pass.h tells what they get.
 * */
#ifndef FLTC_CIRCUIT_PASS_H
#define FLTC_CIRCUIT_PASS_H

#include "graph_pass.h"
#include "hardware/circuit.h"

#define PASS_GRAPH_GRAPH(name)
#define PASS_GRAPH_LOOP(name)
#define PASS_LOOP_LOOP(name)
#define PASS_GRAPH_CIRCUIT(name)                                                                   \
    const struct circuit *name(const struct graph *in, struct pass_context *context);
#define PASS_CIRCUIT_CIRCUIT(name)                                                                 \
    const struct circuit *name(const struct circuit *in, struct pass_context *context);
#define PASS(name, from, to, flags, needs, description) PASS_##from##_##to(name)
#include "passes.def"
#undef PASS
#undef PASS_GRAPH_GRAPH
#undef PASS_GRAPH_LOOP
#undef PASS_LOOP_LOOP
#undef PASS_GRAPH_CIRCUIT
#undef PASS_CIRCUIT_CIRCUIT

#endif
