/* convolve(in, k), and convolve(in, k, [y, x]): a stage with the value of the sum that the program
 * could write,
 *   out[y, x, c] = sum[v in k's y, u in k's x](k[v, u] * in[y + my - v, x + mx - u, c])
 * where my and mx are the middle of the kernel, sample n / 2 of its n. Axes of the kernel are those
 * of the image that have their names; with a list they go, in their order, with the axes there. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"
#include "frontend/ast_build.h"

bool is_convolve(const char *name)
{
    return strcmp(name, "convolve") == 0;
}

struct convolution {
    struct elaborator *el;
    const struct ast *call;
    struct image_view image, kernel;
    const struct symbol *along[GRAPH_MAX_RANK]; /* by axis of the kernel: of the image */
};

enum { MOST_KERNELS = 16 };

static struct diagnostic *report_argument(const struct convolution *c, struct span span,
                                          const char *takes, const char *given)
{
    struct diagnostic *d = REPORT(c->el, E0303, span, "convolve", takes, given);
    HELP(c->el, d, "write convolve(in, k) or convolve(in, k, [y, x]), then the border rule");
    return d;
}

/* ---- Arguments ---- */

static bool has_axis(const struct image_view *image, const struct symbol *name)
{
    bool has = false;
    for (unsigned k = 0; k < image->rank; k++)
        has = has || image->axis[k] == name;
    return has;
}

/* Axis i of the kernel goes along the image's axis of that name. */
static bool put_along(struct convolution *c, unsigned i, const struct symbol *name,
                      struct span span)
{
    struct elaborator *el = c->el;
    const struct symbol *image = graph_stage(el->graph, c->image.stage)->name;
    if (!has_axis(&c->image, name)) {
        struct diagnostic *d = REPORT(el, E0306, span, image->text, name->text);
        NOTE(el, d, "its axes are [%s], those of the kernel [%s]",
             axes_text(el, c->image.axis, c->image.rank),
             axes_text(el, c->kernel.axis, c->kernel.rank));
        HELP(el, d,
             "say which axes the kernel goes along, one for each of its own: "
             "convolve(in, k, [y, x])");
        return false;
    }
    for (unsigned before = 0; before < i; before++)
        if (c->along[before] == name) {
            REPORT(el, E0202, span, name->text);
            return false;
        }
    c->along[i] = name;
    return true;
}

static bool read_axes(struct convolution *c)
{
    const struct ast_list *arguments = c->call->as.call.arguments;
    const struct ast *list =
        arguments->count > 2 && arguments->item[2]->kind != AST_NAMED ? arguments->item[2] : NULL;
    if (list && (list->kind != AST_LIST || list->as.list->count != c->kernel.rank)) {
        report_argument(c, list->span,
                        arena_format(c->el->session->permanent,
                                     "a list of as many axes as the kernel has, %u",
                                     c->kernel.rank),
                        list->kind == AST_LIST
                            ? arena_format(c->el->session->permanent, "%zu", list->as.list->count)
                            : ast_kind_text(list->kind));
        return false;
    }
    for (unsigned i = 0; i < c->kernel.rank; i++) {
        const struct ast *item = list ? list->as.list->item[i] : NULL;
        if (item && item->kind != AST_NAME) {
            report_argument(c, item->span, "names of axes", ast_kind_text(item->kind));
            return false;
        }
        if (!put_along(c, i, item ? item->as.name : c->kernel.axis[i],
                       item ? item->span : arguments->item[1]->span))
            return false;
    }
    return true;
}

