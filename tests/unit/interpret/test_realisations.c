/* However recurrences are computed - line by line, whole lines together, in tiles that begin anew,
 * in segments along the line, in f32 or f64, as sections, by kernels - the results are near what
 * they denote: within 8 times the error of the same chain line by line with states of the same
 * precision, both against long double; of sections in f64 on whole lines, what these begin with is
 * allowed more. `make test-long` tries more of them. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"
#include "command/trial_images.h"
#include "pass_manager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"
#include "random_feedback.h"
#include "../../share.h"

enum {
    MOST_ORDER = 8,
    MOST_PASSES = 4,
    MOST_TEXT = 8192,
    BLOCK = 2048, /* samples: long against several poles that are within 0.95 */
    LONGEST = 5000
};

/* ---- Programs ---- */

enum kind {
    TWO_AXES = 1,
    SIGNAL = 2,      /* of one axis */
    IN_SEGMENTS = 4, /* rows, then columns in blocks, with which the rows are computed */
    AT_REST = 8,     /* lines begin with 0, and not as if they went on */
    TAPS = 16,       /* each pass reads two samples of the one before */
    ON_DEVICE = 32   /* kernels of blocks of threads */
};

struct form {
    uint64_t seed;
    const char *type;
    int least_order, most_order;
    double widest;  /* radius of a pole or pair of one pass, or less of all */
    const char *as; /* the form of each pass; NULL: as written */
    unsigned kind;
    const char *rule; /* set for each try */
};

static char *write_pass(char *at, uint64_t *random, const struct form *form, int number, bool close,
                        char axis, char sign)
{
    double a[MOST_ORDER + 1], sum = 1;
    const int order =
        form->least_order +
        (int)(random_next(random) % (uint64_t)(form->most_order - form->least_order + 1));
    const double others = form->widest < 0.95 ? form->widest : 0.95;
    choose_feedback(random, order, close ? form->widest : others * uniform(random, 0, 1), others,
                    a);
    for (int lag = 1; lag <= order; lag++)
        sum -= a[lag];
    char from[16] = "in";
    if (number > 0)
        sprintf(from, "s%d", number - 1);
    const char *const rows = (form->kind & SIGNAL) ? "" : "y, ";
    const char *const start = form->kind & (IN_SEGMENTS | AT_REST) ? " border zero" : "";
    at += sprintf(at, "    s%d[%sx] = %.9g * ", number, rows, sum);
    if ((form->kind & TAPS) && number > 0) /* a zero, at rest as well */
        at += sprintf(at, "(%s[%sx] + (%.17g) * %s[%s%s %c 1%s] border zero)", from, rows,
                      uniform(random, -1, 1), from, axis == 'x' ? rows : "",
                      axis == 'x' ? "x" : "y", sign, axis == 'x' ? "" : ", x");
    else
        at += sprintf(at, "%s[%sx]", from, rows);
    for (int lag = 1; lag <= order; lag++)
        at += axis == 'y' ? sprintf(at, "\n        + (%.17g) * s%d[y %c %d, x]%s", a[lag], number,
                                    sign, lag, start)
                          : sprintf(at, "\n        + (%.17g) * s%d[%sx %c %d]%s", a[lag], number,
                                    rows, sign, lag, start);
    return at + sprintf(at, ";\n");
}

static const char *target_of(const struct form *form)
{
    return form->kind & ON_DEVICE ? "cuda" : "c";
}

/* One or two passes along rows, and as many along columns, these there and back. */
static void write_both_axes(char text[MOST_TEXT], uint64_t *random, const struct form *form)
{
    const int rows = 1 + (int)(random_next(random) >> 63),
              columns = 1 + (int)(random_next(random) >> 63);
    const int close = (int)(random_next(random) % (uint64_t)(rows + columns));
    char sign = random_next(random) >> 63 ? '+' : '-';
    text += sprintf(text,
                    "filter f(in : image<%s>[y, x]) -> out : image<%s>[y, x]\n{\n    border %s;\n",
                    form->type, form->type, form->rule);
    for (int p = 0; p < rows + columns; p++) {
        sign = sign == '+' ? '-' : '+';
        text = write_pass(text, random, form, p, p == close, p < rows ? 'x' : 'y', sign);
    }
    sprintf(
        text,
        "    out[y, x] = 0.5 * s%d[y, x];\n}\nschedule f for c {\n    tile s%d by (y: 16) along x "
        "at out;\n    tile out by (y: %d) blocked y;\n}\n",
        rows + columns - 1, rows - 1, 40 + (int)(random_next(random) % 30));
}

