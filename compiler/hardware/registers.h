/* The registers of a pipe: when values become available and how long they are stored. */
#ifndef FLTC_HARDWARE_REGISTERS_H
#define FLTC_HARDWARE_REGISTERS_H

#include "hardware/circuit.h"
#include "support/hash_map.h"

/* By place among the nodes; clocks from 0, when a token is taken, to the latency. */
struct pipe_registers {
    unsigned *born;        /* the clock at which the value is available */
    unsigned *last;        /* the last clock at which it is used */
    bool *const *is_taken; /* by clock: whether it is used then */
    struct hash_map place; /* node → 1 + its place */
};

/* After place_registers. */
struct pipe_registers pipe_registers(struct arena *arena, const struct process *pipe);
static inline size_t register_place(const struct pipe_registers *registers, const struct expr *node)
{
    return (size_t)(uintptr_t)hash_map_find(&registers->place, node) - 1;
}
/* The step of a count, from the old to the new number, as a pipe without registers. */
struct process count_step(struct arena *arena, const struct process *count);
/* The clock at which a node takes its operands. */
unsigned register_taken(const struct pipe_registers *registers, const struct expr *node);
/* Bits of a value; 1 of bool. */
unsigned value_bits(const struct expr *node);
/* Bits that count 0 … count - 1; one at least. */
unsigned count_bits(uint64_t count);
#endif
