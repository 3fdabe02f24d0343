/* Terms of adaptive images. Particles lie where the samples at hand put them: other placements are
 * not covered. What is computed from the values of particles has at each cell a term of its own, a
 * function of all that it is computed from. INTERPRET.md. */
#ifndef FLTC_INTERPRET_PARTICLE_TERMS_H
#define FLTC_INTERPRET_PARTICLE_TERMS_H

#include "interpret/terms.h"
#include "support/vector.h"

/* What a function on particles is given, in one order. */
struct particle_arguments {
    struct terms *terms;
    struct arena *arena;
    enum scalar scalar; /* of all of them */
    VECTOR(struct value) all;
};

void particle_argument(struct particle_arguments *arguments, struct value value);
void particle_argument_number(struct particle_arguments *arguments, int64_t number);
/* Particles are placed by these. */
void particle_terms_place(const struct particle_arguments *arguments, const char *function);
/* The function of these, for all cells. */
struct value particle_terms_apply(const struct particle_arguments *arguments, const char *function);
/* Its term at the cell that begins at this place of the image, along z, y, x. */
const struct expr *particle_terms_cell(const struct particle_arguments *arguments,
                                       struct value applied, const int64_t place[]);

#endif
