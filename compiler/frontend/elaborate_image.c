/* Expressions that are images: names, members of arrays, calls, and arithmetic on such. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"
#include "frontend/ast_build.h"

static const struct ast *strip_parentheses(const struct ast *node)
{
    while (node->kind == AST_PARENTHESES)
        node = node->as.inner;
    return node;
}

const char *entity_text(enum entity_kind kind)
{
    switch (kind) {
    case ENTITY_IMAGE:
        return "an image";
    case ENTITY_LEVELS:
        return "an array of images";
    case ENTITY_RESULTS:
        return "several results";
    case ENTITY_VALUE:
    case ENTITY_ERROR:
        break;
    }
    return "a number";
}

bool is_image_function(const char *name)
{
    return is_axes_function(name) || is_transform_function(name) || is_particle_function(name) ||
           is_convolve(name);
}

bool is_image_call(const struct elaborator *el, const struct instance *instance,
                   const struct ast *node)
{
    if (node->kind != AST_CALL || node->as.call.callee->kind != AST_NAME)
        return false;
    const struct symbol *name = node->as.call.callee->as.name;
    size_t owner;
    return is_image_function(name->text) &&
           !(may_be_defined(name->text) && find_item(el, instance->module, name, &owner));
}

/* What a border rule may stand behind. */
static bool is_convolve_call(const struct ast *node)
{
    return node->kind == AST_CALL && node->as.call.callee->kind == AST_NAME &&
           is_convolve(node->as.call.callee->as.name->text);
}

static const struct ast *called_filter(const struct elaborator *el, const struct instance *instance,
                                       const struct ast *node)
{
    size_t owner;
    if (node->kind != AST_CALL || node->as.call.callee->kind != AST_NAME)
        return NULL;
    const struct ast *item = find_item(el, instance->module, node->as.call.callee->as.name, &owner);
    return item && item->kind == AST_FILTER ? item : NULL;
}

/* What an expression will stand for, before it is elaborated: an entity that is there already, or
 * the result of a signature. */
struct shape {
    enum entity_kind kind;
    const struct entity *known; /* or NULL */
    const struct ast *filter;   /* of RESULTS that are not known yet */
};

static struct shape shape_of_entity(const struct entity *entity)
{
    return (struct shape){entity->kind, entity, NULL};
}

static struct shape shape_of_formal(const struct ast *formal)
{
    return (struct shape){formal->as.formal.each ? ENTITY_LEVELS : ENTITY_IMAGE, NULL, NULL};
}

static struct shape shape_of(const struct elaborator *el, const struct instance *instance,
                             const struct scope *scope, const struct ast *node);

static struct shape shape_of_result(struct shape base, const struct symbol *name)
{
    const struct ast *filter = base.known ? base.known->as.results->filter : base.filter;
    const int i = find_result(filter, name);
    if (i < 0) /* reported when it is elaborated */
        return (struct shape){ENTITY_IMAGE, NULL, NULL};
    return base.known ? shape_of_entity(&base.known->as.results->item[i])
                      : shape_of_formal(filter->as.filter.results->item[i]);
}

static struct shape shape_of_member(struct shape base)
{
    const struct shape image = {ENTITY_IMAGE, NULL, NULL};
    if (!base.known || !base.known->as.levels->member.count)
        return image;
    const struct entity *first = &base.known->as.levels->member.item[0].value;
    return first->kind == ENTITY_ERROR ? image : shape_of_entity(first);
}

