/* Executes loop programs, statement by statement, in the program's own precision. The threads of a
 * block run one after another from barrier to barrier; each has registers and variables of its own.
 * A read or write outside a buffer ends the run with a problem. */
#include "flt/particles.h"
#include "interpret/interpret.h"
#include "interpret/interpret_transform.h"
#include "interpret/particle_call_terms.h"
#include "interpret/places.h"

#include <stdio.h>
#include <stdlib.h>

/* The variables and registers of one thread of a block, while it waits at a barrier. */
struct thread {
    struct value *slot;
    size_t slots;            /* that there is room for */
    struct value *registers; /* by buffer id */
};

enum { MOST_TEAMS = 4 /* blocks inside of threads of blocks */, MOST_NAMES = 32 };

struct machine {
    const struct program *program;
    struct interpretation *run;
    struct evaluator evaluator;
    struct samples *buffer; /* by buffer id */
    /* Threads of the blocks that are being executed, the outermost first. The next block takes the
     * same. */
    struct {
        struct thread *thread;
        size_t room;
    } team[MOST_TEAMS];
    unsigned teams;
    bool stopped;
    /* Of the branches that are being executed, whether they are taken: a truth that depends on
     * samples, so that both branches are executed, and stores choose by it. */
    struct value taken;
    /* Names given since the last store: their values follow from what a store assumes, too. */
    struct {
        const struct statement *let[MOST_NAMES];
        struct value usual[MOST_NAMES];
        unsigned count;
    } named;
    /* Of the kernel over windows that is being executed. */
    const struct statement *kernel;
    const struct flt_apr_window *window;
    float *line;
};

static void stop(struct machine *m, const char *problem)
{
    if (!m->stopped)
        m->run->problem = problem;
    m->stopped = true;
}

/* Where a buffer keeps the sample, along axes that it holds in turn. */
static void place_in_turn(const struct machine *m, uint32_t id, int64_t index[])
{
    const struct buffer *buffer = &m->program->buffers.item[id];
    const struct samples *samples = &m->buffer[id];
    for (unsigned k = 0; k < buffer->rank; k++)
        if (buffer->axis[k].circular && index[k] >= samples->first[k])
            index[k] = samples->first[k] + (index[k] - samples->first[k]) % samples->extent[k];
}

static struct value load(const struct expr *node, const int64_t index[], void *context)
{
    struct machine *m = context;
    if (m->window && m->program->buffers.item[node->as.load.source].space == SPACE_WINDOW) {
        const struct kernel_windows *w = m->kernel->as.kernel.windows;
        const int64_t row = (index[0] - w->first[0]) * m->window->pitch + index[1] - w->first[1];
        return value_from_real(SCALAR_F32,
                               (long double)m->window->row[row][m->window->x + index[2]]);
    }
    const struct samples *samples = &m->buffer[node->as.load.source];
    int64_t place[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < node->count; k++) {
        const struct border *border = node->as.load.border ? &node->as.load.border[k] : NULL;
        const enum border_rule rule = border ? border->rule : BORDER_NONE;
        place[k] = index[k];
        if (rule == BORDER_NONE || rule == BORDER_EXTEND)
            continue;
        bool outside = false;
        place[k] =
            border_coordinate(rule, index[k], evaluate_once(&m->evaluator, border->first).integer,
                              evaluate_once(&m->evaluator, border->extent).integer, &outside);
        if (outside)
            return evaluate_once(&m->evaluator, border->value);
    }
    place_in_turn(m, node->as.load.source, place);
    if (!samples->data || !samples_contain(samples, place)) {
        if (m->evaluator.unused) {
            m->evaluator.outside = true;
            return (struct value){.integer = 0};
        }
        stop(m, arena_format(m->evaluator.arena, "fault: '%s' is read outside its memory",
                             m->program->buffers.item[node->as.load.source].name->text));
        return (struct value){.integer = 0};
    }
    return samples_read(samples, place);
}

static void box_of_load(const struct expr *node, unsigned axis, int64_t *first, int64_t *extent,
                        struct value *outside, void *context)
{
    struct machine *m = context;
    const struct border *border = &node->as.load.border[axis];
    *first = evaluate_once(&m->evaluator, border->first).integer;
    *extent = evaluate_once(&m->evaluator, border->extent).integer;
    if (border->value)
        *outside = evaluate_once(&m->evaluator, border->value);
}

