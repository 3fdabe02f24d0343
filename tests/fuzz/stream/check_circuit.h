/* One program as a circuit: every pass and verifier, then its Verilog in a simulator against the
 * oracle. */
#ifndef FLTC_FUZZ_CHECK_CIRCUIT_H
#define FLTC_FUZZ_CHECK_CIRCUIT_H

#include "program/check.h"

enum { CIRCUIT_FRAMES = 3, MOST_SIZE = 200 };

struct circuit_program {
    const char *text; /* or NULL: */
    const struct module *module;
    char size[MOST_SIZE]; /* as --size takes it */
    uint64_t seed;        /* of samples, parameters, and when the streams wait */
};

struct circuit_options {
    bool simulates;
    const char *fltc; /* its path: Verilator, too, runs and looks through what it emits; or NULL */
};

struct circuit_result {
    struct finding finding; /* of one that is refused: the message, its code */
    bool streams;           /* it has become a circuit */
    unsigned fifos;         /* of these, */
    unsigned filled;        /* those that were as full as they are deep */
};

/* In a process of its own, so that a crash is a finding like others. */
void circuit_check(const struct circuit_program *program, const struct circuit_options *options,
                   struct circuit_result *result);

#endif
