/* fltc explain for devices: what is launched. */
#ifndef FLTC_COMMAND_KERNELS_H
#define FLTC_COMMAND_KERNELS_H

#include "loop/loop.h"

/* A line for each kernel, in the order of launches: its blocks, their threads, and the memory that
 * those share. */
void kernels_print(struct arena *scratch, const struct program *program);

#endif
