/* Random calls of filters that were made before: arguments of other types are converted, images
 * with more axes are mapped over. */
#include "program/generator.h"

bool can_lift(const struct stage_scope *s, const struct image *image)
{
    unsigned more = 0;
    for (unsigned k = 0; k < image->rank; k++) {
        bool known = false;
        for (unsigned i = 0; i < s->lifted_rank; i++)
            if (s->lifted_axis[i].name == image->axis[k].name) {
                if (s->lifted_axis[i].grid != image->axis[k].grid)
                    return false;
                known = true;
            }
        more += !known;
    }
    return s->lifted_rank + more <= 4;
}

void use_lifted(struct stage_scope *s, const struct image *image)
{
    s->depends |= image->depends;
    for (unsigned k = 0; k < image->rank; k++) {
        bool known = false;
        for (unsigned i = 0; i < s->lifted_rank; i++)
            known = known || s->lifted_axis[i].name == image->axis[k].name;
        struct image_axis axis = image->axis[k];
        axis.can_extend = false;
        if (!known)
            s->lifted_axis[s->lifted_rank++] = axis;
    }
}

/* Which grid each axis name of the called filter stands for. */
struct binding_of_axes {
    unsigned count;
    struct image_axis axis[2 * MOST_AXES];
};

static const struct grid *bound_grid(const struct binding_of_axes *b, const struct symbol *name)
{
    for (unsigned i = 0; i < b->count; i++)
        if (b->axis[i].name == name)
            return b->axis[i].grid;
    return NULL;
}

static unsigned pool_bit(const struct symbol *name)
{
    for (unsigned i = 0; i < AXIS_POOL; i++)
        if (strcmp(axis_pool[i], name->text) == 0)
            return 1u << i;
    return 0;
}

static bool has_axis(const struct image *image, const struct symbol *name)
{
    for (unsigned k = 0; k < image->rank; k++)
        if (image->axis[k].name == name)
            return true;
    return false;
}

/* Whether the actual image can be the formal; its axes are bound. extra: whether it may have more
 * axes than the formal. */
static bool bind_axes(const struct filter_model *f, const struct image *formal,
                      const struct image *actual, bool extra, struct binding_of_axes *b)
{
    struct binding_of_axes tried = *b;
    for (unsigned k = 0; k < formal->rank; k++)
        if (!has_axis(actual, formal->axis[k].name))
            return false;
    for (unsigned k = 0; k < actual->rank; k++) {
        const struct image_axis *axis = &actual->axis[k];
        const bool named = has_axis(formal, axis->name);
        if (!named && (!extra || f->axis_names & pool_bit(axis->name)))
            return false;
        const struct grid *known = bound_grid(&tried, axis->name);
        if (known && known != axis->grid)
            return false;
        if (!known)
            tried.axis[tried.count++] = *axis;
    }
    *b = tried;
    return true;
}

static const struct ast *converted(struct generator *g, const struct image *actual,
                                   const struct image *formal)
{
    const struct syntax *y = &g->s;
    if (actual->element == formal->element ||
        (scalar_is_integer(actual->element) && scalar_is_integer(formal->element) &&
         interval_inside(actual->interval, scalar_info[formal->element].interval)))
        return actual->name;
    struct typed value = {.ast = actual->name,
                          .class = scalar_info[actual->element].class,
                          .scalar = actual->element,
                          .interval = actual->interval};
    if (formal->element == SCALAR_BOOL)
        return as_class(g, value, CLASS_BOOL).ast;
    value = as_class(g, value, CLASS_INTEGER == value.class ? CLASS_INTEGER : CLASS_FLOAT);
    return call_node(y, scalar_info[formal->element].text, 1, &value.ast);
}

static const struct ast *scalar_argument(struct generator *g, struct body *body,
                                         const struct formal *formal)
{
    const struct syntax *y = &g->s;
    const enum scalar_class class = formal->value.class;
    if (formal->choices)
        return formal->choices->item[below(&g->random, (unsigned)formal->choices->count)];
    for (int i = 0; i < 3 && body->scalars.count; i++) {
        const struct typed *v =
            &body->scalars.item[below(&g->random, (unsigned)body->scalars.count)];
        if (v->class != class || (formal->value.constant && !v->constant))
            continue;
        if (class == CLASS_INTEGER && !interval_inside(v->interval, formal->range))
            continue;
        if (class == CLASS_FLOAT && (v->scalar != formal->value.scalar || v->untyped))
            continue;
        return v->ast;
    }
    if (class == CLASS_BOOL)
        return boolean_node(y, chance(&g->random, 50));
    const int64_t v = between(&g->random, formal->range.least, formal->range.greatest);
    if (class == CLASS_FLOAT && chance(&g->random, 50))
        return real_node(y, (double)v);
    return integer_node(y, v);
}

