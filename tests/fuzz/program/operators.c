/* Expressions put together: each function makes the syntax and knows the type that the language
 * gives it. No function here makes more than one random choice. */
#include "program/operators.h"

#include <assert.h>

static const enum scalar integer_scalar[] = {SCALAR_U8,  SCALAR_I8,  SCALAR_U16, SCALAR_I16,
                                             SCALAR_U32, SCALAR_I32, SCALAR_I64};

/* ---- Types ---- */

struct interval hull(struct interval a, struct interval b)
{
    return (struct interval){a.least < b.least ? a.least : b.least,
                             a.greatest > b.greatest ? a.greatest : b.greatest};
}

struct typed typed_integer(struct generator *g, int64_t value)
{
    return (struct typed){.ast = integer_node(&g->s, value),
                          .class = CLASS_INTEGER,
                          .interval = {value, value},
                          .constant = true};
}

struct typed typed_float(const struct ast *ast, enum scalar scalar)
{
    return (struct typed){.ast = ast, .class = CLASS_FLOAT, .scalar = scalar};
}

struct typed typed_truth(const struct ast *ast)
{
    return (struct typed){.ast = ast, .class = CLASS_BOOL, .interval = {0, 1}};
}

struct typed as_computed(struct typed a)
{
    if (a.class == CLASS_FLOAT && a.scalar == SCALAR_F16)
        a.scalar = SCALAR_F32;
    return a;
}

struct typed call1(struct generator *g, const char *name, struct typed a)
{
    a.ast = call_node(&g->s, name, 1, &a.ast);
    return as_computed(a);
}

struct typed convert(struct generator *g, enum scalar scalar, struct typed a)
{
    const char *name = scalar_info[scalar].text;
    const struct typed result = call1(g, name, a);
    if (scalar_is_float(scalar))
        return typed_float(result.ast, scalar);
    struct interval interval = scalar_info[scalar].interval;
    if (a.class == CLASS_INTEGER && interval_inside(a.interval, interval))
        interval = a.interval;
    return (struct typed){
        .ast = result.ast, .class = CLASS_INTEGER, .interval = interval, .constant = a.constant};
}

struct typed cut(struct generator *g, enum ast_conversion_mode mode, enum scalar scalar,
                 struct typed a)
{
    return (struct typed){.ast = conversion_node(&g->s, mode, scalar, a.ast),
                          .class = CLASS_INTEGER,
                          .interval = scalar_info[scalar].interval,
                          .constant = a.constant};
}

enum scalar any_integer(struct generator *g)
{
    return integer_scalar[below(&g->random, 7)];
}

/* The type two numbers meet in. */
static struct typed met(struct typed a, struct typed b)
{
    struct typed result = {.class = CLASS_FLOAT, .scalar = SCALAR_F32};
    result.constant = a.constant && b.constant;
    if (a.class == CLASS_INTEGER && b.class == CLASS_INTEGER) {
        result.class = CLASS_INTEGER;
        return result;
    }
    const bool a_loose = a.untyped || (a.class == CLASS_INTEGER && a.constant);
    const bool b_loose = b.untyped || (b.class == CLASS_INTEGER && b.constant);
    if ((a.class == CLASS_FLOAT && a.scalar == SCALAR_F64 && !a.untyped) ||
        (b.class == CLASS_FLOAT && b.scalar == SCALAR_F64 && !b.untyped)) {
        result.scalar = SCALAR_F64;
    } else if (a_loose && b_loose) {
        result.scalar = SCALAR_F64;
        result.untyped = true;
    }
    return result;
}

struct typed as_class(struct generator *g, struct typed a, enum scalar_class class)
{
    if (a.class == class)
        return a;
    if (class == CLASS_BOOL) {
        static const enum ast_operator compare[] = {OPERATOR_LESS,       OPERATOR_GREATER,
                                                    OPERATOR_LESS_EQUAL, OPERATOR_GREATER_EQUAL,
                                                    OPERATOR_EQUAL,      OPERATOR_NOT_EQUAL};
        const enum ast_operator o = compare[below(&g->random, 6)];
        return typed_truth(
            binary_node(&g->s, o, a.ast, integer_node(&g->s, between(&g->random, -3, 100))));
    }
    if (a.class == CLASS_BOOL) {
        const struct ast *one = integer_node(&g->s, below(&g->random, 4));
        const struct ast *other = integer_node(&g->s, between(&g->random, -2, 3));
        const struct ast *const three[3] = {a.ast, one, other};
        a = (struct typed){.ast = call_node(&g->s, "select", 3, three),
                           .class = CLASS_INTEGER,
                           .interval = {-2, 3}};
    }
    if (class == CLASS_FLOAT)
        return a.class == CLASS_FLOAT
                   ? a
                   : convert(g, chance(&g->random, 70) ? SCALAR_F32 : SCALAR_F64, a);
    if (a.class == CLASS_INTEGER)
        return a;
    const enum scalar scalar = any_integer(g);
    return chance(&g->random, 60) ? convert(g, scalar, a) : cut(g, CONVERSION_TRUNCATE, scalar, a);
}

