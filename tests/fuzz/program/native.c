/* Emitted C of many programs → one shared library, run on the data of a check. */
#include "program/native.h"
#include "program/guarded.h"
#include "program/random.h"
#include "program/regions.h"
#include "emit/emit.h"
#include "flt/filter.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct toolchain simulator = {
    .name = "simulator",
    .word = {"g++", "-x", "c++", "-std=c++17", "-O0",
             "-fsanitize=signed-integer-overflow,shift,alignment",
             "-fsanitize-undefined-trap-on-error", "-DFLT_MOST_BLOCKS=2", "-DFLT_MOST_BLOCKS_X=3",
             "-I" SIMULATOR_FOLDER},
    .target = "cuda",
    .ending = "cu",
    .is_simulated = true,
};
/* A driver runs the kernels. */
static const struct toolchain opencl = {.name = "opencl",
                                        .word = {"gcc", "-std=c99", "-O0"},
                                        .target = "opencl",
                                        .ending = "c",
                                        .library = "-lOpenCL"};

const struct toolchain toolchain_list[] = {
    {.name = "gcc-O0", .word = {"gcc", "-std=gnu17", "-O0"}},
    {.name = "gcc",
     .word = {"gcc", "-std=gnu17", "-O3", "-march=native", "-fopenmp", "-DFLT_STREAM_BYTES=0"}},
    {.name = "gcc-c99", .word = {"gcc", "-std=c99", "-O2", "-pedantic-errors"}},
    {.name = "clang",
     .word = {"clang", "-std=c99", "-O3", "-march=native", "-DFLT_STREAM_BYTES=0"}},
    {.name = "g++", .word = {"g++", "-x", "c++", "-O2"}},
    {.name = "ubsan",
     .word = {"gcc", "-std=gnu17", "-O1", "-fsanitize=undefined,float-cast-overflow",
              "-fno-sanitize-recover=all"}},
#ifdef __SANITIZE_ADDRESS__
    /* Its run-time library has to be in the process that loads the code: `make asan`. */
    {.name = "asan",
     .word = {"gcc", "-std=gnu17", "-O1", "-fsanitize=address", "-DFLT_STREAM_BYTES=0",
              "-fno-omit-frame-pointer"}},
#endif
    {.name = "opencl", .word = {"gcc", "-std=gnu17", "-O0"}, .kernels = &opencl},
    {.name = NULL},
};

const struct toolchain *toolchain_of_kernels(const struct toolchain *toolchain)
{
    return toolchain->kernels ? toolchain->kernels : &simulator;
}

const struct toolchain *toolchain_find(const char *name)
{
    const struct toolchain *t = toolchain_list;
    while (t->name && strcmp(t->name, name) != 0)
        t++;
    return t->name ? t : NULL;
}

bool toolchain_exists(const struct toolchain *toolchain)
{
    char path[256];
    const char *list = getenv("PATH");
    for (const char *at = list ? list : ""; *at;
         at += strcspn(at, ":") + (at[strcspn(at, ":")] == ':')) {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, toolchain->word[0]);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static bool write_file(const char *folder, const struct emitted_file *content)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, content->name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool good = fwrite(content->text, 1, content->length, file) == content->length;
    return fclose(file) == 0 && good;
}

/* The program over boxes, which the file of the filter includes at its end: such files may stand in
 * one translation unit. */
static bool write_boxes(const struct program_check *check, const char *folder, const char *suffix,
                        const struct emitted *emitted, struct emitted_file *whole)
{
    struct arena *arena = check->session->permanent;
    const struct boxes_of of = {.symbol = emitted->symbol,
                                .header = emitted->files.item[1].name,
                                .image = emitted->images.item,
                                .parameters = check->graph->parameters.count,
                                .checks = check->graph->checks.count};
    const struct emit_options options = {.stem = arena_format(arena, "%sb", suffix),
                                         .boxes_of = &of};
    const struct emitted boxes =
        emit_program(check->session, check->boxed, target_find("c"), &options);
    whole->text =
        arena_format(arena, "%s\n#include \"%s\"\n", whole->text, boxes.files.item[0].name);
    whole->length = strlen(whole->text);
    return write_file(folder, &boxes.files.item[0]) && write_file(folder, &boxes.files.item[1]);
}

