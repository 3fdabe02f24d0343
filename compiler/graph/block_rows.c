/* Lines across those in blocks. What the chain reads of them can be computed with each block, once for its states and once
 * for its samples, and is in no memory as long as the image:
 *   before: rows[y, x] = in[y, x] + a rows[y, x - 1]   out[y, x] = rows[y, x] + b out[y - 1, x]   out in blocks along y
 *   after:  rows.local at out.tails, rows at out.blocks: for each block the rows that it reads; rows.rest of what is left
 * An image is then read twice and written once, both axes together (algorithm 5 of Nehab et al. 2011, with whole rows). */
#include "graph/blocks.h"
#include "graph/line_groups.h"
#include "graph/random_schedule.h"

enum { ROWS_ALONG = 1 }; /* of images of two axes, whose blocks are along the other one */

/* ---- Which ---- */

static bool is_member(const struct blocks *b, const struct stage *stage)
{
    return chain_member_of(b->chain, stage->id.index) < b->chain->count;
}

/* The places of a member along the line. */
static struct span_bound places_of(const struct blocks *b, const struct stage *member,
                                   const struct stage_axis *own)
{
    return (struct span_bound){
        member->axis[b->chain->axis].variable, own->computed_first,
        region_sum(blocks_pool(b), own->computed_first, own->computed_extent, 1)};
}

/* Whether it is known which rows those are. */
static bool reads_known_rows(const struct blocks *b, const struct stage *member,
                             const struct stage *stage)
{
    const struct expr *first = NULL, *end = NULL;
    return line_widen_read(blocks_pool(b), b->context->scratch, member,
                           places_of(b, member, &member->axis[b->chain->axis]), stage,
                           b->chain->axis, &first, &end) &&
           first;
}

/* Whether the chain alone reads the stage: a sample of the same column, near the place at hand. */
static bool is_read_beside(const struct blocks *b, const struct stage *stage)
{
    const struct stage_readers *of = &b->readers[stage->id.index];
    bool beside = of->stages.count > 0;
    for (size_t r = 0; beside && r < of->stages.count; r++) {
        const struct line_reach reach =
            line_reach_of(b->context->scratch, of->stages.item[r], stage, b->chain->axis);
        beside = is_member(b, of->stages.item[r]) && reach.beside && (reach.near || reach.within) &&
                 reads_known_rows(b, of->stages.item[r], stage);
    }
    return beside;
}

/* Whether it is computed with the lines that end in the sink, and nothing else reads it. */
static bool joins(const struct blocks *b, const struct blocks_rows *rows, const struct stage *stage)
{
    const struct stage_readers *of = &b->readers[stage->id.index];
    const struct stage *sink = rows->stage[0];
    return rows->count < BLOCKS_MOST_ROWS && !b->replaced[stage->id.index] &&
           (!stage->schedule || stage_is_in_tiles_of(stage, sink)) &&
           !stage_is_kept(b->in, stage) && stage_computes(stage) && !stage_says_any(stage) &&
           line_joins(b->context->scratch, stage, sink, ROWS_ALONG, of->stages.count,
                      of->stages.item, rows->count, rows->stage);
}

/* What ends in the sink; false: no recurrence is among it. */
static bool find_members(const struct blocks *b, struct blocks_rows *rows)
{
    bool recurs = rows->stage[0]->kind == STAGE_RECURRENCE;
    for (size_t i = rows->stage[0]->id.index; i-- > 0;) {
        const struct stage *stage = b->in->stages.item[i];
        if (!joins(b, rows, stage))
            continue;
        rows->stage[rows->count++] = stage;
        recurs = recurs || stage->kind == STAGE_RECURRENCE;
    }
    return recurs;
}

/* Whether the program wants it, or chance. */
static bool is_wanted(const struct blocks *b, const struct stage *stage)
{
    const uint64_t random = b->context->random_schedule;
    return stage->schedule
               ? stage_is_in_bands(stage) && stage->schedule->at.index == b->last->id.index
               : random && random_choice(random, stage->id.index, 12) % 2;
}

static bool may_end_rows(const struct blocks *b, const struct stage *stage)
{
    return line_runs_along(stage, ROWS_ALONG) && stage->rank == 2 &&
           !b->replaced[stage->id.index] && stage->repeat == b->last->repeat &&
           !stage_says_any(stage) && !graph_output_of(b->in, stage->id) &&
           !stage_is_carried(b->in, stage) &&
           line_reach_of(b->context->scratch, stage, stage, ROWS_ALONG).beside &&
           is_read_beside(b, stage);
}

void blocks_find_rows(struct blocks *b)
{
    const size_t most = b->last->rank == 2 && b->chain->axis != ROWS_ALONG ? b->last->id.index : 0;
    for (size_t i = 0; i < most; i++) {
        const struct stage *stage = b->in->stages.item[i];
        struct blocks_rows rows = {1, {stage}};
        if (is_wanted(b, stage) && may_end_rows(b, stage) && find_members(b, &rows) &&
            b->rows_count < BLOCKS_MOST_ROWS)
            b->rows[b->rows_count++] = rows;
    }
}

