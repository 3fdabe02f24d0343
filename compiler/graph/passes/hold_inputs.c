/* hold_inputs: graph → graph. Clamps samples of an input whose type has fewer bits than its memory,
 * which may contain any number. The oracle clamps in the same way.
 *   before: in : u16 0 .. 4095           out[y, x] = in[y, x]
 *   after:  in : u16                     out[y, x] = min(max(in[y, x], 0), 4095)
 * A copy is made for a repeat, which begins with the whole image, and for reads under a rule whose
 * value is outside the type, because that value is not clamped:
 *   before: w : carried initial in       after: in.held[y, x] = min(max(in[y, x], 0), 4095)
 *                                               w : carried initial in.held
 * Afterwards: the interval of an input is that of its element type. */
#include "graph/rebuild.h"

static bool is_held(const struct stage *stage)
{
    return stage->kind == STAGE_INPUT && scalar_is_integer(stage->element) &&
           !interval_inside(scalar_info[stage->element].interval, stage->interval);
}

struct holding {
    struct rebuild r;
    bool *copied;   /* by old id: a copy of the input is needed */
    uint32_t *copy; /* by old id: the stage with the samples as they are read */
};

/* Whether its interval holds a border value that the type does not. */
static bool reads_copy(const struct stage *input, const struct expr *load)
{
    return is_held(input) && !interval_inside(load->interval, input->interval);
}

static const struct expr *clamped(struct expr_pool *pool, const struct expr *value,
                                  struct interval within)
{
    return expr_binary(pool, EXPR_MINIMUM,
                       expr_binary(pool, EXPR_MAXIMUM, value, expr_integer(pool, within.least)),
                       expr_integer(pool, within.greatest));
}

/* A rule of rewriting: reads name the new stages, and those of an input are clamped. */
static const struct expr *hold(const struct expr *node, void *user)
{
    const struct holding *h = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const uint32_t source = node->as.load.source;
    const struct stage *stage = h->r.in->stages.item[source];
    const bool clamps = is_held(stage) && !reads_copy(stage, node);
    const struct interval interval = clamps ? scalar_info[stage->element].interval : node->interval;
    const struct expr *load =
        expr_load(h->r.context->pool, clamps ? h->r.new_id[source] : h->copy[source], node->scalar,
                  interval, node->count, node->operand, node->as.load.border);
    return clamps ? clamped(h->r.context->pool, load, node->interval) : load;
}

static struct stage held_stage(const struct holding *h, const struct stage *stage)
{
    struct expr_rewriter rewriter = {.pool = h->r.context->pool,
                                     .rule = hold,
                                     .context = (void *)h,
                                     .scratch = h->r.context->scratch};
    return stage_rewrite(h->r.context->output, stage, &rewriter);
}

/* An image of the input's samples as they are read. */
static struct stage copy_of(const struct holding *h, const struct stage *input)
{
    struct pass_context *context = h->r.context;
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < input->rank; k++)
        index[k] = input->axis[k].variable;
    struct stage copy = *input;
    copy.kind = STAGE_MAP;
    copy.name = symbol_format(&context->session->symbols, "%s.held", input->name->text);
    copy.is_made = true;
    copy.value = expr_load(context->pool, input->id.index, input->element, input->interval,
                           input->rank, index, NULL);
    return held_stage(h, &copy);
}

static void note_copied(const struct expr *node, void *user)
{
    struct holding *h = user;
    if (node->kind == EXPR_LOAD && reads_copy(h->r.in->stages.item[node->as.load.source], node))
        h->copied[node->as.load.source] = true;
}

static void find_copied(struct holding *h)
{
    const struct graph *in = h->r.in;
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        h->copied[i] = h->copied[i] || (is_held(stage) && stage_is_carried(in, stage));
        stage_nodes(stage, h->r.context->scratch, note_copied, h);
    }
}

static bool has_held(const struct graph *in)
{
    bool any = false;
    for (size_t i = 0; i < in->stages.count; i++)
        any = any || is_held(in->stages.item[i]);
    return any;
}

const struct graph *hold_inputs(const struct graph *in, struct pass_context *context)
{
    if (!has_held(in))
        return in;
    const size_t count = in->stages.count;
    struct holding h = {rebuild_begin(in, context), ARENA_ARRAY(context->scratch, bool, count + 1),
                        ARENA_ARRAY(context->scratch, uint32_t, count + 1)};
    find_copied(&h);
    for (size_t i = 0; i < count; i++) {
        const struct stage *old = in->stages.item[i];
        h.r.new_id[i] = h.copy[i] = (uint32_t)h.r.out->stages.count; /* a recurrence reads itself */
        struct stage stage = held_stage(&h, old);
        if (is_held(old))
            stage.interval = scalar_info[old->element].interval;
        rebuild_add(&h.r, stage);
        if (h.copied[i])
            h.copy[i] = rebuild_add(&h.r, copy_of(&h, old)).index;
    }
    graph_renumber(context->output, h.r.out, h.copy);
    return h.r.out;
}
