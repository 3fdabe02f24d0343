/* Lines on a grid:
 *   loop y.blocks grid_y { loop x.block grid_x { loop x.thread block_x {
 *       if (32 x.block + x.thread < n) {
 *           let x = …  allocate down
 *           loop y serial { store down … }
 *           loop y serial reversed { store up …  store out … } } } } } }
 * The slowest axes of many, which a grid has not, are loops in the thread. */
#include "loop/lines/grid_lines.h"

#include "loop/lines/line_places.h"
#include "loop/lower/grid_nest.h"

static const struct statement *sweep(struct lines *l, size_t begin, size_t end)
{
    struct statement_items items = {0};
    for (size_t i = begin; i < end; i++)
        VECTOR_PUSH(l->context->scratch, &items, lines_inside(l, i, l->body[i]));
    return lines_loop(
        l, LEVEL_SERIAL, l->variable, l->from, l->to,
        statement_block(l->context->output, l->group->sink->span, items.count, items.item),
        l->reversed);
}

/* The work of the thread whose line it is. */
static const struct statement *line_of_thread(struct lines *l, const struct expr *common)
{
    struct statement_items items = {0};
    for (size_t i = 0; i + 1 < l->group->count; i++)
        lines_allocate(l, &items, l->buffer[i]);
    for (size_t begin = 0, end; begin < l->group->count; begin = end) {
        end = lines_sweep_end(l, begin);
        lines_begin_sweep(l, common, begin, end);
        VECTOR_PUSH(l->context->scratch, &items, sweep(l, begin, end));
    }
    return statement_block(l->context->output, l->group->sink->span, items.count, items.item);
}

/* ---- Rows ---- */

/* Segments of rows, some of each a block: what threads side by side store lies as far apart as
 * segments are long. So a block collects its samples in shared memory,
 *       loop x serial { … store rows[y.thread, x.blocks.thread, x] = … }   barrier
 * and stores them in the order of memory. */
struct collecting {
    struct lines *l;
    struct grid_axis *axis; /* the segments', then the rows' */
    unsigned count;         /* of axes */
    int64_t places;         /* of a segment */
    const struct buffer *stored;
    buffer_id rows;
};

static const struct expr *number(const struct collecting *c, int64_t value)
{
    return expr_integer(lines_pool(c->l), value);
}

static int64_t threads_along(const struct collecting *c, unsigned i)
{
    return i < c->count && i < 2 ? c->axis[i].tile : 1;
}

/* The place of a sample of the segment that the thread along the axis of segments has. */
static const struct expr *const *place_of(const struct collecting *c, const struct expr *segment,
                                          const struct expr *place)
{
    struct pass_context *context = c->l->context;
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, 3);
    index[0] = c->count > 1 ? grid_cut_of(context, &c->axis[1]).thread : number(c, 0);
    index[1] = segment;
    index[2] = place;
    return index;
}

static const struct statement *into_rows(const struct statement *statement, void *user)
{
    struct collecting *c = user;
    struct pass_context *context = c->l->context;
    const unsigned along = c->l->group->along;
    if (statement->kind != STATEMENT_STORE ||
        statement->as.store.buffer.index != c->stored->id.index)
        return statement_rebuild(context->output, statement, into_rows, c);
    struct statement store = *statement;
    store.as.store.buffer = c->rows;
    store.as.store.rank = 3;
    store.as.store.index = place_of(c, grid_cut_of(context, &c->axis[0]).thread,
                                    region_sum(lines_pool(c->l), statement->as.store.index[along],
                                               c->stored->axis[along].first, -1));
    return statement_new(context->output, store);
}

static void add_rows(struct collecting *c)
{
    struct pass_context *context = c->l->context;
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, 3);
    const struct symbol *name = symbol_from(&context->session->symbols, "place");
    /* one place more, so that threads side by side meet different banks */
    const int64_t extent[3] = {threads_along(c, 1), threads_along(c, 0), c->places + 1};
    for (unsigned k = 0; k < 3; k++)
        axis[k] = (struct buffer_axis){name, number(c, 0), number(c, extent[k]), false};
    struct buffer rows = *c->stored;
    rows.name = program_buffer_name(c->l->program, &context->session->symbols, rows.name, "rows");
    rows.space = SPACE_SHARED;
    rows.rank = 3;
    rows.axis = axis;
    rows.slot = NO_SLOT;
    c->rows = program_add_buffer(context->output, c->l->program, rows);
}

