/* Interned strings: one map from the bytes of a name to its only symbol. */
#include "support/symbol.h"

#include <stdarg.h>
#include <string.h>

/* text is NUL-terminated and lives as long as the table. */
static const struct symbol *add(struct symbol_table *table, const char *text, size_t length)
{
    struct symbol *symbol = ARENA_NEW(table->arena, struct symbol);
    *symbol = (struct symbol){.text = text, .length = length};
    hash_map_put_bytes(table->arena, &table->map, text, length, symbol);
    return symbol;
}

const struct symbol *symbol_intern(struct symbol_table *table, const char *text, size_t length)
{
    const struct symbol *known = hash_map_find_bytes(&table->map, text, length);
    return known ? known : add(table, arena_text(table->arena, text, length), length);
}

const struct symbol *symbol_from(struct symbol_table *table, const char *text)
{
    return symbol_intern(table, text, strlen(text));
}

const struct symbol *symbol_format(struct symbol_table *table, const char *format, ...)
{
    const struct arena_mark before = arena_mark(table->arena);
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(table->arena, format, arguments);
    va_end(arguments);
    const size_t length = strlen(text);
    const struct symbol *known = hash_map_find_bytes(&table->map, text, length);
    if (!known)
        return add(table, text, length);
    arena_release(table->arena, before);
    return known;
}
