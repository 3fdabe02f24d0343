/* The rounding noise of a linear recurrence in its samples, for any form that computes it. */
#ifndef FLTC_GRAPH_RECURRENCE_FILTER_NOISE_H
#define FLTC_GRAPH_RECURRENCE_FILTER_NOISE_H

#include "graph/recurrence/feedback.h"

#include <math.h>

/* The noise of filters in cascade, in ulps of the greatest input sample, over the first 1024
 * samples; infinite or NaN if they overflow. Each partial sum is rounded relative to its greatest
 * possible value, and the rounding error enters everything after it. Source: Jackson,
 * Roundoff-Noise Analysis for Fixed-Point Digital Filters Realized in Cascade or Parallel Form,
 * 1970. */
double filter_noise_in_turn(size_t count, const struct linear_filter filter[]);
/* The noise of the sum of filters in parallel: each applies its feedback first, then its taps. */
double filter_noise_side_by_side(size_t count, const struct linear_filter filter[]);

/* Whether one form may replace another: it loses hardly more digits, or the other one overflows. */
static inline bool filter_is_quiet(double noise, double that_of_other)
{
    return noise <= 3 * that_of_other || !isfinite(that_of_other);
}

#endif