static int64_t integer_of(struct machine *m, const struct expr *node)
{
    return evaluator_choose(&m->evaluator, evaluate_once(&m->evaluator, node));
}

/* What memory holds before anything is written to it. */
static void mark_unwritten(struct machine *m, const struct buffer *buffer, struct samples *samples)
{
    const struct expr *unwritten =
        terms_unwritten(m->run->terms, buffer->name->text, buffer->scalar);
    const size_t count = samples_count(samples);
    for (size_t i = 0; i < count; i++)
        samples->term[i] = unwritten;
}

static bool allocate_buffer(struct machine *m, uint32_t id)
{
    const struct buffer *buffer = &m->program->buffers.item[id];
    struct samples *samples = &m->buffer[id];
    samples_free(samples);
    samples->scalar = buffer->scalar;
    samples->rank = buffer->rank;
    for (unsigned k = 0; k < buffer->rank; k++) {
        samples->first[k] = integer_of(m, buffer->axis[k].first);
        samples->extent[k] = integer_of(m, buffer->axis[k].extent);
    }
    if (samples_allocate_with(samples, m->run->terms)) {
        if (samples->term)
            mark_unwritten(m, buffer, samples);
        return true;
    }
    stop(m, "there is not enough memory");
    return false;
}

static void execute(struct machine *m, const struct statement *statement);

/* What a store that joins leaves behind: of integers of 32 bits. */
static struct value joined(const struct machine *m, enum join join, const struct samples *samples,
                           const int64_t index[], struct value value)
{
    static const enum expr_kind kind[] = {
        [JOIN_SUM] = EXPR_ADD, [JOIN_MINIMUM] = EXPR_MINIMUM, [JOIN_MAXIMUM] = EXPR_MAXIMUM};
    const struct value before = samples_read(samples, index);
    const int64_t a = before.integer, b = value.integer;
    const bool taken = join == JOIN_MINIMUM ? b < a : b > a;
    struct value after = {.integer = join == JOIN_SUM ? a + b : taken ? b : a};
    if (m->run->terms)
        after = terms_binary(m->run->terms, kind[join], SCALAR_I64, before, value, after);
    const struct value kept = evaluate_convert(CONVERT_WRAP, SCALAR_I64, samples->scalar, after);
    return m->run->terms ? terms_convert(m->run->terms, CONVERT_WRAP, SCALAR_I64, samples->scalar,
                                         after, kept)
                         : kept;
}

static void store_sample(struct machine *m, const struct statement *statement, int64_t index[],
                         struct value taken, struct value value)
{
    const struct buffer *buffer = program_buffer(m->program, statement->as.store.buffer);
    const bool part = buffer->space == SPACE_PART;
    struct samples *samples = &m->buffer[part ? buffer->within.index : buffer->id.index];
    if (part && buffer_is_cut(m->program, buffer)) {
        const unsigned cut = buffer->cut;
        index[cut - 1] = index[cut - 1] * buffer->axis[cut].extent->as.integer + index[cut];
        for (unsigned k = cut; k + 1 < buffer->rank; k++)
            index[k] = index[k + 1];
    }
    place_in_turn(m, statement->as.store.buffer.index, index);
    if (!samples->data || !samples_contain(samples, index)) {
        if (taken.integer)
            stop(m, arena_format(
                        m->evaluator.arena, "fault: '%s' is written outside its memory",
                        m->program->buffers.item[statement->as.store.buffer.index].name->text));
        return;
    }
    if (statement->as.store.join)
        value = joined(m, statement->as.store.join, samples, index, value);
    if (taken.term) {
        const struct value before = samples_read(samples, index);
        value = terms_select(m->run->terms, samples->scalar, taken, value, before,
                             taken.integer ? value : before);
    }
    samples_write(samples, index, value);
}

static void execute_let(struct machine *m, const struct statement *let)
{
    const struct value value = evaluate_once(&m->evaluator, let->as.let.value);
    evaluator_set(&m->evaluator, let->as.let.variable, value);
    if (terms_are_of_samples(value) && m->named.count < MOST_NAMES) {
        m->named.let[m->named.count] = let;
        m->named.usual[m->named.count++] = value;
    }
}

