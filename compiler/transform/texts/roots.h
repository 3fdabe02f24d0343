/* Roots of unity, and lengths that a transform takes in steps of small prime factors. */
#ifndef FLTC_TRANSFORM_TEXTS_ROOTS_H
#define FLTC_TRANSFORM_TEXTS_ROOTS_H

#include "elementary/texts/trigonometric_f64.h"

struct flt_root {
    double re, im;
};

/* e^(-2 pi i k / n), 0 <= k < n: the angle in units of 1 / (8 n) of a turn, led back to the first
 * eighth by integers. */
static inline struct flt_root flt_root_of(int64_t k, int64_t n)
{
    const int64_t eighth = 8 * k / n, turn = 8 * k - eighth * n;
    const int64_t near = eighth % 2 ? n - turn : turn;
    const double angle = 0.78539816339744830962 * (double)near / (double)n;
    const double c = flt_cos_f64(angle), s = flt_sin_f64(angle);
    const double low = (eighth + 1) / 2 % 2 ? s : c, high = (eighth + 1) / 2 % 2 ? c : s;
    struct flt_root r;
    r.re = eighth >= 2 && eighth < 6 ? -low : low;
    r.im = eighth >= 4 ? high : -high;
    return r;
}

/* The next step of a line of n: 4, or the least prime factor up to 13, or 1: there is none. */
static inline int flt_step(int64_t n)
{
    static const int step[] = {4, 2, 3, 5, 7, 11, 13};
    for (int i = 0; i < 7; i++)
        if (n % step[i] == 0)
            return step[i];
    return 1;
}

static inline int flt_has_steps(int64_t n)
{
    int step = 2;
    while (n > 1 && step > 1) {
        step = flt_step(n);
        n /= step;
    }
    return n == 1;
}

/* The least number of n or more whose prime factors are 2, 3, 5 and 7; beyond 2^44 n itself. */
static inline int64_t flt_fast_length(int64_t n)
{
    const int64_t most = (int64_t)1 << 44;
    if (n > most)
        return n;
    int64_t best = most;
    for (int64_t p7 = 1; p7 < best; p7 *= 7)
        for (int64_t p5 = p7; p5 < best; p5 *= 5)
            for (int64_t p3 = p5; p3 < best; p3 *= 3) {
                int64_t m = p3;
                while (m < n)
                    m *= 2;
                best = m < best ? m : best;
            }
    return best;
}

/* The greatest divisor of n that is not above its square root; 1 where n is less. */
static inline int64_t flt_divisor(int64_t n)
{
    int64_t d = (int64_t)sqrt((double)n);
    while (d > 1 && (d * d > n || n % d != 0))
        d--;
    return d > 1 ? d : 1;
}

/* The samples that a line of n is transformed over: n, or, if that has a large prime factor, a fast
 * length of 2n - 1 or more. */
static inline int64_t flt_steps_length(int64_t n)
{
    return flt_has_steps(n) ? n : flt_fast_length(2 * n - 1);
}

/* How a line of n is transformed: parts of `unit` places first, from the samples that flt_sample
 * tells, then parts of parts, as each is complete. So most steps find their places in the nearest
 * cache. Without steps a line is one unit, in order. */
struct flt_steps {
    int64_t n, unit, apart;
    int count, of_unit; /* steps, and those within a unit */
    int is_whole;       /* one unit, in order */
    unsigned char step[64], place[64];
};

/* What the digits of a place stand for, the first step being the last digit. */
static inline int64_t flt_turned_digits(const unsigned char step[], int count, int64_t place,
                                        int64_t weight)
{
    int64_t turned = 0;
    for (int s = 0; s < count; s++) {
        weight /= step[s];
        turned += place % step[s] * weight;
        place /= step[s];
    }
    return turned;
}

static inline struct flt_steps flt_steps_of(int64_t n)
{
    struct flt_steps s = {n, 1, 1, 0, 0, 0, {0}, {0}};
    if (!flt_has_steps(n)) {
        s.unit = n;
        s.is_whole = 1;
        return s;
    }
    int twos = 0;
    while ((n >> twos) % 2 == 0)
        twos++;
    for (int64_t rest = n; rest > 1; rest /= s.step[s.count++]) /* 8 where 4 leaves a 2 */
        s.step[s.count] =
            (unsigned char)(s.count == 0 && twos % 2 && twos > 1 ? 8 : flt_step(rest));
    while (s.of_unit < s.count && s.unit * s.step[s.of_unit] <= 64)
        s.unit *= s.step[s.of_unit++];
    s.apart = n / s.unit;
    for (int i = 0; i < (int)s.unit; i++)
        s.place[i] = (unsigned char)flt_turned_digits(s.step, s.of_unit, i, s.unit);
    return s;
}

/* The first sample of a unit. */
static inline int64_t flt_first_sample(const struct flt_steps *s, int64_t unit)
{
    return flt_turned_digits(s->step + s->of_unit, s->count - s->of_unit, unit, s->apart);
}

/* The sample that place i of the unit takes. */
static inline int64_t flt_sample(const struct flt_steps *s, int64_t first, int64_t i)
{
    return s->is_whole ? i : first + s->place[i] * s->apart;
}

/* Places that lines of n are transformed in, beside those that hold their samples. */
static inline int64_t flt_work_places(int64_t n)
{
    const int64_t m = flt_steps_length(n);
    return m == n ? n : 2 * m;
}

/* Numbers of the table of a complex transform: roots; then, of a line that has no steps, its chirp,
 * the transform of that, and memory to make it in. */
static inline int64_t flt_dft_numbers(int64_t n)
{
    const int64_t m = flt_steps_length(n);
    return m == n ? 2 * n : 6 * m + 2 * n;
}

#endif
