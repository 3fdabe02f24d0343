/* Expressions as C. Integer operations are printed in the width that holds them exactly;
 * parentheses are printed where C needs them or compilers warn without them. */
#include "emit/emission.h"
#include "expr/affine.h"
#include "elementary/elementary.h"

#include <math.h>

enum precedence {
    PRECEDENCE_SELECT = 1,
    PRECEDENCE_OR,
    PRECEDENCE_AND,
    PRECEDENCE_COMPARE,
    PRECEDENCE_BITS,
    PRECEDENCE_SHIFT,
    PRECEDENCE_ADD,
    PRECEDENCE_MULTIPLY,
    PRECEDENCE_UNARY,
    PRECEDENCE_PRIMARY
};

static void print(struct emission *e, const struct kernel_state *here, const struct expr *node,
                  enum scalar width, enum precedence around);

static bool is_integer_node(const struct expr *node)
{
    return scalar_is_integer(node->scalar);
}

static void emit_real(struct emission *e, enum scalar scalar, double value)
{
    if (scalar == SCALAR_F16) {
        text_print(e->out, "0x%04x", half_from_f64(value));
    } else if (isnan(value)) {
        text_print(e->out, scalar == SCALAR_F32 ? "NAN" : "(double)NAN");
    } else if (isinf(value)) {
        text_print(e->out, "%s%s", value < 0 ? "-" : "",
                   scalar == SCALAR_F32 ? "INFINITY" : "(double)INFINITY");
    } else {
        text_real(e->out, value, scalar == SCALAR_F32 ? 32 : 64);
        if (scalar == SCALAR_F32)
            text_print(e->out, "f");
    }
}

static void print_integer(struct emission *e, int64_t value)
{
    if (value == INT64_MIN)
        text_print(e->out, "(-INT64_C(9223372036854775807) - 1)");
    else if (value > INT32_MAX || value < -(int64_t)INT32_MAX)
        text_print(e->out, value < 0 ? "(-INT64_C(%lld))" : "INT64_C(%lld)",
                   (long long)(value < 0 ? -value : value));
    else
        text_print(e->out, "%lld", (long long)value);
}

static void open(struct emission *e, bool needed)
{
    if (needed)
        text_print(e->out, "(");
}

static void close(struct emission *e, bool needed)
{
    if (needed)
        text_print(e->out, ")");
}

/* ---- Narrow widths ---- */

/* A vectorising compiler takes the low bits of sums and products alone if it is told that they are
 * all. */
static bool is_modular(const struct expr *node)
{
    return node->kind == EXPR_ADD || node->kind == EXPR_SUBTRACT || node->kind == EXPR_MULTIPLY;
}

static void print_narrow(struct emission *e, const struct kernel_state *here,
                         const struct expr *node, enum scalar type)
{
    text_print(e->out, "(%s)", scalar_info[type].c_type);
    print(e, here, node, SCALAR_I32, PRECEDENCE_PRIMARY);
}

/* An operand of an operation that needs all bits. */
static void print_operand_of(struct emission *e, const struct kernel_state *here,
                             const struct expr *node, unsigned i, enum scalar width,
                             enum precedence around)
{
    const struct expr *operand = node->operand[i];
    const enum scalar type =
        width == SCALAR_I32 && is_modular(operand) ? type_narrow(here, node) : SCALAR_COUNT;
    if (type == SCALAR_COUNT)
        print(e, here, operand, width, around);
    else
        print_narrow(e, here, operand, type);
}

static void print_plain_operand(struct emission *e, const struct kernel_state *here,
                                const struct expr *node, unsigned i, enum scalar width,
                                enum precedence around)
{
    print(e, here, node->operand[i], width, around);
}

static void print_binary(struct emission *e, const struct kernel_state *here,
                         const struct expr *node, enum scalar width, const char *operator_,
                         enum precedence own, enum precedence around)
{
    const bool commutes = own == PRECEDENCE_AND || own == PRECEDENCE_OR;
    const bool mixed = own == PRECEDENCE_AND && around == PRECEDENCE_OR; /* gcc asks for them */
    const bool parentheses = around > own || mixed;
    const bool is_quotient = node->kind == EXPR_DIVIDE && is_integer_node(node);
    void (*const print_part)(struct emission *, const struct kernel_state *, const struct expr *,
                             unsigned, enum scalar, enum precedence) =
        own == PRECEDENCE_COMPARE || is_quotient ? print_operand_of : print_plain_operand;
    open(e, parentheses);
    print_part(e, here, node, 0, width,
               own == PRECEDENCE_COMPARE || own == PRECEDENCE_BITS || own == PRECEDENCE_SHIFT
                   ? PRECEDENCE_MULTIPLY + 1
                   : own);
    text_print(e->out, " %s ", operator_);
    print_part(e, here, node, 1, width,
               commutes                  ? own
               : own <= PRECEDENCE_SHIFT ? PRECEDENCE_MULTIPLY + 1
                                         : (enum precedence)(own + 1));
    close(e, parentheses);
}

