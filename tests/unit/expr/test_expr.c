/* Building and evaluating of expressions: equal nodes are one, constants fold as they evaluate,
 * intervals hold every value, conversions saturate, the total order of floats. */
#include "expr/evaluate.h"
#include "expr/expr_verify.h"
#include "session.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"

static const struct expr *variable(struct session *session, const char *text, int64_t least,
                                   int64_t greatest)
{
    const struct interval interval = {least, greatest};
    return expr_variable(&session->pool, VARIABLE_INDEX, symbol_from(&session->symbols, text),
                         scalar_width(interval), interval);
}

static const struct expr *real_variable(struct session *session, const char *text)
{
    return expr_variable(&session->pool, VARIABLE_PARAMETER, symbol_from(&session->symbols, text),
                         SCALAR_F32, (struct interval){0, 0});
}

/* ---- Equal nodes ---- */

static void equal_nodes_are_the_same_pointer(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *x = variable(session, "x", 0, 9);
    assert_ptr_equal(x, variable(session, "x", 0, 9));
    assert_ptr_not_equal(x, variable(session, "x", 0, 8));
    assert_ptr_equal(expr_binary(pool, EXPR_ADD, x, expr_integer(pool, 1)),
                     expr_binary(pool, EXPR_ADD, x, expr_integer(pool, 1)));
    assert_ptr_not_equal(expr_integer(pool, 1), expr_boolean(pool, true));
    assert_ptr_not_equal(expr_real(pool, SCALAR_F32, 1), expr_real(pool, SCALAR_F64, 1));
    assert_ptr_not_equal(expr_real(pool, SCALAR_F32, 0), expr_real(pool, SCALAR_F32, -0.0));
    assert_ptr_equal(expr_real(pool, SCALAR_F32, (double)NAN),
                     expr_real(pool, SCALAR_F32, -(double)NAN));
    assert_ptr_equal(expr_real(pool, SCALAR_F32, 0.1), expr_real(pool, SCALAR_F32, (double)0.1f));
}

/* What callers give as the interval of a float is not part of the node. */
static void floats_have_no_interval(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct symbol *name = symbol_from(&session->symbols, "p");
    const struct interval one = {0, 0}, other = {0, 1};
    const struct expr *x = variable(session, "x", 0, 9);
    assert_ptr_equal(expr_variable(pool, VARIABLE_PARAMETER, name, SCALAR_F32, one),
                     expr_variable(pool, VARIABLE_PARAMETER, name, SCALAR_F32, other));
    assert_ptr_equal(expr_load(pool, 0, SCALAR_F32, one, 1, &x, NULL),
                     expr_load(pool, 0, SCALAR_F32, other, 1, &x, NULL));
    assert_ptr_not_equal(expr_load(pool, 0, SCALAR_U8, one, 1, &x, NULL),
                         expr_load(pool, 0, SCALAR_U8, other, 1, &x, NULL));
}

static void many_nodes_stay_equal(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    enum { COUNT = 20000 };
    static const struct expr *node[COUNT];
    const struct expr *x = variable(session, "x", 0, 9);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COUNT; i++) {
            const struct expr *made =
                expr_binary(pool, EXPR_MULTIPLY, x, expr_integer(pool, i + 2));
            if (round)
                assert_ptr_equal(made, node[i]);
            node[i] = made;
        }
}

/* ---- Folding ---- */

static int64_t integer_of(const struct expr *node)
{
    assert_int_equal(node->kind, EXPR_INTEGER);
    return node->as.integer;
}

static int64_t folded(struct session *session, enum expr_kind kind, int64_t a, int64_t b)
{
    return integer_of(expr_binary(&session->pool, kind, expr_integer(&session->pool, a),
                                  expr_integer(&session->pool, b)));
}

