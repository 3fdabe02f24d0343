#include "graph/segments/segment_choices.h"

#include "graph/recurrence/feedback.h"
#include "graph/segments/segments.h"
#include "graph/placement/held_recurrences.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"

#include <string.h>

/* On a grid, lines beside each other are too few whatever their number: thousands of threads wait
 * for work. */
static bool is_grid(const struct pass_context *context)
{
    return context->target->execution == EXECUTION_GRID;
}

enum lines { LINES_FEW, LINES_PERHAPS_FEW, LINES_MANY };

/* Beside each other, as far as it is known: channels are called c, and may be few. */
static enum lines lines_of(const struct segment_choices *c, const struct stage *stage,
                           unsigned along)
{
    const int64_t few = choice_value(c->context, CHOICE_FEW_LINES);
    int64_t lines = 1;
    bool known = true;
    for (unsigned k = 0; k < stage->rank && lines <= few; k++) {
        if (k == along)
            continue;
        const int64_t expected = graph_expected(c->in, stage->axis[k].computed_extent);
        const bool channels = axis_is_of_channels(stage->axis[k].name);
        lines *= expected > 0 ? expected : channels ? 1 : few + 1;
        known = known && expected > 0;
    }
    return lines > few ? LINES_MANY : known ? LINES_FEW : LINES_PERHAPS_FEW;
}

/* Lines beyond which there are no segments, for they lie beside each other already; 0: any
 * number. */
static int64_t most_lines_for(const struct pass_context *context, const struct stage *last,
                              unsigned along)
{
    bool known = true;
    for (unsigned k = 0; k < last->rank; k++)
        known = known && (k == along || last->axis[k].computed_extent->kind == EXPR_INTEGER);
    if (stage_is_segmented(last))
        return last->rank > 1 ? last->schedule->tile[line_lanes(last, along)] : 0;
    return known || is_grid(context)
               ? 0
               : choose(context, last->id.index, CHOICE_FEW_LINES, 0, CHOICE_MOST);
}

/* On a grid one thread carries the state of a line from segment to segment. Few lines keep few
 * threads at work, so their segments are longer. */
static enum choice size_choice(const struct segment_choices *c, const struct stage *last,
                               unsigned along)
{
    return is_grid(c->context) && lines_of(c, last, along) != LINES_MANY ? CHOICE_SEGMENT_OF_FEW
                                                                         : CHOICE_SEGMENT;
}

/* Whether short segments leave a state about as well as lines that are not cut: the matrix, itself
 * the result of so many steps, loses what clustered poles make it large by. Of coefficients that
 * are not known here, order 2 is taken to be well. */
static bool is_calm(const struct segment_choices *c, const struct stage *stage, int64_t lags,
                    enum choice size)
{
    enum { MOST_GROWTH = 8, MOST_UNKNOWN_LAGS = 2 };
    struct feedback feedback;
    return feedback_of(c->in, c->context->pool, c->context->scratch, stage, &feedback)
               ? feedback_growth(&feedback, choice_value(c->context, size)) <= MOST_GROWTH
               : lags <= MOST_UNKNOWN_LAGS;
}

/* Whether a matrix in f64 tells the states well enough: it is a product of what clustered poles
 * make large, and a recurrence of high order in which one of them lasts loses some digits from
 * segment to segment, 2e-13 of the greatest sample at order 8. */
static bool is_exact_enough(const struct segment_choices *c, const struct stage *last,
                            const struct chain *chain)
{
    enum { MOST_LAGS = 4 };
    bool exact = true;
    for (size_t m = 0; m < chain->count && last->element == SCALAR_F64; m++) {
        const struct chain_member *member = &chain->member[m];
        exact = exact && member->lags <= MOST_LAGS &&
                (!is_grid(c->context) || member->stage->kind != STAGE_RECURRENCE ||
                 is_calm(c, member->stage, member->lags, size_choice(c, last, chain->axis)));
    }
    return exact;
}

/* A sum of integers takes a cycle a sample, line by line: segments pay where many threads share
 * them, and a schedule wants that. */
static bool is_cheap(const struct chain *chain)
{
    return chain->algebra->wraps && chain->order == 1;
}

/* Samples of a line below which it is not cut: it would have few segments, or its steps take less
 * than launches of the kernels more. */
