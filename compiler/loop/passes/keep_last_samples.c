/* keep_last_samples: loop → loop. Keeps in registers the samples that a thread has stored at the
 * last places of a line and reads again at the next ones:
 *   before: loop y serial { store s[y, x] = a s[y - 1, x constant(0)] + in[y, x] }
 *   after:  allocate s.kept[2]
 *           loop y serial { store s.kept[1] = s.kept[0]
 *                           let s.now = a select(0 <= y - 1 && y - 1 < n, s.kept[1], 0) + in[y, x]
 *                           store s.kept[0] = s.now  store s[y, x] = s.now }
 * Their indices are constants, so compilers can use registers. Samples of a buffer that is itself
 * in registers are kept only there. If a read at the first places has no rule, the samples there
 * are loaded before the loop. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

enum { MOST_BACK = 32 }; /* that the choice kept_samples may have */

struct keeping {
    struct pass_context *context;
    struct program *out;
    const struct statement *kernel;
    size_t count;  /* of buffers of the program before */
    bool *dropped; /* by buffer of those: it is in registers alone */
};

/* A buffer that a loop over places stores to. */
struct kept {
    struct keeping *k;
    const struct statement *original; /* the loop as it stands in the kernel */
    const struct statement *loop, *store;
    unsigned axis;   /* that the places are along */
    unsigned stores; /* to it */
    int64_t back;    /* how many places back it is read; 0: it is not read so */
    bool possible;
    bool elsewhere;           /* other loops read it, so that it is stored in any case */
    bool conditional;         /* some branch is around the store, or a read */
    bool free[MOST_BACK + 1]; /* by places back: a read that has no rule */
    buffer_id registers;
    const struct expr *before; /* what is there before the first place; NULL: rules tell */
};

static const struct buffer *target_of(const struct kept *c)
{
    return program_buffer(c->k->out, c->store->as.store.buffer);
}

/* ---- Whether it can be kept ---- */

static bool has_value(enum border_rule rule)
{
    return rule == BORDER_ZERO || rule == BORDER_CONSTANT;
}

/* Places behind the one at hand; -1: it is not there, or not before it. */
static int64_t places_back(const struct kept *c, const struct expr *index)
{
    const struct expr *variable = c->loop->as.loop.variable;
    const struct affine form = affine_sum(affine_from(index), affine_from(variable), -1);
    if (!form.exact || form.count)
        return -1;
    return c->loop->as.loop.reversed ? form.constant : -form.constant;
}

/* Whether it is on the line of the store. */
static bool is_on_line(const struct kept *c, buffer_id buffer, const struct expr *const index[])
{
    const struct statement *store = c->store;
    bool same = buffer.index == store->as.store.buffer.index;
    for (unsigned k = 0; k < store->as.store.rank && same; k++)
        same = k == c->axis || index[k] == store->as.store.index[k];
    return same;
}

static bool reads_line(const struct kept *c, const struct expr *node)
{
    return node->kind == EXPR_LOAD &&
           is_on_line(c, (buffer_id){node->as.load.source}, node->operand);
}

/* What is read at the place of the store is what was there before where another stage has the same
 * memory. */
static bool is_left_in_memory(const struct kept *c, const struct expr *node)
{
    return target_of(c)->space != SPACE_REGISTER && places_back(c, node->operand[c->axis]) == 0;
}

/* Reads of other lines find them in memory. */
static void note_load(const struct expr *node, void *user)
{
    struct kept *c = user;
    if (!reads_line(c, node)) {
        c->possible = c->possible && (node->kind != EXPR_LOAD ||
                                      node->as.load.source != c->store->as.store.buffer.index ||
                                      target_of(c)->space != SPACE_REGISTER);
        return;
    }
    const int64_t back = places_back(c, node->operand[c->axis]);
    if (is_left_in_memory(c, node))
        return;
    bool possible = back >= 0 && back <= choice_value(c->k->context, CHOICE_KEPT_SAMPLES);
    for (unsigned k = 0; k < node->count && possible; k++) {
        const enum border_rule rule =
            node->as.load.border ? node->as.load.border[k].rule : BORDER_NONE;
        const bool none = rule == BORDER_NONE || rule == BORDER_EXTEND;
        possible = none || (k == c->axis && has_value(rule));
        if (none && k == c->axis)
            c->free[back] = true;
    }
    c->possible = c->possible && possible;
    c->back = possible && back > c->back ? back : c->back;
}

