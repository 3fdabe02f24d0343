/* Expressions that are images: names, members of arrays, calls, and arithmetic on such. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

static const struct ast *strip_parentheses(const struct ast *node)
{
    while (node->kind == AST_PARENTHESES)
        node = node->as.inner;
    return node;
}

/* g[l] of an array of images. */
static struct levels *levels_of(const struct scope *scope, const struct ast *node)
{
    if (node->kind != AST_INDEX || node->as.index.base->kind != AST_NAME ||
        node->as.index.items->count != 1)
        return NULL;
    const struct entity *entity = scope_find(scope, node->as.index.base->as.name);
    return entity && entity->kind == ENTITY_LEVELS ? entity->as.levels : NULL;
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

/* A name, a member of an array, or a call: not arithmetic. */
bool is_direct_image(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *node)
{
    node = strip_parentheses(node);
    if (node->kind == AST_NAME) {
        const struct entity *entity = scope_find(scope, node->as.name);
        return entity && entity->kind == ENTITY_IMAGE && entity->as.image.rank > 0;
    }
    if (node->kind == AST_BORDERED)
        return called_filter(el, instance, strip_parentheses(node->as.bordered.operand)) != NULL;
    return levels_of(scope, node) || called_filter(el, instance, node);
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

static struct image_view elaborate_level(struct elaborator *el, struct instance *instance,
                                         struct scope *scope, struct levels *levels,
                                         const struct ast *node)
{
    struct stage_context context =
        stage_context_open(el, instance, scope, levels->name, node->span);
    int64_t index;
    if (!elaborate_constant_integer(el, &context, node->as.index.items->item[0], &index))
        return (struct image_view){0};
    for (size_t i = 0; i < levels->member.count; i++)
        if (levels->member.item[i].index == index)
            return levels->member.item[i].image;
    struct diagnostic *d = REPORT(el, E0215, node->span, (long long)index, levels->name->text);
    struct text defined = text_create(el->session->permanent);
    for (size_t i = 0; i < levels->member.count; i++)
        text_print(&defined, "%s%lld", i ? ", " : "", (long long)levels->member.item[i].index);
    if (levels->member.count)
        LABEL(el, d, levels->span, "defined so far: %s", defined.bytes);
    return (struct image_view){0};
}

static struct image_view elaborate_direct(struct elaborator *el, struct instance *instance,
                                          struct scope *scope, const struct ast *node,
                                          const struct symbol *name)
{
    node = strip_parentheses(node);
    struct levels *levels = levels_of(scope, node);
    if (levels)
        return elaborate_level(el, instance, scope, levels, node);
    if (node->kind == AST_NAME)
        return scope_find(scope, node->as.name)->as.image;
    const struct ast *rule = NULL;
    if (node->kind == AST_BORDERED) {
        rule = node->as.bordered.rule;
        node = strip_parentheses(node->as.bordered.operand);
    }
    struct stage_context context = stage_context_open(el, instance, scope, name, node->span);
    return elaborate_call(el, &context, node, rule, name);
}

struct image_view elaborate_image(struct elaborator *el, struct instance *instance,
                                  struct scope *scope, const struct ast *value,
                                  const struct symbol *name)
{
    if (is_direct_image(el, instance, scope, value))
        return elaborate_direct(el, instance, scope, value, name);
    return elaborate_lifted(el, instance, scope,
                            name ? name : symbol_from(&el->session->symbols, "value"), value,
                            SCALAR_COUNT);
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
