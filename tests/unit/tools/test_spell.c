/* Texts of helpers in the words of a language: which products are calls. */
#include "../../../tools/spell.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct words plain = {
    .function = "device",
    .local = "static ",
    .memory = "",
    .lanes = "#pragma lanes",
    .product = {[REAL_F32] = "mul32", [REAL_F64] = "mul64"},
    .quotient = {[REAL_F32] = "div32", [REAL_F64] = "div64"},
};

/* Of a language with address spaces, whose compiler rounds as is written. */
static const struct words with_spaces = {
    .function = "device", .local = "", .memory = "global ", .lanes = "#pragma lanes"};

static void expect_in(void **state, const struct words *words, const char *text,
                      const char *expected)
{
    struct speller speller = {.arena = *state, .words = words};
    assert_string_equal(expected, spell(&speller, text).bytes);
}

static void expect(void **state, const char *text, const char *expected)
{
    expect_in(state, &plain, text, expected);
}

/* The body of a function with parameters of each type. */
static void expect_body(void **state, const char *body, const char *expected)
{
    const char *const signature =
        "float f(float a, double b, int n, const float *x, int64_t k)\n{\n"
        "    %s\n}\n";
    expect(state, arena_format(*state, signature, body), arena_format(*state, signature, expected));
}

static void definitions_begin_with_the_word(void **state)
{
    expect(state, "static inline int f(int n)\n{\n    static const int t[] = {1, 2};\n}\n",
           "device int f(int n)\n{\n    static const int t[] = {1, 2};\n}\n");
    expect(state, "/* static inline */\nFLT_INLINE void g(void)\n{\n}\nstatic int h(void);\n",
           "/* static inline */\ndevice void g(void)\n{\n}\ndevice int h(void);\n");
}

static void products_of_reals_are_calls(void **state)
{
    expect_body(state, "return a * b;", "return mul64(a, b);");
    expect_body(state, "a = a * a + 1;", "a = mul32(a, a) + 1;");
    expect_body(state, "a = 1 - (a + 1) * (a - 1) * a;", "a = 1 - mul32(mul32(a + 1, a - 1), a);");
    expect_body(state, "a = -(a * 2.0f) / a;", "a = -div32(mul32(a, 2.0f), a);");
    expect_body(state, "b = 0x1.8p-3 * n + 1e-3f * a;",
                "b = mul64(0x1.8p-3, n) + mul32(1e-3f, a);");
    expect_body(state, "b *= a + 1;", "b = mul64(b, a + 1);");
    expect_body(state, "a = x[n * k] * x[2 * n + 1];", "a = mul32(x[n * k], x[2 * n + 1]);");
    expect_body(state, "a = fabsf(a * a) * a;", "a = mul32(fabsf(mul32(a, a)), a);");
    expect_body(state, "a = (n > 1 ? a : 2) * n;", "a = mul32(n > 1 ? a : 2, n);");
    expect_body(state, "a = n ? a * a\n                : a;",
                "a = n ? mul32(a, a)\n                : a;");
}

static void products_of_integers_stay(void **state)
{
    expect_body(state, "n = n * n + (int)a * n % 3;", "n = n * n + (int)a * n % 3;");
    expect_body(state, "n *= 2;", "n *= 2;");
    expect_body(state, "k = (a > 1) * k + sizeof a * k;", "k = (a > 1) * k + sizeof a * k;");
    expect_body(state, "b = (double)k * n / 4;", "b = div64(mul64((double)k, n), 4);");
    expect_body(state, "k = (int64_t)(a * 2) * k;", "k = (int64_t)(mul32(a, 2)) * k;");
    expect_body(state, "k = 0xff * k + 07 * n;", "k = 0xff * k + 07 * n;");
}

static void declarations_tell_types(void **state)
{
    expect_body(state, "const int i = n * 2, j = i * i; const double v = i * b, w = v * j;",
                "const int i = n * 2, j = i * i; const double v = mul64(i, b), w = mul64(v, j);");
    expect_body(state, "float *const y = x + n * k, z = *y; a = y[0] * z;",
                "float *const y = x + n * k, z = *y; a = mul32(y[0], z);");
    expect_body(
        state, "const float t[2] = {a * a, b}; for (int a = 0, b = 1; a * b < n; a++) t[a];",
        "const float t[2] = {mul32(a, a), b}; for (int a = 0, b = 1; a * b < n; a++) t[a];");
    /* A name means in each function what it is declared to be there. */
    expect(state,
           "int f(int m)\n{\n    return m * m;\n}\ndouble g(double m)\n{\n    return m * f(2) * "
           "f(3);\n}\n",
           "int f(int m)\n{\n    return m * m;\n}\n"
           "double g(double m)\n{\n    return mul64(mul64(m, f(2)), f(3));\n}\n");
}

static void members_have_types_of_their_own(void **state)
{
    expect(state,
           "struct pair {\n    double hi, lo;\n};\nstruct words {\n    uint32_t w[4];\n};\n"
           "double f(struct pair p, struct words c, float hi, float w)\n{\n"
           "    p.hi *= 2;\n    return p.hi * p.lo + hi * w + c.w[0] * c.w[1];\n}\n",
           "struct pair {\n    double hi, lo;\n};\nstruct words {\n    uint32_t w[4];\n};\n"
           "double f(struct pair p, struct words c, float hi, float w)\n{\n"
           "    p.hi = mul64(p.hi, 2);\n"
           "    return mul64(p.hi, p.lo) + mul32(hi, w) + c.w[0] * c.w[1];\n}\n");
}

/* Names that texts before declare are known. */
static void texts_follow_one_another(void **state)
{
    struct speller speller = {.arena = *state, .words = &plain};
    spell(&speller, "static inline double g(int n)\n{\n    return n;\n}\n");
    assert_string_equal(
        "device double f(int n)\n{\n    return mul64(g(n), n);\n}\n",
        spell(&speller, "static inline double f(int n)\n{\n    return g(n) * n;\n}\n").bytes);
}

static void what_is_for_processors_is_left_out(void **state)
{
    expect(state,
           "static void f(float v)\n{\n#ifdef FLT_V4\n    g(v * v);\n#endif\n    FLT_SIMD\n"
           "    for (int l = 0; l < 4; l++)\n        h(v * l);\n}\n",
           "device void f(float v)\n{\n    #pragma lanes\n"
           "    for (int l = 0; l < 4; l++)\n        h(mul32(v, l));\n}\n");
}

static void memory_of_all_threads_is_told(void **state)
{
    expect_in(
        state, &with_spaces,
        "static float *f(const float *x, double rest[1], const float w[], struct pair *p)\n{\n"
        "    static const int t[2] = {1, 2};\n    const float *const y = x + t[0];\n"
        "    rest[0] = y[0] * w[1];\n    rest[0] *= 2;\n    return (float *)y;\n}\n",
        "device float global *f(const float global *x, double rest[1], const float w[], struct "
        "pair *p)\n{\n"
        "    const int t[2] = {1, 2};\n    const float global *const y = x + t[0];\n"
        "    rest[0] = y[0] * w[1];\n    rest[0] *= 2;\n    return (float *)y;\n}\n");
}

static int open_arena(void **state)
{
    *state = arena_create();
    return 0;
}

static int close_arena(void **state)
{
    arena_destroy(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(definitions_begin_with_the_word),    TEST(products_of_reals_are_calls),
        TEST(products_of_integers_stay),          TEST(declarations_tell_types),
        TEST(members_have_types_of_their_own),    TEST(texts_follow_one_another),
        TEST(what_is_for_processors_is_left_out), TEST(memory_of_all_threads_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
