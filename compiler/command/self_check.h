/* fltc emit --self-check: the images of NAME_self_check, and hashes of what they must give. */
#ifndef FLTC_COMMAND_SELF_CHECK_H
#define FLTC_COMMAND_SELF_CHECK_H

#include "command/command.h"
#include "emit/emit.h"

struct self_checking {
    struct session *session;
    const struct graph *graph; /* what the program means */
    /* What the last pass that rounds otherwise than the program says has made: later ones keep its
     * bits, so it is interpreted instead. Neither: no pass does. */
    const struct graph *rounded_graph;
    const struct program *rounded_program;
};

/* Whether results of the graph can be foretold; after a message if not. */
bool self_check_suits(struct command_context *c, const struct graph *graph,
                      const struct target *target);
/* For pass_options.after, once checking->graph is set. Returns true. */
bool self_check_after(const char *pass, const struct graph *graph, const struct program *program,
                      struct self_checking *checking);
/* After all passes. NULL after a message: the filter takes none of the images that are tried. */
const struct self_check *self_check_of(struct command_context *c,
                                       const struct self_checking *checking);

#endif
