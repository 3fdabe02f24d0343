/* One program through everything but the C compiler. */
#include "../../externals/table.h"
#include "program/check.h"
#include "program/real_numbers.h"
#include "program/random.h"
#include "program/rounding.h"
#include "program/schedules.h"
#include "frontend/elaborate.h"
#include "frontend/format.h"
#include "expr/evaluate.h"
#include "graph/box_outputs.h"
#include "graph/graph_text.h"
#include "graph/graph_verify.h"
#include "graph/placement/choose.h"
#include "graph/placement/traffic.h"
#include "loop/loop_text.h"
#include "loop/loop_verify.h"
#include "pass_manager.h"

#include <stdio.h>

/* ---- Source ---- */

const char *module_text(struct arena *arena, const struct module *module)
{
    struct text text = text_create(arena);
    format_module(module, &text);
    return text.length ? text.bytes : "";
}

static void report_refusal(struct program_check *check)
{
    struct text text = text_create(check->session->permanent);
    diagnostics_render_text(&check->session->diagnostics, &text, false);
    const char *code = "";
    for (size_t i = 0; i < check->session->diagnostics.list.count && !*code; i++)
        if (check->session->diagnostics.list.item[i]->severity == SEVERITY_ERROR)
            code = diagnostic_info[check->session->diagnostics.list.item[i]->code].code;
    finding_set(&check->finding, FOUND_REFUSAL, code, "%s",
                text.length ? text.bytes : "no message");
}

/* Formatting the parsed text changes nothing; nor does the tree without its source. */
static void check_format(struct program_check *check, const struct module *parsed, const char *text)
{
    struct arena *arena = check->session->permanent;
    struct module bare = *parsed;
    bare.file = NULL;
    if (strcmp(module_text(arena, parsed), text) != 0)
        finding_set(&check->finding, FOUND_SOURCE, "again",
                    "formatting again changes the text:\n%s", module_text(arena, parsed));
    else if (strcmp(module_text(arena, &bare), text) != 0)
        finding_set(&check->finding, FOUND_SOURCE, "tree", "the parsed tree prints as\n%s",
                    module_text(arena, &bare));
}

const struct ast *last_filter(const struct module *module)
{
    const struct ast *filter = NULL;
    for (size_t i = 0; i < module->items->count; i++)
        if (module->items->item[i]->kind == AST_FILTER)
            filter = module->items->item[i];
    return filter;
}

/* For the target, with what the program's own schedules say of it. */
static const struct graph *build_graph(struct program_check *check, const char *text,
                                       bool is_formatted, const char *target)
{
    struct session *session = check->session;
    const struct module_set *modules = load_modules_text(session, "fuzz.flt", text, strlen(text));
    if (!modules || session->diagnostics.error_count) {
        report_refusal(check);
        return NULL;
    }
    const struct module *parsed = modules->list.item[0].module;
    if (is_formatted)
        check_format(check, parsed, text);
    const struct ast *filter = last_filter(parsed);
    const struct elaborate_options options = {.target = target};
    const struct graph *graph =
        filter ? elaborate_filter(session, modules, filter, &options) : NULL;
    if (!graph)
        report_refusal(check);
    return graph;
}

/* ---- Data ---- */

/* A word about an axis name and a trial, so that equal names have equal extents. */
static int64_t extent_of(const struct sampling *sampling, const char *name, unsigned trial,
                         unsigned attempt, unsigned rank)
{
    for (unsigned i = 0; i < sampling->axis_count; i++)
        if (strcmp(sampling->axis[i].name, name) == 0)
            return sampling->axis[i].extent;
    uint64_t random = sampling->seed + 1000 * trial + 77 * attempt;
    for (const char *at = name; *at; at++)
        random = random * 31 + (unsigned char)*at;
    random_next(&random);
    const unsigned most = rank <= 2 ? 40 : rank == 3 ? 12 : 7;
    switch (below(&random, 8)) {
    case 0:
        return 1;
    case 1:
        return 2;
    case 2:
        return trial == 1 ? between(&random, 1, most) : between(&random, 1, 5);
    default:
        return trial == 1 ? between(&random, 3, most < 18 ? most : 18) : between(&random, 1, 7);
    }
}

