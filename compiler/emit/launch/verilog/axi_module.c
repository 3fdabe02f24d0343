/* The filter with its parameters as AXI4-Lite registers. Values written to registers take effect
 * with the next frame after a 1 is written to address 0: frames in the circuit finish first, and no
 * new one begins before. Reading address 0 tells whether that is pending (bit 0), whether there was
 * a sync_error since a 4 was written there (bit 1), and whether the circuit is empty (bit 2).
 * Parameters start at address 16, with one or two words of 4 bytes each. Samples of tables follow
 * in the same way; they take effect at once, so write a 2 to address 0 first: no frame begins
 * until the next 0 or 1 is written there. */
#include "emit/launch/verilog/verilog.h"

enum { FIRST_WORD = 4, WORD = 32 };

/* Of all ports of a kind a text with the port's name, joined by `between`. */
static const char *each_port(const struct verilog *v, enum process_kind kind, const char *format,
                             const char *between)
{
    struct text text = text_create(v->arena);
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        if (p->kind != kind)
            continue;
        const char *name = port_name(v->circuit, p, v->name);
        text_print(&text, "%s", text.length ? between : "");
        for (const char *at = format; *at; at++)
            text_print(&text, *at == '@' ? "%s" : "%.1s", *at == '@' ? name : at);
    }
    return text.length ? text.bytes : "";
}

static const struct expr *parameter_of(const struct verilog *v, size_t i)
{
    return v->circuit->graph->parameters.item[i].variable;
}

static unsigned words_of(const struct verilog *v, size_t i)
{
    return (value_bits(parameter_of(v, i)) + WORD - 1) / WORD;
}

/* Words of each sample of a table, and of the table: a power of two, which its address is a
 * multiple of. */
static unsigned sample_words(const struct circuit_table *table)
{
    return (interval_bits(table->interval) + WORD - 1) / WORD;
}

static unsigned table_words(const struct circuit_table *table)
{
    return sample_words(table) << count_bits(table->count);
}

/* The first word of table `t`, or, of one that is not there, behind the last one. */
static unsigned table_word(const struct verilog *v, size_t t)
{
    unsigned word = FIRST_WORD;
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++)
        word += words_of(v, i);
    for (size_t i = 0; i < v->circuit->tables.count && i <= t; i++) {
        const struct circuit_table *table = &v->circuit->tables.item[i];
        if (!table_is_written(table))
            continue;
        const unsigned size = table_words(table);
        word = (word + size - 1) / size * size;
        if (i < t)
            word += size;
    }
    return word;
}

static unsigned word_count(const struct verilog *v)
{
    return table_word(v, v->circuit->tables.count);
}

static bool has_written_table(const struct verilog *v)
{
    for (size_t t = 0; t < v->circuit->tables.count; t++)
        if (table_is_written(&v->circuit->tables.item[t]))
            return true;
    return false;
}

/* What a parameter is before anything is written. */
static int64_t usual_value(const struct verilog *v, size_t i)
{
    const struct parameter *p = &v->circuit->graph->parameters.item[i];
    return p->initial && p->initial->kind == EXPR_INTEGER ? p->initial->as.integer
           : p->scalar == SCALAR_BOOL                     ? 0
                                                          : p->variable->interval.least;
}

/* ---- Frames ---- */

/* Frames are counted as they come out of what makes them whole. */
static void print_frames_in(struct verilog *v, const struct process *source, const char *name)
{
    text_print(v->out, "wire ready_%s, wait_%s;\n", name, name);
    print_align(v, source, arena_format(v->arena, "ready_%s & ~wait_%s", name, name));
    const unsigned bits = token_bits(&source->out), more = port_bits(&source->out) - bits;
    text_print(v->out,
               "wire %s_in_edge = %s_in_start;\n"
               "wire %s_in_passes = %s_in_v & ready_%s & ~wait_%s;\n"
               "wire %sport_%s = %s%s%s_in_d%s;\n",
               name, name, name, name, name, name, range_of(v->arena, bits + more), name,
               more ? "{" : "",
               more ? arena_format(v->arena, "%s, ", sized(v->arena, more, 0)) : "", name,
               more ? "}" : "");
}

static void print_frames_out(struct verilog *v, const struct process *sink, const char *name)
{
    const char *at = arena_format(v->arena, "%s_out", name);
    print_place(v, at, &sink->out,
                arena_format(v->arena, "m_axis_%s_tvalid & m_axis_%s_tready", name, name));
    text_print(v->out, "wire %s_edge = %s_last & %s_y == %s; // of a frame\n", at, at, at,
               sized(v->arena, count_bits(sink->out.lines), (int64_t)sink->out.lines - 1));
}

