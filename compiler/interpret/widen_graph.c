/* widen_graph: graph → graph. The same program over more exact numbers.
 *   before: out : f32 = sqrt(in[y, x]) + 0.1f      after: out : f64 = sqrt(f64(in[y, x])) + f64(0.1f)
 * Inputs, parameters, constants and entry checks keep their types and values; whatever is computed
 * from them as f32 or f64 is computed and stored in the wide type. Afterwards no stage but an input
 * holds another float type. */
#include "interpret/interpret.h"

struct widening {
    struct expr_pool *pool;
    struct arena *arena;
    enum scalar wide;
    const struct graph *out; /* the stages widened so far */
    const struct expr_rewriter *rewriter;
};

/* In the element type of its source, which may be wider than it was; then in the wide type. Border
 * values are wide by now; those of a source that stays as it was are taken from the original. */
static const struct expr *widen_load(struct widening *w, const struct expr *load)
{
    const uint32_t source = load->as.load.source;
    const enum scalar element =
        source < w->out->stages.count ? w->out->stages.item[source]->element : w->wide;
    const struct border *border = load->as.load.border;
    if (element == load->scalar && border)
        border = w->rewriter->original->as.load.border;
    const struct expr *same =
        expr_load(w->pool, source, element, load->interval, load->count, load->operand, border);
    return expr_convert(w->pool, CONVERT_EXACT, w->wide, same);
}

/* A C function takes and gives the types that it has. */
static const struct expr *widen_external(struct widening *w, const struct expr *call)
{
    const struct external *function = call->as.external;
    const struct expr *argument[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < call->count; i++)
        argument[i] =
            scalar_is_float(function->parameter[i])
                ? expr_convert(w->pool, CONVERT_EXACT, function->parameter[i], call->operand[i])
                : call->operand[i];
    const struct expr *value = expr_external(w->pool, function, argument);
    return scalar_is_float(value->scalar) ? expr_convert(w->pool, CONVERT_EXACT, w->wide, value)
                                          : value;
}

/* The operands are wide already. */
static const struct expr *widen_node(const struct expr *node, void *context)
{
    struct widening *w = context;
    if (node->kind == EXPR_EXTERNAL)
        return widen_external(w, node);
    if (!scalar_is_float(node->scalar) || node->scalar == w->wide)
        return node;
    if (node->kind == EXPR_LOAD)
        return widen_load(w, node);
    if (node->kind == EXPR_CONVERT)
        return expr_convert(w->pool, node->as.convert, w->wide, node->operand[0]);
    if (node->kind == EXPR_REAL)
        return expr_real(w->pool, w->wide, node->as.real);
    return expr_convert(w->pool, CONVERT_EXACT, w->wide, node); /* a parameter */
}

static const struct expr *const *widen_constants(struct widening *w, const struct stage *stage)
{
    const size_t count = stage->as.constant.count;
    const struct expr **value = ARENA_ARRAY(w->arena, const struct expr *, count + 1);
    for (size_t i = 0; i < count; i++)
        value[i] = widen_node(stage->as.constant.value[i], w);
    return value;
}

const struct graph *widen_graph(struct arena *arena, struct expr_pool *pool,
                                const struct graph *graph, enum scalar wide)
{
    struct graph *out = graph_copy_without_stages(arena, graph);
    struct widening w = {.pool = pool, .arena = arena, .wide = wide, .out = out};
    for (size_t i = 0; i < graph->stages.count; i++) {
        struct stage stage = *graph->stages.item[i];
        const bool stays = stage.kind == STAGE_INPUT || stage_is_of_particles(&stage);
        if (!stays && scalar_is_float(stage.element))
            stage.element = wide;
        if (stage.kind == STAGE_CONSTANT)
            stage.as.constant.value = widen_constants(&w, &stage);
        if (stage_computes(&stage)) {
            const struct stage old = stage;
            stage.binding_count = 0; /* names of parts, for readers of printed graphs */
            struct expr_rewriter rewriter = {
                .pool = pool, .rule = widen_node, .context = &w, .scratch = arena};
            w.rewriter = &rewriter;
            stage = stage_rewrite(arena, &stage, &rewriter);
            if (stage.kind == STAGE_GIVEN_LEVELS || stage.kind == STAGE_GIVEN_VALUES) {
                stage = old;                            /* as inputs are */
            } else if (stage_is_of_particles(&stage)) { /* f32 decides where particles are */
                stage.value = expr_convert(pool, CONVERT_EXACT, SCALAR_F32, stage.value);
                stage.binding = old.binding;
                stage.binding_count = old.binding_count;
            }
        }
        graph_add_stage(arena, out, stage);
    }
    return out;
}
