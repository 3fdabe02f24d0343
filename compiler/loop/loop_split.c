/* The iterations before and behind the inside are one loop: its body is emitted once. */
#include "loop/loop_split.h"

#include "analysis/regions.h"
#include "loop/rewrite.h"

const struct statement *loop_with_rest(struct pass_context *context, const struct statement *loop,
                                       const struct expr *low, const struct expr *high,
                                       const struct statement *inside, const char *rest)
{
    struct expr_pool *pool = context->pool;
    const struct expr *variable = loop->as.loop.variable, *first = loop->as.loop.first;
    const struct expr *end = region_sum(pool, first, loop->as.loop.extent, 1);
    const struct expr *before = region_sum(pool, low, first, -1);
    const struct expr *behind = region_sum(pool, end, high, -1);
    const struct interval interval = {0, INT32_MAX};
    const struct symbol *name = variable->as.variable.name;
    const struct expr *outside = expr_variable(
        pool, VARIABLE_INDEX, symbol_format(&context->session->symbols, "%s.%s", name->text, rest),
        SCALAR_I32, interval);
    const struct expr *place =
        expr_variable(pool, VARIABLE_LOCAL, name, SCALAR_I64, variable->interval);
    const struct expr *from_first = region_sum(pool, first, outside, 1);
    const struct expr *from_high = region_sum(pool, region_sum(pool, high, outside, 1), before, -1);
    const bool none_before = before->kind == EXPR_INTEGER && before->as.integer == 0;
    const struct expr *value =
        none_before ? from_high
                    : expr_select(pool, expr_binary(pool, EXPR_LESS, outside, before), from_first,
                                  from_high);
    const struct statement *const body[2] = {
        STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_LET, .as.let = {place, value}),
        statement_substitute(context->output, context->scratch, pool, loop->as.loop.body, variable,
                             place)};
    const struct statement *const both[2] = {
        inside, STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_LOOP,
                              .as.loop = {outside, expr_integer(pool, 0),
                                          region_sum(pool, before, behind, 1), loop->as.loop.level,
                                          statement_block(context->output, loop->span, 2, body)})};
    return statement_block(context->output, loop->span, 2, both);
}

struct use_search {
    const struct expr *variable;
    bool found;
};

static void note_use(const struct expr *node, void *user)
{
    struct use_search *search = user;
    search->found = search->found || node == search->variable;
}

const struct expr *loop_coordinate(struct arena *scratch, const struct statement *loop)
{
    const struct expr *variable = loop->as.loop.variable;
    const struct statement_list body = statement_items_of(&loop->as.loop.body);
    if (body.count == 0 || body.item[0]->kind != STATEMENT_LET ||
        !scalar_is_integer(body.item[0]->as.let.variable->scalar) ||
        !expr_contains(scratch, body.item[0]->as.let.value, variable))
        return variable;
    struct use_search search = {variable, false};
    for (size_t i = 1; i < body.count; i++)
        statement_nodes(scratch, body.item[i], note_use, &search);
    return search.found ? variable : body.item[0]->as.let.variable;
}
