/* Emitted C → a function in this process: the system's compiler, a cache, the dynamic linker. */
#ifndef FLTC_COMMAND_COMPILE_H
#define FLTC_COMMAND_COMPILE_H

#include "emit/emit.h"
#include "session.h"
#include "target/target.h"

#include "flt/filter.h"

struct compiled {
    void *library;
    const struct flt_filter *filter;
    double *seconds;     /* by kernel, of a filter that is profiled */
    double *counts;      /* the same: particles that it has counted */
    const char *problem; /* why there is none: "there is no C compiler"; a sentence */
    const char *cure;    /* what helps, or NULL */
    const char *log;     /* what the compiler said, or the dynamic linker, or NULL */
};

struct compile_options {
    const struct target_compiler *compiler;
    bool use_cache;
    const char *const *folder; /* of headers */
    size_t folder_count;
    const char *const *file; /* compiled or linked with it */
    size_t file_count;
};

/* Compiles, or takes from the cache, by content, compiler version, flags and processor. */
struct compiled compile_filter(struct session *session, const struct emitted *emitted,
                               const struct compile_options *options);
/* The same of any C, whose functions are to be found in the library. */
struct compiled compile_library(struct session *session, const struct emitted *emitted,
                                const struct compile_options *options);
/* What the compiler makes of the sources with these flags, which end with NULL, instead of its own;
 * false: it makes nothing. */
bool compile_object(struct session *session, const struct emitted *emitted,
                    const struct target_compiler *compiler, const char *const flags[],
                    struct text *object);
/* The first lines of the log, as notes; then what helps. */
void compile_note_log(struct session *session, struct diagnostic *d,
                      const struct compiled *compiled);
void compile_close(struct compiled *compiled);

#endif
