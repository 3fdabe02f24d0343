/* Images with other axes: transpose(in), rename(in, x = u), flip(in, [x]), stack([r, g, b], c). The
 * result of a constant array is a constant array. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

enum axes_function {
#define AXES_FUNCTION(kind, name) kind,
#include "frontend/axes_functions.def"
#undef AXES_FUNCTION
    AXES_FUNCTION_COUNT
};
static const char *const axes_function_name[] = {
#define AXES_FUNCTION(kind, name) name,
#include "frontend/axes_functions.def"
#undef AXES_FUNCTION
};

static enum axes_function function_named(const char *name)
{
    unsigned i = 0;
    while (i < AXES_FUNCTION_COUNT && strcmp(axes_function_name[i], name) != 0)
        i++;
    return (enum axes_function)i;
}

bool is_axes_function(const char *name)
{
    return function_named(name) != AXES_FUNCTION_COUNT;
}

/* Axis k of the result is called name[k]; along it the source is read at its axis from[k],
 * backwards where flipped. */
struct axes_map {
    unsigned rank, from[GRAPH_MAX_RANK];
    bool flipped[GRAPH_MAX_RANK];
    const struct symbol *name[GRAPH_MAX_RANK];
};

static struct axes_map same_axes(const struct image_view *image)
{
    struct axes_map map = {.rank = image->rank};
    for (unsigned k = 0; k < map.rank; k++) {
        map.from[k] = k;
        map.name[k] = image->axis[k];
    }
    return map;
}

/* The place of a named axis, or -1 after a message. */
static int place_of(struct elaborator *el, const struct image_view *image,
                    const struct symbol *name, struct span span)
{
    for (unsigned k = 0; k < image->rank; k++)
        if (image->axis[k] == name)
            return (int)k;
    const struct stage *stage = graph_stage(el->graph, image->stage);
    struct diagnostic *d = REPORT(el, E0306, span, stage->name->text, name->text);
    NOTE(el, d, "the axes of '%s' are [%s]", stage->name->text,
         axes_text(el, image->axis, image->rank));
    return -1;
}

/* The places of `[y, x]`; how many, or -1 after a message. */
static int listed_axes(struct elaborator *el, const struct image_view *image,
                       const struct ast *list, const char *function, unsigned place[])
{
    if (list->kind != AST_LIST || list->as.list->count > GRAPH_MAX_RANK) {
        struct diagnostic *d =
            REPORT(el, E0303, list->span, function, "a list of axes", ast_kind_text(list->kind));
        HELP(el, d, "write %s(..., [%s])", function, axes_text(el, image->axis, image->rank));
        return -1;
    }
    for (size_t i = 0; i < list->as.list->count; i++) {
        const struct ast *item = list->as.list->item[i];
        if (item->kind != AST_NAME) {
            REPORT(el, E0303, item->span, function, "names of axes", ast_kind_text(item->kind));
            return -1;
        }
        const int k = place_of(el, image, item->as.name, item->span);
        if (k < 0)
            return -1;
        for (size_t before = 0; before < i; before++)
            if (place[before] == (unsigned)k) {
                REPORT(el, E0202, item->span, item->as.name->text);
                return -1;
            }
        place[i] = (unsigned)k;
    }
    return (int)list->as.list->count;
}

/* The two axes of the list, or of an image that has no more, change places; their names stay. */
static bool map_transpose(struct elaborator *el, const struct image_view *image,
                          const struct ast *call, struct axes_map *map)
{
    const struct ast_list *arguments = call->as.call.arguments;
    unsigned place[GRAPH_MAX_RANK] = {0, 1};
    int count = (int)image->rank;
    if (arguments->count == 2)
        count = listed_axes(el, image, arguments->item[1], "transpose", place);
    if (count < 0)
        return false;
    if (count != 2) {
        struct diagnostic *d = REPORT(el, E0303, call->span, "transpose", "two axes",
                                      arena_format(el->session->permanent, "%d", count));
        HELP(el, d, "say which are to change places: transpose(..., [y, x])");
        return false;
    }
    map->from[place[0]] = place[1];
    map->from[place[1]] = place[0];
    return true;
}

static bool map_flip(struct elaborator *el, const struct image_view *image, const struct ast *call,
                     struct axes_map *map)
{
    const struct ast_list *arguments = call->as.call.arguments;
    unsigned place[GRAPH_MAX_RANK];
    if (arguments->count == 1) { /* all of them */
        for (unsigned k = 0; k < map->rank; k++)
            map->flipped[k] = true;
        return true;
    }
    const int count = listed_axes(el, image, arguments->item[1], "flip", place);
    for (int i = 0; i < count; i++)
        map->flipped[place[i]] = true;
    return count >= 0;
}