static bool is_one(const struct expr *node)
{
    return node->kind == EXPR_REAL && (node->as.real == 1 || node->as.real == -1);
}

/* Whether the value may come out of a fused operation: itself, by way of a local variable, or
 * chosen among others. */
static bool may_be_fused(const struct emission *e, const struct expr *node)
{
    if (!scalar_is_float(node->scalar))
        return false;
    switch ((int)node->kind) {
    case EXPR_FUSED:
        return true;
    case EXPR_VARIABLE:
        return node->as.variable.kind == VARIABLE_LOCAL;
    case EXPR_LOAD:
        return e->program->buffers.item[node->as.load.source].space == SPACE_REGISTER;
    case EXPR_SELECT:
        return may_be_fused(e, node->operand[1]) || may_be_fused(e, node->operand[2]);
    case EXPR_MINIMUM:
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MINIMUM:
    case EXPR_ORDERED_MAXIMUM:
        return may_be_fused(e, node->operand[0]) || may_be_fused(e, node->operand[1]);
    case EXPR_MULTIPLY: /* times 1 is left out by a compiler */
    case EXPR_DIVIDE:
        return (is_one(node->operand[0]) && may_be_fused(e, node->operand[1])) ||
               (is_one(node->operand[1]) && may_be_fused(e, node->operand[0]));
    default:
        return false;
    }
}

static bool is_minus_one(const struct expr *node)
{
    return node->kind == EXPR_REAL && node->as.real == -1;
}

/* -1 times what may be fused, as its negative: gcc 12 makes the product one operation, whose 0 has
 * the other sign. NULL: it is another product. */
static const struct expr *negated_product(const struct emission *e, const struct expr *product)
{
    for (unsigned i = 0; i < 2; i++)
        if (is_minus_one(product->operand[i]) && may_be_fused(e, product->operand[1 - i]))
            return expr_unary(&e->session->pool, EXPR_NEGATE, product->operand[1 - i]);
    return NULL;
}

/* Whether a compiler may come to know that the float is -1: an integer, or a choice. */
static bool may_be_minus_one(const struct expr *node)
{
    switch ((int)node->kind) {
    case EXPR_SELECT:
        return may_be_minus_one(node->operand[1]) || may_be_minus_one(node->operand[2]);
    case EXPR_CONVERT: {
        const struct expr *whole = node->operand[0];
        return scalar_is_integer(whole->scalar) && whole->interval.least <= -1 &&
               whole->interval.greatest >= -1;
    }
    default:
        return is_minus_one(node);
    }
}

/* The operand of a product that may be -1 where the other one may be fused; 2: none. */
static unsigned factor_of_fused(const struct emission *e, const struct expr *product)
{
    unsigned i = 0;
    while (i < 2 &&
           !(may_be_minus_one(product->operand[i]) && may_be_fused(e, product->operand[1 - i])))
        i++;
    return i;
}

/* The type of a shift is that of its left side alone. */
static void print_shift_right(struct emission *e, const struct kernel_state *here,
                              const struct expr *node, enum scalar width, enum precedence around)
{
    open(e, around > PRECEDENCE_SHIFT);
    const enum expr_kind left = node->operand[0]->kind;
    if (width == SCALAR_I64 && left != EXPR_LOAD && left != EXPR_VARIABLE) /* c ? 1 : 0 is an int */
        text_print(e->out, "(int64_t)");
    print_operand_of(e, here, node, 0, width, PRECEDENCE_UNARY);
    text_print(e->out, " >> ");
    print(e, here, node->operand[1], width, PRECEDENCE_MULTIPLY + 1);
    close(e, around > PRECEDENCE_SHIFT);
}

static void print_call(struct emission *e, const struct kernel_state *here, const struct expr *node,
                       enum scalar width, const char *function)
{
    text_print(e->out, "%s(", function);
    for (unsigned i = 0; i < node->count; i++) {
        text_print(e->out, i ? ", " : "");
        print(e, here, node->operand[i], width, PRECEDENCE_SELECT);
    }
    text_print(e->out, ")");
}

static void print_helper_call(struct emission *e, const struct kernel_state *here,
                              const struct expr *node, enum scalar width, const char *stem)
{
    if (width == SCALAR_I64 && index_fits(here->index, node))
        print_call(e, here, node, width,
                   helper_use(e, arena_format(e->arena, "flt_%s_index", stem)));
    else
        print_call(
            e, here, node, width,
            helper_use(e, arena_format(e->arena, "flt_%s_%s", stem, scalar_info[width].text)));
}

