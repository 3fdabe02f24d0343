/* Terms of C's operations: expressions of the compiler's, over exact integers. What C computes
 * modulo 2^32 or less is such a conversion; what has no expression is a leaf of its own. */
#include "make_terms.h"
#include "memory.h"

#include "elementary/elementary.h"
#include "interpret/interpret_transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct terms *terms;
struct terms_notes terms_notes;

void make_terms_among(struct terms *among)
{
    terms = among;
    terms_notes = (struct terms_notes){0};
}

enum scalar cpp_scalar(enum cpp_type type)
{
    static const enum scalar scalar[] = {
        [CPP_BOOL] = SCALAR_BOOL, [CPP_I8] = SCALAR_I8,   [CPP_U8] = SCALAR_U8,
        [CPP_I16] = SCALAR_I16,   [CPP_U16] = SCALAR_U16, [CPP_I32] = SCALAR_I32,
        [CPP_U32] = SCALAR_U32,   [CPP_I64] = SCALAR_I64, [CPP_U64] = SCALAR_I64,
        [CPP_F32] = SCALAR_F32,   [CPP_F64] = SCALAR_F64};
    return scalar[type];
}

static struct interval interval_of(enum cpp_type type)
{
    return type == CPP_U64 ? (struct interval){0, INT64_MAX}
                           : scalar_info[cpp_scalar(type)].interval;
}

static bool is_float(enum cpp_type type)
{
    return type >= CPP_F32;
}

/* The compiler's form of a number of the type. */
static struct value value_of(enum cpp_type type, struct cpp_value given)
{
    struct value value = {.integer = given.integer};
    if (type == CPP_F32)
        value = (struct value){.f32 = given.f32};
    else if (type == CPP_F64)
        value = (struct value){.f64 = given.f64};
    value.term = given.term;
    return value;
}

static struct cpp_value given_back(enum cpp_type type, struct value value)
{
    struct cpp_value given = {.integer = value.integer};
    if (type == CPP_F32)
        given = (struct cpp_value){.f32 = value.f32};
    else if (type == CPP_F64)
        given = (struct cpp_value){.f64 = value.f64};
    given.term = value.term;
    return given;
}

/* ---- What has no term ---- */

static const struct expr *apart(const char *what, unsigned number, enum cpp_type type)
{
    char name[64];
    snprintf(name, sizeof name, "%s %u", what, number);
    return terms_unwritten(terms, name, cpp_scalar(type));
}

static const struct expr *opaque(const char *why, enum cpp_type type)
{
    if (!terms_notes.opaque++)
        terms_notes.why_opaque = why;
    return apart("what has no term:", terms_notes.opaque, type);
}

const struct expr *cpp_unwritten(enum cpp_type type)
{
    return apart("the text:", ++terms_notes.unwritten, type);
}

const struct expr *cpp_punned(enum cpp_type type)
{
    return apart("another type:", ++terms_notes.punned, type);
}

static bool is_of_parameters(const struct expr *term)
{
    return !(term->holds & ~(unsigned)(HOLDS_PARAMETER | HOLDS_CALL));
}

/* Numbers of parameters choose loops and forms in the oracle, too. */
void cpp_assume(const struct expr *term)
{
    if (is_of_parameters(term))
        return;
    if (!terms_notes.assumed++)
        terms_notes.first_assumed = term;
}

/* ---- Integers ---- */

static bool is_truth(enum cpp_type type, struct value v)
{
    return v.term ? v.term->scalar == SCALAR_BOOL : type == CPP_BOOL;
}

/* A truth value as 0 or 1. */
static struct value as_integer(struct value v)
{
    const struct value number = {.integer = v.integer};
    return v.term && v.term->scalar == SCALAR_BOOL
               ? terms_convert(terms, CONVERT_EXACT, SCALAR_BOOL, SCALAR_I32, v, number)
               : v;
}

static struct interval range_of(struct value v)
{
    return v.term ? v.term->interval : (struct interval){v.integer, v.integer};
}

