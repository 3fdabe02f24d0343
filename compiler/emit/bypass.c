/* Buffers that loops store to bypassing the caches. */
#include "emit/emission.h"
#include "loop/cache_bypass.h"

static void note_bypasses(const struct statement *statement, void *user)
{
    struct emission *e = user;
    const struct statement *store =
        statement->kind == STATEMENT_LOOP && statement->as.loop.bypassing
            ? bypass_store_of(e->program, statement)
            : NULL;
    if (store)
        e->bypassing[store->as.store.buffer.index] = true;
    statement_children(statement, note_bypasses, e);
}

void find_bypasses(struct emission *e)
{
    e->bypassing = ARENA_ARRAY(e->arena, bool, e->program->buffers.count + 1);
    note_bypasses(e->program->body, e);
}

bool buffer_bypasses(const struct emission *e, const struct buffer *buffer)
{
    return e->bypassing[buffer->id.index];
}

static void search_bypass(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || (statement->kind == STATEMENT_LOOP && statement->as.loop.bypassing);
    if (!*found)
        statement_children(statement, search_bypass, found);
}

bool kernel_bypasses(const struct statement *kernel)
{
    bool found = false;
    search_bypass(kernel, &found);
    return found;
}

const char *name_of_bypass(struct emission *e, const struct buffer *buffer)
{
    return name_of(e, (const char *)buffer->axis + 4,
                   arena_format(e->arena, "%s_streams", buffer->name->text));
}
