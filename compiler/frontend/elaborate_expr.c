/* Scalar expressions: names, reads, built-in functions, blocks. Arithmetic itself is in
 * operand.c. */
#include "frontend/elaborator.h"
#include "frontend/foreign.h"
#include "frontend/mistakes.h"
#include "frontend/particles.h"
#include "elementary/elementary.h"
#include "frontend/ast_build.h"
#include "expr/affine.h"
#include "diagnostics/suggest.h"

#include <float.h>
#include <math.h>

enum { MOST_DEPTH = 2000 };

static const struct {
    const char *name;
    enum expr_kind kind; /* EXPR_KIND_COUNT: clamp, and what is not there yet */
    unsigned count;
} function[] = {
#define FUNCTION(name, operation, count) {name, EXPR_##operation, count},
#define LATER(name) {name, EXPR_KIND_COUNT, 0},
#include "frontend/functions.def"
#undef FUNCTION
#undef LATER
};

static struct operand elaborate_any(struct elaborator *el, struct stage_context *context,
                                    const struct ast *node, const struct ast *rule);

static bool reduction_from_text(const char *text, enum reduction *operation)
{
    unsigned i = 0;
    while (i < REDUCTION_COUNT && strcmp(reduction_text[i], text) != 0)
        i++;
    *operation = (enum reduction)i;
    return i < REDUCTION_COUNT;
}

static bool is_function(const char *name)
{
    for (size_t f = 0; f < sizeof function / sizeof function[0]; f++)
        if (strcmp(function[f].name, name) == 0)
            return true;
    return false;
}

bool is_reserved_reduction(const char *name)
{
    enum reduction operation;
    return !is_function(name) && reduction_from_text(name, &operation);
}

bool is_reserved_function(const char *name)
{
    return is_function(name) || is_reserved_reduction(name) ||
           (is_image_function(name) && !may_be_defined(name));
}

struct operand elaborate_number(struct elaborator *el, struct stage_context *context,
                                const struct ast *node)
{
    const struct operand value = elaborate_loose(el, context, node);
    struct arena *texts = el->session->permanent;
    if (value.part_count) {
        struct diagnostic *d = REPORT(el, E0303, node->span, "this place", "a number",
                                      arena_format(texts, "a tuple of %zu", value.part_count));
        HELP(el, d, "name its parts: let (a, b) = ...;");
        return operand_error();
    }
    if (value.enumeration) {
        struct diagnostic *d =
            REPORT(el, E0303, node->span, "this place", "a number",
                   arena_format(texts, "one of %s", alternatives_text(el, value.enumeration)));
        HELP(el, d, "compare it with one of them: ... == %s",
             value.enumeration->as.type.names->item[0]->as.name->text);
        return operand_error();
    }
    return value;
}

struct operand elaborate_expr(struct elaborator *el, struct stage_context *context,
                              const struct ast *node)
{
    const struct operand value = elaborate_number(el, context, node);
    if (!value.imaginary)
        return value;
    struct diagnostic *d =
        REPORT(el, E0303, node->span, "this place", "a real number", operand_type_text(el, value));
    HELP(el, d, "take a part of it: re(...), im(...), abs(...)");
    return operand_error();
}

struct operand elaborate_loose(struct elaborator *el, struct stage_context *context,
                               const struct ast *node)
{
    if (!elaborate_work(el, node->span, NODE_WORK))
        return operand_error();
    struct operand result = elaborate_any(el, context, node, NULL);
    if (node->kind != AST_PARENTHESES)
        result.span = node->span;
    note_float_use(el, context, node, result.expr);
    if (result.expr && result.expr->depth > MOST_DEPTH) {
        struct diagnostic *d = REPORT(el, E0322, node->span, MOST_DEPTH);
        HELP(el, d, "make a part of it a stage of its own");
        return operand_error();
    }
    return result;
}

static struct operand report_image(struct elaborator *el, const struct stage_context *context,
                                   const struct image_view *image, const struct symbol *name,
                                   struct span span)
{
    if (!image->valid)
        return operand_error();
    struct text axes = text_create(el->session->permanent);
    for (unsigned i = 0; i < image->rank; i++)
        text_print(&axes, "%s%s", i ? ", " : "", image->axis[i]->text);
    struct diagnostic *d = REPORT(el, E0315, span, name->text);
    if (context->scalar_only) {
        NOTE(el, d, "samples of '%s' are known only when it runs", name->text);
        return operand_error();
    }
    HELP(el, d, "read a sample of it: %s[%s]", name->text, axes.bytes);
    HELP(el, d, "or define whole images without brackets on the left: %s = ...;",
         context->name->text);
    return operand_error();
}

