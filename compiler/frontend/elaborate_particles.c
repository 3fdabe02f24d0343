/* Adaptive images. What particles hold is told by samples of an image, each that of the particle in
 * whose cell its place lies; so arithmetic on them is arithmetic on images, and to_pixels() is what
 * is there already. A structure is the stage of its particles' levels; stages are noted
 * (elaborator.particles) with the structure that they have their values on, and may use nothing
 * that differs within a cell: samples of pixels, coordinates, other places. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

static const struct {
    const char *name;
    double usual, least, greatest;
} settings[] = {
#define PARTICLE_SETTING(name, usual, least, greatest) {#name, usual, least, greatest},
#include "graph/particle_settings.def"
#undef PARTICLE_SETTING
};
enum { SETTINGS = sizeof settings / sizeof *settings, MOST_AXES = 3 };

const struct stage *structure_of(const struct elaborator *el, const struct stage *stage)
{
    const void *key = stage;
    return hash_map_find(&el->particles, key);
}

static void note_structure(struct elaborator *el, const struct stage *stage,
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

static bool is_at_own_place(const struct checking *c, const struct stage *read,
                            const struct expr *load)
{
    if (c->stage->rank != read->rank)
        return false;
    for (unsigned k = 0; k < read->rank; k++)
        if (load->operand[k] != c->stage->axis[k].variable ||
            c->stage->axis[k].first != read->axis[k].first ||
            c->stage->axis[k].extent != read->axis[k].extent)
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
    if (c->stage->kind != STAGE_MAP)
        report_elsewhere(c, read, "is used by what needs whole lines");
    else if (!is_at_own_place(c, read, node))
        report_elsewhere(c, read, "is read at other places than its own");
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

void note_particles(struct elaborator *el, const struct stage *stage)
{
    struct checking c = {.el = el, .stage = stage, .good = true};
    if (stage_is_structure(stage)) {
        note_structure(el, stage, stage);
        return;
    }
    if (stage_is_of_particles(stage)) {
        note_structure(el, stage, stage_of_levels(el->graph, stage));
        return;
    }
    stage_nodes(stage, el->session->scratch, check_load, &c);
    if (!c.on)
        return;
    note_structure(el, stage, structure_of(el, c.on)); /* after a message, too */
    if (!c.good)
        return;
    if (c.pixels) {
        struct diagnostic *d =
            REPORT(el, E0337, stage->span, adaptive_name(el, c.on), c.pixels->name->text);
        NOTE(el, d, "'%s' has samples at pixels, '%s' at particles", c.pixels->name->text,
             adaptive_name(el, c.on));
        HELP(el, d, "compute with pixels: to_pixels(%s)", adaptive_name(el, c.on));
        return;
    }
    struct coordinate_search search = {.scratch = el->session->scratch, .stage = stage};
    if (has_coordinate(&search, stage->value)) {
        report_elsewhere(&c, c.on, "is used with coordinates, which differ within a particle");
    }
}

