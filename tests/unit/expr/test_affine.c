/* Linear forms: what they are made of, and that nothing false is proved of them. */
#include "expr/affine.h"
#include "expr/evaluate.h"
#include "session.h"

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

static const struct expr *number(struct session *session, int64_t value)
{
    return expr_integer(&session->pool, value);
}

static const struct expr *binary(struct session *session, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(&session->pool, kind, a, b);
}

/* ---- Forms ---- */

/* The same expression, of operations that were made in another order before. */
static void sums_do_not_depend_on_what_was_made_before(void **state)
{
    struct session *session = *state;
    const struct expr *x = variable(session, "x", 0, 99), *y = variable(session, "y", 0, 99);
    const struct expr *part[4];
    struct session *other = session_create(NULL);
    for (unsigned s = 0; s < 2; s++) {
        struct session *at = s ? other : session;
        x = variable(at, "x", 0, 99);
        y = variable(at, "y", 0, 99);
        const struct expr *low, *high;
        if (s)
            high = binary(at, EXPR_MAXIMUM, x, number(at, 9));
        low = binary(at, EXPR_MINIMUM, x, number(at, 7));
        if (!s)
            high = binary(at, EXPR_MAXIMUM, x, number(at, 9));
        const struct expr *sum = binary(at, EXPR_ADD, binary(at, EXPR_ADD, y, high),
                                        binary(at, EXPR_ADD, low, number(at, 1)));
        const struct affine form = affine_from(sum);
        assert_int_equal(form.count, 3);
        /* What outer loops change comes first. */
        assert_ptr_equal(form.term[2].atom, y);
        part[2 * s] = form.term[0].atom;
        part[2 * s + 1] = form.term[1].atom;
    }
    assert_int_equal(part[0]->kind, part[2]->kind);
    assert_int_equal(part[1]->kind, part[3]->kind);
    session_destroy(other);
}

static void sums_are_gathered(void **state)
{
    struct session *session = *state;
    const struct expr *x = variable(session, "x", 0, 99), *y = variable(session, "y", 0, 99);
    /* 3 * (x - 2) - (y + x * 2) - 5 = x - y - 11 */
    const struct expr *left = binary(session, EXPR_MULTIPLY, number(session, 3),
                                     binary(session, EXPR_SUBTRACT, x, number(session, 2)));
    const struct expr *right =
        binary(session, EXPR_ADD, y, binary(session, EXPR_MULTIPLY, x, number(session, 2)));
    const struct expr *node = binary(
        session, EXPR_SUBTRACT, binary(session, EXPR_SUBTRACT, left, right), number(session, 5));
    const struct affine form = affine_from(node);
    assert_true(form.exact);
    assert_int_equal(form.constant, -11);
    assert_int_equal(form.count, 2);
    assert_int_equal(affine_coefficient(&form, x), 1);
    assert_int_equal(affine_coefficient(&form, y), -1);
    assert_int_equal(affine_coefficient(&form, left), 0);
    const struct affine without = affine_without(form, x);
    assert_int_equal(without.count, 1);
    assert_int_equal(affine_coefficient(&without, x), 0);
    assert_ptr_equal(
        affine_build(&session->pool, &form),
        binary(session, EXPR_SUBTRACT, binary(session, EXPR_SUBTRACT, x, y), number(session, 11)));
}

static void what_cancels_is_gone(void **state)
{
    struct session *session = *state;
    const struct expr *n = variable(session, "n", 1, INT32_MAX);
    const struct expr *node =
        binary(session, EXPR_ADD, binary(session, EXPR_SUBTRACT, n, number(session, 1)),
               number(session, 1));
    assert_ptr_equal(affine_normal(&session->pool, node), n);
    const struct expr *none = binary(session, EXPR_SUBTRACT, node, n);
    assert_ptr_equal(affine_normal(&session->pool, none), number(session, 0));
    const struct expr *negated = expr_unary(&session->pool, EXPR_NEGATE, n);
    const struct affine form = affine_from(negated);
    assert_int_equal(affine_coefficient(&form, n), -1);
}

