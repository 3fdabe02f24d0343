/* The sections of order 1 and 2 that a linear recurrence is made of, with constant coefficients:
 * one after another, or beside each other. Source: Oppenheim and Schafer, Discrete-Time Signal
 * Processing, structures for IIR systems. */
#ifndef FLTC_GRAPH_RECURRENCE_SECTIONS_H
#define FLTC_GRAPH_RECURRENCE_SECTIONS_H

#include "graph/recurrence/feedback.h"

enum { SECTIONS_MOST = (FEEDBACK_MOST_ORDER + 1) / 2 };

/* Sections one after another that do what the feedback of the recurrence does, for samples of f64
 * in an order whose sums lose little. Coefficients of f64 would move poles by more than the
 * recurrence errs itself; for samples of f32, narrow, they are such. Returns how many there are; 0:
 * they would do something else, or lose digits of f64 that the recurrence does not. */
size_t sections_in_cascade(const struct linear_filter *recurrence, bool narrow,
                           struct linear_filter section[SECTIONS_MOST]);

/* Sections of one input whose sum is what the feedback does, each first its own feedback, then its
 * taps; 0: the same. */
size_t sections_in_parallel(const struct linear_filter *recurrence, bool narrow,
                            struct linear_filter section[SECTIONS_MOST]);

#endif
