#include "loop/lines/grid_behind.h"

#include "loop/lines/grid_thread.h"
#include "loop/lines/line_tiles.h"
#include "loop/rewrite.h"

/* ---- Memory ---- */

static int64_t places_of(const struct line_group *group, const struct stage *member)
{
    return member->axis[group->along].computed_extent->as.integer;
}

int64_t grid_segments_across(const struct pass_context *context, const struct line_group *group)
{
    const int64_t lanes = group->lane_count, usual = grid_tile(context, group->sink->id.index, 1);
    int64_t bytes = 1;
    for (size_t i = 0; i < group->count; i++)
        if (group->place[i].read_behind)
            bytes += places_of(group, group->stage[i]) * (lanes + 1) *
                     (int64_t)scalar_info[group->stage[i]->element].bytes;
    const int64_t room = target_fast_bytes(context->target) / bytes,
                  threads = context->target->block_threads / lanes;
    const int64_t most = room < threads ? room : threads;
    return most < 1 ? 1 : most < usual ? most : usual;
}

void grid_memory_across(struct pass_context *context, const struct line_group *group,
                        const struct stage *member, struct buffer_axis axis[3])
{
    struct expr_pool *pool = context->pool;
    const unsigned along = group->along;
    const struct expr *zero = expr_integer(pool, 0);
    axis[0] = (struct buffer_axis){member->axis[along - 1].name, zero,
                                   expr_integer(pool, grid_segments_across(context, group)), false};
    axis[1] = (struct buffer_axis){member->axis[along].name, member->axis[along].computed_first,
                                   member->axis[along].computed_extent, false};
    /* one place more, so that threads that go along it meet different banks */
    axis[2] = (struct buffer_axis){member->axis[group->lanes].name, zero,
                                   expr_integer(pool, group->lane_count + 1), false};
}

/* ---- Places in it ---- */

/* How statements name places of that memory. */
struct naming {
    const struct lines *host;
    const struct expr *segment; /* of the block */
    const struct expr *row;     /* of lines across: their place along the host's; NULL: as it is */
    const struct expr *lane,
        *begin; /* along the lanes: where begin is NULL that; else less begin */
};

static bool is_shared(const struct naming *n, uint32_t buffer)
{
    const struct buffer *b = &n->host->program->buffers.item[buffer];
    bool member = false;
    for (size_t i = 0; i + 1 < n->host->group->count; i++)
        member = member || n->host->buffer[i]->id.index == buffer;
    return member && b->space == SPACE_SHARED;
}

static void name_place(const struct naming *n, const struct expr *const of[],
                       const struct expr *index[3])
{
    struct expr_pool *pool = lines_pool(n->host);
    index[0] = n->segment;
    index[1] = n->row ? n->row : of[1];
    index[2] = n->begin ? region_sum(pool, of[2], n->begin, -1) : n->lane;
}

static const struct expr *name_load(const struct expr *node, void *user)
{
    const struct naming *n = user;
    const struct expr *index[3];
    if (node->kind != EXPR_LOAD || !is_shared(n, node->as.load.source))
        return node;
    name_place(n, node->operand, index);
    return expr_load(lines_pool(n->host), node->as.load.source, node->scalar, node->interval, 3,
                     index, node->as.load.border);
}

static const struct statement *name_store(const struct statement *statement, void *user)
{
    const struct naming *n = user;
    struct arena *output = n->host->context->output;
    if (statement->kind != STATEMENT_STORE || !is_shared(n, statement->as.store.buffer.index))
        return statement_rebuild(output, statement, name_store, user);
    struct statement store = *statement;
    const struct expr **index = ARENA_ARRAY(output, const struct expr *, 3);
    name_place(n, statement->as.store.index, index);
    store.as.store.index = index;
    return statement_new(output, store);
}

static const struct statement *with_names(struct naming *n, const struct statement *body)
{
    struct expr_rewriter rewriter = {.pool = lines_pool(n->host),
                                     .rule = name_load,
                                     .context = n,
                                     .scratch = n->host->context->scratch};
    body = statement_rewrite(n->host->context->output, body, &rewriter);
    return name_store(body, n);
}

/* ---- Lines along the host's ---- */

static const struct statement *beside(const struct lines *host, const struct grid_behind *behind)
{
    const struct expr *common;
    const struct line_group *group = behind->group;
    struct lines l =
        lines_of_group(host->context, host->program, group, behind->buffer, behind->body, &common);
    const struct expr *lane = host->group->sink->axis[host->group->lanes].variable;
    return lines_with_variable(
        host, grid_line_of_thread(&l, common), group->sink->axis[group->lanes].variable,
        region_sum(lines_pool(host), lane, line_tile_shift(&l, group->lanes), 1));
}

