/* fltc run and fltc interpret: a filter on image files, or on sequences of them. Both differ only
 * in what executes it. */
#include "command/command.h"
#include "command/compare.h"
#include "command/execute.h"
#include "command/externals.h"
#include "command/slabs.h"
#include "command/stamp.h"

/* Which of several files it was, for the messages of a run. */
static void tell_run(struct execution *x, size_t messages)
{
    struct diagnostics *diagnostics = &x->c->session->diagnostics;
    const char *path = x->pictures.count > 0 ? x->pictures.item[0].path : NULL;
    if (x->run >= x->runs)
        return; /* a picture within a file: reading it tells which */
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

/* Beside the same run over real numbers, where that is asked for. */
static bool compare_once(struct execution *x, struct execution **real)
{
    if (!x->c->options->compare)
        return true;
    if (!*real)
        *real = compare_open(x);
    if (!*real || !compare_run(x, *real))
        return false;
    compare_print(x, *real);
    return true;
}

/* real: what it is compared with, made in the first run. */
static bool run_once(struct execution *x, struct execution **real)
{
    const size_t messages = x->c->session->diagnostics.list.count;
    if (x->runs > 1 && x->run < x->runs)
        progress_set_part(&x->progress, x->run + 1, x->runs);
    double start = profile_now();
    bool good = pictures_load(x->c, x->graph, x->parameter, x->files, &x->pictures);
    const char *only = good ? results_of_one_run(x->c, &x->results) : NULL;
    good = good && (!only || pictures_are_alone(x->c, &x->pictures, only,
                                                "write a number in the name: out_%04d.pgm"));
    add_time(&x->profile.reading, &start);
    good = good && execute_entry(x) && (x->run > 0 || x->interprets || execute_compile(x));
    add_time(&x->profile.compiling, &start);
    good = good && (x->memory > 0 ? slabs_run(x) : execute_slices(x));
    add_time(&x->profile.running, &start);
    good = good && compare_once(x, real);
    good = good && results_save(x->c, &x->pictures, x->run, &x->results) && stamp_write(x);
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
    struct execution *x = execution_open(c, interprets, &status);
    if (!x)
        return status;
    if (!results_go_somewhere(c, &x->results) || !stamp_suits(x)) {
        execution_close(x);
        return EXIT_USAGE;
    }
    if (!options_want_json(c->options))
        progress_start(&x->progress, x->graph->name->text, c->options->progress != NULL);
    struct execution *real = NULL;
    bool good = results_check_files(c, &x->results, x->runs);
    good = good && (!interprets || externals_load(c, &x->externals));
    bool follows = true;
    for (; good && follows; x->run++) {
        good = run_once(x, &real);
        follows = good && pictures_follow(c, x->files, &x->pictures, &good);
    }
    progress_end(&x->progress);
    if (good && x->profile.active)
        profile_print(&x->profile, x->graph->name->text);
    compare_close(real);
    execution_close(x);
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
