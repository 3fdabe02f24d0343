/* Drives lexer and parser over one file. After a syntax error the parser goes on at the next `;` or
 * `}`, so one run reports several; a file with any syntax error is not elaborated. */
#include "frontend/parse.h"
#include "frontend/number_help.h"
#include "frontend/parser_state.h"
#include "frontend/syntax_help.h"
#include "parser.tab.h"
#include "lexer.yy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static const struct {
    const char *text;
    int token;
} keyword[] = {
#define KEYWORD(token, text) {text, TOKEN_##token},
#include "keywords.def"
#undef KEYWORD
};
/* The line of a byte of the file that is being parsed. */
static uint32_t parser_line(const struct parser *parser, uint32_t at)
{
    return source_map_place(parser->diagnostics->sources, at).line;
}

void parser_token(struct parser *parser, int token, struct span span)
{
    if (parser->at_first)
        parser->first = span;
    parser->at_first = token == ';' || token == '{' || token == '}';
    parser->recent[2] = parser->recent[1];
    parser->recent[1] = parser->recent[0];
    parser->recent[0] = span;
    if (token == '{')
        VECTOR_PUSH(parser->arena, &parser->braces, span);
    if (token == '}' && parser->braces.count)
        parser->braces.count--;
}

int parser_word(struct parser *parser, union YYSTYPE *value, const char *text, size_t length)
{
    value->symbol = symbol_intern(parser->symbols, text, length);
    for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++)
        if (strcmp(keyword[i].text, value->symbol->text) == 0)
            return keyword[i].token;
    return TOKEN_IDENTIFIER;
}

int parser_integer(struct parser *parser, union YYSTYPE *value, struct span span, const char *text)
{
    errno = 0;
    value->integer = strtoll(text, NULL, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
    if (errno == ERANGE)
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0104, span, text);
    return TOKEN_INTEGER;
}

int parser_real(struct parser *parser, union YYSTYPE *value, struct span span, const char *text)
{
    value->real = strtod(text, NULL);
    if (value->real > 1.7976931348623157e308)
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0105, span, text);
    return TOKEN_REAL;
}

int parser_bad_number(struct parser *parser, union YYSTYPE *value, struct span span,
                      const char *text)
{
    static const char *const help[] = {
        [NUMBER_ENDS_WITH_POINT] = "digits follow the point",
        [NUMBER_HAS_ENDING] = "a number takes the type of what it meets",
        [NUMBER_RUNS_INTO_NAME] = "a product is written with *",
    };
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0103, span, text);
    enum number_slip slip;
    const char *meant = number_meant(parser->arena, text, &slip);
    if (meant)
        diagnostic_fix(parser->diagnostics, d, span, meant, false, "%s: write %s", help[slip],
                       meant);
    else
        diagnostic_note(parser->diagnostics, d,
                        "numbers are written 12, 0x1f, 0.5 or 1e-6; a name starts with a letter");
    value->integer = 0;
    return TOKEN_INTEGER;
}

int parser_string(struct parser *parser, union YYSTYPE *value, const char *text, size_t length)
{
    value->symbol = symbol_intern(parser->symbols, text + 1, length - 2);
    return TOKEN_STRING;
}

int parser_unterminated(struct parser *parser, union YYSTYPE *value, struct span span,
                        const char *text, size_t length)
{
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0102, span);
    diagnostic_help(parser->diagnostics, d, "end the text with '\"'");
    parser->text_line = parser_line(parser, span.start);
    value->symbol = symbol_intern(parser->symbols, text + 1, length - 1);
    return TOKEN_STRING;
}

static const char *source_text(const struct parser *parser, struct span span)
{
    const struct source_file *file = parser->module->file;
    return span.end > span.start
               ? arena_text(parser->arena, file->text + (span.start - file->start),
                            span.end - span.start)
               : "";
}

/* Characters that are drawn like ASCII, or are written where ASCII has its own. */
static const struct {
    const char *character, *ascii;
} lookalike[] = {
    {"×", "*"},  {"·", "*"},  {"⋅", "*"},      {"÷", "/"},    {"−", "-"},  {"–", "-"},
    {"≤", "<="}, {"≥", ">="}, {"≠", "!="},     {"→", "->"},   {"…", ".."}, {"“", "\""},
    {"”", "\""}, {"„", "\""}, {"\u00a0", " "}, {"²", " * a"},
};

