/* Tiles of a group, with the overlap of neighbouring tiles computed in both:
 *   loop y.block { loop x.block {
 *       let out.y.tile = 64 y.block  let out.y.tile_end = min(…)  …     the tile of the sink
 *       let rows.y.tile = max(out.y.tile - 1, 0)  …                     what readers need of each member
 *       allocate rows  loop y { loop x { store rows … } }               members, in order
 *       loop y { loop x { store out … } } } }
 * Needs are cut to the box of the stage, so each is made of the ones of its readers alone. Members
 * that share loops with a reader are inside these:
 *       loop v { let apart.v.tile = v  …  allocate apart  loop y { … store apart }  loop y { … store columns } }
 * A tile that slides takes the sink row by row; members have memory for the rows that are still
 * read, in turn:
 *       allocate rows
 *       loop out.y from out.y.tile sliding {
 *           let rows.y.row = out.y == out.y.tile ? rows.y.tile : min(out.y + 1, …)  let rows.y.row_end = min(out.y + 2, …)
 *           loop y from rows.y.row { loop x { store rows … } }              those that are new
 *           loop x { store out … } } */
#include "loop/lower/tile_nest.h"

#include "analysis/regions.h"
#include "graph/placement/choosing_axis.h"
#include "loop/lower/loop_details.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"
#include "loop/lines/tile_rows.h"
#include "graph/placement/choose.h"

struct nest {
    struct tile_code tile;
    struct program *program;
    const struct buffer *const *buffer;
    bool tiled[GRAPH_MAX_RANK]; /* by axis of the sink */
    struct hash_map *read;      /* buffers that members so far have read from memory */
};

/* ---- Loops ---- */

static const struct statement *loop(const struct nest *n, const struct stage *stage,
                                    enum parallel_level level, const struct expr *variable,
                                    const struct expr *first, const struct expr *extent,
                                    const struct statement *body, bool reversed)
{
    return STATEMENT_NEW(n->tile.context->output, stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, reversed, false, 0});
}

/* Whether the tile takes the stage's rows several times, for each place along another axis. */
static bool is_repeated(const struct tile_group *group, size_t place)
{
    bool repeated = false;
    for (unsigned k = 0; place < group->count && k < group->member[place]->rank; k++)
        repeated = repeated || group->needs[place].axis[k].axis == NO_AXIS;
    return repeated;
}

static const void *key_of(const struct nest *n, const struct statement *prefetch)
{
    return program_buffer(n->program, prefetch->as.prefetch.buffer);
}

/* Leaves out what members before have read; what is left is read from now on. Returns how many are
 * left. */
static unsigned keep_unread(const struct nest *n, unsigned count, const struct statement *item[])
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!hash_map_find(n->read, key_of(n, item[i])))
            item[kept++] = item[i];
    for (unsigned i = 0; i < kept; i++)
        hash_map_put(n->tile.context->scratch, n->read, key_of(n, item[i]),
                     (void *)(uintptr_t)item[i]);
    return kept;
}

/* Why no rows are asked for before those of a member; NULL: they are. */
static const char *reason_of_rows(const struct nest *n, size_t place)
{
    const struct stage *stage = n->tile.group->member[place], *sink = n->tile.group->sink;
    const unsigned last = sink->rank - 1;
    return stage->rank < 2   ? "it has one axis"
           : !n->tiled[last] ? "its tiles hold whole rows, which lie one behind the other"
           : is_repeated(n->tile.group, place) ? "its tile takes the same rows several times"
           : sink->schedule->tile[last] * scalar_info[stage->element].bytes >
                   choice_value(n->tile.context, CHOICE_PREFETCH_ROW)
               ? "the rows of its tile are so long that the processor foresees them"
               : NULL;
}

/* Before the loop over a row: the next rows of what it reads, but for what a member before has read
 * already. */
static const struct statement *with_prefetches(const struct nest *n, size_t place,
                                               const struct statement *sample,
                                               const struct statement *row)
{
    enum { MOST = 4 };
    struct pass_context *context = n->tile.context;
    const struct stage *stage = n->tile.group->member[place];
    const struct statement *item[MOST + 1];
    const unsigned last = stage->rank - 1;
    const int64_t ahead = details_prefetch(stage, 1);
    const char *reason = reason_of_rows(n, place);
    if (reason)
        decline(context, stage, DETAIL_PREFETCH, "%s", reason);
    if (reason || ahead == 0)
        return row;
    const struct expr *const y = stage->axis[last - 1].variable;
    const struct prefetch_range range = {
        .x = stage->axis[last].variable,
        .y = y,
        .below = region_sum(context->pool, y, expr_integer(context->pool, ahead), 1),
        .first = tile_first(context, stage, last),
        .end = tile_end(context, stage, last),
        .reason = &reason};
    const unsigned count = prefetch_rows(context, n->program, &range, sample, MOST, item);
    details_obey_prefetch(context, n->program, stage, count, reason);
    const unsigned kept = keep_unread(n, count, item);
    item[kept] = row;
    return kept ? statement_block(context->output, stage->span, kept + 1, item) : row;
}