const struct statement *grid_add_beside(const struct lines *host, const struct grid_axis axis[],
                                        const struct grid_all_behind *behind,
                                        const struct statement *work)
{
    struct pass_context *context = host->context;
    struct statement_items items = {0};
    const struct statement_list own = statement_items_of(&work); /* which allocates for all */
    for (size_t i = 0; i < own.count; i++)
        VECTOR_PUSH(context->scratch, &items, own.item[i]);
    for (size_t i = 0; i < behind->items.count; i++)
        if (lines_are_of_tile(behind->items.item[i].group))
            VECTOR_PUSH(context->scratch, &items, beside(host, &behind->items.item[i]));
    if (items.count > own.count)
        work = statement_block(context->output, work->span, items.count, items.item);
    if (!host->group->panels)
        return work;
    struct naming naming = {.host = host,
                            .segment = grid_cut_of(context, &axis[1]).thread,
                            .lane = grid_cut_of(context, &axis[0]).thread};
    return with_names(&naming, work);
}

/* ---- Lines across ---- */

static const struct statement *branch(const struct lines *l, const struct expr *condition,
                                      const struct statement *body)
{
    return STATEMENT_NEW(l->context->output, l->group->sink->span, .kind = STATEMENT_IF,
                         .as.branch = {condition, body, NULL, false});
}

/* The lines of a segment: thread t has those at its places t, t + threads, … */
static const struct statement *across(const struct lines *host, const struct grid_axis axis[],
                                      const struct grid_behind *behind)
{
    const struct expr *common;
    struct pass_context *context = host->context;
    struct expr_pool *pool = context->pool;
    const struct line_group *group = behind->group;
    const struct grid_cut lanes = grid_cut_of(context, &axis[0]);
    const struct grid_cut segments = grid_cut_of(context, &axis[1]);
    struct lines l =
        lines_of_group(context, host->program, group, behind->buffer, behind->body, &common);
    const struct stage_axis *places = &host->group->sink->axis[host->group->along];
    const int64_t count = places->computed_extent->as.integer, threads = axis[0].tile;
    const struct grid_parts rows = grid_parts_of(context, &axis[0], count);
    const struct expr *row = rows.count == 1 ? lanes.thread : rows.place;
    struct naming naming = {
        .host = host,
        .segment = segments.thread,
        .row = region_sum(pool, places->computed_first, row, 1),
        .begin = region_sum(
            pool, axis[0].first,
            expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, threads), lanes.block), 1)};
    const struct statement *work = with_names(&naming, grid_line_of_thread(&l, common));
    const struct statement *both[2];
    const struct stage_axis *lane = &group->sink->axis[group->lanes];
    both[1] = grid_name_coordinate(context, group->sink->span, lane->name, lane->variable,
                                   region_sum(pool, line_tile_first(&l), row, 1), &both[0], work);
    work = statement_block(context->output, group->sink->span, 2, both);
    if (rows.count * threads != count)
        work = branch(&l, expr_binary(pool, EXPR_LESS, row, expr_integer(pool, count)), work);
    if (rows.count > 1)
        work = lines_loop(&l, LEVEL_SERIAL, rows.part, expr_integer(pool, 0),
                          expr_integer(pool, rows.count), work, false);
    return line_tile_nest(&l, work);
}

void grid_add_across(const struct lines *host, const struct grid_axis axis[],
                     const struct grid_all_behind *behind, struct grid_shared *shared)
{
    struct pass_context *context = host->context;
    struct expr_pool *pool = context->pool;
    const struct line_group *group = host->group;
    const struct grid_cut segments = grid_cut_of(context, &axis[1]);
    struct statement_items items = {0};
    buffer_id *memory = ARENA_ARRAY(context->scratch, buffer_id, group->count);
    shared->count = 0;
    shared->buffer = memory;
    for (size_t i = 0; i < group->count; i++)
        if (group->place[i].read_behind)
            memory[shared->count++] = host->buffer[i]->id;
    for (size_t i = 0; i < behind->items.count; i++)
        if (!lines_are_of_tile(behind->items.item[i].group))
            VECTOR_PUSH(context->scratch, &items, across(host, axis, &behind->items.item[i]));
    const struct statement *all =
        branch(host, expr_binary(pool, EXPR_LESS, segments.offset, axis[1].extent),
               statement_block(context->output, group->sink->span, items.count, items.item));
    shared->behind = lines_with_variable(host, all, axis[1].variable,
                                         region_sum(pool, axis[1].first, segments.offset, 1));
}
