/* Calls of runtime/particles (flt/particles.h), as statements of loops. */
#ifndef FLTC_LOOP_PARTICLE_CALLS_H
#define FLTC_LOOP_PARTICLE_CALLS_H

#include "expr/scalar.h"

#include <stdbool.h>

enum particle_call {
    PARTICLES_LEVELS,
    PARTICLES_GIVEN_LEVELS,
    PARTICLES_MEANS,
    PARTICLES_GIVEN_VALUES,
    PARTICLES_CONVOLVE,
    PARTICLE_CALLS
};
enum { MOST_PARTICLE_BUFFERS = 5 };

/* An array that the function is given, packed. */
struct particle_buffer {
    const char *name, *parameter; /* in the text of loops; in C */
    /* SCALAR_COUNT: any; then the bytes of one follow the pointer, as a size_t */
    enum scalar scalar;
    bool is_stored;
};

/* void function(const int64_t extent[3], PARAMETER…, size_t bytes, int threads): the extents are
 * those of the first buffer, the bytes those of the last one, which is room to work in. */
struct particle_call_info {
    const char *text, *function;
    unsigned count;
    struct particle_buffer buffer[MOST_PARTICLE_BUFFERS];
};
extern const struct particle_call_info particle_call_info[PARTICLE_CALLS];

#endif
