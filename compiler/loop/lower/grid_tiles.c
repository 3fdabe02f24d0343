/* Tiles of a group on a grid:
 *   loop y.block grid_y { loop x.block grid_x {
 *       let out.y.tile = 16 y.block  …            the boxes, as on cores (tile_boxes.c)
 *       allocate rows shared
 *       loop y.thread block_y { loop x.thread block_x {
 *           loop y.part { loop x.part {           every eighth row, every 32nd sample
 *               if (rows.y.tile + y.thread + 8 y.part < rows.y.tile_end …) {
 *                   let rows.y.at = …  store rows … } } }
 *           barrier
 *           loop y.part { loop x.part { if (…) { store out … } } } } } } }
 * A barrier stands before a stage that reads what was stored since the last one; no loop or branch
 * of threads is around it. A block computes one tile, so nothing that it stores is overwritten. */
#include "loop/lower/grid_tiles.h"

#include "analysis/regions.h"
#include "graph/placement/beside.h"
#include "graph/placement/choosing_axis.h"
#include "loop/lower/grid_nest.h"
#include "loop/rewrite.h"

struct nest {
    struct pass_context *context;
    const struct tile_group *group;
    const struct buffer *const *buffer;
    bool tiled[GRAPH_MAX_RANK];    /* by axis of the sink */
    unsigned channels;             /* the axis that threads do not share, of few places; NO_AXIS */
    unsigned axes;                 /* along which a block has threads: 1 or 2 */
    int64_t threads[TILE_THREADS]; /* along them, the fastest first */
    const struct expr *thread[TILE_THREADS];
};

static const struct statement *loop_over(const struct nest *n, enum parallel_level level,
                                         const struct expr *variable, const struct expr *first,
                                         const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(n->context->output, n->group->sink->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

static const struct expr *index_of(const struct nest *n, const char *name, const char *part,
                                   int64_t most)
{
    return expr_variable(n->context->pool, VARIABLE_INDEX,
                         symbol_format(&n->context->session->symbols, "%s.%s", name, part),
                         SCALAR_I32, (struct interval){0, most});
}

/* ---- One stage ---- */

/* An axis of a stage whose coordinates threads share. */
struct shared_axis {
    unsigned axis;
    int64_t parts;             /* for each thread, at most */
    const struct expr *part;   /* which one */
    int64_t beside;            /* samples of a part beside each other */
    const struct expr *sample; /* which one */
    const struct expr *place;
};

/* Whether threads may share the stage's axis. */
static bool is_cut(const struct nest *n, size_t place, unsigned k)
{
    const unsigned follows = place < n->group->count ? n->group->needs[place].axis[k].axis
                             : n->tiled[k]           ? k
                                                     : NO_AXIS;
    return follows != NO_AXIS && follows != n->channels;
}

/* Whether a tile has the sink's whole axis. */
static bool is_whole(const struct nest *n, size_t place, unsigned k)
{
    return place == n->group->count && !n->tiled[k];
}

/* Whether the sink has one place in a tile along the fastest axis that threads may share, while it
 * has all of another axis that is faster still. Threads share that one, or all but one would
 * wait. */
static bool is_thin(const struct nest *n, size_t place)
{
    const struct stage *stage = n->group->member[place];
    const unsigned last = stage->rank - 1;
    unsigned k = stage->rank;
    if (place < n->group->count || n->channels != NO_AXIS || !is_whole(n, place, last) ||
        n->buffer[place]->axis[last].extent->kind != EXPR_INTEGER)
        return false;
    while (k-- > 0 && !is_cut(n, place, k))
        continue;
    return k < stage->rank && n->group->sink->schedule->tile[k] == 1;
}

static bool is_shared(const struct nest *n, size_t place, unsigned k)
{
    return !is_thin(n, place) ? is_cut(n, place, k)
                              : k + 1 == n->group->member[place]->rank ||
                                    (is_cut(n, place, k) && n->group->sink->schedule->tile[k] > 1);
}

/* Places along an axis of the stage's box, from `begin` on. */
struct places {
    int64_t begin, count, beside; /* beside: a thread has so many beside each other at a time */
};

static const struct expr *first_of(const struct nest *n, size_t place, unsigned k)
{
    return is_whole(n, place, k) ? n->buffer[place]->axis[k].first
                                 : tile_first(n->context, n->group->member[place], k);
}

static const struct expr *end_of(const struct nest *n, size_t place, unsigned k)
{
    const struct buffer_axis *axis = &n->buffer[place]->axis[k];
    return is_whole(n, place, k) ? region_sum(n->context->pool, axis->first, axis->extent, 1)
                                 : tile_end(n->context, n->group->member[place], k);
}

static int64_t extent_of_box(const struct nest *n, size_t place, unsigned k)
{
    const struct expr *extent = n->buffer[place]->axis[k].extent;
    if (is_whole(n, place, k))
        return extent->as.integer;
    return tile_extent(&n->group->needs[place].axis[k], n->group->sink->schedule->tile);
}

/* Thread t has the places t, t + threads, … */
static struct shared_axis share_places(const struct nest *n, size_t place, unsigned k,
                                       struct places places, const struct expr *thread,
                                       int64_t threads)
{
    struct expr_pool *pool = n->context->pool;
    const struct stage *stage = n->group->member[place];
    const char *name = stage->axis[k].name->text;
    const int64_t part = places.beside * threads;
    struct shared_axis shared = {
        .axis = k, .parts = (places.count + part - 1) / part, .beside = places.beside};
    shared.part = index_of(n, name, "part", shared.parts - 1);
    shared.sample = index_of(n, name, "beside", shared.beside - 1);
    const struct expr *begin = expr_integer(pool, 0), *own = thread;
    if (shared.parts > 1)
        begin = expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, part), shared.part);
    if (shared.beside > 1)
        own =
            expr_binary(pool, EXPR_ADD,
                        expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, shared.beside), thread),
                        shared.sample);
    shared.place = region_sum(pool, first_of(n, place, k), region_sum(pool, begin, own, 1), 1);
    if (places.begin)
        shared.place = region_sum(pool, shared.place, expr_integer(pool, places.begin), 1);
    return shared;
}

