/* Filters: signatures, statements, calls. A call makes an instance of the called filter's body. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"
#include "diagnostics/suggest.h"

#include <errno.h>
#include <stdlib.h>

struct diagnostic *report_empty_range(struct elaborator *el, struct span span)
{
    struct diagnostic *d = REPORT(el, E0323, span);
    NOTE(el, d, "a .. b goes upward from a and includes b; a ..< b ends before b");
    return d;
}

/* ---- Types ---- */

struct filter_type {
    bool is_image;
    enum scalar scalar;
    unsigned rank;
    const struct symbol *axis[GRAPH_MAX_RANK];
};

static const char *type_of_other_languages(const char *name)
{
    static const char *const known[][2] = {
        {"float", "f32"},    {"double", "f64"},    {"float32", "f32"},  {"float64", "f64"},
        {"single", "f32"},   {"real", "f32"},      {"int", "i32"},      {"uint", "u32"},
        {"int8", "i8"},      {"uint8", "u8"},      {"int16", "i16"},    {"uint16", "u16"},
        {"int32", "i32"},    {"uint32", "u32"},    {"int64", "i64"},    {"long", "i64"},
        {"int8_t", "i8"},    {"uint8_t", "u8"},    {"int16_t", "i16"},  {"uint16_t", "u16"},
        {"int32_t", "i32"},  {"uint32_t", "u32"},  {"int64_t", "i64"},  {"short", "i16"},
        {"char", "u8"},      {"uchar", "u8"},      {"byte", "u8"},      {"boolean", "bool"},
        {"half", "f16"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    return NULL;
}

bool is_later_type(const char *name)
{
    static const char *const later[] = {"f16", "c32", "c64", "u64", "fixed", "ufixed", "wrap"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        if (strcmp(later[i], name) == 0)
            return true;
    return false;
}

enum scalar elaborate_scalar_type(struct elaborator *el, const struct ast *type)
{
    if (type->kind != AST_TYPE) { /* image<8>[y, x] */
        struct diagnostic *d =
            REPORT(el, E0301, type->span,
                   arena_format(el->arena, "%lld", (long long)type->as.integer));
        HELP(el, d, "types are bool u8 i8 u16 i16 u32 i32 i64 f32 f64");
        return SCALAR_COUNT;
    }
    const struct symbol *name =
        type->as.type.constructor ? type->as.type.constructor : type->as.type.element;
    if (!name) {
        report_not_yet(el, type->span, "an enumeration");
        return SCALAR_COUNT;
    }
    const enum scalar scalar = scalar_from_text(name->text);
    if (scalar != SCALAR_COUNT && !type->as.type.constructor && !type->as.type.bounded)
        return scalar;
    if (is_later_type(name->text)) {
        report_not_yet(el, type->span, arena_format(el->arena, "the type %s", name->text));
        return SCALAR_COUNT;
    }
    if (type->as.type.bounded || (name->length <= 2 && name->text[0] >= 'A' && name->text[0] <= 'Z')) {
        report_not_yet(el, type->span, "a filter for any element type");
        return SCALAR_COUNT;
    }
    struct diagnostic *d = REPORT(el, E0301, type->span, name->text);
    if (strcmp(name->text, "image") == 0) {
        HELP(el, d, "here stands the type of one number, as in f32");
        return SCALAR_COUNT;
    }
    struct suggestion near = {.best = type_of_other_languages(name->text)};
    for (unsigned i = 0; i < SCALAR_COUNT && !near.best; i++)
        suggest_consider(&near, name->text, scalar_info[i].text);
    if (near.best)
        diagnostic_fix(&el->session->diagnostics, d, type->span, near.best, false, "write '%s'",
                       near.best);
    else
        HELP(el, d, "types are bool u8 i8 u16 i16 u32 i32 i64 f32 f64, and image<...>[y, x]");
    return SCALAR_COUNT;
}

static bool elaborate_type(struct elaborator *el, const struct ast *type, struct filter_type *out)
{
    *out = (struct filter_type){.scalar = SCALAR_COUNT};
    const struct symbol *constructor = type->as.type.constructor;
    if (constructor && strcmp(constructor->text, "apr") == 0) {
        report_not_yet(el, type->span, "an adaptive image");
        return false;
    }
    if (!constructor || strcmp(constructor->text, "image") != 0) {
        out->scalar = elaborate_scalar_type(el, type);
        return out->scalar != SCALAR_COUNT;
    }
    out->is_image = true;
    if (!type->as.type.inner || !type->as.type.names) {
        struct diagnostic *d = REPORT(el, E0301, type->span, "image");
        HELP(el, d, "write its elements and axes: image<f32>[y, x]");
        return false;
    }
    out->scalar = elaborate_scalar_type(el, type->as.type.inner);
    for (size_t i = 0; i < type->as.type.names->count; i++) {
        const struct ast *name = type->as.type.names->item[i];
        if (out->rank == GRAPH_MAX_RANK) {
            REPORT(el, E0320, type->span, GRAPH_MAX_RANK);
            return false;
        }
        for (unsigned k = 0; k < out->rank; k++)
            if (out->axis[k] == name->as.name) {
                REPORT(el, E0202, name->span, name->as.name->text);
                return false;
            }
        out->axis[out->rank++] = name->as.name;
    }
    return out->scalar != SCALAR_COUNT;
}

const char *axes_text(struct elaborator *el, const struct symbol *const axis[], unsigned rank)
{
    struct text text = text_create(el->session->permanent);
    for (unsigned i = 0; i < rank; i++)
        text_print(&text, "%s%s", i ? ", " : "", axis[i]->text);
    return rank ? text.bytes : "";
}

/* ---- Definitions ---- */

/* A result gets its declared axes and element type; anything else stays as it is. */
static struct image_view as_result(struct elaborator *el, struct instance *instance,
                                   const struct ast *formal, struct image_view image,
                                   struct span span)
{
    struct filter_type type;
    if (!image.valid || !elaborate_type(el, formal->as.formal.type, &type))
        return (struct image_view){0};
    const char *name = formal->as.formal.name->text;
    if (!type.is_image)
        type.rank = 0;
    bool same = type.rank == image.rank;
    for (unsigned i = 0; same && i < type.rank; i++)
        same = type.axis[i] == image.axis[i];
    if (!same) {
        struct diagnostic *d = REPORT(el, E0316, span, name, axes_text(el, type.axis, type.rank),
                                      axes_text(el, image.axis, image.rank));
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "axes are compared by name and order; make both alike");
        return (struct image_view){0};
    }
    const struct stage *stage = graph_stage(el->graph, image.stage);
    bool is_output = false;
    for (size_t i = 0; i < el->graph->outputs.count; i++)
        is_output = is_output || el->graph->outputs.item[i].stage.index == image.stage.index;
    const bool own = stage->kind == STAGE_MAP && (instance->caller || !is_output);
    if (own && stage->element == type.scalar)
        return image;
    return elaborate_copy(el, instance, image, formal->as.formal.name, type.scalar, span);
}

static const struct ast *result_formal(const struct instance *instance, const struct symbol *name)
{
    const struct ast_list *results = instance->filter->as.filter.results;
    for (size_t i = 0; i < results->count; i++)
        if (results->item[i]->as.formal.name == name)
            return results->item[i];
    return NULL;
}

static void define_image(struct elaborator *el, struct instance *instance, struct scope *scope,
                         const struct ast *define, struct image_view image)
{
    const struct ast *formal = result_formal(instance, define->as.define.name);
    if (formal) {
        image = as_result(el, instance, formal, image, define->span);
        instance->result = image;
        instance->result_span = define->as.define.name_span;
        scope = instance->scope;
    }
    const struct entity *known = scope_find(scope, define->as.define.name);
    if (known && known->kind != ENTITY_ERROR) {
        struct diagnostic *d =
            REPORT(el, E0407, define->as.define.name_span, define->as.define.name->text);
        LABEL(el, d, known->span, "first defined here");
        HELP(el, d, "a name is given one value; choose another name");
        return;
    }
    struct entity *entity =
        scope_declare(el, scope, define->as.define.name, define->as.define.name_span);
    entity->kind = image.valid ? ENTITY_IMAGE : ENTITY_ERROR;
    entity->as.image = image;
}

static enum scalar declared_element(struct elaborator *el, const struct instance *instance,
                                    const struct ast *define, bool *good)
{
    *good = true;
    if (define->as.define.type) {
        const enum scalar scalar = elaborate_scalar_type(el, define->as.define.type);
        *good = scalar != SCALAR_COUNT;
        return scalar;
    }
    const struct ast *formal = result_formal(instance, define->as.define.name);
    struct filter_type type;
    if (!formal)
        return SCALAR_COUNT;
    *good = elaborate_type(el, formal->as.formal.type, &type);
    return type.scalar;
}

/* name = value; name[axes] = value; of one image. brackets: the axes, or NULL. */
static struct image_view define_value(struct elaborator *el, struct instance *instance,
                                      struct scope *scope, const struct ast *define,
                                      const struct ast_list *axes, const struct symbol *name)
{
    bool good;
    const enum scalar declared = declared_element(el, instance, define, &good);
    const struct ast *value = define->as.define.value;
    if (!good)
        return (struct image_view){0};
    if (!axes && is_image_valued(el, instance, scope, value)) {
        struct image_view image = elaborate_image(el, instance, scope, value, name);
        if (image.valid && define->as.define.type &&
            graph_stage(el->graph, image.stage)->element != declared)
            image = elaborate_copy(el, instance, image, name, declared, define->span);
        return image;
    }
    return elaborate_stage(el, instance, scope, name, define->as.define.name_span, axes, value,
                           declared);
}

/* ---- Arrays of images ---- */

static struct levels *find_or_make_levels(struct elaborator *el, struct instance *instance,
                                          const struct ast *define)
{
    const struct symbol *name = define->as.define.name;
    struct entity *entity = scope_find(instance->scope, name);
    if (entity)
        return entity->kind == ENTITY_LEVELS ? entity->as.levels : NULL;
    entity = scope_declare(el, instance->scope, name, define->as.define.name_span);
    entity->kind = ENTITY_LEVELS;
    entity->as.levels = ARENA_NEW(el->arena, struct levels);
    entity->as.levels->name = name;
    entity->as.levels->span = define->as.define.name_span;
    return entity->as.levels;
}

static void define_member(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast *define, int64_t index, const struct ast_list *axes)
{
    struct levels *levels = find_or_make_levels(el, instance, define);
    if (!levels) {
        struct diagnostic *d =
            REPORT(el, E0407, define->as.define.name_span, define->as.define.name->text);
        LABEL(el, d, scope_find(instance->scope, define->as.define.name)->span,
              "first defined here");
        HELP(el, d, "a name is one image or an array of images; choose another name");
        return;
    }
    for (size_t i = 0; i < levels->member.count; i++)
        if (levels->member.item[i].index == index) {
            const char *name = arena_format(el->session->permanent, "%s[%lld]",
                                            levels->name->text, (long long)index);
            struct diagnostic *d = REPORT(el, E0407, define->as.define.name_span, name);
            LABEL(el, d, levels->member.item[i].span, "first defined here");
            HELP(el, d, "each member of an array is defined once");
            return;
        }
    const struct symbol *name = symbol_format(&el->session->symbols, "%s_%lld",
                                              levels->name->text, (long long)index);
    const struct image_view image = define_value(el, instance, scope, define, axes, name);
    VECTOR_PUSH(el->arena, &levels->member,
                (struct level){index, image, define->as.define.name_span});
}

bool elaborate_work(struct elaborator *el, struct span span, unsigned amount)
{
    enum { MOST_WORK = 1000000 };
    const bool was_small = el->work <= MOST_WORK;
    el->work += amount;
    if (was_small && el->work > MOST_WORK) {
        struct diagnostic *d = REPORT(el, E0410, span);
        HELP(el, d, "make what is used many times a stage or a let");
    }
    return el->work <= MOST_WORK;
}

static bool constant_range(struct elaborator *el, struct instance *instance, struct scope *scope,
                           const struct ast *binding, int64_t *first, int64_t *extent)
{
    enum { MOST_STEPS = 4096 };
    struct stage_context context = stage_context_open(
        el, instance, scope, binding->as.binding.name, binding->span);
    const struct expr *a, *n;
    if (!elaborate_range(el, &context, binding->as.binding.range, &a, &n))
        return false;
    if (a->kind != EXPR_INTEGER || n->kind != EXPR_INTEGER) {
        struct diagnostic *d = REPORT(el, E0308, binding->as.binding.range->span, "this range");
        HELP(el, d, "declare what it depends on as const, not as param");
        return false;
    }
    if (n->as.integer > MOST_STEPS) {
        REPORT(el, E0324, binding->span, (long long)n->as.integer, MOST_STEPS);
        return false;
    }
    *first = a->as.integer;
    *extent = n->as.integer;
    return true;
}

static struct scope *bind_constant(struct elaborator *el, struct scope *outer,
                                   const struct ast *binding, int64_t value)
{
    struct scope *scope = scope_open(el, outer);
    struct entity *entity = scope_declare(el, scope, binding->as.binding.name,
                                          binding->as.binding.name_span);
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(expr_integer(el->pool, value));
    return scope;
}

static void define_array(struct elaborator *el, struct instance *instance, struct scope *scope,
                         const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    const struct ast *place = brackets->item[0]->as.list->item[0];
    const struct ast_list *axes = brackets->count > 1 ? brackets->item[1]->as.list : NULL;
    if (brackets->count > 2 || (axes && axes->count == 1 && axes->item[0]->kind == AST_BINDING &&
                                is_image_valued(el, instance, scope, define->as.define.value))) {
        report_not_yet(el, define->span, "an array of arrays of images");
        return;
    }
    if (place->kind == AST_NAME && axes && !scope_find(scope, place->as.name)) {
        struct diagnostic *d = REPORT(el, E0201, place->span, place->as.name->text);
        HELP(el, d, "the axes of an image stand in one pair of brackets: %s[y, x]",
             define->as.define.name->text);
        return;
    }
    if (place->kind != AST_BINDING) {
        struct stage_context context =
            stage_context_open(el, instance, scope, define->as.define.name, place->span);
        int64_t index;
        if (elaborate_constant_integer(el, &context, place, &index))
            define_member(el, instance, scope, define, index, axes);
        return;
    }
    int64_t first, extent;
    if (!constant_range(el, instance, scope, place, &first, &extent))
        return;
    for (int64_t i = 0; i < extent && elaborate_work(el, define->span, STATEMENT_WORK); i++)
        define_member(el, instance, bind_constant(el, scope, place, first + i), define, first + i,
                      axes);
}

/* One bracket stands for the members of an array where the value is an image, for axes where it is
 * a number: g[l in 1 ..< n] = down(g[l - 1]), ramp[x in 0 ..< 256] = x. */
static bool defines_array(struct elaborator *el, const struct instance *instance,
                          const struct scope *scope, const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    if (brackets->count != 1)
        return brackets->count > 1;
    const struct ast_list *items = brackets->item[0]->as.list;
    if (items->count != 1)
        return false;
    const struct ast *item = items->item[0];
    if (item->kind == AST_NAME && !scope_find(scope, item->as.name))
        return false;
    const struct entity *entity = scope_find(scope, define->as.define.name);
    return (entity && entity->kind == ENTITY_LEVELS) || (item->kind != AST_NAME && item->kind != AST_BINDING) ||
           is_image_valued(el, instance, scope, define->as.define.value);
}

/* ---- Constants ---- */

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

/* All values in one type: the declared one, integers' smallest, or f64 for untyped reals. */
static bool unify_array(struct elaborator *el, struct operand_list *values, enum scalar declared,
                        const struct expr **out, enum scalar *element, bool *untyped,
                        struct interval *interval, struct span span)
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
    *untyped = real && declared == SCALAR_COUNT;
    *element = declared != SCALAR_COUNT ? declared : real ? SCALAR_F64 : scalar_holding(*interval);
    for (size_t i = 0; i < values->list.count; i++) {
        struct operand stored = operand_store(el, *element, values->list.item[i], span);
        if (!stored.expr)
            return false;
        out[i] = stored.expr;
    }
    return true;
}

static void define_constant_array(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct ast *node,
                                  struct entity *entity)
{
    struct stage_context context = stage_context_open(
        el, instance, scope, node->as.constant.name, node->as.constant.name_span);
    context.scalar_only = true;
    const struct ast_list *domain = node->as.constant.domain;
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, domain->count + 1);
    struct image_view view = {.rank = (unsigned)domain->count, .valid = true};
    int64_t places = 1;
    if (domain->count > GRAPH_MAX_RANK) {
        REPORT(el, E0320, node->span, GRAPH_MAX_RANK);
        return;
    }
    for (size_t i = 0; i < domain->count; i++) {
        const struct ast *item = domain->item[i];
        int64_t first, extent;
        if (item->kind != AST_BINDING) {
            const char *own = item->kind == AST_NAME ? item->as.name->text : "this axis";
            struct diagnostic *d =
                REPORT(el, E0314, item->span, node->as.constant.name->text, own);
            HELP(el, d, "write its range: const %s[%s in -1 .. 1] = ...",
                 node->as.constant.name->text, item->kind == AST_NAME ? own : "dx");
            return;
        }
        if (!constant_range(el, instance, scope, item, &first, &extent))
            return;
        if (extent < 1) {
            report_empty_range(el, item->span);
            return;
        }
        for (size_t k = 0; k < i; k++)
            if (view.axis[k] == item->as.binding.name) {
                REPORT(el, E0202, item->as.binding.name_span, view.axis[k]->text);
                return;
            }
        const struct interval interval = {first, first + extent - 1};
        view.axis[i] = item->as.binding.name;
        axis[i] = (struct stage_axis){
            .name = item->as.binding.name,
            .variable = expr_variable(el->pool, VARIABLE_INDEX, item->as.binding.name,
                                      scalar_lane(interval), interval),
            .first = expr_integer(el->pool, first),
            .extent = expr_integer(el->pool, extent)};
        places *= extent;
    }
    struct operand_list values = {0};
    if (!collect_array(el, &context, node->as.constant.value, &values))
        return;
    if ((int64_t)values.list.count != places) {
        struct diagnostic *d = REPORT(el, E0321, node->as.constant.value->span,
                                      node->as.constant.name->text, (long long)places,
                                      values.list.count);
        NOTE(el, d, "rows are separated by ';', values by ','");
        return;
    }
    enum scalar declared = SCALAR_COUNT, element;
    if (node->as.constant.type) {
        declared = elaborate_scalar_type(el, node->as.constant.type);
        if (declared == SCALAR_COUNT)
            return;
    }
    const struct expr **value = ARENA_ARRAY(el->arena, const struct expr *, values.list.count);
    struct interval interval;
    if (!unify_array(el, &values, declared, value, &element, &view.untyped, &interval,
                     node->as.constant.value->span))
        return;
    const struct symbol *name = unique_stage_name(el, instance, node->as.constant.name);
    take_stage_name(el, name);
    view.stage = graph_add_stage(el->arena, el->graph,
                                 (struct stage){.kind = STAGE_CONSTANT,
                                                .name = name,
                                                .span = node->as.constant.name_span,
                                                .element = element,
                                                .interval = interval,
                                                .rank = view.rank,
                                                .axis = axis,
                                                .as.constant = {value, values.list.count}});
    entity->kind = ENTITY_IMAGE;
    entity->as.image = view;
}

