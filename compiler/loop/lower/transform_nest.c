/* Lines that are transformed, as many at a time as a panel holds: 32 real ones or 16 complex ones,
 * neighbours along the fastest other axis. The panel belongs to a thread and is as long as a line
 * (transform/transform.h tells its layout):
 *   kernel s.table { transform dct2 … table s.table }
 *   kernel s { loop z independent { loop x.group independent {
 *       allocate s.panel
 *       loop y { loop x { store s.panel[y, x - 32 x.group] = value } }
 *       loop y { loop x.rest { store s.panel[y, x.rest] = 0 } }                 of lines that are not there
 *       transform dct2 … table s.table panel s.panel
 *       loop y { loop x { store s[z, y, x] = s.panel[y, x - 32 x.group] } } } } }
 * The inner loop goes along the faster of both axes. Of complex samples the panel holds the
 * imaginary parts 16 numbers behind the real ones. */
#include "loop/lower/transform_nest.h"

#include "analysis/regions.h"
#include "loop/rewrite.h"

enum { NUMBERS = 2 * TRANSFORM_LANES };

struct nest {
    struct lowering *l;
    struct pass_context *context;
    struct expr_pool *pool;
    const struct stage *stage;
    const struct buffer *buffer; /* of the stage */
    unsigned axes;               /* without that of the parts */
    unsigned along, lanes;       /* axes; lanes: `axes` where there is no other one */
    int64_t lines;               /* that a panel holds */
    buffer_id table, panel;
    const struct expr *group; /* which lines: a variable */
    const struct expr *first; /* of them */
    const struct expr *count; /* how many there are */
};

static const struct statement *loop(const struct nest *n, const struct expr *variable,
                                    const struct expr *first, const struct expr *extent,
                                    enum parallel_level level, const struct statement *body)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

static const struct statement *block(const struct nest *n, size_t count,
                                     const struct statement *const item[])
{
    return statement_block(n->context->output, n->stage->span, count, item);
}

static const struct expr *variable_of(const struct nest *n, const char *axis, const char *part,
                                      int64_t most)
{
    const struct interval interval = {0, most};
    return expr_variable(n->pool, VARIABLE_INDEX,
                         symbol_format(&n->context->session->symbols, "%s.%s", axis, part),
                         SCALAR_I32, interval);
}

/* ---- Memory ---- */

