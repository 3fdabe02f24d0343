/* What the commands have in common, and the small ones. */
#include "command/command.h"
#include "command/choices.h"
#include "frontend/float_uses.h"
#include "frontend/check_header.h"
#include "frontend/format.h"
#include "frontend/parse.h"
#include "command/output.h"
#include "command/pictures.h"
#include "graph/placement/line_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* The modules of the command's file; NULL after an error. */
static const struct module_set *command_load(struct command_context *c)
{
    if (c->options->arguments.count == 0) {
        struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0903, "'fltc %s' needs a file",
                                             c->options->command);
        COMMAND_HELP(c->session, d, "fltc --help lists commands and options");
        return NULL;
    }
    for (size_t i = 0; i < c->options->includes.count; i++)
        VECTOR_PUSH(c->session->permanent, &c->session->headers.folders,
                    c->options->includes.item[i]);
    c->session->headers.refused = c->options->no_extern != NULL;
    c->session->headers.check = header_check;
    c->modules = load_modules(c->session, c->options->arguments.item[0]);
    return c->modules;
}

const struct module_set *command_load_any(struct command_context *c)
{
    const bool is_library =
        c->options->arguments.count && strncmp(c->options->arguments.item[0], "std.", 4) == 0;
    return is_library ? load_modules_library(c->session, c->options->arguments.item[0])
                      : command_load(c);
}

static bool is_command(const struct command_context *c, const char *name)
{
    return strcmp(c->options->command, name) == 0;
}

/* Reports what is a fault of fltc itself; NULL: nothing is. */
static void take_fault(struct command_context *c, const char *fault)
{
    c->is_fault = c->is_fault || fault;
    if (fault)
        report_fault(fault);
}

static void report_silence(struct command_context *c)
{
    take_fault(c, "a filter is refused without a message");
}

const struct graph *command_graph(struct command_context *c, const struct module_set *modules)
{
    struct session *session = c->session;
    struct options *o = c->options;
    c->filter = program_filter(session, modules, o->filter, o->type_settings.item,
                               o->type_settings.count);
    if (!c->filter)
        return NULL;
    /* Elsewhere values of parameters are given to each run. */
    const bool fixes_parameters =
        is_command(c, "emit") || is_command(c, "explain") || is_command(c, "schedule");
    const bool runs = is_command(c, "run") || is_command(c, "interpret");
    if (command_target(c)->execution == EXECUTION_DATAFLOW)
        c->float_uses = ARENA_NEW(session->permanent, struct float_uses);
    if (!command_target_exists(c) || (runs && !pictures_types(c, c->filter)))
        return NULL;
    const struct elaborate_options options = {
        .types = o->type_settings.item,
        .type_count = o->type_settings.count,
        .default_types = !runs && !is_command(c, "emit"),
        .fast = o->fast,
        .formats = c->formats,
        .format_count = c->format_count,
        .fixed_as_real = c->fixed_as_real,
        .float_uses = c->float_uses,
        .target = c->fixed_as_real ? "none" : o->target};
    const struct graph *graph =
        program_graph(session, modules, c->filter, &o->settings, fixes_parameters, options);
    if (!graph && !session->diagnostics.error_count)
        report_silence(c);
    return graph;
}

bool command_settings_are_known(struct command_context *c, const struct graph *graph)
{
    const char *name;
    struct diagnostic *d =
        program_unused_setting(c->session, graph, &c->options->settings, &name);
    if (d && option_near(name, c->options->command))
        COMMAND_HELP(c->session, d, "write --%s, an option of fltc %s",
                     option_near(name, c->options->command), c->options->command);
    return !d;
}

const struct graph *command_graph_of_file(struct command_context *c, enum exit_status *status)
{
    const struct module_set *modules = command_load(c);
    if (!modules && c->options->arguments.count == 0) {
        *status = EXIT_USAGE;
        return NULL;
    }
    const struct graph *graph = modules ? command_graph(c, modules) : NULL;
    *status = command_finish(c);
    if (!graph && *status == EXIT_DONE)
        *status = EXIT_WRONG_INPUT;
    return graph;
}

