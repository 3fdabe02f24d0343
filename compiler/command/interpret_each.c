/* Comparing a program with what it was before a pass, on images of a few samples. */
#include "command/interpret_each.h"
#include "graph/graph_text.h"
#include "loop/loop_text.h"
#include "pass_manager.h"

#include <stdlib.h>

/* ---- Terms ---- */

enum { TRIES_TO_DIFFER = 200 };

/* The message: the parts that differ, and values at which the samples do. */
static const char *differing(struct interpret_each *each, const struct each_try *try,
                             struct value expected, struct value value, const char *sample,
                             enum scalar scalar, bool *is_open)
{
    struct text text = text_create(each->session->permanent);
    struct text values = text_create(each->session->permanent);
    struct value part[2] = {value, expected};
    *is_open = !terms_differ(try->terms, scalar, value, expected, TRIES_TO_DIFFER, &values);
    terms_narrow(try->terms, &part[0], &part[1]);
    text_print(&text, "%s is another term: in it stands\n    ", sample);
    terms_print(try->terms, scalar, part[0], &text);
    text_print(&text, "\ninstead of\n    ");
    terms_print(try->terms, scalar, part[1], &text);
    text_print(&text, "\n%s",
               *is_open ? "no values at which the two differ were found" : values.bytes);
    return text.bytes;
}

static const char *terms_difference(struct interpret_each *each, struct each_try *try,
                                    const char *name, const struct samples *a,
                                    const struct samples *b, bool *is_open)
{
    const size_t count = samples_count(a);
    const unsigned bytes = scalar_info[a->scalar].bytes;
    for (size_t i = 0; i < count; i++) {
        struct value x = value_read(a->data + i * bytes, a->scalar);
        struct value y = value_read(b->data + i * bytes, b->scalar);
        x.term = a->term[i];
        y.term = b->term[i];
        each->compared++;
        if (terms_equal(try->terms, a->scalar, x, y))
            continue;
        return differing(
            each, try, x, y,
            arena_format(each->session->permanent, "sample %zu of %zu of '%s'", i, count, name),
            a->scalar, is_open);
    }
    return NULL;
}

/* Leaves for what the graph may take any number for. */
static void give_terms(struct each_try *try, const struct graph *graph)
{
    size_t inputs = 0;
    for (size_t i = 0; i < graph->stages.count && inputs < INTERPRET_EACH_IMAGES; i++) {
        const struct stage *stage = graph->stages.item[i];
        if (stage->kind != STAGE_INPUT)
            continue;
        struct samples *samples = &try->input[inputs++];
        int64_t place[GRAPH_MAX_RANK] = {0};
        const size_t count = samples_count(samples);
        samples->term = calloc(count + 1, sizeof *samples->term);
        for (size_t at = 0; samples->term && at < count; at++) {
            const struct value number = samples_read(samples, place);
            samples->term[at] = terms_leaf(try->terms, stage->name->text, stage->element,
                                           stage->rank, place, number)
                                    .term;
            for (unsigned k = stage->rank; k-- > 0; place[k] = 0)
                if (++place[k] < samples->extent[k])
                    break;
        }
    }
    for (size_t i = 0; i < graph->parameters.count && i < INTERPRET_EACH_IMAGES; i++)
        try->parameter[i] = terms_parameter(try->terms, graph->parameters.item[i].name->text,
                                            graph->parameters.item[i].scalar, try->parameter[i]);
}

enum uncovered interpret_each_uncovered(const struct interpret_each *each)
{
    enum uncovered why = each->open ? UNCOVERED_FORM : COVERED;
    for (int t = 0; t < INTERPRET_EACH_TRIES && each->with_terms && why == COVERED; t++)
        if (each->tries[t].valid)
            why = terms_uncovered(each->tries[t].terms);
    return why;
}

void interpret_each_tell(const struct interpret_each *each, FILE *out)
{
    const enum uncovered why = interpret_each_uncovered(each);
    if (each->problem)
        return;
    if (why != COVERED)
        fprintf(out, "fltc: terms do not cover all values: %s\n", uncovered_text[why]);
    else if (!each->compared)
        fprintf(out, "fltc: no terms were compared: no image was found that the filter accepts\n");
    else
        fprintf(out, "fltc: results have the same terms after each pass%s; samples compared: %u\n",
                each->rounds ? " since the last one that may round" : "", each->compared);
}

/* ---- Trials ---- */

/* How large images are. */
struct sizes {
    uint64_t seed;
    int64_t least, greatest; /* samples along an axis */
    int64_t along[2];        /* along the first two axes of an image; 0: as the others */
    unsigned attempt;
};

