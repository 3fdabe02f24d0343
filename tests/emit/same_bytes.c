/* Emitted code gives the bytes that the graph's interpreter gives, whoever compiles it.
 *     same_bytes FOLDER FILE.flt [FILTER]    FOLDER is for what is compiled
 * Each compiler, 1 and 2 threads, images of several extents in several layouts: packed, padded
 * rows, every second sample, backward along each axis. Each image lies against a page that cannot
 * be touched, at its end or at its beginning, and scratch memory ends at one; gaps between the
 * samples of a result keep what they held. MULTI=level in the
 * environment: kernels for several processors, of which none of a level above that one is
 * picked. TARGET=name of a target of kernels: what nvcc would compile is compiled with the
 * simulator (tests/simulator) and run by it, threads in another order each time; once with images
 * of the host, once with images of the device. KEEP=1: nothing is compiled and run, FOLDER is left
 * with what a machine that has a device needs to do so (tests/cuda/kept_trials.h). ONLY_SIZE=n: the
 * nth of the sizes, from 0 on. SIZED=n: compiled for the nth, as --size does; calls with others are
 * refused. LARGE: larger ones, too. COMPILE_WITH: compilers and their options,
 * a line each, in place of those below; a call may refuse their options. */
#include "../cuda/kept_trials.h"
#include "command/externals.h"
#include "command/trial_images.h"
#include "emit/emit.h"
#include "flt/filter.h"
#include "frontend/elaborate.h"
#include "graph/fix_extents.h"
#include "graph/recurrence/recurrence.h"
#include "layouts.h"
#include "loop/known_extents.h"
#include "pass_manager.h"

#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_IMAGES = 16, MOST_PARAMETERS = 32, GAP = 0xa5 };
enum { BAD_OPTIONS = 11 }; /* statuses.def */

static const char *const compiler[] = {
    "gcc -std=gnu17 -O3 -march=native -fopenmp -DFLT_STREAM_BYTES=0",
    "gcc -std=c99 -O3 -march=native",
    "gcc -O2 -fopenmp",
    "gcc -O3 -march=native -mno-fma -fopenmp",
    "g++ -x c++ -O3 -march=native -fopenmp",
    "clang -O3 -march=native -fopenmp -DFLT_STREAM_BYTES=0",
    "clang -std=c99 -O2",
    "clang++ -x c++ -O3 -march=native -DFLT_STREAM_BYTES=0",
};
enum { COMPILERS = sizeof compiler / sizeof compiler[0], MOST_COMPILERS = 64 };

/* Of kernels: as launches are, where an integer that does not fit its type ends the test; and with
 * coordinates of 64 bits, and so few blocks in each launch that most are several. */
static const char *const compiler_of_kernels[] = {
    "g++ -x c++ -std=c++17 -O1 -Itests/simulator -fsanitize=signed-integer-overflow,alignment "
    "-fsanitize-undefined-trap-on-error",
    "g++ -x c++ -std=c++17 -O1 -Itests/simulator -DFLT_MOST_BLOCKS=2 -DFLT_MOST_BLOCKS_X=3 "
    "-DFLT_MOST_PLACES=0",
};
static const char *const compiler_of_objects[] = {"gcc -std=c99 -O1"};

/* How what is emitted for a target is compiled and run. */
static const struct build {
    const char *target;
    const char *const *compiler;
    unsigned compilers;
    const char *libraries; /* behind the source */
    bool simulated;        /* by the simulator, a device too */
    int threads;           /* as many are tried, from 1 on */
    bool may_refuse;       /* compilers with options that loosen floats */
} builds[] = {
    {"c", compiler, COMPILERS, "", false, 2, false},
    {"cuda", compiler_of_kernels, sizeof compiler_of_kernels / sizeof compiler_of_kernels[0],
     "-x c tests/simulator/simulator.c", true, 2, false},
    {"opencl", compiler_of_objects, 1, "-lOpenCL", false, 1, false},
    {NULL, NULL, 0, NULL, false, 0, false},
};

struct kernels {
    void (*seed)(uint64_t seed);
    const char *(*fault)(void);
};

