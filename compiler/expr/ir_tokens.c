/* Tokens of the textual IR: read from the source map's copy of the text, printed so that they read
 * back as they were. */
#include "expr/ir_tokens.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_byte(char c)
{
    return is_letter(c) || is_digit(c);
}

static bool token_is(struct ir_token token, const char *written)
{
    return token.length == strlen(written) && memcmp(token.start, written, token.length) == 0;
}

/* ---- Mistakes ---- */

/* The token of the end has a name and a text, so that readers go on to the end without a crash. */
static struct ir_token end_token(struct ir_reader *reader)
{
    return (struct ir_token){.kind = IR_END,
                             .start = reader->at,
                             .name = symbol_from(&reader->session->symbols, "?"),
                             .text = ""};
}

static void vfail(struct ir_reader *reader, struct ir_token token, const char *format,
                  va_list arguments)
{
    if (reader->failed)
        return;
    const uint32_t start = reader->file->start + (uint32_t)(token.start - reader->file->text);
    const struct span span = {start, start + (uint32_t)token.length};
    const char *message = arena_vformat(reader->session->permanent, format, arguments);
    diagnostic_report(&reader->session->diagnostics, DIAGNOSTIC_E0120, span, message);
    reader->failed = true;
    reader->token = end_token(reader);
}

void ir_fail_at(struct ir_reader *reader, struct ir_token token, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfail(reader, token, format, arguments);
    va_end(arguments);
}

void ir_fail(struct ir_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfail(reader, reader->token, format, arguments);
    va_end(arguments);
}

/* ---- Scanning ---- */

