/* Which files a run reads and writes. */
#include "command/files.h"
#include "command/adaptive_files.h"
#include "command/stack_files.h"
#include "diagnostics/suggest.h"
#include "support/hash_map.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What is read ---- */

static struct image_files *named_image(const char *word, size_t count, struct image_files files[])
{
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; word[length] && i < count; i++)
        if (strlen(files[i].name) == length && strncmp(word, files[i].name, length) == 0)
            return &files[i];
    return NULL;
}

/* The file, or those that fit the pattern where there is no file of that name. */
static void add_files(struct arena *arena, struct word_list *list, const char *path)
{
    glob_t found;
    if (strpbrk(path, "*?[") && access(path, F_OK) != 0 && glob(path, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            VECTOR_PUSH(arena, list, arena_format(arena, "%s", found.gl_pathv[i]));
        globfree(&found);
        return;
    }
    VECTOR_PUSH(arena, list, path);
}

void files_deal(struct command_context *c, size_t count, struct image_files files[])
{
    struct arena *arena = c->session->permanent;
    const struct word_list *words = &c->options->arguments;
    struct word_list unnamed = {0};
    struct image_files *waiting[MOST_PICTURES];
    size_t waiting_count = 0;
    for (size_t i = 1; i < words->count; i++) {
        struct image_files *image = named_image(words->item[i], count, files);
        if (image)
            add_files(arena, &image->path, words->item[i] + strlen(image->name) + 1);
        else
            VECTOR_PUSH(arena, &unnamed, words->item[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (files[i].path.count == 0 && !files[i].is_levels)
            waiting[waiting_count++] = &files[i];
    for (size_t i = 0; i < unnamed.count && (waiting_count == 1 || i < waiting_count); i++)
        VECTOR_PUSH(arena, &waiting[waiting_count == 1 ? 0 : i]->path, unnamed.item[i]);
}

static bool is_parameter(const struct graph *graph, const char *name)
{
    size_t i = 0;
    while (i < graph->parameters.count && strcmp(graph->parameters.item[i].name->text, name) != 0)
        i++;
    return i < graph->parameters.count;
}

/* "c=a.png", where no image is called c and no file is there. */
static bool names_no_image(struct command_context *c, const struct graph *graph, const char *word,
                           size_t count, struct image_files files[])
{
    const size_t length = strcspn(word, "=");
    struct arena *arena = c->session->permanent;
    if (!word[length] || memchr(word, '/', length) || memchr(word, ':', length) ||
        access(word, F_OK) == 0 || named_image(word, count, files))
        return false;
    const char *name = arena_text(arena, word, length);
    struct suggestion near = {0};
    struct text names = text_create(arena);
    for (size_t i = 0; i < count; i++) {
        suggest_consider(&near, name, files[i].name);
        if (!files[i].is_levels)
            text_print(&names, "%s%s", i ? ", " : "", files[i].name);
    }
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903, "'%s' has no image '%s'",
                                         graph->name->text, name);
    if (is_parameter(graph, name))
        COMMAND_HELP(c->session, d, "a parameter is set by --%s %s", name, word + length + 1);
    else if (near.best)
        COMMAND_HELP(c->session, d, "write %s%s", near.best, word + length);
    else
        diagnostic_note(&c->session->diagnostics, d, "it has %s", names.bytes);
    return true;
}

static bool fail_count(struct command_context *c, const char *filter, size_t count, size_t given)
{
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0903, "'%s' takes %zu image%s, but %zu are given",
                      filter, count, count == 1 ? "" : "s", given);
    if (count > 1)
        COMMAND_HELP(c->session, d,
                     "for several runs say which image each file is for: NAME=FILE, or "
                     "NAME='frames/*.png'");
    return false;
}

static bool fail_missing(struct command_context *c, const char *filter, const char *name)
{
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0903, "no file is given for the image '%s' of '%s'", name, filter);
    COMMAND_HELP(c->session, d, "write its file behind %s, alone or as %s=FILE",
                 c->options->arguments.item[0], name);
    return false;
}

/* Standard input is read once. */
static bool check_standard_input(struct command_context *c, size_t count,
                                 const struct image_files files[])
{
    size_t uses = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < files[i].path.count; k++) {
            const char *word = files[i].path.item[k];
            uses += word[0] == '-' && (word[1] == 0 || word[1] == ':');
        }
    if (uses <= 1)
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "standard input, -, can be one image only");
    return false;
}

