/* block_recurrences: graph → graph. A chain of linear recurrences of which there are few lines, or any number where the program
 * wants it, is computed in blocks of the line that lie side by side, as if they were lines of an image:
 *   before: s[x] = in[x] + a s[x - 1]   out[x] = round(s[x])
 *   after:  x = B j + i, block j
 *           local:    at rest where the block begins, its last samples alone:   s.local[j, i]   out.tails[j, i]
 *           response: what a state becomes behind B samples, a matrix:          s.response[k, i]   out.matrix[k, i]
 *                     of constant coefficients, within limits, numbers once evaluate_matrices has been there
 *           carry:    the state where a block begins:                           out.carry[j + 1] = tails[j] + matrix carry[j]
 *           blocks:   the samples, each block from its own state:               s[j, i]   out.blocks[j, i]
 *           rest:     what is left of the line, fewer than a block:             s.rest[x]   out.rest[x]
 *           out joined of out.blocks and out.rest, which are stored in its place
 * A line is read twice and written once, however many recurrences there are, there and back, and blocks are independent. Lines
 * that run backward have their rest before the blocks. The state is carried in f64.
 * Afterwards the last stage of each such chain is joined, and reads its parts alone; group_lines computes blocks together. */
#include "graph_pass.h"
#include "graph/block_choices.h"
#include "graph/blocks.h"
#include "graph/line_groups.h"

/* ---- Samples ---- */

/* What is stored, apart from a recurrence that it is of, or from what others read of the tile. */
static uint32_t stored(struct blocks_copy *c, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    const uint32_t state = c->stage[b->chain->count - 1];
    if (b->last->kind == STAGE_MAP && !(c->rank == 2 && b->choice->keeps))
        return state;
    const struct expr *const index[2] = {own[0].variable, own[c->rank - 1].variable};
    struct stage stage = *b->out->stages.item[state];
    stage.kind = STAGE_MAP;
    stage.name = blocks_stage_name(b, stage.name, "stored");
    stage.value = blocks_load(b, state, stage.element, c->rank, index, NULL);
    return graph_add_stage(b->context->output, b->out, stage).index;
}

static uint32_t add_blocks(struct blocks *b)
{
    const struct chain *chain = b->chain;
    struct blocks_copy blocks = {.b = b,
                                 .part = "blocks",
                                 .is_final = true,
                                 .rank = 2,
                                 .shift = blocks_begin(b, 0),
                                 .along = b->i};
    for (unsigned p = 0; p < chain->passes; p++) {
        blocks.pass[p].at = blocks_before(b, p);
        blocks.pass[p].row = blocks_plus(b, b->j, chain->pass[p].reversed ? 1 : 0);
    }
    blocks.pass[0].begins = blocks_is_first(b, 0); /* another one begins on the rest */
    struct stage_axis own[2] = {blocks_along_all(b, 0)};
    blocks_copy_rows(&blocks, NULL);
    for (size_t m = 0; m < chain->count; m++) {
        own[1] = blocks_along(b, BLOCKS_SAMPLES, chain->member[m].pass);
        blocks_copy_member(&blocks, m, own);
    }
    b->kept = blocks.stage[chain->count - 1];
    b->sink = stored(&blocks, own);
    b->out->stages.item[b->sink]->schedule = blocks_line_by_line(b, 2);
    return b->sink;
}

/* The coordinate of what is left of the line, on which the first pass may go beyond where the last one begins. */
static const struct expr *variable_of_rest(const struct blocks *b)
{
    const struct expr *x = blocks_line(b)->variable;
    struct interval all = x->interval;
    for (size_t m = 0; m < b->chain->count; m++)
        all =
            interval_hull(all, b->chain->member[m].stage->axis[b->chain->axis].variable->interval);
    return interval_inside(all, x->interval) ? x
                                             : expr_variable(blocks_pool(b), VARIABLE_INDEX,
                                                             blocks_line(b)->name, SCALAR_I64, all);
}

