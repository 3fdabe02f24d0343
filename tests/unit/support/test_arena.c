/* The arena: zeroed and aligned memory, marks, large requests, poisoning, exhaustion. */
#include "support/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t bytes = 1; bytes < 200; bytes++) {
        unsigned char *memory = arena_allocate(arena, bytes);
        assert_int_equal((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xAA, bytes);
    }
    arena_destroy(arena);
}

static void allocations_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    struct arena *arena = arena_create();
    unsigned *number[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        number[i] = ARENA_ARRAY(arena, unsigned, 1 + i % 40);
        for (unsigned j = 0; j <= i % 40; j++)
            number[i][j] = i;
    }
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned j = 0; j <= i % 40; j++)
            assert_int_equal(number[i][j], i);
    arena_destroy(arena);
}

static void large_requests_are_served(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *small = arena_text(arena, "small", 5);
    unsigned char *large = arena_allocate(arena, 10 << 20);
    assert_int_equal(large[0], 0);
    assert_int_equal(large[(10 << 20) - 1], 0);
    memset(large, 1, 10 << 20);
    char *after = arena_text(arena, "after", 5);
    assert_string_equal(small, "small");
    assert_string_equal(after, "after");
    assert_true(arena_bytes(arena) >= 10 << 20);
    arena_destroy(arena);
}

static void copies_and_formats(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const int numbers[3] = {1, 2, 3};
    int *copy = arena_copy(arena, numbers, sizeof numbers);
    assert_memory_equal(copy, numbers, sizeof numbers);
    assert_non_null(arena_copy(arena, NULL, 0));
    assert_string_equal(arena_text(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_text(arena, NULL, 0), "");
    assert_string_equal(arena_format(arena, "%s has %d axes", "'in'", 2), "'in' has 2 axes");
    const char *wide = arena_format(arena, "%2000d", 7);
    assert_int_equal(strlen(wide), 2000);
    assert_int_equal(wide[1999], '7');
    arena_destroy(arena);
}

static void release_gives_back_what_came_after_the_mark(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *kept = arena_text(arena, "kept", 4);
    const size_t before = arena_bytes(arena);
    const struct arena_mark mark = arena_mark(arena);
    char *first = arena_allocate(arena, 8);
    memset(first, 0xFF, 8);
    for (int i = 0; i < 100; i++)
        arena_allocate(arena, 10000);
    arena_release(arena, mark);
    assert_int_equal(arena_bytes(arena), before);
    assert_string_equal(kept, "kept");
    char *again = arena_allocate(arena, 8);
    assert_ptr_equal(again, first);
    assert_int_equal(again[0], 0);
    arena_destroy(arena);
}

static void marks_nest(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct arena_mark outer = arena_mark(arena); /* of an empty arena */
    arena_allocate(arena, 100);
    const size_t bytes = arena_bytes(arena);
    const struct arena_mark inner = arena_mark(arena);
    arena_allocate(arena, 1 << 20);
    arena_release(arena, inner);
    assert_int_equal(arena_bytes(arena), bytes);
    arena_release(arena, outer);
    assert_int_equal(arena_bytes(arena), 0);
    assert_non_null(arena_allocate(arena, 1));
    arena_destroy(arena);
}

static void unused_memory_is_poisoned(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    struct arena *arena = arena_create();
    const struct arena_mark mark = arena_mark(arena);
    char *first = arena_allocate(arena, 13);
    char *second = arena_allocate(arena, 16);
    assert_false(__asan_address_is_poisoned(first + 12));
    assert_true(__asan_address_is_poisoned(first + 13));
    assert_false(__asan_address_is_poisoned(second + 15));
    assert_true(__asan_address_is_poisoned(second + 16));
    assert_true(__asan_address_is_poisoned(second - 1));
    const struct arena_mark later = arena_mark(arena);
    char *released = arena_allocate(arena, 16);
    arena_release(arena, later);
    assert_true(__asan_address_is_poisoned(released));
    assert_false(__asan_address_is_poisoned(second));
    arena_release(arena, mark);
    arena_destroy(arena);
#else
    skip();
#endif
}

static void leave(void *context)
{
    longjmp(*(jmp_buf *)context, 1);
}

/* The way out is that of the whole family, which is released behind it. */
static void exhaustion_takes_the_way_out(void **state)
{
    (void)state;
    jmp_buf here;
    const struct arena_escape escape = {leave, &here};
    struct arena *first = arena_create_family(&escape);
    struct arena *second = arena_sibling(first);
    arena_allocate(arena_aside(second), 100);
    if (setjmp(here) == 0) {
        arena_allocate(second, SIZE_MAX - 100);
        fail();
    }
    arena_destroy_family(first);
}

static void families_end_with_their_last_arena(void **state)
{
    (void)state;
    struct arena *arena[4] = {arena_create_family(NULL)};
    for (int i = 1; i < 4; i++)
        arena[i] = arena_sibling(arena[i - 1]);
    arena_destroy(arena[0]);
    arena_destroy(arena[2]);
    arena_destroy(arena[3]);
    assert_non_null(arena_allocate(arena_aside(arena[1]), 10));
    arena_destroy(arena[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(allocations_do_not_overlap),
        cmocka_unit_test(large_requests_are_served),
        cmocka_unit_test(copies_and_formats),
        cmocka_unit_test(release_gives_back_what_came_after_the_mark),
        cmocka_unit_test(marks_nest),
        cmocka_unit_test(unused_memory_is_poisoned),
        cmocka_unit_test(exhaustion_takes_the_way_out),
        cmocka_unit_test(families_end_with_their_last_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
