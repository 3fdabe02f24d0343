/* Pixels of particles: all of them, or those of a coarser level; where cells begin; positions. */
#include "frontend/ast_build.h"
#include "frontend/particle_functions.h"

enum { MOST_COARSER = 16, AXES = 3 };

/* ---- Cells ---- */

/* The greatest level of a structure: of halvings until one cell is left, or 1. */
static const struct expr *greatest_level(struct elaborator *el, const struct stage *structure)
{
    enum { MOST = 31 };
    struct expr_pool *pool = el->pool;
    const struct expr *most = structure->axis[0].extent, *count = expr_integer(pool, 1);
    for (unsigned k = 1; k < structure->rank; k++)
        most = expr_binary(pool, EXPR_MAXIMUM, most, structure->axis[k].extent);
    for (int64_t l = 1; l < MOST; l++) {
        const struct expr *is_more =
            expr_binary(pool, EXPR_LESS, expr_integer(pool, (int64_t)1 << l), most);
        count =
            expr_binary(pool, EXPR_ADD, count,
                        expr_select(pool, is_more, expr_integer(pool, 1), expr_integer(pool, 0)));
    }
    return count;
}

/* Of the particle here, the pixels along a side of its cell, 2^shift. */
static const struct expr *shift_of_cell(struct elaborator *el, const struct stage *structure,
                                        const struct stage_axis axis[])
{
    enum { MOST = 30 };
    struct expr_pool *pool = el->pool;
    const struct expr *level = sample_of_particle(el, structure, axis);
    const struct expr *shift =
        expr_binary(pool, EXPR_SUBTRACT, greatest_level(el, structure), level);
    return expr_binary(pool, EXPR_MINIMUM,
                       expr_binary(pool, EXPR_MAXIMUM, shift, expr_integer(pool, 0)),
                       expr_integer(pool, MOST));
}

static const struct expr *from_first(struct elaborator *el, const struct stage_axis *axis)
{
    return expr_binary(el->pool, EXPR_SUBTRACT, axis->variable, axis->first);
}

/* Where the cell that has the place begins, counted from the first place. */
static const struct expr *begin_of_cell(struct elaborator *el, const struct stage_axis *axis,
                                        const struct expr *shift)
{
    return expr_binary(el->pool, EXPR_SHIFT_LEFT,
                       expr_binary(el->pool, EXPR_SHIFT_RIGHT, from_first(el, axis), shift), shift);
}

bool add_begins(struct particle_request *r, const struct instance *instance,
                const struct symbol *name)
{
    struct elaborator *el = r->el;
    struct expr_pool *pool = el->pool;
    const struct stage *structure = adaptive_argument(r);
    if (!structure)
        return false;
    const struct stage_axis *axis = axes_of_particles(el, structure);
    const struct expr *shift = shift_of_cell(el, structure, axis), *begins = NULL;
    for (unsigned k = 0; k < structure->rank; k++) {
        const struct expr *along = expr_binary(pool, EXPR_EQUAL, begin_of_cell(el, &axis[k], shift),
                                               from_first(el, &axis[k]));
        begins = begins ? expr_binary(pool, EXPR_AND, begins, along) : along;
    }
    r->image.stage = elaborate_add_pixels(
        el, instance, map_of_particles(structure, name, r->node->span, axis, begins));
    r->image.fixed = (struct fixed_type){0};
    return true;
}

bool read_position_argument(struct particle_request *r, struct stage_context *context,
                            const struct ast *given)
{
    const struct ast *value = given->as.named.value;
    (void)context;
    if (strcmp(given->as.named.name->text, "along") == 0 && value->kind == AST_NAME) {
        r->axis = value->as.name;
        return true;
    }
    HELP(r->el, REPORT(r->el, E0213, given->span, r->function->name, given->as.named.name->text),
         "write %s", r->function->usage);
    return false;
}

/* The middle of the particle's cell, as a coordinate of pixels; the same in all of the cell. */
bool add_position(struct particle_request *r, const struct instance *instance,
                  const struct symbol *name)
{
    struct elaborator *el = r->el;
    struct expr_pool *pool = el->pool;
    const struct stage *structure = adaptive_argument(r);
    unsigned k = 0;
    while (structure && k < structure->rank && structure->axis[k].name != r->axis)
        k++;
    if (structure && k == structure->rank)
        report_particle_argument(r, r->node->span, "an axis of the image, along = x",
                                 r->axis ? r->axis->text : "none");
    if (!structure || k == structure->rank)
        return false;
    const struct stage_axis *axis = axes_of_particles(el, structure);
    const struct expr *shift = shift_of_cell(el, structure, axis);
    const struct expr *cell = begin_of_cell(el, &axis[k], shift);
    const struct expr *side = expr_binary(pool, EXPR_SHIFT_LEFT, expr_integer(pool, 1), shift);
    const struct expr *twice =
        expr_binary(pool, EXPR_ADD,
                    expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, 2),
                                expr_binary(pool, EXPR_ADD, axis[k].first, cell)),
                    expr_binary(pool, EXPR_SUBTRACT, side, expr_integer(pool, 1)));
    const struct expr *value =
        expr_binary(pool, EXPR_MULTIPLY, expr_convert(pool, CONVERT_ROUND, SCALAR_F32, twice),
                    expr_real(pool, SCALAR_F32, 0.5));
    r->image.stage = elaborate_add_pixels(
        el, instance, map_of_particles(structure, name, r->node->span, axis, value));
    note_on_particles(el, graph_stage(el->graph, r->image.stage), structure);
    r->image.fixed = (struct fixed_type){0};
    return true;
}

