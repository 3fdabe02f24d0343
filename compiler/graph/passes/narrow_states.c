/* narrow_states: graph → graph. Carries a linear recurrence of f32 in f32 if its rounding errors
 * hardly grow, otherwise in f64.
 *   before: up.state[y, x] = fma(a, up.state[y + 1, x], b * in[y, x]) in f64   up[y, x] = f32(up.state[y, x])
 *   after:  up[y, x] = fma(a, up[y + 1, x], b * in[y, x]) in f32
 * The error of one sample grows by at most the sum of the magnitudes of the feedback's impulse
 * response. If that is more than MOST_GROWTH, the state stays in f64. The program's stage stays,
 * as a copy, if it is a result, or if a border rule depends on its box and the state has another
 * box. */
#include "graph_pass.h"
#include "graph/recurrence/feedback.h"
#include "graph/readers.h"

#define MOST_GROWTH 4.0

struct narrowing {
    const struct graph *in;
    struct pass_context *context;
    struct expr_pool *pool;
    const struct stage_readers *readers;
    bool *narrow;                 /* by stage: it becomes f32 */
    const struct stage **rounded; /* by stage: what takes its place as the program's, or NULL */
    bool *gone;                   /* by stage: another one takes its place */
    uint32_t *new_id;             /* by stage: its new number */
    struct expr_rewriter moving;  /* reads → those of the new graph */
    struct hash_map done;         /* f64 → the same in f32, of the stage at hand */
};

/* ---- Which ---- */

struct use_search {
    uint32_t source;
    bool wide; /* a use that is not rounded to f32 */
};

static bool is_load_of(const struct expr *node, uint32_t source)
{
    return node->kind == EXPR_LOAD && node->as.load.source == source;
}

static void note_use(const struct expr *node, void *user)
{
    struct use_search *search = user;
    const bool rounds = node->kind == EXPR_CONVERT && node->scalar == SCALAR_F32;
    for (unsigned i = 0; i < node->count && !rounds; i++)
        search->wide = search->wide || is_load_of(node->operand[i], search->source);
    for (unsigned i = 0; node->kind == EXPR_LOAD && node->as.load.border && i < node->count; i++)
        search->wide = search->wide || (node->as.load.border[i].value &&
                                        is_load_of(node->as.load.border[i].value, search->source));
}

/* Whether it reads the state where more than f32 is wanted. */
static bool reads_wide(const struct narrowing *n, const struct stage *reader,
                       const struct stage *state)
{
    struct use_search search = {state->id.index, is_load_of(reader->value, state->id.index)};
    stage_nodes(reader, n->context->scratch, note_use, &search);
    return search.wide;
}

static bool is_rounding(const struct stage *stage, const struct stage *state);

/* Bits of what carries the state, as the schedule says of it or of what rounds it; 0: it does
 * not. */
static int64_t said_bits(const struct narrowing *n, const struct stage *state)
{
    const struct stage_readers *of = &n->readers[state->id.index];
    const struct detail *said = stage_says(state, DETAIL_CARRY);
    for (size_t r = 0; r < of->stages.count && !said; r++)
        if (is_rounding(of->stages.item[r], state))
            said = stage_says(of->stages.item[r], DETAIL_CARRY);
    return said ? said->value[0] : 0;
}

/* Why the stage keeps its state in f64, whatever reads it; NULL: it need not. */
static const char *reason_of_wide(const struct narrowing *n, const struct stage *stage)
{
    struct feedback feedback;
    return stage->kind != STAGE_RECURRENCE || !stage->as.recurrence.narrow ||
                   stage->element != SCALAR_F64 || graph_output_of(n->in, stage->id)
               ? "it is no recurrence of f32"
           : said_bits(n, stage) == 64 ? "its schedule wants f64"
           : !feedback_of(n->in, n->pool, n->context->scratch, stage, &feedback)
               ? "it is no linear recurrence with constant coefficients"
           : feedback_amplification(&feedback) > MOST_GROWTH
               ? arena_format(n->context->scratch,
                              "its rounding errors would grow more than %g times in f32",
                              MOST_GROWTH)
               : NULL;
}

