/* Axes along which a stage chooses. */
#include "graph/placement/choosing_axis.h"

enum { MOST_PLACES = 4 };

struct choice_search {
    const struct expr *coordinate;
    bool found;
};

/* select(c == 0, …), select(c < 2, …) */
static void search_choice(const struct expr *node, void *user)
{
    struct choice_search *search = user;
    if (node->kind != EXPR_SELECT)
        return;
    const struct expr *condition = node->operand[0];
    const bool compares = condition->kind == EXPR_EQUAL || condition->kind == EXPR_NOT_EQUAL ||
                          condition->kind == EXPR_LESS || condition->kind == EXPR_LESS_EQUAL;
    for (unsigned i = 0; compares && i < 2; i++)
        search->found = search->found || (condition->operand[i] == search->coordinate &&
                                          condition->operand[1 - i]->kind == EXPR_INTEGER);
}

unsigned choosing_axis(struct arena *scratch, const struct stage *stage)
{
    for (unsigned k = 0; stage_may_move(stage) && stage->rank > 2 && k + 1 < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        if (axis->computed_first->kind != EXPR_INTEGER ||
            axis->computed_extent->kind != EXPR_INTEGER || axis->computed_extent->as.integer < 2 ||
            axis->computed_extent->as.integer > MOST_PLACES)
            continue;
        struct choice_search search = {axis->variable, false};
        expr_nodes(scratch, stage->value, search_choice, &search);
        if (search.found)
            return k;
    }
    return stage->rank;
}

const struct expr *value_at_place(struct expr_pool *pool, struct arena *scratch,
                                  const struct stage *stage, unsigned axis, int64_t place)
{
    return expr_substitute(pool, scratch, stage->value, stage->axis[axis].variable,
                           expr_integer(pool, place));
}