static void products_and_quotients_are_atoms(void **state)
{
    struct session *session = *state;
    const struct expr *x = variable(session, "x", 0, 99), *y = variable(session, "y", 0, 99);
    static const enum expr_kind kind[] = {EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_REMAINDER, EXPR_MINIMUM};
    for (int i = 0; i < 4; i++) {
        const struct expr *node = binary(session, kind[i], x, y);
        const struct affine form = affine_from(node);
        assert_int_equal(form.count, 1);
        assert_ptr_equal(form.term[0].atom, node);
    }
}

static void too_many_terms_are_one_atom(void **state)
{
    struct session *session = *state;
    const struct expr *sum = number(session, 0);
    for (int i = 0; i < AFFINE_TERMS + 1; i++)
        sum = binary(session, EXPR_ADD, sum,
                     variable(session, arena_format(session->scratch, "x%d", i), 0, 9));
    const struct affine form = affine_from(sum);
    assert_true(form.exact);
    assert_int_equal(form.count, 1);
    assert_ptr_equal(form.term[0].atom, sum);
}

static void large_numbers_do_not_overflow(void **state)
{
    struct session *session = *state;
    const struct expr *x = variable(session, "x", 0, 9);
    const int64_t large = (int64_t)1 << 59;
    const struct expr *product = binary(session, EXPR_MULTIPLY, number(session, large), x);
    const struct affine form = affine_from(product);
    assert_true(form.exact);
    assert_ptr_equal(form.term[0].atom, product);
    assert_ptr_equal(affine_normal(&session->pool, number(session, INT64_MIN)),
                     number(session, INT64_MIN));
    assert_false(affine_from(number(session, INT64_MAX)).exact);
    const struct affine one = affine_from(x);
    assert_false(affine_sum(one, one, INT64_MAX).exact);
    /* A divisor near the end of 64 bits, a numerator below 0. */
    const struct expr *quotient =
        binary(session, EXPR_DIVIDE, binary(session, EXPR_SUBTRACT, x, number(session, 5)),
               number(session, INT64_MAX));
    assert_false(affine_at_most(number(session, 0), quotient));
}

static void scaled_indices(void **state)
{
    struct session *session = *state;
    const struct expr *x = variable(session, "x", 0, 999), *two = number(session, 2);
    /* x / 2 + 1 = (x + 2) / 2;  (x / 2 + 1) / 3 - 4 = (x + 2 - 24) / 6 */
    const struct expr *half =
        binary(session, EXPR_ADD, binary(session, EXPR_DIVIDE, x, two), number(session, 1));
    struct scaled_index index = affine_index(half);
    assert_int_equal(index.denominator, 2);
    assert_int_equal(index.numerator.constant, 2);
    const struct expr *sixth =
        binary(session, EXPR_SUBTRACT, binary(session, EXPR_DIVIDE, half, number(session, 3)),
               number(session, 4));
    index = affine_index(sixth);
    assert_int_equal(index.denominator, 6);
    assert_int_equal(index.numerator.constant, -22);
    for (int64_t v = 0; v < 100; v++)
        assert_int_equal(floor_divide(v - 22, 6), floor_divide(floor_divide(v, 2) + 1, 3) - 4);
    index = affine_index(binary(session, EXPR_SHIFT_RIGHT, x, number(session, 3)));
    assert_int_equal(index.denominator, 8);
    index = affine_index(binary(session, EXPR_MULTIPLY, two, x));
    assert_int_equal(index.denominator, 1);
    assert_int_equal(affine_coefficient(&index.numerator, x), 2);
    index = affine_index(binary(session, EXPR_DIVIDE, two, x));
    assert_int_equal(index.denominator, 1);
}

/* ---- What is proved ---- */

