/* block_recurrences: graph → graph. A chain of linear recurrences of which there are few lines, or any number where the program
 * wants it, is computed in blocks of the line that lie side by side, as if they were lines of an image:
 *   before: s[x] = in[x] + a s[x - 1]   out[x] = round(s[x])
 *   after:  x = B j + i, block j
 *           local:    at rest where the block begins, its last samples alone:   s.local[j, i]   out.tails[j, i]
 *           response: what a state becomes behind B samples, a matrix:          s.response[k, i]   out.matrix[k, i]
 *           carry:    the state where a block begins:                           out.carry[j + 1] = tails[j] + matrix carry[j]
 *           blocks:   the samples, each block from its own state:               s[j, i]   out.blocks[j, i]
 *           rest:     what is left of the line, fewer than a block:             s.rest[x]   out.rest[x]
 *           out joined of out.blocks and out.rest, which are stored in its place
 * A line is read twice and written once, however many recurrences there are, there and back, and blocks are independent. Lines
 * that run backward have their rest before the blocks. The state is carried in f64.
 * Afterwards the last stage of each such chain is joined, and reads its parts alone; group_lines computes blocks together. */
#include "pass.h"
#include "graph/blocks.h"
#include "graph/line_groups.h"
#include "graph/random_schedule.h"

#include <string.h>

enum {
    BLOCK = 4160,     /* samples: one matrix is cheap, and the next begins elsewhere in a page */
    FEW_LINES = 8,    /* beside each other already: no more than these */
    RANDOM_BLOCK = 40 /* at most, for tests */
};

/* ---- Samples ---- */

/* What is stored, apart from a recurrence that it is of, or from what others read of the tile. */
static uint32_t stored(struct blocks_copy *c, const struct stage_axis own[])
{
    struct blocks *b = c->b;
    const uint32_t state = c->stage[b->chain->count - 1];
    if (b->last->kind == STAGE_MAP && !(c->rank == 2 && b->keeps))
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
                             region_minimum(pool, line, blocks_integer(b, b->room)), left)
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
    if (!b->few)
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
        tile[k] = k == along ? b->size : k == lanes ? b->most_lines : 1;
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
        pool, region_floor_divide(pool, blocks_plus(b, shortest_line(b), -b->room), b->size),
        blocks_integer(b, 0));
    if (b->most_lines)
        b->count = region_minimum(pool, b->count,
                                  most_blocks(pool, b->last, b->chain->axis, b->most_lines));
    const struct expr *end = region_sum(pool, line->computed_first, line->computed_extent, 1);
    b->base = blocks_reversed(b) ? region_sum(pool, end, b->count, -b->size) : line->computed_first;
    blocks_find_rows(b);
    if (b->behind && !blocks_fit_tiles(b))
        b->behind = NULL;
    add_states(b);
    const uint32_t blocks = add_blocks(b);
    add_joined(b, blocks, add_rest(b));
}

/* ---- Which ---- */

enum lines { LINES_FEW, LINES_PERHAPS_FEW, LINES_MANY };

/* Beside each other, as far as it is known: channels are called c, and may be few. */
static enum lines lines_of(const struct graph *graph, const struct stage *stage, unsigned along)
{
    int64_t lines = 1;
    bool known = true;
    for (unsigned k = 0; k < stage->rank && lines <= FEW_LINES; k++) {
        if (k == along)
            continue;
        const int64_t expected = graph_expected(graph, stage->axis[k].computed_extent);
        const bool channels = strcmp(stage->axis[k].name->text, "c") == 0;
        lines *= expected > 0 ? expected : channels ? 1 : FEW_LINES + 1;
        known = known && expected > 0;
    }
    return lines > FEW_LINES ? LINES_MANY : known ? LINES_FEW : LINES_PERHAPS_FEW;
}