struct operand report_whole(struct elaborator *el, struct span span, const char *name,
                            const struct entity *entity)
{
    struct diagnostic *d = REPORT(el, E0206, span, name, entity_text(entity->kind), "a number");
    if (entity->kind == ENTITY_LEVELS)
        HELP(el, d, "take one of them: %s[0]", name);
    else
        HELP(el, d, "take one of them: %s.%s", name,
             entity->as.results->filter->as.filter.results->item[0]->as.formal.name->text);
    return operand_error();
}

static struct operand elaborate_name(struct elaborator *el, struct stage_context *context,
                                     const struct ast *node)
{
    const struct entity *entity = scope_find(context->scope, node->as.name);
    if (!entity) {
        report_undeclared(el, context->instance, context->scope, node->as.name, node->span, node);
        return operand_error();
    }
    switch (entity->kind) {
    case ENTITY_VALUE:
        el->values_named++;
        return entity->as.value;
    case ENTITY_IMAGE:
        if (entity->as.image.valid && (context->lifted || entity->as.image.rank == 0))
            return elaborate_lifted_read(el, context, &entity->as.image, node);
        return report_image(el, context, &entity->as.image, node->as.name, node->span);
    case ENTITY_LEVELS:
    case ENTITY_RESULTS:
        return report_whole(el, node->span, node->as.name->text, entity);
    case ENTITY_ERROR:
        break;
    }
    return operand_error();
}

bool elaborate_constant_integer(struct elaborator *el, struct stage_context *context,
                                const struct ast *node, int64_t *value)
{
    struct stage_context constant = *context;
    constant.scalar_only = true;
    const struct operand operand = elaborate_expr(el, &constant, node);
    if (!operand.expr)
        return false;
    if (operand.expr->kind != EXPR_INTEGER || operand.expr->scalar == SCALAR_BOOL ||
        operand.fixed.is) {
        if (expr_is_constant(operand.expr))
            REPORT(el, E0303, node->span, "this place", "an integer",
                   operand_type_text(el, operand));
        else
            HELP(el, REPORT(el, E0308, node->span, "this integer"),
                 "declare what it depends on as const, not as param");
        return false;
    }
    *value = operand.expr->as.integer;
    return true;
}

struct diagnostic *report_empty_range(struct elaborator *el, struct span span)
{
    struct diagnostic *d = REPORT(el, E0323, span);
    NOTE(el, d, "a .. b goes upward from a and includes b; a ..< b ends before b");
    return d;
}

bool elaborate_range(struct elaborator *el, struct stage_context *context, const struct ast *range,
                     const struct expr **first, const struct expr **extent)
{
    enum { MOST_OF_RANGE = 1000 };
    struct stage_context scalar = *context;
    scalar.scalar_only = true;
    const struct operand a = elaborate_expr(el, &scalar, range->as.range.first);
    const struct operand b = elaborate_expr(el, &scalar, range->as.range.last);
    if (!a.expr || !b.expr)
        return false;
    const int64_t most = (int64_t)1 << 40;
    const struct operand *end[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        if (!operand_is_integer(*end[i])) {
            REPORT(el, E0303, range->span, "a range", "integers", operand_type_text(el, *end[i]));
            return false;
        }
        if (end[i]->expr->interval.least < -most || end[i]->expr->interval.greatest > most) {
            struct diagnostic *d = REPORT(el, E0310, range->span);
            HELP(el, d, "limit the ends of the range with clamp()");
            return false;
        }
    }
    const struct expr *extra = expr_integer(el->pool, range->as.range.includes_last);
    *first = affine_normal(el->pool, a.expr);
    *extent = affine_normal(
        el->pool, expr_binary(el->pool, EXPR_ADD,
                              expr_binary(el->pool, EXPR_SUBTRACT, b.expr, a.expr), extra));
    if ((*first)->size <= MOST_OF_RANGE && (*extent)->size <= MOST_OF_RANGE)
        return true;
    struct diagnostic *d = REPORT(el, E0328, range->span, MOST_OF_RANGE);
    HELP(el, d, "compute it before the filter is called, and give it as a param");
    return false;
}

/* The image that a read indexes: a name, a member of an array, a call. False: none (reported, if it
 * was meant as one). */
static bool elaborate_base(struct elaborator *el, struct stage_context *context,
                           const struct ast *base, const char *what, struct image_view *image,
                           const struct symbol **name)
{
    if (!is_image_valued(el, context->instance, context->scope, base)) {
        const struct operand value = elaborate_expr(el, context, base);
        if (value.expr) {
            struct diagnostic *d =
                REPORT(el, E0303, base->span, what, "an image", operand_type_text(el, value));
            HELP(el, d, "only images have indices and extents");
        }
        return false;
    }
    *image = context_image(el, context, base);
    *name = base->kind == AST_NAME ? base->as.name
            : image->valid         ? graph_stage(el->graph, image->stage)->name
                                   : context->name;
    return image->valid;
}

