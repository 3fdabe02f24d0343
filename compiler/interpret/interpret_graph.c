/* The oracle: executes the definitions of language.md, stage after stage, sample after sample, in
 * the program's own types and the language's order. Slow and obvious. */
#include "interpret/interpret.h"
#include "graph/particle_window.h"
#include "interpret/interpret_given.h"
#include "interpret/interpret_particles.h"
#include "interpret/interpret_transform.h"
#include "graph_pass.h"
#include "interpret/interpret_lines.h"
#include "interpret/places.h"

struct oracle {
    const struct graph *graph;
    struct interpretation *run;
    struct evaluator evaluator;
    struct samples *stage; /* by stage id */
    struct tape **tape;
    uint32_t *last_reader;
    struct hash_map extended; /* (stage, coordinates) → value, of samples outside a box */
    struct whole_lines lines; /* of unbounded recurrences, by definition */
    uint32_t current;
    double done, total;
};

static struct value sample_of(struct oracle *oracle, uint32_t source, const int64_t index[],
                              bool extends);

struct extended_key {
    uint64_t stage;
    int64_t index[GRAPH_MAX_RANK];
};

struct joining {
    struct oracle *oracle;
    const struct stage *joined;
    const int64_t *index;
    struct value value;
};

static void search_part(const struct expr *node, void *user)
{
    struct joining *j = user;
    if (node->kind != EXPR_LOAD)
        return;
    const struct samples *part = &j->oracle->stage[node->as.load.source];
    const unsigned rank = j->joined->rank;
    int64_t place[GRAPH_MAX_RANK];
    memcpy(place, j->index, rank * sizeof *place);
    if (part->rank > rank) { /* x = B j + i */
        const unsigned cut = j->joined->schedule->as.lines.axis;
        const int64_t size = part->extent[cut + 1];
        for (unsigned k = cut + 1; k < rank; k++)
            place[k + 1] = j->index[k];
        place[cut] = floor_divide(j->index[cut] - part->first[cut + 1], size);
        place[cut + 1] = j->index[cut] - place[cut] * size;
    }
    if (samples_contain(part, place))
        j->value = samples_read(part, place);
}

/* A sample of a joined stage, of the part that has it. */
static struct value joined_sample(struct oracle *oracle, const struct stage *stage,
                                  const int64_t index[])
{
    struct joining joining = {oracle, stage, index, {.integer = 0}};
    stage_nodes(stage, oracle->evaluator.arena, search_part, &joining);
    return joining.value;
}

/* A sample of a stage outside its box, under the rule extend: its own expression, further out. */
static struct value extended_sample(struct oracle *oracle, uint32_t source, const int64_t index[])
{
    const struct stage *stage = oracle->graph->stages.item[source];
    struct arena *arena = oracle->evaluator.arena;
    if (stage->kind == STAGE_JOINED)
        return joined_sample(oracle, stage, index);
    struct extended_key key = {.stage = source};
    memcpy(key.index, index, stage->rank * sizeof *index);
    const struct value *known = hash_map_find_bytes(&oracle->extended, &key, sizeof key);
    if (known)
        return *known;
    struct value saved[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++) {
        const size_t slot = evaluator_slot(&oracle->evaluator, stage->axis[k].variable);
        saved[k] = oracle->evaluator.slot[slot];
        oracle->evaluator.slot[slot].integer = index[k];
    }
    struct value *value = ARENA_NEW(arena, struct value);
    *value = tape_run(&oracle->evaluator, oracle->tape[source]);
    for (unsigned k = 0; k < stage->rank; k++)
        evaluator_set(&oracle->evaluator, stage->axis[k].variable, saved[k]);
    hash_map_put_bytes(arena, &oracle->extended, arena_copy(arena, &key, sizeof key), sizeof key,
                       value);
    return *value;
}

