/* Border rules: the coordinate that each gives, and the arithmetic that stands for it. */
#include "analysis/border_index.h"
#include "expr/borders.h"
#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../session_fixture.h"

enum { FIRST = -3, MOST = 7 };

static int64_t by_arithmetic(struct expr_pool *pool, enum border_rule rule, int64_t index,
                             int64_t extent)
{
    const struct border border = {.rule = rule,
                                  .first = expr_integer(pool, FIRST),
                                  .extent = expr_integer(pool, extent)};
    const struct expr *made = border_index(pool, expr_integer(pool, index), &border);
    assert_int_equal(made->kind, EXPR_INTEGER);
    return made->as.integer;
}

/* Of each rule that folds: what it gives far outside, by its definition. */
static void arithmetic_is_the_rule(void **state)
{
    static const enum border_rule rules[] = {BORDER_CLAMP, BORDER_REFLECT, BORDER_REFLECT101,
                                             BORDER_WRAP};
    struct session *session = *state;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (int64_t n = 1; n <= MOST; n++)
            for (int64_t index = FIRST - 3 * n; index < FIRST + 4 * n; index++) {
                bool outside = false;
                const int64_t place = border_coordinate(rules[r], index, FIRST, n, &outside);
                assert_false(outside);
                assert_in_range(place - FIRST, 0, n - 1);
                assert_int_equal(by_arithmetic(&session->pool, rules[r], index, n), place);
            }
}

static void once_is_the_rule_as_far_as_the_box_is_wide(void **state)
{
    static const struct {
        enum border_rule once, rule;
        int64_t less;
    } rows[] = {{BORDER_REFLECT_ONCE, BORDER_REFLECT, 0},
                {BORDER_REFLECT101_ONCE, BORDER_REFLECT101, 1},
                {BORDER_WRAP_ONCE, BORDER_WRAP, 0}};
    struct session *session = *state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int64_t n = 1; n <= MOST; n++) {
            const int64_t reach = n - rows[r].less;
            for (int64_t index = FIRST - reach; index < FIRST + n + reach; index++) {
                bool outside = false;
                const int64_t place = border_coordinate(rows[r].rule, index, FIRST, n, &outside);
                assert_int_equal(border_coordinate(rows[r].once, index, FIRST, n, &outside), place);
                assert_int_equal(by_arithmetic(&session->pool, rows[r].once, index, n), place);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(arithmetic_is_the_rule, open_session, close_session),
        cmocka_unit_test_setup_teardown(once_is_the_rule_as_far_as_the_box_is_wide, open_session,
                                        close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
