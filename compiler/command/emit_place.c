#include "command/emit_place.h"
#include "command/files.h"
#include "command/output.h"
#include "command/sources.h"
#include "emit/circuit_language.h"
#include "emit/dialect.h"
#include "expr/expr_verify.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* How the name of the target's source file ends: ".c". */
static const char *emit_place_ending(const struct target *target)
{
    const struct circuit_language *language = circuit_language_of(target);
    return language ? language->ending : dialect_of(target)->ending;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* From the last dot of the name on; "" where it has none, or is nothing but an ending. */
static const char *ending_of(const char *path)
{
    const char *base = base_of(path), *dot = strrchr(base, '.');
    return dot && dot > base ? dot : "";
}

/* A name for the output, as advice: that of the program's file. */
static const char *example_name(struct command_context *c)
{
    const char *file = c->options->arguments.count ? c->options->arguments.item[0] : "-";
    const char *base = base_of(file);
    const size_t length = strlen(base) - strlen(ending_of(base));
    return strcmp(file, "-") == 0 || length == 0 ? "filter"
                                                 : arena_text(c->session->permanent, base, length);
}

static void advise_name(struct command_context *c, struct diagnostic *d,
                        const struct target *target)
{
    const char *name = example_name(c);
    COMMAND_HELP(c->session, d, "name its source file, -o %s%s, or a folder, -o %s/", name,
                 emit_place_ending(target), name);
}

/* Standard output, a device, a pipe: several files would run into one there. */
static enum exit_status refuse_stream(struct command_context *c, const struct target *target)
{
    const char *path = c->options->output;
    struct diagnostic *d =
        strcmp(path, "-") == 0
            ? session_error(c->session, DIAGNOSTIC_E0903,
                            "standard output takes one text, and target '%s' writes several files",
                            target->name)
            : session_error(c->session, DIAGNOSTIC_E0903,
                            "'%s' is no file, and target '%s' writes several", path, target->name);
    advise_name(c, d, target);
    return EXIT_USAGE;
}

/* The target, other than this one, whose source file ends so; NULL: none. Who wants C++ of a filter
 * wants no circuit in C++. */
static const struct target *target_of_ending(const struct target *target, const char *ending)
{
    for (size_t i = 0; target_list[i]; i++)
        if (target_list[i] != target && target_list[i]->is_public &&
            (circuit_language_of(target) || strcmp(ending, ".cpp") != 0) &&
            strcmp(emit_place_ending(target_list[i]), ending) == 0)
            return target_list[i];
    return NULL;
}

/* Endings of C++, of which the C that is emitted is a part. */
static bool is_of_cpp(const char *ending)
{
    return strcmp(ending, ".cpp") == 0 || strcmp(ending, ".cc") == 0 ||
           strcmp(ending, ".cxx") == 0 || strcmp(ending, ".C") == 0;
}

static enum exit_status refuse_ending(struct command_context *c, const struct target *target,
                                      const char *path, const char *ending)
{
    struct session *session = c->session;
    const char *right = emit_place_ending(target);
    const struct target *other = target_of_ending(target, ending);
    const char *without = arena_text(session->permanent, path, strlen(path) - strlen(ending));
    if (*base_of(path) == '.' && !*ending) {
        advise_name(
            c, session_error(session, DIAGNOSTIC_E0903, "'%s' is an ending without a name", path),
            target);
        return EXIT_USAGE;
    }
    struct diagnostic *d = session_error(session, DIAGNOSTIC_E0903,
                                         "'%s' does not end in '%s', as source files of target "
                                         "'%s' do",
                                         path, right, target->name);
    if (other)
        COMMAND_HELP(session, d, "write -o %s%s, or choose the other target: --target %s", without,
                     right, other->name);
    else if (strcmp(ending, ".h") == 0)
        COMMAND_HELP(session, d, "write -o %s%s; its header is written beside it", without, right);
    else if (target->runs_on_host && is_of_cpp(ending))
        COMMAND_HELP(session, d, "write -o %s%s, which compilers of C++ take, too", without, right);
    else
        COMMAND_HELP(session, d, "write -o %s%s, or -o %s/ for a folder", without, right, path);
    return EXIT_USAGE;
}

static enum exit_status refuse_place(struct command_context *c, const char *path, int error)
{
    diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0902, (struct span){0, 0}, path,
                      strerror(error));
    return EXIT_WRONG_INPUT;
}

static enum exit_status check_folder(struct command_context *c, const char *path,
                                     const char *folder)
{
    const int error = output_folder_error(c->session->permanent, folder);
    return error ? refuse_place(c, path, error) : EXIT_DONE;
}

