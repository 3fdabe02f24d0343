/* Passes that make circuits of a graph, and passes over circuits; graph_pass.h has their inputs. */
#ifndef FLTC_CIRCUIT_PASS_H
#define FLTC_CIRCUIT_PASS_H

#include "graph_pass.h"
#include "hardware/circuit.h"

#define PASS_GRAPH_CIRCUIT(name)                                                                   \
    const struct circuit *name(const struct graph *in, struct pass_context *context);
#define PASS_CIRCUIT_CIRCUIT(name)                                                                 \
    const struct circuit *name(const struct circuit *in, struct pass_context *context);
#include "passes.def"

#endif