/* The values of names under what is assumed. */
static void assume_names(struct machine *m)
{
    for (unsigned i = 0; i < m->named.count; i++)
        evaluator_set(&m->evaluator, m->named.let[i]->as.let.variable,
                      evaluate_once(&m->evaluator, m->named.let[i]->as.let.value));
}

static void restore_names(struct machine *m)
{
    for (unsigned i = 0; i < m->named.count; i++)
        evaluator_set(&m->evaluator, m->named.let[i]->as.let.variable, m->named.usual[i]);
}

struct storing {
    struct machine *m;
    const struct statement *statement;
};

static bool store_place(int64_t index[], struct value taken, void *context)
{
    const struct storing *s = context;
    assume_names(s->m);
    const struct value value = evaluate_once(&s->m->evaluator, s->statement->as.store.value);
    store_sample(s->m, s->statement, index, taken, value);
    return !s->m->stopped;
}

/* Whether so many samples from here are in one access: rows begin at a multiple of them. */
static bool begins_access(const struct machine *m, uint32_t id, const int64_t index[],
                          unsigned beside)
{
    const struct buffer *buffer = &m->program->buffers.item[id];
    const struct samples *samples = &m->buffer[id];
    const unsigned fastest = buffer->rank - 1;
    bool begins =
        buffer->space == SPACE_REGISTER || (index[fastest] - samples->first[fastest]) % beside == 0;
    if (buffer->space == SPACE_SHARED && fastest > 0)
        begins = begins && samples->extent[fastest] % beside == 0;
    return begins;
}

static void execute_stores_beside(struct machine *m, const struct statement *statement)
{
    const struct expr *from = statement->as.store.value;
    const unsigned rank = statement->as.store.rank, beside = statement->as.store.beside;
    int64_t to_index[GRAPH_MAX_RANK] = {0}, from_index[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < rank; k++)
        to_index[k] = integer_of(m, statement->as.store.index[k]);
    for (unsigned k = 0; k < from->count; k++)
        from_index[k] = integer_of(m, from->operand[k]);
    if (!begins_access(m, statement->as.store.buffer.index, to_index, beside) ||
        !begins_access(m, from->as.load.source, from_index, beside))
        stop(m, arena_format(
                    m->evaluator.arena, "fault: %u samples of '%s' begin inside of an access",
                    beside, m->program->buffers.item[statement->as.store.buffer.index].name->text));
    for (unsigned i = 0; i < beside && !m->stopped; i++) {
        const struct value value = load(from, from_index, m);
        store_sample(m, statement, to_index, m->taken, value);
        to_index[rank - 1]++;
        from_index[from->count - 1]++;
    }
}

static void execute_store(struct machine *m, const struct statement *statement)
{
    const struct buffer *buffer = program_buffer(m->program, statement->as.store.buffer);
    if (statement->as.store.beside) {
        execute_stores_beside(m, statement);
        return;
    }
    struct value target[GRAPH_MAX_RANK];
    int64_t index[GRAPH_MAX_RANK] = {0};
    bool is_chosen = false;
    for (unsigned k = 0; k < statement->as.store.rank; k++) {
        target[k] = evaluate_once(&m->evaluator, statement->as.store.index[k]);
        index[k] = target[k].integer;
        is_chosen = is_chosen || terms_are_of_samples(target[k]);
    }
    if (is_chosen) {
        struct storing storing = {m, statement};
        store_chosen(&m->evaluator, statement->as.store.rank, target, m->taken, store_place,
                     &storing);
        restore_names(m);
        m->named.count = 0;
        return;
    }
    m->named.count = 0;
    const struct value value = evaluate_once(&m->evaluator, statement->as.store.value);
    if (m->line && buffer->space == SPACE_LINE)
        m->line[index[0] * m->window->out_pitch + index[1]] = (float)value_real(SCALAR_F32, value);
    else
        store_sample(m, statement, index, m->taken, value);
}

