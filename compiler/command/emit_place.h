/* Where `fltc emit` puts its files. Mistakes in -o and --depfile are reported before anything is
 * computed. */
#ifndef FLTC_COMMAND_EMIT_PLACE_H
#define FLTC_COMMAND_EMIT_PLACE_H

#include "command/command.h"

struct emit_place {
    const char *folder; /* "", or it ends with '/' */
    const char *stem;   /* of the files' names; NULL: the filter's name */
};

/* The place that -o names: a source file of the target, whose other files lie beside it, or a
 * folder; the current folder without -o. Else what the command ends with, after a message. */
enum exit_status emit_place_find(struct command_context *c, const struct target *target,
                                 struct emit_place *place);
/* Checks what needs the filter, whose name is the stem where none was given: whether the files may
 * have this name, and overwrite nothing that the filter is made from. False after a
 * message. */
bool emit_place_suits(struct command_context *c, const struct target *target, const char *filter,
                      struct emit_place *place);

#endif
