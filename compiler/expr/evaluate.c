/* Values of operations. Contraction is off (see the Makefile): every operation rounds by itself. */
#include "expr/evaluate.h"
#include "elementary/elementary.h"

#include <assert.h>
#include <float.h>
#include <math.h>

int64_t floor_divide(int64_t a, int64_t b)
{
    if (b == 0)
        return 0;
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    const int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t floor_remainder(int64_t a, int64_t b)
{
    if (b == 0 || b == -1)
        return 0;
    const int64_t remainder = a % b;
    return remainder + (remainder != 0 && (remainder < 0) != (b < 0) ? b : 0);
}

/* a ≤ b in -inf < … < -0 < +0 < … < inf < NaN. */
static bool ordered(extended_real a, extended_real b)
{
    if (isnan(a) || isnan(b))
        return isnan(b);
    return a < b || (a == b && (signbit(a) || !signbit(b)));
}

static int64_t clamp_to(enum scalar scalar, int64_t value)
{
    const struct interval interval = scalar_info[scalar].interval;
    return value < interval.least      ? interval.least
           : value > interval.greatest ? interval.greatest
                                       : value;
}

static int64_t wrap_to(enum scalar scalar, int64_t value)
{
    switch (scalar) {
    case SCALAR_U8:
        return (uint8_t)value;
    case SCALAR_I8:
        return (int8_t)value;
    case SCALAR_U16:
        return (uint16_t)value;
    case SCALAR_I16:
        return (int16_t)value;
    case SCALAR_U32:
        return (uint32_t)value;
    case SCALAR_I32:
        return (int32_t)value;
    case SCALAR_BOOL:
    case SCALAR_I64:
    case SCALAR_F32:
    case SCALAR_F64:
    case SCALAR_F16:
    case SCALAR_EXTENDED:
    case SCALAR_COUNT:
        break;
    }
    return value;
}

static int64_t integer_from_real(enum conversion mode, enum scalar to, extended_real value)
{
    if (isnan(value))
        return 0;
    const extended_real whole =
        mode == CONVERT_ROUND ? EXTENDED(rint)(value) : EXTENDED(trunc)(value);
    if (whole >= 9223372036854775808.0L)
        return scalar_info[to].interval.greatest;
    if (whole < -9223372036854775808.0L)
        return scalar_info[to].interval.least;
    return clamp_to(to, (int64_t)whole);
}

extended_real value_real(enum scalar scalar, struct value v)
{
    return scalar == SCALAR_F64        ? (extended_real)v.f64
           : scalar == SCALAR_EXTENDED ? v.extended
                                       : (extended_real)v.f32;
}

_Static_assert(LDBL_MANT_DIG >= 64, "long double holds every integer of 64 bits");
struct value value_from_real(enum scalar scalar, extended_real value)
{
    struct value result = {.integer = 0};
    if (scalar == SCALAR_F32)
        result.f32 = (float)value;
    else if (scalar == SCALAR_F64)
        result.f64 = (double)value;
    else if (scalar == SCALAR_F16)
        result.f32 = half_to_f32(half_from_f64((double)value)); /* which is from f64 at most */
    else
        result.extended = value;
    return result;
}

struct value evaluate_convert(enum conversion mode, enum scalar from, enum scalar to,
                              struct value operand)
{
    struct value result = {.integer = 0};
    if (scalar_is_float(to))
        return value_from_real(to, scalar_is_float(from) ? value_real(from, operand)
                                                         : (extended_real)operand.integer);
    if (scalar_is_float(from))
        result.integer = integer_from_real(mode, to, value_real(from, operand));
    else
        result.integer =
            mode == CONVERT_WRAP ? wrap_to(to, operand.integer) : clamp_to(to, operand.integer);
    return result;
}

static struct value integer_operation(enum expr_kind kind, const struct value v[])
{
    const int64_t a = v[0].integer, b = v[1].integer;
    struct value result = {.integer = 0};
    switch (kind) {
    case EXPR_NEGATE:
        result.integer = -a;
        break;
    case EXPR_NOT:
        result.integer = !a;
        break;
    case EXPR_ABSOLUTE:
        result.integer = a < 0 ? -a : a;
        break;
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        result.integer = a;
        break;
    case EXPR_ADD:
        result.integer = a + b;
        break;
    case EXPR_SUBTRACT:
        result.integer = a - b;
        break;
    case EXPR_MULTIPLY:
        result.integer = a * b;
        break;
    case EXPR_DIVIDE:
        result.integer = floor_divide(a, b);
        break;
    case EXPR_REMAINDER:
        result.integer = floor_remainder(a, b);
        break;
    case EXPR_MINIMUM:
    case EXPR_ORDERED_MINIMUM:
        result.integer = a < b ? a : b;
        break;
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MAXIMUM:
        result.integer = a > b ? a : b;
        break;
    case EXPR_EQUAL:
        result.integer = a == b;
        break;
    case EXPR_NOT_EQUAL:
        result.integer = a != b;
        break;
    case EXPR_LESS:
        result.integer = a < b;
        break;
    case EXPR_LESS_EQUAL:
        result.integer = a <= b;
        break;
    case EXPR_AND:
    case EXPR_BIT_AND:
        result.integer = a & b;
        break;
    case EXPR_OR:
    case EXPR_BIT_OR:
        result.integer = a | b;
        break;
    case EXPR_BIT_XOR:
        result.integer = a ^ b;
        break;
    case EXPR_SHIFT_LEFT:
        result.integer = (int64_t)((uint64_t)a << b);
        break;
    case EXPR_SHIFT_RIGHT:
        result.integer = a >> b;
        break;
    case EXPR_TRANSFORM_PLACES:
        result.integer = transform_places((enum transform)a, b);
        break;
    case EXPR_TRANSFORM_TABLE:
        result.integer = transform_table((enum transform)a, b);
        break;
    case EXPR_FAST_LENGTH:
        result.integer = transform_fast_length(a);
        break;
    case EXPR_DIVISOR:
        result.integer = transform_divisor(a);
        break;
    case EXPR_INTEGER:
    case EXPR_REAL:
    case EXPR_VARIABLE:
    case EXPR_LOAD:
    case EXPR_REDUCE:
    case EXPR_CONVERT:
    case EXPR_SQUARE_ROOT:
    case EXPR_FUSED:
    case EXPR_SELECT:
    case EXPR_NOISE:
    case EXPR_EXTERNAL:
    case EXPR_ORDER:
    case EXPR_ANY_ELEMENTARY:
    case EXPR_KIND_COUNT:
        assert(!"an operation on integers");
    }
    return result;
}

/* One text for all widths of float. */
/* clang-format off */
#define FLOAT_OPERATION(name, type, field, sqrt_, floor_, ceil_, rint_, trunc_)                    \
    static struct value name(enum expr_kind kind, const struct value v[])                            \
    {                                                                                              \
        const type a = v[0].field, b = v[1].field;                                                 \
        struct value result = {.integer = 0};                                                       \
        switch (kind) {                                                                            \
        case EXPR_NEGATE: result.field = -a; break;                                                \
        case EXPR_ABSOLUTE: result.field = (type)EXTENDED(fabs)((extended_real)a); break;          \
        case EXPR_SQUARE_ROOT: result.field = sqrt_(a); break;                                     \
        case EXPR_FLOOR: result.field = floor_(a); break;                                          \
        case EXPR_CEIL: result.field = ceil_(a); break;                                            \
        case EXPR_ROUND: result.field = rint_(a); break;                                           \
        case EXPR_TRUNCATE: result.field = trunc_(a); break;                                       \
        case EXPR_ADD: result.field = a + b; break;                                                \
        case EXPR_SUBTRACT: result.field = a - b; break;                                           \
        case EXPR_MULTIPLY: result.field = a * b; break;                                           \
        case EXPR_DIVIDE: result.field = a / b; break;                                             \
        case EXPR_MINIMUM: result.field = a < b ? a : b; break;                                    \
        case EXPR_MAXIMUM: result.field = a > b ? a : b; break;                                    \
        case EXPR_ORDERED_MINIMUM:                                                                 \
            result.field = ordered(a, b) ? a : b;                                                  \
            break;                                                                                 \
        case EXPR_ORDERED_MAXIMUM:                                                                 \
            result.field = ordered(b, a) ? a : b;                                                  \
            break;                                                                                 \
        case EXPR_EQUAL: result.integer = a == b; break;                                           \
        case EXPR_NOT_EQUAL: result.integer = a != b; break;                                       \
        case EXPR_LESS: result.integer = a < b; break;                                             \
        case EXPR_LESS_EQUAL: result.integer = a <= b; break;                                      \
        case EXPR_INTEGER: case EXPR_REAL: case EXPR_VARIABLE: case EXPR_LOAD: case EXPR_REDUCE:   \
        case EXPR_CONVERT: case EXPR_NOT: case EXPR_REMAINDER: case EXPR_AND: case EXPR_OR:        \
        case EXPR_BIT_AND: case EXPR_BIT_OR: case EXPR_BIT_XOR: case EXPR_SHIFT_LEFT:              \
        case EXPR_SHIFT_RIGHT: case EXPR_FUSED: case EXPR_SELECT: case EXPR_NOISE: case EXPR_ORDER: \
        case EXPR_TRANSFORM_PLACES: case EXPR_TRANSFORM_TABLE: case EXPR_FAST_LENGTH:              \
        case EXPR_DIVISOR: case EXPR_EXTERNAL: case EXPR_ANY_ELEMENTARY: case EXPR_KIND_COUNT:     \
            assert(!"an operation on floats");                                                     \
        }                                                                                          \
        return result;                                                                             \
    }
/* clang-format on */
FLOAT_OPERATION(f32_operation, float, f32, sqrtf, floorf, ceilf, rintf, truncf)
FLOAT_OPERATION(f64_operation, double, f64, sqrt, floor, ceil, rint, trunc)
FLOAT_OPERATION(extended_operation, extended_real, extended, EXTENDED(sqrt), EXTENDED(floor),
                EXTENDED(ceil), EXTENDED(rint), EXTENDED(trunc))

struct value evaluate_fused(enum scalar scalar, struct value a, struct value b, struct value c)
{
    struct value result = {.integer = 0};
    if (scalar == SCALAR_F32)
        result.f32 = fmaf(a.f32, b.f32, c.f32);
    else if (scalar == SCALAR_F64)
        result.f64 = fma(a.f64, b.f64, c.f64);
    else
        result.extended = EXTENDED(fma)(a.extended, b.extended, c.extended);
    return result;
}

static struct value elementary_operation(enum expr_kind kind, enum scalar scalar,
                                         const struct value v[])
{
    _Static_assert(EXPR_HYPERBOLIC_TANGENT - EXPR_EXP + 1 == ELEMENTARY_COUNT, "rows in one order");
    const enum elementary function = (enum elementary)(kind - EXPR_EXP);
    struct value result = {.integer = 0};
    if (scalar == SCALAR_F32)
        result.f32 = elementary_f32(function, (const float[]){v[0].f32, v[1].f32});
    else if (scalar == SCALAR_F64)
        result.f64 = elementary_f64(function, (const double[]){v[0].f64, v[1].f64});
    else
        result.extended =
            elementary_extended(function, (const long double[]){(long double)v[0].extended,
                                                                (long double)v[1].extended});
    return result;
}

static struct value noise(unsigned count, const struct value v[])
{
    int64_t argument[EXPR_MOST_OPERANDS];
    for (unsigned i = 0; i < count; i++)
        argument[i] = v[i].integer;
    return (struct value){.f32 = elementary_noise(count, argument)};
}

static struct value by_class(enum expr_kind kind, enum scalar scalar, const struct value v[])
{
    return scalar == SCALAR_F32        ? f32_operation(kind, v)
           : scalar == SCALAR_F64      ? f64_operation(kind, v)
           : scalar == SCALAR_EXTENDED ? extended_operation(kind, v)
                                       : integer_operation(kind, v);
}

/* -0 is -1, +0 is 0; what is not a number is one above infinity. */
static int64_t order_of(enum scalar scalar, struct value v)
{
    const int64_t infinity = scalar == SCALAR_F32 ? 0x7f800000 : INT64_C(0x7ff0000000000000);
    int64_t magnitude;
    bool negative;
    if (scalar == SCALAR_F32) {
        uint32_t bits;
        memcpy(&bits, &v.f32, sizeof bits);
        magnitude = bits & 0x7fffffff;
        negative = bits >> 31;
    } else {
        const double value = scalar == SCALAR_F64 ? v.f64 : (double)v.extended;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        magnitude = (int64_t)(bits & INT64_MAX);
        negative = bits >> 63;
    }
    return magnitude > infinity ? infinity + 1 : negative ? -magnitude - 1 : magnitude;
}

struct value evaluate_operation(const struct expr *node, const struct value operand[])
{
    if (node->kind == EXPR_ORDER)
        return (struct value){.integer = order_of(node->operand[0]->scalar, operand[0])};
    if (node->kind == EXPR_SELECT)
        return operand[0].integer ? operand[1] : operand[2];
    if (node->kind == EXPR_FUSED)
        return evaluate_fused(node->scalar, operand[0], operand[1], operand[2]);
    if (node->kind == EXPR_CONVERT)
        return evaluate_convert(node->as.convert, node->operand[0]->scalar, node->scalar,
                                operand[0]);
    if (node->kind == EXPR_NOISE)
        return noise(node->count, operand);
    const struct value pair[2] = {operand[0], node->count > 1 ? operand[1] : operand[0]};
    return expr_is_elementary(node->kind) ? elementary_operation(node->kind, node->scalar, pair)
                                          : by_class(node->kind, node->operand[0]->scalar, pair);
}

struct value evaluate_reduction_step(enum reduction operation, enum scalar scalar,
                                     struct value accumulator, struct value term)
{
    const struct value pair[2] = {accumulator, term};
    return by_class(expr_reduction_join(operation), scalar, pair);
}

struct value evaluate_constant(const struct expr *node)
{
    if (scalar_is_float(node->scalar))
        return value_from_real(node->scalar, (extended_real)node->as.real);
    return (struct value){.integer = node->as.integer};
}

#define READ_AS(type, field)                                                                       \
    {                                                                                              \
        type sample;                                                                               \
        memcpy(&sample, memory, sizeof sample);                                                    \
        result.field = sample;                                                                     \
        break;                                                                                     \
    }
struct value value_read(const void *memory, enum scalar scalar)
{
    struct value result = {.integer = 0};
    switch (scalar) {
    case SCALAR_BOOL:
    case SCALAR_U8:
        READ_AS(uint8_t, integer)
    case SCALAR_I8:
        READ_AS(int8_t, integer)
    case SCALAR_U16:
        READ_AS(uint16_t, integer)
    case SCALAR_I16:
        READ_AS(int16_t, integer)
    case SCALAR_U32:
        READ_AS(uint32_t, integer)
    case SCALAR_I32:
        READ_AS(int32_t, integer)
    case SCALAR_I64:
        READ_AS(int64_t, integer)
    case SCALAR_F32:
        READ_AS(float, f32)
    case SCALAR_F64:
        READ_AS(double, f64)
    case SCALAR_F16: {
        uint16_t half;
        memcpy(&half, memory, sizeof half);
        result.f32 = half_to_f32(half);
        break;
    }
    case SCALAR_EXTENDED:
        READ_AS(extended_real, extended)
    case SCALAR_COUNT:
        break;
    }
    return result;
}

void value_write(void *memory, enum scalar scalar, struct value value)
{
    const unsigned bytes = scalar_info[scalar].bytes;
    if (scalar == SCALAR_F32)
        memcpy(memory, &value.f32, bytes);
    else if (scalar == SCALAR_F64)
        memcpy(memory, &value.f64, bytes);
    else if (scalar == SCALAR_EXTENDED)
        memcpy(memory, &value.extended, bytes);
    else if (scalar == SCALAR_F16)
        memcpy(memory, &(uint16_t){half_from_f64((double)value.f32)}, bytes);
    else
        memcpy(memory, &value.integer, bytes); /* little endian, as every target so far */
}

bool value_equal(enum scalar scalar, struct value a, struct value b)
{
    if (scalar == SCALAR_F32 || scalar == SCALAR_F16)
        return (isnan(a.f32) && isnan(b.f32)) || memcmp(&a.f32, &b.f32, sizeof a.f32) == 0;
    if (scalar == SCALAR_F64)
        return (isnan(a.f64) && isnan(b.f64)) || memcmp(&a.f64, &b.f64, sizeof a.f64) == 0;
    if (scalar == SCALAR_EXTENDED) /* not memcmp: there is padding */
        return (isnan(a.extended) && isnan(b.extended)) ||
               (a.extended == b.extended && signbit(a.extended) == signbit(b.extended));
    return a.integer == b.integer;
}
