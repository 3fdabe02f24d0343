/* A pipe: registers after operations, which all advance together (`ce`) when the reader takes the
 * waiting token or there is none. Arithmetic is modulo 2^bits, which is right because each result
 * fits its bits. */
#include "emit/launch/verilog/pipe_module.h"
#include "hardware/delay.h"
#include "hardware/memories.h"
#include "hardware/registers.h"

#include <inttypes.h>

/* ---- Operations ---- */

struct operation {
    const struct pipe *p;
    const struct expr *node;
    unsigned bits, clock;
};

static const char *operand(const struct operation *o, unsigned i, unsigned bits)
{
    return in_bits(o->p, o->node->operand[i], o->clock, bits);
}

/* x 2^k */
static const char *shifted_left(const struct operation *o, unsigned k)
{
    struct arena *arena = o->p->v->arena;
    if (k == 0)
        return operand(o, 0, o->bits);
    if (k >= o->bits)
        return sized(arena, o->bits, 0);
    return arena_format(arena, "{%s, %u'd0}", operand(o, 0, o->bits - k), k);
}

/* A positive number as powers of two, those of `minus` taken away: 7 is 8 - 1, but 6 is 4 + 2. */
struct digits {
    uint64_t plus, minus;
};

static struct digits digits_of(uint64_t by)
{
    const uint64_t triple = 3 * by; /* digits are where this differs from the number */
    const struct digits joined = {triple & ~by, by & ~triple};
    struct digits d = {by, 0};
    if (__builtin_popcountll(joined.plus) + __builtin_popcountll(joined.minus) <
        __builtin_popcountll(by))
        d = (struct digits){joined.plus >> 1, joined.minus >> 1};
    return d;
}

/* The operand is the first one. */
static const char *multiple(const struct operation *o, int64_t by)
{
    const struct digits d = digits_of((uint64_t)by);
    struct text text = text_create(o->p->v->arena);
    for (unsigned k = 64; k-- > 0;) /* the greatest is one of those that are added */
        if ((d.plus | d.minus) >> k & 1)
            text_print(&text, "%s%s",
                       !text.length       ? ""
                       : d.minus >> k & 1 ? " - "
                                          : " + ",
                       shifted_left(o, k));
    return text.bytes;
}

static const char *quotient(const struct operation *o)
{
    struct arena *arena = o->p->v->arena;
    const struct expr *x = o->node->operand[0];
    const unsigned k = (unsigned)__builtin_ctzll((uint64_t)o->node->operand[1]->as.integer);
    const unsigned own = value_bits(x), left = own > k ? own - k : 0;
    if (k == 0)
        return operand(o, 0, o->bits);
    if (!left)
        return is_signed(x) ? arena_format(arena, "{%u{%s[%u]}}", o->bits,
                                           value_at(o->p, x, o->clock), own - 1)
                            : sized(arena, o->bits, 0);
    if (left >= o->bits)
        return arena_format(arena, "%s[%u:%u]", value_at(o->p, x, o->clock), k + o->bits - 1, k);
    return is_signed(x) ? arena_format(arena, "{{%u{%s[%u]}}, %s[%u:%u]}", o->bits - left,
                                       value_at(o->p, x, o->clock), own - 1,
                                       value_at(o->p, x, o->clock), own - 1, k)
                        : arena_format(arena, "{%u'd0, %s[%u:%u]}", o->bits - left,
                                       value_at(o->p, x, o->clock), own - 1, k);
}

/* Of operands that are compared: enough bits for both, with a sign where one has it. */
static const char *compared(const struct operation *o, const char *how)
{
    const struct expr *a = o->node->operand[0], *b = o->node->operand[1];
    const bool any_signed = is_signed(a) || is_signed(b);
    const unsigned of_a = value_bits(a) + (any_signed && !is_signed(a));
    const unsigned of_b = value_bits(b) + (any_signed && !is_signed(b));
    const unsigned bits = of_a > of_b ? of_a : of_b;
    return arena_format(o->p->v->arena, any_signed ? "$signed(%s) %s $signed(%s)" : "%s %s %s",
                        operand(o, 0, bits), how, operand(o, 1, bits));
}

static bool is_zero(const struct expr *node)
{
    return node->kind == EXPR_INTEGER && node->as.integer == 0;
}

