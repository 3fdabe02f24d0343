/* Scatter: samples of a target are changed, one after another, at places that values tell. Each
 * statement makes a new stage that starts from what the target was. */
#include "frontend/elaborator.h"
#include "analysis/regions.h"
#include "frontend/ast_build.h"

#include <math.h>

struct image_view elaborate_declaration(struct elaborator *el, struct instance *instance,
                                        struct scope *scope, const struct ast *define,
                                        struct element_type declared)
{
    const struct ast_list *brackets = define->as.define.brackets;
    const struct ast_list *axes = brackets->count ? brackets->item[0]->as.list : NULL;
    const struct symbol *name = define->as.define.name;
    const struct ast *zero =
        declared.scalar == SCALAR_BOOL
            ? AST_NEW(el->arena, define->span, .kind = AST_BOOLEAN, .as.boolean = false)
            : AST_NEW(el->arena, define->span, .kind = AST_INTEGER, .as.integer = 0);
    struct image_view image = elaborate_stage(
        el, instance, scope, symbol_format(&el->session->symbols, "%s.empty", name->text),
        define->as.define.name_span, axes, zero, declared);
    image.empty = true;
    return image;
}

/* ---- One scatter ---- */

struct scatter {
    struct elaborator *el;
    struct instance *instance;
    const struct ast *define;
    const struct symbol *name;
    struct image_view target;
    const struct stage *start;    /* what it was */
    struct stage_context context; /* of the steps */
    struct stage_context own;     /* the axes of the target */
    struct operand place[GRAPH_MAX_RANK];
    struct element_type type; /* of the target */
    struct quantisation quantisation;
    const struct expr *update, *condition;
};

static bool elaborate_places(struct scatter *s)
{
    struct elaborator *el = s->el;
    const struct ast_list *brackets = s->define->as.define.brackets;
    const size_t count = brackets->count ? brackets->item[0]->as.list->count : 0;
    if (brackets->count > 1 || count != s->target.rank) {
        REPORT(el, E0304, s->define->as.define.name_span, s->name->text, (int)s->target.rank,
               (int)count);
        return false;
    }
    bool good = true;
    for (unsigned k = 0; k < s->target.rank; k++) {
        const struct ast *item = brackets->item[0]->as.list->item[k];
        s->place[k] = elaborate_expr(el, &s->context, item);
        if (s->place[k].expr && !operand_is_integer(s->place[k])) {
            struct diagnostic *d = REPORT(el, E0303, item->span, "a place in a target",
                                          "an integer", operand_type_text(el, s->place[k]));
            HELP(el, d, "round it with i32(...), or cut it with trunc<i32>(...)");
            good = false;
        }
        good = good && s->place[k].expr;
    }
    return good;
}

/* The term of min= and max= in the type of the target; of f16, a number that is read from it. */
static struct operand stored_term(struct scatter *s, struct operand value)
{
    const enum scalar element = s->start->element;
    const struct span span = s->define->span;
    if (scalar_is_integer(element) || s->type.fixed.is)
        return recurrence_store(s->el, s->type, value, span);
    if (element == SCALAR_F16 && value.expr->scalar == SCALAR_F64)
        value = operand_convert(s->el, CONVERT_ROUND, element, value, span);
    return operand_store(s->el, element == SCALAR_F16 ? SCALAR_F32 : element, value, span);
}

/* Its own sample at the place, joined with the value, as it is stored. */
static bool elaborate_update(struct scatter *s)
{
    struct elaborator *el = s->el;
    const struct expr *place[GRAPH_MAX_RANK];
    const enum scalar element = s->start->element;
    const struct element_type type = s->type;
    const struct span span = s->define->span;
    for (unsigned k = 0; k < s->target.rank; k++)
        place[k] = s->place[k].expr;
    const struct operand own =
        operand_of_stage(el, s->start,
                         expr_load(el->pool, SELF_SOURCE, element, element_interval(type),
                                   s->target.rank, place, NULL));
    const struct operand value = elaborate_expr(el, &s->context, s->define->as.define.value);
    if (!value.expr)
        return false;
    struct operand joined;
    if (s->define->as.define.assignment == ASSIGN_ADD) {
        joined = operand_binary(el, OPERATOR_ADD, own, value, span);
    } else {
        const struct operand stored = stored_term(s, value);
        if (!stored.expr)
            return false;
        const bool least = s->define->as.define.assignment == ASSIGN_MIN;
        joined = operand_from(expr_binary(
            el->pool, least ? EXPR_ORDERED_MINIMUM : EXPR_ORDERED_MAXIMUM, own.expr, stored.expr));
        joined.fixed = own.fixed;
    }
    if (element == SCALAR_F16)
        joined = operand_convert(el, CONVERT_ROUND, element, joined, span);
    joined = scalar_is_integer(element) ? recurrence_store(el, type, joined, span)
                                        : operand_store(el, element, joined, span);
    s->update = joined.expr;
    return joined.expr != NULL;
}

