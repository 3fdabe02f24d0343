/* Building of graphs. */
#include "graph/graph.h"

const struct stage_info stage_info[STAGE_KIND_COUNT] = {
#define STAGE(kind, text, computes, reads, order)                                                  \
    [STAGE_##kind] = {text, COMPUTES_##computes, READS_##reads, ORDER_##order},
#include "graph/graph_stages.def"
#undef STAGE
};

const struct detail_info detail_info[DETAIL_COUNT] = {
#define DETAIL(name, text, where) [DETAIL_##name] = {text, where},
#include "graph/details.def"
#undef DETAIL
};
const char *const placement_text[PLACEMENT_COUNT] = {
#define PLACEMENT(name, text) [PLACED_##name] = text,
#include "graph/placements.def"
#undef PLACEMENT
};

struct graph *graph_copy(struct arena *arena, const struct graph *graph)
{
    struct graph *copy = arena_copy(arena, graph, sizeof *graph);
    /* No room to spare: the first append makes a new array, and the original stays as it is. */
    copy->parameters.capacity = copy->parameters.count;
    copy->stages.capacity = copy->stages.count;
    copy->checks.capacity = copy->checks.count;
    copy->repeats.capacity = copy->repeats.count;
    copy->estimates.capacity = copy->estimates.count;
    copy->settings.capacity = copy->settings.count;
    copy->outputs.capacity = copy->outputs.count;
    return copy;
}

stage_id graph_add_stage(struct arena *arena, struct graph *graph, struct stage stage)
{
    stage.id.index = (uint32_t)graph->stages.count;
    if (stage.kind == STAGE_SCATTER) { /* its steps are parts of it */
        struct stage steps = *stage.as.scatter.steps;
        steps.id = stage.id;
        stage.as.scatter.steps = arena_copy(arena, &steps, sizeof steps);
    }
    VECTOR_PUSH(arena, &graph->stages, arena_copy(arena, &stage, sizeof stage));
    return stage.id;
}

struct graph *graph_copy_without_stages(struct arena *arena, const struct graph *graph)
{
    struct graph *copy = graph_copy(arena, graph);
    copy->stages.count = copy->stages.capacity = 0;
    return copy;
}

void graph_renumber(struct arena *arena, struct graph *graph, const uint32_t new_id[])
{
    const size_t outputs = graph->outputs.count;
    const struct graph_output *old = graph->outputs.item;
    graph->outputs.count = graph->outputs.capacity =
        0; /* the list may be shared with the original */
    for (size_t i = 0; i < outputs; i++)
        VECTOR_PUSH(
            arena, &graph->outputs,
            (struct graph_output){{new_id[old[i].stage.index]}, old[i].name, old[i].levels});
    for (size_t i = 0; i < graph->stages.count; i++) {
        struct stage *stage = graph->stages.item[i];
        if (stage_follows(stage)) {
            struct schedule schedule = *stage->schedule;
            schedule.at.index = new_id[schedule.at.index];
            stage->schedule = arena_copy(arena, &schedule, sizeof schedule);
        }
        if (stage->kind != STAGE_CARRIED)
            continue;
        stage->as.carried.initial.index = new_id[stage->as.carried.initial.index];
        stage->as.carried.next.index = new_id[stage->as.carried.next.index];
    }
}

const struct expr *graph_renumber_read(const struct expr *node, void *renumbering)
{
    const struct renumbering *r = renumbering;
    if (node->kind != EXPR_LOAD)
        return node;
    return expr_load(r->pool, r->new_id[node->as.load.source], node->scalar, node->interval,
                     node->count, node->operand, node->as.load.border);
}

int64_t graph_expected(const struct graph *graph, const struct expr *value)
{
    int64_t expected = value->kind == EXPR_INTEGER ? value->as.integer : 0;
    for (size_t i = 0; i < graph->estimates.count; i++)
        if (graph->estimates.item[i].variable == value)
            expected = graph->estimates.item[i].value;
    return expected;
}

const struct stage *graph_input_at(const struct graph *graph, size_t position)
{
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind == STAGE_INPUT && stage->as.input.position == position)
            return stage;
    }
    return NULL;
}

const struct stage *graph_stage_named(const struct graph *graph, const struct symbol *name)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->name == name)
            return graph->stages.item[i];
    return NULL;
}

