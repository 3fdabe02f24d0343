/* Coefficients of recurrences at random, by their poles. */
#include <math.h>

static double uniform(uint64_t *random, double least, double greatest)
{
    return least + (greatest - least) * ((double)(random_next(random) >> 11) * 0x1p-53);
}

static void add_root(double polynomial[], int *order, double root)
{
    ++*order;
    for (int i = *order; i > 0; i--)
        polynomial[i] -= root * polynomial[i - 1];
}

static void add_pair(double polynomial[], int *order, double radius, double angle)
{
    *order += 2;
    for (int i = *order; i > 0; i--)
        polynomial[i] += (i > 1 ? radius * radius * polynomial[i - 2] : 0) -
                         2 * radius * cos(angle) * polynomial[i - 1];
}

/* a[1] … a[order] of s(n) = … + a1 s(n - 1) + …: one pole or pair on the radius `widest`, the
 * others within `others`. */
static inline void choose_feedback(uint64_t *random, int order, double widest, double others,
                                   double a[])
{
    double polynomial[34] = {1};
    int got = 0;
    for (double radius = widest; got < order; radius = uniform(random, 0, others)) {
        if (order - got > 1 && random_next(random) >> 63)
            add_pair(polynomial, &got, radius, uniform(random, 0, 3.141592653589793));
        else
            add_root(polynomial, &got, random_next(random) >> 63 ? radius : -radius);
    }
    for (int lag = 1; lag <= order; lag++)
        a[lag] = -polynomial[lag];
}
