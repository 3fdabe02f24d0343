/* Trials of NAME_self_check. For each content of samples (flt_check_fill) images are tried, large
 * ones first, until the filter takes some and the interpreter is done in a moment. All that is
 * tried is the same in every run, so that emitted files are. */
#include "command/self_check.h"
#include "analysis/cost.h"
#include "command/trial_images.h"

#include <string.h>

/* What emitted files carry. */
#include "emit/host/texts/check_digest.h"
#include "emit/host/texts/check_images.h"

enum {
    MOST_IMAGES = 32,
    MOST_PARAMETERS = 64,
    MOST_REPEATS = 64, /* times the samples of all stages */
    DRAWS = 8          /* of parameters, for images of one size */
};

/* Of a trial, as cost.h counts: half a second, or seconds where there are no such images. */
static const double most_operations[] = {8e6, 1e8};

/* Rows and columns; those of a trial begin at a place of its own. */
static const int64_t size[][2] = {{181, 251}, {61, 83}, {47, 64},   {33, 37},   {17, 29},
                                  {9, 13},    {5, 7},   {3, 3},     {1, 5},     {1, 1},
                                  {64, 64},   {32, 32}, {16, 16},   {128, 128}, {8, 8},
                                  {4, 4},     {2, 2},   {200, 300}, {256, 256}};
enum { SIZES = sizeof size / sizeof size[0] };
static const int first_size[SELF_CHECK_TRIALS] = {0, 1, 4, 3};

struct trying {
    struct command_context *c;
    const struct self_checking *checking;
    const struct stage *image[MOST_IMAGES]; /* inputs */
    struct samples input[MOST_IMAGES], output[MOST_IMAGES];
    struct value value[MOST_PARAMETERS];
    size_t inputs, outputs, parameters;
    double most_bytes;
};

/* ---- What can be checked ---- */

static bool refuse(struct command_context *c, const char *what, const char *cure)
{
    COMMAND_HELP(c->session, session_error(c->session, DIAGNOSTIC_E0903, "%s", what), "%s", cure);
    return false;
}

bool self_check_suits(struct command_context *c, const struct graph *graph,
                      const struct target *target)
{
    struct arena *arena = c->session->permanent;
    const struct external_list called = expr_externals(&c->session->pool, arena);
    size_t inputs = 0;
    for (size_t i = 0; i < graph->stages.count; i++)
        inputs += graph->stages.item[i]->kind == STAGE_INPUT;
    if (!c->options->self_check)
        return true;
    if (target->execution == EXECUTION_DATAFLOW)
        return refuse(c,
                      arena_format(arena, "target '%s' has no use for --self-check", target->name),
                      "leave it out: the circuit's test bench compares with a model in C");
    if (c->options->fft)
        return refuse(c, "--self-check cannot foretell what a library for --fft given rounds",
                      "leave out one of the two; emitted without --fft given, the filter contains "
                      "its own transform");
    if (called.count)
        return refuse(c,
                      arena_format(arena,
                                   "--self-check cannot foretell what the C function '%s' gives",
                                   called.item[0]->name->text),
                      "write it as a fn of the language, or leave out --self-check");
    if (graph_has_structure(graph))
        return refuse(c, "--self-check does not make adaptive images",
                      "leave it out, or check a filter that computes the same on pixels");
    if (inputs > MOST_IMAGES || graph->outputs.count > MOST_IMAGES ||
        graph->parameters.count > MOST_PARAMETERS)
        return refuse(c,
                      arena_format(arena,
                                   "--self-check takes at most %d images, %d results and "
                                   "%d parameters",
                                   MOST_IMAGES, MOST_IMAGES, MOST_PARAMETERS),
                      "leave it out");
    return true;
}

bool self_check_after(const char *pass, const struct graph *graph, const struct program *program,
                      struct self_checking *checking)
{
    if (pass_may_round(pass, graph, checking->session->scratch)) {
        checking->rounded_graph = graph;
        checking->rounded_program = program;
    }
    return true;
}

/* ---- Extents ---- */

