/* Where a program makes floats, with a cure for each construct. */
#include "frontend/float_uses.h"
#include "elementary/elementary.h"
#include "frontend/elaborator.h"

#include <math.h>

#define TABLE_CURE                                                                                 \
    "read it from a table of constants: table t[v in 0 ..< 256] = u8(...); and then t[in[y, x]]"

#define CONVERSION_CURE                                                                            \
    "leave the conversion out, and multiply before you divide: integers are as wide as they need " \
    "to be"

/* Cures of functions; of others, that of the constant that they are given. is_of_reals: the cure
 * replaces the whole call, with what it is given. */
static const struct {
    const char *name, *cure;
    bool is_of_reals;
} function_cure[] = {
    {"f16", CONVERSION_CURE, false},
    {"f32", CONVERSION_CURE, false},
    {"f64", CONVERSION_CURE, false},
    {"sqrt",
     "compare squares, take abs(gx) + abs(gy) for the root of gx * gx + gy * gy, or read it from a "
     "table of constants: table t[v in 0 ..< 256] = u8(...); and then t[in[y, x]]",
     true},
    {"noise", "let an image of it be an input", true},
#define ELEMENTARY(kind, name, arguments) {#name, TABLE_CURE, true},
#include "elementary/elementary.def"
#undef ELEMENTARY
};

static bool is_real(const struct expr *node)
{
    return node->kind == EXPR_REAL;
}

/* The real constant among the operands. */
static const struct expr *real_operand(const struct expr *node)
{
    for (unsigned i = 0; i < node->count; i++)
        if (is_real(node->operand[i]))
            return node->operand[i];
    return NULL;
}

static bool is_whole(double value)
{
    return value == floor(value) && fabs(value) < 1e15;
}

/* A factor in fixed point with some eight valid bits, and as an integer and a shift. */
static const char *factor_cure(struct elaborator *el, double factor)
{
    enum { VALID_BITS = 8, MOST_BITS = 30 };
    int exponent = 0;
    frexp(factor, &exponent); /* |factor| < 2^exponent */
    const bool is_signed = factor < 0;
    const int whole = exponent > 0 ? exponent : 0;
    const int fraction = exponent < 0 ? VALID_BITS - exponent : VALID_BITS;
    if (factor == 0 || !isfinite(factor) || whole + fraction > MOST_BITS)
        return "compute with integers, or with numbers of fixed point";
    if (is_whole(factor))
        return arena_format(el->session->permanent, "write the integer %.0f", factor);
    return arena_format(el->session->permanent,
                        "write the factor in fixed point, const k : %sfixed<%d, %d> = %.6g; or as "
                        "an integer with a shift, (%.0f * ...) >> %d",
                        is_signed ? "" : "u", whole + is_signed, fraction, factor,
                        round(ldexp(factor, fraction)), fraction);
}

/* value: the quotient, whose expression may be the product with the reciprocal of a constant. */
static const char *quotient_cure(struct elaborator *el, const struct expr *value)
{
    const struct expr *real =
        value->count == 2 && is_real(value->operand[1]) ? value->operand[1] : NULL;
    if (!real)
        return "hardware divides by constants alone: read reciprocals from a table of constants, "
               "and multiply";
    const double by = value->kind == EXPR_MULTIPLY ? 1 / real->as.real : real->as.real;
    if (!is_whole(by) || by < 1)
        return factor_cure(el, 1 / by);
    return arena_format(el->session->permanent,
                        "divide integers by an integer, after all products: (... + %.0f) / %.0f",
                        floor(by / 2), by);
}

/* Of sums, comparisons, minima and the like. */
static const char *constant_cure(struct elaborator *el, const struct expr *value)
{
    const struct expr *real = real_operand(value);
    if (real && is_whole(real->as.real))
        return arena_format(el->session->permanent, "write the integer %.0f", real->as.real);
    return "write constants in fixed point, as in const k : fixed<8, 4> = 2.5;";
}

static void describe_binary(struct elaborator *el, enum ast_operator operator_,
                            const struct expr *value, struct float_use *use)
{
    const struct expr *factor = real_operand(value);
    switch (operator_) {
    case OPERATOR_MULTIPLY:
        use->what = "this product is";
        use->cure = factor_cure(el, factor ? factor->as.real : 0);
        return;
    case OPERATOR_DIVIDE:
        use->what = "this quotient is";
        use->cure = quotient_cure(el, value);
        return;
    default:
        use->what = value->scalar == SCALAR_BOOL ? "this comparison takes" : "this value is";
        use->cure = constant_cure(el, value);
    }
}

static void describe_call(struct elaborator *el, const struct ast *call, const struct expr *value,
                          struct float_use *use)
{
    const char *name = call->as.call.callee->as.name->text;
    use->what = arena_format(el->session->permanent, "%s() gives", name);
    use->cure = is_reserved_function(name) ? constant_cure(el, value)
                                           : "declare its result as an integer or in fixed point";
    for (size_t i = 0; i < sizeof function_cure / sizeof *function_cure; i++)
        if (strcmp(function_cure[i].name, name) == 0) {
            use->cure = function_cure[i].cure;
            use->is_of_reals = function_cure[i].is_of_reals;
        }
}

