/* What the lexer and the parser of one file share; only they and parse.c see it. */
#ifndef FLTC_FRONTEND_PARSER_STATE_H
#define FLTC_FRONTEND_PARSER_STATE_H

#include "diagnostics/diagnostic.h"
#include "frontend/ast_build.h"

union YYSTYPE;

struct parser {
    struct arena *arena;
    struct symbol_table *symbols;
    struct diagnostics *diagnostics;
    struct module *module;
    const struct ast_list *items; /* result */
    uint32_t offset;              /* of the next byte, in the source map */
    void *scanner;
    /* What was read, for the words of syntax errors. */
    struct span recent[3];      /* tokens, the newest first */
    struct span first;          /* token of the statement */
    bool at_first;              /* the next token is one */
    VECTOR(struct span) braces; /* opened and not closed yet */
    /* What was reported: a second error on the same line comes of the first. */
    uint32_t error_line,
        text_line;      /* of the last error; of the last text without an end; 0: none */
    bool is_unbalanced; /* after an error a '}' tells nothing any more */
    bool is_lost;       /* the '}' of a list was taken for the filter's: errors tell nothing */
};

/* Called for each token between lexer and parser. */
void parser_token(struct parser *parser, int token, struct span span);

/* Called by the lexer; each returns the token. */
int parser_word(struct parser *parser, union YYSTYPE *value, const char *text, size_t length);
/* Also takes "12.." , of which it gives the dots back. */
int parser_integer(struct parser *parser, union YYSTYPE *value, struct span span, const char *text);
int parser_real(struct parser *parser, union YYSTYPE *value, struct span span, const char *text);
int parser_bad_number(struct parser *parser, union YYSTYPE *value, struct span span,
                      const char *text);
int parser_string(struct parser *parser, union YYSTYPE *value, const char *text, size_t length);
int parser_unterminated(struct parser *parser, union YYSTYPE *value, struct span span,
                        const char *text, size_t length);
void parser_bad_character(struct parser *parser, struct span span, unsigned char byte);
void parser_comment(struct parser *parser, struct span span);
/* Another language's comment. */
void parser_foreign_comment(struct parser *parser, struct span span);
/* 'text' for "text". */
int parser_single_quotes(struct parser *parser, union YYSTYPE *value, struct span span,
                         const char *text, size_t length);

/* Syntax errors. found: NULL at the very start; expected: the parser's names of all tokens that
 * could stand here. */
void parser_unexpected(struct parser *parser, struct span span, const char *found,
                       const char *const expected[], size_t count);
void parser_too_deep(struct parser *parser, struct span span);

/* Called by grammar actions. */
struct ast_list *parser_prepend(struct parser *parser, const struct ast *first,
                                const struct ast_list *rest);
void parser_append(struct parser *parser, struct ast_list *list, const struct ast_list *more);

#endif
