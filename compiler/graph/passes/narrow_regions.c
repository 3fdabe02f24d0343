/* narrow_regions: graph → graph. Of a filter over boxes, gives each stage the smallest box that its
 * readers need.
 *   before: a[x in 0 ..< n] = …   out[x in p ..< q] = a[x - 1] border clamp + a[x]
 *   after:  a computes max(min(p - 1, …), 0) ..< q
 * Border rules still refer to the stage's own box. Along axes in which a sample depends on many, as
 * of a recurrence, and in repeats, a stage is computed whole. Other graphs stay as they are. */
#include "analysis/reads.h"
#include "analysis/regions.h"
#include "graph_pass.h"

struct need {
    bool any, all;
    const struct expr *first, *end;
};

struct narrowing {
    const struct graph *in;
    struct pass_context *context;
    struct need (*need)[GRAPH_MAX_RANK]; /* by stage */
    uint32_t reader;
};

static void note_read(const struct expr *load, unsigned count, const struct span_bound bound[],
                      void *user)
{
    struct narrowing *n = user;
    struct expr_pool *pool = n->context->pool;
    const uint32_t source = load->as.load.source;
    const struct stage *stage = n->in->stages.item[source];
    if (source == n->reader)
        return;
    for (unsigned k = 0; k < load->count; k++) {
        struct need *need = &n->need[source][k];
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        const struct expr *first, *end;
        if (rule == BORDER_WRAP ||
            !region_of_index(pool, load->operand[k], count, bound, &first, &end)) {
            need->all = true;
            continue;
        }
        if (rule != BORDER_NONE && rule != BORDER_EXTEND)
            region_clip(pool, rule == BORDER_REFLECT || rule == BORDER_REFLECT101,
                        stage->axis[k].first, stage->axis[k].extent, &first, &end);
        need->first = need->any ? region_minimum(pool, need->first, first) : first;
        need->end = need->any ? region_maximum(pool, need->end, end) : end;
        need->any = true;
    }
}

struct reading {
    struct narrowing *n;
    unsigned count;
    struct span_bound bound[GRAPH_MAX_RANK];
};

static void note_reads(const struct expr *node, void *user)
{
    struct reading *r = user;
    reads_visit(r->n->context->pool, r->n->context->scratch, node, r->count, r->bound, note_read,
                r->n);
}

static void note_axes(struct reading *r, const struct stage *stage, const struct stage_axis axis[])
{
    r->count = stage->rank;
    for (unsigned k = 0; k < stage->rank; k++)
        r->bound[k] = (struct span_bound){
            axis[k].variable, axis[k].computed_first,
            region_sum(r->n->context->pool, axis[k].computed_first, axis[k].computed_extent, 1)};
}

/* What the stage reads, computed at these axes; all steps of a scatter are taken. */
static void note_stage(struct narrowing *n, const struct stage *stage,
                       const struct stage_axis axis[])
{
    struct reading r = {.n = n};
    n->reader = stage->id.index;
    note_axes(&r, stage, axis);
    if (stage->kind != STAGE_SCATTER) {
        stage_expressions(stage, note_reads, &r);
        return;
    }
    note_reads(stage->value, &r);
    const struct stage *steps = stage->as.scatter.steps;
    note_axes(&r, steps, steps->axis);
    stage_expressions(steps, note_reads, &r);
}

static bool is_output(const struct graph *graph, const struct stage *stage)
{
    bool is = false;
    for (size_t i = 0; i < graph->outputs.count; i++)
        is = is || graph->outputs.item[i].stage.index == stage->id.index;
    return is;
}

/* Kinds whose loops go over the computed box. */
static bool may_narrow(const struct narrowing *n, const struct stage *stage)
{
    return (stage->kind == STAGE_MAP || stage->kind == STAGE_RECURRENCE) && !stage->repeat &&
           !is_output(n->in, stage);
}

static const struct stage_axis *narrowed(struct narrowing *n, const struct stage *stage)
{
    struct expr_pool *pool = n->context->pool;
    struct stage_axis *axis =
        arena_copy(n->context->output, stage->axis, stage->rank * sizeof *axis);
    bool along[GRAPH_MAX_RANK];
    stage_own_reads(stage, n->context->scratch, along);
    for (unsigned k = 0; k < stage->rank && may_narrow(n, stage); k++) {
        const struct need *need = &n->need[stage->id.index][k];
        if (!need->any || need->all || along[k])
            continue;
        const struct expr *end = region_minimum(
            pool, need->end, region_sum(pool, axis[k].computed_first, axis[k].computed_extent, 1));
        axis[k].computed_first = region_maximum(pool, need->first, axis[k].computed_first);
        axis[k].computed_extent = region_sum(pool, end, axis[k].computed_first, -1);
    }
    return axis;
}

/* A repeat takes all of what it begins with, and of what each step leaves. */
static void note_carried(struct narrowing *n, const struct stage *stage)
{
    for (unsigned k = 0; k < stage->rank; k++) {
        n->need[stage->as.carried.initial.index][k].all = true;
        n->need[stage->as.carried.next.index][k].all = true;
    }
}

const struct graph *narrow_regions(const struct graph *in, struct pass_context *context)
{
    if (!in->is_boxed)
        return in;
    struct narrowing n = {
        .in = in,
        .context = context,
        .need = arena_allocate(context->scratch, (in->stages.count + 1) * sizeof *n.need)};
    const struct stage_axis **axis =
        ARENA_ARRAY(context->scratch, const struct stage_axis *, in->stages.count + 1);
    for (size_t i = 0; i < in->stages.count; i++)
        if (in->stages.item[i]->kind == STAGE_CARRIED)
            note_carried(&n, in->stages.item[i]);
    for (size_t i = in->stages.count; i-- > 0;) {
        axis[i] = narrowed(&n, in->stages.item[i]);
        if (stage_computes(in->stages.item[i]))
            note_stage(&n, in->stages.item[i], axis[i]);
    }
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        struct stage stage = *in->stages.item[i];
        stage.axis = axis[i];
        graph_add_stage(context->output, out, stage);
    }
    return out;
}
