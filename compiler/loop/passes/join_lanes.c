/* join_lanes: loop → loop. Merges consecutive loops over the same lanes, so that a sample that was
 * just stored need not be loaded again.
 *   before: loop x vector { store a[y, x] = in[y, x] + a[y - 1, x] }   loop x vector { store b[y, x] = 2 a[y, x] + b[y - 1, x] }
 *   after:  loop x vector { let a.now = in[y, x] + a[y - 1, x]  store a[y, x] = a.now  store b[y, x] = 2 a.now + b[y - 1, x] }
 * Requires that no lane reads or overwrites what another one stores, and that sample sizes fill the
 * same number of registers, or twice as many. Loops over a small constant number of lanes are not
 * merged: compilers unroll them. */
#include "loop_pass.h"
#include "loop/rewrite.h"

enum {
    MOST_STORES = 8,     /* each a stream of its own */
    MOST_SIZES_APART = 2 /* the bytes of a sample by those of another one: lanes go together */
};

struct joining {
    struct pass_context *context;
    struct program *out;
};

/* ---- What a loop touches ---- */

struct touched {
    const struct joining *j;
    const struct expr *lane;
    size_t store_count;
    const struct statement *store[MOST_STORES];
    VECTOR(const struct expr *) loads;
    int64_t least, greatest; /* bytes of a sample */
    bool simple;             /* values and stores alone */
};

static void note_size(struct touched *t, enum scalar scalar)
{
    const int64_t bytes = scalar_info[scalar].bytes;
    t->least = bytes < t->least ? bytes : t->least;
    t->greatest = bytes > t->greatest ? bytes : t->greatest;
}

static void note_load(const struct expr *node, void *user)
{
    struct touched *t = user;
    if (node->kind != EXPR_LOAD)
        return;
    note_size(t, node->scalar);
    VECTOR_PUSH(t->j->context->scratch, &t->loads, node);
}

static void note_item(struct touched *t, const struct statement *item)
{
    t->simple = t->simple && (item->kind == STATEMENT_LET ||
                              (item->kind == STATEMENT_STORE && t->store_count < MOST_STORES));
    if (!t->simple || item->kind != STATEMENT_STORE)
        return;
    note_size(t, program_buffer(t->j->out, item->as.store.buffer)->scalar);
    t->store[t->store_count++] = item;
}

static bool find_touched(const struct joining *j, const struct statement *loop, struct touched *t)
{
    *t = (struct touched){
        .j = j, .lane = loop->as.loop.variable, .least = INT64_MAX, .simple = true};
    const struct statement_list items = statement_items_of(&loop->as.loop.body);
    for (size_t i = 0; i < items.count; i++)
        note_item(t, items.item[i]);
    if (t->simple)
        statement_nodes(j->context->scratch, loop->as.loop.body, note_load, t);
    return t->simple;
}

/* ---- Whether two may be one ---- */

static uint32_t memory_of(const struct program *program, buffer_id id)
{
    return buffer_memory(program_buffer(program, id)).index;
}

/* Whether each lane meets its own samples alone: in the order in which the loops did. */
static bool is_on_lane(const struct touched *t, const struct statement *store, buffer_id id,
                       const struct expr *const index[])
{
    const struct program *program = t->j->out;
    const buffer_id own = store->as.store.buffer;
    bool on_lane = false;
    if (own.index != id.index)
        return memory_of(program, own) != memory_of(program, id);
    for (unsigned k = 0; k < store->as.store.rank; k++)
        on_lane = on_lane || (store->as.store.index[k] == t->lane && index[k] == t->lane);
    return on_lane;
}

static bool are_on_lanes(const struct touched *stores, const struct touched *loads)
{
    bool on_lanes = true;
    for (size_t s = 0; s < stores->store_count; s++)
        for (size_t i = 0; i < loads->loads.count && on_lanes; i++) {
            const struct expr *load = loads->loads.item[i];
            on_lanes = is_on_lane(stores, stores->store[s], (buffer_id){load->as.load.source},
                                  load->operand);
        }
    return on_lanes;
}

/* Whether both together store to no memory twice. */
static bool stores_differ(const struct touched *a, const struct touched *b)
{
    const struct program *program = a->j->out;
    bool differ = a->store_count + b->store_count <= MOST_STORES;
    uint32_t memory[MOST_STORES];
    for (size_t i = 0; differ && i < a->store_count + b->store_count; i++) {
        const struct statement *store =
            i < a->store_count ? a->store[i] : b->store[i - a->store_count];
        memory[i] = memory_of(program, store->as.store.buffer);
        for (size_t k = 0; k < i; k++)
            differ = differ && memory[k] != memory[i];
    }
    return differ;
}

/* Whether both give a value the same name. */
static bool names_meet(const struct statement *a, const struct statement *b)
{
    const struct statement_list one = statement_items_of(&a->as.loop.body);
    const struct statement_list other = statement_items_of(&b->as.loop.body);
    bool meet = false;
    for (size_t i = 0; i < one.count; i++)
        for (size_t k = 0; k < other.count; k++)
            meet = meet ||
                   (one.item[i]->kind == STATEMENT_LET && other.item[k]->kind == STATEMENT_LET &&
                    one.item[i]->as.let.variable == other.item[k]->as.let.variable);
    return meet;
}