/* Lines beyond which there are no blocks, for they lie beside each other already; 0: any number. */
static int64_t most_lines_for(const struct pass_context *context, const struct stage *last,
                              unsigned along)
{
    const uint64_t random = context->random_schedule;
    bool known = true;
    for (unsigned k = 0; k < last->rank; k++)
        known = known && (k == along || last->axis[k].computed_extent->kind == EXPR_INTEGER);
    if (stage_has_blocks(last))
        return last->rank > 1 ? last->schedule->tile[line_lanes(last, along)] : 0;
    if (random && !known)
        return (int64_t)(random_choice(random, last->id.index, 8) % (2 * FEW_LINES));
    return known ? 0 : FEW_LINES;
}

/* Whether a matrix in f64 tells the states well enough: it is a product of what clustered poles make large, and a recurrence of
 * high order in which one of them lasts loses some digits from block to block, 2e-13 of the greatest sample at order 8. */
static bool is_exact_enough(const struct stage *last, const struct chain *chain)
{
    enum { MOST_LAGS = 4 };
    int64_t lags = 0;
    for (size_t m = 0; m < chain->count; m++)
        lags = chain->member[m].lags > lags ? chain->member[m].lags : lags;
    return last->element != SCALAR_F64 || lags <= MOST_LAGS;
}

/* A sum of integers takes a cycle a sample, line by line: blocks pay where many threads share them, and a schedule wants that. */
static bool is_cheap(const struct chain *chain)
{
    return chain->algebra->wraps && chain->order == 1;
}

/* Of a block; 0: there are none. */
static int64_t size_for(const struct pass_context *context, const struct stage *last,
                        const struct chain *chain)
{
    const struct expr *extent = last->axis[chain->axis].computed_extent;
    const uint64_t random = context->random_schedule;
    if (last->schedule) {
        const int64_t asked = stage_has_blocks(last) ? last->schedule->tile[chain->axis] : 0;
        return asked >= chain->order ? asked : 0;
    }
    if (random && last->kind == STAGE_MAP && random_choice(random, last->id.index, 6) % 4 == 0)
        return 0;
    if (random)
        return chain->order +
               (int64_t)(random_choice(random, last->id.index, 7) %
                         (random_choice(random, last->id.index, 11) % 2 ? RANDOM_BLOCK
                                                                        : RANDOM_BLOCK / 8));
    const bool is_short = extent->kind == EXPR_INTEGER && extent->as.integer < 4 * BLOCK;
    return is_short || is_cheap(chain) || !is_exact_enough(last, chain) ? 0 : BLOCK;
}

/* There and back at once, or each by itself. */
static unsigned most_passes_for(const struct pass_context *context, const struct stage *last)
{
    const uint64_t random = context->random_schedule;
    return random && !stage_has_blocks(last) && random_choice(random, last->id.index, 9) % 2
               ? 1
               : CHAIN_MOST_PASSES;
}

struct choosing {
    const struct graph *in;
    size_t recurrences; /* of the graph */
    struct pass_context *context;
    const struct stage_readers *readers;
    const struct chain **chain; /* by stage: that ends in it, in blocks */
    int64_t *size;              /* by stage: of these */
    const struct stage **
        before; /* by stage, that ends a chain: another one that does, whose samples it reads block by block */
    int64_t *room;  /* by stage: places that are left behind the blocks at least */
    int64_t *panel; /* by stage: lines side by side, where others need so many */
    bool *keeps;    /* by stage: others read its samples */
    bool *inside;   /* by stage: of a chain, whether that is in blocks or not */
    bool *replaced; /* by stage: of one that is */
    bool any;
};

/* Whether blocks can be left to the rest at run time, at no cost: its lines are then what they would be without blocks,
 * beside no other recurrences with which they could be computed. */
static bool is_alone(const struct choosing *c, const struct chain *chain)
{
    size_t recurrences = 0;
    for (size_t m = 0; m < chain->count; m++)
        recurrences += chain->member[m].stage->kind == STAGE_RECURRENCE;
    return recurrences == c->recurrences;
}