/* Nothing happens, but emitted code forms the address of the first sample. */
static void check_prefetch(struct machine *m, const struct statement *s)
{
    const struct samples *samples = &m->buffer[s->as.prefetch.buffer.index];
    const unsigned fastest = s->as.prefetch.rank - 1;
    const int64_t extent = integer_of(m, s->as.prefetch.extent);
    int64_t index[GRAPH_MAX_RANK] = {0};
    for (unsigned k = 0; k < s->as.prefetch.rank; k++)
        index[k] = integer_of(m, s->as.prefetch.index[k]);
    bool inside = samples->data && samples_contain(samples, index);
    index[fastest] += extent > 0 ? extent - 1 : 0;
    inside = inside && samples_contain(samples, index);
    if (!inside)
        stop(m, arena_format(m->evaluator.arena, "fault: '%s' is prefetched outside its memory",
                             m->program->buffers.item[s->as.prefetch.buffer.index].name->text));
}

/* By the text that emitted code carries, so that the bits are the same. */
static void execute_transform(struct machine *m, const struct statement *s)
{
    const struct samples *table = &m->buffer[s->as.transform.table.index];
    const struct samples *panel = &m->buffer[s->as.transform.panel.index];
    const enum transform kind = s->as.transform.kind;
    const enum transform_norm norm = s->as.transform.norm;
    const int64_t n = integer_of(m, s->as.transform.extent);
    const bool prepares = s->as.transform.prepares, single = table->scalar == SCALAR_F32;
    struct value *before = NULL;
    if (!table->data || table->extent[0] < transform_table(kind, n) || !panel->data ||
        (!prepares && panel->extent[0] < transform_places(kind, n)))
        stop(m, "fault: a transform has too little memory");
    else if (panel->term && !prepares)
        before = panel_values(panel->scalar, n, panel->data, panel->term);
    if (m->stopped)
        return;
    if (prepares && single)
        transform_prepare_f32(kind, norm, n, (float *)(void *)table->data);
    else if (prepares)
        transform_prepare_f64(kind, norm, n, (double *)(void *)table->data);
    else if (single)
        transform_lines_f32(kind, norm, n, (const float *)(const void *)table->data,
                            (float *)(void *)panel->data);
    else
        transform_lines_f64(kind, norm, n, (const double *)(const void *)table->data,
                            (double *)(void *)panel->data);
    if (table->term && prepares)
        memset(table->term, 0, samples_count(table) * sizeof *table->term);
    if (before)
        panel_transformed(m->run->terms, kind, norm, panel->scalar, n, before, panel->data,
                          panel->term);
    free(before);
}

/* As emitted code calls it. */
static void execute_particles(struct machine *m, const struct statement *s)
{
    const struct particle_call_info *info = &particle_call_info[s->as.particles.call];
    const struct samples *given[MOST_PARTICLE_BUFFERS];
    void *data[MOST_PARTICLE_BUFFERS];
    size_t bytes[MOST_PARTICLE_BUFFERS];
    int64_t first[FLT_APR_AXES] = {0, 0, 0}, extent[FLT_APR_AXES] = {1, 1, 1};
    for (unsigned i = 0; i < info->count; i++) {
        given[i] = &m->buffer[s->as.particles.buffer[i].index];
        data[i] = given[i]->data;
        bytes[i] = samples_count(given[i]) * scalar_info[given[i]->scalar].bytes;
        if (!data[i]) {
            stop(m, "fault: particles have too little memory");
            return;
        }
    }
    for (unsigned k = 0; k < given[0]->rank && info->box != BOX_UNTOLD; k++) {
        first[FLT_APR_AXES - given[0]->rank + k] = given[0]->first[k];
        extent[FLT_APR_AXES - given[0]->rank + k] = given[0]->extent[k];
    }
    if (m->run->terms)
        particle_call_terms(m->run->terms, s->as.particles.call, given, first, extent);
    switch (s->as.particles.call) {
    case PARTICLES_PLACE:
        flt_apr_place(extent, data[0], data[1], data[2], bytes[2], data[3], bytes[3], 1);
        break;
    case PARTICLES_PLACE_GUIDED:
        flt_apr_place_guided(extent, data[0], data[1], data[2], data[3], data[4], bytes[4], data[5],
                             bytes[5], 1);
        break;
    case PARTICLES_PLACE_GIVEN:
        flt_apr_place_given(extent, data[0], data[1], bytes[1], data[2], bytes[2], 1);
        break;
    case PARTICLES_COUNT:
        flt_apr_cell_count(data[0], data[1]);
        break;
    case PARTICLES_LEVELS:
        flt_apr_cell_levels(data[0], data[1], 1);
        break;
    case PARTICLES_MEANS:
        flt_apr_cell_means(data[0], data[1], data[2], data[3], bytes[3], 1);
        break;
    case PARTICLES_GATHER:
        flt_apr_cell_gather(data[0], data[1], scalar_info[given[1]->scalar].bytes, data[2], 1);
        break;
    case PARTICLES_CONVOLVE:
        flt_apr_cell_convolve(data[0], data[1], data[2], data[3], data[4], data[5], bytes[5], 1);
        break;
    case PARTICLES_SPREAD:
        flt_apr_spread_part(first, extent, data[0], data[1], data[2],
                            scalar_info[given[2]->scalar].bytes, 1);
        break;
    case PARTICLE_CALLS:
        break;
    }
}