static bool is_over_lanes(const struct statement *statement)
{
    return statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_VECTOR &&
           statement->as.loop.extent->kind != EXPR_INTEGER && !statement->as.loop.bypassing;
}

static bool may_join(const struct joining *j, const struct statement *a, const struct statement *b)
{
    struct touched first, second;
    if (!is_over_lanes(a) || !is_over_lanes(b) || a->as.loop.variable != b->as.loop.variable ||
        a->as.loop.first != b->as.loop.first || a->as.loop.extent != b->as.loop.extent ||
        !find_touched(j, a, &first) || !find_touched(j, b, &second))
        return false;
    const int64_t least = first.least < second.least ? first.least : second.least;
    const int64_t greatest = first.greatest > second.greatest ? first.greatest : second.greatest;
    return greatest <= MOST_SIZES_APART * least && !names_meet(a, b) &&
           stores_differ(&first, &second) && are_on_lanes(&first, &second) &&
           are_on_lanes(&second, &first);
}

/* ---- As one ---- */

/* A sample that the first of the loops stores. */
struct stored {
    const struct statement *store;
    const struct expr *now;
};

static bool is_same(unsigned rank, const struct expr *const a[], const struct expr *const b[])
{
    bool same = true;
    for (unsigned k = 0; k < rank; k++)
        same = same && a[k] == b[k];
    return same;
}

static const struct expr *use_stored(const struct expr *node, void *user)
{
    const struct stored *s = user;
    return node->kind == EXPR_LOAD && node->as.load.source == s->store->as.store.buffer.index &&
                   node->scalar == s->now->scalar &&
                   is_same(s->store->as.store.rank, s->store->as.store.index, node->operand)
               ? s->now
               : node;
}

/* The body of the second loop, with what the store of the first one has as a value. */
static const struct statement *with_stored(const struct joining *j, struct stored *s,
                                           const struct statement *body)
{
    struct expr_rewriter rewriter = {
        .pool = j->context->pool, .rule = use_stored, .context = s, .scratch = j->context->scratch};
    return statement_rewrite(j->context->output, body, &rewriter);
}

static const struct expr *name_of_stored(const struct joining *j, const struct statement *store)
{
    const struct expr *value = store->as.store.value;
    if (value->kind == EXPR_VARIABLE || value->count == 0)
        return value;
    const struct buffer *buffer = program_buffer(j->out, store->as.store.buffer);
    return expr_variable(j->context->pool, VARIABLE_LOCAL,
                         symbol_format(&j->context->session->symbols, "%s.now", buffer->name->text),
                         value->scalar, value->interval);
}

static const struct statement *joined(const struct joining *j, const struct statement *a,
                                      const struct statement *b)
{
    struct arena *output = j->context->output, *scratch = j->context->scratch;
    const struct statement *body = b->as.loop.body;
    const struct statement_list first = statement_items_of(&a->as.loop.body);
    struct statement_items items = {0};
    for (size_t i = 0; i < first.count; i++) {
        const struct statement *item = first.item[i];
        if (item->kind == STATEMENT_STORE) {
            struct stored s = {item, name_of_stored(j, item)};
            const struct statement *before = body;
            const struct expr *value = item->as.store.value;
            body = with_stored(j, &s, body);
            if (body != before && s.now != value) {
                struct statement store = *item;
                store.as.store.value = s.now;
                VECTOR_PUSH(scratch, &items,
                            STATEMENT_NEW(output, item->span, .kind = STATEMENT_LET,
                                          .as.let = {s.now, value}));
                item = statement_new(output, store);
            }
        }
        VECTOR_PUSH(scratch, &items, item);
    }
    const struct statement_list second = statement_items_of(&body);
    for (size_t i = 0; i < second.count; i++)
        VECTOR_PUSH(scratch, &items, second.item[i]);
    struct statement loop = *a;
    loop.as.loop.body = statement_block(output, a->span, items.count, items.item);
    return statement_new(output, loop);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct joining *j = user;
    const struct statement *rebuilt = statement_rebuild(j->context->output, statement, visit, j);
    if (rebuilt->kind != STATEMENT_BLOCK)
        return rebuilt;
    const struct statement_list list = rebuilt->as.block;
    struct statement_items items = {0};
    for (size_t i = 0; i < list.count; i++) {
        const struct statement **last = items.count ? &items.item[items.count - 1] : NULL;
        if (last && may_join(j, *last, list.item[i]))
            *last = joined(j, *last, list.item[i]);
        else
            VECTOR_PUSH(j->context->scratch, &items, list.item[i]);
    }
    return items.count == list.count
               ? rebuilt
               : statement_block(j->context->output, rebuilt->span, items.count, items.item);
}

const struct program *join_lanes(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct joining j = {context, out};
    out->body = visit(in->body, &j);
    return out;
}
