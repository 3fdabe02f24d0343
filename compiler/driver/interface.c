#include "driver/interface.h"
#include "document/outline.h"
#include "frontend/elaborate.h"
#include "frontend/load_modules.h"

static void add_constant(struct session *session, const struct module *module,
                         struct interface_given *given, const struct ast *formal)
{
    struct arena *arena = session->permanent;
    const struct interface_constant constant = {
        formal->as.formal.name->text,
        outline_source(arena, module, formal->span.start, formal->span.end)};
    VECTOR_PUSH(arena, &given->constants, constant);
}

/* Once for all images that have it. */
static void add_type(struct session *session, struct interface_given *given,
                     const struct ast *filter, const struct symbol *variable)
{
    struct interface_type type = {.name = variable->text};
    for (size_t i = 0; i < given->types.count; i++)
        if (strcmp(given->types.item[i].name, variable->text) == 0)
            return;
    for (int s = 0; s < SCALAR_COUNT; s++)
        type.allowed[s] =
            s != SCALAR_EXTENDED && element_type_allowed(filter, variable, (enum scalar)s);
    VECTOR_PUSH(session->permanent, &given->types, type);
}

struct interface_given interface_given(struct session *session, const struct module_set *modules,
                                       const struct ast *filter, const struct origin *origin)
{
    struct interface_given given = {
        .version = version_text(), .source = origin->name, .hash = origin->hash};
    for (size_t i = 0; filter && i < filter->as.filter.formals->count; i++) {
        const struct ast *formal = filter->as.filter.formals->item[i];
        const struct symbol *variable = element_variable(formal);
        if (formal->as.formal.role == FORMAL_CONST)
            add_constant(session, modules->list.item[0].module, &given, formal);
        if (variable)
            add_type(session, &given, filter, variable);
    }
    return given;
}

/* NULL: there is no comment. */
static const struct paragraph *first_paragraph(const struct outline *outline,
                                               const struct ast *filter)
{
    for (size_t i = 0; i < outline->entries.count; i++) {
        const struct outline_entry *entry = &outline->entries.item[i];
        for (size_t k = 0; k < entry->items.count; k++)
            if (entry->items.item[k] == filter && entry->prose.paragraphs.count)
                return &entry->prose.paragraphs.item[0];
    }
    return NULL;
}

const struct graph *interface_described(struct session *session, const struct module_set *modules,
                                        const struct ast *filter, const struct graph *graph)
{
    struct arena *arena = session->permanent;
    const struct outline outline =
        outline_of(arena, modules->list.item[0].module, modules->list.item[0].name);
    const struct paragraph *paragraph = first_paragraph(&outline, filter);
    const size_t length = paragraph ? strlen(paragraph->text) : 0;
    if (!length)
        return graph;
    struct graph *described = graph_copy(session->ir, graph);
    described->text =
        arena_text(arena, paragraph->text, length - (paragraph->text[length - 1] == '.'));
    return described;
}
