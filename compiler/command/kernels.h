/* fltc explain for devices: what is launched. */
#ifndef FLTC_COMMAND_KERNELS_H
#define FLTC_COMMAND_KERNELS_H

#include "command/machine_code.h"
#include "loop/loop.h"
#include "target/target.h"

/* A line for each kernel, in the order of launches: its blocks, their threads, and the memory that
 * those share; and one of its machine code, where there is one. */
void kernels_print(struct arena *scratch, const struct program *program,
                   const struct target *target, const struct machine_code *code);

#endif
