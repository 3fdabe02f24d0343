/* Turns a stage's value into the statements for one sample: reads of stages become loads of
 * buffers, with the box that each border rule sees.
 *   before: out[y, x] = in[y, x + 1] clamp + blur[y, x]
 *   after:  store out[y, x] = in[y, x + 1] clamp from 0 extent in.x + blur[y, x] */
#include "loop/lower/fold_once.h"
#include "loop/lower/grid_nest.h"
#include "loop/lower/lowering.h"
#include "loop/lower/particle_windows.h"

#include "analysis/regions.h"

/* Whether tiles begin the recurrence, each for itself. */
static bool starts_in_tile(const struct lowering *l, const struct stage *stage, unsigned k)
{
    return stage_is_at(stage) && l->group[stage->schedule->at.index].sink &&
           k == stage->as.recurrence.axis;
}

/* Before the samples of the tile it is at rest; where the line begins there, as the rule says. */
static void start_in_tile(struct lowering *l, unsigned k, struct border *border)
{
    struct pass_context *context = l->context;
    struct expr_pool *pool = context->pool;
    const struct stage_axis *axis = &l->stage->axis[k];
    const struct expr *first = tile_first(context, l->stage, k);
    const struct expr *end = tile_end(context, l->stage, k);
    const struct expr *line_end = region_sum(pool, axis->computed_first, axis->computed_extent, 1);
    const struct expr *begins =
        l->stage->as.recurrence.reversed
            ? expr_binary(pool, EXPR_EQUAL, end, expr_rewrite(&l->naming, line_end))
            : expr_binary(pool, EXPR_EQUAL, first, expr_rewrite(&l->naming, axis->computed_first));
    const struct expr *rest = expr_real(pool, l->stage->element, 0);
    border->first = first;
    border->extent = region_sum(pool, end, first, -1);
    if (border->value != rest && !l->stage->as.recurrence.of_tile)
        border->value = expr_select(pool, begins, border->value, rest);
    border->rule = BORDER_CONSTANT;
}

/* A load of a stage becomes a load of its buffer; each border rule gets the box it sees. */
static const struct expr *lower_load(const struct expr *node, void *user)
{
    struct lowering *l = user;
    if (node->kind != EXPR_LOAD)
        return lowering_name_extent(node, user);
    const struct stage *source = l->in->stages.item[node->as.load.source];
    if (l->particle && l->particles.on[source->id.index])
        return expr_load(l->context->pool, l->packed[source->id.index].index, node->scalar,
                         node->interval, 1, &l->particle, NULL);
    if (l->around && l->around->source == source)
        return particle_window_load(l, node);
    struct border border[GRAPH_MAX_RANK];
    for (unsigned k = 0; node->as.load.border && k < node->count; k++) {
        border[k] = node->as.load.border[k];
        if (border[k].rule == BORDER_NONE)
            continue;
        if (source == l->stage && starts_in_tile(l, source, k)) {
            start_in_tile(l, k, &border[k]);
            continue;
        }
        /* A recurrence starts at the first sample that it computes. */
        const bool extended = border[k].rule == BORDER_EXTEND || source == l->stage;
        border[k].first = expr_rewrite(&l->naming, extended ? source->axis[k].computed_first
                                                            : source->axis[k].first);
        border[k].extent = expr_rewrite(&l->naming, extended ? source->axis[k].computed_extent
                                                             : source->axis[k].extent);
        border[k].rule = fold_once_rule(l, node, k, &border[k]);
    }
    const struct expr *index[GRAPH_MAX_RANK];
    struct border ruled[GRAPH_MAX_RANK];
    unsigned axis[GRAPH_MAX_RANK];
    const unsigned count = lowering_place(l, source, axis);
    for (unsigned k = 0; k < count; k++) { /* other axes have no rule */
        index[k] = node->operand[axis[k]];
        ruled[k] = node->as.load.border ? border[axis[k]] : (struct border){.rule = BORDER_NONE};
    }
    return expr_load(l->context->pool, l->buffer[node->as.load.source].index, node->scalar,
                     node->interval, count, index, node->as.load.border ? ruled : NULL);
}

/* Whether the value can be computed once for a sample: it depends on no reduction around it. */
static bool depends_on_axes_alone(struct lowering *l, const struct stage *stage,
                                  const struct expr *value)
{
    return stage_is_closed(stage, value, l->context->scratch);
}

/* Two lets of a stage may have one name in the program, in braces of their own. */
static const struct symbol *unused_name(struct lowering *l, struct hash_map *taken,
                                        const struct symbol *name)
{
    const struct symbol *unused = name;
    for (unsigned i = 2; hash_map_find(taken, unused); i++)
        unused = symbol_format(&l->context->session->symbols, "%s_%u", name->text, i);
    hash_map_put(l->context->scratch, taken, unused, (void *)(uintptr_t)unused);
    return unused;
}

/* ---- Samples that one of two cases reads ---- */

