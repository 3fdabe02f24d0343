/* What differs between languages that kernels are printed in: a table of texts and few hooks. The
 * rest of emit/ is common to all. */
#ifndef FLTC_EMIT_DIALECT_H
#define FLTC_EMIT_DIALECT_H

#include "loop/loop.h"
#include "support/text.h"

struct emission;

struct dialect {
    const char *prologue; /* after the includes: guards and macros */
    const char *barrier;  /* a statement */
    const char *shared;   /* before the declaration of a shared array */
    /* The line before a loop of the level, or NULL. */
    const char *loop_pragma[LEVEL_COUNT];
    /* The index of a GRID or BLOCK loop within the launch, or NULL where it is a loop. */
    const char *launch_index[LEVEL_COUNT];
    /* What stands around the body of a kernel: signature and opening, then what follows it. */
    void (*open_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    void (*close_kernel)(struct emission *e, const struct statement *kernel, const char *name);
    /* The host's call of the kernel; around: the loop whose iterations its parts go through, or
     * NULL. */
    void (*launch)(struct emission *e, const struct statement *kernel, const char *name,
                   const struct statement *around);
};

extern const struct dialect dialect_c, dialect_simulator;

#endif