/* ---- Copies ---- */

/* The rows that a part of the line reads. own: by member, its places there. */
static struct stage_axis needed_rows(const struct blocks *b, const struct stage *rows,
                                     const struct stage_axis own[])
{
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *first = NULL, *end = NULL;
    struct stage_axis axis = rows->axis[b->chain->axis];
    for (size_t m = 0; m < b->chain->count; m++) {
        const struct stage *member = b->chain->member[m].stage;
        (void)line_widen_read(pool, b->context->scratch, member, places_of(b, member, &own[m]),
                              rows, b->chain->axis, &first, &end); /* that is known */
    }
    region_clip(pool, false, axis.computed_first, axis.computed_extent, &first, &end);
    axis.computed_first = first;
    axis.computed_extent =
        region_maximum(pool, region_sum(pool, end, first, -1), blocks_integer(b, 0));
    return axis;
}

/* The stage at those rows, with reads renumbered. */
static struct stage copied(struct blocks_copy *c, const struct stage *stage,
                           const struct stage_axis *rows, const uint32_t place[])
{
    struct blocks *b = c->b;
    const struct renumbering renumbering = {blocks_pool(b), place};
    struct expr_rewriter moving = {.pool = blocks_pool(b),
                                   .rule = graph_renumber_read,
                                   .context = (void *)(uintptr_t)&renumbering,
                                   .scratch = b->context->scratch};
    struct stage copy = stage_rewrite(b->context->output, stage, &moving);
    struct stage_axis *axis =
        arena_copy(b->context->output, stage->axis, stage->rank * sizeof *stage->axis);
    if (rows)
        axis[b->chain->axis] = *rows;
    copy.axis = axis;
    copy.schedule = NULL;
    copy.binding_count = 0;
    copy.is_made = !c->is_final;
    if (copy.is_made)
        copy.name = blocks_stage_name(b, stage->name, c->part);
    return copy;
}

/* Rows are turned as they are stored, and are not read from there. */
static void add_sink(struct blocks *b, struct stage sink)
{
    if (sink.kind == STAGE_RECURRENCE) {
        const struct expr *const index[2] = {sink.axis[0].variable, sink.axis[1].variable};
        struct stage state = sink;
        state.is_made = true;
        state.name = blocks_stage_name(b, sink.name, "state");
        const stage_id id = graph_add_stage(b->context->output, b->out, state);
        sink.kind = STAGE_MAP;
        sink.value =
            expr_load(blocks_pool(b), id.index, sink.element, sink.interval, 2, index, NULL);
    }
    graph_add_stage(b->context->output, b->out, sink);
}

static void copy_rows(struct blocks_copy *c, const struct blocks_rows *rows,
                      const struct stage_axis *axis)
{
    struct blocks *b = c->b;
    uint32_t *place =
        arena_copy(b->context->scratch, b->place, (b->last->id.index + 1) * sizeof *b->place);
    for (size_t i = rows->count; i-- > 1;) {
        place[rows->stage[i]->id.index] =
            (uint32_t)b->out->stages.count; /* it reads itself there */
        graph_add_stage(b->context->output, b->out, copied(c, rows->stage[i], axis, place));
    }
    place[rows->stage[0]->id.index] = (uint32_t)b->out->stages.count;
    add_sink(b, copied(c, rows->stage[0], axis, place));
}

/* Some rows at a time. */
static const struct schedule *row_by_row(const struct blocks *b, const struct stage *rows)
{
    const struct schedule *asked = rows->schedule;
    const uint64_t random = b->context->random_schedule;
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, 2);
    tile[0] = asked    ? asked->tile[0]
              : random ? 1 + (int64_t)(random_choice(random, rows->id.index, 13) % 9)
                       : LINE_ROWS;
    struct schedule schedule = {
        .placement = PLACED_ROOT, .rank = 2, .tile = tile, .along = 1 + ROWS_ALONG};
    if (asked)
        schedule.span = asked->span;
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

void blocks_copy_rows(struct blocks_copy *c, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    for (size_t r = 0; r < b->rows_count; r++) {
        const struct stage *sink = b->rows[r].stage[0];
        struct stage_axis needed;
        if (own)
            needed = needed_rows(b, sink, own);
        copy_rows(c, &b->rows[r], own ? &needed : NULL);
        c->rows[r] = (uint32_t)b->out->stages.count - 1;
        b->out->stages.item[c->rows[r]]->schedule = row_by_row(b, sink);
    }
}

uint32_t blocks_place_of(const struct blocks_copy *c, uint32_t stage)
{
    const struct blocks *b = c->b;
    uint32_t place = b->place[stage];
    for (size_t r = 0; r < b->rows_count; r++)
        if (b->rows[r].stage[0]->id.index == stage)
            place = c->rows[r];
    return place;
}
