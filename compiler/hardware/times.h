/* When the tokens of a circuit come and go where no FIFO is ever full: a max-plus recursion over
 * the tokens of a few frames. CIRCUIT.md tells it. */
#ifndef FLTC_HARDWARE_TIMES_H
#define FLTC_HARDWARE_TIMES_H

#include "hardware/circuit.h"

/* Of each edge of each process: whether tokens wait on it, and how many at most. */
struct edge_times {
    bool waits;
    uint64_t most;
};

struct stream_times {
    struct edge_times *const *edge; /* by process, by edge */
};

/* For edges as they are: wires, slices, FIFOs of any depth. */
struct stream_times stream_times(struct arena *arena, struct arena *scratch,
                                 const struct circuit *circuit);

/* The same where sources pause behind each token until all is given that can be: ends of lines and
 * frames come early, some on one edge of a process while another one has to wait for the next line.
 */
struct stream_times stream_times_of_slow(struct arena *arena, struct arena *scratch,
                                         const struct circuit *circuit);

enum { FIFO_LATENCY = 2, SLICE_LATENCY = 1 };

#endif
