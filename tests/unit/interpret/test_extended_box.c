/* Stages read beyond their box under the rule extend: their definitions mean there what they say,
 * whatever the box tells of the coordinate. Expected samples are computed here, in C, and by the
 * same stage of a box so large that nothing is beyond it. */
#include "interpret/interpret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"

enum { COUNT = 8, RESULT = 10, FIRST = -4, LAST = 12 };

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t quotient(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* in[i] under border clamp: 10, 20 … */
static int64_t sample(int64_t i)
{
    return 10 * (1 + at_most(at_least(i, 0), COUNT - 1));
}

/* in[INDEX] as a row: its name, text and value, and the box in which the text is told wrongly. */
#define INDICES(ROW)                                                                               \
    ROW(one_sample, "-2 .. -2", "x + 2", x + 2)                                                    \
    ROW(one_sample_times, "2 .. 2", "3 * x", 3 * x)                                                \
    ROW(one_sample_squared, "2 .. 2", "x * x", x *x)                                               \
    ROW(one_sample_mirrored, "3 .. 3", "7 - x", 7 - x)                                             \
    ROW(quotient_of_few, "1 .. 2", "(x + 1) / 2", quotient(x + 1, 2))                              \
    ROW(quotient_of_none, "0 .. 3", "x / 4", quotient(x, 4))                                       \
    ROW(remainder_of_few, "0 .. 3", "x % 4", x - 4 * quotient(x, 4))                               \
    ROW(least, "0 .. 3", "min(x, 3)", at_most(x, 3))                                               \
    ROW(greatest, "0 .. 3", "max(x, 0)", at_least(x, 0))                                           \
    ROW(greatest_of_difference, "0 .. 3", "max(3 - x, 0)", at_least(3 - x, 0))                     \
    ROW(between_two, "1 .. 2", "clamp(x, 1, 2)", at_most(at_least(x, 1), 2))                       \
    ROW(without_sign, "0 .. 3", "abs(x)", x < 0 ? -x : x)                                          \
    ROW(without_sign_below, "-3 .. 0", "abs(x)", x < 0 ? -x : x)                                   \
    ROW(chosen, "0 .. 3", "select(min(x, 4) == x, x, 7)", x <= 4 ? x : 7)                          \
    ROW(saturated, "0 .. 3", "trunc<u8>(f32(x))", at_least(x, 0))                                  \
    ROW(wrapped, "0 .. 3", "i32(wrap<u8>(x)) - 250", (x & 255) - 250)                              \
    ROW(shifted, "0 .. 1", "x >> 1", quotient(x, 2))                                               \
    ROW(of_a_reduction, "0 .. 3", "sum[d in 0 .. 1](max(x, 0) * d)", at_least(x, 0))

#define VALUE(name, box, text, value)                                                              \
    static int64_t name(int64_t x)                                                                 \
    {                                                                                              \
        return sample(value);                                                                      \
    }
INDICES(VALUE)
#undef VALUE

static const struct index {
    const char *name, *box, *text;
    int64_t (*value)(int64_t x);
} indices[] = {
#define INDEX(name, box, text, value) {#name, box, text, name},
    INDICES(INDEX)
#undef INDEX
};

/* The result, RESULT integers, over in = 10, 20 … */
static void run(const char *text, int32_t result[RESULT])
{
    struct session *session = session_create(NULL);
    int32_t data[COUNT];
    for (int i = 0; i < COUNT; i++)
        data[i] = (int32_t)sample(i);
    const struct samples input = {
        .scalar = SCALAR_I32, .rank = 1, .extent = {COUNT}, .data = (unsigned char *)data};
    struct samples output = {.rank = 0};
    struct interpretation run = {.session = session, .inputs = &input, .outputs = &output};
    assert_true(interpret_graph(graph_of(session, text), &run));
    assert_int_equal(samples_count(&output), RESULT);
    memcpy(result, output.data, RESULT * sizeof *result);
    samples_free(&output);
    session_destroy(session);
}

static void expect(const char *name, const char *text, int64_t value(int64_t x), int64_t moved)
{
    int32_t result[RESULT];
    run(text, result);
    for (int x = 0; x < RESULT; x++)
        if (result[x] != value(x + moved))
            fail_msg("%s: %d in place of %d at %d:\n%s", name, result[x], (int)value(x + moved), x,
                     text);
}

/* frame: a program with two %s, for the box and the index of a stage s read at x - 3 … x + 6. */
static void expect_all(const char *frame, int64_t moved)
{
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        char text[1000], wide[20];
        snprintf(wide, sizeof wide, "%d .. %d", FIRST, LAST);
        snprintf(text, sizeof text, frame, wide, indices[i].text);
        expect(indices[i].name, text, indices[i].value, moved);
        snprintf(text, sizeof text, frame, indices[i].box, indices[i].text);
        expect(indices[i].name, text, indices[i].value, moved);
    }
}

