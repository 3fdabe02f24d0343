/* --boxes: NAME_run_box, the program over boxes of the results, in files of its own. */
#ifndef FLTC_COMMAND_BOXES_H
#define FLTC_COMMAND_BOXES_H

#include "command/command.h"
#include "emit/emit.h"

/* Adds its files to those of the filter. graph: the filter as elaborated; options: with which that
 * is emitted. False after a message: a filter has none. */
bool boxes_add(struct command_context *c, const struct graph *graph, const struct target *target,
               const struct emit_options *options, struct emitted *emitted);

#endif
