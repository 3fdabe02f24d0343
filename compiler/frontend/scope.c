/* Names in scope, and what to say of a name that is not. */
#include "frontend/elaborator.h"
#include "frontend/foreign.h"
#include "frontend/ast_build.h"
#include "frontend/parse.h"
#include "diagnostics/suggest.h"

struct scope *scope_open(struct elaborator *el, struct scope *outer)
{
    struct scope *scope = ARENA_NEW(el->arena, struct scope);
    scope->outer = outer;
    return scope;
}

struct entity *scope_find(const struct scope *scope, const struct symbol *name)
{
    for (; scope; scope = scope->outer) {
        struct entity *entity = hash_map_find(&scope->names, name);
        if (entity)
            return entity;
    }
    return NULL;
}

/* What the language means by the name; NULL: nothing. */
static const char *reserved_meaning(struct elaborator *el, const char *name)
{
    struct arena *texts = el->session->permanent;
    const char *rule = border_named(name);
    if (rule && strcmp(name, "constant") != 0) /* a value follows that one */
        return strcmp(rule, name) == 0
                   ? arena_format(texts, "it is a border rule, as in: border %s;", name)
                   : arena_format(texts, "it is a border rule, another name of %s", rule);
    if (scalar_from_text(name) != SCALAR_COUNT)
        return arena_format(texts, "it is a type, as in image<%s>[y, x]", name);
    if (is_reserved_reduction(name))
        return arena_format(texts, "it is a reduction, as in %s[d in -1 .. 1](...)", name);
    return is_reserved_function(name) ? arena_format(texts, "it is a function, %s(...)", name)
                                      : NULL;
}

struct entity *scope_declare(struct elaborator *el, struct scope *scope, const struct symbol *name,
                             struct span span)
{
    struct entity *entity = ARENA_NEW(el->arena, struct entity);
    entity->span = span;
    entity->kind = ENTITY_ERROR;
    const struct entity *known = scope_find(scope, name);
    const char *meaning = reserved_meaning(el, name->text);
    if (meaning) {
        struct diagnostic *d = REPORT(el, E0208, span, name->text);
        NOTE(el, d, "%s", meaning);
        HELP(el, d, "choose another name, for instance %s_", name->text);
    } else if (known && !known->may_be_hidden && known->kind != ENTITY_ERROR) {
        struct diagnostic *d = REPORT(el, E0202, span, name->text);
        LABEL(el, d, known->span, "first declared here");
    }
    hash_map_put(el->arena, &scope->names, name, entity);
    return entity;
}

static const struct ast *find_in_module(const struct module *module, const struct symbol *name)
{
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (ast_called_name(item) == name)
            return item;
    }
    return NULL;
}

const struct ast *find_item(const struct elaborator *el, size_t module, const struct symbol *name,
                            size_t *owner)
{
    *owner = module;
    const struct loaded_module *loaded = &el->modules->list.item[module];
    const struct ast *found = find_in_module(loaded->module, name);
    for (size_t i = 0; !found && i < loaded->imports.count; i++) {
        *owner = loaded->imports.item[i];
        found = find_in_module(el->modules->list.item[*owner].module, name);
    }
    return found;
}

/* ---- Names that are not there ---- */

void suggest_items(const struct elaborator *el, size_t module, struct suggestion *near,
                   const char *wanted)
{
    const struct loaded_module *loaded = &el->modules->list.item[module];
    for (size_t m = 0; m <= loaded->imports.count; m++) {
        const size_t index = m == 0 ? module : loaded->imports.item[m - 1];
        const struct ast_list *items = el->modules->list.item[index].module->items;
        for (size_t i = 0; i < items->count; i++)
            if (ast_called_name(items->item[i]))
                suggest_consider(near, wanted, ast_called_name(items->item[i])->text);
    }
}

static const struct ast *find_definition(const struct ast_list *body, const struct symbol *name)
{
    for (size_t i = 0; body && i < body->count; i++) {
        const struct ast *statement = body->item[i];
        if (statement->kind == AST_DEFINE && statement->as.define.name == name)
            return statement;
        const struct ast *inner =
            statement->kind == AST_FOR ? find_definition(statement->as.loop.body, name) : NULL;
        if (inner)
            return inner;
    }
    return NULL;
}

struct circle {
    struct elaborator *el;
    const struct ast_list *body;
    const struct symbol *target;
    struct hash_map seen;
    VECTOR(const struct symbol *) path;
    bool found;
};

static void follow_reads(const struct ast *node, void *user)
{
    struct circle *circle = user;
    if (circle->found)
        return;
    if (node->kind != AST_NAME) {
        ast_children(node, follow_reads, circle);
        return;
    }
    if (node->as.name == circle->target) {
        circle->found = true;
        return;
    }
    const struct ast *definition = find_definition(circle->body, node->as.name);
    if (!definition || hash_map_find(&circle->seen, node->as.name))
        return;
    hash_map_put(circle->el->arena, &circle->seen, node->as.name, (void *)(uintptr_t)definition);
    VECTOR_PUSH(circle->el->arena, &circle->path, node->as.name);
    if (definition->as.define.value)
        follow_reads(definition->as.define.value, circle);
    if (!circle->found)
        circle->path.count--;
}