static void define_constant(struct elaborator *el, struct instance *instance, struct scope *scope,
                            const struct ast *node)
{
    struct stage_context context = stage_context_open(
        el, instance, scope, node->as.constant.name, node->as.constant.name_span);
    context.scalar_only = true;
    struct operand value = operand_error();
    if (!node->as.constant.domain) {
        value = elaborate_expr(el, &context, node->as.constant.value);
        if (value.expr && !expr_is_constant(value.expr)) {
            struct diagnostic *d = REPORT(el, E0308, node->as.constant.value->span, "a constant");
            HELP(el, d, "declare what it depends on as const, or make it a stage without axes: "
                        "%s = ...;",
                 node->as.constant.name->text);
            value = operand_error();
        }
        const enum scalar declared = node->as.constant.type
                                         ? elaborate_scalar_type(el, node->as.constant.type)
                                         : SCALAR_COUNT;
        if (declared != SCALAR_COUNT)
            value = operand_store(el, declared, value, node->as.constant.value->span);
    }
    struct entity *entity = scope_declare(el, scope, node->as.constant.name,
                                          node->as.constant.name_span);
    if (node->as.constant.domain) {
        define_constant_array(el, instance, scope, node, entity);
        return;
    }
    entity->kind = value.expr ? ENTITY_VALUE : ENTITY_ERROR;
    entity->as.value = value;
}

