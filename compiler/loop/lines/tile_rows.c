#include "loop/lines/tile_rows.h"

static bool shares_loops(const struct tile_group *group, size_t place)
{
    return group->needs[place].shared || group->needs[place].inner;
}

/* The readers in the tile of the stage at a place; *inside: they are all on the rows that end
 * there. */
static size_t readers_of(const struct tile_group *group, size_t place, const size_t rows[],
                         size_t end, const struct stage *reader[], bool *inside)
{
    size_t count = 0;
    *inside = true;
    for (size_t r = place + 1; r <= group->count; r++) {
        if (!group->reads[r][place])
            continue;
        *inside = *inside && rows[r] == end + 1;
        reader[count++] = group->member[r];
    }
    *inside = *inside && count > 0;
    return count;
}

/* Whether the stages before `end` that are on rows with it recur; they are noted. */
static bool note_rows(struct arena *scratch, const struct tile_group *group, size_t end,
                      size_t rows[])
{
    const struct stage *sink = group->member[end];
    const unsigned along = sink->rank - 1;
    const struct stage **reader = ARENA_ARRAY(scratch, const struct stage *, group->count + 1);
    bool recurs = false;
    rows[end] = end + 1;
    for (size_t m = end; m-- > 0;) {
        bool inside;
        const size_t count = readers_of(group, m, rows, end, reader, &inside);
        if (!inside || shares_loops(group, m) ||
            !line_accepts(scratch, group->member[m], sink, along, count, reader))
            continue;
        rows[m] = end + 1;
        recurs = recurs || group->member[m]->kind == STAGE_RECURRENCE;
    }
    return recurs;
}

const size_t *tile_rows_of(struct arena *scratch, const struct tile_group *group)
{
    size_t *rows = ARENA_ARRAY(scratch, size_t, group->count + 1);
    for (size_t end = group->count + 1; end-- > 0 && group->sliding == NO_AXIS;) {
        const struct stage *stage = group->member[end];
        if (rows[end] || !stage_may_move(stage) || stage->rank < 2 || shares_loops(group, end) ||
            stage_says_loops(stage) || note_rows(scratch, group, end, rows))
            continue;
        for (size_t m = 0; m <= end; m++)
            rows[m] = rows[m] == end + 1 ? 0 : rows[m];
    }
    return rows;
}

struct line_group tile_rows_at(struct pass_context *context, const struct tile_group *group,
                               size_t end)
{
    struct arena *scratch = context->scratch;
    const struct stage *sink = group->member[end];
    const unsigned along = sink->rank - 1;
    VECTOR(const struct stage *) stage = {0};
    VECTOR(size_t) place = {0};
    for (size_t m = 0; m <= end; m++) {
        if (group->rows[m] != end + 1)
            continue;
        VECTOR_PUSH(scratch, &stage, group->member[m]);
        VECTOR_PUSH(scratch, &place, m);
    }
    struct line_place *places = ARENA_ARRAY(scratch, struct line_place, stage.count);
    line_find_sweeps(scratch, along, stage.count, stage.item, places);
    return (struct line_group){.sink = sink,
                               .along = along,
                               .lanes = line_lanes(sink, along),
                               .lane_count = LINE_ROWS,
                               .count = stage.count,
                               .stage = stage.item,
                               .place = places,
                               .tile = group,
                               .in_tile = place.item};
}