struct case_search {
    struct lowering *l;
    const struct stage *stage;
    VECTOR(const struct expr *) loads; /* in the cases of choices that depend on samples */
    struct hash_map cases;             /* nodes of cases */
};

static void note_any_load(const struct expr *node, void *user)
{
    *(bool *)user = *(bool *)user || node->kind == EXPR_LOAD;
}

static bool has_load(struct arena *scratch, const struct expr *root)
{
    bool found = false;
    expr_nodes(scratch, root, note_any_load, &found);
    return found;
}

static bool gathers(struct arena *scratch, const struct expr *load)
{
    bool found = false;
    for (unsigned k = 0; k < load->count; k++)
        found = found || has_load(scratch, load->operand[k]);
    return found;
}

/* The place of a sample of a reduction stays with it: a name would keep it for each sample of a
 * strip, although it may be the same for a row. */
static void note_case_loads(struct case_search *search, const struct expr *node)
{
    struct arena *scratch = search->l->context->scratch;
    if (hash_map_find(&search->cases, node))
        return;
    hash_map_put(scratch, &search->cases, node, search);
    if (node->kind == EXPR_LOAD && !depends_on_axes_alone(search->l, search->stage, node))
        return;
    for (unsigned i = 0; i < node->count; i++)
        note_case_loads(search, node->operand[i]);
    if (node->kind == EXPR_LOAD && !gathers(scratch, node))
        VECTOR_PUSH(scratch, &search->loads, node);
}

static void note_choice(const struct expr *node, void *user)
{
    struct case_search *search = user;
    struct arena *scratch = search->l->context->scratch;
    if (node->kind != EXPR_SELECT || !has_load(scratch, node->operand[0]))
        return;
    note_case_loads(search, node->operand[1]);
    note_case_loads(search, node->operand[2]);
}

/* Lets for samples that only one case of a choice reads, which vectors take for both: all of them
 * are there, and C compilers do not know that. The cases of a choice by coordinates alone are left;
 * they are loops of their own, or the same for a row. */
static void name_case_loads(struct lowering *l, const struct stage *stage,
                            struct expr_rewriter *rewriter, struct hash_map *taken,
                            struct statement_items *body)
{
    struct pass_context *context = l->context;
    struct case_search search = {.l = l, .stage = stage};
    expr_nodes(context->scratch, stage->value, note_choice, &search);
    for (size_t i = 0; i < search.loads.count; i++) {
        const struct expr *load = search.loads.item[i], *value = expr_rewrite(rewriter, load);
        const struct symbol *name =
            symbol_format(&context->session->symbols, "%s.sample",
                          l->in->stages.item[load->as.load.source]->name->text);
        const struct expr *variable =
            expr_variable(context->pool, VARIABLE_LOCAL, unused_name(l, taken, name), value->scalar,
                          value->interval);
        VECTOR_PUSH(context->scratch, body,
                    STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LET,
                                  .as.let = {variable, value}));
        hash_map_put(context->scratch, &rewriter->done, load, (void *)(uintptr_t)variable);
    }
}

/* Names inside reductions are none. */
const struct statement *lowering_sample(struct lowering *l, const struct stage *stage)
{
    return lowering_sample_to(l, stage, l->buffer[stage->id.index]);
}

const struct statement *lowering_sample_to(struct lowering *l, const struct stage *stage,
                                           buffer_id to)
{
    struct pass_context *context = l->context;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = lower_load, .context = l, .scratch = context->scratch};
    struct statement_items body = {0};
    struct hash_map taken = {0};
    const struct expr *root = stage->value;
    fold_once_sample(l, stage);
    if (stage_may_move(stage))
        name_case_loads(l, stage, &rewriter, &taken, &body);
    struct expr_walk used = {.scratch = context->scratch};
    expr_visit(&used, root, NULL, NULL);
    for (size_t b = 0; b < stage->binding_count; b++) {
        const struct stage_binding *binding = &stage->binding[b];
        if (!hash_map_find(&used.seen, binding->value))
            continue; /* what it reads may not be there */
        const struct expr *value = expr_rewrite(&rewriter, binding->value);
        if (value->count == 0 || binding->value == root ||
            !depends_on_axes_alone(l, stage, binding->value))
            continue;
        const struct expr *variable =
            expr_variable(context->pool, VARIABLE_LOCAL, unused_name(l, &taken, binding->name),
                          value->scalar, value->interval);
        VECTOR_PUSH(context->scratch, &body,
                    STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_LET,
                                  .as.let = {variable, value}));
        /* From here on the name stands for the value. */
        hash_map_put(context->scratch, &rewriter.done, binding->value, (void *)(uintptr_t)variable);
    }
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
    unsigned axis[GRAPH_MAX_RANK];
    unsigned count = 0;
    if (l->around) {
        index = ARENA_ARRAY(context->output, const struct expr *, 2);
        index[count++] = l->around->row;
        index[count++] = l->around->cell;
    } else if (l->particle) {
        index[count++] = l->particle;
    } else {
        count = lowering_place(l, stage, axis);
        for (unsigned k = 0; k < count; k++)
            index[k] = stage->axis[axis[k]].variable;
    }
    VECTOR_PUSH(context->scratch, &body,
                STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                              .as.store = {to, count, index, expr_rewrite(&rewriter, root)}));
    return statement_block(context->output, stage->span, body.count, body.item);
}