/* 'a' reads 'b', which is defined further down: a circle, or an order to change. */
static void report_later(struct elaborator *el, const struct ast *filter,
                         const struct ast *definition, const struct symbol *name, struct span span)
{
    struct circle circle = {.el = el, .body = filter->as.filter.body, .target = el->defining};
    if (el->defining && definition->as.define.value) {
        VECTOR_PUSH(el->arena, &circle.path, name);
        follow_reads(definition->as.define.value, &circle);
    }
    struct diagnostic *d;
    if (circle.found) {
        struct text text = text_create(el->session->permanent);
        text_print(&text, "%s", el->defining->text);
        for (size_t i = 0; i < circle.path.count; i++)
            text_print(&text, " → %s", circle.path.item[i]->text);
        text_print(&text, " → %s", el->defining->text);
        d = REPORT(el, E0210, span, text.bytes);
        LABEL(el, d, definition->as.define.name_span, "'%s' is defined here", name->text);
        HELP(el, d, "a stage may read only stages that do not depend on it");
        return;
    }
    d = REPORT(el, E0209, span, name->text);
    LABEL(el, d, definition->as.define.name_span, "defined here");
    HELP(el, d, "move the definition of '%s' up", name->text);
}

static void suggest_names(const struct ast *filter, const struct scope *scope,
                          struct suggestion *near, const char *wanted)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++)
        suggest_consider(near, wanted, filter->as.filter.formals->item[i]->as.formal.name->text);
    for (size_t i = 0; i < filter->as.filter.body->count; i++) {
        const struct ast *statement = filter->as.filter.body->item[i];
        const struct symbol *name = statement->kind == AST_DEFINE     ? statement->as.define.name
                                    : statement->kind == AST_CONSTANT ? statement->as.constant.name
                                                                      : NULL;
        if (name && scope_find(scope, name))
            suggest_consider(near, wanted, name->text);
    }
}

/* The axes of the first image of the signature that has one of that name, or NULL. */
static const struct ast_list *axes_with(const struct ast *filter, const struct symbol *name)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
        const struct ast *type = filter->as.filter.formals->item[i]->as.formal.type;
        const struct ast_list *axes = type && type->as.type.inner ? type->as.type.names : NULL;
        for (size_t k = 0; axes && k < axes->count; k++)
            if (axes->item[k]->as.name == name)
                return axes;
    }
    return NULL;
}

static bool signature_names(const struct ast *filter, const struct symbol *name)
{
    for (size_t i = 0; i < filter->as.filter.formals->count; i++)
        if (filter->as.filter.formals->item[i]->as.formal.name == name)
            return true;
    return false;
}

const struct ast *definition_of(const struct instance *instance, const struct symbol *name)
{
    return instance->filter ? find_definition(instance->filter->as.filter.body, name) : NULL;
}

void silence_name(struct elaborator *el, const struct instance *instance, const struct symbol *name)
{
    if (hash_map_find(&instance->scope->names, name))
        return;
    struct entity *entity = ARENA_NEW(el->arena, struct entity);
    *entity = (struct entity){.kind = ENTITY_ERROR, .may_be_hidden = true};
    hash_map_put(el->arena, &instance->scope->names, name, entity);
}

/* What the name may be: a constant elsewhere, a number, an image. use: how it is read. */
static void help_undeclared(struct elaborator *el, struct diagnostic *d, const char *name,
                            const struct ast *use)
{
    static const char *const axes[] = {NULL, "x", "y, x", "z, y, x"};
    const size_t rank = use && use->kind == AST_INDEX ? use->as.index.items->count : 0;
    const char *word = use && use->kind == AST_FIELD ? use->as.field.name->text : name;
    if (rank > 0 && rank < sizeof axes / sizeof axes[0])
        HELP(el, d, "define it above, or declare it in the signature: %s : image<f32>[%s]", name,
             axes[rank]);
    else if (!help_foreign_value(el, d, word))
        HELP(el, d, "define it above, or declare it in the signature: param %s : f32 = 1", name);
}

void report_undeclared(struct elaborator *el, const struct instance *instance,
                       const struct scope *scope, const struct symbol *name, struct span span,
                       const struct ast *use)
{
    const struct ast *filter = instance->filter;
    silence_name(el, instance, name);
    if (name == el->defining) {
        struct diagnostic *d = REPORT(el, E0408, span, name->text);
        HELP(el, d, "a stage reads its own samples by indices: %s[y, x] = ... %s[y - 1, x] ...",
             name->text, name->text);
        return;
    }
    const struct ast *definition = find_definition(filter->as.filter.body, name);
    if (definition && definition->span.start > span.start) {
        report_later(el, filter, definition, name, span);
        return;
    }
    struct diagnostic *d = REPORT(el, E0201, span, name->text);
    if (definition) {
        LABEL(el, d, definition->as.define.name_span, "defined here, but only inside the braces");
        return;
    }
    const struct ast_list *axes = axes_with(filter, name);
    if (axes && el->defining) { /* out = in[y, x]; */
        struct text text = text_create(el->session->permanent);
        for (size_t i = 0; i < axes->count; i++)
            text_print(&text, "%s%s", i ? ", " : "", axes->item[i]->as.name->text);
        HELP(el, d, "coordinates are named on the left side: %s[%s] = ...", el->defining->text,
             text.bytes);
        return;
    }
    if (signature_names(filter, name)) { /* f(a : image<fixed<4, a>>[y, x]) */
        HELP(el, d, "types of the signature know its constants alone: const F : i32 = 4");
        return;
    }
    struct suggestion near = {0};
    if (name->length > 1 && !is_foreign_value(name->text))
        suggest_names(filter, scope, &near, name->text);
    if (near.best)
        diagnostic_fix(&el->session->diagnostics, d, span, near.best, false, "write '%s'",
                       near.best);
    else if (is_reserved_function(name->text))
        HELP(el, d, "it is a function: write %s(...)", name->text);
    else
        help_undeclared(el, d, name->text, use);
}

void report_not_yet(struct elaborator *el, struct span span, const char *what)
{
    struct diagnostic *d = REPORT(el, E0501, span, what);
    NOTE(el, d, "the language has it; this version of fltc does not");
}
