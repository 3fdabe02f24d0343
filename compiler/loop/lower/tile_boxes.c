/* Needs are clipped to the box of the stage, so each box follows from those of its readers alone:
 *   let out.y.tile = 64 y.block  let out.y.tile_end = min(…)            the sink's
 *   let rows.y.tile = max(out.y.tile - 1, 0)  let rows.y.tile_end = …   a member's */
#include "loop/lower/tile_boxes.h"

#include "graph/placement/beside.h"
#include "analysis/reads.h"
#include "analysis/regions.h"
#include "loop/lines/tile_rows.h"

/* ---- The group ---- */

/* As fuse_stages has counted on. */
static void share_loops(struct pass_context *context, const struct tile_group *group, size_t place,
                        struct tile_needs needs[])
{
    const struct stage **reader =
        ARENA_ARRAY(context->scratch, const struct stage *, group->count + 1);
    const struct tile_needs **reader_needs =
        ARENA_ARRAY(context->scratch, const struct tile_needs *, group->count + 1);
    size_t count = 0;
    for (size_t r = place + 1; r <= group->count; r++) {
        if (!group->reads[r][place])
            continue;
        reader[count] = group->member[r];
        reader_needs[count++] = &needs[r];
    }
    tile_needs_share(context->scratch, count, reader, reader_needs, group->member[place],
                     &needs[place]);
    for (size_t r = place + 1; r < group->count && needs[place].shared; r++)
        if (group->member[r] == needs[place].root)
            needs[r].inner = needs[place].shared;
}

struct read_search {
    const uint32_t *place; /* by stage: 1 + its place among the members; 0: it is none */
    bool *reads;
};

static void note_member(const struct expr *node, void *user)
{
    const struct read_search *search = user;
    if (node->kind == EXPR_LOAD && search->place[node->as.load.source])
        search->reads[search->place[node->as.load.source] - 1] = true;
}

/* member: and the sink behind them. */
static const bool *const *find_reads(struct arena *scratch, size_t count,
                                     const struct stage *const member[])
{
    uint32_t *place = ARENA_ARRAY(scratch, uint32_t, member[count]->id.index + 1);
    const bool **reads = ARENA_ARRAY(scratch, const bool *, count + 1);
    for (size_t m = 0; m < count; m++)
        place[member[m]->id.index] = (uint32_t)m + 1;
    for (size_t r = 0; r <= count; r++) {
        struct read_search search = {place, ARENA_ARRAY(scratch, bool, count + 1)};
        stage_nodes(member[r], scratch, note_member, &search);
        reads[r] = search.reads;
    }
    return reads;
}

static bool has_tile_memory(const struct tile_group *group, size_t place)
{
    return group->rows[place] == 0 && group->needs[place].shared == 0 &&
           group->needs[place].inner == 0;
}

/* What follows recurrences of the tile is computed in their loops, where a block of threads has
 * tiles. Both have the same box: others read of the recurrence the last samples of a part alone,
 * which lie in the box of what follows it. */
static void find_followers(struct arena *scratch, struct tile_group *group, bool blocks)
{
    size_t *follower = ARENA_ARRAY(scratch, size_t, group->count + 1);
    size_t *followed = ARENA_ARRAY(scratch, size_t, group->count + 1);
    for (size_t m = 0; m < group->count && blocks; m++)
        for (size_t r = m + 1; r < group->count && group->needs[m].followed; r++)
            if (!follower[m] && group->reads[r][m] &&
                tile_follows_recurrence(scratch, group->member[r], group->member[m]) &&
                tile_places_kept(scratch, group->member[m], &group->needs[m], true)) {
                follower[m] = r + 1;
                followed[r] = m + 1;
            }
    group->follower = follower;
    group->followed = followed;
}

bool tile_is_of_thread(const struct tile_group *group, size_t place)
{
    return place < group->count && group->follower[place] && group->needs[place].last == 0;
}

/* A member that alone reads another one, each sample for its own, is computed where that lies.
 * blocks: of threads. */