static void simple_facts_are_proved(void **state)
{
    struct session *session = *state;
    struct expr_pool *pool = &session->pool;
    const struct expr *n = variable(session, "n", 1, INT32_MAX);
    const struct expr *x = variable(session, "x", -INT32_MAX, INT32_MAX);
    const struct expr *one = number(session, 1), *last = binary(session, EXPR_SUBTRACT, n, one);
    assert_true(affine_at_most(last, n));
    assert_false(affine_at_most(n, last));
    assert_true(affine_at_most(number(session, 0), last));
    assert_false(affine_at_most(one, last));
    /* clamp(x, 0, n - 1) is inside. */
    const struct expr *clamped = expr_binary(
        pool, EXPR_MINIMUM, expr_binary(pool, EXPR_MAXIMUM, x, number(session, 0)), last);
    assert_true(affine_at_most(clamped, last));
    assert_true(affine_at_most(number(session, 0), clamped));
    /* For x within 0 .. n - 1, (x + 1) / 2 is not below 0, x / 2 not above n - 1. */
    const struct affine_bound bound = {x, number(session, 0), last};
    const struct expr *two = number(session, 2), *half = binary(session, EXPR_DIVIDE, x, two);
    const struct expr *upper = binary(session, EXPR_DIVIDE, binary(session, EXPR_ADD, x, one), two);
    assert_true(affine_is_nonnegative(affine_from(upper), 1, &bound));
    const struct affine room = affine_sum(affine_from(last), affine_from(half), -1);
    assert_true(affine_is_nonnegative(room, 1, &bound));
    assert_false(affine_is_nonnegative(room, 0, NULL));
    /* 2 a >= 3 b and b >= 2 make a >= 3; not a >= 4. */
    const struct expr *a = variable(session, "a", -100, 100),
                      *b = variable(session, "b", -100, 100);
    const struct affine zero = affine_from(number(session, 0));
    const struct affine fact[2] = {
        affine_sum(affine_sum(zero, affine_from(a), 2), affine_from(b), -3),
        affine_sum(affine_from(b), affine_from(two), -1)};
    struct affine goal = affine_sum(affine_from(a), affine_from(number(session, 3)), -1);
    assert_true(affine_follows(goal, 0, NULL, 2, fact));
    assert_false(affine_follows(goal, 0, NULL, 1, fact));
    goal.constant--;
    assert_false(affine_follows(goal, 0, NULL, 2, fact));
}

/* Random expressions over a, b, c. */
struct random_source {
    struct session *session;
    uint64_t state;
    const struct expr *variable[3];
};

static unsigned random_below(struct random_source *random, unsigned limit)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random->state >> 33) % limit;
}

static const struct expr *random_expression(struct random_source *random, unsigned depth)
{
    static const enum expr_kind kind[] = {EXPR_ADD,     EXPR_SUBTRACT, EXPR_ADD,
                                          EXPR_MINIMUM, EXPR_MAXIMUM,  EXPR_SUBTRACT};
    struct session *session = random->session;
    const unsigned choice = random_below(random, 10);
    if (depth == 0 || choice < 2)
        return choice % 2 ? number(session, (int64_t)random_below(random, 9) - 4)
                          : random->variable[random_below(random, 3)];
    const struct expr *a = random_expression(random, depth - 1);
    if (choice == 2)
        return binary(session, EXPR_DIVIDE, a,
                      number(session, (int64_t)random_below(random, 7) - 2));
    if (choice == 3)
        return binary(session, EXPR_MULTIPLY, a,
                      number(session, (int64_t)random_below(random, 7) - 3));
    return binary(session, kind[choice - 4], a, random_expression(random, depth - 1));
}

static int64_t value_of(const struct random_source *random, const struct expr *node,
                        const int64_t value[3])
{
    struct value operand[3];
    if (node->kind == EXPR_INTEGER)
        return node->as.integer;
    for (int i = 0; i < 3; i++)
        if (node == random->variable[i])
            return value[i];
    for (unsigned i = 0; i < node->count; i++)
        operand[i].integer = value_of(random, node->operand[i], value);
    return evaluate_operation(node, operand).integer;
}

static int64_t value_of_form(const struct random_source *random, const struct affine *form,
                             const int64_t value[3])
{
    int64_t sum = form->constant;
    for (unsigned i = 0; i < form->count; i++)
        sum += form->term[i].coefficient * value_of(random, form->term[i].atom, value);
    return sum;
}

/* The values of the three variables in turn; false after the last. */
static bool next_values(int64_t value[3], int64_t least, int64_t greatest)
{
    for (int i = 0; i < 3; i++) {
        if (++value[i] <= greatest)
            return true;
        value[i] = least;
    }
    return false;
}

enum { LEAST = -4, GREATEST = 5 };

static struct random_source random_open(struct session *session, uint64_t seed)
{
    struct random_source random = {session, seed, {NULL, NULL, NULL}};
    static const char *const name[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++)
        random.variable[i] = variable(session, name[i], LEAST, GREATEST);
    return random;
}

