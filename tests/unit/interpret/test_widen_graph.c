/* The same program over more exact numbers: every operation and every stored sample is wide;
 * inputs, parameters and constants are what they were. Expected values are computed here, in C. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"

enum { COUNT = 5 };

static float input_at(int i)
{
    return 0.1f * (float)(i + 1);
}

/* The only output over input_at(0) … input_at(COUNT - 1) and, as parameter, 0.3f. */
static struct samples run(struct session *session, const struct graph *graph)
{
    float data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = input_at(i);
    const struct samples input = {
        .scalar = SCALAR_F32, .rank = 1, .extent = {COUNT}, .data = (unsigned char *)data};
    const struct value parameter = {.f32 = 0.3f};
    struct samples output = {.rank = 0};
    struct interpretation run = {
        .session = session, .inputs = &input, .parameters = &parameter, .outputs = &output};
    const bool ran = interpret_graph(graph, &run);
    assert_null(run.problem);
    assert_true(ran);
    return output;
}

static void expect_all(struct samples output, enum scalar scalar, struct value expected(int i))
{
    assert_int_equal(output.scalar, scalar);
    assert_int_equal(samples_count(&output), COUNT);
    for (int64_t i = 0; i < COUNT; i++)
        assert_true(value_equal(scalar, samples_read(&output, &i), expected((int)i)));
    samples_free(&output);
}

static const struct graph *widened(struct session *session, const char *text, enum scalar wide)
{
    return widen_graph(session->ir, &session->pool, graph_of(session, text), wide);
}

/* Each rounding shows: of the quotient, of the stored stage, of the product that is fused. */
static const char arithmetic[] =
    "filter f(in : image<f32>[x], param p : f32 = 1) -> out : image<f32>[x]\n"
    "{ a[x] = in[x] / 3; out[x] = a[x] * p + sqrt(in[x]); }\n";

static struct value arithmetic_f32(int i)
{
    const float a = input_at(i) / 3.0f;
    return (struct value){.f32 = fmaf(a, 0.3f, sqrtf(input_at(i)))};
}

static struct value arithmetic_f64(int i)
{
    const double a = (double)input_at(i) / 3.0;
    return (struct value){.f64 = fma(a, (double)0.3f, sqrt((double)input_at(i)))};
}

static struct value arithmetic_extended(int i)
{
    const long double a = (long double)input_at(i) / 3.0L;
    return (struct value){.extended = fmal(a, (long double)0.3f, sqrtl((long double)input_at(i)))};
}

static void operations_and_stages_are_wide(void **state)
{
    expect_all(run(*state, graph_of(*state, arithmetic)), SCALAR_F32, arithmetic_f32);
    expect_all(run(*state, widened(*state, arithmetic, SCALAR_F64)), SCALAR_F64, arithmetic_f64);
    expect_all(run(*state, widened(*state, arithmetic, SCALAR_EXTENDED)), SCALAR_EXTENDED,
               arithmetic_extended);
    assert_false(value_equal(SCALAR_F64, arithmetic_f64(0),
                             (struct value){.f64 = (double)arithmetic_f32(0).f32}));
}

/* Also a narrowing that is written, and f64 within f32. */
static const char conversions[] =
    "filter f(in : image<f32>[x], param p : f32 = 1) -> out : image<f32>[x]\n"
    "{ out[x] = f32(f64(in[x]) / 7) / 3 + p; }\n";

static struct value conversions_extended(int i)
{
    return (struct value){.extended = (long double)input_at(i) / 7.0L / 3.0L + (long double)0.3f};
}

static void conversions_between_floats_vanish(void **state)
{
    expect_all(run(*state, widened(*state, conversions, SCALAR_EXTENDED)), SCALAR_EXTENDED,
               conversions_extended);
}

/* Constant arrays keep the values that they were rounded to; borders follow their stage. */
static const char borders[] =
    "filter f(in : image<f32>[x], param p : f32 = 1) -> out : image<f32>[x]\n"
    "{ const k[d in -1 .. 1] : f32 = {0.1, 0.2, 0.7};\n"
    "  a[x] = in[x] / 3;\n"
    "  out[x] = sum[d in -1 .. 1](k[d] * a[x + d] border constant(p)); }\n";

static struct value borders_extended(int i)
{
    static const float k[3] = {0.1f, 0.2f, 0.7f};
    long double sum = -0.0L;
    for (int d = -1; d <= 1; d++) {
        const bool inside = i + d >= 0 && i + d < COUNT;
        const long double a = inside ? (long double)input_at(i + d) / 3.0L : (long double)0.3f;
        sum = fmal((long double)k[d + 1], a, sum);
    }
    return (struct value){.extended = sum};
}

static void constants_and_borders_keep_their_values(void **state)
{
    expect_all(run(*state, widened(*state, borders, SCALAR_EXTENDED)), SCALAR_EXTENDED,
               borders_extended);
}

/* What a rule gives beside an input is of the input's type. */
static const char input_borders[] =
    "filter f(in : image<f32>[x], param p : f32 = 1) -> out : image<f32>[x]\n"
    "{ out[x] = in[x - 1] border constant(p) + in[x + 1] border constant(0.1); }\n";

static struct value input_borders_extended(int i)
{
    const float left = i > 0 ? input_at(i - 1) : 0.3f;
    const float right = i + 1 < COUNT ? input_at(i + 1) : 0.1f;
    return (struct value){.extended = (long double)left + (long double)right};
}

static void borders_of_inputs_keep_their_type(void **state)
{
    expect_all(run(*state, widened(*state, input_borders, SCALAR_EXTENDED)), SCALAR_EXTENDED,
               input_borders_extended);
}

/* A float that decides an integer does so as it is in the wide type. */
static const char integers[] =
    "filter f(in : image<f32>[x], param p : f32 = 1) -> out : image<u8>[x]\n"
    "{ out[x] = u8(20 * ((in[x] + 16777216) - 16777216) + p); }\n";

static struct value integers_f32(int i)
{
    const float rest = (input_at(i) + 16777216.0f) - 16777216.0f;
    return (struct value){.integer = (int64_t)rintf(fmaf(20.0f, rest, 0.3f))};
}

static struct value integers_f64(int i)
{
    const double rest = ((double)input_at(i) + 16777216.0) - 16777216.0;
    return (struct value){.integer = (int64_t)rint(fma(20.0, rest, (double)0.3f))};
}

static void integers_are_decided_by_wide_floats(void **state)
{
    expect_all(run(*state, graph_of(*state, integers)), SCALAR_U8, integers_f32);
    expect_all(run(*state, widened(*state, integers, SCALAR_F64)), SCALAR_U8, integers_f64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
        TEST(operations_and_stages_are_wide),          TEST(conversions_between_floats_vanish),
        TEST(constants_and_borders_keep_their_values), TEST(borders_of_inputs_keep_their_type),
        TEST(integers_are_decided_by_wide_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