static const struct entity *rank_zero_image(const struct stage_context *context,
                                            const struct ast *base)
{
    const struct entity *entity =
        base->kind == AST_NAME ? scope_find(context->scope, base->as.name) : NULL;
    return entity && entity->kind == ENTITY_IMAGE && entity->as.image.rank == 0 ? entity : NULL;
}

/* The name of a member of the array that is being defined, s[k]; NULL: it is none. */
static const struct symbol *name_of_member(struct elaborator *el, struct stage_context *context,
                                           const struct ast *node)
{
    int64_t index;
    if (node->kind == AST_NAME)
        return node->as.name == el->defining ? node->as.name : NULL;
    if (node->kind != AST_INDEX || node->as.index.items->count != 1)
        return NULL;
    const struct symbol *array = name_of_member(el, context, node->as.index.base);
    return array && elaborate_constant_integer(el, context, node->as.index.items->item[0], &index)
               ? member_name(el, array, index)
               : NULL;
}

/* Whether it is the stage itself, a member of an array. */
static bool is_own_member(struct elaborator *el, struct stage_context *context,
                          const struct ast *node)
{
    return node->kind == AST_INDEX && context->axis_count > 0 && !context->lifted &&
           name_of_member(el, context, node) == context->name;
}

static struct operand elaborate_indexed(struct elaborator *el, struct stage_context *context,
                                        const struct ast *node, const struct ast *rule)
{
    const struct ast *base = node->as.index.base;
    struct image_view image;
    const struct symbol *name = NULL;
    if (is_choice(el, context, base) && !node->as.index.where)
        return elaborate_choice(el, context, base, node, node->as.index.items, rule);
    if (is_choice(el, context, node))
        return elaborate_choice(el, context, node, node, NULL, rule);
    if (is_own_member(el, context, base))
        return elaborate_self_read(el, context, node, rule);
    if (is_image_valued(el, context->instance, context->scope, node)) {
        /* A member of an array of images, without indices of its own. */
        image = context_image(el, context, node);
        if (!image.valid)
            return operand_error();
        if (context->lifted || image.rank == 0)
            return elaborate_lifted_read(el, context, &image, node);
        return report_image(el, context, &image, graph_stage(el->graph, image.stage)->name,
                            node->span);
    }
    const struct entity *scalar = rank_zero_image(context, base);
    if (base->kind == AST_NAME && base->as.name == context->name && context->axis_count > 0 &&
        !context->lifted && !scope_find(context->scope, base->as.name))
        return elaborate_self_read(el, context, node, rule);
    if (report_missing_term(el, context, node))
        return operand_error();
    if (base->kind == AST_NAME && !scope_find(context->scope, base->as.name)) {
        report_undeclared(el, context->instance, context->scope, base->as.name, base->span, node);
        return operand_error();
    }
    if (node->as.index.where) {
        struct diagnostic *d = REPORT(el, E0303, node->as.index.where->span, "'where'",
                                      "the ranges of a reduction", "indices");
        HELP(el, d, "sum[i in 0 ..< n where condition](...)");
        return operand_error();
    }
    if (scalar)
        return elaborate_read(el, context, &scalar->as.image, base->as.name, node,
                              node->as.index.items, rule);
    if (!elaborate_base(el, context, base, "a read in brackets", &image, &name))
        return operand_error();
    return elaborate_read(el, context, &image, name, node, node->as.index.items, rule);
}

/* clamp(v, l, h) is min(max(v, l), h). */
static struct operand elaborate_clamp(struct elaborator *el, struct operand v[3], struct span span)
{
    struct operand low[2] = {v[0], v[1]};
    struct operand high[2] = {operand_function(el, EXPR_MAXIMUM, 2, low, span), v[2]};
    return operand_function(el, EXPR_MINIMUM, 2, high, span);
}

/* Habits: max of three values, atan of two, round to digits. */
static const struct {
    const char *name;
    size_t count;
    const char *help;
} count_habit[] = {
    {"min", 3, "put one in the other: min(min(a, b), c)"},
    {"max", 3, "put one in the other: max(max(a, b), c)"},
    {"atan", 2, "write atan2(y, x)"},
    {"round", 2, "to steps of 0.01: round(100 * v) / 100"},
    {"log", 2, "to the base b: log(v) / log(b)"},
    {"select", 2, "give both values: select(condition, a, b)"},
    {"clamp", 1, "between 0 and 1: clamp(v, 0, 1)"},
    {"clamp", 2, "give both ends: clamp(v, low, high)"},
    {"pow", 1, "write pow(a, b)"},
};

