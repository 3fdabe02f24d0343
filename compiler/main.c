/* Options → session → exit status; nothing else. */
#include "command/command.h"
#include "command/output.h"

static enum exit_status dispatch(struct command_context *context)
{
#define COMMAND(name, arguments, help)                     \
    if (strcmp(context->options->command, #name) == 0)     \
        return command_##name(context);
#include "command/commands.def"
#undef COMMAND
    return EXIT_USAGE;
}

int main(int count, char **words)
{
    if (count < 2) {
        print_help();
        return EXIT_USAGE;
    }
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0 ||
        strcmp(words[1], "help") == 0) {
        print_help();
        return EXIT_DONE;
    }
    if (strcmp(words[1], "--version") == 0) {
        print_version();
        return EXIT_DONE;
    }
    output_guard();
    struct session *session = session_create();
    struct options options = {0};
    enum exit_status status = EXIT_USAGE;
    if (options_parse(session->permanent, count, words, &options)) {
        bool known = true;
        for (size_t i = 0; i < options.warning_settings.count; i++)
            if (!diagnostics_set_warning(&session->diagnostics, options.warning_settings.item[i])) {
                report_line("error", "no warning is named '%s'", options.warning_settings.item[i]);
                known = false;
            }
        struct command_context context = {session, &options};
        if (known)
            status = dispatch(&context);
    }
    session_destroy(session);
    return status;
}
