/* Ranges and reductions that are written as other languages write them. The text around the error
 * shows the meaning: `sum[d = -1 .. 1](...)` names a range, `out[y, x = in[y, x];` lacks a bracket.
 */
#include "expr/expr.h"
#include "frontend/syntax_help.h"

#include <ctype.h>
#include <string.h>

struct piece { /* of the text, without blanks around it */
    const char *start;
    size_t length;
};

enum {
    FARTHEST = 4096,
    LONGEST_SHOWN = 60
}; /* bytes: looked at on either side; repeated in a help */

static struct piece trimmed(const char *start, size_t length)
{
    while (length && isspace((unsigned char)*start)) {
        start++;
        length--;
    }
    while (length && isspace((unsigned char)start[length - 1]))
        length--;
    return (struct piece){start, length};
}

/* Whether it is something, and may be repeated in a help. */
static bool is_short(struct piece piece)
{
    return piece.length > 0 && piece.length <= LONGEST_SHOWN &&
           !memchr(piece.start, '\n', piece.length);
}

static bool holds_range(struct piece piece)
{
    for (size_t i = 0; i + 1 < piece.length; i++)
        if (piece.start[i] == '.' && piece.start[i + 1] == '.')
            return true;
    return false;
}

static bool holds_text(struct piece piece, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= piece.length; i++)
        if (memcmp(piece.start + i, text, length) == 0)
            return true;
    return false;
}

static bool is_opening(char c)
{
    return c == '(' || c == '[' || c == '{';
}

static bool is_closing(char c)
{
    return c == ')' || c == ']' || c == '}';
}

/* What follows the error as far as it belongs to the same item of a list. *end: the character
 * behind it; 0 at the end of the file. Brackets that open in it close in it. */
static struct piece rest_of_item(const struct syntax_error *e, char *end)
{
    unsigned depth = 0;
    size_t i = e->after;
    *end = 0;
    for (; i < e->length && i - e->after < FARTHEST; i++) {
        const char c = e->text[i];
        const bool ends = c == ',' || c == ';' || c == '{' || c == '\n' || is_closing(c);
        if (!depth && ends) {
            *end = c;
            break;
        }
        depth += is_opening(c);
        depth -= is_closing(c);
    }
    return trimmed(e->text + e->after, i - e->after);
}

/* Where the bracket or the list's item begins that holds the byte `at`; *opener: the character
 * before it; 0 where there is none. */
static size_t start_of_item(const struct syntax_error *e, size_t at, char *opener)
{
    unsigned depth = 0;
    *opener = 0;
    for (const size_t end = at; at > 0 && end - at < FARTHEST;) {
        const char c = e->text[at - 1];
        if (!depth && (c == ',' || c == ';' || is_opening(c))) {
            *opener = c;
            break;
        }
        if (depth && is_opening(c))
            depth--;
        depth += is_closing(c);
        at--;
    }
    return at;
}

/* d = -1 .. 1 */
static const char *help_of_equals(struct arena *arena, const struct syntax_error *e)
{
    char end;
    const struct piece rest = rest_of_item(e, &end);
    const bool in_brackets = syntax_expects(e, "]");
    if (!syntax_expects(e, "in") || !is_short(rest))
        return NULL;
    if (holds_range(rest))
        return arena_format(arena, "a range is written with in: write %s in %.*s", e->before,
                            (int)rest.length, rest.start);
    if (in_brackets && (end == ',' || end == ']'))
        return arena_format(arena, "a place along an axis is written with a colon: write %s: %.*s",
                            e->before, (int)rest.length, rest.start);
    return strcmp(e->before_that, "for") == 0
               ? "write for k in 0 ..< n { ... }, with the range behind in"
               : NULL;
}

/* d : -1 .. 1, or -1 .. 1 */
static const char *help_of_dots(struct arena *arena, const struct syntax_error *e)
{
    char opener, end;
    const size_t start = start_of_item(e, e->at, &opener);
    const struct piece before = trimmed(e->text + start, e->at - start);
    const struct piece rest = rest_of_item(e, &end);
    if (!syntax_expects(e, "]") || (opener != '[' && opener != ',') || !is_short(rest) ||
        !is_short(before))
        return NULL;
    const char *colon = memchr(before.start, ':', before.length);
    if (!colon)
        return arena_format(arena, "a range has a variable: write k in %.*s %s %.*s",
                            (int)before.length, before.start, e->found, (int)rest.length,
                            rest.start);
    const struct piece name = trimmed(before.start, (size_t)(colon - before.start));
    const struct piece first =
        trimmed(colon + 1, before.length - (size_t)(colon + 1 - before.start));
    return arena_format(arena, "a range is written with in: write %.*s in %.*s %s %.*s",
                        (int)name.length, name.start, (int)first.length, first.start, e->found,
                        (int)rest.length, rest.start);
}