static const char *text_of(const struct operation *o)
{
    struct arena *arena = o->p->v->arena;
    const struct expr *node = o->node;
    const unsigned bits = o->bits;
#define BINARY(how) arena_format(arena, "%s " how " %s", operand(o, 0, bits), operand(o, 1, bits))
    switch (node->kind) {
    case EXPR_ADD:
        return BINARY("+");
    case EXPR_SUBTRACT:
        return BINARY("-");
    case EXPR_NEGATE:
        return arena_format(arena, "-%s", operand(o, 0, bits));
    case EXPR_ABSOLUTE:
        return !is_signed(node->operand[0])
                   ? operand(o, 0, bits)
                   : arena_format(arena, "%s[%u] ? -%s : %s",
                                  value_at(o->p, node->operand[0], o->clock),
                                  value_bits(node->operand[0]) - 1, operand(o, 0, bits),
                                  operand(o, 0, bits));
    case EXPR_MULTIPLY:
        return multiple(o, node->operand[1]->as.integer);
    case EXPR_DIVIDE:
        return quotient(o);
    case EXPR_REMAINDER:
    case EXPR_CONVERT:
        return operand(o, 0, bits);
    case EXPR_MINIMUM:
        return arena_format(arena, "%s ? %s : %s", compared(o, "<"), operand(o, 0, bits),
                            operand(o, 1, bits));
    case EXPR_MAXIMUM:
        return arena_format(arena, "%s ? %s : %s", compared(o, ">"), operand(o, 0, bits),
                            operand(o, 1, bits));
    case EXPR_EQUAL:
        return compared(o, "==");
    case EXPR_NOT_EQUAL:
        return is_zero(node->operand[1]) && value_bits(node->operand[0]) == 1 ? operand(o, 0, 1)
                                                                              : compared(o, "!=");
    case EXPR_LESS:
        return compared(o, "<");
    case EXPR_LESS_EQUAL:
        return compared(o, "<=");
    case EXPR_AND:
    case EXPR_BIT_AND:
        return BINARY("&");
    case EXPR_OR:
    case EXPR_BIT_OR:
        return BINARY("|");
    case EXPR_BIT_XOR:
        return BINARY("^");
    case EXPR_NOT:
        return arena_format(arena, "~%s", operand(o, 0, 1));
    case EXPR_SHIFT_LEFT:
        return arena_format(arena, "%s << %s", operand(o, 0, bits),
                            operand(o, 1, value_bits(node->operand[1])));
    case EXPR_SELECT:
        return arena_format(arena, "%s ? %s : %s", operand(o, 0, 1), operand(o, 1, bits),
                            operand(o, 2, bits));
    default:
        return NULL;
    }
#undef BINARY
}

/* ---- Nodes ---- */

static void print_wire(const struct pipe *p, size_t place, unsigned bits, const char *value)
{
    text_print(p->v->out, "wire %sn%zu = %s;\n", range_of(p->v->arena, bits), place, value);
}

static void print_product(const struct pipe *p, size_t place, const struct expr *node)
{
    struct text *out = p->v->out;
    const unsigned clock = register_taken(&p->registers, node);
    const struct operation o = {p, node, value_bits(node), clock};
    const unsigned a = value_bits(node->operand[0]) + !is_signed(node->operand[0]);
    const unsigned b = value_bits(node->operand[1]) + !is_signed(node->operand[1]);
    text_print(out,
               "reg signed %sn%zu_a;\nreg signed %sn%zu_b;\nreg signed %sn%zu_p;\n"
               "always @(posedge clk)\n    if (ce) begin\n"
               "        n%zu_a <= %s;\n        n%zu_b <= %s;\n        n%zu_p <= n%zu_a * n%zu_b;\n"
               "    end\n",
               range_of(p->v->arena, a), place, range_of(p->v->arena, b), place,
               range_of(p->v->arena, a + b), place, place, operand(&o, 0, a), place,
               operand(&o, 1, b), place, place, place);
    print_wire(p, place, o.bits, arena_format(p->v->arena, "n%zu_p[%u:0]", place, o.bits - 1));
}

