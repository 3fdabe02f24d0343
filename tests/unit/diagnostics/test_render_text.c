/* Messages as text, compared whole. A place is given by its text: span_of finds it in the source.
 * The message is always E0304 or W0301, whatever it is about. */
#include "diagnostics/diagnostic.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

static struct span span_of(const struct source_file *file, const char *part)
{
    const char *found = strstr(file->text, part);
    assert_non_null(found);
    const uint32_t start = file->start + (uint32_t)(found - file->text);
    return (struct span){start, start + (uint32_t)strlen(part)};
}

static struct diagnostic *report(struct fixture *fixture, struct span span)
{
    return diagnostic_report(&fixture->diagnostics, DIAGNOSTIC_E0304, span, "in", 2, 3);
}

static void assert_rendered(const struct fixture *fixture, const char *expected)
{
    struct text out = text_create(fixture->arena);
    diagnostics_render_text(&fixture->diagnostics, &out, false);
    assert_string_equal(out.bytes, expected);
    assert_null(strstr(out.bytes, " \n"));
}

static const char *const HEADLINE = "error[E0304]: 'in' has 2 axes, but is read with 3\n";

/* One error without labels: only the place of the headline and what is below it differ. */
static void assert_error(const struct fixture *fixture, const char *place, const char *below)
{
    assert_rendered(fixture, arena_format(fixture->arena, "%s %s%s", place, HEADLINE, below));
}

static void nothing_is_nothing(void **state)
{
    assert_rendered(*state, "");
}

static void the_form_of_a_whole_message(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "edge.flt",
                                         "\n\n\n\n\n\n\n\n"
                                         "filter edge(in : image<f32>[y, x]) -> image<f32>[y, x]\n"
                                         "\n\n\n\n"
                                         "    out[y, x] = in[y, x - 1, 0] + in[y, x];\n");
    struct diagnostic *error = report(fixture, span_of(file, "in[y, x - 1, 0]"));
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "in :"),
                     "declared here with axes %s", "y, x");
    diagnostic_note(&fixture->diagnostics, error, "an image has 2 or 3 axes");
    diagnostic_fix(&fixture->diagnostics, error, span_of(file, ", 0"), "", true,
                   "remove the third index");
    assert_rendered(fixture, "edge.flt:14:17: error[E0304]: 'in' has 2 axes, but is read with 3\n"
                             "  14 |     out[y, x] = in[y, x - 1, 0] + in[y, x];\n"
                             "     |                 ^~~~~~~~~~~~~~~\n"
                             "   9 | filter edge(in : image<f32>[y, x]) -> image<f32>[y, x]\n"
                             "     |             ---- note: declared here with axes y, x\n"
                             "     note: an image has 2 or 3 axes\n"
                             "     help: remove the third index\n");
}

static void the_gutter_is_as_wide_as_the_largest_line_number(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "first\nsecond");
    report(fixture, span_of(file, "second"));
    char lines[2000] = "", expected[200];
    memset(lines, '\n', 1233);
    strcat(lines, "third");
    const struct source_file *other = add(fixture, "b", lines);
    diagnostic_note(&fixture->diagnostics, report(fixture, span_of(other, "third")), "far below");
    snprintf(expected, sizeof expected, "a:2:1: %s%sb:1234:1: %s%s", HEADLINE,
             "  2 | second\n"
             "    | ^~~~~~\n",
             HEADLINE,
             "  1234 | third\n"
             "       | ^~~~~\n"
             "       note: far below\n");
    assert_rendered(fixture, expected);
}

static void a_message_without_a_place(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "text");
    struct diagnostic *error = report(fixture, (struct span){0, 0});
    diagnostic_help(&fixture->diagnostics, error, "give a file");
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "ext"), "here");
    diagnostic_label(&fixture->diagnostics, error, (struct span){0, 0}, "nowhere");
    assert_error(fixture, "fltc:",
                 "a:1:2:\n"
                 "  1 | text\n"
                 "    |  --- note: here\n"
                 "    note: nowhere\n"
                 "    help: give a file\n");
}

static void a_label_on_the_same_line_shares_it(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "a + b * c\nd");
    struct diagnostic *error = report(fixture, span_of(file, "b * c"));
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "a"), "one");
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "d"), "two");
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "c"), "three");
    assert_error(fixture, "a:1:5:",
                 "  1 | a + b * c\n"
                 "    |     ^~~~~\n"
                 "    | - note: one\n"
                 "  2 | d\n"
                 "    | - note: two\n"
                 "  1 | a + b * c\n"
                 "    |         - note: three\n");
}

static void a_label_in_another_file_has_its_place_before_it(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *here = add(fixture, "here.flt", "use blur");
    const struct source_file *there = add(fixture, "there.flt", "\nfilter blur");
    struct diagnostic *error = report(fixture, span_of(here, "blur"));
    diagnostic_label(&fixture->diagnostics, error, span_of(there, "blur"), "declared here");
    diagnostic_label(&fixture->diagnostics, error, span_of(there, "filter"), "a filter");
    diagnostic_label(&fixture->diagnostics, error, span_of(here, "use"), "used here");
    assert_error(fixture, "here.flt:1:5:",
                 "  1 | use blur\n"
                 "    |     ^~~~\n"
                 "there.flt:2:8:\n"
                 "  2 | filter blur\n"
                 "    |        ---- note: declared here\n"
                 "    | ------ note: a filter\n"
                 "here.flt:1:1:\n"
                 "  1 | use blur\n"
                 "    | --- note: used here\n");
}