/* ---- Statements ---- */

static void elaborate_statements(struct elaborator *el, struct instance *instance,
                                 struct scope *scope, const struct ast_list *body);

static void elaborate_define(struct elaborator *el, struct instance *instance, struct scope *scope,
                             const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    if (define->as.define.assignment != ASSIGN_SET || define->as.define.over) {
        report_not_yet(el, define->span, "a scatter");
        return;
    }
    if (!define->as.define.value) {
        report_not_yet(el, define->span, "a declaration without a value (the target of a scatter)");
        return;
    }
    const struct symbol *outer = el->defining;
    el->defining = define->as.define.name;
    if (defines_array(el, instance, scope, define))
        define_array(el, instance, scope, define);
    else
        define_image(el, instance, scope, define,
                     define_value(el, instance, scope, define,
                                  brackets->count ? brackets->item[0]->as.list : NULL,
                                  define->as.define.name));
    el->defining = outer;
}

static void elaborate_require(struct elaborator *el, struct instance *instance,
                              struct scope *scope, const struct ast *node)
{
    struct stage_context context = stage_context_open(
        el, instance, scope, symbol_from(&el->session->symbols, "require"), node->span);
    context.scalar_only = true;
    const struct operand condition = elaborate_expr(el, &context, node->as.require.condition);
    if (!condition.expr)
        return;
    if (condition.expr->scalar != SCALAR_BOOL) {
        REPORT(el, E0303, node->as.require.condition->span, "require", "a truth value",
               operand_type_text(el, condition));
        return;
    }
    VECTOR_PUSH(el->arena, &el->graph->checks,
                (struct graph_check){condition.expr, node->as.require.text->text, node->span});
}

