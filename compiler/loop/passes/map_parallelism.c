/* map_parallelism: loop → loop. Of the loops whose iterations are independent, the outermost one of
 * each kernel runs on threads, innermost ones in vector lanes, where the target has them.
 *   before: kernel blur { loop y independent { loop x independent … } }
 *   after:  kernel blur { loop y threads { loop x vector … } }
 * Afterwards no loop is `independent`: what is left is serial. */
#include "pass.h"

struct mapping {
    struct pass_context *context;
    bool in_kernel, in_threads;
};

static void look_for_loop(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_LOOP;
    if (!*found)
        statement_children(statement, look_for_loop, found);
}

/* Whether a loop only looks up samples of 8 or 16 bits in a table by others: lanes cannot, and taking them apart costs more
 * than it saves. Where places are computed, lanes pay. */
static bool looks_up(const struct statement *loop)
{
    const struct statement *store = loop->as.loop.body;
    const struct expr *value = store->kind == STATEMENT_STORE ? store->as.store.value : NULL;
    bool found = false;
    for (unsigned k = 0; value && value->kind == EXPR_LOAD && k < value->count; k++) {
        const struct expr *place = value->operand[k];
        while (place->kind == EXPR_CONVERT)
            place = place->operand[0];
        found = found || place->kind == EXPR_LOAD;
    }
    return found && scalar_info[value->scalar].bytes < 4;
}

static enum parallel_level level_of(const struct mapping *m, const struct statement *loop)
{
    const struct target *target = m->context->target;
    if (loop->as.loop.level != LEVEL_INDEPENDENT)
        return loop->as.loop.level;
    if (m->in_kernel && !m->in_threads && target->has_threads)
        return LEVEL_THREADS;
    bool loop_inside = false;
    look_for_loop(loop->as.loop.body, &loop_inside);
    return !loop_inside && target->has_vectors && !looks_up(loop) ? LEVEL_VECTOR : LEVEL_SERIAL;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct mapping *m = user, inner = *m;
    if (statement->kind == STATEMENT_KERNEL)
        inner.in_kernel = true;
    if (statement->kind != STATEMENT_LOOP)
        return statement_rebuild(m->context->output, statement, visit, &inner);
    struct statement loop = *statement;
    loop.as.loop.level = level_of(m, statement);
    /* Threads are not started anew for each step of a serial loop. */
    inner.in_threads = inner.in_threads || loop.as.loop.level == LEVEL_THREADS ||
                       (m->in_kernel && statement->as.loop.level == LEVEL_SERIAL);
    loop.as.loop.body = visit(statement->as.loop.body, &inner);
    return statement_new(m->context->output, loop);
}

const struct program *map_parallelism(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct mapping m = {.context = context};
    out->body = visit(in->body, &m);
    return out;
}
