/* Intervals of streams. */
#ifndef FLTC_HARDWARE_INTERVALS_H
#define FLTC_HARDWARE_INTERVALS_H

#include "hardware/circuit.h"

/* The circuit with the interval of each stream derived again from the inputs of its process, and
 * loads of elements updated. For passes that may have found narrower intervals. */
struct circuit *circuit_settled(struct arena *arena, struct arena *scratch, struct expr_pool *pool,
                                const struct circuit *circuit);

#endif