static size_t utf8_bytes(unsigned char first)
{
    return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

/* Where the character stands in the text, which goes on after its first byte. */
static void report_not_ascii(struct parser *parser, struct span span)
{
    const struct source_file *file = parser->module->file;
    const char *text = file->text + (span.start - file->start);
    const size_t left = file->length - (span.start - file->start);
    const size_t length = utf8_bytes((unsigned char)text[0]);
    const char *character = arena_text(parser->arena, text, length < left ? length : left);
    span.end = span.start + (uint32_t)strlen(character);
    struct diagnostic *d =
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0106, span, character);
    for (size_t i = 0; i < sizeof lookalike / sizeof lookalike[0]; i++)
        if (strcmp(lookalike[i].character, character) == 0) {
            diagnostic_fix(parser->diagnostics, d, span, lookalike[i].ascii, false, "write '%s'",
                           lookalike[i].ascii);
            return;
        }
    diagnostic_note(parser->diagnostics, d,
                    "names are made of a to z, A to Z, 0 to 9 and _; comments may hold anything");
}

static const struct {
    unsigned char byte;
    const char *help;
} foreign_character[] = {
    {'?', "a value is chosen by select(condition, a, b)"},
    {'\'', "texts stand in double quotes: \"...\""},
    {'@', "a product of matrices is a sum: sum[k in 0 ..< a.x](a[y, k] * b[k, x] border zero)"},
    {'~', "a truth value is negated by !"},
};

void parser_bad_character(struct parser *parser, struct span span, unsigned char byte)
{
    char shown[8];
    if (byte >= 0x80 && byte < 0xc0 && parser->error_line == parser_line(parser, span.start))
        return; /* a later byte of a UTF-8 character, whose first byte was reported */
    parser->error_line = parser_line(parser, span.start);
    if (byte >= 0xc0) {
        report_not_ascii(parser, span);
        return;
    }
    if (byte > ' ' && byte < 0x7f)
        snprintf(shown, sizeof shown, "%c", byte);
    else
        snprintf(shown, sizeof shown, "\\x%02x", byte);
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0101, span, shown);
    for (size_t i = 0; i < sizeof foreign_character / sizeof foreign_character[0]; i++)
        if (foreign_character[i].byte == byte)
            diagnostic_help(parser->diagnostics, d, "%s", foreign_character[i].help);
}

int parser_single_quotes(struct parser *parser, union YYSTYPE *value, struct span span,
                         const char *text, size_t length)
{
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0101, span, "'");
    char *quoted = arena_text(parser->arena, text, length);
    quoted[0] = quoted[length - 1] = '"';
    diagnostic_fix(parser->diagnostics, d, span, quoted, false, "texts stand in double quotes: %s",
                   quoted);
    return parser_string(parser, value, text, length);
}

void parser_foreign_comment(struct parser *parser, struct span span)
{
    static const char *const line[][2] = {
        {"#include", "a C function is declared: extern fn gain(f32) -> f32 from \"gain.h\";"},
        {"#define", "a constant of the file is written const a = 2;"},
    };
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0107, span);
    const char *text = source_text(parser, span);
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
        if (strncmp(text, line[i][0], strlen(line[i][0])) == 0) {
            diagnostic_help(parser->diagnostics, d, "%s", line[i][1]);
            return;
        }
    diagnostic_help(parser->diagnostics, d, "begin each line of it with //");
}

void parser_comment(struct parser *parser, struct span span)
{
    VECTOR_PUSH(parser->arena, &parser->module->comments, span);
}

/* Operators may follow almost any expression; in a list of expected tokens they count as one. */
static bool is_operator(const char *token)
{
    static const char *const spelling[] = {
#define OPERATOR(name, text, precedence) text,
#include "operators.def"
#undef OPERATOR
        "[",
        "(",
        ".",
        "border",
    };
    for (size_t i = 0; i < sizeof spelling / sizeof spelling[0]; i++)
        if (strcmp(spelling[i], token) == 0)
            return true;
    return false;
}

