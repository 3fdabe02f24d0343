/* Details of schedules that concern loops: order, threads, lanes, samples per iteration. */
#ifndef FLTC_LOOP_LOWER_LOOP_DETAILS_H
#define FLTC_LOOP_LOWER_LOOP_DETAILS_H

#include "graph/placement/schedule_check.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* Sorts the axes 0 .. rank - 1 in `order` as the stage's schedule asks, slowest loop first, and
 * notes whether it was obeyed. fixed: by axis, why its loop keeps its place; NULL: it may move. */
void details_order(struct pass_context *context, struct program *program, const struct stage *stage,
                   const char *const fixed[], unsigned order[]);
/* Moves the axis to position `to` and keeps the order of the others. */
void details_move(unsigned rank, unsigned order[], unsigned axis, unsigned to);
/* Moves the axes whose loops threads share to the front and returns their number. fixed: by axis,
 * why threads cannot share it, or NULL; ordered: the schedule fixes the order of these loops. */
unsigned details_threads(struct pass_context *context, struct program *program,
                         const struct stage *stage, const char *const fixed[], bool ordered,
                         unsigned count, unsigned order[]);
/* The level of a loop whose iterations are independent; the number of iterations at a time along an
 * axis. */
enum parallel_level details_level(const struct stage *stage, bool innermost);
int64_t details_unroll(const struct stage *stage, unsigned axis);
/* Notes which directives on lanes and unrolling the loops over these axes obey. fixed: by axis, why
 * its loop takes one sample at a time, or NULL. */
void details_obey_loops(struct pass_context *context, struct program *program,
                        const struct stage *stage, const char *const fixed[]);
/* The number of rows to prefetch ahead; `usual` if the schedule does not say. */
int64_t details_prefetch(const struct stage *stage, int64_t usual);
/* Notes that the stage's prefetch directive is obeyed if count rows are prefetched; otherwise why
 * not. */
void details_obey_prefetch(struct pass_context *context, struct program *program,
                           const struct stage *stage, unsigned count, const char *reason);
/* Notes directives that hold trivially: no prefetch where there are no rows, no lanes for a single
 * sample. */
void details_obey_nothing(struct pass_context *context, struct program *program,
                          const struct stage *stage);
/* Notes why the stage obeys no detail that concerns loops. */
void details_decline(struct pass_context *context, const struct stage *stage, const char *reason);
/* Why loops along the axis along which the stage chooses stay as they are. */
const char *details_choosing(struct pass_context *context, const struct stage *stage,
                             unsigned axis);
/* Calls report for each detail of the program's schedule that the loops do not obey. done: the
 * graph that the loops were made from. remarks: of the passes. */
void details_check(const struct graph *asked, const struct graph *done,
                   const struct program *program, const struct remarks *remarks,
                   schedule_refusal *report, void *context);

#endif
