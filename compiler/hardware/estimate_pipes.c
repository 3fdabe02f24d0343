/* Pipes: the operations, their registers, and what a scan keeps. */
#include "hardware/estimate_parts.h"
#include "hardware/delay.h"
#include "hardware/registers.h"

struct piping {
    const struct estimating *e;
    const struct process *pipe;
    struct pipe_registers registers;
    unsigned *zeros;  /* by place: low bits that are 0 */
    unsigned *unused; /* by place: low bits that nothing needs */
};

static bool is_signed(const struct expr *node)
{
    return node->scalar != SCALAR_BOOL && node->interval.least < 0;
}

static unsigned power_of(const struct expr *node)
{
    return node->kind == EXPR_INTEGER && node->as.integer
               ? (unsigned)__builtin_ctzll((uint64_t)node->as.integer)
               : 0;
}

static unsigned zeros_of(const struct piping *p, const struct expr *node)
{
    if (node->kind == EXPR_INTEGER)
        return node->as.integer ? power_of(node) : 63;
    return p->zeros[register_place(&p->registers, node)];
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned low_zeros(const struct piping *p, const struct expr *node)
{
    if (node->kind == EXPR_LOAD || node->count == 0)
        return 0;
    const unsigned a = zeros_of(p, node->operand[0]);
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return least(a, zeros_of(p, node->operand[1]));
    case EXPR_MULTIPLY:
        return a + zeros_of(p, node->operand[1]);
    case EXPR_DIVIDE:
        return a > power_of(node->operand[1]) ? a - power_of(node->operand[1]) : 0;
    case EXPR_NEGATE:
        return a;
    default:
        return 0;
    }
}

/* Low bits of operand i that a node does not need, whose own low `unused` bits nothing needs. */
static unsigned unneeded(const struct piping *p, const struct expr *node, unsigned i,
                         unsigned unused)
{
    const struct expr *other = node->count == 2 ? node->operand[1 - i] : NULL;
    switch (node->kind) {
    case EXPR_ADD: /* without a carry from bits where the other one is 0 */
        return least(unused, zeros_of(p, other));
    case EXPR_SUBTRACT:
        return i == 0 ? least(unused, zeros_of(p, other)) : 0;
    case EXPR_MULTIPLY:
        return other->kind == EXPR_INTEGER && unused > power_of(other) ? unused - power_of(other)
                                                                       : 0;
    case EXPR_DIVIDE:
        return i == 0 ? unused + power_of(other) : 0;
    case EXPR_REMAINDER:
        return i == 0 ? unused : 0;
    default:
        return 0;
    }
}

static void find_bits(struct piping *p)
{
    const size_t count = p->pipe->as.pipe.node_count;
    p->zeros = ARENA_ARRAY(p->e->arena, unsigned, count + 1);
    p->unused = ARENA_ARRAY(p->e->arena, unsigned, count + 1);
    for (size_t i = 0; i < count; i++) {
        p->zeros[i] = low_zeros(p, p->pipe->as.pipe.node[i]);
        p->unused[i] = 64;
    }
    for (size_t i = 0; i < p->pipe->as.pipe.count; i++)
        if (p->pipe->as.pipe.value[i]->kind != EXPR_INTEGER)
            p->unused[register_place(&p->registers, p->pipe->as.pipe.value[i])] = 0;
    for (size_t i = count; i-- > 0;) {
        const struct expr *node = p->pipe->as.pipe.node[i];
        for (unsigned k = 0; k < node->count && !expr_is_element(node) && !expr_is_state(node);
             k++) {
            if (node->operand[k]->kind == EXPR_INTEGER)
                continue;
            unsigned *of = &p->unused[register_place(&p->registers, node->operand[k])];
            *of = least(*of, unneeded(p, node, k, p->unused[i]));
        }
    }
}

/* Bits of a value that are there and needed. */
static unsigned live_bits(const struct piping *p, const struct expr *node)
{
    const size_t place = register_place(&p->registers, node);
    const unsigned dead = most(p->zeros[place], p->unused[place]), bits = value_bits(node);
    return bits > dead ? bits - dead : 0;
}

/* Bits above which an operand is 0, in a result of so many. */
static unsigned top_of(const struct expr *node, unsigned bits)
{
    return is_signed(node) ? bits : least(value_bits(node), bits);
}

/* Inverters in front of a carry chain. */
static unsigned ones(const struct expr *node, unsigned bits)
{
    const uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return (unsigned)__builtin_popcountll((uint64_t)node->as.integer & mask);
}

