/* compute_on_host: loop → loop. Moves small computations that depend only on parameters and
 * extents, such as filter coefficients and matrices of segments, to the host. It computes them
 * before the kernels that need them and passes the values to these kernels:
 *   before: kernel gain { grid … store gain[0] = exp(- sigma) }   kernel out { … gain[0] … }
 *   after:  host kernel gain { loop … store gain[0] = exp(- sigma) }   kernel out { … gain[0] … }
 *           buffer gain: frame
 * Values that only host kernels read are in the space host. Results have the same bits, because the
 * host uses the same text. */
#include "loop_pass.h"
#include "loop/rewrite.h"

enum {
    MOST_STEPS = 1 << 16, /* of a kernel on the host */
    MOST_FRAME = 1024,    /* bytes of what kernels are handed, a buffer */
    MOST_HOST = 16 << 10, /* bytes of a buffer of the host's */
    MOST_STACK = 64 << 10 /* of all that host kernels alone read: they lie on the stack */
};

/* A buffer of the program. */
struct known {
    unsigned items; /* of the body that store to it */
    bool has_parts;
    bool is_given;  /* to a call, which takes what lies in memory */
    bool too_large; /* to be handed to kernels, or for the stack */
    bool on_host;   /* it is computed there */
    bool is_read;   /* by kernels of the device */
};

struct choosing {
    struct pass_context *context;
    const struct program *in;
    struct known *known; /* by buffer */
    bool *on_host;       /* by item of the body */
    bool **stored;       /* by item, by buffer: whether it stores to it */
};

static int64_t bytes_of(const struct buffer *buffer)
{
    int64_t bytes = scalar_info[buffer->scalar].bytes;
    for (unsigned k = 0; k < buffer->rank && bytes <= MOST_HOST; k++) {
        const struct expr *extent = buffer->axis[k].extent;
        if (extent->kind != EXPR_INTEGER || buffer->axis[k].first->kind != EXPR_INTEGER ||
            extent->as.integer > MOST_HOST)
            return INT64_MAX;
        bytes *= extent->as.integer;
    }
    return bytes;
}

/* ---- What a kernel does ---- */

struct work {
    const struct choosing *c;
    struct expr_walk walk;
    const bool *stored; /* by buffer */
    int64_t steps;      /* of the loops around */
    bool possible;
};

static void note_store(const struct statement *statement, void *user)
{
    bool *stored = user;
    if (statement->kind == STATEMENT_STORE)
        stored[statement->as.store.buffer.index] = true;
    statement_children(statement, note_store, stored);
}

static void note_node(const struct expr *node, void *user)
{
    struct work *w = user;
    if (node->holds & HOLDS_EXTERNAL)
        w->possible = false;
    if (node->kind != EXPR_LOAD)
        return;
    const uint32_t source = node->as.load.source;
    w->possible = w->possible && (w->stored[source] || w->c->known[source].on_host ||
                                  w->c->in->buffers.item[source].space == SPACE_REGISTER);
}

static void note_expression(const struct expr *root, void *user)
{
    struct work *w = user;
    expr_visit(&w->walk, root, note_node, w);
}

static bool may_hold(const struct work *w, uint32_t index)
{
    const struct buffer *buffer = &w->c->in->buffers.item[index];
    const struct known *known = &w->c->known[index];
    return buffer->space == SPACE_REGISTER ||
           (buffer->space == SPACE_SCRATCH && known->items == 1 && !known->has_parts &&
            !known->is_given && !known->too_large && bytes_of(buffer) <= MOST_HOST);
}

static void note_statement(const struct statement *statement, void *user)
{
    struct work *w = user;
    const int64_t around = w->steps;
    switch ((int)statement->kind) {
    case STATEMENT_LOOP: {
        const struct expr *extent = statement->as.loop.extent;
        w->possible = w->possible && extent->kind == EXPR_INTEGER &&
                      statement->as.loop.first->kind == EXPR_INTEGER &&
                      extent->as.integer <= MOST_STEPS / (w->steps ? w->steps : 1);
        w->steps *= w->possible ? extent->as.integer : 1;
        break;
    }
    case STATEMENT_STORE:
        w->possible = w->possible && may_hold(w, statement->as.store.buffer.index);
        break;
    case STATEMENT_ALLOCATE:
        w->possible =
            w->possible &&
            w->c->in->buffers.item[statement->as.allocate.buffer.index].space == SPACE_REGISTER;
        break;
    case STATEMENT_BLOCK:
    case STATEMENT_IF:
    case STATEMENT_LET:
    case STATEMENT_NOTE:
        break;
    default:
        w->possible = false;
    }
    statement_expressions(statement, note_expression, w);
    if (w->possible)
        statement_children(statement, note_statement, w);
    w->steps = around;
}

static bool may_run_on_host(const struct choosing *c, size_t item)
{
    const struct statement *kernel = statement_items_of(&c->in->body).item[item];
    struct work w = {.c = c,
                     .walk = {.scratch = c->context->scratch},
                     .stored = c->stored[item],
                     .steps = 1,
                     .possible = kernel->kind == STATEMENT_KERNEL && !kernel->as.kernel.staged};
    if (w.possible)
        note_statement(kernel->as.kernel.body, &w);
    return w.possible;
}

