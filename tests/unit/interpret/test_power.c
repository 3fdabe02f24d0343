/* Powers by a constant that one operation does: rounded once, with the special values of C's
 * pow. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"

enum { COUNT = 400 };

static float input_at(int i)
{
    static const float special[] = {0,          -0.0f,     1,   -1,
                                    INFINITY,   -INFINITY, NAN, 0x1p-149f,
                                    -0x1p-149f, 0x1p127f,  -4,  0x1.fffffep127f};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    return i < SPECIAL ? special[i] : ldexpf(1 + (float)(i * 7919 % 1000) / 1000, i % 90 - 45);
}

static bool is_same(float a, float b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void expect_power(struct session *session, const char *exponent)
{
    float data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = input_at(i);
    const struct samples input = {
        .scalar = SCALAR_F32, .rank = 1, .extent = {COUNT}, .data = (unsigned char *)data};
    struct samples output = {.rank = 0};
    const char *text =
        arena_format(session->permanent,
                     "filter f(in : image<f32>[x]) -> out : image<f32>[x] { out[x] = "
                     "pow(in[x], %s); }",
                     exponent);
    struct interpretation run = {.session = session, .inputs = &input, .outputs = &output};
    assert_true(interpret_graph(graph_of(session, text), &run));
    for (int64_t i = 0; i < COUNT; i++)
        assert_true(is_same(samples_read(&output, &i).f32,
                            (float)pow((double)data[i], strtod(exponent, NULL))));
    samples_free(&output);
}

static void simple_powers_are_those_of_c(void **state)
{
    expect_power(*state, "0.5");
    expect_power(*state, "1");
    expect_power(*state, "2");
    expect_power(*state, "-1");
    expect_power(*state, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(simple_powers_are_those_of_c, open_session, close_session)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