static void execute_window(const void *context, const struct flt_apr_window *window, int64_t count,
                           float *out)
{
    struct machine *m = *(struct machine *const *)context;
    const struct kernel_windows *w = m->kernel->as.kernel.windows;
    m->window = window;
    m->line = out;
    evaluator_set(&m->evaluator, w->lines, (struct value){.integer = window->lines});
    evaluator_set(&m->evaluator, w->cells, (struct value){.integer = count});
    execute(m, m->kernel->as.kernel.body);
    m->window = NULL;
    m->line = NULL;
}

/* As emitted code has it called. */
static void execute_windows(struct machine *m, const struct statement *kernel)
{
    if (m->run->terms)
        terms_uncover(m->run->terms, UNCOVERED_PARTICLES);
    const struct kernel_windows *w = kernel->as.kernel.windows;
    const struct samples *room = &m->buffer[w->room.index];
    struct flt_apr_reach reach;
    struct flt_apr_windows windows = {.reach = &reach, .reaches = 1};
    for (unsigned a = 0; a < FLT_APR_AXES; a++) {
        reach.first[a] = (int32_t)w->first[a];
        reach.extent[a] = (int32_t)w->extent[a];
        windows.border[a] = (int32_t)w->border[a];
    }
    m->kernel = kernel;
    flt_apr_cells_each((const void *)m->buffer[w->structure.index].data,
                       (const void *)m->buffer[w->values.index].data,
                       (void *)m->buffer[w->results.index].data, &windows, execute_window, &m,
                       room->data, samples_count(room), 1);
}

static void execute_loop(struct machine *m, const struct statement *loop)
{
    const int64_t first = integer_of(m, loop->as.loop.first);
    const int64_t extent = integer_of(m, loop->as.loop.extent);
    for (int64_t i = 0; i < extent && !m->stopped; i++) {
        const int64_t place = loop->as.loop.reversed ? extent - 1 - i : i;
        evaluator_set(&m->evaluator, loop->as.loop.variable,
                      (struct value){.integer = first + place});
        m->named.count = 0;
        execute(m, loop->as.loop.body);
    }
}

/* ---- Blocks of threads ---- */

struct barrier_search {
    bool found;
};

static void search_barrier(const struct statement *statement, void *context)
{
    struct barrier_search *search = context;
    search->found = search->found || statement->kind == STATEMENT_BARRIER;
    if (!search->found)
        statement_children(statement, search_barrier, search);
}

static bool has_barrier(const struct statement *statement)
{
    struct barrier_search search = {false};
    search_barrier(statement, &search);
    return search.found;
}

struct block {
    struct machine *m;
    struct thread *thread;
    size_t count;
};

/* Executing makes slots: expressions are compiled where they are met first. */
static void make_room(const struct machine *m, struct thread *thread)
{
    const struct evaluator *evaluator = &m->evaluator;
    if (thread->slots >= evaluator->slot_count)
        return;
    struct value *slot = ARENA_ARRAY(evaluator->arena, struct value, evaluator->slot_capacity);
    if (thread->slots)
        memcpy(slot, thread->slot, thread->slots * sizeof *slot);
    thread->slot = slot;
    thread->slots = evaluator->slot_capacity;
}

