/* Recurrences along one axis, several lines at a time, side by side in lanes:
 *   loop x.block {
 *       let out.x.tile = 64 x.block  let out.x.tile_end = min(…)
 *       allocate down
 *       loop y serial { loop x { store down … } }
 *       loop y serial reversed { loop x { store up … }  loop x { store out … } } }
 * Lines along the fastest axis (rows) are contiguous in memory; strips of them are transposed,
 * computed side by side, and transposed back:
 *       loop x.strip serial {
 *           loop y { loop x { store in.strip[y, x] = in[y, x] } }  loop y turned { loop x { store in.turned[x, y] = in.strip[y, x] } }
 *           loop x serial { loop y { store right[x, y] = in.turned[x, y] + … } } }
 * The number of lanes is constant; if fewer rows are left, the other lanes hold copies of the last
 * row. If rows are computed in bands of lines along columns, each step of a band is computed at
 * once, rows first:
 *       loop y.band serial { kernel { loop x.block wavefront { let out.x.tile = …  loop y.block { … rows from out.x.tile on }
 *                                                              loop y serial { loop x { store out … } } } } }
 * or, if rows are summed in place (line_scans.c), a part of each row just before the place that
 * reads it:
 *                                                              loop y serial { … row from out.x.tile on  loop x { store out … } } } } }
 * Rows continue from the states of the previous step, columns from those of the previous band; so
 * each thread has its own bands, and threads follow one another from step to step. A stage joins
 * the previous sweep if it reads that sweep's stages only at places that are already computed. A
 * stage that only its own sweep reads has a circular buffer of a few places of the line. */
#include "loop/lines/line_nest.h"

#include "analysis/regions.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"
#include "loop/lower/cache_lines.h"
#include "loop/lines/line_places.h"
#include "loop/lines/line_scans.h"
#include "loop/lines/line_strips.h"
#include "loop/lines/line_tiles.h"
#include "loop/rewrite.h"
#include "loop/lower/tile_boxes.h"

#include <assert.h>

/* ---- The group ---- */

static bool is_member(const struct stage *stage, const struct stage *sink)
{
    return stage == sink || stage_is_in_tiles_of(stage, sink);
}

/* Of the stage whose lines are cut in bands. */
static const struct line_band *bands_along(const struct stage *sink, struct pass_context *context)
{
    struct expr_pool *pool = context->pool;
    const unsigned axis = sink->schedule->as.lines.axis;
    const struct stage_axis *along = &sink->axis[axis];
    const int64_t places = sink->schedule->tile[axis];
    const struct expr *size = expr_integer(pool, places);
    struct line_band *band = ARENA_NEW(context->scratch, struct line_band);
    band->axis = axis;
    band->variable = expr_variable(pool, VARIABLE_INDEX,
                                   symbol_format(&context->session->symbols, "%s.%s.band",
                                                 sink->name->text, along->name->text),
                                   SCALAR_I32, (struct interval){0, INT32_MAX / places});
    band->first = region_sum(pool, along->computed_first,
                             expr_binary(pool, EXPR_MULTIPLY, size, band->variable), 1);
    band->end = region_minimum(pool, region_sum(pool, band->first, size, 1),
                               region_sum(pool, along->computed_first, along->computed_extent, 1));
    band->count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, along->computed_extent, expr_integer(pool, places - 1), 1), size);
    return band;
}

/* ---- Rows with segments of other lines ---- */

/* Those that the lines of a segment read, between variables that are defined with each segment;
 * all, if that is not known. */
