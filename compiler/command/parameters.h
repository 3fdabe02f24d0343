/* Values of a filter's parameters from the command line. */
#ifndef FLTC_COMMAND_PARAMETERS_H
#define FLTC_COMMAND_PARAMETERS_H

#include "command/command.h"

enum { MOST_PARAMETERS = 64 };

/* In the order of the signature: what is given, else the default. False after a message: one that
 * is wrong, missing, or names no parameter. */
bool parameters_take(struct command_context *c, const struct graph *graph,
                     struct value parameter[]);

#endif