static void print_frames(struct verilog *v)
{
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        const char *name = port_name(v->circuit, p, v->name);
        const bool is_source = p->kind == PROCESS_SOURCE;
        if (!is_source && p->kind != PROCESS_SINK)
            continue;
        const char *at = arena_format(v->arena, "%s_%s", name, is_source ? "in" : "out");
        if (is_source)
            print_frames_in(v, p, name);
        else
            print_frames_out(v, p, name);
        text_print(v->out,
                   "reg [7:0] %s_frames;\n"
                   "always @(posedge clk)\n    if (rst)\n        %s_frames <= 8'd0;\n"
                   "    else if (%s_passes & %s_edge)\n        %s_frames <= %s_frames + 8'd1;\n",
                   at, at, at, at, at, at);
    }
}

/* That no other image has begun a frame that this one has not. */
static const char *no_other_is_ahead(struct verilog *v, const struct process *source)
{
    const char *own = port_name(v->circuit, source, v->name);
    struct text text = text_create(v->arena);
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        const char *name = port_name(v->circuit, p, v->name);
        if (p->kind != PROCESS_SOURCE || p == source)
            continue;
        text_print(v->out, "wire [7:0] %s_ahead_of_%s = %s_in_frames - %s_in_frames;\n", name, own,
                   name, own);
        text_print(&text, " & (%s_ahead_of_%s == 8'd0 | %s_ahead_of_%s[7])", name, own, name, own);
    }
    return text.length ? text.bytes : "";
}

static const struct process *first_source(const struct circuit *circuit)
{
    for (size_t i = 0; i < circuit->processes.count; i++)
        if (circuit->processes.item[i].kind == PROCESS_SOURCE)
            return &circuit->processes.item[i];
    return NULL;
}

/* While parameters wait to be taken over, no image begins a frame that no other has begun. They are
 * taken over when all images and results are between frames, the same ones. */
static void print_waits(struct verilog *v)
{
    const char *first = port_name(v->circuit, first_source(v->circuit), v->name);
    struct text idle = text_create(v->arena);
    for (size_t i = 0; i < v->circuit->processes.count; i++) {
        const struct process *p = &v->circuit->processes.item[i];
        const char *name = port_name(v->circuit, p, v->name);
        const char *between = idle.length ? "\n    & " : "";
        if (p->kind == PROCESS_SOURCE) {
            const char *others = no_other_is_ahead(v, p);
            text_print(v->out, "assign wait_%s = %s & %s_in_edge%s;\n", name,
                       has_written_table(v) ? "(pending | holds)" : "pending", name, others);
            text_print(&idle, "%s%s_in_edge", between, name);
            if (p != first_source(v->circuit))
                text_print(&idle, " & %s_in_frames == %s_in_frames", name, first);
        } else if (p->kind == PROCESS_SINK) {
            text_print(&idle, "%s%s_out_frames == %s_in_frames", between, name, first);
        }
    }
    text_print(v->out, "wire idle = %s;\n", idle.bytes);
}

/* ---- Tables ---- */

static bool has_wide_table(const struct verilog *v)
{
    for (size_t t = 0; t < v->circuit->tables.count; t++) {
        const struct circuit_table *table = &v->circuit->tables.item[t];
        if (table_is_written(table) && sample_words(table) > 1)
            return true;
    }
    return false;
}

/* Samples of more bits than a word are written with the second one. */
static void print_table_writes(struct verilog *v, unsigned address_bits)
{
    if (has_written_table(v))
        text_print(v->out, "reg holds;\n");
    if (has_wide_table(v))
        text_print(v->out, "reg [31:0] data_before;\n");
    for (size_t t = 0; t < v->circuit->tables.count; t++) {
        const struct circuit_table *table = &v->circuit->tables.item[t];
        if (!table_is_written(table))
            continue;
        const char *name = table->name->text;
        const unsigned bits = interval_bits(table->interval), inside = count_bits(table->count);
        const unsigned low = sample_words(table) - 1, word = table_word(v, t);
        text_print(v->out,
                   "wire t_%s_write = writes & address[%u:%u] == %s%s; // at %u\n"
                   "wire %st_%s_address = address[%u:%u];\nwire %st_%s_data = ",
                   name, address_bits - 1, inside + low,
                   sized(v->arena, address_bits - inside - low, word >> (inside + low)),
                   low ? " & address[0]" : "", 4 * word, range_of(v->arena, inside), name,
                   inside + low - 1, low, range_of(v->arena, bits), name);
        if (low)
            text_print(v->out, "{data[%u:0], data_before};\n", bits - WORD - 1);
        else
            text_print(v->out, "data[%u:0];\n", bits - 1);
    }
}

/* ---- Registers ---- */

