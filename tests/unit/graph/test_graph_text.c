/* The textual form of graphs: what is printed, that it reads back as it was, and what cannot be
 * read. */
#include "graph/graph_text.h"

#include "graph/graph_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../session_fixture.h"
#include "example_graph.h"

static const char *print(struct session *session, const struct graph *graph)
{
    struct text text = text_create(session->scratch);
    graph_print(graph, &text);
    return text.bytes;
}

static const struct graph *read(struct session *session, const char *text)
{
    return graph_read(session, "test.graph", text, strlen(text));
}

static const char example_text[] =
    "graph example \"One of everything.\"\n"
    "variable sigma : parameter f32\n"
    "variable y : index i32 0 .. 2147483646\n"
    "variable in.y : extent i32 1 .. 2147483647\n"
    "variable x : index i32 0 .. 2147483646\n"
    "variable in.x : extent i32 1 .. 2147483647\n"
    "variable dx : index i32 0 .. 2147483646\n"
    "variable dx'2 : index i32 0 .. 2\n"
    "parameter sigma = sigma : f32 initial 2.0:f32 least 0.5:f32 greatest 200.0:f32 "
    "\"standard \\\"deviation\\\", pixels\" @3-9\n"
    "\n"
    "stage in : input u8 @10-20 {\n"
    "    axis y = y from 0 extent in.y\n"
    "    axis x = x from 0 extent in.x\n"
    "    position 0\n"
    "}\n"
    "\n"
    "stage k : constant f32 {\n"
    "    axis dx = dx from 0 extent 3\n"
    "    values { 0.25:f32, 0.5:f32, 0.25:f32 }\n"
    "}\n"
    "\n"
    "stage blur : map f32 made @30-44 {\n"
    "    axis y = y from 0 extent in.y computed from 0 extent in.y\n"
    "    axis x = x from 0 extent in.x computed from -1 extent add(in.x, 2)\n"
    "    %1 = reduce(sum fused, [dx from 0 extent 3], k[dx'2], convert(exact, f32, in[y, "
    "add(x, dx'2) reflect from 0 extent in.x]))\n"
    "    binding total = %1\n"
    "    value add(%1, sigma)\n"
    "    schedule freely tile(64, 1024) staged @1-2\n"
    "    schedule freely tile(64, 1024)\n"
    "    detail threads\n"
    "    detail unroll 4 0 @5-9\n"
    "}\n"
    "\n"
    "stage out : map u8 {\n"
    "    axis y = y from 0 extent in.y\n"
    "    axis x = x from 0 extent in.x\n"
    "    value convert(round, u8, blur[y, x])\n"
    "}\n"
    "\n"
    "check equal(remainder(in.x, 2), 0) \"'in.x' is even\" @50-60\n"
    "output result = out\n";

static void prints_everything(void **state)
{
    struct session *session = *state;
    assert_string_equal(print(session, example_graph(session)), example_text);
}

static void reads_what_it_prints(void **state)
{
    struct session *session = *state;
    const struct graph *graph = example_graph(session), *again = read(session, example_text);
    assert_non_null(again);
    assert_null(graph_verify(again, session->scratch, true));
    assert_string_equal(print(session, again), example_text);
    assert_int_equal(again->stages.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct stage *a = graph->stages.item[i], *b = again->stages.item[i];
        assert_ptr_equal(a->name, b->name);
        assert_int_equal(a->rank, b->rank);
        for (unsigned k = 0; k < a->rank; k++)
            assert_memory_equal(&a->axis[k], &b->axis[k], sizeof a->axis[k]);
        if (a->kind == STAGE_MAP)
            assert_ptr_equal(a->value, b->value);
    }
    const struct parameter *a = &graph->parameters.item[0], *b = &again->parameters.item[0];
    assert_ptr_equal(a->variable, b->variable);
    assert_ptr_equal(a->initial, b->initial);
    assert_ptr_equal(a->greatest, b->greatest);
    assert_string_equal(a->text, b->text);
    assert_true(b->span.start == 3 && b->span.end == 9);
    assert_ptr_equal(graph->checks.item[0].condition, again->checks.item[0].condition);
    assert_string_equal(again->checks.item[0].text, "'in.x' is even");
    assert_int_equal(again->outputs.item[0].stage.index, 3);
    const struct schedule *schedule = again->stages.item[2]->schedule;
    assert_true(schedule->staged && !schedule->next->staged && !schedule->next->next);
    assert_int_equal(schedule->tile[1], 1024);
    const struct detail *unroll = stage_says(again->stages.item[2], DETAIL_UNROLL);
    assert_true(unroll && unroll->count == 2 && unroll->value[0] == 4 && unroll->value[1] == 0);
    assert_true(stage_says(again->stages.item[2], DETAIL_THREADS)->count == 0);
    assert_null(stage_says(again->stages.item[2], DETAIL_ORDER));
}

