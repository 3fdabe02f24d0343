/* simplify_graph: graph → graph. Drops stages that no output depends on, and stages equal to an
 * earlier one.
 *   before: a = in[y, x] + 1   b = in[y, x] + 1   c = 2 * in[y, x]   out = a[y, x] + b[y, x]
 *   after:  a = in[y, x] + 1   out = a[y, x] + a[y, x]
 * Readers of a copy, copy[y, x] = in[y, x], read the original. A state whose rounded samples
 * nothing reads gets the name of the stage whose state it is. Inputs are kept. Afterwards: each
 * stage is an output or read by a later stage. */
#include "graph_pass.h"

struct simplification {
    const struct graph *in;
    struct graph *out;
    struct pass_context *context;
    uint32_t *new_id;   /* by old id: new id */
    const bool *needed; /* by old id */
    bool *extended;     /* by old id: a reader computes it further out */
    /* by old id: of a state, what rounds it, if nothing reads that */
    const struct stage **rounding;
};

static void note_extension(const struct expr *node, void *user)
{
    bool *extended = user;
    for (unsigned k = 0; node->kind == EXPR_LOAD && node->as.load.border && k < node->count; k++)
        if (node->as.load.border[k].rule == BORDER_EXTEND)
            extended[node->as.load.source] = true;
}

static void find_extended(struct simplification *s)
{
    for (size_t i = 0; i < s->in->stages.count; i++)
        if (s->needed[i])
            stage_nodes(s->in->stages.item[i], s->context->scratch, note_extension, s->extended);
}

static bool same_box(const struct stage *a, const struct stage *b)
{
    bool same = a->rank == b->rank;
    for (unsigned k = 0; k < a->rank && same; k++)
        same = a->axis[k].first == b->axis[k].first && a->axis[k].extent == b->axis[k].extent;
    return same;
}

static bool same_stage(const struct stage *a, const struct stage *b)
{
    if (a->kind != STAGE_MAP || b->kind != STAGE_MAP || stage_says_any(b) ||
        a->element != b->element || a->value != b->value || !same_box(a, b))
        return false;
    for (unsigned k = 0; k < a->rank; k++)
        if (a->axis[k].variable != b->axis[k].variable)
            return false;
    return true;
}

static const struct expr *without_rounding(const struct expr *value)
{
    return value->kind == EXPR_CONVERT ? value->operand[0] : value;
}

/* The linear recurrence that the definition of a stage is carried by; NULL: none. */
static const struct stage *state_of(const struct graph *graph, const struct stage *stage)
{
    const struct expr *load = stage->kind == STAGE_MAP ? without_rounding(stage->value) : NULL;
    if (!load || load->kind != EXPR_LOAD)
        return NULL;
    const struct stage *state = graph->stages.item[load->as.load.source];
    return state->kind == STAGE_RECURRENCE && state->span.start == stage->span.start &&
                   state->span.end == stage->span.end
               ? state
               : NULL;
}

static void find_roundings(struct simplification *s)
{
    for (size_t i = 0; i < s->in->stages.count; i++) {
        const struct stage *state = s->needed[i] ? NULL : state_of(s->in, s->in->stages.item[i]);
        if (state && s->needed[state->id.index] && !state->schedule)
            s->rounding[state->id.index] = s->in->stages.item[i];
    }
}

/* What is left of a stage: itself, or the state that is called so instead of it; NULL: nothing. */
static const struct stage *rest_of(const struct simplification *s, stage_id id)
{
    const struct stage *stage = s->in->stages.item[id.index];
    const struct stage *state = s->needed[id.index] ? NULL : state_of(s->in, stage);
    return s->needed[id.index]                              ? stage
           : state && s->rounding[state->id.index] == stage ? state
                                                            : NULL;
}

/* The stage by the name, and with the schedule, that it has afterwards. */
static struct stage named_stage(const struct simplification *s, size_t i)
{
    struct stage stage = *s->in->stages.item[i];
    if (s->rounding[i]) {
        stage.name = s->rounding[i]->name;
        stage.schedule = s->rounding[i]->schedule;
        stage.details = s->rounding[i]->details;
    }
    return stage;
}

/* Stages that the program wants tiles of. */
static bool *find_sinks(const struct simplification *s)
{
    bool *sink = ARENA_ARRAY(s->context->scratch, bool, s->in->stages.count + 1);
    for (size_t i = 0; i < s->in->stages.count; i++) {
        const struct stage stage = named_stage(s, i);
        const struct stage *of =
            s->needed[i] && stage_follows(&stage) ? rest_of(s, stage.schedule->at) : NULL;
        if (of)
            sink[of->id.index] = true;
    }
    return sink;
}

/* For a stage whose tiles will not be. */
static const struct schedule *in_memory(const struct simplification *s, const struct stage *stage)
{
    struct schedule schedule = *stage->schedule;
    schedule.placement = PLACED_ROOT;
    return arena_copy(s->context->output, &schedule, sizeof schedule);
}

