/* The C types that expressions are computed in. Integers are exact: an operation and its operands
 * fit 32 or 64 bits. Operations on samples use 8 or 16 bits if these suffice, since more of them
 * fit a register. */
#include "emit/emission.h"

static bool is_integer_node(const struct expr *node)
{
    return scalar_is_integer(node->scalar);
}

/* Integers in locals are held in one of two types. */
static bool is_wide(const struct expr *node)
{
    return scalar_width(node->interval) == SCALAR_I64 || node->scalar == SCALAR_I64 ||
           node->scalar == SCALAR_U32;
}

enum scalar type_of_text(const struct expr *node)
{
    if (node->kind == EXPR_VARIABLE &&
        (node->as.variable.kind == VARIABLE_INDEX || node->as.variable.kind == VARIABLE_EXTENT))
        return SCALAR_I64;
    if (node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_LOCAL &&
        is_integer_node(node))
        return is_wide(node) ? SCALAR_I64 : SCALAR_I32;
    return node->scalar;
}

bool type_is_own(const struct expr *node)
{
    return node->kind == EXPR_VARIABLE || node->kind == EXPR_LOAD || node->kind == EXPR_CONVERT ||
           node->kind == EXPR_EXTERNAL;
}

/* Functions whose results have 64 bits, whatever their values are. */
static bool is_wide_function(const struct expr *node)
{
    return node->kind == EXPR_ORDER || node->kind == EXPR_FAST_LENGTH ||
           node->kind == EXPR_DIVISOR || node->kind == EXPR_TRANSFORM_PLACES ||
           node->kind == EXPR_TRANSFORM_TABLE;
}

enum scalar type_of_width(const struct expr *node)
{
    if (is_wide_function(node))
        return SCALAR_I64;
    enum scalar width = is_integer_node(node) ? scalar_width(node->interval) : SCALAR_I32;
    if ((node->kind == EXPR_SHIFT_LEFT || node->kind == EXPR_SHIFT_RIGHT) &&
        node->operand[1]->interval.greatest > 31)
        width = SCALAR_I64;
    for (unsigned i = node->kind == EXPR_SELECT; !type_is_own(node) && i < node->count; i++)
        if (is_integer_node(node->operand[i]) &&
            scalar_width(node->operand[i]->interval) == SCALAR_I64)
            width = SCALAR_I64;
    return width;
}

/* Whether a local variable or parameter of 64 bits stands in it, outside of indices. */
static bool holds_wide_variable(const struct expr *node)
{
    if (node->kind == EXPR_LOAD)
        return false;
    if (node->kind == EXPR_VARIABLE)
        return is_integer_node(node) && type_of_text(node) == SCALAR_I64;
    for (unsigned i = 0; i < node->count; i++)
        if (holds_wide_variable(node->operand[i]))
            return true;
    return false;
}

bool type_names_coordinates(const struct expr *node)
{
    return node->holds & (HOLDS_INDEX | HOLDS_LOCAL);
}

enum scalar type_narrow(const struct kernel_state *here, const struct expr *node)
{
    if (here->is_large)
        return SCALAR_COUNT;
    static const enum scalar narrow[] = {SCALAR_U8, SCALAR_I8, SCALAR_U16, SCALAR_I16};
    for (size_t t = 0; t < sizeof narrow / sizeof narrow[0]; t++) {
        const struct interval range = scalar_info[narrow[t]].interval;
        bool fits = node->scalar == SCALAR_BOOL || interval_inside(node->interval, range);
        for (unsigned i = 0; i < node->count && fits; i++)
            fits = is_integer_node(node->operand[i]) && node->operand[i]->scalar != SCALAR_BOOL &&
                   interval_inside(node->operand[i]->interval, range);
        if (fits)
            return holds_wide_variable(node) ? SCALAR_COUNT : narrow[t];
    }
    return SCALAR_COUNT;
}

enum scalar type_of_extremum(const struct kernel_state *here, const struct expr *node,
                             enum scalar width)
{
    const bool is_extremum = node->kind == EXPR_MINIMUM || node->kind == EXPR_MAXIMUM ||
                             node->kind == EXPR_ORDERED_MINIMUM ||
                             node->kind == EXPR_ORDERED_MAXIMUM;
    return is_extremum && is_integer_node(node) && width == SCALAR_I32 ? type_narrow(here, node)
                                                                       : SCALAR_COUNT;
}

enum scalar type_of_value(const struct kernel_state *here, const struct expr *node)
{
    if (!is_integer_node(node) || type_is_own(node))
        return type_of_text(node);
    const enum scalar width = type_of_width(node), narrow = type_of_extremum(here, node, width);
    return narrow == SCALAR_COUNT ? width : narrow;
}

const char *type_of_local(const struct expr *node)
{
    if (node->scalar == SCALAR_BOOL)
        return "int";
    if (!is_integer_node(node))
        return scalar_info[node->scalar].c_type;
    return is_wide(node) ? "int64_t" : "int32_t";
}
