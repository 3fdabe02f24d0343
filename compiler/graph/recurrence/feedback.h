/* How a linear recurrence with constant coefficients forgets, and what its rounding errors grow
 * to. */
#ifndef FLTC_GRAPH_RECURRENCE_FEEDBACK_H
#define FLTC_GRAPH_RECURRENCE_FEEDBACK_H

#include "graph/graph.h"

enum { FEEDBACK_MOST_ORDER = 32 };

/* s(n) = a[1] s(n - 1) + … + a[order] s(n - order) + what does not depend on s. */
struct feedback {
    int64_t order;
    double a[FEEDBACK_MOST_ORDER + 1];
};

/* The same beside taps, with more digits:
 * s(n) = tap[0] u(n) + … + tap[taps] u(n - taps) + back[1] s(n - 1) + … + back[order] s(n -
 * order). */
struct linear_filter {
    int64_t taps, order;
    long double tap[FEEDBACK_MOST_ORDER + 1], back[FEEDBACK_MOST_ORDER + 1];
};

/* False: the stage is no recurrence of floats with constant coefficients that reads itself on its
 * own line alone. */
bool feedback_of(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                 const struct stage *stage, struct feedback *feedback);

/* Samples after which one that was before counts for less than a part of itself; 0: more than
 * `most`. */
int64_t feedback_memory(const struct feedback *feedback, double part, int64_t most);

/* The sum of the magnitudes of what one sample adds to itself and those behind it: errors of
 * rounding grow so many times at most. INFINITY: it has no end. */
double feedback_amplification(const struct feedback *feedback);

/* How much the samples of a state count in one of those so many samples later: the greatest sum of
 * magnitudes of a row of the matrix that tells. Poles close to each other make it large. */
double feedback_growth(const struct feedback *feedback, int64_t samples);

/* Samples of a recurrence after which those before count for less than half an ulp of what the
 * program stores of it, beside the greatest of them; 0: always, or too many for tiles to begin so
 * far before what is read of them. */
int64_t recurrence_memory(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                          const struct stage *stage);

#endif
