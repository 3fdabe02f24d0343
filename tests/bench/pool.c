/* The plainest pool of a caller, for struct flt_tasks: its threads sleep until there is work. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static void (*current)(void *data, int n);
static void *current_data;
static int next, count, running, threads;

/* Takes what nobody has taken. Called with the lock. */
static void take(void)
{
    while (next < count) {
        void (*const work)(void *data, int n) = current;
        void *const data = current_data;
        const int n = next++;
        running++;
        pthread_mutex_unlock(&lock);
        work(data, n);
        pthread_mutex_lock(&lock);
        if (--running == 0)
            pthread_cond_signal(&ended);
    }
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        take();
        pthread_cond_wait(&wake, &lock);
    }
    return NULL;
}

/* struct flt_tasks.run, for one call at a time. */
void pool_run(void *context, void (*work)(void *data, int n), void *data, int wanted);
void pool_run(void *context, void (*work)(void *data, int n), void *data, int wanted)
{
    pthread_t thread;
    (void)context;
    pthread_mutex_lock(&lock);
    for (; threads + 1 < wanted && threads < MOST; threads++)
        if (pthread_create(&thread, NULL, worker, NULL) != 0)
            break;
    current = work, current_data = data, next = 0, count = wanted;
    pthread_cond_broadcast(&wake);
    take();
    while (running > 0)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}
