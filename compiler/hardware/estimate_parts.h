/* What the estimates of processes share. Numbers without a name are LUTs of control that were
 * counted in what yosys made of a module alone: handshakes, enables of counters. */
#ifndef FLTC_HARDWARE_ESTIMATE_PARTS_H
#define FLTC_HARDWARE_ESTIMATE_PARTS_H

#include "hardware/estimate.h"
#include "hardware/memories.h"

struct estimating {
    struct arena *arena;
    const struct circuit *circuit;
    const unsigned *readers;
    bool **used; /* by process, by element: whether a pipe takes it in the end */
};

/* The stream of the first edge. */
const struct stream *taken_by(const struct estimating *e, const struct process *p);
void resources_add(struct resources *to, struct resources more);
/* LUTs of six inputs that make one bit of so many. */
unsigned tree_luts(unsigned inputs);
/* A counter of 0 … count - 1; the comparison with its last number is only there to begin anew. */
struct resources counter_resources(uint64_t count);
/* Registers one behind the other, of which some are read: three or more are one LUT a bit. */
struct resources chain_resources(unsigned bits, unsigned length, const bool is_read[]);
/* With registers behind the words that are read; blocks have their own. */
struct resources memory_resources(struct memory_shape shape, enum memory_kind kind);
/* Elements that something takes: synthesis leaves the others out, of FIFOs too. */
unsigned used_elements(const struct estimating *e, const struct process *p);

/* By kind of process: estimate_windows.c, estimate_pipes.c. */
struct resources window_resources(const struct estimating *e, const struct process *p);
struct resources twice_resources(const struct estimating *e, const struct process *p);
/* Of a pipe or a scan. */
struct resources pipe_resources(const struct estimating *e, const struct process *process);
/* Of the step of a count. */
struct resources step_resources(const struct estimating *e, const struct process *count);

#endif
