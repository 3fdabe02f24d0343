#include "hardware/registers.h"
#include "hardware/delay.h"

unsigned value_bits(const struct expr *node)
{
    return node->scalar == SCALAR_BOOL ? 1 : interval_bits(node->interval);
}

unsigned count_bits(uint64_t count)
{
    return count <= 2 ? 1 : 64 - (unsigned)__builtin_clzll(count - 1);
}

unsigned register_taken(const struct pipe_registers *registers, const struct expr *node)
{
    const unsigned born = registers->born[register_place(registers, node)];
    return expr_is_sample(node) ? born - 1 : is_product(node) ? born - 2 : born;
}

static void take(struct pipe_registers *r, const struct expr *node, unsigned clock)
{
    if (node->kind == EXPR_INTEGER)
        return;
    const size_t place = register_place(r, node);
    r->is_taken[place][clock] = true;
    if (clock > r->last[place])
        r->last[place] = clock;
}

struct pipe_registers pipe_registers(struct arena *arena, const struct process *pipe)
{
    const size_t count = pipe->as.pipe.node_count;
    bool **is_taken = ARENA_ARRAY(arena, bool *, count + 1);
    struct pipe_registers r = {.born = ARENA_ARRAY(arena, unsigned, count + 1),
                               .last = ARENA_ARRAY(arena, unsigned, count + 1),
                               .is_taken = is_taken};
    for (size_t i = 0; i < count; i++) {
        hash_map_put(arena, &r.place, pipe->as.pipe.node[i], (void *)(uintptr_t)(i + 1));
        r.born[i] = r.last[i] = pipe->as.pipe.clock[i];
        is_taken[i] = ARENA_ARRAY(arena, bool, pipe->latency + 1);
    }
    for (size_t i = 0; i < count; i++) {
        const struct expr *node = pipe->as.pipe.node[i];
        for (unsigned k = 0; !expr_is_element(node) && !expr_is_state(node) && k < node->count; k++)
            take(&r, node->operand[k], register_taken(&r, node));
    }
    for (size_t i = 0; i < pipe->as.pipe.count; i++)
        take(&r, pipe->as.pipe.value[i], pipe->latency);
    return r;
}

struct node_list {
    struct arena *arena;
    const struct expr **item;
    size_t count, capacity;
};

static void collect_node(const struct expr *node, void *user)
{
    struct node_list *nodes = user;
    VECTOR_PUSH(nodes->arena, nodes, node);
}

struct process count_step(struct arena *arena, const struct process *count)
{
    struct node_list nodes = {.arena = arena};
    struct expr_walk walk = {.scratch = arena};
    const struct expr **value = ARENA_ARRAY(arena, const struct expr *, 1);
    *value = count->as.count.step;
    expr_visit(&walk, *value, collect_node, &nodes);
    struct process step = *count;
    memset(&step.as, 0, sizeof step.as);
    step.kind = PROCESS_PIPE;
    step.latency = 0;
    step.as.pipe.value = value;
    step.as.pipe.count = 1;
    step.as.pipe.node = nodes.item;
    step.as.pipe.node_count = nodes.count;
    step.as.pipe.clock = ARENA_ARRAY(arena, unsigned, nodes.count + 1);
    return step;
}
