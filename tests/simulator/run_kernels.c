/* run_kernels FOLDER WORK: each .flt of the folder through the simulator's target, each .loop that
 * is a schedule by hand of the .flt beside it: emitted, compiled with the simulator, run on random
 * images with several orders of the threads, and compared to the bit with the oracle and with the
 * loop interpreter. A kernel without its barrier must fail. */
#include "command/trial_images.h"
#include "emit/emit.h"
#include "flt/filter.h"
#include "frontend/elaborate.h"
#include "loop/loop_text.h"
#include "loop/loop_verify.h"
#include "pass_manager.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    int passed, failed;
};

struct kernels {
    void *handle;
    const struct flt_filter *filter;
    void (*seed)(uint64_t seed);
    const char *(*fault)(void);
};

static void expect(struct tally *tally, const char *name, const char *problem)
{
    tally->passed += problem == NULL;
    tally->failed += problem != NULL;
    if (problem)
        printf("FAILED %s: %s\n", name, problem);
}

static const struct graph *load_graph(struct session *session, const char *path)
{
    const struct module_set *modules = load_modules(session, path);
    const struct ast *filter = modules ? elaborate_choose(session, modules, NULL) : NULL;
    const struct elaborate_options options = {.target = "simulator"};
    return filter ? elaborate_filter(session, modules, filter, &options) : NULL;
}

/* Emits, compiles with the simulator, loads. drop_barriers: a fault to be found. */
static bool build(struct session *session, const struct program *program, const char *work,
                  bool drop_barriers, struct kernels *kernels)
{
    const struct emit_options options = {.stem = "kernels", .entry = true};
    const struct emitted emitted =
        emit_program(session, program, target_find("simulator"), &options);
    for (size_t i = 0; i < emitted.files.count; i++) {
        FILE *file =
            fopen(arena_format(session->scratch, "%s/%s", work, emitted.files.item[i].name), "wb");
        if (!file)
            return false;
        fwrite(emitted.files.item[i].text, 1, emitted.files.item[i].length, file);
        fclose(file);
    }
    static int number;
    const char *object = arena_format(session->permanent, "%s/kernels_%d.so", work, number++);
    const char *drop = drop_barriers
                           ? arena_format(session->permanent,
                                          "sed -i 's/sim_barrier();/;/' %s/kernels.c && ", work)
                           : "";
    const char *command =
        arena_format(session->permanent,
                     "%scc -std=gnu11 -O1 %s -shared -fPIC -Itests/simulator -I%s %s/kernels.c "
                     "tests/simulator/simulator.c -o %s -lm",
                     drop, drop_barriers ? "-w" : "-Wall -Wextra -Werror", work, work, object);
    if (system(command) != 0)
        return false;
    kernels->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!kernels->handle)
        return false;
    kernels->filter = dlsym(kernels->handle, "flt_filter");
    void *seed = dlsym(kernels->handle, "sim_seed");
    void *fault = dlsym(kernels->handle, "sim_fault");
    memcpy(&kernels->seed, &seed, sizeof seed);
    memcpy(&kernels->fault, &fault, sizeof fault);
    return kernels->filter && seed && fault;
}

/* One run over one image; NULL, or what differs. */
static const char *run_once(struct session *session, const struct kernels *kernels,
                            const struct samples *input, const struct samples *expected,
                            uint64_t seed)
{
    struct samples result = *expected;
    int32_t extent[2][GRAPH_MAX_RANK] = {{0}};
    ptrdiff_t stride[2][GRAPH_MAX_RANK] = {{0}};
    const struct samples *both[2] = {input, expected};
    if (!samples_allocate(&result))
        return "no memory";
    for (int i = 0; i < 2; i++) {
        ptrdiff_t step = 1;
        for (unsigned k = both[i]->rank; k-- > 0;) {
            extent[i][k] = (int32_t)both[i]->extent[k];
            stride[i][k] = step;
            step *= (ptrdiff_t)both[i]->extent[k];
        }
    }
    void *const data[2] = {input->data, result.data};
    int32_t *const extents[2] = {extent[0], extent[1]};
    const ptrdiff_t *const strides[2] = {stride[0], stride[1]};
    kernels->seed(seed);
    struct flt_arguments arguments = {.size = sizeof arguments,
                                      .data = data,
                                      .extents = extents,
                                      .strides = strides,
                                      .threads = 1};
    const int status = kernels->filter->call(FLT_RUN, &arguments);
    const char *problem = kernels->fault();
    if (!problem && status != 0)
        problem = arena_format(session->permanent, "status %d", status);
    if (!problem)
        problem = samples_difference(session->permanent, expected, &result);
    samples_free(&result);
    return problem;
}

