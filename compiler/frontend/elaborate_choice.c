/* Members of arrays by an index that is known only when it runs, detail[k][l][y, x]: the members
 * that the index can mean are read, and one is selected. The array is then an image with one more
 * axis: its members have one type and one box, and the index stays inside or has a border rule. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"
#include "expr/affine.h"

/* One of the members that can be meant, or a value outside. */
struct alternative {
    const struct expr *condition; /* NULL: no other is left */
    struct entity member;         /* VALUE: outside, by constant(v) */
};

struct choice {
    struct elaborator *el;
    struct stage_context *context;
    const struct ast *rule; /* behind the read, or NULL */
    struct span span;
    const struct symbol *name;
    VECTOR(struct alternative) list;
};

struct constancy {
    const struct stage_context *context;
    bool varies;
};

static void search_varying(const struct ast *node, void *user)
{
    struct constancy *c = user;
    if (node->kind == AST_INDEX || node->kind == AST_BLOCK)
        c->varies = true;
    if (node->kind == AST_NAME) {
        const struct entity *entity = scope_find(c->context->scope, node->as.name);
        c->varies = c->varies || (entity && entity->kind == ENTITY_IMAGE) ||
                    (entity && entity->kind == ENTITY_VALUE && entity->as.value.expr &&
                     !expr_is_constant(entity->as.value.expr));
    }
    if (!c->varies && node->kind != AST_FIELD)
        ast_children(node, search_varying, c);
}

bool is_choice(const struct elaborator *el, const struct stage_context *context,
               const struct ast *node)
{
    if (node->kind != AST_INDEX || node->as.index.items->count != 1 || context->scalar_only ||
        entity_kind_of(el, context->instance, context->scope, node->as.index.base) != ENTITY_LEVELS)
        return false;
    struct constancy c = {context, false};
    search_varying(node->as.index.items->item[0], &c);
    return c.varies || is_choice(el, context, node->as.index.base);
}

/* The members' places, first to last without a gap; false after a message. */
static bool find_places(const struct choice *c, const struct levels *levels,
                        struct interval *places)
{
    if (levels->broken)
        return false;
    *places = (struct interval){INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < levels->member.count; i++) {
        const int64_t index = levels->member.item[i].index;
        places->least = index < places->least ? index : places->least;
        places->greatest = index > places->greatest ? index : places->greatest;
    }
    for (int64_t i = places->least; i <= places->greatest; i++)
        if (!find_level(levels, i)) {
            REPORT(c->el, E0215, c->span, (long long)i, levels->called);
            return false;
        }
    return levels->member.count > 0;
}

static const struct expr *integer(const struct choice *c, int64_t value)
{
    return expr_integer(c->el->pool, value);
}

static const struct expr *binary(const struct choice *c, enum expr_kind kind, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(c->el->pool, kind, a, b);
}

/* The index within 0 … n - 1 by a rule that repeats the members: what GRAPH.md says of it. */
static const struct expr *repeated(const struct choice *c, enum border_rule rule,
                                   const struct expr *j, int64_t n)
{
    const int64_t period = rule == BORDER_WRAP ? n : rule == BORDER_REFLECT ? 2 * n : 2 * n - 2;
    if (period < 1)
        return integer(c, 0);
    const struct expr *m = binary(c, EXPR_REMAINDER, j, integer(c, period));
    if (rule == BORDER_WRAP)
        return m;
    const struct expr *back =
        binary(c, EXPR_SUBTRACT, integer(c, rule == BORDER_REFLECT ? period - 1 : period), m);
    return binary(
        c, EXPR_MAXIMUM, integer(c, 0),
        binary(c, EXPR_MINIMUM, integer(c, n - 1),
               expr_select(c->el->pool, binary(c, EXPR_LESS, m, integer(c, n)), m, back)));
}

static bool report_no_rule(const struct choice *c, const struct levels *levels)
{
    struct diagnostic *d = REPORT(c->el, E0401, c->span, levels->called, "the array");
    HELP(c->el, d, "limit the index with clamp(), or write a rule behind the read: border clamp");
    return false;
}

