/* Values of a filter's parameters from --NAME VALUE. */
#include "command/parameters.h"
#include "diagnostics/suggest.h"

#include <math.h>

static bool report_unknown(struct command_context *c, const struct graph *graph, const char *name)
{
    struct suggestion near = {0};
    for (size_t i = 0; i < graph->parameters.count; i++)
        suggest_consider(&near, name, graph->parameters.item[i].name->text);
    struct session *session = c->session;
    struct diagnostic *d = session_error(session, DIAGNOSTIC_E0906, "'%s' has no parameter '%s'",
                                         graph->name->text, name);
    struct text list = text_create(session->permanent);
    for (size_t i = 0; i < graph->parameters.count; i++)
        text_print(&list, "%s--%s", i ? " " : "", graph->parameters.item[i].name->text);
    const char *commands = option_commands(name);
    const char *option = near.best ? NULL : option_near(name, c->options->command);
    if (option)
        COMMAND_HELP(session, d, "write --%s, an option of fltc %s", option, c->options->command);
    else if (commands)
        diagnostic_note(&session->diagnostics, d, "--%s is an option of: %s", name, commands);
    else if (near.best)
        COMMAND_HELP(session, d, "write --%s", near.best);
    else
        diagnostic_note(&session->diagnostics, d, list.length ? "it has %s" : "it has none%s",
                        list.length ? list.bytes : "");
    return false;
}

static const char *number(struct arena *arena, const struct parameter *p, const struct expr *e)
{
    struct text text = text_create(arena);
    if (p->fixed.is)
        text_real(&text, ldexp((double)e->as.integer, -p->fixed.fraction), 64);
    else if (scalar_is_float(e->scalar))
        text_real(&text, e->as.real, e->scalar == SCALAR_F32 ? 32 : 64);
    else
        text_print(&text, "%lld", (long long)e->as.integer);
    return text.bytes;
}

static bool report_value(struct command_context *c, const struct parameter *p, const char *given)
{
    struct arena *arena = c->session->permanent;
    const char *kind = scalar_is_float(p->scalar) || p->fixed.is ? "a number" : "an integer";
    struct text names = text_create(arena);
    for (size_t i = 0; i < p->choice_count; i++)
        text_print(&names, "%s%s",
                   i == 0                    ? ""
                   : i + 1 < p->choice_count ? ", "
                                             : " or ",
                   p->choice[i]->text);
    if (p->choice_count)
        session_error(c->session, DIAGNOSTIC_E0906, "--%s takes %s, not '%s'", p->name->text,
                      names.bytes, given);
    else if (p->scalar == SCALAR_BOOL)
        session_error(c->session, DIAGNOSTIC_E0906, "--%s takes true or false, not '%s'",
                      p->name->text, given);
    else if (p->least)
        session_error(c->session, DIAGNOSTIC_E0906, "--%s takes %s from %s to %s, not '%s'",
                      p->name->text, kind, number(arena, p, p->least),
                      number(arena, p, p->greatest), given);
    else
        session_error(c->session, DIAGNOSTIC_E0906, "--%s takes %s that %s holds, not '%s'",
                      p->name->text, kind, scalar_info[p->scalar].text, given);
    return false;
}

bool parameters_take(struct command_context *c, const struct graph *graph, struct value parameter[])
{
    if (graph->parameters.count > MOST_PARAMETERS) {
        session_error(c->session, DIAGNOSTIC_E0906,
                      "a filter run on files takes at most %d parameters", MOST_PARAMETERS);
        return false;
    }
    for (size_t i = 0; i < graph->parameters.count; i++) {
        const struct parameter *p = &graph->parameters.item[i];
        bool given = false;
        if (p->initial)
            parameter[i] = evaluate_constant(p->initial);
        for (size_t s = 0; s < c->options->settings.count; s++) {
            struct setting *setting = &c->options->settings.item[s];
            if (strcmp(setting->name, p->name->text) != 0)
                continue;
            setting->used = given = true;
            if (!parse_value(setting->value, p, &parameter[i]))
                return report_value(c, p, setting->value);
        }
        if (!given && !p->initial) {
            struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0906,
                                                 "the parameter '%s' of '%s' has no default",
                                                 p->name->text, graph->name->text);
            COMMAND_HELP(c->session, d, "give it: --%s VALUE", p->name->text);
            return false;
        }
    }
    for (size_t s = 0; s < c->options->settings.count; s++)
        if (!c->options->settings.item[s].used)
            return report_unknown(c, graph, c->options->settings.item[s].name);
    return true;
}
