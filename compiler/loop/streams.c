#include "loop/streams.h"

static bool holds_image(const struct buffer *buffer)
{
    return buffer->rank > 0 &&
           (buffer->space == SPACE_OUTPUT || buffer->space == SPACE_SCRATCH ||
            buffer->space == SPACE_PART) &&
           !buffer_is_circular(buffer);
}

/* The last of the statements, if those before it are names. */
static const struct statement *last_behind_lets(const struct statement *body)
{
    if (body->kind != STATEMENT_BLOCK)
        return body;
    const size_t count = body->as.block.count;
    for (size_t i = 0; i + 1 < count; i++)
        if (body->as.block.item[i]->kind != STATEMENT_LET)
            return NULL;
    return count ? body->as.block.item[count - 1] : NULL;
}

const struct statement *stream_store_of(const struct program *program, const struct statement *loop)
{
    const struct expr *variable = loop->as.loop.variable;
    const struct statement *store = loop->as.loop.body;
    if (loop->as.loop.level == LEVEL_TURNED && store->kind == STATEMENT_LOOP) {
        variable = store->as.loop.variable;
        store = store->as.loop.body;
    } else if (loop->as.loop.level == LEVEL_VECTOR ||
               (loop->as.loop.level == LEVEL_SERIAL && !loop->as.loop.reversed)) {
        store = last_behind_lets(store);
    } else {
        return NULL;
    }
    return store && store->kind == STATEMENT_STORE &&
                   holds_image(program_buffer(program, store->as.store.buffer)) &&
                   store->as.store.index[store->as.store.rank - 1] == variable
               ? store
               : NULL;
}
