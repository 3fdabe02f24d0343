#include "graph/complex_parts.h"

enum { FINE = 1024 }; /* entries of the table of small angles */

struct complex_parts complex_sum(struct expr_pool *pool, struct complex_parts a,
                                 struct complex_parts b)
{
    return (struct complex_parts){expr_binary(pool, EXPR_ADD, a.re, b.re),
                                  expr_binary(pool, EXPR_ADD, a.im, b.im)};
}

struct complex_parts complex_product(struct expr_pool *pool, struct complex_parts a,
                                     struct complex_parts b)
{
    return (struct complex_parts){
        expr_binary(pool, EXPR_SUBTRACT, expr_binary(pool, EXPR_MULTIPLY, a.re, b.re),
                    expr_binary(pool, EXPR_MULTIPLY, a.im, b.im)),
        expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MULTIPLY, a.re, b.im),
                    expr_binary(pool, EXPR_MULTIPLY, a.im, b.re))};
}

struct complex_parts complex_conjugate(struct expr_pool *pool, struct complex_parts a)
{
    return (struct complex_parts){a.re, expr_unary(pool, EXPR_NEGATE, a.im)};
}

uint32_t add_made_stage(struct pass_context *context, struct graph *out, const struct stage *whom,
                        const char *part, struct stage made)
{
    made.name = symbol_format(&context->session->symbols, "%s.%s", whom->name->text, part);
    made.span = whom->span;
    made.repeat = whom->repeat;
    made.element = whom->element;
    made.is_made = true;
    return graph_add_stage(context->output, out, made).index;
}

/* One part of e^(i angle step k / n), by k. */
static uint32_t add_table(struct pass_context *context, struct graph *out,
                          const struct stage *stage, const char *part, double angle,
                          const struct root_tables *tables, const struct expr *extent,
                          enum expr_kind function)
{
    struct expr_pool *pool = context->pool;
    struct symbol_table *symbols = &context->session->symbols;
    struct stage_axis *axis = ARENA_NEW(context->output, struct stage_axis);
    const struct expr *zero = expr_integer(pool, 0);
    const struct expr *variable = expr_variable(
        pool, VARIABLE_INDEX, symbol_format(symbols, "%s.%s.k", stage->name->text, part),
        SCALAR_I32, (struct interval){0, INT32_MAX - 1});
    *axis = (struct stage_axis){symbol_from(symbols, "k"), variable, zero, extent, zero, extent};
    const struct expr *const turns =
        expr_binary(pool, EXPR_DIVIDE, expr_convert(pool, CONVERT_EXACT, SCALAR_F64, variable),
                    expr_convert(pool, CONVERT_EXACT, SCALAR_F64, tables->n));
    const struct expr *const value =
        expr_unary(pool, function,
                   expr_binary(pool, EXPR_MULTIPLY, expr_real(pool, SCALAR_F64, angle), turns));
    return add_made_stage(
        context, out, stage, part,
        (struct stage){.kind = STAGE_MAP,
                       .rank = 1,
                       .axis = axis,
                       .value = expr_convert(pool, CONVERT_EXACT, stage->element, value)});
}

struct root_tables root_tables_add(struct pass_context *context, struct graph *out,
                                   const struct stage *stage, const char *part, double angle,
                                   const struct expr *n)
{
    static const enum expr_kind function[2] = {EXPR_COSINE, EXPR_SINE};
    static const char *const name[2] = {"re", "im"};
    struct expr_pool *pool = context->pool;
    struct root_tables tables = {.pool = pool, .element = stage->element, .n = n};
    const struct expr *const fine = expr_integer(pool, FINE);
    const struct expr *const coarse =
        expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_DIVIDE, n, fine), expr_integer(pool, 1));
    for (unsigned p = 0; p < 2; p++) {
        tables.fine[p] = add_table(context, out, stage,
                                   arena_format(context->scratch, "%s.fine.%s", part, name[p]),
                                   angle, &tables, fine, function[p]);
        tables.coarse[p] = add_table(context, out, stage,
                                     arena_format(context->scratch, "%s.coarse.%s", part, name[p]),
                                     FINE * angle, &tables, coarse, function[p]);
    }
    return tables;
}

static struct complex_parts entry(const struct root_tables *t, const uint32_t table[2],
                                  const struct expr *k)
{
    const struct interval any = scalar_info[t->element].interval;
    return (struct complex_parts){expr_load(t->pool, table[0], t->element, any, 1, &k, NULL),
                                  expr_load(t->pool, table[1], t->element, any, 1, &k, NULL)};
}

struct complex_parts root_at(const struct root_tables *tables, const struct expr *k)
{
    const struct expr *const fine = expr_integer(tables->pool, FINE);
    return complex_product(
        tables->pool,
        entry(tables, tables->coarse, expr_binary(tables->pool, EXPR_DIVIDE, k, fine)),
        entry(tables, tables->fine, expr_binary(tables->pool, EXPR_REMAINDER, k, fine)));
}