bool files_choose(struct command_context *c, const struct graph *graph, size_t count,
                  struct image_files files[], size_t *runs)
{
    const char *const filter = graph->name->text;
    const struct word_list *words = &c->options->arguments;
    const struct image_files *longest = NULL;
    for (size_t i = 1; i < words->count; i++)
        if (names_no_image(c, graph, words->item[i], count, files))
            return false;
    files_deal(c, count, files);
    size_t dealt = 0, visible = 0;
    for (size_t i = 0; i < count; i++) {
        visible += !files[i].is_levels;
        dealt += files[i].path.count;
        if (!longest || files[i].path.count > longest->path.count)
            longest = &files[i];
    }
    *runs = longest && longest->path.count > 0 ? longest->path.count : 1;
    if (dealt + 1 < words->count)
        return fail_count(c, filter, visible, words->count - 1);
    for (size_t i = 0; i < count; i++)
        if (files[i].path.count == 0 && files[i].is_levels)
            files[i].path = files[files[i].of].path;
    for (size_t i = 0; i < count; i++)
        if (files[i].path.count == 0)
            return fail_missing(c, filter, files[i].name);
    for (size_t i = 0; i < count; i++)
        if (files[i].path.count != 1 && files[i].path.count != *runs)
            return fail_count(c, filter, visible, words->count - 1);
    return check_standard_input(c, count, files);
}

bool files_raw_layout(struct arena *arena, const char *word, const char **path,
                      struct flt_raw *layout)
{
    struct flt_detail detail;
    *path = word;
    if (access(word, F_OK) == 0)
        return false;
    for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':'))
        if (flt_raw_parse(colon + 1, layout, &detail) == FLT_OK) {
            *path = arena_text(arena, word, (size_t)(colon - word));
            return true;
        }
    return false;
}

void files_explain_raw(struct command_context *c, struct diagnostic *message, const char *word)
{
    struct flt_raw layout;
    struct flt_detail detail;
    const size_t length = strlen(word);
    for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *path = arena_text(c->session->permanent, word, (size_t)(colon - word));
        if (access(path, F_OK) == 0 && flt_raw_parse(colon + 1, &layout, &detail) != FLT_OK) {
            diagnostic_note(&c->session->diagnostics, message, "%s", detail.text);
            return;
        }
    }
    if (length > 4 && strcmp(word + length - 4, ".raw") == 0)
        COMMAND_HELP(c->session, message,
                     "write the extents and type of its samples behind it: %s:640x480:u16", word);
}

/* ---- What is written ---- */

/* A %d, %04d or %s; NULL: there is none. */
static const char *find_place(const char *word, size_t *length)
{
    for (const char *at = strchr(word, '%'); at; at = strchr(at + 1, '%')) {
        const size_t digits = strspn(at + 1, "0123456789");
        *length = digits + 2;
        if ((at[digits + 1] == 'd' && digits <= 3) || (at[1] == 's' && digits == 0))
            return at;
    }
    return NULL;
}

