/* Collecting messages: texts, counts, repetitions, -W settings, order and limit. */
#include "diagnostics/diagnostic.h"
#include "diagnostics/render.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The diagnostics of each test live in the arena made for it. */
static int set_up(void **state)
{
    struct arena *arena = arena_create();
    struct source_map *sources = ARENA_NEW(arena, struct source_map);
    struct diagnostics *diagnostics = ARENA_NEW(arena, struct diagnostics);
    sources->arena = arena;
    *diagnostics = (struct diagnostics){.arena = arena, .sources = sources};
    *state = diagnostics;
    return 0;
}

static int tear_down(void **state)
{
    const struct diagnostics *diagnostics = *state;
    arena_destroy(diagnostics->arena);
    return 0;
}

static struct diagnostic *report_error(struct diagnostics *diagnostics, uint32_t start,
                                       uint32_t end)
{
    return diagnostic_report(diagnostics, DIAGNOSTIC_E0304, (struct span){start, end}, "in", 2, 3);
}

static struct diagnostic *report_warning(struct diagnostics *diagnostics, uint32_t start)
{
    return diagnostic_report(diagnostics, DIAGNOSTIC_W0301, (struct span){start, start + 1}, "i32",
                             "f32", "2^24");
}

static void the_table_is_indexed_by_code(void **state)
{
    (void)state;
    const struct diagnostic_info *error = &diagnostic_info[DIAGNOSTIC_E0304];
    assert_string_equal(error->code, "E0304");
    assert_int_equal(error->severity, SEVERITY_ERROR);
    assert_null(error->name);
    const struct diagnostic_info *warning = &diagnostic_info[DIAGNOSTIC_W0301];
    assert_string_equal(warning->code, "W0301");
    assert_int_equal(warning->severity, SEVERITY_WARNING);
    assert_string_equal(warning->name, "precision");
}

static void a_report_is_formatted_and_listed(void **state)
{
    struct diagnostics *diagnostics = *state;
    const struct diagnostic *error = report_error(diagnostics, 5, 9);
    assert_int_equal(error->code, DIAGNOSTIC_E0304);
    assert_int_equal(error->severity, SEVERITY_ERROR);
    assert_int_equal(error->span.start, 5);
    assert_int_equal(error->span.end, 9);
    assert_string_equal(error->text, "'in' has 2 axes, but is read with 3");
    assert_int_equal(diagnostics->list.count, 1);
    assert_ptr_equal(diagnostics->list.item[0], error);
}

static void errors_and_warnings_are_counted(void **state)
{
    struct diagnostics *diagnostics = *state;
    report_error(diagnostics, 5, 9);
    report_warning(diagnostics, 1);
    report_warning(diagnostics, 2);
    assert_int_equal(diagnostics->error_count, 1);
    assert_int_equal(diagnostics->warning_count, 2);
}

static void the_same_code_at_the_same_span_is_listed_once(void **state)
{
    struct diagnostics *diagnostics = *state;
    report_error(diagnostics, 5, 6);
    struct diagnostic *again = report_error(diagnostics, 5, 6);
    diagnostic_note(diagnostics, again, "it can still be written to");
    report_error(diagnostics, 5, 7);
    report_error(diagnostics, 4, 6);
    report_warning(diagnostics, 5);
    assert_int_equal(diagnostics->list.count, 4);
    assert_int_equal(diagnostics->error_count, 4);
    assert_int_equal(diagnostics->list.item[0]->notes.count, 0);
}

static void labels_notes_and_helps_are_kept_in_order(void **state)
{
    struct diagnostics *diagnostics = *state;
    struct diagnostic *error = report_error(diagnostics, 5, 9);
    diagnostic_label(diagnostics, error, (struct span){1, 3}, "declared here with axes %s", "y, x");
    diagnostic_note(diagnostics, error, "note %d", 1);
    diagnostic_note(diagnostics, error, "note %d", 2);
    diagnostic_help(diagnostics, error, "help %s", "alone");
    char replacement[] = "[y, x]";
    diagnostic_fix(diagnostics, error, (struct span){6, 8}, replacement, true, "remove the %s",
                   "third index");
    replacement[0] = '!';

    assert_int_equal(error->labels.count, 1);
    assert_int_equal(error->labels.item[0].span.start, 1);
    assert_int_equal(error->labels.item[0].span.end, 3);
    assert_string_equal(error->labels.item[0].text, "declared here with axes y, x");
    assert_int_equal(error->notes.count, 2);
    assert_string_equal(error->notes.item[0], "note 1");
    assert_string_equal(error->notes.item[1], "note 2");
    assert_int_equal(error->helps.count, 2);
    assert_string_equal(error->helps.item[0].text, "help alone");
    assert_null(error->helps.item[0].fix.replacement);
    assert_string_equal(error->helps.item[1].text, "remove the third index");
    assert_string_equal(error->helps.item[1].fix.replacement, "[y, x]");
    assert_int_equal(error->helps.item[1].fix.span.start, 6);
    assert_int_equal(error->helps.item[1].fix.span.end, 8);
    assert_true(error->helps.item[1].fix.safe);
}

