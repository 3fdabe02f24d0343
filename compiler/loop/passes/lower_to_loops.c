/* lower_to_loops: graph → loop. Turns each stage into a buffer and a kernel with one loop per axis.
 *   before: stage blur [y 0 .. in.y] [x 0 .. in.x] = …
 *   after:  kernel blur { loop y { loop x { store blur[y, x] = … } } }
 * loop_nest.c, tile_nest.c, grid_tiles.c and line_nest.c make the loops, lower_memory.c the
 * buffers, lower_samples.c the statements of one sample. Afterwards no stage is left; border rules
 * are still on the loads, with the box that they see. */
#include "loop_pass.h"
#include "loop/lower/grid_runs.h"
#include "loop/lower/fold_once.h"
#include "loop/lower/grid_scatter.h"
#include "loop/lower/grid_tiles.h"
#include "loop/lower/input_regions.h"
#include "loop/lower/loop_details.h"
#include "loop/lower/loop_nest.h"
#include "loop/lower/lowering.h"
#include "loop/lower/particle_kernels.h"
#include "loop/lower/tile_nest.h"
#include "loop/lower/transform_nest.h"
#include "loop/lines/grid_lines.h"
#include "loop/lines/tile_rows.h"
#include "loop/lower/versions.h"
#include "loop/rewrite.h"

static bool runs_alone(const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_THREADS);
    return said && said->count == 0;
}

static const struct statement *kernel(struct lowering *l, const struct stage *stage,
                                      const struct symbol *name, const struct statement *body)
{
    return STATEMENT_NEW(
        l->context->output, stage->span, .kind = STATEMENT_KERNEL,
        .as.kernel = {name, body, stage->schedule && stage->schedule->staged, runs_alone(stage)});
}

/* A stage and those computed in its tiles. */
static const struct statement *lower_group(struct lowering *l, const struct tile_group *group)
{
    const struct lowered all = lowering_members(l, group->count + 1, group->member);
    return l->context->target->execution == EXECUTION_GRID
               ? grid_tiles(l->context, group, all.buffer, all.body)
               : tile_nest(l->context, l->out, group, all.buffer, all.body);
}

/* Whole lines of the stages of a group, or their parts in blocks of a wave. */
static const struct statement *lower_lines(struct lowering *l, const struct line_group *group,
                                           const struct lines_beside *beside)
{
    const struct lowered all = lowering_members(l, group->count, group->stage);
    return line_nest(l->context, l->out, group, all.buffer, all.body, beside);
}

/* Lines of threads of a grid, with those behind them. */
static const struct statement *lower_grid_lines(struct lowering *l, const struct line_group *lines)
{
    struct grid_all_behind behind = {0};
    for (size_t i = lines->sink->id.index + 1; i < l->in->stages.count; i++) {
        const struct line_group *group = &l->lines[i];
        if (group->host != lines)
            continue;
        const struct lowered all = lowering_members(l, group->count, group->stage);
        VECTOR_PUSH(l->context->scratch, &behind.items,
                    (struct grid_behind){group, all.buffer, all.body});
    }
    const struct lowered all = lowering_members(l, lines->count, lines->stage);
    return grid_lines(l->context, l->out, lines, all.buffer, all.body, &behind);
}

/* What is computed in each block of the lines before them, or before each place of theirs: where
 * they are a wave. */
static void lower_in_wave(struct lowering *l, const struct line_group *across,
                          struct lines_beside *beside)
{
    for (size_t i = 0; i < across->sink->id.index; i++) {
        const struct line_group *group = &l->lines[i];
        if (group->wave != across)
            continue;
        const struct lowered all = lowering_members(l, group->count, group->stage);
        if (line_row(l->context, l->out, group, all.buffer, all.body, beside))
            continue;
        VECTOR_PUSH(l->context->scratch, &beside->in_wave,
                    STATEMENT_NEW(l->context->output, group->sink->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {l->buffer[i]}));
        VECTOR_PUSH(
            l->context->scratch, &beside->in_wave,
            line_nest(l->context, l->out, group, all.buffer, all.body, &(struct lines_beside){0}));
    }
}

