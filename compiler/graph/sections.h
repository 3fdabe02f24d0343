/* The sections of order 1 and 2 that a linear recurrence is made of, with constant coefficients: one after another, or beside
 * each other. Source: Oppenheim and Schafer, Discrete-Time Signal Processing, structures for IIR systems. */
#ifndef FLTC_GRAPH_SECTIONS_H
#define FLTC_GRAPH_SECTIONS_H

#include "graph/feedback.h"

enum { SECTIONS_MOST = (FEEDBACK_MOST_ORDER + 1) / 2 };

/* s(n) = u(n) + back[0] s(n - 1) + back[1] s(n - 2), which gives output[0] s(n) + output[1] s(n - 1). Coefficients of f64 would
 * move poles by more than the recurrence errs itself; for samples of f32 they are such. */
struct section {
    long double output[2], back[2];
};

/* Sections one after another that do what the recurrence does, output 1 and 0, for samples of f64 in an order whose sums lose little.
 * Returns how many there are; 0: they would do something else, or lose digits of f64 that the recurrence does not; narrow: for
 * samples of f32. */
size_t sections_in_cascade(const struct feedback *feedback, bool narrow,
                           struct section section[SECTIONS_MOST]);

/* Sections of one input whose sum is what the recurrence does; 0: the same. */
size_t sections_in_parallel(const struct feedback *feedback, bool narrow,
                            struct section section[SECTIONS_MOST]);

#endif