/* The stage that this one repeats, sample by sample: inside their box, where no rule is needed. */
static const struct stage *find_original(const struct graph *graph, const struct stage *stage)
{
    const struct expr *value = stage->value;
    const bool placed =
        (stage->schedule && stage->schedule->placement != PLACED_INLINE) || stage_says_any(stage);
    if (stage->kind != STAGE_MAP || value->kind != EXPR_LOAD || placed ||
        value->as.load.source >= graph->stages.count)
        return NULL;
    const struct stage *original = graph->stages.item[value->as.load.source];
    bool same = original->kind != STAGE_CARRIED && original->element == stage->element &&
                original->repeat == stage->repeat && same_box(original, stage);
    for (unsigned k = 0; k < stage->rank && same; k++)
        same = value->operand[k] == stage->axis[k].variable &&
               (!value->as.load.border || value->as.load.border[k].rule != BORDER_EXTEND);
    return same ? original : NULL;
}

/* An earlier stage with the same samples, known by its value. */
static const struct stage *find_twin(const struct graph *graph, const struct hash_map *by_value,
                                     const struct stage *stage)
{
    const struct stage *twin = stage_computes(stage) ? hash_map_find(by_value, stage->value) : NULL;
    /* A stage of a repeat is not there after it. */
    return twin && same_stage(twin, stage) && repeat_is_inside(graph, stage->repeat, twin->repeat)
               ? twin
               : NULL;
}

const struct graph *simplify_graph(const struct graph *in, struct pass_context *context)
{
    struct simplification s = {
        in,
        graph_copy_without_stages(context->output, in),
        context,
        ARENA_ARRAY(context->scratch, uint32_t, in->stages.count + 1),
        graph_needed(context->scratch, in),
        ARENA_ARRAY(context->scratch, bool, in->stages.count + 1),
        ARENA_ARRAY(context->scratch, const struct stage *, in->stages.count + 1)};
    struct hash_map by_value = {0};
    find_extended(&s);
    find_roundings(&s);
    const bool *sink = find_sinks(&s);
    struct renumbering renumbering = {context->pool, s.new_id};
    for (size_t i = 0; i < in->stages.count; i++) {
        if (!s.needed[i])
            continue;
        struct stage stage = named_stage(&s, i);
        s.new_id[i] = (uint32_t)s.out->stages.count; /* a recurrence reads itself */
        if (stage_follows(&stage) && !rest_of(&s, stage.schedule->at)) {
            decline(context, &stage, REMARK_PLACE, "nothing reads that one");
            stage.schedule = in_memory(&s, &stage);
        }
        if (stage_computes(&stage)) {
            struct expr_rewriter rewriter = {.pool = context->pool,
                                             .rule = graph_renumber_read,
                                             .context = &renumbering,
                                             .scratch = context->scratch};
            stage.value = expr_rewrite(&rewriter, stage.value);
            struct stage_binding *binding =
                ARENA_ARRAY(context->output, struct stage_binding, stage.binding_count + 1);
            size_t kept = 0;
            for (size_t b = 0; b < stage.binding_count; b++) {
                const struct stage_binding old = stage.binding[b];
                /* A name whose value is not used may read a stage that is gone. */
                if (hash_map_find(&rewriter.done, old.value) || stage_needs_bindings(&stage))
                    binding[kept++] =
                        (struct stage_binding){old.name, expr_rewrite(&rewriter, old.value)};
            }
            stage.binding = binding;
            stage.binding_count = kept;
            if (stage_imaginary(&stage))
                stage.as.transform.imaginary = expr_rewrite(&rewriter, stage_imaginary(&stage));
            if (stage.kind == STAGE_SCATTER) {
                const struct stage steps =
                    stage_rewrite(context->output, stage.as.scatter.steps, &rewriter);
                stage.as.scatter.steps = arena_copy(context->output, &steps, sizeof steps);
            }
        }
        const bool is_result =
            graph_output_of(in, in->stages.item[i]->id) != NULL || (sink[i] && s.needed[i]);
        const struct stage *twin = is_result || s.extended[i] ? NULL : find_original(s.out, &stage);
        if (!twin && !is_result)
            twin = find_twin(in, &by_value, &stage);
        if (twin) {
            s.new_id[i] = twin->id.index;
            continue;
        }
        s.new_id[i] = graph_add_stage(context->output, s.out, stage).index;
        if (s.rounding[i])
            s.new_id[s.rounding[i]->id.index] = s.new_id[i];
        if (stage_computes(&stage) && !hash_map_find(&by_value, stage.value))
            hash_map_put(context->scratch, &by_value, stage.value, s.out->stages.item[s.new_id[i]]);
    }
    graph_renumber(context->output, s.out, s.new_id);
    return s.out;
}
