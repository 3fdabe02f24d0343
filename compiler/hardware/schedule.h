/* Inserts FIFOs where tokens of a circuit wait. */
#ifndef FLTC_HARDWARE_SCHEDULE_H
#define FLTC_HARDWARE_SCHEDULE_H

#include "hardware/circuit.h"

/* The circuit with a FIFO on each edge where tokens wait, deep enough for the greatest number of
 * waiting tokens, and with the clocks of its results. Existing FIFOs and slices stay. */
const struct circuit *circuit_scheduled(struct arena *arena, struct arena *scratch,
                                        const struct circuit *circuit);

#endif