/* Right shifts by what is no constant: by all bits, then the low ones. */
static void print_shift_right(const struct pipe *p, size_t place, const struct expr *node)
{
    const unsigned own = value_bits(node->operand[0]) + 1, bits = value_bits(node);
    const struct operation o = {p, node, own, register_taken(&p->registers, node)};
    text_print(p->v->out, "wire signed %sn%zu_s = $signed(%s) >>> %s;\n",
               range_of(p->v->arena, own), place, operand(&o, 0, own),
               operand(&o, 1, value_bits(node->operand[1])));
    if (own >= bits)
        print_wire(p, place, bits, arena_format(p->v->arena, "n%zu_s[%u:0]", place, bits - 1));
    else
        print_wire(p, place, bits,
                   arena_format(p->v->arena, "{{%u{n%zu_s[%u]}}, n%zu_s}", bits - own, place,
                                own - 1, place));
}

static const struct circuit_table *table_of(const struct pipe *p, const struct expr *node)
{
    return &p->v->circuit->tables.item[node->as.load.source - PIPE_TABLES];
}

/* The words of a memory of tables side by side, in hexadecimal: 4 bits a digit, from the top. */
static void print_words(struct text *file, size_t count, size_t tables,
                        const struct circuit_table *const table[])
{
    unsigned bits = 0;
    for (size_t t = 0; t < tables; t++)
        bits += interval_bits(table[t]->interval);
    const unsigned digits = (bits + 3) / 4;
    for (size_t i = 0; i < count; i++) {
        for (unsigned d = digits; d-- > 0;) {
            unsigned digit = 0;
            for (unsigned b = 0; b < 4; b++) {
                unsigned at = 4 * d + b;
                size_t t = 0;
                while (t < tables && at >= interval_bits(table[t]->interval))
                    at -= interval_bits(table[t++]->interval);
                if (t < tables && i < table[t]->count)
                    digit |= (unsigned)((uint64_t)table[t]->value[i] >> at & 1) << b;
            }
            text_print(file, "%x", digit);
        }
        text_print(file, "\n");
    }
}

/* A memory that is written at any time, read as the pipe moves on; of a place that is a number,
 * that register. */
static void print_written_sample(const struct pipe *p, size_t place, const struct expr *node)
{
    struct arena *arena = p->v->arena;
    const struct circuit_table *table = table_of(p, node);
    const struct memory_shape shape = written_table_memory(table);
    const char *name = table->name->text, *range = range_of(arena, shape.bits);
    const unsigned address = count_bits(table->count);
    if (node->operand[0]->kind == EXPR_INTEGER)
        text_print(p->v->out,
                   "reg %sn%zu_q;\nalways @(posedge clk)\n"
                   "    if (t_%s_write & t_%s_address == %s)\n        n%zu_q <= t_%s_data;\n",
                   range, place, name, name, sized(arena, address, node->operand[0]->as.integer),
                   place, name);
    else
        text_print(p->v->out,
                   "%sreg %sn%zu_ram [0:%zu];\nreg %sn%zu_q;\nalways @(posedge clk) begin\n"
                   "    if (t_%s_write)\n        n%zu_ram[t_%s_address] <= t_%s_data;\n"
                   "    if (ce)\n        n%zu_q <= n%zu_ram[%s];\nend\n",
                   memory_style[memory_for(shape)], range, place, table->count - 1, range, place,
                   name, place, name, name, place, place,
                   in_bits(p, node->operand[0], p->registers.born[place] - 1, address));
    print_wire(p, place, shape.bits, arena_format(arena, "n%zu_q", place));
}

