/* Enumerations: `param norm : {ortho, none} = ortho`. A value is the place of its name in the list;
 * it may be compared with one of the names, or given on as an argument of the same type. */
#include "frontend/elaborator.h"

bool is_enumeration(const struct ast *type)
{
    return type && type->kind == AST_TYPE && !type->as.type.constructor && !type->as.type.element &&
           !type->as.type.arguments;
}

const char *alternatives_text(struct elaborator *el, const struct ast *type)
{
    struct text text = text_create(el->session->permanent);
    const struct ast_list *names = type->as.type.names;
    for (size_t i = 0; i < names->count; i++)
        text_print(&text, "%s%s",
                   i == 0                 ? ""
                   : i + 1 < names->count ? ", "
                                          : " or ",
                   names->item[i]->as.name->text);
    return text.bytes;
}

static int place_in(const struct ast *type, const struct symbol *name)
{
    const struct ast_list *names = type->as.type.names;
    for (size_t i = 0; i < names->count; i++)
        if (names->item[i]->as.name == name)
            return (int)i;
    return -1;
}

static bool same_enumeration(const struct ast *a, const struct ast *b)
{
    bool same = a->as.type.names->count == b->as.type.names->count;
    for (size_t i = 0; same && i < a->as.type.names->count; i++)
        same = a->as.type.names->item[i]->as.name == b->as.type.names->item[i]->as.name;
    return same;
}

bool check_enumeration(struct elaborator *el, const struct ast *type)
{
    const struct ast_list *names = type->as.type.names;
    for (size_t i = 0; i < names->count; i++)
        if (place_in(type, names->item[i]->as.name) != (int)i) {
            REPORT(el, E0202, names->item[i]->span, names->item[i]->as.name->text);
            return false;
        }
    return true;
}

static const struct ast *strip_parentheses(const struct ast *node)
{
    while (node->kind == AST_PARENTHESES)
        node = node->as.inner;
    return node;
}

/* The enumeration that a name is a value of, or NULL. */
static const struct ast *enumeration_of(const struct stage_context *context, const struct ast *node)
{
    const struct entity *entity =
        node->kind == AST_NAME ? scope_find(context->scope, node->as.name) : NULL;
    return entity && (entity->kind == ENTITY_VALUE || entity->kind == ENTITY_ERROR)
               ? entity->as.value.enumeration
               : NULL;
}

struct operand enumeration_value(struct elaborator *el, struct stage_context *context,
                                 const struct ast *type, const struct ast *node)
{
    node = strip_parentheses(node);
    const struct ast *own = enumeration_of(context, node);
    const int place = node->kind == AST_NAME ? place_in(type, node->as.name) : -1;
    if (own && same_enumeration(own, type))
        return scope_find(context->scope, node->as.name)->as.value;
    if (place >= 0) {
        struct operand value = operand_from(expr_integer(el->pool, place));
        value.enumeration = type;
        return value;
    }
    struct suggestion near = {0};
    for (size_t i = 0; node->kind == AST_NAME && i < type->as.type.names->count; i++)
        suggest_consider(&near, node->as.name->text, type->as.type.names->item[i]->as.name->text);
    struct diagnostic *d = REPORT(el, E0218, node->span, alternatives_text(el, type));
    LABEL(el, d, type->span, "declared here");
    if (near.best)
        HELP(el, d, "write %s", near.best);
    return operand_error();
}

bool elaborate_name_comparison(struct elaborator *el, struct stage_context *context,
                               const struct ast *node, struct operand *result)
{
    const enum ast_operator o = node->as.binary.operator_;
    const struct ast *left = strip_parentheses(node->as.binary.left);
    const struct ast *right = strip_parentheses(node->as.binary.right);
    const struct ast *type = enumeration_of(context, left);
    if (!type)
        type = enumeration_of(context, right);
    if (!type || (o != OPERATOR_EQUAL && o != OPERATOR_NOT_EQUAL))
        return false;
    const struct operand a = enumeration_value(el, context, type, left);
    const struct operand b = enumeration_value(el, context, type, right);
    *result =
        a.expr && b.expr
            ? operand_from(expr_binary(el->pool, o == OPERATOR_EQUAL ? EXPR_EQUAL : EXPR_NOT_EQUAL,
                                       a.expr, b.expr))
            : operand_error();
    return true;
}