/* Whether the chain may be in blocks, as far as its lines go. */
static bool may_be_in_blocks(const struct choosing *c, const struct chain *chain,
                             const struct stage *last)
{
    const enum lines lines = lines_of(c->in, last, chain->axis);
    return stage_has_blocks(last) || c->context->random_schedule || lines == LINES_FEW ||
           (lines == LINES_PERHAPS_FEW && is_alone(c, chain));
}

/* Along which axis lines may be cut: what is asked for, or any of which there are few beside each other. */
static bool may_run_along(const struct choosing *c, const struct stage *last, unsigned axis)
{
    const uint64_t random = c->context->random_schedule;
    if (stage_has_blocks(last))
        return axis + 1 == last->schedule->along;
    return random ? last->kind == STAGE_RECURRENCE ||
                        random_choice(random, last->id.index, 10) % last->rank == axis
                  : lines_of(c->in, last, axis) != LINES_MANY;
}

/* Of two passes, or of the last one where both together lose too much, whether the program places the other one or not. */
static const struct chain *chain_along(const struct choosing *c, const struct stage *last,
                                       unsigned axis)
{
    const struct chain *chain = NULL;
    for (unsigned passes = most_passes_for(c->context, last); passes > 0; passes--) {
        chain =
            chain_of(c->in, c->context->pool, c->context->scratch, c->readers, last, axis, passes);
        if (!chain || chain->passes < 2 || stage_has_blocks(last) || is_exact_enough(last, chain))
            break;
    }
    return chain;
}

static const struct chain *find_chain(const struct choosing *c, const struct stage *last)
{
    const struct chain *chain = NULL;
    for (unsigned axis = last->rank; axis-- > 0 && !chain;) {
        if (may_run_along(c, last, axis))
            chain = chain_along(c, last, axis);
        chain = chain && may_be_in_blocks(c, chain, last) ? chain : NULL;
    }
    return chain;
}

static void choose(struct choosing *c, const struct stage *last)
{
    const bool fits = last->rank > 0 && last->rank + 1 <= GRAPH_MAX_RANK;
    const struct chain *chain = fits && !c->inside[last->id.index] ? find_chain(c, last) : NULL;
    if (!chain)
        return;
    const bool has_tiles = !stage_has_blocks(last) && stage_has_others(c->in, last);
    const int64_t size = has_tiles ? 0 : size_for(c->context, last, chain);
    for (size_t m = 0; m < chain->count; m++) {
        const uint32_t member = chain->member[m].stage->id.index;
        c->inside[member] = true;
        c->replaced[member] = c->replaced[member] || size > 0;
    }
    if (size == 0)
        return;
    c->chain[last->id.index] = chain;
    c->size[last->id.index] = size;
    c->any = true;
}

/* ---- Chains behind others ----
 * Where a chain reads nothing but the samples of another one, at the same places, its tails are computed with the blocks of
 * that, just as they have been stored: each chain reads an image once and writes it once, but for the first one, which is
 * also read for its tails (algorithm 2 of Nehab et al. 2011; where chains run there and back, algorithm 4). Along the same
 * axis both have the same blocks. Where the second one runs along rows, columns lie side by side as many as its blocks have
 * places. */

struct read_search {
    const struct chain *chain;
    const struct stage *last; /* of those that are read */
    const struct graph *graph;
};

static void note_source(const struct expr *node, void *user)
{
    struct read_search *search = user;
    if (node->kind != EXPR_LOAD ||
        chain_member_of(search->chain, node->as.load.source) < search->chain->count)
        return;
    const struct stage *source = search->graph->stages.item[node->as.load.source];
    if (!search->last || source->id.index > search->last->id.index)
        search->last = source;
}

/* Whether what the chain's states depend on reads no sample of the stage but that of the same place. */
static bool is_read_in_place(const struct choosing *c, const struct chain *chain,
                             const struct stage *stage)
{
    bool in_place = true;
    for (size_t m = 0; m < chain->count; m++) {
        const struct line_reach reach =
            line_reach_of(c->context->scratch, chain->member[m].stage, stage, chain->axis);
        if (chain->member[m].feeds && reach.any)
            in_place = in_place && reach.beside && reach.least == 0 && reach.greatest == 0;
    }
    return in_place;
}

