/* Bounds by parameters, taken out of a reduction's condition. */
#include "analysis/reductions.h"

static bool is_long(const struct expr *reduce)
{
    return reduce->as.reduce.has_condition &&
           expr_range_terms(reduce->as.reduce.rank, reduce->as.reduce.range) > MOST_UNROLLED_TERMS;
}

static const struct expr *whole_condition(const struct expr *reduce)
{
    return reduce->operand[reduce->count - 1];
}

/* Which variable of the reduction a node is; the rank: none. */
static unsigned variable_of(const struct expr *reduce, const struct expr *node)
{
    unsigned k = 0;
    while (k < reduce->as.reduce.rank &&
           (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX ||
            node->as.variable.name != reduce->as.reduce.range[k].variable))
        k++;
    return k;
}

/* A condition `first <= d` or `d < end`, the other side made of parameters. */
struct bounding {
    unsigned k;                     /* which variable; the rank: the condition is something else */
    const struct expr *first, *end; /* one of them, the other is NULL */
};

static struct bounding bounding_of(const struct expr *reduce, const struct expr *condition)
{
    struct bounding none = {.k = reduce->as.reduce.rank};
    if (condition->kind != EXPR_LESS_EQUAL && condition->kind != EXPR_LESS)
        return none;
    const struct expr *left = condition->operand[0], *right = condition->operand[1];
    if (condition->kind == EXPR_LESS_EQUAL && expr_is_of_parameters(left))
        return (struct bounding){variable_of(reduce, right), left, NULL};
    if (condition->kind == EXPR_LESS && expr_is_of_parameters(right))
        return (struct bounding){variable_of(reduce, left), NULL, right};
    return none;
}

static void narrow(struct expr_pool *pool, const struct expr *reduce, const struct expr *condition,
                   unsigned k, struct span_bound *bound)
{
    if (condition->kind == EXPR_AND) {
        narrow(pool, reduce, condition->operand[0], k, bound);
        narrow(pool, reduce, condition->operand[1], k, bound);
        return;
    }
    const struct bounding by = bounding_of(reduce, condition);
    if (by.k == k && by.first)
        bound->first = region_maximum(pool, bound->first, by.first);
    if (by.k == k && by.end)
        bound->end = region_minimum(pool, bound->end, by.end);
}

struct span_bound reduction_bounds(struct expr_pool *pool, const struct expr *reduce, unsigned k,
                                   const struct expr *variable)
{
    const struct expr_range *range = &reduce->as.reduce.range[k];
    struct span_bound bound = {variable, expr_integer(pool, range->first),
                               expr_integer(pool, range->first + range->extent)};
    if (is_long(reduce)) {
        narrow(pool, reduce, whole_condition(reduce), k, &bound);
        bound.end = region_maximum(pool, bound.end, bound.first);
    }
    return bound;
}

static const struct expr *beyond_bounds(struct expr_pool *pool, const struct expr *reduce,
                                        const struct expr *condition)
{
    if (condition->kind == EXPR_AND) {
        const struct expr *left = beyond_bounds(pool, reduce, condition->operand[0]);
        const struct expr *right = beyond_bounds(pool, reduce, condition->operand[1]);
        return left && right ? expr_binary(pool, EXPR_AND, left, right) : left ? left : right;
    }
    return bounding_of(reduce, condition).k < reduce->as.reduce.rank ? NULL : condition;
}

const struct expr *reduction_condition(struct expr_pool *pool, const struct expr *reduce)
{
    if (!reduce->as.reduce.has_condition)
        return NULL;
    return is_long(reduce) ? beyond_bounds(pool, reduce, whole_condition(reduce))
                           : whole_condition(reduce);
}
