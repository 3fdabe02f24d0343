/* Loop nests. Iterations along the axis of a recurrence are serial. If it reads itself at other
 * coordinates of another axis (a crossing axis), the loop over that axis is inside the serial one.
 * All other axes are independent:
 *   map           loop y { loop x … }                  a line: loop x.block { loop x in the part … }
 *                 loop y { loop k { loop x … } }       of [k, y, x], where k is short and something is read for all k
 *   along y       loop x.block { loop z { loop y serial { loop x in the part … } } }
 *   along x       loop y.block { loop z { loop x serial { loop y in the part … } } }
 *   crossing x    loop z { loop y serial { loop x … } }
 * On a grid, for a crossing axis with long rows, the serial loop is around one kernel per row. */
#include "loop/lower/loop_nest.h"

#include "analysis/reads.h"
#include "graph/placement/choosing_axis.h"
#include "graph/placement/beside.h"
#include "graph/placement/choose.h"
#include "loop/lower/grid_nest.h"
#include "loop/lower/loop_details.h"
#include "loop/lower/prefetch.h"
#include "loop/rewrite.h"

struct nest {
    struct pass_context *context;
    struct program *program;
    const struct stage *stage;
    const struct buffer *buffer;
    unsigned threads; /* the outermost loops that they share by the schedule; 0: not given */
    bool serial[GRAPH_MAX_RANK]; /* by axis: the recurrence runs along it */
    bool crossing[GRAPH_MAX_RANK];
    bool shared
        [GRAPH_MAX_RANK]; /* by axis: short, and something that is read is the same along it */
    unsigned choosing;    /* the axis along which the stage chooses; none: its rank */
    unsigned around;      /* the axis whose loop is around the kernel; none: its rank */
};

/* ---- Axes ---- */

static void note_crossing(const struct expr *node, void *user)
{
    struct nest *n = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != n->stage->id.index)
        return;
    for (unsigned k = 0; k < n->stage->rank; k++)
        if (node->operand[k] != n->stage->axis[k].variable && !n->serial[k])
            n->crossing[k] = true;
}

/* What reads a row for each place along an axis reads it from near memory, if these come one after
 * the other. */
static void note_shared(const struct expr *node, void *user)
{
    struct nest *n = user;
    if (node->kind != EXPR_LOAD || node->count == 0)
        return;
    for (unsigned k = 0; k + 1 < n->stage->rank; k++) {
        bool depends = !axis_is_short(&n->stage->axis[k]);
        for (unsigned i = 0; i < node->count && !depends; i++)
            depends =
                expr_contains(n->context->scratch, node->operand[i], n->stage->axis[k].variable);
        n->shared[k] = n->shared[k] || !depends;
    }
}

static void find_axes(struct nest *n)
{
    n->choosing = choosing_axis(n->context->scratch, n->stage);
    struct expr_walk walk = {.scratch = n->context->scratch};
    if (stage_may_move(n->stage))
        expr_visit(&walk, n->stage->value, note_shared, n);
    if (n->stage->kind != STAGE_RECURRENCE)
        return;
    n->serial[n->stage->as.recurrence.axis] = true;
    expr_visit(&walk, n->stage->value, note_crossing, n);
}

static bool is_free(const struct nest *n, unsigned k)
{
    return !n->serial[k] && !n->crossing[k];
}

static bool any(const bool axis[], unsigned rank)
{
    bool found = false;
    for (unsigned k = 0; k < rank; k++)
        found = found || axis[k];
    return found;
}

/* ---- Loops ---- */

static const struct statement *loop(const struct nest *n, enum parallel_level level,
                                    const struct expr *variable, const struct expr *first,
                                    const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

/* Over all of the axis. */
static const struct statement *axis_loop(const struct nest *n, unsigned k,
                                         const struct statement *body)
{
    const struct buffer_axis *axis = &n->buffer->axis[k];
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {n->stage->axis[k].variable, axis->first, axis->extent,
                                     n->serial[k]       ? LEVEL_SERIAL
                                     : k == n->choosing ? LEVEL_UNROLLED
                                                        : LEVEL_INDEPENDENT,
                                     body, n->serial[k] && n->stage->as.recurrence.reversed});
}

