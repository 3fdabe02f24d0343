/* Which stages may share lines. */
#include "graph/placement/line_groups.h"

#include "expr/affine.h"
#include "graph/recurrence/recurrence.h"

struct range_search {
    const struct symbol *name;
    bool found;
};

static void search_range(const struct expr *node, void *user)
{
    struct range_search *search = user;
    for (unsigned r = 0; node->kind == EXPR_REDUCE && r < node->as.reduce.rank; r++)
        search->found = search->found || node->as.reduce.range[r].variable == search->name;
}

/* Whether the stage's axis can be called as the other one, which none of its reductions has a
 * variable of. */
static bool takes_name(struct arena *scratch, const struct stage *stage,
                       const struct stage_axis *own, const struct stage_axis *other)
{
    struct range_search search = {other->name, false};
    if (own->name != other->name)
        stage_nodes(stage, scratch, search_range, &search);
    return !search.found;
}

/* Of the same lines: over the same coordinates but for those along the line, whatever the axes are
 * called. */
static bool has_lines_of(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                         unsigned along)
{
    bool same = stage->rank == sink->rank;
    for (unsigned k = 0; same && k < stage->rank; k++)
        same = (k == along || stage_has_places_of(stage, sink, k)) &&
               takes_name(scratch, stage, &stage->axis[k], &sink->axis[k]);
    return same;
}

bool line_accepts(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                  unsigned along, size_t count, const struct stage *const reader[])
{
    bool beside =
        stage->kind != STAGE_RECURRENCE || line_reach_of(scratch, stage, stage, along).beside;
    for (size_t r = 0; r < count; r++)
        beside = beside && line_reach_of(scratch, reader[r], stage, along).beside;
    return beside && stage->repeat == sink->repeat && !stage_says_loops(stage) &&
           has_lines_of(scratch, stage, sink, along) && line_runs_along(stage, along);
}

bool line_joins(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                unsigned along, size_t count, const struct stage *const reader[],
                size_t member_count, const struct stage *const member[])
{
    bool joins = count > 0;
    for (size_t r = 0; joins && r < count; r++) {
        size_t m = 0;
        while (m < member_count && member[m] != reader[r])
            m++;
        joins = m < member_count;
    }
    return joins && line_accepts(scratch, stage, sink, along, count, reader);
}

/* ---- Behind others ---- */

struct behind_search {
    uint32_t at;
    size_t count;
    const struct stage *const *member;
    bool before;
};

static void search_later(const struct expr *node, void *user)
{
    struct behind_search *search = user;
    if (node->kind != EXPR_LOAD || node->as.load.source <= search->at)
        return;
    bool inside = false;
    for (size_t m = 0; m < search->count; m++)
        inside = inside || search->member[m]->id.index == node->as.load.source;
    search->before = search->before && inside;
}

bool line_may_be_behind(struct arena *scratch, stage_id at, size_t count,
                        const struct stage *const member[])
{
    struct behind_search search = {at.index, count, member, true};
    for (size_t m = 0; m < count; m++)
        stage_nodes(member[m], scratch, search_later, &search);
    return search.before;
}

/* ---- Sweeps ---- */

struct sweeps {
    struct arena *scratch;
    unsigned along;
    size_t count;
    const struct stage *const *stage;
    struct line_place *place;
};

/* Both as far as they say something; LINE_DIRECTIONS: they contradict. */
static enum line_direction join_directions(enum line_direction a, enum line_direction b)
{
    return a == LINE_ANY || a == b ? b : b == LINE_ANY ? a : LINE_DIRECTIONS;
}

/* The order in which samples read at these offsets are there in time. */
static enum line_direction direction_of(const struct line_reach *reach)
{
    return !reach->any                               ? LINE_ANY
           : !reach->near                            ? LINE_DIRECTIONS
           : reach->least < 0 && reach->greatest > 0 ? LINE_DIRECTIONS
           : reach->least < 0                        ? LINE_FORWARD
           : reach->greatest > 0                     ? LINE_BACKWARD
                                                     : LINE_ANY;
}

static enum line_direction own_direction(const struct stage *stage)
{
    return stage->kind != STAGE_RECURRENCE ? LINE_ANY
           : stage->as.recurrence.reversed ? LINE_BACKWARD
                                           : LINE_FORWARD;
}

/* The direction of the sweep before the stage with the stage in it; LINE_DIRECTIONS: it cannot
 * be. */
static enum line_direction direction_with(const struct sweeps *p, size_t at)
{
    enum line_direction direction =
        join_directions(p->place[at - 1].direction, own_direction(p->stage[at]));
    for (size_t s = at; s-- > 0 && p->place[s].sweep == p->place[at - 1].sweep;) {
        const struct line_reach reach =
            line_reach_of(p->scratch, p->stage[at], p->stage[s], p->along);
        const enum line_direction needed = direction_of(&reach);
        direction = needed == LINE_DIRECTIONS || direction == LINE_DIRECTIONS
                        ? LINE_DIRECTIONS
                        : join_directions(direction, needed);
    }
    return direction;
}

static void find_sweeps(struct sweeps *p)
{
    for (size_t i = 0; i < p->count; i++) {
        const enum line_direction joined = i > 0 ? direction_with(p, i) : LINE_DIRECTIONS;
        const bool joins = joined != LINE_DIRECTIONS;
        p->place[i].sweep = i == 0 ? 0 : p->place[i - 1].sweep + !joins;
        p->place[i].direction = joins ? joined : own_direction(p->stage[i]);
    }
    for (size_t i = p->count; i-- > 1;) /* what the last stage of a sweep has made of it */
        if (p->place[i - 1].sweep == p->place[i].sweep)
            p->place[i - 1].direction = p->place[i].direction;
}

