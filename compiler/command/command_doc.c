/* fltc doc: modules as pages of HTML, one each, with an index and a style sheet. */
#include "command/command.h"
#include "command/output.h"
#include "command/sources.h"
#include "document/html.h"
#include "frontend/load_modules.h"

static bool check_usage(struct command_context *c)
{
    const struct options *o = c->options;
    struct diagnostic *d;
    if (!o->arguments.count == !o->all)
        d = session_error(c->session, DIAGNOSTIC_E0903,
                          o->all ? "--all and '%s' exclude each other"
                                 : "'fltc doc' needs a file, a module or --all%s",
                          o->all ? o->arguments.item[0] : "");
    else if (!o->folder)
        d = session_error(c->session, DIAGNOSTIC_E0903, "'fltc doc' needs -o FOLDER");
    else
        return true;
    COMMAND_HELP(c->session, d, "write fltc doc std.pyramid -o pages, or fltc doc --all -o pages");
    return false;
}

/* False where the text was not parsed. */
static bool add_module(struct command_context *c, const struct module_set *modules,
                       struct outline_list *list)
{
    if (!modules || c->session->diagnostics.error_count)
        return false;
    struct arena *arena = c->session->permanent;
    VECTOR_PUSH(arena, list,
                outline_of(arena, modules->list.item[0].module, modules->list.item[0].name));
    return true;
}

struct page_list { /* a VECTOR */
    struct output_file *item;
    size_t count, capacity;
};

static void add_page(struct command_context *c, struct page_list *pages, const char *name,
                     const char *text)
{
    const char *folder = c->options->folder;
    const size_t length = strlen(folder);
    const char *path = arena_format(c->session->permanent, "%s%s%s", folder,
                                    length && folder[length - 1] == '/' ? "" : "/", name);
    VECTOR_PUSH(c->session->permanent, pages, (struct output_file){path, text, strlen(text)});
}

/* All of them, or none. */
static bool write_pages(struct command_context *c, const struct outline_list *list)
{
    struct arena *arena = c->session->permanent;
    struct page_list pages = {0};
    for (size_t i = 0; i < list->count; i++)
        add_page(c, &pages, html_page_name(arena, list->item[i].name),
                 html_page(arena, &list->item[i], list));
    add_page(c, &pages, "index.html", html_index(arena, list));
    add_page(c, &pages, "style.css", html_style());
    for (size_t i = 0; i < pages.count; i++)
        if (!sources_are_spared(c, pages.item[i].path))
            return false;
    return output_write(c->session, pages.count, pages.item);
}

enum exit_status command_doc(struct command_context *c)
{
    if (!check_usage(c))
        return EXIT_USAGE;
    struct outline_list list = {0};
    bool good = true;
    if (!c->options->all)
        good = add_module(c, command_load_any(c), &list);
    for (size_t i = 0; good && c->options->all && library[i].name; i++)
        good = add_module(c, load_modules_library(c->session, library[i].name), &list);
    good = good && write_pages(c, &list);
    const enum exit_status status = command_finish(c);
    return good ? status : EXIT_WRONG_INPUT;
}