struct filter {
    const char *path;
    const struct target *target;
    const struct build *build;
    struct session *session;
    const struct graph *graph;
    /* What the last pass that rounds otherwise than the program says has made: later ones keep its
     * bits. Neither: no pass does. */
    const struct graph *rounded_graph;
    const struct program *rounded_program;
    const struct stage *image[MOST_IMAGES]; /* of the inputs */
    unsigned inputs, outputs;
    const struct flt_filter *emitted[MOST_COMPILERS];
    struct kernels kernels[MOST_COMPILERS];
    struct external_functions externals;
    unsigned passed, failed;
    FILE *kept; /* the trials, with what they give, instead of running them; NULL: they are run */
};

/* ---- Compiling ---- */

static bool write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;
    return file && fclose(file) == 0 && good;
}

/* Integers of a wide range near its beginning: they may be extents, and the oracle is slow. */
static struct value small_parameter(uint64_t *seed, const struct parameter *p)
{
    enum { WIDE = 4096, NEAR = 64 };
    struct value value = random_parameter(seed, p);
    if (!scalar_is_integer(p->scalar) || !p->least || !p->greatest)
        return value;
    const int64_t least = p->least->as.integer;
    if (p->greatest->as.integer - least > WIDE)
        value.integer = least + (value.integer - least) % NEAR;
    return value;
}

/* The environment tells how many compilers are tried, and from which on: COMPILERS,
 * FIRST_COMPILER. */
static bool is_tried(const struct filter *f, unsigned compiler_number)
{
    const unsigned compilers = f->build->compilers;
    const char *count = getenv("COMPILERS"), *first = getenv("FIRST_COMPILER");
    const unsigned from = first ? (unsigned)atoi(first) % compilers : 0;
    return compiler_number < compilers &&
           (!count || (compiler_number + compilers - from) % compilers < (unsigned)atoi(count));
}

static void find_function(void *handle, const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
}

static bool find_kernels(void *handle, struct kernels *kernels)
{
    find_function(handle, "sim_seed", &kernels->seed);
    find_function(handle, "sim_fault", &kernels->fault);
    return kernels->seed && kernels->fault;
}

static bool build(struct filter *f, const char *folder, const struct emitted *emitted)
{
    const char *source = emitted->files.item[0].name;
    for (size_t i = 0; i < emitted->files.count; i++)
        if (!write_text(
                arena_format(f->session->permanent, "%s/%s", folder, emitted->files.item[i].name),
                emitted->files.item[i].text, emitted->files.item[i].length))
            return false;
    const char *multi = getenv("MULTI");
    for (unsigned c = 0; c < MOST_COMPILERS && !f->kept; c++) {
        if (!is_tried(f, c))
            continue;
        const char *object = arena_format(f->session->permanent, "%s/filter_%u.so", folder, c);
        const char *command =
            arena_format(f->session->permanent,
                         "%s%s%s -Wl,--wrap=malloc,--wrap=aligned_alloc,--wrap=free -w "
                         "-shared -fPIC %s/%s %s -o %s -lm",
                         f->build->compiler[c], multi ? " -DFLT_MOST_CPU=" : "", multi ? multi : "",
                         folder, source, f->build->libraries, object);
        void *object_file = system(command) == 0 ? dlopen(object, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (object_file)
            f->emitted[c] = dlsym(object_file, "flt_filter");
        if (!f->emitted[c] || (f->build->simulated && !find_kernels(object_file, &f->kernels[c]))) {
            fprintf(stderr, "FAIL %s: %s\n", f->path, command);
            f->failed++;
        }
    }
    return true;
}

/* ---- Scratch memory ---- */

/* What compiled code has from malloc (--wrap), its scratch memory, it has from here: behind its
 * last byte is a page that cannot be touched. The length of the map is told at its begin. */
void *__wrap_malloc(size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);
enum { LINE = 64 };

void *__wrap_malloc(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t room = (bytes + LINE + page - 1) / page * page;
    unsigned char *map = mmap(NULL, room + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || bytes % LINE != 0 || mprotect(map, room, PROT_READ | PROT_WRITE) != 0)
        abort();
    memset(map, GAP, room);
    unsigned char *const memory = map + room - bytes;
    const size_t told[2] = {(size_t)(memory - map), room + page};
    memcpy(memory - LINE, told, sizeof told);
    return memory;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    (void)alignment; /* all that is asked for is a line's */
    return __wrap_malloc(bytes);
}

void __wrap_free(void *memory)
{
    size_t told[2];
    if (!memory)
        return;
    memcpy(told, (unsigned char *)memory - LINE, sizeof told);
    munmap((unsigned char *)memory - told[0], told[1]);
}

/* ---- Images in memory ---- */

struct placed {
    const struct samples *samples; /* extents and type */
    ptrdiff_t stride[GRAPH_MAX_RANK];
    unsigned char *map, *first_byte, *data; /* of the sample at 0, 0 … */
    size_t map_bytes, bytes;
};

static unsigned char *sample_at(const struct placed *p, const int64_t index[])
{
    return p->data + bytes_to(p->samples, p->stride, index);
}

/* Memory for the samples between two pages that cannot be touched, filled with GAP. */
static struct placed place(const struct samples *s, enum layout layout, bool at_end)
{
    struct placed p = {.samples = s};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ptrdiff_t before;
    p.bytes = lay_out(s, layout, p.stride, &before);
    const size_t room = (p.bytes + page - 1) / page * page;
    p.map_bytes = room + 2 * page;
    p.map = mmap(NULL, p.map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p.map == MAP_FAILED || mprotect(p.map + page, room, PROT_READ | PROT_WRITE) != 0)
        abort();
    p.first_byte = p.map + page + (at_end ? room - p.bytes : 0);
    memset(p.map + page, GAP, room);
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
        from += bytes;
    } while (next_index(p->samples, index));
}

