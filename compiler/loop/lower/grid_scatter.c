/* Steps of a scatter, on a grid:
 *   loop part grid_x {
 *       allocate counts shared
 *       loop t.thread block_x {
 *           loop b.part serial { if (…) { store counts[b] = 0 } }
 *           barrier
 *           loop y serial { loop x.part serial { if (…) { let x = …  store atomic counts[in[y, x]] = … + 1 } } }
 *           barrier
 *           loop b.part serial { if (…) { store hist[part, b] = counts[b] } } } }
 * Into targets that are too large for that, or whose extents are not known, threads of all blocks
 * store to memory:
 *   loop y.block grid_y { loop x.block grid_x { … { store atomic hits[y / height, in[y, x]] = … + 1 } } }
 * Sums wrap: where one could saturate, the steps are taken in order by one thread. */
#include "loop/lower/grid_scatter.h"

#include "analysis/regions.h"
#include "graph/scatter_form.h"
#include "graph/placement/choose.h"
#include "loop/lower/grid_nest.h"
#include "loop/rewrite.h"

struct scattering {
    struct lowering *l;
    const struct stage *stage; /* whose steps wrap */
    int64_t threads;           /* of a block */
    const struct expr *thread;
    buffer_id counts;
    bool mapped[GRAPH_MAX_RANK]; /* by axis of the target */
};

static struct expr_pool *pool_of(const struct scattering *s)
{
    return s->l->context->pool;
}

static const struct expr *integer(const struct scattering *s, int64_t value)
{
    return expr_integer(pool_of(s), value);
}

static const struct statement *loop(const struct scattering *s, enum parallel_level level,
                                    const struct expr *variable, const struct expr *first,
                                    const struct expr *extent, const struct statement *body)
{
    return STATEMENT_NEW(s->l->context->output, s->stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {variable, first, extent, level, body, false, false, 0});
}

/* Coordinate t, t + threads, … of an axis are those of thread t. */
static const struct statement *shared_loop(const struct scattering *s, const struct symbol *name,
                                           const struct expr *variable, const struct expr *first,
                                           const struct expr *extent, const struct statement *body)
{
    struct pass_context *context = s->l->context;
    struct expr_pool *pool = pool_of(s);
    const struct expr *threads = integer(s, s->threads);
    const struct expr *parts = expr_binary(
        pool, EXPR_DIVIDE, region_sum(pool, extent, integer(s, s->threads - 1), 1), threads);
    const bool once = parts->kind == EXPR_INTEGER && parts->as.integer == 1;
    const bool whole = extent->kind == EXPR_INTEGER && extent->as.integer % s->threads == 0;
    const struct expr *number = expr_variable(
        pool, VARIABLE_INDEX, symbol_format(&context->session->symbols, "%s.part", name->text),
        SCALAR_I32, (struct interval){0, INT32_MAX / s->threads});
    const struct expr *offset =
        once ? s->thread
             : region_sum(pool, expr_binary(pool, EXPR_MULTIPLY, threads, number), s->thread, 1);
    const struct statement *both[2];
    both[1] = grid_name_coordinate(context, s->stage->span, name, variable,
                                   region_sum(pool, first, offset, 1), &both[0], body);
    body = statement_block(context->output, s->stage->span, 2, both);
    if (!whole)
        body = STATEMENT_NEW(
            context->output, s->stage->span, .kind = STATEMENT_IF,
            .as.branch = {expr_binary(pool, EXPR_LESS, offset, extent), body, NULL, false});
    return once ? body : loop(s, LEVEL_SERIAL, number, integer(s, 0), parts, body);
}

/* ---- The target ---- */

/* Of the target's indices those along axes that are not mapped. */
static const struct expr *const *inner_index(const struct scattering *s,
                                             const struct expr *const index[], unsigned *count)
{
    const struct expr **inner =
        ARENA_ARRAY(s->l->context->output, const struct expr *, s->stage->rank + 1);
    *count = 0;
    for (unsigned k = 0; k < s->stage->rank; k++)
        if (!s->mapped[k])
            inner[(*count)++] = index[k];
    return inner;
}