/* min and max in 8 or 16 bits where these hold the operands. */
static void print_extremum(struct emission *e, const struct kernel_state *here,
                           const struct expr *node, enum scalar width, const char *stem)
{
    const enum scalar type = type_of_extremum(here, node, width);
    if (type == SCALAR_COUNT) {
        print_helper_call(e, here, node, width, stem);
        return;
    }
    text_print(e->out, "%s(",
               helper_use(e, arena_format(e->arena, "flt_%s_%s", stem, scalar_info[type].text)));
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *operand = node->operand[i];
        const bool is_held = operand->kind == EXPR_INTEGER ||
                             interval_inside(scalar_info[type_of_value(here, operand)].interval,
                                             scalar_info[type].interval);
        text_print(e->out, i ? ", " : "");
        if (is_held)
            print(e, here, operand, SCALAR_I32, PRECEDENCE_SELECT);
        else
            print_narrow(e, here, operand, type);
    }
    text_print(e->out, ")");
}

/* Floor division is C's own where nothing is negative. A coordinate can be outside its interval, in
 * a stage that is computed beyond its box. */
static bool is_plain_division(const struct expr *node)
{
    return node->operand[0]->interval.least >= 0 && node->operand[1]->interval.least > 0 &&
           !type_names_coordinates(node->operand[0]);
}

static void print_division(struct emission *e, const struct kernel_state *here,
                           const struct expr *node, enum scalar width, enum precedence around)
{
    const struct expr *divisor = node->operand[1];
    const bool divide = node->kind == EXPR_DIVIDE;
    if (is_plain_division(node)) {
        print_binary(e, here, node, width, divide ? "/" : "%", PRECEDENCE_MULTIPLY, around);
        return;
    }
    const bool by_power = divisor->kind == EXPR_INTEGER && divisor->as.integer > 0 &&
                          (divisor->as.integer & (divisor->as.integer - 1)) == 0;
    if (by_power && !divide) { /* two's complement: of what is below 0, too */
        open(e, around > PRECEDENCE_BITS);
        print_operand_of(e, here, node, 0, width, PRECEDENCE_MULTIPLY + 1);
        text_print(e->out, " & %lld", (long long)divisor->as.integer - 1);
        close(e, around > PRECEDENCE_BITS);
        return;
    }
    if (by_power) {
        open(e, around > PRECEDENCE_SHIFT);
        print_operand_of(e, here, node, 0, width, PRECEDENCE_MULTIPLY + 1);
        text_print(e->out, " >> %d", __builtin_ctzll((unsigned long long)divisor->as.integer));
        close(e, around > PRECEDENCE_SHIFT);
        return;
    }
    print_helper_call(e, here, node, width, divide ? "floor_divide" : "floor_remainder");
}

/* Of two constants, one has to say that the choice is computed in 64 bits. */
static void print_select(struct emission *e, const struct kernel_state *here,
                         const struct expr *node, enum scalar width, enum precedence around)
{
    const struct expr *first = node->operand[1];
    const bool says = width == SCALAR_I64 && first->kind == EXPR_INTEGER &&
                      node->operand[2]->kind == EXPR_INTEGER &&
                      scalar_width(node->interval) == SCALAR_I32;
    open(e, around > PRECEDENCE_SELECT);
    print(e, here, node->operand[0], SCALAR_BOOL, PRECEDENCE_OR);
    text_print(e->out, says ? " ? INT64_C(" : " ? ");
    print(e, here, first, width, PRECEDENCE_OR);
    text_print(e->out, says ? ") : " : " : ");
    print(e, here, node->operand[2], width, PRECEDENCE_OR);
    close(e, around > PRECEDENCE_SELECT);
}

/* u32(a + b) of what u32 holds needs no more than 32 bits. */
static bool is_sum_of_u32(const struct expr *convert)
{
    const struct expr *sum = convert->operand[0];
    const struct interval u32 = scalar_info[SCALAR_U32].interval;
    return convert->scalar == SCALAR_U32 && sum->kind == EXPR_ADD &&
           scalar_is_integer(sum->scalar) && interval_inside(sum->operand[0]->interval, u32) &&
           interval_inside(sum->operand[1]->interval, u32);
}

static void print_sum_of_u32(struct emission *e, const struct kernel_state *here,
                             const struct expr *sum)
{
    text_print(e->out, "%s(", helper_use(e, "flt_saturating_sum_u32"));
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *operand = sum->operand[i];
        const enum scalar type = type_of_value(here, operand);
        const bool cast = type != SCALAR_U32 && operand->kind != EXPR_INTEGER;
        text_print(e->out, i ? ", %s" : "%s", cast ? "(uint32_t)" : "");
        print(e, here, operand, type, cast ? PRECEDENCE_UNARY : PRECEDENCE_SELECT);
    }
    text_print(e->out, ")");
}