static unsigned sum_luts(const struct piping *p, const struct expr *node, unsigned unused)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    const unsigned bits = value_bits(node);
    const unsigned bottom = most(most(zeros_of(p, a), zeros_of(p, b)), unused);
    if (b->kind == EXPR_INTEGER || a->kind == EXPR_INTEGER)
        return ones(b->kind == EXPR_INTEGER ? b : a, bits);
    if (node->kind == EXPR_SUBTRACT)
        return bits - least(bits, most(zeros_of(p, b), unused));
    const unsigned top = least(top_of(a, bits), top_of(b, bits));
    return top > bottom ? top - bottom : 0;
}

/* x (2^i + 2^j) and x (2^i - 2^j), as the printer writes them. */
static unsigned multiple_luts(const struct piping *p, const struct expr *node, unsigned unused)
{
    const struct expr *x = node->operand[0];
    const uint64_t by = (uint64_t)node->operand[1]->as.integer;
    const unsigned low = power_of(node->operand[1]), high = 63 - (unsigned)__builtin_clzll(by);
    const unsigned bits = value_bits(node);
    if (!(by & (by - 1)))
        return 0;
    if (__builtin_popcountll(by) > 2)
        return bits - least(bits, most(low + zeros_of(p, x), unused));
    const unsigned top = least(top_of(x, bits) + low, bits), bottom = most(high, unused);
    return top > bottom ? top - bottom : 0;
}

/* a < b by a carry chain; with a constant by few LUTs. */
static unsigned comparison_luts(const struct expr *node)
{
    const unsigned a = value_bits(node->operand[0]), b = value_bits(node->operand[1]);
    if (node->operand[0]->kind == EXPR_INTEGER)
        return tree_luts(b);
    return node->operand[1]->kind == EXPR_INTEGER ? tree_luts(a) : most(a, b) + 1;
}

/* The least and the greatest of the same two values share their comparison, which counts with
 * the latter. */
static bool shares_comparison(const struct piping *p, const struct expr *node)
{
    for (size_t i = 0; i < p->pipe->as.pipe.node_count && node->kind == EXPR_MINIMUM; i++) {
        const struct expr *other = p->pipe->as.pipe.node[i];
        if (other->kind == EXPR_MAXIMUM && other->operand[0] == node->operand[0] &&
            other->operand[1] == node->operand[1])
            return true;
    }
    return false;
}

/* One of two values. A constant one is the reset of the register behind it. */
static unsigned choice_luts(const struct expr *a, const struct expr *b, unsigned bits)
{
    if (a->kind == EXPR_INTEGER || b->kind == EXPR_INTEGER)
        return a->kind == b->kind ? 0 : 2;
    return bits;
}

static unsigned operation_luts(const struct piping *p, const struct expr *node, unsigned unused)
{
    const unsigned bits = value_bits(node), live = bits > unused ? bits - unused : 0;
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return sum_luts(p, node, unused);
    case EXPR_NEGATE:
        return live;
    case EXPR_ABSOLUTE:
        return is_signed(node->operand[0]) ? 2 * live : 0;
    case EXPR_MULTIPLY:
        return node->operand[1]->kind == EXPR_INTEGER ? multiple_luts(p, node, unused) : 0;
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        return (shares_comparison(p, node) ? 0 : comparison_luts(node)) +
               choice_luts(node->operand[0], node->operand[1], live);
    case EXPR_SELECT:
        return choice_luts(node->operand[1], node->operand[2], live);
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
        return comparison_luts(node);
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
        return tree_luts(value_bits(node->operand[0]) + (node->operand[1]->kind == EXPR_INTEGER
                                                             ? 0
                                                             : value_bits(node->operand[1])));
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_BIT_AND:
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
        return live;
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        return live * ((value_bits(node->operand[1]) + 1) / 2);
    default:
        return 0;
    }
}

/* A product in multipliers of 25 x 18 bits, whose registers are theirs. */
static unsigned product_multipliers(const struct expr *node)
{
    const unsigned a = value_bits(node->operand[0]) + !is_signed(node->operand[0]);
    const unsigned b = value_bits(node->operand[1]) + !is_signed(node->operand[1]);
    const unsigned wide = most(a, b), narrow = least(a, b);
    return ((wide + 24) / 25) * ((narrow + 17) / 18);
}

/* One that is written, at one address. */
static struct resources written_sample(const struct circuit_table *table,
                                       const struct expr *address)
{
    const struct memory_shape shape = written_table_memory(table);
    if (address->kind == EXPR_INTEGER)
        return (struct resources){.luts = tree_luts(count_bits(table->count) + 1),
                                  .registers = shape.bits};
    return memory_resources(shape, memory_for(shape));
}

static const struct circuit_table *table_of(const struct piping *p, const struct expr *sample)
{
    return &p->e->circuit->tables.item[sample->as.load.source - PIPE_TABLES];
}

