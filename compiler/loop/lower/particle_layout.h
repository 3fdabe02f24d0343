/* Which stages have one sample for each particle, in memory: those of adaptive images, and maps of
 * such that nothing keeps at pixels. */
#ifndef FLTC_LOOP_LOWER_PARTICLE_LAYOUT_H
#define FLTC_LOOP_LOWER_PARTICLE_LAYOUT_H

#include "graph/graph.h"
#include "loop_pass.h"

struct particle_layout {
    const struct stage **on; /* by stage: whose particles; NULL: it has samples of pixels */
    bool *at_particles;      /* by stage: others that are on its particles read it there */
    bool *at_pixels;         /* by stage: others read it at pixels, or it is a result */
    bool *in_steps;          /* by stage that a repeat carries: so do others in its steps */
    /* By stage that is read at pixels: the only stage that does so, at its own places; else NULL.
     * Pixels of its box suffice. */
    const struct stage **reader;
};

/* NULL in all places where the graph has no particles. */
struct particle_layout particle_layout_of(const struct graph *graph, struct arena *scratch);

/* Whether the expression has one value in each cell of the particles: it reads stages on them at
 * the stage's own place, and nothing else of the place. */
bool particle_layout_suits(const struct particle_layout *layout, const struct graph *graph,
                           const struct stage *stage, const struct expr *value,
                           const struct stage *structure, struct arena *scratch);

#endif
