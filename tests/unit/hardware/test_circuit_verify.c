/* Every rule of circuits, broken once. */
#include "hardware/circuit_verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../edits.h"
#include "circuit_of_text.h"

/* Processes of the example, whose edges may be written. */
enum { IN, COLUMN, SUM, WINDOW, OUT, SINK, LOW, TALL, WIDE, UP, UP_SINK, COUNT };

struct broken {
    struct session *session;
    struct circuit *circuit;
    struct process *at; /* by the numbers above */
    struct edge edge[COUNT];
};

static const char example[] =
    "circuit f\n"
    "table k of 7 .. 9 { 7, 8, 9 }\n"
    "process in : source { stream 4 x 6 of 0 .. 2 position 0 of u8 every 6, 1 lanes 0 }\n"
    "process column : window {\n"
    "    wire in stream 4 x 6 taps 3 of 0 .. 2 along lines taps 3 before 1 clamp }\n"
    "process sum : pipe {\n"
    "    wire column stream 4 x 6 of 0 .. 4 value add(column[0], column[2]) }\n"
    "process window : window {\n"
    "    wire sum stream 4 x 3 taps 2 of 0 .. 4 along tokens taps 2 before 1 stride 2 clamp }\n"
    "process out : pipe { wire window stream 4 x 3 of 7 .. 9 value k[divide(window[1], 2)] }\n"
    "process out.out : sink {\n"
    "    wire out stream 4 x 3 of 7 .. 9 position 0 of u8 every 3, 1 lanes 0 }\n"
    "process low : window {\n"
    "    wire in stream 2 x 6 of 0 .. 2 along lines taps 1 before 0 stride 2 inside }\n"
    "process tall : twice { wire low stream 4 x 6 taps 2 of 0 .. 2 along lines }\n"
    "process wide : twice { wire tall stream 4 x 12 taps 2 lanes 2 of 0 .. 2 along tokens }\n"
    "process up : pipe { wire wide stream 4 x 12 of 0 .. 4 value add(wide[0], wide[3]) }\n"
    "process up.out : sink {\n"
    "    wire up stream 4 x 12 of 0 .. 4 position 1 of u8 every 12, 1 lanes 0 }\n";

static int make_circuit(void **state)
{
    struct session *session = session_create(NULL);
    struct broken *b = ARENA_NEW(session->ir, struct broken);
    struct graph *graph = ARENA_NEW(session->ir, struct graph);
    graph->name = symbol_from(&session->symbols, "f");
    b->session = session;
    const struct circuit *read =
        circuit_read(session, graph, "test.circuit", example, strlen(example));
    assert_non_null(read);
    b->circuit = circuit_copy(session->ir, read);
    b->at = b->circuit->processes.item;
    assert_int_equal(b->circuit->processes.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        if (b->at[i].edge_count)
            b->edge[i] = b->at[i].edge[0];
        b->at[i].edge = &b->edge[i];
    }
    *state = b;
    return 0;
}

static int drop_circuit(void **state)
{
    struct broken *b = *state;
    session_destroy(b->session);
    return 0;
}

static void expect(struct broken *b, const char *sentence)
{
    const char *problem = circuit_verify(b->circuit, b->session->scratch);
    if (!sentence && problem)
        fail_msg("%s", problem);
    if (sentence) {
        assert_non_null(problem);
        assert_string_equal(problem, sentence);
    }
}

/* Sets a field, expects the sentence, and sets it back. */
#define WITH(b, field, value, sentence)                                                            \
    do {                                                                                           \
        const __typeof__(field) right = (field);                                                   \
        (field) = (value);                                                                         \
        expect(b, sentence);                                                                       \
        (field) = right;                                                                           \
        expect(b, NULL);                                                                           \
    } while (0)

static void the_example_is_right(void **state)
{
    expect(*state, NULL);
}

static void edges(void **state)
{
    struct broken *b = *state;
    WITH(b, b->at[SUM].edge_count, 0, "pipe 'sum' has 0 edges");
    WITH(b, b->at[IN].edge_count, 1, "source 'in' has 1 edges");
    WITH(b, b->edge[SUM].from, SUM, "'sum' takes what process 2 gives, which is not before it");
    WITH(b, b->edge[LOW].from, SINK, "'low' takes what a sink gives");
    WITH(b, b->edge[OUT].kind, EDGE_FIFO, "'out' has a FIFO of 0 tokens");
    WITH(b, b->edge[SINK].from, UP, "'out.out' takes what process 9 gives, which is not before it");
}

