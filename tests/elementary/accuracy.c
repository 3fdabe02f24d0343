/* Measures the elementary functions against MPFR: every special value, random arguments of all
 * sizes, arguments near multiples of pi/2, near 1, and near the ends of the results. Prints the
 * greatest error of each function in units in the last place of the exact result; fails beyond the
 * bounds below.
 *
 *   accuracy [COUNT [SEED]]            COUNT random arguments of each kind, of each function
 *   accuracy exhaustive [FUNCTION | K/N]   all arguments of f32, against the C library in f64; every Nth */
#include "elementary/elementary.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than what has been measured, much less than the 2 units that are promised. */
static double bound_of(const char *name, bool single)
{
    return !single ? 0.85 : strcmp(name, "exp") == 0 ? 0.81 : 0.51;
}

typedef int exact_1(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int exact_2(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static const struct function {
    const char *name;
    unsigned arguments;
    exact_1 *one;
    exact_2 *two;
    double (*library)(double);
} function[ELEMENTARY_COUNT] = {
#define ROW_1(name) {#name, 1, mpfr_##name, NULL, name},
#define ROW_2(name) {#name, 2, NULL, mpfr_##name, NULL},
#define ELEMENTARY(kind, name, arguments) ROW_##arguments(name)
#include "elementary/elementary.def"
#undef ELEMENTARY
};

struct format { /* of a float */
    bool single;
    int digits, least_exponent; /* of its significand; of the least normal number */
};
static const struct format format_f32 = {true, 24, -126}, format_f64 = {false, 53, -1022};

struct worst {
    double error;
    double argument[2], result;
    unsigned long count;
};

static uint64_t state;

static uint64_t random_bits(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double uniform(double least, double greatest)
{
    return least + (greatest - least) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static double rounded_to(const struct format *format, double v)
{
    return format->single ? (double)(float)v : v;
}

static double compute(const struct format *format, enum elementary which, const double argument[])
{
    if (!format->single)
        return elementary_f64(which, argument);
    const float narrow[2] = {(float)argument[0], (float)argument[1]};
    return (double)elementary_f32(which, narrow);
}

/* |result - exact| in units of the exact result's last place; infinite where one is what the other
 * is not. Beyond the greatest float, infinity counts as the power of two that follows it. */
static double error_of(const struct format *format, double result, mpfr_t exact)
{
    const double wrong = (double)INFINITY;
    if (mpfr_nan_p(exact))
        return isnan(result) ? 0 : wrong;
    if (isnan(result) || !!signbit(result) != !!mpfr_signbit(exact))
        return wrong;
    if (mpfr_zero_p(exact) || result == 0)
        if (mpfr_zero_p(exact))
            return result == 0 ? 0 : wrong;
    if (mpfr_inf_p(exact))
        return isinf(result) ? 0 : wrong;
    const int greatest = 1 - format->least_exponent + 1;
    int exponent = (int)mpfr_get_exp(exact) - 1;
    if (isinf(result)) {
        if (exponent >= greatest)
            return 0;
        result = copysign(1, result);
        mpfr_t limit;
        mpfr_init2(limit, 128);
        mpfr_set_si_2exp(limit, signbit(result) ? -1 : 1, greatest, MPFR_RNDN);
        mpfr_sub(limit, limit, exact, MPFR_RNDN);
        mpfr_mul_2si(limit, limit, format->digits - 1 - exponent, MPFR_RNDN);
        const double error = fabs(mpfr_get_d(limit, MPFR_RNDN));
        mpfr_clear(limit);
        return error;
    }
    exponent = exponent < format->least_exponent ? format->least_exponent : exponent;
    exponent = exponent >= greatest ? greatest - 1 : exponent;
    mpfr_t difference;
    mpfr_init2(difference, 128);
    mpfr_sub_d(difference, exact, result, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, format->digits - 1 - exponent, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return error;
}

static void measure(const struct format *format, enum elementary which, double x, double y,
                    struct worst *worst)
{
    const double argument[2] = {rounded_to(format, x), rounded_to(format, y)};
    const double result = compute(format, which, argument);
    mpfr_t a, b, exact;
    mpfr_inits2(128, a, b, exact, (mpfr_ptr)0);
    mpfr_set_d(a, argument[0], MPFR_RNDN);
    mpfr_set_d(b, argument[1], MPFR_RNDN);
    if (function[which].arguments == 1)
        function[which].one(exact, a, MPFR_RNDN);
    else
        function[which].two(exact, a, b, MPFR_RNDN);
    const double error = error_of(format, result, exact);
    mpfr_clears(a, b, exact, (mpfr_ptr)0);
    worst->count++;
    if (error > worst->error) {
        worst->error = error;
        worst->argument[0] = argument[0];
        worst->argument[1] = argument[1];
        worst->result = result;
    }
}

static const double special[] = {
    0,
    1,
    2,
    3,
    0.5,
    0.25,
    4,
    8,
    10,
    100,
    1000,
    1.5,
    2.5,
    1.0 / 3,
    20,
    22,
    36,
    40,
    44,
    88,
    89,
    100,
    103,
    104,
    110,
    127,
    128,
    129,
    149,
    150,
    151,
    200,
    709,
    710,
    711,
    720,
    745,
    746,
    750,
    1022,
    1023,
    1024,
    1074,
    1075,
    1100,
    0x1p-24,
    0x1p-25,
    0x1p-53,
    0x1p-54,
    0x1p20,
    0x1p23,
    0x1p24,
    0x1p25,
    0x1p47,
    0x1p52,
    0x1p53,
    0x1p54,
    0x1p74,
    0x1p101,
    0x1p126,
    0x1p127,
    0x1p-126,
    0x1p-127,
    0x1p-149,
    0x1p-1022,
    0x1p-1074,
    0x1p1023,
    0x1.fffffep127,
    0x1.fffffffffffffp1023,
    0x1.921fb54442d18p0,
    0x1.921fb6p0,
    0x1.921fb54442d18p-1,
    0x1.921fb54442d18p1,
    0x1.a827999fcef32p-2,
    0x1.6a09e667f3bcdp-1,
    0x1.6a09e667f3bcdp0,
    0x1.62e42fefa39efp-1,
    0x1.5bf0a8b145769p1,
    0x1.6ac5b262ca1ffp849, /* of all doubles the nearest to a multiple of pi/2 */
    0x1.f3890ep96,         /* 16367173 2^72, of all f32 */
};
enum { SPECIAL_COUNT = sizeof special / sizeof special[0] };

/* Each of them, its neighbours, with both signs; infinities; not a number. */
static unsigned special_arguments(const struct format *format, double list[])
{
    unsigned count = 0;
    for (unsigned i = 0; i < SPECIAL_COUNT; i++) {
        const double v = rounded_to(format, special[i]);
        double near[3] = {v, nextafter(v, -(double)INFINITY), nextafter(v, (double)INFINITY)};
        if (format->single) {
            near[1] = (double)nextafterf((float)v, -INFINITY);
            near[2] = (double)nextafterf((float)v, INFINITY);
        }
        for (int n = 0; n < 3; n++)
            for (int s = -1; s <= 1; s += 2)
                list[count++] = s * near[n];
    }
    list[count++] = (double)INFINITY;
    list[count++] = -(double)INFINITY;
    list[count++] = (double)NAN;
    return count;
}

/* Any float, evenly over their bits. */
static double any_float(const struct format *format)
{
    const uint64_t bits = random_bits();
    if (format->single) {
        const uint32_t narrow = (uint32_t)bits;
        float v;
        memcpy(&v, &narrow, sizeof v);
        return (double)v;
    }
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static double near_one(void)
{
    return 1 + ldexp(uniform(-1, 1), -(int)(random_bits() % 54));
}

static double near_multiple_of_half_pi(void)
{
    return (double)(random_bits() >> (random_bits() % 64)) * 0x1.921fb54442d18p0;
}

static double moderate(void)
{
    return ldexp(uniform(-2, 2), (int)(random_bits() % 24) - 12);
}

/* y such that x^y is anywhere from the least to the greatest float. */
static double exponent_for(const struct format *format, double x)
{
    const double most = format->single ? 150 : 1075;
    return uniform(-most, most) / log2(fabs(x));
}

static void measure_random(const struct format *format, enum elementary which, unsigned long count,
                           struct worst *worst)
{
    const double most = format->single ? 105 : 750;
    for (unsigned long i = 0; i < count; i++) {
        if (function[which].arguments == 1) {
            measure(format, which, any_float(format), 0, worst);
            measure(format, which, near_one(), 0, worst);
            measure(format, which, near_multiple_of_half_pi(), 0, worst);
            measure(format, which, moderate(), 0, worst);
            measure(format, which, uniform(-1, 1), 0, worst);
            measure(format, which, uniform(-most, most), 0, worst);
        } else {
            const double x = any_float(format), y = moderate(), near = near_one();
            measure(format, which, x, any_float(format), worst);
            measure(format, which, y, moderate(), worst);
            measure(format, which, x, x * y, worst);
            measure(format, which, fabs(x), exponent_for(format, x), worst);
            measure(format, which, fabs(y), exponent_for(format, y), worst);
            measure(format, which, near, exponent_for(format, rounded_to(format, near)), worst);
            measure(format, which, y, rint(exponent_for(format, y)), worst);
        }
    }
}

static bool sampled(const struct format *format, enum elementary which, unsigned long count)
{
    static double list[6 * SPECIAL_COUNT + 3];
    const unsigned specials = special_arguments(format, list);
    struct worst worst = {.error = 0};
    for (unsigned i = 0; i < specials; i++)
        for (unsigned k = 0; k < (function[which].arguments == 2 ? specials : 1); k++)
            measure(format, which, list[i], list[k], &worst);
    measure_random(format, which, count, &worst);
    const double bound = bound_of(function[which].name, format->single);
    printf("%-6s %s  %9lu arguments  greatest error %.4f at (%a, %a): %a\n", function[which].name,
           format->single ? "f32" : "f64", worst.count, worst.error, worst.argument[0],
           worst.argument[1], worst.result);
    return worst.error <= bound;
}

/* The C library's f64 functions are taken for exact: they are within 2^-28 units of f32. */
struct share { /* of the arguments: every count-th from number on */
    unsigned number, count;
};

/* Whether the error is within the bound. */
static bool exhaustive(enum elementary which, struct share share)
{
    double worst = 0;
    float at = 0;
    unsigned long wrong = 0;
    for (uint64_t i = share.number % share.count; i <= UINT32_MAX; i += share.count) {
        const uint32_t bits = (uint32_t)i;
        float x;
        memcpy(&x, &bits, sizeof x);
        const float result = elementary_f32(which, &x);
        const double exact = function[which].library((double)x);
        if (isnan(exact) ? isnan(result) : (float)exact == result) {
            int exponent;
            frexp(exact, &exponent);
            const double unit = ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
            const double error = isfinite(result) ? fabs((double)result - exact) / unit : 0;
            if (error > worst)
                worst = error, at = x;
            continue;
        }
        wrong++;
        int exponent;
        frexp(exact, &exponent);
        const double unit = ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
        const double value = isinf(result) ? copysign(0x1p128, (double)result) : (double)result;
        const double error =
            isnan(exact) || isnan(result) ? (double)INFINITY : fabs(value - exact) / unit;
        if (!(error <= worst))
            worst = error, at = x;
    }
    printf("| %s | %.5f | %a | %lu |\n", function[which].name, worst, (double)at, wrong);
    fflush(stdout);
    return worst <= bound_of(function[which].name, true);
}

/* Of one function, or of all of them a share K/N. */
static int all_exhaustive(const char *which)
{
    struct share share = {0, 1};
    const bool all = sscanf(which, "%u/%u", &share.number, &share.count) == 2 && share.count > 0;
    int passed = 0, failed = 0;
    for (enum elementary i = 0; i < ELEMENTARY_COUNT; i++)
        if (function[i].arguments == 1 && (all || strcmp(which, function[i].name) == 0)) {
            const bool good = exhaustive(i, share);
            passed += good;
            failed += !good;
        }
    printf("elementary, exhaustive: %d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

int main(int count, char *argument[])
{
    if (count > 1 && strcmp(argument[1], "exhaustive") == 0)
        return all_exhaustive(count > 2 ? argument[2] : "1/1");
    const unsigned long samples = count > 1 ? strtoul(argument[1], NULL, 10) : 2000;
    state = count > 2 ? strtoul(argument[2], NULL, 10) : 1;
    int failed = 0, passed = 0;
    for (enum elementary i = 0; i < ELEMENTARY_COUNT; i++) {
        failed += !sampled(&format_f32, i, samples);
        failed += !sampled(&format_f64, i, samples);
        passed += 2;
    }
    printf("elementary: %d passed, %d failed\n", passed - failed, failed);
    return failed != 0;
}
