/* widen_accesses: loop → loop. A thread that goes over a few samples beside each other loads what
 * they read, and stores them, several samples in one access:
 *   before: if packed C { loop x.beside 0 .. 3 { let x = 4 x.thread + x.beside
 *               store out[x] = in[x - 1] + in[x] } }
 *   after:  if packed C { if packed true {
 *               allocate in.beside                                  samples -1 .. 3 from 4 x.thread
 *               store in.beside[0] = in[4 x.thread - 1]  store beside 4 in.beside[1] = in[4 x.thread]
 *               allocate out.beside
 *               loop x.beside 0 .. 3 {
 *                   store out.beside[x.beside] = in.beside[x.beside] + in.beside[x.beside + 1] }
 *               store beside 4 out[4 x.thread] = out.beside[0]
 *           } else { as before } }
 * Nothing is loaded that the loop does not load. An access begins at a multiple of its samples in
 * the row; where the program does not show that, the branch requires it. */
#include "analysis/inside.h"
#include "analysis/regions.h"
#include "expr/affine.h"
#include "graph/placement/choose.h"
#include "loop/rewrite.h"
#include "loop_pass.h"

enum { MOST_ITERATIONS = 16 }; /* of a loop */

/* An access begins where it should if this, divided by `samples`, leaves `rest`. */
struct beginning {
    const struct expr *value;
    int64_t samples, rest;
};

struct widening {
    struct pass_context *context;
    struct program *out;
    VECTOR(struct let_name) names;           /* in scope */
    VECTOR(const struct expr *) coordinates; /* of loops around */
    VECTOR(const struct expr *) threads;     /* of the threads of a block */
    VECTOR(struct beginning) beginnings;     /* that it requires */
    size_t outside, around; /* names and coordinates that the branch's condition may use */
    bool packed;            /* a branch for packed images is around */
    bool any;               /* a loop in it has changed */
};

static struct expr_pool *pool_of(const struct widening *w)
{
    return w->context->pool;
}

static const struct expr *with_names(const struct widening *w, const struct expr *node,
                                     size_t count, const struct let_name name[])
{
    return names_replaced(pool_of(w), w->context->scratch, node, count, name);
}

/* ---- Rows ---- */

/* Samples beside each other that the iterations load or store: base + first … base + end - 1. */
struct row {
    const struct buffer *buffer;
    const struct expr *index[GRAPH_MAX_RANK]; /* of the slower axes */
    struct affine base;                       /* along the fastest axis */
    int64_t first, end;
    bool stored;
    int64_t most; /* samples of an access; 1: the row stays as it is */
    int64_t rest; /* of the base's place in memory, divided by `most` */
    buffer_id samples;
};

struct row_load {
    const struct expr *load;
    size_t row;
};

struct wide_loop {
    struct widening *w;
    const struct expr *variable;
    int64_t extent;
    VECTOR(struct let_name) inner;       /* names of an iteration */
    VECTOR(const struct expr *) staying; /* of them, those that differ between iterations */
    VECTOR(struct row) rows;
    VECTOR(struct row_load) loads;
    struct hash_map row_of;        /* store → 1 + its row */
    struct hash_map visited;       /* what each iteration computes */
    struct expr_rewriter rewriter; /* of loads: what the thread keeps */
    bool fits;
};

static struct arena *scratch_of(const struct wide_loop *l)
{
    return l->w->context->scratch;
}

static bool depends(const struct wide_loop *l, const struct expr *node)
{
    return expr_contains(scratch_of(l), node, l->variable);
}

static const struct expr *written_out(const struct wide_loop *l, const struct expr *node)
{
    return with_names(l->w, node, l->inner.count, l->inner.item);
}

/* The caller's truth values are bytes of any number: each is looked at where it is loaded. */
static bool may_be_wide(const struct buffer *buffer)
{
    const bool truths = buffer->space == SPACE_INPUT && buffer->scalar == SCALAR_BOOL;
    return !truths && buffer->rank && !buffer->axis[buffer->rank - 1].circular &&
           (buffer_is_in_memory(buffer) || buffer->space == SPACE_SHARED);
}

