/* Constants outside filters, `const n = 3;`: seen by all filters and functions of the module and of
 * those that import it. What an imported module itself imports is not seen. */
#include "frontend/elaborator.h"
#include "frontend/ast_build.h"

struct instance *module_instance(struct elaborator *el, size_t module, struct scope *scope,
                                 const struct ast_list *body)
{
    const struct ast_list *empty = ast_list(el->arena);
    struct instance *instance = ARENA_NEW(el->arena, struct instance);
    instance->filter = AST_NEW(el->arena, ((struct span){0, 0}), .kind = AST_FILTER,
                               .as.filter = {.name = symbol_from(&el->session->symbols, ""),
                                             .formals = empty,
                                             .results = empty,
                                             .body = body ? body : empty});
    instance->module = module;
    instance->scope = scope;
    return instance;
}

static bool is_constant(const struct ast *item)
{
    return item->kind == AST_CONSTANT;
}

/* The constants of another module, which names here may hide. */
static void take_imported(struct elaborator *el, struct scope *scope, size_t from)
{
    const struct ast_list *items = el->modules->list.item[from].module->items;
    const struct scope *theirs = module_scope(el, from);
    for (size_t i = 0; i < items->count; i++) {
        if (!is_constant(items->item[i]))
            continue;
        const struct symbol *name = items->item[i]->as.constant.name;
        struct entity *entity = arena_copy(el->arena, scope_find(theirs, name), sizeof *entity);
        entity->may_be_hidden = true;
        hash_map_put(el->arena, &scope->names, name, entity);
    }
}

struct scope *module_scope(struct elaborator *el, size_t module)
{
    if (!el->module_scope)
        el->module_scope = ARENA_ARRAY(el->arena, struct scope *, el->modules->list.count + 1);
    if (el->module_scope[module])
        return el->module_scope[module];
    const struct loaded_module *loaded = &el->modules->list.item[module];
    struct scope *imported = scope_open(el, NULL), *scope = scope_open(el, imported);
    el->module_scope[module] = scope;
    for (size_t i = 0; i < loaded->imports.count; i++)
        take_imported(el, imported, loaded->imports.item[i]);
    struct instance *instance = module_instance(el, module, scope, NULL);
    for (size_t i = 0; i < loaded->module->items->count; i++)
        if (is_constant(loaded->module->items->item[i]))
            define_constant(el, instance, scope, loaded->module->items->item[i]);
    return scope;
}
