/* Adaptive images. The values of particles are the samples of an image, each that of the particle
 * in whose cell its place lies; so arithmetic on them is arithmetic on images, and to_pixels()
 * changes nothing. A structure is the stage of its particles' levels; stages are noted
 * (elaborator.particles) with the structure that they have their values on, and may use nothing
 * that differs within a cell: samples of pixels, coordinates, other places. */
#include "frontend/particles.h"
#include "graph/particle_window.h"

const struct stage *structure_of(const struct elaborator *el, const struct stage *stage)
{
    const void *key = stage;
    return hash_map_find(&el->particles, key);
}

void note_on_particles(struct elaborator *el, const struct stage *stage,
                       const struct stage *structure)
{
    hash_map_put(el->arena, &el->particles, stage, (void *)(uintptr_t)structure);
}

bool is_adaptive(const struct elaborator *el, stage_id id)
{
    return structure_of(el, graph_stage(el->graph, id)) != NULL;
}

/* ---- What stages on particles may use ---- */

struct checking {
    struct elaborator *el;
    const struct stage *stage;
    const struct stage *on, *pixels; /* first read of each kind */
    const struct stage *moved;       /* read at other places than its own; NULL: none is */
    bool good;
};

static void report_elsewhere(struct checking *c, const struct stage *read, const char *how)
{
    struct elaborator *el = c->el;
    if (!c->good)
        return;
    c->good = false;
    struct diagnostic *d = REPORT(el, E0336, c->stage->span, adaptive_name(el, read), how);
    HELP(el, d, "to_pixels(%s) is an image, whose samples may be used so", adaptive_name(el, read));
}

/* Cells around a place are read as f32, since means of finer particles are. */
static void report_types_around(struct checking *c)
{
    struct elaborator *el = c->el;
    const char *name = adaptive_name(el, c->moved);
    const bool is_mask = c->moved->element == SCALAR_BOOL;
    struct diagnostic *d = REPORT(el, E0336, c->stage->span, name,
                                  "is read around its place, and its values are not f32");
    c->good = false;
    if (c->moved->element != SCALAR_F32)
        HELP(el, d, "take its samples as f32 before: near = f32(%s%s%s); and read near[...]",
             is_mask ? "select(" : "", name, is_mask ? ", 1, 0)" : "");
    else
        HELP(el, d, "compute in f32, and convert behind: near[...] = %s[...]; out = %s(near)", name,
             scalar_info[c->stage->element].text);
}

bool is_at_own_place(const struct stage *stage, const struct stage *read, const struct expr *load)
{
    if (stage->rank != read->rank)
        return false;
    for (unsigned k = 0; k < read->rank; k++)
        if (load->operand[k] != stage->axis[k].variable ||
            stage->axis[k].first != read->axis[k].first ||
            stage->axis[k].extent != read->axis[k].extent)
            return false;
    return true;
}

static void check_load(const struct expr *node, void *user)
{
    struct checking *c = user;
    if (node->kind != EXPR_LOAD || node->as.load.source == SELF_SOURCE)
        return;
    const struct stage *read = c->el->graph->stages.item[node->as.load.source];
    if (!structure_of(c->el, read)) {
        c->pixels = read->kind == STAGE_CONSTANT || read->kind == STAGE_TABLE || read->rank == 0 ||
                            c->pixels
                        ? c->pixels
                        : read;
        return;
    }
    c->moved = c->moved || is_at_own_place(c->stage, read, node) ? c->moved : read;
    if (c->stage->kind != STAGE_MAP)
        report_elsewhere(c, read, "is used by what needs whole lines");
    else if (c->on && structure_of(c->el, c->on) != structure_of(c->el, read) && c->good) {
        c->good = false;
        struct diagnostic *d = REPORT(c->el, E0337, c->stage->span, adaptive_name(c->el, c->on),
                                      adaptive_name(c->el, read));
        LABEL(c->el, d, structure_of(c->el, c->on)->span, "the particles of '%s'",
              adaptive_name(c->el, c->on));
        LABEL(c->el, d, structure_of(c->el, read)->span, "the particles of '%s'",
              adaptive_name(c->el, read));
        HELP(c->el, d, "compute with pixels: to_pixels(%s)", adaptive_name(c->el, read));
    }
    c->on = c->on ? c->on : read;
}

/* Whether a coordinate of the stage stands outside of loads. */
struct coordinate_search {
    struct arena *scratch;
    const struct stage *stage;
    struct hash_map seen;
};

