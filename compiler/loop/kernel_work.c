#include "loop/kernel_work.h"

#include "analysis/cost.h"
#include "analysis/inside.h"

struct name {
    const struct expr *variable, *value;
};

struct counting {
    struct expr_pool *pool;
    struct arena *scratch;
    const struct program *program;
    const struct expr *(*number)(const struct expr *node, void *user);
    void *user;
    int64_t load;
    VECTOR(struct name) names;
    double *loaded, *stored; /* samples, by buffer */
    double times;            /* that the statement at hand is done, by all threads */
    double beside;           /* samples of a load of it */
    struct kernel_work work;
};

/* ---- Numbers ---- */

static const struct expr *with_names(const struct counting *c, const struct expr *node)
{
    for (size_t i = c->names.count; i-- > 0;)
        node = expr_substitute(c->pool, c->scratch, node, c->names.item[i].variable,
                               c->names.item[i].value);
    return node;
}

/* Values of extents follow from those of inputs. */
static const struct expr *as_number(const struct counting *c, const struct expr *node)
{
    struct expr_rewriter rewriter = {
        .pool = c->pool, .rule = c->number, .context = c->user, .scratch = c->scratch};
    for (size_t i = 0; i < c->program->values.count; i++) {
        const struct named_value *value = &c->program->values.item[i];
        const struct expr *known = expr_rewrite(&rewriter, value->value);
        hash_map_put(c->scratch, &rewriter.done, value->variable, (void *)(uintptr_t)known);
    }
    return expr_rewrite(&rewriter, node);
}

static double number_of(struct counting *c, const struct expr *node)
{
    const struct expr *whole = with_names(c, node);
    const struct expr *known = as_number(c, whole);
    if (known->kind == EXPR_INTEGER)
        return (double)known->as.integer;
    const struct inside_value inside = inside_value_of(c->scratch, whole);
    c->work.known = c->work.known && inside.known;
    return inside.known ? (double)inside.value : 1;
}

/* ---- Statements ---- */

static bool is_memory(const struct buffer *buffer)
{
    return buffer->space == SPACE_INPUT || buffer->space == SPACE_OUTPUT ||
           buffer->space == SPACE_SCRATCH;
}

static const struct buffer *memory_of(const struct counting *c, uint32_t id)
{
    const struct buffer *buffer = &c->program->buffers.item[id];
    return program_buffer(c->program, buffer_memory(buffer));
}

/* An access to memory or to that which blocks share: a bank gives a word at a time. */
static void count_access(struct counting *c, const struct buffer *buffer, double samples)
{
    enum { WORD = 4 };
    const double words = samples * scalar_info[buffer->scalar].bytes / WORD;
    if (is_memory(buffer) || buffer->space == SPACE_SHARED)
        c->work.operations += c->times * (double)c->load * (words > 1 ? words : 1);
}

static void count_load(const struct expr *node, void *user)
{
    struct counting *c = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct buffer *buffer = memory_of(c, node->as.load.source);
    if (is_memory(buffer))
        c->loaded[buffer->id.index] += c->times * c->beside;
    count_access(c, buffer, c->beside);
}

static void count_expression(const struct expr *node, void *user)
{
    struct counting *c = user;
    c->work.operations += c->times * (double)cost_with_loads(c->scratch, node, 0);
    expr_nodes(c->scratch, node, count_load, c);
}

static void count_statement(const struct statement *s, void *user);

static void count_loop(struct counting *c, const struct statement *loop)
{
    const enum parallel_level level = loop->as.loop.level;
    const double times = c->times, count = number_of(c, loop->as.loop.extent);
    c->times *= count > 0 ? count : 0;
    if (level == LEVEL_GRID_X || level == LEVEL_GRID_Y || level == LEVEL_GRID_Z ||
        level == LEVEL_BLOCK_X || level == LEVEL_BLOCK_Y)
        c->work.threads *= count > 0 ? count : 0;
    count_statement(loop->as.loop.body, c);
    c->times = times;
}

static void count_store(struct counting *c, const struct statement *store)
{
    const struct buffer *buffer = memory_of(c, store->as.store.buffer.index);
    const double samples = store->as.store.beside ? store->as.store.beside : 1;
    c->beside = samples;
    statement_expressions(store, count_expression, c);
    c->beside = 1;
    if (is_memory(buffer))
        c->stored[buffer->id.index] += c->times * samples;
    count_access(c, buffer, samples);
}

/* Conditions hold: those of blocks inside of images, of threads that have a sample. */
static void count_statement(const struct statement *s, void *user)
{
    struct counting *c = user;
    const size_t names = c->names.count;
    switch ((int)s->kind) {
    case STATEMENT_LOOP:
        count_loop(c, s);
        break;
    case STATEMENT_IF:
        count_statement(s->as.branch.then, c);
        break;
    case STATEMENT_LET:
        statement_expressions(s, count_expression, c);
        VECTOR_PUSH(c->scratch, &c->names, (struct name){s->as.let.variable, s->as.let.value});
        break;
    case STATEMENT_STORE:
        count_store(c, s);
        break;
    default:
        statement_children(s, count_statement, c);
    }
    if (s->kind == STATEMENT_BLOCK)
        c->names.count = names;
}

/* Of an image in memory no more than it has. */
static double bytes_of(struct counting *c, const double samples[])
{
    double bytes = 0;
    for (size_t i = 0; i < c->program->buffers.count; i++) {
        const struct buffer *buffer = &c->program->buffers.item[i];
        double all = 1;
        if (samples[i] == 0)
            continue;
        for (unsigned k = 0; k < buffer->rank; k++)
            all *= number_of(c, buffer->axis[k].extent);
        bytes += (samples[i] < all ? samples[i] : all) * scalar_info[buffer->scalar].bytes;
    }
    return bytes;
}

struct kernel_work kernel_work_of(struct expr_pool *pool, struct arena *scratch,
                                  const struct program *program, const struct statement *kernel,
                                  const struct expr *(*number)(const struct expr *node, void *user),
                                  void *user, int64_t load)
{
    const size_t buffers = program->buffers.count + 1;
    struct counting c = {.pool = pool,
                         .scratch = scratch,
                         .program = program,
                         .number = number,
                         .user = user,
                         .load = load,
                         .loaded = ARENA_ARRAY(scratch, double, buffers),
                         .stored = ARENA_ARRAY(scratch, double, buffers),
                         .times = 1,
                         .beside = 1,
                         .work = {.threads = 1, .known = true}};
    count_statement(kernel->as.kernel.body, &c);
    c.work.read = bytes_of(&c, c.loaded);
    c.work.written = bytes_of(&c, c.stored);
    return c.work;
}
