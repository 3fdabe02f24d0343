/* Names are found in lines that begin a definition: those without indentation. Names of parameters
 * that stand there too are renamed for nothing, which does no harm. */
#include "emit/unit_names.h"

#include "support/hash_map.h"
#include "support/symbol.h"
#include "support/vector.h"

#include <ctype.h>
#include <string.h>

struct names {
    const char *filter;
    struct symbol_table symbols;
    struct hash_map known;
    VECTOR(const char *) list;
};

/* Of headers that several files share, and what other files call; with '_' at the end, all names
 * that begin so. */
static const char *const shared[] = {"flt_tasks",     "flt_fft",    "flt_real",
                                     "flt_status",    "flt_apr",    "flt_apr_",
                                     "flt_arguments", "flt_filter", "flt_kernel_"};

static bool is_shared(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++) {
        const size_t length = strlen(shared[i]);
        found = found || (strncmp(name, shared[i], length) == 0 &&
                          (shared[i][length - 1] == '_' || name[length] == 0));
    }
    return found;
}

/* The filter's own name, or one that begins with it: no other file has that. */
static bool is_own(const char *name, const char *filter)
{
    const size_t length = strlen(filter);
    return strncmp(name, filter, length) == 0 && (name[length] == 0 || name[length] == '_');
}

static size_t identifier_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static void note(struct arena *arena, struct names *names, const char *at, size_t length)
{
    const char *name = arena_text(arena, at, length);
    const struct symbol *symbol = symbol_from(&names->symbols, name);
    if (is_shared(name) || is_own(name, names->filter) || hash_map_find(&names->known, symbol))
        return;
    hash_map_put(arena, &names->known, symbol, (void *)(uintptr_t)symbol);
    VECTOR_PUSH(arena, &names->list, name);
}

/* Every flt_ name of the line. */
static void note_names(struct arena *arena, struct names *names, const char *line, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t word = identifier_length(line + i);
        if (word > 4 && strncmp(line + i, "flt_", 4) == 0)
            note(arena, names, line + i, word);
        i += word ? word : 1;
    }
}

/* The macro that the line defines, unless the line before asks whether others have done so. */
static void note_macro(struct arena *arena, struct names *names, const char *line,
                       const char *before)
{
    static const char define[] = "#define ", unless[] = "#ifndef ";
    if (strncmp(line, define, sizeof define - 1) != 0)
        return;
    const char *name = line + sizeof define - 1;
    const size_t length = identifier_length(name);
    const bool is_default = before && strncmp(before, unless, sizeof unless - 1) == 0 &&
                            strncmp(before + sizeof unless - 1, name, length) == 0;
    if (length > 4 && strncmp(name, "FLT_", 4) == 0 && !is_default)
        note(arena, names, name, length);
}

/* Whether a comment that the line begins or continues goes on in the next. */
static bool is_in_comment(const char *line, size_t length, bool in_comment)
{
    for (size_t i = 0; i + 1 < length; i++) {
        if (!in_comment && strncmp(line + i, "/*", 2) == 0)
            in_comment = true, i++;
        else if (in_comment && strncmp(line + i, "*/", 2) == 0)
            in_comment = false, i++;
    }
    return in_comment;
}

static void find_names(struct arena *arena, struct names *names, struct names *macros,
                       const char *text)
{
    bool in_comment = false;
    const char *before = NULL;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        if (!in_comment && *line == '#')
            note_macro(arena, macros, line, before);
        else if (!in_comment && (identifier_length(line) || *line == '}'))
            note_names(arena, names, line, length);
        in_comment = is_in_comment(line, length, in_comment);
        before = line;
        line += length + (line[length] == '\n');
    }
}

struct text unit_names(struct arena *arena, const char *text, const char *filter)
{
    struct names names = {.filter = filter, .symbols = {.arena = arena}};
    struct names macros = {.filter = filter, .symbols = {.arena = arena}};
    struct text out = text_create(arena);
    find_names(arena, &names, &macros, text);
    if (names.list.count)
        text_print(&out, "/* Other filters may stand in the same translation unit. */\n");
    for (size_t i = 0; i < names.list.count; i++)
        text_print(&out, "#define %s %s_%s\n", names.list.item[i], filter, names.list.item[i]);
    text_print(&out, "\n");
    text_append(&out, text, strlen(text));
    text_print(&out, "\n");
    for (size_t i = 0; i < names.list.count; i++)
        text_print(&out, "#undef %s\n", names.list.item[i]);
    for (size_t i = 0; i < macros.list.count; i++)
        text_print(&out, "#undef %s\n", macros.list.item[i]);
    return out;
}
