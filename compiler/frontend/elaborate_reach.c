/* How far readers under the rule extend reach beyond a stage's box. Only they tell, and they come
 * after it: the filter is elaborated anew, the stage's coordinates then having intervals that hold
 * all that is computed. So its definition means there what it says, is checked there, and is what a
 * stage of the larger box would be.
 *   s[x in 0 .. 3] = in[abs(x)] border clamp;   at first in[x clamp];   as s[-3] is read, in[abs(x) clamp]
 * Where no operation depends on the interval of a coordinate, once is enough. */
#include "frontend/elaborator.h"
#include "graph/extended.h"

/* Unbounded recurrences are computed as far as it goes. */
static const struct interval whole_line = {INT32_MIN, INT32_MAX};
/* What elaborate_options.far_reach takes readers to reach. */
static const struct interval far = {-(1 << 20), 1 << 20};

static struct reach *find_reach(const struct reaches *reaches, const struct symbol *stage,
                                struct span span, const struct symbol *axis)
{
    struct reach *reach = hash_map_find(&reaches->by_stage, stage);
    while (reach && (reach->axis != axis || reach->span.start != span.start))
        reach = reach->next;
    return reach;
}

bool known_reach(struct elaborator *el, const struct stage_context *context,
                 const struct symbol *axis, struct interval *interval)
{
    if (el->reaches->by_stage.count == 0)
        return false;
    const struct reach *reach = find_reach(
        el->reaches, full_stage_name(el, context->instance, context->name), context->span, axis);
    if (reach)
        *interval = reach->interval;
    return reach != NULL;
}

const struct expr *coordinate_variable(struct elaborator *el, const struct stage_context *context,
                                       const struct symbol *axis, struct interval interval)
{
    struct interval reach;
    if (known_reach(el, context, axis, &reach))
        interval = interval_hull(interval, reach);
    return expr_variable(el->pool, VARIABLE_INDEX, axis, scalar_width(interval), interval);
}

void note_definition(struct elaborator *el, const struct stage_context *context, size_t first)
{
    const struct definition_made made = {
        .name = full_stage_name(el, context->instance, context->name),
        .span = context->span,
        .first = (uint32_t)first,
        .end = (uint32_t)el->graph->stages.count,
        .uses_intervals = el->pool->uses_of_intervals != context->uses_of_intervals_before};
    VECTOR_PUSH(el->arena, &el->definitions, made);
}

/* Whether it is more than was known. */
static bool learn(struct elaborator *el, const struct definition_made *definition,
                  const struct symbol *axis, struct interval interval)
{
    struct arena *arena = el->session->permanent;
    struct reach *reach = find_reach(el->reaches, definition->name, definition->span, axis);
    if (reach && interval_inside(interval, reach->interval))
        return false;
    if (!reach) {
        struct reach *others = hash_map_find(&el->reaches->by_stage, definition->name);
        reach = ARENA_NEW(arena, struct reach);
        *reach = (struct reach){axis, definition->span, interval, others};
        hash_map_put(arena, &el->reaches->by_stage, definition->name, reach);
    }
    reach->interval = interval_hull(reach->interval, interval);
    return true;
}

/* Of a stage with the boxes that must be computed, as it was made. */
static bool learn_axis(struct elaborator *el, const struct definition_made *definition,
                       const struct stage *stage, unsigned k)
{
    const struct stage_axis *axis = &stage->axis[k];
    const bool line = stage->kind == STAGE_RECURRENCE && stage->as.recurrence.unbounded &&
                      stage->as.recurrence.axis == k;
    if (line)
        return learn(el, definition, axis->name, whole_line);
    if (!axis_is_extended(axis))
        return false;
    return learn(el, definition, axis->name,
                 el->options->far_reach ? interval_hull(axis->variable->interval, far)
                                        : axis->variable->interval);
}

static void note_extension(const struct expr *node, void *user)
{
    bool *found = user;
    for (unsigned k = 0; node->kind == EXPR_LOAD && node->as.load.border && k < node->count; k++)
        *found = *found || node->as.load.border[k].rule == BORDER_EXTEND;
}

static bool extends_any(const struct elaborator *el, struct arena *scratch)
{
    bool found = false;
    for (size_t i = 0; i < el->graph->stages.count && !found; i++)
        stage_nodes(el->graph->stages.item[i], scratch, note_extension, &found);
    return found;
}

static bool is_of_account(const struct elaborator *el, const struct definition_made *definition)
{
    return definition->uses_intervals || el->options->far_reach;
}

static bool learn_all(struct elaborator *el, struct arena *scratch)
{
    bool any = false, more = false;
    for (size_t i = 0; i < el->definitions.count; i++)
        any = any || is_of_account(el, &el->definitions.item[i]);
    if (!any || !extends_any(el, scratch))
        return false;
    const struct stage *stage = extended_stages(el->pool, el->arena, scratch, el->graph);
    for (size_t i = 0; i < el->definitions.count; i++) {
        const struct definition_made *made = &el->definitions.item[i];
        for (uint32_t s = made->first; s < made->end && is_of_account(el, made); s++)
            for (unsigned k = 0; k < stage[s].rank; k++)
                more = learn_axis(el, made, &stage[s], k) || more;
    }
    return more;
}

bool learn_reaches(struct elaborator *el)
{
    struct arena *scratch = arena_sibling(el->session->scratch);
    const bool more = learn_all(el, scratch);
    arena_destroy(scratch);
    return more;
}

/* The definition that the place is in: the last one that begins before. */
static const struct definition_made *definition_at(const struct elaborator *el, uint32_t place)
{
    const struct definition_made *nearest = NULL;
    for (size_t i = 0; i < el->definitions.count; i++) {
        const struct definition_made *made = &el->definitions.item[i];
        if (made->span.start <= place && (!nearest || made->span.start >= nearest->span.start))
            nearest = made;
    }
    return nearest;
}

static void tell_reach(struct elaborator *el, struct diagnostic *d)
{
    const struct definition_made *made = definition_at(el, d->span.start);
    const struct reach *reach = made ? hash_map_find(&el->reaches->by_stage, made->name) : NULL;
    for (; reach; reach = reach->next)
        if (reach->span.start == made->span.start)
            NOTE(el, d, "'%s' is computed beyond its box, for %s from %lld to %lld",
                 made->name->text, reach->axis->text, (long long)reach->interval.least,
                 (long long)reach->interval.greatest);
}

void tell_reaches(struct elaborator *el, size_t first)
{
    const struct diagnostics *all = &el->session->diagnostics;
    for (size_t i = first; i < all->list.count; i++)
        if (all->list.item[i]->severity == SEVERITY_ERROR &&
            all->list.item[i]->code != DIAGNOSTIC_E0404)
            tell_reach(el, all->list.item[i]);
}
