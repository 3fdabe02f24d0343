/* Of a sum over counted ranges v and u, with w values of u (ORDER_TREE):
 *   for run:                                       4,096 terms, numbered from 4096 run on
 *       lanes = -0
 *       for v in the rows of the run:
 *           for u in the places of the row that are terms of the run:
 *               lanes[(w v + u) % 16] += term(v, u)
 *       sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) ...
 *       join sum with the partial sums of the runs before
 * Partial sums are joined as a binary counter counts: partial[l] holds 2^l runs where bit l of
 * `run` is set. A run that completes a pair takes the partial sum before it, level by level; the
 * last run takes all that are left, which is what an odd last one does that moves up. One run is
 * the frequent case: nothing is joined then. */
#include "loop/lower/lower_runs.h"

#include "analysis/reductions.h"
#include "analysis/regions.h"

enum { MOST_LEVELS = 28 }; /* of 2^40 terms */

struct building {
    const struct run_lowering *l;
    struct expr_pool *pool;
    struct arena *output;
    const struct expr_reduction *shape;
    const struct expr *count[GRAPH_MAX_RANK]; /* values of each range */
    buffer_id lanes, result;
};

static const struct expr *integer(const struct building *b, int64_t value)
{
    return expr_integer(b->pool, value);
}

static const struct expr *binary(const struct building *b, enum expr_kind kind,
                                 const struct expr *left, const struct expr *right)
{
    return expr_binary(b->pool, kind, left, right);
}

static const struct expr *part_variable(const struct building *b, const char *part, int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(
        b->pool, VARIABLE_INDEX,
        symbol_format(&b->l->context->session->symbols, "%s.%s", b->l->name->text, part),
        scalar_width(interval), interval);
}

/* ---- Statements ---- */

static const struct statement *loop(const struct building *b, const struct expr *variable,
                                    const struct expr *first, const struct expr *end,
                                    const struct statement *body)
{
    return STATEMENT_NEW(
        b->output, b->l->span, .kind = STATEMENT_LOOP,
        .as.loop = {variable, first, region_sum(b->pool, end, first, -1), LEVEL_SERIAL, body});
}

/* Loops over 16 lanes are vectors where terms are lanes; elsewhere vectors are over samples. */
static const struct statement *
loop_over_lanes(const struct building *b, const struct expr *variable, const struct statement *body)
{
    return STATEMENT_NEW(b->output, b->l->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, integer(b, 0), integer(b, REDUCTION_LANES),
                                     b->l->in_vectors ? LEVEL_VECTOR : LEVEL_SERIAL, body});
}

static const struct statement *block(const struct building *b, const struct statement *first,
                                     const struct statement *second)
{
    const struct statement *const both[2] = {first, second};
    return statement_block(b->output, b->l->span, 2, both);
}

/* place: NULL of a buffer of one value. */
static const struct statement *store(const struct building *b, buffer_id id,
                                     const struct expr *place, const struct expr *value)
{
    const struct expr **index = ARENA_ARRAY(b->output, const struct expr *, 1);
    index[0] = place;
    const enum scalar scalar = program_buffer(b->l->out, id)->scalar;
    if (scalar_is_integer(scalar))
        value = expr_convert(b->pool, CONVERT_EXACT, scalar, value);
    return STATEMENT_NEW(b->output, b->l->span, .kind = STATEMENT_STORE,
                         .as.store = {id, place != NULL, index, value});
}

static const struct expr *read(const struct building *b, buffer_id id, const struct expr *place)
{
    const struct buffer *buffer = program_buffer(b->l->out, id);
    return expr_load(b->pool, id.index, buffer->scalar, buffer->interval, place != NULL, &place,
                     NULL);
}

/* places: 0 of one value that has no place. */
static buffer_id add_register(const struct building *b, const char *part, int64_t places,
                              struct statement_items *before)
{
    struct pass_context *context = b->l->context;
    const struct expr *reduce = b->l->reduce, *start = expr_reduction_start(b->pool, reduce);
    const bool counts = scalar_is_integer(reduce->scalar);
    const struct interval interval =
        counts ? interval_hull(reduce->interval, start->interval) : reduce->interval;
    struct buffer_axis *axis = ARENA_ARRAY(b->output, struct buffer_axis, 1);
    *axis = (struct buffer_axis){symbol_from(&context->session->symbols, "place"), integer(b, 0),
                                 integer(b, places), false};
    const buffer_id id =
        program_add_buffer(b->output, b->l->out,
                           (struct buffer){.name = symbol_format(&context->session->symbols, "%s%s",
                                                                 b->l->name->text, part),
                                           .span = b->l->span,
                                           .scalar = reduce->scalar,
                                           .interval = interval,
                                           .space = SPACE_REGISTER,
                                           .rank = places > 0,
                                           .axis = axis,
                                           .slot = NO_SLOT});
    VECTOR_PUSH(
        context->scratch, before,
        STATEMENT_NEW(b->output, b->l->span, .kind = STATEMENT_ALLOCATE, .as.allocate = {id}));
    return id;
}

