/* libfltc: flt/compiler.h. Its way out of exhausted memory leads back into flt_compile. */
#include "flt/compiler.h"

#include "driver/interface.h"
#include "expr/expr_verify.h"

#include <setjmp.h>
#include <string.h>

/* What is known of a request, and what comes of it. */
struct compiling {
    const struct flt_request *request;
    struct session *session;
    const struct module_set *modules;
    const struct ast *filter;
    const struct target *target;
    struct setting_list settings;
    const char *stem, *fault;
    struct emitted emitted;
};

static bool has(const struct compiling *c, enum flt_request_flag flag)
{
    return c->request->flags & flag;
}

/* "levels=6" → levels, 6 */
static struct setting setting_of(struct arena *arena, const char *word)
{
    const size_t length = strcspn(word, "=");
    return (struct setting){.name = arena_text(arena, word, length),
                            .value = word + length + (word[length] == '=')};
}

static const struct module_set *load(struct compiling *c)
{
    const struct flt_request *r = c->request;
    const char *path = r->path ? r->path : "<text>";
    if (!r->text && !r->path) {
        session_error(c->session, DIAGNOSTIC_E0903, "the request has neither a path nor a text");
        return NULL;
    }
    return r->text ? load_modules_text(c->session, path, r->text, r->length)
                   : load_modules(c->session, path);
}

/* NULL: after a message. */
static const struct target *choose_target(struct compiling *c)
{
    struct session *session = c->session;
    char names[128];
    const char *name = c->request->target ? c->request->target : "c";
    const struct target *target = target_find(name);
    if (!target)
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0601, (struct span){0, 0}, name,
                          target_names(names));
    if (!target || !machine_exists(session, target, c->request->machine))
        return NULL;
    if (target->execution == EXECUTION_DATAFLOW) {
        diagnostic_help(&session->diagnostics,
                        session_error(session, DIAGNOSTIC_E0903,
                                      "target '%s' makes circuits, and libfltc makes none", name),
                        "fltc emit --target %s --size y=1080,x=1920 writes one", name);
        return NULL;
    }
    return target_on_machine(session->permanent, target, c->request->machine);
}

static bool stem_is_sound(struct compiling *c, const char *stem)
{
    if (!external_header_is_sound(stem) || strchr(stem, '/'))
        session_error(c->session, DIAGNOSTIC_E0903, "no file is called '%s.h' in C", stem);
    return !c->session->diagnostics.error_count;
}

/* The filter as elaborated; NULL: after a message, or a fault. */
static const struct graph *make_graph(struct compiling *c)
{
    struct session *session = c->session;
    VECTOR(struct constant_setting) types = {0};
    const char *name;
    for (size_t i = 0; c->request->types && c->request->types[i]; i++) {
        const struct setting type = setting_of(session->permanent, c->request->types[i]);
        VECTOR_PUSH(session->permanent, &types, (struct constant_setting){type.name, type.value});
    }
    for (size_t i = 0; c->request->settings && c->request->settings[i]; i++)
        VECTOR_PUSH(session->permanent, &c->settings,
                    setting_of(session->permanent, c->request->settings[i]));
    c->filter = program_filter(session, c->modules, c->request->filter, types.item, types.count);
    if (!c->filter)
        return NULL;
    const struct elaborate_options options = {.types = types.item,
                                              .type_count = types.count,
                                              .fast = has(c, FLT_FAST),
                                              .target = c->request->target};
    const struct graph *graph =
        program_graph(session, c->modules, c->filter, &c->settings, true, options);
    if (!graph && !session->diagnostics.error_count)
        c->fault = "a filter is refused without a message";
    if (!graph || session->diagnostics.error_count ||
        program_unused_setting(session, graph, &c->settings, &name))
        return NULL;
    return interface_described(session, c->modules, c->filter, graph);
}

/* Passes and emission; files are in c->emitted, their first lines are missing. */
static bool emit_files(struct compiling *c, const struct graph *graph, const struct origin *origin)
{
    struct session *session = c->session;
    const struct pass_result result =
        run_passes(session, graph, c->target, &(struct pass_options){.from = NULL});
    c->fault = result.problem;
    if (c->fault || !schedule_is_kept(session, graph, &result, NULL, &c->fault))
        return false;
    const struct interface_given given = interface_given(session, c->modules, c->filter, origin);
    const struct emit_options options = {.stem = c->stem,
                                         .entry = has(c, FLT_WITH_INTERFACE),
                                         .interface = has(c, FLT_WITH_INTERFACE) ? &given : NULL,
                                         .boxes = has(c, FLT_WITH_BOXES)};
    c->emitted = emit_program(session, result.program, c->target, &options);
    return !options.boxes ||
           boxes_add(session, graph, c->target, NULL, &options, "leave out FLT_WITH_BOXES",
                     &c->emitted, &c->fault);
}

