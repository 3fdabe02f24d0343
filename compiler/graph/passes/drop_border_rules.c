/* drop_border_rules: graph → graph. Removes the border rule of a read that stays inside its image
 * for the whole box of the reading stage.
 *   before: out[y, x] = in[y, x] border clamp      after: out[y, x] = in[y, x] */
#include "graph_pass.h"
#include "analysis/reads.h"

struct dropping {
    const struct graph *in;
    struct pass_context *context;
    uint32_t stage; /* that reads */
    unsigned count;
    struct affine_bound bound[GRAPH_MAX_RANK];
};

/* The box a rule sees is the stage's own; memory that extend adds counts for extend alone. A
 * recurrence sees all that it computes. */
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

/* The stage without rules that are not needed over the box of its axes. id: that its own reads
 * name. */
static struct stage without_rules(const struct graph *in, struct pass_context *context,
                                  const struct stage *stage, uint32_t id)
{
    struct dropping d = {.in = in, .context = context, .stage = id, .count = stage->rank};
    struct stage alone = *stage;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        const struct expr *last =
            region_sum(context->pool,
                       region_sum(context->pool, axis->computed_first, axis->computed_extent, 1),
                       expr_integer(context->pool, 1), -1);
        d.bound[k] = (struct affine_bound){axis->variable, axis->computed_first, last};
    }
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = drop, .context = &d, .scratch = context->scratch};
    if (stage->kind == STAGE_SCATTER) /* its steps have axes of their own */
        alone.kind = STAGE_MAP;
    struct stage out = stage_rewrite(context->output, &alone, &rewriter);
    out.kind = stage->kind;
    if (stage->kind == STAGE_SCATTER) {
        const struct stage steps = without_rules(in, context, stage->as.scatter.steps, id);
        out.as.scatter.steps = arena_copy(context->output, &steps, sizeof steps);
    }
    return out;
}

const struct graph *drop_border_rules(const struct graph *in, struct pass_context *context)
{
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        graph_add_stage(context->output, out, without_rules(in, context, stage, stage->id.index));
    }
    return out;
}