static const char *skip_spaces(const char *at)
{
    for (;;) {
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
            at++;
        else if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else
            return at;
    }
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

/* Behind a number; *real tells whether it has a point or an exponent. */
static const char *skip_number(const char *at, bool *real)
{
    *real = false;
    at = skip_digits(at + (*at == '-'));
    if (*at == '.' && is_digit(at[1])) {
        *real = true;
        at = skip_digits(at + 1);
    }
    const char *exponent = at + 1 + (*at == 'e' && (at[1] == '+' || at[1] == '-'));
    if (*at == 'e' && is_digit(*exponent)) {
        *real = true;
        at = skip_digits(exponent);
    }
    return at;
}

/* A decimal number of at most `most`; *good is false beyond. */
static uint64_t read_digits(const char *at, uint64_t most, bool *good)
{
    uint64_t value = 0;
    *good = is_digit(*at);
    for (; is_digit(*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        *good = *good && value <= (most - digit) / 10;
        value = *good ? 10 * value + digit : 0;
    }
    return value;
}

static int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}

/* Behind the closing quote, or NULL; the bytes between, without escapes, go to `bytes`. */
static const char *read_quoted(const char *at, struct text *bytes)
{
    const char quote = *at++;
    while (*at != quote) {
        char byte = *at++;
        if (byte == '\0' || byte == '\n')
            return NULL;
        if (byte == '\\') {
            byte = *at++;
            const int high = byte == 'x' ? hex_digit(at[0]) : -1;
            const int low = high >= 0 ? hex_digit(at[1]) : -1;
            if (byte == 'x' && 16 * high + low > 0 && low >= 0) {
                byte = (char)(16 * high + low);
                at += 2;
            } else if (byte == 'n') {
                byte = '\n';
            } else if (byte != '\\' && byte != '"' && byte != '`') {
                return NULL;
            }
        }
        text_append(bytes, &byte, 1);
    }
    return at + 1;
}

/* Behind a name; *bytes is what it names. NULL for a quote that is not closed. */
static const char *read_name(struct ir_reader *reader, const char *at, struct text *bytes)
{
    if (*at == '`') {
        at = read_quoted(at, bytes);
    } else {
        const char *start = at;
        while (is_word_byte(*at) || (*at == '.' && is_word_byte(at[1])))
            at++;
        text_append(bytes, start, (size_t)(at - start));
    }
    if (!at || bytes->length == 0)
        return NULL;
    reader->token.name = symbol_intern(&reader->session->symbols, bytes->bytes, bytes->length);
    return at[0] == '\'' && is_digit(at[1]) ? skip_digits(at + 1) : at;
}

/* Each scanner returns the place behind the token, or NULL; reader->token.start is its first byte.
 */
static const char *scan_number(struct ir_reader *reader)
{
    struct ir_token *token = &reader->token;
    bool real, good;
    const char *end = skip_number(token->start, &real);
    token->kind = real ? IR_REAL : IR_INTEGER;
    if (real)
        return end;
    const bool negative = *token->start == '-';
    const uint64_t size =
        read_digits(token->start + negative, (uint64_t)INT64_MAX + negative, &good);
    token->integer = (int64_t)(negative ? 0 - size : size);
    return good ? end : NULL;
}

static const char *scan_marked(struct ir_reader *reader)
{
    struct ir_token *token = &reader->token;
    bool good, good_end = true;
    token->kind = *token->start == '%' ? IR_NUMBERED : *token->start == '#' ? IR_RAW : IR_SPAN;
    const uint64_t first = read_digits(token->start + 1, UINT32_MAX, &good);
    const char *end = skip_digits(token->start + 1);
    token->integer = (int64_t)first;
    if (token->kind == IR_SPAN) {
        if (*end != '-')
            return NULL;
        token->span =
            (struct span){(uint32_t)first, (uint32_t)read_digits(end + 1, UINT32_MAX, &good_end)};
        end = skip_digits(end + 1);
    }
    return good && good_end ? end : NULL;
}

static const char *scan_word(struct ir_reader *reader)
{
    struct ir_token *token = &reader->token;
    struct text bytes = text_create(reader->session->scratch);
    token->kind = IR_NAME;
    const char *end = read_name(reader, token->start, &bytes);
    token->length = end ? (size_t)(end - token->start) : 0;
    if (token_is(*token, "nan") || token_is(*token, "inf"))
        token->kind = IR_REAL;
    return end;
}

static const char *scan_text(struct ir_reader *reader)
{
    struct text bytes = text_create(reader->session->permanent);
    const char *end = read_quoted(reader->token.start, &bytes);
    reader->token.kind = IR_TEXT;
    reader->token.text = bytes.bytes;
    return end;
}

static const char *scan_sign(struct ir_reader *reader)
{
    const char *at = reader->token.start;
    reader->token.kind = IR_SIGN;
    if (at[0] == '.' && at[1] == '.')
        return at + 2;
    return *at && strchr("()[]{},:=", *at) ? at + 1 : NULL;
}

static const char *scan(struct ir_reader *reader)
{
    const char *at = reader->token.start;
    const char c = *at;
    if (is_digit(c) || (c == '-' && is_digit(at[1])))
        return scan_number(reader);
    if (strncmp(at, "-inf", 4) == 0 && !is_word_byte(at[4])) {
        reader->token.kind = IR_REAL;
        return at + 4;
    }
    if (c == '%' || c == '#' || c == '@')
        return scan_marked(reader);
    if (is_letter(c) || c == '`')
        return scan_word(reader);
    return c == '"' ? scan_text(reader) : scan_sign(reader);
}

struct ir_token ir_next(struct ir_reader *reader)
{
    const struct ir_token taken = reader->token;
    if (reader->failed)
        return taken;
    reader->at = skip_spaces(reader->at);
    reader->token = end_token(reader);
    if (reader->at == reader->file->text + reader->file->length)
        return taken;
    const char *end = scan(reader);
    if (end) {
        reader->token.length = (size_t)(end - reader->token.start);
        reader->at = end;
    } else {
        reader->token.length = 1;
        ir_fail(reader, "this is not a word of the text of graphs and loop programs");
    }
    return taken;
}

struct ir_reader ir_reader_open(struct session *session, const char *name, const char *text,
                                size_t length)
{
    static const struct source_file empty = {.name = "", .text = ""};
    struct ir_reader reader = {.session = session,
                               .file = source_map_add(&session->sources, name, text, length)};
    if (!reader.file) {
        reader.file = &empty;
        reader.token.start = reader.at = empty.text;
        ir_fail(&reader, "the texts of this compilation are longer than 2^31 bytes");
        return reader;
    }
    reader.at = reader.file->text;
    ir_next(&reader);
    return reader;
}

/* ---- Reading ---- */

bool ir_is(const struct ir_reader *reader, const char *written)
{
    return reader->token.kind != IR_END && token_is(reader->token, written);
}

bool ir_accept(struct ir_reader *reader, const char *written)
{
    if (!ir_is(reader, written))
        return false;
    ir_next(reader);
    return true;
}

/* "expected …, not 'x'" at the token. */
static void fail_expected(struct ir_reader *reader, const char *what)
{
    const struct ir_token *token = &reader->token;
    const int length = token->length < 40 ? (int)token->length : 40;
    if (token->kind == IR_END)
        ir_fail(reader, "expected %s, but the text ends here", what);
    else
        ir_fail(reader, "expected %s, not '%.*s'", what, length, token->start);
}

void ir_expect(struct ir_reader *reader, const char *written)
{
    if (!ir_accept(reader, written))
        fail_expected(reader, arena_format(reader->session->scratch, "'%s'", written));
}

struct ir_token ir_expect_kind(struct ir_reader *reader, enum ir_token_kind kind)
{
    static const char *const what[] = {
        [IR_NAME] = "a name",         [IR_INTEGER] = "an integer",      [IR_REAL] = "a real number",
        [IR_TEXT] = "a text in \"\"", [IR_END] = "the end of the text",
    };
    if (reader->token.kind != kind)
        fail_expected(reader, what[kind]);
    return ir_next(reader);
}

unsigned ir_expect_word(struct ir_reader *reader, const char *const table[], unsigned count,
                        const char *what)
{
    unsigned i = 0;
    while (i < count && !ir_is(reader, table[i]))
        i++;
    if (i < count)
        ir_next(reader);
    else
        fail_expected(reader, what);
    return i;
}

struct span ir_read_span(struct ir_reader *reader)
{
    return reader->token.kind == IR_SPAN ? ir_next(reader).span : (struct span){0, 0};
}

const char *ir_read_text(struct ir_reader *reader)
{
    return reader->token.kind == IR_TEXT ? ir_next(reader).text : NULL;
}

/* ---- Printing ---- */

static void print_quoted(struct text *text, const char *bytes, size_t length, char quote)
{
    text_print(text, "%c", quote);
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte == '\n')
            text_print(text, "\\n");
        else if (byte < ' ' || byte == 0x7f)
            text_print(text, "\\x%02x", byte);
        else if (byte == '\\' || byte == (unsigned char)quote)
            text_print(text, "\\%c", byte);
        else
            text_append(text, &bytes[i], 1);
    }
    text_print(text, "%c", quote);
}