static void note_stores(const struct statement *statement, void *user)
{
    struct kept *c = user;
    c->stores += statement->kind == STATEMENT_STORE &&
                 is_on_line(c, statement->as.store.buffer, statement->as.store.index);
    c->possible = c->possible && statement->kind != STATEMENT_LOOP;
    c->conditional = c->conditional || statement->kind == STATEMENT_IF;
    statement_children(statement, note_stores, c);
}

/* Reads of a buffer outside of a loop. */
struct elsewhere_search {
    struct kept *c;
    struct expr_walk walk;
};

static void note_elsewhere(const struct expr *node, void *user)
{
    struct kept *c = user;
    c->elsewhere = c->elsewhere || (node->kind == EXPR_LOAD &&
                                    node->as.load.source == c->store->as.store.buffer.index);
}

static void search_expression(const struct expr *node, void *user)
{
    struct elsewhere_search *search = user;
    expr_visit(&search->walk, node, note_elsewhere, search->c);
}

static void search_elsewhere(const struct statement *statement, void *user)
{
    struct elsewhere_search *search = user;
    if (statement == search->c->original)
        return;
    statement_expressions(statement, search_expression, search);
    statement_children(statement, search_elsewhere, search);
}

static bool is_in_registers_alone(const struct kept *c)
{
    return target_of(c)->space == SPACE_REGISTER && !c->elsewhere;
}

static bool find_axis(struct kept *c)
{
    const struct expr *variable = c->loop->as.loop.variable;
    unsigned found = 0;
    for (unsigned k = 0; k < c->store->as.store.rank; k++) {
        const struct expr *index = c->store->as.store.index[k];
        if (index == variable) {
            c->axis = k;
            found++;
        } else if (index->holds & HOLDS_LOAD ||
                   expr_contains(c->k->context->scratch, index, variable)) {
            return false;
        }
    }
    return found == 1;
}

/* Of a store in the loop: its buffer is stored once a place, and read at places before. */
static bool find_kept(struct kept *c)
{
    c->possible = find_axis(c);
    if (!c->possible)
        return false;
    note_stores(c->loop->as.loop.body, c);
    if (!c->possible || c->stores != 1)
        return false;
    statement_nodes(c->k->context->scratch, c->loop->as.loop.body, note_load, c);
    struct elsewhere_search search = {c, {.scratch = c->k->context->scratch}};
    if (target_of(c)->space == SPACE_REGISTER)
        search_elsewhere(c->k->kernel, &search);
    /* Samples of registers alone have been stored where they are read without a rule. */
    for (int64_t back = 1; back <= c->back && c->conditional && !is_in_registers_alone(c); back++)
        c->possible = c->possible && !c->free[back];
    return c->possible && (c->back > 0 || is_in_registers_alone(c));
}

/* ---- In registers ---- */

static const struct expr *register_of(const struct kept *c, int64_t back)
{
    const struct buffer *registers = program_buffer(c->k->out, c->registers);
    const struct expr *place = expr_integer(c->k->context->pool, back);
    return expr_load(c->k->context->pool, c->registers.index, registers->scalar,
                     registers->interval, 1, &place, NULL);
}

static const struct statement *set_register(const struct kept *c, int64_t back,
                                            const struct expr *value)
{
    const struct expr **index = ARENA_ARRAY(c->k->context->output, const struct expr *, 1);
    index[0] = expr_integer(c->k->context->pool, back);
    return STATEMENT_NEW(c->k->context->output, c->store->span, .kind = STATEMENT_STORE,
                         .as.store = {c->registers, 1, index, value});
}

/* Where samples lie, and what is there before the first place. */
static struct interval interval_of_registers(const struct kept *c)
{
    const struct interval samples = target_of(c)->interval;
    return c->before && scalar_is_integer(c->before->scalar)
               ? interval_hull(samples, c->before->interval)
               : samples;
}