/* A chain along one axis, perhaps another one along the other axis, and a difference of its
 * samples. */
static void write_program(char text[MOST_TEXT], uint64_t *random, const struct form *form)
{
    char axis = random_next(random) >> 63 && !(form->kind & SIGNAL) ? 'y' : 'x';
    const char *const rows = (form->kind & SIGNAL) ? "" : "y, ";
    /* States of more than 8 samples are carried less well from block to block. */
    const int most =
        (form->kind & SIGNAL) && form->most_order > 2 ? 8 / form->most_order : MOST_PASSES;
    const int passes = 1 + (int)(random_next(random) % (uint64_t)most);
    const int turns =
        (form->kind & TWO_AXES) ? (int)(random_next(random) % (uint64_t)(passes + 1)) : passes;
    const int close = (int)(random_next(random) % (uint64_t)passes);
    text +=
        sprintf(text, "filter f(in : image<%s>[%sx]) -> out : image<%s>[%sx]\n{\n    border %s;\n",
                form->type, rows, form->type, rows, form->rule);
    char sign = random_next(random) >> 63 ? '+' : '-';
    for (int p = 0; p < passes; p++) {
        if (p > 0)
            sign = random_next(random) >> 63 ? '+' : '-';
        axis = p != turns ? axis : axis == 'y' ? 'x' : 'y';
        text = write_pass(text, random, form, p, p == close, axis, sign);
    }
    if (form->kind & SIGNAL)
        text += sprintf(text, "    out[x] = 0.5 * s%d[x];\n}\n", passes - 1);
    else
        text += sprintf(text, "    out[y, x] = s%d[y, x] - 0.25 * s%d[y, x + 1];\n}\n", passes - 1,
                        passes - 1);
    text += sprintf(text, "schedule f for %s {", target_of(form));
    if ((form->kind & SIGNAL) && !(form->kind & ON_DEVICE))
        text += sprintf(text, " tile out by (x: %d) along x;", BLOCK);
    for (int p = form->as && strcmp(form->as, "direct") ? 0 : passes - 1; form->as && p < passes;
         p++)
        text += sprintf(text, " realise s%d as %s;", p, form->as);
    sprintf(text, " }\n");
}

/* ---- Results ---- */

static struct samples result_of(struct session *session, const struct graph *graph,
                                const char *target, const struct samples *input,
                                uint64_t random_schedule, const char *skip)
{
    const struct pass_options options = {
        .verify_each = true, .random_schedule = random_schedule, .skip = skip};
    const struct pass_result result = run_passes(session, graph, target_find(target), &options);
    struct samples output = {0};
    struct interpretation run = {.session = session, .inputs = input, .outputs = &output};
    if (result.problem)
        fail_msg("%s", result.problem);
    if (!interpret_program(result.program, &run))
        fail_msg("%s", run.problem);
    return output;
}

static struct samples exact_result(struct session *session, const struct graph *graph,
                                   const struct samples *input)
{
    struct samples output = {0};
    struct interpretation run = {.session = session, .inputs = input, .outputs = &output};
    const struct graph *wide = widen_graph(session->ir, &session->pool, graph, SCALAR_EXTENDED);
    if (!interpret_graph(wide, &run))
        fail_msg("%s", run.problem);
    return output;
}

static double real_at(const struct samples *samples, size_t i)
{
    return (double)value_real(
        samples->scalar,
        value_read(samples->data + i * scalar_info[samples->scalar].bytes, samples->scalar));
}

/* The greatest difference; *greatest: sample. */
static double error_of(const struct samples *result, const struct samples *exact, double *greatest)
{
    double worst = 0;
    for (size_t i = 0; i < samples_count(exact); i++) {
        worst = fmax(worst, fabs(real_at(result, i) - real_at(exact, i)));
        *greatest = fmax(*greatest, fabs(real_at(exact, i)));
    }
    return worst;
}

