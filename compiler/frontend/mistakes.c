/* Mistakes that several constructs report. */
#include "frontend/mistakes.h"
#include "frontend/ast_build.h"

#include <string.h>

/* ---- A reduction without its term ---- */

/* Variables of the ranges are known to be a mistake from here on, so they are not reported. */
static void declare_mistaken(struct elaborator *el, struct scope *scope,
                             const struct ast_list *items)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->item[i]->kind == AST_BINDING &&
            !scope_find(scope, items->item[i]->as.binding.name))
            scope_declare(el, scope, items->item[i]->as.binding.name, items->item[i]->span)->kind =
                ENTITY_ERROR;
}

bool report_missing_term(struct elaborator *el, const struct stage_context *context,
                         const struct ast *node)
{
    const struct ast *base = node->as.index.base;
    if (base->kind != AST_NAME || scope_find(context->scope, base->as.name))
        return false;
    const char *name = base->as.name->text;
    unsigned i = 0;
    while (i < REDUCTION_COUNT && strcmp(reduction_text[i], name) != 0)
        i++;
    if (i == REDUCTION_COUNT || node->as.index.items->item[0]->kind != AST_BINDING)
        return false;
    struct diagnostic *d =
        REPORT(el, E0303, node->span, name, "a term in parentheses behind its ranges", "none");
    HELP(el, d, "put what %s takes in parentheses: %s(...)", name, condition_text(el, node));
    declare_mistaken(el, context->scope, node->as.index.items);
    return true;
}

/* ---- Loops over samples ---- */

/* The axes that the filter declares for the result; NULL: it is none. */
static const struct ast_list *axes_of_result(const struct ast *filter, const struct symbol *name)
{
    for (size_t i = 0; i < filter->as.filter.results->count; i++) {
        const struct ast *formal = filter->as.filter.results->item[i];
        if (formal->as.formal.name == name && !formal->as.formal.each)
            return formal->as.formal.type->as.type.constructor
                       ? formal->as.formal.type->as.type.names
                       : NULL;
    }
    return NULL;
}

struct read_search {
    const struct symbol *variable;
    bool found;
};

/* Whether an image of several axes is read at the variable. */
static void search_read(const struct ast *node, void *user)
{
    struct read_search *search = user;
    for (size_t i = 0; node->kind == AST_INDEX && i < node->as.index.items->count; i++) {
        const struct ast *item = node->as.index.items->item[i];
        search->found =
            search->found || (node->as.index.items->count > 1 && item->kind == AST_NAME &&
                              item->as.name == search->variable);
    }
    if (!search->found)
        ast_children(node, search_read, search);
}

/* g[k] = ... may be a stage of one axis, and a member of an array of images. */
static bool is_stage_of_one_axis(const struct ast *filter, const struct ast *definition,
                                 const struct symbol *variable)
{
    const struct ast_list *axes = axes_of_result(filter, definition->as.define.name);
    struct read_search search = {variable, false};
    if (axes)
        return axes->count == 1;
    if (definition->as.define.value)
        search_read(definition->as.define.value, &search);
    return search.found;
}

struct loop_search {
    const struct ast *filter;
    const struct symbol *variable;
    const struct ast *definition; /* found, of which the variable is a coordinate */
};

static void search_definition(const struct ast *node, void *user)
{
    struct loop_search *search = user;
    if (search->definition)
        return;
    if (node->kind == AST_FOR || node->kind == AST_REPEAT) {
        ast_children(node, search_definition, search);
        return;
    }
    if (node->kind != AST_DEFINE || !node->as.define.brackets->count ||
        node->as.define.assignment != ASSIGN_SET)
        return;
    const struct ast_list *brackets = node->as.define.brackets;
    const struct ast_list *items = brackets->item[brackets->count - 1]->as.list;
    for (size_t i = 0; i < items->count; i++)
        if (items->item[i]->kind == AST_NAME && items->item[i]->as.name == search->variable &&
            (items->count > 1 || brackets->count > 1 ||
             is_stage_of_one_axis(search->filter, node, search->variable)))
            search->definition = node;
}

struct binding_search {
    const struct symbol *variable;
    const struct ast *binding;
};

static void search_binding(const struct ast *node, void *user)
{
    struct binding_search *search = user;
    if (node->kind == AST_FOR && node->as.loop.binding->as.binding.name == search->variable)
        search->binding = node->as.loop.binding;
    if (node->kind == AST_FOR || node->kind == AST_REPEAT)
        ast_children(node, search_binding, search);
}

/* 0 ..< in.y, which a stage has without saying so. */
static bool is_whole_axis(const struct ast *range)
{
    return range->as.range.first->kind == AST_INTEGER && range->as.range.first->as.integer == 0 &&
           !range->as.range.includes_last && range->as.range.last->kind == AST_FIELD;
}

