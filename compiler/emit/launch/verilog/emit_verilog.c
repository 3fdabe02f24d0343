#include "emit/launch/verilog/verilog.h"
#include "emit/launch/reserved.h"
#include "emit/launch/verilog/library.h"

#include <ctype.h>

const char *sized(struct arena *arena, unsigned bits, int64_t value)
{
    const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return arena_format(arena, "%u'd%llu", bits, (unsigned long long)((uint64_t)value & mask));
}

const char *range_of(struct arena *arena, unsigned bits)
{
    return arena_format(arena, "[%u:0] ", bits - 1);
}

const char *const memory_style[MEMORY_KIND_COUNT] = {
    [MEMORY_REGISTERS] = "",
    [MEMORY_LUT] = "(* ram_style = \"distributed\" *) ",
    [MEMORY_BLOCK] = "(* ram_style = \"block\" *) "};

void print_counter(struct verilog *v, const char *name, unsigned bits, const char *counts,
                   const char *ends)
{
    struct arena *a = v->arena;
    text_print(v->out,
               "always @(posedge clk)\n    if (rst%s%s)\n        %s <= %s;\n"
               "    else if (%s)\n        %s <= %s + %s;\n",
               ends ? " | " : "", ends ? ends : "", name, sized(a, bits, 0), counts, name, name,
               sized(a, bits, 1));
}

void print_cyclic_counter(struct verilog *v, const char *name, uint64_t count, const char *counts,
                          const char *is_last)
{
    const unsigned bits = count_bits(count);
    const bool wraps = count == (uint64_t)1 << bits;
    print_counter(v, name, bits, counts,
                  wraps ? NULL : arena_format(v->arena, "(%s & %s)", counts, is_last));
}

const struct stream *edge_stream(const struct verilog *v, const struct process *p, unsigned edge)
{
    return process_edge(v->circuit, p, edge);
}

/* The parameters that a pipe takes: of its nodes. */
static void print_parameters(struct verilog *v, const struct process *p)
{
    for (size_t i = 0; process_computes(p) && i < p->as.pipe.node_count; i++) {
        const struct expr *node = p->as.pipe.node[i];
        if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_PARAMETER)
            text_print(v->out, ",\n input %sp_%s", range_of(v->arena, value_bits(node)),
                       node->as.variable.name->text);
    }
}

void print_table_ports(struct verilog *v, const struct circuit_table *table)
{
    const char *name = table->name->text;
    text_print(v->out, ",\n input t_%s_write, input %st_%s_address, input %st_%s_data", name,
               range_of(v->arena, count_bits(table->count)), name,
               range_of(v->arena, interval_bits(table->interval)), name);
}

void open_module(struct verilog *v, const struct process *p, const char *what)
{
    text_print(v->out, "\n// %s: %s%s%s\nmodule %s_%s\n    (input clk, input rst", p->name->text,
               process_text[p->kind], *what ? ", " : "", what, v->stem, v->name[p->id]);
    v->out->indent += 4;
    for (unsigned e = 0; e < p->edge_count; e++)
        text_print(v->out, ",\n input i%u_v, output i%u_r, input %si%u_d", e, e,
                   range_of(v->arena, stream_bits(edge_stream(v, p, e))), e);
    print_parameters(v, p);
    const bool *reads = written_tables_read(v->arena, v->circuit, p);
    for (size_t t = 0; t < v->circuit->tables.count; t++)
        if (reads[t])
            print_table_ports(v, &v->circuit->tables.item[t]);
    if (process_prepares(p))
        text_print(v->out, ",\n output preparing");
    text_print(v->out, ",\n output o_v, input o_r, output %so_d);\n",
               range_of(v->arena, stream_bits(&p->out)));
}

static void print_module(struct verilog *v, const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
    case PROCESS_SINK:
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        print_pipe_module(v, p);
        return;
    case PROCESS_COUNT:
        print_count_module(v, p);
        return;
    case PROCESS_WINDOW:
        if (p->as.window.axis == RASTER_LINES)
            print_column_module(v, p);
        else
            print_row_module(v, p);
        return;
    case PROCESS_TWICE:
        if (p->as.twice.axis == RASTER_LINES)
            print_twice_down_module(v, p);
        else
            print_twice_along_module(v, p);
        return;
    case PROCESS_KIND_COUNT:
        return;
    }
}

/* A FIFO is one for each kind of memory. */
static bool has_edge(const struct circuit *circuit, enum edge_kind kind, enum memory_kind memory)
{
    for (size_t i = 0; i < circuit->processes.count; i++)
        for (unsigned e = 0; e < circuit->processes.item[i].edge_count; e++)
            if (circuit->processes.item[i].edge[e].kind == kind &&
                (kind != EDGE_FIFO || circuit->processes.item[i].edge[e].memory == memory))
                return true;
    return false;
}

static bool has_source(const struct circuit *circuit)
{
    for (size_t i = 0; i < circuit->processes.count; i++)
        if (circuit->processes.item[i].kind == PROCESS_SOURCE)
            return true;
    return false;
}

static bool has_split(struct arena *arena, const struct circuit *circuit)
{
    const unsigned *readers = circuit_readers(arena, circuit);
    for (size_t i = 0; i < circuit->processes.count; i++)
        if (readers[i] > 1)
            return true;
    return false;
}

static bool takes_name(const char *stem)
{
    if (!isalpha((unsigned char)*stem) && *stem != '_')
        return false;
    for (const char *at = stem; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    return !name_is_reserved(stem, ROLE_GLOBAL, LANGUAGE_VERILOG);
}

static struct emitted emit_verilog(struct session *session, const struct circuit *circuit,
                                   const char *stem, const struct target *target)
{
    struct emitted emitted = {0};
    struct text out = text_create(session->ir);
    struct verilog v = {.session = session,
                        .circuit = circuit,
                        .arena = session->ir,
                        .out = &out,
                        .emitted = &emitted,
                        .stem = stem,
                        .target = target,
                        .name = process_names(session->ir, circuit, LANGUAGE_VERILOG)};
    VECTOR_PUSH(session->ir, &emitted.files, (struct emitted_file){0});
    text_print(&out, "// %s, a circuit that takes a sample a clock.\n", stem);
    print_top_module(&v);
    print_axi_module(&v);
    for (size_t i = 0; i < circuit->processes.count; i++)
        print_module(&v, &circuit->processes.item[i]);
    for (unsigned m = 0; m < MEMORY_KIND_COUNT; m++)
        if (has_edge(circuit, EDGE_FIFO, (enum memory_kind)m)) {
            text_print(&out, "\n");
            text_print(&out, verilog_fifo, stem, memory_text[m], memory_style[m]);
        }
    const struct {
        bool used;
        const char *text;
    } part[] = {{has_source(circuit), verilog_align},
                {has_edge(circuit, EDGE_SLICE, MEMORY_REGISTERS), verilog_slice},
                {has_split(session->ir, circuit), verilog_split}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].used) {
            text_print(&out, "\n");
            text_print(&out, part[i].text, stem);
        }
    emitted.files.item[0] =
        (struct emitted_file){arena_format(session->ir, "%s.v", stem), out.bytes, out.length};
    VECTOR_PUSH(session->ir, &emitted.files, verilog_testbench(&v));
    VECTOR_PUSH(session->ir, &emitted.files, verilog_makefile(&v));
    VECTOR_PUSH(session->ir, &emitted.files, verilog_constraints(&v));
    return emitted;
}

const struct circuit_language language_verilog = {".v", emit_verilog, takes_name};