static void elaborate_for(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast *node)
{
    int64_t first, extent;
    const struct ast *binding = node->as.loop.binding;
    if (!constant_range(el, instance, scope, binding, &first, &extent))
        return;
    for (int64_t i = 0; i < extent && elaborate_work(el, node->span, STATEMENT_WORK); i++)
        elaborate_statements(el, instance, bind_constant(el, scope, binding, first + i),
                             node->as.loop.body);
}

static void elaborate_statement(struct elaborator *el, struct instance *instance,
                                struct scope *scope, const struct ast *node)
{
    switch (node->kind) {
    case AST_CONSTANT:
        define_constant(el, instance, scope, node);
        return;
    case AST_DEFINE:
        elaborate_define(el, instance, scope, node);
        return;
    case AST_FOR:
        elaborate_for(el, instance, scope, node);
        return;
    case AST_REQUIRE:
        elaborate_require(el, instance, scope, node);
        return;
    case AST_DEFAULT_BORDER: /* taken before the other statements */
        return;
    case AST_TABLE:
        report_not_yet(el, node->span, "a table");
        return;
    case AST_ESTIMATE:
        report_not_yet(el, node->span, "an estimate");
        return;
    case AST_REPEAT:
        report_not_yet(el, node->span, "repeat");
        return;
    case AST_EXAMPLE:
        report_not_yet(el, node->span, "an example block");
        return;
    default:
        return;
    }
}

static void elaborate_statements(struct elaborator *el, struct instance *instance,
                                 struct scope *scope, const struct ast_list *body)
{
    for (size_t i = 0; i < body->count && elaborate_work(el, body->item[i]->span, STATEMENT_WORK); i++)
        elaborate_statement(el, instance, scope, body->item[i]);
}

/* `border clamp;` and `border in clamp;` hold in the whole body, wherever they stand. */
static void take_border_rules(struct elaborator *el, struct instance *instance)
{
    const struct ast_list *body = instance->filter->as.filter.body;
    for (size_t i = 0; i < body->count; i++) {
        const struct ast *node = body->item[i];
        if (node->kind != AST_DEFAULT_BORDER)
            continue;
        const struct symbol *image = node->as.default_border.image;
        if (image ? hash_map_find(&instance->image_border, image) != NULL
                  : instance->border != NULL) {
            struct diagnostic *d = REPORT(el, E0202, node->span, image ? image->text : "border");
            HELP(el, d, "there is one rule for %s; a read may have another: in[y, x] border zero",
                 image ? "an image" : "the filter");
            continue;
        }
        struct border_default *rule = ARENA_NEW(el->arena, struct border_default);
        *rule = (struct border_default){node->as.default_border.rule, instance, false};
        if (image)
            hash_map_put(el->arena, &instance->image_border, image, rule);
        else
            instance->border = rule;
    }
}

/* The images of `border in clamp;`, once all are defined. */
static void check_border_images(struct elaborator *el, struct instance *instance)
{
    const struct ast_list *body = instance->filter->as.filter.body;
    for (size_t i = 0; i < body->count; i++) {
        const struct ast *node = body->item[i];
        if (node->kind != AST_DEFAULT_BORDER || !node->as.default_border.image)
            continue;
        const struct symbol *name = node->as.default_border.image;
        const struct span span = node->as.default_border.image_span;
        const struct entity *entity = scope_find(instance->scope, name);
        if (!entity)
            report_undeclared(el, instance, instance->scope, name, span);
        else if (entity->kind == ENTITY_VALUE || entity->kind == ENTITY_LEVELS)
            REPORT(el, E0206, span, name->text,
                   entity->kind == ENTITY_VALUE ? "a number" : "an array of images", "an image");
    }
}

/* The body, after the filter's own border rules are known. */
static void elaborate_body(struct elaborator *el, struct instance *instance)
{
    const struct ast *filter = instance->filter;
    take_border_rules(el, instance);
    if (filter->as.filter.results->count != 1) {
        report_not_yet(el, filter->as.filter.results->item[1]->span, "a second result");
        return;
    }
    const unsigned errors = el->session->diagnostics.error_count;
    elaborate_statements(el, instance, instance->scope, filter->as.filter.body);
    check_border_images(el, instance);
    const struct ast *result = filter->as.filter.results->item[0];
    const bool is_defined = instance->result_span.end > 0;
    if (!is_defined && el->session->diagnostics.error_count == errors) {
        struct filter_type type;
        struct diagnostic *d =
            REPORT(el, E0211, result->as.formal.name_span, result->as.formal.name->text);
        if (elaborate_type(el, result->as.formal.type, &type))
            HELP(el, d, "end the filter with %s[%s] = ...;", result->as.formal.name->text,
                 axes_text(el, type.axis, type.rank));
    }
}

