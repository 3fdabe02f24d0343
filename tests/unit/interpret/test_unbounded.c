/* Unbounded recurrences against the line itself: what fltc computes on a few samples, from start
 * states in closed form, is what chains of recurrences give on the input extended so far by its
 * rule that nothing of the start is left. Both in long double; `make run-quad` has both in 128
 * bits, `make test-long` looks at more: where poles lie close together, and where the state is
 * small beside what they amplify, the long double line itself is wrong by more than 1e-12 of it. */
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
#include "random_feedback.h"
#include "../../share.h"

enum { MOST_ORDER = 5, MOST_PASSES = 4, MOST_TAPS = 3, MOST_EXTENT = 48, FAR = 60000 };

/* ---- Chains of recurrences ---- */

/* s(n) = sum of taps + a1 s(n - 1) + …, or s(n + 1) where it is anticausal. */
struct pass {
    int order;
    bool anticausal;
    double a[MOST_ORDER + 1];
    int tap_count;
    struct tap {
        int of; /* an earlier pass; -1: the input */
        int offset;
        double factor;
    } tap[MOST_TAPS];
};

struct chain {
    int pass_count;
    struct pass pass[MOST_PASSES];
    const char *rule;   /* text */
    bool by_parameters; /* the feedback is given when it runs */
    int extent;
    double input[MOST_EXTENT];
};

/* ---- As a program ---- */

static void write_feedback(char **at, const struct chain *chain, int number, int lag)
{
    const struct pass *pass = &chain->pass[number];
    *at += sprintf(*at, "\n        + ");
    if (chain->by_parameters)
        *at += sprintf(*at, "a%d_%d", number, lag);
    else
        *at += sprintf(*at, "(%.17g)", pass->a[lag]);
    *at += sprintf(*at, " * s%d[x %c %d]", number, pass->anticausal ? '+' : '-', lag);
}

static void write_pass(char **at, const struct chain *chain, int number)
{
    const struct pass *pass = &chain->pass[number];
    *at += sprintf(*at, "    s%d[x] = ", number);
    for (int i = 0; i < pass->tap_count; i++) {
        const struct tap *tap = &pass->tap[i];
        char name[16] = "in";
        if (tap->of >= 0)
            sprintf(name, "s%d", tap->of);
        *at +=
            sprintf(*at, "%s(%.17g) * %s[x + %d]", i ? " + " : "", tap->factor, name, tap->offset);
    }
    for (int lag = 1; lag <= pass->order; lag++)
        write_feedback(at, chain, number, lag);
    *at += sprintf(*at, ";\n");
}

static void write_chain(char *text, const struct chain *chain)
{
    text += sprintf(text, "filter f(in : image<f64>[x]");
    for (int p = 0; p < chain->pass_count && chain->by_parameters; p++)
        for (int lag = 1; lag <= chain->pass[p].order; lag++)
            text += sprintf(text, ", param a%d_%d : f64", p, lag);
    text += sprintf(text, ")\n    -> (");
    for (int p = 0; p < chain->pass_count; p++)
        text += sprintf(text, "%ss%d : image<f64>[x]", p ? ", " : "", p);
    text += sprintf(text, ")\n{\n    border %s;\n", chain->rule);
    for (int p = 0; p < chain->pass_count; p++)
        write_pass(&text, chain, p);
    sprintf(text, "}\n");
}

static void run_chain(struct session *session, struct chain *chain, struct samples output[])
{
    char text[8192];
    write_chain(text, chain);
    const struct samples input = {.scalar = SCALAR_F64,
                                  .rank = 1,
                                  .extent = {chain->extent},
                                  .data = (unsigned char *)chain->input};
    struct value parameter[MOST_PASSES * MOST_ORDER];
    int parameter_count = 0;
    for (int p = 0; p < chain->pass_count; p++)
        for (int lag = 1; lag <= chain->pass[p].order; lag++)
            parameter[parameter_count++] = (struct value){.f64 = chain->pass[p].a[lag]};
    struct interpretation run = {
        .session = session, .inputs = &input, .parameters = parameter, .outputs = output};
    const struct graph *wide =
        widen_graph(session->ir, &session->pool, graph_of(session, text), SCALAR_EXTENDED);
    if (!interpret_graph(wide, &run))
        fail_msg("%s:\n%s", run.problem, text);
}

