/* Typing of scalar expressions: what meets what, the contraction of language.md, intervals. */
#include "frontend/elaborator.h"
#include "expr/evaluate.h"

#include <math.h>

struct operand operand_error(void)
{
    return (struct operand){0};
}

struct operand operand_from(const struct expr *expr)
{
    return (struct operand){.expr = expr};
}

struct operand operand_sample(struct elaborator *el, const struct expr *sample)
{
    if (sample->scalar != SCALAR_F16)
        return operand_from(sample);
    return (struct operand){.expr = expr_convert(el->pool, CONVERT_EXACT, SCALAR_F32, sample),
                            .half = true};
}

static bool is_number(struct operand a)
{
    return a.expr->scalar != SCALAR_BOOL;
}

/* An integer, or one that stands for a number of fixed point. */
static bool is_integer(struct operand a)
{
    return scalar_is_integer(a.expr->scalar);
}

bool operand_is_integer(struct operand a)
{
    return is_integer(a) && !a.fixed.is;
}

struct operand operand_of_stage(struct elaborator *el, const struct stage *stage,
                                const struct expr *sample)
{
    struct operand value = operand_sample(el, sample);
    value.fixed = stage->fixed;
    return value;
}

/* -8 .. 7.9375 in steps of 2^-4 */
static const char *fixed_text(struct elaborator *el, struct operand a)
{
    struct text text = text_create(el->session->permanent);
    text_print(&text, "fixed point ");
    text_real(&text, ldexp((double)a.expr->interval.least, -a.fixed.fraction), 64);
    if (a.expr->interval.least != a.expr->interval.greatest) {
        text_print(&text, " .. ");
        text_real(&text, ldexp((double)a.expr->interval.greatest, -a.fixed.fraction), 64);
    }
    text_print(&text, " in steps of %s", fixed_step_text(el, a.fixed.fraction));
    return text.bytes;
}

const char *operand_type_text(struct elaborator *el, struct operand a)
{
    if (a.imaginary)
        return complex_text(a.expr->scalar);
    if (!is_integer(a))
        return a.untyped ? "real constant" : scalar_info[a.expr->scalar].text;
    if (a.fixed.is)
        return fixed_text(el, a);
    if (a.expr->interval.least == a.expr->interval.greatest)
        return arena_format(el->session->permanent, "integer %lld",
                            (long long)a.expr->interval.least);
    return arena_format(el->session->permanent, "integer %lld .. %lld",
                        (long long)a.expr->interval.least, (long long)a.expr->interval.greatest);
}

/* An i64 of which nothing is known: one more of anything may not fit. */
static bool is_any_i64(struct interval interval)
{
    return interval.least == INT64_MIN && interval.greatest == INT64_MAX;
}

static struct operand report_overflow(struct elaborator *el, struct span span, bool has_any_i64)
{
    struct diagnostic *d = REPORT(el, E0310, span);
    if (has_any_i64)
        HELP(el, d, "declare operands of i64 as u32 or i32: sums of those fit");
    HELP(el, d, "limit an operand with clamp(), or let it wrap with wrap<u32>(...)");
    HELP(el, d, "or compute in floating point: f64(...)");
    return operand_error();
}

/* An integer or a real constant becomes a float, of fixed point too; a typed float widens. */
static struct operand operand_to_float(struct elaborator *el, struct operand a, enum scalar scalar,
                                       struct span span)
{
    if (a.expr->scalar == scalar && !a.untyped)
        return a;
    warn_of_integer(el, a, scalar, span);
    return a.fixed.is ? fixed_to_float(el, scalar, a)
                      : operand_from(expr_convert(el->pool, CONVERT_EXACT, scalar, a.expr));
}

static bool is_constant_integer(struct operand a)
{
    return a.expr->kind == EXPR_INTEGER && !a.fixed.is;
}

static bool is_typed_float(struct operand a)
{
    return scalar_is_float(a.expr->scalar) && !a.untyped;
}

/* Whether both are numbers of fixed point, or become such. */
static bool meet_as_fixed(struct operand a, struct operand b)
{
    return (a.fixed.is || b.fixed.is) && !is_typed_float(a) && !is_typed_float(b);
}

/* The result of an operation on numbers of one fraction, which has it too. */
static struct operand like(struct operand a, struct operand result)
{
    result.fixed = result.expr ? a.fixed : (struct fixed_point){false, 0};
    return result;
}