static int64_t shortest_line(const struct pass_context *context, const struct chain *chain,
                             enum choice size)
{
    const int64_t launch = machine_launch_cost(target_machine(context->target));
    return choice_value(context, CHOICE_SEGMENT_LINE) * choice_value(context, size) +
           choice_value(context, CHOICE_SEGMENT_KERNELS) * launch /
               (choice_value(context, CHOICE_SEGMENT_STEP) * (int64_t)chain->count);
}

/* Of a segment; 0: there are none. */
static int64_t size_for(const struct segment_choices *c, const struct stage *last,
                        const struct chain *chain)
{
    enum { FEW = 4 }; /* samples more than the order that a short one has */
    const struct pass_context *const context = c->context;
    const struct expr *extent = last->axis[chain->axis].computed_extent;
    const enum choice size = size_choice(c, last, chain->axis);
    if (last->schedule) {
        const int64_t asked = stage_is_segmented(last) ? last->schedule->tile[chain->axis] : 0;
        return asked >= chain->order ? asked : 0;
    }
    if (stage_may_move(last) && !choose_whether(context, last->id.index, CHOICE_SEGMENT_MAPS, true))
        return 0;
    const bool is_short =
        extent->kind == EXPR_INTEGER && extent->as.integer < shortest_line(context, chain, size);
    const bool pays =
        !is_short && (!is_cheap(chain) || is_grid(context)) && is_exact_enough(c, last, chain);
    const bool is_long = choose_whether(context, last->id.index, CHOICE_SEGMENT_LONG, true);
    return pays || context->random_schedule ? choose(context, last->id.index, size, chain->order,
                                                     is_long ? CHOICE_MOST : chain->order + FEW)
                                            : 0;
}

/* There and back at once, or each by itself. */
static unsigned most_sweeps_for(const struct pass_context *context, const struct stage *last)
{
    return !stage_is_segmented(last) &&
                   choose_whether(context, last->id.index, CHOICE_SWEEPS_APART, false)
               ? 1
               : CHAIN_MOST_SWEEPS;
}

/* Whether segments can be left to the rest at run time, at no cost: its lines are then what they
 * would be without segments, beside no other recurrences with which they could be computed. */
static bool is_alone(const struct segment_choices *c, const struct chain *chain)
{
    size_t recurrences = 0;
    for (size_t m = 0; m < chain->count; m++)
        recurrences += chain->member[m].stage->kind == STAGE_RECURRENCE;
    return recurrences == c->recurrences;
}

/* Whether the chain may be in segments, as far as its lines go. */
static bool may_be_in_segments(const struct segment_choices *c, const struct chain *chain,
                               const struct stage *last)
{
    const enum lines lines = lines_of(c, last, chain->axis);
    return stage_is_segmented(last) || c->context->random_schedule || is_grid(c->context) ||
           lines == LINES_FEW || (lines == LINES_PERHAPS_FEW && is_alone(c, chain));
}

/* Along which axis lines may be cut: what is asked for, or any of which there are few beside each
 * other. */
static bool may_run_along(const struct segment_choices *c, const struct stage *last, unsigned axis)
{
    if (stage_is_segmented(last))
        return schedule_runs_along(last->schedule, axis);
    const bool is_chosen =
        choose_or(c->context, last->id.index, CHOICE_SEGMENT_AXIS, axis, 0, last->rank - 1) == axis;
    return c->context->random_schedule
               ? is_chosen || last->kind == STAGE_RECURRENCE
               : is_chosen && (is_grid(c->context) || lines_of(c, last, axis) != LINES_MANY);
}

/* Of two sweeps, or of the last one where both together lose too much, whether the program places
 * the other one or not. */
static const struct chain *chain_along(const struct segment_choices *c, const struct stage *last,
                                       unsigned axis)
{
    const struct chain *chain = NULL;
    for (unsigned sweeps = most_sweeps_for(c->context, last); sweeps > 0; sweeps--) {
        chain =
            chain_of(c->in, c->context->pool, c->context->scratch, c->readers, last, axis, sweeps);
        if (!chain || chain->sweeps < 2 || stage_is_segmented(last) ||
            is_exact_enough(c, last, chain))
            break;
    }
    return chain;
}

static const struct chain *find_chain(const struct segment_choices *c, const struct stage *last)
{
    const struct chain *chain = NULL;
    for (unsigned axis = last->rank; axis-- > 0 && !chain;) {
        if (may_run_along(c, last, axis))
            chain = chain_along(c, last, axis);
        chain = chain && may_be_in_segments(c, chain, last) ? chain : NULL;
    }
    return chain;
}

