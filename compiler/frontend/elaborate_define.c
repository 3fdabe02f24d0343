/* Statements of a filter: definitions of stages, arrays of images, loops over constants. */
#include "frontend/elaborator.h"
#include "frontend/mistakes.h"
#include "frontend/particles.h"

/* ---- Definitions ---- */

int find_result(const struct ast *filter, const struct symbol *name)
{
    const struct ast_list *results = filter->as.filter.results;
    for (size_t i = 0; i < results->count; i++)
        if (results->item[i]->as.formal.name == name)
            return (int)i;
    return -1;
}

static bool holds_stage(const struct entity *entity, stage_id stage)
{
    if (entity->kind == ENTITY_IMAGE)
        return entity->as.image.valid && entity->as.image.stage.index == stage.index;
    for (size_t i = 0; entity->kind == ENTITY_LEVELS && i < entity->as.levels->member.count; i++)
        if (holds_stage(&entity->as.levels->member.item[i].value, stage))
            return true;
    return false;
}

/* Whether a stage can be a result itself: not an input, nor twice one of those that callers see. */
static bool may_be_result(const struct instance *instance, const struct stage *stage)
{
    bool taken = false;
    for (size_t i = 0; !instance->caller && i < instance->filter->as.filter.results->count; i++)
        taken = taken || holds_stage(&instance->result[i], stage->id);
    return stage->kind != STAGE_INPUT && stage->kind != STAGE_CONSTANT && !taken;
}

/* Whether its samples are complex as declared; reports it where they are not. */
static bool has_parts(struct elaborator *el, const struct stage *stage, bool is_complex,
                      enum scalar scalar, struct span span)
{
    if (stage_is_complex(stage) == is_complex)
        return true;
    struct diagnostic *d =
        REPORT(el, E0307, span, is_complex ? complex_text(scalar) : scalar_info[scalar].text,
               is_complex ? scalar_info[stage->element].text : complex_text(stage->element));
    HELP(el, d, is_complex ? "write c32(...)" : "take a part of it: re(...), im(...), abs(...)");
    return false;
}

/* An image under the declared axes and element type of a result. */
static struct image_view as_result(struct elaborator *el, struct instance *instance,
                                   const struct ast *formal, struct image_view image,
                                   const struct symbol *name, struct span span)
{
    struct filter_type type;
    if (!image.valid || !elaborate_type(el, instance, formal->as.formal.type, &type))
        return (struct image_view){0};
    if (!type.is_image)
        type.rank = 0;
    bool same = type.rank == image.rank;
    for (unsigned i = 0; same && i < type.rank; i++)
        same = type.axis[i] == image.axis[i];
    if (!same) {
        struct diagnostic *d =
            REPORT(el, E0316, span, formal->as.formal.name->text,
                   axes_text(el, type.axis, type.rank), axes_text(el, image.axis, image.rank));
        LABEL(el, d, formal->span, "declared here");
        HELP(el, d, "axes are compared by name and order; make both alike");
        return (struct image_view){0};
    }
    const struct stage *stage = graph_stage(el->graph, image.stage);
    if (!has_parts(el, stage, type.complex, type.scalar, span))
        return (struct image_view){0};
    const struct element_type element = {.scalar = type.scalar, .fixed = type.fixed};
    if (!may_be_result(instance, stage) || !is_stored_as(el, stage, element))
        image = elaborate_copy(el, instance, image, name, element, span);
    image.fixed = type.fixed;
    return image;
}

struct result_change {
    struct elaborator *el;
    struct instance *instance;
    const struct ast *formal;
    struct span span;
};

static struct image_view change_to_result(struct image_view image, const struct symbol *name,
                                          void *user)
{
    const struct result_change *change = user;
    return as_result(change->el, change->instance, change->formal, image, name, change->span);
}

/* `out = value;` of a result: an image, or a whole array. */
static struct entity entity_as_result(struct elaborator *el, struct instance *instance,
                                      const struct ast *formal, struct entity value,
                                      struct span span)
{
    struct result_change change = {el, instance, formal, span};
    const enum entity_kind wanted = formal->as.formal.each ? ENTITY_LEVELS : ENTITY_IMAGE;
    const struct entity none = {.kind = ENTITY_ERROR, .span = span};
    if (value.kind == ENTITY_ERROR)
        return none;
    if (value.kind != wanted) {
        struct diagnostic *d = REPORT(el, E0206, span, formal->as.formal.name->text,
                                      entity_text(wanted), entity_text(value.kind));
        LABEL(el, d, formal->span, "declared here");
        return none;
    }
    if (wanted == ENTITY_LEVELS)
        return change_levels(el, value.as.levels, change_to_result, &change);
    value.as.image = change_to_result(value.as.image, formal->as.formal.name, &change);
    return value.as.image.valid ? value : none;
}

