/* Finds chains: their members, and sweeps. */
#include "graph/segments/chain_search.h"

#include "analysis/regions.h"
#include "graph/placement/line_groups.h"
#include "graph/recurrence/recurrence.h"

#include <stdlib.h>

size_t chain_member_of(const struct chain *chain, uint32_t stage)
{
    size_t m = 0;
    while (m < chain->count && chain->member[m].stage->id.index != stage)
        m++;
    return m;
}

/* ---- Members ---- */

static const struct expr *end_of(const struct chain_search *s, const struct stage_axis *axis)
{
    return region_sum(s->pool, axis->computed_first, axis->computed_extent, 1);
}

/* Whether both are one but on lines of a few samples: min(first, end - 2). */
static bool are_equal_on_lines(const struct expr *own, const struct expr *other,
                               enum expr_kind nearest, const struct expr *opposite)
{
    if (own == other)
        return true;
    if (own->kind != nearest)
        return false;
    bool equal = false;
    for (unsigned i = 0; i < 2; i++) {
        const struct affine away =
            affine_sum(affine_from(own->operand[1 - i]), affine_from(opposite), -1);
        equal = equal || (own->operand[i] == other && away.exact && away.count == 0 &&
                          llabs(away.constant) <= CHAIN_MOST_ORDER);
    }
    return equal;
}

/* Whether the line of both has its first, or its last sample at the same place, if it is no
 * shorter than the least that has segments. */
static bool begins_with(const struct chain_search *s, const struct stage *stage,
                        const struct stage *last, bool reversed)
{
    const struct stage_axis *own = &stage->axis[s->chain->axis];
    const struct stage_axis *other = &last->axis[s->chain->axis];
    if (!own->computed_extent || !other->computed_extent) /* of a program: boxes are not settled */
        return own->first == other->first || reversed;
    const struct expr *end = end_of(s, other);
    return reversed
               ? are_equal_on_lines(end_of(s, own), end, EXPR_MAXIMUM, other->computed_first)
               : are_equal_on_lines(own->computed_first, other->computed_first, EXPR_MINIMUM, end);
}

/* Of two sweeps, the first may go on to where the other one begins. */
static bool may_have_places(const struct chain_search *s, const struct stage *stage,
                            const struct stage *last, unsigned sweeps)
{
    return stage_has_places_of(stage, last, s->chain->axis) ||
           (sweeps > 1 &&
            (begins_with(s, stage, last, false) || begins_with(s, stage, last, true)));
}

/* It rounds what is carried along another axis, and is computed with that: so less is in memory. */
static bool ends_other_lines(const struct chain_search *s, const struct stage *stage)
{
    const struct stage *recurrence = recurrence_of(s->graph, stage);
    return recurrence && recurrence->as.recurrence.axis != s->chain->axis;
}

/* What the last stage is computed from on its lines, itself first. */
static size_t find_members(const struct chain_search *s, const struct stage *last, unsigned sweeps,
                           const struct stage *member[])
{
    const unsigned axis = s->chain->axis;
    size_t count = 0;
    member[count++] = last;
    for (size_t i = last->id.index; i-- > 0 && count < CHAIN_MOST_MEMBERS;) {
        const struct stage *stage = s->graph->stages.item[i];
        const struct stage_readers *of = &s->readers[i];
        if ((stage->schedule ? stage_is_in_tiles_of(stage, last) : !stage_says_apart(stage)) &&
            (stage_may_move(stage) || stage->kind == STAGE_RECURRENCE) &&
            !stage_is_kept(s->graph, stage) && !ends_other_lines(s, stage) &&
            line_joins(s->scratch, stage, last, axis, of->stages.count, of->stages.item, count,
                       member) &&
            may_have_places(s, stage, last, sweeps))
            member[count++] = stage;
    }
    return count;
}