/* Stores what the block has collected: thread t the places t, t + threads, … of its row. */
static const struct statement *store_rows(const struct collecting *c)
{
    struct pass_context *context = c->l->context;
    struct expr_pool *pool = context->pool;
    const struct stage *sink = c->l->group->sink;
    const unsigned along = c->l->group->along;
    const struct grid_cut segments = grid_cut_of(context, &c->axis[0]);
    const int64_t threads = c->axis[0].tile;
    const struct expr *part =
        expr_variable(pool, VARIABLE_INDEX, symbol_from(&context->session->symbols, "row.part"),
                      SCALAR_I32, (struct interval){0, c->places - 1});
    const struct expr *all =
        expr_binary(pool, EXPR_ADD, segments.thread,
                    expr_binary(pool, EXPR_MULTIPLY, number(c, threads), part));
    const struct expr *segment = expr_binary(pool, EXPR_DIVIDE, all, number(c, c->places));
    const struct expr *place = expr_binary(pool, EXPR_REMAINDER, all, number(c, c->places));
    const struct expr *offset =
        expr_binary(pool, EXPR_ADD,
                    expr_binary(pool, EXPR_MULTIPLY, number(c, threads), segments.block), segment);
    const struct expr *inside = expr_binary(pool, EXPR_LESS, offset, c->axis[0].extent);
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, sink->rank);
    for (unsigned k = 0; k < sink->rank; k++)
        index[k] = sink->axis[k].variable;
    index[along] = region_sum(pool, c->stored->axis[along].first, place, 1);
    index[along - 1] = region_sum(pool, c->axis[0].first, offset, 1);
    if (c->count > 1) {
        const struct expr *row = grid_cut_of(context, &c->axis[1]).offset;
        inside = expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_LESS, row, c->axis[1].extent),
                             inside);
        index[along - 2] = region_sum(pool, c->axis[1].first, row, 1);
    }
    const struct buffer *rows = program_buffer(c->l->program, c->rows);
    const struct expr *sample = expr_load(pool, c->rows.index, rows->scalar, rows->interval, 3,
                                          place_of(c, segment, place), NULL);
    const struct statement *store =
        STATEMENT_NEW(context->output, sink->span, .kind = STATEMENT_STORE,
                      .as.store = {c->stored->id, sink->rank, index, sample, false});
    const struct statement *branch =
        STATEMENT_NEW(context->output, sink->span, .kind = STATEMENT_IF,
                      .as.branch = {inside, store, NULL, false});
    return STATEMENT_NEW(context->output, sink->span, .kind = STATEMENT_LOOP,
                         .as.loop = {part, number(c, 0), number(c, c->places), LEVEL_SERIAL, branch,
                                     false, false, 0});
}

/* Whether a block collects: lines are segments along the fastest axis, and the last stage of them
 * reads none of its own samples. Sets how many rows a block takes. */
static bool collects(struct collecting *c)
{
    enum { FEWEST = 8, MOST = 64 };
    struct pass_context *context = c->l->context;
    const struct stage *sink = c->l->group->sink;
    const struct expr *extent = c->stored->axis[c->l->group->along].extent;
    if (c->l->group->along + 1 != sink->rank || c->count == 0 || c->count > GRID_MOST_AXES ||
        extent->kind != EXPR_INTEGER || extent->as.integer < FEWEST || extent->as.integer > MOST ||
        stage_reads(sink, sink, context->scratch))
        return false;
    c->places = extent->as.integer;
    const int64_t row =
        threads_along(c, 0) * (c->places + 1) * (int64_t)scalar_info[c->stored->scalar].bytes;
    const int64_t most = context->target->fast.bytes / row;
    if (c->count > 1 && c->axis[1].tile > most)
        c->axis[1].tile = most > 1 ? most / 2 * 2 : most;
    return most > 0;
}

const struct statement *grid_lines(struct pass_context *context, struct program *program,
                                   const struct line_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[])
{
    const struct expr *common;
    struct lines l = lines_of_group(context, program, group, buffer, body, &common);
    const struct stage *sink = group->sink;
    const struct buffer stored = *buffer[group->count - 1]; /* buffers are added */
    const struct statement *work = line_of_thread(&l, common);
    struct grid_axis axis[GRID_MOST_AXES];
    unsigned count = 0;
    for (unsigned k = sink->rank; k-- > 0;) {
        if (k == group->along)
            continue;
        const struct expr *first = stored.axis[k].first, *extent = stored.axis[k].extent;
        if (count < GRID_MOST_AXES)
            axis[count] = (struct grid_axis){sink->axis[k].name,
                                             sink->axis[k].variable,
                                             first,
                                             extent,
                                             grid_tile(context, sink->id.index, count),
                                             1};
        else
            work = STATEMENT_NEW(
                context->output, sink->span, .kind = STATEMENT_LOOP,
                .as.loop = {sink->axis[k].variable, first, extent, LEVEL_SERIAL, work});
        count++;
    }
    struct collecting rows = {.l = &l, .axis = axis, .count = count, .stored = &stored};
    if (!collects(&rows))
        return grid_nest(context, NULL, sink->span, count < GRID_MOST_AXES ? count : GRID_MOST_AXES,
                         axis, NULL, work);
    add_rows(&rows);
    const struct grid_shared shared = {rows.rows, store_rows(&rows)};
    return grid_nest(context, NULL, sink->span, count, axis, &shared, into_rows(work, &rows));
}
