/* What a chain makes of each segment at rest, what it makes of a state over a segment, and the
 * states that follow: for chains of two sweeps, those of the second one from what it makes of the
 * rest of the line,
 *     carry[j + 1] = tails[j] + matrix carry[j]
 *     carry_back[j] = tails[j] + matrix carry[j] + matrix carry_back[j + 1] */
#include "graph/segments/segments.h"

#include <assert.h>

/* The places of the line at which the sample of a member that the state holds lies behind the
 * segment, or before: of the last sweep as far back at each of them, of the first one as far
 * ahead. */
static const struct expr *sample_behind(const struct segments *s, const struct chain_member *member)
{
    const struct chain_sweep *sweep = &s->chain->sweep[member->sweep];
    const int64_t end = (int64_t)member->slot - sweep->slot + member->lags;
    const int64_t across = s->size + s->chain->order - end;
    const int64_t back = member->sweep == segments_last_sweep(s) ? -end : across;
    return segments_plus(s, s->i, sweep->reversed ? -back : back);
}

/* Of a sweep, at each place of its state what one of its members has there: sample, by member. */
static const struct expr *state_of_sweep(const struct segments *s, unsigned sweep,
                                         const struct expr *const sample[])
{
    const struct chain *chain = s->chain;
    struct expr_pool *pool = segments_pool(s);
    const struct expr *value = NULL;
    const bool ascending = !chain->sweep[sweep].reversed;
    for (size_t m = chain->count; m-- > 0;) {
        const struct chain_member *member = &chain->member[m];
        if (member->sweep != sweep || member->lags == 0)
            continue;
        const int64_t last = (int64_t)member->slot - chain->sweep[sweep].slot + member->lags - 1;
        const struct expr *end = segments_place_behind(s, sweep, segments_integer(s, last));
        const struct expr *inside = ascending ? expr_binary(pool, EXPR_LESS_EQUAL, s->i, end)
                                              : expr_binary(pool, EXPR_LESS_EQUAL, end, s->i);
        value = value ? expr_select(pool, inside, sample[m], value) : sample[m];
    }
    return value;
}

/* The last samples of the members, each at its place behind the segment: all are there by then. */
static const struct expr *state_behind(const struct segments *s, const struct expr *line,
                                       const uint32_t stage[], bool as_stored)
{
    const struct chain *chain = s->chain;
    const struct carry_algebra *algebra = chain->algebra;
    struct expr_pool *pool = segments_pool(s);
    const struct expr *sample[CHAIN_MOST_MEMBERS];
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const struct expr *const index[2] = {line, sample_behind(s, member)};
        if (member->lags > 0)
            sample[m] = carry_convert(
                pool, algebra, algebra->element,
                segments_load(s, stage[m], as_stored ? member->stage->element : algebra->element, 2,
                              index, NULL));
    }
    const unsigned last = segments_last_sweep(s);
    const struct expr *value = state_of_sweep(s, last, sample);
    if (last == segments_first_sweep(s))
        return value;
    const struct expr *end =
        segments_place_behind(s, last, segments_integer(s, chain->sweep[last].order - 1));
    const struct expr *inside = chain->sweep[last].reversed
                                    ? expr_binary(pool, EXPR_LESS_EQUAL, end, s->i)
                                    : expr_binary(pool, EXPR_LESS_EQUAL, s->i, end);
    return expr_select(pool, inside, value, state_of_sweep(s, 0, sample));
}

/* What a segment leaves is counted as the segment that begins with it: where they are taken from
 * the first one on, from 1. */
static int64_t first_tail(const struct segments *s)
{
    return s->chain->sweep[segments_first_sweep(s)].reversed ? 0 : 1;
}

