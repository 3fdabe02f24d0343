/* Rows and columns at once, on a grid. Where columns read rows at their own places, and nothing
 * else reads these, rows are not stored: each tile computes them again, from the states of their
 * segments, for the states of columns and once more for the samples (the traffic of algorithm 5 of
 * Nehab et al. 2011 but for one more read of the image):
 *   rows in segments of 64 along x: rows.tails, rows.carry
 *   out in segments of 64 along y:  rows.tile, out.local in tiles of out.tails (y.blocks: 1, x: 64)
 *                                   out.tails, out.carry
 *   the samples:                    rows.again, out.tile in tiles of out (y: 64, x: 64)
 * A recurrence of a tile (`of_tile`) is the chain's own, but for its rule, which at the tile's
 * first places gives the carry. The last tile of a line may be shorter. */
#include "graph/segments/segment_choices.h"

#include "graph/placement/choose.h"
#include "graph/segments/segments.h"

enum { MOST_RANK = 3 };

/* ---- Which ---- */

/* Whether tiles may compute it: one recurrence with what is rounded of it, forward along the axis,
 * of which the program says nothing. */
static bool is_plain(const struct segment_choices *c, const struct segment_choice *own,
                     const struct stage *last, unsigned axis)
{
    const unsigned most = (unsigned)choice_value(c->context, CHOICE_OVERLAP_MEMBERS);
    const int64_t order = choice_value(c->context, CHOICE_OVERLAP_ORDER);
    const struct chain *chain = own->chain;
    bool plain = chain && chain->axis == axis && chain->sweeps == 1 && !chain->sweep[0].reversed &&
                 !chain->clamped && chain->ahead == 0 && chain->count <= most &&
                 chain->order <= order && own->size >= chain->order && !last->repeat &&
                 !own->most_lines;
    for (size_t m = 0; plain && m < chain->count; m++) {
        const struct stage *stage = chain->member[m].stage;
        plain = !stage->schedule && !stage_says_any(stage) &&
                (stage->kind == STAGE_RECURRENCE) == (m == 0) && !stage->as.recurrence.unbounded;
    }
    return plain;
}

/* Whether the chain's stages alone read the stage. */
static bool is_read_by(const struct segment_choices *c, const struct stage *stage,
                       const struct chain *chain)
{
    const struct stage_readers *of = &c->readers[stage->id.index];
    bool all = !graph_output_of(c->in, stage->id);
    for (size_t r = 0; r < of->stages.count; r++)
        all = all && chain_member_of(chain, of->stages.item[r]->id.index) < chain->count;
    return all;
}

static int64_t bytes_of_samples(const struct chain *chain, size_t first, int64_t rows,
                                int64_t columns)
{
    int64_t bytes = 0;
    for (size_t m = first; m < chain->count; m++)
        bytes += rows * (columns | 1) * (int64_t)scalar_info[chain->member[m].stage->element].bytes;
    return bytes;
}

/* What a tile holds of the chain: of states that are rounded, which stay with threads, nothing. */
static int64_t bytes_of_tile(const struct chain *chain, int64_t rows, int64_t columns)
{
    return bytes_of_samples(chain, segment_is_rounded(chain) ? chain->count - 1 : 0, rows, columns);
}

/* The places of a tile along both axes; 0: none fits. crosses: it leaves the tails of both. */
static int64_t size_of_tile(const struct segment_choices *c, const struct stage *last,
                            const struct chain *rows, const struct chain *columns, bool crosses)
{
    const int64_t order = rows->order > columns->order ? rows->order : columns->order;
    const int64_t most = (int64_t)target_fast_bytes(c->context->target);
    int64_t size = choose(c->context, last->id.index, CHOICE_OVERLAP_TILE, order, CHOICE_MOST);
    for (; size >= order; size /= 2) {
        const int64_t behind = size + columns->order, own = bytes_of_tile(rows, size, size);
        if (own + bytes_of_tile(columns, behind, size) <= most &&
            (crosses || own + bytes_of_samples(columns, 0, behind, size) <= most))
            return size;
    }
    return 0;
}