/* Axes of the result: those of the filter's own result, with the mapped ones of the pattern at
 * their places (language.md, "Images and axes"). */
static void result_axes(struct generator *g, const struct image *returned,
                        const struct binding_of_axes *bound, const struct image *pattern,
                        const struct image *pattern_formal, struct image *result)
{
    struct image own = *returned;
    for (unsigned k = 0; k < own.rank; k++) {
        const struct grid *grid =
            own.axis[k].grid->starts_at_zero && own.axis[k].grid->coordinate.least == 0
                ? bound_grid(bound, own.axis[k].name)
                : NULL;
        if (!grid) {
            struct grid *fresh = ARENA_NEW(g->s.arena, struct grid);
            *fresh = *own.axis[k].grid;
            grid = fresh;
        }
        own.axis[k].grid = grid;
        own.axis[k].can_extend = false;
    }
    result->rank = 0;
    unsigned next = 0, slots = pattern ? pattern_formal->rank : 0;
    for (unsigned p = 0; pattern && p < pattern->rank; p++) {
        if (!has_axis(pattern_formal, pattern->axis[p].name)) {
            result->axis[result->rank] = pattern->axis[p];
            result->axis[result->rank++].can_extend = false;
            continue;
        }
        slots--;
        const unsigned until = slots == 0 ? own.rank : next < own.rank ? next + 1 : next;
        while (next < until)
            result->axis[result->rank++] = own.axis[next++];
    }
    while (next < own.rank)
        result->axis[result->rank++] = own.axis[next++];
}

static bool try_call(struct generator *g, struct body *body, const struct filter_model *f,
                     struct image *result)
{
    const struct syntax *y = &g->s;
    struct binding_of_axes bound = {0};
    const struct image *pattern = NULL, *pattern_formal = NULL;
    struct ast_list *arguments = ast_list(y->arena);
    unsigned image_number = 0;
    bool by_name = false;
    const struct image *returned = &f->result[below(&g->random, f->result_count)];
    *result = (struct image){.element = returned->element,
                             .interval = scalar_info[returned->element].interval};
    for (size_t i = 0; i < f->formals.count; i++) {
        const struct formal *formal = &f->formals.item[i];
        const struct symbol *name = formal->node->as.formal.name;
        const struct ast *value = NULL;
        if (!formal->is_image) {
            if (formal->has_default && (by_name || chance(&g->random, 40))) {
                by_name = true; /* those behind it are named */
                continue;
            }
            value = scalar_argument(g, body, formal);
        }
        for (int try = 0; formal->is_image && try < 6 && !value; try++) {
            const struct image *actual =
                &body->images.item[below(&g->random, (unsigned)body->images.count)];
            const bool reaches = returned->depends >> image_number & 1;
            const bool extra = !pattern && reaches && returned->rank > 0;
            if (!actual->rank || !bind_axes(f, &formal->image, actual, extra, &bound))
                continue;
            if (actual->rank > formal->image.rank) {
                pattern = actual;
                pattern_formal = &formal->image;
            }
            value = converted(g, actual, &formal->image);
            if (reaches)
                result->depends |= actual->depends;
        }
        if (!value)
            return false;
        image_number += formal->is_image;
        by_name = by_name || chance(&g->random, 10);
        ast_list_add(y->arena, arguments, by_name ? named_node(y, name, value) : value);
    }
    if (returned->rank + (pattern ? pattern->rank - pattern_formal->rank : 0) > 4)
        return false;
    result_axes(g, returned, &bound, pattern, pattern_formal, result);
    result->name = NODE(.kind = AST_CALL, .as.call = {name_node(y, f->name), arguments});
    const bool has_default = body->default_rule && body->default_rule->as.rule.name;
    if (f->needs_rule && f->takes_rule && (!has_default || chance(&g->random, 40))) {
        static const char *const rule[] = {"zero", "clamp", "reflect", "reflect101", "wrap"};
        result->name =
            bordered_node(y, result->name, rule_node(y, rule[below(&g->random, 5)], NULL));
    } else if (f->needs_rule && !has_default) {
        return false;
    }
    if (f->result_count > 1)
        result->name = field_node(y, result->name, returned->name->as.name);
    body->filter->axis_names |= f->axis_names;
    for (unsigned k = 0; k < result->rank; k++)
        body->filter->axis_names |= pool_bit(result->axis[k].name);
    return true;
}

bool generate_call(struct generator *g, struct body *body, struct image *result)
{
    for (int i = 0; i < 3 && g->filters.count && body->images.count; i++)
        if (try_call(g, body, g->filters.item[below(&g->random, (unsigned)g->filters.count)],
                     result))
            return true;
    return false;
}