/* height: 0 of a signal. */
static struct samples noise(uint64_t *random, enum scalar scalar, int64_t height, int64_t width)
{
    struct samples samples = {.scalar = scalar, .rank = 2, .extent = {height, width}};
    if (height == 0)
        samples = (struct samples){.scalar = scalar, .rank = 1, .extent = {width}};
    assert_true(samples_allocate(&samples));
    for (size_t i = 0; i < samples_count(&samples); i++)
        value_write(samples.data + i * scalar_info[scalar].bytes, scalar,
                    value_from_real(scalar, (extended_real)uniform(random, 0, 1)));
    return samples;
}

static int64_t extent_at_random(uint64_t *random)
{
    static const int64_t few[] = {1, 2, 3, 16, 17, 63, 64, 65};
    const uint64_t choice = random_next(random) % 16;
    return choice < 8 ? few[choice] : 1 + (int64_t)(random_next(random) % 200);
}

/* ---- The comparison ---- */

static const char *const rules[] = {"zero",    "constant(0.75)", "clamp",
                                    "reflect", "reflect101",     "wrap"};
enum { RULES = sizeof rules / sizeof rules[0] };

static int tries(void)
{
    return is_long() ? 60 : 6;
}

struct worst {
    double times; /* the error of the chain line by line */
    double part;  /* of the greatest sample */
};

static void expect_near(const char *text, const struct form *form, const struct samples *result,
                        const struct samples *serial, const struct samples *exact,
                        struct worst *worst)
{
    double greatest = 0;
    /* Where a line goes on before its box, the state that it begins with is a quotient by what two
     * poles leave of 1. */
    const double left = 1 - form->widest,
                 start = form->as && !(form->kind & AT_REST) ? left * left : 1;
    const double half_ulp =
        exact->scalar == SCALAR_F32 || result->scalar == SCALAR_F32 ? 0x1p-25 : 0x1p-54 / start;
    const double error = error_of(result, exact, &greatest);
    const double usual = error_of(serial, exact, &greatest);
    if (!(error <= 8 * fmax(usual, half_ulp * greatest)))
        fail_msg("error %g, line by line %g, greatest %g, extents %lld %lld:\n%s", error, usual,
                 greatest, (long long)exact->extent[0], (long long)exact->extent[1], text);
    worst->times = fmax(worst->times, error / fmax(usual, half_ulp * greatest));
    worst->part = fmax(worst->part, greatest > 0 ? error / greatest : 0);
}

/* Of the graph in the end, realisations left out. */
static size_t count_recurrences(struct session *session, const struct graph *graph,
                                const char *target, const char *skip)
{
    const struct pass_options options = {.skip = skip};
    const struct pass_result result = run_passes(session, graph, target_find(target), &options);
    size_t count = 0;
    for (size_t i = 0; i < result.graph->stages.count; i++)
        count += result.graph->stages.item[i]->kind == STAGE_RECURRENCE;
    return count;
}

static bool takes_form(struct session *session, const struct graph *graph, const char *target)
{
    return count_recurrences(session, graph, target, "segment_recurrences") !=
           count_recurrences(session, graph, target, "realise_recurrences,segment_recurrences");
}

static bool has_rows_with_segments(struct session *session, const struct graph *graph)
{
    const struct pass_result result =
        run_passes(session, graph, target_find("c"), &(struct pass_options){.random_schedule = 0});
    bool any = false;
    for (size_t i = 0; i < result.graph->stages.count; i++)
        any = any || stage_is_with_segments(result.graph, result.graph->stages.item[i]);
    return any;
}