/* What is left of the line, or, for the second pass to begin with, as much as it needs where there are no blocks. */
static const struct expr *left_of_line(const struct blocks *b, bool to_turn)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *line = blocks_line(b)->computed_extent;
    const struct expr *left = region_sum(pool, line, b->count, -b->size);
    return to_turn
               ? expr_select(pool, expr_binary(pool, EXPR_EQUAL, b->count, blocks_integer(b, 0)),
                             region_minimum(pool, line, blocks_integer(b, b->choice->room)), left)
               : left;
}

/* Of a member's line, which may go on beyond that of the chain where the first pass ends. */
static struct stage_axis along_rest(const struct blocks *b, const struct expr *x,
                                    const struct expr *left, const struct stage *member)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct stage_axis *line = blocks_line(b), *own = &member->axis[b->chain->axis];
    const struct expr *beyond = region_sum(pool, own->computed_extent, line->computed_extent, -1);
    const struct expr *end = region_sum(pool, line->computed_first, line->computed_extent, 1);
    return blocks_box(line->name, x,
                      blocks_reversed(b) ? own->computed_first : region_sum(pool, end, left, -1),
                      region_sum(pool, left, beyond, 1));
}

/* The members there; for the second pass to begin with, those that its state depends on. */
static struct blocks_copy copy_rest(struct blocks *b, const char *part, const struct expr *left,
                                    bool to_turn)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *zero = blocks_integer(b, 0);
    const bool reversed = blocks_reversed(b);
    struct blocks_copy rest = {.b = b,
                               .part = part,
                               .is_little = to_turn,
                               .rank = 1,
                               .shift = zero,
                               .along = variable_of_rest(b)};
    rest.pass[0].at = reversed ? b->base : blocks_behind_all(b);
    rest.pass[0].begins = expr_binary(pool, EXPR_EQUAL, b->count, zero);
    rest.pass[0].row = reversed ? zero : b->count;
    rest.pass[1].begins = expr_binary(pool, EXPR_EQUAL, zero, zero);
    struct stage_axis own[CHAIN_MOST_MEMBERS];
    for (size_t m = 0; m < b->chain->count; m++)
        own[m] = along_rest(b, rest.along, left, b->chain->member[m].stage);
    blocks_copy_rows(&rest, own);
    for (size_t m = 0; m < b->chain->count; m++)
        if (!to_turn || b->chain->member[m].feeds)
            blocks_copy_member(&rest, m, &own[m]);
    return rest;
}

/* What the second pass begins with: computed by itself. */
static struct blocks_copy add_turn(struct blocks *b)
{
    const struct blocks_copy turn = copy_rest(b, "turn", left_of_line(b, true), true);
    struct stage *last = b->out->stages.item[b->out->stages.count - 1];
    if (!b->choice->few)
        last->schedule = blocks_line_by_line(b, 1);
    return turn;
}

/* Lines of the rest alone, as they would be without blocks. */
static uint32_t add_rest(struct blocks *b)
{
    const struct expr *left = left_of_line(b, false);
    struct blocks_copy rest = copy_rest(b, "rest", left, false);
    const struct stage_axis own[1] = {along_rest(b, rest.along, left, b->last)};
    const uint32_t sink = stored(&rest, own);
    if (b->lead + b->trail)
        b->out->stages.item[sink]->schedule = blocks_line_by_line(b, 1);
    return sink;
}

/* For those who ask how it is computed. */
static const struct schedule *in_blocks_of(const struct blocks *b)
{
    const unsigned rank = b->last->rank, along = b->chain->axis;
    const unsigned lanes = rank > 1 ? line_lanes(b->last, along) : along;
    int64_t *tile = ARENA_ARRAY(b->context->output, int64_t, rank);
    for (unsigned k = 0; k < rank; k++)
        tile[k] = k == along ? b->size : k == lanes ? b->choice->most_lines : 1;
    struct schedule schedule = {
        .placement = PLACED_ROOT, .rank = rank, .tile = tile, .along = 1 + along, .blocks = true};
    if (b->last->schedule)
        schedule.span = b->last->schedule->span;
    return arena_copy(b->context->output, &schedule, sizeof schedule);
}

