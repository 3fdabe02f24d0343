/* The exact clocks at which a circuit gives its results. */
#ifndef FLTC_HARDWARE_CLOCKS_H
#define FLTC_HARDWARE_CLOCKS_H

#include "hardware/circuit.h"

/* The edge of a process that is a FIFO without room for a token that waits. depth 0: none. */
struct full_fifo {
    uint32_t process;
    unsigned edge;
    uint32_t depth;
};

/* Sources give one token per clock; sinks always take one. The circuit must have its FIFOs and
 * latencies. False: it deadlocks within two frames, because a FIFO is too small, and `full` is the
 * shallowest of those that are full. */
bool circuit_clocks(struct arena *scratch, const struct circuit *circuit,
                    struct circuit_times *times, struct full_fifo *full);

#endif
