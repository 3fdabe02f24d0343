/* The textual form of circuits: what is printed reads back as it was, and what cannot be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "circuit_of_text.h"

static const struct circuit *read(struct session *session, const struct circuit *circuit,
                                  const char *text)
{
    return circuit_read(session, circuit->graph, "test.circuit", text, strlen(text));
}

/* After each pass over circuits: the text, what is read, and that place_registers finds the same
 * registers again. */
static void round_trip(struct session *session, const char *program, const char *sizes)
{
    const struct graph *graph = sized_graph(session, program, sizes);
    const struct target *target = target_find("verilog");
    struct pass_context context = {.session = session,
                                   .output = session->ir,
                                   .scratch = session->scratch,
                                   .pool = &session->pool,
                                   .target = target};
    for (const struct pass_info *pass = pass_list; pass->name; pass++) {
        if (strcmp(pass->to, "CIRCUIT") != 0)
            continue;
        const struct circuit *circuit = circuit_until(session, graph, pass->name);
        const char *text = circuit_text(session, circuit);
        const struct circuit *again = read(session, circuit, text);
        assert_non_null(again);
        assert_null(circuit_verify(again, session->scratch));
        assert_string_equal(circuit_text(session, again), text);
        again = place_registers(again, &context);
        for (size_t i = 0; i < circuit->processes.count; i++) {
            const struct process *a = &circuit->processes.item[i];
            const struct process *b = &again->processes.item[i];
            if (a->kind != PROCESS_PIPE)
                continue;
            assert_memory_equal(a->as.pipe.value, b->as.pipe.value,
                                a->as.pipe.count * sizeof *a->as.pipe.value);
            if (!a->as.pipe.node)
                continue;
            assert_int_equal(a->latency, b->latency);
            assert_int_equal(a->as.pipe.node_count, b->as.pipe.node_count);
            assert_memory_equal(a->as.pipe.clock, b->as.pipe.clock,
                                a->as.pipe.node_count * sizeof *a->as.pipe.clock);
        }
    }
}

