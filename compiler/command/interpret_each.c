/* Comparing a program with what it was before a pass, on images of a few samples. */
#include "command/interpret_each.h"
#include "pass_manager.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t random_next(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* One of many values that are not a number, of both signs, quiet: bits that f32 keeps, too. */
static double random_nan(uint64_t *seed)
{
    const uint64_t payload = (random_next(seed) & 0x3fffff) << 29, sign = random_next(seed) << 63;
    const uint64_t bits =
        UINT64_C(0x7ff8000000000000) | sign | (random_next(seed) % 2 ? payload : 0);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The ends of the types of floats; of the narrower ones some are infinite. */
static double random_end(uint64_t *seed)
{
    static const double end[] = {FLT_MAX, FLT_MIN, 0x1p-149,  65504,
                                 0x1p-24, DBL_MAX, 0x1p-1074, 1e38};
    const double value = end[random_next(seed) % (sizeof end / sizeof end[0])];
    return random_next(seed) % 2 ? value : -value;
}

static double random_real(uint64_t *seed)
{
    const double unit = (double)(random_next(seed) >> 11) * 0x1p-53;
    switch (random_next(seed) % 20) {
    case 0:
        return 0.0;
    case 1:
        return -0.0;
    case 2:
        return random_nan(seed);
    case 3:
        return random_next(seed) % 2 ? (double)INFINITY : (double)-INFINITY;
    case 4:
        return unit * 0x1p-140; /* a denormal f32 */
    case 5:
        return (unit - 0.5) * 1e30;
    case 6:
        return floor(unit * 512) - 256;
    case 7:
        return floor(unit * 512) / 2 - 128;
    case 8:
        return random_end(seed);
    default:
        return unit * 2 - 0.5;
    }
}

/* Memory of a caller may hold any byte; all but 0 are true. */
static int64_t random_truth(uint64_t random)
{
    const bool is_true = random & 1, is_one = (random >> 1) % 4 != 0;
    return !is_true ? 0 : is_one ? 1 : 1 + (int64_t)((random >> 8) % 255);
}

void random_samples(uint64_t *seed, struct samples *samples)
{
    const size_t count = samples_count(samples);
    const struct scalar_info *info = &scalar_info[samples->scalar];
    for (size_t i = 0; i < count; i++) {
        struct value v = {.integer = 0};
        if (scalar_is_float(samples->scalar))
            v = value_from_real(samples->scalar, (long double)random_real(seed));
        else if (samples->scalar == SCALAR_BOOL)
            v.integer = random_truth(random_next(seed));
        else if (random_next(seed) % 8 == 0)
            v.integer = random_next(seed) % 2 ? info->interval.least : info->interval.greatest;
        else if (samples->scalar == SCALAR_I64)
            v.integer = (int64_t)random_next(seed) >> (random_next(seed) % 64);
        else
            v.integer = info->interval.least +
                        (int64_t)(random_next(seed) % ((uint64_t)info->interval.greatest -
                                                       (uint64_t)info->interval.least + 1));
        value_write(samples->data + i * info->bytes, samples->scalar, v);
    }
}

/* ---- Levels of particles ---- */

/* The cell of a level that holds the sample has, or is given, that level. */
static int64_t cell_of(const struct samples *samples, size_t at, unsigned shift)
{
    int64_t cell = 0, side = 1;
    for (unsigned k = samples->rank; k-- > 0;) {
        const int64_t cells = ((samples->extent[k] - 1) >> shift) + 1;
        cell += (((int64_t)at % samples->extent[k]) >> shift) * side;
        at /= (size_t)samples->extent[k];
        side *= cells;
    }
    return cell;
}

/* Levels of particles: of cells of one level, or of some of them and of smaller ones; now and then
 * of none. */
static void random_levels(uint64_t *seed, struct samples *samples)
{
    const size_t count = samples_count(samples);
    unsigned levels = 1;
    for (unsigned k = 0; k < samples->rank; k++)
        while (((int64_t)1 << levels) < samples->extent[k])
            levels++;
    const unsigned level = 1 + (unsigned)(random_next(seed) % levels), shift = levels - level;
    const uint64_t finer = shift > 0 ? random_next(seed) % 4 : 0; /* cells of 4 */
    const uint64_t salt = random_next(seed);
    for (size_t i = 0; i < count; i++) {
        uint64_t cell = salt + (uint64_t)cell_of(samples, i, shift);
        samples->data[i] = (unsigned char)(level + (random_next(&cell) % 4 < finer));
    }
    if (random_next(seed) % 8 == 0) /* of nobody's particles */
        samples->data[random_next(seed) % count] ^= 1;
}

void random_input(uint64_t *seed, const struct stage *input, struct samples *samples)
{
    if (input->as.input.levels == input->name)
        random_levels(seed, samples);
    else
        random_samples(seed, samples);
}

struct value random_parameter(uint64_t *seed, const struct parameter *p)
{
    struct value v = {.integer = 0};
    const double unit = (double)(random_next(seed) >> 11) * 0x1p-53;
    if (p->scalar == SCALAR_BOOL) {
        v.integer = (int64_t)(random_next(seed) & 1);
    } else if (scalar_is_float(p->scalar)) {
        const double least = p->least ? p->least->as.real : -4;
        const double greatest = p->greatest ? p->greatest->as.real : 4;
        const double value = least + unit * (greatest - least);
        v = value_from_real(p->scalar, (long double)value);
    } else {
        const struct interval range =
            p->least ? (struct interval){p->least->as.integer, p->greatest->as.integer}
                     : (struct interval){0, 100};
        v.integer = range.least + (int64_t)(random_next(seed) %
                                            ((uint64_t)range.greatest - (uint64_t)range.least + 1));
    }
    return v;
}

const char *samples_difference(struct arena *arena, const struct samples *a,
                               const struct samples *b)
{
    if (a->scalar != b->scalar || a->rank != b->rank)
        return "results of different types";
    for (unsigned k = 0; k < a->rank; k++)
        if (a->extent[k] != b->extent[k] || a->first[k] != b->first[k])
            return arena_format(arena, "boxes differ along axis %u", k);
    const size_t count = samples_count(a);
    const unsigned bytes = scalar_info[a->scalar].bytes;
    for (size_t i = 0; i < count; i++) {
        const struct value x = value_read(a->data + i * bytes, a->scalar);
        const struct value y = value_read(b->data + i * bytes, b->scalar);
        if (value_equal(a->scalar, x, y))
            continue;
        if (scalar_is_float(a->scalar))
            return arena_format(arena, "sample %zu of %zu is %a, expected %a", i, count,
                                (double)value_real(a->scalar, y), (double)value_real(a->scalar, x));
        return arena_format(arena, "sample %zu of %zu is %lld, expected %lld", i, count,
                            (long long)y.integer, (long long)x.integer);
    }
    return NULL;
}

void interpret_each_start(struct interpret_each *each, struct session *session,
                          const struct graph *graph, const struct external_functions *externals)
{
    uint64_t seed = 1;
    bool recurs = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        recurs = recurs || graph->stages.item[i]->kind == STAGE_RECURRENCE;
    *each = (struct interpret_each){.session = session, .graph = graph, .externals = externals};
    for (int t = 0; t < INTERPRET_EACH_TRIES; t++) {
        struct each_try *try = &each->tries[t];
        int64_t extent[GRAPH_MAX_RANK];
        for (unsigned k = 0; k < GRAPH_MAX_RANK; k++)
            extent[k] = 1 + (int64_t)(random_next(&seed) % 12);
        if (recurs && t + 1 == INTERPRET_EACH_TRIES) /* segments of lines are shorter */
            extent[random_next(&seed) % 2] = 20 + (int64_t)(random_next(&seed) % 70);
        size_t inputs = 0;
        for (size_t i = 0; i < graph->stages.count && inputs < INTERPRET_EACH_IMAGES; i++) {
            const struct stage *stage = graph->stages.item[i];
            if (stage->kind != STAGE_INPUT)
                continue;
            struct samples *samples = &try->input[inputs++];
            samples->scalar = stage->element;
            samples->rank = stage->rank;
            for (unsigned k = 0; k < stage->rank; k++)
                samples->extent[k] = stage->axis[k].extent->kind == EXPR_INTEGER
                                         ? stage->axis[k].extent->as.integer
                                         : extent[k];
            if (samples_allocate(samples))
                random_input(&seed, stage, samples);
        }
        for (size_t i = 0; i < graph->parameters.count && i < 32; i++)
            try->parameter[i] = random_parameter(&seed, &graph->parameters.item[i]);
        struct interpretation run = {.session = each->session,
                                     .transforms_as_emitted = true,
                                     .inputs = try->input,
                                     .parameters = try->parameter,
                                     .outputs = try->expected,
                                     .externals = externals};
        try->valid = interpret_graph(graph, &run);
    }
}

/* What a pass has made: a circuit, or a program, or a graph. */
struct made {
    const struct graph *graph;
    const struct program *program;
    const struct circuit *circuit;
};

static bool run_made(const struct made *made, struct interpretation *run)
{
    return made->circuit   ? interpret_circuit(made->circuit, run)
           : made->program ? interpret_program(made->program, run)
                           : interpret_graph(made->graph, run);
}

static bool compare_made(struct interpret_each *each, const char *pass, const struct made *made)
{
    for (int t = 0; t < INTERPRET_EACH_TRIES && !each->problem[0]; t++) {
        struct each_try *try = &each->tries[t];
        struct samples result[INTERPRET_EACH_IMAGES] = {0};
        struct interpretation run = {.session = each->session,
                                     .transforms_as_emitted = true,
                                     .inputs = try->input,
                                     .parameters = try->parameter,
                                     .outputs = result,
                                     .externals = each->externals};
        if (!try->valid)
            continue;
        const bool ran = run_made(made, &run);
        const char *difference = ran ? NULL : run.problem;
        const bool rounds = ran && pass_may_round(pass, made->graph);
        for (size_t i = 0; i < each->graph->outputs.count; i++) {
            if (rounds) { /* what later passes keep */
                const struct samples before = try->expected[i];
                try->expected[i] = result[i];
                result[i] = before;
            } else if (!difference)
                difference =
                    samples_difference(each->session->permanent, &try->expected[i], &result[i]);
            samples_free(&result[i]);
        }
        if (difference)
            snprintf(each->problem, sizeof each->problem, "pass %s: %s", pass, difference);
    }
    return !each->problem[0];
}

bool interpret_each_after(const char *pass, const struct graph *graph,
                          const struct program *program, void *context)
{
    return compare_made(context, pass, &(struct made){graph, program, NULL});
}

bool interpret_each_after_circuit(const char *pass, const struct circuit *circuit, void *context)
{
    return compare_made(context, pass, &(struct made){circuit->graph, NULL, circuit});
}

bool interpret_each_end(struct interpret_each *each)
{
    for (int t = 0; t < INTERPRET_EACH_TRIES; t++) {
        for (int i = 0; i < INTERPRET_EACH_IMAGES; i++)
            samples_free(&each->tries[t].input[i]);
        for (int i = 0; i < INTERPRET_EACH_IMAGES; i++)
            samples_free(&each->tries[t].expected[i]);
    }
    return each->problem[0] != 0;
}