static const char *run_sizes(struct session *session, const struct graph *graph,
                             const struct program *program, const struct kernels *kernels)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 70}, {33, 1}, {8, 32}, {9, 33}, {70, 131}};
    const char *problem = NULL;
    uint64_t random = 7;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] && !problem; s++) {
        const struct stage *in = graph->stages.item[0];
        struct samples input = {.scalar = in->element, .rank = in->rank}, expected = {0},
                       looped = {0};
        for (unsigned k = 0; k < in->rank; k++)
            input.extent[k] = sizes[s][k % 2];
        if (!samples_allocate(&input))
            return "no memory";
        random_samples(&random, &input);
        struct interpretation oracle = {.session = session,
                                        .inputs = &input,
                                        .outputs = &expected,
                                        .transforms_as_emitted = true};
        struct interpretation loops = {.session = session, .inputs = &input, .outputs = &looped};
        if (!interpret_graph(graph, &oracle))
            problem = arena_format(session->permanent, "%s", oracle.problem);
        if (!problem && !interpret_program(program, &loops))
            problem = arena_format(session->permanent, "%s", loops.problem);
        if (!problem)
            problem = samples_difference(session->permanent, &expected, &looped);
        for (uint64_t seed = 0; seed < 4 && !problem; seed++)
            problem = run_once(session, kernels, &input, &expected, seed);
        samples_free(&input);
        samples_free(&expected);
        samples_free(&looped);
    }
    return problem;
}

static void search_barrier(const struct statement *statement, void *found)
{
    if (statement->kind == STATEMENT_BARRIER)
        *(bool *)found = true;
    statement_children(statement, search_barrier, found);
}

static void test_program(struct tally *tally, const char *name, struct session *session,
                         const struct graph *graph, const struct program *program, const char *work)
{
    struct kernels built = {0};
    const char *problem = build(session, program, work, false, &built)
                              ? run_sizes(session, graph, program, &built)
                              : "it does not build";
    expect(tally, name, problem);
    bool barriers = false;
    search_barrier(program->body, &barriers);
    if (!barriers)
        return;
    struct kernels faulty = {0};
    if (!build(session, program, work, true, &faulty))
        problem = "it does not build";
    else
        problem = run_sizes(session, graph, program, &faulty)
                      ? NULL
                      : "the missing barriers were not noticed";
    expect(tally, arena_format(session->permanent, "%s without barriers", name), problem);
}

static void test_file(struct tally *tally, const char *folder, const char *file, const char *work)
{
    struct session *session = session_create(NULL);
    const char *path = arena_format(session->permanent, "%s/%s", folder, file);
    const bool by_hand = strcmp(file + strlen(file) - 5, ".loop") == 0;
    const char *source = path;
    if (by_hand)
        source = arena_format(session->permanent, "%.*s.flt", (int)strlen(path) - 5, path);
    const struct graph *graph = load_graph(session, source);
    const struct program *program = NULL;
    const char *problem = NULL;
    if (graph && by_hand) {
        size_t length;
        const char *text = read_whole_file(session->permanent, path, &length, &problem);
        program = text ? program_read(session, path, text, length) : NULL;
        if (program)
            problem = program_verify(program, target_shared_bytes(target_find("simulator")),
                                     LOWERED_REDUCTIONS, session->scratch);
    } else if (graph) {
        const struct pass_options options = {.verify_each = true};
        const struct pass_result result =
            run_passes(session, graph, target_find("simulator"), &options);
        program = result.program;
        problem = result.problem;
    }
    if (!program || problem)
        expect(tally, file, problem ? problem : "it is not accepted");
    else
        test_program(tally, file, session, graph, program, work);
    session_destroy(session);
}

int main(int count, char **words)
{
    struct tally tally = {0};
    DIR *folder = count == 3 ? opendir(words[1]) : NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && (strcmp(dot, ".flt") == 0 || strcmp(dot, ".loop") == 0))
            test_file(&tally, words[1], entry->d_name, words[2]);
    }
    if (folder)
        closedir(folder);
    printf("%d passed, %d failed\n", tally.passed, tally.failed);
    return tally.failed || !tally.passed;
}
