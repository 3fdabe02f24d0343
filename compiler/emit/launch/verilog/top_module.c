/* The filter as a module: AXI4-Stream ports, an instance of each process, FIFOs and splits between
 * them. Behind each port of an image, a module makes whole frames of what comes, so processes never
 * lose count; while it drops or makes samples, sync_error is 1. */
#include "emit/launch/verilog/verilog.h"

void print_stream_ports(struct verilog *v)
{
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        const char *name = port_name(v->circuit, p, v->name);
        if (p->kind == PROCESS_SOURCE)
            text_print(v->out,
                       ",\n input s_axis_%s_tvalid, output s_axis_%s_tready, input "
                       "%ss_axis_%s_tdata,\n input s_axis_%s_tlast, input s_axis_%s_tuser",
                       name, name, range_of(v->arena, port_bits(&p->out)), name, name, name);
        if (p->kind == PROCESS_SINK)
            text_print(v->out,
                       ",\n output m_axis_%s_tvalid, input m_axis_%s_tready, output "
                       "%sm_axis_%s_tdata,\n output m_axis_%s_tlast, output m_axis_%s_tuser",
                       name, name, range_of(v->arena, port_bits(&p->out)), name, name, name);
    }
}

static void print_ports(struct verilog *v)
{
    text_print(v->out, "module %s\n    (input aclk, input aresetn", v->stem);
    v->out->indent += 4;
    print_stream_ports(v);
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++) {
        const struct expr *variable = v->circuit->graph->parameters.item[i].variable;
        text_print(v->out, ",\n input %sp_%s", range_of(v->arena, value_bits(variable)),
                   variable->as.variable.name->text);
    }
    for (size_t t = 0; t < v->circuit->tables.count; t++)
        if (table_is_written(&v->circuit->tables.item[t]))
            print_table_ports(v, &v->circuit->tables.item[t]);
    text_print(v->out, ",\n output sync_error);\n");
}

void print_place(struct verilog *v, const char *name, const struct stream *stream,
                 const char *passes)
{
    struct arena *a = v->arena;
    const unsigned x = count_bits(stream->tokens), y = count_bits(stream->lines);
    text_print(v->out,
               "reg %s%s_x;\nreg %s%s_y;\nwire %s_first = %s_x == %s;\nwire %s_last = %s_x == "
               "%s;\nwire %s_passes = %s;\n",
               range_of(a, x), name, range_of(a, y), name, name, name, sized(a, x, 0), name, name,
               sized(a, x, stream->tokens - 1), name, passes);
    const char *counts = arena_format(a, "%s_passes", name);
    const char *last = arena_format(a, "%s_last", name);
    print_cyclic_counter(v, arena_format(a, "%s_x", name), stream->tokens, counts, last);
    print_cyclic_counter(v, arena_format(a, "%s_y", name), stream->lines,
                         arena_format(a, "%s & %s", counts, last),
                         arena_format(a, "%s_y == %s", name, sized(a, y, stream->lines - 1)));
}

void print_align(struct verilog *v, const struct process *source, const char *ready)
{
    const char *name = port_name(v->circuit, source, v->name);
    const struct stream *stream = &source->out;
    const unsigned bits = token_bits(stream);
    text_print(v->out,
               "wire %s_in_v, %s_in_first, %s_in_last, %s_in_start, %s_wrong;\nwire %s%s_in_d;\n"
               "%s_align #(.BITS(%u), .LINES(%u), .TOKENS(%u), .X(%u), .Y(%u)) %s_align(clk, rst,\n"
               "    s_axis_%s_tvalid, s_axis_%s_tready, s_axis_%s_tdata[%u:0], s_axis_%s_tlast, "
               "s_axis_%s_tuser,\n"
               "    %s_in_v, %s, %s_in_d, %s_in_first, %s_in_last, %s_in_start, %s_wrong);\n",
               name, name, name, name, name, range_of(v->arena, bits), name, v->stem, bits,
               stream->lines, stream->tokens, count_bits(stream->tokens), count_bits(stream->lines),
               name, name, name, name, bits - 1, name, name, name, ready, name, name, name, name,
               name);
}

