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
        const bool ruled = rule != BORDER_NONE && rule != BORDER_EXTEND && !self;
        reach->near =
            reach->near && !ruled && offset.least > -INT32_MAX && offset.greatest < INT32_MAX;
        reach->least = first || offset.least < reach->least ? offset.least : reach->least;
        reach->greatest =
            first || offset.greatest > reach->greatest ? offset.greatest : reach->greatest;
    }
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

/* ---- Passes ---- */

struct passes {
    struct arena *scratch;
    unsigned along;
    size_t count;
    const struct stage *const *stage;
    unsigned *pass;
    bool reversed, ordered; /* of the pass at hand; ordered: it holds a recurrence */
};

/* Whether what the stage reads of the pass at hand is computed by then. */
static bool fits_pass(const struct passes *p, size_t place)
{
    const struct stage *stage = p->stage[place];
    const bool recurs = stage->kind == STAGE_RECURRENCE;
    if (recurs && p->ordered && stage->as.recurrence.reversed != p->reversed)
        return false;
    const bool reversed = recurs && !p->ordered ? stage->as.recurrence.reversed : p->reversed;
    for (size_t s = place; s-- > 0 && p->pass[s] == p->pass[place - 1];) {
        const struct line_reach reach = line_reach_of(p->scratch, stage, p->stage[s], p->along);
        if (reach.any && (!reach.near || (reversed ? reach.least < 0 : reach.greatest > 0)))
            return false;
    }
    return true;
}

static void find_passes(struct passes *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct stage *stage = p->stage[i];
        const bool recurs = stage->kind == STAGE_RECURRENCE;
        const bool joins = i > 0 && fits_pass(p, i);
        p->pass[i] = i == 0 ? 0 : p->pass[i - 1] + !joins;
        if (recurs)
            p->reversed = stage->as.recurrence.reversed;
        else if (!joins)
            p->reversed = false;
        p->ordered = recurs || (joins && p->ordered);
    }
}

/* Places of the line that readers look back for. */
static int64_t rows_of(const struct passes *p, size_t place)
{
    int64_t farthest = 0, rows = 1;
    for (size_t r = place; r < p->count; r++) {
        const struct line_reach reach =
            line_reach_of(p->scratch, p->stage[r], p->stage[place], p->along);
        if (!reach.any)
            continue;
        if (p->pass[r] != p->pass[place] || !reach.near)
            return 0;
        const int64_t far = -reach.least > reach.greatest ? -reach.least : reach.greatest;
        farthest = far > farthest ? far : farthest;
    }
    while (rows <= farthest)
        rows *= 2;
    return rows;
}

void line_find_passes(struct arena *scratch, unsigned along, size_t count,
                      const struct stage *const stage[], unsigned pass[], int64_t rows[])
{
    struct passes p = {
        .scratch = scratch, .along = along, .count = count, .stage = stage, .pass = pass};
    find_passes(&p);
    for (size_t i = 0; i < count; i++)
        rows[i] = rows_of(&p, i);
}
