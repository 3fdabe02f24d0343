/* apply_borders: loop → loop. Replaces border rules by arithmetic on indices, or by a select if the
 * rule gives a value.
 *   before: in[y, x - 1 clamp]          after: in[y, min(max(x - 1, 0), in.x - 1)]
 *   before: in[y, x - 1 zero]           after: select(0 <= x - 1 && x - 1 < in.x, in[y, clamped], 0)
 * Afterwards no load carries a rule, and every index is inside its buffer. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "loop/rewrite.h"

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

static const struct expr *applied(struct expr_pool *pool, const struct expr *index,
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
    case BORDER_WRAP:
        return region_sum(pool, border->first,
                          expr_binary(pool, EXPR_REMAINDER,
                                      region_sum(pool, index, border->first, -1), border->extent),
                          1);
    }
    return index;
}

static const struct expr *is_inside(struct expr_pool *pool, const struct expr *index,
                                    const struct border *border)
{
    const struct expr *last = minus_one(pool, region_sum(pool, border->first, border->extent, 1));
    return expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_LESS_EQUAL, border->first, index),
                       expr_binary(pool, EXPR_LESS_EQUAL, index, last));
}

static const struct expr *apply(const struct expr *node, void *user)
{
    struct expr_pool *pool = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        index[k] = applied(pool, node->operand[k], &node->as.load.border[k]);
    const struct expr *value = expr_load(pool, node->as.load.source, node->scalar, node->interval,
                                         node->count, index, NULL);
    /* The first axis that is outside gives the value: so the last one is put innermost. */
    for (unsigned k = node->count; k-- > 0;) {
        const struct border *border = &node->as.load.border[k];
        if (border->rule == BORDER_ZERO || border->rule == BORDER_CONSTANT)
            value =
                expr_select(pool, is_inside(pool, node->operand[k], border), value, border->value);
    }
    return value;
}

const struct program *apply_borders(const struct program *in, struct pass_context *context)
{
    struct expr_rewriter rewriter = {.pool = context->pool,
                                     .rule = apply,
                                     .context = context->pool,
                                     .scratch = context->scratch};
    struct program *out = program_copy(context->output, in);
    out->body = statement_rewrite(context->output, in->body, &rewriter);
    return out;
}
