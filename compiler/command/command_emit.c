/* fltc emit: a filter as source files. Also the switches that look into the compiler. */
#include "command/command.h"
#include "command/calibrate.h"
#include "command/circuits.h"
#include "command/emit_files.h"
#include "command/dumps.h"
#include "command/emit_texts.h"
#include "command/externals.h"
#include "command/interpret_each.h"
#include "command/particles.h"
#include "command/self_check.h"
#include "command/sizes.h"
#include "driver/interface.h"
#include "emit/circuit_language.h"
#include "emit/emit.h"
#include "emit/launch/circuit_report.h"
#include "expr/expr_verify.h"
#include "frontend/load_modules.h"
#include "loop/known_extents.h"

#include <stdlib.h>

/* Whether all names of the list are passes, and passes of the target. */
static bool known_passes(struct session *session, const char *list, const struct target *target)
{
    char name[64];
    for (const char *at = list; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!pass_exists(name) && strcmp(name, "build_graph") != 0) {
            COMMAND_HELP(session,
                         session_error(session, DIAGNOSTIC_E0903, "there is no pass '%s'", name),
                         "fltc emit --print-passes lists them");
            return false;
        }
        if (pass_exists(name) && !pass_runs(name, target)) {
            COMMAND_HELP(
                session,
                session_error(session, DIAGNOSTIC_E0903, "target '%s' lacks what pass '%s' needs",
                              target->name, name),
                "fltc emit --print-passes --target %s lists the passes that it runs", target->name);
            return false;
        }
    }
    return true;
}

/* All passes with what they need of a target; of a named target, those that it runs. */
static void print_passes(const struct target *target)
{
    char needs[FACTS_TEXT];
    for (const struct pass_info *pass = pass_list; pass->name; pass++)
        if (!target || pass_runs(pass->name, target))
            printf("%-20s %5s → %-5s  %-11s  %s\n", pass->name, pass->from, pass->to,
                   target_facts_text(pass->needs, needs), pass->description);
}

static const struct target *choose_target(struct command_context *c)
{
    const struct target *target = command_target(c);
    if (!command_target_exists(c))
        return NULL;
    return c->options->calibrated ? target_calibrated(c, target) : target;
}

static void find_transform(const struct statement *statement, void *user)
{
    bool *found = user;
    *found = *found || statement->kind == STATEMENT_TRANSFORM;
    statement_children(statement, find_transform, found);
}

/* Whether there is something to transform for a library that is given. */
static bool has_use_of_fft(struct command_context *c, const struct program *program)
{
    bool found = !c->options->fft;
    find_transform(program->body, &found);
    if (!found)
        session_error(c->session, DIAGNOSTIC_E0903,
                      "'%s' transforms no lines: it has no use for --fft given",
                      program->name->text);
    return found;
}

/* Options about circuits apply only to targets that make circuits. */
static bool circuit_options_suit(struct command_context *c, const struct target *target)
{
    const char *option = c->options->pixels        ? "--pixels"
                         : c->options->clock       ? "--clock"
                         : c->options->part        ? "--part"
                         : c->options->most_memory ? "--most-memory"
                                                   : NULL;
    const char *of_programs = c->options->interface ? "--interface"
                              : c->options->boxes   ? "--boxes"
                                                    : NULL;
    if (target->execution == EXECUTION_DATAFLOW && of_programs) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903, "target '%s' has no use for %s",
                                   target->name, of_programs),
                     "leave it out: programs call functions, and the report of a circuit "
                     "describes its ports");
        return false;
    }
    if (target->execution == EXECUTION_DATAFLOW || !option)
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903, "target '%s' has no use for %s",
                               target->name, option),
                 "leave it out: it applies to circuits, and this target makes none");
    return false;
}

/* --terms is a way of --interpret-each. */
static bool terms_suit(struct command_context *c)
{
    if (!c->options->terms || c->options->interpret_each)
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903,
                               "--terms says how --interpret-each compares, which is not given"),
                 "add --interpret-each");
    return false;
}

