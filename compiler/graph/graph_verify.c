/* Checks a graph stage by stage. A stage's expressions may name its own axes, parameters of the
 * filter, and extents of inputs; they read stages before it. */
#include "graph/graph_verify.h"

#include "graph/particle_window.h"
#include "flt/particles.h"

#include "graph/recurrence/recurrence.h"
#include "expr/expr_verify.h"

#include <inttypes.h>

struct verification {
    const struct graph *graph;
    struct arena *arena;
    struct hash_map declared;    /* variables of parameters and extents of inputs */
    const struct stage *stage;   /* NULL in checks */
    bool in_box;                 /* its axes are not known yet */
    bool exact;                  /* intervals fit 64 bits */
    const struct stage *scatter; /* whose steps the stage is, or NULL */
};

/* ---- Names ---- */

/* Notes the name; a sentence where the map has it already. */
static const char *note_name(struct arena *arena, struct hash_map *names, const char *things,
                             const struct symbol *name)
{
    if (hash_map_find(names, name))
        return arena_format(arena, "two %s are named '%s'", things, name->text);
    hash_map_put(arena, names, name, (void *)(uintptr_t)name);
    return NULL;
}

static const char *verify_names(const struct verification *v)
{
    struct hash_map stages = {0}, outputs = {0};
    const char *problem = NULL;
    for (size_t i = 0; i < v->graph->stages.count && !problem; i++)
        problem = note_name(v->arena, &stages, "stages", v->graph->stages.item[i]->name);
    for (size_t i = 0; i < v->graph->outputs.count && !problem; i++)
        problem = note_name(v->arena, &outputs, "outputs", v->graph->outputs.item[i].name);
    return problem;
}

static const char *check_parameter(struct arena *arena, const struct parameter *p)
{
    const char *name = p->name->text;
    if (p->variable->kind != EXPR_VARIABLE || p->variable->as.variable.kind != VARIABLE_PARAMETER ||
        p->variable->scalar != p->scalar)
        return arena_format(arena, "parameter '%s' has no variable of its type", name);
    const struct expr *const constant[] = {p->initial, p->least, p->greatest};
    for (int i = 0; i < 3; i++) {
        if (!constant[i])
            continue;
        if (!expr_is_constant(constant[i]))
            return arena_format(arena, "a bound or default of parameter '%s' is not constant",
                                name);
        const char *problem = expr_check_stored(arena, constant[i], p->scalar);
        if (problem)
            return arena_format(arena, "parameter '%s': %s", name, problem);
    }
    return NULL;
}

const char *graph_verify_parameters(struct arena *arena, const struct parameter parameter[],
                                    size_t count)
{
    struct hash_map names = {0};
    const char *problem = NULL;
    for (size_t i = 0; i < count && !problem; i++) {
        problem = note_name(arena, &names, "parameters", parameter[i].name);
        if (!problem)
            problem = check_parameter(arena, &parameter[i]);
    }
    return problem;
}

/* ---- Expressions ---- */

static const char *check_variable(const struct expr *node, void *context)
{
    const struct verification *v = context;
    if (hash_map_find(&v->declared, node))
        return NULL;
    const struct stage *stage = v->in_box ? NULL : v->stage;
    for (unsigned k = 0; stage && k < stage->rank; k++)
        if (stage->axis[k].variable == node)
            return NULL;
    return arena_format(v->arena, "the %s variable '%s' is not known here",
                        variable_kind_text[node->as.variable.kind], node->as.variable.name->text);
}

