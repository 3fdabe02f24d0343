/* What a device's compiler has made of kernels. */
#ifndef FLTC_COMMAND_MACHINE_CODE_H
#define FLTC_COMMAND_MACHINE_CODE_H

#include "session.h"
#include "target/target.h"
#include "loop/loop.h"

struct kernel_code {
    unsigned registers;    /* of a thread */
    unsigned frame;        /* bytes of a thread in memory: what registers do not hold */
    unsigned instructions; /* of the kernel's text */
};

/* By number of the kernel, in the order of launches, those of the host left out: of coordinates of
 * 32 bits, where it has them. */
struct machine_code {
    VECTOR(struct kernel_code) kernels;
};

/* No kernels: there is no compiler that says so, or it refuses. */
struct machine_code machine_code_of(struct session *session, const struct program *program,
                                    const struct target *target);

#endif
