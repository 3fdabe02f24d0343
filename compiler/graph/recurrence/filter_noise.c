#include "graph/recurrence/filter_noise.h"

enum { LENGTH = 1 << 10 };

struct response {
    double sample[LENGTH];
};

static struct response impulse(void)
{
    return (struct response){.sample = {1}};
}

struct coefficients {
    double tap[FEEDBACK_MOST_ORDER + 1], back[FEEDBACK_MOST_ORDER + 1];
};

static struct coefficients coefficients_of(const struct linear_filter *f)
{
    struct coefficients c = {.tap = {0}};
    for (int64_t lag = 0; lag <= f->taps; lag++)
        c.tap[lag] = (double)f->tap[lag];
    for (int64_t lag = 1; lag <= f->order; lag++)
        c.back[lag] = (double)f->back[lag];
    return c;
}

static void pass_taps(const struct linear_filter *f, struct response *h)
{
    const struct coefficients c = coefficients_of(f);
    for (int64_t n = LENGTH; n-- > 0;) {
        double sum = 0;
        for (int64_t lag = 0; lag <= f->taps && lag <= n; lag++)
            sum += c.tap[lag] * h->sample[n - lag];
        h->sample[n] = sum;
    }
}

static void pass_feedback(const struct linear_filter *f, struct response *h)
{
    const struct coefficients c = coefficients_of(f);
    for (int64_t n = 0; n < LENGTH; n++)
        for (int64_t lag = 1; lag <= f->order && lag <= n; lag++)
            h->sample[n] += c.back[lag] * h->sample[n - lag];
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

/* The squares of the partial sums of count products with samples up to 1, added from the last one
 * on. */
static double roundings(int64_t count, const long double factor[])
{
    double size = 0, sum = 0;
    for (int64_t i = count; i-- > 0;) {
        size += fabs((double)factor[i]);
        sum += size * size;
    }
    return sum;
}

/* Of the feedback, of samples up to that. */
static double roundings_back(const struct linear_filter *f, double greatest)
{
    return greatest * greatest * roundings(f->order, &f->back[1]);
}

double filter_noise_in_turn(size_t count, const struct linear_filter filter[])
{
    struct response before = impulse();
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct response behind = impulse();
        const double enters = peak(&before);
        const double taps = filter[i].taps ? roundings(filter[i].taps + 1, filter[i].tap) : 0;
        pass_taps(&filter[i], &before);
        pass_feedback(&filter[i], &before);
        pass_feedback(&filter[i], &behind);
        for (size_t k = i + 1; k < count; k++) {
            pass_taps(&filter[k], &behind);
            pass_feedback(&filter[k], &behind);
        }
        sum +=
            (enters * enters * taps + roundings_back(&filter[i], peak(&before))) * energy(&behind);
    }
    return sqrt(sum);
}

double filter_noise_side_by_side(size_t count, const struct linear_filter filter[])
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct response h = impulse();
        pass_feedback(&filter[i], &h);
        const double greatest = peak(&h);
        pass_taps(&filter[i], &h);
        sum += roundings_back(&filter[i], greatest) * energy(&h) +
               greatest * greatest * roundings(filter[i].taps + 1, filter[i].tap);
    }
    return sqrt(sum);
}