/* Constant tables at one address are one memory, side by side. */
static void print_samples(struct pipe *p, size_t place, const struct expr *node)
{
    const struct process *process = p->process;
    struct arena *arena = p->v->arena;
    const size_t all = process->as.pipe.node_count;
    const struct circuit_table **table = ARENA_ARRAY(arena, const struct circuit_table *, all + 1);
    size_t *own = ARENA_ARRAY(arena, size_t, all + 1), tables = 0, count = 0;
    unsigned bits = 0;
    for (size_t i = place; i < all; i++) {
        const struct expr *other = process->as.pipe.node[i];
        if (!expr_is_sample(other) || other->operand[0] != node->operand[0] ||
            p->registers.born[i] != p->registers.born[place] ||
            table_is_written(table_of(p, other)))
            continue;
        own[tables] = i;
        table[tables] = table_of(p, other);
        count = table[tables]->count > count ? table[tables]->count : count;
        bits += interval_bits(table[tables++]->interval);
        p->printed[i] = true;
    }
    const char *name =
        arena_format(arena, "%s_%s_%zu.mem", p->v->stem, p->v->name[process->id], place);
    struct text file = text_create(p->v->session->ir);
    print_words(&file, count, tables, table);
    VECTOR_PUSH(p->v->session->ir, &p->v->emitted->files,
                (struct emitted_file){arena_format(p->v->session->ir, "%s", name), file.bytes,
                                      file.length});
    const unsigned address = count_bits(count);
    text_print(
        p->v->out,
        "%sreg %sn%zu_rom [0:%zu];\ninitial $readmemh(\"%s\", n%zu_rom);\n"
        "reg %sn%zu_q;\nalways @(posedge clk)\n    if (ce)\n        n%zu_q <= n%zu_rom[%s];\n",
        count > ROM_IN_LUTS ? "(* rom_style = \"block\" *) " : "", range_of(arena, bits), place,
        count - 1, name, place, range_of(arena, bits), place, place, place,
        in_bits(p, node->operand[0], p->registers.born[place] - 1, address));
    for (size_t t = 0, at = 0; t < tables; t++) {
        const unsigned width = interval_bits(table[t]->interval);
        print_wire(p, own[t], width,
                   tables == 1 ? arena_format(arena, "n%zu_q", place)
                               : arena_format(arena, "n%zu_q[%zu:%zu]", place, at + width - 1, at));
        at += width;
    }
}

static void print_leaf(struct pipe *p, size_t place, const struct expr *node)
{
    struct arena *arena = p->v->arena;
    const unsigned bits = value_bits(node);
    if (expr_is_state(node)) {
        print_wire(p, place, bits, p->state ? p->state : kept_result(p, node));
    } else if (expr_is_element(node)) {
        const struct stream *stream = edge_stream(p->v, p->process, node->as.load.source);
        const unsigned at = (unsigned)node->operand[0]->as.integer * element_bits(stream);
        const bool whole = stream_bits(stream) == bits;
        const char *token =
            p->token ? p->token : arena_format(arena, "i%u_d", node->as.load.source);
        print_wire(
            p, place, bits,
            whole ? token
                  : arena_format(arena, bits == 1 ? "%s[%u]" : "%s[%u +: %u]", token, at, bits));
    } else if (node->as.variable.kind == VARIABLE_INDEX)
        print_wire(p, place, bits, arena_format(arena, "at_%s", node->as.variable.name->text));
    else
        print_wire(p, place, bits, arena_format(arena, "p_%s", node->as.variable.name->text));
}

static void print_node(struct pipe *p, size_t place)
{
    const struct expr *node = p->process->as.pipe.node[place];
    if (node->kind == EXPR_INTEGER || p->printed[place])
        return;
    if (expr_is_sample(node) && table_is_written(table_of(p, node)))
        print_written_sample(p, place, node);
    else if (expr_is_sample(node))
        print_samples(p, place, node);
    else if (node->kind == EXPR_LOAD || node->kind == EXPR_VARIABLE)
        print_leaf(p, place, node);
    else if (is_product(node))
        print_product(p, place, node);
    else if (node->kind == EXPR_SHIFT_RIGHT)
        print_shift_right(p, place, node);
    else {
        const struct operation o = {p, node, value_bits(node), p->registers.born[place]};
        print_wire(p, place, o.bits, text_of(&o));
    }
}

/* The same value at later clocks. */
static void print_delays(const struct pipe *p, size_t place)
{
    const struct expr *node = p->process->as.pipe.node[place];
    for (unsigned clock = p->registers.born[place] + 1; clock <= p->registers.last[place]; clock++)
        text_print(p->v->out,
                   "reg %sn%zu_%u;\nalways @(posedge clk)\n    if (ce)\n        n%zu_%u <= %s;\n",
                   range_of(p->v->arena, value_bits(node)), place, clock, place, clock,
                   value_at(p, node, clock - 1));
}

/* ---- The module ---- */

static bool has_position(const struct process *pipe)
{
    for (size_t i = 0; i < pipe->as.pipe.node_count; i++)
        if (pipe->as.pipe.node[i]->kind == EXPR_VARIABLE &&
            pipe->as.pipe.node[i]->as.variable.kind == VARIABLE_INDEX)
            return true;
    return pipe->kind == PROCESS_SCAN && pipe->as.pipe.state.axis == RASTER_LINES;
}

