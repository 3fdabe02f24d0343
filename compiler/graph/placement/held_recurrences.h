/* Recurrences with a short memory, on a grid: a block of threads computes them in its tile, one
 * line per thread, starting a few samples before those that are read. So the image is read once and
 * written once. */
#ifndef FLTC_GRAPH_PLACEMENT_HELD_RECURRENCES_H
#define FLTC_GRAPH_PLACEMENT_HELD_RECURRENCES_H

#include "graph/readers.h"
#include "graph_pass.h"

/* Whether tiles of blocks should hold the recurrence. It and every recurrence that reads it must
 * have small elements and run along one of the two fastest axes, and all of them together must
 * start so close to what is read that most of a tile is not overlap. False on cores, where
 * group_lines chooses. */
bool recurrence_is_held(const struct pass_context *context, const struct graph *in,
                        const struct stage_readers *readers, const struct stage *stage);

#endif
