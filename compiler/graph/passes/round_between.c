/* round_between: graph → graph. Between a recurrence of f32 that is carried in f64 and one that
 * runs back over the same lines, samples are stored in f32, as the program declares, because whole
 * lines are in memory.
 *   before: down[y, x] = fma(a, down[y - 1, x], in[y, x]) in f64      up[y, x] = fma(a, up[y + 1, x], down[y, x]) in f64
 *   after:  down[y, x] = … in f64   down.kept[y, x] = f32(down[y, x])   up[y, x] = fma(a, up[y + 1, x], f64(down.kept[y, x]))
 * States outside the lines are still derived from the wider samples. A chain with few lines does
 * not change: it is computed in segments. */
#include "graph_pass.h"
#include "graph/readers.h"

struct keeping {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id; /* by old number: new one */
    uint32_t *kept;   /* by old number: 1 + the new number of what is kept of it; 0: nothing */
    const struct stage *stage; /* at hand */
    struct hash_map outside;   /* reads of the stage at hand that stand in values of rules */
};

/* ---- Which ---- */

/* Whether there are many lines: they lie side by side. */
static bool has_many_lines(const struct stage *stage)
{
    const unsigned along = stage->as.recurrence.axis;
    bool many = false;
    for (unsigned k = 0; k < stage->rank; k++)
        many = many || (k != along && !axis_is_short(&stage->axis[k]));
    return many && !(stage->rank == 2 && along == 1 &&
                     stage->axis[0].computed_extent->kind == EXPR_INTEGER);
}

static bool is_wide_state(const struct stage *stage)
{
    return stage->kind == STAGE_RECURRENCE && stage->as.recurrence.narrow &&
           !stage->as.recurrence.unbounded && stage->element == SCALAR_F64 && has_many_lines(stage);
}

/* Whether the reader runs back over the lines of the other. */
static bool runs_back(const struct stage *reader, const struct stage *stage)
{
    return reader->kind == STAGE_RECURRENCE && reader->rank == stage->rank &&
           reader->repeat == stage->repeat &&
           reader->as.recurrence.axis == stage->as.recurrence.axis &&
           reader->as.recurrence.reversed != stage->as.recurrence.reversed;
}

/* Whether only one that runs back reads it, besides itself and tables of what lies outside. */
static bool is_kept(const struct keeping *k, const struct stage_readers *readers,
                    const struct stage *stage)
{
    const struct stage_readers *of = &readers[stage->id.index];
    bool back = false, other = graph_output_of(k->in, stage->id) != NULL;
    for (size_t r = 0; r < of->stages.count; r++) {
        const struct stage *reader = of->stages.item[r];
        back = back || runs_back(reader, stage);
        other = other || (!runs_back(reader, stage) && reader->kind != STAGE_TABLE &&
                          reader->rank >= stage->rank);
    }
    return back && !other;
}

/* ---- The graph ---- */

static void note_outside(const struct expr *node, void *user)
{
    struct keeping *k = user;
    if (node->kind == EXPR_LOAD)
        hash_map_put(k->context->scratch, &k->outside, node, (void *)(uintptr_t)node);
}

static void note_rules(const struct expr *node, void *user)
{
    struct keeping *k = user;
    struct expr_walk walk = {.scratch = k->context->scratch};
    for (unsigned i = 0; node->kind == EXPR_LOAD && node->as.load.border && i < node->count; i++)
        if (node->as.load.border[i].value)
            expr_visit(&walk, node->as.load.border[i].value, note_outside, k);
}

struct renaming {
    struct keeping *keeping;
    const struct expr_rewriter *rewriter;
};

static const struct expr *rename_read(const struct expr *node, void *user)
{
    const struct renaming *r = user;
    struct keeping *k = r->keeping;
    struct expr_pool *pool = k->context->pool;
    if (node->kind != EXPR_LOAD)
        return node;
    const uint32_t source = node->as.load.source;
    if (!k->kept[source] || source == k->stage->id.index ||
        !runs_back(k->stage, k->in->stages.item[source]) ||
        hash_map_find(&k->outside, r->rewriter->original))
        return graph_renumber_read(node, &(struct renumbering){pool, k->new_id});
    return expr_convert(pool, CONVERT_EXACT, SCALAR_F64,
                        expr_load(pool, k->kept[source] - 1, SCALAR_F32, node->interval,
                                  node->count, node->operand, node->as.load.border));
}

static void add_kept(struct keeping *k, const struct stage *stage)
{
    struct pass_context *context = k->context;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned i = 0; i < stage->rank; i++)
        index[i] = stage->axis[i].variable;
    struct stage kept = *stage;
    kept.kind = STAGE_MAP;
    kept.name = symbol_format(&context->session->symbols, "%s.kept", stage->name->text);
    kept.is_made = true;
    kept.element = SCALAR_F32;
    kept.binding_count = 0;
    kept.schedule = NULL;
    kept.details = NULL;
    kept.value = expr_convert(context->pool, CONVERT_EXACT, SCALAR_F32,
                              expr_load(context->pool, k->new_id[stage->id.index], SCALAR_F64,
                                        stage->interval, stage->rank, index, NULL));
    k->kept[stage->id.index] = 1 + graph_add_stage(context->output, k->out, kept).index;
}

const struct graph *round_between(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || is_wide_state(in->stages.item[i]);
    if (!any)
        return in;
    const struct stage_readers *readers = graph_readers(in, context->scratch);
    struct keeping k = {.in = in,
                        .out = graph_copy_without_stages(context->output, in),
                        .context = context,
                        .new_id = ARENA_ARRAY(context->scratch, uint32_t, count),
                        .kept = ARENA_ARRAY(context->scratch, uint32_t, count)};
    for (size_t i = 0; i < in->stages.count; i++) {
        k.stage = in->stages.item[i];
        k.outside = (struct hash_map){0};
        stage_nodes(k.stage, context->scratch, note_rules, &k);
        struct renaming renaming = {&k, NULL};
        struct expr_rewriter rewriter = {.pool = context->pool,
                                         .rule = rename_read,
                                         .context = &renaming,
                                         .scratch = context->scratch};
        renaming.rewriter = &rewriter;
        k.new_id[i] = (uint32_t)k.out->stages.count; /* a recurrence reads itself */
        graph_add_stage(context->output, k.out, stage_rewrite(context->output, k.stage, &rewriter));
        if (is_wide_state(k.stage) && is_kept(&k, readers, k.stage))
            add_kept(&k, k.stage);
    }
    graph_renumber(context->output, k.out, k.new_id);
    return k.out;
}
