/* The rules that every circuit obeys between passes. */
#ifndef FLTC_HARDWARE_CIRCUIT_VERIFY_H
#define FLTC_HARDWARE_CIRCUIT_VERIFY_H

#include "hardware/circuit.h"

/* NULL, or one sentence in the arena: "pipe 'blur' takes streams of 64 and of 32 lines". */
const char *circuit_verify(const struct circuit *circuit, struct arena *arena);

#endif