/* Places that are not surely inside are dropped, or an error. */
static bool settle_places(struct scatter *s)
{
    struct elaborator *el = s->el;
    struct affine_bound bound[MOST_CONTEXT_BOUNDS];
    const unsigned count = context_bounds(el, &s->context, bound);
    bool good = true;
    for (unsigned k = 0; k < s->target.rank; k++) {
        const struct stage_context_axis *axis = &s->own.axis[k];
        const struct expr *place = s->place[k].expr;
        if (region_stays_inside(el->pool, place, axis->first, axis->extent, count, bound))
            continue;
        if (!s->define->as.define.drop) {
            struct diagnostic *d =
                REPORT(el, E0416, s->define->span, s->name->text, axis->name->text);
            HELP(el, d,
                 "write `drop` at the end to leave such steps out, or hold the place inside: "
                 "clamp(..., first, last)");
            good = false;
            continue;
        }
        const struct expr *end = sum_normal(el, axis->first, axis->extent, 1);
        const struct expr *inside = expr_binary(
            el->pool, EXPR_AND, expr_binary(el->pool, EXPR_LESS_EQUAL, axis->first, place),
            expr_binary(el->pool, EXPR_LESS, place, end));
        s->condition =
            s->condition ? expr_binary(el->pool, EXPR_AND, s->condition, inside) : inside;
    }
    return good;
}

/* The axes of the target: those that the program names, by the view; the others, and those that the
 * values bring, are mapped. */
static void collect_own_axes(struct scatter *s)
{
    s->own = stage_context_open(s->el, s->instance, s->context.scope, s->name, s->define->span);
    for (unsigned i = 0; i < s->target.rank; i++)
        for (unsigned k = 0; k < s->start->rank; k++)
            if (s->start->axis[k].name == s->target.axis[i])
                s->own.axis[s->own.axis_count++] =
                    (struct stage_context_axis){.name = s->start->axis[k].name,
                                                .variable = s->start->axis[k].variable,
                                                .first = s->start->axis[k].first,
                                                .extent = s->start->axis[k].extent};
    for (unsigned m = 0; m < s->context.mapped_count; m++)
        s->own.mapped[s->own.mapped_count++] = s->context.mapped[m];
}

/* Axes that an earlier scatter brought are brought to this one. */
static bool map_over_start(struct scatter *s)
{
    for (unsigned k = 0; k < s->start->rank; k++) {
        bool named = false, mapped = false;
        for (unsigned i = 0; i < s->target.rank; i++)
            named = named || s->target.axis[i] == s->start->axis[k].name;
        for (unsigned m = 0; m < s->context.mapped_count; m++)
            mapped = mapped || s->context.mapped[m].name == s->start->axis[k].name;
        if (named || mapped)
            continue;
        if (s->context.axis_count + s->context.mapped_count == GRAPH_MAX_RANK) {
            REPORT(s->el, E0320, s->define->span, GRAPH_MAX_RANK);
            return false;
        }
        s->context.mapped[s->context.mapped_count++] =
            (struct stage_context_axis){.name = s->start->axis[k].name,
                                        .variable = s->start->axis[k].variable,
                                        .first = s->start->axis[k].first,
                                        .extent = s->start->axis[k].extent};
    }
    return true;
}

static struct stage_axis as_stage_axis(const struct stage_context_axis *axis)
{
    return (struct stage_axis){axis->name,   axis->variable, axis->first,
                               axis->extent, axis->first,    axis->extent};
}