/* What is computed with each block of the lines: the rows that these read. */
static struct statement_items lower_in_block(struct lowering *l, const struct line_group *lines)
{
    const struct tile_group alone = {.sink = lines->sink, .sliding = NO_AXIS};
    struct tile_code items = {.context = l->context, .group = &alone};
    for (size_t i = 0; i < lines->sink->id.index; i++) {
        const struct line_group *rows = &l->lines[i];
        if (!rows->with_segments || rows->sink->schedule->at.index != lines->sink->id.index)
            continue;
        tile_add_let(&items, rows->band->first, rows->band->least);
        tile_add_let(&items, rows->band->end, rows->band->past);
        VECTOR_PUSH(l->context->scratch, &items.lets,
                    STATEMENT_NEW(l->context->output, rows->sink->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {l->buffer[i]}));
        VECTOR_PUSH(l->context->scratch, &items.lets,
                    lower_lines(l, rows, &(struct lines_beside){0}));
    }
    return items.lets;
}

/* What is computed with each tile of the lines, of what they have stored. */
static struct statement_items lower_behind(struct lowering *l, const struct line_group *lines)
{
    struct statement_items items = {0};
    for (size_t i = lines->sink->id.index + 1; i < l->in->stages.count; i++)
        if (l->lines[i].host == lines)
            VECTOR_PUSH(l->context->scratch, &items,
                        lower_lines(l, &l->lines[i], &(struct lines_beside){0}));
    return items;
}

/* A scatter's steps, to memory, behind what it starts from. */
static const struct statement *steps_behind_start(struct lowering *l, const struct stage *stage,
                                                  const struct symbol *name,
                                                  const struct statement *steps)
{
    const struct symbol *start =
        symbol_format(&l->context->session->symbols, "%s.start", stage->name->text);
    struct stage nested = *stage; /* its details do not apply to its start values */
    nested.details = NULL;
    const struct statement *samples =
        loop_nest(l->context, l->out, &nested, program_buffer(l->out, l->buffer[stage->id.index]),
                  lowering_sample(l, stage));
    const struct statement *const both[2] = {kernel(l, stage, start, samples),
                                             kernel(l, stage, name, steps)};
    return statement_block(l->context->output, stage->span, 2, both);
}

/* The kernels of a scatter: its steps are shared by threads, or taken in order. */
static const struct statement *scatter_kernels(struct lowering *l, const struct stage *stage)
{
    const struct grid_scatter shared =
        l->context->target->execution == EXECUTION_GRID && !runs_alone(stage)
            ? grid_scatter(l, stage)
            : (struct grid_scatter){.body = NULL};
    if (!shared.body)
        return steps_behind_start(l, stage, stage->name, lowering_steps(l, stage));
    const struct statement *fast = shared.in_memory
                                       ? steps_behind_start(l, stage, stage->name, shared.body)
                                       : kernel(l, stage, stage->name, shared.body);
    if (!shared.below || shared.below == expr_boolean(l->context->pool, true))
        return fast;
    const struct symbol *name =
        symbol_format(&l->context->session->symbols, "%s.in_order", stage->name->text);
    return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_IF,
                         .as.branch = {shared.below, fast,
                                       steps_behind_start(l, stage, name, lowering_steps(l, stage)),
                                       false});
}