static void a_warning_switched_off_is_made_but_not_listed(void **state)
{
    struct diagnostics *diagnostics = *state;
    assert_true(diagnostics_set_warning(diagnostics, "no-precision"));
    struct diagnostic *warning = report_warning(diagnostics, 1);
    diagnostic_note(diagnostics, warning, "unseen");
    assert_non_null(warning);
    assert_int_equal(diagnostics->list.count, 0);
    assert_int_equal(diagnostics->warning_count, 0);
    assert_true(diagnostics_set_warning(diagnostics, "precision"));
    report_warning(diagnostics, 1);
    assert_int_equal(diagnostics->warning_count, 1);
}

static void a_warning_can_be_made_an_error(void **state)
{
    struct diagnostics *diagnostics = *state;
    assert_true(diagnostics_set_warning(diagnostics, "no-precision"));
    assert_true(diagnostics_set_warning(diagnostics, "error=precision"));
    assert_int_equal(report_warning(diagnostics, 1)->severity, SEVERITY_ERROR);
    assert_int_equal(diagnostics->error_count, 1);
    assert_int_equal(diagnostics->warning_count, 0);
}

static void unknown_names_of_warnings_are_refused(void **state)
{
    struct diagnostics *diagnostics = *state;
    assert_false(diagnostics_set_warning(diagnostics, "precisio"));
    assert_false(diagnostics_set_warning(diagnostics, "no-no-precision"));
    assert_false(diagnostics_set_warning(diagnostics, "error=E0304"));
    assert_false(diagnostics_set_warning(diagnostics, ""));
    assert_int_equal(report_warning(diagnostics, 1)->severity, SEVERITY_WARNING);
}

static void shown_are_sorted_by_position_then_order(void **state)
{
    struct diagnostics *diagnostics = *state;
    const struct diagnostic *last = report_error(diagnostics, 30, 31);
    const struct diagnostic *second = report_warning(diagnostics, 10);
    const struct diagnostic *third = report_error(diagnostics, 10, 11);
    const struct diagnostic *first = report_error(diagnostics, 0, 0);
    const struct diagnostics_shown shown = diagnostics_shown(diagnostics, diagnostics->arena);
    assert_int_equal(shown.count, 4);
    assert_ptr_equal(shown.item[0], first);
    assert_ptr_equal(shown.item[1], second);
    assert_ptr_equal(shown.item[2], third);
    assert_ptr_equal(shown.item[3], last);
    assert_int_equal(shown.errors_left_out, 0);
}

static void at_most_20_errors_are_shown_and_all_warnings(void **state)
{
    struct diagnostics *diagnostics = *state;
    for (uint32_t i = 27; i > 0; i--) {
        report_error(diagnostics, 2 * i, 2 * i + 1);
        report_warning(diagnostics, 2 * i + 1);
    }
    const struct diagnostics_shown shown = diagnostics_shown(diagnostics, diagnostics->arena);
    assert_int_equal(shown.errors_left_out, 7);
    assert_int_equal(shown.count, 20 + 27);
    assert_int_equal(shown.item[0]->span.start, 2);
    assert_int_equal(shown.item[38]->span.start, 40); /* the 20th error, between the warnings */
    assert_int_equal(shown.item[40]->severity, SEVERITY_WARNING);
    assert_int_equal(diagnostics->error_count, 27);
}

static void nothing_reported_nothing_shown(void **state)
{
    struct diagnostics *diagnostics = *state;
    assert_int_equal(diagnostics_shown(diagnostics, diagnostics->arena).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_table_is_indexed_by_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_report_is_formatted_and_listed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_and_warnings_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_same_code_at_the_same_span_is_listed_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(labels_notes_and_helps_are_kept_in_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_warning_switched_off_is_made_but_not_listed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_warning_can_be_made_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_names_of_warnings_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shown_are_sorted_by_position_then_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(at_most_20_errors_are_shown_and_all_warnings, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_reported_nothing_shown, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
