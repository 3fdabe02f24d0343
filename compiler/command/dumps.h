/* What the passes make on their way, and their times: --dump, --dump-dir, --time-passes. */
#ifndef FLTC_COMMAND_DUMPS_H
#define FLTC_COMMAND_DUMPS_H

#include "command/command.h"

/* The part of the options of passes that these decide. */
void dumps_take(struct command_context *c, struct pass_options *options);

#endif
