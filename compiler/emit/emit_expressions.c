/* Expressions as C. Integer operations are printed in the lane that holds them exactly; parentheses
 * are put where C needs them or where a compiler would ask for them. */
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

static void print(struct emission *e, const struct expr *node, enum scalar lane,
                  enum precedence around);

static bool is_integer_node(const struct expr *node)
{
    return scalar_is_integer(node->scalar);
}

/* The C type that a node's text has by itself. */
static enum scalar natural_type(const struct expr *node)
{
    if (node->kind == EXPR_VARIABLE &&
        (node->as.variable.kind == VARIABLE_INDEX || node->as.variable.kind == VARIABLE_EXTENT))
        return SCALAR_I64;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_LOCAL &&
        is_integer_node(node))
        return scalar_lane(node->interval) == SCALAR_I64 || node->scalar == SCALAR_I64 ||
                       node->scalar == SCALAR_U32
                   ? SCALAR_I64
                   : SCALAR_I32;
    return node->scalar;
}

static bool is_leaf_text(const struct expr *node)
{
    return node->kind == EXPR_VARIABLE || node->kind == EXPR_LOAD || node->kind == EXPR_CONVERT ||
           node->kind == EXPR_EXTERNAL;
}

/* The lane an integer operation needs: its own and its operands' intervals fit, and in C a shift goes
 * by less than the bits there are. */
static enum scalar needed_lane(const struct expr *node)
{
    enum scalar lane = is_integer_node(node) ? scalar_lane(node->interval) : SCALAR_I32;
    if ((node->kind == EXPR_SHIFT_LEFT || node->kind == EXPR_SHIFT_RIGHT) &&
        node->operand[1]->interval.greatest > 31)
        lane = SCALAR_I64;
    for (unsigned i = node->kind == EXPR_SELECT; !is_leaf_text(node) && i < node->count; i++)
        if (is_integer_node(node->operand[i]) &&
            scalar_lane(node->operand[i]->interval) == SCALAR_I64)
            lane = SCALAR_I64;
    return lane;
}

void emit_real(struct emission *e, enum scalar scalar, double value)
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

/* ---- Narrow lanes ---- */

static bool is_coordinate(const struct expr *node)
{
    if (node->kind == EXPR_LOAD)
        return false;
    if (node->kind == EXPR_VARIABLE)
        return is_integer_node(node) && natural_type(node) == SCALAR_I64;
    for (unsigned i = 0; i < node->count; i++)
        if (is_coordinate(node->operand[i]))
            return true;
    return false;
}

/* The narrowest type that holds the operands of an operation on samples, and its result if that is an integer: 32 lanes
 * do more than 8. SCALAR_COUNT: none of 8 or 16 bits does. */
static enum scalar narrow_type(const struct emission *e, const struct expr *node)
{
    if (e->is_large)
        return SCALAR_COUNT;
    static const enum scalar narrow[] = {SCALAR_U8, SCALAR_I8, SCALAR_U16, SCALAR_I16};
    for (size_t t = 0; t < sizeof narrow / sizeof narrow[0]; t++) {
        const struct interval holds = scalar_info[narrow[t]].interval;
        bool fits = node->scalar == SCALAR_BOOL || interval_inside(node->interval, holds);
        for (unsigned i = 0; i < node->count && fits; i++)
            fits = is_integer_node(node->operand[i]) && node->operand[i]->scalar != SCALAR_BOOL &&
                   interval_inside(node->operand[i]->interval, holds);
        if (fits)
            return is_coordinate(node) ? SCALAR_COUNT : narrow[t];
    }
    return SCALAR_COUNT;
}

/* The type that min and max are computed in, where it is narrower than the lane; else SCALAR_COUNT. */
static enum scalar extremum_type(const struct emission *e, const struct expr *node,
                                 enum scalar lane)
{
    const bool is_extremum = node->kind == EXPR_MINIMUM || node->kind == EXPR_MAXIMUM ||
                             node->kind == EXPR_ORDERED_MINIMUM ||
                             node->kind == EXPR_ORDERED_MAXIMUM;
    return is_extremum && is_integer_node(node) && lane == SCALAR_I32 ? narrow_type(e, node)
                                                                      : SCALAR_COUNT;
}