/* sum[d in -1 .. 1] in[y, x + d] */
static const char *help_of_term(struct arena *arena, const struct syntax_error *e)
{
    if (strcmp(e->before, "]") != 0 || !e->at)
        return NULL;
    size_t close = e->at;
    while (close > 0 && e->at - close < FARTHEST && e->text[close - 1] != ']')
        close--;
    char opener = ',';
    size_t open = close ? close - 1 : 0;
    while (opener == ',') {
        open = start_of_item(e, open, &opener);
        if (opener != 0)
            open--;
    }
    size_t word = open;
    while (word > 0 && (isalnum((unsigned char)e->text[word - 1]) || e->text[word - 1] == '_'))
        word--;
    const bool is_long = memchr(e->text + open, '\n', close - open) || close - open > LONGEST_SHOWN;
    const struct piece ranges =
        is_long ? (struct piece){"[...]", 5} : (struct piece){e->text + open, close - open};
    for (size_t i = 0; opener == '[' && i < REDUCTION_COUNT; i++)
        if (strlen(reduction_text[i]) == open - word &&
            memcmp(reduction_text[i], e->text + word, open - word) == 0)
            return arena_format(arena, "put what %s takes in parentheses: %s%.*s(...)",
                                reduction_text[i], reduction_text[i], (int)ranges.length,
                                ranges.start);
    return NULL;
}

/* for (k in 0 .. 3), for (int i = 0; i < n; i++) */
static const char *help_of_loop(struct arena *arena, const struct syntax_error *e)
{
    char end;
    const struct piece rest = rest_of_item(e, &end);
    if (end == ')' && holds_range(rest) && is_short(rest) && !memchr(rest.start, '=', rest.length))
        return arena_format(arena, "write for %.*s { ... }, without parentheses", (int)rest.length,
                            rest.start);
    return "samples need no loop: out[y, x] = ...; statements are repeated by for k in 0 ..< 3 { "
           "... }";
}

/* radius : i32 = 3 in 1 .. 9, radius = 3 in a signature */
static const char *help_of_formal(struct arena *arena, const struct syntax_error *e)
{
    static const char param[] = "param";
    char opener, end;
    const size_t start = start_of_item(e, e->at, &opener);
    struct piece formal = trimmed(e->text + start, e->at - start);
    const struct piece value = rest_of_item(e, &end);
    if ((opener != '(' && opener != ',') || !is_short(formal) || !is_short(value))
        return NULL;
    if (strcmp(e->first, "fn") == 0)
        return "arguments of a function have no defaults: each is given";
    if (holds_text(formal, "image<"))
        return "an image has no default: it is given when the filter runs";
    if (value.start[0] == '"')
        return "choices are names without quotes: param mode : {soft, hard} = soft";
    if (holds_text(formal, " in "))
        return "the default comes before the range: param r : i32 = 3 in 0 .. 20";
    if (formal.length > strlen(param) && memcmp(formal.start, param, strlen(param)) == 0)
        formal = trimmed(formal.start + strlen(param), formal.length - strlen(param));
    const bool has_type = memchr(formal.start, ':', formal.length);
    const bool is_real = memchr(value.start, '.', value.length) && !holds_range(value);
    return arena_format(arena, "what is not an image is a param: write param %.*s%s = %.*s",
                        (int)formal.length, formal.start,
                        has_type  ? ""
                        : is_real ? " : f32"
                                  : " : i32",
                        (int)value.length, value.start);
}

/* w = {1, 2, 3}; */
static const char *help_of_list(struct arena *arena, const struct syntax_error *e)
{
    size_t count = 1, i = e->at, depth = 0;
    for (; i < e->length && i - e->at < FARTHEST && !strchr("{};", e->text[i]); i++) {
        count += !depth && e->text[i] == ',';
        depth += is_opening(e->text[i]);
        depth -= depth && is_closing(e->text[i]);
    }
    if (i == e->length || e->text[i] != '}' || count == 1)
        return NULL;
    char opener;
    size_t open = e->at;
    while (open > 0 && e->text[open] != '{')
        open--;
    const size_t start = start_of_item(e, open, &opener);
    const struct piece left = trimmed(e->text + start, open - start);
    size_t name = 0;
    while (name < left.length &&
           (isalnum((unsigned char)left.start[name]) || left.start[name] == '_'))
        name++;
    if (!name || left.start[left.length - 1] != '=')
        return NULL;
    return arena_format(
        arena, "an array of constants has a range: write const %.*s[i in 0 ..< %zu] = {...};",
        (int)name, left.start, count);
}

const char *syntax_help_of_ranges(struct arena *arena, const struct syntax_error *error)
{
    if (strcmp(error->found, "=") == 0 && error->is_outside && !syntax_expects(error, "in") &&
        !syntax_expects(error, "->"))
        return help_of_formal(arena, error);
    if (strcmp(error->before, "{") == 0 && error->count == 1 && syntax_expects(error, "let") &&
        !error->is_outside)
        return help_of_list(arena, error);
    if (strcmp(error->found, "=") == 0)
        return help_of_equals(arena, error);
    if (strcmp(error->found, "..") == 0 || strcmp(error->found, "..<") == 0)
        return help_of_dots(arena, error);
    if (strcmp(error->found, "(") == 0 && strcmp(error->before, "for") == 0)
        return help_of_loop(arena, error);
    return help_of_term(arena, error);
}
