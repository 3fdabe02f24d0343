/* Emitted C computes, sample by sample, the terms that the filter means:
 *     prove_text FOLDER FILE.flt [FILTER]    FOLDER is for what is compiled
 * The text is rewritten (rewrite.py), compiled as C++ whose values carry terms (terms.hpp), and run
 * on small images whose samples are terms of their own. EDIT=sed script: goes over the emitted text
 * first, to plant faults. TARGET=cuda or opencl: that text, its kernels run by the simulator
 * (tests/simulator, opencl.hpp). Prints the target, the file, the filter and
 *     proved
 *     proved for one value of each parameter
 *     not covered: why terms do not tell
 *     not proved: terms that differ, but for no values that were tried
 *     refuted: the first sample whose terms differ, and the terms */
#include "make_terms.h"
#include "memory.h"

#include "../emit/layouts.h"
#include "../simulator/simulator.h"
#include "command/trial_images.h"
#include "emit/emit.h"
#include "frontend/elaborate.h"
#include "pass_manager.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_IMAGES = 16, MOST_PARAMETERS = 32 };

typedef int run_function(int what, void *const *data, int32_t *const *extents,
                         const ptrdiff_t *const *strides, const void *const *parameters,
                         int threads);

struct filter {
    const char *path, *name, *folder;
    const struct target *target;
    struct session *session;
    const struct graph *graph;
    /* What the last pass that rounds otherwise than the program says has made: later ones keep its
     * bits. Neither: no pass does. */
    const struct graph *rounded_graph;
    const struct program *rounded_program;
    const struct stage *image[MOST_IMAGES]; /* of the inputs */
    unsigned inputs, outputs;
    run_function *run;
    const char *refuted, *unproved, *uncovered;
    const char *refusal; /* of the last trial that the filter did not take */
    unsigned samples;    /* compared */
    bool fixed;          /* parameters are numbers, not terms */
    struct terms *terms; /* of the images that are tried */
};

/* Inputs, parameters and what the language says of them. */
struct trial {
    struct samples input[MOST_IMAGES], expected[MOST_IMAGES];
    struct value parameter[MOST_PARAMETERS];
    bool valid;
};

static const char *format(const struct filter *f, const char *pattern, ...)
{
    va_list arguments;
    va_start(arguments, pattern);
    const char *text = arena_vformat(f->session->permanent, pattern, arguments);
    va_end(arguments);
    return text;
}

/* ---- Compiling ---- */

static bool write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;
    return file && fclose(file) == 0 && good;
}

