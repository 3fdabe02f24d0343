#include "graph/placement/windows.h"

#include "expr/affine.h"

#include <math.h>

enum { LEAST_EXTENT = 3 };

/* ---- Order ---- */

static bool is_order_free(const struct expr *reduce)
{
    switch (reduce->as.reduce.operation) {
    case REDUCTION_SUM:
        return scalar_is_integer(reduce->scalar) || reduce->fast;
    case REDUCTION_MINIMUM:
    case REDUCTION_MAXIMUM:
    case REDUCTION_ANY:
    case REDUCTION_ALL:
        return true;
    default:
        return false;
    }
}

static bool separates_rule(const struct expr *reduce, const struct border *border)
{
    switch (border->rule) {
    case BORDER_NONE:
    case BORDER_CLAMP:
    case BORDER_REFLECT:
    case BORDER_REFLECT101:
    case BORDER_WRAP:
        return true;
    case BORDER_ZERO:
    case BORDER_CONSTANT:
        return reduce->as.reduce.operation != REDUCTION_SUM || border->rule == BORDER_ZERO;
    default:
        return false;
    }
}

static bool names(const struct affine *form, const struct symbol *variable, int64_t *coefficient)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->term[i].atom->kind == EXPR_VARIABLE &&
            form->term[i].atom->as.variable.kind == VARIABLE_INDEX &&
            form->term[i].atom->as.variable.name == variable) {
            *coefficient = form->term[i].coefficient;
            return true;
        }
    return false;
}

/* The axis along which the range's variable runs, once and alone: axis variable + constant + its
 * variable. GRAPH_MAX_RANK: none. */
static unsigned axis_of_range(const struct stage *stage, const struct expr *load,
                              const struct symbol *variable)
{
    unsigned axis = GRAPH_MAX_RANK;
    for (unsigned k = 0; k < load->count; k++) {
        const struct scaled_index index = affine_index(load->operand[k]);
        int64_t own = 0;
        bool coordinate = false;
        if (!index.numerator.exact)
            return GRAPH_MAX_RANK;
        if (!names(&index.numerator, variable, &own))
            continue;
        for (unsigned a = 0; a < stage->rank; a++)
            coordinate =
                coordinate || affine_coefficient(&index.numerator, stage->axis[a].variable) == 1;
        if (axis != GRAPH_MAX_RANK || (own != 1 && own != -1) || index.denominator != 1 ||
            index.numerator.count != 2 || !coordinate)
            return GRAPH_MAX_RANK;
        axis = k;
    }
    return axis;
}

unsigned window_axis_of_index(const struct stage *stage, const struct expr *index)
{
    const struct affine form = affine_from(index);
    unsigned a = 0;
    while (a < stage->rank && affine_coefficient(&form, stage->axis[a].variable) == 0)
        a++;
    return a;
}

/* Rows have the source's coordinate along the outer axis, the stage's along the others: no two of
 * one name, nor one of a variable of the reductions. */
static bool names_differ(const struct graph *graph, const struct stage *stage,
                         const struct window *w)
{
    const struct stage *source = graph->stages.item[w->load->as.load.source];
    const struct symbol *name[GRAPH_MAX_RANK + 2];
    unsigned count = 0;
    for (unsigned k = 0; k < w->load->count; k++) {
        const struct stage_axis *axis =
            k == w->outer ? &source->axis[k]
                          : &stage->axis[window_axis_of_index(stage, w->load->operand[k])];
        name[count++] = axis->variable->as.variable.name;
    }
    for (unsigned r = 0; r < 2; r++)
        name[count++] = w->reduce->as.reduce.range[r].variable;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (name[i] == name[k])
                return false;
    return true;
}

/* ---- Kernels of rank one ---- */

struct kernel {
    unsigned rows, columns;
    const double *value; /* row by row */
};

static double kernel_at(const struct kernel *kernel, unsigned row, unsigned column)
{
    return kernel->value[row * kernel->columns + column];
}

/* The kernel that the load reads, a place for each pair of the reduction's variables; false: it
 * reads something else. */
