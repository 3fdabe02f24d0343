/* Boxes that reads touch. */
#include "analysis/regions.h"

/* At most 2^61 on either side: no box is that large, and what is computed with it fits 64 bits. */
static const struct expr *limited(struct expr_pool *pool, const struct expr *a)
{
    const int64_t most = (int64_t)1 << 61;
    return region_maximum(pool, region_minimum(pool, a, expr_integer(pool, most)),
                          expr_integer(pool, -most));
}

const struct expr *region_sum(struct expr_pool *pool, const struct expr *a, const struct expr *b,
                              int64_t factor)
{
    const struct affine form = affine_sum(affine_from(a), affine_from(b), factor);
    if (form.exact)
        return affine_build(pool, &form);
    return expr_binary(pool, EXPR_ADD, limited(pool, a),
                       limited(pool, expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, factor),
                                                 limited(pool, b))));
}

const struct expr *region_minimum(struct expr_pool *pool, const struct expr *a,
                                  const struct expr *b)
{
    if (a == b || affine_at_most(a, b))
        return a;
    return affine_at_most(b, a) ? b : expr_binary(pool, EXPR_MINIMUM, a, b);
}

const struct expr *region_maximum(struct expr_pool *pool, const struct expr *a,
                                  const struct expr *b)
{
    if (a == b || affine_at_most(b, a))
        return a;
    return affine_at_most(a, b) ? b : expr_binary(pool, EXPR_MAXIMUM, a, b);
}

/* floor(a / divisor); where a is itself a quotient, one division by the product. */
const struct expr *region_floor_divide(struct expr_pool *pool, const struct expr *a,
                                       int64_t divisor)
{
    const struct expr *quotient = expr_binary(pool, EXPR_DIVIDE, a, expr_integer(pool, divisor));
    const struct scaled_index scaled = affine_index(quotient);
    if (!scaled.numerator.exact)
        return quotient;
    bool divisible = scaled.numerator.constant % scaled.denominator == 0;
    for (unsigned i = 0; i < scaled.numerator.count; i++)
        divisible = divisible && scaled.numerator.term[i].coefficient % scaled.denominator == 0;
    struct affine form = scaled.numerator;
    if (divisible) {
        form.constant /= scaled.denominator;
        for (unsigned i = 0; i < form.count; i++)
            form.term[i].coefficient /= scaled.denominator;
        return affine_build(pool, &form);
    }
    return expr_binary(pool, EXPR_DIVIDE, affine_build(pool, &form),
                       expr_integer(pool, scaled.denominator));
}

static bool occurs_inside_atom(const struct expr_pool *pool, const struct affine *form,
                               const struct expr *variable)
{
    struct arena *arena = arena_sibling(pool->arena);
    bool found = false;
    for (unsigned i = 0; i < form->count && !found; i++)
        found = form->term[i].atom != variable && form->term[i].atom->count > 0 &&
                expr_contains(arena, form->term[i].atom, variable);
    arena_destroy(arena);
    return found;
}

static bool region_of_scaled(struct expr_pool *pool, const struct scaled_index *scaled,
                             unsigned count, const struct span_bound bound[],
                             const struct expr **first, const struct expr **end)
{
    struct affine low = scaled->numerator, high = scaled->numerator;
    /* A box is made of what is known before any sample is. */
    for (unsigned i = 0; i < scaled->numerator.count; i++)
        if (scaled->numerator.term[i].atom->holds & (HOLDS_LOAD | HOLDS_REDUCE | HOLDS_EXTERNAL))
            return false;
    for (unsigned b = 0; b < count; b++) {
        if (occurs_inside_atom(pool, &scaled->numerator, bound[b].variable))
            return false;
        const int64_t c = affine_coefficient(&scaled->numerator, bound[b].variable);
        if (c == 0)
            continue;
        const struct affine least = affine_from(bound[b].first);
        const struct affine greatest =
            affine_sum(affine_from(bound[b].end), affine_from(expr_integer(pool, 1)), -1);
        low = affine_sum(affine_without(low, bound[b].variable), c > 0 ? least : greatest, c);
        high = affine_sum(affine_without(high, bound[b].variable), c > 0 ? greatest : least, c);
    }
    if (!low.exact || !high.exact)
        return false;
    *first = region_floor_divide(pool, affine_build(pool, &low), scaled->denominator);
    *end =
        region_sum(pool, region_floor_divide(pool, affine_build(pool, &high), scaled->denominator),
                   expr_integer(pool, 1), 1);
    return true;
}

enum { DEEPEST_CHOICE = 6 }; /* of one in the other: what is used twice is looked at twice */

static bool region_within(struct expr_pool *pool, const struct expr *index, unsigned depth,
                          unsigned count, const struct span_bound bound[],
                          const struct expr **first, const struct expr **end);

