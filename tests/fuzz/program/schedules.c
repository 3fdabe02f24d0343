/* A schedule of random directives for cores or for blocks of threads, legal or not: either it is
 * refused with a message about schedules, or every directive is kept and the results are the
 * oracle's. */
#include "program/schedules.h"
#include "program/random.h"
#include "command/command.h"
#include "emit/emit.h"
#include "frontend/elaborate.h"
#include "graph/placement/line_groups.h"
#include "graph/placement/schedule_check.h"
#include "loop/lower/loop_details.h"
#include "pass_manager.h"

enum { MOST_DIRECTIVES = 6, ROUNDS = 3 };

static const struct stage *random_stage(uint64_t *random, const struct graph *graph)
{
    const struct stage *stage = graph->stages.item[below(random, (unsigned)graph->stages.count)];
    return stage_computes(stage) ? stage : NULL;
}

static void add_tile(struct text *text, uint64_t *random, const struct stage *stage,
                     const struct stage *other)
{
    const unsigned along = below(random, stage->rank);
    if (stage->rank > 1 && below(random, 3) == 0) {
        text_print(text, "    tile %s by (%s: %d", stage->name->text,
                   stage->axis[line_lanes(stage, along)].name->text, 1 + (int)below(random, 9));
        if (along == 0 && below(random, 2))
            text_print(text, ", %s: %d", stage->axis[0].name->text, 1 << below(random, 5));
        text_print(text, ") along %s", stage->axis[along].name->text);
        if (other && along > 0 && below(random, 2))
            text_print(text, " at %s", other->name->text);
        text_print(text, ";\n");
        return;
    }
    const char *axis = stage->axis[along].name->text;
    text_print(text, "    tile %s by (%s: %d)", stage->name->text, axis, 1 + (int)below(random, 9));
    const unsigned word = below(random, 4);
    if (word < 3)
        text_print(text, " %s %s", word < 2 ? "sliding" : "blocked", axis);
    text_print(text, ";\n");
}

static const char *random_axis(uint64_t *random, const struct stage *stage)
{
    return stage->axis[below(random, stage->rank)].name->text;
}

/* "in.y == 3": of an extent of an input or a parameter; "true" where there is none. */
static void add_comparison(struct text *text, uint64_t *random, const struct graph *graph)
{
    static const char *const comparison[] = {"==", "==", "!=", "<"};
    const struct stage *input = graph->stages.item[below(random, (unsigned)graph->stages.count)];
    const char *sign = comparison[below(random, 4)];
    if (graph->parameters.count && below(random, 2)) {
        const struct parameter *p =
            &graph->parameters.item[below(random, (unsigned)graph->parameters.count)];
        const char *name = p->name->text;
        if (p->scalar == SCALAR_BOOL)
            text_print(text, "%s%s", below(random, 2) ? "!" : "", name);
        else if (p->choice_count)
            text_print(text, "%s == %s", name,
                       p->choice[below(random, (unsigned)p->choice_count)]->text);
        else
            text_print(text, "%s %s %lld", name, sign,
                       p->initial && p->initial->kind == EXPR_INTEGER && below(random, 2)
                           ? (long long)p->initial->as.integer
                           : (long long)below(random, 4));
    } else if (input->kind == STAGE_INPUT && input->rank &&
               input->as.input.levels != input->name) { /* levels have no name in programs */
        text_print(text, "%s.%s %s %u", input->name->text,
                   input->axis[below(random, input->rank)].name->text, sign, 1 + below(random, 9));
    } else {
        text_print(text, "true");
    }
}

static void add_version(struct text *text, uint64_t *random, const struct graph *graph,
                        const struct stage *stage)
{
    static const char *const operation[] = {"", " && ", " || "};
    const unsigned how = below(random, 3);
    text_print(text, "    specialise %s where ", stage->name->text);
    add_comparison(text, random, graph);
    text_print(text, "%s", operation[how]);
    if (how)
        add_comparison(text, random, graph);
    text_print(text, ";\n");
}

