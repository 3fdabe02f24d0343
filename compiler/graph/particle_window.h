/* Stages of the kind stencil_cells: the window of the adaptive image that they read. */
#ifndef FLTC_GRAPH_PARTICLE_WINDOW_H
#define FLTC_GRAPH_PARTICLE_WINDOW_H

#include "graph/graph.h"

enum { WINDOW_AXES = 3 };

struct particle_window {
    const struct stage *source; /* of floats */
    /* By axis z, y, x (one sample along an axis that the stage does not have): offsets from the
     * cell, first .. first + extent - 1, including 0; and the border rule. */
    int64_t first[WINDOW_AXES], extent[WINDOW_AXES];
    enum border_rule border[WINDOW_AXES]; /* BORDER_NONE: nothing is */
    const char *reason; /* why it is not a window: "is read at …"; NULL: it is one */
};

/* False: the value reads no image at known offsets from its own place, or not as a window;
 * window->reason says why. */
bool particle_window_of(const struct graph *graph, const struct stage *stage, struct arena *scratch,
                        struct particle_window *window);
/* The offset of an index from the coordinate of the axis; NULL: the index is not the coordinate
 * plus an offset that does not depend on the place. */
const struct expr *particle_distance(struct expr_pool *pool, const struct stage *stage,
                                     const struct expr *load, unsigned axis);

#endif