/* Whether all that read it, of what is left, do so in f32. */
static bool is_read_narrow(const struct narrowing *n, const struct stage *state)
{
    const struct stage_readers *of = &n->readers[state->id.index];
    for (size_t r = 0; r < of->stages.count; r++) {
        const struct stage *reader = of->stages.item[r];
        if (!n->narrow[reader->id.index] && reads_wide(n, reader, state))
            return false;
    }
    return true;
}

static bool find_narrow(struct narrowing *n)
{
    bool changed = true, any = false;
    for (size_t i = 0; i < n->in->stages.count; i++)
        n->narrow[i] = !reason_of_wide(n, n->in->stages.item[i]);
    while (changed) {
        changed = any = false;
        for (size_t i = 0; i < n->in->stages.count; i++) {
            const bool stays = n->narrow[i] && is_read_narrow(n, n->in->stages.item[i]);
            changed = changed || stays != n->narrow[i];
            n->narrow[i] = stays;
            any = any || stays;
        }
    }
    return any;
}

/* ---- What takes whose place ---- */

static bool is_rounding(const struct stage *stage, const struct stage *state)
{
    if (stage->kind != STAGE_MAP || stage->element != SCALAR_F32 || stage->rank != state->rank ||
        stage->value->kind != EXPR_CONVERT || stage->repeat != state->repeat ||
        !is_load_of(stage->value->operand[0], state->id.index))
        return false;
    const struct expr *load = stage->value->operand[0];
    for (unsigned k = 0; k < stage->rank; k++) {
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        if (load->operand[k] != stage->axis[k].variable ||
            (rule != BORDER_NONE && rule != BORDER_EXTEND))
            return false;
    }
    return true;
}

struct rule_search {
    const struct stage *rounding, *state;
    bool sees; /* a rule sees a box of the one that the other has not */
};

static void note_rule(const struct expr *node, void *user)
{
    struct rule_search *search = user;
    for (unsigned k = 0;
         is_load_of(node, search->rounding->id.index) && node->as.load.border && k < node->count;
         k++) {
        const enum border_rule rule = node->as.load.border[k].rule;
        const struct stage_axis *a = &search->rounding->axis[k], *b = &search->state->axis[k];
        search->sees = search->sees || (rule != BORDER_NONE && rule != BORDER_EXTEND &&
                                        (a->first != b->first || a->extent != b->extent));
    }
}

/* Whether what reads the rounding may read the state. */
static bool may_replace(const struct narrowing *n, const struct stage *rounding,
                        const struct stage *state)
{
    const struct stage_readers *of = &n->readers[rounding->id.index];
    struct rule_search search = {rounding, state, false};
    for (size_t r = 0; r < of->stages.count; r++)
        stage_nodes(of->stages.item[r], n->context->scratch, note_rule, &search);
    return is_rounding(rounding, state) && !search.sees && !state->schedule &&
           !stage_has_others(n->in, state) && !graph_output_of(n->in, rounding->id) &&
           !stage_is_carried(n->in, rounding);
}

/* Nothing is stored twice: the state is what the program calls so. */
static void find_rounded(struct narrowing *n)
{
    for (size_t i = 0; i < n->in->stages.count; i++) {
        const struct stage_readers *of = &n->readers[i];
        for (size_t r = 0; r < of->stages.count && n->narrow[i] && !n->rounded[i]; r++) {
            const struct stage *reader = of->stages.item[r];
            if (!may_replace(n, reader, n->in->stages.item[i]))
                continue;
            n->rounded[i] = reader;
            n->gone[reader->id.index] = true;
        }
    }
}

/* ---- Values ---- */

