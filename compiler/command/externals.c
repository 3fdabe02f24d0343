/* The functions of C that expressions of the session call: a wrapper of each in one C file, which
 * is compiled with the flags of filters and loaded. */
#include "command/externals.h"

#include <dlfcn.h>

static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_text(arena, path, (size_t)(slash - path + 1)) : ".";
}

static bool declares_externals(const struct module *module)
{
    for (size_t i = 0; i < module->items->count; i++)
        if (module->items->item[i]->kind == AST_EXTERN)
            return true;
    return false;
}

/* In the order in which the front end looks for a header. */
static struct word_list header_folders(struct command_context *c)
{
    struct arena *arena = c->session->permanent;
    struct word_list folders = {0};
    for (size_t i = 0; c->modules && i < c->modules->list.count; i++)
        if (declares_externals(c->modules->list.item[i].module))
            VECTOR_PUSH(arena, &folders, folder_of(arena, c->modules->list.item[i].name));
    for (size_t i = 0; i < c->options->includes.count; i++)
        VECTOR_PUSH(arena, &folders, c->options->includes.item[i]);
    return folders;
}

struct compile_options externals_compile_options(struct command_context *c,
                                                 const struct target *target)
{
    const struct word_list folders = header_folders(c), *files = &c->options->files;
    const bool calls = expr_externals(&c->session->pool, c->session->permanent).count > 0;
    return (struct compile_options){.compiler = target->compiler,
                                    .use_cache = !c->options->no_cache && !calls,
                                    .folder = folders.item,
                                    .folder_count = folders.count,
                                    .file = files->item,
                                    .file_count = calls ? files->count : 0};
}

/* What the dynamic linker says of a name: "…/filter.so: undefined symbol: gain". "" of all else. */
static const char *missing_symbol(const struct compiled *compiled)
{
    const char *of = compiled->log ? strstr(compiled->log, "filter.so: ") : NULL;
    return of && strstr(of, "symbol") ? strchr(of, ' ') : "";
}

bool externals_report(struct command_context *c, const struct compiled *compiled)
{
    struct session *session = c->session;
    const struct external_list known = expr_externals(&session->pool, session->permanent);
    const char *missing = missing_symbol(compiled);
    for (size_t i = 0; i < known.count; i++) {
        const struct external *function = known.item[i];
        if (!text_mentions(missing, function->name->text))
            continue;
        struct diagnostic *d =
            diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0908, (struct span){0, 0},
                              function->name->text, function->header->text);
        COMMAND_HELP(session, d, "name the file that defines it: --with FILE, a .c, .o, .a or .so");
        return true;
    }
    if (known.count == 0)
        return false;
    struct diagnostic *d = session_error(session, DIAGNOSTIC_E0907,
                                         "the filter calls C functions, but %s", compiled->problem);
    compile_note_log(session, d, compiled);
    return true;
}

/* ---- For the oracle ---- */

static const char *member_of(enum scalar scalar)
{
    return scalar == SCALAR_F32 ? "f32" : scalar == SCALAR_F64 ? "f64" : "integer";
}

/* void flt_external_0(const struct flt_value a[], struct flt_value *r) { r->f32 = gain(a[0].f32);
 * } */
static void print_wrapper(struct text *text, const struct external *function, size_t number)
{
    text_print(text, "void flt_external_%zu(const struct flt_value a[], struct flt_value *r)\n",
               number);
    text_print(text, "{\n    r->%s = %s(", member_of(function->result), function->name->text);
    for (unsigned i = 0; i < function->count; i++)
        text_print(text, "%sa[%u].%s", i ? ", " : "", i, member_of(function->parameter[i]));
    text_print(text, ");\n}\n");
}

static struct emitted wrappers(struct arena *arena, const struct external_list *known)
{
    struct text text = text_create(arena);
    struct emitted emitted = {0};
    emit_includes(&text, known);
    text_print(&text, "#include <stdint.h>\n"
                      "struct flt_value { /* struct value of the compiler */\n"
                      "    union {\n        int64_t integer;\n        float f32;\n"
                      "        double f64;\n        long double extended;\n    };\n"
                      "    const void *term;\n};\n");
    for (size_t i = 0; i < known->count; i++)
        print_wrapper(&text, known->item[i], i);
    VECTOR_PUSH(arena, &emitted.files,
                (struct emitted_file){"fltc_external.c", text.bytes, text.length});
    return emitted;
}

bool externals_load(struct command_context *c, struct external_functions *functions)
{
    struct arena *arena = c->session->permanent;
    const struct external_list known = expr_externals(&c->session->pool, arena);
    *functions = (struct external_functions){0};
    if (known.count == 0)
        return true;
    const struct emitted emitted = wrappers(arena, &known);
    const struct compile_options options = externals_compile_options(c, target_find("c"));
    const struct compiled compiled = compile_library(c->session, &emitted, &options);
    if (compiled.problem) {
        externals_report(c, &compiled);
        return false;
    }
    struct external_function *item = ARENA_ARRAY(arena, struct external_function, known.count);
    for (size_t i = 0; i < known.count; i++) {
        void *call = dlsym(compiled.library, arena_format(arena, "flt_external_%zu", i));
        item[i].name = known.item[i]->name->text;
        memcpy(&item[i].call, &call, sizeof call);
    }
    *functions = (struct external_functions){item, known.count};
    return true;
}
