#include "command/emit_files.h"
#include "command/output.h"
#include "command/sources.h"

/* A name as a rule of make wants it: blanks, '#' and ':' behind a backslash, of which those before
 * it are doubled. */
static void make_word(struct text *rule, const char *word, const char *after)
{
    for (size_t slashes = 0; *word; word++) {
        const bool escaped = strchr(" #:", *word) != NULL;
        for (size_t i = 0; escaped && i < slashes; i++)
            text_print(rule, "\\");
        text_print(rule, *word == '$' ? "$$" : escaped ? "\\%c" : "%c", *word);
        slashes = *word == '\\' ? slashes + 1 : 0;
    }
    text_print(rule, "%s", after);
}

/* What a rule cannot name however it is written. */
static bool is_for_make(struct command_context *c, const char *path)
{
    if (!path[strcspn(path, "%\t\n\r")])
        return true;
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903,
                                         "a rule of make cannot name '%s': it has a %s", path,
                                         strchr(path, '%')    ? "percent sign"
                                         : strchr(path, '\t') ? "tab"
                                                              : "line break");
    COMMAND_HELP(c->session, d, "rename the file, or leave out --depfile");
    return false;
}

/* "out.c out.h: blur.flt lib.flt gain.h", and a rule without commands for each of the latter, so
 * that one that is no longer there is no error. NULL after a message. */
static const char *make_rule(struct command_context *c, size_t count,
                             const struct output_file target[])
{
    struct text rule = text_create(c->session->permanent);
    struct word_list from = {0};
    bool good = true;
    if (c->modules)
        from = sources_of(c, c->modules);
    else
        VECTOR_PUSH(c->session->permanent, &from, c->options->arguments.item[0]);
    if (strcmp(c->options->arguments.item[0], "-") == 0) { /* the main module is no file */
        from.item++;
        from.count--;
    }
    for (size_t i = 0; i < count; i++) {
        good = good && is_for_make(c, target[i].path);
        make_word(&rule, target[i].path, i + 1 < count ? " " : ":");
    }
    for (size_t i = 0; i < from.count; i++) {
        good = good && is_for_make(c, from.item[i]);
        text_print(&rule, " ");
        make_word(&rule, from.item[i], "");
    }
    text_print(&rule, "\n");
    for (size_t i = 0; i < from.count; i++)
        make_word(&rule, from.item[i], ":\n");
    return good ? rule.bytes : NULL;
}

/* A file of a name that nobody chose, such as Makefile, is replaced where it is one of fltc. */
static bool may_replace(struct command_context *c, const struct emit_place *place, const char *path)
{
    char head[256];
    FILE *file = output_is_direct(path) ? NULL : fopen(path, "rb");
    const size_t length = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file)
        fclose(file);
    head[length] = 0;
    if (length == 0 || strstr(head, "by fltc"))
        return true;
    struct diagnostic *d = session_error(
        c->session, DIAGNOSTIC_E0903, "the output '%s' is a file that fltc has not written", path);
    COMMAND_HELP(c->session, d, "write into a folder of its own: -o %s/", place->stem);
    return false;
}

enum exit_status emit_files_write(struct command_context *c, const struct emitted *emitted,
                                  const struct emit_place *place, const struct origin *origin)
{
    struct arena *arena = c->session->permanent;
    const size_t most = emitted->files.count + 1; /* and the depfile */
    struct output_file *file = ARENA_ARRAY(arena, struct output_file, most);
    const char **path = ARENA_ARRAY(arena, const char *, most);
    const size_t stem = strlen(place->stem);
    size_t count = 0;
    for (; count < emitted->files.count; count++) {
        const struct emitted_file stamped =
            origin_stamp(arena, origin, &emitted->files.item[count]);
        file[count] = (struct output_file){arena_format(arena, "%s%s", place->folder, stamped.name),
                                           stamped.text, stamped.length};
    }
    if (c->options->depfile) {
        const char *rule = make_rule(c, count, file);
        if (!rule)
            return EXIT_USAGE;
        file[count++] = (struct output_file){c->options->depfile, rule, strlen(rule)};
    }
    for (size_t i = 0; i < count; i++) {
        path[i] = file[i].path;
        const bool is_chosen = i == emitted->files.count ||
                               strncmp(emitted->files.item[i].name, place->stem, stem) == 0;
        if (!sources_are_spared(c, path[i]) || !(is_chosen || may_replace(c, place, path[i])))
            return EXIT_USAGE;
    }
    if (!output_check_distinct(c->session, count, path))
        return EXIT_USAGE;
    return output_write(c->session, count, file) ? EXIT_DONE : EXIT_WRONG_INPUT;
}
