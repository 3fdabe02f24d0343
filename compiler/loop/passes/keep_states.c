/* keep_states: loop → loop. Keeps the state of recurrences over neighbouring lines in registers
 * from one place to the next. In memory, a sample that was just stored can be loaded only some
 * cycles later.
 *   before: loop x serial { loop y 16 vector { s[x, y] = a s[x - 1, y] + in[x, y] } }
 *   after:  if (0 < extent) {
 *               allocate s.before  loop y 16 vector { s.before[y] = s[first - 1, y] }
 *               loop x serial { loop y 16 vector { let s.now = a s.before[y] + in[x, y]  s[x, y] = s.now  s.before[y] = s.now } } }
 * Memory gets the same samples as before. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "expr/affine.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

enum { MOST_ORDER = 8 };

struct keeping {
    struct pass_context *context;
    struct program *out;
};

/* A loop over lanes in a loop over places. */
struct chain {
    struct keeping *k;
    const struct statement *places, *lanes; /* loops */
    const struct statement *store;
    unsigned axis;  /* of the buffer, that the places are along */
    unsigned order; /* how many places back it reads */
    bool possible;
    buffer_id before[MOST_ORDER]; /* by places back - 1 */
};

static const struct buffer *target_of(const struct chain *c)
{
    return program_buffer(c->k->out, c->store->as.store.buffer);
}

/* ---- Whether a loop carries samples from place to place ---- */

/* The one store of a loop over lanes; NULL: there are more, or something else. */
static const struct statement *only_store(const struct statement *body)
{
    const struct statement *store = NULL;
    if (body->kind == STATEMENT_STORE)
        return body;
    for (size_t i = 0; body->kind == STATEMENT_BLOCK && i < body->as.block.count; i++) {
        const struct statement *item = body->as.block.item[i];
        if (item->kind == STATEMENT_STORE && !store)
            store = item;
        else if (item->kind != STATEMENT_LET)
            return NULL;
    }
    return store;
}

/* Places behind the one at hand; 0 or less: it is not before it. */
static int64_t places_back(const struct chain *c, const struct expr *index)
{
    const struct expr *variable = c->places->as.loop.variable;
    const struct affine form = affine_sum(affine_from(index), affine_from(variable), -1);
    if (!form.exact || form.count)
        return 0;
    return c->places->as.loop.reversed ? form.constant : -form.constant;
}

static void note_load(const struct expr *node, void *user)
{
    struct chain *c = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != c->store->as.store.buffer.index)
        return;
    const int64_t back = node->as.load.border ? 0 : places_back(c, node->operand[c->axis]);
    bool same = back >= 1 && back <= MOST_ORDER;
    for (unsigned k = 0; k < node->count; k++)
        same = same && (k == c->axis || node->operand[k] == c->store->as.store.index[k]);
    c->possible = c->possible && same;
    c->order = same && back > c->order ? (unsigned)back : c->order;
}

struct store_count {
    buffer_id buffer;
    unsigned stores;
};

static void count_stores(const struct statement *statement, void *user)
{
    struct store_count *count = user;
    count->stores += statement->kind == STATEMENT_STORE &&
                     statement->as.store.buffer.index == count->buffer.index;
    statement_children(statement, count_stores, count);
}

/* Whether the index of a sample is one of the lane alone, or the same in both loops. */
static bool is_lane_or_fixed(const struct chain *c, const struct expr *index, bool fastest)
{
    struct arena *scratch = c->k->context->scratch;
    return fastest ? index == c->lanes->as.loop.variable
                   : index->count == 0 ||
                         (!(index->holds & (HOLDS_LOAD | HOLDS_LOCAL)) &&
                          !expr_contains(scratch, index, c->places->as.loop.variable) &&
                          !expr_contains(scratch, index, c->lanes->as.loop.variable));
}

static bool find_axis(struct chain *c)
{
    const unsigned rank = c->store->as.store.rank;
    const struct expr *const *index = c->store->as.store.index;
    c->axis = rank;
    for (unsigned k = 0; k < rank; k++) {
        if (index[k] == c->places->as.loop.variable && c->axis == rank)
            c->axis = k;
        else if (!is_lane_or_fixed(c, index[k], k + 1 == rank))
            return false;
    }
    return c->axis + 1 < rank;
}

