/* Tokens of the textual IR, which graphs and loop programs share, and the printing of what they are
 * made of. Line ends mean nothing; // begins a comment. The first mistake is reported as E0120 at
 * its place and ends the text: every token after it is IR_END, so readers need not look up. */
#ifndef FLTC_EXPR_IR_TOKENS_H
#define FLTC_EXPR_IR_TOKENS_H

#include "session.h"

enum ir_token_kind {
    IR_NAME,     /* x, in.y, x'2 (the second thing named x), `any text` */
    IR_NUMBERED, /* %3 */
    IR_RAW,      /* #3: an id that has no name */
    IR_SPAN,     /* @12-40 */
    IR_INTEGER,
    IR_REAL, /* 0.5, 1e-06, nan, -inf */
    IR_TEXT, /* "any text", with \n \" \\ \x1b */
    IR_SIGN, /* one of ( ) [ ] { } , : = and .. */
    IR_END
};

struct ir_token {
    enum ir_token_kind kind;
    const char *start; /* as written, in the source map; the text there is NUL-terminated */
    size_t length;
    const struct symbol *name; /* NAME: x of x'2 */
    const char *text;          /* TEXT */
    int64_t integer;           /* INTEGER, RAW */
    struct span span;          /* SPAN: the one it tells, not the token's own */
};

struct ir_reader {
    struct session *session;
    const struct source_file *file;
    const char *at; /* behind the token */
    struct ir_token token;
    bool failed;
};

/* Puts the text into the source map and reads the first token. */
struct ir_reader ir_reader_open(struct session *session, const char *name, const char *text,
                                size_t length);
/* Reports a mistake at the token, unless one was reported before. */
void ir_fail(struct ir_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ir_fail_at(struct ir_reader *reader, struct ir_token token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes the token and reads the next one. */
struct ir_token ir_next(struct ir_reader *reader);
/* Whether the token is the word or sign, as written. */
bool ir_is(const struct ir_reader *reader, const char *written);
bool ir_accept(struct ir_reader *reader, const char *written);
void ir_expect(struct ir_reader *reader, const char *written);
/* Takes a token of the kind; another one is a mistake: "expected a name, not '='". */
struct ir_token ir_expect_kind(struct ir_reader *reader, enum ir_token_kind kind);
/* The index of the word in a table, taken; count and a mistake where it is in none. what: "a level"
 */
unsigned ir_expect_word(struct ir_reader *reader, const char *const table[], unsigned count,
                        const char *what);
/* {0, 0} where no span stands here. */
struct span ir_read_span(struct ir_reader *reader);
/* NULL where no text stands here. */
const char *ir_read_text(struct ir_reader *reader);

/* Different spellings for the things of one table, in the order they are asked for: x, x'2, x'3. */
struct ir_names {
    struct arena *arena;
    struct hash_map count;
};
const char *ir_spell(struct ir_names *names, const struct symbol *name);

/* The name in `back quotes` where it is not of letters, digits, _ and dots, or has a meaning in
 * expressions (true, nan …). */
void ir_print_name(struct text *text, const struct symbol *name);
void ir_print_text(struct text *text, const char *string);
/* " @12-40", or nothing for {0, 0}. */
void ir_print_span(struct text *text, struct span span);

#endif