/* Whether its lines lie in the tiles of that: along the same axis, or across columns that are the fastest but one. */
static bool has_lines_in_tiles(const struct chain *chain, const struct stage *last,
                               const struct chain *before, const struct stage *stage)
{
    bool same = last->rank == stage->rank && last->repeat == stage->repeat;
    for (unsigned k = 0; same && k < last->rank; k++)
        same = (k == chain->axis && k == before->axis) || stage_has_places_of(last, stage, k);
    return same && (chain->axis == before->axis ||
                    (chain->axis + 1 == last->rank && before->axis + 2 == last->rank));
}

/* The blocks of two chains, counted from the same end: behind a pass without a state, if need be. */
static const struct chain *chain_with_blocks_of(const struct choosing *c, const struct chain *chain,
                                                bool reversed)
{
    return chain->pass[0].reversed == reversed ? chain
           : chain->passes == 1                ? chain_behind(c->context->scratch, chain, reversed)
                                               : NULL;
}

static void choose_before(struct choosing *c, const struct stage *last)
{
    enum { MOST_LANES = 1024 };
    const uint32_t at = last->id.index;
    const struct chain *chain = c->chain[at];
    const uint64_t random = c->context->random_schedule;
    struct read_search search = {chain, NULL, c->in};
    for (size_t m = 0; m < chain->count; m++)
        if (chain->member[m].feeds)
            stage_nodes(chain->member[m].stage, c->context->scratch, note_source, &search);
    const struct stage *stage = search.last;
    const struct chain *before = stage ? c->chain[stage->id.index] : NULL;
    if (!before || chain->clamped || chain->ahead > 0 || !is_read_in_place(c, chain, stage) ||
        !has_lines_in_tiles(chain, last, before, stage) ||
        (random && random_choice(random, at, 14) % 2))
        return;
    const bool turned = chain->axis != before->axis;
    int64_t *panel = &c->panel[stage->id.index];
    const int64_t size = c->size[stage->id.index];
    if (random && !turned && size >= chain->order)
        c->size[at] = size;
    chain = chain_with_blocks_of(c, chain, !turned && before->pass[0].reversed);
    if (!chain || (turned ? c->size[at] > MOST_LANES || (*panel && *panel != c->size[at])
                          : c->size[at] != size))
        return;
    c->chain[at] = chain;
    c->before[at] = stage;
    c->keeps[stage->id.index] = true;
    if (turned)
        *panel = c->size[at];
}

/* As much as leaves place for the state behind the last block, and for what the way back begins with, or reads ahead; blocks of
 * others behind it have the same. */
static void settle_room(struct choosing *c, const struct stage *last)
{
    const struct chain *chain = c->chain[last->id.index];
    int64_t *room = &c->room[last->id.index];
    *room = chain->order > *room ? chain->order : *room;
    *room = chain->turn > *room ? chain->turn : *room;
    *room = chain->ahead > *room ? chain->ahead : *room;
    const struct stage *stage = c->before[last->id.index];
    if (stage && c->chain[stage->id.index]->axis == chain->axis && *room > c->room[stage->id.index])
        c->room[stage->id.index] = *room;
}

/* Afterwards both have the same. */
static void share_room(struct choosing *c, const struct stage *last)
{
    const struct stage *stage = c->before[last->id.index];
    if (stage && c->chain[stage->id.index]->axis == c->chain[last->id.index]->axis)
        c->room[last->id.index] = c->room[stage->id.index];
}

static void choose_all_before(struct choosing *c)
{
    const size_t count = c->in->stages.count;
    for (size_t i = 0; i < count; i++) /* the blocks of that are settled by then */
        if (c->chain[i])
            choose_before(c, c->in->stages.item[i]);
    for (size_t i = count; i-- > 0;)
        if (c->chain[i])
            settle_room(c, c->in->stages.item[i]);
    for (size_t i = 0; i < count; i++)
        if (c->chain[i])
            share_room(c, c->in->stages.item[i]);
}

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

