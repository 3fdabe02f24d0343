/* How coordinates move with a variable, against their values. */
#include "analysis/motion.h"
#include "expr/evaluate.h"
#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"

static const struct expr *name(struct session *s, const char *text)
{
    return expr_variable(&s->pool, VARIABLE_LOCAL, symbol_from(&s->symbols, text), SCALAR_I64,
                         (struct interval){-100000, 100000});
}

static const struct expr *number(struct session *s, int64_t value)
{
    return expr_integer(&s->pool, value);
}

static const struct expr *of(struct session *s, enum expr_kind kind, const struct expr *a,
                             const struct expr *b)
{
    return expr_binary(&s->pool, kind, a, b);
}

static int64_t value_at(struct session *s, const struct expr *value, const struct expr *v,
                        int64_t at)
{
    const struct expr *known = expr_substitute(&s->pool, s->scratch, value, v, number(s, at));
    assert_int_equal(known->kind, EXPR_INTEGER);
    return known->as.integer;
}

/* A motion that is known holds at many places, below 0 too. */
static void expect(struct session *s, const struct expr *value, const struct expr *v,
                   int64_t period, int64_t distance)
{
    const struct motion motion = motion_of(s->scratch, value, v);
    assert_true(motion.known);
    assert_int_equal(motion.period, period);
    assert_int_equal(motion.distance, distance);
    for (int64_t at = -70; at < 70; at++)
        assert_int_equal(value_at(s, value, v, at + period) - value_at(s, value, v, at), distance);
}

static void sums_and_products_move_by_their_factor(void **state)
{
    struct session *s = *state;
    const struct expr *v = name(s, "v");
    expect(s, v, v, 1, 1);
    expect(s, number(s, 7), v, 1, 0);
    expect(s, of(s, EXPR_SUBTRACT, of(s, EXPR_MULTIPLY, number(s, 3), v), number(s, 5)), v, 1, 3);
    expect(s, of(s, EXPR_SUBTRACT, number(s, 4), v), v, 1, -1);
}

static void quotients_have_a_period(void **state)
{
    struct session *s = *state;
    const struct expr *v = name(s, "v"), *half = of(s, EXPR_DIVIDE, v, number(s, 2));
    expect(s, half, v, 2, 1);
    expect(s, of(s, EXPR_DIVIDE, of(s, EXPR_MULTIPLY, number(s, 6), v), number(s, 4)), v, 2, 3);
    expect(s, of(s, EXPR_ADD, half, of(s, EXPR_DIVIDE, v, number(s, 3))), v, 6, 5);
    expect(s, of(s, EXPR_SUBTRACT, of(s, EXPR_MULTIPLY, number(s, 2), half), v), v, 2, 0);
}

static void the_lesser_of_two_that_move_alike_moves_so(void **state)
{
    struct session *s = *state;
    const struct expr *v = name(s, "v"), *two = number(s, 2);
    const struct expr *even = of(s, EXPR_MULTIPLY, of(s, EXPR_DIVIDE, v, two), two);
    expect(s, of(s, EXPR_MINIMUM, even, of(s, EXPR_SUBTRACT, v, number(s, 1))), v, 2, 2);
    assert_false(motion_of(s->scratch, of(s, EXPR_MINIMUM, v, number(s, 3)), v).known);
    assert_false(motion_of(s->scratch, of(s, EXPR_MAXIMUM, v, even->operand[0]), v).known);
}

static void nothing_is_known_of_products_and_long_periods(void **state)
{
    struct session *s = *state;
    const struct expr *v = name(s, "v"), *w = name(s, "w");
    assert_false(motion_of(s->scratch, of(s, EXPR_MULTIPLY, v, v), v).known);
    assert_false(motion_of(s->scratch, of(s, EXPR_MULTIPLY, v, w), v).known);
    assert_false(
        motion_of(s->scratch, of(s, EXPR_DIVIDE, v, number(s, INT64_C(1) << 40)), v).known);
    assert_true(motion_of(s->scratch, of(s, EXPR_ADD, v, of(s, EXPR_MULTIPLY, w, w)), v).known);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(sums_and_products_move_by_their_factor),
        TEST(quotients_have_a_period),
        TEST(the_lesser_of_two_that_move_alike_moves_so),
        TEST(nothing_is_known_of_products_and_long_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
