/* convolve(p, k) of an adaptive image: a stage convolve_cells, with the weights of the kernel as
 * bindings; of a kernel whose extents are not known when the filter is compiled, an image of them.
 * convolve(p, [k0, k1]) takes a kernel for each level. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"
#include "frontend/ast_build.h"

enum { AXES = 3 };

struct convolution {
    struct elaborator *el;
    const struct cell_convolution *of;
    const struct stage *image, *kernel;
    unsigned missing;      /* axes that the image has less than three */
    int kernel_axis[AXES]; /* of the kernel, by axis; -1: it does not go along that one */
    int64_t extent[AXES], border[AXES], coarser;
    const struct expr *number[AXES]; /* the extents */
    bool is_known;                   /* all of these */
};

static struct diagnostic *report_argument(const struct convolution *c, struct span span,
                                          const char *takes, const char *given)
{
    struct diagnostic *d =
        REPORT(c->el, E0303, span, "convolve of an adaptive image", takes, given);
    HELP(c->el, d, "write convolve(p, k) border clamp");
    return d;
}

/* ---- Arguments ---- */

static const struct {
    const char *name;
    enum flt_apr_coarser coarser;
} coarser_name[] = {
    {"restricted", FLT_APR_RESTRICTED}, {"rescaled", FLT_APR_RESCALED}, {"same", FLT_APR_SAME}};

bool elaborate_coarser(struct elaborator *el, const struct ast *given,
                       enum flt_apr_coarser *coarser)
{
    const struct ast *value = given->kind == AST_NAMED ? given->as.named.value : NULL;
    size_t k = 0;
    const size_t count = sizeof coarser_name / sizeof *coarser_name;
    if (!value || strcmp(given->as.named.name->text, "coarser") != 0) {
        struct diagnostic *d =
            REPORT(el, E0303, given->span, "convolve", "a kernel, a list of axes and coarser = ...",
                   value ? given->as.named.name->text : ast_kind_text(given->kind));
        HELP(el, d, "write convolve(in, k, [y, x], coarser = rescaled)");
        return false;
    }
    while (k < count &&
           (value->kind != AST_NAME || strcmp(value->as.name->text, coarser_name[k].name) != 0))
        k++;
    if (k == count) {
        struct diagnostic *d =
            REPORT(el, E0303, value->span, "coarser", "restricted, rescaled or same",
                   value->kind == AST_NAME ? value->as.name->text : ast_kind_text(value->kind));
        HELP(el, d, "write convolve(in, k, coarser = rescaled)");
        return false;
    }
    *coarser = coarser_name[k].coarser;
    return true;
}

static bool read_extents(struct convolution *c)
{
    const struct cell_convolution *of = c->of;
    const struct span span = of->call->as.call.arguments->item[1]->span;
    int64_t weights = 1;
    for (int a = 0; a < AXES; a++) {
        c->kernel_axis[a] = -1;
        c->extent[a] = 1;
        c->number[a] = expr_integer(c->el->pool, 1);
    }
    c->is_known = true;
    for (unsigned i = 0; i < of->kernel.rank; i++) {
        unsigned k = 0, own = 0;
        while (c->image->axis[k].name != of->along[i])
            k++;
        while (c->kernel->axis[own].name != of->kernel.axis[i])
            own++;
        const struct stage_axis *axis = &c->kernel->axis[own];
        c->number[c->missing + k] = axis->extent;
        c->kernel_axis[c->missing + k] = (int)own;
        if (axis->extent->kind != EXPR_INTEGER || axis->first->kind != EXPR_INTEGER) {
            c->is_known = false;
            c->extent[c->missing + k] = FLT_APR_WEIGHTS; /* or less */
            continue;
        }
        c->extent[c->missing + k] = axis->extent->as.integer;
        weights *= axis->extent->as.integer <= FLT_APR_WEIGHTS ? axis->extent->as.integer
                                                               : FLT_APR_WEIGHTS + 1;
        if (weights > FLT_APR_WEIGHTS) {
            report_argument(c, span,
                            arena_format(c->el->session->permanent,
                                         "a kernel of at most %d weights", FLT_APR_WEIGHTS),
                            "one of more");
            return false;
        }
    }
    return true;
}

/* ---- Borders ---- */

static bool report_no_rule(const struct convolution *c, const struct symbol *axis)
{
    struct diagnostic *d =
        REPORT(c->el, E0401, c->of->call->span, c->image->name->text, axis->text);
    NOTE(c->el, d, "it is read on the grid of each level");
    HELP(c->el, d, "write a rule behind the call: convolve(...) border clamp");
    return false;
}