/* As if `fltc emit` had the same options. */
static struct origin origin_of(struct compiling *c, const char *filter)
{
    static const struct {
        enum flt_request_flag flag;
        const char *option;
    } row[] = {{FLT_WITH_INTERFACE, "interface yes"},
               {FLT_WITH_BOXES, "boxes yes"},
               {FLT_FAST, "fast yes"}};
    struct arena *arena = c->session->permanent;
    struct origin_from from = {.path = c->request->path ? c->request->path : "-",
                               .target = c->target,
                               .settings = &c->settings};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (has(c, row[i].flag))
            VECTOR_PUSH(arena, &from.options, row[i].option);
    if (c->request->machine)
        VECTOR_PUSH(arena, &from.options, arena_format(arena, "machine %s", c->request->machine));
    for (size_t i = 0; c->request->types && c->request->types[i]; i++)
        VECTOR_PUSH(arena, &from.options, arena_format(arena, "type %s", c->request->types[i]));
    return origin_of_modules(c->session, c->modules, &from, filter);
}

static bool compile(struct compiling *c, struct flt_compilation *made)
{
    struct session *session = c->session;
    struct arena *arena = session->permanent;
    c->modules = load(c);
    c->target = c->modules ? choose_target(c) : NULL;
    const struct graph *graph = c->target ? make_graph(c) : NULL;
    if (!graph)
        return false;
    c->stem = c->request->stem ? c->request->stem : graph->name->text;
    const struct origin origin = origin_of(c, graph->name->text);
    if (!stem_is_sound(c, c->stem) || !program_externals_suit(session, c->modules, c->target) ||
        !program_particles_suit(session, graph, c->target) || !emit_files(c, graph, &origin))
        return false;
    struct flt_file *file = ARENA_ARRAY(arena, struct flt_file, c->emitted.files.count);
    for (size_t i = 0; i < c->emitted.files.count; i++) {
        const struct emitted_file stamped = origin_stamp(arena, &origin, &c->emitted.files.item[i]);
        file[i] = (struct flt_file){stamped.name, stamped.text, stamped.length};
    }
    made->file = file;
    made->file_count = c->emitted.files.count;
    return true;
}

static void render_messages(struct compiling *c, struct flt_compilation *made)
{
    struct text json = text_create(c->session->permanent),
                people = text_create(c->session->permanent);
    diagnostics_render_json(&c->session->diagnostics, &json);
    diagnostics_render_text(&c->session->diagnostics, &people, false);
    made->messages = json.length ? json.bytes : "";
    made->message_text = c->fault ? c->fault : people.length ? people.bytes : "";
}

static void leave(void *context)
{
    longjmp(*(jmp_buf *)context, 1);
}

static const struct flt_compilation no_memory = {
    .status = FLT_NO_MEMORY, .messages = "", .message_text = "out of memory"};

struct flt_compilation flt_compile(const struct flt_request *given)
{
    struct flt_request request = {0};
    struct flt_compilation made = {0};
    struct arena *volatile memory = NULL;
    jmp_buf here;
    const struct arena_escape escape = {leave, &here};
    memcpy(&request, given, given->size < sizeof request ? given->size : sizeof request);
    if (setjmp(here) != 0) {
        if (memory)
            arena_destroy_family(memory);
        return no_memory;
    }
    memory = arena_create_family(&escape);
    struct session *session = session_create(memory);
    session->files = (struct text_source){request.text_of, request.context};
    session->headers.refused = !(request.flags & FLT_TRUSTS_DECLARATIONS);
    struct compiling c = {.request = &request, .session = session};
    const bool good = compile(&c, &made);
    made.status = c.fault ? FLT_COMPILER_FAULT : good ? FLT_COMPILED : FLT_REFUSED;
    render_messages(&c, &made);
    made.memory = memory;
    return made;
}

void flt_compilation_free(struct flt_compilation *compilation)
{
    if (compilation->memory)
        arena_destroy_family(compilation->memory);
    *compilation = (struct flt_compilation){0};
}

const char *flt_compiler_version(void)
{
    return version_text();
}