/* A coordinate of parts, or within one. */
static const struct expr *part_of_axis(const struct nest *n, unsigned k, const char *part,
                                       int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(
        n->context->pool, VARIABLE_INDEX,
        symbol_format(&n->context->session->symbols, "%s.%s", n->stage->axis[k].name->text, part),
        SCALAR_I32, interval);
}

static const struct expr *parts_of(const struct nest *n, unsigned k, int64_t size)
{
    struct expr_pool *pool = n->context->pool;
    return expr_binary(pool, EXPR_DIVIDE,
                       region_sum(pool, n->buffer->axis[k].extent, expr_integer(pool, size - 1), 1),
                       expr_integer(pool, size));
}

/* An axis that is cut into parts. */
struct parts {
    const struct expr *block, *count;
    const struct expr *first, *extent; /* within a part */
};

static struct parts cut_axis(const struct nest *n, unsigned k, int64_t size)
{
    struct expr_pool *pool = n->context->pool;
    const struct buffer_axis *axis = &n->buffer->axis[k];
    const struct expr *whole = expr_integer(pool, size);
    struct parts parts = {.block = part_of_axis(n, k, "block", INT32_MAX / size + 1),
                          .count = parts_of(n, k, size)};
    const struct expr *begin = expr_binary(pool, EXPR_MULTIPLY, parts.block, whole);
    const struct expr *left = expr_binary(pool, EXPR_SUBTRACT, axis->extent, begin);
    parts.first = region_sum(pool, axis->first, begin, 1);
    parts.extent = expr_binary(pool, EXPR_MINIMUM, whole, left);
    return parts;
}

/* ---- Nests for cores ---- */

/* The row, beside which the next one of what it reads is asked for. */
static const struct statement *
with_rows_beside(const struct nest *n, const struct statement *sample, const struct statement *row)
{
    enum { MOST = 4 };
    struct expr_pool *pool = n->context->pool;
    const unsigned last = n->stage->rank - 1;
    const struct statement *item[MOST + 1];
    if (!stage_may_move(n->stage) || n->stage->rank < 2 || !n->context->target->has_cache_bypass)
        return row;
    const char *reason;
    const int64_t ahead = details_prefetch(n->stage, 1);
    if (ahead == 0)
        return row;
    const struct buffer_axis *axis = &n->buffer->axis[last];
    const struct expr *const y = n->stage->axis[last - 1].variable;
    const struct prefetch_range range = {.x = n->stage->axis[last].variable,
                                         .y = y,
                                         .below = region_sum(pool, y, expr_integer(pool, ahead), 1),
                                         .first = axis->first,
                                         .end = region_sum(pool, axis->first, axis->extent, 1),
                                         .beside = true,
                                         .reason = &reason};
    const unsigned count = prefetch_rows(n->context, n->program, &range, sample, MOST, item);
    details_obey_prefetch(n->context, n->program, n->stage, count, reason);
    item[count] = row;
    return statement_block(n->context->output, n->stage->span, count + 1, item);
}

/* The loop over all of an axis that could run in any order, with its details of the schedule. */
static const struct statement *said_loop(const struct nest *n, unsigned k, unsigned outside,
                                         bool innermost, const struct statement *body)
{
    struct statement loop = *axis_loop(n, k, body);
    if (loop.as.loop.level == LEVEL_INDEPENDENT && outside < n->threads)
        loop.as.loop.level = LEVEL_THREADS;
    else if (loop.as.loop.level == LEVEL_INDEPENDENT)
        loop.as.loop.level = details_level(n->stage, innermost);
    loop.as.loop.by = outside + 1 < n->threads ? 0 : details_unroll(n->stage, k);
    return statement_new(n->context->output, loop);
}

/* Loops of samples that do not depend on each other: those of axes along which something is shared
 * inside the others, the fastest inside all, one along which the stage chooses around that; but for
 * what the schedule says. */