bool operand_promote(struct elaborator *el, struct operand *a, struct operand *b, struct span span)
{
    if (!a->expr || !b->expr)
        return false;
    if (is_number(*a) != is_number(*b)) {
        struct diagnostic *d =
            REPORT(el, E0302, span, operand_type_text(el, *a), operand_type_text(el, *b));
        HELP(el, d, "a truth value becomes a number with select(condition, 1, 0)");
        return false;
    }
    if (is_number(*a) && meet_as_fixed(*a, *b))
        return fixed_meet(el, a, b, span);
    if (!is_number(*a) || (is_integer(*a) && is_integer(*b)))
        return true;
    enum scalar met = SCALAR_F32;
    bool untyped = false;
    if ((a->expr->scalar == SCALAR_F64 && !a->untyped) ||
        (b->expr->scalar == SCALAR_F64 && !b->untyped)) {
        met = SCALAR_F64;
    } else if ((a->untyped || is_constant_integer(*a)) && (b->untyped || is_constant_integer(*b))) {
        met = SCALAR_F64;
        untyped = true;
    }
    if (untyped) { /* constants stay untyped: exact until they meet something */
        a->expr = expr_convert(el->pool, CONVERT_EXACT, met, a->expr);
        b->expr = expr_convert(el->pool, CONVERT_EXACT, met, b->expr);
        a->untyped = b->untyped = true;
        return true;
    }
    *a = operand_to_float(el, *a, met, span);
    *b = operand_to_float(el, *b, met, span);
    return true;
}

struct operand operand_integers(struct elaborator *el, enum expr_kind kind, unsigned count,
                                const struct expr *const operand[], struct span span)
{
    struct interval interval[3], result;
    bool has_any_i64 = false;
    for (unsigned i = 0; i < count; i++) {
        interval[i] = operand[i]->interval;
        has_any_i64 = has_any_i64 || is_any_i64(interval[i]);
    }
    if (!expr_interval(kind, count, interval, &result))
        return report_overflow(el, span, has_any_i64);
    const struct expr *made = expr_operation(el->pool, kind, count, operand);
    const struct expr operation = {
        .kind = kind, .scalar = made->scalar, .count = count, .operand = operand};
    fixed_note_folded(el, made, &operation);
    return operand_from(made);
}

/* A power whose exponent is a constant that one operation does, rounded once and with the special
 * values of pow; NULL: another exponent. */
static const struct expr *simple_power(struct expr_pool *pool, const struct expr *base,
                                       const struct expr *exponent)
{
    const enum scalar scalar = base->scalar;
    const double to = exponent->kind == EXPR_REAL ? exponent->as.real : 0;
    if (to == 1)
        return base;
    if (to == 2)
        return expr_operation(pool, EXPR_MULTIPLY, 2, (const struct expr *[]){base, base});
    if (to == -1)
        return expr_operation(pool, EXPR_DIVIDE, 2,
                              (const struct expr *[]){expr_real(pool, scalar, 1), base});
    if (to != 0.5)
        return NULL;
    /* Of -0 it is 0, of -infinity infinity. */
    const struct expr *positive = expr_operation(
        pool, EXPR_ADD, 2, (const struct expr *[]){base, expr_real(pool, scalar, 0)});
    const struct expr *root =
        expr_operation(pool, EXPR_SQUARE_ROOT, 1, (const struct expr *[]){positive});
    const struct expr *lowest = expr_real(pool, scalar, (double)-INFINITY);
    return expr_operation(
        pool, EXPR_SELECT, 3,
        (const struct expr *[]){
            expr_operation(pool, EXPR_EQUAL, 2, (const struct expr *[]){base, lowest}),
            expr_real(pool, scalar, (double)INFINITY), root});
}

/* min, max and abs, which are those of the integers; floor and its like. */
static struct operand fixed_function(struct elaborator *el, enum expr_kind kind, unsigned count,
                                     const struct operand operand[], struct span span)
{
    const struct expr *const expr[2] = {operand[0].expr, count > 1 ? operand[1].expr : NULL};
    return kind == EXPR_MINIMUM || kind == EXPR_MAXIMUM || kind == EXPR_ABSOLUTE
               ? fixed_operation(el, kind, count, expr, operand[0].fixed.fraction, span)
               : fixed_whole(el, kind, operand[0], span);
}