static void add_joined(struct blocks *b, uint32_t blocks, uint32_t rest)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct expr *x = blocks_line(b)->variable;
    const struct expr *size = blocks_integer(b, b->size), *from = region_sum(pool, x, b->base, -1);
    const struct expr *const place[2] = {
        expr_binary(pool, EXPR_DIVIDE, from, size),
        region_sum(pool, b->base, expr_binary(pool, EXPR_REMAINDER, from, size), 1)};
    struct stage joined = *b->last;
    const struct expr *in_blocks = blocks_load(b, blocks, joined.element, 2, place, NULL);
    const struct expr *in_rest = blocks_load(b, rest, joined.element, 1, &x, NULL);
    joined.kind = STAGE_JOINED;
    joined.binding_count = 0;
    joined.schedule = in_blocks_of(b);
    const struct expr *value =
        blocks_reversed(b)
            ? expr_select(pool, expr_binary(pool, EXPR_LESS, x, b->base), in_rest, in_blocks)
            : expr_select(pool, expr_binary(pool, EXPR_LESS, x, blocks_behind_all(b)), in_blocks,
                          in_rest);
    joined.value = value->scalar == joined.element
                       ? value
                       : expr_convert(pool, CONVERT_EXACT, joined.element, value);
    graph_add_stage(b->context->output, b->out, joined);
}

/* As many blocks as there may be: none where there are more lines. */
static const struct expr *most_blocks(struct expr_pool *pool, const struct stage *stage,
                                      unsigned along, int64_t most_lines)
{
    const struct expr *limit = expr_integer(pool, most_lines + 1), *lines = expr_integer(pool, 1);
    const struct expr *few = NULL;
    for (unsigned k = 0; k < stage->rank; k++) { /* products stay small */
        if (k == along)
            continue;
        lines = expr_binary(pool, EXPR_MULTIPLY, lines,
                            expr_binary(pool, EXPR_MINIMUM, stage->axis[k].computed_extent, limit));
        const struct expr *less = expr_binary(pool, EXPR_LESS, lines, limit);
        few = few ? expr_binary(pool, EXPR_AND, few, less) : less;
        lines = expr_binary(pool, EXPR_MINIMUM, lines, limit);
    }
    return expr_select(pool, few, expr_integer(pool, INT32_MAX), expr_integer(pool, 0));
}

/* Samples of a line that all members have: a pass may end before the next one begins. */
static const struct expr *shortest_line(const struct blocks *b)
{
    const struct expr *extent = blocks_line(b)->computed_extent;
    for (size_t m = 0; m < b->chain->count; m++)
        extent = region_minimum(blocks_pool(b), extent,
                                b->chain->member[m].stage->axis[b->chain->axis].computed_extent);
    return extent;
}

/* The states with which blocks begin. */
static void add_states(struct blocks *b)
{
    if (b->chain->clamped) {
        blocks_add_clamped_states(b);
    } else if (blocks_first_pass(b) > 0) {
        const struct blocks_copy begins = add_turn(b);
        blocks_add_states_behind(b, begins.stage);
    } else {
        const struct blocks_states states = blocks_add_states(b);
        if (b->chain->passes < 2)
            return;
        const struct blocks_copy begins = add_turn(b);
        blocks_add_states_back(b, &states, begins.stage);
    }
}

