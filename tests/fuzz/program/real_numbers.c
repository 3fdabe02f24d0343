/* Bounds of errors: the program as it is, and over real numbers, its fixed-point types being f64.
 * Samples of a stage may not be further apart than its quantisation says, where nothing
 * saturates. */
#include "program/real_numbers.h"

#include "frontend/elaborate.h"

#include <math.h>

struct kept_stage { /* of the program as it is */
    const struct stage *stage;
    struct samples samples;
};

struct comparing {
    struct program_check *check;
    struct arena *arena;
    size_t count;
    struct kept_stage *kept; /* by stage */
};

static bool is_bounded(const struct stage *stage)
{
    return scalar_is_integer(stage->element) && !stage->quantisation.saturates &&
           !isinf(stage->quantisation.error) && !stage->repeat;
}

static double number_of(const struct stage *stage, const struct samples *samples, size_t i)
{
    const struct value v =
        value_read(samples->data + i * scalar_info[samples->scalar].bytes, samples->scalar);
    return scalar_is_float(samples->scalar) ? (double)value_real(samples->scalar, v)
                                            : ldexp((double)v.integer, -stage->fixed.fraction);
}

static void keep(const struct stage *stage, const struct samples *samples, void *user)
{
    struct comparing *c = user;
    if (stage->id.index >= c->count || !is_bounded(stage))
        return;
    const size_t bytes = samples_count(samples) * scalar_info[samples->scalar].bytes;
    struct kept_stage *kept = &c->kept[stage->id.index];
    /* The graph that runs may be the interpreter's own. */
    *kept = (struct kept_stage){arena_copy(c->arena, stage, sizeof *stage), *samples};
    kept->samples.data = arena_copy(c->arena, samples->data, bytes);
}

/* A stage of the program over real numbers. */
static void compare(const struct stage *real, const struct samples *samples, void *user)
{
    struct comparing *c = user;
    for (size_t k = 0; k < c->count; k++) {
        const struct kept_stage *kept = &c->kept[k];
        if (!kept->stage || kept->stage->name != real->name ||
            samples_count(&kept->samples) != samples_count(samples))
            continue;
        const double bound = kept->stage->quantisation.error;
        for (size_t i = 0; i < samples_count(samples); i++) {
            const double is = number_of(kept->stage, &kept->samples, i);
            const double wanted = number_of(real, samples, i);
            if (fabs(is - wanted) > bound + 1e-9 * (fabs(wanted) + bound))
                finding_set(&c->check->finding, FOUND_FAULT, "bound of errors",
                            "stage '%s': sample %zu is %.17g, %.17g over real numbers; at most "
                            "%.9g apart is claimed",
                            real->name->text, i, is, wanted, bound);
        }
    }
}

/* Inputs and parameters of the trial as real numbers, in the arena. */
static struct trial over_reals(struct arena *arena, const struct graph *graph,
                               const struct trial *trial)
{
    struct trial out = *trial;
    for (size_t s = 0; s < graph->stages.count; s++) {
        const struct stage *stage = graph->stages.item[s];
        if (stage->kind != STAGE_INPUT || !stage->fixed.is)
            continue;
        const struct samples *from = &trial->input[stage->as.input.position];
        struct samples *to = &out.input[stage->as.input.position];
        const size_t count = samples_count(from);
        double *data = ARENA_ARRAY(arena, double, count + 1);
        for (size_t i = 0; i < count; i++) {
            const double least = ldexp((double)stage->interval.least, -stage->fixed.fraction);
            const double greatest = ldexp((double)stage->interval.greatest, -stage->fixed.fraction);
            data[i] = fmin(fmax(number_of(stage, from, i), least), greatest);
        }
        to->scalar = SCALAR_F64;
        to->data = (unsigned char *)data;
    }
    for (size_t p = 0; p < graph->parameters.count; p++)
        if (graph->parameters.item[p].fixed.is)
            out.parameter[p].f64 = ldexp((double)trial->parameter[p].integer,
                                         -graph->parameters.item[p].fixed.fraction);
    return out;
}

static bool has_fixed_point(const struct graph *graph)
{
    bool found = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        found = found || graph->stages.item[i]->fixed.is;
    return found;
}

static void compare_trial(struct program_check *check, struct session *other,
                          const struct graph *real, const struct trial *trial)
{
    struct arena *arena = arena_create();
    struct comparing c = {.check = check, .arena = arena, .count = check->graph->stages.count};
    struct samples output[TRIAL_IMAGES] = {0};
    c.kept = ARENA_ARRAY(arena, struct kept_stage, c.count + 1);
    struct interpretation run = trial_run(check->session, trial, output);
    run.stage_done = keep;
    run.context = &c;
    const bool ran = interpret_graph(check->graph, &run);
    for (unsigned i = 0; i < trial->output_count; i++)
        samples_free(&output[i]);
    const struct trial reals = over_reals(arena, check->graph, trial);
    run = trial_run(other, &reals, output);
    run.stage_done = compare;
    run.context = &c;
    if (ran)
        interpret_graph(real, &run); /* entry checks may refuse what was rounded */
    for (unsigned i = 0; i < trial->output_count; i++)
        samples_free(&output[i]);
    arena_destroy(arena);
}

void check_real_numbers(struct program_check *check, const char *text)
{
    const struct elaborate_options options = {.fixed_as_real = true, .target = "none"};
    if (!has_fixed_point(check->graph))
        return;
    struct session *session = check->session;
    const struct diagnostics before = session->diagnostics;
    const struct module_set *modules = load_modules_text(session, "real.flt", text, strlen(text));
    const struct graph *real =
        modules ? elaborate_filter(session, modules, last_filter(modules->list.item[0].module),
                                   &options)
                : NULL;
    diagnostics_go_back(&session->diagnostics, &before);
    for (unsigned t = 0; real && t < TRIALS && check->finding.kind == FOUND_NOTHING; t++)
        if (check->trial[t].accepted)
            compare_trial(check, session, real, &check->trial[t]);
}