/* A recurrence reads itself strictly earlier along its axis, a scatter at its target. */
static const char *check_own_read(const struct verification *v, const struct expr *load)
{
    const struct stage *stage = v->stage;
    if (v->scatter) {
        for (unsigned k = 0; k < load->count; k++)
            if (load->operand[k] != stage_target(stage, k))
                return arena_format(v->arena, "stage '%s' reads itself elsewhere than it writes",
                                    stage->name->text);
        return NULL;
    }
    const unsigned axis = stage->as.recurrence.axis;
    const struct interval offset =
        recurrence_offset(load->operand[axis], stage->axis[axis].variable);
    if (stage->as.recurrence.reversed ? offset.least > 0 : offset.greatest < 0)
        return NULL;
    return arena_format(v->arena, "stage '%s' reads itself where it is not computed yet",
                        stage->name->text);
}

static const char *check_load(const struct expr *load, void *context)
{
    const struct verification *v = context;
    const uint32_t source = load->as.load.source;
    const bool own =
        (v->scatter || v->stage->kind == STAGE_RECURRENCE) && source == v->stage->id.index;
    if (source >= v->stage->id.index && !own)
        return arena_format(v->arena, "stage '%s' reads stage %" PRIu32 ", which is not before it",
                            v->stage->name->text, source);
    const struct stage *from = v->graph->stages.item[source];
    const char *problem = expr_check_load(v->arena, load, from->name->text, from->rank,
                                          from->element, from->interval);
    return problem || !own ? problem : check_own_read(v, load);
}

/* what: "stage 'blur'", put in front of the sentence unless it tells the stage itself. */
static const char *in_stage(struct arena *arena, const char *what, const char *problem)
{
    return !problem || strncmp(problem, "stage ", 6) == 0
               ? problem
               : arena_format(arena, "%s: %s", what, problem);
}

static const char *verify_expression(struct verification *v, const char *what,
                                     const struct expr *node, bool with_loads)
{
    const struct expr_rules rules = {v->arena, check_variable, with_loads ? check_load : NULL, v,
                                     v->exact};
    return in_stage(v->arena, what, expr_verify(&rules, node));
}

/* ---- Stages ---- */

static const char *check_axis(struct verification *v, const char *what, unsigned k)
{
    const struct stage_axis *axis = &v->stage->axis[k];
    const struct expr *const part[] = {axis->first, axis->extent, axis->computed_first,
                                       axis->computed_extent};
    const char *name = axis->name->text;
    for (unsigned i = 0; i < k; i++)
        if (v->stage->axis[i].name == axis->name)
            return arena_format(v->arena, "%s has two axes '%s'", what, name);
    if (axis->variable->kind != EXPR_VARIABLE ||
        axis->variable->as.variable.kind != VARIABLE_INDEX ||
        !scalar_is_integer(axis->variable->scalar))
        return arena_format(v->arena, "%s has no coordinate along '%s'", what, name);
    if (!axis->first || !axis->extent || !axis->computed_first != !axis->computed_extent)
        return arena_format(v->arena, "%s has half a box along '%s'", what, name);
    for (int i = 0; i < 4 && part[i]; i++) {
        if (!scalar_is_integer(part[i]->scalar))
            return arena_format(v->arena, "the box of %s along '%s' is not of integers", what,
                                name);
        const char *problem = verify_expression(v, what, part[i], false);
        if (problem)
            return problem;
    }
    return NULL;
}

static const char *check_map(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    const struct expr *value = stage->value;
    const bool constant =
        value->kind == EXPR_INTEGER && !expr_check_stored(v->arena, value, stage->element);
    if (value->scalar != stage->element && !constant)
        return arena_format(v->arena, "%s holds %s, but its value is %s", what,
                            scalar_info[stage->element].text, scalar_info[value->scalar].text);
    if (scalar_is_integer(stage->element) && !interval_inside(value->interval, stage->interval))
        return arena_format(v->arena,
                            "%s holds %" PRId64 " .. %" PRId64 ", but its value is %" PRId64
                            " .. %" PRId64,
                            what, stage->interval.least, stage->interval.greatest,
                            value->interval.least, value->interval.greatest);
    const char *problem = verify_expression(v, what, value, true);
    for (size_t i = 0; i < stage->binding_count && !problem; i++)
        problem = verify_expression(v, what, stage->binding[i].value, true);
    return problem;
}

