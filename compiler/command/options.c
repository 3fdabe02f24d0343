/* Command lines. Options are rows of options.def; an option that is none of them names a parameter of
 * the filter. */
#include "command/command.h"
#include "diagnostics/suggest.h"

#include <stdarg.h>
#include <stddef.h>

#ifndef FLTC_VERSION
#define FLTC_VERSION "0.1.0"
#endif

static const struct option_row {
    const char *name, *argument, *commands, *help;
    char letter;
    size_t field;
} option_row[] = {
#define OPTION(field, name, letter, argument, commands, help)                                      \
    {name, argument, commands, help, letter, offsetof(struct options, field)},
#include "command/options.def"
#undef OPTION
};
enum { OPTION_COUNT = sizeof option_row / sizeof option_row[0] };

static const struct {
    const char *name, *arguments, *help;
} command_row[] = {
#define COMMAND(name, arguments, help) {#name, arguments, help},
#include "command/commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof command_row / sizeof command_row[0] };

const char *version_text(void)
{
    return FLTC_VERSION;
}

void print_version(void)
{
    printf("fltc %s\n", FLTC_VERSION);
}

void report_line(const char *severity, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "fltc: %s: ", severity);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void print_help(void)
{
    printf("fltc compiles image filters written as mathematics.\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  fltc %-10s%-34s %s\n", command_row[i].name, command_row[i].arguments,
               command_row[i].help);
    printf("\nA parameter of the filter is an option: --sigma 3. With several images: in=a.png "
           "mask=b.png.\n\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *o = &option_row[i];
        char text[64];
        snprintf(text, sizeof text, "%c%c%s--%s%s%s", o->letter ? '-' : ' ',
                 o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name,
                 o->argument ? " " : "", o->argument ? o->argument : "");
        printf("  %-30s %s (%s)\n", text, o->help, o->commands);
    }
    printf("\nTargets:");
    for (size_t i = 0; target_list[i]; i++)
        if (target_list[i]->is_public)
            printf(" %s (%s)", target_list[i]->name, target_list[i]->description);
    printf("\nExit status: 0 done, 1 the program or its input is wrong, 2 a fault of fltc, 3 wrong "
           "usage.\n");
}

static bool is_word_of(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static const struct option_row *find_option(const char *word, size_t length, const char *command)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(option_row[i].name) == length &&
            strncmp(option_row[i].name, word, length) == 0 &&
            is_word_of(option_row[i].commands, command))
            return &option_row[i];
    return NULL;
}

static const struct option_row *find_letter(char letter, const char *command)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_row[i].letter == letter && is_word_of(option_row[i].commands, command))
            return &option_row[i];
    return NULL;
}

static bool usage(const char *format, const char *word)
{
    report_line("error", format, word);
    fprintf(stderr, "fltc --help lists commands and options\n");
    return false;
}

static bool takes_parameters(const char *command)
{
    return strcmp(command, "run") == 0 || strcmp(command, "interpret") == 0 ||
           strcmp(command, "emit") == 0;
}

struct parsing {
    struct arena *arena;
    struct options *options;
    char **words;
    int count, at;
};

/* The value behind an option, or the next word. */
static const char *value_of(struct parsing *p, const char *attached)
{
    if (attached)
        return attached;
    return p->at + 1 < p->count ? p->words[++p->at] : NULL;
}

static bool set_option(struct parsing *p, const struct option_row *row, const char *attached)
{
    const char *value = row->argument ? value_of(p, attached) : "yes";
    if (!value)
        return usage("--%s needs a value", row->name);
    if (!row->argument && attached)
        return usage("--%s takes no value", row->name);
    if (strcmp(row->name, "param") == 0) {
        const char *equals = strchr(value, '=');
        if (!equals)
            return usage("--param is written --param NAME=VALUE, not '%s'", value);
        VECTOR_PUSH(p->arena, &p->options->settings,
                    (struct setting){
                        arena_text(p->arena, value, (size_t)(equals - value)), equals + 1, false});
        return true;
    }
    if (strcmp(row->name, "warn") == 0)
        VECTOR_PUSH(p->arena, &p->options->warning_settings, value);
    memcpy((char *)p->options + row->field, &value, sizeof value);
    return true;
}

static bool parse_long(struct parsing *p, const char *word)
{
    const size_t length = strcspn(word, "=");
    const char *attached = word[length] ? word + length + 1 : NULL;
    const struct option_row *row = find_option(word, length, p->options->command);
    if (row)
        return set_option(p, row, attached);
    if (!takes_parameters(p->options->command)) {
        struct suggestion near = {0};
        for (int i = 0; i < OPTION_COUNT; i++)
            suggest_consider(&near, word, option_row[i].name);
        if (near.best)
            fprintf(stderr, "fltc: note: the nearest option is --%s\n", near.best);
        return usage("there is no option '--%s' here", word);
    }
    const char *value = value_of(p, attached);
    if (!value)
        return usage("--%s needs a value", word);
    VECTOR_PUSH(p->arena, &p->options->settings,
                (struct setting){arena_text(p->arena, word, length), value, false});
    return true;
}

bool options_parse(struct arena *arena, int count, char **words, struct options *options)
{
    struct parsing p = {arena, options, words, count, 1};
    bool known = false;
    for (int i = 0; i < COMMAND_COUNT; i++)
        known = known || strcmp(command_row[i].name, words[1]) == 0;
    if (!known) {
        struct suggestion near = {0};
        for (int i = 0; i < COMMAND_COUNT; i++)
            suggest_consider(&near, words[1], command_row[i].name);
        if (near.best)
            fprintf(stderr, "fltc: note: the nearest command is '%s'\n", near.best);
        return usage("there is no command '%s'", words[1]);
    }
    options->command = words[1];
    bool only_arguments = false;
    for (p.at = 2; p.at < count; p.at++) {
        const char *word = words[p.at];
        if (only_arguments || word[0] != '-' || word[1] == 0) {
            VECTOR_PUSH(arena, &options->arguments, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_arguments = true;
            continue;
        }
        if (word[1] == '-') {
            if (!parse_long(&p, word + 2))
                return false;
            continue;
        }
        const struct option_row *row = find_letter(word[1], options->command);
        if (!row)
            return usage("there is no option '%s' here", word);
        if (!set_option(&p, row, row->argument && word[2] ? word + 2 : NULL))
            return false;
    }
    return true;
}