/* Constant tables at one address are one memory, counted at the first of them. */
static struct resources sample(const struct piping *p, size_t place)
{
    const struct process *pipe = p->pipe;
    const struct expr *node = pipe->as.pipe.node[place];
    struct memory_shape shape = {0, 0};
    if (table_is_written(table_of(p, node)))
        return written_sample(table_of(p, node), node->operand[0]);
    for (size_t i = 0; i < pipe->as.pipe.node_count; i++) {
        const struct expr *other = pipe->as.pipe.node[i];
        if (!expr_is_sample(other) || other->operand[0] != node->operand[0] ||
            p->registers.born[i] != p->registers.born[place] ||
            table_is_written(table_of(p, other)))
            continue;
        if (i < place)
            return (struct resources){0};
        const struct circuit_table *table = table_of(p, other);
        shape.words = table->count > shape.words ? table->count : shape.words;
        shape.bits += interval_bits(table->interval);
    }
    if (shape.words > ROM_IN_LUTS)
        return (struct resources){.blocks = memory_blocks(shape)};
    return (struct resources){.luts = shape.bits, .registers = shape.bits};
}

static struct resources node_resources(const struct piping *p, size_t place)
{
    const struct expr *node = p->pipe->as.pipe.node[place];
    const unsigned born = p->registers.born[place];
    struct resources r = {0};
    if (node->kind == EXPR_INTEGER)
        return r;
    r = chain_resources(live_bits(p, node), p->registers.last[place] - born,
                        p->registers.is_taken[place] + born);
    if (expr_is_sample(node))
        resources_add(&r, sample(p, place));
    else if (is_product(node))
        r.multipliers += product_multipliers(node);
    else if (node->kind != EXPR_LOAD && node->kind != EXPR_VARIABLE)
        r.luts += operation_luts(p, node, p->unused[place]);
    return r;
}

static bool keeps_lines(const struct process *p)
{
    return p->kind == PROCESS_SCAN && p->as.pipe.state.axis == RASTER_LINES;
}

/* Where a scan keeps its results. */
static struct resources kept_results(const struct estimating *e, const struct process *p)
{
    const unsigned word =
        p->as.pipe.state.taps * stream_elements(&p->out) * interval_bits(p->out.interval);
    if (!keeps_lines(p))
        return (struct resources){.luts = 1, .registers = word};
    struct resources r = memory_resources(process_memory(e->circuit, p), p->as.pipe.state.memory);
    resources_add(&r, counter_resources(p->out.tokens));
    if (p->as.pipe.state.taps > 1) {
        bool *at_end = ARENA_ARRAY(e->arena, bool, p->latency + 1);
        at_end[p->latency - 1] = true;
        resources_add(&r, chain_resources(word, p->latency - 1, at_end));
    }
    return r;
}

/* Counters of where the token is that is taken, as far as nodes ask for it. */
static struct resources positions(const struct piping *p)
{
    struct resources r = {0};
    bool asks = false, for_line = false;
    for (size_t i = 0; i < p->pipe->as.pipe.node_count; i++) {
        const struct expr *node = p->pipe->as.pipe.node[i];
        if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX)
            continue;
        asks = true;
        for_line =
            for_line || strcmp(node->as.variable.name->text, raster_variable[RASTER_LINES]) == 0;
    }
    if (asks || keeps_lines(p->pipe))
        resources_add(&r, counter_resources(p->pipe->out.tokens));
    if (for_line)
        resources_add(&r, counter_resources(p->pipe->out.lines));
    return r;
}

struct resources pipe_resources(const struct estimating *e, const struct process *process)
{
    struct piping p = {.e = e, .pipe = process, .registers = pipe_registers(e->arena, process)};
    find_bits(&p);
    struct resources r = positions(&p);
    r.luts += process->edge_count > 1 ? 1 + process->edge_count : 1;
    r.registers += process->latency;
    for (size_t i = 0; i < process->as.pipe.node_count; i++)
        resources_add(&r, node_resources(&p, i));
    if (process->out.tagged) {
        bool *at_end = ARENA_ARRAY(e->arena, bool, process->latency + 1);
        at_end[process->latency] = true;
        resources_add(&r, chain_resources(2, process->latency, at_end));
    }
    if (process->kind == PROCESS_SCAN)
        resources_add(&r, kept_results(e, process));
    return r;
}

struct resources step_resources(const struct estimating *e, const struct process *count)
{
    const struct process step = count_step(e->arena, count);
    struct piping p = {.e = e, .pipe = &step, .registers = pipe_registers(e->arena, &step)};
    find_bits(&p);
    struct resources r = {0};
    for (size_t i = 0; i < step.as.pipe.node_count; i++)
        resources_add(&r, node_resources(&p, i));
    return r;
}
