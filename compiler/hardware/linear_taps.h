/* Sums of the elements of one edge with constant weights, in the values of a pipe. */
#ifndef FLTC_HARDWARE_LINEAR_TAPS_H
#define FLTC_HARDWARE_LINEAR_TAPS_H

#include "hardware/circuit.h"

struct tap_sum {
    const struct expr *node; /* not part of a larger such sum */
    const int64_t *weight;   /* by element */
    int64_t constant;
};

struct tap_sums {
    struct tap_sum *item;
    size_t count, capacity;
};

/* All such sums of a pipe over the edge. elements: of a token. */
struct tap_sums tap_sums(struct arena *arena, const struct process *pipe, unsigned edge,
                         unsigned elements);
/* The interval of a weighted sum of elements. */
struct interval tap_sum_interval(const int64_t weight[], unsigned elements,
                                 struct interval element);

#endif
