#include "loop/kernel_work.h"

#include "analysis/cost.h"
#include "analysis/inside.h"
#include "loop/rewrite.h"

#include <math.h>

struct counting {
    const struct work_setting *setting;
    struct expr_rewriter numbers; /* of extents */
    VECTOR(struct let_name) names;
    double *loaded, *stored; /* samples, by buffer */
    double times;            /* that the statement at hand is done, by all threads */
    double beside;           /* samples of a load of it */
    struct kernel_work work;
};

/* ---- Numbers ---- */

static struct arena *scratch_of(const struct counting *c)
{
    return c->setting->scratch;
}

/* Values of extents follow from those of inputs. */
static struct counting counting_of(const struct work_setting *setting)
{
    const struct program *program = setting->program;
    struct counting c = {
        .setting = setting,
        .numbers = {.pool = setting->pool,
                    .rule = setting->number,
                    .context = setting->context,
                    .scratch = setting->scratch},
        .loaded = ARENA_ARRAY(setting->scratch, double, program->buffers.count + 1),
        .stored = ARENA_ARRAY(setting->scratch, double, program->buffers.count + 1),
        .times = 1,
        .beside = 1,
        .work = {.threads = 1, .known = true}};
    for (size_t i = 0; i < program->values.count; i++) {
        const struct named_value *value = &program->values.item[i];
        const struct expr *known = expr_rewrite(&c.numbers, value->value);
        hash_map_put(setting->scratch, &c.numbers.done, value->variable, (void *)(uintptr_t)known);
    }
    return c;
}

static double number_of(struct counting *c, const struct expr *node)
{
    const struct expr *whole =
        names_replaced(c->setting->pool, scratch_of(c), node, c->names.count, c->names.item);
    const struct expr *known = expr_rewrite(&c->numbers, whole);
    if (known->kind == EXPR_INTEGER)
        return (double)known->as.integer;
    const struct inside_value inside = inside_value_of(scratch_of(c), whole);
    c->work.known = c->work.known && inside.known;
    return inside.known ? (double)inside.value : 1;
}

/* ---- Statements ---- */

static const struct buffer *memory_of(const struct counting *c, uint32_t id)
{
    const struct buffer *buffer = &c->setting->program->buffers.item[id];
    return program_buffer(c->setting->program, buffer_memory(buffer));
}

/* An access to memory or to that which blocks share: a bank gives a word at a time. */
static void count_access(struct counting *c, const struct buffer *buffer, double samples)
{
    enum { WORD = 4 };
    const double words = samples * scalar_info[buffer->scalar].bytes / WORD;
    if (buffer_is_in_memory(buffer) || buffer->space == SPACE_SHARED)
        c->work.operations += c->times * (double)c->setting->load * (words > 1 ? words : 1);
}

static void count_load(const struct expr *node, void *user)
{
    struct counting *c = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct buffer *buffer = memory_of(c, node->as.load.source);
    if (buffer_is_in_memory(buffer))
        c->loaded[buffer->id.index] += c->times * c->beside;
    count_access(c, buffer, c->beside);
}

static void count_expression(const struct expr *node, void *user)
{
    struct counting *c = user;
    c->work.operations += c->times * (double)cost_with_loads(scratch_of(c), node, 0);
    expr_nodes(scratch_of(c), node, count_load, c);
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
    if (buffer_is_in_memory(buffer))
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
        VECTOR_PUSH(scratch_of(c), &c->names,
                    (struct let_name){s->as.let.variable, s->as.let.value});
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
    for (size_t i = 0; i < c->setting->program->buffers.count; i++) {
        const struct buffer *buffer = &c->setting->program->buffers.item[i];
        double all = 1;
        if (samples[i] == 0)
            continue;
        for (unsigned k = 0; k < buffer->rank; k++)
            all *= number_of(c, buffer->axis[k].extent);
        bytes += (samples[i] < all ? samples[i] : all) * scalar_info[buffer->scalar].bytes;
    }
    return bytes;
}

static struct kernel_work work_of(struct counting *c)
{
    c->work.read = bytes_of(c, c->loaded);
    c->work.written = bytes_of(c, c->stored);
    return c->work;
}

struct kernel_work kernel_work_of(const struct work_setting *setting,
                                  const struct statement *kernel)
{
    struct counting c = counting_of(setting);
    count_statement(kernel->as.kernel.body, &c);
    return work_of(&c);
}

struct kernel_work kernel_work_least(const struct work_setting *setting)
{
    struct counting c = counting_of(setting);
    const struct program *program = setting->program;
    for (size_t i = 0; i < program->inputs.count; i++)
        c.loaded[program->inputs.item[i].index] = HUGE_VAL;
    for (size_t i = 0; i < program->outputs.count; i++)
        c.stored[program->outputs.item[i].index] = HUGE_VAL;
    return work_of(&c);
}

double work_times(const struct work_setting *setting, const struct expr *times, bool *known)
{
    struct counting c = counting_of(setting);
    const double number = number_of(&c, times);
    *known = *known && c.work.known;
    return number;
}
