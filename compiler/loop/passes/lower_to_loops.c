/* lower_to_loops: graph → loop. Each stage becomes a buffer and a kernel with one loop an axis.
 *   before: stage blur [y 0 .. in.y] [x 0 .. in.x] = …
 *   after:  kernel blur { loop y { loop x { store blur[y, x] = … } } }
 * Which loops, loop_nest.c decides. Extents of stages get names, computed once per call. Afterwards no stage is left;
 * border rules are still on the loads, with the box they see. */
#include "pass.h"
#include "analysis/regions.h"
#include "loop/input_regions.h"
#include "loop/line_nest.h"
#include "loop/loop_details.h"
#include "loop/loop_nest.h"
#include "loop/tile_nest.h"
#include "loop/tile_rows.h"
#include "loop/versions.h"
#include "loop/rewrite.h"

struct lowering {
    const struct graph *in;
    struct pass_context *context;
    struct program *out;
    buffer_id *buffer;              /* by stage */
    struct tile_group *group;       /* by stage: of a sink, the stages computed in its tiles */
    struct line_group *lines;       /* the same, where the tiles are whole lines */
    const struct line_group **line; /* by stage: the lines that have memory for it; NULL: none */
    const struct stage *stage;      /* at hand */
    struct expr_rewriter naming;    /* extents → their names */
    struct hash_map named;          /* extent → its variable */
};

static const struct expr *name_extent(const struct expr *node, void *user)
{
    const struct lowering *l = user;
    const struct expr *known = hash_map_find(&l->named, node);
    return known ? known : node;
}

/* The value by name, if it is worth one. */
static const struct expr *named_value(struct lowering *l, const struct expr *value,
                                      const struct stage *stage, const char *part,
                                      const struct stage_axis *axis)
{
    const struct expr *const original = value;
    value = expr_rewrite(&l->naming, value);
    if (value->count == 0)
        return value;
    struct expr_pool *pool = l->context->pool;
    const struct symbol *name = symbol_format(&l->context->session->symbols, "%s.%s%s",
                                              stage->name->text, axis->name->text, part);
    const struct expr *variable =
        expr_variable(pool, VARIABLE_EXTENT, name, value->scalar, value->interval);
    VECTOR_PUSH(l->context->output, &l->out->values, (struct named_value){variable, value});
    hash_map_put(l->context->scratch, &l->named, value, (void *)(uintptr_t)variable);
    /* The rewriting remembers what it made of it before it had a name. */
    hash_map_put(l->context->scratch, &l->naming.done, original, (void *)(uintptr_t)variable);
    return variable;
}

/* Outputs are called as in the signature. A stage that is called so and is none changes names with the
 * one that is. */
static const struct symbol *buffer_name(const struct graph *graph, const struct stage *stage)
{
    const struct graph_output *own = graph_output_of(graph, stage->id);
    for (size_t i = 0; !own && i < graph->outputs.count; i++)
        if (graph->outputs.item[i].name == stage->name)
            return graph_stage(graph, graph->outputs.item[i].stage)->name;
    return own ? own->name : stage->name;
}

static size_t place_of(const struct stage *stage, const struct stage *const member[])
{
    size_t place = 0;
    while (member[place] != stage)
        place++;
    return place;
}

/* The box of a member of a group is that of a tile. */
static void tile_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    const struct tile_group *group = &l->group[stage->schedule->at.index];
    const size_t place = place_of(stage, group->member);
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = tile_axis(l->context, group, place, k);
}

static const struct line_group *lines_of(const struct lowering *l, const struct stage *stage)
{
    return l->line[stage->id.index];
}

static void line_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    const struct line_group *lines = lines_of(l, stage);
    const struct stage_axis *along = &stage->axis[lines->along];
    line_memory(l->context, lines, place_of(stage, lines->stage),
                named_value(l, along->computed_first, stage, ".first", along),
                named_value(l, along->computed_extent, stage, "", along), axis);
}

