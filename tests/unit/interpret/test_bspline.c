/* The cubic B-spline of LANGUAGE.md, carried by unbounded recurrences, passes through the samples
 * that it is made from, for every extent and rule. Where each stage extends the one before by the
 * rule again, it does not: the second half of the test. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"
#include "command/trial_images.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"

enum { MOST_EXTENT = 70 };

/* The greatest difference of input and output; the input is noise of 0 .. 1. */
static double worst_of(struct session *session, const struct graph *graph, unsigned rank,
                       int64_t height, int64_t width)
{
    double data[MOST_EXTENT * MOST_EXTENT];
    uint64_t random = (uint64_t)(height * 1000 + width);
    struct samples input = {.scalar = SCALAR_F64, .rank = rank, .data = (unsigned char *)data};
    struct samples output = {.rank = 0};
    input.extent[0] = rank == 1 ? width : height;
    input.extent[1] = width;
    for (int64_t i = 0; i < height * width; i++)
        data[i] = (double)(random_next(&random) >> 11) * 0x1p-53;
    struct interpretation run = {.session = session, .inputs = &input, .outputs = &output};
    assert_true(interpret_graph(graph, &run));
    double worst = 0;
    const double *back = (const double *)(const void *)output.data;
    for (int64_t i = 0; i < height * width; i++)
        worst = fmax(worst, fabs(back[i] - data[i]));
    samples_free(&output);
    return worst;
}

/* Text for printf of three rules: the filter's, and those behind the reads of the stages before. */
static const char along_one_axis[] =
    "filter f(in : image<f64>[x]) -> out : image<f64>[x]\n"
    "{\n"
    "    const a = sqrt(3) - 2;\n"
    "    border %s;\n"
    "    right[x] = 6 * in[x] + a * right[x - 1];\n"
    "    spline[x] = -a * right[x] %s + a * spline[x + 1];\n"
    "    out[x] = (spline[x - 1] %s + 4 * spline[x] + spline[x + 1] %s) / 6;\n"
    "}\n";

static const char along_two_axes[] =
    "filter f(in : image<f64>[y, x]) -> out : image<f64>[y, x]\n"
    "{\n"
    "    const a = sqrt(3) - 2;\n"
    "    border %s;\n"
    "    down[y, x] = 6 * in[y, x] + a * down[y - 1, x];\n"
    "    up[y, x] = -a * down[y, x] %s + a * up[y + 1, x];\n"
    "    right[y, x] = 6 * up[y, x] + a * right[y, x - 1];\n"
    "    spline[y, x] = -a * right[y, x] + a * spline[y, x + 1];\n"
    "    row[y, x] = (spline[y, x - 1] + 4 * spline[y, x] + spline[y, x + 1]) / 6;\n"
    "    out[y, x] = (row[y - 1, x] + 4 * row[y, x] + row[y + 1, x]) / 6;\n"
    "}\n";

static const char *const rules[] = {"wrap", "reflect",        "reflect101",
                                    "zero", "constant(0.25)", "clamp"};
enum { RULES = sizeof rules / sizeof rules[0], SYMMETRIC_RULES = 3 };

static void interpolates_along_one_axis(void **state)
{
    double worst = 0;
    for (int r = 0; r < RULES; r++) {
        char text[1024];
        snprintf(text, sizeof text, along_one_axis, rules[r], "", "", "");
        const struct graph *graph = graph_of(*state, text);
        for (int64_t n = 1; n <= MOST_EXTENT; n++)
            worst = fmax(worst, worst_of(*state, graph, 1, 1, n));
    }
    print_message("along one axis: %.1e\n", worst);
    assert_true(worst <= 1e-13);
}

static void interpolates_along_two_axes(void **state)
{
    double worst = 0;
    for (int r = 0; r < SYMMETRIC_RULES; r++) {
        char text[1024];
        snprintf(text, sizeof text, along_two_axes, rules[r], "");
        const struct graph *graph = graph_of(*state, text);
        for (int64_t n = 1; n <= MOST_EXTENT; n++) {
            worst = fmax(worst, worst_of(*state, graph, 2, n, 1 + 5 * n % 11));
            worst = fmax(worst, worst_of(*state, graph, 2, 1 + 3 * n % 11, n));
        }
    }
    print_message("along two axes: %.1e\n", worst);
    assert_true(worst <= 1e-13);
}

/* wrap alone gives the same again when it is applied to what it has made; reflect101 of two samples
 * is wrap. */
static void does_not_where_each_stage_is_extended_again(void **state)
{
    for (int r = 1; r < RULES; r++) {
        char text[1024], rule[64];
        double least = INFINITY;
        snprintf(rule, sizeof rule, "border %s", rules[r]);
        snprintf(text, sizeof text, along_one_axis, rules[r], rule, rule, rule);
        const struct graph *graph = graph_of(*state, text);
        for (int64_t n = 3; n <= MOST_EXTENT; n++)
            least = fmin(least, worst_of(*state, graph, 1, 1, n));
        print_message("%s, stage by stage: at least %.1e\n", rules[r], least);
        assert_true(least > 1e-4);
    }
    char text[1024];
    snprintf(text, sizeof text, along_two_axes, "reflect101", "border (y: reflect101)");
    assert_true(worst_of(*state, graph_of(*state, text), 2, 40, 40) > 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
        TEST(interpolates_along_one_axis),
        TEST(interpolates_along_two_axes),
        TEST(does_not_where_each_stage_is_extended_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
