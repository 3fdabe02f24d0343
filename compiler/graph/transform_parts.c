#include "graph/transform_parts.h"

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

struct complex_parts complex_load(struct expr_pool *pool, uint32_t source, enum scalar element,
                                  unsigned rank, const struct expr *const index[])
{
    const struct expr *at[GRAPH_MAX_RANK], *part[2];
    for (unsigned k = 0; k + 1 < rank; k++)
        at[k] = index[k];
    for (unsigned p = 0; p < 2; p++) {
        at[rank - 1] = expr_integer(pool, p);
        part[p] = expr_load(pool, source, element, scalar_info[element].interval, rank, at, NULL);
    }
    return (struct complex_parts){part[0], part[1]};
}

/* ---- What is made for a stage ---- */

uint32_t add_made_stage(struct pass_context *context, struct graph *out, const struct stage *whom,
                        const char *part, struct stage made)
{
    made.name = symbol_format(&context->session->symbols, "%s.%s", whom->name->text, part);
    made.span = whom->span;
    made.repeat = whom->repeat;
    made.is_made = true;
    return graph_add_stage(context->output, out, made).index;
}

struct stage_axis made_axis(struct pass_context *context, const struct stage *whom,
                            const char *part, const struct symbol *name, const struct expr *extent,
                            int64_t most)
{
    const struct expr *const zero = expr_integer(context->pool, 0);
    const struct expr *const variable = expr_variable(
        context->pool, VARIABLE_INDEX,
        symbol_format(&context->session->symbols, "%s.%s.%s", whom->name->text, part, name->text),
        SCALAR_I32, (struct interval){0, most});
    return (struct stage_axis){name, variable, zero, extent, zero, extent};
}

struct stage_axis axis_of_parts(struct pass_context *context)
{
    const struct symbol *name = symbol_from(&context->session->symbols, COMPLEX_AXIS);
    const struct expr *const zero = expr_integer(context->pool, 0);
    const struct expr *const two = expr_integer(context->pool, 2);
    const struct expr *const variable =
        expr_variable(context->pool, VARIABLE_INDEX, name, SCALAR_I32, (struct interval){0, 1});
    return (struct stage_axis){name, variable, zero, two, zero, two};
}

const struct expr *value_moved(struct pass_context *context, const struct stage *stage,
                               const struct expr *value, const struct expr *const index[])
{
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *variable = stage->axis[k].variable, *by = index[k];
        if (by->scalar != variable->scalar)
            by = expr_convert(context->pool, CONVERT_EXACT, variable->scalar, by);
        value = expr_substitute(context->pool, context->scratch, value, variable, by);
    }
    return value;
}

const struct expr *place_within(struct expr_pool *pool, const struct expr *place,
                                const struct expr *extent)
{
    const struct expr *const last = expr_binary(pool, EXPR_SUBTRACT, extent, expr_integer(pool, 1));
    return expr_binary(pool, EXPR_MAXIMUM, expr_binary(pool, EXPR_MINIMUM, place, last),
                       expr_integer(pool, 0));
}

/* ---- Roots of unity ---- */

/* One part of e^(i angle step k / n), by k. */
static uint32_t add_table(struct pass_context *context, struct graph *out,
                          const struct stage *stage, const char *part, double angle,
                          const struct root_tables *tables, const struct expr *extent,
                          enum expr_kind function)
{
    struct expr_pool *pool = context->pool;
    const struct stage_axis axis = made_axis(
        context, stage, part, symbol_from(&context->session->symbols, "k"), extent, INT32_MAX - 1);
    const struct expr *const turns =
        expr_binary(pool, EXPR_DIVIDE, expr_convert(pool, CONVERT_EXACT, SCALAR_F64, axis.variable),
                    expr_convert(pool, CONVERT_EXACT, SCALAR_F64, tables->n));
    const struct expr *const value =
        expr_unary(pool, function,
                   expr_binary(pool, EXPR_MULTIPLY, expr_real(pool, SCALAR_F64, angle), turns));
    return add_made_stage(
        context, out, stage, part,
        (struct stage){.kind = STAGE_MAP,
                       .element = stage->element,
                       .rank = 1,
                       .axis = arena_copy(context->output, &axis, sizeof axis),
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
