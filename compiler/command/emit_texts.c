/* text of a graph or of loops → source files. Passes run over it from the one that --from names. */
#include "command/emit_texts.h"
#include "command/externals.h"
#include "command/interpret_each.h"
#include "command/output.h"
#include "command/particles.h"
#include "expr/expr_verify.h"
#include "graph/graph_text.h"
#include "loop/loop_text.h"

#include <stdarg.h>

static bool is_loops(const char *path)
{
    return text_ends_in(path, ".loop");
}

bool emit_takes_text(const char *path)
{
    return is_loops(path) || text_ends_in(path, ".graph");
}

static bool refuse(struct command_context *c, const char *help, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(struct command_context *c, const char *help, const char *format, ...)
{
    va_list arguments;
    char text[512];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903, "%s", text);
    if (help)
        COMMAND_HELP(c->session, d, "%s", help);
    return false;
}

/* Options that take effect before a graph is made cannot be given with one. */
static bool elaboration_suits(struct command_context *c, const char *path)
{
    const struct options *o = c->options;
    const char *option = o->filter                ? "--filter"
                         : o->fast                ? "--fast"
                         : o->type_settings.count ? "--type"
                         : o->settings.count      ? "--param"
                         : o->self_check          ? "--self-check"
                         : o->size                ? "--size"
                                                  : NULL;
    return !option || refuse(c, "say it where the text is dumped from the program",
                             "'%s' is no program: it has no use for %s", path, option);
}

static bool stays_graph(const char *stop_after)
{
    return stop_after && pass_exists(stop_after) && strcmp(pass_makes(stop_after), "GRAPH") == 0;
}

/* Whether the passes that the options name can run over what the file holds. */
static bool passes_suit(struct command_context *c, const char *path, const struct target *target)
{
    const struct options *o = c->options;
    const char *holds = is_loops(path) ? "LOOP" : "GRAPH";
    if (target->execution == EXECUTION_DATAFLOW && !stays_graph(o->stop_after))
        return refuse(c, "emit the program itself, or stop at a pass over graphs",
                      "target '%s' makes circuits of programs alone", target->name);
    if (is_loops(path) && !o->from && (o->dump || o->stop_after || o->skip_pass))
        return refuse(c, "--from=PASS tells which pass is the first",
                      "no pass runs over '%s' without --from", path);
    if (is_loops(path) && o->interpret_each)
        return refuse(c, "give it a program or a .graph file",
                      "--interpret-each compares with a graph, which '%s' has not", path);
    if (o->from && !pass_exists(o->from))
        return refuse(c, "fltc emit --print-passes lists them", "--from takes one pass, not '%s'",
                      o->from);
    if (o->from && strcmp(pass_takes(o->from), holds) != 0)
        return refuse(c, "fltc emit --print-passes tells what each pass takes",
                      "pass '%s' takes a %s, not what a %s file holds", o->from,
                      is_loops(path) ? "graph" : "program of loops",
                      is_loops(path) ? ".loop" : ".graph");
    return !o->from || !o->stop_after || !pass_exists(o->stop_after) ||
           !pass_is_before(o->stop_after, o->from) ||
           refuse(c, NULL, "pass '%s' of --stop-after comes before '%s' of --from", o->stop_after,
                  o->from);
}

/* False after a message on the file or on its text. */
static bool read_input(struct command_context *c, const char *path, const struct target *target,
                       struct pass_input *input, struct origin *origin)
{
    struct session *session = c->session;
    size_t length;
    const char *problem;
    const char *text = read_whole_file(session->permanent, path, &length, &problem);
    if (!text) {
        diagnostic_report(&session->diagnostics, DIAGNOSTIC_E0901, (struct span){0, 0}, path,
                          problem);
        return false;
    }
    const struct origin_from from = emit_origin(c, target);
    *origin = origin_of_text(session, &from, text, length);
    /* Its spans are bytes of the program, which is not here. */
    source_map_reserve(&session->sources, UINT32_C(1) << 30);
    if (is_loops(path))
        input->program = program_read(session, path, text, length);
    else
        input->graph = graph_read(session, path, text, length);
    if (!input->program && !input->graph)
        return false;
    problem = pass_input_problem(input, target, c->options->from, session->scratch);
    if (problem)
        session_error(session, DIAGNOSTIC_E0120, "%s: %s", path, problem);
    return !problem;
}

static bool functions_suit(struct command_context *c, const struct target *target)
{
    if (!program_externals_suit(c->session, NULL, target))
        return false;
    const struct external_list called = expr_externals(&c->session->pool, c->session->permanent);
    if (c->options->no_extern && called.count)
        diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0225, (struct span){0, 0},
                          called.item[0]->name->text);
    return !c->options->no_extern || !called.count;
}

/* Loops without --from are as they are emitted. */
static enum exit_status run(struct command_context *c, const struct pass_input *input,
                            const struct target *target, struct pass_result *result)
{
    struct pass_options options;
    struct interpret_each each;
    struct external_functions externals;
    *result = (struct pass_result){.program = input->program};
    if (input->program && !c->options->from)
        return EXIT_DONE;
    if (!emit_pass_options(c, &options))
        return EXIT_USAGE;
    if (c->options->interpret_each) {
        if (!externals_load(c, &externals))
            return EXIT_WRONG_INPUT;
        interpret_each_start(&each, c->session, input->graph, &externals, c->options->terms);
        options.after = interpret_each_after;
        options.after_context = &each;
    }
    *result = run_passes_over(c->session, input, target, &options);
    if (c->options->interpret_each && c->options->terms)
        interpret_each_tell(&each, stderr);
    const bool differs = c->options->interpret_each && interpret_each_end(&each);
    if (!differs && !result->problem)
        return EXIT_DONE;
    report_fault(differs ? each.problem : result->problem);
    return EXIT_FAULT;
}

enum exit_status emit_text(struct command_context *c, const struct target *target,
                           struct emit_place *place)
{
    const char *path = c->options->arguments.item[0];
    struct pass_input input = {0};
    struct origin origin;
    struct pass_result result;
    if (!elaboration_suits(c, path) || !passes_suit(c, path, target))
        return EXIT_USAGE;
    if (!read_input(c, path, target, &input, &origin) || !functions_suit(c, target) ||
        (input.graph && !program_particles_suit(c->session, input.graph, target)))
        return EXIT_WRONG_INPUT;
    const enum exit_status status = run(c, &input, target, &result);
    if (status != EXIT_DONE || c->session->diagnostics.error_count || c->options->stop_after)
        return status == EXIT_DONE ? command_finish(c) : status;
    if (!emit_place_suits(c, target, result.program->name->text, place))
        return EXIT_USAGE;
    return emit_loops(c, result.program, NULL, target, place, &origin, NULL);
}
