/* Runs the passes; between them it verifies, dumps and takes the time. The passes know nothing of
 * it. */
#include "pass_manager.h"
#include "graph/graph_text.h"
#include "graph/graph_verify.h"
#include "hardware/circuit_text.h"
#include "hardware/circuit_verify.h"
#include "loop/loop_text.h"
#include "loop/loop_verify.h"

#include <time.h>

const struct pass_info pass_list[] = {
#define PASS(name, from, to, flags, needs, description)                                            \
    {#name, #from, #to, description, flags, needs},
#include "passes.def"
    {NULL, NULL, NULL, NULL, 0, 0},
};

struct running {
    struct session *session;
    const struct pass_options *options;
    struct pass_context context;
    struct pass_result result;
    unsigned number;
    enum lowered lowered;
    bool begun; /* the pass that runs first has been reached */
    bool stop;
    bool widened; /* a pass that WIDENS has changed the graph, or may have */
};

static const struct pass_info *pass_named(const char *name)
{
    size_t i = 0;
    while (pass_list[i].name && strcmp(pass_list[i].name, name) != 0)
        i++;
    return &pass_list[i];
}

bool pass_exists(const char *name)
{
    return pass_named(name)->name != NULL;
}

bool pass_is_before(const char *name, const char *other)
{
    return pass_named(name) < pass_named(other);
}

const char *pass_takes(const char *name)
{
    return pass_named(name)->from;
}

const char *pass_makes(const char *name)
{
    return pass_named(name)->to;
}

static bool has_needs(const struct target *target, unsigned needs)
{
    return (needs & ~target_facts(target)) == 0;
}

/* Of a pass over loops or circuits, that there are any. */
bool pass_runs(const char *name, const struct target *target)
{
    const struct pass_info *pass = pass_named(name);
    return has_needs(target, pass->needs | (strcmp(pass->from, "LOOP") == 0 ? LOOPS : NOTHING));
}

static bool is_accepted(const struct running *r)
{
    return r->stop || !r->options->accepts ||
           r->options->accepts(r->result.graph, r->options->accepts_context);
}

/* In tiles that each begin it anew. */
static bool begins_in_tiles(const struct graph *graph, const struct stage *stage)
{
    return stage_is_at(stage) &&
           !schedule_has_lines(graph_stage(graph, stage->schedule->at)->schedule);
}

bool pass_may_round(const char *name, const struct graph *graph, struct arena *scratch)
{
    const struct pass_info *pass = pass_named(name);
    const bool lowers = pass->name && strcmp(pass->to, "LOOP") == 0;
    bool recurs = false, transforms = false;
    for (size_t i = 0; graph && i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        recurs = recurs || (stage->kind == STAGE_RECURRENCE && scalar_is_float(stage->element) &&
                            (!lowers || begins_in_tiles(graph, stage)));
        transforms = transforms || (stage->kind == STAGE_TRANSFORM && !lowers);
    }
    return ((recurs || transforms) && !(pass->flags & BITWISE)) ||
           ((pass->flags & REASSOCIATES) && graph && graph_is_fast(graph, scratch));
}

/* Whether the list "a,b" holds the name. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

static bool is_dumped(const struct running *r, const char *pass, bool changed)
{
    const char *dump = r->options->dump;
    if (!dump)
        return false;
    return strcmp(dump, "all") == 0 || (strcmp(dump, "changed") == 0 && changed) ||
           (strncmp(dump, "after:", 6) == 0 && is_listed(dump + 6, pass));
}

static void dump(struct running *r, const char *pass)
{
    struct text text = text_create(r->session->scratch);
    const char *kind = "graph";
    if (r->result.program) {
        program_print(r->result.program, &text);
        kind = "loop";
    } else if (r->result.circuit) {
        circuit_print(r->result.circuit, &text);
        kind = "circuit";
    } else
        graph_print(r->result.graph, &text);
    const struct pass_text made = {pass, kind, r->number, &text};
    r->options->print(&made, r->options->print_context);
}

static const char *problem_of(const struct running *r, struct arena *arena)
{
    return r->result.circuit ? circuit_verify(r->result.circuit, arena)
           : r->result.program
               ? program_verify(r->result.program, target_shared_bytes(r->context.target),
                                r->lowered, arena)
               : graph_verify(r->result.graph, arena, !r->widened);
}

static void verify(struct running *r, const char *pass)
{
    const char *problem = problem_of(r, r->session->scratch);
    if (problem) {
        r->result.problem = arena_format(r->session->permanent, "pass %s: %s", pass, problem);
        r->stop = true;
    }
}

/* What holds after a pass of these flags and of those before. */
static void note_flags(struct running *r, unsigned flags, bool changed)
{
    r->lowered = flags & LOWERS_REDUCTIONS ? LOWERED_REDUCTIONS
                 : flags & LOWERS_BORDERS  ? LOWERED_BORDERS
                                           : r->lowered;
    r->widened = r->widened || (changed && flags & WIDENS);
}

/* What holds of the input of a pass: those before it have run, and each may have changed it. NULL:
 * all have run over a program, none over a graph. */
static void note_passes_before(struct running *r, const char *name)
{
    r->begun = !name;
    if (r->begun && !r->result.program)
        return;
    for (const struct pass_info *pass = pass_list; pass->name; pass++) {
        if (name && strcmp(pass->name, name) == 0)
            return;
        if (!pass_runs(pass->name, r->context.target))
            continue;
        note_flags(r, pass->flags, true);
        r->number++;
    }
}

/* What who runs the passes says to the result of one. */
static bool goes_on(const struct running *r, const char *pass)
{
    const struct pass_options *o = r->options;
    if (r->result.circuit)
        return !o->after_circuit || o->after_circuit(pass, r->result.circuit, o->after_context);
    return !o->after || o->after(pass, r->result.graph, r->result.program, o->after_context);
}

static void finish(struct running *r, const char *pass, unsigned flags, bool changed,
                   double seconds)
{
    r->number++;
    r->result.rounds =
        r->result.rounds ||
        (changed && pass_may_round(pass, r->result.graph, r->session->scratch));
    if (r->options->time)
        r->options->time(pass, seconds, r->options->print_context);
    note_flags(r, flags, changed);
    if (r->options->verify_each)
        verify(r, pass);
    if (is_dumped(r, pass, changed))
        dump(r, pass);
    if (!r->stop && !goes_on(r, pass))
        r->stop = true;
    if (r->options->stop_after && strcmp(r->options->stop_after, pass) == 0)
        r->stop = true;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether it is the pass's turn, if there is something for it. */
static bool is_due(struct running *r, const char *pass, unsigned flags, unsigned needs)
{
    r->begun = r->begun || strcmp(pass, r->options->from) == 0;
    return r->begun && !r->stop && has_needs(r->context.target, needs) &&
           !(flags & OPTIONAL && is_listed(r->options->skip, pass));
}

/* One pass, unless the target lacks what it needs, it is skipped, or all is over. IN and OUT are
 * fields of the result. */
#define RUN(pass, IN, OUT, pass_flags, pass_needs)                                                 \
    if (is_due(&r, #pass, pass_flags, pass_needs) && r.result.IN) {                                \
        const struct arena_mark mark = arena_mark(session->scratch);                               \
        const double start = now();                                                                \
        const void *before = r.result.IN;                                                          \
        r.result.OUT = pass(r.result.IN, &r.context);                                              \
        finish(&r, #pass, pass_flags, before != (const void *)r.result.OUT, now() - start);        \
        arena_release(session->scratch, mark);                                                     \
    }
#define RUN_LOWERING(pass, OUT, flags, needs)                                                      \
    if (has_needs(target, needs) && !is_accepted(&r))                                              \
        r.stop = true;                                                                             \
    RUN(pass, graph, OUT, flags, needs)
#define RUN_GRAPH_GRAPH(pass, flags, needs) RUN(pass, graph, graph, flags, needs)
#define RUN_GRAPH_LOOP(pass, flags, needs) RUN_LOWERING(pass, program, flags, needs)
#define RUN_GRAPH_CIRCUIT(pass, flags, needs) RUN_LOWERING(pass, circuit, flags, needs)
#define RUN_LOOP_LOOP(pass, flags, needs) RUN(pass, program, program, flags, needs)
#define RUN_CIRCUIT_CIRCUIT(pass, flags, needs) RUN(pass, circuit, circuit, flags, needs)

static struct running running_over(struct session *session, const struct pass_input *input,
                                   const struct target *target, const struct pass_options *options)
{
    struct running r = {.session = session,
                        .options = options,
                        .context = {.session = session,
                                    .target = target,
                                    .random_schedule = options->random_schedule,
                                    .choices = options->choices},
                        .result = {.graph = input->graph, .program = input->program}};
    note_passes_before(&r, options->from);
    return r;
}

const char *pass_input_problem(const struct pass_input *input, const struct target *target,
                               const char *from, struct arena *arena)
{
    const struct running r =
        running_over(NULL, input, target, &(struct pass_options){.from = from});
    return problem_of(&r, arena);
}

struct pass_result run_passes_over(struct session *session, const struct pass_input *input,
                                   const struct target *target, const struct pass_options *options)
{
    struct running r = running_over(session, input, target, options);
    r.context.output = session->ir;
    r.context.scratch = session->scratch;
    r.context.pool = &session->pool;
    if (options->verify_each)
        verify(&r, "build_graph");
    if (is_dumped(&r, "build_graph", true))
        dump(&r, "build_graph");
#define PASS(name, from, to, flags, needs, description) RUN_##from##_##to(name, flags, needs)
#include "passes.def"
    r.result.remarks = r.context.remarks;
    return r.result;
}

struct pass_result run_passes(struct session *session, const struct graph *graph,
                              const struct target *target, const struct pass_options *options)
{
    return run_passes_over(session, &(struct pass_input){.graph = graph}, target, options);
}
