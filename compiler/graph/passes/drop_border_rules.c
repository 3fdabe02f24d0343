/* drop_border_rules: graph → graph. Removes the border rule of a read that stays inside its image
 * for the whole box of the reading stage, and for all terms of the sums around it.
 *   before: out[y, x] = in[y, x] border clamp      after: out[y, x] = in[y, x]
 *           sum[u in 0 ..< k.u](k[u clamp] * …)           sum[u in 0 ..< k.u](k[u] * …)
 * Extents that the filter checks to be equal on entry are. */
#include "graph_pass.h"
#include "analysis/reads.h"
#include "graph/equal_extents.h"

struct dropping {
    const struct graph *in;
    struct pass_context *context;
    uint32_t stage; /* that reads */
    unsigned count;
    struct affine_bound bound[GRAPH_MAX_RANK];
    struct hash_map inside; /* read → INSIDE_KNOWN and a bit for each axis without need of a rule */
    const struct expr_rewriter *rewriter;
    struct expr_rewriter *equal; /* extents */
};

enum { INSIDE_KNOWN = 1U << GRAPH_MAX_RANK };

/* The box a rule sees is the stage's own; memory that extend adds counts for extend alone. A
 * recurrence sees all that it computes. */
static void box_of(const struct stage_axis *axis, bool computed, const struct expr **first,
                   const struct expr **extent)
{
    *first = computed ? axis->computed_first : axis->first;
    *extent = computed ? axis->computed_extent : axis->extent;
}

static bool stays_inside(const struct dropping *d, const struct expr *load, unsigned k,
                         unsigned count, const struct affine_bound bound[])
{
    const struct stage *source = d->in->stages.item[load->as.load.source];
    const struct expr *first, *extent;
    const bool computed =
        load->as.load.border[k].rule == BORDER_EXTEND || source->id.index == d->stage;
    box_of(&source->axis[k], computed, &first, &extent);
    return region_stays_inside(d->context->pool, expr_rewrite(d->equal, load->operand[k]),
                               expr_rewrite(d->equal, first), expr_rewrite(d->equal, extent), count,
                               bound);
}

/* span: of the variables of the sums around, which may tell less than their intervals do. A read
 * in several expressions needs the rules that one of them needs. */
static void note_read(const struct expr *load, unsigned count, const struct span_bound span[],
                      void *user)
{
    struct dropping *d = user;
    if (!load->as.load.border)
        return;
    struct expr_pool *pool = d->context->pool;
    struct arena *scratch = d->context->scratch;
    struct affine_bound *bound = ARENA_ARRAY(scratch, struct affine_bound, d->count + count + 1);
    memcpy(bound, d->bound, d->count * sizeof *bound);
    for (unsigned b = 0; b < count; b++)
        bound[d->count + b] = (struct affine_bound){
            span[b].variable, expr_rewrite(d->equal, span[b].first),
            region_sum(pool, expr_rewrite(d->equal, span[b].end), expr_integer(pool, 1), -1)};
    uintptr_t inside = INSIDE_KNOWN;
    for (unsigned k = 0; k < load->count; k++)
        inside |= (uintptr_t)(stays_inside(d, load, k, d->count, bound) ||
                              stays_inside(d, load, k, d->count + count, bound))
                  << k;
    const uintptr_t known = (uintptr_t)hash_map_find(&d->inside, load);
    hash_map_put(scratch, &d->inside, load, (void *)(known ? known & inside : inside));
}

static void note_reads(const struct expr *root, void *user)
{
    struct dropping *d = user;
    reads_visit(d->context->pool, d->context->scratch, root, 0, NULL, note_read, d);
}

static const struct expr *drop(const struct expr *node, void *user)
{
    const struct dropping *d = user;
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    const uintptr_t inside = (uintptr_t)hash_map_find(&d->inside, d->rewriter->original);
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < node->count; k++)
        border[k] = inside >> k & 1 ? (struct border){0} : node->as.load.border[k];
    return expr_load(d->context->pool, node->as.load.source, node->scalar, node->interval,
                     node->count, node->operand, border);
}

/* The stage without rules that are not needed over the box of its axes. id: that its own reads
 * name. */
static struct stage without_rules(const struct graph *in, struct pass_context *context,
                                  struct expr_rewriter *equal, const struct stage *stage,
                                  uint32_t id)
{
    struct dropping d = {
        .in = in, .context = context, .stage = id, .count = stage->rank, .equal = equal};
    struct stage alone = *stage;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        const struct expr *last =
            region_sum(context->pool,
                       region_sum(context->pool, axis->computed_first, axis->computed_extent, 1),
                       expr_integer(context->pool, 1), -1);
        d.bound[k] = (struct affine_bound){
            axis->variable, expr_rewrite(equal, axis->computed_first), expr_rewrite(equal, last)};
    }
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = drop, .context = &d, .scratch = context->scratch};
    d.rewriter = &rewriter;
    if (stage->kind == STAGE_SCATTER) /* its steps have axes of their own */
        alone.kind = STAGE_MAP;
    stage_expressions(&alone, note_reads, &d);
    struct stage out = stage_rewrite(context->output, &alone, &rewriter);
    out.kind = stage->kind;
    if (stage->kind == STAGE_SCATTER) {
        const struct stage steps = without_rules(in, context, equal, stage->as.scatter.steps, id);
        out.as.scatter.steps = arena_copy(context->output, &steps, sizeof steps);
    }
    return out;
}

const struct graph *drop_border_rules(const struct graph *in, struct pass_context *context)
{
    struct graph *out = graph_copy_without_stages(context->output, in);
    struct expr_rewriter equal = equal_extents(in, context->pool, context->scratch);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        graph_add_stage(context->output, out,
                        without_rules(in, context, &equal, stage, stage->id.index));
    }
    return out;
}
