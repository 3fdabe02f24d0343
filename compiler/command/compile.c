/* The compiler of the target, found on the PATH and run without a shell. Compiled filters are kept
 * (command/cache.h). */
#include "command/compile.h"
#include "command/cache.h"
#include "command/command.h"
#include "command/output.h"
#include "command/trust.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_LOG = 1 << 14, MOST_SOURCES = MOST_GUARDED - 1 };

/* Runs a program, both its outputs into a text. The exit status, or -1 where it cannot be run.
 * temporary: its TMPDIR, NULL for ours. */
static int run_program(struct arena *arena, const char *const words[], const char *temporary,
                       const char **output)
{
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0)
        return -1;
    const pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        dup2(pipe_ends[1], STDERR_FILENO);
        close(pipe_ends[0]);
        close(pipe_ends[1]);
        if (temporary)
            setenv("TMPDIR", temporary, 1);
        execvp(words[0], (char *const *)(uintptr_t)words);
        _exit(127);
    }
    close(pipe_ends[1]);
    struct text text = text_create(arena);
    char chunk[4096];
    ssize_t got;
    while (child > 0 &&
           ((got = read(pipe_ends[0], chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0 && text.length < LONGEST_LOG)
            text_append(&text, chunk, (size_t)got);
    close(pipe_ends[0]);
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    *output = text.length ? text.bytes : "";
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* Two independent 64-bit hashes of all that the object depends on. */
static const char *cache_key(struct arena *arena, const struct emitted *emitted,
                             const struct target_compiler *compiler, const char *compiler_version)
{
    const char *processor = cache_processor(arena);
    uint64_t hash[2] = {1, 2};
    for (int h = 0; h < 2; h++) {
        for (size_t i = 0; i < emitted->files.count; i++)
            hash[h] =
                hash_bytes(emitted->files.item[i].text, emitted->files.item[i].length, hash[h]);
        for (const char *const *flag = compiler->flags; *flag; flag++)
            hash[h] = hash_bytes(*flag, strlen(*flag), hash[h]);
        hash[h] = hash_bytes(compiler_version, strlen(compiler_version), hash[h]);
        hash[h] = hash_bytes(processor, strlen(processor), hash[h]);
        hash[h] = hash_bytes(version_text(), strlen(version_text()), hash[h]);
    }
    return arena_format(arena, "%016llx%016llx", (unsigned long long)hash[0],
                        (unsigned long long)hash[1]);
}

static bool load_library(struct compiled *compiled, const char *path)
{
    /* It stays in memory when closed: threads of the filter wait in it for more work, and
     * unloading the code under them crashes now and then. */
    compiled->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return compiled->library;
}

static bool read_object(const char *path, struct text *content)
{
    FILE *file = fopen(path, "rb");
    char chunk[1 << 14];
    size_t got;
    while (file && (got = fread(chunk, 1, sizeof chunk, file)) > 0)
        text_append(content, chunk, got);
    const bool good = file && !ferror(file);
    if (file)
        fclose(file);
    return good;
}

/* What the compiler made, for later. */
static void keep_object(struct arena *arena, const char *object, const struct cache *cache,
                        const char *name)
{
    struct text content = text_create(arena);
    if (read_object(object, &content))
        cache_keep(arena, cache, name, &content);
}

/* What was kept is loaded from a copy of the very bytes that were checked. */
static bool load_kept(struct session *session, const char *folder, const struct text *content,
                      struct compiled *compiled)
{
    const char *object = arena_format(session->permanent, "%s/filter.so", folder);
    FILE *file = fopen(object, "wbx");
    const bool written =
        file && fwrite(content->bytes, 1, content->length, file) == content->length;
    return file && fclose(file) == 0 && written && load_library(compiled, object);
}

static void remove_folder(struct arena *arena, const char *folder, const struct emitted *emitted)
{
    for (size_t i = 0; i < emitted->files.count; i++)
        unlink(arena_format(arena, "%s/%s", folder, emitted->files.item[i].name));
    unlink(arena_format(arena, "%s/filter.so", folder));
    rmdir(folder);
}

static void add_word(struct arena *arena, struct word_list *words, const char *word)
{
    VECTOR_PUSH(arena, words, word);
}

/* A file to link; a shared library is looked for at run time where it is now. */
static void add_file(struct arena *arena, struct word_list *words, const char *path)
{
    const char *base = strrchr(path, '/');
    char *real = strstr(base ? base : path, ".so") ? realpath(path, NULL) : NULL;
    /* A name that begins so would be taken for an option, or a list of them. */
    const char *named = *path == '-' || *path == '@' ? arena_format(arena, "./%s", path) : path;
    add_word(arena, words, real ? arena_text(arena, real, strlen(real)) : named);
    if (real) { /* not -Wl: a comma in the folder's name would make two words of it */
        add_word(arena, words, "-Xlinker");
        add_word(arena, words, "-rpath");
        add_word(arena, words, "-Xlinker");
        add_word(arena, words, arena_text(arena, real, (size_t)(strrchr(real, '/') - real)));
    }
    free(real);
}

/* Writes the sources to the folder and compiles them there. */
static bool build(struct session *session, const struct emitted *emitted, const char *folder,
                  const char *compiler, const struct compile_options *options,
                  struct compiled *compiled)
{
    struct arena *arena = session->permanent;
    struct output_file file[MOST_SOURCES];
    assert(emitted->files.count <= MOST_SOURCES && "sources that are compiled together");
    for (size_t i = 0; i < emitted->files.count; i++)
        file[i] =
            (struct output_file){arena_format(arena, "%s/%s", folder, emitted->files.item[i].name),
                                 emitted->files.item[i].text, emitted->files.item[i].length};
    if (!output_write(session, emitted->files.count, file)) {
        compiled->problem = "the temporary folder cannot be written";
        return false;
    }
    struct word_list words = {0};
    add_word(arena, &words, compiler);
    for (const char *const *flag = options->compiler->flags; *flag; flag++)
        add_word(arena, &words, *flag);
    for (size_t i = 0; i < options->folder_count; i++)
        add_word(arena, &words, arena_format(arena, "-I%s", options->folder[i]));
    for (size_t i = 0; i < emitted->files.count; i += 2) /* each is followed by its header */
        add_word(arena, &words, file[i].path);
    for (size_t i = 0; i < options->file_count; i++)
        add_file(arena, &words, options->file[i]);
    add_word(arena, &words, "-o");
    add_word(arena, &words, arena_format(arena, "%s/filter.so", folder));
    for (const char *const *l = options->compiler->libraries; *l; l++)
        add_word(arena, &words, *l);
    add_word(arena, &words, NULL);
    /* Its own temporary files are where others cannot change them, either. */
    const char *parent = arena_text(arena, folder, (size_t)(strrchr(folder, '/') - folder));
    if (run_program(arena, words.item, parent, &compiled->log) == 0)
        return true;
    compiled->problem =
        arena_format(arena, "the %s refused the emitted code", options->compiler->kind);
    compiled->cure = options->compiler->cure_refused;
    return false;
}

/* In the folder: from the cache, or by the compiler. kept: the name in the cache. */
static void make_library(struct session *session, const struct emitted *emitted,
                         const char *compiler, const struct compile_options *options,
                         const struct cache *cache, const char *kept, const char *folder,
                         struct compiled *compiled)
{
    struct arena *arena = session->permanent;
    struct text content = text_create(arena);
    const char *object = arena_format(arena, "%s/filter.so", folder);
    if (cache_take(cache, kept, &content) && load_kept(session, folder, &content, compiled))
        return;
    unlink(object);
    if (!build(session, emitted, folder, compiler, options, compiled))
        return;
    keep_object(arena, object, cache, kept);
    if (!load_library(compiled, object)) {
        const char *why = dlerror();
        compiled->problem = "the compiled filter cannot be loaded";
        compiled->log = why ? arena_text(arena, why, strlen(why)) : "";
    }
}

/* The name that the environment gives, else the usual ones; NULL: there is none. */
static const char *find_compiler(struct arena *arena, const struct target_compiler *compiler,
                                 const char **version)
{
    const char *named = getenv(compiler->variable);
    const char *const usual[] = {compiler->name, compiler->elsewhere};
    const bool is_named = named && *named;
    for (int i = 0; i < (is_named ? 1 : 2); i++) {
        const char *name = is_named ? named : usual[i];
        const char *const ask[] = {name, "--version", NULL};
        if (name && run_program(arena, ask, NULL, version) == 0)
            return name;
    }
    return NULL;
}

/* What is interrupted leaves nothing in the folder. */
static void guard_folder(const struct emitted *emitted, const char *folder)
{
    const char *names[MOST_GUARDED] = {"filter.so"};
    size_t count = 1;
    for (size_t i = 0; i < emitted->files.count && count < MOST_GUARDED; i++)
        names[count++] = emitted->files.item[i].name;
    output_guard_folder(folder, count, names);
}

bool compile_object(struct session *session, const struct emitted *emitted,
                    const struct target_compiler *compiler, const char *const flags[],
                    struct text *object)
{
    struct arena *arena = session->permanent;
    static const char *const no_libraries[] = {NULL};
    struct target_compiler own = *compiler;
    own.flags = flags;
    own.libraries = no_libraries;
    const struct compile_options options = {.compiler = &own};
    struct compiled compiled = {0};
    const char *version, *name = find_compiler(arena, compiler, &version);
    const char *folder = name ? trust_temporary(arena, NULL) : NULL;
    if (!folder)
        return false;
    guard_folder(emitted, folder);
    const bool good = build(session, emitted, folder, name, &options, &compiled) &&
                      read_object(arena_format(arena, "%s/filter.so", folder), object);
    remove_folder(arena, folder, emitted);
    output_guard_folder(NULL, 0, NULL);
    return good;
}

struct compiled compile_library(struct session *session, const struct emitted *emitted,
                                const struct compile_options *options)
{
    struct arena *arena = session->permanent;
    struct compiled compiled = {0};
    const char *version;
    const char *compiler = find_compiler(arena, options->compiler, &version);
    if (!compiler) {
        compiled.problem = arena_format(arena, "there is no %s", options->compiler->kind);
        compiled.cure = options->compiler->cure_missing;
        return compiled;
    }
    struct cache cache = options->use_cache ? cache_open(session) : (struct cache){NULL, -1};
    const char *kept =
        arena_format(arena, "%s.so", cache_key(arena, emitted, options->compiler, version));
    const char *folder = trust_temporary(arena, cache.folder >= 0 ? cache.path : NULL);
    if (folder) {
        guard_folder(emitted, folder);
        make_library(session, emitted, compiler, options, &cache, kept, folder, &compiled);
        remove_folder(arena, folder, emitted);
        output_guard_folder(NULL, 0, NULL);
    } else {
        compiled.problem = "there is no temporary folder that others cannot change";
        compiled.cure = "name one of your own: TMPDIR=/path";
    }
    cache_close(&cache);
    return compiled;
}

struct compiled compile_filter(struct session *session, const struct emitted *emitted,
                               const struct compile_options *options)
{
    struct compiled compiled = compile_library(session, emitted, options);
    if (compiled.problem)
        return compiled;
    compiled.filter = dlsym(compiled.library, "flt_filter");
    compiled.seconds = dlsym(compiled.library, "flt_kernel_seconds");
    compiled.counts = dlsym(compiled.library, "flt_kernel_counts");
    if (!compiled.filter)
        compiled.problem = "the compiled filter cannot be loaded";
    return compiled;
}

void compile_note_log(struct session *session, struct diagnostic *d,
                      const struct compiled *compiled)
{
    const char *log = compiled->log ? compiled->log : "";
    for (int line = 0; *log && line < 10;
         line++, log += strcspn(log, "\n") + (strchr(log, '\n') != NULL))
        diagnostic_note(&session->diagnostics, d, "%.*s", (int)strcspn(log, "\n"), log);
    if (compiled->cure)
        COMMAND_HELP(session, d, "%s", compiled->cure);
}

void compile_close(struct compiled *compiled)
{
    if (compiled->library)
        dlclose(compiled->library);
    compiled->library = NULL;
}
