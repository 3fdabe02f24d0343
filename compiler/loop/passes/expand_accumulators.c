/* expand_accumulators: loop → loop. A loop over samples that contains the loop of a reduction
 * cannot run in vector lanes. So it is cut into strips, and the loops are interchanged, with one
 * accumulator for each sample of a strip.
 *   before: loop x { sum = -0.0  loop d { sum = sum + in[x + d] }  out[x] = sum }
 *   after:  loop strip { loop x from 64 strip { sum[x - 64 strip] = -0.0 }
 *                        loop d { loop x from 64 strip { sum[x - 64 strip] = sum[x - 64 strip] + in[x + d] } }
 *                        loop x from 64 strip { out[x] = sum[x - 64 strip] } }
 * An array of accumulators gets the lane as its last axis. The order of steps of each sample does
 * not change. The variable is kept, because its interval proves that values computed from it fit.
 * Unrolled reductions, and reductions whose terms are vector lanes, do not change. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "loop/rewrite.h"
#include "graph/placement/choose.h"

struct expansion {
    struct pass_context *context;
    struct program *out;
    const struct statement *loop;       /* that is cut */
    const struct expr *begin, *samples; /* of the strip at hand: first coordinate, how many */
    const struct expr *lane;            /* the coordinate's place in the strip */
    int64_t strip;
    struct hash_map arrays; /* register or let → buffer + 1 of its array */
    struct expr_rewriter rewriter;
    bool possible;
};

/* ---- Whether it can be done ---- */

struct shape {
    struct arena *scratch;
    const struct program *program;
    const struct expr *variable;
    bool loop_inside, possible;
    bool is_long; /* some loop inside has no constant extent */
};

/* Whether it is one number for the whole strip. */
static bool is_even(const struct shape *shape, const struct expr *bound)
{
    return !(bound->holds & (HOLDS_LOAD | HOLDS_LOCAL)) &&
           !expr_contains(shape->scratch, bound, shape->variable);
}

static void look(const struct statement *statement, void *user)
{
    struct shape *shape = user;
    switch (statement->kind) {
    case STATEMENT_LOOP:
        shape->loop_inside = true;
        shape->is_long = shape->is_long || statement->as.loop.extent->holds & HOLDS_EXTENT;
        shape->possible = shape->possible && statement->as.loop.level == LEVEL_SERIAL &&
                          is_even(shape, statement->as.loop.first) &&
                          is_even(shape, statement->as.loop.extent);
        break;
    case STATEMENT_ALLOCATE: {
        const struct buffer *buffer = program_buffer(shape->program, statement->as.allocate.buffer);
        shape->possible = shape->possible && buffer->space == SPACE_REGISTER && buffer->rank <= 1;
        break;
    }
    case STATEMENT_IF:
        shape->possible = shape->possible && is_even(shape, statement->as.branch.condition);
        break;
    case STATEMENT_BLOCK:
    case STATEMENT_STORE:
    case STATEMENT_LET:
        break;
    default:
        shape->possible = false;
    }
    statement_children(statement, look, shape);
}

/* A loop with a reduction's loop somewhere inside, and no other loop over samples. */
static bool can_expand(const struct pass_context *context, const struct program *program,
                       const struct statement *loop, int64_t *strip)
{
    struct shape shape = {context->scratch, program, loop->as.loop.variable, false, true, false};
    look(loop->as.loop.body, &shape);
    *strip = choice_value(context, shape.is_long ? CHOICE_PART_OF_LONG_REDUCTIONS
                                                 : CHOICE_PART_OF_REDUCTIONS);
    /* A loop over samples stores to an image; that of a reduction to registers alone. */
    return shape.possible && shape.loop_inside;
}

struct store_search {
    const struct program *program;
    bool found;
};

static void search_store(const struct statement *statement, void *user)
{
    struct store_search *search = user;
    search->found =
        search->found ||
        (statement->kind == STATEMENT_STORE &&
         program_buffer(search->program, statement->as.store.buffer)->space != SPACE_REGISTER);
    statement_children(statement, search_store, search);
}

static bool stores_samples(const struct program *program, const struct statement *statement)
{
    struct store_search search = {program, false};
    search_store(statement, &search);
    return search.found;
}

/* Loops over samples within a loop over samples: the inner one is the one to expand. */
static void search_inner(const struct statement *statement, void *user)
{
    struct store_search *search = user;
    if (statement->kind == STATEMENT_LOOP && stores_samples(search->program, statement))
        search->found = true;
    statement_children(statement, search_inner, search);
}

/* Whether samples that lie side by side are read for iterations side by side, and not for terms. */
struct row_search {
    struct arena *scratch;
    const struct expr *variable;
    bool samples, terms;
};

static void search_rows(const struct expr *node, void *user)
{
    struct row_search *search = user;
    if (node->kind != EXPR_LOAD || node->count == 0)
        return;
    const struct expr *fastest = node->operand[node->count - 1];
    const bool here = expr_contains(search->scratch, fastest, search->variable);
    search->samples = search->samples || here;
    search->terms = search->terms || (!here && (fastest->holds & HOLDS_INDEX));
}

