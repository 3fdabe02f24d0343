/* The memory of emitted text that computes terms: one piece of the address space, with a shadow. */
#ifndef FLTC_TESTS_TERMS_MEMORY_H
#define FLTC_TESTS_TERMS_MEMORY_H

#include "calls.h"

#include <stdbool.h>

/* False without memory. */
bool memory_open(void);
/* Nothing is allocated, and nothing was ever written. */
void memory_clear(void);
/* Runs the function on a stack that lies in it. */
void memory_run(void (*function)(void *context), void *context);

/* A stack for a thread of the simulator, which is compiled with this in place of malloc. */
void *memory_of_thread(size_t bytes);

void memory_set_term(void *at, size_t bytes, const struct expr *term);
/* The mark or term of one byte, as it stands in the shadow. */
const struct expr *memory_shadow(const void *at);
/* Images of this size and more bypass the caches from now on. */
void memory_stream_from(uint64_t bytes);

#endif