/* A carried stage, what it begins with and what it becomes have the same samples. */
static const char *check_carried(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    const stage_id part[2] = {stage->as.carried.initial, stage->as.carried.next};
    if (!stage->repeat)
        return arena_format(v->arena, "%s is carried by no repeat", what);
    if (part[0].index >= stage->id.index)
        return arena_format(v->arena, "%s begins with a stage that is not before it", what);
    for (int i = 0; i < 2; i++) {
        if (part[i].index >= v->graph->stages.count)
            return arena_format(v->arena, "%s takes stage %" PRIu32 ", which is not there", what,
                                part[i].index);
        const struct stage *from = graph_stage(v->graph, part[i]);
        if (from->element != stage->element || from->rank != stage->rank ||
            (scalar_is_integer(stage->element) &&
             !interval_inside(from->interval, stage->interval)))
            return arena_format(v->arena, "%s takes '%s', which has other samples", what,
                                from->name->text);
    }
    return NULL;
}

/* The steps of a scatter: axes, a target for each of its own, a value of its type. */
static const char *check_scatter(struct verification *v, const char *what)
{
    const struct stage *scatter = v->stage, *steps = scatter->as.scatter.steps;
    const char *problem = check_map(v, what);
    if (!problem && scatter->rank + 1 < steps->binding_count)
        return arena_format(v->arena, "%s has steps of more parts than targets and a condition",
                            what);
    if (!problem && steps->binding_count < scatter->rank)
        return arena_format(v->arena, "%s has steps without a target", what);
    for (unsigned k = 0; k < scatter->rank && !problem; k++)
        if (!scalar_is_integer(stage_target(steps, k)->scalar))
            return arena_format(v->arena, "a target of %s is not an integer", what);
    if (!problem && stage_condition(scatter) && stage_condition(scatter)->scalar != SCALAR_BOOL)
        return arena_format(v->arena, "the condition of %s is not a truth value", what);
    v->stage = steps;
    v->in_box = true;
    for (unsigned k = 0; k < steps->rank && !problem; k++)
        problem = check_axis(v, what, k);
    v->in_box = false;
    v->scatter = scatter;
    if (!problem)
        problem = check_map(v, what);
    v->scatter = NULL;
    v->stage = scatter;
    return problem;
}

struct parts_check {
    struct verification *v;
    const char *what, *problem;
};

/* At the same coordinates, or of one axis more: x = B j + i. */
static void check_part(const struct expr *node, void *user)
{
    struct parts_check *check = user;
    const struct stage *joined = check->v->stage;
    if (check->problem || node->kind != EXPR_LOAD)
        return;
    const struct stage *part = check->v->graph->stages.item[node->as.load.source];
    if (part->kind != STAGE_MAP || part->element != joined->element ||
        (part->rank != joined->rank &&
         (part->rank != joined->rank + 1 || !stage_is_segmented(joined) ||
          part->axis[joined->schedule->as.lines.axis + 1].extent->kind != EXPR_INTEGER)))
        check->problem = arena_format(check->v->arena, "%s cannot hold the samples of '%s'",
                                      check->what, part->name->text);
}

static const char *check_joined(struct verification *v, const char *what)
{
    struct parts_check check = {v, what, v->stage->rank ? NULL : "a joined stage has no axis"};
    const char *problem = check_map(v, what);
    if (!problem)
        stage_nodes(v->stage, v->arena, check_part, &check);
    return problem ? problem : check.problem;
}

/* Floats along an axis; of complex ones both parts, each for itself, and an axis for the parts of
 * the result. */
