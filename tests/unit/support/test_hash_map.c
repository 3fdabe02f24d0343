/* The hash map: absent keys, replacement, growth, keys by identity and by bytes. */
#include "support/hash_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_map_has_no_keys(void **state)
{
    (void)state;
    const struct hash_map map = {0};
    assert_null(hash_map_find(&map, &map));
    assert_null(hash_map_find_bytes(&map, "a", 1));
}

static void pointers_are_found_by_identity(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    static int key[COUNT], value[COUNT];
    struct arena *arena = arena_create();
    struct hash_map map = {0};
    for (int i = 0; i < COUNT; i += 2)
        hash_map_put(arena, &map, &key[i], &value[i]);
    assert_int_equal(map.count, COUNT / 2);
    for (int i = 0; i < COUNT; i++)
        assert_ptr_equal(hash_map_find(&map, &key[i]), i % 2 ? NULL : &value[i]);
    arena_destroy(arena);
}

static void bytes_are_found_by_content(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static int value[COUNT];
    struct arena *arena = arena_create();
    struct hash_map map = {0};
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_format(arena, "name_%d", i);
        hash_map_put_bytes(arena, &map, name, strlen(name), &value[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        const char *name = arena_format(arena, "name_%d", i);
        assert_ptr_equal(hash_map_find_bytes(&map, name, strlen(name)), &value[i]);
    }
    assert_null(hash_map_find_bytes(&map, "name_3000", 9));
    arena_destroy(arena);
}

static void length_and_zero_bytes_are_part_of_a_key(void **state)
{
    (void)state;
    int empty, one, two;
    struct arena *arena = arena_create();
    struct hash_map map = {0};
    hash_map_put_bytes(arena, &map, NULL, 0, &empty);
    hash_map_put_bytes(arena, &map, "\0", 1, &one);
    hash_map_put_bytes(arena, &map, "\0\0", 2, &two);
    assert_ptr_equal(hash_map_find_bytes(&map, "x", 0), &empty);
    assert_ptr_equal(hash_map_find_bytes(&map, "\0", 1), &one);
    assert_ptr_equal(hash_map_find_bytes(&map, "\0\0", 2), &two);
    arena_destroy(arena);
}

static void a_second_put_replaces(void **state)
{
    (void)state;
    int first, second;
    struct arena *arena = arena_create();
    struct hash_map map = {0};
    hash_map_put(arena, &map, "key", &first);
    hash_map_put(arena, &map, "key", &first);
    hash_map_put_bytes(arena, &map, "bytes", 5, &first);
    hash_map_put_bytes(arena, &map, "bytes", 5, &second);
    assert_ptr_equal(hash_map_find_bytes(&map, "bytes", 5), &second);
    assert_int_equal(map.count, 2);
    arena_destroy(arena);
}

static void hashes_depend_on_bytes_and_seed(void **state)
{
    (void)state;
    assert_true(hash_bytes("abc", 3, 0) == hash_bytes("abc", 3, 0));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abd", 3, 0));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abc", 3, 1));
    assert_true(hash_bytes("", 0, 0) != hash_bytes("\0", 1, 0));
    /* The value is the same on every machine. */
    assert_true(hash_bytes("fltc", 4, 0) == UINT64_C(0x1c1d1f33740767a9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_map_has_no_keys),
        cmocka_unit_test(pointers_are_found_by_identity),
        cmocka_unit_test(bytes_are_found_by_content),
        cmocka_unit_test(length_and_zero_bytes_are_part_of_a_key),
        cmocka_unit_test(a_second_put_replaces),
        cmocka_unit_test(hashes_depend_on_bytes_and_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
