/* Results that are saved as a file for each place along an axis. */
#include "command/along.h"
#include "command/output.h"
#include "command/sources.h"
#include "command/stack_files.h"

void along_take(struct arena *arena, struct saving *saving)
{
    char axis[FLT_AXIS_NAME];
    const char *names = stack_word(saving->word, axis);
    if (!names)
        return;
    saving->along = arena_text(arena, axis, strlen(axis));
    saving->word = names;
}

bool along_choose(struct command_context *c, const struct image_files files[], size_t inputs,
                  size_t runs, struct saving *saving)
{
    struct arena *arena = c->session->permanent;
    char axis[FLT_AXIS_NAME];
    struct diagnostic *d = NULL;
    for (size_t i = 0; i < inputs && saving->sources.count == 0; i++) {
        const char *path = files_of_run(&files[i], 0);
        if (stack_input(arena, path, axis) && strcmp(axis, saving->along) == 0)
            saving->sources = stack_paths(arena, path);
    }
    if (runs > 1)
        d = session_error(c->session, DIAGNOSTIC_E0903,
                          "a result of %zu runs cannot be a file for each place along %s", runs,
                          saving->along);
    else if (!files_differ_by_run(saving->word))
        d = session_error(c->session, DIAGNOSTIC_E0903,
                          "a file for each place along %s is wanted, but '%s' is one file",
                          saving->along, saving->word);
    else if (saving->sources.count == 0 && !files_is_numbered(saving->word))
        d = session_error(c->session, DIAGNOSTIC_E0903,
                          "'%s' takes the names of files that are stacked along %s, but there are "
                          "none",
                          saving->word, saving->along);
    if (d && runs == 1)
        COMMAND_HELP(c->session, d, "write a number in the name: %s:out_%%04d.png", saving->along);
    return !d;
}

const char **along_names(struct command_context *c, const struct saving *saving, size_t count)
{
    const char **names = ARENA_ARRAY(c->session->permanent, const char *, count);
    const bool has_sources = saving->sources.count == count;
    if (!has_sources && !files_is_numbered(saving->word)) {
        struct diagnostic *d = session_error(
            c->session, DIAGNOSTIC_E0905,
            "'%s' takes the names of %zu files that are stacked along %s, but there are %zu places",
            saving->word, saving->sources.count, saving->along, count);
        COMMAND_HELP(c->session, d, "write a number in the name: %s:out_%%04d.png", saving->along);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = files_target(c, saving->word, has_sources ? saving->sources.item[i] : NULL, i);
        if (!sources_are_spared(c, names[i]))
            return NULL;
    }
    return output_check_distinct(c->session, count, names) ? names : NULL;
}

const char *along_first_name(struct command_context *c, const struct saving *saving)
{
    return files_target(c, saving->word, saving->sources.count ? saving->sources.item[0] : NULL, 0);
}
