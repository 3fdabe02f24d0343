/* Items, statements and blocks → pieces, with the comments and blank lines of the source.
 * Everything between two braces is a row of entries: comments that stand alone and nodes. A comment
 * inside an entry goes before it, unless it is inside a block of that entry. */
#include "frontend/format.h"
#include "frontend/ast_build.h"
#include "frontend/format_printer.h"
#include "source/source_map.h"

const char *format_source(const struct format_printer *printer, uint32_t offset)
{
    const struct source_file *file = printer->module->file;
    if (!file || offset < file->start || offset > file->start + file->length)
        return NULL;
    return file->text + (offset - file->start);
}

bool format_is_on_one_line(const struct format_printer *printer, struct span span)
{
    const char *source = format_source(printer, span.start);
    return !source || span.end < span.start || !memchr(source, '\n', span.end - span.start);
}

const char *format_find(const struct format_printer *printer, struct span where, char wanted)
{
    const char *at = format_source(printer, where.start);
    const char *end = format_source(printer, where.end);
    for (; at && at < end && *at != wanted; at++)
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
    return at && at < end ? at : NULL;
}

/* Whether the source has an empty line behind the offset. */
static bool blank_line_follows(const struct format_printer *printer, uint32_t offset)
{
    const char *source = format_source(printer, offset);
    int lines = 0;
    for (; source && *source && strchr(" \t\r\f;\n", *source); source++)
        lines += *source == '\n';
    return lines >= 2;
}

/* Between entries. */
static void end_entry(struct format_printer *printer, bool may_join)
{
    const bool blank = printer->needs_blank || blank_line_follows(printer, printer->last);
    printer->needs_blank = false;
    if (printer->at_start) {
        printer->at_start = false;
        return;
    }
    if (may_join) {
        format_space(printer);
        return;
    }
    layout_add(&printer->layout, LAYOUT_NEWLINE);
    if (blank)
        layout_add(&printer->layout, LAYOUT_NEWLINE);
}

/* NULL when all are printed. */
static const struct span *next_comment(const struct format_printer *printer)
{
    const struct module *module = printer->module;
    const bool is_left = module->file && printer->next_comment < module->comments.count;
    return is_left ? &module->comments.item[printer->next_comment] : NULL;
}

static void print_comment(struct format_printer *printer)
{
    const struct span *comment = next_comment(printer);
    const char *text = format_source(printer, comment->start);
    size_t length = comment->end - comment->start;
    while (strchr(" \t\r\f", text[length - 1]))
        length--;
    layout_add_text(&printer->layout, LAYOUT_COMMENT, text, length);
    printer->last = comment->end;
    printer->next_comment++;
}

/* Those that start before `end`, on lines of their own. Where one has left an entry that starts at
 * `start`, no blank line is to follow it. */
static void print_comments(struct format_printer *printer, uint32_t start, uint32_t end)
{
    const struct span *comment;
    while ((comment = next_comment(printer)) && comment->start < end) {
        const bool is_inside = comment->start >= start;
        end_entry(printer, false);
        print_comment(printer);
        if (is_inside)
            printer->last = 0;
    }
}

/* A comment that follows on the same line of the source. */
static void print_trailing_comment(struct format_printer *printer, uint32_t end)
{
    const struct span *comment = next_comment(printer);
    if (!comment || comment->start < end)
        return;
    const char *between = format_source(printer, end);
    if (strspn(between, " \t\r\f;") < comment->start - end)
        return;
    layout_add_text(&printer->layout, LAYOUT_COMMENT, " ", 1);
    print_comment(printer);
}

/* The span of an entry's braces; {0, 0} where there is no source. */
static struct span braces(const struct format_printer *printer, const struct ast *node,
                          uint32_t after)
{
    const struct span where = {after, node->span.end};
    const char *open = format_find(printer, where, '{');
    if (!open)
        return (struct span){0, 0};
    const struct source_file *file = printer->module->file;
    return (struct span){file->start + (uint32_t)(open - file->text), node->span.end};
}

static struct span body_braces(const struct format_printer *printer, const struct ast *node)
{
    switch ((int)node->kind) {
    case AST_FILTER: {
        const struct ast_list *results = node->as.filter.results;
        return braces(printer, node, results->item[results->count - 1]->span.end);
    }
    case AST_FOR:
        return braces(printer, node, node->as.loop.binding->span.end);
    case AST_REPEAT:
        return braces(printer, node, node->as.repeat.count->span.end);
    case AST_EXAMPLE:
    case AST_SCHEDULE:
    case AST_BLOCK:
        return braces(printer, node, node->span.start);
    }
    return (struct span){0, 0};
}

struct first_braces {
    const struct format_printer *printer;
    uint32_t start;
};

/* Where the first block in an entry begins: comments behind that are the block's affair. */
static void find_first_braces(const struct ast *node, void *context)
{
    struct first_braces *first = context;
    const uint32_t start = body_braces(first->printer, node).start;
    if (start && start < first->start)
        first->start = start;
    ast_children(node, find_first_braces, first);
}

