/* Conversions to types of fixed point: digits behind the last one are rounded, then what does not
 * fit saturates, wraps or is refused. In integers, without leaving 64 bits whatever comes. */
#include "frontend/elaborator.h"
#include "expr/evaluate.h"

#include <math.h>

static const struct expr *integer(struct elaborator *el, int64_t value)
{
    return expr_integer(el->pool, value);
}

static const struct expr *binary(struct elaborator *el, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(el->pool, kind, a, b);
}

static const struct expr *choose(struct elaborator *el, const struct expr *condition,
                                 const struct expr *a, const struct expr *b)
{
    return expr_select(el->pool, condition, a, b);
}

static const struct expr *clamped(struct elaborator *el, const struct expr *a, struct interval ends)
{
    if (interval_inside(a->interval, ends))
        return a;
    return binary(el, EXPR_MINIMUM, binary(el, EXPR_MAXIMUM, a, integer(el, ends.least)),
                  integer(el, ends.greatest));
}

/* ---- Digits that go ---- */

static const struct expr *shifted(struct elaborator *el, const struct expr *a, int digits)
{
    return binary(el, EXPR_SHIFT_RIGHT, a, integer(el, digits > 63 ? 63 : digits));
}

/* Its last bit. */
static const struct expr *odd(struct elaborator *el, const struct expr *a)
{
    return binary(el, EXPR_REMAINDER, a, integer(el, 2));
}

/* Whether the sum fits 64 bits, and is computed as wide as the first operand. */
static bool stays(const struct expr *a, struct interval more)
{
    int64_t least, greatest;
    return !__builtin_add_overflow(a->interval.least, more.least, &least) &&
           !__builtin_add_overflow(a->interval.greatest, more.greatest, &greatest) &&
           scalar_width((struct interval){least, greatest}) == scalar_width(a->interval);
}

static const struct expr *nearest_up(struct elaborator *el, const struct expr *a, int digits)
{
    const int64_t half = digits > 62 ? 0 : (int64_t)1 << (digits - 1);
    if (half && stays(a, (struct interval){half, half}))
        return shifted(el, binary(el, EXPR_ADD, a, integer(el, half)), digits);
    if (digits > 64)
        return integer(el, 0);
    return binary(el, EXPR_ADD, shifted(el, a, digits), odd(el, shifted(el, a, digits - 1)));
}

static const struct expr *nearest_even(struct elaborator *el, const struct expr *a, int digits)
{
    const int64_t half = digits > 63 ? 0 : (int64_t)1 << (digits - 1);
    if (digits > 63) /* half or less */
        return integer(el, 0);
    if (digits == 63)
        return choose(el, binary(el, EXPR_LESS, integer(el, half), a), integer(el, 1),
                      choose(el, binary(el, EXPR_LESS, a, integer(el, -half)), integer(el, -1),
                             integer(el, 0)));
    const struct expr *whole = shifted(el, a, digits);
    if (stays(a, (struct interval){half - 1, half}))
        return shifted(
            el,
            binary(el, EXPR_ADD, binary(el, EXPR_ADD, a, integer(el, half - 1)), odd(el, whole)),
            digits);
    const struct expr *rest = binary(el, EXPR_REMAINDER, a, integer(el, (int64_t)1 << digits));
    const struct expr *up =
        binary(el, EXPR_LESS, integer(el, half), binary(el, EXPR_ADD, rest, odd(el, whole)));
    return binary(el, EXPR_ADD, whole, choose(el, up, integer(el, 1), integer(el, 0)));
}

static const struct expr *toward_zero(struct elaborator *el, const struct expr *a, int digits)
{
    const struct expr *is_negative = binary(el, EXPR_LESS, a, integer(el, 0));
    if (a->interval.least >= 0)
        return shifted(el, a, digits);
    if (digits > 62)
        return digits == 63 ? choose(el, binary(el, EXPR_EQUAL, a, integer(el, INT64_MIN)),
                                     integer(el, -1), integer(el, 0))
                            : integer(el, 0);
    const int64_t rest = ((int64_t)1 << digits) - 1;
    if (stays(a, (struct interval){0, rest}))
        return shifted(
            el, binary(el, EXPR_ADD, a, choose(el, is_negative, integer(el, rest), integer(el, 0))),
            digits);
    const struct expr *below =
        binary(el, EXPR_ADD, binary(el, EXPR_MINIMUM, a, integer(el, 0)), integer(el, rest));
    return choose(el, is_negative, shifted(el, below, digits),
                  shifted(el, binary(el, EXPR_MAXIMUM, a, integer(el, 0)), digits));
}

