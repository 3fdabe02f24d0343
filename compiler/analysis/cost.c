/* Operations of values. */
#include "analysis/cost.h"

struct counting {
    struct arena *scratch;
    struct hash_map seen;
    int64_t load; /* the cost of a load */
};

static int64_t cost_of_node(const struct expr *node)
{
    switch ((int)node->kind) {
#define ELEMENTARY(kind, name, arguments) case EXPR_##kind:
#include "elementary/elementary.def"
#undef ELEMENTARY
    case EXPR_EXTERNAL:
        return 16;
    case EXPR_INTEGER:
    case EXPR_REAL:
    case EXPR_VARIABLE:
        return 0;
    case EXPR_DIVIDE:
    case EXPR_SQUARE_ROOT:
        return 4;
    default:
        return 1;
    }
}

static int64_t limited(int64_t cost)
{
    return cost < COST_LIMIT ? cost : COST_LIMIT;
}

static int64_t count(struct counting *c, const struct expr *node)
{
    if (hash_map_find(&c->seen, node))
        return 0;
    hash_map_put(c->scratch, &c->seen, node, (void *)(uintptr_t)node);
    int64_t cost = node->kind == EXPR_LOAD ? c->load : cost_of_node(node);
    /* An index is arithmetic of addresses. */
    for (unsigned i = 0; node->kind != EXPR_LOAD && i < node->count; i++)
        cost = limited(cost + count(c, node->operand[i]));
    if (node->kind == EXPR_REDUCE) {
        const int64_t terms = expr_reduction_usual_terms(&node->as.reduce);
        cost = terms > COST_LIMIT / (cost + 1) ? COST_LIMIT : terms * cost;
    }
    return limited(cost);
}

int64_t cost_of_value(struct arena *scratch, const struct expr *value)
{
    return cost_with_loads(scratch, value, 1);
}

int64_t cost_with_loads(struct arena *scratch, const struct expr *value, int64_t load)
{
    const struct arena_mark mark = arena_mark(scratch);
    struct counting counting = {.scratch = scratch, .load = load};
    const int64_t cost = count(&counting, value);
    arena_release(scratch, mark);
    return cost;
}
