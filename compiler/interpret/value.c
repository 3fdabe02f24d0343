/* Samples of the interpreters, and what both do on entry. */
#include "interpret/interpret.h"
#include "interpret/check_values.h"

#include <stdio.h>
#include <stdlib.h>

size_t samples_count(const struct samples *samples)
{
    size_t count = 1;
    for (unsigned i = 0; i < samples->rank; i++)
        count *= (size_t)samples->extent[i];
    return count;
}

bool samples_allocate(struct samples *samples)
{
    double total = scalar_info[samples->scalar].bytes;
    for (unsigned i = 0; i < samples->rank; i++)
        total *= (double)samples->extent[i];
    enum { LINE = 64, SMALL = 1 << 26 };
    void *memory = NULL;
    samples->data = NULL;
    samples->term = NULL;
    if (total < SMALL) /* on lines of cache, as runtime functions want it */
        samples->data = posix_memalign(&memory, LINE, (size_t)total + 1) == 0
                            ? memset(memory, 0, (size_t)total)
                            : NULL;
    else if (total < 0x1p46) /* what is not touched takes no memory */
        samples->data = calloc(samples_count(samples), scalar_info[samples->scalar].bytes);
    return samples->data != NULL;
}

bool samples_allocate_with(struct samples *samples, const struct terms *terms)
{
    if (!samples_allocate(samples))
        return false;
    if (terms)
        samples->term = calloc(samples_count(samples) + 1, sizeof *samples->term);
    return !terms || samples->term;
}

void samples_free(struct samples *samples)
{
    free(samples->data);
    free(samples->term);
    samples->data = NULL;
    samples->term = NULL;
}

static size_t place_of(const struct samples *samples, const int64_t index[])
{
    size_t at = 0;
    for (unsigned i = 0; i < samples->rank; i++)
        at = at * (size_t)samples->extent[i] + (size_t)(index[i] - samples->first[i]);
    return at;
}

bool samples_contain(const struct samples *samples, const int64_t index[])
{
    for (unsigned i = 0; i < samples->rank; i++)
        if (index[i] < samples->first[i] || index[i] - samples->first[i] >= samples->extent[i])
            return false;
    return true;
}

struct value samples_read(const struct samples *samples, const int64_t index[])
{
    const size_t at = place_of(samples, index);
    struct value value =
        value_read(samples->data + at * scalar_info[samples->scalar].bytes, samples->scalar);
    if (samples->scalar == SCALAR_BOOL)
        value.integer = value.integer != 0;
    value.term = samples->term ? samples->term[at] : NULL;
    return value;
}

void samples_write(struct samples *samples, const int64_t index[], struct value value)
{
    const size_t at = place_of(samples, index);
    value_write(samples->data + at * scalar_info[samples->scalar].bytes, samples->scalar, value);
    if (samples->term)
        samples->term[at] = value.term;
}

static bool in_range(const struct parameter *p, struct value v)
{
    if (!p->least)
        return !scalar_is_integer(p->scalar) ||
               (v.integer >= scalar_info[p->scalar].interval.least &&
                v.integer <= scalar_info[p->scalar].interval.greatest);
    if (scalar_is_float(p->scalar))
        return value_real(p->scalar, v) >= (long double)p->least->as.real &&
               value_real(p->scalar, v) <= (long double)p->greatest->as.real;
    return v.integer >= p->least->as.integer && v.integer <= p->greatest->as.integer;
}

bool interpret_parameters(struct evaluator *evaluator, const struct entry *entry,
                          struct interpretation *run)
{
    for (size_t i = 0; i < entry->parameter_count; i++) {
        const struct parameter *p = &entry->parameters[i];
        if (!in_range(p, run->parameters[i])) {
            run->problem =
                arena_format(evaluator->arena, "parameter '%s' is out of range", p->name->text);
            return false;
        }
        evaluator_set(evaluator, p->variable, run->parameters[i]);
    }
    return true;
}

bool interpret_checks(struct evaluator *evaluator, const struct entry *entry,
                      struct interpretation *run)
{
    for (size_t i = 0; i < entry->check_count; i++)
        if (!evaluate_once(evaluator, entry->checks[i].condition).integer) {
            struct text values = text_create(evaluator->arena);
            check_values(evaluator, entry, entry->checks[i].condition, &values);
            run->problem = entry->checks[i].text;
            snprintf(run->values, sizeof run->values, "%s", values.length ? values.bytes : "");
            return false;
        }
    return true;
}

bool interpret_externals(const struct evaluator *evaluator, struct interpretation *run)
{
    if (evaluator->missing)
        run->problem = arena_format(evaluator->arena, "there is no C function '%s' to call",
                                    evaluator->missing);
    return !evaluator->missing;
}

static void bind_extents(struct evaluator *evaluator, const struct graph *graph,
                         const struct interpretation *run)
{
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        for (unsigned k = 0; stage->kind == STAGE_INPUT && k < stage->rank; k++)
            if (stage->axis[k].extent->kind == EXPR_VARIABLE)
                evaluator_set(
                    evaluator, stage->axis[k].extent,
                    (struct value){.integer = run->inputs[stage->as.input.position].extent[k]});
    }
}

bool interpret_entry(const struct graph *graph, struct interpretation *run)
{
    struct arena *arena = arena_sibling(run->session->permanent);
    struct evaluator evaluator = {.arena = arena, .externals = run->externals};
    const struct entry entry = {graph->parameters.item, graph->parameters.count, graph->checks.item,
                                graph->checks.count};
    run->problem = NULL;
    bind_extents(&evaluator, graph, run);
    bool accepted =
        interpret_parameters(&evaluator, &entry, run) && interpret_checks(&evaluator, &entry, run);
    if (evaluator.missing) { /* the run itself will tell */
        accepted = true;
        run->problem = NULL;
    }
    interpretation_keep_problem(run);
    arena_destroy(arena);
    return accepted;
}

void interpret_boxes(const struct graph *graph, const struct interpretation *run,
                     struct samples box[])
{
    struct arena *arena = arena_sibling(run->session->permanent);
    struct evaluator evaluator = {.arena = arena, .externals = run->externals};
    bind_extents(&evaluator, graph, run);
    for (size_t i = 0; i < graph->parameters.count; i++)
        evaluator_set(&evaluator, graph->parameters.item[i].variable, run->parameters[i]);
    for (size_t i = 0; i < graph->stages.count; i++) {
        const struct stage *stage = graph->stages.item[i];
        box[i] = (struct samples){.scalar = stage->element, .rank = stage->rank};
        for (unsigned k = 0; k < stage->rank; k++) {
            box[i].first[k] = evaluate_once(&evaluator, stage->axis[k].first).integer;
            box[i].extent[k] = evaluate_once(&evaluator, stage->axis[k].extent).integer;
        }
    }
    arena_destroy(arena);
}

void interpretation_keep_problem(struct interpretation *run)
{
    if (!run->problem)
        return;
    snprintf(run->problem_text, sizeof run->problem_text, "%s", run->problem);
    run->problem = run->problem_text;
}