/* Whether they have samples in common, or beside each other: between others lie some that nobody
 * wants. */
static bool is_same_row(const struct row *a, const struct row *b)
{
    const struct affine difference = affine_sum(a->base, b->base, -1);
    bool same = a->buffer == b->buffer && a->stored == b->stored && difference.exact &&
                difference.count == 0 && difference.constant == 0 && a->first <= b->end &&
                b->first <= a->end;
    for (unsigned k = 0; same && k + 1 < a->buffer->rank; k++)
        same = a->index[k] == b->index[k];
    return same;
}

/* The row that the iterations load or store there; its number, or SIZE_MAX: it is none. */
static size_t add_row(struct wide_loop *l, const struct buffer *buffer,
                      const struct expr *const index[], bool stored)
{
    if (!may_be_wide(buffer))
        return SIZE_MAX;
    struct row row = {.buffer = buffer, .stored = stored};
    const unsigned fastest = buffer->rank - 1;
    row.base = affine_from(written_out(l, index[fastest]));
    if (!row.base.exact || affine_coefficient(&row.base, l->variable) != 1)
        return SIZE_MAX;
    row.base = affine_without(row.base, l->variable);
    row.first = row.base.constant;
    row.end = row.first + l->extent;
    row.base.constant = 0;
    const struct expr *whole = affine_build(pool_of(l->w), &row.base);
    for (unsigned k = 0; k < fastest; k++) {
        row.index[k] = affine_normal(pool_of(l->w), written_out(l, index[k]));
        if (depends(l, row.index[k]) || (row.index[k]->holds & HOLDS_LOAD))
            return SIZE_MAX;
    }
    if (depends(l, whole) || (whole->holds & HOLDS_LOAD))
        return SIZE_MAX;
    for (size_t i = 0; i < l->rows.count; i++) {
        struct row *known = &l->rows.item[i];
        if (!is_same_row(known, &row))
            continue;
        known->first = row.first < known->first ? row.first : known->first;
        known->end = row.end > known->end ? row.end : known->end;
        l->fits = l->fits && !stored;
        return i;
    }
    VECTOR_PUSH(scratch_of(l), &l->rows, row);
    return l->rows.count - 1;
}

/* ---- What an iteration does ---- */

/* Loads that each iteration does, whatever it decides. */
static void note_loads(struct wide_loop *l, const struct expr *node)
{
    if (hash_map_find(&l->visited, node) || node->kind == EXPR_REDUCE)
        return;
    hash_map_put(scratch_of(l), &l->visited, node, (void *)(uintptr_t)node);
    const bool chooses =
        node->kind == EXPR_SELECT || node->kind == EXPR_AND || node->kind == EXPR_OR;
    for (unsigned i = 0; i < (chooses ? 1 : node->count); i++)
        note_loads(l, node->operand[i]);
    if (node->kind != EXPR_LOAD || node->as.load.border)
        return;
    const size_t row =
        add_row(l, &l->w->out->buffers.item[node->as.load.source], node->operand, false);
    if (row != SIZE_MAX)
        VECTOR_PUSH(scratch_of(l), &l->loads, (struct row_load){node, row});
}

/* Whether it stores to what each iteration has for itself. */
static bool is_of_iteration(const struct wide_loop *l, const struct statement *store)
{
    return program_buffer(l->w->out, store->as.store.buffer)->space == SPACE_REGISTER;
}

static void note_stored_row(struct wide_loop *l, const struct statement *store)
{
    const size_t row =
        add_row(l, program_buffer(l->w->out, store->as.store.buffer), store->as.store.index, true);
    l->fits = l->fits && row != SIZE_MAX;
    if (l->fits)
        hash_map_put(scratch_of(l), &l->row_of, store, (void *)(uintptr_t)(row + 1));
}

