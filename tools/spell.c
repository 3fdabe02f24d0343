/* Names are declared before use, a member name has one type everywhere, and no product follows a
 * prefix `*`: so are the texts of the compiler, which are plain C. */
#include "spell.h"

#include <ctype.h>
#include <string.h>

static enum real spell_until(struct speller *s, const char *ends);

/* ---- Words ---- */

static const struct {
    const char *word;
    enum real real;
} types[] = {
    {"float", REAL_F32},   {"double", REAL_F64},   {"int", NOT_REAL},       {"char", NOT_REAL},
    {"void", NOT_REAL},    {"struct", NOT_REAL},   {"int8_t", NOT_REAL},    {"uint8_t", NOT_REAL},
    {"int16_t", NOT_REAL}, {"uint16_t", NOT_REAL}, {"int32_t", NOT_REAL},   {"uint32_t", NOT_REAL},
    {"int64_t", NOT_REAL}, {"uint64_t", NOT_REAL}, {"ptrdiff_t", NOT_REAL}, {"size_t", NOT_REAL}};

static const char *const qualifiers[] = {"const", "static", "inline", "FLT_INLINE", "FLT_RESTRICT"};

/* Of the C library. */
static const struct {
    const char *word;
    enum real real;
} library[] = {{"fabs", REAL_F64},     {"sqrt", REAL_F64},   {"copysign", REAL_F64},
               {"rint", REAL_F64},     {"trunc", REAL_F64},  {"fma", REAL_F64},
               {"fabsf", REAL_F32},    {"sqrtf", REAL_F32},  {"copysignf", REAL_F32},
               {"rintf", REAL_F32},    {"truncf", REAL_F32}, {"fmaf", REAL_F32},
               {"INFINITY", REAL_F32}, {"NAN", REAL_F32}};

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_letter(at[length]))
        length++;
    return length;
}

static bool is_word(const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_letter(at[length]);
}

static bool is_type(const char *at, enum real *real)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (is_word(at, types[i].word)) {
            *real = types[i].real;
            return true;
        }
    return false;
}

static bool is_qualifier(const char *at)
{
    bool found = false;
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++)
        found = found || is_word(at, qualifiers[i]);
    return found;
}

static const struct symbol *symbol_at(struct speller *s, const char *at)
{
    return symbol_from(&s->symbols, arena_text(s->arena, at, word_length(at)));
}

static enum real type_of_name(struct speller *s, const struct hash_map *names, const char *at)
{
    const uintptr_t known = (uintptr_t)hash_map_find(names, symbol_at(s, at));
    if (known)
        return (enum real)(known - 1);
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++)
        if (is_word(at, library[i].word))
            return library[i].real;
    return NOT_REAL;
}

static void declare(struct speller *s, const char *at)
{
    hash_map_put(s->arena, s->in_struct ? &s->members : &s->names, symbol_at(s, at),
                 (void *)((uintptr_t)s->declared + 1));
}

/* ---- Copying ---- */

static void copy(struct speller *s, size_t length)
{
    text_append(s->out, s->at, length);
    s->at += length;
}

/* Blanks, line breaks and comments, as they are. */
static void copy_blanks(struct speller *s)
{
    for (;;) {
        const char *end = strncmp(s->at, "/*", 2) == 0 ? strstr(s->at, "*/") : NULL;
        if (end)
            copy(s, (size_t)(end + 2 - s->at));
        else if (isspace((unsigned char)*s->at))
            copy(s, 1);
        else
            return;
    }
}

/* ---- Expressions ---- */

/* What stands from here to the one of `ends` that closes it, and that. */
static enum real spell_group(struct speller *s, const char *ends)
{
    const bool in_declaration = s->in_declaration;
    s->in_declaration = false;
    copy(s, 1);
    const enum real real = spell_until(s, ends);
    copy(s, 1);
    s->in_declaration = in_declaration;
    return real;
}

static enum real spell_number(struct speller *s)
{
    const bool is_hex = s->at[0] == '0' && (s->at[1] | ' ') == 'x';
    bool is_real = false;
    size_t length = 0;
    for (;; length++) {
        const char c = s->at[length], last = length ? (char)(s->at[length - 1] | ' ') : ' ';
        const bool sign = (c == '-' || c == '+') && last == (is_hex ? 'p' : 'e');
        is_real = is_real || c == '.' || sign || (is_hex && (c == 'p' || c == 'P'));
        if (!is_letter(c) && c != '.' && !sign)
            break;
    }
    const bool is_single = s->at[length - 1] == 'f';
    copy(s, length);
    return !is_real ? NOT_REAL : is_single ? REAL_F32 : REAL_F64;
}