static struct value read_register(const struct samples *held)
{
    struct value value = value_read(held->data, held->scalar);
    value.term = held->term ? held->term[0] : NULL;
    return value;
}

static void write_register(struct samples *held, struct value value)
{
    value_write(held->data, held->scalar, value);
    if (held->term)
        held->term[0] = value.term;
}

/* Before anything is written to it. */
static struct value empty_register(const struct machine *m, size_t id)
{
    const struct buffer *buffer = &m->program->buffers.item[id];
    struct value value = {.integer = 0};
    if (m->run->terms && buffer->space == SPACE_REGISTER)
        value.term = terms_unwritten(m->run->terms, buffer->name->text, buffer->scalar);
    return value;
}

static void swap_in(struct machine *m, struct thread *thread)
{
    make_room(m, thread);
    memcpy(m->evaluator.slot, thread->slot, m->evaluator.slot_count * sizeof(struct value));
    for (size_t i = 0; i < m->program->buffers.count; i++)
        if (m->program->buffers.item[i].space == SPACE_REGISTER && m->buffer[i].data)
            write_register(&m->buffer[i], thread->registers[i]);
}

static void swap_out(struct machine *m, struct thread *thread)
{
    make_room(m, thread);
    memcpy(thread->slot, m->evaluator.slot, m->evaluator.slot_count * sizeof(struct value));
    for (size_t i = 0; i < m->program->buffers.count; i++)
        if (m->program->buffers.item[i].space == SPACE_REGISTER && m->buffer[i].data)
            thread->registers[i] = read_register(&m->buffer[i]);
}

/* Runs the statement in all threads; barriers are uniform, so they run in step from one to the
 * next. */
static void execute_block(struct block *block, const struct statement *statement)
{
    struct machine *m = block->m;
    if (statement->kind == STATEMENT_BARRIER)
        return;
    if (!has_barrier(statement)) {
        for (size_t t = 0; t < block->count && !m->stopped; t++) {
            swap_in(m, &block->thread[t]);
            execute(m, statement);
            swap_out(m, &block->thread[t]);
        }
        return;
    }
    if (statement->kind == STATEMENT_BLOCK) {
        for (size_t i = 0; i < statement->as.block.count && !m->stopped; i++)
            execute_block(block, statement->as.block.item[i]);
        return;
    }
    if (statement->kind == STATEMENT_IF) {
        swap_in(m, &block->thread[0]);
        if (integer_of(m, statement->as.branch.condition))
            execute_block(block, statement->as.branch.then);
        else if (statement->as.branch.otherwise)
            execute_block(block, statement->as.branch.otherwise);
        return;
    }
    if (statement->kind != STATEMENT_LOOP)
        return;
    swap_in(m, &block->thread[0]);
    const int64_t first = integer_of(m, statement->as.loop.first);
    const int64_t extent = integer_of(m, statement->as.loop.extent);
    const size_t slot = evaluator_slot(&m->evaluator, statement->as.loop.variable);
    for (int64_t i = 0; i < extent && !m->stopped; i++) {
        for (size_t t = 0; t < block->count; t++) {
            make_room(m, &block->thread[t]);
            block->thread[t].slot[slot].integer = first + i;
        }
        execute_block(block, statement->as.loop.body);
    }
}

static bool is_block_level(enum parallel_level level)
{
    return level == LEVEL_BLOCK_X || level == LEVEL_BLOCK_Y;
}

/* So many threads that begin with what is known around the block, and empty registers. They are
 * those of the block before, if that was no smaller: a grid has many. NULL: there are too many
 * blocks in one another. */
static struct thread *begin_team(struct machine *m, size_t count)
{
    if (m->teams == MOST_TEAMS)
        return NULL;
    const size_t registers = m->program->buffers.count;
    const size_t known = m->team[m->teams].room;
    if (known < count) {
        struct thread *thread = ARENA_ARRAY(m->evaluator.arena, struct thread, count);
        if (known)
            memcpy(thread, m->team[m->teams].thread, known * sizeof *thread);
        for (size_t t = known; t < count; t++)
            thread[t].registers = ARENA_ARRAY(m->evaluator.arena, struct value, registers + 1);
        m->team[m->teams].thread = thread;
        m->team[m->teams].room = count;
    }
    struct thread *thread = m->team[m->teams++].thread;
    for (size_t t = 0; t < count; t++) {
        make_room(m, &thread[t]);
        memcpy(thread[t].slot, m->evaluator.slot, m->evaluator.slot_count * sizeof(struct value));
        for (size_t i = 0; i < registers; i++)
            thread[t].registers[i] = empty_register(m, i);
    }
    return thread;
}