/* ---- What is chosen ---- */

static void note_calls(const struct statement *statement, void *user)
{
    struct choosing *c = user;
    if (statement->kind == STATEMENT_PARTICLES)
        for (unsigned i = 0; i < particle_call_info[statement->as.particles.call].count; i++)
            c->known[statement->as.particles.buffer[i].index].is_given = true;
    statement_children(statement, note_calls, c);
}

static void find_stored(struct choosing *c)
{
    const struct statement_list all = statement_items_of(&c->in->body);
    const size_t buffers = c->in->buffers.count;
    for (size_t i = 0; i < all.count; i++) {
        c->stored[i] = ARENA_ARRAY(c->context->scratch, bool, buffers + 1);
        note_store(all.item[i], c->stored[i]);
        for (size_t b = 0; b < buffers; b++)
            c->known[b].items += c->stored[i][b];
    }
}

static void choose(struct choosing *c)
{
    const size_t items = statement_items_of(&c->in->body).count;
    for (size_t b = 0; b < c->in->buffers.count; b++)
        c->known[b].on_host = c->known[b].is_read = false;
    for (size_t i = 0; i < items; i++) {
        c->on_host[i] = may_run_on_host(c, i);
        for (size_t b = 0; b < c->in->buffers.count && c->on_host[i]; b++)
            c->known[b].on_host = c->known[b].on_host || c->stored[i][b];
    }
}

static void note_read(const struct expr *node, void *user)
{
    struct choosing *c = user;
    if (node->kind == EXPR_LOAD)
        c->known[node->as.load.source].is_read = true;
}

/* Whether what kernels are handed fits, and the rest the stack; else some buffer is marked. */
static bool fits(struct choosing *c)
{
    const struct statement_list all = statement_items_of(&c->in->body);
    int64_t left = c->context->target->frame_bytes, stack = MOST_STACK;
    bool all_fit = true;
    for (size_t i = 0; i < all.count; i++)
        if (!c->on_host[i])
            statement_nodes(c->context->scratch, all.item[i], note_read, c);
    for (size_t b = 0; b < c->in->buffers.count; b++) {
        struct known *known = &c->known[b];
        if (!known->on_host || c->in->buffers.item[b].space != SPACE_SCRATCH)
            continue;
        const int64_t bytes = bytes_of(&c->in->buffers.item[b]);
        int64_t *const room = known->is_read ? &left : &stack;
        known->too_large = bytes > *room || (known->is_read && bytes > MOST_FRAME);
        *room -= known->too_large ? 0 : bytes;
        all_fit = all_fit && !known->too_large;
    }
    return all_fit;
}

/* ---- On the host ---- */

/* One thread goes through all of them; a loop of one iteration is that. */
static const struct statement *in_order(const struct statement *statement, void *user)
{
    struct pass_context *context = user;
    struct statement copy = *statement_rebuild(context->output, statement, in_order, context);
    if (copy.kind == STATEMENT_LOOP && copy.as.loop.extent->as.integer == 1)
        return statement_substitute(context->output, context->scratch, context->pool,
                                    copy.as.loop.body, copy.as.loop.variable, copy.as.loop.first);
    if (copy.kind == STATEMENT_LOOP && copy.as.loop.level != LEVEL_UNROLLED)
        copy.as.loop.level = LEVEL_SERIAL;
    return statement_new(context->output, copy);
}

static const struct statement *host_kernel(struct pass_context *context,
                                           const struct statement *kernel)
{
    struct statement copy = *kernel;
    copy.as.kernel.body = in_order(kernel->as.kernel.body, context);
    copy.as.kernel.on_host = true;
    return statement_new(context->output, copy);
}

const struct program *compute_on_host(const struct program *in, struct pass_context *context)
{
    const struct statement_list all = statement_items_of(&in->body);
    struct choosing c = {.context = context,
                         .in = in,
                         .known =
                             ARENA_ARRAY(context->scratch, struct known, in->buffers.count + 1),
                         .on_host = ARENA_ARRAY(context->scratch, bool, all.count + 1),
                         .stored = ARENA_ARRAY(context->scratch, bool *, all.count + 1)};
    for (size_t b = 0; b < in->buffers.count; b++)
        if (in->buffers.item[b].space == SPACE_PART)
            c.known[in->buffers.item[b].within.index].has_parts = true;
    find_stored(&c);
    note_calls(in->body, &c);
    do
        choose(&c);
    while (!fits(&c));
    struct program *out = program_copy(context->output, in);
    struct statement_items items = {0};
    for (size_t i = 0; i < all.count; i++)
        VECTOR_PUSH(context->scratch, &items,
                    c.on_host[i] ? host_kernel(context, all.item[i]) : all.item[i]);
    for (size_t b = 0; b < out->buffers.count; b++)
        if (c.known[b].on_host && out->buffers.item[b].space == SPACE_SCRATCH)
            out->buffers.item[b].space = c.known[b].is_read ? SPACE_FRAME : SPACE_HOST;
    out->body = statement_block(context->output, in->body->span, items.count, items.item);
    return out;
}
