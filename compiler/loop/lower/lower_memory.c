/* The buffer of each stage: its whole box, the part that a tile or a band needs, or some places of
 * a line. Extents get names where that is worthwhile. */
#include "loop/lower/lowering.h"

#include "loop/lines/grid_behind.h"
#include "loop/lower/particle_kernels.h"

const struct expr *lowering_name_extent(const struct expr *node, void *user)
{
    const struct lowering *l = user;
    const struct expr *known = hash_map_find(&l->named, node);
    return known ? known : node;
}

const struct expr *lowering_named(struct lowering *l, const struct expr *value,
                                  const struct symbol *name)
{
    const struct expr *const original = value;
    value = expr_rewrite(&l->naming, value);
    if (value->count == 0)
        return value;
    const struct expr *variable =
        expr_variable(l->context->pool, VARIABLE_EXTENT, name, value->scalar, value->interval);
    VECTOR_PUSH(l->context->output, &l->out->values, (struct named_value){variable, value});
    hash_map_put(l->context->scratch, &l->named, value, (void *)(uintptr_t)variable);
    /* The rewriting remembers what it made of it before it had a name. */
    hash_map_put(l->context->scratch, &l->naming.done, original, (void *)(uintptr_t)variable);
    return variable;
}

/* The value by name, if it is worth one. */
static const struct expr *named_value(struct lowering *l, const struct expr *value,
                                      const struct stage *stage, const char *part,
                                      const struct stage_axis *axis)
{
    return lowering_named(l, value,
                          symbol_format(&l->context->session->symbols, "%s.%s%s", stage->name->text,
                                        axis->name->text, part));
}

const struct expr *lowering_extent(struct lowering *l, const struct stage *stage, unsigned axis)
{
    const struct stage_axis *a = &stage->axis[axis];
    return named_value(l, a->computed_extent, stage, "", a);
}

/* Outputs keep the names of the signature; a stage that has such a name swaps with the output. */
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
    const bool one = tile_is_of_thread(group, place);
    const unsigned along = one ? stage->as.recurrence.axis : 0;
    for (unsigned k = along; k < (one ? along + 1 : stage->rank); k++)
        axis[k - along] = tile_axis(l->context, group, place, k);
}

/* Whether lines across those of a block of threads read the stage, a member of its lines. */
static bool is_read_across(const struct lowering *l, const struct stage *stage)
{
    const struct line_group *lines = lowering_lines_of(l, stage);
    return l->context->target->execution == EXECUTION_GRID && lines && lines->panels &&
           lines->place[place_of(stage, lines->stage)].read_behind;
}

/* Whether all its samples are in memory, though it is computed in lines with others. */
static bool is_in_memory(const struct lowering *l, const struct stage *stage)
{
    const struct line_group *lines = lowering_lines_of(l, stage);
    return lines && lines->place[place_of(stage, lines->stage)].in_memory;
}

/* The axes of a stage that memory of lines has: along them, and over those that lie side by side; a
 * thread has one, but for what others of its block read. */
static unsigned axes_of_lines(const struct lowering *l, const struct stage *stage, unsigned axis[3])
{
    const struct line_group *lines = lowering_lines_of(l, stage);
    const bool is_shared = is_read_across(l, stage);
    unsigned count = 0;
    if (is_shared)
        axis[count++] = lines->along - 1;
    axis[count++] = lines->along;
    if (is_shared || l->context->target->execution != EXECUTION_GRID)
        axis[count++] = lines->lanes;
    return count;
}

static void line_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    const struct line_group *lines = lowering_lines_of(l, stage);
    const struct stage_axis *along = &stage->axis[lines->along];
    const struct expr *extent = named_value(l, along->computed_extent, stage, "", along);
    const struct expr *first = named_value(l, along->computed_first, stage, ".first", along);
    if (is_read_across(l, stage))
        grid_memory_across(l->context, lines, stage, axis);
    else
        line_memory(l->context, lines, place_of(stage, lines->stage), first, extent, axis);
}

/* Of places along the lines that it is computed ahead of, those of a band; in a wave, of its step
 * alone. */
static void band_box(struct lowering *l, const struct stage *stage, struct buffer_axis axis[])
{
    const struct stage *sink = graph_stage(l->in, stage->schedule->at);
    const struct line_group *wave = l->lines[stage->id.index].wave;
    const struct line_band *band = l->lines[stage->id.index].band;
    if (l->lines[stage->id.index].with_segments) {
        axis[band->axis].first = band->first;
        axis[band->axis].extent = expr_rewrite(&l->naming, band->most);
        return;
    }
    const unsigned along = sink->schedule->as.lines.axis;
    axis[along].extent = expr_integer(l->context->pool, sink->schedule->tile[along]);
    axis[along].circular = true;
    if (wave) {
        axis[wave->lanes].first = tile_first(l->context, sink, wave->lanes);
        axis[wave->lanes].extent = expr_integer(l->context->pool, wave->lane_count);
    }
}

/* Whether a thread has the samples of the stage, a recurrence in a tile, one after another. */
static bool is_of_thread(const struct lowering *l, const struct stage *stage)
{
    const struct tile_group *group =
        stage_is_at(stage) ? &l->group[stage->schedule->at.index] : NULL;
    return group && group->sink && tile_is_of_thread(group, place_of(stage, group->member));
}