static const struct statement *map_loops(struct nest *n, const struct statement *body)
{
    const unsigned rank = n->stage->rank, fastest = rank - 1;
    const struct statement *const sample = body;
    const char *fixed[GRAPH_MAX_RANK] = {NULL}, *alone[GRAPH_MAX_RANK];
    unsigned order[GRAPH_MAX_RANK], at = 0;
    for (int shared = 0; shared < 2; shared++)
        for (unsigned k = 0; k < fastest; k++)
            if (k != n->choosing && n->shared[k] == shared)
                order[at++] = k;
    if (n->choosing < fastest)
        order[at++] = n->choosing;
    order[at] = fastest;
    if (n->choosing < rank)
        fixed[n->choosing] = details_choosing(n->context, n->stage, n->choosing);
    details_order(n->context, n->program, n->stage, fixed, order);
    if (n->choosing < rank) /* around the innermost loop alone */
        details_move(rank, order, n->choosing, fastest - 1);
    memcpy(alone, fixed, sizeof alone);
    alone[order[fastest]] = arena_format(
        n->context->scratch, "the loop along '%s' is the innermost, which threads do not share",
        n->stage->axis[order[fastest]].name->text);
    n->threads = details_threads(n->context, n->program, n->stage, alone,
                                 stage_says(n->stage, DETAIL_ORDER) != NULL, rank, order);
    for (unsigned i = 0; i + 1 < n->threads; i++)
        fixed[order[i]] = "threads share that loop together with the next one inside it";
    details_obey_loops(n->context, n->program, n->stage, fixed);
    for (unsigned i = rank; i-- > 0;) {
        body = said_loop(n, order[i], i, i == fastest, body);
        if (i == fastest && order[i] == fastest && n->choosing == rank)
            body = with_rows_beside(n, sample, body);
        else if (i == fastest)
            decline(n->context, n->stage, DETAIL_PREFETCH, "%s",
                    n->choosing < rank ? fixed[n->choosing]
                                       : "its innermost loop does not run along rows");
    }
    return body;
}

/* Crossing axes inside, the serial one around them, then the free ones except `taken`. */
static const struct statement *ordered_loops(const struct nest *n, unsigned taken,
                                             const struct statement *body)
{
    for (unsigned k = n->stage->rank; k-- > 0;)
        if (n->crossing[k])
            body = axis_loop(n, k, body);
    for (unsigned k = n->stage->rank; k-- > 0;)
        if (n->serial[k])
            body = axis_loop(n, k, body);
    for (unsigned k = n->stage->rank; k-- > 0;)
        if (is_free(n, k) && k != taken)
            body = axis_loop(n, k, body);
    return body;
}

/* A line, or a recurrence: one axis is cut into parts, whose loop is the outermost. */
static const struct statement *cut_nest(struct nest *n, unsigned cut, int64_t size,
                                        const struct statement *body)
{
    const char *fixed[GRAPH_MAX_RANK] = {NULL}, *alone[GRAPH_MAX_RANK] = {NULL};
    unsigned order[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < n->stage->rank; k++) {
        order[k] = k;
        if (k != cut)
            alone[k] = arena_format(n->context->scratch,
                                    "it is a recurrence, and threads share the loop along '%s'",
                                    n->stage->axis[cut].name->text);
    }
    const struct parts parts = cut_axis(n, cut, size);
    const bool threads =
        details_threads(n->context, n->program, n->stage, alone, false, n->stage->rank, order) > 0;
    struct statement inside =
        *loop(n, LEVEL_INDEPENDENT, n->stage->axis[cut].variable, parts.first, parts.extent, body);
    if (stage_may_move(n->stage)) {
        details_order(n->context, n->program, n->stage, fixed, order);
        details_obey_loops(n->context, n->program, n->stage, fixed);
        inside.as.loop.level = details_level(n->stage, true);
        inside.as.loop.by = details_unroll(n->stage, cut);
    }
    body = ordered_loops(n, cut, statement_new(n->context->output, inside));
    return loop(n, threads ? LEVEL_THREADS : LEVEL_INDEPENDENT, parts.block,
                expr_integer(n->context->pool, 0), parts.count, body);
}

static void search_counted(const struct expr *node, void *found)
{
    *(bool *)found = *(bool *)found || (node->kind == EXPR_REDUCE && node->as.reduce.counted);
}

static enum choice part_of_line(const struct nest *n)
{
    bool counted = false;
    stage_nodes(n->stage, n->context->scratch, search_counted, &counted);
    return counted ? CHOICE_PART_OF_SUMS : CHOICE_PART_OF_LINE;
}