const struct expr *fixed_round(struct elaborator *el, enum fixed_rounding rounding,
                               const struct expr *a, int digits)
{
    switch (rounding) {
    case ROUNDING_NEAREST_EVEN:
        return nearest_even(el, a, digits);
    case ROUNDING_NEAREST_UP:
        return nearest_up(el, a, digits);
    case ROUNDING_TOWARD_ZERO:
        return toward_zero(el, a, digits);
    case ROUNDING_FLOOR:
    case ROUNDING_COUNT:
        break;
    }
    return shifted(el, a, digits);
}

/* ---- Digits that come ---- */

const struct expr *fixed_scale_up(struct elaborator *el, const struct expr *a, int digits,
                                  struct interval ends)
{
    struct interval result, fits = {0, 0};
    const struct interval pair[2] = {a->interval, {digits, digits}};
    if (digits <= 63 && expr_interval(EXPR_SHIFT_LEFT, 2, pair, &result))
        return binary(el, EXPR_SHIFT_LEFT, a, integer(el, digits));
    const struct expr *inside = integer(el, 0);
    if (digits < 63) {
        const int64_t unit = (int64_t)1 << digits;
        fits.least = floor_divide(ends.least, unit) + (floor_remainder(ends.least, unit) != 0);
        fits.greatest = floor_divide(ends.greatest, unit);
        inside = binary(el, EXPR_SHIFT_LEFT, clamped(el, a, fits), integer(el, digits));
    }
    return choose(el, binary(el, EXPR_LESS, integer(el, fits.greatest), a),
                  integer(el, ends.greatest),
                  choose(el, binary(el, EXPR_LESS, a, integer(el, fits.least)),
                         integer(el, ends.least), inside));
}

/* ---- What does not fit ---- */

/* Modulo 2^bits, in 0 .. 2^bits - 1; bits below 63. */
static const struct expr *modulo(struct elaborator *el, const struct expr *a, int bits)
{
    return binary(el, EXPR_REMAINDER, a, integer(el, (int64_t)1 << bits));
}

/* Modulo 2^63, which no constant is, into ends: one turn at most is to be taken back. */
static const struct expr *wrapped_widely(struct elaborator *el, const struct expr *a,
                                         struct interval ends)
{
    const struct expr *quarter = integer(el, (int64_t)1 << 62);
    const struct expr *least = integer(el, ends.least), *greatest = integer(el, ends.greatest);
    if (a->interval.least < ends.least) {
        const struct expr *below = binary(el, EXPR_MINIMUM, a, integer(el, ends.least - 1));
        const struct expr *turned =
            binary(el, EXPR_ADD, binary(el, EXPR_ADD, below, quarter), quarter);
        a = choose(el, binary(el, EXPR_LESS, a, least), turned, a);
    }
    if (a->interval.greatest > ends.greatest) {
        const struct expr *above = binary(el, EXPR_MAXIMUM, a, integer(el, ends.greatest + 1));
        const struct expr *turned =
            binary(el, EXPR_SUBTRACT, binary(el, EXPR_SUBTRACT, above, quarter), quarter);
        a = choose(el, binary(el, EXPR_LESS, greatest, a), turned, a);
    }
    return clamped(el, a, ends);
}

static const struct expr *wrapped(struct elaborator *el, const struct expr *a,
                                  struct fixed_type type)
{
    const struct interval ends = fixed_interval(type);
    const enum scalar scalar = scalar_holding(ends);
    const struct interval whole = scalar_info[scalar].interval;
    if (interval_inside(a->interval, ends))
        return a;
    if (whole.least == ends.least && whole.greatest == ends.greatest)
        return expr_convert(el->pool, CONVERT_WRAP, scalar, a);
    if (type.bits == FIXED_MOST_BITS)
        return wrapped_widely(el, a, ends);
    const struct expr *low = modulo(el, a, type.bits);
    if (!type.has_sign)
        return low;
    const struct expr *turn = integer(el, (int64_t)1 << (type.bits - 1));
    const struct expr *negative =
        binary(el, EXPR_SUBTRACT, binary(el, EXPR_SUBTRACT, low, turn), turn);
    return clamped(el, choose(el, binary(el, EXPR_LESS, low, turn), low, negative), ends);
}