static void names_and_readers(void **state)
{
    struct broken *b = *state;
    WITH(b, b->at[SUM].name, b->at[IN].name, "two processes are called 'in'");
    WITH(b, b->edge[UP_SINK].from, WIDE, "sink 'up.out' is of another stream than it takes");
    b->circuit->processes.count = UP_SINK;
    expect(b, "nothing takes what 'up' gives");
}

static void streams(void **state)
{
    struct broken *b = *state;
    WITH(b, b->at[IN].out.lines, 0, "the stream of 'in' has no tokens or elements");
    WITH(b, b->at[IN].out.interval.least, 3, "the stream of 'in' has no tokens or elements");
    WITH(b, b->at[SINK].out.tokens, 4, "sink 'out.out' is of another stream than it takes");
    WITH(b, b->at[COLUMN].kind, PROCESS_KIND_COUNT, "process 'column' is of no kind");
}

static const struct expr *element(struct broken *b, unsigned edge, unsigned k,
                                  struct interval interval)
{
    return circuit_element(&b->session->pool, edge, k, interval);
}

static void pipes(void **state)
{
    struct broken *b = *state;
    struct expr_pool *pool = &b->session->pool;
    const struct interval bits = {0, 2};
    const struct expr *value = b->at[SUM].as.pipe.value[0];
    b->at[SUM].as.pipe.value = &value;
    WITH(b, b->at[SUM].as.pipe.count, 0, "pipe 'sum' has 0 values for 1 elements");
    WITH(b, b->at[SUM].out.lines, 5, "pipe 'sum' takes streams of other extents");
    WITH(b, b->at[SUM].out.interval.greatest, 3, "the stream of 'sum' does not hold its values");
    WITH(b, value, element(b, 1, 0, bits), "pipe 'sum' reads edge 1, which is not there");
    WITH(b, value, element(b, 0, 3, bits), "pipe 'sum' reads an element that 'column' has not");
    WITH(b, value, element(b, 0, 0, (struct interval){0, 1}),
         "pipe 'sum' reads 'column' in another interval than its own");
    const struct expr *zero = expr_integer(pool, 0);
    WITH(b, value, expr_load(pool, PIPE_TABLES + 1, SCALAR_U8, bits, 1, &zero, NULL),
         "pipe 'sum' reads table 1, which is not there");
    WITH(b, value, expr_load(pool, PIPE_TABLES, SCALAR_U8, bits, 1, &zero, NULL),
         "pipe 'sum' reads table 'k' in another interval than its own");
    const struct expr *const two[] = {zero, zero};
    WITH(b, value, expr_load(pool, 0, SCALAR_U8, bits, 2, two, NULL),
         "pipe 'sum' has a load with a border or several indices");
    WITH(b, value, expr_real(pool, SCALAR_F32, 1), "pipe 'sum' has the operation real of f32");
    const struct expr_range range = {symbol_from(&b->session->symbols, "i"), 0, 2};
    const struct expr *term =
        expr_variable(pool, VARIABLE_INDEX, range.variable, SCALAR_I32, (struct interval){0, 1});
    WITH(b, value, expr_reduce(pool, REDUCTION_SUM, false, false, 1, &range, &term),
         "pipe 'sum' has the operation reduce of i32");
}

/* The stream of the example's sum is 0 .. 4. */
static void own_results(void **state)
{
    struct broken *b = *state;
    const struct expr *value = element(b, PIPE_STATE, 0, (struct interval){0, 4});
    b->at[SUM].as.pipe.value = &value;
    expect(b, "'sum' reads results of its own that it does not keep");
    b->at[SUM].kind = PROCESS_SCAN;
    b->at[SUM].as.pipe.state.taps = 1;
    expect(b, NULL);
    WITH(b, value, element(b, PIPE_STATE, 1, (struct interval){0, 4}),
         "'sum' reads results of its own that it does not keep");
    WITH(b, value, element(b, PIPE_STATE, 0, (struct interval){0, 5}),
         "'sum' reads results of its own in a wider interval than its stream's");
    WITH(b, value, element(b, PIPE_STATE, 0, (struct interval){-1, 4}),
         "'sum' reads results of its own in a wider interval than its stream's");
    value = element(b, PIPE_STATE, 0, (struct interval){1, 3});
    expect(b, NULL);
}

