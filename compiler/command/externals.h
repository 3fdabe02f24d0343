/* C functions that a program calls: what the compiler needs for them, and what the oracle calls. */
#ifndef FLTC_COMMAND_EXTERNALS_H
#define FLTC_COMMAND_EXTERNALS_H

#include "command/command.h"
#include "command/compile.h"
#include "interpret/interpret.h"

/* For a filter of this command: no cache where it calls C functions, as it does not know of their
 * files. */
struct compile_options externals_compile_options(struct command_context *c,
                                                 const struct target *target);
/* Functions that call those of C, compiled and loaded; of none, nothing is done. False after a
 * message. */
bool externals_load(struct command_context *c, struct external_functions *functions);
/* Why what calls C functions was not compiled or loaded. False where there are none, without a
 * message. */
bool externals_report(struct command_context *c, const struct compiled *compiled);


#endif
