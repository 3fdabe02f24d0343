/* fltc emit of a .graph or .loop file: what a pass has made of a program, dumped, or written by
 * hand. */
#ifndef FLTC_COMMAND_EMIT_TEXTS_H
#define FLTC_COMMAND_EMIT_TEXTS_H

#include "command/command.h"
#include "command/emit_place.h"
#include "driver/origin.h"

/* Whether the file is one, by its ending. */
bool emit_takes_text(const char *path);
/* Loops are emitted as they are, without --from; a graph goes through all passes. The options on
 * passes name some that there are. */
enum exit_status emit_text(struct command_context *c, const struct target *target,
                           struct emit_place *place);

/* Of command_emit.c. What the options say of passes; false after a message. */
/* What decides what is written, besides texts. */
struct origin_from emit_origin(struct command_context *c, const struct target *target);
bool emit_pass_options(struct command_context *c, struct pass_options *options);
/* Writes the files of the program to a place that suits. graph: of which it is made, for --boxes;
 * NULL: not known. self_check: NULL for none. */
enum exit_status emit_loops(struct command_context *c, const struct program *program,
                            const struct graph *graph, const struct target *target,
                            const struct emit_place *place, const struct origin *origin,
                            const struct self_check *self_check);

#endif