const char *schedule_place_text(struct arena *arena, bool bands, const struct stage *sink)
{
    return arena_format(arena,
                        !bands                     ? "in tiles of '%s'"
                        : stage_is_segmented(sink) ? "with blocks of '%s'"
                                                   : "in bands of '%s'",
                        sink->name->text);
}

bool graph_says(const struct graph *graph, enum stage_detail detail)
{
    bool says = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        says = says || stage_says(graph->stages.item[i], detail);
    return says;
}

const struct graph_output *graph_output_of(const struct graph *graph, stage_id stage)
{
    for (size_t i = 0; i < graph->outputs.count; i++)
        if (graph->outputs.item[i].stage.index == stage.index)
            return &graph->outputs.item[i];
    return NULL;
}

struct need_search {
    bool *needed;
    struct expr_walk walk;
};

static void need_source(const struct expr *node, void *user)
{
    struct need_search *search = user;
    if (node->kind == EXPR_LOAD)
        search->needed[node->as.load.source] = true;
}

static void need_reads(const struct expr *root, void *user)
{
    struct need_search *search = user;
    expr_visit(&search->walk, root, need_source, search);
}

const bool *graph_needed(struct arena *arena, const struct graph *graph)
{
    bool *needed = ARENA_ARRAY(arena, bool, graph->stages.count + 1);
    const struct arena_mark mark = arena_mark(arena);
    for (size_t i = 0; i < graph->outputs.count; i++)
        needed[graph->outputs.item[i].stage.index] = true;
    bool again;
    do { /* what a repeat carries is read before it is computed */
        again = false;
        for (size_t i = graph->stages.count; i-- > 0;) {
            const struct stage *stage = graph->stages.item[i];
            struct need_search search = {needed, {.scratch = arena}};
            needed[i] = needed[i] || stage->kind == STAGE_INPUT;
            if (needed[i] && stage->kind == STAGE_CARRIED) {
                again = again || !needed[stage->as.carried.next.index];
                needed[stage->as.carried.next.index] = true;
                needed[stage->as.carried.initial.index] = true;
            }
            if (!needed[i] || !stage_computes(stage))
                continue;
            need_reads(stage->value, &search);
            if (stage->kind == STAGE_SCATTER)
                stage_expressions(stage->as.scatter.steps, need_reads, &search);
            for (size_t b = 0; stage_needs_bindings(stage) && b < stage->binding_count; b++)
                need_reads(stage->binding[b].value, &search);
            if (stage_imaginary(stage))
                need_reads(stage_imaginary(stage), &search);
            arena_release(arena, mark);
        }
    } while (again);
    return needed;
}

const struct graph *graph_of_needed(struct arena *arena, struct expr_pool *pool,
                                    const struct graph *graph)
{
    const bool *needed = graph_needed(arena, graph);
    uint32_t *new_id = ARENA_ARRAY(arena, uint32_t, graph->stages.count + 1);
    struct graph *out = graph_copy_without_stages(arena, graph);
    struct renumbering renumbering = {pool, new_id};
    struct expr_rewriter rewriter = {
        .pool = pool, .rule = graph_renumber_read, .context = &renumbering, .scratch = arena};
    for (size_t i = 0; i < graph->stages.count; i++) {
        rewriter.done = (struct hash_map){0}; /* a recurrence's own place is not known before */
        new_id[i] = (uint32_t)out->stages.count;
        struct stage stage = *graph->stages.item[i];
        stage.binding_count = stage_needs_bindings(&stage) ? stage.binding_count : 0;
        if (needed[i])
            graph_add_stage(arena, out, stage_rewrite(arena, &stage, &rewriter));
    }
    graph_renumber(arena, out, new_id);
    return out;
}

/* The place along an axis that the index, under its rule, is known to read; -1: it is not known. */
static int64_t known_place(const struct stage_axis *axis, const struct expr *index,
                           enum border_rule rule)
{
    const bool stays = rule == BORDER_NONE || rule == BORDER_CLAMP;
    const int64_t last = axis->extent->as.integer - 1;
    if (axis->first->kind != EXPR_INTEGER)
        return -1;
    if (last == 0 && stays)
        return 0;
    if (index->kind != EXPR_INTEGER)
        return -1;
    const int64_t at = index->as.integer - axis->first->as.integer;
    return at >= 0 && at <= last ? at : -1;
}