/* A sample of an unbounded recurrence by its own expression, which reads those before it. */
static struct value compute_sample(const struct stage *stage, const int64_t index[], void *context)
{
    struct oracle *oracle = context;
    for (unsigned k = 0; k < stage->rank; k++)
        evaluator_set(&oracle->evaluator, stage->axis[k].variable,
                      (struct value){.integer = index[k]});
    return tape_run(&oracle->evaluator, oracle->tape[stage->id.index]);
}

static struct value line_sample(struct oracle *oracle, const struct stage *stage,
                                const int64_t index[])
{
    struct evaluator *evaluator = &oracle->evaluator;
    const struct samples *box = &oracle->stage[stage->id.index];
    const unsigned along = stage->as.recurrence.axis;
    struct value saved[GRAPH_MAX_RANK];
    for (unsigned k = 0; k < stage->rank; k++)
        saved[k] = evaluator->slot[evaluator_slot(evaluator, stage->axis[k].variable)];
    const struct value value =
        whole_lines_sample(&oracle->lines, stage, box->first[along], box->extent[along], index,
                           compute_sample, oracle);
    for (unsigned k = 0; k < stage->rank; k++)
        evaluator_set(evaluator, stage->axis[k].variable, saved[k]);
    return value;
}

static bool is_unbounded(const struct stage *stage)
{
    return stage->kind == STAGE_RECURRENCE && stage->as.recurrence.unbounded;
}

/* extends: outside its box the stage goes on. */
static struct value sample_of(struct oracle *oracle, uint32_t source, const int64_t index[],
                              bool extends)
{
    if (is_unbounded(oracle->graph->stages.item[source]))
        return line_sample(oracle, oracle->graph->stages.item[source], index);
    if (samples_contain(&oracle->stage[source], index))
        return samples_read(&oracle->stage[source], index);
    if (oracle->evaluator.unused && !extends) {
        oracle->evaluator.outside = true;
        return (struct value){.integer = 0};
    }
    return extended_sample(oracle, source, index);
}

/* The memory of an input may hold more than its type: what is taken from it does not. */
static struct value taken_sample(struct oracle *oracle, uint32_t source, const int64_t index[],
                                 bool extends)
{
    const struct stage *stage = oracle->graph->stages.item[source];
    const struct interval within = stage->interval;
    const struct value value = sample_of(oracle, source, index, extends);
    if (stage->kind != STAGE_INPUT || !scalar_is_integer(stage->element))
        return value;
    const struct value held = {.integer = value.integer < within.least      ? within.least
                                          : value.integer > within.greatest ? within.greatest
                                                                            : value.integer};
    return value.term ? terms_clamp(oracle->run->terms, stage->element, value, within, held) : held;
}

static void box_of_load(const struct expr *node, unsigned axis, int64_t *first, int64_t *extent,
                        struct value *outside, void *context)
{
    struct oracle *oracle = context;
    *first = oracle->stage[node->as.load.source].first[axis];
    *extent = oracle->stage[node->as.load.source].extent[axis];
    if (node->as.load.border[axis].value)
        *outside = evaluate_once(&oracle->evaluator, node->as.load.border[axis].value);
}

static struct value load(const struct expr *node, const int64_t index[], void *context)
{
    struct oracle *oracle = context;
    const uint32_t source = node->as.load.source;
    const struct samples *samples = &oracle->stage[source];
    int64_t place[GRAPH_MAX_RANK];
    bool extends = false;
    for (unsigned k = 0; k < node->count; k++) {
        const struct border *border = node->as.load.border ? &node->as.load.border[k] : NULL;
        const enum border_rule rule = border ? border->rule : BORDER_NONE;
        bool outside = false;
        extends = extends || rule == BORDER_EXTEND;
        place[k] = rule == BORDER_EXTEND || rule == BORDER_NONE
                       ? index[k]
                       : border_coordinate(rule, index[k], samples->first[k], samples->extent[k],
                                           &outside);
        if (outside) /* the border's value: a constant or a parameter */
            return evaluate_once(&oracle->evaluator, border->value);
    }
    return taken_sample(oracle, source, place, extends);
}

