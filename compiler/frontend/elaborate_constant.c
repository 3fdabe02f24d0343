/* Constants, and arrays of constants, which are stages of known values. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

#include <math.h>

struct operand_list {
    VECTOR(struct operand) list;
};

static bool collect_array(struct elaborator *el, struct stage_context *context,
                          const struct ast *value, struct operand_list *values)
{
    if (value->kind == AST_BINARY && value->as.binary.left->kind == AST_ARRAY) {
        const struct operand scale = elaborate_expr(el, context, value->as.binary.right);
        if (!scale.expr || !collect_array(el, context, value->as.binary.left, values))
            return false;
        for (size_t i = 0; i < values->list.count; i++)
            values->list.item[i] = operand_binary(el, value->as.binary.operator_,
                                                  values->list.item[i], scale, value->span);
        return true;
    }
    if (value->kind != AST_ARRAY) {
        struct diagnostic *d = REPORT(el, E0303, value->span, "a constant array",
                                      "its values in braces", ast_kind_text(value->kind));
        HELP(el, d, "write {1, 2, 1;  2, 4, 2;  1, 2, 1}");
        return false;
    }
    for (size_t i = 0; i < value->as.array.items->count; i++) {
        const struct operand item = elaborate_expr(el, context, value->as.array.items->item[i]);
        VECTOR_PUSH(el->arena, &values->list, item);
    }
    return true;
}

/* Of numbers of fixed point: the type that has the steps of the finest one. Of SCALAR_COUNT where
 * there is none. */
static struct element_type finest_type(struct elaborator *el, const struct operand_list *values)
{
    struct element_type type = {.scalar = SCALAR_COUNT};
    const struct interval all = scalar_info[SCALAR_I64].interval;
    for (size_t i = 0; i < values->list.count; i++) {
        const struct fixed_point fixed = values->list.item[i].fixed;
        if (fixed.is && (!type.fixed.is || type.fixed.fraction < fixed.fraction))
            type = fixed_element(el, fixed_holding(all, fixed.fraction));
    }
    return type;
}

/* What the greatest error of the values is. */
static struct quantisation array_quantisation(struct elaborator *el, size_t count,
                                              const struct expr *const value[],
                                              struct fixed_point fixed)
{
    struct quantisation greatest = {0, false};
    for (size_t i = 0; fixed.is && i < count; i++)
        greatest.error = fmax(greatest.error, fixed_quantisation(el, value[i], fixed, false).error);
    return greatest;
}

/* All values in one type: the declared one, integers' smallest, or f64 for untyped reals. */
static bool unify_array(struct elaborator *el, const struct operand_list *values,
                        struct element_type declared, const struct expr **out,
                        struct element_type *element, bool *untyped, struct interval *interval,
                        struct span span)
{
    *untyped = false;
    bool real = false;
    *interval = (struct interval){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < values->list.count; i++) {
        const struct expr *e = values->list.item[i].expr;
        if (!e)
            return false;
        if (!expr_is_constant(e)) {
            struct diagnostic *d = REPORT(el, E0308, span, "a value of a constant array");
            HELP(el, d, "declare what it depends on as const, not as param");
            return false;
        }
        real = real || scalar_is_float(e->scalar);
        if (e->interval.least < interval->least)
            interval->least = e->interval.least;
        if (e->interval.greatest > interval->greatest)
            interval->greatest = e->interval.greatest;
    }
    *element = declared.scalar != SCALAR_COUNT ? declared : finest_type(el, values);
    *untyped = real && element->scalar == SCALAR_COUNT;
    if (element->scalar == SCALAR_COUNT)
        element->scalar = real ? SCALAR_F64 : scalar_holding(*interval);
    for (size_t i = 0; i < values->list.count; i++) {
        struct operand stored = operand_constant_as(el, *element, values->list.item[i], span);
        if (!stored.expr)
            return false;
        out[i] = stored.expr;
        if (fixed_stored(el, element->fixed).is)
            *interval = i ? interval_hull(*interval, stored.expr->interval) : stored.expr->interval;
    }
    return true;
}

/* An array that is being defined: its axes, and the image that reads of it see. */
struct constant_array {
    struct elaborator *el;
    struct instance *instance;
    struct scope *scope;
    const struct ast *node;
    struct stage_axis *axis;
    struct image_view view;
    int64_t places;
};

