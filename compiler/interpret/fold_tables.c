/* Tables of constants, evaluated by the oracle, so that no bit differs. */
#include "interpret/fold_tables.h"
#include "interpret/interpret.h"

enum { MOST_SAMPLES = 1 << 16, MOST_WORK = 1 << 23 };

struct folding {
    const struct graph *in;
    struct pass_context *context;
    struct graph *out;
    bool *fixed;             /* by stage: depends on constants alone, and is worth evaluating now */
    bool *needed;            /* by stage: of the graph that comes out */
    uint32_t *new_id;        /* by stage: its new id */
    struct samples *samples; /* by stage: of tables that are fixed */
};

/* ---- What is fixed ---- */

struct look {
    struct folding *f;
    uint32_t stage;
    bool fixed;
    int64_t terms; /* of all reductions, multiplied */
};

static void look_at(const struct expr *node, void *user)
{
    struct look *look = user;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind != VARIABLE_INDEX)
        look->fixed = false;
    if (node->kind == EXPR_EXTERNAL) /* which is there only when it runs */
        look->fixed = false;
    if (node->kind == EXPR_LOAD && node->as.load.source != look->stage &&
        !look->f->fixed[node->as.load.source])
        look->fixed = false;
    if (node->kind == EXPR_REDUCE && look->terms < MOST_WORK)
        look->terms *= 1 + expr_reduction_terms(&node->as.reduce);
}

static bool is_fixed(struct folding *f, const struct stage *stage)
{
    struct look look = {f, stage->id.index, true, 1};
    int64_t samples = 1;
    if (stage->kind == STAGE_CONSTANT)
        return true;
    if (!stage_is_its_value(stage))
        return false;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        if (axis->computed_first->kind != EXPR_INTEGER ||
            axis->computed_extent->kind != EXPR_INTEGER || axis->first != axis->computed_first ||
            axis->extent != axis->computed_extent || axis->extent->as.integer < 1 ||
            axis->extent->as.integer > MOST_SAMPLES / samples)
            return false;
        samples *= axis->extent->as.integer;
    }
    stage_nodes(stage, f->context->scratch, look_at, &look);
    return look.fixed && samples <= MOST_WORK / look.terms;
}

/* ---- Evaluation ---- */

static void want_load(const struct expr *node, void *user)
{
    bool *wanted = user;
    if (node->kind == EXPR_LOAD)
        wanted[node->as.load.source] = true;
}

/* By stage: tables, and what they are made of. */
static const bool *find_wanted(const struct folding *f)
{
    const size_t count = f->in->stages.count;
    bool *wanted = ARENA_ARRAY(f->context->scratch, bool, count + 1);
    for (size_t i = count; i-- > 0;) {
        const struct stage *stage = f->in->stages.item[i];
        wanted[i] = f->fixed[i] && (wanted[i] || stage->kind == STAGE_TABLE);
        if (wanted[i])
            stage_nodes(stage, f->context->scratch, want_load, wanted);
    }
    return wanted;
}

/* The tables that are fixed, as outputs, and what they are made of. */
static bool evaluate(struct folding *f)
{
    const bool *wanted = find_wanted(f);
    struct arena *scratch = f->context->scratch;
    struct graph fixed = {.name = f->in->name, .text = ""};
    struct renumbering renumbering = {f->context->pool, f->new_id};
    VECTOR(uint32_t) tables = {0};
    for (size_t i = 0; i < f->in->stages.count; i++) {
        const struct stage *stage = f->in->stages.item[i];
        if (!wanted[i])
            continue;
        f->new_id[i] = (uint32_t)fixed.stages.count;
        struct expr_rewriter rewriter = {.pool = f->context->pool,
                                         .rule = graph_renumber_read,
                                         .context = &renumbering,
                                         .scratch = scratch};
        struct stage alone = stage_rewrite(scratch, stage, &rewriter);
        alone.repeat = 0;
        const stage_id id = graph_add_stage(scratch, &fixed, alone);
        if (stage->kind != STAGE_TABLE)
            continue;
        VECTOR_PUSH(scratch, &tables, (uint32_t)i);
        VECTOR_PUSH(scratch, &fixed.outputs, (struct graph_output){id, stage->name, NULL});
    }
    if (tables.count == 0)
        return false;
    struct samples *outputs = ARENA_ARRAY(scratch, struct samples, tables.count);
    struct interpretation run = {.session = f->context->session, .outputs = outputs};
    if (!interpret_graph(&fixed, &run))
        return false;
    for (size_t t = 0; t < tables.count; t++)
        f->samples[tables.item[t]] = outputs[t];
    return true;
}

