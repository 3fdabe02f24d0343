/* repeat n { … }: steps whose number is known when it runs. A name that is defined before and again
 * inside is carried from step to step: inside it stands for a stage that takes what was defined for
 * it after each step. Other names are local. */
#include "frontend/elaborator.h"
#include "frontend/particles.h"

#include <math.h>

struct carried_name {
    const struct symbol *name;
    struct entity *outer; /* what the name stands for around the repeat */
    stage_id stage;
    struct element_type type; /* that each step is converted to */
};

struct repeat {
    struct elaborator *el;
    struct instance *instance;
    struct scope *scope; /* around */
    const struct ast *node;
    uint32_t number, outer;
    VECTOR(struct carried_name) names;
    bool good;
};

/* ---- What is carried ---- */

static void add_name(struct repeat *r, const struct symbol *name, struct span span)
{
    struct entity *entity = scope_find(r->scope, name);
    for (size_t i = 0; i < r->names.count; i++)
        if (r->names.item[i].name == name)
            return;
    if (!entity || entity->may_be_hidden || entity->kind == ENTITY_ERROR)
        return;
    if (entity->kind != ENTITY_IMAGE) {
        struct diagnostic *d =
            REPORT(r->el, E0206, span, name->text,
                   entity->kind == ENTITY_VALUE ? "a number that is fixed" : "no single image",
                   "an image that can be carried");
        LABEL(r->el, d, entity->span, "defined here");
        HELP(r->el, d, "choose another name for what is local to the steps");
        r->good = false;
        return;
    }
    if (entity->as.image.valid)
        VECTOR_PUSH(r->el->arena, &r->names, (struct carried_name){.name = name, .outer = entity});
}

static void find_names(struct repeat *r, const struct ast_list *body)
{
    for (size_t i = 0; i < body->count; i++) {
        const struct ast *node = body->item[i];
        if (node->kind == AST_DEFINE)
            add_name(r, node->as.define.name, node->as.define.name_span);
        else if (node->kind == AST_FOR)
            find_names(r, node->as.loop.body);
        else if (node->kind == AST_REPEAT)
            find_names(r, node->as.repeat.body);
    }
}

/* A stage of the repeat with the samples of what the name stood for, and the name for it. */
static void begin_carrying(struct repeat *r, struct scope *inside, struct carried_name *carried)
{
    struct elaborator *el = r->el;
    const struct image_view before = carried->outer->as.image;
    struct stage stage = *graph_stage(el->graph, before.stage);
    carried->type = stored_type(el, &stage, &before);
    stage.kind = STAGE_CARRIED;
    stage.value = NULL;
    stage.binding_count = 0;
    stage.schedule = NULL;
    stage.name = carried->name;
    stage.span = r->node->span;
    if (!scalar_is_float(stage.element)) /* later steps may hold more than what it begins with */
        stage.interval = element_interval(carried->type);
    if (stage.quantisation.error > 0)
        stage.quantisation.error = (double)INFINITY;
    stage.as.carried.initial = before.stage;
    carried->stage = elaborate_add_stage(el, r->instance, stage);
    carry_particles(el, carried->stage, before.stage);
    struct entity *entity = ARENA_NEW(el->arena, struct entity); /* hides the one around */
    *entity = *carried->outer;
    hash_map_put(el->arena, &inside->names, carried->name, entity);
    entity->as.image.stage = carried->stage;
    entity->as.image.empty = false;
    entity->carried = ENTITY_CARRIED;
}

/* ---- What it becomes ---- */

static bool has_same_box(struct repeat *r, const struct carried_name *carried,
                         const struct stage *now)
{
    struct elaborator *el = r->el;
    const struct stage *was = graph_stage(el->graph, carried->stage);
    bool same = was->rank == now->rank;
    for (unsigned k = 0; same && k < was->rank; k++)
        same = was->axis[k].name == now->axis[k].name;
    for (unsigned k = 0; same && k < was->rank; k++) {
        const struct stage_axis *a = &was->axis[k], *b = &now->axis[k];
        const struct expr *pair[2][2] = {{a->first, b->first}, {a->extent, b->extent}};
        for (int i = 0; i < 2; i++) {
            const struct affine difference =
                affine_sum(affine_from(pair[i][0]), affine_from(pair[i][1]), -1);
            if (pair[i][0] == pair[i][1] ||
                (difference.exact && difference.count == 0 && difference.constant == 0))
                continue;
            if (difference.exact && difference.count == 0)
                same = false;
            VECTOR_PUSH(el->arena, &el->graph->checks,
                        (struct graph_check){
                            .condition = expr_binary(el->pool, EXPR_EQUAL, pair[i][0], pair[i][1]),
                            .text = arena_format(el->arena,
                                                 "'%s' changes its extent along %s from step to "
                                                 "step",
                                                 carried->name->text, a->name->text),
                            .span = r->node->span});
        }
    }
    return same;
}