static void report_count(struct elaborator *el, const struct ast *call, size_t f)
{
    const size_t count = call->as.call.arguments->count;
    struct diagnostic *d = REPORT(el, E0212, call->span, function[f].name, (int)function[f].count,
                                  function[f].count == 1 ? "value" : "values", (int)count);
    for (size_t i = 0; i < sizeof count_habit / sizeof count_habit[0]; i++)
        if (strcmp(count_habit[i].name, function[f].name) == 0 && count_habit[i].count == count)
            HELP(el, d, "%s", count_habit[i].help);
}

static struct operand elaborate_function(struct elaborator *el, struct stage_context *context,
                                         const struct ast *node, size_t f)
{
    const struct ast_list *arguments = node->as.call.arguments;
    const bool any_number = function[f].kind == EXPR_NOISE;
    if (function[f].count == 0) {
        report_not_yet(el, node->span,
                       arena_format(el->session->permanent, "%s()", function[f].name));
        return operand_error();
    }
    if (any_number && (arguments->count == 0 || arguments->count > EXPR_MOST_OPERANDS)) {
        REPORT(el, E0303, node->span, "noise()", "1 to 9 integers",
               arena_format(el->session->permanent, "%d", (int)arguments->count));
        return operand_error();
    }
    if (!any_number && arguments->count != function[f].count) {
        report_count(el, node, f);
        return operand_error();
    }
    const bool takes_complex = function[f].kind == EXPR_SELECT || function[f].kind == EXPR_ABSOLUTE;
    struct operand v[EXPR_MOST_OPERANDS];
    bool good = true;
    for (size_t i = 0; i < arguments->count; i++) {
        v[i] = takes_complex ? elaborate_number(el, context, arguments->item[i])
                             : elaborate_expr(el, context, arguments->item[i]);
        v[i].left = v[i].right = NULL;
        good = good && v[i].expr;
    }
    if (!good)
        return operand_error();
    if (any_number)
        return operand_noise(el, (unsigned)arguments->count, v, node->span);
    if (function[f].kind == EXPR_ABSOLUTE && v[0].imaginary)
        return complex_function(el, "abs", 1, v, node->span);
    if (function[f].kind == EXPR_SELECT)
        return operand_select(el, v[0], v[1], v[2], node->span);
    if (function[f].kind == EXPR_KIND_COUNT)
        return elaborate_clamp(el, v, node->span);
    return operand_function(el, function[f].kind, function[f].count, v, node->span);
}

static void report_no_function(struct elaborator *el, const struct stage_context *context,
                               const struct ast *call)
{
    const struct ast *callee = call->as.call.callee;
    const char *name = callee->as.name->text;
    struct suggestion near = {0};
    struct text known = text_create(el->session->permanent);
    for (size_t f = 0; f < sizeof function / sizeof function[0]; f++)
        if (function[f].count > 0) {
            suggest_consider(&near, name, function[f].name);
            text_print(&known, " %s", function[f].name);
        }
    suggest_items(el, context->instance->module, &near, name);
    const struct entity *entity = scope_find(context->scope, callee->as.name);
    if (entity) {
        struct diagnostic *d =
            REPORT(el, E0303, callee->span, "a call", "the name of a function or filter",
                   arena_format(el->session->permanent, "'%s'", name));
        if (entity->kind == ENTITY_VALUE)
            HELP(el, d, "a product is written with *");
        else
            HELP(el, d, "samples are read by brackets: %s[y, x]", name);
        return;
    }
    struct diagnostic *d = REPORT(el, E0201, callee->span, name);
    if ((!near.best || near.distance > 0) && help_foreign(el, context, d, name, call, NULL))
        return;
    if (near.best)
        diagnostic_fix(&el->session->diagnostics, d, callee->span, near.best, false, "write '%s'",
                       near.best);
    else
        NOTE(el, d, "functions are%s; filters of other files are imported", known.bytes);
}

/* np.where(...), in.max() */
static void report_called_expression(struct elaborator *el, const struct stage_context *context,
                                     const struct ast *call)
{
    const struct ast *callee = call->as.call.callee;
    struct diagnostic *d = REPORT(el, E0303, callee->span, "a call",
                                  "the name of a function or filter", "an expression");
    if (callee->kind != AST_FIELD)
        return;
    const struct ast *base = callee->as.field.base;
    const bool is_prefix = (base->kind == AST_NAME && !scope_find(context->scope, base->as.name)) ||
                           base->kind == AST_FIELD;
    const char *name = callee->as.field.name->text;
    if (!help_foreign(el, context, d, name, call, is_prefix ? NULL : base))
        NOTE(el, d, "names have nothing before them, and images no functions of their own");
}

/* c32(re, im), conj(z) and their like. */
static struct operand elaborate_complex_function(struct elaborator *el,
                                                 struct stage_context *context,
                                                 const struct ast *node)
{
    const struct ast_list *arguments = node->as.call.arguments;
    struct operand *v = ARENA_ARRAY(el->arena, struct operand, arguments->count + 1);
    for (size_t i = 0; i < arguments->count; i++)
        v[i] = elaborate_number(el, context, arguments->item[i]);
    return complex_function(el, node->as.call.callee->as.name->text, arguments->count, v,
                            node->span);
}