static void print_comments_of_entry(struct format_printer *printer, const struct ast *node)
{
    const struct span *comment = next_comment(printer);
    if (!comment || comment->start >= node->span.end)
        return;
    struct first_braces first = {printer, node->span.end};
    find_first_braces(node, &first);
    print_comments(printer, node->span.start, first.start);
}

static void print_entry(struct format_printer *printer, const struct ast *node, bool may_join)
{
    print_comments_of_entry(printer, node);
    end_entry(printer, may_join);
    format_node(printer, node);
    print_trailing_comment(printer, node->span.end);
    if (printer->last < node->span.end)
        printer->last = node->span.end;
}

/* { entries value }, where value may be NULL; on one line if it may and fits. */
static void print_block(struct format_printer *printer, const struct ast_list *entries,
                        const struct ast *value, struct span where, bool may_join)
{
    const struct span *comment = next_comment(printer);
    format_word(printer, "{");
    if (!entries->count && !value && !(comment && comment->start < where.end)) {
        format_word(printer, "}");
        return;
    }
    layout_add(&printer->layout, LAYOUT_WHOLE);
    print_trailing_comment(printer, where.start + 1);
    printer->last = 0;
    for (size_t i = 0; i < entries->count; i++)
        print_entry(printer, entries->item[i], may_join);
    if (value)
        print_entry(printer, value, may_join);
    print_comments(printer, where.end, where.end);
    layout_add(&printer->layout, LAYOUT_END);
    format_word(printer, "}");
}

static void print_body(struct format_printer *printer, const struct ast *node,
                       const struct ast_list *body)
{
    print_block(printer, body, NULL, body_braces(printer, node), false);
}

static void print_import(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "import ");
    if (node->as.import.from_library)
        format_symbol(printer, node->as.import.path);
    else
        format_quoted(printer, node->as.import.path);
    format_word(printer, ";");
}

static void print_filter(struct format_printer *printer, const struct ast *node)
{
    layout_add(&printer->layout, LAYOUT_WHOLE);
    format_word(printer, node->as.filter.fast ? "fast filter " : "filter ");
    format_symbol(printer, node->as.filter.name);
    format_signature(printer, node->as.filter.formals, node->as.filter.results);
    layout_add(&printer->layout, LAYOUT_CLOSE);
    layout_add(&printer->layout, LAYOUT_NEWLINE);
    print_body(printer, node, node->as.filter.body);
}

/* A value may stand on a line of its own, a block begins where it is. */
static void print_function(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list result = {.item = (const struct ast *[]){node->as.function.result},
                                    .count = 1};
    layout_add(&printer->layout, LAYOUT_WHOLE);
    format_word(printer, "fn ");
    format_symbol(printer, node->as.function.name);
    format_signature(printer, node->as.function.formals, &result);
    layout_add(&printer->layout, LAYOUT_CLOSE);
    if (node->as.function.value->kind == AST_BLOCK) {
        format_word(printer, " = ");
        format_node(printer, node->as.function.value);
    } else {
        format_word(printer, " =");
        layout_add(&printer->layout, LAYOUT_INDENT);
        format_space(printer);
        format_node(printer, node->as.function.value);
        layout_add(&printer->layout, LAYOUT_CLOSE);
    }
    format_word(printer, ";");
}

static void print_extern(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list result = {.item = (const struct ast *[]){node->as.external.result},
                                    .count = 1};
    layout_add(&printer->layout, LAYOUT_WHOLE);
    format_word(printer, "extern fn ");
    format_symbol(printer, node->as.external.name);
    format_signature(printer, node->as.external.types, &result);
    format_word(printer, " from ");
    format_quoted(printer, node->as.external.header);
    format_word(printer, ";");
    layout_add(&printer->layout, LAYOUT_CLOSE);
}

static void print_schedule(struct format_printer *printer, const struct ast *node)
{
    const bool may_join = format_is_on_one_line(printer, node->span);
    format_word(printer, "schedule ");
    format_symbol(printer, node->as.schedule.filter);
    format_word(printer, " for ");
    format_symbol(printer, node->as.schedule.target);
    format_word(printer, " ");
    print_block(printer, node->as.schedule.directives, NULL, body_braces(printer, node), may_join);
}

static void print_directive(struct format_printer *printer, const struct ast *node)
{
    const struct ast_list *words = node->as.directive.words;
    layout_add(&printer->layout, LAYOUT_INDENT);
    for (size_t i = 0; i < words->count; i++) {
        if (i)
            format_space(printer);
        if (words->item[i]->kind == AST_LIST)
            format_list(printer, "(", words->item[i]->as.list, ")");
        else
            format_node(printer, words->item[i]);
    }
    if (node->as.directive.where) {
        format_word(printer, " where ");
        format_node(printer, node->as.directive.where);
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, ";");
}

static void print_value(struct format_printer *printer, const char *assignment,
                        const struct ast *value)
{
    format_word(printer, assignment);
    format_node(printer, value);
}

