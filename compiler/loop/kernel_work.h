/* What the threads of a kernel do: for guides to where time goes, not for passes. */
#ifndef FLTC_LOOP_KERNEL_WORK_H
#define FLTC_LOOP_KERNEL_WORK_H

#include "loop/loop.h"

struct kernel_work {
    double threads;       /* of a launch */
    double operations;    /* of all of them, with loads and stores but those of registers */
    double read, written; /* bytes of memory, each sample once */
    bool known;           /* false: how often something is done is known only when it runs */
};

/* number: an extent or parameter as a number; the node itself where none is known. load: operations
 * that a load takes as long as. Of blocks far inside of images. */
struct kernel_work kernel_work_of(struct expr_pool *pool, struct arena *scratch,
                                  const struct program *program, const struct statement *kernel,
                                  const struct expr *(*number)(const struct expr *node, void *user),
                                  void *user, int64_t load);

#endif
