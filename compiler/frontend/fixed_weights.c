/* Weights of a sum, which are known: sum[d in -2 .. 2](k[d] * in[y, x + d]) of k = {1, 4, 6, 4, 1}
 * is at most 16 times the greatest sample, though 5 terms of up to 6 times it might be more. */
#include "frontend/elaborator.h"

#include <math.h>

/* The place of the variable among the ranges, or their number. */
static unsigned range_of(const struct expr_reduction *shape, const struct expr *index)
{
    unsigned r = 0;
    while (r < shape->rank &&
           (index->kind != EXPR_VARIABLE || index->as.variable.name != shape->range[r].variable))
        r++;
    return r;
}

/* Whether the load takes each element once: at the variables of all ranges, which stay inside. */
static bool takes_each_once(const struct stage *stage, const struct expr_reduction *shape,
                            const struct expr *load)
{
    unsigned seen = 0;
    if (stage->rank != shape->rank)
        return false;
    for (unsigned k = 0; k < stage->rank; k++) {
        const unsigned r = range_of(shape, load->operand[k]);
        if (r == shape->rank || seen >> r & 1)
            return false;
        const struct expr_range *range = &shape->range[r];
        const int64_t first = stage->axis[k].first->as.integer;
        const int64_t end = first + stage->axis[k].extent->as.integer;
        if (range->first < first || range->first + range->extent > end)
            return false;
        seen |= 1u << r;
    }
    return true;
}

static void add_weights(const struct stage *stage, struct weights *weights)
{
    for (size_t i = 0; i < stage->as.constant.count; i++) {
        const double value = (double)stage->as.constant.value[i]->as.integer;
        weights->above += fmax(value, 0);
        weights->below += fmax(-value, 0);
    }
}

bool fixed_weights_of(const struct elaborator *el, const struct expr_reduction *shape,
                      const struct expr *term, struct weights *weights)
{
    if (shape->operation != REDUCTION_SUM || shape->counted || shape->fused ||
        term->kind != EXPR_MULTIPLY || !scalar_is_integer(term->scalar))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct expr *load = term->operand[i];
        if (load->kind != EXPR_LOAD || load->as.load.source == SELF_SOURCE)
            continue;
        const struct stage *stage = el->graph->stages.item[load->as.load.source];
        if (stage->kind != STAGE_CONSTANT || !takes_each_once(stage, shape, load))
            continue;
        *weights = (struct weights){.of = term->operand[1 - i]};
        add_weights(stage, weights);
        return true;
    }
    return false;
}

bool fixed_weighted_interval(const struct weights *weights, struct interval *interval)
{
    const double least = (double)weights->of->interval.least;
    const double greatest = (double)weights->of->interval.greatest;
    /* A part of the terms may be left out. */
    const double low = fmin(least, 0) * weights->above - fmax(greatest, 0) * weights->below;
    const double high = fmax(greatest, 0) * weights->above - fmin(least, 0) * weights->below;
    const double exact = 0x1p53;
    if (low < -exact || high > exact)
        return false;
    *interval = (struct interval){(int64_t)low, (int64_t)high};
    return true;
}
