/* Estimates the resources of a circuit on a Xilinx series-7 device without synthesis, from the
 * structure of each process as it is printed. tests/circuit compares it with yosys
 * (synth_xilinx). */
#ifndef FLTC_HARDWARE_ESTIMATE_H
#define FLTC_HARDWARE_ESTIMATE_H

#include "hardware/circuit.h"

struct resources {
    unsigned luts;        /* logic, memories and shift registers in LUTs */
    unsigned registers;   /* flip-flops */
    unsigned blocks;      /* of memory, 18,432 bits each */
    unsigned multipliers; /* DSP48 */
};

struct estimate {
    struct resources *process; /* by process; for sources and sinks: the counters of their marks */
    struct resources *const *edge; /* by process, by edge: its FIFO or slice */
    struct resources *split;       /* by process: the split of its stream between readers */
    struct resources total;        /* including what exists once */
};

/* After place_registers, schedule_streams and choose_memories. */
struct estimate circuit_estimate(struct arena *arena, const struct circuit *circuit);

#endif