static bool find_chain(struct chain *c)
{
    struct arena *scratch = c->k->context->scratch;
    const struct expr *lanes = c->lanes->as.loop.extent;
    const struct interval lane = c->lanes->as.loop.variable->interval;
    c->store = c->lanes->as.loop.level == LEVEL_VECTOR ? only_store(c->lanes->as.loop.body) : NULL;
    if (!c->store || lanes->kind != EXPR_INTEGER || lanes->as.integer < 1 ||
        lane.least == lane.greatest || /* there is one line: all lanes compute it */
        (c->lanes->as.loop.first->holds & HOLDS_LOAD) || !find_axis(c) ||
        target_of(c)->scalar != c->store->as.store.value->scalar)
        return false;
    struct store_count count = {c->store->as.store.buffer, 0};
    count_stores(c->places->as.loop.body, &count);
    c->possible = true;
    statement_nodes(scratch, c->lanes->as.loop.body, note_load, c);
    const int64_t bytes = (int64_t)scalar_info[target_of(c)->scalar].bytes * c->order;
    return c->possible && c->order > 0 && count.stores == 1 &&
           lanes->as.integer <= choice_value(c->k->context, CHOICE_KEPT_BYTES) / bytes;
}

/* ---- With registers ---- */

static const struct expr *load_before(const struct chain *c, unsigned back)
{
    const struct buffer *target = target_of(c);
    return expr_load(c->k->context->pool, c->before[back - 1].index, target->scalar,
                     target->interval, 1, &c->lanes->as.loop.variable, NULL);
}

static const struct expr *from_registers(const struct expr *node, void *user)
{
    const struct chain *c = user;
    if (node->kind != EXPR_LOAD || node->as.load.source != c->store->as.store.buffer.index)
        return node;
    return load_before(c, (unsigned)places_back(c, node->operand[c->axis]));
}

static void add_registers(struct chain *c)
{
    struct pass_context *context = c->k->context;
    for (unsigned i = 0; i < c->order; i++) {
        const struct buffer *target = target_of(c);
        struct buffer_axis *axis = ARENA_NEW(context->output, struct buffer_axis);
        *axis = (struct buffer_axis){.name = symbol_from(&context->session->symbols, "lane"),
                                     .first = c->lanes->as.loop.first,
                                     .extent = c->lanes->as.loop.extent};
        c->before[i] = program_add_buffer(
            context->output, c->k->out,
            (struct buffer){.name = program_buffer_name(c->k->out, &context->session->symbols,
                                                        target->name, "before"),
                            .span = target->span,
                            .scalar = target->scalar,
                            .interval = target->interval,
                            .space = SPACE_REGISTER,
                            .rank = 1,
                            .axis = axis,
                            .slot = NO_SLOT});
    }
}

static const struct statement *store_before(const struct chain *c, unsigned back,
                                            const struct expr *value)
{
    const struct expr **index = ARENA_ARRAY(c->k->context->output, const struct expr *, 1);
    index[0] = c->lanes->as.loop.variable;
    return STATEMENT_NEW(c->k->context->output, c->lanes->span, .kind = STATEMENT_STORE,
                         .as.store = {c->before[back - 1], 1, index, value});
}

static const struct statement *with_body(const struct chain *c, const struct statement *loop,
                                         size_t count, const struct statement *const item[])
{
    struct statement copy = *loop;
    copy.as.loop.body = statement_block(c->k->context->output, loop->span, count, item);
    return statement_new(c->k->context->output, copy);
}

/* The samples before the first place. */
static const struct statement *load_registers(const struct chain *c)
{
    struct pass_context *context = c->k->context;
    struct expr_pool *pool = context->pool;
    const struct statement *item[MOST_ORDER];
    const struct buffer *target = target_of(c);
    const struct statement *places = c->places;
    const int64_t step = places->as.loop.reversed ? 1 : -1;
    const struct expr *first = places->as.loop.first;
    if (places->as.loop.reversed)
        first = region_sum(pool, region_sum(pool, first, places->as.loop.extent, 1),
                           expr_integer(pool, 1), -1);
    for (unsigned back = 1; back <= c->order; back++) {
        const struct expr *index[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < target->rank; k++)
            index[k] = c->store->as.store.index[k];
        index[c->axis] = region_sum(pool, first, expr_integer(pool, step * (int64_t)back), 1);
        item[back - 1] = store_before(c, back,
                                      expr_load(pool, target->id.index, target->scalar,
                                                target->interval, target->rank, index, NULL));
    }
    return with_body(c, c->lanes, c->order, item);
}

