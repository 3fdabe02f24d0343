/* Few terms that are all there: each goes to a register, and the network is an expression, of which
 * the middle needs a part only. Else: terms go to an array, and the network is loops over it. The
 * network is Knuth's merge exchange (Algorithm M), which is right for any number of terms; what is
 * beyond the last one takes no part. */
#include "loop/lower/lower_median.h"

#include "analysis/exchanges.h"
#include "analysis/regions.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

struct building {
    const struct median *m;
    struct expr_pool *pool;
    struct arena *output;
    VECTOR(const struct statement *) before;
};

static const struct expr *integer(const struct building *b, int64_t value)
{
    return expr_integer(b->pool, value);
}

static buffer_id add_register(struct building *b, const char *part, enum scalar scalar,
                              struct interval interval, int64_t places)
{
    struct pass_context *context = b->m->context;
    struct buffer_axis *axis = ARENA_ARRAY(b->output, struct buffer_axis, 1);
    *axis = (struct buffer_axis){symbol_from(&context->session->symbols, "place"), integer(b, 0),
                                 integer(b, places), false};
    return program_add_buffer(b->output, b->m->out,
                              (struct buffer){.name = symbol_format(&context->session->symbols,
                                                                    "%s%s", b->m->name->text, part),
                                              .span = b->m->span,
                                              .scalar = scalar,
                                              .interval = interval,
                                              .space = SPACE_REGISTER,
                                              .rank = places > 0,
                                              .axis = axis,
                                              .slot = NO_SLOT});
}

static const struct statement *allocate(const struct building *b, buffer_id id)
{
    return STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_ALLOCATE, .as.allocate = {id});
}

static const struct expr *load(const struct building *b, buffer_id id, const struct expr *place)
{
    const struct buffer *buffer = program_buffer(b->m->out, id);
    return expr_load(b->pool, id.index, buffer->scalar, buffer->interval, place != NULL, &place,
                     NULL);
}

static const struct statement *store(const struct building *b, buffer_id id,
                                     const struct expr *place, const struct expr *value)
{
    const struct expr **index = ARENA_ARRAY(b->output, const struct expr *, 1);
    index[0] = place;
    if (scalar_is_integer(value->scalar))
        value = expr_convert(b->pool, CONVERT_EXACT, program_buffer(b->m->out, id)->scalar, value);
    return STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_STORE,
                         .as.store = {id, place != NULL, index, value});
}

static void add(struct building *b, const struct statement *statement)
{
    VECTOR_PUSH(b->m->context->scratch, &b->before, statement);
}

/* ---- In registers ---- */

struct setting {
    unsigned count;
    const struct expr *variable[GRAPH_MAX_RANK], *value[GRAPH_MAX_RANK];
};

static const struct expr *set(const struct expr *node, void *user)
{
    const struct setting *setting = user;
    for (unsigned i = 0; i < setting->count; i++)
        if (node == setting->variable[i])
            return setting->value[i];
    return node;
}

static const struct expr *term_at(const struct building *b, int64_t number)
{
    const struct expr *reduce = b->m->reduce;
    struct setting setting = {.count = reduce->as.reduce.rank};
    for (unsigned r = setting.count; r-- > 0;) {
        const struct expr_range *range = &reduce->as.reduce.range[r];
        setting.variable[r] = b->m->bound[r].variable;
        setting.value[r] = integer(b, range->first + number % range->extent);
        number /= range->extent;
    }
    struct expr_rewriter rewriter = {
        .pool = b->pool, .rule = set, .context = &setting, .scratch = b->m->context->scratch};
    return expr_rewrite(&rewriter, reduce->operand[0]);
}

static const struct expr *in_registers(struct building *b, int64_t terms)
{
    const struct expr *reduce = b->m->reduce;
    const struct expr **value =
        ARENA_ARRAY(b->m->context->scratch, const struct expr *, (size_t)terms + 1);
    for (int64_t i = 0; i < terms; i++) {
        const char *part = arena_format(b->m->context->scratch, ".%d", (int)i);
        const buffer_id id = add_register(b, part, reduce->scalar, reduce->interval, 0);
        add(b, allocate(b, id));
        add(b, store(b, id, NULL, term_at(b, i)));
        value[i] = load(b, id, NULL);
    }
    struct exchange e = {0};
    int64_t last = 0;
    while (exchange_next(&e, &last, exchange_top(terms)))
        for (int64_t i = 0; i + e.distance < terms; i++) {
            if ((i & e.bit) != e.rest)
                continue;
            const struct expr *low = value[i], *high = value[i + e.distance];
            value[i] = expr_binary(b->pool, EXPR_ORDERED_MINIMUM, low, high);
            value[i + e.distance] = expr_binary(b->pool, EXPR_ORDERED_MAXIMUM, low, high);
        }
    return value[(terms - 1) / 2];
}

/* ---- In an array ---- */