/* The loop over an axis of the stage in the tile. An axis of the sink that is not cut is taken
 * whole. */
static const struct statement *loop_in_tile(const struct nest *n, size_t place, unsigned k,
                                            bool innermost, const struct statement *body)
{
    struct pass_context *context = n->tile.context;
    const struct stage *stage = n->tile.group->member[place];
    const struct buffer_axis *axis = &n->buffer[place]->axis[k];
    const bool whole = stage == n->tile.group->sink && !n->tiled[k];
    const bool slides = k == tile_sliding_of(n->tile.group, place);
    const struct expr *first = slides ? tile_row(context, stage, k) : tile_first(context, stage, k);
    const struct expr *behind =
        slides ? tile_row_end(context, stage, k) : tile_end(context, stage, k);
    const bool recurs = stage->kind == STAGE_RECURRENCE && k == stage->as.recurrence.axis;
    const bool chooses = whole && k == choosing_axis(context->scratch, stage);
    struct statement made =
        *loop(n, stage,
              recurs    ? LEVEL_SERIAL
              : chooses ? LEVEL_UNROLLED
                        : details_level(stage, innermost),
              stage->axis[k].variable, whole ? axis->first : first,
              whole ? axis->extent : region_sum(context->pool, behind, first, -1), body,
              recurs && stage->as.recurrence.reversed);
    if (!recurs && !chooses && !slides)
        made.as.loop.by = details_unroll(stage, k);
    return statement_new(context->output, made);
}

