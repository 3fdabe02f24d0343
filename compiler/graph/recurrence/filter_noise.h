/* What the roundings of a linear recurrence's sums grow to in its samples, whatever form computes
 * it. */
#ifndef FLTC_GRAPH_RECURRENCE_FILTER_NOISE_H
#define FLTC_GRAPH_RECURRENCE_FILTER_NOISE_H

#include "graph/recurrence/feedback.h"

#include <math.h>

/* In ulps of the greatest sample that enters, beside each other; of the first 1024 samples;
 * infinite, or not a number, of what overflows there. Each partial sum is rounded, beside the
 * greatest that it can be; what it is rounded by enters all that follows it. Source: Jackson,
 * Roundoff-Noise Analysis for Fixed-Point Digital Filters Realized in Cascade or Parallel Form,
 * 1970. */
double filter_noise_in_turn(size_t count, const struct linear_filter filter[]);
/* Of their sum: first the feedback, then what tap makes of it. */
double filter_noise_side_by_side(size_t count, const struct linear_filter filter[]);

/* Whether one form may take the place of another one: it loses hardly more digits, or that one
 * overflows. */
static inline bool filter_is_quiet(double noise, double that_of_other)
{
    return noise <= 3 * that_of_other || !isfinite(that_of_other);
}

#endif