static struct shared_axis share_axis(const struct nest *n, size_t place, unsigned k,
                                     const struct expr *thread, int64_t threads)
{
    return share_places(n, place, k, (struct places){0, extent_of_box(n, place, k), 1}, thread,
                        threads);
}

static const struct expr *both(struct expr_pool *pool, const struct expr *a, const struct expr *b)
{
    return a ? expr_binary(pool, EXPR_AND, a, b) : b;
}

/* The samples of the stage at the places of a thread that are inside its box. taken: axes of
 * threads that share them; along the others one thread is enough. */
static const struct statement *samples_inside(const struct nest *n, size_t place, unsigned count,
                                              const struct shared_axis shared[], unsigned taken,
                                              const struct statement *body)
{
    struct pass_context *context = n->context;
    struct expr_pool *pool = context->pool;
    const struct stage *stage = n->group->member[place];
    struct statement_items items = {0};
    const struct expr *inside = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct stage_axis *axis = &stage->axis[shared[i].axis];
        const struct symbol *name = symbol_format(&context->session->symbols, "%s.%s.at",
                                                  stage->name->text, axis->name->text);
        const struct expr *end = end_of(n, place, shared[i].axis);
        const struct statement *let;
        inside = both(pool, inside, expr_binary(pool, EXPR_LESS, shared[i].place, end));
        body = grid_name_coordinate(context, stage->span, name, axis->variable, shared[i].place,
                                    &let, body);
        VECTOR_PUSH(context->scratch, &items, let);
    }
    for (unsigned along = taken; along < n->axes; along++)
        inside = both(pool, inside,
                      expr_binary(pool, EXPR_EQUAL, n->thread[along], expr_integer(pool, 0)));
    VECTOR_PUSH(context->scratch, &items, body);
    return STATEMENT_NEW(
        context->output, stage->span, .kind = STATEMENT_IF,
        .as.branch = {
            inside, statement_block(context->output, stage->span, items.count, items.item), NULL});
}

/* An axis that each thread takes whole; of the sink, one that is not cut. */
static const struct statement *whole_axis(const struct nest *n, size_t place, unsigned k,
                                          const struct statement *body)
{
    struct pass_context *context = n->context;
    const struct stage *stage = n->group->member[place];
    const struct buffer_axis *axis = &n->buffer[place]->axis[k];
    if (is_whole(n, place, k))
        return loop_over(
            n, k == choosing_axis(context->scratch, stage) ? LEVEL_UNROLLED : LEVEL_SERIAL,
            stage->axis[k].variable, axis->first, axis->extent, body);
    const struct expr *first = tile_first(context, stage, k), *end = tile_end(context, stage, k);
    return loop_over(n, LEVEL_SERIAL, stage->axis[k].variable, first,
                     region_sum(context->pool, end, first, -1), body);
}

