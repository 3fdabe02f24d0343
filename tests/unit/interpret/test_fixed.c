/* Numbers of fixed point against rational arithmetic: conversions of every number of small types in
 * every mode, wide ones at their ends, arithmetic of every pair of numbers. */
#include "frontend/elaborate.h"
#include "interpret/interpret.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph_of_text.h"

struct format {
    bool has_sign;
    int bits, fraction;
};

static int64_t least_of(struct format f)
{
    return f.has_sign ? -((int64_t)1 << (f.bits - 1)) : 0;
}

static int64_t greatest_of(struct format f)
{
    const int64_t half = (int64_t)1 << (f.bits - 1);
    return f.has_sign ? half - 1 : half - 1 + half;
}

static enum scalar stored_in(struct format f)
{
    return scalar_holding((struct interval){least_of(f), greatest_of(f)});
}

static void print_format(struct text *text, struct format f, const char *modes)
{
    text_print(text, "%s<%d, %d%s>", f.has_sign ? "fixed" : "ufixed", f.bits - f.fraction,
               f.fraction, modes);
}

/* ---- Rational numbers: numerator / denominator, which is positive ---- */

typedef __int128 wide;

static wide floor_of(wide numerator, wide denominator)
{
    const wide quotient = numerator / denominator;
    return quotient - (numerator % denominator < 0);
}

/* The integer near it: mode 0 to even, 1 up, 2 floor, 3 toward zero. */
static wide rounded(wide numerator, wide denominator, int mode)
{
    const wide below = floor_of(numerator, denominator);
    const wide twice = 2 * (numerator - below * denominator);
    if (mode == 0)
        return below + (twice > denominator || (twice == denominator && below % 2 != 0));
    if (mode == 1)
        return below + (twice >= denominator);
    return below + (mode == 3 && numerator < 0 && twice != 0);
}

static int64_t limited(wide value, struct format to, bool wraps)
{
    const wide turn = (wide)1 << to.bits;
    if (!wraps)
        return (int64_t)(value < least_of(to)      ? least_of(to)
                         : value > greatest_of(to) ? greatest_of(to)
                                                   : value);
    value -= floor_of(value, turn) * turn;
    return (int64_t)(value > greatest_of(to) ? value - turn : value);
}

/* integer * 2^-fraction in steps of the format; |digits| is at most 60. */
static int64_t converted(int64_t integer, int fraction, struct format to, int mode, bool wraps)
{
    const int digits = to.fraction - fraction;
    const wide up = digits > 0 ? (wide)1 << digits : 1;
    const wide down = digits < 0 ? (wide)1 << -digits : 1;
    return limited(rounded(integer * up, down, mode), to, wraps);
}

/* ---- Programs ---- */

struct line {
    struct samples samples;
};

static struct line line_of(enum scalar scalar, int64_t count)
{
    struct line line = {{.scalar = scalar, .rank = 1, .extent = {count}}};
    assert_true(samples_allocate(&line.samples));
    return line;
}

static void put(struct line *line, int64_t place, struct value value)
{
    samples_write(&line->samples, (int64_t[]){place}, value);
}

static struct value at(const struct line *line, int64_t place)
{
    return samples_read(&line->samples, (int64_t[]){place});
}

static struct line run_text(const char *text, unsigned count, const struct line input[])
{
    void *session;
    struct samples inputs[2];
    open_session(&session);
    struct line out = {{0}};
    for (unsigned i = 0; i < count; i++)
        inputs[i] = input[i].samples;
    struct interpretation run = {.session = session, .inputs = inputs, .outputs = &out.samples};
    const struct graph *graph = graph_of(session, text);
    if (!interpret_graph(graph, &run))
        fail_msg("%s: %s", text, run.problem);
    close_session(&session);
    return out;
}

static const char *const rounding[] = {"nearest_even", "nearest_up", "floor", "toward_zero"};

static void check_conversion(struct format from, struct format to, int mode, bool wraps,
                             struct line *in)
{
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    text_print(&text, "filter f(in : image<");
    print_format(&text, from, "");
    text_print(&text, ">[x]) -> out : image<");
    print_format(&text, to,
                 arena_format(arena, ", %s, %s", rounding[mode], wraps ? "wrap" : "saturate"));
    text_print(&text, ">[x] { out[x] = in[x]; }");
    struct line out = run_text(text.bytes, 1, in);
    assert_int_equal(out.samples.scalar, stored_in(to));
    for (int64_t i = 0; i < in->samples.extent[0]; i++) {
        const int64_t wanted = converted(at(in, i).integer, from.fraction, to, mode, wraps);
        if (at(&out, i).integer != wanted)
            fail_msg("%s: %lld gives %lld, not %lld", text.bytes, (long long)at(in, i).integer,
                     (long long)at(&out, i).integer, (long long)wanted);
    }
    samples_free(&out.samples);
    arena_destroy(arena);
}