static void an_empty_span_has_a_caret(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t start = add(fixture, "a", "a b")->start + 2;
    report(fixture, (struct span){start, start});
    assert_error(fixture, "a:1:3:",
                 "  1 | a b\n"
                 "    |   ^\n");
}

static void a_span_over_lines_is_underlined_to_the_end_of_the_first(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "x = {  \r\n  1,\n}\n");
    report(fixture, span_of(file, "= {  \r\n  1,\n}"));
    assert_error(fixture, "a:1:3:",
                 "  1 | x = {\n"
                 "    |   ^~~\n");
}

static void the_end_of_a_file_is_after_its_last_character(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "one\ntwo\n  \n\n");
    add(fixture, "b", "next");
    const uint32_t end = file->start + file->length;
    report(fixture, (struct span){end, end});
    assert_error(fixture, "a:2:4:",
                 "  2 | two\n"
                 "    |    ^\n");
}

static void the_end_of_a_file_without_a_newline(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "one");
    report(fixture, (struct span){file->start + 3, file->start + 4});
    assert_error(fixture, "a:1:4:",
                 "  1 | one\n"
                 "    |    ^\n");
}

static void the_end_of_an_empty_file(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "");
    report(fixture, (struct span){file->start, file->start});
    assert_error(fixture, "a:1:1:",
                 "  1 |\n"
                 "    | ^\n");
}

static void tabs_are_expanded(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "\tab\tcd + e");
    report(fixture, span_of(file, "cd"));
    assert_error(fixture, "a:1:5:",
                 "  1 |     ab  cd + e\n"
                 "    |         ^~\n");
}

static void wide_and_combining_characters_keep_carets_aligned(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "é 中文 e\u0301 x");
    struct diagnostic *error = report(fixture, span_of(file, "x"));
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "中文"), "wide: %s", "中");
    assert_error(fixture, "a:1:15:",
                 "  1 | é 中文 e\u0301 x\n"
                 "    |          ^\n"
                 "    |   ---- note: wide: 中\n");
}

static void what_is_not_text_is_replaced(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "\xFF\xC3 \033[31m \u202E x");
    diagnostic_note(&fixture->diagnostics, report(fixture, span_of(file, "x")), "'\033' \xFF");
    assert_error(fixture, "a:1:14:",
                 "  1 | \uFFFD\uFFFD \uFFFD[31m \uFFFD x\n"
                 "    |            ^\n"
                 "    note: '\uFFFD' \uFFFD\n");
}

/* A line of `columns` copies of a character, with "HERE" at a column. */
static const struct source_file *long_line(struct fixture *fixture, size_t columns, size_t here)
{
    char *text = arena_allocate(fixture->arena, columns + 1);
    memset(text, '.', columns);
    memcpy(text + here, "HERE", 4);
    return add(fixture, "a", text);
}

static const char *dots(struct fixture *fixture, size_t count)
{
    char *text = arena_allocate(fixture->arena, count + 1);
    memset(text, '.', count);
    return text;
}

static void a_line_of_160_columns_is_shown_whole(void **state)
{
    struct fixture *fixture = *state;
    report(fixture, span_of(long_line(fixture, 160, 156), "HERE"));
    assert_error(
        fixture, "a:1:157:",
        arena_format(fixture->arena, "  1 | %sHERE\n    | %156s^~~~\n", dots(fixture, 156), ""));
}

static void a_longer_line_is_cut_after_the_place(void **state)
{
    struct fixture *fixture = *state;
    report(fixture, span_of(long_line(fixture, 161, 100), "HERE"));
    assert_error(fixture, "a:1:101:",
                 arena_format(fixture->arena, "  1 | %sHERE%s…\n    | %100s^~~~\n",
                              dots(fixture, 100), dots(fixture, 55), ""));
}

static void a_longer_line_is_cut_around_the_place(void **state)
{
    struct fixture *fixture = *state;
    report(fixture, span_of(long_line(fixture, 1000, 500), "HERE"));
    assert_error(fixture, "a:1:501:",
                 arena_format(fixture->arena, "  1 | …%sHERE%s…\n    | %60s^~~~\n",
                              dots(fixture, 59), dots(fixture, 95), ""));
}

static void a_longer_line_is_cut_before_a_place_at_its_end(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = long_line(fixture, 1000, 996);
    struct diagnostic *error = report(fixture, span_of(file, "HERE"));
    diagnostic_label(&fixture->diagnostics, error,
                     (struct span){file->start + 1000, file->start + 1000}, "the end");
    const char *shown = arena_format(fixture->arena, "  1 | …%sHERE\n", dots(fixture, 155));
    assert_error(fixture, "a:1:997:",
                 arena_format(fixture->arena, "%s    | %156s^~~~\n%s    | %160s- note: the end\n",
                              shown, "", shown, ""));
}

