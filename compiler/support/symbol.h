/* Interned strings: equal if and only if the same pointer. */
#ifndef FLTC_SUPPORT_SYMBOL_H
#define FLTC_SUPPORT_SYMBOL_H

#include "support/arena.h"
#include "support/hash_map.h"

struct symbol {
    const char *text; /* NUL-terminated */
    size_t length;
};

struct symbol_table {
    struct arena *arena;
    struct hash_map map;
};

const struct symbol *symbol_intern(struct symbol_table *table, const char *text, size_t length);
const struct symbol *symbol_from(struct symbol_table *table, const char *text);
/* The symbol of a formatted text, e.g. ("%s_%d", name, 3). */
const struct symbol *symbol_format(struct symbol_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