static void check_all_modes(struct format from, struct format to, struct line *in)
{
    for (int mode = 0; mode < 4; mode++)
        for (int wraps = 0; wraps < 2; wraps++)
            check_conversion(from, to, mode, wraps, in);
}

static struct line all_numbers(struct format f)
{
    const int64_t count = greatest_of(f) - least_of(f) + 1;
    struct line line = line_of(stored_in(f), count);
    for (int64_t i = 0; i < count; i++)
        put(&line, i, (struct value){.integer = least_of(f) + i});
    return line;
}

static void small_conversions(void **state)
{
    (void)state;
    static const int fraction[] = {-3, 0, 2, 5};
    for (int bits = 1; bits <= 10; bits++)
        for (int sign = 0; sign < 2; sign++) {
            const struct format from = {sign, bits, fraction[(bits + sign) % 4]};
            struct line in = all_numbers(from);
            for (int to_bits = 1; to_bits <= 10; to_bits += 1 + (to_bits + bits) % 2)
                for (int to_sign = 0; to_sign < 2; to_sign++)
                    for (int digits = -11; digits <= 5; digits += 1 + (digits < -4))
                        check_all_modes(
                            from, (struct format){to_sign, to_bits, from.fraction + digits}, &in);
            samples_free(&in.samples);
        }
}

/* At the ends of wide types, and around halves of what is rounded. */
static void wide_conversions(void **state)
{
    (void)state;
    static const struct format wide_format[] = {{true, 63, 0},   {false, 63, 7}, {true, 62, 40},
                                                {true, 33, 31},  {false, 32, 0}, {true, 31, -5},
                                                {false, 48, 60}, {true, 63, 63}, {true, 17, 3}};
    enum { FORMATS = sizeof wide_format / sizeof wide_format[0], NUMBERS = 400 };
    for (int i = 0; i < FORMATS; i++) {
        const struct format from = wide_format[i];
        struct line in = line_of(stored_in(from), NUMBERS);
        for (int k = 0; k < NUMBERS; k++) {
            const int shift = k / 4 % from.bits;
            const int64_t near = ((int64_t)1 << shift) + k % 4 - 2;
            const int64_t value = k % 3 == 0   ? least_of(from) + k
                                  : k % 3 == 1 ? greatest_of(from) - near
                                               : least_of(from) / 2 + near;
            put(&in, k,
                (struct value){.integer = value < least_of(from)      ? least_of(from)
                                          : value > greatest_of(from) ? greatest_of(from)
                                                                      : value});
        }
        for (int k = 0; k < FORMATS; k++)
            if (abs(wide_format[k].fraction - from.fraction) <= 60)
                check_all_modes(from, wide_format[k], &in);
        for (int digits = -66; digits < -60; digits++) /* all that is left is rounding */
            check_conversion(from, (struct format){true, 8, from.fraction + digits}, 2, false,
                             &(struct line){{.scalar = stored_in(from), .rank = 1, .extent = {0}}});
        samples_free(&in.samples);
    }
}

/* Modulo 2^63, which no constant is: of values that go beyond an end of the type by one, or by as
 * much as they can. */
static void check_wrap(struct format to, int64_t least, int64_t greatest)
{
    const wide ends[] = {least, least_of(to), greatest_of(to), greatest};
    enum { NEAR = 2, NUMBERS = 4 * (2 * NEAR + 1) };
    struct line in = line_of(SCALAR_I64, NUMBERS);
    for (int i = 0; i < NUMBERS; i++) {
        const wide value = ends[i % 4] + i / 4 - NEAR;
        put(&in, i,
            (struct value){.integer = (int64_t)(value < least      ? least
                                                : value > greatest ? greatest
                                                                   : value)});
    }
    char text[300];
    snprintf(text, sizeof text,
             "filter f(in : image<i64>[x]) -> out : image<%s<63, 0, floor, wrap>>[x] "
             "{ out[x] = clamp(in[x], -%lld - 1, %lld); }",
             to.has_sign ? "fixed" : "ufixed", (long long)-(least + 1), (long long)greatest);
    struct line out = run_text(text, 1, &in);
    for (int i = 0; i < NUMBERS; i++)
        assert_int_equal(at(&out, i).integer, limited(at(&in, i).integer, to, true));
    samples_free(&in.samples);
    samples_free(&out.samples);
}