/* ---- Parameters and constants of a signature ---- */

static const char *number_text(struct elaborator *el, const struct expr *e)
{
    struct text text = text_create(el->session->permanent);
    if (scalar_is_float(e->scalar))
        text_real(&text, e->as.real, e->scalar == SCALAR_F32 ? 32 : 64);
    else
        text_print(&text, "%lld", (long long)e->as.integer);
    return text.bytes;
}

static const struct expr *constant_of_type(struct elaborator *el, struct stage_context *context,
                                           const struct ast *node, enum scalar scalar)
{
    struct operand value = elaborate_expr(el, context, node);
    value = operand_store(el, scalar, value, node->span);
    if (value.expr && !expr_is_constant(value.expr)) {
        REPORT(el, E0308, node->span, "this value");
        return NULL;
    }
    return value.expr;
}

static bool is_below(const struct expr *a, const struct expr *b)
{
    return scalar_is_float(a->scalar) ? a->as.real < b->as.real : a->as.integer < b->as.integer;
}

static bool outside(const struct expr *value, const struct expr *least,
                    const struct expr *greatest)
{
    return (least && is_below(value, least)) || (greatest && is_below(greatest, value));
}

/* Type, default and range of a parameter or constant. False: reported. */
static bool elaborate_formal(struct elaborator *el, struct instance *instance,
                             const struct ast *formal, struct parameter *out)
{
    struct stage_context context = stage_context_open(
        el, instance, instance->scope, formal->as.formal.name, formal->span);
    context.scalar_only = true;
    *out = (struct parameter){.name = formal->as.formal.name,
                              .span = formal->as.formal.name_span,
                              .scalar = SCALAR_COUNT,
                              .text = formal->as.formal.text ? formal->as.formal.text->text : NULL};
    if (formal->as.formal.type) {
        out->scalar = elaborate_scalar_type(el, formal->as.formal.type);
        if (out->scalar == SCALAR_COUNT)
            return false;
    }
    if (!formal->as.formal.type && formal->as.formal.value) {
        const struct operand value = elaborate_expr(el, &context, formal->as.formal.value);
        if (!value.expr)
            return false;
        out->scalar = scalar_is_integer(value.expr->scalar) ? SCALAR_I64 : value.expr->scalar;
    }
    if (out->scalar == SCALAR_COUNT)
        out->scalar = SCALAR_I64;
    if (formal->as.formal.value) {
        out->initial = constant_of_type(el, &context, formal->as.formal.value, out->scalar);
        if (!out->initial)
            return false;
    }
    const struct ast *range = formal->as.formal.range;
    if (range) {
        out->least = constant_of_type(el, &context, range->as.range.first, out->scalar);
        out->greatest = constant_of_type(el, &context, range->as.range.last, out->scalar);
        if (!out->least || !out->greatest)
            return false;
        if (!range->as.range.includes_last && scalar_is_integer(out->scalar))
            out->greatest = expr_binary(el->pool, EXPR_SUBTRACT, out->greatest,
                                        expr_integer(el->pool, 1));
        if (is_below(out->greatest, out->least)) {
            report_empty_range(el, range->span);
            return false;
        }
        if (out->initial && outside(out->initial, out->least, out->greatest)) {
            REPORT(el, E0309, formal->as.formal.value->span,
                   arena_format(el->arena, "the default %s", number_text(el, out->initial)),
                   out->name->text, number_text(el, out->least),
                   number_text(el, out->greatest));
            return false;
        }
    }
    return true;
}

static struct interval parameter_interval(const struct parameter *parameter)
{
    struct interval interval = scalar_info[parameter->scalar].interval;
    if (scalar_is_integer(parameter->scalar) && parameter->least)
        interval = (struct interval){parameter->least->as.integer,
                                     parameter->greatest->as.integer};
    return interval;
}

static void declare_value(struct elaborator *el, struct instance *instance,
                          const struct ast *formal, const struct expr *value)
{
    struct entity *entity = scope_declare(el, instance->scope, formal->as.formal.name,
                                          formal->as.formal.name_span);
    entity->kind = value ? ENTITY_VALUE : ENTITY_ERROR;
    entity->as.value = operand_from(value);
    if (value && formal->as.formal.role == FORMAL_CONST && !formal->as.formal.type)
        entity->as.value.untyped = scalar_is_float(value->scalar);
}

/* ---- Calls ---- */

/* The argument of a formal: by name, or by position. */
static const struct ast *find_argument(const struct ast_list *arguments, size_t position,
                                       const struct symbol *name)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (arguments->item[i]->kind == AST_NAMED && arguments->item[i]->as.named.name == name)
            return arguments->item[i]->as.named.value;
    if (position < arguments->count && arguments->item[position]->kind != AST_NAMED)
        return arguments->item[position];
    return NULL;
}

static bool check_argument_names(struct elaborator *el, const struct ast *filter,
                                 const struct ast *call)
{
    const struct ast_list *formals = filter->as.filter.formals;
    const struct ast_list *arguments = call->as.call.arguments;
    const char *name = filter->as.filter.name->text;
    if (arguments->count > formals->count) {
        struct diagnostic *d =
            REPORT(el, E0212, call->span, name, (int)formals->count,
                   formals->count == 1 ? "argument" : "arguments", (int)arguments->count);
        LABEL(el, d, filter->as.filter.name_span, "declared here");
        return false;
    }
    for (size_t i = 0; i < arguments->count; i++) {
        if (arguments->item[i]->kind != AST_NAMED)
            continue;
        const char *wanted = arguments->item[i]->as.named.name->text;
        struct suggestion near = {0};
        bool known = false;
        for (size_t k = 0; k < formals->count; k++) {
            known = known || strcmp(formals->item[k]->as.formal.name->text, wanted) == 0;
            suggest_consider(&near, wanted, formals->item[k]->as.formal.name->text);
        }
        if (known)
            continue;
        const struct span span = arguments->item[i]->span;
        const struct span word = {span.start, span.start + (uint32_t)strlen(wanted)};
        struct diagnostic *d = REPORT(el, E0213, span, name, wanted);
        LABEL(el, d, filter->as.filter.name_span, "declared here");
        if (near.best)
            diagnostic_fix(&el->session->diagnostics, d, word, near.best, false, "write '%s'",
                           near.best);
        return false;
    }
    return true;
}

