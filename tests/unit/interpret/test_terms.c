/* Terms: which of them are taken for equal, and which are not. */
#include "interpret/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    struct terms *terms;
};

static struct value integer(struct fixture *f, enum scalar scalar, int64_t place, int64_t number)
{
    return terms_leaf(f->terms, "in", scalar, 1, &place, (struct value){.integer = number});
}

static struct value real(struct fixture *f, int64_t place, float number)
{
    return terms_leaf(f->terms, "real", SCALAR_F32, 1, &place, (struct value){.f32 = number});
}

static struct value binary(struct fixture *f, enum expr_kind kind, struct value a, struct value b,
                           int64_t number)
{
    return terms_binary(f->terms, kind, SCALAR_I64, a, b, (struct value){.integer = number});
}

static struct value float_binary(struct fixture *f, enum expr_kind kind, struct value a,
                                 struct value b, struct value number)
{
    return terms_binary(f->terms, kind, SCALAR_F32, a, b, number);
}

/* The sum of two truths is 2 where both hold. */
static void truths_are_counted(void **state)
{
    struct fixture *f = *state;
    const struct value a = integer(f, SCALAR_BOOL, 0, 1), b = integer(f, SCALAR_BOOL, 1, 1);
    const struct value sum = binary(f, EXPR_ADD, a, b, 2);
    assert_int_equal(sum.term->interval.greatest, 2);
    const struct value one = {.integer = 1};
    assert_non_null(binary(f, EXPR_MAXIMUM, sum, one, 2).term);
}

/* a < b ? a : b is the lesser, a < b ? b : a the greater, of floats to the bit. */
static void choices_are_extrema(void **state)
{
    struct fixture *f = *state;
    const struct value a = real(f, 0, 1), b = real(f, 1, 2), less = {.integer = 1};
    const struct value condition = float_binary(f, EXPR_LESS, a, b, less);
    const struct value least = terms_select(f->terms, SCALAR_F32, condition, a, b, a);
    assert_true(terms_equal(f->terms, SCALAR_F32, least, float_binary(f, EXPR_MINIMUM, a, b, a)));
    const struct value greatest = terms_select(f->terms, SCALAR_F32, condition, b, a, b);
    assert_true(
        terms_equal(f->terms, SCALAR_F32, greatest, float_binary(f, EXPR_MAXIMUM, b, a, b)));
    assert_false(terms_equal(f->terms, SCALAR_F32, greatest, least));
    assert_ptr_equal(float_binary(f, EXPR_MAXIMUM, a, a, a).term, a.term);
}

static void quotients_by_powers_are_products(void **state)
{
    struct fixture *f = *state;
    const struct value a = real(f, 0, 1), eight = {.f32 = 8}, eighth = {.f32 = 0.125F};
    const struct value three = {.f32 = 3}, third = {.f32 = 1.0F / 3};
    assert_true(terms_equal(f->terms, SCALAR_F32, float_binary(f, EXPR_DIVIDE, a, eight, eighth),
                            float_binary(f, EXPR_MULTIPLY, a, eighth, eighth)));
    assert_false(terms_equal(f->terms, SCALAR_F32, float_binary(f, EXPR_DIVIDE, a, three, third),
                             float_binary(f, EXPR_MULTIPLY, a, third, third)));
}

static void low_bits_are_a_remainder(void **state)
{
    struct fixture *f = *state;
    const struct value a = integer(f, SCALAR_U8, 0, 77), sixteen = {.integer = 16};
    const struct value bits = binary(f, EXPR_BIT_AND, a, (struct value){.integer = 15}, 13);
    const struct value more = binary(f, EXPR_BIT_AND, a, (struct value){.integer = 13}, 13);
    const struct value rest = binary(f, EXPR_REMAINDER, a, sixteen, 13);
    assert_true(terms_equal(f->terms, SCALAR_I64, bits, rest));
    assert_false(terms_equal(f->terms, SCALAR_I64, more, rest));
}

static struct value noise(struct fixture *f, unsigned count)
{
    const struct expr leaf = {.kind = EXPR_INTEGER, .scalar = SCALAR_I64};
    const struct expr *operand[EXPR_MOST_OPERANDS];
    struct value value[EXPR_MOST_OPERANDS] = {integer(f, SCALAR_I64, 0, 3)};
    for (unsigned i = 0; i < count; i++)
        operand[i] = &leaf;
    const struct expr node = {
        .kind = EXPR_NOISE, .scalar = SCALAR_F32, .count = count, .operand = operand};
    return terms_operation(f->terms, &node, value, (struct value){.f32 = 0.5F});
}

/* Places that are not given are 0; those of more than four are numbers of their own. */
static void places_of_noise_are_0(void **state)
{
    struct fixture *f = *state;
    assert_true(terms_equal(f->terms, SCALAR_F32, noise(f, 2), noise(f, 5)));
    assert_true(terms_equal(f->terms, SCALAR_F32, noise(f, 6), noise(f, 9)));
    assert_false(terms_equal(f->terms, SCALAR_F32, noise(f, 5), noise(f, 6)));
}

static void functions_are_printed(void **state)
{
    struct fixture *f = *state;
    const struct value a = real(f, 0, 1);
    struct text text = text_create(f->arena);
    terms_print(f->terms, SCALAR_F32, terms_function(f->terms, "line", SCALAR_F32, 1, &a, a),
                &text);
    assert_non_null(strstr(text.bytes, "line"));
}

static int open(void **state)
{
    struct arena *arena = arena_create();
    struct fixture *f = ARENA_NEW(arena, struct fixture);
    *f = (struct fixture){arena, terms_create(arena)};
    *state = f;
    return 0;
}

static int close(void **state)
{
    arena_destroy(((struct fixture *)*state)->arena);
    return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open, close)
int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(truths_are_counted),       CASE(choices_are_extrema),
        CASE(low_bits_are_a_remainder), CASE(quotients_by_powers_are_products),
        CASE(places_of_noise_are_0),    CASE(functions_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
