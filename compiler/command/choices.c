#include "command/choices.h"

#include "diagnostics/suggest.h"
#include "graph/placement/choose.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool no_such_choice(struct command_context *c, const char *name)
{
    struct suggestion near = {0};
    for (unsigned i = 0; i < CHOICE_COUNT; i++)
        suggest_consider(&near, name, choice_list[i].name);
    struct diagnostic *d =
        session_error(c->session, DIAGNOSTIC_E0903, "there is no choice '%s'", name);
    if (near.best)
        COMMAND_HELP(c->session, d, "write %s", near.best);
    else
        COMMAND_HELP(c->session, d, "fltc explain choices lists them");
    return false;
}

/* NAME=VALUE */
static bool take(struct command_context *c, const char *word, struct choices *choices)
{
    struct arena *arena = c->session->permanent;
    const size_t length = strcspn(word, "=");
    const char *name = arena_text(arena, word, length);
    if (!word[length]) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "--choice is written --choice NAME=VALUE, not '%s'", word);
        return false;
    }
    const enum choice choice = choice_named(name, length);
    if (choice == CHOICE_COUNT)
        return no_such_choice(c, name);
    const struct choice_info *info = &choice_list[choice];
    const char *text = word + length + 1;
    char *end;
    errno = 0;
    const int64_t value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < info->least || value > info->greatest) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "choice '%s' takes a number from %" PRId64 " to %" PRId64 ", not '%s'", name,
                      info->least, info->greatest, text);
        return false;
    }
    choices->pinned[choice] = true;
    choices->value[choice] = value;
    return true;
}

bool choices_take(struct command_context *c)
{
    struct choices *choices = ARENA_NEW(c->session->permanent, struct choices);
    for (size_t i = 0; i < c->options->choices.count; i++)
        if (!take(c, c->options->choices.item[i], choices))
            return false;
    c->choices = choices;
    return true;
}

const char *choices_text(struct arena *arena, const struct choices *choices)
{
    struct text text = text_create(arena);
    for (unsigned i = 0; i < CHOICE_COUNT; i++)
        if (choices->pinned[i])
            text_print(&text, " --choice %s=%" PRId64, choice_list[i].name, choices->value[i]);
    return text.length ? text.bytes : "";
}

void machines_print(void)
{
    for (const struct machine *m = machine_list; m->name; m++)
        printf("%s: %s\n  %u %s of %u lanes, %u KiB of fast memory each, %u threads, %u registers\n"
               "  %u KiB of shared cache, %u bytes at once; %.3g TB/s, %.3g T f32 and %.3g T f64 "
               "operations/s, %.3g us a launch\n",
               m->name, m->description, m->multiprocessors,
               m->is_device ? "multiprocessors" : "cores", m->lanes, m->shared_bytes >> 10,
               m->resident_threads, m->registers, m->l2_bytes >> 10, m->sector,
               1e-12 * m->bytes_a_second, 1e-12 * m->f32_rate, 1e-12 * m->f64_rate,
               1e6 * m->launch_seconds);
}

void choices_print(const struct target *target)
{
    for (unsigned i = 0; i < CHOICE_COUNT; i++) {
        const struct choice_info *info = &choice_list[i];
        printf("%-22s %8" PRId64 "  %" PRId64 "..%-9" PRId64 " %s\n", info->name,
               choice_of_machine(target, (enum choice)i), info->least, info->greatest,
               info->meaning);
    }
}
