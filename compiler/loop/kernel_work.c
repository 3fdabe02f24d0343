#include "loop/kernel_work.h"

#include "analysis/cost.h"
#include "analysis/inside.h"
#include "expr/affine.h"
#include "loop/rewrite.h"

#include <math.h>

/* How often something is done: by all threads, and by one for which all conditions hold. */
struct times {
    double all, own;
};

/* Loads at places of one row, or column, that a thread takes several samples of: a compiler loads a
 * place once. */
struct window {
    const struct expr *load; /* the first one */
    unsigned along;          /* the operand that names the place */
    struct affine rest;      /* of it, without the thread's sample and the constant */
    int64_t least, greatest, loads;
    struct times times;
    double samples;
};

struct counting {
    const struct work_setting *setting;
    struct expr_rewriter numbers; /* of extents */
    VECTOR(struct let_name) names;
    VECTOR(const struct statement *) loops; /* around the statement at hand */
    double *loaded, *stored;                /* samples, by buffer */
    struct times times;                     /* of the statement at hand */
    double beside;                          /* samples of a load of it */
    /* The loop around it over samples of a thread that are not of one row; NULL: there is none. */
    const struct statement *together;
    VECTOR(struct window) windows; /* of that loop */
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
        .times = {1, 1},
        .beside = 1,
        .work = {.known = true}};
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

static void count_operations(struct counting *c, struct times times, double operations)
{
    c->work.all.operations += times.all * operations;
    c->work.own.operations += times.own * operations;
}

/* Accesses to memory or to that which blocks share: a bank gives a word at a time. */
static void count_access(struct counting *c, const struct buffer *buffer, struct times times,
                         double samples)
{
    enum { WORD = 4 };
    const double words = samples * scalar_info[buffer->scalar].bytes / WORD;
    if (!buffer_is_in_memory(buffer) && buffer->space != SPACE_SHARED)
        return;
    count_operations(c, times, 1);
    c->work.all.words += times.all * (words > 1 ? words : 1);
    c->work.own.words += times.own * (words > 1 ? words : 1);
}

static bool is_same(const struct affine *a, const struct affine *b)
{
    const struct affine difference = affine_sum(*a, *b, -1);
    return difference.exact && difference.count == 0 && difference.constant == 0;
}

static struct window *window_of(struct counting *c, const struct window *window)
{
    const struct expr *load = window->load;
    for (size_t i = 0; i < c->windows.count; i++) {
        struct window *known = &c->windows.item[i];
        bool same = known->load->as.load.source == load->as.load.source &&
                    known->along == window->along && known->samples == window->samples &&
                    known->times.all == window->times.all && is_same(&known->rest, &window->rest);
        for (unsigned k = 0; k < load->count && same; k++)
            same = k == window->along || known->load->operand[k] == load->operand[k];
        if (same)
            return known;
    }
    VECTOR_PUSH(scratch_of(c), &c->windows, *window);
    return &c->windows.item[c->windows.count - 1];
}

/* Whether the load is of a window of the loop around it; counted at the end of that, then. */
static bool joins_window(struct counting *c, const struct expr *load)
{
    const struct expr *variable = c->together ? c->together->as.loop.variable : NULL;
    struct window window = {.load = load, .along = load->count, .samples = c->beside};
    struct affine place;
    for (unsigned k = 0; variable && k < load->count; k++) {
        if (!expr_contains(scratch_of(c), load->operand[k], variable))
            continue;
        place = affine_from(load->operand[k]);
        if (window.along < load->count || !place.exact || affine_coefficient(&place, variable) != 1)
            return false;
        window.along = k;
    }
    if (window.along == load->count)
        return false;
    window.rest = affine_without(place, variable);
    window.rest.constant = 0;
    window.times = c->times;
    struct window *known = window_of(c, &window);
    known->least = !known->loads || place.constant < known->least ? place.constant : known->least;
    known->greatest =
        !known->loads || place.constant > known->greatest ? place.constant : known->greatest;
    known->loads++;
    return true;
}

static void count_load(const struct expr *node, void *user)
{
    struct counting *c = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct buffer *buffer = memory_of(c, node->as.load.source);
    if (buffer_is_in_memory(buffer))
        c->loaded[buffer->id.index] += c->times.all * c->beside;
    if (!joins_window(c, node))
        count_access(c, buffer, c->times, c->beside);
}

/* rows: samples that the thread has along the loop. */
static void count_windows(struct counting *c, double rows)
{
    for (size_t i = 0; i < c->windows.count; i++) {
        const struct window *w = &c->windows.item[i];
        const double all = (double)w->loads * rows,
                     places = (double)(w->greatest - w->least) + rows;
        const double of_row = (places < all ? places : all) / rows;
        count_access(c, memory_of(c, w->load->as.load.source),
                     (struct times){w->times.all * of_row, w->times.own * of_row}, w->samples);
    }
    c->windows.count = 0;
}

static void count_expression(const struct expr *node, void *user)
{
    struct counting *c = user;
    count_operations(c, c->times, (double)cost_with_loads(scratch_of(c), node, 0));
    expr_nodes(scratch_of(c), node, count_load, c);
}

static void count_statement(const struct statement *s, void *user);