static bool report_no_range(const struct constant_array *a, const struct ast *item)
{
    const char *array = a->node->as.constant.name->text;
    const bool is_name = item->kind == AST_NAME;
    const char *own = is_name ? item->as.name->text : "this axis";
    struct diagnostic *d = REPORT(a->el, E0314, item->span, array, own);
    if (item->kind == AST_INTEGER)
        HELP(a->el, d, "write its range: const %s[i in 0 ..< %lld] = ...", array,
             (long long)item->as.integer);
    else
        HELP(a->el, d, "write its range: const %s[%s in -1 .. 1] = ...", array,
             is_name ? own : "dx");
    return false;
}

/* Adds axis i, whose range the brackets give. */
static bool add_axis(struct constant_array *a, size_t i, const struct ast *item)
{
    struct elaborator *el = a->el;
    int64_t first, extent;
    if (item->kind != AST_BINDING)
        return report_no_range(a, item);
    if (!constant_range(el, a->instance, a->scope, item, &first, &extent))
        return false;
    if (extent < 1) {
        report_empty_range(el, item->span);
        return false;
    }
    const struct symbol *name = item->as.binding.name;
    for (size_t k = 0; k < i; k++)
        if (a->view.axis[k] == name) {
            REPORT(el, E0202, item->as.binding.name_span, name->text);
            return false;
        }
    const struct interval interval = {first, first + extent - 1};
    a->view.axis[i] = name;
    a->axis[i] = (struct stage_axis){
        .name = name,
        .variable = expr_variable(el->pool, VARIABLE_INDEX, name, scalar_width(interval), interval),
        .first = expr_integer(el->pool, first),
        .extent = expr_integer(el->pool, extent)};
    a->places *= extent;
    return true;
}

/* The values of the braces, one for each place. */
static bool collect_values(const struct constant_array *a, struct operand_list *values)
{
    const struct ast *node = a->node;
    struct stage_context context = stage_context_open(
        a->el, a->instance, a->scope, node->as.constant.name, node->as.constant.name_span);
    context.scalar_only = true;
    if (!collect_array(a->el, &context, node->as.constant.value, values))
        return false;
    if ((int64_t)values->list.count == a->places)
        return true;
    struct diagnostic *d =
        REPORT(a->el, E0321, node->as.constant.value->span, node->as.constant.name->text,
               (long long)a->places, values->list.count);
    NOTE(a->el, d, "rows are separated by ';', values by ','");
    return false;
}

/* Adds the stage of the values, under the type that the program or the values themselves give. */
static bool add_array(struct constant_array *a, const struct operand_list *values)
{
    struct elaborator *el = a->el;
    const struct ast *node = a->node;
    struct element_type declared = {.scalar = SCALAR_COUNT}, element;
    if (node->as.constant.type) {
        declared =
            elaborate_number_type(el, a->instance, node->as.constant.type, "a constant array");
        if (declared.scalar == SCALAR_COUNT)
            return false;
    }
    const size_t count = values->list.count;
    const struct expr **value = ARENA_ARRAY(el->arena, const struct expr *, count);
    struct interval interval;
    if (!unify_array(el, values, declared, value, &element, &a->view.untyped, &interval,
                     node->as.constant.value->span))
        return false;
    const struct fixed_point fixed = fixed_stored(el, element.fixed);
    const struct symbol *name = unique_stage_name(el, a->instance, node->as.constant.name);
    take_stage_name(el, name);
    a->view.stage =
        graph_add_stage(el->arena, el->graph,
                        (struct stage){.kind = STAGE_CONSTANT,
                                       .name = name,
                                       .span = node->as.constant.name_span,
                                       .element = element.scalar,
                                       .interval = interval,
                                       .fixed = fixed,
                                       .quantisation = array_quantisation(el, count, value, fixed),
                                       .rank = a->view.rank,
                                       .axis = a->axis,
                                       .as.constant = {value, count}});
    a->view.undeclared = declared.scalar == SCALAR_COUNT;
    a->view.fixed = declared.fixed;
    return true;
}