/* ---- Terms ---- */

/* Two partial results in one. */
static const struct expr *join(const struct building *b, const struct expr *left,
                               const struct expr *right)
{
    return binary(b, expr_reduction_join(b->shape->operation), left, right);
}

const struct expr *reduction_join_lanes(struct expr_pool *pool, const struct expr *reduce,
                                        const struct expr *part[REDUCTION_LANES])
{
    const enum expr_kind kind = expr_reduction_join(reduce->as.reduce.operation);
    for (int count = REDUCTION_LANES; count > 1; count /= 2)
        for (int i = 0; i < count / 2; i++)
            part[i] = expr_binary(pool, kind, part[2 * i], part[2 * i + 1]);
    return part[0];
}

const struct expr *reduction_step(struct expr_pool *pool, const struct expr *reduce,
                                  const struct expr *condition, const struct expr *accumulator)
{
    const enum reduction operation = reduce->as.reduce.operation;
    const struct expr *term = reduce->operand[0], *next;
    if (operation == REDUCTION_TALLY)
        term = expr_select(pool, term, expr_integer(pool, 1), expr_integer(pool, 0));
    if (reduce->as.reduce.fused) {
        const struct expr *const three[3] = {term, reduce->operand[1], accumulator};
        next = expr_operation(pool, EXPR_FUSED, 3, three);
    } else {
        next = expr_binary(pool, expr_reduction_join(operation), accumulator, term);
    }
    return condition ? expr_select(pool, condition, next, accumulator) : next;
}

/* The step of the term to the lane. */
static const struct statement *step(const struct building *b, const struct expr *lane)
{
    return store(b, b->lanes, lane,
                 reduction_step(b->pool, b->l->reduce, b->l->condition, read(b, b->lanes, lane)));
}

/* The same 16 terms at a time, the variable's values from `first` on. */
static const struct statement *step_in_vectors(const struct building *b, const struct expr *first,
                                               const struct expr *chunk)
{
    const struct expr *lane = part_variable(b, "lane", REDUCTION_LANES - 1);
    const struct expr *place = binary(
        b, EXPR_ADD,
        binary(b, EXPR_ADD, first, binary(b, EXPR_MULTIPLY, integer(b, REDUCTION_LANES), chunk)),
        lane);
    const struct expr *value =
        reduction_step(b->pool, b->l->reduce, b->l->condition, read(b, b->lanes, lane));
    const struct expr *last = b->l->variable[b->shape->rank - 1];
    return loop_over_lanes(
        b, lane,
        store(b, b->lanes, lane,
              expr_substitute(b->pool, b->l->context->scratch, value, last, place)));
}

struct ends {
    const struct expr *first, *end; /* of the values of the last range's variable */
    /* terms in the rows before, from the run's first; NULL: a multiple of 16 */
    const struct expr *before;
};

static const struct expr *lane_of(const struct building *b, const struct ends *e,
                                  const struct expr *place)
{
    return binary(b, EXPR_BIT_AND, e->before ? binary(b, EXPR_ADD, e->before, place) : place,
                  integer(b, REDUCTION_LANES - 1));
}

/* Values up to a multiple of 16 terms one by one, then 16 at a time, then the rest one by one. */
static const struct statement *row_in_vectors(const struct building *b, const struct ends *e)
{
    const struct expr *last = b->l->variable[b->shape->rank - 1];
    const struct expr *aligned = e->first;
    const struct expr *lanes = integer(b, REDUCTION_LANES), *top = integer(b, REDUCTION_LANES - 1);
    if (e->before) {
        const struct expr *number = binary(b, EXPR_ADD, e->before, e->first);
        const struct expr *rest =
            binary(b, EXPR_BIT_AND,
                   binary(b, EXPR_SUBTRACT, lanes, binary(b, EXPR_BIT_AND, number, top)), top);
        aligned = binary(b, EXPR_MINIMUM, binary(b, EXPR_ADD, e->first, rest), e->end);
    }
    const struct expr *chunks =
        binary(b, EXPR_DIVIDE, binary(b, EXPR_SUBTRACT, e->end, aligned), lanes);
    const struct expr *chunk = part_variable(b, "chunk", last->interval.greatest / REDUCTION_LANES);
    const struct expr *rest = binary(b, EXPR_ADD, aligned, binary(b, EXPR_MULTIPLY, lanes, chunks));
    const struct statement *middle =
        loop(b, chunk, integer(b, 0), chunks, step_in_vectors(b, aligned, chunk));
    const struct statement *single = step(b, lane_of(b, e, last));
    const struct statement *tail = block(b, middle, loop(b, last, rest, e->end, single));
    return e->before ? block(b, loop(b, last, e->first, aligned, single), tail) : tail;
}