static void count_loop(struct counting *c, const struct statement *loop)
{
    const enum parallel_level level = loop->as.loop.level;
    const double number = number_of(c, loop->as.loop.extent), count = number > 0 ? number : 0;
    const struct times times = c->times;
    const bool of_threads = level == LEVEL_GRID_X || level == LEVEL_GRID_Y ||
                            level == LEVEL_GRID_Z || level == LEVEL_BLOCK_X ||
                            level == LEVEL_BLOCK_Y;
    const bool is_window = loop->as.loop.together && !c->together && count > 0;
    c->times.all *= count;
    c->times.own *= of_threads ? 1 : count;
    c->together = is_window ? loop : c->together;
    VECTOR_PUSH(scratch_of(c), &c->loops, loop);
    count_statement(loop->as.loop.body, c);
    c->loops.count--;
    if (is_window) {
        count_windows(c, count);
        c->together = NULL;
    }
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
        c->stored[buffer->id.index] += c->times.all * samples;
    count_access(c, buffer, c->times, samples);
}

/* ---- Conditions ---- */

enum { CONDITIONS = 8, VARIABLES = 6, MOST_PLACES = 1 << 16 };

/* Conditions on the variables of loops of few places, threads among them: how often all hold.
 * Others do: blocks are inside of images. */
struct conditions {
    unsigned variables, count;
    const struct expr *variable[VARIABLES];
    int64_t extent[VARIABLES];
    struct {
        bool equal; /* the sum is 0, and not below it */
        int64_t rest, coefficient[VARIABLES];
    } of[CONDITIONS];
};

/* The places of a loop that begins at 0; 0: they are many, or not known. */
static int64_t places_of(const struct statement *loop)
{
    const struct expr *first = loop->as.loop.first, *extent = loop->as.loop.extent;
    const bool few = first->kind == EXPR_INTEGER && first->as.integer == 0 &&
                     extent->kind == EXPR_INTEGER && extent->as.integer <= MOST_PLACES;
    return few ? extent->as.integer : 0;
}

/* The number of the variable; VARIABLES: it is none of such a loop, or there are too many. */
static unsigned variable_of(const struct counting *c, struct conditions *all,
                            const struct expr *atom)
{
    for (unsigned v = 0; v < all->variables; v++)
        if (all->variable[v] == atom)
            return v;
    for (size_t i = 0; i < c->loops.count && all->variables < VARIABLES; i++) {
        const int64_t places = places_of(c->loops.item[i]);
        if (c->loops.item[i]->as.loop.variable != atom || !places)
            continue;
        all->variable[all->variables] = atom;
        all->extent[all->variables] = places;
        return all->variables++;
    }
    return VARIABLES;
}

/* Sum below 0, or equal to it. */
static void add_sum(struct counting *c, struct conditions *all, struct affine sum, bool equal)
{
    if (!sum.exact || all->count == CONDITIONS)
        return;
    struct affine rest = sum;
    int64_t coefficient[VARIABLES] = {0};
    for (unsigned t = 0; t < sum.count; t++) {
        const unsigned v = variable_of(c, all, sum.term[t].atom);
        if (v == VARIABLES)
            continue;
        coefficient[v] = sum.term[t].coefficient;
        rest = affine_without(rest, sum.term[t].atom);
    }
    const struct inside_value value =
        inside_value_of(scratch_of(c), affine_build(c->setting->pool, &rest));
    if (!value.known || rest.count == sum.count)
        return;
    all->of[all->count].equal = equal;
    all->of[all->count].rest = value.value;
    memcpy(all->of[all->count].coefficient, coefficient, sizeof coefficient);
    all->count++;
}

static void add_conditions(struct counting *c, struct conditions *all, const struct expr *node)
{
    const struct expr *const *of = node->operand;
    if (node->kind == EXPR_AND) {
        add_conditions(c, all, of[0]);
        add_conditions(c, all, of[1]);
    } else if (node->kind == EXPR_LESS || node->kind == EXPR_EQUAL) {
        add_sum(c, all, affine_sum(affine_from(of[0]), affine_from(of[1]), -1),
                node->kind == EXPR_EQUAL);
    } else if (node->kind == EXPR_LESS_EQUAL) {
        struct affine sum = affine_sum(affine_from(of[0]), affine_from(of[1]), -1);
        sum.constant--;
        add_sum(c, all, sum, false);
    }
}

static bool hold_at(const struct conditions *all, const int64_t place[])
{
    bool hold = true;
    for (unsigned i = 0; i < all->count && hold; i++) {
        int64_t sum = all->of[i].rest;
        for (unsigned v = 0; v < all->variables; v++)
            sum += all->of[i].coefficient[v] * place[v];
        hold = all->of[i].equal ? sum == 0 : sum < 0;
    }
    return hold;
}

/* Of all places of the loops around it, those where the condition holds: 0 to 1. */
static double share_of(struct counting *c, const struct expr *condition)
{
    struct conditions all = {0};
    int64_t place[VARIABLES] = {0}, places = 0, holding = 0;
    double product = 1;
    add_conditions(
        c, &all,
        names_replaced(c->setting->pool, scratch_of(c), condition, c->names.count, c->names.item));
    for (unsigned v = 0; v < all.variables; v++)
        product *= (double)all.extent[v];
    if (!all.variables || product > MOST_PLACES)
        return 1;
    for (unsigned v = 0; v < all.variables;) {
        places++;
        holding += hold_at(&all, place);
        for (v = 0; v < all.variables && ++place[v] == all.extent[v]; v++)
            place[v] = 0;
    }
    return holding ? (double)holding / (double)places : 1;
}

/* A condition is one of blocks inside of images, or of threads and places that have a sample. */
static void count_branch(struct counting *c, const struct statement *branch)
{
    const struct times times = c->times;
    c->times.all *= share_of(c, branch->as.branch.condition);
    count_statement(branch->as.branch.then, c);
    c->times = times;
}

static void count_statement(const struct statement *s, void *user)
{
    struct counting *c = user;
    const size_t names = c->names.count;
    switch ((int)s->kind) {
    case STATEMENT_LOOP:
        count_loop(c, s);
        break;
    case STATEMENT_IF:
        count_branch(c, s);
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