static const struct statement *lanes_with_registers(const struct chain *c)
{
    struct pass_context *context = c->k->context;
    struct expr_rewriter rewriter = {.pool = context->pool,
                                     .rule = from_registers,
                                     .context = (void *)(uintptr_t)c,
                                     .scratch = context->scratch};
    const struct statement *body =
        statement_rewrite(context->output, c->lanes->as.loop.body, &rewriter);
    struct statement store = *only_store(body);
    const struct expr *value = store.as.store.value;
    const struct expr *now =
        expr_variable(context->pool, VARIABLE_LOCAL,
                      symbol_format(&context->session->symbols, "%s.now", target_of(c)->name->text),
                      value->scalar, value->interval);
    store.as.store.value = now;
    struct statement_items items = {0};
    for (size_t i = 0; body->kind == STATEMENT_BLOCK && i + 1 < body->as.block.count; i++)
        VECTOR_PUSH(context->scratch, &items, body->as.block.item[i]);
    VECTOR_PUSH(
        context->scratch, &items,
        STATEMENT_NEW(context->output, store.span, .kind = STATEMENT_LET, .as.let = {now, value}));
    VECTOR_PUSH(context->scratch, &items, statement_new(context->output, store));
    for (unsigned back = c->order; back > 1; back--)
        VECTOR_PUSH(context->scratch, &items, store_before(c, back, load_before(c, back - 1)));
    VECTOR_PUSH(context->scratch, &items, store_before(c, 1, now));
    return with_body(c, c->lanes, items.count, items.item);
}

/* The loop over places, each chain in it with registers; the same pointer where there are none. */
static const struct statement *keep_in_loop(struct keeping *k, const struct statement *places)
{
    struct pass_context *context = k->context;
    const struct statement *body = places->as.loop.body;
    const struct statement_list items = statement_items_of(&places->as.loop.body);
    struct statement_items before = {0}, inside = {0};
    for (size_t i = 0; i < items.count; i++) {
        struct chain c = {.k = k, .places = places, .lanes = items.item[i]};
        if (items.item[i]->kind != STATEMENT_LOOP || !find_chain(&c)) {
            VECTOR_PUSH(context->scratch, &inside, items.item[i]);
            continue;
        }
        add_registers(&c);
        for (unsigned b = 0; b < c.order; b++)
            VECTOR_PUSH(context->scratch, &before,
                        STATEMENT_NEW(context->output, places->span, .kind = STATEMENT_ALLOCATE,
                                      .as.allocate = {c.before[b]}));
        VECTOR_PUSH(context->scratch, &before, load_registers(&c));
        VECTOR_PUSH(context->scratch, &inside, lanes_with_registers(&c));
    }
    if (before.count == 0)
        return places;
    struct statement loop = *places;
    loop.as.loop.body = statement_block(context->output, body->span, inside.count, inside.item);
    VECTOR_PUSH(context->scratch, &before, statement_new(context->output, loop));
    return STATEMENT_NEW(
        context->output, places->span, .kind = STATEMENT_IF,
        .as.branch = {expr_binary(context->pool, EXPR_LESS, expr_integer(context->pool, 0),
                                  places->as.loop.extent),
                      statement_block(context->output, places->span, before.count, before.item),
                      NULL});
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct keeping *k = user;
    const struct statement *rebuilt = statement_rebuild(k->context->output, statement, visit, k);
    return rebuilt->kind == STATEMENT_LOOP && rebuilt->as.loop.level == LEVEL_SERIAL
               ? keep_in_loop(k, rebuilt)
               : rebuilt;
}

const struct program *keep_states(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct keeping k = {context, out};
    out->body = visit(in->body, &k);
    return out;
}