static void add_registers(struct kept *c)
{
    struct pass_context *context = c->k->context;
    const struct buffer *target = target_of(c);
    struct buffer_axis *axis = ARENA_NEW(context->output, struct buffer_axis);
    *axis = (struct buffer_axis){.name = symbol_from(&context->session->symbols, "back"),
                                 .first = expr_integer(context->pool, 0),
                                 .extent = expr_integer(context->pool, c->back + 1)};
    c->registers = program_add_buffer(
        context->output, c->k->out,
        (struct buffer){.name = program_buffer_name(c->k->out, &context->session->symbols,
                                                    target->name, "kept"),
                        .span = target->span,
                        .scalar = target->scalar,
                        .interval = interval_of_registers(c),
                        .space = SPACE_REGISTER,
                        .rank = 1,
                        .axis = axis,
                        .slot = NO_SLOT});
}

static const struct expr *from_register(const struct expr *node, void *user)
{
    const struct kept *c = user;
    if (!reads_line(c, node) || is_left_in_memory(c, node))
        return node;
    struct expr_pool *pool = c->k->context->pool;
    const struct expr *place = node->operand[c->axis];
    const struct expr *value = register_of(c, places_back(c, place));
    const struct border *border = node->as.load.border ? &node->as.load.border[c->axis] : NULL;
    if (!border || !has_value(border->rule) || c->before)
        return value;
    const struct expr *end = region_sum(pool, border->first, border->extent, 1);
    const struct expr *inside =
        expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_LESS_EQUAL, border->first, place),
                    expr_binary(pool, EXPR_LESS, place, end));
    return expr_select(pool, inside, value, border->value);
}

/* The store, by the name of its value; in registers alone where its buffer is. */
static const struct statement *store_both(const struct statement *statement, void *user)
{
    const struct kept *c = user;
    struct pass_context *context = c->k->context;
    if (statement->kind != STATEMENT_STORE ||
        !is_on_line(c, statement->as.store.buffer, statement->as.store.index))
        return statement_rebuild(context->output, statement, store_both, user);
    const struct expr *value = statement->as.store.value;
    if (is_in_registers_alone(c))
        return set_register(c, 0, value);
    const struct expr *now =
        expr_variable(context->pool, VARIABLE_LOCAL,
                      symbol_format(&context->session->symbols, "%s.now",
                                    program_buffer(c->k->out, c->registers)->name->text),
                      value->scalar, value->interval);
    struct statement store = *statement;
    store.as.store.value = now;
    const struct statement *const item[] = {
        STATEMENT_NEW(context->output, statement->span, .kind = STATEMENT_LET,
                      .as.let = {now, value}),
        set_register(c, 0, now), statement_new(context->output, store)};
    return statement_block(context->output, statement->span, 3, item);
}

/* What registers hold before the first place: what is there by the rule of all reads; else any
 * value: what is read under a rule is not read before it is stored. */
static const struct expr *first_value(const struct kept *c)
{
    struct expr_pool *pool = c->k->context->pool;
    const struct buffer *target = target_of(c);
    if (c->before)
        return c->before;
    if (target->scalar == SCALAR_BOOL)
        return expr_boolean(pool, false);
    return scalar_is_float(target->scalar)
               ? expr_real(pool, target->scalar, 0)
               : expr_convert(pool, CONVERT_EXACT, target->scalar,
                              expr_integer(pool, target->interval.least));
}

/* Samples before the first place that are read without a rule. */
static void load_registers(const struct kept *c, struct statement_items *before)
{
    struct pass_context *context = c->k->context;
    struct expr_pool *pool = context->pool;
    const struct statement *loop = c->loop;
    const struct buffer *target = target_of(c);
    const int64_t step = loop->as.loop.reversed ? 1 : -1;
    const struct expr *first = loop->as.loop.first, *index[GRAPH_MAX_RANK];
    if (loop->as.loop.reversed)
        first = region_sum(pool, region_sum(pool, first, loop->as.loop.extent, 1),
                           expr_integer(pool, 1), -1);
    struct statement_items loads = {0};
    bool any = false;
    for (int64_t back = c->back; back > 0; back--) { /* what is read so has been before */
        any = any || (c->free[back] && !is_in_registers_alone(c));
        if (!any)
            continue;
        for (unsigned k = 0; k < target->rank; k++)
            index[k] = c->store->as.store.index[k];
        index[c->axis] = region_sum(pool, first, expr_integer(pool, step * back), 1);
        VECTOR_PUSH(context->scratch, &loads,
                    set_register(c, back - 1,
                                 expr_load(pool, target->id.index, target->scalar, target->interval,
                                           target->rank, index, NULL)));
    }
    if (any)
        VECTOR_PUSH(
            context->scratch, before,
            STATEMENT_NEW(
                context->output, loop->span, .kind = STATEMENT_IF,
                .as.branch = {
                    expr_binary(pool, EXPR_LESS, expr_integer(pool, 0), loop->as.loop.extent),
                    statement_block(context->output, loop->span, loads.count, loads.item), NULL}));
}