/* Of numbers that have neither -0 nor not-a-number lesser() and greater() are min() and max(). */
static enum expr_kind function_of_type(enum expr_kind kind, const struct expr *of)
{
    if (!scalar_is_integer(of->scalar))
        return kind;
    return kind == EXPR_ORDERED_MINIMUM   ? EXPR_MINIMUM
           : kind == EXPR_ORDERED_MAXIMUM ? EXPR_MAXIMUM
                                          : kind;
}

struct operand operand_function(struct elaborator *el, enum expr_kind kind, unsigned count,
                                struct operand *operand, struct span span)
{
    const bool real = kind == EXPR_SQUARE_ROOT || expr_is_elementary(kind);
    const struct expr *expr[3];
    bool untyped = count > 0;
    if (count == 2 && !operand_promote(el, &operand[0], &operand[1], span))
        return operand_error();
    for (unsigned i = 0; i < count; i++) {
        if (!operand[i].expr)
            return operand_error();
        if (!is_number(operand[i])) {
            REPORT(el, E0303, span, expr_info[kind].text, "numbers", "a truth value");
            return operand_error();
        }
        if (kind == EXPR_FAST_LENGTH && !operand_is_integer(operand[i])) {
            struct diagnostic *d = REPORT(el, E0303, span, "fast_length()", "an integer",
                                          operand_type_text(el, operand[i]));
            HELP(el, d, "give it the number of samples: fast_length(in.x + 30)");
            return operand_error();
        }
        expr[i] = operand[i].expr;
        untyped = untyped && (operand[i].untyped || is_constant_integer(operand[i]));
    }
    kind = function_of_type(kind, expr[0]);
    if (operand[0].fixed.is && !real)
        return fixed_function(el, kind, count, operand, span);
    for (unsigned i = 0; real && i < count && is_integer(operand[i]); i++)
        expr[i] = untyped ? expr_convert(el->pool, CONVERT_EXACT, SCALAR_F64, expr[i])
                          : operand_to_float(el, operand[i], SCALAR_F32, span).expr;
    if (scalar_is_integer(expr[0]->scalar))
        return operand_integers(el, kind, count, expr, span);
    const struct expr *simple =
        kind == EXPR_POWER ? simple_power(el->pool, expr[0], expr[1]) : NULL;
    struct operand result =
        operand_from(simple ? simple : expr_operation(el->pool, kind, count, expr));
    result.untyped = untyped && expr_is_constant(result.expr);
    return result;
}

struct operand operand_noise(struct elaborator *el, unsigned count, const struct operand operand[],
                             struct span span)
{
    const struct expr *expr[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < count; i++) {
        expr[i] = operand[i].expr;
        if (operand_is_integer(operand[i]))
            continue;
        struct diagnostic *d =
            REPORT(el, E0303, span, "noise()", "integers", operand_type_text(el, operand[i]));
        HELP(el, d, "give it the seed and the coordinates: noise(1, y, x)");
        return operand_error();
    }
    return operand_from(expr_operation(el->pool, EXPR_NOISE, count, expr));
}

static struct operand comparison(struct elaborator *el, enum expr_kind kind, struct operand a,
                                 struct operand b, struct span span)
{
    if (!operand_promote(el, &a, &b, span))
        return operand_error();
    if (!is_number(a) && kind != EXPR_EQUAL && kind != EXPR_NOT_EQUAL) {
        REPORT(el, E0303, span, "an order", "numbers", "truth values");
        return operand_error();
    }
    return operand_from(expr_binary(el->pool, kind, a.expr, b.expr));
}

static struct operand truth_operation(struct elaborator *el, enum expr_kind kind, struct operand a,
                                      struct operand b, struct span span)
{
    if (!a.expr || !b.expr)
        return operand_error();
    if (is_number(a) || is_number(b)) {
        struct diagnostic *d = REPORT(el, E0303, span, kind == EXPR_AND ? "'&&'" : "'||'",
                                      "truth values", operand_type_text(el, is_number(a) ? a : b));
        HELP(el, d, "compare first: a != 0");
        return operand_error();
    }
    return operand_from(expr_binary(el->pool, kind, a.expr, b.expr));
}