static bool read_kernel(struct arena *scratch, const struct graph *graph, struct window *w,
                        struct kernel *kernel)
{
    const struct stage *stage = graph->stages.item[w->weight->as.load.source];
    const struct expr_range *range = w->reduce->as.reduce.range;
    const int64_t exact = (int64_t)1 << 53; /* in a double */
    uint64_t stride[2], place = 0, step = 1;
    unsigned found = 0;
    for (unsigned k = stage->rank; k-- > 0;) {
        const struct stage_axis *axis = &stage->axis[k];
        const struct expr *index = w->weight->operand[k];
        const int64_t first = axis->first->as.integer, extent = axis->extent->as.integer;
        for (unsigned r = 0; r < 2; r++) {
            if (index->kind != EXPR_VARIABLE || index->as.variable.name != range[r].variable)
                continue;
            if (range[r].first < first || range[r].first + range[r].extent > first + extent)
                return false;
            w->place[r] = index;
            stride[r] = step;
            place += step * (uint64_t)(range[r].first - first);
            found |= 1u << r;
        }
        step *= (uint64_t)extent;
    }
    if (stage->rank != 2 || found != 3)
        return false;
    *kernel = (struct kernel){(unsigned)range[0].extent, (unsigned)range[1].extent, NULL};
    double *value = ARENA_ARRAY(scratch, double, (size_t)kernel->rows * kernel->columns);
    for (unsigned i = 0; i < kernel->rows; i++)
        for (unsigned k = 0; k < kernel->columns; k++) {
            const struct expr *constant =
                stage->as.constant.value[place + i * stride[0] + k * stride[1]];
            const bool real = constant->kind == EXPR_REAL;
            if (real ? !isfinite(constant->as.real)
                     : constant->as.integer > exact || constant->as.integer < -exact)
                return false;
            value[i * kernel->columns + k] =
                real ? constant->as.real : (double)constant->as.integer;
        }
    kernel->value = value;
    return true;
}

static double common_divisor(double a, double b)
{
    return b == 0 ? fabs(a) : common_divisor(b, fmod(a, b));
}

static double as_stored(enum scalar scalar, double value)
{
    return scalar == SCALAR_F32 ? (double)(float)value : value;
}

/* The kernel as a column times a row, which is the one through its greatest value, in units; of
 * integers both are whole. False: it is of a higher rank. */
static bool split_kernel(struct arena *scratch, const struct kernel *kernel, enum scalar scalar,
                         unsigned row, unsigned column, double unit, double tolerance,
                         const double *factor[2])
{
    double *down = ARENA_ARRAY(scratch, double, kernel->rows);
    double *along = ARENA_ARRAY(scratch, double, kernel->columns);
    for (unsigned k = 0; k < kernel->columns; k++)
        along[k] = as_stored(scalar, kernel_at(kernel, row, k) / unit);
    for (unsigned i = 0; i < kernel->rows; i++) {
        down[i] = as_stored(scalar, kernel_at(kernel, i, column) / along[column]);
        if (scalar_is_integer(scalar) && down[i] != floor(down[i]))
            return false;
    }
    factor[0] = down;
    factor[1] = along;
    for (unsigned i = 0; i < kernel->rows; i++)
        for (unsigned k = 0; k < kernel->columns; k++) {
            const double value = kernel_at(kernel, i, k);
            if (!(fabs(down[i] * along[k] - value) <= tolerance * fabs(value)))
                return false;
        }
    return true;
}

/* Rows of whole numbers, as of binomials, are exact; others are rounded, which integers cannot
 * be. */
static bool factor_kernel(struct arena *scratch, const struct kernel *kernel, enum scalar scalar,
                          const double *factor[2])
{
    const double tolerance = scalar_is_integer(scalar) ? 0
                             : scalar == SCALAR_F32    ? 0x1p-20
                                                       : 0x1p-49;
    enum { MOST_UNITS = 4096 };
    unsigned row = 0, column = 0;
    for (unsigned i = 0; i < kernel->rows; i++)
        for (unsigned k = 0; k < kernel->columns; k++)
            if (fabs(kernel_at(kernel, i, k)) > fabs(kernel_at(kernel, row, column))) {
                row = i;
                column = k;
            }
    const double pivot = kernel_at(kernel, row, column);
    double unit = 0;
    if (pivot == 0)
        return false;
    for (unsigned k = 0; k < kernel->columns; k++)
        unit = common_divisor(unit, kernel_at(kernel, row, k));
    const bool whole = tolerance == 0 || fabs(pivot) <= MOST_UNITS * unit;
    return (whole && split_kernel(scratch, kernel, scalar, row, column, unit, 0, factor)) ||
           (tolerance > 0 &&
            split_kernel(scratch, kernel, scalar, row, column, 1, tolerance, factor));
}

/* ---- Terms ---- */

/* Whether the conversion keeps every value: integers that a float holds, floats that are wider. */
static bool keeps_values(const struct expr *convert)
{
    const struct expr *from = convert->operand[0];
    const int64_t most = convert->scalar == SCALAR_F32   ? (int64_t)1 << 24
                         : convert->scalar == SCALAR_F64 ? (int64_t)1 << 53
                                                         : 0;
    if (convert->as.convert != CONVERT_EXACT)
        return false;
    if (!scalar_is_float(convert->scalar))
        return true;
    return scalar_is_float(from->scalar)
               ? scalar_info[from->scalar].bytes <= scalar_info[convert->scalar].bytes
               : interval_inside(from->interval, (struct interval){-most, most});
}

/* What is converted to the node's type; in between no value changes. */
static const struct expr *without_conversion(const struct expr *node)
{
    if (node->kind == EXPR_CONVERT && node->as.convert == CONVERT_EXACT)
        node = node->operand[0];
    while (node->kind == EXPR_CONVERT && keeps_values(node))
        node = node->operand[0];
    return node;
}