/* Options that change host functions apply only to targets that run on the host. */
static bool options_suit(struct command_context *c, const struct target *target)
{
    const char *option = c->options->fft ? "--fft given" : c->options->cpu ? "--cpu multi" : NULL;
    if (c->options->boxes && c->options->fft) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903,
                                   "--boxes and --fft given exclude each other"),
                     "a program over boxes has transforms of its own: leave out one of the two");
        return false;
    }
    if (target->runs_on_host || !option)
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903, "target '%s' has no use for %s",
                               target->name, option),
                 "leave it out: kernels of this target run apart from the host's functions");
    return false;
}

/* Options that change no text, and those that the origin tells in another way. An option that
 * is not here counts. */
static const char *const not_counted[] = {
    "output",      "depfile",        "include",      "with",       "no-extern",
    "diagnostics", "warn",           "dump",         "dump-dir",   "stop-after",
    "verify-each", "interpret-each", "print-passes", "param",      "time-passes",
    "most-memory", "target",         "filter",       "calibrated",
};

struct origin_from emit_origin(struct command_context *c, const struct target *target)
{
    return (struct origin_from){.path = c->options->arguments.item[0],
                                .target = target,
                                .options = options_given(c->session->permanent, c->options,
                                                         not_counted,
                                                         sizeof not_counted / sizeof *not_counted),
                                .settings = &c->options->settings};
}

static struct origin origin_of_graph(struct command_context *c, const struct target *target,
                                     const struct graph *graph)
{
    const struct origin_from from = emit_origin(c, target);
    return origin_of_modules(c->session, c->modules, &from, graph->name->text);
}

enum exit_status emit_loops(struct command_context *c, const struct program *program,
                            const struct graph *graph, const struct target *target,
                            const struct emit_place *place, const struct origin *origin,
                            const struct self_check *self_check)
{
    const bool has_interface = c->options->interface != NULL;
    const struct interface_given given =
        interface_given(c->session, c->modules, c->filter, origin);
    struct emit_options emit = {.multi = c->options->cpu != NULL,
                                .gives_fft = c->options->fft != NULL,
                                .entry = has_interface,
                                .interface = has_interface ? &given : NULL,
                                .boxes = c->options->boxes && graph,
                                .self_check = self_check};
    if (!has_use_of_fft(c, program))
        return EXIT_USAGE;
    emit.stem = place->stem;
    struct emitted emitted = emit_program(c->session, program, target, &emit);
    if (emit.boxes && !command_add_boxes(c, graph, target, &emit, "leave out --boxes", &emitted))
        return c->is_fault ? EXIT_FAULT : EXIT_USAGE;
    return emit_files_write(c, &emitted, place, origin);
}

/* The circuit, what tests it, and the same filter in C as their model. */
static enum exit_status emit_circuit(struct command_context *c, const struct graph *graph,
                                     const struct circuit *circuit, const struct target *target,
                                     const struct emit_place *place)
{
    bool is_usage;
    const char *stem = place->stem;
    if (!circuit_moves(circuit)) {
        report_fault("the circuit deadlocks: its FIFOs have no depths with which it moves");
        return EXIT_FAULT;
    }
    if (!circuit_fits_memory(c, target, circuit, &is_usage))
        return is_usage ? EXIT_USAGE : command_finish(c);
    const struct target *model = target_find("c");
    const struct pass_options options = {.from = NULL};
    struct emitted files = circuit_language_of(target)->emit(c->session, circuit, stem, target);
    emit_circuit_report(c->session, circuit, stem, target->circuit.megahertz, &files);
    struct graph *renamed = graph_copy(c->session->ir, graph);
    renamed->name =
        symbol_from(&c->session->symbols, circuit_model_name(c->session->permanent, graph));
    const struct pass_result loops = run_passes(c->session, renamed, model, &options);
    if (loops.problem) {
        report_fault(loops.problem);
        return EXIT_FAULT;
    }
    const struct emit_options emit = {.stem =
                                          arena_format(c->session->permanent, "%s_model", stem)};
    const struct emitted in_c = emit_program(c->session, loops.program, model, &emit);
    for (size_t i = 0; i < in_c.files.count; i++)
        VECTOR_PUSH(c->session->ir, &files.files, in_c.files.item[i]);
    const struct origin origin = origin_of_graph(c, target, graph);
    return emit_files_write(c, &files, place, &origin);
}