/* Axes of one name have one extent. Where the graph refuses it, the next attempts are larger; every
 * other one has three colours. */
static int64_t extent_of(const struct sizes *sizes, const struct stage *stage, unsigned axis)
{
    enum { LARGEST = 400, SMALL = 6 };
    const struct stage_axis *a = &stage->axis[axis];
    uint64_t seed = sizes->seed + hash_bytes(a->name->text, a->name->length, 1);
    int64_t extent = sizes->least +
                     (int64_t)(random_next(&seed) % (uint64_t)(sizes->greatest - sizes->least + 1));
    if (a->extent->kind == EXPR_INTEGER)
        return a->extent->as.integer;
    if (strcmp(a->name->text, "c") == 0 && sizes->attempt % 2 == 0)
        return 3;
    if (axis < 2 && sizes->along[axis])
        extent = sizes->along[axis];
    for (unsigned i = 0; i < sizes->attempt && axis < 2 && extent < LARGEST; i++)
        extent += 1 + extent / 2;
    return axis < 2 ? extent : 1 + extent % SMALL;
}

static void free_try(struct each_try *try)
{
    for (int i = 0; i < INTERPRET_EACH_IMAGES; i++) {
        samples_free(&try->input[i]);
        samples_free(&try->expected[i]);
    }
    if (try->arena)
        arena_destroy(try->arena);
    try->arena = NULL;
    try->terms = NULL;
}

static void fill_try(struct interpret_each *each, struct each_try *try, const struct sizes *sizes)
{
    size_t inputs = 0;
    uint64_t seed = sizes->seed;
    free_try(try);
    for (size_t i = 0; i < each->graph->stages.count && inputs < INTERPRET_EACH_IMAGES; i++) {
        const struct stage *stage = each->graph->stages.item[i];
        if (stage->kind != STAGE_INPUT)
            continue;
        struct samples *samples = &try->input[inputs++];
        samples->scalar = stage->element;
        samples->rank = stage->rank;
        for (unsigned k = 0; k < stage->rank; k++)
            samples->extent[k] = extent_of(sizes, stage, k);
        if (samples_allocate(samples))
            random_input(&seed, stage, samples);
    }
    for (size_t i = 0; i < each->graph->parameters.count && i < INTERPRET_EACH_IMAGES; i++)
        try->parameter[i] = random_parameter(&seed, &each->graph->parameters.item[i]);
}

static struct interpretation run_of(const struct interpret_each *each, const struct each_try *try,
                                    struct samples outputs[])
{
    return (struct interpretation){.session = each->session,
                                   .terms = try->terms,
                                   .transforms_as_emitted = true,
                                   .inputs = try->input,
                                   .parameters = try->parameter,
                                   .outputs = outputs,
                                   .externals = each->externals};
}

/* What the graph gives for the images at hand. */
static void run_try(struct interpret_each *each, struct each_try *try, size_t most_terms)
{
    if (each->with_terms) {
        try->arena = arena_sibling(each->session->permanent);
        try->terms = terms_create(try->arena, most_terms);
        give_terms(try, each->graph);
    }
    struct interpretation run = run_of(each, try, try->expected);
    try->valid = interpret_graph(each->graph, &run);
    if (try->terms)
        terms_keep_placements(try->terms);
}

/* Whether the graph accepts images of these sizes. */
static bool accepts(struct interpret_each *each, struct each_try *try, const struct sizes *sizes)
{
    fill_try(each, try, sizes);
    struct interpretation run = run_of(each, try, try->expected);
    return interpret_entry(each->graph, &run);
}

static bool is_too_large(const struct each_try *try)
{
    return try->terms && terms_uncovered(try->terms) == UNCOVERED_SIZE;
}

/* Larger where the graph refuses the images, smaller where there are too many terms. There may be
 * more of images that can hardly be smaller. How often the graph has refused them. */
static unsigned start_try(struct interpret_each *each, struct each_try *try, struct sizes sizes)
{
    enum { ATTEMPTS = 14, FEW = 4, MORE_TERMS = 10 * USUAL_TERMS };
    while (!accepts(each, try, &sizes))
        if (++sizes.attempt == ATTEMPTS)
            return ATTEMPTS;
    const unsigned refused = sizes.attempt;
    run_try(each, try, refused ? MORE_TERMS : USUAL_TERMS);
    while (try->valid && is_too_large(try) && !refused && sizes.greatest > 1) {
        sizes = (struct sizes){sizes.seed, 1, sizes.greatest / 2, {0, 0}, 0};
        fill_try(each, try, &sizes);
        run_try(each, try, sizes.greatest < FEW ? MORE_TERMS : USUAL_TERMS);
    }
    return refused;
}

