/* Circuits that are interpreted give what the graph gives; circuits that are wrong are told. */
#include "interpret/interpret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "command/interpret_each.h"

#include "../hardware/circuit_of_text.h"

enum { MOST_IMAGES = 4 };

struct trial {
    struct samples image[MOST_IMAGES], result[MOST_IMAGES];
    struct value parameter[MOST_IMAGES];
};

static void draw(const struct graph *graph, struct trial *trial, uint64_t seed)
{
    *trial = (struct trial){0};
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind != STAGE_INPUT)
            continue;
        struct samples *image = &trial->image[stage->as.input.position];
        image->scalar = stage->element;
        image->rank = stage->rank;
        for (unsigned k = 0; k < stage->rank; k++)
            image->extent[k] = stage->axis[k].extent->as.integer;
        assert_true(samples_allocate(image));
        random_samples(&seed, image);
    }
    for (size_t i = 0; i < graph->parameters.count; i++)
        trial->parameter[i] = random_parameter(&seed, &graph->parameters.item[i]);
}

static void forget(struct trial *trial)
{
    for (unsigned i = 0; i < MOST_IMAGES; i++) {
        samples_free(&trial->image[i]);
        samples_free(&trial->result[i]);
    }
}

static struct interpretation run_of(struct session *session, struct trial *trial)
{
    return (struct interpretation){.session = session,
                                   .inputs = trial->image,
                                   .parameters = trial->parameter,
                                   .outputs = trial->result};
}

static void expect_agreement(struct session *session, const char *text, const char *sizes)
{
    const struct graph *graph = sized_graph(session, text, sizes);
    const struct circuit *circuit = circuit_until(session, graph, NULL);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct trial oracle, trial;
        draw(graph, &oracle, seed);
        draw(graph, &trial, seed);
        struct interpretation of_graph = run_of(session, &oracle);
        struct interpretation of_circuit = run_of(session, &trial);
        assert_true(interpret_graph(graph, &of_graph));
        if (!interpret_circuit(circuit, &of_circuit))
            fail_msg("%s", of_circuit.problem);
        for (size_t i = 0; i < graph->outputs.count; i++) {
            const char *difference =
                samples_difference(session->scratch, &oracle.result[i], &trial.result[i]);
            if (difference)
                fail_msg("%s at %s: %s", text, sizes, difference);
        }
        forget(&oracle);
        forget(&trial);
    }
}