/* 0 where it is not given. */
static bool read_seed(struct command_context *c, uint64_t *seed)
{
    const char *given = c->options->random_schedule;
    char *end;
    *seed = given ? strtoull(given, &end, 10) : 0;
    if (!given || (*seed > 0 && !*end && *given != '-'))
        return true;
    session_error(c->session, DIAGNOSTIC_E0903,
                  "--random-schedule takes a number of 1 or more, not '%s'", given);
    return false;
}

bool emit_pass_options(struct command_context *c, struct pass_options *options)
{
    const struct options *o = c->options;
    *options = (struct pass_options){.from = o->from,
                                     .stop_after = o->stop_after,
                                     .skip = o->skip_pass,
                                     .choices = c->choices,
                                     .verify_each = o->verify_each != NULL};
    dumps_take(c, options);
    return read_seed(c, &options->random_schedule);
}

/* A program goes through all passes. */
static bool from_suits(struct command_context *c)
{
    const struct options *o = c->options;
    const char *path = o->arguments.count ? o->arguments.item[0] : NULL;
    if (!o->from || !path || emit_takes_text(path))
        return true;
    COMMAND_HELP(c->session,
                 session_error(c->session, DIAGNOSTIC_E0903,
                               "--from takes up a .graph or .loop file, which '%s' is not", path),
                 "--dump=after:PASS --stop-after=PASS prints one");
    return false;
}

/* Whether the options have values that exist, and suit the target. False after a message. */
static bool options_are_right(struct command_context *c, const struct target *target)
{
    const struct options *o = c->options;
    if (o->cpu && strcmp(o->cpu, "multi") != 0) {
        session_error(c->session, DIAGNOSTIC_E0903, "--cpu takes multi, not '%s'", o->cpu);
        return false;
    }
    if (o->fft && strcmp(o->fft, "given") != 0) {
        COMMAND_HELP(
            c->session,
            session_error(c->session, DIAGNOSTIC_E0903, "--fft takes given, not '%s'", o->fft),
            "the program that opens the filter chooses the library; without --fft a filter needs "
            "none");
        return false;
    }
    const char *after = o->dump && strncmp(o->dump, "after:", 6) == 0 ? o->dump + 6 : NULL;
    return target && options_suit(c, target) && circuit_options_suit(c, target) &&
           known_passes(c->session, o->from, target) &&
           known_passes(c->session, o->stop_after, target) &&
           known_passes(c->session, o->skip_pass, target) &&
           known_passes(c->session, after, target);
}

/* What looks on while passes run. */
struct watching {
    struct interpret_each *each; /* NULL: nothing is interpreted */
    struct self_checking checking;
};

static bool watch_pass(const char *pass, const struct graph *graph, const struct program *program,
                       void *context)
{
    struct watching *watching = context;
    return self_check_after(pass, graph, program, &watching->checking) &&
           (!watching->each || interpret_each_after(pass, graph, program, watching->each));
}

static bool watch_circuit_pass(const char *pass, const struct circuit *circuit, void *context)
{
    const struct watching *watching = context;
    return interpret_each_after_circuit(pass, circuit, watching->each);
}