/* The image that the argument is; not valid after a message. */
static struct image_view read_image(const struct convolution *c, struct instance *instance,
                                    struct scope *scope, const struct ast *argument,
                                    const char *takes)
{
    struct elaborator *el = c->el;
    struct image_view image = {0};
    if (is_image_valued(el, instance, scope, argument))
        image = elaborate_image(el, instance, scope, argument, NULL);
    else {
        struct stage_context context = stage_context_open(
            el, instance, scope, symbol_from(&el->session->symbols, "convolve"), c->call->span);
        const struct operand value = elaborate_expr(el, &context, argument);
        if (value.expr)
            report_argument(c, argument->span, takes, operand_type_text(el, value));
        return image;
    }
    if (image.valid && image.rank == 0) {
        report_argument(c, argument->span, takes, "a single number");
        image.valid = false;
    }
    if (image.valid && graph_stage(el->graph, image.stage)->element == SCALAR_BOOL) {
        struct diagnostic *d = report_argument(c, argument->span, "numbers", "truth values");
        NOTE(el, d, "a truth value becomes a number with select(condition, 1, 0)");
        image.valid = false;
    }
    if (image.valid && stage_is_complex(graph_stage(el->graph, image.stage))) {
        struct diagnostic *d =
            report_argument(c, argument->span, "real samples",
                            complex_text(graph_stage(el->graph, image.stage)->element));
        NOTE(el, d, "the parts are convolved one by one: re(...) and im(...)");
        image.valid = false;
    }
    return image;
}

/* ---- The sum, as a syntax tree ---- */

struct sum {
    struct convolution *c;
    struct arena *arena;
    struct scope *scope; /* of the names that stand for images and extents */
    struct ast_list *ranges, *kernel_places;
};

#define NODE(s, ...) AST_NEW((s)->arena, (s)->c->call->span, __VA_ARGS__)

static const struct ast *name_node(const struct sum *s, const struct symbol *name, struct span span)
{
    return AST_NEW(s->arena, span, .kind = AST_NAME, .as.name = name);
}

/* Names with a dot are none that a program can write. */
static const struct symbol *hidden(const struct sum *s, const char *what, const struct symbol *axis)
{
    return symbol_format(&s->c->el->session->symbols, "%s.%s", what, axis->text);
}

static struct entity *declare(const struct sum *s, const struct symbol *name)
{
    return scope_declare(s->c->el, s->scope, name, s->c->call->span);
}

static const struct ast *declare_number(const struct sum *s, const struct symbol *name,
                                        const struct expr *value)
{
    struct entity *entity = declare(s, name);
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(value);
    return name_node(s, name, s->c->call->span);
}

/* An argument: by its own name, which border rules of the filter may speak of, or by one that
 * messages use. */
static const struct ast *image_node(const struct sum *s, const struct ast *argument,
                                    const struct image_view *image, const char *what)
{
    if (argument->kind == AST_NAME)
        return argument;
    const struct symbol *name = symbol_from(&s->c->el->session->symbols, what);
    struct entity *entity = declare(s, name);
    entity->kind = ENTITY_IMAGE;
    entity->as.image = *image;
    return name_node(s, name, argument->span);
}

static const struct ast *binary(const struct sum *s, enum ast_operator o, const struct ast *left,
                                const struct ast *right)
{
    return NODE(s, .kind = AST_BINARY, .as.binary = {o, left, right});
}

static const struct ast *index_of(const struct sum *s, const struct ast *base,
                                  const struct ast_list *places)
{
    return AST_NEW(s->arena, base->span, .kind = AST_INDEX, .as.index = {base, places, NULL});
}

/* The axes may be coordinates where the call stands; here they are the stage's own. */
static void hide_axes(const struct sum *s)
{
    for (unsigned k = 0; k < s->c->image.rank; k++) {
        struct entity *coordinate = ARENA_NEW(s->arena, struct entity);
        coordinate->kind = ENTITY_ERROR;
        coordinate->may_be_hidden = true;
        hash_map_put(s->arena, &s->scope->names, s->c->image.axis[k], coordinate);
    }
}

static unsigned axis_named(const struct stage *stage, const struct symbol *name)
{
    unsigned k = 0;
    while (stage->axis[k].name != name)
        k++;
    return k;
}

/* Axis k of the image, with its range where reads do not tell it: they do where the kernel's box is
 * known. */