enum { FEW = 3 }; /* colours, and all that are no rows and columns */
static int64_t extent_of(const struct trying *t, const struct stage_axis *axis, const int64_t of[2])
{
    switch (trial_axis_of(t->inputs, t->image, axis->name)) {
    case TRIAL_ROWS:
        return of[0];
    case TRIAL_COLUMNS:
        return of[1];
    case TRIAL_LINE:
        return of[0] * of[1];
    case TRIAL_OTHER:
        break;
    }
    return FEW;
}

/* behind: extents of images behind the first; 0: as large as it. */
static void set_extents(struct trying *t, const int64_t of[2], int64_t behind)
{
    for (size_t i = 0; i < t->inputs; i++) {
        const struct stage *image = t->image[i];
        t->input[i] = (struct samples){.scalar = image->element, .rank = image->rank};
        for (unsigned k = 0; k < image->rank; k++)
            t->input[i].extent[k] = image->axis[k].extent->kind == EXPR_INTEGER
                                        ? image->axis[k].extent->as.integer
                                    : i > 0 && behind > 0 ? behind
                                                          : extent_of(t, &image->axis[k], of);
    }
}

/* ---- Parameters ---- */

/* Integers of a wide range near its beginning: they may be extents, and the oracle is slow. */
static struct value drawn(uint64_t *state, const struct parameter *p)
{
    enum { WIDE = 4096, NEAR = 64 };
    struct value value = random_parameter(state, p);
    if (scalar_is_integer(p->scalar) && p->least &&
        p->greatest->as.integer - p->least->as.integer > WIDE)
        value.integer = p->least->as.integer +
                        (int64_t)((uint64_t)value.integer - (uint64_t)p->least->as.integer) % NEAR;
    return value;
}

static void set_parameters(struct trying *t, uint64_t *state, bool usual)
{
    for (size_t i = 0; i < t->parameters; i++) {
        const struct parameter *p = &t->checking->graph->parameters.item[i];
        const struct value value = drawn(state, p);
        t->value[i] = usual && p->initial ? evaluate_constant(p->initial) : value;
    }
}

/* ---- One trial ---- */

static struct interpretation interpretation_of(struct trying *t)
{
    return (struct interpretation){.session = t->c->session,
                                   .inputs = t->input,
                                   .parameters = t->value,
                                   .outputs = t->output,
                                   .transforms_as_emitted = true};
}

/* Whether the graph is interpreted in a moment, as far as is known before. */
static bool is_quick(struct trying *t, double most)
{
    const struct graph *graph = t->checking->graph;
    struct arena *scratch = t->c->session->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    struct samples *box = ARENA_ARRAY(scratch, struct samples, graph->stages.count + 1);
    double operations = 0;
    const struct interpretation run = interpretation_of(t);
    interpret_boxes(graph, &run, box);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        const int64_t cost = stage->value ? cost_of_value(scratch, stage->value) : 0;
        operations += (double)samples_count(&box[i]) * (double)(cost + 1);
    }
    arena_release(scratch, mark);
    return operations <= most;
}

static bool goes_on(double done, void *context)
{
    (void)context;
    return done <= MOST_REPEATS;
}

static void free_samples(size_t count, struct samples samples[])
{
    for (size_t i = 0; i < count; i++)
        samples_free(&samples[i]);
}

static bool interpret(struct trying *t)
{
    const struct self_checking *const checking = t->checking;
    struct interpretation run = interpretation_of(t);
    run.progress = goes_on;
    bool good =
        checking->rounded_program
            ? interpret_program(checking->rounded_program, &run)
            : interpret_graph(checking->rounded_graph ? checking->rounded_graph : checking->graph,
                              &run);
    for (size_t i = 0; good && i < t->outputs; i++)
        good = samples_count(&t->output[i]) > 0;
    return good;
}

static uint64_t digest_of(const struct trying *t)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < t->outputs; i++) {
        const struct samples *s = &t->output[i];
        for (unsigned k = 0; k < s->rank; k++)
            hash = flt_check_hash(hash, (uint64_t)s->extent[k]);
        hash = flt_check_digest(hash, (const char *)s->data, samples_count(s),
                                self_check_kind(s->scalar), (int)scalar_info[s->scalar].bytes);
    }
    return hash;
}