/* Each integer is where elaboration and passes have proved it to be. */
static bool write_sample(struct oracle *oracle, const struct stage *stage, const int64_t index[],
                         struct value value)
{
    if (scalar_is_integer(stage->element) &&
        (value.integer < stage->interval.least || value.integer > stage->interval.greatest)) {
        oracle->run->problem = arena_format(
            oracle->evaluator.arena, "stage '%s' holds %lld, which is outside %lld .. %lld",
            stage->name->text, (long long)value.integer, (long long)stage->interval.least,
            (long long)stage->interval.greatest);
        return false;
    }
    samples_write(&oracle->stage[stage->id.index], index, value);
    return true;
}

static bool step(struct oracle *oracle, double part)
{
    oracle->done += part;
    if (!oracle->run->progress ||
        oracle->run->progress(oracle->done / oracle->total, oracle->run->context))
        return true;
    oracle->run->problem = "stopped";
    return false;
}

static bool set_box(struct oracle *oracle, const struct stage *stage)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    samples->scalar = stage->element;
    samples->rank = stage->rank;
    for (unsigned k = 0; k < stage->rank; k++) {
        samples->first[k] = evaluate_once(&oracle->evaluator, stage->axis[k].first).integer;
        samples->extent[k] = evaluate_once(&oracle->evaluator, stage->axis[k].extent).integer;
    }
    return samples_allocate_with(samples, oracle->run->terms);
}

/* The axes from the slowest to the fastest: the one that a recurrence runs along comes first. */
static void order_axes(const struct stage *stage, unsigned order[])
{
    unsigned count = 0;
    if (stage->kind == STAGE_RECURRENCE)
        order[count++] = stage->as.recurrence.axis;
    for (unsigned k = 0; k < stage->rank; k++)
        if (stage->kind != STAGE_RECURRENCE || k != stage->as.recurrence.axis)
            order[count++] = k;
}

/* Every sample of the box, in index order; a recurrence along its axis first. */
static bool run_map(struct oracle *oracle, const struct stage *stage)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    struct evaluator *evaluator = &oracle->evaluator;
    oracle->tape[stage->id.index] = tape_compile(evaluator, stage->value);
    int64_t index[GRAPH_MAX_RANK];
    size_t slot[GRAPH_MAX_RANK];
    unsigned order[GRAPH_MAX_RANK];
    memcpy(index, samples->first, sizeof index);
    order_axes(stage, order);
    const bool reversed = stage->kind == STAGE_RECURRENCE && stage->as.recurrence.reversed;
    if (reversed)
        index[order[0]] += samples->extent[order[0]] - 1;
    for (unsigned k = 0; k < stage->rank; k++)
        slot[k] = evaluator_slot(evaluator, stage->axis[k].variable);
    const size_t count = samples_count(samples);
    enum { SAMPLES_BETWEEN_REPORTS = 1 << 8 };
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < stage->rank; k++)
            evaluator->slot[slot[k]].integer = index[k];
        const struct value value = is_unbounded(stage)
                                       ? line_sample(oracle, stage, index)
                                       : tape_run(evaluator, oracle->tape[stage->id.index]);
        if (!write_sample(oracle, stage, index, value))
            return false;
        for (unsigned k = stage->rank; k-- > 0;) {
            const unsigned axis = order[k];
            if (k == 0 && reversed) {
                index[axis]--;
                break;
            }
            if (++index[axis] < samples->first[axis] + samples->extent[axis])
                break;
            index[axis] = samples->first[axis];
        }
        if (i % SAMPLES_BETWEEN_REPORTS == SAMPLES_BETWEEN_REPORTS - 1 &&
            !step(oracle, (double)SAMPLES_BETWEEN_REPORTS))
            return false;
    }
    return step(oracle, (double)(count % SAMPLES_BETWEEN_REPORTS));
}

struct storing {
    struct oracle *oracle;
    const struct stage *stage;
};

/* Of a step whose target, or whether it stores, samples choose: the place keeps its own sample
 * where it is not taken. */
