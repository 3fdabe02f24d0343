/* Functions on adaptive images: what their calls are given, and the stages that they become. */
#include "frontend/ast_build.h"
#include "frontend/particle_functions.h"

static const struct {
    const char *name;
    double usual, least, greatest;
} settings[] = {
#define PARTICLE_SETTING(name, usual, least, greatest) {#name, usual, least, greatest},
#include "graph/particle_settings.def"
#undef PARTICLE_SETTING
};
enum { SETTINGS = PARTICLE_SETTINGS, MOST_AXES = 3 };

struct diagnostic *report_particle_argument(const struct particle_request *r, struct span span,
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

static const char *const guides[PARTICLE_GUIDES] = {
    [GUIDE_GRADIENT] = "gradient", [GUIDE_SCALE] = "scale", [GUIDE_MASK] = "mask"};

/* An image of pixels, gradient = g; false after a message. */
static bool read_guide(struct particle_request *r, struct stage_context *context,
                       const struct ast *value, struct image_view *guide)
{
    struct elaborator *el = r->el;
    if (!is_image_valued(el, context->instance, context->scope, value)) {
        report_particle_argument(r, value->span, "an image of pixels here", "a number");
        return false;
    }
    *guide = elaborate_image(el, context->instance, context->scope, value, NULL);
    if (guide->valid && is_adaptive(el, guide->stage)) {
        report_particle_argument(r, value->span, "an image of pixels here", "an adaptive one");
        guide->valid = false;
    }
    return guide->valid;
}

/* A number of constants and parameters. What is not known to be inside is checked on entry. */
static bool read_setting(struct particle_request *r, struct stage_context *context,
                         const struct ast *given)
{
    struct elaborator *el = r->el;
    const unsigned i = setting_named(given->as.named.name->text);
    struct stage_context scalar = *context;
    scalar.scalar_only = true;
    for (unsigned g = 0; g < PARTICLE_GUIDES; g++)
        if (strcmp(given->as.named.name->text, guides[g]) == 0)
            return read_guide(r, context, given->as.named.value, &r->guide[g]);
    if (i == SETTINGS) {
        struct diagnostic *d =
            REPORT(el, E0213, given->span, r->function->name, given->as.named.name->text);
        struct text all = text_create(el->session->permanent);
        for (unsigned k = 0; k < SETTINGS; k++)
            text_print(&all, "%s%s", k ? ", " : "", settings[k].name);
        for (unsigned k = 0; k < PARTICLE_GUIDES; k++)
            text_print(&all, ", %s", guides[k]);
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
        report_particle_argument(r, value->span,
                                 arena_format(el->session->permanent, "%s of %g to %g",
                                              settings[i].name, settings[i].least,
                                              settings[i].greatest),
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

static bool takes_image(const struct particle_request *r, const struct stage *source)
{
    struct elaborator *el = r->el;
    const struct span span = r->node->as.call.arguments->item[0]->span;
    if (structure_of(el, source)) {
        report_particle_argument(r, span, "an image of pixels", "an adaptive one");
        return false;
    }
    for (unsigned k = 0; k < source->rank; k++)
        if (axis_is_of_channels(source->axis[k].name)) {
            HELP(el,
                 report_particle_argument(r, span, "an image of places",
                                          "one that has channels, between which nothing is smooth"),
                 "take them one by one: red[y, x] = in[y, x, 0]; p = to_apr(red);");
            return false;
        }
    if (source->rank < 1 || source->rank > MOST_AXES || stage_is_complex(source)) {
        report_particle_argument(r, span, "an image of one to three axes",
                                 arena_format(el->session->permanent, "one of [%s]",
                                              axes_text(el, r->image.axis, r->image.rank)));
        return false;
    }
    return true;
}

/* Samples of the image as f32, at the coordinates of the axes. */
static const struct expr *pixel_of(struct particle_request *r, const struct stage *source,
                                   const struct stage_axis axis[])
{
    struct elaborator *el = r->el;
    const struct expr *load = sample_of_particle(el, source, axis);
    return operand_store(el, SCALAR_F32, operand_of_stage(el, source, load), r->node->span).expr;
}

/* The means of cells: values of the particles of a structure. */
static bool add_means(struct particle_request *r, const struct instance *instance,
                      const struct symbol *name, const struct stage *structure)
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

/* Whether the image is of the axes and the box of another one, or a message says that it is not. */
static bool has_box_of(const struct particle_request *r, const struct stage *image,
                       const struct stage *other, struct span span, const char *takes)
{
    struct elaborator *el = r->el;
    if (!has_axes_of(image, other)) {
        report_particle_argument(
            r, span,
            arena_format(el->session->permanent, "%s of the axes [%s]", takes,
                         stage_axes_text(el, other)),
            arena_format(el->session->permanent, "one of [%s]", stage_axes_text(el, image)));
        return false;
    }
    for (unsigned k = 0; k < image->rank; k++)
        if (!same_box(el, other, image, k, r->node->span))
            return false;
    return true;
}

/* One of each, on the box of the source; *any: some are given. */
static bool add_guides(struct particle_request *r, const struct stage *source,
                       const struct stage_axis axis[], struct stage_binding binding[], bool *any)
{
    struct elaborator *el = r->el;
    for (unsigned g = 0; g < PARTICLE_GUIDES; g++) {
        const struct expr *value = expr_boolean(el->pool, false);
        if (r->guide[g].valid) {
            const struct stage *guide = graph_stage(el->graph, r->guide[g].stage);
            if (!has_box_of(r, guide, source, r->node->span,
                            arena_format(el->session->permanent, "for %s an image", guides[g])))
                return false;
            const struct expr *load = sample_of_particle(el, guide, axis);
            value = guide->element == SCALAR_BOOL
                        ? expr_select(el->pool, load, expr_real(el->pool, SCALAR_F32, 1),
                                      expr_real(el->pool, SCALAR_F32, 0))
                        : pixel_of(r, guide, axis);
            *any = true;
        }
        if (!value)
            return false;
        binding[g] = (struct stage_binding){symbol_from(&el->session->symbols, guides[g]), value};
    }
    return true;
}

static bool add_particles(struct particle_request *r, const struct instance *instance,
                          const struct symbol *name)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    struct stage_binding *binding =
        ARENA_ARRAY(el->arena, struct stage_binding, SETTINGS + PARTICLE_GUIDES);
    const struct stage_axis *axis = axes_of_particles(el, source);
    for (unsigned i = 0; i < SETTINGS; i++)
        binding[i] = (struct stage_binding){
            symbol_from(&el->session->symbols, settings[i].name),
            r->setting[i] ? r->setting[i]
                          : expr_real(el->pool, SCALAR_F32, (double)(float)settings[i].usual)};
    const struct expr *value = takes_image(r, source) ? pixel_of(r, source, axis) : NULL;
    bool is_guided = false;
    if (!value || !add_guides(r, source, axis, binding + SETTINGS, &is_guided))
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
                       .binding_count = SETTINGS + (is_guided ? PARTICLE_GUIDES : 0)});
    return add_means(r, instance, name, graph_stage(el->graph, structure));
}

/* Values of an image for particles that there are already. */
static bool add_sample(struct particle_request *r, const struct instance *instance,
                       const struct symbol *name)
{
    struct elaborator *el = r->el;
    const struct stage *source = graph_stage(el->graph, r->image.stage);
    if (!r->like) {
        report_particle_argument(r, r->node->span,
                                 "the adaptive image whose particles it is to have", "nothing");
        return false;
    }
    if (!takes_image(r, source))
        return false;
    if (!has_box_of(r, source, r->like, r->node->as.call.arguments->item[0]->span, "an image"))
        return false;
    return add_means(r, instance, name, structure_of(el, r->like));
}

const struct stage *adaptive_argument(const struct particle_request *r)
{
    const struct stage *structure = structure_of(r->el, graph_stage(r->el->graph, r->image.stage));
    if (!structure)
        report_particle_argument(r, r->node->as.call.arguments->item[0]->span, "an adaptive image",
                                 "one of pixels");
    return structure;
}

static bool add_level(struct particle_request *r, const struct instance *instance,
                      const struct symbol *name)
{
    const struct stage *structure = adaptive_argument(r);
    (void)instance;
    (void)name;
    r->image.stage = structure ? structure->id : r->image.stage;
    return structure != NULL;
}

static bool read_like(struct particle_request *r, struct stage_context *context,
                      const struct ast *given)
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
        report_particle_argument(r, value->span, "an adaptive image whose particles it is to have",
                                 image.valid ? "one of pixels" : "a number");
    return r->like != NULL;
}