/* Takes the samples out, leaving GAP; false where a gap no longer holds it. */
static bool copy_out(const struct placed *p, unsigned char *to)
{
    int64_t index[GRAPH_MAX_RANK] = {0};
    const size_t bytes = scalar_info[p->samples->scalar].bytes;
    do {
        memcpy(to, sample_at(p, index), bytes);
        memset(sample_at(p, index), GAP, bytes);
        to += bytes;
    } while (next_index(p->samples, index));
    for (size_t i = 0; i < p->bytes; i++)
        if (p->first_byte[i] != GAP)
            return false;
    return true;
}

/* ---- One comparison ---- */

struct trial {
    struct samples input[MOST_IMAGES], expected[MOST_IMAGES];
    struct value parameter[MOST_PARAMETERS];
    bool valid;
};

static void fail(struct filter *f, unsigned c, const struct trial *trial, enum layout layout,
                 int threads, const char *problem)
{
    f->failed++;
    fprintf(stderr, "FAIL %s: %s: layout %d, %d threads, extents", f->path, f->build->compiler[c],
            (int)layout, threads);
    for (unsigned k = 0; f->inputs && k < trial->input[0].rank; k++)
        fprintf(stderr, " %lld", (long long)trial->input[0].extent[k]);
    fprintf(stderr, ": %s\n", problem);
}

/* Inputs in memory, then room for the outputs. */
struct call {
    unsigned count;
    struct placed placed[2 * MOST_IMAGES];
    void *data[2 * MOST_IMAGES];
    int32_t extent[2 * MOST_IMAGES][GRAPH_MAX_RANK], *extents[2 * MOST_IMAGES];
    const ptrdiff_t *strides[2 * MOST_IMAGES];
    unsigned char bytes[MOST_PARAMETERS][8];
    const void *parameters[MOST_PARAMETERS];
};

static void make_call(const struct filter *f, const struct trial *trial, enum layout layout,
                      bool at_end, struct call *call)
{
    *call = (struct call){.count = f->inputs + f->outputs};
    for (size_t i = 0; i < f->graph->parameters.count; i++) {
        value_write(call->bytes[i], f->graph->parameters.item[i].scalar, trial->parameter[i]);
        call->parameters[i] = call->bytes[i];
    }
    for (unsigned i = 0; i < call->count; i++) {
        const struct samples *s =
            i < f->inputs ? &trial->input[i] : &trial->expected[i - f->inputs];
        call->placed[i] = place(s, layout, at_end);
        if (i < f->inputs)
            copy_in(&call->placed[i]);
        for (unsigned k = 0; k < s->rank; k++)
            call->extent[i][k] = (int32_t)s->extent[k];
        call->data[i] = call->placed[i].data;
        call->extents[i] = call->extent[i];
        call->strides[i] = call->placed[i].stride;
    }
}

