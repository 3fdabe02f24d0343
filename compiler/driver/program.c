/* The graph of the filter that is asked for, and whether a target takes it. */
#include "driver/driver.h"

/* Whether each type is for a type variable of the filter; else after a message. */
static bool types_are_known(struct session *session, const struct ast *filter,
                            const struct constant_setting types[], size_t count)
{
    const struct ast_list *formals = filter->as.filter.formals;
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t k = 0; k < formals->count && !known; k++) {
            const struct symbol *variable = element_variable(formals->item[k]);
            known = variable && strcmp(variable->text, types[i].name) == 0;
        }
        if (known)
            continue;
        session_error(session, DIAGNOSTIC_E0906, "'%s' has no type variable '%s'",
                      filter->as.filter.name->text, types[i].name);
        return false;
    }
    return true;
}

const struct ast *program_filter(struct session *session, const struct module_set *modules,
                                 const char *name, const struct constant_setting types[],
                                 size_t type_count)
{
    const struct ast *filter =
        session->diagnostics.error_count ? NULL : elaborate_choose(session, modules, name);
    return filter && types_are_known(session, filter, types, type_count) ? filter : NULL;
}

const struct graph *program_graph(struct session *session, const struct module_set *modules,
                                  const struct ast *filter, struct setting_list *settings,
                                  bool fixes_parameters, struct elaborate_options options)
{
    VECTOR(struct constant_setting) constants = {0};
    for (size_t i = 0; i < filter->as.filter.formals->count; i++) {
        const struct ast *formal = filter->as.filter.formals->item[i];
        const enum ast_formal_role role = formal->as.formal.role;
        for (size_t s = 0; s < settings->count; s++) {
            struct setting *setting = &settings->item[s];
            if (strcmp(setting->name, formal->as.formal.name->text) != 0 ||
                !(role == FORMAL_CONST || (role == FORMAL_PARAM && fixes_parameters)))
                continue;
            setting->used = true;
            VECTOR_PUSH(session->permanent, &constants,
                        (struct constant_setting){setting->name, setting->value});
        }
    }
    options.settings = constants.item;
    options.setting_count = constants.count;
    return elaborate_filter(session, modules, filter, &options);
}

struct diagnostic *program_unused_setting(struct session *session, const struct graph *graph,
                                          const struct setting_list *settings, const char **name)
{
    for (size_t i = 0; i < settings->count; i++) {
        *name = settings->item[i].name;
        if (!settings->item[i].used)
            return session_error(session, DIAGNOSTIC_E0906,
                                 "'%s' has no parameter or constant '%s'", graph->name->text,
                                 *name);
    }
    return NULL;
}

/* Where the function is declared; of a .graph or .loop file nowhere. */
static struct span span_of(const struct module_set *modules, const struct external *function)
{
    for (size_t m = 0; modules && m < modules->list.count; m++) {
        const struct ast_list *items = modules->list.item[m].module->items;
        for (size_t i = 0; i < items->count; i++)
            if (items->item[i]->kind == AST_EXTERN &&
                items->item[i]->as.external.name == function->name)
                return items->item[i]->span;
    }
    return (struct span){0, 0};
}

bool program_externals_suit(struct session *session, const struct module_set *modules,
                            const struct target *target)
{
    const struct external_list called = expr_externals(&session->pool, session->permanent);
    if (target->runs_on_host || called.count == 0)
        return true;
    struct diagnostic *d =
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0226, span_of(modules, called.item[0]),
                          called.item[0]->name->text, target->name);
    diagnostic_help(&session->diagnostics, d,
                    "write it as a fn of the language, or emit for target 'c'");
    return false;
}

bool program_particles_suit(struct session *session, const struct graph *graph,
                            const struct target *target)
{
    if (target->runs_on_host || target->execution == EXECUTION_DATAFLOW)
        return true; /* circuits say what they cannot stream */
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (!stage_is_structure(stage))
            continue;
        struct diagnostic *d =
            diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0227, stage->span, target->name);
        diagnostic_help(&session->diagnostics, d, "emit for target 'c', or leave it out");
        return false;
    }
    return true;
}