static bool read_border(struct convolution *c, struct stage_context *context, int a)
{
    static const enum flt_apr_border borders[BORDER_COUNT] = {[BORDER_REFLECT101] =
                                                                  FLT_APR_REFLECT101,
                                                              [BORDER_CLAMP] = FLT_APR_CLAMP,
                                                              [BORDER_ZERO] = FLT_APR_ZERO};
    const struct symbol *axis = c->image->axis[(unsigned)a - c->missing].name;
    const struct ast *argument = c->of->call->as.call.arguments->item[0];
    struct border_default *taken;
    struct border border;
    const struct ast *rule =
        nearest_rule(context->instance, c->of->rule,
                     argument->kind == AST_NAME ? argument->as.name : NULL, axis, &taken);
    if (!rule)
        return report_no_rule(c, axis);
    if (taken)
        taken->used = true;
    if (!elaborate_border(c->el, context, rule, c->image, &border))
        return false;
    if (border.rule != BORDER_REFLECT101 && border.rule != BORDER_CLAMP &&
        border.rule != BORDER_ZERO) {
        struct diagnostic *d = REPORT(c->el, E0415, rule->span, border_text[border.rule]);
        HELP(c->el, d, "adaptive images have reflect101, clamp and zero");
        return false;
    }
    c->border[a] = borders[border.rule];
    return true;
}

/* ---- The stage ---- */

/* A sample of the kernel, rounded to f32. */
static const struct expr *weight_of(const struct convolution *c, const struct expr *load)
{
    struct elaborator *el = c->el;
    const struct expr *known = c->kernel->fixed.is ? NULL : stage_constant_at(c->kernel, load);
    const struct span span = c->of->call->as.call.arguments->item[1]->span;
    struct operand value = known ? operand_from(known) : operand_of_stage(el, c->kernel, load);
    if (value.expr && value.expr->scalar == SCALAR_F64)
        value = operand_convert(el, CONVERT_EXACT, SCALAR_F32, value, span);
    return operand_store(el, SCALAR_F32, value, span).expr;
}

static const struct expr *weight_at(const struct convolution *c, const int64_t place[])
{
    struct elaborator *el = c->el;
    const struct expr *index[GRAPH_MAX_RANK];
    for (int a = 0; a < AXES; a++)
        if (c->kernel_axis[a] >= 0) {
            const struct stage_axis *axis = &c->kernel->axis[c->kernel_axis[a]];
            index[c->kernel_axis[a]] = expr_integer(el->pool, axis->first->as.integer + place[a]);
        }
    const struct expr *load = expr_load(el->pool, c->kernel->id.index, c->kernel->element,
                                        c->kernel->interval, c->kernel->rank, index, NULL);
    return weight_of(c, load);
}

/* All extents together are no more weights than there can be. */
static void check_weights(const struct convolution *c)
{
    struct elaborator *el = c->el;
    const struct expr *most = expr_integer(el->pool, FLT_APR_WEIGHTS), *all = NULL, *count = NULL;
    for (int a = 0; a < AXES; a++) {
        const struct expr *fits = expr_binary(el->pool, EXPR_LESS_EQUAL, c->number[a], most);
        const struct expr *few = expr_binary(el->pool, EXPR_MINIMUM, c->number[a], most);
        all = all ? expr_binary(el->pool, EXPR_AND, all, fits) : fits;
        count = count ? expr_binary(el->pool, EXPR_MULTIPLY, count, few) : few;
    }
    all = expr_binary(el->pool, EXPR_AND, all, expr_binary(el->pool, EXPR_LESS_EQUAL, count, most));
    add_entry_check(el, all, c->of->call->span,
                    arena_format(el->session->permanent, "'%s' has at most %d weights",
                                 c->kernel->name->text, FLT_APR_WEIGHTS));
}

/* The weights as an image of f32 over z, y, x. */
static const struct stage *add_weights(const struct convolution *c, const struct instance *instance)
{
    static const char *const names[AXES] = {"z", "y", "x"};
    struct elaborator *el = c->el;
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, AXES);
    const struct expr *index[GRAPH_MAX_RANK];
    for (int a = 0; a < AXES; a++) {
        const struct interval places = {0, c->number[a]->interval.greatest - 1};
        const struct symbol *name =
            symbol_format(&el->session->symbols, "%s.%s", c->kernel->name->text, names[a]);
        axis[a] = (struct stage_axis){
            .name = name,
            .variable = expr_variable(el->pool, VARIABLE_INDEX, name, scalar_width(places), places),
            .first = expr_integer(el->pool, 0),
            .extent = c->number[a]};
        if (c->kernel_axis[a] >= 0)
            index[c->kernel_axis[a]] = expr_binary(
                el->pool, EXPR_ADD, c->kernel->axis[c->kernel_axis[a]].first, axis[a].variable);
    }
    const struct expr *value =
        weight_of(c, expr_load(el->pool, c->kernel->id.index, c->kernel->element,
                               c->kernel->interval, c->kernel->rank, index, NULL));
    if (!value)
        return NULL;
    const stage_id id = elaborate_add_pixels(
        el, instance,
        (struct stage){
            .kind = STAGE_MAP,
            .name = symbol_format(&el->session->symbols, "%s.weights", c->kernel->name->text),
            .span = c->of->call->span,
            .element = SCALAR_F32,
            .interval = value->interval,
            .rank = AXES,
            .axis = axis,
            .value = value});
    check_weights(c);
    return graph_stage(el->graph, id);
}