/* Each segment as if the line were at rest before it, where it does not begin there. */
static stage_id add_tails(struct segments *s, enum segments_rest rest, const struct stage *instead)
{
    const struct chain *chain = s->chain;
    const int64_t from = first_tail(s);
    struct segments_copy local = {.s = s,
                                  .part = "local",
                                  .goes_on = true,
                                  .rank = 2,
                                  .from = from,
                                  .shift = segments_begin(s, from),
                                  .along = s->i,
                                  .sweep = {{.begins = segments_is_first(s, from)}},
                                  .rest = rest,
                                  .instead = instead};
    const struct stage_axis own[2] = {segments_along_all(s, from),
                                      segments_along(s, SEGMENTS_STATE, segments_last_sweep(s))};
    segments_copy_rows(&local, NULL);
    for (size_t m = 0; m < chain->count; m++) {
        const struct stage_axis all[2] = {
            own[0], segments_along(s, SEGMENTS_SAMPLES_AND_STATE, chain->member[m].sweep)};
        if (chain->member[m].feeds)
            segments_copy_member(&local, m, all);
    }
    return segments_add_lines(s, "tails", own, state_behind(s, s->j, local.stage, !instead));
}

/* The tails of all lines; of chains that are computed behind others, those of lines that these have
 * in segments, and the rest apart. */
struct tails {
    stage_id all, rest;
    const struct expr *is_in_segments; /* NULL: all lines are */
};

static struct tails add_turned_tails(struct segments *s, enum segments_rest rest,
                                     const struct stage *instead)
{
    struct tails tails = {.is_in_segments = NULL};
    const struct segments *before = s->behind;
    struct expr_pool *pool = segments_pool(s);
    const struct stage_axis *lines = &s->last->axis[before->chain->axis];
    const struct expr *end = segments_behind_all(before);
    const struct expr *samples = region_sum(pool, end, before->base, -1);
    struct segments part = *s;
    part.part = (struct segments_part_of){before->base, samples, before->chain->axis, NULL};
    tails.all = segments_place_behind_tiles(&part, add_tails(&part, rest, instead));
    part.behind = NULL;
    part.part.first = segments_reversed(before) ? lines->computed_first : end;
    part.part.extent = region_sum(pool, lines->computed_extent, samples, -1);
    tails.rest = add_tails(&part, rest, instead);
    tails.is_in_segments = segments_reversed(before)
                               ? expr_binary(pool, EXPR_LESS_EQUAL, before->base, lines->variable)
                               : expr_binary(pool, EXPR_LESS, lines->variable, end);
    return tails;
}

static struct tails add_all_tails(struct segments *s, enum segments_rest rest,
                                  const struct stage *instead)
{
    if (segments_are_turned(s))
        return add_turned_tails(s, rest, instead);
    const stage_id tails = add_tails(s, rest, instead);
    if (s->behind)
        (void)segments_place_behind_tiles(s, tails);
    return (struct tails){.all = tails};
}

/* Whether that row of states is the one before all segments of sweeps of that direction. */
static const struct expr *is_before_all(const struct segments *s, bool reversed,
                                        const struct expr *row)
{
    return reversed ? expr_binary(segments_pool(s), EXPR_LESS_EQUAL, s->count, row)
                    : expr_binary(segments_pool(s), EXPR_LESS, row, segments_integer(s, 1));
}

static bool first_is_reversed(const struct segments *s)
{
    return s->chain->sweep[segments_first_sweep(s)].reversed;
}

struct segments_ends segments_add_ends(struct segments *s, enum segments_rest rest,
                                       const struct stage *instead)
{
    struct expr_pool *pool = segments_pool(s);
    const enum scalar element = s->chain->algebra->element;
    const struct expr *before = segments_at_rest(s, rest, element, scalar_info[element].interval);
    const struct tails tails = add_all_tails(s, rest, instead);
    const struct stage_axis all[2] = {
        segments_box(s->segment_name, s->j, segments_integer(s, 0), segments_plus(s, s->count, 1)),
        segments_along(s, SEGMENTS_STATE, segments_last_sweep(s))};
    const struct expr *const at[2] = {s->j, s->i};
    const struct expr *value = segments_load(s, tails.all.index, element, 2, at, NULL);
    if (tails.is_in_segments)
        value = expr_select(pool, tails.is_in_segments, value,
                            segments_load(s, tails.rest.index, element, 2, at, NULL));
    value = expr_select(pool, is_before_all(s, first_is_reversed(s), s->j), before, value);
    return (struct segments_ends){segments_add_map(s, STAGE_JOINED, "ends", all, value), before};
}