static bool compile(struct filter *f, const struct emitted *emitted)
{
    for (size_t i = 0; i < emitted->files.count; i++)
        if (!write_text(format(f, "%s/%s", f->folder, emitted->files.item[i].name),
                        emitted->files.item[i].text, emitted->files.item[i].length))
            return false;
    const char *const object = format(f, "%s/filter.so", f->folder);
    if (system(format(f, "bash tests/terms/compile.sh %s %s %s", f->target->name, f->folder,
                      emitted->files.item[0].name)) != 0)
        return false;
    void *const loaded = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    void *const symbol = loaded ? dlsym(loaded, "terms_run") : NULL;
    if (!loaded)
        fprintf(stderr, "%s\n", dlerror());
    memcpy(&f->run, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* ---- Images in memory ---- */

struct placed {
    const struct samples *samples; /* extents and type */
    ptrdiff_t stride[GRAPH_MAX_RANK];
    int32_t extent[GRAPH_MAX_RANK];
    unsigned char *first_byte, *data; /* of the sample at 0, 0 … */
    size_t bytes;
};

static unsigned char *sample_at(const struct placed *p, const int64_t index[])
{
    return p->data + bytes_to(p->samples, p->stride, index);
}

static struct placed place(const struct samples *s, enum layout layout)
{
    struct placed p = {.samples = s};
    ptrdiff_t before;
    p.bytes = lay_out(s, layout, p.stride, &before);
    for (unsigned k = 0; k < s->rank; k++)
        p.extent[k] = (int32_t)s->extent[k];
    p.first_byte = cpp_malloc(p.bytes);
    p.data = p.first_byte + before;
    return p;
}

static void copy_in(const struct placed *p)
{
    int64_t index[GRAPH_MAX_RANK] = {0};
    const size_t bytes = scalar_info[p->samples->scalar].bytes;
    const unsigned char *from = p->samples->data;
    do {
        memcpy(sample_at(p, index), from, bytes);
        memory_set_term(sample_at(p, index), bytes, samples_read(p->samples, index).term);
        from += bytes;
    } while (next_index(p->samples, index));
}

/* ---- A call ---- */

struct call {
    const struct filter *filter;
    unsigned count;
    struct placed placed[2 * MOST_IMAGES];
    void *data[2 * MOST_IMAGES];
    int32_t *extents[2 * MOST_IMAGES];
    const ptrdiff_t *strides[2 * MOST_IMAGES];
    const void *parameters[MOST_PARAMETERS];
    int status;
};

static void run_call(void *context)
{
    struct call *call = context;
    call->status =
        call->filter->run(1, call->data, call->extents, call->strides, call->parameters, 1);
}

static void make_call(const struct filter *f, const struct trial *trial, enum layout layout,
                      struct call *call)
{
    *call = (struct call){.filter = f, .count = f->inputs + f->outputs};
    for (size_t i = 0; i < f->graph->parameters.count; i++) {
        const enum scalar scalar = f->graph->parameters.item[i].scalar;
        void *const at = cpp_calloc(1, sizeof(int64_t));
        value_write(at, scalar, trial->parameter[i]);
        memory_set_term(at, scalar_info[scalar].bytes, trial->parameter[i].term);
        call->parameters[i] = at;
    }
    for (unsigned i = 0; i < call->count; i++) {
        const bool is_input = i < f->inputs;
        call->placed[i] =
            place(is_input ? &trial->input[i] : &trial->expected[i - f->inputs], layout);
        if (is_input)
            copy_in(&call->placed[i]);
        call->data[i] = call->placed[i].data;
        call->extents[i] = call->placed[i].extent;
        call->strides[i] = call->placed[i].stride;
    }
}

/* ---- Judgement ---- */

static const char *place_text(const struct filter *f, const struct samples *s,
                              const int64_t index[])
{
    const char *text = "";
    for (unsigned k = 0; k < s->rank; k++)
        text = format(f, "%s%s%lld", text, k ? ", " : "", (long long)index[k]);
    return format(f, "[%s] of %lld samples", text, (long long)samples_count(s));
}

/* The sample that lies there; *why: NULL, or why there is none. */
static struct value sample_in_memory(enum scalar scalar, void *at, const char **why)
{
    const size_t bytes = scalar_info[scalar].bytes;
    const struct expr *const term = memory_shadow(at);
    struct value value = value_read(at, scalar);
    *why = term == CPP_UNWRITTEN ? "was not written" : term == CPP_REST ? "is no sample" : NULL;
    for (size_t i = 1; i < bytes && !*why; i++)
        if (memory_shadow((char *)at + i) != (term ? CPP_REST : NULL))
            *why = "was written in part";
    value.term = *why ? NULL : term;
    return value;
}

static struct value value_of_term(const struct expr *term)
{
    return expr_is_constant(term) ? evaluate_constant(term) : (struct value){.term = term};
}

/* The only operand in which two terms of a kind differ; count: they differ otherwise. */
static unsigned differing_operand(struct filter *f, const struct expr *a, const struct expr *b)
{
    unsigned found = a->count;
    if (a->kind != b->kind || a->scalar != b->scalar || a->count != b->count)
        return a->count;
    for (unsigned i = 0; i < a->count; i++) {
        const struct expr *one = a->operand[i], *other = b->operand[i];
        if (terms_equal(f->terms, one->scalar, value_of_term(one), value_of_term(other)))
            continue;
        if (found < a->count)
            return a->count;
        found = i;
    }
    return found;
}

/* Goes down to where two terms differ. */
static void find_difference(struct filter *f, const struct expr **a, const struct expr **b)
{
    for (unsigned i; (i = differing_operand(f, *a, *b)) < (*a)->count;) {
        *a = (*a)->operand[i];
        *b = (*b)->operand[i];
    }
}

static bool is_same(struct filter *f, const struct expr *a, const struct expr *b)
{
    return a->scalar == b->scalar &&
           terms_equal(f->terms, a->scalar, value_of_term(a), value_of_term(b));
}

/* A term down to some depth; what stands at the same place in the other one is "same". */
static void print_beside(struct filter *f, const struct expr *term, const struct expr *other,
                         unsigned depth, struct text *text)
{
    const bool alike = other && other->count == term->count;
    if (other && is_same(f, term, other)) {
        text_print(text, "same");
    } else if (term->count == 0) {
        terms_print(f->terms, term->scalar, value_of_term(term), text);
    } else {
        text_print(text, "%s:%s(", expr_info[term->kind].text, scalar_info[term->scalar].text);
        for (unsigned i = 0; i < term->count && depth; i++) {
            text_print(text, i ? ", " : "");
            print_beside(f, term->operand[i], alike ? other->operand[i] : NULL, depth - 1, text);
        }
        text_print(text, depth ? ")" : "…)");
    }
}

/* How two samples differ. */
static const char *difference(struct filter *f, enum scalar scalar, struct value text_gives,
                              struct value filter_gives, bool *any)
{
    enum { TRIES = 20 };
    struct text text = text_create(f->session->permanent);
    *any = terms_differ(f->terms, scalar, text_gives, filter_gives, TRIES, &text);
    if (!*any)
        text_print(&text, "no values were found at which they differ");
    if (text_gives.term && filter_gives.term) {
        enum { DEPTH = 6 };
        const struct expr *a = text_gives.term, *b = filter_gives.term;
        find_difference(f, &a, &b);
        text_print(&text, "\n  the text gives for a part of it ");
        print_beside(f, a, b, DEPTH, &text);
        text_print(&text, "\n  the filter gives for that part ");
        print_beside(f, b, a, DEPTH, &text);
    }
    text_print(&text, "\n  the text gives\n");
    terms_print(f->terms, scalar, text_gives, &text);
    text_print(&text, "\n  the filter gives\n");
    terms_print(f->terms, scalar, filter_gives, &text);
    return text.bytes;
}

/* Of one output; the first sample that differs. */
static void judge_output(struct filter *f, const struct placed *placed,
                         const struct samples *expected)
{
    int64_t index[GRAPH_MAX_RANK] = {0};
    const enum scalar scalar = expected->scalar;
    do {
        const char *why = NULL;
        const struct value own = sample_in_memory(scalar, sample_at(placed, index), &why);
        const struct value sample = samples_read(expected, index);
        f->samples++;
        bool any = true;
        if (!why && !terms_equal(f->terms, scalar, own, sample))
            why = format(f, "has another term: %s", difference(f, scalar, own, sample, &any));
        if (why) {
            *(any ? &f->refuted : &f->unproved) =
                format(f, "%s %s", place_text(f, expected, index), why);
            return;
        }
    } while (next_index(expected, index));
}

/* Numbers are those of the filter whatever terms tell. False after the first one that is not. */
static bool judge_numbers(struct filter *f, const struct placed *placed,
                          const struct samples *expected)
{
    int64_t index[GRAPH_MAX_RANK] = {0};
    const enum scalar scalar = expected->scalar;
    do {
        const char *why = NULL;
        bool any = false;
        void *const at = sample_at(placed, index);
        const struct value own = value_read(at, scalar), sample = samples_read(expected, index);
        if (value_equal(scalar, own, sample))
            continue;
        const struct value whole = sample_in_memory(scalar, at, &why);
        f->refuted = format(f, "%s has another number: %s", place_text(f, expected, index),
                            why ? why : difference(f, scalar, whole, sample, &any));
        return false;
    } while (next_index(expected, index));
    return true;
}

/* Why the terms do not tell all; NULL: they do. */
static const char *not_covered(const struct filter *f)
{
    if (terms_uncovered(f->terms) != COVERED)
        return uncovered_text[terms_uncovered(f->terms)];
    if (terms_notes.assumed) {
        struct text text = text_create(f->session->permanent);
        text_print(&text, "%s: in the text\n", uncovered_text[UNCOVERED_CHOICE]);
        terms_print(f->terms, terms_notes.first_assumed->scalar,
                    (struct value){.term = terms_notes.first_assumed}, &text);
        return text.bytes;
    }
    return terms_notes.opaque ? terms_notes.why_opaque : NULL;
}

static void judge(struct filter *f, const struct trial *trial, enum layout layout)
{
    static struct call call;
    memory_clear();
    make_terms_among(f->terms);
    make_call(f, trial, layout, &call);
    sim_seed(7); /* threads in some order */
    memory_run(run_call, &call);
    f->refuted = sim_fault();
    if (call.status != 0) {
        f->refuted = format(f, "status %d", call.status);
        return;
    }
    for (unsigned i = 0; i < f->outputs; i++)
        if (f->refuted || !judge_numbers(f, &call.placed[f->inputs + i], &trial->expected[i]))
            return;
    for (unsigned i = 0; !f->refuted && !f->unproved && i < f->outputs; i++)
        judge_output(f, &call.placed[f->inputs + i], &trial->expected[i]);
    f->uncovered = not_covered(f);
    /* What memory that was never written gives to an index is no choice of the filter's. */
    if (f->uncovered && !terms_notes.unwritten && !terms_notes.punned)
        f->refuted = f->unproved = NULL;
}

/* ---- Trials ---- */

/* Axes of one name have one extent: those that are no rows and columns are 3, of large images 2. */
static int64_t extent_of(const struct filter *f, const struct symbol *name, const int64_t size[2])
{
    const enum trial_axis axis = trial_axis_of(f->inputs, f->image, name);
    return axis == TRIAL_ROWS ? size[0] : axis != TRIAL_OTHER ? size[1] : size[0] < 64 ? 3 : 2;
}

/* Random samples, each with a term of its own. */
static void make_input(const struct filter *f, const struct stage *image, const int64_t size[2],
                       uint64_t *seed, struct samples *s)
{
    int64_t index[GRAPH_MAX_RANK] = {0};
    s->scalar = image->element;
    s->rank = image->rank;
    for (unsigned k = 0; k < s->rank; k++)
        s->extent[k] = extent_of(f, image->axis[k].name, size);
    if (!samples_allocate_with(s, f->terms))
        abort();
    random_samples(seed, s);
    do
        samples_write(s, index,
                      terms_leaf(f->terms, image->name->text, s->scalar, s->rank, index,
                                 samples_read(s, index)));
    while (next_index(s, index));
}

/* Pictures that filters make of a few numbers may be large. */
static bool is_large(const struct filter *f, const struct interpretation *run)
{
    const double most = 2e6;
    struct samples *const box =
        ARENA_ARRAY(f->session->permanent, struct samples, f->graph->stages.count);
    double all = 0;
    interpret_boxes(f->graph, run, box);
    for (size_t i = 0; i < f->graph->stages.count; i++)
        all += (double)samples_count(&box[i]) * scalar_info[box[i].scalar].bytes;
    return all > most;
}

static void make_trial(struct filter *f, const int64_t size[2], uint64_t *seed, struct trial *trial)
{
    for (unsigned i = 0; i < f->inputs; i++)
        make_input(f, f->image[i], size, seed, &trial->input[i]);
    for (size_t i = 0; i < f->graph->parameters.count; i++) {
        const struct parameter *p = &f->graph->parameters.item[i];
        const struct value number =
            p->initial ? evaluate_constant(p->initial) : random_parameter(seed, p);
        trial->parameter[i] =
            f->fixed ? number : terms_parameter(f->terms, p->name->text, p->scalar, number);
    }
    struct interpretation run = {.session = f->session,
                                 .terms = f->terms,
                                 .transforms_as_emitted = true,
                                 .inputs = trial->input,
                                 .parameters = trial->parameter,
                                 .outputs = trial->expected};
    if (is_large(f, &run)) {
        f->uncovered = "there are too many samples";
        return;
    }
    trial->valid = f->rounded_program ? interpret_program(f->rounded_program, &run)
                                      : interpret_graph(f->rounded_graph, &run);
    if (!trial->valid)
        f->refusal = format(f, "no size is accepted: %s", run.problem);
}

static void try_size(struct filter *f, const int64_t size[2], uint64_t *seed, enum layout layout)
{
    struct arena *const arena = arena_create();
    struct trial trial = {.valid = false};
    f->terms = terms_create(arena, USUAL_TERMS);
    make_trial(f, size, seed, &trial);
    if (trial.valid)
        judge(f, &trial, layout);
    for (unsigned i = 0; i < f->inputs; i++)
        samples_free(&trial.input[i]);
    for (unsigned i = 0; trial.valid && i < f->outputs; i++)
        samples_free(&trial.expected[i]);
    arena_destroy(arena);
}

/* ---- The filter ---- */

static bool load(struct filter *f)
{
    struct session *session = f->session;
    const struct module_set *modules = load_modules(session, f->path);
    const struct ast *filter = modules ? elaborate_choose(session, modules, f->name) : NULL;
    const struct elaborate_options options = {.target = f->target->name};
    f->graph = filter ? elaborate_filter(session, modules, filter, &options) : NULL;
    if (!f->graph || session->diagnostics.error_count)
        return false;
    for (size_t i = 0; i < f->graph->stages.count; i++)
        if (f->graph->stages.item[i]->kind == STAGE_INPUT && f->inputs++ < MOST_IMAGES)
            f->image[f->inputs - 1] = f->graph->stages.item[i];
    f->outputs = (unsigned)f->graph->outputs.count;
    return f->inputs <= MOST_IMAGES && f->outputs <= MOST_IMAGES &&
           f->graph->parameters.count <= MOST_PARAMETERS;
}

static bool has_ended(const struct filter *f)
{
    return f->refuted || f->unproved || f->uncovered;
}

static void try_sizes(struct filter *f)
{
    enum { SIZES = 3, MORE_SIZES = 5 }; /* the last ones where the filter takes none of the first */
    static const int64_t size[MORE_SIZES][2] = {{1, 1}, {7, 19}, {18, 17}, {16, 24}, {64, 16}};
    uint64_t seed = 1;
    for (size_t i = 0; i < (f->samples ? SIZES : MORE_SIZES) && !has_ended(f); i++) {
        memory_stream_from(i % 2 ? 0 : UINT64_MAX);
        try_size(f, size[i], &seed, (enum layout)(i % LAYOUTS));
    }
}

static bool note_rounding(const char *pass, const struct graph *graph,
                          const struct program *program, void *context)
{
    struct filter *f = context;
    if (pass_may_round(pass, graph, f->session->scratch)) {
        f->rounded_graph = graph;
        f->rounded_program = program;
    }
    return true;
}

static void prove(struct filter *f)
{
    const struct pass_options passes = {.after = note_rounding, .after_context = f};
    f->rounded_graph = f->graph;
    /* Functions of the runtime, which is C, take no values that have terms. */
    if (graph_has_structure(f->graph)) {
        f->uncovered = uncovered_text[UNCOVERED_PARTICLES];
        return;
    }
    const struct pass_result result = run_passes(f->session, f->graph, f->target, &passes);
    const struct emit_options emit = {.stem = "filter", .entry = true};
    const struct emitted emitted = emit_program(f->session, result.program, f->target, &emit);
    if (!compile(f, &emitted)) {
        f->uncovered = "C++ does not take the text";
        return;
    }
    try_sizes(f);
    /* Parameters that loops go by are numbers in the oracle. */
    if (f->graph->parameters.count && has_ended(f)) {
        f->fixed = true;
        f->samples = 0;
        f->refuted = f->unproved = f->uncovered = NULL;
        try_sizes(f);
    }
    if (!f->samples && !has_ended(f))
        f->uncovered = f->refusal;
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: prove_text FOLDER FILE.flt [FILTER]\n");
        return 3;
    }
    const char *const target = getenv("TARGET");
    struct filter f = {.folder = argv[1],
                       .path = argv[2],
                       .name = argc == 4 ? argv[3] : NULL,
                       .target = target_find(target ? target : "c"),
                       .session = session_create(NULL)};
    mkdir(f.folder, 0777);
    const char *const of =
        format(&f, "%s %s%s%s", f.target->name, f.path, f.name ? " " : "", f.name ? f.name : "");
    if (!memory_open() || !load(&f)) {
        printf("%s: refuted: is not accepted\n", of);
        return 1;
    }
    prove(&f);
    const char *const why = f.refuted ? f.refuted : f.uncovered ? f.uncovered : f.unproved;
    printf("%s: %s%s (%u samples)\n", of,
           f.refuted     ? "refuted: "
           : f.uncovered ? "not covered: "
           : f.unproved  ? "not proved: "
           : f.fixed     ? "proved for one value of each parameter"
                         : "proved",
           why ? why : "", f.samples);
    session_destroy(f.session);
    return f.refuted ? 1 : 0;
}
