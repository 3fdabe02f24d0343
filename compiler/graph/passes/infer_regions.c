/* infer_regions: graph → graph. Gives each stage the box it must compute: its own, and what readers
 * under the rule extend need beyond it.
 *   before: a[x in 0 .. n-1] = …   b[x in 0 .. n-1] = a[x - 2] border extend + a[x + 1] border extend
 *   after:  a computes -2 .. n
 * An output that must be larger for another stage is copied, cropped to its own box.
 * Afterwards the interval of a coordinate holds all of the box that is computed, and outputs compute
 * their own box alone. */
#include "graph_pass.h"
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
    struct expr_rewriter rewriter = {.pool = context->pool,
                                     .rule = rename_variable,
                                     .context = &renaming,
                                     .scratch = context->scratch};
    if (renaming.count)
        *stage = stage_rewrite(context->output, stage, &rewriter);
}

struct extent_search {
    struct inference *inference;
    unsigned count;
    struct span_bound bound[2 * GRAPH_MAX_RANK];
};

static void visit_reads(const struct expr *node, void *user)
{
    struct extent_search *search = user;
    reads_visit(search->inference->context->pool, search->inference->context->scratch, node,
                search->count, search->bound, visit_load, search->inference);
}

static void add_bound(struct extent_search *search, const struct stage_axis *axis)
{
    search->bound[search->count++] =
        (struct span_bound){axis->variable, axis->computed_first,
                            region_sum(search->inference->context->pool, axis->computed_first,
                                       axis->computed_extent, 1)};
}

static bool is_grown(const struct stage *stage)
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (stage->axis[k].computed_first != stage->axis[k].first ||
            stage->axis[k].computed_extent != stage->axis[k].extent)
            return true;
    return false;
}

/* The stage's own box of it; old: the stage as it was, before its coordinates were widened. */
static stage_id add_cropped(struct pass_context *context, struct graph *out,
                            const struct stage *stage, const struct stage *old)
{
    struct stage_axis *axis = ARENA_ARRAY(context->output, struct stage_axis, stage->rank);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        axis[k] = old->axis[k];
        axis[k].computed_first = axis[k].first;
        axis[k].computed_extent = axis[k].extent;
        index[k] = axis[k].variable;
    }
    struct stage cropped = {
        .kind = STAGE_MAP,
        .name = symbol_format(&context->session->symbols, "%s.cropped", stage->name->text),
        .span = stage->span,
        .element = stage->element,
        .interval = stage->interval,
        .rank = stage->rank,
        .axis = axis,
        .value = expr_load(context->pool, stage->id.index, stage->element, stage->interval,
                           stage->rank, index, NULL)};
    return graph_add_stage(context->output, out, cropped);
}

static void crop_outputs(struct pass_context *context, const struct graph *in, struct graph *out)
{
    out->outputs.count = out->outputs.capacity = 0;
    for (size_t i = 0; i < in->outputs.count; i++) {
        struct graph_output output = in->outputs.item[i];
        const struct stage *stage = graph_stage(out, output.stage);
        if (is_grown(stage))
            output.stage = add_cropped(context, out, stage, graph_stage(in, output.stage));
        VECTOR_PUSH(context->output, &out->outputs, output);
    }
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
        struct extent_search own = {.inference = &inference}, steps = {.inference = &inference};
        for (unsigned k = 0; k < stage->rank; k++)
            add_bound(&own, &inference.axis[i][k]);
        if (stage_computes(stage))
            visit_reads(stage->value, &own);
        if (stage->kind == STAGE_SCATTER) {
            for (unsigned k = 0; k < stage->as.scatter.steps->rank; k++)
                add_bound(&steps, &stage->as.scatter.steps->axis[k]);
            stage_expressions(stage->as.scatter.steps, visit_reads, &steps);
        }
    }
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        stage.axis = inference.axis[i];
        widen_coordinates(context, &stage, inference.axis[i]);
        graph_add_stage(context->output, out, stage);
    }
    crop_outputs(context, in, out);
    return out;
}