/* ---- As a long line ---- */

static extended_real extended_input(const struct chain *chain, int64_t i)
{
    const int64_t n = chain->extent;
    const char *rule = chain->rule;
    const bool outside = i < 0 || i >= n;
    if (outside && strcmp(rule, "zero") == 0)
        return 0;
    if (outside && strcmp(rule, "constant(0.75)") == 0)
        return 0.75;
    if (strcmp(rule, "clamp") == 0)
        i = i < 0 ? 0 : i >= n ? n - 1 : i;
    const int64_t period = strcmp(rule, "wrap") == 0      ? n
                           : strcmp(rule, "reflect") == 0 ? 2 * n
                           : n > 1                        ? 2 * n - 2
                                                          : 1;
    const int64_t m = (i % period + period) % period;
    if (!outside || strcmp(rule, "clamp") == 0)
        return (extended_real)chain->input[i];
    if (m < n)
        return (extended_real)chain->input[m];
    return (extended_real)
        chain->input[strcmp(rule, "reflect") == 0 ? 2 * n - 1 - m : 2 * n - 2 - m];
}

/* The samples -FAR … extent + FAR - 1 of the input, then of each pass; from rest at their ends. */
static extended_real line[1 + MOST_PASSES][2 * FAR + MOST_EXTENT];

static void run_line(const struct chain *chain)
{
    const int length = 2 * FAR + chain->extent;
    for (int i = 0; i < length; i++)
        line[0][i] = extended_input(chain, (int64_t)i - FAR);
    for (int p = 0; p < chain->pass_count; p++) {
        const struct pass *pass = &chain->pass[p];
        const int step = pass->anticausal ? -1 : 1;
        for (int k = 0; k < length; k++) {
            const int i = pass->anticausal ? length - 1 - k : k;
            extended_real sum = 0;
            for (int t = 0; t < pass->tap_count; t++) {
                const int from = i + pass->tap[t].offset;
                if (from >= 0 && from < length)
                    sum += (extended_real)pass->tap[t].factor * line[1 + pass->tap[t].of][from];
            }
            for (int lag = 1; lag <= pass->order && lag <= k; lag++)
                sum += (extended_real)pass->a[lag] * line[1 + p][i - step * lag];
            line[1 + p][i] = sum;
        }
    }
}

/* ---- The two compared ---- */

/* The greatest difference of a pass, as a part of the greatest state of that pass. */
static double worst_difference(struct session *session, struct chain *chain)
{
    struct samples output[MOST_PASSES] = {{0}};
    double worst = 0;
    run_chain(session, chain, output);
    run_line(chain);
    for (int p = 0; p < chain->pass_count; p++) {
        extended_real greatest = 0, difference = 0;
        for (int64_t i = 0; i < chain->extent; i++) {
            const extended_real exact = line[1 + p][FAR + i];
            const extended_real got = samples_read(&output[p], &i).extended;
            greatest = EXTENDED(fmax)(greatest, EXTENDED(fabs)(exact));
            difference = EXTENDED(fmax)(difference, EXTENDED(fabs)(got - exact));
        }
        if (greatest > 0)
            worst = fmax(worst, (double)(difference / greatest));
        samples_free(&output[p]);
    }
    return worst;
}

static const char *const rules[] = {"zero",    "constant(0.75)", "clamp",
                                    "reflect", "reflect101",     "wrap"};
enum { RULES = sizeof rules / sizeof rules[0] };

/* Of chains that have numbers, those in this run's share. */
static void expect_exact(struct session *session, struct chain *chain, int number, double *worst)
{
    if (!is_in_share((uint64_t)number))
        return;
    const double difference = worst_difference(session, chain);
    if (!(difference <= 1e-12)) {
        char text[8192];
        write_chain(text, chain);
        fail_msg("%g of the greatest state, extent %d:\n%s", difference, chain->extent, text);
    }
    *worst = fmax(*worst, difference);
}