/* The state after a segment at rest. There may be no such row: then any. */
static const struct expr *end_at_rest(const struct segments *s, const struct segments_ends *ends,
                                      const struct expr *row, const struct expr *place)
{
    const struct expr *const index[2] = {row, place};
    const struct border border[2] = {{.rule = BORDER_CLAMP}, {.rule = BORDER_NONE}};
    return segments_load(s, ends->stage.index, s->chain->algebra->element, 2, index, border);
}

const struct expr *segments_end(const struct segments *s, const struct segments_ends *ends,
                                const struct expr *place)
{
    return expr_select(segments_pool(s), is_before_all(s, first_is_reversed(s), s->j), ends->before,
                       end_at_rest(s, ends, s->j, place));
}

/* What decays goes on as 0 before it is so small that processors take a hundred times as long for
 * it. */
static const struct expr *zero_if_tiny(struct expr_pool *pool, const struct expr *value)
{
    const struct expr *is_tiny =
        expr_binary(pool, EXPR_LESS, expr_unary(pool, EXPR_ABSOLUTE, value),
                    expr_real(pool, SCALAR_F64, 1e-300));
    return expr_select(pool, is_tiny, expr_real(pool, SCALAR_F64, 0), value);
}

/* Without images: what a state that is 1 at one place leads to. */
static const struct expr *response_of(const struct segments *s, const struct expr *place,
                                      const struct chain_member *member, const uint32_t stage[])
{
    const struct carry_algebra *algebra = s->chain->algebra;
    struct expr_pool *pool = segments_pool(s);
    const struct renumbering renumbering = {pool, s->new_id};
    struct expr_rewriter moving = {.pool = pool,
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = s->context->scratch};
    const struct expr *value = NULL;
    for (size_t t = 0; t < member->terms.count; t++) {
        const struct chain_term *term = &member->terms.item[t];
        const struct chain_member *source = &s->chain->member[term->member];
        const struct expr *const index[2] = {place, segments_plus(s, s->i, term->offset)};
        const struct expr *is_one =
            expr_binary(pool, EXPR_EQUAL, place,
                        segments_slot(s, segments_before(s, source->sweep), source, index[1]));
        const bool looks_back = chain_back(s->chain, source, term->offset) > 0;
        const struct border border[2] = {
            {.rule = BORDER_NONE},
            {.rule = looks_back                       ? BORDER_CONSTANT
                     : source->sweep != member->sweep ? BORDER_CLAMP /* behind the segment */
                                                      : BORDER_NONE,
             .value = looks_back ? expr_select(pool, is_one, carry_one(pool, algebra),
                                               carry_zero(pool, algebra->element))
                                 : NULL}};
        const struct expr *sample =
            segments_load(s, stage[term->member], algebra->element, 2, index, border);
        const struct expr *factor = expr_rewrite(&moving, term->coefficient);
        for (unsigned k = 0; k < s->last->rank; k++)
            if (k != s->chain->axis)
                factor =
                    expr_substitute(pool, s->context->scratch, factor,
                                    member->stage->axis[k].variable, s->last->axis[k].variable);
        value = carry_step(pool, algebra, factor, sample, value);
    }
    return value ? value : carry_zero(pool, algebra->element);
}

/* Whether lines have coefficients of their own. */
static bool differs_by_line(const struct segments *s)
{
    bool differs = false;
    for (size_t m = 0; m < s->chain->count; m++)
        for (size_t t = 0; t < s->chain->member[m].terms.count; t++)
            for (unsigned k = 0; k < s->last->rank; k++)
                differs = differs || (k != s->chain->axis &&
                                      expr_contains(s->context->scratch,
                                                    s->chain->member[m].terms.item[t].coefficient,
                                                    s->chain->member[m].stage->axis[k].variable));
    return differs;
}