static void print_source(struct verilog *v, const struct process *p)
{
    const char *name = port_name(v->circuit, p, v->name);
    print_align(v, p, arena_format(v->arena, "s_%s_r & ~preparing", name));
    text_print(v->out,
               "assign s_%s_v = %s_in_v & ~preparing;\n"
               "assign s_%s_d = {%s%s_in_d};\n",
               name, name, name,
               p->out.tagged ? arena_format(v->arena, "%s_in_last, %s_in_first, ", name, name) : "",
               name);
}

static void print_sink(struct verilog *v, const struct process *p)
{
    const char *name = port_name(v->circuit, p, v->name);
    const unsigned bits = token_bits(&p->out), port = port_bits(&p->out);
    const char *edge = arena_format(v->arena, "e_%s_0", v->name[p->id]);
    const char *data = arena_format(v->arena, "%s_d[%u:0]", edge, bits - 1);
    print_place(v, arena_format(v->arena, "%s_out", name), &p->out,
                arena_format(v->arena, "m_axis_%s_tvalid & m_axis_%s_tready", name, name));
    text_print(v->out, "assign m_axis_%s_tvalid = %s_v;\nassign %s_r = m_axis_%s_tready;\n", name,
               edge, edge, name);
    if (port == bits)
        text_print(v->out, "assign m_axis_%s_tdata = %s;\n", name, data);
    else if (p->out.interval.least < 0 && stream_elements(&p->out) == 1)
        text_print(v->out, "assign m_axis_%s_tdata = {{%u{%s_d[%u]}}, %s};\n", name, port - bits,
                   edge, bits - 1, data);
    else
        text_print(v->out, "assign m_axis_%s_tdata = {%u'd0, %s};\n", name, port - bits, data);
    text_print(v->out,
               "assign m_axis_%s_tlast = %s_out_last;\nassign m_axis_%s_tuser = %s_out_first & "
               "%s_out_y == %s;\n",
               name, name, name, name, name, sized(v->arena, count_bits(p->out.lines), 0));
}

/* ---- Streams ---- */

static void print_edge(struct verilog *v, const struct process *reader, unsigned e,
                       const char *valid, const char *ready)
{
    const struct edge *edge = &reader->edge[e];
    const struct process *from = &v->circuit->processes.item[edge->from];
    const unsigned bits = stream_bits(&from->out);
    const char *name = arena_format(v->arena, "e_%s_%u", v->name[reader->id], e);
    const char *data = arena_format(v->arena, "s_%s_d", v->name[from->id]);
    text_print(v->out, "wire %s_v, %s_r;\nwire %s%s_d;\n", name, name, range_of(v->arena, bits),
               name);
    switch (edge->kind) {
    case EDGE_WIRE:
    case EDGE_KIND_COUNT:
        text_print(v->out, "assign %s_v = %s;\nassign %s = %s_r;\nassign %s_d = %s;\n", name, valid,
                   ready, name, name, data);
        return;
    case EDGE_SLICE:
        text_print(v->out,
                   "%s_slice #(.BITS(%u)) %s_slice(clk, rst, %s, %s, %s, %s_v, %s_r, %s_d);\n",
                   v->stem, bits, name, valid, ready, data, name, name, name);
        return;
    case EDGE_FIFO:
        text_print(
            v->out,
            "%s_fifo_%s #(.BITS(%u), .DEPTH(%u), .COUNT(%u)) %s_fifo(clk, rst, %s, %s, %s, %s_v, "
            "%s_r, %s_d);\n",
            v->stem, memory_text[edge->memory], bits, edge->depth, count_bits(edge->depth - 1),
            name, valid, ready, data, name, name, name);
        return;
    }
}