static void choose_input(uint64_t *random, struct chain *chain, int extent)
{
    chain->extent = extent;
    for (int i = 0; i < extent; i++)
        chain->input[i] = uniform(random, -1, 1);
}

static const int extents[] = {1, 2, 3, 4, 5, 7, 16, 41};
enum { EXTENTS = sizeof extents / sizeof extents[0] };

/* Causal, anticausal, causal; one of them has a pole or pair close to the circle. */
static void of_order_and_seed(void **state, int order, uint64_t random)
{
    double worst = 0;
    for (int rule = 0; rule < RULES; rule++)
        for (int e = 0; e < EXTENTS; e++) {
            struct chain chain = {.pass_count = 3, .rule = rules[rule], .by_parameters = e % 2};
            const int close = (int)(random_next(&random) % 3);
            for (int p = 0; p < 3; p++) {
                struct pass *pass = &chain.pass[p];
                pass->order = order;
                choose_feedback(&random, order, p == close ? 0.999 : 0.9, 0.9, pass->a);
                pass->anticausal = p == 1;
                pass->tap_count = 1;
                pass->tap[0] = (struct tap){p - 1, 0, 1};
            }
            choose_input(&random, &chain, extents[e]);
            expect_exact(*state, &chain, order + rule * EXTENTS + e, &worst);
        }
    print_message("order %d: %.1e of the greatest state\n", order, worst);
}

static void of_order(void **state, int order)
{
    for (uint64_t seed = 0; seed < (is_long() ? 4 : 1); seed++)
        of_order_and_seed(state, order, (uint64_t)order + 1000 * seed);
}

static void chains_of_order_1(void **state)
{
    of_order(state, 1);
}

static void chains_of_order_2(void **state)
{
    of_order(state, 2);
}

static void chains_of_order_3(void **state)
{
    of_order(state, 3);
}

static void chains_of_order_4(void **state)
{
    of_order(state, 4);
}

static void chains_of_order_5(void **state)
{
    of_order(state, 5);
}

/* Passes of any order and direction that read several earlier ones, and beside themselves. */
static void networks_with_taps(void **state)
{
    uint64_t random = 99;
    double worst = 0;
    for (int i = 0; i < 120; i++) {
        struct chain chain = {.pass_count = 1 + (int)(random_next(&random) % MOST_PASSES),
                              .rule = rules[i % RULES],
                              .by_parameters = random_next(&random) >> 63};
        for (int p = 0; p < chain.pass_count; p++) {
            struct pass *pass = &chain.pass[p];
            pass->order = 1 + (int)(random_next(&random) % MOST_ORDER);
            choose_feedback(&random, pass->order, uniform(&random, 0.1, 0.97), 0.9, pass->a);
            pass->anticausal = random_next(&random) >> 63;
            pass->tap_count = 1 + (int)(random_next(&random) % MOST_TAPS);
            for (int t = 0; t < pass->tap_count; t++)
                pass->tap[t] =
                    (struct tap){(int)(random_next(&random) % (uint64_t)(p + 1)) - 1,
                                 (int)(random_next(&random) % 9) - 4, uniform(&random, -2, 2)};
        }
        choose_input(&random, &chain, extents[random_next(&random) % EXTENTS]);
        expect_exact(*state, &chain, i, &worst);
    }
    print_message("networks: %.1e of the greatest state\n", worst);
}

/* Where poles are close together, powers of a feedback matrix grow by far before they shrink. */
static void of_close_poles(void **state, int order, double radius, double apart)
{
    uint64_t random = 5;
    double worst = 0;
    for (int rule = 0; rule < RULES; rule++)
        for (int e = 0; e < EXTENTS; e++) {
            struct chain chain = {.pass_count = 2, .rule = rules[rule]};
            for (int p = 0; p < 2; p++) {
                double polynomial[MOST_ORDER + 3] = {1};
                struct pass *pass = &chain.pass[p];
                for (int k = 0; k < order;)
                    add_root(polynomial, &k, radius - apart * (k + 0.3 * p));
                *pass = (struct pass){order, p == 1, {0}, 1, {{p - 1, 0, 1}}};
                for (int lag = 1; lag <= order; lag++)
                    pass->a[lag] = -polynomial[lag];
            }
            choose_input(&random, &chain, extents[e]);
            expect_exact(*state, &chain, order + rule * EXTENTS + e, &worst);
        }
    print_message("poles close together, order %d: %.1e of the greatest state\n", order, worst);
}

