/* C99 on a CPU, its loops spread over cores by OpenMP. */
#include "target/target.h"

/* No contraction: of C functions, whose arithmetic is not ours, the oracle calls the same machine
 * code. */
/* -Bsymbolic: a filter may be called error, or exit */
static const char *const flags[] = {
    "-std=gnu17", "-O3", "-march=native",     "-fopenmp",       "-shared",
    "-fPIC",      "-w",  "-ffp-contract=off", "-Wl,-Bsymbolic", NULL};
static const char *const libraries[] = {"-lm", NULL};
static const struct target_compiler compiler = {
    .variable = "CC",
    .name = "cc",
    .kind = "C compiler",
    .flags = flags,
    .libraries = libraries,
    .cure_missing = "install gcc or clang, or name one: CC=gcc",
    .may_be_missing = true,
};

const struct target target_c = {
    .name = "c",
    .description = "C99 with OpenMP",
    .is_public = true,
    .execution = EXECUTION_CORES,
    .has_threads = true,
    .has_vectors = true,
    .has_cache_bypass = true,
    .runs_on_host = true,
    .fast = {.owner = OWNER_CORE},
    .compiler = &compiler,
};