static bool add_bindings(const struct convolution *c, const struct instance *instance,
                         struct stage *stage)
{
    struct elaborator *el = c->el;
    struct symbol_table *symbols = &el->session->symbols;
    const size_t weights = c->is_known ? (size_t)(c->extent[0] * c->extent[1] * c->extent[2]) : 1;
    struct stage_binding *binding =
        ARENA_ARRAY(el->arena, struct stage_binding, CONVOLVE_WEIGHT + weights);
    binding[CONVOLVE_LEVEL] =
        (struct stage_binding){symbol_from(symbols, "level"),
                               sample_of_particle(el, structure_of(el, c->image), c->image->axis)};
    for (int a = 0; a < AXES; a++) {
        binding[CONVOLVE_EXTENT + a] =
            (struct stage_binding){symbol_from(symbols, "extent"), c->number[a]};
        binding[CONVOLVE_BORDER + a] = (struct stage_binding){symbol_from(symbols, "border"),
                                                              expr_integer(el->pool, c->border[a])};
    }
    binding[CONVOLVE_COARSER] =
        (struct stage_binding){symbol_from(symbols, "coarser"), expr_integer(el->pool, c->coarser)};
    const struct stage *image = c->is_known ? NULL : add_weights(c, instance);
    if (!c->is_known && !image)
        return false;
    for (size_t i = 0; i < weights; i++) {
        const struct expr *zero = expr_integer(el->pool, 0), *const first[AXES] = {zero, zero,
                                                                                   zero};
        if (image) {
            binding[CONVOLVE_WEIGHT] = (struct stage_binding){
                symbol_from(symbols, "weights"), expr_load(el->pool, image->id.index, SCALAR_F32,
                                                           image->interval, AXES, first, NULL)};
            break;
        }
        const int64_t at = (int64_t)i, n = c->extent[2], m = c->extent[1];
        const int64_t place[AXES] = {at / (n * m), at / n % m, at % n};
        binding[CONVOLVE_WEIGHT + i] =
            (struct stage_binding){symbol_from(symbols, "weight"), weight_at(c, place)};
        if (!binding[CONVOLVE_WEIGHT + i].value)
            return false;
    }
    stage->binding = binding;
    stage->binding_count = CONVOLVE_WEIGHT + weights;
    return true;
}

struct image_view elaborate_cell_convolution(struct elaborator *el, struct instance *instance,
                                             struct scope *scope, const struct cell_convolution *of,
                                             const struct symbol *name)
{
    struct image_view result = of->image;
    struct stage_context context = stage_context_open(
        el, instance, scope, name ? name : symbol_from(&el->session->symbols, "convolve"),
        of->call->span);
    struct convolution c = {.el = el,
                            .of = of,
                            .image = graph_stage(el->graph, of->image.stage),
                            .kernel = graph_stage(el->graph, of->kernel.stage),
                            .coarser = of->coarser};
    const size_t first = el->graph->stages.count;
    c.missing = AXES - c.image->rank;
    result.valid = false;
    if (of->image.rank != c.image->rank || of->kernel.rank != c.kernel->rank ||
        is_adaptive(el, of->kernel.stage)) {
        report_argument(&c, of->call->span, "all axes of both, and a kernel of pixels",
                        "an image mapped over an axis, or an adaptive kernel");
        return result;
    }
    if (!read_extents(&c))
        return result;
    for (int a = 0; a < AXES; a++)
        if (c.extent[a] > 1 && !read_border(&c, &context, a))
            return result;
    struct stage stage = {.kind = STAGE_CONVOLVE_CELLS,
                          .name = context.name,
                          .span = of->call->span,
                          .element = SCALAR_F32,
                          .interval = scalar_info[SCALAR_F32].interval,
                          .rank = c.image->rank,
                          .axis = axes_of_particles(el, c.image)};
    stage.value =
        operand_store(el, SCALAR_F32,
                      operand_of_stage(el, c.image, sample_of_particle(el, c.image, c.image->axis)),
                      of->call->as.call.arguments->item[0]->span)
            .expr;
    if (!stage.value || !add_bindings(&c, instance, &stage))
        return result;
    result.stage = elaborate_add_stage(el, instance, stage);
    result.valid = true;
    note_definition(el, &context, first);
    return result;
}
