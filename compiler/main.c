/* Options → session → exit status; nothing else. */
#include "command/command.h"
#include "command/output.h"

static enum exit_status dispatch(struct command_context *context)
{
#define COMMAND(name, arguments, help)                                                             \
    if (strcmp(context->options->command, #name) == 0)                                             \
        return command_##name(context);
#include "command/commands.def"
#undef COMMAND
    return EXIT_USAGE;
}

/* fltc help, fltc --help, fltc run --help */
static bool wants_help(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "help") == 0)
        return true;
    for (int i = 1; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

int main(int count, char **words)
{
    if (wants_help(count, words)) {
        print_help();
        return EXIT_DONE;
    }
    if (count > 1 && strcmp(words[1], "--version") == 0) {
        print_version();
        return EXIT_DONE;
    }
    output_guard();
    const struct arena_escape escape = {output_end, NULL};
    struct session *session = session_create(arena_create_family(&escape));
    struct options options = {0};
    enum exit_status status = EXIT_USAGE;
    struct command_context context = {.session = session, .options = &options};
    bool good = options_parse(session, count, words, &options);
    for (size_t i = 0; good && i < options.warnings.count; i++) {
        const char *setting = options.warnings.item[i];
        if (!diagnostics_set_warning(&session->diagnostics, setting)) {
            struct text names = text_create(session->permanent);
            for (int code = 0; code < DIAGNOSTIC_COUNT; code++)
                if (diagnostic_info[code].name)
                    text_print(&names, " %s", diagnostic_info[code].name);
            COMMAND_HELP(
                session,
                session_error(session, DIAGNOSTIC_E0903, "no warning is named '%s'", setting),
                "warnings are%s", names.bytes);
            good = false;
        }
    }
    if (good)
        status = dispatch(&context);
    command_finish(&context);
    session_destroy(session);
    return status;
}