/* A read of a stage that became f32; value: of a rule's value, in f32. */
static const struct expr *load_narrow(const struct narrowing *n, const struct expr *load,
                                      const struct expr *const index[],
                                      const struct expr *const value[])
{
    struct border border[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; load->as.load.border && k < load->count; k++) {
        border[k] = load->as.load.border[k];
        border[k].value = value[k];
    }
    return expr_load(n->pool, n->new_id[load->as.load.source], SCALAR_F32, load->interval,
                     load->count, index, load->as.load.border ? border : NULL);
}

/* Reads name the new stages; of those that became f32 they are widened, and so are the values of
 * their rules rounded. */
static const struct expr *move_read(const struct expr *node, void *user)
{
    const struct narrowing *n = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const uint32_t source = node->as.load.source;
    if (!n->narrow[source])
        return expr_load(n->pool, n->new_id[source], node->scalar, node->interval, node->count,
                         node->operand, node->as.load.border);
    const struct expr *value[GRAPH_MAX_RANK] = {NULL};
    for (unsigned k = 0; node->as.load.border && k < node->count; k++)
        if (node->as.load.border[k].value)
            value[k] =
                expr_convert(n->pool, CONVERT_EXACT, SCALAR_F32, node->as.load.border[k].value);
    return expr_convert(n->pool, CONVERT_EXACT, SCALAR_F64,
                        load_narrow(n, node, node->operand, value));
}

static const struct expr *moved(struct narrowing *n, const struct expr *value)
{
    return expr_rewrite(&n->moving, value);
}

static const struct expr *narrowed(struct narrowing *n, const struct expr *value);

/* The load with its rule's values in f32. */
static const struct expr *narrowed_load(struct narrowing *n, const struct expr *load)
{
    const struct expr *index[GRAPH_MAX_RANK], *value[GRAPH_MAX_RANK] = {NULL};
    for (unsigned k = 0; k < load->count; k++) {
        index[k] = moved(n, load->operand[k]);
        if (load->as.load.border && load->as.load.border[k].value)
            value[k] = narrowed(n, load->as.load.border[k].value);
    }
    return load_narrow(n, load, index, value);
}

/* A sum of products of wide samples. */
static bool is_wide_sum(const struct narrowing *n, const struct expr *value)
{
    bool wide = false;
    for (unsigned i = 0; i < 2 && value->kind == EXPR_FUSED; i++)
        wide = wide || (value->operand[i]->kind == EXPR_LOAD && value->operand[i]->count > 0 &&
                        !n->narrow[value->operand[i]->as.load.source]);
    return wide;
}

/* Products are rounded one by one. A sum stays wide, and is rounded once, but for those of the
 * recurrence itself. */
static const struct expr *narrowed_operation(struct narrowing *n, const struct expr *value)
{
    enum { EXACT_IN_F32 = 1 << 24 };
    const struct expr *operand[3];
    const struct expr *of = value->count ? value->operand[0] : NULL;
    switch (is_wide_sum(n, value) ? EXPR_ADD : value->kind) {
    case EXPR_LOAD:
        if (n->narrow[value->as.load.source])
            return narrowed_load(n, value);
        break;
    case EXPR_CONVERT:
        if (of->scalar == SCALAR_F32)
            return narrowed(n, of);
        if (scalar_is_integer(of->scalar) && of->interval.least >= -EXACT_IN_F32 &&
            of->interval.greatest <= EXACT_IN_F32)
            return expr_convert(n->pool, CONVERT_EXACT, SCALAR_F32, moved(n, of));
        break;
    case EXPR_NEGATE:
    case EXPR_MULTIPLY:
    case EXPR_FUSED:
        for (unsigned i = 0; i < value->count; i++)
            operand[i] = narrowed(n, value->operand[i]);
        return value->kind == EXPR_FUSED ? expr_operation(n->pool, EXPR_FUSED, 3, operand)
               : value->count == 1       ? expr_unary(n->pool, value->kind, operand[0])
                                   : expr_binary(n->pool, value->kind, operand[0], operand[1]);
    default:
        break;
    }
    return expr_convert(n->pool, CONVERT_EXACT, SCALAR_F32, moved(n, value));
}