/* Nested BLOCK loops become threads. What stands before them in a grid loop is allocation. */
static void execute_threads(struct machine *m, const struct statement *outer)
{
    const struct statement *body = outer;
    struct block block = {.m = m, .count = 1};
    int64_t first[GRAPH_MAX_RANK], extent[GRAPH_MAX_RANK];
    size_t slot[GRAPH_MAX_RANK];
    unsigned loops = 0;
    for (; loops < GRAPH_MAX_RANK && body->kind == STATEMENT_LOOP &&
           is_block_level(body->as.loop.level);
         body = body->as.loop.body) {
        first[loops] = integer_of(m, body->as.loop.first);
        extent[loops] = integer_of(m, body->as.loop.extent);
        slot[loops] = evaluator_slot(&m->evaluator, body->as.loop.variable);
        block.count *= extent[loops] < 0 ? 0 : (size_t)extent[loops];
        loops++;
    }
    block.thread = begin_team(m, block.count);
    if (!block.thread) {
        stop(m, "fault: blocks of threads inside of threads");
        return;
    }
    for (size_t t = 0; t < block.count; t++) {
        size_t rest = t;
        for (unsigned i = loops; i-- > 0;) {
            block.thread[t].slot[slot[i]].integer = first[i] + (int64_t)(rest % (size_t)extent[i]);
            rest /= (size_t)extent[i];
        }
    }
    if (block.count)
        execute_block(&block, body);
    m->teams--;
}

/* One branch, executed for its terms where it is not taken. */
static void execute_under(struct machine *m, const struct statement *branch, struct value condition)
{
    const struct value before = m->taken;
    const struct value both = {.integer = before.integer && condition.integer};
    m->taken = terms_binary(m->run->terms, EXPR_AND, SCALAR_BOOL, before, condition, both);
    m->evaluator.unused += !condition.integer;
    execute(m, branch);
    m->evaluator.unused -= !condition.integer;
    m->taken = before;
}

static void execute_branch(struct machine *m, const struct statement *statement)
{
    const struct value condition = evaluate_once(&m->evaluator, statement->as.branch.condition);
    const struct statement *otherwise = statement->as.branch.otherwise;
    if (condition.term) {
        const struct value opposite = {.integer = !condition.integer};
        execute_under(m, statement->as.branch.then, condition);
        if (otherwise)
            execute_under(m, otherwise, terms_not(m->run->terms, condition, opposite));
    } else if (condition.integer) {
        execute(m, statement->as.branch.then);
    } else if (otherwise) {
        execute(m, otherwise);
    }
}

static void execute(struct machine *m, const struct statement *statement)
{
    if (m->stopped)
        return;
    switch (statement->kind) {
    case STATEMENT_BLOCK:
        for (size_t i = 0; i < statement->as.block.count; i++)
            execute(m, statement->as.block.item[i]);
        break;
    case STATEMENT_LOOP:
        if (is_block_level(statement->as.loop.level))
            execute_threads(m, statement);
        else
            execute_loop(m, statement);
        break;
    case STATEMENT_IF:
        execute_branch(m, statement);
        break;
    case STATEMENT_LET:
        execute_let(m, statement);
        break;
    case STATEMENT_STORE:
        execute_store(m, statement);
        break;
    case STATEMENT_ALLOCATE:
        allocate_buffer(m, statement->as.allocate.buffer.index);
        break;
    case STATEMENT_KERNEL:
        if (statement->as.kernel.windows)
            execute_windows(m, statement);
        else
            execute(m, statement->as.kernel.body);
        break;
    case STATEMENT_PREFETCH:
        check_prefetch(m, statement);
        break;
    case STATEMENT_TRANSFORM:
        execute_transform(m, statement);
        break;
    case STATEMENT_PARTICLES:
        execute_particles(m, statement);
        break;
    case STATEMENT_BARRIER:
    case STATEMENT_NOTE:
        break;
    case STATEMENT_KIND_COUNT:
        stop(m, "fault: a statement that cannot be executed");
        break;
    }
}

