/* Passes that make loops of a graph, and passes over loops; graph_pass.h tells what they get. */
#ifndef FLTC_LOOP_PASS_H
#define FLTC_LOOP_PASS_H

#include "graph_pass.h"
#include "loop/loop.h"

#define PASS_GRAPH_LOOP(name)                                                                      \
    const struct program *name(const struct graph *in, struct pass_context *context);
#define PASS_LOOP_LOOP(name)                                                                       \
    const struct program *name(const struct program *in, struct pass_context *context);
#include "passes.def"

#endif
