/* What a run needs of the command line: the filter, its parameters, its images, where results
 * go. */
#include "command/execute.h"
#include "command/slabs.h"

#include <limits.h>
#include <stdlib.h>

/* --precision: the graph over other numbers. False after a message. */
static bool choose_precision(struct execution *x)
{
    static const struct {
        const char *name;
        enum scalar scalar;
    } precisions[] = {{"double", SCALAR_F64}, {"extended", SCALAR_EXTENDED}};
    const char *given = x->c->options->precision;
    struct session *session = x->c->session;
    for (size_t i = 0; given && i < sizeof precisions / sizeof precisions[0]; i++)
        if (strcmp(given, precisions[i].name) == 0) {
            x->graph = widen_graph(session->ir, &session->pool, x->graph, precisions[i].scalar);
            given = NULL;
        }
    if (given)
        session_error(session, DIAGNOSTIC_E0903, "--precision takes double or extended, not '%s'",
                      given);
    return !given;
}

static bool choose_threads(struct execution *x)
{
    const char *given = x->c->options->threads;
    char *end;
    if (!given)
        return true;
    const long threads = strtol(given, &end, 10);
    x->threads = threads < INT_MAX ? (int)threads : INT_MAX;
    if (!*end && end != given && threads >= 0)
        return true;
    session_error(x->c->session, DIAGNOSTIC_E0903, "--threads takes a number, not '%s'", given);
    return false;
}

static bool choose_memory(struct execution *x)
{
    const char *given = x->c->options->memory;
    if (!given)
        return true;
    x->memory = options_memory(x->c->options);
    if (x->memory > 0)
        return slabs_suit(x);
    session_error(x->c->session, DIAGNOSTIC_E0903,
                  "--memory takes a number of bytes, such as 500M or 2G, not '%s'", given);
    return false;
}

/* The inputs' names and files. */
static bool choose_files(struct execution *x)
{
    const char *filter = x->graph->name->text;
    size_t inputs = 0;
    for (size_t i = 0; i < x->graph->stages.count; i++)
        inputs += x->graph->stages.item[i]->kind == STAGE_INPUT;
    if (inputs > MOST_PICTURES) {
        session_error(x->c->session, DIAGNOSTIC_E0905,
                      "a filter run on files takes at most %d images, but '%s' takes %zu",
                      MOST_PICTURES, filter, inputs);
        return false;
    }
    pictures_prepare(x->graph, &x->pictures);
    for (size_t i = 0; i < inputs; i++) {
        const struct picture *picture = &x->pictures.item[i];
        x->files[i] = (struct image_files){.name = picture->stage->name->text,
                                           .is_levels = picture_is_levels(picture)};
        while (x->files[i].is_levels &&
               x->pictures.item[x->files[i].of].stage->as.input.levels != picture->stage->name)
            x->files[i].of++;
    }
    return files_choose(x->c, x->graph, inputs, x->files, &x->runs);
}

static bool check_profile(const struct execution *x)
{
    if (!x->profile.active || !options_want_json(x->c->options))
        return true;
    session_error(x->c->session, DIAGNOSTIC_E0903,
                  "--profile prints a table, which --diagnostics=json leaves no room for");
    return false;
}

/* All that can be wrong in the command line itself, before anything is read. */
static bool choose(struct execution *x)
{
    x->results.count = 0; /* those that are only levels of others come last */
    while (x->results.count < x->graph->outputs.count &&
           x->graph->outputs.item[x->results.count].levels !=
               x->graph->outputs.item[x->results.count].name)
        x->results.count++;
    x->graph = results_add_stages(x->c, x->graph);
    return x->graph && check_profile(x) && choose_precision(x) && choose_threads(x) &&
           choose_memory(x) && parameters_take(x->c, x->graph, x->parameter) && choose_files(x) &&
           results_choose(x->c, x->graph, x->files, x->pictures.count, x->runs, &x->results);
}

struct execution *execution_open(struct command_context *c, bool interprets,
                                 enum exit_status *status)
{
    const struct graph *graph = command_graph_of_file(c, status);
    if (!graph)
        return NULL;
    struct execution *x = ARENA_NEW(c->session->permanent, struct execution);
    *x = (struct execution){
        .c = c,
        .graph = graph,
        .interprets = interprets,
        .profile = {.active = c->options->profile != NULL, .arena = c->session->permanent}};
    *status = EXIT_USAGE;
    return choose(x) ? x : NULL;
}

void execution_close(struct execution *x)
{
    results_free(&x->results);
    pictures_free(x->c, &x->pictures);
    compile_close(&x->compiled);
}