enum exit_status command_finish(struct command_context *c)
{
    struct diagnostics *diagnostics = &c->session->diagnostics;
    struct text text = text_create(c->session->permanent);
    if (options_want_json(c->options))
        diagnostics_render_json(diagnostics, &text);
    else
        diagnostics_render_text(diagnostics, &text, isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
    if (text.length)
        fwrite(text.bytes, 1, text.length, stderr);
    diagnostics->list.count = 0;
    return c->is_fault ? EXIT_FAULT : diagnostics->error_count ? EXIT_WRONG_INPUT : EXIT_DONE;
}

/* A real number in steps of 2^-fraction, the nearest one. */
static bool fixed_from_text(const char *text, struct fixed_point fixed, int64_t *integer)
{
    char *end;
    const double scaled = rint(ldexp(strtod(text, &end), fixed.fraction));
    const bool fits = scaled >= -0x1p62 && scaled <= 0x1p62; /* not a number does not */
    *integer = fits ? (int64_t)scaled : 0;
    return fits && end != text && !*end;
}

bool parse_value(const char *text, const struct parameter *p, struct value *value)
{
    char *end;
    errno = 0;
    value->integer = 0;
    for (size_t i = 0; i < p->choice_count; i++)
        if (strcmp(p->choice[i]->text, text) == 0) {
            value->integer = (int64_t)i;
            return true;
        }
    if (p->choice_count)
        return false;
    if (p->scalar == SCALAR_BOOL) {
        value->integer = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        return value->integer || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
    }
    if (scalar_is_float(p->scalar)) {
        const double real = strtod(text, &end);
        if (p->scalar == SCALAR_F32)
            value->f32 = strtof(text, NULL);
        else
            value->f64 = real;
        const double kept = p->scalar == SCALAR_F32 ? (double)value->f32 : real;
        return end != text && !*end && !isnan(real) &&
               (!p->least || (kept >= p->least->as.real && kept <= p->greatest->as.real));
    }
    if (p->fixed.is) {
        if (!fixed_from_text(text, p->fixed, &value->integer))
            return false;
    } else {
        value->integer = strtoll(text, &end, 10);
        if (end == text || *end || errno)
            return false;
    }
    const struct interval range =
        p->least ? (struct interval){p->least->as.integer, p->greatest->as.integer}
                 : scalar_info[p->scalar].interval;
    return value->integer >= range.least && value->integer <= range.greatest;
}

bool command_schedule_is_kept(struct command_context *c, const struct graph *asked,
                              const struct pass_result *made)
{
    const bool is_partial = c->options->skip_pass || c->options->stop_after;
    const char *fault = NULL;
    const bool good =
        schedule_is_kept(c->session, asked, made,
                         is_partial ? "the pass that would do it does not run" : NULL, &fault);
    take_fault(c, fault);
    return good;
}

bool command_add_boxes(struct command_context *c, const struct graph *graph,
                       const struct target *target, const struct emit_options *options,
                       const char *cure, struct emitted *emitted)
{
    const char *fault = NULL;
    const bool good =
        boxes_add(c->session, graph, target, c->choices, options, cure, emitted, &fault);
    take_fault(c, fault);
    return good;
}

const char *command_tile_text(struct command_context *c, const struct stage *stage)
{
    struct text text = text_create(c->session->permanent);
    const struct schedule *schedule = stage->schedule;
    const unsigned lanes =
        schedule_has_lines(schedule) ? line_lanes(stage, schedule->as.lines.axis) : stage->rank;
    for (unsigned k = 0; schedule && k < schedule->rank; k++)
        if (schedule->tile[k] &&
            (!schedule_has_lines(schedule) || k == lanes || schedule_runs_along(schedule, k)))
            text_print(&text, "%s%s: %" PRId64, text.length ? ", " : "(", stage->axis[k].name->text,
                       schedule->tile[k]);
    if (text.length)
        text_print(&text, ")");
    if (schedule_slides(schedule))
        text_print(&text, " sliding %s", stage->axis[schedule->as.tiles.axis].name->text);
    if (schedule_has_lines(schedule))
        text_print(&text, " %s %s",
                   schedule->as.lines.segmented && schedule->as.lines.axis + 1 < schedule->rank
                       ? "blocked"
                       : "along",
                   stage->axis[schedule->as.lines.axis].name->text);
    return text.bytes;
}

static bool has_schedule(const struct graph *graph)
{
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->schedule || graph->stages.item[i]->details)
            return true;
    return false;
}