/* What may stand at the end of many things, but hardly ever does. */
static bool is_rare(const char *token)
{
    return strcmp(token, "drop") == 0 || strcmp(token, "over") == 0 || strcmp(token, "each") == 0 ||
           strcmp(token, "where") == 0;
}

static bool is_keyword(const char *text)
{
    for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++)
        if (strcmp(keyword[i].text, text) == 0)
            return true;
    return false;
}

/* "';'" of the parser's tables without its quotes. */
static const char *bare_token(struct arena *arena, const char *name)
{
    const size_t length = strlen(name);
    return length == 3 && name[0] == '\'' ? arena_text(arena, name + 1, 1) : name;
}

static const char *quoted_token(struct parser *parser, const char *bare)
{
    const bool is_word_for_class = strncmp(bare, "a ", 2) == 0 || strncmp(bare, "an ", 3) == 0;
    if (is_word_for_class)
        return bare;
    if (strcmp(bare, "end of file") == 0)
        return "the end of the file";
    return arena_format(parser->arena, "'%s'", bare);
}

/* Whether the error comes of one that was reported before it. */
static bool follows_an_error(const struct parser *parser, struct span span, const char *found)
{
    const uint32_t line = parser_line(parser, span.start);
    const bool ends = !found || strcmp(bare_token(parser->arena, found), "}") == 0 ||
                      strcmp(found, "end of file") == 0 ||
                      strcmp(source_text(parser, parser->first), "else") == 0;
    return line == parser->error_line || parser->is_lost ||
           (parser->text_line && line <= parser->text_line + 1) || (parser->is_unbalanced && ends);
}

/* a // 2; */
static bool is_before_comment_of_code(const struct parser *parser, uint32_t at)
{
    const struct source_file *file = parser->module->file;
    const char *text = file->text + (at - file->start), *end = text + strcspn(text, "\n");
    text += strspn(text, " ");
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    return text[0] == '/' && text[1] == '/' && end[-1] == ';';
}

/* A definition that ends with its line instead of ';'. */
static bool report_semicolon(struct parser *parser, const struct syntax_error *error,
                             struct span span)
{
    const struct span before = parser->recent[1];
    const bool goes_on = parser_line(parser, before.end) == parser_line(parser, span.start);
    if (!syntax_expects(error, ";") || (goes_on && strcmp(error->found, "}") != 0) ||
        before.end == 0)
        return false;
    const struct span here = {before.end, before.end};
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0112, here);
    diagnostic_fix(parser->diagnostics, d, here, ";", false, "write ';' behind '%s'",
                   error->before);
    if (is_before_comment_of_code(parser, before.end))
        diagnostic_note(
            parser->diagnostics, d,
            "// begins a comment; '/' of integers rounds down, and floor(a / b) of reals");
    return true;
}

/* "; expected ')' or ','", or nothing where there is too much to list. */
static const char *expected_text(struct parser *parser, const char *const expected[], size_t count)
{
    enum { LONGEST_LIST = 4 };
    const char *list[LONGEST_LIST];
    size_t kept = 0;
    bool operators = false;
    for (size_t i = 0; i < count; i++) {
        if (is_operator(expected[i]) && count > LONGEST_LIST)
            operators = true;
        else if (is_rare(expected[i]) && count > 1)
            continue;
        else if (kept < LONGEST_LIST)
            list[kept++] = quoted_token(parser, expected[i]);
        else
            return "";
    }
    if (operators && kept == LONGEST_LIST)
        return "";
    if (operators)
        list[kept++] = "an operator";
    struct text wanted = text_create(parser->arena);
    for (size_t i = 0; i < kept; i++)
        text_print(&wanted, "%s%s",
                   i == 0          ? "; expected "
                   : i + 1 == kept ? " or "
                                   : ", ",
                   list[i]);
    return wanted.length ? wanted.bytes : "";
}