static const struct ast *axis_of_result(const struct sum *s, unsigned k)
{
    struct elaborator *el = s->c->el;
    const struct symbol *name = s->c->image.axis[k];
    const struct span span = s->c->call->span;
    const struct stage *image = graph_stage(el->graph, s->c->image.stage);
    const struct stage *kernel = graph_stage(el->graph, s->c->kernel.stage);
    const struct stage_axis *axis = &image->axis[axis_named(image, name)];
    bool is_known = true;
    for (unsigned i = 0; i < s->c->kernel.rank; i++) {
        const struct stage_axis *own = &kernel->axis[axis_named(kernel, s->c->kernel.axis[i])];
        if (s->c->along[i] == name)
            is_known = own->first->kind == EXPR_INTEGER && own->extent->kind == EXPR_INTEGER;
    }
    if (is_known)
        return name_node(s, name, span);
    const struct ast *begin = declare_number(s, hidden(s, "image_first", name), axis->first);
    const struct ast *end = declare_number(s, hidden(s, "image_end", name),
                                           sum_normal(el, axis->first, axis->extent, 1));
    const struct ast *range = NODE(s, .kind = AST_RANGE, .as.range = {begin, end, false});
    return NODE(s, .kind = AST_BINDING, .as.binding = {name, span, range});
}

/* The range of axis i of the kernel; returns the image's coordinate, moved by it. */
static const struct ast *add_range(struct sum *s, unsigned i)
{
    struct expr_pool *pool = s->c->el->pool;
    const struct stage *kernel = graph_stage(s->c->el->graph, s->c->kernel.stage);
    const struct symbol *axis = s->c->along[i];
    const unsigned k = axis_named(kernel, s->c->kernel.axis[i]);
    const struct expr *first = kernel->axis[k].first, *extent = kernel->axis[k].extent;
    const struct expr *half = expr_binary(pool, EXPR_DIVIDE, extent, expr_integer(pool, 2));
    const struct symbol *variable = hidden(s, "kernel", axis);
    const struct ast *begin = declare_number(s, hidden(s, "kernel_first", axis), first);
    const struct ast *end =
        declare_number(s, hidden(s, "kernel_end", axis), sum_normal(s->c->el, first, extent, 1));
    const struct ast *middle =
        declare_number(s, hidden(s, "kernel_middle", axis), sum_normal(s->c->el, first, half, 1));
    const struct ast *range = NODE(s, .kind = AST_RANGE, .as.range = {begin, end, false});
    const struct ast *place = name_node(s, variable, s->c->call->span);
    ast_list_add(s->arena, s->ranges,
                 NODE(s, .kind = AST_BINDING, .as.binding = {variable, s->c->call->span, range}));
    ast_list_add(s->arena, s->kernel_places, place);
    return binary(s, OPERATOR_SUBTRACT,
                  binary(s, OPERATOR_ADD, name_node(s, axis, s->c->call->span), middle), place);
}

static const struct ast *sum_node(struct sum *s, const struct ast *rule)
{
    const struct ast_list *arguments = s->c->call->as.call.arguments;
    const struct ast *moved[GRAPH_MAX_RANK];
    struct ast_list *places = ast_list(s->arena);
    for (unsigned i = 0; i < s->c->kernel.rank; i++)
        moved[i] = add_range(s, i);
    for (unsigned k = 0; k < s->c->image.rank; k++) {
        const struct ast *place = name_node(s, s->c->image.axis[k], s->c->call->span);
        for (unsigned i = 0; i < s->c->kernel.rank; i++)
            place = s->c->along[i] == s->c->image.axis[k] ? moved[i] : place;
        ast_list_add(s->arena, places, place);
    }
    const struct ast *kernel = index_of(
        s, image_node(s, arguments->item[1], &s->c->kernel, "the kernel"), s->kernel_places);
    const struct ast *image =
        index_of(s, image_node(s, arguments->item[0], &s->c->image, "the image"), places);
    if (rule)
        image = AST_NEW(s->arena, image->span, .kind = AST_BORDERED, .as.bordered = {image, rule});
    struct ast_list *term = ast_list(s->arena);
    ast_list_add(s->arena, term, binary(s, OPERATOR_MULTIPLY, kernel, image));
    const struct ast *sum =
        name_node(s, symbol_from(&s->c->el->session->symbols, "sum"), s->c->call->span);
    const struct ast *ranged = NODE(s, .kind = AST_INDEX, .as.index = {sum, s->ranges, NULL});
    return NODE(s, .kind = AST_CALL, .as.call = {ranged, term});
}

