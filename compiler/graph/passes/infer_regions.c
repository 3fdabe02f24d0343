/* infer_regions: graph → graph. Gives each stage the box it must compute: its own, and what readers
 * under the rule extend need beyond it.
 *   before: a[x in 0 .. n-1] = …   b[x in 0 .. n-1] = a[x - 2] border extend + a[x + 1] border extend
 *   after:  a computes -2 .. n
 * Afterwards the interval of a coordinate holds all of the box that is computed. */
#include "pass.h"
#include "analysis/reads.h"

struct inference {
    const struct graph *in;
    struct pass_context *context;
    struct stage_axis **axis; /* by stage: axes whose computed box grows */
};

/* Grows the computed box of the stage that is read to hold what the index can be. */
static void grow(struct inference *inference, const struct expr *load, unsigned k, unsigned count,
                 const struct span_bound bound[])
{
    struct expr_pool *pool = inference->context->pool;
    struct stage_axis *axis = &inference->axis[load->as.load.source][k];
    const struct expr *first, *end;
    if (!region_of_index(pool, load->operand[k], count, bound, &first, &end)) {
        /* A gather: its interval is all that is known. */
        first = expr_integer(pool, load->operand[k]->interval.least);
        end = expr_integer(pool, load->operand[k]->interval.greatest + 1);
    }
    const struct expr *old_end = region_sum(pool, axis->computed_first, axis->computed_extent, 1);
    axis->computed_first = region_minimum(pool, axis->computed_first, first);
    axis->computed_extent =
        region_sum(pool, region_maximum(pool, old_end, end), axis->computed_first, -1);
}

static void visit_load(const struct expr *load, unsigned count, const struct span_bound bound[],
                       void *user)
{
    struct inference *inference = user;
    for (unsigned k = 0; load->as.load.border && k < load->count; k++)
        if (load->as.load.border[k].rule == BORDER_EXTEND)
            grow(inference, load, k, count, bound);
}

struct renaming {
    const struct expr *from[GRAPH_MAX_RANK], *to[GRAPH_MAX_RANK];
    unsigned count;
};

static const struct expr *rename_variable(const struct expr *node, void *user)
{
    const struct renaming *r = user;
    for (unsigned i = 0; i < r->count; i++)
        if (r->from[i] == node)
            return r->to[i];
    return node;
}

/* Coordinates whose interval is the smaller box would let max(x, 0) become x. They stand in indices
 * alone: a stage that uses them otherwise cannot be extended. */
static void widen_coordinates(struct pass_context *context, struct stage *stage,
                              struct stage_axis axis[])
{
    struct renaming renaming = {.count = 0};
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *old = axis[k].variable;
        const struct expr *last = region_sum(
            context->pool,
            region_sum(context->pool, axis[k].computed_first, axis[k].computed_extent, 1),
            expr_integer(context->pool, 1), -1);
        const struct interval whole = {axis[k].computed_first->interval.least,
                                       last->interval.greatest};
        if (axis[k].computed_first == axis[k].first && axis[k].computed_extent == axis[k].extent)
            continue;
        const struct interval wide = {
            whole.least < old->interval.least ? whole.least : old->interval.least,
            whole.greatest > old->interval.greatest ? whole.greatest : old->interval.greatest};
        axis[k].variable = expr_variable(context->pool, VARIABLE_INDEX, old->as.variable.name,
                                         scalar_lane(wide), wide);
        renaming.from[renaming.count] = old;
        renaming.to[renaming.count++] = axis[k].variable;
    }
    if (!renaming.count || !stage_computes(stage))
        return;
    struct expr_rewriter rewriter = {.pool = context->pool,
                                     .rule = rename_variable,
                                     .context = &renaming,
                                     .scratch = context->scratch};
    stage->value = expr_rewrite(&rewriter, stage->value);
    struct stage_binding *binding =
        ARENA_ARRAY(context->output, struct stage_binding, stage->binding_count + 1);
    for (size_t b = 0; b < stage->binding_count; b++)
        binding[b] = (struct stage_binding){stage->binding[b].name,
                                            expr_rewrite(&rewriter, stage->binding[b].value)};
    stage->binding = binding;
}

const struct graph *infer_regions(const struct graph *in, struct pass_context *context)
{
    struct inference inference = {
        in, context, ARENA_ARRAY(context->scratch, struct stage_axis *, in->stages.count + 1)};
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, stage->rank + 1);
        for (unsigned k = 0; k < stage->rank; k++) {
            axis[k] = stage->axis[k];
            axis[k].computed_first = axis[k].first;
            axis[k].computed_extent = axis[k].extent;
        }
        inference.axis[i] = axis;
    }
    for (size_t i = in->stages.count; i-- > 0;) { /* readers before what they read */
        const struct stage *stage = in->stages.item[i];
        struct span_bound bound[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < stage->rank; k++)
            bound[k] =
                (struct span_bound){stage->axis[k].variable, inference.axis[i][k].computed_first,
                                    region_sum(context->pool, inference.axis[i][k].computed_first,
                                               inference.axis[i][k].computed_extent, 1)};
        if (stage_computes(stage))
            reads_visit(context->pool, context->scratch, stage->value, stage->rank, bound,
                        visit_load, &inference);
    }
    struct graph *out = graph_copy(context->output, in);
    out->stages.count = out->stages.capacity = 0;
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        stage.axis = inference.axis[i];
        widen_coordinates(context, &stage, inference.axis[i]);
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
