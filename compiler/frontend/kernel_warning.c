/* A filter of [y, x] that is given a volume and a kernel of three axes: it is repeated along the
 * third one, so that each plane of the image meets the plane of the kernel with the same number.
 * What was meant is one kernel of three axes. */
#include "frontend/mistakes.h"

static const struct stage_axis *axis_called(const struct stage *stage, const struct symbol *name)
{
    for (unsigned k = 0; k < stage->rank; k++)
        if (stage->axis[k].name == name)
            return &stage->axis[k];
    return NULL;
}

/* What a formal of the call is bound to; NULL: no image. */
static const struct image_view *image_of_formal(const struct instance *instance,
                                                const struct ast *formal)
{
    const struct entity *entity = scope_find(instance->scope, formal->as.formal.name);
    return formal->as.formal.role == FORMAL_IMAGE && entity && entity->kind == ENTITY_IMAGE &&
                   entity->as.image.valid
               ? &entity->as.image
               : NULL;
}

static bool is_equal_on_entry(struct elaborator *el, const struct expr *a, const struct expr *b)
{
    const struct expr *either[] = {expr_binary(el->pool, EXPR_EQUAL, a, b),
                                   expr_binary(el->pool, EXPR_EQUAL, b, a)};
    for (size_t i = 0; i < el->graph->checks.count; i++)
        for (int k = 0; k < 2; k++)
            if (el->graph->checks.item[i].condition == either[k])
                return true;
    return false;
}

/* Whether the second image has the named axes of the first, with extents of its own along each, and
 * the result has those of the first. */
static bool is_kernel(struct elaborator *el, const struct image_view *image,
                      const struct image_view *kernel, const struct image_view *result)
{
    const struct stage *a = graph_stage(el->graph, image->stage);
    const struct stage *b = graph_stage(el->graph, kernel->stage);
    const struct stage *r = graph_stage(el->graph, result->stage);
    bool is = image->rank > 0 && image->rank == kernel->rank;
    for (unsigned k = 0; is && k < image->rank; k++) {
        const struct stage_axis *of_a = axis_called(a, image->axis[k]);
        const struct stage_axis *of_b = axis_called(b, image->axis[k]);
        const struct stage_axis *of_r = axis_called(r, image->axis[k]);
        is = image->axis[k] == kernel->axis[k] && of_a && of_b && of_r &&
             of_a->extent != of_b->extent && of_a->extent == of_r->extent &&
             !is_equal_on_entry(el, of_a->extent, of_b->extent);
    }
    return is;
}

static bool is_named(const struct image_view *view, const struct symbol *axis)
{
    for (unsigned i = 0; i < view->rank; i++)
        if (view->axis[i] == axis)
            return true;
    return false;
}

/* The axis that both bring to the filter; NULL: none. */
static const struct symbol *shared_axis(const struct elaborator *el, const struct image_view *image,
                                        const struct image_view *kernel)
{
    const struct stage *a = graph_stage(el->graph, image->stage);
    const struct stage *b = graph_stage(el->graph, kernel->stage);
    for (unsigned k = 0; k < a->rank; k++) {
        const struct symbol *name = a->axis[k].name;
        if (!axis_is_of_parts(name) && !is_named(image, name) && !is_named(kernel, name) &&
            axis_called(b, name))
            return name;
    }
    return NULL;
}

static void warn(struct elaborator *el, const struct instance *instance, const struct symbol *axis,
                 const struct symbol *image, const struct symbol *kernel, struct span span)
{
    const char *name = instance->filter->as.filter.name->text;
    size_t owner;
    const struct symbol *three = symbol_format(&el->session->symbols, "%s3", name);
    struct diagnostic *d = REPORT(el, W0306, span, name, axis->text, image->text, kernel->text);
    if (find_item(el, instance->module, three, &owner))
        HELP(el, d, "%s is for three axes", three->text);
    else
        HELP(el, d, "for one kernel of all planes, write a filter whose signature names %s, too",
             axis->text);
}

void warn_of_mapped_kernel(struct elaborator *el, const struct instance *instance,
                           const struct ast *call)
{
    const struct ast_list *formals = instance->filter->as.filter.formals;
    const struct entity *result = &instance->result[0];
    if (result->kind != ENTITY_IMAGE || !result->as.image.valid)
        return;
    for (size_t i = 0; i < formals->count; i++)
        for (size_t k = i + 1; k < formals->count; k++) {
            const struct image_view *a = image_of_formal(instance, formals->item[i]);
            const struct image_view *b = image_of_formal(instance, formals->item[k]);
            const struct symbol *axis = a && b ? shared_axis(el, a, b) : NULL;
            if (!axis || !is_kernel(el, a, b, &result->as.image))
                continue;
            warn(el, instance, axis, formals->item[i]->as.formal.name,
                 formals->item[k]->as.formal.name, call->span);
            return;
        }
}
