/* Schedules of a filter, measured on images. */
#ifndef FLTC_COMMAND_TUNE_H
#define FLTC_COMMAND_TUNE_H

#include "command/execute.h"

struct tuning_result {
    const struct graph *done; /* as the passes made it of the fastest schedule */
    /* median seconds of a run: by the compiler's own choice, by the fastest */
    double automatic, fastest;
    const struct choices *choices; /* that were found, and those of the command line */
    bool on_device;                /* times are of its kernels alone, by its own clock */
    unsigned tried;                /* schedules that were measured, with the compiler's own */
};

/* Tries schedules for so many seconds; x: its pictures are loaded. False after a message. */
bool tune_filter(struct execution *x, double seconds, struct tuning_result *result);

#endif