static void note_iteration(struct wide_loop *l, const struct statement *body)
{
    const struct statement_list all = statement_items_of(&body);
    for (size_t i = 0; i < all.count && l->fits; i++) {
        const struct statement *s = all.item[i];
        if (s->kind == STATEMENT_BLOCK) {
            note_iteration(l, s);
        } else if (s->kind == STATEMENT_LET) {
            for (size_t k = 0; k < l->inner.count; k++)
                l->fits = l->fits && l->inner.item[k].variable != s->as.let.variable;
            note_loads(l, s->as.let.value);
            VECTOR_PUSH(scratch_of(l), &l->inner,
                        (struct let_name){s->as.let.variable, s->as.let.value});
        } else if (s->kind == STATEMENT_ALLOCATE) {
            l->fits = program_buffer(l->w->out, s->as.allocate.buffer)->space == SPACE_REGISTER;
        } else if (s->kind == STATEMENT_STORE && !s->as.store.join && !s->as.store.beside) {
            note_loads(l, s->as.store.value);
            if (!is_of_iteration(l, s))
                note_stored_row(l, s);
        } else {
            l->fits = false;
        }
    }
}

static void check_apart(const struct expr *node, void *user)
{
    struct wide_loop *l = user;
    for (size_t i = 0; node->kind == EXPR_LOAD && i < l->rows.count; i++) {
        const struct buffer *loaded = &l->w->out->buffers.item[node->as.load.source];
        l->fits = l->fits && !(l->rows.item[i].stored &&
                               buffer_memory(loaded).index == l->rows.item[i].buffer->id.index);
    }
}

/* ---- Where accesses begin ---- */

/* Whether the condition of the branch may ask for it: all threads of a block answer alike. */
static bool is_of_branch(const struct widening *w, const struct expr *node)
{
    bool is = !(node->holds & HOLDS_LOAD);
    for (size_t i = w->around; is && i < w->coordinates.count; i++)
        is = !expr_contains(w->context->scratch, node, w->coordinates.item[i]);
    for (size_t i = 0; is && i < w->threads.count; i++)
        is = !expr_contains(w->context->scratch, node, w->threads.item[i]);
    return is;
}

/* The terms that do not go through multiples of `most`; without its constant, which *rest has. */
static struct affine odd_terms(struct affine form, int64_t most, int64_t *rest)
{
    struct affine odd = {.exact = form.exact};
    for (unsigned i = 0; i < form.count; i++)
        if (form.term[i].coefficient % most)
            odd.term[odd.count++] = form.term[i];
    *rest = ((form.constant % most) + most) % most;
    return odd;
}

/* Finds what the base's place in memory leaves, divided by `most`; false: nobody knows. */
static bool find_rest(const struct wide_loop *l, struct row *row)
{
    struct widening *w = l->w;
    const struct expr *first = row->buffer->axis[row->buffer->rank - 1].first;
    const struct expr *place =
        region_sum(pool_of(w), affine_build(pool_of(w), &row->base), first, -1);
    const struct expr *outside =
        with_names(w, place, w->names.count - w->outside, w->names.item + w->outside);
    const struct expr *whole = with_names(w, outside, w->outside, w->names.item);
    struct affine odd = odd_terms(affine_from(whole), row->most, &row->rest);
    if (!odd.exact)
        return false;
    if (odd.count == 0)
        return true;
    odd = odd_terms(affine_from(outside), row->most, &row->rest);
    if (!odd.exact)
        return false;
    const struct expr *value = affine_build(pool_of(w), &odd);
    const struct inside_value inside =
        inside_value_of(scratch_of(l), with_names(w, value, w->outside, w->names.item));
    if (!inside.known || inside.value < 0 || !is_of_branch(w, value))
        return false;
    const struct beginning begins = {value, row->most, inside.value % row->most};
    VECTOR_PUSH(scratch_of(l), &w->beginnings, begins);
    row->rest = (row->rest + begins.rest) % row->most;
    return true;
}

