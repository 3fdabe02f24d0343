#include "emit/circuit_language.h"

#include <ctype.h>

static bool is_taken(const char *name, const char *const *names, size_t count, unsigned language)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return name_is_reserved(name, ROLE_MEMBER, language);
}

static char *identifier(struct arena *arena, const struct symbol *name)
{
    char *text = arena_text(arena, name->text, name->length);
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            *at = '_';
    return text;
}

const char *const *process_names(struct arena *arena, const struct circuit *circuit,
                                 unsigned language)
{
    const size_t count = circuit->processes.count;
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *base = identifier(arena, circuit->processes.item[i].name);
        names[i] = base;
        for (unsigned n = 2; is_taken(names[i], names, i, language); n++)
            names[i] = arena_format(arena, "%s_%u", base, n);
    }
    return names;
}

const char *circuit_model_name(struct arena *arena, const struct graph *graph)
{
    return arena_format(arena, "%s_model", graph->name->text);
}