/* Of what is a number of fixed point otherwise. */
static struct operand real_shift(struct elaborator *el, enum expr_kind kind, struct operand a,
                                 struct operand n, struct span span)
{
    const int places = n.expr->kind == EXPR_INTEGER ? (int)n.expr->as.integer : 0;
    const double by = ldexp(1, kind == EXPR_SHIFT_LEFT ? places : -places);
    return operand_binary(
        el, OPERATOR_MULTIPLY, a,
        (struct operand){.expr = expr_real(el->pool, SCALAR_F64, by), .untyped = true}, span);
}

/* & | ^ and shifts: integers with conditions on their intervals. */
static struct operand bit_operation(struct elaborator *el, enum expr_kind kind, struct operand a,
                                    struct operand b, struct span span)
{
    if (!a.expr || !b.expr)
        return operand_error();
    const bool shift = kind == EXPR_SHIFT_LEFT || kind == EXPR_SHIFT_RIGHT;
    if (shift && a.fixed.is)
        return fixed_shift(el, kind, a, b, span);
    if (shift && el->options->fixed_as_real && is_typed_float(a))
        return real_shift(el, kind, a, b, span);
    if (!operand_is_integer(a) || !operand_is_integer(b)) {
        struct diagnostic *d =
            REPORT(el, E0303, span, shift ? "a shift" : "a bit operation", "integers",
                   operand_type_text(el, operand_is_integer(a) ? b : a));
        if (kind == EXPR_BIT_XOR)
            HELP(el, d, "'^' is exclusive or; a square is written a * a");
        return operand_error();
    }
    if (shift && (b.expr->interval.least < 0 || b.expr->interval.greatest > 63)) {
        struct diagnostic *d = REPORT(el, E0312, span, operand_type_text(el, b));
        HELP(el, d, "limit the amount: clamp(n, 0, 63)");
        return operand_error();
    }
    if (!shift && (a.expr->interval.least < 0 || b.expr->interval.least < 0)) {
        struct diagnostic *d =
            REPORT(el, E0311, span, operand_type_text(el, a.expr->interval.least < 0 ? a : b));
        HELP(el, d, "convert it first: wrap<u8>(...), or limit it with max(..., 0)");
        return operand_error();
    }
    const bool like_power = kind == EXPR_BIT_XOR && is_constant_integer(b) &&
                            (b.expr->as.integer == 2 || b.expr->as.integer == 3);
    if (like_power) {
        struct diagnostic *d = REPORT(el, W0303, span, (long long)b.expr->as.integer);
        HELP(el, d, "a power is written a * a; where bits are meant, swap the sides: %lld ^ a",
             (long long)b.expr->as.integer);
    }
    const struct expr *const pair[2] = {a.expr, b.expr};
    return operand_integers(el, kind, 2, pair, span);
}

/* product.left * product.right, negated or not, plus rest: one rounding. */
static struct operand fuse(struct elaborator *el, struct operand product, bool negate,
                           const struct expr *rest)
{
    const struct expr *left = product.left;
    if (product.negated != negate)
        left = expr_unary(el->pool, EXPR_NEGATE, left);
    const struct expr *const three[3] = {left, product.right, rest};
    return operand_from(expr_operation(el->pool, EXPR_FUSED, 3, three));
}

static struct operand sum(struct elaborator *el, bool subtract, struct operand a, struct operand b,
                          struct span span)
{
    const enum expr_kind kind = subtract ? EXPR_SUBTRACT : EXPR_ADD;
    if (!operand_promote(el, &a, &b, span))
        return operand_error();
    const struct expr *const pair[2] = {a.expr, b.expr};
    if (is_integer(a))
        return a.fixed.is ? fixed_operation(el, kind, 2, pair, a.fixed.fraction, span)
                          : operand_integers(el, kind, 2, pair, span);
    /* Promotion drops the factors of a product that it converts. */
    if (a.left) {
        const struct expr *rest = subtract ? expr_unary(el->pool, EXPR_NEGATE, b.expr) : b.expr;
        return fuse(el, a, false, rest);
    }
    if (b.left)
        return fuse(el, b, subtract, a.expr);
    struct operand result = operand_from(expr_operation(el->pool, kind, 2, pair));
    result.untyped = a.untyped && b.untyped;
    return result;
}

/* Both, where there are two. */
static const struct expr *both_present(struct elaborator *el, const struct expr *a,
                                       const struct expr *b)
{
    return !a ? b : !b ? a : expr_binary(el->pool, EXPR_AND, a, b);
}