stage_id segments_add_matrix(struct segments *s)
{
    const struct chain *chain = s->chain;
    uint32_t stage[CHAIN_MOST_MEMBERS];
    const struct stage_axis places = segments_along_places(s, chain->order);
    const struct stage_axis behind[2] = {places,
                                         segments_along(s, SEGMENTS_STATE, segments_last_sweep(s))};
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const struct stage_axis all[2] = {
            places, segments_along(s, SEGMENTS_SAMPLES_AND_STATE, member->sweep)};
        if (!member->feeds)
            continue;
        stage[m] = (uint32_t)s->out->stages.count;
        struct stage response = *member->stage;
        response.name = segments_stage_name(s, response.name, "response");
        response.is_made = true;
        response.schedule = NULL;
        response.binding_count = 0;
        response.element = chain->algebra->element;
        response.interval = scalar_info[response.element].interval;
        response.rank = s->lead + 2 + s->trail;
        response.axis = segments_axes(s, 2, all);
        response.value = response_of(s, places.variable, member, stage);
        if (response.kind == STAGE_RECURRENCE) {
            if (!chain->algebra->wraps)
                response.value = zero_if_tiny(segments_pool(s), response.value);
            response.as.recurrence.axis = s->lead + 1;
            response.as.recurrence.narrow = false;
        }
        graph_add_stage(s->context->output, s->out, response);
    }
    const stage_id matrix =
        segments_add_lines(s, "matrix", behind, state_behind(s, places.variable, stage, false));
    s->out->stages.item[matrix.index]->kind = STAGE_TABLE; /* of coefficients alone */
    return matrix;
}

stage_id segments_add_weights(struct segments *s)
{
    const uint32_t response = (uint32_t)s->out->stages.count - 2; /* the matrix is behind it */
    assert(s->out->stages.item[response]->rank == s->lead + 2 + s->trail && "a matrix was added");
    const struct stage_axis own[2] = {segments_along_places(s, s->chain->order),
                                      segments_along(s, SEGMENTS_SAMPLES, 0)};
    const struct expr *const index[2] = {own[0].variable, s->i};
    const stage_id weights = segments_add_lines(
        s, "weights", own, segments_load(s, response, s->chain->algebra->element, 2, index, NULL));
    s->out->stages.item[weights.index]->kind = STAGE_TABLE; /* of coefficients alone */
    return weights;
}

/* The row of the sweep's carry that is computed before the one at hand. */
static const struct expr *row_before(const struct segments *s, unsigned sweep)
{
    return segments_plus(s, s->j, s->chain->sweep[sweep].reversed ? 1 : -1);
}

const struct expr *segments_before_carry(const struct segments *s, unsigned sweep, unsigned place)
{
    const struct carry_algebra *algebra = s->chain->algebra;
    const struct border start[2] = {
        {.rule = BORDER_CONSTANT, .value = carry_zero(segments_pool(s), algebra->element)},
        {.rule = BORDER_NONE}};
    const struct expr *const state[2] = {row_before(s, sweep), segments_integer(s, place)};
    return segments_load(s, (uint32_t)s->out->stages.count, algebra->element, 2, state, start);
}

/* carry[j] is the state with which segment j begins, or segment j - 1 of sweeps that run backward;
 * what is before all is not read by segments. */
stage_id segments_add_carry(struct segments *s, unsigned sweep, struct stage_axis places,
                            const struct expr *value)
{
    const struct carry_algebra *algebra = s->chain->algebra;
    const struct stage_axis own[2] = {
        segments_box(s->segment_name, s->j, segments_integer(s, 0), segments_plus(s, s->count, 1)),
        places};
    const struct stage stage = {
        .kind = STAGE_RECURRENCE,
        .name = segments_stage_name(s, s->last->name, sweep == 0 ? "carry" : "carry_back"),
        .span = s->last->span,
        .is_made = true,
        .element = algebra->element,
        .interval = scalar_info[algebra->element].interval,
        .repeat = s->last->repeat,
        .rank = s->lead + 2 + s->trail,
        .axis = segments_axes(s, 2, own),
        .value = value,
        .details = segments_of_little(s),
        .as.recurrence = {.axis = s->lead, .reversed = s->chain->sweep[sweep].reversed}};
    return graph_add_stage(s->context->output, s->out, stage);
}

const struct expr *segments_weight(const struct segments *s, const struct segments_states *states,
                                   unsigned slot, const struct expr *behind)
{
    const struct expr *const index[2] = {segments_integer(s, slot),
                                         region_sum(segments_pool(s), behind, s->base, -1)};
    return segments_load(&states->of_matrix, states->matrix.index, s->chain->algebra->element, 2,
                         index, NULL);
}

