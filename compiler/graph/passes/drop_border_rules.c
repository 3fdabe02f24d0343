/* drop_border_rules: graph → graph. A read that stays inside its image for the whole box of the
 * reading stage loses its border rule.
 *   before: out[y, x] = in[y, x] border clamp      after: out[y, x] = in[y, x] */
#include "pass.h"
#include "analysis/reads.h"

struct dropping {
    const struct graph *in;
    struct pass_context *context;
    uint32_t stage; /* that reads */
    unsigned count;
    struct affine_bound bound[GRAPH_MAX_RANK];
};

/* The box a rule sees is the stage's own; memory that extend adds counts for extend alone. A recurrence
 * sees all that it computes. */
static void box_of(const struct stage_axis *axis, bool computed, const struct expr **first,
                   const struct expr **extent)
{
    *first = computed ? axis->computed_first : axis->first;
    *extent = computed ? axis->computed_extent : axis->extent;
}

static const struct expr *drop(const struct expr *node, void *user)
{
    const struct dropping *d = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    const struct stage *source = d->in->stages.item[node->as.load.source];
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++) {
        border[k] = node->as.load.border[k];
        const struct expr *first, *extent;
        const bool computed = border[k].rule == BORDER_EXTEND || source->id.index == d->stage;
        box_of(&source->axis[k], computed, &first, &extent);
        if (region_stays_inside(d->context->pool, node->operand[k], first, extent, d->count,
                                d->bound))
            border[k] = (struct border){0};
    }
    return expr_load(d->context->pool, node->as.load.source, node->scalar, node->interval,
                     node->count, node->operand, border);
}

const struct graph *drop_border_rules(const struct graph *in, struct pass_context *context)
{
    struct graph *out = graph_copy(context->output, in);
    out->stages.count = out->stages.capacity = 0;
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        struct dropping d = {
            .in = in, .context = context, .stage = stage.id.index, .count = stage.rank};
        for (unsigned k = 0; k < stage.rank; k++) {
            const struct stage_axis *axis = &stage.axis[k];
            const struct expr *last = region_sum(
                context->pool,
                region_sum(context->pool, axis->computed_first, axis->computed_extent, 1),
                expr_integer(context->pool, 1), -1);
            d.bound[k] = (struct affine_bound){axis->variable, axis->computed_first, last};
        }
        if (stage_computes(&stage)) {
            struct expr_rewriter rewriter = {
                .pool = context->pool, .rule = drop, .context = &d, .scratch = context->scratch};
            stage.value = expr_rewrite(&rewriter, stage.value);
            struct stage_binding *binding =
                ARENA_ARRAY(context->output, struct stage_binding, stage.binding_count + 1);
            for (size_t b = 0; b < stage.binding_count; b++)
                binding[b] = (struct stage_binding){
                    stage.binding[b].name, expr_rewrite(&rewriter, stage.binding[b].value)};
            stage.binding = binding;
        }
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
