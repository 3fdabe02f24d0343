/* Arrays of images: g[0] = …; g[l in 1 ..< n] = …; detail[k][l][y, x] = …; in signatures
 * `pyramid : image<f32>[y, x] each l in 0 ..< levels`. Members are images, or arrays of such. */
#include "frontend/elaborator.h"

struct levels *new_levels(struct elaborator *el, const struct symbol *name, const char *called,
                          struct span span)
{
    struct levels *levels = ARENA_NEW(el->arena, struct levels);
    levels->name = name;
    levels->called = called;
    levels->span = span;
    return levels;
}

const struct level *find_level(const struct levels *levels, int64_t index)
{
    for (size_t i = 0; i < levels->member.count; i++)
        if (levels->member.item[i].index == index)
            return &levels->member.item[i];
    return NULL;
}

bool each_range(struct elaborator *el, struct instance *instance, const struct ast *formal,
                int64_t *first, int64_t *extent)
{
    const struct ast *binding = formal->as.formal.each;
    if (!constant_range(el, instance, instance->scope, binding, first, extent))
        return false;
    if (*extent < 1) {
        report_empty_range(el, binding->as.binding.range->span);
        return false;
    }
    return true;
}

const struct symbol *member_name(struct elaborator *el, const struct symbol *array, int64_t index)
{
    return symbol_format(&el->session->symbols, index < 0 ? "%s_minus_%llu" : "%s_%llu",
                         array->text,
                         index < 0 ? 0 - (unsigned long long)index : (unsigned long long)index);
}

struct entity change_levels(struct elaborator *el, const struct levels *levels,
                            struct image_view (*change)(struct image_view image,
                                                        const struct symbol *name, void *context),
                            void *context)
{
    struct levels *changed = new_levels(el, levels->name, levels->called, levels->span);
    changed->broken = levels->broken;
    for (size_t i = 0; i < levels->member.count; i++) {
        struct level member = levels->member.item[i];
        if (member.value.kind == ENTITY_LEVELS)
            member.value = change_levels(el, member.value.as.levels, change, context);
        if (member.value.kind == ENTITY_IMAGE) {
            const struct image_view image =
                change(member.value.as.image, member_name(el, levels->name, member.index), context);
            member.value.kind = image.valid ? ENTITY_IMAGE : ENTITY_ERROR;
            member.value.as.image = image;
        }
        VECTOR_PUSH(el->arena, &changed->member, member);
    }
    return (struct entity){.kind = ENTITY_LEVELS, .span = levels->span, .as.levels = changed};
}

bool check_members(struct elaborator *el, const struct levels *levels, int64_t first,
                   int64_t extent, const char *what, struct span span, struct span declared)
{
    if (levels->broken)
        return false;
    for (int64_t i = first; i < first + extent; i++)
        if (!find_level(levels, i)) {
            struct diagnostic *d = REPORT(el, E0215, span, (long long)i, what);
            LABEL(el, d, declared, "declared here, with members %lld .. %lld", (long long)first,
                  (long long)(first + extent - 1));
            return false;
        }
    if ((int64_t)levels->member.count == extent)
        return true;
    struct diagnostic *d = REPORT(el, E0217, span, what, (long long)extent, levels->member.count);
    LABEL(el, d, declared, "declared here, with members %lld .. %lld", (long long)first,
          (long long)(first + extent - 1));
    return false;
}

/* ---- Definitions ---- */

/* The array of the name, in the making. NULL: the name is something else. */
static struct levels *find_or_make_levels(struct elaborator *el, struct instance *instance,
                                          const struct ast *define)
{
    const struct symbol *name = define->as.define.name;
    struct entity *entity = scope_find(instance->scope, name);
    if (entity)
        return entity->kind == ENTITY_LEVELS && entity->in_pieces ? entity->as.levels : NULL;
    entity = scope_declare(el, instance->scope, name, define->as.define.name_span);
    if (entity->kind == ENTITY_ERROR) {
        entity->kind = ENTITY_LEVELS;
        entity->in_pieces = true;
        entity->as.levels = new_levels(el, name, name->text, define->as.define.name_span);
    }
    const int result = find_result(instance->filter, name);
    if (result >= 0)
        instance->result[result] = *entity;
    return entity->as.levels;
}

