#include "analysis/border_index.h"
#include "analysis/regions.h"

static const struct expr *minus_one(struct expr_pool *pool, const struct expr *a)
{
    return region_sum(pool, a, expr_integer(pool, 1), -1);
}

static const struct expr *clamped(struct expr_pool *pool, const struct expr *index,
                                  const struct border *border)
{
    const struct expr *last = minus_one(pool, region_sum(pool, border->first, border->extent, 1));
    return expr_binary(pool, EXPR_MINIMUM, expr_binary(pool, EXPR_MAXIMUM, index, border->first),
                       last);
}

/* first + min(p, period - 1 - p) of p = (index - first) mod period: the samples there and back. */
static const struct expr *folded(struct expr_pool *pool, const struct expr *index,
                                 const struct border *border, int64_t shared)
{
    const struct expr *offset = region_sum(pool, index, border->first, -1);
    const struct expr *twice = region_sum(pool, border->extent, border->extent, 1);
    const struct expr *period = region_sum(pool, twice, expr_integer(pool, 2 * shared), -1);
    const struct expr *place = expr_binary(pool, EXPR_REMAINDER, offset, period);
    const struct expr *back =
        region_sum(pool, region_sum(pool, twice, expr_integer(pool, 1 + shared), -1), place, -1);
    /* reflect101 of one sample: the period is 0, the remainder by it 0, back is at least 0. */
    const struct expr *inside = expr_binary(
        pool, EXPR_MINIMUM, place, expr_binary(pool, EXPR_MAXIMUM, back, expr_integer(pool, 0)));
    return region_sum(pool, border->first, inside, 1);
}

/* The same of places at most one extent outside: first + min(q, period - 1 - q), where q is the
 * greater of p and -1 - p. */
static const struct expr *folded_once(struct expr_pool *pool, const struct expr *index,
                                      const struct border *border, int64_t shared)
{
    const struct expr *place = region_sum(pool, index, border->first, -1);
    const struct expr *twice = region_sum(pool, border->extent, border->extent, 1);
    const struct expr *mirrored = region_sum(pool, expr_integer(pool, shared - 1), place, -1);
    const struct expr *there = expr_binary(pool, EXPR_MAXIMUM, place, mirrored);
    const struct expr *back =
        region_sum(pool, region_sum(pool, twice, expr_integer(pool, 1 + shared), -1), there, -1);
    return region_sum(pool, border->first, expr_binary(pool, EXPR_MINIMUM, there, back), 1);
}

static const struct expr *wrapped_once(struct expr_pool *pool, const struct expr *index,
                                       const struct border *border)
{
    const struct expr *end = region_sum(pool, border->first, border->extent, 1);
    const struct expr *less = region_sum(pool, index, border->extent, -1);
    const struct expr *more = region_sum(pool, index, border->extent, 1);
    return expr_select(pool, expr_binary(pool, EXPR_LESS, index, border->first), more,
                       expr_select(pool, expr_binary(pool, EXPR_LESS, index, end), index, less));
}

const struct expr *border_index(struct expr_pool *pool, const struct expr *index,
                                const struct border *border)
{
    switch (border->rule) {
    case BORDER_NONE:
    case BORDER_EXTEND:
    case BORDER_VALID:
    case BORDER_COUNT:
        return index;
    case BORDER_ZERO:
    case BORDER_CONSTANT:
    case BORDER_CLAMP:
        return clamped(pool, index, border);
    case BORDER_REFLECT:
        return folded(pool, index, border, 0);
    case BORDER_REFLECT101:
        return folded(pool, index, border, 1);
    case BORDER_REFLECT_ONCE:
        return folded_once(pool, index, border, 0);
    case BORDER_REFLECT101_ONCE:
        return folded_once(pool, index, border, 1);
    case BORDER_WRAP_ONCE:
        return wrapped_once(pool, index, border);
    case BORDER_WRAP:
        return region_sum(pool, border->first,
                          expr_binary(pool, EXPR_REMAINDER,
                                      region_sum(pool, index, border->first, -1), border->extent),
                          1);
    }
    return index;
}

const struct expr *border_is_inside(struct expr_pool *pool, const struct expr *index,
                                    const struct border *border)
{
    const struct expr *last = minus_one(pool, region_sum(pool, border->first, border->extent, 1));
    return expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_LESS_EQUAL, border->first, index),
                       expr_binary(pool, EXPR_LESS_EQUAL, index, last));
}
