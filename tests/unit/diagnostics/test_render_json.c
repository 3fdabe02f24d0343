/* Messages as JSON, compared whole: keys and their order, escapes, places, fixes. */
#include "diagnostics/diagnostic.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    struct source_map sources;
    struct diagnostics diagnostics;
};

static int set_up(void **state)
{
    struct arena *arena = arena_create();
    struct fixture *fixture = ARENA_NEW(arena, struct fixture);
    fixture->arena = fixture->sources.arena = fixture->diagnostics.arena = arena;
    fixture->diagnostics.sources = &fixture->sources;
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    const struct fixture *fixture = *state;
    arena_destroy(fixture->arena);
    return 0;
}

static const struct source_file *add(struct fixture *fixture, const char *name, const char *text)
{
    return source_map_add(&fixture->sources, name, text, strlen(text));
}

static struct diagnostic *report(struct fixture *fixture, uint32_t start, uint32_t end)
{
    return diagnostic_report(&fixture->diagnostics, DIAGNOSTIC_E0304, (struct span){start, end},
                             "in", 2, 3);
}

static void assert_rendered(const struct fixture *fixture, const char *expected)
{
    struct text out = text_create(fixture->arena);
    diagnostics_render_json(&fixture->diagnostics, &out);
    assert_string_equal(out.bytes, expected);
}

/* One error; the keys before "spans" are the same in all tests. */
static void assert_error(const struct fixture *fixture, const char *from_spans_on)
{
    assert_rendered(fixture,
                    arena_format(fixture->arena, "%s%s",
                                 "{\"version\":1,\"code\":\"E0304\",\"severity\":\"error\","
                                 "\"message\":\"'in' has 2 axes, but is read with 3\",",
                                 from_spans_on));
}

static void nothing_is_nothing(void **state)
{
    assert_rendered(*state, "");
}

static void a_message_without_a_place_has_no_spans(void **state)
{
    struct fixture *fixture = *state;
    report(fixture, 0, 0);
    assert_error(fixture, "\"spans\":[],\"notes\":[],\"helps\":[]}\n");
}

static void a_whole_message(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t a = add(fixture, "a.flt", "é in[0]\nb")->start;
    const uint32_t b = add(fixture, "b.flt", "\nblur\n")->start;
    struct diagnostic *error = report(fixture, a + 3, a + 8);
    diagnostic_label(&fixture->diagnostics, error, (struct span){b + 1, b + 5}, "declared here");
    diagnostic_note(&fixture->diagnostics, error, "one");
    diagnostic_note(&fixture->diagnostics, error, "two");
    diagnostic_help(&fixture->diagnostics, error, "words");
    diagnostic_fix(&fixture->diagnostics, error, (struct span){a + 5, a + 5}, "[y]", true, "safe");
    diagnostic_fix(&fixture->diagnostics, error, (struct span){a + 7, a + 10}, "", false, "check");
    assert_error(fixture,
                 "\"spans\":["
                 "{\"file\":\"a.flt\",\"start\":{\"line\":1,\"column\":4,\"byte\":3},"
                 "\"end\":{\"line\":1,\"column\":9,\"byte\":8},\"label\":null,\"primary\":true},"
                 "{\"file\":\"b.flt\",\"start\":{\"line\":2,\"column\":1,\"byte\":1},"
                 "\"end\":{\"line\":2,\"column\":5,\"byte\":5},\"label\":\"declared here\","
                 "\"primary\":false}],"
                 "\"notes\":[\"one\",\"two\"],"
                 "\"helps\":[{\"message\":\"words\",\"fix\":null},"
                 "{\"message\":\"safe\",\"fix\":{\"span\":{\"file\":\"a.flt\","
                 "\"start\":{\"line\":1,\"column\":6,\"byte\":5},"
                 "\"end\":{\"line\":1,\"column\":6,\"byte\":5}},\"replacement\":\"[y]\","
                 "\"safe\":true}},"
                 "{\"message\":\"check\",\"fix\":{\"span\":{\"file\":\"a.flt\","
                 "\"start\":{\"line\":1,\"column\":8,\"byte\":7},"
                 "\"end\":{\"line\":2,\"column\":2,\"byte\":10}},\"replacement\":\"\","
                 "\"safe\":false}}]}\n");
}