/* Reads of what holds floats: only weights are made here. False: it is no use of its own. */
static bool describe_load(struct elaborator *el, const struct ast *node, const struct expr *value,
                          struct float_use *use)
{
    if (value->kind != EXPR_LOAD || value->as.load.source >= el->graph->stages.count ||
        el->graph->stages.item[value->as.load.source]->kind != STAGE_CONSTANT)
        return false;
    const struct ast *base = node->as.index.base;
    use->what = base->kind == AST_NAME
                    ? arena_format(el->session->permanent, "'%s' holds", base->as.name->text)
                    : "this constant is";
    use->cure = "declare it in fixed point, as in const k[d in -1 .. 1] : ufixed<0, 8> = {...}; or "
                "take integers and a shift";
    return true;
}

static bool describe(struct elaborator *el, const struct ast *node, const struct expr *value,
                     struct float_use *use)
{
    switch (node->kind) {
    case AST_BINARY:
        describe_binary(el, node->as.binary.operator_, value, use);
        return true;
    case AST_CALL:
        if (node->as.call.callee->kind != AST_NAME)
            return false;
        describe_call(el, node, value, use);
        return true;
    case AST_INDEX:
        return describe_load(el, node, value, use);
    case AST_NAME:
        if (value->kind != EXPR_VARIABLE || value->as.variable.kind != VARIABLE_PARAMETER)
            return false;
        use->what = arena_format(el->session->permanent, "'%s' is", node->as.name->text);
        use->cure = arena_format(el->session->permanent,
                                 "declare it in fixed point, as in param %s : fixed<4, 8>",
                                 node->as.name->text);
        return true;
    default:
        return false;
    }
}

/* Whether the value is a float, or compares floats. */
static bool is_of_floats(const struct expr *value)
{
    if (value->scalar != SCALAR_BOOL)
        return scalar_is_float(value->scalar);
    for (unsigned i = 0; i < value->count; i++)
        if (scalar_is_float(value->operand[i]->scalar))
            return true;
    return false;
}

static bool spans_equal(struct span a, struct span b)
{
    return a.start == b.start && a.end == b.end;
}

/* Whether it stands in the library, whose filters nobody changes, or is an image that is converted
 * as a whole, for a filter that takes floats. */
static bool is_for_filter(const struct elaborator *el, const struct stage_context *context,
                          const struct ast *node)
{
    const char *module = el->modules->list.item[context->instance->module].name;
    return strncmp(module, "std.", strlen("std.")) == 0 ||
           (context->lifted && node->kind == AST_CALL && spans_equal(context->span, node->span));
}

void note_float_use(struct elaborator *el, const struct stage_context *context,
                    const struct ast *node, const struct expr *value)
{
    struct float_uses *uses = el->options->float_uses;
    if (!uses || !value || expr_is_constant(value) || !is_of_floats(value))
        return;
    struct float_use use = {.stage = context->span, .span = node->span, .called = el->called};
    if (!describe(el, node, value, &use))
        return;
    if (is_for_filter(el, context, node))
        use.cure = "call a filter of integers, such as gaussian_integer or sobel_integer of the "
                   "library, or write one";
    VECTOR_PUSH(el->session->permanent, &uses->list, use);
}

/* ---- Which use is the cause ---- */

/* Tables are evaluated by the compiler, floats and all. */
static bool is_of_table(const struct graph *graph, const struct float_use *use)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (spans_equal(graph->stages.item[i]->span, use->stage))
            return graph->stages.item[i]->kind == STAGE_TABLE ||
                   graph->stages.item[i]->kind == STAGE_CONSTANT;
    return false;
}

/* The outermost function around it: its cure makes that of what it is given superfluous. */
static const struct float_use *function_around(const struct float_uses *uses,
                                               const struct float_use *inner)
{
    const struct float_use *found = inner;
    for (size_t i = 0; i < uses->list.count; i++) {
        const struct float_use *use = &uses->list.item[i];
        if (use->is_of_reals && use->span.start <= inner->span.start &&
            inner->span.end <= use->span.end)
            found = use; /* operands come first */
    }
    return found;
}

const struct float_use *float_use_of(const struct float_uses *uses, const struct graph *graph,
                                     const struct stage *stage)
{
    const struct float_use *found = NULL;
    for (size_t i = 0; i < uses->list.count; i++) {
        const struct float_use *use = &uses->list.item[i];
        if (spans_equal(use->stage, stage->span))
            return function_around(uses, use);
        if (!found && !is_of_table(graph, use))
            found = use;
    }
    return found ? function_around(uses, found) : NULL;
}
