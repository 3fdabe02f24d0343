/* Cells around a particle are read, and what is computed of them is stored, as f32, since means of
 * finer particles are. Where a filter does so with types that f32 holds, stages convert before and
 * behind: the mean is rounded to the type of the image that is read. */
#include "frontend/particles.h"

/* Whether f32 holds all of its values. */
static bool is_narrow(enum scalar scalar)
{
    return scalar == SCALAR_F16 || (scalar_is_integer(scalar) && scalar_info[scalar].bytes <= 2);
}

struct around {
    struct elaborator *el;
    const struct stage *stage, *read; /* the adaptive image that is read around places, or NULL */
    const struct stage *converted;    /* the same in f32 */
};

static void find_read(const struct expr *node, void *user)
{
    struct around *a = user;
    if (node->kind != EXPR_LOAD || node->as.load.source == SELF_SOURCE)
        return;
    const struct stage *read = a->el->graph->stages.item[node->as.load.source];
    if (structure_of(a->el, read) && !is_at_own_place(a->stage, read, node))
        a->read = read;
}

static const struct stage *add_conversion(struct elaborator *el, const struct instance *instance,
                                          const struct symbol *of, struct span span,
                                          const struct stage *like, const struct expr *value)
{
    const struct symbol *name = symbol_format(&el->session->symbols, "%s.f32", of->text);
    return graph_stage(
        el->graph,
        elaborate_add_stage(
            el, instance, map_of_particles(like, name, span, axes_of_particles(el, like), value)));
}

/* As an element of a type, which is f32 or may be. interval: where an integer is known to be. */
static const struct expr *rounded_to(struct elaborator *el, enum scalar scalar,
                                     struct interval interval, const struct expr *value)
{
    if (!scalar_is_integer(scalar))
        return expr_convert(el->pool, CONVERT_EXACT, scalar, value);
    const struct expr *round = expr_convert(el->pool, CONVERT_ROUND, scalar, value);
    if (interval.least > round->interval.least)
        round = expr_binary(el->pool, EXPR_MAXIMUM, round, expr_integer(el->pool, interval.least));
    if (interval.greatest < round->interval.greatest)
        round =
            expr_binary(el->pool, EXPR_MINIMUM, round, expr_integer(el->pool, interval.greatest));
    return expr_convert(el->pool, CONVERT_EXACT, scalar, round);
}

static const struct expr *as_f32(struct elaborator *el, const struct expr *value)
{
    return expr_convert(el->pool, CONVERT_EXACT, SCALAR_F32, value);
}

/* Loads of the image become those of the converted one, rounded to the image's type. */
static const struct expr *read_converted(const struct expr *node, void *context)
{
    const struct around *a = context;
    struct expr_pool *pool = a->el->pool;
    struct border border[GRAPH_MAX_RANK];
    if (node->kind != EXPR_LOAD || node->as.load.source != a->read->id.index)
        return node;
    for (unsigned k = 0; k < node->count && node->as.load.border; k++) {
        border[k] = node->as.load.border[k];
        if (border[k].value)
            border[k].value =
                expr_convert(pool, CONVERT_EXACT, a->converted->element, border[k].value);
    }
    return rounded_to(a->el, a->read->element, a->read->interval,
                      expr_load(pool, a->converted->id.index, SCALAR_F32, a->converted->interval,
                                node->count, node->operand, node->as.load.border ? border : NULL));
}

struct stage elaborate_around(struct elaborator *el, const struct instance *instance,
                              struct stage stage)
{
    struct around a = {.el = el, .stage = &stage};
    if (stage.kind != STAGE_MAP || el->particles.count == 0)
        return stage;
    stage_nodes(&stage, el->session->scratch, find_read, &a);
    if (!a.read)
        return stage;
    if (is_narrow(a.read->element)) {
        const struct expr *value = as_f32(el, sample_of_particle(el, a.read, a.read->axis));
        a.converted = add_conversion(el, instance, a.read->name, stage.span, a.read, value);
        hash_map_put(el->arena, &el->converted, a.converted, (void *)(uintptr_t)a.read);
        struct expr_rewriter rewriter = {.pool = el->pool,
                                         .rule = read_converted,
                                         .context = &a,
                                         .scratch = el->session->scratch};
        stage.value = expr_rewrite(&rewriter, stage.value);
        stage.binding_count = 0; /* names of parts that are no more */
    }
    if (is_narrow(stage.element)) {
        const struct stage *cells =
            add_conversion(el, instance, stage.name, stage.span, &stage, as_f32(el, stage.value));
        stage.value = rounded_to(el, stage.element, stage.interval,
                                 sample_of_particle(el, cells, stage.axis));
        stage.binding_count = 0;
    }
    return stage;
}