const struct target *command_target(struct command_context *c)
{
    const struct target *named = target_find(c->options->target ? c->options->target : "c");
    return target_on_machine(c->session->permanent, named ? named : target_find("c"),
                             c->options->machine);
}

bool command_target_exists(struct command_context *c)
{
    char names[128];
    const bool runs = is_command(c, "run") || is_command(c, "test") || is_command(c, "tune");
    const struct target *target = c->options->target ? target_find(c->options->target) : NULL;
    const bool suits = target && (target->execution != EXECUTION_DATAFLOW || is_command(c, "emit"));
    if (!c->options->target || (suits && (target->compiler || !runs)))
        return machine_exists(c->session, target ? target : target_find("c"),
                              c->options->machine) && choices_take(c);
    if (target && target->execution == EXECUTION_DATAFLOW) {
        COMMAND_HELP(c->session,
                     session_error(c->session, DIAGNOSTIC_E0903,
                                   "target '%s' makes circuits, and fltc %s takes none",
                                   target->name, c->options->command),
                     "fltc emit --target %s --size y=1080,x=1920 writes the circuit, its test "
                     "bench and a report",
                     target->name);
        return false;
    }
    diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0601, (struct span){0, 0},
                      c->options->target, target_names(names));
    return false;
}

struct pass_result command_passes(struct command_context *c, const struct graph *graph)
{
    const struct pass_options options = {.choices = c->choices};
    const struct pass_result result = run_passes(c->session, graph, command_target(c), &options);
    return command_schedule_is_kept(c, graph, &result) ? result : (struct pass_result){0};
}

/* Whether a schedule can be kept, the passes tell. */
static void check_schedule(const struct graph *graph, void *context)
{
    struct command_context *c = context;
    if (graph && has_schedule(graph))
        command_passes(c, graph);
}

/* Whether a file holds more than imports and comments. */
static bool defines_something(const struct module *module)
{
    for (size_t i = 0; i < module->items->count; i++)
        if (module->items->item[i]->kind != AST_IMPORT)
            return true;
    return false;
}

enum exit_status command_check(struct command_context *c)
{
    const struct module_set *modules = command_load(c);
    if (!modules && c->options->arguments.count == 0)
        return EXIT_USAGE;
    if (modules && !c->session->diagnostics.error_count) {
        if (c->options->filter || c->options->type_settings.count)
            check_schedule(command_graph(c, modules), c);
        else if (!defines_something(modules->list.item[0].module))
            elaborate_choose(c->session, modules, NULL); /* says that there is no filter */
        else if (!elaborate_all(c->session, modules, check_schedule, c))
            report_silence(c);
    }
    return command_finish(c);
}

enum exit_status command_format(struct command_context *c)
{
    const struct module_set *modules = command_load(c);
    if (!modules && c->options->arguments.count == 0)
        return EXIT_USAGE;
    const enum exit_status status = command_finish(c);
    if (!modules || status != EXIT_DONE)
        return status;
    struct text text = text_create(c->session->permanent);
    format_module(modules->list.item[0].module, &text);
    const char *path = c->options->in_place ? c->options->arguments.item[0] : c->options->output;
    if (c->options->in_place && strcmp(path, "-") != 0 && output_is_direct(path)) {
        diagnostic_report(&c->session->diagnostics, DIAGNOSTIC_E0902, (struct span){0, 0}, path,
                          "it is no file");
        return EXIT_WRONG_INPUT;
    }
    const struct output_file file = {path ? path : "-", text.length ? text.bytes : "", text.length};
    return output_write(c->session, 1, &file) ? EXIT_DONE : EXIT_WRONG_INPUT;
}