static void choose_overlap(struct segment_choices *c, const struct stage *last)
{
    struct segment_choice *own = &c->choice[last->id.index];
    if (last->rank < 2 || last->rank > MOST_RANK || !is_plain(c, own, last, last->rank - 2) ||
        choose_whether(c->context, last->id.index, CHOICE_TAILS_APART, false))
        return;
    const struct stage *rows = segment_source(c, own->chain);
    struct segment_choice *before = rows ? &c->choice[rows->id.index] : NULL;
    if (!before || rows->rank != last->rank || !is_plain(c, before, rows, last->rank - 1) ||
        before->is_again || before->again || !segment_reads_in_place(c, own->chain, rows) ||
        !is_read_by(c, rows, own->chain))
        return;
    bool same = true;
    for (unsigned k = 0; k < last->rank; k++)
        same = same && stage_has_places_of(last, rows, k);
    const bool crosses = same && segment_may_cross(c, own->chain, before->chain) &&
                         !choose_whether(c->context, last->id.index, CHOICE_OVERLAP_APART, false);
    const int64_t size = same ? size_of_tile(c, last, before->chain, own->chain, crosses) : 0;
    if (size == 0)
        return;
    own->again = rows;
    before->is_again = true;
    own->size = before->size = size;
    own->crosses = before->crosses = crosses;
}

void segment_choose_overlap(struct segment_choices *c)
{
    for (size_t i = 0; i < c->in->stages.count && c->context->target->execution == EXECUTION_GRID;
         i++)
        if (c->choice[i].chain)
            choose_overlap(c, c->in->stages.item[i]);
}

/* ---- Stages ---- */

/* The states of columns, with the rows that they are computed from. */
static void add_states(struct segments *s)
{
    const uint32_t first = (uint32_t)s->out->stages.count;
    const struct symbol *name = segments_stage_name(s, s->last->name, "tails");
    (void)segments_add_states(s);
    uint32_t tails = first;
    while (s->out->stages.item[tails]->name != name)
        tails++;
    int64_t tile[GRAPH_MAX_RANK];
    for (unsigned k = 0; k <= s->last->rank; k++)
        tile[k] = 1;
    tile[s->lead + 1] = 0; /* of the state, all places */
    tile[s->last->rank] = s->size;
    for (uint32_t i = first; i < tails; i++)
        if (s->out->stages.item[i]->kind == STAGE_RECURRENCE)
            s->out->stages.item[i]->as.recurrence.of_tile = s->size;
    segments_place_at(s, s->again->tile_first, s->again->tile_end, tails);
    segments_place_at(s, first, tails, tails);
    segments_give_tile(s, tails, tile);
}

void segments_add_overlapped(struct segments *s)
{
    struct expr_pool *pool = segments_pool(s);
    struct segments again = *s->again;
    if (s->choice->crosses)
        segments_add_crossing(s, &again);
    else
        add_states(s);
    segments_add_of_tile(&again, "again", false);
    s->new_id[again.last->id.index] = again.tile_end - 1;
    segments_add_of_tile(s, "tile", false);
    const struct expr *index[GRAPH_MAX_RANK];
    int64_t tile[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < s->last->rank; k++) {
        index[k] = s->last->axis[k].variable;
        tile[k] = k + 2 < s->last->rank ? 1 : s->size;
    }
    struct stage samples = *s->last;
    samples.kind = STAGE_MAP;
    samples.binding_count = 0;
    samples.value = expr_load(pool, s->tile_end - 1, samples.element, samples.interval,
                              samples.rank, index, NULL);
    const uint32_t sink = graph_add_stage(s->context->output, s->out, samples).index;
    segments_place_at(s, again.tile_first, again.tile_end, sink);
    segments_place_at(s, s->tile_first, s->tile_end, sink);
    segments_give_tile(s, sink, tile);
}