static struct operand product(struct elaborator *el, struct operand a, struct operand b,
                              struct span span)
{
    const struct expr *present = both_present(el, a.present, b.present);
    if (meet_as_fixed(a, b))
        return fixed_product(el, a, b, span);
    if (!operand_promote(el, &a, &b, span))
        return operand_error();
    const struct expr *const pair[2] = {a.expr, b.expr};
    if (is_integer(a))
        return operand_integers(el, EXPR_MULTIPLY, 2, pair, span);
    struct operand result = operand_from(expr_operation(el->pool, EXPR_MULTIPLY, 2, pair));
    result.untyped = a.untyped && b.untyped;
    if (!expr_is_constant(result.expr) && !result.untyped) {
        result.left = a.expr;
        result.right = b.expr;
    }
    result.present = present;
    return result;
}

/* a - b floor(a / b), and 0 where b is 0, of what are numbers of fixed point otherwise. */
static struct operand real_remainder(struct elaborator *el, struct operand a, struct operand b,
                                     struct span span)
{
    struct operand times = operand_binary(el, OPERATOR_DIVIDE, a, b, span);
    times = operand_function(el, EXPR_FLOOR, 1, &times, span);
    const struct expr *rest = sum(el, true, a, product(el, b, times, span), span).expr;
    if (!rest)
        return operand_error();
    const struct expr *is_zero =
        expr_binary(el->pool, EXPR_EQUAL, b.expr, expr_real(el->pool, b.expr->scalar, 0));
    const struct expr *const choice[3] = {is_zero, expr_real(el->pool, rest->scalar, 0), rest};
    return operand_from(expr_operation(el->pool, EXPR_SELECT, 3, choice));
}

static struct operand quotient(struct elaborator *el, enum expr_kind kind, struct operand a,
                               struct operand b, struct span span)
{
    if (meet_as_fixed(a, b))
        return fixed_quotient(el, kind, a, b, span);
    if (!operand_promote(el, &a, &b, span))
        return operand_error();
    const struct expr *const pair[2] = {a.expr, b.expr};
    if (is_integer(a)) {
        if (is_constant_integer(a) && is_constant_integer(b) && !el->divides_named &&
            kind == EXPR_DIVIDE && floor_remainder(a.expr->as.integer, b.expr->as.integer) != 0) {
            struct diagnostic *d = REPORT(el, W0302, span, (long long)a.expr->as.integer,
                                          (long long)b.expr->as.integer);
            HELP(el, d, "write %lld.0 / %lld for the fraction", (long long)a.expr->as.integer,
                 (long long)b.expr->as.integer);
        }
        return operand_integers(el, kind, 2, pair, span);
    }
    if (kind == EXPR_REMAINDER && el->options->fixed_as_real)
        return real_remainder(el, a, b, span);
    if (kind == EXPR_REMAINDER) {
        struct diagnostic *d = REPORT(el, E0303, span, "'%'", "integers", operand_type_text(el, a));
        HELP(el, d, "for reals write a - b * floor(a / b)");
        return operand_error();
    }
    struct operand result = operand_from(expr_operation(el->pool, kind, 2, pair));
    result.untyped = a.untyped && b.untyped;
    return result;
}