/* ---- The graph ---- */

/* A stage that is not in blocks. */
static struct stage other_stage(const struct choosing *c, const struct stage *stage,
                                const uint32_t place[])
{
    struct renumbering renumbering = {c->context->pool, place};
    struct expr_rewriter rewriter = {.pool = c->context->pool,
                                     .rule = graph_renumber_read,
                                     .context = &renumbering,
                                     .scratch = c->context->scratch};
    return stage_rewrite(c->context->output, stage, &rewriter);
}

static size_t count_recurrences(const struct graph *in)
{
    size_t count = 0;
    for (size_t i = 0; i < in->stages.count; i++)
        count += in->stages.item[i]->kind == STAGE_RECURRENCE;
    return count;
}

const struct graph *block_recurrences(const struct graph *in, struct pass_context *context)
{
    const size_t count = in->stages.count + 1;
    struct choosing c = {.in = in,
                         .recurrences = count_recurrences(in),
                         .context = context,
                         .chain = ARENA_ARRAY(context->scratch, const struct chain *, count),
                         .size = ARENA_ARRAY(context->scratch, int64_t, count),
                         .before = ARENA_ARRAY(context->scratch, const struct stage *, count),
                         .room = ARENA_ARRAY(context->scratch, int64_t, count),
                         .panel = ARENA_ARRAY(context->scratch, int64_t, count),
                         .keeps = ARENA_ARRAY(context->scratch, bool, count),
                         .inside = ARENA_ARRAY(context->scratch, bool, count),
                         .replaced = ARENA_ARRAY(context->scratch, bool, count)};
    if (context->target->tile_bytes == 0 || c.recurrences == 0)
        return in;
    c.readers = graph_readers(in, context->scratch);
    for (size_t i = in->stages.count; i-- > 0;)
        choose(&c, in->stages.item[i]);
    if (!c.any)
        return in;
    choose_all_before(&c);
    uint32_t *place = ARENA_ARRAY(context->scratch, uint32_t, count);
    const struct blocks **blocks_of = ARENA_ARRAY(context->scratch, const struct blocks *, count);
    struct blocks_all_behind all_behind = {0};
    struct graph *out = graph_copy_without_stages(context->output, in);
    bool any_rows = false; /* of which there are copies instead */
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        if (c.chain[i]) {
            struct blocks blocks = {.context = context,
                                    .in = in,
                                    .readers = c.readers,
                                    .replaced = c.replaced,
                                    .out = out,
                                    .place = place,
                                    .chain = c.chain[i],
                                    .last = stage,
                                    .lead = c.chain[i]->axis,
                                    .trail = stage->rank - 1 - c.chain[i]->axis,
                                    .size = c.size[i],
                                    .room = c.room[i],
                                    .panel = c.panel[i],
                                    .keeps = c.keeps[i],
                                    .behind = c.before[i] ? blocks_of[c.before[i]->id.index] : NULL,
                                    .all_behind = &all_behind,
                                    .few = lines_of(in, stage, c.chain[i]->axis) != LINES_MANY,
                                    .most_lines = most_lines_for(context, stage, c.chain[i]->axis)};
            add_chain(&blocks);
            blocks_of[i] = arena_copy(context->scratch, &blocks, sizeof blocks);
            any_rows = any_rows || blocks.rows_count;
        }
        place[i] = (uint32_t)out->stages.count - (c.chain[i] != NULL); /* it reads itself there */
        if (!c.replaced[i])
            graph_add_stage(context->output, out, other_stage(&c, stage, place));
    }
    graph_renumber(context->output, out, place);
    place_behind(&all_behind, context->output, out);
    return any_rows ? graph_of_needed(context->output, context->pool, out) : out;
}