const struct expr *lowering_value(struct lowering *l, const struct expr *value)
{
    struct expr_rewriter rewriter = {
        .pool = l->context->pool, .rule = lower_load, .context = l, .scratch = l->context->scratch};
    return expr_rewrite(&rewriter, value);
}

const struct statement *lowering_step(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    const struct stage *steps = stage->as.scatter.steps;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = lower_load, .context = l, .scratch = context->scratch};
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
    fold_once_step(l);
    for (unsigned k = 0; k < stage->rank; k++)
        index[k] = expr_rewrite(&rewriter, stage_target(steps, k));
    const struct statement *store =
        STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                      .as.store = {l->buffer[stage->id.index], stage->rank, index,
                                   expr_rewrite(&rewriter, steps->value)});
    const struct expr *condition = stage_condition(stage);
    if (!condition)
        return store;
    return STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_IF,
                         .as.branch = {expr_rewrite(&rewriter, condition), store, NULL});
}

static const struct statement *loop_of_steps(struct lowering *l, const struct stage *stage,
                                             const struct stage_axis *axis,
                                             enum parallel_level level,
                                             const struct statement *body)
{
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_LOOP,
                         .as.loop = {axis->variable, expr_rewrite(&l->naming, axis->computed_first),
                                     expr_rewrite(&l->naming, axis->computed_extent), level, body,
                                     false});
}

const struct statement *lowering_steps_on_grid(struct lowering *l, const struct stage *stage,
                                               const bool on_grid[], const struct statement *body)
{
    const struct stage *steps = stage->as.scatter.steps;
    struct grid_axis grid[GRID_MOST_AXES];
    unsigned count = 0;
    for (unsigned k = steps->rank; k-- > 0;)
        if (!on_grid[k])
            body = loop_of_steps(l, stage, &steps->axis[k], LEVEL_SERIAL, body);
    for (unsigned k = steps->rank; k-- > 0;) { /* the fastest first */
        const struct stage_axis *axis = &steps->axis[k];
        if (!on_grid[k])
            continue;
        grid[count] = (struct grid_axis){axis->name,
                                         axis->variable,
                                         expr_rewrite(&l->naming, axis->computed_first),
                                         expr_rewrite(&l->naming, axis->computed_extent),
                                         grid_tile(l->context, stage->id.index, count),
                                         1};
        count++;
    }
    return grid_nest(l->context, NULL, stage->span, count, grid, NULL, body);
}

/* Along the axes that the scatter is mapped over, steps are independent: the slowest of these are
 * blocks of threads. */
static const struct statement *steps_for_blocks(struct lowering *l, const struct stage *stage,
                                                const struct statement *body)
{
    const struct stage *steps = stage->as.scatter.steps;
    bool on_grid[GRAPH_MAX_RANK] = {false};
    unsigned count = 0;
    for (unsigned k = 0; k < steps->rank && count < GRID_MOST_AXES; k++) {
        on_grid[k] = scatter_axis_mapped(stage, &steps->axis[k]) != GRAPH_MAX_RANK;
        count += on_grid[k];
    }
    return lowering_steps_on_grid(l, stage, on_grid, body);
}

/* Along the axes that the scatter is mapped over, steps are independent. */
static const struct statement *steps_for_cores(struct lowering *l, const struct stage *stage,
                                               const struct statement *body)
{
    const struct stage *steps = stage->as.scatter.steps;
    for (int mapped = 0; mapped < 2; mapped++)
        for (unsigned k = steps->rank; k-- > 0;) {
            const struct stage_axis *axis = &steps->axis[k];
            const bool is_mapped = scatter_axis_mapped(stage, axis) != GRAPH_MAX_RANK;
            if (is_mapped == mapped)
                body = loop_of_steps(
                    l, stage, axis,
                    is_mapped && l->context->target->has_threads ? LEVEL_INDEPENDENT : LEVEL_SERIAL,
                    body);
        }
    return body;
}

const struct statement *lowering_steps(struct lowering *l, const struct stage *stage)
{
    const struct statement *body = lowering_step(l, stage);
    return l->context->target->execution == EXECUTION_GRID ? steps_for_blocks(l, stage, body)
                                                           : steps_for_cores(l, stage, body);
}

struct lowered lowering_members(struct lowering *l, size_t count, const struct stage *const stage[])
{
    struct arena *scratch = l->context->scratch;
    const struct lowered all = {ARENA_ARRAY(scratch, const struct buffer *, count),
                                ARENA_ARRAY(scratch, const struct statement *, count)};
    for (size_t i = 0; i < count; i++) {
        l->stage = stage[i];
        all.buffer[i] = program_buffer(l->out, l->buffer[stage[i]->id.index]);
        all.body[i] = lowering_sample(l, stage[i]);
    }
    return all;
}