static const struct expr *load_counts(const struct scattering *s, unsigned count,
                                      const struct expr *const inner[])
{
    const struct buffer *counts = program_buffer(s->l->out, s->counts);
    return expr_load(pool_of(s), s->counts.index, counts->scalar, counts->interval, count, inner,
                     NULL);
}

static void add_counts(struct scattering *s)
{
    struct pass_context *context = s->l->context;
    const struct buffer target = *program_buffer(s->l->out, s->l->buffer[s->stage->id.index]);
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, target.rank + 1);
    unsigned rank = 0;
    for (unsigned k = 0; k < target.rank; k++)
        if (!s->mapped[k])
            axis[rank++] = target.axis[k];
    s->counts = program_add_buffer(
        context->output, s->l->out,
        (struct buffer){.name = program_buffer_name(s->l->out, &context->session->symbols,
                                                    target.name, "counts"),
                        .span = target.span,
                        .scalar = target.scalar,
                        .interval = target.interval,
                        .space = SPACE_SHARED,
                        .rank = rank,
                        .axis = axis,
                        .slot = NO_SLOT});
}

/* The coordinates of the mapped axes of the target are those of the steps. */
static const struct statement *at_block(const struct scattering *s, const struct statement *body)
{
    const struct stage *steps = s->stage->as.scatter.steps;
    for (unsigned k = 0; k < s->stage->rank; k++)
        if (s->mapped[k])
            body = statement_substitute(s->l->context->output, s->l->context->scratch, pool_of(s),
                                        body, s->stage->axis[k].variable, stage_target(steps, k));
    return body;
}

/* The body for all samples of the target that are the block's. */
static const struct statement *over_counts(const struct scattering *s, const struct statement *body)
{
    const struct buffer *target = program_buffer(s->l->out, s->l->buffer[s->stage->id.index]);
    bool fastest = true;
    body = at_block(s, body);
    for (unsigned k = target->rank; k-- > 0;) {
        const struct stage_axis *axis = &s->stage->axis[k];
        if (s->mapped[k])
            continue;
        body = fastest ? shared_loop(s, axis->name, axis->variable, target->axis[k].first,
                                     target->axis[k].extent, body)
                       : loop(s, LEVEL_SERIAL, axis->variable, target->axis[k].first,
                              target->axis[k].extent, body);
        fastest = false;
    }
    return body;
}

static const struct statement *into_counts(const struct statement *statement, void *user)
{
    const struct scattering *s = user;
    if (statement->kind != STATEMENT_STORE)
        return statement_rebuild(s->l->context->output, statement, into_counts, user);
    struct statement store = *statement;
    store.as.store.buffer = s->counts;
    store.as.store.index = inner_index(s, statement->as.store.index, &store.as.store.rank);
    return statement_new(s->l->context->output, store);
}

/* What the scatter starts from. */
static const struct statement *start_counts(struct scattering *s)
{
    return over_counts(s, into_counts(lowering_sample(s->l, s->stage), s));
}

static const struct statement *store_counts(const struct scattering *s)
{
    struct pass_context *context = s->l->context;
    const struct buffer *target = program_buffer(s->l->out, s->l->buffer[s->stage->id.index]);
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, target->rank + 1);
    for (unsigned k = 0; k < target->rank; k++)
        index[k] = s->stage->axis[k].variable;
    unsigned count;
    const struct expr *const *inner = inner_index(s, index, &count);
    const struct statement *store = STATEMENT_NEW(
        context->output, s->stage->span, .kind = STATEMENT_STORE,
        .as.store = {target->id, target->rank, index, load_counts(s, count, inner), false});
    return over_counts(s, store);
}

/* ---- The steps ---- */

/* One step, which other threads may take at the same time. */
static const struct statement *atomic_step(const struct scattering *s, bool to_counts)
{
    struct pass_context *context = s->l->context;
    const struct statement *step = lowering_step(s->l, s->stage);
    const bool branches = step->kind == STATEMENT_IF;
    struct statement store = branches ? *step->as.branch.then : *step;
    store.as.store.value = store_joined(&store, &store.as.store.join);
    if (!store.as.store.value)
        return NULL;
    if (to_counts) {
        store.as.store.index = inner_index(s, store.as.store.index, &store.as.store.rank);
        store.as.store.buffer = s->counts;
    }
    struct statement whole = *step;
    if (branches)
        whole.as.branch.then = statement_new(context->output, store);
    return statement_new(context->output, branches ? whole : store);
}

