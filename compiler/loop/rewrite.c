/* Rewriting every expression of a statement tree. */
#include "loop/rewrite.h"

struct tree_rewrite {
    struct arena *arena;
    struct expr_rewriter *rewriter;
};

static const struct expr *rewrite_expression(const struct expr *node, void *user)
{
    const struct tree_rewrite *tree = user;
    return expr_rewrite(tree->rewriter, node);
}

static const struct statement *rewrite_statement(const struct statement *statement, void *user)
{
    struct tree_rewrite *tree = user;
    statement = statement_rewrite_expressions(tree->arena, statement, rewrite_expression, tree);
    return statement_rebuild(tree->arena, statement, rewrite_statement, tree);
}

const struct statement *statement_rewrite(struct arena *arena, const struct statement *statement,
                                          struct expr_rewriter *rewriter)
{
    struct tree_rewrite tree = {arena, rewriter};
    return rewrite_statement(statement, &tree);
}

const struct statement *statement_substitute(struct arena *arena, struct arena *scratch,
                                             struct expr_pool *pool,
                                             const struct statement *statement,
                                             const struct expr *variable,
                                             const struct expr *replacement)
{
    struct expr_substitution s = {variable, replacement};
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = expr_substituted, .context = &s, .scratch = scratch};
    return statement_rewrite(arena, statement, &rewriter);
}