/* Rows of shared memory lie one behind the other. */
static int64_t most_beside(const struct wide_loop *l, const struct buffer *buffer)
{
    const int64_t bytes = target_machine(l->w->context->target)->access_bytes;
    int64_t most = 1;
    while (2 * most <= l->extent && 2 * most * scalar_info[buffer->scalar].bytes <= bytes)
        most *= 2;
    if (buffer->space == SPACE_SHARED && buffer->rank > 1) {
        const struct expr *extent = buffer->axis[buffer->rank - 1].extent;
        while (extent->kind != EXPR_INTEGER ? most > 1 : extent->as.integer % most != 0)
            most /= 2;
    }
    return most;
}

static bool settle_rows(struct wide_loop *l)
{
    int64_t samples = 0;
    bool any = false;
    for (size_t i = 0; i < l->rows.count; i++) {
        struct row *row = &l->rows.item[i];
        row->most = most_beside(l, row->buffer);
        samples += row->end - row->first;
        if (row->most > 1 && !find_rest(l, row))
            row->most = 1;
        any = any || row->most > 1;
    }
    return any && samples <= choice_value(l->w->context, CHOICE_BESIDE_KEPT);
}

/* ---- The wide loop ---- */

static const struct expr *in_registers(const struct wide_loop *l, const struct row *row,
                                       const struct expr *place)
{
    return expr_load(pool_of(l->w), row->samples.index, row->buffer->scalar, row->buffer->interval,
                     1, &place, NULL);
}

static void add_registers(struct wide_loop *l, struct row *row)
{
    struct pass_context *context = l->w->context;
    struct buffer_axis *axis = ARENA_NEW(context->output, struct buffer_axis);
    *axis = (struct buffer_axis){row->buffer->axis[row->buffer->rank - 1].name,
                                 expr_integer(context->pool, 0),
                                 expr_integer(context->pool, row->end - row->first), false};
    const struct buffer buffer = {
        .name =
            program_buffer_name(l->w->out, &context->session->symbols, row->buffer->name, "beside"),
        .span = row->buffer->span,
        .scalar = row->buffer->scalar,
        .interval = row->buffer->interval,
        .space = SPACE_REGISTER,
        .rank = 1,
        .axis = axis,
        .stage = row->buffer->stage,
        .slot = NO_SLOT,
    };
    row->samples = program_add_buffer(context->output, l->w->out, buffer);
}

/* One access: `count` samples from base + at. */
static const struct statement *access(const struct wide_loop *l, const struct row *row, int64_t at,
                                      int64_t count, struct span span)
{
    struct pass_context *context = l->w->context;
    const unsigned rank = row->buffer->rank;
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, rank);
    const struct expr **place = ARENA_NEW(context->output, const struct expr *);
    struct affine along = row->base;
    along.constant += at;
    memcpy(index, row->index, (rank - 1) * sizeof *index);
    index[rank - 1] = affine_build(context->pool, &along);
    *place = expr_integer(context->pool, at - row->first);
    const unsigned beside = count > 1 ? (unsigned)count : 0;
    if (row->stored)
        return STATEMENT_NEW(context->output, span, .kind = STATEMENT_STORE,
                             .as.store = {row->buffer->id, rank, index,
                                          in_registers(l, row, *place), JOIN_NONE, beside});
    const struct expr *load = expr_load(context->pool, row->buffer->id.index, row->buffer->scalar,
                                        row->buffer->interval, rank, index, NULL);
    return STATEMENT_NEW(context->output, span, .kind = STATEMENT_STORE,
                         .as.store = {row->samples, 1, place, load, JOIN_NONE, beside});
}

/* The accesses to a row, each as wide as it may be where it begins. */
static void add_accesses(const struct wide_loop *l, const struct row *row, struct span span,
                         struct statement_items *items)
{
    int64_t count;
    for (int64_t at = row->first; at < row->end; at += count) {
        const int64_t place = at + row->rest - row->most * ((row->first - row->most) / row->most);
        for (count = row->most; place % count || at + count > row->end;)
            count /= 2;
        VECTOR_PUSH(scratch_of(l), items, access(l, row, at, count, span));
    }
}