/* What an integer was before it was taken modulo 2^bits of the type or more. */
static struct value before_wrap(struct value v, enum cpp_type type)
{
    const struct expr *t = v.term;
    while (t && t->kind == EXPR_CONVERT &&
           scalar_info[t->scalar].bytes >= scalar_info[cpp_scalar(type)].bytes &&
           scalar_is_integer(t->scalar) && scalar_is_integer(t->operand[0]->scalar) &&
           (t->as.convert == CONVERT_WRAP || t->as.convert == CONVERT_EXACT))
        t = t->operand[0];
    v.term = t;
    return v;
}

/* An exact integer as C holds it in the type. */
static const struct expr *held(struct value exact, enum cpp_type type)
{
    exact = before_wrap(exact, type);
    if (!exact.term || interval_inside(exact.term->interval, interval_of(type)))
        return exact.term;
    if (type == CPP_U64)
        return opaque("unsigned arithmetic in 64 bits", type);
    const enum scalar scalar = cpp_scalar(type);
    const struct value number = {.integer = exact.integer};
    return terms_convert(terms, CONVERT_WRAP, SCALAR_I64, scalar, exact,
                         evaluate_convert(CONVERT_WRAP, SCALAR_I64, scalar, number))
        .term;
}

/* An operation of the compiler's, on values whose scalars are given. */
static struct value operation(enum expr_kind kind, enum scalar result, enum scalar scalar,
                              unsigned count, const struct value v[])
{
    const struct expr leaf = {.kind = scalar_is_float(scalar) ? EXPR_REAL : EXPR_INTEGER,
                              .scalar = scalar};
    const struct expr *operand[EXPR_MOST_OPERANDS];
    struct value number[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < count; i++) {
        operand[i] = &leaf;
        number[i] = v[i];
        number[i].term = NULL;
    }
    const struct expr node = {.kind = kind, .scalar = result, .count = count, .operand = operand};
    return terms_operation(terms, &node, v, evaluate_operation(&node, number));
}

/* Whether 64 bits hold it, of operands that are not taken modulo anything. */
static bool may_be_exact(enum expr_kind kind, const struct value v[2])
{
    const struct interval range[2] = {range_of(v[0]), range_of(v[1])};
    struct interval result;
    return expr_interval(kind, 2, range, &result);
}

static const struct expr *integer_operation(enum expr_kind kind, enum cpp_type type, unsigned count,
                                            const struct value given[])
{
    struct value v[2];
    struct interval range[2], result;
    for (unsigned i = 0; i < count; i++) {
        v[i] = as_integer(given[i]);
        if (v[i].term && !scalar_is_integer(v[i].term->scalar))
            return opaque("bits of a float", type);
        range[i] = range_of(v[i]);
        if (!interval_inside(range[i], expr_domain(kind, i)))
            return opaque("an operand outside of what the operation takes", type);
    }
    if (!expr_interval(kind, count, range, &result))
        return opaque("arithmetic beyond 64 bits", type);
    const struct value whole[2] = {before_wrap(v[0], type), before_wrap(v[count - 1], type)};
    if (type < CPP_I64 && (kind == EXPR_ADD || kind == EXPR_SUBTRACT || kind == EXPR_MULTIPLY) &&
        may_be_exact(kind, whole))
        return held(operation(kind, SCALAR_I64, SCALAR_I64, count, whole), type);
    const bool compares = type == CPP_BOOL;
    return held(operation(kind, compares ? SCALAR_BOOL : SCALAR_I64, SCALAR_I64, count, v), type);
}

