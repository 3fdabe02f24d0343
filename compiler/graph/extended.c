/* Visits readers before the stages that they read, so the box of a stage is known when its own
 * reads are analysed. They are analysed over the coordinates of that box: bounds of an index in the
 * smaller box may not hold here. */
#include "graph/extended.h"
#include "analysis/reads.h"

struct inference {
    struct expr_pool *pool;
    struct arena *output, *scratch;
    struct stage_axis **axis; /* by stage: axes whose computed box grows */
};

/* Grows the computed box of the stage that is read to hold what the index can be. */
static void grow(struct inference *inference, const struct expr *load, unsigned k, unsigned count,
                 const struct span_bound bound[])
{
    struct expr_pool *pool = inference->pool;
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

bool axis_is_extended(const struct stage_axis *axis)
{
    return axis->computed_first != axis->first || axis->computed_extent != axis->extent;
}

/* Coordinates whose interval is the smaller box would let max(x, 0) become x. They stand in indices
 * alone: a stage that uses them otherwise cannot be extended. */
static struct stage widen_coordinates(struct inference *inference, const struct stage *stage,
                                      struct stage_axis axis[])
{
    struct expr_pool *pool = inference->pool;
    struct renaming renaming = {.count = 0};
    struct stage wide = *stage;
    wide.axis = axis;
    for (unsigned k = 0; k < stage->rank; k++) {
        if (!axis_is_extended(&axis[k]))
            continue;
        const struct expr *old = axis[k].variable;
        const struct expr *last =
            region_sum(pool, region_sum(pool, axis[k].computed_first, axis[k].computed_extent, 1),
                       expr_integer(pool, 1), -1);
        const struct interval whole =
            interval_hull(old->interval, (struct interval){axis[k].computed_first->interval.least,
                                                           last->interval.greatest});
        axis[k].variable =
            expr_variable(pool, VARIABLE_INDEX, old->as.variable.name, scalar_width(whole), whole);
        renaming.from[renaming.count] = old;
        renaming.to[renaming.count++] = axis[k].variable;
    }
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = rename_variable, .context = &renaming, .scratch = inference->scratch};
    return renaming.count ? stage_rewrite(inference->output, &wide, &rewriter) : wide;
}

struct extent_search {
    struct inference *inference;
    unsigned count;
    struct span_bound bound[2 * GRAPH_MAX_RANK];
};

static void visit_reads(const struct expr *node, void *user)
{
    struct extent_search *search = user;
    reads_visit(search->inference->pool, search->inference->scratch, node, search->count,
                search->bound, visit_load, search->inference);
}

static void add_bound(struct extent_search *search, const struct stage_axis *axis)
{
    search->bound[search->count++] = (struct span_bound){
        axis->variable, axis->computed_first,
        region_sum(search->inference->pool, axis->computed_first, axis->computed_extent, 1)};
}

static void grow_what_is_read(struct inference *inference, const struct stage *stage)
{
    struct extent_search own = {.inference = inference}, steps = {.inference = inference};
    for (unsigned k = 0; k < stage->rank; k++)
        add_bound(&own, &stage->axis[k]);
    if (stage_computes(stage))
        visit_reads(stage->value, &own);
    if (stage_imaginary(stage))
        visit_reads(stage_imaginary(stage), &own);
    if (stage->kind == STAGE_SCATTER) {
        for (unsigned k = 0; k < stage->as.scatter.steps->rank; k++)
            add_bound(&steps, &stage->as.scatter.steps->axis[k]);
        stage_expressions(stage->as.scatter.steps, visit_reads, &steps);
    }
}

const struct stage *extended_stages(struct expr_pool *pool, struct arena *output,
                                    struct arena *scratch, const struct graph *graph)
{
    const size_t count = graph->stages.count;
    struct inference inference = {pool, output, scratch,
                                  ARENA_ARRAY(scratch, struct stage_axis *, count + 1)};
    struct stage *out = ARENA_ARRAY(scratch, struct stage, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct stage *stage = graph->stages.item[i];
        struct stage_axis *axis = ARENA_ARRAY(output, struct stage_axis, stage->rank + 1);
        for (unsigned k = 0; k < stage->rank; k++) {
            axis[k] = stage->axis[k];
            axis[k].computed_first = axis[k].first;
            axis[k].computed_extent = axis[k].extent;
        }
        inference.axis[i] = axis;
    }
    for (size_t i = count; i-- > 0;) { /* readers before what they read */
        out[i] = widen_coordinates(&inference, graph->stages.item[i], inference.axis[i]);
        grow_what_is_read(&inference, &out[i]);
    }
    return out;
}
