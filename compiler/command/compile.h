/* Emitted C → a function in this process: the system's compiler, a cache, the dynamic linker. */
#ifndef FLTC_COMMAND_COMPILE_H
#define FLTC_COMMAND_COMPILE_H

#include "emit/emit.h"
#include "session.h"

#include <stddef.h>
#include <stdint.h>

struct compiled {
    void *library;
    /* what 0: set the output's extents; 1: run. Images in the order of the signature, output last. */
    int (*run)(int what, void *const *data, int32_t *const *extents,
               const ptrdiff_t *const *strides, const void *const *parameters, int threads);
    const char *(*text)(int status);
    double *seconds;     /* by kernel, of a filter that is profiled */
    const char *problem; /* why there is none: "there is no C compiler"; a sentence */
    const char *log;     /* what the compiler said, or NULL */
};

/* Compiles, or takes from the cache, by content, options, compiler version and processor. */
struct compiled compile_filter(struct session *session, const struct emitted *emitted,
                               const char *stem, bool use_cache);
void compile_close(struct compiled *compiled);

#endif
