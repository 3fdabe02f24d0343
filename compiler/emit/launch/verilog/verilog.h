/* What the printers of Verilog have in common. A process is a module of one file: its edges are the
 * ports i0, i1, …, its stream is the port o, each with valid (_v), ready (_r) and data (_d). A
 * token is a vector: element k at [k * bits +: bits], and above them, where it is tagged, first and
 * last of its line. */
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
    const char *const *name; /* by process: an identifier */
};

/* "8'd255", modulo 2^bits. */
const char *sized(struct arena *arena, unsigned bits, int64_t value);
/* "[7:0] ", or "" of one bit. */
const char *range_of(struct arena *arena, unsigned bits);
/* Attributes of a memory of each kind: "", or with a blank behind. */
extern const char *const memory_style[MEMORY_KIND_COUNT];
/* A register of so many bits that is 0 after reset, goes up by one where `counts` holds, and back
 * to 0 where `ends` does, a condition in brackets. As a reset that is not of the data it costs no
 * LUT a bit. */
void print_counter(struct verilog *v, const char *name, unsigned bits, const char *counts,
                   const char *ends);
/* The same of one that counts 0 … count - 1; is_last: where it is count - 1. */
void print_cyclic_counter(struct verilog *v, const char *name, uint64_t count, const char *counts,
                          const char *is_last);
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
/* Counts the tokens of a frame that pass; `name`_x, `name`_y: where the one at hand is;
 * `name`_first, `name`_last: of its line; `name`_passes. */
void print_place(struct verilog *v, const char *name, const struct stream *stream,
                 const char *passes);
/* Ports that write table `name`, behind a comma. */
void print_table_ports(struct verilog *v, const struct circuit_table *table);
/* The AXI4-Stream ports of images and results, each behind a comma. */
void print_stream_ports(struct verilog *v);
/* The filter with registers for its parameters; nothing if it has none. */
void print_axi_module(struct verilog *v);
/* The filter: ports, instances, FIFOs. */
void print_top_module(struct verilog *v);
/* What tests it, and how to build that. */
struct emitted_file verilog_testbench(struct verilog *v);
struct emitted_file verilog_makefile(struct verilog *v);

#endif
