/* apply_borders: loop → loop. Replaces border rules by arithmetic on indices, or by a select if the
 * rule gives a value.
 *   before: in[y, x - 1 clamp]          after: in[y, min(max(x - 1, 0), in.x - 1)]
 *   before: in[y, x - 1 zero]           after: select(0 <= x - 1 && x - 1 < in.x, in[y, clamped], 0)
 * Afterwards no load carries a rule, and every index is inside its buffer. */
#include "loop_pass.h"
#include "analysis/border_index.h"
#include "loop/rewrite.h"

static const struct expr *apply(const struct expr *node, void *user)
{
    struct expr_pool *pool = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        index[k] = border_index(pool, node->operand[k], &node->as.load.border[k]);
    const struct expr *value = expr_load(pool, node->as.load.source, node->scalar, node->interval,
                                         node->count, index, NULL);
    /* The first axis that is outside gives the value: so the last one is put innermost. */
    for (unsigned k = node->count; k-- > 0;) {
        const struct border *border = &node->as.load.border[k];
        if (border->rule == BORDER_ZERO || border->rule == BORDER_CONSTANT)
            value = expr_select(pool, border_is_inside(pool, node->operand[k], border), value,
                                border->value);
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