struct typed narrow(struct generator *g, struct typed a)
{
    const struct syntax *y = &g->s;
    switch (below(&g->random, 4)) {
    case 0: {
        const int64_t most = between(&g->random, 1, 1000);
        const struct ast *const three[3] = {a.ast, integer_node(y, -most), integer_node(y, most)};
        return (struct typed){.ast = call_node(y, "clamp", 3, three),
                              .class = CLASS_INTEGER,
                              .interval = {-most, most},
                              .constant = a.constant};
    }
    case 1:
        return convert(g, chance(&g->random, 50) ? SCALAR_U8 : SCALAR_I16, a);
    case 2:
        return cut(g, CONVERSION_WRAP, chance(&g->random, 50) ? SCALAR_I8 : SCALAR_U16, a);
    default: {
        const int64_t by = between(&g->random, 1, 99);
        return (struct typed){.ast = binary_node(y, OPERATOR_REMAINDER, a.ast, integer_node(y, by)),
                              .class = CLASS_INTEGER,
                              .interval = {0, by - 1},
                              .constant = a.constant};
    }
    }
}

struct typed fit(struct generator *g, struct typed a, enum scalar element)
{
    if (element == SCALAR_BOOL)
        return as_class(g, a, CLASS_BOOL);
    if (scalar_is_float(element)) {
        if (a.class == CLASS_BOOL)
            a = as_class(g, a, CLASS_FLOAT);
        const bool narrows = element == SCALAR_F16
                                 ? a.class != CLASS_FLOAT || a.scalar != SCALAR_F16
                                 : element == SCALAR_F32 && a.class == CLASS_FLOAT &&
                                       a.scalar == SCALAR_F64 && !a.untyped;
        return narrows ? convert(g, element, a) : a;
    }
    if (a.class == CLASS_BOOL)
        a = as_class(g, a, CLASS_INTEGER);
    if (a.class == CLASS_INTEGER && interval_inside(a.interval, scalar_info[element].interval) &&
        chance(&g->random, 80))
        return a;
    if (a.class == CLASS_INTEGER && chance(&g->random, 40))
        return cut(g, CONVERSION_WRAP, element, a);
    return chance(&g->random, 75) ? convert(g, element, a)
                                  : cut(g, CONVERSION_TRUNCATE, element, a);
}

/* ---- Operators ---- */

bool integer_interval(enum expr_kind kind, struct typed a, struct typed b, struct interval *result)
{
    const struct interval pair[2] = {a.interval, b.interval};
    return expr_interval(kind, 2, pair, result);
}

static const struct {
    enum ast_operator syntax;
    enum expr_kind kind;
} operation_of[] = {
    {OPERATOR_ADD, EXPR_ADD},
    {OPERATOR_SUBTRACT, EXPR_SUBTRACT},
    {OPERATOR_MULTIPLY, EXPR_MULTIPLY},
    {OPERATOR_DIVIDE, EXPR_DIVIDE},
    {OPERATOR_REMAINDER, EXPR_REMAINDER},
    {OPERATOR_BIT_AND, EXPR_BIT_AND},
    {OPERATOR_BIT_OR, EXPR_BIT_OR},
    {OPERATOR_BIT_XOR, EXPR_BIT_XOR},
    {OPERATOR_SHIFT_LEFT, EXPR_SHIFT_LEFT},
    {OPERATOR_SHIFT_RIGHT, EXPR_SHIFT_RIGHT},
};

static enum expr_kind kind_of(enum ast_operator o)
{
    size_t i = 0;
    while (operation_of[i].syntax != o)
        i++;
    return operation_of[i].kind;
}