static bool read_arguments(struct particle_request *r, struct stage_context *context)
{
    const struct ast_list *arguments = r->node->as.call.arguments;
    for (size_t i = 1; i < arguments->count; i++) {
        const struct ast *given = arguments->item[i];
        if (given->kind != AST_NAMED || !r->function->read) {
            report_particle_argument(
                r, given->span, r->function->read ? "named values behind the image" : "one image",
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
    {"to_pixels", "to_pixels(p)", false, read_pixels_argument, add_particle_pixels},
    {"begins", "begins(p)", true, NULL, add_begins},
    {"position", "position(p, along = x)", true, read_position_argument, add_position},
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
    struct particle_request r = {
        .el = el, .node = call, .function = function_named(call->as.call.callee->as.name->text)};
    struct stage_context context = stage_context_open(
        el, instance, scope, name ? name : symbol_from(&el->session->symbols, r.function->name),
        call->span);
    if (arguments->count < 1) {
        report_particle_argument(&r, call->span, "an image", "nothing");
        return none;
    }
    if (!is_image_valued(el, instance, scope, arguments->item[0])) {
        const struct operand value = elaborate_expr(el, &context, arguments->item[0]);
        if (value.expr)
            report_particle_argument(&r, arguments->item[0]->span, "an image",
                                     operand_type_text(el, value));
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
