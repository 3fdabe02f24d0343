/* A line on standard error that tells how far a long run is. */
#ifndef FLTC_COMMAND_PROGRESS_H
#define FLTC_COMMAND_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct progress {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool active, over, always;
    const char *name;
    double done;        /* 0 .. 1; below 0: not known */
    size_t part, parts; /* "2 of 3"; parts 0: there are none to tell */
};

/* Starts showing after a second, on a terminal only unless always. */
void progress_start(struct progress *progress, const char *name, bool always);
void progress_set(struct progress *progress, double done);
/* The part that is being worked on, from 1 on. */
void progress_set_part(struct progress *progress, size_t part, size_t parts);
/* Clears the line. */
void progress_end(struct progress *progress);

#endif
