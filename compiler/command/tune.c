/* The search goes from the compiler's own schedule to a neighbour that is faster, until no
 * neighbour is or time is up. A neighbour differs in one directive: a tile twice or half as large
 * along an axis, sliding or not; a stage in memory, in tiles of what reads it, or computed where it
 * is read; or in one row of choices.def, a number twice or half as large, another answer to a
 * question. What is not pinned, the compiler completes by cost, so a neighbour is always whole.
 * What the program's own schedule says stays. A candidate and the fastest so far run in turns, so
 * that whatever else the machine does meets both. */
#include "command/tune.h"
#include "command/calibrate.h"

#include "analysis/cost.h"
#include "command/externals.h"
#include "graph/placement/choose.h"
#include "graph/placement/schedule_check.h"
#include "loop/lower/loop_details.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    LEAST_ROUNDS = 5,
    MOST_ROUNDS = 31,
    MOST_TILE = 1 << 16,
    MOST_INLINED = 64 /* operations of a sample that is computed where it is read */
};

static const double PAYS = 0.97;          /* of the time before: less is noise */
static const double SECONDS_A_PAIR = 0.4; /* of measuring, where that is MOST_ROUNDS or fewer */

struct candidate {
    const struct schedule **pin; /* by stage of the program; NULL: the compiler chooses */
    struct choices choices;
    bool asked[CHOICE_COUNT]; /* by row: its passes chose by it */
    const struct graph *done;
    struct compiled compiled;
};

struct tuning {
    struct execution *x;
    const struct target *target;
    const struct graph *asked; /* of the program */
    struct candidate fastest;
    double automatic, seconds; /* of a run of the fastest now, and of the first */
    double until, began;
    unsigned tried;
    struct hash_map seen; /* hash of emitted text → anything */
    bool failed;          /* a run ended with a message */
};

/* ---- Candidates ---- */

static const struct graph *pinned_graph(const struct tuning *t, const struct schedule *const pin[])
{
    struct arena *arena = t->x->c->session->permanent;
    struct graph *graph = graph_copy_without_stages(arena, t->asked);
    for (size_t i = 0; i < t->asked->stages.count; i++) {
        struct stage stage = *t->asked->stages.item[i];
        stage.schedule = stage.schedule ? stage.schedule : pin[i];
        graph_add_stage(arena, graph, stage);
    }
    return graph;
}

static void note_refusal(const struct stage *stage, struct span span, const char *where,
                         const char *reason, void *context)
{
    (void)stage, (void)span, (void)where, (void)reason;
    *(bool *)context = true;
}

/* False where the text has been compiled before: stages that are read by nothing may be placed
 * anywhere. */
static bool is_new(struct tuning *t, const struct emitted *emitted)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < emitted->files.count; i++)
        hash = hash_bytes(emitted->files.item[i].text, emitted->files.item[i].length, hash);
    const void *key = (const void *)(uintptr_t)hash;
    if (hash_map_find(&t->seen, key))
        return false;
    hash_map_put(t->x->c->session->permanent, &t->seen, key, t);
    return true;
}

/* False: the schedule cannot be kept, or gives no new code. */
static bool make_candidate(struct tuning *t, struct candidate *candidate)
{
    struct session *session = t->x->c->session;
    const struct graph *graph = pinned_graph(t, candidate->pin);
    struct choices choices = candidate->choices;
    choices.asked = candidate->asked;
    const struct pass_result result =
        run_passes(session, graph, t->target, &(struct pass_options){.choices = &choices});
    bool refused = false;
    if (result.problem)
        return false;
    schedule_check(session->scratch, graph, result.graph, &result.remarks, note_refusal, &refused);
    details_check(graph, result.graph, result.program, &result.remarks, note_refusal, &refused);
    if (refused)
        return false;
    const struct emit_options emit = {
        .stem = "fltc_filter", .entry = true, .times_device = t->target->times_device};
    const struct emitted emitted = emit_program(session, result.program, t->target, &emit);
    if (!is_new(t, &emitted))
        return false;
    const struct compile_options how = externals_compile_options(t->x->c, t->target);
    candidate->done = result.graph;
    candidate->compiled = compile_filter(session, &emitted, &how);
    return !candidate->compiled.problem;
}

/* ---- Times ---- */

static double seconds_of_run(struct tuning *t, const struct candidate *candidate)
{
    struct execution *x = t->x;
    double *of_device = candidate->compiled.seconds;
    x->compiled = candidate->compiled;
    if (of_device)
        *of_device = 0;
    const double start = profile_now();
    t->failed = !execute_slices(x) || t->failed;
    const double seconds = of_device ? *of_device : profile_now() - start;
    progress_set(&x->progress, (profile_now() - t->began) / (t->until - t->began));
    return seconds;
}