static bool write_program(struct program_check *check, const struct program *program,
                          const char *target, const char *folder, const char *suffix)
{
    const bool boxes = check->boxed && program == check->program;
    const struct emit_options options = {.stem = suffix, .entry = true, .boxes = boxes};
    const struct emitted emitted =
        emit_program(check->session, program, target_find(target), &options);
    check->symbol = emitted.symbol;
    bool good = !boxes || write_boxes(check, folder, suffix, &emitted, &emitted.files.item[0]);
    for (size_t i = 0; i < emitted.files.count; i++)
        good = write_file(folder, &emitted.files.item[i]) && good;
    return good;
}

static bool write_nothing(const char *folder, const char *stem, const char *ending)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", stem, ending);
    return write_file(folder, &(struct emitted_file){name, "\n", 1});
}

bool native_write(struct program_check *check, const struct toolchain *toolchain,
                  const char *folder, const char *suffix)
{
    char of_kernels[32];
    snprintf(of_kernels, sizeof of_kernels, "%sk", suffix);
    if (!check->kernels) /* it makes particles, which the host does */
        return write_program(check, check->program, "c", folder, suffix) &&
               write_nothing(folder, of_kernels, toolchain_of_kernels(toolchain)->ending);
    return write_program(check, check->program, "c", folder, suffix) &&
           write_program(check, check->kernels, toolchain_of_kernels(toolchain)->target, folder,
                         of_kernels);
}

bool native_write_simulator(const char *folder)
{
    static const char text[] = "#include <simulator.c>\n";
    return write_file(folder, &(struct emitted_file){"blocks.cu", text, sizeof text - 1});
}

/* ---- Compiling ---- */

/* Starts a program in the folder, its words into a file there. */
static pid_t start(const char *folder, const char *const words[], const char *output)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    /* A compiler that never comes to an end is a finding; the limit holds for what it starts,
     * too. */
    enum { SECONDS = 300 };
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
    if (chdir(folder) != 0)
        _exit(127);
    const int log = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