static void division_rounds_down(void **state)
{
    struct session *session = *state;
    assert_int_equal(folded(session, EXPR_DIVIDE, 7, 2), 3);
    assert_int_equal(folded(session, EXPR_DIVIDE, -7, 2), -4);
    assert_int_equal(folded(session, EXPR_DIVIDE, 7, -2), -4);
    assert_int_equal(folded(session, EXPR_DIVIDE, -7, -2), 3);
    assert_int_equal(folded(session, EXPR_DIVIDE, 7, 0), 0);
    assert_int_equal(folded(session, EXPR_REMAINDER, 7, 2), 1);
    assert_int_equal(folded(session, EXPR_REMAINDER, -7, 2), 1);
    assert_int_equal(folded(session, EXPR_REMAINDER, 7, -2), -1);
    assert_int_equal(folded(session, EXPR_REMAINDER, INT64_MIN, -1), 0);
    assert_int_equal(folded(session, EXPR_REMAINDER, -7, -2), -1);
    assert_int_equal(folded(session, EXPR_REMAINDER, 7, 0), 0);
    for (int64_t a = -20; a <= 20; a++)
        for (int64_t b = -20; b <= 20; b++) {
            const int64_t q = floor_divide(a, b), r = floor_remainder(a, b);
            assert_int_equal(q, b == 0 ? 0 : (int64_t)floor((double)a / (double)b));
            if (b != 0)
                assert_int_equal(q * b + r, a);
            assert_true(b > 0 ? r >= 0 && r < b : b < 0 ? r <= 0 && r > b : r == 0);
        }
    assert_int_equal(floor_divide(INT64_MIN, -1), INT64_MIN); /* wraps; intervals exclude it */
    assert_int_equal(floor_remainder(INT64_MIN, -1), 0);
    assert_int_equal(floor_divide(INT64_MIN, 1), INT64_MIN);
    assert_int_equal(floor_divide(INT64_MAX, INT64_MIN), -1);
    assert_int_equal(floor_remainder(INT64_MAX, INT64_MIN), -1);
}

static void integers_keep_identities(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *x = variable(session, "x", 0, 9), *y = variable(session, "y", 9, 20);
    const struct expr *zero = expr_integer(pool, 0), *one = expr_integer(pool, 1);
    assert_ptr_equal(expr_binary(pool, EXPR_ADD, x, zero), x);
    assert_ptr_equal(expr_binary(pool, EXPR_ADD, zero, x), x);
    assert_ptr_equal(expr_binary(pool, EXPR_SUBTRACT, x, zero), x);
    assert_ptr_not_equal(expr_binary(pool, EXPR_SUBTRACT, zero, x), x);
    assert_ptr_equal(expr_binary(pool, EXPR_MULTIPLY, x, one), x);
    assert_ptr_equal(expr_binary(pool, EXPR_MULTIPLY, one, x), x);
    assert_ptr_equal(expr_binary(pool, EXPR_MULTIPLY, x, zero), zero);
    assert_ptr_equal(expr_binary(pool, EXPR_DIVIDE, x, one), x);
    assert_ptr_equal(expr_binary(pool, EXPR_REMAINDER, x, one), zero);
    assert_ptr_equal(expr_binary(pool, EXPR_SHIFT_LEFT, x, zero), x);
    assert_ptr_equal(expr_binary(pool, EXPR_SHIFT_RIGHT, x, zero), x);
    assert_ptr_equal(expr_binary(pool, EXPR_MINIMUM, x, y), x);
    assert_ptr_equal(expr_binary(pool, EXPR_MAXIMUM, x, y), y);
    assert_ptr_equal(expr_binary(pool, EXPR_MAXIMUM, x, x), x);
    assert_ptr_equal(expr_unary(pool, EXPR_ABSOLUTE, x), x);
    assert_ptr_equal(expr_unary(pool, EXPR_ROUND, x), x);
    assert_ptr_equal(expr_select(pool, expr_boolean(pool, true), x, y), x);
    assert_ptr_equal(expr_select(pool, expr_boolean(pool, false), x, y), y);
    assert_ptr_equal(expr_select(pool, expr_binary(pool, EXPR_LESS, x, y), y, y), y);
}