/* A stage of the repeat with the samples of another one, converted to what is carried. */
static bool add_converted(struct repeat *r, const struct carried_name *carried,
                          const struct stage *now, stage_id *id)
{
    struct elaborator *el = r->el;
    const struct stage *stage = graph_stage(el->graph, carried->stage);
    const struct expr *index[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < now->rank; k++)
        index[k] = now->axis[k].variable;
    struct element_type type = carried->type;
    type.converts = true;
    const struct operand value =
        recurrence_store(el, type,
                         operand_of_stage(el, now,
                                          expr_load(el->pool, now->id.index, now->element,
                                                    now->interval, now->rank, index, NULL)),
                         now->span);
    if (!value.expr || (scalar_is_float(stage->element) && value.expr->scalar != stage->element)) {
        if (value.expr)
            HELP(el,
                 REPORT(el, E0307, now->span, scalar_info[stage->element].text,
                        operand_type_text(el, value)),
                 "write f32(...) to round it");
        return false;
    }
    struct stage copy = *now;
    copy.kind = STAGE_MAP;
    copy.name = carried->name;
    copy.element = stage->element;
    copy.interval = value.expr->interval;
    copy.fixed = value.fixed;
    copy.quantisation = fixed_quantisation(el, value.expr, value.fixed, false);
    copy.value = value.expr;
    copy.binding_count = 0;
    *id = elaborate_add_stage(el, r->instance, copy);
    return true;
}

/* What the last stage of a step may err by goes round to the next step, and there to all that is
 * carried: of stages since the first carried one no more is known. */
static void carry_errors(struct elaborator *el, stage_id first, struct quantisation last)
{
    for (size_t i = first.index; i < el->graph->stages.count; i++) {
        struct quantisation *own = &el->graph->stages.item[i]->quantisation;
        own->error = last.error > 0 ? (double)INFINITY : own->error;
        own->saturates = own->saturates || last.saturates;
    }
}

static void end_carrying(struct repeat *r, struct scope *inside, struct carried_name *carried)
{
    struct elaborator *el = r->el;
    const struct entity *entity = scope_find(inside, carried->name);
    struct stage *stage = el->graph->stages.item[carried->stage.index];
    stage->as.carried.next = carried->stage;
    if (entity->kind != ENTITY_IMAGE || !entity->as.image.valid)
        return;
    struct image_view image = entity->as.image;
    const struct stage *now = graph_stage(el->graph, image.stage);
    if (!has_same_box(r, carried, now)) {
        struct diagnostic *d = REPORT(el, E0418, entity->span, carried->name->text);
        LABEL(el, d, carried->outer->span, "it begins here");
        HELP(el, d, "its axes and extents stay the same from step to step");
        return;
    }
    if (!keeps_particles(el, stage, now, entity->span))
        return;
    /* What another name carries is copied before that one changes. */
    if ((now->kind != STAGE_CARRIED && is_stored_as(el, now, carried->type)) ||
        add_converted(r, carried, now, &image.stage))
        stage->as.carried.next = image.stage;
    carry_errors(el, r->names.item[0].stage,
                 graph_stage(el->graph, stage->as.carried.next)->quantisation);
}

void elaborate_repeat(struct elaborator *el, struct instance *instance, struct scope *scope,
                      const struct ast *node)
{
    struct repeat r = {.el = el,
                       .instance = instance,
                       .scope = scope,
                       .node = node,
                       .outer = el->repeat,
                       .good = true};
    struct stage_context context = stage_context_open(
        el, instance, scope, symbol_from(&el->session->symbols, "repeat"), node->span);
    context.scalar_only = true;
    const struct operand count = elaborate_expr(el, &context, node->as.repeat.count);
    find_names(&r, node->as.repeat.body);
    if (!count.expr || !r.good)
        return;
    if (!operand_is_integer(count)) {
        REPORT(el, E0303, node->as.repeat.count->span, "repeat", "an integer",
               operand_type_text(el, count));
        return;
    }
    VECTOR_PUSH(el->arena, &el->graph->repeats,
                (struct graph_repeat){count.expr, r.outer, node->as.repeat.count->span});
    el->repeat = r.number = (uint32_t)el->graph->repeats.count;
    struct scope *inside = scope_open(el, scope);
    for (size_t i = 0; i < r.names.count; i++)
        begin_carrying(&r, inside, &r.names.item[i]);
    elaborate_statements(el, instance, inside, node->as.repeat.body);
    for (size_t i = 0; i < r.names.count; i++)
        end_carrying(&r, inside, &r.names.item[i]);
    el->repeat = r.outer;
    for (size_t i = 0; i < r.names.count; i++) { /* afterwards the names stand for the last step */
        struct carried_name *carried = &r.names.item[i];
        carried->outer->as.image.stage = carried->stage;
        if (carried->outer->carried == ENTITY_CARRIED)
            carried->outer->carried = ENTITY_RENEWED;
        const int result = find_result(instance->filter, carried->name);
        if (result >= 0)
            instance->result[result].as.image = carried->outer->as.image;
    }
}
