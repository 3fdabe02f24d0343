/* Loops over lanes, and over places of lines. */
#include "loop/lines/line_places.h"

#include "analysis/regions.h"
#include "loop/lines/line_tiles.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"

const struct expr *lines_lanes_first(struct pass_context *context, const struct line_group *group)
{
    return group->tile ? tile_lane(context, group->sink, group->lanes)
                       : tile_first(context, group->sink, group->lanes);
}

const struct expr *lines_lanes_end(struct pass_context *context, const struct line_group *group)
{
    return group->tile ? tile_lane_end(context, group->sink, group->lanes)
                       : tile_end(context, group->sink, group->lanes);
}

const struct statement *lines_loop(const struct lines *l, enum parallel_level level,
                                   const struct expr *variable, const struct expr *first,
                                   const struct expr *end, const struct statement *body,
                                   bool reversed)
{
    return STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, region_sum(lines_pool(l), end, first, -1),
                                     level, body, reversed});
}

/* Whether the stage is computed in parts along the axis, those that a tile needs. */
static bool is_in_parts(const struct lines *l, const struct stage *stage, unsigned k)
{
    const struct tile_group *tile = l->group->tile;
    return tile && (stage != tile->sink || tile->sink->schedule->tile[k] > 0);
}

const struct expr *lines_first(const struct lines *l, const struct stage *stage, unsigned k)
{
    if (line_tile_cuts(l, k))
        return line_tile_first(l);
    if (l->group->wave && k == l->group->along)
        return lines_lanes_first(l->context, l->group->wave);
    if (l->group->band && l->group->band->axis == k)
        return l->group->band->first;
    return is_in_parts(l, stage, k) ? tile_first(l->context, stage, k)
                                    : stage->axis[k].computed_first;
}

const struct expr *lines_end(const struct lines *l, const struct stage *stage, unsigned k)
{
    if (line_tile_cuts(l, k))
        return line_tile_end(l);
    if (l->group->wave && k == l->group->along)
        return lines_lanes_end(l->context, l->group->wave);
    if (l->group->band && l->group->band->axis == k)
        return l->group->band->end;
    if (is_in_parts(l, stage, k))
        return tile_end(l->context, stage, k);
    return region_sum(lines_pool(l), stage->axis[k].computed_first, stage->axis[k].computed_extent,
                      1);
}

const struct statement *lines_with_variable(const struct lines *l, const struct statement *body,
                                            const struct expr *from, const struct expr *to)
{
    return from == to ? body
                      : statement_substitute(l->context->output, l->context->scratch, lines_pool(l),
                                             body, from, to);
}

const struct statement *lines_with_variables(const struct lines *l, const struct statement *body,
                                             unsigned count, const struct expr *const from[],
                                             const struct expr *const to[])
{
    const struct expr *between[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < count; k++) {
        between[k] = from[k] != to[k]
                         ? expr_variable(lines_pool(l), VARIABLE_INDEX,
                                         symbol_format(&l->context->session->symbols, "%s.between",
                                                       from[k]->as.variable.name->text),
                                         from[k]->scalar, from[k]->interval)
                         : from[k];
        body = lines_with_variable(l, body, from[k], between[k]);
    }
    for (unsigned k = 0; k < count; k++)
        body = lines_with_variable(l, body, between[k], to[k]);
    return body;
}

const struct statement *lines_over_lanes(const struct lines *l, enum parallel_level level,
                                         const struct statement *body)
{
    const struct stage *sink = l->group->sink;
    return lines_loop(l, level, sink->axis[l->group->lanes].variable,
                      lines_lanes_first(l->context, l->group),
                      lines_lanes_end(l->context, l->group), body, false);
}

bool lines_fill_lanes(const struct lines *l)
{
    return l->group->lanes < l->group->along;
}

const struct statement *lines_over_all_lanes(const struct lines *l, enum parallel_level level,
                                             const struct statement *body)
{
    const struct expr *first = lines_lanes_first(l->context, l->group);
    return lines_fill_lanes(l)
               ? lines_loop(l, level, l->group->sink->axis[l->group->lanes].variable, first,
                            region_sum(lines_pool(l), first,
                                       expr_integer(lines_pool(l), l->group->lane_count), 1),
                            body, false)
               : lines_over_lanes(l, level, body);
}

/* ---- Sweeps ---- */

/* A coordinate along the line that holds those of all stages from `begin` to `end` - 1. */
static const struct expr *variable_of(const struct lines *l, size_t begin, size_t end)
{
    const struct expr *named = l->group->sink->axis[l->group->along].variable;
    struct interval all = l->group->stage[begin]->axis[l->group->along].variable->interval;
    for (size_t i = begin + 1; i < end; i++) {
        const struct interval own = l->group->stage[i]->axis[l->group->along].variable->interval;
        all.least = own.least < all.least ? own.least : all.least;
        all.greatest = own.greatest > all.greatest ? own.greatest : all.greatest;
    }
    return expr_variable(lines_pool(l), VARIABLE_INDEX, named->as.variable.name, scalar_width(all),
                         all);
}

/* Coordinates are called as the sink's; along the line, where others may have more places,
 * `along`. */
static const struct statement *in_axes_of_sink(const struct lines *l, const struct stage *stage,
                                               const struct expr *along,
                                               const struct statement *body)
{
    const struct expr *from[GRAPH_MAX_RANK], *to[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        from[k] = stage->axis[k].variable;
        to[k] = k == l->group->along ? along : l->group->sink->axis[k].variable;
    }
    return lines_with_variables(l, body, stage->rank, from, to);
}