static struct shape shape_of(const struct elaborator *el, const struct instance *instance,
                             const struct scope *scope, const struct ast *node)
{
    const struct shape none = {ENTITY_VALUE, NULL, NULL};
    node = strip_parentheses(node);
    if (node->kind == AST_NAME) {
        const struct entity *entity = scope_find(scope, node->as.name);
        return entity ? shape_of_entity(entity) : none;
    }
    if (node->kind == AST_BORDERED) {
        node = strip_parentheses(node->as.bordered.operand);
        return called_filter(el, instance, node) || is_convolve_call(node)
                   ? shape_of(el, instance, scope, node)
                   : none;
    }
    if (is_image_call(el, instance, node))
        return (struct shape){ENTITY_IMAGE, NULL, NULL};
    const struct ast *filter = called_filter(el, instance, node);
    if (filter)
        return filter->as.filter.results->count > 1
                   ? (struct shape){ENTITY_RESULTS, NULL, filter}
                   : shape_of_formal(filter->as.filter.results->item[0]);
    if (node->kind == AST_FIELD) {
        const struct shape base = shape_of(el, instance, scope, node->as.field.base);
        return base.kind == ENTITY_RESULTS ? shape_of_result(base, node->as.field.name) : none;
    }
    if (node->kind == AST_INDEX && node->as.index.items->count == 1) {
        const struct shape base = shape_of(el, instance, scope, node->as.index.base);
        return base.kind == ENTITY_LEVELS ? shape_of_member(base) : none;
    }
    return none;
}

enum entity_kind entity_kind_of(const struct elaborator *el, const struct instance *instance,
                                const struct scope *scope, const struct ast *node)
{
    return shape_of(el, instance, scope, node).kind;
}

/* A name, a member of an array, a result, or a call: not arithmetic. */
bool is_direct_image(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *node)
{
    const struct shape shape = shape_of(el, instance, scope, node);
    const bool scalar_name = strip_parentheses(node)->kind == AST_NAME && shape.known &&
                             shape.kind == ENTITY_IMAGE && shape.known->as.image.rank == 0;
    return shape.kind == ENTITY_IMAGE && !scalar_name;
}

struct image_search {
    const struct elaborator *el;
    const struct instance *instance;
    const struct scope *scope;
    bool found;
};

static void search_image(const struct ast *node, void *context)
{
    struct image_search *search = context;
    if (search->found)
        return;
    if (is_direct_image(search->el, search->instance, search->scope, node)) {
        search->found = true;
        return;
    }
    switch (node->kind) {
    case AST_UNARY:
    case AST_BINARY:
    case AST_PARENTHESES:
    case AST_FAST:
    case AST_CONVERSION:
    case AST_NAMED:
        ast_children(node, search_image, search);
        break;
    case AST_BLOCK:
        ast_children(node, search_image, search);
        break;
    case AST_LET:
        search_image(node->as.let.value, search);
        break;
    case AST_CALL: /* of a function; the term of a reduction is read by indices */
        if (node->as.call.callee->kind == AST_NAME)
            for (size_t i = 0; i < node->as.call.arguments->count; i++)
                search_image(node->as.call.arguments->item[i], search);
        break;
    default:
        break;
    }
}

bool is_image_valued(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *value)
{
    struct image_search search = {el, instance, scope, false};
    search_image(value, &search);
    return search.found;
}

static struct entity entity_error(struct span span)
{
    return (struct entity){.kind = ENTITY_ERROR, .span = span};
}

static struct entity elaborate_level(struct elaborator *el, struct instance *instance,
                                     struct scope *scope, const struct levels *levels,
                                     const struct ast *node)
{
    struct stage_context context =
        stage_context_open(el, instance, scope, levels->name, node->span);
    int64_t index;
    if (!elaborate_constant_integer(el, &context, node->as.index.items->item[0], &index))
        return entity_error(node->span);
    for (size_t i = 0; i < levels->member.count; i++)
        if (levels->member.item[i].index == index)
            return levels->member.item[i].value;
    if (el->members_lack || levels->broken)
        return entity_error(node->span);
    struct diagnostic *d = REPORT(el, E0215, node->span, (long long)index, levels->name->text);
    struct text defined = text_create(el->session->permanent);
    for (size_t i = 0; i < levels->member.count; i++)
        text_print(&defined, "%s%lld", i ? ", " : "", (long long)levels->member.item[i].index);
    if (levels->member.count)
        LABEL(el, d, levels->span, "defined so far: %s", defined.bytes);
    return entity_error(node->span);
}