void segments_add_carry_from(struct segments *s, unsigned sweep,
                             const struct segments_states *states, const struct expr *ends)
{
    const struct carry_algebra *algebra = s->chain->algebra;
    const struct chain_sweep *own = &s->chain->sweep[sweep];
    const struct stage_axis places = segments_along_places(s, own->order);
    const struct expr *const behind = segments_place_behind(s, sweep, places.variable);
    const struct expr *value =
        expr_substitute(segments_pool(s), s->context->scratch, ends, s->i, behind);
    for (unsigned k = 0; k < own->order; k++)
        value =
            carry_step(segments_pool(s), algebra, segments_weight(s, states, own->slot + k, behind),
                       segments_before_carry(s, sweep, k), value);
    s->carry[sweep] = segments_add_carry(s, sweep, places, value);
}

static struct segments_states states_of(const struct segments *s)
{
    return (struct segments_states){.of_matrix = segments_of_matrix(s, !differs_by_line(s))};
}

struct segments_states segments_add_states(struct segments *s)
{
    struct segments_states states = states_of(s);
    states.ends = segments_add_ends(s, SEGMENTS_ZERO, NULL);
    states.matrix = segments_add_matrix(&states.of_matrix);
    segments_add_carry_from(s, 0, &states, segments_end(s, &states.ends, s->i));
    return states;
}

/* ---- The way back ---- */

/* The last samples of the second sweep on what is left of the line, with which it begins the
 * segments. */
static const struct expr *state_behind_rest(const struct segments *s, const uint32_t rest[])
{
    const struct chain *chain = s->chain;
    const struct carry_algebra *algebra = chain->algebra;
    struct expr_pool *pool = segments_pool(s);
    const struct chain_sweep *sweep = &chain->sweep[1];
    const struct expr *sample[CHAIN_MOST_MEMBERS];
    const struct expr *to_rest = sweep->reversed
                                     ? region_sum(pool, segments_behind_all(s), s->base, -1)
                                     : segments_integer(s, -s->size);
    for (size_t m = 0; m < chain->count; m++) {
        const struct chain_member *member = &chain->member[m];
        const int64_t end = (int64_t)member->slot - sweep->slot + member->lags;
        const struct border border = {.rule = BORDER_CLAMP};
        const struct expr *const index =
            region_sum(pool, to_rest, segments_plus(s, s->i, sweep->reversed ? end : -end), 1);
        if (member->sweep == 1 && member->lags > 0)
            sample[m] = carry_convert(
                pool, algebra, algebra->element,
                segments_load(s, rest[m], member->stage->element, 1, &index, &border));
    }
    return state_of_sweep(s, 1, sample);
}

/* Tails, and what the state of the first sweep adds to them. */
static const struct expr *tails_back(const struct segments *s, const struct segments_states *states)
{
    const struct carry_algebra *algebra = s->chain->algebra;
    const struct expr *value = end_at_rest(s, &states->ends, row_before(s, 1), s->i);
    for (unsigned k = 0; k < s->chain->sweep[0].order; k++) {
        const struct expr *const state[2] = {s->j, segments_integer(s, k)};
        value = carry_step(segments_pool(s), algebra, segments_weight(s, states, k, s->i),
                           segments_load(s, s->carry[0].index, algebra->element, 2, state, NULL),
                           value);
    }
    return value;
}

void segments_add_states_back(struct segments *s, const struct segments_states *states,
                              const uint32_t rest[])
{
    const struct expr *is_first = is_before_all(s, s->chain->sweep[1].reversed, s->j);
    segments_add_carry_from(
        s, 1, states,
        expr_select(segments_pool(s), is_first, state_behind_rest(s, rest), tails_back(s, states)));
}

void segments_add_states_behind(struct segments *s, const uint32_t rest[])
{
    struct segments_states states = states_of(s);
    states.ends = segments_add_ends(s, SEGMENTS_ZERO, NULL);
    states.ends.before = state_behind_rest(s, rest);
    states.matrix = segments_add_matrix(&states.of_matrix);
    segments_add_carry_from(s, 1, &states, segments_end(s, &states.ends, s->i));
}
