/* Runs of 4,096 terms on a grid, 16 of them a block, a thread for each accumulator of a run:
 *   loop run.block grid_x {
 *       allocate lanes shared
 *       loop run.thread block_y { loop lane.thread block_x {
 *           allocate sum  store sum = -0
 *           if (16 run.block + run.thread < runs) {
 *               loop y serial { loop chunk serial { let u = …  store sum = sum + in[y, u] } } }
 *           store lanes[run.thread, lane.thread] = sum
 *           barrier
 *           if (… && lane.thread == 0) { store total.runs[…] = (lanes[…, 0] + lanes[…, 1]) + … } } } }
 * The terms of an accumulator and the pairs of accumulators are those of ORDER_RUN. */
#include "loop/lower/grid_runs.h"

#include "analysis/reductions.h"
#include "loop/lower/grid_nest.h"
#include "loop/lower/lower_runs.h"
#include "graph/placement/choose.h"

struct building {
    struct lowering *l;
    const struct stage *stage;
    const struct expr *reduce;
    int64_t runs;                           /* of a block */
    const struct expr *run, *thread, *lane; /* the run's number; coordinates in the block */
    buffer_id lanes, sum;
};

static struct expr_pool *pool_of(const struct building *b)
{
    return b->l->context->pool;
}

static const struct expr *integer(const struct building *b, int64_t value)
{
    return expr_integer(pool_of(b), value);
}

static const struct expr *binary(const struct building *b, enum expr_kind kind,
                                 const struct expr *left, const struct expr *right)
{
    return expr_binary(pool_of(b), kind, left, right);
}

/* "run.row" */
static const struct expr *variable(const struct building *b, enum variable_kind kind,
                                   const char *part, struct interval interval)
{
    return expr_variable(pool_of(b), kind,
                         symbol_format(&b->l->context->session->symbols, "run.%s", part),
                         kind == VARIABLE_LOCAL ? SCALAR_I64 : scalar_width(interval), interval);
}

static const struct expr *index_of(const struct building *b, const char *part, int64_t most)
{
    return variable(b, VARIABLE_INDEX, part, (struct interval){0, most});
}

/* ---- Statements ---- */

static const struct statement *loop(const struct building *b, enum parallel_level level,
                                    const struct expr *over, const struct expr *first,
                                    const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(b->l->context->output, b->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {over, first, extent, level, body, false, false, 0});
}

static const struct statement *block(const struct building *b, size_t count,
                                     const struct statement *const item[])
{
    return statement_block(b->l->context->output, b->stage->span, count, item);
}

static const struct statement *allocate(const struct building *b, buffer_id id)
{
    return STATEMENT_NEW(b->l->context->output, b->stage->span, .kind = STATEMENT_ALLOCATE,
                         .as.allocate = {id});
}

static const struct statement *store(const struct building *b, buffer_id id, unsigned rank,
                                     const struct expr *const index[], const struct expr *value)
{
    struct arena *output = b->l->context->output;
    const enum scalar scalar = program_buffer(b->l->out, id)->scalar;
    if (scalar_is_integer(scalar))
        value = expr_convert(pool_of(b), CONVERT_EXACT, scalar, value);
    return STATEMENT_NEW(
        output, b->stage->span, .kind = STATEMENT_STORE,
        .as.store = {id, rank, arena_copy(output, index, rank * sizeof *index), value, false});
}

static const struct expr *load(const struct building *b, buffer_id id, unsigned rank,
                               const struct expr *const index[])
{
    const struct buffer *buffer = program_buffer(b->l->out, id);
    return expr_load(pool_of(b), id.index, buffer->scalar, buffer->interval, rank, index, NULL);
}

/* The body where the variable is that value, by its name. */
static const struct statement *with_value(const struct building *b, const struct expr *of,
                                          const struct expr *value, const struct statement *body)
{
    const struct statement *both[2];
    both[1] = grid_name_coordinate(b->l->context, b->stage->span, of->as.variable.name, of, value,
                                   &both[0], body);
    return block(b, 2, both);
}

/* ---- Terms ---- */

/* A name for a value, and the statement that gives it. */
static const struct expr *name_value(const struct building *b, const char *part,
                                     const struct expr *value, const struct statement **let)
{
    const struct expr *name = variable(b, VARIABLE_LOCAL, part, value->interval);
    *let = STATEMENT_NEW(b->l->context->output, b->stage->span, .kind = STATEMENT_LET,
                         .as.let = {name, value});
    return name;
}

/* Those of a row from `first` to `end` - 1 that are the thread's; before: terms in the rows
 * before. */