/* x + 0 is not x for -0, x * 0 is not 0 for infinities: nothing is dropped. */
static void floats_keep_operations_that_may_change_them(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = real_variable(session, "p");
    const struct expr *zero = expr_real(pool, SCALAR_F32, 0), *one = expr_real(pool, SCALAR_F32, 1);
    assert_int_equal(expr_binary(pool, EXPR_ADD, p, zero)->kind, EXPR_ADD);
    assert_int_equal(expr_binary(pool, EXPR_SUBTRACT, p, p)->kind, EXPR_SUBTRACT);
    assert_ptr_equal(expr_binary(pool, EXPR_MULTIPLY, p, one), p);
    assert_ptr_equal(expr_binary(pool, EXPR_MULTIPLY, one, p), p);
    assert_ptr_equal(expr_binary(pool, EXPR_DIVIDE, p, one), p);
    assert_int_equal(expr_binary(pool, EXPR_DIVIDE, one, p)->kind, EXPR_DIVIDE);
    assert_ptr_equal(expr_operation(pool, EXPR_FUSED, 3, (const struct expr *[]){p, one, zero}),
                     expr_binary(pool, EXPR_ADD, p, zero));
    assert_ptr_equal(expr_operation(pool, EXPR_FUSED, 3, (const struct expr *[]){one, p, zero}),
                     expr_binary(pool, EXPR_ADD, p, zero));
    assert_int_equal(expr_binary(pool, EXPR_MULTIPLY, p, zero)->kind, EXPR_MULTIPLY);
    assert_int_equal(expr_binary(pool, EXPR_MINIMUM, p, p)->kind, EXPR_MINIMUM);
    assert_int_equal(expr_unary(pool, EXPR_FLOOR, p)->kind, EXPR_FLOOR);
}

static void reals_fold_in_their_own_precision(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *a = expr_real(pool, SCALAR_F32, 0.1), *b = expr_real(pool, SCALAR_F32, 0.2);
    const volatile float fa = 0.1f, fb = 0.2f;
    assert_ptr_equal(expr_binary(pool, EXPR_ADD, a, b),
                     expr_real(pool, SCALAR_F32, (double)(fa + fb)));
    assert_ptr_equal(expr_binary(pool, EXPR_DIVIDE, a, b),
                     expr_real(pool, SCALAR_F32, (double)(fa / fb)));
    const struct expr *const three[] = {a, b, expr_real(pool, SCALAR_F32, (double)-(fa * fb))};
    assert_ptr_equal(expr_operation(pool, EXPR_FUSED, 3, three),
                     expr_real(pool, SCALAR_F32, (double)fmaf(fa, fb, -(fa * fb))));
    assert_int_equal(integer_of(expr_binary(pool, EXPR_LESS, a, b)), 1);
    assert_int_equal(expr_binary(pool, EXPR_LESS, a, b)->scalar, SCALAR_BOOL);
}

/* ---- Intervals, by brute force ---- */

static const enum expr_kind integer_kinds[] = {
    EXPR_NEGATE,          EXPR_ABSOLUTE,  EXPR_ADD,     EXPR_SUBTRACT, EXPR_MULTIPLY,
    EXPR_DIVIDE,          EXPR_REMAINDER, EXPR_MINIMUM, EXPR_MAXIMUM,  EXPR_ORDERED_MINIMUM,
    EXPR_ORDERED_MAXIMUM, EXPR_BIT_AND,   EXPR_BIT_OR,  EXPR_BIT_XOR,  EXPR_SHIFT_LEFT,
    EXPR_SHIFT_RIGHT};

/* Those whose interval is the smallest that holds all results. */
static bool is_tight(enum expr_kind kind)
{
    return kind != EXPR_REMAINDER && kind != EXPR_BIT_AND && kind != EXPR_BIT_OR &&
           kind != EXPR_BIT_XOR;
}

static void check_interval(enum expr_kind kind, struct interval a, struct interval b)
{
    const struct interval operand[] = {a, b};
    struct expr typed = {.kind = EXPR_INTEGER, .scalar = SCALAR_I64};
    const struct expr *const operands[] = {&typed, &typed};
    const struct expr node = {
        .kind = kind, .count = (unsigned)expr_info[kind].operands, .operand = operands};
    struct interval result, seen = {INT64_MAX, INT64_MIN};
    assert_true(expr_interval(kind, node.count, operand, &result));
    for (int64_t x = a.least; x <= a.greatest; x++)
        for (int64_t y = b.least; y <= b.greatest; y++) {
            const struct value value[] = {{.integer = x}, {.integer = y}};
            const int64_t r = evaluate_operation(&node, value).integer;
            seen.least = r < seen.least ? r : seen.least;
            seen.greatest = r > seen.greatest ? r : seen.greatest;
        }
    if (!interval_inside(seen, result))
        fail_msg("%s of %d..%d and %d..%d gives %d..%d, not %d..%d", expr_info[kind].text,
                 (int)a.least, (int)a.greatest, (int)b.least, (int)b.greatest, (int)seen.least,
                 (int)seen.greatest, (int)result.least, (int)result.greatest);
    if (is_tight(kind))
        assert_true(interval_inside(result, seen));
}