/* In another session nothing is there yet: variables come from the text alone. */
static void reads_into_an_empty_session(void **state)
{
    struct session *session = *state;
    const struct graph *graph = read(session, example_text);
    assert_non_null(graph);
    assert_string_equal(print(session, graph), example_text);
}

static void prints_broken_graphs(void **state)
{
    struct session *session = *state;
    struct graph *graph = example_graph(session);
    struct stage broken = *graph->stages.item[3];
    struct stage_axis *axis = example_axes(session);
    axis[0].extent = NULL;
    broken.kind = STAGE_SCATTER;
    broken.name = graph->stages.item[0]->name;
    broken.id.index = 9;
    broken.axis = axis;
    graph->stages.item[3] = &broken;
    graph->outputs.item[0].stage.index = 77;
    graph->text = NULL;
    const char *text = print(session, graph);
    assert_non_null(strstr(text, "graph example\n"));
    assert_non_null(
        strstr(text, "stage in'2 #9 : scatter u8 {\n    axis y = y from 0 extent none\n"));
    assert_non_null(strstr(text, "output result = #77\n"));
}

static void odd_names_are_quoted(void **state)
{
    struct session *session = *state;
    struct graph *graph = example_graph(session);
    struct stage stage = *graph->stages.item[3];
    stage.name = example_name(session, "a b");
    graph->stages.item[3] = &stage;
    const char *text = print(session, graph);
    assert_non_null(strstr(text, "stage `a b` : map u8"));
    assert_non_null(strstr(text, "output result = `a b`"));
    assert_string_equal(print(session, read(session, text)), text);
}

static void long_lists_of_constants_are_wrapped(void **state)
{
    struct session *session = *state;
    struct graph *graph = example_graph(session);
    struct stage stage = *graph->stages.item[1];
    struct stage_axis axis = stage.axis[0];
    const struct expr *value[1000];
    for (int i = 0; i < 1000; i++)
        value[i] = expr_real(&session->pool, SCALAR_F32, i / 7.0);
    axis.extent = expr_integer(&session->pool, 1000);
    stage.axis = &axis;
    stage.as.constant.value = value;
    stage.as.constant.count = 1000;
    graph->stages.item[1] = &stage;
    const char *text = print(session, graph);
    const char *list = strstr(text, "values {");
    for (const char *line = list; line < strstr(list, "}"); line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") < 120);
    assert_string_equal(print(session, read(session, text)), text);
    assert_null(graph_verify(graph, session->scratch, true));
}

static void empty_texts_and_missing_ones_are_alike(void **state)
{
    struct session *session = *state;
    const struct graph *graph = read(session, "graph g output o = #0");
    assert_string_equal(graph->text, "");
    assert_string_equal(print(session, graph), "graph g\n\noutput o = #0\n");
}

/* The block ```graph of the document, which is found from the top of the repository. */
static void the_example_of_the_document_is_right(void **state)
{
    struct session *session = *state;
    static char document[1 << 16];
    FILE *file = fopen("compiler/graph/GRAPH.md", "rb");
    if (!file)
        skip();
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    const char *start = strstr(document, "```graph\n") + strlen("```graph\n");
    const char *text = arena_text(session->scratch, start, (size_t)(strstr(start, "```") - start));
    const char *printed = print(session, read(session, text));
    assert_null(graph_verify(read(session, text), session->scratch, true));
    assert_string_equal(print(session, read(session, printed)), printed);
}

/* ---- Mistakes ---- */

/* One word of the example is replaced. */
static void expect_mistake(struct session *session, const char *word, const char *replacement,
                           const char *message, const char *place)
{
    const char *at = strstr(example_text, word);
    assert_non_null(at);
    struct text text = text_create(session->scratch);
    text_append(&text, example_text, (size_t)(at - example_text));
    text_append(&text, replacement, strlen(replacement));
    text_append(&text, at + strlen(word), strlen(at + strlen(word)));
    session->diagnostics.list.count = 0;
    assert_null(read(session, text.bytes));
    assert_int_equal(session->diagnostics.list.count, 1);
    const struct diagnostic *d = session->diagnostics.list.item[0];
    assert_string_equal(d->text, message);
    assert_int_equal(d->code, DIAGNOSTIC_E0120);
    const struct source_file *file = source_map_file(&session->sources, d->span.start);
    assert_string_equal(file->name, "test.graph");
    assert_int_equal(strncmp(file->text + (d->span.start - file->start), place, strlen(place)), 0);
}

static void mistakes(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "graph", "program", "expected 'graph', not 'program'", "program");
    expect_mistake(session, "sigma = sigma", "sigma = x",
                   "a variable of the kind 'parameter' is needed here", "x :");
    expect_mistake(session, "sigma = sigma", "sigma = 3",
                   "a variable of the kind 'parameter' is needed here", "3 :");
    expect_mistake(session, "axis y = y", "axis y = in.y",
                   "a variable of the kind 'index' is needed here", "in.y from");
    expect_mistake(session, "extent in.y", "extent none", "'none' is not declared", "none");
    expect_mistake(session, ": input", ": inputs", "expected a kind of stage, not 'inputs'",
                   "inputs");
    expect_mistake(session, "position 0", "position -1",
                   "a number here is not negative, and below 2^32", "-1");
    expect_mistake(session, "u8 @10-20", "u8 fixed 101", "a fraction is -100 .. 100", "101");
    expect_mistake(session, "output result", "estimate 3 = 3",
                   "an estimate is of a variable, and an integer", "3 = 3");
    expect_mistake(session, "map u8 {", "recurrence u8 { along z", "the stage has no such axis",
                   "z");
    expect_mistake(session, "position 0", "", "expected 'position', not '}'", "}");
}