static void print_convert(struct emission *e, const struct kernel_state *here,
                          const struct expr *node, enum precedence around)
{
    const struct expr *from = node->operand[0];
    const enum scalar to = node->scalar;
    const struct scalar_info *info = &scalar_info[to];
    if (scalar_is_float(from->scalar) && !scalar_is_float(to)) {
        print_call(
            e, here, node, from->scalar,
            helper_use(e, arena_format(e->arena, "flt_%s_%s_%s", info->text,
                                       node->as.convert == CONVERT_TRUNCATE ? "trunc" : "round",
                                       scalar_info[from->scalar].text)));
        return;
    }
    if (to == SCALAR_F16) {
        print_call(e, here, node, from->scalar, helper_use(e, "flt_f16_of_f64"));
        return;
    }
    if (from->scalar == SCALAR_F16) {
        open(e, to == SCALAR_F64 && around > PRECEDENCE_UNARY);
        text_print(e->out, to == SCALAR_F64 ? "(double)" : "");
        print_call(e, here, node, from->scalar, helper_use(e, "flt_f32_of_f16"));
        close(e, to == SCALAR_F64 && around > PRECEDENCE_UNARY);
        return;
    }
    const bool saturates = !scalar_is_float(to) && from->scalar != SCALAR_BOOL &&
                           node->as.convert != CONVERT_WRAP && node->as.convert != CONVERT_EXACT &&
                           !interval_inside(from->interval, info->interval);
    const enum scalar width = from->scalar == SCALAR_BOOL || scalar_is_float(from->scalar)
                                  ? from->scalar
                                  : type_of_width(from);
    if (saturates && is_sum_of_u32(node)) {
        print_sum_of_u32(e, here, from);
        return;
    }
    if (saturates) {
        const enum scalar wide = scalar_width(from->interval);
        print_call(e, here, node, wide,
                   helper_use(e, arena_format(e->arena, "flt_%s_saturate_%s", info->text,
                                              scalar_info[wide].text)));
        return;
    }
    /* What is computed in the width that it is converted to has that type. */
    if (!type_is_own(from) && is_integer_node(from) && to == width) {
        print(e, here, from, width, around);
        return;
    }
    open(e, around > PRECEDENCE_UNARY);
    text_print(e->out, "(%s)", info->c_type);
    if (node->as.convert == CONVERT_WRAP && info->interval.least < 0) /* C leaves this one open */
        text_print(e->out, "(u%s)", info->c_type);
    print(e, here, from, width, PRECEDENCE_UNARY);
    close(e, around > PRECEDENCE_UNARY);
}

static const char *float_function(enum expr_kind kind, bool single)
{
    switch (kind) {
    case EXPR_ABSOLUTE:
        return single ? "fabsf" : "fabs";
    case EXPR_SQUARE_ROOT:
        return single ? "sqrtf" : "sqrt";
    case EXPR_FLOOR:
        return single ? "floorf" : "floor";
    case EXPR_CEIL:
        return single ? "ceilf" : "ceil";
    case EXPR_ROUND:
        return single ? "rintf" : "rint";
    case EXPR_TRUNCATE:
        return single ? "truncf" : "trunc";
    case EXPR_FUSED:
        return single ? "fmaf" : "fma";
    default:
        return NULL;
    }
}

static bool is_zero(const struct expr *node)
{
    return node->kind == EXPR_REAL && node->as.real == 0;
}

static bool adds_zero(const struct expr *node)
{
    return is_zero(node->operand[0]) || is_zero(node->operand[1]);
}

/* A float and 0: the other operand is kept apart, where a compiler takes such sums for less than
 * they are (see the helper). */
static void print_sum_with_zero(struct emission *e, const struct kernel_state *here,
                                const struct expr *node, const char *sign, enum precedence around)
{
    const char *keep =
        helper_use(e, arena_format(e->arena, "flt_keep_%s", scalar_info[node->scalar].text));
    open(e, around > PRECEDENCE_ADD);
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *operand = node->operand[i];
        text_print(e->out, "%s", i ? sign : "");
        if (is_zero(operand)) {
            print(e, here, operand, node->scalar, PRECEDENCE_MULTIPLY);
            continue;
        }
        text_print(e->out, "%s(", keep);
        print(e, here, operand, node->scalar, PRECEDENCE_SELECT);
        text_print(e->out, ")");
    }
    close(e, around > PRECEDENCE_ADD);
}

/* By a power of two: times its inverse, which is as exact. */
static void print_quotient(struct emission *e, const struct kernel_state *here,
                           const struct expr *node, enum scalar width)
{
    int exponent;
    const struct expr *divisor = node->operand[1];
    const bool is_power = divisor->kind == EXPR_REAL &&
                          fabs(frexp(divisor->as.real, &exponent)) == 0.5 && exponent > -100 &&
                          exponent < 100;
    if (!is_power) {
        print_call(e, here, node, width, arithmetic_use(e, e->dialect->quotient[node->scalar]));
        return;
    }
    const char *const product = e->dialect->product[node->scalar];
    text_print(e->out, "%s(", product ? arithmetic_use(e, product) : "");
    print(e, here, node->operand[0], width, product ? PRECEDENCE_SELECT : PRECEDENCE_MULTIPLY);
    text_print(e->out, product ? ", " : " * ");
    emit_real(e, node->scalar, 1 / divisor->as.real);
    text_print(e->out, ")");
}