/* Samples of one magnitude, beside which a wrong one shows. */
static void tame(uint64_t *random, struct samples *samples)
{
    const unsigned bytes = scalar_info[samples->scalar].bytes;
    for (size_t i = 0; i < samples_count(samples); i++) {
        const double unit = (double)(random_next(random) >> 11) * 0x1p-53;
        const struct value value =
            scalar_is_float(samples->scalar)
                ? value_from_real(samples->scalar, (long double)(0.25 + unit))
                : (struct value){.integer = samples->scalar != SCALAR_BOOL ? (int64_t)(100 * unit)
                                                                           : unit < 0.5};
        value_write(samples->data + i * bytes, samples->scalar, value);
    }
}

static void fill_trial(struct program_check *check, const struct sampling *sampling,
                       unsigned number, unsigned attempt)
{
    struct trial *trial = &check->trial[number];
    uint64_t random = sampling->seed * 16 + number * 4 + attempt;
    unsigned most_rank = 0;
    for (size_t i = 0; i < check->graph->stages.count; i++)
        if (check->graph->stages.item[i]->rank > most_rank)
            most_rank = check->graph->stages.item[i]->rank;
    trial->input_count = 0;
    trial->output_count = (unsigned)check->graph->outputs.count;
    for (size_t i = 0; i < check->graph->stages.count; i++) {
        const struct stage *stage = check->graph->stages.item[i];
        if (stage->kind != STAGE_INPUT || trial->input_count == TRIAL_IMAGES)
            continue;
        struct samples *samples = &trial->input[trial->input_count++];
        *samples = (struct samples){.scalar = stage->element, .rank = stage->rank};
        for (unsigned k = 0; k < stage->rank; k++)
            samples->extent[k] =
                extent_of(sampling, stage->axis[k].name->text, number, attempt, most_rank);
        if (samples_allocate(samples))
            random_input(&random, stage, samples);
        if (number == 1 && sampling->seed % 2)
            tame(&random, samples);
    }
    for (size_t i = 0; i < check->graph->parameters.count && i < TRIAL_PARAMETERS; i++)
        trial->parameter[i] = random_parameter(&random, &check->graph->parameters.item[i]);
}

static void free_trial(struct trial *trial)
{
    for (unsigned i = 0; i < trial->input_count; i++)
        samples_free(&trial->input[i]);
    trial->input_count = 0;
    for (unsigned i = 0; i < trial->output_count; i++) {
        samples_free(&trial->oracle[i]);
        samples_free(&trial->expected[i]);
        samples_free(&trial->of_kernels[i]);
    }
    trial->output_count = 0;
}

static void copy_samples(struct samples *to, const struct samples *from)
{
    samples_free(to);
    *to = *from;
    to->data = NULL;
    if (from->data && samples_allocate(to))
        memcpy(to->data, from->data, samples_count(from) * scalar_info[from->scalar].bytes);
}

void check_expect_oracle(struct program_check *check)
{
    for (unsigned t = 0; t < TRIALS; t++)
        for (unsigned i = 0; i < check->trial[t].output_count; i++)
            copy_samples(&check->trial[t].expected[i], &check->trial[t].oracle[i]);
}

struct interpretation trial_run(struct session *session, const struct trial *trial,
                                struct samples outputs[])
{
    return (struct interpretation){.session = session,
                                   .transforms_as_emitted = true,
                                   .inputs = trial->input,
                                   .parameters = trial->parameter,
                                   .outputs = outputs,
                                   .externals = &test_functions};
}

/* Inputs and what the oracle makes of them. Where the filter's own checks refuse them, other
 * extents are tried. */