static void poles_close_together(void **state)
{
    of_close_poles(state, 3, 0.95, 0.01);
#ifdef FLTC_QUAD
    of_close_poles(state, 5, 0.9, 0.001);
    of_close_poles(state, 5, -0.9, -0.001);
    of_close_poles(state, 5, 0.9, 0);
#endif
}

/* ---- The oracle's own lines ---- */

/* A program on noise, from the states of expand_unbounded or along the lines themselves. */
static struct samples run_body(struct session *session, const char *body, int64_t height,
                               int64_t width, bool by_definition)
{
    char text[2048];
    double data[MOST_EXTENT * MOST_EXTENT];
    uint64_t random = (uint64_t)(height * 100 + width);
    struct samples output = {0};
    snprintf(text, sizeof text,
             "filter f(in : image<f64>[y, x]) -> out : image<f64>[y, x]\n{\n%s}\n", body);
    for (int64_t i = 0; i < height * width; i++)
        data[i] = uniform(&random, -1, 1);
    const struct samples input = {
        .scalar = SCALAR_F64, .rank = 2, .extent = {height, width}, .data = (unsigned char *)data};
    const struct graph *wide =
        widen_graph(session->ir, &session->pool, graph_of(session, text), SCALAR_EXTENDED);
    struct interpretation run = {.session = session,
                                 .lines_by_definition = by_definition,
                                 .inputs = &input,
                                 .outputs = &output};
    if (!interpret_graph(wide, &run))
        fail_msg("%s:\n%s", run.problem, text);
    return output;
}

/* Ends both. */
static void expect_same_samples(struct samples *one, struct samples *other, const char *body)
{
    const int64_t height = one->extent[0], width = one->extent[1];
    double greatest = 0, difference = 0;
    for (int64_t i = 0; i < height * width; i++) {
        const int64_t at[2] = {i / width, i % width};
        const extended_real a = samples_read(one, at).extended;
        const extended_real b = samples_read(other, at).extended;
        greatest = fmax(greatest, (double)EXTENDED(fabs)(b));
        difference = fmax(difference, (double)EXTENDED(fabs)(a - b));
    }
    samples_free(one);
    samples_free(other);
    assert_true(greatest > 0 || width < 3); /* few samples may all come from outside */
    if (!(difference <= 1e-13 * greatest))
        fail_msg("%g of %g, %d x %d:\n%s", difference, greatest, (int)height, (int)width, body);
}

/* What whole programs give from the states of expand_unbounded, and along the lines themselves,
 * without any pass. */
static void expect_lines(struct session *session, const char *body, int64_t height, int64_t width)
{
    struct samples by_states = run_body(session, body, height, width, false);
    struct samples by_lines = run_body(session, body, height, width, true);
    expect_same_samples(&by_states, &by_lines, body);
}

/* Four ways over an image; two reads of one line; reads beyond the box by a stencil, along the line
 * and beside it; what lies beside a line under another rule; a line behind a stage that no rule
 * extends; reads of one place that are written in several ways. */