static struct flt_arguments arguments_of(const struct call *call, int threads)
{
    return (struct flt_arguments){.size = sizeof(struct flt_arguments),
                                  .data = call->data,
                                  .extents = call->extents,
                                  .strides = call->strides,
                                  .parameters = call->parameters,
                                  .threads = threads};
}

/* What the filter says of the extents of its outputs; the status. */
static int ask_extents(struct filter *f, unsigned c, struct call *call, int threads,
                       const char **problem)
{
    int32_t asked[MOST_IMAGES][GRAPH_MAX_RANK] = {{0}};
    for (unsigned i = 0; i < f->outputs; i++)
        call->extents[f->inputs + i] = asked[i];
    struct flt_arguments arguments = arguments_of(call, threads);
    const int status = f->emitted[c]->call(FLT_EXTENTS, &arguments);
    for (unsigned i = 0; i < f->outputs; i++) {
        const unsigned image = f->inputs + i;
        call->extents[image] = call->extent[image];
        for (unsigned k = 0; status == 0 && k < call->placed[image].samples->rank; k++)
            if (asked[i][k] != call->extent[image][k])
                *problem = "other extents";
    }
    return status;
}

/* In memory of the caller: FLT_RUN, or FLT_LAUNCH. */
static int run_in_memory(const struct flt_filter *emitted, int what, struct call *call, int threads)
{
    struct flt_arguments arguments = arguments_of(call, threads);
    int status = emitted->call(FLT_SCRATCH, &arguments);
    if (status != 0)
        return status;
    const size_t room = arguments.scratch_bytes + LINE;
    char *const memory = __wrap_malloc(room);
    arguments.scratch = memory + (LINE - (uintptr_t)memory % LINE) % LINE;
    status = emitted->call(what, &arguments);
    __wrap_free(memory);
    return status;
}

/* Of two threads in memory of the caller. threads: of kernels, 1 for images of the host, 2 for
 * images of the device. */
static int run(const struct filter *f, unsigned c, struct call *call, int threads,
               const char **problem)
{
    static uint64_t seed = 1;
    const struct kernels *const kernels = &f->kernels[c];
    if (kernels->seed)
        kernels->seed(seed++);
    struct flt_arguments arguments = arguments_of(call, threads);
    const int status =
        threads == 2 ? run_in_memory(f->emitted[c], kernels->seed ? FLT_LAUNCH : FLT_RUN, call, 2)
                     : f->emitted[c]->call(FLT_RUN, &arguments);
    if (kernels->fault && !*problem)
        *problem = kernels->fault();
    return status;
}

static const char *compare_output(struct filter *f, const struct placed *placed,
                                  const struct samples *expected)
{
    struct samples result = *expected;
    result.data = NULL;
    if (!samples_allocate(&result))
        abort();
    const char *problem = copy_out(placed, result.data)
                              ? samples_difference(f->session->permanent, expected, &result)
                              : "written between the samples";
    samples_free(&result);
    return problem;
}

static void compare(struct filter *f, const struct trial *trial, unsigned c, enum layout layout,
                    bool at_end, int threads)
{
    static struct call call;
    const char *problem = NULL, *extents_problem = NULL;
    make_call(f, trial, layout, at_end, &call);
    int status = ask_extents(f, c, &call, threads, &extents_problem);
    if (status == 0 && trial->valid)
        status = run(f, c, &call, threads, &extents_problem);
    const bool refused = f->build->may_refuse && status == BAD_OPTIONS;
    if (trial->valid && status != 0 && !refused)
        problem = arena_format(f->session->permanent, "status %d", status);
    else if (!trial->valid && status == 0)
        problem = "accepted what the interpreter refuses";
    else if (trial->valid)
        problem = extents_problem;
    for (unsigned i = 0; trial->valid && !refused && !problem && i < f->outputs; i++)
        problem = compare_output(f, &call.placed[f->inputs + i], &trial->expected[i]);
    if (problem)
        fail(f, c, trial, layout, threads, problem);
    else
        f->passed++;
    for (unsigned i = 0; i < call.count; i++)
        munmap(call.placed[i].map, call.placed[i].map_bytes);
}