struct image_view elaborate_by_level(struct elaborator *el, const struct instance *instance,
                                     size_t count, const struct image_view image[],
                                     const struct symbol *name, struct span span)
{
    struct image_view result = image[0];
    const struct stage *first = graph_stage(el->graph, image[0].stage);
    const struct stage *structure = structure_of(el, first);
    const struct stage_axis *axis = axes_of_particles(el, structure);
    const struct expr *shift = shift_of_cell(el, structure, axis), *value = NULL;
    for (size_t i = count; i-- > 0;) {
        const struct expr *own =
            sample_of_particle(el, graph_stage(el->graph, image[i].stage), axis);
        value = value ? expr_select(el->pool,
                                    expr_binary(el->pool, EXPR_LESS_EQUAL, shift,
                                                expr_integer(el->pool, (int64_t)i)),
                                    own, value)
                      : own;
    }
    result.stage =
        elaborate_add_stage(el, instance, map_of_particles(first, name, span, axis, value));
    return result;
}

/* ---- Pixels ---- */

static const struct {
    const char *name;
    enum expr_kind join; /* of two; EXPR_ADD: the mean */
} of_nodes[] = {{"mean", EXPR_ADD}, {"min", EXPR_MINIMUM}, {"max", EXPR_MAXIMUM}};

bool read_pixels_argument(struct particle_request *r, struct stage_context *context,
                          const struct ast *given)
{
    const char *name = given->as.named.name->text;
    (void)context;
    if (strcmp(name, "coarser") == 0)
        r->coarser = given->as.named.value;
    else if (strcmp(name, "nodes") == 0)
        r->nodes = given->as.named.value;
    else {
        HELP(r->el, REPORT(r->el, E0213, given->span, r->function->name, name),
             "write to_pixels(p, coarser = 1, nodes = mean)");
        return false;
    }
    return true;
}

/* Which join nodes are made by. False after a message. */
static bool read_nodes(const struct particle_request *r, enum expr_kind *join)
{
    const size_t count = sizeof of_nodes / sizeof *of_nodes;
    size_t i = 0;
    *join = EXPR_ADD;
    if (!r->nodes)
        return true;
    while (i < count &&
           (r->nodes->kind != AST_NAME || strcmp(r->nodes->as.name->text, of_nodes[i].name) != 0))
        i++;
    if (i == count) {
        report_particle_argument(r, r->nodes->span, "nodes = mean, min or max",
                                 r->nodes->kind == AST_NAME ? r->nodes->as.name->text
                                                            : ast_kind_text(r->nodes->kind));
        return false;
    }
    *join = of_nodes[i].join;
    return true;
}

/* How many levels; -1 after a message. */
static int64_t read_coarser(const struct particle_request *r)
{
    if (!r->coarser)
        return 0;
    if (r->coarser->kind == AST_INTEGER && r->coarser->as.integer >= 0 &&
        r->coarser->as.integer <= MOST_COARSER)
        return r->coarser->as.integer;
    report_particle_argument(
        r, r->coarser->span,
        arena_format(r->el->session->permanent, "coarser = a number of levels, 0 to %d",
                     MOST_COARSER),
        r->coarser->kind == AST_INTEGER
            ? arena_format(r->el->session->permanent, "%lld", (long long)r->coarser->as.integer)
            : ast_kind_text(r->coarser->kind));
    return -1;
}

/* One level of pixels and the one below, with what particles have. */
struct halving {
    struct particle_request *r;
    const struct stage *source, *structure; /* values and levels at pixels */
    const struct stage *below;
    enum expr_kind join;
    int64_t coarser;
    enum scalar element;
};

static const struct stage_axis *halved_axes(const struct halving *h)
{
    struct elaborator *el = h->r->el;
    struct expr_pool *pool = el->pool;
    const unsigned rank = h->source->rank;
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, rank + 1);
    for (unsigned k = 0; k < rank; k++) {
        const struct expr *one = expr_integer(pool, 1);
        const struct expr *extent = expr_binary(
            pool, EXPR_DIVIDE, expr_binary(pool, EXPR_ADD, h->below->axis[k].extent, one),
            expr_integer(pool, 2));
        const struct interval places = {0, extent->interval.greatest - 1};
        axis[k] = (struct stage_axis){.name = h->source->axis[k].name,
                                      .variable = expr_variable(pool, VARIABLE_INDEX,
                                                                h->source->axis[k].name,
                                                                scalar_width(places), places),
                                      .first = expr_integer(pool, 0),
                                      .extent = extent};
    }
    return axis;
}