void parser_unexpected(struct parser *parser, struct span span, const char *found,
                       const char *const names[], size_t count)
{
    if (follows_an_error(parser, span, found))
        return;
    const bool at_end = found && strcmp(found, "end of file") == 0;
    parser->error_line = parser_line(parser, span.start);
    parser->is_unbalanced = true;
    const char **expected = ARENA_ARRAY(parser->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        expected[i] = bare_token(parser->arena, names[i]);
    const struct syntax_error error = {.found = at_end ? "" : source_text(parser, span),
                                       .before = source_text(parser, parser->recent[1]),
                                       .before_that = source_text(parser, parser->recent[2]),
                                       .first = source_text(parser, parser->first),
                                       .expected = expected,
                                       .count = count,
                                       .is_keyword = is_keyword(source_text(parser, span)),
                                       .follows_keyword =
                                           is_keyword(source_text(parser, parser->recent[1])),
                                       .is_outside = parser->braces.count == 0,
                                       .text = parser->module->file->text,
                                       .length = parser->module->file->length,
                                       .at = span.start - parser->module->file->start,
                                       .after = span.end - parser->module->file->start};
    parser->is_lost = count == 1 && syntax_expects(&error, "let");
    if (report_semicolon(parser, &error, span))
        return;
    const char *what =
        *error.found ? arena_format(parser->arena, "'%s'", error.found) : "end of the file";
    struct diagnostic *d = diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0110, span, what,
                                             expected_text(parser, expected, count));
    const char *help = syntax_help(parser->arena, &error);
    if (!*error.found && parser->braces.count) {
        diagnostic_label(parser->diagnostics, d, parser->braces.item[parser->braces.count - 1],
                         "opened here");
        help = "close it with '}'";
    }
    if (help)
        diagnostic_help(parser->diagnostics, d, "%s", help);
}

void parser_too_deep(struct parser *parser, struct span span)
{
    struct diagnostic *d =
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0111, span, AST_MAX_DEPTH);
    diagnostic_help(parser->diagnostics, d, "give parts of it names, with let or as stages");
}

struct ast_list *parser_prepend(struct parser *parser, const struct ast *first,
                                const struct ast_list *rest)
{
    struct ast_list *list = ast_list_add(parser->arena, ast_list(parser->arena), first);
    parser_append(parser, list, rest);
    return list;
}

void parser_append(struct parser *parser, struct ast_list *list, const struct ast_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        ast_list_add(parser->arena, list, more->item[i]);
}

static void take_deepest(const struct ast *child, void *context)
{
    const struct ast **deepest = context;
    if (!*deepest || child->depth > (*deepest)->depth)
        *deepest = child;
}

/* What stands too deep in the item. */
static struct span too_deep_in(const struct ast *item)
{
    const struct ast *child = item;
    struct span span = item->span;
    for (unsigned depth = 0; child && depth <= AST_MAX_DEPTH; depth++) {
        span = child->span;
        const struct ast *const node = child;
        child = NULL;
        ast_children(node, take_deepest, &child);
    }
    return span;
}

struct module *parse_file(const struct source_file *file, struct arena *arena,
                          struct symbol_table *symbols, struct diagnostics *diagnostics)
{
    struct parser parser = {.arena = arena,
                            .symbols = symbols,
                            .diagnostics = diagnostics,
                            .module = ARENA_NEW(arena, struct module),
                            .items = ast_list(arena),
                            .at_first = true,
                            .offset = file->start};
    parser.module->file = file;
    yyscan_t scanner;
    if (yylex_init_extra(&parser, &scanner) != 0)
        return parser.module;
    YY_BUFFER_STATE buffer = yy_scan_bytes(file->text, (int)file->length, scanner);
    yyparse(scanner, &parser);
    yy_delete_buffer(buffer, scanner);
    yylex_destroy(scanner);

    struct ast_list *items = ast_list(arena);
    for (size_t i = 0; i < parser.items->count; i++) {
        const struct ast *item = parser.items->item[i];
        if (item->depth > AST_MAX_DEPTH)
            parser_too_deep(&parser, too_deep_in(item));
        else
            ast_list_add(arena, items, item);
    }
    parser.module->items = items;
    return parser.module;
}
