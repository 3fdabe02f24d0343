/* A graph for images of known extents. */
#ifndef FLTC_GRAPH_FIX_EXTENTS_H
#define FLTC_GRAPH_FIX_EXTENTS_H

#include "graph/graph.h"

struct extent_setting {
    const char *name; /* "in.y", or "y": of all images */
    int64_t extent;
    bool used; /* an image has such an axis; set by graph_fix_extents */
};

/* The graph with each extent that a setting names, or that its checks fix, replaced by its value.
 * Checks that then hold are dropped. Extents of more than `most` stay; settings are estimates. */
const struct graph *graph_fix_extents(struct arena *arena, struct arena *scratch,
                                      struct expr_pool *pool, const struct graph *graph,
                                      int64_t most, size_t count, struct extent_setting setting[]);
/* Fills `extent` with the extents of images that are still unknown, at most `most`, each once;
 * returns how many. */
size_t graph_unknown_extents(const struct graph *graph, size_t most, const struct expr *extent[]);

#endif
