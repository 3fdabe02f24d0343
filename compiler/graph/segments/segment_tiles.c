/* Chains behind others. Where a chain reads nothing but the samples of another one, at the same
 * places, its tails are computed with the tiles of that, of what has just been computed there: each
 * chain reads an image once and writes it once, but for the first one, which is also read for its
 * tails (algorithm 2 of Nehab et al. 2011; where chains run there and back, algorithm 4). Along the
 * same axis both have the same segments. Where the second one runs along rows, columns lie side by
 * side, as many as its segments have places.
 *   down in segments of 64 along y     with each tile: up.tails       up in segments of 64 along y, right in segments of 128 along x
 *   up in tiles of 64 x 128          with each tile: right.tails */
#include "graph/segments/segment_choices.h"

#include "graph/segments/segments.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/choose.h"
#include "graph/placement/tiles.h"

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

bool segment_reads_in_place(const struct segment_choices *c, const struct chain *chain,
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

/* Whether its lines lie in the tiles of that: along the same axis, or across columns that are the
 * fastest but one. */
static bool has_lines_in_tiles(const struct chain *chain, const struct stage *last,
                               const struct chain *before, const struct stage *stage)
{
    bool same = last->rank == stage->rank && last->repeat == stage->repeat;
    for (unsigned k = 0; same && k < last->rank; k++)
        same = (k == chain->axis && k == before->axis) || stage_has_places_of(last, stage, k);
    return same && (chain->axis == before->axis ||
                    (chain->axis + 1 == last->rank && before->axis + 2 == last->rank));
}

/* The segments of two chains, counted from the same end: behind a sweep without a state, if need
 * be. */
static const struct chain *chain_with_segments_of(const struct segment_choices *c,
                                                  const struct chain *chain, bool reversed)
{
    return chain->sweep[0].reversed == reversed ? chain
           : chain->sweeps == 1                 ? chain_behind(c->context->scratch, chain, reversed)
                                                : NULL;
}

/* Whether a block of threads holds what it computes until the tails are: in registers, where they
 * are of the same lines (group_lines); of others in shared memory. across: lines side by side; 0:
 * the same. */
static bool fits_block(const struct segment_choices *c, const struct stage *stage, int64_t size,
                       int64_t across)
{
    const struct target *target = c->context->target;
    return across == 0 || (stage->rank <= TILE_GRID_AXES && across <= target->block_threads &&
                           size <= target_fast_bytes(target) / (across + 1) /
                                       (int64_t)scalar_info[stage->element].bytes);
}

/* Whether what a tile computes stays in a fast cache until the tails are. */
static bool fits_cache(const struct segment_choices *c, const struct stage *stage, int64_t size,
                       int64_t panel)
{
    const bool rows = c->choice[stage->id.index].chain->axis + 1 == stage->rank;
    const int64_t lanes = panel  ? panel
                          : rows ? LINE_ROWS
                                 : choice_value(c->context, CHOICE_SEGMENT_COLUMNS);
    return size <= choice_value(c->context, CHOICE_SEGMENT_BYTES) / lanes /
                       scalar_info[stage->element].bytes;
}

static bool fits_memory(const struct segment_choices *c, const struct stage *stage, int64_t size,
                        int64_t panel, int64_t across)
{
    return c->context->target->fast.owner == OWNER_BLOCK ? fits_block(c, stage, size, across)
                                                         : fits_cache(c, stage, size, panel);
}

const struct stage *segment_source(const struct segment_choices *c, const struct chain *chain)
{
    struct read_search search = {chain, NULL, c->in};
    for (size_t m = 0; m < chain->count; m++)
        if (chain->member[m].feeds)
            stage_nodes(chain->member[m].stage, c->context->scratch, note_source, &search);
    return search.last;
}

/* Whether all that the chain's states depend on can be computed together with them. */
static bool may_be_together(const struct chain *chain)
{
    bool together = chain->count < CHAIN_MOST_MEMBERS;
    for (size_t m = 0; m < chain->count; m++)
        together = together && !stage_says_any(chain->member[m].stage);
    return together;
}

/* Whether the chain may read the stage, which ends another one, in tiles of that, as far as its
 * lines go. */
static bool may_read_tiles(const struct segment_choices *c, const struct stage *last,
                           const struct stage *stage)
{
    const struct chain *chain = c->choice[last->id.index].chain;
    return !chain->clamped && chain->ahead == 0 && may_be_together(chain) &&
           segment_reads_in_place(c, chain, stage) &&
           has_lines_in_tiles(chain, last, c->choice[stage->id.index].chain, stage) &&
           !choose_whether(c->context, last->id.index, CHOICE_TAILS_APART, false);
}

/* Along the same axis; chance gives both the same segments. */
static bool choose_beside(struct segment_choices *c, struct segment_choice *own,
                          const struct segment_choice *before, const struct stage *stage)
{
    if (c->context->random_schedule && before->size >= own->chain->order)
        own->size = before->size;
    const struct chain *chain =
        chain_with_segments_of(c, own->chain, before->chain->sweep[0].reversed);
    const bool fits =
        chain && own->size == before->size && fits_memory(c, stage, before->size, before->panel, 0);
    if (fits)
        own->chain = chain;
    return fits;
}

/* Across columns. */
static bool choose_across(struct segment_choices *c, struct segment_choice *own,
                          struct segment_choice *before, const struct stage *stage)
{
    const struct chain *chain = chain_with_segments_of(c, own->chain, false);
    const bool fits = chain && (before->panel == 0 || before->panel == own->size) &&
                      fits_memory(c, stage, before->size, own->size, own->size);
    if (fits) {
        own->chain = chain;
        before->panel = own->size;
    }
    return fits;
}

static void choose_before(struct segment_choices *c, const struct stage *last)
{
    struct segment_choice *own = &c->choice[last->id.index];
    const struct stage *stage = segment_source(c, own->chain);
    struct segment_choice *before = stage ? &c->choice[stage->id.index] : NULL;
    if (!before || !before->chain || before->again || before->is_again || own->again ||
        own->is_again || !may_read_tiles(c, last, stage) ||
        !(own->chain->axis == before->chain->axis ? choose_beside(c, own, before, stage)
                                                  : choose_across(c, own, before, stage)))
        return;
    own->before = stage;
    before->keeps = true;
}

/* The chain along the same axis whose segments are the same; NULL: there is none. */
static struct segment_choice *with_same_segments(struct segment_choices *c,
                                                 const struct segment_choice *own)
{
    struct segment_choice *before = own->before ? &c->choice[own->before->id.index] : NULL;
    return before && before->chain->axis == own->chain->axis ? before : NULL;
}

/* As much as leaves place for the state behind the last segment, and for what the way back begins
 * with, or reads ahead; and for chains behind it. */
static void settle_room(struct segment_choices *c, struct segment_choice *own)
{
    const int64_t needed[3] = {own->chain->order, own->chain->turn, own->chain->ahead};
    struct segment_choice *before = with_same_segments(c, own);
    if (own->again || own->is_again) {
        own->room = 1; /* tiles go on to the end of the line */
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        own->room = needed[i] > own->room ? needed[i] : own->room;
    if (before && own->room > before->room)
        before->room = own->room;
}

/* Afterwards both have the same. */
static void share_room(struct segment_choices *c, struct segment_choice *own)
{
    const struct segment_choice *before = with_same_segments(c, own);
    if (before)
        own->room = before->room;
}

void segment_choose_tiles(struct segment_choices *c)
{
    const size_t count = c->in->stages.count;
    const bool has_tiles = c->context->target->fast.owner != OWNER_NONE;
    for (size_t i = 0; i < count && has_tiles; i++) /* the segments of that are settled by then */
        if (c->choice[i].chain)
            choose_before(c, c->in->stages.item[i]);
    for (size_t i = count; i-- > 0;)
        if (c->choice[i].chain)
            settle_room(c, &c->choice[i]);
    for (size_t i = 0; i < count; i++)
        if (c->choice[i].chain)
            share_room(c, &c->choice[i]);
}
