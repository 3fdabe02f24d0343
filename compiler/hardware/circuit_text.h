/* The textual form of circuits, described in CIRCUIT.md. Printing what was read gives the same
 * text. The text does not contain the registers in pipes: place_registers finds the same ones
 * again. */
#ifndef FLTC_HARDWARE_CIRCUIT_TEXT_H
#define FLTC_HARDWARE_CIRCUIT_TEXT_H

#include "expr/expr_read.h"
#include "hardware/circuit.h"
#include "session.h"

void circuit_print(const struct circuit *circuit, struct text *text);
/* Reads the circuit of the graph's filter into session->ir and session->pool, not yet verified.
 * NULL after an error, which is reported with its position (E0120). Only tests call it. */
const struct circuit *circuit_read(struct session *session, const struct graph *graph,
                                   const char *name, const char *text, size_t length);

/* The names of a pipe's edges in its values: the names of their streams, with '2 for a second
 * one. */
const char *const *circuit_edge_names(struct arena *arena, const struct circuit *circuit,
                                      const struct process *pipe, const char **own);

#endif