/* What a schedule says besides where a stage is computed. */
static void add_detail(struct text *text, uint64_t *random, const struct graph *graph,
                       const struct stage *stage)
{
    static const char *const plain[] = {"serial", "scalar", "stream", "cache", "separate", "whole"};
    static const char *const realisation[] = {"direct", "cascade", "parallel"};
    static const char *const method[] = {"quadruple", "mirrored", "padded", "reordered",
                                         "three_stages"};
    const char *name = stage->name->text;
    switch (stage->rank ? below(random, 10) : 0) {
    case 0:
        text_print(text, "    %s %s;\n", plain[below(random, 6)], name);
        break;
    case 1:
        text_print(text, "    parallel %s along %s;\n", name, random_axis(random, stage));
        break;
    case 2:
        text_print(text, "    vectorize %s along %s;\n", name, random_axis(random, stage));
        break;
    case 3:
        text_print(text, "    prefetch %s by %u;\n", name, below(random, 4));
        break;
    case 4:
        text_print(text, "    split %s by %u;\n", name, 1 + below(random, 20));
        break;
    case 5:
        if (stage->kind == STAGE_TRANSFORM)
            text_print(text, "    transform %s as %s;\n", name, method[below(random, 5)]);
        else if (below(random, 2))
            text_print(text, "    realise %s as %s;\n", name, realisation[below(random, 3)]);
        else
            text_print(text, "    carry %s as f%d;\n", name, below(random, 4) ? 64 : 32);
        break;
    case 6: { /* all axes, begun anywhere */
        const unsigned first = below(random, stage->rank);
        text_print(text, "    %s %s %s (", first ? "reorder" : "parallel", name,
                   first ? "by" : "along");
        const unsigned count = first ? stage->rank : 1 + below(random, stage->rank);
        for (unsigned i = 0; i < count; i++)
            text_print(text, "%s%s", i ? ", " : "",
                       stage->axis[(first + i) % stage->rank].name->text);
        text_print(text, ");\n");
        break;
    }
    case 7:
        add_version(text, random, graph, stage);
        break;
    default:
        text_print(text, "    unroll %s by (%s: %u);\n", name, random_axis(random, stage),
                   below(random, 6));
    }
}

static void add_directive(struct text *text, uint64_t *random, const struct graph *graph)
{
    const struct stage *stage = random_stage(random, graph), *other = random_stage(random, graph);
    const char *name = stage ? stage->name->text : NULL;
    const unsigned kind = below(random, 10);
    if (!stage)
        return;
    if (below(random, 2)) {
        add_detail(text, random, graph, stage);
        return;
    }
    if (kind < 2)
        text_print(text, "    compute %s at root;\n", name);
    else if (kind < 6 && other)
        text_print(text, "    compute %s at %s;\n", name, other->name->text);
    else if (kind < 8)
        text_print(text, "    inline %s;\n", name);
    else if (stage->rank > 0)
        add_tile(text, random, stage, other);
}

/* The program with such a schedule behind it. */
static const char *with_schedule(struct arena *arena, const char *program,
                                 const struct graph *graph, const struct target *target,
                                 uint64_t *random)
{
    struct text text = text_create(arena);
    text_print(&text, "%s\nschedule %s for %s {\n", program, graph->name->text, target->name);
    for (unsigned n = 1 + below(random, MOST_DIRECTIVES); n > 0; n--)
        add_directive(&text, random, graph);
    text_print(&text, "}\n");
    return text.bytes;
}

/* The schedule at the end of a program, which comes first in findings: their text is cut. */
static const char *schedule_of(const char *text)
{
    const char *last = text;
    for (const char *at = text; (at = strstr(at, "\nschedule ")) != NULL; at++)
        last = at;
    return last;
}

/* Directives that the passes did not obey. */
struct refusals {
    struct program_check *check;
    const char *text; /* the program */
    bool any;
};

