#include "hardware/registers.h"
#include "hardware/delay.h"

unsigned value_bits(const struct expr *node)
{
    return node->scalar == SCALAR_BOOL ? 1 : interval_bits(node->interval);
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
