#include "hardware/shape.h"
#include "hardware/written_tables.h"

#include <assert.h>

static const struct {
    const char *why, *cure;
} refusal_text[REFUSAL_COUNT] = {
#define REFUSAL(name, why, cure) {why, cure},
#include "hardware/refusals.def"
#undef REFUSAL
};

/* The format with its %s replaced, one after the other. */
static const char *filled(struct arena *arena, const char *format, const char *const given[2])
{
    struct text text = text_create(arena);
    unsigned used = 0;
    for (const char *at = format; *at;) {
        const char *next = strstr(at, "%s");
        text_append(&text, at, next ? (size_t)(next - at) : strlen(at));
        if (!next)
            break;
        text_print(&text, "%s", used < 2 && given[used] ? given[used] : "");
        used++;
        at = next + 2;
    }
    return text.length ? text.bytes : "";
}

void refuse(struct arena *arena, struct refusal *refusal, enum refusal_reason reason,
            const struct stage *stage, const char *a, const char *b)
{
    if (refusal->refused)
        return;
    const char *const in_why[2] = {a, b}, *const in_cure[2] = {b, NULL};
    *refusal =
        (struct refusal){true, reason, stage, filled(arena, refusal_text[reason].why, in_why),
                         filled(arena, refusal_text[reason].cure, in_cure)};
}

struct shaping {
    struct arena *arena, *scratch;
    const struct graph *graph;
    struct refusal *refusal;
    struct shape *shape; /* by stage */
    const struct stage *stage;
    struct shape *own;
};

static bool axis_is_known(const struct stage_axis *axis)
{
    return axis->computed_first->kind == EXPR_INTEGER &&
           axis->computed_extent->kind == EXPR_INTEGER;
}

static void take_axis(struct shaping *s, enum raster role, unsigned k)
{
    const struct stage_axis *axis = &s->stage->axis[k];
    s->own->streams = true;
    s->own->axis[role] = k;
    s->own->first[role] = axis->computed_first->as.integer;
    s->own->extent[role] = (uint32_t)axis->computed_extent->as.integer;
}

/* Nothing of it streams. */
static void leave_table(struct shaping *s)
{
    *s->own = (struct shape){.axis = {NO_AXIS, NO_AXIS}, .extent = {1, 1}, .lanes = 1};
}

/* The last two axes that are not of channels; where there are more, the shortest are lanes. */
static void shape_input(struct shaping *s)
{
    unsigned found[GRAPH_MAX_RANK], count = 0;
    for (unsigned k = 0; k < s->stage->rank; k++)
        if (!axis_is_of_channels(s->stage->axis[k].name))
            found[count++] = k;
    enum { SHORT = 16 };
    while (count > RASTER_COUNT) {
        unsigned least = 0;
        for (unsigned i = 1; i < count; i++)
            if (s->stage->axis[found[i]].extent->as.integer <
                s->stage->axis[found[least]].extent->as.integer)
                least = i;
        if (s->stage->axis[found[least]].extent->as.integer > SHORT) {
            refuse(s->arena, s->refusal, REFUSED_AXES, s->stage,
                   s->stage->axis[found[least]].name->text, NULL);
            return;
        }
        memmove(found + least, found + least + 1, (count - least - 1) * sizeof *found);
        count--;
    }
    if (count > 0)
        take_axis(s, RASTER_TOKENS, found[count - 1]);
    if (count > 1)
        take_axis(s, RASTER_LINES, found[count - 2]);
    if (image_is_table(s->scratch, s->graph, s->stage, s->own->axis))
        leave_table(s);
}

/* The axis whose coordinate stands in the index along an axis of lines or places plays that part.
 * */
static void take_role(struct shaping *s, const struct expr *load, enum raster role)
{
    const struct stage *source = s->graph->stages.item[load->as.load.source];
    const unsigned along = s->shape[source->id.index].axis[role];
    if (along == NO_AXIS)
        return;
    unsigned found = NO_AXIS;
    for (unsigned k = 0; k < s->stage->rank; k++) {
        if (!expr_contains(s->scratch, load->operand[along], s->stage->axis[k].variable))
            continue;
        if (found != NO_AXIS) {
            refuse(s->arena, s->refusal, REFUSED_GATHER, s->stage, source->name->text, NULL);
            return;
        }
        found = k;
    }
    if (found == NO_AXIS)
        return;
    const enum raster other = role == RASTER_LINES ? RASTER_TOKENS : RASTER_LINES;
    if ((s->own->axis[role] != NO_AXIS && s->own->axis[role] != found) ||
        s->own->axis[other] == found) {
        const char *text =
            arena_format(s->arena, "'%s' is read at another axis than '%s'",
                         s->stage->axis[found].name->text, source->axis[along].name->text);
        refuse(s->arena, s->refusal, REFUSED_RASTER, s->stage, text, NULL);
        return;
    }
    take_axis(s, role, found);
}

static void take_roles(const struct expr *node, void *user)
{
    struct shaping *s = user;
    if (node->kind != EXPR_LOAD || node->as.load.source == s->stage->id.index ||
        !s->shape[node->as.load.source].streams)
        return;
    take_role(s, node, RASTER_LINES);
    take_role(s, node, RASTER_TOKENS);
}

/* A stage of coordinates alone, or one that is repeated along an axis: by the names of the images.
 * */