static void try_form(struct form form)
{
    uint64_t random = form.seed;
    struct worst worst = {0, 0};
    int taken = 0;
    for (int try = 0; try < tries(); try++) {
        struct session *session;
        open_session((void **)&session);
        char text[MOST_TEXT];
        form.rule = rules[try % RULES];
        if (form.kind & IN_SEGMENTS)
            write_both_axes(text, &random, &form);
        else
            write_program(text, &random, &form);
        const int64_t height = (form.kind & SIGNAL) ? 0 : extent_at_random(&random);
        const int64_t width = (form.kind & SIGNAL) ? 1 + (int64_t)(random_next(&random) % LONGEST)
                              : height > 40        ? 1 + extent_at_random(&random) % 40
                                                   : extent_at_random(&random);
        const struct graph *graph = graph_for(session, text, target_of(&form));
        taken += form.as && takes_form(session, graph, target_of(&form));
        assert_true(!(form.kind & IN_SEGMENTS) || has_rows_with_segments(session, graph));
        struct samples input =
            noise(&random, form.type[1] == '3' ? SCALAR_F32 : SCALAR_F64, height, width);
        struct samples exact = exact_result(session, graph, &input);
        struct samples serial =
            result_of(session, graph, "c", &input, 0,
                      "realise_recurrences,segment_recurrences,group_lines,fuse_stages");
        /* Random blocks are too short for a matrix of clustered poles. */
        const uint64_t schedules = (form.kind & SIGNAL) || (form.kind & IN_SEGMENTS) ? 1
                                   : is_long()                                       ? 8
                                                                                     : 3;
        for (uint64_t schedule = 0; schedule < schedules; schedule++) {
            struct samples result = result_of(session, graph, target_of(&form), &input,
                                              schedule ? form.seed * 100 + schedule : 0,
                                              schedule ? "segment_recurrences" : NULL);
            expect_near(text, &form, &result, &serial, &exact, &worst);
            samples_free(&result);
        }
        samples_free(&input);
        samples_free(&exact);
        samples_free(&serial);
        close_session((void **)&session);
    }
    assert_true(!form.as || 6 * taken >= tries());
    print_message("%s%s%s%sorders %d-%d, poles to %g, %s: at most %.1f times line by line, %.1e of "
                  "the greatest\n",
                  form.kind & ON_DEVICE ? "kernels, " : "",
                  (form.kind & SIGNAL)        ? "signals, "
                  : (form.kind & IN_SEGMENTS) ? "rows with blocks, "
                                              : "",
                  form.as ? form.as : "", form.as ? ", " : "", form.least_order, form.most_order,
                  form.widest, form.type, worst.times, worst.part);
}

static void try_forms(size_t count, const struct form form[])
{
    for (size_t i = 0; i < count; i++)
        if (is_in_share(form[i].seed))
            try_form(form[i]);
}