static void run_oracle(struct program_check *check, const struct sampling *sampling,
                       unsigned number)
{
    enum { ATTEMPTS = 4 };
    struct trial *trial = &check->trial[number];
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        free_trial(trial);
        fill_trial(check, sampling, number, attempt);
        struct interpretation run = trial_run(check->session, trial, trial->oracle);
        trial->accepted = interpret_graph(check->graph, &run);
        if (trial->accepted)
            return;
        snprintf(trial->problem, sizeof trial->problem, "%s", run.problem);
    }
}

/* ---- After each pass ---- */

/* The textual form read back in a session of its own; what was read is in *graph or *program. */
static bool read_back(struct program_check *check, struct session *other, const char *pass,
                      const struct graph **graph, const struct program **program)
{
    struct text first = text_create(other->permanent), second = text_create(other->permanent);
    if (*program) {
        program_print(*program, &first);
        *program = program_read(other, "back", first.bytes, first.length);
        if (*program)
            program_print(*program, &second);
    } else {
        graph_print(*graph, &first);
        *graph = graph_read(other, "back", first.bytes, first.length);
        if (*graph)
            graph_print(*graph, &second);
    }
    if (!second.length) {
        struct text why = text_create(other->permanent);
        diagnostics_render_text(&other->diagnostics, &why, false);
        finding_set(&check->finding, FOUND_IR_TEXT, pass, "%s", why.length ? why.bytes : "");
        return false;
    }
    if (strcmp(first.bytes, second.bytes) == 0)
        return true;
    size_t at = 0;
    while (first.bytes[at] == second.bytes[at])
        at++;
    while (at > 0 && first.bytes[at - 1] != '\n')
        at--;
    finding_set(&check->finding, FOUND_IR_TEXT, pass, "%.200s\nis read back as\n%.200s",
                first.bytes + at, second.bytes + at);
    return false;
}

void check_trial(struct program_check *check, struct session *session, const char *pass,
                 struct trial *trial, const struct graph *graph, const struct program *program)
{
    struct samples result[TRIAL_IMAGES] = {0};
    struct interpretation run = trial_run(session, trial, result);
    const bool ran = program ? interpret_program(program, &run) : interpret_graph(graph, &run);
    if (ran != trial->accepted || (!ran && strcmp(run.problem, trial->problem) != 0)) {
        finding_set(&check->finding, FOUND_DIFFERENCE, pass, "%s; the oracle: %s",
                    ran ? "it runs" : run.problem, trial->accepted ? "it runs" : trial->problem);
    }
    const bool rounds = pass_may_round(pass, graph, session->scratch);
    for (unsigned i = 0; ran && i < trial->output_count; i++) {
        struct arena *arena = check->session->permanent;
        const char *difference =
            !trial->accepted ? NULL
            : rounds ? rounding_difference(check->session, check->graph, trial, i, &result[i])
                     : samples_difference(arena, &trial->expected[i], &result[i]);
        if (rounds)
            copy_samples(&trial->expected[i], &result[i]);
        if (difference)
            finding_set(&check->finding, FOUND_DIFFERENCE, pass, "%s", difference);
        samples_free(&result[i]);
    }
}

static bool after_pass(const char *pass, const struct graph *graph, const struct program *program,
                       void *context)
{
    struct program_check *check = context;
    struct session *other = session_create(NULL);
    const struct graph *read_graph = graph;
    const struct program *read_program = program;
    if (read_back(check, other, pass, &read_graph, &read_program))
        for (unsigned t = 0; t < TRIALS && check->finding.kind == FOUND_NOTHING; t++)
            check_trial(check, t % 2 ? other : check->session, pass, &check->trial[t],
                        t % 2 ? read_graph : graph, t % 2 ? read_program : program);
    session_destroy(other);
    return check->finding.kind == FOUND_NOTHING;
}

/* Passes before the schedule have been looked at, but for what is expected after them. */
static bool after_scheduling(const char *pass, const struct graph *graph,
                             const struct program *program, void *context)
{
    const struct program_check *check = context;
    return (!program && strcmp(pass, "fuse_stages") != 0 &&
            !pass_may_round(pass, graph, check->session->scratch)) ||
           after_pass(pass, graph, program, context);
}