static void wraps_into_63_bits(void **state)
{
    (void)state;
    static const struct format to[] = {{true, 63, 0}, {false, 63, 0}};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
        const int64_t least = least_of(to[k]), greatest = greatest_of(to[k]);
        check_wrap(to[k], INT64_MIN, INT64_MAX);
        check_wrap(to[k], least - 1, greatest);
        if (greatest < INT64_MAX)
            check_wrap(to[k], least, greatest + 1);
    }
}

/* ---- Floats ---- */

static void float_conversions(void **state)
{
    (void)state;
    enum { STEPS = 1 << 12, SPECIAL = 6 };
    const double special[SPECIAL] = {(double)NAN, (double)INFINITY, (double)-INFINITY,
                                     1e300,       -1e300,           -0.0};
    const struct format to = {true, 7, 4};
    struct line in = line_of(SCALAR_F64, STEPS + SPECIAL);
    for (int i = 0; i < STEPS; i++) /* in steps of 2^-7, three digits more than are kept */
        put(&in, i, (struct value){.f64 = ldexp(i - STEPS / 2, -7)});
    for (int i = 0; i < SPECIAL; i++)
        put(&in, STEPS + i, (struct value){.f64 = special[i]});
    for (int mode = 0; mode < 4; mode++)
        for (int wraps = 0; wraps < 2; wraps++) {
            char text[300];
            snprintf(text, sizeof text,
                     "filter f(in : image<f64>[x]) -> out : image<fixed<3, 4>>[x] "
                     "{ out[x] = fixed<3, 4, %s, %s>(in[x]); }",
                     rounding[mode], wraps ? "wrap" : "saturate");
            struct line out = run_text(text, 1, &in);
            for (int i = 0; i < STEPS; i++)
                assert_int_equal(at(&out, i).integer, converted(i - STEPS / 2, 7, to, mode, wraps));
            assert_int_equal(at(&out, STEPS).integer, 0);
            for (int i = 1; i < 5 && !wraps; i++)
                assert_int_equal(at(&out, STEPS + i).integer, special[i] > 0 ? 63 : -64);
            assert_int_equal(at(&out, STEPS + 5).integer, 0);
            samples_free(&out.samples);
        }
    samples_free(&in.samples);
}

static void to_other_types(void **state)
{
    (void)state;
    const struct format from = {true, 12, 3}, byte = {false, 8, 0};
    struct line in = all_numbers(from);
    struct line nearest = run_text("filter f(in : image<fixed<9, 3>>[x]) -> out : image<u8>[x] "
                                   "{ out[x] = u8(in[x]); }",
                                   1, &in);
    struct line cut = run_text("filter f(in : image<fixed<9, 3>>[x]) -> out : image<u8>[x] "
                               "{ out[x] = trunc<u8>(in[x]); }",
                               1, &in);
    struct line real = run_text("filter f(in : image<fixed<9, 3>>[x]) -> out : image<f32>[x] "
                                "{ out[x] = in[x]; }",
                                1, &in);
    struct line up = run_text("filter f(in : image<fixed<9, 3>>[x]) -> out : image<i16>[x] "
                              "{ out[x] = i16(ceil(in[x]) + 2 * round(in[x]) + 4 * trunc(in[x]) "
                              "+ 8 * floor(in[x])); }",
                              1, &in);
    for (int64_t i = 0; i < in.samples.extent[0]; i++) {
        const int64_t n = at(&in, i).integer;
        const double value = (double)n / 8;
        assert_int_equal(at(&nearest, i).integer, converted(n, 3, byte, 0, false));
        assert_int_equal(at(&cut, i).integer, converted(n, 3, byte, 3, false));
        assert_true((double)at(&real, i).f32 == value);
        assert_int_equal(at(&up, i).integer,
                         ceil(value) + 2 * rint(value) + 4 * trunc(value) + 8 * floor(value));
    }
    samples_free(&in.samples);
    samples_free(&nearest.samples);
    samples_free(&cut.samples);
    samples_free(&real.samples);
    samples_free(&up.samples);
}

