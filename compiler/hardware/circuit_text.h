/* The textual form of circuits, described in CIRCUIT.md. Printing what was read gives the same
 * text. The registers in pipes are not told: place_registers finds the same ones again. */
#ifndef FLTC_HARDWARE_CIRCUIT_TEXT_H
#define FLTC_HARDWARE_CIRCUIT_TEXT_H

#include "expr/expr_read.h"
#include "hardware/circuit.h"
#include "session.h"

void circuit_print(const struct circuit *circuit, struct text *text);
/* The circuit of the graph's filter. NULL after a mistake, which is reported at its place (E0120).
 * It is in session->ir and session->pool, as the text says, and still to be verified. */
const struct circuit *circuit_read(struct session *session, const struct graph *graph,
                                   const char *name, const char *text, size_t length);

/* What the edges of a pipe are called in its values: by what they bring, a second one in'2. */
const char *const *circuit_edge_names(struct arena *arena, const struct circuit *circuit,
                                      const struct process *pipe, const char **own);

#endif
