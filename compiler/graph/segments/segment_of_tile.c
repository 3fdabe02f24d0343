/* Stages of a chain that are computed in tiles of another one. */
#include "graph/segments/segments.h"

void segments_add_of_tile(struct segments *s, const char *part, bool at_rest)
{
    struct expr_pool *pool = segments_pool(s);
    const struct stage_axis *line = segments_line(s);
    const struct expr *size = segments_integer(s, s->size);
    const struct expr *from = region_sum(pool, line->variable, s->base, -1);
    const struct expr *number = expr_binary(pool, EXPR_DIVIDE, from, size);
    struct segments_copy tile = {
        .s = s, .part = part, .rank = 1, .shift = segments_integer(s, 0), .along = line->variable};
    tile.sweep[0].at = region_sum(pool, s->base, expr_binary(pool, EXPR_MULTIPLY, size, number), 1);
    tile.sweep[0].begins = expr_binary(pool, EXPR_EQUAL, number, segments_integer(s, 0));
    tile.sweep[0].row = at_rest ? NULL : number;
    s->tile_first = (uint32_t)s->out->stages.count;
    for (size_t m = 0; m < s->chain->count; m++) {
        const struct stage_axis *axis = &s->chain->member[m].stage->axis[s->chain->axis];
        if (at_rest && !s->choice->is_again && !s->chain->member[m].feeds)
            continue;
        const struct stage_axis own =
            segments_box(line->name, line->variable, axis->computed_first, axis->computed_extent);
        segments_copy_member(&tile, m, &own);
        struct stage *stage = s->out->stages.item[s->out->stages.count - 1];
        stage->is_made = true;
        if (stage->kind == STAGE_RECURRENCE)
            stage->as.recurrence.of_tile = s->size;
    }
    s->tile_end = (uint32_t)s->out->stages.count;
}

void segments_place_at(struct segments *s, uint32_t first, uint32_t end, uint32_t sink)
{
    for (uint32_t i = first; i < end; i++)
        VECTOR_PUSH(s->context->scratch, &s->all_placed->items,
                    (struct segments_placed){i, sink, PLACED_AT});
}

void segments_give_tile(struct segments *s, uint32_t sink, const int64_t tile[])
{
    const unsigned rank = s->out->stages.item[sink]->rank;
    const struct schedule schedule = {
        .placement = PLACED_ROOT,
        .rank = rank,
        .tile = arena_copy(s->context->output, tile, rank * sizeof *tile)};
    s->out->stages.item[sink]->schedule =
        arena_copy(s->context->output, &schedule, sizeof schedule);
}