static const struct statement *serial_loop(const struct building *b, const struct expr *variable,
                                           const struct expr *first, const struct expr *extent,
                                           const struct statement *body)
{
    return STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, LEVEL_SERIAL, body, false});
}

static const struct statement *block(const struct building *b, size_t count,
                                     const struct statement *const item[])
{
    return statement_block(b->output, b->m->span, count, item);
}

static const struct statement *when(const struct building *b, const struct expr *condition,
                                    const struct statement *then)
{
    return STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_IF,
                         .as.branch = {condition, then, NULL});
}

/* values[count] = term; count = count + 1, for all terms that are there. */
static const struct statement *collect(struct building *b, buffer_id values, buffer_id count)
{
    const struct expr *reduce = b->m->reduce, *so_far = load(b, count, NULL);
    const struct statement *const both[2] = {
        store(b, values, so_far, reduce->operand[0]),
        store(b, count, NULL, expr_binary(b->pool, EXPR_ADD, so_far, integer(b, 1)))};
    const struct statement *body = block(b, 2, both);
    if (b->m->condition)
        body = when(b, b->m->condition, body);
    for (unsigned r = reduce->as.reduce.rank; r-- > 0;) {
        const struct span_bound *bound = &b->m->bound[r];
        body = serial_loop(b, bound->variable, bound->first,
                           region_sum(b->pool, bound->end, bound->first, -1), body);
    }
    return body;
}

static const struct expr *variable(const struct building *b, enum variable_kind kind,
                                   const char *part, enum scalar scalar, struct interval interval)
{
    return expr_variable(
        b->pool, kind,
        symbol_format(&b->m->context->session->symbols, "%s.%s", b->m->name->text, part), scalar,
        interval);
}

static const struct statement *exchange(const struct building *b, buffer_id values,
                                        const struct expr *left, const struct exchange *e)
{
    const struct buffer *buffer = program_buffer(b->m->out, values);
    const struct interval interval = buffer->interval;
    const struct expr *right = expr_binary(b->pool, EXPR_ADD, left, integer(b, e->distance));
    const struct expr *low = variable(b, VARIABLE_LOCAL, "low", buffer->scalar, interval);
    const struct expr *high = variable(b, VARIABLE_LOCAL, "high", buffer->scalar, interval);
    const struct statement *const item[4] = {
        STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_LET,
                      .as.let = {low, load(b, values, left)}),
        STATEMENT_NEW(b->output, b->m->span, .kind = STATEMENT_LET,
                      .as.let = {high, load(b, values, right)}),
        store(b, values, left, expr_binary(b->pool, EXPR_ORDERED_MINIMUM, low, high)),
        store(b, values, right, expr_binary(b->pool, EXPR_ORDERED_MAXIMUM, low, high))};
    const struct expr *takes_part = expr_binary(
        b->pool, EXPR_EQUAL, expr_binary(b->pool, EXPR_BIT_AND, left, integer(b, e->bit)),
        integer(b, e->rest));
    return when(b, takes_part, block(b, 4, item));
}

static const struct expr *in_array(struct building *b, int64_t terms)
{
    const struct expr *reduce = b->m->reduce, *zero = integer(b, 0);
    const struct interval places = {0, terms - 1};
    const buffer_id values = add_register(b, "", reduce->scalar, reduce->interval, terms);
    const buffer_id counter = add_register(b, ".count", SCALAR_I32, (struct interval){0, terms}, 0);
    const struct expr *count = load(b, counter, NULL);
    const struct expr *left = variable(b, VARIABLE_INDEX, "place", SCALAR_I32, places);
    add(b, allocate(b, values));
    add(b, store(b, values, zero, expr_reduction_start(b->pool, reduce)));
    add(b, allocate(b, counter));
    add(b, store(b, counter, NULL, zero));
    add(b, collect(b, values, counter));
    struct exchange e = {0};
    int64_t last = 0;
    while (exchange_next(&e, &last, exchange_top(terms)))
        add(b, serial_loop(b, left, zero,
                           expr_binary(b->pool, EXPR_SUBTRACT, count, integer(b, e.distance)),
                           exchange(b, values, left, &e)));
    const struct expr *middle =
        expr_binary(b->pool, EXPR_DIVIDE, expr_binary(b->pool, EXPR_SUBTRACT, count, integer(b, 1)),
                    integer(b, 2));
    return load(b, values, expr_binary(b->pool, EXPR_MAXIMUM, middle, zero));
}

const struct expr *lower_median(const struct median *m, size_t *count,
                                const struct statement ***before)
{
    struct building b = {.m = m, .pool = m->context->pool, .output = m->context->output};
    const int64_t terms = expr_range_terms(m->reduce->as.reduce.rank, m->reduce->as.reduce.range);
    const int64_t most = choice_value(m->context, CHOICE_MEDIAN_TERMS);
    const struct expr *result = terms <= most && !m->reduce->as.reduce.has_condition
                                    ? in_registers(&b, terms)
                                    : in_array(&b, terms);
    *count = b.before.count;
    *before = b.before.item;
    return result;
}
