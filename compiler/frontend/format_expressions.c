/* Types, signatures and expressions → pieces. Parentheses that the tree has not are added where the
 * text would be read as another tree: never for a tree that came from the parser. */
#include "frontend/format_printer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

/* How tightly an expression binds; binary operators as in operators.def. */
enum { LEVEL_ANY = 0, LEVEL_UNARY = 100, LEVEL_POSTFIX = 200 };

static void print_chain(struct format_printer *printer, const struct ast *node);

void format_quoted(struct format_printer *printer, const struct symbol *text)
{
    format_word(printer, "\"");
    format_symbol(printer, text);
    format_word(printer, "\"");
}

static void print_joined(struct format_printer *printer, const struct ast *const *item,
                         size_t count, void (*print)(struct format_printer *, const struct ast *))
{
    for (size_t i = 0; i < count; i++) {
        if (i) {
            format_word(printer, ",");
            format_space(printer);
        }
        print(printer, item[i]);
    }
}

static void print_enclosed(struct format_printer *printer, const char *before,
                           const struct ast_list *list, const char *after,
                           void (*print)(struct format_printer *, const struct ast *))
{
    if (!list)
        return;
    format_word(printer, before);
    layout_add(&printer->layout, LAYOUT_HANG);
    if (list->count == 1 && list->item[0]->kind == AST_BINARY)
        print_chain(printer, list->item[0]);
    else
        print_joined(printer, list->item, list->count, print);
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, after);
}

void format_list(struct format_printer *printer, const char *before, const struct ast_list *list,
                 const char *after)
{
    print_enclosed(printer, before, list, after, format_node);
}

void format_optional_type(struct format_printer *printer, const struct ast *type)
{
    if (!type)
        return;
    format_word(printer, " : ");
    format_node(printer, type);
}

static void print_bounds(struct format_printer *printer, const struct ast_list *names)
{
    for (size_t i = 0; i < names->count; i++) {
        format_word(printer, i ? " | " : " : ");
        format_node(printer, names->item[i]);
    }
}

static void print_type(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list inner = {.item = (const struct ast *[]){node->as.type.inner}, .count = 1};
    if (node->as.type.constructor) {
        format_symbol(printer, node->as.type.constructor);
        format_list(printer, "<", node->as.type.arguments ? node->as.type.arguments : &inner, ">");
        format_list(printer, "[", node->as.type.names, "]");
    } else if (node->as.type.element) {
        format_symbol(printer, node->as.type.element);
        if (node->as.type.bounded)
            print_bounds(printer, node->as.type.names);
    } else if (node->as.type.arguments) {
        format_list(printer, "(", node->as.type.arguments, ")");
    } else {
        format_list(printer, "{", node->as.type.names, "}");
    }
}

static void print_formal(struct format_printer *printer, const struct ast *node)
{
    static const char *const role[] = {
        [FORMAL_IMAGE] = "", [FORMAL_PARAM] = "param ", [FORMAL_CONST] = "const "};
    format_word(printer, role[node->as.formal.role]);
    format_symbol(printer, node->as.formal.name);
    layout_add(&printer->layout, LAYOUT_INDENT);
    format_optional_type(printer, node->as.formal.type);
    if (node->as.formal.value) {
        format_word(printer, " = ");
        format_node(printer, node->as.formal.value);
    }
    if (node->as.formal.range) {
        format_word(printer, " in ");
        format_node(printer, node->as.formal.range);
    }
    if (node->as.formal.text) {
        format_space(printer);
        format_quoted(printer, node->as.formal.text);
    }
    if (node->as.formal.each) {
        format_space(printer);
        format_word(printer, "each ");
        format_node(printer, node->as.formal.each);
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
}

void format_signature(struct format_printer *printer, const struct ast_list *formals,
                      const struct ast_list *results)
{
    format_list(printer, "(", formals, ")");
    format_space(printer);
    format_word(printer, "-> ");
    if (results->count == 1)
        format_node(printer, results->item[0]);
    else
        format_list(printer, "(", results, ")");
}

/* The source's own spelling of a number, e.g. 0xff; false where there is no source. */
static bool print_as_written(struct format_printer *printer, const struct ast *node)
{
    const char *source = format_source(printer, node->span.start);
    if (source)
        layout_add_text(&printer->layout, LAYOUT_TEXT, source, node->span.end - node->span.start);
    return source;
}

static void print_integer(struct format_printer *printer, const struct ast *node)
{
    if (print_as_written(printer, node))
        return;
    if (node->as.integer == INT64_MIN) /* its absolute value is no literal */
        format_word(printer, "(-9223372036854775807 - 1)");
    else
        format_word(printer, arena_format(printer->layout.arena, "%" PRId64, node->as.integer));
}

static void print_real(struct format_printer *printer, const struct ast *node)
{
    if (print_as_written(printer, node))
        return;
    struct text text = text_create(printer->layout.arena);
    text_real(&text, node->as.real, 64);
    format_word(printer, text.bytes);
}

static int level_of(const struct ast *node)
{
    const bool has_sign = (node->kind == AST_INTEGER && node->as.integer < 0) ||
                          (node->kind == AST_REAL && signbit(node->as.real));
    if (node->kind == AST_BINARY)
        return ast_operator_info[node->as.binary.operator_].precedence;
    return node->kind == AST_UNARY || has_sign ? LEVEL_UNARY : LEVEL_POSTFIX;
}

static void print_alone(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list list = {.item = &node, .count = 1};
    format_list(printer, "(", &list, ")");
}

static void print_operand(struct format_printer *printer, const struct ast *node, int level)
{
    if (level_of(node) < level)
        print_alone(printer, node);
    else
        format_node(printer, node);
}

void format_postfix(struct format_printer *printer, const struct ast *node)
{
    print_operand(printer, node, LEVEL_POSTFIX);
}

static bool is_comparison(enum ast_operator operator_)
{
    const int precedence = ast_operator_info[operator_].precedence;
    return precedence == ast_operator_info[OPERATOR_EQUAL].precedence ||
           precedence == ast_operator_info[OPERATOR_LESS].precedence;
}

/* a + b - c, without a group of its own: operators of one precedence break alike. An array's
 * divisor is all that follows (see `initial` in parser.y). */
static void print_chain(struct format_printer *printer, const struct ast *node)
{
    const struct ast *left = node->as.binary.left;
    const int level = level_of(node);
    const bool associates = !is_comparison(node->as.binary.operator_);
    if (associates && level_of(left) == level)
        print_chain(printer, left);
    else
        print_operand(printer, left, associates ? level : level + 1);
    format_space(printer);
    format_word(printer, ast_operator_info[node->as.binary.operator_].spelling);
    format_word(printer, " ");
    print_operand(printer, node->as.binary.right, left->kind == AST_ARRAY ? LEVEL_ANY : level + 1);
}

static void print_binary(struct format_printer *printer, const struct ast *node)
{
    layout_add(&printer->layout, LAYOUT_INDENT);
    print_chain(printer, node);
    layout_add(&printer->layout, LAYOUT_CLOSE);
}

static void print_unary(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, ast_operator_info[node->as.unary.operator_].spelling);
    print_operand(printer, node->as.unary.operand, LEVEL_UNARY);
}

