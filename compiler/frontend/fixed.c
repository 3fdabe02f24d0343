/* Arithmetic of numbers of fixed point: exact, in integers. + and - and comparisons take the
 * larger of both fractions, * adds them; what cannot be exact, quotients, says what it drops. */
#include "frontend/elaborator.h"

#include <math.h>
#include <stdlib.h>

struct operand fixed_from(const struct expr *expr, int fraction)
{
    return (struct operand){.expr = expr, .fixed = {expr != NULL, fraction}};
}

static struct operand overflow(struct elaborator *el, struct span span)
{
    struct diagnostic *d = REPORT(el, E0310, span);
    HELP(el, d, "give an operand fewer bits: fixed<8, 8>(...)");
    HELP(el, d, "or compute in floating point: f64(...)");
    return operand_error();
}

struct operand fixed_operation(struct elaborator *el, enum expr_kind kind, unsigned count,
                               const struct expr *const operand[], int fraction, struct span span)
{
    struct interval interval[2], result;
    for (unsigned i = 0; i < count; i++)
        interval[i] = operand[i]->interval;
    return expr_interval(kind, count, interval, &result)
               ? fixed_from(operand_integers(el, kind, count, operand, span).expr, fraction)
               : overflow(el, span);
}

static struct operand integers(struct elaborator *el, enum expr_kind kind, const struct expr *a,
                               const struct expr *b, struct span span)
{
    return fixed_operation(el, kind, 2, (const struct expr *[]){a, b}, 0, span);
}

/* The same number with more digits behind the point. */
static struct operand extend(struct elaborator *el, struct operand a, int fraction,
                             struct span span)
{
    const int digits = fraction - a.fixed.fraction;
    if (digits == 0)
        return fixed_from(a.expr, fraction);
    if (digits > 62)
        return overflow(el, span);
    return fixed_from(
        integers(el, EXPR_SHIFT_LEFT, a.expr, expr_integer(el->pool, digits), span).expr, fraction);
}

/* Whether the constant has few digits behind the point, and how many. */
static bool is_short(double value, int *fraction)
{
    enum { MOST_DIGITS = 30 };
    for (*fraction = 0; *fraction <= MOST_DIGITS; ++*fraction)
        if (rint(ldexp(value, *fraction)) == ldexp(value, *fraction))
            return true;
    return false;
}

/* A real constant that meets a number of the fraction: exact where it has few digits, else rounded
 * to that fraction. */
static struct operand constant(struct elaborator *el, struct operand a, int other, struct span span)
{
    const double value = a.expr->as.real;
    int fraction;
    const bool exact = is_short(value, &fraction);
    if (!exact)
        fraction = other;
    const double scaled = rint(ldexp(value, fraction));
    if (!(fabs(scaled) < 0x1p62)) {
        struct diagnostic *d = REPORT(el, E0310, span);
        HELP(el, d, "or compute in floating point: f64(...)");
        return operand_error();
    }
    const struct operand made = fixed_from(expr_integer(el->pool, (int64_t)scaled), fraction);
    if (exact)
        return made;
    struct text written = text_create(el->session->permanent);
    struct text rounded = text_create(el->session->permanent);
    text_real(&written, value, 64);
    text_real(&rounded, ldexp(scaled, -fraction), 64);
    struct diagnostic *d =
        REPORT(el, W0304, span, written.bytes, rounded.bytes, fixed_step_text(el, fraction));
    HELP(el, d, "say how exact it is to be: const k : fixed<2, %d> = %s;",
         fraction + 6 < 24 ? fraction + 6 : fraction, written.bytes);
    fixed_note_constant(el, made.expr, fabs(ldexp(value, fraction) - scaled));
    return made;
}

/* An integer or a real constant as a number of fixed point. */
static struct operand as_fixed(struct elaborator *el, struct operand a, struct operand other,
                               struct span span)
{
    if (a.fixed.is)
        return a;
    return a.untyped ? constant(el, a, other.fixed.fraction, span) : fixed_from(a.expr, 0);
}

static bool both_fixed(struct elaborator *el, struct operand *a, struct operand *b,
                       struct span span)
{
    *a = as_fixed(el, *a, *b, span);
    *b = as_fixed(el, *b, *a, span);
    return a->expr && b->expr;
}

bool fixed_meet(struct elaborator *el, struct operand *a, struct operand *b, struct span span)
{
    if (!both_fixed(el, a, b, span))
        return false;
    const int most = a->fixed.fraction > b->fixed.fraction ? a->fixed.fraction : b->fixed.fraction;
    *a = extend(el, *a, most, span);
    *b = extend(el, *b, most, span);
    return a->expr && b->expr;
}

struct operand fixed_product(struct elaborator *el, struct operand a, struct operand b,
                             struct span span)
{
    if (!both_fixed(el, &a, &b, span))
        return operand_error();
    const int fraction = a.fixed.fraction + b.fixed.fraction;
    if (abs(fraction) > FIXED_MOST_FRACTION)
        return overflow(el, span);
    return fixed_from(integers(el, EXPR_MULTIPLY, a.expr, b.expr, span).expr, fraction);
}