/* Its kernel; of a scatter, several. */
static const struct statement *lower_kernels(struct lowering *l, const struct stage *stage)
{
    if (l->particles.on[stage->id.index])
        return particle_kernels(l, stage);
    if (runs_alone(stage))
        program_obey(l->context->output, l->out, stage, DETAIL_THREADS);
    const struct line_group *lines = &l->lines[stage->id.index];
    const struct tile_group *group = &l->group[stage->id.index];
    const bool on_grid = l->context->target->execution == EXECUTION_GRID;
    if (lines->sink || group->sink) {
        struct lines_beside beside = {0};
        if (lines->sink && !on_grid) {
            lower_in_wave(l, lines, &beside);
            beside.in_segment = lower_in_block(l, lines);
            beside.behind = lower_behind(l, lines);
        }
        return kernel(l, stage, stage->name,
                      statement_rewrite(l->context->output,
                                        !lines->sink ? lower_group(l, group)
                                        : on_grid    ? lower_grid_lines(l, lines)
                                                     : lower_lines(l, lines, &beside),
                                        &l->naming));
    }
    if (stage->kind == STAGE_TRANSFORM)
        return transform_kernel(l, stage, runs_alone(stage));
    l->stage = stage;
    const struct statement *runs = on_grid && !runs_alone(stage) ? grid_runs(l, stage) : NULL;
    if (runs)
        return kernel(l, stage, stage->name, runs);
    if (stage->kind == STAGE_SCATTER)
        return scatter_kernels(l, stage);
    struct loop_around around;
    const struct statement *row =
        on_grid && !runs_alone(stage)
            ? loop_nest_of_rows(l->context, l->out, stage,
                                program_buffer(l->out, l->buffer[stage->id.index]),
                                lowering_sample(l, stage), &around)
            : NULL;
    if (row)
        return STATEMENT_NEW(l->context->output, stage->span, .kind = STATEMENT_LOOP,
                             .as.loop = {around.variable, around.first, around.extent, LEVEL_SERIAL,
                                         kernel(l, stage, stage->name, row), around.reversed});
    return kernel(l, stage, stage->name,
                  loop_nest(l->context, l->out, stage,
                            program_buffer(l->out, l->buffer[stage->id.index]),
                            lowering_sample(l, stage)));
}

/* Whether the kernel of the stage computes no sample outside of the boxes of its stages, as tiles
 * do that recurrences reach into, and blocks that copy whole tiles. */
static bool stays_in_boxes(const struct lowering *l, const struct stage *stage)
{
    const struct tile_group *group = &l->group[stage->id.index];
    bool recurs = stage->kind == STAGE_RECURRENCE || l->lines[stage->id.index].sink;
    for (size_t i = 0; group->sink && i <= group->count; i++)
        recurs = recurs || group->member[i]->kind == STAGE_RECURRENCE;
    return !recurs && !(stage->schedule && stage->schedule->staged);
}

static const struct statement *lower_stage(struct lowering *l, const struct stage *stage)
{
    fold_once_begin(l, l->context->target->execution == EXECUTION_GRID && stays_in_boxes(l, stage));
    const struct statement *kernels = fold_once_kernels(l, lower_kernels(l, stage));
    const struct detail *versions = stage_says(stage, DETAIL_VERSIONS);
    if (!versions)
        return kernels;
    program_obey(l->context->output, l->out, stage, DETAIL_VERSIONS);
    return kernel_versions(l->context, l->out, versions, kernels);
}

/* Why the stage has no loops of its own, one for each axis, that could be as its schedule says;
 * NULL: it has. */
static const char *reason_of_loops(const struct lowering *l, const struct stage *stage)
{
    struct arena *scratch = l->context->scratch;
    const struct schedule *schedule = stage->schedule;
    if (stage_follows(stage)) {
        const char *with = stage_sink(l->in, stage, scratch)->name->text;
        return arena_format(scratch, "it is computed with '%s'; name that, or compute '%s' at root",
                            with, stage->name->text);
    }
    return stage->kind == STAGE_JOINED           ? "it is computed in blocks"
           : l->particles.on[stage->id.index]    ? "it is computed particle by particle"
           : stage->kind == STAGE_TRANSFORM      ? "it is a transform"
           : stage->kind == STAGE_SCATTER        ? "it is a scatter, whose steps have an order"
           : schedule_has_lines(schedule)        ? "it is computed in whole lines"
           : stage->kind == STAGE_RECURRENCE     ? "it is a recurrence"
           : stage->rank < 2                     ? "it has fewer than two axes"
           : l->group[stage->id.index].count > 0 ? "other stages are computed in its tiles"
                                                 : NULL;
}

