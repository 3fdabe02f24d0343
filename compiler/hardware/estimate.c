/* Numbers without a name below are LUTs of control that were counted in what yosys made of a module
 * alone: handshakes, enables of counters. */
#include "hardware/estimate.h"
#include "hardware/delay.h"
#include "hardware/memories.h"
#include "hardware/registers.h"
#include "hardware/special_places.h"

struct estimating {
    struct arena *arena;
    const struct circuit *circuit;
    const unsigned *readers;
    bool **used; /* by process, by element: whether a pipe takes it in the end */
};

static void add(struct resources *to, struct resources more)
{
    to->luts += more.luts;
    to->registers += more.registers;
    to->blocks += more.blocks;
    to->multipliers += more.multipliers;
}

static const struct stream *taken_by(const struct estimating *e, const struct process *p)
{
    return &e->circuit->processes.item[p->edge[0].from].out;
}

/* ---- Parts ---- */

/* LUTs of six inputs that make one bit of so many. */
static unsigned tree(unsigned inputs)
{
    return inputs <= 1 ? 0 : inputs <= 6 ? 1 : (inputs + 3) / 5;
}

/* A counter of 0 … count - 1; the comparison with its last number is only there to begin anew. */
static struct resources counter(uint64_t count)
{
    const unsigned bits = count_bits(count);
    const bool wraps = count == (uint64_t)1 << bits;
    return (struct resources){.luts = 2 + (wraps ? 0 : tree(bits)), .registers = bits};
}

/* Registers one behind the other, of which some are read: three or more are one LUT a bit. */
static struct resources chain(unsigned bits, unsigned length, const bool is_read[])
{
    enum { SHORTEST = 3, LUT_LENGTH = 32 };
    struct resources r = {0};
    unsigned begun = 0;
    for (unsigned i = 1; i <= length; i++) {
        const unsigned run = i - begun;
        if (!is_read[i])
            continue;
        if (run >= SHORTEST)
            r.luts += bits * ((run + LUT_LENGTH - 1) / LUT_LENGTH);
        else
            r.registers += bits * run;
        begun = i;
    }
    return r;
}

/* read_word: registers behind the words that are read; blocks have their own. */
static struct resources memory(struct memory_shape shape, enum memory_kind kind)
{
    if (!shape.words)
        return (struct resources){0};
    switch (kind) {
    case MEMORY_BLOCK:
        return (struct resources){.blocks = memory_blocks(shape)};
    case MEMORY_LUT:
        return (struct resources){.luts = memory_luts(shape), .registers = shape.bits};
    case MEMORY_REGISTERS:
    case MEMORY_KIND_COUNT:
        break;
    }
    return (struct resources){.luts = (unsigned)(shape.words - 1) * shape.bits / 2,
                              .registers = (unsigned)(shape.words + 1) * shape.bits};
}

/* ---- Windows ---- */

/* The tap that stands for one of a sample of a token at a special place; -1: what is outside. */
static int tap_at(const struct process *p, int64_t place, int64_t n, unsigned pixel, unsigned tap)
{
    const unsigned pixels = p->as.window.pixels;
    return window_tap(p, place * pixels + pixel, n * pixels, tap);
}

/* LUTs a bit of what stands for a tap at special places, of n. */
static unsigned tap_luts(const struct process *p, const struct special_places *places, int64_t n,
                         unsigned pixel, unsigned tap)
{
    unsigned flags = 0, data = 1;
    for (unsigned i = 0; i < places->count; i++) {
        const int read = tap_at(p, places->item[i], n, pixel, tap);
        bool known = read < 0 || read == (int)tap;
        flags += read != (int)tap;
        for (unsigned k = 0; k < i && !known; k++)
            known = tap_at(p, places->item[k], n, pixel, tap) == read;
        data += !known;
    }
    return flags ? tree(flags + data) : 0;
}

