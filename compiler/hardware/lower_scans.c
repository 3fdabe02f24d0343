/* Recurrences: pipes that read their own results. */
#include "hardware/lowering.h"
#include "expr/affine.h"
#include "hardware/delay.h"

/* Which of the axes of lines and places the recurrence runs along. False after a refusal. */
static bool scan_axis(struct lowering *l, enum raster *axis)
{
    const struct shape *own = l->own;
    const bool reversed = l->stage->as.recurrence.reversed;
    for (unsigned r = 0; r < RASTER_COUNT; r++)
        if (own->axis[r] == l->stage->as.recurrence.axis) {
            *axis = (enum raster)r;
            if (!reversed)
                return true;
        }
    refuse_stage(l, REFUSED_SELF,
                 reversed ? "from the end of the frame on" : "along an axis of channels", NULL);
    return false;
}

/* How many lines or places before the load is; 0 after a refusal. */
static int64_t steps_before(struct lowering *l, const struct expr *load, enum raster axis)
{
    const struct shape *own = l->own;
    const enum raster other = axis == RASTER_LINES ? RASTER_TOKENS : RASTER_LINES;
    const struct expr *variable = l->stage->axis[own->axis[axis]].variable;
    const struct affine along = affine_from(load->operand[own->axis[axis]]);
    const bool straight =
        own->axis[other] == NO_AXIS ||
        load->operand[own->axis[other]] == l->stage->axis[own->axis[other]].variable;
    if (straight && along.exact && along.count == 1 && affine_coefficient(&along, variable) == 1 &&
        along.constant < 0)
        return -along.constant;
    refuse_stage(l, REFUSED_SELF, "at places that are not straight before", NULL);
    return 0;
}

/* The result some steps before, or the number that stands for it where there is none. */
const struct expr *lowering_own_result(struct lowering *l, const struct expr *load)
{
    enum raster axis = RASTER_LINES;
    struct expr_pool *pool = l->values.pool;
    const struct shape *own = l->own;
    if (!scan_axis(l, &axis))
        return load;
    const int64_t steps = steps_before(l, load, axis);
    const struct border border = border_of(load, own->axis[axis]);
    const bool is_number = border.rule == BORDER_ZERO ||
                           (border.rule == BORDER_CONSTANT && border.value->kind == EXPR_INTEGER);
    if (!steps)
        return load;
    if (!is_number) {
        refuse_stage(l, REFUSED_SELF, "from an initial state that is not a number", NULL);
        return load;
    }
    if (steps >= own->extent[axis]) {
        refuse_stage(l, REFUSED_SELF_SMALL, "farther away than the image is large", NULL);
        return load;
    }
    l->state_taps = steps > l->state_taps ? (unsigned)steps : l->state_taps;
    const unsigned element = (unsigned)(steps - 1) * own->lanes + lane_of(l, load);
    const struct interval kept =
        load->scalar == SCALAR_BOOL ? (struct interval){0, 1} : l->stage->interval;
    const struct expr *before = circuit_element(pool, PIPE_STATE, element, kept);
    const struct expr *position =
        circuit_position(pool, &l->session->symbols, axis, own->extent[axis]);
    const struct expr *result = expr_select(
        pool, expr_binary(pool, EXPR_LESS, position, expr_integer(pool, steps)),
        expr_integer(pool, border.rule == BORDER_ZERO ? 0 : border.value->as.integer), before);
    return load->scalar == SCALAR_BOOL
               ? expr_binary(pool, EXPR_NOT_EQUAL, result, expr_integer(pool, 0))
               : result;
}

/* A pipe that reads its own results. Those of lines are in memory when the next line wants them: a
 * line is longer than the pipe. */
void lowering_make_scan(struct lowering *l, struct process *pipe)
{
    enum { MORE = 4 };
    const size_t count = pipe->as.pipe.count;
    pipe->kind = PROCESS_SCAN;
    pipe->out.interval = interval_hull(pipe->out.interval, l->stage->interval);
    pipe->as.pipe.state.taps = l->state_taps;
    scan_axis(l, &pipe->as.pipe.state.axis);
    if (pipe->as.pipe.state.axis == RASTER_TOKENS) {
        const unsigned delay = loop_delay(l->values.scratch, pipe->as.pipe.value, count);
        if (delay > MOST_LOOP_DELAY)
            refuse_stage(l, REFUSED_LOOP,
                         lowering_number(l, (delay + DELAY_OF_ADDER - 1) / DELAY_OF_ADDER), NULL);
        return;
    }
    uint32_t depth = 0;
    for (size_t i = 0; i < count; i++)
        depth = pipe->as.pipe.value[i]->depth > depth ? pipe->as.pipe.value[i]->depth : depth;
    if (pipe->out.tokens <= 2 * depth + MORE)
        refuse_stage(
            l, REFUSED_SELF_SMALL,
            arena_format(l->values.arena, "on lines of fewer than %u places", 2 * depth + MORE + 1),
            NULL);
}
