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

const struct expr *names_replaced(struct expr_pool *pool, struct arena *scratch,
                                  const struct expr *node, size_t count,
                                  const struct let_name name[])
{
    for (size_t i = count; i-- > 0;)
        node = expr_substitute(pool, scratch, node, name[i].variable, name[i].value);
    return node;
}

static bool is_used(struct arena *scratch, const struct expr *variable, size_t count,
                    const struct statement *const item[])
{
    bool used = false;
    for (size_t i = 0; i < count && !used; i++)
        used = statement_uses(scratch, item[i], variable);
    return used;
}

const struct statement *block_without_unused(struct arena *arena, struct arena *scratch,
                                             const struct statement *block)
{
    if (block->kind != STATEMENT_BLOCK)
        return block;
    const size_t count = block->as.block.count;
    const struct statement **item = ARENA_ARRAY(scratch, const struct statement *, count + 1);
    size_t from = count;
    for (size_t i = count; i-- > 0;) {
        const struct statement *next = block->as.block.item[i];
        if (next->kind != STATEMENT_LET ||
            is_used(scratch, next->as.let.variable, count - from, item + from))
            item[--from] = next;
    }
    return from == 0 ? block : statement_block(arena, block->span, count - from, item + from);
}
