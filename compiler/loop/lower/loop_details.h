/* Details of schedules that concern loops: order, threads, lanes, samples per iteration. */
#ifndef FLTC_LOOP_LOWER_LOOP_DETAILS_H
#define FLTC_LOOP_LOWER_LOOP_DETAILS_H

#include "graph/placement/schedule_check.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* Sorts the axes 0 .. rank - 1 in `order` as the stage's schedule asks, slowest loop first, and
 * notes that it was obeyed. fixed: by axis, whether it keeps its place. */
void details_order(struct pass_context *context, struct program *program, const struct stage *stage,
                   const bool fixed[], unsigned order[]);
/* Moves the axis to position `to` and keeps the order of the others. */
void details_move(unsigned rank, unsigned order[], unsigned axis, unsigned to);
/* Moves the axes whose loops threads share to the front and returns their number. may: by axis,
 * whether threads can share it; ordered: the schedule fixes the order of these loops. */
unsigned details_threads(struct pass_context *context, struct program *program,
                         const struct stage *stage, const bool may[], bool ordered, unsigned count,
                         unsigned order[]);
/* The level of a loop whose iterations are independent; the number of iterations at a time along an
 * axis. */
enum parallel_level details_level(const struct stage *stage, bool innermost);
int64_t details_unroll(const struct stage *stage, unsigned axis);
/* Notes which directives on lanes and unrolling the loops over these axes obey. fixed: by axis, its
 * loop is another one. */
void details_obey_loops(struct pass_context *context, struct program *program,
                        const struct stage *stage, const bool fixed[]);
/* The number of rows to prefetch ahead; `usual` if the schedule does not say. */
int64_t details_prefetch(const struct stage *stage, int64_t usual);
/* Notes that the stage's prefetch directive is obeyed if count rows are prefetched. */
void details_obey_prefetch(struct pass_context *context, struct program *program,
                           const struct stage *stage, unsigned count);
/* Notes directives that hold trivially: no prefetch where there are no rows, no lanes for a single
 * sample. */
void details_obey_nothing(struct pass_context *context, struct program *program,
                          const struct stage *stage);
/* Calls report for each detail of the program's schedule that the loops do not obey. done: the
 * graph that the loops were made from. */
void details_check(const struct graph *asked, const struct graph *done,
                   const struct program *program, schedule_refusal *report, void *context);

#endif
