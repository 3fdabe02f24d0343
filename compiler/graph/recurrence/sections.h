/* Decomposes a linear recurrence with constant coefficients into sections of order 1 and 2, in
 * cascade or in parallel. Source: Oppenheim and Schafer, Discrete-Time Signal Processing,
 * structures for IIR systems. */
#ifndef FLTC_GRAPH_RECURRENCE_SECTIONS_H
#define FLTC_GRAPH_RECURRENCE_SECTIONS_H

#include "graph/recurrence/feedback.h"

enum { SECTIONS_MOST = (FEEDBACK_MOST_ORDER + 1) / 2 };

/* Cascade form of the feedback. For samples of f64, the order of the sections keeps rounding errors
 * small, and coefficients have more digits than f64, since rounding them would move the poles by
 * more than the error of the recurrence. For samples of f32 (narrow), coefficients are f64. Returns
 * the number of sections; 0: there are none with the same response, or they would lose digits of
 * f64 that the recurrence keeps. */
size_t sections_in_cascade(const struct linear_filter *recurrence, bool narrow,
                           struct linear_filter section[SECTIONS_MOST]);

/* Parallel form: sections of one input whose sum is the feedback's result. Each applies its
 * feedback first, then its taps. Returns as above. */
size_t sections_in_parallel(const struct linear_filter *recurrence, bool narrow,
                            struct linear_filter section[SECTIONS_MOST]);

#endif
