/* hold_inputs: graph → graph. Clamps reads of an input whose type has fewer bits than its memory,
 * which may contain any number. The oracle clamps in the same way.
 *   before: in : u16 0 .. 4095           out[y, x] = in[y, x]
 *   after:  in : u16                     out[y, x] = min(max(in[y, x], 0), 4095)
 * Afterwards: the interval of an input is that of its element type. */
#include "graph_pass.h"

struct holding {
    const struct graph *in;
    struct expr_pool *pool;
};

static bool is_held(const struct stage *stage)
{
    return stage->kind == STAGE_INPUT && scalar_is_integer(stage->element) &&
           !interval_inside(scalar_info[stage->element].interval, stage->interval);
}

static const struct expr *hold(const struct expr *node, void *user)
{
    const struct holding *h = user;
    if (node->kind != EXPR_LOAD || !is_held(h->in->stages.item[node->as.load.source]))
        return node;
    const struct interval wide = interval_hull(node->interval, scalar_info[node->scalar].interval);
    const struct expr *load = expr_load(h->pool, node->as.load.source, node->scalar, wide,
                                        node->count, node->operand, node->as.load.border);
    return expr_binary(
        h->pool, EXPR_MINIMUM,
        expr_binary(h->pool, EXPR_MAXIMUM, load, expr_integer(h->pool, node->interval.least)),
        expr_integer(h->pool, node->interval.greatest));
}

const struct graph *hold_inputs(const struct graph *in, struct pass_context *context)
{
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || is_held(in->stages.item[i]);
    if (!any)
        return in;
    struct graph *out = graph_copy_without_stages(context->output, in);
    struct holding holding = {in, context->pool};
    for (size_t i = 0; i < in->stages.count; i++) {
        struct expr_rewriter rewriter = {
            .pool = context->pool, .rule = hold, .context = &holding, .scratch = context->scratch};
        struct stage stage = stage_rewrite(context->output, in->stages.item[i], &rewriter);
        if (is_held(&stage))
            stage.interval = scalar_info[stage.element].interval;
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