static const char *check_transform(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    const struct transform_info *info = &transform_info[stage->as.transform.kind];
    const unsigned axis = stage->as.transform.axis;
    const bool is_complex = stage->as.transform.imaginary != NULL;
    if (!scalar_is_float(stage->element) || stage->element == SCALAR_F16)
        return arena_format(v->arena, "%s transforms what are no floats", what);
    if (info->is_complex != is_complex)
        return arena_format(v->arena, "%s has samples that %s does not take", what, info->name);
    if (axis + is_complex >= stage->rank)
        return arena_format(v->arena, "%s has no axis to transform", what);
    const char *problem = check_map(v, what);
    if (problem || !is_complex)
        return problem;
    if (stage->as.transform.imaginary->scalar != stage->element)
        return arena_format(v->arena, "%s has parts of two types", what);
    const struct stage_axis *parts = &stage->axis[stage->rank - 1];
    if (parts->extent->kind != EXPR_INTEGER || parts->extent->as.integer != 2)
        return arena_format(v->arena, "%s has no axis for the parts of its samples", what);
    return stage_contains(stage, v->arena, parts->variable)
               ? arena_format(v->arena, "%s has samples that depend on the part", what)
               : verify_expression(v, what, stage->as.transform.imaginary, true);
}

static const char *check_places(struct verification *v, const char *what)
{
    enum { MOST_AXES = 3 };
    const struct stage *stage = v->stage;
    if (stage->rank < 1 || stage->rank > MOST_AXES)
        return arena_format(v->arena, "%s has particles on other than 1 to 3 axes", what);
    const char *problem = verify_expression(v, what, stage->value, true);
    for (size_t i = 0; i < stage->binding_count && !problem; i++)
        problem = verify_expression(v, what, stage->binding[i].value, true);
    return problem;
}

static const char *check_pixels(struct verification *v, const char *what)
{
    if (v->stage->value->scalar != SCALAR_F32)
        return arena_format(v->arena, "%s makes particles of values that are not f32", what);
    return check_places(v, what);
}

/* Levels, from f32 over one to three axes, and a binding for each of its settings. */
static const char *check_to_particles(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    if (stage->element != SCALAR_U8 || stage->interval.least != particle_levels.least ||
        stage->interval.greatest != particle_levels.greatest)
        return arena_format(v->arena, "%s holds no levels of particles", what);
    if (stage->binding_count != PARTICLE_SETTINGS &&
        stage->binding_count != PARTICLE_SETTINGS + PARTICLE_GUIDES)
        return arena_format(v->arena, "%s has %zu settings of particles, not %d", what,
                            stage->binding_count, PARTICLE_SETTINGS);
    for (size_t i = 0; i < stage->binding_count; i++)
        if (stage->binding[i].value->scalar != SCALAR_F32 &&
            !(i >= PARTICLE_SETTINGS && stage->binding[i].value->scalar == SCALAR_BOOL))
            return arena_format(v->arena, "%s has a setting that is no f32", what);
    return check_pixels(v, what);
}

/* Levels, from an image of them. */
static const char *check_given_levels(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    if (stage->element != SCALAR_U8 || stage->value->scalar != SCALAR_U8 || stage->binding_count ||
        !interval_inside(stage->value->interval, particle_levels) ||
        stage->interval.least != particle_levels.least ||
        stage->interval.greatest != particle_levels.greatest)
        return arena_format(v->arena, "%s holds no levels of particles", what);
    return check_places(v, what);
}

