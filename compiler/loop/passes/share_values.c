/* share_values: loop → loop. Computes a value once, before a statement, if the statement uses it
 * several times or nests it too deeply to print. In a loop over vector lanes, does so too with a
 * sample that only one case of a choice by floats reads.
 *   before: out[x] = (in[x] - a) * b * ((in[x] - a) * b)
 *   after:  let value_1 = (in[x] - a) * b   out[x] = value_1 * value_1
 * Afterwards the text of a statement is as large as its graph of values. */
#include "loop_pass.h"
#include "expr/affine.h"

enum { WORTH_DEPTH = 3, MOST_NESTED = 24 };

struct sharing {
    struct pass_context *context;
    const struct program *program;
    unsigned names; /* of the kernel at hand */
    bool in_lanes;  /* the statement at hand is the body of a loop over vector lanes */
    bool in_kernel; /* the host has no names */
};

struct statement_values {
    struct sharing *sharing;
    struct span span;
    struct hash_map uses;    /* node → number of uses */
    struct hash_map height;  /* node → nesting of its text, counted from the values with names */
    struct hash_map certain; /* nodes that are computed whatever choices are taken */
    struct hash_map cases;   /* samples that one case reads and that lanes read for both */
    struct expr_rewriter rewriter;
    VECTOR(const struct statement *) lets;
};

static void count_uses(const struct expr *node, void *user)
{
    struct statement_values *v = user;
    const uintptr_t uses = (uintptr_t)hash_map_find(&v->uses, node);
    hash_map_put(v->sharing->context->scratch, &v->uses, node, (void *)(uses + 1));
    if (uses == 0)
        for (unsigned i = 0; i < node->count; i++)
            count_uses(node->operand[i], v);
}

static unsigned height_of(struct statement_values *v, const struct expr *node)
{
    return (unsigned)(uintptr_t)hash_map_find(&v->height, node);
}

static void note_load(const struct expr *node, void *user)
{
    *(bool *)user = *(bool *)user || node->kind == EXPR_LOAD;
}

/* Border rules choose by coordinates, which are integers, and the sample may be outside of memory
 * where they choose another value. A choice by floats is the program's own, and a sample that it
 * chooses is there. */
static bool is_by_floats(const struct expr *choice)
{
    const struct expr *condition = choice->operand[0];
    while (condition->kind == EXPR_NOT)
        condition = condition->operand[0];
    return condition->count == 2 && scalar_is_float(condition->operand[0]->scalar) &&
           scalar_is_float(condition->operand[1]->scalar);
}

/* C compilers do not know that the sample is there, and read it lane by lane or under a mask: 1.5
 * to 2.7 times the time of a weighted sum. */
static void note_cases(struct statement_values *v, const struct expr *choice)
{
    const struct program *program = v->sharing->program;
    for (unsigned i = 1; i < choice->count; i++) {
        const struct expr *value = choice->operand[i];
        if (value->kind == EXPR_LOAD &&
            program->buffers.item[value->as.load.source].space != SPACE_REGISTER)
            hash_map_put(v->sharing->context->scratch, &v->cases, value, v);
    }
}

/* Notes what is computed whatever choices are taken. */
static void note_certain(const struct expr *node, void *user)
{
    struct statement_values *v = user;
    if (hash_map_find(&v->certain, node))
        return;
    hash_map_put(v->sharing->context->scratch, &v->certain, node, v);
    const bool chooses =
        node->kind == EXPR_SELECT || node->kind == EXPR_AND || node->kind == EXPR_OR;
    if (v->sharing->in_lanes && node->kind == EXPR_SELECT && is_by_floats(node))
        note_cases(v, node);
    for (unsigned i = 0; i < node->count && !(chooses && i > 0); i++)
        note_certain(node->operand[i], user);
}

/* Whether few threads of a grid read samples for it, which a name would have all threads read. */
static bool is_read_by_few(struct statement_values *v, const struct expr *node)
{
    enum { MOST_SIZE = 64 }; /* of the text, which is written where it is used */
    struct pass_context *context = v->sharing->context;
    if (context->target->execution != EXECUTION_GRID || node->size > MOST_SIZE ||
        hash_map_find(&v->certain, node))
        return false;
    bool loads = false;
    expr_nodes(context->scratch, node, note_load, &loads);
    return loads;
}

/* 2 x + 1: arithmetic of addresses, which a C compiler sees through as long as it has no name. */
static bool is_address(const struct expr *node)
{
    enum { MOST_TERMS = 2 };
    if (!scalar_is_integer(node->scalar) || node->size > 16)
        return false;
    const struct affine form = affine_from(node);
    return affine_of_variables(&form) && form.count <= MOST_TERMS;
}