static bool store_step(int64_t index[], struct value taken, void *context)
{
    const struct storing *s = context;
    const struct samples *samples = &s->oracle->stage[s->stage->id.index];
    const struct value value =
        evaluate_once(&s->oracle->evaluator, s->stage->as.scatter.steps->value);
    if (!samples_contain(samples, index) && !taken.integer)
        return true;
    const struct value before = samples_read(samples, index);
    return write_sample(s->oracle, s->stage, index,
                        terms_select(s->oracle->run->terms, s->stage->element, taken, value, before,
                                     taken.integer ? value : before));
}

static bool run_step(struct oracle *oracle, const struct stage *stage)
{
    struct evaluator *evaluator = &oracle->evaluator;
    const struct stage *steps = stage->as.scatter.steps;
    const struct expr *condition = stage_condition(stage);
    const struct value stores =
        condition ? evaluate_once(evaluator, condition) : (struct value){.integer = 1};
    struct value target[GRAPH_MAX_RANK];
    int64_t index[GRAPH_MAX_RANK];
    bool is_chosen = stores.term != NULL;
    if (!stores.integer && !is_chosen)
        return true;
    for (unsigned k = 0; k < stage->rank; k++) {
        target[k] = evaluate_once(evaluator, stage_target(steps, k));
        index[k] = target[k].integer;
        is_chosen = is_chosen || terms_are_of_samples(target[k]);
    }
    struct storing storing = {oracle, stage};
    return is_chosen ? store_chosen(evaluator, stage->rank, target, stores, store_step, &storing)
                     : write_sample(oracle, stage, index, evaluate_once(evaluator, steps->value));
}

/* Steps one after another, in index order; each stores at its target. */
static bool run_scatter(struct oracle *oracle, const struct stage *stage)
{
    struct evaluator *evaluator = &oracle->evaluator;
    const struct stage *steps = stage->as.scatter.steps;
    int64_t first[GRAPH_MAX_RANK], extent[GRAPH_MAX_RANK], index[GRAPH_MAX_RANK], count = 1;
    size_t slot[GRAPH_MAX_RANK];
    if (!run_map(oracle, stage))
        return false;
    for (unsigned k = 0; k < steps->rank; k++) {
        first[k] = index[k] = evaluate_once(evaluator, steps->axis[k].first).integer;
        extent[k] = evaluate_once(evaluator, steps->axis[k].extent).integer;
        slot[k] = evaluator_slot(evaluator, steps->axis[k].variable);
        count *= extent[k];
    }
    for (int64_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < steps->rank; k++)
            evaluator->slot[slot[k]].integer = index[k];
        if (!run_step(oracle, stage))
            return false;
        for (unsigned k = steps->rank; k-- > 0;) {
            if (++index[k] < first[k] + extent[k])
                break;
            index[k] = first[k];
        }
    }
    return true;
}

/* Every sample of the box is one of a part. */
static bool run_joined(struct oracle *oracle, const struct stage *stage)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    int64_t index[GRAPH_MAX_RANK];
    memcpy(index, samples->first, sizeof index);
    const size_t count = samples_count(samples);
    for (size_t i = 0; i < count; i++) {
        samples_write(samples, index, joined_sample(oracle, stage, index));
        for (unsigned k = stage->rank; k-- > 0;) {
            if (++index[k] < samples->first[k] + samples->extent[k])
                break;
            index[k] = samples->first[k];
        }
    }
    return step(oracle, (double)count);
}

static bool run_transform(struct oracle *oracle, const struct stage *stage)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    oracle->run->problem =
        interpret_transform(&oracle->evaluator, stage, oracle->run->transforms_as_emitted, samples);
    return !oracle->run->problem && step(oracle, (double)samples_count(samples));
}

