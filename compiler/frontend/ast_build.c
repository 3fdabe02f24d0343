/* Building of syntax trees: nodes are copied into the arena and never change afterwards. */
#include "frontend/ast_build.h"

const struct ast_operator_info ast_operator_info[] = {
#define UNARY_OPERATOR(name, spelling) [OPERATOR_##name] = {spelling, 0},
#define OPERATOR(name, spelling, precedence) [OPERATOR_##name] = {spelling, precedence},
#include "operators.def"
#undef OPERATOR
};

struct ast_list *ast_list(struct arena *arena)
{
    return ARENA_NEW(arena, struct ast_list);
}

struct ast_list *ast_list_add(struct arena *arena, struct ast_list *list, const struct ast *node)
{
    VECTOR_PUSH(arena, list, node);
    return list;
}

struct visitor {
    void (*visit)(const struct ast *child, void *context);
    void *context;
};

static void visit_one(const struct visitor *visitor, const struct ast *child)
{
    if (child)
        visitor->visit(child, visitor->context);
}

static void visit_list(const struct visitor *visitor, const struct ast_list *list)
{
    for (size_t i = 0; list && i < list->count; i++)
        visit_one(visitor, list->item[i]);
}

void ast_children(const struct ast *node, void (*visit)(const struct ast *child, void *context),
                  void *context)
{
    const struct visitor v = {visit, context};
    switch (node->kind) {
    case AST_IMPORT:
    case AST_NAME:
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_KIND_COUNT:
        break;
    case AST_FILTER:
        visit_list(&v, node->as.filter.formals);
        visit_list(&v, node->as.filter.results);
        visit_list(&v, node->as.filter.body);
        break;
    case AST_FUNCTION:
        visit_list(&v, node->as.function.formals);
        visit_one(&v, node->as.function.result);
        visit_one(&v, node->as.function.value);
        break;
    case AST_EXTERN:
        visit_list(&v, node->as.external.types);
        visit_one(&v, node->as.external.result);
        break;
    case AST_SCHEDULE:
        visit_list(&v, node->as.schedule.directives);
        break;
    case AST_DIRECTIVE:
        visit_list(&v, node->as.directive.words);
        visit_one(&v, node->as.directive.where);
        break;
    case AST_FORMAL:
        visit_one(&v, node->as.formal.type);
        visit_one(&v, node->as.formal.value);
        visit_one(&v, node->as.formal.range);
        visit_one(&v, node->as.formal.each);
        break;
    case AST_TYPE:
        visit_list(&v, node->as.type.arguments);
        visit_list(&v, node->as.type.names);
        visit_one(&v, node->as.type.inner);
        break;
    case AST_CONSTANT:
        visit_list(&v, node->as.constant.domain);
        visit_one(&v, node->as.constant.type);
        visit_one(&v, node->as.constant.value);
        break;
    case AST_TABLE:
        visit_list(&v, node->as.table.domain);
        visit_one(&v, node->as.table.value);
        break;
    case AST_DEFAULT_BORDER:
        visit_one(&v, node->as.default_border.rule);
        break;
    case AST_REQUIRE:
        visit_one(&v, node->as.require.condition);
        break;
    case AST_ESTIMATE:
        visit_one(&v, node->as.estimate.what);
        visit_one(&v, node->as.estimate.value);
        break;
    case AST_DEFINE:
        visit_list(&v, node->as.define.brackets);
        visit_one(&v, node->as.define.type);
        visit_one(&v, node->as.define.value);
        visit_list(&v, node->as.define.over);
        break;
    case AST_FOR:
        visit_one(&v, node->as.loop.binding);
        visit_list(&v, node->as.loop.body);
        break;
    case AST_REPEAT:
        visit_one(&v, node->as.repeat.count);
        visit_list(&v, node->as.repeat.body);
        break;
    case AST_EXAMPLE:
        visit_list(&v, node->as.example.body);
        break;
    case AST_UNARY:
        visit_one(&v, node->as.unary.operand);
        break;
    case AST_BINARY:
        visit_one(&v, node->as.binary.left);
        visit_one(&v, node->as.binary.right);
        break;
    case AST_PARENTHESES:
    case AST_FAST:
    case AST_ERROR:
        visit_one(&v, node->as.inner);
        break;
    case AST_CALL:
        visit_one(&v, node->as.call.callee);
        visit_list(&v, node->as.call.arguments);
        break;
    case AST_INDEX:
        visit_one(&v, node->as.index.base);
        visit_list(&v, node->as.index.items);
        visit_one(&v, node->as.index.where);
        break;
    case AST_FIELD:
        visit_one(&v, node->as.field.base);
        break;
    case AST_CONVERSION:
        visit_one(&v, node->as.conversion.type);
        visit_one(&v, node->as.conversion.operand);
        break;
    case AST_BORDERED:
        visit_one(&v, node->as.bordered.operand);
        visit_one(&v, node->as.bordered.rule);
        break;
    case AST_ELSE:
        visit_one(&v, node->as.otherwise.value);
        visit_one(&v, node->as.otherwise.other);
        break;
    case AST_BLOCK:
        visit_list(&v, node->as.block.lets);
        visit_one(&v, node->as.block.value);
        break;
    case AST_LIST:
    case AST_TUPLE:
        visit_list(&v, node->as.list);
        break;
    case AST_ARRAY:
        visit_list(&v, node->as.array.items);
        break;
    case AST_NAMED:
        visit_one(&v, node->as.named.value);
        break;
    case AST_RANGE:
        visit_one(&v, node->as.range.first);
        visit_one(&v, node->as.range.last);
        break;
    case AST_BINDING:
        visit_one(&v, node->as.binding.range);
        break;
    case AST_LET:
        visit_list(&v, node->as.let.names);
        visit_one(&v, node->as.let.value);
        break;
    case AST_RULE:
        visit_list(&v, node->as.rule.arguments);
        break;
    }
}

static void take_depth(const struct ast *child, void *context)
{
    uint32_t *depth = context;
    if (child->depth > *depth)
        *depth = child->depth;
}

const struct ast *ast_node(struct arena *arena, struct ast node)
{
    uint32_t deepest = 0;
    ast_children(&node, take_depth, &deepest);
    node.depth = deepest + 1;
    /* a[k][l] = …: what is behind a bracket is elaborated inside it */
    if (node.kind == AST_DEFINE && node.as.define.brackets)
        node.depth += (uint32_t)node.as.define.brackets->count;
    return arena_copy(arena, &node, sizeof node);
}

const struct symbol *ast_called_name(const struct ast *item)
{
    return item->kind == AST_FILTER     ? item->as.filter.name
           : item->kind == AST_FUNCTION ? item->as.function.name
           : item->kind == AST_EXTERN   ? item->as.external.name
                                        : NULL;
}

const char *ast_kind_text(enum ast_kind kind)
{
    static const char *const text[] = {
#define AST(kind, field, what) [AST_##kind] = what,
#include "frontend/ast.def"
#undef AST
    };
    return text[kind];
}
