#include "graph/filter_noise.h"

#include <math.h>

enum { LENGTH = 1 << 10 };

struct response {
    double sample[LENGTH];
};

static struct response impulse(void)
{
    return (struct response){.sample = {1}};
}

static void pass_taps(const struct linear_filter *f, struct response *h)
{
    for (int64_t n = LENGTH; n-- > 0;) {
        double sum = 0;
        for (int64_t lag = 0; lag <= f->taps && lag <= n; lag++)
            sum += (double)f->tap[lag] * h->sample[n - lag];
        h->sample[n] = sum;
    }
}

static void pass_feedback(const struct linear_filter *f, struct response *h)
{
    for (int64_t n = 0; n < LENGTH; n++)
        for (int64_t lag = 1; lag <= f->order && lag <= n; lag++)
            h->sample[n] += (double)f->back[lag] * h->sample[n - lag];
}

/* The greatest sample that there can be, of samples up to 1. */
static double peak(const struct response *h)
{
    double sum = 0;
    for (int64_t n = 0; n < LENGTH; n++)
        sum += fabs(h->sample[n]);
    return sum;
}

static double energy(const struct response *h)
{
    double sum = 0;
    for (int64_t n = 0; n < LENGTH; n++)
        sum += h->sample[n] * h->sample[n];
    return sum;
}

/* The squares of all partial sums of the feedback, of samples up to 1. */
static double roundings(const struct linear_filter *f)
{
    double size = 0, sum = 0;
    for (int64_t lag = f->order; lag > 0; lag--) {
        size += fabs((double)f->back[lag]);
        sum += size * size;
    }
    return sum;
}

double filter_noise_in_turn(size_t count, const struct linear_filter filter[])
{
    struct response before = impulse();
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct response behind = impulse();
        pass_taps(&filter[i], &before);
        pass_feedback(&filter[i], &before);
        pass_feedback(&filter[i], &behind);
        for (size_t k = i + 1; k < count; k++) {
            pass_taps(&filter[k], &behind);
            pass_feedback(&filter[k], &behind);
        }
        sum += peak(&before) * peak(&before) * roundings(&filter[i]) * energy(&behind);
    }
    return sqrt(sum);
}

double filter_noise_side_by_side(size_t count, const struct linear_filter filter[])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct response h = impulse();
        double output = 0;
        pass_feedback(&filter[i], &h);
        const double greatest = peak(&h);
        for (int64_t lag = 0; lag <= filter[i].taps; lag++)
            output += fabs((double)filter[i].tap[lag]);
        pass_taps(&filter[i], &h);
        sum += greatest * greatest * (roundings(&filter[i]) * energy(&h) + output * output);
    }
    return sqrt(sum);
}