/* Forms, normal forms and scaled indices have the value of the expression. */
static void forms_have_the_value_of_the_expression(void **state)
{
    struct session *session = *state;
    struct random_source random = random_open(session, 1);
    for (int i = 0; i < 400; i++) {
        const struct expr *node = random_expression(&random, 4);
        const struct affine form = affine_from(node);
        const struct expr *normal = affine_normal(&session->pool, node);
        const struct scaled_index index = affine_index(node);
        int64_t value[3] = {LEAST, LEAST, LEAST};
        do {
            const int64_t expected = value_of(&random, node, value);
            assert_int_equal(value_of_form(&random, &form, value), expected);
            assert_int_equal(value_of(&random, normal, value), expected);
            assert_int_equal(
                floor_divide(value_of_form(&random, &index.numerator, value), index.denominator),
                expected);
            assert_true(expected >= node->interval.least && expected <= node->interval.greatest);
        } while (next_values(value, LEAST, GREATEST));
    }
}

static void nothing_false_is_proved(void **state)
{
    struct session *session = *state;
    struct random_source random = random_open(session, 2);
    int proved = 0;
    for (int i = 0; i < 6000; i++) {
        const struct expr *node = random_expression(&random, 4);
        if (!affine_is_nonnegative(affine_from(node), 0, NULL))
            continue;
        proved++;
        int64_t value[3] = {LEAST, LEAST, LEAST};
        do
            assert_true(value_of(&random, node, value) >= 0);
        while (next_values(value, LEAST, GREATEST));
    }
    assert_true(proved > 200);
}

/* a lies between two expressions of b and c. */
static void nothing_false_is_proved_within_bounds(void **state)
{
    struct session *session = *state;
    struct random_source random = random_open(session, 3);
    const struct expr *a = random.variable[0];
    int proved = 0;
    for (int i = 0; i < 6000; i++) {
        const struct expr *node = random_expression(&random, 3);
        random.variable[0] = random.variable[1];
        const struct affine_bound bound = {a, random_expression(&random, 2),
                                           random_expression(&random, 2)};
        random.variable[0] = a;
        if (!affine_is_nonnegative(affine_from(node), 1, &bound))
            continue;
        proved++;
        int64_t value[3] = {LEAST, LEAST, LEAST};
        do
            if (value_of(&random, bound.least, value) <= value[0] &&
                value[0] <= value_of(&random, bound.greatest, value))
                assert_true(value_of(&random, node, value) >= 0);
        while (next_values(value, LEAST, GREATEST));
    }
    assert_true(proved > 200);
}

/* Two random expressions are at least 0. Some proofs need them. */
static void nothing_false_is_proved_by_facts(void **state)
{
    struct session *session = *state;
    struct random_source random = random_open(session, 4);
    int proved = 0, needed = 0;
    for (int i = 0; i < 12000; i++) {
        const struct expr *known[2] = {random_expression(&random, 2),
                                       random_expression(&random, 3)};
        /* What follows from a fact is drawn too. */
        const struct expr *node =
            i % 2 ? random_expression(&random, 3)
                  : binary(session, EXPR_ADD,
                           binary(session, EXPR_MULTIPLY, known[i % 4 / 2], number(session, 2)),
                           random_expression(&random, 1));
        const struct affine fact[2] = {affine_from(known[0]), affine_from(known[1])};
        if (!affine_follows(affine_from(node), 0, NULL, 2, fact))
            continue;
        proved++;
        needed += !affine_is_nonnegative(affine_from(node), 0, NULL);
        int64_t value[3] = {LEAST, LEAST, LEAST};
        do
            if (value_of(&random, known[0], value) >= 0 && value_of(&random, known[1], value) >= 0)
                assert_true(value_of(&random, node, value) >= 0);
        while (next_values(value, LEAST, GREATEST));
    }
    assert_true(proved > 200 && needed > 200);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(sums_do_not_depend_on_what_was_made_before),
        TEST(sums_are_gathered),
        TEST(what_cancels_is_gone),
        TEST(products_and_quotients_are_atoms),
        TEST(too_many_terms_are_one_atom),
        TEST(large_numbers_do_not_overflow),
        TEST(scaled_indices),
        TEST(simple_facts_are_proved),
        TEST(forms_have_the_value_of_the_expression),
        TEST(nothing_false_is_proved),
        TEST(nothing_false_is_proved_within_bounds),
        TEST(nothing_false_is_proved_by_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