static bool has_coordinate(struct coordinate_search *s, const struct expr *node)
{
    if (node->kind == EXPR_LOAD || hash_map_find(&s->seen, node))
        return false;
    hash_map_put(s->scratch, &s->seen, node, (void *)(uintptr_t)node);
    for (unsigned k = 0; k < s->stage->rank; k++)
        if (s->stage->axis[k].variable == node)
            return true;
    for (unsigned i = 0; i < node->count; i++)
        if (has_coordinate(s, node->operand[i]))
            return true;
    return false;
}

/* What keeps reads around the stage's place from being a window over one adaptive image; NULL:
 * nothing. */
static const char *reason_of_window(const struct checking *c)
{
    struct particle_window window;
    bool is_its_box = c->stage->rank == c->moved->rank;
    for (unsigned k = 0; k < c->stage->rank && is_its_box; k++)
        is_its_box = c->stage->axis[k].first == c->moved->axis[k].first &&
                     c->stage->axis[k].extent == c->moved->axis[k].extent;
    if (!is_its_box)
        return "is read in another box than its own";
    particle_window_of(c->el->graph, c->stage, c->el->session->scratch, &window);
    return window.reason;
}

/* Reads around the place of a stage are those of cells of the particle's level. */
static void take_window(struct checking *c)
{
    struct elaborator *el = c->el;
    struct stage *stage = el->graph->stages.item[c->stage->id.index];
    const char *reason = reason_of_window(c);
    if (c->good && (c->stage->element != SCALAR_F32 || c->moved->element != SCALAR_F32)) {
        report_types_around(c);
        return;
    }
    if (reason) {
        report_elsewhere(c, c->moved, reason);
        return;
    }
    struct stage_binding *level = ARENA_NEW(el->arena, struct stage_binding);
    *level =
        (struct stage_binding){symbol_from(&el->session->symbols, "level"),
                               sample_of_particle(el, structure_of(el, c->moved), stage->axis)};
    stage->kind = STAGE_STENCIL_CELLS;
    stage->binding = level;
    stage->binding_count = 1;
}

void note_particles(struct elaborator *el, const struct stage *stage)
{
    struct checking c = {.el = el, .stage = stage, .good = true};
    if (stage_is_structure(stage)) {
        note_on_particles(el, stage, stage);
        return;
    }
    if (stage_is_of_particles(stage)) {
        note_on_particles(el, stage, stage_of_levels(el->graph, stage));
        return;
    }
    if (el->particles.count == 0)
        return;
    stage_nodes(stage, el->session->scratch, check_load, &c);
    if (!c.on)
        return;
    note_on_particles(el, stage, structure_of(el, c.on)); /* after a message, too */
    if (!c.good)
        return;
    if (c.pixels) {
        struct diagnostic *d =
            REPORT(el, E0337, stage->span, adaptive_name(el, c.on), c.pixels->name->text);
        NOTE(el, d, "'%s' has samples at pixels, '%s' at particles", c.pixels->name->text,
             adaptive_name(el, c.on));
        HELP(el, d, "compute with particles: sample(%s, like = %s), or with pixels: to_pixels(%s)",
             c.pixels->name->text, adaptive_name(el, c.on), adaptive_name(el, c.on));
        return;
    }
    struct coordinate_search search = {.scratch = el->session->scratch, .stage = stage};
    if (has_coordinate(&search, stage->value)) {
        report_elsewhere(&c, c.on, "is used with coordinates, which differ within a particle");
    }
    if (c.moved && c.good)
        take_window(&c);
}

void carry_particles(struct elaborator *el, stage_id carried, stage_id initial)
{
    if (is_adaptive(el, initial))
        note_on_particles(el, graph_stage(el->graph, carried),
                          structure_of(el, graph_stage(el->graph, initial)));
}

bool keeps_particles(struct elaborator *el, const struct stage *carried, const struct stage *next,
                     struct span span)
{
    const struct stage *was = structure_of(el, carried), *is = structure_of(el, next);
    if (was == is)
        return true;
    struct diagnostic *d = REPORT(el, E0418, span, carried->name->text);
    if (was)
        LABEL(el, d, was->span, "it begins with these particles");
    if (is)
        LABEL(el, d, is->span, "after a step it has these");
    if (was && is)
        HELP(el, d, "keep its particles in each step: sample(..., like = %s)", carried->name->text);
    else
        HELP(el, d, "carry pixels, or particles: to_pixels(...) is an image");
    return false;
}
