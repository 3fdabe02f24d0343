/* map_parallelism: loop → loop. Maps loops with independent iterations. The outermost ones of each
 * kernel run on threads, as long as they are directly nested and contain another loop; innermost
 * ones run in vector lanes, if the target has them.
 *   before: kernel blur { loop c independent { loop y independent { loop x independent … } } }
 *   after:  kernel blur { loop c threads { loop y threads { loop x vector … } } }
 * Afterwards no loop is `independent`; the remaining ones are serial. */
#include "loop_pass.h"

/* A loop over threads, and the one around it, whose body it is. */
struct spread {
    const struct statement *loop;
    const struct spread *around; /* NULL: none */
    bool said; /* by a schedule: threads share it and others of which that is said */
};

struct mapping {
    struct pass_context *context;
    struct program *out;
    const struct symbol *kernel; /* NULL: outside of kernels */
    bool in_threads;
    const struct spread *around; /* the statement at hand is its body; NULL: it is none of those */
};

static void look_for_loop(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_LOOP;
    if (!*found)
        statement_children(statement, look_for_loop, found);
}

/* Whether a loop only looks up samples of 8 or 16 bits in a table by others: lanes cannot, and
 * taking them apart costs more than it saves. Where places are computed, lanes pay. */
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

/* Whether the loop is over the same places in all iterations of those around, and all together are
 * not too many to be counted. */
static bool is_rectangular(const struct mapping *m, const struct statement *loop)
{
    const struct interval count = loop->as.loop.extent->interval;
    int64_t most = INT64_MAX / 2 / (count.greatest > 0 ? count.greatest : 1);
    bool counts = count.least >= 0;
    for (const struct spread *s = m->around; s; s = s->around) {
        const struct interval outer = s->loop->as.loop.extent->interval;
        counts = counts && outer.least >= 0;
        most /= outer.greatest > 0 ? outer.greatest : 1;
    }
    /* What depends on the caller's memory has no name yet. */
    for (size_t i = 0; i < m->out->skews.count; i++)
        counts = counts && !expr_contains(m->context->scratch, loop->as.loop.extent,
                                          m->out->skews.item[i].variable);
    const unsigned holds = loop->as.loop.first->holds | loop->as.loop.extent->holds;
    return counts && most > 0 && !(holds & (HOLDS_INDEX | HOLDS_LOCAL | HOLDS_LOAD));
}

static enum parallel_level level_of(const struct mapping *m, const struct statement *loop)
{
    const struct target *target = m->context->target;
    if (loop->as.loop.level != LEVEL_INDEPENDENT)
        return loop->as.loop.level;
    bool loop_inside = false;
    look_for_loop(loop->as.loop.body, &loop_inside);
    if (target->has_threads && m->kernel &&
        (!m->in_threads ||
         (m->around && !m->around->said && loop_inside && is_rectangular(m, loop))))
        return LEVEL_THREADS;
    return !loop_inside && target->has_vectors && !looks_up(loop) ? LEVEL_VECTOR : LEVEL_SERIAL;
}

/* The count by name: what launches kernels has to know it, too. */
static const struct expr *named_count(const struct mapping *m, const struct statement *loop)
{
    const struct expr *count = loop->as.loop.extent;
    if (count->count == 0)
        return count;
    const struct symbol *name =
        symbol_format(&m->context->session->symbols, "%s.%s.count", m->kernel->text,
                      loop->as.loop.variable->as.variable.name->text);
    const struct expr *variable =
        expr_variable(m->context->pool, VARIABLE_EXTENT, name, count->scalar, count->interval);
    VECTOR_PUSH(m->context->output, &m->out->values, (struct named_value){variable, count});
    return variable;
}

static const struct statement *visit(const struct statement *statement, void *user)
{
    struct mapping *m = user, inner = *m;
    inner.around = NULL;
    if (statement->kind == STATEMENT_KERNEL) {
        inner.kernel = statement->as.kernel.name;
        inner.in_threads = statement->as.kernel.alone;
    }
    if (statement->kind != STATEMENT_LOOP)
        return statement_rebuild(m->context->output, statement, visit, &inner);
    struct statement loop = *statement;
    loop.as.loop.level = level_of(m, statement);
    loop.as.loop.by = 0;
    const bool said = statement->as.loop.level == LEVEL_THREADS;
    const struct spread spread = {statement, m->around, said};
    if (loop.as.loop.level == LEVEL_THREADS) {
        inner.around = &spread;
        loop.as.loop.extent = m->around ? named_count(m, statement) : loop.as.loop.extent;
    }
    /* Threads are not started anew for each step of a serial loop. */
    inner.in_threads = inner.in_threads || loop.as.loop.level == LEVEL_THREADS ||
                       (m->kernel && statement->as.loop.level == LEVEL_SERIAL);
    loop.as.loop.body = visit(statement->as.loop.body, &inner);
    return statement_new(m->context->output, loop);
}

const struct program *map_parallelism(const struct program *in, struct pass_context *context)
{
    struct program *out = program_copy(context->output, in);
    struct mapping m = {.context = context, .out = out};
    out->body = visit(in->body, &m);
    return out;
}