static void print_constant(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "const ");
    format_symbol(printer, node->as.constant.name);
    format_list(printer, "[", node->as.constant.domain, "]");
    format_optional_type(printer, node->as.constant.type);
    print_value(printer, " = ", node->as.constant.value);
    format_word(printer, ";");
}

static void print_table(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "table ");
    format_symbol(printer, node->as.table.name);
    format_list(printer, "[", node->as.table.domain, "]");
    print_value(printer, " = ", node->as.table.value);
    format_word(printer, ";");
}

static void print_default_border(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "border ");
    if (node->as.default_border.image) {
        format_symbol(printer, node->as.default_border.image);
        format_word(printer, " ");
    }
    format_node(printer, node->as.default_border.rule);
    format_word(printer, ";");
}

static void print_require(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "require ");
    layout_add(&printer->layout, LAYOUT_INDENT);
    format_node(printer, node->as.require.condition);
    if (node->as.require.text) {
        format_space(printer);
        format_quoted(printer, node->as.require.text);
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, ";");
}

static void print_estimate(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "estimate ");
    format_postfix(printer, node->as.estimate.what);
    print_value(printer, " = ", node->as.estimate.value);
    format_word(printer, ";");
}

static void print_define(struct format_printer *printer, const struct ast *node)
{
    static const char *const assignment[] = {[ASSIGN_SET] = " = ",
                                             [ASSIGN_ADD] = " += ",
                                             [ASSIGN_MIN] = " min= ",
                                             [ASSIGN_MAX] = " max= "};
    const struct ast_list *brackets = node->as.define.brackets;
    format_symbol(printer, node->as.define.name);
    for (size_t i = 0; i < brackets->count; i++)
        format_node(printer, brackets->item[i]);
    format_optional_type(printer, node->as.define.type);
    if (node->as.define.value)
        print_value(printer, assignment[node->as.define.assignment], node->as.define.value);
    layout_add(&printer->layout, LAYOUT_INDENT);
    if (node->as.define.over) {
        format_space(printer);
        format_list(printer, "over ", node->as.define.over, "");
    }
    if (node->as.define.drop) {
        format_space(printer);
        format_word(printer, "drop");
    }
    layout_add(&printer->layout, LAYOUT_CLOSE);
    format_word(printer, ";");
}

static void print_for(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "for ");
    format_node(printer, node->as.loop.binding);
    format_word(printer, " ");
    print_body(printer, node, node->as.loop.body);
}

static void print_repeat(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "repeat ");
    format_node(printer, node->as.repeat.count);
    format_word(printer, " ");
    print_body(printer, node, node->as.repeat.body);
}

static void print_example(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "example ");
    if (node->as.example.text) {
        format_quoted(printer, node->as.example.text);
        format_word(printer, " ");
    }
    print_body(printer, node, node->as.example.body);
}

static void print_let(struct format_printer *printer, const struct ast *node)
{
    format_word(printer, "let ");
    if (node->as.let.names)
        format_list(printer, "(", node->as.let.names, ")");
    else
        format_symbol(printer, node->as.let.name);
    print_value(printer, " = ", node->as.let.value);
    format_word(printer, ";");
}

static void print_let_block(struct format_printer *printer, const struct ast *node)
{
    const bool may_join = format_is_on_one_line(printer, node->span);
    print_block(printer, node->as.block.lets, node->as.block.value, node->span, may_join);
}

void format_node(struct format_printer *printer, const struct ast *node)
{
    static void (*const print[AST_KIND_COUNT])(struct format_printer *, const struct ast *) = {
        [AST_IMPORT] = print_import,
        [AST_FILTER] = print_filter,
        [AST_FUNCTION] = print_function,
        [AST_EXTERN] = print_extern,
        [AST_SCHEDULE] = print_schedule,
        [AST_DIRECTIVE] = print_directive,
        [AST_CONSTANT] = print_constant,
        [AST_TABLE] = print_table,
        [AST_DEFAULT_BORDER] = print_default_border,
        [AST_REQUIRE] = print_require,
        [AST_ESTIMATE] = print_estimate,
        [AST_DEFINE] = print_define,
        [AST_FOR] = print_for,
        [AST_REPEAT] = print_repeat,
        [AST_EXAMPLE] = print_example,
        [AST_LET] = print_let,
        [AST_BLOCK] = print_let_block,
    };
    if (print[node->kind])
        print[node->kind](printer, node);
    else
        format_expression(printer, node);
}

void format_module(const struct module *module, struct text *out)
{
    struct format_printer printer = {
        .module = module, .layout = {.arena = out->arena}, .at_start = true};
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        const struct ast *before = i ? module->items->item[i - 1] : item;
        printer.needs_blank = i && (item->kind == AST_FILTER || before->kind == AST_FILTER);
        print_entry(&printer, item, false);
    }
    print_comments(&printer, UINT32_MAX, UINT32_MAX);
    if (!printer.at_start)
        layout_add(&printer.layout, LAYOUT_NEWLINE);
    layout_print(&printer.layout, out);
}