/* The axis of the steps that threads share: the fastest of those that are long. */
static unsigned axis_of_threads(const struct scattering *s)
{
    const struct stage *scatter = s->stage, *steps = scatter->as.scatter.steps;
    const int64_t row = choice_value(s->l->context, CHOICE_SCATTER_ROW);
    unsigned found = GRAPH_MAX_RANK;
    for (unsigned k = steps->rank; k-- > 0;) {
        const struct stage_axis *axis = &steps->axis[k];
        if (scatter_axis_mapped(scatter, axis) != GRAPH_MAX_RANK)
            continue;
        if (!axis_is_short(axis) && axis->computed_extent->interval.greatest > row)
            return k;
        found = found == GRAPH_MAX_RANK ? k : found;
    }
    return found;
}

static const struct expr *named(const struct scattering *s, const struct expr *extent)
{
    return expr_rewrite(&s->l->naming, extent);
}

/* All steps of the block. */
static const struct statement *shared_steps(const struct scattering *s)
{
    const struct stage *steps = s->stage->as.scatter.steps;
    const unsigned threads = axis_of_threads(s);
    const struct statement *body = atomic_step(s, true);
    for (unsigned k = steps->rank; k-- > 0 && body;) {
        const struct stage_axis *axis = &steps->axis[k];
        const struct expr *first = named(s, axis->computed_first);
        const struct expr *extent = named(s, axis->computed_extent);
        if (k != threads && scatter_axis_mapped(s->stage, axis) == GRAPH_MAX_RANK)
            body = loop(s, LEVEL_SERIAL, axis->variable, first, extent, body);
    }
    const struct stage_axis *axis = &steps->axis[threads];
    return body ? shared_loop(s, axis->name, axis->variable, named(s, axis->computed_first),
                              named(s, axis->computed_extent), body)
                : NULL;
}

/* The steps of all blocks, to memory: the fastest axes are the grid's. */
static const struct statement *steps_to_memory(const struct scattering *s)
{
    const unsigned rank = s->stage->as.scatter.steps->rank;
    const struct statement *body = atomic_step(s, false);
    bool on_grid[GRAPH_MAX_RANK] = {false};
    for (unsigned k = 0; k < rank; k++)
        on_grid[k] = k + GRID_MOST_AXES >= rank;
    return body ? lowering_steps_on_grid(s->l, s->stage, on_grid, body) : NULL;
}

/* ---- Blocks ---- */

static const struct statement *over_blocks(const struct scattering *s, const struct statement *body)
{
    static const enum parallel_level level[] = {LEVEL_GRID_X, LEVEL_GRID_Y, LEVEL_GRID_Z};
    const struct stage *steps = s->stage->as.scatter.steps;
    unsigned number = 0;
    for (unsigned k = steps->rank; k-- > 0;) {
        const struct stage_axis *axis = &steps->axis[k];
        if (scatter_axis_mapped(s->stage, axis) != GRAPH_MAX_RANK)
            body = loop(s, level[number++], axis->variable, named(s, axis->computed_first),
                        named(s, axis->computed_extent), body);
    }
    return body;
}

/* Notes the mapped axes. Whether there are no more than a grid has, and the rest of the target fits
 * shared memory. */
static bool fits(struct scattering *s)
{
    const struct stage *steps = s->stage->as.scatter.steps;
    const struct buffer *target = program_buffer(s->l->out, s->l->buffer[s->stage->id.index]);
    int64_t bytes = scalar_info[s->stage->element].bytes;
    unsigned count = 0;
    for (unsigned k = 0; k < steps->rank; k++) {
        const unsigned mapped = scatter_axis_mapped(s->stage, &steps->axis[k]);
        count += mapped != GRAPH_MAX_RANK;
        if (mapped != GRAPH_MAX_RANK)
            s->mapped[mapped] = true;
    }
    for (unsigned k = 0; k < target->rank; k++) {
        const struct buffer_axis *axis = &target->axis[k];
        if (s->mapped[k])
            continue;
        if (axis->first->kind != EXPR_INTEGER || axis->extent->kind != EXPR_INTEGER ||
            axis->extent->as.integer > target_fast_bytes(s->l->context->target) / bytes)
            return false;
        bytes *= axis->extent->as.integer;
    }
    return count <= GRID_MOST_AXES && bytes <= choice_value(s->l->context, CHOICE_SCATTER_BYTES);
}