static struct entity elaborate_result(struct elaborator *el, const struct results *results,
                                      const struct ast *node)
{
    const struct ast *filter = results->filter;
    const int i = find_result(filter, node->as.field.name);
    if (i >= 0)
        return results->item[i];
    struct suggestion near = {0};
    struct text names = text_create(el->session->permanent);
    const struct ast_list *formals = filter->as.filter.results;
    for (size_t k = 0; k < formals->count; k++) {
        const char *name = formals->item[k]->as.formal.name->text;
        suggest_consider(&near, node->as.field.name->text, name);
        text_print(&names, "%s%s", k ? ", " : "", name);
    }
    struct diagnostic *d =
        REPORT(el, E0216, node->span, filter->as.filter.name->text, node->as.field.name->text);
    LABEL(el, d, filter->as.filter.name_span, "declared here");
    if (near.best)
        HELP(el, d, "write .%s", near.best);
    else
        NOTE(el, d, "it has %s", names.bytes);
    return entity_error(node->span);
}

/* What is part of an expression has no name of its own. */
static const struct symbol *name_or_value(struct elaborator *el, const struct symbol *name)
{
    return name ? name : symbol_from(&el->session->symbols, "value");
}

struct entity elaborate_entity(struct elaborator *el, struct instance *instance,
                               struct scope *scope, const struct ast *node,
                               const struct symbol *name)
{
    node = strip_parentheses(node);
    switch (node->kind) {
    case AST_NAME:
        return *scope_find(scope, node->as.name);
    case AST_INDEX: {
        const struct entity array =
            elaborate_entity(el, instance, scope, node->as.index.base, NULL);
        return array.kind == ENTITY_LEVELS
                   ? elaborate_level(el, instance, scope, array.as.levels, node)
                   : array;
    }
    case AST_FIELD: {
        const struct entity base = elaborate_entity(el, instance, scope, node->as.field.base, NULL);
        return base.kind == ENTITY_RESULTS ? elaborate_result(el, base.as.results, node) : base;
    }
    default:
        break;
    }
    const struct ast *rule = NULL;
    if (node->kind == AST_BORDERED) {
        rule = node->as.bordered.rule;
        node = strip_parentheses(node->as.bordered.operand);
    }
    if (is_image_call(el, instance, node)) {
        const char *function = node->as.call.callee->as.name->text;
        const struct image_view image =
            is_axes_function(function) ? elaborate_axes_call(el, instance, scope, node, name)
            : is_particle_function(function)
                ? elaborate_particle_call(el, instance, scope, node, name)
            : is_convolve(function) ? elaborate_convolve_call(el, instance, scope, node, rule, name)
                                    : elaborate_transform_call(el, instance, scope, node, name);
        return (struct entity){.kind = image.valid ? ENTITY_IMAGE : ENTITY_ERROR,
                               .span = node->span,
                               .as.image = image};
    }
    struct stage_context context =
        stage_context_open(el, instance, scope, name_or_value(el, name), node->span);
    return elaborate_call(el, &context, node, rule, name);
}

struct image_view elaborate_image(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct ast *value,
                                  const struct symbol *name)
{
    if (is_direct_image(el, instance, scope, value)) {
        const struct entity entity = elaborate_entity(el, instance, scope, value, name);
        if (entity.kind == ENTITY_IMAGE)
            return entity.as.image;
        if (entity.kind == ENTITY_LEVELS) /* arrays in an array, of which one is deeper */
            REPORT(el, E0206, value->span, entity.as.levels->called, entity_text(entity.kind),
                   entity_text(ENTITY_IMAGE));
        return (struct image_view){0};
    }
    return elaborate_lifted(el, instance, scope, name_or_value(el, name), value,
                            (struct element_type){.scalar = SCALAR_COUNT});
}

struct image_view context_image(struct elaborator *el, struct stage_context *context,
                                const struct ast *node)
{
    struct image_view *known = hash_map_find(&context->lifts, node);
    if (!known) {
        known = ARENA_NEW(el->arena, struct image_view);
        *known = elaborate_image(el, context->instance, context->scope, node, NULL);
        hash_map_put(el->arena, &context->lifts, node, known);
    }
    return *known;
}
