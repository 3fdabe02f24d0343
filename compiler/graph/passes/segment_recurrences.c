/* segment_recurrences: graph → graph. Cuts the lines of a chain of linear recurrences into
 * segments, which are computed side by side as if they were lines of an image. Does so if there are
 * few lines, or if the schedule asks for it:
 *   before: s[x] = in[x] + a s[x - 1]   out[x] = round(s[x])
 *   after:  x = B j + i, segment j
 *           local:    at rest where the segment begins, its last samples alone:   s.local[j, i]   out.tails[j, i]
 *           response: what a state becomes behind B samples, a matrix:          s.response[k, i]   out.matrix[k, i]
 *                     of constant coefficients, within limits, numbers once evaluate_matrices has been there
 *           carry:    the state where a segment begins:                           out.carry[j + 1] = tails[j] + matrix carry[j]
 *           segments:   the samples, each segment from its own state:               s[j, i]   out.segments[j, i]
 *           rest:     what is left of the line, fewer than a segment:             s.rest[x]   out.rest[x]
 *           out joined of out.segments and out.rest, which are stored in its place
 * A line is read twice and written once, for any number of recurrences forward and back, and
 * segments are independent. Lines that run backward have their rest before the segments. The state
 * is carried in f64. Afterwards the last stage of each such chain is `joined` and reads only its
 * parts; group_lines computes several segments together. On a grid each thread computes one
 * segment. */
#include "graph_pass.h"
#include "graph/segments/segment_choices.h"
#include "graph/segments/segments.h"
#include "graph/placement/line_groups.h"

/* ---- Samples ---- */

/* What is stored, apart from a recurrence that it is of, or from what others read of the tile. */
static uint32_t stored(struct segments_copy *c, const struct stage_axis own[])
{
    struct segments *s = c->s;
    const uint32_t state = c->stage[s->chain->count - 1];
    if (stage_may_move(s->last) && !(c->rank == 2 && s->choice->keeps))
        return state;
    const struct expr *const index[2] = {own[0].variable, own[c->rank - 1].variable};
    struct stage stage = *s->out->stages.item[state];
    stage.kind = STAGE_MAP;
    stage.name = segments_stage_name(s, stage.name, "stored");
    stage.value = segments_load(s, state, stage.element, c->rank, index, NULL);
    return graph_add_stage(s->context->output, s->out, stage).index;
}

static uint32_t add_segments(struct segments *s)
{
    const struct chain *chain = s->chain;
    struct segments_copy segments = {.s = s,
                                     .part = "blocks",
                                     .is_final = true,
                                     .rank = 2,
                                     .shift = segments_begin(s, 0),
                                     .along = s->i};
    for (unsigned p = 0; p < chain->sweeps; p++) {
        segments.sweep[p].at = segments_before(s, p);
        segments.sweep[p].row = segments_plus(s, s->j, chain->sweep[p].reversed ? 1 : 0);
    }
    segments.sweep[0].begins = segments_is_first(s, 0); /* another one begins on the rest */
    struct stage_axis own[2] = {segments_along_all(s, 0)};
    segments_copy_rows(&segments, NULL);
    for (size_t m = 0; m < chain->count; m++) {
        own[1] = segments_along(s, SEGMENTS_SAMPLES, chain->member[m].sweep);
        segments_copy_member(&segments, m, own);
    }
    s->kept = segments.stage[chain->count - 1];
    s->sink = stored(&segments, own);
    s->out->stages.item[s->sink]->schedule = segments_line_by_line(s, 2);
    return s->sink;
}

/* The coordinate of what is left of the line, on which the first sweep may go beyond where the last
 * one begins. */
static const struct expr *variable_of_rest(const struct segments *s)
{
    const struct expr *x = segments_line(s)->variable;
    struct interval all = x->interval;
    for (size_t m = 0; m < s->chain->count; m++)
        all =
            interval_hull(all, s->chain->member[m].stage->axis[s->chain->axis].variable->interval);
    return interval_inside(all, x->interval)
               ? x
               : expr_variable(segments_pool(s), VARIABLE_INDEX, segments_line(s)->name, SCALAR_I64,
                               all);
}

