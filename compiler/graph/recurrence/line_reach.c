/* Walks the reads of a stage, for how far they go along a line. */
#include "graph/recurrence/line_reach.h"

#include "graph/recurrence/recurrence.h"

struct reach_search {
    const struct stage *reader, *source;
    unsigned along;
    struct line_reach reach;
};

static void note_read(const struct expr *node, void *user)
{
    struct reach_search *search = user;
    struct line_reach *reach = &search->reach;
    if (node->kind != EXPR_LOAD || node->as.load.source != search->source->id.index)
        return;
    const bool self = search->reader == search->source;
    const bool first = !reach->any;
    reach->any = true;
    reach->beside = reach->beside && search->reader->rank == node->count;
    if (search->reader->rank != node->count)
        return;
    for (unsigned k = 0; k < node->count; k++) {
        const enum border_rule rule =
            node->as.load.border ? node->as.load.border[k].rule : BORDER_NONE;
        if (k != search->along) {
            reach->beside = reach->beside && rule == BORDER_NONE &&
                            node->operand[k] == search->reader->axis[k].variable;
            continue;
        }
        const struct interval offset =
            recurrence_offset(node->operand[k], search->reader->axis[k].variable);
        const bool ruled = rule != BORDER_NONE && rule != BORDER_EXTEND && rule != BORDER_ZERO &&
                           rule != BORDER_CONSTANT && !self;
        const bool known = offset.least > -INT32_MAX && offset.greatest < INT32_MAX;
        reach->near = reach->near && !ruled && known;
        reach->within = reach->within && (!ruled || rule == BORDER_CLAMP) && known;
        reach->least = first || offset.least < reach->least ? offset.least : reach->least;
        reach->greatest =
            first || offset.greatest > reach->greatest ? offset.greatest : reach->greatest;
    }
}

struct line_reach line_reach_of(struct arena *scratch, const struct stage *reader,
                                const struct stage *source, unsigned along)
{
    struct reach_search search = {
        reader, source, along, {.beside = true, .near = true, .within = true}};
    stage_nodes(reader, scratch, note_read, &search);
    return search.reach;
}

enum { MOST_BOUNDS = 1 + GRAPH_MAX_RANK };

struct span_search {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct stage *reader;
    uint32_t source;
    unsigned axis;
    struct span_bound bound[MOST_BOUNDS]; /* of the reader's coordinate, and what is reduced over */
    unsigned count;
    const struct expr *first, *end;
    bool known;
};

static bool is_bounded(const struct span_search *search, const struct expr *variable)
{
    bool bounded = false;
    for (unsigned i = 0; i < search->count; i++)
        bounded = bounded || search->bound[i].variable == variable;
    for (unsigned k = 0; k < search->reader->rank; k++) /* the others are fixed */
        bounded = bounded || search->reader->axis[k].variable == variable;
    return bounded;
}

static void note_bound(const struct expr *node, void *user)
{
    struct span_search *search = user;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX ||
        is_bounded(search, node))
        return;
    if (search->count == MOST_BOUNDS)
        search->known = false;
    else
        search->bound[search->count++] =
            (struct span_bound){node, expr_integer(search->pool, node->interval.least),
                                expr_integer(search->pool, node->interval.greatest + 1)};
}

static void widen_by_read(const struct expr *node, void *user)
{
    struct span_search *search = user;
    struct expr_walk walk = {.scratch = search->scratch};
    const struct expr *first, *end;
    if (node->kind != EXPR_LOAD || node->as.load.source != search->source || !search->known)
        return;
    search->count = 1;
    expr_visit(&walk, node->operand[search->axis], note_bound, search);
    search->known = search->known && region_of_index(search->pool, node->operand[search->axis],
                                                     search->count, search->bound, &first, &end);
    if (!search->known)
        return;
    search->first = search->first ? region_minimum(search->pool, search->first, first) : first;
    search->end = search->end ? region_maximum(search->pool, search->end, end) : end;
}

bool line_widen_read(struct expr_pool *pool, struct arena *scratch, const struct stage *reader,
                     struct span_bound own, const struct stage *source, unsigned axis,
                     const struct expr **first, const struct expr **end)
{
    struct span_search search = {.pool = pool,
                                 .scratch = scratch,
                                 .reader = reader,
                                 .source = source->id.index,
                                 .axis = axis,
                                 .bound = {own},
                                 .first = *first,
                                 .end = *end,
                                 .known = true};
    stage_nodes(reader, scratch, widen_by_read, &search);
    *first = search.first;
    *end = search.end;
    return search.known;
}

bool line_runs_along(const struct stage *stage, unsigned along)
{
    return stage_is_per_sample(stage) ||
           (stage->kind == STAGE_RECURRENCE && stage->as.recurrence.axis == along);
}

unsigned line_lanes(const struct stage *stage, unsigned along)
{
    if (schedule_has_lanes(stage->schedule))
        return stage->schedule->as.lines.lanes;
    return along + 1 == stage->rank ? stage->rank - 2 : stage->rank - 1;
}