/* Elements that something takes: synthesis leaves the others out, of FIFOs too. */
static unsigned used_elements(const struct estimating *e, const struct process *p)
{
    unsigned used = 0;
    for (unsigned k = 0; k < stream_elements(&p->out); k++)
        used += e->used[p->id][k];
    return used;
}

/* Whether something takes the tap of a lane of one sample of its token. */
static bool is_used(const struct estimating *e, const struct process *p, unsigned tap,
                    unsigned pixel, unsigned lane)
{
    const unsigned pixels = p->as.window.pixels;
    return e->used[p->id][(tap * pixels + pixel) * (p->out.lanes / pixels) + lane];
}

static unsigned mux_luts(const struct estimating *e, const struct process *p,
                         const struct special_places *places, int64_t n)
{
    const unsigned pixels = p->as.window.pixels;
    unsigned luts = 0;
    for (unsigned part = 0; part < p->as.window.taps * pixels; part++) {
        const unsigned tap = part / pixels, pixel = part % pixels;
        const unsigned each = tap_luts(p, places, n, pixel, tap);
        for (unsigned lane = 0; lane < p->out.lanes / pixels; lane++)
            luts += is_used(e, p, tap, pixel, lane) ? each : 0;
    }
    return luts * interval_bits(p->out.interval);
}

static struct resources thin_column(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    struct resources r = {.luts = 4 + tree(count_bits(in->tokens)) * (p->out.tagged ? 2 : 1),
                          .registers = 1 + stream_bits(&p->out)};
    add(&r, counter(in->tokens));
    add(&r, counter(in->lines));
    return r;
}

/* Lines that are compared with the one that is centred, without the last one. */
static unsigned compared_lines(const struct process *p, const struct special_places *places,
                               int64_t lines)
{
    const int64_t after = p->as.window.taps - 1 - p->as.window.before;
    unsigned count = after ? 2 : 1;
    for (unsigned i = 0; i < places->count; i++) {
        const int64_t line = places->item[i] * p->as.window.stride;
        count += line != lines - 1 && line != lines - 1 - after;
    }
    return count;
}

static struct resources column(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned x = count_bits(in->tokens), y = count_bits(in->lines), taps = p->as.window.taps;
    const uint64_t behind = (uint64_t)(taps - 1 - p->as.window.before) * in->tokens;
    const unsigned fill = count_bits(behind + 1);
    const unsigned bits = p->out.lanes * interval_bits(p->out.interval);
    const struct special_places places = special_places(p, in->lines);
    const unsigned extra = p->latency == 3 ? taps * bits + x + 2 + places.count + 2 : 0;
    struct resources r = memory(process_memory(e->circuit, p), p->as.window.memory);
    add(&r, counter(in->tokens)); /* place and address; fill has no last number */
    add(&r, counter(in->tokens));
    add(&r, counter(in->lines));
    r.luts += 9 + tree(x) * (p->out.tagged ? 2 : 1) +
              tree(y) * compared_lines(p, &places, in->lines) + 2 * tree(fill) +
              mux_luts(e, p, &places, in->lines);
    r.registers += x + fill + 5 + bits + used_elements(e, p) * interval_bits(p->out.interval) +
                   places.count + (p->out.tagged ? 4 : 0) + extra;
    return r;
}

/* Which of the marks of slots are read, from 1 on. */
struct marks {
    bool first[1024], last[1024];
};

/* The slots, from 1 on, the newest first, whose sample number `own` something takes. */
static const bool *used_slots(const struct estimating *e, const struct process *p,
                              const struct special_places *places, unsigned own, unsigned lane)
{
    const unsigned pixels = p->as.window.pixels, before = window_tokens_before(p);
    const unsigned slots = before + 1 + window_tokens_after(p);
    bool *used = ARENA_ARRAY(e->arena, bool, slots + 1);
    for (unsigned part = 0; part < p->as.window.taps * pixels; part++) {
        const unsigned tap = part / pixels, pixel = part % pixels;
        for (unsigned i = 0; is_used(e, p, tap, pixel, lane) && i <= places->count; i++) {
            const int read = i == places->count
                                 ? (int)tap
                                 : tap_at(p, places->item[i], taken_by(e, p)->tokens, pixel, tap);
            const unsigned sample = pixel + (unsigned)read + before * pixels - p->as.window.before;
            if (read >= 0 && sample % pixels == own)
                used[slots - sample / pixels] = true;
        }
    }
    return used;
}