/* ---- Trials that are kept ---- */

static void keep_number(const struct filter *f, int64_t number)
{
    fwrite(&number, sizeof number, 1, f->kept);
}

static void keep_samples(const struct filter *f, const struct samples *s)
{
    static const char none[8] = {0};
    const size_t bytes = samples_count(s) * scalar_info[s->scalar].bytes;
    for (unsigned k = 0; k < s->rank; k++)
        keep_number(f, s->extent[k]);
    fwrite(s->data, 1, bytes, f->kept);
    fwrite(none, 1, (8 - bytes % 8) % 8, f->kept);
}

static void keep_value(const struct filter *f, const struct parameter *p, struct value value)
{
    unsigned char bytes[8] = {0};
    value_write(bytes, p->scalar, value);
    fwrite(bytes, 1, sizeof bytes, f->kept);
}

static void keep_image(const struct filter *f, const struct stage *image, const int64_t extent[])
{
    const enum scalar scalar = image->element;
    keep_number(f, image->rank);
    keep_number(f, scalar_info[scalar].bytes);
    keep_number(f, scalar == SCALAR_F16   ? KEPT_HALF
                   : scalar == SCALAR_F32 ? KEPT_SINGLE
                   : scalar == SCALAR_F64 ? KEPT_DOUBLE
                                          : KEPT_INTEGER);
    for (unsigned k = 0; k < image->rank; k++)
        keep_number(f, extent[k] == 7 ? KEPT_Y : extent[k] == 9 ? KEPT_X : KEPT_FEW);
}

static void keep_trial(const struct filter *f, const struct trial *trial)
{
    keep_number(f, trial->valid);
    for (unsigned i = 0; i < f->inputs; i++)
        keep_samples(f, &trial->input[i]);
    for (size_t i = 0; i < f->graph->parameters.count; i++)
        keep_value(f, &f->graph->parameters.item[i], trial->parameter[i]);
    for (unsigned i = 0; trial->valid && i < f->outputs; i++)
        keep_samples(f, &trial->expected[i]);
}

/* Axes of one name have one extent: colours behind y and x are 3; of others the last two of the
 * first image that has it are y and x, all else 3. */
static int64_t extent_of(const struct filter *f, const struct symbol *name, const int64_t size[2])
{
    for (unsigned i = 0; i < f->inputs; i++) {
        const struct stage *image = f->image[i];
        unsigned end = image->rank; /* of y and x */
        if (end > 2 && strcmp(image->axis[end - 1].name->text, "c") == 0)
            end--;
        for (unsigned k = 0; k < image->rank; k++)
            if (image->axis[k].name == name)
                return k + 1 == end ? size[1] : k + 2 == end ? size[0] : 3;
    }
    return 1;
}

static void keep_signature(const struct filter *f, size_t trials)
{
    const int64_t size[2] = {7, 9};
    keep_number(f, KEPT_MAGIC);
    keep_number(f, f->inputs);
    keep_number(f, f->outputs);
    keep_number(f, (int64_t)f->graph->parameters.count);
    keep_number(f, (int64_t)trials);
    for (unsigned i = 0; i < f->inputs + f->outputs; i++) {
        const struct graph_output *output =
            i < f->inputs ? NULL : &f->graph->outputs.item[i - f->inputs];
        const struct stage *image =
            output ? f->graph->stages.item[output->stage.index] : f->image[i];
        int64_t extent[GRAPH_MAX_RANK] = {0};
        for (unsigned k = 0; i < f->inputs && k < image->rank; k++)
            extent[k] = extent_of(f, image->axis[k].name, size);
        keep_image(f, image, extent);
    }
    for (size_t i = 0; i < f->graph->parameters.count; i++) {
        const struct parameter *p = &f->graph->parameters.item[i];
        uint64_t seed = 1;
        keep_value(f, p, p->initial ? evaluate_constant(p->initial) : small_parameter(&seed, p));
    }
}

static double sample_number(const struct samples *samples, const int64_t place[])
{
    const struct value value = samples_read(samples, place);
    return samples->scalar == SCALAR_F64 ? value.f64 : (double)value.f32;
}