const struct expr *stage_constant_at(const struct stage *stage, const struct expr *load)
{
    size_t place = 0;
    if (stage->kind != STAGE_CONSTANT)
        return NULL;
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct stage_axis *axis = &stage->axis[k];
        const enum border_rule rule =
            load->as.load.border ? load->as.load.border[k].rule : BORDER_NONE;
        const int64_t at = known_place(axis, load->operand[k], rule);
        if (at < 0)
            return NULL;
        place = place * (size_t)axis->extent->as.integer + (size_t)at;
    }
    return stage->as.constant.value[place];
}

/* Integers in the type that they had: x - 0 is x, which may be narrower. */
static const struct expr *rewritten_value(struct expr_rewriter *rewriter, const struct expr *value)
{
    const struct expr *made = expr_rewrite(rewriter, value);
    const bool is_narrower = made->scalar != value->scalar && scalar_is_integer(value->scalar) &&
                             scalar_is_integer(made->scalar) && value->scalar != SCALAR_BOOL;
    return is_narrower ? expr_convert(rewriter->pool, CONVERT_EXACT, value->scalar, made) : made;
}

struct stage stage_rewrite(struct arena *arena, const struct stage *stage,
                           struct expr_rewriter *rewriter)
{
    struct stage out = *stage;
    if (!stage_computes(stage))
        return out;
    struct stage_binding *binding =
        ARENA_ARRAY(arena, struct stage_binding, stage->binding_count + 1);
    out.value = rewritten_value(rewriter, stage->value);
    for (size_t b = 0; b < stage->binding_count; b++)
        binding[b] = (struct stage_binding){stage->binding[b].name,
                                            expr_rewrite(rewriter, stage->binding[b].value)};
    out.binding = binding;
    if (stage_imaginary(stage))
        out.as.transform.imaginary = expr_rewrite(rewriter, stage_imaginary(stage));
    if (stage->kind == STAGE_SCATTER) {
        const struct stage steps = stage_rewrite(arena, stage->as.scatter.steps, rewriter);
        out.as.scatter.steps = arena_copy(arena, &steps, sizeof steps);
    }
    return out;
}

static const struct stage_axis *rewritten_axes(struct arena *arena, const struct stage *stage,
                                               struct expr_rewriter *rewriter)
{
    struct stage_axis *axis = arena_copy(arena, stage->axis, stage->rank * sizeof *axis);
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr **part[] = {&axis[k].first, &axis[k].extent, &axis[k].computed_first,
                                      &axis[k].computed_extent};
        for (size_t i = 0; i < sizeof part / sizeof *part; i++)
            if (*part[i])
                *part[i] = expr_rewrite(rewriter, *part[i]);
    }
    return axis;
}

struct stage stage_rewrite_with_box(struct arena *arena, const struct stage *stage,
                                    struct expr_rewriter *rewriter)
{
    struct stage out = stage_rewrite(arena, stage, rewriter);
    out.axis = rewritten_axes(arena, stage, rewriter);
    if (stage->kind == STAGE_SCATTER) {
        struct stage steps = *out.as.scatter.steps;
        steps.axis = rewritten_axes(arena, stage->as.scatter.steps, rewriter);
        out.as.scatter.steps = arena_copy(arena, &steps, sizeof steps);
    }
    return out;
}

struct own_reads {
    const struct stage *stage;
    bool *along;
};

static void note_own_read(const struct expr *node, void *user)
{
    const struct own_reads *own = user;
    for (unsigned k = 0; node->kind == EXPR_LOAD && k < own->stage->rank; k++)
        if (node->as.load.source == own->stage->id.index &&
            node->operand[k] != own->stage->axis[k].variable)
            own->along[k] = true;
}

void stage_own_reads(const struct stage *stage, struct arena *scratch, bool along[GRAPH_MAX_RANK])
{
    struct own_reads own = {stage, along};
    memset(along, 0, GRAPH_MAX_RANK * sizeof *along);
    if (stage->kind == STAGE_RECURRENCE)
        expr_nodes(scratch, stage->value, note_own_read, &own);
}

void stage_expressions(const struct stage *stage,
                       void (*visit)(const struct expr *node, void *context), void *context)
{
    if (!stage_computes(stage))
        return;
    visit(stage->value, context);
    for (size_t b = 0; b < stage->binding_count; b++)
        visit(stage->binding[b].value, context);
    if (stage_imaginary(stage))
        visit(stage_imaginary(stage), context);
    if (stage->kind == STAGE_SCATTER)
        stage_expressions(stage->as.scatter.steps, visit, context);
}