static void of_short_memory(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {1, "f32", 1, 1, 0.3, NULL, TWO_AXES, NULL}, {2, "f32", 1, 1, 0.3, NULL, TWO_AXES, NULL},
        {3, "f32", 1, 1, 0.3, NULL, TWO_AXES, NULL}, {4, "f32", 1, 3, 0.5, NULL, TWO_AXES, NULL},
        {5, "f32", 1, 2, 0.6, NULL, TWO_AXES, NULL}, {6, "f64", 1, 2, 0.4, NULL, TWO_AXES, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_middle_memory(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {7, "f32", 1, 4, 0.8, NULL, TWO_AXES, NULL},
        {8, "f64", 1, 4, 0.9, NULL, TWO_AXES, NULL},
        {9, "f32", 5, 8, 0.5, NULL, TWO_AXES, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_long_memory(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {10, "f32", 1, 2, 0.9999, NULL, 0, NULL},
        {11, "f32", 3, 8, 0.9999, NULL, 0, NULL},
        {12, "f64", 1, 4, 0.9999, NULL, TWO_AXES, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_forms(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {21, "f32", 3, 6, 0.9, "cascade", TWO_AXES, NULL},
        {22, "f32", 3, 8, 0.9999, "cascade", 0, NULL},
        {23, "f64", 3, 4, 0.95, "cascade", TWO_AXES, NULL},
        {24, "f32", 3, 6, 0.9, "parallel", TWO_AXES, NULL},
        {25, "f32", 3, 8, 0.9999, "parallel", 0, NULL},
        {26, "f64", 3, 4, 0.9, "parallel", TWO_AXES, NULL},
        {27, "f64", 1, 3, 0.9, "direct", TWO_AXES, NULL},
        {28, "f64", 3, 8, 0.9999, "cascade", TWO_AXES | AT_REST, NULL},
        {29, "f64", 3, 8, 0.9999, "parallel", TWO_AXES | AT_REST, NULL},
        {30, "f64", 1, 3, 0.9999, "direct", TWO_AXES | AT_REST, NULL},
        {37, "f64", 1, 2, 0.9999, "direct", TWO_AXES | AT_REST | TAPS, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_signals(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {13, "f32", 1, 2, 0.8, NULL, SIGNAL, NULL},
        {14, "f64", 1, 4, 0.95, NULL, SIGNAL, NULL},
        {15, "f32", 1, 4, 0.9999, NULL, SIGNAL, NULL},
        {16, "f32", 5, 8, 0.9999, NULL, SIGNAL, NULL},
        {17, "f32", 3, 8, 0.9999, "cascade", SIGNAL | AT_REST, NULL},
        {18, "f64", 3, 8, 0.99, "cascade", SIGNAL | AT_REST, NULL},
        {19, "f64", 3, 8, 0.99, "parallel", SIGNAL | AT_REST, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_rows_with_segments(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {31, "f32", 1, 2, 0.9, NULL, TWO_AXES | IN_SEGMENTS, NULL},
        {32, "f32", 1, 4, 0.9999, NULL, TWO_AXES | IN_SEGMENTS, NULL},
        {33, "f64", 1, 2, 0.9999, NULL, TWO_AXES | IN_SEGMENTS, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

static void of_kernels(void **state)
{
    (void)state;
    static const struct form forms[] = {
        {41, "f32", 1, 1, 0.3, NULL, TWO_AXES | ON_DEVICE, NULL},
        {42, "f32", 1, 2, 0.6, NULL, TWO_AXES | ON_DEVICE, NULL},
        {43, "f64", 1, 2, 0.4, NULL, TWO_AXES | ON_DEVICE, NULL},
        {44, "f32", 1, 4, 0.8, NULL, TWO_AXES | ON_DEVICE, NULL},
        {45, "f32", 5, 8, 0.5, NULL, TWO_AXES | ON_DEVICE, NULL},
        {46, "f32", 1, 2, 0.9999, NULL, ON_DEVICE, NULL},
        {47, "f32", 3, 8, 0.9999, NULL, ON_DEVICE, NULL},
        {48, "f64", 1, 4, 0.9999, NULL, TWO_AXES | ON_DEVICE, NULL},
        {49, "f32", 3, 6, 0.9, "cascade", TWO_AXES | ON_DEVICE, NULL},
        {50, "f32", 3, 6, 0.9, "parallel", TWO_AXES | ON_DEVICE, NULL},
        {51, "f64", 3, 4, 0.95, "cascade", TWO_AXES | ON_DEVICE, NULL},
        {52, "f64", 3, 8, 0.9999, "parallel", TWO_AXES | AT_REST | ON_DEVICE, NULL},
        {53, "f64", 1, 3, 0.9, "direct", TWO_AXES | ON_DEVICE, NULL},
        {54, "f32", 1, 2, 0.8, NULL, SIGNAL | ON_DEVICE, NULL},
        {55, "f64", 1, 4, 0.95, NULL, SIGNAL | ON_DEVICE, NULL},
        {56, "f32", 5, 8, 0.9999, NULL, SIGNAL | ON_DEVICE, NULL},
        {57, "f64", 3, 8, 0.99, "cascade", SIGNAL | ON_DEVICE, NULL},
    };
    try_forms(sizeof forms / sizeof forms[0], forms);
}

/* An argument: the test to run, or, behind a -, not to. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_short_memory), cmocka_unit_test(of_middle_memory),
        cmocka_unit_test(of_long_memory),  cmocka_unit_test(of_forms),
        cmocka_unit_test(of_signals),      cmocka_unit_test(of_rows_with_segments),
        cmocka_unit_test(of_kernels),
    };
    if (argc > 1 && argv[1][0] == '-')
        cmocka_set_skip_filter(argv[1] + 1);
    else if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
