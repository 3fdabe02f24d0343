/* A batch of programs in a child process: checked, compiled together, run. A crash is put down to
 * the program that was at work, and the others are run again without it. */
#ifndef FLTC_FUZZ_BATCH_H
#define FLTC_FUZZ_BATCH_H

#include "program/check.h"
#include "program/generate.h"
#include "program/native.h"

enum { BATCH_MOST = 50 };

struct batch_program {
    struct sampling sampling;
    const char *text; /* or NULL: */
    const struct module *module;
    uint64_t seed; /* of the module where both are NULL */
    enum favourite favourite;
    char suffix[24]; /* unique in the batch, for names of files and functions */
};

struct batch_result {
    struct finding finding;
    unsigned trials;                       /* that the oracle accepted */
    unsigned schedules, schedules_refused; /* of random directives */
    bool fused, segmented;                 /* the kernels: stages in tiles, lines in segments */
};

struct batch_times {
    double check, compile, run; /* seconds */
};

/* toolchain NULL: no C compiler. */
void batch_run(unsigned count, const struct batch_program program[],
               const struct toolchain *toolchain, struct batch_result result[],
               struct batch_times *times);

#endif