static int compare_times(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median(size_t count, double time[])
{
    qsort(time, count, sizeof *time, compare_times);
    return time[count / 2];
}

/* Medians of both, in turns. */
static void measure_pair(struct tuning *t, const struct candidate *other, double *fastest,
                         double *others)
{
    double time[2][MOST_ROUNDS];
    size_t rounds = 0;
    (void)seconds_of_run(t, other); /* memory is touched, threads are there */
    const double start = profile_now();
    while (!t->failed && rounds < MOST_ROUNDS &&
           (rounds < LEAST_ROUNDS || profile_now() - start < SECONDS_A_PAIR)) {
        const bool swapped = rounds % 2;
        time[swapped][rounds] = seconds_of_run(t, swapped ? other : &t->fastest);
        time[!swapped][rounds] = seconds_of_run(t, swapped ? &t->fastest : other);
        rounds++;
    }
    *fastest = rounds ? median(rounds, time[0]) : 0;
    *others = rounds ? median(rounds, time[1]) : 0;
}

/* ---- Neighbours ---- */

static uint32_t asked_stage(const struct tuning *t, const struct stage *stage)
{
    const struct stage *asked = graph_stage_named(t->asked, stage->name);
    return asked && stage_may_move(asked) && asked->rank > 0 && !asked->schedule ? asked->id.index
                                                                                 : UINT32_MAX;
}

/* Measures a neighbour of the fastest, which it replaces if it is faster. */
static bool try_candidate(struct tuning *t, struct candidate candidate)
{
    double before, now;
    if (!make_candidate(t, &candidate))
        return false;
    measure_pair(t, &candidate, &before, &now);
    t->tried++;
    if (t->failed || now > PAYS * before) {
        compile_close(&candidate.compiled);
        return false;
    }
    t->seconds *= now / before;
    compile_close(&t->fastest.compiled);
    t->fastest = candidate;
    return true;
}

static bool is_over(const struct tuning *t)
{
    return t->failed || profile_now() >= t->until;
}

/* Tries the fastest with one more pin. */
static bool try_pin(struct tuning *t, uint32_t stage, struct schedule schedule)
{
    struct arena *arena = t->x->c->session->permanent;
    const size_t count = t->asked->stages.count;
    if (stage == UINT32_MAX || is_over(t))
        return false;
    struct candidate candidate = t->fastest;
    candidate.pin = arena_copy(arena, t->fastest.pin, count * sizeof *t->fastest.pin);
    schedule.span = (struct span){0, 0};
    candidate.pin[stage] = arena_copy(arena, &schedule, sizeof schedule);
    return try_candidate(t, candidate);
}

/* Tries the fastest with another number of a row. */
static bool try_number(struct tuning *t, enum choice choice, int64_t value)
{
    const struct choice_info *info = &choice_list[choice];
    struct candidate candidate = t->fastest;
    candidate.choices.pinned[choice] = true;
    candidate.choices.value[choice] = value;
    return value >= info->least && value <= info->greatest && !is_over(t) &&
           try_candidate(t, candidate);
}

/* What the command line pins stays. */
static bool try_choice(struct tuning *t, enum choice choice)
{
    const struct choice_info *info = &choice_list[choice];
    const struct choices *now = &t->fastest.choices, *given = t->x->c->choices;
    const int64_t value =
        now->pinned[choice] ? now->value[choice] : choice_of_machine(t->target, choice);
    if ((given && given->pinned[choice]) || !t->fastest.asked[choice])
        return false;
    if (info->least == 0 && info->greatest == 1) /* whose answer may be either */
        return try_number(t, choice, 0) || try_number(t, choice, 1);
    return try_number(t, choice, 2 * value) || try_number(t, choice, value / 2);
}

static bool try_tile(struct tuning *t, const struct stage *sink)
{
    const struct schedule *made = sink->schedule;
    const uint32_t stage = asked_stage(t, sink);
    for (unsigned k = 0; k < made->rank && !schedule_has_lines(made); k++) {
        struct schedule turned = *made;
        turned.placement = PLACED_FREELY;
        turned.as.tiles = (struct schedule_tiles){!schedule_slides_along(made, k), k};
        if (made->tile[k] && k + 1 < made->rank && try_pin(t, stage, turned))
            return true;
    }
    for (unsigned k = made->rank; k-- > 0;)
        for (unsigned smaller = 0; smaller < 2; smaller++) {
            struct schedule other = *made;
            int64_t *tile = arena_copy(t->x->c->session->permanent, made->tile,
                                       made->rank * sizeof *made->tile);
            tile[k] = smaller ? tile[k] / 2 : tile[k] * 2;
            other.tile = tile;
            other.placement = PLACED_FREELY;
            if (made->tile[k] && tile[k] >= 1 && tile[k] <= MOST_TILE && try_pin(t, stage, other))
                return true;
        }
    return false;
}

/* The stage of the program in whose tiles the readers of a stage are computed; NULL: in those of
 * several, or of none. */
static const struct stage *sink_of_readers(const struct tuning *t, const struct stage *stage)
{
    const struct graph *done = t->fastest.done;
    const struct stage *sink = NULL;
    for (size_t i = 0; i < done->stages.count; i++) {
        const struct stage *reader = done->stages.item[i];
        if (reader == stage || !stage_reads(reader, stage, t->x->c->session->scratch))
            continue;
        const struct stage *own =
            stage_is_at(reader) ? graph_stage(done, reader->schedule->at) : reader;
        if (sink && sink != own)
            return NULL;
        sink = own;
    }
    return sink ? graph_stage_named(t->asked, sink->name) : NULL;
}

static bool try_place(struct tuning *t, const struct stage *stage)
{
    const uint32_t asked = asked_stage(t, stage);
    const bool is_at = stage_is_at(stage);
    if (graph_output_of(t->fastest.done, stage->id))
        return false;
    if (is_at && try_pin(t, asked, (struct schedule){.placement = PLACED_ROOT}))
        return true;
    const struct stage *sink = is_at ? NULL : sink_of_readers(t, stage);
    if (sink && try_pin(t, asked, (struct schedule){.placement = PLACED_AT, .at = sink->id}))
        return true;
    return cost_of_value(t->x->c->session->scratch, stage->value) <= MOST_INLINED &&
           try_pin(t, asked, (struct schedule){.placement = PLACED_INLINE});
}

/* True: one of the neighbours is faster, and takes the place of the fastest. Last stages first:
 * they take the most samples. */
static bool try_neighbours(struct tuning *t)
{
    const struct graph *done = t->fastest.done;
    for (size_t i = done->stages.count; i-- > 0;)
        if (done->stages.item[i]->schedule && done->stages.item[i]->schedule->rank &&
            try_tile(t, done->stages.item[i]))
            return true;
    for (size_t i = done->stages.count; i-- > 0;)
        if (stage_may_move(done->stages.item[i]) && try_place(t, done->stages.item[i]))
            return true;
    for (size_t i = t->asked->stages.count; i-- > 0;) {
        const struct stage *stage = t->asked->stages.item[i];
        if (stage_may_move(stage) && !graph_stage_named(done, stage->name) &&
            try_pin(t, asked_stage(t, stage), (struct schedule){.placement = PLACED_ROOT}))
            return true;
    }
    for (unsigned i = 0; i < CHOICE_COUNT; i++)
        if (try_choice(t, (enum choice)i))
            return true;
    return false;
}

/* Memory that is given back would be fresh pages for the next run, and their cost not the
 * schedule's. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_MMAP_MAX, 0);
#endif
}

/* Why not even the compiler's own schedule runs. */
static void report_no_start(const struct tuning *t)
{
    struct command_context *c = t->x->c;
    const struct compiled *compiled = &t->fastest.compiled;
    if (!compiled->problem) {
        command_passes(c, t->asked); /* tells */
    } else if (!externals_report(c, compiled)) {
        struct diagnostic *d = session_error(c->session, DIAGNOSTIC_E0907, "%s", compiled->problem);
        compile_note_log(c->session, d, compiled);
    }
}

bool tune_filter(struct execution *x, double seconds, struct tuning_result *result)
{
    struct tuning t = {.x = x,
                       .target = target_calibrated(x->c, command_target(x->c)),
                       .asked = x->graph,
                       .began = profile_now()};
    t.until = t.began + seconds;
    t.fastest.pin =
        ARENA_ARRAY(x->c->session->permanent, const struct schedule *, x->graph->stages.count + 1);
    if (x->c->choices)
        t.fastest.choices = *x->c->choices;
    keep_memory();
    if (!make_candidate(&t, &t.fastest)) {
        report_no_start(&t);
        return false;
    }
    double times[LEAST_ROUNDS];
    (void)seconds_of_run(&t, &t.fastest);
    for (unsigned i = 0; i < LEAST_ROUNDS && !t.failed; i++)
        times[i] = seconds_of_run(&t, &t.fastest);
    t.tried = 1;
    t.automatic = t.seconds = t.failed ? 0 : median(LEAST_ROUNDS, times);
    while (!t.failed && try_neighbours(&t))
        continue;
    const struct choices *choices =
        arena_copy(x->c->session->permanent, &t.fastest.choices, sizeof t.fastest.choices);
    *result = (struct tuning_result){
        t.fastest.done, t.automatic, t.seconds, choices, t.fastest.compiled.seconds != NULL,
        t.tried};
    x->compiled = t.fastest.compiled;
    return !t.failed;
}
