/* Building of expressions: hash-consing, intervals, folding of constants and the identities that
 * keep every bit (x + 0, x * 1 … of integers, select of a constant). */
#include "expr/expr.h"
#include "expr/evaluate.h"
#include "transform/transform.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const struct expr_info expr_info[EXPR_KIND_COUNT] = {
#define EXPR(kind, text, operands, shape) [EXPR_##kind] = {text, operands, SHAPE_##shape},
#include "expr/expr.def"
#undef EXPR
};
const char *const border_text[BORDER_COUNT] = {
#define BORDER(name, text) [BORDER_##name] = text,
#include "expr/borders.def"
#undef BORDER
};
const char *const reduction_text[REDUCTION_COUNT] = {
#define REDUCTION(name, text) [REDUCTION_##name] = text,
#include "expr/reductions.def"
#undef REDUCTION
};
const char *const reduction_order_text[ORDER_COUNT] = {
#define REDUCTION_ORDER(name, text) [ORDER_##name] = text,
#include "expr/reduction_orders.def"
#undef REDUCTION_ORDER
};
const char *const conversion_text[CONVERSION_COUNT] = {"exact", "round", "truncate", "wrap"};
const char *const variable_kind_text[VARIABLE_KIND_COUNT] = {"index", "extent", "parameter",
                                                             "local"};

/* Field by field: the bytes between the fields are anything. */
static bool same_borders(const struct expr *a, const struct expr *b)
{
    for (unsigned i = 0; a->as.load.border && i < a->count; i++) {
        const struct border *one = &a->as.load.border[i], *other = &b->as.load.border[i];
        if (one->rule != other->rule || one->value != other->value || one->first != other->first ||
            one->extent != other->extent)
            return false;
    }
    return true;
}

bool external_equal(const struct external *a, const struct external *b)
{
    return a->name == b->name && a->header == b->header && a->result == b->result &&
           a->count == b->count &&
           memcmp(a->parameter, b->parameter, a->count * sizeof *a->parameter) == 0;
}

/* Equality and hash of a node but for id, depth and interval (a variable's and a load's interval
 * count: they are given, not derived). */
static bool same_node(const struct expr *a, const struct expr *b)
{
    if (a->kind != b->kind || a->scalar != b->scalar || a->fast != b->fast ||
        a->count != b->count ||
        (a->count && memcmp(a->operand, b->operand, a->count * sizeof *a->operand) != 0))
        return false;
    switch (a->kind) {
    case EXPR_INTEGER:
        return a->as.integer == b->as.integer;
    case EXPR_REAL:
        return memcmp(&a->as.real, &b->as.real, sizeof a->as.real) == 0;
    case EXPR_VARIABLE:
        return a->as.variable.name == b->as.variable.name &&
               a->as.variable.kind == b->as.variable.kind &&
               a->interval.least == b->interval.least &&
               a->interval.greatest == b->interval.greatest;
    case EXPR_LOAD:
        return a->as.load.source == b->as.load.source && a->interval.least == b->interval.least &&
               a->interval.greatest == b->interval.greatest &&
               !a->as.load.border == !b->as.load.border && same_borders(a, b);
    case EXPR_CONVERT:
        return a->as.convert == b->as.convert;
    case EXPR_EXTERNAL:
        return external_equal(a->as.external, b->as.external);
    case EXPR_REDUCE:
        return a->as.reduce.operation == b->as.reduce.operation &&
               a->as.reduce.order == b->as.reduce.order &&
               a->as.reduce.fused == b->as.reduce.fused &&
               a->as.reduce.has_condition == b->as.reduce.has_condition &&
               a->as.reduce.counted == b->as.reduce.counted &&
               a->as.reduce.rank == b->as.reduce.rank &&
               memcmp(a->as.reduce.range, b->as.reduce.range,
                      a->as.reduce.rank * sizeof *a->as.reduce.range) == 0;
    default:
        return true;
    }
}

static uint64_t hash_node(const struct expr *node)
{
    struct {
        uint64_t kind, extra, other;
    } key = {(uint64_t)node->kind << 8 | (uint64_t)node->scalar, 0, 0};
    if (node->kind == EXPR_REAL)
        memcpy(&key.extra, &node->as.real, sizeof node->as.real);
    else if (node->kind == EXPR_INTEGER)
        key.extra = (uint64_t)node->as.integer;
    else if (node->kind == EXPR_VARIABLE)
        key.extra = (uintptr_t)node->as.variable.name;
    else if (node->kind == EXPR_LOAD)
        key.extra = node->as.load.source;
    else if (node->kind == EXPR_CONVERT)
        key.extra = node->as.convert;
    else if (node->kind == EXPR_EXTERNAL)
        key.extra = (uintptr_t)node->as.external->name;
    const uint64_t hash = hash_bytes(&key, sizeof key, 0);
    return node->count ? hash_bytes(node->operand, node->count * sizeof *node->operand, hash)
                       : hash;
}

static void pool_grow(struct expr_pool *pool)
{
    const size_t capacity = pool->capacity ? 2 * pool->capacity : 1024;
    const struct expr **slot = ARENA_ARRAY(pool->arena, const struct expr *, capacity);
    for (size_t i = 0; i < pool->capacity; i++) {
        if (!pool->slot[i])
            continue;
        size_t at = hash_node(pool->slot[i]) & (capacity - 1);
        while (slot[at])
            at = (at + 1) & (capacity - 1);
        slot[at] = pool->slot[i];
    }
    pool->slot = slot;
    pool->capacity = capacity;
}