/* The line and place of the token that is taken. */
static void print_positions(const struct pipe *p)
{
    struct arena *arena = p->v->arena;
    const struct stream *out = &p->process->out;
    const unsigned x = count_bits(out->tokens), y = count_bits(out->lines);
    text_print(p->v->out,
               "reg %sat_place;\nreg %sat_line;\nwire at_end = at_place == %s;\n"
               "wire at_bottom = at_line == %s;\nwire moves = ce & fire;\n",
               range_of(arena, x), range_of(arena, y), sized(arena, x, out->tokens - 1),
               sized(arena, y, out->lines - 1));
    print_cyclic_counter(p->v, "at_place", out->tokens, "moves", "at_end");
    print_cyclic_counter(p->v, "at_line", out->lines, "moves & at_end", "at_bottom");
}

/* A token is taken when all edges bring one. */
static void print_control(const struct pipe *p)
{
    struct text *out = p->v->out;
    const unsigned latency = p->process->latency;
    text_print(out, "wire fire = ");
    for (unsigned e = 0; e < p->process->edge_count; e++)
        text_print(out, "%si%u_v", e ? " & " : "", e);
    text_print(out, ";\nreg %svalid;\nassign o_v = valid%s;\nwire ce = ~o_v | o_r;\n",
               range_of(p->v->arena, latency),
               latency > 1 ? arena_format(p->v->arena, "[%u]", latency - 1) : "");
    for (unsigned e = 0; e < p->process->edge_count; e++) {
        text_print(out, "assign i%u_r = ce", e);
        for (unsigned k = 0; k < p->process->edge_count; k++)
            if (k != e)
                text_print(out, " & i%u_v", k);
        text_print(out, ";\n");
    }
    text_print(out,
               latency > 1
                   ? "always @(posedge clk)\n    if (rst)\n        valid <= %s;\n    else if (ce)\n"
                     "        valid <= {valid[%u:0], fire};\n"
                   : "always @(posedge clk)\n    if (rst)\n        valid <= %s;\n    else if (ce)\n"
                     "        valid <= fire;\n",
               sized(p->v->arena, latency, 0), latency - 2);
}

/* First and last of the line go with the values. */
static void print_tags(const struct pipe *p)
{
    const struct stream *in = edge_stream(p->v, p->process, 0);
    for (unsigned k = 1; k <= p->process->latency; k++)
        text_print(
            p->v->out,
            "reg [1:0] tags_%u;\nalways @(posedge clk)\n    if (ce)\n        tags_%u <= %s;\n", k,
            k,
            k > 1 ? arena_format(p->v->arena, "tags_%u", k - 1)
                  : arena_format(p->v->arena, "i0_d[%u:%u]", stream_bits(in) - 1,
                                 stream_bits(in) - 2));
}

const char *print_wires(struct verilog *v, const struct process *process, const char *token,
                        const char *state)
{
    const size_t count = process->as.pipe.node_count;
    struct pipe p = {.v = v,
                     .process = process,
                     .registers = pipe_registers(v->arena, process),
                     .token = token,
                     .state = state,
                     .printed = ARENA_ARRAY(v->arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++)
        print_node(&p, i);
    return in_bits(&p, process->as.pipe.value[0], 0, element_bits(&process->out));
}

void print_pipe_module(struct verilog *v, const struct process *process)
{
    struct pipe p = {.v = v,
                     .process = process,
                     .registers = pipe_registers(v->arena, process),
                     .printed = ARENA_ARRAY(v->arena, bool, process->as.pipe.node_count + 1)};
    const struct stream *out = &process->out;
    open_module(v, process, "");
    print_control(&p);
    if (has_position(process))
        print_positions(&p);
    if (process->kind == PROCESS_SCAN)
        print_kept_results(&p);
    for (size_t i = 0; i < process->as.pipe.node_count; i++) {
        print_node(&p, i);
        print_delays(&p, i);
    }
    if (process->kind == PROCESS_SCAN)
        print_keeping(&p);
    if (out->tagged)
        print_tags(&p);
    text_print(v->out, "assign o_d = {");
    if (out->tagged)
        text_print(v->out, "tags_%u, ", process->latency);
    for (size_t i = process->as.pipe.count; i-- > 0;)
        text_print(v->out, "%s%s",
                   in_bits(&p, process->as.pipe.value[i], process->latency, element_bits(out)),
                   i ? ", " : "};\n");
    v->out->indent -= 4;
    text_print(v->out, "endmodule\n");
}
