/* Short builders of syntax trees without places. */
#include "program/syntax.h"

static const struct span nowhere;
#define NODE(...) AST_NEW(s->arena, nowhere, __VA_ARGS__)

const struct symbol *word(const struct syntax *s, const char *text)
{
    return symbol_from(s->symbols, text);
}

const struct ast_list *list_of(const struct syntax *s, unsigned count,
                               const struct ast *const node[])
{
    struct ast_list *list = ast_list(s->arena);
    for (unsigned i = 0; i < count; i++)
        ast_list_add(s->arena, list, node[i]);
    return list;
}

const struct ast *name_node(const struct syntax *s, const struct symbol *name)
{
    return NODE(.kind = AST_NAME, .as.name = name);
}

const struct ast *integer_node(const struct syntax *s, int64_t value)
{
    if (value < 0)
        return unary_node(s, OPERATOR_NEGATE, integer_node(s, -value));
    return NODE(.kind = AST_INTEGER, .as.integer = value);
}

const struct ast *real_node(const struct syntax *s, double value)
{
    if (value < 0)
        return unary_node(s, OPERATOR_NEGATE, real_node(s, -value));
    return NODE(.kind = AST_REAL, .as.real = value);
}

const struct ast *boolean_node(const struct syntax *s, bool value)
{
    return NODE(.kind = AST_BOOLEAN, .as.boolean = value);
}

const struct ast *unary_node(const struct syntax *s, enum ast_operator o, const struct ast *a)
{
    return NODE(.kind = AST_UNARY, .as.unary = {o, a});
}

const struct ast *binary_node(const struct syntax *s, enum ast_operator o, const struct ast *a,
                              const struct ast *b)
{
    return NODE(.kind = AST_BINARY, .as.binary = {o, a, b});
}

const struct ast *parentheses_node(const struct syntax *s, const struct ast *a)
{
    return NODE(.kind = AST_PARENTHESES, .as.inner = a);
}

const struct ast *fast_node(const struct syntax *s, const struct ast *a)
{
    return NODE(.kind = AST_FAST, .as.inner = a);
}

const struct ast *call_node(const struct syntax *s, const char *function, unsigned count,
                            const struct ast *const argument[])
{
    return NODE(.kind = AST_CALL,
                .as.call = {name_node(s, word(s, function)), list_of(s, count, argument)});
}

const struct ast *index_node(const struct syntax *s, const struct ast *base,
                             const struct ast_list *items)
{
    return NODE(.kind = AST_INDEX, .as.index = {base, items, NULL});
}

const struct ast *field_node(const struct syntax *s, const struct ast *base,
                             const struct symbol *name)
{
    return NODE(.kind = AST_FIELD, .as.field = {base, name});
}

const struct ast *scalar_type_node(const struct syntax *s, enum scalar scalar)
{
    return NODE(.kind = AST_TYPE, .as.type = {.element = word(s, scalar_info[scalar].text)});
}

const struct ast *conversion_node(const struct syntax *s, enum ast_conversion_mode mode,
                                  enum scalar scalar, const struct ast *a)
{
    return NODE(.kind = AST_CONVERSION, .as.conversion = {mode, scalar_type_node(s, scalar), a});
}

const struct ast *range_node(const struct syntax *s, const struct ast *first,
                             const struct ast *last, bool includes_last)
{
    return NODE(.kind = AST_RANGE, .as.range = {first, last, includes_last});
}

const struct ast *binding_node(const struct syntax *s, const struct symbol *name,
                               const struct ast *range)
{
    return NODE(.kind = AST_BINDING, .as.binding = {name, nowhere, range});
}

const struct ast *rule_node(const struct syntax *s, const char *name, const struct ast *value)
{
    return NODE(.kind = AST_RULE, .as.rule = {word(s, name), list_of(s, value != NULL, &value)});
}

const struct ast *bordered_node(const struct syntax *s, const struct ast *a, const struct ast *rule)
{
    return NODE(.kind = AST_BORDERED, .as.bordered = {a, rule});
}

const struct ast *named_node(const struct syntax *s, const struct symbol *name,
                             const struct ast *value)
{
    return NODE(.kind = AST_NAMED, .as.named = {name, value});
}

const struct ast *define_node(const struct syntax *s, const struct symbol *name,
                              const struct ast_list *brackets, const struct ast *type,
                              const struct ast *value)
{
    return NODE(.kind = AST_DEFINE,
                .as.define = {.name = name,
                              .brackets = brackets ? brackets : ast_list(s->arena),
                              .type = type,
                              .value = value,
                              .assignment = ASSIGN_SET});
}
