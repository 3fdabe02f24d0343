#include "command/circuits.h"
#include "frontend/float_uses.h"
#include "hardware/lower.h"
#include "hardware/memories.h"
#include "hardware/pixels.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST_INTERPRETED = 1 << 14, USUAL_MEGAHERTZ = 100 };

bool circuit_is_small(struct command_context *c, const struct graph *graph)
{
    int64_t samples = 0;
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        int64_t own = stage->kind == STAGE_INPUT;
        for (unsigned k = 0; k < stage->rank && own && own <= MOST_INTERPRETED; k++)
            own *= stage->axis[k].extent->as.integer;
        samples = own > samples ? own : samples;
    }
    if (samples <= MOST_INTERPRETED)
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903,
                               "--interpret-each runs images of the extents of --size, of %d "
                               "samples at most",
                               MOST_INTERPRETED),
                 "give small extents: --size y=33,x=41");
    return false;
}

/* --clock, or what the schedule says. False after a message. */
static bool take_clock(struct command_context *c, const struct graph *graph, struct target *target)
{
    const char *given = c->options->clock;
    char *end = NULL;
    const double megahertz =
        given ? strtod(given, &end)
              : (double)graph_setting(graph, CIRCUIT_SETTING_clock, USUAL_MEGAHERTZ);
    target->circuit.megahertz = megahertz;
    if (!given || (end != given && !*end && megahertz >= 1e-3 && megahertz <= 1e6))
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "--clock takes a frequency in MHz, not '%s'",
                  given);
    return false;
}

/* A word, as it stands in scripts of the vendor's tools. False after a message. */
static bool take_part(struct command_context *c, struct target *target)
{
    const char *given = c->options->part;
    target->circuit.part = given ? given : "xc7z020clg400-1";
    if (!given)
        return true;
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (*given && strspn(given, letters) == strlen(given))
        return true;
    COMMAND_HELP(
        c->session,
        session_error(c->session, DIAGNOSTIC_E0903, "--part takes a name, not '%s'", given),
        "write the name of a device as the vendor's tools do: --part xc7z020clg400-1");
    return false;
}

/* What the schedule says, for the clock of the target. */
static void take_settings(const struct graph *graph, struct target *target)
{
    enum { FAST_MEGAHERTZ = 150, SHORT_CHAIN = 3 };
    const bool is_fast = target->circuit.megahertz > FAST_MEGAHERTZ;
    target->circuit.pixels = (unsigned)graph_setting(graph, CIRCUIT_SETTING_pixels, 1);
    target->circuit.adders_a_clock =
        (unsigned)graph_setting(graph, CIRCUIT_SETTING_adders, target->circuit.adders_a_clock);
    target->circuit.ready_chain = (unsigned)graph_setting(
        graph, CIRCUIT_SETTING_ready, is_fast ? SHORT_CHAIN : target->circuit.ready_chain);
    target->circuit.registers_memory = graph_setting(graph, CIRCUIT_SETTING_register, is_fast) != 0;
    target->circuit.memory = (unsigned long long)graph_setting(graph, CIRCUIT_SETTING_memory, 0);
}

const struct target *circuit_target(struct command_context *c, const struct graph *graph,
                                    const struct target *target)
{
    struct target *own = arena_copy(c->session->permanent, target, sizeof *target);
    if (!take_clock(c, graph, own) || !take_part(c, own))
        return NULL;
    take_settings(graph, own);
    if (!c->options->pixels)
        return own;
    char *end;
    const long pixels = strtol(c->options->pixels, &end, 10);
    if (*end || end == c->options->pixels || pixels < 1 || pixels > MOST_PIXELS) {
        session_error(c->session, DIAGNOSTIC_E0903, "--pixels takes 1 to %d, not '%s'", MOST_PIXELS,
                      c->options->pixels);
        return NULL;
    }
    own->circuit.pixels = (unsigned)pixels;
    return own;
}

