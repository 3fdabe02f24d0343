/* Stages stencil_cells: the window of one adaptive image that their value is made of. */
#ifndef FLTC_GRAPH_PARTICLE_WINDOW_H
#define FLTC_GRAPH_PARTICLE_WINDOW_H

#include "graph/graph.h"

enum { WINDOW_AXES = 3 };

struct particle_window {
    const struct stage *source; /* of floats */
    /* By axis z, y, x, those that the stage does not have of one sample: how far samples are from
     * the cell, first .. first + extent - 1, the cell itself among them; and what is outside. */
    int64_t first[WINDOW_AXES], extent[WINDOW_AXES];
    enum border_rule border[WINDOW_AXES]; /* BORDER_NONE: nothing is */
    const char *reason; /* "is read at …": why it is none; NULL: it is one */
};

/* False: the value reads no image at its own place plus what is known, or it does so otherwise than
 * windows can be: reason. */
bool particle_window_of(const struct graph *graph, const struct stage *stage, struct arena *scratch,
                        struct particle_window *window);
/* The distance of an index from the coordinate of the axis; NULL: it is not that plus what does not
 * depend on the stage's place. */
const struct expr *particle_distance(struct expr_pool *pool, const struct stage *stage,
                                     const struct expr *load, unsigned axis);

#endif