static bool is_weight(const struct graph *graph, const struct expr *node)
{
    return node->kind == EXPR_LOAD &&
           graph->stages.item[node->as.load.source]->kind == STAGE_CONSTANT;
}

bool window_factors(const struct expr *reduce, const struct expr *factor[2])
{
    const struct expr *term = without_conversion(reduce->operand[0]);
    factor[0] = term;
    if (reduce->as.reduce.fused) {
        factor[1] = without_conversion(reduce->operand[1]);
        return true;
    }
    if (term->kind != EXPR_MULTIPLY)
        return false;
    factor[0] = without_conversion(term->operand[0]);
    factor[1] = without_conversion(term->operand[1]);
    return true;
}

bool window_leaves_out_zeros(const struct expr *condition, const struct expr *weight)
{
    return condition->kind == EXPR_NOT_EQUAL &&
           without_conversion(condition->operand[0]) == weight &&
           ((condition->operand[1]->kind == EXPR_REAL && condition->operand[1]->as.real == 0) ||
            (condition->operand[1]->kind == EXPR_INTEGER &&
             condition->operand[1]->as.integer == 0));
}

/* What is read, and by which weight it is multiplied. */
static bool find_term(const struct graph *graph, const struct expr *reduce, struct window *w)
{
    const struct expr *factor[2];
    const bool is_product = window_factors(reduce, factor);
    const bool is_second = is_product && is_weight(graph, factor[1]);
    w->load = factor[!is_product || is_second ? 0 : 1];
    w->weight = is_product ? factor[is_second ? 1 : 0] : NULL;
    if (w->load->kind != EXPR_LOAD || (w->weight && !is_weight(graph, w->weight)) ||
        (w->weight && reduce->as.reduce.operation != REDUCTION_SUM))
        return false;
    return !reduce->as.reduce.has_condition ||
           (w->weight && window_leaves_out_zeros(expr_reduce_condition(reduce), w->weight));
}

/* Two sums that pass through memory must be short beside the one; those that a window of 3 by 3 of
 * integers has pay. */
static bool is_worth_it(const struct window *w)
{
    const int64_t rows = w->reduce->as.reduce.range[0].extent;
    const int64_t columns = w->reduce->as.reduce.range[1].extent;
    const bool multiplies = w->weight || (scalar_is_float(w->reduce->scalar) &&
                                          w->reduce->as.reduce.operation == REDUCTION_SUM);
    return rows >= LEAST_EXTENT && columns >= LEAST_EXTENT &&
           (!multiplies || rows * columns >= 2 * (rows + columns));
}

/* Whether the axes but those of the window are read at the coordinates of the stage. */
static bool reads_in_place(const struct stage *stage, const struct window *w)
{
    unsigned plain = 0;
    for (unsigned k = 0; k < w->load->count; k++)
        for (unsigned a = 0; a < stage->rank; a++)
            plain +=
                k != w->outer && k != w->inner && w->load->operand[k] == stage->axis[a].variable;
    return plain + 2 == w->load->count && w->load->count == stage->rank;
}

const char *window_problem(struct arena *scratch, const struct graph *graph,
                           const struct stage *stage, const struct expr *node, struct window *w)
{
    const struct detail *said = stage_says(stage, DETAIL_WINDOW);
    *w = (struct window){.reduce = node};
    if (said && !said->value[0])
        return "its schedule wants it whole";
    if (node->kind != EXPR_REDUCE || node->as.reduce.rank != 2 || node->as.reduce.counted)
        return "it reduces no window of two axes";
    if (!is_order_free(node))
        return "the order of its terms counts, unless it is a sum that is `fast`";
    if (!find_term(graph, node, w))
        return "its terms are not samples, or samples times weights that are constants";
    if (!said && !is_worth_it(w))
        return "that would take longer";
    const struct expr *load = w->load;
    w->outer = axis_of_range(stage, load, node->as.reduce.range[0].variable);
    w->inner = axis_of_range(stage, load, node->as.reduce.range[1].variable);
    if (load->as.load.source == stage->id.index || w->outer == GRAPH_MAX_RANK ||
        w->inner == GRAPH_MAX_RANK || w->outer == w->inner)
        return "its window does not run along two axes of an image, place by place";
    for (unsigned k = 0; load->as.load.border && k < load->count; k++)
        if (!separates_rule(node, &load->as.load.border[k]))
            return "under its border rule a row of the window depends on the other ones";
    if (!reads_in_place(stage, w) || !names_differ(graph, stage, w))
        return "it reads the other axes of the image elsewhere than at its own places";
    struct kernel kernel;
    return w->weight && !(read_kernel(scratch, graph, w, &kernel) &&
                          factor_kernel(scratch, &kernel, node->scalar, w->factor))
               ? "its weights are not a column times a row"
               : NULL;
}