static const struct expr *narrowed(struct narrowing *n, const struct expr *value)
{
    if (value->scalar != SCALAR_F64)
        return moved(n, value);
    const struct expr *known = hash_map_find(&n->done, value);
    if (known)
        return known;
    const struct expr *result = narrowed_operation(n, value);
    hash_map_put(n->context->scratch, &n->done, value, (void *)(uintptr_t)result);
    return result;
}

/* ---- The graph ---- */

/* The state that a stage is, or is the rounding of; NULL: it is neither. */
static const struct stage *state_of(const struct narrowing *n, const struct stage *stage)
{
    if (stage->kind == STAGE_RECURRENCE && stage->as.recurrence.narrow)
        return stage;
    const struct expr *value = stage->kind == STAGE_MAP ? stage->value : NULL;
    if (!value || value->kind != EXPR_CONVERT || value->operand[0]->kind != EXPR_LOAD)
        return NULL;
    const struct stage *read = n->in->stages.item[value->operand[0]->as.load.source];
    return read->kind == STAGE_RECURRENCE && read->as.recurrence.narrow && is_rounding(stage, read)
               ? read
               : NULL;
}

/* The stage without its `carry` detail, if the pass obeyed it. */
static struct stage with_carry_obeyed(const struct narrowing *n, struct stage made,
                                      const struct stage *stage)
{
    const struct detail *said = stage_says(&made, DETAIL_CARRY);
    const struct stage *state = said ? state_of(n, stage) : NULL;
    if (state && n->narrow[state->id.index] == (said->value[0] == 32))
        made.details = details_without(n->context->output, made.details, DETAIL_CARRY);
    else if (said) {
        const char *reason = state ? reason_of_wide(n, state) : "it is no recurrence of f32";
        decline(n->context, &made, DETAIL_CARRY, "%s",
                reason ? reason : "what reads its state wants more digits");
    }
    return made;
}

static struct stage narrowed_stage(struct narrowing *n, const struct stage *stage)
{
    const struct stage *rounded = n->rounded[stage->id.index];
    struct stage narrow = *stage;
    n->done = (struct hash_map){0};
    narrow.element = SCALAR_F32;
    narrow.as.recurrence.narrow = false;
    narrow.binding_count = 0;
    narrow.value = narrowed(n, stage->value);
    if (!rounded)
        return narrow;
    narrow.name = rounded->name;
    narrow.schedule = rounded->schedule;
    narrow.details = rounded->details;
    return narrow;
}

const struct graph *narrow_states(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct narrowing n = {.in = in,
                          .context = context,
                          .pool = context->pool,
                          .narrow = ARENA_ARRAY(context->scratch, bool, count),
                          .rounded = ARENA_ARRAY(context->scratch, const struct stage *, count),
                          .gone = ARENA_ARRAY(context->scratch, bool, count),
                          .new_id = ARENA_ARRAY(context->scratch, uint32_t, count)};
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || (in->stages.item[i]->kind == STAGE_RECURRENCE &&
                      in->stages.item[i]->as.recurrence.narrow);
    if (!any && !graph_says(in, DETAIL_CARRY))
        return in;
    n.readers = graph_readers(in, context->scratch);
    if (!find_narrow(&n) && !graph_says(in, DETAIL_CARRY))
        return in;
    find_rounded(&n);
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (n.gone[i]) {
            n.new_id[i] = n.new_id[stage->value->operand[0]->as.load.source];
            continue;
        }
        n.moving = (struct expr_rewriter){
            .pool = n.pool, .rule = move_read, .context = &n, .scratch = context->scratch};
        n.new_id[i] = (uint32_t)out->stages.count; /* a recurrence reads itself */
        graph_add_stage(context->output, out,
                        with_carry_obeyed(&n,
                                          n.narrow[i]
                                              ? narrowed_stage(&n, stage)
                                              : stage_rewrite(context->output, stage, &n.moving),
                                          stage));
    }
    graph_renumber(context->output, out, n.new_id);
    return out;
}