static void windows(void **state)
{
    struct broken *b = *state;
    struct process *column = &b->at[COLUMN], *window = &b->at[WINDOW];
    WITH(b, column->as.window.before, 3, "window 'column' has 3 taps, 3 before, at a stride of 1");
    WITH(b, window->as.window.stride, 3, "window 'window' has 2 taps, 1 before, at a stride of 3");
    WITH(b, window->as.window.stride, 4, "window 'window' is larger than what it reads");
    WITH(b, b->at[IN].out.lines, 1, "window 'column' is larger than what it reads");
    WITH(b, column->out.taps, 2, "the stream of 'column' is not that of its window");
    WITH(b, column->out.tokens, 5, "the stream of 'column' is not that of its window");
    WITH(b, column->out.interval.greatest, 1, "the stream of 'column' is not that of its window");
    WITH(b, window->out.lines, 3, "the stream of 'window' is not that of its window");
}

static void samples_twice(void **state)
{
    struct broken *b = *state;
    WITH(b, b->at[TALL].out.lines, 5, "the stream of 'tall' is not twice what it reads");
    WITH(b, b->at[TALL].out.lines, 2, "the stream of 'tall' is not twice what it reads");
    WITH(b, b->at[TALL].out.taps, 3, "the stream of 'tall' is not twice what it reads");
    WITH(b, b->at[WIDE].out.lanes, 1, "the stream of 'wide' is not twice what it reads");
    WITH(b, b->at[WIDE].out.lines, 3, "the stream of 'wide' is not twice what it reads");
}

static const char *verify(struct session *session, const char *text)
{
    static const char filter[] =
        "filter f(in : image<u8>[y, x], lut : image<u8>[v]) -> out : image<u8>[y, x]"
        "{ out[y, x] = lut[i32(in[y, x])] border clamp; }";
    const struct graph *graph = sized_graph(session, filter, "y=8,x=9,v=16");
    const struct circuit *circuit =
        circuit_read(session, graph, "test.circuit", text, strlen(text));
    if (!circuit)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    return circuit_verify(circuit, session->scratch);
}

static void counts_tables_and_pixels(void **state)
{
    static const char text[] =
        "circuit f\n"
        "table lut of 0 .. 255 samples 16 of image 1\n"
        "process in : source { stream 8 x 9 of 0 .. 8 position 0 of u8 every 9, 1 lanes 0 }\n"
        "process steps : pipe { wire in stream 8 x 9 lanes 2 of 0 .. 8 value in[0] value true }\n"
        "process counts : count { wire steps stream 1 x 9 of 0 .. 127 bins 9 start 0\n"
        "    step remainder(add(counts[0], 1), 128) }\n"
        "process counts.out : sink {\n"
        "    wire counts stream 1 x 9 of 0 .. 127 position 0 of u32 every 0, 1 lanes 0 }\n"
        "process row : window {\n"
        "    wire in stream 8 x 9 taps 3 of 0 .. 8 along tokens taps 3 before 1 clamp }\n"
        "process row.out : sink {\n"
        "    wire row stream 8 x 9 taps 3 of 0 .. 8 position 1 of u8 every 9, 1 lanes 0, 1, 2 }\n";
    static const struct edit edits[] = {
        {"circuit", "circuit", NULL},
        {"samples 16", "samples 15", "table 'lut' has 15 samples, its image 16"},
        {"counts[0]", "counts[1]", "count 'counts' reads another number than the one at hand"},
        {"bins 9", "bins 8", "the streams of count 'counts' are not those of its numbers"},
        {"128)", "129)", "the numbers of count 'counts' leave their interval"},
        {"tokens taps 3 before 1", "lines taps 3 before 1 pixels 2",
         "window 'row' has 2 samples a token"},
    };
    expect_edits(*state, text, sizeof edits / sizeof *edits, edits, verify);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_example_is_right, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(edges, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(names_and_readers, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(streams, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(pipes, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(own_results, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(windows, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(samples_twice, make_circuit, drop_circuit),
        cmocka_unit_test_setup_teardown(counts_tables_and_pixels, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