static const enum expr_kind kind_of[] = {
    [CPP_ADD] = EXPR_ADD,
    [CPP_SUBTRACT] = EXPR_SUBTRACT,
    [CPP_MULTIPLY] = EXPR_MULTIPLY,
    [CPP_DIVIDE] = EXPR_DIVIDE,
    [CPP_REMAINDER] = EXPR_REMAINDER,
    [CPP_AND] = EXPR_BIT_AND,
    [CPP_OR] = EXPR_BIT_OR,
    [CPP_XOR] = EXPR_BIT_XOR,
    [CPP_SHIFT_LEFT] = EXPR_SHIFT_LEFT,
    [CPP_SHIFT_RIGHT] = EXPR_SHIFT_RIGHT,
    [CPP_EQUAL] = EXPR_EQUAL,
    [CPP_NOT_EQUAL] = EXPR_NOT_EQUAL,
    [CPP_LESS] = EXPR_LESS,
    [CPP_LESS_EQUAL] = EXPR_LESS_EQUAL,
};

static bool is_known(struct value v, int64_t number)
{
    return !v.term && v.integer == number;
}

static const struct expr *negation(struct value truth)
{
    return operation(EXPR_NOT, SCALAR_BOOL, SCALAR_BOOL, 1, &truth).term;
}

/* 2^k - 1, below 2^62. */
static bool is_mask(struct value v)
{
    return !v.term && v.integer >= 0 && v.integer < INT64_MAX / 2 &&
           (v.integer & (v.integer + 1)) == 0;
}

static const struct expr *of_integers(enum cpp_operation operation, enum cpp_type type,
                                      const struct value v[2])
{
    const bool equal = operation == CPP_EQUAL;
    if ((equal || operation == CPP_NOT_EQUAL) && is_truth(type, v[0]) &&
        (is_known(v[1], 0) || is_known(v[1], 1)))
        return is_known(v[1], 1) == equal ? v[0].term : negation(v[0]);
    if (operation >= CPP_EQUAL)
        return integer_operation(kind_of[operation], CPP_BOOL, 2, v);
    if (operation == CPP_AND && is_mask(v[1])) { /* of what is below 0, too */
        const struct value rest[2] = {v[0], {.integer = v[1].integer + 1}};
        return integer_operation(EXPR_REMAINDER, type, 2, rest);
    }
    const bool divides = operation == CPP_DIVIDE || operation == CPP_REMAINDER;
    if (divides && (range_of(as_integer(v[0])).least < 0 || range_of(as_integer(v[1])).least <= 0))
        return opaque("a quotient that C rounds toward zero", type);
    return integer_operation(kind_of[operation], type, 2, v);
}

/* Whether the terms are those of numbers of the type, no bits of another one. */
static bool are_of(enum cpp_type type, unsigned count, const struct value v[])
{
    for (unsigned i = 0; i < count; i++)
        if (v[i].term && v[i].term->scalar != cpp_scalar(type))
            return false;
    return true;
}

const struct expr *cpp_binary(enum cpp_operation of, enum cpp_type type, struct cpp_value a,
                              struct cpp_value b, struct cpp_value number)
{
    const struct value v[2] = {value_of(type, a), value_of(type, b)};
    const bool compares = of >= CPP_EQUAL;
    (void)number;
    if (!is_float(type))
        return of_integers(of, type, v);
    if (!are_of(type, 2, v))
        return opaque("bits as a float", compares ? CPP_BOOL : type);
    const enum scalar scalar = cpp_scalar(type);
    return operation(kind_of[of], compares ? SCALAR_BOOL : scalar, scalar, 2, v).term;
}

const struct expr *cpp_negate(enum cpp_type type, struct cpp_value a, struct cpp_value number)
{
    const struct value v = value_of(type, a);
    const enum scalar scalar = cpp_scalar(type);
    (void)number;
    return is_float(type) ? operation(EXPR_NEGATE, scalar, scalar, 1, &v).term
                          : integer_operation(EXPR_NEGATE, type, 1, &v);
}

/* ---- Truth values ---- */

static const struct expr *truth_of(enum cpp_type type, struct value v)
{
    const enum scalar scalar = cpp_scalar(type);
    const struct value pair[2] = {v, value_from_real(scalar, 0)};
    if (is_float(type))
        return operation(EXPR_NOT_EQUAL, SCALAR_BOOL, scalar, 2, pair).term;
    const struct value integers[2] = {v, {.integer = 0}};
    return of_integers(CPP_NOT_EQUAL, type, integers);
}

