/* Faults planted in programs of loops, as a wrong pass would make them: terms refute each, though
 * numbers may agree. */
#include "command/interpret_each.h"
#include "loop/loop_text.h"
#include "pass_manager.h"
#include "target/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../edits.h"
#include "graph_of_text.h"

static const char stencil[] = "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
                              "    s[y, x] = in[y, x] - 0.25 * in[y, x + 1] border zero;\n"
                              "    out[y, x] = s[y, x] / (s[y + 1, x] border clamp);\n"
                              "}\n"
                              "schedule f for c { compute s at root; }\n";
static const char bytes[] =
    "filter f(in : image<u8>[y, x]) -> out : image<u8>[y, x] {\n"
    "    out[y, x] = u8((3 * in[y, x] + (in[y - 1, x] border clamp)) / 2);\n"
    "}\n";
static const char histogram[] = "filter f(in : image<u8>[y, x]) -> h : image<u32>[b] {\n"
                                "    h[b in 0 .. 7] : u32;\n"
                                "    h[in[y, x] / 32] += 1 over y, x;\n"
                                "}\n";
/* The memory of an input has more bits than its type. */
static const char narrow[] = "filter f(in : image<fixed<6, 0>>[y, x]) -> out : image<i32>[y, x] {\n"
                             "    out[y, x] = i32(in[y, x]) * 2;\n"
                             "}\n";
static const char adaptive[] = "filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x] {\n"
                               "    border reflect101;\n"
                               "    const k[i in 0 ..< 3] = {1, 2, 3};\n"
                               "    p = to_apr(in, error = 0.1);\n"
                               "    out = to_pixels(convolve(p, k, [x]) - p);\n"
                               "}\n";

static const struct {
    const char *filter;
    /* Its sentence: a part of the message; NULL: no message, for nothing is edited, or particles
     * are placed by other values. */
    struct edit edit;
} rows[] = {
    {stencil, {"body", "body", NULL}},
    {histogram, {"body", "body", NULL}},
    {narrow, {"body", "body", NULL}},
    {adaptive, {"body", "body", NULL}},
    /* placed by other values, if only some are +0 instead of -0 */
    {adaptive,
     {"p.level.pixels[y, x] = in[y, x]", "p.level.pixels[y, x] = add(in[y, x], 0.0:f32)", NULL}},
    /* the mean of others */
    {adaptive,
     {" p.pixels[y, x] = in[y, x]", " p.pixels[y, x] = add(in[y, x], 0.0:f32)",
      "no values at which the two differ were found"}},
    /* other weights, of which the samples at hand tell nothing */
    {adaptive, {"convolve.form[6] = 0", "convolve.form[6] = 2", "no values"}},
    /* a border dropped */
    {stencil,
     {"select(and(less_equal(0, %1), less_equal(%1, %2)), in[y, min(%1, %2)], 0.0:f32)",
      "in[y, min(%1, %2)]", "sample"}},
    /* operands swapped */
    {stencil,
     {"divide(s[y, x], s[min(add(y, 1), subtract(in.y, 1)), x])",
      "divide(s[min(add(y, 1), subtract(in.y, 1)), x], s[y, x])", "sample"}},
    /* rounded twice, which shows with subnormal numbers alone */
    {stencil,
     {"fma(-0.25:f32, in[y, add(x, 1)], in[y, x])",
      "add(multiply(-0.25:f32, in[y, add(x, 1)]), in[y, x])",
      "no values at which the two differ were found"}},
    /* read before it is stored */
    {stencil, {" s[y, x] = fma", " s[y, max(subtract(x, 1), 0)] = fma", "sample"}},
    /* wrapped instead of limited */
    {bytes, {"convert(round, u8, divide", "convert(wrap, u8, divide", "sample"}},
    /* counted twice */
    {histogram, {", 1)", ", 2)", "sample"}},
    /* numbers outside of the type: memory may hold them, though no image of numbers within did */
    {narrow, {"min(max(in[y, x], -32), 31)", "in[y, x]", "sample"}},
};

static void planted_faults_are_refuted(void **state)
{
    struct session *session = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct graph *graph = graph_for(session, rows[i].filter, "c");
        const struct pass_options options = {.stop_after = "lower_reductions"};
        const struct pass_result result = run_passes(session, graph, target_find("c"), &options);
        struct text text = text_create(session->permanent);
        program_print(result.program, &text);
        const char *wrong =
            edited(session, text.bytes, rows[i].edit.words, rows[i].edit.replacement);
        const struct program *program = program_read(session, "f", wrong, strlen(wrong));
        assert_non_null(program);
        struct interpret_each each;
        interpret_each_start(&each, session, graph, NULL, true);
        interpret_each_after("planted", NULL, program, &each);
        const char *said = each.problem ? each.problem : each.open ? each.open : "nothing";
        const char *wanted = rows[i].edit.sentence ? rows[i].edit.sentence : "nothing";
        if (!strstr(said, wanted))
            fail_msg("'%s' for '%s': %s\nnot: %s", rows[i].edit.replacement, rows[i].edit.words,
                     said, wanted);
        assert_int_equal(each.problem != NULL,
                         rows[i].edit.sentence && !strstr(wanted, "no values"));
        const bool moves = !rows[i].edit.sentence && strcmp(rows[i].edit.words, "body") != 0;
        assert_int_equal(interpret_each_uncovered(&each),
                         each.open || moves ? UNCOVERED_FORM : COVERED);
        interpret_each_end(&each);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(planted_faults_are_refuted, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
