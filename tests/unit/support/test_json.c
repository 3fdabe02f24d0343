/* Texts in JSON. */
#include "support/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *written(struct arena *arena, unsigned lines)
{
    struct text *text = arena_allocate(arena, sizeof *text);
    *text = text_create(arena);
    struct json json = {.out = text, .lines = lines};
    json_open(&json, NULL, '{');
    json_add_text(&json, "name", "a \"b\"\n\x01");
    json_open(&json, "list", '[');
    json_add_integer(&json, NULL, -3);
    json_open(&json, NULL, '{');
    json_add_truth(&json, "yes", true);
    json_add_text(&json, "none", NULL);
    json_close(&json, '}');
    json_close(&json, ']');
    json_open(&json, "empty", '[');
    json_close(&json, ']');
    json_add(&json, "real", "0.1");
    json_close(&json, '}');
    return text->bytes;
}

static void members_stand_in_one_line(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_string_equal(written(arena, 0),
                        "{\"name\": \"a \\\"b\\\"\\n\\u0001\", \"list\": [-3, {\"yes\": true, "
                        "\"none\": null}], \"empty\": [], \"real\": 0.1}");
    arena_destroy(arena);
}

static void outer_levels_have_lines(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_string_equal(
        written(arena, 2),
        "{\n    \"name\": \"a \\\"b\\\"\\n\\u0001\",\n    \"list\": [\n        -3,\n"
        "        {\"yes\": true, \"none\": null}\n    ],\n    \"empty\": [],\n"
        "    \"real\": 0.1\n}");
    arena_destroy(arena);
}

static void what_is_no_utf8_is_replaced(void **state)
{
    struct arena *arena = arena_create();
    struct text text = text_create(arena);
    (void)state;
    json_string(&text, "\xc3\xa4\xff!");
    assert_string_equal(text.bytes, "\"\xc3\xa4\uFFFD!\"");
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_stand_in_one_line),
        cmocka_unit_test(outer_levels_have_lines),
        cmocka_unit_test(what_is_no_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