static bool map_rename(struct elaborator *el, const struct image_view *image,
                       const struct ast *call, struct axes_map *map)
{
    const struct ast_list *arguments = call->as.call.arguments;
    for (size_t i = 1; i < arguments->count; i++) {
        const struct ast *argument = arguments->item[i];
        if (argument->kind != AST_NAMED || argument->as.named.value->kind != AST_NAME) {
            struct diagnostic *d = REPORT(el, E0303, argument->span, "rename", "new names of axes",
                                          ast_kind_text(argument->kind));
            HELP(el, d, "write rename(..., %s = u)", image->axis[image->rank - 1]->text);
            return false;
        }
        const int k = place_of(el, image, argument->as.named.name, argument->span);
        if (k < 0)
            return false;
        map->name[k] = argument->as.named.value->as.name;
    }
    for (unsigned k = 0; k < map->rank; k++)
        for (unsigned i = 0; i < k; i++)
            if (map->name[i] == map->name[k]) {
                REPORT(el, E0202, call->span, map->name[k]->text);
                return false;
            }
    return true;
}

/* The place of the sample of the source, in its packed order, that the result has at `place`. */
static size_t source_place(const struct stage *stage, const struct axes_map *map, size_t place)
{
    int64_t at[GRAPH_MAX_RANK];
    for (unsigned k = map->rank; k-- > 0;) {
        const size_t extent = (size_t)stage->axis[map->from[k]].extent->as.integer;
        const size_t own = place % extent;
        at[map->from[k]] = (int64_t)(map->flipped[k] ? extent - 1 - own : own);
        place /= extent;
    }
    size_t from = 0;
    for (unsigned k = 0; k < stage->rank; k++)
        from = from * (size_t)stage->axis[k].extent->as.integer + (size_t)at[k];
    return from;
}

static struct image_view map_constant(struct elaborator *el, const struct instance *instance,
                                      const struct image_view *image, const struct axes_map *map,
                                      const struct symbol *name)
{
    struct stage mapped = *graph_stage(el->graph, image->stage);
    const size_t count = mapped.as.constant.count;
    const struct expr **value = ARENA_ARRAY(el->arena, const struct expr *, count + 1);
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, mapped.rank + 1);
    struct image_view view = *image;
    for (size_t i = 0; i < count; i++)
        value[i] = mapped.as.constant.value[source_place(&mapped, map, i)];
    for (unsigned k = 0; k < map->rank; k++) {
        axis[k] = mapped.axis[map->from[k]];
        const struct interval interval = axis[k].variable->interval;
        axis[k].variable =
            expr_variable(el->pool, VARIABLE_INDEX, map->name[k], scalar_width(interval), interval);
        axis[k].name = view.axis[k] = map->name[k];
    }
    mapped.as.constant.value = value;
    mapped.axis = axis;
    mapped.name = name;
    view.stage = elaborate_add_stage(el, instance, mapped);
    return view;
}

static const struct stage_axis *axis_named(const struct stage *stage, const struct symbol *name)
{
    unsigned k = 0;
    while (stage->axis[k].name != name)
        k++;
    return &stage->axis[k];
}

static struct image_view map_samples(struct elaborator *el, struct stage_context *context,
                                     const struct image_view *image, const struct axes_map *map)
{
    const struct stage *stage = graph_stage(el->graph, image->stage);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < map->rank; k++) {
        const struct stage_axis *source = axis_named(stage, image->axis[map->from[k]]);
        const struct expr *variable =
            coordinate_variable(el, context, map->name[k], source->variable->interval);
        const struct expr *last = sum_normal(el, sum_normal(el, source->first, source->extent, 1),
                                             expr_integer(el->pool, 1), -1);
        context->axis[context->axis_count++] = (struct stage_context_axis){.name = map->name[k],
                                                                           .variable = variable,
                                                                           .first = source->first,
                                                                           .extent = source->extent,
                                                                           .span = context->span};
        index[map->from[k]] =
            map->flipped[k] ? sum_normal(el, sum_normal(el, source->first, last, 1), variable, -1)
                            : variable;
    }
    const struct operand value = elaborate_read_at(el, context, image, index, context->span);
    return value.expr
               ? elaborate_finish(el, context, value, (struct element_type){.scalar = SCALAR_COUNT},
                                  context->span)
               : (struct image_view){0};
}

/* ---- stack ---- */

/* Axes of the image that the stage has not yet; their boxes follow from the reads. */
static void add_axes(struct elaborator *el, struct stage_context *context,
                     const struct image_view *image)
{
    const struct stage *stage = graph_stage(el->graph, image->stage);
    for (unsigned i = 0; i < image->rank; i++) {
        struct interval coordinate = {0, INT32_MAX - 1};
        bool known = false;
        for (unsigned k = 0; k < stage->rank; k++) /* a box may start below 0 */
            if (stage->axis[k].name == image->axis[i] &&
                stage->axis[k].variable->interval.least < 0)
                coordinate.least = stage->axis[k].variable->interval.least;
        for (unsigned k = 0; k < context->axis_count; k++)
            known = known || context->axis[k].name == image->axis[i];
        if (!known && context->axis_count + 1 < GRAPH_MAX_RANK)
            context->axis[context->axis_count++] = (struct stage_context_axis){
                .name = image->axis[i],
                .variable = coordinate_variable(el, context, image->axis[i], coordinate),
                .span = context->span};
    }
}