static struct operand convert_to(struct elaborator *el, struct element_type type,
                                 struct operand value, struct span span)
{
    return type.fixed.is ? fixed_convert(el, type.fixed, value, span)
                         : operand_convert(el, CONVERT_ROUND, type.scalar, value, span);
}

/* max(in), min(in, axis = z): reductions that are functions of two values, too. */
static bool report_whole_reduction(struct elaborator *el, const struct stage_context *context,
                                   const struct ast *call)
{
    const char *name = call->as.call.callee->as.name->text;
    enum reduction operation;
    const struct ast_list *arguments = call->as.call.arguments;
    if (!is_function(name) || !reduction_from_text(name, &operation) ||
        (arguments->count && arguments->item[0]->kind == AST_ARRAY))
        return false;
    const struct ast *axis = axis_argument(context, call);
    struct diagnostic *d;
    if (axis)
        d = REPORT(el, E0303, axis->span, arena_format(el->session->permanent, "%s(a, b)", name),
                   "two values", "an axis");
    else if (arguments->count == 1)
        d = REPORT(el, E0212, call->span, name, 2, "values", 1);
    else
        return false;
    if (!help_whole(el, context, d, name, call, NULL))
        HELP(el, d, "write %s[dy in -1 .. 1, dx in -1 .. 1](...) for that of several samples",
             name);
    return true;
}

static struct operand elaborate_call_expr(struct elaborator *el, struct stage_context *context,
                                          const struct ast *node, const struct ast *rule)
{
    const struct ast *callee = node->as.call.callee;
    const struct ast_list *arguments = node->as.call.arguments;
    enum reduction operation;
    if (callee->kind == AST_INDEX && callee->as.index.base->kind == AST_NAME &&
        reduction_from_text(callee->as.index.base->as.name->text, &operation))
        return elaborate_reduction(el, context, node, operation, NULL);
    if (callee->kind == AST_INDEX && callee->as.index.base->kind == AST_NAME &&
        !scope_find(context->scope, callee->as.index.base->as.name)) {
        const struct ast *base = callee->as.index.base;
        struct diagnostic *d = REPORT(el, E0201, base->span, base->as.name->text);
        HELP(el, d, "reductions are sum product min max any all count");
        return operand_error();
    }
    if (callee->kind != AST_NAME) {
        report_called_expression(el, context, node);
        return operand_error();
    }
    size_t owner;
    const struct ast *item = find_item(el, context->instance->module, callee->as.name, &owner);
    if ((item && item->kind == AST_FILTER) || is_image_call(el, context->instance, node)) {
        if (!is_direct_image(el, context->instance, context->scope, node)) {
            const enum entity_kind kind =
                entity_kind_of(el, context->instance, context->scope, node);
            struct diagnostic *d =
                REPORT(el, E0206, node->span, callee->as.name->text, entity_text(kind), "an image");
            HELP(el, d, "give the call a name and take one of them: %s",
                 kind == ENTITY_LEVELS ? "g = f(in); ... g[0]" : "e = f(in); ... e.gx");
            return operand_error();
        }
        struct image_view image = context_image(el, context, node);
        if (image.valid && !context->lifted && image.rank > 0)
            return report_image(el, context, &image, callee->as.name, node->span);
        return image.valid ? elaborate_lifted_read(el, context, &image, node) : operand_error();
    }
    if (item && item->kind == AST_FUNCTION)
        return elaborate_own_function(el, context, node, item, owner);
    if (item)
        return elaborate_external_call(el, context, node, item, owner);
    if (is_complex_function(callee->as.name->text))
        return elaborate_complex_function(el, context, node);
    const struct element_type type = type_by_name(context->instance, callee->as.name);
    if (type.scalar != SCALAR_COUNT) {
        if (arguments->count == 1)
            return convert_to(el, type, elaborate_expr(el, context, arguments->item[0]),
                              node->span);
        REPORT(el, E0212, node->span, callee->as.name->text, 1, "value", (int)arguments->count);
        return operand_error();
    }
    if (report_whole_reduction(el, context, node))
        return operand_error();
    for (size_t f = 0; f < sizeof function / sizeof function[0]; f++)
        if (strcmp(function[f].name, callee->as.name->text) == 0)
            return elaborate_function(el, context, node, f);
    if (reduction_from_text(callee->as.name->text, &operation)) {
        struct diagnostic *d =
            REPORT(el, E0303, node->span, callee->as.name->text, "ranges in brackets", "none");
        if (help_whole(el, context, d, callee->as.name->text, node, NULL))
            return operand_error();
        HELP(el, d, "write %s[dy in -1 .. 1, dx in -1 .. 1](...%s%s)", callee->as.name->text,
             rule ? " border " : "", rule ? condition_text(el, rule) : "");
        return operand_error();
    }
    if (is_later_type(callee->as.name->text)) {
        report_not_yet(el, node->span,
                       arena_format(el->arena, "the type %s", callee->as.name->text));
        return operand_error();
    }
    report_no_function(el, context, node);
    return operand_error();
}

