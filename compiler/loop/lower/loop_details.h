/* What schedules say of loops: their order, threads, lanes, how many samples at a time. */
#ifndef FLTC_LOOP_LOWER_LOOP_DETAILS_H
#define FLTC_LOOP_LOWER_LOOP_DETAILS_H

#include "graph/placement/schedule_check.h"
#include "loop/loop.h"
#include "loop_pass.h"

/* The axes 0 .. rank - 1 that `order` holds in the order that the stage's schedule wants for loops,
 * slowest first; what it obeys is noted. fixed: by axis, it keeps its place. */
void details_order(struct pass_context *context, struct program *program, const struct stage *stage,
                   const bool fixed[], unsigned order[]);
/* The axis at another place, the others in their order. */
void details_move(unsigned rank, unsigned order[], unsigned axis, unsigned to);
/* The axes whose loops threads share, moved to the front; returns how many. may: by axis, whether
 * they can; ordered: the schedule says the order of these loops, which stays. */
unsigned details_threads(struct pass_context *context, struct program *program,
                         const struct stage *stage, const bool may[], bool ordered, unsigned count,
                         unsigned order[]);
/* How a loop runs that could run in any order, and how many iterations at a time of that over an
 * axis. */
enum parallel_level details_level(const struct stage *stage, bool innermost);
int64_t details_unroll(const struct stage *stage, unsigned axis);
/* Notes what the loops over these axes obey of lanes and unrolling. fixed: by axis, its loop is
 * another one. */
void details_obey_loops(struct pass_context *context, struct program *program,
                        const struct stage *stage, const bool fixed[]);
/* Rows ahead that are asked for; `usual` where nothing is said. */
int64_t details_prefetch(const struct stage *stage, int64_t usual);
/* Notes that so many rows are asked for as the stage's schedule says. */
void details_obey_prefetch(struct pass_context *context, struct program *program,
                           const struct stage *stage, unsigned count);
/* Notes what is so because there is nothing that could be otherwise: no rows are asked for, of one
 * sample no lanes. */
void details_obey_nothing(struct pass_context *context, struct program *program,
                          const struct stage *stage);
/* Calls report for each detail of the program's stages that is not so in the loops; done: the graph
 * that these were made of. */
void details_check(const struct graph *asked, const struct graph *done,
                   const struct program *program, schedule_refusal *report, void *context);

#endif
