#include "support/json.h"
#include "support/utf8.h"

#include <string.h>

static void append_character(struct text *out, uint32_t code_point, const char *bytes,
                             size_t length)
{
    if (code_point == '"' || code_point == '\\')
        text_print(out, "\\%c", (char)code_point);
    else if (code_point == '\n')
        text_print(out, "\\n");
    else if (code_point == '\t')
        text_print(out, "\\t");
    else if (code_point < 0x20)
        text_print(out, "\\u%04x", (unsigned)code_point);
    else if (code_point == UTF8_REPLACEMENT)
        text_print(out, "\uFFFD");
    else
        text_append(out, bytes, length);
}

void json_string(struct text *out, const char *text)
{
    const size_t length = strlen(text);
    text_print(out, "\"");
    for (size_t at = 0; at < length;) {
        size_t bytes;
        const uint32_t code_point = utf8_decode(text + at, length - at, &bytes);
        append_character(out, code_point, text + at, bytes);
        at += bytes;
    }
    text_print(out, "\"");
}

/* What stands before a part, or before the bracket behind the last one. */
static void separate(struct json *json, const char *mark)
{
    const bool in_lines = json->depth > 0 && json->depth <= json->lines;
    text_print(json->out, "%s", mark);
    if (in_lines)
        text_print(json->out, "\n%*s", 4 * (int)json->depth, "");
    else if (*mark)
        text_print(json->out, " ");
}

static void begin(struct json *json, const char *key)
{
    separate(json, json->any ? "," : "");
    json->any = true;
    if (!key)
        return;
    json_string(json->out, key);
    text_print(json->out, ": ");
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    text_print(json->out, "%c", bracket);
    json->depth++;
    json->any = false;
}

void json_close(struct json *json, char bracket)
{
    const bool in_lines = json->any && json->depth <= json->lines;
    json->depth--;
    if (in_lines)
        text_print(json->out, "\n%*s", 4 * (int)json->depth, "");
    text_print(json->out, "%c", bracket);
    json->any = true;
}

void json_add(struct json *json, const char *key, const char *value)
{
    begin(json, key);
    text_append(json->out, value, strlen(value));
}

void json_add_text(struct json *json, const char *key, const char *value)
{
    begin(json, key);
    if (value)
        json_string(json->out, value);
    else
        text_print(json->out, "null");
}

void json_add_integer(struct json *json, const char *key, int64_t value)
{
    begin(json, key);
    text_print(json->out, "%lld", (long long)value);
}

void json_add_truth(struct json *json, const char *key, bool value)
{
    json_add(json, key, value ? "true" : "false");
}