static void take_names(struct shaping *s)
{
    for (size_t i = 0; i < s->graph->stages.count; i++) {
        const struct stage *image = s->graph->stages.item[i];
        const struct shape *shape = &s->shape[i];
        for (unsigned role = 0; image->kind == STAGE_INPUT && role < RASTER_COUNT; role++)
            for (unsigned k = 0; shape->axis[role] != NO_AXIS && k < s->stage->rank; k++)
                if (s->own->axis[role] == NO_AXIS && shape_has_lane(s->own, k) &&
                    s->stage->axis[k].name == image->axis[shape->axis[role]].name &&
                    s->stage->axis[k].computed_extent->as.integer == shape->extent[role])
                    take_axis(s, (enum raster)role, k);
    }
}

static void count_lanes(struct shaping *s)
{
    int64_t lanes = 1;
    for (unsigned k = 0; k < s->stage->rank && lanes <= MOST_LANES; k++)
        if (shape_has_lane(s->own, k))
            lanes *= s->stage->axis[k].computed_extent->as.integer;
    if (s->own->streams && lanes > MOST_LANES)
        refuse(s->arena, s->refusal, REFUSED_LANES, s->stage,
               arena_format(s->arena, "more than %d", MOST_LANES),
               arena_format(s->arena, "%d", MOST_LANES));
    s->own->lanes = (unsigned)lanes;
}

/* What is read as a whole gives a token, or a few, when the frame is over. */
static void look_for_streams(const struct expr *node, void *user)
{
    struct shaping *s = user;
    s->own->streams =
        s->own->streams || (node->kind == EXPR_LOAD && node->as.load.source != s->stage->id.index &&
                            s->shape[node->as.load.source].streams);
}

/* Of a target of one axis: its numbers are the tokens of a line. */
static void shape_scatter(struct shaping *s)
{
    s->own->streams = true;
    if (s->stage->rank > 1)
        refuse(s->arena, s->refusal, REFUSED_COUNTS, s->stage,
               arena_format(s->arena, "%u", s->stage->rank), NULL);
    else if (s->stage->rank == 1)
        take_axis(s, RASTER_TOKENS, 0);
}

static void find_parameter(const struct expr *node, void *user)
{
    const struct expr **found = user;
    if (!*found && node->kind == EXPR_VARIABLE && node->as.variable.kind == VARIABLE_PARAMETER)
        *found = node;
}

/* "the parameter 'radius'": what the axis depends on. */
static const char *parameter_in(const struct shaping *s, const struct stage_axis *axis)
{
    struct expr_walk walk = {.scratch = s->scratch};
    const struct expr *found = NULL;
    expr_visit(&walk, axis->computed_first, find_parameter, &found);
    expr_visit(&walk, axis->computed_extent, find_parameter, &found);
    assert(found && "extents of images are known");
    return arena_format(s->arena, "the parameter '%s'", found->as.variable.name->text);
}

static bool extents_are_known(struct shaping *s)
{
    for (unsigned k = 0; k < s->stage->rank; k++) {
        const struct stage_axis *axis = &s->stage->axis[k];
        if (!axis_is_known(axis)) {
            refuse(s->arena, s->refusal, REFUSED_EXTENT, s->stage, axis->name->text,
                   parameter_in(s, axis));
            return false;
        }
        if (axis->computed_extent->as.integer < 1) {
            refuse(s->arena, s->refusal, REFUSED_SIZE, s->stage, NULL, NULL);
            return false;
        }
    }
    return true;
}

static void shape_map(struct shaping *s)
{
    stage_nodes(s->stage, s->scratch, take_roles, s);
    take_names(s);
    if (!s->own->streams)
        stage_nodes(s->stage, s->scratch, look_for_streams, s);
}

static void shape_stage(struct shaping *s)
{
    if (!extents_are_known(s))
        return;
    if (s->stage->kind == STAGE_INPUT)
        shape_input(s);
    else if (s->stage->kind == STAGE_SCATTER)
        shape_scatter(s);
    else if (stage_computes(s->stage))
        shape_map(s);
    count_lanes(s);
}

struct shape shape_of_number(void)
{
    return (struct shape){
        .streams = true, .axis = {NO_AXIS, NO_AXIS}, .extent = {1, 1}, .lanes = 1};
}

struct shape shape_as_map(struct arena *arena, struct arena *scratch, const struct graph *graph,
                          struct shape shape[], const struct stage *map, struct refusal *refusal)
{
    struct shape own = {.axis = {NO_AXIS, NO_AXIS}, .extent = {1, 1}, .lanes = 1};
    struct shaping s = {arena, scratch, graph, refusal, shape, map, &own};
    shape_stage(&s);
    return own;
}

struct shape *shapes_of(struct arena *arena, struct arena *scratch, const struct graph *graph,
                        size_t more, struct refusal *refusal)
{
    const size_t count = graph->stages.count;
    struct shaping s = {arena, scratch, graph, refusal, .shape = NULL};
    s.shape = ARENA_ARRAY(arena, struct shape, count + more);
    for (size_t i = 0; i < count + more; i++)
        s.shape[i] = (struct shape){.axis = {NO_AXIS, NO_AXIS}, .extent = {1, 1}, .lanes = 1};
    for (size_t i = 0; i < count && !refusal->refused; i++) {
        s.stage = graph->stages.item[i];
        s.own = &s.shape[i];
        shape_stage(&s);
    }
    return s.shape;
}