/* Three extents, the rule and the kind are integers; then there are the weights. */
static const char *check_kernel(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    const struct expr *image = stage_kernel_image(stage);
    size_t weights = 1;
    if (image && (image->kind != EXPR_LOAD || image->count != FLT_APR_AXES))
        return arena_format(v->arena, "%s has weights that are no image", what);
    for (size_t b = CONVOLVE_EXTENT; b < CONVOLVE_WEIGHT; b++) {
        const struct expr *given = b < stage->binding_count ? stage->binding[b].value : NULL;
        const bool is_extent = b < CONVOLVE_BORDER;
        if (image && is_extent)
            continue;
        if (!given || given->kind != EXPR_INTEGER || given->as.integer < is_extent ||
            given->as.integer > (is_extent ? (int64_t)FLT_APR_WEIGHTS : 2))
            return arena_format(v->arena, "%s has no kernel", what);
        weights *= is_extent ? (size_t)given->as.integer : 1;
        if (weights > FLT_APR_WEIGHTS)
            return arena_format(v->arena, "%s has a kernel of more than %d weights", what,
                                FLT_APR_WEIGHTS);
    }
    if (stage->binding_count != CONVOLVE_WEIGHT + weights)
        return arena_format(v->arena, "%s has %zu bindings, not %zu", what, stage->binding_count,
                            CONVOLVE_WEIGHT + weights);
    for (size_t b = CONVOLVE_WEIGHT; b < stage->binding_count; b++)
        if (stage->binding[b].value->scalar != SCALAR_F32)
            return arena_format(v->arena, "%s has a weight that is no f32", what);
    return NULL;
}

/* It reads one image of f32, around its own place. */
static const char *check_window(struct verification *v, const char *what)
{
    struct particle_window window;
    return particle_window_of(v->graph, v->stage, v->arena, &window)
               ? NULL
               : arena_format(v->arena, "%s has no window over one adaptive image", what);
}

/* f32, and the level at each place as the first binding. What is read is there before it is looked
 * up. */
static const char *check_cells(struct verification *v, const char *what)
{
    const struct stage *stage = v->stage;
    const bool is_given = stage->kind == STAGE_GIVEN_VALUES;
    const char *problem = is_given ? check_places(v, what) : check_pixels(v, what);
    if (problem)
        return problem;
    const struct stage *levels = stage_of_levels(v->graph, stage);
    bool here = levels && levels->rank == stage->rank;
    for (unsigned k = 0; here && k < stage->rank; k++)
        here = stage->binding[0].value->operand[k] == stage->axis[k].variable;
    if (!here)
        return arena_format(v->arena, "%s does not read the levels of its own places", what);
    if (stage->kind != STAGE_CONVOLVE_CELLS && stage->binding_count != 1)
        return arena_format(v->arena, "%s has more bindings than the level", what);
    if (!is_given && stage->element != SCALAR_F32)
        return arena_format(v->arena, "%s has values of particles that are no f32", what);
    return stage->kind == STAGE_CONVOLVE_CELLS  ? check_kernel(v, what)
           : stage->kind == STAGE_STENCIL_CELLS ? check_window(v, what)
                                                : NULL;
}

/* The number of samples of a box, if it is constant and below 2^40. */
static bool constant_samples(unsigned rank, const struct expr *const extent[], int64_t *samples)
{
    *samples = 1;
    for (unsigned k = 0; k < rank; k++) {
        if (extent[k]->kind != EXPR_INTEGER || extent[k]->as.integer < 1 ||
            extent[k]->as.integer > ((int64_t)1 << 40) / *samples)
            return false;
        *samples *= extent[k]->as.integer;
    }
    return true;
}

const char *graph_verify_constants(struct arena *arena, const char *name, enum scalar scalar,
                                   struct interval interval, unsigned rank,
                                   const struct expr *const extent[],
                                   const struct expr *const value[], size_t count)
{
    int64_t samples;
    if (!constant_samples(rank, extent, &samples))
        return arena_format(arena, "%s is constant, but its box is not", name);
    if ((size_t)samples != count)
        return arena_format(arena, "%s has %" PRId64 " samples, but %zu values", name, samples,
                            count);
    for (size_t i = 0; i < count; i++) {
        if (!expr_is_constant(value[i]))
            return arena_format(arena, "%s has a value that is not constant", name);
        const char *problem = expr_check_stored(arena, value[i], scalar);
        if (problem)
            return arena_format(arena, "%s: %s", name, problem);
        if (scalar_is_integer(scalar) && !interval_inside(value[i]->interval, interval))
            return arena_format(arena, "%s holds %" PRId64 " .. %" PRId64 ", but also %" PRId64,
                                name, interval.least, interval.greatest, value[i]->as.integer);
    }
    return NULL;
}

