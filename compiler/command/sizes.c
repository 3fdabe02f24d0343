/* --size: the extents of images. Circuits need all; other programs are compiled for those that are
 * given. */
#include "command/sizes.h"
#include "graph/fix_extents.h"

#include <stdlib.h>

enum { MOST_SETTINGS = 32, MOST_OF_CIRCUITS = 1 << 20 };

struct sizes {
    struct extent_setting item[MOST_SETTINGS];
    size_t count;
    long most; /* samples along an axis */
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
        if (!equals || equals == at || end != at + length || extent < 1 || extent > sizes->most ||
            sizes->count == MOST_SETTINGS) {
            COMMAND_HELP(c->session,
                         session_error(c->session, DIAGNOSTIC_E0903, "--size does not take '%.*s'",
                                       (int)length, at),
                         "write an extent for each axis, 1 to %ld: --size y=1080,x=1920",
                         sizes->most);
            return false;
        }
        const char *name = arena_text(arena, at, (size_t)(equals - at));
        if (has_size(sizes, name)) {
            session_error(c->session, DIAGNOSTIC_E0903, "--size gives '%s' twice", name);
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
                         session_error(c->session, DIAGNOSTIC_E0903, "no image has the axis '%s'",
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

bool graph_sized(struct command_context *c, const struct graph *graph, const struct target *target,
                 struct sized *sized)
{
    const bool needs_all = target->execution == EXECUTION_DATAFLOW;
    struct session *s = c->session;
    struct sizes sizes = {.most = needs_all ? MOST_OF_CIRCUITS : INT32_MAX};
    if (!read_sizes(c, &sizes))
        return false;
    sized->all =
        graph_fix_extents(s->ir, s->scratch, &s->pool, graph, INT32_MAX, sizes.count, sizes.item);
    if (needs_all && extents_are_missing(c, sized->all))
        return false;
    sized->graph = needs_all ? sized->all
                             : graph_fix_extents(s->ir, s->scratch, &s->pool, graph, AXIS_SHORT,
                                                 sizes.count, sizes.item);
    return all_are_used(c, &sizes) && requirements_hold(c, sized->all);
}
