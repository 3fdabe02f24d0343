#include "loop/lower/particle_layout.h"

#include "graph/particle_window.h"

struct reading {
    const struct particle_layout *layout;
    const struct graph *graph;
    const struct stage *stage, *structure; /* structure: NULL: the first one that is read */
    struct arena *scratch;
    struct hash_map seen;
    bool suits;
};

static bool is_here(const struct stage *stage, const struct stage *source, const struct expr *load)
{
    bool here = stage->rank == source->rank;
    for (unsigned k = 0; here && k < stage->rank; k++) {
        const struct border *border = load->as.load.border ? &load->as.load.border[k] : NULL;
        here = load->operand[k] == stage->axis[k].variable &&
               (!border || border->rule == BORDER_NONE) && stage_has_places_of(stage, source, k);
    }
    return here;
}

static void read_value(struct reading *r, const struct expr *node)
{
    if (!r->suits || hash_map_find(&r->seen, node))
        return;
    hash_map_put(r->scratch, &r->seen, node, (void *)(uintptr_t)node);
    if (node->kind == EXPR_LOAD) {
        const struct stage *source = r->graph->stages.item[node->as.load.source];
        const struct stage *on = r->layout->on[node->as.load.source];
        if (on) { /* elsewhere, or of other particles, it is read at pixels */
            r->suits = (!r->structure || r->structure == on) && is_here(r->stage, source, node);
            r->structure = on;
            return;
        }
    }
    for (unsigned k = 0; k < r->stage->rank; k++)
        r->suits = r->suits && r->stage->axis[k].variable != node;
    for (unsigned i = 0; i < node->count; i++)
        read_value(r, node->operand[i]);
}

static const struct stage *particles_of(const struct particle_layout *layout,
                                        const struct graph *graph, const struct stage *stage,
                                        const struct expr *value, const struct stage *structure,
                                        struct arena *scratch)
{
    struct reading r = {layout, graph, stage, structure, scratch, {0}, true};
    read_value(&r, value);
    return r.suits ? r.structure : NULL;
}

bool particle_layout_suits(const struct particle_layout *layout, const struct graph *graph,
                           const struct stage *stage, const struct expr *value,
                           const struct stage *structure, struct arena *scratch)
{
    return particles_of(layout, graph, stage, value, structure, scratch) == structure;
}

/* A schedule without directives, but in memory. */
static bool is_free(const struct stage *stage)
{
    const struct schedule *s = stage->schedule;
    return !stage_says_any(stage) && (!s || (!s->rank && !placement_names_stage(s->placement)));
}

/* carries: by stage: what a repeat carries may be on particles. */
static const struct stage *structure_of(const struct particle_layout *layout,
                                        const struct graph *graph, const struct stage *stage,
                                        const bool carries[], struct arena *scratch)
{
    if (stage_is_structure(stage))
        return stage;
    if (stage_is_of_particles(stage))
        return stage_of_levels(graph, stage);
    if (stage->kind == STAGE_CARRIED)
        return carries[stage->id.index] ? layout->on[stage->as.carried.initial.index] : NULL;
    if (stage->kind != STAGE_MAP || !is_free(stage))
        return NULL;
    return particles_of(layout, graph, stage, stage->value, NULL, scratch);
}

/* Whether what a repeat carries is on the same particles after each step. */
static bool carry_all(const struct particle_layout *layout, const struct graph *graph,
                      bool carries[])
{
    bool all = true;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind != STAGE_CARRIED || !layout->on[i] ||
            layout->on[stage->as.carried.next.index] == layout->on[i])
            continue;
        carries[i] = false;
        all = false;
    }
    return all;
}

struct read_search {
    const struct particle_layout *layout;
    const struct graph *graph;
    const struct stage *reader;
    bool at_particles;
};

/* The reader's box suffices if it is the only one, and reads at its own places. */
static void note_reader(const struct read_search *search, const struct expr *load)
{
    const struct stage *reader = search->reader;
    const struct stage *source = search->graph->stages.item[load->as.load.source];
    bool own = reader->kind == STAGE_MAP && reader->rank == source->rank &&
               source->kind != STAGE_CARRIED && !graph_output_of(search->graph, source->id);
    for (unsigned k = 0; k < source->rank && own; k++) {
        const struct border *border = load->as.load.border ? &load->as.load.border[k] : NULL;
        const struct expr *first = source->axis[k].computed_first;
        own = load->operand[k] == reader->axis[k].variable &&
              (!border || border->rule == BORDER_NONE) && first->kind == EXPR_INTEGER &&
              first->as.integer == 0;
    }
    const struct stage **known = &search->layout->reader[source->id.index];
    *known = own && (!*known || *known == reader) ? reader : source;
}

