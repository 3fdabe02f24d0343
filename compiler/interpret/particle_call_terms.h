/* Terms of what calls of the runtime write in loop programs. */
#ifndef FLTC_INTERPRET_PARTICLE_CALL_TERMS_H
#define FLTC_INTERPRET_PARTICLE_CALL_TERMS_H

#include "interpret/interpret.h"
#include "loop/particle_calls.h"

/* Called before the call, which may change what it is given. given: its buffers; extent: of the
 * image, along z, y, x, where the call takes a box; first: where that begins. */
void particle_call_terms(struct terms *terms, enum particle_call call,
                         const struct samples *const given[], const int64_t first[],
                         const int64_t extent[]);

#endif