void emit_transformed(struct emission *e, const struct kernel_state *here, enum transform kind,
                      const struct expr *extent)
{
    const struct transform_info *info = &transform_info[kind];
    struct expr_pool *pool = &e->session->pool;
    const struct expr *times =
        expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, info->times), extent);
    emit_index(e, here, expr_binary(pool, EXPR_ADD, times, expr_integer(pool, info->more)));
}

static void print_transform_size(struct emission *e, const struct kernel_state *here,
                                 const struct expr *node)
{
    const bool is_panel = node->kind == EXPR_TRANSFORM_PLACES;
    text_print(e->out, "%s(", helper_use(e, is_panel ? "flt_panel_places" : "flt_table_numbers"));
    if (is_panel) {
        emit_index(e, here, node->operand[1]);
        text_print(e->out, ", ");
    }
    emit_transformed(e, here, (enum transform)node->operand[0]->as.integer, node->operand[1]);
    text_print(e->out, ")");
}

/* Places that are not given are 0. */
static void print_noise(struct emission *e, const struct kernel_state *here,
                        const struct expr *node)
{
    const unsigned places = node->count <= 5 ? 4 : 8;
    text_print(e->out, "%s(", helper_use(e, places == 4 ? "flt_noise_4" : "flt_noise_8"));
    for (unsigned i = 0; i <= places; i++) {
        text_print(e->out, i ? ", " : "");
        if (i < node->count)
            print(e, here, node->operand[i], SCALAR_I64, PRECEDENCE_SELECT);
        else
            text_print(e->out, "0");
    }
    text_print(e->out, ")");
}

/* The product as a call, with that operand first. */
static void print_scaled(struct emission *e, const struct kernel_state *here,
                         const struct expr *product, unsigned factor)
{
    const enum scalar type = product->scalar;
    text_print(e->out, "%s(",
               helper_use(e, arena_format(e->arena, "flt_scale_%s", scalar_info[type].text)));
    print(e, here, product->operand[factor], type, PRECEDENCE_SELECT);
    text_print(e->out, ", ");
    print(e, here, product->operand[1 - factor], type, PRECEDENCE_SELECT);
    text_print(e->out, ")");
}

static void print_product(struct emission *e, const struct kernel_state *here,
                          const struct expr *node, enum scalar width, enum precedence around)
{
    const bool real = scalar_is_float(node->scalar);
    const struct expr *negated = real ? negated_product(e, node) : NULL;
    const unsigned factor = real ? factor_of_fused(e, node) : 2;
    if (negated)
        print(e, here, negated, width, around);
    else if (factor < 2)
        print_scaled(e, here, node, factor);
    else
        print_binary(e, here, node, width, "*", PRECEDENCE_MULTIPLY, around);
}