/* The rounding of the narrowest float that the result or a recurrence has. */
static double largest_epsilon(const struct filter *f, enum scalar result)
{
    static const double epsilon[SCALAR_COUNT] = {
        [SCALAR_F16] = 0x1p-11, [SCALAR_F32] = 0x1p-24, [SCALAR_F64] = 0x1p-53};
    double largest = epsilon[result];
    for (size_t i = 0; i < f->graph->stages.count; i++)
        if (recurrence_of(f->graph, f->graph->stages.item[i]))
            largest = fmax(largest, epsilon[f->graph->stages.item[i]->element]);
    return largest;
}

/* Passes that round otherwise than the program says carry the states of recurrences otherwise. The
 * mean error counts: a rounding that the program writes may go the other way here and there. */
static void compare_with_written(struct filter *f, const struct samples *written,
                                 const struct samples *rounded)
{
    enum { ROUNDINGS = 6 };
    const size_t count = samples_count(written);
    int64_t place[GRAPH_MAX_RANK] = {0};
    double largest = 0, sum = 0;
    if (!scalar_is_float(written->scalar) || !count)
        return;
    do {
        const double number = sample_number(written, place);
        if (!isfinite(number))
            continue;
        largest = fmax(largest, fabs(number));
        sum += fabs(number - sample_number(rounded, place));
    } while (next_index(written, place));
    const double error = sum / (double)count,
                 allowed = ROUNDINGS * largest_epsilon(f, written->scalar) * largest;
    if (error <= allowed) {
        f->passed++;
        return;
    }
    f->failed++;
    fprintf(stderr, "FAIL %s: after the passes a result is %g off on average, %g is allowed\n",
            f->path, error, allowed);
}

static void make_inputs(const struct filter *f, const int64_t size[2], uint64_t *seed, bool usual,
                        struct trial *trial)
{
    for (unsigned i = 0; i < f->inputs; i++) {
        struct samples *s = &trial->input[i];
        s->scalar = f->image[i]->element;
        s->rank = f->image[i]->rank;
        for (unsigned k = 0; k < s->rank; k++)
            s->extent[k] = extent_of(f, f->image[i]->axis[k].name, size);
        if (!samples_allocate(s))
            abort();
        random_samples(seed, s);
    }
    for (size_t i = 0; i < f->graph->parameters.count; i++) {
        const struct parameter *p = &f->graph->parameters.item[i];
        trial->parameter[i] =
            usual && p->initial ? evaluate_constant(p->initial) : small_parameter(seed, p);
    }
}

static bool is_rounded(const struct filter *f)
{
    return f->rounded_graph || f->rounded_program;
}

/* What the last pass that rounds otherwise has made, interpreted. */
static bool interpret_rounded(const struct filter *f, struct interpretation *run)
{
    return f->rounded_program ? interpret_program(f->rounded_program, run)
                              : interpret_graph(f->rounded_graph, run);
}

/* Floats as pictures have them: nothing special may hide how far results lie apart. */
static void tame(uint64_t *seed, struct samples *samples)
{
    int64_t place[GRAPH_MAX_RANK] = {0};
    if (!scalar_is_float(samples->scalar) || !samples_count(samples))
        return;
    do {
        const double number = ldexp((double)(random_next(seed) >> 11), -53);
        samples_write(samples, place,
                      samples->scalar == SCALAR_F64 ? (struct value){.f64 = number}
                                                    : (struct value){.f32 = (float)number});
    } while (next_index(samples, place));
}

/* What passes have made that round otherwise than the program says lies near the program. */
static void try_roundings(struct filter *f)
{
    static const int64_t size[2] = {70, 131};
    struct trial written = {.valid = false}, rounded = {.valid = false};
    uint64_t seed = 1;
    make_inputs(f, size, &seed, true, &written);
    for (unsigned i = 0; i < f->inputs; i++)
        tame(&seed, &written.input[i]);
    struct interpretation run = {.session = f->session,
                                 .transforms_as_emitted = true,
                                 .inputs = written.input,
                                 .parameters = written.parameter,
                                 .outputs = written.expected,
                                 .externals = &f->externals};
    written.valid = interpret_graph(f->graph, &run);
    run.outputs = rounded.expected;
    rounded.valid = written.valid && interpret_rounded(f, &run);
    for (unsigned i = 0; rounded.valid && i < f->outputs; i++)
        compare_with_written(f, &written.expected[i], &rounded.expected[i]);
    for (unsigned i = 0; i < f->inputs; i++)
        samples_free(&written.input[i]);
    for (unsigned i = 0; i < f->outputs; i++) {
        samples_free(&written.expected[i]);
        samples_free(&rounded.expected[i]);
    }
}

