#include "graph/placement/convolutions.h"

#include "expr/affine.h"
#include "graph/placement/windows.h"

#include <math.h>

/* ---- The two loads ---- */

static bool is_of_ranges(const struct expr *reduce, const struct expr *variable)
{
    bool is = false;
    for (unsigned r = 0; r < reduce->as.reduce.rank; r++)
        is = is || reduce->as.reduce.range[r].variable == variable->as.variable.name;
    return is;
}

struct index_search {
    const struct expr *reduce;
    bool others; /* a coordinate that is no variable of the ranges, or a read */
};

static void note_index(const struct expr *node, void *user)
{
    struct index_search *search = user;
    if (node->kind == EXPR_LOAD || node->kind == EXPR_EXTERNAL ||
        (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_INDEX &&
         !is_of_ranges(search->reduce, node)))
        search->others = true;
}

/* The same at all samples: its indices are made of the variables of the ranges. */
static bool is_kernel(struct arena *scratch, const struct expr *reduce, const struct expr *load)
{
    struct expr_walk walk = {.scratch = scratch};
    struct index_search search = {reduce, load->kind != EXPR_LOAD};
    for (unsigned k = 0; k < load->count && !search.others; k++)
        expr_visit(&walk, load->operand[k], note_index, &search);
    return !search.others;
}

static bool find_loads(struct arena *scratch, const struct expr *reduce, struct convolution *c)
{
    const struct expr *factor[2];
    if (!window_factors(reduce, factor))
        return false;
    const bool is_first = is_kernel(scratch, reduce, factor[0]);
    c->kernel = factor[is_first ? 0 : 1];
    c->image = factor[is_first ? 1 : 0];
    return c->image->kind == EXPR_LOAD && is_kernel(scratch, reduce, c->kernel) &&
           !is_kernel(scratch, reduce, c->image) &&
           (!reduce->as.reduce.has_condition ||
            window_leaves_out_zeros(expr_reduce_condition(reduce), c->kernel));
}

/* Rules whose value, if there is one, is the same everywhere. */
static bool has_plain_rules(const struct expr *load)
{
    for (unsigned k = 0; load->as.load.border && k < load->count; k++) {
        const struct border *border = &load->as.load.border[k];
        if (border->rule == BORDER_EXTEND || border->rule == BORDER_VALID ||
            (border->value && border->value->kind != EXPR_REAL &&
             border->value->kind != EXPR_INTEGER))
            return false;
    }
    return true;
}

/* ---- Axes ---- */

static unsigned coordinate_of(const struct stage *stage, const struct affine *form)
{
    unsigned a = 0;
    while (a < stage->rank && affine_coefficient(form, stage->axis[a].variable) != 1)
        a++;
    return a;
}

/* Axis k of the image is read at a coordinate of the stage, or that and the variable of a range. */
static bool add_axis(struct convolution *c, const struct stage *stage, unsigned k, unsigned *used)
{
    const struct scaled_index index = affine_index(c->image->operand[k]);
    const struct affine *form = &index.numerator;
    const unsigned own = form->exact ? coordinate_of(stage, form) : stage->rank;
    if (own == stage->rank || index.denominator != 1 || (*used & 1u << own))
        return false;
    *used |= 1u << own;
    if (c->image->operand[k] == stage->axis[own].variable)
        return true;
    for (unsigned i = 0; i < form->count && form->count == 2; i++) {
        const struct expr *atom = form->term[i].atom;
        const int64_t sign = form->term[i].coefficient;
        for (unsigned r = 0; r < c->reduce->as.reduce.rank; r++) {
            const struct expr_range range = c->reduce->as.reduce.range[r];
            if (atom->kind != EXPR_VARIABLE || atom->as.variable.name != range.variable ||
                (sign != 1 && sign != -1))
                continue;
            c->along[c->count++] =
                (struct convolution_axis){k, own, range, (int)sign, form->constant};
            return true;
        }
    }
    return false;
}

