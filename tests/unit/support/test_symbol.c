/* Symbols: the same text gives the same pointer. */
#include "support/symbol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void equal_texts_are_one_symbol(void **state)
{
    (void)state;
    struct symbol_table table = {.arena = arena_create()};
    const struct symbol *blur = symbol_from(&table, "blur");
    assert_string_equal(blur->text, "blur");
    assert_int_equal(blur->length, 4);
    assert_ptr_equal(symbol_intern(&table, "blurred", 4), blur);
    assert_ptr_not_equal(symbol_from(&table, "blurred"), blur);
    assert_ptr_not_equal(symbol_from(&table, ""), blur);
    assert_ptr_equal(symbol_from(&table, ""), symbol_intern(&table, "x", 0));
    arena_destroy(table.arena);
}

static void the_text_is_copied(void **state)
{
    (void)state;
    struct symbol_table table = {.arena = arena_create()};
    char name[] = "edge";
    const struct symbol *edge = symbol_from(&table, name);
    name[0] = 'h';
    assert_string_equal(edge->text, "edge");
    assert_ptr_not_equal(symbol_from(&table, name), edge);
    arena_destroy(table.arena);
}

static void formatted_symbols_are_the_same_ones(void **state)
{
    (void)state;
    struct symbol_table table = {.arena = arena_create()};
    const struct symbol *made = symbol_format(&table, "%s_%d", "stage", 3);
    assert_ptr_equal(symbol_from(&table, "stage_3"), made);
    const size_t before = arena_bytes(table.arena);
    assert_ptr_equal(symbol_format(&table, "stage_%d", 3), made);
    assert_int_equal(arena_bytes(table.arena), before);
    arena_destroy(table.arena);
}

static void many_symbols_stay_distinct(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    struct symbol_table table = {.arena = arena_create()};
    const struct symbol *symbol[COUNT];
    for (int i = 0; i < COUNT; i++)
        symbol[i] = symbol_format(&table, "t%d", i);
    for (int i = 0; i < COUNT; i++)
        assert_ptr_equal(symbol_format(&table, "t%d", i), symbol[i]);
    assert_int_equal(table.map.count, COUNT);
    arena_destroy(table.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_are_one_symbol),
        cmocka_unit_test(the_text_is_copied),
        cmocka_unit_test(formatted_symbols_are_the_same_ones),
        cmocka_unit_test(many_symbols_stay_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
