#include "loop/cache_bypass.h"

static bool holds_image(const struct buffer *buffer)
{
    return buffer->rank > 0 &&
           (buffer->space == SPACE_OUTPUT || buffer->space == SPACE_SCRATCH ||
            buffer->space == SPACE_PART) &&
           !buffer_is_circular(buffer);
}

struct storing {
    const struct program *program;
    bool to_memory;
};

static void note_store(const struct statement *statement, void *user)
{
    struct storing *storing = user;
    if (statement->kind == STATEMENT_STORE &&
        program_buffer(storing->program, statement->as.store.buffer)->space != SPACE_REGISTER)
        storing->to_memory = true;
    statement_children(statement, note_store, storing);
}

/* The last of the statements, if those before it store nothing in memory. */
static const struct statement *last_of(const struct program *program, const struct statement *body)
{
    struct storing storing = {.program = program};
    while (body && body->kind == STATEMENT_BLOCK) {
        const size_t count = body->as.block.count;
        for (size_t i = 0; i + 1 < count; i++)
            note_store(body->as.block.item[i], &storing);
        body = count ? body->as.block.item[count - 1] : NULL;
    }
    return storing.to_memory ? NULL : body;
}

const struct statement *bypass_store_of(const struct program *program, const struct statement *loop)
{
    const struct expr *variable = loop->as.loop.variable;
    const struct statement *store = loop->as.loop.body;
    if (loop->as.loop.level == LEVEL_TURNED) {
        store = last_of(program, store);
        if (!store || store->kind != STATEMENT_LOOP)
            return NULL;
        variable = store->as.loop.variable;
        store = last_of(program, store->as.loop.body);
    } else if (loop->as.loop.level == LEVEL_VECTOR || loop->as.loop.level == LEVEL_LOOKED_UP ||
               (loop->as.loop.level == LEVEL_SERIAL && !loop->as.loop.reversed)) {
        store = last_of(program, store);
    } else {
        return NULL;
    }
    return store && store->kind == STATEMENT_STORE &&
                   holds_image(program_buffer(program, store->as.store.buffer)) &&
                   store->as.store.index[store->as.store.rank - 1] == variable
               ? store
               : NULL;
}
