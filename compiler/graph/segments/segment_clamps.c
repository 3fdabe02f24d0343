/* The states with which segments begin of a recurrence that follows itself up to limits. What a
 * segment makes of a state is such a step, too:
 *     carry[j + 1] = min(max(factor^B carry[j] + offsets[j], least[j]), greatest[j])
 *     offsets: the segment without limits, from 0
 *     least:   the segment from less than all there is    greatest: from more */
#include "graph/segments/segments.h"

/* The member without limits: factor × itself + offset. */
static const struct stage *without_limits(const struct segments *s)
{
    struct expr_pool *pool = segments_pool(s);
    const struct clamped_form *form = s->chain->clamped;
    const struct expr *const load = form->load, *zero = expr_real(pool, SCALAR_F64, 0);
    struct border border[GRAPH_MAX_RANK] = {{.rule = BORDER_NONE}};
    border[s->chain->axis] = (struct border){.rule = BORDER_CONSTANT, .value = zero};
    const struct expr *before =
        expr_load(pool, load->as.load.source, SCALAR_F64, scalar_info[SCALAR_F64].interval,
                  load->count, load->operand, border);
    struct stage *stage = arena_copy(
        s->context->scratch, graph_stage(s->in, (stage_id){load->as.load.source}), sizeof *stage);
    stage->element = SCALAR_F64;
    stage->interval = scalar_info[SCALAR_F64].interval;
    stage->value = form->factor ? carry_step(pool, &carry_reals, form->factor, before, form->offset)
                                : expr_binary(pool, EXPR_ADD, before, form->offset);
    return stage;
}

/* Its state has one place. */
static const struct expr *end_of(const struct segments *s, const struct segments_ends *ends)
{
    return segments_end(s, ends, segments_place_behind(s, 0, segments_integer(s, 0)));
}

struct clamped_ends {
    /* its ends: offsets alone; the factor is the same for all lines */
    struct segments_states states;
    struct segments_ends least, greatest;
};

/* factor^B, but at least 1e-300, so that an infinite limit times it stays infinite. */
static const struct expr *weight_of(const struct segments *s, const struct clamped_ends *ends)
{
    const struct expr *const behind = segments_place_behind(s, 0, segments_integer(s, 0));
    return expr_binary(segments_pool(s), EXPR_MAXIMUM, segments_weight(s, &ends->states, 0, behind),
                       expr_real(segments_pool(s), SCALAR_F64, 1e-300));
}

/* The line begins in the first segment, which so leaves what each of its limits is. */
static const struct expr *step_of(const struct segments *s, const struct clamped_ends *ends)
{
    const struct clamped_form *form = s->chain->clamped;
    struct expr_pool *pool = segments_pool(s);
    const struct expr *value = segments_before_carry(s, 0, 0);
    const struct expr *limit = end_of(s, form->has_least ? &ends->least : &ends->greatest);
    if (form->factor)
        value = expr_binary(pool, EXPR_MULTIPLY, weight_of(s, ends), value);
    if (form->offset)
        value = expr_binary(pool, EXPR_ADD, value, end_of(s, &ends->states.ends));
    if (form->has_least)
        value = expr_binary(pool, EXPR_MAXIMUM, end_of(s, &ends->least), value);
    if (form->has_greatest)
        value = expr_binary(pool, EXPR_MINIMUM, end_of(s, &ends->greatest), value);
    return expr_select(pool, segments_is_first(s, segments_reversed(s) ? 0 : 1), limit, value);
}

void segments_add_clamped_states(struct segments *s)
{
    const struct clamped_form *form = s->chain->clamped;
    struct clamped_ends ends = {.states = {.of_matrix = segments_of_matrix(s, true)}};
    if (form->offset)
        ends.states.ends = segments_add_ends(s, SEGMENTS_ZERO, without_limits(s));
    if (form->factor)
        ends.states.matrix = segments_add_matrix(&ends.states.of_matrix);
    if (form->has_least)
        ends.least = segments_add_ends(s, SEGMENTS_LEAST, NULL);
    if (form->has_greatest)
        ends.greatest = segments_add_ends(s, SEGMENTS_GREATEST, NULL);
    s->carry[0] = segments_add_carry(s, 0, segments_along_places(s, 1), step_of(s, &ends));
}
