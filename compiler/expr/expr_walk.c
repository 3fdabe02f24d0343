/* Walks and rewrites of expressions: each distinct node once, however often it is used. */
#include "expr/expr.h"

/* ---- Rewriting ---- */

/* The load with the values of its border rules rewritten. */
static const struct expr *rewrite_border_values(struct expr_rewriter *rewriter,
                                                const struct expr *node)
{
    if (node->kind != EXPR_LOAD || !node->as.load.border)
        return node;
    struct border *border = arena_copy(rewriter->scratch, node->as.load.border,
                                       node->count * sizeof *node->as.load.border);
    bool changed = false;
    for (unsigned i = 0; i < node->count; i++) {
        if (!border[i].value)
            continue;
        border[i].value = expr_rewrite(rewriter, border[i].value);
        changed = changed || border[i].value != node->as.load.border[i].value;
    }
    return changed ? expr_load(rewriter->pool, node->as.load.source, node->scalar, node->interval,
                               node->count, node->operand, border)
                   : node;
}

const struct expr *expr_rewrite(struct expr_rewriter *rewriter, const struct expr *node)
{
    const struct expr *known = hash_map_find(&rewriter->done, node);
    if (known)
        return known;
    const struct expr *result = node;
    if (!rewriter->enters || rewriter->enters(node, rewriter->context)) {
        const struct expr **operand =
            ARENA_ARRAY(rewriter->scratch, const struct expr *, node->count + 1);
        for (unsigned i = 0; i < node->count; i++)
            operand[i] = expr_rewrite(rewriter, node->operand[i]);
        const struct expr *rebuilt =
            expr_with_operands(rewriter->pool, rewrite_border_values(rewriter, node), operand);
        rewriter->original = node;
        /* An operation that became a load or variable is one of its parts, rewritten already:
         * select(c, a, a) is a. */
        const bool is_part = rebuilt->kind != node->kind &&
                             (rebuilt->kind == EXPR_LOAD || rebuilt->kind == EXPR_VARIABLE);
        result = is_part || !rewriter->rule ? rebuilt : rewriter->rule(rebuilt, rewriter->context);
    }
    hash_map_put(rewriter->scratch, &rewriter->done, node, (void *)(uintptr_t)result);
    return result;
}

const struct expr *expr_substituted(const struct expr *node, void *substitution)
{
    const struct expr_substitution *s = substitution;
    return node == s->node ? s->by : node;
}

static const struct expr *replacement_of(const struct expr *node, void *by)
{
    const struct expr *value = hash_map_find(by, node);
    return value ? value : node;
}

const struct expr *expr_replace(struct expr_pool *pool, struct arena *scratch,
                                const struct expr *root, const struct hash_map *by)
{
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = replacement_of, .context = (void *)(uintptr_t)by, .scratch = scratch};
    return expr_rewrite(&rewriter, root);
}

const struct expr *expr_substitute(struct expr_pool *pool, struct arena *scratch,
                                   const struct expr *root, const struct expr *node,
                                   const struct expr *by)
{
    struct arena *aside = arena_aside(scratch); /* scratch may be the pool's */
    const struct arena_mark mark = arena_mark(aside);
    struct expr_substitution s = {node, by};
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = expr_substituted, .context = &s, .scratch = aside};
    const struct expr *substituted = expr_rewrite(&rewriter, root);
    arena_release(aside, mark);
    return substituted;
}

/* ---- Visiting ---- */

void expr_visit(struct expr_walk *walk, const struct expr *root,
                void (*visit)(const struct expr *node, void *context), void *context)
{
    if (hash_map_find(&walk->seen, root))
        return;
    hash_map_put(walk->scratch, &walk->seen, root, (void *)(uintptr_t)root);
    for (unsigned i = 0; i < root->count; i++)
        expr_visit(walk, root->operand[i], visit, context);
    for (unsigned i = 0; root->kind == EXPR_LOAD && root->as.load.border && i < root->count; i++)
        if (root->as.load.border[i].value)
            expr_visit(walk, root->as.load.border[i].value, visit, context);
    if (visit)
        visit(root, context);
}

void expr_nodes(struct arena *scratch, const struct expr *root,
                void (*visit)(const struct expr *node, void *context), void *context)
{
    struct arena *aside = arena_aside(scratch);
    const struct arena_mark mark = arena_mark(aside);
    struct expr_walk walk = {.scratch = aside};
    expr_visit(&walk, root, visit, context);
    arena_release(aside, mark);
}

struct node_search {
    const struct expr *node;
    bool found;
};

static void search_node(const struct expr *node, void *user)
{
    struct node_search *search = user;
    search->found = search->found || node == search->node;
}

bool expr_contains(struct arena *scratch, const struct expr *root, const struct expr *node)
{
    struct node_search search = {node, false};
    expr_nodes(scratch, root, search_node, &search);
    return search.found;
}

unsigned expr_uses_of(const struct expr_uses *uses, const struct expr *node)
{
    return (unsigned)(uintptr_t)hash_map_find(&uses->count, node);
}

void expr_uses_add(struct expr_uses *uses, const struct expr *node, unsigned more)
{
    hash_map_put(uses->walk.scratch, &uses->count, node,
                 (void *)(uintptr_t)(expr_uses_of(uses, node) + more));
}

static void count_operands(const struct expr *node, void *user)
{
    for (unsigned i = 0; i < node->count; i++)
        expr_uses_add(user, node->operand[i], 1);
}

void expr_uses_count(struct expr_uses *uses, const struct expr *root)
{
    expr_visit(&uses->walk, root, count_operands, uses);
}