static void indices_mean_what_they_say(void **state)
{
    (void)state;
    expect_all("filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
               "{ s[x in %s] = a[%s] border clamp; o[x in 0 ..< 10] = s[x - 3] border extend; }\n",
               -3);
}

static void names_and_blocks_do_not_matter(void **state)
{
    (void)state;
    expect_all("filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
               "{ s[x in %s] = { let i = %s; a[i] border clamp };\n"
               "  o[x in 0 ..< 10] = s[x - 3] border extend; }\n",
               -3);
}

static void stages_in_filters_that_are_called(void **state)
{
    (void)state;
    expect_all("filter part(a : image<i32>[x]) -> s : image<i32>[x]\n"
               "{ s[x in %s] = a[%s] border clamp; }\n"
               "filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
               "{ s = part(a); o[x in 0 ..< 10] = s[x + 1] border extend; }\n",
               1);
}

static void readers_of_readers_reach_further(void **state)
{
    (void)state;
    expect_all(
        "filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
        "{ s[x in %s] = a[%s] border clamp; t[x in 4 .. 4] = s[x - 1] border extend;\n"
        "  u[x in 4 .. 4] = t[x - 3] border extend; o[x in 0 ..< 10] = u[x + 3] border extend; }\n",
        -1);
}

static void axes_without_a_name(void **state)
{
    (void)state;
    expect_all("filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
               "{ s[x in %s] = a[%s] border clamp; border extend; t = flip(flip(s));\n"
               "  o[x in 0 ..< 10] = s[x - 3] border extend; }\n",
               -3);
}

/* A unbounded recurrence is computed beyond its box by itself. */
static void lines_of_one_sample(void **state)
{
    (void)state;
    struct session *session = session_create(NULL);
    const struct graph *graph = graph_of(
        session,
        "filter p(a : image<f32>[x]) -> o : image<f32>[x]\n"
        "{ require a.x == 1; o[x in 0 ..< a.x] = (a[x + 1] border zero) + 0.5 * o[x - 1]; }\n");
    float one = 3;
    const struct samples input = {
        .scalar = SCALAR_F32, .rank = 1, .extent = {1}, .data = (unsigned char *)&one};
    struct samples output = {.rank = 0};
    struct interpretation run = {.session = session, .inputs = &input, .outputs = &output};
    assert_true(interpret_graph(graph, &run));
    assert_true(*(float *)output.data == 1.5f);
    samples_free(&output);
    session_destroy(session);
}

static int64_t sum_to(int64_t x)
{
    int64_t sum = 0;
    for (int64_t i = 0; i <= at_most(at_least(x, 0), COUNT - 1); i++)
        sum += sample(i);
    return sum;
}

/* A recurrence with an initial state is not computed beyond its box; what reads it under a rule
 * is. */
static void readers_of_recurrences(void **state)
{
    (void)state;
    expect("sum",
           "filter p(a : image<i32>[x]) -> o : image<i32>[x]\n"
           "{ s[x] : i32 = a[x] + s[x - 1] border zero; t[x in 0 .. 3] = s[abs(x)] border clamp;\n"
           "  u[x in 0 .. 3] = s[x] border clamp;\n"
           "  o[x in 0 ..< 10] = u[x - 3] border extend + 0 * t[x - 3] border extend; }\n",
           sum_to, -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_mean_what_they_say),
        cmocka_unit_test(names_and_blocks_do_not_matter),
        cmocka_unit_test(stages_in_filters_that_are_called),
        cmocka_unit_test(readers_of_readers_reach_further),
        cmocka_unit_test(axes_without_a_name),
        cmocka_unit_test(lines_of_one_sample),
        cmocka_unit_test(readers_of_recurrences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