/* Notes why stages do not obey what is said of loops and kernels that they do not have. */
static void decline_loops(struct lowering *l, const struct stage *stage)
{
    const char *reason = reason_of_loops(l, stage);
    if (!reason)
        return;
    details_decline(l->context, stage, reason);
    decline(l->context, stage, DETAIL_VERSIONS, "%s", reason);
    if (stage_follows(stage) || l->particles.on[stage->id.index])
        decline(l->context, stage, DETAIL_STREAM, "%s", reason);
}

/* ---- Bands ---- */

/* loop band serial { kernels of what is computed in it  kernel of the lines that go on } */
static const struct statement *lower_bands(struct lowering *l, const struct stage *sink)
{
    struct pass_context *context = l->context;
    const struct line_group *lines = &l->lines[sink->id.index];
    VECTOR(const struct statement *) kernels = {0};
    for (size_t i = 0; i <= sink->id.index; i++) {
        const struct stage *stage = l->in->stages.item[i];
        if (stage == sink || (stage_is_in_bands(stage) && !l->lines[i].wave &&
                              stage->schedule->at.index == sink->id.index))
            VECTOR_PUSH(context->scratch, &kernels, lower_stage(l, stage));
    }
    const bool reversed = lines->place[lines->count - 1].direction == LINE_BACKWARD;
    return STATEMENT_NEW(
        context->output, sink->span, .kind = STATEMENT_LOOP,
        .as.loop = {lines->band->variable, expr_integer(context->pool, 0),
                    expr_rewrite(&l->naming, lines->band->count), LEVEL_SERIAL,
                    statement_block(context->output, sink->span, kernels.count, kernels.item),
                    reversed});
}

/* ---- Repeats ---- */

/* The samples of a carried stage, taken from another one: a stage that reads it. */
static const struct statement *lower_carry(struct lowering *l, const struct stage *carried,
                                           stage_id from, const char *part)
{
    struct pass_context *context = l->context;
    const struct stage *source = graph_stage(l->in, from);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < carried->rank; k++)
        index[k] = carried->axis[k].variable;
    struct stage copy = *carried;
    copy.kind = STAGE_MAP;
    copy.binding_count = 0;
    copy.schedule = NULL;
    copy.details = NULL;
    copy.name = symbol_format(&context->session->symbols, "%s.%s", carried->name->text, part);
    copy.value = expr_load(context->pool, from.index, source->element, source->interval,
                           source->rank, index, NULL);
    return lower_stage(l, arena_copy(context->scratch, &copy, sizeof copy));
}

static const struct statement *lower_range(struct lowering *l, size_t begin, size_t end,
                                           uint32_t repeat);

/* What is carried begins; then the steps, each with what is carried afterwards:
 *   loop step 0 .. count serial { kernels of the step  kernels that carry } */
static const struct statement *lower_repeat(struct lowering *l, size_t begin, size_t end,
                                            uint32_t repeat)
{
    struct pass_context *context = l->context;
    const struct graph_repeat *r = &l->in->repeats.item[repeat - 1];
    VECTOR(const struct statement *) before = {0}, steps = {0};
    VECTOR_PUSH(context->scratch, &steps, lower_range(l, begin, end, repeat));
    for (size_t i = begin; i < end; i++) {
        const struct stage *stage = l->in->stages.item[i];
        if (stage->kind != STAGE_CARRIED || stage->repeat != repeat)
            continue;
        VECTOR_PUSH(context->scratch, &before,
                    lower_carry(l, stage, stage->as.carried.initial, "initial"));
        VECTOR_PUSH(context->scratch, &steps,
                    lower_carry(l, stage, stage->as.carried.next, "next"));
    }
    const struct interval interval = {0, INT64_MAX - 1};
    const struct expr *step =
        expr_variable(context->pool, VARIABLE_INDEX,
                      symbol_format(&context->session->symbols, "step.%u", (unsigned)repeat),
                      SCALAR_I64, interval);
    VECTOR_PUSH(context->scratch, &before,
                STATEMENT_NEW(
                    context->output, r->span, .kind = STATEMENT_LOOP,
                    .as.loop = {step, expr_integer(context->pool, 0),
                                expr_rewrite(&l->naming, r->count), LEVEL_SERIAL,
                                statement_block(context->output, r->span, steps.count, steps.item),
                                false}));
    for (size_t i = begin; i < end; i++) {
        const struct stage *stage = l->in->stages.item[i];
        if (stage->kind == STAGE_CARRIED && stage->repeat == repeat)
            VECTOR_PUSH(context->scratch, &before, particle_carried_pixels(l, stage));
    }
    return statement_block(context->output, r->span, before.count, before.item);
}