void lines_begin_sweep(struct lines *l, const struct expr *common, size_t begin, size_t end)
{
    const unsigned along = l->group->along;
    const struct stage *leading = l->group->stage[begin];
    const enum line_direction direction = l->group->place[begin].direction;
    bool in_turn = false;
    l->variable = variable_of(l, begin, end);
    l->first = lines_first(l, leading, along);
    l->end = lines_end(l, leading, along);
    for (size_t i = begin; i < end; i++) {
        const struct stage *stage = l->group->stage[i];
        l->body[i] = lines_with_variable(l, l->body[i], common, l->variable);
        if (l->group->host)
            l->body[i] = line_tile_reads(l, l->body[i]);
        l->first = region_minimum(lines_pool(l), l->first, lines_first(l, stage, along));
        l->end = region_maximum(lines_pool(l), l->end, lines_end(l, stage, along));
        in_turn = in_turn || (stage != l->group->sink && l->group->place[i].rows > 0);
    }
    l->from = l->first;
    l->to = l->end;
    l->reversed = direction == LINE_BACKWARD;
    l->level = direction == LINE_ANY && !in_turn ? LEVEL_INDEPENDENT : LEVEL_SERIAL;
}

size_t lines_sweep_end(const struct lines *l, size_t begin)
{
    size_t end = begin + 1;
    while (end < l->group->count && l->group->place[end].sweep == l->group->place[begin].sweep)
        end++;
    return end;
}

struct lines lines_of_group(struct pass_context *context, struct program *program,
                            const struct line_group *group, const struct buffer *const buffer[],
                            const struct statement *const body[], const struct expr **common)
{
    struct lines l = {.context = context,
                      .program = program,
                      .group = group,
                      .alone = {.sink = group->sink, .sliding = NO_AXIS},
                      .own_from = program->buffers.count,
                      .buffer = buffer,
                      .body = arena_copy(context->scratch, body, group->count * sizeof *body),
                      .lane = group->sink->axis[group->lanes].variable};
    *common = variable_of(&l, 0, group->count);
    for (size_t i = 0; i < group->count; i++) {
        l.body[i] = in_axes_of_sink(&l, group->stage[i], *common, l.body[i]);
        if (group->host)
            l.body[i] = line_tile_body(&l, l.body[i]);
    }
    return l;
}

const struct statement *lines_inside(const struct lines *l, size_t place,
                                     const struct statement *body)
{
    const struct stage *stage = l->group->stage[place];
    const struct expr *first = lines_first(l, stage, l->group->along),
                      *end = lines_end(l, stage, l->group->along), *inside = NULL;
    if (first != l->first)
        inside = expr_binary(lines_pool(l), EXPR_LESS_EQUAL, first, l->variable);
    if (end != l->end) {
        const struct expr *below = expr_binary(lines_pool(l), EXPR_LESS, l->variable, end);
        inside = inside ? expr_binary(lines_pool(l), EXPR_AND, inside, below) : below;
    }
    return inside ? STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_IF,
                                  .as.branch = {inside, body, NULL})
                  : body;
}

void lines_allocate(struct lines *l, struct statement_items *items, const struct buffer *buffer)
{
    VECTOR_PUSH(l->context->scratch, items,
                STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_ALLOCATE,
                              .as.allocate = {buffer->id}));
}

const struct statement *lines_store(const struct lines *l, buffer_id buffer, unsigned count,
                                    const struct expr *const index[], const struct expr *value)
{
    return STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_STORE,
                         .as.store = {buffer, count,
                                      arena_copy(l->context->output, index, count * sizeof *index),
                                      value});
}

const struct buffer *lines_add_memory(struct lines *l, const char *part, struct buffer of)
{
    struct pass_context *context = l->context;
    of.name = program_buffer_name(l->program, &context->session->symbols, of.name, part);
    of.space = SPACE_TILE;
    of.slot = NO_SLOT;
    const buffer_id id = program_add_buffer(context->output, l->program, of);
    return arena_copy(context->scratch, program_buffer(l->program, id), sizeof(struct buffer));
}

/* Asks for the rows that the lines reach some places on: each lies in a page of its own, so that
 * processors do not foresee it. */
static unsigned prefetch_places(const struct lines *l, size_t begin, size_t end,
                                const struct statement *const body[], unsigned most,
                                const struct statement *item[])
{
    enum { FURTHER = 8 };
    const struct prefetch_range range = {
        .x = l->group->sink->axis[l->group->lanes].variable,
        .y = l->variable,
        .below = region_sum(lines_pool(l), l->variable,
                            expr_integer(lines_pool(l), l->reversed ? -FURTHER : FURTHER), 1),
        .first = lines_lanes_first(l->context, l->group),
        .end = lines_lanes_end(l->context, l->group)};
    unsigned count = 0;
    for (size_t i = begin; i < end && count == 0; i++) /* what others read is nearer by then */
        count = prefetch_rows(l->context, l->program, &range, body[i], most, item);
    return count;
}

const struct statement *lines_places(const struct lines *l, size_t begin, size_t end,
                                     const struct statement *const body[])
{
    enum { MOST = 4 };
    const struct statement **item = ARENA_ARRAY(l->context->scratch, const struct statement *,
                                                end - begin + MOST + l->at_place.count);
    size_t count = lines_fill_lanes(l) ? 0 : prefetch_places(l, begin, end, body, MOST, item);
    for (size_t i = 0; i < l->at_place.count; i++)
        item[count++] = l->at_place.item[i];
    for (size_t i = begin; i < end; i++)
        item[count++] = lines_inside(l, i, lines_over_all_lanes(l, LEVEL_INDEPENDENT, body[i]));
    return lines_loop(l, l->level, l->variable, l->from, l->to,
                      statement_block(l->context->output, l->group->sink->span, count, item),
                      l->reversed);
}