/* Of places along the lines that it is computed ahead of, those of a band; in a wave, of its block alone. */
static void band_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    const struct stage *sink = graph_stage(l->in, stage->schedule->at);
    const struct line_group *wave = l->lines[stage->id.index].wave;
    const struct line_band *band = l->lines[stage->id.index].band;
    if (l->lines[stage->id.index].with_blocks) {
        axis[band->axis].first = band->first;
        axis[band->axis].extent = expr_rewrite(&l->naming, band->most);
        return;
    }
    const unsigned along = sink->schedule->along - 1;
    axis[along].extent = expr_integer(l->context->pool, sink->schedule->tile[along]);
    axis[along].circular = true;
    if (wave) {
        axis[wave->lanes].first = tile_first(l->context, sink, wave->lanes);
        axis[wave->lanes].extent = expr_integer(l->context->pool, wave->lane_count);
    }
}

/* The indices of a stage's sample as those of its buffer, which holds lines one place after the other. Returns how many. */
static unsigned place_in_buffer(const struct lowering *l, const struct stage *stage,
                                const struct expr *const by_axis[], const struct expr *index[])
{
    const struct line_group *lines = lines_of(l, stage);
    for (unsigned k = 0; k < stage->rank && !lines; k++)
        index[k] = by_axis[k];
    if (!lines)
        return stage->rank;
    index[0] = by_axis[lines->along];
    index[1] = by_axis[lines->lanes];
    return 2;
}

/* The member of its tile whose memory the stage takes over; NULL: it has its own. */
static const struct stage *taken_over(const struct lowering *l, const struct stage *stage)
{
    const struct tile_group *group =
        stage_is_at(stage) ? &l->group[stage->schedule->at.index] : NULL;
    const size_t over = group && group->sink ? group->over[place_of(stage, group->member)] : 0;
    return over ? group->member[over - 1] : NULL;
}

static enum stream_choice stream_of(const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_STREAM);
    return !said ? STREAM_IF_LARGE : said->value[0] ? STREAM_ALWAYS : STREAM_NEVER;
}

static void add_buffer(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    const struct stage *over = taken_over(l, stage);
    if (over) {
        l->buffer[stage->id.index] = l->buffer[over->id.index];
        return;
    }
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, stage->rank + 1);
    for (unsigned k = 0; k < stage->rank && !stage_is_at(stage); k++) {
        const struct stage_axis *a = &stage->axis[k];
        axis[k].name = a->name;
        axis[k].first = named_value(l, a->computed_first, stage, ".first", a);
        axis[k].extent = named_value(l, a->computed_extent, stage, "", a);
    }
    const struct line_group *lines = lines_of(l, stage);
    if (lines)
        line_box(l, stage, axis);
    else if (stage_is_at(stage))
        tile_box(l, stage, axis);
    else if (stage_is_in_bands(stage))
        band_box(l, stage, axis);
    const bool is_local = lines ? stage_is_at(stage) && !line_goes_on(lines)
                                : stage_is_at(stage) || l->lines[stage->id.index].wave ||
                                      l->lines[stage->id.index].with_blocks;
    const enum buffer_space space = stage->kind == STAGE_INPUT          ? SPACE_INPUT
                                    : is_local                          ? SPACE_TILE
                                    : stage->kind == STAGE_CONSTANT     ? SPACE_CONSTANT
                                    : graph_output_of(l->in, stage->id) ? SPACE_OUTPUT
                                                                        : SPACE_SCRATCH;
    const buffer_id id = program_add_buffer(
        context->output, l->out,
        (struct buffer){.name = buffer_name(l->in, stage),
                        .span = stage->span,
                        .scalar = stage->element,
                        .interval = stage->interval,
                        .space = space,
                        .rank = lines ? 2 : stage->rank,
                        .axis = axis,
                        .constant = stage->kind == STAGE_CONSTANT ? stage->as.constant.value : NULL,
                        .stream = stream_of(stage),
                        .stage = stage->name,
                        .slot = NO_SLOT});
    l->buffer[stage->id.index] = id;
    if (space == SPACE_INPUT)
        VECTOR_PUSH(context->output, &l->out->inputs, id);
}

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
    if (border->value != rest)
        border->value = expr_select(pool, begins, border->value, rest);
    border->rule = BORDER_CONSTANT;
}