static const struct statement *over_parts(const struct nest *n, const struct shared_axis *shared,
                                          const struct statement *body)
{
    struct expr_pool *pool = n->context->pool;
    if (shared->beside > 1)
        body =
            loop_together(n->context, n->group->sink->span, shared->sample, shared->beside, body);
    return shared->parts == 1 ? body
                              : loop_over(n, LEVEL_SERIAL, shared->part, expr_integer(pool, 0),
                                          expr_integer(pool, shared->parts), body);
}

/* All places along an axis that is not the fastest; of a row of each, a thread has `beside`. */
static struct places places_across(const struct nest *n, size_t place, unsigned k, int64_t beside)
{
    const struct stage *stage = n->group->member[place];
    const int64_t extent = extent_of_box(n, place, k);
    const int64_t rows =
        stage_is_per_sample(stage)
            ? samples_together_in_tile(n->context, stage, k, beside, extent, n->threads[1])
            : 1;
    return (struct places){0, extent, rows};
}

/* Of the stage in a tile: the fastest axes that are cut are shared by threads. along: places of
 * the fastest one. */
static const struct statement *samples_of_places(const struct nest *n, size_t place,
                                                 struct places along, const struct statement *body)
{
    const struct stage *stage = n->group->member[place];
    struct shared_axis shared[TILE_THREADS];
    unsigned count = 0, by[GRAPH_MAX_RANK]; /* 1 + which of these; 0: none */
    for (unsigned k = stage->rank; k-- > 0;) {
        by[k] = 0;
        if (count == n->axes || !is_shared(n, place, k))
            continue;
        shared[count] =
            share_places(n, place, k, count ? places_across(n, place, k, along.beside) : along,
                         n->thread[count], n->threads[count]);
        by[k] = ++count;
    }
    body = samples_inside(n, place, count, shared, count, body);
    for (unsigned k = stage->rank; k-- > 0;) {
        if (by[k] == 0)
            body = whole_axis(n, place, k, body);
        else
            body = over_parts(n, &shared[by[k] - 1], body);
    }
    return body;
}

/* The fastest axis that threads share. */
static unsigned fastest_shared(const struct nest *n, size_t place)
{
    unsigned k = n->group->member[place]->rank;
    while (k-- > 0 && !is_shared(n, place, k))
        continue;
    return k;
}

/* Threads have several samples of a row beside each other as far as there are some for each; the
 * rest of the row one by one. */
static const struct statement *samples_in_tile(const struct nest *n, size_t place,
                                               const struct statement *body)
{
    const struct stage *stage = n->group->member[place];
    const unsigned k = n->axes ? fastest_shared(n, place) : stage->rank;
    const bool along_rows = k + 1 == stage->rank;
    const int64_t extent = k < stage->rank ? extent_of_box(n, place, k) : 0;
    const int64_t beside = along_rows ? samples_beside(n->context, stage) : 1;
    const int64_t part = beside * n->threads[0], whole = beside > 1 ? extent / part * part : 0;
    const struct statement *both[2];
    size_t count = 0;
    if (whole)
        both[count++] = samples_of_places(n, place, (struct places){0, whole, beside}, body);
    if (whole < extent || !whole)
        both[count++] =
            samples_of_places(n, place, (struct places){whole, extent - whole, 1}, body);
    return statement_block(n->context->output, stage->span, count, both);
}

/* ---- Recurrences ---- */

/* All threads of the block in a row. */
static const struct expr *thread_of_block(const struct nest *n, int64_t *threads)
{
    struct expr_pool *pool = n->context->pool;
    const struct expr *thread = n->thread[0];
    *threads = n->threads[0];
    for (unsigned i = 1; i < n->axes; i++) {
        thread = expr_binary(
            pool, EXPR_ADD, thread,
            expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, *threads), n->thread[i]));
        *threads *= n->threads[i];
    }
    return thread;
}

/* Lines of the stage in the tile: each thread of the block has one, or several. */
static const struct statement *lines_in_tile(const struct nest *n, size_t place,
                                             const struct statement *body)
{
    struct pass_context *context = n->context;
    struct expr_pool *pool = context->pool;
    const struct stage *stage = n->group->member[place];
    const unsigned along = stage->as.recurrence.axis;
    unsigned lanes = stage->rank;
    while (lanes-- > 0 && (lanes == along || !is_cut(n, place, lanes)))
        continue;
    const struct expr *first = tile_first(context, stage, along);
    body = STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {stage->axis[along].variable, first,
                                     region_sum(pool, tile_end(context, stage, along), first, -1),
                                     LEVEL_SERIAL, body, stage->as.recurrence.reversed, false, 0});
    for (unsigned k = stage->rank; k-- > 0;)
        if (k != along && k != lanes)
            body = whole_axis(n, place, k, body);
    if (lanes >= stage->rank)
        return samples_inside(n, place, 0, NULL, 0, body);
    int64_t threads;
    const struct expr *thread = thread_of_block(n, &threads);
    const struct shared_axis shared = share_axis(n, place, lanes, thread, threads);
    return over_parts(n, &shared, samples_inside(n, place, 1, &shared, n->axes, body));
}