struct operand operand_binary(struct elaborator *el, enum ast_operator operator_, struct operand a,
                              struct operand b, struct span span)
{
    if (!a.expr || !b.expr)
        return operand_error();
    if (a.imaginary || b.imaginary)
        return complex_binary(el, operator_, a, b, span);
    const bool orders = operator_ == OPERATOR_ADD || operator_ == OPERATOR_SUBTRACT ||
                        operator_ == OPERATOR_MULTIPLY || operator_ == OPERATOR_DIVIDE ||
                        operator_ == OPERATOR_REMAINDER;
    if (orders && (!is_number(a) || !is_number(b))) {
        struct diagnostic *d = REPORT(
            el, E0303, span,
            arena_format(el->session->permanent, "'%s'", ast_operator_info[operator_].spelling),
            "numbers", "a truth value");
        HELP(el, d, "a truth value becomes a number with select(condition, 1, 0)");
        return operand_error();
    }
    switch (operator_) {
    case OPERATOR_ADD:
        return sum(el, false, a, b, span);
    case OPERATOR_SUBTRACT:
        return sum(el, true, a, b, span);
    case OPERATOR_MULTIPLY:
        return product(el, a, b, span);
    case OPERATOR_DIVIDE:
        return quotient(el, EXPR_DIVIDE, a, b, span);
    case OPERATOR_REMAINDER:
        return quotient(el, EXPR_REMAINDER, a, b, span);
    case OPERATOR_EQUAL:
        return comparison(el, EXPR_EQUAL, a, b, span);
    case OPERATOR_NOT_EQUAL:
        return comparison(el, EXPR_NOT_EQUAL, a, b, span);
    case OPERATOR_LESS:
        return comparison(el, EXPR_LESS, a, b, span);
    case OPERATOR_LESS_EQUAL:
        return comparison(el, EXPR_LESS_EQUAL, a, b, span);
    case OPERATOR_GREATER:
        return comparison(el, EXPR_LESS, b, a, span);
    case OPERATOR_GREATER_EQUAL:
        return comparison(el, EXPR_LESS_EQUAL, b, a, span);
    case OPERATOR_AND:
        return truth_operation(el, EXPR_AND, a, b, span);
    case OPERATOR_OR:
        return truth_operation(el, EXPR_OR, a, b, span);
    case OPERATOR_BIT_AND:
        return bit_operation(el, EXPR_BIT_AND, a, b, span);
    case OPERATOR_BIT_OR:
        return bit_operation(el, EXPR_BIT_OR, a, b, span);
    case OPERATOR_BIT_XOR:
        return bit_operation(el, EXPR_BIT_XOR, a, b, span);
    case OPERATOR_SHIFT_LEFT:
        return bit_operation(el, EXPR_SHIFT_LEFT, a, b, span);
    case OPERATOR_SHIFT_RIGHT:
        return bit_operation(el, EXPR_SHIFT_RIGHT, a, b, span);
    case OPERATOR_NEGATE:
    case OPERATOR_PLUS:
    case OPERATOR_NOT:
        break;
    }
    return operand_error();
}

struct operand operand_unary(struct elaborator *el, enum ast_operator operator_, struct operand a,
                             struct span span)
{
    if (!a.expr)
        return a;
    if (a.imaginary)
        return complex_unary(el, operator_, a, span);
    if (operator_ == OPERATOR_NOT) {
        if (is_number(a)) {
            struct diagnostic *d =
                REPORT(el, E0303, span, "'!'", "a truth value", operand_type_text(el, a));
            HELP(el, d, "compare: a == 0");
            return operand_error();
        }
        return operand_from(expr_unary(el->pool, EXPR_NOT, a.expr));
    }
    if (!is_number(a)) {
        REPORT(el, E0303, span, operator_ == OPERATOR_NEGATE ? "'-'" : "'+'", "a number",
               "a truth value");
        return operand_error();
    }
    if (operator_ == OPERATOR_PLUS)
        return a;
    if (is_integer(a))
        return a.fixed.is ? fixed_operation(el, EXPR_NEGATE, 1, &a.expr, a.fixed.fraction, span)
                          : operand_integers(el, EXPR_NEGATE, 1, &a.expr, span);
    a.expr = expr_unary(el->pool, EXPR_NEGATE, a.expr);
    a.negated = !a.negated;
    a.half = false;
    return a;
}

struct operand operand_convert(struct elaborator *el, enum conversion mode, enum scalar scalar,
                               struct operand a, struct span span)
{
    if (!a.expr)
        return a;
    if (mode == CONVERT_WRAP && !operand_is_integer(a)) {
        struct diagnostic *d =
            REPORT(el, E0303, span, "wrap<>", "integers", operand_type_text(el, a));
        HELP(el, d, "cut to an integer first: wrap<u8>(trunc<i64>(...))");
        return operand_error();
    }
    if (scalar == SCALAR_BOOL) {
        if (!is_number(a))
            return operand_from(a.expr);
        struct diagnostic *d =
            REPORT(el, E0303, span, "bool()", "a truth value", operand_type_text(el, a));
        HELP(el, d, "compare: a != 0");
        return operand_error();
    }
    if (a.fixed.is && scalar_is_integer(scalar))
        return fixed_to_integer(el, mode, scalar, a);
    if (a.fixed.is)
        a = fixed_to_float(el, scalar == SCALAR_F32 ? SCALAR_F32 : SCALAR_F64, a);
    if (scalar == SCALAR_F16) /* an integer that f64 does not hold is infinite in any case */
        return operand_sample(el, expr_convert(el->pool, CONVERT_EXACT, scalar,
                                               is_integer(a) ? expr_convert(el->pool, CONVERT_EXACT,
                                                                            SCALAR_F64, a.expr)
                                                             : a.expr));
    if (scalar_is_float(scalar))
        return operand_from(expr_convert(el->pool, CONVERT_EXACT, scalar, a.expr));
    return operand_from(expr_convert(el->pool, mode, scalar, a.expr));
}

