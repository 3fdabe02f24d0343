/* Shared by pipes and scans. A scan is a pipe that stores results. */
#ifndef FLTC_EMIT_VERILOG_PIPE_MODULE_H
#define FLTC_EMIT_VERILOG_PIPE_MODULE_H

#include "emit/launch/verilog/verilog.h"
#include "hardware/registers.h"

struct pipe {
    struct verilog *v;
    const struct process *process;
    struct pipe_registers registers;
    const char *token, *state; /* of values without registers; NULL */
    bool *printed; /* of table samples, by place: printed together with another one at the same
                    * address */
};

static inline bool is_signed(const struct expr *node)
{
    return node->scalar != SCALAR_BOOL && node->interval.least < 0;
}

/* "n7", or "n7_2": the same two clocks later. */
const char *value_at(const struct pipe *p, const struct expr *node, unsigned clock);
/* The value of a node at a clock, in this number of bits: a constant, truncated, or extended. */
const char *in_bits(const struct pipe *p, const struct expr *node, unsigned clock, unsigned bits);
/* Prints the value of a process without registers as wires n0, n1, … and returns its text. token,
 * state: the names of its elements and of its own results. */
const char *print_wires(struct verilog *v, const struct process *process, const char *token,
                        const char *state);
/* For a scan: print the memory of its results, before the nodes; print the stores to it, after the
 * nodes. */
void print_kept_results(const struct pipe *p);
void print_keeping(const struct pipe *p);
/* The text of a stored result, in the bits of the load: as many as are stored, or the low ones. */
const char *kept_result(const struct pipe *p, const struct expr *load);

#endif