static void add_chain(struct blocks *b)
{
    struct expr_pool *pool = blocks_pool(b);
    const struct stage_axis *line = blocks_line(b);
    const int64_t order = b->chain->order, ahead = b->chain->ahead;
    const struct interval x = line->variable->interval;
    b->block_name = blocks_part_name(b, line->name, "blocks");
    b->j = expr_variable(pool, VARIABLE_INDEX, b->block_name, SCALAR_I32,
                         (struct interval){0, INT32_MAX / b->size});
    b->i = expr_variable(
        pool, VARIABLE_INDEX, line->name, SCALAR_I64,
        (struct interval){x.least - order - ahead, x.greatest + b->size + order + ahead});
    b->count = region_maximum(
        pool,
        region_floor_divide(pool, blocks_plus(b, shortest_line(b), -b->choice->room), b->size),
        blocks_integer(b, 0));
    if (b->choice->most_lines)
        b->count = region_minimum(
            pool, b->count, most_blocks(pool, b->last, b->chain->axis, b->choice->most_lines));
    const struct expr *end = region_sum(pool, line->computed_first, line->computed_extent, 1);
    b->base = blocks_reversed(b) ? region_sum(pool, end, b->count, -b->size) : line->computed_first;
    blocks_find_rows(b);
    if (b->behind && !blocks_fit_tiles(b))
        b->behind = NULL;
    add_states(b);
    const uint32_t blocks = add_blocks(b);
    add_joined(b, blocks, add_rest(b));
}

/* ---- The graph ---- */

static void place_behind(const struct blocks_all_behind *all, struct arena *arena,
                         struct graph *graph)
{
    for (size_t i = 0; i < all->items.count; i++) {
        struct stage *lines = graph->stages.item[all->items.item[i].lines];
        struct schedule schedule = *lines->schedule;
        schedule.placement = PLACED_BEHIND;
        schedule.at.index = all->items.item[i].at;
        lines->schedule = arena_copy(arena, &schedule, sizeof schedule);
    }
}

/* A stage that is not in blocks. */
static struct stage other_stage(const struct block_choices *c, const struct stage *stage,
                                const uint32_t place[])
{
    struct renumbering renumbering = {c->context->pool, place};
    struct expr_rewriter rewriter = {.pool = c->context->pool,
                                     .rule = graph_renumber_read,
                                     .context = &renumbering,
                                     .scratch = c->context->scratch};
    return stage_rewrite(c->context->output, stage, &rewriter);
}

const struct graph *block_recurrences(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    const struct block_choices c = block_choices_of(in, context);
    if (!c.any)
        return in;
    uint32_t *place = ARENA_ARRAY(context->scratch, uint32_t, count);
    const struct blocks **blocks_of = ARENA_ARRAY(context->scratch, const struct blocks *, count);
    struct blocks_all_behind all_behind = {0};
    struct graph *out = graph_copy_without_stages(context->output, in);
    bool any_rows = false; /* of which there are copies instead */
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        const struct block_choice *choice = &c.choice[i];
        if (choice->chain) {
            struct blocks blocks = {.context = context,
                                    .in = in,
                                    .readers = c.readers,
                                    .replaced = c.replaced,
                                    .out = out,
                                    .place = place,
                                    .choice = choice,
                                    .chain = choice->chain,
                                    .last = stage,
                                    .lead = choice->chain->axis,
                                    .trail = stage->rank - 1 - choice->chain->axis,
                                    .size = choice->size,
                                    .behind =
                                        choice->before ? blocks_of[choice->before->id.index] : NULL,
                                    .all_behind = &all_behind};
            add_chain(&blocks);
            blocks_of[i] = arena_copy(context->scratch, &blocks, sizeof blocks);
            any_rows = any_rows || blocks.rows_count;
        }
        place[i] =
            (uint32_t)out->stages.count - (choice->chain != NULL); /* it reads itself there */
        if (!c.replaced[i])
            graph_add_stage(context->output, out, other_stage(&c, stage, place));
    }
    graph_renumber(context->output, out, place);
    place_behind(&all_behind, context->output, out);
    return any_rows ? graph_of_needed(context->output, context->pool, out) : out;
}