/* A vectorising compiler takes the low bits of sums and products alone if it is told that they are all. */
static bool is_modular(const struct expr *node)
{
    return node->kind == EXPR_ADD || node->kind == EXPR_SUBTRACT || node->kind == EXPR_MULTIPLY;
}

static void print_narrow(struct emission *e, const struct expr *node, enum scalar type)
{
    text_print(e->out, "(%s)", scalar_info[type].c_type);
    print(e, node, SCALAR_I32, PRECEDENCE_PRIMARY);
}

/* An operand of an operation that needs all bits. */
static void print_operand_of(struct emission *e, const struct expr *node, unsigned i,
                             enum scalar lane, enum precedence around)
{
    const struct expr *operand = node->operand[i];
    const enum scalar type =
        lane == SCALAR_I32 && is_modular(operand) ? narrow_type(e, node) : SCALAR_COUNT;
    if (type == SCALAR_COUNT)
        print(e, operand, lane, around);
    else
        print_narrow(e, operand, type);
}

static void print_plain_operand(struct emission *e, const struct expr *node, unsigned i,
                                enum scalar lane, enum precedence around)
{
    print(e, node->operand[i], lane, around);
}

static void print_binary(struct emission *e, const struct expr *node, enum scalar lane,
                         const char *operator_, enum precedence own, enum precedence around)
{
    const bool commutes = own == PRECEDENCE_AND || own == PRECEDENCE_OR;
    const bool mixed = own == PRECEDENCE_AND && around == PRECEDENCE_OR; /* gcc asks for them */
    const bool parentheses = around > own || mixed;
    const bool is_quotient = node->kind == EXPR_DIVIDE && is_integer_node(node);
    void (*const print_part)(struct emission *, const struct expr *, unsigned, enum scalar,
                             enum precedence) =
        own == PRECEDENCE_COMPARE || is_quotient ? print_operand_of : print_plain_operand;
    open(e, parentheses);
    print_part(e, node, 0, lane,
               own == PRECEDENCE_COMPARE || own == PRECEDENCE_BITS || own == PRECEDENCE_SHIFT
                   ? PRECEDENCE_MULTIPLY + 1
                   : own);
    text_print(e->out, " %s ", operator_);
    print_part(e, node, 1, lane,
               commutes                  ? own
               : own <= PRECEDENCE_SHIFT ? PRECEDENCE_MULTIPLY + 1
                                         : (enum precedence)(own + 1));
    close(e, parentheses);
}

static bool is_one(const struct expr *node)
{
    return node->kind == EXPR_REAL && (node->as.real == 1 || node->as.real == -1);
}

/* Whether the value may come out of a fused operation: itself, by way of a local variable, or chosen
 * among others. */
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

/* The type of a shift is that of its left side alone. */
static void print_shift_right(struct emission *e, const struct expr *node, enum scalar lane,
                              enum precedence around)
{
    open(e, around > PRECEDENCE_SHIFT);
    if (lane == SCALAR_I64 && node->operand[0]->kind == EXPR_INTEGER)
        text_print(e->out, "(int64_t)");
    print_operand_of(e, node, 0, lane, PRECEDENCE_UNARY);
    text_print(e->out, " >> ");
    print(e, node->operand[1], lane, PRECEDENCE_MULTIPLY + 1);
    close(e, around > PRECEDENCE_SHIFT);
}

static void print_call(struct emission *e, const struct expr *node, enum scalar lane,
                       const char *function)
{
    text_print(e->out, "%s(", function);
    for (unsigned i = 0; i < node->count; i++) {
        text_print(e->out, i ? ", " : "");
        print(e, node->operand[i], lane, PRECEDENCE_SELECT);
    }
    text_print(e->out, ")");
}

static void print_helper_call(struct emission *e, const struct expr *node, enum scalar lane,
                              const char *stem)
{
    print_call(e, node, lane,
               helper_use(e, arena_format(e->arena, "flt_%s_%s", stem, scalar_info[lane].text)));
}