static unsigned held_by(const struct expr *node)
{
    static const unsigned variable[] = {[VARIABLE_INDEX] = HOLDS_INDEX,
                                        [VARIABLE_EXTENT] = HOLDS_EXTENT,
                                        [VARIABLE_PARAMETER] = HOLDS_PARAMETER,
                                        [VARIABLE_LOCAL] = HOLDS_LOCAL};
    switch ((int)node->kind) {
    case EXPR_LOAD:
        return HOLDS_LOAD;
    case EXPR_REDUCE:
        return HOLDS_REDUCE;
    case EXPR_EXTERNAL:
        return HOLDS_CALL | HOLDS_EXTERNAL;
    case EXPR_ANY_ELEMENTARY:
        return HOLDS_CALL;
    case EXPR_VARIABLE:
        return variable[node->as.variable.kind];
    default:
        return 0;
    }
}

/* What is known of a new node by its operands. */
static void measure(struct expr *node)
{
    node->holds = held_by(node);
    node->size = node->depth = 1;
    node->newest = node->kind == EXPR_VARIABLE ? 1 + node->id : 0;
    for (unsigned i = 0; i < node->count; i++) {
        const struct expr *operand = node->operand[i];
        if (operand->depth >= node->depth)
            node->depth = operand->depth + 1;
        if (operand->newest > node->newest)
            node->newest = operand->newest;
        node->size =
            operand->size < UINT32_MAX - node->size ? node->size + operand->size : UINT32_MAX;
        node->holds |= node->kind == EXPR_LOAD ? operand->holds & HOLDS_REDUCE : operand->holds;
    }
}

bool expr_may_be_fast(enum expr_kind kind, enum scalar scalar)
{
    return scalar_is_float(scalar) &&
           (kind == EXPR_ADD || kind == EXPR_SUBTRACT || kind == EXPR_MULTIPLY ||
            kind == EXPR_FUSED || kind == EXPR_REDUCE);
}

/* The one node equal to the prototype, whose operand array and other arrays are copied if new. */
static const struct expr *intern(struct expr_pool *pool, struct expr prototype)
{
    if (2 * pool->count >= pool->capacity)
        pool_grow(pool);
    prototype.fast = pool->fast && expr_may_be_fast(prototype.kind, prototype.scalar);
    size_t at = hash_node(&prototype) & (pool->capacity - 1);
    while (pool->slot[at] && !same_node(pool->slot[at], &prototype))
        at = (at + 1) & (pool->capacity - 1);
    if (pool->slot[at])
        return pool->slot[at];
    prototype.id = (uint32_t)pool->count++;
    measure(&prototype);
    if (prototype.count)
        prototype.operand =
            arena_copy(pool->arena, prototype.operand, prototype.count * sizeof *prototype.operand);
    if (prototype.kind == EXPR_LOAD && prototype.as.load.border)
        prototype.as.load.border = arena_copy(pool->arena, prototype.as.load.border,
                                              prototype.count * sizeof(struct border));
    if (prototype.kind == EXPR_REDUCE)
        prototype.as.reduce.range =
            arena_copy(pool->arena, prototype.as.reduce.range,
                       prototype.as.reduce.rank * sizeof(struct expr_range));
    if (prototype.kind == EXPR_EXTERNAL)
        prototype.as.external =
            arena_copy(pool->arena, prototype.as.external, sizeof *prototype.as.external);
    return pool->slot[at] = arena_copy(pool->arena, &prototype, sizeof prototype);
}

const struct expr *expr_integer(struct expr_pool *pool, int64_t value)
{
    const struct interval interval = {value, value};
    return intern(pool, (struct expr){.kind = EXPR_INTEGER,
                                      .scalar = scalar_width(interval),
                                      .interval = interval,
                                      .as.integer = value});
}

const struct expr *expr_boolean(struct expr_pool *pool, bool value)
{
    return intern(pool, (struct expr){.kind = EXPR_INTEGER,
                                      .scalar = SCALAR_BOOL,
                                      .interval = {value, value},
                                      .as.integer = value});
}

const struct expr *expr_real(struct expr_pool *pool, enum scalar scalar, double value)
{
    if (isnan(value))
        value = (double)NAN;
    return intern(pool, (struct expr){.kind = EXPR_REAL,
                                      .scalar = scalar,
                                      .as.real = (double)value_real(
                                          scalar, value_from_real(scalar, (long double)value))});
}

/* A float has no interval: what callers give must not tell equal nodes apart. */
static struct interval interval_kept(enum scalar scalar, struct interval interval)
{
    return scalar_is_float(scalar) ? scalar_info[scalar].interval : interval;
}

const struct expr *expr_variable(struct expr_pool *pool, enum variable_kind kind,
                                 const struct symbol *name, enum scalar scalar,
                                 struct interval interval)
{
    return intern(pool, (struct expr){.kind = EXPR_VARIABLE,
                                      .scalar = scalar,
                                      .interval = interval_kept(scalar, interval),
                                      .as.variable = {kind, name}});
}

