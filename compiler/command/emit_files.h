/* The files that `fltc emit` writes, and the rule of make that tells what they depend on. */
#ifndef FLTC_COMMAND_EMIT_FILES_H
#define FLTC_COMMAND_EMIT_FILES_H

#include "command/command.h"
#include "command/emit_place.h"
#include "driver/origin.h"

/* Writes all files, each with the lines of its origin, and the file of --depfile; or none, after a
 * message. What is made from a loop program depends on its file alone. */
enum exit_status emit_files_write(struct command_context *c, const struct emitted *emitted,
                                  const struct emit_place *place, const struct origin *origin);

#endif