/* The stream of a process, and its edges to those that take it. */
static void print_stream(struct verilog *v, const struct process *p, unsigned readers)
{
    const char *name = v->name[p->id];
    text_print(v->out, "wire s_%s_v, s_%s_r;\nwire %ss_%s_d;\n", name, name,
               range_of(v->arena, stream_bits(&p->out)), name);
    if (readers == 0) /* an image that nothing reads */
        text_print(v->out, "assign s_%s_r = 1'b1;\n", name);
    if (readers > 1)
        text_print(v->out,
                   "wire [%u:0] t_%s_v, t_%s_r;\n"
                   "%s_split #(.COUNT(%u)) %s_split(clk, rst, s_%s_v, s_%s_r, t_%s_v, t_%s_r);\n",
                   readers - 1, name, name, v->stem, readers, name, name, name, name, name);
    unsigned k = 0;
    for (size_t i = p->id + 1; i < v->circuit->processes.count; i++) {
        const struct process *reader = &v->circuit->processes.item[i];
        for (unsigned e = 0; e < reader->edge_count; e++) {
            if (reader->edge[e].from != p->id)
                continue;
            const char *format = readers > 1 ? "t_%s_%s[%u]" : "s_%s_%s";
            print_edge(v, reader, e, arena_format(v->arena, format, name, "v", k),
                       arena_format(v->arena, format, name, "r", k));
            k++;
        }
    }
}

static void print_instance(struct verilog *v, const struct process *p)
{
    const char *name = v->name[p->id];
    text_print(v->out, "%s_%s u_%s(.clk(clk), .rst(rst)", v->stem, name, name);
    for (unsigned e = 0; e < p->edge_count; e++)
        text_print(v->out, ",\n    .i%u_v(e_%s_%u_v), .i%u_r(e_%s_%u_r), .i%u_d(e_%s_%u_d)", e,
                   name, e, e, name, e, e, name, e);
    for (size_t i = 0; process_computes(p) && i < p->as.pipe.node_count; i++) {
        const struct expr *node = p->as.pipe.node[i];
        if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_PARAMETER)
            text_print(v->out, ",\n    .p_%s(p_%s)", node->as.variable.name->text,
                       node->as.variable.name->text);
    }
    const bool *reads = written_tables_read(v->arena, v->circuit, p);
    for (size_t t = 0; t < v->circuit->tables.count; t++) {
        const char *table = v->circuit->tables.item[t].name->text;
        if (reads[t])
            text_print(v->out,
                       ",\n    .t_%s_write(t_%s_write), .t_%s_address(t_%s_address), "
                       ".t_%s_data(t_%s_data)",
                       table, table, table, table, table, table);
    }
    if (process_prepares(p))
        text_print(v->out, ",\n    .preparing(preparing_%s)", name);
    text_print(v->out, ",\n    .o_v(s_%s_v), .o_r(s_%s_r), .o_d(s_%s_d));\n", name, name, name);
}

/* In a reset, and while counts are cleared, no image is taken. */
static void print_preparing(struct verilog *v)
{
    struct text any = text_create(v->arena);
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        if (!process_prepares(&v->circuit->processes.item[i]))
            continue;
        text_print(v->out, "wire preparing_%s;\n", v->name[i]);
        text_print(&any, "%spreparing_%s", any.length ? " | " : "", v->name[i]);
    }
    text_print(v->out, "wire preparing = rst%s%s;\n", any.length ? " | " : "",
               any.length ? any.bytes : "");
}

void print_sync_error(struct verilog *v)
{
    const char *between = "";
    text_print(v->out, "reg wrong;\nassign sync_error = wrong;\n"
                       "always @(posedge clk)\n    wrong <= ~rst & (");
    for (size_t i = 0; i < v->circuit->processes.count; i++)
        if (v->circuit->processes.item[i].kind == PROCESS_SOURCE) {
            text_print(v->out, "%s%s_wrong", between,
                       port_name(v->circuit, &v->circuit->processes.item[i], v->name));
            between = " | ";
        }
    text_print(v->out, ");\n");
}

void print_top_module(struct verilog *v)
{
    const unsigned *readers = circuit_readers(v->arena, v->circuit);
    print_ports(v);
    text_print(v->out, "wire clk = aclk;\nreg rst; // a clock later, as sources may begin then\n"
                       "always @(posedge clk)\n    rst <= ~aresetn;\n");
    print_preparing(v);
    for (size_t i = 0; i < v->circuit->processes.count; i++)
        if (v->circuit->processes.item[i].kind != PROCESS_SINK)
            print_stream(v, &v->circuit->processes.item[i], readers[i]);
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        if (p->kind == PROCESS_SOURCE)
            print_source(v, p);
        else if (p->kind == PROCESS_SINK)
            print_sink(v, p);
        else
            print_instance(v, p);
    }
    print_sync_error(v);
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}