/* What a stage stencil_cells reads, or the kernel of a convolution, as an image; NULL: none. */
static struct samples *window_source(struct oracle *oracle, const struct stage *stage)
{
    struct particle_window window;
    const struct expr *kernel = stage_kernel_image(stage);
    if (kernel)
        return &oracle->stage[kernel->as.load.source];
    return stage->kind == STAGE_STENCIL_CELLS &&
                   particle_window_of(oracle->graph, stage, oracle->evaluator.arena, &window)
               ? &oracle->stage[window.source->id.index]
               : NULL;
}

static bool run_particles(struct oracle *oracle, const struct stage *stage)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    if (stage->kind == STAGE_GIVEN_LEVELS)
        interpret_given_levels(&oracle->evaluator, stage, samples);
    else if (stage->kind == STAGE_GIVEN_VALUES)
        interpret_given_values(&oracle->evaluator, stage, samples);
    else
        oracle->run->problem =
            interpret_particles(&oracle->evaluator, stage, samples, window_source(oracle, stage));
    return !oracle->run->problem && step(oracle, (double)samples_count(samples));
}

static void fill_constant(struct oracle *oracle, const struct stage *stage)
{
    unsigned char *data = oracle->stage[stage->id.index].data;
    for (size_t i = 0; i < stage->as.constant.count; i++)
        value_write(data + i * scalar_info[stage->element].bytes, stage->element,
                    evaluate_constant(stage->as.constant.value[i]));
}

static bool bind_input(struct oracle *oracle, const struct stage *stage)
{
    const struct samples *given = &oracle->run->inputs[stage->as.input.position];
    for (unsigned k = 0; k < stage->rank; k++) {
        const struct expr *extent = stage->axis[k].extent;
        if (extent->kind == EXPR_VARIABLE)
            evaluator_set(&oracle->evaluator, extent, (struct value){.integer = given->extent[k]});
        else if (extent->as.integer != given->extent[k])
            oracle->run->problem = "an extent is not the one that the filter is for";
    }
    oracle->stage[stage->id.index] = *given;
    return !oracle->run->problem;
}

struct reader {
    struct oracle *oracle;
    uint32_t stage;
};

/* Whether the read may leave the source's box under extend; the rule itself may be dropped where
 * the read stays in the box that is computed. */
static bool is_read_beyond(const struct stage *source, const struct expr *load)
{
    for (unsigned k = 0; k < load->count; k++) {
        const struct stage_axis *axis = &source->axis[k];
        if ((load->as.load.border && load->as.load.border[k].rule == BORDER_EXTEND) ||
            (axis->computed_extent && axis->computed_extent != axis->extent))
            return true;
    }
    return false;
}

static void note_reader(const struct expr *node, void *context)
{
    const struct reader *reader = context;
    if (node->kind != EXPR_LOAD)
        return;
    reader->oracle->last_reader[node->as.load.source] = reader->stage;
    /* An extended stage is evaluated again for its reader, so what it reads must stay. */
    if (!is_read_beyond(reader->oracle->graph->stages.item[node->as.load.source], node))
        return;
    for (uint32_t i = 0; i <= node->as.load.source; i++)
        if (reader->oracle->last_reader[i] < reader->stage && reader->oracle->last_reader[i] != 0)
            reader->oracle->last_reader[i] = reader->stage;
}

static void find_last_readers(struct oracle *oracle, struct arena *arena)
{
    const struct graph *graph = oracle->graph;
    for (size_t i = 0; i < graph->stages.count; i++) {
        struct reader reader = {oracle, (uint32_t)i};
        stage_nodes(graph->stages.item[i], arena, note_reader, &reader);
    }
    for (size_t i = 0; i < graph->outputs.count; i++)
        oracle->last_reader[graph->outputs.item[i].stage.index] = UINT32_MAX;
}

static void free_read_stages(struct oracle *oracle, uint32_t now)
{
    for (uint32_t i = 0; i <= now; i++)
        if (oracle->last_reader[i] == now && oracle->graph->stages.item[i]->kind != STAGE_INPUT)
            samples_free(&oracle->stage[i]);
}