struct definition {
    struct elaborator *el;
    struct instance *instance;
    const struct ast *define;
    size_t places;               /* how many brackets stand for members */
    const struct ast_list *axes; /* the brackets behind them, or NULL */
};

static void define_members(const struct definition *d, struct scope *scope, struct levels *levels,
                           size_t bracket);

/* The members of an array are alike: images, or arrays, or several results. */
static bool is_alike(const struct definition *d, const struct levels *levels, const char *called,
                     enum entity_kind kind)
{
    if (!levels->member.count || kind == ENTITY_ERROR)
        return true;
    const struct level *first = &levels->member.item[0];
    if (first->value.kind == kind || first->value.kind == ENTITY_ERROR)
        return true;
    struct diagnostic *report = REPORT(d->el, E0206, d->define->as.define.name_span, called,
                                       entity_text(kind), entity_text(first->value.kind));
    LABEL(d->el, report, first->value.span, "the members of '%s' are alike, and this is the first",
          levels->called);
    return false;
}

/* The member as an array that is in the making. */
static struct levels *member_array(const struct definition *d, struct levels *levels, int64_t index,
                                   const struct level *known, const char *called)
{
    const struct span span = d->define->as.define.name_span;
    if (known && known->value.kind == ENTITY_LEVELS && known->value.in_pieces)
        return known->value.as.levels;
    if (known) {
        struct diagnostic *report = REPORT(d->el, E0407, span, called);
        LABEL(d->el, report, known->value.span, "first defined here");
        HELP(d->el, report, "each member of an array is defined once");
        return NULL;
    }
    if (!is_alike(d, levels, called, ENTITY_LEVELS))
        return NULL;
    struct levels *inner = new_levels(d->el, member_name(d->el, levels->name, index), called, span);
    const struct entity entity = {
        .kind = ENTITY_LEVELS, .in_pieces = true, .span = span, .as.levels = inner};
    VECTOR_PUSH(d->el->arena, &levels->member, (struct level){index, entity});
    return inner;
}

static struct image_view keep(struct image_view image, const struct symbol *name, void *context)
{
    (void)name;
    (void)context;
    return image;
}

static void define_member(const struct definition *d, struct scope *scope, struct levels *levels,
                          size_t bracket, int64_t index)
{
    struct elaborator *el = d->el;
    const struct span span = d->define->as.define.name_span;
    const struct level *known = find_level(levels, index);
    const char *called =
        arena_format(el->session->permanent, "%s[%lld]", levels->called, (long long)index);
    if (bracket + 1 < d->places) {
        struct levels *inner = member_array(d, levels, index, known, called);
        if (inner)
            define_members(d, scope, inner, bracket + 1);
        return;
    }
    if (known) {
        struct diagnostic *report = REPORT(el, E0407, span, called);
        LABEL(el, report, known->value.span, "first defined here");
        HELP(el, report, "each member of an array is defined once");
        return;
    }
    const struct symbol *name = member_name(el, levels->name, index);
    struct entity value = define_value(el, d->instance, scope, d->define, d->axes, name);
    if (value.kind == ENTITY_LEVELS) /* as it is now: it may be this one, which goes on to grow */
        value = change_levels(el, value.as.levels, keep, NULL);
    if (!is_alike(d, levels, called, value.kind))
        value = (struct entity){.kind = ENTITY_ERROR};
    value.span = span;
    VECTOR_PUSH(el->arena, &levels->member, (struct level){index, value});
}

struct scope *bind_constant(struct elaborator *el, struct scope *outer, const struct ast *binding,
                            int64_t value)
{
    struct scope *scope = scope_open(el, outer);
    struct entity *entity =
        scope_declare(el, scope, binding->as.binding.name, binding->as.binding.name_span);
    entity->kind = ENTITY_VALUE;
    entity->as.value = operand_from(expr_integer(el->pool, value));
    return scope;
}

