#include "graph/recurrence/sections.h"

#include "graph/recurrence/filter_noise.h"

#include <complex.h>
#include <float.h>
#include <math.h>

typedef long double complex pole;

/* The polynomial z^order - back[1] z^(order - 1) - …, differentiated so many times, and its
 * slope. */
static void evaluate(const struct linear_filter *f, int64_t times, pole z, pole *value, pole *slope)
{
    *value = *slope = 0;
    for (int64_t lag = 0; lag <= f->order - times; lag++) {
        long double factor = lag == 0 ? 1 : -f->back[lag];
        for (int64_t d = 0; d < times; d++)
            factor *= (long double)(f->order - lag - d);
        *slope = *slope * z + *value;
        *value = *value * z + factor;
    }
}

/* All poles at once, each pushed away by the others. Source: Aberth, Iteration Methods for Finding
 * all Zeros of a Polynomial Simultaneously, 1973. */
static void find_poles(const struct linear_filter *f, pole p[])
{
    enum { STEPS = 200 };
    long double radius = 0;
    for (int64_t lag = 1; lag <= f->order; lag++)
        radius = fmaxl(radius, powl(fabsl(f->back[lag]), 1 / (long double)lag));
    for (int64_t i = 0; i < f->order; i++)
        p[i] = radius * cexpl(I * (2 * acosl(-1) * (long double)i / (long double)f->order + 0.4L));
    for (int step = 0; step < STEPS; step++)
        for (int64_t i = 0; i < f->order; i++) {
            pole value, slope, others = 0;
            evaluate(f, 0, p[i], &value, &slope);
            for (int64_t k = 0; k < f->order; k++)
                if (k != i && p[k] != p[i])
                    others += 1 / (p[i] - p[k]);
            if (value != 0 && slope - value * others != 0)
                p[i] -= value / (slope - value * others);
        }
}

/* Poles that are this near each other, beside the greatest, are one, several times: a root of a
 * derivative too, of which it is one alone. */
static void join_poles(const struct linear_filter *f, long double near, pole p[])
{
    enum { STEPS = 30 };
    bool joined[FEEDBACK_MOST_ORDER + 1] = {false};
    for (int64_t i = 0; i < f->order; i++) {
        bool member[FEEDBACK_MOST_ORDER + 1] = {false};
        pole sum = 0;
        int64_t count = 0;
        for (int64_t k = i; k < f->order; k++) {
            member[k] = !joined[i] && !joined[k] && cabsl(p[k] - p[i]) <= near;
            sum += member[k] ? p[k] : 0;
            count += member[k];
        }
        pole one = count > 0 ? sum / count : 0;
        for (int step = 0; step < STEPS && count > 1; step++) {
            pole value, slope;
            evaluate(f, count - 1, one, &value, &slope);
            one -= slope != 0 ? value / slope : 0;
        }
        for (int64_t k = i; k < f->order; k++)
            if (member[k]) {
                p[k] = one;
                joined[k] = true;
            }
    }
}

static int64_t nearest(const pole p[], int64_t from, int64_t count, pole to)
{
    int64_t best = from;
    for (int64_t i = from; i < count; i++)
        if (cabsl(p[i] - to) < cabsl(p[best] - to))
            best = i;
    return best;
}

static void swap(pole *a, pole *b)
{
    const pole c = *a;
    *a = *b;
    *b = c;
}

/* Conjugate ones beside each other, then those that are real, the greatest first. Returns how many
 * are in pairs. */
static int64_t sort_poles(pole p[], int64_t count)
{
    int64_t pairs = 0;
    for (; pairs + 1 < count; pairs += 2) {
        int64_t most = pairs;
        for (int64_t i = pairs; i < count; i++)
            if (fabsl(cimagl(p[i])) > fabsl(cimagl(p[most])))
                most = i;
        if (fabsl(cimagl(p[most])) <= 8 * (long double)LDBL_EPSILON * cabsl(p[most]))
            break;
        swap(&p[pairs], &p[most]);
        swap(&p[pairs + 1], &p[nearest(p, pairs + 1, count, conjl(p[pairs]))]);
        p[pairs] = (p[pairs] + conjl(p[pairs + 1])) / 2;
        p[pairs + 1] = conjl(p[pairs]);
    }
    for (int64_t i = pairs; i < count; i++) {
        p[i] = creall(p[i]);
        for (int64_t k = i; k > pairs && cabsl(p[k]) > cabsl(p[k - 1]); k--)
            swap(&p[k], &p[k - 1]);
    }
    return pairs;
}

static long double coefficient(bool narrow, pole value)
{
    return narrow ? (long double)(double)creall(value) : creall(value);
}

static struct linear_filter section_of(bool narrow, const pole p[], int64_t count)
{
    if (count == 1)
        return (struct linear_filter){
            .order = 1, .tap = {1}, .back = {0, coefficient(narrow, p[0])}};
    return (struct linear_filter){
        .order = 2,
        .tap = {1},
        .back = {0, coefficient(narrow, p[0] + p[1]), -coefficient(narrow, p[0] * p[1])}};
}