static const struct ast *result_formal(const struct instance *instance, const struct symbol *name)
{
    const int i = find_result(instance->filter, name);
    return i < 0 ? NULL : instance->filter->as.filter.results->item[i];
}

/* Whether the name has a value already; reports it. */
static bool is_defined(struct elaborator *el, const struct instance *instance,
                       const struct scope *scope, const struct ast *define)
{
    const struct symbol *name = define->as.define.name;
    const struct entity *known = scope_find(scope, name);
    if (!known || known->kind == ENTITY_ERROR || known->carried == ENTITY_CARRIED)
        return false;
    struct diagnostic *d = REPORT(el, E0407, define->as.define.name_span, name->text);
    LABEL(el, d, known->span, "first defined here");
    const bool in_loop = scope != instance->scope && !hash_map_find(&scope->names, name);
    HELP(el, d,
         in_loop ? "a loop carries nothing on; steps that do are repeat 10 { ... }"
                 : "a name is given one value; choose another name");
    return true;
}

static void define_entity(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast *define, struct entity value)
{
    const struct symbol *name = define->as.define.name;
    struct entity *known = scope_find(scope, name);
    if (known && known->carried == ENTITY_CARRIED) { /* what it is after this step */
        *known = value;
        known->span = define->as.define.name_span;
        known->carried = ENTITY_RENEWED;
        return;
    }
    value.span = define->as.define.name_span;
    const struct ast *formal = result_formal(instance, name);
    if (formal) {
        value = entity_as_result(el, instance, formal, value, define->span);
        value.span = define->as.define.name_span;
        instance->result[find_result(instance->filter, name)] = value;
        scope = instance->scope;
    }
    struct entity *entity = scope_declare(el, scope, name, define->as.define.name_span);
    value.span = entity->span;
    *entity = value;
}

static struct element_type declared_element(struct elaborator *el, const struct instance *instance,
                                            const struct scope *scope, const struct ast *define,
                                            bool *good)
{
    *good = true;
    const struct entity *carried = scope_find(scope, define->as.define.name);
    if (carried && carried->carried != ENTITY_FIXED && carried->as.image.valid) {
        const struct stage *stage = graph_stage(el->graph, carried->as.image.stage);
        struct element_type type = stored_type(el, stage, &carried->as.image);
        type.converts = !scalar_is_float(stage->element);
        type.complex = stage_is_complex(stage);
        return type;
    }
    if (define->as.define.type) {
        const struct element_type element =
            elaborate_element_type(el, instance, define->as.define.type);
        *good = element.scalar != SCALAR_COUNT;
        return element;
    }
    const struct ast *formal = result_formal(instance, define->as.define.name);
    struct filter_type type;
    if (!formal)
        return (struct element_type){.scalar = SCALAR_COUNT};
    *good = elaborate_type(el, instance, formal->as.formal.type, &type);
    return (struct element_type){type.scalar, type.wraps, false, type.complex, type.fixed};
}

static struct entity image_entity(struct image_view image)
{
    return (struct entity){.kind = image.valid ? ENTITY_IMAGE : ENTITY_ERROR, .as.image = image};
}

/* The member of a result that is an array, under the types of the signature. */
static struct entity member_as_result(struct elaborator *el, struct instance *instance,
                                      const struct ast *define, const struct symbol *name,
                                      struct entity value)
{
    const struct ast *formal = result_formal(instance, define->as.define.name);
    if (!formal || name == define->as.define.name || value.kind != ENTITY_IMAGE)
        return value;
    return image_entity(as_result(el, instance, formal, value.as.image, name, define->span));
}

static struct image_view with_wrapping(struct image_view image, struct element_type declared)
{
    image.wraps = declared.wraps;
    if (declared.fixed.is)
        image.fixed = declared.fixed;
    return image;
}