static void define_places(const struct definition *d, struct scope *scope, struct levels *levels,
                          size_t bracket)
{
    struct elaborator *el = d->el;
    const struct ast_list *items = d->define->as.define.brackets->item[bracket]->as.list;
    if (items->count != 1) {
        struct diagnostic *report =
            REPORT(el, E0303, d->define->as.define.brackets->item[bracket]->span, "a member",
                   "one index", arena_format(el->session->permanent, "%zu", items->count));
        HELP(el, report,
             "indices of arrays stand in brackets of their own, before the axes: %s[k][l][y, x]",
             d->define->as.define.name->text);
        return;
    }
    const struct ast *place = items->item[0];
    if (place->kind == AST_NAME && d->axes && !scope_find(scope, place->as.name)) {
        struct diagnostic *report = REPORT(el, E0201, place->span, place->as.name->text);
        HELP(el, report, "the axes of an image stand in one pair of brackets: %s[y, x]",
             d->define->as.define.name->text);
        return;
    }
    int64_t first, extent;
    if (place->kind != AST_BINDING) {
        struct stage_context context =
            stage_context_open(el, d->instance, scope, d->define->as.define.name, place->span);
        if (elaborate_constant_integer(el, &context, place, &first))
            define_member(d, scope, levels, bracket, first);
        return;
    }
    if (!constant_range(el, d->instance, scope, place, &first, &extent))
        return;
    for (int64_t i = 0; i < extent && elaborate_work(el, d->define->span, STATEMENT_WORK); i++)
        define_member(d, bind_constant(el, scope, place, first + i), levels, bracket, first + i);
}

/* Defines the members that the bracket names, and notes whether a definition failed. */
static void define_members(const struct definition *d, struct scope *scope, struct levels *levels,
                           size_t bracket)
{
    const unsigned errors = d->el->session->diagnostics.error_count;
    define_places(d, scope, levels, bracket);
    levels->broken = levels->broken || d->el->session->diagnostics.error_count > errors;
}

/* Whether a value is an image or more, and no number. */
static bool is_whole(const struct elaborator *el, const struct instance *instance,
                     const struct scope *scope, const struct ast *value)
{
    const enum entity_kind kind = entity_kind_of(el, instance, scope, value);
    return kind == ENTITY_LEVELS || kind == ENTITY_RESULTS ||
           is_image_valued(el, instance, scope, value);
}

void define_array(struct elaborator *el, struct instance *instance, struct scope *scope,
                  const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    const struct ast_list *last = brackets->item[brackets->count - 1]->as.list;
    const bool has_axes =
        brackets->count > 1 && !is_whole(el, instance, scope, define->as.define.value) &&
        (last->count != 1 || last->item[0]->kind == AST_NAME || last->item[0]->kind == AST_BINDING);
    const struct definition d = {el, instance, define, brackets->count - has_axes,
                                 has_axes ? last : NULL};
    struct levels *levels = find_or_make_levels(el, instance, define);
    if (levels) {
        define_members(&d, scope, levels, 0);
        return;
    }
    struct diagnostic *report =
        REPORT(el, E0407, define->as.define.name_span, define->as.define.name->text);
    LABEL(el, report, scope_find(instance->scope, define->as.define.name)->span,
          "first defined here");
    HELP(el, report, "a name is one image or an array of images; choose another name");
}

/* One bracket stands for the members of an array where the value is an image, for axes where it is
 * a number: g[l in 1 ..< n] = down(g[l - 1]), ramp[x in 0 ..< 256] = x. */
bool defines_array(struct elaborator *el, const struct instance *instance,
                   const struct scope *scope, const struct ast *define)
{
    const struct ast_list *brackets = define->as.define.brackets;
    if (brackets->count != 1)
        return brackets->count > 1;
    const struct ast_list *items = brackets->item[0]->as.list;
    if (items->count != 1)
        return false;
    const struct ast *item = items->item[0];
    if (item->kind == AST_NAME && !scope_find(scope, item->as.name))
        return false;
    const struct entity *entity = scope_find(scope, define->as.define.name);
    return (entity && entity->kind == ENTITY_LEVELS) ||
           (item->kind != AST_NAME && item->kind != AST_BINDING) ||
           is_whole(el, instance, scope, define->as.define.value);
}
