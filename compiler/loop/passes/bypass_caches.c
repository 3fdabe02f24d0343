/* bypass_caches: loop → loop. Loops that write rows of an image that the same kernel does not read
 * use non-temporal stores if the image is too large to stay in cache: an ordinary store first reads
 * the cache line that it replaces.
 *   before: loop x from 0 extent in.x vector { store out[y, x] = … }
 *   after:  loop x from 0 extent in.x vector bypassing { … }
 * Prefetches beside rows that are not bypassing are dropped. Nothing else changes. Emitted code
 * decides at run time whether the image is large. */
#include "loop_pass.h"
#include "loop/cache_bypass.h"
#include "graph/placement/choose.h"

struct bypassing_stores {
    const struct program *in;
    struct program *out;
    struct pass_context *context;
    uint32_t kernel;   /* at hand, from 1 */
    uint32_t *read_in; /* by buffer: the last kernel that reads it */
};

static void note_load(const struct expr *node, void *user)
{
    struct bypassing_stores *s = user;
    if (node->kind == EXPR_LOAD)
        s->read_in[node->as.load.source] = s->kernel;
}

/* A table: its size is known, and small. */
static bool is_small(const struct bypassing_stores *s, const struct buffer *buffer)
{
    const int64_t few = choice_value(s->context, CHOICE_BYPASS_SAMPLES);
    int64_t samples = 1;
    for (unsigned k = 0; k < buffer->rank && samples < few; k++) {
        if (buffer->axis[k].extent->kind != EXPR_INTEGER)
            return false;
        samples *= buffer->axis[k].extent->as.integer;
    }
    return samples < few;
}

/* A few samples at a border, or of an axis such as that of colours. */
static bool is_short(const struct expr *extent)
{
    enum { SHORT = 64 };
    return extent->kind == EXPR_INTEGER && extent->as.integer < SHORT;
}

static void search_bypassing(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || (statement->kind == STATEMENT_LOOP && statement->as.loop.bypassing);
    if (!*found)
        statement_children(statement, search_bypassing, found);
}

static bool is_beside(const struct statement *statement)
{
    return statement->kind == STATEMENT_PREFETCH && statement->as.prefetch.beside;
}

static const struct statement *drop_alone(struct bypassing_stores *s, const struct statement *block)
{
    const struct statement_list *list = &block->as.block;
    const struct statement **item =
        ARENA_ARRAY(s->context->scratch, const struct statement *, list->count + 1);
    bool bypasses = false;
    size_t first = list->count;
    for (size_t i = list->count; i-- > 0;) {
        search_bypassing(list->item[i], &bypasses);
        if (bypasses || !is_beside(list->item[i]))
            item[--first] = list->item[i];
    }
    return first == 0 ? block
                      : statement_block(s->context->output, block->span, list->count - first,
                                        item + first);
}

/* That stores to a buffer are as its schedule says, where it says that. */
static void note_obeyed(struct bypassing_stores *s, const struct buffer *buffer,
                        enum bypass_choice choice)
{
    const struct obeyed obeyed = {buffer->stage, DETAIL_STREAM};
    if (buffer->bypass == choice && buffer->stage)
        VECTOR_PUSH(s->context->output, &s->out->obeyed, obeyed);
}

/* Why stores of whole rows to the buffer go through the caches; NULL: they do not. */
static const char *reason_of_caches(const struct bypassing_stores *s, const struct buffer *buffer,
                                    const struct statement *loop)
{
    return s->read_in[buffer->id.index] == s->kernel ? "the same loops read it"
           : buffer->bypass == BYPASS_NEVER          ? "the schedule wants it in the caches"
           : is_small(s, buffer)                     ? "it is a small table"
           : loop->as.loop.level != LEVEL_TURNED && is_short(loop->as.loop.extent)
               ? "its rows are short"
               : NULL;
}

static void decline_bypass(struct bypassing_stores *s, const struct buffer *buffer,
                           const char *reason)
{
    if (buffer->bypass == BYPASS_ALWAYS && buffer->stage)
        decline_named(s->context, buffer->stage, buffer->span, DETAIL_STREAM, reason);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct bypassing_stores *s = user;
    if (statement->kind == STATEMENT_KERNEL) {
        s->kernel++;
        statement_nodes(s->context->scratch, statement, note_load, s);
    }
    const struct statement *store =
        statement->kind == STATEMENT_LOOP ? bypass_store_of(s->in, statement) : NULL;
    if (store) {
        const struct buffer *buffer = program_buffer(s->in, store->as.store.buffer);
        const char *reason = reason_of_caches(s, buffer, statement);
        if (reason) {
            decline_bypass(s, buffer, reason);
        } else {
            note_obeyed(s, buffer, BYPASS_ALWAYS);
            struct statement bypassing = *statement;
            bypassing.as.loop.bypassing = true;
            return statement_new(s->context->output, bypassing);
        }
    }
    statement = statement_rebuild(s->context->output, statement, visit, s);
    return statement->kind == STATEMENT_BLOCK ? drop_alone(s, statement) : statement;
}

const struct program *bypass_caches(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct bypassing_stores s = {in, out, context, 0,
                                 ARENA_ARRAY(context->scratch, uint32_t, in->buffers.count + 1)};
    for (size_t i = 0; i < in->buffers.count; i++)
        note_obeyed(&s, &in->buffers.item[i], BYPASS_NEVER);
    out->body = visit(in->body, &s);
    for (size_t i = 0; i < in->buffers.count; i++)
        decline_bypass(&s, &in->buffers.item[i], "its loops do not store rows sample by sample");
    return out;
}