static void more_mistakes(void **state)
{
    struct session *session = *state;
    expect_mistake(session, "value add", "add", "expected 'value', not 'add'", "add(%1");
    expect_mistake(session, "stage out", "stage k", "'k' is declared twice", "k : map");
    expect_mistake(session, "blur[y, x]", "later[y, x]", "there is no 'later' above this place",
                   "later");
    expect_mistake(session, "= out", "= later", "there is no 'later' above this place", "later");
    expect_mistake(session, "tile(64,", "tile(x,", "expected an integer, not 'x'", "x, 1024");
    expect_mistake(session, "\"'in.x' is even\"", "", "expected a text in \"\", not '@50-60'",
                   "@50-60");
    expect_mistake(session, "@30-44", "@30",
                   "this is not a word of the text of graphs and loop "
                   "programs",
                   "@30");
    expect_mistake(session, "output", "outputs", "expected the end of the text, not 'outputs'",
                   "outputs");
}

/* Every text that begins as the example does is either wrong or a graph; also with bytes changed.
 */
static void broken_texts_do_not_crash(void **state)
{
    struct session *session = *state;
    static const char bytes[] = " 0123456789.-@#%'`\"()[]{},:=xyinaebluro";
    uint32_t random = 7;
    for (size_t i = 0; i < 6000; i++) {
        char changed[sizeof example_text];
        memcpy(changed, example_text, sizeof changed);
        size_t length = sizeof changed - 1;
        if (i < length / 2)
            length = 2 * i;
        for (int k = 0; i >= sizeof changed / 2 && k < 2; k++) {
            random = random * 1664525 + 1013904223;
            changed[(random >> 8) % length] = bytes[(random >> 3) % (sizeof bytes - 1)];
        }
        session->diagnostics.list.count = 0;
        const struct graph *graph = graph_read(session, "test.graph", changed, length);
        assert_int_equal(session->diagnostics.list.count, graph ? 0 : 1);
        if (!graph)
            continue;
        const char *text = print(session, graph);
        const struct graph *again = read(session, text);
        if (again) /* a stage may read a later one, which has no name yet */
            assert_string_equal(print(session, again), text);
        graph_verify(graph, session->scratch, true);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(prints_everything),
        TEST(reads_what_it_prints),
        TEST(reads_into_an_empty_session),
        TEST(prints_broken_graphs),
        TEST(odd_names_are_quoted),
        TEST(long_lists_of_constants_are_wrapped),
        TEST(empty_texts_and_missing_ones_are_alike),
        TEST(the_example_of_the_document_is_right),
        TEST(mistakes),
        TEST(more_mistakes),
        TEST(broken_texts_do_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
