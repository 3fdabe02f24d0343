/* Where numbers that passes choose by come from: pins, the seed, the machine. */
#include "graph/placement/choose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STAGES = 64 };

static void the_machine_comes_last(void **state)
{
    (void)state;
    const struct pass_context cores = {.target = target_find("c")};
    const struct pass_context grid = {.target = target_find("cuda")};
    assert_int_equal(4160, choice_value(&cores, CHOICE_SEGMENT));
    assert_int_equal(32, choice_value(&grid, CHOICE_SEGMENT));
    assert_int_equal(4160, choose(&cores, 3, CHOICE_SEGMENT, 1, CHOICE_MOST));
    assert_int_equal(100, choose(&cores, 3, CHOICE_SEGMENT, 1, 100));
    assert_int_equal(5000, choose(&cores, 3, CHOICE_SEGMENT, 5000, CHOICE_MOST));
    assert_int_equal(4096, choose_power(&cores, 3, CHOICE_SEGMENT, 1, CHOICE_MOST));
    assert_int_equal(0, choose_power(&cores, 3, CHOICE_REDUCTION_GROUP, 0, CHOICE_MOST));
    assert_int_equal(7, choose_or(&cores, 3, CHOICE_SEGMENT, 7, 1, CHOICE_MOST));
    assert_true(choose_whether(&cores, 3, CHOICE_STORED, true));
    assert_false(choose_whether(&cores, 3, CHOICE_STORED, false));
}

/* Numbers that seeds have had from the start. */
static void a_seed_keeps_its_meaning(void **state)
{
    (void)state;
    const struct pass_context context = {.target = target_find("c"), .random_schedule = 1};
    int64_t band[8], rows[8];
    for (uint32_t i = 0; i < 8; i++) {
        band[i] = choose(&context, i, CHOICE_BAND, 1, CHOICE_MOST);
        rows[i] = choose(&context, i, CHOICE_LINE_ROWS, 1, CHOICE_MOST);
    }
    const int64_t bands[8] = {8, 4, 8, 16, 2, 16, 1, 1}, of_rows[8] = {1, 6, 1, 8, 8, 7, 8, 9};
    assert_memory_equal(bands, band, sizeof bands);
    assert_memory_equal(of_rows, rows, sizeof of_rows);
}

static void draws_stay_in_their_range(void **state)
{
    (void)state;
    struct pass_context context = {.target = target_find("cuda"), .random_schedule = 5};
    bool any[2] = {false, false}, few[3] = {false, false, false};
    for (uint32_t i = 0; i < STAGES; i++) {
        const int64_t number = choose(&context, i, CHOICE_SEGMENT, 4, 6);
        assert_in_range(number, 4, 6);
        few[number - 4] = true;
        any[choose_whether(&context, i, CHOICE_STORED, false)] = true;
        assert_in_range(choose_along(&context, i, CHOICE_TILE, i % 8, 1, CHOICE_MOST), 1, 7);
    }
    assert_true(any[0] && any[1] && few[0] && few[1] && few[2]);
    assert_int_equal(32, choice_value(&context, CHOICE_SEGMENT));
}

static void a_pin_comes_first(void **state)
{
    (void)state;
    struct choices choices = {.pinned = {[CHOICE_SEGMENT] = true, [CHOICE_STORED] = true}};
    choices.value[CHOICE_SEGMENT] = 96;
    choices.value[CHOICE_STORED] = 1;
    bool asked[CHOICE_COUNT] = {false};
    choices.asked = asked;
    const struct pass_context context = {
        .target = target_find("c"), .random_schedule = 5, .choices = &choices};
    for (uint32_t i = 0; i < STAGES; i++) {
        assert_int_equal(96, choose(&context, i, CHOICE_SEGMENT, 1, CHOICE_MOST));
        assert_true(choose_whether(&context, i, CHOICE_STORED, false));
    }
    assert_int_equal(96, choice_value(&context, CHOICE_SEGMENT));
    assert_int_equal(50, choose(&context, 0, CHOICE_SEGMENT, 1, 50));
    for (unsigned i = 0; i < CHOICE_COUNT; i++)
        assert_int_equal(i == CHOICE_SEGMENT || i == CHOICE_STORED, asked[i]);
}

/* Each row of each machine is a number that --choice could give. */
static void rows_are_in_their_range(void **state)
{
    (void)state;
    for (size_t t = 0; target_list[t]; t++)
        for (const struct machine *m = machine_list; m->name; m++) {
            struct target target = *target_list[t];
            target.machine = m;
            for (unsigned i = 0; i < CHOICE_COUNT; i++)
                assert_in_range(choice_of_machine(&target, (enum choice)i), choice_list[i].least,
                                choice_list[i].greatest);
        }
    for (unsigned i = 0; i < CHOICE_COUNT; i++)
        assert_int_equal(i, choice_named(choice_list[i].name, strlen(choice_list[i].name)));
    assert_int_equal(CHOICE_COUNT, choice_named("segments", 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_comes_last),    cmocka_unit_test(a_seed_keeps_its_meaning),
        cmocka_unit_test(draws_stay_in_their_range), cmocka_unit_test(a_pin_comes_first),
        cmocka_unit_test(rows_are_in_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