static bool is_along_rows(struct arena *scratch, const struct statement *loop)
{
    struct row_search search = {.scratch = scratch, .variable = loop->as.loop.variable};
    statement_nodes(scratch, loop->as.loop.body, search_rows, &search);
    return search.samples && !search.terms;
}

/* ---- The strips ---- */

/* places: the axis of an array of accumulators; NULL: there is one. */
static buffer_id make_array(struct expansion *e, const struct symbol *name, enum scalar scalar,
                            struct interval interval, struct span span, const void *key,
                            const struct buffer_axis *places)
{
    struct pass_context *context = e->context;
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, 2);
    const unsigned rank = places ? 2 : 1;
    if (places)
        axis[0] = *places;
    axis[rank - 1] = (struct buffer_axis){symbol_from(&context->session->symbols, "lane"),
                                          expr_integer(context->pool, 0),
                                          expr_integer(context->pool, e->strip), false};
    const buffer_id id = program_add_buffer(
        context->output, e->out,
        (struct buffer){.name = symbol_format(&context->session->symbols, "%s.strip.%zu",
                                              name->text, e->out->buffers.count),
                        .span = span,
                        .scalar = scalar,
                        .interval = interval,
                        .space = SPACE_REGISTER,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
    hash_map_put(context->scratch, &e->arrays, key, (void *)(uintptr_t)(id.index + 1));
    return id;
}

static const void *register_key(const struct program *program, uint32_t buffer)
{
    return (const char *)program->body + 1 + buffer; /* any address that is nothing else */
}

/* place: of an array of accumulators. */
static const struct expr *read_array(struct expansion *e, uintptr_t array, enum scalar scalar,
                                     struct interval interval, const struct expr *place)
{
    const struct expr *index[2] = {place ? place : e->lane, e->lane};
    return expr_load(e->context->pool, (uint32_t)(array - 1), scalar, interval, place ? 2 : 1,
                     index, NULL);
}

static const struct expr *expand_node(const struct expr *node, void *user)
{
    struct expansion *e = user;
    const void *key = node->kind == EXPR_LOAD ? register_key(e->out, node->as.load.source) : node;
    const uintptr_t array = (uintptr_t)hash_map_find(&e->arrays, key);
    if (!array)
        return node;
    const struct expr *place =
        node->kind == EXPR_LOAD && node->count == 1 ? node->operand[0] : NULL;
    return read_array(e, array, node->scalar, node->interval, place);
}

/* The rewriter remembers what it has rewritten, so it starts anew when an array comes into
 * being. */
static void forget_rewritten(struct expansion *e)
{
    const struct hash_map none = {0};
    e->rewriter.done = none;
}

static const struct statement *over_lanes(struct expansion *e, const struct statement *body)
{
    return STATEMENT_NEW(
        e->context->output, body->span, .kind = STATEMENT_LOOP,
        .as.loop = {e->loop->as.loop.variable, e->begin, e->samples, LEVEL_INDEPENDENT, body});
}

static const struct statement *allocate(struct expansion *e, buffer_id id, struct span span)
{
    return STATEMENT_NEW(e->context->output, span, .kind = STATEMENT_ALLOCATE, .as.allocate = {id});
}

static const struct statement *distribute(struct expansion *e, const struct statement *s);

static const struct statement *distribute_block(struct expansion *e, const struct statement *block)
{
    VECTOR(const struct statement *) item = {0};
    for (size_t i = 0; i < block->as.block.count; i++) {
        const struct statement *old = block->as.block.item[i], *new = distribute(e, old);
        if (old->kind == STATEMENT_LET) /* its array is allocated in this block */
            for (size_t k = 0; k < new->as.block.count; k++)
                VECTOR_PUSH(e->context->scratch, &item, new->as.block.item[k]);
        else
            VECTOR_PUSH(e->context->scratch, &item, new);
    }
    return statement_block(e->context->output, block->span, item.count, item.item);
}

static const struct statement *distribute_let(struct expansion *e, const struct statement *let)
{
    const struct expr *variable = let->as.let.variable;
    const struct expr *value = expr_rewrite(&e->rewriter, let->as.let.value);
    const buffer_id id = make_array(e, variable->as.variable.name, variable->scalar,
                                    variable->interval, let->span, variable, NULL);
    forget_rewritten(e);
    const struct expr **index = ARENA_ARRAY(e->context->output, const struct expr *, 1);
    index[0] = e->lane;
    const struct statement **both = ARENA_ARRAY(e->context->output, const struct statement *, 2);
    both[0] = allocate(e, id, let->span);
    both[1] = over_lanes(e, STATEMENT_NEW(e->context->output, let->span, .kind = STATEMENT_STORE,
                                          .as.store = {id, 1, index, value}));
    return STATEMENT_NEW(e->context->output, let->span, .kind = STATEMENT_BLOCK,
                         .as.block = {both, 2});
}

static const struct statement *distribute_store(struct expansion *e, const struct statement *s)
{
    struct statement store = *s;
    const uintptr_t array =
        (uintptr_t)hash_map_find(&e->arrays, register_key(e->out, s->as.store.buffer.index));
    const struct expr **index =
        ARENA_ARRAY(e->context->output, const struct expr *, store.as.store.rank + 2);
    for (unsigned k = 0; k < store.as.store.rank; k++)
        index[k] = expr_rewrite(&e->rewriter, s->as.store.index[k]);
    if (array) {
        store.as.store.buffer.index = (uint32_t)(array - 1);
        index[store.as.store.rank++] = e->lane;
    }
    store.as.store.index = index;
    store.as.store.value = expr_rewrite(&e->rewriter, s->as.store.value);
    return over_lanes(e, statement_new(e->context->output, store));
}

static const struct statement *distribute(struct expansion *e, const struct statement *s)
{
    switch (s->kind) {
    case STATEMENT_BLOCK:
        return distribute_block(e, s);
    case STATEMENT_LET:
        return distribute_let(e, s);
    case STATEMENT_STORE:
        return distribute_store(e, s);
    case STATEMENT_ALLOCATE: {
        const struct buffer *buffer = program_buffer(e->out, s->as.allocate.buffer);
        const buffer_id id = make_array(e, buffer->name, buffer->scalar, buffer->interval, s->span,
                                        register_key(e->out, s->as.allocate.buffer.index),
                                        buffer->rank ? buffer->axis : NULL);
        forget_rewritten(e);
        return allocate(e, id, s->span);
    }
    case STATEMENT_LOOP: {
        struct statement loop = *s;
        loop.as.loop.body = distribute(e, s->as.loop.body);
        return statement_new(e->context->output, loop);
    }
    case STATEMENT_IF: {
        struct statement branch = *s;
        branch.as.branch.then = distribute(e, s->as.branch.then);
        if (s->as.branch.otherwise)
            branch.as.branch.otherwise = distribute(e, s->as.branch.otherwise);
        return statement_new(e->context->output, branch);
    }
    default:
        return s; /* can_expand lets no other through */
    }
}

static const struct statement *expand(struct pass_context *context, struct program *out,
                                      const struct statement *loop, int64_t length)
{
    struct expr_pool *pool = context->pool;
    struct symbol_table *symbols = &context->session->symbols;
    const char *name = loop->as.loop.variable->as.variable.name->text;
    const struct interval strips = {0, INT32_MAX / length + 1};
    const struct expr *strip = expr_variable(
        pool, VARIABLE_INDEX, symbol_format(symbols, "%s.lanes", name), SCALAR_I32, strips);
    const struct expr *size = expr_integer(pool, length);
    const struct expr *before = expr_binary(pool, EXPR_MULTIPLY, size, strip);
    struct expansion e = {.context = context, .out = out, .loop = loop, .strip = length};
    e.begin = region_sum(pool, loop->as.loop.first, before, 1);
    e.lane = region_sum(pool, loop->as.loop.variable, e.begin, -1);
    e.samples = expr_binary(pool, EXPR_MINIMUM, size,
                            expr_binary(pool, EXPR_SUBTRACT, loop->as.loop.extent, before));
    e.rewriter = (struct expr_rewriter){
        .pool = pool, .rule = expand_node, .context = &e, .scratch = context->scratch};
    const struct expr *count = expr_binary(
        pool, EXPR_DIVIDE,
        region_sum(pool, loop->as.loop.extent, expr_integer(pool, length - 1), 1), size);
    return STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_LOOP,
                         .as.loop = {strip, expr_integer(pool, 0), count, LEVEL_INDEPENDENT,
                                     distribute(&e, loop->as.loop.body)});
}

struct visit {
    struct pass_context *context;
    struct program *out;
    unsigned depth; /* loops around */
};

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct visit *v = user;
    if (statement->kind == STATEMENT_KERNEL) {
        struct visit inside = {v->context, v->out, 0};
        return statement_rebuild(v->context->output, statement, visit, &inside);
    }
    if (statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_INDEPENDENT &&
        (v->depth > 0 || is_along_rows(v->context->scratch, statement))) {
        struct store_search inner = {v->out, false};
        int64_t strip;
        search_inner(statement->as.loop.body, &inner);
        if (!inner.found && !axis_is_of_channels(statement->as.loop.variable->as.variable.name) &&
            stores_samples(v->out, statement) && can_expand(v->context, v->out, statement, &strip))
            return expand(v->context, v->out, statement, strip);
    }
    v->depth += statement->kind == STATEMENT_LOOP;
    const struct statement *result = statement_rebuild(v->context->output, statement, visit, v);
    v->depth -= statement->kind == STATEMENT_LOOP;
    return result;
}

const struct program *expand_accumulators(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct visit v = {context, out, 0};
    out->body = visit(in->body, &v);
    return out;
}