/* Runs the passes over the graph, and emits what they make. */
static enum exit_status emit_graph(struct command_context *c, const struct graph *graph,
                                   const struct target *target, const struct emit_place *place)
{
    const struct options *o = c->options;
    struct interpret_each each;
    struct external_functions externals;
    struct pass_options options;
    struct watching watching = {.each = NULL, .checking = {c->session, .graph = graph}};
    if (!emit_pass_options(c, &options))
        return EXIT_USAGE;
    if (o->self_check)
        options.after = watch_pass;
    options.after_context = &watching;
    const struct graph *asked = graph;
    struct circuit_asked circuit_asked;
    const bool is_circuit = target->execution == EXECUTION_DATAFLOW;
    struct sized sized = {NULL, NULL};
    if (is_circuit || o->size) {
        if (!graph_sized(c, graph, target, &sized))
            return EXIT_USAGE;
        watching.checking.graph = sized.all;
        graph = sized.graph;
    }
    if (is_circuit) {
        target = circuit_target(c, graph, target);
        circuit_asked = (struct circuit_asked){c, target};
        options.accepts = circuit_accepts;
        options.accepts_context = &circuit_asked;
        if (!target || (o->interpret_each && !circuit_is_small(c, graph)))
            return EXIT_USAGE;
    }
    if (o->interpret_each) {
        if (!externals_load(c, &externals))
            return EXIT_WRONG_INPUT;
        interpret_each_start(&each, c->session, graph, &externals, o->terms);
        watching.each = &each;
        options.after = watch_pass;
        options.after_circuit = watch_circuit_pass;
    }
    const struct pass_result result = run_passes(c->session, graph, target, &options);
    if (o->interpret_each && o->terms)
        interpret_each_tell(&each, stderr);
    if (o->interpret_each && interpret_each_end(&each)) {
        report_fault(each.problem);
        return EXIT_FAULT;
    }
    if (result.problem) {
        report_fault(result.problem);
        return EXIT_FAULT;
    }
    struct pass_result made = result;
    made.program = o->stop_after ? NULL : result.program; /* loops are not what they will be */
    if (!command_schedule_is_kept(c, graph, &made) || c->session->diagnostics.error_count)
        return command_finish(c);
    if (o->stop_after)
        return EXIT_DONE;
    if (result.circuit)
        return emit_circuit(c, asked, result.circuit, target, place);
    const struct self_check *check = o->self_check ? self_check_of(c, &watching.checking) : NULL;
    if (o->self_check && !check)
        return command_finish(c);
    const struct origin origin = origin_of_graph(c, target, graph);
    const struct program *program =
        sized.all ? program_with_extents(c->session->ir, c->session->scratch, &c->session->pool,
                                         result.program, sized.all)
                  : result.program;
    return emit_loops(c, program, asked, target, place, &origin, check);
}

/* The filter under the name that --prefix makes of its own; NULL: after a message. */
static const struct graph *prefixed(struct command_context *c, const struct graph *graph)
{
    const char *prefix = c->options->prefix;
    if (!prefix)
        return graph;
    const size_t legal = strspn(prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                        "0123456789");
    if (*prefix == 0 || prefix[legal] || (*prefix >= '0' && *prefix <= '9')) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903,
                                   "names in C cannot begin with '%s', which --prefix gives",
                                   prefix),
                     "write --prefix gpu_: letters, digits and _, no digit first");
        return NULL;
    }
    struct graph *renamed = graph_copy(c->session->ir, graph);
    renamed->name = symbol_format(&c->session->symbols, "%s%s", prefix, graph->name->text);
    return renamed;
}

enum exit_status command_emit(struct command_context *c)
{
    const struct options *o = c->options;
    const struct target *target = choose_target(c);
    if (o->print_passes && target) {
        print_passes(o->target ? target : NULL);
        return EXIT_DONE;
    }
    if (!options_are_right(c, target) || !terms_suit(c))
        return EXIT_USAGE;
    struct emit_place place;
    enum exit_status status = emit_place_find(c, target, &place);
    if (status != EXIT_DONE)
        return status;
    if (!from_suits(c))
        return EXIT_USAGE;
    const bool is_text = o->arguments.count && emit_takes_text(o->arguments.item[0]);
    if (is_text && o->prefix) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903,
                                   "--prefix is for programs, and '%s' is none",
                                   o->arguments.item[0]),
                     "change the name in its first line");
        return EXIT_USAGE;
    }
    if (is_text)
        return emit_text(c, target, &place);
    const struct graph *graph = command_graph_of_file(c, &status);
    if (!graph)
        return status;
    graph = prefixed(c, interface_described(c->session, c->modules, c->filter, graph));
    if (!graph)
        return EXIT_USAGE;
    if (!command_settings_are_known(c, graph) ||
        !emit_place_suits(c, target, graph->name->text, &place))
        return EXIT_USAGE;
    if (!program_externals_suit(c->session, c->modules, target) ||
        !program_particles_suit(c->session, graph, target))
        return EXIT_WRONG_INPUT;
    if (!self_check_suits(c, graph, target))
        return EXIT_USAGE;
    return emit_graph(c, graph, target, &place);
}