/* Whether tiles of blocks of threads hold all its recurrences. */
static bool is_held(const struct segment_choices *c, const struct chain *chain)
{
    bool held = true;
    for (size_t m = 0; m < chain->count; m++) {
        const struct stage *stage = chain->member[m].stage;
        held = held && (stage->kind != STAGE_RECURRENCE ||
                        recurrence_is_held(c->context, c->in, c->readers, stage));
    }
    return held;
}

static void note_source(const struct expr *node, void *among)
{
    if (node->kind == EXPR_LOAD)
        ((bool *)among)[node->as.load.source] = true;
}

/* The last recurrence along the axis that the stage is computed from, or is; NULL: none. */
static const struct stage *recurrence_before(const struct segment_choices *c,
                                             const struct stage *last, unsigned axis)
{
    bool *among = ARENA_ARRAY(c->context->scratch, bool, c->in->stages.count + 1);
    among[last->id.index] = true;
    for (size_t i = last->id.index + 1; i-- > 0;) {
        const struct stage *stage = c->in->stages.item[i];
        if (among[i] && stage->kind == STAGE_RECURRENCE && stage->as.recurrence.axis == axis)
            return stage;
        if (among[i])
            stage_nodes(stage, c->context->scratch, note_source, among);
    }
    return NULL;
}

/* Why no chain along the axis ends in the stage. */
static const char *reason_of_chain(const struct segment_choices *c, const struct stage *last)
{
    const unsigned axis = last->schedule->as.lines.axis;
    const struct stage *recurrence = recurrence_before(c, last, axis);
    return !recurrence ? "it is no recurrence along that axis, nor computed from one"
           : !stage_has_places_of(recurrence, last, axis)
               ? "its recurrence has other places: one that soon forgets begins outside of its box"
               : "its recurrence is not linear with coefficients that stay the same along the line";
}

static void choose_for(struct segment_choices *c, const struct stage *last)
{
    const bool fits = last->rank > 0 && last->rank + 1 <= GRAPH_MAX_RANK;
    const bool inside = c->inside[last->id.index];
    const struct chain *chain = fits && !inside ? find_chain(c, last) : NULL;
    if (!chain && stage_is_segmented(last))
        decline(c->context, last, REMARK_SEGMENTS, "%s",
                fits ? reason_of_chain(c, last) : "it has too many axes");
    if (!chain)
        return;
    const bool has_tiles = !stage_is_segmented(last) && stage_has_others(c->in, last);
    const bool held = is_held(c, chain);
    const int64_t size = has_tiles || held ? 0 : size_for(c, last, chain);
    if (held)
        decline(c->context, last, REMARK_SEGMENTS, "blocks of threads hold it in tiles");
    else if (size == 0 && stage_is_segmented(last))
        decline(c->context, last, REMARK_SEGMENTS,
                "it looks back for %u samples, more than a block has", chain->order);
    for (size_t m = 0; m < chain->count; m++) {
        const uint32_t member = chain->member[m].stage->id.index;
        c->inside[member] = true;
        c->replaced[member] = c->replaced[member] || size > 0;
    }
    if (size == 0)
        return;
    c->choice[last->id.index] =
        (struct segment_choice){.chain = chain,
                                .size = size,
                                .most_lines = most_lines_for(c->context, last, chain->axis),
                                .few = lines_of(c, last, chain->axis) != LINES_MANY};
    c->any = true;
}

static size_t count_recurrences(const struct graph *in)
{
    size_t count = 0;
    for (size_t i = 0; i < in->stages.count; i++)
        count += in->stages.item[i]->kind == STAGE_RECURRENCE;
    return count;
}

struct segment_choices segment_choices_of(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct segment_choices c = {.in = in,
                                .recurrences = count_recurrences(in),
                                .context = context,
                                .choice =
                                    ARENA_ARRAY(context->scratch, struct segment_choice, count),
                                .inside = ARENA_ARRAY(context->scratch, bool, count),
                                .replaced = ARENA_ARRAY(context->scratch, bool, count)};
    if (c.recurrences == 0)
        return c;
    c.readers = graph_readers(in, context->scratch);
    for (size_t i = in->stages.count; i-- > 0;)
        choose_for(&c, in->stages.item[i]);
    if (c.any) {
        segment_choose_overlap(&c);
        segment_choose_tiles(&c);
    }
    return c;
}