static const struct line_band *band_of_segment(const struct graph *in, const struct stage *rows,
                                               const struct stage *sink,
                                               struct pass_context *context)
{
    struct expr_pool *pool = context->pool;
    const struct stage_axis *axis = &rows->axis[0];
    const unsigned along = sink->schedule->as.lines.axis;
    const struct expr *first = NULL, *end = NULL;
    bool known = true;
    for (uint32_t i = 0; i <= sink->id.index; i++) {
        const struct stage *reader = in->stages.item[i];
        const struct stage_axis *own = &reader->axis[along];
        if (is_member(reader, sink))
            known = line_widen_read(pool, context->scratch, reader,
                                    (struct span_bound){own->variable, own->computed_first,
                                                        region_sum(pool, own->computed_first,
                                                                   own->computed_extent, 1)},
                                    rows, 0, &first, &end) &&
                    known;
    }
    struct line_band *band = ARENA_NEW(context->scratch, struct line_band);
    band->first = tile_segment(context, rows, 0);
    band->end = tile_segment_end(context, rows, 0);
    band->least = axis->computed_first;
    band->past = region_sum(pool, axis->computed_first, axis->computed_extent, 1);
    band->most = axis->computed_extent;
    const struct expr *most = known && first ? region_sum(pool, end, first, -1) : NULL;
    if (!most || most->kind != EXPR_INTEGER)
        return band;
    region_clip(pool, false, axis->computed_first, axis->computed_extent, &first, &end);
    band->least = first;
    band->past = end;
    band->most = region_minimum(pool, most, axis->computed_extent);
    return band;
}

/* Whether the stage, which is no member, is computed behind each tile of the sink, and reads the
 * member there. */
static bool is_read_behind(const struct graph *in, const struct stage *member,
                           const struct stage *sink, struct arena *scratch)
{
    bool read = false;
    for (size_t i = sink->id.index + 1; i < in->stages.count && !read; i++) {
        const struct stage *lines = in->stages.item[i];
        if (stage_is_at(lines))
            lines = graph_stage(in, lines->schedule->at);
        read = stage_is_behind(lines) && lines->schedule->at.index == sink->id.index &&
               stage_reads(in->stages.item[i], member, scratch);
    }
    return read;
}

/* Whether a thread has no registers for what it keeps of the stage: of lines of unknown length all
 * places, or those that the next sweep starts with, at indices that are no constants. */
static bool is_kept_in_memory(struct pass_context *context, const struct line_group *group,
                              size_t i)
{
    const struct stage *stage = group->stage[i];
    const int64_t most = choice_value(context, CHOICE_LINE_PLACES);
    const bool is_known = stage->axis[group->along].computed_extent->kind == EXPR_INTEGER;
    bool later = false;
    for (size_t r = i + 1; r < group->count; r++)
        later = later || (group->place[r].sweep > group->place[i].sweep &&
                          stage_reads(group->stage[r], stage, context->scratch));
    return context->target->execution == EXECUTION_GRID &&
           (!line_fits_registers(&group->place[i], stage, group->along, most) ||
            (later && !is_known));
}

struct line_group line_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    const unsigned along = sink->schedule->as.lines.axis;
    const struct stage *at = stage_is_in_bands(sink) ? graph_stage(in, sink->schedule->at) : NULL;
    const bool with_segments = stage_is_with_segments(in, sink);
    VECTOR(const struct stage *) stage = {0};
    for (uint32_t i = 0; i <= sink->id.index; i++)
        if (is_member(in->stages.item[i], sink))
            VECTOR_PUSH(scratch, &stage, in->stages.item[i]);
    struct line_place *place = ARENA_ARRAY(scratch, struct line_place, stage.count);
    const struct line_group group = {.sink = sink,
                                     .along = along,
                                     .lanes = line_lanes(sink, along),
                                     .lane_count = sink->schedule->tile[line_lanes(sink, along)],
                                     .count = stage.count,
                                     .stage = stage.item,
                                     .place = place,
                                     .band = stage_has_bands(sink)      ? bands_along(sink, context)
                                             : !stage_is_in_bands(sink) ? NULL
                                             : with_segments
                                                 ? band_of_segment(in, sink, at, context)
                                                 : bands_along(at, context),
                                     .with_segments = with_segments};
    line_find_sweeps(scratch, along, group.count, group.stage, place);
    for (size_t i = 0; i + 1 < stage.count; i++)
        if (is_read_behind(in, stage.item[i], sink, scratch))
            place[i] = (struct line_place){place[i].sweep, place[i].direction, 0, true, false};
        else
            place[i].in_memory = is_kept_in_memory(context, &group, i);
    return group;
}