/* Samples of a line that all members have: a sweep may end before the next one begins. */
static const struct expr *shortest_line(const struct segments *s)
{
    const struct expr *extent = segments_line(s)->computed_extent;
    for (size_t m = 0; m < s->chain->count; m++)
        extent = region_minimum(segments_pool(s), extent,
                                s->chain->member[m].stage->axis[s->chain->axis].computed_extent);
    return extent;
}

/* What is left of the line, or, for the second sweep to begin with, as much as it needs where there
 * are no segments: so much of the shortest line, and of others what is beyond its end. */
static const struct expr *left_of_line(const struct segments *s, bool to_turn)
{
    struct expr_pool *pool = segments_pool(s);
    const struct expr *line = segments_line(s)->computed_extent;
    const struct expr *left = region_sum(pool, line, s->count, -s->size);
    if (!to_turn)
        return left;
    const struct expr *beyond = region_sum(pool, line, shortest_line(s), -1);
    const struct expr *needed =
        region_minimum(pool, line, segments_plus(s, beyond, s->choice->room));
    return expr_select(pool, expr_binary(pool, EXPR_EQUAL, s->count, segments_integer(s, 0)),
                       needed, left);
}

/* Of a member's line, which may go on beyond that of the chain where the first sweep ends, and on
 * lines of a few samples begin before it. */
static struct stage_axis along_rest(const struct segments *s, const struct expr *x,
                                    const struct expr *left, const struct stage *member)
{
    struct expr_pool *pool = segments_pool(s);
    const struct stage_axis *line = segments_line(s), *own = &member->axis[s->chain->axis];
    const struct expr *beyond = region_sum(pool, own->computed_extent, line->computed_extent, -1);
    const struct expr *end = region_sum(pool, own->computed_first, line->computed_extent, 1);
    return segments_box(
        line->name, x, segments_reversed(s) ? own->computed_first : region_sum(pool, end, left, -1),
        region_sum(pool, left, beyond, 1));
}

/* A thread has whole lines of what is computed sample by sample there, too, so that it can go on to
 * what reads them. */
static void compute_by_lines(const struct segments *s, uint32_t stage)
{
    struct stage *made = s->out->stages.item[stage];
    if (made->kind == STAGE_MAP)
        made->schedule = segments_line_by_line(s, 1);
}

/* The members there; for the second sweep to begin with, those that its state depends on. */
static struct segments_copy copy_rest(struct segments *s, const char *part, const struct expr *left,
                                      bool to_turn)
{
    struct expr_pool *pool = segments_pool(s);
    const struct expr *zero = segments_integer(s, 0);
    const bool reversed = segments_reversed(s);
    struct segments_copy rest = {.s = s,
                                 .part = part,
                                 .is_little = to_turn,
                                 .rank = 1,
                                 .shift = zero,
                                 .along = variable_of_rest(s)};
    rest.sweep[0].at = reversed ? s->base : segments_behind_all(s);
    rest.sweep[0].begins = expr_binary(pool, EXPR_EQUAL, s->count, zero);
    rest.sweep[0].row = reversed ? zero : s->count;
    rest.sweep[1].begins = expr_binary(pool, EXPR_EQUAL, zero, zero);
    struct stage_axis own[CHAIN_MOST_MEMBERS];
    for (size_t m = 0; m < s->chain->count; m++)
        own[m] = along_rest(s, rest.along, left, s->chain->member[m].stage);
    segments_copy_rows(&rest, own);
    for (size_t m = 0; m < s->chain->count; m++) {
        if (to_turn && !s->chain->member[m].feeds)
            continue;
        segments_copy_member(&rest, m, &own[m]);
        if (s->context->target->execution == EXECUTION_GRID && s->lead + s->trail)
            compute_by_lines(s, rest.stage[m]);
    }
    return rest;
}

/* What the second sweep begins with: computed by itself. */
static struct segments_copy add_turn(struct segments *s)
{
    const struct segments_copy turn = copy_rest(s, "turn", left_of_line(s, true), true);
    struct stage *last = s->out->stages.item[s->out->stages.count - 1];
    if (!s->choice->few)
        last->schedule = segments_line_by_line(s, 1);
    return turn;
}

