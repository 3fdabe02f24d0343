/* Small pieces that several files of this folder print. */
#include "emit/launch/verilog/pipe_module.h"

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

const char *value_at(const struct pipe *p, const struct expr *node, unsigned clock)
{
    const size_t place = register_place(&p->registers, node);
    if (clock <= p->registers.born[place])
        return arena_format(p->v->arena, "n%zu", place);
    return arena_format(p->v->arena, "n%zu_%u", place, clock);
}

const char *in_bits(const struct pipe *p, const struct expr *node, unsigned clock, unsigned bits)
{
    struct arena *arena = p->v->arena;
    if (node->kind == EXPR_INTEGER)
        return sized(arena, bits, node->as.integer);
    const char *name = value_at(p, node, clock);
    const unsigned own = value_bits(node);
    if (own == bits)
        return name;
    if (own > bits)
        return bits == 1 ? arena_format(arena, "%s[0]", name)
                         : arena_format(arena, "%s[%u:0]", name, bits - 1);
    if (!is_signed(node))
        return arena_format(arena, "{%u'd0, %s}", bits - own, name);
    return own == 1 ? arena_format(arena, "{%u{%s}}", bits, name)
                    : arena_format(arena, "{{%u{%s[%u]}}, %s}", bits - own, name, own - 1, name);
}