/* A name with what is called, indexed or taken of it. */
static enum real spell_name(struct speller *s)
{
    enum real real = type_of_name(s, &s->names, s->at);
    copy(s, word_length(s->at));
    for (;;) {
        if (*s->at == '(') {
            spell_group(s, ")");
        } else if (*s->at == '[') {
            spell_group(s, "]");
        } else if (*s->at == '.') {
            copy(s, 1);
            real = type_of_name(s, &s->members, s->at);
            copy(s, word_length(s->at));
        } else {
            return real;
        }
    }
}

static enum real spell_unary(struct speller *s);

/* (double)v */
static bool spell_cast(struct speller *s, enum real *real)
{
    const char *at = s->at + 1;
    *real = NOT_REAL;
    if (*s->at != '(' || !(is_type(at, real) || is_qualifier(at)))
        return false;
    const size_t length = strcspn(s->at, ")") + 1;
    if (memchr(s->at, '*', length))
        *real = NOT_REAL;
    copy(s, length);
    spell_unary(s);
    return true;
}

static enum real spell_unary(struct speller *s)
{
    enum real real;
    copy_blanks(s);
    while (*s->at && strchr("-+!~&", *s->at))
        copy(s, 1);
    if (spell_cast(s, &real))
        return real;
    if (is_word(s->at, "sizeof")) {
        copy(s, strlen("sizeof"));
        copy_blanks(s);
        copy(s, *s->at == '*');
        spell_unary(s);
        return NOT_REAL;
    }
    if (*s->at == '(')
        return spell_group(s, ")");
    return isdigit((unsigned char)*s->at) ? spell_number(s) : spell_name(s);
}

/* The function that does what `*` or `/` does; NULL: there is none. */
static const char *function_of(struct speller *s, char operation, enum real real)
{
    if (real == NOT_REAL || operation == '%')
        return NULL;
    return operation == '*' ? s->words->product[real] : s->words->quotient[real];
}

/* What is read by one of the functions above, apart. */
static const char *taken(struct speller *s, enum real (*read)(struct speller *), enum real *real)
{
    struct text *const out = s->out;
    struct text part = text_create(s->arena);
    s->out = &part;
    *real = read(s);
    s->out = out;
    return part.length ? part.bytes : "";
}

/* Without parentheses around all of it, which an argument needs none of. */
static const char *bare(struct speller *s, const char *text)
{
    const size_t length = strlen(text);
    unsigned depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (depth == 0 && i + 1 < length)
            return text;
    }
    return length > 2 && *text == '(' ? arena_text(s->arena, text + 1, length - 2) : text;
}

static enum real spell_rest(struct speller *s)
{
    copy_blanks(s);
    return spell_until(s, ";");
}

/* a * b / c …; and v *= a. */
static enum real spell_products(struct speller *s)
{
    enum real real, other;
    const char *left = taken(s, spell_unary, &real);
    for (;;) {
        const char *blanks = s->at;
        while (isspace((unsigned char)*s->at))
            s->at++;
        const char operation = *s->at;
        const bool is_one = operation && strchr("*/%", operation) && s->at[1] != '=' &&
                            !(operation == '/' && s->at[1] == '*');
        if (!is_one) {
            s->at = blanks;
            break;
        }
        s->at++;
        while (isspace((unsigned char)*s->at))
            s->at++;
        const char *right = taken(s, spell_unary, &other);
        real = operation == '%' ? NOT_REAL : other > real ? other : real;
        const char *function = function_of(s, operation, real);
        left = function
                   ? arena_format(s->arena, "%s(%s, %s)", function, bare(s, left), bare(s, right))
                   : arena_format(s->arena, "%s %c %s", left, operation, right);
    }
    text_print(s->out, "%s", left);
    if (strncmp(s->at, " *= ", 4) == 0 && function_of(s, '*', real)) {
        s->at += 4;
        const char *right = taken(s, spell_rest, &other);
        text_print(s->out, " = %s(%s, %s)", function_of(s, '*', real), left, right);
    }
    return real;
}

/* ---- Statements and declarations ---- */

/* In a line of its own: #include and the like; what is for processors is left out. */
static void spell_directive(struct speller *s)
{
    const bool is_of_processors = strncmp(s->at, "#ifdef FLT_V", 12) == 0;
    const char *end = is_of_processors ? strstr(s->at, "#endif") : s->at;
    end += strcspn(end, "\n");
    if (is_of_processors)
        s->at = end + (*end == '\n');
    else
        copy(s, (size_t)(end - s->at));
}