/* What the samples are before the first step. */
static const struct expr *start_value(const struct scatter *s, unsigned rank,
                                      const struct stage_context_axis ordered[])
{
    struct expr_pool *pool = s->el->pool;
    const enum scalar element = s->start->element;
    const bool least = s->define->as.define.assignment == ASSIGN_MIN;
    if (s->target.empty && s->define->as.define.assignment != ASSIGN_ADD) {
        const struct interval ends = element_interval(s->type);
        return scalar_is_float(element)
                   ? expr_real(pool, element, least ? (double)NAN : -(double)INFINITY)
                   : expr_convert(pool, CONVERT_EXACT, element,
                                  expr_integer(pool, least ? ends.greatest : ends.least));
    }
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < s->start->rank; k++)
        for (unsigned i = 0; i < rank; i++)
            if (ordered[i].name == s->start->axis[k].name)
                index[k] = ordered[i].variable;
    return expr_load(pool, s->start->id.index, element, s->start->interval, s->start->rank, index,
                     NULL);
}

struct own_reads {
    struct expr_pool *pool;
    uint32_t id;
    unsigned rank;
    const struct expr *const *index;
};

static const struct expr *replace_own(const struct expr *node, void *user)
{
    const struct own_reads *own = user;
    return node->kind == EXPR_LOAD && node->as.load.source == SELF_SOURCE
               ? expr_load(own->pool, own->id, node->scalar, node->interval, own->rank, own->index,
                           NULL)
               : node;
}

/* The stage, once all is settled. */
static stage_id add_scatter(struct scatter *s)
{
    struct elaborator *el = s->el;
    struct stage_context_axis ordered[2 * GRAPH_MAX_RANK];
    const unsigned rank = order_axes(&s->own, ordered);
    struct stage *steps = ARENA_NEW(el->arena, struct stage);
    struct stage_axis *axis = ARENA_ARRAY(el->arena, struct stage_axis, rank + 1);
    struct stage_axis *step_axis = ARENA_ARRAY(el->arena, struct stage_axis, 2 * GRAPH_MAX_RANK);
    struct stage_binding *binding = ARENA_ARRAY(el->arena, struct stage_binding, rank + 1);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < rank; k++) {
        axis[k] = as_stage_axis(&ordered[k]);
        axis[k].computed_first = axis[k].computed_extent = NULL;
        index[k] = ordered[k].variable;
        for (unsigned i = 0; i < s->own.axis_count; i++)
            if (s->own.axis[i].name == ordered[k].name)
                index[k] = s->place[i].expr;
        binding[k] = (struct stage_binding){
            symbol_format(&el->session->symbols, "target.%s", ordered[k].name->text), index[k]};
    }
    struct own_reads own = {el->pool, (uint32_t)el->graph->stages.count, rank, index};
    struct expr_rewriter rewriter = {
        .pool = el->pool, .rule = replace_own, .context = &own, .scratch = el->arena};
    if (s->condition)
        binding[rank] =
            (struct stage_binding){symbol_from(&el->session->symbols, "present"), s->condition};
    const struct stage whole = {.kind = STAGE_SCATTER,
                                .id = {own.id},
                                .name = s->name,
                                .span = s->define->as.define.name_span,
                                .element = s->start->element,
                                .interval = element_interval(s->type),
                                .fixed = s->start->fixed,
                                .quantisation = s->quantisation,
                                .rank = rank,
                                .axis = axis,
                                .value = start_value(s, rank, ordered),
                                .as.scatter.steps = steps};
    *steps = whole;
    steps->kind = STAGE_MAP;
    steps->rank = 0;
    for (unsigned m = 0; m < s->context.mapped_count; m++)
        step_axis[steps->rank++] = as_stage_axis(&s->context.mapped[m]);
    for (unsigned k = 0; k < s->context.axis_count; k++)
        step_axis[steps->rank++] = as_stage_axis(&s->context.axis[k]);
    steps->axis = step_axis;
    steps->value = expr_rewrite(&rewriter, s->update);
    steps->binding = binding;
    steps->binding_count = rank + (s->condition != NULL);
    return elaborate_add_stage(el, s->instance, whole);
}

static bool settle_scatter(struct scatter *s)
{
    const struct expr *part[GRAPH_MAX_RANK + 1] = {s->update};
    s->quantisation = fixed_quantisation(s->el, s->update, s->start->fixed, true);
    s->quantisation.error = fmax(s->quantisation.error, s->start->quantisation.error);
    if (s->quantisation.error > 0)
        s->quantisation.error = (double)INFINITY;
    if (!map_over_start(s) || !settle_boxes(s->el, &s->context))
        return false;
    for (unsigned k = 0; k < s->target.rank; k++)
        part[k + 1] = s->place[k].expr;
    if (!settle_reads(s->el, &s->context, s->target.rank + 1, part))
        return false;
    s->update = part[0];
    for (unsigned k = 0; k < s->target.rank; k++)
        s->place[k].expr = part[k + 1];
    collect_own_axes(s);
    return settle_places(s);
}

