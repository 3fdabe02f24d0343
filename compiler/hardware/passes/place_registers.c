/* place_registers: circuit → circuit. Places registers after operations of a pipe, so that one
 * clock has at most as many operations in sequence as the target allows.
 *   before: value[0] = (a[0] + 2 a[1] + a[2] + 8) / 16
 *   after:  the sums at clocks 1 and 2, a[2] + 8 at 1, the quotient, which is wires, at 2; latency 2
 * Afterwards each process has its latency. */
#include "circuit_pass.h"
#include "hardware/delay.h"

struct moment {
    unsigned clock, spent; /* of that clock, in tenths */
};

struct placing {
    struct pass_context *context;
    const struct circuit *circuit;
    const struct process *pipe;
    unsigned budget;
    struct hash_map at;   /* node → struct moment */
    struct hash_map loop; /* nodes that follow from a scan's own result */
    unsigned loop_clock;
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

/* Samples along a line come from registers by way of the border rule. */
static unsigned delay_before(const struct placing *p, const struct expr *element)
{
    const struct process *from =
        &p->circuit->processes.item[p->pipe->edge[element->as.load.source].from];
    return from->kind == PROCESS_WINDOW && from->as.window.axis == RASTER_TOKENS
               ? DELAY_OF_ADDER / 2
               : 0;
}

static void keep(struct placing *p, const struct expr *node, struct moment at)
{
    struct moment *kept = ARENA_NEW(p->context->scratch, struct moment);
    *kept = at;
    hash_map_put(p->context->scratch, &p->at, node, kept);
    VECTOR_PUSH(p->context->output, &p->nodes, node);
    VECTOR_PUSH(p->context->output, &p->clocks, at.clock);
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
    const unsigned delay = expr_is_element(node) ? delay_before(p, node) : operation_delay(node);
    if (expr_is_sample(node) || expr_is_state(node)) /* memory is read in a clock of its own */
        at = (struct moment){at.clock + 1, DELAY_OF_ADDER - DELAY_OF_ADDER / 5};
    else if (is_product(node)) /* registers before and behind it */
        at = (struct moment){at.clock + 2, 0};
    else if (at.spent + delay > p->budget && delay)
        at = (struct moment){at.clock + 1, delay};
    else
        at.spent += delay;
    keep(p, node, at);
}

/* ---- A scan along lines of tokens: all that follows from its own result is in one clock ---- */

static bool is_of_loop(const struct placing *p, const struct expr *node)
{
    return hash_map_find(&p->loop, node) != NULL;
}

static void find_loop(const struct expr *node, void *user)
{
    struct placing *p = user;
    bool found = expr_is_state(node);
    for (unsigned k = 0; !expr_is_element(node) && !expr_is_state(node) && k < node->count; k++)
        found = found || is_of_loop(p, node->operand[k]);
    if (found)
        hash_map_put(p->context->scratch, &p->loop, node, (void *)(uintptr_t)1);
}

static void place_before_loop(const struct expr *node, void *user)
{
    struct placing *p = user;
    if (!is_of_loop(p, node))
        place(node, p);
}

/* The clock at which all is there that the loop takes. */
static void find_loop_clock(const struct expr *node, void *user)
{
    struct placing *p = user;
    for (unsigned k = 0; is_of_loop(p, node) && !expr_is_state(node) && k < node->count; k++) {
        if (is_of_loop(p, node->operand[k]) || node->operand[k]->kind == EXPR_INTEGER)
            continue;
        const struct moment at = moment_of(p, node->operand[k]);
        const unsigned clock = at.clock + (at.spent > 0);
        p->loop_clock = clock > p->loop_clock ? clock : p->loop_clock;
    }
}

static void place_loop(const struct expr *node, void *user)
{
    struct placing *p = user;
    if (is_of_loop(p, node))
        keep(p, node, (struct moment){p->loop_clock, 1});
}

static void visit_values(struct placing *p, void (*visit)(const struct expr *node, void *context))
{
    struct expr_walk walk = {.scratch = p->context->scratch};
    for (size_t i = 0; i < p->pipe->as.pipe.count; i++)
        expr_visit(&walk, p->pipe->as.pipe.value[i], visit, p);
}

static void place_pipe(struct pass_context *context, const struct circuit *circuit,
                       struct process *pipe)
{
    struct placing p = {.context = context,
                        .circuit = circuit,
                        .pipe = pipe,
                        .budget = context->target->circuit.adders_a_clock * DELAY_OF_ADDER};
    struct moment last = {0, 0};
    if (pipe->kind == PROCESS_SCAN && pipe->as.pipe.state.axis == RASTER_TOKENS) {
        visit_values(&p, find_loop);
        visit_values(&p, place_before_loop);
        visit_values(&p, find_loop_clock);
        visit_values(&p, place_loop);
    } else
        visit_values(&p, place);
    for (size_t i = 0; i < pipe->as.pipe.count; i++)
        last = later(last, moment_of(&p, pipe->as.pipe.value[i]));
    pipe->as.pipe.node = p.nodes.item;
    pipe->as.pipe.clock = p.clocks.item;
    pipe->as.pipe.node_count = p.nodes.count;
    pipe->latency = last.clock + (last.spent > 0);
    pipe->latency = pipe->latency ? pipe->latency : 1;
}

/* Of one line nothing is remembered; of two places the one before is not yet written when it would
 * be read behind a register of the memory. */
static unsigned latency_of_window(const struct pass_context *context, const struct process *window)
{
    if (window->as.window.axis == RASTER_TOKENS || window->as.window.taps == 1)
        return 1;
    return context->target->circuit.registers_memory && window->out.tokens > 2 ? 3 : 2;
}

const struct circuit *place_registers(const struct circuit *in, struct pass_context *context)
{
    struct circuit *out = circuit_copy(context->output, in);
    for (size_t i = 0; i < out->processes.count; i++) {
        struct process *p = &out->processes.item[i];
        switch (p->kind) {
        case PROCESS_SOURCE:
        case PROCESS_SINK:
            p->latency = 0;
            break;
        case PROCESS_PIPE:
        case PROCESS_SCAN:
            place_pipe(context, out, p);
            break;
        case PROCESS_COUNT:
            p->latency = p->as.count.bins > 1 ? 4 : 2;
            break;
        case PROCESS_WINDOW:
            p->latency = latency_of_window(context, p);
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
