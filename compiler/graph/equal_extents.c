#include "graph/equal_extents.h"

struct equality {
    const struct expr *extent, *is;
};

struct equalities {
    struct arena *scratch;
    VECTOR(struct equality) all;
};

static bool is_extent(const struct expr *node)
{
    return node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_EXTENT;
}

static const struct expr *known_as(const struct equalities *e, const struct expr *node)
{
    for (size_t i = 0; i < e->all.count; i++)
        if (e->all.item[i].extent == node)
            return e->all.item[i].is;
    return node;
}

static void note(struct equalities *e, const struct expr *condition)
{
    if (condition->kind == EXPR_AND) {
        note(e, condition->operand[0]);
        note(e, condition->operand[1]);
    }
    if (condition->kind != EXPR_EQUAL)
        return;
    const struct expr *a = known_as(e, condition->operand[0]);
    const struct expr *b = known_as(e, condition->operand[1]);
    const struct expr *extent = is_extent(b) ? b : a, *is = extent == b ? a : b;
    if (a == b || !is_extent(extent) || !(is_extent(is) || is->kind == EXPR_INTEGER))
        return;
    for (size_t i = 0; i < e->all.count; i++)
        if (e->all.item[i].is == extent)
            e->all.item[i].is = is;
    VECTOR_PUSH(e->scratch, &e->all, (struct equality){extent, is});
}

struct expr_rewriter equal_extents(const struct graph *graph, struct expr_pool *pool,
                                   struct arena *scratch)
{
    struct expr_rewriter rewriter = {.pool = pool, .scratch = scratch};
    struct equalities equalities = {.scratch = scratch};
    for (size_t i = 0; i < graph->checks.count; i++)
        note(&equalities, graph->checks.item[i].condition);
    for (size_t i = 0; i < equalities.all.count; i++)
        hash_map_put(scratch, &rewriter.done, equalities.all.item[i].extent,
                     (void *)(uintptr_t)equalities.all.item[i].is);
    return rewriter;
}