static void add_mapped(struct instance *instance, const struct stage *stage,
                       const struct image_view *view)
{
    bool brings = false;
    for (unsigned k = 0; k < stage->rank; k++) {
        bool named = false, known = false;
        for (unsigned i = 0; i < view->rank; i++)
            named = named || view->axis[i] == stage->axis[k].name;
        for (unsigned m = 0; m < instance->mapped_count; m++)
            known = known || instance->mapped[m] == stage->axis[k].name;
        brings = brings || !named;
        if (!named && !known && instance->mapped_count < GRAPH_MAX_RANK)
            instance->mapped[instance->mapped_count++] = stage->axis[k].name;
    }
    if (!brings || instance->pattern_count)
        return;
    for (unsigned k = 0; k < stage->rank; k++)
        instance->pattern[instance->pattern_count++] = stage->axis[k].name;
}

/* The actual image under the signature's axes: matched by name, the rest is mapped over. */
static bool bind_image(struct elaborator *el, struct stage_context *context,
                       struct instance *instance, const struct ast *formal,
                       const struct ast *argument)
{
    struct filter_type type;
    const struct symbol *name = formal->as.formal.name;
    if (formal->as.formal.each) {
        report_not_yet(el, formal->span, "an array of images in a signature");
        return false;
    }
    if (!elaborate_type(el, formal->as.formal.type, &type))
        return false;
    if (!is_image_valued(el, context->instance, context->scope, argument)) {
        const struct operand value = elaborate_expr(el, context, argument);
        if (value.expr)
            REPORT(el, E0303, argument->span,
                   arena_format(el->session->permanent, "'%s' of '%s'", name->text,
                                instance->filter->as.filter.name->text),
                   "an image", operand_type_text(el, value));
        return false;
    }
    struct image_view actual =
        elaborate_image(el, context->instance, context->scope, argument, name);
    if (!actual.valid)
        return false;
    const struct stage *stage = graph_stage(el->graph, actual.stage);
    struct image_view view = {.stage = actual.stage, .rank = type.rank, .valid = true};
    for (unsigned i = 0; i < type.rank; i++) {
        bool found = false;
        for (unsigned k = 0; k < actual.rank; k++)
            found = found || actual.axis[k] == type.axis[i];
        if (!found) {
            struct diagnostic *d =
                REPORT(el, E0318, argument->span, instance->filter->as.filter.name->text,
                       type.axis[i]->text, stage->name->text);
            LABEL(el, d, formal->span, "declared here");
            NOTE(el, d, "the axes of '%s' are [%s]", stage->name->text,
                 axes_text(el, actual.axis, actual.rank));
            return false;
        }
        view.axis[i] = type.axis[i];
    }
    const bool integers = scalar_is_integer(type.scalar) && scalar_is_integer(stage->element) &&
                          interval_inside(stage->interval, scalar_info[type.scalar].interval);
    if (!integers && type.scalar != stage->element) {
        struct diagnostic *d =
            REPORT(el, E0317, argument->span, name->text,
                   instance->filter->as.filter.name->text, scalar_info[type.scalar].text,
                   scalar_info[stage->element].text);
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "convert the argument: %s(...)", scalar_info[type.scalar].text);
        return false;
    }
    add_mapped(instance, stage, &view);
    struct entity *entity =
        scope_declare(el, instance->scope, name, formal->as.formal.name_span);
    entity->kind = ENTITY_IMAGE;
    entity->as.image = view;
    return true;
}

static const struct expr *range_check(struct elaborator *el, const struct expr *value,
                                      const struct parameter *p)
{
    return expr_binary(el->pool, EXPR_AND,
                       expr_binary(el->pool, EXPR_LESS_EQUAL, p->least, value),
                       expr_binary(el->pool, EXPR_LESS_EQUAL, value, p->greatest));
}

static bool bind_scalar(struct elaborator *el, struct stage_context *context,
                        struct instance *instance, const struct ast *formal,
                        const struct ast *argument, struct span call_span)
{
    struct parameter p;
    if (!elaborate_formal(el, instance, formal, &p))
        return false;
    const char *filter = instance->filter->as.filter.name->text;
    if (!argument && !p.initial) {
        struct diagnostic *d = REPORT(el, E0214, call_span, p.name->text, filter);
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "write %s(..., %s = ...)", filter, p.name->text);
        return false;
    }
    const struct expr *value = p.initial;
    if (argument) {
        struct stage_context scalar = *context;
        scalar.scalar_only = true;
        scalar.lifted = false;
        const struct operand given =
            operand_store(el, p.scalar, elaborate_expr(el, &scalar, argument), argument->span);
        if (!given.expr)
            return false;
        value = given.expr;
        if (formal->as.formal.role == FORMAL_CONST && !expr_is_constant(value)) {
            struct diagnostic *d = REPORT(el, E0308, argument->span,
                                          arena_format(el->session->permanent, "'%s'", p.name->text));
            LABEL(el, d, formal->span, "declared here as const");
            return false;
        }
        if (p.least && expr_is_constant(value) && outside(value, p.least, p.greatest)) {
            struct diagnostic *d =
                REPORT(el, E0309, argument->span, number_text(el, value), p.name->text,
                       number_text(el, p.least), number_text(el, p.greatest));
            LABEL(el, d, formal->span, "declared here");
            return false;
        }
        const struct expr *inside = p.least ? range_check(el, value, &p) : NULL;
        if (inside && !expr_is_constant(inside) &&
            (scalar_is_float(p.scalar) ||
             !interval_inside(value->interval, parameter_interval(&p))))
            VECTOR_PUSH(el->arena, &el->graph->checks,
                        (struct graph_check){
                            inside,
                            arena_format(el->arena, "'%s' of '%s' is outside %s .. %s",
                                         p.name->text, filter, number_text(el, p.least),
                                         number_text(el, p.greatest)),
                            argument->span});
    }
    declare_value(el, instance, formal, value);
    return true;
}

/* a → b → a, where the filter is already being elaborated. */
static bool report_recursion(struct elaborator *el, const struct instance *caller,
                             const struct ast *filter, struct span span)
{
    const struct instance *at = caller;
    while (at && at->filter != filter)
        at = at->caller;
    if (!at)
        return false;
    const char *circle = filter->as.filter.name->text;
    for (const struct instance *i = caller; i != at; i = i->caller)
        circle = arena_format(el->session->permanent, "%s → %s",
                              i->filter->as.filter.name->text, circle);
    circle = arena_format(el->session->permanent, "%s → %s", filter->as.filter.name->text, circle);
    struct diagnostic *d = REPORT(el, E0207, span, filter->as.filter.name->text, circle);
    HELP(el, d, "repeat a step with for, or with an array of images: g[l in 1 ..< n] = f(g[l - 1])");
    return true;
}

