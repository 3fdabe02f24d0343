/* Text: growth, indentation, columns, and the decimal form of reals. */
#include "support/text.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_new_text_is_empty(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct text text = text_create(arena);
    assert_string_equal(text.bytes, "");
    assert_int_equal(text.length, 0);
    assert_int_equal(text_column(&text), 0);
    arena_destroy(arena);
}

static void prints_and_grows(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    for (int i = 0; i < 1000; i++)
        text_print(&text, "%d,", i);
    text_print(&text, "%3000d", 1);
    assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 3000);
    assert_int_equal(strlen(text.bytes), text.length);
    assert_memory_equal(text.bytes, "0,1,2,3,", 8);
    assert_int_equal(text.bytes[text.length - 1], '1');
    arena_destroy(arena);
}

static void appends_bytes_as_they_are(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    text_append(&text, "a\0b%d", 5);
    text_append(&text, "", 0);
    assert_int_equal(text.length, 5);
    assert_memory_equal(text.bytes, "a\0b%d", 6);
    arena_destroy(arena);
}

static void indents_lines_that_are_not_empty(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    text_print(&text, "for {\n");
    text.indent = 4;
    text_print(&text, "a;\n\nb");
    text_print(&text, ";\n");
    text_print(&text, "\n");
    text.indent = 0;
    text_print(&text, "}\n");
    assert_string_equal(text.bytes, "for {\n    a;\n\n    b;\n\n}\n");
    arena_destroy(arena);
}

static void columns_count_from_the_line_start(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    text_print(&text, "abc");
    assert_int_equal(text_column(&text), 3);
    text_print(&text, "\n");
    assert_int_equal(text_column(&text), 0);
    text.indent = 4;
    assert_int_equal(text_column(&text), 4);
    text_print(&text, "x");
    assert_int_equal(text_column(&text), 5);
    arena_destroy(arena);
}

static void assert_real(struct arena *arena, double value, int float_bits, const char *expected)
{
    struct text text = text_create(arena);
    text_real(&text, value, float_bits);
    assert_string_equal(text.bytes, expected);
}

static void reals_take_their_shortest_form(void **state)
{
    (void)state;
    static const struct {
        double value;
        int float_bits;
        const char *expected;
    } row[] = {
        {0.0, 64, "0.0"},
        {-0.0, 64, "-0.0"},
        {2.0, 64, "2.0"},
        {-100.0, 64, "-100.0"},
        {0.1, 64, "0.1"},
        {0.1, 32, "0.1"},
        {0.1f, 64, "0.10000000149011612"},
        {0.3, 64, "0.3"},
        {0.1 + 0.2, 64, "0.30000000000000004"},
        {1.0 / 3.0, 64, "0.3333333333333333"},
        {1.0 / 3.0, 32, "0.33333334"},
        {1e-4, 64, "0.0001"},
        {0.00125, 64, "0.00125"},
        {1e-5, 64, "1e-05"},
        {1e-6, 32, "1e-06"},
        {-1.5e-7, 64, "-1.5e-07"},
        {123.456, 64, "123.456"},
        {16777216.0, 32, "16777216.0"},
        {1e15, 64, "1000000000000000.0"},
        {1e16, 64, "1e+16"},
        {1.25e100, 64, "1.25e+100"},
        {9007199254740993.0, 64, "9007199254740992.0"},
        {DBL_MAX, 64, "1.7976931348623157e+308"},
        {DBL_MIN, 64, "2.2250738585072014e-308"},
        {4.9406564584124654e-324, 64, "5e-324"},
        {FLT_MAX, 32, "3.4028235e+38"},
        {1.4e-45, 32, "1e-45"},
        {0x1p-44, 64, "5.684341886080802e-14"}, /* not the nearest of 16 digits */
        {INFINITY, 64, "inf"},
        {-INFINITY, 32, "-inf"},
        {NAN, 64, "nan"},
        {-NAN, 64, "nan"},
        {1e300, 32, "inf"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        assert_real(arena, row[i].value, row[i].float_bits, row[i].expected);
    arena_destroy(arena);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void reals_read_back(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        const struct arena_mark mark = arena_mark(arena);
        const uint64_t bits = next_random(&seed);
        const uint32_t half = (uint32_t)(bits >> 32);
        double wide;
        float narrow;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &half, sizeof narrow);
        struct text text = text_create(arena), short_text = text_create(arena);
        text_real(&text, wide, 64);
        text_real(&short_text, (double)narrow, 32);
        assert_true(isnan(wide) || strtod(text.bytes, NULL) == wide);
        assert_true(isnan(narrow) || strtof(short_text.bytes, NULL) == narrow);
        assert_non_null(strpbrk(text.bytes, ".en"));
        arena_release(arena, mark);
    }
    arena_destroy(arena);
}

static void identifiers_are_found_whole_and_alone(void **state)
{
    (void)state;
    assert_true(text_mentions("a", "a"));
    assert_false(text_mentions("x = frame->a + all.a;", "a"));
    assert_true(text_mentions("x = a->b;", "a"));
    assert_false(text_mentions("ab + ba + a_ + a1 + _a", "a"));
    assert_false(text_mentions("/* a */ b /* of a", "a"));
    assert_true(text_mentions("/* a *//* b */a", "a"));
    assert_false(text_mentions("/* b *//* a */", "a"));
    assert_false(text_mentions("", "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_text_is_empty),
        cmocka_unit_test(prints_and_grows),
        cmocka_unit_test(appends_bytes_as_they_are),
        cmocka_unit_test(indents_lines_that_are_not_empty),
        cmocka_unit_test(columns_count_from_the_line_start),
        cmocka_unit_test(reals_take_their_shortest_form),
        cmocka_unit_test(reals_read_back),
        cmocka_unit_test(identifiers_are_found_whole_and_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