static bool succeeded(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void read_log(const char *folder, const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(text, 1, size - 1, file) : 0;
    text[got] = 0;
    if (file)
        fclose(file);
}

void native_compile(const struct toolchain *toolchain, const char *folder, unsigned count,
                    const char *const suffix[], struct native_log log[])
{
    enum { JOBS = 2 };
    char source[JOBS][64], output[JOBS][64];
    for (unsigned i = 0; i < count; i += JOBS) {
        pid_t child[JOBS] = {0};
        for (unsigned j = 0; j < JOBS && i + j < count; j++) {
            const char *words[28];
            unsigned n = 0;
            for (const char *const *w = toolchain->word; *w; w++)
                words[n++] = *w;
            snprintf(source[j], sizeof source[j], "%s.%s", suffix[i + j],
                     toolchain->ending ? toolchain->ending : "c");
            snprintf(output[j], sizeof output[j], "%s.log", suffix[i + j]);
            words[n++] = "-I" EXTERNALS_FOLDER;
            words[n++] = "-fPIC";
            words[n++] = "-w";
            words[n++] = "-c";
            words[n++] = source[j];
            words[n] = NULL;
            child[j] = start(folder, words, output[j]);
        }
        for (unsigned j = 0; j < JOBS && i + j < count; j++) {
            log[i + j].ok = succeeded(child[j]);
            read_log(folder, output[j], log[i + j].text, sizeof log[i + j].text);
        }
    }
}

const char *native_link(const struct toolchain *toolchain, const char *folder, const char *library,
                        unsigned count, const char *const suffix[], const struct native_log log[])
{
    enum { MOST = 256 };
    static char object[MOST][64], text[600];
    const char *words[MOST + 16];
    unsigned n = 0;
    words[n++] = toolchain->word[0];
    words[n++] = "-shared";
    words[n++] = strcmp(toolchain->name, "ubsan") == 0   ? "-fsanitize=undefined"
                 : strcmp(toolchain->name, "clang") == 0 ? "-fPIC"
                                                         : "-fopenmp";
    for (unsigned i = 0; i < count && i < MOST; i++)
        if (log[i].ok) {
            snprintf(object[i], sizeof object[i], "%s.o", suffix[i]);
            words[n++] = object[i];
        }
    words[n++] = "-o";
    words[n++] = library;
    if (toolchain->library)
        words[n++] = toolchain->library;
    words[n++] = "-lm";
    words[n] = NULL;
    if (succeeded(start(folder, words, "link.log")))
        return NULL;
    read_log(folder, "link.log", text, sizeof text);
    return text;
}

/* ---- Running ---- */

typedef int run_function(int what, struct flt_arguments *arguments);

struct call {
    run_function *run;
    bool are_kernels;
    void (*seed)(uint64_t seed); /* of the simulator; NULL: it does not run them */
    const char *(*fault)(void);
    struct guarded image[2 * TRIAL_IMAGES]; /* inputs, then outputs */
    void *data[2 * TRIAL_IMAGES];
    int32_t *extents[2 * TRIAL_IMAGES];
    const ptrdiff_t *strides[2 * TRIAL_IMAGES];
    unsigned char value[TRIAL_PARAMETERS][8];
    const void *parameters[TRIAL_PARAMETERS];
    unsigned inputs, outputs;
};

static int call_of(const struct call *call, int what, int threads)
{
    struct flt_arguments arguments = {.size = sizeof arguments,
                                      .data = call->data,
                                      .extents = call->extents,
                                      .strides = call->strides,
                                      .parameters = call->parameters,
                                      .threads = threads};
    return call->run(what, &arguments);
}

static void set_image(struct call *call, unsigned i)
{
    call->data[i] = call->image[i].first;
    call->extents[i] = call->image[i].extent;
    call->strides[i] = call->image[i].stride;
}

/* The outputs' extents, as the code tells them. NULL, or a sentence. */
static const char *ask_extents(struct call *call, const struct trial *trial)
{
    unsigned char none[8] = {0};
    for (unsigned i = 0; i < call->outputs; i++) {
        struct guarded *out = &call->image[call->inputs + i];
        *out = (struct guarded){.first = none};
        for (unsigned k = 0; k < GRAPH_MAX_RANK; k++)
            out->extent[k] = -7;
        set_image(call, call->inputs + i);
    }
    const int status = call_of(call, FLT_EXTENTS, 1);
    if (!trial->accepted)
        return status ? NULL : "it accepts what the oracle refuses";
    if (status)
        return "it refuses what the oracle accepts";
    for (unsigned i = 0; i < call->outputs; i++)
        for (unsigned k = 0; k < trial->expected[i].rank; k++)
            if (call->image[call->inputs + i].extent[k] != trial->expected[i].extent[k])
                return "it tells other extents of an output";
    return NULL;
}

/* What the code wrote into one output, against what is expected. */
static const char *take_output(const struct guarded *out, const struct samples *expected,
                               struct arena *arena)
{
    struct samples result = *expected;
    if (!samples_allocate(&result))
        return "there is no memory for the test";
    const char *problem = guarded_take(out, &result);
    if (!problem)
        problem = samples_difference(arena, expected, &result);
    samples_free(&result);
    return problem;
}

static const char *run_once(struct call *call, const struct trial *trial, int threads,
                            uint64_t *random, struct arena *arena)
{
    const char *problem = NULL;
    for (unsigned i = 0; i < call->outputs; i++) {
        if (!guarded_make(&call->image[call->inputs + i], &trial->expected[i], random))
            problem = "there is no memory for the test";
        set_image(call, call->inputs + i);
    }
    if (call->seed)
        call->seed(threads == 1 ? 0 : random_next(random));
    const int status = problem ? 0 : call_of(call, FLT_RUN, threads);
    if (call->fault && !problem)
        problem = call->fault();
    if (status)
        problem = arena_format(arena, "status %d", status);
    for (unsigned i = 0; i < call->outputs; i++) {
        if (!problem)
            problem = take_output(&call->image[call->inputs + i], &trial->expected[i], arena);
        guarded_free(&call->image[call->inputs + i]);
    }
    return problem;
}

static const char *run_trial(struct call *call, const struct program_check *check,
                             const struct trial *trial, uint64_t *random, const char **how)
{
    struct arena *arena = check->session->permanent;
    const char *problem = NULL;
    call->inputs = trial->input_count;
    call->outputs = trial->output_count;
    for (unsigned i = 0; i < call->inputs; i++) {
        if (!guarded_make(&call->image[i], &trial->input[i], random))
            return "there is no memory for the test";
        guarded_fill(&call->image[i], &trial->input[i]);
        set_image(call, i);
    }
    for (size_t i = 0; i < check->graph->parameters.count && i < TRIAL_PARAMETERS; i++) {
        value_write(call->value[i], check->graph->parameters.item[i].scalar, trial->parameter[i]);
        call->parameters[i] = call->value[i];
    }
    *how = "extents";
    problem = ask_extents(call, trial);
    for (int threads = 1; threads <= 2 && !problem && trial->accepted; threads++) {
        *how = threads == 1 ? "1 thread" : "2 threads";
        problem = run_once(call, trial, threads, random, arena);
    }
    if (!problem && trial->accepted && !call->are_kernels) {
        *how = "a box";
        problem = regions_check(call->run, check, trial, random);
    }
    for (unsigned i = 0; i < call->inputs; i++)
        guarded_free(&call->image[i]);
    return problem;
}

/* A function of the library, by its name; false after a finding. */
static bool find_function(struct program_check *check, void *library, const char *toolchain,
                          const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    if (!symbol)
        finding_set(&check->finding, FOUND_COMPILE, toolchain, "the library lacks %s", name);
    return symbol != NULL;
}

static void run_trials(struct call *call, struct program_check *check, const char *toolchain,
                       uint64_t seed)
{
    for (unsigned t = 0; t < TRIALS; t++) {
        const char *how = "";
        struct trial trial = check->trial[t];
        if (call->are_kernels)
            memcpy(trial.expected, trial.of_kernels, sizeof trial.expected);
        const char *problem = run_trial(call, check, &trial, &seed, &how);
        if (problem)
            finding_set(&check->finding, FOUND_RESULT, toolchain, "trial %u, %s: %s", t, how,
                        problem);
    }
}

void native_run(struct program_check *check, void *library, void *of_kernels,
                const struct toolchain *toolchain, uint64_t seed)
{
    const struct toolchain *const of = toolchain_of_kernels(toolchain);
    char name[64];
    struct call call = {0}, kernels = {0};
    snprintf(name, sizeof name, "%s_call", check->symbol);
    if (find_function(check, library, toolchain->name, name, &call.run))
        run_trials(&call, check, toolchain->name, seed);
    kernels.are_kernels = true;
    if (!check->kernels)
        return;
    if (!of->is_simulated &&
        expr_externals(&check->session->pool, check->session->permanent).count > 0)
        return; /* no device calls functions of C */
    if (check->finding.kind == FOUND_NOTHING &&
        find_function(check, of_kernels, of->name, name, &kernels.run) &&
        (!of->is_simulated ||
         (find_function(check, of_kernels, of->name, "sim_seed", &kernels.seed) &&
          find_function(check, of_kernels, of->name, "sim_fault", &kernels.fault))))
        run_trials(&kernels, check, of->name, seed);
}
