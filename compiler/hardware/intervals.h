/* Intervals of streams. */
#ifndef FLTC_HARDWARE_INTERVALS_H
#define FLTC_HARDWARE_INTERVALS_H

#include "hardware/circuit.h"

/* The same circuit where each stream has the interval that follows from those that its process
 * takes, and loads of elements that of their stream. For passes that may have found narrower ones.
 */
struct circuit *circuit_settled(struct arena *arena, struct arena *scratch, struct expr_pool *pool,
                                const struct circuit *circuit);

#endif