/* Each border rule, at extents that the window just fits in. */
static void windows_of_all_rules(void **state)
{
    static const char *const rule[] = {"clamp", "reflect", "reflect101", "zero", "constant(77)"};
    static const char *const sizes[] = {"y=3,x=4", "y=5,x=9", "y=8,x=7"};
    for (size_t r = 0; r < sizeof rule / sizeof *rule; r++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            expect_agreement(
                *state,
                arena_format(((struct session *)*state)->permanent,
                             "filter f(in : image<u8>[y, x]) -> out : image<i16>[y, x]\n"
                             "{ border %s; out[y, x] = i16(3 * in[y - 2, x + 1] - in[y + 1, x - 3]"
                             " + in[y, x + 2] * 5); }",
                             rule[r]),
                sizes[s]);
}

static void lanes_positions_parameters_and_tables(void **state)
{
    expect_agreement(
        *state,
        "filter f(in : image<u8>[y, x, c], t : image<u8>[y, x], param p : i32 = 3 in -5 .. 10)\n"
        "    -> (out : image<i32>[y, x, c], total : image<u16>[y, x])\n"
        "{\n"
        "    require in.c == 3;\n"
        "    k[i in 0 .. 255] = i * i / 16 - 200;\n"
        "    out[y, x, c] = i32(k[in[y, x, c]] + p * y - x * t[y, x] + c);\n"
        "    total[y, x] = u16(in[y, x, 0] + in[y, x, 1] + in[y, x, 2]);\n"
        "}\n",
        "y=6,x=5,c=3");
}

/* Memory that holds numbers outside the types of inputs: of streams, of a table that is written. */
static void inputs_are_held_inside(void **state)
{
    expect_agreement(*state,
                     "filter f(a : image<ufixed<3, 0>>[x], b : image<fixed<4, 2>>[x],\n"
                     "         k : image<ufixed<4, 0>>[i])\n"
                     "    -> (out : image<fixed<4, 2>>[x], other : image<u8>[x])\n"
                     "{\n"
                     "    w = b;\n"
                     "    repeat 2 { w[x] = w[x - 1] border clamp; }\n"
                     "    out[x] = w[x];\n"
                     "    other[x] = u8(k[i32(a[x])] border clamp);\n"
                     "}\n",
                     "x=9,i=8");
}

/* What a repeat leaves as it was is an input, or one stage under two names. */
static void results_of_repeats_are_other_stages(void **state)
{
    expect_agreement(*state,
                     "filter f(in : image<ufixed<3, 0>>[x]) -> out : image<ufixed<3, 0>>[x]\n"
                     "{ w = in; repeat 2 { w = w; } out = w; }\n",
                     "x=7");
    expect_agreement(
        *state,
        "filter f(in : image<u8>[x]) -> (out : image<u8>[x], other : image<u8>[x])\n"
        "{ w = in; v = in; repeat 1 { t[x] = w[x] ^ v[x - 1] border zero; w = t; v = t; }\n"
        "  out = w; other = v; }\n",
        "x=7");
}

static void half_and_twice(void **state)
{
    static const char *const sizes[] = {"y=4,x=4", "y=5,x=8", "y=6,x=7", "y=9,x=9"};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        expect_agreement(
            *state,
            "filter f(in : image<u8>[y, x]) -> out : image<i16>[y, x]\n"
            "{\n"
            "    down[y in 0 ..< (in.y + 1) / 2, x in 0 ..< (in.x + 1) / 2] =\n"
            "        in[2 * y, 2 * x] + in[2 * y + 1, 2 * x] border clamp;\n"
            "    tall[y in 0 ..< in.y, x] = down[y / 2, x] + down[(y + 1) / 2, x] border clamp;\n"
            "    up[y in 0 ..< in.y, x in 0 ..< in.x] =\n"
            "        tall[y, x / 2] + tall[y, (x + 1) / 2] border clamp;\n"
            "    out[y, x] = i16(4 * in[y, x] - up[y, x]);\n"
            "}\n",
            sizes[s]);
}

/* Results that fill a part of their type, with a sign; in fixed point; behind each other. */
static void recurrences(void **state)
{
    expect_agreement(
        *state,
        "filter f(b : image<u8>[y, x], s : image<i8>[y, x])\n"
        "    -> (out : image<i16>[y, x], down : image<i32>[y, x], slow : image<i16>[y, x])\n"
        "{\n"
        "    first[y, x] : i32 = b[y, x] - (first[y, x - 1] border constant(-7)) / 4;\n"
        "    out[y, x] = i16(first[y, x] - min((out[y, x - 2] border zero), 9));\n"
        "    down[y, x] = s[y, x] - ((down[y - 1, x] border constant(300)) >> 3);\n"
        "    q[y, x] : fixed<13, 3> = s[y, x] - 0.5 * q[y, x - 1] border constant(-2);\n"
        "    slow[y, x] = i16(8 * q[y, x]);\n"
        "}\n",
        "y=4,x=71");
}

static const char sum_of_lines[] =
    "filter f(in : image<u8>[y, x]) -> out : image<u16>[y, x]\n"
    "{ border clamp; out[y, x] = u16(in[y - 1, x] + in[y + 1, x]); }";

static struct process *process_of(struct circuit *circuit, enum process_kind kind)
{
    for (size_t i = 0; i < circuit->processes.count; i++)
        if (circuit->processes.item[i].kind == kind)
            return &circuit->processes.item[i];
    fail();
    return NULL;
}

static void expect_problem(struct session *session, const struct circuit *circuit,
                           const char *problem)
{
    struct trial trial;
    draw(circuit->graph, &trial, 1);
    struct interpretation run = run_of(session, &trial);
    assert_false(interpret_circuit(circuit, &run));
    assert_non_null(strstr(run.problem, problem));
    forget(&trial);
}

static void an_element_outside_its_interval(void **state)
{
    struct session *session = *state;
    struct circuit *circuit =
        circuit_copy(session->ir, circuit_of(session, sum_of_lines, "y=6,x=5"));
    process_of(circuit, PROCESS_PIPE)->out.interval.greatest = 100;
    expect_problem(session, circuit, "pipe 'out' leaves the interval of its stream: ");
}

static void a_result_of_its_own_outside_its_interval(void **state)
{
    struct session *session = *state;
    const char *text = "filter f(in : image<u8>[y, x]) -> out : image<wrap<u8>>[y, x]\n"
                       "{ out[y, x] : wrap<u8> = in[y, x] - out[y, x - 1] border zero; }";
    const struct circuit *circuit = circuit_of(session, text, "y=4,x=9");
    struct circuit *other = circuit_copy(session->ir, circuit);
    struct process *scan = process_of(other, PROCESS_SCAN);
    const struct interval few = {0, 3};
    const struct expr *value =
        expr_binary(&session->pool, EXPR_ADD, circuit_element(&session->pool, PIPE_STATE, 0, few),
                    circuit_element(&session->pool, 0, 0, (struct interval){0, 255}));
    scan->as.pipe.value = &value;
    scan->out.interval.greatest = 1000;
    expect_problem(session, other, "scan 'out' reads a result of its own that leaves its interval");
}

static void a_sample_that_no_rule_gives(void **state)
{
    struct session *session = *state;
    struct circuit *circuit =
        circuit_copy(session->ir, circuit_of(session, sum_of_lines, "y=6,x=5"));
    process_of(circuit, PROCESS_WINDOW)->as.window.rule = BORDER_NONE;
    expect_problem(session, circuit,
                   "pipe 'out' takes a place outside, without a border rule: element 0");
}

static void another_rule_gives_another_image(void **state)
{
    struct session *session = *state;
    const struct graph *graph = sized_graph(session, sum_of_lines, "y=6,x=5");
    struct circuit *circuit = circuit_copy(session->ir, circuit_until(session, graph, NULL));
    process_of(circuit, PROCESS_WINDOW)->as.window.rule = BORDER_REFLECT101;
    struct interpret_each each;
    interpret_each_start(&each, session, graph, NULL, false);
    assert_false(interpret_each_after_circuit("tag_lines", circuit, &each));
    assert_true(interpret_each_end(&each));
    assert_non_null(strstr(each.problem, "pass tag_lines: sample "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(windows_of_all_rules, open_session, close_session),
        cmocka_unit_test_setup_teardown(lanes_positions_parameters_and_tables, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(inputs_are_held_inside, open_session, close_session),
        cmocka_unit_test_setup_teardown(results_of_repeats_are_other_stages, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(half_and_twice, open_session, close_session),
        cmocka_unit_test_setup_teardown(recurrences, open_session, close_session),
        cmocka_unit_test_setup_teardown(a_result_of_its_own_outside_its_interval, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(an_element_outside_its_interval, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(a_sample_that_no_rule_gives, open_session, close_session),
        cmocka_unit_test_setup_teardown(another_rule_gives_another_image, open_session,
                                        close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