/* A directive that is neither obeyed nor declined is a finding. */
static void refuse(const struct stage *stage, struct span span, const char *where,
                   const char *reason, void *context)
{
    struct refusals *refusals = context;
    refusals->any = true;
    if (!reason || !*reason || !span.end)
        finding_set(&refusals->check->finding, FOUND_SCHEDULE, "silence",
                    "'%s' is not computed %s, and no pass says why:\n%s\n%s", stage->name->text,
                    where, schedule_of(refusals->text), refusals->text);
}

/* Whether a directive is in the graph that the passes made; stages that nothing reads are gone. */
static bool is_kept(const struct graph *asked, const struct stage *wanted, const struct graph *done,
                    struct arena *scratch)
{
    const struct schedule *schedule = wanted->schedule;
    const struct stage *stage = graph_stage_named(done, wanted->name);
    if (!stage)
        return true;
    const struct schedule *made = stage->schedule;
    if (stage->kind == STAGE_CONSTANT) /* nothing is computed */
        return schedule->placement == PLACED_ROOT;
    if (schedule->placement == PLACED_INLINE || !made)
        return false;
    for (unsigned k = 0; k < schedule->rank; k++)
        if (schedule->tile[k] && (made->rank == 0 || made->tile[k] != schedule->tile[k]))
            return false;
    const bool lines = schedule_has_lines(schedule);
    if ((schedule_slides(schedule) && !schedule_slides_along(made, schedule->as.tiles.axis)) ||
        schedule_has_lines(made) != lines ||
        (lines && !schedule_runs_along(made, schedule->as.lines.axis)) ||
        schedule_is_segmented(made) != schedule_is_segmented(schedule))
        return false;
    if (schedule->placement == PLACED_AT)
        return stage_follows(stage) &&
               stage_sink(done, stage, scratch)->name == graph_stage(asked, schedule->at)->name;
    return schedule->placement != PLACED_ROOT || made->placement == PLACED_ROOT;
}

/* The messages; those that are not about schedules are findings. */
static void check_refusal(struct program_check *check, struct session *session, const char *text)
{
    for (size_t i = 0; i < session->diagnostics.list.count; i++) {
        const struct diagnostic *d = session->diagnostics.list.item[i];
        const char *code = diagnostic_info[d->code].code;
        if (d->severity == SEVERITY_ERROR && strncmp(code, "E06", 3) != 0)
            finding_set(&check->finding, FOUND_SCHEDULE, code, "%s", text);
    }
    check->schedules_refused++;
}

struct rounding {
    struct program_check *check;
    struct session *session;
    struct trial *trial;
};

/* What the realisation of recurrences gives is expected of the program. */
static bool after_rounding(const char *pass, const struct graph *graph,
                           const struct program *program, void *context)
{
    const struct rounding *r = context;
    if (pass_may_round(pass, graph, r->session->scratch))
        check_trial(r->check, r->session, pass, r->trial, graph, program);
    return r->check->finding.kind == FOUND_NOTHING;
}

static void check_one(struct program_check *check, struct session *session, const char *text,
                      const struct target *target, struct trial *trial)
{
    const struct module_set *modules = load_modules_text(session, "fuzz.flt", text, strlen(text));
    const struct ast *filter = modules ? last_filter(modules->list.item[0].module) : NULL;
    const struct graph *asked =
        filter ? elaborate_filter(session, modules, filter,
                                  &(struct elaborate_options){.target = target->name})
               : NULL;
    if (!asked || session->diagnostics.error_count) {
        check_refusal(check, session, text);
        return;
    }
    struct rounding rounding = {check, session, trial};
    check_expect_oracle(check);
    const struct pass_result result =
        run_passes(session, asked, target,
                   &(struct pass_options){
                       .verify_each = true, .after = after_rounding, .after_context = &rounding});
    if (result.problem) {
        finding_set(&check->finding, FOUND_SCHEDULE, "fault", "%s\n%s\n%s", result.problem,
                    schedule_of(text), text);
        return;
    }
    struct refusals refusals = {check, text, false};
    schedule_check(session->scratch, asked, result.graph, &result.remarks, refuse, &refusals);
    details_check(asked, result.graph, result.program, &result.remarks, refuse, &refusals);
    check->schedules_refused += refusals.any;
    for (size_t i = 0; i < asked->stages.count && !refusals.any; i++)
        if (asked->stages.item[i]->schedule &&
            !is_kept(asked, asked->stages.item[i], result.graph, session->scratch))
            finding_set(&check->finding, FOUND_SCHEDULE, "ignored",
                        "'%s' is not as asked for:\n%s\n%s", asked->stages.item[i]->name->text,
                        schedule_of(text), text);
    if (!refusals.any)
        check_trial(check, session, "a schedule", trial, NULL, result.program);
    if (check->finding.kind == FOUND_DIFFERENCE)
        snprintf(check->finding.text, sizeof check->finding.text, "%s", text);
}

