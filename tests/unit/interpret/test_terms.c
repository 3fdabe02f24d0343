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

static struct value chosen(struct fixture *f, struct value condition, struct value a,
                           struct value b)
{
    return terms_select(f->terms, SCALAR_F32, condition, a, b, condition.integer ? a : b);
}

static struct value sum(struct fixture *f, struct value a, struct value b)
{
    return float_binary(f, EXPR_ADD, a, b, (struct value){.f32 = a.f32 + b.f32});
}

/* A sum of what two chains of the same guards choose is the choice among sums; of other guards, or
 * of the same ones in another order, it is not. */
static void choices_stand_outside(void **state)
{
    struct fixture *f = *state;
    const struct value part = integer(f, SCALAR_U8, 0, 1), no = {.integer = 0},
                       yes = {.integer = 1};
    const struct value is_0 = binary(f, EXPR_EQUAL, part, no, 0),
                       is_1 = binary(f, EXPR_EQUAL, part, yes, 1);
    const struct value other = binary(f, EXPR_EQUAL, integer(f, SCALAR_U8, 1, 0), no, 1);
    struct value v[6];
    for (int64_t i = 0; i < 6; i++)
        v[i] = real(f, i, (float)i);
    const struct value a = chosen(f, is_0, v[0], chosen(f, is_1, v[1], v[2]));
    const struct value b = chosen(f, is_0, v[3], chosen(f, is_1, v[4], v[5]));
    const struct value sums = chosen(f, is_0, sum(f, v[0], v[3]),
                                     chosen(f, is_1, sum(f, v[1], v[4]), sum(f, v[2], v[5])));
    assert_true(terms_equal(f->terms, SCALAR_F32, sum(f, a, b), sums));
    const struct value crossed = chosen(f, is_0, sum(f, v[0], v[3]),
                                        chosen(f, is_1, sum(f, v[1], v[5]), sum(f, v[2], v[4])));
    assert_false(terms_equal(f->terms, SCALAR_F32, sum(f, a, b), crossed));
    const struct value by_another = chosen(f, other, v[3], chosen(f, is_1, v[4], v[5]));
    assert_false(terms_equal(f->terms, SCALAR_F32, sum(f, a, by_another), sums));
    /* A guard is known within what it guards. */
    assert_true(terms_equal(f->terms, SCALAR_F32, chosen(f, is_0, a, b), chosen(f, is_0, v[0], b)));
}

/* Guards that are all values of a part leave nothing for the last value. */
static void a_chain_of_all_values_is_complete(void **state)
{
    struct fixture *f = *state;
    const struct interval three = {0, 2};
    const struct value part = terms_clamp(f->terms, SCALAR_I32, integer(f, SCALAR_U8, 0, 1), three,
                                          (struct value){.integer = 1});
    struct value is[3];
    for (int64_t k = 0; k < 3; k++)
        is[k] = binary(f, EXPR_EQUAL, part, (struct value){.integer = k}, k == 1);
    const struct value a = real(f, 0, 0), b = real(f, 1, 1), c = real(f, 2, 2), d = real(f, 3, 3);
    const struct value whole = chosen(f, is[0], a, chosen(f, is[1], b, chosen(f, is[2], c, d)));
    const struct value brief = chosen(f, is[0], a, chosen(f, is[1], b, c));
    assert_true(terms_equal(f->terms, SCALAR_F32, whole, brief));
    const struct value part_of_it = chosen(f, is[0], a, chosen(f, is[1], b, d));
    assert_false(terms_equal(f->terms, SCALAR_F32, whole, part_of_it));
}

static struct value wrapped(struct fixture *f, enum scalar to, struct value a)
{
    const uint64_t number = (uint64_t)a.integer & (to == SCALAR_U8 ? 255 : 65535);
    return terms_convert(f->terms, CONVERT_WRAP, SCALAR_I64, to, a,
                         (struct value){.integer = (int64_t)number});
}

static struct value product(struct fixture *f, struct value a, int64_t factor)
{
    return binary(f, EXPR_MULTIPLY, a, (struct value){.integer = factor}, a.integer * factor);
}

static struct value whole_sum(struct fixture *f, struct value a, struct value b)
{
    return binary(f, EXPR_ADD, a, b, a.integer + b.integer);
}

/* What wraps around may be summed in any order, and before or after it wraps: to 8 bits also by way
 * of 16, to 16 bits not by way of 8. Multiples of 256 are nothing to 8 bits. */
static void wrapped_sums_are_equal(void **state)
{
    struct fixture *f = *state;
    const struct value a = integer(f, SCALAR_U16, 0, 60000), b = integer(f, SCALAR_U16, 1, 70);
    const struct value sum = whole_sum(f, product(f, a, 5), b);
    const struct value plain = wrapped(f, SCALAR_U8, sum);
    const struct value early =
        wrapped(f, SCALAR_U8,
                whole_sum(f, product(f, wrapped(f, SCALAR_U8, a), 5), wrapped(f, SCALAR_U8, b)));
    const struct value late = wrapped(f, SCALAR_U8, wrapped(f, SCALAR_U16, sum));
    assert_true(terms_equal(f->terms, SCALAR_U8, plain, early));
    assert_true(terms_equal(f->terms, SCALAR_U8, plain, late));
    const struct value more = wrapped(f, SCALAR_U8, whole_sum(f, sum, product(f, a, 512)));
    assert_true(terms_equal(f->terms, SCALAR_U8, plain, more));
    const struct value other = wrapped(f, SCALAR_U8, whole_sum(f, sum, product(f, a, 128)));
    assert_false(terms_equal(f->terms, SCALAR_U8, plain, other));
    assert_false(terms_equal(f->terms, SCALAR_U16, wrapped(f, SCALAR_U16, sum),
                             wrapped(f, SCALAR_U16, plain)));
    /* Within other operations, too. */
    const struct value ten = {.integer = 10};
    assert_true(terms_equal(f->terms, SCALAR_I64,
                            binary(f, EXPR_MAXIMUM, plain, ten, plain.integer),
                            binary(f, EXPR_MAXIMUM, early, ten, early.integer)));
}

/* A table is told by its numbers, from whatever index they begin. */
static void tables_are_functions(void **state)
{
    struct fixture *f = *state;
    const struct number_table table = {SCALAR_U8, 0, 77, {0, 9}},
                              moved = {SCALAR_U8, 5, 77, {0, 9}};
    const struct number_table other = {SCALAR_U8, 0, 78, {0, 9}};
    const struct value index = integer(f, SCALAR_U8, 0, 3), number = {.integer = 4};
    const struct value later = binary(f, EXPR_ADD, index, (struct value){.integer = 5}, 8);
    const struct value taken = terms_table(f->terms, &table, index, number);
    assert_int_equal(taken.term->interval.greatest, 9);
    assert_true(
        terms_equal(f->terms, SCALAR_U8, taken, terms_table(f->terms, &moved, later, number)));
    assert_false(
        terms_equal(f->terms, SCALAR_U8, taken, terms_table(f->terms, &moved, index, number)));
    assert_false(
        terms_equal(f->terms, SCALAR_U8, taken, terms_table(f->terms, &other, index, number)));
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
    *f = (struct fixture){arena, terms_create(arena, USUAL_TERMS)};
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
        CASE(choices_stand_outside),    CASE(a_chain_of_all_values_is_complete),
        CASE(tables_are_functions),     CASE(wrapped_sums_are_equal),
        CASE(low_bits_are_a_remainder), CASE(quotients_by_powers_are_products),
        CASE(places_of_noise_are_0),    CASE(functions_are_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