struct node_visit {
    struct expr_walk walk;
    void (*visit)(const struct expr *node, void *context);
    void *context;
};

static void visit_nodes(const struct expr *root, void *user)
{
    struct node_visit *v = user;
    expr_visit(&v->walk, root, v->visit, v->context);
}

void stage_nodes(const struct stage *stage, struct arena *scratch,
                 void (*visit)(const struct expr *node, void *context), void *context)
{
    struct arena *aside = arena_aside(scratch);
    const struct arena_mark mark = arena_mark(aside);
    struct node_visit v = {{.scratch = aside}, visit, context};
    stage_expressions(stage, visit_nodes, &v);
    arena_release(aside, mark);
}

struct containment {
    struct arena *scratch;
    const struct expr *node;
    bool found;
};

static void search_in(const struct expr *root, void *user)
{
    struct containment *c = user;
    c->found = c->found || expr_contains(c->scratch, root, c->node);
}

bool stage_contains(const struct stage *stage, struct arena *scratch, const struct expr *node)
{
    struct containment c = {scratch, node, false};
    stage_expressions(stage, search_in, &c);
    return c.found;
}

static void find_fast(const struct expr *node, void *user)
{
    bool *found = user;
    *found = *found || node->fast;
}

bool graph_is_fast(const struct graph *graph, struct arena *scratch)
{
    bool found = false;
    for (size_t i = 0; i < graph->stages.count && !found; i++)
        stage_nodes(graph->stages.item[i], scratch, find_fast, &found);
    return found;
}

struct read_search {
    uint32_t stage;
    bool found;
};

static void search_read(const struct expr *node, void *user)
{
    struct read_search *search = user;
    search->found =
        search->found || (node->kind == EXPR_LOAD && node->as.load.source == search->stage);
}

const struct interval particle_levels = {1, 31};

const struct stage *stage_of_levels(const struct graph *graph, const struct stage *stage)
{
    const struct expr *level = stage->binding_count > 0 ? stage->binding[0].value : NULL;
    const struct stage *levels =
        level && level->kind == EXPR_LOAD ? graph->stages.item[level->as.load.source] : NULL;
    return levels && stage_is_structure(levels) ? levels : NULL;
}

const struct expr *stage_kernel_image(const struct stage *stage)
{
    bool known = true;
    for (size_t b = CONVOLVE_EXTENT; b < CONVOLVE_BORDER && b < stage->binding_count; b++)
        known = known && stage->binding[b].value->kind == EXPR_INTEGER;
    return stage->kind == STAGE_CONVOLVE_CELLS && !known && stage->binding_count > CONVOLVE_WEIGHT
               ? stage->binding[CONVOLVE_WEIGHT].value
               : NULL;
}

bool stage_reads(const struct stage *reader, const struct stage *stage, struct arena *scratch)
{
    struct read_search search = {stage->id.index, false};
    stage_nodes(reader, scratch, search_read, &search);
    return search.found;
}

struct coordinates {
    const struct stage *stage;
    struct arena *scratch;
    struct hash_map reduced; /* names bound by reductions inside the value */
    bool closed;
};

static void note_reduced(const struct expr *node, void *user)
{
    struct coordinates *c = user;
    for (unsigned r = 0; node->kind == EXPR_REDUCE && r < node->as.reduce.rank; r++)
        hash_map_put(c->scratch, &c->reduced, node->as.reduce.range[r].variable,
                     (void *)(uintptr_t)node);
}

static void check_coordinate(const struct expr *node, void *user)
{
    struct coordinates *c = user;
    if (node->kind != EXPR_VARIABLE || node->as.variable.kind != VARIABLE_INDEX)
        return;
    bool found = hash_map_find(&c->reduced, node->as.variable.name) != NULL;
    for (unsigned k = 0; k < c->stage->rank; k++)
        found = found || c->stage->axis[k].variable == node;
    c->closed = c->closed && found;
}

bool axis_is_of_channels(const struct symbol *name)
{
    return strcmp(name->text, "c") == 0;
}

bool stage_is_closed(const struct stage *stage, const struct expr *value, struct arena *scratch)
{
    const struct arena_mark mark = arena_mark(scratch);
    struct coordinates c = {.stage = stage, .scratch = scratch, .closed = true};
    expr_nodes(scratch, value, note_reduced, &c);
    expr_nodes(scratch, value, check_coordinate, &c);
    arena_release(scratch, mark);
    return c.closed;
}

