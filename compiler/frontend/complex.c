/* Complex numbers: a pair of reals. Each operation is its real formula, under the contraction of
 * language.md:
 *   (a + bi)(c + di) = (ac - bd) + (ad + bc)i
 *   (a + bi)/(c + di) = ((ac + bd) + (bc - ad)i) / (cc + dd)
 * and a real number is one without an imaginary part, so that nothing is multiplied by 0. An image
 * of complex samples is one of reals with a last axis "re.im" of extent 2 that programs do not
 * see. */
#include "frontend/elaborator.h"

enum scalar complex_part(const char *name)
{
    return strcmp(name, "c32") == 0   ? SCALAR_F32
           : strcmp(name, "c64") == 0 ? SCALAR_F64
                                      : SCALAR_COUNT;
}

const char *complex_text(enum scalar part)
{
    return part == SCALAR_F64 ? "c64" : "c32";
}

struct stage_axis complex_axis(struct elaborator *el)
{
    const struct interval part = {0, 1};
    const struct symbol *name = symbol_from(&el->session->symbols, COMPLEX_AXIS);
    return (struct stage_axis){.name = name,
                               .variable =
                                   expr_variable(el->pool, VARIABLE_INDEX, name, SCALAR_I32, part),
                               .first = expr_integer(el->pool, 0),
                               .extent = expr_integer(el->pool, 2)};
}

/* ---- Parts ---- */

static struct operand real_part(struct operand a)
{
    a.imaginary = NULL;
    return a;
}

static struct operand imaginary_part(struct operand a)
{
    return operand_from(a.imaginary);
}

static struct operand negated(struct elaborator *el, struct operand a)
{
    return operand_from(expr_unary(el->pool, EXPR_NEGATE, a.expr));
}

/* The complex number of two real ones. */
static struct operand complex_from(struct elaborator *el, struct operand re, struct operand im,
                                   struct span span)
{
    if (!re.expr || !im.expr || !operand_promote(el, &re, &im, span))
        return operand_error();
    if (!scalar_is_float(re.expr->scalar)) { /* of two integers */
        re = operand_convert(el, CONVERT_EXACT, SCALAR_F32, re, span);
        im = operand_convert(el, CONVERT_EXACT, SCALAR_F32, im, span);
    }
    const enum scalar scalar = re.untyped ? SCALAR_F32 : re.expr->scalar;
    re = operand_store(el, scalar, re, span);
    im = operand_store(el, scalar, im, span);
    if (!re.expr || !im.expr)
        return operand_error();
    return (struct operand){.expr = re.expr, .imaginary = im.expr};
}

static struct operand times(struct elaborator *el, struct operand a, struct operand b,
                            struct span span)
{
    return operand_binary(el, OPERATOR_MULTIPLY, a, b, span);
}

static struct operand multiply(struct elaborator *el, struct operand a, struct operand b,
                               struct span span)
{
    const struct operand c = real_part(a), e = real_part(b);
    if (!a.imaginary)
        return complex_from(el, times(el, c, e, span), times(el, c, imaginary_part(b), span), span);
    const struct operand d = imaginary_part(a);
    if (!b.imaginary)
        return complex_from(el, times(el, c, e, span), times(el, d, e, span), span);
    const struct operand f = imaginary_part(b);
    return complex_from(
        el,
        operand_binary(el, OPERATOR_SUBTRACT, times(el, c, e, span), times(el, d, f, span), span),
        operand_binary(el, OPERATOR_ADD, times(el, c, f, span), times(el, d, e, span), span), span);
}

static struct operand over(struct elaborator *el, struct operand a, struct operand b,
                           struct span span)
{
    a.left = a.right = NULL;
    return operand_binary(el, OPERATOR_DIVIDE, a, b, span);
}

static struct operand conjugate(struct elaborator *el, struct operand a)
{
    if (a.imaginary)
        a.imaginary = negated(el, imaginary_part(a)).expr;
    return a;
}

static struct operand square_of_absolute(struct elaborator *el, struct operand a, struct span span)
{
    const struct operand re = real_part(a), im = imaginary_part(a);
    return operand_binary(el, OPERATOR_ADD, times(el, re, re, span), times(el, im, im, span), span);
}

