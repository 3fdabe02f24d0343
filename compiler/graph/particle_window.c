#include "graph/particle_window.h"

#include "expr/affine.h"
#include "flt/particles.h"

struct window_search {
    const struct graph *graph;
    const struct stage *stage;
    struct particle_window *window;
};

/* The first reason counts. */
static void fail(struct window_search *s, const char *reason)
{
    s->window->reason = s->window->reason ? s->window->reason : reason;
}

/* How far the index is from the coordinate, at least and at most. */
static bool distance_of(const struct stage *stage, const struct expr *load, unsigned axis,
                        struct interval *distance)
{
    struct affine form = affine_from(load->operand[axis]);
    if (!form.exact || affine_coefficient(&form, stage->axis[axis].variable) != 1)
        return false;
    form = affine_without(form, stage->axis[axis].variable);
    __int128 least = form.constant, greatest = form.constant;
    for (unsigned i = 0; i < form.count; i++) {
        const struct expr *atom = form.term[i].atom;
        const __int128 c = form.term[i].coefficient;
        if (atom->kind != EXPR_VARIABLE || atom->as.variable.kind != VARIABLE_INDEX)
            return false;
        for (unsigned k = 0; k < stage->rank; k++)
            if (atom == stage->axis[k].variable)
                return false;
        least += c * (c > 0 ? atom->interval.least : atom->interval.greatest);
        greatest += c * (c > 0 ? atom->interval.greatest : atom->interval.least);
    }
    *distance = (struct interval){(int64_t)least, (int64_t)greatest};
    return least >= -FLT_APR_WEIGHTS && greatest <= FLT_APR_WEIGHTS;
}

static void take_axis(struct window_search *s, const struct expr *load, unsigned k)
{
    const unsigned a = WINDOW_AXES - s->stage->rank + k;
    struct particle_window *w = s->window;
    struct interval distance;
    const enum border_rule rule = load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
    if (!distance_of(s->stage, load, k, &distance)) {
        fail(s, "is read at other places than its own plus constants");
        return;
    }
    const int64_t first = distance.least < w->first[a] ? distance.least : w->first[a];
    const int64_t end = w->first[a] + w->extent[a], own = distance.greatest + 1;
    w->first[a] = first;
    w->extent[a] = (own > end ? own : end) - first;
    if (distance.least == 0 && distance.greatest == 0)
        return; /* whatever the rule */
    if (rule != BORDER_CLAMP && rule != BORDER_REFLECT101 && rule != BORDER_ZERO)
        fail(s, "is read beyond its border by a rule that grids of cells do not have: they have "
                "clamp, reflect101 and zero");
    if (w->border[a] != BORDER_NONE && w->border[a] != rule)
        fail(s, "is read by two border rules along one axis");
    w->border[a] = rule;
}

static void take_load(const struct expr *node, void *user)
{
    struct window_search *s = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct stage *source = s->graph->stages.item[node->as.load.source];
    bool moves = false;
    for (unsigned k = 0; k < s->stage->rank; k++)
        for (unsigned i = 0; i < node->count; i++) {
            const struct affine form = affine_from(node->operand[i]);
            moves =
                moves || !form.exact || affine_coefficient(&form, s->stage->axis[k].variable) != 0;
        }
    if (!moves)
        return; /* a table, a parameter */
    if (s->window->source && s->window->source != source)
        fail(s, "is read around its place beside another adaptive image: combine them behind");
    if (source->rank != s->stage->rank || source->element != SCALAR_F32)
        fail(s, "has samples that are no f32, and is read around its place");
    s->window->source = source;
    for (unsigned k = 0; k < s->stage->rank && !s->window->reason; k++)
        take_axis(s, node, k);
}

bool particle_window_of(const struct graph *graph, const struct stage *stage, struct arena *scratch,
                        struct particle_window *window)
{
    struct window_search search = {graph, stage, window};
    struct stage alone = *stage;
    *window = (struct particle_window){.extent = {1, 1, 1}};
    alone.binding_count = 0;
    stage_nodes(&alone, scratch, take_load, &search);
    if (window->extent[0] * window->extent[1] * window->extent[2] > FLT_APR_WEIGHTS)
        fail(&search, "is read over more than 4096 cells around its place");
    return window->source && !window->reason;
}

const struct expr *particle_distance(struct expr_pool *pool, const struct stage *stage,
                                     const struct expr *load, unsigned axis)
{
    struct affine form = affine_from(load->operand[axis]);
    if (!form.exact)
        return NULL;
    form = affine_without(form, stage->axis[axis].variable);
    return affine_build(pool, &form);
}
