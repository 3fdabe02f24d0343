/* Lines on a grid:
 *   loop y.blocks grid_y { loop x.block grid_x { loop x.thread block_x {
 *       if (32 x.block + x.thread < n) {
 *           let x = …  allocate down
 *           loop y serial { store down … }
 *           loop y serial reversed { store up …  store out … } } } } } }
 * If there are more axes than a grid has, the slowest ones are loops in the thread. */
#include "loop/lines/grid_lines.h"

#include "loop/lines/grid_rows.h"
#include "loop/lines/grid_thread.h"

/* The axes of the nest, those of the sink, the fastest first, but the one along the lines. */
static unsigned find_axes(const struct lines *l, const struct buffer *stored,
                          struct grid_axis axis[])
{
    struct pass_context *context = l->context;
    const struct line_group *group = l->group;
    const struct stage *sink = group->sink;
    unsigned count = 0;
    for (unsigned k = sink->rank; k-- > 0 && count < GRID_MOST_AXES;)
        if (k != group->along) {
            const int64_t tile = grid_tile(context, sink->id.index, count);
            axis[count++] = (struct grid_axis){sink->axis[k].name,
                                               sink->axis[k].variable,
                                               stored->axis[k].first,
                                               stored->axis[k].extent,
                                               tile,
                                               1};
        }
    if (group->panels) {
        axis[0].tile = group->lane_count;
        axis[1].tile = grid_segments_across(context, group);
    }
    return count;
}

/* Axes beyond those that a grid has are loops of a thread. */
static const struct statement *over_other_axes(const struct lines *l, const struct buffer *stored,
                                               const struct statement *work)
{
    const struct stage *sink = l->group->sink;
    unsigned count = 0;
    for (unsigned k = sink->rank; k-- > 0;)
        if (k != l->group->along && ++count > GRID_MOST_AXES)
            work = STATEMENT_NEW(l->context->output, sink->span, .kind = STATEMENT_LOOP,
                                 .as.loop = {sink->axis[k].variable, stored->axis[k].first,
                                             stored->axis[k].extent, LEVEL_SERIAL, work});
    return work;
}

const struct statement *grid_lines(struct pass_context *context, struct program *program,
                                   const struct line_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[],
                                   const struct grid_all_behind *behind)
{
    const struct expr *common;
    struct lines l = lines_of_group(context, program, group, buffer, body, &common);
    const struct stage *sink = group->sink;
    const struct buffer stored = *buffer[group->count - 1]; /* buffers are added */
    struct grid_axis axis[GRID_MOST_AXES];
    struct grid_shared shared = {0};
    const unsigned count = find_axes(&l, &stored, axis);
    const struct statement *work =
        grid_add_beside(&l, axis, behind, grid_line_of_thread(&l, common));
    work = over_other_axes(&l, &stored, work);
    if (group->panels)
        grid_add_across(&l, axis, behind, &shared);
    else if (sink->kind != STAGE_TABLE) /* which the host computes */
        work = grid_add_rows(&l, axis, count, &stored, behind->items.count > 0, work, &shared);
    return grid_nest(context, NULL, sink->span, count, axis, shared.count ? &shared : NULL, work);
}