static struct operand refused(struct elaborator *el, struct fixed_type type, struct operand a,
                              struct span span)
{
    struct diagnostic *d = REPORT(el, E0335, span, element_type_text(el, fixed_element(el, type)),
                                  operand_type_text(el, a));
    HELP(el, d, "limit it with clamp(...), or declare more bits before the point");
    HELP(el, d, "or let it saturate or wrap: leave `refuse` out, or write `wrap`");
    return operand_error();
}

/* The integer as the type stores it. */
static const struct expr *limited(struct elaborator *el, const struct expr *a,
                                  struct fixed_type type)
{
    const struct interval ends = fixed_interval(type);
    return expr_convert(el->pool, CONVERT_EXACT, scalar_holding(ends),
                        type.overflow == OVERFLOW_WRAP ? wrapped(el, a, type)
                                                       : clamped(el, a, ends));
}

/* ---- Integers and numbers of fixed point ---- */

/* The number in steps of the type, rounded; it is limited already where that would leave 64 bits
 * otherwise. */
static const struct expr *in_steps(struct elaborator *el, const struct expr *a, int digits,
                                   struct fixed_type type)
{
    const struct interval pair[2] = {a->interval, {digits, digits}};
    struct interval result;
    if (digits <= 0)
        return digits == 0 ? a : fixed_round(el, type.rounding, a, -digits);
    if (type.overflow != OVERFLOW_WRAP ||
        (digits <= 63 && expr_interval(EXPR_SHIFT_LEFT, 2, pair, &result)))
        return fixed_scale_up(el, a, digits, fixed_interval(type));
    if (digits >= type.bits)
        return integer(el, 0);
    return binary(el, EXPR_SHIFT_LEFT, modulo(el, a, type.bits - digits), integer(el, digits));
}

/* Whether the value's interval fits the type as it is. */
static bool fits(struct elaborator *el, const struct expr *a, int digits, struct fixed_type type)
{
    struct interval result;
    const struct interval pair[2] = {a->interval, {digits, digits}};
    const bool scales =
        digits <= 0 || (digits <= 63 && expr_interval(EXPR_SHIFT_LEFT, 2, pair, &result));
    return scales && interval_inside(in_steps(el, a, digits, type)->interval, fixed_interval(type));
}

/* The integer where it is known to be. */
static const struct expr *known_inside(struct elaborator *el, struct operand a)
{
    return a.is_known ? clamped(el, a.expr, a.known) : a.expr;
}

static struct operand from_integers(struct elaborator *el, struct fixed_type type, struct operand a,
                                    struct span span)
{
    const int digits = type.fraction - a.fixed.fraction;
    const bool does_fit = fits(el, known_inside(el, a), digits, type);
    if (!does_fit && type.overflow == OVERFLOW_REFUSE)
        return refused(el, type, a, span);
    const struct operand made =
        fixed_from(limited(el, in_steps(el, a.expr, digits, type), type), type.fraction);
    fixed_note_rounding(el, made.expr, a, type, !does_fit);
    return made;
}

/* ---- Floats ---- */

/* The whole number that rounding gives, still a float. */
static const struct expr *whole_number(struct elaborator *el, enum fixed_rounding rounding,
                                       const struct expr *a)
{
    const struct expr *below = expr_unary(el->pool, EXPR_FLOOR, a);
    switch (rounding) {
    case ROUNDING_NEAREST_EVEN:
        return expr_unary(el->pool, EXPR_ROUND, a);
    case ROUNDING_TOWARD_ZERO:
        return expr_unary(el->pool, EXPR_TRUNCATE, a);
    case ROUNDING_NEAREST_UP: { /* the difference is exact where it could be below a half */
        const struct expr *rest = binary(el, EXPR_SUBTRACT, a, below);
        const struct expr *half = expr_real(el->pool, SCALAR_F64, 0.5);
        return choose(el, binary(el, EXPR_LESS_EQUAL, half, rest),
                      binary(el, EXPR_ADD, below, expr_real(el->pool, SCALAR_F64, 1)), below);
    }
    case ROUNDING_FLOOR:
    case ROUNDING_COUNT:
        break;
    }
    return below;
}