bool stage_is_carried(const struct graph *graph, const struct stage *stage)
{
    bool carried = false;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *other = graph->stages.item[i];
        carried = carried || (other->kind == STAGE_CARRIED &&
                              (other->as.carried.initial.index == stage->id.index ||
                               other->as.carried.next.index == stage->id.index));
    }
    return carried;
}

bool stage_has_others(const struct graph *graph, const struct stage *stage)
{
    bool any = false;
    for (size_t i = 0; i < stage->id.index; i++) {
        any = any || stage_is_in_tiles_of(graph->stages.item[i], stage);
    }
    return any;
}

bool stage_is_kept(const struct graph *graph, const struct stage *stage)
{
    return graph_output_of(graph, stage->id) || stage_is_carried(graph, stage) ||
           stage_has_others(graph, stage);
}

const struct stage *stage_joined_to(const struct graph *graph, const struct stage *part,
                                    struct arena *scratch)
{
    for (size_t i = part->id.index + 1; i < graph->stages.count; i++) {
        const struct stage *joined = graph->stages.item[i];
        if (joined->kind == STAGE_JOINED && stage_reads(joined, part, scratch))
            return joined;
    }
    return NULL;
}

const struct stage *stage_sink(const struct graph *graph, const struct stage *stage,
                               struct arena *scratch)
{
    const struct stage *sink = graph_stage(graph, stage->schedule->at);
    const struct stage *joined = stage_joined_to(graph, sink, scratch);
    return joined ? joined : sink;
}

bool axis_is_of_parts(const struct symbol *name)
{
    return strcmp(name->text, COMPLEX_AXIS) == 0;
}

bool stage_is_complex(const struct stage *stage)
{
    return stage->rank > 0 && axis_is_of_parts(stage->axis[stage->rank - 1].name);
}

bool axis_is_short(const struct stage_axis *axis)
{
    const struct expr *extent = axis->computed_extent ? axis->computed_extent : axis->extent;
    return extent->kind == EXPR_INTEGER && extent->as.integer <= AXIS_SHORT;
}

unsigned transform_lanes(const struct stage *stage)
{
    const unsigned axes = stage_transformed_axes(stage);
    unsigned found = axes;
    for (unsigned k = axes; k-- > 0;)
        if (k != stage->as.transform.axis &&
            (found == axes ||
             (axis_is_short(&stage->axis[found]) && !axis_is_short(&stage->axis[k]))))
            found = k;
    return found;
}

unsigned scatter_axis_mapped(const struct stage *scatter, const struct stage_axis *step_axis)
{
    for (unsigned k = 0; k < scatter->rank; k++)
        if (stage_target(scatter->as.scatter.steps, k) == step_axis->variable)
            return k;
    return GRAPH_MAX_RANK;
}

const char *const circuit_setting_text[CIRCUIT_SETTING_COUNT] = {
#define CIRCUIT_SETTING(word, least, greatest, form) #word,
#include "graph/circuit_settings.def"
#undef CIRCUIT_SETTING
};

int64_t graph_setting(const struct graph *graph, enum circuit_setting setting, int64_t usual)
{
    for (size_t i = 0; i < graph->settings.count; i++)
        if (graph->settings.item[i].setting == setting)
            usual = graph->settings.item[i].value;
    return usual;
}

bool repeat_is_inside(const struct graph *graph, uint32_t repeat, uint32_t outer)
{
    while (repeat != outer && repeat != 0)
        repeat = graph->repeats.item[repeat - 1].outer;
    return repeat == outer;
}

uint32_t repeat_directly_inside(const struct graph *graph, uint32_t repeat, uint32_t outer)
{
    while (graph->repeats.item[repeat - 1].outer != outer)
        repeat = graph->repeats.item[repeat - 1].outer;
    return repeat;
}

const struct stage_details *
details_without(struct arena *arena, const struct stage_details *details, enum stage_detail detail)
{
    struct stage_details *rest = arena_copy(arena, details, sizeof *details);
    rest->of[detail].said = false;
    return rest;
}

bool graph_has_structure(const struct graph *graph)
{
    bool found = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        found = found || stage_is_structure(graph->stages.item[i]);
    return found;
}