static const size_t *find_taken_over(struct arena *scratch, const struct tile_group *group,
                                     bool blocks)
{
    size_t *over = ARENA_ARRAY(scratch, size_t, group->count + 1);
    for (size_t m = 0; m < group->count && group->sliding == NO_AXIS; m++) {
        size_t reader = 0, readers = 0;
        for (size_t r = m + 1; r <= group->count; r++) {
            reader = group->reads[r][m] ? r : reader;
            readers += group->reads[r][m];
        }
        const size_t stage =
            tile_is_of_thread(group, reader) ? group->follower[reader] - 1 : reader;
        if (readers == 1 && stage < group->count && !over[stage] && has_tile_memory(group, m) &&
            has_tile_memory(group, stage) && group->follower[m] != stage + 1 &&
            (!blocks || tile_takes_over_in_blocks(group->member[reader], group->member[m])) &&
            tile_takes_over(scratch, group->member[stage], group->member[reader], group->member[m]))
            over[stage] = m + 1;
    }
    return over;
}

struct tile_group tile_group_of(const struct graph *in, const struct stage *sink,
                                struct pass_context *context)
{
    struct arena *scratch = context->scratch;
    VECTOR(const struct stage *) member = {0};
    for (uint32_t i = 0; i < sink->id.index; i++)
        if (stage_is_in_tiles_of(in->stages.item[i], sink))
            VECTOR_PUSH(scratch, &member, in->stages.item[i]);
    const size_t count = member.count;
    VECTOR_PUSH(scratch, &member, sink);
    const bool *const *reads = find_reads(scratch, count, member.item);
    struct tile_needs *needs = ARENA_ARRAY(scratch, struct tile_needs, count + 1);
    needs[count] = tile_needs_of_sink(sink);
    for (size_t m = count; m-- > 0;) {
        for (size_t r = m + 1; r <= count; r++)
            if (reads[r][m])
                (void)tile_needs_add(context->pool, scratch, member.item[r], &needs[r],
                                     member.item[m], &needs[m]);
        (void)tile_needs_recur(in, context->pool, scratch, member.item[m], &needs[m]);
    }
    struct tile_group group = {
        .sink = sink,
        .count = count,
        .member = member.item,
        .needs = needs,
        .reads = reads,
        .sliding = schedule_slides(sink->schedule) ? sink->schedule->as.tiles.axis : NO_AXIS};
    const bool is_of_core = context->target->fast.owner == OWNER_CORE;
    for (size_t m = count; m-- > 0 && group.sliding == NO_AXIS && is_of_core;)
        share_loops(context, &group, m, needs);
    group.rows =
        is_of_core ? tile_rows_of(scratch, &group) : ARENA_ARRAY(scratch, size_t, count + 1);
    find_followers(scratch, &group, !is_of_core);
    group.over = find_taken_over(scratch, &group, !is_of_core);
    return group;
}

static const struct expr *bound_variable(struct pass_context *context, const struct stage *stage,
                                         unsigned k, const char *part, int64_t more)
{
    const struct interval axis = stage->axis[k].variable->interval;
    const struct interval interval = {axis.least, axis.greatest + more};
    return expr_variable(context->pool, VARIABLE_LOCAL,
                         symbol_format(&context->session->symbols, "%s.%s.%s", stage->name->text,
                                       stage->axis[k].name->text, part),
                         SCALAR_I64, interval);
}

const struct expr *tile_first(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "tile", 0);
}

const struct expr *tile_end(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "tile_end", 1);
}

const struct expr *tile_row(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "row", 1);
}

const struct expr *tile_row_end(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "row_end", 1);
}

const struct expr *tile_lane(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "lane", 0);
}

const struct expr *tile_lane_end(struct pass_context *context, const struct stage *stage,
                                 unsigned k)
{
    return bound_variable(context, stage, k, "lane_end", 1);
}

const struct expr *tile_segment(struct pass_context *context, const struct stage *stage, unsigned k)
{
    return bound_variable(context, stage, k, "block_first", 0);
}

const struct expr *tile_segment_end(struct pass_context *context, const struct stage *stage,
                                    unsigned k)
{
    return bound_variable(context, stage, k, "block_end", 1);
}

unsigned tile_sliding_of(const struct tile_group *group, size_t place)
{
    return group->sliding == NO_AXIS
               ? NO_AXIS
               : tile_follows(group->member[place], &group->needs[place], group->sliding);
}

/* Samples from one row of a tile to the next: lines of cache, and rows that are read together not
 * at the same place of a page, where they would drive each other out. */
static int64_t padded_row(int64_t samples, unsigned bytes)
{
    enum { LINE = 64, PAGE = 4096, APART = 5 * LINE };
    int64_t row = (samples * bytes + LINE - 1) / LINE * LINE;
    if (row > PAGE / 2 && (row % PAGE < APART || row % PAGE > PAGE - APART))
        row += (APART - row % PAGE + PAGE) % PAGE;
    return row / bytes;
}