/* What `fltc explain` tells of bytes is told of every program. */
static void check_traffic(struct program_check *check, const struct graph *graph)
{
    struct session *session = check->session;
    const struct stage_readers *readers = graph_readers(graph, session->scratch);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (!stage_computes(stage) || stage_is_at(stage))
            continue;
        const struct traffic traffic =
            traffic_of(graph, readers, &session->pool, session->scratch, stage);
        if (!(traffic.read >= 0 && traffic.written >= 0))
            finding_set(&check->finding, FOUND_FAULT, "traffic", "%g bytes read, %g written",
                        traffic.read, traffic.written);
    }
}

/* Where readers extend stages, the definitions of these are to mean the same when their coordinates
 * are taken to go much further: the oracle has no other judge where the graph itself is wrong. What
 * is refused so is passed over. */
static void check_far_reach(struct program_check *check, const char *text)
{
    const struct elaborate_options options = {.far_reach = true};
    struct session *other = session_create(NULL);
    const struct module_set *modules =
        strstr(text, "extend") ? load_modules_text(other, "fuzz.flt", text, strlen(text)) : NULL;
    const struct graph *graph =
        modules
            ? elaborate_filter(other, modules, last_filter(modules->list.item[0].module), &options)
            : NULL;
    for (unsigned t = 0; graph && t < TRIALS && check->finding.kind == FOUND_NOTHING; t++)
        check_trial(check, other, "far_reach", &check->trial[t], graph, NULL);
    session_destroy(other);
}

/* Some rows of choices.def at other numbers than a machine has. */
static struct choices choices_drawn(const struct target *target, uint64_t seed)
{
    struct choices choices = {.pinned = {false}};
    for (unsigned i = 0; i < CHOICE_COUNT; i++) {
        const struct choice_info *info = &choice_list[i];
        const int64_t usual = choice_of_machine(target, (enum choice)i);
        const int64_t most = 4 * usual < info->greatest ? 4 * usual : info->greatest;
        const bool is_question = info->least == 0 && info->greatest == 1;
        choices.pinned[i] = chance(&seed, 25);
        choices.value[i] = between(&seed, info->least, is_question ? 1 : most);
    }
    return choices;
}

/* Passes may choose by any numbers of the rows: here for cores or for a grid, along with a random
 * schedule or without one. */
static void check_choices(struct program_check *check, const char *text, uint64_t seed)
{
    const bool on_grid = seed % 2;
    const struct target *target = target_find(on_grid ? "simulator" : "c");
    const struct graph *graph =
        on_grid ? build_graph(check, text, false, "simulator") : check->graph;
    if (!graph || (on_grid && graph_has_structure(graph)))
        return;
    const struct choices choices = choices_drawn(target, seed);
    check_expect_oracle(check);
    const struct pass_options options = {.verify_each = true,
                                         .random_schedule = seed / 2 % 2 ? 0 : seed + 1,
                                         .choices = &choices,
                                         .after = after_scheduling,
                                         .after_context = check};
    const struct pass_result result = run_passes(check->session, graph, target, &options);
    if (result.problem)
        finding_set(&check->finding, FOUND_FAULT, "choices", "%s", result.problem);
}

static void expect_of_kernels(struct program_check *check)
{
    for (unsigned t = 0; t < TRIALS; t++)
        for (unsigned i = 0; i < check->trial[t].output_count; i++) {
            struct trial *trial = &check->trial[t];
            const struct samples of_program = trial->of_kernels[i];
            trial->of_kernels[i] = trial->expected[i];
            trial->expected[i] = of_program;
        }
}

/* Which of the passes that seldom find something to do have found it. */
static void note_kernels(struct program_check *check, const struct graph *graph)
{
    for (size_t i = 0; graph && i < graph->stages.count; i++) {
        check->fused = check->fused || stage_is_at(graph->stages.item[i]);
        check->segmented = check->segmented || graph->stages.item[i]->kind == STAGE_JOINED;
    }
}

