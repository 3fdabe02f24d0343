/* Suggestions: what is near enough, and which is nearest. */
#include "diagnostics/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *suggest(const char *wanted, const char *candidate)
{
    struct suggestion suggestion = {0};
    suggest_consider(&suggestion, wanted, candidate);
    return suggestion.best;
}

static unsigned distance(const char *wanted, const char *candidate)
{
    struct suggestion suggestion = {0};
    suggest_consider(&suggestion, wanted, candidate);
    assert_ptr_equal(suggestion.best, candidate);
    return suggestion.distance;
}

static void each_edit_counts_one(void **state)
{
    (void)state;
    assert_int_equal(distance("gaussan", "gaussian"), 1);
    assert_int_equal(distance("gausssian", "gaussian"), 1);
    assert_int_equal(distance("gaussiam", "gaussian"), 1);
    assert_int_equal(distance("guassian", "gaussian"), 1);
    assert_int_equal(distance("guassain", "gaussian"), 2);
    assert_int_equal(distance("xaussianyz", "gaussian"), 3);
}

static void at_most_a_third_of_the_length_at_least_1(void **state)
{
    (void)state;
    assert_string_equal(suggest("x", "y"), "y");
    assert_string_equal(suggest("blr", "blur"), "blur");
    assert_null(suggest("blxx", "blur"));
    assert_string_equal(suggest("medixx", "median"), "median");
    assert_null(suggest("medxxx", "median"));
    assert_null(suggest("erode", "gaussian"));
}

static void case_alone_is_always_near(void **state)
{
    (void)state;
    assert_int_equal(distance("BOX_BLUR", "box_blur"), 0);
    assert_null(suggest("BOX_BLU", "box_blur"));
    struct suggestion suggestion = {0};
    suggest_consider(&suggestion, "BLUR", "BLUE");
    suggest_consider(&suggestion, "BLUR", "blur");
    assert_string_equal(suggestion.best, "blur");
}

static void the_nearest_is_kept_the_first_of_equals(void **state)
{
    (void)state;
    struct suggestion suggestion = {0};
    suggest_consider(&suggestion, "sharpne", "shape");
    suggest_consider(&suggestion, "sharpne", "sharpen");
    suggest_consider(&suggestion, "sharpne", "sharpnel");
    suggest_consider(&suggestion, "sharpne", "erode");
    assert_string_equal(suggestion.best, "sharpen");
    assert_int_equal(suggestion.distance, 1);
}

static void very_long_names_are_left_alone(void **state)
{
    (void)state;
    char wanted[101] = "", candidate[101] = "";
    for (int i = 0; i < 100; i++)
        wanted[i] = candidate[i] = 'a';
    candidate[50] = 'b';
    assert_null(suggest(wanted, candidate));
    candidate[50] = 'A';
    assert_ptr_equal(suggest(wanted, candidate), candidate);
    wanted[64] = candidate[64] = '\0';
    candidate[50] = 'b';
    assert_ptr_equal(suggest(wanted, candidate), candidate);
}

static void empty_names(void **state)
{
    (void)state;
    assert_null(suggest("", "blur"));
    assert_string_equal(suggest("", "x"), "x");
    assert_null(suggest("blur", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_edit_counts_one),
        cmocka_unit_test(at_most_a_third_of_the_length_at_least_1),
        cmocka_unit_test(case_alone_is_always_near),
        cmocka_unit_test(the_nearest_is_kept_the_first_of_equals),
        cmocka_unit_test(very_long_names_are_left_alone),
        cmocka_unit_test(empty_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