/* What the thread keeps stands for the loads. */
static void replace_loads(struct wide_loop *l)
{
    for (size_t i = 0; i < l->loads.count; i++) {
        const struct expr *load = l->loads.item[i].load;
        const struct row *row = &l->rows.item[l->loads.item[i].row];
        if (row->most == 1)
            continue;
        struct affine place = affine_from(written_out(l, load->operand[load->count - 1]));
        place = affine_sum(place, row->base, -1);
        place.constant -= row->first;
        const struct expr *kept = in_registers(l, row, affine_build(pool_of(l->w), &place));
        hash_map_put(scratch_of(l), &l->rewriter.done, load, (void *)(uintptr_t)kept);
    }
}

/* NULL: of registers. */
static const struct row *row_stored(const struct wide_loop *l, const struct statement *store)
{
    const uintptr_t row = (uintptr_t)hash_map_find(&l->row_of, store);
    return row ? &l->rows.item[row - 1] : NULL;
}

static const struct statement *used_block(const struct wide_loop *l, struct span span,
                                          const struct statement_items *all)
{
    struct arena *output = l->w->context->output;
    return block_without_unused(output, scratch_of(l),
                                statement_block(output, span, all->count, all->item));
}

/* What a statement of an iteration becomes. */
static const struct statement *in_iteration(struct wide_loop *l, const struct statement *s)
{
    struct arena *output = l->w->context->output;
    if (s->kind == STATEMENT_BLOCK) {
        struct statement_items items = {0};
        for (size_t i = 0; i < s->as.block.count; i++)
            VECTOR_PUSH(scratch_of(l), &items, in_iteration(l, s->as.block.item[i]));
        return used_block(l, s->span, &items);
    }
    const struct row *row = s->kind == STATEMENT_STORE ? row_stored(l, s) : NULL;
    struct statement copy = *statement_rewrite(output, s, &l->rewriter);
    if (row && row->most > 1) {
        copy.as.store.buffer = row->samples;
        copy.as.store.rank = 1;
        copy.as.store.index = arena_copy(output, &l->variable, sizeof l->variable);
    }
    return statement_new(output, copy);
}

/* Whether the name has one value for all iterations, known without a load or a name that stays. */
static bool stands_ahead(struct wide_loop *l, const struct statement *s)
{
    if (s->kind != STATEMENT_LET)
        return false;
    const struct expr *value = s->as.let.value, *whole = written_out(l, value);
    bool ahead = !((value->holds | whole->holds) & HOLDS_LOAD) && !depends(l, value);
    for (size_t i = 0; i < l->staying.count && ahead; i++)
        ahead = !expr_contains(scratch_of(l), value, l->staying.item[i]);
    if (!ahead)
        VECTOR_PUSH(scratch_of(l), &l->staying, s->as.let.variable);
    return ahead;
}

static const struct statement *wide_loop(struct wide_loop *l, const struct statement *loop,
                                         const struct statement *body)
{
    struct arena *output = l->w->context->output;
    struct statement_items ahead = {0}, items = {0};
    l->rewriter = (struct expr_rewriter){.pool = pool_of(l->w), .scratch = scratch_of(l)};
    for (size_t i = 0; i < l->rows.count; i++)
        if (l->rows.item[i].most > 1)
            add_registers(l, &l->rows.item[i]);
    replace_loads(l);
    const struct statement_list each = statement_items_of(&body);
    for (size_t i = 0; i < each.count; i++)
        VECTOR_PUSH(scratch_of(l), stands_ahead(l, each.item[i]) ? &ahead : &items,
                    in_iteration(l, each.item[i]));
    struct statement again = *loop;
    again.as.loop.body = used_block(l, loop->span, &items);
    struct statement_items all = {0};
    for (size_t i = 0; i < l->rows.count; i++) {
        const struct row *row = &l->rows.item[i];
        if (row->most == 1)
            continue;
        VECTOR_PUSH(scratch_of(l), &all,
                    STATEMENT_NEW(output, loop->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {row->samples}));
        if (!row->stored)
            add_accesses(l, row, loop->span, &all);
    }
    for (size_t i = 0; i < ahead.count; i++)
        VECTOR_PUSH(scratch_of(l), &all, ahead.item[i]);
    VECTOR_PUSH(scratch_of(l), &all, statement_new(output, again));
    for (size_t i = 0; i < l->rows.count; i++)
        if (l->rows.item[i].most > 1 && l->rows.item[i].stored)
            add_accesses(l, &l->rows.item[i], loop->span, &all);
    return used_block(l, loop->span, &all);
}

