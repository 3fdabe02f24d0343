/* block_registers: loop → loop. Register blocking: several iterations of a loop run together inside
 * its inner loops, so that common reads are done once:
 *   before: loop y from 0 extent n independent by 2 { loop x { store out[y, x] = in[y, x] + in[y + 1, x] } }
 *   after:  loop y.group from 0 extent (n + 1) / 2 independent by 2 {
 *               if (2 y.group + 2 <= n) {
 *                   loop x { store out[2 y.group, x] = …  store out[2 y.group + 1, x] = … }
 *               } else { loop y from 2 y.group extent n - 2 y.group { … } } }
 * Inner loops over different ranges for each iteration stay separate, one after another. */
#include "loop_pass.h"
#include "analysis/regions.h"
#include "loop/rewrite.h"

/* The bodies of the iterations of one group. */
struct group {
    struct pass_context *context;
    size_t count;
    const struct statement *const *body;
};

/* ---- Side by side ---- */

static bool same_loops(const struct group *g)
{
    const struct statement *first = g->body[0];
    bool same = first->kind == STATEMENT_LOOP && first->as.loop.level == LEVEL_INDEPENDENT;
    for (size_t i = 1; same && i < g->count; i++)
        same = g->body[i]->kind == STATEMENT_LOOP &&
               g->body[i]->as.loop.variable == first->as.loop.variable &&
               g->body[i]->as.loop.first == first->as.loop.first &&
               g->body[i]->as.loop.extent == first->as.loop.extent;
    return same;
}

/* Blocks with a loop each, and nothing before it but what is asked for ahead. */
static bool same_blocks(const struct group *g)
{
    const struct statement *first = g->body[0];
    bool same = first->kind == STATEMENT_BLOCK;
    for (size_t k = 0; same && k < first->as.block.count; k++)
        same = first->as.block.item[k]->kind ==
               (k + 1 == first->as.block.count ? STATEMENT_LOOP : STATEMENT_PREFETCH);
    for (size_t i = 1; same && i < g->count; i++)
        same = g->body[i]->kind == STATEMENT_BLOCK &&
               g->body[i]->as.block.count == first->as.block.count;
    return same;
}

static const struct statement *merged(const struct group *g);

static const struct statement *merged_loops(const struct group *g)
{
    const struct statement **body =
        ARENA_ARRAY(g->context->output, const struct statement *, g->count);
    for (size_t i = 0; i < g->count; i++)
        body[i] = g->body[i]->as.loop.body;
    const struct group inside = {g->context, g->count, body};
    struct statement loop = *g->body[0];
    loop.as.loop.body = merged(&inside);
    return statement_new(g->context->output, loop);
}

static const struct statement *merged_blocks(const struct group *g)
{
    struct pass_context *context = g->context;
    const size_t last = g->body[0]->as.block.count - 1;
    struct statement_items items = {0};
    const struct statement **loop =
        ARENA_ARRAY(context->output, const struct statement *, g->count);
    for (size_t i = 0; i < g->count; i++) {
        for (size_t k = 0; k < last; k++)
            VECTOR_PUSH(context->scratch, &items, g->body[i]->as.block.item[k]);
        loop[i] = g->body[i]->as.block.item[last];
    }
    const struct group inside = {context, g->count, loop};
    VECTOR_PUSH(context->scratch, &items, merged(&inside));
    return statement_block(context->output, g->body[0]->span, items.count, items.item);
}

static const struct statement *merged(const struct group *g)
{
    if (same_loops(g))
        return merged_loops(g);
    if (same_blocks(g))
        return merged_blocks(g);
    return statement_block(g->context->output, g->body[0]->span, g->count, g->body);
}

/* ---- Groups ---- */

struct blocking {
    struct pass_context *context;
    const struct program *in;
};

/* An iteration of a group. Where the coordinate in sums with that of the group would not be known
 * to fit, it has a name. */
static const struct statement *iteration(struct pass_context *context,
                                         const struct program *program,
                                         const struct statement *loop, const struct expr *place)
{
    const struct expr *variable = loop->as.loop.variable;
    const struct statement *body = statement_substitute(
        context->output, context->scratch, context->pool, loop->as.loop.body, variable, place);
    if (statement_values_fit(program, body))
        return body;
    const struct expr *named = expr_variable(
        context->pool, VARIABLE_LOCAL, variable->as.variable.name, SCALAR_I64, variable->interval);
    const struct statement *const both[2] = {
        STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_LET, .as.let = {named, place}),
        statement_substitute(context->output, context->scratch, context->pool, loop->as.loop.body,
                             variable, named)};
    return statement_block(context->output, loop->span, 2, both);
}

static const struct statement *visit(const struct statement *statement, void *user);

static const struct statement *grouped(struct pass_context *context, const struct program *program,
                                       const struct statement *loop)
{
    struct expr_pool *pool = context->pool;
    const int64_t size = loop->as.loop.by;
    const struct expr *variable = loop->as.loop.variable, *extent = loop->as.loop.extent;
    const struct expr *several = expr_integer(pool, size);
    const struct interval interval = {0, extent->interval.greatest / size + 1};
    const struct expr *group = expr_variable(
        pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.group", variable->as.variable.name->text),
        scalar_width(interval), interval);
    const struct expr *begin = expr_binary(pool, EXPR_MULTIPLY, several, group);
    const struct statement **body =
        ARENA_ARRAY(context->output, const struct statement *, (size_t)size);
    for (int64_t i = 0; i < size; i++) {
        const struct expr *place = region_sum(pool, region_sum(pool, loop->as.loop.first, begin, 1),
                                              expr_integer(pool, i), 1);
        body[i] = iteration(context, program, loop, place);
    }
    struct statement rest = *loop;
    rest.as.loop.by = 0;
    rest.as.loop.level = LEVEL_INDEPENDENT;
    rest.as.loop.first = region_sum(pool, loop->as.loop.first, begin, 1);
    rest.as.loop.extent = region_sum(pool, extent, begin, -1);
    const struct group all = {context, (size_t)size, body};
    struct statement groups = *loop;
    groups.as.loop.variable = group;
    groups.as.loop.first = expr_integer(pool, 0);
    groups.as.loop.extent = expr_binary(
        pool, EXPR_DIVIDE, region_sum(pool, extent, expr_integer(pool, size - 1), 1), several);
    groups.as.loop.body =
        STATEMENT_NEW(context->output, loop->span, .kind = STATEMENT_IF,
                      .as.branch = {expr_binary(pool, EXPR_LESS_EQUAL,
                                                region_sum(pool, begin, several, 1), extent),
                                    merged(&all), statement_new(context->output, rest)});
    return statement_new(context->output, groups);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    const struct blocking *b = user;
    const struct statement *result = statement_rebuild(b->context->output, statement, visit, user);
    return result->kind == STATEMENT_LOOP && result->as.loop.by > 1
               ? grouped(b->context, b->in, result)
               : result;
}

const struct program *block_registers(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct blocking b = {context, in};
    out->body = visit(in->body, &b);
    return out;
}