struct entity define_value(struct elaborator *el, struct instance *instance, struct scope *scope,
                           const struct ast *define, const struct ast_list *axes,
                           const struct symbol *name)
{
    bool good;
    const struct element_type declared = declared_element(el, instance, scope, define, &good);
    const struct ast *value = define->as.define.value;
    if (!good)
        return (struct entity){.kind = ENTITY_ERROR};
    if (!value)
        return image_entity(
            with_wrapping(elaborate_declaration(el, instance, scope, define, declared), declared));
    const enum entity_kind kind = entity_kind_of(el, instance, scope, value);
    if (!axes && (kind == ENTITY_LEVELS || kind == ENTITY_RESULTS))
        return elaborate_entity(el, instance, scope, value, name);
    struct image_view image;
    if (!axes && declared.complex && is_image_valued(el, instance, scope, value)) {
        image = elaborate_lifted(el, instance, scope, name, value, declared);
    } else if (!axes && is_image_valued(el, instance, scope, value)) {
        image = elaborate_image(el, instance, scope, value, name);
        if (image.valid && define->as.define.type &&
            !has_parts(el, graph_stage(el->graph, image.stage), false, declared.scalar,
                       value->span))
            return (struct entity){.kind = ENTITY_ERROR};
        if (image.valid && define->as.define.type &&
            !is_stored_as(el, graph_stage(el->graph, image.stage), declared))
            image = elaborate_copy(el, instance, image, name, declared, define->span);
    } else {
        image = elaborate_stage(el, instance, scope, name, define->as.define.name_span, axes, value,
                                declared);
    }
    return member_as_result(el, instance, define, name,
                            image_entity(with_wrapping(image, declared)));
}

bool elaborate_work(struct elaborator *el, struct span span, unsigned amount)
{
    /* An error takes long, and the same one is found wherever a function is written out. */
    enum { MOST_WORK = 1000000, ERROR_WORK = MOST_WORK / 2500 };
    el->work += amount;
    const uint64_t errors = el->session->diagnostics.error_count;
    if (el->exhausted || el->work + errors * ERROR_WORK <= MOST_WORK)
        return !el->exhausted;
    el->exhausted = true;
    struct diagnostic *d = REPORT(el, E0410, span);
    HELP(el, d, "make a value that is used many times a stage or a let");
    return false;
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
        if (range_has_extent(binding->as.binding.range))
            HELP(el, d,
                 "an extent is known only when the filter runs; sum[%s in %s](...) adds over it, "
                 "repeat N { ... } takes steps",
                 binding->as.binding.name->text, condition_text(el, binding->as.binding.range));
        else
            HELP(el, d, "declare what it depends on as const, not as param");
        el->members_lack = true;
        return false;
    }
    if (n->as.integer > MOST_STEPS) {
        el->members_lack = true;
        REPORT(el, E0324, binding->span, (long long)n->as.integer, MOST_STEPS);
        return false;
    }
    *first = a->as.integer;
    *extent = n->as.integer;
    return true;
}

/* ---- Statements ---- */

static void elaborate_define(struct elaborator *el, struct instance *instance, struct scope *scope,
                             const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    if (define->as.define.assignment != ASSIGN_SET || define->as.define.over) {
        elaborate_scatter(el, instance, scope, define);
        return;
    }
    const struct symbol *outer = el->defining;
    el->defining = define->as.define.name;
    if (define->as.define.value && defines_array(el, instance, scope, define))
        define_array(el, instance, scope, define);
    else if (!is_defined(el, instance, scope, define))
        define_entity(el, instance, scope, define,
                      define_value(el, instance, scope, define,
                                   brackets->count ? brackets->item[0]->as.list : NULL,
                                   define->as.define.name));
    el->defining = outer;
}

/* A table is a stage that is evaluated before all others, at compile time where it can be. */
static void elaborate_table(struct elaborator *el, struct instance *instance, struct scope *scope,
                            const struct ast *node)
{
    const struct symbol *name = node->as.table.name;
    const struct symbol *outer = el->defining;
    el->defining = name;
    const struct image_view image =
        elaborate_stage(el, instance, scope, name, node->as.table.name_span, node->as.table.domain,
                        node->as.table.value, (struct element_type){.scalar = SCALAR_COUNT});
    el->defining = outer;
    if (image.valid && graph_stage(el->graph, image.stage)->kind == STAGE_MAP)
        el->graph->stages.item[image.stage.index]->kind = STAGE_TABLE;
    struct entity *entity = scope_declare(el, scope, name, node->as.table.name_span);
    const struct span span = entity->span;
    *entity = image_entity(image);
    entity->span = span;
}