static void intervals_hold_every_result(void **state)
{
    (void)state;
    enum { MOST = 5 };
    for (size_t k = 0; k < sizeof integer_kinds / sizeof *integer_kinds; k++) {
        const enum expr_kind kind = integer_kinds[k];
        const bool bits = kind == EXPR_BIT_AND || kind == EXPR_BIT_OR || kind == EXPR_BIT_XOR;
        const bool shift = kind == EXPR_SHIFT_LEFT || kind == EXPR_SHIFT_RIGHT;
        const int64_t least_a = bits ? 0 : -MOST, least_b = bits || shift ? 0 : -MOST;
        for (int64_t a = least_a; a <= MOST; a++)
            for (int64_t a2 = a; a2 <= MOST; a2++)
                for (int64_t b = least_b; b <= MOST; b++)
                    for (int64_t b2 = b; b2 <= MOST; b2++)
                        check_interval(kind, (struct interval){a, a2}, (struct interval){b, b2});
    }
}

static void intervals_that_leave_64_bits_are_refused(void **state)
{
    (void)state;
    const struct interval most = {INT64_MAX, INT64_MAX}, least = {INT64_MIN, INT64_MIN};
    const struct interval minus = {-1, -1}, one = {1, 1}, places = {1, 63}, zero = {0, 0};
    struct interval result;
    const struct {
        enum expr_kind kind;
        struct interval a, b;
        bool fits;
    } cases[] = {
        {EXPR_NEGATE, least, zero, false},       {EXPR_NEGATE, most, zero, true},
        {EXPR_ABSOLUTE, least, zero, false},     {EXPR_ADD, most, one, false},
        {EXPR_ADD, most, minus, true},           {EXPR_SUBTRACT, least, one, false},
        {EXPR_SUBTRACT, least, minus, true},     {EXPR_MULTIPLY, least, minus, false},
        {EXPR_MULTIPLY, least, least, false},    {EXPR_MULTIPLY, least, one, true},
        {EXPR_DIVIDE, least, minus, false},      {EXPR_DIVIDE, least, one, true},
        {EXPR_SHIFT_LEFT, one, places, false},   {EXPR_SHIFT_LEFT, minus, places, true},
        {EXPR_SHIFT_RIGHT, least, places, true}, {EXPR_REMAINDER, least, least, true},
        {EXPR_BIT_OR, most, most, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct interval operand[] = {cases[i].a, cases[i].b};
        assert_int_equal(expr_interval(cases[i].kind, (unsigned)expr_info[cases[i].kind].operands,
                                       operand, &result),
                         cases[i].fits);
    }
}

static void lanes_hold_operands_and_result(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *small = variable(session, "s", 0, 1 << 20);
    const struct expr *large = variable(session, "l", 0, (int64_t)1 << 40);
    assert_int_equal(expr_binary(pool, EXPR_ADD, small, small)->scalar, SCALAR_I32);
    assert_int_equal(expr_binary(pool, EXPR_MULTIPLY, small, small)->scalar, SCALAR_I64);
    /* The result is small, but the division is of large numbers. */
    assert_int_equal(expr_binary(pool, EXPR_DIVIDE, large, expr_integer(pool, 1 << 30))->scalar,
                     SCALAR_I64);
    assert_int_equal(expr_binary(pool, EXPR_LESS, large, small)->scalar, SCALAR_BOOL);
    const struct interval u8 = scalar_info[SCALAR_U8].interval;
    const struct expr *load = expr_load(pool, 0, SCALAR_U8, u8, 0, NULL, NULL);
    assert_int_equal(load->scalar, SCALAR_U8);
    assert_int_equal(expr_binary(pool, EXPR_ADD, load, load)->scalar, SCALAR_I32);
    assert_int_equal(expr_binary(pool, EXPR_ADD, load, load)->interval.greatest, 510);
}

/* ---- Reductions ---- */

/* The first terms alone, gathered as the node says. */
static int64_t reduced(struct expr_pool *pool, const struct expr *node, size_t count,
                       const struct value term[])
{
    struct value accumulator = evaluate_constant(expr_reduction_start(pool, node));
    for (size_t i = 0; i < count; i++)
        accumulator =
            evaluate_reduction_step(node->as.reduce.operation, node->scalar, accumulator, term[i]);
    return accumulator.integer;
}

/* Three terms of every small interval; with a condition any of them may be absent. */
static void check_reduction(struct session *session, enum reduction operation, int64_t least,
                            int64_t greatest)
{
    enum { TERMS = 3 };
    struct expr_pool *pool = &session->pool;
    const struct expr_range range = {symbol_from(&session->symbols, "i"), 0, TERMS};
    const struct expr *x = variable(session, "x", least, greatest);
    const struct expr *const operand[] = {x, expr_variable(pool, VARIABLE_LOCAL, range.variable,
                                                           SCALAR_BOOL, (struct interval){0, 1})};
    const struct expr *all = expr_reduce(pool, operation, false, false, 1, &range, operand);
    const struct expr *some = expr_reduce(pool, operation, false, true, 1, &range, operand);
    const int64_t count = greatest - least + 1;
    for (int64_t i = 0; i < count * count * count; i++) {
        const struct value term[TERMS] = {{.integer = least + i % count},
                                          {.integer = least + i / count % count},
                                          {.integer = least + i / count / count}};
        for (size_t present = 0; present <= TERMS; present++) {
            const struct expr *node = present == TERMS ? all : some;
            const int64_t r = reduced(pool, node, present, term);
            assert_true(interval_inside((struct interval){r, r}, node->interval));
        }
    }
}

static void reductions_stay_in_their_interval(void **state)
{
    static const enum reduction operation[] = {REDUCTION_SUM, REDUCTION_PRODUCT, REDUCTION_MINIMUM,
                                               REDUCTION_MAXIMUM};
    for (int k = 0; k < 4; k++)
        for (int64_t least = -3; least <= 3; least++)
            for (int64_t greatest = least; greatest <= 3; greatest++)
                check_reduction(*state, operation[k], least, greatest);
}

/* What a minimum of no terms is stays as it was when more becomes known of the terms: whether there
 * is any is asked of the same ranges, and of the same run. */
static void runs_of_no_terms_keep_their_value(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr_range range = {symbol_from(&session->symbols, "k"), 0, 9};
    const struct expr_reduction shape = {.operation = REDUCTION_MINIMUM,
                                         .order = ORDER_RUN,
                                         .counted = true,
                                         .rank = 1,
                                         .range = &range};
    const struct expr *count = variable(session, "n", 0, 9), *run = variable(session, "r", 0, 5);
    const struct expr *const wide[] = {variable(session, "x", -300, 3), count, run};
    const struct expr *const narrow[] = {variable(session, "x", 0, 3), count, run};
    const struct expr *made = expr_with_operands(pool, expr_reduce_as(pool, &shape, wide), narrow);
    assert_int_equal(made->kind, EXPR_SELECT);
    const struct expr *any = made->operand[0];
    assert_int_equal(any->as.reduce.operation, REDUCTION_ANY);
    assert_int_equal(any->count, 3);
    assert_ptr_equal(any->operand[1], count);
    assert_ptr_equal(any->operand[2], run);
    assert_int_equal(made->operand[2]->as.integer, INT16_MAX);
}

static void reductions_of_no_terms_are_constants(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr_range range[] = {{symbol_from(&session->symbols, "i"), 0, 5},
                                       {symbol_from(&session->symbols, "k"), 0, 0}};
    const struct interval u8 = scalar_info[SCALAR_U8].interval;
    const struct expr *load = expr_load(pool, 0, SCALAR_U8, u8, 0, NULL, NULL);
    const struct expr *p = real_variable(session, "p"), *truth = expr_binary(pool, EXPR_LESS, p, p);
#define EMPTY(op, term) expr_reduce(pool, REDUCTION_##op, false, false, 2, range, &(term))
    assert_ptr_equal(EMPTY(SUM, load), expr_integer(pool, 0));
    assert_ptr_equal(EMPTY(SUM, p), expr_real(pool, SCALAR_F32, 0));
    assert_ptr_equal(EMPTY(PRODUCT, load), expr_integer(pool, 1));
    assert_ptr_equal(EMPTY(MINIMUM, load), expr_integer(pool, 255));
    assert_ptr_equal(EMPTY(MAXIMUM, load), expr_integer(pool, 0));
    assert_ptr_equal(EMPTY(MINIMUM, p), expr_real(pool, SCALAR_F32, (double)NAN));
    assert_ptr_equal(EMPTY(MAXIMUM, p), expr_real(pool, SCALAR_F32, -(double)INFINITY));
    assert_ptr_equal(EMPTY(ANY, truth), expr_boolean(pool, false));
    assert_ptr_equal(EMPTY(ALL, truth), expr_boolean(pool, true));
    assert_ptr_equal(EMPTY(TALLY, truth), expr_integer(pool, 0));
}

static void terms_saturate(void **state)
{
    (void)state;
    struct expr_range range[] = {
        {NULL, 0, (int64_t)1 << 40}, {NULL, 0, (int64_t)1 << 40}, {NULL, 0, 3}};
    assert_int_equal(expr_range_terms(3, range), (int64_t)1 << 62);
    range[2].extent = 0;
    assert_int_equal(expr_range_terms(3, range), 0);
    range[0].extent = 7;
    range[1].extent = 5;
    assert_int_equal(expr_range_terms(2, range), 35);
}

/* ---- Floats ---- */

/* In the total order of language.md. */
static const double ordered[] = {-INFINITY, -DBL_MAX, -1, -DBL_MIN, -5e-324,  -0.0, 0.0,
                                 5e-324,    DBL_MIN,  1,  DBL_MAX,  INFINITY, NAN};
enum { ORDERED = sizeof ordered / sizeof *ordered };

static struct value f64_value(double value)
{
    return (struct value){.f64 = value};
}

static void floats_have_a_total_order(void **state)
{
    (void)state;
    for (int i = 0; i < ORDERED; i++)
        for (int k = 0; k < ORDERED; k++) {
            const struct value a = f64_value(ordered[i]), b = f64_value(ordered[k]);
            const struct value fa = {.f32 = (float)ordered[i]}, fb = {.f32 = (float)ordered[k]};
            const struct value least = evaluate_reduction_step(REDUCTION_MINIMUM, SCALAR_F64, a, b);
            const struct value greatest =
                evaluate_reduction_step(REDUCTION_MAXIMUM, SCALAR_F64, a, b);
            assert_true(value_equal(SCALAR_F64, least, i < k ? a : b));
            assert_true(value_equal(SCALAR_F64, greatest, i > k ? a : b));
            const struct value f_least =
                evaluate_reduction_step(REDUCTION_MINIMUM, SCALAR_F32, fa, fb);
            assert_true(value_equal(SCALAR_F32, f_least, i < k ? fa : fb));
        }
}

/* min(a, b) is a < b ? a : b, max(a, b) is a > b ? a : b. */
static void functions_min_and_max_compare(void **state)
{
    (void)state;
    const struct expr typed = {.kind = EXPR_REAL, .scalar = SCALAR_F64};
    const struct expr *const operands[] = {&typed, &typed};
    const struct expr min = {.kind = EXPR_MINIMUM, .count = 2, .operand = operands};
    const struct expr max = {.kind = EXPR_MAXIMUM, .count = 2, .operand = operands};
    for (int i = 0; i < ORDERED; i++)
        for (int k = 0; k < ORDERED; k++) {
            const double a = ordered[i], b = ordered[k];
            const struct value pair[] = {f64_value(a), f64_value(b)};
            assert_true(
                value_equal(SCALAR_F64, evaluate_operation(&min, pair), f64_value(a < b ? a : b)));
            assert_true(
                value_equal(SCALAR_F64, evaluate_operation(&max, pair), f64_value(a > b ? a : b)));
        }
}

static void nans_are_equal_and_zeros_are_not(void **state)
{
    (void)state;
    const struct value nan = {.f32 = NAN}, other = {.f32 = -NAN};
    const struct value zero = {.f32 = 0}, minus = {.f32 = -0.0f};
    assert_true(value_equal(SCALAR_F32, nan, other));
    assert_false(value_equal(SCALAR_F32, nan, zero));
    assert_false(value_equal(SCALAR_F32, zero, minus));
    assert_true(value_equal(SCALAR_F64, f64_value(NAN), f64_value(-NAN)));
    assert_false(value_equal(SCALAR_F64, f64_value(0), f64_value(-0.0)));
    assert_true(
        value_equal(SCALAR_I64, (struct value){.integer = -1}, (struct value){.integer = -1}));
}

/* ---- Conversions ---- */

static int64_t converted(enum conversion mode, enum scalar to, double value)
{
    const int64_t from_f64 = evaluate_convert(mode, SCALAR_F64, to, f64_value(value)).integer;
    if (isnan(value) || (double)(float)value == value) {
        const struct value f32 = {.f32 = (float)value};
        assert_int_equal(evaluate_convert(mode, SCALAR_F32, to, f32).integer, from_f64);
    }
    return from_f64;
}

static void floats_saturate(void **state)
{
    (void)state;
    for (unsigned to = SCALAR_U8; to <= SCALAR_I64; to++) {
        const enum scalar scalar = (enum scalar)to;
        const struct interval ends = scalar_info[to].interval;
        for (int m = 0; m < 2; m++) {
            const enum conversion mode = m ? CONVERT_ROUND : CONVERT_TRUNCATE;
            assert_int_equal(converted(mode, scalar, NAN), 0);
            assert_int_equal(converted(mode, scalar, INFINITY), ends.greatest);
            assert_int_equal(converted(mode, scalar, -INFINITY), ends.least);
            assert_int_equal(converted(mode, scalar, 1e300), ends.greatest);
            assert_int_equal(converted(mode, scalar, -1e300), ends.least);
            assert_int_equal(converted(mode, scalar, -9223372036854775808.0), ends.least);
            assert_int_equal(converted(mode, scalar, 9223372036854775808.0), ends.greatest);
        }
    }
    assert_int_equal(converted(CONVERT_ROUND, SCALAR_U8, 255.5), 255);
    assert_int_equal(converted(CONVERT_ROUND, SCALAR_U8, -0.5), 0);
    assert_int_equal(converted(CONVERT_ROUND, SCALAR_I8, -128.5), -128);
}

static void floats_round_to_even_or_toward_zero(void **state)
{
    (void)state;
    static const struct {
        double value;
        int64_t round, truncate;
    } cases[] = {{0.5, 0, 0},
                 {1.5, 2, 1},
                 {2.5, 2, 2},
                 {-0.5, 0, 0},
                 {-1.5, -2, -1},
                 {-2.5, -2, -2},
                 {0.49999999999999994, 0, 0},
                 {126.9, 127, 126},
                 {-0.9, -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(converted(CONVERT_ROUND, SCALAR_I16, cases[i].value), cases[i].round);
        assert_int_equal(converted(CONVERT_TRUNCATE, SCALAR_I16, cases[i].value),
                         cases[i].truncate);
    }
}

static int64_t integer_converted(enum conversion mode, enum scalar to, int64_t value)
{
    return evaluate_convert(mode, SCALAR_I64, to, (struct value){.integer = value}).integer;
}

static void integers_saturate_or_wrap(void **state)
{
    (void)state;
    assert_int_equal(integer_converted(CONVERT_ROUND, SCALAR_U8, 256), 255);
    assert_int_equal(integer_converted(CONVERT_TRUNCATE, SCALAR_U8, -1), 0);
    assert_int_equal(integer_converted(CONVERT_ROUND, SCALAR_I32, INT64_MIN), INT32_MIN);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_U8, 256 + 7), 7);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_U8, -1), 255);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_I8, 200), -56);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_U16, -1), 65535);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_I16, 40000), 40000 - 65536);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_U32, -1), UINT32_MAX);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_I32, (int64_t)1 << 31), INT32_MIN);
    assert_int_equal(integer_converted(CONVERT_WRAP, SCALAR_I64, INT64_MIN), INT64_MIN);
}