/* An end of a type of fixed point. */
static struct operand fixed_limit(struct elaborator *el, struct fixed_type type, int64_t end)
{
    return el->options->fixed_as_real
               ? operand_from(expr_real(el->pool, SCALAR_F64, ldexp((double)end, -type.fraction)))
               : fixed_from(expr_integer(el->pool, end), type.fraction);
}

/* u8.greatest, T.least: the ends of a type; of reals the finite ones. False: the base is no
 * type. */
static bool elaborate_limit(struct elaborator *el, const struct stage_context *context,
                            const struct ast *node, struct operand *result)
{
    const struct ast *base = node->as.field.base;
    const bool greatest = strcmp(node->as.field.name->text, "greatest") == 0;
    if (base->kind != AST_NAME)
        return false;
    const struct element_type type = type_by_name(context->instance, base->as.name);
    const enum scalar scalar = type.scalar;
    if (scalar == SCALAR_COUNT || scope_find(context->scope, base->as.name))
        return false;
    *result = operand_error();
    if ((!greatest && strcmp(node->as.field.name->text, "least") != 0) || scalar == SCALAR_BOOL) {
        struct diagnostic *d =
            REPORT(el, E0306, node->span, base->as.name->text, node->as.field.name->text);
        NOTE(el, d, "a type of numbers has ends: u8.least and u8.greatest");
        return true;
    }
    if (type.fixed.is) {
        const struct interval ends = fixed_interval(type.fixed);
        *result = fixed_limit(el, type.fixed, greatest ? ends.greatest : ends.least);
        return true;
    }
    const struct interval ends = scalar_info[scalar].interval;
    const double most = scalar == SCALAR_F32   ? FLT_MAX
                        : scalar == SCALAR_F16 ? (double)half_to_f32(0x7bff)
                                               : DBL_MAX;
    *result =
        operand_sample(el, scalar_is_float(scalar)
                               ? expr_real(el->pool, scalar, greatest ? most : -most)
                               : expr_integer(el->pool, greatest ? ends.greatest : ends.least));
    return true;
}

/* in.y: the extent of an image along an axis. */
static struct operand elaborate_field(struct elaborator *el, struct stage_context *context,
                                      const struct ast *node)
{
    const struct ast *base = node->as.field.base;
    const struct entity *entity =
        base->kind == AST_NAME ? scope_find(context->scope, base->as.name) : NULL;
    struct image_view image;
    const struct symbol *name;
    struct operand limit;
    if (elaborate_limit(el, context, node, &limit))
        return limit;
    if (is_direct_image(el, context->instance, context->scope, node)) { /* e.gx, whole */
        image = context_image(el, context, node);
        if (image.valid && !context->lifted && image.rank > 0)
            return report_image(el, context, &image, node->as.field.name, node->span);
        return image.valid ? elaborate_lifted_read(el, context, &image, node) : operand_error();
    }
    if (entity && entity->kind == ENTITY_RESULTS &&
        find_result(entity->as.results->filter, node->as.field.name) >= 0)
        return operand_error(); /* a result that could not be made: that was reported */
    if (entity && entity->kind == ENTITY_IMAGE) {
        image = entity->as.image;
        name = base->as.name;
    } else if (base->kind == AST_NAME && !entity) {
        report_undeclared(el, context->instance, context->scope, base->as.name, base->span, node);
        return operand_error();
    } else if (!elaborate_base(el, context, base, "the point", &image, &name)) {
        return operand_error();
    }
    if (!image.valid)
        return operand_error();
    const struct stage *stage = graph_stage(el->graph, image.stage);
    for (unsigned i = 0; i < image.rank; i++)
        if (image.axis[i] == node->as.field.name)
            for (unsigned k = 0; k < stage->rank; k++)
                if (stage->axis[k].name == node->as.field.name) {
                    el->values_named++;
                    el->extents_varying += !expr_is_constant(stage->axis[k].extent);
                    return operand_from(stage->axis[k].extent);
                }
    struct diagnostic *d = REPORT(el, E0306, node->span, name->text, node->as.field.name->text);
    LABEL(el, d, stage->span, "declared here");
    help_foreign_value(el, d, node->as.field.name->text);
    NOTE(el, d, "the axes of '%s' are [%s]; '%s.%s' is its extent along the first", name->text,
         axes_text(el, image.axis, image.rank), name->text, image.rank ? image.axis[0]->text : "y");
    return operand_error();
}

