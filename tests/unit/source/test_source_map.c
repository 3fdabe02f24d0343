/* The source map: offsets to files, lines and columns, at every edge. */
#include "source/source_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct source_file *add(struct source_map *map, const char *name, const char *text)
{
    return source_map_add(map, name, text, strlen(text));
}

static void assert_place(const struct source_map *map, uint32_t offset,
                         const struct source_file *file, uint32_t line, uint32_t column)
{
    const struct source_place place = source_map_place(map, offset);
    assert_ptr_equal(place.file, file);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void an_empty_map_has_no_places(void **state)
{
    (void)state;
    const struct source_map map = {0};
    assert_null(source_map_file(&map, 0));
    assert_null(source_map_file(&map, 1));
    assert_place(&map, 0, NULL, 0, 0);
}

static void files_lie_end_to_end_from_offset_1(void **state)
{
    (void)state;
    struct source_map map = {.arena = arena_create()};
    const struct source_file *a = add(&map, "a.flt", "ab\n");
    const struct source_file *empty = add(&map, "empty.flt", "");
    const struct source_file *b = add(&map, "b.flt", "x");
    assert_int_equal(a->start, 1);
    assert_int_equal(empty->start, 5);
    assert_int_equal(b->start, 6);
    assert_int_equal(map.end, 8);
    const struct source_file *const expected[] = {NULL, a, a, a, a, empty, b, b, NULL};
    for (uint32_t offset = 0; offset < 9; offset++)
        assert_ptr_equal(source_map_file(&map, offset), expected[offset]);
    arena_destroy(map.arena);
}

static void name_and_text_are_copied(void **state)
{
    (void)state;
    struct source_map map = {.arena = arena_create()};
    char name[] = "n", text[] = "t\0u";
    const struct source_file *file = source_map_add(&map, name, text, 3);
    name[0] = text[0] = '-';
    assert_string_equal(file->name, "n");
    assert_int_equal(file->length, 3);
    assert_memory_equal(file->text, "t\0u", 4);
    arena_destroy(map.arena);
}

static void lines_and_columns_count_from_1(void **state)
{
    (void)state;
    struct source_map map = {.arena = arena_create()};
    const struct source_file *a = add(&map, "a.flt", "ab\n\nc\n");
    const struct source_file *b = add(&map, "b.flt", "\né!");
    assert_int_equal(a->line_count, 4);
    assert_int_equal(a->line[2], 4);
    assert_place(&map, 1, a, 1, 1);
    assert_place(&map, 2, a, 1, 2);
    assert_place(&map, 3, a, 1, 3); /* the newline is the end of its line */
    assert_place(&map, 4, a, 2, 1);
    assert_place(&map, 5, a, 3, 1);
    assert_place(&map, 6, a, 3, 2);
    assert_place(&map, 7, a, 4, 1); /* the end of the file */
    assert_place(&map, 8, b, 1, 1);
    assert_place(&map, 9, b, 2, 1);
    assert_place(&map, 11, b, 2, 3); /* columns are bytes */
    assert_place(&map, 12, b, 2, 4);
    assert_place(&map, 13, NULL, 0, 0);
    arena_destroy(map.arena);
}

static void every_offset_of_many_files_is_found(void **state)
{
    (void)state;
    struct source_map map = {.arena = arena_create()};
    for (int i = 0; i < 50; i++)
        add(&map, arena_format(map.arena, "%d", i), "one\ntwo\n\nfour");
    uint32_t offset = 1;
    for (int i = 0; i < 50; i++) {
        const struct source_file *file = map.file.item[i];
        uint32_t line = 1, column = 1;
        for (uint32_t at = 0; at <= file->length; at++, offset++) {
            assert_place(&map, offset, file, line, column);
            const bool newline = file->text[at] == '\n';
            line += newline;
            column = newline ? 1 : column + 1;
        }
    }
    arena_destroy(map.arena);
}

static void reserved_offsets_are_in_no_file(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct source_map map = {.arena = arena};
    source_map_reserve(&map, 100);
    assert_null(source_map_file(&map, 50));
    const struct source_file *file = source_map_add(&map, "x.graph", "graph f", 7);
    assert_int_equal(file->start, 100);
    assert_null(source_map_file(&map, 99));
    assert_null(source_map_place(&map, 50).file);
    assert_ptr_equal(source_map_file(&map, 100), file);
    arena_destroy(arena);
}

static void a_full_map_takes_no_more(void **state)
{
    (void)state;
    struct source_map map = {.arena = arena_create(), .end = (UINT32_C(1) << 31) - 4};
    assert_null(source_map_add(&map, "large", "1234", 4));
    assert_null(source_map_add(&map, "huge", "", SIZE_MAX));
    assert_int_equal(map.file.count, 0);
    assert_non_null(source_map_add(&map, "fits", "123", 3));
    assert_int_equal(map.end, UINT32_C(1) << 31);
    arena_destroy(map.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_no_places),
        cmocka_unit_test(files_lie_end_to_end_from_offset_1),
        cmocka_unit_test(name_and_text_are_copied),
        cmocka_unit_test(lines_and_columns_count_from_1),
        cmocka_unit_test(every_offset_of_many_files_is_found),
        cmocka_unit_test(reserved_offsets_are_in_no_file),
        cmocka_unit_test(a_full_map_takes_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