static void try_size(struct filter *f, const int64_t size[2], uint64_t *seed, bool usual)
{
    struct trial trial = {.valid = false};
    make_inputs(f, size, seed, usual, &trial);
    struct interpretation run = {.session = f->session,
                                 .transforms_as_emitted = true,
                                 .inputs = trial.input,
                                 .parameters = trial.parameter,
                                 .outputs = trial.expected,
                                 .externals = &f->externals};
    /* What is loaded may have set this thread to flush subnormal numbers: of no concern to what is
     * called, but to the interpreter. */
    fenv_t loaded;
    fegetenv(&loaded);
    fesetenv(FE_DFL_ENV);
    trial.valid = interpret_graph(f->graph, &run);
    if (trial.valid && is_rounded(f)) {
        for (unsigned i = 0; i < f->outputs; i++)
            samples_free(&trial.expected[i]);
        trial.valid = interpret_rounded(f, &run);
    }
    fesetenv(&loaded);
    for (unsigned i = 0; !trial.valid && i < f->outputs;
         i++) /* room is made for them all the same */
        trial.expected[i] = (struct samples){.scalar = SCALAR_U8};
    if (f->kept)
        keep_trial(f, &trial);
    unsigned turn = 0;
    for (unsigned c = 0; c < MOST_COMPILERS; c++)
        for (unsigned layout = 0; f->emitted[c] && layout < LAYOUTS; layout++)
            for (int threads = 1; threads <= f->build->threads; threads++)
                compare(f, &trial, c, (enum layout)layout, turn++ % 2 == 0, threads);
    for (unsigned i = 0; i < f->inputs; i++)
        samples_free(&trial.input[i]);
    for (unsigned i = 0; i < f->outputs; i++)
        samples_free(&trial.expected[i]);
}

/* The C functions that it calls are in headers, which lie beside it. */
static bool load_externals(struct filter *f, const struct module_set *modules)
{
    struct options options = {0};
    struct command_context c = {.session = f->session, .options = &options, .modules = modules};
    return externals_load(&c, &f->externals);
}

static bool load(struct filter *f, const char *name)
{
    struct session *session = f->session;
    const struct module_set *modules = load_modules(session, f->path);
    const struct ast *filter = modules ? elaborate_choose(session, modules, name) : NULL;
    const struct elaborate_options options = {.target = f->target->name};
    f->graph = filter ? elaborate_filter(session, modules, filter, &options) : NULL;
    if (!f->graph || session->diagnostics.error_count || !load_externals(f, modules))
        return false;
    for (size_t i = 0; i < f->graph->stages.count; i++)
        if (f->graph->stages.item[i]->kind == STAGE_INPUT && f->inputs++ < MOST_IMAGES)
            f->image[f->inputs - 1] = f->graph->stages.item[i];
    f->outputs = (unsigned)f->graph->outputs.count;
    return f->inputs <= MOST_IMAGES && f->outputs <= MOST_IMAGES &&
           f->graph->parameters.count <= MOST_PARAMETERS;
}

