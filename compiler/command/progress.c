/* The line is redrawn five times a second by a thread of its own, so the work need not call. */
#include "command/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(const struct progress *p, double seconds)
{
    const char *start = p->always ? "" : "\r";
    const char *end = p->always ? "\n" : "\033[K";
    char part[64] = "";
    if (p->parts)
        snprintf(part, sizeof part, ", %zu of %zu,", p->part, p->parts);
    if (p->done >= 0)
        fprintf(stderr, "%sfltc: %s%s %3.0f %%, %.0f s%s", start, p->name, part, 100 * p->done,
                seconds, end);
    else
        fprintf(stderr, "%sfltc: %s%s %.0f s%s", start, p->name, part, seconds, end);
    fflush(stderr);
}

static void *show(void *argument)
{
    struct progress *p = argument;
    const double start = now();
    bool drawn = false;
    pthread_mutex_lock(&p->lock);
    while (!p->over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 200000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
        const double seconds = now() - start;
        if (!p->over && seconds >= 1) {
            draw(p, seconds);
            drawn = true;
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (drawn && !p->always)
        fputs("\r\033[K", stderr);
    return NULL;
}

void progress_start(struct progress *p, const char *name, bool always)
{
    *p = (struct progress){.name = name, .done = -1};
    p->always = always && !isatty(STDERR_FILENO);
    if (!always && !isatty(STDERR_FILENO))
        return;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->active = pthread_create(&p->thread, NULL, show, p) == 0;
}

void progress_set(struct progress *p, double done)
{
    if (!p->active)
        return;
    pthread_mutex_lock(&p->lock);
    p->done = done;
    pthread_mutex_unlock(&p->lock);
}

void progress_set_part(struct progress *p, size_t part, size_t parts)
{
    if (!p->active)
        return;
    pthread_mutex_lock(&p->lock);
    p->part = part;
    p->parts = parts;
    pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p)
{
    if (!p->active)
        return;
    pthread_mutex_lock(&p->lock);
    p->over = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
    p->active = false;
}