static void reads_what_it_prints(void **state)
{
    glob_t found;
    assert_int_equal(glob("tests/circuit/*.flt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char text[4096] = "", sizes[128] = "";
        FILE *file = fopen(found.gl_pathv[i], "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        assert_int_equal(sscanf(text, "// SIZES: %127s", sizes), 1);
        struct session *session = session_create(NULL);
        round_trip(session, text, sizes);
        session_destroy(session);
    }
    globfree(&found);
    (void)state;
}

static const char with_table[] =
    "filter f(in : image<u8>[y, x], param t : i32 = 3 in 0 .. 10) -> out : image<i16>[y, x]\n"
    "{\n"
    "    k[i in 0 .. 255] = i * i / 16 - 200;\n"
    "    out[y, x] = i16(k[in[y, x]] + t * y - in[y, x - 1] border constant(9));\n"
    "}\n";

static void reads_tables_positions_and_parameters(void **state)
{
    round_trip(*state, with_table, "y=9,x=7");
}

/* In another session there is nothing but the graph's name and the text. */
static void reads_into_an_empty_session(void **state)
{
    const struct circuit *circuit = circuit_of(*state, with_table, "y=9,x=7");
    const char *text = circuit_text(*state, circuit);
    struct session *other = session_create(NULL);
    struct graph graph = {.name = symbol_from(&other->symbols, circuit->graph->name->text)};
    const struct circuit *again = circuit_read(other, &graph, "test.circuit", text, strlen(text));
    assert_non_null(again);
    assert_string_equal(circuit_text(other, again), text);
    session_destroy(other);
}

/* Two edges that bring the same stream are told apart. */
static void tells_edges_of_one_stream_apart(void **state)
{
    static const char text[] = "circuit f\n"
                               "\n"
                               "process in : source {\n"
                               "    stream 2 x 3 of 0 .. 9\n"
                               "    position 0 of u8 every 3, 1 lanes 0\n"
                               "}\n"
                               "\n"
                               "process p : pipe {\n"
                               "    slice in\n"
                               "    fifo in depth 4 in lut\n"
                               "    stream 2 x 3 of -9 .. 9 tagged\n"
                               "    value subtract(in'2[0], in[0])\n"
                               "}\n";
    struct session *session = *state;
    struct graph graph = {.name = symbol_from(&session->symbols, "f")};
    const struct circuit *circuit =
        circuit_read(session, &graph, "test.circuit", text, strlen(text));
    assert_non_null(circuit);
    const struct expr *value = circuit->processes.item[1].as.pipe.value[0];
    assert_int_equal(value->operand[0]->as.load.source, 1);
    assert_int_equal(value->operand[1]->as.load.source, 0);
    assert_int_equal(circuit->processes.item[1].edge[1].memory, MEMORY_LUT);
    assert_string_equal(circuit_text(session, circuit), text);
}

#define FOUR(text) text text text text

static void refuses_wrong_texts(void **state)
{
    static const char port[] = "position 0 of u8 every 3, 1 lanes 0";
    static const struct {
        const char *before, *after, *message, *place; /* the text of `before` becomes `after` */
    } wrong[] = {
        {"circuit f", "graph f", "expected 'circuit', not 'graph'", "graph"},
        {"circuit f", "circuit g", "the graph of this circuit is 'f'", "g"},
        {": source", ": well", "expected a kind of process, not 'well'", "well"},
        {"wire in", "wire it", "there is no 'it' above this place", "it"},
        {"wire in", "cable in", "expected 'stream', not 'cable'", "cable"},
        {"fifo in.window depth 5", "fifo in.window depth 0", "a number here is 1 to 4294967295",
         "0"},
        {"depth 5 in block", "depth 5 in mud", "expected a memory, not 'mud'", "mud"},
        {"of 0 .. 255", "of 255 .. 0", "an interval begins with its least number", "255"},
        {"2 x 3", "2 x 0", "a number here is 1 to 4294967295", "0"},
        {port, "position 0 of u8 every 3, 1 lanes 0, 1", "its tokens have 1 elements, not 2",
         "lanes"},
        {port, "position -1 of u8 every 3, 1 lanes 0", "a number here is 0 to 4294967295", "-1"},
        {port, "position 0 of u9 every 3, 1 lanes 0", "expected a type, not 'u9'", "u9"},
        {"along tokens", "along columns", "expected lines or tokens, not 'columns'", "columns"},
        {"before 1 clamp", "before 1 damp", "expected a border rule, not 'damp'", "damp"},
        {"taps 3 before", "taps 0 before", "a number here is 1 to 65536", "0"},
        {"latency 1", "latency 0", "a number here is 1 to 1048576", "0"},
        {"in.window[2]", "in.row[2]", "there is no 'in.row' above this place", "in.row"},
        {"k[in.window[0]]", "k[in.window[0]", "expected ']', not '}'", "}"},
        {"{ 7, 8, 9 }", "{ 7, 8, 10 }", "sample 2 of the table leaves its interval", "7"},
        {"interval 6", "interval 0", "a number here is 1 to 9223372036854775807", "0"},
        {"fifo", FOUR(FOUR(FOUR(FOUR("wire in ")))) "fifo", "a process has 255 edges at most",
         "wire"},
        {"interval 6\n", "interval 6\nmore\n", "expected the end of the text, not 'more'", "more"},
    };
    static const char right[] = "circuit f\n"
                                "table k of 7 .. 9 { 7, 8, 9 }\n"
                                "process in : source {\n"
                                "    stream 2 x 3 of 0 .. 255\n"
                                "    position 0 of u8 every 3, 1 lanes 0\n"
                                "}\n"
                                "process in.window : window {\n"
                                "    wire in\n"
                                "    stream 2 x 3 taps 3 of 0 .. 255\n"
                                "    latency 1\n"
                                "    along tokens taps 3 before 1 clamp\n"
                                "}\n"
                                "process p : pipe {\n"
                                "    fifo in.window depth 5 in block\n"
                                "    stream 2 x 3 lanes 2 of 0 .. 255\n"
                                "    value in.window[2]\n"
                                "    value k[in.window[0]]\n"
                                "}\n"
                                "first 4 last 9 interval 6\n";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct session *session = session_create(NULL);
        struct graph graph = {.name = symbol_from(&session->symbols, "f")};
        const char *at = strstr(right, wrong[i].before);
        assert_non_null(at);
        const char *text = arena_format(session->permanent, "%.*s%s%s", (int)(at - right), right,
                                        wrong[i].after, at + strlen(wrong[i].before));
        assert_null(circuit_read(session, &graph, "test.circuit", text, strlen(text)));
        assert_int_equal(session->diagnostics.error_count, 1);
        const struct diagnostic *d = session->diagnostics.list.item[0];
        if (!strstr(d->text, wrong[i].message))
            fail_msg("%s\nis not: %s", d->text, wrong[i].message);
        const struct source_file *file = source_map_file(&session->sources, d->span.start);
        const char *place = file->text + (d->span.start - file->start);
        if (strncmp(place, wrong[i].place, strlen(wrong[i].place)) != 0)
            fail_msg("%s: reported at '%.12s'", wrong[i].message, place);
        session_destroy(session);
    }
    struct session *session = *state;
    struct graph graph = {.name = symbol_from(&session->symbols, "f")};
    assert_non_null(circuit_read(session, &graph, "test.circuit", right, strlen(right)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_prints),
        cmocka_unit_test_setup_teardown(reads_tables_positions_and_parameters, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(reads_into_an_empty_session, open_session, close_session),
        cmocka_unit_test_setup_teardown(tells_edges_of_one_stream_apart, open_session,
                                        close_session),
        cmocka_unit_test_setup_teardown(refuses_wrong_texts, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