static struct image_view result_in_caller(const struct elaborator *el,
                                          const struct instance *caller,
                                          const struct image_view *result)
{
    if (!result->valid)
        return *result;
    const struct stage *stage = graph_stage(el->graph, result->stage);
    struct image_view view = {.stage = result->stage, .valid = true};
    for (unsigned k = 0; k < stage->rank; k++) {
        bool mapped = false;
        for (unsigned m = 0; m < caller->mapped_count; m++)
            mapped = mapped || caller->mapped[m] == stage->axis[k].name;
        if (!mapped)
            view.axis[view.rank++] = stage->axis[k].name;
    }
    return view;
}

struct image_view elaborate_call(struct elaborator *el, struct stage_context *context,
                                 const struct ast *call, const struct ast *rule,
                                 const struct symbol *result_name)
{
    enum { MOST_CALLS_DEEP = 64 };
    struct instance *caller = context->instance;
    size_t owner;
    const struct ast *filter =
        find_item(el, caller->module, call->as.call.callee->as.name, &owner);
    const struct image_view none = {0};
    if (report_recursion(el, caller, filter, call->span) ||
        !check_argument_names(el, filter, call) || !elaborate_work(el, call->span, STATEMENT_WORK))
        return none;
    if (el->depth == MOST_CALLS_DEEP) {
        struct diagnostic *d = REPORT(el, E0504, call->span, MOST_CALLS_DEEP);
        HELP(el, d, "repeat a step with for, or with an array of images: "
                    "g[l in 1 ..< n] = f(g[l - 1])");
        return none;
    }
    struct instance *instance = ARENA_NEW(el->arena, struct instance);
    instance->filter = filter;
    instance->module = owner;
    instance->caller = caller;
    instance->scope = scope_open(el, NULL);
    const struct symbol *name = result_name ? result_name : filter->as.filter.name;
    instance->prefix = caller->prefix ? symbol_format(&el->session->symbols, "%s.%s",
                                                      caller->prefix->text, name->text)
                                      : name;
    if (rule) {
        instance->call_border = ARENA_NEW(el->arena, struct border_default);
        *instance->call_border = (struct border_default){rule, caller, false};
    }
    const struct ast_list *formals = filter->as.filter.formals;
    const unsigned errors = el->session->diagnostics.error_count;
    bool good = true;
    for (size_t i = 0; i < formals->count; i++) {
        const struct ast *formal = formals->item[i];
        const struct ast *argument =
            find_argument(call->as.call.arguments, i, formal->as.formal.name);
        if (formal->as.formal.role != FORMAL_IMAGE) {
            good = bind_scalar(el, context, instance, formal, argument, call->span) && good;
        } else if (argument) {
            good = bind_image(el, context, instance, formal, argument) && good;
        } else {
            struct diagnostic *d = REPORT(el, E0214, call->span, formal->as.formal.name->text,
                                          filter->as.filter.name->text);
            LABEL(el, d, formal->span, "declared here");
            good = false;
        }
    }
    if (!good)
        return none;
    const struct symbol *outer = el->defining;
    el->defining = NULL;
    el->depth++;
    elaborate_body(el, instance);
    el->depth--;
    el->defining = outer;
    if (rule && !instance->call_border->used && el->session->diagnostics.error_count == errors) {
        struct diagnostic *d = REPORT(el, E0403, rule->span,
                                      rule->as.rule.name ? rule->as.rule.name->text : "by axis");
        NOTE(el, d, "no read inside '%s' takes it: all stay inside, or have rules of their own",
             filter->as.filter.name->text);
        HELP(el, d, "leave it out");
        return none;
    }
    return result_in_caller(el, caller, &instance->result);
}

/* ---- The filter to compile ---- */

static void bind_input(struct elaborator *el, struct instance *instance, const struct ast *formal,
                       uint32_t position)
{
    struct filter_type type;
    const struct symbol *name = formal->as.formal.name;
    struct entity *entity =
        scope_declare(el, instance->scope, name, formal->as.formal.name_span);
    if (formal->as.formal.each) {
        report_not_yet(el, formal->span, "an array of images in a signature");
        return;
    }
    if (!elaborate_type(el, formal->as.formal.type, &type))
        return;
    if (!type.is_image) {
        struct diagnostic *d = REPORT(el, E0303, formal->span, "a filter", "images and param values",
                                      "a number without param");
        HELP(el, d, "write param %s : %s", name->text, scalar_info[type.scalar].text);
        return;
    }
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, type.rank + 1);
    struct image_view view = {.rank = type.rank, .valid = true};
    for (unsigned i = 0; i < type.rank; i++) {
        const struct interval coordinate = {0, INT32_MAX - 1}, extent = {1, INT32_MAX};
        view.axis[i] = type.axis[i];
        axis[i] = (struct stage_axis){
            .name = type.axis[i],
            .variable = expr_variable(el->pool, VARIABLE_INDEX, type.axis[i], SCALAR_I32,
                                      coordinate),
            .first = expr_integer(el->pool, 0),
            .extent = expr_variable(el->pool, VARIABLE_EXTENT,
                                    symbol_format(&el->session->symbols, "%s.%s", name->text,
                                                  type.axis[i]->text),
                                    SCALAR_I32, extent)};
    }
    take_stage_name(el, name);
    view.stage = graph_add_stage(el->arena, el->graph,
                                 (struct stage){.kind = STAGE_INPUT,
                                                .name = name,
                                                .span = formal->span,
                                                .element = type.scalar,
                                                .interval = scalar_info[type.scalar].interval,
                                                .rank = type.rank,
                                                .axis = axis,
                                                .as.input = {position}});
    entity->kind = ENTITY_IMAGE;
    entity->as.image = view;
}

static void bind_parameter(struct elaborator *el, struct instance *instance,
                           const struct ast *formal)
{
    struct parameter p;
    if (!elaborate_formal(el, instance, formal, &p)) {
        scope_declare(el, instance->scope, formal->as.formal.name, formal->as.formal.name_span);
        return;
    }
    p.variable = expr_variable(el->pool, VARIABLE_PARAMETER, p.name, p.scalar,
                               parameter_interval(&p));
    VECTOR_PUSH(el->arena, &el->graph->parameters, p);
    declare_value(el, instance, formal, p.variable);
}

static void bind_constant_formal(struct elaborator *el, struct instance *instance,
                                 const struct ast *formal)
{
    struct parameter p;
    const struct expr *value = NULL;
    if (elaborate_formal(el, instance, formal, &p)) {
        value = p.initial;
        for (size_t i = 0; i < el->options->setting_count; i++) {
            const struct constant_setting *setting = &el->options->settings[i];
            if (strcmp(setting->name, p.name->text) != 0)
                continue;
            char *end;
            errno = 0;
            value = scalar_is_float(p.scalar)
                        ? expr_real(el->pool, p.scalar, strtod(setting->value, &end))
                        : expr_integer(el->pool, strtoll(setting->value, &end, 10));
            if (*end || errno || end == setting->value ||
                (p.least && outside(value, p.least, p.greatest))) {
                REPORT(el, E0309, formal->span, setting->value, p.name->text,
                       p.least ? number_text(el, p.least) : "",
                       p.greatest ? number_text(el, p.greatest) : "");
                value = NULL;
            }
        }
        if (!p.initial && !value)
            REPORT(el, E0214, formal->span, p.name->text,
                   instance->filter->as.filter.name->text);
    }
    declare_value(el, instance, formal, value);
}

