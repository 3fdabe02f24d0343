/* Lines on a grid:
 *   loop y.blocks grid_y { loop x.block grid_x { loop x.thread block_x {
 *       if (32 x.block + x.thread < n) {
 *           let x = …  allocate down
 *           loop y serial { store down … }
 *           loop y serial reversed { store up …  store out … } } } } } }
 * The slowest axes of many, which a grid has not, are loops in the thread. */
#include "loop/lines/grid_lines.h"

#include "loop/lines/line_places.h"
#include "loop/lower/grid_nest.h"

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

/* The work of the thread whose line it is. */
static const struct statement *line_of_thread(struct lines *l, const struct expr *common)
{
    struct statement_items items = {0};
    for (size_t i = 0; i + 1 < l->group->count; i++)
        lines_allocate(l, &items, l->buffer[i]);
    for (size_t begin = 0, end; begin < l->group->count; begin = end) {
        end = lines_sweep_end(l, begin);
        lines_begin_sweep(l, common, begin, end);
        VECTOR_PUSH(l->context->scratch, &items, sweep(l, begin, end));
    }
    return statement_block(l->context->output, l->group->sink->span, items.count, items.item);
}

const struct statement *grid_lines(struct pass_context *context, struct program *program,
                                   const struct line_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[])
{
    const struct expr *common;
    struct lines l = lines_of_group(context, program, group, buffer, body, &common);
    const struct stage *sink = group->sink;
    const struct buffer *stored = buffer[group->count - 1];
    const struct statement *work = line_of_thread(&l, common);
    struct grid_axis axis[GRID_MOST_AXES];
    unsigned count = 0;
    for (unsigned k = sink->rank; k-- > 0;) {
        if (k == group->along)
            continue;
        const struct expr *first = stored->axis[k].first, *extent = stored->axis[k].extent;
        if (count < GRID_MOST_AXES)
            axis[count] = (struct grid_axis){sink->axis[k].name,
                                             sink->axis[k].variable,
                                             first,
                                             extent,
                                             grid_tile(context, sink->id.index, count),
                                             1};
        else
            work = STATEMENT_NEW(
                context->output, sink->span, .kind = STATEMENT_LOOP,
                .as.loop = {sink->axis[k].variable, first, extent, LEVEL_SERIAL, work});
        count++;
    }
    return grid_nest(context, NULL, sink->span, count < GRID_MOST_AXES ? count : GRID_MOST_AXES,
                     axis, work);
}