static const struct statement *terms_of_row(const struct building *b, const struct expr *before,
                                            const struct expr *first, const struct expr *end)
{
    const struct expr *lanes = integer(b, REDUCTION_LANES), *top = integer(b, REDUCTION_LANES - 1);
    const struct statement *item[3];
    const struct expr *from = name_value(b, "first", first, &item[0]);
    const struct expr *number = binary(b, EXPR_ADD, before, from);
    const struct expr *skipped =
        binary(b, EXPR_BIT_AND,
               binary(b, EXPR_SUBTRACT, binary(b, EXPR_ADD, b->lane, lanes),
                      binary(b, EXPR_BIT_AND, number, top)),
               top);
    const struct expr *start = name_value(b, "start", binary(b, EXPR_ADD, from, skipped), &item[1]);
    const struct expr *chunks = binary(
        b, EXPR_DIVIDE, binary(b, EXPR_ADD, binary(b, EXPR_SUBTRACT, end, start), top), lanes);
    const struct expr *chunk = index_of(b, "chunk", REDUCTION_RUN / REDUCTION_LANES - 1);
    const struct expr *last = reduction_variable(pool_of(b), b->l->context->scratch, b->reduce,
                                                 b->reduce->as.reduce.rank - 1);
    const struct statement *step =
        store(b, b->sum, 0, NULL,
              reduction_step(pool_of(b), b->reduce, reduction_condition(pool_of(b), b->reduce),
                             load(b, b->sum, 0, NULL)));
    const struct expr *place = binary(b, EXPR_ADD, start, binary(b, EXPR_MULTIPLY, lanes, chunk));
    item[2] = loop(b, LEVEL_SERIAL, chunk, integer(b, 0), chunks, with_value(b, last, place, step));
    return block(b, 3, item);
}

static const struct statement *terms_of_run(const struct building *b)
{
    struct expr_pool *pool = pool_of(b);
    const unsigned rank = b->reduce->as.reduce.rank;
    const struct expr *width = expr_reduce_count(pool, b->reduce, rank - 1);
    const struct expr *size = integer(b, REDUCTION_RUN);
    const struct expr *base = binary(b, EXPR_MULTIPLY, size, b->run);
    const struct expr *after = binary(b, EXPR_ADD, base, size);
    if (rank == 1)
        return terms_of_row(b, integer(b, 0), base, binary(b, EXPR_MINIMUM, width, after));
    const struct expr *rows = reduction_rows(pool, b->reduce);
    const struct expr *row = index_of(b, "row", rows->interval.greatest - 1), *place = row;
    const struct expr *before = binary(b, EXPR_MULTIPLY, row, width);
    const struct statement *body = terms_of_row(
        b, before, binary(b, EXPR_MAXIMUM, binary(b, EXPR_SUBTRACT, base, before), integer(b, 0)),
        binary(b, EXPR_MINIMUM, binary(b, EXPR_SUBTRACT, after, before), width));
    for (unsigned k = rank - 1; k-- > 0;) {
        const struct expr *count = expr_reduce_count(pool, b->reduce, k);
        body = with_value(b, reduction_variable(pool, b->l->context->scratch, b->reduce, k),
                          k > 0 ? binary(b, EXPR_REMAINDER, place, count) : place, body);
        place = binary(b, EXPR_DIVIDE, place, count);
    }
    const struct expr *last =
        binary(b, EXPR_DIVIDE, binary(b, EXPR_SUBTRACT, after, integer(b, 1)), width);
    const struct statement *item[3];
    const struct expr *first =
        name_value(b, "first_row", binary(b, EXPR_DIVIDE, base, width), &item[0]);
    const struct expr *end = name_value(
        b, "end_row", binary(b, EXPR_MINIMUM, binary(b, EXPR_ADD, last, integer(b, 1)), rows),
        &item[1]);
    item[2] = loop(b, LEVEL_SERIAL, row, first, binary(b, EXPR_SUBTRACT, end, first), body);
    return block(b, 3, item);
}

/* ---- Accumulators ---- */

static buffer_id add_buffer(const struct building *b, const char *part, enum buffer_space space)
{
    struct pass_context *context = b->l->context;
    const struct expr *start = expr_reduction_start(pool_of(b), b->reduce);
    const bool counts = scalar_is_integer(b->reduce->scalar);
    const struct symbol *name = symbol_from(&context->session->symbols, "place");
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, 2);
    axis[0] = (struct buffer_axis){name, integer(b, 0), integer(b, b->runs), false};
    axis[1] = (struct buffer_axis){name, integer(b, 0), integer(b, REDUCTION_LANES), false};
    return program_add_buffer(
        context->output, b->l->out,
        (struct buffer){.name = program_buffer_name(b->l->out, &context->session->symbols,
                                                    b->stage->name, part),
                        .span = b->stage->span,
                        .scalar = b->reduce->scalar,
                        .interval = counts ? interval_hull(b->reduce->interval, start->interval)
                                           : b->reduce->interval,
                        .space = space,
                        .rank = space == SPACE_SHARED ? 2 : 0,
                        .axis = axis,
                        .slot = NO_SLOT});
}