static bool run_stage(struct oracle *oracle, const struct stage *stage)
{
    const uint32_t id = stage->id.index;
    oracle->current = id;
    if (stage->kind == STAGE_INPUT || stage->kind == STAGE_CARRIED)
        return true;
    if (stage->repeat) /* of the step before */
        samples_free(&oracle->stage[id]);
    if (!set_box(oracle, stage)) {
        oracle->run->problem = "there is not enough memory";
        return false;
    }
    if (stage->kind == STAGE_CONSTANT)
        fill_constant(oracle, stage);
    else if (!(stage->kind == STAGE_SCATTER     ? run_scatter(oracle, stage)
               : stage->kind == STAGE_JOINED    ? run_joined(oracle, stage)
               : stage->kind == STAGE_TRANSFORM ? run_transform(oracle, stage)
               : stage_is_of_particles(stage)   ? run_particles(oracle, stage)
                                                : run_map(oracle, stage)))
        return false;
    if (oracle->run->stage_done)
        oracle->run->stage_done(stage, &oracle->stage[id], oracle->run->context);
    if (oracle->graph->repeats.count == 0 && !oracle->run->lines_by_definition)
        free_read_stages(oracle, id);
    return true;
}

/* Fills a box with the samples of a stage. */
static void take_samples(struct oracle *oracle, struct samples *samples, stage_id from)
{
    int64_t index[GRAPH_MAX_RANK];
    memcpy(index, samples->first, sizeof index);
    const size_t count = samples_count(samples);
    for (size_t i = 0; i < count; i++) {
        samples_write(samples, index, taken_sample(oracle, from.index, index, false));
        for (unsigned k = samples->rank; k-- > 0;) {
            if (++index[k] < samples->first[k] + samples->extent[k])
                break;
            index[k] = samples->first[k];
        }
    }
}

static bool carry(struct oracle *oracle, const struct stage *stage, stage_id from)
{
    struct samples *samples = &oracle->stage[stage->id.index];
    if (!samples->data && !set_box(oracle, stage)) {
        oracle->run->problem = "there is not enough memory";
        return false;
    }
    take_samples(oracle, samples, from);
    return true;
}

static bool run_range(struct oracle *oracle, size_t begin, size_t end, uint32_t repeat);

/* Each carried stage takes what it begins with, or what the step has made of it. */
static bool carry_all(struct oracle *oracle, size_t begin, size_t end, uint32_t repeat, bool begins)
{
    for (size_t i = begin; i < end; i++) {
        const struct stage *stage = oracle->graph->stages.item[i];
        if (stage->kind == STAGE_CARRIED && stage->repeat == repeat &&
            !carry(oracle, stage, begins ? stage->as.carried.initial : stage->as.carried.next))
            return false;
    }
    const struct hash_map none = {0};
    oracle->extended = none;
    oracle->lines.known = none;
    return true;
}

/* The steps of a repeat, whose stages are begin … end - 1. No step where the count is below 1. */
static bool run_repeat(struct oracle *oracle, size_t begin, size_t end, uint32_t repeat)
{
    const int64_t count =
        evaluate_once(&oracle->evaluator, oracle->graph->repeats.item[repeat - 1].count).integer;
    bool good = carry_all(oracle, begin, end, repeat, true);
    for (int64_t step = 0; step < count && good; step++)
        good =
            run_range(oracle, begin, end, repeat) && carry_all(oracle, begin, end, repeat, false);
    return good;
}

/* Stages begin … end - 1, all of which are inside the repeat (0: none). */
static bool run_range(struct oracle *oracle, size_t begin, size_t end, uint32_t repeat)
{
    const struct graph *graph = oracle->graph;
    for (size_t i = begin; i < end;) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->repeat == repeat) {
            if (!run_stage(oracle, stage))
                return false;
            i++;
            continue;
        }
        const uint32_t inner = repeat_directly_inside(graph, stage->repeat, repeat);
        size_t after = i;
        while (after < end && repeat_is_inside(graph, graph->stages.item[after]->repeat, inner))
            after++;
        if (!run_repeat(oracle, i, after, inner))
            return false;
        i = after;
    }
    return true;
}

