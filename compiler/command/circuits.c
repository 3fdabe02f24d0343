#include "command/circuits.h"
#include "frontend/float_uses.h"
#include "graph/fix_extents.h"
#include "hardware/lower.h"
#include "hardware/memories.h"
#include "hardware/pixels.h"

#include <limits.h>
#include <stdlib.h>

enum {
    MOST_SETTINGS = 32,
    MOST_EXTENT = 1 << 20,
    MOST_INTERPRETED = 1 << 14,
    USUAL_MEGAHERTZ = 100
};

struct sizes {
    struct extent_setting item[MOST_SETTINGS];
    size_t count;
};

static bool has_size(const struct sizes *sizes, const char *name)
{
    for (size_t i = 0; i < sizes->count; i++)
        if (strcmp(sizes->item[i].name, name) == 0)
            return true;
    return false;
}

/* "y=1080,x=1920" or "in.y=8"; false after a message. */
static bool read_sizes(struct command_context *c, struct sizes *sizes)
{
    struct arena *arena = c->session->permanent;
    for (const char *at = c->options->size; at && *at;) {
        const size_t length = strcspn(at, ",");
        const char *equals = memchr(at, '=', length);
        char *end = NULL;
        const long extent = equals ? strtol(equals + 1, &end, 10) : 0;
        if (!equals || equals == at || end != at + length || extent < 1 || extent > MOST_EXTENT ||
            sizes->count == MOST_SETTINGS) {
            COMMAND_HELP(c->session,
                         command_error(c->session, DIAGNOSTIC_E0903, "--size does not take '%.*s'",
                                       (int)length, at),
                         "write an extent for each axis, 1 to %d: --size y=1080,x=1920",
                         MOST_EXTENT);
            return false;
        }
        const char *name = arena_text(arena, at, (size_t)(equals - at));
        if (has_size(sizes, name)) {
            command_error(c->session, DIAGNOSTIC_E0903, "--size gives '%s' twice", name);
            return false;
        }
        sizes->item[sizes->count++] = (struct extent_setting){name, extent, false};
        at += length + (at[length] == ',');
    }
    return true;
}

static bool all_are_used(struct command_context *c, const struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->count; i++)
        if (!sizes->item[i].used) {
            COMMAND_HELP(c->session,
                         command_error(c->session, DIAGNOSTIC_E0903, "no image has the axis '%s'",
                                       sizes->item[i].name),
                         "name axes as the filter's signature does");
            return false;
        }
    return true;
}

/* What the filter requires of extents, which are numbers now. */
static bool requirements_hold(struct command_context *c, const struct graph *graph)
{
    for (size_t i = 0; i < graph->checks.count; i++) {
        const struct graph_check *check = &graph->checks.item[i];
        if (check->condition->kind == EXPR_INTEGER) {
            diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0612, check->span, check->text);
            return false;
        }
    }
    return true;
}

/* "in.y": "y" */
static const char *axis_of(const struct expr *extent)
{
    const char *dot = strrchr(extent->as.variable.name->text, '.');
    return dot ? dot + 1 : extent->as.variable.name->text;
}

/* Whether another image has an axis of this name whose extent is known. */
static bool is_known_elsewhere(const struct graph *graph, const char *axis)
{
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank; k++)
            if (stage->axis[k].extent->kind == EXPR_INTEGER &&
                strcmp(stage->axis[k].name->text, axis) == 0)
                return true;
    }
    return false;
}

/* "--size y=48,x=64,c=...": what was given, and what is missing, for all images that have the axis
 * or for one of them. */
static const char *whole_size(struct command_context *c, const struct graph *graph, size_t count,
                              const struct expr *const missing[])
{
    struct text text = text_create(c->session->permanent);
    const char *between = c->options->size && *c->options->size ? "," : "";
    text_print(&text, "--size %s", c->options->size ? c->options->size : "");
    for (size_t i = 0; i < count; i++) {
        const char *axis = axis_of(missing[i]);
        const bool of_one = is_known_elsewhere(graph, axis);
        bool is_there = false;
        for (size_t k = 0; k < i && !of_one; k++)
            is_there = is_there || strcmp(axis_of(missing[k]), axis) == 0;
        if (is_there)
            continue;
        text_print(&text, "%s%s=...", between, of_one ? missing[i]->as.variable.name->text : axis);
        between = ",";
    }
    return text.bytes;
}

/* A message, if the extents of images are not all known. */
static bool extents_are_missing(struct command_context *c, const struct graph *graph)
{
    const struct expr *missing[MOST_SETTINGS];
    const size_t count = graph_unknown_extents(graph, MOST_SETTINGS, missing);
    if (!count)
        return false;
    struct diagnostic *d =
        diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0611, (struct span){0, 0},
                          missing[0]->as.variable.name->text);
    COMMAND_HELP(c->session, d, "give the number of samples along each axis: %s",
                 whole_size(c, graph, count, missing));
    return true;
}

const struct graph *circuit_sized(struct command_context *c, const struct graph *graph)
{
    struct sizes sizes = {.count = 0};
    if (!read_sizes(c, &sizes))
        return NULL;
    const struct graph *fixed = graph_fix_extents(
        c->session->ir, c->session->scratch, &c->session->pool, graph, sizes.count, sizes.item);
    if (extents_are_missing(c, fixed))
        return NULL;
    return all_are_used(c, &sizes) && requirements_hold(c, fixed) ? fixed : NULL;
}

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
                 command_error(c->session, DIAGNOSTIC_E0903,
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
    command_error(c->session, DIAGNOSTIC_E0903, "--clock takes a frequency in MHz, not '%s'",
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
        command_error(c->session, DIAGNOSTIC_E0903, "--part takes a name, not '%s'", given),
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
        command_error(c->session, DIAGNOSTIC_E0903, "--pixels takes 1 to %d, not '%s'", MOST_PIXELS,
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
        command_error(c->session, DIAGNOSTIC_E0903,
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
