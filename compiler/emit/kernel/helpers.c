/* Small functions in emitted files, identified by their names. */
#include "emit/emission.h"

#include <assert.h>
#include <stdlib.h>

_Static_assert(BYPASS_PART == 512, "flt_stream_part says so");

static const struct helper_text *text_in(const struct helper_text texts[], const char *name)
{
    for (const struct helper_text *t = texts; t && t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

static const struct helper_text *text_of(const struct emission *e, const struct helper_text texts[],
                                         const char *name)
{
    const struct helper_text *const own =
        texts == e->dialect->helpers ? e->dialect->definitions : NULL;
    const struct helper_text *const places[] = {e->opened ? given_helpers : NULL, own, texts};
    const struct helper_text *found = NULL;
    for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++)
        found = text_in(places[i], name);
    return found;
}

static void print_helper(struct emission *e, const struct helper_text texts[], const char *name)
{
    const struct helper_text *text = text_of(e, texts, name);
    assert(text);
    if (hash_map_find(&e->helpers.known, text))
        return;
    hash_map_put(e->arena, &e->helpers.known, text, (void *)(uintptr_t)text);
    for (const char *const *mentioned = text->mentions; mentioned && *mentioned; mentioned++)
        print_helper(e, texts, *mentioned);
    text_print(e->out, "%s\n", text->text);
}

const char *helper_use(struct emission *e, const char *name)
{
    const struct symbol *symbol = symbol_from(&e->session->symbols, name);
    if (!hash_map_find(&e->helpers.known, symbol)) {
        hash_map_put(e->arena, &e->helpers.known, symbol, (void *)(uintptr_t)symbol);
        VECTOR_PUSH(e->arena, &e->helpers.list, symbol->text);
    }
    return symbol->text;
}

const char *arithmetic_use(struct emission *e, const char *name)
{
    const struct symbol *symbol = symbol_from(&e->session->symbols, name);
    hash_map_put(e->arena, &e->helpers.known, symbol, (void *)(uintptr_t)symbol);
    return name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Those of the dialect's arithmetic that kernels or helpers use. */
static void print_arithmetic(struct emission *e, const char *helpers)
{
    for (const struct helper_text *a = e->dialect->arithmetic; a && a->name; a++)
        if (hash_map_find(&e->helpers.known, symbol_from(&e->session->symbols, a->name)) ||
            text_mentions(helpers, a->name))
            text_print(e->out, "%s\n", a->text);
}

void helpers_print(struct emission *e, const struct helper_text texts[])
{
    struct text *const out = e->out;
    struct text helpers = text_create(e->arena);
    if (e->helpers.list.count)
        qsort(e->helpers.list.item, e->helpers.list.count, sizeof *e->helpers.list.item, by_name);
    e->out = &helpers;
    for (size_t i = 0; i < e->helpers.list.count; i++)
        print_helper(e, texts, e->helpers.list.item[i]);
    e->out = out;
    if (texts == e->dialect->helpers)
        print_arithmetic(e, helpers.bytes);
    text_append(out, helpers.bytes, helpers.length);
}
