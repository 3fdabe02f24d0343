/* Imports are followed depth first; a file is loaded once however often it is imported. A circle of
 * imports is reported with its members. */
#include "frontend/load_modules.h"
#include "frontend/ast_build.h"
#include "frontend/parse.h"
#include "diagnostics/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct loader {
    struct session *session;
    struct module_set *set;
    VECTOR(size_t) open; /* modules being loaded, outermost first */
};

/* What is to be loaded: its text, and whose it is. */
struct source {
    const char *name, *identity, *text;
    size_t length;
    bool from_library;
};

static size_t load_text(struct loader *loader, const struct source *source);

char *read_whole_file(struct arena *arena, const char *path, size_t *length, const char **problem)
{
    enum { MOST_BYTES = 1 << 26 };
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file) {
        *problem = strerror(errno);
        return NULL;
    }
    struct text bytes = text_create(arena);
    char chunk[1 << 14];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0 && bytes.length < MOST_BYTES)
        text_append(&bytes, chunk, got);
    *problem = ferror(file) ? strerror(errno) : NULL;
    if (!*problem && bytes.length >= MOST_BYTES)
        *problem = "it has more than 64 MiB";
    if (!*problem && bytes.length && memchr(bytes.bytes, 0, bytes.length))
        *problem = "it is no text";
    if (file != stdin)
        fclose(file);
    *length = bytes.length;
    return *problem ? NULL : bytes.length ? bytes.bytes : arena_text(arena, "", 0);
}

/* Of the session's source of texts, in the arena; NULL with *problem set. */
static const char *text_of(struct session *session, const char *path, size_t *length,
                           const char **problem)
{
    if (!session->files.text_of)
        return read_whole_file(session->permanent, path, length, problem);
    *problem = "it is not there";
    const char *text = session->files.text_of(session->files.context, path, length);
    return text ? arena_text(session->permanent, text, *length) : NULL;
}

static const char *beside(struct arena *arena, const char *importer, const char *path)
{
    const char *slash = strrchr(importer, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_format(arena, "%.*s/%s", (int)(slash - importer), importer, path);
}

/* The path without links and "..", by which a file is known again; of a file that is not there the
 * path as it is written. */
static const char *identity_of(const struct session *session, const char *path)
{
    struct arena *arena = session->permanent;
    char *real = session->files.text_of ? NULL : realpath(path, NULL);
    const char *identity = real ? arena_text(arena, real, strlen(real)) : path;
    free(real);
    return identity;
}

static size_t find_module(const struct loader *loader, const char *identity)
{
    size_t i = 0;
    while (i < loader->set->list.count && strcmp(loader->set->list.item[i].identity, identity) != 0)
        i++;
    return i;
}

static void report_circle(struct loader *loader, const struct ast *import, size_t from)
{
    struct text circle = text_create(loader->session->permanent);
    for (size_t i = from; i < loader->open.count; i++)
        text_print(&circle, "%s → ", loader->set->list.item[loader->open.item[i]].name);
    text_print(&circle, "%s", loader->set->list.item[loader->open.item[from]].name);
    struct diagnostic *d = diagnostic_report(&loader->session->diagnostics, DIAGNOSTIC_E0205,
                                             import->span, circle.bytes);
    diagnostic_help(&loader->session->diagnostics, d,
                    from + 1 == loader->open.count
                        ? "leave it out: a file sees its own filters"
                        : "move what both need into a file that imports neither");
}

/* Index of a module of the library, or the count of modules where there is none (reported). */
static size_t load_library(struct loader *loader, const char *name, struct span span)
{
    struct session *session = loader->session;
    struct suggestion near = {0};
    struct text known = text_create(session->permanent);
    for (const struct library_module *l = library; l->name; l++) {
        if (strcmp(l->name, name) == 0)
            return load_text(loader, &(struct source){name, name, l->text, strlen(l->text), true});
        suggest_consider(&near, name, l->name);
        text_print(&known, "%s%s", l == library ? "" : ", ", l->name);
    }
    struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0203, span, name);
    if (near.best && span.end)
        diagnostic_fix(&session->diagnostics, d, span, near.best, false, "write '%s'", near.best);
    else if (near.best)
        diagnostic_help(&session->diagnostics, d, "write '%s'", near.best);
    else
        diagnostic_note(&session->diagnostics, d,
                        "it has %s; a file of your own is imported as \"name.flt\"", known.bytes);
    return loader->set->list.count;
}

