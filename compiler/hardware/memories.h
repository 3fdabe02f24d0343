/* What of a circuit is kept in memory, and where: words that are written at one place while they
 * are read at another one. */
#ifndef FLTC_HARDWARE_MEMORIES_H
#define FLTC_HARDWARE_MEMORIES_H

#include "hardware/circuit.h"

struct memory_shape {
    uint64_t words; /* 0: there is no memory */
    unsigned bits;  /* of a word */
};

/* Lines of a window, of samples that are given twice, or of results of a scan; numbers of a count,
 * which has two such memories. */
struct memory_shape process_memory(const struct circuit *circuit, const struct process *process);
/* Words of a FIFO; its output register is none of them. */
struct memory_shape edge_memory(const struct circuit *circuit, const struct edge *edge);
/* The field that tells where the process keeps it. NULL: none of its kind does. */
enum memory_kind *process_memory_kind(struct process *process);

/* Bits of all lines and FIFOs, and what has most of them. */
struct memory_use {
    uint64_t bits, most_bits;
    const struct process *most; /* NULL: nothing is kept */
    const struct edge *edge;    /* of `most`: it is a FIFO; NULL: lines */
};
struct memory_use circuit_memory_use(const struct circuit *circuit);

/* Constant tables of so many samples are in LUTs, where synthesis puts them by itself. */
enum { ROM_IN_LUTS = 64 };
/* The cheapest place, on devices whose LUTs have 64 bits and whose blocks have 18,432. */
enum memory_kind memory_for(struct memory_shape shape);
/* A table that is written: a copy for each address it is read at; of a number as address one
 * register. */
struct memory_shape written_table_memory(const struct circuit_table *table);
/* Blocks of 18,432 bits that such a memory takes; of 36,864: two. */
unsigned memory_blocks(struct memory_shape shape);
/* LUTs that it takes, without any logic around. */
unsigned memory_luts(struct memory_shape shape);

#endif