/* Whether the places are mere names: a += 1, a[y, x] += 1. */
static bool is_each_sample(const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    const struct ast_list *items = brackets->count ? brackets->item[0]->as.list : NULL;
    bool names = !define->as.define.over && define->as.define.assignment == ASSIGN_ADD;
    for (size_t i = 0; items && i < items->count; i++)
        names = names && items->item[i]->kind == AST_NAME;
    return names;
}

static void help_new_image(struct elaborator *el, struct diagnostic *d, const struct ast *define)
{
    const char *axes = define->as.define.brackets->count ? "[y, x]" : "";
    if (is_each_sample(define))
        HELP(el, d, "or, where each sample changes once, make a new image: next%s = %s%s + ...;",
             axes, define->as.define.name->text, axes);
}

/* The image that the statement changes; NULL after an error. */
static struct entity *find_target(struct elaborator *el, const struct instance *instance,
                                  struct scope *scope, const struct ast *define)
{
    const struct symbol *name = define->as.define.name;
    struct entity *entity = scope_find(scope, name);
    if (!entity) {
        struct diagnostic *d = REPORT(el, E0201, define->as.define.name_span, name->text);
        HELP(el, d, "declare what is changed before: %s[b in 0 .. 255] : u32;", name->text);
        silence_name(el, instance, name);
        return NULL;
    }
    if (entity->kind == ENTITY_ERROR || (entity->kind == ENTITY_IMAGE && !entity->as.image.valid))
        return NULL;
    const bool given = entity->kind == ENTITY_IMAGE &&
                       (graph_stage(el->graph, entity->as.image.stage)->kind == STAGE_INPUT ||
                        graph_stage(el->graph, entity->as.image.stage)->kind == STAGE_CONSTANT);
    if (entity->kind != ENTITY_IMAGE || given) {
        struct diagnostic *d = REPORT(el, E0206, define->as.define.name_span, name->text,
                                      given ? "given" : "no image", "an image defined here");
        HELP(el, d, "start from a copy of it: target[y, x] = %s[y, x];", name->text);
        help_new_image(el, d, define);
        return NULL;
    }
    return entity;
}

void elaborate_scatter(struct elaborator *el, struct instance *instance, struct scope *scope,
                       const struct ast *define)
{
    struct entity *entity = find_target(el, instance, scope, define);
    if (!entity)
        return;
    struct scatter s = {.el = el,
                        .instance = instance,
                        .define = define,
                        .name = define->as.define.name,
                        .target = entity->as.image,
                        .start = graph_stage(el->graph, entity->as.image.stage),
                        .context = stage_context_open(el, instance, scope_open(el, scope),
                                                      define->as.define.name,
                                                      define->as.define.name_span)};
    s.context.over = define->as.define.over;
    s.type = stored_type(el, s.start, &s.target);
    const struct ast_list *over = define->as.define.over;
    bool good = true;
    if (!over) {
        struct diagnostic *d = REPORT(el, E0417, define->span, s.name->text);
        HELP(el, d, "write over which coordinates: ... over y, x;");
        help_new_image(el, d, define);
        good = false;
    }
    if (define->as.define.assignment == ASSIGN_SET) {
        REPORT(el, E0303, define->span, "a change over coordinates", "+=, min= or max=", "=");
        good = false;
    }
    if (s.start->element == SCALAR_BOOL) {
        REPORT(el, E0303, define->span, "a scatter", "a target of numbers", "of truth values");
        good = false;
    }
    for (size_t i = 0; good && over && i < over->count; i++)
        good = declare_axis(el, &s.context, over->item[i]);
    const struct stage_context start = s.context;
    struct stage_context again;
    good = good && elaborate_places(&s) && elaborate_update(&s);
    if (good && starts_below_zero(el, &start, &s.context, &again)) {
        s.context = again;
        good = elaborate_places(&s) && elaborate_update(&s);
    }
    good = good && settle_scatter(&s);
    entity->as.image.empty = false;
    if (!good) {
        entity->kind = ENTITY_ERROR;
        return;
    }
    entity->as.image.stage = add_scatter(&s);
    const int result = find_result(instance->filter, s.name);
    if (result >= 0)
        instance->result[result].as.image = entity->as.image;
}