/* Where the index may lie outside, the nearest rule for reads of the array decides. outside: the
 * condition under which there is a value instead of a member, or NULL. */
static bool keep_inside(const struct choice *c, const struct levels *levels,
                        const struct stage *stage, struct interval places,
                        const struct expr **index, const struct expr **outside,
                        struct operand *value)
{
    struct border_default *taken;
    struct border border;
    *outside = NULL;
    if (interval_inside((*index)->interval, places))
        return true;
    const struct ast *rule = nearest_rule(c->context->instance, c->rule, c->name, NULL, &taken);
    if (!rule)
        return report_no_rule(c, levels);
    struct stage_context where = *c->context;
    if (taken)
        where.scope = taken->where->scope;
    if (!elaborate_border(c->el, &where, rule, stage, &border))
        return false;
    if (taken)
        taken->used = true;
    const struct expr *first = integer(c, places.least), *last = integer(c, places.greatest);
    const struct expr *j = binary(c, EXPR_SUBTRACT, *index, first);
    switch ((int)border.rule) {
    case BORDER_CLAMP:
        *index = binary(c, EXPR_MINIMUM, binary(c, EXPR_MAXIMUM, *index, first), last);
        return true;
    case BORDER_WRAP:
    case BORDER_REFLECT:
    case BORDER_REFLECT101:
        *index = binary(c, EXPR_ADD, first,
                        repeated(c, border.rule, j, places.greatest - places.least + 1));
        return true;
    case BORDER_ZERO:
    case BORDER_CONSTANT:
        *value = operand_of_stage(c->el, stage, border.value);
        *outside = binary(c, EXPR_OR, binary(c, EXPR_LESS, *index, first),
                          binary(c, EXPR_LESS, last, *index));
        return true;
    }
    struct diagnostic *d = REPORT(c->el, E0406, c->span, border_text[border.rule]);
    HELP(c->el, d, "limit the index with clamp(), or choose clamp, reflect, wrap or zero");
    return false;
}

/* NULL after a message. */
static const struct stage *a_stage_of(const struct choice *c, const struct entity *entity)
{
    while (entity->kind == ENTITY_LEVELS && entity->as.levels->member.count)
        entity = &entity->as.levels->member.item[0].value;
    if (entity->kind == ENTITY_RESULTS)
        report_whole(c->el, c->span, entity->as.results->filter->as.filter.name->text, entity);
    return entity->kind == ENTITY_IMAGE && entity->as.image.valid
               ? graph_stage(c->el->graph, entity->as.image.stage)
               : NULL;
}

static const struct expr *both(const struct choice *c, const struct expr *a, const struct expr *b)
{
    return !a ? b : !b ? a : binary(c, EXPR_AND, a, b);
}

/* The members of one array that the index can mean, each where `outer` holds. */
static bool add_members(struct choice *c, const struct levels *levels, const struct expr *index,
                        const struct expr *outer)
{
    const struct entity all = {.kind = ENTITY_LEVELS,
                               .as.levels = (struct levels *)(uintptr_t)levels};
    const struct stage *stage = a_stage_of(c, &all);
    struct interval places;
    const struct expr *outside;
    struct operand value = operand_error();
    if (levels->member.count == 0 && !levels->broken) { /* for l in 2 .. 1 */
        REPORT(c->el, E0215, c->span, (long long)index->interval.least, levels->called);
        return false;
    }
    if (!stage || !find_places(c, levels, &places) ||
        !keep_inside(c, levels, stage, places, &index, &outside, &value))
        return false;
    if (outside) {
        struct entity entity = {.kind = ENTITY_VALUE};
        entity.as.value = value;
        VECTOR_PUSH(c->el->arena, &c->list, (struct alternative){both(c, outer, outside), entity});
    }
    for (int64_t i = places.least; i <= places.greatest; i++) {
        if (i < index->interval.least || i > index->interval.greatest)
            continue;
        const struct expr *here =
            index->kind == EXPR_INTEGER ? NULL : binary(c, EXPR_EQUAL, index, integer(c, i));
        VECTOR_PUSH(c->el->arena, &c->list,
                    (struct alternative){both(c, outer, here), find_level(levels, i)->value});
    }
    return true;
}