static const char *check_constant(struct verification *v, const char *what)
{
    const struct expr *extent[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < v->stage->rank; k++)
        extent[k] = v->stage->axis[k].extent;
    return graph_verify_constants(v->arena, what, v->stage->element, v->stage->interval,
                                  v->stage->rank, extent, v->stage->as.constant.value,
                                  v->stage->as.constant.count);
}

static const char *check_input(struct verification *v, const char *what)
{
    for (uint32_t i = 0; i < v->stage->id.index; i++) {
        const struct stage *other = v->graph->stages.item[i];
        if (other->kind == STAGE_INPUT && other->as.input.position == v->stage->as.input.position)
            return arena_format(v->arena, "%s is input %" PRIu32 ", as is '%s'", what,
                                v->stage->as.input.position, other->name->text);
    }
    return NULL;
}

static const char *check_kind(struct verification *v, const char *what)
{
    switch (v->stage->kind) {
    case STAGE_INPUT:
        return check_input(v, what);
    case STAGE_CONSTANT:
        return check_constant(v, what);
    case STAGE_RECURRENCE:
        if (v->stage->as.recurrence.axis >= v->stage->rank)
            return arena_format(v->arena, "%s has no axis to run along", what);
        if (v->stage->as.recurrence.of_tile < 0)
            return arena_format(v->arena, "%s begins with parts of fewer places than none", what);
        return check_map(v, what);
    case STAGE_CARRIED:
        return check_carried(v, what);
    case STAGE_SCATTER:
        return check_scatter(v, what);
    case STAGE_JOINED:
        return check_joined(v, what);
    case STAGE_TABLE:
    case STAGE_MAP:
        return check_map(v, what);
    case STAGE_TRANSFORM:
        return check_transform(v, what);
    case STAGE_TO_PARTICLES:
        return check_to_particles(v, what);
    case STAGE_GIVEN_LEVELS:
        return check_given_levels(v, what);
    case STAGE_GIVEN_VALUES:
    case STAGE_CELL_MEANS:
    case STAGE_CONVOLVE_CELLS:
    case STAGE_STENCIL_CELLS:
        return check_cells(v, what);
    case STAGE_KIND_COUNT:
        break;
    }
    return arena_format(v->arena, "%s has no kind", what);
}

/* Lines are cut in segments, along the fastest axis, or in bands: a power of two of places, of an
 * image that has two axes. */
static const char *check_lines(struct verification *v, const struct schedule *s, const char *what)
{
    const struct schedule_lines *lines = &s->as.lines;
    const unsigned along = lines->axis;
    if (along >= s->rank)
        return arena_format(v->arena, "%s takes whole lines along axis %u, which is not there",
                            what, along);
    if (lines->has_lanes && (lines->lanes >= s->rank || lines->lanes == along))
        return arena_format(v->arena, "lines of %s cannot lie side by side along axis %u", what,
                            lines->lanes);
    const int64_t band = schedule_places(s);
    if (lines->segmented && band == 0)
        return arena_format(v->arena, "%s is in blocks of no samples", what);
    if (band && !stage_is_segmented(v->stage) &&
        (s->rank != 2 || along != 0 || (band & (band - 1)) != 0))
        return arena_format(v->arena, "%s takes lines along axis %u in bands of %" PRId64, what,
                            along, band);
    const struct stage *at = s->placement == PLACED_AT ? v->graph->stages.item[s->at.index] : NULL;
    const bool with_segments = at && s->rank == 2 && along == 1 &&
                               (schedule_has_segment_lines(at->schedule) || stage_is_segmented(at));
    if (at && !with_segments && (!stage_has_bands(at) || schedule_runs_along(at->schedule, along)))
        return arena_format(v->arena,
                            "%s is in bands of stage %" PRIu32 ", which has none across its lines",
                            what, s->at.index);
    return NULL;
}