/* convolve(p, k), k an array: k[0] on the finest level, k[1] on the one above, and so on; the last
 * one on all that follow. */
static struct image_view convolve_by_level(struct convolution *c, struct instance *instance,
                                           struct scope *scope, const struct ast *rule,
                                           const struct symbol *name)
{
    struct elaborator *el = c->el;
    const struct ast *argument = c->call->as.call.arguments->item[1];
    const struct image_view none = {0};
    const struct entity given = elaborate_entity(el, instance, scope, argument, NULL);
    const struct levels *levels = given.kind == ENTITY_LEVELS ? given.as.levels : NULL;
    struct image_view result[MOST_KERNELS];
    if (!levels)
        return none;
    const size_t count = levels->member.count;
    if (!is_adaptive(el, c->image.stage) || count < 1 || count > MOST_KERNELS) {
        report_argument(c, argument->span,
                        arena_format(el->session->permanent,
                                     "one kernel, or for an adaptive image an array of at most %d",
                                     MOST_KERNELS),
                        arena_format(el->session->permanent, "an array of %zu", count));
        return none;
    }
    for (size_t i = 0; i < count; i++) {
        c->kernel = levels->member.item[i].value.as.image;
        if (levels->member.item[i].value.kind != ENTITY_IMAGE || !c->kernel.valid || !read_axes(c))
            return none;
        const struct cell_convolution cells = {c->call,   rule,     c->image,
                                               c->kernel, c->along, FLT_APR_SAME};
        result[i] = elaborate_cell_convolution(el, instance, scope, &cells, NULL);
        if (!result[i].valid)
            return none;
    }
    return elaborate_by_level(el, instance, count, result,
                              name ? name : symbol_from(&el->session->symbols, "convolve"),
                              c->call->span);
}

struct image_view elaborate_convolve_call(struct elaborator *el, struct instance *instance,
                                          struct scope *scope, const struct ast *call,
                                          const struct ast *rule, const struct symbol *name)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct image_view none = {0};
    struct convolution c = {.el = el, .call = call};
    if (arguments->count < 2 || arguments->count > 4) {
        report_argument(&c, call->span, "an image and a kernel",
                        arguments->count == 0   ? "nothing"
                        : arguments->count == 1 ? "1 argument"
                                                : "so many arguments");
        return none;
    }
    c.image = read_image(&c, instance, scope, arguments->item[0], "an image");
    if (c.image.valid && entity_kind_of(el, instance, scope, arguments->item[1]) == ENTITY_LEVELS)
        return convolve_by_level(&c, instance, scope, rule, name);
    c.kernel = read_image(&c, instance, scope, arguments->item[1], "a kernel, an image");
    if (!c.image.valid || !c.kernel.valid || !read_axes(&c))
        return none;
    enum flt_apr_coarser coarser = FLT_APR_RESTRICTED;
    for (size_t i = arguments->count > 2 && arguments->item[2]->kind == AST_NAMED ? 2 : 3;
         i < arguments->count; i++)
        if (!elaborate_coarser(el, arguments->item[i], &coarser))
            return none;
    if (is_adaptive(el, c.image.stage)) {
        const struct cell_convolution cells = {call, rule, c.image, c.kernel, c.along, coarser};
        return elaborate_cell_convolution(el, instance, scope, &cells, name);
    }
    struct sum s = {.c = &c,
                    .arena = el->arena,
                    .scope = scope_open(el, scope),
                    .ranges = ast_list(el->arena),
                    .kernel_places = ast_list(el->arena)};
    hide_axes(&s);
    const struct ast *value = sum_node(&s, rule);
    struct ast_list *axes = ast_list(el->arena);
    for (unsigned k = 0; k < c.image.rank; k++)
        ast_list_add(el->arena, axes, axis_of_result(&s, k));
    const struct ast *outer = el->convolving;
    el->convolving = call;
    const struct image_view result = elaborate_stage(
        el, instance, s.scope, name ? name : symbol_from(&el->session->symbols, "convolve"),
        call->span, axes, value, (struct element_type){.scalar = SCALAR_COUNT});
    el->convolving = outer;
    return result;
}