bool line_joins_wave(const struct line_group *group, const struct line_group *across)
{
    bool joins = group->along == across->lanes && !across->sink->details &&
                 across->sink->schedule->tile[across->along] % group->lane_count == 0;
    for (size_t i = 0; joins && i < group->count; i++)
        joins = group->place[i].sweep == 0 && group->place[i].direction != LINE_BACKWARD &&
                (group->place[i].rows > 0 || i + 1 == group->count) &&
                stage_has_places_of(group->stage[i], across->sink, group->along) &&
                !group->stage[i]->details;
    for (size_t i = 0; joins && i < across->count; i++)
        joins = stage_has_places_of(across->stage[i], across->sink, group->along);
    return joins;
}

void line_memory(struct pass_context *context, const struct line_group *group, size_t place,
                 const struct expr *first, const struct expr *extent, struct buffer_axis axis[2])
{
    const struct stage_axis *along = &group->stage[place]->axis[group->along];
    const int64_t rows = group->place[place].rows;
    if (line_goes_on(group)) {
        const struct stage_axis *lanes = &group->stage[place]->axis[group->lanes];
        axis[0] = (struct buffer_axis){along->name, first, expr_integer(context->pool, rows), true};
        const int64_t beyond = group->lanes < group->along ? group->lane_count - 1 : 0;
        axis[1] = (struct buffer_axis){lanes->name, lanes->computed_first,
                                       region_sum(context->pool, lanes->computed_extent,
                                                  expr_integer(context->pool, beyond), 1),
                                       false};
        return;
    }
    if (group->tile)
        first = tile_first(context, group->stage[place], group->along);
    if (group->tile && !rows)
        extent =
            expr_integer(context->pool,
                         tile_extent(&group->tile->needs[group->in_tile[place]].axis[group->along],
                                     group->tile->sink->schedule->tile));
    axis[0] = (struct buffer_axis){along->name, first,
                                   rows ? expr_integer(context->pool, rows) : extent, rows > 0};
    axis[1] = (struct buffer_axis){group->sink->axis[group->lanes].name,
                                   lines_lanes_first(context, group),
                                   expr_integer(context->pool, group->lane_count), false};
}

/* ---- What is computed beside ---- */

/* Statements of lines across, at the place that the sweep is at. */
static struct statement_list at_places(const struct lines *l, const struct statement_items *items)
{
    const struct statement **item =
        ARENA_ARRAY(l->context->scratch, const struct statement *, items->count + 1);
    for (size_t i = 0; i < items->count; i++)
        item[i] = lines_with_variable(l, items->item[i],
                                      l->group->sink->axis[l->group->along].variable, l->variable);
    return (struct statement_list){item, items->count};
}

/* Defines the lines at hand, of those in the tile; the coordinate of such parts, and how many there
 * are. */
static const struct expr *cut_lanes(const struct lines *l, struct tile_code *code,
                                    const struct expr **count)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const struct stage *sink = l->group->sink;
    const struct expr *first = lines_first(l, sink, l->group->lanes);
    const struct expr *end = lines_end(l, sink, l->group->lanes);
    const struct expr *size = expr_integer(pool, l->group->lane_count);
    const struct expr *part =
        expr_variable(pool, VARIABLE_INDEX,
                      symbol_format(&context->session->symbols, "%s.part",
                                    sink->axis[l->group->lanes].name->text),
                      SCALAR_I32, (struct interval){0, INT32_MAX / l->group->lane_count});
    const struct expr *own = lines_lanes_first(context, l->group);
    tile_add_let(code, own,
                 region_sum(pool, first, expr_binary(pool, EXPR_MULTIPLY, size, part), 1));
    tile_add_let(code, lines_lanes_end(context, l->group),
                 region_minimum(pool, region_sum(pool, own, size, 1), end));
    *count = expr_binary(pool, EXPR_DIVIDE,
                         region_sum(pool, region_sum(pool, end, first, -1),
                                    expr_integer(pool, l->group->lane_count - 1), 1),
                         size);
    return part;
}

