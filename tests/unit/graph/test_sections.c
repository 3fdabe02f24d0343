/* Sections of a recurrence: they are it again, in an order that loses little, or are refused; noise
 * against closed forms. */
#include "graph/recurrence/filter_noise.h"
#include "graph/recurrence/sections.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The recurrence of the poles, all real. */
static struct linear_filter recurrence_of_poles(int count, const double pole[])
{
    double polynomial[FEEDBACK_MOST_ORDER + 1] = {1};
    struct linear_filter f = {.order = count, .tap = {1}};
    for (int p = 0; p < count; p++)
        for (int lag = p + 1; lag > 0; lag--)
            polynomial[lag] -= pole[p] * polynomial[lag - 1];
    for (int lag = 1; lag <= count; lag++)
        f.back[lag] = -polynomial[lag];
    return f;
}

/* Of one pole a, the sum of a^n and of its squares is known. */
static void of_one_pole(void **state)
{
    (void)state;
    for (double a = 0.1; a < 0.95; a += 0.1) {
        const struct linear_filter filter = {.order = 1, .tap = {1}, .back = {0, a}};
        const double expected = a / (1 - a) / sqrt(1 - a * a);
        assert_true(fabs(filter_noise_in_turn(1, &filter) - expected) <= 1e-9 * expected);
    }
}

/* An input that is amplified counts as often, and what follows amplifies the errors. */
static void of_taps(void **state)
{
    (void)state;
    const struct linear_filter quiet = {.order = 1, .tap = {1}, .back = {0, 0.5}};
    const struct linear_filter loud[2] = {{.order = 1, .tap = {3}, .back = {0, 0.5}}, {.tap = {2}}};
    assert_true(fabs(filter_noise_in_turn(2, loud) - 6 * filter_noise_in_turn(1, &quiet)) <= 1e-9);
}

/* Two parts of f64 hold what one loses: the product is the recurrence to some 1e-18. */
static void in_cascade(void **state)
{
    (void)state;
    const double pole[] = {0.9999, -0.9, 0.8, -0.7, 0.3};
    const struct linear_filter f = recurrence_of_poles(5, pole);
    struct linear_filter section[SECTIONS_MOST];
    const size_t count = sections_in_cascade(&f, false, section);
    assert_int_equal(count, 3);
    long double product[2 * SECTIONS_MOST + 1] = {1};
    for (size_t s = 0; s < count; s++)
        for (int lag = 2 * SECTIONS_MOST; lag > 0; lag--)
            product[lag] -= section[s].back[1] * product[lag - 1] +
                            (lag > 1 ? section[s].back[2] * product[lag - 2] : 0);
    for (int lag = 1; lag <= 5; lag++)
        assert_true(fabsl(product[lag] + f.back[lag]) <= 4e-18L);
    assert_true(filter_is_quiet(filter_noise_in_turn(count, section), filter_noise_in_turn(1, &f)));
}

/* What is small errs little either way: no form is refused for that. */
static void of_small_poles(void **state)
{
    (void)state;
    const double pole[] = {0.2, 0.1, -0.1};
    const struct linear_filter f = recurrence_of_poles(3, pole);
    struct linear_filter section[SECTIONS_MOST];
    assert_int_equal(sections_in_cascade(&f, false, section), 2);
}

/* A pole three times has sections one after another; side by side their sum would lose all
 * digits. */
static void of_a_pole_three_times(void **state)
{
    (void)state;
    const double pole[] = {0.5, 0.5, 0.5};
    const struct linear_filter f = recurrence_of_poles(3, pole);
    struct linear_filter section[SECTIONS_MOST];
    assert_int_equal(sections_in_cascade(&f, false, section), 2);
    assert_int_equal(sections_in_parallel(&f, false, section), 0);
    assert_int_equal(sections_in_parallel(&f, true, section), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_pole),
        cmocka_unit_test(of_taps),
        cmocka_unit_test(in_cascade),
        cmocka_unit_test(of_small_poles),
        cmocka_unit_test(of_a_pole_three_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
