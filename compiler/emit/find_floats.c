/* Whether a program has floats at all: what its file says and sets for them is left out of those of
 * integers alone. */
#include "emit/emission.h"

struct floats_search {
    struct expr_walk walk;
    bool found;
};

static void look_at_node(const struct expr *node, void *user)
{
    struct floats_search *search = user;
    search->found = search->found || scalar_is_float(node->scalar);
}

static void look_at_expression(const struct expr *root, void *user)
{
    struct floats_search *search = user;
    expr_visit(&search->walk, root, look_at_node, search);
}

static void look_at_statement(const struct statement *statement, void *user)
{
    statement_expressions(statement, look_at_expression, user);
    statement_children(statement, look_at_statement, user);
}

/* What the host computes before any kernel. */
static void look_at_host(const struct program *program, struct floats_search *search)
{
    for (size_t i = 0; i < program->parameters.count; i++)
        search->found = search->found || scalar_is_float(program->parameters.item[i].scalar);
    for (size_t i = 0; i < program->checks.count; i++)
        look_at_expression(program->checks.item[i].condition, search);
    for (size_t i = 0; i < program->values.count; i++)
        look_at_expression(program->values.item[i].value, search);
}

void find_floats(struct emission *e)
{
    const struct program *program = e->program;
    struct floats_search search = {.walk = {.scratch = e->arena}};
    look_at_host(program, &search);
    e->host_has_floats = search.found;
    for (size_t i = 0; i < program->buffers.count; i++)
        search.found = search.found || scalar_is_float(program->buffers.item[i].scalar);
    look_at_statement(program->body, &search);
    e->has_floats = search.found;
}