static const struct statement *row_of_terms(const struct building *b, const struct ends *e)
{
    const struct expr *last = b->l->variable[b->shape->rank - 1];
    return b->l->in_vectors ? row_in_vectors(b, e)
                            : loop(b, last, e->first, e->end, step(b, lane_of(b, e, last)));
}

/* ---- A run ---- */

/* Sets the variables of the ranges before the last one, of which there are several, by the row's
 * number. */
static const struct statement *in_row(const struct building *b, const struct expr *row,
                                      const struct statement *body)
{
    for (unsigned k = b->shape->rank - 1; k-- > 0;) {
        const struct expr *place = k > 0 ? binary(b, EXPR_REMAINDER, row, b->count[k]) : row;
        body =
            loop(b, b->l->variable[k], place, region_sum(b->pool, place, integer(b, 1), 1), body);
        row = binary(b, EXPR_DIVIDE, row, b->count[k]);
    }
    return body;
}

/* The terms of the run, each to its lane. */
static const struct statement *terms_of_run(const struct building *b, const struct expr *run)
{
    const unsigned rank = b->shape->rank;
    const struct expr *width = b->count[rank - 1];
    const struct expr *base = binary(b, EXPR_MULTIPLY, integer(b, REDUCTION_RUN), run);
    const struct expr *after = binary(b, EXPR_ADD, base, integer(b, REDUCTION_RUN));
    if (rank == 1)
        return row_of_terms(
            b, &(struct ends){.first = base, .end = region_minimum(b->pool, width, after)});
    const struct expr *rows = reduction_rows(b->pool, b->l->reduce);
    const struct expr *row =
        rank == 2 ? b->l->variable[0] : part_variable(b, "row", rows->interval.greatest - 1);
    const struct expr *before = binary(b, EXPR_MULTIPLY, row, width);
    const struct ends ends = {
        .first = binary(b, EXPR_MAXIMUM, binary(b, EXPR_SUBTRACT, base, before), integer(b, 0)),
        .end = binary(b, EXPR_MINIMUM, binary(b, EXPR_SUBTRACT, after, before), width),
        .before = before};
    const struct statement *body = row_of_terms(b, &ends);
    const struct expr *last =
        binary(b, EXPR_DIVIDE, binary(b, EXPR_SUBTRACT, after, integer(b, 1)), width);
    return loop(b, row, binary(b, EXPR_DIVIDE, base, width),
                binary(b, EXPR_MINIMUM, binary(b, EXPR_ADD, last, integer(b, 1)), rows),
                rank == 2 ? body : in_row(b, row, body));
}

/* All terms, in any order, each to some lane. */
static const struct statement *terms_in_any_order(const struct building *b)
{
    const unsigned rank = b->shape->rank;
    const struct ends ends = {.first = integer(b, 0), .end = b->count[rank - 1]};
    const struct statement *body = row_of_terms(b, &ends);
    for (unsigned k = rank - 1; k-- > 0;)
        body = loop(b, b->l->variable[k], integer(b, 0), b->count[k], body);
    return body;
}

static const struct statement *clear_lanes(const struct building *b)
{
    const struct expr *lane = part_variable(b, "lane", REDUCTION_LANES - 1);
    return loop_over_lanes(b, lane,
                           store(b, b->lanes, lane, expr_reduction_start(b->pool, b->l->reduce)));
}

/* result = the lanes in pairs, level by level. */
static const struct statement *fold_lanes(const struct building *b)
{
    const struct expr *part[REDUCTION_LANES];
    for (int i = 0; i < REDUCTION_LANES; i++)
        part[i] = read(b, b->lanes, integer(b, i));
    return store(b, b->result, NULL, reduction_join_lanes(b->pool, b->l->reduce, part));
}

static const struct statement *one_run(const struct building *b, const struct statement *terms)
{
    const struct statement *const item[] = {clear_lanes(b), terms, fold_lanes(b)};
    return statement_block(b->output, b->l->span, 3, item);
}

/* ---- Runs ---- */