/* Lines behind those of a tile: along the same axis, or along the fastest one, across columns. */
static const char *check_behind(struct verification *v, const struct schedule *s, const char *what)
{
    const struct stage *at =
        s->at.index < v->stage->id.index ? v->graph->stages.item[s->at.index] : NULL;
    const struct schedule *other = at ? at->schedule : NULL;
    const bool lines = other && schedule_has_lines(s) && other->placement == PLACED_ROOT &&
                       schedule_has_lines(other) && !stage_has_bands(at) &&
                       at->rank == v->stage->rank;
    const bool same = lines && schedule_lines_agree(s, other);
    const bool turned = lines && at->rank > 2 && schedule_runs_along(s, at->rank - 1) &&
                        schedule_runs_along(other, at->rank - 2) && schedule_has_lanes(s) &&
                        s->as.lines.lanes == at->rank - 3 && !schedule_has_lanes(other);
    return same || turned
               ? NULL
               : arena_format(v->arena,
                              "%s is computed behind stage %" PRIu32
                              ", which is not an earlier one with lines that go with its own",
                              what, s->at.index);
}

static const char *check_sliding(struct verification *v, const struct schedule *s, const char *what)
{
    const unsigned axis = s->as.tiles.axis;
    return s->rank && axis < s->rank - 1 && s->tile[axis] != 0
               ? NULL
               : arena_format(v->arena,
                              "%s slides along axis %u, which is the fastest or is not cut", what,
                              axis);
}

static const char *check_schedules(struct verification *v, const char *what)
{
    for (const struct schedule *s = v->stage->schedule; s; s = s->next) {
        if (s->placement == PLACED_AT &&
            (s->at.index >= v->graph->stages.count || s->at.index <= v->stage->id.index ||
             stage_is_at(v->graph->stages.item[s->at.index])))
            return arena_format(v->arena,
                                "%s is computed at stage %" PRIu32
                                ", which is not a later one with tiles of its own",
                                what, s->at.index);
        if (s->rank != 0 && s->rank != v->stage->rank)
            return arena_format(v->arena, "%s has %u axes, but is cut into tiles of %u", what,
                                v->stage->rank, s->rank);
        for (unsigned k = 0; k < s->rank; k++)
            if (s->tile[k] < 0)
                return arena_format(v->arena, "%s is cut into tiles of %" PRId64 " samples", what,
                                    s->tile[k]);
        const char *sliding = schedule_slides(s) ? check_sliding(v, s, what) : NULL;
        if (sliding)
            return sliding;
        const char *problem = schedule_has_lines(s) ? check_lines(v, s, what) : NULL;
        if (!problem && s->placement == PLACED_BEHIND)
            problem = check_behind(v, s, what);
        if (problem)
            return problem;
    }
    return NULL;
}

static const char *verify_stage(struct verification *v, size_t place)
{
    const struct stage *stage = v->stage = v->graph->stages.item[place];
    const char *what = arena_format(v->arena, "stage '%s'", stage->name->text);
    if (stage->id.index != place)
        return arena_format(v->arena, "%s has the id %" PRIu32 ", but is at place %zu", what,
                            stage->id.index, place);
    if (stage->rank > GRAPH_MAX_RANK)
        return arena_format(v->arena, "%s has %u axes; %d are possible", what, stage->rank,
                            GRAPH_MAX_RANK);
    if (!scalar_is_float(stage->element) &&
        (stage->interval.least > stage->interval.greatest ||
         !interval_inside(stage->interval, scalar_info[stage->element].interval)))
        return arena_format(v->arena, "%s holds %" PRId64 " .. %" PRId64 ", which is not inside %s",
                            what, stage->interval.least, stage->interval.greatest,
                            scalar_info[stage->element].text);
    if (stage->repeat > v->graph->repeats.count)
        return arena_format(v->arena, "%s is in repeat %" PRIu32 ", which is not there", what,
                            stage->repeat);
    const char *problem = NULL;
    v->in_box = true;
    for (unsigned k = 0; k < stage->rank && !problem; k++)
        problem = check_axis(v, what, k);
    v->in_box = false;
    if (!problem)
        problem = check_kind(v, what);
    return problem ? problem : check_schedules(v, what);
}