static void print_operation(struct emission *e, const struct kernel_state *here,
                            const struct expr *node, enum scalar width, enum precedence around)
{
    const bool real = scalar_is_float(node->scalar);
    switch (node->kind) {
    case EXPR_NEGATE:
        if (may_be_fused(e, node->operand[0])) {
            print_helper_call(e, here, node, node->scalar, "negate");
            break;
        }
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "-");
        print(e, here, node->operand[0], width, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        break;
    case EXPR_NOT:
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "!");
        print(e, here, node->operand[0], width, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        break;
    case EXPR_ADD: {
        const struct expr *b = node->operand[1];
        if (adds_zero(node)) {
            print_sum_with_zero(e, here, node, " + ", around);
            break;
        }
        if (b->kind != EXPR_INTEGER || b->as.integer >= 0 || b->as.integer == INT64_MIN) {
            print_binary(e, here, node, width, "+", PRECEDENCE_ADD, around);
            break;
        }
        open(e, around > PRECEDENCE_ADD); /* x + -1 reads better as x - 1 */
        print(e, here, node->operand[0], width, PRECEDENCE_ADD);
        text_print(e->out, " - ");
        print_integer(e, -b->as.integer);
        close(e, around > PRECEDENCE_ADD);
        break;
    }
    case EXPR_SUBTRACT:
        if (adds_zero(node))
            print_sum_with_zero(e, here, node, " - ", around);
        else
            print_binary(e, here, node, width, "-", PRECEDENCE_ADD, around);
        break;
    case EXPR_MULTIPLY:
        if (real && e->dialect->product[node->scalar]) {
            print_call(e, here, node, width, arithmetic_use(e, e->dialect->product[node->scalar]));
            break;
        }
        print_product(e, here, node, width, around);
        break;
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
        if (real && e->dialect->quotient[node->scalar])
            print_quotient(e, here, node, width);
        else if (real)
            print_binary(e, here, node, width, "/", PRECEDENCE_MULTIPLY, around);
        else
            print_division(e, here, node, width, around);
        break;
    case EXPR_EQUAL:
        print_binary(e, here, node, width, "==", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_NOT_EQUAL:
        print_binary(e, here, node, width, "!=", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_LESS:
        print_binary(e, here, node, width, "<", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_LESS_EQUAL:
        print_binary(e, here, node, width, "<=", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_AND:
        print_binary(e, here, node, width, "&&", PRECEDENCE_AND, around);
        break;
    case EXPR_OR:
        print_binary(e, here, node, width, "||", PRECEDENCE_OR, around);
        break;
    case EXPR_BIT_AND:
        print_binary(e, here, node, width, "&", PRECEDENCE_BITS, around);
        break;
    case EXPR_BIT_OR:
        print_binary(e, here, node, width, "|", PRECEDENCE_BITS, around);
        break;
    case EXPR_BIT_XOR:
        print_binary(e, here, node, width, "^", PRECEDENCE_BITS, around);
        break;
    case EXPR_SHIFT_LEFT:
        print_helper_call(e, here, node, width, "shift_left");
        break;
    case EXPR_SHIFT_RIGHT:
        print_shift_right(e, here, node, width, around);
        break;
    case EXPR_MINIMUM:
        print_extremum(e, here, node, width, "min");
        break;
    case EXPR_MAXIMUM:
        print_extremum(e, here, node, width, "max");
        break;
    case EXPR_ORDERED_MINIMUM:
        print_extremum(e, here, node, width, real ? "lesser" : "min");
        break;
    case EXPR_ORDERED_MAXIMUM:
        print_extremum(e, here, node, width, real ? "greater" : "max");
        break;
    case EXPR_ORDER:
        print_helper_call(e, here, node, node->operand[0]->scalar, "order");
        break;
    case EXPR_SELECT:
        print_select(e, here, node, width, around);
        break;
    case EXPR_ABSOLUTE:
        if (!real) {
            print_helper_call(e, here, node, width, "abs");
            break;
        }
        print_call(e, here, node, width, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_FUSED:
        e->uses_fused = true;
        print_call(e, here, node, width, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_SQUARE_ROOT:
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        print_call(e, here, node, width, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_NOISE:
        print_noise(e, here, node);
        break;
    case EXPR_TRANSFORM_PLACES:
    case EXPR_TRANSFORM_TABLE:
        print_transform_size(e, here, node);
        break;
    case EXPR_FAST_LENGTH:
    case EXPR_DIVISOR:
        text_print(e->out, "%s(",
                   helper_use(e, node->kind == EXPR_DIVISOR ? "flt_divisor" : "flt_fast_length"));
        emit_index(e, here, node->operand[0]);
        text_print(e->out, ")");
        break;
    case EXPR_ANY_ELEMENTARY:
        print_helper_call(e, here, node, node->scalar, expr_info[node->kind].text);
        break;
    case EXPR_INTEGER:
    case EXPR_REAL:
    case EXPR_VARIABLE:
    case EXPR_LOAD:
    case EXPR_REDUCE:
    case EXPR_CONVERT:
    case EXPR_EXTERNAL:
    case EXPR_KIND_COUNT:
        break;
    }
}

/* An argument, which its parameter's type holds: a cast where its own is another one. */
static void print_argument(struct emission *e, const struct kernel_state *here,
                           const struct expr *argument, enum scalar parameter)
{
    const enum scalar own = type_of_value(here, argument);
    const bool casts =
        is_integer_node(argument) && argument->kind != EXPR_INTEGER && own != parameter;
    if (casts)
        text_print(e->out, "(%s)", scalar_info[parameter].c_type);
    print(e, here, argument, own, casts ? PRECEDENCE_UNARY : PRECEDENCE_SELECT);
}

static void print_external(struct emission *e, const struct kernel_state *here,
                           const struct expr *node)
{
    text_print(e->out, "%s(", external_use(e, node->as.external));
    for (unsigned i = 0; i < node->count; i++) {
        text_print(e->out, i ? ", " : "");
        print_argument(e, here, node->operand[i], node->as.external->parameter[i]);
    }
    text_print(e->out, ")");
}

static void print_leaf(struct emission *e, const struct kernel_state *here, const struct expr *node,
                       enum precedence around)
{
    if (node->kind == EXPR_VARIABLE) {
        text_print(e->out, "%s", name_of_variable(e, node));
    } else if (node->kind == EXPR_LOAD) {
        const struct buffer *buffer = &e->program->buffers.item[node->as.load.source];
        const bool truth = node->scalar == SCALAR_BOOL && buffer->space == SPACE_INPUT;
        open(e, truth);
        emit_element(e, here, buffer, node->operand);
        text_print(e->out, truth ? " != 0)" : "");
    } else if (node->kind == EXPR_EXTERNAL) {
        print_external(e, here, node);
    } else {
        print_convert(e, here, node, around);
    }
}

static void print_node(struct emission *e, const struct kernel_state *here, const struct expr *node,
                       enum scalar width, enum precedence around);

/* An integer of 64 bits in a kernel whose coordinates may have 32: a node that fits these is
 * computed in their type, and widened where it is an operand of one that does not. */
static void print_in_index_type(struct emission *e, const struct kernel_state *here,
                                const struct expr *node, enum precedence around)
{
    const bool fits = index_fits(here->index, node), widens = fits && here->whole;
    struct kernel_state inside = *here;
    inside.whole = !fits && !type_is_own(node);
    open(e, widens && around > PRECEDENCE_UNARY);
    text_print(e->out, widens ? "(int64_t)" : "");
    print_node(e, &inside, node, SCALAR_I64, widens ? PRECEDENCE_PRIMARY : around);
    close(e, widens && around > PRECEDENCE_UNARY);
}

/* width: for integers the width wanted, I32 or I64; otherwise of no effect. */
static void print(struct emission *e, const struct kernel_state *here, const struct expr *node,
                  enum scalar width, enum precedence around)
{
    if (node->kind == EXPR_REAL) {
        const bool sign = signbit(node->as.real) || isinf(node->as.real) || isnan(node->as.real);
        open(e, sign && around > PRECEDENCE_ADD);
        emit_real(e, node->scalar, node->as.real);
        close(e, sign && around > PRECEDENCE_ADD);
        return;
    }
    if (node->kind == EXPR_INTEGER) {
        const bool sign = node->as.integer < 0;
        open(e, sign && around >= PRECEDENCE_ADD);
        print_integer(e, node->as.integer);
        close(e, sign && around >= PRECEDENCE_ADD);
        return;
    }
    const bool integer = is_integer_node(node);
    if (here->index && integer && width == SCALAR_I64) {
        print_in_index_type(e, here, node, around);
        return;
    }
    print_node(e, here, node, width, around);
}

static void print_node(struct emission *e, const struct kernel_state *here, const struct expr *node,
                       enum scalar width, enum precedence around)
{
    const bool integer = is_integer_node(node);
    if (type_is_own(node)) {
        const enum scalar own = type_of_text(node);
        const bool cast =
            integer && ((width == SCALAR_I32 && (own == SCALAR_I64 || own == SCALAR_U32)) ||
                        (width == SCALAR_I64 && own != SCALAR_I64));
        open(e, cast && around > PRECEDENCE_UNARY);
        if (cast)
            text_print(e->out, "(%s)",
                       width == SCALAR_I64 && index_fits(here->index, node)
                           ? e->dialect->index_type
                           : scalar_info[width].c_type);
        print_leaf(e, here, node, cast ? PRECEDENCE_UNARY : around);
        close(e, cast && around > PRECEDENCE_UNARY);
        return;
    }
    if (!integer) {
        /* Comparisons of integers are made in their width. */
        const enum scalar compared = node->count > 0 && is_integer_node(node->operand[0])
                                         ? type_of_width(node)
                                     : node->count > 0 ? node->operand[node->count - 1]->scalar
                                                       : node->scalar;
        print_operation(e, here, node, compared, around);
        return;
    }
    const enum scalar needed = type_of_width(node);
    if (width == SCALAR_I32 && needed == SCALAR_I64) {
        struct kernel_state inside = *here;
        inside.whole = here->index && !index_fits(here->index, node);
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "(int32_t)");
        print_operation(e, &inside, node, SCALAR_I64, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        return;
    }
    print_operation(e, here, node, width, around);
}

void emit_value(struct emission *e, const struct kernel_state *here, const struct expr *node)
{
    const bool is_leaf = !is_integer_node(node) || type_is_own(node);
    print(e, here, node, is_leaf ? type_of_text(node) : type_of_width(node), PRECEDENCE_SELECT);
}

void emit_conjunct(struct emission *e, const struct kernel_state *here,
                   const struct expr *condition)
{
    print(e, here, condition, SCALAR_BOOL, PRECEDENCE_AND);
}

void emit_index(struct emission *e, const struct kernel_state *here, const struct expr *node)
{
    print(e, here, node, SCALAR_I64, PRECEDENCE_SELECT);
}

void emit_bound(struct emission *e, const struct kernel_state *here, const struct expr *node)
{
    print(e, here, node, SCALAR_I64, PRECEDENCE_SHIFT);
}

/* Whether a place depends on samples, so that it is computed for each lane. Values used twice are
 * names by now. */
static bool is_computed(const struct expr *place)
{
    bool found = place->kind == EXPR_LOAD;
    for (unsigned i = 0; i < place->count && !found; i++)
        found = is_computed(place->operand[i]);
    return found;
}

/* In 32 bits, of which more lanes fit a vector. */
static void print_computed_place(struct emission *e, const struct kernel_state *here,
                                 const struct expr *place, bool last)
{
    text_print(e->out, last ? "" : "(int64_t)(");
    print(e, here, place, SCALAR_I32, last ? PRECEDENCE_ADD : PRECEDENCE_SELECT);
    text_print(e->out, last ? "" : ")");
}

static bool is_moved(const struct buffer_axis *axis)
{
    return axis->first->kind != EXPR_INTEGER || axis->first->as.integer != 0;
}

/* (int32_t)(k - values_z_tile): the difference is small */
static void print_place_in_32_bits(struct emission *e, const struct kernel_state *here,
                                   const struct buffer_axis *axis, const struct expr *index,
                                   enum precedence around)
{
    if (!is_moved(axis)) {
        print(e, here, index, SCALAR_I32, around);
        return;
    }
    text_print(e->out, "(int32_t)(");
    print(e, here, index, SCALAR_I32, PRECEDENCE_ADD);
    text_print(e->out, " - ");
    print(e, here, axis->first, SCALAR_I64, PRECEDENCE_MULTIPLY);
    text_print(e->out, ")");
}

static void print_place(struct emission *e, const struct kernel_state *here,
                        const struct buffer_axis *axis, const struct expr *index,
                        enum precedence around)
{
    struct expr_pool *pool = &e->session->pool;
    const struct expr *place =
        is_moved(axis) ? affine_normal(pool, expr_binary(pool, EXPR_SUBTRACT, index, axis->first))
                       : index;
    if (!axis->circular && is_computed(place) && type_of_width(place) == SCALAR_I32)
        print_computed_place(e, here, place, around == PRECEDENCE_ADD);
    else
        print(e, here, place, SCALAR_I64, around);
}

void emit_stride(struct emission *e, const struct buffer *buffer, unsigned axis)
{
    const bool fixed = buffer_is_fixed(buffer);
    int64_t stride = 1;
    for (unsigned i = axis + 1; i < buffer->rank && fixed; i++)
        stride *= buffer->axis[i].extent->as.integer;
    if (fixed)
        text_print(e->out, "%lld", (long long)stride);
    else
        text_print(e->out, "%s", name_of_stride(e, buffer, axis));
}

/* flt_window->row[(z + 1) * flt_window->pitch + y + 1][flt_window->x + x] */
static void print_of_window(struct emission *e, const struct kernel_state *here,
                            const struct buffer *buffer, const struct expr *const index[])
{
    text_print(e->out, "flt_window->row[");
    print_place(e, here, &buffer->axis[0], index[0], PRECEDENCE_MULTIPLY);
    text_print(e->out, " * flt_window->pitch + ");
    print_place(e, here, &buffer->axis[1], index[1], PRECEDENCE_ADD);
    text_print(e->out, "][flt_window->x + ");
    print_place(e, here, &buffer->axis[2], index[2], PRECEDENCE_ADD);
    text_print(e->out, "]");
}

/* flt_line[row * flt_window->out_pitch + cell] */
static void print_of_line(struct emission *e, const struct kernel_state *here,
                          const struct buffer *buffer, const struct expr *const index[])
{
    text_print(e->out, "flt_line[");
    print_place(e, here, &buffer->axis[0], index[0], PRECEDENCE_MULTIPLY);
    text_print(e->out, " * flt_window->out_pitch + ");
    print_place(e, here, &buffer->axis[1], index[1], PRECEDENCE_ADD);
    text_print(e->out, "]");
}

/* in[(y - 1) * in_stride_y + x + 1]; memory starts at the buffer's first coordinate. */
void emit_element(struct emission *e, const struct kernel_state *here, const struct buffer *buffer,
                  const struct expr *const index[])
{
    if (here->row.buffer == buffer) {
        text_print(e->out, "%s", here->row.element);
        return;
    }
    if (buffer->space == SPACE_WINDOW || buffer->space == SPACE_LINE) {
        (buffer->space == SPACE_LINE ? print_of_line : print_of_window)(e, here, buffer, index);
        return;
    }
    text_print(e->out, "%s", name_of_buffer(e, buffer));
    if (buffer->space == SPACE_REGISTER && buffer->rank == 0)
        return;
    text_print(e->out, "[");
    const bool in_32_bits = place_fits_32_bits(here, buffer, index);
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct buffer_axis *axis = &buffer->axis[k];
        const bool last =
            k + 1 == buffer->rank && (here->packed || !buffer_has_stride(e, buffer, k));
        const enum precedence around =
            last && !axis->circular ? PRECEDENCE_ADD : PRECEDENCE_MULTIPLY;
        text_print(e->out, "%s%s", k ? " + " : "", axis->circular ? "(" : "");
        if (in_32_bits)
            print_place_in_32_bits(e, here, axis, index[k], around);
        else
            print_place(e, here, axis, index[k], around);
        if (axis->circular) /* ((y - rows_y_tile) & 7): of 8 rows in turn */
            text_print(e->out, " & %lld)", (long long)(axis->extent->as.integer - 1));
        if (last)
            continue;
        text_print(e->out, " * ");
        emit_stride(e, buffer, k);
    }
    text_print(e->out, buffer->rank == 0 ? "0]" : "]");
}
