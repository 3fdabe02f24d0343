/* The text of each target: a dialect of C for kernels, or a language for circuits. */
#include "emit/circuit_language.h"
#include "emit/dialect.h"
#include "target/target.h"

#include <string.h>

static const struct back_end {
    const char *target;
    const struct dialect *dialect;            /* NULL: the target has no kernels */
    const struct circuit_language *language; /* NULL: it has no circuits */
} back_ends[] = {
    {"c", &dialect_c, NULL},
    {"simulator", &dialect_simulator, NULL},
    {"cuda", &dialect_cuda, NULL},
    {"opencl", &dialect_opencl, NULL},
    {"verilog", NULL, &language_verilog},
    {"hls", NULL, &language_hls},
    {"hls-c", NULL, &language_hls_c},
};

static const struct back_end *back_end_of(const struct target *target)
{
    const struct back_end *end = back_ends;
    while (strcmp(end->target, target->name) != 0)
        end++;
    return end;
}

const struct dialect *dialect_of(const struct target *target)
{
    return back_end_of(target)->dialect;
}

const struct circuit_language *circuit_language_of(const struct target *target)
{
    return back_end_of(target)->language;
}
