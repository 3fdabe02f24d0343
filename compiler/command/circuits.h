/* Filters as circuits: for images of extents that --size gives. */
#ifndef FLTC_COMMAND_CIRCUITS_H
#define FLTC_COMMAND_CIRCUITS_H

#include "command/command.h"
#include "hardware/circuit.h"

/* Whether images of the graph's extents are small enough to be interpreted after each pass; false
 * after a message. */
bool circuit_is_small(struct command_context *c, const struct graph *graph);
/* Whether the circuit keeps no more bits than --most-memory allows. False after a message; then
 * *is_usage tells whether that number was wrong. */
bool circuit_fits_memory(struct command_context *c, const struct target *target,
                         const struct circuit *circuit, bool *is_usage);
/* The target with what the graph's schedule, --pixels, --clock and --part ask for; NULL after a
 * message. */
const struct target *circuit_target(struct command_context *c, const struct graph *graph,
                                    const struct target *target);
/* pass_options.accepts: reports why the graph is no circuit. context: a struct circuit_asked. */
struct circuit_asked {
    struct command_context *c;
    const struct target *target;
};
bool circuit_accepts(const struct graph *graph, void *context);

#endif