static buffer_id add_buffer(const struct nest *n, const char *part, enum buffer_space space,
                            unsigned rank, const struct expr *const extent[])
{
    struct symbol_table *symbols = &n->context->session->symbols;
    static const char *const name[2] = {"place", "number"};
    struct buffer_axis *axis = ARENA_ARRAY(n->context->output, struct buffer_axis, rank);
    for (unsigned k = 0; k < rank; k++)
        axis[k] = (struct buffer_axis){symbol_from(symbols, name[k]), expr_integer(n->pool, 0),
                                       extent[k], false};
    return program_add_buffer(
        n->context->output, n->l->out,
        (struct buffer){.name = program_buffer_name(n->l->out, symbols, n->stage->name, part),
                        .span = n->stage->span,
                        .scalar = n->stage->element,
                        .space = space,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
}

/* The value by name: it is computed once for each call. */
static const struct expr *named_size(const struct nest *n, enum expr_kind kind, const char *part)
{
    const struct expr *const operand[2] = {expr_integer(n->pool, n->stage->as.transform.kind),
                                           n->buffer->axis[n->along].extent};
    const struct expr *value = expr_operation(n->pool, kind, 2, operand);
    const struct symbol *name =
        symbol_format(&n->context->session->symbols, "%s.%s", n->stage->name->text, part);
    const struct expr *variable =
        expr_variable(n->pool, VARIABLE_EXTENT, name, value->scalar, value->interval);
    VECTOR_PUSH(n->context->output, &n->l->out->values, (struct named_value){variable, value});
    return variable;
}

static void add_memory(struct nest *n)
{
    const struct expr *const table[1] = {named_size(n, EXPR_TRANSFORM_TABLE, "numbers")};
    const struct expr *const panel[2] = {named_size(n, EXPR_TRANSFORM_PLACES, "places"),
                                         expr_integer(n->pool, NUMBERS)};
    n->table = add_buffer(n, "table", SPACE_SCRATCH, 1, table);
    n->panel = add_buffer(n, "panel", SPACE_TILE, 2, panel);
    n->buffer = program_buffer(n->l->out, n->l->buffer[n->stage->id.index]); /* it may have moved */
}

/* ---- Lines ---- */

static bool has_lanes(const struct nest *n)
{
    return n->lanes < n->axes;
}

static const struct expr *number_of_groups(const struct nest *n)
{
    const struct expr *extent = n->buffer->axis[n->lanes].extent;
    return expr_binary(n->pool, EXPR_DIVIDE,
                       region_sum(n->pool, extent, expr_integer(n->pool, n->lines - 1), 1),
                       expr_integer(n->pool, n->lines));
}

static void find_lines(struct nest *n)
{
    n->lanes = transform_lanes(n->stage);
    n->lines = transform_together(n->stage->as.transform.kind);
    n->first = expr_integer(n->pool, 0);
    n->count = expr_integer(n->pool, 1);
    if (!has_lanes(n))
        return;
    const struct buffer_axis *axis = &n->buffer->axis[n->lanes];
    n->group = variable_of(n, axis->name->text, "group", INT32_MAX / n->lines);
    const struct expr *begin =
        expr_binary(n->pool, EXPR_MULTIPLY, n->group, expr_integer(n->pool, n->lines));
    n->first = region_sum(n->pool, axis->first, begin, 1);
    n->count = expr_binary(n->pool, EXPR_MINIMUM, expr_integer(n->pool, n->lines),
                           expr_binary(n->pool, EXPR_SUBTRACT, axis->extent, begin));
}

/* The lane of the line at hand. */
static const struct expr *own_lane(const struct nest *n)
{
    return has_lanes(n) ? region_sum(n->pool, n->stage->axis[n->lanes].variable, n->first, -1)
                        : n->first;
}

/* The place at hand of the line in that lane, in the panel; part: of a complex sample. */
static const struct expr *const *place_in_panel(const struct nest *n, const struct expr *lane,
                                                unsigned part)
{
    const struct expr **index = ARENA_ARRAY(n->context->output, const struct expr *, 2);
    index[0] = n->stage->axis[n->along].variable;
    index[1] = region_sum(n->pool, lane, expr_integer(n->pool, part * TRANSFORM_LANES), 1);
    return index;
}

static const struct statement *store(const struct nest *n, buffer_id to, unsigned rank,
                                     const struct expr *const index[], const struct expr *value)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_STORE,
                         .as.store = {to, rank, index, value});
}

static const struct statement *over_places(const struct nest *n, const struct statement *body)
{
    const struct buffer_axis *axis = &n->buffer->axis[n->along];
    return loop(n, n->stage->axis[n->along].variable, axis->first, axis->extent, LEVEL_INDEPENDENT,
                body);
}

static const struct statement *over_lanes(const struct nest *n, const struct statement *body)
{
    return has_lanes(n) ? loop(n, n->stage->axis[n->lanes].variable, n->first, n->count,
                               LEVEL_INDEPENDENT, body)
                        : body;
}

/* Each sample of the lines at hand, in the order of memory. */
static const struct statement *over_lines(const struct nest *n, const struct statement *body)
{
    return n->along > n->lanes ? over_lanes(n, over_places(n, body))
                               : over_places(n, over_lanes(n, body));
}

/* ---- To the panel and back ---- */

struct redirection {
    const struct nest *n;
    unsigned part;
};

static const struct statement *redirect(const struct statement *statement, void *user)
{
    const struct redirection *r = user;
    const struct nest *n = r->n;
    if (statement->kind != STATEMENT_STORE ||
        statement->as.store.buffer.index != n->buffer->id.index)
        return statement_rebuild(n->context->output, statement, redirect, user);
    return store(n, n->panel, 2, place_in_panel(n, own_lane(n), r->part),
                 statement->as.store.value);
}

/* A part of the samples that the program gives. */
static const struct statement *gather(const struct nest *n, unsigned part)
{
    struct stage sample = *n->stage;
    struct redirection redirection = {n, part};
    sample.kind = STAGE_MAP;
    if (part)
        sample.value = n->stage->as.transform.imaginary;
    n->l->stage = &sample;
    return over_lines(n, redirect(lowering_sample(n->l, &sample), &redirection));
}