void carry_particles(struct elaborator *el, stage_id carried, stage_id initial)
{
    if (is_adaptive(el, initial))
        note_structure(el, graph_stage(el->graph, carried),
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

/* ---- Calls ---- */

struct request;
struct particle_function {
    const char *name, *usage;
    bool may_be_defined; /* as something else, by a program */
    bool (*read)(struct request *r, struct stage_context *context, const struct ast *given);
    bool (*add)(struct request *r, const struct instance *instance, const struct symbol *name);
};

struct request {
    struct elaborator *el;
    const struct ast *node;
    const struct particle_function *function;
    struct image_view image;
    const struct expr *setting[SETTINGS];
    const struct stage *like; /* of sample(): an adaptive image */
};

static struct diagnostic *report_argument(const struct request *r, struct span span,
                                          const char *takes, const char *given)
{
    struct diagnostic *d = REPORT(r->el, E0303, span, r->function->name, takes, given);
    HELP(r->el, d, "write %s", r->function->usage);
    return d;
}

static unsigned setting_named(const char *name)
{
    unsigned i = 0;
    while (i < SETTINGS && strcmp(settings[i].name, name) != 0)
        i++;
    return i;
}

/* A number of constants and parameters. What is not known to be inside is checked on entry. */
static bool read_setting(struct request *r, struct stage_context *context, const struct ast *given)
{
    struct elaborator *el = r->el;
    const unsigned i = setting_named(given->as.named.name->text);
    struct stage_context scalar = *context;
    scalar.scalar_only = true;
    if (i == SETTINGS) {
        struct diagnostic *d =
            REPORT(el, E0213, given->span, r->function->name, given->as.named.name->text);
        struct text all = text_create(el->session->permanent);
        for (unsigned k = 0; k < SETTINGS; k++)
            text_print(&all, "%s%s", k ? ", " : "", settings[k].name);
        HELP(el, d, "there are %s", all.bytes);
        return false;
    }
    const struct ast *value = given->as.named.value;
    const struct operand number =
        operand_store(el, SCALAR_F32, elaborate_expr(el, &scalar, value), value->span);
    if (!number.expr)
        return false;
    r->setting[i] = number.expr;
    const double least = (double)(float)settings[i].least,
                 greatest = (double)(float)settings[i].greatest;
    if (number.expr->kind == EXPR_REAL &&
        (number.expr->as.real < least || number.expr->as.real > greatest)) {
        report_argument(r, value->span,
                        arena_format(el->session->permanent, "%s of %g to %g", settings[i].name,
                                     settings[i].least, settings[i].greatest),
                        arena_format(el->session->permanent, "%g", number.expr->as.real));
        return false;
    }
    if (number.expr->kind != EXPR_REAL) {
        const struct expr *inside =
            expr_binary(el->pool, EXPR_AND,
                        expr_binary(el->pool, EXPR_LESS_EQUAL,
                                    expr_real(el->pool, SCALAR_F32, least), number.expr),
                        expr_binary(el->pool, EXPR_LESS_EQUAL, number.expr,
                                    expr_real(el->pool, SCALAR_F32, greatest)));
        add_entry_check(el, inside, value->span,
                        arena_format(el->session->permanent, "%s is between %g and %g",
                                     settings[i].name, settings[i].least, settings[i].greatest));
    }
    return true;
}

struct stage_axis *axes_of_particles(struct elaborator *el, const struct stage *source)
{
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, source->rank + 1);
    for (unsigned k = 0; k < source->rank; k++) {
        axis[k] = source->axis[k];
        axis[k].computed_first = axis[k].computed_extent = NULL;
    }
    return axis;
}

static bool takes_image(const struct request *r, const struct stage *source)
{
    struct elaborator *el = r->el;
    const struct span span = r->node->as.call.arguments->item[0]->span;
    if (structure_of(el, source)) {
        report_argument(r, span, "an image of pixels", "an adaptive one");
        return false;
    }
    for (unsigned k = 0; k < source->rank; k++)
        if (axis_is_of_channels(source->axis[k].name)) {
            HELP(el,
                 report_argument(r, span, "an image of places",
                                 "one that has channels, between which nothing is smooth"),
                 "take them one by one: red[y, x] = in[y, x, 0]; p = to_apr(red);");
            return false;
        }
    if (source->rank < 1 || source->rank > MOST_AXES || stage_is_complex(source)) {
        report_argument(r, span, "an image of one to three axes",
                        arena_format(el->session->permanent, "one of [%s]",
                                     axes_text(el, r->image.axis, r->image.rank)));
        return false;
    }
    return true;
}

const struct expr *sample_of_particle(struct elaborator *el, const struct stage *source,
                                      const struct stage_axis axis[])
{
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < source->rank; k++)
        index[k] = axis[k].variable;
    return expr_load(el->pool, source->id.index, source->element, source->interval, source->rank,
                     index, NULL);
}

/* Samples of the image as f32, at the coordinates of the axes. */
static const struct expr *pixel_of(struct request *r, const struct stage *source,
                                   const struct stage_axis axis[])
{
    struct elaborator *el = r->el;
    const struct expr *load = sample_of_particle(el, source, axis);
    return operand_store(el, SCALAR_F32, operand_of_stage(el, source, load), r->node->span).expr;
}