/* The emitted code of a text, in a session of its own; NULL: it is refused. schedule: of the
 * program, if not NULL. */
static const char *code_of(struct session *session, const char *text, const struct target *target,
                           const char **schedule)
{
    const struct emit_options options = {.stem = "fuzz", .entry = true};
    struct text all = text_create(session->permanent);
    const struct module_set *modules = load_modules_text(session, "fuzz.flt", text, strlen(text));
    const struct ast *filter = modules ? last_filter(modules->list.item[0].module) : NULL;
    const struct graph *graph =
        filter ? elaborate_filter(session, modules, filter,
                                  &(struct elaborate_options){.target = target->name})
               : NULL;
    if (!graph || session->diagnostics.error_count)
        return NULL;
    const struct pass_result result = run_passes(session, graph, target, &(struct pass_options){0});
    struct options none = {.target = target->name};
    struct command_context c = {.session = session, .options = &none};
    if (schedule)
        *schedule = command_schedule_text(&c, graph, result.graph);
    const struct emitted emitted = emit_program(session, result.program, target, &options);
    for (size_t i = 0; i < emitted.files.count; i++)
        text_print(&all, "%s", emitted.files.item[i].text);
    return all.bytes;
}

static void round_trip(struct program_check *check, const char *program,
                       const struct target *target)
{
    struct session *first = session_create(NULL), *second = session_create(NULL);
    const char *schedule = "";
    const char *before = code_of(first, program, target, &schedule);
    const char *text = arena_format(first->permanent, "%s%s", program, schedule);
    const char *after = code_of(second, text, target, NULL);
    /* In blocks of threads stages that passes make, which no schedule names, go by what memory is
     * left. */
    const bool same = target->block_threads > 0 || !after || strcmp(before, after) == 0;
    if (before && (!after || !same))
        finding_set(&check->finding, FOUND_SCHEDULE, "again", "%s by its own schedule:\n%s\n%s",
                    after ? "is other code" : "is refused", schedule, program);
    session_destroy(first);
    session_destroy(second);
}

void check_round_trip(struct program_check *check, const char *program)
{
    for (size_t i = 0; i < check->graph->stages.count; i++)
        if (check->graph->stages.item[i]->schedule || stage_says_any(check->graph->stages.item[i]))
            return; /* it has one */
    round_trip(check, program, target_find("c"));
    if (check->finding.kind == FOUND_NOTHING)
        round_trip(check, program, target_find("opencl"));
}

void check_schedules(struct program_check *check, const char *program, uint64_t seed)
{
    uint64_t random = seed ^ UINT64_C(0x5c4ed01e);
    for (unsigned r = 0; r < ROUNDS && check->finding.kind == FOUND_NOTHING; r++) {
        struct session *session = session_create(NULL);
        const bool on_host = below(&random, 3) || graph_has_structure(check->graph);
        const struct target *target = target_find(on_host ? "c" : "simulator");
        check->schedules++;
        check_one(check, session,
                  with_schedule(session->permanent, program, check->graph, target, &random), target,
                  &check->trial[r % TRIALS]);
        session_destroy(session);
    }
}