/* By 2^n or -2^n the quotient is exact: the point moves. */
static bool is_power(const struct expr *b, int *exponent)
{
    if (b->kind != EXPR_INTEGER || b->as.integer == 0 || b->as.integer == INT64_MIN)
        return false;
    const int64_t size = b->as.integer < 0 ? -b->as.integer : b->as.integer;
    for (*exponent = 0; (int64_t)1 << *exponent < size; ++*exponent)
        if (*exponent == 61)
            return false;
    return (int64_t)1 << *exponent == size;
}

struct operand fixed_quotient(struct elaborator *el, enum expr_kind kind, struct operand a,
                              struct operand b, struct span span)
{
    int exponent;
    if (kind == EXPR_REMAINDER)
        return fixed_meet(el, &a, &b, span)
                   ? fixed_from(integers(el, kind, a.expr, b.expr, span).expr, a.fixed.fraction)
                   : operand_error();
    if (!both_fixed(el, &a, &b, span))
        return operand_error();
    const int own = a.fixed.fraction, other = b.fixed.fraction;
    if (is_power(b.expr, &exponent) && abs(own - other + exponent) <= FIXED_MOST_FRACTION) {
        const struct expr *value = b.expr->as.integer > 0
                                       ? a.expr
                                       : fixed_operation(el, EXPR_NEGATE, 1, &a.expr, 0, span).expr;
        struct operand moved = fixed_from(value, own - other + exponent);
        moved.is_known = a.is_known && b.expr->as.integer > 0;
        moved.known = a.known;
        return moved;
    }
    /* a 2^-own / (b 2^-other) in steps of 2^-most, rounded down. */
    const int most = own > other ? own : other;
    const int digits = most - own + other;
    a.fixed.fraction = b.fixed.fraction = 0;
    if (digits > 0)
        a = extend(el, a, digits, span);
    else
        b = extend(el, b, -digits, span);
    if (!a.expr || !b.expr)
        return operand_error();
    const struct operand result = integers(el, kind, a.expr, b.expr, span);
    fixed_note_quotient(el, result.expr);
    return fixed_from(result.expr, most);
}

struct operand fixed_shift(struct elaborator *el, enum expr_kind kind, struct operand a,
                           struct operand n, struct span span)
{
    if (!operand_is_integer(n) || n.expr->kind != EXPR_INTEGER || n.expr->as.integer < 0 ||
        n.expr->as.integer > 63) {
        struct diagnostic *d = REPORT(el, E0303, span, "a shift of a number of fixed point",
                                      "a constant of 0 .. 63 places", operand_type_text(el, n));
        HELP(el, d, "multiply by a power of two instead");
        return operand_error();
    }
    const int places = (int)n.expr->as.integer;
    const int fraction = a.fixed.fraction + (kind == EXPR_SHIFT_LEFT ? -places : places);
    if (abs(fraction) > FIXED_MOST_FRACTION)
        return overflow(el, span);
    a.fixed.fraction = fraction;
    return a;
}

struct operand fixed_whole(struct elaborator *el, enum expr_kind kind, struct operand a,
                           struct span span)
{
    static const struct {
        enum expr_kind kind;
        enum fixed_rounding rounding;
    } known[] = {{EXPR_FLOOR, ROUNDING_FLOOR},
                 {EXPR_ROUND, ROUNDING_NEAREST_EVEN},
                 {EXPR_TRUNCATE, ROUNDING_TOWARD_ZERO}};
    if (a.fixed.fraction <= 0) {
        fixed_note_whole(el, a.expr, (struct operand){.expr = a.expr});
        return a;
    }
    const bool up = kind == EXPR_CEIL; /* -floor(-a) */
    enum fixed_rounding rounding = ROUNDING_FLOOR;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].kind == kind)
            rounding = known[i].rounding;
    const struct expr *value =
        up ? fixed_operation(el, EXPR_NEGATE, 1, &a.expr, 0, span).expr : a.expr;
    if (!value)
        return operand_error();
    value = fixed_round(el, rounding, value, a.fixed.fraction);
    if (up)
        value = expr_unary(el->pool, EXPR_NEGATE, value);
    fixed_note_whole(el, value, a);
    return fixed_from(value, 0);
}

struct operand fixed_to_float(struct elaborator *el, enum scalar scalar, struct operand a)
{
    const struct expr *value = expr_convert(el->pool, CONVERT_EXACT, scalar, a.expr);
    const double unit = ldexp(1, -a.fixed.fraction);
    if (a.fixed.fraction != 0)
        value = expr_binary(el->pool, EXPR_MULTIPLY, value, expr_real(el->pool, scalar, unit));
    fixed_note_float(el, value, a);
    return operand_from(value);
}

struct operand fixed_to_integer(struct elaborator *el, enum conversion mode, enum scalar scalar,
                                struct operand a)
{
    const struct interval ends = scalar_info[scalar].interval;
    const struct expr *value = a.expr;
    if (a.fixed.fraction > 0)
        value =
            fixed_round(el, mode == CONVERT_TRUNCATE ? ROUNDING_TOWARD_ZERO : ROUNDING_NEAREST_EVEN,
                        value, a.fixed.fraction);
    else if (a.fixed.fraction < 0)
        value = fixed_scale_up(el, value, -a.fixed.fraction, ends);
    value = expr_convert(el->pool, CONVERT_ROUND, scalar, value);
    fixed_note_whole(el, value, a);
    return operand_from(value);
}