/* Whether threads go along rows, one beside the other. */
static bool has_lines_along_rows(const struct tile_group *group)
{
    bool any = false;
    for (size_t m = 0; m < group->count; m++)
        any = any || tile_is_on_rows(group->member[m]);
    return any;
}

struct buffer_axis tile_axis(struct pass_context *context, const struct tile_group *group,
                             size_t member, unsigned axis)
{
    const struct stage *stage = group->member[member];
    const struct tile_needs *needs = &group->needs[member];
    const int64_t kept =
        stage->kind == STAGE_RECURRENCE && axis == stage->as.recurrence.axis
            ? tile_places_kept(context->scratch, stage, needs, group->follower[member] > 0)
            : 0;
    const bool circular = kept || axis == tile_sliding_of(group, member);
    const int64_t extent = kept       ? kept
                           : circular ? tile_rows(&needs->axis[axis])
                           : axis < needs->shared
                               ? 1
                               : tile_extent(&needs->axis[axis], group->sink->schedule->tile);
    const bool is_row = !kept && axis > 0 && axis + 1 == stage->rank;
    const int64_t memory = is_row && context->target->fast.owner == OWNER_CORE
                               ? padded_row(extent, scalar_info[stage->element].bytes)
                           : is_row ? tile_row_in_block(extent, samples_beside(context, stage),
                                                        has_lines_along_rows(group))
                                    : extent;
    return (struct buffer_axis){stage->axis[axis].name, tile_first(context, stage, axis),
                                expr_integer(context->pool, memory), circular};
}

/* ---- Boxes ---- */

void tile_add_let(struct tile_code *t, const struct expr *variable, const struct expr *value)
{
    VECTOR_PUSH(t->context->scratch, &t->lets,
                STATEMENT_NEW(t->context->output, t->group->sink->span, .kind = STATEMENT_LET,
                              .as.let = {variable, value}));
}

/* Which samples of its readers count for a box. Of those that slide: before the row at hand, or
 * with it. */
enum extent_of_readers { UP_TO_END, UP_TO_ROW, UP_TO_ROW_END };

/* What is read of a stage along an axis, before it is cut to the box. */
struct reach {
    bool any, mirrored;
    const struct expr *first, *end;
};

/* Reads under a rule that leads back into the stage's own box, and the others. */
struct box_need {
    struct expr_pool *pool;
    uint32_t source;
    unsigned only; /* of its axes; NO_AXIS: all */
    struct reach ruled[GRAPH_MAX_RANK], plain[GRAPH_MAX_RANK];
};

static void join_reach(struct expr_pool *pool, struct reach *reach, const struct expr *first,
                       const struct expr *end)
{
    reach->first = reach->any ? region_minimum(pool, reach->first, first) : first;
    reach->end = reach->any ? region_maximum(pool, reach->end, end) : end;
    reach->any = true;
}

static void note_box(const struct expr *load, unsigned count, const struct span_bound bound[],
                     void *user)
{
    struct box_need *need = user;
    if (load->as.load.source != need->source)
        return;
    for (unsigned k = 0; k < load->count; k++) {
        if (need->only != NO_AXIS && need->only != k)
            continue;
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        const bool ruled = rule != BORDER_NONE && rule != BORDER_EXTEND;
        struct reach *reach = ruled ? &need->ruled[k] : &need->plain[k];
        const struct expr *first, *end;
        if (!region_of_index(need->pool, load->operand[k], count, bound, &first, &end))
            continue; /* all of the axis is needed, or tile_needs_add has refused it */
        join_reach(need->pool, reach, first, end);
        reach->mirrored = reach->mirrored || rule == BORDER_REFLECT || rule == BORDER_REFLECT101;
    }
}

const struct expr *tile_sliding_variable(const struct tile_code *t)
{
    struct pass_context *context = t->context;
    const struct stage *sink = t->group->sink;
    const struct stage_axis *axis = &sink->axis[t->group->sliding];
    return expr_variable(
        context->pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.%s", sink->name->text, axis->name->text),
        axis->variable->scalar, axis->variable->interval);
}

/* Of what has been computed of a reader before the row at hand, or with it. */
static const struct expr *end_of_row(const struct tile_code *t, const struct stage *reader,
                                     unsigned k, enum extent_of_readers up_to)
{
    struct pass_context *context = t->context;
    if (reader == t->group->sink)
        return region_sum(context->pool, tile_sliding_variable(t),
                          expr_integer(context->pool, up_to == UP_TO_ROW_END), 1);
    return up_to == UP_TO_ROW ? tile_row(context, reader, k) : tile_row_end(context, reader, k);
}