/* A load of a stage becomes a load of its buffer; each border rule gets the box it sees. */
static const struct expr *lower_load(const struct expr *node, void *user)
{
    struct lowering *l = user;
    if (node->kind != EXPR_LOAD)
        return name_extent(node, user);
    const struct stage *source = l->in->stages.item[node->as.load.source];
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
    }
    const struct expr *index[GRAPH_MAX_RANK];
    const struct line_group *lines = lines_of(l, source);
    const unsigned count = place_in_buffer(l, source, node->operand, index);
    if (lines && node->as.load.border) { /* other axes have no rule */
        border[0] = border[lines->along];
        border[1] = (struct border){.rule = BORDER_NONE};
    }
    return expr_load(l->context->pool, l->buffer[node->as.load.source].index, node->scalar,
                     node->interval, count, index, node->as.load.border ? border : NULL);
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
    struct expr_walk cases;
};

static void note_any_load(const struct expr *node, void *user)
{
    *(bool *)user = *(bool *)user || node->kind == EXPR_LOAD;
}

static bool has_load(struct arena *scratch, const struct expr *root)
{
    bool found = false;
    struct expr_walk walk = {.scratch = scratch};
    expr_visit(&walk, root, note_any_load, &found);
    return found;
}

static void note_case_load(const struct expr *node, void *user)
{
    struct case_search *search = user;
    struct arena *scratch = search->l->context->scratch;
    bool gathers = false;
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < node->count; k++)
        gathers = gathers || has_load(scratch, node->operand[k]);
    if (node->kind == EXPR_LOAD && !gathers &&
        depends_on_axes_alone(search->l, search->stage, node))
        VECTOR_PUSH(scratch, &search->loads, node);
}

static void note_choice(const struct expr *node, void *user)
{
    struct case_search *search = user;
    struct arena *scratch = search->l->context->scratch;
    if (node->kind != EXPR_SELECT || !has_load(scratch, node->operand[0]))
        return;
    expr_visit(&search->cases, node->operand[1], note_case_load, search);
    expr_visit(&search->cases, node->operand[2], note_case_load, search);
}

/* Lets for samples that only one case of a choice reads, which vectors take for both: all of them are there, and C
 * compilers do not know that. The cases of a choice by coordinates alone are left; they are loops of their own, or the
 * same for a row. */
