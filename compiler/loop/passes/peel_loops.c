/* peel_loops: loop → loop. Computes the first iterations of a thread's loop apart where a condition
 * on the coordinate is another one there than in all others:
 *   before: loop j serial { store carry[j] = select(j < 1, 0, ends[j]) + a carry[j - 1] }
 *   after:  if 0 < n { store carry[0] = 0 + a carry[-1] }
 *           loop j from 1 serial { store carry[j] = ends[j] + a carry[j - 1] }
 * So a thread decides nothing before it loads, and loads for several iterations at once. Minima and
 * maxima that the others do not need go, too. Loops of a known number of iterations stay: compilers
 * write them out. */
#include "expr/affine.h"
#include "loop/rewrite.h"
#include "loop_pass.h"

enum { MOST_APART = 4 }; /* iterations: a recurrence of that order reads its own first samples */

struct peeling {
    struct pass_context *context;
    struct hash_map value;     /* of extents that are sums, by name */
    struct affine_bound bound; /* of the coordinate of the loop at hand */
    unsigned known;            /* conditions that are the same for all of it */
};

/* ---- What is known of a range of coordinates ---- */

/* Without names of extents that are sums. */
static const struct expr *written_out(const struct peeling *p, const struct expr *node)
{
    return expr_replace(p->context->pool, p->context->scratch, node, &p->value);
}

/* Whether a + by <= b. */
static bool is_at_most(struct peeling *p, const struct expr *a, int64_t by, const struct expr *b)
{
    struct affine rest =
        affine_sum(affine_from(written_out(p, b)), affine_from(written_out(p, a)), -1);
    rest.constant -= by;
    return rest.exact && affine_is_nonnegative(rest, 1, &p->bound);
}

/* Stores whether a comparison holds; false: it may, or may not. */
static bool is_known(struct peeling *p, const struct expr *node, bool *holds)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    switch ((int)node->kind) {
    case EXPR_LESS:
        *holds = is_at_most(p, a, 1, b);
        return *holds || is_at_most(p, b, 0, a);
    case EXPR_LESS_EQUAL:
        *holds = is_at_most(p, a, 0, b);
        return *holds || is_at_most(p, b, 1, a);
    case EXPR_EQUAL:
        *holds = is_at_most(p, a, 0, b) && is_at_most(p, b, 0, a);
        return *holds || is_at_most(p, a, 1, b) || is_at_most(p, b, 1, a);
    default:
        return false;
    }
}

static const struct expr *simpler(const struct expr *node, void *user)
{
    struct peeling *p = user;
    const bool is_least = node->kind == EXPR_MINIMUM;
    bool holds;
    if (node->count != 2 || !scalar_is_integer(node->operand[0]->scalar))
        return node;
    if (is_least || node->kind == EXPR_MAXIMUM) {
        const struct expr *a = node->operand[!is_least], *b = node->operand[is_least];
        return is_at_most(p, a, 0, b)   ? node->operand[0]
               : is_at_most(p, b, 0, a) ? node->operand[1]
                                        : node;
    }
    if (!is_known(p, node, &holds))
        return node;
    p->known++;
    return expr_boolean(p->context->pool, holds);
}

static const struct statement *without_choices(const struct statement *statement, void *user)
{
    struct peeling *p = user;
    statement = statement_rebuild(p->context->output, statement, without_choices, p);
    if (statement->kind != STATEMENT_IF || statement->as.branch.condition->kind != EXPR_INTEGER ||
        statement->as.branch.packed)
        return statement;
    const struct statement *chosen = statement->as.branch.condition->as.integer
                                         ? statement->as.branch.then
                                         : statement->as.branch.otherwise;
    return chosen ? chosen : statement_block(p->context->output, statement->span, 0, NULL);
}

/* Names that conditions alone had use of go with these. */
static const struct statement *without_unused(const struct statement *statement, void *user)
{
    struct pass_context *context = user;
    statement = statement_rebuild(context->output, statement, without_unused, context);
    return block_without_unused(context->output, context->scratch, statement);
}

/* The body at coordinates from `least` to `greatest`. */
static const struct statement *body_between(struct peeling *p, const struct statement *loop,
                                            const struct expr *least, const struct expr *greatest)
{
    p->known = 0;
    p->bound = (struct affine_bound){loop->as.loop.variable, written_out(p, least),
                                     written_out(p, greatest)};
    struct expr_rewriter rewriter = {
        .pool = p->context->pool, .rule = simpler, .context = p, .scratch = p->context->scratch};
    const struct statement *body =
        statement_rewrite(p->context->output, loop->as.loop.body, &rewriter);
    return p->known ? without_unused(without_choices(body, p), p->context) : body;
}

/* ---- Loops ---- */

static void note_loop(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_LOOP;
    statement_children(statement, note_loop, found);
}

/* more: iterations that may be apart. */
static const struct statement *peeled(struct peeling *p, const struct statement *loop,
                                      unsigned more)
{
    struct pass_context *context = p->context;
    struct expr_pool *pool = context->pool;
    const struct expr *one = expr_integer(pool, 1), *zero = expr_integer(pool, 0);
    const struct expr *first = loop->as.loop.first, *extent = loop->as.loop.extent;
    const struct expr *last = affine_normal(
        pool, expr_binary(pool, EXPR_SUBTRACT, expr_binary(pool, EXPR_ADD, first, extent), one));
    const struct expr *next = affine_normal(pool, expr_binary(pool, EXPR_ADD, first, one));
    const bool reversed = loop->as.loop.reversed;
    (void)body_between(p, loop, first, last);
    const unsigned known = p->known;
    struct statement others = *loop;
    others.as.loop.body =
        body_between(p, loop, reversed ? first : next,
                     reversed ? expr_binary(pool, EXPR_SUBTRACT, last, one) : last);
    if (p->known <= known || more == 0)
        return loop;
    if (!reversed)
        others.as.loop.first = next;
    others.as.loop.extent = affine_normal(pool, expr_binary(pool, EXPR_SUBTRACT, extent, one));
    const struct expr *begin = reversed ? last : first;
    const struct statement *start =
        statement_substitute(context->output, context->scratch, pool,
                             body_between(p, loop, begin, begin), loop->as.loop.variable, begin);
    const struct statement *const item[2] = {
        STATEMENT_NEW(
            context->output, loop->span, .kind = STATEMENT_IF,
            .as.branch = {expr_binary(pool, EXPR_LESS, zero, extent), start, NULL, false}),
        peeled(p, statement_new(context->output, others), more - 1)};
    return statement_block(context->output, loop->span, 2, item);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct peeling *p = user;
    bool has_loops = false;
    if (statement->kind == STATEMENT_KERNEL && statement->as.kernel.on_host)
        return statement;
    if (statement->kind == STATEMENT_LOOP && statement->as.loop.level == LEVEL_SERIAL &&
        statement->as.loop.extent->kind != EXPR_INTEGER) {
        note_loop(statement->as.loop.body, &has_loops);
        if (!has_loops)
            return peeled(p, statement, MOST_APART);
    }
    return statement_rebuild(p->context->output, statement, visit, p);
}

const struct program *peel_loops(const struct program *in, struct pass_context *context)
{
    struct peeling p = {.context = context};
    for (size_t i = 0; i < in->values.count; i++) {
        const struct affine form = affine_from(in->values.item[i].value);
        if (form.exact && affine_of_variables(&form))
            hash_map_put(context->scratch, &p.value, in->values.item[i].variable,
                         (void *)(uintptr_t)written_out(&p, in->values.item[i].value));
    }
    struct program *out = program_copy(context->output, in);
    out->body = visit(in->body, &p);
    return out;
}