/* ---- Arithmetic ---- */

/* Both numbers over 2^steps: what the operation gives over 2^result, rounded down. */
static wide exactly(char operation, wide a, wide b, int steps, int result)
{
    const wide unit = (wide)1 << steps, to = (wide)1 << result;
    if (operation == '+')
        return (a + b) * to / unit;
    if (operation == '-')
        return (a - b) * to / unit;
    if (operation == '*')
        return a * b * to / (unit * unit);
    if (b == 0)
        return 0;
    if (b < 0) {
        a = -a;
        b = -b;
    }
    if (operation == '/')
        return floor_of(a * to, b);
    return (a - floor_of(a, b) * b) * to / unit;
}

static wide remainder_of(wide a, wide b)
{
    return b == 0 ? 0 : b > 0 ? a - floor_of(a, b) * b : -(-a - floor_of(-a, -b) * -b);
}

static void arithmetic(void **state)
{
    (void)state;
    const struct format a = {true, 6, 2}, b = {true, 5, 3};
    const int steps = 3;
    const int64_t first = greatest_of(a) - least_of(a) + 1,
                  second = greatest_of(b) - least_of(b) + 1;
    struct line in[2] = {line_of(stored_in(a), first * second),
                         line_of(stored_in(b), first * second)};
    for (int64_t i = 0; i < first * second; i++) {
        put(&in[0], i, (struct value){.integer = least_of(a) + i / second});
        put(&in[1], i, (struct value){.integer = least_of(b) + i % second});
    }
    static const char operations[] = "+-*/%";
    for (int o = 0; operations[o]; o++) {
        char text[300];
        const int fraction = operations[o] == '*' ? 5 : 3;
        snprintf(text, sizeof text,
                 "filter f(a : image<fixed<4, 2>>[x], b : image<fixed<2, 3>>[x]) "
                 "-> out : image<fixed<20, %d, refuse>>[x] { out[x] = a[x] %c b[x]; }",
                 fraction, operations[o]);
        struct line out = run_text(text, 2, in);
        for (int64_t i = 0; i < first * second; i++) {
            const wide p = (wide)at(&in[0], i).integer * 2, q = at(&in[1], i).integer;
            const wide wanted = operations[o] == '%'
                                    ? remainder_of(p, q)
                                    : exactly(operations[o], p, q, steps, fraction);
            if (at(&out, i).integer != (int64_t)wanted)
                fail_msg("%lld / 8 %c %lld / 8 is %lld, not %lld", (long long)p, operations[o],
                         (long long)q, (long long)at(&out, i).integer, (long long)wanted);
        }
        samples_free(&out.samples);
    }
    samples_free(&in[0].samples);
    samples_free(&in[1].samples);
}

/* ---- Memory that holds more than its type ---- */

enum { HELD = 6 };

static void check_held(const char *text, enum scalar scalar, const int64_t given[HELD],
                       const int64_t wanted[HELD])
{
    struct line in = line_of(scalar, HELD);
    for (int i = 0; i < HELD; i++)
        put(&in, i, (struct value){.integer = given[i]});
    struct line out = run_text(text, 1, &in);
    for (int i = 0; i < HELD; i++)
        if (at(&out, i).integer != wanted[i])
            fail_msg("%s: sample %d is %lld, not %lld", text, i, (long long)at(&out, i).integer,
                     (long long)wanted[i]);
    samples_free(&in.samples);
    samples_free(&out.samples);
}