/* The axis as it is to stand on the left side of the definition; own: as the result calls it, or
 * NULL. */
static const char *axis_without_loop(struct elaborator *el, const struct ast *loop,
                                     const struct ast *item, const struct ast *own)
{
    struct binding_search search = {item->kind == AST_NAME ? item->as.name : NULL, NULL};
    if (search.variable)
        search_binding(loop, &search);
    if (!search.binding || is_whole_axis(search.binding->as.binding.range))
        return own && item->kind == AST_NAME ? own->as.name->text : condition_text(el, item);
    return own ? arena_format(el->session->permanent, "%s in %s", own->as.name->text,
                              condition_text(el, search.binding->as.binding.range))
               : condition_text(el, search.binding);
}

static bool has_extent(const struct ast *node)
{
    if (node->kind == AST_FIELD)
        return true;
    if (node->kind == AST_BINARY)
        return has_extent(node->as.binary.left) || has_extent(node->as.binary.right);
    if (node->kind == AST_UNARY)
        return has_extent(node->as.unary.operand);
    if (node->kind == AST_PARENTHESES)
        return has_extent(node->as.inner);
    return false;
}

bool range_has_extent(const struct ast *range)
{
    return range->kind == AST_RANGE &&
           (has_extent(range->as.range.first) || has_extent(range->as.range.last));
}

struct mistaken {
    struct elaborator *el;
    struct scope *scope;
};

/* What the loop defines is known to be a mistake from here on. */
static void declare_definitions(const struct ast *node, void *user)
{
    const struct mistaken *mistaken = user;
    if (node->kind == AST_FOR || node->kind == AST_REPEAT)
        ast_children(node, declare_definitions, user);
    if (node->kind == AST_DEFINE && !scope_find(mistaken->scope, node->as.define.name))
        scope_declare(mistaken->el, mistaken->scope, node->as.define.name, node->span)->kind =
            ENTITY_ERROR;
}

bool report_loop_over_samples(struct elaborator *el, const struct instance *instance,
                              struct scope *scope, const struct ast *loop)
{
    const struct ast *binding = loop->as.loop.binding;
    struct loop_search search = {instance->filter, binding->as.binding.name, NULL};
    for (size_t i = 0; i < loop->as.loop.body->count; i++)
        search_definition(loop->as.loop.body->item[i], &search);
    if (!search.definition)
        return false;
    const struct ast_list *brackets = search.definition->as.define.brackets;
    const struct ast_list *items = brackets->item[brackets->count - 1]->as.list;
    const char *name = search.definition->as.define.name->text;
    const struct ast_list *own =
        axes_of_result(instance->filter, search.definition->as.define.name);
    if (own && own->count != items->count)
        own = NULL;
    struct text axes = text_create(el->session->permanent);
    for (size_t i = 0; i < items->count; i++)
        text_print(&axes, "%s%s", i ? ", " : "",
                   axis_without_loop(el, loop, items->item[i], own ? own->item[i] : NULL));
    struct diagnostic *d = REPORT(el, E0419, ((struct span){loop->span.start, binding->span.end}),
                                  name, binding->as.binding.name->text);
    HELP(el, d, "drop the loop and write %s[%s] = ...;", name, axes.bytes);
    struct mistaken mistaken = {el, scope};
    ast_children(loop, declare_definitions, &mistaken);
    return true;
}

/* ---- Rules behind what is no read ---- */

/* Whether the read may leave the image and has no rule there. */
static bool lacks_rule(const struct pending_read *read)
{
    for (unsigned k = 0; k < read->load->count; k++)
        if (!read->has_rule[k] && read->load->operand[k]->kind != EXPR_VARIABLE)
            return true;
    return false;
}

void report_rule_of_no_read(struct elaborator *el, const struct stage_context *context,
                            const struct ast *node, size_t first_read)
{
    const struct ast *rule = node->as.bordered.rule;
    const char *text = condition_text(el, rule);
    const struct pending_read *lacking = NULL;
    for (size_t i = first_read; i < context->reads.count && !lacking; i++)
        if (lacks_rule(&context->reads.item[i]))
            lacking = &context->reads.item[i];
    struct diagnostic *d =
        REPORT(el, E0403, rule->span, rule->as.rule.name ? rule->as.rule.name->text : "by axis");
    NOTE(el, d, "a border rule belongs to the read or call of a filter just before it");
    if (lacking)
        HELP(el, d,
             "write it behind each read, %s[...] border %s, or once for the whole filter: border "
             "%s;",
             lacking->image->text, text, text);
    else
        HELP(el, d, "leave it out: no read before it needs a rule");
}