static void integers_become_the_nearest_float(void **state)
{
    (void)state;
    const struct value odd = {.integer = (1 << 24) + 1}, large = {.integer = INT64_MAX};
    /* Rounding to f64 first would give the even neighbour below. */
    const struct value twice = {.integer = ((int64_t)1 << 54) + ((int64_t)1 << 30) + 1};
    assert_true(evaluate_convert(CONVERT_EXACT, SCALAR_I32, SCALAR_F32, odd).f32 == 16777216.0f);
    assert_true(evaluate_convert(CONVERT_EXACT, SCALAR_I64, SCALAR_F64, large).f64 ==
                9223372036854775808.0);
    assert_true(evaluate_convert(CONVERT_EXACT, SCALAR_I64, SCALAR_F32, twice).f32 ==
                0x1.000002p54f);
}

static void conversions_have_intervals(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = real_variable(session, "p");
    static const struct {
        enum conversion mode;
        int64_t least, greatest, to_least, to_greatest;
    } cases[] = {{CONVERT_ROUND, -5, 300, 0, 255},    {CONVERT_ROUND, 3, 9, 3, 9},
                 {CONVERT_ROUND, 300, 400, 255, 255}, {CONVERT_WRAP, 3, 9, 3, 9},
                 {CONVERT_WRAP, 3, 256, 0, 255},      {CONVERT_ROUND, -9, -5, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expr *node =
            expr_convert(pool, cases[i].mode, SCALAR_U8,
                         variable(session, "x", cases[i].least, cases[i].greatest));
        assert_int_equal(node->interval.least, cases[i].to_least);
        assert_int_equal(node->interval.greatest, cases[i].to_greatest);
        assert_int_equal(node->scalar, SCALAR_U8);
    }
    assert_int_equal(expr_convert(pool, CONVERT_ROUND, SCALAR_I8, p)->interval.least, -128);
    assert_ptr_equal(expr_convert(pool, CONVERT_EXACT, SCALAR_F32, p), p);
}

static void samples_are_written_and_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SCALAR_COUNT; i++) {
        const enum scalar scalar = (enum scalar)i;
        unsigned char memory[32];
        const int64_t ends[2] = {scalar_info[i].interval.least, scalar_info[i].interval.greatest};
        for (int k = 0; k < 2; k++) {
            const struct value value = scalar == SCALAR_F32   ? (struct value){.f32 = 0.1f}
                                       : scalar == SCALAR_F64 ? (struct value){.f64 = 0.1}
                                       : scalar == SCALAR_EXTENDED
                                           ? (struct value){.extended = 0.1L}
                                           : (struct value){.integer = ends[k]};
            memset(memory, 0x55, sizeof memory);
            value_write(memory + 1, scalar, value); /* of any alignment */
            assert_true(value_equal(scalar, value_read(memory + 1, scalar), value));
            assert_int_equal(memory[0], 0x55);
            assert_int_equal(memory[1 + scalar_info[i].bytes], 0x55);
        }
    }
}