/* The means of cells: values of the particles of a structure. */
static bool add_means(struct request *r, const struct instance *instance, const struct symbol *name,
                      const struct stage *structure)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    const struct stage_axis *axis = axes_of_particles(el, structure);
    const struct expr *value = pixel_of(r, source, axis);
    struct stage_binding *binding = ARENA_NEW(el->arena, struct stage_binding);
    if (!value)
        return false;
    *binding = (struct stage_binding){symbol_from(&el->session->symbols, "level"),
                                      sample_of_particle(el, structure, axis)};
    r->image.stage = elaborate_add_stage(el, instance,
                                         (struct stage){.kind = STAGE_CELL_MEANS,
                                                        .name = name,
                                                        .span = r->node->span,
                                                        .element = SCALAR_F32,
                                                        .interval = value->interval,
                                                        .rank = structure->rank,
                                                        .axis = axis,
                                                        .value = value,
                                                        .binding = binding,
                                                        .binding_count = 1});
    return true;
}

static bool add_particles(struct request *r, const struct instance *instance,
                          const struct symbol *name)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    struct stage_binding *binding = ARENA_ARRAY(el->arena, struct stage_binding, SETTINGS);
    const struct stage_axis *axis = axes_of_particles(el, source);
    for (unsigned i = 0; i < SETTINGS; i++)
        binding[i] = (struct stage_binding){
            symbol_from(&el->session->symbols, settings[i].name),
            r->setting[i] ? r->setting[i]
                          : expr_real(el->pool, SCALAR_F32, (double)(float)settings[i].usual)};
    const struct expr *value = takes_image(r, source) ? pixel_of(r, source, axis) : NULL;
    if (!value)
        return false;
    const stage_id structure = elaborate_add_stage(
        el, instance,
        (struct stage){.kind = STAGE_TO_PARTICLES,
                       .name = symbol_format(&el->session->symbols, "%s.level", name->text),
                       .span = r->node->span,
                       .element = SCALAR_U8,
                       .interval = particle_levels,
                       .rank = source->rank,
                       .axis = axis,
                       .value = value,
                       .binding = binding,
                       .binding_count = SETTINGS});
    return add_means(r, instance, name, graph_stage(el->graph, structure));
}

static const char *stage_axes_text(struct elaborator *el, const struct stage *stage)
{
    const struct symbol *axis[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        axis[k] = stage->axis[k].name;
    return axes_text(el, axis, stage->rank);
}

/* Values of an image for particles that there are already. */
static bool add_sample(struct request *r, const struct instance *instance,
                       const struct symbol *name)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    if (!r->like) {
        report_argument(r, r->node->span, "the adaptive image whose particles it is to have",
                        "nothing");
        return false;
    }
    if (!takes_image(r, source))
        return false;
    bool same = source->rank == r->like->rank;
    for (unsigned k = 0; k < source->rank && same; k++)
        same = source->axis[k].name == r->like->axis[k].name;
    if (!same) {
        report_argument(
            r, r->node->as.call.arguments->item[0]->span,
            arena_format(el->session->permanent, "an image of the axes [%s]",
                         stage_axes_text(el, r->like)),
            arena_format(el->session->permanent, "one of [%s]", stage_axes_text(el, source)));
        return false;
    }
    for (unsigned k = 0; k < source->rank; k++)
        if (!same_box(el, r->like, source, k, r->node->span))
            return false;
    return add_means(r, instance, name, structure_of(el, r->like));
}

static const struct stage *adaptive_argument(const struct request *r)
{
    const struct stage *structure = structure_of(r->el, graph_stage(r->el->graph, r->image.stage));
    if (!structure)
        report_argument(r, r->node->as.call.arguments->item[0]->span, "an adaptive image",
                        "one of pixels");
    return structure;
}

static bool add_level(struct request *r, const struct instance *instance, const struct symbol *name)
{
    const struct stage *structure = adaptive_argument(r);
    (void)instance;
    (void)name;
    r->image.stage = structure ? structure->id : r->image.stage;
    return structure != NULL;
}

