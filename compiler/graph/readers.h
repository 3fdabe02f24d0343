/* Which stages read a stage. */
#ifndef FLTC_GRAPH_READERS_H
#define FLTC_GRAPH_READERS_H

#include "graph/graph.h"

/* In order, each once; without the stage itself. */
struct stage_readers {
    VECTOR(const struct stage *) stages;
};

/* By stage. */
struct stage_readers *graph_readers(const struct graph *graph, struct arena *arena);

#endif
