/* An emitted filter by threads of its own and by those of a caller: the same bytes, whatever runs
 * the parts; cancelled at any time; in a child of fork; in several calls at once; unloaded; called
 * by threads that are ended meanwhile, and by threads that compute floats in another way. */
#include "several.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEIGHT = 531, WIDTH = 701, SAMPLES = HEIGHT * WIDTH, MOST = 64 };

struct results {
    float smooth[SAMPLES], level[SAMPLES];
    uint32_t area[SAMPLES];
};

static float in[SAMPLES];
static uint8_t counts[SAMPLES];
static struct results expected;
static int passed, failed;

static void expect(int holds, const char *what)
{
    if (holds)
        passed++;
    else
        failed++;
    if (!holds)
        fprintf(stderr, "FAIL threads: %s\n", what);
}

static int call(struct results *results, int threads, const struct flt_tasks *tasks)
{
    const struct several_in image = {in, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_counts bytes = {counts, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_smooth smooth = {results->smooth, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_area area = {results->area, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_level level = {results->level, HEIGHT, WIDTH, WIDTH, 1};
    const size_t size = several_scratch_bytes(&image, &bytes, &smooth, &area, &level, threads);
    void *const scratch = size ? aligned_alloc(64, (size + 63) / 64 * 64) : NULL;
    const int status =
        several_run_by(&image, &bytes, &smooth, &area, &level, scratch, size, threads, tasks);
    free(scratch);
    return status;
}

static int is_right(int threads, const struct flt_tasks *tasks)
{
    struct results *const results = calloc(1, sizeof *results);
    const int right = results && call(results, threads, tasks) == SEVERAL_OK &&
                      memcmp(results, &expected, sizeof expected) == 0;
    free(results);
    return right;
}

/* ---- Threads of a caller ---- */

static void in_order(void *context, void (*work)(void *data, int n), void *data, int count)
{
    *(int *)context += count;
    for (int n = 0; n < count; n++)
        work(data, n);
}

static void backward(void *context, void (*work)(void *data, int n), void *data, int count)
{
    *(int *)context += count;
    for (int n = count; n-- > 0;)
        work(data, n);
}

static void last_only(void *context, void (*work)(void *data, int n), void *data, int count)
{
    *(int *)context += count;
    work(data, count - 1);
}

struct part {
    void (*work)(void *data, int n);
    void *data;
    int n;
};

static void *run_part(void *user)
{
    const struct part *const part = user;
    part->work(part->data, part->n);
    return NULL;
}

static void at_once(void *context, void (*work)(void *data, int n), void *data, int count)
{
    pthread_t thread[MOST];
    struct part part[MOST];
    *(int *)context += count;
    for (int n = 0; n < count; n++) {
        part[n] = (struct part){work, data, n};
        if (pthread_create(&thread[n], NULL, run_part, &part[n]) != 0)
            abort();
    }
    for (int n = 0; n < count; n++)
        pthread_join(thread[n], NULL);
}

static void try_tasks(void)
{
    static const struct {
        const char *name;
        void (*run)(void *context, void (*work)(void *data, int n), void *data, int count);
    } way[] = {{"in order", in_order},
               {"backward", backward},
               {"the last one only", last_only},
               {"at once", at_once}};
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++)
        for (int threads = 1; threads <= 5; threads += 2) {
            int used = 0;
            const struct flt_tasks tasks = {&used, way[i].run, NULL};
            expect(is_right(threads, &tasks), way[i].name);
            expect((used > 0) == (threads > 1), "the caller's threads are asked");
        }
}

/* ---- Cancelling ---- */

struct limit {
    int asked, most;
};

static int is_over(void *context)
{
    struct limit *const limit = context;
    return __atomic_add_fetch(&limit->asked, 1, __ATOMIC_RELAXED) > limit->most;
}

static void try_cancelling(void)
{
    static struct results results;
    int used = 0, ended = 0;
    for (int most = 0; most < 400; most += 7)
        for (int way = 0; way < 3; way++) {
            struct limit limit = {0, most};
            const struct flt_tasks tasks = {&limit, NULL, is_over};
            const int threads = way == 0 ? 1 : way == 1 ? 2 : 5;
            const int status = call(&results, threads, &tasks);
            expect(status == SEVERAL_CANCELLED ||
                       (status == SEVERAL_OK && memcmp(&results, &expected, sizeof results) == 0),
                   "a call is cancelled, or right");
            used += status == SEVERAL_CANCELLED;
            ended += status == SEVERAL_OK;
        }
    expect(used > 30 && ended > 3, "some calls are cancelled, others end before");
    expect(is_right(2, NULL), "a call after others that were cancelled");
    expect(strcmp(several_status_text(SEVERAL_CANCELLED), "unknown status") != 0, "words");
}

/* ---- Callers that end, signals ---- */

/* How a thread that is ended in a call makes it. */
struct ending {
    int type; /* PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS */
    int threads;
    const struct flt_tasks *tasks;
    int allocates; /* the call of the function that takes its own memory */
    int calls;     /* that have returned */
};

static struct results ended;

/* Memory is static: what a thread takes itself is lost with it. */
static void *call_until_ended(void *user)
{
    static _Alignas(64) char scratch[32 << 20];
    struct ending *const ending = user;
    const struct several_in image = {in, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_counts bytes = {counts, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_smooth smooth = {ended.smooth, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_area area = {ended.area, HEIGHT, WIDTH, WIDTH, 1};
    const struct several_level level = {ended.level, HEIGHT, WIDTH, WIDTH, 1};
    pthread_setcanceltype(ending->type, NULL);
    for (int i = 0; i < 1000; i++) {
        const int status = ending->allocates
                               ? several(&image, &bytes, &smooth, &area, &level, ending->threads)
                               : several_run_by(&image, &bytes, &smooth, &area, &level, scratch,
                                                sizeof scratch, ending->threads, ending->tasks);
        if (status != SEVERAL_OK)
            return NULL;
        __atomic_add_fetch(&ending->calls, 1, __ATOMIC_RELAXED);
        pthread_testcancel();
    }
    return NULL;
}

/* anywhere: at any instruction too, which sanitizers do not stand. */
__attribute__((unused)) static void try_ending(int anywhere)
{
    int used = 0;
    const struct flt_tasks tasks = {&used, at_once, NULL};
    const struct {
        const char *name;
        struct ending ending;
    } way[] = {
        {"own threads", {PTHREAD_CANCEL_DEFERRED, 3, NULL, 0, 0}},
        {"own threads, at any place", {PTHREAD_CANCEL_ASYNCHRONOUS, 3, NULL, 0, 0}},
        {"one thread, at any place", {PTHREAD_CANCEL_ASYNCHRONOUS, 1, NULL, 1, 0}},
        {"own memory", {PTHREAD_CANCEL_DEFERRED, 2, NULL, 1, 0}},
        {"threads of the caller", {PTHREAD_CANCEL_DEFERRED, 3, &tasks, 0, 0}},
    };
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++)
        for (int k = 0; k < 6; k++) {
            struct ending ending = way[i].ending;
            void *result = NULL;
            pthread_t thread;
            if (ending.type == PTHREAD_CANCEL_ASYNCHRONOUS && !anywhere)
                continue;
            if (pthread_create(&thread, NULL, call_until_ended, &ending) != 0)
                abort();
            usleep(2000 + 1700 * (unsigned)k);
            pthread_cancel(thread);
            pthread_join(thread, &result);
            expect(result == PTHREAD_CANCELED, way[i].name);
        }
    expect(is_right(3, NULL) && is_right(1, NULL), "calls after threads that were ended");
}

/* Of each other thread of the process: the signals that it blocks. */
static void try_signals(void)
{
    const unsigned long long taken = (1ull << (SIGSEGV - 1)) | (1ull << (SIGBUS - 1)) |
                                     (1ull << (SIGILL - 1)) | (1ull << (SIGFPE - 1)),
                             of_others = (1ull << (SIGUSR1 - 1)) | (1ull << (SIGPROF - 1)) |
                                         (1ull << (SIGTERM - 1)) | (1ull << (SIGALRM - 1));
    DIR *const tasks = opendir("/proc/self/task");
    int others = 0;
    for (struct dirent *entry = tasks ? readdir(tasks) : NULL; entry; entry = readdir(tasks)) {
        char path[sizeof entry->d_name + 40], line[200];
        unsigned long long blocked = 0;
        if (atoi(entry->d_name) == 0 || atoi(entry->d_name) == (int)getpid())
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *const file = fopen(path, "r");
        while (file && fgets(line, sizeof line, file))
            if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
                break;
        if (file)
            fclose(file);
        others++;
        expect((blocked & of_others) == of_others, "signals go to other threads");
        expect((blocked & taken) == 0, "but not those of a fault");
    }
    if (tasks)
        closedir(tasks);
#ifdef _OPENMP
    expect(others > 0, "there are threads");
#endif
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    expect(!sigismember(&mask, SIGUSR1), "the caller keeps its mask");
}

/* ---- Callers that compute floats in another way ---- */

static struct results small_expected;

static int is_right_for_small(int threads, const struct flt_tasks *tasks)
{
    struct results *const results = calloc(1, sizeof *results);
    const int right = results && call(results, threads, tasks) == SEVERAL_OK &&
                      memcmp(results, &small_expected, sizeof *results) == 0;
    free(results);
    return right;
}

static void set_nothing(void)
{
}

static void set_upward(void)
{
    fesetround(FE_UPWARD);
}

static void set_toward_zero(void)
{
    fesetround(FE_TOWARDZERO);
}

static void set_flushing(void)
{
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | 1u << 24));
#endif
}

static void set_traps(void)
{
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
}

static int is_flushing(void)
{
#if defined(__SSE__)
    return (__builtin_ia32_stmxcsr() & 0x8040) != 0;
#else
    static volatile float least = 1e-44f;
    return least * 0.5f == 0;
#endif
}

/* Threads of a caller that each compute in another way. */
static void (*set_for_part)(void);

static void *run_part_set(void *user)
{
    set_for_part();
    return run_part(user);
}

static void at_once_set(void *context, void (*work)(void *data, int n), void *data, int count)
{
    pthread_t thread[MOST];
    struct part part[MOST];
    *(int *)context += fegetround() != FE_TONEAREST || is_flushing();
    for (int n = 0; n < count; n++) {
        part[n] = (struct part){work, data, n};
        if (pthread_create(&thread[n], NULL, run_part_set, &part[n]) != 0)
            abort();
    }
    for (int n = 0; n < count; n++)
        pthread_join(thread[n], NULL);
}

static void try_floats(void)
{
    static const struct {
        const char *name;
        void (*set)(void);
        int is_seen; /* by functions of the caller that the call calls */
    } way[] = {{"set as ever", set_nothing, 0},
               {"rounding upward", set_upward, 1},
               {"rounding toward zero", set_toward_zero, 1},
               {"flushing subnormal numbers", set_flushing, 1},
               {"trapping", set_traps, 0}};
    fenv_t before;
    fegetenv(&before);
    for (int i = 0; i < SAMPLES; i++)
        in[i] *= 3e-38f;
    expect(call(&small_expected, 1, NULL) == SEVERAL_OK, "small samples");
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++)
        for (int threads = 1; threads < 4; threads++) {
            int seen = 0;
            const struct flt_tasks tasks = {&seen, at_once_set, NULL};
            fexcept_t flags;
            set_for_part = way[i].set;
            way[i].set();
            fegetexceptflag(&flags, FE_ALL_EXCEPT);
            const int right = is_right_for_small(threads, NULL);
            const int of_caller = is_right_for_small(threads, &tasks);
            const int rounding = fegetround(), traps = fegetexcept();
            fesetenv(FE_DFL_ENV);
            way[i].set();
            const int kept = rounding == fegetround() && traps == fegetexcept();
            fesetenv(&before);
            expect(right, way[i].name);
            expect(of_caller, "the same by threads of the caller");
            expect((seen > 0) == (way[i].is_seen && threads > 1),
                   "callers' functions in their way");
            expect(kept, "a call leaves the thread as it was");
        }
    for (int i = 0; i < SAMPLES; i++)
        in[i] = (float)(i % 1013 * 7919 % 1009) / 1009;
}

/* ---- Calls at once, fork, unloading ---- */

static void *some_calls(void *user)
{
    for (int i = 0; i < 4; i++)
        if (!is_right(3, NULL))
            *(int *)user = 0;
    return NULL;
}

static void try_calls_at_once(void)
{
    pthread_t thread[4];
    int right[4] = {1, 1, 1, 1};
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, some_calls, &right[i]) != 0)
            abort();
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    expect(right[0] && right[1] && right[2] && right[3], "four calls at once");
}