static void lines_of_images(void **state)
{
    static const char *const ways = "    down [y, x] = in[y, x]    + 0.6 * down[y - 1, x];\n"
                                    "    up   [y, x] = down[y, x]  + 0.5 * up[y + 1, x];\n"
                                    "    right[y, x] = up[y, x]    + 0.7 * right[y, x - 1];\n"
                                    "    out  [y, x] = right[y, x] - 0.4 * out[y, x + 1];\n";
    static const char *const both =
        "    a[y, x] = in[y, x] + 1.2 * a[y, x - 1] - 0.5 * a[y, x - 2];\n"
        "    b[y, x] = in[y, x + 1] + 0.5 * b[y, x + 1];\n"
        "    out[y, x] = a[y, x] + b[y, x] - in[y, x];\n";
    static const char *const stencil =
        "    a[y, x] = in[y, x] + 0.8 * a[y, x - 1];\n"
        "    out[y, x] = a[y, x - 3] + a[y - 2, x + 1] - 1.5 * a[y + 1, x + 4];\n";
    static const char *const squares = "    s[y, x] = in[y, x] * in[y, x] - 0.5 * in[y, x + 1];\n"
                                       "    a[y, x] = s[y, x] + 0.9 * a[y - 1, x];\n"
                                       "    out[y, x] = a[y, x] - 0.3 * out[y + 1, x];\n";
    static const char *const terms = "    out[y, x] = in[y, x]\n"
                                     "        - sum[k in 0 .. 1, l in 1 .. 2](\n"
                                     "            0.1 * k * l * out[y, x + k + l]);\n";
    static const char *const body[] = {ways, both, stencil, squares, terms};
    for (size_t rule = 0; rule < RULES; rule++)
        for (size_t b = 0; b < sizeof body / sizeof body[0]; b++)
            for (int e = 0; e < 3; e++) {
                char text[1024];
                snprintf(text, sizeof text, "    border %s;\n%s", rules[rule], body[b]);
                expect_lines(*state, text, extents[(e + (int)b) % EXTENTS], 1 + 2 * e);
            }
}

/* Reads of itself in sums, and in choices that are the same for all samples, are what they are
 * written out. */
static void terms_written_out(void **state)
{
    static const char *const pairs[][2] = {
        {"    const c[k in 1 .. 3] = {0.5, 0.25, -0.125};\n"
         "    out[y, x] = in[y, x] + sum[k in 1 .. 3](c[k] * out[y, x - k]);\n",
         "    out[y, x] = in[y, x] + 0.5 * out[y, x - 1] + 0.25 * out[y, x - 2]\n"
         "                - 0.125 * out[y, x - 3];\n"},
        {"    out[y, x] = in[y, x] - sum[k in 1 .. 3 where k != 2](0.25 * out[y, x + k]);\n",
         "    out[y, x] = in[y, x] - 0.25 * out[y, x + 1] - 0.25 * out[y, x + 3];\n"},
        {"    out[y, x] = in[y, x] - sum[k in 0 .. 1, l in 1 .. 2](\n"
         "                               0.125 * k * l * out[y, x + k + l]);\n",
         "    out[y, x] = in[y, x] - 0.125 * out[y, x + 2] - 0.25 * out[y, x + 3];\n"},
        {"    out[y, x] = in[y, x] + select(in.x > 900, 0.75 * out[y, x + 1],\n"
         "                                  in[y, x] - 0.5 * out[y, x + 2]);\n",
         "    out[y, x] = 2 * in[y, x] - 0.5 * out[y, x + 2];\n"},
        {"    out[y, x] = in[y, x] + select(in.x < 900, 0.75 * out[y, x - 1],\n"
         "                                  in[y, x] - 0.5 * out[y, x - 2]);\n",
         "    out[y, x] = in[y, x] + 0.75 * out[y, x - 1];\n"}};
    for (size_t rule = 0; rule < RULES; rule++)
        for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
            char text[2][1024];
            struct samples output[2];
            for (int i = 0; i < 2; i++) {
                snprintf(text[i], sizeof text[i], "    border %s;\n%s", rules[rule], pairs[p][i]);
                output[i] = run_body(*state, text[i], 2, extents[(rule + p) % EXTENTS], false);
            }
            expect_same_samples(&output[0], &output[1], text[0]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
        TEST(chains_of_order_1),    TEST(chains_of_order_2), TEST(chains_of_order_3),
        TEST(chains_of_order_4),    TEST(chains_of_order_5), TEST(networks_with_taps),
        TEST(poles_close_together), TEST(lines_of_images),   TEST(terms_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