static bool has_recurrence(const struct graph *graph)
{
    bool recurs = false;
    for (size_t i = 0; i < graph->stages.count; i++)
        recurs = recurs || graph->stages.item[i]->kind == STAGE_RECURRENCE;
    return recurs;
}

void interpret_each_start(struct interpret_each *each, struct session *session,
                          const struct graph *graph, const struct external_functions *externals,
                          bool with_terms)
{
    enum { MANY_TERMS = 50000 }; /* of images that the graph does not accept smaller */
    static const int64_t range[INTERPRET_EACH_TRIES][2] = {{1, 7}, {1, 40}, {1, 12}};
    uint64_t seed = 1;
    unsigned refused = 0;
    *each = (struct interpret_each){
        .session = session, .graph = graph, .externals = externals, .with_terms = with_terms};
    for (int t = 0; t < INTERPRET_EACH_TRIES; t++) {
        struct sizes sizes = {random_next(&seed), range[t][0], range[t][1], {0, 0}, 0};
        if (refused && each->tries[0].terms && terms_count(each->tries[0].terms) > MANY_TERMS)
            continue; /* the next ones would be the same */
        if (has_recurrence(graph) && t + 1 == INTERPRET_EACH_TRIES) /* segments are shorter */
            sizes.along[random_next(&seed) % 2] = 20 + (int64_t)(random_next(&seed) % 70);
        refused = start_try(each, &each->tries[t], sizes);
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

/* What differs in an output, as a sentence; NULL: nothing. */
static const char *output_difference(struct interpret_each *each, struct each_try *try, size_t i,
                                     const struct samples *result, bool *is_open)
{
    const struct samples *expected = &try->expected[i];
    const char *difference = samples_difference(each->session->permanent, expected, result);
    if (difference || !expected->term || !result->term || terms_uncovered(try->terms) != COVERED)
        return difference;
    const stage_id id = each->graph->outputs.item[i].stage;
    return terms_difference(each, try, graph_stage(each->graph, id)->name->text, expected, result,
                            is_open);
}

static void compare_try(struct interpret_each *each, struct each_try *try, const char *pass,
                        const struct made *made)
{
    struct samples result[INTERPRET_EACH_IMAGES] = {0};
    struct interpretation run = run_of(each, try, result);
    const bool ran = run_made(made, &run);
    const char *difference = ran ? NULL : arena_format(each->session->permanent, "%s", run.problem);
    const bool rounds = ran && pass_may_round(pass, made->graph, each->session->scratch);
    each->rounds = each->rounds || rounds;
    for (size_t i = 0; i < each->graph->outputs.count; i++) {
        bool goes_on = rounds, is_open = false; /* with what the pass has made */
        if (!rounds && !difference) {
            difference = output_difference(each, try, i, &result[i], &is_open);
            goes_on = is_open;
        }
        if (is_open && !each->open)
            each->open = arena_format(each->session->permanent, "pass %s: %s", pass, difference);
        if (is_open)
            difference = NULL;
        if (goes_on) {
            const struct samples before = try->expected[i];
            try->expected[i] = result[i];
            result[i] = before;
        }
        samples_free(&result[i]);
    }
    if (difference)
        each->problem = arena_format(each->session->permanent, "pass %s: %s", pass, difference);
}

/* Whether the pass has changed anything: the text of what it made is another. */
static bool is_changed(struct interpret_each *each, const struct made *made)
{
    struct arena *arena = arena_sibling(each->session->permanent);
    struct text text = text_create(arena);
    if (made->program)
        program_print(made->program, &text);
    else if (!made->circuit)
        graph_print(made->graph, &text);
    const uint64_t print = hash_bytes(text.bytes, text.length, 1);
    const bool changed = made->circuit || print != each->print;
    each->print = print;
    arena_destroy(arena);
    return changed;
}

static bool compare_made(struct interpret_each *each, const char *pass, const struct made *made)
{
    if (!is_changed(each, made))
        return true;
    for (int t = 0; t < INTERPRET_EACH_TRIES && !each->problem; t++)
        if (each->tries[t].valid)
            compare_try(each, &each->tries[t], pass, made);
    return !each->problem;
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
    for (int t = 0; t < INTERPRET_EACH_TRIES; t++)
        free_try(&each->tries[t]);
    return each->problem != NULL;
}