/* Those of the last sweeps, in order; false: these are fewer, or do not follow each other. */
static bool take_sweeps(const struct chain_search *s, size_t count,
                        const struct stage *const found[], unsigned sweeps)
{
    struct chain *chain = s->chain;
    const struct stage **stage = ARENA_ARRAY(s->scratch, const struct stage *, count);
    struct line_place *place = ARENA_ARRAY(s->scratch, struct line_place, count);
    for (size_t i = 0; i < count; i++)
        stage[i] = found[count - 1 - i];
    line_find_sweeps(s->scratch, chain->axis, count, stage, place);
    const unsigned end = place[count - 1].sweep + 1;
    if (end < sweeps)
        return false;
    bool recurs[CHAIN_MOST_SWEEPS] = {false}, fits = true;
    chain->sweeps = sweeps;
    chain->member = ARENA_ARRAY(s->scratch, struct chain_member, count);
    for (size_t i = 0; i < count; i++) {
        if (place[i].sweep + sweeps < end)
            continue;
        const unsigned sweep = place[i].sweep + sweeps - end;
        struct chain_member *member = &chain->member[chain->count++];
        member->stage = stage[i];
        member->sweep = sweep;
        recurs[sweep] = recurs[sweep] || stage[i]->kind == STAGE_RECURRENCE;
        chain->sweep[sweep].reversed = place[i].direction == LINE_BACKWARD;
        fits = fits && (sweep + 1 < sweeps
                            ? begins_with(s, stage[i], found[0], chain->sweep[sweep].reversed)
                            : stage_has_places_of(stage[i], found[0], chain->axis));
    }
    for (unsigned p = 0; p < sweeps; p++)
        fits =
            fits && recurs[p] && (p == 0 || chain->sweep[p].reversed != chain->sweep[0].reversed);
    return fits;
}

/* The chain of these alone, the last one first; NULL: they are none. */
static const struct chain *chain_of_members(struct chain_search s, size_t count,
                                            const struct stage *const member[], unsigned axis,
                                            unsigned sweeps)
{
    struct chain *chain = ARENA_NEW(s.scratch, struct chain);
    s.chain = chain;
    chain->axis = axis;
    if (!take_sweeps(&s, count, member, sweeps))
        return NULL;
    chain_find_state(&s);
    if (s.fits)
        chain_find_feeding(&s);
    return s.fits && chain_take_apart(&s) ? chain : NULL;
}

const struct chain *chain_behind(struct arena *arena, const struct chain *chain, bool reversed)
{
    struct chain *behind = arena_copy(arena, chain, sizeof *chain);
    behind->member = arena_copy(arena, chain->member, chain->count * sizeof *chain->member);
    for (size_t m = 0; m < chain->count; m++)
        behind->member[m].sweep = 1;
    behind->sweep[1] = chain->sweep[0];
    behind->sweep[0] = (struct chain_sweep){.reversed = reversed};
    behind->sweeps = 2;
    return behind;
}

/* Coordinates are then numbers, and do not tell offsets. */
static bool has_one_place(const struct stage_axis *axis)
{
    const struct expr *extent = axis->computed_extent ? axis->computed_extent : axis->extent;
    return extent->kind == EXPR_INTEGER && extent->as.integer == 1;
}

/* Reads of it are that value: no stage of segments would read another. */
static bool has_one_value(const struct stage *stage)
{
    return scalar_is_integer(stage->element) && stage->interval.least == stage->interval.greatest;
}

const struct chain *chain_of(const struct graph *graph, struct expr_pool *pool,
                             struct arena *scratch, const struct stage_readers readers[],
                             const struct stage *last, unsigned axis, unsigned most_sweeps)
{
    struct chain along = {.axis = axis};
    const struct chain_search s = {graph, pool, scratch, readers, &along, NULL, true};
    const struct stage *member[CHAIN_MOST_MEMBERS];
    if (axis >= last->rank || has_one_place(&last->axis[axis]) || has_one_value(last) ||
        (!stage_may_move(last) && last->kind != STAGE_RECURRENCE) || !line_runs_along(last, axis) ||
        !line_reach_of(scratch, last, last, axis).beside)
        return NULL;
    const struct chain *chain = NULL;
    for (unsigned sweeps = most_sweeps; sweeps > 0 && !chain; sweeps--) {
        size_t count = find_members(&s, last, sweeps, member);
        /* Try shorter chains too: the first members may have to be stored, or form a chain of
         * their own. */
        for (; count > 0 && !chain; count--)
            chain = chain_of_members(s, count, member, axis, sweeps);
    }
    return chain;
}