/* What a recurrence reads of an image in memory, each sample for its own, that its place in shared
 * memory can hold. */
struct own_read {
    const struct nest *n;
    size_t place;
    const struct expr *load; /* NULL: none */
};

static bool holds(const struct buffer *buffer, const struct expr *load)
{
    return scalar_is_float(load->scalar)
               ? load->scalar == buffer->scalar
               : scalar_is_integer(load->scalar) && scalar_is_integer(buffer->scalar) &&
                     interval_inside(load->interval, buffer->interval);
}

static void search_own_read(const struct expr *node, void *user)
{
    struct own_read *own = user;
    const struct nest *n = own->n;
    const struct stage *stage = n->group->member[own->place];
    bool is_own =
        node->kind == EXPR_LOAD && node->count == stage->rank && holds(n->buffer[own->place], node);
    for (size_t m = 0; is_own && m < n->group->count; m++)
        is_own = node->as.load.source != n->buffer[m]->id.index;
    for (unsigned k = 0; is_own && k < node->count; k++)
        is_own = node->operand[k] == stage->axis[k].variable &&
                 (!node->as.load.border || !node->as.load.border[k].value ||
                  node->as.load.border[k].value->count == 0);
    if (is_own && !own->load)
        own->load = node;
}

static const struct expr *as_type(const struct nest *n, enum conversion conversion,
                                  enum scalar scalar, const struct expr *node)
{
    return node->scalar == scalar ? node : expr_convert(n->context->pool, conversion, scalar, node);
}

static const struct expr *read_in_tile(const struct expr *node, void *user)
{
    const struct own_read *own = user;
    const struct buffer *buffer = own->n->buffer[own->place];
    if (node != own->load)
        return node;
    const struct expr *sample = expr_load(own->n->context->pool, buffer->id.index, buffer->scalar,
                                          buffer->interval, node->count, node->operand, NULL);
    return as_type(own->n, CONVERT_WRAP, node->scalar, sample);
}

/* Where the samples of a recurrence end up: at its own place, or that of what follows it. */
static size_t place_of_samples(const struct nest *n, size_t place)
{
    return n->group->follower[place] ? n->group->follower[place] - 1 : place;
}

/* What it reads is copied to its place in shared memory by all threads, which then wait for each
 * other: a thread that goes along a line would wait for memory at each step. *body: reads it there.
 * NULL: there is no such image, or the place holds another stage. */
static const struct statement *copy_ahead(const struct nest *n, size_t recurrence,
                                          const struct statement **body)
{
    struct pass_context *context = n->context;
    const size_t place = place_of_samples(n, recurrence);
    const struct stage *stage = n->group->member[place];
    struct own_read own = {n, place, NULL};
    if (n->group->over[place])
        return NULL;
    statement_nodes(context->scratch, *body, search_own_read, &own);
    if (!own.load)
        return NULL;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = read_in_tile, .context = &own, .scratch = context->scratch};
    *body = statement_rewrite(context->output, *body, &rewriter);
    const struct statement *store = STATEMENT_NEW(
        context->output, stage->span, .kind = STATEMENT_STORE,
        .as.store = {
            n->buffer[place]->id, stage->rank,
            arena_copy(context->output, own.load->operand, stage->rank * sizeof *own.load->operand),
            as_type(n, CONVERT_EXACT, n->buffer[place]->scalar, own.load), false});
    return samples_in_tile(n, place, store);
}

/* ---- All stages ---- */