static void count_work(struct oracle *oracle)
{
    for (size_t i = 0; i < oracle->graph->stages.count; i++) {
        const struct stage *stage = oracle->graph->stages.item[i];
        double count = stage_computes(stage);
        for (unsigned k = 0; k < stage->rank && count > 0; k++)
            count *= (double)evaluate_once(&oracle->evaluator, stage->axis[k].extent).integer;
        oracle->total += count;
    }
}

static bool has_unbounded(const struct graph *graph)
{
    bool found = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        found = found || is_unbounded(graph->stages.item[i]);
    return found;
}

/* An unbounded recurrence starts from the state that expand_unbounded finds. */
static const struct graph *without_unbounded(const struct graph *graph, struct session *session,
                                             struct arena *arena)
{
    if (!has_unbounded(graph))
        return graph;
    struct pass_context context = {
        .session = session, .output = arena, .scratch = arena, .pool = &session->pool};
    /* Readers that nothing needs would have lines begin further out, and round otherwise. */
    const struct graph *needed = graph_of_needed(arena, &session->pool, graph);
    return expand_unbounded(infer_regions(needed, &context), &context);
}

/* An input, and a stage that is another output too, are copied. */
static bool give_output(struct oracle *oracle, size_t number)
{
    const stage_id id = oracle->graph->outputs.item[number].stage;
    struct samples *of_stage = &oracle->stage[id.index], *output = &oracle->run->outputs[number];
    bool is_kept = graph_stage(oracle->graph, id)->kind == STAGE_INPUT;
    for (size_t i = number + 1; i < oracle->graph->outputs.count; i++)
        is_kept = is_kept || oracle->graph->outputs.item[i].stage.index == id.index;
    *output = *of_stage;
    if (!is_kept) {
        of_stage->data = NULL;
        of_stage->term = NULL;
        return true;
    }
    if (!samples_allocate_with(output, oracle->run->terms)) {
        oracle->run->problem = "there is not enough memory";
        return false;
    }
    take_samples(oracle, output, id);
    return true;
}

bool interpret_graph(const struct graph *whole, struct interpretation *run)
{
    struct arena *arena = arena_sibling(run->session->permanent);
    const struct graph *graph =
        run->lines_by_definition ? whole : without_unbounded(whole, run->session, arena);
    const size_t count = graph->stages.count;
    struct oracle oracle = {.graph = graph,
                            .run = run,
                            .evaluator = {.arena = arena,
                                          .load = load,
                                          .box = box_of_load,
                                          .externals = run->externals,
                                          .terms = run->terms},
                            .stage = ARENA_ARRAY(arena, struct samples, count + 1),
                            .tape = ARENA_ARRAY(arena, struct tape *, count + 1),
                            .last_reader = ARENA_ARRAY(arena, uint32_t, count + 1)};
    oracle.evaluator.context = &oracle;
    oracle.lines.arena = arena;
    const struct entry entry = {graph->parameters.item, graph->parameters.count, graph->checks.item,
                                graph->checks.count};
    run->problem = NULL;
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = (graph->stages.item[i]->kind != STAGE_INPUT ||
                bind_input(&oracle, graph->stages.item[i])) &&
               good;
    good = good && interpret_parameters(&oracle.evaluator, &entry, run) &&
           interpret_checks(&oracle.evaluator, &entry, run);
    if (good) {
        find_last_readers(&oracle, arena);
        count_work(&oracle);
        good = run_range(&oracle, 0, graph->stages.count, 0) &&
               interpret_externals(&oracle.evaluator, run);
    }
    for (size_t i = 0; good && i < graph->outputs.count; i++)
        good = give_output(&oracle, i);
    for (size_t i = 0; i < count; i++)
        if (graph->stages.item[i]->kind != STAGE_INPUT)
            samples_free(&oracle.stage[i]);
    interpretation_keep_problem(run);
    arena_destroy(arena);
    return good;
}