/* The graph for images of that size, which f has then; what passes take of it. */
static const struct graph *fix_size(struct filter *f, const int64_t size[2])
{
    enum { MOST_AXES = MOST_IMAGES * GRAPH_MAX_RANK };
    struct session *s = f->session;
    struct extent_setting setting[MOST_AXES];
    size_t count = 0;
    for (unsigned i = 0; i < f->inputs; i++)
        for (unsigned k = 0; k < f->image[i]->rank; k++)
            if (f->image[i]->axis[k].extent->kind == EXPR_VARIABLE)
                setting[count++] =
                    (struct extent_setting){f->image[i]->axis[k].extent->as.variable.name->text,
                                            extent_of(f, f->image[i]->axis[k].name, size), false};
    const struct graph *short_ones =
        graph_fix_extents(s->ir, s->scratch, &s->pool, f->graph, AXIS_SHORT, count, setting);
    f->graph = graph_fix_extents(s->ir, s->scratch, &s->pool, f->graph, INT32_MAX, count, setting);
    return short_ones;
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

/* The build of f, by compilers that the environment names. */
static void take_compilers(const struct filter *f, struct build *own, const char *compiler_of[])
{
    const char *given = getenv("COMPILE_WITH");
    *own = *f->build;
    if (!given)
        return;
    own->may_refuse = true;
    own->compilers = 0;
    own->compiler = compiler_of;
    while (*given && own->compilers < MOST_COMPILERS) {
        const size_t length = strcspn(given, "\n");
        if (length)
            compiler_of[own->compilers++] = arena_text(f->session->permanent, given, length);
        given += length + (given[length] != 0);
    }
}

int main(int argc, char **argv)
{
    /* {96, 96}, for the simulator, ends where blocks of threads do. With LARGE the last ones, which
     * have blocks far from borders: of heavy programs the interpreter takes minutes. */
    static const int64_t size[][2] = {{1, 1},    {1, 7},   {7, 1},     {33, 17},
                                      {130, 67}, {96, 96}, {130, 128}, {140, 392}};
    enum { LARGE = 2, OF_DEVICES = 1 + LARGE };
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: same_bytes FOLDER FILE.flt [FILTER]\n");
        return 3;
    }
    const char *name = getenv("TARGET");
    struct filter f = {
        .path = argv[2], .session = session_create(NULL), .target = target_find(name ? name : "c")};
    f.build = builds;
    while (f.target && f.build->target && strcmp(f.build->target, f.target->name) != 0)
        f.build++;
    if (!f.target || !f.build->target) {
        fprintf(stderr, "same_bytes: nothing is known of a target '%s'\n", name);
        return 3;
    }
    struct build own;
    const char *compiler_of[MOST_COMPILERS];
    take_compilers(&f, &own, compiler_of);
    f.build = &own;
    mkdir(argv[1], 0777);
    if (!load(&f, argc == 4 ? argv[3] : NULL)) {
        struct text text = text_create(f.session->permanent);
        diagnostics_render_text(&f.session->diagnostics, &text, false);
        fprintf(stderr, "FAIL %s: is not accepted\n%s", f.path, text.length ? text.bytes : "");
        return 1;
    }
    const struct pass_options passes = {
        .verify_each = true, .after = note_rounding, .after_context = &f};
    const char *sized = getenv("SIZED");
    const struct graph *graph = sized ? fix_size(&f, size[atoi(sized)]) : f.graph;
    struct pass_result result = run_passes(f.session, graph, f.target, &passes);
    const struct emit_options emit = {
        .stem = "filter", .entry = true, .multi = getenv("MULTI") != NULL};
    if (result.problem) {
        fprintf(stderr, "FAIL %s: %s\n", f.path, result.problem);
        return 1;
    }
    if (sized)
        result.program = program_with_extents(f.session->ir, f.session->scratch, &f.session->pool,
                                              result.program, f.graph);
    const struct emitted emitted = emit_program(f.session, result.program, f.target, &emit);
    const size_t sizes = sizeof size / sizeof size[0] - (getenv("LARGE")      ? 0
                                                         : f.build->simulated ? LARGE
                                                                              : OF_DEVICES);
    if (getenv("KEEP"))
        f.kept = fopen(arena_format(f.session->permanent, "%s/trials", argv[1]), "wb");
    if (is_rounded(&f)) /* what is built may set how this thread computes */
        try_roundings(&f);
    if (!build(&f, argv[1], &emitted))
        return 1;
    if (f.kept)
        keep_signature(&f, sizes);
    uint64_t seed = 1;
    const char *only = getenv("ONLY_SIZE");
    for (size_t i = 0; i < sizes; i++)
        if (!only || (size_t)atoi(only) == i)
            try_size(&f, size[i], &seed, i % 2 == 0);
    if (f.kept && (ferror(f.kept) || fclose(f.kept) != 0))
        f.failed++;
    printf("%s: %u passed, %u failed\n", f.path, f.passed, f.failed);
    session_destroy(f.session);
    return f.failed ? 1 : 0;
}