/* { ahead …  nest } */
static const struct statement *behind(struct pass_context *context, struct statement_items ahead,
                                      const struct statement *nest)
{
    VECTOR(const struct statement *) all = {0};
    for (size_t i = 0; i < ahead.count; i++)
        VECTOR_PUSH(context->scratch, &all, ahead.item[i]);
    VECTOR_PUSH(context->scratch, &all, nest);
    return ahead.count ? statement_block(context->output, nest->span, all.count, all.item) : nest;
}

static const struct statement *over_axis(const struct lines *l, unsigned k,
                                         const struct statement *nest)
{
    const struct stage *sink = l->group->sink;
    return lines_loop(l, LEVEL_INDEPENDENT, sink->axis[k].variable, lines_first(l, sink, k),
                      lines_end(l, sink, k), nest, false);
}

/* The variable, called as that axis of the lines across. */
static const struct expr *as_across(const struct lines *l, const struct line_group *across,
                                    unsigned axis, const struct expr *variable)
{
    return expr_variable(lines_pool(l), VARIABLE_INDEX,
                         across->sink->axis[axis].variable->as.variable.name, variable->scalar,
                         variable->interval);
}

/* Coordinates are called as those of the lines across. */
static void take_axes_across(struct lines *l, const struct line_group *across)
{
    const struct expr *const from[2] = {l->variable, l->lane};
    l->variable = as_across(l, across, across->lanes, from[0]);
    l->lane = as_across(l, across, across->along, from[1]);
    const struct expr *const to[2] = {l->variable, l->lane};
    for (size_t i = 0; i < l->group->count; i++)
        l->body[i] = lines_with_variables(l, l->body[i], 2, from, to);
}

bool line_row(struct pass_context *context, struct program *program, const struct line_group *group,
              const struct buffer *const buffer[], const struct statement *const body[],
              struct lines_beside *beside)
{
    const struct expr *common;
    struct lines l = lines_of_group(context, program, group, buffer, body, &common);
    lines_begin_sweep(&l, common, 0, group->count);
    if (!line_scans(&l, 0, group->count))
        return false;
    const struct line_group *across = group->wave;
    const size_t before = beside->at_place.count;
    take_axes_across(&l, across);
    const struct row_part part = {buffer[group->count - 1]->id,
                                  line_scan_part(&l, across->lane_count, &beside->at_place)};
    for (size_t i = before; i < beside->at_place.count; i++)
        beside->at_place.item[i] = lines_with_variable(&l, beside->at_place.item[i], l.lane,
                                                       across->sink->axis[across->along].variable);
    VECTOR_PUSH(context->scratch, &beside->parts, part);
    return true;
}

struct part_reads {
    struct expr_pool *pool;
    const struct lines_beside *beside;
    unsigned along; /* the axis of the parts */
};

static const struct expr *in_part(const struct expr *node, void *user)
{
    const struct part_reads *reads = user;
    for (size_t i = 0; node->kind == EXPR_LOAD && i < reads->beside->parts.count; i++) {
        const struct row_part *row = &reads->beside->parts.item[i];
        if (row->stage.index == node->as.load.source)
            return expr_load(reads->pool, row->part->id.index, row->part->scalar,
                             row->part->interval, 1, &node->operand[reads->along], NULL);
    }
    return node;
}

/* Reads of stages that have a part in memory are of that: lines read them at their own place. */
static void read_parts(struct lines *l, const struct lines_beside *beside)
{
    struct part_reads reads = {lines_pool(l), beside, l->group->lanes};
    struct expr_rewriter rewriter = {
        .pool = lines_pool(l), .rule = in_part, .context = &reads, .scratch = l->context->scratch};
    for (size_t i = 0; i < l->group->count; i++)
        l->body[i] = statement_rewrite(l->context->output, l->body[i], &rewriter);
}