const struct expr *expr_load(struct expr_pool *pool, uint32_t source, enum scalar scalar,
                             struct interval interval, unsigned rank,
                             const struct expr *const index[], const struct border border[])
{
    bool inside = true;
    for (unsigned i = 0; border && i < rank; i++)
        inside = inside && border[i].rule == BORDER_NONE;
    return intern(pool, (struct expr){.kind = EXPR_LOAD,
                                      .scalar = scalar,
                                      .interval = interval_kept(scalar, interval),
                                      .count = rank,
                                      .operand = index,
                                      .as.load = {source, inside ? NULL : border}});
}

bool expr_is_constant(const struct expr *node)
{
    return node->kind == EXPR_INTEGER || node->kind == EXPR_REAL;
}

bool expr_is_of_parameters(const struct expr *node)
{
    return !(node->holds & (HOLDS_LOAD | HOLDS_REDUCE | HOLDS_INDEX | HOLDS_EXTENT | HOLDS_LOCAL));
}

const struct expr *expr_constant(struct expr_pool *pool, enum scalar scalar, struct value value)
{
    if (scalar_is_float(scalar))
        return expr_real(pool, scalar, (double)value_real(scalar, value));
    if (scalar == SCALAR_BOOL)
        return expr_boolean(pool, value.integer != 0);
    return expr_integer(pool, value.integer);
}

static struct interval convert_interval(enum conversion mode, enum scalar to,
                                        const struct expr *operand)
{
    const struct interval whole = scalar_info[to].interval, from = operand->interval;
    if (scalar_is_float(to))
        return (struct interval){0, 0};
    if (scalar_is_float(operand->scalar))
        return whole;
    if (mode == CONVERT_WRAP)
        return interval_inside(from, whole) ? from : whole;
    const int64_t least = from.least < whole.least      ? whole.least
                          : from.least > whole.greatest ? whole.greatest
                                                        : from.least;
    const int64_t greatest = from.greatest > whole.greatest ? whole.greatest
                             : from.greatest < whole.least  ? whole.least
                                                            : from.greatest;
    return (struct interval){least, greatest};
}

static bool is_integer_of_coordinates(const struct expr *node)
{
    return (node->holds & HOLDS_INDEX) && scalar_is_integer(node->scalar);
}

/* Whether what is made depends on the interval of a coordinate, by its kind alone. */
static bool uses_intervals(enum expr_kind kind, unsigned count, const struct expr *const operand[])
{
    unsigned of_coordinates = 0;
    for (unsigned i = 0; i < count; i++)
        of_coordinates += is_integer_of_coordinates(operand[i]);
    if (kind == EXPR_ADD || kind == EXPR_SUBTRACT || kind == EXPR_NEGATE)
        return false;
    return of_coordinates > (kind == EXPR_MULTIPLY);
}

const struct expr *expr_convert(struct expr_pool *pool, enum conversion mode, enum scalar scalar,
                                const struct expr *operand)
{
    pool->uses_of_intervals += is_integer_of_coordinates(operand) && scalar_is_integer(scalar) &&
                               operand->scalar != scalar;
    if (operand->scalar == scalar)
        return operand;
    if (scalar_is_float(scalar) && operand->kind == EXPR_CONVERT &&
        scalar_is_float(operand->scalar) && operand->operand[0]->scalar == scalar &&
        scalar_info[operand->scalar].bytes > scalar_info[scalar].bytes)
        return operand->operand[0]; /* there and back */
    if (expr_is_constant(operand))
        return expr_constant(
            pool, scalar,
            evaluate_convert(mode, operand->scalar, scalar, evaluate_constant(operand)));
    return intern(pool, (struct expr){.kind = EXPR_CONVERT,
                                      .scalar = scalar,
                                      .interval = convert_interval(mode, scalar, operand),
                                      .count = 1,
                                      .operand = &operand,
                                      .as.convert = mode});
}

/* Least and greatest, cut to 64 bits. */
static struct interval hull(__int128 a, __int128 b, __int128 c, __int128 d, bool *fits)
{
    __int128 least = a, greatest = a;
    const __int128 rest[3] = {b, c, d};
    for (int i = 0; i < 3; i++) {
        least = rest[i] < least ? rest[i] : least;
        greatest = rest[i] > greatest ? rest[i] : greatest;
    }
    *fits = *fits && least >= INT64_MIN && greatest <= INT64_MAX;
    return (struct interval){least < INT64_MIN   ? INT64_MIN
                             : least > INT64_MAX ? INT64_MAX
                                                 : (int64_t)least,
                             greatest > INT64_MAX   ? INT64_MAX
                             : greatest < INT64_MIN ? INT64_MIN
                                                    : (int64_t)greatest};
}

