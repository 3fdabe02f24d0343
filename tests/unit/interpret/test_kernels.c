/* Kernels of blocks of threads by their definition: what is live is one block, however many a grid
 * has. */
#include "interpret/interpret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "../session_fixture.h"
#include "loop/loop_text.h"
#include "loop/loop_verify.h"

/* A block of 64 threads turns a part of the row around, twice; each thread has a register. */
static const char turns[] =
    "program turns\n"
    "variable in.x : extent i32 1 .. 2147483647\n"
    "variable part : index i32 0 .. 33554431\n"
    "variable t : index i32 0 .. 63\n"
    "buffer in : input u8 {\n    axis x from 0 extent in.x\n}\n"
    "buffer out : output u8 {\n    axis x from 0 extent in.x\n}\n"
    "buffer near : shared u8 {\n    axis t from 0 extent 64\n}\n"
    "buffer own : register u8 {\n}\n"
    "input in\noutput out\n"
    "body {\n    kernel turns {\n"
    "        loop part from 0 extent divide(in.x, 64) grid_x {\n"
    "            allocate near\n"
    "            loop t from 0 extent 64 block_x {\n"
    "                allocate own\n"
    "                store near[t] = in[add(multiply(part, 64), t)]\n"
    "                barrier\n"
    "                store own[] = near[subtract(63, t)]\n"
    "                barrier\n"
    "                store near[t] = own[]\n"
    "                barrier\n"
    "                store out[add(multiply(part, 64), t)] = near[subtract(63, t)]\n"
    "            }\n        }\n    }\n}\n";

static size_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

static void many_blocks_need_the_memory_of_one(void **state)
{
    struct session *session = *state;
    enum { BLOCKS = 2000, THREADS = 64, MOST_BYTES = 64 << 20 };
    const struct program *program = program_read(session, "test.loop", turns, strlen(turns));
    if (!program)
        fail_msg("%s", session->diagnostics.list.item[0]->text);
    struct samples in = {.scalar = SCALAR_U8, .rank = 1, .extent = {BLOCKS * THREADS}}, out = {0};
    assert_true(samples_allocate(&in));
    for (int i = 0; i < BLOCKS * THREADS; i++)
        in.data[i] = (unsigned char)(i * 7 + i / 251);
    struct interpretation run = {.session = session, .inputs = &in, .outputs = &out};
    const size_t before = peak_bytes();
    if (!interpret_program(program, &run))
        fail_msg("%s", run.problem);
    assert_in_range(peak_bytes() - before, 0, MOST_BYTES);
    assert_memory_equal(in.data, out.data, BLOCKS * THREADS);
    samples_free(&in);
    samples_free(&out);
}

/* Eight samples, four at a time, from the place `begin` of a row on. */
static const char accesses[] = "program accesses\n"
                               "variable in.x : extent i32 1 .. 2147483647\n"
                               "variable k : index i32 0 .. 3\n"
                               "buffer in : input u8 {\n    axis x from 0 extent in.x\n}\n"
                               "buffer out : output u8 {\n    axis x from 0 extent in.x\n}\n"
                               "buffer near : register u8 {\n    axis k from 0 extent 4\n}\n"
                               "input in\noutput out\n"
                               "body {\n    kernel accesses {\n"
                               "        allocate near\n"
                               "        store beside 4 near[0] = in[%d]\n"
                               "        store beside 4 out[%d] = near[0]\n"
                               "    }\n}\n";

static void accesses_begin_at_multiples(void **state)
{
    struct session *session = *state;
    static const struct {
        int from, to;
        const char *problem;
    } rows[] = {
        {4, 0, NULL},
        {0, 4, NULL},
        {2, 0, "fault: 4 samples of 'near' begin inside of an access"},
        {0, 1, "fault: 4 samples of 'out' begin inside of an access"},
        {8, 0, "fault: 'in' is read outside its memory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        snprintf(text, sizeof text, accesses, rows[i].from, rows[i].to);
        const struct program *program = program_read(session, "test.loop", text, strlen(text));
        if (!program)
            fail_msg("%s", session->diagnostics.list.item[0]->text);
        struct samples in = {.scalar = SCALAR_U8, .rank = 1, .extent = {8}}, out = {0};
        assert_true(samples_allocate(&in));
        for (int k = 0; k < 8; k++)
            in.data[k] = (unsigned char)(k + 1);
        struct interpretation run = {.session = session, .inputs = &in, .outputs = &out};
        const bool runs = interpret_program(program, &run);
        assert_int_equal(runs, rows[i].problem == NULL);
        if (runs)
            assert_memory_equal(in.data + rows[i].from, out.data + rows[i].to, 4);
        else
            assert_string_equal(run.problem, rows[i].problem);
        samples_free(&in);
        samples_free(&out);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {TEST(many_blocks_need_the_memory_of_one),
                                       TEST(accesses_begin_at_multiples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
