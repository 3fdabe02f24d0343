/* hoist_invariants: loop → loop. Moves values that do not change in a loop before it: index
 * arithmetic of border rules along slower axes, arithmetic on parameters, and reads of images
 * without axes that the kernel does not change.
 *   before: loop y { loop x { out[y, x] = a[] * in[min(max(y - 1, 0), n - 1), x] } }
 *   after:  let fixed_1 = a[]  loop y { let y_1 = min(max(y - 1, 0), n - 1)  loop x { out[y, x] = fixed_1 * in[y_1, x] } }
 * Needs cores: on a grid, the loops over blocks and threads must stay the outermost of a kernel. */
#include "loop_pass.h"
#include "loop/rewrite.h"

enum {
    WORTH_DEPTH = 3
}; /* an operation on leaves is not worth a name, but for calls of C functions and reads */

struct hoisting {
    struct pass_context *context;
    const struct program *program;
    /* buffers that the kernel at hand stores to; NULL: outside of kernels */
    const struct hash_map *stored;
    struct hash_map varying; /* variables that change in the loop at hand */
    VECTOR(const struct expr *) found;
    struct hash_map sought; /* below them is nothing more to be found */
    struct hash_map free;   /* expr → marker: known to be invariant or not */
    struct hash_map names;  /* in use in the kernel */
    struct hash_map known;  /* value → variable, of loops before this one in the same block */
};

static const char invariant_marker = 1, varying_marker = 2;

/* Whether it is the one sample of an image that the kernel only reads. */
static bool is_fixed_sample(const struct hoisting *h, const struct expr *node)
{
    const uintptr_t buffer = 1 + (uintptr_t)node->as.load.source;
    return node->kind == EXPR_LOAD && node->count == 0 &&
           !hash_map_find(h->stored, (const void *)buffer);
}

/* Whether the value is the same in all iterations; other reads count as changing. */
static bool is_invariant(struct hoisting *h, const struct expr *node)
{
    const char *known = hash_map_find(&h->free, node);
    if (known)
        return known == &invariant_marker;
    bool invariant = (node->kind != EXPR_LOAD || is_fixed_sample(h, node)) &&
                     node->kind != EXPR_REDUCE && !hash_map_find(&h->varying, node);
    for (unsigned i = 0; i < node->count; i++)
        invariant = is_invariant(h, node->operand[i]) && invariant;
    hash_map_put(h->context->scratch, &h->free, node,
                 (void *)(uintptr_t)(invariant ? &invariant_marker : &varying_marker));
    return invariant;
}

static void find_invariants(const struct expr *node, void *user)
{
    struct hoisting *h = user;
    if (hash_map_find(&h->sought, node) || node->kind == EXPR_REDUCE)
        return;
    hash_map_put(h->context->scratch, &h->sought, node, (void *)(uintptr_t)node);
    if (is_invariant(h, node)) {
        if (node->depth >= WORTH_DEPTH || node->kind == EXPR_EXTERNAL || (node->holds & HOLDS_LOAD))
            VECTOR_PUSH(h->context->scratch, &h->found, node);
        return;
    }
    for (unsigned i = 0; i < node->count; i++)
        find_invariants(node->operand[i], h);
}

static void note_varying(const struct statement *statement, void *user)
{
    struct hoisting *h = user;
    const struct expr *variable = statement->kind == STATEMENT_LOOP  ? statement->as.loop.variable
                                  : statement->kind == STATEMENT_LET ? statement->as.let.variable
                                                                     : NULL;
    if (variable)
        hash_map_put(h->context->scratch, &h->varying, variable, (void *)(uintptr_t)variable);
    statement_children(statement, note_varying, h);
}

static void find_in_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, find_invariants, user);
    statement_children(statement, find_in_statement, user);
}

/* y_1, y_2 … after the first coordinate or parameter of the value, or the image it is read from. */
struct leading {
    const struct program *program;
    const struct symbol *name;
};

static void find_leading(const struct expr *node, void *user)
{
    struct leading *leading = user;
    if (node->kind == EXPR_VARIABLE && (!leading->name || node->as.variable.kind == VARIABLE_INDEX))
        leading->name = node->as.variable.name;
    if (node->kind == EXPR_LOAD && !leading->name)
        leading->name = leading->program->buffers.item[node->as.load.source].name;
}

static const struct symbol *new_name(struct hoisting *h, const struct expr *value)
{
    struct leading leading = {h->program, NULL};
    struct expr_walk walk = {.scratch = h->context->scratch};
    struct symbol_table *symbols = &h->context->session->symbols;
    expr_visit(&walk, value, find_leading, &leading);
    const char *stem = leading.name ? leading.name->text : "fixed";
    const struct symbol *name;
    unsigned i = 1;
    do
        name = symbol_format(symbols, "%s.%u", stem, i++);
    while (hash_map_find(&h->names, name));
    hash_map_put(h->context->scratch, &h->names, name, (void *)(uintptr_t)name);
    return name;
}

static const struct expr *replace(const struct expr *node, void *user)
{
    (void)user;
    return node;
}

struct storing {
    struct arena *scratch;
    struct hash_map *stored;
};

