/* Filters along one axis of a grid: many lines side by side. */
#ifndef FLT_PARTICLES_LINES_H
#define FLT_PARTICLES_LINES_H

#include "particles/internal.h"

enum { STRIP = 64 }; /* lines that are filtered together */

/* One axis of a grid: lines of n samples. */
struct spline {
    float b1, b2, gain;
    int64_t reach; /* samples that tell where a recursion begins */
    /* Weights of these: of the first two results there, and the last two back. */
    const float *there[2], *back[2];
};

/* What is done to lines, in place. spline: of a smoothing. half: of windows. */
enum lines_kind { LINES_SMOOTH, LINES_EVALUATE, LINES_AVERAGE };
struct lines_filter {
    enum lines_kind kind;
    const struct spline *spline;
    int64_t half;
};

/* Filters lines along an axis of a part of a grid: along x `count` rows one behind the other, along
 * y and z all lines from row `row` on, a row of them. room: floats_of_lines. */
void filter_rows(const struct lines_filter *f, float *row, int64_t count, int64_t n, float *room);
void filter_columns(const struct lines_filter *f, float *first, int64_t n, int64_t stride,
                    int64_t count, float *room);

static inline uint64_t floats_of_lines(int64_t longest)
{
    return (uint64_t)longest * STRIP * 2;
}

#endif
