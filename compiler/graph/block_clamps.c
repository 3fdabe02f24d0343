/* The states with which blocks begin of a recurrence that follows itself up to limits. What a block makes of a state is such a
 * step, too:
 *     carry[j + 1] = min(max(factor^B carry[j] + offsets[j], least[j]), greatest[j])
 *     offsets: the block without limits, from 0
 *     least:   the block from less than all there is    greatest: from more */
#include "graph/blocks.h"

/* The member without limits: factor × itself + offset. */
static const struct stage *without_limits(const struct blocks *b)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct clamped_form *form = b->chain->clamped;
    const struct expr *const load = form->load, *zero = expr_real(pool, SCALAR_F64, 0);
    struct border border[GRAPH_MAX_RANK] = {{.rule = BORDER_NONE}};
    border[b->chain->axis] = (struct border){.rule = BORDER_CONSTANT, .value = zero};
    const struct expr *before =
        expr_load(pool, load->as.load.source, SCALAR_F64, scalar_info[SCALAR_F64].interval,
                  load->count, load->operand, border);
    struct stage *stage = arena_copy(
        b->context->scratch, graph_stage(b->in, (stage_id){load->as.load.source}), sizeof *stage);
    stage->element = SCALAR_F64;
    stage->interval = scalar_info[SCALAR_F64].interval;
    stage->value = form->factor ? carry_step(pool, &carry_reals, form->factor, before, form->offset)
                                : expr_binary(pool, EXPR_ADD, before, form->offset);
    return stage;
}

/* Its state has one place. */
static const struct expr *end_of(const struct blocks *b, stage_id ends)
{
    const struct expr *const place[2] = {b->j, blocks_place_behind(b, 0, blocks_integer(b, 0))};
    return blocks_load(b, ends.index, SCALAR_F64, 2, place, NULL);
}

struct clamped_ends {
    struct blocks_states states; /* its ends: offsets alone; the factor is the same for all lines */
    stage_id least, greatest;
};

/* factor^B, or what is as good as 0 beside it, and not 0: an infinity stays one. */
static const struct expr *weight_of(const struct blocks *b, const struct clamped_ends *ends)
{
    const struct expr *const behind = blocks_place_behind(b, 0, blocks_integer(b, 0));
    return expr_binary(blocks_pool(b), EXPR_MAXIMUM, blocks_weight(b, &ends->states, 0, behind),
                       expr_real(blocks_pool(b), SCALAR_F64, 1e-300));
}

/* The line begins in the first block, which so leaves what each of its limits is. */
static const struct expr *step_of(const struct blocks *b, const struct clamped_ends *ends)
{
    const struct clamped_form *form = b->chain->clamped;
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *value = blocks_before_carry(b, 0, 0);
    const struct expr *limit = end_of(b, form->has_least ? ends->least : ends->greatest);
    if (form->factor)
        value = expr_binary(pool, EXPR_MULTIPLY, weight_of(b, ends), value);
    if (form->offset)
        value = expr_binary(pool, EXPR_ADD, value, end_of(b, ends->states.ends));
    if (form->has_least)
        value = expr_binary(pool, EXPR_MAXIMUM, end_of(b, ends->least), value);
    if (form->has_greatest)
        value = expr_binary(pool, EXPR_MINIMUM, end_of(b, ends->greatest), value);
    return expr_select(pool, blocks_is_first(b, blocks_reversed(b) ? 0 : 1), limit, value);
}

void blocks_add_clamped_states(struct blocks *b)
{
    const struct clamped_form *form = b->chain->clamped;
    struct clamped_ends ends = {.states = {.of_matrix = blocks_of_matrix(b, true)}};
    if (form->offset)
        ends.states.ends = blocks_add_ends(b, BLOCKS_ZERO, without_limits(b));
    if (form->factor)
        ends.states.matrix = blocks_add_matrix(&ends.states.of_matrix);
    if (form->has_least)
        ends.least = blocks_add_ends(b, BLOCKS_LEAST, NULL);
    if (form->has_greatest)
        ends.greatest = blocks_add_ends(b, BLOCKS_GREATEST, NULL);
    b->carry[0] = blocks_add_carry(b, 0, blocks_along_places(b, 1), step_of(b, &ends));
}
