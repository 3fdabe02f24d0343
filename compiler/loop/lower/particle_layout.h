/* Which stages have one sample per particle in memory: adaptive images, and maps over them unless
 * something requires pixels. */
#ifndef FLTC_LOOP_LOWER_PARTICLE_LAYOUT_H
#define FLTC_LOOP_LOWER_PARTICLE_LAYOUT_H

#include "graph/graph.h"
#include "loop_pass.h"

struct particle_layout {
    const struct stage **on; /* by stage: the structure of its particles; NULL: it has one sample
                              * per pixel */
    bool *at_particles;      /* by stage: other stages on its particles read it per particle */
    bool *at_pixels;         /* by stage: other stages read it at pixels, or it is a result */
    bool *in_steps;          /* by stage that a repeat carries: so do others in its steps */
    /* By stage that is read at pixels: the only stage that does so, at its own places; else NULL.
     * Pixels of its box suffice. */
    const struct stage **reader;
};

/* All pointers are NULL if the graph has no particles. */
struct particle_layout particle_layout_of(const struct graph *graph, struct arena *scratch);

/* Whether the expression is constant in each cell of the particles: it reads only stages on them,
 * at the stage's own place, and does not use coordinates otherwise. */
bool particle_layout_suits(const struct particle_layout *layout, const struct graph *graph,
                           const struct stage *stage, const struct expr *value,
                           const struct stage *structure, struct arena *scratch);

#endif
