/* Shared by the printers of Verilog. A process is a module; all modules are in one file. Its edges
 * are the ports i0, i1, …, its stream is the port o, each with valid (_v), ready (_r) and data
 * (_d). A token is a vector with element k at [k * bits +: bits]; if it is tagged, the bits for
 * first and last of the line are above the elements. */
#ifndef FLTC_EMIT_VERILOG_H
#define FLTC_EMIT_VERILOG_H

#include "emit/circuit_language.h"
#include "emit/launch/circuit_parts.h"

struct verilog {
    struct session *session;
    const struct circuit *circuit;
    struct arena *arena;
    struct text *out;
    struct emitted *emitted; /* takes tables: files beside the text */
    const char *stem;        /* what the names of modules and files begin with */
    const struct target *target;
    const char *const *name; /* by process: an identifier */
};

/* "8'd255", modulo 2^bits. */
const char *sized(struct arena *arena, unsigned bits, int64_t value);
/* "[7:0] ", or "" of one bit. */
const char *range_of(struct arena *arena, unsigned bits);
/* Attributes of a memory of each kind: "", or a text that ends with a blank. */
extern const char *const memory_style[MEMORY_KIND_COUNT];
/* Prints a register that is 0 after reset, is incremented when `counts` holds, and returns to 0
 * when `ends` holds, a condition in parentheses. It returns to 0 by its reset, not through the data
 * path, which saves a LUT per bit. */
void print_counter(struct verilog *v, const char *name, unsigned bits, const char *counts,
                   const char *ends);
/* The same for a register that counts 0 … count - 1. is_last: the condition that it is count -
 * 1. */
void print_cyclic_counter(struct verilog *v, const char *name, uint64_t count, const char *counts,
                          const char *is_last);
const struct stream *edge_stream(const struct verilog *v, const struct process *p, unsigned edge);

/* Whether it takes no tokens for some clocks after a reset. */
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
/* The first lines of a module: name, ports, a comment. */
void open_module(struct verilog *v, const struct process *p, const char *what);
/* Prints counters of the tokens of a frame that pass: `name`_x and `name`_y, the place of the
 * current token; `name`_first and `name`_last, whether it is that of its line; `name`_passes. */
void print_place(struct verilog *v, const char *name, const struct stream *stream,
                 const char *passes);
/* Between the port of an image and what takes it in `ready`: makes whole frames, as NAME_in_v and
 * NAME_in_d with NAME_in_first, _last, of a line, NAME_in_start, of a frame, and NAME_wrong. */
void print_align(struct verilog *v, const struct process *source, const char *ready);
/* sync_error, a clock behind the NAME_wrong of all images. */
void print_sync_error(struct verilog *v);
/* Ports that write table `name`, after a comma. */
void print_table_ports(struct verilog *v, const struct circuit_table *table);
/* The AXI4-Stream ports of images and results, each after a comma. */
void print_stream_ports(struct verilog *v);
/* The filter with registers for its parameters; nothing if it has none. */
void print_axi_module(struct verilog *v);
/* The filter: ports, instances, FIFOs. */
void print_top_module(struct verilog *v);
/* The test bench and its Makefile. */
struct emitted_file verilog_testbench(struct verilog *v);
struct emitted_file verilog_makefile(struct verilog *v);
/* The clock, for synthesis of the circuit by itself. */
struct emitted_file verilog_constraints(struct verilog *v);

#endif