/* min and max in 8 or 16 bits where these hold the operands. */
static void print_extremum(struct emission *e, const struct expr *node, enum scalar lane,
                           const char *stem)
{
    const enum scalar type = extremum_type(e, node, lane);
    if (type == SCALAR_COUNT) {
        print_helper_call(e, node, lane, stem);
        return;
    }
    text_print(e->out, "%s(",
               helper_use(e, arena_format(e->arena, "flt_%s_%s", stem, scalar_info[type].text)));
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *operand = node->operand[i];
        const bool is_held = operand->kind == EXPR_INTEGER ||
                             interval_inside(scalar_info[emit_type_of(e, operand)].interval,
                                             scalar_info[type].interval);
        text_print(e->out, i ? ", " : "");
        if (is_held)
            print(e, operand, SCALAR_I32, PRECEDENCE_SELECT);
        else
            print_narrow(e, operand, type);
    }
    text_print(e->out, ")");
}

static bool depends_on_coordinates(const struct expr *node)
{
    if (node->kind == EXPR_LOAD)
        return false;
    if (node->kind == EXPR_VARIABLE)
        return node->as.variable.kind == VARIABLE_INDEX || node->as.variable.kind == VARIABLE_LOCAL;
    for (unsigned i = 0; i < node->count; i++)
        if (depends_on_coordinates(node->operand[i]))
            return true;
    return false;
}

/* Floor division is C's own where nothing is negative. A coordinate can be outside its interval, in
 * a stage that is computed beyond its box. */
static bool is_plain_division(const struct expr *node)
{
    return node->operand[0]->interval.least >= 0 && node->operand[1]->interval.least > 0 &&
           !depends_on_coordinates(node->operand[0]);
}

static void print_division(struct emission *e, const struct expr *node, enum scalar lane,
                           enum precedence around)
{
    const struct expr *divisor = node->operand[1];
    const bool divide = node->kind == EXPR_DIVIDE;
    if (is_plain_division(node)) {
        print_binary(e, node, lane, divide ? "/" : "%", PRECEDENCE_MULTIPLY, around);
        return;
    }
    if (divide && divisor->kind == EXPR_INTEGER && divisor->as.integer > 0 &&
        (divisor->as.integer & (divisor->as.integer - 1)) == 0) {
        open(e, around > PRECEDENCE_SHIFT);
        print_operand_of(e, node, 0, lane, PRECEDENCE_MULTIPLY + 1);
        text_print(e->out, " >> %d", __builtin_ctzll((unsigned long long)divisor->as.integer));
        close(e, around > PRECEDENCE_SHIFT);
        return;
    }
    print_helper_call(e, node, lane, divide ? "floor_divide" : "floor_remainder");
}

static void print_convert(struct emission *e, const struct expr *node, enum precedence around)
{
    const struct expr *from = node->operand[0];
    const enum scalar to = node->scalar;
    const struct scalar_info *info = &scalar_info[to];
    if (scalar_is_float(from->scalar) && !scalar_is_float(to)) {
        print_call(
            e, node, from->scalar,
            helper_use(e, arena_format(e->arena, "flt_%s_%s_%s", info->text,
                                       node->as.convert == CONVERT_TRUNCATE ? "trunc" : "round",
                                       scalar_info[from->scalar].text)));
        return;
    }
    if (to == SCALAR_F16) {
        print_call(e, node, from->scalar, helper_use(e, "flt_f16_of_f64"));
        return;
    }
    if (from->scalar == SCALAR_F16) {
        open(e, to == SCALAR_F64 && around > PRECEDENCE_UNARY);
        text_print(e->out, to == SCALAR_F64 ? "(double)" : "");
        print_call(e, node, from->scalar, helper_use(e, "flt_f32_of_f16"));
        close(e, to == SCALAR_F64 && around > PRECEDENCE_UNARY);
        return;
    }
    const bool saturates = !scalar_is_float(to) && from->scalar != SCALAR_BOOL &&
                           node->as.convert != CONVERT_WRAP && node->as.convert != CONVERT_EXACT &&
                           !interval_inside(from->interval, info->interval);
    const enum scalar lane = from->scalar == SCALAR_BOOL || scalar_is_float(from->scalar)
                                 ? from->scalar
                                 : needed_lane(from);
    if (saturates) {
        const enum scalar wide = scalar_lane(from->interval);
        print_call(e, node, wide,
                   helper_use(e, arena_format(e->arena, "flt_%s_saturate_%s", info->text,
                                              scalar_info[wide].text)));
        return;
    }
    /* What is computed in the lane that it is converted to has that type. */
    if (!is_leaf_text(from) && is_integer_node(from) && to == lane) {
        print(e, from, lane, around);
        return;
    }
    open(e, around > PRECEDENCE_UNARY);
    text_print(e->out, "(%s)", info->c_type);
    if (node->as.convert == CONVERT_WRAP && info->interval.least < 0) /* C leaves this one open */
        text_print(e->out, "(u%s)", info->c_type);
    print(e, from, lane, PRECEDENCE_UNARY);
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

/* A float and 0: the other operand is kept apart, where a compiler takes such sums for less than they
 * are (see the helper). */
static void print_sum_with_zero(struct emission *e, const struct expr *node, const char *sign,
                                enum precedence around)
{
    const char *keep =
        helper_use(e, arena_format(e->arena, "flt_keep_%s", scalar_info[node->scalar].text));
    open(e, around > PRECEDENCE_ADD);
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *operand = node->operand[i];
        text_print(e->out, i ? sign : "");
        if (is_zero(operand)) {
            print(e, operand, node->scalar, PRECEDENCE_MULTIPLY);
            continue;
        }
        text_print(e->out, "%s(", keep);
        print(e, operand, node->scalar, PRECEDENCE_SELECT);
        text_print(e->out, ")");
    }
    close(e, around > PRECEDENCE_ADD);
}