/* All that array[index]… can mean. */
static bool collect(struct choice *c, const struct ast *node)
{
    struct elaborator *el = c->el;
    if (!is_choice(el, c->context, node)) {
        const struct entity entity =
            elaborate_entity(el, c->context->instance, c->context->scope, node, NULL);
        VECTOR_PUSH(el->arena, &c->list, (struct alternative){NULL, entity});
        return entity.kind != ENTITY_ERROR;
    }
    if (!collect(c, node->as.index.base))
        return false;
    const struct ast *item = node->as.index.items->item[0];
    const struct operand index = elaborate_expr(el, c->context, item);
    if (!index.expr)
        return false;
    if (!operand_is_integer(index)) {
        struct diagnostic *d =
            REPORT(el, E0303, item->span, "an index", "an integer", operand_type_text(el, index));
        HELP(el, d, "round it with i32(...), or cut it with trunc<i32>(...)");
        return false;
    }
    struct choice inner = *c;
    memset(&inner.list, 0, sizeof inner.list);
    for (size_t i = 0; i < c->list.count; i++) {
        const struct alternative *outer = &c->list.item[i];
        if (outer->member.kind == ENTITY_VALUE)
            VECTOR_PUSH(el->arena, &inner.list, *outer);
        else if (outer->member.kind != ENTITY_LEVELS ||
                 !add_members(&inner, outer->member.as.levels, index.expr, outer->condition))
            return false;
    }
    *c = inner;
    return true;
}

/* All members that the index can select have the same box. */
static bool have_one_box(const struct choice *c)
{
    const struct stage *first = NULL;
    for (size_t i = 0; i < c->list.count; i++) {
        const struct entity *member = &c->list.item[i].member;
        if (member->kind == ENTITY_LEVELS) {
            report_whole(c->el, c->span, member->as.levels->called, member);
            return false;
        }
        if (member->kind != ENTITY_IMAGE)
            continue;
        const struct stage *stage = graph_stage(c->el->graph, member->as.image.stage);
        first = first ? first : stage;
        const bool integers =
            scalar_is_integer(stage->element) && scalar_is_integer(first->element);
        if (stage->rank != first->rank || (!integers && stage->element != first->element)) {
            struct diagnostic *d =
                REPORT(c->el, E0327, c->span, first->name->text, stage->name->text);
            NOTE(c->el, d, "'%s' is %s of [%s], '%s' %s of [%s]", first->name->text,
                 scalar_info[first->element].text, stage_axes_text(c->el, first), stage->name->text,
                 scalar_info[stage->element].text, stage_axes_text(c->el, stage));
            return false;
        }
        for (unsigned k = 0; k < stage->rank; k++)
            if (!same_box(c->el, first, stage, k, c->span))
                return false;
    }
    return true;
}

struct operand elaborate_choice(struct elaborator *el, struct stage_context *context,
                                const struct ast *base, const struct ast *node,
                                const struct ast_list *items, const struct ast *rule)
{
    const struct ast *root = base;
    while (root->kind == AST_INDEX)
        root = root->as.index.base;
    struct choice c = {.el = el,
                       .context = context,
                       .rule = rule,
                       .span = node->span,
                       .name = root->kind == AST_NAME ? root->as.name : NULL};
    if (!collect(&c, base) || !have_one_box(&c))
        return operand_error();
    struct operand value = operand_error();
    for (size_t i = c.list.count; i-- > 0;) {
        const struct alternative *a = &c.list.item[i];
        struct operand read = a->member.as.value;
        if (a->member.kind == ENTITY_IMAGE && items)
            read = elaborate_read(el, context, &a->member.as.image, c.name, node, items, rule);
        else if (a->member.kind == ENTITY_IMAGE)
            read = elaborate_lifted_read(el, context, &a->member.as.image, node);
        read.left = read.right = read.present = NULL;
        if (!read.expr || !elaborate_work(el, node->span, NODE_WORK))
            return operand_error();
        value = i + 1 == c.list.count
                    ? read
                    : operand_select(el, operand_from(a->condition), read, value, node->span);
    }
    return value;
}