static void bind_module_constants(struct elaborator *el, struct instance *instance)
{
    const struct module *module = el->modules->list.item[instance->module].module;
    for (size_t i = 0; i < module->items->count; i++)
        if (module->items->item[i]->kind == AST_CONSTANT)
            report_not_yet(el, module->items->item[i]->span, "a constant outside a filter");
        else if (module->items->item[i]->kind == AST_EXTERN)
            report_not_yet(el, module->items->item[i]->span, "an external function");
}

const struct graph *elaborate_filter(struct session *session, const struct module_set *modules,
                                     const struct ast *filter,
                                     const struct elaborate_options *options)
{
    struct elaborator el = {.session = session,
                            .arena = session->ir,
                            .pool = &session->pool,
                            .modules = modules,
                            .options = options,
                            .graph = ARENA_NEW(session->ir, struct graph)};
    struct instance *instance = ARENA_NEW(session->ir, struct instance);
    instance->filter = filter;
    instance->scope = scope_open(&el, NULL);
    el.graph->name = filter->as.filter.name;
    el.graph->text = "";
    const unsigned errors = session->diagnostics.error_count;
    bind_module_constants(&el, instance);
    uint32_t position = 0;
    for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
        const struct ast *formal = filter->as.filter.formals->item[i];
        if (formal->as.formal.role == FORMAL_IMAGE)
            bind_input(&el, instance, formal, position++);
        else if (formal->as.formal.role == FORMAL_PARAM)
            bind_parameter(&el, instance, formal);
        else
            bind_constant_formal(&el, instance, formal);
    }
    elaborate_body(&el, instance);
    elaborate_schedules(&el, filter);
    if (session->diagnostics.error_count > errors || !instance->result.valid)
        return NULL;
    VECTOR_PUSH(session->ir, &el.graph->outputs,
                (struct graph_output){instance->result.stage,
                                      filter->as.filter.results->item[0]->as.formal.name});
    return el.graph;
}

/* ---- Which filter ---- */

struct call_search {
    const struct symbol *name;
    bool found;
};

static void search_call(const struct ast *node, void *user)
{
    struct call_search *search = user;
    if (node->kind == AST_CALL && node->as.call.callee->kind == AST_NAME &&
        node->as.call.callee->as.name == search->name)
        search->found = true;
    if (!search->found)
        ast_children(node, search_call, search);
}

static bool is_called(const struct module *module, const struct ast *filter)
{
    struct call_search search = {filter->as.filter.name, false};
    for (size_t i = 0; i < module->items->count && !search.found; i++)
        if (module->items->item[i] != filter)
            search_call(module->items->item[i], &search);
    return search.found;
}

/* "dir/sharpen.flt" → is the filter named "sharpen"? */
static bool named_as_file(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const size_t length = strcspn(base, ".");
    return strlen(name) == length && strncmp(base, name, length) == 0;
}

struct choice {
    const struct ast *filter;    /* NULL: none, or several that could be meant */
    unsigned count;              /* of filters that no other calls */
    struct text names;           /* theirs */
    struct suggestion near;      /* to a name that no filter has */
};

static struct choice choose(struct session *session, const struct module *module, const char *name)
{
    struct choice choice = {.names = text_create(session->permanent)};
    const struct ast *top = NULL, *as_file = NULL;
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind != AST_FILTER)
            continue;
        const char *own = item->as.filter.name->text;
        if (name && strcmp(name, own) == 0) {
            choice.filter = item;
            return choice;
        }
        if (name)
            suggest_consider(&choice.near, name, own);
        if (named_as_file(module->file->name, own))
            as_file = item;
        if (is_called(module, item))
            continue;
        text_print(&choice.names, "%s%s", choice.count++ ? ", " : "", own);
        top = item;
    }
    if (!name)
        choice.filter = choice.count == 1 ? top : as_file;
    return choice;
}

/* A schedule for a filter that is not there would never be taken. */
static void check_schedule_names(struct session *session, const struct module *module)
{
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *schedule = module->items->item[i];
        if (schedule->kind != AST_SCHEDULE)
            continue;
        const char *wanted = schedule->as.schedule.filter->text;
        bool found = false;
        struct suggestion near = {0};
        for (size_t k = 0; k < module->items->count; k++) {
            const struct ast *item = module->items->item[k];
            if (item->kind != AST_FILTER)
                continue;
            found = found || item->as.filter.name == schedule->as.schedule.filter;
            suggest_consider(&near, wanted, item->as.filter.name->text);
        }
        if (found)
            continue;
        struct diagnostic *d =
            diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0503, schedule->span,
                              module->file->name,
                              arena_format(session->permanent, " named '%s'", wanted));
        if (near.best)
            diagnostic_help(&session->diagnostics, d, "write '%s'", near.best);
    }
}

const struct ast *elaborate_choose(struct session *session, const struct module_set *modules,
                                   const char *name)
{
    const struct module *module = modules->list.item[0].module;
    const struct choice choice = choose(session, module, name);
    check_schedule_names(session, module);
    if (choice.filter)
        return choice.filter;
    struct diagnostic *d;
    if (name || choice.count == 0) {
        d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0503, (struct span){0, 0},
                              module->file->name,
                              name ? arena_format(session->permanent, " named '%s'", name) : "");
        if (choice.near.best)
            diagnostic_help(&session->diagnostics, d, "write --filter %s", choice.near.best);
        else if (choice.count == 0)
            diagnostic_help(&session->diagnostics, d,
                            "a filter is written filter name(in : image<f32>[y, x]) -> out : "
                            "image<f32>[y, x] { ... }");
        else
            diagnostic_note(&session->diagnostics, d, "it has %s", choice.names.bytes);
        return NULL;
    }
    d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0502, (struct span){0, 0},
                          module->file->name, choice.names.bytes);
    diagnostic_help(&session->diagnostics, d, "choose one with --filter NAME");
    return NULL;
}

void elaborate_all(struct session *session, const struct module_set *modules)
{
    const struct module *module = modules->list.item[0].module;
    const struct ast *chosen = choose(session, module, NULL).filter;
    check_schedule_names(session, module);
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        const struct elaborate_options options = {.callable = item != chosen};
        if (item->kind == AST_FILTER)
            elaborate_filter(session, modules, item, &options);
    }
}
