/* A growable text with indentation. The text is always NUL-terminated. */
#ifndef FLTC_SUPPORT_TEXT_H
#define FLTC_SUPPORT_TEXT_H

#include "support/arena.h"

#include <stdarg.h>
#include <stdbool.h>

struct text {
    struct arena *arena;
    char *bytes;
    size_t length, capacity;
    unsigned indent; /* spaces put before the next line that is not empty */
};

struct text text_create(struct arena *arena);
/* Appends; after each newline in the result the indentation is inserted, except before another
 * newline. */
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append(struct text *text, const char *bytes, size_t length);
/* The column (0-based, in bytes) at which the next byte will stand. */
size_t text_column(const struct text *text);

/* Whether the text ends so, behind something else. */
bool text_ends_in(const char *text, const char *ending);
/* Whether the identifier stands in the text of C, outside of comments, not as the name of a
 * member. */
bool text_mentions(const char *text, const char *identifier);

/* The shortest decimal form that reads back as the same value: "0.1", "1e-06", "16777216".
 * float_bits: 32 or 64. Infinities are "inf" and "-inf", NaN is "nan". Always holds a '.', 'e', or
 * letters, so it is never mistaken for an integer: "2.0". */
void text_real(struct text *text, double value, int float_bits);

#endif
