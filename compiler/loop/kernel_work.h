/* What the threads of a kernel do: for guides to where time goes, not for passes. */
#ifndef FLTC_LOOP_KERNEL_WORK_H
#define FLTC_LOOP_KERNEL_WORK_H

#include "loop/loop.h"
#include "target/machine.h"

/* The program at some extents, as explain takes them. */
struct work_setting {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct program *program;
    /* A rule: an extent or parameter of the caller as a number; other nodes as they are. */
    const struct expr *(*number)(const struct expr *node, void *context);
    void *context;
};

struct kernel_work {
    struct machine_steps all, own; /* of all of them; of the one that has most to do */
    double read, written;          /* bytes of memory, each sample once */
    bool known; /* false: how often something is done is known only when it runs */
};

/* Of blocks far inside of images. */
struct kernel_work kernel_work_of(const struct work_setting *setting,
                                  const struct statement *kernel);
/* Of a program that reads what it is given and writes its results, once. */
struct kernel_work kernel_work_least(const struct work_setting *setting);
/* How many times; *known becomes false where only a run tells: once, then. */
double work_times(const struct work_setting *setting, const struct expr *times, bool *known);

#endif