/* ---- Rewriting ---- */

static const struct expr *increment(const struct expr *node, void *context)
{
    struct expr_pool *pool = context;
    return node->kind == EXPR_INTEGER ? expr_integer(pool, node->as.integer + 1) : node;
}

static void count_visit(const struct expr *node, void *context)
{
    (void)node;
    ++*(int *)context;
}

static void rewriting_visits_each_node_once(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *p = real_variable(session, "p"), *node = p;
    for (int i = 0; i < 100; i++)
        node = expr_binary(pool, EXPR_ADD, node, node);
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = increment, .context = pool, .scratch = session->scratch};
    assert_ptr_equal(expr_rewrite(&rewriter, node), node);
    struct expr_walk walk = {.scratch = session->scratch};
    int count = 0;
    expr_visit(&walk, node, count_visit, &count);
    assert_int_equal(count, 101);
    const struct expr *x = variable(session, "x", 0, 9);
    assert_ptr_equal(expr_rewrite(&rewriter, expr_binary(pool, EXPR_ADD, x, expr_integer(pool, 1))),
                     expr_binary(pool, EXPR_ADD, x, expr_integer(pool, 2)));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(equal_nodes_are_the_same_pointer),
        TEST(floats_have_no_interval),
        TEST(many_nodes_stay_equal),
        TEST(division_rounds_down),
        TEST(integers_keep_identities),
        TEST(floats_keep_operations_that_may_change_them),
        TEST(reals_fold_in_their_own_precision),
        TEST(intervals_hold_every_result),
        TEST(intervals_that_leave_64_bits_are_refused),
        TEST(lanes_hold_operands_and_result),
        TEST(reductions_stay_in_their_interval),
        TEST(reductions_of_no_terms_are_constants),
        TEST(runs_of_no_terms_keep_their_value),
        TEST(terms_saturate),
        TEST(floats_have_a_total_order),
        TEST(functions_min_and_max_compare),
        TEST(nans_are_equal_and_zeros_are_not),
        TEST(floats_saturate),
        TEST(floats_round_to_even_or_toward_zero),
        TEST(integers_saturate_or_wrap),
        TEST(integers_become_the_nearest_float),
        TEST(conversions_have_intervals),
        TEST(samples_are_written_and_read),
        TEST(rewriting_visits_each_node_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
