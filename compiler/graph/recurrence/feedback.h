/* How fast a linear recurrence with constant coefficients forgets its past, and how much its
 * rounding errors grow. */
#ifndef FLTC_GRAPH_RECURRENCE_FEEDBACK_H
#define FLTC_GRAPH_RECURRENCE_FEEDBACK_H

#include "graph/graph.h"

enum { FEEDBACK_MOST_ORDER = 32 };

/* s(n) = a[1] s(n - 1) + … + a[order] s(n - order) + what does not depend on s. */
struct feedback {
    int64_t order;
    double a[FEEDBACK_MOST_ORDER + 1];
};

/* Feedback and taps, in more digits: s(n) = tap[0] u(n) + … + tap[taps] u(n - taps) + back[1] s(n -
 * 1) + … + back[order] s(n - order). */
struct linear_filter {
    int64_t taps, order;
    long double tap[FEEDBACK_MOST_ORDER + 1], back[FEEDBACK_MOST_ORDER + 1];
};

/* False: the stage is not a recurrence of floats with constant coefficients that reads itself only
 * on its own line. */
bool feedback_of(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                 const struct stage *stage, struct feedback *feedback);

/* The number of samples after which the influence of a sample is less than `part`; 0: more than
 * `most`. */
int64_t feedback_memory(const struct feedback *feedback, double part, int64_t most);

/* The sum of the magnitudes of the impulse response: the greatest factor by which rounding errors
 * grow. INFINITY: it does not converge. */
double feedback_amplification(const struct feedback *feedback);

/* The norm of the matrix that advances a state by `samples` samples: the greatest sum of magnitudes
 * in a row. Poles close to each other make it large. */
double feedback_growth(const struct feedback *feedback, int64_t samples);

/* The number of samples after which the influence of earlier samples is less than half an ulp of
 * the stored type, relative to the greatest sample; 0: never, or too many for a tile to start so
 * far ahead. */
int64_t recurrence_memory(const struct graph *graph, struct expr_pool *pool, struct arena *scratch,
                          const struct stage *stage);

#endif
