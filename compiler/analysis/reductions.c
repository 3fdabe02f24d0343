/* Bounds by parameters, taken out of a reduction's condition. */
#include "analysis/reductions.h"

static bool is_long(const struct expr *reduce)
{
    return reduce->as.reduce.has_condition &&
           expr_reduction_terms(&reduce->as.reduce) > MOST_UNROLLED_TERMS;
}

static const struct expr *whole_condition(const struct expr *reduce)
{
    return expr_reduce_condition(reduce);
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

struct range_search {
    const struct symbol *name;
    const struct expr *found;
};

static void find_variable(const struct expr *node, void *user)
{
    struct range_search *search = user;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX &&
        node->as.variable.name == search->name)
        search->found = node;
}

const struct expr *reduction_variable(struct expr_pool *pool, struct arena *scratch,
                                      const struct expr *reduce, unsigned k)
{
    const struct expr_range *range = &reduce->as.reduce.range[k];
    struct range_search search = {range->variable, NULL};
    struct expr_walk walk = {.scratch = scratch};
    for (unsigned i = 0; i < reduce->count; i++)
        expr_visit(&walk, reduce->operand[i], find_variable, &search);
    const struct interval interval = {range->first, range->first + range->extent - 1};
    return search.found ? search.found
                        : expr_variable(pool, VARIABLE_INDEX, range->variable,
                                        scalar_width(interval), interval);
}

/* What is written more than once is walked as often, and a bound is written out. */
enum { MOST_SIZE = 1000 };

/* Whether the condition is taken as two. */
static bool is_both(const struct expr *condition)
{
    return condition->kind == EXPR_AND && condition->operand[1]->size <= MOST_SIZE;
}

/* Whether the value is the same for all terms. */
static bool is_fixed(const struct expr *reduce, const struct expr *node)
{
    if (node->kind == EXPR_LOAD || node->kind == EXPR_REDUCE || node->kind == EXPR_EXTERNAL ||
        variable_of(reduce, node) < reduce->as.reduce.rank)
        return false;
    for (unsigned i = 0; i < node->count; i++)
        if (!is_fixed(reduce, node->operand[i]))
            return false;
    return true;
}

/* A condition `first <= d` or `d < end`, the other side the same for all terms. */
struct bounding {
    unsigned k;                     /* which variable; the rank: the condition is something else */
    const struct expr *first, *end; /* one of them, the other is NULL */
};

static struct bounding bounding_of(const struct expr *reduce, const struct expr *condition)
{
    struct bounding none = {.k = reduce->as.reduce.rank};
    if ((condition->kind != EXPR_LESS_EQUAL && condition->kind != EXPR_LESS) ||
        condition->size > MOST_SIZE)
        return none;
    const struct expr *left = condition->operand[0], *right = condition->operand[1];
    if (condition->kind == EXPR_LESS_EQUAL && is_fixed(reduce, left))
        return (struct bounding){variable_of(reduce, right), left, NULL};
    if (condition->kind == EXPR_LESS && is_fixed(reduce, right))
        return (struct bounding){variable_of(reduce, left), NULL, right};
    return none;
}

static void narrow(struct expr_pool *pool, const struct expr *reduce, const struct expr *condition,
                   unsigned k, bool by_parameters, struct span_bound *bound)
{
    if (is_both(condition)) {
        narrow(pool, reduce, condition->operand[0], k, by_parameters, bound);
        narrow(pool, reduce, condition->operand[1], k, by_parameters, bound);
        return;
    }
    const struct bounding by = bounding_of(reduce, condition);
    if (by.k != k || (by_parameters && !expr_is_of_parameters(by.first ? by.first : by.end)))
        return;
    if (by.first)
        bound->first = region_maximum(pool, bound->first, by.first);
    else
        bound->end = region_minimum(pool, bound->end, by.end);
}

static struct span_bound bounds_of(struct expr_pool *pool, const struct expr *reduce, unsigned k,
                                   const struct expr *variable, bool by_parameters)
{
    const struct expr_range *range = &reduce->as.reduce.range[k];
    struct span_bound bound = {
        variable, expr_integer(pool, range->first),
        region_sum(pool, expr_integer(pool, range->first), expr_reduce_count(pool, reduce, k), 1)};
    if (is_long(reduce)) {
        narrow(pool, reduce, whole_condition(reduce), k, by_parameters, &bound);
        bound.end = region_maximum(pool, bound.end, bound.first);
    }
    return bound;
}

struct span_bound reduction_bounds(struct expr_pool *pool, const struct expr *reduce, unsigned k,
                                   const struct expr *variable)
{
    return bounds_of(pool, reduce, k, variable, false);
}

struct span_bound reduction_bounds_by_parameters(struct expr_pool *pool, const struct expr *reduce,
                                                 unsigned k, const struct expr *variable)
{
    return bounds_of(pool, reduce, k, variable, true);
}

static const struct expr *beyond_bounds(struct expr_pool *pool, const struct expr *reduce,
                                        const struct expr *condition)
{
    if (is_both(condition)) {
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

const struct expr *reduction_rows(struct expr_pool *pool, const struct expr *reduce)
{
    const struct expr *rows = expr_integer(pool, 1);
    for (unsigned k = 0; k + 1 < reduce->as.reduce.rank; k++)
        rows =
            expr_binary(pool, EXPR_MINIMUM,
                        expr_binary(pool, EXPR_MULTIPLY, rows, expr_reduce_count(pool, reduce, k)),
                        expr_integer(pool, UINT32_MAX));
    return rows;
}

const struct expr *reduction_runs(struct expr_pool *pool, const struct expr *reduce)
{
    const struct expr *width = expr_reduce_count(pool, reduce, reduce->as.reduce.rank - 1);
    const struct expr *terms = expr_binary(
        pool, EXPR_MINIMUM, expr_binary(pool, EXPR_MULTIPLY, reduction_rows(pool, reduce), width),
        expr_integer(pool, MOST_COUNTED_TERMS));
    const struct expr *runs =
        expr_binary(pool, EXPR_DIVIDE,
                    expr_binary(pool, EXPR_ADD, terms, expr_integer(pool, REDUCTION_RUN - 1)),
                    expr_integer(pool, REDUCTION_RUN));
    return expr_binary(pool, EXPR_MAXIMUM, runs, expr_integer(pool, 1));
}
