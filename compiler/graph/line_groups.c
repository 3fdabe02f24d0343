/* Which stages may share lines. */
#include "graph/line_groups.h"

#include "graph/recurrence.h"

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
        const bool ruled = rule != BORDER_NONE && rule != BORDER_EXTEND && !self;
        reach->near =
            reach->near && !ruled && offset.least > -INT32_MAX && offset.greatest < INT32_MAX;
        reach->least = !reach->any || offset.least < reach->least ? offset.least : reach->least;
        reach->greatest =
            !reach->any || offset.greatest > reach->greatest ? offset.greatest : reach->greatest;
    }
    reach->any = true;
}

struct line_reach line_reach_of(struct arena *scratch, const struct stage *reader,
                                const struct stage *source, unsigned along)
{
    struct reach_search search = {reader, source, along, {.beside = true, .near = true}};
    stage_nodes(reader, scratch, note_read, &search);
    return search.reach;
}

bool line_runs_along(const struct stage *stage, unsigned along)
{
    return stage->kind == STAGE_MAP ||
           (stage->kind == STAGE_RECURRENCE && stage->as.recurrence.axis == along);
}

unsigned line_lanes(const struct stage *stage, unsigned along)
{
    return along + 1 == stage->rank ? stage->rank - 2 : stage->rank - 1;
}

/* Of the same lines: axes of the same names, over the same coordinates but for those along the line. */
static bool has_lines_of(const struct stage *stage, const struct stage *sink, unsigned along)
{
    bool same = stage->rank == sink->rank;
    for (unsigned k = 0; same && k < stage->rank; k++) {
        const struct stage_axis *a = &stage->axis[k], *b = &sink->axis[k];
        same = a->name == b->name && (k == along || (a->computed_first == b->computed_first &&
                                                     a->computed_extent == b->computed_extent));
    }
    return same;
}

const char *line_refusal(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                         unsigned along, size_t count, const struct stage *const reader[])
{
    if (stage->repeat != sink->repeat)
        return "it is computed in another repeat";
    if (!has_lines_of(stage, sink, along))
        return "it has other lines";
    if (!line_runs_along(stage, along))
        return "it is neither computed sample by sample nor a recurrence along these lines";
    if (stage->kind == STAGE_RECURRENCE && !line_reach_of(scratch, stage, stage, along).beside)
        return "it reads itself on other lines";
    for (size_t r = 0; r < count; r++)
        if (!line_reach_of(scratch, reader[r], stage, along).beside)
            return "it is read on other lines";
    return NULL;
}