static void an_underline_ends_where_the_line_is_cut(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = long_line(fixture, 400, 10);
    report(fixture, (struct span){file->start + 10, file->start + 400});
    char underline[151] = "^";
    memset(underline + 1, '~', 149);
    assert_error(fixture, "a:1:11:",
                 arena_format(fixture->arena, "  1 | %sHERE%s…\n    | %10s%s\n", dots(fixture, 10),
                              dots(fixture, 145), "", underline));
}

static void half_of_a_wide_character_at_a_cut_is_a_space(void **state)
{
    struct fixture *fixture = *state;
    char text[400] = "";
    for (int i = 0; i < 81; i++) /* 162 columns: the cut is after 159 */
        strcat(text, "中");
    report(fixture, span_of(add(fixture, "a", text), "中"));
    text[79 * strlen("中")] = '\0';
    assert_error(fixture, "a:1:1:", arena_format(fixture->arena, "  1 | %s …\n    | ^~\n", text));
}

static void severities_are_sorted_together(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "x y z");
    report(fixture, span_of(file, "z"));
    diagnostic_report(&fixture->diagnostics, DIAGNOSTIC_W0301, span_of(file, "x"), "i32", "f32",
                      "2^24");
    report(fixture, span_of(file, "y"))->severity = SEVERITY_REMARK;
    assert_rendered(fixture,
                    "a:1:1: warning[W0301]: i32 is converted to f32, which is exact only up "
                    "to 2^24\n"
                    "  1 | x y z\n"
                    "    | ^\n"
                    "a:1:3: remark[E0304]: 'in' has 2 axes, but is read with 3\n"
                    "  1 | x y z\n"
                    "    |   ^\n"
                    "a:1:5: error[E0304]: 'in' has 2 axes, but is read with 3\n"
                    "  1 | x y z\n"
                    "    |     ^\n");
}

static const char *last_line(const struct fixture *fixture)
{
    struct text out = text_create(fixture->arena);
    diagnostics_render_text(&fixture->diagnostics, &out, false);
    out.bytes[out.length - 1] = '\0';
    return strrchr(out.bytes, '\n') + 1;
}

static void errors_beyond_20_are_counted_at_the_end(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t start = long_line(fixture, 100, 0)->start;
    for (uint32_t i = 0; i < 20; i++)
        report(fixture, (struct span){start + i, start + i + 1});
    assert_string_equal(last_line(fixture), "    |                    ^");
    report(fixture, (struct span){start + 20, start + 21});
    assert_string_equal(last_line(fixture), "… and 1 more error");
    for (uint32_t i = 21; i < 27; i++)
        report(fixture, (struct span){start + i, start + i + 1});
    assert_string_equal(last_line(fixture), "… and 7 more errors");
}

static void colors(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "x y");
    struct diagnostic *error = report(fixture, span_of(file, "y"));
    diagnostic_label(&fixture->diagnostics, error, span_of(file, "x"), "here");
    diagnostic_note(&fixture->diagnostics, error, "fact");
    diagnostic_help(&fixture->diagnostics, error, "do");
    struct text out = text_create(fixture->arena);
    diagnostics_render_text(&fixture->diagnostics, &out, true);
    assert_string_equal(out.bytes, "\033[1ma:1:3:\033[0m \033[1;31merror[E0304]:\033[0m "
                                   "\033[1m'in' has 2 axes, but is read with 3\033[0m\n"
                                   "  1 | x y\n"
                                   "    |   \033[1;31m^\033[0m\n"
                                   "    | \033[1;34m- note:\033[0m here\n"
                                   "    \033[1;34mnote:\033[0m fact\n"
                                   "    \033[1;32mhelp:\033[0m do\n");
}

static void rendering_twice_gives_the_same(void **state)
{
    struct fixture *fixture = *state;
    const struct source_file *file = add(fixture, "a", "x");
    report(fixture, span_of(file, "x"));
    report(fixture, (struct span){0, 0});
    struct text first = text_create(fixture->arena), second = text_create(fixture->arena);
    diagnostics_render_text(&fixture->diagnostics, &first, false);
    diagnostics_render_text(&fixture->diagnostics, &second, false);
    assert_string_equal(first.bytes, second.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_form_of_a_whole_message, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_gutter_is_as_wide_as_the_largest_line_number, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_message_without_a_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_label_on_the_same_line_shares_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_label_in_another_file_has_its_place_before_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_empty_span_has_a_caret, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_span_over_lines_is_underlined_to_the_end_of_the_first,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_end_of_a_file_is_after_its_last_character, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_end_of_a_file_without_a_newline, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_end_of_an_empty_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tabs_are_expanded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_and_combining_characters_keep_carets_aligned, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_text_is_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_of_160_columns_is_shown_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_longer_line_is_cut_after_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_longer_line_is_cut_around_the_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_longer_line_is_cut_before_a_place_at_its_end, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_underline_ends_where_the_line_is_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(half_of_a_wide_character_at_a_cut_is_a_space, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(severities_are_sorted_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_beyond_20_are_counted_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(colors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rendering_twice_gives_the_same, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