static void try_fork(void)
{
    for (int i = 0; i < 8; i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0) {
            alarm(600); /* it waits forever */
            const int right = is_right(2, NULL) && is_right(3, NULL);
            exit(right ? 0 : 1); /* which ends the threads that the child has made */
        }
        waitpid(child, &status, 0);
        expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child of fork");
        expect(is_right(2, NULL), "its parent");
    }
}

static int count_threads(void)
{
    int count = -1;
    char line[200];
    FILE *const file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Threads: %d", &count) == 1)
            break;
    if (file)
        fclose(file);
    return count;
}

/* Whether the process comes to have so many: a joined one is counted a little longer. */
static int come_to(int threads)
{
    for (int i = 0; i < 60000 && count_threads() != threads; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return count_threads() == threads;
}

static void try_unloading(const char *path)
{
    const int before = count_threads();
    for (int i = 0; i < 20; i++) {
        void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        int (*run)(int) = NULL;
        if (library)
            *(void **)&run = dlsym(library, "run_by_threads");
        expect(run && run(3) == 0, "a filter of a library");
        expect(before < 0 || count_threads() == before + 2, "it has two threads");
        if (library)
            dlclose(library);
        expect(before < 0 || come_to(before), "they end with the library");
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < SAMPLES; i++) {
        in[i] = (float)(i % 1013 * 7919 % 1009) / 1009;
        counts[i] = (uint8_t)(i % 4099 * 31 % 251);
    }
    const int status = call(&expected, 1, NULL);
    expect(status == SEVERAL_OK, several_status_text(status));
    for (int threads = 2; threads <= 100000; threads = threads * 3 - 1)
        expect(is_right(threads, NULL), "threads of its own");
    try_tasks();
    try_cancelling();
    try_calls_at_once();
    if (argc > 1)
        try_signals();
#ifndef __SANITIZE_ADDRESS__ /* takes the end of a thread for a fault */
    try_ending(argc > 1);
#endif
    try_floats();
    if (argc > 1) { /* not where a sanitizer watches threads */
        try_fork();
        try_unloading(argv[1]);
    }
    printf("threads: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