/* Lines of the rest alone, as they would be without segments. */
static uint32_t add_rest(struct segments *s)
{
    const struct expr *left = left_of_line(s, false);
    struct segments_copy rest = copy_rest(s, "rest", left, false);
    const struct stage_axis own[1] = {along_rest(s, rest.along, left, s->last)};
    const uint32_t sink = stored(&rest, own);
    if (s->lead + s->trail)
        s->out->stages.item[sink]->schedule = segments_line_by_line(s, 1);
    return sink;
}

/* For those who ask how it is computed. */
static const struct schedule *in_segments_of(const struct segments *s)
{
    const unsigned rank = s->last->rank, along = s->chain->axis;
    const unsigned lanes = rank > 1 ? line_lanes(s->last, along) : along;
    int64_t *tile = ARENA_ARRAY(s->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k == along ? s->size : k == lanes ? s->choice->most_lines : 1;
    struct schedule schedule = {.placement = PLACED_ROOT,
                                .rank = rank,
                                .tile = tile,
                                .kind = SCHEDULE_LINES,
                                .as.lines = {.axis = along, .segmented = true}};
    if (s->last->schedule)
        schedule.span = s->last->schedule->span;
    return arena_copy(s->context->output, &schedule, sizeof schedule);
}

static void add_joined(struct segments *s, uint32_t segments, uint32_t rest)
{
    struct expr_pool *pool = segments_pool(s);
    const struct expr *x = segments_line(s)->variable;
    const struct expr *size = segments_integer(s, s->size),
                      *from = region_sum(pool, x, s->base, -1);
    const struct expr *const place[2] = {
        expr_binary(pool, EXPR_DIVIDE, from, size),
        region_sum(pool, s->base, expr_binary(pool, EXPR_REMAINDER, from, size), 1)};
    struct stage joined = *s->last;
    const struct expr *in_segments = segments_load(s, segments, joined.element, 2, place, NULL);
    const struct expr *in_rest = segments_load(s, rest, joined.element, 1, &x, NULL);
    joined.kind = STAGE_JOINED;
    joined.binding_count = 0;
    joined.schedule = in_segments_of(s);
    const struct expr *value =
        segments_reversed(s)
            ? expr_select(pool, expr_binary(pool, EXPR_LESS, x, s->base), in_rest, in_segments)
            : expr_select(pool, expr_binary(pool, EXPR_LESS, x, segments_behind_all(s)),
                          in_segments, in_rest);
    joined.value = value->scalar == joined.element
                       ? value
                       : expr_convert(pool, CONVERT_EXACT, joined.element, value);
    graph_add_stage(s->context->output, s->out, joined);
}

/* As many segments as there may be: none where there are more lines. */
static const struct expr *most_segments(struct expr_pool *pool, const struct stage *stage,
                                        unsigned along, int64_t most_lines)
{
    const struct expr *limit = expr_integer(pool, most_lines + 1), *lines = expr_integer(pool, 1);
    const struct expr *few = NULL;
    for (unsigned k = 0; k < stage->rank; k++) { /* products stay small */
        if (k == along)
            continue;
        lines = expr_binary(pool, EXPR_MULTIPLY, lines,
                            expr_binary(pool, EXPR_MINIMUM, stage->axis[k].computed_extent, limit));
        const struct expr *less = expr_binary(pool, EXPR_LESS, lines, limit);
        few = few ? expr_binary(pool, EXPR_AND, few, less) : less;
        lines = expr_binary(pool, EXPR_MINIMUM, lines, limit);
    }
    return expr_select(pool, few, expr_integer(pool, INT32_MAX), expr_integer(pool, 0));
}

/* The states with which segments begin. */
static void add_states(struct segments *s)
{
    if (s->chain->clamped) {
        segments_add_clamped_states(s);
    } else if (segments_first_sweep(s) > 0) {
        const struct segments_copy begins = add_turn(s);
        segments_add_states_behind(s, begins.stage);
    } else {
        const struct segments_states states = segments_add_states(s);
        if (s->chain->sweeps < 2)
            return;
        const struct segments_copy begins = add_turn(s);
        segments_add_states_back(s, &states, begins.stage);
    }
}

static void add_chain(struct segments *s)
{
    struct expr_pool *pool = segments_pool(s);
    const struct stage_axis *line = segments_line(s);
    const int64_t order = s->chain->order, ahead = s->chain->ahead;
    const struct interval x = line->variable->interval;
    s->segment_name = segments_part_name(s, line->name, "blocks");
    s->j = expr_variable(pool, VARIABLE_INDEX, s->segment_name, SCALAR_I32,
                         (struct interval){0, INT32_MAX / s->size});
    s->i = expr_variable(
        pool, VARIABLE_INDEX, line->name, SCALAR_I64,
        (struct interval){x.least - order - ahead, x.greatest + s->size + order + ahead});
    s->count = region_maximum(
        pool,
        region_floor_divide(pool, segments_plus(s, shortest_line(s), -s->choice->room), s->size),
        segments_integer(s, 0));
    if (s->choice->most_lines)
        s->count = region_minimum(
            pool, s->count, most_segments(pool, s->last, s->chain->axis, s->choice->most_lines));
    const struct expr *end = region_sum(pool, line->computed_first, line->computed_extent, 1);
    s->base =
        segments_reversed(s) ? region_sum(pool, end, s->count, -s->size) : line->computed_first;
    if (s->again) {
        segments_add_overlapped(s);
        return;
    }
    if (s->choice->is_again) {
        if (s->choice->crosses) /* with the chain that reads it */
            return;
        add_states(s);
        segments_add_of_tile(s, "tile", false);
        return;
    }
    segments_find_rows(s);
    if (s->behind && !segments_fit_tiles(s))
        s->behind = NULL;
    add_states(s);
    const uint32_t rest = add_rest(s); /* a thread that has the states goes on to it */
    add_joined(s, add_segments(s), rest);
}

/* ---- The graph ---- */

static void place(const struct segments_all_placed *all, struct arena *arena, struct graph *graph)
{
    for (size_t i = 0; i < all->items.count; i++) {
        const struct segments_placed *placed = &all->items.item[i];
        struct stage *stage = graph->stages.item[placed->stage];
        struct schedule schedule = {0};
        if (stage->schedule)
            schedule = *stage->schedule;
        schedule.placement = placed->placement;
        schedule.at.index = placed->at;
        stage->schedule = arena_copy(arena, &schedule, sizeof schedule);
    }
}

/* A stage that is not in segments. */
static struct stage other_stage(const struct segment_choices *c, const struct stage *stage,
                                const uint32_t new_id[])
{
    struct renumbering renumbering = {c->context->pool, new_id};
    struct expr_rewriter rewriter = {.pool = c->context->pool,
                                     .rule = graph_renumber_read,
                                     .context = &renumbering,
                                     .scratch = c->context->scratch};
    return stage_rewrite(c->context->output, stage, &rewriter);
}

const struct graph *segment_recurrences(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    const struct segment_choices c = segment_choices_of(in, context);
    if (!c.any)
        return in;
    uint32_t *new_id = ARENA_ARRAY(context->scratch, uint32_t, count);
    const struct segments **segments_of =
        ARENA_ARRAY(context->scratch, const struct segments *, count);
    struct segments_all_placed all_placed = {0};
    struct graph *out = graph_copy_without_stages(context->output, in);
    bool any_rows = false; /* of which there are copies instead */
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        const struct segment_choice *choice = &c.choice[i];
        if (choice->chain) {
            struct segments segments = {
                .context = context,
                .in = in,
                .readers = c.readers,
                .replaced = c.replaced,
                .out = out,
                .new_id = new_id,
                .choice = choice,
                .chain = choice->chain,
                .last = stage,
                .lead = choice->chain->axis,
                .trail = stage->rank - 1 - choice->chain->axis,
                .size = choice->size,
                .again = choice->again ? segments_of[choice->again->id.index] : NULL,
                .behind = choice->before ? segments_of[choice->before->id.index] : NULL,
                .all_placed = &all_placed};
            add_chain(&segments);
            segments_of[i] = arena_copy(context->scratch, &segments, sizeof segments);
            any_rows = any_rows || segments.rows_count;
        }
        new_id[i] =
            (uint32_t)out->stages.count - (choice->chain != NULL); /* it reads itself there */
        if (!c.replaced[i])
            graph_add_stage(context->output, out, other_stage(&c, stage, new_id));
    }
    graph_renumber(context->output, out, new_id);
    place(&all_placed, context->output, out);
    return any_rows ? graph_of_needed(context->output, context->pool, out) : out;
}
