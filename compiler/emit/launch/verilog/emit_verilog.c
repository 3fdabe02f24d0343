#include "emit/launch/verilog/verilog.h"
#include "emit/launch/reserved.h"
#include "emit/launch/verilog/library.h"

#include <ctype.h>

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