const struct expr *cpp_not(struct cpp_value a, struct cpp_value number)
{
    (void)number;
    return negation(value_of(CPP_BOOL, a));
}

const struct expr *cpp_both(struct cpp_value a, struct cpp_value b, struct cpp_value number)
{
    return terms_binary(terms, EXPR_AND, SCALAR_BOOL, value_of(CPP_BOOL, a), value_of(CPP_BOOL, b),
                        value_of(CPP_BOOL, number))
        .term;
}

const struct expr *cpp_either(struct cpp_value a, struct cpp_value b, struct cpp_value number)
{
    return terms_binary(terms, EXPR_OR, SCALAR_BOOL, value_of(CPP_BOOL, a), value_of(CPP_BOOL, b),
                        value_of(CPP_BOOL, number))
        .term;
}

const struct expr *cpp_choose(enum cpp_type type, struct cpp_value condition, struct cpp_value a,
                              struct cpp_value b, struct cpp_value number)
{
    struct value v[2] = {value_of(type, a), value_of(type, b)}, result = value_of(type, number);
    enum scalar scalar = cpp_scalar(type);
    result.term = NULL;
    if (!is_float(type)) {
        bool all = true;
        for (unsigned i = 0; i < 2; i++)
            all = all && (is_truth(type, v[i]) || is_known(v[i], 0) || is_known(v[i], 1));
        for (unsigned i = 0; i < 2 && !all; i++)
            v[i] = as_integer(v[i]);
        const bool any = (v[0].term && v[0].term->scalar == SCALAR_BOOL) ||
                         (v[1].term && v[1].term->scalar == SCALAR_BOOL);
        scalar = all && any ? SCALAR_BOOL : SCALAR_I64;
    }
    for (unsigned i = 0; i < 2; i++)
        if (v[i].term && scalar_info[v[i].term->scalar].class != scalar_info[scalar].class)
            return opaque("a choice among bits and numbers", type);
    if (v[0].term && v[0].term == v[1].term)
        return v[0].term;
    return terms_select(terms, scalar, value_of(CPP_BOOL, condition), v[0], v[1], result).term;
}

/* ---- Conversions ---- */

const struct expr *cpp_convert(enum cpp_type from, enum cpp_type to, struct cpp_value a,
                               struct cpp_value number)
{
    struct value v = value_of(from, a);
    if (from == to)
        return a.term;
    if (to == CPP_BOOL)
        return truth_of(from, v);
    if (is_float(to)) {
        const enum scalar own = v.term->scalar;
        if (is_float(from) ? own != cpp_scalar(from) : scalar_is_float(own))
            return opaque("bits as a float", to);
        return terms_convert(terms, CONVERT_EXACT, own, cpp_scalar(to), v, value_of(to, number))
            .term;
    }
    if (is_float(from))
        return opaque("a float cast to an integer", to);
    if (to == CPP_U64 && is_of_parameters(v.term)) /* a size: in the oracle a number, too */
        return NULL;
    if (v.term->scalar == SCALAR_BOOL || v.term->scalar == SCALAR_F16) /* any type holds these */
        return v.term;
    return held(v, to);
}

struct cpp_value cpp_fit(const char *how, enum cpp_type from, enum cpp_type to, struct cpp_value a)
{
    const enum conversion mode = strcmp(how, "trunc") == 0 ? CONVERT_TRUNCATE : CONVERT_ROUND;
    const enum scalar scalar = cpp_scalar(from);
    struct value v = value_of(from, a), number = v;
    number.term = NULL;
    number = evaluate_convert(mode, scalar, cpp_scalar(to), number);
    if (!is_float(from))
        v = as_integer(v);
    return given_back(to, terms_convert(terms, mode, scalar, cpp_scalar(to), v, number));
}