/* The scatter with steps that wrap, and where that is right; false: it has no such form. */
static bool find_form(struct lowering *l, const struct stage *stage, struct stage *plain,
                      struct stage *steps, const struct expr **below)
{
    struct expr_pool *pool = l->context->pool;
    const struct expr *value = stage->as.scatter.steps->value;
    *below = NULL;
    *steps = *stage->as.scatter.steps;
    *plain = *stage;
    plain->as.scatter.steps = steps;
    if (value->kind == EXPR_CONVERT && value->as.convert == CONVERT_EXACT)
        value = value->operand[0];
    if (value->kind == EXPR_SELECT && !(value->operand[0]->holds & (HOLDS_LOAD | HOLDS_INDEX))) {
        *below = value->operand[0];
        steps->value = value->operand[1];
    }
    struct scatter_form form;
    if ((stage->element != SCALAR_U32 && stage->element != SCALAR_I32) ||
        !scatter_form_of(l->context->scratch, plain, &form))
        return false;
    if (!scatter_saturates(&form))
        return true;
    const struct expr *extent[GRAPH_MAX_RANK];
    unsigned count = 0;
    for (unsigned k = 0; k < steps->rank; k++)
        if (scatter_axis_mapped(stage, &steps->axis[k]) == GRAPH_MAX_RANK)
            extent[count++] = steps->axis[k].computed_extent;
    const struct expr *stays = scatter_stays_below(pool, &form, stage->element,
                                                   scatter_start(l->in, stage), count, extent);
    if (!stays || *below || stays == expr_boolean(pool, false))
        return false;
    *below = stays;
    steps->value = expr_convert(pool, CONVERT_WRAP, stage->element, form.store->operand[0]);
    return true;
}

/* The block's steps to shared memory, or NULL. */
static const struct statement *in_shared_memory(struct scattering *s)
{
    struct pass_context *context = s->l->context;
    const struct interval threads = {0, s->threads - 1};
    const struct span span = s->stage->span;
    s->thread =
        expr_variable(context->pool, VARIABLE_INDEX,
                      symbol_from(&context->session->symbols, "x.thread"), SCALAR_I32, threads);
    add_counts(s);
    const struct statement *body = shared_steps(s);
    if (!body)
        return NULL;
    const struct statement *barrier =
        STATEMENT_NEW(context->output, span, .kind = STATEMENT_BARRIER);
    const struct statement *const item[] = {start_counts(s), barrier, body, barrier,
                                            store_counts(s)};
    const struct statement *const both[] = {
        STATEMENT_NEW(context->output, span, .kind = STATEMENT_ALLOCATE,
                      .as.allocate = {s->counts}),
        loop(s, LEVEL_BLOCK_X, s->thread, integer(s, 0), integer(s, s->threads),
             statement_block(context->output, span, 5, item))};
    return over_blocks(s, statement_block(context->output, span, 2, both));
}

/* Whether no two steps have one target: then nothing has to be atomic. */
static bool is_mapped_throughout(const struct stage *stage)
{
    const struct stage *steps = stage->as.scatter.steps;
    bool all = true;
    for (unsigned k = 0; k < steps->rank; k++)
        all = all && scatter_axis_mapped(stage, &steps->axis[k]) != GRAPH_MAX_RANK;
    return all;
}

struct grid_scatter grid_scatter(struct lowering *l, const struct stage *stage)
{
    struct grid_scatter made = {.body = NULL};
    struct stage plain, steps;
    const struct expr *below;
    struct scattering s = {.l = l,
                           .stage = &plain,
                           .threads = choose(l->context, stage->id.index, CHOICE_SCATTER_THREADS, 1,
                                             l->context->target->block_threads)};
    if (is_mapped_throughout(stage) || !find_form(l, stage, &plain, &steps, &below))
        return made;
    made.in_memory = !fits(&s);
    made.body = made.in_memory ? steps_to_memory(&s) : in_shared_memory(&s);
    made.below = below ? expr_rewrite(&l->naming, below) : NULL;
    return made;
}
