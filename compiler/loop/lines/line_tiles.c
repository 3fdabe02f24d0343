#include "loop/lines/line_tiles.h"

#include "analysis/regions.h"
#include "loop/rewrite.h"

/* ---- Coordinates ---- */

/* Which segment of the host's lines the tile is of, times its places: of lines across, what
 * coordinates in memory are more than those in the tile. */
static const struct expr *segment_begin(const struct lines *l)
{
    const struct line_group *host = l->group->host;
    return expr_binary(lines_pool(l), EXPR_MULTIPLY, host->sink->axis[host->along].computed_extent,
                       host->sink->axis[host->along - 1].variable);
}

bool line_tile_cuts(const struct lines *l, unsigned k)
{
    return l->group->host && !lines_are_of_tile(l->group) && k == l->group->lanes;
}

const struct expr *line_tile_first(const struct lines *l)
{
    const struct line_group *host = l->group->host;
    return region_sum(lines_pool(l), host->sink->axis[host->along].computed_first, segment_begin(l),
                      1);
}

const struct expr *line_tile_end(const struct lines *l)
{
    const struct line_group *host = l->group->host;
    return region_sum(lines_pool(l), line_tile_first(l),
                      host->sink->axis[host->along].computed_extent, 1);
}

/* Segments are counted by the host from 0 on; by others from where their own box begins: states
 * that segments leave, from 1. */
const struct expr *line_tile_shift(const struct lines *l, unsigned k)
{
    return region_sum(lines_pool(l), l->group->sink->axis[k].computed_first,
                      l->group->host->sink->axis[k].computed_first, -1);
}

/* The coordinate of the tile along such an axis. */
static const struct expr *tile_place(const struct lines *l, unsigned k)
{
    const struct line_group *group = l->group, *host = group->host;
    return lines_are_of_tile(group) || k < group->lanes
               ? region_sum(lines_pool(l), host->sink->axis[k].variable, line_tile_shift(l, k), 1)
               : region_sum(lines_pool(l), tile_number(l->context, host->sink, host->lanes),
                            group->sink->axis[k].computed_first, 1);
}

void line_tile_take_lanes(const struct lines *l, struct tile_code *code)
{
    struct pass_context *context = l->context;
    const struct line_group *group = l->group;
    const struct expr *shift = line_tile_shift(l, group->lanes);
    tile_add_let(code, lines_lanes_first(context, group),
                 region_sum(context->pool, lines_lanes_first(context, group->host), shift, 1));
    tile_add_let(code, lines_lanes_end(context, group),
                 region_sum(context->pool, lines_lanes_end(context, group->host), shift, 1));
}

/* ---- Reads ---- */

/* A place near some others, min(max(v, least), greatest) + more, as v + more under the rule clamp;
 * false: it is no such place. */
static bool take_clamp(const struct lines *l, const struct expr **index, struct border *border)
{
    struct expr_pool *pool = lines_pool(l);
    const struct expr *place = *index, *more = expr_integer(pool, 0);
    while (place->kind == EXPR_ADD || place->kind == EXPR_SUBTRACT) {
        const bool first = expr_contains(l->context->scratch, place->operand[0], l->variable);
        if (!first && place->kind == EXPR_SUBTRACT)
            return false;
        if (expr_contains(l->context->scratch, place->operand[first], l->variable))
            return false;
        more = region_sum(pool, more, place->operand[first], place->kind == EXPR_ADD ? 1 : -1);
        place = place->operand[!first];
    }
    if (place->kind != EXPR_MINIMUM)
        return false;
    const bool behind = place->operand[0]->kind != EXPR_MAXIMUM;
    const struct expr *raised = place->operand[behind], *greatest = place->operand[!behind];
    if (raised->kind != EXPR_MAXIMUM)
        return false;
    const bool other = raised->operand[0] != l->variable;
    const struct expr *least = raised->operand[!other];
    if (raised->operand[other] != l->variable || greatest->kind != EXPR_INTEGER ||
        least->kind != EXPR_INTEGER || greatest->as.integer < least->as.integer)
        return false;
    *border =
        (struct border){.rule = BORDER_CLAMP,
                        .first = region_sum(pool, more, least, 1),
                        .extent = expr_integer(pool, greatest->as.integer - least->as.integer + 1)};
    *index = region_sum(pool, more, l->variable, 1);
    return true;
}

/* A place of a line across a tile, in that: of all lines at hand the segment is the same. */
static bool is_place_in_segment(const struct lines *l, const struct expr *node)
{
    const struct line_group *host = l->group->host;
    const struct stage_axis *places = &host->sink->axis[host->along];
    return node->kind == EXPR_REMAINDER && !lines_are_of_tile(l->group) &&
           node->operand[1] == places->computed_extent &&
           node->operand[0] == region_sum(lines_pool(l), l->lane, places->computed_first, -1);
}

static const struct expr *in_tile(const struct expr *node, void *user)
{
    const struct lines *l = user;
    const struct line_group *group = l->group;
    struct expr_pool *pool = lines_pool(l);
    if (is_place_in_segment(l, node))
        return region_sum(pool, node->operand[0], segment_begin(l), -1);
    if (node->kind != EXPR_LOAD || node->as.load.border || node->count != 2 ||
        l->program->buffers.item[node->as.load.source].space != SPACE_TILE)
        return node;
    const struct expr *index[2] = {node->operand[0], node->operand[1]};
    struct border border[2] = {{.rule = BORDER_NONE}, {.rule = BORDER_NONE}};
    const unsigned along = lines_are_of_tile(group) ? 0 : 1;
    return take_clamp(l, &index[along], &border[along])
               ? expr_load(pool, node->as.load.source, node->scalar, node->interval, 2, index,
                           border)
               : node;
}

const struct statement *line_tile_reads(const struct lines *l, const struct statement *body)
{
    struct expr_rewriter rewriter = {.pool = lines_pool(l),
                                     .rule = in_tile,
                                     .context = (void *)(uintptr_t)l,
                                     .scratch = l->context->scratch};
    return statement_rewrite(l->context->output, body, &rewriter);
}

/* ---- The nest ---- */

const struct statement *line_tile_body(const struct lines *l, const struct statement *body)
{
    const struct line_group *group = l->group;
    const struct stage *sink = group->sink;
    const struct expr *from[GRAPH_MAX_RANK], *to[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < sink->rank; k++) {
        from[k] = sink->axis[k].variable;
        to[k] = k == group->along || k == group->lanes ? from[k] : tile_place(l, k);
    }
    return lines_with_variables(l, body, sink->rank, from, to);
}

const struct statement *line_tile_nest(const struct lines *l, const struct statement *nest)
{
    const struct line_group *group = l->group, *host = group->host;
    if (lines_are_of_tile(group))
        return nest;
    const struct expr *inside =
        expr_binary(lines_pool(l), EXPR_LESS, tile_number(l->context, host->sink, host->lanes),
                    group->sink->axis[group->along - 1].computed_extent);
    return STATEMENT_NEW(l->context->output, group->sink->span, .kind = STATEMENT_IF,
                         .as.branch = {inside, nest, NULL});
}