unsigned lowering_place(const struct lowering *l, const struct stage *stage, unsigned axis[])
{
    if (lowering_lines_of(l, stage) && !is_in_memory(l, stage))
        return axes_of_lines(l, stage, axis);
    if (is_of_thread(l, stage)) {
        axis[0] = stage->as.recurrence.axis;
        return 1;
    }
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = k;
    return stage->rank;
}

/* The member of its tile whose memory the stage takes over; NULL: it has its own. */
static const struct stage *taken_over(const struct lowering *l, const struct stage *stage)
{
    const struct tile_group *group =
        stage_is_at(stage) ? &l->group[stage->schedule->at.index] : NULL;
    const size_t over = group && group->sink ? group->over[place_of(stage, group->member)] : 0;
    return over ? group->member[over - 1] : NULL;
}

static enum bypass_choice bypass_of(const struct stage *stage)
{
    const struct detail *said = stage_says(stage, DETAIL_STREAM);
    return !said ? BYPASS_IF_LARGE : said->value[0] ? BYPASS_ALWAYS : BYPASS_NEVER;
}

static enum buffer_space space_of_tiles(const struct lowering *l, const struct stage *stage)
{
    const bool own =
        lowering_lines_of(l, stage) ? !is_read_across(l, stage) : is_of_thread(l, stage);
    return l->context->target->fast.owner != OWNER_BLOCK ? SPACE_TILE
           : own                                         ? SPACE_REGISTER
                                                         : SPACE_SHARED;
}

void lowering_add_buffer(struct lowering *l, const struct stage *stage)
{
    struct pass_context *context = l->context;
    if (stage_is_in_panels(stage)) /* it has the panel of the stage that it is at */
        return;
    if (l->particles.on[stage->id.index]) {
        particle_memory(l, stage);
        if (!l->particles.at_pixels[stage->id.index])
            return;
    }
    const struct stage *over = taken_over(l, stage);
    if (over) {
        l->buffer[stage->id.index] = l->buffer[over->id.index];
        return;
    }
    struct buffer_axis *axis = ARENA_ARRAY(context->output, struct buffer_axis, stage->rank + 1);
    const struct stage *reader = l->particles.reader[stage->id.index];
    const struct stage *box = reader ? reader : stage;
    const bool in_memory = is_in_memory(l, stage);
    for (unsigned k = 0; k < stage->rank && (!stage_is_at(stage) || in_memory); k++) {
        const struct stage_axis *a = &box->axis[k];
        axis[k].name = a->name;
        axis[k].first = named_value(l, a->computed_first, box, ".first", a);
        axis[k].extent = named_value(l, a->computed_extent, box, "", a);
    }
    const struct line_group *lines = in_memory ? NULL : lowering_lines_of(l, stage);
    if (lines)
        line_box(l, stage, axis);
    else if (stage_is_at(stage) && !in_memory)
        tile_box(l, stage, axis);
    else if (stage_is_in_bands(stage))
        band_box(l, stage, axis);
    unsigned places[GRAPH_MAX_RANK];
    const bool is_local = in_memory ? false
                          : lines   ? stage_is_at(stage) && !line_goes_on(lines)
                                    : stage_is_at(stage) || l->lines[stage->id.index].wave ||
                                        l->lines[stage->id.index].with_segments;
    const enum buffer_space space = stage->kind == STAGE_INPUT          ? SPACE_INPUT
                                    : is_local                          ? space_of_tiles(l, stage)
                                    : stage->kind == STAGE_CONSTANT     ? SPACE_CONSTANT
                                    : graph_output_of(l->in, stage->id) ? SPACE_OUTPUT
                                                                        : SPACE_SCRATCH;
    const buffer_id id = program_add_buffer(
        context->output, l->out,
        (struct buffer){.name = buffer_name(l->in, stage),
                        .span = stage->span,
                        .scalar = stage->element,
                        .interval = stage->interval,
                        .fixed = stage->fixed,
                        .space = space,
                        .rank = lowering_place(l, stage, places),
                        .axis = axis,
                        .constant = stage->kind == STAGE_CONSTANT ? stage->as.constant.value : NULL,
                        .bypass = bypass_of(stage),
                        .stage = stage->name,
                        .slot = NO_SLOT});
    l->buffer[stage->id.index] = id;
    if (space == SPACE_INPUT)
        VECTOR_PUSH(context->output, &l->out->inputs, id);
}

static void note_part(const struct expr *node, void *user)
{
    struct lowering *l = user;
    if (node->kind != EXPR_LOAD)
        return;
    struct buffer *part = &l->out->buffers.item[l->buffer[node->as.load.source].index];
    part->space = SPACE_PART;
    part->within = l->buffer[l->stage->id.index];
    part->cut = part->rank > l->stage->rank ? 1 + l->stage->schedule->as.lines.axis : 0;
}

void lowering_place_parts(struct lowering *l)
{
    for (size_t i = 0; i < l->in->stages.count; i++) {
        l->stage = l->in->stages.item[i];
        if (l->stage->kind == STAGE_JOINED)
            stage_nodes(l->stage, l->context->scratch, note_part, l);
    }
}