struct before_search {
    const struct kept *c;
    const struct expr *value;
    bool any, same;
};

/* Whether the loop has a place in any case: it is as long as a number tells, or over the part of a
 * line that a tile has. */
static bool has_a_place(const struct kept *c)
{
    const struct expr *first = c->loop->as.loop.first, *extent = c->loop->as.loop.extent;
    return (extent->kind == EXPR_INTEGER && extent->as.integer > 0) ||
           (first->kind == EXPR_VARIABLE && first->as.variable.kind == VARIABLE_LOCAL);
}

struct name_search {
    const struct kept *c;
    const struct expr *value;
    bool found;
};

static void search_name(const struct statement *statement, void *user)
{
    struct name_search *search = user;
    if (statement->kind == STATEMENT_LET)
        search->found = search->found || expr_contains(search->c->k->context->scratch,
                                                       search->value, statement->as.let.variable);
    statement_children(statement, search_name, search);
}

/* Whether names of the loop's body stand in it. */
static bool has_names_of_body(const struct kept *c, const struct expr *value)
{
    struct name_search search = {c, value, false};
    search_name(c->loop->as.loop.body, &search);
    return search.found;
}

/* The value of a rule before the first place: a number; or, where samples one place back alone are
 * read, what it is at the first place. NULL: it has to be looked up at each place. */
static const struct expr *value_at_first(const struct kept *c, const struct expr *value)
{
    struct expr_pool *pool = c->k->context->pool;
    const struct statement *loop = c->loop;
    if (value->count == 0 && value->kind != EXPR_VARIABLE)
        return value;
    if (c->back > 1 || !has_a_place(c) || has_names_of_body(c, value))
        return NULL;
    const struct expr *first = loop->as.loop.first;
    if (loop->as.loop.reversed)
        first = region_sum(pool, region_sum(pool, first, loop->as.loop.extent, 1),
                           expr_integer(pool, 1), -1);
    return expr_substitute(pool, c->k->context->scratch, value, loop->as.loop.variable, first);
}

/* Whether reads beyond the loop's first place, and beyond that alone, have one value. */
static void note_before(const struct expr *node, void *user)
{
    struct before_search *search = user;
    const struct kept *c = search->c;
    if (!reads_line(c, node) || is_left_in_memory(c, node) ||
        places_back(c, node->operand[c->axis]) == 0)
        return;
    const struct border *border = node->as.load.border ? &node->as.load.border[c->axis] : NULL;
    const bool fits = border && has_value(border->rule) && border->value &&
                      border->first == c->loop->as.loop.first &&
                      border->extent == c->loop->as.loop.extent &&
                      (!search->any || search->value == border->value);
    search->same = search->same && fits;
    search->any = true;
    search->value = border ? border->value : NULL;
}

/* Then registers hold it before the loop. NULL: there is none, or not one. */
static const struct expr *value_before(const struct kept *c)
{
    struct before_search search = {.c = c, .same = true};
    statement_nodes(c->k->context->scratch, c->loop->as.loop.body, note_before, &search);
    return search.any && search.same && search.value ? value_at_first(c, search.value) : NULL;
}

static const struct statement *keep(struct kept *c, struct statement_items *before)
{
    struct pass_context *context = c->k->context;
    c->before = value_before(c);
    add_registers(c);
    if (is_in_registers_alone(c))
        c->k->dropped[c->store->as.store.buffer.index] = true;
    VECTOR_PUSH(context->scratch, before,
                STATEMENT_NEW(context->output, c->loop->span, .kind = STATEMENT_ALLOCATE,
                              .as.allocate = {c->registers}));
    for (int64_t back = 0; back < c->back; back++)
        VECTOR_PUSH(context->scratch, before, set_register(c, back, first_value(c)));
    load_registers(c, before);
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = from_register, .context = c, .scratch = context->scratch};
    const struct statement *body =
        store_both(statement_rewrite(context->output, c->loop->as.loop.body, &rewriter), c);
    struct statement_items items = {0};
    for (int64_t back = c->back; back > 0; back--)
        VECTOR_PUSH(context->scratch, &items, set_register(c, back, register_of(c, back - 1)));
    VECTOR_PUSH(context->scratch, &items, body);
    struct statement loop = *c->loop;
    loop.as.loop.body = statement_block(context->output, body->span, items.count, items.item);
    return statement_new(context->output, loop);
}

