/* place_registers: circuit → circuit. Says behind which operations of a pipe a register stands: as
 * many operations follow each other in one clock as the target allows.
 *   before: value[0] = (a[0] + 2 a[1] + a[2] + 8) / 16
 *   after:  the sums at clocks 1 and 2, a[2] + 8 at 1, the quotient, which is wires, at 2; latency 2
 * Afterwards each process has its latency. */
#include "circuit_pass.h"

enum {
    UNIT = 10, /* of delays: one adder */
};

/* In tenths of an adder. */
static unsigned delay_of(const struct expr *node)
{
    switch (node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_NEGATE:
    case EXPR_ABSOLUTE:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
        return UNIT;
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
        return UNIT + UNIT / 2;
    case EXPR_SELECT:
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
        /* a bit of a number is a wire */
        return node->kind != EXPR_SELECT && interval_bits(node->operand[0]->interval) == 1
                   ? 0
                   : UNIT / 2;
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        return UNIT;
    case EXPR_MULTIPLY:
        return node->operand[1]->kind == EXPR_INTEGER
                   ? (node->operand[1]->as.integer & (node->operand[1]->as.integer - 1) ? UNIT : 0)
                   : UNIT;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_NOT:
    case EXPR_BIT_AND:
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
        return UNIT / 4;
    default:
        return 0;
    }
}

struct moment {
    unsigned clock, spent; /* of that clock, in tenths */
};

struct placing {
    struct pass_context *context;
    const struct circuit *circuit;
    const struct process *pipe;
    unsigned budget;
    struct hash_map at; /* node → struct moment */
    VECTOR(const struct expr *) nodes;
    VECTOR(unsigned) clocks;
};

static struct moment later(struct moment a, struct moment b)
{
    return b.clock > a.clock || (b.clock == a.clock && b.spent > a.spent) ? b : a;
}

static struct moment moment_of(struct placing *p, const struct expr *node)
{
    const struct moment *known = hash_map_find(&p->at, node);
    return known ? *known : (struct moment){0, 0};
}

static bool is_product(const struct expr *node)
{
    return node->kind == EXPR_MULTIPLY && node->operand[0]->kind != EXPR_INTEGER &&
           node->operand[1]->kind != EXPR_INTEGER;
}

/* Samples along a line come from registers by way of the border rule. */
static unsigned delay_before(const struct placing *p, const struct expr *element)
{
    const struct process *from =
        &p->circuit->processes.item[p->pipe->edge[element->as.load.source].from];
    return from->kind == PROCESS_WINDOW && from->as.window.axis == RASTER_TOKENS ? UNIT / 2 : 0;
}

static void place(const struct expr *node, void *user)
{
    struct placing *p = user;
    struct moment at = {0, 0};
    if (hash_map_find(&p->at, node))
        return;
    if (!expr_is_element(node))
        for (unsigned i = 0; i < node->count; i++)
            at = later(at, moment_of(p, node->operand[i]));
    const unsigned delay = expr_is_element(node) ? delay_before(p, node) : delay_of(node);
    if (expr_is_sample(node)) /* memory is read in a clock of its own */
        at = (struct moment){at.clock + 1, UNIT - UNIT / 5};
    else if (is_product(node)) /* registers before and behind it */
        at = (struct moment){at.clock + 2, 0};
    else if (at.spent + delay > p->budget && delay)
        at = (struct moment){at.clock + 1, delay};
    else
        at.spent += delay;
    struct moment *kept = ARENA_NEW(p->context->scratch, struct moment);
    *kept = at;
    hash_map_put(p->context->scratch, &p->at, node, kept);
    VECTOR_PUSH(p->context->output, &p->nodes, node);
    VECTOR_PUSH(p->context->output, &p->clocks, at.clock);
}

static void place_pipe(struct pass_context *context, const struct circuit *circuit,
                       struct process *pipe)
{
    struct placing p = {.context = context,
                        .circuit = circuit,
                        .pipe = pipe,
                        .budget = context->target->circuit.adders_a_clock * UNIT};
    struct expr_walk walk = {.scratch = context->scratch};
    struct moment last = {0, 0};
    for (size_t i = 0; i < pipe->as.pipe.count; i++) {
        expr_visit(&walk, pipe->as.pipe.value[i], place, &p);
        last = later(last, moment_of(&p, pipe->as.pipe.value[i]));
    }
    pipe->as.pipe.node = p.nodes.item;
    pipe->as.pipe.clock = p.clocks.item;
    pipe->as.pipe.node_count = p.nodes.count;
    pipe->latency = last.clock + (last.spent > 0);
    pipe->latency = pipe->latency ? pipe->latency : 1;
}

const struct circuit *place_registers(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    const unsigned behind_memory = context->target->circuit.registers_memory ? 1 : 0;
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        switch (p->kind) {
        case PROCESS_SOURCE:
        case PROCESS_SINK:
            p->latency = 0;
            break;
        case PROCESS_PIPE:
            place_pipe(context, out, p);
            break;
        case PROCESS_WINDOW:
            p->latency = p->as.window.axis == RASTER_LINES ? 2 + behind_memory : 1;
            break;
        case PROCESS_TWICE:
            p->latency = p->as.twice.axis == RASTER_LINES ? 2 : 1;
            break;
        case PROCESS_KIND_COUNT:
            break;
        }
    }
    return out;
}