static __int128 floor_wide(__int128 a, __int128 b)
{
    const __int128 quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* Quotients by the parts of the divisor's interval below and above zero, and 0 where it holds 0. */
static struct interval divide_interval(struct interval a, struct interval b, bool *fits)
{
    struct interval result = {0, 0};
    bool any = b.least <= 0 && b.greatest >= 0;
    const struct interval part[2] = {{b.least, b.greatest < -1 ? b.greatest : -1},
                                     {b.least > 1 ? b.least : 1, b.greatest}};
    for (int i = 0; i < 2; i++) {
        if (part[i].least > part[i].greatest)
            continue;
        const struct interval q = hull(
            floor_wide(a.least, part[i].least), floor_wide(a.least, part[i].greatest),
            floor_wide(a.greatest, part[i].least), floor_wide(a.greatest, part[i].greatest), fits);
        if (!any)
            result = q;
        result.least = q.least < result.least ? q.least : result.least;
        result.greatest = q.greatest > result.greatest ? q.greatest : result.greatest;
        any = true;
    }
    return result;
}

static struct interval remainder_interval(struct interval a, struct interval b)
{
    if (b.least > 0 && a.least >= 0 && a.greatest < b.least)
        return a;
    const int64_t most = b.greatest > 0 ? b.greatest - 1 : 0;
    return (struct interval){b.least < 0 ? b.least + 1 : 0,
                             a.least >= 0 && b.least >= 0 && a.greatest < most ? a.greatest : most};
}

/* The least 2^k - 1 that is not below the value. */
static int64_t all_ones_above(int64_t value)
{
    int64_t ones = 0;
    while (ones < value)
        ones = 2 * ones + 1;
    return ones;
}

bool expr_interval(enum expr_kind kind, unsigned count, const struct interval operand[],
                   struct interval *result)
{
    const struct interval a = operand[0], b = operand[count > 1 ? 1 : 0];
    bool fits = true;
    *result = (struct interval){0, 1};
    switch (kind) {
    case EXPR_NEGATE:
        *result = hull(-(__int128)a.greatest, -(__int128)a.least, -(__int128)a.least,
                       -(__int128)a.least, &fits);
        break;
    case EXPR_ABSOLUTE: {
        const __int128 low = a.least < 0 ? -(__int128)a.least : a.least;
        const __int128 high = a.greatest < 0 ? -(__int128)a.greatest : a.greatest;
        const __int128 inner = a.least <= 0 && a.greatest >= 0 ? 0 : low;
        *result = hull(low, high, inner, high, &fits);
        break;
    }
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        *result = a;
        break;
    case EXPR_TRANSFORM_PLACES:
    case EXPR_TRANSFORM_TABLE:
        *result = (struct interval){0, TRANSFORM_MOST};
        break;
    case EXPR_DIVISOR: /* at most the square root */
        *result = (struct interval){1, a.greatest > 1 ? a.greatest / 2 + 1 : 1};
        break;
    case EXPR_FAST_LENGTH:
        *result =
            (struct interval){transform_fast_length(a.least), transform_fast_length(a.greatest)};
        break;
    case EXPR_ADD:
        *result = hull((__int128)a.least + b.least, (__int128)a.greatest + b.greatest,
                       (__int128)a.least + b.least, (__int128)a.greatest + b.greatest, &fits);
        break;
    case EXPR_SUBTRACT:
        *result = hull((__int128)a.least - b.greatest, (__int128)a.greatest - b.least,
                       (__int128)a.least - b.greatest, (__int128)a.greatest - b.least, &fits);
        break;
    case EXPR_MULTIPLY:
        *result = hull((__int128)a.least * b.least, (__int128)a.least * b.greatest,
                       (__int128)a.greatest * b.least, (__int128)a.greatest * b.greatest, &fits);
        break;
    case EXPR_DIVIDE:
        *result = divide_interval(a, b, &fits);
        break;
    case EXPR_REMAINDER:
        *result = remainder_interval(a, b);
        break;
    case EXPR_MINIMUM:
    case EXPR_ORDERED_MINIMUM:
        *result = (struct interval){a.least < b.least ? a.least : b.least,
                                    a.greatest < b.greatest ? a.greatest : b.greatest};
        break;
    case EXPR_MAXIMUM:
    case EXPR_ORDERED_MAXIMUM:
        *result = (struct interval){a.least > b.least ? a.least : b.least,
                                    a.greatest > b.greatest ? a.greatest : b.greatest};
        break;
    case EXPR_BIT_AND:
        *result = (struct interval){0, a.greatest < b.greatest ? a.greatest : b.greatest};
        break;
    case EXPR_BIT_OR:
    case EXPR_BIT_XOR:
        *result =
            (struct interval){0, all_ones_above(a.greatest > b.greatest ? a.greatest : b.greatest)};
        break;
    case EXPR_SHIFT_LEFT: {
        const __int128 low = (__int128)1 << b.least, high = (__int128)1 << b.greatest;
        *result = hull(a.least * low, a.least * high, a.greatest * low, a.greatest * high, &fits);
        break;
    }
    case EXPR_SHIFT_RIGHT:
        *result = hull(a.least >> b.least, a.least >> b.greatest, a.greatest >> b.least,
                       a.greatest >> b.greatest, &fits);
        break;
    case EXPR_SELECT: {
        const struct interval c = operand[2];
        *result = (struct interval){b.least < c.least ? b.least : c.least,
                                    b.greatest > c.greatest ? b.greatest : c.greatest};
        break;
    }
    case EXPR_NOT:
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_AND:
    case EXPR_OR:
        break;
    case EXPR_INTEGER:
    case EXPR_REAL:
    case EXPR_VARIABLE:
    case EXPR_LOAD:
    case EXPR_REDUCE:
    case EXPR_CONVERT:
    case EXPR_SQUARE_ROOT:
    case EXPR_FUSED:
    case EXPR_NOISE:
    case EXPR_EXTERNAL:
    case EXPR_ORDER:
    case EXPR_ANY_ELEMENTARY:
    case EXPR_KIND_COUNT:
        assert(!"an operation on integers");
    }
    return fits;
}

static bool is_truth_operation(enum expr_kind kind)
{
    return kind == EXPR_NOT || kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_EQUAL ||
           kind == EXPR_NOT_EQUAL || kind == EXPR_LESS || kind == EXPR_LESS_EQUAL;
}

static bool is_integer_constant(const struct expr *node, int64_t value)
{
    return node->kind == EXPR_INTEGER && node->as.integer == value;
}

static bool is_one(const struct expr *node)
{
    return node->kind == EXPR_REAL && node->as.real == 1;
}

/* The same for floats, to the last bit. */
static const struct expr *float_identity(enum expr_kind kind, const struct expr *const v[])
{
    if (kind == EXPR_MULTIPLY && is_one(v[0]))
        return v[1];
    return (kind == EXPR_MULTIPLY || kind == EXPR_DIVIDE) && is_one(v[1]) ? v[0] : NULL;
}

/* An operand that the operation leaves as it is, or NULL. */
static const struct expr *identity(enum expr_kind kind, const struct expr *const v[])
{
    if (kind == EXPR_SELECT)
        return v[0]->kind == EXPR_INTEGER ? v[v[0]->as.integer ? 1 : 2]
               : v[1] == v[2]             ? v[1]
                                          : NULL;
    if (scalar_is_float(v[0]->scalar))
        return float_identity(kind, v);
    switch (kind) {
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_TRUNCATE:
        return v[0];
    case EXPR_AND:
        return is_integer_constant(v[0], 1) || is_integer_constant(v[1], 0)   ? v[1]
               : is_integer_constant(v[1], 1) || is_integer_constant(v[0], 0) ? v[0]
                                                                              : NULL;
    case EXPR_OR:
        return is_integer_constant(v[0], 0) || is_integer_constant(v[1], 1)   ? v[1]
               : is_integer_constant(v[1], 0) || is_integer_constant(v[0], 1) ? v[0]
                                                                              : NULL;
    case EXPR_ABSOLUTE:
        return v[0]->interval.least >= 0 ? v[0] : NULL;
    case EXPR_ADD:
        return is_integer_constant(v[0], 0) ? v[1] : is_integer_constant(v[1], 0) ? v[0] : NULL;
    case EXPR_SUBTRACT:
    case EXPR_SHIFT_LEFT:
    case EXPR_SHIFT_RIGHT:
        return is_integer_constant(v[1], 0) ? v[0] : NULL;
    case EXPR_MULTIPLY:
        return is_integer_constant(v[0], 1) || is_integer_constant(v[1], 0)   ? v[1]
               : is_integer_constant(v[1], 1) || is_integer_constant(v[0], 0) ? v[0]
                                                                              : NULL;
    case EXPR_DIVIDE:
        return is_integer_constant(v[1], 1) ? v[0] : NULL;
    case EXPR_MINIMUM:
        return v[0] == v[1] || v[0]->interval.greatest <= v[1]->interval.least ? v[0]
               : v[1]->interval.greatest <= v[0]->interval.least               ? v[1]
                                                                               : NULL;
    case EXPR_MAXIMUM:
        return v[0] == v[1] || v[0]->interval.least >= v[1]->interval.greatest ? v[0]
               : v[1]->interval.least >= v[0]->interval.greatest               ? v[1]
                                                                               : NULL;
    default:
        return NULL;
    }
}

const struct expr *expr_operation(struct expr_pool *pool, enum expr_kind kind, unsigned count,
                                  const struct expr *const operand[])
{
    const struct expr *typed = operand[kind == EXPR_SELECT ? 1 : 0];
    struct expr node = {.kind = kind, .scalar = typed->scalar, .count = count, .operand = operand};
    if (is_truth_operation(kind)) {
        node.scalar = SCALAR_BOOL;
        node.interval = (struct interval){0, 1};
    } else if (kind == EXPR_ORDER) {
        const int64_t most = typed->scalar == SCALAR_F32 ? 0x7f800001 : 0x7ff0000000000001;
        node.scalar = SCALAR_I64;
        node.interval = (struct interval){-most, most};
    } else if (kind == EXPR_NOISE) {
        node.scalar = SCALAR_F32;
        node.interval = (struct interval){0, 1};
    } else if (!scalar_is_float(typed->scalar) && typed->scalar != SCALAR_BOOL) {
        struct interval interval[3] = {{0, 0}};
        for (unsigned i = 0; i < count; i++)
            interval[i] = operand[i]->interval;
        /* The front end has shown that values stay within 64 bits. A pass may put an expression
         * with a wider interval in the place of a coordinate; the values are the same. */
        expr_interval(kind, count, interval, &node.interval);
        node.scalar = scalar_width(node.interval);
        for (unsigned i = kind == EXPR_SELECT; i < count; i++)
            if (scalar_width(operand[i]->interval) == SCALAR_I64)
                node.scalar = SCALAR_I64;
    } else {
        node.interval = (struct interval){0, 1};
    }
    pool->uses_of_intervals += uses_intervals(kind, count, operand);
    struct value value[EXPR_MOST_OPERANDS];
    bool constant = true;
    for (unsigned i = 0; i < count; i++) {
        constant = constant && expr_is_constant(operand[i]);
        if (constant)
            value[i] = evaluate_constant(operand[i]);
    }
    if (constant)
        return expr_constant(pool, node.scalar, evaluate_operation(&node, value));
    const struct expr *same = identity(kind, operand);
    if (same)
        return same;
    if (kind == EXPR_FUSED && (is_one(operand[0]) || is_one(operand[1])))
        return expr_operation(pool, EXPR_ADD, 2,
                              (const struct expr *[]){operand[is_one(operand[0])], operand[2]});
    /* An integer compared with itself; a float may be no number. */
    if (count == 2 && operand[0] == operand[1] && is_truth_operation(kind) &&
        !scalar_is_float(operand[0]->scalar) && kind != EXPR_AND && kind != EXPR_OR)
        return expr_boolean(pool, kind == EXPR_EQUAL || kind == EXPR_LESS_EQUAL);
    if (node.scalar != SCALAR_BOOL && !scalar_is_float(node.scalar) &&
        node.interval.least == node.interval.greatest) {
        for (unsigned i = 0; i < count; i++)
            pool->uses_of_intervals += is_integer_of_coordinates(operand[i]);
        return expr_integer(pool, node.interval.least);
    }
    return intern(pool, node);
}

int64_t expr_range_terms(unsigned rank, const struct expr_range range[])
{
    const int64_t most = (int64_t)1 << 62;
    int64_t terms = 1;
    for (unsigned i = 0; i < rank; i++)
        terms = range[i].extent == 0             ? 0
                : terms > most / range[i].extent ? most
                                                 : terms * range[i].extent;
    return terms;
}

int64_t expr_reduction_terms(const struct expr_reduction *shape)
{
    const int64_t terms = expr_range_terms(shape->rank, shape->range);
    const int64_t most = shape->order == ORDER_RUN ? REDUCTION_RUN : MOST_COUNTED_TERMS;
    return shape->counted && terms > most ? most : terms;
}

int64_t expr_reduction_usual_terms(const struct expr_reduction *shape)
{
    enum { USUAL_COUNT = 16 };
    int64_t terms = 1;
    for (unsigned k = 0; k < shape->rank; k++)
        terms *= shape->range[k].extent < USUAL_COUNT ? shape->range[k].extent : USUAL_COUNT;
    return shape->counted ? terms : expr_range_terms(shape->rank, shape->range);
}

enum expr_kind expr_reduction_join(enum reduction operation)
{
    static const enum expr_kind join[REDUCTION_COUNT] = {
        [REDUCTION_SUM] = EXPR_ADD,
        [REDUCTION_PRODUCT] = EXPR_MULTIPLY,
        [REDUCTION_MINIMUM] = EXPR_ORDERED_MINIMUM,
        [REDUCTION_MAXIMUM] = EXPR_ORDERED_MAXIMUM,
        [REDUCTION_ANY] = EXPR_OR,
        [REDUCTION_ALL] = EXPR_AND,
        [REDUCTION_TALLY] = EXPR_ADD,
    };
    return join[operation];
}

bool expr_reduction_is_ordered(enum reduction operation, enum scalar term)
{
    return scalar_is_float(term) && (operation == REDUCTION_SUM || operation == REDUCTION_PRODUCT);
}

unsigned expr_reduction_operands(const struct expr_reduction *shape)
{
    return 1 + (unsigned)shape->fused + (unsigned)shape->has_condition +
           (shape->counted ? shape->rank : 0) + (shape->order == ORDER_RUN);
}

const struct expr *expr_reduce_condition(const struct expr *reduce)
{
    return reduce->as.reduce.has_condition ? reduce->operand[1 + reduce->as.reduce.fused] : NULL;
}

const struct expr *expr_reduce_count(struct expr_pool *pool, const struct expr *reduce, unsigned k)
{
    const struct expr_reduction *shape = &reduce->as.reduce;
    return shape->counted
               ? reduce->operand[1 + (unsigned)shape->fused + (unsigned)shape->has_condition + k]
               : expr_integer(pool, shape->range[k].extent);
}

static const struct expr *start_from(struct expr_pool *pool, enum reduction operation,
                                     enum scalar scalar, struct interval ends)
{
    const bool real = scalar_is_float(scalar);
    switch (operation) {
    case REDUCTION_SUM:
        return real ? expr_real(pool, scalar, -0.0) : expr_integer(pool, 0);
    case REDUCTION_PRODUCT:
        return real ? expr_real(pool, scalar, 1) : expr_integer(pool, 1);
    case REDUCTION_MINIMUM:
    case REDUCTION_MEDIAN:
        return real ? expr_real(pool, scalar, (double)NAN) : expr_integer(pool, ends.greatest);
    case REDUCTION_MAXIMUM:
        return real ? expr_real(pool, scalar, (double)-INFINITY) : expr_integer(pool, ends.least);
    case REDUCTION_ANY:
        return expr_boolean(pool, false);
    case REDUCTION_ALL:
        return expr_boolean(pool, true);
    case REDUCTION_TALLY:
        return expr_integer(pool, 0);
    case REDUCTION_ARGMIN:
    case REDUCTION_ARGMAX:
    case REDUCTION_COUNT:
        break;
    }
    assert(!"a reduction that has a neutral start");
    return NULL;
}

/* min and max of integers: the ends of the smallest type that holds the terms, where there may be
 * no term; else the ends of their interval. */
static struct interval reduction_ends(const struct expr *term, bool can_be_empty)
{
    return can_be_empty && scalar_is_integer(term->scalar)
               ? scalar_info[scalar_holding(term->interval)].interval
               : term->interval;
}

/* Whether there may be no term that counts. */
static bool may_be_empty(const struct expr_reduction *shape, const struct expr *const operand[])
{
    const unsigned counts = 1 + (unsigned)shape->fused;
    bool empty = shape->has_condition;
    for (unsigned k = 0; shape->counted && k < shape->rank && !empty; k++)
        empty = operand[counts + k]->interval.least < 1;
    return empty;
}

const struct expr *expr_reduction_start(struct expr_pool *pool, const struct expr *reduce)
{
    return start_from(
        pool, reduce->as.reduce.operation, reduce->scalar,
        reduction_ends(reduce->operand[0], may_be_empty(&reduce->as.reduce, reduce->operand)));
}

/* What a condition makes of the interval, as it may leave out any of the terms, or all. */
static struct interval with_absent_terms(enum reduction operation, const struct expr *term,
                                         struct interval all)
{
    if (operation == REDUCTION_MINIMUM || operation == REDUCTION_MAXIMUM ||
        operation == REDUCTION_MEDIAN)
        return reduction_ends(term, true);
    if (operation == REDUCTION_SUM || operation == REDUCTION_PRODUCT) {
        const int64_t none = operation == REDUCTION_PRODUCT;
        return interval_hull(all, (struct interval){none, none});
    }
    return all;
}

bool expr_reduction_interval(const struct expr_reduction *shape, int64_t terms, struct interval t,
                             struct interval *result)
{
    const enum reduction operation = shape->operation;
    bool fits = true;
    *result = t;
    if (operation == REDUCTION_TALLY) {
        *result = (struct interval){0, terms};
    } else if (operation == REDUCTION_SUM) {
        const __int128 least = (__int128)terms * t.least, greatest = (__int128)terms * t.greatest;
        *result = hull(least, greatest, least, greatest, &fits);
        if (shape->counted)
            *result = interval_hull(*result, t);
    } else if (operation == REDUCTION_PRODUCT) {
        struct interval product = t;
        for (int64_t i = 1; i < terms && i < 64 && fits; i++) {
            const struct interval pair[2] = {product, t};
            fits = expr_interval(EXPR_MULTIPLY, 2, pair, &product);
            *result = interval_hull(*result, product);
        }
    }
    return fits;
}

const struct expr *expr_reduce_as(struct expr_pool *pool, const struct expr_reduction *shape,
                                  const struct expr *const operand[])
{
    const struct expr *term = operand[0];
    const enum reduction operation = shape->operation;
    const int64_t terms = expr_reduction_terms(shape);
    if (terms == 0) {
        return operation == REDUCTION_SUM && scalar_is_float(term->scalar)
                   ? expr_real(pool, term->scalar, 0)
                   : start_from(pool, operation, term->scalar, reduction_ends(term, true));
    }
    struct expr node = {.kind = EXPR_REDUCE,
                        .scalar = term->scalar,
                        .interval = {0, 1},
                        .count = expr_reduction_operands(shape),
                        .operand = operand,
                        .as.reduce = *shape};
    if (operation == REDUCTION_TALLY || scalar_is_integer(term->scalar)) {
        expr_reduction_interval(shape, terms, term->interval, &node.interval);
        if (may_be_empty(shape, operand))
            node.interval = with_absent_terms(operation, term, node.interval);
        node.scalar = scalar_width(node.interval);
        if (operation != REDUCTION_TALLY && scalar_width(term->interval) == SCALAR_I64)
            node.scalar = SCALAR_I64;
    }
    return intern(pool, node);
}

const struct expr *expr_reduce(struct expr_pool *pool, enum reduction operation, bool fused,
                               bool has_condition, unsigned rank, const struct expr_range range[],
                               const struct expr *const operand[])
{
    const struct expr_reduction shape = {.operation = operation,
                                         .fused = fused,
                                         .has_condition = has_condition,
                                         .rank = rank,
                                         .range = range};
    return expr_reduce_as(pool, &shape, operand);
}

const struct expr *expr_external(struct expr_pool *pool, const struct external *function,
                                 const struct expr *const operand[])
{
    return intern(pool, (struct expr){.kind = EXPR_EXTERNAL,
                                      .scalar = function->result,
                                      .interval = scalar_info[function->result].interval,
                                      .count = function->count,
                                      .operand = operand,
                                      .as.external = function});
}

static int by_name(const void *a, const void *b)
{
    const struct external *const *left = a, *const *right = b;
    return strcmp((*left)->name->text, (*right)->name->text);
}

struct external_list expr_externals(const struct expr_pool *pool, struct arena *arena)
{
    struct external_list list = {0};
    for (size_t i = 0; i < pool->capacity; i++) {
        const struct external *function = pool->slot[i] && pool->slot[i]->kind == EXPR_EXTERNAL
                                              ? pool->slot[i]->as.external
                                              : NULL;
        bool known = !function;
        for (size_t k = 0; k < list.count && !known; k++)
            known = external_equal(list.item[k], function);
        if (!known)
            VECTOR_PUSH(arena, &list, function);
    }
    if (list.count)
        qsort(list.item, list.count, sizeof *list.item, by_name);
    return list;
}

/* Whether there is any term that counts. */
static const struct expr *any_term(struct expr_pool *pool, const struct expr *node,
                                   const struct expr *const operand[])
{
    struct expr_reduction shape = node->as.reduce;
    const struct expr *of[REDUCTION_MOST_OPERANDS] = {expr_boolean(pool, true)};
    unsigned from = 1 + (unsigned)shape.fused, count = 0;
    if (shape.has_condition)
        of[count++] = operand[from++];
    else
        count++;
    while (from < node->count) /* counts, and the number of a run */
        of[count++] = operand[from++];
    shape.operation = REDUCTION_ANY;
    shape.fused = shape.has_condition = false;
    return expr_reduce_as(pool, &shape, of);
}

/* What min and max are without terms does not change with what is known of the terms. */
static const struct expr *reduce_with_operands(struct expr_pool *pool, const struct expr *node,
                                               const struct expr *const operand[])
{
    const enum reduction operation = node->as.reduce.operation;
    const struct expr *made = expr_reduce_as(pool, &node->as.reduce, operand);
    if ((operation != REDUCTION_MINIMUM && operation != REDUCTION_MAXIMUM) ||
        !may_be_empty(&node->as.reduce, node->operand) ||
        !scalar_is_integer(node->operand[0]->scalar))
        return made;
    const struct interval ends = reduction_ends(node->operand[0], true);
    const struct interval now = reduction_ends(operand[0], true);
    if (ends.least == now.least && ends.greatest == now.greatest)
        return made;
    return expr_select(pool, any_term(pool, node, operand), made,
                       start_from(pool, operation, node->scalar, ends));
}

static const struct expr *with_operands(struct expr_pool *pool, const struct expr *node,
                                        const struct expr *const operand[])
{
    switch (node->kind) {
    case EXPR_LOAD:
        return expr_load(pool, node->as.load.source, node->scalar, node->interval, node->count,
                         operand, node->as.load.border);
    case EXPR_CONVERT:
        return expr_convert(pool, node->as.convert, node->scalar, operand[0]);
    case EXPR_EXTERNAL:
        return expr_external(pool, node->as.external, operand);
    case EXPR_REDUCE:
        return reduce_with_operands(pool, node, operand);
    default:
        return expr_operation(pool, node->kind, node->count, operand);
    }
}

struct interval expr_domain(enum expr_kind kind, unsigned i)
{
    const bool bits = kind == EXPR_BIT_AND || kind == EXPR_BIT_OR || kind == EXPR_BIT_XOR;
    const bool shift = kind == EXPR_SHIFT_LEFT || kind == EXPR_SHIFT_RIGHT;
    return (struct interval){bits || (shift && i == 1) ? 0 : INT64_MIN,
                             shift && i == 1 ? 63 : INT64_MAX};
}

/* What a pass puts in the place of a coordinate may have a wider interval, and the same values. */
static const struct expr *within_domain(struct expr_pool *pool, enum expr_kind kind, unsigned i,
                                        const struct expr *operand)
{
    const struct interval domain = expr_domain(kind, i);
    if (operand->interval.least < domain.least)
        operand = expr_binary(pool, EXPR_MAXIMUM, operand, expr_integer(pool, domain.least));
    if (operand->interval.greatest > domain.greatest)
        operand = expr_binary(pool, EXPR_MINIMUM, operand, expr_integer(pool, domain.greatest));
    return operand;
}

const struct expr *expr_with_operands(struct expr_pool *pool, const struct expr *node,
                                      const struct expr *const operand[])
{
    if (node->count == 0 || memcmp(node->operand, operand, node->count * sizeof *operand) == 0)
        return node;
    const struct expr *own[2];
    if (node->count == 2 && scalar_is_integer(operand[0]->scalar)) {
        for (unsigned i = 0; i < 2; i++)
            own[i] = within_domain(pool, node->kind, i, operand[i]);
        operand = own;
    }
    const bool fast = pool->fast;
    pool->fast = node->fast;
    const struct expr *made = with_operands(pool, node, operand);
    pool->fast = fast;
    return made;
}

const struct expr *expr_unary(struct expr_pool *pool, enum expr_kind kind, const struct expr *a)
{
    return expr_operation(pool, kind, 1, &a);
}

const struct expr *expr_binary(struct expr_pool *pool, enum expr_kind kind, const struct expr *a,
                               const struct expr *b)
{
    const struct expr *const pair[2] = {a, b};
    return expr_operation(pool, kind, 2, pair);
}

const struct expr *expr_select(struct expr_pool *pool, const struct expr *condition,
                               const struct expr *a, const struct expr *b)
{
    const struct expr *const three[3] = {condition, a, b};
    return expr_operation(pool, EXPR_SELECT, 3, three);
}
