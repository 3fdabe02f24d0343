/* fltc run and fltc interpret: a filter on image files, or on sequences of them. Both differ only in
 * what executes it. */
#include "command/command.h"
#include "command/execute.h"
#include "command/externals.h"

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
        command_error(session, DIAGNOSTIC_E0903, "--precision takes double or extended, not '%s'",
                      given);
    return !given;
}

static bool choose_threads(struct execution *x)
{
    const char *given = x->c->options->threads;
    char *end;
    if (!given)
        return true;
    x->threads = (int)strtol(given, &end, 10);
    if (!*end && end != given && x->threads >= 0)
        return true;
    command_error(x->c->session, DIAGNOSTIC_E0903, "--threads takes a number, not '%s'", given);
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
        command_error(x->c->session, DIAGNOSTIC_E0905,
                      "a filter run on files takes at most %d images, but '%s' takes %zu",
                      MOST_PICTURES, filter, inputs);
        return false;
    }
    pictures_prepare(x->graph, &x->pictures);
    for (size_t i = 0; i < inputs; i++)
        x->files[i].name = x->pictures.item[i].stage->name->text;
    return files_choose(x->c, filter, inputs, x->files, &x->runs);
}

static bool check_profile(const struct execution *x)
{
    if (!x->profile.active || !options_want_json(x->c->options))
        return true;
    command_error(x->c->session, DIAGNOSTIC_E0903,
                  "--profile prints a table, which --diagnostics=json leaves no room for");
    return false;
}

/* All that can be wrong in the command line itself, before anything is read. */
static bool choose(struct execution *x)
{
    x->results.count = x->graph->outputs.count;
    x->graph = results_add_stages(x->c, x->graph);
    return x->graph && check_profile(x) && choose_precision(x) && choose_threads(x) &&
           parameters_take(x->c, x->graph, x->parameter) && choose_files(x) &&
           results_choose(x->c, x->graph, x->files, x->pictures.count, x->runs, &x->results);
}

/* Which of several files it was, for the messages of a run. */
static void tell_run(struct execution *x, size_t messages)
{
    struct diagnostics *diagnostics = &x->c->session->diagnostics;
    const char *path = x->pictures.count > 0 ? x->pictures.item[0].path : NULL;
    for (size_t i = 0; i < x->pictures.count; i++)
        if (x->files[i].path.count == x->runs)
            path = x->pictures.item[i].path;
    for (size_t i = messages; path && i < diagnostics->list.count; i++)
        diagnostic_note(diagnostics, diagnostics->list.item[i], "in run %zu of %zu, on %s",
                        x->run + 1, x->runs, path);
}

static void add_time(double *sum, double *start)
{
    const double now = profile_now();
    *sum += now - *start;
    *start = now;
}

static bool run_once(struct execution *x)
{
    const size_t messages = x->c->session->diagnostics.list.count;
    if (x->runs > 1)
        progress_set_part(&x->progress, x->run + 1, x->runs);
    double start = profile_now();
    bool good = pictures_load(x->c, x->graph, x->parameter, x->files, x->run, &x->pictures);
    add_time(&x->profile.reading, &start);
    good = good && (x->run > 0 || x->interprets || execute_compile(x));
    add_time(&x->profile.compiling, &start);
    good = good && execute_slices(x);
    add_time(&x->profile.running, &start);
    good = good && results_save(x->c, &x->pictures, x->run, &x->results);
    add_time(&x->profile.writing, &start);
    if (x->runs > 1)
        tell_run(x, messages);
    return good;
}

static enum exit_status run_on_files(struct command_context *c, bool interprets)
{
    if (c->options->arguments.count > 0 && !files_check_targets(c))
        return EXIT_USAGE;
    enum exit_status status;
    const struct graph *graph = command_graph_of_file(c, &status);
    if (!graph)
        return status;
    struct execution *x = ARENA_NEW(c->session->permanent, struct execution);
    *x = (struct execution){
        .c = c,
        .graph = graph,
        .interprets = interprets,
        .profile = {.active = c->options->profile != NULL, .arena = c->session->permanent}};
    if (!choose(x))
        return EXIT_USAGE;
    if (!options_want_json(c->options))
        progress_start(&x->progress, x->graph->name->text, c->options->progress != NULL);
    bool good = !interprets || externals_load(c, &x->externals);
    for (; good && x->run < x->runs; x->run++)
        good = run_once(x);
    progress_end(&x->progress);
    if (good && x->profile.active)
        profile_print(&x->profile, x->graph->name->text);
    results_free(&x->results);
    pictures_free(c, &x->pictures);
    compile_close(&x->compiled);
    return good ? EXIT_DONE : x->is_fault ? EXIT_FAULT : EXIT_WRONG_INPUT;
}

enum exit_status command_run(struct command_context *c)
{
    return run_on_files(c, false);
}

enum exit_status command_interpret(struct command_context *c)
{
    return run_on_files(c, true);
}
