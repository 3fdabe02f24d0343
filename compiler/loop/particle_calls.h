/* Calls of runtime/particles (flt/particles.h), as statements of loops. */
#ifndef FLTC_LOOP_PARTICLE_CALLS_H
#define FLTC_LOOP_PARTICLE_CALLS_H

#include "expr/scalar.h"

#include <stdbool.h>

enum particle_call {
#define PARTICLE_CALL(name, ...) PARTICLES_##name,
#include "loop/particle_calls.def"
#undef PARTICLE_CALL
    PARTICLE_CALLS
};
enum { MOST_PARTICLE_BUFFERS = 6 };

/* Which size a function gets with the pointer of an array. */
enum particle_size { SIZE_UNTOLD, SIZE_OF_EACH, SIZE_OF_ALL }; /* bytes, as a size_t */

/* A packed array argument. */
struct particle_buffer {
    const char *name, *parameter; /* in the text of loops; in C, without the size */
    enum scalar scalar;           /* SCALAR_COUNT: any */
    bool is_stored;
    enum particle_size size;
    bool is_structure; /* bytes that are a struct flt_apr */
};

/* Which box of the first array a function gets. */
enum particle_box { BOX_UNTOLD, BOX_EXTENTS, BOX_WHOLE /* the first places before the extents */ };

/* void function(const int64_t first[3], const int64_t extent[3], PARAMETER…, int threads) */
struct particle_call_info {
    const char *text, *function;
    enum particle_box box;
    bool takes_threads;
    unsigned count;
    struct particle_buffer buffer[MOST_PARTICLE_BUFFERS];
};
extern const struct particle_call_info particle_call_info[PARTICLE_CALLS];

#endif
