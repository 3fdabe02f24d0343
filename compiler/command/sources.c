#include "command/sources.h"
#include "command/output.h"
#include "frontend/check_header.h"
#include "frontend/load_modules.h"

#include <sys/stat.h>

struct word_list sources_of(struct command_context *c, const struct module_set *modules)
{
    struct arena *arena = c->session->permanent;
    struct word_list list = {0};
    for (size_t i = 0; i < modules->list.count; i++)
        if (!modules->list.item[i].module->from_library)
            VECTOR_PUSH(arena, &list, modules->list.item[i].name);
    for (size_t i = 0; i < modules->list.count; i++) {
        const struct ast_list *items = modules->list.item[i].module->items;
        for (size_t k = 0; k < items->count; k++) {
            if (items->item[k]->kind != AST_EXTERN)
                continue;
            const char *path = header_find(c->session, modules->list.item[i].name,
                                           items->item[k]->as.external.header->text);
            bool known = !path;
            for (size_t n = 0; n < list.count && !known; n++)
                known = strcmp(list.item[n], path) == 0;
            if (!known)
                VECTOR_PUSH(arena, &list, path);
        }
    }
    return list;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

bool sources_are_spared(struct command_context *c, const char *path)
{
    struct arena *arena = c->session->permanent;
    const struct options *o = c->options;
    struct word_list list = {0};
    if (output_is_direct(path))
        return true;
    if (c->modules)
        list = sources_of(c, c->modules);
    if (o->arguments.count)
        VECTOR_PUSH(arena, &list, o->arguments.item[0]);
    for (size_t i = 0; i < o->files.count; i++)
        VECTOR_PUSH(arena, &list, o->files.item[i]);
    for (size_t i = 0; i < list.count; i++)
        if (is_same_file(path, list.item[i])) {
            struct diagnostic *d =
                session_error(c->session, DIAGNOSTIC_E0903,
                              "the output '%s' is a source file of this filter", path);
            COMMAND_HELP(c->session, d, "name another file for the output");
            return false;
        }
    return true;
}
