/* A growable text with indentation, and the shortest decimal form of a real number. */
#include "support/text.h"

#include <ctype.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text text_create(struct arena *arena)
{
    enum { FIRST_CAPACITY = 256 };
    return (struct text){
        .arena = arena,
        .bytes = arena_allocate(arena, FIRST_CAPACITY),
        .capacity = FIRST_CAPACITY,
    };
}

/* Makes room for `more` bytes and the NUL. */
static void reserve(struct text *text, size_t more)
{
    const size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    const size_t twice = 2 * text->capacity;
    text->capacity = needed > twice ? needed : twice;
    char *grown = arena_allocate(text->arena, text->capacity);
    memcpy(grown, text->bytes, text->length);
    text->bytes = grown;
}

static bool at_line_start(const struct text *text)
{
    return text->length == 0 || text->bytes[text->length - 1] == '\n';
}

/* Appends bytes of which only the last may be a newline. */
static void append_within_line(struct text *text, const char *bytes, size_t length)
{
    const size_t spaces = at_line_start(text) && bytes[0] != '\n' ? text->indent : 0;
    reserve(text, spaces + length);
    memset(text->bytes + text->length, ' ', spaces);
    memcpy(text->bytes + text->length + spaces, bytes, length);
    text->length += spaces + length;
    text->bytes[text->length] = '\0';
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    while (length) {
        const char *newline = memchr(bytes, '\n', length);
        const size_t part = newline ? (size_t)(newline - bytes) + 1 : length;
        append_within_line(text, bytes, part);
        bytes += part;
        length -= part;
    }
}

/* Short results are formatted on the stack, because what the arena gives stays taken. */
static void text_vprint(struct text *text, const char *format, va_list arguments)
{
    char small[512];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    assert(length >= 0 && "a format that printf accepts");
    const bool fits = (size_t)length < sizeof small;
    text_append(text, fits ? small : arena_vformat(text->arena, format, again), (size_t)length);
    va_end(again);
}

void text_print(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vprint(text, format, arguments);
    va_end(arguments);
}

bool text_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

size_t text_column(const struct text *text)
{
    if (at_line_start(text))
        return text->indent;
    size_t start = text->length;
    while (start > 0 && text->bytes[start - 1] != '\n')
        start--;
    return text->length - start;
}

/* d.ddd × 10^exponent */
struct decimal {
    char digit[18]; /* NUL-terminated */
    int exponent;
};

static bool reads_back(struct decimal decimal, double value, int float_bits)
{
    char text[40];
    snprintf(text, sizeof text, "%c.%se%d", decimal.digit[0], decimal.digit + 1, decimal.exponent);
    return float_bits == 32 ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* The nearest decimal of that many digits; value ≥ 0. */
static struct decimal nearest_decimal(double value, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    struct decimal decimal = {0};
    const char *from = text;
    int count = 0;
    for (; *from != 'e'; from++)
        if (*from != '.')
            decimal.digit[count++] = *from;
    decimal.exponent = atoi(from + 1);
    return decimal;
}

/* The next decimal of as many digits away from 0. All nines stay: they are never the answer, as
 * the one after them has a shorter form. */
static struct decimal next_decimal(struct decimal decimal)
{
    const size_t digits = strlen(decimal.digit);
    size_t last = digits;
    while (last > 0 && decimal.digit[last - 1] == '9')
        last--;
    if (last == 0)
        return decimal;
    decimal.digit[last - 1]++;
    memset(decimal.digit + last, '0', digits - last);
    return decimal;
}

/* Note [Powers of two]. */
static struct decimal shortest_decimal(double value, int float_bits)
{
    const int enough = float_bits == 32 ? 9 : 17;
    for (int digits = 1; digits < enough; digits++) {
        const struct decimal nearest = nearest_decimal(value, digits);
        if (reads_back(nearest, value, float_bits))
            return nearest;
        const struct decimal next = next_decimal(nearest);
        if (reads_back(next, value, float_bits))
            return next;
    }
    return nearest_decimal(value, enough);
}

static void print_with_exponent(struct text *text, struct decimal decimal)
{
    text_print(text, "%c", decimal.digit[0]);
    if (decimal.digit[1])
        text_print(text, ".%s", decimal.digit + 1);
    text_print(text, "e%+03d", decimal.exponent);
}

static void print_without_exponent(struct text *text, struct decimal decimal)
{
    const int digits = (int)strlen(decimal.digit);
    const int first = decimal.exponent < 0 ? decimal.exponent : 0;
    const int after_point = digits - 1 - decimal.exponent;
    const int end = after_point > 0 ? digits : decimal.exponent + 2; /* at least one after it */
    for (int i = first; i < end; i++) {
        if (i == decimal.exponent + 1)
            text_append(text, ".", 1);
        text_append(text, i >= 0 && i < digits ? &decimal.digit[i] : "0", 1);
    }
}

void text_real(struct text *text, double value, int float_bits)
{
    assert((float_bits == 32 || float_bits == 64) && "a width of a real type");
    if (isnan(value)) {
        text_print(text, "nan");
        return;
    }
    if (float_bits == 32)
        value = (double)(float)value;
    if (signbit(value))
        text_append(text, "-", 1);
    if (isinf(value)) {
        text_print(text, "inf");
        return;
    }
    const struct decimal decimal = shortest_decimal(fabs(value), float_bits);
    if (decimal.exponent < -4 || decimal.exponent > 15)
        print_with_exponent(text, decimal);
    else
        print_without_exponent(text, decimal);
}

/* Note [Powers of two]
 * The decimals that read back as a value lie between the middles towards its two neighbours. Below
 * a power of two the neighbour is twice as near as above. The nearest decimal of some length may
 * then lie below and be wrong, while the next one, further away but above, is right:
 * 2^-44 = 5.6843418860808015e-14 is also 5.684341886080802e-14. */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether what was opened or closed last before the place is a comment that was opened. */
static bool is_in_comment(const char *text, const char *at)
{
    while (at > text + 1 && strncmp(at - 2, "/*", 2) != 0 && strncmp(at - 2, "*/", 2) != 0)
        at--;
    return at > text + 1 && at[-2] == '/';
}

static bool is_member(const char *text, const char *at)
{
    return (at > text && at[-1] == '.') || (at > text + 1 && at[-1] == '>' && at[-2] == '-');
}

bool text_mentions(const char *text, const char *identifier)
{
    const size_t length = strlen(identifier);
    for (const char *at = text; (at = strstr(at, identifier)) != NULL; at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]) && !is_member(text, at) &&
            !is_in_comment(text, at))
            return true;
    return false;
}