/* What completes pairs with the part before, and is kept where it does not. */
static const struct statement *join_level(const struct building *b, buffer_id partial,
                                          const struct expr *part, const struct expr *parts,
                                          const struct expr *level)
{
    const struct expr *one = integer(b, 1);
    const struct expr *bit = binary(b, EXPR_SHIFT_LEFT, one, level);
    const struct expr *below = binary(b, EXPR_SUBTRACT, bit, one);
    const struct expr *completes =
        binary(b, EXPR_EQUAL, binary(b, EXPR_BIT_AND, part, below), below);
    const struct expr *is_last = binary(b, EXPR_EQUAL, part, binary(b, EXPR_SUBTRACT, parts, one));
    const struct expr *holds =
        binary(b, EXPR_NOT_EQUAL, binary(b, EXPR_BIT_AND, part, bit), integer(b, 0));
    const struct statement *take =
        store(b, b->result, NULL, join(b, read(b, partial, level), read(b, b->result, NULL)));
    const struct statement *keep = store(b, partial, level, read(b, b->result, NULL));
    const struct statement *otherwise = STATEMENT_NEW(
        b->output, b->l->span, .kind = STATEMENT_IF,
        .as.branch = {binary(b, EXPR_AND, completes, expr_unary(b->pool, EXPR_NOT, is_last)), keep,
                      NULL});
    const struct statement *joined =
        STATEMENT_NEW(b->output, b->l->span, .kind = STATEMENT_IF,
                      .as.branch = {binary(b, EXPR_OR, completes, is_last), take, NULL});
    return STATEMENT_NEW(b->output, b->l->span, .kind = STATEMENT_IF,
                         .as.branch = {holds, joined, otherwise});
}

/* Parts of the result, each computed by `body` to b->result, in pairs, level by level. */
static const struct statement *join_parts(const struct building *b, const struct expr *part,
                                          const struct expr *parts, const struct statement *body,
                                          struct statement_items *before)
{
    const buffer_id partial = add_register(b, ".partial", MOST_LEVELS, before);
    const struct expr *level = part_variable(b, "level", MOST_LEVELS - 1);
    const struct expr *levels = expr_select(b->pool, binary(b, EXPR_LESS, parts, integer(b, 2)),
                                            integer(b, 0), integer(b, MOST_LEVELS));
    const struct statement *joined =
        loop(b, level, integer(b, 0), levels, join_level(b, partial, part, parts, level));
    return loop(b, part, integer(b, 0), parts, block(b, body, joined));
}

static const struct statement *lower_tree(const struct building *b, struct statement_items *before)
{
    const struct expr *runs = reduction_runs(b->pool, b->l->reduce);
    if (runs->interval.greatest == 1)
        return one_run(b, terms_of_run(b, integer(b, 0)));
    const struct expr *run = part_variable(b, "run", runs->interval.greatest - 1);
    return join_parts(b, run, runs, one_run(b, terms_of_run(b, run)), before);
}

static const struct statement *lower_order(const struct building *b, struct statement_items *before)
{
    switch (b->shape->order) {
    case ORDER_INDEX:
        return one_run(b, terms_in_any_order(b));
    case ORDER_RUN:
        return one_run(b, terms_of_run(b, b->l->reduce->operand[b->l->reduce->count - 1]));
    case ORDER_PAIRS:
        return join_parts(b, b->l->variable[0], b->count[0],
                          store(b, b->result, NULL, b->l->reduce->operand[0]), before);
    case ORDER_TREE:
    case ORDER_COUNT:
        break;
    }
    return lower_tree(b, before);
}

const struct expr *lower_runs(const struct run_lowering *l, struct statement_items *before)
{
    struct building b = {.l = l,
                         .pool = l->context->pool,
                         .output = l->context->output,
                         .shape = &l->reduce->as.reduce};
    for (unsigned k = 0; k < b.shape->rank; k++)
        b.count[k] = expr_reduce_count(b.pool, l->reduce, k);
    b.result = add_register(&b, "", 0, before);
    if (b.shape->order != ORDER_PAIRS)
        b.lanes = add_register(&b, ".lanes", REDUCTION_LANES, before);
    const struct statement *body = lower_order(&b, before);
    VECTOR_PUSH(l->context->scratch, before,
                store(&b, b.result, NULL, expr_reduction_start(b.pool, l->reduce)));
    VECTOR_PUSH(l->context->scratch, before, body);
    return read(&b, b.result, NULL);
}

/* ---- Along which axis vectors run ---- */

struct row_search {
    struct arena *scratch;
    const struct expr *last, *loop;
    bool terms, samples;
};

static void search_rows(const struct expr *node, void *user)
{
    struct row_search *search = user;
    if (node->kind != EXPR_LOAD || node->count == 0)
        return;
    const struct expr *fastest = node->operand[node->count - 1];
    search->terms = search->terms || expr_contains(search->scratch, fastest, search->last);
    search->samples =
        search->samples || (search->loop && expr_contains(search->scratch, fastest, search->loop));
}

bool reduction_is_along_rows(struct arena *scratch, const struct expr *reduce,
                             const struct expr *last, const struct expr *loop)
{
    struct row_search search = {.scratch = scratch, .last = last, .loop = loop};
    struct expr_walk walk = {.scratch = scratch};
    for (unsigned i = 0; i < 1U + reduce->as.reduce.fused + reduce->as.reduce.has_condition; i++)
        expr_visit(&walk, reduce->operand[i], search_rows, &search);
    return search.terms && !search.samples;
}
