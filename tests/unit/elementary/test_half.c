/* f16: every one is its own, and numbers go to the nearest, ties to even. */
#include "elementary/elementary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double value_of(unsigned half)
{
    return (double)half_to_f32((uint16_t)half);
}

/* By the definition: sign, exponent, fraction. */
static void values_are_those_of_binary16(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 0x10000; half++) {
        const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
        const double magnitude = exponent == 31  ? fraction ? (double)NAN : (double)INFINITY
                                 : exponent == 0 ? ldexp(fraction, -24)
                                                 : ldexp(1024 + fraction, exponent - 25);
        const double v = value_of(half);
        if (isnan(magnitude)) {
            assert_true(isnan(v));
            continue;
        }
        assert_true(v == (half >> 15 ? -magnitude : magnitude));
        assert_int_equal(!!signbit(v), half >> 15);
        assert_int_equal(half_from_f64(v), half);
    }
    assert_int_equal(half_from_f64((double)NAN) & 0x7fff, 0x7e00);
}

/* Below, at and above what is halfway between two neighbours; infinity stands at 65536. */
static void numbers_go_to_the_nearest(void **state)
{
    (void)state;
    for (unsigned half = 0; half < 0x7c00; half++) {
        const double low = value_of(half), high = half == 0x7bff ? 65536 : value_of(half + 1);
        const double middle = (low + high) / 2;
        const unsigned even = half & 1 ? half + 1 : half;
        for (unsigned sign = 0; sign < 2; sign++) {
            const double s = sign ? -1 : 1;
            assert_int_equal(half_from_f64(s * middle), even | sign << 15);
            assert_int_equal(half_from_f64(s * nextafter(middle, 0)), half | sign << 15);
            assert_int_equal(half_from_f64(s * nextafter(middle, 1e9)), (half + 1) | sign << 15);
        }
    }
    assert_int_equal(half_from_f64(1e300), 0x7c00);
    assert_int_equal(half_from_f64(-(double)INFINITY), 0xfc00);
    assert_int_equal(half_from_f64(0x1p-1074), 0);
    assert_int_equal(half_from_f64(-0.0), 0x8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_binary16),
        cmocka_unit_test(numbers_go_to_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
