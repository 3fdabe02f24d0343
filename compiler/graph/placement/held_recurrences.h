/* Recurrences that soon forget, on a grid: a block of threads computes them in its tile, a line a
 * thread, from a few samples before those that are read; an image is read once and written once. */
#ifndef FLTC_GRAPH_PLACEMENT_HELD_RECURRENCES_H
#define FLTC_GRAPH_PLACEMENT_HELD_RECURRENCES_H

#include "graph/readers.h"
#include "graph_pass.h"

/* Whether tiles of blocks are to hold the recurrence: it is of few bytes, along one of the two
 * fastest axes, and so is every recurrence that reads it; all of them together begin at most so far
 * before what is read that most of a tile is its own. False on cores: their tiles are chosen by
 * group_lines. */
bool recurrence_is_held(const struct pass_context *context, const struct graph *in,
                        const struct stage_readers *readers, const struct stage *stage);

#endif
