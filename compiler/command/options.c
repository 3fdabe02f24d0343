/* Command lines. Options are rows of options.def; an option that is none of them names a parameter
 * of the filter. */
#include "command/command.h"
#include "diagnostics/suggest.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

static const struct option_row {
    const char *name, *argument, *commands, *help;
    char letter;
    bool repeats;
    size_t field;
} option_row[] = {
#define OPTION(field, name, letter, argument, commands, help)                                      \
    {name, argument, commands, help, letter, false, offsetof(struct options, field)},
#define OPTION_LIST(field, name, letter, argument, commands, help)                                 \
    {name, argument, commands, help, letter, true, offsetof(struct options, field)},
#include "command/options.def"
#undef OPTION
#undef OPTION_LIST
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

struct word_list options_given(struct arena *arena, const struct options *options,
                               const char *const left_out[], size_t count)
{
    struct word_list list = {0};
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_row[i];
        const char *field = (const char *)options + row->field;
        bool counts = strstr(row->commands, options->command) != NULL;
        for (size_t k = 0; k < count; k++)
            counts = counts && strcmp(left_out[k], row->name) != 0;
        if (!counts)
            continue;
        const struct word_list none = {0}, *several = row->repeats ? (const void *)field : &none;
        const char *const one = row->repeats ? NULL : *(const char *const *)(const void *)field;
        if (one)
            VECTOR_PUSH(arena, &list, arena_format(arena, "%s %s", row->name, one));
        for (size_t k = 0; k < several->count; k++)
            VECTOR_PUSH(arena, &list, arena_format(arena, "%s %s", row->name, several->item[k]));
    }
    return list;
}

void print_version(void)
{
    printf("fltc %s\n", version_text());
}

bool command_remark(struct session *session, enum diagnostic_code code,
                    const struct flt_detail *detail)
{
    if (!detail->text[0])
        return true;
    return session_error(session, code, "%s", detail->text)->severity != SEVERITY_ERROR;
}

void report_fault(const char *problem)
{
    fprintf(stderr, "fltc: internal error: %s\n", problem);
}

bool options_want_json(const struct options *options)
{
    return options->wants_json;
}

void print_help(void)
{
    printf("fltc compiles image filters written as mathematics.\n\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  fltc %-10s%-34s %s\n", command_row[i].name, command_row[i].arguments,
               command_row[i].help);
    printf("\nA parameter of the filter is an option: --sigma 3. With several images: in=a.png "
           "mask=b.png.\nSeveral files for one image are a sequence; 't:frames/*.png' is one "
           "image, stacked along t,\nand -o t:out/%%04d.png a file for each place along t. Samples "
           "alone: volume.raw:512x512x100:u16.\n\n");
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

const char *option_near(const char *word, const char *command)
{
    enum { SHORTEST_BEGINNING = 3 };
    struct suggestion near = {0};
    const size_t length = strlen(word);
    const char *longer = NULL;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!is_word_of(option_row[i].commands, command))
            continue;
        suggest_consider(&near, word, option_row[i].name);
        if (length >= SHORTEST_BEGINNING && strncmp(option_row[i].name, word, length) == 0)
            longer = option_row[i].name;
    }
    return near.best ? near.best : longer;
}

const char *option_commands(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_row[i].name, name) == 0)
            return option_row[i].commands;
    return NULL;
}

uint64_t options_memory(const struct options *options)
{
    static const char units[] = "KkMmGg";
    const char *given = options->memory ? options->memory : "";
    char *end;
    const unsigned long long number = strtoull(given, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)((unit - units) / 2 + 1) : 0;
    const bool good = given[0] >= '0' && given[0] <= '9' && !end[unit != NULL] &&
                      number <= (UINT64_MAX >> 1) >> shift;
    return good ? (uint64_t)number << shift : 0;
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

/* Those that take --param take --NAME too. */
static bool takes_parameters(const char *command)
{
    return find_option("param", strlen("param"), command) != NULL;
}

static bool takes_images(const char *command)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(command_row[i].name, command) == 0)
            return strstr(command_row[i].arguments, "IMAGE");
    return false;
}

struct parsing {
    struct session *session;
    struct options *options;
    char **words;
    int count, at;
};

static bool usage(struct parsing *p, const char *format, const char *word)
{
    const char *text = arena_format(p->session->permanent, format, word);
    struct diagnostic *d = session_error(p->session, DIAGNOSTIC_E0903, "%s", text);
    COMMAND_HELP(p->session, d, "fltc --help lists commands and options");
    return false;
}

/* The same with the nearest word there is, or NULL. */
static bool usage_near(struct parsing *p, const char *format, const char *word, const char *near,
                       const char *dashes)
{
    if (!near)
        return usage(p, format, word);
    const char *text = arena_format(p->session->permanent, format, word);
    struct diagnostic *d = session_error(p->session, DIAGNOSTIC_E0903, "%s", text);
    COMMAND_HELP(p->session, d, "write %s%s", dashes, near);
    return false;
}