/* A recurrence begins at rest, so far before what is read of it that nothing of that is left. */
static void begin_before(struct pass_context *context, const struct stage *stage, int64_t memory,
                         unsigned k, struct reach *reach)
{
    const struct expr *more = expr_integer(context->pool, memory);
    if (memory == 0 || k != stage->as.recurrence.axis)
        return;
    if (stage->as.recurrence.reversed)
        reach->end = region_sum(context->pool, reach->end, more, 1);
    else
        reach->first = region_sum(context->pool, reach->first, more, -1);
}

/* A recurrence of a tile begins where the tile's part of the line does. */
static void begin_with_part(struct pass_context *context, const struct stage *stage, int64_t part,
                            unsigned k, struct reach *reach)
{
    struct expr_pool *pool = context->pool;
    const struct expr *size = expr_integer(pool, part), *line = stage->axis[k].computed_first;
    if (part == 0 || k != stage->as.recurrence.axis)
        return;
    const struct expr *number =
        expr_binary(pool, EXPR_DIVIDE, region_sum(pool, reach->first, line, -1), size);
    reach->first = region_sum(pool, expr_binary(pool, EXPR_MULTIPLY, size, number), line, 1);
}

/* The coordinates of a reader in the tile at hand. */
static struct span_bound bound_in_tile(struct tile_code *t, const struct stage *stage, unsigned k,
                                       const struct expr *variable, const struct expr *end)
{
    const struct stage_axis *axis = &stage->axis[k];
    if (stage == t->group->sink && stage->schedule->tile[k] == 0)
        return (struct span_bound){
            variable, axis->computed_first,
            region_sum(t->context->pool, axis->computed_first, axis->computed_extent, 1)};
    return (struct span_bound){variable, tile_first(t->context, stage, k), end};
}

/* What the members behind it, and the sink, need of a member: of all of their boxes, or up to a row
 * of those. */
static void find_box(struct tile_code *t, size_t place, enum extent_of_readers up_to,
                     struct reach box[])
{
    struct pass_context *context = t->context;
    const struct stage *stage = t->group->member[place];
    struct box_need need = {.pool = context->pool,
                            .source = stage->id.index,
                            .only =
                                up_to == UP_TO_END ? NO_AXIS : tile_sliding_of(t->group, place)};
    for (size_t r = place + 1; r <= t->group->count; r++) {
        const struct stage *reader = t->group->member[r];
        const struct tile_needs *needs = &t->group->needs[r];
        if (!t->group->reads[r][place])
            continue;
        struct span_bound bound[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < reader->rank; k++) {
            const struct stage *of = k < needs->shared ? needs->root : reader; /* at all places */
            const struct expr *end = k != tile_sliding_of(t->group, r) || up_to == UP_TO_END
                                         ? tile_end(context, of, k)
                                         : end_of_row(t, reader, k, up_to);
            bound[k] = bound_in_tile(t, of, k, reader->axis[k].variable, end);
        }
        reads_visit(context->pool, context->scratch, reader->value, reader->rank, bound, note_box,
                    &need);
    }
    for (unsigned k = 0; k < stage->rank; k++) {
        if (need.only != NO_AXIS && need.only != k)
            continue;
        const struct stage_axis *axis = &stage->axis[k];
        struct reach *ruled = &need.ruled[k], *all = &need.plain[k];
        if (t->group->needs[place].axis[k].whole) {
            all->first = axis->computed_first;
            all->end = region_sum(context->pool, axis->computed_first, axis->computed_extent, 1);
            ruled->any = false;
        }
        if (ruled->any) {
            region_clip(context->pool, ruled->mirrored, axis->first, axis->extent, &ruled->first,
                        &ruled->end);
            join_reach(context->pool, all, ruled->first, ruled->end);
        }
        begin_before(context, stage, t->group->needs[place].memory, k, all);
        region_clip(context->pool, false, axis->computed_first, axis->computed_extent, &all->first,
                    &all->end);
        begin_with_part(context, stage, t->group->needs[place].begin, k, all);
        box[k] = *all;
    }
}

