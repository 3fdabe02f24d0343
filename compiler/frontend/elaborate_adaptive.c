/* Adaptive images of a signature, apr<f32>[z, y, x]. To the graph such an input is two images of
 * pixels: of each pixel what its particle has, and its level. Inputs on the same axes share their
 * particles. A result is two images likewise, unless it has the particles of an input. */
#include "frontend/particles.h"

enum { MOST_AXES = 3 };

bool may_be_adaptive(struct elaborator *el, struct span span, const struct filter_type *type)
{
    bool channels = false;
    for (unsigned k = 0; k < type->rank; k++)
        channels = channels || axis_is_of_channels(type->axis[k]);
    if (type->rank >= 1 && type->rank <= MOST_AXES && !channels && !type->complex)
        return true;
    struct diagnostic *d =
        REPORT(el, E0303, span, "apr<>", "real samples on one to three axes of places",
               type->complex ? "complex ones"
               : channels    ? "channels, between which nothing is smooth"
                             : arena_format(el->session->permanent, "%u axes", type->rank));
    if (channels)
        HELP(el, d,
             "take an adaptive image for each channel; those on the same axes share their "
             "particles");
    return false;
}

/* ---- Inputs ---- */

/* The image of levels that belongs to an input. */
static const struct stage *add_level_image(struct elaborator *el, const struct stage *image,
                                           uint32_t position)
{
    const struct symbol *name = symbol_format(&el->session->symbols, "%s.level", image->name->text);
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, image->rank);
    for (unsigned k = 0; k < image->rank; k++) {
        const struct symbol *extent =
            symbol_format(&el->session->symbols, "%s.%s", name->text, image->axis[k].name->text);
        axis[k] = image->axis[k];
        axis[k].extent = expr_variable(el->pool, VARIABLE_EXTENT, extent, SCALAR_I32,
                                       image->axis[k].extent->interval);
    }
    take_stage_name(el, name);
    const stage_id id =
        graph_add_stage(el->arena, el->graph,
                        (struct stage){.kind = STAGE_INPUT,
                                       .name = name,
                                       .span = image->span,
                                       .element = SCALAR_U8,
                                       .interval = particle_levels,
                                       .rank = image->rank,
                                       .axis = axis,
                                       .as.input = {.position = position, .levels = name}});
    return graph_stage(el->graph, id);
}

/* The particles of inputs on these axes, which are there already; NULL: it is the first one. */
static const struct stage *shared_particles(const struct elaborator *el, const struct stage *image)
{
    for (size_t i = 0; i < el->graph->stages.count; i++) {
        const struct stage *stage = el->graph->stages.item[i];
        if (stage->kind == STAGE_GIVEN_LEVELS && has_axes_of(stage, image))
            return stage;
    }
    return NULL;
}

/* The stage of the particles' levels. NULL after a message. */
static const struct stage *add_structure(struct elaborator *el, const struct instance *instance,
                                         const struct stage *image, uint32_t position)
{
    const struct stage *level = add_level_image(el, image, position);
    const struct stage_axis *axis = axes_of_particles(el, image);
    for (unsigned k = 0; k < image->rank; k++)
        if (!same_box(el, image, level, k, image->span))
            return NULL;
    const stage_id id = elaborate_add_stage(
        el, instance,
        (struct stage){
            .kind = STAGE_GIVEN_LEVELS,
            .name = symbol_format(&el->session->symbols, "%s.particles.level", image->name->text),
            .span = image->span,
            .element = SCALAR_U8,
            .interval = particle_levels,
            .rank = image->rank,
            .axis = axis,
            .value = sample_of_particle(el, level, axis)});
    return graph_stage(el->graph, id);
}

/* Which input has the levels of a structure. */
static const struct symbol *levels_of(const struct elaborator *el, const struct stage *structure)
{
    return el->graph->stages.item[structure->value->as.load.source]->name;
}