static bool find_axes(struct convolution *c, const struct stage *stage)
{
    unsigned used = 0;
    for (unsigned k = 0; k < c->image->count; k++)
        if (!add_axis(c, stage, k, &used))
            return false;
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < i; k++)
            if (c->along[i].range.variable == c->along[k].range.variable)
                return false;
    return c->count == c->reduce->as.reduce.rank && c->count > 0;
}

/* ---- Costs ---- */

static int64_t taps_of(const struct graph *graph, const struct convolution *c)
{
    const struct stage *kernel = graph->stages.item[c->kernel->as.load.source];
    int64_t taps = 1, zeros = 0;
    for (unsigned i = 0; i < c->count; i++)
        taps *= c->along[i].range.extent;
    for (size_t i = 0; kernel->kind == STAGE_CONSTANT && i < kernel->as.constant.count; i++) {
        const struct expr *value = kernel->as.constant.value[i];
        zeros += value->kind == EXPR_REAL ? value->as.real == 0 : value->as.integer == 0;
    }
    return taps - zeros;
}

/* Measured of f32 by one thread of a processor with vectors of 8: a term takes 0.16 to 0.19 ns, and
 * the transforms of 31 x 31 terms 64 ns a sample of 512 x 512, 67 of 1024 x 1024; here in parts for
 * each pass over memory and each step of a line. Two halves of the image are the parts
 * of complex samples; surplus samples make the lines longer. */
static double transforms_in_taps(const struct graph *graph, const struct stage *stage,
                                 const struct convolution *c)
{
    enum { USUAL = 512 };
    const double passes = 90, step = 8;
    double samples = 1, transformed = 1, steps = 0;
    for (unsigned i = 0; i < c->count; i++) {
        const struct stage_axis *axis = &stage->axis[c->along[i].in_stage];
        const int64_t known = graph_expected(graph, axis->extent);
        const int64_t extent = known > 0 ? known : USUAL;
        const int64_t part = i == 0 ? (extent + 1) / 2 : extent;
        const double length = (double)transform_fast_length(part + c->along[i].range.extent - 1);
        samples *= (double)(i == 0 ? 2 * part : part);
        transformed *= 2 * length / (i == 0 ? 1 : 2);
        steps += log2(length);
    }
    return transformed / samples * (passes * c->count + step * steps);
}

/* Whole, in memory, or where it is read: so is what transforms leave of it. */
static bool is_whole(const struct schedule *schedule)
{
    return (schedule->placement == PLACED_ROOT || schedule->placement == PLACED_INLINE) &&
           schedule->rank == 0;
}

/* What the program says of how the stage and the image are computed is of the sum. */
static bool is_scheduled(const struct graph *graph, const struct stage *stage,
                         const struct convolution *c)
{
    const struct stage *image = graph->stages.item[c->image->as.load.source];
    return (stage->schedule && !is_whole(stage->schedule)) || stage_says_any(stage) ||
           stage_has_others(graph, stage) ||
           (image->schedule && image->schedule->placement != PLACED_ROOT);
}

bool convolution_find(struct arena *scratch, const struct graph *graph, const struct stage *stage,
                      const struct expr *node, struct convolution *c)
{
    *c = (struct convolution){.reduce = node};
    if (node->kind != EXPR_REDUCE || node->as.reduce.operation != REDUCTION_SUM ||
        node->as.reduce.counted || !scalar_is_float(node->scalar) ||
        stage->rank + 1 > GRAPH_MAX_RANK || !find_loads(scratch, node, c) ||
        c->image->as.load.source == stage->id.index || !has_plain_rules(c->image) ||
        !has_plain_rules(c->kernel) || is_scheduled(graph, stage, c) || !find_axes(c, stage))
        return false;
    c->taps = taps_of(graph, c);
    c->worth_taps = transforms_in_taps(graph, stage, c);
    return true;
}
