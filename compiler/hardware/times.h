/* When tokens arrive and leave if no FIFO is ever full: a max-plus recursion over the tokens of a
 * few frames, described in CIRCUIT.md. */
#ifndef FLTC_HARDWARE_TIMES_H
#define FLTC_HARDWARE_TIMES_H

#include "hardware/circuit.h"

/* For each edge of each process: whether tokens wait on it, and the greatest number of them. */
struct edge_times {
    bool waits;
    uint64_t most;
};

struct stream_times {
    struct edge_times *const *edge; /* by process, by edge */
};

/* For the edges as they are: wires, slices, and FIFOs of unlimited depth. */
struct stream_times stream_times(struct arena *arena, struct arena *scratch,
                                 const struct circuit *circuit);

/* The same if sources pause after each token until all possible results are given. Then ends of
 * lines and frames arrive early on one edge of a process, while another edge waits for the next
 * line. */
struct stream_times stream_times_of_slow(struct arena *arena, struct arena *scratch,
                                         const struct circuit *circuit);

enum { FIFO_LATENCY = 2, SLICE_LATENCY = 1 };

#endif
