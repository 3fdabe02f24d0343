/* What the printers of Verilog have in common. A process is a module of one file: its edges are the
 * ports i0, i1, …, its stream is the port o, each with valid (_v), ready (_r) and data (_d). A
 * token is a vector: element k at [k * bits +: bits], and above them, where it is tagged, first and
 * last of its line. */
#ifndef FLTC_EMIT_VERILOG_H
#define FLTC_EMIT_VERILOG_H

#include "emit/circuit_language.h"

struct verilog {
    struct session *session;
    const struct circuit *circuit;
    struct arena *arena;
    struct text *out;
    struct emitted *emitted; /* takes tables: files beside the text */
    const char *stem;        /* what the names of modules and files begin with */
    const char *const *name; /* by process: an identifier */
};

/* Bits that count 0 … count - 1; one at least. */
unsigned count_bits(uint64_t count);
/* "8'd255", modulo 2^bits. */
const char *sized(struct arena *arena, unsigned bits, int64_t value);
/* "[7:0] ", or "" of one bit. */
const char *range_of(struct arena *arena, unsigned bits);
/* Bits of the elements of a token, and of one element. */
unsigned token_bits(const struct stream *stream);
unsigned element_bits(const struct stream *stream);
const struct stream *edge_stream(const struct verilog *v, const struct process *p, unsigned edge);

/* Whether it takes nothing for some clocks after a reset. */
static inline bool process_prepares(const struct process *process)
{
    return process->kind == PROCESS_COUNT && process->as.count.bins > 1;
}

/* One module. */
void print_pipe_module(struct verilog *v, const struct process *pipe);
void print_count_module(struct verilog *v, const struct process *count);
void print_column_module(struct verilog *v, const struct process *window);
void print_row_module(struct verilog *v, const struct process *window);
void print_twice_down_module(struct verilog *v, const struct process *twice);
void print_twice_along_module(struct verilog *v, const struct process *twice);
/* Its first lines: name, ports, what it is of. */
void open_module(struct verilog *v, const struct process *p, const char *what);
/* The filter: ports, instances, FIFOs. */
void print_top_module(struct verilog *v);
/* What tests it, and how to build that. */
struct emitted_file verilog_testbench(struct verilog *v);
struct emitted_file verilog_makefile(struct verilog *v);

#endif
