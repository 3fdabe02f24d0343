#include "hardware/intervals.h"

struct settling {
    struct arena *arena, *scratch;
    struct expr_pool *pool;
    const struct circuit *circuit; /* whose first processes are settled */
    const struct process *process;
};

static struct interval given_by(const struct settling *s, unsigned edge)
{
    return s->circuit->processes.item[s->process->edge[edge].from].out.interval;
}

static const struct expr *settled_element(const struct expr *node, void *user)
{
    const struct settling *s = user;
    if (!expr_is_element(node))
        return node;
    return circuit_element(s->pool, node->as.load.source, (unsigned)node->operand[0]->as.integer,
                           given_by(s, node->as.load.source));
}

/* What a scan gives holds what it loads of itself, which stays. */
static void settle_values(struct settling *s, struct process *p)
{
    struct expr_rewriter rewriter = {
        .pool = s->pool, .rule = settled_element, .context = s, .scratch = s->scratch};
    const size_t count = p->as.pipe.count;
    const struct expr **value = ARENA_ARRAY(s->arena, const struct expr *, count + 1);
    struct interval interval = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < count; i++) {
        value[i] = expr_rewrite(&rewriter, p->as.pipe.value[i]);
        interval = interval_hull(interval, value[i]->scalar == SCALAR_BOOL ? (struct interval){0, 1}
                                                                           : value[i]->interval);
    }
    p->as.pipe.value = value;
    if (p->kind == PROCESS_PIPE)
        p->out.interval = interval;
}

static void settle(struct settling *s, struct process *p)
{
    s->process = p;
    switch (p->kind) {
    case PROCESS_SOURCE:
    case PROCESS_KIND_COUNT:
        return;
    case PROCESS_PIPE:
    case PROCESS_SCAN:
        settle_values(s, p);
        return;
    case PROCESS_COUNT: /* its numbers lie where they did */
        p->as.count.step = expr_rewrite(
            &(struct expr_rewriter){
                .pool = s->pool, .rule = settled_element, .context = s, .scratch = s->scratch},
            p->as.count.step);
        return;
    case PROCESS_WINDOW:
        p->out.interval = given_by(s, 0);
        if (p->as.window.rule == BORDER_CONSTANT || p->as.window.rule == BORDER_ZERO)
            p->out.interval = interval_hull(
                p->out.interval, (struct interval){p->as.window.outside, p->as.window.outside});
        return;
    case PROCESS_TWICE:
    case PROCESS_SINK:
        p->out.interval = given_by(s, 0);
        return;
    }
}

struct circuit *circuit_settled(struct arena *arena, struct arena *scratch, struct expr_pool *pool,
                                const struct circuit *circuit)
{
    struct circuit *out = circuit_copy(arena, circuit);
    struct settling s = {arena, scratch, pool, out, NULL};
    for (size_t i = 0; i < out->processes.count; i++)
        settle(&s, &out->processes.item[i]);
    return out;
}
