/* When the results of a circuit come, to the clock. */
#ifndef FLTC_HARDWARE_CLOCKS_H
#define FLTC_HARDWARE_CLOCKS_H

#include "hardware/circuit.h"

/* For sources that give a token a clock and sinks that always take. The circuit has its FIFOs and
 * latencies. False: it stands still before two frames are through, as some FIFO is not deep enough.
 */
bool circuit_clocks(struct arena *scratch, const struct circuit *circuit,
                    struct circuit_times *times);

#endif