/* ---- Conditions of iterations ---- */

static const struct expr *both(const struct widening *w, const struct expr *a, const struct expr *b)
{
    return a && b ? expr_binary(pool_of(w), EXPR_AND, a, b) : a ? a : b;
}

/* What holds for all iterations if the condition does for the last one; and, apart, what does not
 * differ between them. */
struct guard {
    const struct expr *last, *same;
    bool known;
};

static void note_guard(const struct wide_loop *l, const struct expr *condition, struct guard *guard)
{
    guard->known = guard->known && !(condition->holds & HOLDS_LOAD);
    if (condition->kind == EXPR_AND) {
        note_guard(l, condition->operand[0], guard);
        note_guard(l, condition->operand[1], guard);
        return;
    }
    if (!depends(l, condition)) {
        guard->same = both(l->w, guard->same, condition);
        return;
    }
    const struct affine form = condition->count == 2 ? affine_from(condition->operand[0])
                                                     : (struct affine){.exact = false};
    const struct affine rest = affine_without(form, l->variable);
    guard->known = guard->known && condition->kind == EXPR_LESS && form.exact &&
                   affine_coefficient(&form, l->variable) > 0 &&
                   !depends(l, affine_build(pool_of(l->w), &rest)) &&
                   !depends(l, condition->operand[1]);
    const struct expr *last = expr_integer(pool_of(l->w), l->extent - 1);
    guard->last = both(l->w, guard->last,
                       expr_substitute(pool_of(l->w), scratch_of(l), condition, l->variable, last));
}

static const struct statement *branch(struct widening *w, const struct statement *loop,
                                      const struct expr *condition, bool packed,
                                      const struct statement *then,
                                      const struct statement *otherwise)
{
    return condition || packed
               ? STATEMENT_NEW(w->context->output, loop->span, .kind = STATEMENT_IF,
                               .as.branch = {condition ? condition : expr_boolean(pool_of(w), true),
                                             then, otherwise, packed})
               : then;
}

static const struct expr *required(const struct widening *w)
{
    struct expr_pool *pool = pool_of(w);
    const struct expr *all = NULL;
    for (size_t i = 0; i < w->beginnings.count; i++) {
        const struct beginning *begins = &w->beginnings.item[i];
        bool again = false;
        for (size_t k = 0; k < i && !again; k++)
            again = w->beginnings.item[k].value == begins->value &&
                    w->beginnings.item[k].samples >= begins->samples;
        const struct expr *rest =
            expr_binary(pool, EXPR_REMAINDER, begins->value, expr_integer(pool, begins->samples));
        if (!again)
            all =
                both(w, all, expr_binary(pool, EXPR_EQUAL, rest, expr_integer(pool, begins->rest)));
    }
    return all;
}

/* ---- Loops and branches ---- */

static const struct statement *visit(const struct statement *statement, void *user);

static bool is_candidate(const struct statement *s)
{
    return s->kind == STATEMENT_LOOP && s->as.loop.together &&
           s->as.loop.first->kind == EXPR_INTEGER && s->as.loop.first->as.integer == 0 &&
           s->as.loop.extent->as.integer <= MOST_ITERATIONS;
}

