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

struct fitting {
    const struct program *program;
    bool fits;
};

static void check_fit(const struct statement *statement, void *user)
{
    struct fitting *f = user;
    const struct expr *value = statement->kind == STATEMENT_LET     ? statement->as.let.value
                               : statement->kind == STATEMENT_STORE ? statement->as.store.value
                                                                    : NULL;
    const enum scalar scalar = !value ? SCALAR_I64
                               : statement->kind == STATEMENT_LET
                                   ? statement->as.let.variable->scalar
                                   : program_buffer(f->program, statement->as.store.buffer)->scalar;
    if (value && scalar_is_integer(scalar))
        f->fits = f->fits && interval_inside(value->interval, scalar_info[scalar].interval);
    statement_children(statement, check_fit, f);
}

bool statement_values_fit(const struct program *program, const struct statement *statement)
{
    struct fitting f = {program, true};
    check_fit(statement, &f);
    return f.fits;
}

struct use_search {
    const struct expr *node;
    bool found;
};

static void search_use(const struct expr *node, void *user)
{
    struct use_search *search = user;
    search->found = search->found || node == search->node;
}

bool statement_uses(struct arena *scratch, const struct statement *statement,
                    const struct expr *node)
{
    struct use_search search = {node, false};
    statement_nodes(scratch, statement, search_use, &search);
    return search.found;
}