/* A pipe or device, which may have no end: an import names a file, as opposed to the user. */
static bool is_special(const char *path)
{
    struct stat status;
    return strcmp(path, "-") == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/* Index of the imported module, or the count of modules where it cannot be had (reported). */
static size_t load_import(struct loader *loader, size_t importer, const struct ast *import)
{
    struct session *session = loader->session;
    const char *path = import->as.import.path->text;
    if (!import->as.import.from_library)
        path = beside(session->permanent, loader->set->list.item[importer].name, path);
    const char *identity =
        import->as.import.from_library ? path : identity_of(session, path);
    size_t at = find_module(loader, identity);
    for (size_t i = 0; i < loader->open.count; i++)
        if (loader->open.item[i] == at) {
            report_circle(loader, import, i);
            return loader->set->list.count;
        }
    if (at < loader->set->list.count)
        return at;
    if (import->as.import.from_library)
        return load_library(loader, path, import->span);
    size_t length;
    const char *problem = "it is no file";
    const char *text =
        !session->files.text_of && is_special(path) ? NULL
                                                    : text_of(session, path, &length, &problem);
    if (!text) {
        struct diagnostic *d =
            diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0204, import->span, path, problem);
        diagnostic_note(&session->diagnostics, d,
                        "imported files are looked for beside the file that imports them");
        return loader->set->list.count;
    }
    return load_text(loader, &(struct source){path, identity, text, length, false});
}

static struct span name_span_of(const struct ast *item)
{
    return item->kind == AST_FILTER     ? item->as.filter.name_span
           : item->kind == AST_FUNCTION ? item->as.function.name_span
           : item->kind == AST_CONSTANT ? item->as.constant.name_span
                                        : item->span;
}

/* Filters, functions and constants of one file have names of their own. Constants among themselves
 * are compared where they get their values. */
static void check_names(struct session *session, const struct module *module)
{
    struct hash_map first = {0};
    for (size_t i = 0; i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        const bool is_constant = item->kind == AST_CONSTANT;
        const struct symbol *name = is_constant ? item->as.constant.name : ast_called_name(item);
        const struct ast *known = name ? hash_map_find(&first, name) : NULL;
        if (name && !known)
            hash_map_put(session->scratch, &first, name, (void *)(uintptr_t)item);
        if (!known || (is_constant && known->kind == AST_CONSTANT))
            continue;
        struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0202,
                                                 name_span_of(item), name->text);
        diagnostic_label(&session->diagnostics, d, name_span_of(known), "first declared here");
    }
}

/* --no-extern, before anything of a header is looked at. */
static void refuse_externs(struct session *session, const struct module *module)
{
    for (size_t i = 0; session->headers.refused && i < module->items->count; i++) {
        const struct ast *item = module->items->item[i];
        if (item->kind != AST_EXTERN)
            continue;
        struct diagnostic *d = diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0225,
                                                 item->span, item->as.external.name->text);
        diagnostic_help(&session->diagnostics, d,
                        "leave out --no-extern where you trust this file and its header");
    }
}

static size_t load_text(struct loader *loader, const struct source *source)
{
    struct session *session = loader->session;
    const size_t index = loader->set->list.count;
    const struct source_file *file =
        source_map_add(&session->sources, source->name, source->text, source->length);
    if (!file) {
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0901, (struct span){0, 0},
                          source->name, "all files together have more than 2 GiB");
        return index;
    }
    struct module *module = parse_file(file, session->ir, &session->symbols, &session->diagnostics);
    module->from_library = source->from_library;
    check_names(session, module);
    VECTOR_PUSH(session->permanent, &loader->set->list,
                (struct loaded_module){
                    .module = module, .name = source->name, .identity = source->identity});
    VECTOR_PUSH(session->permanent, &loader->open, index);
    refuse_externs(session, module);
    for (size_t i = 0; i < module->items->count; i++) {
        if (module->items->item[i]->kind != AST_IMPORT)
            continue;
        const size_t imported = load_import(loader, index, module->items->item[i]);
        if (imported < loader->set->list.count)
            VECTOR_PUSH(session->permanent, &loader->set->list.item[index].imports, imported);
    }
    loader->open.count--;
    return index;
}

static const struct module_set *load_main(struct session *session, const struct source *source)
{
    struct loader loader = {session, ARENA_NEW(session->permanent, struct module_set), {0}};
    load_text(&loader, source);
    return loader.set->list.count ? loader.set : NULL;
}

const struct module_set *load_modules_library(struct session *session, const char *name)
{
    struct loader loader = {session, ARENA_NEW(session->permanent, struct module_set), {0}};
    load_library(&loader, name, (struct span){0, 0});
    return loader.set->list.count ? loader.set : NULL;
}

const struct module_set *load_modules_text(struct session *session, const char *name,
                                           const char *text, size_t length)
{
    return load_main(session, &(struct source){name, name, text, length, false});
}

const struct module_set *load_modules(struct session *session, const char *path)
{
    size_t length;
    const char *problem;
    const char *text = text_of(session, path, &length, &problem);
    if (!text) {
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0901, (struct span){0, 0}, path,
                          problem);
        return NULL;
    }
    if (strcmp(path, "-") == 0)
        return load_modules_text(session, "<stdin>", text, length);
    const struct source source = {path, identity_of(session, path), text, length, false};
    return load_main(session, &source);
}
