/* plan_memory: loop → loop. Assigns memory to scratch buffers. Two buffers with the same extents
 * and element size share a slot if the last reader of one runs before the other is written.
 *   before: a, b, c in scratch, each read by the next      after: a and c in slot 0, b in slot 1 */
#include "loop_pass.h"

struct lifetime {
    size_t first, last; /* kernels, by their place in the program */
};

struct planning {
    const struct program *in;
    struct lifetime *life; /* by buffer */
    size_t kernel;
};

static void touch(struct planning *p, uint32_t buffer)
{
    if (p->life[buffer].first == SIZE_MAX)
        p->life[buffer].first = p->kernel;
    p->life[buffer].last = p->kernel;
    if (p->in->buffers.item[buffer].space == SPACE_PART)
        touch(p, p->in->buffers.item[buffer].within.index);
}

static void note_load(const struct expr *node, void *user)
{
    if (node->kind == EXPR_LOAD)
        touch(user, node->as.load.source);
}

static void note_store(const struct statement *statement, void *user)
{
    if (statement->kind == STATEMENT_STORE)
        touch(user, statement->as.store.buffer.index);
    if (statement->kind == STATEMENT_TRANSFORM)
        touch(user, statement->as.transform.table.index);
    if (statement->kind == STATEMENT_PARTICLES)
        for (unsigned i = 0; i < particle_call_info[statement->as.particles.call].count; i++)
            touch(user, statement->as.particles.buffer[i].index);
    if (statement->kind == STATEMENT_KERNEL && statement->as.kernel.windows) {
        const struct kernel_windows *w = statement->as.kernel.windows;
        touch(user, w->structure.index);
        touch(user, w->values.index);
        touch(user, w->results.index);
        touch(user, w->room.index);
    }
    statement_children(statement, note_store, user);
}

static bool same_memory(const struct buffer *a, const struct buffer *b)
{
    if (a->rank != b->rank || scalar_info[a->scalar].bytes != scalar_info[b->scalar].bytes)
        return false;
    for (unsigned k = 0; k < a->rank; k++)
        if (a->axis[k].extent != b->axis[k].extent)
            return false;
    return true;
}

struct slot_state {
    size_t busy_until; /* the last kernel that uses it */
};

const struct program *plan_memory(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    const size_t count = in->buffers.count;
    struct planning p = {.in = in,
                         .life = ARENA_ARRAY(context->scratch, struct lifetime, count + 1)};
    for (size_t i = 0; i < count; i++)
        p.life[i].first = SIZE_MAX;
    const bool many = in->body->kind == STATEMENT_BLOCK;
    const size_t kernels = many ? in->body->as.block.count : 1;
    for (size_t i = 0; i < kernels; i++) {
        const struct statement *kernel = many ? in->body->as.block.item[i] : in->body;
        p.kernel = i;
        note_store(kernel, &p);
        statement_nodes(context->scratch, kernel, note_load, &p);
    }
    VECTOR(struct slot_state) state = {0};
    out->slots.count = out->slots.capacity = 0;
    /* Buffers stand in the order of the kernels that write them, but for tables, which are filled
     * first: they take memory of their own, and may leave it to others. */
    for (size_t i = 0; i < count; i++) {
        struct buffer *buffer = &out->buffers.item[i];
        if (buffer->space != SPACE_SCRATCH)
            continue;
        size_t s = 0;
        while (s < state.count && (state.item[s].busy_until >= p.life[i].first ||
                                   !same_memory(program_buffer(out, out->slots.item[s]), buffer)))
            s++;
        if (s == state.count) {
            VECTOR_PUSH(context->scratch, &state, (struct slot_state){0});
            VECTOR_PUSH(context->output, &out->slots, buffer->id);
        }
        state.item[s].busy_until = p.life[i].last;
        buffer->slot = (uint32_t)s;
    }
    return out;
}