/* "static inline " where a definition begins. */
static bool spell_definition(struct speller *s)
{
    static const char *const word[] = {"FLT_INLINE ", "static inline ", "static "};
    if (s->out->length && s->out->bytes[s->out->length - 1] != '\n')
        return false;
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        if (strncmp(s->at, word[i], strlen(word[i])) == 0) {
            s->at += strlen(word[i]);
            text_print(s->out, "%s ", s->words->function);
            return true;
        }
    return false;
}

static bool begins_statement_with_group(const char *at)
{
    return is_word(at, "for") || is_word(at, "while") || is_word(at, "if");
}

static void spell_word(struct speller *s)
{
    enum real real;
    if (is_type(s->at, &real)) {
        const bool is_struct = is_word(s->at, "struct");
        copy(s, word_length(s->at));
        copy_blanks(s);
        if (is_struct) {
            copy(s, word_length(s->at)); /* its tag */
            s->in_struct = strncmp(s->at, " {", 2) == 0;
        } else if (*s->at == '*') { /* memory of all threads; that of one is an array's */
            text_print(s->out, "%s", s->words->memory);
        }
        s->declared = real;
        s->declares = s->in_declaration = !is_struct || !s->in_struct;
    } else if (strncmp(s->at, "static ", 7) == 0) { /* of a table; of functions it is read before */
        s->at += 7;
        text_print(s->out, "%s", s->words->local);
    } else if (is_qualifier(s->at) || is_word(s->at, "return") || is_word(s->at, "else") ||
               is_word(s->at, "enum")) {
        copy(s, word_length(s->at));
    } else if (begins_statement_with_group(s->at)) {
        copy(s, word_length(s->at));
        copy_blanks(s);
        spell_group(s, ")");
    } else if (s->declares) {
        declare(s, s->at);
        s->declares = false;
        copy(s, word_length(s->at));
        if (*s->at == '(') /* of parameters, which are declared */
            copy(s, 1);
    }
}

static void spell_sign(struct speller *s)
{
    enum real ignored;
    const char *behind = s->at + 1 + strspn(s->at + 1, " *\n");
    switch (*s->at) {
    case ',': /* the next of a declaration: double a, b */
        s->declares = s->in_declaration && !s->initialisers && is_letter(*behind) &&
                      !is_type(behind, &ignored) && !is_qualifier(behind);
        break;
    case ';':
        s->declares = s->in_declaration = false;
        break;
    case '{':
        if (s->out->length > 1 && strcmp(s->out->bytes + s->out->length - 2, "= ") == 0)
            s->initialisers++;
        else if (!s->initialisers)
            s->in_declaration = false;
        else
            s->initialisers++;
        break;
    case '}':
        s->in_struct = false;
        s->initialisers -= s->initialisers > 0;
        break;
    }
    copy(s, 1);
}

/* The type of what is computed: of the last alternatives of a choice, none of a comparison. */
static enum real spell_until(struct speller *s, const char *ends)
{
    enum real real = NOT_REAL;
    bool compares = false;
    while (copy_blanks(s), *s->at && !strchr(ends, *s->at)) {
        enum real ignored;
        const char c = *s->at;
        const bool at_word = is_letter(c) && !isdigit((unsigned char)c);
        if (c == '#') {
            spell_directive(s);
        } else if (is_word(s->at, "FLT_SIMD")) { /* of the loop behind it */
            s->at += strlen("FLT_SIMD");
            text_print(s->out, "%s", s->words->lanes);
        } else if (at_word && spell_definition(s)) {
            continue;
        } else if (at_word && (s->declares || is_type(s->at, &ignored) || is_qualifier(s->at) ||
                               begins_statement_with_group(s->at) || is_word(s->at, "return") ||
                               is_word(s->at, "else") || is_word(s->at, "enum"))) {
            spell_word(s);
        } else if (c == '[') {
            spell_group(s, "]");
        } else if (is_letter(c) || c == '(') {
            const enum real own = spell_products(s);
            real = own > real ? own : real;
        } else {
            compares =
                c == '?' ? false : compares || strchr("<>=", c) || (c == '&' && s->at[1] == c);
            real = c == '?' ? NOT_REAL : real;
            spell_sign(s);
        }
    }
    return compares ? NOT_REAL : real;
}

struct text spell(struct speller *s, const char *text)
{
    struct text out = text_create(s->arena);
    s->symbols.arena = s->arena;
    s->at = text;
    s->out = &out;
    spell_until(s, "");
    return out;
}
