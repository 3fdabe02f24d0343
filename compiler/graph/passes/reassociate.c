/* reassociate: graph → graph. Reduces the number of operations in arithmetic that the program
 * declares fast. Roundings then differ from the written order.
 *   before: product = a[x] * b[x]   out[x] = product[x] + c[x]               inlined: add(multiply(a, b), c)
 *   after:  out[x] = fma(a[x], b[x], c[x])
 * A chain is a product to which products are added: p0 * q0 + (p1 * q1 + … pn * qn). What is added
 * to a chain moves to its end, which saves a rounding. (1 - t) * a + t * b becomes a + t * (b - a);
 * constant factors are multiplied. Nodes that are not fast do not change, nor does the order of
 * reductions. */
#include "graph_pass.h"

#include <float.h>
#include <math.h>

struct reassociation {
    struct pass_context *context;
    struct expr_rewriter rewriter;
    struct expr_uses uses; /* of nodes as they were, and as they are */
};

/* ---- Uses ---- */

static void count_uses(const struct expr *root, void *user)
{
    struct reassociation *r = user;
    expr_uses_count(&r->uses, root);
}

/* Else it is there in any case, and taken apart would be computed twice. */
static bool is_used_once(const struct reassociation *r, const struct expr *node)
{
    return expr_uses_of(&r->uses, node) <= 1;
}

/* ---- Building ---- */

static const struct expr *make(const struct reassociation *r, enum expr_kind kind, unsigned count,
                               const struct expr *const operand[])
{
    struct expr_pool *pool = r->context->pool;
    pool->fast = true;
    const struct expr *node = expr_operation(pool, kind, count, operand);
    pool->fast = false;
    return node;
}

static const struct expr *negated_if(const struct reassociation *r, bool negate,
                                     const struct expr *node)
{
    return !negate                     ? node
           : node->kind == EXPR_NEGATE ? node->operand[0]
                                       : make(r, EXPR_NEGATE, 1, &node);
}

/* p * q + rest; a product, where the rest is NULL. */
static const struct expr *fused(const struct reassociation *r, const struct expr *p,
                                const struct expr *q, const struct expr *rest)
{
    const struct expr *const operand[] = {p, q, rest};
    return rest ? make(r, EXPR_FUSED, 3, operand) : make(r, EXPR_MULTIPLY, 2, operand);
}

/* ---- Chains ---- */

static bool is_product(const struct expr *node)
{
    return node->fast && node->kind == EXPR_MULTIPLY;
}

/* The chain that the node is, negated or not; NULL: none. */
static const struct expr *chain_of(const struct reassociation *r, const struct expr *node,
                                   bool *negated)
{
    *negated = node->kind == EXPR_NEGATE;
    const struct expr *chain = *negated ? node->operand[0] : node, *link = chain;
    while (link->fast && link->kind == EXPR_FUSED && is_used_once(r, link))
        link = link->operand[2];
    return is_product(link) ? chain : NULL;
}

/* The chain, negated or not, and the addend behind its last product. */
static const struct expr *extended(const struct reassociation *r, const struct expr *chain,
                                   bool negate, const struct expr *addend)
{
    const struct expr *rest =
        chain->kind == EXPR_FUSED ? extended(r, chain->operand[2], negate, addend) : addend;
    return fused(r, negated_if(r, negate, chain->operand[0]), chain->operand[1], rest);
}

/* a + b or a - b. */
static const struct expr *sum(const struct reassociation *r, const struct expr *node)
{
    const struct expr *a = node->operand[0], *b = node->operand[1];
    const bool subtracts = node->kind == EXPR_SUBTRACT;
    bool negated;
    const struct expr *chain = chain_of(r, b, &negated);
    if (chain)
        return extended(r, chain, negated != subtracts, a);
    chain = chain_of(r, a, &negated);
    return chain ? extended(r, chain, negated, negated_if(r, subtracts, b)) : node;
}

/* ---- Mixtures ---- */

/* Whether the node is 1 - t. */
static bool is_complement(const struct expr *node, const struct expr *t)
{
    return node->fast && node->kind == EXPR_SUBTRACT && node->operand[1] == t &&
           node->operand[0]->kind == EXPR_REAL && node->operand[0]->as.real == 1;
}

/* t * b + (1 - t) * a as a + t * (b - a), the factors of each product in either order; NULL: it is
 * something else. */
