/* Vectors: pushing keeps what is there, across growth and for structures. */
#include "support/vector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void pushes_in_order(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    VECTOR(int) numbers = {0};
    for (int i = 0; i < 1000; i++) {
        VECTOR_PUSH(arena, &numbers, i * i);
        assert_int_equal(numbers.count, i + 1);
        assert_true(numbers.count <= numbers.capacity);
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers.item[i], i * i);
    arena_destroy(arena);
}

static void holds_structures(void **state)
{
    (void)state;
    struct point {
        const char *name;
        double x, y;
    };
    struct arena *arena = arena_create();
    VECTOR(struct point) points = {0};
    for (int i = 0; i < 9; i++) /* one more than the first capacity */
        VECTOR_PUSH(arena, &points, (struct point){.name = "p", .x = i, .y = 2 * i});
    assert_int_equal(points.count, 9);
    assert_true(points.item[8].x == 8 && points.item[8].y == 16);
    assert_string_equal(points.item[0].name, "p");
    arena_destroy(arena);
}

static void an_element_of_itself_can_be_pushed(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    VECTOR(int) numbers = {0};
    VECTOR_PUSH(arena, &numbers, 7);
    for (int i = 0; i < 20; i++)
        VECTOR_PUSH(arena, &numbers, numbers.item[0]);
    assert_int_equal(numbers.item[20], 7);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_in_order),
        cmocka_unit_test(holds_structures),
        cmocka_unit_test(an_element_of_itself_can_be_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
