#include "loop/lines/grid_thread.h"

static const struct statement *sweep(struct lines *l, size_t begin, size_t end)
{
    struct statement_items items = {0};
    for (size_t i = begin; i < end; i++)
        VECTOR_PUSH(l->context->scratch, &items, lines_inside(l, i, l->body[i]));
    return lines_loop(
        l, LEVEL_SERIAL, l->variable, l->from, l->to,
        statement_block(l->context->output, l->group->sink->span, items.count, items.item),
        l->reversed);
}

const struct statement *grid_line_of_thread(struct lines *l, const struct expr *common)
{
    struct statement_items items = {0};
    for (size_t i = 0; i + 1 < l->group->count; i++)
        if (l->buffer[i]->space == SPACE_REGISTER) /* else the block has it, or memory */
            lines_allocate(l, &items, l->buffer[i]);
    for (size_t begin = 0, end; begin < l->group->count; begin = end) {
        end = lines_sweep_end(l, begin);
        lines_begin_sweep(l, common, begin, end);
        VECTOR_PUSH(l->context->scratch, &items, sweep(l, begin, end));
    }
    return statement_block(l->context->output, l->group->sink->span, items.count, items.item);
}