static struct image_view on_particles(struct elaborator *el, const struct instance *instance,
                                      struct image_view view, uint32_t *position)
{
    struct stage *image = el->graph->stages.item[view.stage.index];
    const struct stage *structure = shared_particles(el, image);
    view.valid = false;
    if (!structure) {
        structure = add_structure(el, instance, image, *position);
        *position += structure != NULL;
    }
    if (!structure)
        return view;
    for (unsigned k = 0; k < image->rank; k++)
        if (!same_box(el, structure, image, k, image->span))
            return view;
    image->as.input.levels = levels_of(el, structure);
    const struct stage_axis *axis = axes_of_particles(el, structure);
    struct stage_binding *level = ARENA_NEW(el->arena, struct stage_binding);
    *level = (struct stage_binding){symbol_from(&el->session->symbols, "level"),
                                    sample_of_particle(el, structure, axis)};
    view.stage =
        elaborate_add_stage(el, instance,
                            (struct stage){.kind = STAGE_GIVEN_VALUES,
                                           .is_made = true,
                                           .name = symbol_format(&el->session->symbols,
                                                                 "%s.particles", image->name->text),
                                           .span = image->span,
                                           .element = image->element,
                                           .interval = image->interval,
                                           .fixed = image->fixed,
                                           .rank = image->rank,
                                           .axis = axis,
                                           .value = sample_of_particle(el, image, axis),
                                           .binding = level,
                                           .binding_count = 1});
    view.valid = true;
    return view;
}

bool take_adaptive_inputs(struct elaborator *el, struct instance *instance, uint32_t *position)
{
    const struct ast_list *formals = instance->filter->as.filter.formals;
    bool good = true;
    for (size_t i = 0; i < formals->count && good; i++) {
        const struct ast *formal = formals->item[i];
        struct filter_type type;
        struct entity *entity = scope_find(instance->scope, formal->as.formal.name);
        if (formal->as.formal.role != FORMAL_IMAGE || !entity || !names_adaptive(formal) ||
            !elaborate_type(el, instance, formal->as.formal.type, &type))
            continue;
        if (entity->kind == ENTITY_IMAGE) {
            entity->as.image = on_particles(el, instance, entity->as.image, position);
            good = entity->as.image.valid;
        }
        for (size_t m = 0; entity->kind == ENTITY_LEVELS && m < entity->as.levels->member.count;
             m++) {
            struct image_view *image = &entity->as.levels->member.item[m].value.as.image;
            *image = on_particles(el, instance, *image, position);
            good = good && image->valid;
        }
    }
    return good;
}

bool names_adaptive(const struct ast *formal)
{
    const struct ast *type = formal->as.formal.type;
    return type && type->kind == AST_TYPE && type->as.type.constructor &&
           strcmp(type->as.type.constructor->text, "apr") == 0;
}

const char *adaptive_name(const struct elaborator *el, const struct stage *stage)
{
    const void *key = stage;
    const struct stage *converted = hash_map_find(&el->converted, key);
    if (converted)
        return adaptive_name(el, converted);
    return stage->kind == STAGE_GIVEN_VALUES
               ? el->graph->stages.item[stage->value->as.load.source]->name->text
               : stage->name->text;
}

/* ---- Results ---- */

/* Its samples as an image of pixels. */
static stage_id add_pixels_of_result(struct elaborator *el, const struct instance *instance,
                                     const struct stage *stage)
{
    return add_pixels_of(el, instance, stage,
                         symbol_format(&el->session->symbols, "%s.pixels", stage->name->text),
                         stage->span);
}

void add_adaptive_output(struct elaborator *el, const struct instance *instance, stage_id result,
                         const struct symbol *name, struct adaptive_outputs *all)
{
    const struct stage *stage = graph_stage(el->graph, result);
    const struct stage *structure = structure_of(el, stage);
    const struct symbol *levels = NULL;
    if (structure->kind == STAGE_GIVEN_LEVELS)
        levels = levels_of(el, structure);
    for (size_t i = 0; i < all->count && !levels; i++)
        if (all->item[i].structure == structure)
            levels = all->item[i].name;
    if (!levels) {
        levels = symbol_format(&el->session->symbols, "%s.level", name->text);
        VECTOR_PUSH(el->session->scratch, all, (struct adaptive_output){structure, levels});
    }
    VECTOR_PUSH(el->arena, &el->graph->outputs,
                (struct graph_output){add_pixels_of_result(el, instance, stage), name, levels});
}

void add_level_outputs(struct elaborator *el, const struct instance *instance,
                       const struct adaptive_outputs *all)
{
    for (size_t i = 0; i < all->count; i++)
        VECTOR_PUSH(
            el->arena, &el->graph->outputs,
            (struct graph_output){add_pixels_of_result(el, instance, all->item[i].structure),
                                  all->item[i].name, all->item[i].name});
}

bool suits_as_adaptive(struct elaborator *el, const struct ast *formal, struct image_view image,
                       struct span span)
{
    if (!names_adaptive(formal) || is_adaptive(el, image.stage))
        return true;
    const char *name = formal->as.formal.name->text;
    struct diagnostic *d = REPORT(el, E0339, span, name);
    LABEL(el, d, formal->span, "declared here");
    HELP(el, d, "make particles of it: to_apr(...), or sample(..., like = p) for those of p");
    return false;
}