/* Of ufixed<4, 0> in u8, and of fixed<8, 4> in i16. */
static void inputs_are_held_inside(void **state)
{
    static const struct {
        const char *body;
        int64_t wanted[HELD];
    } small[] = {
        {"o[x] = a[x] + 1;", {4, 16, 16, 16, 16, 8}},
        {"o[x] = a[x - 1] border constant(20);", {20, 3, 15, 15, 15, 15}},
        {"o[x] = max[d in -1 .. 1](a[x + d] border zero);", {15, 15, 15, 15, 15, 15}},
        {"w = a; repeat 1 { w[x] = w[x - 1] border clamp; } o[x] = w[x];", {3, 3, 15, 15, 15, 15}},
        {"w[x] : ufixed<4, 0> = a[x]; repeat 1 { w[x] = w[x - 1] border clamp; } o[x] = w[x];",
         {3, 3, 15, 15, 15, 15}},
        {"w = a; repeat 0 { w = w; } o[x] = w[x];", {3, 15, 15, 15, 15, 7}},
        {"w = a; repeat 2 { w = w; } o[x] = w[x];", {3, 15, 15, 15, 15, 7}},
    };
    static const struct {
        const char *body;
        int64_t wanted[HELD];
    } large[] = {
        {"o = a;", {3, 15, 14, -9, 2047, -2048}},
        {"o = a; repeat 2 { o = o / 2; }", {1, 4, 4, -2, 512, -512}},
        {"v = a; w = v; repeat 1 { w[x] = w[x - 1] border clamp; } o[x] = w[x] + v[x] - v[x];",
         {3, 3, 15, 14, -9, 2047}},
        {"w = a; v[x] : fixed<8, 4> = a[x] / 2; repeat 3 { t = w; w = v; v = t; } o[x] = v[x];",
         {3, 15, 14, -9, 2047, -2048}},
        {"w[x] : fixed<8, 4> = 0 * a[x]; repeat 2 { w = a; } o[x] = w[x];",
         {3, 15, 14, -9, 2047, -2048}},
    };
    static const int64_t bytes[HELD] = {3, 15, 16, 200, 255, 7};
    static const int64_t words[HELD] = {3, 15, 14, -9, 30000, -30000};
    (void)state;
    char text[400];
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        snprintf(text, sizeof text,
                 "filter p(a : image<ufixed<4, 0>>[x]) -> o : image<u8>[x] { %s }", small[i].body);
        check_held(text, SCALAR_U8, bytes, small[i].wanted);
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        snprintf(text, sizeof text,
                 "filter p(a : image<fixed<8, 4>>[x]) -> o : image<fixed<8, 4>>[x] { %s }",
                 large[i].body);
        check_held(text, SCALAR_I16, words, large[i].wanted);
    }
}

/* ---- Steps of a scatter ---- */

/* h[0] OPERATION term of what TYPE, step by step; the sample afterwards. */
static int64_t scattered(const char *type, const char *operation, unsigned count,
                         const int64_t term[])
{
    char text[400];
    snprintf(text, sizeof text,
             "filter p(a : image<i16>[x]) -> o : image<i32>[k] { h[k in 0 ..< 1] : %s; "
             "h[0] %s a[x] over x; o[k] = i32(h[k]); }",
             type, operation);
    struct line in = line_of(SCALAR_I16, count);
    for (unsigned i = 0; i < count; i++)
        put(&in, i, (struct value){.integer = term[i]});
    struct line out = run_text(text, 1, &in);
    const int64_t value = at(&out, 0).integer;
    samples_free(&in.samples);
    samples_free(&out.samples);
    return value;
}

/* The sum is converted; of min= and max= the term. */
static void scatters_convert_each_step(void **state)
{
    enum { TERMS = 5 };
    static const struct {
        const char *type;
        int64_t sum, least, greatest;
        int64_t term[TERMS];
    } rows[] = {
        {"u8", 245, 0, 255, {250, 20, -10, 300, -10}},
        {"wrap<u8>", 10, 0, 250, {1, 3, 256, 250, -500}},
        {"i8", 97, -128, 127, {-300, 400, 1, -30, 0}},
        {"wrap<i8>", 71, -112, 1, {-300, 400, 1, -30, 0}},
        {"fixed<4, 0>", 2, -8, 6, {5, 6, -9, 3, 1}},
        {"fixed<4, 0, wrap>", 6, 1, 7, {5, 6, -9, 3, 1}},
        {"ufixed<4, -2, nearest_up>", 12, 0, 8, {1, 2, 5, -1, 9}},
        {"ufixed<4, -2, floor>", 12, 0, 8, {4, 2, 5, -1, 9}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(scattered(rows[i].type, "+=", TERMS, rows[i].term), rows[i].sum);
        assert_int_equal(scattered(rows[i].type, "min=", TERMS, rows[i].term), rows[i].least);
        assert_int_equal(scattered(rows[i].type, "max=", TERMS, rows[i].term), rows[i].greatest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_conversions),      cmocka_unit_test(wide_conversions),
        cmocka_unit_test(wraps_into_63_bits),     cmocka_unit_test(float_conversions),
        cmocka_unit_test(to_other_types),         cmocka_unit_test(arithmetic),
        cmocka_unit_test(inputs_are_held_inside), cmocka_unit_test(scatters_convert_each_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