static const struct statement *nest_for_cores(struct nest *n, const struct statement *body)
{
    const unsigned rank = n->stage->rank, nothing = GRAPH_MAX_RANK;
    const bool recurs = any(n->serial, rank);
    unsigned last_free = nothing;
    for (unsigned k = 0; k < rank; k++)
        if (is_free(n, k))
            last_free = k;
    const bool cut = recurs ? last_free != nothing && !any(n->crossing, rank) : rank == 1;
    if (cut)
        return cut_nest(n, last_free,
                        choice_value(n->context, !recurs                 ? part_of_line(n)
                                                 : last_free == rank - 1 ? CHOICE_PART_OF_COLUMNS
                                                                         : CHOICE_PART_OF_ROWS),
                        body);
    return recurs || rank == 0 ? ordered_loops(n, nothing, body) : map_loops(n, body);
}

/* ---- Nests for blocks of threads ---- */

/* Samples of a block along an axis, by the program's schedule; 0: it says nothing of a block. */
static int64_t tile_asked(const struct nest *n, unsigned k)
{
    const struct schedule *schedule = n->stage->schedule;
    if (!schedule || !schedule->rank || schedule_has_lines(schedule))
        return 0;
    return schedule->tile[k] ? schedule->tile[k] : 1;
}

/* Samples of a thread along an axis that is not the fastest: several, where they read much of the
 * same. */
static int64_t rows_of_thread(struct nest *n, unsigned k, int64_t beside)
{
    const struct schedule *schedule = n->stage->schedule;
    if ((schedule && schedule->staged) || !stage_is_per_sample(n->stage))
        return 1;
    if (stage_says(n->stage, DETAIL_UNROLL))
        return details_unroll(n->stage, k) ? details_unroll(n->stage, k) : 1;
    if (schedule && schedule->rank)
        return 1;
    return samples_together(n->context, n->stage, k, beside);
}

/* Whether a thread takes all places along the fastest axis: the few channels of a sample, which
 * would leave most threads of a row without one. */
static bool is_of_channels(const struct nest *n, unsigned k)
{
    bool free[GRAPH_MAX_RANK];
    for (unsigned i = 0; i < n->stage->rank; i++)
        free[i] = is_free(n, i);
    return !tile_asked(n, k) && tile_has_channels(n->stage, free, k);
}

/* Notes whether threads take as many samples at a time as the schedule asks for. */
static void obey_unroll(const struct nest *n, unsigned count, const struct grid_axis axis[])
{
    const struct schedule *schedule = n->stage->schedule;
    const char *fixed[GRAPH_MAX_RANK] = {NULL};
    for (unsigned k = 0; k < n->stage->rank; k++)
        fixed[k] =
            schedule && schedule->staged     ? "its tiles are staged"
            : !stage_is_per_sample(n->stage) ? "it is a recurrence"
            : count < 2                      ? "threads share one axis of it"
            : n->stage->axis[k].variable == axis[1].variable
                ? NULL
                : arena_format(n->context->scratch, "a thread has several samples along '%s' alone",
                               axis[1].name->text);
    details_obey_loops(n->context, n->program, n->stage, fixed);
}

/* Where a block has more samples than threads, each takes several. */
static void settle_threads(struct nest *n, unsigned count, struct grid_axis axis[])
{
    const int64_t most = n->context->target->block_threads;
    const unsigned tiled = count < 2 ? count : 2;
    for (unsigned i = tiled; i-- > 0;) {
        const int64_t others = tiled > 1 ? axis[1 - i].tile : 1, samples = axis[i].tile;
        int64_t rows = 1;
        while (rows < samples && (samples % rows || samples / rows * others > most))
            rows++;
        axis[i].tile = samples / rows;
        axis[i].rows *= rows;
    }
}

/* Samples of a row that a thread has: one, where it goes over another axis at each. */
static int64_t beside_of(const struct nest *n)
{
    bool all = !(n->stage->schedule && n->stage->schedule->rank);
    for (unsigned k = 0; k < n->stage->rank; k++)
        all = all && is_free(n, k);
    return all && n->stage->rank <= GRID_MOST_AXES ? samples_beside(n->context, n->stage) : 1;
}

/* Threads along the n-th fastest axis: fewer along rows where each has several samples of one, so
 * that a block near a border is no larger. */