/* What one thread does. */
static const struct statement *work_of_thread(const struct nest *n,
                                              const struct statement *const body[])
{
    struct pass_context *context = n->context;
    const size_t count = n->group->count;
    const struct span span = n->group->sink->span;
    bool *stored = ARENA_ARRAY(context->scratch, bool, count + 1); /* since the last barrier */
    struct statement_items items = {0};
    for (size_t m = 0; m <= count; m++) {
        bool waits = false;
        for (size_t i = 0; i < m; i++)
            waits = waits || (stored[i] && n->group->reads[m][i]);
        if (waits) {
            VECTOR_PUSH(context->scratch, &items,
                        STATEMENT_NEW(context->output, span, .kind = STATEMENT_BARRIER));
            memset(stored, 0, count * sizeof *stored);
        }
        if (n->group->followed[m])
            continue;
        const bool recurs = n->group->member[m]->kind == STAGE_RECURRENCE;
        const size_t follower = n->group->follower[m];
        const struct statement *const both[] = {body[m], follower ? body[follower - 1] : NULL};
        const struct statement *own =
            statement_block(context->output, span, follower ? 2 : 1, both);
        const struct statement *ahead = recurs ? copy_ahead(n, m, &own) : NULL;
        if (ahead) {
            VECTOR_PUSH(context->scratch, &items, ahead);
            VECTOR_PUSH(context->scratch, &items,
                        STATEMENT_NEW(context->output, span, .kind = STATEMENT_BARRIER));
            memset(stored, 0, count * sizeof *stored);
        }
        VECTOR_PUSH(context->scratch, &items,
                    recurs ? lines_in_tile(n, m, own) : samples_in_tile(n, m, own));
        stored[m] = true;
        if (follower)
            stored[follower - 1] = true;
    }
    return statement_block(context->output, span, items.count, items.item);
}

static void find_threads(struct nest *n)
{
    static const char *const name[TILE_THREADS] = {"x", "y"};
    const struct stage *sink = n->group->sink;
    bool recurs = false;
    unsigned cut = 0;
    for (size_t m = 0; m < n->group->count; m++)
        recurs = recurs || n->group->member[m]->kind == STAGE_RECURRENCE;
    for (unsigned k = 0; k < sink->rank; k++) {
        n->tiled[k] = sink->schedule->tile[k] > 0;
        cut += n->tiled[k];
    }
    const unsigned fastest = sink->rank - 1;
    n->channels =
        tile_has_channels(sink, n->tiled, fastest) && sink->schedule->tile[fastest] <= TILE_CHANNELS
            ? fastest
            : NO_AXIS;
    cut -= n->channels != NO_AXIS;
    n->axes = cut < TILE_THREADS ? cut : TILE_THREADS;
    for (unsigned i = 0; i < n->axes; i++) {
        n->threads[i] = n->context->random_schedule ? grid_tile(n->context, sink->id.index, i)
                                                    : tile_threads(n->context, cut, i, recurs);
        n->thread[i] = index_of(n, name[i], "thread", n->threads[i] - 1);
    }
}

const struct statement *grid_tiles(struct pass_context *context, const struct tile_group *group,
                                   const struct buffer *const buffer[],
                                   const struct statement *const body[])
{
    static const enum parallel_level in_block[] = {LEVEL_BLOCK_X, LEVEL_BLOCK_Y};
    static const enum parallel_level in_grid[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z};
    const struct stage *sink = group->sink;
    const struct expr *zero = expr_integer(context->pool, 0);
    struct nest n = {.context = context, .group = group, .buffer = buffer};
    struct tile_code code = {.context = context, .group = group};
    const struct expr *block[GRID_MOST_AXES], *blocks[GRID_MOST_AXES];
    unsigned count = 0;
    find_threads(&n);
    for (unsigned k = sink->rank; k-- > 0;)
        if (n.tiled[k]) {
            block[count] =
                tile_cut_axis(&code, &buffer[group->count]->axis[k], k, zero, &blocks[count]);
            count++;
        }
    for (size_t m = group->count; m-- > 0;)
        tile_define_box(&code, m);
    tile_drop_unused_bounds(&code);
    for (size_t m = 0; m < group->count; m++)
        if (!group->over[m])
            VECTOR_PUSH(context->scratch, &code.lets,
                        STATEMENT_NEW(context->output, sink->span, .kind = STATEMENT_ALLOCATE,
                                      .as.allocate = {buffer[m]->id}));
    const struct statement *work = work_of_thread(&n, body);
    for (unsigned i = 0; i < n.axes; i++)
        work = loop_over(&n, in_block[i], n.thread[i], zero,
                         expr_integer(context->pool, n.threads[i]), work);
    VECTOR_PUSH(context->scratch, &code.lets, work);
    const struct statement *nest =
        statement_block(context->output, sink->span, code.lets.count, code.lets.item);
    for (unsigned i = 0; i < count; i++)
        nest = loop_over(&n, in_grid[i], block[i], zero, blocks[i], nest);
    return nest;
}