static const struct expr *mixture(const struct reassociation *r, const struct expr *const first[2],
                                  const struct expr *const second[2])
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++) {
            const bool is_second = is_complement(second[k], first[i]);
            if (!is_second && !is_complement(first[i], second[k]))
                continue;
            const struct expr *t = is_second ? first[i] : second[k];
            const struct expr *a = is_second ? second[1 - k] : first[1 - i];
            const struct expr *b = is_second ? first[1 - i] : second[1 - k];
            const struct expr *const ends[] = {b, a};
            return fused(r, t, make(r, EXPR_SUBTRACT, 2, ends), a);
        }
    return NULL;
}

/* ---- Factors ---- */

/* The constant is a normal number; a product of several may overflow or underflow. */
static bool is_common(const struct expr *constant)
{
    const double size = fabs(constant->as.real);
    return constant->scalar == SCALAR_F32 ? size >= FLT_MIN && size <= FLT_MAX : isnormal(size);
}

/* (x * 2) * 3: the constant comes to stand last, and two are one. */
static const struct expr *product(const struct reassociation *r, const struct expr *p,
                                  const struct expr *q, const struct expr *rest)
{
    const struct expr *constant = q->kind == EXPR_REAL ? q : p;
    const struct expr *other = q->kind == EXPR_REAL ? p : q;
    if (constant->kind != EXPR_REAL || !is_product(other) || !is_used_once(r, other))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (other->operand[i]->kind != EXPR_REAL)
            continue;
        const struct expr *both = fused(r, other->operand[i], constant, NULL);
        return is_common(both) ? fused(r, other->operand[1 - i], both, rest) : NULL;
    }
    return NULL;
}

/* ---- The graph ---- */

static const struct expr *with_fused_terms(const struct reassociation *r, const struct expr *node)
{
    const struct expr *term = node->operand[0];
    if (node->as.reduce.operation != REDUCTION_SUM || node->as.reduce.fused || !is_product(term))
        return node;
    struct expr_reduction shape = node->as.reduce;
    const struct expr *operand[REDUCTION_MOST_OPERANDS] = {term->operand[0], term->operand[1]};
    for (unsigned i = 1; i < node->count; i++)
        operand[i + 1] = node->operand[i];
    shape.fused = true;
    struct expr_pool *pool = r->context->pool;
    pool->fast = true;
    const struct expr *made = expr_reduce_as(pool, &shape, operand);
    pool->fast = false;
    return made;
}

static const struct expr *reassociated(const struct reassociation *r, const struct expr *node)
{
    const struct expr *better = NULL;
    switch ((int)node->kind) {
    case EXPR_ADD:
    case EXPR_SUBTRACT:
        return sum(r, node);
    case EXPR_MULTIPLY:
        better = product(r, node->operand[0], node->operand[1], NULL);
        break;
    case EXPR_FUSED:
        if (is_product(node->operand[2]))
            better = mixture(r, node->operand, node->operand[2]->operand);
        if (!better)
            better = product(r, node->operand[0], node->operand[1], node->operand[2]);
        break;
    case EXPR_REDUCE:
        return with_fused_terms(r, node);
    }
    return better ? better : node;
}

static const struct expr *rewrite(const struct expr *node, void *user)
{
    struct reassociation *r = user;
    const struct expr *made = node;
    for (const struct expr *before = NULL; made->fast && made != before;) {
        before = made;
        made = reassociated(r, made);
    }
    if (made != r->rewriter.original)
        expr_uses_add(&r->uses, made, expr_uses_of(&r->uses, r->rewriter.original));
    return made;
}

const struct graph *reassociate(const struct graph *in, struct pass_context *context)
{
    if (!graph_is_fast(in, context->scratch))
        return in;
    struct graph *out = graph_copy_without_stages(context->output, in);
    for (size_t i = 0; i < in->stages.count; i++) {
        const struct stage *stage = in->stages.item[i];
        struct reassociation r = {.context = context,
                                  .uses = {.walk = {.scratch = context->scratch}}};
        r.rewriter = (struct expr_rewriter){
            .pool = context->pool, .rule = rewrite, .context = &r, .scratch = context->scratch};
        stage_expressions(stage, count_uses, &r);
        graph_add_stage(context->output, out, stage_rewrite(context->output, stage, &r.rewriter));
    }
    return out;
}
