/* A batch of programs in a child process. What the child finds is in memory that it shares with the
 * parent, so that it outlives a crash. */
#include "program/batch.h"
#include "program/generate.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum phase { PHASE_CHECK, PHASE_COMPILE, PHASE_RUN };
static const char *const phase_text[] = {"compiler", "C compiler", "emitted code"};
/* For what never ends: the slowest of the regressions takes 50 by itself, and others may run beside
 * it. */
enum { SECONDS_A_PROGRAM = 600 };

struct shared {
    enum phase phase;
    unsigned current;
    bool compiled;
    bool left_out[BATCH_MOST]; /* crashed */
    bool emitted[BATCH_MOST];
    struct native_log log[BATCH_MOST];
    struct batch_result result[BATCH_MOST];
    struct batch_times times;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_one(const struct batch_program *p, struct program_check *check)
{
    if (p->text || p->module) {
        check_program(check, p->text, p->module, &p->sampling);
        return;
    }
    struct session *session = session_create(NULL);
    const struct module *module = generate_module(session, p->seed, p->favourite, p->suffix);
    check_program(check, NULL, module, &p->sampling);
    session_destroy(session);
}

static void keep_result(struct batch_result *result, const struct program_check *check)
{
    result->finding = check->finding;
    result->trials = 0;
    result->schedules = check->schedules;
    result->schedules_refused = check->schedules_refused;
    result->fused = check->fused;
    result->segmented = check->segmented;
    for (unsigned t = 0; t < TRIALS; t++)
        result->trials += check->trial[t].accepted;
}

static void compile_all(struct shared *shared, unsigned count, const struct batch_program program[],
                        const struct toolchain *toolchain, const char *folder)
{
    /* Of n programs, then of their kernels, then the simulator. */
    static struct native_log log[2 * BATCH_MOST + 1];
    static char of_kernels[BATCH_MOST][32];
    const char *suffix[2 * BATCH_MOST + 1] = {NULL};
    unsigned index[BATCH_MOST], n = 0;
    memset(log, 0, sizeof log);
    for (unsigned i = 0; i < count; i++)
        if (shared->emitted[i]) {
            index[n] = i;
            suffix[n++] = program[i].suffix;
        }
    for (unsigned k = 0; k < n; k++) {
        snprintf(of_kernels[k], sizeof of_kernels[k], "%sk", suffix[k]);
        suffix[n + k] = of_kernels[k];
    }
    suffix[2 * n] = "blocks";
    native_compile(toolchain, folder, n, suffix, log);
    const struct toolchain *const kernels = toolchain_of_kernels(toolchain);
    const unsigned more = kernels->is_simulated && native_write_simulator(folder) ? 1 : 0;
    native_compile(kernels, folder, n + more, suffix + n, log + n);
    for (unsigned k = 0; k < n; k++) {
        const bool which = log[k].ok; /* the kernels are at fault */
        shared->log[index[k]] = log[which ? n + k : k];
        if (!shared->log[index[k]].ok)
            finding_set(&shared->result[index[k]].finding, FOUND_COMPILE,
                        which ? kernels->name : toolchain->name, "%s", shared->log[index[k]].text);
    }
    const char *problem = native_link(toolchain, folder, "batch.so", n, suffix, log);
    if (!problem)
        problem = native_link(kernels, folder, "kernels.so", n + more, suffix + n, log + n);
    for (unsigned k = 0; problem && k < n; k++)
        finding_set(&shared->result[index[k]].finding, FOUND_COMPILE, toolchain->name, "%s",
                    problem);
    shared->compiled = true;
}

static void *open_library(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void work(struct shared *shared, unsigned count, const struct batch_program program[],
                 const struct toolchain *toolchain, const char *folder)
{
    static struct program_check check[BATCH_MOST];
    double start = now();
    for (unsigned i = 0; i < count; i++) {
        if (shared->left_out[i])
            continue;
        shared->current = i;
        shared->phase = PHASE_CHECK;
        alarm(SECONDS_A_PROGRAM);
        check_one(&program[i], &check[i]);
        if (!shared->compiled)
            keep_result(&shared->result[i], &check[i]);
        if (toolchain && !shared->compiled && check[i].finding.kind == FOUND_NOTHING)
            shared->emitted[i] = native_write(&check[i], toolchain, folder, program[i].suffix);
        if (!toolchain)
            check_end(&check[i]);
    }
    shared->times.check += now() - start;
    if (!toolchain)
        return;
    alarm(0); /* each compiler has a limit of its own */
    shared->phase = PHASE_COMPILE;
    start = now();
    if (!shared->compiled)
        compile_all(shared, count, program, toolchain, folder);
    shared->times.compile += now() - start;
    start = now();
    void *library = open_library(folder, "batch.so");
    void *of_kernels = open_library(folder, "kernels.so");
    for (unsigned i = 0; i < count; i++) {
        if (shared->left_out[i] || !shared->emitted[i] || !shared->log[i].ok ||
            shared->result[i].finding.kind != FOUND_NOTHING)
            continue;
        shared->current = i;
        shared->phase = PHASE_RUN;
        alarm(SECONDS_A_PROGRAM);
        if (library && of_kernels)
            native_run(&check[i], library, of_kernels, toolchain, program[i].sampling.seed);
        else
            finding_set(&check[i].finding, FOUND_COMPILE, toolchain->name, "%s", dlerror());
        keep_result(&shared->result[i], &check[i]);
    }
    shared->times.run += now() - start;
}

static void report_crash(struct shared *shared, int status, const char *folder)
{
    struct finding *finding = &shared->result[shared->current].finding;
    *finding = (struct finding){0};
    finding_set_crash(finding, phase_text[shared->phase], status, folder);
}

static void remove_files(const char *folder, unsigned count, const struct batch_program program[])
{
    static const char *const ending[] = {"c", "h", "o", "log", "cu"};
    enum { ENDINGS = sizeof ending / sizeof ending[0] };
    char path[256];
    for (unsigned i = 0; i <= count; i++)
        for (int e = 0; e < 3 * ENDINGS; e++) {
            static const char *const of[] = {"", "k", "b"};
            snprintf(path, sizeof path, "%s/%s%s.%s", folder,
                     i < count ? program[i].suffix : "blocks", of[e / ENDINGS],
                     ending[e % ENDINGS]);
            unlink(path);
        }
    static const char *const other[] = {"batch.so", "kernels.so", "link.log", "child.log"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, other[i]);
        unlink(path);
    }
    rmdir(folder);
}

void batch_run(unsigned count, const struct batch_program program[],
               const struct toolchain *toolchain, struct batch_result result[],
               struct batch_times *times)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char folder[64] = "/tmp/fltc_fuzz.XXXXXX";
    if (shared == MAP_FAILED || !mkdtemp(folder)) {
        fprintf(stderr, "generate_program: no memory or no temporary folder\n");
        exit(2);
    }
    fflush(NULL);
    for (;;) {
        const pid_t child = fork();
        if (child == 0) {
            finding_catch_words(folder);
            work(shared, count, program, toolchain, folder);
            fflush(NULL);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        report_crash(shared, status, folder);
        if (shared->left_out[shared->current])
            break;
        shared->left_out[shared->current] = true;
    }
    memcpy(result, shared->result, count * sizeof *result);
    times->check += shared->times.check;
    times->compile += shared->times.compile;
    times->run += shared->times.run;
    munmap(shared, sizeof *shared);
    remove_files(folder, count, program);
}