/* The stage with the samples that were found as its values. */
static struct stage constant_stage(struct folding *f, const struct stage *table)
{
    const struct samples *samples = &f->samples[table->id.index];
    const size_t count = samples_count(samples);
    const struct expr **value = ARENA_ARRAY(f->context->output, const struct expr *, count + 1);
    int64_t index[GRAPH_MAX_RANK];
    memcpy(index, samples->first, sizeof index);
    for (size_t i = 0; i < count; i++) {
        value[i] = expr_constant(f->context->pool, table->element, samples_read(samples, index));
        for (unsigned k = table->rank; k-- > 0;) {
            if (++index[k] < samples->first[k] + samples->extent[k])
                break;
            index[k] = samples->first[k];
        }
    }
    struct stage stage = *table;
    decline_all(f->context, table, "it is known when the filter is compiled");
    stage.kind = STAGE_CONSTANT;
    stage.value = NULL;
    stage.binding_count = 0;
    stage.schedule = NULL; /* nothing is left to compute */
    stage.as.constant.value = value;
    stage.as.constant.count = count;
    return stage;
}

/* ---- The graph ---- */

static void need_load(const struct expr *node, void *user)
{
    struct folding *f = user;
    if (node->kind == EXPR_LOAD)
        f->needed[node->as.load.source] = true;
}

static bool is_table(const struct folding *f, size_t stage)
{
    return f->samples[stage].data != NULL;
}

static void find_needed(struct folding *f)
{
    for (size_t i = 0; i < f->in->stages.count; i++) /* others stay, whoever reads them */
        f->needed[i] = !f->fixed[i] || f->in->stages.item[i]->kind == STAGE_CONSTANT;
    for (size_t i = 0; i < f->in->outputs.count; i++)
        f->needed[f->in->outputs.item[i].stage.index] = true;
    for (size_t i = f->in->stages.count; i-- > 0;) {
        const struct stage *stage = f->in->stages.item[i];
        if (f->needed[i] && stage->kind == STAGE_CARRIED)
            f->needed[stage->as.carried.initial.index] = f->needed[stage->as.carried.next.index] =
                true;
        if (f->needed[i] && !is_table(f, i))
            stage_nodes(stage, f->context->scratch, need_load, f);
    }
}

/* A read of a constant stage at a place that is known becomes its value. */
static const struct expr *replace_load(const struct expr *node, void *user)
{
    const struct folding *f = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const uint32_t source = f->new_id[node->as.load.source];
    const bool own = source == f->out->stages.count;
    const struct expr *value = own ? NULL : stage_constant_at(f->out->stages.item[source], node);
    return value ? value
                 : graph_renumber_read(node, &(struct renumbering){f->context->pool, f->new_id});
}

static void copy_stages(struct folding *f)
{
    struct arena *output = f->context->output;
    for (size_t i = 0; i < f->in->stages.count; i++) {
        const struct stage *stage = f->in->stages.item[i];
        if (!f->needed[i])
            continue;
        f->new_id[i] = (uint32_t)f->out->stages.count;
        struct expr_rewriter rewriter = {.pool = f->context->pool,
                                         .rule = replace_load,
                                         .context = f,
                                         .scratch = f->context->scratch};
        graph_add_stage(output, f->out,
                        is_table(f, i) ? constant_stage(f, stage)
                                       : stage_rewrite(output, stage, &rewriter));
    }
    graph_renumber(output, f->out, f->new_id);
}

const struct graph *fold_tables(const struct graph *in, struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const size_t count = in->stages.count + 1;
    struct folding f = {.in = in,
                        .context = context,
                        .out = graph_copy_without_stages(context->output, in),
                        .fixed = ARENA_ARRAY(scratch, bool, count),
                        .needed = ARENA_ARRAY(scratch, bool, count),
                        .new_id = ARENA_ARRAY(scratch, uint32_t, count),
                        .samples = ARENA_ARRAY(scratch, struct samples, count)};
    for (size_t i = 0; i < in->stages.count; i++)
        f.fixed[i] = is_fixed(&f, in->stages.item[i]);
    for (size_t i = 0; i < in->outputs.count; i++) /* a result is computed */
        f.fixed[in->outputs.item[i].stage.index] = false;
    for (size_t i = 0; i < in->stages.count; i++) /* and so is what is carried */
        if (in->stages.item[i]->kind == STAGE_CARRIED)
            f.fixed[in->stages.item[i]->as.carried.next.index] = false;
    if (!evaluate(&f))
        return in;
    find_needed(&f);
    copy_stages(&f);
    for (size_t i = 0; i < in->stages.count; i++)
        samples_free(&f.samples[i]);
    return f.out;
}