static void note_read(const struct expr *node, void *user)
{
    const struct read_search *search = user;
    if (node->kind != EXPR_LOAD)
        return;
    const uint32_t source = node->as.load.source;
    const struct particle_layout *layout = search->layout;
    if (!layout->on[source])
        return;
    (search->at_particles ? layout->at_particles : layout->at_pixels)[source] = true;
    if (search->at_particles)
        return;
    note_reader(search, node);
    if (repeat_is_inside(search->graph, search->reader->repeat,
                         search->graph->stages.item[source]->repeat))
        layout->in_steps[source] = true;
}

/* Whether what the window is over has a sample of each particle in memory. */
static bool is_window_packed(const struct particle_layout *layout, const struct graph *graph,
                             const struct stage *stage, struct arena *scratch)
{
    struct particle_window window;
    return particle_window_of(graph, stage, scratch, &window) &&
           layout->on[window.source->id.index] == layout->on[stage->id.index];
}

/* Values of stages on particles; those of kinds that take pixels are read at these. */
static void note_reads(const struct particle_layout *layout, const struct graph *graph,
                       const struct stage *stage, struct arena *scratch)
{
    const struct stage *on = layout->on[stage->id.index];
    struct read_search search = {layout, graph, stage, false};
    struct stage alone = *stage;
    const bool takes_pixels =
        stage_is_structure(stage) || stage->kind == STAGE_CELL_MEANS ||
        stage->kind == STAGE_GIVEN_VALUES ||
        (stage->kind == STAGE_STENCIL_CELLS && !is_window_packed(layout, graph, stage, scratch)) ||
        (stage->kind == STAGE_CONVOLVE_CELLS &&
         !particle_layout_suits(layout, graph, stage, stage->value, layout->on[stage->id.index],
                                scratch));
    if (stage_is_of_particles(stage) && stage->kind != STAGE_TO_PARTICLES)
        alone.binding_count = 0; /* they get the structure itself */
    search.at_particles = on && !takes_pixels;
    stage_nodes(&alone, scratch, note_read, &search);
    if (on && graph_output_of(graph, stage->id))
        layout->at_pixels[stage->id.index] = true;
    if (stage->kind != STAGE_CARRIED)
        return;
    const stage_id read[2] = {stage->as.carried.initial, stage->as.carried.next};
    for (unsigned i = 0; i < 2; i++)
        if (layout->on[read[i].index])
            (on ? layout->at_particles : layout->at_pixels)[read[i].index] = true;
}

struct particle_layout particle_layout_of(const struct graph *graph, struct arena *scratch)
{
    const size_t count = graph->stages.count + 1;
    const struct particle_layout layout = {
        ARENA_ARRAY(scratch, const struct stage *, count), ARENA_ARRAY(scratch, bool, count),
        ARENA_ARRAY(scratch, bool, count), ARENA_ARRAY(scratch, bool, count),
        ARENA_ARRAY(scratch, const struct stage *, count)};
    bool *carries = ARENA_ARRAY(scratch, bool, count), has_particles = false;
    for (size_t i = 0; i < graph->stages.count; i++) {
        has_particles = has_particles || stage_is_of_particles(graph->stages.item[i]);
        carries[i] = true;
    }
    if (!has_particles)
        return layout;
    do
        for (size_t i = 0; i < graph->stages.count; i++)
            layout.on[i] = structure_of(&layout, graph, graph->stages.item[i], carries, scratch);
    while (!carry_all(&layout, graph, carries));
    for (size_t i = 0; i < graph->stages.count; i++)
        note_reads(&layout, graph, graph->stages.item[i], scratch);
    for (size_t i = 0; i < graph->stages.count; i++)
        if (layout.reader[i] == graph->stages.item[i])
            layout.reader[i] = NULL;
    return layout;
}
