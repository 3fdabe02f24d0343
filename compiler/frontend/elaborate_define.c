/* Statements of a filter: definitions of stages, arrays of images, loops over constants. */
#include "frontend/elaborator.h"

/* ---- Definitions ---- */

/* A result gets its declared axes and element type; anything else stays as it is. */
static struct image_view as_result(struct elaborator *el, struct instance *instance,
                                   const struct ast *formal, struct image_view image,
                                   struct span span)
{
    struct filter_type type;
    if (!image.valid || !elaborate_type(el, instance, formal->as.formal.type, &type))
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
    const bool own = stage_computes(stage) && (instance->caller || !is_output);
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
        const enum scalar scalar = elaborate_scalar_type(el, instance, define->as.define.type);
        *good = scalar != SCALAR_COUNT;
        return scalar;
    }
    const struct ast *formal = result_formal(instance, define->as.define.name);
    struct filter_type type;
    if (!formal)
        return SCALAR_COUNT;
    *good = elaborate_type(el, instance, formal->as.formal.type, &type);
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
            const char *name = arena_format(el->session->permanent, "%s[%lld]", levels->name->text,
                                            (long long)index);
            struct diagnostic *d = REPORT(el, E0407, define->as.define.name_span, name);
            LABEL(el, d, levels->member.item[i].span, "first defined here");
            HELP(el, d, "each member of an array is defined once");
            return;
        }
    const struct symbol *name =
        symbol_format(&el->session->symbols, "%s_%lld", levels->name->text, (long long)index);
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

bool constant_range(struct elaborator *el, struct instance *instance, struct scope *scope,
                    const struct ast *binding, int64_t *first, int64_t *extent)
{
    enum { MOST_STEPS = 4096 };
    struct stage_context context =
        stage_context_open(el, instance, scope, binding->as.binding.name, binding->span);
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
    struct entity *entity =
        scope_declare(el, scope, binding->as.binding.name, binding->as.binding.name_span);
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
    return (entity && entity->kind == ENTITY_LEVELS) ||
           (item->kind != AST_NAME && item->kind != AST_BINDING) ||
           is_image_valued(el, instance, scope, define->as.define.value);
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

static void elaborate_require(struct elaborator *el, struct instance *instance, struct scope *scope,
                              const struct ast *node)
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
    for (size_t i = 0; i < body->count && elaborate_work(el, body->item[i]->span, STATEMENT_WORK);
         i++)
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
void elaborate_body(struct elaborator *el, struct instance *instance)
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
        if (elaborate_type(el, instance, result->as.formal.type, &type))
            HELP(el, d, "end the filter with %s[%s] = ...;", result->as.formal.name->text,
                 axes_text(el, type.axis, type.rank));
    }
}