static void declare_let(struct elaborator *el, struct stage_context *context,
                        const struct symbol *name, struct span span, struct operand value)
{
    value.left = value.right = value.present = NULL; /* a let ends the expression */
    value.half = false;
    struct entity *entity = scope_declare(el, context->scope, name, span);
    entity->kind = value.expr || value.part_count ? ENTITY_VALUE : ENTITY_ERROR;
    entity->as.value = value;
    /* Inside a reduction it may depend on what is known there alone. */
    if (value.expr && value.expr->count > 0 && el->reducing.count == 0)
        VECTOR_PUSH(el->arena, &context->bindings, (struct stage_binding){name, value.expr});
}

/* let (a, b) = value; let (a) = value; is let a = value; */
static void declare_parts(struct elaborator *el, struct stage_context *context,
                          const struct ast *let, struct operand value)
{
    const struct ast_list *names = let->as.let.names;
    const size_t count = value.part_count ? value.part_count : 1;
    if ((value.expr || value.part_count) && count != names->count)
        REPORT(el, E0303, let->as.let.name_span,
               arena_format(el->session->permanent, "a let of %zu name%s", names->count,
                            names->count > 1 ? "s" : ""),
               names->count > 1 ? "a tuple of as many" : "a number",
               value.part_count
                   ? arena_format(el->session->permanent, "a tuple of %zu", value.part_count)
                   : "a number");
    for (size_t i = 0; i < names->count; i++)
        declare_let(el, context, names->item[i]->as.name, names->item[i]->span,
                    count != names->count ? operand_error()
                    : value.part_count    ? value.part[i]
                                          : value);
}

static struct operand elaborate_block(struct elaborator *el, struct stage_context *context,
                                      const struct ast *node)
{
    struct scope *outer = context->scope;
    context->scope = scope_open(el, outer);
    for (size_t i = 0; i < node->as.block.lets->count; i++) {
        const struct ast *let = node->as.block.lets->item[i];
        const struct operand value = elaborate_loose(el, context, let->as.let.value);
        if (let->as.let.names)
            declare_parts(el, context, let, value);
        else
            declare_let(el, context, let->as.let.name, let->as.let.name_span, value);
    }
    struct operand result = elaborate_loose(el, context, node->as.block.value);
    result.left = result.right = result.present = NULL;
    context->scope = outer;
    return result;
}

static struct operand elaborate_tuple(struct elaborator *el, struct stage_context *context,
                                      const struct ast *node)
{
    const struct ast_list *items = node->as.list;
    struct operand *part = ARENA_ARRAY(el->arena, struct operand, items->count);
    bool good = true;
    for (size_t i = 0; i < items->count; i++) {
        part[i] = elaborate_number(el, context, items->item[i]);
        good = good && part[i].expr;
    }
    return good ? (struct operand){.part = part, .part_count = items->count} : operand_error();
}

/* fixed<8, 4>(e) */
static struct operand elaborate_fixed_conversion(struct elaborator *el,
                                                 struct stage_context *context,
                                                 const struct ast *node)
{
    const struct element_type type =
        elaborate_fixed_type(el, context->instance, node->as.conversion.type);
    const struct operand value = elaborate_expr(el, context, node->as.conversion.operand);
    return type.scalar == SCALAR_COUNT ? operand_error()
                                       : fixed_convert(el, type.fixed, value, node->span);
}

static struct operand elaborate_conversion(struct elaborator *el, struct stage_context *context,
                                           const struct ast *node)
{
    if (node->as.conversion.mode == CONVERSION_FIXED)
        return elaborate_fixed_conversion(el, context, node);
    const enum scalar scalar =
        elaborate_scalar_type(el, context->instance, node->as.conversion.type);
    const struct operand value = elaborate_expr(el, context, node->as.conversion.operand);
    const bool wrap = node->as.conversion.mode == CONVERSION_WRAP;
    if (scalar == SCALAR_COUNT)
        return operand_error();
    if (!scalar_is_integer(scalar)) {
        REPORT(el, E0303, node->as.conversion.type->span, wrap ? "wrap<>" : "trunc<>",
               "an integer type", scalar_info[scalar].text);
        return operand_error();
    }
    return operand_convert(el, wrap ? CONVERT_WRAP : CONVERT_TRUNCATE, scalar, value, node->span);
}

/* median[…](…) else 0 */
static struct operand elaborate_else(struct elaborator *el, struct stage_context *context,
                                     const struct ast *node)
{
    const struct ast *call = node->as.otherwise.value;
    enum reduction operation = REDUCTION_COUNT;
    if (call->kind == AST_CALL && call->as.call.callee->kind == AST_INDEX &&
        call->as.call.callee->as.index.base->kind == AST_NAME)
        reduction_from_text(call->as.call.callee->as.index.base->as.name->text, &operation);
    if (!is_selection(operation)) {
        struct diagnostic *d =
            REPORT(el, E0303, node->span, "'else'", "argmin, argmax or median before it",
                   operation < REDUCTION_COUNT ? reduction_text[operation] : "another value");
        HELP(el, d, "select(condition, a, b) chooses between values");
        return operand_error();
    }
    return elaborate_reduction(el, context, call, operation, node->as.otherwise.other);
}

