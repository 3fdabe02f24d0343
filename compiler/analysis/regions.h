/* Boxes that reads touch, in closed form. */
#ifndef FLTC_ANALYSIS_REGIONS_H
#define FLTC_ANALYSIS_REGIONS_H

#include "expr/affine.h"
#include "expr/expr.h"

struct span_bound { /* first <= variable < end */
    const struct expr *variable, *first, *end;
};

/* Least value and one past the greatest of an index over the bounds of its variables. False: not
 * known, because the index is not an affine map with a rational scale, nor the smaller or the
 * greater of such. Variables without a bound count as fixed, except that reductions' variables have
 * their own intervals: pass those as bounds. */
bool region_of_index(struct expr_pool *pool, const struct expr *index, unsigned count,
                     const struct span_bound bound[], const struct expr **first,
                     const struct expr **end);

/* What border rules make of the coordinates first … end - 1 of a read: the box, cut to box_first …
 * box_first + box_extent - 1, at least one sample of it; mirrored: with those that reflecting rules
 * lead to. */
void region_clip(struct expr_pool *pool, bool mirrored, const struct expr *box_first,
                 const struct expr *box_extent, const struct expr **first, const struct expr **end);

/* Whether an index is within first … first + extent - 1 for all values of its bounded variables;
 * false means: not proved. */
bool region_stays_inside(struct expr_pool *pool, const struct expr *index, const struct expr *first,
                         const struct expr *extent, unsigned count,
                         const struct affine_bound bound[]);

/* min and max of coordinates, in normal form; the nearer one where it can be proved. */
const struct expr *region_minimum(struct expr_pool *pool, const struct expr *a,
                                  const struct expr *b);
const struct expr *region_maximum(struct expr_pool *pool, const struct expr *a,
                                  const struct expr *b);
const struct expr *region_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b,
                              int64_t factor_of_b);
const struct expr *region_floor_divide(struct expr_pool *pool, const struct expr *a,
                                       int64_t divisor);

struct region_sides {
    bool low, high;
};
/* The same for each side, where the facts, each of which is at least 0, are known besides. */
struct region_sides region_sides_inside(struct expr_pool *pool, const struct expr *index,
                                        const struct expr *first, const struct expr *extent,
                                        unsigned count, const struct affine_bound bound[],
                                        size_t fact_count, const struct affine fact[]);

#endif