/* Of its own. */
static bool has_kernel(const struct lowering *l, const struct stage *stage)
{
    const bool follows =
        stage_is_behind(stage) ? l->lines[stage->id.index].host != NULL : stage_follows(stage);
    return stage_has_loops(stage) && !follows;
}

/* Stages begin … end - 1, all of which are inside the repeat (0: none). */
static const struct statement *lower_range(struct lowering *l, size_t begin, size_t end,
                                           uint32_t repeat)
{
    struct pass_context *context = l->context;
    VECTOR(const struct statement *) kernels = {0};
    for (size_t i = begin; i < end;) {
        const struct stage *stage = l->in->stages.item[i];
        if (stage->repeat == repeat) {
            if (has_kernel(l, stage))
                VECTOR_PUSH(context->scratch, &kernels,
                            stage_has_bands(stage) ? lower_bands(l, stage) : lower_stage(l, stage));
            i++;
            continue;
        }
        const uint32_t inner = repeat_directly_inside(l->in, stage->repeat, repeat);
        size_t after = i;
        while (after < end && repeat_is_inside(l->in, l->in->stages.item[after]->repeat, inner))
            after++;
        VECTOR_PUSH(context->scratch, &kernels, lower_repeat(l, i, after, inner));
        i = after;
    }
    const struct span nowhere = {0, 0};
    return statement_block(context->output, nowhere, kernels.count, kernels.item);
}

static void note_lines(struct lowering *l, const struct line_group *lines)
{
    for (size_t i = 0; i + 1 < lines->count; i++)
        l->line[lines->stage[i]->id.index] = lines;
}

/* The lines that it is computed with each tile of; what no pass has grouped with it is computed
 * later than these: then none. */
static void find_host(struct lowering *l, const struct stage *stage)
{
    struct line_group *lines = &l->lines[stage->id.index];
    if (!stage_is_behind(stage) ||
        !line_may_be_behind(l->context->scratch, stage->schedule->at, lines->count, lines->stage))
        return;
    struct line_group *host = &l->lines[stage->schedule->at.index];
    if (!host->sink)
        return;
    lines->host = host;
    host->panels = host->panels || !lines_are_of_tile(lines);
}

/* Tiles, the rows in them, and whole lines. */
static void find_groups(struct lowering *l)
{
    struct arena *scratch = l->context->scratch;
    for (size_t i = 0; i < l->in->stages.count; i++) {
        const struct stage *stage = l->in->stages.item[i];
        struct tile_group *group = &l->group[i];
        if (stage_is_segmented(stage)) /* its parts have lines */
            continue;
        if (schedule_has_lines(stage->schedule)) {
            l->lines[i] = line_group_of(l->in, stage, l->context);
            note_lines(l, &l->lines[i]);
            find_host(l, stage);
        } else if (stage->schedule && stage->schedule->rank) {
            *group = tile_group_of(l->in, stage, l->context);
            for (size_t m = 0; m <= group->count; m++) {
                if (group->rows[m] != m + 1)
                    continue;
                const struct line_group rows = tile_rows_at(l->context, group, m);
                note_lines(l, arena_copy(scratch, &rows, sizeof rows));
            }
        }
    }
}

/* Of blocks of threads: a tile without members is what the program says of the block, lines are
 * those with members, or of a map that a pass has made. */