bool elaborate_fast(struct elaborator *el, bool fast)
{
    const bool before = el->pool->fast;
    el->pool->fast = fast;
    return before;
}

static struct operand elaborate_fast_expr(struct elaborator *el, struct stage_context *context,
                                          const struct ast *node)
{
    const bool fast = elaborate_fast(el, true);
    struct operand value = elaborate_loose(el, context, node->as.inner);
    if (!fast) /* it ends the expression as written, as a call does */
        value.left = value.right = NULL;
    elaborate_fast(el, fast);
    return value;
}

static struct operand elaborate_any(struct elaborator *el, struct stage_context *context,
                                    const struct ast *node, const struct ast *rule)
{
    switch (node->kind) {
    case AST_NAME:
        return elaborate_name(el, context, node);
    case AST_INTEGER:
        return operand_from(expr_integer(el->pool, node->as.integer));
    case AST_REAL:
        return (struct operand){.expr = expr_real(el->pool, SCALAR_F64, node->as.real),
                                .untyped = true};
    case AST_BOOLEAN:
        return operand_from(expr_boolean(el->pool, node->as.boolean));
    case AST_UNARY:
        return operand_unary(el, node->as.unary.operator_,
                             elaborate_number(el, context, node->as.unary.operand), node->span);
    case AST_BINARY: {
        struct operand compared;
        if (elaborate_name_comparison(el, context, node, &compared))
            return compared;
        const unsigned named = el->values_named;
        const struct operand left = elaborate_number(el, context, node->as.binary.left);
        const struct operand right = elaborate_number(el, context, node->as.binary.right);
        el->divides_named = el->values_named > named;
        const struct operand result =
            operand_binary(el, node->as.binary.operator_, left, right, node->span);
        el->divides_named = false;
        return result;
    }
    case AST_PARENTHESES:
        return elaborate_loose(el, context, node->as.inner);
    case AST_FAST:
        return elaborate_fast_expr(el, context, node);
    case AST_CALL:
        return elaborate_call_expr(el, context, node, rule);
    case AST_INDEX:
        return elaborate_indexed(el, context, node, rule);
    case AST_FIELD:
        return elaborate_field(el, context, node);
    case AST_CONVERSION:
        return elaborate_conversion(el, context, node);
    case AST_BORDERED: {
        const struct ast *inner = node->as.bordered.operand;
        if (inner->kind == AST_INDEX)
            return elaborate_any(el, context, inner, node->as.bordered.rule);
        if (is_image_valued(el, context->instance, context->scope, node)) {
            const struct image_view image = context_image(el, context, node);
            return image.valid ? elaborate_lifted_read(el, context, &image, node) : operand_error();
        }
        const unsigned errors = el->session->diagnostics.error_count;
        const size_t first_read = context->reads.count;
        elaborate_any(el, context, inner, node->as.bordered.rule); /* a mistake in it comes first */
        if (el->session->diagnostics.error_count == errors)
            report_rule_of_no_read(el, context, node, first_read);
        return operand_error();
    }
    case AST_ELSE:
        return elaborate_else(el, context, node);
    case AST_BLOCK:
        return elaborate_block(el, context, node);
    case AST_LIST:
    case AST_ARRAY: {
        struct diagnostic *d = REPORT(el, E0340, node->span);
        HELP(el, d, "give the array a name: const k[d in -1 .. 1] = {1, 2, 1};");
        return operand_error();
    }
    case AST_TUPLE:
        return elaborate_tuple(el, context, node);
    case AST_IMPORT:
    case AST_FILTER:
    case AST_FUNCTION:
    case AST_EXTERN:
    case AST_SCHEDULE:
    case AST_DIRECTIVE:
    case AST_FORMAL:
    case AST_TYPE:
    case AST_CONSTANT:
    case AST_TABLE:
    case AST_DEFAULT_BORDER:
    case AST_REQUIRE:
    case AST_ESTIMATE:
    case AST_DEFINE:
    case AST_FOR:
    case AST_REPEAT:
    case AST_EXAMPLE:
    case AST_NAMED:
    case AST_RANGE:
    case AST_BINDING:
    case AST_LET:
    case AST_RULE:
    case AST_ERROR:
    case AST_KIND_COUNT:
        break;
    }
    REPORT(el, E0303, node->span, "this place", "a value", ast_kind_text(node->kind));
    return operand_error();
}
