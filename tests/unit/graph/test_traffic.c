/* Samples that realisations of a recursive filter move between memory and the caches they are made
 * for: what Nehab, Maximo, Lima and Hoppe (GPU-Efficient Recursive Filtering and Summed-Area
 * Tables, 2011, table 1) count for blocks of b x b and order r. States are f64 here, of images of
 * f32, so what the paper counts of them counts twice. A few rows and columns are left behind the
 * blocks. */
#include "graph/readers.h"
#include "graph/placement/traffic.h"
#include "pass_manager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../interpret/graph_of_text.h"

enum { BLOCKS = 63, LEFT = 8, MOST_TEXT = 2048 };

static const char *const columns_first =
    "    estimate in.y = %d;\n    estimate in.x = %d;\n"
    "    down[y, x] = in[y, x] + a * down[y - 1, x] border zero;\n"
    "    up[y, x] = down[y, x] + a * up[y + 1, x] border zero;\n"
    "    right[y, x] = up[y, x] + a * right[y, x - 1] border zero;\n"
    "    out[y, x] = right[y, x] + a * out[y, x + 1] border zero;\n";

static const char *const rows_first =
    "    estimate in.y = %d;\n    estimate in.x = %d;\n"
    "    right[y, x] = in[y, x] + a * right[y, x - 1] border zero;\n"
    "    left[y, x] = right[y, x] + a * left[y, x + 1] border zero;\n"
    "    down[y, x] = left[y, x] + a * down[y - 1, x] border zero;\n"
    "    out[y, x] = down[y, x] + a * out[y + 1, x] border zero;\n";

static const char *const sums = "    estimate in.y = %d;\n    estimate in.x = %d;\n"
                                "    right[y, x] = in[y, x] + right[y, x - 1] border zero;\n"
                                "    out[y, x] = right[y, x] + out[y - 1, x] border zero;\n";

/* Samples of the result that are moved for one of it. */
static double moved_by(struct session *session, const char *text)
{
    const struct graph *graph = graph_of(session, text);
    const struct pass_result result =
        run_passes(session, graph, target_find("c"),
                   &(struct pass_options){.verify_each = true, .stop_after = "fuse_stages"});
    if (result.problem)
        fail_msg("%s", result.problem);
    bool told;
    const struct stage *out = graph_stage(result.graph, result.graph->outputs.item[0].stage);
    const struct traffic traffic = traffic_of_all(
        result.graph,
        traffic_of_kernels(result.graph, graph_readers(result.graph, session->scratch),
                           &session->pool, session->scratch),
        out, &told);
    assert_true(told);
    return (traffic.read + traffic.written) / scalar_info[out->element].bytes;
}

static double moved(struct session *session, const char *values, int block, const char *schedule)
{
    char text[MOST_TEXT], *at = text;
    const int extent = BLOCKS * block + LEFT;
    at += sprintf(at, "filter f(in : image<f32>[y, x], param a : f32 = 0.5 in 0.1 .. 0.9)"
                      " -> out : image<f32>[y, x]\n{\n");
    at += sprintf(at, values, extent, extent);
    at += sprintf(at, "}\nschedule f for c {\n");
    sprintf(at, schedule, block, block, block, block);
    strcat(text, "}\n");
    return moved_by(session, text);
}

/* The paper's count: samples, and states for each of a block's places. */
static void expect(double seen, double samples, double states, int block)
{
    const double most = samples + 2 * states / block + 0.03 * samples;
    if (seen < samples - 0.03 * samples || seen > most)
        fail_msg("%.3f samples moved in blocks of %d, expected %.3f at most", seen, block, most);
}

static void test_line_by_line(void **state)
{
    const double seen = moved(*state, columns_first, 128,
                              "tile down by (x: %d) along y;\n tile up by (x: %d) along y;\n"
                              "tile right by (y: 16) along x;\n tile out by (y: 16) along x;\n");
    assert_true(seen == 8);
}

static void test_passes_by_themselves(void **state)
{
    static const char schedule[] =
        "tile down by (y: %d) blocked y;\n tile up by (y: %d) blocked y;\n"
        "tile right by (x: %d) blocked x;\n tile out by (x: %d) blocked x;\n";
    for (int block = 64; block <= 256; block *= 2)
        expect(moved(*state, columns_first, block, schedule), 9, 16, block);
}

static void test_both_directions(void **state)
{
    static const char schedule[] =
        "tile up by (y: %d) blocked y;\n tile out by (x: %d) blocked x;\n";
    for (int block = 64; block <= 256; block *= 2)
        expect(moved(*state, columns_first, block, schedule), 5, 18, block);
}

static void test_both_axes(void **state)
{
    static const char schedule[] =
        "tile left by (y: 16) along x at out;\n tile out by (y: %d) blocked y;\n";
    for (int block = 64; block <= 256; block *= 2)
        expect(moved(*state, rows_first, block, schedule), 3, 22, block);
}

/* 3 + 8 / b + 2 / b²; rows in bands need no states in memory but those of the columns. */
static void test_sums(void **state)
{
    const double seen = moved(*state, sums, 64, "");
    assert_true(seen >= 2 && seen <= 3);
}

/* Of an image that is read where samples tell: all of it, or for each sample as many as it loads
 * of it. */
static void test_gather(void **state)
{
    static const char *const values[] = {
        "filter f(in : image<u16>[y, x], k : image<f32>[i]) -> out : image<f32>[y, x] {"
        " estimate in.y = 64; estimate in.x = 64; estimate k.i = 65536; border clamp;"
        " out[y, x] = k[in[y, x]] + k[2 * in[y, x]] + k[3 * in[y, x]]; }",
        "filter f(in : image<u16>[y, x], k : image<f32>[i]) -> out : image<f32>[y, x] {"
        " estimate in.y = 64; estimate in.x = 64; estimate k.i = 8192; border clamp;"
        " out[y, x] = k[in[y, x]] + k[2 * in[y, x]] + k[3 * in[y, x]]; }"};
    assert_true(moved_by(*state, values[0]) == 0.5 + 3 + 1);
    assert_true(moved_by(*state, values[1]) == 0.5 + 2 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_line_by_line, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_passes_by_themselves, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_both_directions, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_both_axes, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_sums, open_session, close_session),
        cmocka_unit_test_setup_teardown(test_gather, open_session, close_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