/* Places that are not given are 0. */
static void print_noise(struct emission *e, const struct expr *node)
{
    const unsigned places = node->count <= 5 ? 4 : 8;
    text_print(e->out, "%s(", helper_use(e, places == 4 ? "flt_noise_4" : "flt_noise_8"));
    for (unsigned i = 0; i <= places; i++) {
        text_print(e->out, i ? ", " : "");
        if (i < node->count)
            print(e, node->operand[i], SCALAR_I64, PRECEDENCE_SELECT);
        else
            text_print(e->out, "0");
    }
    text_print(e->out, ")");
}

static void print_operation(struct emission *e, const struct expr *node, enum scalar lane,
                            enum precedence around)
{
    const bool real = scalar_is_float(node->scalar);
    switch (node->kind) {
    case EXPR_NEGATE:
        if (may_be_fused(e, node->operand[0])) {
            print_helper_call(e, node, node->scalar, "negate");
            break;
        }
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "-");
        print(e, node->operand[0], lane, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        break;
    case EXPR_NOT:
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "!");
        print(e, node->operand[0], lane, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        break;
    case EXPR_ADD: {
        const struct expr *b = node->operand[1];
        if (adds_zero(node)) {
            print_sum_with_zero(e, node, " + ", around);
            break;
        }
        if (b->kind != EXPR_INTEGER || b->as.integer >= 0 || b->as.integer == INT64_MIN) {
            print_binary(e, node, lane, "+", PRECEDENCE_ADD, around);
            break;
        }
        open(e, around > PRECEDENCE_ADD); /* x + -1 reads better as x - 1 */
        print(e, node->operand[0], lane, PRECEDENCE_ADD);
        text_print(e->out, " - ");
        print_integer(e, -b->as.integer);
        close(e, around > PRECEDENCE_ADD);
        break;
    }
    case EXPR_SUBTRACT:
        if (adds_zero(node))
            print_sum_with_zero(e, node, " - ", around);
        else
            print_binary(e, node, lane, "-", PRECEDENCE_ADD, around);
        break;
    case EXPR_MULTIPLY:
        print_binary(e, node, lane, "*", PRECEDENCE_MULTIPLY, around);
        break;
    case EXPR_DIVIDE:
    case EXPR_REMAINDER:
        if (real)
            print_binary(e, node, lane, "/", PRECEDENCE_MULTIPLY, around);
        else
            print_division(e, node, lane, around);
        break;
    case EXPR_EQUAL:
        print_binary(e, node, lane, "==", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_NOT_EQUAL:
        print_binary(e, node, lane, "!=", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_LESS:
        print_binary(e, node, lane, "<", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_LESS_EQUAL:
        print_binary(e, node, lane, "<=", PRECEDENCE_COMPARE, around);
        break;
    case EXPR_AND:
        print_binary(e, node, lane, "&&", PRECEDENCE_AND, around);
        break;
    case EXPR_OR:
        print_binary(e, node, lane, "||", PRECEDENCE_OR, around);
        break;
    case EXPR_BIT_AND:
        print_binary(e, node, lane, "&", PRECEDENCE_BITS, around);
        break;
    case EXPR_BIT_OR:
        print_binary(e, node, lane, "|", PRECEDENCE_BITS, around);
        break;
    case EXPR_BIT_XOR:
        print_binary(e, node, lane, "^", PRECEDENCE_BITS, around);
        break;
    case EXPR_SHIFT_LEFT:
        print_helper_call(e, node, lane, "shift_left");
        break;
    case EXPR_SHIFT_RIGHT:
        print_shift_right(e, node, lane, around);
        break;
    case EXPR_MINIMUM:
        print_extremum(e, node, lane, "min");
        break;
    case EXPR_MAXIMUM:
        print_extremum(e, node, lane, "max");
        break;
    case EXPR_ORDERED_MINIMUM:
        print_extremum(e, node, lane, real ? "ordered_min" : "min");
        break;
    case EXPR_ORDERED_MAXIMUM:
        print_extremum(e, node, lane, real ? "ordered_max" : "max");
        break;
    case EXPR_ORDER:
        print_helper_call(e, node, node->operand[0]->scalar, "order");
        break;
    case EXPR_SELECT:
        open(e, around > PRECEDENCE_SELECT);
        print(e, node->operand[0], SCALAR_BOOL, PRECEDENCE_OR);
        text_print(e->out, " ? ");
        print(e, node->operand[1], lane, PRECEDENCE_OR);
        text_print(e->out, " : ");
        print(e, node->operand[2], lane, PRECEDENCE_OR);
        close(e, around > PRECEDENCE_SELECT);
        break;
    case EXPR_ABSOLUTE:
        if (!real) {
            print_helper_call(e, node, lane, "abs");
            break;
        }
        print_call(e, node, lane, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_FUSED:
        e->uses_fused = true;
        print_call(e, node, lane, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_SQUARE_ROOT:
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        print_call(e, node, lane, float_function(node->kind, node->scalar == SCALAR_F32));
        break;
    case EXPR_NOISE:
        print_noise(e, node);
        break;
    case EXPR_ANY_ELEMENTARY:
        print_helper_call(e, node, node->scalar, expr_info[node->kind].text);
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
static void print_argument(struct emission *e, const struct expr *argument, enum scalar parameter)
{
    const enum scalar own = emit_type_of(e, argument);
    const bool casts =
        is_integer_node(argument) && argument->kind != EXPR_INTEGER && own != parameter;
    if (casts)
        text_print(e->out, "(%s)", scalar_info[parameter].c_type);
    print(e, argument, own, casts ? PRECEDENCE_UNARY : PRECEDENCE_SELECT);
}

static void print_external(struct emission *e, const struct expr *node)
{
    text_print(e->out, "%s(", external_use(e, node->as.external));
    for (unsigned i = 0; i < node->count; i++) {
        text_print(e->out, i ? ", " : "");
        print_argument(e, node->operand[i], node->as.external->parameter[i]);
    }
    text_print(e->out, ")");
}

static void print_leaf(struct emission *e, const struct expr *node, enum precedence around)
{
    if (node->kind == EXPR_VARIABLE) {
        text_print(e->out, "%s", name_of_variable(e, node));
    } else if (node->kind == EXPR_LOAD) {
        const struct buffer *buffer = &e->program->buffers.item[node->as.load.source];
        const bool truth = node->scalar == SCALAR_BOOL && buffer->space == SPACE_INPUT;
        open(e, truth);
        emit_element(e, buffer, node->operand);
        text_print(e->out, truth ? " != 0)" : "");
    } else if (node->kind == EXPR_EXTERNAL) {
        print_external(e, node);
    } else {
        print_convert(e, node, around);
    }
}

/* lane: for integers the width wanted, I32 or I64; otherwise of no effect. */
static void print(struct emission *e, const struct expr *node, enum scalar lane,
                  enum precedence around)
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
    if (is_leaf_text(node)) {
        const enum scalar own = natural_type(node);
        const bool cast =
            integer && ((lane == SCALAR_I32 && (own == SCALAR_I64 || own == SCALAR_U32)) ||
                        (lane == SCALAR_I64 && own != SCALAR_I64));
        open(e, cast && around > PRECEDENCE_UNARY);
        if (cast)
            text_print(e->out, "(%s)", scalar_info[lane].c_type);
        print_leaf(e, node, cast ? PRECEDENCE_UNARY : around);
        close(e, cast && around > PRECEDENCE_UNARY);
        return;
    }
    if (!integer) {
        /* Comparisons of integers are made in their lane. */
        const enum scalar compared = node->count > 0 && is_integer_node(node->operand[0])
                                         ? needed_lane(node)
                                     : node->count > 0 ? node->operand[node->count - 1]->scalar
                                                       : node->scalar;
        print_operation(e, node, compared, around);
        return;
    }
    const enum scalar needed = needed_lane(node);
    if (lane == SCALAR_I32 && needed == SCALAR_I64) {
        open(e, around > PRECEDENCE_UNARY);
        text_print(e->out, "(int32_t)");
        print_operation(e, node, SCALAR_I64, PRECEDENCE_PRIMARY);
        close(e, around > PRECEDENCE_UNARY);
        return;
    }
    print_operation(e, node, lane, around);
}

enum scalar emit_type_of(const struct emission *e, const struct expr *node)
{
    if (!is_integer_node(node) || is_leaf_text(node))
        return natural_type(node);
    const enum scalar lane = needed_lane(node), narrow = extremum_type(e, node, lane);
    return narrow == SCALAR_COUNT ? lane : narrow;
}

void emit_value(struct emission *e, const struct expr *node)
{
    const bool is_leaf = !is_integer_node(node) || is_leaf_text(node);
    print(e, node, is_leaf ? natural_type(node) : needed_lane(node), PRECEDENCE_SELECT);
}

void emit_index(struct emission *e, const struct expr *node)
{
    print(e, node, SCALAR_I64, PRECEDENCE_SELECT);
}

const char *emit_local_type(const struct expr *node)
{
    if (node->scalar == SCALAR_BOOL)
        return "int";
    if (!is_integer_node(node))
        return scalar_info[node->scalar].c_type;
    return scalar_lane(node->interval) == SCALAR_I64 || node->scalar == SCALAR_I64 ||
                   node->scalar == SCALAR_U32
               ? "int64_t"
               : "int32_t";
}

/* in[(y - 1) * in_stride_y + x + 1]; memory starts at the buffer's first coordinate. */
void emit_element(struct emission *e, const struct buffer *buffer, const struct expr *const index[])
{
    text_print(e->out, "%s", name_of_buffer(e, buffer));
    if (buffer->space == SPACE_REGISTER && buffer->rank == 0)
        return;
    text_print(e->out, "[");
    const bool fixed = buffer->space == SPACE_CONSTANT || buffer->space == SPACE_SHARED ||
                       buffer->space == SPACE_REGISTER || buffer->space == SPACE_TILE;
    for (unsigned k = 0; k < buffer->rank; k++) {
        const struct expr *first = buffer->axis[k].first;
        const struct expr *place =
            first->kind == EXPR_INTEGER && first->as.integer == 0
                ? index[k]
                : affine_normal(&e->session->pool,
                                expr_binary(&e->session->pool, EXPR_SUBTRACT, index[k], first));
        const bool last = k + 1 == buffer->rank;
        text_print(e->out, k ? " + " : "");
        print(e, place, SCALAR_I64, last ? PRECEDENCE_ADD : PRECEDENCE_MULTIPLY);
        if (last)
            continue;
        if (!fixed) {
            text_print(e->out, " * %s", name_of_stride(e, buffer, k));
            continue;
        }
        int64_t stride = 1;
        for (unsigned i = k + 1; i < buffer->rank; i++)
            stride *= buffer->axis[i].extent->as.integer;
        text_print(e->out, " * %lld", (long long)stride);
    }
    text_print(e->out, buffer->rank == 0 ? "0]" : "]");
}
