/* map_parallelism: loop → loop. The outermost loop of each kernel runs on threads, innermost loops in
 * vector lanes, where the target has them.
 *   before: kernel blur { loop y { loop x … } }
 *   after:  kernel blur { loop y threads { loop x vector … } }
 * Every loop over a stage's box is independent; loops of reductions, which store to a register that
 * lives longer than one iteration, stay serial. */
#include "pass.h"

struct mapping {
    struct pass_context *context;
    const struct program *in;
    bool inside_threads;
};

struct contents {
    const struct program *in;
    bool loop, carried; /* holds a loop; stores to a register allocated outside */
    VECTOR(uint32_t) own;
    struct arena *scratch;
};

static void look(const struct statement *statement, void *user)
{
    struct contents *c = user;
    if (statement->kind == STATEMENT_LOOP)
        c->loop = true;
    if (statement->kind == STATEMENT_ALLOCATE)
        VECTOR_PUSH(c->scratch, &c->own, statement->as.allocate.buffer.index);
    if (statement->kind == STATEMENT_STORE &&
        program_buffer(c->in, statement->as.store.buffer)->space == SPACE_REGISTER &&
        statement->as.store.rank == 0) {
        bool own = false;
        for (size_t i = 0; i < c->own.count; i++)
            own = own || c->own.item[i] == statement->as.store.buffer.index;
        c->carried = c->carried || !own;
    }
    statement_children(statement, look, c);
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct mapping *m = user;
    if (statement->kind != STATEMENT_LOOP)
        return statement_rebuild(m->context->output, statement, visit, m);
    struct contents contents = {.in = m->in, .scratch = m->context->scratch};
    look(statement->as.loop.body, &contents);
    struct statement loop = *statement;
    const bool outermost = !m->inside_threads;
    const bool is_serial = loop.as.loop.level == LEVEL_SERIAL && !contents.carried;
    if (is_serial && outermost && m->context->target->has_threads)
        loop.as.loop.level = LEVEL_THREADS;
    else if (is_serial && !contents.loop && m->context->target->has_vectors)
        loop.as.loop.level = LEVEL_VECTOR;
    m->inside_threads = true;
    loop.as.loop.body = visit(statement->as.loop.body, m);
    m->inside_threads = !outermost;
    return statement_new(m->context->output, loop);
}

const struct program *map_parallelism(const struct program *in, struct pass_context *context)
{
    if (!context->target->has_threads && !context->target->has_vectors)
        return in;
    struct program *out = program_copy(context->output, in);
    struct mapping m = {context, in, false};
    out->body = visit(in->body, &m);
    return out;
}