/* The smaller or the greater of two indices. Of one that is not known its interval is; of both,
 * nothing. */
static bool region_of_choice(struct expr_pool *pool, const struct expr *choice, unsigned depth,
                             unsigned count, const struct span_bound bound[],
                             const struct expr **first, const struct expr **end)
{
    const struct expr *low[2], *high[2];
    bool known = false;
    for (int i = 0; i < 2; i++) {
        const struct expr *of = choice->operand[i];
        if (region_within(pool, of, depth + 1, count, bound, &low[i], &high[i])) {
            known = true;
            continue;
        }
        low[i] = expr_integer(pool, of->interval.least);
        high[i] =
            region_sum(pool, expr_integer(pool, of->interval.greatest), expr_integer(pool, 1), 1);
    }
    const struct expr *(*nearer)(struct expr_pool *, const struct expr *, const struct expr *) =
        choice->kind == EXPR_MINIMUM ? region_minimum : region_maximum;
    *first = nearer(pool, low[0], low[1]);
    *end = nearer(pool, high[0], high[1]);
    return known;
}

static bool region_within(struct expr_pool *pool, const struct expr *index, unsigned depth,
                          unsigned count, const struct span_bound bound[],
                          const struct expr **first, const struct expr **end)
{
    if (index->kind == EXPR_MINIMUM || index->kind == EXPR_MAXIMUM)
        return depth < DEEPEST_CHOICE &&
               region_of_choice(pool, index, depth, count, bound, first, end);
    const struct scaled_index scaled = affine_index(index);
    return scaled.numerator.exact && region_of_scaled(pool, &scaled, count, bound, first, end);
}

bool region_of_index(struct expr_pool *pool, const struct expr *index, unsigned count,
                     const struct span_bound bound[], const struct expr **first,
                     const struct expr **end)
{
    return region_within(pool, index, 0, count, bound, first, end);
}

void region_clip(struct expr_pool *pool, bool mirrored, const struct expr *box_first,
                 const struct expr *box_extent, const struct expr **first, const struct expr **end)
{
    const struct expr *one = expr_integer(pool, 1), *low = *first, *high = *end;
    const struct expr *box_end = region_sum(pool, box_first, box_extent, 1);
    if (mirrored) { /* -1 stands for 0 or 1, -2 for 1 or 2 … */
        const struct expr *from_low = region_sum(
            pool, region_sum(pool, region_sum(pool, box_first, box_first, 1), low, -1), one, 1);
        const struct expr *from_high = region_sum(
            pool, region_sum(pool, region_sum(pool, box_end, box_end, 1), high, -1), one, -1);
        high = region_maximum(pool, high, from_low);
        low = region_minimum(pool, low, from_high);
    }
    const struct expr *last = region_sum(pool, box_end, one, -1);
    *first = region_minimum(pool, region_maximum(pool, low, box_first), last);
    *end = region_maximum(pool, region_minimum(pool, high, box_end),
                          region_sum(pool, box_first, one, 1));
}

/* What has to be at least 0 so that the index is inside. */
static void inside_forms(struct expr_pool *pool, const struct expr *index, const struct expr *first,
                         const struct expr *extent, struct affine *low, struct affine *high)
{
    const struct scaled_index scaled = affine_index(index);
    const struct affine zero = affine_from(expr_integer(pool, 0));
    const struct affine one = affine_from(expr_integer(pool, 1));
    const struct affine begin = affine_from(first);
    /* floor(N / q) >= first  <=>  N - q first >= 0
     * floor(N / q) <  end    <=>  q end - 1 - N >= 0 */
    *low = affine_sum(scaled.numerator, begin, -scaled.denominator);
    const struct affine end = affine_sum(begin, affine_from(extent), 1);
    *high = affine_sum(affine_sum(affine_sum(zero, end, scaled.denominator), one, -1),
                       scaled.numerator, -1);
}

bool region_stays_inside(struct expr_pool *pool, const struct expr *index, const struct expr *first,
                         const struct expr *extent, unsigned count,
                         const struct affine_bound bound[])
{
    struct affine low, high;
    inside_forms(pool, index, first, extent, &low, &high);
    return affine_is_nonnegative(low, count, bound) && affine_is_nonnegative(high, count, bound);
}

struct region_sides region_sides_inside(struct expr_pool *pool, const struct expr *index,
                                        const struct expr *first, const struct expr *extent,
                                        unsigned count, const struct affine_bound bound[],
                                        size_t fact_count, const struct affine fact[])
{
    struct affine low, high;
    inside_forms(pool, index, first, extent, &low, &high);
    return (struct region_sides){affine_follows(low, count, bound, fact_count, fact),
                                 affine_follows(high, count, bound, fact_count, fact)};
}
