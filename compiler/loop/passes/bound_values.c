/* bound_values: loop → loop. Narrows the interval of a buffer of integers to that of the stored
 * values, and then the intervals of everything that is computed from its samples. So lanes become
 * narrower, and limits that are never reached disappear.
 *   before: buffer rows : tile u16                   out[x] = u8(divide(add(rows[x], 8), 16))
 *   after:  buffer rows : tile u16 0 .. 4080         out[x] = divide(add(rows[x], 8), 16)
 * Buffers that are read before they are complete, as for recurrences and counts, do not change; nor
 * do terms of running sums, which must remain sums even if all terms are one number. */
#include "loop_pass.h"

struct bounding {
    struct pass_context *context;
    struct program *out;
    bool *loaded;            /* by buffer: so far */
    bool *kept;              /* by buffer: its interval is not changed */
    struct interval *stored; /* by buffer: what is stored so far */
    struct expr_rewriter rewriter;
};

/* ---- Which buffers ---- */

static void note_load(const struct expr *node, void *user)
{
    struct bounding *b = user;
    if (node->kind == EXPR_LOAD)
        b->loaded[node->as.load.source] = true;
}

static void note_expression(const struct expr *node, void *user)
{
    struct bounding *b = user;
    expr_nodes(b->context->scratch, node, note_load, b);
}

static void keep_load(const struct expr *node, void *user)
{
    struct bounding *b = user;
    if (node->kind == EXPR_LOAD)
        b->kept[node->as.load.source] = true;
}

static void note_statement(const struct statement *statement, void *user);

/* What one branch loads, the other stores to as if it were not loaded. */
static void note_branches(struct bounding *b, const struct statement *branch)
{
    const size_t count = b->out->buffers.count;
    bool *before = arena_copy(b->context->scratch, b->loaded, count * sizeof *before);
    note_statement(branch->as.branch.then, b);
    bool *then = b->loaded;
    b->loaded = before;
    note_statement(branch->as.branch.otherwise, b);
    for (size_t i = 0; i < count; i++)
        b->loaded[i] = b->loaded[i] || then[i];
}

static void note_statement(const struct statement *statement, void *user)
{
    struct bounding *b = user;
    if (statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_SCANNED)
        statement_nodes(b->context->scratch, statement->as.loop.body, keep_load, b);
    statement_expressions(statement, note_expression, b);
    if (statement->kind == STATEMENT_STORE) {
        const uint32_t stored = statement->as.store.buffer.index;
        b->kept[stored] = b->kept[stored] || b->loaded[stored] || statement->as.store.join;
    }
    if (statement->kind == STATEMENT_IF && statement->as.branch.otherwise)
        note_branches(b, statement);
    else
        statement_children(statement, note_statement, b);
}

static void find_kept(struct bounding *b, const struct program *in)
{
    for (size_t i = 0; i < in->buffers.count; i++) {
        const struct buffer *buffer = &in->buffers.item[i];
        b->stored[i] = (struct interval){INT64_MAX, INT64_MIN};
        b->kept[i] = b->kept[i] || !scalar_is_integer(buffer->scalar) ||
                     buffer->scalar == SCALAR_BOOL || buffer->space == SPACE_PART;
        if (buffer->space == SPACE_PART) /* what is stored in it is stored there */
            b->kept[buffer->within.index] = true;
    }
    note_statement(in->body, b);
}

/* ---- Rewriting, in the order of the text ---- */

static const struct expr *bounded_load(const struct expr *node, void *user)
{
    struct bounding *b = user;
    if (node->kind != EXPR_LOAD)
        return node;
    const struct buffer *buffer = &b->out->buffers.item[node->as.load.source];
    return expr_load(b->context->pool, node->as.load.source, node->scalar, buffer->interval,
                     node->count, node->operand, node->as.load.border);
}

static const struct expr *bounded(const struct expr *node, void *user)
{
    struct bounding *b = user;
    return expr_rewrite(&b->rewriter, node);
}

static void note_store(struct bounding *b, buffer_id id, struct interval value)
{
    struct buffer *buffer = &b->out->buffers.item[id.index];
    struct interval *stored = &b->stored[id.index];
    if (b->kept[id.index])
        return;
    stored->least = value.least < stored->least ? value.least : stored->least;
    stored->greatest = value.greatest > stored->greatest ? value.greatest : stored->greatest;
    if (interval_inside(*stored, scalar_info[buffer->scalar].interval))
        buffer->interval = *stored;
}

static const struct statement *bounded_statement(const struct statement *statement, void *user)
{
    struct bounding *b = user;
    if (statement->kind == STATEMENT_KERNEL) {
        const struct arena_mark mark = arena_mark(b->context->scratch);
        struct bounding kernel = *b;
        kernel.rewriter.context = &kernel;
        kernel.rewriter.done = (struct hash_map){0};
        statement = statement_rebuild(b->context->output, statement, bounded_statement, &kernel);
        arena_release(b->context->scratch, mark);
        return statement;
    }
    statement = statement_rewrite_expressions(b->context->output, statement, bounded, b);
    if (statement->kind == STATEMENT_STORE)
        note_store(b, statement->as.store.buffer, statement->as.store.value->interval);
    return statement_rebuild(b->context->output, statement, bounded_statement, b);
}

const struct program *bound_values(const struct program *in, struct pass_context *context)
{
    const size_t count = in->buffers.count + 1;
    struct bounding b = {.context = context,
                         .out = program_copy(context->output, in),
                         .loaded = ARENA_ARRAY(context->scratch, bool, count),
                         .kept = ARENA_ARRAY(context->scratch, bool, count),
                         .stored = ARENA_ARRAY(context->scratch, struct interval, count)};
    b.rewriter = (struct expr_rewriter){
        .pool = context->pool, .rule = bounded_load, .context = &b, .scratch = context->scratch};
    b.out->buffers.item =
        arena_copy(context->output, in->buffers.item, in->buffers.count * sizeof *in->buffers.item);
    find_kept(&b, in);
    b.out->body = bounded_statement(in->body, &b);
    return b.out;
}