/* ---- Loops ---- */

struct stores {
    struct keeping *k;
    VECTOR(const struct statement *) items;
};

static void note_store(const struct statement *statement, void *user)
{
    struct stores *stores = user;
    if (statement->kind == STATEMENT_STORE)
        VECTOR_PUSH(stores->k->context->scratch, &stores->items, statement);
    if (statement->kind != STATEMENT_LOOP)
        statement_children(statement, note_store, stores);
}

/* Loops over few states, as of the carry of a recurrence, become their iterations. */
static const struct statement *write_out(const struct statement *statement, void *user)
{
    enum { MOST = 8 };
    struct keeping *k = user;
    struct pass_context *context = k->context;
    const struct statement *item[MOST];
    if (statement->kind != STATEMENT_LOOP)
        return statement_rebuild(context->output, statement, write_out, k);
    const struct expr *first = statement->as.loop.first, *extent = statement->as.loop.extent;
    if (first->kind != EXPR_INTEGER || extent->kind != EXPR_INTEGER || extent->as.integer > MOST ||
        statement->as.loop.body->kind != STATEMENT_STORE || statement->as.loop.reversed)
        return statement;
    const size_t count = extent->as.integer > 0 ? (size_t)extent->as.integer : 0;
    for (size_t i = 0; i < count; i++)
        item[i] = statement_substitute(context->output, context->scratch, context->pool,
                                       statement->as.loop.body, statement->as.loop.variable,
                                       expr_integer(context->pool, first->as.integer + (int64_t)i));
    return statement_block(context->output, statement->span, count, item);
}

static const struct statement *keep_in_loop(struct keeping *k, const struct statement *original,
                                            const struct statement *whole)
{
    struct pass_context *context = k->context;
    struct statement_items items = {0};
    struct stores stores = {.k = k};
    struct statement copy = *whole;
    copy.as.loop.body = write_out(whole->as.loop.body, k);
    const struct statement *loop = statement_new(context->output, copy);
    note_store(loop->as.loop.body, &stores);
    for (size_t i = 0; i < stores.items.count; i++) {
        struct kept c = {.k = k, .original = original, .loop = loop, .store = stores.items.item[i]};
        if (find_kept(&c))
            loop = keep(&c, &items);
    }
    if (items.count == 0)
        return whole;
    VECTOR_PUSH(context->scratch, &items, loop);
    return statement_block(context->output, loop->span, items.count, items.item);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct keeping *k = user;
    const struct statement *rebuilt = statement_rebuild(k->context->output, statement, visit, k);
    return rebuilt->kind == STATEMENT_LOOP && rebuilt->as.loop.level == LEVEL_SERIAL
               ? keep_in_loop(k, statement, rebuilt)
               : rebuilt;
}

static const struct statement *drop_allocations(const struct statement *statement, void *user)
{
    struct keeping *k = user;
    struct arena *output = k->context->output;
    if (statement->kind != STATEMENT_ALLOCATE)
        return statement_rebuild(output, statement, drop_allocations, k);
    const uint32_t buffer = statement->as.allocate.buffer.index;
    return buffer < k->count && k->dropped[buffer]
               ? statement_block(output, statement->span, 0, NULL)
               : statement;
}

static const struct statement *visit_kernels(const struct statement *statement, void *user)
{
    struct keeping *k = user;
    k->kernel = statement;
    return statement->kind == STATEMENT_KERNEL
               ? statement_rebuild(k->context->output, statement, visit, k)
               : statement_rebuild(k->context->output, statement, visit_kernels, k);
}

const struct program *keep_last_samples(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct keeping k = {.context = context,
                        .out = out,
                        .count = in->buffers.count,
                        .dropped = ARENA_ARRAY(context->scratch, bool, in->buffers.count + 1)};
    out->body = drop_allocations(visit_kernels(in->body, &k), &k);
    return out;
}