static double bytes_of(const struct trying *t)
{
    double bytes = 0;
    for (size_t i = 0; i < t->inputs + t->outputs; i++) {
        const struct samples *s = i < t->inputs ? &t->input[i] : &t->output[i - t->inputs];
        bytes += (double)((samples_count(s) * scalar_info[s->scalar].bytes + 63) / 64 * 64);
    }
    return bytes;
}

/* Whether the filter takes images of these extents with these parameters; then the trial is
 * made. */
static bool make_trial(struct trying *t, double most, struct self_check_trial *trial)
{
    struct arena *arena = t->c->session->permanent;
    struct interpretation run = interpretation_of(t);
    if (!interpret_entry(t->checking->graph, &run) || !is_quick(t, most))
        return false;
    uint64_t state = (uint64_t)trial->content;
    bool good = true;
    for (size_t i = 0; good && i < t->inputs; i++) {
        struct samples *s = &t->input[i];
        good = samples_allocate(s);
        if (good)
            flt_check_fill((char *)s->data, samples_count(s), trial->content,
                           self_check_kind(s->scalar), (int)scalar_info[s->scalar].bytes, &state);
    }
    good = good && interpret(t);
    if (good) {
        const struct expr **parameter = ARENA_ARRAY(arena, const struct expr *, t->parameters + 1);
        trial->extent = arena_allocate(arena, (t->inputs + 1) * sizeof *trial->extent);
        for (size_t i = 0; i < t->inputs; i++)
            memcpy(trial->extent[i], t->input[i].extent, sizeof *trial->extent);
        for (size_t i = 0; i < t->parameters; i++)
            parameter[i] = expr_constant(
                &t->c->session->pool, t->checking->graph->parameters.item[i].scalar, t->value[i]);
        trial->parameter = parameter;
        trial->digest = digest_of(t);
        t->most_bytes = bytes_of(t) > t->most_bytes ? bytes_of(t) : t->most_bytes;
    }
    free_samples(t->inputs, t->input);
    free_samples(t->outputs, t->output);
    memset(t->output, 0, sizeof t->output);
    return good;
}

/* For each limit of operations, extents of images behind the first: kernels, points, vectors. */
static const int64_t behind[] = {0, FEW, 2, 5};
enum { BEHINDS = sizeof behind / sizeof behind[0] };
enum { WAYS = BEHINDS * sizeof most_operations / sizeof most_operations[0] };

/* The first images and parameters that suit. The last trial begins with parameters at random. */
static bool find_trial(struct trying *t, int number, struct self_check_trial *trial)
{
    *trial = (struct self_check_trial){.content = number};
    uint64_t state = (uint64_t)number;
    for (int k = 0; k < WAYS; k++)
        for (int s = 0; s < SIZES; s++)
            for (int draw = number + 1 < SELF_CHECK_TRIALS; draw <= DRAWS; draw++) {
                set_parameters(t, &state, draw > 0);
                set_extents(t, size[(first_size[number] + s) % SIZES], behind[k % BEHINDS]);
                if (make_trial(t, most_operations[k / BEHINDS], trial))
                    return true;
            }
    return false;
}

const struct self_check *self_check_of(struct command_context *c,
                                       const struct self_checking *checking)
{
    const struct graph *graph = checking->graph;
    struct self_check *check = ARENA_ARRAY(c->session->permanent, struct self_check, 1);
    struct trying *t = ARENA_ARRAY(c->session->permanent, struct trying, 1);
    *t = (struct trying){.c = c,
                         .checking = checking,
                         .outputs = graph->outputs.count,
                         .parameters = graph->parameters.count};
    for (size_t i = 0; i < graph->stages.count; i++)
        if (graph->stages.item[i]->kind == STAGE_INPUT)
            t->image[t->inputs++] = graph->stages.item[i];
    for (int i = 0; i < SELF_CHECK_TRIALS; i++)
        if (!find_trial(t, i, &check->trial[i])) {
            refuse(c,
                   arena_format(c->session->permanent,
                                "--self-check found no small images that '%s' takes",
                                graph->name->text),
                   "let it take some of at most 300 rows and columns, with parameters of their "
                   "defaults or anywhere in their ranges; or leave out --self-check");
            return NULL;
        }
    check->most_bytes = t->most_bytes;
    check->rounds = checking->rounded_graph || checking->rounded_program;
    return check;
}