static const struct expr *load_at(const struct halving *h, const struct stage *stage,
                                  const struct expr *const index[])
{
    struct elaborator *el = h->r->el;
    const struct expr *load = expr_load(el->pool, stage->id.index, stage->element, stage->interval,
                                        stage->rank, index, NULL);
    return stage == h->structure || h->join != EXPR_ADD
               ? load
               : operand_store(el, SCALAR_F32, operand_of_stage(el, stage, load), h->r->node->span)
                     .expr;
}

/* What eight samples of the level below have; beyond the last ones, these again. */
static const struct expr *joined(const struct halving *h, const struct stage_axis axis[])
{
    struct expr_pool *pool = h->r->el->pool;
    const unsigned rank = h->source->rank;
    const struct expr *all = NULL;
    for (unsigned part = 0; part < 1u << AXES; part++) {
        const struct expr *index[AXES];
        for (unsigned k = 0; k < rank; k++) {
            const struct stage_axis *below = &h->below->axis[k];
            const bool second = part >> (rank - 1 - k) & 1;
            const struct expr *place = expr_binary(
                pool, EXPR_ADD,
                expr_binary(pool, EXPR_MULTIPLY, expr_integer(pool, 2), axis[k].variable),
                expr_integer(pool, second));
            const struct expr *last =
                expr_binary(pool, EXPR_SUBTRACT, below->extent, expr_integer(pool, 1));
            index[k] = expr_binary(pool, EXPR_ADD, below->first,
                                   expr_binary(pool, EXPR_MINIMUM, place, last));
        }
        const struct expr *sample = load_at(h, h->below, index);
        all = all ? expr_binary(pool, h->join, all, sample) : sample;
    }
    return h->join == EXPR_ADD
               ? expr_binary(pool, EXPR_MULTIPLY, expr_real(pool, SCALAR_F32, 0.125), all)
               : all;
}

/* Particles as coarse as the level, or coarser, have what they have. */
static const struct expr *value_of_level(const struct halving *h, const struct stage_axis axis[])
{
    struct expr_pool *pool = h->r->el->pool;
    const struct expr *index[AXES];
    for (unsigned k = 0; k < h->source->rank; k++) {
        const struct stage_axis *own = &h->source->axis[k];
        const struct expr *place = expr_binary(
            pool, EXPR_MULTIPLY, expr_integer(pool, (int64_t)1 << h->coarser), axis[k].variable);
        const struct expr *last =
            expr_binary(pool, EXPR_SUBTRACT, own->extent, expr_integer(pool, 1));
        index[k] =
            expr_binary(pool, EXPR_ADD, own->first, expr_binary(pool, EXPR_MINIMUM, place, last));
    }
    const struct expr *greatest =
        expr_binary(pool, EXPR_SUBTRACT, greatest_level(h->r->el, h->structure),
                    expr_integer(pool, h->coarser));
    const struct expr *is_whole =
        expr_binary(pool, EXPR_LESS_EQUAL, load_at(h, h->structure, index), greatest);
    return expr_select(pool, is_whole, load_at(h, h->source, index), joined(h, axis));
}

static const struct stage *add_level_of_pixels(const struct halving *h,
                                               const struct instance *instance,
                                               const struct symbol *name)
{
    struct elaborator *el = h->r->el;
    const struct stage_axis *axis = halved_axes(h);
    const struct expr *value = value_of_level(h, axis);
    const stage_id id = elaborate_add_pixels(
        el, instance,
        (struct stage){.kind = STAGE_MAP,
                       .name = name,
                       .span = h->r->node->span,
                       .element = h->join == EXPR_ADD ? SCALAR_F32 : h->source->element,
                       .interval = value->interval,
                       .fixed = h->join == EXPR_ADD ? (struct fixed_point){0} : h->source->fixed,
                       .rank = h->source->rank,
                       .axis = axis,
                       .value = value});
    return graph_stage(el->graph, id);
}

bool add_particle_pixels(struct particle_request *r, const struct instance *instance,
                         const struct symbol *name)
{
    struct elaborator *el = r->el;
    struct halving h = {.r = r,
                        .source = graph_stage(el->graph, r->image.stage),
                        .structure = adaptive_argument(r)};
    const int64_t coarser = h.structure ? read_coarser(r) : -1;
    if (coarser < 0 || !read_nodes(r, &h.join))
        return false;
    const stage_id pixels = add_pixels_of(
        el, instance, h.source,
        coarser ? symbol_format(&el->session->symbols, "%s.finest", name->text) : name,
        r->node->span);
    h.source = h.below = graph_stage(el->graph, pixels);
    for (h.coarser = 1; h.coarser <= coarser; h.coarser++)
        h.below = add_level_of_pixels(&h, instance, name);
    r->image.stage = h.below->id;
    if (coarser && h.join == EXPR_ADD)
        r->image.fixed = (struct fixed_type){0};
    return true;
}