/* The axes of a stage whose loops all are in one place, in the order of these. */
static void order_in_tile(const struct nest *n, size_t place, unsigned order[])
{
    const struct stage *stage = n->tile.group->member[place];
    const bool is_sink = stage == n->tile.group->sink;
    const unsigned choosing = choosing_axis(n->tile.context->scratch, stage);
    const char *fixed[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        fixed[k] = !stage_may_move(stage) ? "it is a recurrence"
                   : k == tile_sliding_of(n->tile.group, place)
                       ? arena_format(n->tile.context->scratch, "its tiles slide along '%s'",
                                      stage->axis[k].name->text)
                   : is_sink && !n->tiled[k] && k == choosing
                       ? details_choosing(n->tile.context, stage, k)
                       : NULL;
    details_order(n->tile.context, n->program, stage, fixed, order);
    details_obey_loops(n->tile.context, n->program, stage, fixed);
}

/* Over the box of the stage in the tile, along the axes from `from` to `end` - 1. */
static const struct statement *loops_in_tile(const struct nest *n, size_t place, unsigned from,
                                             unsigned end, const struct statement *body)
{
    const struct stage *stage = n->tile.group->member[place];
    const struct statement *sample = body;
    unsigned order[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        order[k] = k;
    if (from == 0 && end == stage->rank)
        order_in_tile(n, place, order);
    else
        details_decline(n->tile.context, stage, "it shares loops with other stages of its tile");
    for (unsigned i = end; i-- > from;) {
        const unsigned k = order[i];
        if (i + 2 == stage->rank && order[i + 1] == i + 1 && k == i)
            body = with_prefetches(n, place, sample, body);
        if (k == tile_sliding_of(n->tile.group, place) && stage == n->tile.group->sink)
            continue; /* the loop around */
        body = loop_in_tile(n, place, k, i + 1 == end, body);
    }
    decline(n->tile.context, stage, DETAIL_PREFETCH, "its innermost loops do not follow rows");
    return body;
}

static const struct statement *allocation(const struct nest *n, size_t place)
{
    return STATEMENT_NEW(n->tile.context->output, n->tile.group->sink->span,
                         .kind = STATEMENT_ALLOCATE, .as.allocate = {n->buffer[place]->id});
}

/* What shares the loops of a root, then its own samples: for one place of the shared axes. */
static const struct statement *shared_body(struct nest *n, size_t root,
                                           const struct statement *const body[])
{
    struct pass_context *context = n->tile.context;
    const struct stage *of = n->tile.group->member[root];
    const unsigned inner = n->tile.group->needs[root].inner;
    struct nest inside = *n;
    memset(&inside.tile.lets, 0, sizeof inside.tile.lets);
    for (size_t m = 0; m < root; m++) {
        const struct stage *stage = n->tile.group->member[m];
        const struct statement *samples = body[m];
        if (n->tile.group->needs[m].root != of)
            continue;
        for (unsigned k = 0; k < inner; k++) {
            const struct expr *place = of->axis[k].variable;
            tile_add_let(&inside.tile, tile_first(context, stage, k), place);
            if (stage->axis[k].variable != place)
                samples = statement_substitute(context->output, context->scratch, context->pool,
                                               samples, stage->axis[k].variable, place);
        }
        VECTOR_PUSH(context->scratch, &inside.tile.lets, allocation(n, m));
        VECTOR_PUSH(context->scratch, &inside.tile.lets,
                    loops_in_tile(n, m, inner, stage->rank, samples));
    }
    VECTOR_PUSH(context->scratch, &inside.tile.lets,
                loops_in_tile(n, root, inner, of->rank, body[root]));
    return statement_block(context->output, of->span, inside.tile.lets.count,
                           inside.tile.lets.item);
}

/* The rows that end at a place, some at a time. */
static const struct statement *rows_in_tile(struct nest *n, size_t place,
                                            const struct statement *const body[])
{
    struct arena *scratch = n->tile.context->scratch;
    const struct line_group rows = tile_rows_at(n->tile.context, n->tile.group, place);
    const struct buffer **buffer = ARENA_ARRAY(scratch, const struct buffer *, rows.count);
    const struct statement **sample = ARENA_ARRAY(scratch, const struct statement *, rows.count);
    for (size_t i = 0; i < rows.count; i++) {
        buffer[i] = n->buffer[rows.in_tile[i]];
        sample[i] = body[rows.in_tile[i]];
    }
    return line_nest(n->tile.context, n->program, &rows, buffer, sample, &(struct lines_beside){0});
}

/* The samples of a stage in the tile, with those of the stages that share its loops. */
static void add_member(struct nest *n, size_t place, const struct statement *const body[])
{
    const struct stage *stage = n->tile.group->member[place];
    const unsigned inner = n->tile.group->needs[place].inner;
    const size_t rows = n->tile.group->rows[place];
    if (rows && rows != place + 1)
        return; /* with the stage that ends the rows */
    const struct statement *samples =
        rows    ? rows_in_tile(n, place, body)
        : inner ? loops_in_tile(n, place, 0, inner, shared_body(n, place, body))
                : loops_in_tile(n, place, 0, stage->rank, body[place]);
    if (stage != n->tile.group->sink && tile_sliding_of(n->tile.group, place) == NO_AXIS &&
        !n->tile.group->over[place])
        VECTOR_PUSH(n->tile.context->scratch, &n->tile.lets, allocation(n, place));
    VECTOR_PUSH(n->tile.context->scratch, &n->tile.lets, samples);
}

/* Beside the sink's row, where that is stored past the caches: the rows that members read first
 * when the tile has slid on. Of members of two axes: others have loops of their own around their
 * rows. */
static void add_rows_beside(struct nest *n, const struct statement *const body[])
{
    enum { MOST = 4 };
    struct pass_context *context = n->tile.context;
    const struct tile_group *group = n->tile.group;
    if (!context->target->has_cache_bypass || group->sink->rank != 2)
        return;
    const struct expr *const next = region_sum(context->pool, tile_sliding_variable(&n->tile),
                                               expr_integer(context->pool, 1), 1);
    for (size_t m = 0; m <= group->count; m++) {
        const struct stage *stage = group->member[m];
        const unsigned last = 1, along = tile_sliding_of(group, m);
        const struct statement *item[MOST];
        if (along != 0 || stage->rank != 2 || group->needs[m].shared)
            continue;
        const struct buffer_axis *whole = &n->buffer[m]->axis[last];
        const bool is_cut = stage != group->sink || n->tiled[last];
        const struct prefetch_range range = {
            .x = stage->axis[last].variable,
            .y = stage->axis[along].variable,
            .below = m == group->count ? next : tile_row_end(context, stage, along),
            .first = is_cut ? tile_first(context, stage, last) : whole->first,
            .end = is_cut ? tile_end(context, stage, last)
                          : region_sum(context->pool, whole->first, whole->extent, 1),
            .beside = true};
        const unsigned count =
            keep_unread(n, prefetch_rows(context, n->program, &range, body[m], MOST, item), item);
        for (unsigned i = 0; i < count; i++)
            VECTOR_PUSH(context->scratch, &n->tile.lets, item[i]);
    }
}

/* The loop along which the tile slides: in each row what is new of the members, then the sink's
 * samples. */
static void add_sliding(struct nest *n, const struct statement *const body[])
{
    struct pass_context *context = n->tile.context;
    const struct stage *sink = n->tile.group->sink;
    const unsigned along = n->tile.group->sliding;
    const struct expr *variable = tile_sliding_variable(&n->tile);
    struct nest row = *n;
    memset(&row.tile.lets, 0, sizeof row.tile.lets);
    for (size_t m = n->tile.group->count; m-- > 0;)
        if (tile_sliding_of(n->tile.group, m) != NO_AXIS)
            tile_define_rows(&row.tile, m);
    for (size_t m = 0; m <= n->tile.group->count; m++) {
        if (m == n->tile.group->count)
            add_rows_beside(&row, body);
        if (tile_sliding_of(n->tile.group, m) != NO_AXIS)
            add_member(&row, m, body);
    }
    const struct statement **samples = &row.tile.lets.item[row.tile.lets.count - 1];
    *samples = statement_substitute(context->output, context->scratch, context->pool, *samples,
                                    sink->axis[along].variable, variable);
    for (size_t m = 0; m < n->tile.group->count; m++)
        if (tile_sliding_of(n->tile.group, m) != NO_AXIS)
            VECTOR_PUSH(context->scratch, &n->tile.lets, allocation(n, m));
    const struct expr *first = tile_first(context, sink, along);
    VECTOR_PUSH(
        context->scratch, &n->tile.lets,
        loop(n, sink, LEVEL_SLIDING, variable, first,
             region_sum(context->pool, tile_end(context, sink, along), first, -1),
             statement_block(context->output, sink->span, row.tile.lets.count, row.tile.lets.item),
             false));
}

const struct statement *tile_nest(struct pass_context *context, struct program *program,
                                  const struct tile_group *group,
                                  const struct buffer *const buffer[],
                                  const struct statement *const body[])
{
    struct hash_map read = {0};
    struct nest n = {.tile = {.context = context, .group = group},
                     .program = program,
                     .buffer = buffer,
                     .read = &read};
    const unsigned rank = group->sink->rank;
    const struct expr *block[GRAPH_MAX_RANK], *count[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < rank; k++) {
        n.tiled[k] = group->sink->schedule->tile[k] > 0;
        if (n.tiled[k])
            block[k] = tile_cut_axis(&n.tile, &buffer[group->count]->axis[k], k,
                                     expr_integer(context->pool, 0), &count[k]);
    }
    for (size_t m = group->count; m-- > 0;)
        tile_define_box(&n.tile, m);
    tile_drop_unused_bounds(&n.tile);
    for (size_t m = 0; m <= group->count; m++)
        if (tile_sliding_of(group, m) == NO_AXIS && !group->needs[m].shared)
            add_member(&n, m, body);
    if (group->sliding != NO_AXIS)
        add_sliding(&n, body);
    const struct statement *nest =
        statement_block(context->output, group->sink->span, n.tile.lets.count, n.tile.lets.item);
    unsigned order[GRAPH_MAX_RANK], tiles = 0;
    const unsigned shared = tile_shared_axis(group->sink, n.tiled);
    if (shared != NO_AXIS)
        order[tiles++] = shared;
    for (unsigned k = 0; k < rank; k++)
        if (n.tiled[k] && k != shared)
            order[tiles++] = k;
    const char *fixed[GRAPH_MAX_RANK] = {NULL};
    for (unsigned k = 0; k < rank; k++)
        if (!n.tiled[k])
            fixed[k] = arena_format(context->scratch, "its tiles do not cut '%s'",
                                    group->sink->axis[k].name->text);
    const unsigned threads =
        details_threads(context, program, group->sink, fixed, false, tiles, order);
    for (unsigned i = tiles; i-- > 0;)
        nest = loop(&n, group->sink, i < threads ? LEVEL_THREADS : LEVEL_INDEPENDENT,
                    block[order[i]], expr_integer(context->pool, 0), count[order[i]], nest, false);
    return nest;
}
