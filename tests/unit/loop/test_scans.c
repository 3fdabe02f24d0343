/* Which loops are running sums. */
#include "loop/scans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"
#include "loop/loop_text.h"
#include "loop/loop_verify.h"

static const char head[] = "program sums\n"
                           "variable in.x : extent i32 1 .. 2147483647\n"
                           "variable x : index i32 0 .. 2147483646\n"
                           "buffer in : input u32 {\n"
                           "    axis x from 0 extent in.x\n"
                           "}\n"
                           "buffer bytes : input u8 {\n"
                           "    axis x from 0 extent in.x\n"
                           "}\n"
                           "buffer signed : input i32 {\n"
                           "    axis x from 0 extent in.x\n"
                           "}\n"
                           "buffer plane : input u32 {\n"
                           "    axis y from 0 extent in.x\n"
                           "    axis x from 0 extent in.x\n"
                           "}\n"
                           "buffer sums : output u32 {\n"
                           "    axis x from -1 extent add(in.x, 1)\n"
                           "}\n"
                           "input in\n"
                           "input bytes\n"
                           "input signed\n"
                           "input plane\n"
                           "output sums\n";

static const struct program *read(struct session *session, const char *loop)
{
    const char *text = arena_format(session->scratch, "%sbody {\n    %s\n}\n", head, loop);
    const struct program *program = program_read(session, "test.loop", text, strlen(text));
    if (!program)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    return program;
}

static bool is_scan(struct session *session, const char *value)
{
    struct scan scan;
    const struct program *program = read(
        session, arena_format(session->scratch,
                              "loop x from 0 extent in.x serial { store sums[x] = %s }", value));
    return scan_of(program, session->scratch, program->body, &scan);
}

static void sums_follow_each_other(void **state)
{
    struct session *session = *state;
    assert_true(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], in[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 2)], in[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[x], in[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(in[subtract(x, 1)], in[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, subtract(sums[subtract(x, 1)], in[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1) clamp from 0 extent "
                                  "in.x], in[x]))"));
    assert_false(is_scan(session, "add(convert(exact, i32, bytes[x]), 1)"));
}

/* Terms lie side by side, in memory of the same type. */
static void terms_lie_in_rows(void **state)
{
    struct session *session = *state;
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], bytes[x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], signed[x]))"));
    assert_true(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], plane[7, x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], plane[x, x]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], in[add(x, 1)]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], "
                                  "in[multiply(2, x)]))"));
    assert_false(is_scan(session, "convert(wrap, u32, add(sums[subtract(x, 1)], sums[x]))"));
}

static void scanned_loops_are_sums(void **state)
{
    struct session *session = *state;
    const char *const sum =
        "loop x from 0 extent in.x scanned { store sums[x] = convert(wrap, u32, "
        "add(sums[subtract(x, 1)], in[x])) }";
    const char *const copy = "loop x from 0 extent in.x scanned { store sums[x] = in[x] }";
    const char *problem = program_verify(read(session, sum), 0, LOWERED_STAGES, session->scratch);
    if (problem)
        fail_msg("%s", problem);
    assert_string_equal(program_verify(read(session, copy), 0, LOWERED_STAGES, session->scratch),
                        "the loop over 'x' is scanned, but is no running sum");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_follow_each_other, open_session, close_session),
        cmocka_unit_test_setup_teardown(terms_lie_in_rows, open_session, close_session),
        cmocka_unit_test_setup_teardown(scanned_loops_are_sums, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