static void name_case_loads(struct lowering *l, const struct stage *stage,
                            struct expr_rewriter *rewriter, struct hash_map *taken,
                            struct statement_items *body)
{
    struct pass_context *context = l->context;
    struct case_search search = {.l = l, .stage = stage, .cases = {.scratch = context->scratch}};
    struct expr_walk walk = {.scratch = context->scratch};
    expr_visit(&walk, stage->value, note_choice, &search);
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

/* Names of the program for parts of the value become lets, except inside reductions. */
static const struct statement *lower_value(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = lower_load, .context = l, .scratch = context->scratch};
    struct statement_items body = {0};
    struct hash_map taken = {0};
    const struct expr *root = stage->value;
    if (stage->kind == STAGE_MAP)
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
    const struct expr *variable[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        variable[k] = stage->axis[k].variable;
    const unsigned count = place_in_buffer(l, stage, variable, index);
    VECTOR_PUSH(context->scratch, &body,
                STATEMENT_NEW(context->output, stage->span, .kind = STATEMENT_STORE,
                              .as.store = {l->buffer[stage->id.index], count, index,
                                           expr_rewrite(&rewriter, root)}));
    return statement_block(context->output, stage->span, body.count, body.item);
}

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

/* One step: the value is stored at the target, where the condition holds. */
static const struct statement *lower_step(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    const struct stage *steps = stage->as.scatter.steps;
    struct expr_rewriter rewriter = {
        .pool = context->pool, .rule = lower_load, .context = l, .scratch = context->scratch};
    const struct expr **index = ARENA_ARRAY(context->output, const struct expr *, stage->rank + 1);
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

/* Steps in index order; along the axes that the scatter is mapped over they are independent. */
static const struct statement *lower_steps(struct lowering *l, const struct stage *stage)
{
    const struct stage *steps = stage->as.scatter.steps;
    const struct statement *body = lower_step(l, stage);
    for (int mapped = 0; mapped < 2; mapped++)
        for (unsigned k = steps->rank; k-- > 0;) {
            const struct stage_axis *axis = &steps->axis[k];
            const bool is_mapped = scatter_axis_mapped(stage, axis) != GRAPH_MAX_RANK;
            if (is_mapped != mapped)
                continue;
            body = STATEMENT_NEW(
                l->context->output, stage->span, .kind = STATEMENT_LOOP,
                .as.loop = {axis->variable, expr_rewrite(&l->naming, axis->computed_first),
                            expr_rewrite(&l->naming, axis->computed_extent),
                            is_mapped && l->context->target->has_threads ? LEVEL_INDEPENDENT
                                                                         : LEVEL_SERIAL,
                            body, false});
        }
    return body;
}

/* Stages that are computed in one kernel, in order. */
struct lowered {
    const struct buffer **buffer;
    const struct statement **body; /* a sample of each */
};

static struct lowered lower_members(struct lowering *l, size_t count,
                                    const struct stage *const stage[])
{
    struct arena *scratch = l->context->scratch;
    const struct lowered all = {ARENA_ARRAY(scratch, const struct buffer *, count),
                                ARENA_ARRAY(scratch, const struct statement *, count)};
    for (size_t i = 0; i < count; i++) {
        l->stage = stage[i];
        all.buffer[i] = program_buffer(l->out, l->buffer[stage[i]->id.index]);
        all.body[i] = lower_value(l, stage[i]);
    }
    return all;
}

/* A stage and those computed in its tiles. */
static const struct statement *lower_group(struct lowering *l, const struct tile_group *group)
{
    const struct lowered all = lower_members(l, group->count + 1, group->member);
    return tile_nest(l->context, l->out, group, all.buffer, all.body);
}

/* Whole lines of the stages of a group, or their parts in blocks of a wave. */
static const struct statement *lower_lines(struct lowering *l, const struct line_group *group,
                                           struct lines_ahead ahead)
{
    const struct lowered all = lower_members(l, group->count, group->stage);
    return line_nest(l->context, l->out, group, all.buffer, all.body, ahead);
}

/* What is computed in each block of the lines before them, or before each place of theirs: where they are a wave. */
static struct lines_ahead lower_in_wave(struct lowering *l, const struct line_group *across)
{
    struct statement_items items = {0}, at_place = {0};
    for (size_t i = 0; i < across->sink->id.index; i++) {
        const struct line_group *group = &l->lines[i];
        if (group->wave != across)
            continue;
        VECTOR_PUSH(l->context->scratch, &items,
                    STATEMENT_NEW(l->context->output, group->sink->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {l->buffer[i]}));
        const struct lowered all = lower_members(l, group->count, group->stage);
        const struct statement *row = line_row(l->context, l->out, group, all.buffer, all.body);
        if (row)
            VECTOR_PUSH(l->context->scratch, &at_place, row);
        else
            VECTOR_PUSH(l->context->scratch, &items,
                        lower_lines(l, group, (struct lines_ahead){0}));
    }
    return (struct lines_ahead){.in_wave = {items.item, items.count},
                                .at_place = {at_place.item, at_place.count}};
}

/* What is computed with each block of the lines: the rows that these read. */
static struct statement_list lower_in_block(struct lowering *l, const struct line_group *lines)
{
    const struct tile_group alone = {.sink = lines->sink, .sliding = NO_AXIS};
    struct tile_code items = {.context = l->context, .group = &alone};
    for (size_t i = 0; i < lines->sink->id.index; i++) {
        const struct line_group *rows = &l->lines[i];
        if (!rows->with_blocks || rows->sink->schedule->at.index != lines->sink->id.index)
            continue;
        tile_add_let(&items, rows->band->first, rows->band->least);
        tile_add_let(&items, rows->band->end, rows->band->past);
        VECTOR_PUSH(l->context->scratch, &items.lets,
                    STATEMENT_NEW(l->context->output, rows->sink->span, .kind = STATEMENT_ALLOCATE,
                                  .as.allocate = {l->buffer[i]}));
        VECTOR_PUSH(l->context->scratch, &items.lets,
                    lower_lines(l, rows, (struct lines_ahead){0}));
    }
    return (struct statement_list){items.lets.item, items.lets.count};
}

/* Its kernel; of a scatter, two. */
static const struct statement *lower_kernels(struct lowering *l, const struct stage *stage)
{
    if (runs_alone(stage))
        program_obey(l->context->output, l->out, stage, DETAIL_THREADS);
    const struct line_group *lines = &l->lines[stage->id.index];
    const struct tile_group *group = &l->group[stage->id.index];
    if (lines->sink || group->sink) {
        struct lines_ahead ahead = {0};
        if (lines->sink) {
            ahead = lower_in_wave(l, lines);
            ahead.in_block = lower_in_block(l, lines);
        }
        return kernel(
            l, stage, stage->name,
            statement_rewrite(l->context->output,
                              lines->sink ? lower_lines(l, lines, ahead) : lower_group(l, group),
                              &l->naming));
    }
    l->stage = stage;
    struct stage nested = *stage;
    if (stage->kind == STAGE_SCATTER) /* what is said is not said of where it starts from */
        nested.details = NULL;
    const struct statement *samples =
        loop_nest(l->context, l->out, &nested, program_buffer(l->out, l->buffer[stage->id.index]),
                  lower_value(l, stage));
    if (stage->kind != STAGE_SCATTER)
        return kernel(l, stage, stage->name, samples);
    const struct symbol *start =
        symbol_format(&l->context->session->symbols, "%s.start", stage->name->text);
    const struct statement *const both[2] = {kernel(l, stage, start, samples),
                                             kernel(l, stage, stage->name, lower_steps(l, stage))};
    return statement_block(l->context->output, stage->span, 2, both);
}

static const struct statement *lower_stage(struct lowering *l, const struct stage *stage)
{
    const struct statement *kernels = lower_kernels(l, stage);
    const struct detail *versions = stage_says(stage, DETAIL_VERSIONS);
    if (!versions)
        return kernels;
    program_obey(l->context->output, l->out, stage, DETAIL_VERSIONS);
    return kernel_versions(l->context, l->out, versions, kernels);
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
    return statement_block(context->output, r->span, before.count, before.item);
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
            if (stage_computes(stage) && !stage_follows(stage) && stage->kind != STAGE_JOINED)
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

/* Tiles, the rows in them, and whole lines. */
static void find_groups(struct lowering *l)
{
    struct arena *scratch = l->context->scratch;
    for (size_t i = 0; i < l->in->stages.count; i++) {
        const struct stage *stage = l->in->stages.item[i];
        struct tile_group *group = &l->group[i];
        if (stage_has_blocks(stage)) /* its parts have lines */
            continue;
        if (stage->schedule && stage->schedule->along) {
            l->lines[i] = line_group_of(l->in, stage, l->context);
            note_lines(l, &l->lines[i]);
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

static void note_part(const struct expr *node, void *user)
{
    struct lowering *l = user;
    if (node->kind != EXPR_LOAD)
        return;
    struct buffer *part = &l->out->buffers.item[l->buffer[node->as.load.source].index];
    part->space = SPACE_PART;
    part->within = l->buffer[l->stage->id.index];
    part->cut = part->rank > l->stage->rank ? l->stage->schedule->along : 0;
}

/* The parts of joined stages lie in the memory of these. */
static void place_parts(struct lowering *l)
{
    for (size_t i = 0; i < l->in->stages.count; i++) {
        l->stage = l->in->stages.item[i];
        if (l->stage->kind == STAGE_JOINED)
            stage_nodes(l->stage, l->context->scratch, note_part, l);
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
        .line = ARENA_ARRAY(context->scratch, const struct line_group *, in->stages.count + 1)};
    l.naming = (struct expr_rewriter){
        .pool = context->pool, .rule = name_extent, .context = &l, .scratch = context->scratch};
    l.out->name = in->name;
    l.out->text = in->text;
    for (size_t i = 0; i < in->parameters.count; i++)
        VECTOR_PUSH(context->output, &l.out->parameters, in->parameters.item[i]);
    for (size_t i = 0; i < in->checks.count; i++)
        VECTOR_PUSH(context->output, &l.out->checks, in->checks.item[i]);
    if (context->target->tile_bytes)
        find_groups(&l);
    for (size_t i = 0; i < in->stages.count; i++)
        if (stage_has_bands(in->stages.item[i]) && l.lines[i].sink)
            find_wave(&l, &l.lines[i]);
    for (size_t i = 0; i < in->stages.count; i++)
        add_buffer(&l, in->stages.item[i]);
    for (size_t i = 0; i < in->outputs.count; i++)
        VECTOR_PUSH(context->output, &l.out->outputs, l.buffer[in->outputs.item[i].stage.index]);
    for (size_t i = 0; i < in->stages.count; i++)
        details_obey_nothing(context, l.out, in->stages.item[i]);
    place_parts(&l);
    input_regions_add(in, l.buffer, l.out, context);
    l.out->body = lower_range(&l, 0, in->stages.count, 0);
    return l.out;
}