static void print_write(struct verilog *v, size_t i, unsigned word)
{
    const char *name = parameter_of(v, i)->as.variable.name->text;
    const unsigned bits = value_bits(parameter_of(v, i));
    for (unsigned part = 0; part < words_of(v, i); part++)
        for (unsigned byte = 0; byte < 4; byte++) {
            const unsigned low = part * WORD + byte * 8;
            const unsigned high = low + 7 < bits ? low + 7 : bits - 1;
            if (low < bits)
                text_print(v->out,
                           "        if (address == %u & strobe[%u])\n            new_%s[%u:%u] <= "
                           "data[%u:%u];\n",
                           word + part, byte, name, high, low, high - part * WORD, byte * 8);
        }
}

static void print_registers(struct verilog *v, unsigned address_bits)
{
    unsigned word = FIRST_WORD;
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++, word += words_of(v, i - 1)) {
        const char *name = parameter_of(v, i)->as.variable.name->text;
        const unsigned bits = value_bits(parameter_of(v, i));
        text_print(v->out, "reg %snew_%s, now_%s; // at %u\n", range_of(v->arena, bits), name, name,
                   4 * word);
    }
    text_print(v->out,
               "reg has_address, has_data, pending, failed;\nreg [%u:0] address;\nreg [31:0] data, "
               "value;\n"
               "reg [3:0] strobe;\nreg answered, told;\nassign s_axi_awready = ~has_address;\n"
               "assign s_axi_wready = ~has_data;\nassign s_axi_bvalid = answered;\n"
               "assign s_axi_bresp = 2'd0;\nassign s_axi_arready = ~told;\n"
               "assign s_axi_rvalid = told;\nassign s_axi_rdata = value;\n"
               "assign s_axi_rresp = 2'd0;\nwire writes = has_address & has_data & ~answered;\n",
               address_bits - 1);
    print_table_writes(v, address_bits);
}

static void print_reads(struct verilog *v)
{
    unsigned word = FIRST_WORD;
    text_print(v->out,
               "        case (s_axi_araddr[%u:2])\n            0: value <= {%s, "
               "failed, pending};\n",
               count_bits(word_count(v)) + 1, has_written_table(v) ? "29'd0, idle" : "30'd0");
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++)
        for (unsigned part = 0; part < words_of(v, i); part++, word++) {
            const unsigned bits = value_bits(parameter_of(v, i)), low = part * WORD;
            const unsigned own = bits - low < WORD ? bits - low : WORD;
            const char *name = parameter_of(v, i)->as.variable.name->text;
            if (own == WORD)
                text_print(v->out, "            %u: value <= new_%s[%u:%u];\n", word, name,
                           low + own - 1, low);
            else
                text_print(v->out, "            %u: value <= {%u'd0, new_%s[%u:%u]};\n", word,
                           WORD - own, name, low + own - 1, low);
        }
    text_print(v->out, "            default: value <= 32'd0;\n        endcase\n");
}

static void print_accesses(struct verilog *v)
{
    const bool has_parameters = v->circuit->graph->parameters.count > 0;
    unsigned word = FIRST_WORD;
    text_print(v->out,
               "always @(posedge clk) begin\n    if (s_axi_awvalid & ~has_address)\n"
               "        address <= s_axi_awaddr[%u:2];\n    if (s_axi_wvalid & ~has_data) begin\n"
               "        data <= s_axi_wdata;\n        strobe <= s_axi_wstrb;\n    end\n"
               "    has_address <= (has_address | s_axi_awvalid) & ~writes;\n"
               "    has_data <= (has_data | s_axi_wvalid) & ~writes;\n"
               "    answered <= writes | (answered & ~s_axi_bready);\n"
               "    told <= told ? ~s_axi_rready : s_axi_arvalid;\n%s",
               count_bits(word_count(v)) + 1, has_parameters ? "    if (writes) begin\n" : "");
    for (size_t i = 0; i < v->circuit->graph->parameters.count; word += words_of(v, i), i++)
        print_write(v, i, word);
    text_print(v->out, "%s    if (s_axi_arvalid & ~told)\n", has_parameters ? "    end\n" : "");
    print_reads(v);
    text_print(v->out, "    if (pending & idle) begin\n        pending <= 1'b0;\n");
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++)
        text_print(v->out, "        now_%s <= new_%s;\n",
                   parameter_of(v, i)->as.variable.name->text,
                   parameter_of(v, i)->as.variable.name->text);
    text_print(v->out, "    end\n    if (writes & address == 0 & strobe[0] & data[0])\n"
                       "        pending <= 1'b1;\n");
    text_print(v->out, "    failed <= sync_error | (failed & ~(writes & address == 0 & strobe[0] & "
                       "data[2]));\n");
    if (has_wide_table(v))
        text_print(v->out, "    if (writes)\n        data_before <= data;\n");
    if (has_written_table(v))
        text_print(v->out, "    if (rst)\n        holds <= 1'b0;\n"
                           "    else if (writes & address == 0 & strobe[0])\n"
                           "        holds <= data[1];\n");
    text_print(v->out,
               "    if (rst) begin\n        has_address <= 1'b0;\n"
               "        has_data <= 1'b0;\n        answered <= 1'b0;\n        told <= 1'b0;\n"
               "        pending <= 1'b0;\n        failed <= 1'b0;\n");
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++) {
        const char *name = parameter_of(v, i)->as.variable.name->text;
        const char *usual = sized(v->arena, value_bits(parameter_of(v, i)), usual_value(v, i));
        text_print(v->out, "        new_%s <= %s;\n        now_%s <= %s;\n", name, usual, name,
                   usual);
    }
    text_print(v->out, "    end\nend\n");
}