const struct expr *tile_number(struct pass_context *context, const struct stage *sink, unsigned k)
{
    return expr_variable(
        context->pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.block", sink->axis[k].name->text), SCALAR_I32,
        (struct interval){0, INT32_MAX / sink->schedule->tile[k]});
}

const struct expr *tile_cut_axis(struct tile_code *t, const struct buffer_axis *axis, unsigned k,
                                 const struct expr *lag, const struct expr **count)
{
    struct expr_pool *pool = t->context->pool;
    const struct stage *sink = t->group->sink;
    const int64_t tile = sink->schedule->tile[k];
    const struct expr *block = tile_number(t->context, sink, k);
    const struct expr *size = expr_integer(pool, tile), *own = tile_first(t->context, sink, k);
    const struct expr *end = region_sum(pool, axis->first, axis->extent, 1);
    const struct expr *whole = region_sum(
        pool, region_sum(pool, axis->first, expr_binary(pool, EXPR_MULTIPLY, block, size), 1), lag,
        -1);
    const bool lags = lag->kind != EXPR_INTEGER || lag->as.integer != 0;
    tile_add_let(t, own, lags ? region_maximum(pool, whole, axis->first) : whole);
    tile_add_let(t, tile_end(t->context, sink, k),
                 region_minimum(pool, region_sum(pool, lags ? whole : own, size, 1), end));
    *count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, region_sum(pool, axis->extent, lag, 1), expr_integer(pool, tile - 1), 1),
        size);
    return block;
}

void tile_define_box(struct tile_code *t, size_t place)
{
    const struct stage *stage = t->group->member[place];
    struct reach box[GRAPH_MAX_RANK];
    find_box(t, place, UP_TO_END, box);
    for (unsigned k = t->group->needs[place].shared; k < stage->rank; k++) {
        tile_add_let(t, tile_first(t->context, stage, k), box[k].first);
        tile_add_let(t, tile_end(t->context, stage, k), box[k].end);
    }
}

static void find_spared(const struct tile_code *t, size_t place, struct hash_map *spared)
{
    const struct stage *stage = t->group->member[place];
    const unsigned sliding = tile_sliding_of(t->group, place);
    const size_t rows = t->group->rows[place];
    if (sliding != NO_AXIS)
        hash_map_put(t->context->scratch, spared, tile_end(t->context, stage, sliding),
                     (void *)(uintptr_t)stage);
    for (unsigned k = 0; k + 1 < stage->rank && rows && rows != place + 1; k++) {
        hash_map_put(t->context->scratch, spared, tile_first(t->context, stage, k),
                     (void *)(uintptr_t)stage);
        hash_map_put(t->context->scratch, spared, tile_end(t->context, stage, k),
                     (void *)(uintptr_t)stage);
    }
}

void tile_drop_unused_bounds(struct tile_code *t)
{
    struct arena *scratch = t->context->scratch;
    struct hash_map spared = {0}; /* bounds that loops do without */
    for (size_t m = 0; m < t->group->count; m++)
        find_spared(t, m, &spared);
    struct expr_walk used = {.scratch = scratch}; /* by lets behind the one at hand */
    size_t kept = t->lets.count;
    for (size_t i = t->lets.count; i-- > 0;) {
        const struct statement *let = t->lets.item[i];
        const struct expr *variable = let->as.let.variable;
        if (hash_map_find(&spared, variable) && !hash_map_find(&used.seen, variable))
            continue;
        expr_visit(&used, let->as.let.value, NULL, NULL);
        t->lets.item[--kept] = let;
    }
    t->lets.count -= kept;
    memmove(t->lets.item, t->lets.item + kept, t->lets.count * sizeof *t->lets.item);
}

void tile_define_rows(struct tile_code *t, size_t place)
{
    struct pass_context *context = t->context;
    const struct stage *stage = t->group->member[place], *sink = t->group->sink;
    const unsigned k = tile_sliding_of(t->group, place), along = t->group->sliding;
    struct reach before[GRAPH_MAX_RANK], now[GRAPH_MAX_RANK];
    find_box(t, place, UP_TO_ROW, before);
    find_box(t, place, UP_TO_ROW_END, now);
    const struct expr *at_first = expr_binary(context->pool, EXPR_EQUAL, tile_sliding_variable(t),
                                              tile_first(context, sink, along));
    tile_add_let(
        t, tile_row(context, stage, k),
        expr_select(context->pool, at_first, tile_first(context, stage, k), before[k].end));
    tile_add_let(t, tile_row_end(context, stage, k), now[k].end);
}