/* The accumulators in pairs, level by level. */
static const struct expr *joined_lanes(const struct building *b)
{
    const struct expr *part[REDUCTION_LANES];
    for (int i = 0; i < REDUCTION_LANES; i++) {
        const struct expr *const place[2] = {b->thread, integer(b, i)};
        part[i] = load(b, b->lanes, 2, place);
    }
    return reduction_join_lanes(pool_of(b), b->reduce, part);
}

static const struct statement *branch(const struct building *b, const struct expr *condition,
                                      const struct statement *then)
{
    return STATEMENT_NEW(b->l->context->output, b->stage->span, .kind = STATEMENT_IF,
                         .as.branch = {condition, then, NULL, false});
}

/* ---- The stage ---- */

static const struct expr *only_reduce(const struct expr *value)
{
    while (value->kind == EXPR_CONVERT)
        value = value->operand[0];
    return value->kind == EXPR_REDUCE && value->as.reduce.order == ORDER_RUN ? value : NULL;
}

const struct statement *grid_runs(struct lowering *l, const struct stage *stage)
{
    if (stage->rank == 0 || stage->rank > GRID_MOST_AXES || !stage_is_per_sample(stage) ||
        !only_reduce(stage->value) || stage_is_at(stage))
        return NULL;
    const struct statement *sample = lowering_sample(l, stage);
    const struct expr *reduce =
        sample->kind == STATEMENT_STORE ? only_reduce(sample->as.store.value) : NULL;
    const struct stage_axis *axis = &stage->axis[0];
    if (!reduce || reduce->operand[reduce->count - 1] != axis->variable)
        return NULL;
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z};
    struct pass_context *context = l->context;
    struct building b = {.l = l,
                         .stage = stage,
                         .reduce = reduce,
                         .run = axis->variable,
                         .runs = choose(context, stage->id.index, CHOICE_REDUCTION_RUNS, 1,
                                        context->target->block_threads / REDUCTION_LANES)};
    const struct expr *runs = program_buffer(l->out, l->buffer[stage->id.index])->axis[0].extent;
    b.thread = index_of(&b, "thread", b.runs - 1);
    b.lane = index_of(&b, "lane", REDUCTION_LANES - 1);
    const struct expr *in_grid = index_of(&b, "block", INT32_MAX / b.runs);
    const struct expr *number =
        binary(&b, EXPR_ADD, binary(&b, EXPR_MULTIPLY, integer(&b, b.runs), in_grid), b.thread);
    const struct expr *blocks = binary(
        &b, EXPR_DIVIDE, binary(&b, EXPR_ADD, runs, integer(&b, b.runs - 1)), integer(&b, b.runs));
    b.lanes = add_buffer(&b, "lanes", SPACE_SHARED);
    b.sum = add_buffer(&b, "sum", SPACE_REGISTER);
    const struct expr *inside = binary(&b, EXPR_LESS, number, runs);
    const struct expr *const place[2] = {b.thread, b.lane};
    const struct expr *start = expr_reduction_start(pool_of(&b), reduce);
    const struct statement *result = STATEMENT_NEW(
        context->output, stage->span, .kind = STATEMENT_STORE,
        .as.store = {sample->as.store.buffer, sample->as.store.rank, sample->as.store.index,
                     expr_substitute(pool_of(&b), context->scratch, sample->as.store.value, reduce,
                                     joined_lanes(&b)),
                     false});
    const struct statement *const work[] = {
        allocate(&b, b.sum),
        store(&b, b.sum, 0, NULL, start),
        branch(&b, inside, with_value(&b, b.run, number, terms_of_run(&b))),
        store(&b, b.lanes, 2, place, load(&b, b.sum, 0, NULL)),
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_BARRIER),
        branch(&b, binary(&b, EXPR_AND, inside, binary(&b, EXPR_EQUAL, b.lane, integer(&b, 0))),
               with_value(&b, b.run, number, result))};
    const struct expr *zero = integer(&b, 0);
    const struct statement *const both[] = {
        allocate(&b, b.lanes),
        loop(&b, LEVEL_BLOCK_Y, b.thread, zero, integer(&b, b.runs),
             loop(&b, LEVEL_BLOCK_X, b.lane, zero, integer(&b, REDUCTION_LANES),
                  block(&b, sizeof work / sizeof work[0], work)))};
    const struct statement *nest =
        loop(&b, LEVEL_GRID_X, in_grid, zero, blocks, block(&b, 2, both));
    for (unsigned k = stage->rank; k-- > 1;) {
        const struct buffer_axis *other =
            &program_buffer(l->out, l->buffer[stage->id.index])->axis[k];
        nest = loop(&b, level[stage->rank - k], stage->axis[k].variable, other->first,
                    other->extent, nest);
    }
    return nest;
}
