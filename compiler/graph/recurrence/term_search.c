#include "graph/recurrence/term_search.h"

static bool is_noted(const struct term_search *search, const struct expr *node)
{
    return node && hash_map_find(&search->holds, node);
}

static bool noted_below(const struct term_search *search, const struct expr *node)
{
    const struct border *border = node->kind == EXPR_LOAD ? node->as.load.border : NULL;
    for (unsigned i = 0; i < node->count; i++)
        if (is_noted(search, node->operand[i]) || (border && is_noted(search, border[i].value)))
            return true;
    return false;
}

static void note_holder(const struct expr *node, void *user)
{
    struct term_search *search = user;
    if ((node->kind == EXPR_LOAD && search->is_term(node, search->context)) ||
        noted_below(search, node))
        hash_map_put(search->arena, &search->holds, node, (void *)(uintptr_t)node);
}

bool term_search_holds(struct term_search *search, const struct expr *node)
{
    search->walk.scratch = search->arena;
    expr_visit(&search->walk, node, note_holder, search);
    return is_noted(search, node);
}

bool term_search_holds_below(struct term_search *search, const struct expr *load)
{
    term_search_holds(search, load);
    return noted_below(search, load);
}