static void print_named(struct format_printer *printer, const struct ast *node, const char *sign)
{
    format_symbol(printer, node->as.named.name);
    format_word(printer, sign);
    format_node(printer, node->as.named.value);
}

static void print_argument(struct format_printer *printer, const struct ast *node)
{
    if (node->kind == AST_NAMED)
        print_named(printer, node, " = ");
    else
        format_node(printer, node);
}

/* In `a border clamp(b)` the parentheses belong to the rule. */
static bool takes_parentheses(const struct ast *callee)
{
    if (callee->kind != AST_BORDERED)
        return false;
    const struct ast *rule = callee->as.bordered.rule;
    const bool has_arguments = rule->as.rule.arguments && rule->as.rule.arguments->count;
    return rule->as.rule.name && !has_arguments && strcmp(rule->as.rule.name->text, "wrap") != 0;
}

static void print_call(struct format_printer *printer, const struct ast *node)
{
    if (takes_parentheses(node->as.call.callee))
        print_alone(printer, node->as.call.callee);
    else
        format_postfix(printer, node->as.call.callee);
    print_enclosed(printer, "(", node->as.call.arguments, ")", print_argument);
}

static void print_index(struct format_printer *printer, const struct ast *node)
{
    format_postfix(printer, node->as.index.base);
    format_word(printer, "[");
    layout_add(&printer->layout, LAYOUT_HANG);
    format_list(printer, "", node->as.index.items, "");
    if (node->as.index.where) {
        format_space(printer);
        format_word(printer, "where ");
        format_node(printer, node->as.index.where);
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, "]");
}

static void print_conversion(struct format_printer *printer, const struct ast *node)
{
    static const char *const open[] = {
        [CONVERSION_TRUNCATE] = "trunc<", [CONVERSION_WRAP] = "wrap<", [CONVERSION_FIXED] = ""};
    format_word(printer, open[node->as.conversion.mode]);
    format_node(printer, node->as.conversion.type);
    format_word(printer, node->as.conversion.mode == CONVERSION_FIXED ? "" : ">");
    print_alone(printer, node->as.conversion.operand);
}

static void print_bordered(struct format_printer *printer, const struct ast *node)
{
    format_postfix(printer, node->as.bordered.operand);
    layout_add(&printer->layout, LAYOUT_INDENT);
    format_space(printer);
    format_word(printer, "border ");
    format_node(printer, node->as.bordered.rule);
    layout_add(&printer->layout, LAYOUT_CLOSE);
}

static void print_else(struct format_printer *printer, const struct ast *node)
{
    format_postfix(printer, node->as.otherwise.value);
    layout_add(&printer->layout, LAYOUT_INDENT);
    format_space(printer);
    format_word(printer, "else ");
    format_node(printer, node->as.otherwise.other);
    layout_add(&printer->layout, LAYOUT_CLOSE);
}

