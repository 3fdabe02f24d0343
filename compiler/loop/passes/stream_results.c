/* stream_results: loop → loop. Loops that write rows of images which are not read in the same kernel store them past the
 * caches, where the image is so large that it would not stay there: a store into a cache reads what it replaces first.
 *   before: loop x from 0 extent in.x vector { store out[y, x] = … }
 *   after:  loop x from 0 extent in.x vector streamed { … }
 * Nothing else changes. How large is large, emitted code asks when it runs. */
#include "pass.h"
#include "loop/streams.h"

struct streaming {
    const struct program *in;
    struct pass_context *context;
    uint32_t kernel;   /* at hand, from 1 */
    uint32_t *read_in; /* by buffer: the last kernel that reads it */
};

static void note_load(const struct expr *node, void *user)
{
    struct streaming *s = user;
    if (node->kind == EXPR_LOAD)
        s->read_in[node->as.load.source] = s->kernel;
}

/* A table: its size is known, and small. */
static bool is_small(const struct buffer *buffer)
{
    enum { SMALL = 1 << 20 };
    int64_t samples = 1;
    for (unsigned k = 0; k < buffer->rank && samples < SMALL; k++) {
        if (buffer->axis[k].extent->kind != EXPR_INTEGER)
            return false;
        samples *= buffer->axis[k].extent->as.integer;
    }
    return samples < SMALL;
}

/* A few samples at a border, or of an axis such as that of colours. */
static bool is_short(const struct expr *extent)
{
    enum { SHORT = 64 };
    return extent->kind == EXPR_INTEGER && extent->as.integer < SHORT;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct streaming *s = user;
    if (statement->kind == STATEMENT_KERNEL) {
        s->kernel++;
        statement_nodes(s->context->scratch, statement, note_load, s);
    }
    if (statement->kind == STATEMENT_LOOP) {
        const struct statement *store = stream_store_of(s->in, statement);
        const bool turned = statement->as.loop.level == LEVEL_TURNED;
        if (store && s->read_in[store->as.store.buffer.index] != s->kernel &&
            !is_small(program_buffer(s->in, store->as.store.buffer)) &&
            (turned || !is_short(statement->as.loop.extent))) {
            struct statement streamed = *statement;
            streamed.as.loop.streamed = true;
            return statement_new(s->context->output, streamed);
        }
    }
    return statement_rebuild(s->context->output, statement, visit, s);
}

const struct program *stream_results(const struct program *in, struct pass_context *context)
{
    if (!context->target->has_streams)
        return in;
    struct program *out = program_copy(context->output, in);
    struct streaming s = {in, context, 0,
                          ARENA_ARRAY(context->scratch, uint32_t, in->buffers.count + 1)};
    out->body = visit(in->body, &s);
    return out;
}