static const struct statement *widen(struct widening *w, const struct statement *loop)
{
    struct wide_loop l = {.w = w,
                          .variable = loop->as.loop.variable,
                          .extent = loop->as.loop.extent->as.integer,
                          .fits = true};
    const struct statement *body = loop->as.loop.body;
    struct guard guard = {.known = true};
    if (body->kind == STATEMENT_IF && !body->as.branch.otherwise && !body->as.branch.packed) {
        note_guard(&l, body->as.branch.condition, &guard);
        body = body->as.branch.then;
    }
    const size_t begun = w->beginnings.count;
    if (!w->packed) {
        w->outside = w->names.count;
        w->around = w->coordinates.count;
    }
    note_iteration(&l, body);
    if (l.fits)
        statement_nodes(scratch_of(&l), body, check_apart, &l);
    if (!guard.known || !l.fits || !settle_rows(&l)) {
        w->beginnings.count = begun;
        return loop;
    }
    w->any = true;
    const struct statement *wide = wide_loop(&l, loop, body);
    if (guard.same)
        wide = branch(w, loop, guard.same, false, wide, NULL);
    if (w->packed)
        return branch(w, loop, guard.last, false, wide, loop);
    wide = branch(w, loop, both(w, guard.last, required(w)), true, wide, loop);
    w->beginnings.count = 0;
    return wide;
}

/* The branch for packed images, and in it one for those whose rows begin at multiples. */
static const struct statement *visit_packed(struct widening *w, const struct statement *s)
{
    struct widening inside = *w;
    inside.packed = true;
    inside.any = false;
    inside.outside = w->names.count;
    inside.around = w->coordinates.count;
    const struct statement *wide = visit(s->as.branch.then, &inside);
    w->names.count = inside.outside;
    if (!inside.any)
        return s;
    struct statement both = *s;
    both.as.branch.then = branch(w, s, required(&inside), true, wide, s->as.branch.then);
    return statement_new(w->context->output, both);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct widening *w = user;
    struct arena *scratch = w->context->scratch;
    const size_t names = w->names.count;
    if (statement->kind == STATEMENT_LET)
        VECTOR_PUSH(scratch, &w->names,
                    (struct let_name){statement->as.let.variable, statement->as.let.value});
    if (statement->kind == STATEMENT_IF && statement->as.branch.packed && !w->packed)
        return visit_packed(w, statement);
    if (is_candidate(statement)) {
        const struct statement *wide = widen(w, statement);
        if (wide != statement)
            return wide;
    }
    const bool loops = statement->kind == STATEMENT_LOOP;
    if (loops)
        VECTOR_PUSH(scratch, &w->coordinates, statement->as.loop.variable);
    if (loops &&
        (statement->as.loop.level == LEVEL_BLOCK_X || statement->as.loop.level == LEVEL_BLOCK_Y))
        VECTOR_PUSH(scratch, &w->threads, statement->as.loop.variable);
    const struct statement *after = statement_rebuild(w->context->output, statement, visit, w);
    w->coordinates.count -= loops;
    if (statement->kind == STATEMENT_BLOCK)
        w->names.count = names;
    return after;
}

static const struct statement *visit_kernels(const struct statement *statement, void *user)
{
    struct widening *w = user;
    if (statement->kind != STATEMENT_KERNEL)
        return statement_rebuild(w->context->output, statement, visit_kernels, w);
    struct widening own = {.context = w->context, .out = w->out};
    const bool plain = statement->as.kernel.small || statement->as.kernel.alone ||
                       statement->as.kernel.on_host || statement->as.kernel.windows;
    return plain ? statement : statement_rebuild(w->context->output, statement, visit, &own);
}

const struct program *widen_accesses(const struct program *in, struct pass_context *context)
{
    struct widening w = {.context = context, .out = program_copy(context->output, in)};
    w.out->body = visit_kernels(in->body, &w);
    return w.out;
}
