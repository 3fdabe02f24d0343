/* What graph_stages.def says of kinds, and the questions that passes ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph/graph.h"

static void kinds_that_compute_read_and_have_an_order(void **state)
{
    (void)state;
    for (int kind = 0; kind < STAGE_KIND_COUNT; kind++) {
        const struct stage_info *info = &stage_info[kind];
        assert_true((info->computes == COMPUTES_NOTHING) == (info->reads == READS_NOTHING));
        assert_true((info->computes == COMPUTES_NOTHING) == (info->order == ORDER_NONE));
    }
}

/* The answers of the kinds there are, in the order of the table. */
static void answers_follow_from_the_kind(void **state)
{
    (void)state;
    static const struct {
        enum stage_kind kind;
        bool computes, is_per_sample, may_move, is_its_value, has_loops, may_extend;
    } expected[] = {
        {STAGE_INPUT, false, false, false, false, false, false},
        {STAGE_CONSTANT, false, false, false, false, false, false},
        {STAGE_MAP, true, true, true, true, true, true},
        {STAGE_TABLE, true, true, false, true, true, true},
        {STAGE_RECURRENCE, true, false, false, true, true, true},
        {STAGE_SCATTER, true, false, false, false, true, true},
        {STAGE_TRANSFORM, true, false, false, false, true, false},
        {STAGE_JOINED, true, false, false, true, false, true},
        {STAGE_CARRIED, false, false, false, false, false, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct stage stage = {.kind = expected[i].kind};
        assert_int_equal(stage_computes(&stage), expected[i].computes);
        assert_int_equal(stage_is_per_sample(&stage), expected[i].is_per_sample);
        assert_int_equal(stage_may_move(&stage), expected[i].may_move);
        assert_int_equal(stage_is_its_value(&stage), expected[i].is_its_value);
        assert_int_equal(stage_has_loops(&stage), expected[i].has_loops);
        assert_int_equal(stage_may_extend(&stage), expected[i].may_extend);
    }
}

static void transforms_read_whole_lines(void **state)
{
    (void)state;
    struct stage stage = {.kind = STAGE_TRANSFORM, .rank = 2};
    stage.as.transform.axis = 1;
    assert_false(stage_reads_whole(&stage, 0));
    assert_true(stage_reads_whole(&stage, 1));
    stage.kind = STAGE_MAP;
    assert_false(stage_reads_whole(&stage, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_that_compute_read_and_have_an_order),
        cmocka_unit_test(answers_follow_from_the_kind),
        cmocka_unit_test(transforms_read_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
