/* --size: a filter for images of known extents. */
#ifndef FLTC_COMMAND_SIZES_H
#define FLTC_COMMAND_SIZES_H

#include "command/command.h"
#include "graph/graph.h"

/* A graph for the extents of --size. */
struct sized {
    const struct graph *all; /* with each of them as a number */
    /* The one that passes take: but for circuits with short ones alone. Loops get the others when
     * tiles and borders are settled. These ask what lies inside of images, whatever their size. */
    const struct graph *graph;
};
/* False after a message: an extent is not given though the target needs all, not sound, or against
 * what the filter requires. */
bool graph_sized(struct command_context *c, const struct graph *graph, const struct target *target,
                 struct sized *sized);

#endif