/* An error of one sample grows so many times at most. */
static double amplification(const struct linear_filter *f)
{
    struct feedback feedback = {.order = f->order};
    for (int64_t lag = 1; lag <= f->order; lag++)
        feedback.a[lag] = (double)f->back[lag];
    return feedback_amplification(&feedback);
}

/* Whether the product of all sections is the recurrence, but for far less than rounding its own
 * sums would add; or, where samples are f32, for less than that leads to half an ulp of these. */
static bool multiply_to(const struct linear_filter *f, bool narrow, size_t count,
                        const struct linear_filter section[])
{
    long double product[2 * SECTIONS_MOST + 1] = {1}, size = 1, apart = 0;
    for (size_t s = 0; s < count; s++)
        for (int64_t i = 2 * SECTIONS_MOST; i > 0; i--)
            product[i] -= section[s].back[1] * product[i - 1] +
                          (i > 1 ? section[s].back[2] * product[i - 2] : 0);
    for (int64_t lag = 1; lag <= f->order; lag++) {
        size += fabsl(f->back[lag]);
        apart += fabsl(product[lag] + f->back[lag]);
    }
    return narrow ? apart <= (long double)DBL_EPSILON * size ||
                        apart * amplification(f) <= FLT_EPSILON / 2
                  : apart <= (long double)DBL_EPSILON / 32 * size;
}

static size_t find_sections(const struct linear_filter *f, bool narrow, pole p[],
                            struct linear_filter section[])
{
    static const long double near[] = {0, 1e-4L, 1e-3L, 1e-2L};
    pole apart[FEEDBACK_MOST_ORDER + 1];
    size_t found = 0;
    find_poles(f, apart);
    for (size_t n = 0; n < sizeof near / sizeof near[0] && !found; n++) {
        size_t count = 0;
        for (int64_t i = 0; i < f->order; i++)
            p[i] = apart[i];
        if (n > 0)
            join_poles(f, near[n], p);
        sort_poles(p, f->order);
        for (int64_t i = 0; i < f->order; i += 2)
            section[count++] = section_of(narrow, &p[i], f->order - i);
        found = multiply_to(f, narrow, count, section) ? count : 0;
    }
    return found;
}

static bool is_quiet(const struct linear_filter *recurrence, double noise)
{
    return filter_is_quiet(noise, filter_noise_in_turn(1, recurrence));
}

static void swap_sections(struct linear_filter section[], size_t a, size_t b)
{
    const struct linear_filter c = section[a];
    section[a] = section[b];
    section[b] = c;
}

/* Two of them change places as long as less noise comes of it. Returns that of the order in the
 * end. */
static double order_sections(size_t count, struct linear_filter section[])
{
    double least = filter_noise_in_turn(count, section);
    for (bool better = true; better;) {
        better = false;
        for (size_t a = 0; a < count; a++)
            for (size_t b = a + 1; b < count; b++) {
                swap_sections(section, a, b);
                const double noise = filter_noise_in_turn(count, section);
                if (noise < least) {
                    least = noise;
                    better = true;
                } else {
                    swap_sections(section, a, b);
                }
            }
    }
    return least;
}

size_t sections_in_cascade(const struct linear_filter *recurrence, bool narrow,
                           struct linear_filter section[SECTIONS_MOST])
{
    pole p[FEEDBACK_MOST_ORDER + 1];
    const size_t count = find_sections(recurrence, narrow, p, section);
    return narrow || is_quiet(recurrence, order_sections(count, section)) ? count : 0;
}

/* 1 / A(z) = … + r / (1 - p[i] / z) + … */
static pole residue(const pole p[], int64_t count, int64_t i)
{
    pole r = 1;
    for (int64_t k = 0; k < count; k++)
        if (k != i)
            r *= p[i] / (p[i] - p[k]);
    return r;
}

size_t sections_in_parallel(const struct linear_filter *recurrence, bool narrow,
                            struct linear_filter section[SECTIONS_MOST])
{
    const double most = narrow ? 1e6 : 1e2; /* digits that may be lost: of f64 few, for f32 more */
    pole p[FEEDBACK_MOST_ORDER + 1];
    const size_t count = find_sections(recurrence, narrow, p, section);
    long double sum = 0;
    for (size_t s = 0; s < count; s++) {
        const int64_t i = 2 * (int64_t)s;
        const bool pair = i + 1 < recurrence->order;
        const pole r = residue(p, recurrence->order, i);
        const pole other = pair ? residue(p, recurrence->order, i + 1) : 0;
        section[s].tap[0] = coefficient(narrow, r + other);
        section[s].taps = 1;
        section[s].tap[1] = pair ? -coefficient(narrow, r * p[i + 1] + other * p[i]) : 0;
        sum += cabsl(r) + cabsl(other);
    }
    return sum <= most &&
                   (narrow || is_quiet(recurrence, filter_noise_side_by_side(count, section)))
               ? count
               : 0; /* equal poles: NaN */
}