/* After a message about a loop: nothing is reported about the names that it would define. */
static void silence_definitions(struct elaborator *el, const struct instance *instance,
                                const struct ast_list *body)
{
    for (size_t i = 0; i < body->count; i++)
        if (body->item[i]->kind == AST_DEFINE)
            silence_name(el, instance, body->item[i]->as.define.name);
        else if (body->item[i]->kind == AST_FOR)
            silence_definitions(el, instance, body->item[i]->as.loop.body);
}

static void elaborate_for(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast *node)
{
    int64_t first, extent;
    const struct ast *binding = node->as.loop.binding;
    if (report_loop_over_samples(el, instance, scope, node) ||
        !constant_range(el, instance, scope, binding, &first, &extent)) {
        silence_definitions(el, instance, node->as.loop.body);
        return;
    }
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
        elaborate_table(el, instance, scope, node);
        return;
    case AST_ESTIMATE:
        elaborate_estimate(el, instance, scope, node);
        return;
    case AST_REPEAT:
        elaborate_repeat(el, instance, scope, node);
        return;
    case AST_EXAMPLE:
        HELP(
            el,
            REPORT(el, E0303, node->span, "an example", "a place outside of filters", "one inside"),
            "write it behind the filter that it shows");
        return;
    default:
        return;
    }
}

void elaborate_statements(struct elaborator *el, struct instance *instance, struct scope *scope,
                          const struct ast_list *body)
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
            report_undeclared(el, instance, instance->scope, name, span, NULL);
        else if (entity->kind != ENTITY_IMAGE && entity->kind != ENTITY_LEVELS &&
                 entity->kind != ENTITY_ERROR)
            REPORT(el, E0206, span, name->text, entity_text(entity->kind), "an image");
    }
}

/* The images of a result have particles where that is declared. */
static void check_adaptive(struct elaborator *el, const struct ast *formal,
                           const struct entity *result)
{
    bool good = result->kind != ENTITY_IMAGE ||
                suits_as_adaptive(el, formal, result->as.image, result->span);
    const size_t members = result->kind == ENTITY_LEVELS ? result->as.levels->member.count : 0;
    for (size_t i = 0; i < members && good; i++)
        good = suits_as_adaptive(el, formal, result->as.levels->member.item[i].value.as.image,
                                 result->span);
}

/* The result is there, with all its members. */
static void check_result(struct elaborator *el, struct instance *instance, const struct ast *formal,
                         const struct entity *result)
{
    struct filter_type type;
    const char *name = formal->as.formal.name->text;
    int64_t first, extent;
    if (result->span.end > 0) {
        if (formal->as.formal.each && result->kind == ENTITY_LEVELS &&
            each_range(el, instance, formal, &first, &extent))
            check_members(el, result->as.levels, first, extent, name, result->span, formal->span);
        check_adaptive(el, formal, result);
        return;
    }
    struct diagnostic *d = REPORT(el, E0211, formal->as.formal.name_span, name);
    if (elaborate_type(el, instance, formal->as.formal.type, &type))
        HELP(el, d,
             formal->as.formal.each ? "end the filter with %s[...][%s] = ...;"
                                    : "end the filter with %s[%s] = ...;",
             name, axes_text(el, type.axis, type.rank));
}

/* The body, after the filter's own border rules are known. */
void elaborate_body(struct elaborator *el, struct instance *instance)
{
    const struct ast *filter = instance->filter;
    instance->result = ARENA_ARRAY(el->arena, struct entity, filter->as.filter.results->count + 1);
    take_border_rules(el, instance);
    const unsigned errors = el->session->diagnostics.error_count;
    const bool fast = elaborate_fast(el, el->pool->fast || filter->as.filter.fast);
    elaborate_statements(el, instance, instance->scope, filter->as.filter.body);
    elaborate_fast(el, fast);
    check_border_images(el, instance);
    for (size_t i = 0; i < filter->as.filter.results->count; i++)
        if (el->session->diagnostics.error_count == errors)
            check_result(el, instance, filter->as.filter.results->item[i], &instance->result[i]);
}
