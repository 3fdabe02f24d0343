/* The memories of a circuit: words that are written at one address while another one is read. */
#ifndef FLTC_HARDWARE_MEMORIES_H
#define FLTC_HARDWARE_MEMORIES_H

#include "hardware/circuit.h"

struct memory_shape {
    uint64_t words; /* 0: there is no memory */
    unsigned bits;  /* of a word */
};

/* The memory for lines of a window, of doubled samples or of results of a scan, or for the numbers
 * of a count, which has two. */
struct memory_shape process_memory(const struct circuit *circuit, const struct process *process);
/* The words of a FIFO without its output register. */
struct memory_shape edge_memory(const struct circuit *circuit, const struct edge *edge);
/* The field with the kind of a process's memory. NULL: such processes have no memory. */
enum memory_kind *process_memory_kind(struct process *process);

/* The bits of all lines and FIFOs, and the largest user. */
struct memory_use {
    uint64_t bits, most_bits;
    const struct process *most; /* NULL: nothing is kept */
    const struct edge *edge;    /* of `most`: it is a FIFO; NULL: lines */
};
struct memory_use circuit_memory_use(const struct circuit *circuit);

/* Constant tables of up to this many samples are in LUTs, as synthesis chooses. */
enum { ROM_IN_LUTS = 64 };
/* The cheapest kind of memory, on devices with LUTs of 64 bits and blocks of 18,432 bits. */
enum memory_kind memory_for(struct memory_shape shape);
/* One copy of a written table; there is a copy for each address at which it is read, a register if
 * the address is constant. */
struct memory_shape written_table_memory(const struct circuit_table *table);
/* The number of 18,432-bit blocks of such a memory; a block of 36,864 bits counts as two. */
unsigned memory_blocks(struct memory_shape shape);
/* Its number of LUTs, without surrounding logic. */
unsigned memory_luts(struct memory_shape shape);

#endif
