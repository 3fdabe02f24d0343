/* --interface: what the text of a program tells of a filter, for its interface. */
#ifndef FLTC_COMMAND_INTERFACE_H
#define FLTC_COMMAND_INTERFACE_H

#include "command/command.h"
#include "command/origin.h"
#include "emit/emit.h"

/* Of a .graph or .loop file there are no constants and no type variables. */
struct interface_given interface_given(struct command_context *c, const struct origin *origin);

/* The graph with the first paragraph of the comment above the filter as its text. */
const struct graph *interface_described(struct command_context *c, const struct graph *graph);

#endif
