/* fltc doc: modules as pages of HTML, one each, with an index and a style sheet. */
#include "command/command.h"
#include "command/output.h"
#include "document/html.h"
#include "frontend/load_modules.h"

static bool check_usage(struct command_context *c)
{
    const struct options *o = c->options;
    struct diagnostic *d;
    if (!o->arguments.count == !o->all)
        d = command_error(c->session, DIAGNOSTIC_E0903,
                          o->all ? "--all and '%s' exclude each other"
                                 : "'fltc doc' needs a file, a module or --all%s",
                          o->all ? o->arguments.item[0] : "");
    else if (!o->folder)
        d = command_error(c->session, DIAGNOSTIC_E0903, "'fltc doc' needs -o FOLDER");
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

static bool write_page(struct command_context *c, const char *name, const char *text)
{
    const char *folder = c->options->folder;
    const size_t length = strlen(folder);
    const struct output_file file = {arena_format(c->session->permanent, "%s%s%s", folder,
                                                  length && folder[length - 1] == '/' ? "" : "/",
                                                  name),
                                     text, strlen(text)};
    return output_write(c->session, 1, &file);
}

enum exit_status command_doc(struct command_context *c)
{
    if (!check_usage(c))
        return EXIT_USAGE;
    struct arena *arena = c->session->permanent;
    struct outline_list list = {0};
    bool good = true;
    if (!c->options->all)
        good = add_module(c, command_load_any(c), &list);
    for (size_t i = 0; good && c->options->all && library[i].name; i++)
        good = add_module(c, load_modules_library(c->session, library[i].name), &list);
    for (size_t i = 0; good && i < list.count; i++)
        good = write_page(c, html_page_name(arena, list.item[i].name),
                          html_page(arena, &list.item[i], &list));
    good = good && write_page(c, "index.html", html_index(arena, &list)) &&
           write_page(c, "style.css", html_style());
    const enum exit_status status = command_finish(c);
    return good ? status : EXIT_WRONG_INPUT;
}