/* ---- The module ---- */

static void print_circuit(struct verilog *v)
{
    text_print(v->out,
               "wire never; // frames are whole\n%s u_circuit(.aclk(aclk), .aresetn(aresetn)",
               v->stem);
    text_print(v->out, "%s",
               each_port(v, PROCESS_SOURCE,
                         ",\n    .s_axis_@_tvalid(@_in_v & ~wait_@), "
                         ".s_axis_@_tready(ready_@),\n    .s_axis_@_tdata(port_@), "
                         ".s_axis_@_tlast(@_in_last), .s_axis_@_tuser(@_in_start)",
                         ""));
    text_print(v->out, "%s",
               each_port(v, PROCESS_SINK,
                         ",\n    .m_axis_@_tvalid(m_axis_@_tvalid), "
                         ".m_axis_@_tready(m_axis_@_tready),\n    .m_axis_@_tdata(m_axis_@_tdata), "
                         ".m_axis_@_tlast(m_axis_@_tlast), .m_axis_@_tuser(m_axis_@_tuser)",
                         ""));
    for (size_t i = 0; i < v->circuit->graph->parameters.count; i++)
        text_print(v->out, ",\n    .p_%s(now_%s)", parameter_of(v, i)->as.variable.name->text,
                   parameter_of(v, i)->as.variable.name->text);
    for (size_t t = 0; t < v->circuit->tables.count; t++) {
        const char *name = v->circuit->tables.item[t].name->text;
        if (table_is_written(&v->circuit->tables.item[t]))
            text_print(v->out,
                       ",\n    .t_%s_write(t_%s_write), .t_%s_address(t_%s_address), "
                       ".t_%s_data(t_%s_data)",
                       name, name, name, name, name, name);
    }
    text_print(v->out, ",\n    .sync_error(never));\n");
}

void print_axi_module(struct verilog *v)
{
    const bool has_parameters = v->circuit->graph->parameters.count > 0;
    if ((!has_parameters && !has_written_table(v)) || !first_source(v->circuit))
        return;
    const unsigned bits = count_bits(word_count(v));
    text_print(
        v->out,
        "\n// %s with its parameters as registers, at 16 and on; a 1 written to 0 lets them "
        "count\n// from the next frame on. Read at 0: bit 0, that is to come; bit 1, "
        "sync_error\n// was 1 since a 4 was written to 0.\n%smodule %s_axi\n    (input aclk, input "
        "aresetn",
        v->stem,
        has_written_table(v)
            ? "// Samples of tables, of 4 bytes each or 8, count at once: write 2 to 0, wait "
              "for bit 2 there,\n// write the samples, write 0 or 1 to 0.\n"
            : "",
        v->stem);
    v->out->indent += 4;
    text_print(v->out,
               ",\n input s_axi_awvalid, output s_axi_awready, input [%u:0] s_axi_awaddr,\n"
               " input s_axi_wvalid, output s_axi_wready, input [31:0] s_axi_wdata, input [3:0] "
               "s_axi_wstrb,\n output s_axi_bvalid, input s_axi_bready, output [1:0] s_axi_bresp,\n"
               " input s_axi_arvalid, output s_axi_arready, input [%u:0] s_axi_araddr,\n"
               " output s_axi_rvalid, input s_axi_rready, output [31:0] s_axi_rdata, output [1:0] "
               "s_axi_rresp",
               bits + 1, bits + 1);
    print_stream_ports(v);
    text_print(v->out, ",\n output sync_error);\n");
    text_print(v->out, "wire clk = aclk;\nreg rst;\nalways @(posedge clk)\n    rst <= ~aresetn;\n");
    print_registers(v, bits);
    print_frames(v);
    print_waits(v);
    print_accesses(v);
    print_circuit(v);
    print_sync_error(v);
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}
