/* An emitted filter by threads of its own and by those of a caller: the same bytes, whatever runs
 * the parts; cancelled at any time; in a child of fork; in several calls at once; unloaded. */
#include "several.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
            alarm(20);
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
        expect(before < 0 || count_threads() == before, "they end with the library");
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
    if (argc > 1) { /* not where a sanitizer watches threads */
        try_fork();
        try_unloading(argv[1]);
    }
    printf("threads: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