/* A folder that has the name of a source file was hardly meant, nor a file where one is named. */
static enum exit_status check_kind(struct command_context *c, const struct target *target,
                                   const char *path)
{
    struct stat about;
    const bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode) &&
        strcmp(ending_of(path), emit_place_ending(target)) == 0) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903, "'%s' is a folder", path),
                     "name a file, or write -o %s/ for files in this folder", path);
        return EXIT_USAGE;
    }
    if (exists && !S_ISDIR(about.st_mode) && access(path, W_OK) != 0)
        return refuse_place(c, path, errno);
    return EXIT_DONE;
}

enum exit_status emit_place_find(struct command_context *c, const struct target *target,
                                 struct emit_place *place)
{
    struct arena *arena = c->session->permanent;
    const char *path = c->options->output;
    *place = (struct emit_place){"", NULL};
    if (c->options->depfile && !path) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "--depfile needs -o FILE: what depends on the files it names");
        return EXIT_USAGE;
    }
    if (c->options->depfile && !sources_are_spared(c, c->options->depfile))
        return EXIT_USAGE;
    if (!path)
        return EXIT_DONE;
    if (!*path) {
        advise_name(c, session_error(c->session, DIAGNOSTIC_E0903, "--output needs a name"),
                    target);
        return EXIT_USAGE;
    }
    if (output_is_direct(path))
        return refuse_stream(c, target);
    if (!sources_are_spared(c, path))
        return EXIT_USAGE;
    if (path[strlen(path) - 1] != '/') {
        const enum exit_status status = check_kind(c, target, path);
        if (status != EXIT_DONE)
            return status;
    }
    if (files_is_folder(path)) {
        place->folder = path[strlen(path) - 1] == '/' ? path : arena_format(arena, "%s/", path);
        return check_folder(c, path, place->folder);
    }
    const char *base = base_of(path), *ending = ending_of(path);
    if (strcmp(ending, emit_place_ending(target)) != 0)
        return refuse_ending(c, target, path, ending);
    place->folder = arena_text(arena, path, (size_t)(base - path));
    place->stem = arena_text(arena, base, (size_t)(ending - base));
    return check_folder(c, path, place->folder);
}

/* The stem stands in #include "stem.h". */
static bool stem_is_sound(struct command_context *c, const char *stem)
{
    if (external_header_is_sound(stem))
        return true;
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903,
                                         "C cannot include a header of the name '%s.h'", stem);
    COMMAND_HELP(c->session, d, "name the output without quotes, backslashes and line breaks");
    return false;
}

/* The header of the output has a name that the filter itself includes: one would be taken for the
 * other. */
static bool takes_header(struct command_context *c, const struct target *target, const char *stem)
{
    const struct external_list known = expr_externals(&c->session->pool, c->session->permanent);
    const char *own = arena_format(c->session->permanent, "%s.h", stem);
    for (size_t i = 0; i < known.count; i++)
        if (strcmp(known.item[i]->header->text, own) == 0) {
            struct diagnostic *d =
                session_error(c->session, DIAGNOSTIC_E0903,
                              "the output would have a header '%s', as the function '%s' of C has",
                              own, known.item[i]->name->text);
            COMMAND_HELP(c->session, d, "choose another name: -o %s_filter%s", stem,
                         emit_place_ending(target));
            return true;
        }
    return false;
}

/* The name of a circuit stands in its text. */
static bool is_taken(struct command_context *c, const struct target *target, const char *filter,
                     const struct emit_place *place)
{
    const struct circuit_language *language = circuit_language_of(target);
    if (!language || !language->takes_name || language->takes_name(place->stem))
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903, "a module of %s cannot be called '%s'",
                               target->name, place->stem),
                 "name the output with letters, digits and underscores: -o %s/my_%s%s",
                 *place->folder ? "DIR" : ".", filter, emit_place_ending(target));
    return false;
}

bool emit_place_suits(struct command_context *c, const struct target *target, const char *filter,
                      struct emit_place *place)
{
    struct arena *arena = c->session->permanent;
    if (!place->stem)
        place->stem = filter;
    const char *path = arena_format(arena, "%s%s", place->folder, place->stem);
    return stem_is_sound(c, place->stem) && !takes_header(c, target, place->stem) &&
           is_taken(c, target, filter, place) &&
           sources_are_spared(c, arena_format(arena, "%s%s", path, emit_place_ending(target))) &&
           sources_are_spared(c, arena_format(arena, "%s.h", path));
}
