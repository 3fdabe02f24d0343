/* Drives lexer and parser over one file. After a syntax error the parser goes on at the next `;` or
 * `}`, so one run reports several; a file with any syntax error is not elaborated. */
#include "frontend/parse.h"
#include "frontend/parser_state.h"
#include "diagnostics/suggest.h"

#include "parser.tab.h"
#include "lexer.yy.h"

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
static const char *const keyword_text[] = {
#define KEYWORD(token, text) text,
#include "keywords.def"
#undef KEYWORD
    NULL,
};

const char *const *parse_keywords(void)
{
    return keyword_text;
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
    struct diagnostic *d =
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0103, span, text);
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
    value->symbol = symbol_intern(parser->symbols, text + 1, length - 1);
    return TOKEN_STRING;
}

void parser_bad_character(struct parser *parser, struct span span, unsigned char byte)
{
    char shown[8];
    if (byte >= 0x80 && byte < 0xc0)
        return; /* a later byte of a UTF-8 character, whose first byte was reported */
    if (byte > ' ' && byte < 0x7f)
        snprintf(shown, sizeof shown, "%c", byte);
    else
        snprintf(shown, sizeof shown, "\\x%02x", byte);
    if (byte >= 0xc0)
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0106, span);
    else
        diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0101, span, shown);
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
        "[", "(", ".", "border",
    };
    for (size_t i = 0; i < sizeof spelling / sizeof spelling[0]; i++)
        if (strcmp(spelling[i], token) == 0)
            return true;
    return false;
}

/* "';'" of the parser's tables without its quotes. */
static const char *bare_token(struct parser *parser, const char *name)
{
    const size_t length = strlen(name);
    if (length == 3 && name[0] == '\'')
        return arena_text(parser->arena, name + 1, 1);
    return name;
}

static const char *quoted_token(struct parser *parser, const char *name)
{
    const char *bare = bare_token(parser, name);
    const bool is_word_for_class = strncmp(bare, "a ", 2) == 0 || strncmp(bare, "an ", 3) == 0;
    if (is_word_for_class)
        return bare;
    if (strcmp(bare, "end of file") == 0)
        return "the end of the file";
    return arena_format(parser->arena, "'%s'", bare);
}

void parser_unexpected(struct parser *parser, struct span span, const char *found,
                       const char *const expected[], size_t count)
{
    enum { LONGEST_LIST = 4 };
    const char *list[LONGEST_LIST];
    size_t kept = 0;
    bool operators = false;
    for (size_t i = 0; i < count; i++) {
        const char *bare = bare_token(parser, expected[i]);
        if (is_operator(bare) && count > LONGEST_LIST)
            operators = true;
        else if (kept < LONGEST_LIST)
            list[kept++] = quoted_token(parser, expected[i]);
        else
            kept = count = LONGEST_LIST + 1; /* too many to be of help */
    }
    if (operators && kept < LONGEST_LIST)
        list[kept++] = "an operator";
    else if (operators)
        kept = LONGEST_LIST + 1;
    const char *what = found ? quoted_token(parser, found) : "the end of the file";
    if (found && (strncmp(what, "a ", 2) == 0 || strncmp(what, "an ", 3) == 0)) {
        const struct source_file *file = parser->module->file;
        what = arena_format(parser->arena, "'%.*s'", (int)(span.end - span.start),
                            file->text + (span.start - file->start));
    }
    struct text wanted = text_create(parser->arena);
    for (size_t i = 0; i < kept && kept <= LONGEST_LIST; i++)
        text_print(&wanted, "%s%s", i == 0 ? "; expected " : i + 1 == kept ? " or " : ", ", list[i]);
    diagnostic_report(parser->diagnostics, DIAGNOSTIC_E0110, span, what,
                      wanted.length ? wanted.bytes : "");
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

struct module *parse_file(const struct source_file *file, struct arena *arena,
                          struct symbol_table *symbols, struct diagnostics *diagnostics)
{
    struct parser parser = {.arena = arena,
                            .symbols = symbols,
                            .diagnostics = diagnostics,
                            .module = ARENA_NEW(arena, struct module),
                            .items = ast_list(arena),
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
            parser_too_deep(&parser, item->span);
        else
            ast_list_add(arena, items, item);
    }
    parser.module->items = items;
    return parser.module;
}