static void labels_without_a_place_are_notes(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t a = add(fixture, "a", "x")->start;
    struct diagnostic *error = report(fixture, 0, 0);
    diagnostic_note(&fixture->diagnostics, error, "fact");
    diagnostic_label(&fixture->diagnostics, error, (struct span){0, 0}, "nowhere");
    diagnostic_label(&fixture->diagnostics, error, (struct span){a, a + 1}, "here");
    assert_error(fixture, "\"spans\":[{\"file\":\"a\","
                          "\"start\":{\"line\":1,\"column\":1,\"byte\":0},"
                          "\"end\":{\"line\":1,\"column\":2,\"byte\":1},"
                          "\"label\":\"here\",\"primary\":false}],"
                          "\"notes\":[\"nowhere\",\"fact\"],\"helps\":[]}\n");
}

static void a_span_at_the_end_of_a_file_stays_in_it(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t a = add(fixture, "a", "x\n")->start;
    add(fixture, "b", "y");
    report(fixture, a + 2, a + 3);
    assert_error(fixture, "\"spans\":[{\"file\":\"a\","
                          "\"start\":{\"line\":2,\"column\":1,\"byte\":2},"
                          "\"end\":{\"line\":2,\"column\":1,\"byte\":2},"
                          "\"label\":null,\"primary\":true}],"
                          "\"notes\":[],\"helps\":[]}\n");
}

static void strings_are_escaped(void **state)
{
    struct fixture *fixture = *state;
    diagnostic_note(&fixture->diagnostics, report(fixture, 0, 0),
                    "\"q\" \\ / \n\t\r\x01\x1F\x7F é中😀 \xFF\xC3\xED\xA0\x80 %%");
    assert_error(fixture, "\"spans\":[],\"notes\":[\"\\\"q\\\" \\\\ / "
                          "\\n\\t\\u000d\\u0001\\u001f\x7F é中😀 "
                          "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD %\"],\"helps\":[]}\n");
}

static void severities_one_object_a_line_sorted(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t a = add(fixture, "a", "xy")->start;
    report(fixture, a + 1, a + 2);
    report(fixture, 0, 0)->severity = SEVERITY_REMARK;
    diagnostic_report(&fixture->diagnostics, DIAGNOSTIC_W0301, (struct span){a, a + 1}, "i32",
                      "f32", "2^24");
    struct text out = text_create(fixture->arena);
    diagnostics_render_json(&fixture->diagnostics, &out);
    static const char *const severity[] = {"\"remark\"", "\"warning\"", "\"error\""};
    const char *line = out.bytes;
    for (size_t i = 0; i < 3; i++) {
        char *newline = strchr(line, '\n');
        assert_non_null(newline);
        *newline = '\0';
        assert_int_equal(line[0], '{');
        assert_int_equal(newline[-1], '}');
        assert_non_null(strstr(line, severity[i]));
        line = newline + 1;
    }
    assert_string_equal(line, "");
}

static void at_most_20_errors_and_nothing_else(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t a = add(fixture, "a", "12345678901234567890123456789")->start;
    for (uint32_t i = 0; i < 27; i++)
        report(fixture, a + i, a + i + 1);
    struct text out = text_create(fixture->arena);
    diagnostics_render_json(&fixture->diagnostics, &out);
    size_t lines = 0;
    for (const char *line = out.bytes; *line; line = strchr(line, '\n') + 1, lines++)
        assert_int_equal(line[0], '{');
    assert_int_equal(lines, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_message_without_a_place_has_no_spans, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_whole_message, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labels_without_a_place_are_notes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_span_at_the_end_of_a_file_stays_in_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_are_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(severities_one_object_a_line_sorted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(at_most_20_errors_and_nothing_else, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