static struct operand divide(struct elaborator *el, struct operand a, struct operand b,
                             struct span span)
{
    struct operand numerator = a, denominator = real_part(b);
    if (b.imaginary) {
        numerator = multiply(el, a, conjugate(el, b), span);
        denominator = square_of_absolute(el, b, span);
    }
    if (!numerator.expr || !denominator.expr)
        return operand_error();
    denominator.left = denominator.right = NULL;
    return complex_from(el, over(el, real_part(numerator), denominator, span),
                        over(el, imaginary_part(numerator), denominator, span), span);
}

/* + and -, where a side without an imaginary part leaves that of the other. */
static struct operand add(struct elaborator *el, enum ast_operator o, struct operand a,
                          struct operand b, struct span span)
{
    const struct operand re = operand_binary(el, o, real_part(a), real_part(b), span);
    struct operand im;
    if (a.imaginary && b.imaginary)
        im = operand_binary(el, o, imaginary_part(a), imaginary_part(b), span);
    else if (a.imaginary)
        im = imaginary_part(a);
    else
        im = o == OPERATOR_ADD ? imaginary_part(b) : negated(el, imaginary_part(b));
    return complex_from(el, re, im, span);
}

static struct operand equal(struct elaborator *el, struct operand a, struct operand b,
                            struct span span)
{
    const struct operand zero = operand_from(expr_integer(el->pool, 0));
    const struct operand same =
        operand_binary(el, OPERATOR_EQUAL, real_part(a), real_part(b), span);
    const struct operand parts =
        operand_binary(el, OPERATOR_EQUAL, a.imaginary ? imaginary_part(a) : zero,
                       b.imaginary ? imaginary_part(b) : zero, span);
    return operand_binary(el, OPERATOR_AND, same, parts, span);
}

struct operand complex_binary(struct elaborator *el, enum ast_operator o, struct operand a,
                              struct operand b, struct span span)
{
    switch ((int)o) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
        return add(el, o, a, b, span);
    case OPERATOR_MULTIPLY:
        return multiply(el, a, b, span);
    case OPERATOR_DIVIDE:
        return divide(el, a, b, span);
    case OPERATOR_EQUAL:
        return equal(el, a, b, span);
    case OPERATOR_NOT_EQUAL:
        return operand_unary(el, OPERATOR_NOT, equal(el, a, b, span), span);
    }
    struct diagnostic *d =
        REPORT(el, E0303, span,
               arena_format(el->session->permanent, "'%s'", ast_operator_info[o].spelling),
               "real numbers", operand_type_text(el, a.imaginary ? a : b));
    HELP(el, d, "complex numbers have + - * / == !=; take parts with re(), im(), abs()");
    return operand_error();
}

struct operand complex_unary(struct elaborator *el, enum ast_operator o, struct operand a,
                             struct span span)
{
    if (o == OPERATOR_PLUS)
        return a;
    if (o == OPERATOR_NOT) {
        REPORT(el, E0303, span, "'!'", "a truth value", operand_type_text(el, a));
        return operand_error();
    }
    return complex_from(el, negated(el, real_part(a)), negated(el, imaginary_part(a)), span);
}

static struct operand with_imaginary(struct elaborator *el, struct operand a)
{
    if (!a.imaginary) {
        const struct operand zero = operand_from(expr_integer(el->pool, 0));
        return complex_from(el, a, zero, (struct span){0, 0});
    }
    return a;
}

struct operand complex_select(struct elaborator *el, struct operand condition, struct operand a,
                              struct operand b, struct span span)
{
    a = with_imaginary(el, a);
    b = with_imaginary(el, b);
    if (!a.expr || !b.expr)
        return operand_error();
    return complex_from(el, operand_select(el, condition, real_part(a), real_part(b), span),
                        operand_select(el, condition, imaginary_part(a), imaginary_part(b), span),
                        span);
}

struct operand complex_store(struct elaborator *el, enum scalar part, struct operand a,
                             struct span span)
{
    if (!a.expr)
        return a;
    if (a.expr->scalar == SCALAR_BOOL) {
        REPORT(el, E0307, span, complex_text(part), operand_type_text(el, a));
        return operand_error();
    }
    if (a.imaginary && part == SCALAR_F32 && a.expr->scalar == SCALAR_F64) {
        struct diagnostic *d = REPORT(el, E0307, span, "c32", operand_type_text(el, a));
        HELP(el, d, "write c32(...) to round it");
        return operand_error();
    }
    const struct operand re = operand_store(el, part, real_part(a), span);
    const struct operand im = operand_store(
        el, part, a.imaginary ? imaginary_part(a) : operand_from(expr_integer(el->pool, 0)), span);
    return re.expr && im.expr ? (struct operand){.expr = re.expr, .imaginary = im.expr}
                              : operand_error();
}