struct typed combine(struct generator *g, enum ast_operator o, struct typed a, struct typed b)
{
    struct typed result = met(a, b);
    if (result.class == CLASS_INTEGER && !integer_interval(kind_of(o), a, b, &result.interval)) {
        a = narrow(g, a);
        b = narrow(g, b);
        const bool fits = integer_interval(kind_of(o), a, b, &result.interval);
        assert(fits && "narrow integers do not leave 64 bits");
        (void)fits;
    }
    result.ast = binary_node(&g->s, o, a.ast, b.ast);
    return result;
}

struct typed absolute(struct generator *g, struct typed a)
{
    struct interval interval;
    if (a.class == CLASS_INTEGER && !expr_interval(EXPR_ABSOLUTE, 1, &a.interval, &interval)) {
        a = narrow(g, a);
        expr_interval(EXPR_ABSOLUTE, 1, &a.interval, &interval);
    }
    a = call1(g, "abs", a);
    if (a.class == CLASS_INTEGER)
        a.interval = interval;
    return a;
}

struct typed fast_length(struct generator *g, struct typed a)
{
    struct interval interval;
    expr_interval(EXPR_FAST_LENGTH, 1, &a.interval, &interval);
    a = call1(g, "fast_length", a);
    a.interval = interval;
    return a;
}

struct typed negative(struct generator *g, struct typed a)
{
    struct interval interval;
    if (a.class == CLASS_INTEGER && !expr_interval(EXPR_NEGATE, 1, &a.interval, &interval)) {
        a = narrow(g, a);
        expr_interval(EXPR_NEGATE, 1, &a.interval, &interval);
    }
    if (a.class == CLASS_INTEGER)
        a.interval = interval;
    a.ast = unary_node(&g->s, OPERATOR_NEGATE, a.ast);
    return as_computed(a);
}

struct typed real_function(struct generator *g, const char *name, unsigned count,
                           const struct typed argument[])
{
    const struct typed a = argument[0], m = count > 1 ? met(a, argument[1]) : as_computed(a);
    const bool loose = m.untyped || (m.class == CLASS_INTEGER && m.constant);
    const enum scalar scalar = m.class == CLASS_FLOAT ? m.scalar : loose ? SCALAR_F64 : SCALAR_F32;
    const struct ast *const two[2] = {a.ast, count > 1 ? argument[1].ast : NULL};
    struct typed result = typed_float(call_node(&g->s, name, count, two), scalar);
    result.untyped = loose && m.constant;
    result.constant = m.constant;
    return result;
}

struct typed square_root(struct generator *g, struct typed a)
{
    return real_function(g, "sqrt", 1, &a);
}

static const struct {
    const char *name;
    enum expr_kind kind; /* of integers */
} extremum[] = {{"min", EXPR_MINIMUM},
                {"max", EXPR_MAXIMUM},
                {"lesser", EXPR_MINIMUM},
                {"greater", EXPR_MAXIMUM}};

const char *any_extremum(struct generator *g)
{
    return extremum[below(&g->random, sizeof extremum / sizeof extremum[0])].name;
}

static enum expr_kind kind_of_extremum(const char *name)
{
    unsigned i = 0;
    while (strcmp(extremum[i].name, name) != 0)
        i++;
    return extremum[i].kind;
}

struct typed either(struct generator *g, const char *name, struct typed a, struct typed b)
{
    struct typed result = met(a, b);
    const struct ast *const two[2] = {a.ast, b.ast};
    result.ast = call_node(&g->s, name, 2, two);
    if (result.class == CLASS_INTEGER)
        integer_interval(kind_of_extremum(name), a, b, &result.interval);
    result.untyped = result.untyped && result.constant;
    return result;
}

struct typed clamped(struct generator *g, struct typed v, struct typed low, struct typed high)
{
    const struct ast *const three[3] = {v.ast, low.ast, high.ast};
    struct typed result = either(g, "min", either(g, "max", v, low), high);
    result.ast = call_node(&g->s, "clamp", 3, three);
    return result;
}

struct typed chosen(struct generator *g, struct typed condition, struct typed a, struct typed b)
{
    struct typed result = a.class == CLASS_BOOL ? typed_truth(NULL) : met(a, b);
    const struct ast *const three[3] = {condition.ast, a.ast, b.ast};
    result.ast = call_node(&g->s, "select", 3, three);
    if (result.class == CLASS_INTEGER)
        result.interval = hull(a.interval, b.interval);
    if (a.class == CLASS_FLOAT && b.class == CLASS_FLOAT && a.scalar == SCALAR_F16 &&
        b.scalar == SCALAR_F16)
        result.scalar = SCALAR_F16;
    result.constant = false;
    return result;
}
