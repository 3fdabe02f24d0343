/* fltc explain for devices: what is launched. */
#ifndef FLTC_COMMAND_KERNELS_H
#define FLTC_COMMAND_KERNELS_H

#include "command/machine_code.h"
#include "graph/placement/traffic.h"
#include "loop/loop.h"
#include "target/target.h"

/* For each kernel, in the order of launches, a line with its blocks, their threads, and the memory
 * that those share; one of its machine code, where there is one; and one of what it moves and does,
 * and how long that takes the machine. At last all of them, and the least. */
void kernels_print(struct arena *scratch, const struct program *program,
                   const struct target *target, const struct machine_code *code,
                   struct expected_extents extents);

#endif