/* c32(z), c32(re, im) */
static struct operand make_complex(struct elaborator *el, enum scalar part, size_t count,
                                   const struct operand v[], struct span span)
{
    const struct operand zero = operand_from(expr_integer(el->pool, 0));
    const struct operand im = count == 2 ? v[1] : v[0].imaginary ? imaginary_part(v[0]) : zero;
    return complex_from(el, operand_convert(el, CONVERT_EXACT, part, real_part(v[0]), span),
                        operand_convert(el, CONVERT_EXACT, part, im, span), span);
}

static const struct {
    const char *name;
    bool of_reals, of_complex; /* arguments; abs has a meaning of reals already */
} function[] = {{"re", true, true},  {"im", true, true},   {"conj", true, true},
                {"arg", true, true}, {"abs", false, true}, {"cis", true, false}};

static bool takes_complex(const char *name)
{
    bool takes = true;
    for (size_t i = 0; i < sizeof function / sizeof function[0]; i++)
        takes = takes && (function[i].of_complex || strcmp(name, function[i].name) != 0);
    return takes;
}

/* cos(phase) + sin(phase) i */
static struct operand from_phase(struct elaborator *el, struct operand phase, struct span span)
{
    if (phase.expr->scalar == SCALAR_F16)
        phase = operand_convert(el, CONVERT_EXACT, SCALAR_F32, phase, span);
    return complex_from(el, operand_function(el, EXPR_COSINE, 1, &phase, span),
                        operand_function(el, EXPR_SINE, 1, &phase, span), span);
}

/* A part of it, or what is made of both. A real number has the imaginary part 0. */
static struct operand part_function(struct elaborator *el, const char *name, struct operand z,
                                    struct span span)
{
    const struct operand zero = operand_from(expr_integer(el->pool, 0));
    if (strcmp(name, "re") == 0)
        return real_part(z);
    if (strcmp(name, "im") == 0)
        return z.imaginary ? imaginary_part(z) : zero;
    if (strcmp(name, "conj") == 0)
        return conjugate(el, z);
    if (strcmp(name, "cis") == 0)
        return from_phase(el, z, span);
    if (strcmp(name, "arg") == 0) {
        struct operand pair[2] = {z.imaginary ? imaginary_part(z) : zero, real_part(z)};
        return operand_function(el, EXPR_ARC_TANGENT2, 2, pair, span);
    }
    struct operand square = square_of_absolute(el, z, span);
    return square.expr ? operand_function(el, EXPR_SQUARE_ROOT, 1, &square, span) : square;
}

bool is_complex_function(const char *name)
{
    bool is = complex_part(name) != SCALAR_COUNT;
    for (size_t i = 0; i < sizeof function / sizeof function[0]; i++)
        is = is || (function[i].of_reals && strcmp(name, function[i].name) == 0);
    return is;
}

struct operand complex_function(struct elaborator *el, const char *name, size_t count,
                                const struct operand v[], struct span span)
{
    const enum scalar part = complex_part(name);
    const size_t most = part == SCALAR_COUNT ? 1 : 2;
    if (count < 1 || count > most) {
        REPORT(el, E0212, span, name, (int)most, most == 1 ? "value" : "values", (int)count);
        return operand_error();
    }
    for (size_t i = 0; i < count; i++) {
        if (!v[i].expr)
            return operand_error();
        if (v[i].expr->scalar == SCALAR_BOOL || (i == 1 && v[i].imaginary) ||
            (v[0].imaginary && (count == 2 || !takes_complex(name)))) {
            REPORT(el, E0303, span, name,
                   count == 2            ? "two real numbers"
                   : takes_complex(name) ? "a number"
                                         : "a real number",
                   operand_type_text(el, v[i]));
            return operand_error();
        }
    }
    return part != SCALAR_COUNT ? make_complex(el, part, count, v, span)
                                : part_function(el, name, v[0], span);
}