struct operand operand_store(struct elaborator *el, enum scalar scalar, struct operand a,
                             struct span span)
{
    if (!a.expr)
        return a;
    if (a.imaginary) {
        struct diagnostic *d =
            REPORT(el, E0307, span, scalar_info[scalar].text, operand_type_text(el, a));
        HELP(el, d, "take a part of it: re(...), im(...), abs(...)");
        return operand_error();
    }
    const char *type = scalar_info[scalar].text;
    if ((scalar == SCALAR_BOOL) != !is_number(a)) {
        struct diagnostic *d = REPORT(el, E0307, span, type, operand_type_text(el, a));
        if (scalar == SCALAR_BOOL)
            HELP(el, d, "compare: a != 0");
        else
            HELP(el, d, "a truth value becomes a number with select(condition, 1, 0)");
        return operand_error();
    }
    if (scalar == SCALAR_BOOL)
        return a;
    if (el->options->fixed_as_real && is_typed_float(a)) /* what would fit, were it not real */
        return scalar_is_float(scalar) ? operand_to_float(el, a, scalar, span)
                                       : operand_convert(el, CONVERT_ROUND, scalar, a, span);
    if (scalar_is_float(scalar)) {
        const bool constant = a.untyped || is_constant_integer(a);
        const bool fits = scalar == SCALAR_F16   ? a.half || a.expr->scalar == SCALAR_F16
                          : scalar == SCALAR_F32 ? a.expr->scalar != SCALAR_F64
                                                 : true;
        if (fits || constant)
            return operand_to_float(el, a, scalar, span);
        struct diagnostic *d = REPORT(el, E0307, span, type, operand_type_text(el, a));
        HELP(el, d, "write %s(...) to round it", type);
        return operand_error();
    }
    if (!is_integer(a)) {
        struct diagnostic *d = REPORT(el, E0307, span, type, operand_type_text(el, a));
        HELP(el, d, "write %s(...) to round and saturate, or trunc<%s>(...) to cut", type, type);
        return operand_error();
    }
    if (a.fixed.is && a.fixed.fraction > 0) {
        struct diagnostic *d = REPORT(el, E0307, span, type, operand_type_text(el, a));
        HELP(el, d, "write %s(...) to round and saturate, or trunc<%s>(...) to cut", type, type);
        return operand_error();
    }
    if (a.fixed.is && a.fixed.fraction < 0) {
        const struct expr *digits = expr_integer(el->pool, -a.fixed.fraction);
        a = operand_integers(el, EXPR_SHIFT_LEFT, 2, (const struct expr *[]){a.expr, digits}, span);
        if (!a.expr)
            return a;
    }
    if (!interval_inside(a.expr->interval, scalar_info[scalar].interval)) {
        struct diagnostic *d = REPORT(el, E0307, span, type, operand_type_text(el, a));
        HELP(el, d, "write %s(...) to saturate, wrap<%s>(...) to wrap around, or declare %s", type,
             type, scalar_info[scalar_holding(a.expr->interval)].text);
        return operand_error();
    }
    return operand_from(expr_convert(el->pool, CONVERT_EXACT, scalar, a.expr));
}

struct operand operand_store_as(struct elaborator *el, struct element_type type, struct operand a,
                                struct span span)
{
    return type.fixed.is ? fixed_store(el, type.fixed, a, span)
                         : operand_store(el, type.scalar, a, span);
}

struct operand operand_constant_as(struct elaborator *el, struct element_type type,
                                   struct operand a, struct span span)
{
    const bool is_constant = a.expr && expr_is_constant(a.expr) && !a.imaginary;
    return type.fixed.is && is_constant && !el->options->fixed_as_real
               ? fixed_constant(el, type.fixed, fixed_interval(type.fixed), a, span)
               : operand_store_as(el, type, a, span);
}