/* Names the value if it is worth one; operands have been treated before. */
static void treat(const struct expr *node, void *user)
{
    struct statement_values *v = user;
    struct pass_context *context = v->sharing->context;
    unsigned height = 1;
    for (unsigned i = 0; i < node->count; i++)
        if (height_of(v, node->operand[i]) >= height)
            height = height_of(v, node->operand[i]) + 1;
    const bool worth =
        (node->depth >= WORTH_DEPTH && !is_address(node)) || node->kind == EXPR_EXTERNAL;
    const bool shared =
        worth && (uintptr_t)hash_map_find(&v->uses, node) > 1 && !is_read_by_few(v, node);
    const bool of_case = hash_map_find(&v->cases, node) && !hash_map_find(&v->certain, node);
    if (shared || of_case || height > MOST_NESTED) {
        const struct expr *value = expr_rewrite(&v->rewriter, node);
        if (value->kind == EXPR_VARIABLE) { /* it has a name */
            hash_map_put(context->scratch, &v->rewriter.done, node, (void *)(uintptr_t)value);
            hash_map_put(context->scratch, &v->height, node, (void *)(uintptr_t)1);
            return;
        }
        const struct symbol *name =
            symbol_format(&context->session->symbols, "value.%u", ++v->sharing->names);
        const struct expr *variable =
            expr_variable(context->pool, VARIABLE_LOCAL, name, node->scalar, node->interval);
        VECTOR_PUSH(context->scratch, &v->lets,
                    STATEMENT_NEW(context->output, v->span, .kind = STATEMENT_LET,
                                  .as.let = {variable, value}));
        hash_map_put(context->scratch, &v->rewriter.done, node, (void *)(uintptr_t)variable);
        height = 1;
    }
    hash_map_put(context->scratch, &v->height, node, (void *)(uintptr_t)height);
}

static const struct expr *rewrite(const struct expr *node, void *user)
{
    struct statement_values *v = user;
    return expr_rewrite(&v->rewriter, node);
}

static void treat_expression(const struct expr *node, void *user)
{
    struct statement_values *v = user;
    expr_nodes(v->sharing->context->scratch, node, treat, v);
}

static const struct statement *visit(const struct statement *statement, void *user);

static const struct statement *visit_block(const struct statement *block, struct sharing *s)
{
    VECTOR(const struct statement *) item = {0};
    for (size_t i = 0; i < block->as.block.count; i++) {
        const struct statement *old = block->as.block.item[i], *new = visit(old, s);
        /* The names made for a let go before it, in its own block. */
        if (old->kind == STATEMENT_LET && new->kind == STATEMENT_BLOCK)
            for (size_t k = 0; k < new->as.block.count; k++)
                VECTOR_PUSH(s->context->scratch, &item, new->as.block.item[k]);
        else
            VECTOR_PUSH(s->context->scratch, &item, new);
    }
    return statement_block(s->context->output, block->span, item.count, item.item);
}

static bool is_over_lanes(const struct statement *statement)
{
    return statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_VECTOR;
}

static const struct statement *with_values_shared(const struct statement *statement,
                                                  struct sharing *s)
{
    struct pass_context *context = s->context;
    struct statement_values v = {.sharing = s,
                                 .span = statement->span,
                                 .rewriter = {.pool = context->pool, .scratch = context->scratch}};
    statement_expressions(statement, count_uses, &v);
    statement_expressions(statement, note_certain, &v);
    statement_expressions(statement, treat_expression, &v);
    const struct statement *result =
        v.lets.count ? statement_rewrite_expressions(context->output, statement, rewrite, &v)
                     : statement;
    const bool in_lanes = s->in_lanes;
    s->in_lanes = in_lanes || is_over_lanes(statement);
    result = statement_rebuild(context->output, result, visit, s);
    s->in_lanes = in_lanes;
    if (v.lets.count == 0)
        return result;
    VECTOR_PUSH(context->scratch, &v.lets, result);
    const struct statement **item =
        arena_copy(context->output, v.lets.item, v.lets.count * sizeof *v.lets.item);
    return STATEMENT_NEW(context->output, statement->span, .kind = STATEMENT_BLOCK,
                         .as.block = {item, v.lets.count});
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct sharing *s = user;
    if (statement->kind == STATEMENT_BLOCK)
        return visit_block(statement, s);
    if (statement->kind == STATEMENT_KERNEL) {
        struct sharing kernel = {s->context, s->program, 0, false, true};
        return statement_rebuild(s->context->output, statement, visit, &kernel);
    }
    if (!s->in_kernel)
        return statement_rebuild(s->context->output, statement, visit, s);
    const struct arena_mark mark = arena_mark(s->context->scratch);
    const struct statement *shared = with_values_shared(statement, s);
    arena_release(s->context->scratch, mark);
    return shared;
}

const struct program *share_values(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct sharing s = {context, out, 0, false, false};
    out->body = visit(in->body, &s);
    return out;
}