static struct image_view stack_images(struct elaborator *el, struct stage_context *context,
                                      const struct ast *call)
{
    const struct ast_list *arguments = call->as.call.arguments;
    const struct image_view none = {0};
    if (arguments->count != 2 || arguments->item[0]->kind != AST_LIST ||
        arguments->item[1]->kind != AST_NAME) {
        struct diagnostic *d = REPORT(el, E0303, call->span, "stack",
                                      "a list of images and the name of an axis", "this");
        HELP(el, d, "write stack([r, g, b], c)");
        return none;
    }
    const struct ast_list *items = arguments->item[0]->as.list;
    const struct symbol *name = arguments->item[1]->as.name;
    struct image_view *image = ARENA_ARRAY(el->arena, struct image_view, items->count + 1);
    for (size_t i = 0; i < items->count; i++) {
        if (!is_image_valued(el, context->instance, context->scope, items->item[i]))
            continue; /* a number */
        image[i] =
            elaborate_image(el, context->instance, context->scope, items->item[i], context->name);
        if (!image[i].valid)
            return none;
        add_axes(el, context, &image[i]);
    }
    for (unsigned k = 0; k < context->axis_count; k++)
        if (context->axis[k].name == name) {
            struct diagnostic *d = REPORT(el, E0202, arguments->item[1]->span, name->text);
            NOTE(el, d, "the images that are stacked have an axis '%s' already", name->text);
            return none;
        }
    const struct interval places = {0, (int64_t)items->count - 1};
    const struct expr *place = coordinate_variable(el, context, name, places);
    struct operand value = operand_error();
    for (size_t i = items->count; i-- > 0;) {
        struct operand item =
            image[i].valid ? elaborate_read_by_name(el, context, &image[i], items->item[i]->span)
                           : elaborate_expr(el, context, items->item[i]);
        const struct operand here = operand_from(
            expr_binary(el->pool, EXPR_EQUAL, place, expr_integer(el->pool, (int64_t)i)));
        if (!item.expr)
            return none;
        item.left = item.right = item.present = NULL;
        value = i + 1 == items->count ? item
                                      : operand_select(el, here, item, value, items->item[i]->span);
        if (!value.expr)
            return none;
    }
    context->axis[context->axis_count++] =
        (struct stage_context_axis){.name = name,
                                    .variable = place,
                                    .first = expr_integer(el->pool, 0),
                                    .extent = expr_integer(el->pool, (int64_t)items->count),
                                    .span = arguments->item[1]->span};
    return elaborate_finish(el, context, value, (struct element_type){.scalar = SCALAR_COUNT},
                            call->span);
}

/* ---- The call ---- */

struct image_view elaborate_axes_call(struct elaborator *el, struct instance *instance,
                                      struct scope *scope, const struct ast *call,
                                      const struct symbol *name)
{
    const enum axes_function function = function_named(call->as.call.callee->as.name->text);
    const char *text = axes_function_name[function];
    const struct ast_list *arguments = call->as.call.arguments;
    const struct image_view none = {0};
    struct stage_context context = stage_context_open(
        el, instance, scope, name ? name : symbol_from(&el->session->symbols, text), call->span);
    if (function == STACK)
        return stack_images(el, &context, call);
    if (arguments->count < 1 || (function != RENAME && arguments->count > 2)) {
        REPORT(el, E0212, call->span, text, 1, "image", (int)arguments->count);
        return none;
    }
    if (!is_image_valued(el, instance, scope, arguments->item[0])) {
        const struct operand value = elaborate_expr(el, &context, arguments->item[0]);
        if (value.expr)
            REPORT(el, E0303, arguments->item[0]->span, text, "an image",
                   operand_type_text(el, value));
        return none;
    }
    const struct image_view image = elaborate_image(el, instance, scope, arguments->item[0], NULL);
    struct axes_map map = same_axes(&image);
    const bool good = image.valid && (function == TRANSPOSE ? map_transpose(el, &image, call, &map)
                                      : function == FLIP    ? map_flip(el, &image, call, &map)
                                                            : map_rename(el, &image, call, &map));
    if (!good)
        return none;
    return graph_stage(el->graph, image.stage)->kind == STAGE_CONSTANT
               ? map_constant(el, instance, &image, &map, context.name)
               : map_samples(el, &context, &image, &map);
}