bool files_is_folder(const char *path)
{
    struct stat about;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') ||
           (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

bool files_differ_by_run(const char *word)
{
    size_t length;
    return find_place(word, &length) || files_is_folder(word);
}

bool files_is_numbered(const char *word)
{
    size_t length;
    const char *place = find_place(word, &length);
    return place && place[1] != 's' && !files_is_folder(word);
}

/* Without folder, layout and, unless whole, ending. */
static const char *name_of(struct arena *arena, const char *source, bool whole)
{
    struct flt_raw layout;
    char axis[FLT_AXIS_NAME];
    const char *path = source;
    if (source && stack_input(arena, source, axis))
        return "result";
    if (source)
        files_raw_layout(arena, source, &path, &layout);
    if (!path || strcmp(path, "-") == 0)
        return "result";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return whole || !dot || dot == name ? name : arena_text(arena, name, (size_t)(dot - name));
}

static const char *in_folder(struct command_context *c, const char *folder, const char *source)
{
    struct arena *arena = c->session->permanent;
    const char *format = c->options->format;
    const char *end = folder[strlen(folder) - 1] == '/' ? "" : "/";
    const char *name = name_of(arena, source, !format);
    return format ? arena_format(arena, "%s%s%s.%s", folder, end, name, format)
                  : arena_format(arena, "%s%s%s", folder, end, name);
}

const char *files_target(struct command_context *c, const char *word, const char *source,
                         size_t run)
{
    struct arena *arena = c->session->permanent;
    size_t length;
    const char *place = find_place(word, &length);
    if (files_is_folder(word))
        return in_folder(c, word, source);
    if (!place)
        return word;
    const char *before = arena_text(arena, word, (size_t)(place - word));
    if (place[1] == 's')
        return arena_format(arena, "%s%s%s", before, name_of(arena, source, false), place + length);
    return arena_format(arena, "%s%0*zu%s", before, atoi(place + 1), run, place + length);
}

static bool choose_depth(struct command_context *c, struct flt_save_options *options)
{
    const char *given = c->options->depth;
    options->depth = !given ? 0 : strcmp(given, "8") == 0 ? 8 : strcmp(given, "16") == 0 ? 16 : -1;
    if (options->depth >= 0)
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "--depth takes 8 or 16, not '%s'", given);
    return false;
}

bool files_save_options(struct command_context *c, struct flt_save_options *options)
{
    const struct options *given = c->options;
    *options = (struct flt_save_options){.format = given->format};
    if (given->format && !flt_image_format_known("-", options)) {
        COMMAND_HELP(
            c->session,
            session_error(c->session, DIAGNOSTIC_E0903, "there is no format '%s'", given->format),
            "write one of these without its dot: %s", flt_image_endings());
        return false;
    }
    if (!choose_depth(c, options))
        return false;
    if (!given->quality)
        return true;
    char *end;
    const long quality = strtol(given->quality, &end, 10);
    options->quality = (int)quality;
    if (isdigit((unsigned char)given->quality[0]) && !*end && quality >= 1 && quality <= 100)
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "--quality takes a number from 1 to 100, not '%s'",
                  given->quality);
    return false;
}

/* What stands behind NAME= of -o and --save, where a name stands there, and behind the axis of
 * several files. */
static const char *path_part(const char *word)
{
    char axis[FLT_AXIS_NAME];
    const size_t length = strcspn(word, "=/");
    const char *path = word[length] == '=' ? word + length + 1 : word;
    const char *names = stack_word(path, axis);
    return names ? names : path;
}

/* Whether the file can have the samples that --depth asks for. */
static bool check_depth(struct command_context *c, const char *path,
                        const struct flt_save_options *options)
{
    if (files_is_folder(path) || flt_image_takes_depth(path, options))
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903, "'%s' cannot hold samples of %d bits",
                               path, options->depth),
                 "--depth is for .png, .tif, .pgm, .ppm and .pnm; 8 for .jpg, too");
    return false;
}

static bool check_target(struct command_context *c, const char *word)
{
    struct flt_save_options options;
    if (!files_save_options(c, &options))
        return false;
    if (files_is_folder(path_part(word)) || adaptive_is_file(path_part(word)) ||
        flt_image_format_known(word, &options) || flt_image_format_known(path_part(word), &options))
        return check_depth(c, path_part(word), &options);
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903,
                               "the ending of '%s' names no image format", word),
                 "endings are %s, and .apr; --format gives one to other names",
                 flt_image_endings());
    return false;
}

/* --outptu FILE, taken for a parameter of the filter. */
static bool is_output_misspelt(struct command_context *c)
{
    for (size_t i = 0; i < c->options->settings.count; i++) {
        const char *name = c->options->settings.item[i].name;
        const char *near = option_near(name, c->options->command);
        if (!near || strcmp(near, "output") != 0)
            continue;
        COMMAND_HELP(
            c->session,
            session_error(c->session, DIAGNOSTIC_E0903, "there is no option '--%s' here", name),
            "write --output or -o");
        return true;
    }
    return false;
}

bool files_check_targets(struct command_context *c)
{
    const struct options *options = c->options;
    if (options->results.count + options->saves.count == 0 && is_output_misspelt(c))
        return false;
    struct flt_save_options unused;
    bool good = files_save_options(c, &unused);
    for (size_t i = 0; good && i < options->saves.count; i++)
        if (!strchr(options->saves.item[i], '=')) {
            session_error(c->session, DIAGNOSTIC_E0903,
                          "--save is written --save STAGE=FILE, not '%s'", options->saves.item[i]);
            good = false;
        }
    for (size_t i = 0; good && i < options->results.count; i++)
        good = check_target(c, options->results.item[i]);
    for (size_t i = 0; good && i < options->saves.count; i++)
        good = check_target(c, options->saves.item[i]);
    return good;
}
