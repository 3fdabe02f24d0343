#include "driver/origin.h"
#include "support/sha256.h"
#include "support/text.h"
#include "support/utf8.h"

#include <stdlib.h>

enum { HASH_DIGITS = 16 };

#define LICENCE                                                                                    \
    "This file is yours, under any terms: fltc's LICENSE, exception for generated files."

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct word_list origin_lines(struct arena *arena, const struct origin_from *from)
{
    struct word_list lines = {0};
    VECTOR_PUSH(arena, &lines, arena_format(arena, "target %s\n", from->target->name));
    for (size_t i = 0; i < from->options.count; i++)
        VECTOR_PUSH(arena, &lines, arena_format(arena, "%s\n", from->options.item[i]));
    for (size_t i = 0; i < from->settings->count; i++)
        VECTOR_PUSH(arena, &lines,
                    arena_format(arena, "param %s=%s\n", from->settings->item[i].name,
                                 from->settings->item[i].value));
    const unsigned bytes = target_fast_bytes(from->target),
                   cost = machine_byte_cost(target_machine(from->target));
    const struct target *usual = target_find(from->target->name);
    if (bytes != target_fast_bytes(usual) || cost != machine_byte_cost(target_machine(usual)))
        VECTOR_PUSH(arena, &lines, arena_format(arena, "machine %u %u\n", bytes, cost));
    return lines;
}

static void begin(struct sha256 *hash, struct word_list lines)
{
    qsort(lines.item, lines.count, sizeof *lines.item, compare_lines);
    sha256_begin(hash);
    for (size_t i = 0; i < lines.count; i++)
        sha256_add(hash, lines.item[i], strlen(lines.item[i]));
}

static void add_text(struct arena *arena, struct sha256 *hash, const char *text, size_t length)
{
    const char *line = arena_format(arena, "module %zu\n", length);
    sha256_add(hash, line, strlen(line));
    sha256_add(hash, text, length);
}

/* What a comment and a text of JSON can hold and show: no marks that turn the direction of text. */
static bool is_plain(uint32_t point)
{
    const bool is_mark = (point >= 0x200b && point <= 0x200f) ||
                         (point >= 0x2028 && point <= 0x202e) ||
                         (point >= 0x2060 && point <= 0x206f);
    return point < 0x80 ? point >= ' ' && point < 0x7f && point != '"' && point != '\\'
                        : point >= 0xa0 && !is_mark && point != UTF8_REPLACEMENT;
}

static const char *shown_name(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
    struct text text = text_create(arena);
    if (strcmp(path, "-") == 0)
        return "standard input";
    for (size_t bytes; *at; at += bytes) {
        const bool plain = is_plain(utf8_decode(at, strlen(at), &bytes));
        text_append(&text, plain ? at : "?", plain ? bytes : 1);
    }
    return text.bytes;
}

static struct origin finish(struct arena *arena, const struct origin_from *from,
                            struct sha256 *hash)
{
    char digits[SHA256_DIGITS + 1];
    return (struct origin){shown_name(arena, from->path),
                           arena_text(arena, sha256_digits(hash, digits), HASH_DIGITS)};
}

struct origin origin_of_modules(struct session *session, const struct module_set *modules,
                                const struct origin_from *from, const char *filter)
{
    struct arena *arena = session->permanent;
    struct sha256 hash;
    struct word_list lines = origin_lines(arena, from);
    VECTOR_PUSH(arena, &lines, arena_format(arena, "filter %s\n", filter));
    begin(&hash, lines);
    for (size_t i = 0; i < modules->list.count; i++) {
        const struct source_file *file = modules->list.item[i].module->file;
        add_text(arena, &hash, file->text, file->length);
    }
    return finish(arena, from, &hash);
}

struct origin origin_of_text(struct session *session, const struct origin_from *from,
                             const char *text, size_t length)
{
    struct sha256 hash;
    begin(&hash, origin_lines(session->permanent, from));
    add_text(session->permanent, &hash, text, length);
    return finish(session->permanent, from, &hash);
}

/* Languages whose comments are those of C. */
static bool has_c_comments(const char *name)
{
    static const char *const ending[] = {".c", ".h", ".cu", ".cpp", ".v"};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (text_ends_in(name, ending[i]))
            return true;
    return false;
}

struct emitted_file origin_stamp(struct arena *arena, const struct origin *origin,
                                 const struct emitted_file *file)
{
    static const char json[] = "{\n";
    const bool is_json = text_ends_in(file->name, ".json"), in_c = has_c_comments(file->name);
    const char *mark = text_ends_in(file->name, ".txt") ? "" : "# ";
    size_t taken = 0;
    struct text text = text_create(arena);
    if (is_json) {
        taken = strlen(json); /* every text of JSON that is emitted is an object */
        text_print(&text,
                   "{\n    \"fltc\": \"%s\",\n    \"source\": \"%s\",\n    \"hash\": \"%s\",\n"
                   "    \"licence\": \"%s\",\n",
                   version_text(), origin->name, origin->hash, LICENCE);
    } else {
        text_print(&text, "%sWritten by fltc %s from %s, hash %s.\n%s%s%s\n", in_c ? "/* " : mark,
                   version_text(), origin->name, origin->hash, in_c ? " * " : mark, LICENCE,
                   in_c ? " */" : "");
    }
    text_append(&text, file->text + taken, file->length - taken);
    return (struct emitted_file){file->name, text.bytes, text.length};
}