static bool no_such_option(struct parsing *p, const char *name)
{
    return usage_near(p, "there is no option '--%s' here", name,
                      option_near(name, p->options->command), "--");
}

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
        return usage(p, "--%s needs a value", row->name);
    if (!row->argument && attached)
        return usage(p, "--%s takes no value", row->name);
    void *field = (char *)p->options + row->field;
    if (row->repeats) {
        VECTOR_PUSH(p->session->permanent, (struct word_list *)field, value);
        return true;
    }
    if (*(const char **)field)
        return usage(p, "--%s is given twice", row->name);
    memcpy(field, &value, sizeof value);
    return true;
}

static bool add_setting(struct parsing *p, const char *name, const char *value)
{
    for (size_t i = 0; i < p->options->settings.count; i++)
        if (strcmp(p->options->settings.item[i].name, name) == 0)
            return usage(p, "--%s is given twice", name);
    VECTOR_PUSH(p->session->permanent, &p->options->settings, (struct setting){name, value, false});
    return true;
}

static bool add_type(struct parsing *p, const char *name, const char *type)
{
    for (size_t i = 0; i < p->options->type_settings.count; i++)
        if (strcmp(p->options->type_settings.item[i].name, name) == 0)
            return usage(p, "--type gives %s twice", name);
    VECTOR_PUSH(p->session->permanent, &p->options->type_settings,
                (struct constant_setting){name, type});
    return true;
}

/* --param and --type: NAME=VALUE. */
static bool take_pairs(struct parsing *p)
{
    struct arena *arena = p->session->permanent;
    for (size_t i = 0; i < p->options->params.count; i++) {
        const char *word = p->options->params.item[i];
        const size_t length = strcspn(word, "=");
        if (!word[length])
            return usage(p, "--param is written --param NAME=VALUE, not '%s'", word);
        if (!add_setting(p, arena_text(arena, word, length), word + length + 1))
            return false;
    }
    for (size_t i = 0; i < p->options->types.count; i++) {
        const char *word = p->options->types.item[i];
        const size_t length = strcspn(word, "=");
        if (!word[length])
            return usage(p, "--type is written --type NAME=TYPE, not '%s'", word);
        if (!add_type(p, arena_text(arena, word, length), word + length + 1))
            return false;
    }
    return true;
}

static bool parse_long(struct parsing *p, const char *word)
{
    const size_t length = strcspn(word, "=");
    const char *attached = word[length] ? word + length + 1 : NULL;
    const struct option_row *row = find_option(word, length, p->options->command);
    if (row)
        return set_option(p, row, attached);
    const char *name = arena_text(p->session->permanent, word, length);
    if (!takes_parameters(p->options->command))
        return no_such_option(p, name);
    const char *value = value_of(p, attached);
    if (!value)
        return option_near(name, p->options->command) ? no_such_option(p, name)
                                                      : usage(p, "--%s needs a value", name);
    return add_setting(p, name, value);
}

/* Set first, so that later mistakes are reported in the right form. */
static bool take_diagnostics_form(struct parsing *p)
{
    const char *form = NULL;
    for (int i = 1; i < p->count && strcmp(p->words[i], "--") != 0; i++) {
        const char *word = p->words[i];
        if (strcmp(word, "--diagnostics") == 0 && i + 1 < p->count)
            form = p->words[i + 1];
        else if (strncmp(word, "--diagnostics=", 14) == 0)
            form = word + 14;
    }
    p->options->wants_json = form && strcmp(form, "json") == 0;
    if (form && strcmp(form, "json") != 0 && strcmp(form, "text") != 0)
        return usage(p, "--diagnostics takes text or json, not '%s'", form);
    return true;
}

bool options_parse(struct session *session, int count, char **words, struct options *options)
{
    struct parsing parsing = {session, options, words, count, 1}, *p = &parsing;
    if (!take_diagnostics_form(p))
        return false;
    if (count < 2)
        return usage(p, "a command is missing%s", "");
    bool known = false;
    struct suggestion near = {0};
    for (int i = 0; i < COMMAND_COUNT; i++) {
        known = known || strcmp(command_row[i].name, words[1]) == 0;
        suggest_consider(&near, words[1], command_row[i].name);
    }
    if (!known)
        return usage_near(p, "there is no command '%s'", words[1], near.best, "fltc ");
    options->command = words[1];
    bool only_arguments = false;
    for (p->at = 2; p->at < count; p->at++) {
        const char *word = words[p->at];
        if (only_arguments || word[0] != '-' || word[1] == 0 || word[1] == ':') {
            VECTOR_PUSH(session->permanent, &options->arguments, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_arguments = true;
            continue;
        }
        if (word[1] == '-') {
            if (!parse_long(p, word + 2))
                return false;
            continue;
        }
        const struct option_row *row = find_letter(word[1], options->command);
        const size_t length = strcspn(word + 1, "=");
        const char *option =
            option_near(arena_text(session->permanent, word + 1, length), options->command);
        const bool is_word = length > 2 && word[1] != 'W' && !strpbrk(word, "./");
        if (option && is_word) /* -output */
            return usage_near(p, "there is no option '%s' here", word, option, "--");
        if (!row)
            return usage(p, "there is no option '%s' here", word);
        if (!set_option(p, row, row->argument && word[2] ? word + 2 : NULL))
            return false;
    }
    if (!take_pairs(p))
        return false;
    if (!takes_images(options->command) && options->arguments.count > 1)
        return usage(p, "one file at a time: '%s' is too much", options->arguments.item[1]);
    return true;
}