struct operand operand_select(struct elaborator *el, struct operand condition, struct operand a,
                              struct operand b, struct span span)
{
    if (a.imaginary || b.imaginary)
        return complex_select(el, condition, a, b, span);
    if (!condition.expr || !operand_promote(el, &a, &b, span))
        return operand_error();
    if (is_number(condition)) {
        struct diagnostic *d = REPORT(el, E0303, span, "the condition of select()", "a truth value",
                                      operand_type_text(el, condition));
        HELP(el, d, "compare: a != 0");
        return operand_error();
    }
    const struct expr *const three[3] = {condition.expr, a.expr, b.expr};
    struct operand result = like(a, operand_from(expr_operation(el->pool, EXPR_SELECT, 3, three)));
    const struct expr operation = {
        .kind = EXPR_SELECT, .scalar = result.expr->scalar, .count = 3, .operand = three};
    fixed_note_folded(el, result.expr, &operation);
    result.untyped = a.untyped && b.untyped;
    result.half = a.half && b.half;
    return result;
}

/* Operands of the reduction; those behind the condition are counts. */
static struct operand reduce_operands(struct elaborator *el, struct expr_reduction shape,
                                      const struct expr *const counts[], struct operand term,
                                      const struct expr *condition, bool can_be_empty,
                                      struct span span)
{
    const enum reduction operation = shape.operation;
    const bool truth =
        operation == REDUCTION_ANY || operation == REDUCTION_ALL || operation == REDUCTION_TALLY;
    if (!term.expr)
        return term;
    if (truth == is_number(term)) {
        REPORT(el, E0303, span, reduction_text[operation], truth ? "truth values" : "numbers",
               operand_type_text(el, term));
        return operand_error();
    }
    if (term.fixed.is && operation == REDUCTION_PRODUCT) {
        struct diagnostic *d =
            REPORT(el, E0303, span, "product", "integers or floats", operand_type_text(el, term));
        HELP(el, d, "compute it in floating point: product[...](f32(...))");
        return operand_error();
    }
    if (term.untyped && !expr_is_constant(term.expr))
        term = operand_to_float(el, term, SCALAR_F64, span);
    struct interval result;
    /* One term more than there are: a step's own interval is that of any sum plus any term. */
    const int64_t terms = expr_reduction_terms(&shape) + 1;
    if (is_integer(term) && !expr_reduction_interval(&shape, terms, term.expr->interval, &result))
        return report_overflow(el, span, is_any_i64(term.expr->interval));
    shape.fused = operation == REDUCTION_SUM && term.left;
    shape.has_condition = condition != NULL;
    const struct expr *operand[REDUCTION_MOST_OPERANDS] = {term.expr};
    unsigned count = 1;
    if (shape.fused) {
        operand[0] = term.negated ? expr_unary(el->pool, EXPR_NEGATE, term.left) : term.left;
        operand[count++] = term.right;
    }
    if (condition)
        operand[count++] = condition;
    for (unsigned k = 0; shape.counted && k < shape.rank; k++)
        operand[count++] = counts[k];
    const struct expr *value = expr_reduce_as(el->pool, &shape, operand);
    if (operation == REDUCTION_SUM && scalar_is_float(value->scalar) && can_be_empty)
        value = expr_binary(el->pool, EXPR_ADD, value, expr_real(el->pool, value->scalar, 0));
    struct operand made = like(term, operand_from(value));
    const struct expr whole = {.kind = EXPR_REDUCE,
                               .scalar = value->scalar,
                               .count = count,
                               .operand = operand,
                               .as.reduce = shape};
    if (scalar_is_integer(value->scalar))
        fixed_note_folded(el, value, &whole);
    struct weights weights;
    made.is_known = term.fixed.is && fixed_weights_of(el, &shape, term.expr, &weights) &&
                    fixed_weighted_interval(&weights, &made.known);
    return made;
}

struct operand operand_reduce(struct elaborator *el, enum reduction operation, unsigned rank,
                              const struct expr_range *range, struct operand term,
                              const struct expr *condition, bool can_be_empty, struct span span)
{
    const struct expr_reduction shape = {.operation = operation, .rank = rank, .range = range};
    return reduce_operands(el, shape, NULL, term, condition, can_be_empty, span);
}

struct operand operand_reduce_counted(struct elaborator *el, const struct expr_reduction *shape,
                                      const struct expr *const counts[], struct operand term,
                                      const struct expr *condition, bool can_be_empty,
                                      struct span span)
{
    return reduce_operands(el, *shape, counts, term, condition, can_be_empty, span);
}
