/* Emitted C of many programs → one shared library, run on the data of a check. */
#ifndef FLTC_FUZZ_NATIVE_H
#define FLTC_FUZZ_NATIVE_H

#include "program/check.h"

struct toolchain {
    const char *name;
    const char *word[16]; /* program and options; ends with NULL */
    /* That of the kernels of blocks of threads; NULL: the simulator's. Chosen only by its name. */
    const struct toolchain *kernels;
    /* Of kernels: what they are emitted for, the name's ending, what is linked; whether the
     * simulator runs them. */
    const char *target, *ending, *library;
    bool is_simulated;
};
extern const struct toolchain toolchain_list[]; /* ends with a NULL name */
/* NULL where none has the name. */
const struct toolchain *toolchain_find(const char *name);
/* Whether it is installed. */
bool toolchain_exists(const struct toolchain *toolchain);

/* What compiles kernels of blocks of threads beside what compiles the program. */
const struct toolchain *toolchain_of_kernels(const struct toolchain *toolchain);

/* The program's files, <folder>/<suffix>.c and .h, and those of its kernels, <suffix>k.cu and .h.
 */
bool native_write(struct program_check *check, const struct toolchain *toolchain,
                  const char *folder, const char *suffix);
/* <folder>/<suffix>.c of each, of kernels .cu, → .o, on both cores. ok[i]: whether it compiled;
 * else log[i] begins with the compiler's words. */
struct native_log {
    bool ok;
    char text[600];
};
void native_compile(const struct toolchain *toolchain, const char *folder, unsigned count,
                    const char *const suffix[], struct native_log log[]);
/* Links the objects that are there into <folder>/<library>; NULL, or why not. */
const char *native_link(const struct toolchain *toolchain, const char *folder, const char *library,
                        unsigned count, const char *const suffix[], const struct native_log log[]);
/* Writes <folder>/blocks.cu, the simulator: it is compiled and linked with the kernels. */
bool native_write_simulator(const char *folder);
/* Runs one program of an open library on each trial, with 1 and 2 threads, then its kernels, of
 * another library, with two orders of the threads of blocks; findings are set in the check. */
void native_run(struct program_check *check, void *library, void *of_kernels,
                const struct toolchain *toolchain, uint64_t seed);

#endif
