#include "graph/scatter_form.h"

struct self_search {
    const struct stage *scatter;
    unsigned reads;
};

static bool reads_itself(const struct stage *scatter, const struct expr *node)
{
    return node->kind == EXPR_LOAD && node->as.load.source == scatter->id.index;
}

static void count_self(const struct expr *node, void *user)
{
    struct self_search *search = user;
    search->reads += reads_itself(search->scatter, node);
}

static unsigned self_reads(struct arena *scratch, const struct stage *scatter)
{
    const struct stage *steps = scatter->as.scatter.steps;
    struct self_search search = {scatter, 0};
    struct expr_walk value = {.scratch = scratch};
    expr_visit(&value, steps->value, count_self, &search);
    for (size_t b = 0; b < steps->binding_count; b++) {
        struct expr_walk binding = {.scratch = scratch};
        expr_visit(&binding, steps->binding[b].value, count_self, &search);
    }
    return search.reads;
}

bool scatter_wraps(const struct scatter_form *form)
{
    return form->store->kind == EXPR_CONVERT && form->store->as.convert == CONVERT_WRAP;
}

bool scatter_form_of(struct arena *scratch, const struct stage *scatter, struct scatter_form *form)
{
    form->store = scatter->as.scatter.steps->value;
    const struct expr *joined = form->store;
    while (joined->kind == EXPR_CONVERT)
        joined = joined->operand[0];
    if (joined->count != 2 || !scalar_is_integer(scatter->element))
        return false;
    const bool left = reads_itself(scatter, joined->operand[0]);
    if (!left && !reads_itself(scatter, joined->operand[1]))
        return false;
    form->kind = joined->kind;
    form->term = joined->operand[left];
    return (form->kind == EXPR_ORDERED_MINIMUM || form->kind == EXPR_ORDERED_MAXIMUM ||
            (form->kind == EXPR_ADD && (scatter_wraps(form) || form->term->interval.least >= 0))) &&
           self_reads(scratch, scatter) == 1;
}

bool scatter_saturates(const struct scatter_form *form)
{
    return form->kind == EXPR_ADD && !scatter_wraps(form);
}

struct interval scatter_start(const struct graph *graph, const struct stage *scatter)
{
    const struct expr *value = scatter->value;
    for (;;) {
        const struct stage *source =
            value->kind == EXPR_LOAD ? graph->stages.item[value->as.load.source] : NULL;
        if (value->kind == EXPR_CONVERT && value->as.convert == CONVERT_EXACT)
            value = value->operand[0];
        else if (source && source->kind == STAGE_MAP && !value->as.load.border)
            value = source->value;
        else
            return value->interval;
    }
}

const struct expr *scatter_stays_below(struct expr_pool *pool, const struct scatter_form *form,
                                       enum scalar element, struct interval start, unsigned count,
                                       const struct expr *const extent[])
{
    if (!scatter_saturates(form) || form->store->kind != EXPR_CONVERT || element != SCALAR_U32 ||
        form->term->interval.greatest > INT16_MAX)
        return NULL;
    const struct expr *steps = expr_integer(pool, 1);
    for (unsigned k = 0; k < count; k++) {
        if (steps->interval.greatest > INT32_MAX) /* too many anyway; 64 bits hold the product */
            steps = expr_binary(pool, EXPR_MINIMUM, steps, expr_integer(pool, INT64_C(1) << 31));
        steps = expr_binary(pool, EXPR_MULTIPLY, steps, extent[k]);
    }
    const int64_t room = (int64_t)UINT32_MAX - start.greatest;
    const int64_t most = room / (form->term->interval.greatest + 1);
    return most < 1 ? expr_boolean(pool, false)
                    : expr_binary(pool, EXPR_LESS, steps, expr_integer(pool, most));
}
