/* What a circuit takes of a device of Xilinx's series 7, told without synthesis: counted off the
 * structure of each process as it is printed. Set beside yosys (synth_xilinx) by tests/circuit. */
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
    struct resources *process; /* by process; of sources and sinks: the counters of their marks */
    struct resources *const *edge; /* by process, by edge: its FIFO or slice */
    struct resources *split;       /* by process: what splits its stream between readers */
    struct resources total;        /* with what is there once */
};

/* After place_registers, schedule_streams and choose_memories. */
struct estimate circuit_estimate(struct arena *arena, const struct circuit *circuit);

#endif