static void define_constant_array(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct ast *node,
                                  struct entity *entity)
{
    const struct ast_list *domain = node->as.constant.domain;
    if (domain->count > GRAPH_MAX_RANK) {
        REPORT(el, E0320, node->span, GRAPH_MAX_RANK);
        return;
    }
    struct constant_array a = {.el = el,
                               .instance = instance,
                               .scope = scope,
                               .node = node,
                               .axis = ARENA_ARRAY(el->arena, struct stage_axis, domain->count + 1),
                               .view = {.rank = (unsigned)domain->count, .valid = true},
                               .places = 1};
    for (size_t i = 0; i < domain->count; i++)
        if (!add_axis(&a, i, domain->item[i]))
            return;
    struct operand_list values = {0};
    if (!collect_values(&a, &values) || !add_array(&a, &values))
        return;
    entity->kind = ENTITY_IMAGE;
    entity->as.image = a.view;
}

/* const w = {1, 2, 3}; */
static void report_list_without_range(struct elaborator *el, const struct ast *node)
{
    const struct ast *list = node->as.constant.value;
    const size_t count = list->as.array.items->count, rows = list->as.array.rows;
    const char *name = node->as.constant.name->text;
    struct diagnostic *d = REPORT(el, E0340, list->span);
    if (rows > 1)
        HELP(el, d,
             "write the ranges of the array: const %s[j in 0 ..< %zu, i in 0 ..< %zu] = {...};",
             name, rows, count / rows);
    else
        HELP(el, d, "write the range of the array: const %s[i in 0 ..< %zu] = {...};", name, count);
}

void define_constant(struct elaborator *el, struct instance *instance, struct scope *scope,
                     const struct ast *node)
{
    struct stage_context context = stage_context_open(el, instance, scope, node->as.constant.name,
                                                      node->as.constant.name_span);
    context.scalar_only = true;
    struct operand value = operand_error();
    if (!node->as.constant.domain && node->as.constant.value->kind == AST_ARRAY) {
        report_list_without_range(el, node);
    } else if (!node->as.constant.domain) {
        value = elaborate_expr(el, &context, node->as.constant.value);
        if (value.expr && !expr_is_constant(value.expr)) {
            struct diagnostic *d = REPORT(el, E0308, node->as.constant.value->span, "a constant");
            if (value.expr->holds & HOLDS_EXTENT)
                HELP(el, d,
                     "an extent is known only when the filter runs: write %s in place of '%s'",
                     condition_text(el, node->as.constant.value), node->as.constant.name->text);
            else
                HELP(el, d,
                     "declare what it depends on as const, or make it a stage without axes: "
                     "%s = ...;",
                     node->as.constant.name->text);
            value = operand_error();
        }
        if (node->as.constant.type) {
            const struct element_type declared =
                elaborate_number_type(el, instance, node->as.constant.type, "a constant");
            value = declared.scalar == SCALAR_COUNT
                        ? operand_error()
                        : operand_constant_as(el, declared, value, node->as.constant.value->span);
        }
    }
    struct entity *entity =
        scope_declare(el, scope, node->as.constant.name, node->as.constant.name_span);
    if (node->as.constant.domain) {
        define_constant_array(el, instance, scope, node, entity);
        return;
    }
    entity->kind = value.expr ? ENTITY_VALUE : ENTITY_ERROR;
    entity->as.value = value;
}

struct image_view constant_under_type(struct elaborator *el, const struct instance *instance,
                                      struct image_view image, struct element_type type,
                                      struct span span)
{
    struct stage stage = *graph_stage(el->graph, image.stage);
    const struct expr **value =
        ARENA_ARRAY(el->arena, const struct expr *, stage.as.constant.count + 1);
    for (size_t i = 0; i < stage.as.constant.count; i++) {
        struct operand item = operand_from(stage.as.constant.value[i]);
        item.untyped = image.untyped;
        item.fixed = stage.fixed;
        item = operand_constant_as(el, type, item, span);
        if (!item.expr)
            return (struct image_view){0};
        value[i] = item.expr;
        stage.interval =
            i ? interval_hull(stage.interval, item.expr->interval) : item.expr->interval;
    }
    stage.element = type.scalar;
    stage.fixed = fixed_stored(el, type.fixed);
    stage.quantisation = array_quantisation(el, stage.as.constant.count, value, stage.fixed);
    stage.as.constant.value = value;
    image.stage = elaborate_add_stage(el, instance, stage);
    image.untyped = image.undeclared = false;
    image.fixed = type.fixed;
    return image;
}