static int64_t threads_of_block(const struct nest *n, unsigned axis, int64_t beside)
{
    const int64_t along = grid_tile(n->context, n->stage->id.index, 0);
    const int64_t fewer = choice_value(n->context, CHOICE_BLOCK_X_BESIDE);
    const int64_t threads = grid_tile(n->context, n->stage->id.index, axis);
    if (beside == 1 || n->context->random_schedule || fewer >= along || axis > 1)
        return threads;
    return axis == 0 ? fewer : along / fewer * threads;
}

/* The fastest free axes are threads and blocks of them. Other axes are loops inside a thread,
 * crossing ones innermost. */
static const struct statement *nest_for_blocks(struct nest *n, const struct statement *body)
{
    struct grid_axis axis[GRID_MOST_AXES];
    bool taken[GRAPH_MAX_RANK] = {false};
    unsigned count = 0;
    int64_t beside = 1;
    for (unsigned k = n->stage->rank; k-- > 0 && count < GRID_MOST_AXES;) {
        if (!is_free(n, k) || is_of_channels(n, k) || (count > 1 && k == n->choosing))
            continue;
        if (k + 1 == n->stage->rank)
            beside = beside_of(n);
        const int64_t asked = tile_asked(n, k);
        taken[k] = true;
        axis[count] = (struct grid_axis){n->stage->axis[k].name,
                                         n->stage->axis[k].variable,
                                         n->buffer->axis[k].first,
                                         n->buffer->axis[k].extent,
                                         asked ? asked : threads_of_block(n, count, beside),
                                         count == 0   ? beside
                                         : count == 1 ? rows_of_thread(n, k, beside)
                                                      : 1};
        count++;
    }
    if (count == 1 && beside > 1 && !n->context->random_schedule)
        axis[0].tile = choice_value(n->context, CHOICE_BLOCK_LINE);
    obey_unroll(n, count, axis);
    settle_threads(n, count, axis);
    for (unsigned k = n->stage->rank; k-- > 0;)
        if (n->crossing[k])
            body = axis_loop(n, k, body);
    for (unsigned k = n->stage->rank; k-- > 0;)
        if (!n->crossing[k] && !taken[k] && k != n->around)
            body = axis_loop(n, k, body);
    const struct schedule *const schedule = n->stage->schedule;
    return grid_nest(n->context, schedule && schedule->staged ? n->program : NULL, n->stage->span,
                     count, axis, NULL, body);
}

const struct statement *loop_nest(struct pass_context *context, struct program *program,
                                  const struct stage *stage, const struct buffer *buffer,
                                  const struct statement *body)
{
    struct nest n = {.context = context,
                     .program = program,
                     .stage = stage,
                     .buffer = buffer,
                     .around = stage->rank};
    find_axes(&n);
    return context->target->execution == EXECUTION_GRID ? nest_for_blocks(&n, body)
                                                        : nest_for_cores(&n, body);
}

/* Whether rows that a recurrence crosses are worth a kernel each. */
static bool crosses_rows(const struct nest *n)
{
    bool found = false;
    for (unsigned k = 0; k < n->stage->rank; k++)
        found = found || (n->crossing[k] && !axis_is_short(&n->stage->axis[k]) &&
                          !axis_is_of_channels(n->stage->axis[k].name));
    return found && !choose_whether(n->context, n->stage->id.index, CHOICE_ROWS_INSIDE, false);
}

const struct statement *loop_nest_of_rows(struct pass_context *context, struct program *program,
                                          const struct stage *stage, const struct buffer *buffer,
                                          const struct statement *body, struct loop_around *around)
{
    struct nest n = {.context = context, .program = program, .stage = stage, .buffer = buffer};
    find_axes(&n);
    if (stage->kind != STAGE_RECURRENCE || !crosses_rows(&n))
        return NULL;
    n.around = stage->as.recurrence.axis;
    memset(n.crossing, 0, sizeof n.crossing);
    /* A name of its own: other kernels have loops over the axis, too. */
    const struct stage_axis *axis = &stage->axis[n.around];
    const struct expr *row = expr_variable(
        context->pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.%s.row", stage->name->text, axis->name->text),
        axis->variable->scalar, axis->variable->interval);
    *around = (struct loop_around){row, buffer->axis[n.around].first, buffer->axis[n.around].extent,
                                   stage->as.recurrence.reversed};
    return nest_for_blocks(&n, statement_substitute(context->output, context->scratch,
                                                    context->pool, body, axis->variable, row));
}