static void note_stored(const struct statement *statement, void *user)
{
    const struct storing *s = user;
    if (statement->kind == STATEMENT_STORE) {
        const uintptr_t buffer = 1 + (uintptr_t)statement->as.store.buffer.index;
        hash_map_put(s->scratch, s->stored, (const void *)buffer, (void *)(uintptr_t)statement);
    }
    statement_children(statement, note_stored, user);
}

static const struct statement *visit(const struct statement *statement, void *user);

/* What is hoisted inside of it; the names are handed back. */
static struct hoisting inside_of(const struct hoisting *outer)
{
    return (struct hoisting){.context = outer->context,
                             .program = outer->program,
                             .stored = outer->stored,
                             .names = outer->names};
}

/* Lets made for a loop go into the block it stands in, where later loops can use them too. */
static const struct statement *visit_block(const struct statement *block, struct hoisting *outer)
{
    struct hoisting inner = inside_of(outer);
    VECTOR(const struct statement *) item = {0};
    for (size_t i = 0; i < block->as.block.count; i++) {
        const struct statement *old = block->as.block.item[i], *new = visit(old, &inner);
        if (old->kind == STATEMENT_LOOP && new->kind == STATEMENT_BLOCK)
            for (size_t k = 0; k < new->as.block.count; k++)
                VECTOR_PUSH(outer->context->scratch, &item, new->as.block.item[k]);
        else
            VECTOR_PUSH(outer->context->scratch, &item, new);
    }
    outer->names = inner.names;
    return statement_block(outer->context->output, block->span, item.count, item.item);
}

/* The variable of a hoisted value: a new let, unless a loop before has made it. Integers are held
 * in 64 bits, as indices are. */
static const struct expr *variable_of(struct hoisting *h, struct hoisting *outer,
                                      const struct expr *value, const struct statement **let)
{
    const struct expr *known = hash_map_find(&outer->known, value);
    *let = NULL;
    if (known)
        return known;
    struct pass_context *context = h->context;
    const enum scalar scalar = scalar_is_integer(value->scalar) ? SCALAR_I64 : value->scalar;
    const struct expr *variable =
        expr_variable(context->pool, VARIABLE_LOCAL, new_name(h, value), scalar, value->interval);
    hash_map_put(context->scratch, &outer->known, value, (void *)(uintptr_t)variable);
    const struct span nowhere = {0, 0};
    *let =
        STATEMENT_NEW(context->output, nowhere, .kind = STATEMENT_LET, .as.let = {variable, value});
    return variable;
}

/* What is computed in a branch is known neither behind it nor in the other one. */
static const struct statement *visit_apart(const struct statement *branch, void *user)
{
    struct hoisting *outer = user, inner = inside_of(outer);
    const struct statement *visited = visit(branch, &inner);
    outer->names = inner.names;
    return visited;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct hoisting *outer = user;
    struct pass_context *context = outer->context;
    if (statement->kind == STATEMENT_KERNEL) {
        const struct arena_mark mark = arena_mark(context->scratch);
        struct hash_map stored = {0};
        struct storing storing = {context->scratch, &stored};
        note_stored(statement, &storing);
        struct hoisting kernel = {.context = context, .program = outer->program, .stored = &stored};
        const struct statement *rebuilt =
            statement_rebuild(context->output, statement, visit, &kernel);
        arena_release(context->scratch, mark);
        return rebuilt;
    }
    if (statement->kind == STATEMENT_BLOCK)
        return visit_block(statement, outer);
    if (statement->kind != STATEMENT_LOOP || !outer->stored) /* the steps of a repeat */
        return statement_rebuild(context->output, statement, visit_apart, outer);

    struct hoisting h = inside_of(outer);
    hash_map_put(context->scratch, &h.varying, statement->as.loop.variable,
                 (void *)(uintptr_t)statement);
    note_varying(statement->as.loop.body, &h);
    find_in_statement(statement->as.loop.body, &h);

    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = replace, .scratch = context->scratch};
    VECTOR(const struct statement *) item = {0};
    for (size_t i = 0; i < h.found.count; i++) {
        const struct statement *let;
        const struct expr *variable = variable_of(&h, outer, h.found.item[i], &let);
        hash_map_put(context->scratch, &rewriter.done, h.found.item[i],
                     (void *)(uintptr_t)variable);
        if (let)
            VECTOR_PUSH(context->scratch, &item, let);
    }
    struct statement loop = *statement;
    if (h.found.count)
        loop.as.loop.body = statement_rewrite(context->output, statement->as.loop.body, &rewriter);
    struct hoisting inside = inside_of(&h);
    loop.as.loop.body = visit(loop.as.loop.body, &inside);
    outer->names = inside.names;
    VECTOR_PUSH(context->scratch, &item,
                loop.as.loop.body == statement->as.loop.body
                    ? statement
                    : statement_new(context->output, loop));
    return statement_block(context->output, statement->span, item.count, item.item);
}

const struct program *hoist_invariants(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct hoisting h = {.context = context, .program = in};
    out->body = visit(in->body, &h);
    return out;
}