static struct resources row(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned after = window_tokens_after(p), slots = window_tokens_before(p) + 1 + after;
    const unsigned phase = (unsigned)__builtin_ctz(p->as.window.stride);
    const unsigned pixels = p->as.window.pixels;
    const bool crops = (uint64_t)p->out.tokens * p->as.window.stride < in->tokens;
    const struct special_places places = special_places(p, in->tokens);
    bool *firsts = ARENA_ARRAY(e->arena, bool, slots + 1);
    bool *lasts = ARENA_ARRAY(e->arena, bool, slots + 1);
    for (unsigned i = 0; i < places.count; i++) {
        const struct special_mark mark = special_mark(p, in->tokens, places.item[i]);
        if (mark.slot < slots)
            (mark.is_first ? firsts : lasts)[mark.slot + 1] = true;
    }
    if (phase || crops)
        lasts[after ? after : 1] = true;
    struct resources r = {.luts = 5 + mux_luts(e, p, &places, in->tokens), .registers = 2 + after};
    for (unsigned own = 0; own < pixels; own++)
        for (unsigned lane = 0; lane < p->out.lanes / pixels; lane++)
            add(&r,
                chain(interval_bits(p->out.interval), slots, used_slots(e, p, &places, own, lane)));
    add(&r, chain(1, slots, firsts));
    add(&r, chain(1, slots, lasts));
    if (crops)
        add(&r, counter(in->tokens));
    else if (phase)
        add(&r, (struct resources){.luts = 1, .registers = phase});
    return r;
}

/* Of what counts the tokens that it gives, for their marks. */
static struct resources given_marks(const struct process *p)
{
    struct resources r = {0};
    if (p->out.tagged)
        r = counter(p->out.tokens);
    if (p->out.tagged)
        r.luts += tree(r.registers);
    return r;
}

static struct resources twice_down(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned x = count_bits(in->tokens), y = count_bits(p->out.lines);
    const unsigned bits = stream_elements(in) * interval_bits(in->interval);
    struct resources r = memory(process_memory(e->circuit, p), p->as.twice.memory);
    add(&r, counter(in->tokens));
    add(&r, counter(p->out.lines));
    r.luts += 4 + tree(x) * (p->out.tagged ? 2 : 1) + 2 * tree(y) + 2 * bits;
    r.registers += x + 4 + 3 * bits + (p->out.tagged ? 4 : 0);
    return r;
}

static struct resources twice_along(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned bits = stream_elements(in) * interval_bits(in->interval);
    struct resources r = {.luts = bits + 9, .registers = 2 * bits + 5};
    add(&r, given_marks(p));
    return r;
}

/* ---- Pipes ---- */

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
        return tree(b);
    return node->operand[1]->kind == EXPR_INTEGER ? tree(a) : most(a, b) + 1;
}

/* The least and the greatest of the same two values share their comparison, which the latter is
 * told with. */
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
        return tree(value_bits(node->operand[0]) +
                    (node->operand[1]->kind == EXPR_INTEGER ? 0 : value_bits(node->operand[1])));
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

