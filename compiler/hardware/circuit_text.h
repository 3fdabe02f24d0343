/* The textual form of circuits, described in CIRCUIT.md. */
#ifndef FLTC_HARDWARE_CIRCUIT_TEXT_H
#define FLTC_HARDWARE_CIRCUIT_TEXT_H

#include "expr/expr_print.h"
#include "hardware/circuit.h"

void circuit_print(const struct circuit *circuit, struct text *text);

#endif