/* "the FIFO of 3097 tokens from 'in' to 'out'" */
static const char *memory_name(struct command_context *c, const struct circuit *circuit,
                               const struct memory_use *use)
{
    const struct process *p = use->most;
    const char *from =
        circuit->processes.item[use->edge ? use->edge->from : p->edge[0].from].name->text;
    struct arena *arena = c->session->permanent;
    if (use->edge)
        return arena_format(arena, "the FIFO of %u tokens from '%s' to '%s'", use->edge->depth,
                            from, p->name->text);
    if (p->kind == PROCESS_SCAN || p->kind == PROCESS_COUNT)
        return arena_format(arena, "the %s of '%s'",
                            p->kind == PROCESS_SCAN ? "last results" : "numbers", p->name->text);
    return arena_format(arena, "the lines of '%s' that '%s' keeps", from, p->name->text);
}

bool circuit_fits_memory(struct command_context *c, const struct target *target,
                         const struct circuit *circuit, bool *is_usage)
{
    const char *given = c->options->most_memory;
    char *end = NULL;
    const unsigned long long said = target->circuit.memory ? target->circuit.memory : ULLONG_MAX;
    const unsigned long long allowed = given ? strtoull(given, &end, 10) : said;
    *is_usage = given && (end == given || *end || *given == '-');
    if (*is_usage) {
        session_error(c->session, DIAGNOSTIC_E0903,
                      "--most-memory takes a number of bits, not '%s'", given);
        return false;
    }
    const struct memory_use use = circuit_memory_use(circuit);
    if (use.bits <= allowed)
        return true;
    struct diagnostic *d = diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0613,
                                             use.most->span, (unsigned long long)use.bits, allowed);
    diagnostic_note(&c->session->diagnostics, d, "%llu of them are in %s",
                    (unsigned long long)use.most_bits, memory_name(c, circuit, &use));
    COMMAND_HELP(c->session, d,
                 "shorten the lines of images, or read fewer lines around each sample");
    return false;
}

/* The place in the program that makes the floats for which the graph is refused; NULL: it is
 * refused for another reason, or an image is declared to hold them. */
static const struct float_use *float_use_refused(const struct command_context *c,
                                                 const struct graph *graph,
                                                 const struct refusal *refusal)
{
    const bool is_of_value =
        refusal->reason == REFUSED_FLOAT && refusal->stage && refusal->stage->kind != STAGE_INPUT;
    return is_of_value && c->float_uses ? float_use_of(c->float_uses, graph, refusal->stage) : NULL;
}

static void report_float(struct command_context *c, const struct refusal *refusal,
                         const struct float_use *use)
{
    struct diagnostics *all = &c->session->diagnostics;
    struct diagnostic *d =
        diagnostic_report(all, DIAGNOSTIC_E0610, use->span, refusal->stage->name->text,
                          arena_format(c->session->permanent,
                                       "%s a float, and hardware is made of integers", use->what));
    if (use->called.end)
        diagnostic_label(all, d, use->called, "called here");
    COMMAND_HELP(c->session, d, "%s", use->cure);
}

bool circuit_accepts(const struct graph *graph, void *context)
{
    const struct circuit_asked *asked = context;
    struct command_context *c = asked->c;
    struct refusal refusal;
    const struct circuit *circuit = circuit_from_graph(c->session, graph, &refusal);
    if (circuit &&
        pixels_suit(c->session->permanent, circuit, asked->target->circuit.pixels, &refusal))
        return true;
    const struct float_use *use = float_use_refused(c, graph, &refusal);
    if (use) {
        report_float(c, &refusal, use);
        return false;
    }
    struct diagnostic *d = diagnostic_report(
        &c->session->diagnostics, DIAGNOSTIC_E0610,
        refusal.stage ? refusal.stage->span : (struct span){0, 0},
        refusal.stage ? refusal.stage->name->text : graph->name->text, refusal.why);
    COMMAND_HELP(c->session, d, "%s", refusal.cure);
    return false;
}