/* Of a float nothing is known, so that it cannot be refused; it saturates at 64 bits. */
static struct operand from_float(struct elaborator *el, struct fixed_type type, struct operand a,
                                 struct span span)
{
    const bool fast = elaborate_fast(el, false);
    const struct expr *value = expr_convert(el->pool, CONVERT_EXACT, SCALAR_F64, a.expr);
    if (type.fraction != 0)
        value = binary(el, EXPR_MULTIPLY, value,
                       expr_real(el->pool, SCALAR_F64, ldexp(1, type.fraction)));
    value = whole_number(el, type.rounding, value);
    const struct expr *steps = expr_convert(el->pool, CONVERT_ROUND, SCALAR_I64, value);
    elaborate_fast(el, fast);
    const bool does_fit = interval_inside(steps->interval, fixed_interval(type));
    if (!does_fit && type.overflow == OVERFLOW_REFUSE)
        return refused(el, type, a, span);
    const struct operand made = fixed_from(limited(el, steps, type), type.fraction);
    fixed_note_rounding(el, made.expr, a, type, !does_fit);
    return made;
}

/* ---- Anything ---- */

static bool is_number(struct elaborator *el, struct fixed_type type, struct operand a,
                      struct span span)
{
    const char *text = element_type_text(el, fixed_element(el, type));
    if (!a.imaginary && a.expr->scalar != SCALAR_BOOL)
        return true;
    struct diagnostic *d = REPORT(el, E0307, span, text, operand_type_text(el, a));
    HELP(el, d,
         a.imaginary ? "take a part of it: re(...), im(...), abs(...)"
                     : "a truth value becomes a number with select(condition, 1, 0)");
    return false;
}

struct operand fixed_convert(struct elaborator *el, struct fixed_type type, struct operand a,
                             struct span span)
{
    if (!a.expr || !is_number(el, type, a, span))
        return operand_error();
    if (el->options->fixed_as_real)
        return operand_from(expr_convert(el->pool, CONVERT_EXACT, SCALAR_F64, a.expr));
    return scalar_is_float(a.expr->scalar) ? from_float(el, type, a, span)
                                           : from_integers(el, type, a, span);
}

struct operand fixed_constant(struct elaborator *el, struct fixed_type type, struct interval ends,
                              struct operand a, struct span span)
{
    struct fixed_type wide = fixed_holding(scalar_info[SCALAR_I64].interval, type.fraction);
    wide.rounding = type.rounding;
    struct operand steps = fixed_convert(el, wide, a, span);
    if (!steps.expr)
        return steps;
    if (interval_inside(steps.expr->interval, ends)) {
        steps.expr =
            expr_convert(el->pool, CONVERT_EXACT, scalar_holding(fixed_interval(type)), steps.expr);
        fixed_note_rounding(el, steps.expr, a, type, false);
        return steps;
    }
    const struct fixed_point as_it_is = {false, 0};
    struct diagnostic *d =
        REPORT(el, E0307, span, element_type_text(el, fixed_element(el, type)),
               a.untyped ? number_text(el, a.expr, as_it_is) : operand_type_text(el, a));
    HELP(el, d, "its numbers are %s .. %s", number_text(el, integer(el, ends.least), steps.fixed),
         number_text(el, integer(el, ends.greatest), steps.fixed));
    return operand_error();
}

struct operand fixed_store(struct elaborator *el, struct fixed_type type, struct operand a,
                           struct span span)
{
    const bool is_float = a.expr && scalar_is_float(a.expr->scalar) && !a.untyped;
    if (!is_float || el->options->fixed_as_real)
        return fixed_convert(el, type, a, span);
    const char *text = element_type_text(el, fixed_element(el, type));
    struct diagnostic *d = REPORT(el, E0307, span, text, operand_type_text(el, a));
    HELP(el, d, "write %s(...) to round it", text);
    return operand_error();
}