struct cpp_value cpp_half_to_float(struct cpp_value half)
{
    const struct value number = {.f32 = half_to_f32((uint16_t)half.integer)};
    struct value v = {.f32 = number.f32};
    v.term = half.term;
    struct value result = number;
    if (half.term && half.term->scalar == SCALAR_F16)
        result = terms_convert(terms, CONVERT_EXACT, SCALAR_F16, SCALAR_F32, v, number);
    else if (half.term)
        result.term = opaque("bits as a half", CPP_F32);
    return given_back(CPP_F32, result);
}

struct cpp_value cpp_half_of_double(struct cpp_value real)
{
    struct value v = value_of(CPP_F64, real);
    enum scalar from = SCALAR_F64;
    const struct expr *const t = v.term;
    if (t && t->kind == EXPR_CONVERT && t->operand[0]->scalar == SCALAR_F32) { /* exact so far */
        v = (struct value){.f32 = (float)real.f64};
        v.term = t->operand[0];
        from = SCALAR_F32;
    }
    const struct value number = {.f32 = half_to_f32(half_from_f64(real.f64))};
    return (struct cpp_value){
        .integer = half_from_f64(real.f64),
        .term = terms_convert(terms, CONVERT_EXACT, from, SCALAR_F16, v, number).term};
}

/* ---- Functions ---- */

static enum expr_kind kind_named(const char *name)
{
    for (int kind = 0; kind < EXPR_KIND_COUNT; kind++)
        if (expr_info[kind].shape == SHAPE_FUNCTION && strcmp(expr_info[kind].text, name) == 0)
            return (enum expr_kind)kind;
    abort();
}

struct cpp_value cpp_function(const char *name, enum cpp_type type, unsigned count,
                              const struct cpp_value operand[])
{
    const enum expr_kind kind = kind_named(name);
    const enum cpp_type to = kind == EXPR_ORDER ? CPP_I64 : kind == EXPR_NOISE ? CPP_F32 : type;
    struct value v[EXPR_MOST_OPERANDS], number[EXPR_MOST_OPERANDS] = {{.term = NULL}};
    for (unsigned i = 0; i < count; i++) {
        v[i] = value_of(type, operand[i]);
        number[i] = v[i];
        number[i].term = NULL;
    }
    struct value result = operation(kind, cpp_scalar(to), cpp_scalar(type), count, number);
    const bool whole = !is_float(type) && kind != EXPR_NOISE;
    if (whole)
        result.term = integer_operation(kind, type, count, v);
    else if (is_float(type) && !are_of(type, count, v))
        result.term = opaque("bits as a float", to);
    else
        result = operation(kind, cpp_scalar(to), cpp_scalar(type), count, v);
    return given_back(to, result);
}

/* ---- Transforms ---- */

static enum transform transform_named(const char *name)
{
    enum transform kind = 0;
    while (strcmp(transform_info[kind].name, name) != 0)
        kind++;
    return kind;
}

static const struct expr *term_in_memory(const char *at, enum cpp_type type)
{
    const struct expr *const term = memory_shadow(at);
    return term == CPP_UNWRITTEN ? cpp_unwritten(type) : term == CPP_REST ? cpp_punned(type) : term;
}

void cpp_transform(const char *name, enum cpp_type type, int norm, int64_t n, const void *table,
                   void *panel)
{
    const enum transform kind = transform_named(name);
    const enum scalar scalar = cpp_scalar(type);
    const size_t count = (size_t)n * 2 * TRANSFORM_LANES, bytes = scalar_info[scalar].bytes;
    const struct expr **const term = malloc(count * sizeof *term);
    if (!term)
        abort();
    for (size_t i = 0; i < count; i++)
        term[i] = term_in_memory((char *)panel + i * bytes, type);
    struct value *const before = panel_values(scalar, n, panel, term);
    if (type == CPP_F32)
        transform_lines_f32(kind, (enum transform_norm)norm, n, table, panel);
    else
        transform_lines_f64(kind, (enum transform_norm)norm, n, table, panel);
    panel_transformed(terms, kind, (enum transform_norm)norm, scalar, n, before, panel, term);
    for (size_t i = 0; i < count; i++)
        memory_set_term((char *)panel + i * bytes, bytes, term[i]);
    free(before);
    free(term);
}
