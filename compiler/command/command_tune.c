/* fltc tune: schedules are measured on the user's images; the fastest is written as text, to put
 * into the file. */
#include "command/choices.h"
#include "command/command.h"
#include "command/output.h"
#include "command/sources.h"
#include "command/tune.h"

#include <stdlib.h>

static const double SECONDS = 60; /* without --seconds */

/* False after a message. */
static bool choose_seconds(struct command_context *c, double *seconds)
{
    const char *given = c->options->seconds;
    char *end;
    *seconds = given ? strtod(given, &end) : SECONDS;
    if (!given || (!*end && end != given && *seconds >= 0 && *seconds <= 1e6))
        return true;
    session_error(c->session, DIAGNOSTIC_E0903, "--seconds takes a number of 0 or more, not '%s'",
                  given);
    return false;
}

static void tell(const struct execution *x, const struct tuning_result *result)
{
    if (options_want_json(x->c->options))
        return;
    fprintf(stderr, "%s: %.3g ms%s by the compiler's own schedule", x->graph->name->text,
            1e3 * result->automatic, result->on_device ? " of the device's" : "");
    if (result->fastest < result->automatic)
        fprintf(stderr, ", %.3g ms by the fastest of %u that were tried (%.2f times as fast)\n",
                1e3 * result->fastest, result->tried, result->automatic / result->fastest);
    else if (result->tried > 1)
        fprintf(stderr, "; of %u that were tried none is faster\n", result->tried);
    else
        fprintf(stderr, "; no other was tried\n");
}

static bool write(struct execution *x, const struct tuning_result *result)
{
    struct arena *arena = x->c->session->permanent;
    const char *options = choices_text(arena, result->choices);
    const char *text = command_schedule_text(x->c, x->graph, result->done);
    if (options[0])
        text = arena_format(arena, "// Compile it with%s.\n%s", options, text);
    const char *path = x->c->options->output;
    const struct output_file file = {path ? path : "-", text, strlen(text)};
    tell(x, result);
    if (output_write(x->c->session, 1, &file))
        return true;
    fputs(text, stdout); /* it took long to find */
    return false;
}

/* Also the images that are measured on. */
static bool spares_all(struct execution *x, const char *path)
{
    struct arena *arena = x->c->session->permanent;
    const char *identity = output_identity(arena, path);
    for (size_t i = 0; i < MOST_PICTURES; i++)
        for (size_t k = 0; k < x->files[i].path.count; k++)
            if (strcmp(output_identity(arena, x->files[i].path.item[k]), identity) == 0) {
                session_error(x->c->session, DIAGNOSTIC_E0903,
                              "the output '%s' is an image that the filter reads", path);
                return false;
            }
    return sources_are_spared(x->c, path);
}

enum exit_status command_tune(struct command_context *c)
{
    enum exit_status status = EXIT_USAGE;
    double seconds;
    struct execution *x = choose_seconds(c, &seconds) ? execution_open(c, false, &status) : NULL;
    if (!x)
        return status;
    if (x->runs > 1) {
        session_error(
            c->session, DIAGNOSTIC_E0903,
            "'fltc tune' measures on one image for each of the filter's, not on a sequence");
        return EXIT_USAGE;
    }
    if (c->options->output && !spares_all(x, c->options->output)) {
        execution_close(x);
        return EXIT_USAGE;
    }
    if (!options_want_json(c->options))
        progress_start(&x->progress, x->graph->name->text, c->options->progress != NULL);
    struct tuning_result result;
    const bool tuned = pictures_load(c, x->graph, x->parameter, x->files, &x->pictures) &&
                       pictures_are_alone(c, &x->pictures, "'fltc tune' measures on one", NULL) &&
                       tune_filter(x, seconds, &result);
    progress_end(&x->progress);
    const bool written = tuned && write(x, &result);
    execution_close(x);
    return written ? EXIT_DONE : EXIT_WRONG_INPUT;
}