static void find_grid_groups(struct lowering *l)
{
    for (size_t i = 0; i < l->in->stages.count; i++) {
        const struct stage *stage = l->in->stages.item[i];
        if (!stage->schedule || !stage->schedule->rank || stage_is_segmented(stage))
            continue;
        if (schedule_has_lines(stage->schedule)) {
            const struct line_group lines = line_group_of(l->in, stage, l->context);
            if (lines.count > 1 || (stage->is_made && stage->kind == STAGE_MAP)) {
                l->lines[i] = lines;
                note_lines(l, &l->lines[i]);
                find_host(l, stage);
            }
            continue;
        }
        const struct tile_group group = tile_group_of(l->in, stage, l->context);
        if (group.count)
            l->group[i] = group;
    }
}

/* Lines whose bands other ones are computed in, all of which can be in blocks of them. */
static void find_wave(struct lowering *l, const struct line_group *across)
{
    bool joins = l->context->target->has_threads;
    for (int set = 0; set < 2 && joins; set++)
        for (size_t i = 0; i < across->sink->id.index; i++) {
            const struct stage *stage = l->in->stages.item[i];
            if (!stage_is_in_bands(stage) || stage->schedule->at.index != across->sink->id.index)
                continue;
            if (set)
                l->lines[i].wave = across;
            else
                joins = joins && line_joins_wave(&l->lines[i], across);
        }
}

const struct program *lower_to_loops(const struct graph *in, struct pass_context *context)
{
    struct lowering l = {
        .in = in,
        .context = context,
        .out = ARENA_NEW(context->output, struct program),
        .buffer = ARENA_ARRAY(context->scratch, buffer_id, in->stages.count + 1),
        .group = ARENA_ARRAY(context->scratch, struct tile_group, in->stages.count + 1),
        .lines = ARENA_ARRAY(context->scratch, struct line_group, in->stages.count + 1),
        .line = ARENA_ARRAY(context->scratch, const struct line_group *, in->stages.count + 1),
        .particles = particle_layout_of(in, context->scratch),
        .packed = ARENA_ARRAY(context->scratch, buffer_id, in->stages.count + 1),
        .structure = ARENA_ARRAY(context->scratch, struct structure_memory, in->stages.count + 1)};
    l.naming = (struct expr_rewriter){.pool = context->pool,
                                      .rule = lowering_name_extent,
                                      .context = &l,
                                      .scratch = context->scratch};
    l.out->name = in->name;
    l.out->text = in->text;
    for (size_t i = 0; i < in->parameters.count; i++)
        VECTOR_PUSH(context->output, &l.out->parameters, in->parameters.item[i]);
    for (size_t i = 0; i < in->checks.count; i++)
        VECTOR_PUSH(context->output, &l.out->checks, in->checks.item[i]);
    if (context->target->execution == EXECUTION_GRID)
        find_grid_groups(&l);
    else
        find_groups(&l);
    for (size_t i = 0; i < in->stages.count; i++)
        if (stage_has_bands(in->stages.item[i]) && l.lines[i].sink)
            find_wave(&l, &l.lines[i]);
    for (size_t i = 0; i < in->stages.count; i++)
        lowering_add_buffer(&l, in->stages.item[i]);
    for (size_t i = 0; i < in->outputs.count; i++)
        VECTOR_PUSH(context->output, &l.out->outputs, l.buffer[in->outputs.item[i].stage.index]);
    for (size_t i = 0; i < in->stages.count; i++)
        details_obey_nothing(context, l.out, in->stages.item[i]);
    lowering_place_parts(&l);
    input_regions_add(in, l.buffer, l.out, context);
    const struct statement *kernels = lower_range(&l, 0, in->stages.count, 0);
    for (size_t i = 0; i < in->stages.count; i++)
        decline_loops(&l, in->stages.item[i]);
    VECTOR_PUSH(context->scratch, &l.preparing, kernels);
    l.out->body =
        statement_block(context->output, kernels->span, l.preparing.count, l.preparing.item);
    return l.out;
}