/* The program as kernels of blocks of threads, by the cheapest schedule or by one at random. */
static void check_kernels(struct program_check *check, const char *text, uint64_t seed)
{
    const struct graph *graph = build_graph(check, text, false, "simulator");
    if (!graph || graph_has_structure(graph)) /* which the host makes */
        return;
    expect_of_kernels(check); /* the program's is set apart */
    check_expect_oracle(check);
    const struct pass_options options = {.verify_each = true,
                                         .random_schedule = seed % 2 ? 0 : seed + 1,
                                         .after = after_pass,
                                         .after_context = check};
    const struct pass_result result =
        run_passes(check->session, graph, target_find("simulator"), &options);
    if (result.problem)
        finding_set(&check->finding, FOUND_FAULT, "kernels", "%s", result.problem);
    check->kernels = result.program;
    note_kernels(check, result.graph);
    expect_of_kernels(check);
}

/* Of every third program, as emit --boxes has it. What passes may round otherwise than those of the
 * program is not compared. */
static void make_boxed(struct program_check *check, uint64_t seed)
{
    struct session *session = check->session;
    const char *problem;
    const struct graph *boxed =
        seed % 3 == 0 ? graph_box_outputs(session, check->graph, &problem) : NULL;
    if (!boxed)
        return;
    struct graph *named = graph_copy(session->ir, boxed);
    named->name = symbol_format(&session->symbols, "%s_box", boxed->name->text);
    const struct pass_options options = {.verify_each = true,
                                         .random_schedule = seed % 2 ? 0 : seed + 1};
    const struct pass_result result = run_passes(session, named, target_find("c"), &options);
    if (result.problem)
        finding_set(&check->finding, FOUND_FAULT, "boxes", "%s", result.problem);
    check->boxed = result.rounds ? NULL : result.program;
}

void check_program(struct program_check *check, const char *text, const struct module *module,
                   const struct sampling *sampling)
{
    *check = (struct program_check){.session = session_create(NULL)};
    const char *whole = text ? text : module_text(check->session->permanent, module);
    check->graph = build_graph(check, whole, !text, "c");
    if (check->finding.kind != FOUND_NOTHING)
        return;
    for (unsigned t = 0; t < TRIALS; t++)
        run_oracle(check, sampling, t);
    check_expect_oracle(check);
    check_far_reach(check, whole);
    check_real_numbers(check, whole);
    check_choices(check, whole, sampling->seed);
    /* By the cheapest schedule and by one at random; the last of the two programs is compiled. */
    const uint64_t schedule[2] = {0, sampling->seed + 1};
    for (unsigned r = 0; r < 2 && check->finding.kind == FOUND_NOTHING; r++) {
        const unsigned i = r ? sampling->seed % 2 : 1 - sampling->seed % 2;
        check_expect_oracle(check);
        const struct pass_options options = {.verify_each = true,
                                             .random_schedule = schedule[i],
                                             .after = i ? after_scheduling : after_pass,
                                             .after_context = check};
        const struct pass_result result =
            run_passes(check->session, check->graph, target_find("c"), &options);
        if (result.problem)
            finding_set(&check->finding, FOUND_FAULT, "", "%s", result.problem);
        check->program = result.program;
        if (check->finding.kind == FOUND_NOTHING && result.graph)
            check_traffic(check, result.graph);
        if (i == 0 && check->finding.kind == FOUND_NOTHING)
            check_round_trip(check, whole);
        if (r == 0 && check->finding.kind == FOUND_NOTHING)
            check_schedules(check, whole, sampling->seed);
    }
    if (check->finding.kind == FOUND_NOTHING)
        check_kernels(check, whole, sampling->seed);
    if (check->finding.kind == FOUND_NOTHING)
        make_boxed(check, sampling->seed);
}

void check_end(struct program_check *check)
{
    for (unsigned t = 0; t < TRIALS; t++)
        free_trial(&check->trial[t]);
    session_destroy(check->session);
    check->session = NULL;
}
