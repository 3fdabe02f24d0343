/* Execution of a filter on loaded pictures. */
#ifndef FLTC_COMMAND_EXECUTE_H
#define FLTC_COMMAND_EXECUTE_H

#include "command/compile.h"
#include "command/parameters.h"
#include "command/pictures.h"
#include "command/profile.h"
#include "command/progress.h"
#include "command/results.h"
#include "interpret/interpret.h"

struct execution {
    struct command_context *c;
    const struct graph *graph;
    struct image_files files[MOST_PICTURES];
    struct pictures pictures;
    struct results results;
    struct value parameter[MOST_PARAMETERS];
    struct compiled compiled;            /* of run */
    struct external_functions externals; /* of interpret */
    bool interprets, is_fault;           /* is_fault: what failed is a fault of fltc */
    struct progress progress;
    struct profile profile;
    struct emitted emitted;        /* of run */
    const struct graph *scheduled; /* of run */
    double stage_start;            /* when the stage that is interpreted began */
    size_t run, runs;              /* in a sequence of files */
    int64_t slice, slices;
    int threads;
    uint64_t memory; /* --memory, in bytes; 0: pictures are read whole */
};

/* The command's filter and what it is run on, nothing of it read yet. NULL after a message: *status
 * is what the command ends with. */
struct execution *execution_open(struct command_context *c, bool interprets,
                                 enum exit_status *status);
void execution_close(struct execution *x);
/* Whether the loaded pictures and the parameters meet what the filter checks on entry. False after
 * a message with the numbers that do not. */
bool execute_entry(struct execution *x);
/* Compiles the graph; without a C compiler the graph is interpreted, with a warning. False after a
 * message. */
bool execute_compile(struct execution *x);
/* Tells how much of the slice x->slice of x->slices is done. */
void execution_progress(struct execution *x, double done);
/* A parameter in its own C type, for NAME_call. */
const void *execution_parameter(const struct execution *x, size_t i, unsigned char memory[8]);
/* Makes the results of one run. False after a message. */
bool execute_slices(struct execution *x);

#endif