static void print_rule(struct format_printer *printer, const struct ast *node)
{
    if (node->as.rule.name)
        format_symbol(printer, node->as.rule.name);
    if (node->as.rule.arguments && node->as.rule.arguments->count)
        format_list(printer, "(", node->as.rule.arguments, ")");
}

/* The tree has the number of rows; how long each is, the source alone knows when they differ. */
static bool is_last_of_row(const struct format_printer *printer, const struct ast *array, size_t at)
{
    const struct ast_list *items = array->as.array.items;
    const struct span gap = {items->item[at]->span.end, items->item[at + 1]->span.start};
    if (format_source(printer, gap.start))
        return format_find(printer, gap, ';');
    return (at + 1) % (items->count / array->as.array.rows) == 0;
}

/* {1, 2, 1;  2, 4, 2}: rows on lines of their own if they are in the source or do not fit on one.
 */
static void print_array(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list *items = node->as.array.items;
    const struct span inside = {items->item[0]->span.start,
                                items->item[items->count - 1]->span.end};
    const bool may_join = format_is_on_one_line(printer, inside);
    format_word(printer, "{");
    layout_add(&printer->layout, LAYOUT_ROWS);
    for (size_t i = 0, end; i < items->count; i = end) {
        for (end = i + 1; end < items->count && !is_last_of_row(printer, node, end - 1);)
            end++;
        if (i && may_join)
            layout_add_text(&printer->layout, LAYOUT_SPACE, "  ", 2);
        else if (i)
            layout_add(&printer->layout, LAYOUT_NEWLINE);
        layout_add(&printer->layout, LAYOUT_HANG);
        print_joined(printer, items->item + i, end - i, format_node);
        layout_add(&printer->layout, LAYOUT_CLOSE);
        if (end < items->count)
            format_word(printer, ";");
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, "}");
}

static void print_range(struct format_printer *printer, const struct ast *node)
{
    format_node(printer, node->as.range.first);
    format_word(printer, node->as.range.includes_last ? " .. " : " ..< ");
    format_node(printer, node->as.range.last);
}

static void print_binding(struct format_printer *printer, const struct ast *node)
{
    format_symbol(printer, node->as.binding.name);
    format_word(printer, " in ");
    format_node(printer, node->as.binding.range);
}

static void print_field(struct format_printer *printer, const struct ast *node)
{
    const enum ast_kind base = node->as.field.base->kind;
    format_postfix(printer, node->as.field.base);
    /* A point behind digits would be read as one of theirs. */
    format_word(printer, base == AST_INTEGER || base == AST_REAL ? " ." : ".");
    format_symbol(printer, node->as.field.name);
}

void format_expression(struct format_printer *printer, const struct ast *node)
{
    switch (node->kind) {
    case AST_FORMAL:
        print_formal(printer, node);
        break;
    case AST_TYPE:
        print_type(printer, node);
        break;
    case AST_NAME:
        format_symbol(printer, node->as.name);
        break;
    case AST_INTEGER:
        print_integer(printer, node);
        break;
    case AST_REAL:
        print_real(printer, node);
        break;
    case AST_BOOLEAN:
        format_word(printer, node->as.boolean ? "true" : "false");
        break;
    case AST_UNARY:
        print_unary(printer, node);
        break;
    case AST_BINARY:
        print_binary(printer, node);
        break;
    case AST_PARENTHESES:
        print_alone(printer, node->as.inner);
        break;
    case AST_FAST:
        format_word(printer, "fast");
        print_alone(printer, node->as.inner);
        break;
    case AST_CALL:
        print_call(printer, node);
        break;
    case AST_INDEX:
        print_index(printer, node);
        break;
    case AST_FIELD:
        print_field(printer, node);
        break;
    case AST_CONVERSION:
        print_conversion(printer, node);
        break;
    case AST_BORDERED:
        print_bordered(printer, node);
        break;
    case AST_ELSE:
        print_else(printer, node);
        break;
    case AST_LIST:
        format_list(printer, "[", node->as.list, "]");
        break;
    case AST_ARRAY:
        print_array(printer, node);
        break;
    case AST_TUPLE:
        format_list(printer, "(", node->as.list, ")");
        break;
    case AST_NAMED:
        print_named(printer, node, ": ");
        break;
    case AST_RANGE:
        print_range(printer, node);
        break;
    case AST_BINDING:
        print_binding(printer, node);
        break;
    case AST_RULE:
        print_rule(printer, node);
        break;
    case AST_ERROR:
        if (node->as.inner)
            format_node(printer, node->as.inner);
        break;
    case AST_IMPORT:
    case AST_FILTER:
    case AST_FUNCTION:
    case AST_EXTERN:
    case AST_SCHEDULE:
    case AST_DIRECTIVE:
    case AST_CONSTANT:
    case AST_TABLE:
    case AST_DEFAULT_BORDER:
    case AST_REQUIRE:
    case AST_ESTIMATE:
    case AST_DEFINE:
    case AST_FOR:
    case AST_REPEAT:
    case AST_EXAMPLE:
    case AST_BLOCK:
    case AST_LET:
    case AST_KIND_COUNT:
        assert(false && "a kind that format_node prints itself");
    }
}
