/* What stages on particles are made of: axes, samples, maps. */
#include "frontend/particles.h"

struct stage_axis *axes_of_particles(struct elaborator *el, const struct stage *source)
{
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, source->rank + 1);
    for (unsigned k = 0; k < source->rank; k++) {
        axis[k] = source->axis[k];
        axis[k].computed_first = axis[k].computed_extent = NULL;
    }
    return axis;
}

const struct expr *sample_of_particle(struct elaborator *el, const struct stage *source,
                                      const struct stage_axis axis[])
{
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < source->rank; k++)
        index[k] = axis[k].variable;
    return expr_load(el->pool, source->id.index, source->element, source->interval, source->rank,
                     index, NULL);
}

bool has_axes_of(const struct stage *a, const struct stage *b)
{
    bool same = a->rank == b->rank;
    for (unsigned k = 0; k < a->rank && same; k++)
        same = a->axis[k].name == b->axis[k].name;
    return same;
}

struct stage map_of_particles(const struct stage *like, const struct symbol *name, struct span span,
                              const struct stage_axis axis[], const struct expr *value)
{
    return (struct stage){.kind = STAGE_MAP,
                          .name = name,
                          .span = span,
                          .element = value->scalar,
                          .interval = value->interval,
                          .rank = like->rank,
                          .axis = axis,
                          .value = value};
}

stage_id add_pixels_of(struct elaborator *el, const struct instance *instance,
                       const struct stage *stage, const struct symbol *name, struct span span)
{
    const struct stage_axis *axis = axes_of_particles(el, stage);
    struct stage pixels =
        map_of_particles(stage, name, span, axis, sample_of_particle(el, stage, axis));
    pixels.fixed = stage->fixed;
    return elaborate_add_pixels(el, instance, pixels);
}
