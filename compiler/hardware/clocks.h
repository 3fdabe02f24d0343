/* The exact clocks at which a circuit gives its results. */
#ifndef FLTC_HARDWARE_CLOCKS_H
#define FLTC_HARDWARE_CLOCKS_H

#include "hardware/circuit.h"

/* Sources give one token per clock; sinks always take one. The circuit must have its FIFOs and
 * latencies. False: it deadlocks within two frames, because a FIFO is too small. */
bool circuit_clocks(struct arena *scratch, const struct circuit *circuit,
                    struct circuit_times *times);

#endif