/* Tables at one address are one memory, told at the first of them. */
static struct resources sample(const struct piping *p, size_t place)
{
    const struct process *pipe = p->pipe;
    const struct expr *node = pipe->as.pipe.node[place];
    struct memory_shape shape = {0, 0};
    for (size_t i = 0; i < pipe->as.pipe.node_count; i++) {
        const struct expr *other = pipe->as.pipe.node[i];
        if (!expr_is_sample(other) || other->operand[0] != node->operand[0] ||
            p->registers.born[i] != p->registers.born[place])
            continue;
        if (i < place)
            return (struct resources){0};
        const struct circuit_table *table =
            &p->e->circuit->tables.item[other->as.load.source - PIPE_TABLES];
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
    r = chain(live_bits(p, node), p->registers.last[place] - born,
              p->registers.is_taken[place] + born);
    if (expr_is_sample(node))
        add(&r, sample(p, place));
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
    struct resources r = memory(process_memory(e->circuit, p), p->as.pipe.state.memory);
    add(&r, counter(p->out.tokens));
    if (p->as.pipe.state.taps > 1) {
        bool *at_end = ARENA_ARRAY(e->arena, bool, p->latency + 1);
        at_end[p->latency - 1] = true;
        add(&r, chain(word, p->latency - 1, at_end));
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
        add(&r, counter(p->pipe->out.tokens));
    if (for_line)
        add(&r, counter(p->pipe->out.lines));
    return r;
}

static struct resources pipe(const struct estimating *e, const struct process *process)
{
    struct piping p = {.e = e, .pipe = process, .registers = pipe_registers(e->arena, process)};
    find_bits(&p);
    struct resources r = positions(&p);
    r.luts += process->edge_count > 1 ? 1 + process->edge_count : 1;
    r.registers += process->latency;
    for (size_t i = 0; i < process->as.pipe.node_count; i++)
        add(&r, node_resources(&p, i));
    if (process->out.tagged) {
        bool *at_end = ARENA_ARRAY(e->arena, bool, process->latency + 1);
        at_end[process->latency] = true;
        add(&r, chain(2, process->latency, at_end));
    }
    if (process->kind == PROCESS_SCAN)
        add(&r, kept_results(e, process));
    return r;
}

/* ---- Counts ---- */

static struct resources step_of(const struct estimating *e, const struct process *count)
{
    const struct process step = count_step(e->arena, count);
    struct piping p = {.e = e, .pipe = &step, .registers = pipe_registers(e->arena, &step)};
    find_bits(&p);
    struct resources r = {0};
    for (size_t i = 0; i < step.as.pipe.node_count; i++)
        add(&r, node_resources(&p, i));
    return r;
}

static struct resources count(const struct estimating *e, const struct process *p)
{
    const struct stream *in = taken_by(e, p);
    const unsigned bits = interval_bits(p->out.interval);
    const unsigned token = stream_elements(in) * interval_bits(in->interval);
    struct resources r = step_of(e, p);
    add(&r, counter((uint64_t)in->lines * in->tokens));
    r.luts += 2 * tree(r.registers) + 2 * bits;
    r.registers += token + 2 * bits;
    if (p->as.count.bins == 1) {
        add(&r, (struct resources){.luts = 6, .registers = 4});
        return r;
    }
    const unsigned place = count_bits(p->as.count.bins);
    for (unsigned bank = 0; bank < 2; bank++)
        add(&r, memory(process_memory(e->circuit, p), p->as.count.memory));
    r.luts += 2 * bits + 5 * place + tree(2 * place) + 3 * tree(place) + 24;
    r.registers += 4 * place + 16;
    return r;
}

/* ---- Streams and ports ---- */

/* Places of the samples that come or go, compared with the marks, or told by them. */
static struct resources port(const struct process *p)
{
    struct resources r = counter(p->out.tokens);
    add(&r, counter(p->out.lines));
    r.luts += 1 + 2 * tree(count_bits(p->out.tokens)) + tree(count_bits(p->out.lines));
    return r;
}

static struct resources edge_resources(const struct estimating *e, const struct edge *edge)
{
    const struct process *from = &e->circuit->processes.item[edge->from];
    const unsigned bits =
        used_elements(e, from) * interval_bits(from->out.interval) + (from->out.tagged ? 2 : 0);
    const struct memory_shape shape = {edge_memory(e->circuit, edge).words, bits};
    switch (edge->kind) {
    case EDGE_WIRE:
    case EDGE_KIND_COUNT:
        break;
    case EDGE_SLICE:
        return (struct resources){.luts = bits + 3, .registers = 2 * bits + 2};
    case EDGE_FIFO: {
        struct resources r = memory(shape, edge->memory);
        const unsigned count = count_bits(shape.words);
        r.luts += 8 + 2 * tree(count) + tree(2 * count);
        r.registers += 2 * count + 2;
        return r;
    }
    }
    return (struct resources){0};
}

static struct resources process_resources(const struct estimating *e, const struct process *p)
{
    switch (p->kind) {
    case PROCESS_SOURCE:
    case PROCESS_SINK:
        return port(p);
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        return pipe(e, p);
    case PROCESS_COUNT:
        return count(e, p);
    case PROCESS_WINDOW:
        if (p->as.window.axis == RASTER_TOKENS)
            return row(e, p);
        return p->as.window.taps > 1 ? column(e, p) : thin_column(e, p);
    case PROCESS_TWICE:
        return p->as.twice.axis == RASTER_LINES ? twice_down(e, p) : twice_along(e, p);
    case PROCESS_KIND_COUNT:
        break;
    }
    return (struct resources){0};
}

/* ---- Elements that are used ---- */

struct using
{
    const struct estimating *e;
    const struct process *pipe;
};

static void use_element(const struct expr *node, void *user)
{
    const struct using *u = user;
    if (expr_is_element(node))
        u->e->used[u->pipe->edge[node->as.load.source].from][node->operand[0]->as.integer] = true;
}

static void use_elements(const struct estimating *e, const struct process *p)
{
    struct using u = {e, p};
    struct expr_walk walk = {.scratch = e->arena};
    for (size_t i = 0; process_computes(p) && i < p->as.pipe.count; i++)
        expr_visit(&walk, p->as.pipe.value[i], use_element, &u);
    for (unsigned k = 0; k < p->edge_count && !process_computes(p); k++) {
        const uint32_t from = p->edge[k].from;
        const unsigned lanes = stream_elements(&e->circuit->processes.item[from].out);
        const bool takes_all = p->kind == PROCESS_SINK || p->kind == PROCESS_COUNT ||
                               (p->kind == PROCESS_WINDOW && p->as.window.pixels > 1);
        for (unsigned i = 0; i < lanes && takes_all; i++)
            e->used[from][i] = true;
        for (unsigned i = 0; i < stream_elements(&p->out) && !takes_all; i++)
            if (e->used[p->id][i])
                e->used[from][i % lanes] = true;
    }
}

struct estimate circuit_estimate(struct arena *arena, const struct circuit *circuit)
{
    const size_t count = circuit->processes.count;
    struct estimating e = {arena, circuit, circuit_readers(arena, circuit),
                           ARENA_ARRAY(arena, bool *, count + 1)};
    struct resources **edge = ARENA_ARRAY(arena, struct resources *, count + 1);
    struct estimate out = {.process = ARENA_ARRAY(arena, struct resources, count + 1),
                           .edge = edge,
                           .split = ARENA_ARRAY(arena, struct resources, count + 1),
                           .total = {.luts = 2, .registers = 2}}; /* the reset, and sync_error */
    for (size_t i = 0; i < count; i++)
        e.used[i] = ARENA_ARRAY(arena, bool, stream_elements(&circuit->processes.item[i].out) + 1);
    for (size_t i = count; i-- > 0;)
        use_elements(&e, &circuit->processes.item[i]);
    for (size_t i = 0; i < count; i++) {
        const struct process *p = &circuit->processes.item[i];
        edge[i] = ARENA_ARRAY(arena, struct resources, p->edge_count + 1);
        out.process[i] = process_resources(&e, p);
        if (e.readers[i] > 1)
            out.split[i] =
                (struct resources){.luts = 2 * e.readers[i] + 1, .registers = e.readers[i]};
        for (unsigned k = 0; k < p->edge_count; k++) {
            edge[i][k] = edge_resources(&e, &p->edge[k]);
            add(&out.total, edge[i][k]);
        }
        add(&out.total, out.process[i]);
        add(&out.total, out.split[i]);
    }
    return out;
}