/* Lines that are not there are 0: nothing that is not known is computed with. */
static const struct statement *clear_rest(const struct nest *n, unsigned part)
{
    const struct expr *lane = variable_of(n, n->stage->name->text, "rest", NUMBERS - 1);
    const struct statement *zero = store(n, n->panel, 2, place_in_panel(n, lane, part),
                                         expr_real(n->pool, n->stage->element, 0));
    const struct expr *left =
        expr_binary(n->pool, EXPR_SUBTRACT, expr_integer(n->pool, n->lines), n->count);
    return over_places(n, loop(n, lane, n->count, left, LEVEL_INDEPENDENT, zero));
}

static const struct statement *scatter(const struct nest *n, unsigned part)
{
    const unsigned rank = n->stage->rank;
    const struct expr *value =
        expr_load(n->pool, n->panel.index, n->stage->element, (struct interval){0, 0}, 2,
                  place_in_panel(n, own_lane(n), part), NULL);
    const struct expr **index = ARENA_ARRAY(n->context->output, const struct expr *, rank);
    for (unsigned k = 0; k < rank; k++)
        index[k] = n->stage->axis[k].variable;
    if (n->axes < rank)
        index[n->axes] = expr_integer(n->pool, part);
    return over_lines(n, store(n, n->buffer->id, rank, index, value));
}

static const struct statement *transform(const struct nest *n, bool prepares)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_TRANSFORM,
                         .as.transform = {n->stage->as.transform.kind, n->stage->as.transform.norm,
                                          prepares, n->table, prepares ? n->table : n->panel,
                                          n->buffer->axis[n->along].extent});
}

/* ---- All lines ---- */

static const struct statement *work_of_group(const struct nest *n)
{
    const unsigned parts = n->axes < n->stage->rank ? 2 : 1;
    struct statement_items items = {0};
    struct arena *scratch = n->context->scratch;
    VECTOR_PUSH(scratch, &items,
                STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_ALLOCATE,
                              .as.allocate = {n->panel}));
    for (unsigned p = 0; p < parts; p++) {
        VECTOR_PUSH(scratch, &items, gather(n, p));
        VECTOR_PUSH(scratch, &items, clear_rest(n, p));
    }
    VECTOR_PUSH(scratch, &items, transform(n, false));
    for (unsigned p = 0; p < parts; p++)
        VECTOR_PUSH(scratch, &items, scatter(n, p));
    return block(n, items.count, items.item);
}

static const struct statement *kernel(const struct nest *n, const struct symbol *name,
                                      const struct statement *body, bool alone)
{
    return STATEMENT_NEW(n->context->output, n->stage->span, .kind = STATEMENT_KERNEL,
                         .as.kernel = {name, body, false, alone});
}

const struct statement *transform_kernels(struct lowering *l, const struct stage *stage, bool alone)
{
    struct nest n = {.l = l,
                     .context = l->context,
                     .pool = l->context->pool,
                     .stage = stage,
                     .buffer = program_buffer(l->out, l->buffer[stage->id.index]),
                     .axes = stage->rank - (stage->as.transform.imaginary != NULL),
                     .along = stage->as.transform.axis};
    find_lines(&n);
    add_memory(&n);
    const struct statement *body = work_of_group(&n);
    if (has_lanes(&n))
        body = loop(&n, n.group, expr_integer(n.pool, 0), number_of_groups(&n), LEVEL_INDEPENDENT,
                    body);
    for (unsigned k = n.axes; k-- > 0;)
        if (k != n.along && k != n.lanes)
            body = loop(&n, stage->axis[k].variable, n.buffer->axis[k].first,
                        n.buffer->axis[k].extent, LEVEL_INDEPENDENT, body);
    alone = alone || !has_lanes(&n); /* threads do not share the loops of one line */
    const struct symbol *name =
        symbol_format(&l->context->session->symbols, "%s.table", stage->name->text);
    const struct statement *const both[2] = {kernel(&n, name, transform(&n, true), true),
                                             kernel(&n, stage->name, body, alone)};
    return block(&n, 2, both);
}