/* What is there already, as an image. */
static bool add_pixels(struct request *r, const struct instance *instance,
                       const struct symbol *name)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    if (!adaptive_argument(r))
        return false;
    const struct stage_axis *axis = axes_of_particles(el, source);
    const struct expr *value = sample_of_particle(el, source, axis);
    r->image.stage = elaborate_add_pixels(el, instance,
                                          (struct stage){.kind = STAGE_MAP,
                                                         .name = name,
                                                         .span = r->node->span,
                                                         .element = source->element,
                                                         .interval = source->interval,
                                                         .fixed = source->fixed,
                                                         .rank = source->rank,
                                                         .axis = axis,
                                                         .value = value});
    return true;
}

static bool read_like(struct request *r, struct stage_context *context, const struct ast *given)
{
    struct elaborator *el = r->el;
    const struct ast *value = given->as.named.value;
    struct image_view image = {0};
    if (strcmp(given->as.named.name->text, "like") != 0) {
        struct diagnostic *d =
            REPORT(el, E0213, given->span, r->function->name, given->as.named.name->text);
        HELP(el, d, "write %s", r->function->usage);
        return false;
    }
    if (is_image_valued(el, context->instance, context->scope, value)) {
        image = elaborate_image(el, context->instance, context->scope, value, NULL);
        if (!image.valid)
            return false;
        if (is_adaptive(el, image.stage))
            r->like = graph_stage(el->graph, image.stage);
    }
    if (!r->like)
        report_argument(r, value->span, "an adaptive image whose particles it is to have",
                        image.valid ? "one of pixels" : "a number");
    return r->like != NULL;
}

static bool read_arguments(struct request *r, struct stage_context *context)
{
    const struct ast_list *arguments = r->node->as.call.arguments;
    for (size_t i = 1; i < arguments->count; i++) {
        const struct ast *given = arguments->item[i];
        if (given->kind != AST_NAMED || !r->function->read) {
            report_argument(r, given->span,
                            r->function->read ? "named values behind the image" : "one image",
                            ast_kind_text(given->kind));
            return false;
        }
        if (!r->function->read(r, context, given))
            return false;
    }
    return true;
}

/* ---- Functions ---- */

static const struct particle_function functions[] = {
    {"to_apr", "to_apr(in, error = 0.1)", false, read_setting, add_particles},
    {"to_pixels", "to_pixels(p)", false, NULL, add_pixels},
    {"sample", "sample(in, like = p)", true, read_like, add_sample},
    {"level", "level(p)", true, NULL, add_level},
};

static const struct particle_function *function_named(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

bool is_particle_function(const char *name)
{
    return function_named(name) != NULL;
}

bool may_be_defined(const char *name)
{
    const struct particle_function *function = function_named(name);
    return function && function->may_be_defined;
}

struct image_view elaborate_particle_call(struct elaborator *el, struct instance *instance,
                                          struct scope *scope, const struct ast *call,
                                          const struct symbol *name)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct image_view none = {0};
    struct request r = {
        .el = el, .node = call, .function = function_named(call->as.call.callee->as.name->text)};
    struct stage_context context = stage_context_open(
        el, instance, scope, name ? name : symbol_from(&el->session->symbols, r.function->name),
        call->span);
    if (arguments->count < 1) {
        report_argument(&r, call->span, "an image", "nothing");
        return none;
    }
    if (!is_image_valued(el, instance, scope, arguments->item[0])) {
        const struct operand value = elaborate_expr(el, &context, arguments->item[0]);
        if (value.expr)
            report_argument(&r, arguments->item[0]->span, "an image", operand_type_text(el, value));
        return none;
    }
    r.image = elaborate_image(el, instance, scope, arguments->item[0], NULL);
    const size_t first = el->graph->stages.count;
    if (!r.image.valid || !read_arguments(&r, &context) ||
        !r.function->add(&r, instance, context.name))
        return none;
    note_definition(el, &context, first);
    return r.image;
}
