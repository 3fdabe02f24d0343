/* Where tokens of a circuit wait. */
#ifndef FLTC_HARDWARE_SCHEDULE_H
#define FLTC_HARDWARE_SCHEDULE_H

#include "hardware/circuit.h"

/* The circuit with a FIFO on each edge where tokens wait, as deep as most of them are there at
 * once, and with the clocks of its results. FIFOs and slices that there are stay. */
const struct circuit *circuit_scheduled(struct arena *arena, struct arena *scratch,
                                        const struct circuit *circuit);

#endif