static void bind_inputs(struct machine *m)
{
    const struct program *program = m->program;
    for (size_t i = 0; i < program->inputs.count; i++) {
        const struct buffer *buffer = program_buffer(program, program->inputs.item[i]);
        const struct samples *given = &m->run->inputs[i];
        m->buffer[buffer->id.index] = *given;
        for (unsigned k = 0; k < buffer->rank; k++)
            if (buffer->axis[k].extent->kind == EXPR_VARIABLE)
                evaluator_set(&m->evaluator, buffer->axis[k].extent,
                              (struct value){.integer = given->extent[k]});
    }
}

static void allocate_buffers(struct machine *m)
{
    const struct program *program = m->program;
    for (size_t i = 0; i < program->values.count; i++)
        evaluator_set(&m->evaluator, program->values.item[i].variable,
                      evaluate_once(&m->evaluator, program->values.item[i].value));
    for (size_t i = 0; i < program->skews.count; i++) { /* any will do */
        const struct expr *variable = program->skews.item[i].variable;
        evaluator_set(
            &m->evaluator, variable,
            (struct value){.integer = ((int64_t)i + 3) % (variable->interval.greatest + 1)});
    }
    for (size_t i = 0; i < program->buffers.count && !m->stopped; i++) {
        const struct buffer *buffer = &program->buffers.item[i];
        if (buffer->space == SPACE_SCRATCH || buffer->space == SPACE_OUTPUT ||
            buffer->space == SPACE_FRAME || buffer->space == SPACE_HOST ||
            buffer->space == SPACE_CONSTANT)
            allocate_buffer(m, (uint32_t)i);
        if (buffer->space != SPACE_CONSTANT || m->stopped)
            continue;
        const size_t count = samples_count(&m->buffer[i]);
        for (size_t v = 0; v < count; v++) {
            value_write(m->buffer[i].data + v * scalar_info[buffer->scalar].bytes, buffer->scalar,
                        evaluate_constant(buffer->constant[v]));
            if (m->buffer[i].term)
                m->buffer[i].term[v] = NULL;
        }
    }
}

/* Kernels one after another, with a report after each. */
static void execute_body(struct machine *m)
{
    const struct statement *body = m->program->body;
    if (body->kind != STATEMENT_BLOCK) {
        execute(m, body);
        return;
    }
    for (size_t i = 0; i < body->as.block.count && !m->stopped; i++) {
        execute(m, body->as.block.item[i]);
        if (m->run->progress &&
            !m->run->progress((double)(i + 1) / (double)body->as.block.count, m->run->context))
            stop(m, "stopped");
    }
}

bool interpret_program(const struct program *program, struct interpretation *run)
{
    struct arena *arena = arena_sibling(run->session->permanent);
    struct machine m = {.program = program,
                        .run = run,
                        .evaluator = {.arena = arena,
                                      .load = load,
                                      .box = box_of_load,
                                      .externals = run->externals,
                                      .terms = run->terms},
                        .buffer = ARENA_ARRAY(arena, struct samples, program->buffers.count + 1)};
    m.evaluator.context = &m;
    m.taken.integer = 1;
    const struct entry entry = {program->parameters.item, program->parameters.count,
                                program->checks.item, program->checks.count};
    run->problem = NULL;
    bind_inputs(&m);
    if (interpret_parameters(&m.evaluator, &entry, run) &&
        interpret_checks(&m.evaluator, &entry, run)) {
        allocate_buffers(&m);
        execute_body(&m);
    }
    interpret_externals(&m.evaluator, run);
    for (size_t i = 0; !run->problem && i < program->outputs.count; i++) {
        run->outputs[i] = m.buffer[program->outputs.item[i].index];
        m.buffer[program->outputs.item[i].index].data = NULL;
        m.buffer[program->outputs.item[i].index].term = NULL;
    }
    for (size_t i = 0; i < program->buffers.count; i++)
        if (program->buffers.item[i].space != SPACE_INPUT)
            samples_free(&m.buffer[i]);
    interpretation_keep_problem(run);
    arena_destroy(arena);
    return run->problem == NULL;
}
