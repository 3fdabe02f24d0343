/* What passes make of `fast` code, on cores and for blocks of threads, is near what it denotes: to
 * some roundings of its greatest sample. Each program names a stage that only the pass it is for
 * makes, so that it does not pass where nothing was done. */
#include "command/trial_images.h"
#include "frontend/elaborate.h"
#include "interpret/interpret.h"
#include "pass_manager.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"
#include "random_feedback.h"

static struct samples sparse_noise(uint64_t *random, int64_t height, int64_t width)
{
    struct samples samples = {.scalar = SCALAR_F32, .rank = 2, .extent = {height, width}};
    assert_true(samples_allocate(&samples));
    for (size_t i = 0; i < samples_count(&samples); i++)
        ((float *)(void *)samples.data)[i] =
            random_next(random) % 20 == 0 ? (float)uniform(random, -1, 1) : 0;
    return samples;
}

static bool has_stage(const struct graph *graph, const char *name)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (strcmp(graph->stages.item[i]->name->text, name) == 0)
            return true;
    return false;
}

static void expect_near(const char *text, const struct samples *result,
                        const struct samples *wanted)
{
    const double few_roundings = 0x1p-20;
    double worst = 0, greatest = 0;
    for (size_t i = 0; i < samples_count(wanted); i++) {
        const double is = ((const float *)(const void *)result->data)[i],
                     must_be = ((const float *)(const void *)wanted->data)[i];
        worst = fmax(worst, isfinite(is) ? fabs(is - must_be) : INFINITY);
        greatest = fmax(greatest, fabs(must_be));
    }
    if (!(worst <= few_roundings * greatest))
        fail_msg("off by %g, the greatest is %g, width %lld:\n%s", worst, greatest,
                 (long long)wanted->extent[1], text);
}

/* A filter f of an image<f32>[y, x], for a target. */
static void try_program(const char *text, const char *target, const char *stage)
{
    static const int64_t widths[] = {1, 63, 64, 65, 200, 1000};
    uint64_t random = 1;
    struct session *session;
    open_session((void **)&session);
    const struct graph *graph = graph_for(session, text, target);
    const struct pass_result made = run_passes(session, graph, target_find(target),
                                               &(struct pass_options){.verify_each = true});
    assert_null(made.problem);
    assert_false(session->pool.fast); /* code that is not fast keeps its bits */
    if (!has_stage(made.graph, stage))
        fail_msg("there is no stage %s for %s:\n%s", stage, target, text);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        struct samples input = sparse_noise(&random, 3, widths[i]), result = {0}, wanted = {0};
        struct interpretation run = {.session = session, .inputs = &input, .outputs = &result};
        if (!interpret_program(made.program, &run))
            fail_msg("%s", run.problem);
        run.outputs = &wanted;
        if (!interpret_graph(graph, &run))
            fail_msg("%s", run.problem);
        expect_near(text, &result, &wanted);
        samples_free(&input);
        samples_free(&result);
        samples_free(&wanted);
    }
    close_session((void **)&session);
}

/* s is computed in segments, which leave their state in s.carry. */
static void try_segments(const char *statement)
{
    static const char *const targets[] = {"c", "cuda"};
    for (int t = 0; t < 2; t++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "fast filter f(in : image<f32>[y, x]) -> out : image<f32>[y, x]\n{\n    %s\n"
                 "    out[y, x] = s[y, x] - 0.25 * in[y, x];\n}\n"
                 "schedule f for %s { tile s by (y: 1, x: 64) blocked x; }\n",
                 statement, targets[t]);
        try_program(text, targets[t], "s.carry");
    }
}

/* What is left of a state after a segment is a power of the factor, and of offsets a sum. */
static void extrema_fade_in_segments(void **state)
{
    (void)state;
    try_segments("s[y, x] = max(in[y, x], 0.9 * s[y, x - 1] border state(0.75));");
    try_segments("s[y, x] = max(in[y, x], 0.9 * s[y, x - 1] border state(0.75) - 0.01);");
    try_segments("s[y, x] = max(in[y, x], 0.97 * (s[y, x - 1] border state(0.75) - 0.01));");
    try_segments("s[y, x] = min(in[y, x], 0.5 * (1.9 * s[y, x + 1] border state(-2)));");
    try_segments("s[y, x] = min(0.5, max(-0.5, 0.99 * s[y, x + 1] border state(0.3) + in[y, x]));");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(extrema_fade_in_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
