/* UTF-8: well-formed sequences, each kind of malformed one, and column widths. */
#include "support/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void assert_decodes(const char *text, uint32_t code_point, size_t length)
{
    size_t bytes;
    assert_int_equal(utf8_decode(text, strlen(text), &bytes), code_point);
    assert_int_equal(bytes, length);
}

static void well_formed(void **state)
{
    (void)state;
    assert_decodes("a", 'a', 1);
    assert_decodes("\x7F", 0x7F, 1);
    assert_decodes("\xC2\x80", 0x80, 2);
    assert_decodes("é!", 0xE9, 2);
    assert_decodes("\u07FF", 0x7FF, 2);
    assert_decodes("…", 0x2026, 3);
    assert_decodes("\uFFFD", 0xFFFD, 3);
    assert_decodes("😀x", 0x1F600, 4);
    assert_decodes("\U0010FFFF", 0x10FFFF, 4);
    size_t bytes;
    assert_int_equal(utf8_decode("\0", 1, &bytes), 0);
    assert_int_equal(bytes, 1);
}

static void malformed_takes_one_byte(void **state)
{
    (void)state;
    static const char *const text[] = {
        "\x80",             /* continuation first */
        "\xFF",             /* in no sequence */
        "\xC3",             /* cut short */
        "\xC3(",            /* not continued */
        "\xE2\x80",         /* cut short */
        "\xC0\xAF",         /* overlong */
        "\xE0\x80\xAF",     /* overlong */
        "\xF0\x80\x80\xAF", /* overlong */
        "\xED\xA0\x80",     /* surrogate */
        "\xF4\x90\x80\x80", /* above 10FFFF */
        "\xF8\x88\x80\x80\x80",
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        assert_decodes(text[i], UTF8_REPLACEMENT, 1);
}

static void stays_within_the_length(void **state)
{
    (void)state;
    size_t bytes;
    assert_int_equal(utf8_decode("…", 2, &bytes), UTF8_REPLACEMENT);
    assert_int_equal(bytes, 1);
}

static void columns(void **state)
{
    (void)state;
    assert_int_equal(utf8_columns('a'), 1);
    assert_int_equal(utf8_columns(0xE9), 1);
    assert_int_equal(utf8_columns(0x0301), 0);
    assert_int_equal(utf8_columns(0x4E2D), 2);
    assert_int_equal(utf8_columns(0x3099), 0);
    assert_int_equal(utf8_columns(0xAC00), 2);
    assert_int_equal(utf8_columns(0xFF61), 1);
    assert_int_equal(utf8_columns(0x1F600), 2);
    assert_int_equal(utf8_columns(0x10FFFF), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed),
        cmocka_unit_test(malformed_takes_one_byte),
        cmocka_unit_test(stays_within_the_length),
        cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
