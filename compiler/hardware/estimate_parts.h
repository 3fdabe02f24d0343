/* Shared by the estimates of processes. Unnamed numbers are LUTs of control logic (handshakes,
 * enables of counters), counted in modules that yosys synthesised alone. */
#ifndef FLTC_HARDWARE_ESTIMATE_PARTS_H
#define FLTC_HARDWARE_ESTIMATE_PARTS_H

#include "hardware/estimate.h"
#include "hardware/memories.h"

struct estimating {
    struct arena *arena;
    const struct circuit *circuit;
    const unsigned *readers;
    bool **used; /* by process, by element: whether a pipe finally uses it */
};

/* The stream of the first edge. */
const struct stream *taken_by(const struct estimating *e, const struct process *p);
void resources_add(struct resources *to, struct resources more);
/* The number of six-input LUTs for one bit that depends on this number of inputs. */
unsigned tree_luts(unsigned inputs);
/* A counter of 0 … count - 1, including the comparison with its last number for the restart. */
struct resources counter_resources(uint64_t count);
/* A shift register, some stages of which are read: three or more stages take one LUT per bit. */
struct resources chain_resources(unsigned bits, unsigned length, const bool is_read[]);
/* A memory with registers at its output; block memories contain them. */
struct resources memory_resources(struct memory_shape shape, enum memory_kind kind);
/* The number of elements that are used: synthesis removes the others, in FIFOs too. */
unsigned used_elements(const struct estimating *e, const struct process *p);

/* By kind of process: estimate_windows.c, estimate_pipes.c. */
struct resources window_resources(const struct estimating *e, const struct process *p);
struct resources twice_resources(const struct estimating *e, const struct process *p);
/* Of a pipe or a scan. */
struct resources pipe_resources(const struct estimating *e, const struct process *process);
/* Of the step of a count. */
struct resources step_resources(const struct estimating *e, const struct process *count);

#endif