/* How lines are taken some at a time: which of these, and how many there are; NULL: those of the
 * host's tile. */
struct lines_cut {
    const struct expr *block, *count;
};

static struct lines_cut cut_lines(const struct lines *l, struct tile_code *tile)
{
    struct pass_context *context = l->context;
    const struct line_group *group = l->group;
    struct lines_cut cut = {NULL, NULL};
    const struct buffer *stored = l->buffer[group->count - 1];
    struct buffer_axis lanes = stored->axis[group->lanes];
    if (group->band && group->band->axis == group->lanes) {
        lanes.first = group->band->first;
        lanes.extent = region_sum(context->pool, group->band->end, group->band->first, -1);
    }
    if (lines_are_of_tile(group)) {
        line_tile_take_lanes(l, tile);
    } else if (group->tile || group->host) {
        cut.block = cut_lanes(l, tile, &cut.count);
    } else {
        const struct expr *lag = lines_fill_lanes(l) || group->panels
                                     ? expr_integer(context->pool, 0)
                                     : cache_lag(context, l->program, stored, lanes.first);
        cut.block = tile_cut_axis(tile, &lanes, group->lanes, lag, &cut.count);
    }
    return cut;
}

/* All lines, from those that are taken at a time. */
static const struct statement *over_tiles(const struct lines *l, const struct lines_beside *beside,
                                          const struct lines_cut *cut, const struct statement *nest)
{
    const struct line_group *group = l->group;
    const enum parallel_level level = group->wave ? LEVEL_SERIAL
                                      : beside->in_wave.count || beside->at_place.count
                                          ? LEVEL_WAVEFRONT
                                          : LEVEL_INDEPENDENT;
    for (unsigned k = group->sink->rank;
         --k > group->lanes;) /* lines that are interleaved share what the caches hold */
        if (k != group->along && !group->host)
            nest = over_axis(l, k, nest);
    if (cut->block)
        nest = lines_loop(l, level, cut->block, expr_integer(lines_pool(l), 0), cut->count, nest,
                          false);
    if (group->host) /* the other coordinates are those of the tile */
        return line_tile_nest(l, nest);
    nest = behind(l->context, beside->in_segment, nest);
    for (unsigned k = group->lanes; k-- > 0;)
        if (k != group->along)
            nest = over_axis(l, k, nest);
    return nest;
}

const struct statement *line_nest(struct pass_context *context, struct program *program,
                                  const struct line_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[],
                                  const struct lines_beside *beside)
{
    const struct expr *common;
    struct lines l = lines_of_group(context, program, group, buffer, body, &common);
    read_parts(&l, beside);
    struct tile_code tile = {.context = context, .group = &l.alone};
    const struct lines_cut cut = cut_lines(&l, &tile);
    for (size_t i = 0; i + 1 < group->count && !line_goes_on(group); i++)
        lines_allocate(&l, &tile.lets, buffer[i]);
    for (size_t i = 0; i < beside->in_wave.count; i++)
        VECTOR_PUSH(context->scratch, &tile.lets, beside->in_wave.item[i]);
    assert((beside->at_place.count == 0 || group->place[group->count - 1].sweep == 0) &&
           "rows at the places of one sweep");
    for (size_t begin = 0, end; begin < group->count; begin = end) {
        end = lines_sweep_end(&l, begin);
        lines_begin_sweep(&l, common, begin, end);
        l.at_place = at_places(&l, &beside->at_place);
        VECTOR_PUSH(context->scratch, &tile.lets,
                    lines_fill_lanes(&l) ? line_strips(&l, begin, end)
                                         : lines_places(&l, begin, end, l.body));
    }
    for (size_t i = 0; i < beside->behind.count; i++)
        VECTOR_PUSH(context->scratch, &tile.lets, beside->behind.item[i]);
    const struct statement *nest =
        statement_block(context->output, group->sink->span, tile.lets.count, tile.lets.item);
    return over_tiles(&l, beside, &cut, nest);
}
