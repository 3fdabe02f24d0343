/* Versions of a kernel: specialised code for calls that satisfy a condition. */
#ifndef FLTC_LOOP_LOWER_VERSIONS_H
#define FLTC_LOOP_LOWER_VERSIONS_H

#include "loop/loop.h"
#include "loop_pass.h"

/* if condition { the kernels, with what it says put in } else { … the next version … else { the
 * kernels } }. What an equality of an integer or a truth value says is put in; samples stay the
 * same. */
const struct statement *kernel_versions(struct pass_context *context, const struct program *program,
                                        const struct detail *versions,
                                        const struct statement *kernels);

#endif
