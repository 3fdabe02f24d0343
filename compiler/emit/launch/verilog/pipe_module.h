/* What a pipe and a scan, which is one that keeps results, have in common. */
#ifndef FLTC_EMIT_VERILOG_PIPE_MODULE_H
#define FLTC_EMIT_VERILOG_PIPE_MODULE_H

#include "emit/launch/verilog/verilog.h"
#include "hardware/registers.h"

struct pipe {
    struct verilog *v;
    const struct process *process;
    struct pipe_registers registers;
    const char *token, *state; /* of values without registers; NULL */
    bool *printed; /* of table samples, by place: with another one at the same address */
};

/* The value of a node in so many bits at a clock: a constant, the low ones, or extended. */
const char *in_bits(const struct pipe *p, const struct expr *node, unsigned clock, unsigned bits);
/* The value of a process that has no registers, in wires n0, n1 …; token, state: what its elements
 * and its own results are called. Returns its text. */
const char *print_wires(struct verilog *v, const struct process *process, const char *token,
                        const char *state);
/* Of a scan: where its results are kept, before nodes are printed; and where they get there,
 * behind. */
void print_kept_results(const struct pipe *p);
void print_keeping(const struct pipe *p);
/* The text of one that is kept. */
const char *kept_result(const struct pipe *p, unsigned element);

#endif