/* What has a meaning where a name may stand: the last two precede the buffer that is stored to. */
static bool is_reserved(const char *name)
{
    static const char *const word[] = {"true", "false", "nan",    "inf",
                                       "none", "where", "atomic", "beside"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(name, word[i]) == 0)
            return true;
    return false;
}

static bool is_plain(const struct symbol *name)
{
    const char *c = name->text;
    if (!is_letter(*c) || is_reserved(c))
        return false;
    while (is_word_byte(*c) || (*c == '.' && is_word_byte(c[1])))
        c++;
    return (size_t)(c - name->text) == name->length;
}

void ir_print_name(struct text *text, const struct symbol *name)
{
    if (is_plain(name))
        text_append(text, name->text, name->length);
    else
        print_quoted(text, name->text, name->length, '`');
}

void ir_print_text(struct text *text, const char *string)
{
    print_quoted(text, string, strlen(string), '"');
}

void ir_print_span(struct text *text, struct span span)
{
    if (span.start || span.end)
        text_print(text, " @%u-%u", span.start, span.end);
}

const char *ir_spell(struct ir_names *names, const struct symbol *name)
{
    const uintptr_t before = (uintptr_t)hash_map_find(&names->count, name);
    hash_map_put(names->arena, &names->count, name, (void *)(before + 1));
    struct text text = text_create(names->arena);
    ir_print_name(&text, name);
    if (before)
        text_print(&text, "'%zu", (size_t)before + 1);
    return text.bytes;
}