/* ---- The graph ---- */

static void declare(struct verification *v, const struct expr *variable)
{
    hash_map_put(v->arena, &v->declared, variable, (void *)(uintptr_t)variable);
}

/* Extents of inputs may be used by inputs before them: images whose boxes agree. */
static void declare_variables(struct verification *v)
{
    for (size_t i = 0; i < v->graph->parameters.count; i++)
        declare(v, v->graph->parameters.item[i].variable);
    for (size_t i = 0; i < v->graph->stages.count; i++) {
        const struct stage *stage = v->graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank; k++) {
            const struct expr *extent = stage->axis[k].extent;
            if (extent && extent->kind == EXPR_VARIABLE &&
                extent->as.variable.kind == VARIABLE_EXTENT)
                declare(v, extent);
        }
    }
}

static const char *verify_checks(struct verification *v)
{
    const char *problem = NULL;
    v->stage = NULL;
    for (size_t i = 0; i < v->graph->checks.count && !problem; i++) {
        const struct graph_check *check = &v->graph->checks.item[i];
        const char *what = arena_format(v->arena, "the check \"%s\"", check->text);
        if (check->condition->scalar != SCALAR_BOOL)
            return arena_format(v->arena, "%s is not a truth value", what);
        problem = verify_expression(v, what, check->condition, false);
    }
    return problem;
}

static const char *verify_repeats(struct verification *v)
{
    const char *problem = NULL;
    v->stage = NULL;
    for (size_t i = 0; i < v->graph->repeats.count && !problem; i++) {
        const struct graph_repeat *repeat = &v->graph->repeats.item[i];
        if (!scalar_is_integer(repeat->count->scalar) || repeat->outer > i)
            return arena_format(v->arena, "repeat %zu has no count, or is inside a later one",
                                i + 1);
        problem = verify_expression(v, "a repeat", repeat->count, false);
    }
    return problem;
}

static const char *verify_estimates(struct verification *v)
{
    const char *problem = NULL;
    v->stage = NULL;
    for (size_t i = 0; i < v->graph->estimates.count && !problem; i++)
        problem = verify_expression(v, "an estimate", v->graph->estimates.item[i].variable, false);
    return problem;
}

static const char *verify_outputs(const struct verification *v)
{
    if (v->graph->outputs.count == 0)
        return "the graph has no output";
    for (size_t i = 0; i < v->graph->outputs.count; i++) {
        const struct graph_output *output = &v->graph->outputs.item[i];
        if (output->stage.index >= v->graph->stages.count)
            return arena_format(v->arena, "output '%s' is stage %" PRIu32 ", which is not there",
                                output->name->text, output->stage.index);
    }
    return NULL;
}

const char *graph_verify(const struct graph *graph, struct arena *arena, bool exact)
{
    struct verification v = {.graph = graph, .arena = arena, .exact = exact};
    const char *problem = verify_names(&v);
    if (!problem)
        problem = graph_verify_parameters(arena, graph->parameters.item, graph->parameters.count);
    declare_variables(&v);
    for (size_t i = 0; i < graph->stages.count && !problem; i++)
        problem = verify_stage(&v, i);
    if (!problem)
        problem = verify_checks(&v);
    if (!problem)
        problem = verify_estimates(&v);
    if (!problem)
        problem = verify_repeats(&v);
    return problem ? problem : verify_outputs(&v);
}