struct start_search {
    const struct stage *reader, *source;
    /* of the reader's own samples: their rule's values are initial states */
    struct expr_walk outside;
    bool only; /* initial states alone read the source */
};

static void note_own(const struct expr *node, void *user)
{
    struct start_search *search = user;
    if (node->kind == EXPR_LOAD && node->as.load.source == search->reader->id.index)
        hash_map_put(search->outside.scratch, &search->outside.seen, node, search);
}

static void note_outside(const struct expr *node, void *user)
{
    struct start_search *search = user;
    if (node->kind == EXPR_LOAD && node->as.load.source == search->source->id.index)
        search->only = false;
}

static bool reads_to_start(struct arena *scratch, const struct stage *reader,
                           const struct stage *source)
{
    struct start_search search = {reader, source, {.scratch = scratch}, true};
    if (reader->kind != STAGE_RECURRENCE)
        return false;
    expr_nodes(scratch, reader->value, note_own, &search);
    expr_visit(&search.outside, reader->value, note_outside, &search);
    return search.only;
}

/* a - b; -1: that is no constant, or below 0. */
static int64_t places_from(struct affine a, struct affine b)
{
    const struct affine difference = affine_sum(a, b, -1);
    return difference.exact && difference.count == 0 && difference.constant >= 0
               ? difference.constant
               : -1;
}

static struct affine first_of(const struct stage_axis *axis)
{
    return affine_from(axis->computed_first);
}

static struct affine end_of(const struct stage_axis *axis)
{
    return affine_sum(first_of(axis), affine_from(axis->computed_extent), 1);
}

/* Where a sweep ends, the one that turns round begins: places of the line from there that an
 * initial state reads, and that clamp does not lead away from. -1: the reader needs others, or no
 * one knows how many. */
static int64_t places_at_start(const struct sweeps *p, size_t reader, size_t source)
{
    const struct stage *r = p->stage[reader], *s = p->stage[source];
    const enum line_direction from = p->place[source].direction;
    if (from == LINE_ANY || own_direction(r) == from || !reads_to_start(p->scratch, r, s))
        return -1;
    const struct line_reach self = line_reach_of(p->scratch, r, r, p->along);
    const struct line_reach other = line_reach_of(p->scratch, r, s, p->along);
    const int64_t beyond =
        from == LINE_FORWARD
            ? places_from(end_of(&s->axis[p->along]), end_of(&r->axis[p->along]))
            : places_from(first_of(&r->axis[p->along]), first_of(&s->axis[p->along]));
    const int64_t order = from == LINE_FORWARD ? self.greatest : -self.least;
    const int64_t back = from == LINE_FORWARD ? -other.least : other.greatest;
    return self.near && other.within && other.beside && beyond >= 0 ? beyond + order + back : -1;
}

/* Places of the line that readers look back for. */
static int64_t rows_of(const struct sweeps *p, size_t at)
{
    enum { MOST = 64 };
    int64_t farthest = 0, rows = 1;
    for (size_t r = at; r < p->count; r++) {
        const struct line_reach reach =
            line_reach_of(p->scratch, p->stage[r], p->stage[at], p->along);
        if (!reach.any)
            continue;
        const bool apart = p->place[r].sweep != p->place[at].sweep;
        const int64_t start = apart ? places_at_start(p, r, at) : 0;
        if (apart ? start < 0 : !reach.near)
            return 0;
        const int64_t near = -reach.least > reach.greatest ? -reach.least : reach.greatest;
        const int64_t far = apart ? start : near;
        farthest = far > farthest ? far : farthest;
    }
    while (rows <= farthest && rows <= MOST)
        rows *= 2;
    return rows <= MOST ? rows : 0;
}

void line_find_sweeps(struct arena *scratch, unsigned along, size_t count,
                      const struct stage *const stage[], struct line_place place[])
{
    struct sweeps p = {scratch, along, count, stage, place};
    find_sweeps(&p);
    for (size_t i = 0; i < count; i++)
        place[i].rows = rows_of(&p, i);
}

bool line_fits_registers(const struct line_place *place, const struct stage *stage, unsigned along,
                         int64_t most)
{
    const struct expr *extent = stage->axis[along].computed_extent;
    return place->rows > 0 || (extent->kind == EXPR_INTEGER && extent->as.integer <= most);
}

/* ---- Bands ---- */

bool line_takes_bands(unsigned along, size_t count, const struct stage *const stage[],
                      const struct line_place place[])
{
    const struct stage *sink = stage[count - 1];
    bool takes = sink->rank == 2 && along == 0;
    for (size_t i = 0; takes && i < count; i++)
        takes = place[i].sweep == 0 && (place[i].rows > 0 || stage[i] == sink) &&
                stage_has_places_of(stage[i], sink, along);
    return takes;
}

bool line_in_bands(struct arena *scratch, const struct stage *stage, const struct stage *sink,
                   unsigned along, size_t count, const struct stage *const reader[])
{
    bool inside = stage->rank == sink->rank && stage->repeat == sink->repeat && count > 0 &&
                  stage_has_places_of(stage, sink, along);
    for (size_t r = 0; inside && r < count; r++) {
        const struct line_reach reach = line_reach_of(scratch, reader[r], stage, along);
        inside = reach.beside && reach.near && reach.least == 0 && reach.greatest == 0;
    }
    return inside;
}
