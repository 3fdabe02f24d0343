/* Calls of C functions: what the oracle calls, after every pass too; functions that are not
 * there. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"
#include "pass_manager.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../externals/table.h"
#include "graph_of_text.h"

enum { COUNT = 6 };

#define DECLARED                                                                                   \
    "extern fn c_gain(f32, i32) -> f32 from \"functions.h\";\n"                                    \
    "extern fn c_mix(f64, bool, i64) -> f64 from \"functions.h\";\n"                               \
    "extern fn c_least(i16, i16, bool) -> i16 from \"functions.h\";\n"

static float input_at(int i)
{
    return 0.3f * (float)(i + 1);
}

static const struct graph *trusted_graph(struct session *session, const char *text)
{
    return graph_of(session, text);
}

/* Either the graph or the program. NULL, or the problem. */
static const char *run(struct session *session, const struct graph *graph,
                       const struct program *program, const struct external_functions *functions,
                       struct samples *output)
{
    float data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = input_at(i);
    const struct samples input = {
        .scalar = SCALAR_F32, .rank = 1, .extent = {COUNT}, .data = (unsigned char *)data};
    struct interpretation run = {
        .session = session, .inputs = &input, .outputs = output, .externals = functions};
    const bool ran = program ? interpret_program(program, &run) : interpret_graph(graph, &run);
    assert_int_equal(ran, run.problem == NULL);
    return run.problem ? arena_text(session->permanent, run.problem, strlen(run.problem)) : NULL;
}

static const char mapped[] = DECLARED "filter f(in : image<f32>[x]) -> out : image<f32>[x]\n"
                                      "{ a[x] = c_gain(in[x], 3); out[x] = a[x] * c_gain(0.5, x) + "
                                      "c_least(2, x % 100, in[x] > 1); }\n";

static float mapped_at(int i)
{
    const float least = (float)c_least(2, (int16_t)i, input_at(i) > 1);
    return fmaf(c_gain(input_at(i), 3), c_gain(0.5f, i), least);
}

static void expect_mapped(struct samples *output)
{
    for (int64_t i = 0; i < COUNT; i++)
        assert_true(samples_read(output, &i).f32 == mapped_at((int)i));
    samples_free(output);
}

static void functions_are_called(void **state)
{
    struct samples output = {.rank = 0};
    const struct graph *graph = trusted_graph(*state, mapped);
    assert_null(run(*state, graph, NULL, &test_functions, &output));
    expect_mapped(&output);
}

static void loop_programs_call_them_too(void **state)
{
    struct session *session = *state;
    struct samples output = {.rank = 0};
    const struct graph *graph = trusted_graph(session, mapped);
    const struct pass_options options = {.verify_each = true};
    const struct pass_result result = run_passes(session, graph, target_find("c"), &options);
    assert_null(result.problem);
    assert_null(run(session, NULL, result.program, &test_functions, &output));
    expect_mapped(&output);
}

/* Nothing is folded, not even where all arguments are constants. */
static void a_function_that_is_missing_is_a_problem(void **state)
{
    struct session *session = *state;
    struct samples output = {.rank = 0};
    const struct graph *graph =
        trusted_graph(session, DECLARED "filter f(in : image<f32>[x]) -> out : image<f32>[x]\n"
                                        "{ table t[i in 0 .. 3] = c_gain(i, 2);\n"
                                        "  out[x] = in[x] + t[1] + c_gain(2, 3); }\n");
    const struct pass_result result =
        run_passes(session, graph, target_find("c"), &(struct pass_options){.verify_each = true});
    const char *problem = "there is no C function 'c_gain' to call";
    assert_string_equal(run(session, graph, NULL, NULL, &output), problem);
    assert_string_equal(run(session, NULL, result.program, NULL, &output), problem);
}

/* They take and give what they have, whatever is around them. */
static void they_keep_their_types_in_a_wide_program(void **state)
{
    struct session *session = *state;
    struct samples output = {.rank = 0};
    const struct graph *graph =
        trusted_graph(session, DECLARED "filter f(in : image<f32>[x]) -> out : image<f32>[x]\n"
                                        "{ out[x] = f32(c_mix(in[x] / 3, in[x] > 1, x)); }\n");
    const struct graph *wide = widen_graph(session->ir, &session->pool, graph, SCALAR_EXTENDED);
    assert_null(run(session, wide, NULL, &test_functions, &output));
    for (int64_t i = 0; i < COUNT; i++) {
        const long double third = (long double)input_at((int)i) / 3.0L;
        const double expected = c_mix((double)third, input_at((int)i) > 1, i);
        assert_true(samples_read(&output, &i).extended == (long double)expected);
    }
    samples_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
        TEST(functions_are_called),
        TEST(loop_programs_call_them_too),
        TEST(a_function_that_is_missing_is_a_problem),
        TEST(they_keep_their_types_in_a_wide_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
